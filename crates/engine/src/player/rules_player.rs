//! The player of one rule set.

use std::sync::Arc;

use rand::RngExt;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, CastlingSide, Color, EnPassantMode, File, Position};

use super::search_thread::{Latch, SearchTask, SearchThread};
use super::{ConfigureError, Configured, Listener, Player, PositionView};
use crate::book::names;
use crate::book::own::OwnBook;
use crate::evaluation::network::NetworkFile;
use crate::evaluation::{Breakdown, Evaluation, Evaluator, Variant};
use crate::limits::Limits;
use crate::play::pace::Pace;
use crate::play::{Mind, Mode};
use crate::rules::notation::{self, MoveError};
use crate::rules::setup::{self, SetupError, Start};
use crate::rules::{Game, perft};
use crate::score::Score;
use crate::search::report::{Outcome, Silent};
use crate::search::table::TranspositionTable;
use crate::search::{Options, Searcher, Signals};
use crate::settings::Settings;
use crate::tablebase::{EndgameTables, Opened, TablebaseError};

/// Time for a search without limits that has to run on the session's own thread, in milliseconds: nothing
/// could stop it.
const BLOCKING_TIME_MS: i64 = 1000;

/// Nodes of the search that gives a book move its score: a few milliseconds.
const BOOK_MOVE_NODES: u64 = 4096;

/// A search under way.
struct RunningSearch {
    latch: Arc<Latch>,
    signals: Arc<Signals>,
    infinite: bool,
}

/// The player of the rules `P`.
pub struct RulesPlayer<P: Variant> {
    game: Game<P>,
    castling: CastlingMode,
    book: OwnBook,
    endgames: Option<Arc<EndgameTables>>,
    /// The folders of the endgame tables.
    endgame_path: String,
    network: NetworkFile,
    evaluator: Evaluation<P>,
    options: Options,
    mode: Mode,
    /// See [`Settings::person`].
    person: Option<u32>,
    /// The seed of a game whose seed is not set.
    own_seed: u64,
    /// Lent to the search while one runs.
    searcher: Option<Searcher<P>>,
    thread: Option<SearchThread<P>>,
    running: Option<RunningSearch>,
}

impl<P: Variant> RulesPlayer<P> {
    /// A player at the rule set's starting position, with this transposition table.
    pub fn new(settings: &Settings, table: TranspositionTable) -> RulesPlayer<P> {
        let evaluator = settings.evaluator::<P>(None);
        let options = settings.search_options(None);
        let searcher = Searcher::with_table(evaluator.clone(), options.clone(), table);
        RulesPlayer {
            game: Game::new(P::default()),
            castling: settings.castling_mode(),
            book: OwnBook::new(settings.book_options()),
            endgames: None,
            endgame_path: String::new(),
            mode: settings.mode(),
            person: settings.person(),
            own_seed: new_seed(),
            searcher: Some(searcher),
            thread: None,
            running: None,
            network: NetworkFile::default(),
            evaluator,
            options,
        }
    }

    /// Ends the search, if there is one, and waits until its outcome is delivered.
    fn interrupt(&mut self) {
        Player::stop(self);
        self.wait();
    }

    /// The notation of castling. A position whose kings and rooks do not stand as in chess keeps that of Chess960
    /// even after the option is switched off: two squares towards the rook would be another move.
    fn castling_notation(&self) -> CastlingMode {
        let is_written_short = castles_as_in_chess(self.game.position());
        if is_written_short { self.castling } else { CastlingMode::Chess960 }
    }

    /// Applies the castling rules of `mode` from now on; a game without moves starts again under them, if they
    /// allow its position.
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

    /// The book move with the score of a short search and its explanation, if a game is played.
    fn book_move(&mut self, limits: &Limits) -> Option<(Outcome, String)> {
        let mode = self.mode.seeded(self.own_seed);
        let is_game = limits.is_timed() || matches!(mode, Mode::Level(_) | Mode::Limited(_));
        if !limits.allows_book() || !is_game {
            return None;
        }
        let seed = match mode {
            Mode::Limited(strength) => Some(strength.seed),
            _ => None,
        };
        let choice = self.book.choose(&self.game, seed)?;
        let searcher = self.searcher.as_mut()?;
        searcher.renew_signals(false);
        let m = choice.m.to_uci(CastlingMode::Chess960);
        let limits = Limits { search_moves: vec![m], ..Limits::nodes(BOOK_MOVE_NODES) };
        let outcome = searcher.search(&self.game, &limits, &mut Silent);
        Some((Outcome { best: Some(choice.m), ponder: choice.reply, ..outcome }, choice.remark))
    }

