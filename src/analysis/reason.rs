//! Why a move was a mistake, in one plain sentence.
//!
//! The move and the better one are each played on along their best lines until the static evaluation tells
//! the same as the score: nothing hangs any more, and the three terms add up to what the search saw. The
//! term that differs most between the two ends is the reason. Material is named by its pieces, the other
//! terms by the piece whose share changed most. The number in parentheses is the change of the term along
//! the line that is shown, or against the better line where the sentence compares the two.

use shakmaty::{Color, Move, Role, Square};

use super::analyst::{Eval, RulesAnalyst};
use super::course::line_text;
use super::line::{Fate, PlayedLine, Terms, share_of_piece};
use super::material::{self, Balance};
use crate::evaluation::{Evaluator, Variant};
use crate::rules::{Captures, Game};
use crate::score::{Meaning, Score};
use crate::shell::texts::Texts;

/// Difference between score and static evaluation, in centipawns, at which a line counts as told.
const TOLD: i32 = 60;
/// Most plies of a line.
const LONGEST: usize = 24;
/// Most searches that lengthen a line.
const EXTENSIONS: usize = 4;
/// Least difference of material, in centipawns, that is a reason.
const LEAST_MATERIAL: i32 = 80;
/// Least difference of another term, in centipawns, that is a reason.
const LEAST_TERM: i32 = 15;
/// Most plies of a line in a sentence.
const SHOWN: usize = 7;
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
        (&self.played_terms[self.played_terms.len() - 1], &self.best_terms[self.best_terms.len() - 1])
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

    /// The plies of a line until its change of material has happened and stays.
    fn plies_to_change(&self, terms: &[Terms]) -> usize {
        let leads = self.material(terms);
        let (first, last) = (leads[0], leads[leads.len() - 1]);
        let has_happened = |lead: i32| (lead - first) * (last - first).signum() * 10 >= (last - first).abs() * 7;
        let stays = leads.iter().rev().take_while(|lead| has_happened(**lead)).count();
        leads.len() - stays
    }
}

/// The beginning of a line as text; dots show that it goes on.
fn shown<P: Variant>(game: &Game<P>, moves: &[Move], plies: usize) -> String {
    let plies = plies.max(1);
    let shown = &moves[..plies.min(SHOWN).min(moves.len())];
    let dots = if plies > SHOWN && moves.len() > shown.len() { " …" } else { "" };
    format!("{}{dots}", line_text(game, shown))
}

impl<P: Variant, E: Evaluator<P>> RulesAnalyst<P, E> {
    /// The reason of a slip.
    pub(super) fn reason(&mut self, slip: &Slip<P>) -> Reason {
        let mover = slip.game.now().turn();
        let refuting: Vec<Move> = [slip.played].into_iter().chain(slip.after.pv.iter().copied()).collect();
        let played = self.tell(slip.game, &refuting, -slip.after.score);
        let best = self.tell(slip.game, &slip.before.pv, slip.before.score);
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
            .or_else(|| self.term_reason(&texts, &lines))
            .unwrap_or_else(|| {
                let better = lines.better(5);
                let line = lines.refutation(5);
                say(&texts, "why.later", &lines, &[("line", &line), ("better", &better)])
            });
        Reason { text, line: lines.played.moves }
    }

    /// Plays a line on until the static evaluation tells the same as the score, which is that of the side
    /// to move at the beginning.
    fn tell(&mut self, game: &Game<P>, moves: &[Move], score: Score) -> PlayedLine<P> {
        let mut line = PlayedLine::new(game, moves);
        let start = game.now().turn();
        let mut expected = score;
        for _ in 0..EXTENSIONS {
            let end = line.end();
            let turn = end.now().turn();
            let static_eval = self.evaluator.explain(end.position()).score();
            let seen = if turn == start { expected } else { -expected };
            let is_told = !seen.is_mate() && !end.now().is_check() && (static_eval - seen).abs() <= TOLD;
            let is_over = end.draw_reason().is_some() || line.moves.len() >= LONGEST;
            if is_told || is_over {
                break;
            }
            let end = end.clone();
            let eval = self.search(&end, 1);
            if eval.pv.is_empty() {
                break;
            }
            expected = if turn == start { eval.score } else { -eval.score };
            eval.pv.iter().for_each(|&m| line.play(m));
        }
        line
    }

    /// A reason in another term than material: the share of a side that differs most.
    fn term_reason(&self, texts: &Texts, lines: &Lines<P>) -> Option<String> {
        let (played, best) = lines.ends();
        let names = best.0.iter().chain(&played.0).map(|(name, _)| *name).filter(|name| *name != MATERIAL);
        let harm = |name: &str, color: Color| {
            let change = played.share(name, color) - best.share(name, color);
            if color == lines.mover { -change } else { change }
        };
        let shares = names.flat_map(|name| Color::ALL.map(|color| (harm(name, color), name, color)));
        let (harm, name, color) = shares.max_by_key(|(harm, _, _)| *harm)?;
        if harm < LEAST_TERM {
            return None;
        }
        let fate = self.culprit(lines, name, color);
        let side = if color == lines.mover { "own" } else { "other" };
        let is_pawn = fate.is_some_and(|(fate, _)| fate.role == Role::Pawn && color != lines.mover);
        let is_gone = fate.is_some_and(|(_, square)| square.is_none());
        let key = match (name, side) {
            _ if is_pawn && !is_gone && name.starts_with("king") => "why.pawn",
            ("king safety", "own") => "why.safety.own",
            ("king safety", _) => "why.safety.other",
            ("king proximity", "own") => "why.proximity.own",
            ("king proximity", _) => "why.proximity.other",
            _ => "why.term",
        };
        let piece = fate.map_or_else(
            || texts.get("the.pieces").to_string(),
            |(fate, square)| material::piece(texts, fate.role_at_end, square.or(Some(fate.from))),
        );
        let term = texts.get(&format!("term.{}", name.replace(' ', "-"))).to_string();
        let sign = if color == lines.mover { -harm } else { harm };
        let (line, better) = (lines.refutation(3), lines.better(3));
        let values = [
            ("piece", piece.as_str()),
            ("line", &line),
            ("better", &better),
            ("term", &term),
            ("change", &pawns(sign)),
        ];
        Some(say(texts, key, lines, &values))
    }

