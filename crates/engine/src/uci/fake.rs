//! A player for tests of the session. It knows the rules, reports the first legal move, and searches
//! exactly as long as its limits allow.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError};
use std::thread::{self, JoinHandle};
use web_time::{Duration, Instant};

use shakmaty::uci::UciMove;
use shakmaty::{Bitboard, ByColor, CastlingMode, Chess, Color, Position};

use crate::evaluation::{Breakdown, Tapered, Term, TermKind};
use crate::limits::Limits;
use crate::player::{ConfigureError, Configured, Listener, Player, PositionView};
use crate::remark::Remark;
use crate::rules::Game;
use crate::rules::notation::{self, MoveError};
use crate::rules::setup::{self, SetupError, Start};
use crate::score::Score;
use crate::search::report::{Bound, Outcome, Report};
use crate::search::table::{OutOfMemoryError, TranspositionTable};
use crate::settings::Settings;

/// A table beyond this size, in MiB, is too big for the player.
pub const MEMORY_MB: usize = 1000;

/// The requests to the player, in order.
pub type Journal = Arc<Mutex<Vec<String>>>;

/// The player of this module's tests.
pub struct FakePlayer {
    game: Game<Chess>,
    stop: Arc<AtomicBool>,
    pondering: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
    journal: Journal,
}

impl FakePlayer {
    /// A player that records its requests in `journal`.
    pub fn new(journal: Journal) -> FakePlayer {
        FakePlayer {
            game: Game::new(Chess::default()),
            stop: Arc::default(),
            pondering: Arc::default(),
            thread: None,
            journal,
        }
    }

    fn note(&self, text: &str) {
        self.journal.lock().unwrap_or_else(PoisonError::into_inner).push(text.to_string());
    }
}

impl Player for FakePlayer {
    fn set_position(&mut self, start: &Start, moves: &[String]) -> Result<Vec<String>, SetupError> {
        self.note("position");
        let (game, remarks) = setup::game(start, moves, shakmaty::CastlingMode::Standard)?;
        self.game = game;
        Ok(remarks.iter().map(ToString::to_string).collect())
    }

    fn go(&mut self, limits: Limits, mut listener: Box<dyn Listener>) {
        self.stop();
        self.wait();
        self.note("go");
        self.stop.store(false, Ordering::Relaxed);
        self.pondering.store(limits.ponder, Ordering::Relaxed);
        let (stop, pondering) = (Arc::clone(&self.stop), Arc::clone(&self.pondering));
        let best = self.game.position().legal_moves().first().copied();
        self.thread = Some(thread::spawn(move || {
            let started = Instant::now();
            let score = Score::DRAW;
            listener.variation(&Report {
                depth: 1,
                selective_depth: 1,
                multipv: 1,
                score,
                bound: Bound::Exact,
                is_drawn: false,
                nodes: 1,
                time_ms: 0,
                hashfull: 0,
                tbhits: 0,
                pv: best.into_iter().collect(),
            });
            let time = Duration::from_millis(limits.move_time.unwrap_or(0).unsigned_abs());
            let is_held = || limits.infinite || pondering.load(Ordering::Relaxed);
            while !stop.load(Ordering::Relaxed) && (is_held() || started.elapsed() < time) {
                thread::sleep(Duration::from_millis(1));
            }
            listener.finished(&Outcome::unsearched(best, score));
        }));
    }

    fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    fn ponder_hit(&self) {
        self.pondering.store(false, Ordering::Relaxed);
    }

    fn wait(&mut self) {
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap();
        }
    }

    fn new_game(&mut self) {
        self.note("new game");
    }

    fn clear_table(&mut self) {
        self.note("clear");
    }

    fn configure(&mut self, settings: &Settings) -> Configured {
        let megabytes = settings.hash_mb;
        self.note(&format!("hash {megabytes}"));
        let is_refused = megabytes > MEMORY_MB;
        let error = is_refused.then_some(ConfigureError::Hash(OutOfMemoryError { megabytes }));
        Configured { remarks: Vec::new(), errors: error.into_iter().collect() }
    }

    fn view(&self) -> PositionView {
        self.note("view");
        let position = self.game.position();
        PositionView {
            board: position.board().clone(),
            fen: setup::fen(position),
            key: 0,
            checkers: Bitboard::EMPTY,
            opening: None,
            end: None,
        }
    }

    fn read_move(&self, text: &str) -> Result<UciMove, MoveError> {
        let m = notation::read_move(self.game.position(), text)?;
        Ok(m.to_uci(CastlingMode::Chess960))
    }

    fn explain(&self) -> Breakdown {
        let term =
            Term { kind: TermKind::Own("a term"), value: ByColor::new_with(|_| Tapered::ZERO) };
        Breakdown { terms: vec![term], phase: 0, turn: Color::White, pieces: Vec::new() }
    }

    fn flip(&mut self) -> Result<(), SetupError> {
        Err(SetupError(Remark::new("fault.mirror", [])))
    }

    fn perft(&self, depth: u32) -> Vec<(String, u64)> {
        let position = self.game.position();
        let count = |m| {
            let mut after = position.clone();
            after.play_unchecked(m);
            shakmaty::perft(&after, depth.saturating_sub(1))
        };
        let moves = position.legal_moves();
        moves.iter().map(|&m| (m.to_uci(CastlingMode::Standard).to_string(), count(m))).collect()
    }

    fn is_chess960(&self) -> bool {
        false
    }

    fn release_table(&mut self) -> Option<TranspositionTable> {
        None
    }
}
