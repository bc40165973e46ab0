//! Why a move was a mistake, in one plain sentence.
//!
//! The move and the better one are each played on along their best lines, to the first place where the
//! static evaluation tells the same as the score: nothing hangs any more, and the three terms add up to what
//! the search saw. A place further on might tell it a little better, but every ply is a guess more. The term
//! that differs most between the two ends is the reason. Material is named by its pieces, the other terms by
//! a piece that stands elsewhere in the better line, if it makes most of the difference. The number in
//! parentheses is the change for the side that moved: of the material along the line that is shown, of
//! another term against the better line.

use shakmaty::{Color, Move, Role, Square};

use super::analyst::{Eval, RulesAnalyst};
use super::course::line_text;
use super::line::{Fate, PlayedLine, Terms, share_of_piece};
use super::material::{self, Balance};
use crate::evaluation::{Evaluator, Variant};
use crate::rules::{Captures, Game};
use crate::score::{Meaning, Score};
use crate::shell::texts::Texts;

/// Difference between score and static evaluation, in centipawns, up to which a line explains its score.
const EXPLAINED: i32 = 60;
/// Centipawns that the evaluation may be further from the score for each ply that a line is shorter.
const PLY: i32 = 8;
/// Least length of a line, in plies, unless it ends earlier: a move and its answer.
const SHORTEST: usize = 2;
/// Most plies of a line.
const LONGEST: usize = 24;
/// Most searches that lengthen a line.
const EXTENSIONS: usize = 4;
/// Least difference of material, in centipawns, that is a reason.
const LEAST_MATERIAL: i32 = 80;
/// Plies after which a change of material is late: its pieces are not named, …
const LATE: usize = 9;
/// … and up to this many centipawns it counts as an accident of the line.
const SMALL: i32 = 150;
/// Score from which on centipawns mean little.
const GREAT: i32 = 800;
/// Least difference of another term, in centipawns, that is a reason …
const LEAST_TERM: i32 = 20;
/// … and its least share of the loss, in per cent.
const LEAST_SHARE: i32 = 25;
/// Most plies of a line in a sentence. Of a longer one the beginning is shown, and its last ply.
const SHOWN: usize = 8;
/// Plies of the beginning.
const BEGINNING: usize = 5;
/// Most plies until an exchange of queens that is a reason.
const SOON: usize = 6;
/// The name of the material in every evaluation.
const MATERIAL: &str = "material";

/// A move that needs a reason.
pub(super) struct Slip<'a, P> {
    /// The game before the move.
    pub game: &'a Game<P>,
    /// The move.
    pub played: Move,
    /// The square on which the opponent has just captured.
    pub previous: Option<Square>,
    /// The score before the move, with the better line.
    pub before: Eval,
    /// The score after the move, with the refutation.
    pub after: Eval,
}

impl<P> Slip<'_, P> {
    /// Centipawns lost; `None` if a mate or a great score is among them, where centipawns mean little.
    fn drop(&self) -> Option<i32> {
        let (before, after) = (self.before.score, -self.after.score);
        let is_plain = before.raw().abs() < GREAT && after.raw().abs() < GREAT;
        is_plain.then(|| before - after)
    }
}

/// Why a move was a mistake.
#[derive(Clone, Debug)]
pub struct Reason {
    /// The sentence.
    pub text: String,
    /// The line that shows it, the mistake first.
    pub line: Vec<Move>,
}

/// The two lines of a slip, played to their ends.
struct Lines<P> {
    mover: Color,
    played: PlayedLine<P>,
    best: PlayedLine<P>,
    /// Terms after each ply.
    played_terms: Vec<Terms>,
    best_terms: Vec<Terms>,
    words: Words,
}

/// The parts that every sentence may use.
struct Words {
    played: String,
    best: String,
}

impl<P: Variant> Lines<P> {
    fn ends(&self) -> (&Terms, &Terms) {
        (
            &self.played_terms[self.played_terms.len() - 1],
            &self.best_terms[self.best_terms.len() - 1],
        )
    }

    /// The lead of the mover in material after each ply of a line.
    fn material(&self, terms: &[Terms]) -> Vec<i32> {
        terms.iter().map(|terms| terms.lead(MATERIAL, self.mover)).collect()
    }

