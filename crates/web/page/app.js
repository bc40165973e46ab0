// The page: plays a game at a table. It knows no rules of chess; the engine tells what is legal and how it is called.
import { Board, cellsOf } from "./board.js";
import { Clock, readable } from "./clock.js";
import * as dialogs from "./dialogs.js";
import { button, decimal, html, pieceName, say, sign, signed, t, unbroken } from "./dom.js";
import { Editor } from "./editor.js";
import * as engine from "./engine.js";
import { beginningOf, draw, exerciseOf, makeGame, makeOpened, mistakesOf, opponentName, other, rulesOf, setMoves, tagsOf, takeBack, textOf, wonBy } from "./game.js";
import { applySettings, language, pieces, words } from "./look.js";
import { material } from "./material.js";
import { Review, explain, lineOf } from "./review.js";
import { hear } from "./sound.js";
import * as store from "./store.js";
import { Thinker } from "./thinker.js";

class App {
  constructor(root) {
    this.root = root;
    this.state = store.read();
    /** Counts the changes of the game, so that a late answer is known as one. */
    this.version = 0;
    this.thinker = new Thinker();
    /** The opponent's move: under way, or the last one. */
    this.answering = null;
    /** The answer to *Why?*: under way, or the last one. */
    this.judging = null;
    this.view = null;
    this.at = 0;
    this.preview = null;
    this.trial = null;
    this.hints = 0;
    /** The premove: the person's move while the opponent thinks. */
    this.ahead = null;
    this.board = new Board((uci) => this.run(() => this.personMoves(uci)), (ahead) => this.moveAhead(ahead));
    this.clock = new Clock(() => this.showClocks(), (colour) => this.run(() => this.flagFalls(colour)));
    this.editor = new Editor((fen, rules) => this.viewOf(textOf(rules, fen)));
    this.review = new Review({
      go: (ply) => this.go(ply), showLine: (steps, at) => this.showLine(steps, at),
      tryAgain: (ply) => this.run(() => this.tryAgain(ply)),
    });
  }

  async start() {
    const { settings } = this.state;
    settings.lang ??= language();
    applySettings(settings);
    await Promise.all([pieces(), engine.load()]);
    this.words = await words(settings);
    const usual = () => makeGame({});
    this.state.game ??= await usual();
    this.build();
    store.onOther(() => { this.isElsewhere = true; this.clock.run(null); this.thinker.stop(); this.say(t("status.elsewhere")); this.show(); });
    window.addEventListener("pagehide", () => { if (!this.isElsewhere) this.keep(); });
    document.addEventListener("keydown", (event) => this.key(event));
    await this.open().catch(async (fault) => {
      // A game that cannot be shown must not close the page for ever.
      this.state.game = await usual();
      await this.open();
      this.say(t("status.fault", { error: fault.message }));
    });
  }

  /** Runs an action, and tells what went wrong. */
  async run(action) {
    try {
      await action();
    } catch (fault) {
      if (fault.isStopped) return;
      if (fault.isGone) this.note(fault.message);
      else this.say(t("status.fault", { error: fault.message }));
      this.show();
    }
  }

  // The page.

  build() {
    this.drawn = null;
    const main = (key, action) => button(key, () => this.run(action), { id: key });
    const header = html("header", {}, html("h1", {}, t("title")), html("nav", {},
      main("menu.new", () => this.newGame()), main("menu.open", () => this.openText()), main("menu.save", () => this.save()),
      main("menu.exercises", () => this.exercise()), main("menu.laboratory", () => this.goToLaboratory()), main("menu.settings", () => this.settings())));
    this.players = { top: html("div", { class: "player" }), bottom: html("div", { class: "player" }) };
    this.level = html("div");
    this.bar = html("div", { class: "bar", role: "img" }, this.level);
    this.walk = html("div", { class: "controls walk" },
      sign("button.first", "|◀", () => this.go(0)), sign("button.previous", "◀", () => this.step(-1)), this.place = html("span", { class: "at" }),
      sign("button.next", "▶", () => this.step(1)), sign("button.last", "▶|", () => this.go(this.view.moves.length)),
      this.slip = sign("button.slip", "?!▶", () => this.go(this.review.nextSlip(this.at) || this.at)),
      sign("button.turn", "⇅", () => { this.board.turn(!this.board.turned); this.show(); }));
    this.actions = html("div", { class: "controls actions" });
    this.pocketTop = html("div");
    this.pocketBottom = html("div");
    const play = html("section", { class: "play" }, this.players.top, this.pocketTop,
      html("div", { class: "table" }, this.bar, this.board.square), this.pocketBottom, this.players.bottom, this.walk);
    this.status = html("p", { class: "status", role: "status", "aria-live": "polite" });
    this.rules = html("p", { class: "rules" });
    this.said = html("div", { class: "said", role: "log", "aria-live": "polite", "aria-label": t("label.said") });
    this.spoken = html("p", { class: "unseen", "aria-live": "assertive" });
    this.evaluation = html("section", { class: "evaluation", "aria-label": t("label.evaluation") });
    this.moves = html("div", { class: "moves", role: "group", "aria-label": t("label.moves") });
    const typed = html("input", { id: "typed", "aria-label": t("field.typed"), placeholder: t("field.typed"), autocomplete: "off", spellcheck: "false", maxlength: 20 });
    const form = html("form", { class: "typed", onsubmit: (event) => { event.preventDefault(); this.run(() => this.type(typed)); } }, typed);
    const notes = html("section", { class: "notes" }, this.status, this.rules, this.spoken, this.actions, this.said, this.evaluation, this.review.element, this.moves, form);
    this.root.replaceChildren(header, html("main", {}, play, notes));
    this.root.setAttribute("aria-busy", "false");
    document.title = t("title");
  }

