//! Whole conversations with the real program: one test for every rule that clients rely on.

mod client;
mod house_rules;
mod limits;
mod odd_input;
mod options;
mod positions;
mod shell;
