//! What plays: rules, evaluation, search, levels, books and the UCI conversation.
//!
//! This crate needs no other of the program, no file and no terminal: it compiles for a browser, too.
//! Imports point only downward, and a test holds it. In reading order, each module after those that it uses:
//!
//! 1. [`score`]: centipawns and mates on one scale. [`limits`]: the limits of a search. [`remark`]: what is said of
//!    input, apart from its words. [`input`]: files and lines from outside, in bounded memory. [`logging`]: what the
//!    engine tells of its work.
//! 2. [`rules`]: the rules of chess and seven variants (shakmaty's) with what a search needs; games; FENs
//!    as clients really write them.
//! 3. [`evaluation`]: material, king safety, king proximity, and the explanation of each. One file for each
//!    rule set in [`evaluation::variants`].
//! 4. [`tablebase`]: endgame tables.
//! 5. [`search`]: from a game and limits to a move. [`search::Searcher`] is the one entrance.
//! 6. [`pgn`]: games as they are written. [`book`]: moves and names of openings.
//! 7. [`play`]: who plays: levels and their depth policy (DDAαβ), limited strength, the opponent model, the time of a
//!    person; and the rating of a player.
//! 8. [`mod@bench`]: a fixed piece of work for the search. It shows whether a change alters anything.
//! 9. [`settings`]: every option, declared once.
//! 10. [`player`]: a player that never blocks, made of all this; it knows no protocol.
//! 11. [`uci`]: a conversation with a client.
//!
//! To learn how a move is found, begin with [`search`]; how it is evaluated, with [`evaluation`]; how a
//! client is answered, with [`uci`].
//!
//! ```
//! use engine::evaluation::Evaluation;
//! use engine::limits::Limits;
//! use engine::rules::Game;
//! use engine::search::report::Silent;
//! use engine::search::{Options, Searcher};
//! use shakmaty::{Chess, Position};
//!
//! let game = Game::new(Chess::default());
//! let mut searcher = Searcher::new(Evaluation::default(), Options::default(), 1)?;
//! let outcome = searcher.search(&game, &Limits::depth(4), &mut Silent);
//! assert_eq!(outcome.depth, 4);
//! assert!(game.position().legal_moves().contains(&outcome.best.unwrap()));
//! # Ok::<_, engine::search::table::OutOfMemoryError>(())
//! ```

pub mod bench;
pub mod book;
pub mod evaluation;
pub mod input;
pub mod limits;
pub mod logging;
pub mod pgn;
pub mod play;
pub mod player;
pub mod remark;
pub mod rules;
pub mod score;
pub mod search;
pub mod settings;
pub mod tablebase;
pub mod uci;