  /** Begins with the game that is kept. */
  async open() {
    const { game } = this.state;
    this.forgetEvaluation();
    this.board.turn(game.me === "black");
    this.clock.set(game.left, game.clock?.increment ?? 0);
    this.review.show(game.review);
    this.trial = null;
    await this.refresh();
    for (const remark of this.view.remarks) this.say(t("status.remark", { remark }));
    this.show();
  }

  keep() {
    if (this.isElsewhere) return;
    const { game } = this.state;
    this.clock.settle();
    if (this.clock.times) game.left = { ...this.clock.times };
    if (!store.write(this.state)) this.say(t("status.no-store"));
  }

  // The game.

  /** A new game by the fields of the dialog, which may begin here. */
  makeGame(fields) {
    return makeGame(fields.start === "here" ? { ...fields, start: "fen", fen: this.view.fen } : fields);
  }

  name() {
    return opponentName(this.state.game.opponent);
  }

  question(ask, more = {}) {
    return { ask, game: this.state.game.text, lang: this.state.settings.lang, ...more };
  }

  /** Ends the search under way, whose answer no longer counts. */
  async interrupt() {
    this.version += 1;
    this.ahead = null;
    await this.thinker.stop();
  }

  isOver() {
    return Boolean(this.state.game.end ?? this.view.end);
  }

  end() {
    const { end } = this.state.game;
    return end ? { result: end.result, reason: t(end.reason) } : this.view.end;
  }

  /** True if a person may move now. */
  isMine() {
    const { me } = this.state.game;
    return me === "both" || (this.view.turn === me && !this.isOver());
  }

  /** Asks for the position and goes on with the game. */
  async refresh() {
    this.version += 1;
    const { version } = this;
    this.view = await engine.ask(this.question("view"));
    if (version !== this.version) return;
    this.at = this.view.moves.length;
    this.preview = null;
    this.here = null;
    this.hints = 0;
    // A move that was spoken belongs to the position before.
    this.spoken.textContent = "";
    this.keep();
    this.show();
    this.goOn();
  }

  /** Lets the clock run, and the opponent or the adviser think. */
  goOn() {
    if (this.isElsewhere || this.trial) return;
    const { game } = this.state;
    if (this.isOver()) {
      this.clock.run(null);
      if (game.opponent.kind === "auto" && !game.rated && game.me !== "both") return this.run(() => this.remember());
    }
    // The first move is free: a page may be opened and left.
    if (!this.isOver() && this.view.moves.length > 1 && game.me !== "both") this.clock.run(this.view.turn);
    if (game.me !== "both" && !this.isOver() && this.view.turn !== game.me) this.answering = this.run(() => this.opponentMoves());
    else this.run(() => this.evaluate());
  }

  async opponentMoves() {
    const { game } = this.state;
    const { version } = this;
    this.clock.settle();
    const clock = this.clock.times && { white: Math.round(this.clock.times.white), black: Math.round(this.clock.times.black), increment: this.clock.increment };
    if (game.opponent.kind === "auto") await this.adapt();
    if (version !== this.version) return;
    const opponent = game.opponent.kind === "auto" ? { kind: "elo", elo: game.opponent.elo } : game.opponent;
    const answer = await this.thinker.think(this.question("play", { opponent, seed: game.seed, clock }));
    if (version !== this.version || this.isOver()) return;
    this.clock.press(other(game.me));
    game.text.moves.push(answer.uci);
    await this.refresh();
    const move = this.view.moves.at(-1);
    if (move) this.spoken.textContent = move.said;
    this.hear();
    if (this.state.settings.thoughts) this.say(answer.thought);
    if (this.ahead) await this.playAhead();
  }

