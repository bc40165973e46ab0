//! Prints the reports of one search.

use std::time::{Duration, Instant};

use shakmaty::{CastlingMode, Move};

use super::info;
use super::output::Output;
use crate::engine::Listener;
use crate::score::Score;
use crate::search::report::{Bound, Outcome, Report, Reporter};

/// Time from which current moves and bounds are printed.
const QUIET_START: Duration = Duration::from_secs(3);

/// Writes the lines of one search.
pub struct Printer {
    output: Output,
    castling: CastlingMode,
    wdl: bool,
    started: Instant,
    has_reported: bool,
}

impl Printer {
    /// A printer for a search that starts now. `wdl`: print chances with each score.
    pub fn new(output: Output, castling: CastlingMode, wdl: bool) -> Printer {
        Printer { output, castling, wdl, started: Instant::now(), has_reported: false }
    }

    /// A final report for a search without one: clients rely on a score and a PV before every move.
    fn report_outcome(&mut self, outcome: &Outcome) {
        self.variation(&Report {
            depth: outcome.depth,
            selective_depth: outcome.depth,
            multipv: 1,
            score: if outcome.score == Score::NONE { Score::DRAW } else { outcome.score },
            bound: Bound::Exact,
            nodes: outcome.nodes,
            time_ms: u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX),
            hashfull: 0,
            tbhits: 0,
            pv: outcome.best.into_iter().chain(outcome.ponder).collect(),
        });
    }
}

impl Reporter for Printer {
    fn variation(&mut self, report: &Report) {
        self.has_reported = true;
        self.output.write(&info::variation(report, self.castling, self.wdl));
    }

    fn current_move(&mut self, depth: u32, m: Move, number: usize) {
        if self.started.elapsed() >= QUIET_START {
            self.output.write(&info::current_move(depth, m, number, self.castling));
        }
    }

    fn wants_bounds(&self, time_ms: u64) -> bool {
        Duration::from_millis(time_ms) >= QUIET_START
    }

    fn remark(&mut self, text: &str) {
        self.output.remark(text);
    }
}

impl Listener for Printer {
    fn finished(&mut self, outcome: &Outcome) {
        if !self.has_reported {
            self.report_outcome(outcome);
        }
        self.output.write(&info::best_move(outcome, self.castling));
    }
}
