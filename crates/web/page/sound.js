// The sounds of moves, for whoever does not always look at the board. They are made here, so that no files are needed.

/** Seconds of a knock, and from one to the next. */
const LENGTH = 0.12;
const PAUSE = 0.09;
/** Pitches of a capture, of the piece that is put down, and of a check, in Hz. */
const [CAPTURE, MOVE, CHECK] = [300, 220, 520];

/** Browsers make no sound before a person has done something on the page. */
let context = null;

/** A knock as of wood: a tone that falls and dies away. */
function knock(pitch, at) {
  const [tone, volume] = [context.createOscillator(), context.createGain()];
  tone.type = "triangle";
  tone.frequency.setValueAtTime(pitch, at);
  tone.frequency.exponentialRampToValueAtTime(pitch / 2, at + LENGTH);
  volume.gain.setValueAtTime(0.5, at);
  volume.gain.exponentialRampToValueAtTime(0.001, at + LENGTH);
  tone.connect(volume).connect(context.destination);
  tone.start(at);
  tone.stop(at + LENGTH);
}

/** Lets a move in SAN be heard: one knock, one more before it for a capture, and one after it for a check. */
export function hear(san) {
  context ??= new AudioContext();
  context.resume();
  const pitches = [...(san.includes("x") ? [CAPTURE] : []), MOVE, ...(/[+#]/.test(san) ? [CHECK] : [])];
  pitches.forEach((pitch, i) => knock(pitch, context.currentTime + i * PAUSE));
}
