// The page as a whole: where its parts stand, which buttons there are, and how all of it is drawn.
import { button, html, say, sign, t, unbroken } from "./dom.js";
import { rulesOf } from "./game.js";
import { Moves } from "./moves.js";
import { Players } from "./players.js";
import { markStep } from "./review.js";

export class Frame {
  /**
   * Draws the app into an element. Its buttons are those of the app.
   * @param {HTMLElement} root
   * @param {import("./app.js").App} app
   */
  constructor(root, app) {
    this.root = root;
    this.app = app;
    this.players = new Players(app);
    this.moves = new Moves(app);
  }

  /** Makes the elements, in the language of the page. */
  build() {
    const { players, moves } = this;
    const { messages, evaluation, board, review } = this.app;
    for (const part of [messages, evaluation, players, moves]) part.build();
    /** The game or trial that was drawn last. */
    this.drawn = null;
    this.walk = this.makeWalk();
    this.rules = html("p", { class: "rules" });
    this.actions = html("div", { class: "controls actions" });
    const play = html("section", { class: "play" }, players.top.player, players.top.pocket,
      html("div", { class: "table" }, evaluation.bar, board.square), players.bottom.pocket, players.bottom.player, this.walk);
    const notes = html("section", { class: "notes" }, messages.status, this.rules, messages.spoken, this.actions,
      messages.thinks, messages.said, evaluation.element, review.element, moves.element, this.makeTyped());
    this.root.replaceChildren(this.makeHeader(), html("main", {}, play, notes));
    this.root.setAttribute("aria-busy", "false");
    document.title = t("title");
  }

  makeHeader() {
    const { app } = this;
    const { menu, trials } = app;
    const main = (key, action) => button(key, () => app.run(action), { id: key });
    return html("header", {}, html("h1", {}, t("title")), html("nav", {},
      main("menu.new", () => menu.newGame()), main("menu.open", () => menu.openText()), main("menu.save", () => menu.save()),
      main("menu.exercises", () => trials.exercise()), main("menu.laboratory", () => menu.goToLaboratory()), main("menu.settings", () => menu.changeSettings())));
  }

  /** The signs that go through the game. */
  makeWalk() {
    const { session, navigation, review } = this.app;
    this.place = html("span", { class: "at" });
    this.slip = sign("button.slip", "?!▶", () => navigation.go(review.nextSlip(session.at) || session.at));
    return html("div", { class: "controls walk" },
      sign("button.first", "|◀", () => navigation.go(0)), sign("button.previous", "◀", () => navigation.step(-1)), this.place,
      sign("button.next", "▶", () => navigation.step(1)), sign("button.last", "▶|", () => navigation.go(session.view.moves.length)),
      this.slip, sign("button.turn", "⇅", () => navigation.turnBoard()));
  }

  /** The field for a move that is typed. */
  makeTyped() {
    const { app } = this;
    this.typed = html("input", { id: "typed", "aria-label": t("field.typed"), placeholder: t("field.typed"), autocomplete: "off", spellcheck: "false", maxlength: 20 });
    return html("form", { class: "typed", onsubmit: (event) => { event.preventDefault(); app.run(() => app.type(this.typed)); } }, this.typed);
  }

  /** Draws everything. */
  show() {
    const { session, trials, messages, evaluation, board, review } = this.app;
    const { view, at, preview, settings, game } = session;
    const isTrial = Boolean(trials.trial);
    const shown = this.shown();
    board.show({ ...shown, coordinates: settings.coordinates });
    const name = preview?.name ?? view.moves[at - 1]?.name;
    this.place.replaceChildren(...unbroken(name ? say(name) : t("field.start")));
    this.slip.hidden = !game.review;
    // Nothing may give the answer of an exercise away.
    this.walk.hidden = this.moves.element.hidden = isTrial;
    review.element.hidden = isTrial || !game.review;
    evaluation.turn(board.turned);
    if (!settings.bar || isTrial) evaluation.hide();
    messages.showStatus(this.status());
    // It would tell of a trial what to look at.
    messages.showThought(isTrial ? null : shown.board);
    // A move that is half typed belongs to what was shown before.
    if (this.drawn !== (trials.trial ?? game)) this.typed.value = "";
    this.drawn = trials.trial ?? game;
    this.showRules();
    this.players.show(shown.board);
    this.showActions();
    this.moves.show();
    review.at(at);
    evaluation.mark();
    markStep(this.root, preview?.step);
  }

