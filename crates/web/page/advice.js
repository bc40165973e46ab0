// What the engine advises when it is asked: hints, why a move was a mistake, and a warning before a blunder.
import * as dialogs from "./dialogs.js";
import { say, signed, t } from "./dom.js";
import { beginningOf } from "./game.js";
import { explain } from "./review.js";

export class Advice {
  /** @param {import("./app.js").App} app */
  constructor({ session, thinker, messages, trials, flow: { show, goOn, showLine, opponentHasMoved } }) {
    this.session = session;
    this.thinker = thinker;
    this.messages = messages;
    this.trials = trials;
    this.show = show;
    this.goOn = goOn;
    this.showLine = showLine;
    this.opponentHasMoved = opponentHasMoved;
    /** How many hints were given in this position: first the piece, then the move. */
    this.hints = 0;
    /** The last hint, and the version of the game that it belongs to. */
    this.hinted = null;
    /** The answer to *Why?*: under way, or the last one. */
    this.judging = null;
  }

  /** Another position comes without hints. */
  forget() {
    this.hints = 0;
  }

  async hint() {
    const { session, messages } = this;
    const { version } = session;
    if (this.hinted?.version !== version) {
      const answer = await this.thinker.think(session.question("hint"));
      this.hinted = { version, answer };
    }
    if (version !== session.version) return;
    const { answer } = this.hinted;
    this.hints += 1;
    const duty = answer.mustTake ? ` ${t("status.hint-must-take")}` : "";
    if (this.hints > 1) messages.note(t("status.hint-move", { move: say(answer.san), score: signed(answer.score ?? "") }) + duty);
    else messages.note((answer.drop ? t("status.hint-drop") : t("status.hint-piece", { square: answer.squares[0] })) + duty);
    this.show();
    this.goOn();
  }

  /** The hint on the board. */
  arrows() {
    const { session } = this;
    if (!this.hints || this.hinted?.version !== session.version || !session.isNow()) return [];
    const { squares, drop } = this.hinted.answer;
    if (this.hints > 1) return [[squares[0], squares.at(-1), "better"]];
    return drop ? [] : [[squares[0], null, "better"]];
  }

  /** Judges the person's last move up to the position that is shown. What is played meanwhile does not change the answer. */
  async why() {
    const { session, messages } = this;
    const { game, view } = session;
    let ply = session.at;
    while (ply > 0 && session.hasOpponent() && view.boards[ply - 1].turn !== game.me) ply -= 1;
    if (!ply) return;
    const text = beginningOf(game.text, ply);
    const isThere = () => !this.trials.trial && session.game === game && text.moves.every((uci, i) => uci === game.text.moves[i]);
    messages.note(t("status.judging"));
    await this.opponentHasMoved();
    if (!isThere()) return;
    const { version } = session;
    messages.note(t("status.judging"));
    this.judging = this.thinker.think(session.question("why", { game: text }));
    const judged = await this.judging;
    messages.forgetNote();
    if (!isThere()) return;
    this.tell(judged);
    this.show();
    // Whatever has changed the game meanwhile goes on with it.
    if (version === session.version) this.goOn();
  }

  /** Tells the verdict on a move. */
  tell(judged) {
    this.messages.replace(...explain(judged, this.showLine));
  }

  /** True if a move is a blunder, and the person does not want it all the same. */
  async isBlunder(text) {
    const { session, messages } = this;
    const { version } = session;
    messages.note(t("status.judging"));
    const judged = await this.thinker.think(session.question("why", { quick: true, game: text }));
    messages.forgetNote();
    if (version !== session.version || judged.judgement !== "blunder") return false;
    return !(await dialogs.confirm(t("ask.blunder", { move: say(judged.san) })));
  }
}
