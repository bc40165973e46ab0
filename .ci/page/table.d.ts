// What wasm-bindgen makes of crates/web/src/worker.rs, as far as the worker uses it.
export class WorkerTable {
  answer(question: string): string;
  supply(bytes: Uint8Array): boolean;
}
export function initSync(options: { module: WebAssembly.Module }): void;
