//! Reasons in the material: the loss along the line played, the gain along the better line.

use shakmaty::{Color, Move, Role, Square, attacks};

use super::forced::Change;
use super::lines::{Lines, Outcome, is_amid_captures};
use super::motifs::Motifs;
use super::thresholds::{
    AT_ONCE_SHARE, BETTER, EXCHANGE, EXCHANGE_SHARE, FIRST_SHARE, GREAT_GAIN, LATE,
    MATERIAL_EXCESS, MATERIAL_SHARE, MIN_LENGTH, MIN_MATERIAL, REPAID, SHOWN, SMALL, SOONER,
};
use super::{Mistake, Sentence, pawns, say};
use crate::line::{PlayedLine, TrackedPiece};
use crate::material::{self, Balance};
use crate::motif::{Found, Motif, value};
use engine::evaluation::Variant;
use engine::rules::Captures;
use engine::rules::notation::arrival;
use engine::score::Score;
use engine::search::gains_at_least;
use shell::texts::Texts;

/// A reason in the material: the loss along the line played, or the gain along the better line.
pub(super) fn material_reason<P: Variant>(
    texts: &Texts,
    mistake: &Mistake<P>,
    lines: &Lines<P>,
) -> Option<Change> {
    let difference = lines.material_difference();
    let drop = mistake.drop();
    let (most, more) = MATERIAL_EXCESS;
    let (lost, won) = (-lines.change(&lines.played_terms), lines.change(&lines.best_terms));
    let to_loss = lines.plies_to_change(&lines.played, &lines.played_terms);
    // What falls to the answer, or in the exchange that it begins, and to nothing else, is seen, whatever else the move may cost.
    let is_exchanged = to_loss == MIN_LENGTH + 1 && is_amid_captures(&lines.played, MIN_LENGTH);
    let is_at_once = to_loss <= MIN_LENGTH || is_exchanged;
    let falls_at_once = lost >= MIN_MATERIAL && is_at_once && won > -MIN_MATERIAL;
    let is_main = drop.is_none_or(|drop| {
        let share = match difference {
            _ if falls_at_once => AT_ONCE_SHARE,
            EXCHANGE.. => EXCHANGE_SHARE,
            _ => MATERIAL_SHARE,
        };
        difference * 100 >= drop * share && difference <= drop * most / 100 + more
    });
    if difference < MIN_MATERIAL || !is_main || P::CAPTURES == Captures::Duty {
        return None;
    }
    // A loss at once says more than a gain that might come in the end, or than one at most twice as great that
    // comes later.
    let to_gain = lines.plies_to_change(&lines.best, &lines.best_terms);
    let is_late = to_gain > LATE || (2 * lost >= won && to_gain > to_loss + SOONER);
    match lost >= won || lost >= MIN_MATERIAL && is_late {
        true => loss_reason(texts, mistake, lines),
        false => gain_reason(texts, mistake, lines),
    }
}

/// True if `side` gives pawns and nothing else in the first `plies` of a line.
pub(super) fn gives_pawns<P: Variant>(line: &PlayedLine<P>, plies: usize, side: Color) -> bool {
    let balance = Balance::of(&line.beginning(plies), side);
    balance.is_of_pawns() && balance.loss::<P>() <= SMALL
}

/// The least part of a loss or gain of `whole` centipawns that a sentence may tell instead of the whole. It may always tell the exchange.
fn telling_part(whole: i32) -> i32 {
    MIN_MATERIAL.max((whole * FIRST_SHARE / 100).min(EXCHANGE))
}

/// True if a change of material is to be told by its beginning, after `first` plies: the whole comes late, or long after it.
fn begins_long(first: usize, settled: usize) -> bool {
    settled > LATE || first <= MIN_LENGTH && settled > first + SOONER
}

