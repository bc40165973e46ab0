//! Scores the positions of a game, and finds the moves that were mistakes.
//!
//! An analyst belongs to one thread and one rule set; the trait hides the rule set. Positions are scored in
//! segments from the last to the first, so that the table already knows what comes after a position. Then the moves
//! are judged in parts. Each segment and each part begins with an empty table, and knows of the others nothing but
//! scores. So all processors can work on one game, and the result does not depend on their number.

use std::mem;
use std::ops::Range;
use std::sync::Arc;

use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Move, Square};

use super::judgement::{self, Judgement, pieces};
use super::line::Terms;
use super::motif;
use super::quiet::Quiet;
use super::reason::Mistake;
use super::review::{GameReview, LineStep, MoveReview};
use engine::book::{Book, BookMove, names};
use engine::evaluation::variants::{Task, with_rules};
use engine::evaluation::{Evaluation, Evaluator, Variant};
use engine::limits::Limits;
use engine::pgn::{Course, Replay, line_text};
use engine::play::strength::{MAX_ELO, MoveScorer};
use engine::rules::{Game, RuleSet, notation};
use engine::score::{Meaning, Score};
use engine::search::report::{Bound, Report, Reporter, Silent};
use engine::search::table::OutOfMemoryError;
use engine::search::{Options, Searcher, gains_at_least};
use engine::settings::Settings;
use shell::texts::Texts;

/// Positions that are scored one after another with the same table.
pub const SEGMENT: usize = 12;

/// Moves that are judged one after another: what was searched for one serves the next.
const PART: usize = 8;

/// How many times the limit a position has whose move would be marked, in a search for the best move …
const BEST: u64 = 2;
/// … and the positions after both moves, before the move is judged.
const CARE: u64 = 4;

/// Below this loss, in points of the chance to win, a mark is doubtful: such moves are searched longer (docs/log/analysis.md,
/// "Searches where they decide").
const SMALL_LOSS: f64 = 12.0;

/// How many times the limit these searches have.
const PROOF: u64 = 8;

/// Below this loss, in points of the chance to win, a mark is searched once more after them (docs/log/analysis.md, "Doubtful
/// marks").
const DOUBTFUL_LOSS: f64 = 8.2;

/// From this loss on, in points of the chance to win, that search need not look at the better move, too, once it has seen the one
/// played.
const CONFIRMED_LOSS: f64 = 7.0;

/// How many times the limit that last search has.
const DOUBT: u64 = 16;

/// Centipawns by which a recapture that the best line leaves out must be worse to be left out.
const CLEARLY_WORSE: i32 = 25;

/// Depth, in plies, of a glance at a position.
const GLANCE: u32 = 4;

/// Depth, in plies, and nodes of the search that tells how hard a move is to find: those of the strongest player with
/// human errors.
const EXERCISE_DEPTH: u32 = 8;
const EXERCISE_NODES: u64 = 38_000;

/// Points of the chance to win, of 100, from which on a move that leaves the book is worse than the book's.
const WORSE_THAN_BOOK: f64 = 2.0;

/// Moves of a better line that are shown.
const SHOWN: usize = 8;

/// The number of parts in which the moves of a game are judged, at least one.
pub fn parts(course: &Course) -> usize {
    course.moves.len().div_ceil(PART).max(1)
}

/// The number of the first position of a part, and the scores around its moves; `evals` are those of the whole game.
pub fn scores_of(part: usize, evals: &[Eval]) -> (usize, Vec<Eval>) {
    let first = (part * PART).min(evals.len());
    (first, evals[first..evals.len().min(first + PART + 1)].to_vec())
}

/// The score of a position with its line.
#[derive(Clone, Debug)]
pub struct Eval {
    /// For the side to move.
    pub score: Score,
    /// The principal variation; empty if the game is over.
    pub pv: Vec<Move>,
    /// The search had this many times the limits of the analysis.
    pub(super) times: u64,
}

/// Analyses games of one rule set.
pub trait Analyst: Send {
    /// Scores the positions in `range` of game `number`: position 0 is before the first move. A game is played
    /// through once if its ranges come in order.
    fn score(&mut self, number: usize, course: &Course, range: Range<usize>) -> Vec<Eval>;

    /// Begins to judge the moves between the positions of game `number` whose scores are `evals`; the first of these is
    /// position `first`. What comes out of a game is the same as of its [`parts`].
    fn begin_review(&mut self, number: usize, course: &Course, first: usize, evals: Vec<Eval>);

