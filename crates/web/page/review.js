// The review of a game: the chance to win as a graph, the moments that decided, and for each mistake why it was one.
import { button, decimal, html, say, signed, svg, t } from "./dom.js";

/** The move of a line that a button shows. */
const STEPS = new WeakMap();

/** Points of the chance to win up to which a move that was not the best one is a good one. */
const GOOD = 3;

/** A picture over the plies of a game on which one clicks. */
function picture(kind, height, label, plies, onGo) {
  const drawn = svg("svg", { class: kind, viewBox: `0 0 1000 ${height}`, preserveAspectRatio: "none", role: "img", "aria-label": label });
  drawn.addEventListener("click", (event) => {
    const { left, width } = drawn.getBoundingClientRect();
    onGo(Math.round(((event.clientX - left) / width) * plies));
  });
  return drawn;
}

export class Review {
  /** @param {import("./app.js").App} app */
  constructor({ session, flow: { go, showLine, tryAgain } }) {
    this.session = session;
    this.go = go;
    this.showLine = showLine;
    this.tryAgain = tryAgain;
    this.element = html("section", { class: "review", hidden: true });
    this.why = html("div", { class: "why" });
  }

  /** Shows the review of a game, or hides it. */
  show(review) {
    this.data = review;
    this.element.hidden = !review;
    this.element.setAttribute("aria-label", t("label.review"));
    if (!review) return;
    /** The ply that is told of. */
    this.told = null;
    this.isRead = this.session.isReviewed();
    this.cursors = [];
    // The numbers hold in every language, the sentences do not.
    const remark = this.isRead ? [] : [html("p", {}, t("review.other-language", { button: t("button.review") }))];
    this.element.replaceChildren(html("h2", {}, t("label.review")), ...remark, this.why, this.graphs(), this.moments(), this.players());
  }

  players() {
    const keys = ["accuracy", "loss", "inaccuracy", "mistake", "blunder"];
    const heads = keys.map((key) => html("th", { scope: "col" }, t(`page.${key}`)));
    const rows = this.data.players.map((player, i) => {
      const values = player.moves ? [`${decimal(player.accuracy)} %`, player.loss, ...player.verdicts] : keys.map(() => "–");
      return html("tr", {}, html("th", { scope: "row" }, t(i ? "black" : "white")), ...values.map((value) => html("td", {}, String(value))));
    });
    return html("table", { class: "players" }, html("tr", {}, html("td", {}), ...heads), ...rows);
  }

  x(ply) {
    return (ply / Math.max(1, this.data.moves.length)) * 1000;
  }

  cursor(height) {
    const line = svg("line", { class: "cursor", y1: 0, y2: height });
    this.cursors.push(line);
    return line;
  }

  graphs() {
    const { moves } = this.data;
    const graph = picture("graph", 100, t("page.graph"), moves.length, this.go);
    const path = moves.map((move, i) => `L${this.x(i + 1)} ${100 - (move?.chance ?? 50)}`).join("");
    graph.append(svg("path", { class: "area", d: `M0 100L0 50${path}L1000 100Z` }), svg("line", { class: "half", x1: 0, x2: 1000, y1: 50, y2: 50 }));
    moves.forEach((move, i) => {
      if (!move?.judgement) return;
      const look = move.judgement === "inaccuracy" ? "moment slight" : "moment";
      graph.append(svg("line", { class: look, x1: this.x(i + 1), x2: this.x(i + 1), y1: 0, y2: 100 }));
    });
    graph.append(this.cursor(100));
    const names = moves.find((move) => move)?.termNames ?? [];
    return html("div", { class: "graphs" }, html("span", { class: "label" }, t("page.chance")), graph, ...names.flatMap((name) => this.band(name)));
  }

  band(name) {
    const { moves } = this.data;
    const label = t(`term.${name.replaceAll(" ", "-")}`);
    const band = picture("band", 40, label, moves.length, this.go);
    const values = moves.map((move) => move?.terms[move.termNames.indexOf(name)] ?? 0);
    const most = Math.max(100, ...values.map(Math.abs));
    const width = 1000 / Math.max(1, values.length);
    values.forEach((value, i) => {
      const height = (Math.abs(value) / most) * 19;
      if (height > 0.2) band.append(svg("rect", { class: value > 0 ? "for-white" : "for-black", x: i * width, y: value > 0 ? 20 - height : 20, width, height }));
    });
    band.append(svg("line", { class: "zero", x1: 0, x2: 1000, y1: 20, y2: 20 }), this.cursor(40));
    return [html("span", { class: "label" }, label), band];
  }