/// The loss along the line played.
fn loss_reason<P: Variant>(
    texts: &Texts,
    mistake: &Mistake<P>,
    lines: &Lines<P>,
) -> Option<Change> {
    let leads = lines.material(&lines.played_terms);
    let first = |least: i32| lines.first_loss(&lines.played, &lines.played_terms, least);
    let falls_before = |plies: usize| first(GREAT_GAIN).is_some_and(|loss| loss < plies);
    let pawn = promotion(&lines.played, !lines.mover);
    if pawn.as_ref().is_some_and(|pawn| pawn.is_in(&lines.best_on, !lines.mover)) {
        return None;
    }
    if let Some(pawn) = pawn.filter(|pawn| !falls_before(pawn.plies)) {
        // Both sides may have promoted by then: what the line ends with counts.
        let change = lines.change(&lines.played_terms[..=pawn.plies]);
        let change = change.min(lines.change(&lines.played_terms));
        let line = &*lines.refutation(pawn.plies - 1);
        let motifs = Motifs::suffered(lines, pawn.plies);
        let reason = pawn.reason(texts, lines, "why.promotes", ("line", line), change, motifs);
        return Some(Change { reason, is_loss: true, plies: pawn.plies });
    }
    let settled = lines.plies_to_change(&lines.played, &lines.played_terms);
    // A loss may grow along the line. The sentence names its beginning, where a player sees it.
    let by_promotion = || promotion(&lines.played, !lines.mover).is_some();
    // A small part of it is no reason.
    let whole = -lines.change(&lines.played_terms);
    let least = telling_part(whole);
    let begins = || first(least).filter(|&first| begins_long(first, settled) || by_promotion());
    // What the answer takes is most of it, whatever falls later by other mistakes.
    let at_once = first(MIN_MATERIAL.max(whole / 2)).filter(|&first| first <= MIN_LENGTH);
    let plies = at_once.or_else(begins).unwrap_or(settled);
    if gives_freely(&lines.played, 2, plies, &leads) {
        return None;
    }
    let outcome = lines.outcome(texts, &lines.played, &lines.played_terms, plies)?;
    let Outcome { what, change, squares } = outcome;
    let line = lines.refutation(plies.saturating_sub(1));
    let other = lines.change(&lines.best_terms);
    let lost = -lines.change(&lines.played_terms[..=plies]);
    // By its score the better line has something for what it loses.
    let is_repaid = mistake.before.score.raw() - (leads[0] + other) >= REPAID;
    let fallen = fallen_squares(&lines.played, lines.mover, plies);
    let motifs = Motifs::suffered(lines, plies).about(&squares, &fallen);
    // The number of motifs that the sentence describes; the others are named in parentheses.
    let (key, described) = match motifs.first() {
        // What falls at the end of a long line falls in one way among many.
        _ if plies > LATE => return None,
        // The better line loses something, too, but less by this place.
        _ if other <= -MIN_MATERIAL && lost + other >= MIN_MATERIAL && !is_repaid => {
            ("why.loses-more", 0)
        }
        // A motif about other pieces, or a fork of a small part of them, is no reason for this loss.
        Some(found) if !found.concerns(&squares) || !pays(lines, found, plies, lost) => {
            ("why.loses", 0)
        }
        Some(found) if found.motif == Motif::HangingPiece => match takes_guarded(lines, found) {
            true => ("why.takes-guarded", 1),
            false if opens_line(lines, found) => ("why.opens", 1),
            false => ("why.hangs", 1),
        },
        Some(found) if found.motif == Motif::TrappedPiece && stands(lines, found.piece) => {
            ("why.traps", 1)
        }
        Some(_) => ("why.loses-to", 1),
        // No coach blames a move on a pawn that a quiet answer wins later.
        None if !lines.played.moves.get(1).is_some_and(|answer| answer.is_capture())
            && gives_pawns(&lines.played, plies, lines.mover) =>
        {
            return None;
        }
        None => ("why.loses", 0),
    };
    let (piece, motif) = motifs.described(texts);
    let change = change + &motifs.also(texts, described);
    // What the better line costs is seen where it has fallen.
    let costs = lines.plies_to_change(&lines.best, &lines.best_terms).clamp(BETTER, SHOWN);
    let shown = if key == "why.loses-more" { costs } else { BETTER };
    let (other, better) = (pawns(texts, other), lines.better(shown));
    let first = lines.played.moves[0];
    let taken = first.capture().map(|role| material::piece(texts, role, Some(first.to())));
    let taker = lines.played.moves.get(1).map(|m| material::piece(texts, m.role(), m.from()));
    let values = [
        ("what", what.as_str()),
        ("taker", taker.as_deref().unwrap_or_default()),
        ("line", &line),
        ("change", &change),
        ("other", &other),
        ("better", &better),
        ("motif", &motif),
        ("piece", &piece),
        ("taken", taken.as_deref().unwrap_or_default()),
    ];
    let reason = say(texts, key, lines, &values).with(motifs.kinds());
    Some(Change { reason, is_loss: true, plies })
}

/// Where pieces of `side` fall in the first `plies` of a line, those that are exchanged among them.
pub(super) fn fallen_squares<P: Variant>(
    line: &PlayedLine<P>,
    side: Color,
    plies: usize,
) -> Vec<Square> {
    let own = line.tracked.iter().filter(|piece| piece.color == side);
    let fallen = own.filter_map(|piece| piece.captured.filter(|(ply, _)| *ply < plies));
    fallen.map(|(_, square)| square).collect()
}

/// True unless the motif is a fork, and what falls of the forked pieces in the first `plies` of the line played is less than half
/// of what is lost.
fn pays<P: Variant>(lines: &Lines<P>, found: &Found, plies: usize, lost: i32) -> bool {
    let falls = |piece: &&TrackedPiece| {
        let fell = piece.captured.filter(|(ply, _)| *ply < plies).map(|(_, square)| square);
        let is_forked = |fell: Square| {
            found.targets.iter().any(|&(_, place)| place == fell || place == piece.from)
        };
        piece.color == lines.mover && fell.is_some_and(is_forked)
    };
    let fallen: i32 = lines.played.tracked.iter().filter(falls).map(|one| value(one.role)).sum();
    found.motif != Motif::Fork || fallen == 0 || 2 * fallen >= lost
}

/// True if the move played takes something and is taken back for more: what hangs is what has just moved.
fn takes_guarded<P: Variant>(lines: &Lines<P>, hanging: &Found) -> bool {
    let [m, reply, ..] = lines.played.moves.as_slice() else { return false };
    let (to, is_it) = (arrival(*m), hanging.piece == (m.role(), arrival(*m)));
    is_it && m.is_capture() && reply.is_capture() && arrival(*reply) == to
}

/// True if the move played leaves the line between the piece that hangs, another one, and the one that takes it, which could not
/// reach it before.
fn opens_line<P: Variant>(lines: &Lines<P>, hanging: &Found) -> bool {
    let [m, reply, ..] = lines.played.moves.as_slice() else { return false };
    let (Some(left), Some(taker)) = (m.from(), reply.from()) else { return false };
    let square = hanging.piece.1;
    square != arrival(*m)
        && arrival(*reply) == square
        && attacks::between(taker, square).contains(left)
}

/// True if the piece stands there after the move played: a reader knows which one is meant.
fn stands<P: Variant>(lines: &Lines<P>, (role, square): (Role, Square)) -> bool {
    let after = lines.played.games.get(1);
    after.is_some_and(|game| game.position().board().role_at(square) == Some(role))
}

/// True if the move takes what has just captured.
fn takes_back<P>(mistake: &Mistake<P>, m: &Move) -> bool {
    m.is_capture() && Some(m.to()) == mistake.previous
}

/// True if the better move takes back what the mover is behind by, `lead` in centipawns, and the move played does not. Who has no
/// less without it wins more than comes back.
fn misses_recapture<P: Variant>(mistake: &Mistake<P>, lead: i32) -> bool {
    better_takes_back(mistake) && !takes_back(mistake, &mistake.played) && lead <= -MIN_MATERIAL
}

/// True if the better move takes what has just captured.
fn better_takes_back<P>(mistake: &Mistake<P>) -> bool {
    mistake.before.pv.first().is_some_and(|best| takes_back(mistake, best))
}