    /// Judges the next move of the review under way; false if there is none. It takes longer than a score.
    fn judge_next(&mut self, course: &Course) -> bool;

    /// The review under way, with the moves that were judged.
    fn finish_review(&mut self, course: &Course) -> GameReview;

    /// The review of the moves between these positions, as [`begin_review`](Analyst::begin_review) takes them. `judged` is
    /// called after each move.
    fn review(
        &mut self,
        number: usize,
        course: &Course,
        first: usize,
        evals: Vec<Eval>,
        judged: &dyn Fn(),
    ) -> GameReview {
        self.begin_review(number, course, first, evals);
        while self.judge_next(course) {
            judged();
        }
        self.finish_review(course)
    }
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
    /// True if the difficulty of missed moves is wanted, for exercises.
    pub exercises: bool,
}

/// An analyst of the rules `rule_set`. No generic function, so that all analysts are compiled in this crate and not
/// anew in every crate that asks for one.
///
/// # Errors
/// A lack of memory for the tables.
pub fn analyst(
    rule_set: RuleSet,
    options: &AnalystOptions,
) -> Result<Box<dyn Analyst>, OutOfMemoryError> {
    with_rules(rule_set, MakeAnalyst(options))
}

struct MakeAnalyst<'a>(&'a AnalystOptions);

impl Task for MakeAnalyst<'_> {
    type Outcome = Result<Box<dyn Analyst>, OutOfMemoryError>;

    fn run<P: Variant>(self) -> Self::Outcome {
        Ok(Box::new(rules_analyst::<P>(self.0)?))
    }
}

/// An analyst of the rules `P`.
pub(super) fn rules_analyst<P: Variant>(
    options: &AnalystOptions,
) -> Result<RulesAnalyst<P>, OutOfMemoryError> {
    let evaluator = options.settings.evaluator::<P>(None);
    let searcher = Searcher::new(evaluator.clone(), Options::default(), options.hash_mb)?;
    let options = options.clone();
    let scorer = if options.reasons { Some(MoveScorer::new(0)?) } else { None };
    Ok(RulesAnalyst { searcher, evaluator, scorer, options, place: None, judging: None })
}

/// An evaluation with this score and line, for tests.
#[cfg(test)]
pub(super) fn test_eval(score: i32, pv: &[Move]) -> Eval {
    Eval { score: Score::centipawns(score), pv: pv.to_vec(), times: 1 }
}

/// An analyst of chess for tests, which searches `nodes` nodes a position.
#[cfg(test)]
pub(super) fn test_analyst(nodes: u64) -> RulesAnalyst<shakmaty::Chess> {
    let options = AnalystOptions {
        limits: Limits::nodes(nodes),
        hash_mb: 1,
        texts: Arc::new(crate::texts::of(crate::texts::Lang::En)),
        settings: Settings::default(),
        reasons: true,
        exercises: false,
    };
    rules_analyst(&options).unwrap()
}

/// Scores and judges by the rules `P`.
pub(super) struct RulesAnalyst<P: Variant> {
    searcher: Searcher<P>,
    pub(super) evaluator: Evaluation<P>,
    /// Tells how hard a move is to find.
    scorer: Option<MoveScorer<P>>,
    options: AnalystOptions,
    /// Where the last range ended.
    place: Option<Place<P>>,
    /// The review under way.
    judging: Option<Judging<P>>,
}

