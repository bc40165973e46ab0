//! Prints the reports of one search.

use web_time::{Duration, Instant};

use shakmaty::{CastlingMode, Move};

use super::info;
use super::output::Output;
use crate::player::Listener;
use crate::score::Score;
use crate::search::report::{Bound, Outcome, Reason, Report, Reporter};
use crate::settings::Settings;

/// Time from which current moves and bounds are printed.
const QUIET_START: Duration = Duration::from_secs(3);

/// Writes the lines of one search.
pub struct Printer {
    output: Output,
    castling: CastlingMode,
    wdl: bool,
    /// True if reasons are told in full, for programs.
    in_full: bool,
    started: Instant,
    /// The last report of the first variation.
    last: Option<Report>,
    /// True if something was said after it.
    is_covered: bool,
    /// What is to be told of the move.
    reason: Option<String>,
}

impl Printer {
    /// A printer for a search that starts now. `in_full`: reasons are for programs, not for people.
    pub fn new(
        output: Output,
        castling: CastlingMode,
        settings: &Settings,
        in_full: bool,
    ) -> Printer {
        let (wdl, started) = (settings.show_wdl, Instant::now());
        Printer {
            output,
            castling,
            wdl,
            in_full,
            started,
            last: None,
            is_covered: false,
            reason: None,
        }
    }

    /// Tells the reason of the move. It waits for the next variation or for the move, which has a variation before it:
    /// clients show what came last, and that may be for as long as the opponent thinks.
    fn tell_reason(&mut self) {
        if let Some(reason) = self.reason.take() {
            self.remark(&reason);
        }
    }

    /// The report that clients rely on before every move, with all nodes of the search: the last one again, or one of a move
    /// that no report has shown.
    fn final_report(&self, outcome: &Outcome) -> Report {
        let time_ms = u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX);
        let Outcome { best, ponder, score, bound, depth, nodes, .. } = *outcome;
        let last = self.last.as_ref();
        if let Some(last) = last.filter(|last| last.pv.first() == best.as_ref()) {
            // Score, depth and line of one report belong together.
            let nodes = nodes.max(last.nodes);
            let time_ms = time_ms.max(last.time_ms);
            return Report { nodes, time_ms, ..last.clone() };
        }
        Report {
            depth,
            selective_depth: depth,
            multipv: 1,
            score: if score == Score::NONE { Score::DRAW } else { score },
            // Only a report of the search has the whole line of a mate.
            bound: match bound {
                Bound::Exact if score.is_win() => Bound::Lower,
                Bound::Exact if score.is_loss() => Bound::Upper,
                bound => bound,
            },
            is_drawn: false,
            nodes,
            time_ms,
            hashfull: last.map_or(0, |last| last.hashfull),
            tbhits: last.map_or(0, |last| last.tbhits),
            pv: best.into_iter().chain(ponder).collect(),
        }
    }

    /// True if the client has not seen this report yet, or something has been said after it: clients show the last line of
    /// all, and a remark would stand in the place of the score.
    fn is_wanted(&self, report: &Report) -> bool {
        let is_seen = |last: &Report| last.nodes >= report.nodes && last.pv == report.pv;
        self.is_covered || !self.last.as_ref().is_some_and(is_seen)
    }
}

impl Reporter for Printer {
    fn variation(&mut self, report: &Report) {
        self.tell_reason();
        self.is_covered = false;
        if report.multipv == 1 {
            self.last = Some(report.clone());
        }
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
        self.is_covered = true;
        self.output.remark(text);
    }

    fn reason(&mut self, reason: &Reason) {
        let text = if self.in_full { &reason.details } else { &reason.words };
        self.reason = Some(text.clone()).filter(|text| !text.is_empty());
    }
}

impl Listener for Printer {
    fn finished(&mut self, outcome: &Outcome) {
        self.tell_reason();
        let report = self.final_report(outcome);
        if self.is_wanted(&report) {
            self.output.write(&info::variation(&report, self.castling, self.wdl));
        }
        // The reply is that of the line, if it has one; where the game ends with the move there is none.
        let ponder = outcome.ponder.map(|reply| report.pv.get(1).copied().unwrap_or(reply));
        let outcome = Outcome { ponder, ..outcome.clone() };
        self.output.write(&info::best_move(&outcome, self.castling));
    }
}
