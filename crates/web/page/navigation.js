// The ways through the moves of a game and the lines beside it, by buttons and by keys.
import { boardOf } from "./board.js";

/** A move of a line with its number. `fen` is the position after it. */
function numbered(name, fen) {
  if (/^\d/.test(name)) return name;
  const [, turn, ...more] = fen.split(" ");
  const number = Number(more.at(-1));
  return turn === "w" ? `${number - 1}...${name}` : `${number}.${name}`;
}

export class Navigation {
  /** @param {import("./app.js").App} app */
  constructor({ session, trials, board, evaluation, flow: { show, run } }) {
    this.session = session;
    this.trials = trials;
    this.board = board;
    this.evaluation = evaluation;
    this.show = show;
    this.run = run;
  }

  /** Shows the position after `ply`. */
  go(ply) {
    if (this.trials.trial) return;
    this.session.show(ply);
    this.show();
    if (!this.session.isPlaying()) this.run(() => this.lookHere());
  }

  /** Goes by so many plies, or back to the game from a line beside it. */
  step(by) {
    const { session } = this;
    if (!session.preview) return this.go(session.at + by);
    session.showGame();
    this.show();
    if (!session.isPlaying()) this.run(() => this.lookHere());
  }

  /** What is legal in an earlier position of an analysis, and its evaluation. */
  async lookHere() {
    const { session } = this;
    if (this.trials.trial) return;
    if (!session.hasOpponent() && !session.isNow()) {
      if (!(await session.refreshHere())) return;
      this.show();
    }
    await this.evaluation.evaluate();
  }

  /** Shows a position of a line beside the game. */
  showLine(steps, at) {
    const { session } = this;
    const step = steps[at];
    const { fen, squares } = step;
    const { rules, chess960 } = this.trials.subject().text;
    session.showBeside({
      board: boardOf(fen), squares, name: numbered(step.name, fen),
      text: { rules, chess960, fen, moves: [] }, step,
    });
    this.show();
    // It may end where no game can begin, such as without a king in atomic: there is no evaluation of that.
    if (!session.isPlaying() && !this.trials.trial) this.evaluation.evaluate().catch(() => {});
  }

  turnBoard() {
    this.board.turn(!this.board.turned);
    this.show();
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea, dialog, .choice")) return;
    const { view, preview } = this.session;
    const actions = {
      ArrowLeft: () => this.step(-1), ArrowRight: () => this.step(1), Home: () => this.go(0), End: () => this.go(view.moves.length),
      Escape: () => { if (preview) this.step(0); }, f: () => this.turnBoard(),
    };
    const action = actions[event.key];
    if (!action || !view) return;
    event.preventDefault();
    action();
  }
}