    /// The change of material along a line, for the mover.
    fn change(&self, terms: &[Terms]) -> i32 {
        let leads = self.material(terms);
        leads.last().unwrap_or(&0) - leads.first().unwrap_or(&0)
    }

    /// The first `plies` plies after the mistake, as text.
    fn refutation(&self, plies: usize) -> String {
        shown(&self.played.games[1], &self.played.moves[1..], plies)
    }

    /// The first `plies` plies of the better line, as text.
    fn better(&self, plies: usize) -> String {
        shown(&self.played.games[0], &self.best.moves, plies)
    }

    /// The pieces that the first `plies` of a line win and lose, in words, and the change of material for the
    /// mover. `None` for a small change that comes late.
    fn outcome(
        &self,
        texts: &Texts,
        line: &PlayedLine<P>,
        terms: &[Terms],
        plies: usize,
    ) -> Option<(String, String)> {
        let leads = self.material(terms);
        let change = leads[plies.min(leads.len() - 1)] - leads[0];
        if plies > LATE {
            let what = texts.get("what.material").to_string();
            return (change.abs() > SMALL).then(|| (what, pawns(change)));
        }
        let start = PlayedLine::new(&line.games[0], &line.moves[..plies.min(line.moves.len())]);
        let balance = Balance::of(&start, self.mover);
        let balance = if change < 0 { balance } else { balance.turned() };
        let what = match balance.loss::<P>() {
            loss if loss > 0 => balance.text(texts),
            _ => texts.get("what.material").to_string(),
        };
        Some((what, pawns(change)))
    }

    /// The plies of a line until its change of material has happened and stays, with the recaptures that
    /// belong to it: the first place where the material is nearly that of the end, from which on most of the
    /// change remains.
    fn plies_to_change(&self, line: &PlayedLine<P>, terms: &[Terms]) -> usize {
        let changes: Vec<i32> = {
            let leads = self.material(terms);
            let sign = (leads[leads.len() - 1] - leads[0]).signum();
            leads.iter().map(|lead| (lead - leads[0]) * sign).collect()
        };
        let last = changes[changes.len() - 1];
        let tolerance = (last / 2).clamp(30, 100);
        let target = |ply: usize| line.moves.get(ply).filter(|m| m.is_capture()).map(|m| m.to());
        let is_amid_captures = |plies: usize| {
            plies > 0 && target(plies).is_some() && target(plies) == target(plies - 1)
        };
        let is_there = |plies: usize| {
            (changes[plies] - last).abs() <= tolerance
                && !is_amid_captures(plies)
                && changes[plies..].iter().all(|change| change * 10 >= last * 4)
        };
        (1..changes.len()).find(|&plies| is_there(plies)).unwrap_or(changes.len() - 1)
    }
}

/// The beginning of a line as text, up to `plies`. Of a long one only the first plies and the last are
/// shown.
fn shown<P: Variant>(game: &Game<P>, moves: &[Move], plies: usize) -> String {
    let plies = plies.clamp(1, moves.len().max(1)).min(moves.len());
    if plies <= SHOWN {
        return line_text(game, &moves[..plies]);
    }
    let before_last = PlayedLine::new(game, &moves[..plies - 1]);
    let last = line_text(before_last.end(), &moves[plies - 1..plies]);
    format!("{} … {last}", line_text(game, &moves[..BEGINNING]))
}

impl<P: Variant, E: Evaluator<P>> RulesAnalyst<P, E> {
    /// The reason of a slip.
    pub(super) fn reason(&mut self, slip: &Slip<P>) -> Reason {
        let mover = slip.game.now().turn();
        let refuting: Vec<Move> =
            [slip.played].into_iter().chain(slip.after.pv.iter().copied()).collect();
        let played = self.until_explained(slip.game, &refuting, -slip.after.score);
        let best = self.until_explained(slip.game, &slip.before.pv, slip.before.score);
        let lines = Lines {
            mover,
            played_terms: played.terms(&self.evaluator),
            best_terms: best.terms(&self.evaluator),
            words: Words {
                played: line_text(slip.game, &[slip.played]),
                best: line_text(slip.game, &slip.before.pv[..slip.before.pv.len().min(1)]),
            },
            played,
            best,
        };
        let texts = self.texts();
        let text = forced_end(&texts, slip, &lines)
            .or_else(|| material_reason(&texts, slip, &lines))
            .or_else(|| trade_reason(&texts, &lines))
            .or_else(|| self.term_reason(&texts, slip, &lines))
            .unwrap_or_else(|| {
                let better = lines.better(4);
                let line = lines.refutation(3);
                say(&texts, "why.later", &lines, &[("line", &line), ("better", &better)])
            });
        Reason { text, line: lines.played.moves }
    }

