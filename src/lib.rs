//! Ajedrecista, a UCI chess engine: the library behind the program `engine`, and the map of its crates.
//!
//! # The crates, in reading order
//!
//! Each uses only crates above it in this list.
//!
//! 1. [`engine`]: what plays, alone: rules, evaluation, search, levels, limited strength, UCI.
//! 2. [`shell`]: tables, progress, pages, texts and output files.
//! 3. [`analysis`]: positions and games judged, with the reason of every mistake.
//! 4. [`workshop`]: matches, training, book making, files of games annotated.
//! 5. [`lab`]: textbook algorithms one by one, on several games, for lessons, without the search.
//! 6. [`web`]: a board in the browser: the table at which one plays, and its page.
//! 7. [`commands`]: the commands of the program, one file each.
//!
//! To learn how a move is found, begin with [`engine::search`]; how it is evaluated, with
//! [`engine::evaluation`]; how a client is answered, with [`engine::uci`]. `CONTRIBUTING.md` has a finer map
//! and recipes for changes.
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

pub mod commands;