/// The gain along the better line.
fn gain_reason<P: Variant>(
    texts: &Texts,
    mistake: &Mistake<P>,
    lines: &Lines<P>,
) -> Option<Change> {
    let settled = lines.plies_to_change(&lines.best, &lines.best_terms);
    let first = |least: i32| lines.first_gain(&lines.best, &lines.best_terms, least);
    let leads = lines.material(&lines.best_terms);
    let other = lines.change(&lines.played_terms);
    let is_enough = |plies: &usize| leads[*plies] - leads[0] >= other + MIN_MATERIAL;
    let is_before =
        |plies: usize| first(GREAT_GAIN).is_some_and(|gain| gain < plies && is_enough(&gain));
    let pawn = promotion(&lines.best, lines.mover);
    if pawn.as_ref().is_some_and(|pawn| pawn.is_in(&lines.played_on, lines.mover)) {
        return None;
    }
    let by_promotion = pawn.is_some();
    if let Some(pawn) = pawn.filter(|pawn| !is_before(pawn.plies)) {
        return Some(missed_promotion(texts, lines, &pawn));
    }
    // Nor is a small part of it what the move misses.
    let whole = lines.change(&lines.best_terms);
    let least = telling_part(whole).max(other + MIN_MATERIAL);
    let first = first(least).filter(|&first| begins_long(first, settled) || by_promotion);
    let plies = first.or_else(|| Some(settled).filter(is_enough))?;
    // Who wins anyway does not miss what comes at the end of a long line.
    if plies > LATE && mistake.keeps_win() {
        return None;
    }
    let its_leads: Vec<i32> = leads.iter().map(|lead| -lead).collect();
    if gives_freely(&lines.best, 1, plies, &its_leads) {
        return None;
    }
    let outcome = lines.outcome(texts, &lines.best, &lines.best_terms, plies)?;
    let Outcome { what, change, squares } = outcome;
    let better = lines.better(plies);
    let retakes = misses_recapture(mistake, leads[0]);
    let (given_back, loses_again) = lost_again(lines, other);
    let gives_back = given_back.is_some();
    // Who exchanges pawns has won nothing to give back.
    let loses_gain = gives_back && !is_pawn_exchange(&lines.played);
    let takes_same = mistake.takes_same();
    let fallen = fallen_squares(&lines.best, !lines.mover, plies);
    let motifs = Motifs::missed(lines, plies).about(&squares, &fallen);
    // What has just captured hangs no more than what it took.
    let motifs = match better_takes_back(mistake) {
        true => motifs.without(Motif::HangingPiece),
        false => motifs,
    };
    let is_plain = motifs
        .first()
        .is_none_or(|found| found.motif == Motif::HangingPiece || !found.concerns(&squares));
    let (key, described) = match retakes {
        _ if plies > LATE => return None,
        true => ("why.retake", 0),
        false if takes_same && is_plain && gives_back => ("why.wrong-taker.back", 0),
        false if takes_same && is_plain && loses_again => ("why.wrong-taker.less", 0),
        // Both win the same: what more the better one wins is no gain of its own.
        false if takes_same && is_plain => return None,
        false if takes_same => ("why.misses-by", 1),
        // A reader sees the same fall in the line that exchanges.
        false if loses_gain && takes_all(&lines.played, &fallen) => return None,
        false if loses_gain && is_exchange(&lines.played) => ("why.only-exchanges", 0),
        false if loses_gain => ("why.gives-back", 0),
        // The move played wins something too, unless that is no comfort; the same piece is no difference anyway.
        false
            if other >= MIN_MATERIAL
                && mistake.played.is_capture()
                && (mistake.after.score <= Score::DRAW
                    || fallen.contains(&mistake.played.to())) =>
        {
            ("why.wins-less", 0)
        }
        false if is_plain && plies == 1 => ("why.misses-at-once", 0),
        false if is_plain => ("why.misses", 0),
        false => ("why.misses-by", 1),
    };
    let (_, motif) = motifs.described(texts);
    let change = change + &motifs.also(texts, described);
    let square = mistake.previous.map_or_else(String::new, |square| square.to_string());
    let other = pawns(texts, other);
    let (line, suffered) = losing_line(texts, lines, key, given_back);
    let values = [
        ("one", taker(texts, mistake)),
        ("what", what.as_str()),
        ("better", &better),
        ("square", &square),
        ("change", &change),
        ("other", &other),
        ("line", &line),
        ("motif", &motif),
    ];
    let named = motifs.kinds().into_iter().chain(suffered.kinds()).collect();
    let reason = say(texts, key, lines, &values).with(named);
    Some(Change { reason, is_loss: false, plies })
}

/// What becomes of what the move played takes: the plies after which the line has given all of it back, if it does, and whether
/// at least a pawn of it is lost again. `other` is the change of material in that line, in centipawns.
fn lost_again<P: Variant>(lines: &Lines<P>, other: i32) -> (Option<usize>, bool) {
    let leads = lines.material(&lines.played_terms[..2]);
    let taken = leads[1] - leads[0];
    let ends_even = other.abs() < MIN_MATERIAL;
    // The line must show how it is lost again.
    let given_back = lines.given_back();
    // A pawn that the line gives is not lost again.
    let is_given = ends_even && given_back.is_none();
    let again = taken - other;
    let is_late = again <= SMALL && lines.plies_to_end(&lines.played, &lines.played_terms) > LATE;
    let loses_again = again >= MIN_MATERIAL && !is_given && !is_late;
    (given_back.filter(|_| taken >= MIN_MATERIAL && ends_even), loses_again)
}

/// The promotion of a pawn along the better line.
fn missed_promotion<P: Variant>(texts: &Texts, lines: &Lines<P>, pawn: &Promotion) -> Change {
    let at_once = lines.change(&lines.best_terms[..=pawn.plies]);
    let change = if at_once > 0 { at_once } else { at_once.max(lines.change(&lines.best_terms)) };
    let line = &*lines.better(pawn.plies);
    let motifs = Motifs::missed(lines, pawn.plies);
    let reason =
        pawn.reason(texts, lines, "why.misses-promotion", ("better", line), change, motifs);
    Change { reason, is_loss: false, plies: pawn.plies }
}