  /** Keeps a premove; null takes it back. */
  moveAhead(ahead) {
    this.ahead = ahead;
    if (ahead) this.note(t("status.ahead", { from: ahead.from ?? pieceName(ahead.drop), to: ahead.to }));
    else this.noted = null;
    this.show();
  }

  /** Plays the premove, if it is legal now. */
  async playAhead() {
    const meant = this.isMine() ? this.board.meantBy(this.ahead, this.view.legal) : null;
    this.ahead = null;
    if (meant) return this.personMoves(meant.uci);
    this.note(t("status.ahead-illegal"));
    this.show();
  }

  /** True if the person waits for the opponent and may premove. */
  isEarly() {
    const { me } = this.state.game;
    return me !== "both" && this.view.turn !== me && !this.isOver() && !this.isElsewhere;
  }

  /** Follows the strength of the person: by the last move, and at the end by the result. */
  async adapt(result = null) {
    const { game, settings } = this.state;
    const { rules } = game.text;
    const { version } = this;
    const ply = game.text.moves.length;
    game.seen = (game.seen ?? []).filter((seen) => seen.ply <= ply);
    const last = game.seen.at(-1);
    // Who was helped, or has not moved yet, has shown nothing.
    const skip = last?.ply === ply || this.view.turn === game.me || !ply || game.helped === ply;
    const answer = await this.thinker.think(this.question("estimate", { known: settings.ratings[rules] ?? settings.ratings.earlier, evidence: last?.evidence, skip, result }));
    if (version !== this.version) return;
    if (!result) game.seen.push({ ply, evidence: answer.evidence });
    else if (answer.known) settings.ratings = { ...settings.ratings, [rules]: answer.known };
    game.opponent.elo = answer.elo;
    this.keep();
  }

  /** Remembers what a finished game has told of the person. */
  async remember() {
    const { game } = this.state;
    const { result } = this.end();
    const points = result === "1/2-1/2" ? 0.5 : Number(result === (game.me === "white" ? "1-0" : "0-1"));
    const moves = this.view.boards.slice(0, -1).filter(({ turn }) => turn === game.me).length;
    if (game.seen?.length) await this.adapt([points, game.opponent.elo, moves]);
    game.rated = true;
    this.keep();
    this.show();
    this.goOn();
  }

  async personMoves(uci) {
    if (this.trial) return this.judgeTrial(uci);
    const { game } = this.state;
    const text = { ...game.text, moves: [...game.text.moves.slice(0, this.at), uci] };
    if (this.state.settings.warn && game.me !== "both") {
      const { version } = this;
      const isBlunder = await this.isBlunder(text);
      // Meanwhile the move before was taken back, or the flag fell.
      if (version !== this.version || this.isOver()) return;
      if (isBlunder) return this.show();
    }
    this.said.replaceChildren();
    if (this.hints) game.helped = text.moves.length;
    this.clock.press(game.me);
    setMoves(game, text);
    if (game.me === "both") this.review.show(null);
    await this.interrupt();
    await this.refresh();
    if (game.me === "both") this.spoken.textContent = this.view.moves.at(-1).said;
    this.hear();
  }

  /** Lets the last move be heard, if a person wants that. */
  hear() {
    const move = this.view.moves.at(-1);
    if (this.state.settings.sounds && move) hear(move.san);
  }

  /** True if a move is a blunder, and the person does not want it all the same. */
  async isBlunder(text) {
    const { version } = this;
    this.note(t("status.judging"));
    const judged = await this.thinker.think({ ...this.question("why", { quick: true }), game: text });
    this.noted = null;
    if (version !== this.version || judged.judgement !== "blunder") return false;
    return !(await dialogs.confirm(t("ask.blunder", { move: say(judged.san) })));
  }

  async type(input) {
    if (!input.value.trim() || !(this.trial || this.isMine())) return;
    // In a game against the engine a move is meant for the position of the game, whichever is shown.
    if (!this.trial && this.state.game.me !== "both") this.go(this.view.moves.length);
    const { version } = this;
    const text = this.trial ? this.trial.text : this.hereText();
    const read = (move) => engine.ask({ ask: "typed", game: text, text: move, lang: this.state.settings.lang });
    const { uci, mustTake } = await read(input.value);
    // What is illegal as it stands may be a promotion that does not say to what.
    const promotion = uci ? null : await read(`${input.value.trim().replace(/[=+#!?]+$/, "")}=Q`);
    if (version !== this.version) return;
    if (!uci && !promotion.uci) return this.note(t(mustTake ? "status.must-take" : "status.illegal"));
    input.value = "";
    if (uci) return this.personMoves(uci);
    this.noted = this.preview = null;
    this.show();
    this.board.promote(promotion.uci);
  }

