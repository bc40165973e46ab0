// The laboratory: textbook searches from a position of the game, as trees that play themselves and side by side.
import { button, html, say, t } from "./dom.js";
import * as engine from "./engine.js";
import { beginningOf, textOf } from "./game.js";
import { Lesson } from "./lesson.js";
import { applySettings, language, pieces, words } from "./look.js";
import * as store from "./store.js";

/** Half-moves that are searched unless others are chosen. */
const DEPTH = 2;

function select(key, options, chosen) {
  const list = options.map(([value, text]) => html("option", { value, selected: value === chosen }, text));
  const field = html("select", { name: key }, ...list);
  return [html("label", {}, html("span", {}, t(key)), field), field];
}

class Laboratory {
  constructor(root) {
    this.root = root;
    this.lesson = null;
    /** Counts what was asked for, so that a late answer is known as one. */
    this.wanted = 0;
    const { game, settings } = store.read();
    this.lang = settings.lang ?? language();
    this.settings = { ...settings, lang: this.lang };
    const text = game?.text ?? { rules: "chess", moves: [] };
    const asked = new URLSearchParams(location.search);
    const at = Number(asked.get("at") ?? text.moves.length);
    /** True for a position beside the game: one of a line, or of an exercise. */
    this.isBeside = asked.has("fen");
    this.game = this.isBeside ? textOf(asked.get("rules") ?? text.rules, asked.get("fen")) : beginningOf(text, Math.max(0, at));
  }

  async start() {
    applySettings(this.settings);
    await Promise.all([pieces(), engine.load()]);
    await words(this.settings);
    this.choice = await engine.ask({ ask: "laboratory", lang: this.lang });
    this.view = await engine.ask({ ask: "view", game: this.game, lang: this.lang });
    this.build();
    if (this.view.end) this.tell(t("status.over", this.view.end));
    else await this.showTree();
  }

  build() {
    document.title = `${t("menu.laboratory")} · ${t("title")}`;
    const names = this.choice.algorithms.map(({ name, title }) => [name, title]);
    const depths = Array.from({ length: this.choice.depth }, (_, i) => [String(i + 1), String(i + 1)]);
    const [algorithmLine, algorithm] = select("laboratory.algorithm", names, "alpha-beta");
    const [versusLine, versus] = select("laboratory.versus", [["", t("laboratory.none")], ...names], "");
    const [depthLine, depth] = select("laboratory.depth", depths, String(DEPTH));
    this.fields = { algorithm, versus, depth };
    const act = (key, action, look) => button(key, () => this.run(action), { class: look, id: key, disabled: Boolean(this.view.end) });
    this.stopButton = button("button.stop", () => this.stop(), { hidden: true, id: "button.stop" });
    const buttons = html("div", { class: "buttons" }, act("laboratory.tree", () => this.showTree(), "main"),
      act("laboratory.compare", () => this.compare()), this.stopButton, button("laboratory.back", () => location.assign("./"), { id: "laboratory.back" }));
    const place = this.isBeside ? t("field.start-here") : say(this.view.moves.at(-1)?.name ?? "") || t("button.first");
    this.status = html("p", { class: "status", role: "status", "aria-live": "polite" });
    this.rows = html("div", { class: "rows", hidden: true });
    this.root.replaceChildren(
      html("form", { onsubmit: (event) => event.preventDefault() }, html("h1", {}, `${t("menu.laboratory")}: ${place}`), algorithmLine, versusLine, depthLine, buttons),
      this.status, this.rows);
    this.root.setAttribute("aria-busy", "false");
  }

  /** Runs an action, and tells what went wrong. */
  async run(action) {
    try {
      await action();
    } catch (fault) {
      if (!fault.isStopped) this.tell(fault.isGone ? fault.message : t("status.fault", { error: fault.message }));
    }
  }

  tell(text) {
    this.status.textContent = text;
  }

  /** The answer to a question that takes thought; null if it was stopped, or is too great. */
  async think(question) {
    const { wanted } = this;
    const asked = engine.ask({ game: this.game, depth: Number(this.fields.depth.value), lang: this.lang, ...question });
    this.thinking = asked;
    this.stopButton.hidden = false;
    let answer = null;
    try {
      answer = await asked;
    } finally {
      if (wanted === this.wanted) this.stopButton.hidden = true;
    }
    if (wanted !== this.wanted) return null;
    if (answer.beyond === undefined) return answer;
    this.tell(t("laboratory.beyond", { count: answer.beyond.toLocaleString(this.lang) }));
    return null;
  }

  /** Ends the search under way. It may not have begun yet, so that it is told until it has ended. */
  async stop() {
    this.wanted += 1;
    this.stopButton.hidden = true;
    this.tell("");
    let isOver = !this.thinking;
    const ended = this.thinking?.catch(() => {}).then(() => { isOver = true; });
    while (!isOver) {
      await engine.stop();
      await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 100))]);
    }
  }

  /** Clears the page for a new answer. */
  async clear() {
    await this.stop();
    this.lesson?.close();
    this.lesson = null;
    this.rows.hidden = true;
    this.holder.hidden = true;
    document.body.classList.remove("lesson");
  }

  get holder() {
    return document.getElementById("app");
  }

  async showTree() {
    await this.clear();
    const { algorithm, versus } = this.fields;
    const algorithms = [algorithm.value, versus.value].filter(Boolean);
    this.tell(t("laboratory.searches", { name: algorithm.selectedOptions[0].textContent }));
    const data = await this.think({ ask: "tree", algorithms });
    if (!data) return;
    this.tell("");
    this.holder.hidden = false;
    document.body.classList.add("lesson");
    this.lesson = new Lesson(data, this.holder);
  }

  /** Asks for one row after the other. */
  async compare() {
    await this.clear();
    const { wanted } = this;
    const { algorithms } = this.choice;
    const rows = [];
    for (const { name, title } of algorithms) {
      this.tell(t("laboratory.searches", { name: title }));
      const answer = await this.think({ ask: "compare", algorithm: name });
      if (wanted !== this.wanted) return;
      if (!answer && !rows.length) return;
      if (answer) rows.push(answer.row);
      this.showRows(rows);
    }
    this.tell("");
  }

  /** The rows under those columns that one of them fills. */
  showRows(rows) {
    const [first] = this.choice.columns;
    const others = this.choice.columns.slice(1);
    const columns = others.filter((column) => rows.some((row) => row[column] !== null && row[column] !== undefined));
    const { algorithms } = this.choice;
    const line = (row) => {
      const { title, isExact } = algorithms.find(({ name }) => name === row[first]);
      const written = (value) => (typeof value === "number" ? value.toLocaleString(this.lang) : value);
      return html("tr", { class: isExact ? "exact" : undefined }, html("th", { scope: "row" }, title), ...columns.map((column) => html("td", {}, written(row[column] ?? ""))));
    };
    this.rows.replaceChildren(html("table", {}, html("caption", {}, t("laboratory.caption", { depth: this.fields.depth.value })),
      html("thead", {}, html("tr", {}, ...[first, ...columns].map((column) => html("th", { scope: "col" }, column)))),
      html("tbody", {}, ...rows.map(line))));
    this.rows.hidden = false;
  }
}

const laboratory = new Laboratory(document.getElementById("laboratory"));
laboratory.start().catch((fault) => {
  // Before the first words there is no language yet.
  document.getElementById("laboratory").textContent = fault.message;
});
globalThis.laboratory = laboratory;
