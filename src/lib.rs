//! Ajedrecista, a UCI chess engine: the library behind the program `engine`.
//!
//! # The rooms, in reading order
//!
//! Imports point only downward in this house, and a test holds it. So it can be read from
//! the ground up, each room with what was read before:
//!
//! 0. [`shell`]: tables, progress and output files, shared by all commands.
//! 1. [`score`]: what a position is worth, in centipawns or in moves to mate.
//! 2. [`limits`]: what a search may spend.
//! 3. [`rules`]: the rules of chess, which are shakmaty's, as a search asks about them;
//!    positions on their way through a game; FENs as clients really write them.
//! 4. [`evaluation`]: material, king safety, king proximity, and how each is explained.
//! 5. [`tablebase`]: what endgame tables know.
//! 6. [`search`]: from a game and limits to a move. [`search::run`] is the one entrance.
//! 7. [`mod@bench`] and [`arena`]: a fixed piece of work for the search, and games of the engine
//!    against itself. One says whether a change changed anything, the other whether it gains.
//! 8. [`training`]: games written down, and the evaluation's tables fitted to them.
//! 9. [`levels`]: how far ahead a level looks; how deep it then searches is decided in
//!    [`search::depth_policy`].
//! 10. [`book`]: moves and names of openings; books made of games.
//! 11. [`settings`]: every option, declared once.
//! 12. [`engine`]: a player that never blocks, made of all this; it knows no protocol.
//! 13. [`protocol`]: a conversation with a client in UCI.
//! 14. [`lab`]: the textbook's algorithms one by one, on several games, for lessons. It uses the
//!     rules and the evaluation and nothing of the search.
//! 15. [`commands`]: what the program does from a shell. The command line's words are in
//!     `cli.rs`, beside `main.rs`.
//!
//! Whoever wants to know how a move comes about begins with [`search`]; how it is judged,
//! with [`evaluation`]; how a client is answered, with [`protocol`].
//!
//! ```
//! use ajedrecista::limits::Limits;
//! use ajedrecista::rules::Game;
//! use ajedrecista::search::report::Silent;
//! use ajedrecista::search::table::Table;
//! use ajedrecista::search::{self, Memory, Options, Shared};
//! use ajedrecista::settings::Settings;
//! use shakmaty::Chess;
//!
//! let game = Game::new(Chess::default());
//! let outcome = search::run(
//!     &game,
//!     &Limits::depth(4),
//!     &Options::default(),
//!     &Settings::default().evaluator(),
//!     &Shared::new(Table::new(1)?),
//!     &mut Memory::default(),
//!     &mut Silent,
//! );
//! assert_eq!(outcome.depth, 4);
//! assert!(game.position().legal_moves().contains(&outcome.best.unwrap()));
//! # use shakmaty::Position;
//! # Ok::<_, search::table::OutOfMemory>(())
//! ```
//!
//! # The sources' words
//!
//! The papers that the project builds on are in Spanish. Their words, and those of the field:
//!
//! | in the sources | in this code |
//! | --- | --- |
//! | espera del reposo | quiescence search |
//! | bajada progresiva | iterative deepening |
//! | poda de inutilidades | futility pruning |
//! | búsqueda sesgada | late-move reductions and late-move pruning |
//! | continuación heurística | extensions (a check, a singular move) |
//! | búsqueda secundaria | verification of a move by a deeper search |
//! | movimiento nulo, verificado | null move, verified null move |
//! | tablas de transposición | transposition table |
//! | refuerzo de juegos anteriores | history; a book that learns |
//! | qué tan protegido está el rey (BRP, NRP) | king safety, of White and of Black |
//! | qué tan cerca están las piezas contrarias (BAR, NAR) | king proximity, of White and of Black |
//! | movimientos de libro | opening book, endgame tablebases |
//! | aspiration search, NegaMax, NegaScout | the same; NegaScout is also called PVS |

#![deny(unsafe_code)]
#![warn(missing_docs)]

pub mod arena;
pub mod bench;
pub mod book;
pub mod commands;
pub mod engine;
pub mod evaluation;
pub mod lab;
pub mod levels;
pub mod limits;
pub mod protocol;
pub mod rules;
pub mod score;
pub mod search;
pub mod settings;
pub mod shell;

pub mod tablebase;
pub mod training;