/// A place in a game, from which the next range is reached.
struct Place<P> {
    number: usize,
    ply: usize,
    game: Game<P>,
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
        self.search_on(game, 0, times)
    }

    /// The same, where the table knows the position from a search of `done` times the limits: only what is lacking is searched.
    fn search_on(&mut self, game: &Game<P>, done: u64, times: u64) -> Eval {
        let whole = self.limits(times);
        let limits = Limits { depth: whole.depth, ..self.limits(times - done) };
        Eval { times, ..self.search_within(game, &limits) }
    }

    /// The best score of all moves but those of `moves`, with `times` the limits of the analysis. `None` if there are no
    /// others.
    pub(super) fn search_without(
        &mut self,
        game: &Game<P>,
        moves: &[Move],
        times: u64,
    ) -> Option<Eval> {
        let eval = self.search_among(game, Self::others(game, moves), self.limits(times))?;
        Some(Eval { times, ..eval })
    }

    /// The best score of all moves that capture on a square, with `times` the limits of the analysis. `None` if there is none.
    pub(super) fn search_captures(
        &mut self,
        game: &Game<P>,
        square: Square,
        times: u64,
    ) -> Option<Eval> {
        let legal = game.position().legal_moves();
        let is_one = |m: &&Move| m.is_capture() && m.to() == square;
        let captures = legal.iter().filter(is_one).map(|m| m.to_uci(CastlingMode::Chess960));
        let eval = self.search_among(game, captures.collect(), self.limits(times))?;
        Some(Eval { times, ..eval })
    }

    /// The score of one move, with `times` the limits of the analysis. `None` if it is not legal.
    pub(super) fn search_only(&mut self, game: &Game<P>, m: Move, times: u64) -> Option<Eval> {
        let is_legal = game.position().is_legal(m);
        let only = is_legal.then(|| m.to_uci(CastlingMode::Chess960));
        self.search_among(game, only.into_iter().collect(), self.limits(times))
    }

    /// The best score of all moves but `m` by a short search. `None` if there are no others.
    pub(super) fn glance_without(&mut self, game: &Game<P>, m: Move) -> Option<Eval> {
        self.search_among(game, Self::others(game, &[m]), Limits::depth(GLANCE))
    }

    /// The best score of these moves; `None` if there are none. To a search an empty list means all moves.
    fn search_among(
        &mut self,
        game: &Game<P>,
        search_moves: Vec<UciMove>,
        limits: Limits,
    ) -> Option<Eval> {
        (!search_moves.is_empty())
            .then(|| self.search_within(game, &Limits { search_moves, ..limits }))
    }

    /// The limits of a search, `times` those of the analysis.
    fn limits(&self, times: u64) -> Limits {
        let limits = &self.options.limits;
        Limits {
            nodes: limits.nodes.map(|nodes| nodes.saturating_mul(times)),
            move_time: limits.move_time.map(|time| time.saturating_mul(times as i64)),
            // A ply more takes about twice the nodes.
            depth: limits.depth.map(|depth| depth + times.ilog2()),
            ..Limits::default()
        }
    }

    fn search_within(&mut self, game: &Game<P>, limits: &Limits) -> Eval {
        let mut line = LastLine::default();
        let outcome = self.searcher.search(game, limits, &mut line);
        let LastLine(mut pv) = line;
        if pv.first() != outcome.best.as_ref() {
            pv = outcome.best.into_iter().collect();
        }
        Eval { score: outcome.score, pv, times: 1 }
    }

    /// The score of a short search, for the side to move.
    pub(super) fn glance(&mut self, game: &Game<P>) -> Score {
        self.searcher.search(game, &Limits::depth(GLANCE), &mut Silent).score
    }

    /// The words.
    pub(super) fn texts(&self) -> Arc<Texts> {
        Arc::clone(&self.options.texts)
    }

    /// Searches again the place after a move that would be marked, and then its alternatives, unless they were searched for the
    /// move before.
    fn verify(&mut self, around: &Around<P>, evals: &mut [Eval], ply: usize) {
        self.searcher.new_game();
        if !evals[ply + 1].pv.is_empty() {
            evals[ply + 1] = self.search(&around.after, CARE);
        }
        if evals[ply].times < BEST {
            evals[ply] = self.search(&around.game, BEST);
        }
    }

    /// Searches the place after the better move, too, as deeply as the one after the move played: up to `times` the limits, of
    /// which the table has `done`. The score before the move is the best of many, each a little off, so that it flatters: two moves
    /// that are alike would differ.
    fn prove(
        &mut self,
        around: &Around<P>,
        evals: &mut [Eval],
        ply: usize,
        [done, times]: [u64; 2],
    ) {
        let before = &evals[ply];
        let Some(&best) = before.pv.first().filter(|_| !before.score.is_mate()) else { return };
        let mut after = around.game.clone();
        after.play(best);
        let found = self.search_on(&after, done, times);
        // A mate that the better move allows as well makes no difference; one that it gives, only this search has seen.
        if !found.score.is_loss() && !found.pv.is_empty() {
            let pv = [&[best], found.pv.as_slice()].concat();
            evals[ply] = Eval { score: -found.score, pv, ..found };
        }
    }

    /// The score of a place whose best line begins with a capture that the other side could take back, but does not, with this
    /// recapture: a search that sees it cost more at first hardly looks at it, and a reader expects it. `None` if there is none,
    /// or if it is clearly worse.
    fn with_take_back(&mut self, game: &Game<P>, eval: &Eval, times: u64) -> Option<Eval> {
        let [first, reply, ..] = eval.pv.as_slice() else { return None };
        let taken = motif::value(first.capture()?);
        let takes_back = reply.is_capture() && reply.to() == first.to();
        if takes_back || eval.score.is_mate() || gains_at_least(game.position(), *first, taken) {
            return None;
        }
        let mut after = game.clone();
        after.play(*first);
        let retaken = self.search_captures(&after, first.to(), times)?;
        let score = -retaken.score;
        if score - eval.score > CLEARLY_WORSE {
            return None;
        }
        let moves = [&[*first], retaken.pv.as_slice()].concat();
        let with_it = Eval { score: score.min(eval.score), pv: moves, ..retaken };
        if score >= eval.score {
            return Some(with_it);
        }
        // Then another move may be better.
        let other = self.search_without(game, &with_it.pv[..1], times);
        Some(other.filter(|other| other.score > score).unwrap_or(with_it))
    }

    /// Searches the place after the move played on, up to `times` the limits, if its score is no mate and the game not over.
    fn deepen_reply(&mut self, around: &Around<P>, evals: &mut [Eval], ply: usize, times: u64) {
        let reply = &evals[ply + 1];
        if reply.times < times && !reply.score.is_mate() && !reply.pv.is_empty() {
            evals[ply + 1] = self.search_on(&around.after, reply.times, times);
        }
    }

    /// Searches the places after both moves, after the better one from `done` on, up to `times` the limits, with the recaptures that
    /// their best lines leave out.
    fn search_both(
        &mut self,
        around: &Around<P>,
        evals: &mut [Eval],
        ply: usize,
        [done, times]: [u64; 2],
    ) {
        self.deepen_reply(around, evals, ply, times);
        self.prove(around, evals, ply, [done, times]);
        for (game, at) in [(&around.after, ply + 1), (&around.game, ply)] {
            if let Some(eval) = self.with_take_back(game, &evals[at], times) {
                evals[at] = eval;
            }
        }
    }

    /// Searches again a move that would be marked, and its alternatives: the smaller the loss, the longer both places. The loss
    /// that the first of these searches see, in points of the chance to win, is the most that the verdict may count.
    fn examine(&mut self, around: &Around<P>, evals: &mut [Eval], ply: usize, m: Move) -> f64 {
        let lost = |evals: &[Eval]| points_lost(around, evals, ply);
        let is_marked = |evals: &[Eval]| {
            evals[ply].pv.first() != Some(&m) && verdict(around, evals, ply, lost(evals)).is_some()
        };
        let needed = |evals: &[Eval]| if lost(evals) < SMALL_LOSS { PROOF } else { CARE };
        if !is_marked(evals) {
            return lost(evals);
        }
        self.verify(around, evals, ply);
        let seen = lost(evals);
        if is_marked(evals) {
            let times = needed(evals);
            self.search_both(around, evals, ply, [0, times]);
            if is_marked(evals) && lost(evals) < DOUBTFUL_LOSS {
                self.deepen_reply(around, evals, ply, DOUBT);
                if lost(evals) < CONFIRMED_LOSS {
                    self.search_both(around, evals, ply, [times, DOUBT]);
                }
            }
        }
        seen
    }

    /// The review of one move.
    fn review_move(
        &mut self,
        around: &Around<P>,
        evals: &mut [Eval],
        ply: usize,
        m: Move,
    ) -> MoveReview {
        let &Around { previous, ref game, after: ref game_after, in_book } = around;
        let (color, pieces) = (game.now().turn(), pieces(game));
        let seen = self.examine(around, evals, ply, m);
        let is_best = evals[ply].pv.first() == Some(&m);
        let misses_mate =
            |evals: &[Eval]| evals[ply].score.is_win() && !evals[ply + 1].score.is_loss();
        let lost = if is_best { 0.0 } else { points_lost(around, evals, ply).max(0.0) };
        let missed_mate = match evals[ply].score.meaning() {
            Meaning::Mate(moves) if moves > 0 && !is_best && misses_mate(evals) => Some(moves),
            _ => None,
        };
        let (before, after) = (evals[ply].score, -evals[ply + 1].score);
        let judgement = verdict(around, evals, ply, lost.min(seen)).filter(|_| !is_best);
        let reason = judgement.filter(|_| self.options.reasons).map(|_| {
            self.reason(&Mistake {
                game,
                played: m,
                previous,
                before: evals[ply].clone(),
                after: evals[ply + 1].clone(),
            })
        });
        let praise = if is_best && self.options.reasons {
            self.praise(game, m, previous, &evals[ply])
        } else {
            None
        };
        let (before_it, reply) = (&evals[ply], &evals[ply + 1]);
        let quiet = Quiet { game, after: game_after, m, in_book, before: before_it, reply };
        let wants_words = judgement.is_none() && self.options.reasons;
        let mut better: Vec<Move> = Vec::new();
        if reason.is_some() {
            better.extend(evals[ply].pv.iter().take(SHOWN));
        }
        let refutation = reason.as_ref().map(|reason| reason.line.clone()).unwrap_or_default();
        let white = |score: Score| color.fold_wb(score, -score);
        let chance = |score: Score| judgement::win_chance(white(score), pieces);
        MoveReview {
            name: line_text(game, &[m]),
            san: notation::san(game.position(), m),
            color,
            score: white(after),
            best_score: white(before),
            chance: chance(after),
            best_chance: chance(before),
            loss: if is_best { 0 } else { judgement::centipawn_loss(before, after) },
            points: lost,
            judgement,
            is_best,
            missed_mate,
            motifs: reason.as_ref().map(|reason| reason.motifs.clone()).unwrap_or_default(),
            names_better: reason.as_ref().is_some_and(|reason| reason.names_better),
            reason: reason.map(|reason| reason.text).or(praise),
            quiet: wants_words.then(|| self.describe(&quiet)),
            difficulty: better
                .first()
                .filter(|_| self.options.exercises)
                .and_then(|&m| self.difficulty(game, m)),
            better: LineStep::all(game, &better),
            refutation: LineStep::all(game, &refutation),
            terms: self.settled_terms(game_after, &evals[ply + 1]),
            fen: String::new(),
            squares: Vec::new(),
        }
        .with_board(game_after, m)
    }

    /// The rating at which half of the players find the move, if it stands out among all others. Both searches must agree
    /// on it: what only one of them sees is no exercise.
    pub(super) fn difficulty(&mut self, game: &Game<P>, best: Move) -> Option<u32> {
        let scorer = self.scorer.as_mut()?;
        let (candidates, _) =
            scorer.score_moves(game, &Limits::default(), EXERCISE_DEPTH, EXERCISE_NODES);
        let found = candidates.first().filter(|found| found.m == best)?;
        Some(found.difficulty?.round().clamp(0.0, f64::from(MAX_ELO)) as u32)
    }

    /// The terms at the end of the principal variation, where nothing hangs any more.
    fn settled_terms(&self, game: &Game<P>, eval: &Eval) -> Terms {
        let end = eval.pv.iter().fold(game.now().clone(), |now, &m| now.play(m));
        Terms::of(&self.evaluator.explain(end.position()))
    }
}