    /// Plays a line to the place where the static evaluation agrees with the score, which is that of
    /// the side to move at the beginning.
    fn until_explained(&mut self, game: &Game<P>, moves: &[Move], score: Score) -> PlayedLine<P> {
        let mut line = PlayedLine::new(game, moves);
        if score.is_mate() {
            return line;
        }
        let start = game.now().turn();
        let mut distances: Vec<i32> = Vec::new();
        for _ in 0..EXTENSIONS {
            for game in &line.games[distances.len()..] {
                let seen = if game.now().turn() == start { score } else { -score };
                distances.push(self.distance(game, seen));
            }
            // Amid captures the material means nothing.
            let unrest = |plies: usize| {
                let next = line.moves.get(plies);
                if next.is_some_and(|m| m.is_capture()) { EXPLAINED } else { 0 }
            };
            let distance = |plies: usize| distances[plies] + unrest(plies);
            let places = SHORTEST.min(line.moves.len())..=line.moves.len();
            let best = places.min_by_key(|&plies| distance(plies) + PLY * plies as i32);
            let best = best.unwrap_or(line.moves.len());
            let end = line.end().clone();
            let is_over = end.draw_reason().is_some() || line.moves.len() >= LONGEST;
            if is_over || distance(best) <= EXPLAINED {
                return PlayedLine::new(game, &line.moves[..best]);
            }
            let eval = self.search(&end, 1);
            if eval.pv.is_empty() || eval.score.is_mate() {
                break;
            }
            eval.pv.iter().for_each(|&m| line.play(m));
        }
        line
    }

    /// Centipawns by which the static evaluation of a position differs from `seen`, or from what a short search
    /// finds if something hangs there; both for the side to move.
    fn distance(&mut self, game: &Game<P>, seen: Score) -> i32 {
        let found = self.glance(game);
        let evaluation = self.evaluator.explain(game.position()).score();
        let check = if game.now().is_check() { EXPLAINED } else { 0 };
        (evaluation - seen).abs().max((evaluation - found).abs()) + check
    }

    /// A reason in another term than material: the term that differs most, and the piece that makes most of
    /// the difference by standing elsewhere.
    fn term_reason(&self, texts: &Texts, slip: &Slip<P>, lines: &Lines<P>) -> Option<String> {
        let (played_end, best_end) = lines.ends();
        let lead = |terms: &Terms, name: &str| terms.lead(name, lines.mover);
        let terms = best_end.0.iter().map(|(name, _)| *name).filter(|name| *name != MATERIAL);
        let harms = terms.map(|name| (lead(best_end, name) - lead(played_end, name), name));
        let (harm, name) = harms.max()?;
        let is_small = slip.drop().is_some_and(|drop| harm * 100 < drop * LEAST_SHARE);
        if harm < LEAST_TERM || is_small {
            return None;
        }
        let term = texts.get(&format!("term.{}", name.replace(' ', "-"))).to_string();
        let change = pawns(-harm);
        let values = [("term", term.as_str()), ("change", &change)];
        let pieces = Color::ALL.into_iter().flat_map(|color| self.harms(lines, name, color));
        let text = match pieces.max_by_key(|step| step.harm) {
            Some(step) if step.harm * 2 >= harm => step.reason(texts, lines, name, &values),
            _ => None,
        };
        Some(text.or_else(|| king_reason(texts, lines, &values)).unwrap_or_else(|| {
            let (line, better) = (lines.refutation(3), lines.better(3));
            let own = [("line", line.as_str()), ("better", &better)];
            say(texts, "why.term", lines, &[&values[..], &own].concat())
        }))
    }

