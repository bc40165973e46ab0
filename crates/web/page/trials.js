// Trials: a better move is asked for in a position of an earlier mistake, which is tried again or is an exercise.
import { html, say, t } from "./dom.js";
import { draw, exerciseOf } from "./game.js";
import { explain } from "./review.js";

export class Trials {
  /** @param {import("./app.js").App} app */
  constructor({ session, thinker, messages, board, clock, flow: { show, interrupt, refresh, keep, showLine } }) {
    this.session = session;
    this.thinker = thinker;
    this.messages = messages;
    this.board = board;
    this.clock = clock;
    this.show = show;
    this.interrupt = interrupt;
    this.refresh = refresh;
    this.keep = keep;
    this.showLine = showLine;
    /** The trial on the board in place of the game: { text, name, best, reason, lang, exercise?, view, turned, isSolved? }. */
    this.trial = null;
  }

  /** Asks for a better move than the reviewed one at `ply`. */
  async tryAgain(ply) {
    await this.begin(exerciseOf(this.session.game, ply));
  }

  /** Begins with an exercise: one that is not solved, and another than now, if there are such. */
  async exercise() {
    const { exercises } = this.session.state;
    const open = exercises.filter((exercise) => !exercise.solved);
    const from = open.length ? open : exercises;
    if (!from.length) return this.messages.note(t("status.no-exercises"));
    const others = from.filter((exercise) => exercise !== this.trial?.exercise);
    const list = others.length ? others : from;
    const exercise = list[draw(list.length)];
    await this.begin({ ...exercise, exercise });
  }

  async begin(trial) {
    const { session, board } = this;
    await this.interrupt();
    this.clock.run(null);
    const view = await session.ask(trial.text);
    this.trial = { ...trial, view, turned: this.trial?.turned ?? board.turned };
    session.showGame();
    board.turn(view.turn === "black");
    this.messages.replace();
    this.messages.speak("");
    this.show();
  }

  /** Judges a move in place of the mistake. */
  async judge(uci) {
    const { session, messages, trial } = this;
    messages.note(t("status.judging"));
    const text = { ...trial.text, moves: [...trial.text.moves, uci] };
    const judged = await this.thinker.think(session.question("why", { game: text }));
    if (trial !== this.trial) return;
    trial.isSolved = !judged.judgement;
    if (trial.isSolved) trial.view = await session.ask(text);
    if (trial.isSolved && trial.exercise) { trial.exercise.solved = true; this.keep(); }
    messages.replace(...explain(judged, this.showLine));
    messages.note(t(trial.isSolved ? "status.exercise-solved" : "status.exercise-wrong", { move: say(judged.name) }));
    this.show();
  }

  giveUp() {
    const { best, reason } = this.trial;
    const told = this.session.isRead(this.trial) ? reason : null;
    this.messages.forgetNote();
    this.show();
    this.messages.replace(html("p", {}, t("status.best", { move: say(best) })), html("p", {}, told ?? ""));
  }

  /** What is on the board: a trial, or else the game. */
  subject() {
    return this.trial ?? { view: this.session.view, text: this.session.game.text };
  }

  /** The position on the board: one of a line beside it, of a trial, or of the game. */
  position() {
    return this.session.preview?.board ?? this.trial?.view.boards.at(-1) ?? this.session.board();
  }

  /** Returns to the game, where it was left. */
  async end() {
    this.board.turn(this.trial.turned);
    this.forget();
    this.messages.replace();
    await this.refresh(this.session.at);
  }

  /** Another game comes in place of the trial. */
  forget() {
    this.trial = null;
  }
}