/// The chance to win that the move after position `ply` lost, in points of 100.
fn points_lost<P: Variant>(around: &Around<P>, evals: &[Eval], ply: usize) -> f64 {
    let chance = |score: Score| judgement::win_chance(score, pieces(&around.game));
    chance(evals[ply].score) - chance(-evals[ply + 1].score)
}

/// The verdict on it, if it lost `points` of the chance to win.
fn verdict<P: Variant>(
    around: &Around<P>,
    evals: &[Eval],
    ply: usize,
    points: f64,
) -> Option<Judgement> {
    let (before, after) = (evals[ply].score, -evals[ply + 1].score);
    let of_loss = || Judgement::of_loss(before, after, pieces(&around.game), points);
    Judgement::of_mate(before, after).or_else(of_loss)
}

/// The square of the capture that led to `game` by the move before half-move `ply`, if it was one.
fn last_capture<P: Variant>(course: &Course, ply: usize, game: &Game<P>) -> Option<Square> {
    let before = ply.checked_sub(1).and_then(|before| *course.moves.get(before)?)?;
    // In atomic chess nothing is left there.
    let is_there = |square: &Square| game.position().them().contains(*square);
    before.is_capture().then(|| before.to()).filter(is_there)
}

/// The number of moves at the beginning of a game that the book has.
fn book_plies<P: Variant>(mut replay: Replay<P>) -> usize {
    let book = Book::embedded();
    let mut plies = 0;
    loop {
        let known = book.moves(replay.game().now());
        // A null move is a comment, and no decision of a player.
        let Some(Some(m)) = replay.advance() else { return plies };
        // Another order of moves may come back into it.
        let is_known = known.iter().any(|book| book.m == m);
        if !is_known && book.moves(replay.game().now()).is_empty() {
            return plies;
        }
        plies += 1;
    }
}