    /// The pieces of `color`, without the king, that stand elsewhere in the better line, and the harm that
    /// each does to the mover in a term by that.
    fn harms(&self, lines: &Lines<P>, name: &str, color: Color) -> Vec<Step> {
        let share = |line: &PlayedLine<P>, square: Square| {
            share_of_piece(&self.evaluator, line.end().position(), name, square)
        };
        let sign = if color == lines.mover { -1 } else { 1 };
        let pairs = lines.played.fates.iter().zip(&lines.best.fates);
        let harms = pairs.filter_map(|(played, best)| {
            let (square, better_square) = (played.square?, best.square?);
            let is_meant = played.color == color
                && played.role != Role::King
                && played.from == best.from
                && square != better_square;
            let change = |square, better_square| {
                Some(share(&lines.played, square)? - share(&lines.best, better_square)?)
            };
            let change = is_meant.then(|| change(square, better_square))??;
            Some(Step { harm: sign * change, fate: *played, square, better_square })
        });
        harms.collect()
    }
}

/// A piece that stands elsewhere in the better line.
struct Step {
    /// What that costs the mover in a term, in centipawns.
    harm: i32,
    fate: Fate,
    square: Square,
    better_square: Square,
}

impl Step {
    /// The sentence about the piece; `None` if its way takes too long to be the reason.
    fn reason<P: Variant>(
        &self,
        texts: &Texts,
        lines: &Lines<P>,
        name: &str,
        values: &[(&str, &str)],
    ) -> Option<String> {
        let Step { fate, square, better_square, .. } = *self;
        let stays = square == fate.from;
        let is_pawn = fate.role_at_end == Role::Pawn;
        let key = match (fate.color == lines.mover, name) {
            (true, _) if is_pawn && stays => "why.own-pawn",
            (true, "king safety") => "why.own.for",
            (true, "king proximity") => "why.own.against",
            (false, _) if stays => "why.other.stays",
            (false, _) if is_pawn => "why.other-pawn",
            (false, "king proximity") => "why.other.against",
            (false, "king safety") => "why.other.for",
            _ => return None,
        };
        let there = way(&lines.played, fate.from);
        let better = way(&lines.best, fate.from);
        if there > SHOWN || better > SHOWN {
            return None;
        }
        let line = lines.refutation(there.saturating_sub(1).max(1));
        let better = lines.better(better.max(1));
        let piece = material::piece(texts, fate.role_at_end, Some(square));
        let name = material::piece(texts, fate.role_at_end, None);
        let (square, better_square) = (square.to_string(), better_square.to_string());
        let own = [
            ("piece", piece.as_str()),
            ("name", &name),
            ("square", &square),
            ("better_square", &better_square),
            ("line", &line),
            ("better", &better),
        ];
        Some(say(texts, key, lines, &[&own[..], values].concat()))
    }
}

/// Plies of a line until the piece from `square` has come to its last place.
fn way<P: Variant>(line: &PlayedLine<P>, square: Square) -> usize {
    let (mut now, mut plies) = (square, 0);
    for (ply, m) in line.moves.iter().enumerate() {
        if m.from() == Some(now) && m.castling_side().is_none() {
            (now, plies) = (m.to(), ply + 1);
        }
    }
    plies
}

/// A reason in the place of the own king, if one of the two moves is a king move and it matters where the
/// king stands at the end.
fn king_reason<P: Variant>(
    texts: &Texts,
    lines: &Lines<P>,
    values: &[(&str, &str)],
) -> Option<String> {
    let king = |game: &Game<P>| game.position().board().king_of(lines.mover);
    let (square, better_square) = (king(lines.played.end())?, king(lines.best.end())?);
    let arrives = |line: &PlayedLine<P>, square: Square| {
        line.games.iter().rposition(|game| king(game) != Some(square)).map_or(0, |at| at + 1)
    };
    let key = match (arrives(&lines.played, square), arrives(&lines.best, better_square)) {
        _ if square == better_square => return None,
        (1, _) => "why.own-king.goes",
        (0, 1) => "why.own-king.stays",
        _ => return None,
    };
    let (line, better) = (lines.refutation(1), lines.better(1));
    let (square, better_square) = (square.to_string(), better_square.to_string());
    let own = [
        ("square", square.as_str()),
        ("better_square", &better_square),
        ("line", &line),
        ("better", &better),
    ];
    Some(say(texts, key, lines, &[&own[..], values].concat()))
}