/// The line played as far as a sentence of this key shows it, with the motifs by which the gain is lost again.
fn losing_line<P: Variant>(
    texts: &Texts,
    lines: &Lines<P>,
    key: &str,
    given_back: Option<usize>,
) -> (String, Motifs) {
    let plies = match key {
        "why.wrong-taker.less" => lines.plies_to_end(&lines.played, &lines.played_terms) - 1,
        "why.wrong-taker.back" => given_back.unwrap_or(BETTER),
        _ => given_back.unwrap_or(BETTER).max(BETTER),
    };
    let motifs = match key {
        "why.gives-back" => Motifs::shown(lines, plies + 1),
        _ => Motifs::default(),
    };
    (motifs.beside(texts, lines.refutation(plies)), motifs)
}

/// The word for what captures wrongly: "pawn" if a pawn captures in both lines, otherwise "piece".
pub(super) fn taker<'a, P>(texts: &'a Texts, mistake: &Mistake<P>) -> &'a str {
    let mut both = [Some(&mistake.played), mistake.before.pv.first()].into_iter();
    let is_pawn = |m: Option<&Move>| m.is_some_and(|m| m.role() == Role::Pawn);
    texts.get(if both.all(is_pawn) { "choice.pawn" } else { "choice.piece" })
}

/// True if a line begins with the exchange of a piece for its like: it is taken back, or another of its value is taken.
fn is_exchange<P: Variant>(line: &PlayedLine<P>) -> bool {
    let [first, reply, ..] = line.moves.as_slice() else { return false };
    let (taken, then) = (first.capture().map(value), reply.capture().map(value));
    match reply.to() == first.to() {
        true => reply.is_capture() && taken == Some(value(first.role())),
        false => taken > Some(value(Role::Pawn)) && taken == then,
    }
}

/// True if the side to move captures on all these squares in what a sentence shows of a line.
fn takes_all<P: Variant>(line: &PlayedLine<P>, squares: &[Square]) -> bool {
    let own = || line.moves.iter().take(SHOWN).step_by(2).filter(|m| m.is_capture());
    !squares.is_empty() && squares.iter().all(|square| own().any(|m| m.to() == *square))
}

/// True if both sides take a pawn in the first two moves of a line.
fn is_pawn_exchange<P: Variant>(line: &PlayedLine<P>) -> bool {
    let both = line.moves.iter().take(2);
    both.filter(|m| m.capture() == Some(Role::Pawn)).count() == 2
}

/// The move played takes something, and a piece falls for it elsewhere, which the better line keeps: nothing else would tell what
/// happens. A pawn for a pawn explains no loss.
pub(super) fn returned_reason<P: Variant>(
    texts: &Texts,
    mistake: &Mistake<P>,
    lines: &Lines<P>,
) -> Option<Sentence> {
    let (m, line) = (mistake.played, &lines.played);
    let leads = lines.material(&lines.played_terms);
    let taken = m.capture().filter(|_| Some(m.to()) != mistake.previous)?;
    let is_taken_back = line.moves.get(1).is_none_or(|reply| reply.to() == m.to());
    let change = lines.change(&lines.played_terms);
    if is_taken_back || change >= MIN_MATERIAL || leads.get(1)? - leads[0] < MIN_MATERIAL {
        return None;
    }
    let plies = lines.given_back()?;
    let falls = |piece: &&TrackedPiece| {
        piece.color == lines.mover && piece.captured.is_some_and(|(ply, _)| ply <= plies)
    };
    let mut fallen = line.tracked.iter().filter(falls);
    let (piece, None) = (fallen.next()?, fallen.next()) else { return None };
    let kept = lines.best_on.tracked.iter().find(|one| one.from == piece.from)?;
    // A pawn is not what makes the difference, nor is a piece where more falls.
    let given = value(piece.role) - value(taken);
    let falls_more = -change - given >= MIN_MATERIAL;
    let is_part = falls_more || piece.role == Role::Pawn;
    if kept.captured.is_some() || !piece.has_known_place() || is_part {
        return None;
    }
    let square = piece.captured.map(|(_, square)| square);
    // What takes and is taken there later, for as much, has only exchanged, and so has what its own side takes back.
    let is_taken_for_it = |one: &TrackedPiece| {
        let is_later = piece.captured.zip(one.captured).is_some_and(|(first, later)| {
            later.1 == first.1 && later.0 > first.0 && later.0 <= plies
        });
        one.color != lines.mover && is_later && value(one.role) >= value(piece.role)
    };
    let is_exchanged = square == Some(m.to()) && value(piece.role) <= value(taken);
    if is_exchanged || line.tracked.iter().any(is_taken_for_it) {
        return None;
    }
    let (piece, other) =
        (material::piece(texts, taken, Some(m.to())), material::piece(texts, piece.role, square));
    let motifs = Motifs::shown(lines, plies + 1);
    let line = motifs.beside(texts, lines.refutation(plies));
    let better = lines.better(BETTER);
    let values =
        [("piece", piece.as_str()), ("other", &other), ("line", &line), ("better", &better)];
    Some(say(texts, "why.returns", lines, &values).with(motifs.kinds()))
}

/// True if the side that moves at ply `first` takes something cheaper with a piece, there or later, which is taken in the first
/// `plies`, while nothing threatens any of its pieces: the line gives it, so it is not lost, and not won by the other side. `leads` is
/// the material of that side after each ply; where half of the loss comes before that, it is a loss all the same.
fn gives_freely<P: Variant>(
    line: &PlayedLine<P>,
    first: usize,
    plies: usize,
    leads: &[i32],
) -> bool {
    let lost = (leads[0] - leads[plies.min(leads.len() - 1)]).max(MIN_MATERIAL);
    let is_given = |ply: usize| {
        let (m, reply) = (line.moves[ply], line.moves[ply + 1]);
        let (Some(from), Some(taken)) = (m.from(), m.capture()) else { return false };
        // Where another piece falls anyway, giving this one is no choice.
        let passed = line.games[ply].now().pass();
        let falls = passed.is_some_and(|passed| {
            let position = passed.position();
            let is_piece = |taken: Role| taken != Role::Pawn;
            let mut captures = position.legal_moves().into_iter();
            captures.any(|other| {
                other.capture().is_some_and(is_piece)
                    && (other.to() == from || other.to() != m.to())
                    && gains_at_least(position, other, MIN_MATERIAL)
            })
        });
        reply.is_capture()
            && reply.to() == m.to()
            && 2 * (leads[0] - leads[ply]) < lost
            && value(m.role()) - value(taken) > value(Role::Pawn)
            && !falls
            && !line.games[ply].now().is_check()
    };
    (first..plies.min(line.moves.len()).saturating_sub(1)).step_by(2).any(is_given)
}