  async takeBack() {
    const { game } = this.state;
    const count = game.me !== "both" && this.view.turn === game.me ? 2 : 1;
    if (game.text.moves.length < count) return;
    await this.interrupt();
    takeBack(game, count);
    this.review.show(null);
    this.said.replaceChildren();
    await this.refresh();
  }

  async hint() {
    const { version } = this;
    if (!this.hinted || this.hinted.version !== version) {
      const answer = await this.thinker.think(this.question("hint"));
      this.hinted = { version, answer };
    }
    if (version !== this.version) return;
    const { answer } = this.hinted;
    this.hints += 1;
    const duty = answer.mustTake ? ` ${t("status.hint-must-take")}` : "";
    if (this.hints > 1) this.note(t("status.hint-move", { move: say(answer.san), score: signed(answer.score ?? "") }) + duty);
    else this.note((answer.drop ? t("status.hint-drop") : t("status.hint-piece", { square: answer.squares[0] })) + duty);
    this.show();
    this.goOn();
  }

  hintArrows() {
    if (!this.hints || this.hinted?.version !== this.version || this.at !== this.view.moves.length) return [];
    const { squares, drop } = this.hinted.answer;
    if (this.hints > 1) return [[squares[0], squares.at(-1), "better"]];
    return drop ? [] : [[squares[0], null, "better"]];
  }

  /** Judges the person's last move up to the position that is shown. What is played meanwhile does not change the answer. */
  async why() {
    const { game } = this.state;
    let ply = this.at;
    while (ply > 0 && game.me !== "both" && this.view.boards[ply - 1].turn !== game.me) ply -= 1;
    if (!ply) return;
    const text = beginningOf(game.text, ply);
    const isThere = () => !this.trial && this.state.game === game && text.moves.every((uci, i) => uci === game.text.moves[i]);
    this.note(t("status.judging"));
    await this.opponentHasMoved();
    if (!isThere()) return;
    const { version } = this;
    this.note(t("status.judging"));
    this.judging = this.thinker.think({ ...this.question("why"), game: text });
    const judged = await this.judging;
    this.noted = null;
    if (!isThere()) return;
    this.told(judged);
    this.show();
    // Whatever has changed the game meanwhile goes on with it.
    if (version === this.version) this.goOn();
  }

  /** Waits until the opponent has moved: a question would end its search, so that it moves at once and worse. */
  async opponentHasMoved() {
    for (let seen = null; seen !== this.answering;) {
      seen = this.answering;
      await seen;
    }
  }

  /** Shows the verdict on a move. */
  told(judged) {
    this.said.replaceChildren(...explain(judged, (steps, at) => this.showLine(steps, at)));
  }

  async offerDraw() {
    const { version } = this;
    const { agreed } = await this.thinker.think(this.question("draw"));
    if (version !== this.version) return;
    if (agreed) return this.finish("1/2-1/2", "end.agreement");
    this.note(t("status.no-draw"));
    this.goOn();
  }

  async resign() {
    if (!(await dialogs.confirm(t("ask.resign"))) || this.isOver()) return;
    await this.interrupt();
    await this.finish(wonBy(other(this.state.game.me)), "end.resignation");
  }

  async flagFalls(colour) {
    await this.interrupt();
    const winner = other(colour);
    await this.finish(this.view.canWin[winner === "white" ? 0 : 1] ? wonBy(winner) : "1/2-1/2", "end.time");
  }

  async finish(result, reason) {
    this.state.game.end = { result, reason };
    await this.refresh();
  }

  // Evaluation and review.

  /** Evaluates the position that is shown, more deeply step by step. */
  async evaluate() {
    const { version, at } = this;
    if (!this.state.settings.bar || this.trial) return this.showEvaluation(null);
    const { game } = this.state;
    const text = beginningOf(game.text, at);
    for (const nodes of engine.DEEPER.slice(0, game.me === "both" || this.isOver() ? undefined : 2)) {
      // What a person has asked goes first.
      await this.judging?.catch(() => {});
      const number = this.thinker.count + 1;
      const answer = await this.thinker.think({ ...this.question("evaluate"), game: text, nodes });
      if (number !== this.thinker.count || version !== this.version || at !== this.at || this.trial) return;
      this.showEvaluation(answer);
      // The game is over there.
      if (!answer.score) return;
    }
  }