/// A reason in the exchange of queens, which one line brings and the other does not.
fn trade_reason<P: Variant>(texts: &Texts, lines: &Lines<P>) -> Option<String> {
    let are_gone = |line: &PlayedLine<P>| {
        let queens = line.end().position().board().queens();
        let had = line.games[0].position().board().queens();
        queens.is_empty() && had.count() == 2
    };
    let lead = lines.material(&lines.best_terms)[0];
    let soon = |line: &PlayedLine<P>| queens_gone_at(line).filter(|plies| *plies <= SOON);
    match (are_gone(&lines.played), are_gone(&lines.best)) {
        (false, true) if lead >= LEAST_MATERIAL => {
            let better = lines.better(soon(&lines.best)?);
            Some(say(texts, "why.keeps-queens", lines, &[("better", &better)]))
        }
        (true, false) if lead <= -LEAST_MATERIAL => {
            let line = lines.refutation(soon(&lines.played)?.saturating_sub(1));
            Some(say(texts, "why.trades-queens", lines, &[("line", &line)]))
        }
        _ => None,
    }
}

/// The number of plies after which a line has no queens.
fn queens_gone_at<P: Variant>(line: &PlayedLine<P>) -> Option<usize> {
    line.games
        .iter()
        .position(|game| game.position().board().queens().is_empty())
        .filter(|plies| *plies > 0)
}

/// The reasons that end the game: mates allowed or missed, draws.
fn forced_end<P: Variant>(texts: &Texts, slip: &Slip<P>, lines: &Lines<P>) -> Option<String> {
    let count = |moves: i32| moves.to_string();
    if let Meaning::Mate(moves) = slip.after.score.meaning()
        && moves > 0
    {
        let plies = slip.after.pv.len();
        let line = lines.refutation(plies);
        return Some(say(texts, "why.mated", lines, &[("count", &count(moves)), ("line", &line)]));
    }
    let after = &lines.played.games[1];
    if let Some(reason) = after.draw_reason() {
        let reason = texts.get(draw_key(reason)).to_string();
        return Some(say(
            texts,
            "why.draw",
            lines,
            &[("reason", &reason), ("better", &lines.better(3))],
        ));
    }
    if let Meaning::Mate(moves) = slip.before.score.meaning()
        && moves > 0
    {
        let line = lines.better(slip.before.pv.len());
        return Some(say(
            texts,
            "why.missed-mate",
            lines,
            &[("count", &count(moves)), ("line", &line)],
        ));
    }
    let end = lines.played.end();
    let repeats = end.repetitions() > 1;
    let reason = end.draw_reason().or(repeats.then_some("threefold repetition"));
    if slip.after.score == Score::DRAW
        && let Some(reason) = reason
    {
        let reason = texts.get(draw_key(reason)).to_string();
        let line = lines.refutation(lines.played.moves.len());
        return Some(say(texts, "why.drawn-after", lines, &[("reason", &reason), ("line", &line)]));
    }
    None
}

fn draw_key(reason: &str) -> &'static str {
    match reason {
        "threefold repetition" => "draw.repetition",
        "fifty-move rule" => "draw.fifty",
        "stalemate" => "draw.stalemate",
        "insufficient material" => "draw.material",
        _ => "draw.other",
    }
}

/// A reason in the material: what the line played loses, or what the better line wins.
fn material_reason<P: Variant>(texts: &Texts, slip: &Slip<P>, lines: &Lines<P>) -> Option<String> {
    let (played_end, best_end) = lines.ends();
    let difference = best_end.lead(MATERIAL, lines.mover) - played_end.lead(MATERIAL, lines.mover);
    let drop = slip.drop();
    let is_main = drop.is_none_or(|drop| difference * 4 >= drop && difference <= drop * 2 + 100);
    if difference < LEAST_MATERIAL || !is_main || P::CAPTURES == Captures::Duty {
        return None;
    }
    let (lost, won) = (-lines.change(&lines.played_terms), lines.change(&lines.best_terms));
    // What is lost at once says more than what might be won in the end.
    let is_late = lines.plies_to_change(&lines.best, &lines.best_terms) > LATE;
    match lost >= won || lost >= LEAST_MATERIAL && is_late {
        true => loss_reason(texts, lines),
        false => gain_reason(texts, slip, lines),
    }
}

