// How the page asks the engine on this machine: one table for each tab, one question at a time.
import { t } from "./dom.js";

/** The number of this tab's table. */
const table = crypto.getRandomValues(new Uint32Array(1))[0];

/** Nodes of an evaluation that goes deeper step by step. */
export const DEEPER = [50_000, 300_000, 2_000_000, 10_000_000];

/** The program has ended. One that was started again has another secret word, and refuses this page. */
const gone = () => Object.assign(new Error(t("status.gone")), { isGone: true });

async function post(path, body) {
  const response = await fetch(`${path}/${table}`, { method: "POST", body }).catch(() => { throw gone(); });
  if (response.status === 403) throw gone();
  if (!response.ok) throw new Error((await response.text()).trim());
  return response;
}

/** The answer to a question. */
export async function ask(question) {
  const answer = await (await post("ask", JSON.stringify(question))).json();
  if (answer.error !== undefined) throw new Error(answer.error);
  return answer.ok;
}

/** Ends the search under way: its question is answered with what is known. */
export async function stop() {
  await post("stop").catch(() => {});
}

/** Nothing has to be loaded. */
export async function load() {}
