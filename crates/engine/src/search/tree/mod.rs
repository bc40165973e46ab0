//! The search tree: one node, its moves, its leaves, and all that shortens or lengthens its lines.

mod extensions;
mod moves;
pub mod node;
pub mod node_kind;
mod pruning;
mod quiescence;
pub mod reductions;
pub mod tt;
pub mod window;
pub mod worker;
