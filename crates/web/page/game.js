// The record of a game, as the browser keeps it: who plays, the moves, the clocks, how it ended, what it has told of a person.
import { t } from "./dom.js";
import * as engine from "./engine.js";

/** The results of games that are over, as a PGN writes them. */
export const RESULTS = ["1-0", "0-1", "1/2-1/2"];

export const other = (colour) => (colour === "white" ? "black" : "white");

/** The result of a game that a colour has won. */
export const wonBy = (colour) => (colour === "white" ? "1-0" : "0-1");

/** A number that a browser draws, below a bound. */
export const draw = (bound) => crypto.getRandomValues(new Uint32Array(1))[0] % bound;

/** A game before its first move, by the name of its rules. */
export const textOf = (rules, fen = null) => ({ rules: rules === "chess960" ? "chess" : rules, chess960: rules === "chess960", fen, moves: [] });

/** The first moves of a game. */
export const beginningOf = (text, ply) => ({ ...text, moves: text.moves.slice(0, ply) });

/** The name of the rules of a game. */
export const rulesOf = (view, { chess960 }) => (view.rules === "chess" && chess960 ? "chess960" : view.rules);

/** A new game by the fields of the dialog; a FEN counts if the start is "fen". */
export async function makeGame({ rules = "chess", colour = "white", opponent = "elo", elo = 800, clock = "", start = "usual", fen = "", odds = "" }) {
  const text = textOf(rules);
  if (start === "fen" && fen.trim()) text.fen = fen.trim();
  else if (text.chess960) text.fen = await engine.ask({ ask: "shuffle", number: draw(960) });
  const me = opponent === "both" ? "both" : colour === "either" ? ["white", "black"][draw(2)] : colour;
  const [giver, gift] = odds.split("-");
  const mine = me === "both" ? "white" : me;
  if (gift && !text.fen) text.fen = await engine.ask({ ask: "odds", rules: text.rules, gift, giver: giver === "me" ? mine : other(mine) });
  const kinds = { elo: { kind: "elo", elo: Number(elo) }, auto: { kind: "auto", elo: null }, full: { kind: "full" }, both: { kind: "full" } };
  const [minutes, seconds] = (clock && me !== "both" ? clock : "").split("+").map(Number);
  const time = minutes ? { base: minutes * 60_000, increment: seconds * 1000 } : null;
  return {
    text, me, opponent: kinds[opponent] ?? { kind: "level", level: Number(opponent) }, seed: 1 + draw(2 ** 31 - 2),
    // A result at odds tells little of one's strength.
    seen: [], rated: Boolean(gift),
    clock: time, left: time && { white: time.base, black: time.base }, end: null, review: null, tags: [],
    choice: { rules, colour, opponent, elo, clock, odds }, date: new Date().toISOString().slice(0, 10).replaceAll("-", "."),
  };
}

/** A game that was read from a text, to look at. The next new game has the choices of the one before. */
export async function makeOpened({ rules, chess960, fen, moves, tags }, { choice }) {
  const tagged = tags.find(([name]) => name === "Result")?.[1];
  const game = await makeGame({ opponent: "both" });
  return { ...game, text: { rules, chess960, fen, moves }, tags, choice, result: RESULTS.includes(tagged) ? tagged : null };
}

export function opponentName({ kind, elo, level }) {
  const names = { elo: t("opponent.elo", { elo }), auto: elo ? t("opponent.auto-elo", { elo }) : t("opponent.auto"), level: t(`level.${level}`), full: t("opponent.full") };
  return names[kind];
}

/** The tags of a PGN; a game that was opened keeps its own. */
export function tagsOf({ me, tags, date, opponent }) {
  if (me === "both") return tags;
  const names = { [me]: t("you"), [other(me)]: `Ajedrecista, ${opponentName(opponent)}` };
  return [["Event", "Ajedrecista"], ["Site", "?"], ["Date", date], ["Round", "-"], ["White", names.white], ["Black", names.black]];
}

/** Takes the moves of `text`. What was known of an analysis belonged to those before. */
export function setMoves(game, text) {
  game.text = text;
  game.end = null;
  if (game.me === "both") game.review = game.result = null;
}

export function takeBack(game, count) {
  game.text.moves.splice(-count);
  // The move that takes its place is made with what was learnt.
  game.helped = game.text.moves.length + 1;
  game.end = game.review = game.result = null;
}

/** The reviewed move at `ply` as an exercise. Its sentence has a language. */
export function exerciseOf({ text, review }, ply) {
  const judged = review.moves[ply - 1];
  return { text: beginningOf(text, ply - 1), name: `${judged.name}${judged.mark}`, best: judged.better[0]?.name ?? "", reason: judged.reason, lang: review.lang };
}

/** A person's mistakes in a reviewed game as exercises. The boards tell who moves. */
export function mistakesOf(game, boards) {
  const isMistake = (judged, i) => (game.me === "both" || boards[i].turn === game.me) && ["mistake", "blunder"].includes(judged?.judgement);
  return game.review.moves.flatMap((judged, i) => (isMistake(judged, i) ? [exerciseOf(game, i + 1)] : []));
}
