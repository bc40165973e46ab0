// The board editor: whoever has a position before the eyes, in a book or on a board, need not write its FEN.
import { Board, HAND, OFF, cellsOf } from "./board.js";
import { cancel, open, select, submit } from "./dialogs.js";
import { button, html, pieceName, pieceOf, t } from "./dom.js";

/** The squares in the order of a FEN. */
const SQUARES = Array.from({ length: 64 }, (_, place) => "abcdefgh"[place % 8] + (8 - Math.floor(place / 8)));
/** What can be placed: the pieces of White and the hand that removes, and the pieces of Black. */
const PALETTE = [`KQRBNP${HAND}`, "kqrbnp"];
/** What may be in hand, of White and of Black. */
const HELD = ["QRBNP", "qrbnp"];
/** The rights to castle, by their letters in a FEN. */
const RIGHTS = { K: ["white", "O-O"], Q: ["white", "O-O-O"], k: ["black", "O-O"], q: ["black", "O-O-O"] };
/** An empty board with usual values for every field of a FEN. */
const EMPTY = ["8/8/8/8/8/8/8/8", "w", "-", "-", "0", "1"];

/** The fields of a FEN, in which some may be missing. */
function fieldsOf(fen) {
  const given = fen.split(/\s+/).filter(Boolean);
  return [...EMPTY.map((usual, i) => given[i] ?? usual), ...given.slice(EMPTY.length)];
}

