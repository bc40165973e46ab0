// How the page of a static site asks the engine: as WebAssembly in two workers. One answers at once what needs no
// thought; the other thinks, and is ended and started again when it is to stop. Nothing is lost by that, because every
// question names its whole game.

/** Nodes of an evaluation that goes deeper step by step. */
export const DEEPER = [5_000, 30_000, 150_000, 600_000];

/** Questions that need thought. */
const HEAVY = ["play", "hint", "draw", "estimate", "evaluate", "why", "review"];
/** Such questions whose searches need no network. */
const PLAIN = ["tree", "compare"];

let compiled;
const networks = {};

/** The bytes of a file beside the page, which lies there compressed: many hosts send such files as they are. */
async function bytes(name) {
  const response = await fetch(name);
  if (!response.ok) throw new Error(`${name}: ${response.status}`);
  return new Response(response.body.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}

/** The network of a rule set, fetched once. */
function network(rules) {
  networks[rules] ??= bytes(`networks/${rules}.bin`).catch((fault) => {
    delete networks[rules];
    throw fault;
  });
  return networks[rules];
}

/** The answer of a question that nobody waits for any more. */
const stopped = () => Object.assign(new Error("stopped"), { isStopped: true });

/** A worker with the engine, started when it is first asked. */
class Hand {
  constructor() {
    this.waiting = new Map();
    this.count = 0;
    this.worker = null;
    this.started = null;
    /** The rule sets whose networks the worker has. */
    this.supplied = new Set();
  }

  /** Starts the worker, and returns it. */
  async begin() {
    this.supplied = new Set();
    const worker = new Worker("worker.js", { type: "module" });
    this.worker = worker;
    worker.addEventListener("message", ({ data: { id, answer, fault } }) => {
      const promise = this.waiting.get(id);
      this.waiting.delete(id);
      if (fault) {
        // What is left of its memory cannot be trusted.
        if (worker === this.worker) this.end();
        promise?.reject(new Error(fault));
      } else {
        promise?.resolve(answer);
      }
    });
    worker.addEventListener("error", (event) => { if (worker === this.worker) this.end(new Error(event.message || "worker")); });
    worker.postMessage({ kind: "begin", module: await compiled });
    return worker;
  }

  async ask(question, file) {
    this.started ??= this.begin();
    const worker = await this.started;
    if (worker !== this.worker) throw stopped();
    if (file && !this.supplied.has(question.game.rules)) {
      this.supplied.add(question.game.rules);
      worker.postMessage({ kind: "supply", bytes: file });
    }
    const id = (this.count += 1);
    const answered = new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
    worker.postMessage({ kind: "ask", id, question: JSON.stringify(question) });
    const answer = JSON.parse(await answered);
    if (answer.error !== undefined) throw new Error(answer.error);
    return answer.ok;
  }

  /** Ends the worker; the next question starts another. */
  end(fault = /** @type {Error} */ (stopped())) {
    this.worker?.terminate();
    this.worker = this.started = null;
    for (const { reject } of this.waiting.values()) reject(fault);
    this.waiting.clear();
  }
}

const desk = new Hand();
const thinker = new Hand();

/** The answer to a question. */
export async function ask(question) {
  if (PLAIN.includes(question.ask)) return thinker.ask(question);
  if (!HEAVY.includes(question.ask)) return desk.ask(question);
  return thinker.ask(question, await network(question.game.rules));
}

/** Ends the search under way. */
export async function stop() {
  if (thinker.waiting.size) thinker.end();
}

/** Loads the engine, and lets the browser keep the page for the time without a network. The board waits for the program
 * only, so that nothing else is fetched beside it. */
export async function load() {
  const program = bytes("table.bin");
  compiled = program.then((file) => WebAssembly.compile(file));
  program.then(() => network("chess")).catch(() => {});
  await compiled;
  navigator.serviceWorker?.register("sw.js").catch(() => {});
}