  /** Takes away what another game has left. The bar keeps its place, so that the board keeps its own. */
  forgetEvaluation() {
    this.evaluation.hidden = true;
    this.bar.hidden = !this.state.settings.bar;
    this.level.style.height = "50%";
    this.bar.setAttribute("aria-label", t("page.chance"));
  }

  showEvaluation(answer) {
    this.bar.hidden = this.evaluation.hidden = !answer;
    if (!answer) return;
    this.level.style.height = `${answer.chance}%`;
    this.bar.setAttribute("aria-label", `${t("page.chance")}: ${decimal(answer.chance)} %`);
    const most = Math.max(150, ...answer.terms.map(({ lead }) => Math.abs(lead)));
    const bands = answer.terms.flatMap(({ name, lead }) => {
      const fill = html("div", { class: lead > 0 ? "for-white" : "for-black" });
      const width = (Math.abs(lead) / most) * 50;
      Object.assign(fill.style, { width: `${width}%`, left: `${lead > 0 ? 50 : 50 - width}%` });
      return [html("span", { class: "label" }, name), html("div", { class: "band", "aria-hidden": "true" }, fill), html("span", { class: "number" }, signed((lead / 100).toFixed(2)))];
    });
    const steps = answer.line.map(({ name, squares }) => ({ name, squares }));
    const isPlaying = this.state.game.me !== "both" && !this.isOver();
    const isOpen = this.evaluation.querySelector("details")?.open ?? false;
    // A game that is over has no depth, and nobody is better.
    const depth = answer.score ? [html("p", {}, html("b", {}, signed(answer.score)), ` ${t("status.depth", { depth: answer.depth })}`)] : [];
    const sentences = answer.score ? [html("details", { open: isOpen }, html("summary", {}, t("label.words")), ...answer.sentences.map((sentence) => html("p", {}, sentence)))] : [];
    // In a game the best line would give the move away.
    const line = isPlaying || !steps.length ? [] : [this.lineFromHere(answer.line)];
    this.evaluation.replaceChildren(
      ...depth, ...line,
      html("div", { class: "bands" }, ...bands), ...sentences);
  }

  /** The best line, whose positions are asked for when they are wanted. */
  lineFromHere(line) {
    const { at } = this;
    const show = async (steps, index) => {
      const moves = [...this.state.game.text.moves.slice(0, at), ...line.slice(0, index + 1).map(({ uci }) => uci)];
      const view = await engine.ask({ ...this.question("view"), game: { ...this.state.game.text, moves } });
      this.preview = { board: view.boards.at(-1), squares: view.moves.at(-1).squares, name: steps[index].name };
      this.show();
    };
    return lineOf(t("label.line"), line, (steps, index) => this.run(() => show(steps, index)));
  }

  async makeReview() {
    const { game } = this.state;
    const { version } = this;
    this.isReviewing = true;
    this.show();
    try {
      for (;;) {
        const part = await this.thinker.think(this.question("review"));
        if (version !== this.version || !this.isReviewing) return;
        if (part.review) {
          game.review = part.review;
          break;
        }
        this.note(part.done === part.all ? t("status.judging-moves", { done: part.judged, all: part.moves }) : t("status.reviewing", { done: part.done, all: part.all }));
      }
    } finally {
      this.isReviewing = false;
      this.show();
    }
    this.noted = null;
    this.addExercises();
    this.keep();
    this.review.show(game.review);
    this.go(this.review.nextSlip(0) || 0);
  }

  /** The person's mistakes become exercises. */
  addExercises() {
    const { exercises } = this.state;
    const keys = new Set(exercises.map(({ text }) => JSON.stringify(text)));
    exercises.push(...mistakesOf(this.state.game, this.view.boards).filter(({ text }) => !keys.has(JSON.stringify(text))));
  }

  // Trying again.

  async tryAgain(ply) {
    await this.beginTrial(exerciseOf(this.state.game, ply));
  }

  async exercise() {
    const { exercises } = this.state;
    const open = exercises.filter((exercise) => !exercise.solved);
    const from = open.length ? open : exercises;
    if (!from.length) return this.note(t("status.no-exercises"));
    const others = from.filter((exercise) => exercise !== this.trial?.exercise);
    const list = others.length ? others : from;
    const exercise = list[draw(list.length)];
    await this.beginTrial({ ...exercise, exercise });
  }