/** What the first field of a FEN has in hand, in its brackets. */
const handsOf = (placement) => placement.match(/\[.*/)?.[0] ?? "";

/** Cells as the first field of a FEN; what is in hand there stays. */
function placementOf(cells, before) {
  const rows = cells.match(/.{8}/g).map((row) => row.replace(/\.+/g, (gap) => String(gap.length)));
  return rows.join("/") + handsOf(before);
}

export class Editor {
  /** `look(fen, rules)` returns the view of a position, or tells by an error why it is not possible; null is the usual start. */
  constructor(look) {
    this.look = look;
    /** Counts the changes, so that a late answer is known as one. */
    this.version = 0;
    // A board moves what it is told: here everything may go everywhere.
    this.board = new Board((change, isDragged) => this.place(change, isDragged), () => {});
  }

  /** Asks for a position by the rules of that name, beginning with that of a FEN or the usual one; null without. */
  async open(fen, rules) {
    const [usual] = (await this.look(null, rules)).boards;
    this.rules = rules;
    this.board.selected = null;
    this.cells = cellsOf(EMPTY[0]);
    this.text = html("input", { name: "position", value: fen || usual.fen, maxlength: 200, required: true, autocomplete: "off", spellcheck: "false" });
    this.text.addEventListener("input", () => this.read());
    this.turn = select("turn", "field.turn", [["w", t("white")], ["b", t("black")]], "w");
    this.turn.addEventListener("change", ({ target }) => this.change(1, target.value));
    this.rights = Object.entries(RIGHTS).map(([value, [colour, way]]) => html("input", { type: "checkbox", value, "aria-label": `${t(colour)} ${way}`, onchange: () => this.castle() }));
    const { pockets } = usual;
    this.held = pockets ? HELD.map((letters) => [...letters].map((letter) => this.counter(letter))) : [];
    this.spoken = html("p", { class: "unseen", "aria-live": "assertive" });
    this.remarks = html("p", { class: "rules", "aria-live": "polite" });
    const { white, black } = this.board.pockets;
    const parts = [
      html("div", { class: "editor" }, black, this.board.square, white),
      html("p", { class: "controls" }, button("button.clear", () => this.set(EMPTY.join(" "))), button("field.start-usual", () => this.set(usual.fen))),
      this.turn, ...this.hands(), this.castling(), html("label", { class: "tall" }, html("span", {}, "FEN"), this.text), this.remarks, this.spoken,
    ];
    const take = () => this.look(this.text.value, rules);
    const answered = open(t("label.editor"), parts, [submit("ok", "button.use"), cancel("button.cancel")], { take });
    this.text.closest("dialog").addEventListener("keydown", (event) => this.key(event));
    this.read();
    return (await answered) && this.text.value.trim();
  }

  castling() {
    const [short, long, blackShort, blackLong] = this.rights.map((right) => html("label", { class: "check" }, right, html("span", {}, RIGHTS[right.value][1])));
    return html("fieldset", { class: "rights" }, html("legend", {}, t("field.castling")), t("white"), short, long, t("black"), blackShort, blackLong);
  }

  /** A field for the number of such pieces in hand. */
  counter(letter) {
    return html("input", { type: "number", min: 0, max: 16, inputmode: "numeric", "data-held": letter, "aria-label": pieceName(letter), onchange: () => this.hold() });
  }

  /** The hands of both sides, by rules that have them. */
  hands() {
    return this.held.map((counters, side) => html("fieldset", { class: "hand" },
      html("legend", {}, `${t("label.pocket")}: ${t(side === 0 ? "white" : "black")}`),
      ...counters.map((counter) => html("label", {}, pieceOf(counter.dataset.held), counter))));
  }

  /** Takes what the fields say is in hand. */
  hold() {
    const held = this.held.flat().map(({ dataset, value, max }) => dataset.held.repeat(Math.min(max, Math.max(0, Number(value)))));
    const [placement] = fieldsOf(this.text.value);
    this.change(0, `${placement.split("[")[0]}[${held.join("")}]`);
  }

  /** Takes another FEN. */
  set(fen) {
    this.text.value = fen;
    this.read();
  }

  /** Changes a field of the FEN. A pawn can be taken en passant only in the position in which it has just moved. */
  change(place, value) {
    const fields = fieldsOf(this.text.value);
    fields[place] = value;
    fields[3] = EMPTY[3];
    this.set(fields.join(" "));
  }

  castle() {
    const chosen = this.rights.filter(({ checked }) => checked).map(({ value }) => value);
    this.change(2, chosen.join("") || EMPTY[2]);
  }

  /** Delete removes a piece. Escape lets go of what is chosen, and closes the dialog only then. */
  key(event) {
    const { square } = event.target.dataset;
    if (square && ["Delete", "Backspace"].includes(event.key)) this.place(`${square}>${OFF}`, true);
    else if (event.key === "Escape" && this.board.selected) this.board.select(null);
    else return;
    event.preventDefault();
  }

  /** Puts a piece from the palette or from a square on a square, or off the board: `Q>d4`, `d4>e5`. */
  place(change, isDragged) {
    const [what, to] = change.split(">");
    const isNew = what.length === 1;
    const letter = isNew ? what : this.board.at(what);
    const cells = [...this.cells];
    if (!isNew) cells[SQUARES.indexOf(what)] = ".";
    // A second click takes the first one back.
    const isRemoved = letter === HAND || (isNew && !isDragged && this.board.at(to) === letter);
    if (to !== OFF) cells[SQUARES.indexOf(to)] = isRemoved ? "." : letter;
    this.change(0, placementOf(cells.join(""), fieldsOf(this.text.value)[0]));
    this.spoken.textContent = this.board.labelOf(to === OFF ? what : to);
    // Clicks place one after another.
    if (isNew && !isDragged) this.board.select(what);
  }

  /** Shows what the FEN says, as far as it can be read, and what is wrong with it. */
  async read() {
    const [placement, turn, castling] = fieldsOf(this.text.value);
    const cells = cellsOf(placement);
    if (/^[.pnbrqk]{64}$/i.test(cells)) this.cells = cells;
    this.turn.querySelector("select").value = turn === "b" ? "b" : "w";
    for (const right of this.rights) right.checked = castling.includes(right.value);
    for (const counter of this.held.flat()) counter.value = handsOf(placement).split(counter.dataset.held).length - 1;
    this.show();
    this.version += 1;
    const { version } = this;
    const told = await this.look(this.text.value, this.rules).then(({ remarks }) => ({ remarks, fault: "" }), ({ message }) => ({ remarks: [], fault: message }));
    if (version !== this.version) return;
    this.text.closest("dialog").querySelector(".fault").textContent = told.fault;
    this.remarks.textContent = told.remarks.map((remark) => t("status.remark", { remark })).join(" ");
  }

  show() {
    const occupied = SQUARES.filter((_, place) => this.cells[place] !== ".");
    const legal = [
      ...[...PALETTE.join("")].flatMap((drop) => SQUARES.map((to) => ({ drop, to: [to], uci: `${drop}>${to}` }))),
      ...occupied.flatMap((from) => [...SQUARES, OFF].map((to) => ({ from, to: [to], uci: `${from}>${to}` }))),
    ];
    this.board.show({ board: { cells: this.cells, pockets: PALETTE, isEndless: true }, legal });
  }
}
