// Makes the review of a game, part by part, so that it can be stopped.
import { t } from "./dom.js";
import { mistakesOf } from "./game.js";

export class Reviewer {
  /** @param {import("./app.js").App} app */
  constructor({ session, thinker, messages, review, flow: { show, keep, go } }) {
    this.session = session;
    this.thinker = thinker;
    this.messages = messages;
    this.review = review;
    this.show = show;
    this.keep = keep;
    this.go = go;
    this.isReviewing = false;
  }

  /** Makes the review, and shows the first mistake. The person's mistakes become exercises. */
  async make() {
    const { session, messages } = this;
    const { game, version, settings: { lang } } = session;
    const isFirst = !game.review;
    this.isReviewing = true;
    this.show();
    try {
      for (;;) {
        const part = await this.thinker.think(session.question("review"));
        if (version !== session.version || !this.isReviewing) return;
        if (part.review) {
          game.review = { ...part.review, lang };
          break;
        }
        messages.note(part.done === part.all ? t("status.judging-moves", { done: part.judged, all: part.moves }) : t("status.reviewing", { done: part.done, all: part.all }));
      }
    } finally {
      this.isReviewing = false;
      this.show();
    }
    messages.forgetNote();
    session.addExercises(mistakesOf(game, session.view.boards));
    this.keep();
    this.review.show(game.review);
    // One that is made anew, in another language, is read where one is.
    this.go(isFirst ? this.review.nextSlip(0) : session.at);
  }

  /** Another game is begun, which has no use for the review. */
  forget() {
    this.isReviewing = false;
  }

  stop() {
    this.forget();
    return this.thinker.stop();
  }
}
