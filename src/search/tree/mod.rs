//! The search tree: one node, its moves, its leaves, and what shortens or lengthens the way.

mod extensions;
pub mod node;
pub mod node_kind;
mod pruning;
mod quiescence;
mod reductions;
pub mod worker;
