// One question that takes thought at a time: another one ends the search under way.
import * as engine from "./engine.js";

export class Thinker {
  constructor() {
    /** Counts the questions. */
    this.count = 0;
    /** The answer under way. */
    this.thinking = null;
  }

  /** Asks what takes thought. Another such question, or `stop()`, ends it. */
  async think(question) {
    this.count += 1;
    await this.stop();
    const asked = engine.ask(question);
    this.thinking = asked;
    try {
      return await asked;
    } finally {
      if (this.thinking === asked) this.thinking = null;
    }
  }

  /** Ends the search under way. It may not have begun yet, so that it is told until it has ended. */
  async stop() {
    let isOver = !this.thinking;
    const ended = this.thinking?.catch(() => {}).then(() => { isOver = true; });
    while (!isOver) {
      await engine.stop();
      await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 100))]);
    }
  }
}
