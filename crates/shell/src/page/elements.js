// Elements, and how a language writes moves, numbers and positions.

/** The signs of castling in a text. */
const CASTLING = /(O-O(?:-O)?)/;

/** The parts of a text: castling is one that never ends a line at its hyphens. Copied it is the same text. */
function unbroken(text) {
  return text.split(CASTLING).map((part) => {
    if (!CASTLING.test(part)) return part;
    const whole = document.createElement("span");
    whole.className = "whole";
    whole.append(part);
    return whole;
  });
}

/** An HTML element. A property that begins with `on` is a listener. */
function html(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (value === true) element.setAttribute(key, "");
    else if (value !== undefined && value !== null && value !== false) element.setAttribute(key, value);
  }
  // A field to write in and a choice of a list have text alone.
  const isText = name === "textarea" || name === "option";
  const parts = children.filter((child) => child !== null && child !== undefined);
  element.append(...parts.flatMap((child) => (typeof child === "string" && !isText ? unbroken(child) : [child])));
  return element;
}

/** The names of the pieces, in the order in which they are told. */
const PIECES = { k: "king", q: "queen", r: "rook", b: "bishop", n: "knight", p: "pawn" };
const FILES = "abcdefgh";

/** How a language writes; `text` has the words of a key. */
function writing(text) {
  /** Moves in SAN with the letters of the language. */
  const say = (moves) => moves.replace(/[KQRBN]/g, (letter) => text("page.pieces")["KQRBN".indexOf(letter)]);

  /** A number with the decimal mark of the language. */
  const decimal = (number) => String(number).replace(".", text("decimal.point"));

  /** A score with its sign, as the terms beside it have theirs. */
  const signed = (score) => decimal(score).replace(/^(#?)-/, "$1−").replace(/^(?=\d)/, "+");

  /** A position of chess in words, for whoever hears the page: each side's pieces with their squares. */
  const inWords = (cells) => {
    const squares = (letter) => cells.flatMap((cell, at) => (cell === letter ? [`${FILES[at % 8]}${8 - Math.floor(at / 8)}`] : []));
    const side = (player, letterOf) => {
      const pieces = Object.entries(PIECES).flatMap(([letter, name]) => squares(letterOf(letter)).map((square) => `${text(`page.${name}`)} ${square}`));
      return `${text(player)}: ${pieces.join(", ") || "–"}.`;
    };
    return `${side("player.white", (letter) => letter.toUpperCase())} ${side("player.black", (letter) => letter)}`;
  };

  return { say, decimal, signed, inWords };
}
