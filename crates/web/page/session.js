// What everything on the page is about: the game with its settings, the engine's view of it, and the position that is shown.
import { t } from "./dom.js";
import * as engine from "./engine.js";
import { beginningOf } from "./game.js";
import * as store from "./store.js";

export class Session {
  constructor() {
    /** What the browser keeps: game, settings, exercises, and the trial that is on the board. */
    this.state = store.read();
    /** Counts the changes of the game, so that a late answer is known as one. */
    this.version = 0;
    this.view = null;
    /** The ply that is shown, and its view if it is an earlier one of an analysis. */
    this.at = 0;
    this.here = null;
    /** The position beside the game that is shown instead. */
    this.preview = null;
    /** True after another tab has gone on with the game. */
    this.isElsewhere = false;
  }

  get game() {
    return this.state.game;
  }

  get settings() {
    return this.state.settings;
  }

  /** Takes another game. */
  begin(game) {
    this.state.game = game;
    this.keepTrial(null);
  }

  /** Keeps the trial that is on the board in place of the game; null: the game itself is. Its view can be asked for again. */
  keepTrial(trial) {
    this.state.trial = trial && { ...trial, view: null };
  }

  /** Takes everything that was kept in a file. */
  restore(state) {
    this.state = state;
  }

  /** Keeps everything. False if the browser refuses. */
  keep(times) {
    if (times) this.game.left = { ...times };
    return store.write(this.state);
  }

  /** Another tab goes on with the game. */
  leave() {
    this.isElsewhere = true;
  }

  set(settings) {
    Object.assign(this.settings, settings);
  }

  /** True if these settings are not those that hold. */
  isOther(settings) {
    return Object.entries(settings).some(([name, value]) => this.settings[name] !== value);
  }

  /** Adds exercises. One that is there already takes what is told of it now. */
  addExercises(found) {
    const { exercises } = this.state;
    const known = new Map(exercises.map((exercise) => [JSON.stringify(exercise.text), exercise]));
    for (const exercise of found) {
      const before = known.get(JSON.stringify(exercise.text));
      if (before) Object.assign(before, exercise);
      else exercises.push(exercise);
    }
  }

  // Questions.

  question(ask, more = {}) {
    return { ask, game: this.game.text, lang: this.settings.lang, ...more };
  }

  /** The view of a game. */
  ask(text) {
    return engine.ask(this.question("view", { game: text }));
  }

  /** The view of a game, or in words why its position is not possible. */
  askPosition(text) {
    return this.ask(text).catch((fault) => {
      throw fault.isGone ? fault : new Error(t("import.position", { fault: fault.message }));
    });
  }

  /** The answers to all earlier questions come too late. */
  countChange() {
    this.version += 1;
  }

  /** Asks for the view of the game, and shows its last position or the one after `ply`. False if the game has changed
   * meanwhile. */
  async refresh(ply = Infinity) {
    this.countChange();
    const { version } = this;
    this.view = await this.ask(this.game.text);
    if (version !== this.version) return false;
    this.show(ply);
    return true;
  }

  /** Asks what is legal in an earlier position of an analysis. False if another position is shown meanwhile. */
  async refreshHere() {
    const { at, version } = this;
    const here = await this.ask(this.textHere());
    if (at !== this.at || version !== this.version) return false;
    this.here = here;
    return true;
  }

  // The position that is shown.

  /** Shows the position after `ply`, or the nearest one that there is. */
  show(ply) {
    this.at = Math.min(this.view.moves.length, Math.max(0, ply));
    // Whoever comes back to the page finds the place again.
    this.game.at = this.at;
    this.here = null;
    this.preview = null;
  }

  /** Shows a position beside the game: { board, squares, name, text, step }. Its board has a FEN, its text leads there, and
   * `step` is the move of a line by which it was found. */
  showBeside(preview) {
    this.preview = preview;
  }

  /** Returns from a position beside the game. */
  showGame() {
    this.preview = null;
  }

  /** True if the last position of the game is shown. */
  isNow() {
    return this.at === this.view.moves.length;
  }

  /** The position of the game that is shown, or the one beside it. */
  board() {
    return this.preview?.board ?? this.view.boards[this.at];
  }

  /** The game up to the position that is shown. */
  textHere() {
    return beginningOf(this.game.text, this.at);
  }

  /** The game up to the position on the board, be it one beside the game. */
  text() {
    return this.preview?.text ?? this.textHere();
  }

  /** What a person may play in the position that is shown. */
  legal() {
    if (this.isElsewhere) return [];
    if (!this.isNow()) return this.here?.legal ?? [];
    return this.isMine() ? this.view.legal : [];
  }

  /** True if the game has a review whose sentences are in the language of the page. */
  isReviewed() {
    return this.isRead(this.game.review);
  }

  /** True if sentences that were kept are in the language of the page. */
  isRead(kept) {
    return kept?.lang === this.settings.lang;
  }

  // Whose move it is.

  hasOpponent() {
    return this.game.me !== "both";
  }

  isOver() {
    return Boolean(this.game.end ?? this.view.end);
  }

  end() {
    const { end } = this.game;
    return end ? { result: end.result, reason: t(end.reason) } : this.view.end;
  }

  /** True during a game against an opponent. */
  isPlaying() {
    return this.hasOpponent() && !this.isOver();
  }

  /** True if a person may move now. */
  isMine() {
    return !this.hasOpponent() || (this.view.turn === this.game.me && !this.isOver());
  }

  /** True if the opponent has to move. */
  isOpponents() {
    return this.isPlaying() && this.view.turn !== this.game.me;
  }

  /** True if the person waits for the opponent and may premove. */
  isEarly() {
    return this.isOpponents() && !this.isElsewhere;
  }
}