  async beginTrial(trial) {
    await this.interrupt();
    this.clock.run(null);
    const view = await engine.ask({ ...this.question("view"), game: trial.text });
    this.trial = { ...trial, view, turned: this.trial?.turned ?? this.board.turned };
    this.preview = null;
    this.board.turn(view.turn === "black");
    this.said.replaceChildren();
    this.spoken.textContent = "";
    this.show();
  }

  async judgeTrial(uci) {
    const { trial } = this;
    this.note(t("status.judging"));
    const text = { ...trial.text, moves: [...trial.text.moves, uci] };
    const judged = await this.thinker.think({ ...this.question("why"), game: text });
    if (trial !== this.trial) return;
    trial.isSolved = !judged.judgement;
    if (trial.isSolved) trial.view = await engine.ask({ ...this.question("view"), game: text });
    if (trial.isSolved && trial.exercise) { trial.exercise.solved = true; this.keep(); }
    this.told(judged);
    this.note(t(trial.isSolved ? "status.exercise-solved" : "status.exercise-wrong", { move: say(judged.name) }));
    this.show();
  }

  giveUp() {
    const { best, reason } = this.trial;
    this.noted = null;
    this.show();
    this.said.replaceChildren(html("p", {}, t("status.best", { move: say(best) })), html("p", {}, reason ?? ""));
  }

  async endTrial() {
    this.board.turn(this.trial.turned);
    this.trial = null;
    this.said.replaceChildren();
    await this.refresh();
  }

  // The menu.

  async newGame() {
    const { choice } = this.state.game;
    const make = async (fields) => {
      const made = await this.makeGame({ elo: choice?.elo ?? 800, ...fields });
      await this.viewOf(made.text);
      return made;
    };
    const game = await dialogs.newGame(choice ?? {}, this.words, make, (field, rules) => this.run(() => this.setUp(field, rules)));
    if (game) await this.change(game);
  }

  /** The view of a game, if its position is possible. */
  viewOf(text) {
    return engine.ask({ ...this.question("view"), game: text }).catch((fault) => {
      throw fault.isGone ? fault : new Error(t("import.position", { fault: fault.message }));
    });
  }

  /** Sets up the position of a field by hand. An empty field begins with the position on the board, if it has these rules. */
  async setUp(field, rules) {
    const here = rulesOf(this.view, this.state.game.text) === rules ? this.view.fen : "";
    field.value = (await this.editor.open(field.value || here, rules)) ?? field.value;
  }

  /** Begins another game, if the engine can play it. */
  async change(game) {
    await engine.ask({ ...this.question("view"), game: game.text });
    await this.interrupt();
    this.isReviewing = false;
    this.state.game = game;
    this.said.replaceChildren();
    await this.open();
  }

  async openText() {
    const { lang } = this.state.settings;
    const found = await dialogs.openText(this.words.rules, (text, rules) => engine.ask({ ask: "read", text, rules, lang }));
    if (!found) return;
    await this.change(await makeOpened(found, this.state.game));
    for (const remark of found.notes) this.say(t("status.remark", { remark }));
  }

  async save() {
    const result = this.end()?.result ?? this.state.game.result ?? "*";
    const pgn = await engine.ask(this.question("write", { tags: tagsOf(this.state.game), result }));
    const isWanted = await dialogs.save(pgn, this.view.fen, () => this.note(t("status.copied")));
    if (isWanted) store.download("game.pgn", "application/x-chess-pgn", pgn);
  }

  /** Leaves for the laboratory with the position that is shown. The game waits in the browser's storage. */
  async goToLaboratory() {
    await this.interrupt();
    this.keep();
    location.assign(`laboratory.html?at=${this.at}`);
  }

  async settings() {
    const answer = await dialogs.settings(this.state.settings, this.words.version);
    if (!answer) return;
    Object.assign(this.state.settings, answer.chosen);
    if (answer.button === "forget") this.state.settings.ratings = {};
    if (answer.button === "export") store.download("ajedrecista.json", "application/json", JSON.stringify(this.state));
    if (answer.button === "import") {
      const text = await dialogs.chooseFile();
      const kept = text ? store.parse(text) : null;
      if (kept?.game) this.state = kept;
      else if (text) return this.note(t("import.no-backup"));
    }
    await this.interrupt();
    applySettings(this.state.settings);
    this.words = await words(this.state.settings);
    this.build();
    await this.open();
  }

  // Showing.

  /** A short message in place of the last one. */
  note(text) {
    this.noted = { text, version: this.version };
    this.status.replaceChildren(...unbroken(text));
  }