  /** What the board shows: a position beside the game, a trial, or the game. */
  shown() {
    const { session, trials: { trial }, advice, review, ahead } = this.app;
    const { view, at, preview } = session;
    if (preview) return { board: preview.board, squares: preview.squares };
    if (trial) return { board: trial.view.boards.at(-1), squares: trial.view.moves.at(-1)?.squares, legal: trial.solution ? [] : trial.view.legal };
    const isNow = session.isNow();
    return {
      board: view.boards[at], squares: view.moves[at - 1]?.squares, legal: session.legal(),
      early: isNow && session.isEarly() ? session.game.me : null, ahead: isNow ? ahead : null,
      arrows: [...review.arrows(at), ...advice.arrows()],
    };
  }

  /** The line of the status. */
  status() {
    const { session, trials: { trial } } = this.app;
    const { game, view } = session;
    if (session.preview) return t("status.line");
    if (trial) return t("status.exercise", { name: say(trial.name) });
    if (session.isOver()) return t("status.over", session.end());
    const check = view.boards.at(-1).check ? `${t("status.check")} ` : "";
    if (session.hasOpponent()) return check + t(view.turn === game.me ? "status.turn" : "status.thinks");
    const result = game.result ? ` ${t("status.result", { result: game.result })}` : "";
    return check + t(`status.analysis-${view.turn}`) + result;
  }

  /** Names the rules, where they are not those of chess. */
  showRules() {
    const { view, text } = this.app.trials.subject();
    const name = rulesOf(view, text);
    this.rules.hidden = name === "chess";
    this.rules.textContent = `${t("field.rules")}: ${t(`rules.${name}`)}`;
  }

  showActions() {
    const buttons = this.makeActions().filter(Boolean);
    // What is there already stays: a click on a button that is replaced meanwhile is lost.
    const names = (list) => [...list].map((one) => one.textContent).join();
    if (names(buttons) !== names(this.actions.children)) this.actions.replaceChildren(...buttons);
  }

  /** The buttons of what a person can do now, and null for what would be impossible. */
  makeActions() {
    const { app } = this;
    const { session, trials, advice, reviewer, navigation } = app;
    const { trial } = trials;
    const isPlaying = session.isPlaying();
    const isBegun = session.view.moves.length > 0;
    const isMyTurn = session.isMine() && !session.isOver();
    const action = (key, act, isOn = true) => (isOn ? button(key, () => app.run(act), { "data-action": key.split(".")[1] }) : null);
    const leave = action("button.leave-line", () => navigation.step(0), session.preview !== null);
    if (trial) return [
      action("button.give-up", () => trials.giveUp(), !trial.solution),
      action("button.next-exercise", () => trials.exercise(), Boolean(trial.exercise)),
      action("button.close", () => trials.end()), leave,
    ];
    if (reviewer.isReviewing) return [action("button.stop", () => reviewer.stop())];
    return [
      action("button.back", () => app.takeBack(), isBegun),
      action("button.hint", () => advice.hint(), isMyTurn && session.isNow()),
      action("button.why", () => advice.why(), isBegun),
      action("button.draw", () => app.offerDraw(), isBegun && isPlaying && isMyTurn),
      action("button.resign", () => app.resign(), isBegun && isPlaying),
      action("button.review", () => reviewer.make(), isBegun && !isPlaying && !session.isReviewed()), leave,
    ];
  }
}
