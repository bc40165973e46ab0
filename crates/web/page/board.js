// The board: shows a position, and lets a person move by drag, click or keyboard. What is legal it is told.
import { html, pieceName, pieceOf, sign, svg, t } from "./dom.js";

const FILES = "abcdefgh";
/** The room beside the board as the target of a move, and the empty hand as a piece in hand. */
export const OFF = "off";
export const HAND = "-";
/** Pixels that a pointer may move within a click. */
const STILL = 6;

/** The cells of a FEN from the top left. */
export function cellsOf(fen) {
  const rows = fen.split(" ")[0].split("[")[0].split("/").slice(0, 8).join("").replaceAll("~", "");
  return rows.replace(/\d/g, (count) => ".".repeat(Number(count)));
}

/** The checks that win in three-check. */
const WINNING_CHECKS = 3;

/** A position { fen, cells, check, pockets, checks } by its FEN, which does not tell of a check. */
export function boardOf(fen) {
  const [pieces, ...fields] = fen.split(" ");
  const hand = /\[(.*)\]/.exec(pieces)?.[1];
  const left = fields.find((field) => /^\d\+\d$/.test(field));
  return {
    fen, cells: cellsOf(fen), check: null,
    pockets: hand === undefined ? null : [hand.replace(/[a-z]/g, ""), hand.replace(/[A-Z]/g, "")],
    checks: left?.split("+").map((count) => WINNING_CHECKS - Number(count)) ?? null,
  };
}

/** The square at a place among the 64, from the top left. */
const squareAt = (place, turned) => {
  const [column, row] = [place % 8, Math.floor(place / 8)];
  return turned ? FILES[7 - column] + (row + 1) : FILES[column] + (8 - row);
};

export class Board {
  /**
   * `onMove(uci, isDragged)` is called with the move that a person has made, `onAhead(ahead)` with one that is made ahead of the
   * opponent's: { from, to, promotion? } or { drop, to }, or null if it is taken back.
   */
  constructor(onMove, onAhead) {
    this.onMove = onMove;
    this.onAhead = onAhead;
    this.turned = false;
    this.legal = [];
    this.selected = null;
    /** The colour that may move ahead, and the move that it has chosen. */
    this.early = null;
    this.ahead = null;
    /** What a person has drawn: pairs of squares, the same twice for a mark. */
    this.drawings = [];
    this.focus = 52;
    this.cells = Array.from({ length: 64 }, (_, place) => this.makeCell(place));
    const rows = Array.from({ length: 8 }, (_, row) =>
      html("div", { role: "row", class: "row" }, ...this.cells.slice(row * 8, row * 8 + 8)));
    this.arrows = svg("svg", { class: "arrows", viewBox: "0 0 360 360", "aria-hidden": "true" });
    this.choice = html("div", { class: "choice", role: "dialog", hidden: true });
    this.grid = html("div", { role: "grid", class: "squares" }, ...rows);
    this.square = html("div", { class: "frame" }, this.grid, this.arrows, this.choice);
    this.pockets = { white: this.makePocket(), black: this.makePocket() };
    this.grid.addEventListener("pointerdown", (event) => this.press(event));
    this.grid.addEventListener("contextmenu", (event) => event.preventDefault());
    this.grid.addEventListener("keydown", (event) => this.key(event));
    document.addEventListener("pointermove", (event) => this.drag(event));
    document.addEventListener("pointerup", (event) => this.release(event));
    document.addEventListener("pointercancel", () => { this.drawing = null; this.letGo(); });
  }

  makeCell(place) {
    const shade = (place + Math.floor(place / 8)) % 2 ? "dark" : "light";
    return html("div", { role: "gridcell", class: `square ${shade}`, tabindex: place === this.focus ? 0 : -1 });
  }

  makePocket() {
    return html("div", { class: "pocket", role: "group" });
  }

  /**
   * Shows a position { cells, turn, check, pockets }; pockets may be endless. `squares` are those of the last move, `legal` the moves that
   * a person may make now, `early` the colour that may move ahead of its turn and `ahead` the move that it has chosen,
   * `arrows` a list of [from, to, kind].
   */
  show({ board, squares = [], legal = [], early = null, ahead = null, arrows = [], coordinates = true }) {
    // What was drawn belongs to a position.
    if (board.cells !== this.board?.cells) this.drawings = [];
    const letter = this.selected?.length === 2 ? this.at(this.selected) : this.selected;
    this.board = board;
    this.legal = legal;
    this.early = early;
    this.ahead = ahead;
    this.last = squares;
    this.marks = arrows;
    this.coordinates = coordinates;
    this.closeChoice();
    // A piece that is held while the opponent moves stays in the hand.
    const isStill = this.selected?.length === 2 ? this.at(this.selected) === letter : true;
    if (this.selected && !(isStill && this.isMovable(this.selected))) {
      this.selected = null;
      this.letGo();
    }
    this.draw();
  }