  /** Puts a text into the line of the status; the same one again would be heard twice. */
  tell(text) {
    if (this.status.textContent !== text) this.status.replaceChildren(...unbroken(text));
  }

  /** A message that stays until the next move. */
  say(text) {
    this.said?.append(html("p", {}, text));
  }

  go(ply) {
    if (this.trial) return;
    this.at = Math.min(this.view.moves.length, Math.max(0, ply));
    this.preview = null;
    this.here = null;
    this.show();
    if (this.state.game.me === "both" || this.isOver()) this.run(() => this.lookHere());
  }

  step(by) {
    if (this.preview) { this.preview = null; return this.show(); }
    this.go(this.at + by);
  }

  hereText() {
    return beginningOf(this.state.game.text, this.at);
  }

  /** What is legal in an earlier position of an analysis, and its evaluation. */
  async lookHere() {
    const { at, version } = this;
    if (this.state.game.me === "both" && at < this.view.moves.length) {
      const here = await engine.ask({ ...this.question("view"), game: this.hereText() });
      if (at !== this.at || version !== this.version) return;
      this.here = here;
      this.show();
    }
    await this.evaluate();
  }

  showLine(steps, at) {
    const step = steps[at];
    this.preview = { board: { cells: cellsOf(step.fen), check: null, pockets: null, checks: null }, squares: step.squares, name: step.name };
    this.show();
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea, dialog, .choice")) return;
    const actions = {
      ArrowLeft: () => this.step(-1), ArrowRight: () => this.step(1), Home: () => this.go(0), End: () => this.go(this.view.moves.length),
      Escape: () => { if (this.preview) this.step(0); }, f: () => { this.board.turn(!this.board.turned); this.show(); },
    };
    const action = actions[event.key];
    if (!action || !this.view) return;
    event.preventDefault();
    action();
  }

  /** Draws everything. */
  show() {
    if (!this.view) return;
    const { trial, view, at, preview } = this;
    const { settings, game } = this.state;
    const isNow = at === view.moves.length;
    let shown;
    if (preview) shown = { board: preview.board, squares: preview.squares };
    else if (trial) shown = { board: trial.view.boards.at(-1), squares: trial.view.moves.at(-1)?.squares, legal: trial.isSolved ? [] : trial.view.legal };
    else {
      const legal = isNow ? (this.isMine() ? view.legal : []) : this.here?.legal ?? [];
      shown = { board: view.boards[at], squares: view.moves[at - 1]?.squares, legal: this.isElsewhere ? [] : legal,
        early: isNow && this.isEarly() ? game.me : null, ahead: isNow ? this.ahead : null, arrows: [...this.review.arrows(at), ...this.hintArrows()] };
    }
    this.board.show({ ...shown, coordinates: settings.coordinates });
    const name = preview?.name ?? view.moves[at - 1]?.name;
    this.place.replaceChildren(...unbroken(name ? say(name) : t("field.start")));
    this.slip.hidden = !game.review;
    // Nothing may give the answer of an exercise away.
    this.walk.hidden = this.moves.hidden = Boolean(trial);
    this.review.element.hidden = Boolean(trial) || !game.review;
    this.bar.classList.toggle("turned", this.board.turned);
    if (!settings.bar || trial) this.bar.hidden = this.evaluation.hidden = true;
    this.showStatus();
    this.showRules();
    this.showPlayers(shown.board);
    this.showActions();
    this.showMoves();
    this.review.at(at);
  }

  showStatus() {
    const { view, trial, noted } = this;
    const { game } = this.state;
    let text;
    if (noted && noted.version === this.version) return void this.tell(noted.text);
    if (trial) text = t("status.exercise", { name: say(trial.name) });
    else if (this.isOver()) text = t("status.over", this.end());
    else if (game.me === "both") {
      text = t(`status.analysis-${view.turn}`);
      if (game.result) text += ` ${t("status.result", { result: game.result })}`;
    }
    else if (view.turn === game.me) text = t("status.turn");
    else text = t("status.thinks");
    if (!trial && view.boards.at(-1).check && !this.isOver()) text = `${t("status.check")} ${text}`;
    this.tell(text);
  }

  /** Names the rules, where they are not those of chess. */
  showRules() {
    const { view, text } = this.trial ?? { view: this.view, text: this.state.game.text };
    const name = rulesOf(view, text);
    this.rules.hidden = name === "chess";
    this.rules.textContent = `${t("field.rules")}: ${t(`rules.${name}`)}`;
  }

