//! Ajedrecista, a UCI chess engine: the library behind the program `engine`.
//!
//! # The modules, in reading order
//!
//! Imports point only downward, and a test holds it. So the source can be read from the ground up, each
//! module after those that it uses:
//!
//! 1. [`score`]: centipawns and mates on one scale. [`limits`]: the limits of a search. [`input`]: files and
//!    lines from outside, in bounded memory.
//! 2. [`rules`]: the rules of chess and seven variants (shakmaty's) with what a search needs; games; FENs
//!    as clients really write them.
//! 3. [`evaluation`]: material, king safety, king proximity, and the explanation of each. One file for each
//!    rule set in [`evaluation::variants`].
//! 4. [`tablebase`]: endgame tables.
//! 5. [`search`]: from a game and limits to a move. [`search::Searcher`] is the one entrance.
//! 6. [`levels`]: levels of play and their depth policy (DDAαβ).
//! 7. [`mod@bench`] and [`arena`]: a fixed piece of work for the search, and games of the engine against
//!    itself. One shows whether a change alters anything, the other whether it gains.
//! 8. [`training`]: recorded games, the tables fitted to them and the network trained on them.
//! 9. [`pgn`]: games as they are written. [`book`]: moves and names of openings; books made of games.
//! 10. [`settings`]: every option, declared once.
//! 11. [`engine`]: a player that never blocks, made of all this; it knows no protocol.
//! 12. [`protocol`]: a conversation with a client in UCI.
//! 13. [`shell`]: tables, progress, pages, texts and output files.
//! 14. [`analysis`]: games annotated, with the reason of every mistake.
//! 15. [`lab`]: textbook algorithms one by one, on several games, for lessons, without the search.
//! 16. [`commands`]: the commands of the program.
//!
//! To learn how a move is found, begin with [`search`]; how it is evaluated, with [`evaluation`]; how a
//! client is answered, with [`protocol`]. `CONTRIBUTING.md` has a finer map and recipes for changes.
//!
//! ```
//! use ajedrecista::evaluation::Evaluation;
//! use ajedrecista::limits::Limits;
//! use ajedrecista::rules::Game;
//! use ajedrecista::search::report::Silent;
//! use ajedrecista::search::{Options, Searcher};
//! use shakmaty::{Chess, Position};
//!
//! let game = Game::new(Chess::default());
//! let mut searcher = Searcher::new(Evaluation::default(), Options::default(), 1)?;
//! let outcome = searcher.search(&game, &Limits::depth(4), &mut Silent);
//! assert_eq!(outcome.depth, 4);
//! assert!(game.position().legal_moves().contains(&outcome.best.unwrap()));
//! # Ok::<_, ajedrecista::search::table::OutOfMemoryError>(())
//! ```
//!
//! # The words of the sources
//!
//! The papers behind the project are in Spanish. Their words, and those of the field:
//!
//! | in the sources | in this code |
//! | --- | --- |
//! | espera del reposo | quiescence search (qsearch) |
//! | bajada progresiva | iterative deepening |
//! | poda de inutilidades | futility pruning |
//! | búsqueda sesgada | late-move reductions (LMR) and late-move pruning (LMP) |
//! | continuación heurística | extensions (a check, a singular move) |
//! | búsqueda secundaria | verification of a move by a deeper search |
//! | movimiento nulo, verificado | null-move pruning (NMP), verified |
//! | tablas de transposición | transposition table (TT) |
//! | refuerzo de juegos anteriores | history; a book that learns |
//! | qué tan protegido está el rey (BRP, NRP) | king safety, of White and of Black |
//! | qué tan cerca están las piezas contrarias (BAR, NAR) | king proximity, of White and of Black |
//! | movimientos de libro | opening book, endgame tablebases |
//! | aspiration search, NegaMax, NegaScout | the same; NegaScout is also called principal variation search (PVS) |

pub mod analysis;
pub mod arena;
pub mod bench;
pub mod book;
pub mod commands;
pub mod engine;
pub mod evaluation;
pub mod input;
pub mod lab;
pub mod levels;
pub mod limits;
pub mod pgn;
pub mod protocol;
pub mod rules;
pub mod score;
pub mod search;
pub mod settings;
pub mod shell;
pub mod tablebase;
pub mod training;