  turn(turned) {
    this.turned = turned;
    if (this.board) this.draw();
  }

  /** The letter on a square. */
  at(square) {
    return this.board.cells[(8 - Number(square[1])) * 8 + FILES.indexOf(square[0])];
  }

  /** A square and what stands there, in words. */
  labelOf(square) {
    const letter = this.at(square);
    return letter === "." ? t("label.empty", { square }) : t("label.square", { square, piece: pieceName(letter) });
  }

  /** True if the piece of this letter belongs to the colour that may move ahead. */
  isEarly(letter) {
    return this.early !== null && letter !== "." && (letter === letter.toUpperCase()) === (this.early === "white");
  }

  /** True if what is on a square, or in hand, can be moved now or ahead. */
  isMovable(what) {
    return this.legal.some((move) => (move.from ?? move.drop) === what) || this.isEarly(what.length === 1 ? what : this.at(what));
  }

  targets() {
    const moves = this.legal.filter((move) => (move.from ?? move.drop) === this.selected);
    return new Set(moves.flatMap((move) => move.to));
  }

  draw() {
    // Where everything may go everywhere, targets are no news.
    const targets = this.board.isEndless ? new Set() : this.targets();
    this.grid.setAttribute("aria-label", t("label.board"));
    this.cells.forEach((cell, place) => {
      const square = squareAt(place, this.turned);
      const letter = this.at(square);
      if (cell.dataset.letter !== letter) {
        cell.dataset.letter = letter;
        cell.replaceChildren(...(letter === "." ? [] : [pieceOf(letter)]));
      }
      cell.dataset.square = square;
      const label = this.labelOf(square);
      if (cell.getAttribute("aria-label") !== label) cell.setAttribute("aria-label", label);
      cell.setAttribute("aria-selected", String(this.selected === square));
      cell.classList.toggle("last", this.last.includes(square));
      cell.classList.toggle("check", this.board.check === square);
      cell.classList.toggle("target", targets.has(square));
      cell.classList.toggle("movable", this.isMovable(square));
      cell.classList.toggle("ahead", this.ahead?.from === square || this.ahead?.to === square);
      const [column, row] = [place % 8, Math.floor(place / 8)];
      cell.dataset.file = this.coordinates && row === 7 ? square[0] : "";
      cell.dataset.rank = this.coordinates && column === 0 ? square[1] : "";
    });
    this.drawPocket("white", 0);
    this.drawPocket("black", 1);
    const drawn = this.drawings.map(([from, to]) => [from, to, "drawn"]);
    this.arrows.replaceChildren(...[...this.marks, ...drawn].map(([from, to, kind]) => this.arrow(from, to, kind)));
  }

  drawPocket(colour, index) {
    const pocket = this.pockets[colour];
    const held = this.board.pockets?.[index];
    pocket.hidden = held === undefined;
    pocket.setAttribute("aria-label", `${t(this.board.isEndless ? "label.palette" : "label.pocket")}: ${t(colour)}`);
    const letters = [...new Set(held ?? "")];
    const buttons = letters.map((letter) => {
      const count = held.split(letter).length - 1;
      const canDrop = this.isMovable(letter);
      const name = letter === HAND ? t("button.remove") : pieceName(letter);
      const [label, number] = this.board.isEndless ? [name, null] : [`${name}: ${count}`, html("span", {}, String(count))];
      const one = html("button", { type: "button", "data-drop": letter, title: letter === HAND ? name : null, "aria-label": label,
        "aria-pressed": String(this.selected === letter), disabled: !canDrop }, letter === HAND ? "✕" : pieceOf(letter), number);
      one.addEventListener("pointerdown", (event) => this.pressPocket(event, letter));
      one.addEventListener("click", (event) => {
        // A pointer has selected it already; here speaks the keyboard.
        if (event.detail !== 0) return;
        this.select(this.selected === letter ? null : letter);
      });
      return one;
    });
    const focused = pocket.contains(document.activeElement) ? document.activeElement.getAttribute("data-drop") : "";
    pocket.replaceChildren(...buttons);
    buttons.find((one) => one.dataset.drop === focused)?.focus();
  }

