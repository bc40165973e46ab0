// The page: plays a game at a table. It knows no rules of chess; the engine tells what is legal and how it is called.
import { Advice } from "./advice.js";
import { Board } from "./board.js";
import { Clock } from "./clock.js";
import * as dialogs from "./dialogs.js";
import { pieceName, t } from "./dom.js";
import * as engine from "./engine.js";
import { Evaluation } from "./evaluation.js";
import { Frame } from "./frame.js";
import { makeGame, other, setMoves, takeBack, wonBy } from "./game.js";
import { applySettings, language, pieces } from "./look.js";
import { Menu } from "./menu.js";
import { Messages } from "./messages.js";
import { Navigation } from "./navigation.js";
import { Review } from "./review.js";
import { Reviewer } from "./reviewer.js";
import { Session } from "./session.js";
import { hear } from "./sound.js";
import * as store from "./store.js";
import { Strength } from "./strength.js";
import { Thinker } from "./thinker.js";
import { Trials } from "./trials.js";

export class App {
  constructor(root) {
    /** The opponent's move: under way, or the last one. */
    this.answering = null;
    /** The premove: the person's move while the opponent thinks. */
    this.ahead = null;
    /** What the parts may ask for. */
    this.flow = {
      show: () => this.show(), run: (action) => this.run(action), keep: () => this.keep(),
      change: (game) => this.change(game), reopen: () => this.reopen(), renew: () => this.renew(), refresh: (ply) => this.refresh(ply), goOn: () => this.goOn(),
      interrupt: () => this.interrupt(), opponentHasMoved: () => this.opponentHasMoved(),
      go: (ply) => this.navigation.go(ply), showLine: (steps, at) => this.navigation.showLine(steps, at),
      tryAgain: (ply) => this.run(() => this.trials.tryAgain(ply)),
    };
    // Each part takes from here what it names, of the parts that are there before it.
    this.session = new Session();
    this.thinker = new Thinker();
    this.messages = new Messages(this);
    this.board = new Board((uci) => this.run(() => this.personMoves(uci)), (ahead) => this.moveAhead(ahead));
    this.clock = new Clock(() => this.frame.players.showClocks(), (colour) => this.run(() => this.flagFalls(colour)));
    this.trials = new Trials(this);
    this.advice = new Advice(this);
    this.evaluation = new Evaluation(this);
    this.navigation = new Navigation(this);
    this.review = new Review(this);
    this.reviewer = new Reviewer(this);
    this.strength = new Strength(this);
    this.menu = new Menu(this);
    this.frame = new Frame(root, this);
  }

  async start() {
    const { session } = this;
    session.set({ lang: session.settings.lang ?? language() });
    applySettings(session.settings);
    await Promise.all([pieces(), engine.load()]);
    await this.menu.loadWords();
    if (!session.game) session.begin(await makeGame({}));
    this.frame.build();
    store.onOther(() => this.leave());
    window.addEventListener("pagehide", () => this.keep());
    document.addEventListener("keydown", (event) => this.navigation.key(event));
    await this.open().catch(async (fault) => {
      // A game that cannot be shown must not close the page for ever.
      session.begin(await makeGame({}));
      await this.open();
      this.messages.say(t("status.fault", { error: fault.message }));
    });
  }

  /** Runs an action, and tells what went wrong. */
  async run(action) {
    try {
      await action();
    } catch (fault) {
      if (fault.isStopped) return;
      if (fault.isGone) this.messages.note(fault.message);
      else this.messages.say(t("status.fault", { error: fault.message }));
      this.show();
    }
  }

  /** Begins with the game that is kept, where it was left, or with the trial in its place. */
  async open() {
    const { game } = this.session;
    this.board.turn(game.me === "black");
    this.clock.set(game.left, game.clock?.increment ?? 0);
    await this.trials.resume();
    await this.present();
  }

  /** Makes the page anew, in other words or with another look. What is on the board stays there. */
  async reopen() {
    this.frame.build();
    await this.present();
  }

