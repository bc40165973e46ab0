//! The engine: a façade that knows games, options and searches, and no protocol.
//!
//! A [`Player`] never blocks: `go` starts a search on a thread of its own and
//! returns, `stop` and `ponder_hit` only set flags that the search looks at.

mod any_rules;

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, EnPassantMode, File, Move, Rank, Square};

use crate::book::own::OwnBook;
use crate::book::{BookFault, names};
use crate::evaluation::{Evaluator, KingRelative};
use crate::limits::Limits;
use crate::rules::setup::{self, SetupFault, Start};
use crate::rules::{Game, Rules, perft};
use crate::score::Score;
use crate::search::report::{Outcome, Reporter};
use crate::search::table::{OutOfMemory, Table};
use crate::search::{self, Memory, Options, STACK, Shared};
use crate::settings::Settings;
use crate::tablebase::{Opened, TablebaseFault, Tables};

pub use any_rules::AnyRules;

/// Receives a search's variations and, exactly once, at its end, its outcome.
pub trait Listener: Reporter + Send {
    /// The search is over. Called once, after the last report, on the search's thread; for a move
    /// from the book, before [`Player::go`] returns.
    fn finished(&mut self, outcome: &Outcome);
}

/// A setting that could not be taken over: the engine keeps what it had in its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConfigureFault {
    /// A transposition table too big to be had.
    Table(OutOfMemory),
    /// A file that is no book.
    Book(BookFault),
    /// A folder that cannot be read.
    Endgames(TablebaseFault),
}

impl fmt::Display for ConfigureFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ConfigureFault::Table(fault) => fault.fmt(f),
            ConfigureFault::Book(fault) => fault.fmt(f),
            ConfigureFault::Endgames(fault) => fault.fmt(f),
        }
    }
}

impl std::error::Error for ConfigureFault {}

/// An engine of any rule set, as a session sees it.
pub trait Player: Send {
    /// Sets up a position and plays the moves that led from it. Returns remarks on what was
    /// forgiven.
    ///
    /// # Errors
    /// A position or move that cannot be played; the game stays as it was.
    fn set_position(&mut self, start: &Start, moves: &[String]) -> Result<Vec<String>, SetupFault>;

    /// Starts a search of the current position and returns at once. The outcome is held back
    /// as [`Limits::infinite`] and [`Limits::ponder`] demand. A search under way is stopped first.
    fn go(&mut self, limits: Limits, listener: Box<dyn Listener>);

    /// Ends the search soon; does nothing when idle.
    fn stop(&self);

    /// The opponent played the expected move: the clock of a pondering search now counts.
    fn ponder_hit(&self);

    /// Waits until no search runs and its outcome has been delivered.
    fn wait(&mut self);

    /// Forgets everything learnt from earlier searches. Stops a search first.
    fn new_game(&mut self);

    /// Forgets the contents of the transposition table.
    fn clear_table(&mut self);

    /// Takes over changed settings. Returns what there is to say of them.
    ///
    /// # Errors
    /// A table of the new size that cannot be had, a file that is no book, a folder of endgame
    /// tables that cannot be read. The old one is kept then, and everything else takes effect.
    fn configure(&mut self, settings: &Settings) -> Result<Vec<String>, ConfigureFault>;

    /// The current position as a picture in letters, with FEN, key and checkers.
    fn display(&self) -> String;

    /// The current position as FEN.
    fn fen(&self) -> String;

    /// The evaluation of the current position, term by term.
    fn explain(&self) -> String;

    /// Swaps the colours of the current position.
    ///
    /// # Errors
    /// A position that has no mirror image.
    fn flip(&mut self) -> Result<(), SetupFault>;

    /// Leaf counts `depth` plies deep, by root move in UCI notation.
    fn perft(&self, depth: u32) -> Vec<(String, u64)>;

    /// True under Chess960, where castling is written as king takes rook.
    fn is_chess960(&self) -> bool;
}

/// Holds an outcome back until it may be told.
#[derive(Default)]
struct Gate {
    open: Mutex<bool>,
    opened: Condvar,
}

impl Gate {
    fn open(&self) {
        *self.open.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.opened.notify_all();
    }

    fn pass(&self) {
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        drop(self.opened.wait_while(open, |open| !*open).unwrap_or_else(PoisonError::into_inner));
    }
}

/// A search under way.
struct Thinking {
    thread: JoinHandle<Memory>,
    gate: Arc<Gate>,
    infinite: bool,
}

/// The engine for one rule set.
pub struct Engine<P: Rules> {
    game: Game<P>,
    shared: Arc<Shared>,
    megabytes: usize,
    evaluator: KingRelative,
    options: Options,
    castling: CastlingMode,
    book: OwnBook,
    endgames: Option<Arc<Tables>>,
    /// The folders that they are from.
    endgame_path: String,
    /// Lent to the search while one runs.
    history: Option<Memory>,
    thinking: Option<Thinking>,
}