  /** An arrow between the middles of two squares; one square alone gets a ring. */
  arrow(from, to, kind) {
    const middle = (square) => {
      const [column, row] = [FILES.indexOf(square[0]), 8 - Number(square[1])];
      return (this.turned ? [7 - column, 7 - row] : [column, row]).map((n) => n * 45 + 22.5);
    };
    const group = svg("g", { class: `arrow ${kind}` });
    const [x2, y2] = middle(to ?? from);
    if (!from || !to || from === to) {
      group.append(svg("circle", { cx: x2, cy: y2, r: 19 }));
      return group;
    }
    const [x1, y1] = middle(from);
    const length = Math.hypot(x2 - x1, y2 - y1);
    const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
    const [x, y] = [x2 - dx * 6, y2 - dy * 6];
    const side = (way) => `${x - dx * 12 + way * dy * 8} ${y - dy * 12 - way * dx * 8}`;
    group.append(svg("path", { d: `M${x1 + dx * 12} ${y1 + dy * 12}L${x} ${y}M${side(1)}L${x} ${y}L${side(-1)}` }));
    return group;
  }

  select(what) {
    this.selected = what;
    this.draw();
  }

  /** True if a click on a square moves what is selected there, and does not select another piece. */
  isTarget(square) {
    if (!this.selected || this.selected === square) return false;
    return this.early ? !this.isEarly(this.at(square)) : this.targets().has(square);
  }

  /** Moves what is selected to a square, if that is legal. */
  moveTo(square, isDragged = false) {
    if (this.early) return square !== OFF && this.moveAhead(square);
    const meant = this.legal.filter((move) => (move.from ?? move.drop) === this.selected && move.to.includes(square));
    if (!meant.length) return false;
    if (meant.length > 1 && meant.every((move) => move.promotion)) this.openChoice(meant, square);
    else this.finish(meant[0], isDragged);
    return true;
  }

  /** Asks what the pawn becomes of whose promotions a move in UCI is one, as a click does. */
  promote(uci) {
    this.select(uci.slice(0, 2));
    this.moveTo(uci.slice(2, 4));
  }

  /** Chooses a move ahead of the turn. Whether it is legal will be seen when the opponent has moved. */
  moveAhead(square) {
    const { selected } = this;
    this.selected = null;
    this.onAhead(selected.length === 1 ? { drop: selected, to: square } : { from: selected, to: square });
    return true;
  }

  /** The legal move that was meant by one made ahead; a pawn becomes a queen. */
  meantBy({ from, drop, to }, legal) {
    const meant = legal.filter((move) => (move.from ?? null) === (from ?? null) && (move.drop ?? null) === (drop ?? null) && move.to.includes(to));
    return meant.find((move) => move.promotion?.toLowerCase() === "q") ?? meant[0];
  }

  finish(move, isDragged = false) {
    this.closeChoice();
    this.selected = null;
    this.legal = [];
    this.draw();
    this.onMove(move.uci, isDragged);
  }

  /** The click or key on a square. */
  choose(square) {
    if (this.isTarget(square)) return void this.moveTo(square);
    const isChosen = this.isMovable(square) && this.selected !== square;
    this.takeBackAhead();
    this.select(isChosen ? square : null);
  }

  takeBackAhead() {
    if (this.ahead) this.onAhead(null);
  }

  openChoice(moves, square) {
    const order = "qrbnk";
    const sorted = [...moves].sort((a, b) => order.indexOf(a.promotion.toLowerCase()) - order.indexOf(b.promotion.toLowerCase()));
    const buttons = sorted.map((move) =>
      html("button", { type: "button", "aria-label": pieceName(move.promotion), onclick: () => this.finish(move) }, pieceOf(move.promotion)));
    const cancel = sign("button.cancel", "×", () => { this.closeChoice(); this.select(null); this.focusOn(square); });
    this.choice.replaceChildren(...buttons, cancel);
    this.choice.setAttribute("aria-label", t("label.promotion"));
    this.choice.hidden = false;
    this.choice.onkeydown = (event) => { if (event.key === "Escape") cancel.click(); };
    buttons[0].focus();
  }

  closeChoice() {
    this.choice.hidden = true;
  }

