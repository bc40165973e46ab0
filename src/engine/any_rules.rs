//! A player of whatever rule set the settings name.
//!
//! The engine is compiled once for each rule set. Which of them plays is chosen here, when the
//! setting changes, so that nothing in a search ever asks which rules it goes by.

use shakmaty::variant::Variant;

use super::{ConfigureFault, Engine, Listener, Player};
use crate::limits::Limits;
use crate::rules::Rules;
use crate::rules::setup::{SetupFault, Start};
use crate::rules::variant::{self, Task};
use crate::search::table::OutOfMemory;
use crate::settings::Settings;

/// See the module.
pub struct AnyRules {
    player: Box<dyn Player>,
    variant: Variant,
}

/// Makes the engine of one rule set.
struct Make<'a>(&'a Settings);

impl Task for Make<'_> {
    type Outcome = Result<Box<dyn Player>, OutOfMemory>;

    fn run<P: Rules>(self) -> Self::Outcome {
        Ok(Box::new(Engine::<P>::new(self.0)?))
    }
}

impl AnyRules {
    /// A player that goes by `settings`.
    ///
    /// # Errors
    /// [`OutOfMemory`] if the transposition table cannot be had.
    pub fn new(settings: &Settings) -> Result<AnyRules, OutOfMemory> {
        let player = variant::with(settings.variant, Make(settings))?;
        Ok(AnyRules { player, variant: settings.variant })
    }
}

impl Player for AnyRules {
    fn set_position(&mut self, start: &Start, moves: &[String]) -> Result<Vec<String>, SetupFault> {
        self.player.set_position(start, moves)
    }

    fn go(&mut self, limits: Limits, listener: Box<dyn Listener>) {
        self.player.go(limits, listener);
    }

    fn stop(&self) {
        self.player.stop();
    }

    fn ponder_hit(&self) {
        self.player.ponder_hit();
    }

    fn wait(&mut self) {
        self.player.wait();
    }

    fn new_game(&mut self) {
        self.player.new_game();
    }

    fn clear_table(&mut self) {
        self.player.clear_table();
    }

    fn configure(&mut self, settings: &Settings) -> Result<Vec<String>, ConfigureFault> {
        if settings.variant != self.variant {
            // The old table goes before the new one comes: both might be too much.
            let mut small = settings.clone();
            small.hash_mb = 1;
            let player = variant::with(settings.variant, Make(&small));
            self.player = player.map_err(ConfigureFault::Table)?;
            self.variant = settings.variant;
        }
        self.player.configure(settings)
    }

    fn display(&self) -> String {
        self.player.display()
    }

    fn fen(&self) -> String {
        self.player.fen()
    }

    fn explain(&self) -> String {
        self.player.explain()
    }

    fn flip(&mut self) -> Result<(), SetupFault> {
        self.player.flip()
    }

    fn perft(&self, depth: u32) -> Vec<(String, u64)> {
        self.player.perft(depth)
    }

    fn is_chess960(&self) -> bool {
        self.player.is_chess960()
    }
}