  /** Makes the page anew with another game. */
  async renew() {
    this.frame.build();
    await this.open();
  }

  /** Shows the game at its place, and what is known of it. */
  async present() {
    const { session } = this;
    this.evaluation.forget();
    this.review.show(session.game.review);
    await this.refresh(session.game.at);
    for (const remark of session.view.remarks) this.messages.say(t("status.remark", { remark }));
    this.show();
  }

  /** Begins another game, if the engine can play it. */
  async change(game) {
    await this.session.ask(game.text);
    await this.interrupt();
    this.reviewer.forget();
    this.session.begin(game);
    this.messages.replace();
    await this.open();
  }

  keep() {
    const { session, clock } = this;
    if (session.isElsewhere) return;
    clock.settle();
    if (!session.keep(clock.times)) this.messages.say(t("status.no-store"));
  }

  /** Stops here: another tab goes on with the game. */
  leave() {
    this.session.leave();
    this.clock.run(null);
    this.thinker.stop();
    this.messages.say(t("status.elsewhere"));
    this.show();
  }

  // The flow of the game.

  /** Ends the search under way, whose answer no longer counts. */
  async interrupt() {
    this.session.countChange();
    this.ahead = null;
    await this.thinker.stop();
  }

  /** Asks for the position and goes on with the game. Its last position is shown, or the one after `ply`. */
  async refresh(ply = Infinity) {
    if (!(await this.session.refresh(ply))) return;
    this.advice.forget();
    // A move that was spoken belongs to the position before.
    this.messages.speak("");
    this.keep();
    this.show();
    this.goOn();
  }

  /** Lets the clock run, and the opponent or the adviser think. */
  goOn() {
    const { session, clock } = this;
    if (session.isElsewhere || this.trials.trial) return;
    if (session.isOver()) {
      clock.run(null);
      if (this.strength.isNews()) return this.run(() => this.remember());
    }
    // The first move is free: a page may be opened and left.
    if (session.isPlaying() && session.view.moves.length > 1) clock.run(session.view.turn);
    if (session.isOpponents()) this.answering = this.run(() => this.opponentMoves());
    else this.run(() => this.navigation.lookHere());
  }

  /** Remembers what the game has told of the person. */
  async remember() {
    await this.strength.remember();
    this.show();
    this.goOn();
  }

  async opponentMoves() {
    const { session, clock, strength } = this;
    const { game, version } = session;
    clock.settle();
    const times = clock.times && { white: Math.round(clock.times.white), black: Math.round(clock.times.black), increment: clock.increment };
    if (strength.isFollowed()) await strength.adapt();
    if (version !== session.version) return;
    const opponent = strength.isFollowed() ? { kind: "elo", elo: game.opponent.elo } : game.opponent;
    const answer = await this.thinker.think(session.question("play", { opponent, seed: game.seed, clock: times }));
    if (version !== session.version || session.isOver()) return;
    clock.press(other(game.me));
    game.text.moves.push(answer.uci);
    await this.refresh();
    const last = session.view.moves.at(-1);
    if (last) this.messages.speak(last.said);
    this.hear();
    this.messages.tellThought(answer.thought);
    this.show();
    if (this.ahead) await this.playAhead();
  }

  /** Waits until the opponent has moved: a question would end its search, so that it moves at once and worse. */
  async opponentHasMoved() {
    for (let seen = null; seen !== this.answering;) {
      seen = this.answering;
      await seen;
    }
  }

  /** Keeps a premove; null takes it back. */
  moveAhead(ahead) {
    this.ahead = ahead;
    if (ahead) this.messages.note(t("status.ahead", { from: ahead.from ?? pieceName(ahead.drop), to: ahead.to }));
    else this.messages.forgetNote();
    this.show();
  }