/// A pawn that promotes in a line.
struct Promotion {
    /// The square of the pawn before the line.
    from: Square,
    /// The plies of the line up to the first promotion, with it.
    plies: usize,
}

impl Promotion {
    /// True if the pawn, one of `color`, promotes in another line, too, and is not taken at once: then it is no difference.
    fn is_in<P: Variant>(&self, other: &PlayedLine<P>, color: Color) -> bool {
        let is_it = |one: &&TrackedPiece| one.color == color && one.from == self.from;
        let stays =
            |pawn: &TrackedPiece, plies: usize| pawn.captured.is_none_or(|(ply, _)| ply > plies);
        let mut pawns = other.tracked.iter().filter(is_it);
        pawns.any(|pawn| promotes_at(other, pawn).is_some_and(|at| stays(pawn, at)))
    }

    /// The sentence about the pawn, with the line that shows it, by the name of its place, and its change of material.
    fn reason<P: Variant>(
        &self,
        texts: &Texts,
        lines: &Lines<P>,
        key: &str,
        line: (&str, &str),
        change: i32,
        motifs: Motifs,
    ) -> Sentence {
        let piece = material::piece(texts, Role::Pawn, Some(self.from));
        let others = motifs.without(Motif::Promotion);
        let change = pawns(texts, change) + &others.also(texts, 0);
        let values = [("piece", piece.as_str()), line, ("change", &change)];
        let named = [Motif::Promotion].into_iter().chain(others.kinds()).collect();
        say(texts, key, lines, &values).with(named)
    }
}

/// The promotion of a pawn of `color` that lives on to the end of a line.
fn promotion<P: Variant>(line: &PlayedLine<P>, color: Color) -> Option<Promotion> {
    let is_meant =
        |piece: &&TrackedPiece| piece.color == color && piece.square.is_some() && piece.promotes();
    // Where several pawns promote, the sentence names the first of them.
    let pawns = line.tracked.iter().filter(is_meant);
    pawns
        .filter_map(|pawn| Some(Promotion { from: pawn.from, plies: promotes_at(line, pawn)? }))
        .min_by_key(|pawn| pawn.plies)
}

/// True if a pawn promotes in one of the lines long after the move, and nothing great falls before: a player names what
/// leads there.
pub(super) fn promotes_late<P: Variant>(lines: &Lines<P>) -> bool {
    let is_late = |line: &PlayedLine<P>, side: Color| {
        promotion(line, side).is_some_and(|pawn| pawn.plies > LATE)
    };
    let promotes = promotion(&lines.played, !lines.mover).is_some();
    let falls = lines.first_loss(&lines.played, &lines.played_terms, GREAT_GAIN).is_some()
        || !promotes && lines.change(&lines.played_terms) <= -GREAT_GAIN;
    let gains = lines.first_gain(&lines.best, &lines.best_terms, GREAT_GAIN).is_some();
    !falls && (is_late(&lines.played, !lines.mover) || !gains && is_late(&lines.best, lines.mover))
}

