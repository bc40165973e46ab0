// Material, for the lines with the players' names: what each side has captured more of, and by how much it leads.
import { decimal, html, pieceName, pieceOf, t } from "./dom.js";

/** The roles of pieces, in the order in which captures stand. */
const ROLES = [..."qrbnpk"];

const count = (cells, letter) => cells.split(letter).length - 1;
const letterOf = (colour, role) => (colour === "white" ? role.toUpperCase() : role);

/** How many pieces of a role a colour has lost since the start. What it has more of than then were pawns, which are not lost. */
function lost(colour, role, cells, start) {
  const missing = (one) => count(start, letterOf(colour, one)) - count(cells, letterOf(colour, one));
  const promoted = role === "p" ? ROLES.reduce((sum, one) => sum + Math.max(0, -missing(one)), 0) : 0;
  return Math.max(0, missing(role) - promoted);
}

/** The pieces that a colour has captured more of than the other one since the start of the game, and the pawns by which its
 * material is worth more by the `values` of pieces in centipawns; null if that is nothing. */
export function material(colour, cells, start, values) {
  const other = colour === "white" ? "black" : "white";
  const more = (role) => lost(other, role, cells, start) - lost(colour, role, cells, start);
  const captured = ROLES.map((role) => ({ letter: letterOf(other, role), more: more(role) })).filter((one) => one.more > 0);
  const ahead = (role) => count(cells, letterOf(colour, role)) - count(cells, letterOf(other, role));
  const lead = ROLES.reduce((sum, role) => sum + values[role] * ahead(role), 0);
  const number = lead > 0 ? [`+${decimal(lead / 100)}`] : [];
  if (!captured.length && !number.length) return null;
  const names = captured.map((one) => `${pieceName(one.letter)} × ${one.more}`);
  const label = [...(names.length ? [`${t("label.material")}: ${names.join(", ")}`] : []), ...number.map((pawns) => `${t("term.material")} ${pawns}`)];
  const pieces = captured.map((one) => html("span", { class: "alike" }, ...Array.from({ length: one.more }, () => pieceOf(one.letter))));
  return html("span", { class: "material", role: "img", "aria-label": label.join("; ") }, ...pieces, ...number);
}