  /** Plays the premove, if it is legal now. */
  async playAhead() {
    const meant = this.session.isMine() ? this.board.meantBy(this.ahead, this.session.view.legal) : null;
    this.ahead = null;
    if (meant) return this.personMoves(meant.uci);
    this.messages.note(t("status.ahead-illegal"));
    this.show();
  }

  async personMoves(uci) {
    if (this.trials.trial) return this.trials.judge(uci);
    const { session, messages } = this;
    const { game } = session;
    const hasOpponent = session.hasOpponent();
    const text = { ...game.text, moves: [...session.textHere().moves, uci] };
    if (session.settings.warn && hasOpponent) {
      const { version } = session;
      const isBlunder = await this.advice.isBlunder(text);
      // Meanwhile the move before was taken back, or the flag fell.
      if (version !== session.version || session.isOver()) return;
      if (isBlunder) return this.show();
    }
    messages.replace();
    if (this.advice.hints) game.helped = text.moves.length;
    this.clock.press(game.me);
    setMoves(game, text);
    if (!hasOpponent) this.review.show(null);
    await this.interrupt();
    await this.refresh();
    if (!hasOpponent) messages.speak(session.view.moves.at(-1).said);
    this.hear();
  }

  /** Lets the last move be heard, if a person wants that. */
  hear() {
    const { view, settings } = this.session;
    const last = view.moves.at(-1);
    if (settings.sounds && last) hear(last.san);
  }

  async type(input) {
    const { session } = this;
    const { trial } = this.trials;
    if (!input.value.trim() || !(trial || session.isMine())) return;
    // In a game against the engine a move is meant for the position of the game, whichever is shown.
    if (!trial && session.hasOpponent()) this.navigation.go(session.view.moves.length);
    const { version } = session;
    const text = trial ? trial.text : session.textHere();
    const read = (typed) => engine.ask({ ask: "typed", game: text, text: typed, lang: session.settings.lang });
    const { uci, mustTake } = await read(input.value);
    // What is illegal as it stands may be a promotion that does not say to what.
    const promotion = uci ? null : await read(`${input.value.trim().replace(/[=+#!?]+$/, "")}=Q`);
    if (version !== session.version) return;
    if (!uci && !promotion.uci) return this.messages.note(t(mustTake ? "status.must-take" : "status.illegal"));
    input.value = "";
    if (uci) return this.personMoves(uci);
    this.messages.forgetNote();
    session.showGame();
    this.show();
    this.board.promote(promotion.uci);
  }

  async takeBack() {
    const { session } = this;
    const { game } = session;
    const count = session.hasOpponent() && session.view.turn === game.me ? 2 : 1;
    if (game.text.moves.length < count) return;
    await this.interrupt();
    takeBack(game, count);
    this.review.show(null);
    this.messages.replace();
    await this.refresh();
  }

  // The end of the game.

  async offerDraw() {
    const { session } = this;
    const { version } = session;
    const { agreed } = await this.thinker.think(session.question("draw"));
    if (version !== session.version) return;
    if (agreed) return this.finish("1/2-1/2", "end.agreement");
    this.messages.note(t("status.no-draw"));
    this.goOn();
  }

  async resign() {
    if (!(await dialogs.confirm(t("ask.resign"))) || this.session.isOver()) return;
    await this.interrupt();
    await this.finish(wonBy(other(this.session.game.me)), "end.resignation");
  }

  async flagFalls(colour) {
    await this.interrupt();
    const winner = other(colour);
    const canWin = this.session.view.canWin[winner === "white" ? 0 : 1];
    await this.finish(canWin ? wonBy(winner) : "1/2-1/2", "end.time");
  }

  async finish(result, reason) {
    this.session.game.end = { result, reason };
    await this.refresh();
  }

  /** Draws everything. */
  show() {
    if (this.session.view) this.frame.show();
  }
}

const app = new App(document.getElementById("app"));
app.start().catch((fault) => {
  // Before the first words there is no language yet.
  document.getElementById("app").textContent = `${fault.message} · ${navigator.onLine ? "" : "offline"}`;
});
globalThis.app = app;
