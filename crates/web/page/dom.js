// Elements, and words in the language of the page.
import { html, unbroken, writing } from "./elements.js";

export { html, unbroken };

const SVG = "http://www.w3.org/2000/svg";
let texts = {};

/** Takes the words of a language. */
export function setTexts(words) {
  texts = words;
}

/** The text of a key with its placeholders filled. */
export function t(key, values = {}) {
  const text = texts[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}

export const { say, decimal, signed } = writing(t);

/** An element of SVG with attributes. */
export function svg(name, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/** A button with its text. */
export function button(key, action, attributes = {}) {
  return html("button", { type: "button", onclick: action, ...attributes }, t(key));
}

/** A button with a sign, whose text is heard and shown as a hint. */
export function sign(key, mark, action) {
  return html("button", { type: "button", class: "sign", title: t(key), "aria-label": t(key), onclick: action }, mark);
}

/** The picture of a piece, by its letter in FEN. */
export function pieceOf(letter) {
  const colour = letter === letter.toUpperCase() ? "white" : "black";
  return svg("svg", { class: `piece ${colour}`, viewBox: "0 0 45 45", "aria-hidden": "true" },
    svg("use", { href: `#piece-${letter.toLowerCase()}` }));
}

const ROLES = { p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen", k: "king" };

/** The name of a piece with its colour. */
export function pieceName(letter) {
  const piece = t(`piece.${ROLES[letter.toLowerCase()]}`);
  return t(letter === letter.toUpperCase() ? "label.white-piece" : "label.black-piece", { piece });
}
