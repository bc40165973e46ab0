// What the browser keeps: the game, the settings, the exercises, and which one is on the board. All of it is versioned, and none of it leaves.

const NAME = "ajedrecista";
const VERSION = 1;
/** Most exercises that are kept; the oldest go first. */
const MAX_EXERCISES = 300;

export const SETTINGS = { lang: null, theme: "auto", bar: true, warn: false, thoughts: false, sounds: false, coordinates: true, ratings: {} };

/** This tab, to tell whether another one has written. */
const tab = Math.random().toString(36).slice(2);

/** All that is kept; what cannot be read is left out. */
export function read() {
  let kept = null;
  try {
    kept = localStorage.getItem(NAME);
  } catch {
    // A browser may keep nothing.
  }
  return parse(kept ?? "") ?? accept({ version: VERSION });
}

/** What a text says that was kept or read from a file; null if it is something else. */
export function parse(text) {
  try {
    return accept(JSON.parse(text));
  } catch {
    return null;
  }
}

function accept(kept) {
  if (kept?.version !== VERSION) return null;
  // One rating was kept for all rule sets: it holds until a rule set has its own.
  const { rating, ...settings } = kept.settings ?? {};
  const ratings = { ...(rating && { earlier: rating }), ...settings.ratings };
  const has = (text) => Array.isArray(text?.moves) && typeof text.rules === "string";
  const isGame = has(kept.game?.text);
  return {
    version: VERSION,
    game: isGame ? kept.game : null,
    trial: isGame && has(kept.trial?.text) ? kept.trial : null,
    settings: { ...SETTINGS, ...settings, ratings },
    exercises: Array.isArray(kept.exercises) ? kept.exercises.slice(-MAX_EXERCISES) : [],
  };
}

/** Keeps everything. False if the browser refuses. */
export function write(state) {
  const { game, settings, trial } = state;
  const exercises = state.exercises.slice(-MAX_EXERCISES);
  try {
    localStorage.setItem(NAME, JSON.stringify({ version: VERSION, tab, game, settings, exercises, trial }));
    return true;
  } catch {
    return false;
  }
}

/** Calls `action` when another tab has written. */
export function onOther(action) {
  window.addEventListener("storage", (event) => {
    if (event.key !== NAME || !event.newValue) return;
    try {
      if (JSON.parse(event.newValue).tab !== tab) action();
    } catch {
      // Whatever it was, it is no game.
    }
  });
}

/** Offers a text as a file. */
export function download(name, kind, text) {
  const link = document.createElement("a");
  link.href = `data:${kind};charset=utf-8,${encodeURIComponent(text)}`;
  link.download = name;
  link.click();
}
