//! Scores the positions of a game, and finds the moves that were mistakes.
//!
//! An analyst belongs to one thread and one rule set; the trait hides the rule set. Positions are scored in
//! segments from the last to the first, so that the table already knows what comes after a position, and
//! each segment begins with an empty table. So the result does not depend on the number of threads.

use std::ops::Range;
use std::sync::Arc;

use shakmaty::san::SanPlus;
use shakmaty::{Color, Move};

use super::course::{Course, line_text};
use super::judgement::{self, Judgement};
use super::line::{PlayedLine, Terms};
use super::reason::Slip;
use super::review::{GameReview, LineStep, MoveReview};
use engine::book::{Book, names};
use engine::evaluation::variants::Task;
use engine::evaluation::{Evaluation, Evaluator, Variant};
use engine::limits::Limits;
use engine::rules::Game;
use engine::score::{Meaning, Score};
use engine::search::report::{Bound, Report, Reporter, Silent};
use engine::search::table::OutOfMemoryError;
use engine::search::{Options, Searcher};
use engine::settings::Settings;
use shell::texts::Texts;

/// Positions that are scored one after another with the same table.
pub const SEGMENT: usize = 12;

/// Points of the chance to win from which on a move is searched again, more deeply, before it is judged.
const SUSPICIOUS: f64 = 4.0;

/// How many times the limit a suspicious move and its alternative are searched with.
const CARE: u64 = 4;

/// Depth, in plies, of a glance at a position.
const GLANCE: u32 = 4;

/// Moves of a better line that are shown.
const SHOWN: usize = 8;

/// The score of a position with its line.
#[derive(Clone, Debug)]
pub struct Eval {
    /// For the side to move.
    pub score: Score,
    /// The principal variation; empty if the game is over.
    pub pv: Vec<Move>,
    /// Depth of the search, in plies.
    pub depth: u32,
    /// Its nodes.
    pub nodes: u64,
}

/// Analyses games of one rule set.
pub trait Analyst: Send {
    /// Scores the positions in `range` of a game: position 0 is before the first move.
    fn score(&mut self, course: &Course, range: Range<usize>) -> Vec<Eval>;

    /// Judges every move, given the scores of all positions.
    fn review(&mut self, course: &Course, evals: Vec<Eval>) -> GameReview;
}

/// The limits and words of an analysis.
#[derive(Clone)]
pub struct AnalystOptions {
    /// The limits of each search.
    pub limits: Limits,
    /// The size of the transposition table, in MiB.
    pub hash_mb: usize,
    /// The words.
    pub texts: Arc<Texts>,
    /// The choice of the evaluation.
    pub settings: Settings,
    /// True if the reasons of mistakes are wanted.
    pub reasons: bool,
}

/// Makes the analyst of a rule set.
pub struct MakeAnalyst<'a>(pub &'a AnalystOptions);

impl Task for MakeAnalyst<'_> {
    type Outcome = Result<Box<dyn Analyst>, OutOfMemoryError>;

    fn run<P: Variant>(self) -> Self::Outcome {
        let evaluator = self.0.settings.evaluator::<P>(None);
        let searcher = Searcher::new(evaluator.clone(), Options::default(), self.0.hash_mb)?;
        Ok(Box::new(RulesAnalyst::<P> { searcher, evaluator, options: self.0.clone() }))
    }
}

/// The analyst of the rules `P`.
pub(super) struct RulesAnalyst<P: Variant> {
    searcher: Searcher<P>,
    pub(super) evaluator: Evaluation<P>,
    options: AnalystOptions,
}

/// Keeps the last exact line of a search.
#[derive(Default)]
struct LastLine(Vec<Move>);

impl Reporter for LastLine {
    fn variation(&mut self, report: &Report) {
        if report.bound == Bound::Exact {
            self.0.clone_from(&report.pv);
        }
    }
}

impl<P: Variant> RulesAnalyst<P> {
    /// Scores the position at the end of `game` with `times` the limits of the analysis.
    pub(super) fn search(&mut self, game: &Game<P>, times: u64) -> Eval {
        let limits = &self.options.limits;
        let limits = Limits {
            nodes: limits.nodes.map(|nodes| nodes * times),
            move_time: limits.move_time.map(|time| time * times as i64),
            // A ply more takes about twice the nodes.
            depth: limits.depth.map(|depth| depth + times.ilog2()),
            ..Limits::default()
        };
        let mut line = LastLine::default();
        let outcome = self.searcher.search(game, &limits, &mut line);
        let LastLine(mut pv) = line;
        if pv.first() != outcome.best.as_ref() {
            pv = outcome.best.into_iter().collect();
        }
        Eval { score: outcome.score, pv, depth: outcome.depth, nodes: outcome.nodes }
    }

    /// The score of a short search, for the side to move.
    pub(super) fn glance(&mut self, game: &Game<P>) -> Score {
        self.searcher.search(game, &Limits::depth(GLANCE), &mut Silent).score
    }

    /// The words.
    pub(super) fn texts(&self) -> Arc<Texts> {
        Arc::clone(&self.options.texts)
    }

    /// Searches a suspicious move and its alternative again, more deeply.
    fn verify(&mut self, games: &[Game<P>], evals: &mut [Eval], ply: usize) {
        let (Some(before), Some(after)) = (games.get(ply), games.get(ply + 1)) else { return };
        self.searcher.new_game();
        if !evals[ply + 1].pv.is_empty() {
            evals[ply + 1] = self.search(after, CARE);
        }
        evals[ply] = self.search(before, CARE);
    }