    /// The piece of `color` whose share in a term differs most between the two lines, to the harm of the
    /// mover, with its square at the end of the line played.
    fn culprit(&self, lines: &Lines<P>, name: &str, color: Color) -> Option<(Fate, Option<Square>)> {
        let share = |line: &PlayedLine<P>, square: Option<Square>| {
            let position = line.end().position();
            square.and_then(|square| share_of_piece(&self.evaluator, position, name, square)).unwrap_or(0)
        };
        let sign = if color == lines.mover { -1 } else { 1 };
        let pairs = lines.played.fates.iter().zip(&lines.best.fates);
        let own = pairs.filter(|(played, best)| {
            played.color == color && played.role != Role::King && played.from == best.from
        });
        let harms = own.map(|(played, best)| {
            let change = share(&lines.played, played.square) - share(&lines.best, best.square);
            (sign * change, *played)
        });
        let (harm, fate) = harms.max_by_key(|(harm, _)| *harm)?;
        (harm > 0).then_some((fate, fate.square))
    }
}

/// The reasons that end the game: mates allowed or missed, draws.
fn forced_end<P: Variant>(texts: &Texts, slip: &Slip<P>, lines: &Lines<P>) -> Option<String> {
    let count = |moves: i32| moves.abs().to_string();
    if let Meaning::Mate(moves) = (-slip.after.score).meaning()
        && moves <= 0
    {
        let plies = slip.after.pv.len();
        let line = lines.refutation(plies);
        return Some(say(texts, "why.mated", lines, &[("count", &count(moves)), ("line", &line)]));
    }
    if let Meaning::Mate(moves) = slip.before.score.meaning()
        && moves > 0
    {
        let line = lines.better(slip.before.pv.len());
        return Some(say(texts, "why.missed-mate", lines, &[("count", &count(moves)), ("line", &line)]));
    }
    let after = &lines.played.games[1];
    if let Some(reason) = after.draw_reason() {
        let reason = texts.get(draw_key(reason)).to_string();
        return Some(say(texts, "why.draw", lines, &[("reason", &reason), ("better", &lines.better(3))]));
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
    let total = best_end.total(lines.mover) - played_end.total(lines.mover);
    if difference < LEAST_MATERIAL || difference * 2 < total || P::CAPTURES == Captures::Duty {
        return None;
    }
    let (lost, won) = (-lines.change(&lines.played_terms), lines.change(&lines.best_terms));
    if lost * 2 >= difference {
        let line = lines.refutation(lines.plies_to_change(&lines.played_terms).saturating_sub(1));
        let balance = Balance::of(&lines.played, lines.mover);
        let promoted = promoted(&lines.played, !lines.mover);
        let change = pawns(-lost);
        if let Some(fate) = promoted {
            let piece = material::piece(texts, Role::Pawn, Some(fate.from));
            let plies = lines.played.moves.iter().position(|m| m.promotion().is_some());
            let line = lines.refutation(plies.unwrap_or(0));
            let values = [("piece", piece.as_str()), ("line", &line), ("change", &change)];
            return Some(say(texts, "why.promotes", lines, &values));
        }
        let what = match balance.loss::<P>() {
            loss if loss > 0 => balance.text(texts),
            _ => texts.get("what.material").to_string(),
        };
        let values = [("what", what.as_str()), ("line", &line), ("change", &change)];
        return Some(say(texts, "why.loses", lines, &values));
    }
    let change = pawns(won);
    let plies = lines.plies_to_change(&lines.best_terms);
    let better = lines.better(plies);
    if let Some(fate) = promoted(&lines.best, lines.mover) {
        let piece = material::piece(texts, Role::Pawn, Some(fate.from));
        let plies = lines.best.moves.iter().position(|m| m.promotion().is_some());
        let line = lines.better(plies.unwrap_or(0) + 1);
        let values = [("piece", piece.as_str()), ("line", &line), ("change", &change)];
        return Some(say(texts, "why.misses-promotion", lines, &values));
    }
    let balance = Balance::of(&lines.best, lines.mover).turned();
    let what = match balance.loss::<P>() {
        loss if loss > 0 => balance.text(texts),
        _ => texts.get("what.material").to_string(),
    };
    let retakes = slip.before.pv.first().is_some_and(|best| best.is_capture() && Some(best.to()) == slip.previous);
    let key = if retakes { "why.retake" } else { "why.misses" };
    let square = slip.previous.map_or_else(String::new, |square| square.to_string());
    let values = [
        ("what", what.as_str()),
        ("better", &better),
        ("square", &square),
        ("change", &change),
    ];
    Some(say(texts, key, lines, &values))
}

/// A pawn of `color` that promotes in a line and lives on.
fn promoted<P: Variant>(line: &PlayedLine<P>, color: Color) -> Option<Fate> {
    let mut fates = line.fates.iter().copied();
    fates.find(|fate| {
        fate.color == color && fate.square.is_some() && fate.role == Role::Pawn && fate.role_at_end != Role::Pawn
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
