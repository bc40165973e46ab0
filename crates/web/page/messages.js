// What the page says: a line of status, messages that stay until the next move, and moves that are only heard.
import { html, t, unbroken } from "./dom.js";

export class Messages {
  /** @param {import("./app.js").App} app */
  constructor({ session }) {
    this.session = session;
    /** A short message in place of the status, with the version of the game and the line beside it that it belongs to. */
    this.noted = null;
    /** What the opponent thought of its last move: { text, fen, lang, game }. */
    this.thought = null;
  }

  /** Makes the elements, in the language of the page. */
  build() {
    this.status = html("p", { class: "status", role: "status", "aria-live": "polite" });
    this.said = html("div", { class: "said", role: "log", "aria-live": "polite", "aria-label": t("label.said") });
    this.thinks = html("p", { class: "thought", "aria-live": "polite", hidden: true });
    this.spoken = html("p", { class: "unseen", "aria-live": "assertive" });
  }

  /** A short message in place of the last one. */
  note(text) {
    const { version, preview } = this.session;
    this.noted = { text, version, preview };
    this.status.replaceChildren(...unbroken(text));
  }

  forgetNote() {
    this.noted = null;
  }

  /** Shows the status, unless a note takes its place. The same text again would be heard twice. */
  showStatus(status) {
    const { version, preview } = this.session;
    const text = this.noted?.version === version && this.noted.preview === preview ? this.noted.text : status;
    if (this.status.textContent !== text) this.status.replaceChildren(...unbroken(text));
  }

  /** A message that stays until the next move. */
  say(text) {
    this.said?.append(html("p", {}, text));
  }

  /** Elements in place of all that was said. */
  replace(...parts) {
    this.said.replaceChildren(...parts);
  }

  /** What the opponent thought of the move that has led to the position shown. */
  tellThought(text) {
    const { session } = this;
    this.thought = { text, fen: session.board().fen, lang: session.settings.lang, game: session.game };
  }

  /** Shows the thought at its own position only. `board` is the one that is shown; null: another task's. */
  showThought(board) {
    const { thought, session: { game, settings } } = this;
    const isHere = thought?.game === game && thought.fen === board?.fen && thought.lang === settings.lang && settings.thoughts;
    this.thinks.hidden = !isHere;
    const text = isHere ? thought.text : "";
    if (this.thinks.textContent !== text) this.thinks.replaceChildren(...unbroken(text));
  }

  /** Lets a move be heard by a screen reader. */
  speak(text) {
    this.spoken.textContent = text;
  }
}