  focusOn(square) {
    const place = this.cells.findIndex((cell) => cell.dataset.square === square);
    this.moveFocus(place);
  }

  moveFocus(place) {
    this.cells[this.focus].tabIndex = -1;
    this.focus = place;
    this.cells[place].tabIndex = 0;
    this.cells[place].focus();
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const [column, row] = [this.focus % 8, Math.floor(this.focus / 8)];
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    if (event.key in steps) {
      const [x, y] = [column + steps[event.key][0], row + steps[event.key][1]];
      if (x >= 0 && x < 8 && y >= 0 && y < 8) this.moveFocus(y * 8 + x);
    } else if (event.key === "Enter" || event.key === " ") {
      this.choose(this.cells[this.focus].dataset.square);
    } else if (event.key === "Escape" && (this.selected || this.ahead || this.drawings.length)) {
      this.drawings = [];
      this.takeBackAhead();
      this.select(null);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  press(event) {
    const cell = event.target.closest(".square");
    if (!cell) return;
    if (event.button === 2) return this.startDrawing(event, cell);
    if (event.button !== 0) return;
    this.drawings = [];
    this.cells[this.focus].tabIndex = -1;
    this.focus = this.cells.indexOf(cell);
    cell.tabIndex = 0;
    const { square } = cell.dataset;
    if (this.isTarget(square)) return this.choose(square);
    this.takeBackAhead();
    if (!this.isMovable(square)) return this.select(null);
    const wasSelected = this.selected === square;
    this.select(square);
    this.start(event, cell, this.at(square), wasSelected);
  }

  /** The right button draws: an arrow to the square where it is released, or a mark. */
  startDrawing(event, cell) {
    event.preventDefault();
    this.takeBackAhead();
    this.drawing = cell.dataset.square;
  }

  /** Draws, or wipes what is drawn there already. */
  endDrawing(event) {
    const from = this.drawing;
    this.drawing = null;
    const to = this.squareUnder(event);
    if (!to) return;
    const others = this.drawings.filter((known) => known[0] !== from || known[1] !== to);
    this.drawings = others.length < this.drawings.length ? others : [...others, [from, to]];
    this.draw();
  }

  /** The square under the pointer. */
  squareUnder(event) {
    const under = document.elementFromPoint(event.clientX, event.clientY);
    return this.cells.find((one) => one.contains(under))?.dataset.square;
  }

  pressPocket(event, letter) {
    if (event.button !== 0) return;
    const wasSelected = this.selected === letter;
    this.select(letter);
    const source = this.pockets[letter === letter.toUpperCase() ? "white" : "black"].querySelector(`[data-drop="${letter}"]`);
    this.start(event, source, letter, wasSelected);
  }

  start(event, source, letter, wasSelected) {
    event.preventDefault();
    if (source.hasPointerCapture?.(event.pointerId)) source.releasePointerCapture(event.pointerId);
    this.held = { source, letter, wasSelected, x: event.clientX, y: event.clientY, ghost: null, id: event.pointerId };
    if (source.classList.contains("square")) source.focus({ preventScroll: true });
  }

  drag(event) {
    const { held } = this;
    if (!held || event.pointerId !== held.id) return;
    if (!held.ghost) {
      if (Math.hypot(event.clientX - held.x, event.clientY - held.y) < STILL) return;
      const size = this.cells[0].getBoundingClientRect().width;
      held.ghost = html("div", { class: "ghost", "aria-hidden": "true" }, pieceOf(held.letter));
      held.ghost.style.width = held.ghost.style.height = `${size}px`;
      held.size = size;
      held.source.classList.add("lifted");
      // Nothing else is seen above a dialog.
      (held.source.closest("dialog") ?? document.body).append(held.ghost);
    }
    held.ghost.style.transform = `translate(${event.clientX - held.size / 2}px, ${event.clientY - held.size / 2}px)`;
  }

  release(event) {
    if (this.drawing && event.button === 2) return this.endDrawing(event);
    const { held } = this;
    if (!held || event.pointerId !== held.id) return;
    const wasDragged = held.ghost !== null;
    this.letGo();
    if (!wasDragged) {
      if (held.wasSelected) this.select(null);
      return;
    }
    const square = this.squareUnder(event) ?? OFF;
    if (square === this.selected || !this.moveTo(square, true)) this.select(null);
  }

  letGo() {
    this.held?.ghost?.remove();
    this.held?.source.classList.remove("lifted");
    this.held = null;
  }
}
