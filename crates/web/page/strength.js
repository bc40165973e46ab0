// The person's strength: an opponent that adapts follows it, and what finished games have told of it is remembered.

export class Strength {
  /** @param {import("./app.js").App} app */
  constructor({ session, thinker, flow: { keep } }) {
    this.session = session;
    this.thinker = thinker;
    this.keep = keep;
  }

  /** True if the opponent adapts. */
  isFollowed() {
    return this.session.game.opponent.kind === "auto";
  }

  /** True if a game that is over has something to tell, and has not been remembered yet. */
  isNews() {
    const { session } = this;
    return this.isFollowed() && session.hasOpponent() && !session.game.rated;
  }

  /** Follows the strength of the person: by the last move, and at the end by the result. */
  async adapt(result = null) {
    const { session } = this;
    const { game, settings, version } = session;
    const { rules } = game.text;
    const ply = game.text.moves.length;
    game.seen = (game.seen ?? []).filter((seen) => seen.ply <= ply);
    const last = game.seen.at(-1);
    // Who was helped, or has not moved yet, has shown nothing.
    const skip = last?.ply === ply || session.view.turn === game.me || !ply || game.helped === ply;
    const known = settings.ratings[rules] ?? settings.ratings.earlier;
    const answer = await this.thinker.think(session.question("estimate", { known, evidence: last?.evidence, skip, result }));
    if (version !== session.version) return;
    if (!result) game.seen.push({ ply, evidence: answer.evidence });
    else if (answer.known) session.set({ ratings: { ...settings.ratings, [rules]: answer.known } });
    game.opponent.elo = answer.elo;
    this.keep();
  }

  /** Remembers what a finished game has told of the person. */
  async remember() {
    const { game, view } = this.session;
    const { result } = this.session.end();
    const points = result === "1/2-1/2" ? 0.5 : Number(result === (game.me === "white" ? "1-0" : "0-1"));
    const moves = view.boards.slice(0, -1).filter(({ turn }) => turn === game.me).length;
    if (game.seen?.length) await this.adapt([points, game.opponent.elo, moves]);
    game.rated = true;
    this.keep();
  }
}
