//! The games of the laboratory.

pub mod bounded;
mod cell;
pub mod chess;
pub mod connect_four;
pub mod order;
pub mod othello;
pub mod random_tree;
pub mod ratio;
pub mod tic_tac_toe;
pub mod tree;
pub mod trio;

/// The methods of a game that wraps another one in its field `game`, as far as they lead to no other position.
macro_rules! judged_by_its_game {
    () => {
        judged_by_its_game! {
            turn() -> Side;
            value() -> Value;
            key() -> u64;
            unit() -> Value;
            opening_breadth() -> usize;
            promise(m: Move) -> Value;
            is_forcing(m: Move) -> bool;
            is_tense() -> bool;
            is_critical() -> bool;
            lacks_estimate() -> bool;
            name(m: Move) -> String;
            read(text: &str, letters: &str) -> Option<Move>;
            board() -> Option<Board>;
            show(value: Value) -> String;
            players() -> usize;
            mover() -> usize;
            values() -> Vec<Value>;
        }
    };
    ($($method:ident($($argument:ident: $kind:ty),*) -> $result:ty;)*) => {
        $(fn $method(&self $(, $argument: $kind)*) -> $result {
            self.game.$method($($argument),*)
        })*
    };
}
use judged_by_its_game;
