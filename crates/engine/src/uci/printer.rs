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

    /// The report that clients rely on before every move, with all nodes of the search: the last one again
    /// if the search went on after it, or one for a search without any.
    fn final_report(&self, outcome: &Outcome) -> Option<Report> {
        let line = || outcome.best.into_iter().chain(outcome.ponder).collect();
        let time_ms = u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX);
        let Some(last) = &self.last else {
            return Some(Report {
                depth: outcome.depth,
                selective_depth: outcome.depth,
                multipv: 1,
                score: if outcome.score == Score::NONE { Score::DRAW } else { outcome.score },
                bound: outcome.bound,
                nodes: outcome.nodes,
                time_ms,
                hashfull: 0,
                tbhits: 0,
                pv: line(),
            });
        };
        let is_exact = last.bound == Bound::Exact;
        let is_same_move = last.pv.first() == outcome.best.as_ref();
        // The line of a mate must lead to it, and only a report of the search has the whole line.
        let lacks_mate = !is_exact || !is_same_move || last.score != outcome.score;
        if is_exact && last.nodes >= outcome.nodes || outcome.score.is_mate() && lacks_mate {
            return None;
        }
        let pv = if is_same_move { last.pv.clone() } else { line() };
        let Outcome { score, bound, nodes, .. } = *outcome;
        Some(Report { score, bound, nodes, time_ms, pv, ..last.clone() })
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
        // Clients show the last line of all: a remark would stand in the place of the score.
        let again = || self.last.clone().filter(|_| self.is_covered);
        if let Some(report) = self.final_report(outcome).or_else(again) {
            self.output.write(&info::variation(&report, self.castling, self.wdl));
        }
        self.output.write(&info::best_move(outcome, self.castling));
    }
}
