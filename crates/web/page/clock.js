// Two clocks, one of which runs. Time counts while the page is open.
import { decimal } from "./dom.js";

/** A time as people read it: 4:05, or 0:09.3 below twenty seconds. */
export function readable(ms) {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const text = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  return seconds < 20 ? decimal(`${text}.${Math.floor((Math.max(0, ms) % 1000) / 100)}`) : text;
}

export class Clock {
  /** `onTick()` is called while a clock runs, `onEnd(colour)` when its time is over. */
  constructor(onTick, onEnd) {
    this.onTick = onTick;
    this.onEnd = onEnd;
    this.running = null;
    setInterval(() => this.tick(), 100);
  }

  /** Takes the times of a game: { white, black } in milliseconds, or null without clocks. */
  set(left, increment) {
    this.running = null;
    this.times = left && { ...left };
    this.increment = increment;
  }

  /** Lets the clock of a colour run; null stops both. */
  run(colour) {
    this.settle();
    this.running = this.times ? colour : null;
    this.since = performance.now();
  }

  /** The colour has moved. */
  press(colour) {
    if (!this.times) return;
    this.settle();
    this.times[colour] += this.increment;
    this.running = null;
  }

  /** Takes what has passed from the clock that runs. */
  settle() {
    if (!this.running) return;
    const now = performance.now();
    this.times[this.running] = Math.max(0, this.times[this.running] - (now - this.since));
    this.since = now;
  }

  tick() {
    if (!this.running) return;
    this.settle();
    this.onTick();
    const colour = this.running;
    if (this.times[colour] <= 0) {
      this.running = null;
      this.onEnd(colour);
    }
  }
}
