//! The laboratory: every algorithm of the sources, side by side, on real games, with counts, and with
//! trees that play themselves.
//!
//! A course with pictures, in English and Spanish, is in `docs/laboratory.md` and
//! `docs/laboratorio.md`; this page is the same course for readers of the code.
//!
//! # A short course in game search
//!
//! A game is a [`game::Game`]: the side to move, the moves, the positions after them, and a worth.
//! An algorithm is a function of a [`game::Position`], a depth and a [`watch::Watch`], to which it
//! reports its steps. Read in this order; each file is a page, and begins with its source and its
//! idea in three sentences.
//!
//! 1. **Everything.** [`algorithms::minimax`] looks at every node. [`algorithms::negamax`] is the
//!    same with one function instead of two; [`algorithms::max_n`] is the same for more players.
//! 2. **Nothing that cannot matter.** [`algorithms::alpha_beta`] leaves out moves that the player
//!    above would not let happen; [`algorithms::trujillo`] and [`algorithms::lania`] do so with less
//!    knowledge; [`algorithms::fail_hard`] and [`algorithms::fail_soft`] differ in the value that
//!    they give outside the window. All that follows rests on this.
//! 3. **Narrow questions.** [`algorithms::aspiration`] expects a value, [`algorithms::negascout`]
//!    expects the first move to be the best, [`algorithms::mt`] asks only "more or less?".
//! 4. **Best first.** [`algorithms::sss_star`] keeps a list of states and works on the most
//!    promising; `mt` shows that the same can be had with alpha-beta and a table.
//! 5. **Memory and order.** [`algorithms::alpha_beta_table`] searches a position once,
//!    [`algorithms::alpha_beta_history`] trusts moves that cut off elsewhere,
//!    [`algorithms::iterative_deepening`] learns from each round, and
//!    [`algorithms::negascout_table`] is all of it. The worth of order can be tried with
//!    [`games::order`].
//! 6. **Where to stop.** A fixed depth has a horizon: [`algorithms::quiescence`] waits for rest,
//!    [`algorithms::heuristic_continuation`] looks further into critical leaves, both in the sources' own
//!    words too: [`algorithms::quiescence_by_value`], [`algorithms::continuation_by_levels`];
//!    [`algorithms::secondary`] into the chosen move. [`algorithms::depth_budget`] and [`dda`]
//!    spend depth by the number of moves.
//! 7. **Guesses.** These are no longer minimax, and [`compare`] says how often and by how much they
//!    differ: [`algorithms::null_move`], [`algorithms::futility`], [`algorithms::ranked_pruning`],
//!    [`algorithms::biased`], [`algorithms::crash_cut`], and [`algorithms::opponent_model`], which
//!    differs on purpose; [`style`] learns what that one is told. Their numbers are [`constants`].
//!
//! # How a search becomes words, pictures and pages
//!
//! [`watch`] is the one stream of events. [`tracker`] adds the path and the meaning of each value;
//! [`narrator`] puts a step into words, in the language of [`texts`]; [`record`] writes it all down;
//! [`snapshot`] and [`drawing`] make pictures of a record, [`mod@page`] a page that plays it, [`quiz`] a
//! sheet of exercises. [`claims`] holds the sources' statements against measurements.
//!
//! # Glossary
//!
//! | the sources' Spanish | here |
//! | --- | --- |
//! | espera del reposo | [`algorithms::quiescence`] |
//! | bajada progresiva | [`algorithms::iterative_deepening`] |
//! | poda de inutilidades | [`algorithms::futility`] |
//! | búsqueda sesgada | [`algorithms::biased`] |
//! | continuación heurística | [`algorithms::heuristic_continuation`] |
//! | búsqueda secundaria | [`algorithms::secondary`] |
//! | movimiento nulo, verificado | [`algorithms::null_move`] |
//! | aspiration search, NegaMax, NegaScout, SSS\* | the same |
//! | poda heurística g(N), Factor(hijo) = Factor(padre) − Rango | [`algorithms::ranked_pruning`] |
//! | corte agresivo, crash cut | [`algorithms::crash_cut`] |
//! | MiniMax dependiente del adversario | [`algorithms::opponent_model`] |
//! | juegos multijugador | [`algorithms::max_n`] |
//! | ajuste dinámico de profundidad | [`dda`], [`algorithms::depth_budget`] |
//! | tablas de transposición | the tables of [`algorithms::iterative_deepening`] and [`algorithms::mt`] |
//! | nodo hoja, ramificación, profundidad | leaf, breadth, depth (in plies) |
//!
//! The laboratory knows the engine's rules and evaluation and nothing of its search: the
//! engine's own search at speed is in `search`; here the same ideas stand one by one.

pub mod algorithms;
pub mod claims;
pub mod compare;
pub mod constants;
pub mod contest;
pub mod contest_figure;
pub mod dda;
pub mod drawing;
pub mod figures;
pub mod game;
pub mod games;
pub mod leaves_figure;
pub mod moves;
pub mod narrator;
pub mod page;
pub mod quiz;
pub mod record;
pub mod snapshot;
pub mod style;
pub mod style_games;
pub mod texts;
pub mod tracker;
pub mod watch;