/// What the line played loses.
fn loss_reason<P: Variant>(texts: &Texts, lines: &Lines<P>) -> Option<String> {
    if let Some(fate) = promoted(&lines.played, !lines.mover) {
        let piece = material::piece(texts, Role::Pawn, Some(fate.from));
        let plies = lines.played.moves.iter().position(|m| m.promotion().is_some());
        let plies = plies.unwrap_or(0);
        let change = lines.change(&lines.played_terms[..plies + 2]);
        let line = lines.refutation(plies);
        let values = [("piece", piece.as_str()), ("line", &line), ("change", &pawns(change))];
        return Some(say(texts, "why.promotes", lines, &values));
    }
    let plies = lines.plies_to_change(&lines.played, &lines.played_terms);
    let (what, change) = lines.outcome(texts, &lines.played, &lines.played_terms, plies)?;
    let line = lines.refutation(plies.saturating_sub(1));
    let other = lines.change(&lines.best_terms);
    let key = match plies > LATE {
        true => "why.loses-late",
        // The better line loses something too.
        false if other <= -LEAST_MATERIAL => "why.loses-more",
        false => "why.loses",
    };
    let (other, better) = (pawns(other), lines.better(3));
    let values = [
        ("what", what.as_str()),
        ("line", &line),
        ("change", &change),
        ("other", &other),
        ("better", &better),
    ];
    Some(say(texts, key, lines, &values))
}

/// What the better line wins.
fn gain_reason<P: Variant>(texts: &Texts, slip: &Slip<P>, lines: &Lines<P>) -> Option<String> {
    if let Some(fate) = promoted(&lines.best, lines.mover) {
        let piece = material::piece(texts, Role::Pawn, Some(fate.from));
        let plies = lines.best.moves.iter().position(|m| m.promotion().is_some());
        let plies = plies.unwrap_or(0);
        let change = lines.change(&lines.best_terms[..plies + 2]);
        let line = lines.better(plies + 1);
        let values = [("piece", piece.as_str()), ("line", &line), ("change", &pawns(change))];
        return Some(say(texts, "why.misses-promotion", lines, &values));
    }
    let plies = lines.plies_to_change(&lines.best, &lines.best_terms);
    let (what, change) = lines.outcome(texts, &lines.best, &lines.best_terms, plies)?;
    let better = lines.better(plies);
    let best = slip.before.pv.first();
    let retakes = best.is_some_and(|best| best.is_capture() && Some(best.to()) == slip.previous);
    let other = lines.change(&lines.played_terms);
    let leads = lines.material(&lines.best_terms);
    if leads[plies] - leads[0] < other + LEAST_MATERIAL {
        return None;
    }
    let taken = lines.material(&lines.played_terms[..2]);
    let gives_back = taken[1] - taken[0] >= LEAST_MATERIAL && other < LEAST_MATERIAL;
    let key = match retakes {
        _ if plies > LATE => "why.misses-late",
        true => "why.retake",
        false if gives_back => "why.gives-back",
        // The line played wins something too.
        false if other >= LEAST_MATERIAL => "why.wins-less",
        false => "why.misses",
    };
    let square = slip.previous.map_or_else(String::new, |square| square.to_string());
    let (other, line) = (pawns(other), lines.refutation(3));
    let values = [
        ("what", what.as_str()),
        ("better", &better),
        ("square", &square),
        ("change", &change),
        ("other", &other),
        ("line", &line),
    ];
    Some(say(texts, key, lines, &values))
}

/// A pawn of `color` that promotes in a line and lives on.
fn promoted<P: Variant>(line: &PlayedLine<P>, color: Color) -> Option<Fate> {
    let mut fates = line.fates.iter().copied();
    fates.find(|fate| {
        fate.color == color
            && fate.square.is_some()
            && fate.role == Role::Pawn
            && fate.role_at_end != Role::Pawn
    })
}

/// A sentence about the move played and the best one.
fn say<P>(texts: &Texts, key: &str, lines: &Lines<P>, values: &[(&str, &str)]) -> String {
    let mut args = vec![("move", lines.words.played.as_str()), ("best", &lines.words.best)];
    args.extend_from_slice(values);
    texts.fill(key, &args)
}

/// A change in pawns, with its sign: `−2.0`.
fn pawns(centipawns: i32) -> String {
    let sign = if centipawns < 0 { '−' } else { '+' };
    format!("{sign}{:.1}", f64::from(centipawns.abs()) / 100.0)
}