    /// Who plays within `limits`.
    fn mind(&self, limits: &Limits, listener: &mut dyn Listener) -> Mind<P> {
        let mode = self.mode.seeded(self.own_seed).within(limits);
        Mind::new(mode, self.options.move_overhead).unwrap_or_else(|error| {
            listener.remark(&format!("{error}; this move is played at full strength"));
            Mind::Full
        })
    }

    /// The pace of the one who plays, if it is a person's. Without memory for it the answer comes at once.
    fn pace(&self, mind: &Mind<P>) -> Option<Pace<P>> {
        let is_person = matches!(mind, Mind::Limited(_) | Mind::Level(_));
        self.person.filter(|_| is_person).and_then(|elo| Pace::new(elo).ok())
    }

    /// Opens the endgame tables in the folders of `path`, unless they are open already.
    fn open_endgames(&mut self, path: &str) -> Result<Vec<String>, TablebaseError> {
        if path == self.endgame_path {
            return Ok(Vec::new());
        }
        let opened = if path.is_empty() {
            Opened::default()
        } else {
            EndgameTables::open(P::RULE_SET, path)?
        };
        self.endgame_path = path.to_string();
        self.endgames = opened.tables.map(Arc::new);
        Ok(opened.remarks)
    }

    /// The search thread, started when it is first needed.
    fn thread(&mut self) -> Option<&SearchThread<P>> {
        if self.thread.is_none() {
            self.thread = SearchThread::start();
        }
        self.thread.as_ref()
    }

    /// Runs the task on the search thread; if there is none, on this thread, with limits that end.
    fn run(&mut self, task: SearchTask<P>, running: RunningSearch) {
        let mut task = match self.thread() {
            None => task,
            Some(thread) => match thread.send(task) {
                None => {
                    self.running = Some(running);
                    return;
                }
                Some(task) => {
                    self.thread = None;
                    task
                }
            },
        };
        task.listener.remark("the system grants no thread: this search cannot be stopped");
        if task.limits.is_endless() {
            task.limits.move_time = Some(BLOCKING_TIME_MS);
        }
        running.signals.ponder_hit();
        task.latch.open();
        self.searcher = Some(task.run());
    }
}

/// A seed for the next game, short enough for the option that repeats it.
fn new_seed() -> u64 {
    u64::from(rand::rng().random_range(1..=i32::MAX.unsigned_abs()))
}

/// True if all castling rights of a position are those of chess: king on the e-file, rooks in the corners.
fn castles_as_in_chess(position: &impl Position) -> bool {
    Color::ALL.into_iter().all(|color| {
        let files = [(CastlingSide::KingSide, File::H), (CastlingSide::QueenSide, File::A)];
        let rooks = files.map(|(side, file)| (position.castles().rook(color, side), file));
        let king = position.board().king_of(color);
        rooks.into_iter().all(|(rook, file)| {
            rook.is_none_or(|rook| {
                rook.file() == file && king.is_some_and(|king| king.file() == File::E)
            })
        })
    })
}

impl<P: Variant> Player for RulesPlayer<P> {
    fn set_position(&mut self, start: &Start, moves: &[String]) -> Result<Vec<String>, SetupError> {
        self.interrupt();
        let (game, remarks) = setup::game(start, moves, self.castling)?;
        self.game = game;
        Ok(remarks.iter().map(ToString::to_string).collect())
    }

    fn go(&mut self, limits: Limits, mut listener: Box<dyn Listener>) {
        self.interrupt();
        let limits = limits.begun();
        if let Some((outcome, remark)) = self.book_move(&limits) {
            listener.remark(&remark);
            return listener.finished(&outcome);
        }
        let Some(mut searcher) = self.searcher.take() else {
            let best = self.game.position().legal_moves().first().copied();
            return listener.finished(&Outcome::unsearched(best, Score::DRAW));
        };
        let mut mind = self.mind(&limits, &mut *listener);
        let signals = mind.renew_signals(&mut searcher, limits.ponder);
        let latch = Arc::new(Latch::default());
        let is_held = limits.infinite || limits.ponder;
        let pace = if is_held { None } else { self.pace(&mind) };
        if !is_held && pace.is_none() {
            latch.open();
        }
        let running =
            RunningSearch { latch: Arc::clone(&latch), signals, infinite: limits.infinite };
        let game = self.game.clone();
        let task = SearchTask { searcher, game, limits, mind, pace, latch, listener };
        self.run(task, running);
    }

    fn stop(&self) {
        if let Some(running) = &self.running {
            running.signals.stop();
            running.latch.open();
        }
    }