impl<P: Rules> Engine<P> {
    /// An engine at the rule set's starting position.
    ///
    /// # Errors
    /// [`OutOfMemory`] if not even the table of the default size can be had.
    pub fn new(settings: &Settings) -> Result<Engine<P>, OutOfMemory> {
        let table = Table::new(settings.hash_mb)?;
        Ok(Engine {
            game: Game::new(P::default()),
            shared: Arc::new(Shared::new(table)),
            megabytes: settings.hash_mb,
            evaluator: settings.evaluator(),
            options: settings.search_options(None),
            castling: settings.castling_mode(),
            book: OwnBook::new(settings.book_options()),
            endgames: None,
            endgame_path: String::new(),
            history: Some(Memory::default()),
            thinking: None,
        })
    }

    /// Ends the search, if there is one, and waits for its outcome to be told.
    fn interrupt(&mut self) {
        Player::stop(self);
        self.wait();
    }

    /// From now on reads and writes castling by the rules of `mode`; a game that has not begun
    /// begins anew by them.
    fn castle_by(&mut self, mode: CastlingMode) {
        if mode != self.castling {
            self.castling = mode;
            if self.game.past().is_empty() {
                let setup = self.game.position().to_setup(EnPassantMode::Always);
                let position = setup.position(mode);
                self.game = position.map_or_else(|_| self.game.clone(), Game::new);
            }
        }
    }

    /// The move to play without a search, with what there is to say about it: the book's, if a game
    /// is played.
    fn book_move(&self, limits: &Limits) -> Option<(Outcome, String)> {
        let is_timed = limits.name_a_time() || self.options.depth_policy.is_some();
        if !limits.leave_the_move_free() || !is_timed {
            return None;
        }
        let choice = self.book.choose(&self.game)?;
        let outcome = Outcome::unsearched(Some(choice.m), Score::DRAW);
        Some((Outcome { ponder: choice.reply, ..outcome }, choice.remark))
    }

    /// Opens the endgame tables in the folders of `path`, unless they are open.
    fn open_endgames(&mut self, path: &str) -> Result<Vec<String>, TablebaseFault> {
        if path == self.endgame_path {
            return Ok(Vec::new());
        }
        let opened =
            if path.is_empty() { Opened::default() } else { Tables::open(P::VARIANT, path)? };
        self.endgame_path = path.to_string();
        self.endgames = opened.tables.map(Arc::new);
        Ok(opened.remarks)
    }

    fn resize(&mut self, megabytes: usize) -> Result<(), OutOfMemory> {
        if megabytes != self.megabytes {
            self.shared = Arc::new(Shared::new(Table::new(megabytes)?));
            self.megabytes = megabytes;
        }
        Ok(())
    }
}

/// What a search thread needs, all of it its own or shared for good.
struct Errand<P> {
    game: Game<P>,
    limits: Limits,
    options: Options,
    evaluator: KingRelative,
    shared: Arc<Shared>,
    gate: Arc<Gate>,
}

impl<P: Rules> Errand<P> {
    /// Searches, waits until the outcome may be told, and tells it. A search that panics
    /// is answered for with the first legal move: a bad move loses less than no move.
    fn run(self, mut history: Memory, mut listener: Box<dyn Listener>) -> Memory {
        let searched = catch_unwind(AssertUnwindSafe(|| {
            search::run(
                &self.game,
                &self.limits,
                &self.options,
                &self.evaluator,
                &self.shared,
                &mut history,
                &mut *listener,
            )
        }));
        let mut outcome = searched.unwrap_or_else(|_| {
            listener.remark("the search failed: this is a fault of the engine, please report it");
            history.clear();
            let best = self.game.position().legal_moves().first().copied();
            Outcome::unsearched(best, Score::DRAW)
        });
        if outcome.best.is_none_or(|best| is_last(&self.game, best)) {
            outcome.ponder = None;
        }
        self.gate.pass();
        listener.finished(&outcome);
        history
    }
}

/// True if the game ends with the move `m`, so that there is no reply to expect.
fn is_last<P: Rules>(game: &Game<P>, m: Move) -> bool {
    let mut after = game.clone();
    after.play(m);
    after.position().is_game_over() || after.draw_reason().is_some()
}

impl<P: Rules> Player for Engine<P> {
    fn set_position(&mut self, start: &Start, moves: &[String]) -> Result<Vec<String>, SetupFault> {
        self.interrupt();
        let (game, remarks) = setup::game(start, moves, self.castling)?;
        self.game = game;
        Ok(remarks)
    }

