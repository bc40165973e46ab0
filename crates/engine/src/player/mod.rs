//! The engine: a player that never blocks and knows no protocol.
//!
//! An [`Engine`] plays by the rule set of its settings. It is compiled once for each rule set. The choice
//! is made in [`Engine::configure`], so that a search never tests the rule set. A search runs on its own
//! thread: [`Player::go`] returns at once, [`Player::stop`] and [`Player::ponder_hit`] only set signals for
//! the search.

mod rules_player;
mod search_thread;

use std::ops::{Deref, DerefMut};

use shakmaty::uci::UciMove;
use shakmaty::{Bitboard, Board};

use crate::book::BookError;
use crate::evaluation::network::NetworkFileError;
use crate::evaluation::variants::{Task, with_rules};
use crate::evaluation::{Breakdown, Variant};
use crate::limits::Limits;
use crate::rules::RuleSet;
use crate::rules::notation::MoveError;
use crate::rules::setup::{SetupError, Start};
use crate::search::report::{Outcome, Reporter};
use crate::search::table::{OutOfMemoryError, TranspositionTable};
use crate::settings::Settings;
use crate::tablebase::TablebaseError;

use rules_player::RulesPlayer;

/// Receives the reports of a search and, at its end, exactly once, its outcome.
pub trait Listener: Reporter + Send {
    /// The search is over. Called once, after the last report, on the search's thread; for a book move,
    /// before [`Player::go`] returns.
    fn finished(&mut self, outcome: &Outcome);
}

/// A setting that cannot be applied. The engine keeps the old one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConfigureError {
    /// The system does not grant the memory for the transposition table.
    #[error(transparent)]
    Hash(#[from] OutOfMemoryError),
    /// An invalid book file.
    #[error(transparent)]
    Book(#[from] BookError),
    /// A file that is no network of the rule set.
    #[error(transparent)]
    Network(#[from] NetworkFileError),
    /// Unreadable endgame tables.
    #[error(transparent)]
    Endgames(#[from] TablebaseError),
}

/// What became of changed settings: all take effect but those that an error names.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Configured {
    /// Remarks on the settings that took effect.
    pub remarks: Vec<String>,
    /// The settings that are refused.
    pub errors: Vec<ConfigureError>,
}

/// A view of the current position.
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
    /// Why the game is over, if it is.
    pub end: Option<&'static str>,
}

/// A player of one rule set.
pub trait Player: Send {
    /// Sets up a position and plays moves from it. Returns remarks on corrected errors.
    ///
    /// # Errors
    /// An invalid position or move. The game stays as it was.
    fn set_position(&mut self, start: &Start, moves: &[String]) -> Result<Vec<String>, SetupError>;

    /// Starts a search of the current position and returns at once. The outcome is held back as
    /// [`Limits::infinite`] and [`Limits::ponder`] demand. A search under way is stopped first.
    fn go(&mut self, limits: Limits, listener: Box<dyn Listener>);

    /// Ends the search soon. Does nothing when idle.
    fn stop(&self);

    /// The opponent played the expected move: from now on the clock of the pondering search counts.
    fn ponder_hit(&self);

    /// Waits until no search runs and its outcome has been delivered.
    fn wait(&mut self);

    /// Forgets everything learned from earlier searches. Stops a search first.
    fn new_game(&mut self);

    /// Empties the transposition table. Stops a search first.
    fn clear_table(&mut self);

    /// Applies changed settings of the same rule set.
    fn configure(&mut self, settings: &Settings) -> Configured;

    /// The current position.
    fn view(&self) -> PositionView;

    /// The legal move that a client's text means in the current position, for [`Limits::search_moves`].
    ///
    /// # Errors
    /// See [`MoveError`].
    fn read_move(&self, text: &str) -> Result<UciMove, MoveError>;

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

    /// Hands over the transposition table, for the next player. `None` if a failed search has lost it.
    fn release_table(&mut self) -> Option<TranspositionTable>;
}

/// The player of the current rule set. It derefs to that player.
pub struct Engine {
    player: Box<dyn Player>,
    rule_set: RuleSet,
}

impl Engine {
    /// An engine with `settings`, at the rule set's starting position.
    ///
    /// # Errors
    /// [`OutOfMemoryError`] if there is no memory for the transposition table.
    pub fn new(settings: &Settings) -> Result<Engine, OutOfMemoryError> {
        let table = TranspositionTable::new(settings.hash_mb)?;
        let player = with_rules(settings.rule_set, MakePlayer { settings, table });
        Ok(Engine { player, rule_set: settings.rule_set })
    }

    /// An engine around a given player of standard chess.
    pub fn with_player(player: Box<dyn Player>) -> Engine {
        Engine { player, rule_set: RuleSet::Chess }
    }

    /// The rule set of the player.
    pub fn rule_set(&self) -> RuleSet {
        self.rule_set
    }

    /// Applies changed settings; another rule set starts at its starting position.
    pub fn configure(&mut self, settings: &Settings) -> Configured {
        if settings.rule_set != self.rule_set
            && let Err(error) = self.swap_player(settings)
        {
            return Configured { remarks: Vec::new(), errors: vec![error.into()] };
        }
        self.player.configure(settings)
    }

    /// Replaces the player by one of another rule set, and hands the transposition table over.
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
