// The evaluation of the position that is shown: a bar beside the board, and terms, best line and words among the notes.
import { decimal, html, signed, t } from "./dom.js";
import * as engine from "./engine.js";
import { lineOf } from "./review.js";

/** The terms as bands; the longest one, or that of a pawn and a half, fills its half. */
function bands(terms) {
  const most = Math.max(150, ...terms.map(({ lead }) => Math.abs(lead)));
  const rows = terms.flatMap(({ name, lead }) => {
    const fill = html("div", { class: lead > 0 ? "for-white" : "for-black" });
    const width = (Math.abs(lead) / most) * 50;
    Object.assign(fill.style, { width: `${width}%`, left: `${lead > 0 ? 50 : 50 - width}%` });
    return [html("span", { class: "label" }, name), html("div", { class: "band", "aria-hidden": "true" }, fill), html("span", { class: "number" }, signed((lead / 100).toFixed(2)))];
  });
  return html("div", { class: "bands" }, ...rows);
}

export class Evaluation {
  /** @param {import("./app.js").App} app */
  constructor({ session, thinker, trials, advice, flow: { show, run } }) {
    this.session = session;
    this.thinker = thinker;
    this.trials = trials;
    this.advice = advice;
    this.showPage = show;
    this.run = run;
    /** The FEN of the position that was evaluated last. */
    this.evaluated = null;
    /** The best line that is shown, and its moves. */
    this.line = null;
    this.steps = [];
  }

  /** Makes the elements, in the language of the page. */
  build() {
    this.level = html("div");
    this.bar = html("div", { class: "bar", role: "img" }, this.level);
    this.element = html("section", { class: "evaluation", "aria-label": t("label.evaluation") });
  }

  /** Evaluates the position that is shown, more deeply step by step. */
  async evaluate() {
    const { session, thinker } = this;
    const { version } = session;
    if (!session.settings.bar || this.trials.trial) return this.hide();
    const { fen } = session.board();
    const text = session.text();
    for (const nodes of engine.DEEPER.slice(0, session.isPlaying() ? 2 : undefined)) {
      // What a person has asked goes first.
      await this.advice.judging?.catch(() => {});
      const number = thinker.count + 1;
      const answer = await thinker.think(session.question("evaluate", { game: text, nodes }));
      if (number !== thinker.count || version !== session.version || fen !== session.board().fen || this.trials.trial) return;
      this.evaluated = fen;
      this.show(answer, text);
      // The game is over there.
      if (!answer.score) return;
    }
  }

  /** Takes away what another game has left. The bar keeps its place, so that the board keeps its own. */
  forget() {
    this.evaluated = null;
    this.element.hidden = true;
    this.bar.hidden = !this.session.settings.bar;
    this.level.style.height = "50%";
    this.bar.setAttribute("aria-label", t("page.chance"));
  }

  hide() {
    this.bar.hidden = this.element.hidden = true;
  }

  /** Turns the bar with the board. */
  turn(turned) {
    this.bar.classList.toggle("turned", turned);
  }

  /** Greys out what belongs to another position than the one that is shown. */
  mark() {
    const isOld = this.evaluated !== null && this.evaluated !== this.session.board().fen;
    for (const one of [this.bar, this.element]) one.classList.toggle("old", isOld);
    this.element.setAttribute("aria-busy", String(isOld));
  }

  /** Shows the answer for the end of a text. */
  show({ chance, terms, line, score, depth, sentences }, text) {
    this.bar.hidden = this.element.hidden = false;
    this.level.style.height = `${chance}%`;
    this.bar.setAttribute("aria-label", `${t("page.chance")}: ${decimal(chance)} %`);
    const isOpen = this.element.querySelector("details")?.open ?? false;
    // A game that is over has no depth, and nobody is better.
    const value = score ? [html("p", {}, html("b", {}, signed(score)), ` ${t("status.depth", { depth })}`)] : [];
    const words = score ? [html("details", { open: isOpen }, html("summary", {}, t("label.words")), ...sentences.map((sentence) => html("p", {}, sentence)))] : [];
    // In a game the best line would give the move away.
    if (!this.isWalked()) this.line = this.session.isPlaying() || !line.length ? null : this.lineFrom(text, line);
    this.element.replaceChildren(...value, ...(this.line ? [this.line] : []), bands(terms), ...words);
    this.mark();
  }

  /** True while a position of the line that is shown stands on the board: the line stays, so that one can go on with it. */
  isWalked() {
    const { preview } = this.session;
    return preview !== null && this.steps.includes(preview.step);
  }

  /** The best line from the end of a text, whose positions are asked for when they are wanted. */
  lineFrom(text, line) {
    const { session } = this;
    const look = async (index) => {
      const { version, at } = session;
      const further = { ...text, moves: [...text.moves, ...line.slice(0, index + 1).map(({ uci }) => uci)] };
      const view = await session.ask(further);
      if (version !== session.version || at !== session.at) return;
      const { squares, name } = view.moves.at(-1);
      // A deeper answer may have come meanwhile, with another line.
      [this.line, this.steps] = [element, line];
      session.showBeside({ board: view.boards.at(-1), squares, name, text: further, step: line[index] });
      this.showPage();
      await this.evaluate();
    };
    this.steps = line;
    const element = lineOf(t("label.line"), line, (_, index) => this.run(() => look(index)));
    return element;
  }
}