    fn ponder_hit(&self) {
        if let Some(running) = &self.running {
            running.signals.ponder_hit();
            if !running.infinite {
                running.latch.open();
            }
        }
    }

    fn wait(&mut self) {
        if self.running.take().is_some() {
            self.searcher = self.thread.as_ref().and_then(SearchThread::wait);
        }
    }

    fn new_game(&mut self) {
        self.interrupt();
        self.own_seed = new_seed();
        if let Some(searcher) = &mut self.searcher {
            searcher.new_game();
        }
    }

    fn clear_table(&mut self) {
        self.interrupt();
        if let Some(searcher) = &mut self.searcher {
            searcher.clear_table();
        }
    }

    fn configure(&mut self, settings: &Settings) -> Configured {
        self.interrupt();
        let endgames = self.open_endgames(&settings.syzygy_path);
        self.options = settings.search_options(self.endgames.as_ref());
        self.mode = settings.mode();
        self.person = settings.person();
        self.castle_by(settings.castling_mode());
        let book = self.book.configure(settings.book_options());
        let network = self.network.configure::<P>(&settings.eval_file);
        let mut hash = Ok(());
        if let Some(searcher) = &mut self.searcher {
            searcher.set_options(self.options.clone());
            let evaluator = settings.evaluator(self.network.get());
            if evaluator != self.evaluator {
                searcher.set_evaluator(evaluator.clone());
                self.evaluator = evaluator;
            }
            hash = searcher.resize(settings.hash_mb);
        }
        let faults: [Option<ConfigureError>; 4] = [
            endgames.as_ref().err().cloned().map(ConfigureError::from),
            book.err().map(ConfigureError::from),
            network.err().map(ConfigureError::from),
            hash.err().map(ConfigureError::from),
        ];
        Configured {
            remarks: endgames.unwrap_or_default(),
            errors: faults.into_iter().flatten().collect(),
        }
    }

    fn view(&self) -> PositionView {
        let now = self.game.now();
        PositionView {
            board: now.position().board().clone(),
            fen: setup::fen(now.position()),
            key: now.key(),
            checkers: now.checkers(),
            opening: names::of(&self.game).map(ToString::to_string),
            end: self.game.end(),
        }
    }

    fn read_move(&self, text: &str) -> Result<UciMove, MoveError> {
        let m = notation::read_move(self.game.position(), text)?;
        Ok(m.to_uci(CastlingMode::Chess960))
    }

    fn explain(&self) -> Breakdown {
        self.evaluator.explain(self.game.position())
    }

    fn flip(&mut self) -> Result<(), SetupError> {
        self.interrupt();
        self.game = Game::new(setup::mirrored(self.game.position())?);
        Ok(())
    }

    fn perft(&self, depth: u32) -> Vec<(String, u64)> {
        perft::divide(self.game.position(), depth)
            .into_iter()
            .map(|(m, count)| (m.to_uci(self.castling_notation()).to_string(), count))
            .collect()
    }

    fn is_chess960(&self) -> bool {
        self.castling_notation().is_chess960()
    }

    fn release_table(&mut self) -> Option<TranspositionTable> {
        self.interrupt();
        self.searcher.take().map(Searcher::into_table)
    }
}

impl<P: Variant> Drop for RulesPlayer<P> {
    fn drop(&mut self) {
        self.interrupt();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::Chess;

    #[test]
    fn every_refused_setting_is_named_and_no_remark_is_lost() {
        let table = TranspositionTable::new(1).unwrap();
        let mut player = RulesPlayer::<Chess>::new(&Settings::default(), table);
        let folder = tempfile::tempdir().unwrap();
        let wanted = Settings {
            hash_mb: usize::MAX,
            book_file: "/no/such/book".to_string(),
            eval_file: "/no/such/network".to_string(),
            syzygy_path: folder.path().to_str().unwrap().to_string(),
            ..Settings::default()
        };
        let Configured { remarks, errors } = player.configure(&wanted);
        assert!(remarks.len() == 1 && remarks[0].contains("no endgame tables in"), "{remarks:?}");
        let is_named = |wanted: fn(&ConfigureError) -> bool| errors.iter().any(wanted);
        assert!(is_named(|error| matches!(error, ConfigureError::Hash(_))), "{errors:?}");
        assert!(is_named(|error| matches!(error, ConfigureError::Book(_))), "{errors:?}");
        assert!(is_named(|error| matches!(error, ConfigureError::Network(_))), "{errors:?}");
        assert_eq!(errors.len(), 3);
    }
}