    fn go(&mut self, limits: Limits, mut listener: Box<dyn Listener>) {
        self.interrupt();
        if let Some((outcome, remark)) = self.book_move(&limits) {
            listener.remark(&remark);
            return listener.finished(&outcome);
        }
        self.shared.stop.store(false, Relaxed);
        self.shared.pondering.store(limits.ponder, Relaxed);
        let gate = Arc::new(Gate::default());
        let infinite = limits.infinite;
        if !infinite && !limits.ponder {
            gate.open();
        }
        let errand = Errand {
            game: self.game.clone(),
            limits,
            options: self.options.clone(),
            evaluator: self.evaluator.clone(),
            shared: Arc::clone(&self.shared),
            gate: Arc::clone(&gate),
        };
        let history = self.history.take().unwrap_or_default();
        let thread = thread::Builder::new()
            .name("search".to_string())
            .stack_size(STACK)
            .spawn(move || errand.run(history, listener));
        self.thinking = thread.ok().map(|thread| Thinking { thread, gate, infinite });
    }

    fn stop(&self) {
        self.shared.stop.store(true, Relaxed);
        self.shared.pondering.store(false, Relaxed);
        if let Some(thinking) = &self.thinking {
            thinking.gate.open();
        }
    }

    fn ponder_hit(&self) {
        self.shared.pondering.store(false, Relaxed);
        if let Some(thinking) = &self.thinking
            && !thinking.infinite
        {
            thinking.gate.open();
        }
    }

    fn wait(&mut self) {
        if let Some(thinking) = self.thinking.take() {
            self.history = thinking.thread.join().ok();
        }
    }

    fn new_game(&mut self) {
        self.interrupt();
        self.history = Some(Memory::default());
        self.shared.table.clear();
    }

    fn clear_table(&mut self) {
        self.interrupt();
        self.shared.table.clear();
    }

    fn configure(&mut self, settings: &Settings) -> Result<Vec<String>, ConfigureFault> {
        self.interrupt();
        let remarks = self.open_endgames(&settings.syzygy_path);
        self.options = settings.search_options(self.endgames.as_ref());
        self.castle_by(settings.castling_mode());
        let evaluator = settings.evaluator();
        if evaluator != self.evaluator {
            // Scores of the old evaluation would mislead the new one.
            self.evaluator = evaluator;
            self.shared.table.clear();
        }
        let book = self.book.configure(settings.book_options());
        self.resize(settings.hash_mb).map_err(ConfigureFault::Table)?;
        book.map_err(ConfigureFault::Book)?;
        remarks.map_err(ConfigureFault::Endgames)
    }

    fn display(&self) -> String {
        let mut text = String::new();
        let board = self.game.position().board();
        for rank in Rank::ALL.into_iter().rev() {
            let row: Vec<String> = File::ALL
                .into_iter()
                .map(|file| {
                    board
                        .piece_at(Square::from_coords(file, rank))
                        .map_or('.', |piece| piece.char())
                        .to_string()
                })
                .collect();
            text.push_str(&format!("{} {}\n", rank.char(), row.join(" ")));
        }
        text.push_str("  a b c d e f g h\n\n");
        let now = self.game.now();
        let checkers: Vec<String> =
            now.checkers().into_iter().map(|square| square.to_string()).collect();
        text.push_str(&format!(
            "Fen: {}\nKey: {:016X}\nCheckers: {}",
            self.fen(),
            now.key(),
            checkers.join(" ")
        ));
        if let Some(opening) = names::of(&self.game) {
            text.push_str(&format!("\nOpening: {opening}"));
        }
        if let Some(reason) = self.game.draw_reason() {
            text.push_str(&format!("\nDrawn: {reason}"));
        }
        text
    }

    fn fen(&self) -> String {
        Fen::from_position(self.game.position(), EnPassantMode::Legal).to_string()
    }

    fn explain(&self) -> String {
        self.evaluator.explain(self.game.position()).to_string()
    }

    fn flip(&mut self) -> Result<(), SetupFault> {
        self.interrupt();
        let setup = self.game.position().to_setup(EnPassantMode::Legal).into_mirrored();
        let mode = self.game.position().castles().mode();
        let mirrored = setup.position::<P>(mode).map_err(|fault| SetupFault(fault.to_string()))?;
        self.game = Game::new(mirrored);
        Ok(())
    }

    fn perft(&self, depth: u32) -> Vec<(String, u64)> {
        perft::divide(self.game.position(), depth)
            .into_iter()
            .map(|(m, count)| (m.to_uci(self.castling).to_string(), count))
            .collect()
    }

    fn is_chess960(&self) -> bool {
        self.castling.is_chess960()
    }
}

impl<P: Rules> Drop for Engine<P> {
    fn drop(&mut self) {
        self.interrupt();
    }
}
