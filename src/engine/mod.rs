//! The engine: a player that never blocks and knows no protocol.
//!
//! An [`Engine`] plays by the rule set of its settings. It is compiled once for each rule set; the choice
//! is made in [`Engine::configure`], so that nothing in a search ever asks for the rules. A search runs on
//! a thread of its own: [`Player::go`] returns at once, [`Player::stop`] and [`Player::ponder_hit`] only
//! set signals that the search looks at.

mod rules_player;
mod thinking;

use std::ops::{Deref, DerefMut};

use shakmaty::{Bitboard, Board};

use crate::book::BookError;
use crate::evaluation::network::NetworkFileError;
use crate::evaluation::variants::{Task, with_rules};
use crate::evaluation::{Breakdown, Variant};
use crate::limits::Limits;
use crate::rules::RuleSet;
use crate::rules::setup::{SetupError, Start};
use crate::search::report::{Outcome, Reporter};
use crate::search::table::{OutOfMemoryError, TranspositionTable};
use crate::settings::Settings;
use crate::tablebase::TablebaseError;

use rules_player::RulesPlayer;

/// Receives a search's reports and, exactly once, at its end, its outcome.
pub trait Listener: Reporter + Send {
    /// The search is over. Called once, after the last report, on the search's thread; for a move from the
    /// book, before [`Player::go`] returns.
    fn finished(&mut self, outcome: &Outcome);
}

/// A setting that could not be taken over: the engine keeps the old one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConfigureError {
    /// The system does not grant the memory for the transposition table.
    #[error(transparent)]
    Hash(#[from] OutOfMemoryError),
    /// A file that is no book.
    #[error(transparent)]
    Book(#[from] BookError),
    /// A file that is no network of the rule set.
    #[error(transparent)]
    Network(#[from] NetworkFileError),
    /// Endgame tables that cannot be read.
    #[error(transparent)]
    Endgames(#[from] TablebaseError),
}

/// The current position, for somebody to look at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionView {
    /// The pieces.
    pub board: Board,
    /// The position as FEN.
    pub fen: String,
    /// Its key.
    pub key: u64,
    /// The pieces that give check.
    pub checkers: Bitboard,
    /// The name of the opening, if it has one.
    pub opening: Option<String>,
    /// The reason of a draw, if the game is drawn.
    pub draw: Option<&'static str>,
}

/// A player of one rule set, as a session sees it.
pub trait Player: Send {
    /// Sets up a position and plays the moves that led from it. Returns remarks on forgiven faults.
    ///
    /// # Errors
    /// A position or move that cannot be played; the game stays as it was.
    fn set_position(&mut self, start: &Start, moves: &[String]) -> Result<Vec<String>, SetupError>;

    /// Starts a search of the current position and returns at once. The outcome is held back as
    /// [`Limits::infinite`] and [`Limits::ponder`] demand. A search under way is stopped first.
    fn go(&mut self, limits: Limits, listener: Box<dyn Listener>);

    /// Ends the search soon; does nothing when idle.
    fn stop(&self);

    /// The opponent played the expected move: the clock of a pondering search now counts.
    fn ponder_hit(&self);

    /// Waits until no search runs and its outcome has been delivered.
    fn wait(&mut self);

    /// Forgets everything learnt from earlier searches. Stops a search first.
    fn new_game(&mut self);

    /// Forgets the contents of the transposition table. Stops a search first.
    fn clear_table(&mut self);

    /// Takes over changed settings of the same rule set. Returns remarks on them.
    ///
    /// # Errors
    /// [`ConfigureError`]; the old setting is kept then, and everything else takes effect.
    fn configure(&mut self, settings: &Settings) -> Result<Vec<String>, ConfigureError>;

    /// The current position.
    fn view(&self) -> PositionView;

    /// The evaluation of the current position, term by term.
    fn explain(&self) -> Breakdown;

    /// Swaps the colours of the current position.
    ///
    /// # Errors
    /// A position that has no mirror image.
    fn flip(&mut self) -> Result<(), SetupError>;

    /// Leaf counts `depth` plies deep, by root move in UCI notation.
    fn perft(&self, depth: u32) -> Vec<(String, u64)>;

    /// True under Chess960, where castling is written as king takes rook.
    fn is_chess960(&self) -> bool;

    /// Gives away the transposition table, to the player that takes this one's place. `None` if it was
    /// lost with a search that failed.
    fn release_table(&mut self) -> Option<TranspositionTable>;
}

/// A player of the rule set that the settings name. It is used as that player.
pub struct Engine {
    player: Box<dyn Player>,
    rule_set: RuleSet,
}

impl Engine {
    /// An engine that goes by `settings`, at the rule set's starting position.
    ///
    /// # Errors
    /// [`OutOfMemoryError`] if the transposition table cannot be had.
    pub fn new(settings: &Settings) -> Result<Engine, OutOfMemoryError> {
        let table = TranspositionTable::new(settings.hash_mb)?;
        let player = with_rules(settings.rule_set, MakePlayer { settings, table });
        Ok(Engine { player, rule_set: settings.rule_set })
    }

    /// An engine of a ready player of standard chess.
    pub fn with_player(player: Box<dyn Player>) -> Engine {
        Engine { player, rule_set: RuleSet::Chess }
    }

    /// Takes over changed settings; another rule set begins at its starting position. Returns remarks on
    /// them.
    ///
    /// # Errors
    /// [`ConfigureError`]; the old setting is kept then, and everything else takes effect.
    pub fn configure(&mut self, settings: &Settings) -> Result<Vec<String>, ConfigureError> {
        if settings.rule_set != self.rule_set {
            self.swap_player(settings)?;
        }
        self.player.configure(settings)
    }

    /// Replaces the player by one of another rule set, which takes over the transposition table.
    fn swap_player(&mut self, settings: &Settings) -> Result<(), OutOfMemoryError> {
        let table = match self.player.release_table() {
            Some(table) => table,
            None => TranspositionTable::new(settings.hash_mb)?,
        };
        self.player = with_rules(settings.rule_set, MakePlayer { settings, table });
        self.rule_set = settings.rule_set;
        Ok(())
    }
}

impl Deref for Engine {
    type Target = dyn Player;

    fn deref(&self) -> &(dyn Player + 'static) {
        &*self.player
    }
}

impl DerefMut for Engine {
    fn deref_mut(&mut self) -> &mut (dyn Player + 'static) {
        &mut *self.player
    }
}

/// Makes the player of one rule set.
struct MakePlayer<'a> {
    settings: &'a Settings,
    table: TranspositionTable,
}

impl Task for MakePlayer<'_> {
    type Outcome = Box<dyn Player>;

    fn run<P: Variant>(self) -> Box<dyn Player> {
        Box::new(RulesPlayer::<P>::new(self.settings, self.table))
    }
}
