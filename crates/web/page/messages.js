// What the page says: a line of status, messages that stay until the next move, and moves that are only heard.
import { html, t, unbroken } from "./dom.js";

export class Messages {
  /** @param {import("./app.js").App} app */
  constructor({ session }) {
    this.session = session;
    /** A short message in place of the status, and the version of the game that it belongs to. */
    this.noted = null;
  }

  /** Makes the elements, in the language of the page. */
  build() {
    this.status = html("p", { class: "status", role: "status", "aria-live": "polite" });
    this.said = html("div", { class: "said", role: "log", "aria-live": "polite", "aria-label": t("label.said") });
    this.spoken = html("p", { class: "unseen", "aria-live": "assertive" });
  }

  /** A short message in place of the last one. */
  note(text) {
    this.noted = { text, version: this.session.version };
    this.status.replaceChildren(...unbroken(text));
  }

  forgetNote() {
    this.noted = null;
  }

  /** Shows the status, unless a note takes its place. The same text again would be heard twice. */
  showStatus(status) {
    const text = this.noted?.version === this.session.version ? this.noted.text : status;
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

  /** Lets a move be heard by a screen reader. */
  speak(text) {
    this.spoken.textContent = text;
  }
}
