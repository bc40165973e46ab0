// The list of moves: which one is shown, and how a review marks them.
import { html, say, t } from "./dom.js";

export class Moves {
  /** @param {import("./app.js").App} app */
  constructor({ session, flow: { go } }) {
    this.session = session;
    this.go = go;
  }

  /** Makes the element, in the language of the page. */
  build() {
    this.element = html("div", { class: "moves", role: "group", "aria-label": t("label.moves") });
    /** What was drawn last, as drawing a long list takes time. */
    this.drawn = null;
  }

  show() {
    const { element } = this;
    const { view, at, preview, game, settings } = this.session;
    const look = [at, Boolean(preview), Boolean(game.review), settings.lang].join();
    if (this.drawn?.view === view && this.drawn.look === look) return;
    this.drawn = { view, look };
    const opening = view.opening ? [html("p", { class: "opening" }, view.opening)] : [];
    element.replaceChildren(...opening, ...view.moves.flatMap((move, i) => this.move(move, i)));
    const lit = element.querySelector(".lit");
    if (lit && element.scrollHeight > element.clientHeight) element.scrollTop = lit.offsetTop - element.offsetTop - element.clientHeight / 2;
  }

  /** A move as a button, with its number before it where one stands. */
  move({ name, san }, i) {
    const { at, preview, game } = this.session;
    const mark = game.review?.moves[i]?.mark ?? "";
    const number = name.slice(0, name.length - san.length);
    const isLit = i + 1 === at && !preview;
    const one = html("button", { type: "button", class: isLit ? "lit" : undefined, "aria-current": isLit ? "step" : undefined, onclick: () => this.go(i + 1) }, `${say(san)}${mark}`);
    return number.endsWith("...") && i > 0 ? [one] : [html("span", { class: "numbered" }, html("span", { class: "number" }, number), one)];
  }
}
