//! The table in a browser: what a Web Worker calls.
//!
//! A browser gives this program one thread, so that a search cannot be stopped from outside: the page ends the worker
//! and starts another. It loses nothing, because every question names its whole game.

use wasm_bindgen::prelude::wasm_bindgen;

use engine::evaluation::network::{self, Network};

use crate::table::{Effort, Table};

/// Nodes for each position of a review.
const REVIEW_NODES: u64 = 20_000;
/// Most positions that one answer of the laboratory looks at.
const LABORATORY_POSITIONS: u64 = 3_000_000;

/// The table of a worker.
#[wasm_bindgen]
pub struct WorkerTable(Table);

#[wasm_bindgen]
impl WorkerTable {
    /// A table on one thread.
    #[wasm_bindgen(constructor)]
    pub fn new() -> WorkerTable {
        let positions = LABORATORY_POSITIONS;
        WorkerTable(Table::new(Effort { threads: 1, nodes: REVIEW_NODES, positions }))
    }

    /// The answer to a question, both in JSON.
    pub fn answer(&mut self, question: &str) -> String {
        self.0.answer(question)
    }

    /// Takes the network of a rule set, before its first search. False for a file that is none.
    pub fn supply(&mut self, bytes: &[u8]) -> bool {
        Network::read(bytes).is_ok_and(network::supply)
    }
}