/// A move's place in its game.
struct Around<P> {
    /// The square of the opponent's last move, if that was a capture.
    previous: Option<Square>,
    /// The game before the move.
    game: Game<P>,
    /// The game after the move.
    after: Game<P>,
    /// True if the book has the move, and all before it.
    in_book: bool,
}

/// A review under way.
struct Judging<P> {
    /// The number of the game.
    number: usize,
    /// The moves judged so far.
    review: GameReview,
    /// The scores of some positions in a row …
    evals: Vec<Eval>,
    /// … and the number of the first of them.
    first: usize,
    /// The game after the last move judged, with what a search needs of the past.
    game: Game<P>,
    /// The same from its first move.
    whole: Game<P>,
}

impl<P: Variant> RulesAnalyst<P> {
    /// Game `number` after `ply` half-moves. It is played through once if such questions come in order. `None` without a
    /// position to begin with.
    fn replay_to<'a>(
        &mut self,
        number: usize,
        course: &'a Course,
        ply: usize,
    ) -> Option<Replay<'a, P>> {
        let place = self.place.take().filter(|place| place.number == number && place.ply <= ply);
        let (from, mut replay) = match place {
            Some(place) => (place.ply, course.replay_from(place.game, place.ply)),
            None => (0, course.replay().ok()?),
        };
        for _ in from..ply {
            replay.advance();
        }
        Some(replay)
    }

    /// Judges the move `m`, which has just been played in the whole game.
    fn judge(&mut self, judging: &mut Judging<P>, course: &Course, m: Option<Move>) {
        let at = judging.review.moves.len();
        let (ply, after) = (judging.first + at, judging.whole.recent());
        let game = mem::replace(&mut judging.game, after.clone());
        let previous = last_capture(course, ply, &game);
        let in_book = ply < judging.review.book_plies;
        let around = Around { previous, game, after, in_book };
        if ply == judging.first || ply.is_multiple_of(PART) {
            self.searcher.new_game();
        }
        let scored = judging.evals.get(at + 1).cloned();
        let reviewed = m.map(|m| self.review_move(&around, &mut judging.evals, at, m));
        if let Some(scored) = scored.filter(|_| (ply + 1).is_multiple_of(PART)) {
            // What was searched for this part must not tell the next one more than another thread would know.
            judging.evals[at + 1] = scored;
        }
        // No book has all good moves: it is named where it has a better one.
        let is_worse = reviewed.as_ref().is_some_and(|one| one.points >= WORSE_THAN_BOOK);
        // What has a name of its own is no departure from theory.
        if ply == judging.review.book_plies && is_worse && !names::is_named(&around.after) {
            let known = Book::embedded().moves(around.game.now());
            let name = |book: &BookMove| line_text(&around.game, &[book.m]);
            let names: Vec<String> = known.iter().take(3).map(name).collect();
            judging.review.left_book = (!names.is_empty()).then_some((ply, names));
        }
        judging.review.moves.push(reviewed);
    }
}

