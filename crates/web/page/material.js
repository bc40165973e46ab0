// What each side has captured more of, for the lines with the players' names: the board shows what is left, not what is gone.
import { html, pieceName, pieceOf, t } from "./dom.js";

/** What people count a piece for. A king may be captured in some rule sets, and has no price. */
const PAWNS = { q: 9, r: 5, b: 3, n: 3, p: 1, k: 0 };

const count = (cells, letter) => cells.split(letter).length - 1;

/** What a colour has captured more of than the other one, in the position of these cells; null if that is nothing. A
 * promotion counts as the pawn that is gone and the piece that is there. The sides of a rule set may begin with different
 * pieces: `usual` are the cells of its start. */
export function material(colour, cells, usual) {
  const leads = Object.entries(PAWNS).map(([letter, pawns]) => {
    const [mine, theirs] = colour === "white" ? [letter.toUpperCase(), letter] : [letter, letter.toUpperCase()];
    const lead = (board) => count(board, mine) - count(board, theirs);
    return { letter: theirs, pawns, more: lead(cells) - lead(usual) };
  });
  const captured = leads.filter(({ more }) => more > 0);
  if (!captured.length) return null;
  const points = leads.reduce((sum, { pawns, more }) => sum + pawns * more, 0);
  const number = points > 0 ? [`+${points}`] : [];
  const label = [...captured.map(({ letter, more }) => `${pieceName(letter)} × ${more}`), ...number].join(", ");
  const pieces = captured.map(({ letter, more }) => html("span", { class: "alike" }, ...Array.from({ length: more }, () => pieceOf(letter))));
  return html("span", { class: "material", role: "img", "aria-label": `${t("label.material")}: ${label}` }, ...pieces, ...number);
}