/// The plies of a line after which a pawn has promoted.
pub(super) fn promotes_at<P: Variant>(line: &PlayedLine<P>, pawn: &TrackedPiece) -> Option<usize> {
    let mut square = pawn.from;
    let mut steps = line.moves.iter().enumerate();
    steps.find_map(|(ply, m)| {
        if m.from() != Some(square) || line.games[ply].now().turn() != pawn.color {
            return None;
        }
        square = m.to();
        m.promotion().map(|_| ply + 1)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyst::test_analyst;
    use crate::line::chess_line as line;
    use crate::reason::test_mistake;
    use crate::texts::{self, Lang};

    #[test]
    fn equal_pieces_are_exchanged_if_the_second_takes_back() {
        let fen = "4k3/5p2/6p1/5b2/4B3/8/8/4K3 w - - 0 1";
        assert!(is_exchange(&line(fen, "e4f5 g6f5")));
        assert!(!is_exchange(&line(fen, "e4f5 e8e7")), "nothing takes back");
        let rook = fen.replace("4B3", "5R2");
        assert!(!is_exchange(&line(&rook, "f4f5 g6f5")), "a rook for a bishop");
        let knights = "8/7p/8/4N1pk/8/2nr3P/4R1PK/8 w - - 12 42";
        assert!(is_exchange(&line(knights, "e5d3 c3e2")), "a rook for a rook");
        assert!(!is_exchange(&line(knights, "e5d3 c3d5")));
    }

    #[test]
    fn what_falls_in_the_exchange_as_well_is_no_gain() {
        let fen = "rn1qk2r/ppp2ppp/4b3/b2nQ3/2B5/2PP4/PP3PPP/RNB1K1NR w KQkq - 1 8";
        let exchange = line(fen, "c4d5 d8d5 e5g7 h8f8");
        assert!(takes_all(&exchange, &[Square::G7]));
        assert!(!takes_all(&exchange, &[Square::G7, Square::H7]));
        assert!(!takes_all(&exchange, &[]));
        assert!(!takes_all(&line(fen, "c4d5 d8d5 e5d5"), &[Square::G7]));
    }

    #[test]
    fn a_capture_for_which_a_piece_falls_is_told() {
        let returned = |fen: &str, [played, best]: [&str; 2]| {
            let (played, best) = (line(fen, played), line(fen, best));
            let mistake = test_mistake(&played, &best, [0, 0]);
            let lines = test_analyst(100).lines(&mistake, played.clone(), best.clone());
            returned_reason(&texts::of(Lang::En), &mistake, &lines).map(|found| found.text)
        };
        let fen = "1r1r2k1/pb2qppn/2B1p2p/1N1pP3/8/8/PP3PPP/2RQ1RK1 w - - 3 20";
        let taken = "b5a7 b7a6 d1d4 b8b4 d4e3 a6f1 c1f1";
        let text = returned(fen, [taken, "c6b7 b8b7 b5a7 h7g5"]).unwrap();
        let words =
            "20.Nxa7 takes the pawn on a7, but the rook on f1 falls for it: 20...Ba6 21.Qd4";
        assert!(text.starts_with(words), "{text}");
        let pawn = "2r3k1/5ppp/p7/4p3/2N1P3/2nP4/2P2PPP/5RK1 w - - 0 27";
        for (fen, lines, why) in [
            (fen, [taken, "g1h1 b7a6 h1g1 a6b5 h2h3 b5f1"], "it falls there, too"),
            (fen, ["b5a7 b7a8 a7b5", "c6b7 b8b7"], "nothing falls"),
            (pawn, ["c4e5 c3e2 g1h1 c8c2 g2g3 e2c1", "f2f3 c3e2 g1f2 e2d4 c2c3"], "a pawn"),
            (
                fen,
                ["b5a7 b7a6 d1d4 b8b4 d4e3 a6f1 h2h3 e7a7", "c6b7 b8b7"],
                "the knight falls, too",
            ),
            (
                "3rk3/8/8/3n4/8/1B6/5PPP/6K1 w - - 0 1",
                ["b3d5 e8e7 h2h3 d8d5", "g2g3 d5f6 g1g2 f6e4"],
                "2...Rxd5 takes the bishop that took the knight, after a move in between",
            ),
            (
                "r1bqk2r/p4ppp/2p1pn2/3p4/1bP2B2/4P3/PP1N1PPP/R2QKB1R w KQkq - 0 9",
                ["c4d5 f6e4 f1d3 b4d2 e1f1 e4c5 d1d2 c6d5 d3c2", "a2a3 b4e7 d1c2"],
                "12.Qxd2 takes the bishop that took the knight",
            ),
        ] {
            assert_eq!(returned(fen, lines), None, "{why}");
        }
    }

    #[test]
    fn a_wrong_taker_loses_again_what_it_takes() {
        let fen = "rr4k1/1bp2pp1/p3pn1p/3p4/N1pPPq2/P4N2/1PP1QPPP/1K1R3R b - - 4 16";
        let (played, best) =
            (line(fen, "d5e4 f3e5 a6a5 e5c4 b7d5"), line(fen, "f6e4 e2e1 b7c6 a4c3"));
        let mistake = test_mistake(&played, &best, [180, 0]);
        let lines = test_analyst(100).lines(&mistake, played.clone(), best.clone());
        let text = |lang| material_reason(&texts::of(lang), &mistake, &lines).unwrap().reason.text;
        let words = "16...dxe4 takes with the wrong piece: 17.Ne5 a5 18.Nxc4 wins as much back";
        assert!(text(Lang::En).starts_with(words), "{}", text(Lang::En));
        assert!(text(Lang::Es).contains("recupera lo mismo"), "{}", text(Lang::Es));
        // A pawn that the line gives is not lost again by the capture.
        let fen = "r7/8/2pk3p/2ppp1pP/1p3PP1/1P1PK3/P2N4/R7 b - - 0 39";
        let moves = ["g5f4 e3f3 c5c4 b3c4 d6e6", "e5f4 e3f2 a8a7 f2f1"];
        assert_eq!(sentence(fen, moves, [-40, 180]), None);
        // A part of it is lost again.
        let fen = "r2qr1k1/2p2BBp/p2p2pP/1p2n1b1/4P3/1P4Q1/P1PN1P2/2KR3R b - - 0 21";
        let played = line(fen, "g8f7 f2f4 g5f4 g3f4 f7g8 d2f3");
        let best = line(fen, "e5f7 f2f4 g5f6 e4e5 f6g7 h6g7 d8e7");
        let mistake = test_mistake(&played, &best, [-170, 475]);
        let lines = test_analyst(100).lines(&mistake, played.clone(), best.clone());
        let text = material_reason(&texts::of(Lang::En), &mistake, &lines).unwrap().reason.text;
        let words = "21...Kxf7 takes with the wrong piece: 22.f4 Bxf4 23.Qxf4+ (material +1.0); 21...Nxf7 wins the bishop on f7";
        assert!(text.starts_with(words), "{text}");
        // A pawn that falls four moves later is one way among many.
        let fen = "1r1R4/p3kppp/2p5/2P5/4PP2/P7/4K1PP/7R b - - 0 25";
        let (played, best) = (
            line(fen, "b8d8 h1b1 d8d7 b1b8 a7a5 b8c8 a5a4 e2e3 d7d1 c8c6"),
            line(fen, "e7d8 h1d1 d8c7 d1d3 b8b2 e2f3"),
        );
        let mistake = test_mistake(&played, &best, [-90, 230]);
        let lines = test_analyst(100).lines(&mistake, played.clone(), best.clone());
        assert!(material_reason(&texts::of(Lang::En), &mistake, &lines).is_none());
        // What has just captured does not hang.
        let played = line(fen, "b8d8 h1b1 d8d7 b1b8 a7a5 b8c8 a5a4 c8c6");
        let lines = test_analyst(100).lines(&mistake, played.clone(), best.clone());
        let text = |previous: Option<Square>| {
            let mistake = Mistake { previous, ..mistake.clone() };
            material_reason(&texts::of(Lang::En), &mistake, &lines).unwrap().reason.text
        };
        assert!(
            text(None).ends_with("25...Kxd8 wins the rook on d8 (material +5.0; hanging piece).")
        );
        assert!(text(Some(Square::D8)).ends_with("25...Kxd8 wins the rook on d8 (material +5.0)."));
        // What comes back at once is shown, too.
        let fen = "r2qk2r/pp1Bbppp/3ppn2/2p1n1B1/8/2NP1N2/PPP2PPP/R2QK2R b KQkq - 0 9";
        let played = "d8d7 f3e5 d6e5 g5f6 g7f6 c3e4 h7h5 e4c5 d7c7";
        let text = sentence(fen, [played, "f6d7 g5e7 d8e7 d1d2 e5f3 g2f3"], [160, 40]).unwrap();
        let words = "9...Qxd7 takes with the wrong piece: 10.Nxe5 dxe5";
        assert!(text.starts_with(words), "{text}");
    }

    #[test]
    fn the_first_pawn_that_promotes_is_told() {
        let fen = "8/5k2/8/4PPP1/8/8/8/K7 w - - 0 1";
        let moves = "g5g6 f7g8 f5f6 g8f8 g6g7 f8f7 e5e6 f7e6 g7g8q e6f5 f6f7 f5f4 f7f8q";
        let found = promotion(&line(fen, moves), Color::White).unwrap();
        assert_eq!((found.from, found.plies), (Square::G5, 9));
    }

    #[test]
    fn a_late_promotion_gives_way_to_the_ending_unless_a_piece_falls() {
        let is_late = |fen: &str, played: &str, best: &str| {
            let (played, best) = (line(fen, played), line(fen, best));
            let mistake = test_mistake(&played, &best, [0, 0]);
            promotes_late(&test_analyst(100).lines(&mistake, played.clone(), best.clone()))
        };
        let fen = "8/5k2/7r/8/p3N3/8/8/4K3 w - - 0 1";
        let run = "a4a3 e1e2 a3a2 e2e3 a2a1q";
        let best = "e4d6 f7e6 d6b5 e6d5";
        let quiet = format!("e1d1 f7e7 d1c1 e7e8 c1b1 {run}");
        let quiet = quiet.replace("e1e2", "b1c2").replace("e2e3", "c2d3");
        assert!(is_late(fen, &quiet, best), "ten plies");
        let taken = format!("e1f1 h6e6 f1g1 e6e4 g1h1 {run}");
        let taken = taken.replace("e1e2", "h1g1").replace("e2e3", "g1h1");
        assert!(!is_late(fen, &taken, best), "the knight falls first");
        let soon = format!("e4c5 {run}");
        assert!(!is_late(fen, &soon, best));
    }

    #[test]
    fn a_line_that_gives_a_safe_piece_shows_no_loss() {
        let fen = "4k3/8/5p2/4p3/8/5N2/8/4K3 w - - 0 1";
        assert!(gives_freely(&line(fen, "e1e2 e8e7 f3e5 f6e5"), 2, 4, &[0; 5]));
        assert!(!gives_freely(&line(fen, "f3e5 f6e5"), 2, 2, &[0; 3]), "the mistake itself");
        let lost = [0, 0, -300, -200, -500];
        assert!(!gives_freely(&line(fen, "e1e2 e8e7 f3e5 f6e5"), 2, 4, &lost), "lost before");
        let driven = "4k3/8/5p2/4p3/6p1/5N2/8/4K3 w - - 0 1";
        let is_given = gives_freely(&line(driven, "e1e2 e8e7 f3e5 f6e5"), 2, 4, &[0; 5]);
        assert!(!is_given, "a pawn attacks it");
        // A pinned knight is attacked twice: the rook takes the bishop, or the knight falls.
        let pinned = "r4rk1/2q1bppp/1n2p3/2p5/2N1p3/1P2P3/P2B1PPP/R2Q1RK1 w - - 2 20";
        let line = line(pinned, "d2a5 a8a5 c4a5");
        assert!(!gives_freely(&line, 2, 3, &[0; 4]));
        // The bishop that takes on f7 is given: the check wins a queen for a rook and a bishop instead.
        let fen = "r2qr1k1/1pp1bpp1/p1n2n1p/8/P3PNb1/2P5/BP4PP/RNB1QRK1 b - - 0 14";
        let [played, best] = ["e7d6 b1d2 d6f4 f1f4", "e7c5 g1h1 f6e4 a2f7 g8f7 f4e6"];
        assert_eq!(sentence(fen, [played, best], [400, -100]), None);
    }

    /// The sentence about the material of two lines, with the scores before and after the mistake.
    fn sentence(fen: &str, moves: [&str; 2], scores: [i32; 2]) -> Option<String> {
        let [played, best] = moves.map(|moves| line(fen, moves));
        let mistake = test_mistake(&played, &best, scores);
        let lines = test_analyst(100).lines(&mistake, played.clone(), best.clone());
        material_reason(&texts::of(Lang::En), &mistake, &lines).map(|change| change.reason.text)
    }

    #[test]
    fn what_falls_at_once_is_told_before_what_follows() {
        let fen = "2r3k1/pp2npp1/4p2p/1P1pP3/Rq6/1P5Q/2rN1PPP/3R2K1 b - - 3 22";
        let best = "b4d2 d1f1 c2c1 g2g3 c1f1 h3f1 c8c1 a4a7 c1f1 g1f1 d2d3 f1g2 d3b5 a7a8 g8h7";
        let text = sentence(fen, ["b4c5 h3d3 e7f5 d1f1", best], [1350, -330]).unwrap();
        let start = "22...Qc5 misses 22...Qxd2, which wins the knight on d2 (material +3.0";
        assert!(text.starts_with(start), "{text}");
        // A pawn that falls at once is a reason even where the move costs three.
        let fen = "4r3/1r4pk/7p/1p3R2/p2P4/P1P5/1KR2PPP/8 b - - 2 37";
        let moves = ["b7e7 f5b5 e7e2 c3c4", "h7g6 g2g4 e8e6"];
        let text = sentence(fen, moves, [-340, 670]).unwrap();
        assert!(text.starts_with("37...Rbe7 loses the pawn on b5 after 38.Rxb5"), "{text}");
        let later = ["b7e7 g2g3 h7g6 f5b5 g6h7 c3c4", moves[1]];
        assert_eq!(sentence(fen, later, [-340, 670]), None, "not at once");
        // A second rook that falls later, by a mistake, is not what the move lost.
        let fen = "8/r4kp1/7p/1R6/8/2n3P1/P4PKP/RNr5 w - - 3 33";
        let moves = ["f2f4 c3b5 h2h4 b5c3 b1c3 c1a1", "b5b3 c1b1 b3b1 c3b1 a1b1 a7a2"];
        let text = sentence(fen, moves, [0, 500]).unwrap();
        assert!(
            text.starts_with("33.f4 loses the rook on b5 after 33...Nxb5 (material −5"),
            "{text}"
        );
    }

    #[test]
    fn a_small_part_of_a_gain_is_not_what_is_missed() {
        let fen = "rn1br2k/1R4pp/4B3/p2p4/3P4/2B5/P4P1P/4R1K1 w - - 1 24";
        let best = "e6d5 e8e1 c3e1 h7h6 b7b5 b8c6 d5c6 a8a6 c6e4 a6a7";
        let text = sentence(fen, ["f2f4 d8h4 e1b1 e8e6", best], [700, -90]);
        assert!(text.is_none_or(|text| !text.contains("wins the pawn on d5")));
    }

    #[test]
    fn an_exchange_won_is_no_small_part_of_a_gain() {
        let fen = "r2r2k1/pp3pp1/2p1p2p/3nP1qP/4Q2R/6N1/PPP2PP1/1K1R4 b - - 3 19";
        let best = "d5c3 b2c3 d8d1 b1b2 g5c1 b2b3 a8d8 h4h1 d1h1 g3h1 d8d2 c3c4 c1h1 f2f4 h1h5";
        let text = sentence(fen, ["g5e7 d1c1", best], [890, 60]).unwrap();
        assert!(text.contains("which wins the exchange: 19...Nc3+ 20.bxc3 Rxd1+"), "{text}");
        // Two fifths of the loss are enough for it, but not for a pawn.
        let fen = "r2r1k2/1p3pp1/2p1p2p/pq1nP2P/6R1/1R4N1/PPPQ1PP1/1K6 b - - 7 24";
        let best = "d5c3 b2c3 d8d2 b3b5 c6b5 g4f4 a8d8";
        let text = sentence(fen, ["b5a6 b3d3", best], [440, 30]).unwrap();
        assert!(text.starts_with("24...Qa6 misses 24...Nc3+, which wins the exchange"), "{text}");
        assert_eq!(sentence(fen, ["b5a6 b3d3", best], [600, 30]), None, "a third of the loss");
        let fen = "5r2/8/3kRP2/1p3K2/3b4/8/2P5/8 b - - 1 54";
        let best = "d6d5 e6e7 f8f6 f5g4 f6f2";
        assert_eq!(sentence(fen, ["d6d7 e6a6", best], [240, 0]), None, "a pawn");
    }

    #[test]
    fn who_exchanges_pawns_has_won_nothing_to_give_back() {
        let fen = "2kr1b1r/pp2nppp/4p3/3p4/2PP4/P3PN2/3N1PPP/R3K2R w KQ - 1 14";
        let played = "c4d5 d8d5 e1e2 f7f6 h1c1 c8b8";
        let text = sentence(fen, [played, "f3e5 h8g8 e5f7 d8d7 f7g5"], [130, -40]).unwrap();
        assert!(text.starts_with("14.cxd5 misses 14.Ne5, which wins the pawn on f7"), "{text}");
    }

    #[test]
    fn a_piece_that_moves_along_a_line_opens_it_for_others_only() {
        let fen = "6k1/p2p3p/4p1pB/2p2p2/q1Pb1PQ1/1R4P1/P5KP/1r6 w - - 0 25";
        let lines = ["b3b8 b1b8 g4e2 a4c6 g2h3 c6e4", "g4h4 a4c6 g2h3 c6a8 b3b1 g8f7"];
        let text = sentence(fen, lines, [330, 780]).unwrap();
        assert!(text.starts_with("25.Rb8+ leaves the rook on b8 hanging"), "{text}");
    }

    #[test]
    fn who_takes_what_is_guarded_is_told_so() {
        let fen = "rnb2rk1/ppp2ppp/3p1q1n/8/2BNP3/7P/PP3PP1/RNBQ1RK1 b - - 0 9";
        let text = sentence(fen, ["f6d4 d1d4 b8c6", "f6g6 b1c3 b8c6"], [-400, 900]).unwrap();
        let start = "9...Qxd4 takes the knight on d4, which is guarded, and loses the queen";
        assert!(text.starts_with(start), "{text}");
    }

    #[test]
    fn who_takes_the_same_a_move_too_soon_wins_less() {
        let fen = "6k1/pp3p1p/1q2R1p1/3p4/7b/P1P5/1P3PPP/1R1Q2K1 b - - 0 20";
        let lines = ["f7e6 g2g3 h4f6 d1f3", "h4f2 g1h1 b6e6 d1f3 f2b6 b1f1"];
        let text = sentence(fen, lines, [-210, 320]).unwrap();
        let words = "20...fxe6 wins less (+5.0) than 20...Bxf2+, which wins a rook and a pawn";
        assert!(text.starts_with(words), "{text}");
    }

    #[test]
    fn a_pawn_that_promotes_in_both_lines_is_no_reason() {
        let fen = "4k3/P3q2p/6p1/4Qp2/1n5P/1q4P1/5P1K/8 b - - 0 47";
        let reason_of = |fen: &str, [played, best]: [&str; 2]| {
            let (played, best) = (line(fen, played), line(fen, best));
            let mistake = test_mistake(&played, &best, [700, -200]);
            let lines = test_analyst(100).lines(&mistake, played.clone(), best.clone());
            material_reason(&texts::of(Lang::En), &mistake, &lines).map(|one| one.reason.text)
        };
        let played = "e8f7 e5e7 f7e7 a7a8q b4d3 a8a7";
        assert_eq!(reason_of(fen, [played, "e7e5 a7a8q e8d7 a8b7 d7d8 b7a8"]), None);
        let (rook, played) = ("8/P3k3/8/8/8/8/5P1K/3r4 b - - 0 47", "e7d6 a7a8q d6c5 a8b7");
        let text = reason_of(rook, [played, "d1a1 h2g3 a1a7 g3f4"]).unwrap();
        assert!(text.contains("lets the pawn on a7 promote"), "{text}");
        assert_eq!(reason_of(rook, [played, "d1d4 a7a8q e7d7 a8b7"]), None);
        assert_eq!(reason_of(rook, [played, "d1d4 a7a8q d4h4 h2g3 h4a4 a8a4"]), None);
        assert!(reason_of(rook, [played, "d1a1 a7a8q a1a8 h2g3"]).is_some(), "taken at once");
    }
}