impl<P: Variant> Analyst for RulesAnalyst<P> {
    fn score(&mut self, number: usize, course: &Course, range: Range<usize>) -> Vec<Eval> {
        self.searcher.new_game();
        let Some(mut replay) = self.replay_to(number, course, range.start) else {
            return Vec::new();
        };
        let mut games = Vec::new();
        let mut ply = range.start;
        while ply < range.end {
            games.push((ply, replay.game().recent()));
            if replay.advance().is_none() {
                break;
            }
            ply += 1;
        }
        self.place = Some(Place { number, ply, game: replay.into_game() });
        let mut evals: Vec<Eval> = Vec::new();
        for (index, game) in games.iter().rev() {
            evals.push(match game.draw_reason() {
                // The players stopped here, so that the draw counts.
                Some(_) if *index == course.moves.len() => {
                    Eval { score: Score::DRAW, pv: Vec::new(), times: 1 }
                }
                _ => self.search(game, 1),
            });
        }
        evals.reverse();
        evals
    }

    fn begin_review(&mut self, number: usize, course: &Course, first: usize, evals: Vec<Eval>) {
        self.judging = None;
        let (Ok(start), Some(replay)) =
            (course.replay::<P>(), self.replay_to(number, course, first))
        else {
            return;
        };
        let mut review = GameReview::new(course.rule_set, start.game());
        review.book_plies = book_plies(start);
        let game = replay.game().recent();
        let whole = replay.into_game();
        self.judging = Some(Judging { number, review, evals, first, game, whole });
    }

