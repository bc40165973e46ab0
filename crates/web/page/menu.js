// The menu: a new game, opening and saving, the way to the laboratory, and the settings.
import * as dialogs from "./dialogs.js";
import { t } from "./dom.js";
import { Editor } from "./editor.js";
import * as engine from "./engine.js";
import { makeGame, makeOpened, rulesOf, tagsOf, textOf } from "./game.js";
import { applySettings, words } from "./look.js";
import * as store from "./store.js";

export class Menu {
  /** @param {import("./app.js").App} app */
  constructor({ session, messages, trials, flow: { run, change, interrupt, keep, reopen, renew } }) {
    this.session = session;
    this.messages = messages;
    this.trials = trials;
    this.run = run;
    this.change = change;
    this.interrupt = interrupt;
    this.keep = keep;
    this.reopen = reopen;
    this.renew = renew;
    this.editor = new Editor((fen, rules) => session.askPosition(textOf(rules, fen)));
    /** What there is to choose from. */
    this.words = null;
  }

  /** Loads the words of the language. */
  async loadWords() {
    this.words = await words(this.session.settings);
  }

  /** A new game by the fields of the dialog, which may begin here. */
  makeGame(fields) {
    return makeGame(fields.start === "here" ? { ...fields, start: "fen", fen: this.trials.position().fen } : fields);
  }

  async newGame() {
    const { choice } = this.session.game;
    const make = async (fields) => {
      const made = await this.makeGame({ elo: choice?.elo ?? 800, ...fields });
      await this.session.askPosition(made.text);
      return made;
    };
    const game = await dialogs.newGame(choice ?? {}, this.words, make, (field, rules) => this.run(() => this.setUp(field, rules)));
    if (game) await this.change(game);
  }

  /** Sets up the position of a field by hand. An empty field begins with the position on the board, if it has these rules. */
  async setUp(field, rules) {
    const { view, text } = this.trials.subject();
    const here = rulesOf(view, text) === rules ? this.trials.position().fen : "";
    field.value = (await this.editor.open(field.value || here, rules)) ?? field.value;
  }

  async openText() {
    const { lang } = this.session.settings;
    const found = await dialogs.openText(this.words.rules, (text, rules) => engine.ask({ ask: "read", text, rules, lang }));
    if (!found) return;
    await this.change(await makeOpened(found, this.session.game));
    for (const remark of found.notes) this.messages.say(t("status.remark", { remark }));
  }

  async save() {
    const { session } = this;
    const { game } = session;
    const result = session.end()?.result ?? game.result ?? "*";
    const pgn = await engine.ask(session.question("write", { tags: tagsOf(game), result }));
    const isWanted = await dialogs.save(pgn, this.trials.position().fen, () => this.messages.note(t("status.copied")));
    if (isWanted) store.download("game.pgn", "application/x-chess-pgn", pgn);
  }

  /** Leaves for the laboratory with the position that is shown. The game waits in the browser's storage. */
  async goToLaboratory() {
    const { session, trials } = this;
    const { view, text } = trials.subject();
    const beside = { rules: rulesOf(view, text), fen: trials.position().fen };
    const isOfGame = !session.preview && !trials.trial;
    await this.interrupt();
    this.keep();
    location.assign(`laboratory.html?${new URLSearchParams(isOfGame ? { at: String(session.at) } : beside)}`);
  }

  async changeSettings() {
    const { session } = this;
    const answer = await dialogs.settings(session.settings, this.words.version);
    if (!answer) return;
    if (answer.button === "import") await this.restore();
    else await this.apply(answer);
  }

  /** Takes the settings that were chosen. */
  async apply({ chosen, button }) {
    const { session } = this;
    const isOther = session.isOther(chosen);
    session.set(chosen);
    if (button === "forget") session.set({ ratings: {} });
    this.keep();
    if (button === "export") store.download("ajedrecista.json", "application/json", JSON.stringify(session.state));
    if (isOther) await this.applyLook(this.reopen);
  }

  /** Takes everything from a file, settings included. */
  async restore() {
    const text = await dialogs.chooseFile();
    if (!text) return;
    const kept = store.parse(text);
    if (!kept?.game) return this.messages.note(t("import.no-backup"));
    this.session.restore(kept);
    await this.applyLook(this.renew);
  }

  /** Gives the page the look and the words of the settings; `build` makes it anew. */
  async applyLook(build) {
    await this.interrupt();
    applySettings(this.session.settings);
    await this.loadWords();
    await build();
  }
}