    /// The review of one move.
    fn review_move(
        &mut self,
        games: &[Game<P>],
        evals: &mut [Eval],
        ply: usize,
        m: Move,
    ) -> MoveReview {
        let color = games[ply].now().turn();
        let points = |evals: &[Eval]| {
            let (before, after) = (evals[ply].score, -evals[ply + 1].score);
            judgement::win_chance(before) - judgement::win_chance(after)
        };
        let is_best = |evals: &[Eval]| evals[ply].pv.first() == Some(&m);
        let misses_mate =
            |evals: &[Eval]| evals[ply].score.is_win() && !evals[ply + 1].score.is_loss();
        let is_suspicious = |evals: &[Eval]| points(evals) >= SUSPICIOUS || misses_mate(evals);
        if !is_best(evals) && is_suspicious(evals) {
            self.verify(games, evals, ply);
        }
        let is_best = is_best(evals);
        let lost = if is_best { 0.0 } else { points(evals).max(0.0) };
        let missed_mate = match evals[ply].score.meaning() {
            Meaning::Mate(moves) if moves > 0 && !is_best && misses_mate(evals) => Some(moves),
            _ => None,
        };
        let judgement = Judgement::of(lost).or_else(|| missed_mate.map(|_| Judgement::Inaccuracy));
        let (before, after) = (evals[ply].score, -evals[ply + 1].score);
        let reason = judgement.filter(|_| self.options.reasons).map(|_| {
            let previous =
                ply.checked_sub(1).and_then(|earlier| last_capture(&games[earlier], &games[ply]));
            self.reason(&Slip {
                game: &games[ply],
                played: m,
                previous,
                before: evals[ply].clone(),
                after: evals[ply + 1].clone(),
            })
        });
        let game = &games[ply];
        let mut better: Vec<Move> = Vec::new();
        if reason.is_some() {
            better.extend(evals[ply].pv.iter().take(SHOWN));
        }
        let refutation = reason.as_ref().map(|reason| reason.line.clone()).unwrap_or_default();
        let white = |score: Score| color.fold_wb(score, -score);
        MoveReview {
            name: line_text(game, &[m]),
            san: SanPlus::from_move(game.position().clone(), m).to_string(),
            color,
            score: white(after),
            best_score: white(before),
            loss: if is_best { 0 } else { judgement::centipawn_loss(before, after) },
            points: lost,
            judgement,
            is_best,
            missed_mate,
            reason: reason.map(|reason| reason.text),
            better: LineStep::all(game, &better),
            refutation: LineStep::all(game, &refutation),
            terms: self.settled_terms(&games[ply + 1], &evals[ply + 1]),
            fen: String::new(),
            squares: Vec::new(),
        }
        .with_board(&games[ply + 1], m)
    }

    /// The terms at the end of the principal variation, where nothing hangs any more.
    fn settled_terms(&self, game: &Game<P>, eval: &Eval) -> Terms {
        let line = PlayedLine::new(game, &eval.pv);
        Terms::of(&self.evaluator.explain(line.end().position()))
    }
}

/// The square of the capture that led from `before` to `after`, if it was one.
fn last_capture<P: Variant>(before: &Game<P>, after: &Game<P>) -> Option<shakmaty::Square> {
    let (old, new) = (before.position().board(), after.position().board());
    let turn = before.now().turn();
    let arrived = new.by_color(turn) & old.by_color(!turn);
    arrived.single_square()
}

impl<P: Variant> Analyst for RulesAnalyst<P> {
    fn score(&mut self, course: &Course, range: Range<usize>) -> Vec<Eval> {
        self.searcher.new_game();
        let games = course.games::<P>();
        let is_last = |index| index + 1 == games.len();
        let mut evals: Vec<Eval> = Vec::new();
        for index in range.rev() {
            let Some(game) = games.get(index) else { continue };
            evals.push(match game.draw_reason() {
                // The players stopped here, so that the draw counts.
                Some(_) if is_last(index) => {
                    Eval { score: Score::DRAW, pv: Vec::new(), depth: 0, nodes: 0 }
                }
                _ => self.search(game, 1),
            });
        }
        evals.reverse();
        evals
    }

    fn review(&mut self, course: &Course, mut evals: Vec<Eval>) -> GameReview {
        let games = course.games::<P>();
        let book = Book::embedded();
        let mut review = GameReview::new(course.rule_set, &games[0]);
        let mut in_book = true;
        for (ply, m) in course.moves.iter().enumerate().take(games.len().saturating_sub(1)) {
            // A null move is a comment, and no decision of a player.
            let Some(m) = *m else {
                in_book = false;
                review.moves.push(None);
                continue;
            };
            if in_book {
                let known = book.moves(games[ply].now());
                in_book = known.iter().any(|book| book.m == m);
                if !in_book && ply > 0 && !known.is_empty() {
                    let names = known.iter().take(3).map(|book| line_text(&games[ply], &[book.m]));
                    review.left_book = Some((ply, names.collect()));
                }
                review.book_plies += usize::from(in_book);
            }
            let reviewed = self.review_move(&games, &mut evals, ply, m);
            review.moves.push(Some(reviewed));
        }
        if let Some(last) = games.last() {
            review.opening = names::of(last).cloned();
        }
        review.nodes = evals.iter().map(|eval| eval.nodes).sum();
        for color in Color::ALL {
            review.add_up(color);
        }
        review
    }
}
