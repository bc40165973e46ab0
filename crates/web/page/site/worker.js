// The engine in a worker: it answers one question after another.
import { WorkerTable, initSync } from "./table.js";

let table;

self.addEventListener("message", (/** @type {MessageEvent} */ { data }) => {
  if (data.kind === "begin") {
    initSync({ module: data.module });
    table = new WorkerTable();
  } else if (data.kind === "supply") {
    table.supply(new Uint8Array(data.bytes));
  } else {
    try {
      self.postMessage({ id: data.id, answer: table.answer(data.question) });
    } catch (fault) {
      self.postMessage({ id: data.id, fault: String(fault) });
    }
  }
});
