// What every page begins with: colours, pieces, words.
import { setTexts } from "./dom.js";
import * as engine from "./engine.js";

/** The language of the browser, if the page speaks it. */
export const language = () => (navigator.language?.startsWith("es") ? "es" : "en");

/** Takes the colours and the language of the settings. */
export function applySettings({ theme, lang }) {
  const isDark = theme === "dark" || (theme === "auto" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.dataset.theme = isDark ? "dark" : "light";
  document.documentElement.lang = lang;
}

/** Puts the pieces into the document, from where boards draw them. */
export async function pieces() {
  const file = await fetch("pieces.svg");
  const sprite = new DOMParser().parseFromString(await file.text(), "image/svg+xml").documentElement;
  document.body.prepend(document.importNode(sprite, true));
}

/** Loads the words of the language, and returns them with what there is to choose from. */
export async function words({ lang }) {
  const found = await engine.ask({ ask: "texts", lang });
  setTexts({ ...found.analysis, ...found.texts });
  return found;
}
