// The dialogs: a new game, opening and saving, settings, and questions.
import { button, html, t } from "./dom.js";

/** Clocks on offer: minutes and seconds. */
const CLOCKS = ["1+0", "3+2", "5+3", "10+5", "15+10", "30+20"];

/** A word of the menu without the dots that announce a dialog. */
const plain = (key) => t(key).replace(/…$/, "");

/** Opens a dialog with a form; the answer is the form's fields after its button, or null. `take(fields)` may refuse them
 * with an error, which is shown while the dialog stays. Escape closes it without an answer. */
export function open(title, parts, buttons, { take = null } = {}) {
  return new Promise((resolve) => {
    const fault = html("p", { class: "fault", role: "alert" });
    const form = html("form", { method: "dialog" }, html("h2", {}, title), ...parts, fault, html("p", { class: "buttons" }, ...buttons));
    const dialog = html("dialog", { "aria-label": title }, form);
    if (take) form.addEventListener("submit", (event) => {
      event.preventDefault();
      take(Object.fromEntries(new FormData(form))).then(() => dialog.close("ok"), ({ message }) => { fault.textContent = message; });
    });
    dialog.addEventListener("close", () => {
      const answer = dialog.returnValue ? { button: dialog.returnValue, fields: Object.fromEntries(new FormData(form)), form } : null;
      dialog.remove();
      resolve(answer);
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}

export const submit = (value, key) => html("button", { value, class: value === "ok" ? "main" : undefined }, plain(key));
// A button of this kind would send the form without its fields being valid.
export const cancel = (key) => html("button", { type: "button", onclick: (event) => event.target.closest("dialog").close("") }, t(key));

export function select(name, key, options, chosen) {
  const list = options.map(([value, text]) => html("option", { value, selected: String(value) === String(chosen) }, text));
  return html("label", {}, html("span", {}, t(key)), html("select", { name }, ...list));
}

const check = (name, key, isOn) => html("label", { class: "check" }, html("input", { type: "checkbox", name, checked: isOn }), html("span", {}, t(key)));

/** Asks yes or no. */
export async function confirm(text) {
  const answer = await open(text, [], [submit("ok", "yes"), cancel("no")]);
  return answer !== null;
}

/** What one side plays without, at odds. */
const GIFTS = ["pawn", "knight", "rook", "queen"];

/** Asks for a new game, until `make(fields)` can make it; null without. `last` are the fields of the one before; the words
 * have what there is to choose from. `setUp(field, rules)` sets up the position of a field by hand. */
export async function newGame(last, { rules, elo: range, odds: withOdds }, make, setUp) {
  const kinds = [["auto", t("opponent.auto")], ["elo", t("field.elo")], ["3", t("level.3")], ["4", t("level.4")], ["5", t("level.5")], ["full", t("opponent.full")], ["both", t("opponent.both")]];
  const names = rules.flatMap((name) => (name === "chess" ? ["chess", "chess960"] : [name]));
  const elo = html("input", { type: "number", name: "elo", min: range[0], max: range[1], step: 50, value: last.elo ?? 1000, required: true, inputmode: "numeric" });
  const eloLine = html("label", {}, html("span", {}, t("field.elo")), elo);
  const opponent = select("opponent", "field.opponent", kinds, last.opponent ?? "elo");
  const fen = html("input", { name: "fen", maxlength: 200, required: true, autocomplete: "off", spellcheck: "false" });
  const byHand = button("button.set-up", () => setUp(fen, variety.querySelector("select").value));
  const fenLine = html("div", {}, html("label", {}, html("span", {}, "FEN"), fen), html("p", { class: "buttons" }, byHand));
  const start = select("start", "field.start", [["usual", t("field.start-usual")], ["here", t("field.start-here")], ["fen", t("field.start-fen")]], "usual");
  const variety = select("rules", "field.rules", names.map((name) => [name, t(`rules.${name}`)]), last.rules ?? "chess");
  const gifts = ["them", "me"].flatMap((giver) => GIFTS.map((gift) => `${giver}-${gift}`));
  const odds = select("odds", "field.odds", [["", t("odds.none")], ...gifts.map((gift) => [gift, t(`odds.${gift}`)])], last.odds ?? "");
  const update = () => {
    odds.hidden = start.querySelector("select").value !== "usual" || !withOdds.includes(variety.querySelector("select").value);
    odds.querySelector("select").disabled = odds.hidden;
    eloLine.hidden = opponent.querySelector("select").value !== "elo";
    elo.disabled = eloLine.hidden;
    fenLine.hidden = start.querySelector("select").value !== "fen";
    fen.disabled = fenLine.hidden;
  };
  for (const field of [variety, opponent, start]) field.addEventListener("change", update);
  update();
  const parts = [
    variety,
    select("colour", "field.colour", ["white", "black", "either"].map((colour) => [colour, t(colour)]), last.colour ?? "white"),
    opponent, eloLine,
    select("clock", "field.clock", [["", t("field.no-clock")], ...CLOCKS.map((clock) => [clock, clock])], last.clock ?? ""),
    start, fenLine, odds,
  ];
  let made = null;
  const take = async (fields) => { made = await make(fields); };
  await open(t("menu.new"), parts, [submit("ok", "button.start"), cancel("button.cancel")], { take });
  return made;
}

/** Asks for a text with a game or a position, until `read(text, rules)` finds one; null without. `rules` are the names of
 * the rule sets. */
export async function openText(rules, read) {
  const area = html("textarea", { name: "text", rows: 8, spellcheck: "false" });
  const file = html("input", { type: "file", accept: ".pgn,.fen,.epd,.txt,text/plain" });
  file.addEventListener("change", async () => { area.value = await (file.files[0]?.text() ?? ""); });
  const variety = select("rules", "field.rules-of-text", rules.map((name) => [name, t(`rules.${name}`)]), "chess");
  variety.className = "tall";
  const parts = [html("label", { class: "tall" }, html("span", {}, t("field.text")), area), html("label", { class: "tall" }, html("span", {}, t("field.file")), file), variety];
  let found = null;
  const take = async (fields) => { found = await read(fields.text, fields.rules); };
  await open(plain("menu.open"), parts, [submit("ok", "menu.open"), cancel("button.cancel")], { take });
  return found;
}

/** Shows a text to copy or download. */
export async function save(pgn, fen, onCopy) {
  const area = html("textarea", { rows: 10, readonly: true, "aria-label": "PGN" }, pgn);
  const line = html("input", { readonly: true, value: fen, "aria-label": "FEN" });
  const copy = button("button.copy", async () => { area.select(); await navigator.clipboard?.writeText(pgn).then(onCopy, () => {}); });
  const answer = await open(plain("menu.save"), [area, html("label", { class: "tall" }, html("span", {}, "FEN"), line)],
    [submit("download", "button.download"), copy, cancel("button.close")]);
  return answer?.button === "download";
}

/** What is known of the person's strength by rule set, and the way to forget it. */
function strengths(ratings) {
  const { earlier, ...own } = ratings;
  const all = [...Object.entries(own), ...Object.entries(earlier ? { earlier } : {})];
  const lines = all.map(([rules, known]) => {
    const [elo, error] = known.map((number) => Math.round(number / 10) * 10);
    return html("p", { class: "strength" }, t("status.rating", { rules: t(`rules.${rules}`), elo, error }));
  });
  if (!lines.length) return [];
  // No button that Enter presses.
  const forget = html("button", { type: "button", onclick: (event) => event.target.closest("dialog").close("forget") }, t("button.forget"));
  return [...lines, html("p", { class: "buttons" }, forget)];
}

/** Asks for the settings; the answer also tells whether everything is to be saved or loaded. Null without. */
export async function settings(now, version) {
  const parts = [
    select("lang", "field.language", [["en", "English"], ["es", "Español"]], now.lang),
    select("theme", "field.theme", ["auto", "light", "dark"].map((theme) => [theme, t(`field.theme-${theme}`)]), now.theme),
    check("bar", "field.bar", now.bar), check("warn", "field.warn", now.warn),
    check("thoughts", "field.thoughts", now.thoughts), check("coordinates", "field.coordinates", now.coordinates),
    check("sounds", "field.sounds", now.sounds),
    ...strengths(now.ratings),
    html("p", { class: "buttons" }, submit("export", "button.export"), submit("import", "button.import")),
    html("p", { class: "version" }, `Ajedrecista ${version} · GPL-3.0-or-later`),
  ];
  const answer = await open(t("menu.settings"), parts, [submit("ok", "button.apply"), cancel("button.cancel")]);
  if (!answer) return null;
  const { fields } = answer;
  const chosen = { lang: fields.lang, theme: fields.theme };
  for (const name of ["bar", "warn", "thoughts", "coordinates", "sounds"]) chosen[name] = name in fields;
  return { chosen, button: answer.button };
}

/** Asks for a file, and reads it. */
export function chooseFile() {
  return new Promise((resolve) => {
    const input = html("input", { type: "file", accept: ".json,application/json" });
    input.addEventListener("change", async () => resolve(await input.files[0]?.text()));
    input.addEventListener("cancel", () => resolve(null));
    input.click();
  });
}
