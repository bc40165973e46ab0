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
    /** The trial on the board in place of the game: { text, name, best, reason, lang, exercise?, view, turned, solution? }. The
     * solution is the text with the move that was good enough. */
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
    this.store();
    session.showGame();
    board.turn(view.turn === "black");
    this.messages.replace();
    this.messages.speak("");
    this.show();
  }

  /** Keeps the trial, so that whoever comes back to the page finds it again. */
  store() {
    this.session.keepTrial(this.trial);
    this.keep();
  }

  /** Goes on with the trial that is kept, if there is one that can be shown. */
  async resume() {
    const { session, board } = this;
    const { trial: kept, exercises } = session.state;
    this.trial = null;
    if (!kept) return;
    const view = await session.ask(kept.solution ?? kept.text).catch(() => null);
    if (!view) return session.keepTrial(null);
    // An exercise is the one of the list, where its solution is remembered.
    const isIt = ({ text }) => JSON.stringify(text) === JSON.stringify(kept.text);
    this.trial = { ...kept, view, exercise: kept.exercise && exercises.find(isIt) };
    board.turn(view.boards.at(-1 - Number(Boolean(kept.solution))).turn === "black");
  }

  /** Judges a move in place of the mistake. */
  async judge(uci) {
    const { session, messages, trial } = this;
    messages.note(t("status.judging"));
    const text = { ...trial.text, moves: [...trial.text.moves, uci] };
    const judged = await this.thinker.think(session.question("why", { game: text }));
    if (trial !== this.trial) return;
    if (!judged.judgement) {
      trial.solution = text;
      trial.view = await session.ask(text);
      if (trial.exercise) trial.exercise.solved = true;
      this.store();
    }
    messages.replace(...explain(judged, this.showLine));
    messages.note(t(trial.solution ? "status.exercise-solved" : "status.exercise-wrong", { move: say(judged.name) }));
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
    this.trial = null;
    this.session.keepTrial(null);
    this.messages.replace();
    await this.refresh(this.session.at);
  }
}