    fn judge_next(&mut self, course: &Course) -> bool {
        let Some(mut judging) = self.judging.take() else { return false };
        let judged = judging.review.moves.len();
        if judged + 1 < judging.evals.len() {
            let mut replay = course.replay_from(judging.whole, judging.first + judged);
            let m = replay.advance();
            judging.whole = replay.into_game();
            if let Some(m) = m {
                self.judge(&mut judging, course, m);
            }
        }
        self.judging.insert(judging).review.moves.len() > judged
    }

    fn finish_review(&mut self, course: &Course) -> GameReview {
        let Some(Judging { number, mut review, first, whole, .. }) = self.judging.take() else {
            return GameReview::new(course.rule_set, &Game::new(P::default()));
        };
        review.opening = names::of(&whole).cloned();
        review.add_up(course);
        self.place = Some(Place { number, ply: first + review.moves.len(), game: whole });
        review
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::line::chess_line as line;
    use shakmaty::Position;

    #[test]
    fn a_score_that_flatters_the_better_move_is_proved() {
        let fen = "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1";
        let (played, best) = (line(fen, "e2e3 e7e6"), line(fen, "e2e4"));
        let around = Around {
            previous: None,
            game: played.games[0].clone(),
            after: played.games[1].clone(),
            in_book: false,
        };
        let mut evals = vec![test_eval(400, &best.moves), test_eval(0, &played.moves[1..])];
        test_analyst(1_000).prove(&around, &mut evals, 0, [0, PROOF]);
        assert!(evals[0].score.raw() < 200, "{:?}", evals[0]);
        assert_eq!(evals[0].pv[0], best.moves[0]);
        test_analyst(1_000).verify(&around, &mut evals, 0);
        assert_eq!(evals[1].times, CARE, "searched again");
    }

    #[test]
    fn a_doubtful_mark_is_searched_once_more() {
        let times_of = |fen: &str, m: &str| {
            let played = line(fen, m);
            let around = Around {
                previous: None,
                game: played.games[0].clone(),
                after: played.games[1].clone(),
                in_book: false,
            };
            let mut analyst = test_analyst(4_000);
            let mut evals: Vec<Eval> =
                played.games.iter().map(|game| analyst.search(game, 1)).collect();
            analyst.examine(&around, &mut evals, 0, played.moves[0]);
            [evals[0].times, evals[1].times]
        };
        let white = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let black = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
        assert_eq!(times_of(black, "f7f6"), [DOUBT; 2], "6.6 points at first");
        assert_eq!(
            times_of(white, "g2g4"),
            [PROOF, DOUBT],
            "below 8.2 points, then more by the reply"
        );
        assert_eq!(times_of(white, "f2f3"), [PROOF; 2], "9.7 points");
        assert_eq!(times_of(white, "b1a3"), [BEST, CARE], "no mark any longer");
        assert_eq!(times_of(white, "e2e4"), [1; 2], "none at all");
    }

    #[test]
    fn a_recapture_that_the_search_has_not_seen_is_tried() {
        let fen = "r1bqkbnr/pp1p1ppp/2n1p3/2p1P3/5P2/1P6/P1PP2PP/RNBQKBNR b KQkq - 0 4";
        let taken = line(fen, "c6e5 c1b2 e5c6");
        let mut analyst = test_analyst(20_000);
        let eval = test_eval(200, &taken.moves);
        let tried = analyst.with_take_back(&taken.games[0], &eval, 1).unwrap();
        assert!(tried.score < eval.score && tried.pv != eval.pv, "{tried:?}");
        let low = test_eval(-300, &taken.moves);
        assert!(analyst.with_take_back(&taken.games[0], &low, 1).is_none(), "it is clearly worse");
        let back = test_eval(200, &line(fen, "c6e5 f4e5").moves);
        assert!(analyst.with_take_back(&taken.games[0], &back, 1).is_none(), "the line has it");
    }

    #[test]
    fn an_only_move_has_no_others() {
        let game = line("7k/8/5K2/8/8/8/8/6Q1 b - - 0 1", "").games[0].clone();
        let legal = game.position().legal_moves();
        assert_eq!(legal.len(), 1);
        assert!(test_analyst(100).search_without(&game, &legal, 1).is_none());
        assert!(test_analyst(100).glance_without(&game, legal[0]).is_none());
    }

    /// A review of the last moves alone knows what was played before: the third repetition is a draw.
    #[test]
    fn the_last_moves_are_judged_as_part_of_their_game() {
        let game = "[FEN \"6k1/8/8/8/8/8/6K1/1Q6 w - - 0 1\"]\n\n\
                    1. Kf1 Kh8 2. Kg1 Kg8 3. Kf1 Kh8 4. Kg1 Kg8 5. Kf1 *";
        let course = Course::follow(&engine::pgn::RawGame::parse(game)).unwrap();
        assert!(course.error.is_none(), "{:?}", course.error);
        let mut analyst = test_analyst(500);
        let end = course.moves.len();
        let evals = analyst.score(0, &course, end - 2..end + 1);
        let review = analyst.review(0, &course, end - 2, evals, &|| ());
        assert_eq!(review.moves.iter().flatten().count(), 2);
        let last = review.moves.last().unwrap().as_ref().unwrap();
        assert_eq!(last.score, Score::DRAW);
        assert_eq!(last.judgement, Some(Judgement::Blunder), "a queen ahead");
    }

    /// Whichever threads judge the parts of a game, and in whatever order. In the first game something is known of one part that
    /// the next must not hear, both by its scores and by its table; the second leaves the book.
    #[test]
    fn a_review_is_that_of_its_parts() {
        let games = [
            "1. e4 e5 2. Nf3 d6 3. Bc4 f5 4. exf5 Bxf5 5. Nc3 e4 6. Nd4 Bg6 7. Qg4 Nf6 8. Qe6+ Qe7 9. Qc8+ Qd8 \
             10. Qxb7 Nbd7 11. Nc6 Qc8 12. Qxc8+ Rxc8 13. Nxa7 Ra8 14. Nab5 c6 15. Nc7+ *",
            "1. e4 e5 2. Nf3 Be7 3. Nc3 Nf6 4. d4 d5 5. Bg5 dxe4 6. Bxf6 Bxf6 7. Nxe4 exd4 8. Nxf6+ gxf6 9. Nxd4 O-O \
             10. c3 Re8+ 11. Be2 c5 12. Nf3 Qa5 13. O-O Bd7 14. Nh4 Qa4 15. Qxa4 Bxa4 16. Bf3 *",
        ];
        let reviews = games.map(|game| {
            let course = Course::follow(&engine::pgn::RawGame::parse(game)).unwrap();
            let end = course.moves.len();
            let mut analyst = test_analyst(2_000);
            let evals = analyst.score(0, &course, 0..end + 1);
            let whole = analyst.review(0, &course, 0, evals.clone(), &|| ());
            let part = |part: usize| {
                let (first, scores) = scores_of(part, &evals);
                test_analyst(2_000).review(0, &course, first, scores, &|| ())
            };
            let joined = GameReview::join((0..parts(&course)).map(part), &course).unwrap();
            assert_eq!(joined.json(), whole.json());
            assert_eq!(joined.left_book, whole.left_book);
            whole
        });
        assert!(reviews[1].left_book.is_some());
        assert!(reviews.iter().all(|review| review.moves.len() > 3 * PART));
    }

    #[test]
    fn a_limit_near_the_greatest_number_stays_one() {
        let analyst = test_analyst(u64::MAX / 2);
        assert_eq!(analyst.limits(1).nodes, Some(u64::MAX / 2));
        assert_eq!(analyst.limits(CARE).nodes, Some(u64::MAX), "more, and not next to nothing");
    }

    #[test]
    fn a_mate_that_both_moves_allow_is_no_difference() {
        let fen = "7k/8/5K2/8/8/8/8/Q7 b - - 0 1";
        let (played, best) = (line(fen, "h8h7 a1h1"), line(fen, "h8g8"));
        let around = Around {
            previous: None,
            game: played.games[0].clone(),
            after: played.games[1].clone(),
            in_book: false,
        };
        let mate = Eval { score: Score::mate_in(2), ..test_eval(0, &played.moves[1..]) };
        let mut evals = vec![test_eval(-2_000, &best.moves), mate];
        let verdict = |evals: &[Eval]| verdict(&around, evals, 0, 0.0);
        assert!(verdict(&evals).is_some());
        test_analyst(5_000).prove(&around, &mut evals, 0, [0, PROOF]);
        assert_eq!(verdict(&evals), None, "{:?}", evals[0].score);
    }
}
