// The lines above and below the board: who plays, what was captured, the clocks, and what is in hand.
import { readable } from "./clock.js";
import { html, t } from "./dom.js";
import { opponentName, other } from "./game.js";
import { material } from "./material.js";

export class Players {
  /** @param {import("./app.js").App} app */
  constructor({ session, trials, board, clock }) {
    this.session = session;
    this.trials = trials;
    this.board = board;
    this.clock = clock;
  }

  /** Makes the elements. */
  build() {
    const make = () => ({ player: html("div", { class: "player" }), pocket: html("div") });
    this.top = make();
    this.bottom = make();
  }

  names() {
    const { me, tags, opponent } = this.session.game;
    // A trial has nothing to do with the game that is open.
    if (this.trials.trial) return { white: t("white"), black: t("black") };
    if (this.session.hasOpponent()) return { [me]: t("you"), [other(me)]: opponentName(opponent) };
    const tag = (name) => tags.find(([known, value]) => known === name && value !== "?")?.[1];
    return { white: tag("White") ?? t("white"), black: tag("Black") ?? t("black") };
  }

  /** Shows the players of a position that is on the board. */
  show(board) {
    const bottom = this.board.turned ? "black" : "white";
    this.showSide(this.top, other(bottom), board);
    this.showSide(this.bottom, bottom, board);
    this.showClocks();
  }

  showSide({ player, pocket }, colour, board) {
    const { boards, values } = this.trials.subject().view;
    const checks = board.checks?.[colour === "white" ? 0 : 1];
    const parts = [html("span", { class: `disc ${colour}`, "aria-hidden": "true" }), html("span", { class: "name" }, this.names()[colour])];
    // Where there are pockets, they have what is captured.
    const lead = boards[0].pockets ? null : material(colour, board.cells, boards[0].cells, values);
    if (lead) parts.push(lead);
    if (checks !== undefined) parts.push(html("span", { class: "checks" }, t("label.checks", { count: checks })));
    parts.push(html("span", { class: "clock", "data-clock": colour }));
    player.replaceChildren(...parts);
    pocket.replaceChildren(this.board.pockets[colour]);
  }

  showClocks() {
    const { running } = this.clock;
    const times = this.trials.trial ? null : this.clock.times;
    for (const clock of [this.top, this.bottom].flatMap(({ player }) => [...player.querySelectorAll(".clock")])) {
      const colour = clock.getAttribute("data-clock");
      const time = times?.[colour];
      clock.toggleAttribute("hidden", time === undefined);
      if (time === undefined) continue;
      clock.textContent = readable(time);
      clock.classList.toggle("runs", running === colour);
      clock.classList.toggle("short", time < 20_000);
    }
  }
}