  showPlayers(board) {
    const { game } = this.state;
    const tag = (name) => game.tags.find(([known, value]) => known === name && value !== "?")?.[1];
    const names = game.me === "both" ? { white: tag("White") ?? t("white"), black: tag("Black") ?? t("black") } : { [game.me]: t("you"), [other(game.me)]: this.name() };
    const { boards, values } = (this.trial ?? this).view;
    const bottom = this.board.turned ? "black" : "white";
    for (const [place, colour] of [["top", other(bottom)], ["bottom", bottom]]) {
      const checks = board.checks?.[colour === "white" ? 0 : 1];
      const parts = [html("span", { class: `disc ${colour}`, "aria-hidden": "true" }), html("span", { class: "name" }, names[colour])];
      // Where there are pockets, they have what is captured.
      const lead = boards[0].pockets ? null : material(colour, board.cells, boards[0].cells, values);
      if (lead) parts.push(lead);
      if (checks !== undefined) parts.push(html("span", { class: "checks" }, t("label.checks", { count: checks })));
      parts.push(html("span", { class: "clock", "data-clock": colour }));
      this.players[place].replaceChildren(...parts);
      this[place === "top" ? "pocketTop" : "pocketBottom"].replaceChildren(this.board.pockets[colour]);
    }
    this.showClocks();
  }

  showClocks() {
    for (const clock of this.root.querySelectorAll("[data-clock]")) {
      const time = this.clock.times?.[clock.dataset.clock];
      clock.hidden = time === undefined;
      if (time === undefined) continue;
      clock.textContent = readable(time);
      clock.classList.toggle("runs", this.clock.running === clock.dataset.clock);
      clock.classList.toggle("short", time < 20_000);
    }
  }

  showActions() {
    const { game } = this.state;
    const isOver = this.isOver();
    const isPlaying = game.me !== "both" && !isOver;
    const action = (key, act, isOn = true) => (isOn ? button(key, () => this.run(act), { "data-action": key.split(".")[1] }) : null);
    const parts = this.trial
      ? [action("button.give-up", () => this.giveUp(), !this.trial.isSolved), action("button.next-exercise", () => this.exercise(), Boolean(this.trial.exercise)), action("button.close", () => this.endTrial())]
      : this.isReviewing
        ? [action("button.stop", () => { this.isReviewing = false; return this.thinker.stop(); })]
        : [
          action("button.back", () => this.takeBack(), this.view.moves.length > 0),
          action("button.hint", () => this.hint(), this.isMine() && !isOver && this.at === this.view.moves.length),
          action("button.why", () => this.why(), this.view.moves.length > 0),
          action("button.draw", () => this.offerDraw(), isPlaying && this.view.turn === game.me && this.view.moves.length > 0),
          action("button.resign", () => this.resign(), isPlaying && this.view.moves.length > 0),
          action("button.review", () => this.makeReview(), !isPlaying && this.view.moves.length > 0 && !game.review),
        ];
    const buttons = parts.filter(Boolean);
    // What is there already stays: a click on a button that is replaced meanwhile is lost.
    const names = (list) => [...list].map((one) => one.textContent).join();
    if (names(buttons) !== names(this.actions.children)) this.actions.replaceChildren(...buttons);
  }

  showMoves() {
    const { view, at } = this;
    const { review } = this.state.game;
    const look = [at, Boolean(this.preview), Boolean(review), this.state.settings.lang].join();
    if (this.drawn?.view === view && this.drawn.look === look) return;
    this.drawn = { view, look };
    const parts = view.moves.flatMap((move, i) => {
      const mark = review?.moves[i]?.mark ?? "";
      const number = move.name.slice(0, move.name.length - move.san.length);
      const isLit = i + 1 === at && !this.preview;
      const one = html("button", { type: "button", class: isLit ? "lit" : undefined, "aria-current": isLit ? "step" : undefined, onclick: () => this.go(i + 1) }, `${say(move.san)}${mark}`);
      return number.endsWith("...") && i > 0 ? [one] : [html("span", { class: "numbered" }, html("span", { class: "number" }, number), one)];
    });
    const opening = view.opening ? [html("p", { class: "opening" }, view.opening)] : [];
    this.moves.replaceChildren(...opening, ...parts);
    const lit = this.moves.querySelector(".lit");
    if (lit && this.moves.scrollHeight > this.moves.clientHeight) this.moves.scrollTop = lit.offsetTop - this.moves.offsetTop - this.moves.clientHeight / 2;
  }
}

const app = new App(document.getElementById("app"));
app.start().catch((fault) => {
  // Before the first words there is no language yet.
  document.getElementById("app").textContent = `${fault.message} · ${navigator.onLine ? "" : "offline"}`;
});
globalThis.app = app;