  moments() {
    const slips = this.data.moves.map((move, i) => ({ move, ply: i + 1 })).filter(({ move }) => move?.judgement);
    slips.sort((one, other) => other.move.points - one.move.points);
    const first = slips.slice(0, 6).sort((one, other) => one.ply - other.ply);
    const items = first.map(({ move, ply }) => html("li", {}, html("button", { type: "button", title: this.isRead ? move.reason : null, onclick: () => this.go(ply) }, `${say(move.name)}${move.mark}`)));
    return html("div", { class: "moments" }, html("h3", {}, t("page.moments")), items.length ? html("ol", {}, ...items) : html("p", {}, t("page.no-moments")));
  }

  /** The ply of the next mistake after one; 0 if there is none. */
  nextSlip(ply) {
    const found = this.data?.moves.findIndex((move, i) => i >= ply && move?.judgement) ?? -1;
    return found + 1;
  }

  /** The arrows at a ply: the better move. */
  arrows(ply) {
    const better = this.data?.moves[ply - 1]?.better[0]?.squares;
    return better ? [[better.at(-2), better.at(-1), "better"]] : [];
  }

  /** Tells of the position after `ply`. */
  at(ply) {
    if (!this.data) return;
    const x = this.x(ply);
    for (const cursor of this.cursors) { cursor.setAttribute("x1", x); cursor.setAttribute("x2", x); }
    // What is there already stays: the focus may be on a move of a line.
    if (ply === this.told) return;
    this.told = ply;
    const told = this.data.moves[ply - 1];
    const move = told && !this.isRead ? { ...told, reason: null, quiet: null } : told;
    this.why.replaceChildren(...(move ? verdict(move, this.showLine) : []));
    if (move?.judgement) this.why.append(html("p", {}, button("button.try", () => this.tryAgain(ply))));
  }
}

/** A judged move in words, with its lines. */
function verdict(move, showLine) {
  const judged = move.judgement ? ` ${move.mark} ${t(`judgement.${move.judgement}`)}, −${decimal(move.points)} %` : "";
  const parts = [html("p", { class: "verdict" }, `${say(move.name)}  ${signed(move.eval ?? "")}${judged}`)];
  if (move.reason) parts.push(html("p", {}, move.reason));
  if (move.quiet) parts.push(html("p", {}, move.quiet));
  if (move.better.length) parts.push(lineOf(t("page.better"), move.better, showLine));
  // It begins with the move itself.
  if (move.refutation.length > 1) parts.push(lineOf(t("page.refutation", { move: say(move.name) }), move.refutation, showLine, 1));
  return parts;
}

/** What is told of any move: its verdict, or that it was no mistake. */
export function explain(judged, showLine) {
  return judged.judgement ? verdict(judged, showLine) : noMistake(judged);
}

/** What is told of a move that was no mistake. */
function noMistake({ name, points, quiet }) {
  const key = points < 1 ? "status.best" : points < GOOD ? "status.good" : "status.fair";
  // Only a move that is not quite good is compared with the best one.
  const more = key === "status.fair" ? [html("p", {}, quiet ?? "")] : [];
  return [html("p", {}, t(key, { move: say(name) })), ...more];
}

/** A line whose moves from the one at `first` on are shown on the board. */
export function lineOf(label, steps, showLine, first = 0) {
  const buttons = steps.map((step, at) => {
    const one = html("button", { type: "button", onclick: () => showLine(steps, at) }, say(step.name));
    STEPS.set(one, step);
    return one;
  });
  return html("p", { class: "line" }, html("b", {}, `${label}: `), ...buttons.slice(first));
}

/** Marks the move of a line whose position is shown, among all lines of an element. */
export function markStep(element, step) {
  for (const one of element.querySelectorAll(".line button")) {
    const isLit = step !== undefined && STEPS.get(one) === step;
    one.classList.toggle("lit", isLit);
    if (isLit) one.setAttribute("aria-current", "step");
    else one.removeAttribute("aria-current");
  }
}
