//! The games of the laboratory.

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
