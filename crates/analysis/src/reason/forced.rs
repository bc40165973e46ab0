//! Whether a small change of material is forced: where it begins, the side that suffers it tries its other moves.
//!
//! A line is one way to play. A piece that falls in it is lost in most others, too. A pawn often is not: another move, as
//! good by the search, keeps it. Then the loss is not forced, and the mistake needs another reason.

use shakmaty::{Color, Move, Square};

use super::gains::{gives_pawns, material_reason};
use super::lines::{Lines, is_amid_captures, is_at_rest};
use super::thresholds::{
    ALTERNATIVES, AS_GOOD, AS_HOPELESS, DECISIONS, HOPELESS_CHANCE, LATER, LESS_THAN_PIECE,
    MIN_LENGTH, MIN_MATERIAL, PLAUSIBLE, PROVED, REGAINED, REMAINS, REPAID, SCORED, SEEN, SMALL,
    SOONER, TAKEN_BACK, WON_BACK,
};
use super::{Mistake, Sentence};
use crate::analyst::{Eval, RulesAnalyst};
use crate::judgement::{pieces, win_chance};
use crate::line::{PlayedLine, Terms, TrackedPiece};
use crate::material::Balance;
use crate::motif::{Motif, value};
use engine::evaluation::{Evaluator, TermKind, Variant};
use engine::rules::Game;
use engine::score::Score;
use engine::search::gains_at_least;
use shell::texts::Texts;

/// A change of material in the first plies of one of the two lines.
pub(super) struct Change {
    /// The sentence about it, with its motifs.
    pub reason: Sentence,
    /// True for a loss of the mover in the line played, false for a gain in the better one.
    pub is_loss: bool,
    /// The plies until it has happened.
    pub plies: usize,
}

/// The loss in a change of material: that of the mover in the line played, or of the other side in the better line.
pub(super) struct MaterialLoss<'a, P> {
    /// The line in which it falls.
    pub line: &'a PlayedLine<P>,
    /// The same line and the other one, as far as the search gave them.
    on: &'a PlayedLine<P>,
    other: &'a PlayedLine<P>,
    /// The side that loses it.
    pub victim: Color,
    /// Its score in the line, and the points, of 100, of the chance to win that another defence may cost: what a move would have won
    /// must be won against any defence.
    score: (Score, f64),
    /// The material lost after each ply, in centipawns, up to the end of the change.
    losses: Vec<i32>,
    /// The material that it loses in the other line, in centipawns.
    elsewhere: i32,
}

impl<'a, P: Variant> MaterialLoss<'a, P> {
    pub(super) fn of(
        mistake: &Mistake<P>,
        lines: &'a Lines<P>,
        change: &Change,
    ) -> MaterialLoss<'a, P> {
        let (played, best) = (&lines.played_on, &lines.best_on);
        let (line, terms, on, other) = match change.is_loss {
            true => (&lines.played, &lines.played_terms, played, best),
            false => (&lines.best, &lines.best_terms, best, played),
        };
        let (victim, score, sign) = match change.is_loss {
            true => (lines.mover, (-mistake.after.score, 0.0), -1),
            false => (!lines.mover, (-mistake.before.score, PLAUSIBLE), 1),
        };
        let other_terms = if change.is_loss { &lines.best_terms } else { &lines.played_terms };
        let elsewhere = lines.change(other_terms) * sign;
        let leads = lines.material(terms);
        let losses = leads.iter().take(change.plies + 1).map(|lead| (lead - leads[0]) * sign);
        MaterialLoss { line, on, other, victim, score, losses: losses.collect(), elsewhere }
    }
}

impl<P: Variant> RulesAnalyst<P> {
    /// A reason in the material that is forced.
    pub(super) fn forced_material(
        &mut self,
        texts: &Texts,
        mistake: &Mistake<P>,
        lines: &Lines<P>,
    ) -> Option<Sentence> {
        let change = material_reason(texts, mistake, lines)?;
        let loss = MaterialLoss::of(mistake, lines, &change);
        let is_repaid = self.is_repaid(mistake, &loss);
        let MaterialLoss { line, on, other, victim, score, ref losses, elsewhere } = loss;
        let Change { reason, is_loss, .. } = change;
        let plies = losses.len() - 1;
        let is_small = !is_loss && losses[plies] <= SMALL;
        // `with_trap` tests whether the first capture can be taken back.
        let is_later = plies > 1 + usize::from(is_loss);
        if !is_loss && self.is_only_drawn(line, plies, victim, score.0)
            || is_later && self.is_taken_back(on, plies, score.1)
            // A piece that is missed is the reason, even if another move was nearly as good.
            || is_small && self.is_beside(mistake, losses[plies])
            // The answer may take only the first half of it.
            || is_loss && (!is_later || 2 * losses[MIN_LENGTH] >= losses[plies])
                && self.falls_to_same_answer(mistake, lines)
        {
            return None;
        }
        if !gives_pawns(line, plies, victim) && !is_small {
            let is_told = mistake.drop().is_none_or(|drop| losses[plies] * SCORED <= drop * 100);
            let is_sure = is_told && !is_repaid;
            let rest = losses[plies] * REMAINS / 100;
            // If so much comes back that no more is lost than in the other line, that is no difference.
            let least = rest.max(elsewhere + MIN_MATERIAL);
            if !is_sure && !self.lasts(on, plies, victim, rest)
                || self.is_regained(on, plies, victim, (TAKEN_BACK, least))
                || takes_as_much(on, plies, losses[plies] - rest, other)
                    && self.can_take_back(on, plies, victim, score)
            {
                return None;
            }
            // The better line may be cut before the same falls in it.
            let is_same = match is_loss {
                true => self.falls_too(line, (plies, losses[plies]), victim, other),
                false => self.is_won_too(line, plies, lines),
            };
            // Who loses another piece instead is no better off, but a piece for pawns is a matter of how one defends.
            let is_avoidable = !is_loss || losses[plies] <= LESS_THAN_PIECE;
            let is_refuted =
                is_same || is_avoidable && self.is_spared(line, losses.len() - 1, victim, score);
            return (!is_refuted).then_some(reason);
        }
        // A move played that captures may win the same piece and lose it again: that is the reason, not the gain.
        let is_taken = !is_loss && mistake.played.is_capture();
        // The queen that a pawn becomes is no piece that falls in both lines.
        let is_promotion = losses[plies] > SMALL;
        let is_difference = is_taken
            || is_promotion
            || !self.is_shared(line, plies, victim, other)
            || !is_loss && self.stays_ahead(on, other, lines.mover);
        // A pawn that falls later must be seen in the score.
        let is_seen = is_promotion
            || plies <= MIN_LENGTH
            || mistake.drop().is_none_or(|drop| losses[plies] * SCORED <= drop * 100);
        let is_told = is_difference
            && is_seen
            && self.is_forced(line, losses, victim, score.0)
            && !self.is_regained(on, plies, victim, (WON_BACK, MIN_MATERIAL))
            && !self.can_take_back(on, plies, victim, score)
            && !self.is_spared(line, losses.len() - 1, victim, (score.0, 0.0));
        is_told.then_some(reason)
    }

    /// A loss or a gain at once that stays for some moves, though the other side gives or wins as much later by its own choice.
    pub(super) fn early_material(
        &mut self,
        texts: &Texts,
        mistake: &Mistake<P>,
        lines: &Lines<P>,
    ) -> Option<Sentence> {
        let early = |line: &PlayedLine<P>, sign: i32| {
            let leads = lines.material(&line.terms(&self.evaluator));
            let changed = |lead: &i32| (lead - leads[0]) * sign >= MIN_MATERIAL;
            let stays = |plies: &usize| {
                leads.get(*plies..plies + REGAINED).is_some_and(|leads| leads.iter().all(changed))
            };
            // In the middle of an exchange, or where a piece is about to fall, more seems lost than is.
            let is_over = |plies: &usize| stays(plies) && is_at_rest(line, *plies);
            let plies = (MIN_LENGTH..=SOONER + 1).find(is_over)?;
            Some((plies, (leads[plies] - leads[0]).abs()))
        };
        let found = [(early(&lines.played_on, -1), true), (early(&lines.best_on, 1), false)];
        found.into_iter().find_map(|(found, is_loss)| {
            let (plies, change) = found?;
            self.early_change(texts, mistake, lines, plies, is_loss)
                .filter(|_| mistake.drop().is_none_or(|drop| drop * 100 >= change * SEEN))
        })
    }

    /// The loss or the gain in the first `plies` of both lines, if it is forced and the other line has it not at all.
    fn early_change(
        &mut self,
        texts: &Texts,
        mistake: &Mistake<P>,
        lines: &Lines<P>,
        plies: usize,
        is_loss: bool,
    ) -> Option<Sentence> {
        let (played, best) = (lines.played_on.beginning(plies), lines.best_on.beginning(plies));
        let early = self.lines(mistake, played, best);
        let change = material_reason(texts, mistake, &early);
        let change = change.filter(|change| change.is_loss == is_loss)?;
        let loss = MaterialLoss::of(mistake, &early, &change);
        let is_repaid = self.is_repaid(mistake, &loss);
        let MaterialLoss { line, other, victim, score, losses, .. } = loss;
        let on = if is_loss { &lines.played_on } else { &lines.best_on };
        let is_small = losses.last() <= Some(&SMALL);
        let is_told = !is_repaid
            && (!is_small || !self.must_come_back(on, plies, victim, score.0))
            && (!is_small || !self.can_take_back(on, plies, victim, score))
            && self.is_forced(line, &losses, victim, score.0)
            && !self.is_shared(line, change.plies, victim, other)
            && !(is_loss && self.falls_to_same_answer(mistake, &early))
            && (is_loss || !self.is_beside(mistake, losses[losses.len() - 1]));
        if is_told { self.with_trap(texts, mistake, &early, change.reason) } else { None }
    }

    /// A reason in the material that is forced, with a recapture that a reader would try.
    pub(super) fn material(
        &mut self,
        texts: &Texts,
        mistake: &Mistake<P>,
        lines: &Lines<P>,
    ) -> Option<Sentence> {
        let sentence = self.forced_material(texts, mistake, lines)?;
        let motifs = &sentence.motifs;
        if motifs.is_empty()
            && let Some(retaken) = self.retaken_material(texts, mistake, lines)
        {
            return Some(retaken);
        }
        // A motif says why enough, unless it is that a piece hangs: then a reader asks what guards it.
        let is_enough = !motifs.is_empty() && *motifs != [Motif::HangingPiece];
        if is_enough { Some(sentence) } else { self.with_trap(texts, mistake, lines, sentence) }
    }

    /// True if of what `victim` has lost after `plies` at least `rest` centipawns are still lost when the line has come to rest.
    fn lasts(&mut self, line: &PlayedLine<P>, plies: usize, victim: Color, rest: i32) -> bool {
        let plies = plies.min(line.moves.len());
        let lead = self.lead_at_rest(&line.games[plies], &line.moves[plies..], victim);
        self.lead(&line.games[0], victim) - lead >= rest
    }

    /// True if `victim` stands no worse by its score, and so much better than by the material that it has something for what it has
    /// lost at the end of the change, or is about to get it back. What the mover had already is none of it.
    fn is_repaid(&self, mistake: &Mistake<P>, loss: &MaterialLoss<P>) -> bool {
        let plies = (loss.losses.len() - 1).min(loss.line.moves.len());
        let beyond =
            |score: Score, ply: usize| score.raw() - self.lead(&loss.line.games[ply], loss.victim);
        let is_movers = loss.victim == mistake.game.now().turn();
        let had = if is_movers { beyond(mistake.before.score, 0).max(0) } else { 0 };
        let (score, _) = loss.score;
        score >= Score::DRAW && beyond(score, plies) - had >= REPAID
    }

    /// True if the opponent of `victim` is ahead after `plies` plies, but the score of the line is a draw: the victim has checks without
    /// end, or a fortress.
    fn is_only_drawn(
        &self,
        line: &PlayedLine<P>,
        plies: usize,
        victim: Color,
        score: Score,
    ) -> bool {
        let lead = line.games.get(plies).map_or(0, |game| self.lead(game, !victim));
        score == Score::DRAW && lead >= MIN_MATERIAL
    }

    /// True if `victim` wins back what it has lost after `plies` plies of a line in the next `within` plies, so that it has lost less
    /// than `least`, in centipawns.
    fn is_regained(
        &mut self,
        line: &PlayedLine<P>,
        plies: usize,
        victim: Color,
        (within, least): (usize, i32),
    ) -> bool {
        let last = plies + within + 1;
        let line = self.as_long_as(line, last);
        let lead = self.lead(&line.games[0], victim);
        let is_lost = |ply: usize| lead - self.lead(&line.games[ply], victim) >= least;
        // Amid an exchange a place means nothing, and a single one little.
        let rests = plies + 1..=last.min(line.moves.len());
        let rests = rests.filter(|&ply| !is_amid_captures(&line, ply));
        let lost: Vec<bool> = rests.map(is_lost).collect();
        lost.windows(2).any(|places| !places[0] && !places[1])
    }

    /// True if `victim` has a move right after `plies` plies that the line does not make, as good to the points, of 100, of the chance to
    /// win in `score`, and has lost nothing then.
    pub(super) fn can_take_back(
        &mut self,
        line: &PlayedLine<P>,
        plies: usize,
        victim: Color,
        (score, points): (Score, f64),
    ) -> bool {
        let is_its_turn = line.games.get(plies).is_some_and(|game| game.now().turn() == victim);
        if score.is_mate() || !is_its_turn || plies >= line.moves.len() {
            return false;
        }
        let pieces = pieces(&line.games[0]);
        self.keeps(line, plies, victim, |other| costs_at_most(other, (score, points), pieces))
    }

    /// True if `victim`, whose score in a line is `score`, wins a pawn back soon after `plies` plies, and the other side has no move that
    /// is no mistake and keeps it.
    fn must_come_back(
        &mut self,
        line: &PlayedLine<P>,
        plies: usize,
        victim: Color,
        score: Score,
    ) -> bool {
        let last = plies + WON_BACK;
        let line = self.as_long_as(line, last + 1);
        let is_kept =
            |other: &PlayedLine<P>| Balance::of(other, victim).loss::<P>() >= MIN_MATERIAL;
        self.is_regained(&line, plies, victim, (WON_BACK, MIN_MATERIAL))
            && !self.has_another_way(&line, last, !victim, (-score, PLAUSIBLE), is_kept)
    }

    /// The lead of `side` in material.
    pub(super) fn lead(&self, game: &Game<P>, side: Color) -> i32 {
        let terms = Terms::of(&self.evaluator.explain(game.position()));
        terms.lead(TermKind::Material, side)
    }

    /// The lead of `side` in material where these moves, played on, have come to rest.
    pub(super) fn lead_at_rest(&mut self, game: &Game<P>, moves: &[Move], side: Color) -> i32 {
        let quiet = self.until_quiet(game, moves);
        self.lead(quiet.end(), side)
    }

    /// True unless the mover keeps the pawns that it loses in the first `plies` of the line played.
    pub(super) fn is_forced_loss(
        &mut self,
        mistake: &Mistake<P>,
        lines: &Lines<P>,
        plies: usize,
    ) -> bool {
        let leads = lines.material(&lines.played_terms);
        let losses: Vec<i32> = leads[..=plies].iter().map(|lead| leads[0] - lead).collect();
        !gives_pawns(&lines.played, plies, lines.mover)
            || self.is_forced(&lines.played, &losses, lines.mover, -mistake.after.score)
    }

    /// True if `victim` cannot avoid the loss that a line shows. `losses` is what it has lost after each ply, `score` its
    /// score in that line.
    fn is_forced(
        &mut self,
        line: &PlayedLine<P>,
        losses: &[i32],
        victim: Color,
        score: Score,
    ) -> bool {
        if score.is_mate() {
            return true;
        }
        let falls = falls_at(losses);
        let (more, soon) = LATER;
        let is_small = losses.last() <= Some(&SMALL);
        // Captures and recaptures are hardly a choice.
        let quiet = line.moves.iter().take(falls).filter(|m| !m.is_capture()).count();
        let late = if is_small { quiet.saturating_sub(soon) } else { 0 };
        let margin = AS_GOOD + more * late as i32;
        let decisions = decisions(line, falls, victim);
        let pieces = pieces(&line.games[0]);
        let is_as_good = |other: Score| is_as_good(other, score, pieces, margin);
        !decisions.into_iter().any(|ply| self.keeps(line, ply, victim, is_as_good))
    }

    /// True if `victim` has another move that is as good, before the greatest piece falls that a line loses in `plies`, after which that
    /// piece does not fall there: then it is one way to play that loses this piece, though others may lose as much. The same
    /// of a pawn that promotes and is stopped after the other move. The other move
    /// may be worse by the points in `score`, of 100, of the chance to win.
    pub(super) fn is_spared(
        &mut self,
        line: &PlayedLine<P>,
        plies: usize,
        victim: Color,
        score: (Score, f64),
    ) -> bool {
        let plies = plies.min(line.moves.len());
        let start = line.beginning(plies);
        if let Some(pawn) = start.tracked.iter().find(|one| one.color != victim && one.promotes()) {
            let is_stopped = |other: &PlayedLine<P>| {
                other.tracked.iter().any(|one| one.from == pawn.from && !one.promotes())
            };
            return self.has_another_way(line, plies, victim, score, is_stopped);
        }
        let balance = Balance::of(&start, victim);
        // Of two alike the later one is the more doubtful.
        let falls_at = |piece: &TrackedPiece| piece.captured.map_or(0, |(ply, _)| ply);
        let greatest = balance.given().iter().max_by_key(|one| (value(one.role), falls_at(one)));
        let Some(piece) = greatest else { return false };
        let falls = falls_at(piece);
        // A check on the way may delay it by a move.
        let stands = |captured: Option<(usize, Square)>| {
            captured.is_none_or(|(ply, _)| ply > falls + MIN_LENGTH)
        };
        self.has_another_way(line, falls, victim, score, |other| {
            // An exchange costs nothing.
            let is_even = Balance::of(other, victim).loss::<P>() < MIN_MATERIAL;
            let is_there = |one: &TrackedPiece| one.from == piece.from && stands(one.captured);
            is_even || other.tracked.iter().any(is_there)
        })
    }

    /// True if `side`, whose score in a line is `score`, has another move that is as good at its last decisions before `plies`,
    /// or at its first, after which the line, played on, is as `holds` says. It may be worse by `points`, of 100, of the chance to win.
    pub(super) fn has_another_way(
        &mut self,
        line: &PlayedLine<P>,
        plies: usize,
        side: Color,
        (score, points): (Score, f64),
        holds: impl Fn(&PlayedLine<P>) -> bool,
    ) -> bool {
        if score.is_mate() {
            return false;
        }
        let pieces = pieces(&line.games[0]);
        let is_way = |analyst: &mut Self, ply: usize, other: &Eval| {
            let moves = [&line.moves[..ply], &other.pv].concat();
            costs_at_most(other.score, (score, points), pieces)
                && holds(&analyst.until_quiet(&line.games[0], &moves))
        };
        decisions(line, plies, side).into_iter().any(|ply| {
            let game = &line.games[ply];
            let Some(other) = self.search_without(game, &[line.moves[ply]], 1) else {
                return false;
            };
            self.is_proved(game, &other, |analyst, other| is_way(analyst, ply, other))
        })
    }

    /// True if the first move of a search holds what it should, by that search and by one of [`PROVED`] times the limits: a short one
    /// flatters a defence that a longer one refutes.
    fn is_proved(
        &mut self,
        game: &Game<P>,
        eval: &Eval,
        holds: impl Fn(&mut Self, &Eval) -> bool,
    ) -> bool {
        holds(self, eval)
            && eval.pv.first().is_some_and(|&m| {
                let proved = self.search_only(game, m, PROVED);
                proved.is_some_and(|proved| holds(self, &proved))
            })
    }

    /// True if `victim` has another move at `ply` that loses no material and is as good: of the best others, as many as
    /// [`ALTERNATIVES`].
    fn keeps(
        &mut self,
        line: &PlayedLine<P>,
        ply: usize,
        victim: Color,
        is_as_good: impl Fn(Score) -> bool,
    ) -> bool {
        let game = &line.games[ply];
        let lead = self.lead(&line.games[0], victim);
        let is_kept = |analyst: &mut Self, other: &Eval| {
            let other = analyst.until_quiet(game, &other.pv);
            let is_lost = |game: &Game<P>| lead - analyst.lead(game, victim) >= MIN_MATERIAL;
            let lost: Vec<bool> = other.games.iter().map(is_lost).collect();
            // What falls and is won back much later, by the choice of the other side, is not kept.
            let is_down = lost.windows(REGAINED).any(|games| games.iter().all(|lost| *lost));
            lost.last() == Some(&false) && !is_down
        };
        let mut tried = vec![line.moves[ply]];
        for _ in 0..ALTERNATIVES {
            let other = self.search_without(game, &tried, 1);
            let Some(other) = other.filter(|other| is_as_good(other.score)) else { return false };
            let Some(&m) = other.pv.first() else { return false };
            if self.is_proved(game, &other, |analyst, other| {
                is_as_good(other.score) && is_kept(analyst, other)
            }) {
                return true;
            }
            tried.push(m);
        }
        false
    }
}

/// The last plies before a loss that begins after `falls` plies at which `victim` decides, the last one first, and the first one: a
/// reader asks for another answer.
fn decisions<P: Variant>(line: &PlayedLine<P>, falls: usize, victim: Color) -> Vec<usize> {
    let is_decision = |ply: &usize| line.games[*ply].now().turn() == victim;
    let last = falls.min(line.moves.len().saturating_sub(1));
    let mut decisions: Vec<usize> = (1..=last).rev().filter(is_decision).collect();
    let first = decisions.split_off(DECISIONS.min(decisions.len())).pop();
    decisions.extend(first);
    decisions
}

/// The plies after which nothing has been lost for the last time.
fn falls_at(losses: &[i32]) -> usize {
    losses.iter().rposition(|loss| *loss < MIN_MATERIAL).unwrap_or(0)
}

/// True if a score is as good as `score`, less `margin`: where all is lost, centipawns tell no better defence from a worse one.
pub(super) fn is_as_good(other: Score, score: Score, pieces: usize, margin: i32) -> bool {
    let [chance, other_chance] = [score, other].map(|score| win_chance(score, pieces));
    other >= score - margin || chance < HOPELESS_CHANCE && other_chance >= chance - AS_HOPELESS
}

/// True if a score is as good as another, or less by these points, of 100, of the chance to win at most.
fn costs_at_most(other: Score, (score, points): (Score, f64), pieces: usize) -> bool {
    let lost = || win_chance(score, pieces) - win_chance(other, pieces);
    is_as_good(other, score, pieces, AS_GOOD) || lost() <= points
}

/// True if the side to move after `plies` plies of a line can take something that is worth `least` centipawns after all recaptures and does
/// not fall in the other line. Then it has lost less than it seems there.
fn takes_as_much<P: Variant>(
    line: &PlayedLine<P>,
    plies: usize,
    least: i32,
    other: &PlayedLine<P>,
) -> bool {
    let there = line.beginning(plies);
    let falls_in_other = |square: Square| {
        let piece = there.tracked.iter().find(|piece| piece.square == Some(square));
        let is_it = |one: &TrackedPiece| piece.is_some_and(|piece| piece.from == one.from);
        other.tracked.iter().any(|one| is_it(one) && one.captured.is_some())
    };
    let position = there.end().position();
    let wins =
        |m: &Move| m.is_capture() && gains_at_least(position, *m, least) && !falls_in_other(m.to());
    position.legal_moves().iter().any(wins)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyst::test_analyst;
    use crate::line::chess_line as line;
    use crate::reason::test_mistake;
    use crate::texts::{self, Lang};

    #[test]
    fn a_pawn_that_another_move_keeps_is_not_lost() {
        let fen = "r1bqk1nr/p2p1pbp/2n1p1p1/1pp3P1/4P3/2PP1N2/PPQ2P1P/RNB1KB1R b KQkq - 2 8";
        let kept = line(fen, "f7f6 h2h4 f6g5 c1g5 g8e7 g5e3 b5b4 e3c5");
        let (losses, score) = ([0, 0, 0, -100, 0, 0, 0, 0, 100], Score::centipawns(-120));
        assert!(!test_analyst(10_000).is_forced(&kept, &losses, Color::Black, score), "11...d6");
        let lone = line("k7/8/8/3p4/8/8/8/3RK3 b - - 0 1", "a8a7 d1d4 a7a6 d4d5");
        let score = Score::centipawns(-600);
        assert!(test_analyst(10_000).is_forced(&lone, &[0, 0, 0, 0, 100], Color::Black, score));
    }

    #[test]
    fn a_piece_that_is_won_is_told_though_a_third_move_is_nearly_as_good() {
        // 23...b6 shuts the bishop in for good and is nearly as good.
        let fen = "4r3/Bpk3pp/2p2n2/8/BP4n1/5R2/P1P3PP/6K1 b - - 0 23";
        let (played, best) = (line(fen, "f6d5 f3f7 c7c8 h2h3"), line(fen, "e8a8 f3g3 a8a7 a4b3"));
        let mistake = test_mistake(&played, &best, [290, 120]);
        let mut analyst = test_analyst(60_000);
        let lines = analyst.lines(&mistake, played.clone(), best.clone());
        assert!(analyst.is_beside(&mistake, 300), "so the third move must not count");
        let reason = analyst.forced_material(&texts::of(Lang::En), &mistake, &lines).unwrap();
        assert!(reason.text.contains("23...Ra8, which wins the bishop on a7"), "{}", reason.text);
    }

    #[test]
    fn a_defence_that_a_longer_search_refutes_spares_nothing() {
        let fen = "rnb1kbnr/pppp1ppp/5q2/4P3/4P3/8/PPPP2PP/RNBQKBNR b KQkq - 0 3";
        let fork = line(fen, "f6h4 g2g3 h4e4 d1e2 e4h1 g1f3");
        let score = Score::centipawns(-414);
        assert!(!test_analyst(60_000).is_spared(&fork, 5, Color::White, (score, PLAUSIBLE)));
    }

    #[test]
    fn what_an_equal_defence_spares_is_not_lost() {
        // Black may keep the pawn on d5 and leave White the one on c5.
        let fen = "rnbqkbnr/p1p1pppp/1p6/3p4/3P4/2N1P3/PPP2PPP/R1BQKBNR b KQkq - 1 3";
        let pawn = line(fen, "c7c5 d4c5 b6c5 d1d5 d8d5 c3d5");
        let (losses, score) = ([0, 0, 100, 0, 100], Score::centipawns(-110));
        assert!(test_analyst(60_000).is_spared(
            &pawn,
            losses.len() - 1,
            Color::Black,
            (score, 0.0)
        ));
        // The rook falls to the fork, wherever the king goes.
        let fork = line("7k/8/8/8/3n4/8/7P/R3K3 w - - 0 1", "h2h3 d4c2 e1d2 c2a1");
        let (losses, score) = ([0, 0, 0, 0, 500], Score::centipawns(-300));
        assert!(!test_analyst(10_000).is_spared(
            &fork,
            losses.len() - 1,
            Color::White,
            (score, 0.0)
        ));
    }

    #[test]
    fn what_a_defence_that_is_no_mistake_keeps_or_exchanges_is_not_lost() {
        for (fen, moves, victim, score) in [
            // 1...axb4 exchanges the pawn.
            (
                "2r1k1n1/5ppp/8/p7/8/1P6/3B1PPP/R5K1 w - - 0 1",
                "b3b4 g8f6 b4a5 f6d5",
                Color::Black,
                -150,
            ),
            // 23.Ke1 keeps the bishop.
            (
                "r7/pppbk2p/3bp3/3p3B/1P6/2P3rN/P1N2K2/R6R b - - 2 22",
                "a8f8 f2e2 f8f5 h5g4 f5e5 e2f2 g3g4",
                Color::White,
                -400,
            ),
        ] {
            let line = line(fen, moves);
            let score = (Score::centipawns(score), PLAUSIBLE);
            assert!(
                test_analyst(60_000).is_spared(&line, line.moves.len(), victim, score),
                "{fen}"
            );
        }
    }

    #[test]
    fn a_pawn_that_an_equal_defence_stops_does_not_promote() {
        let given = line("6k1/P7/8/8/8/8/r7/3Q2K1 w - - 0 1", "g1h1 a2a3 d1d8 g8g7 a7a8q");
        let (losses, score) = ([0, 0, 0, 0, 0, 900], Score::centipawns(-1200));
        assert!(
            test_analyst(10_000).is_spared(&given, losses.len() - 1, Color::Black, (score, 0.0)),
            "1...Rxa7"
        );
        let free = line("8/P7/8/8/8/6k1/8/K7 w - - 0 1", "a1a2 g3g4 a7a8q");
        let (losses, score) = ([0, 0, 0, 900], Score::centipawns(-900));
        assert!(!test_analyst(10_000).is_spared(
            &free,
            losses.len() - 1,
            Color::Black,
            (score, 0.0)
        ));
    }

    #[test]
    fn a_pawn_that_is_won_back_at_once_is_not_lost() {
        let fen = "r2q1rk1/3nbppp/p3p3/1pppPb2/2P5/1P2P3/PN2BPPP/R1BQ1RK1 b - - 0 13";
        let back = line(fen, "d7b6 c4b5 a6b5 e2b5 d8b8 b5d3 b8e5 f2f4");
        assert!(test_analyst(1_000).is_regained(&back, 4, Color::Black, (SOONER, 80)));
        let kept = line(fen, "d7b6 c4b5 a6b5 e2b5 d8b8 f2f4 f5g6 b5d3");
        assert!(!test_analyst(1_000).is_regained(&kept, 4, Color::Black, (SOONER, 80)));
    }

    #[test]
    fn what_comes_back_to_the_loss_of_the_other_line_is_no_difference() {
        // The knight on b4 is pinned and falls to the pawn: the exchange is lost in both lines.
        let fen = "1r3rk1/pq3pp1/4pn1p/3p4/1b3B2/1Q1NP3/PP3PPP/R4RK1 b - - 5 16";
        let played = line(fen, "b7d7 f4b8 f8b8 d3b4 a7a5 f1c1 a5b4 b3c2 d7b5 c2c5 g7g6");
        let best = line(fen, "b7e7 f4b8 f8b8 f1c1");
        let mistake = test_mistake(&played, &best, [-200, 400]);
        let mut analyst = test_analyst(5_000);
        let lines = analyst.lines(&mistake, played.beginning(4), best);
        let lines = Lines { played_on: played.clone(), ..lines };
        assert!(analyst.forced_material(&texts::of(Lang::En), &mistake, &lines).is_none());
    }

    #[test]
    fn a_piece_for_which_another_hangs_is_not_lost() {
        // 31.Rxb1 Rxd4, which the line puts off.
        let fen = "3r2k1/5pp1/7p/8/3B4/2n5/5PPP/3R2K1 b - - 0 30";
        let moves = "c3b1 d1b1 h6h5 g1f1 g8f8 f1e1 f8e8 e1d1 e8f8 d1c1 f8g8 c1d1 g8f8 d1c1";
        let is_told = |best: &str| {
            let (played, best) = (line(fen, moves), line(fen, best));
            let mistake = test_mistake(&played, &best, [300, 0]);
            let mut analyst = test_analyst(20_000);
            let lines = analyst.lines(&mistake, played.beginning(2), best.clone());
            analyst.forced_material(&texts::of(Lang::En), &mistake, &lines).is_some()
        };
        assert!(!is_told("g8f8 d4e3 d8e8 d1d3"));
        assert!(is_told("d8d4 d1a1 g7g6 h2h3"), "the bishop falls there, too");
    }

    #[test]
    fn a_pawn_that_another_move_takes_back_is_not_won() {
        // 7.gxf3 instead of 7.Bf4, and 16...Bxa4 instead of 16...a5.
        for (fen, moves, plies, victim, score) in [
            (
                "rnbqk1nr/ppp2ppp/4p3/2bp4/3PP3/5N2/PPP2PPP/RNBQKB1R b KQkq - 0 4",
                "d5e4 d4c5 d8d1 e1d1 e4f3 c1f4 f3g2 f1g2",
                5,
                Color::White,
                -40,
            ),
            (
                "r2qrbk1/pp3ppp/2bp1n2/4p3/P1p1P3/1P1PBN1P/2PQBPP1/3RR1K1 w - - 0 16",
                "b3c4 a7a5 d1b1 f6d7",
                1,
                Color::Black,
                -60,
            ),
        ] {
            let score = (Score::centipawns(score), PLAUSIBLE);
            let can = test_analyst(20_000).can_take_back(&line(fen, moves), plies, victim, score);
            assert!(can, "{fen}");
        }
        let lost = line("k7/8/8/3p4/8/8/8/3RK3 b - - 0 1", "a8a7 d1d5 a7a6 d5d4");
        let score = (Score::centipawns(-600), PLAUSIBLE);
        assert!(!test_analyst(10_000).can_take_back(&lost, 2, Color::Black, score));
    }

    #[test]
    fn a_pawn_that_is_won_must_be_kept_for_longer() {
        let fen = "rn1qk2r/pb3pp1/1p2pb1p/2pp4/3PP3/P1N2P2/1PPQ2PP/2KR1BNR w kq - 0 11";
        let best = line(fen, "f1b5 b7c6 e4d5 c6b5 c3b5 a7a6 b5c3 c5d4 c3e4 d8d5 e4f6 g7f6");
        let is_regained =
            |within| test_analyst(1_000).is_regained(&best, 3, Color::Black, (within, 80));
        assert!(is_regained(WON_BACK));
        assert!(!is_regained(SOONER));
    }

    #[test]
    fn a_pawn_that_comes_back_four_moves_later_is_not_lost() {
        let fen = "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2";
        let start = "f7f5 f3e5 g8f6 f1c4 d8e7 d2d4 b8c6 e1g1 f5e4 c1f4";
        let played = line(fen, &format!("{start} d7d6 c4f7 e8d8 f7b3"));
        let best = line(fen, "b8c6 f1b5 a7a6 b5a4");
        let mistake = test_mistake(&played, &best, [-20, 113]);
        let mut analyst = test_analyst(60_000);
        let lines = analyst.lines(&mistake, played.beginning(2), best.clone());
        assert!(analyst.forced_material(&texts::of(Lang::En), &mistake, &lines).is_none());
    }

    #[test]
    fn a_loss_at_once_is_told_though_the_other_side_gives_as_much_later() {
        let fen = "4k3/pp3ppp/2n2n2/8/4P3/P4N2/1P3PPP/4K3 w - - 0 30";
        let early = |played: &str, drop: i32| {
            let (played, best) = (line(fen, played), line(fen, "e4e5 f6d5 e1e2 e8e7"));
            let mistake = test_mistake(&played, &best, [0, drop]);
            let mut analyst = test_analyst(10_000);
            let lines = analyst.lines(&mistake, played.clone(), best.clone());
            analyst
                .early_material(&texts::of(Lang::En), &mistake, &lines)
                .map(|sentence| sentence.text)
        };
        // 32...g5 lets 33.Nd6+ fork the king and the pawn on b7.
        let given = "h2h3 f6e4 f3d2 e4f6 d2c4 g7g5 c4d6 e8e7 d6b7 e7e6 b7c5";
        let text = early(given, 100).unwrap();
        assert!(text.starts_with("30.h3 loses the pawn on e4 after 30...Nxe4"), "{text}");
        assert!(early(given, 60).is_some(), "half of it is seen");
        assert_eq!(early(given, 40), None, "the score does not see it");
        assert_eq!(early("h2h3 f6d5 e4d5 c6e7 f3e5", 100), None, "it takes a knight");
        // 5...Nxe4 6.Bb5 Nf6 7.Re1 wins it back, and nothing as good keeps it.
        let fen = "r1bqkb1r/pppp1pp1/2n2n1p/4p3/2B1P3/2P2N2/PP1P1PPP/RNBQK2R w KQkq - 1 5";
        let (played, best) =
            (line(fen, "e1g1 f6e4 c4b5 e4f6 f1e1 f8e7 f3e5 c6e5 e1e5"), line(fen, "d2d4 d7d6"));
        let mistake = test_mistake(&played, &best, [20, 40]);
        let mut analyst = test_analyst(20_000);
        let lines = analyst.lines(&mistake, played.clone(), best.clone());
        assert!(analyst.early_material(&texts::of(Lang::En), &mistake, &lines).is_none());
        // A gain that the line played makes up for later.
        let fen = "r1r2k2/1Rp1Rppp/p1p5/8/8/7P/q1P2PP1/3Q2K1 w - - 4 19";
        let later = "d1d7 a2a1 g1h2 a1f6 e7e4 c8e8 b7a7 f6d6 d7d6 c7d6 e4e8 a8e8 a7a6";
        let (played, best) =
            (line(fen, later), line(fen, "e7c7 c8c7 d1d6 f8g8 d6c7 h7h5 c7c6 a2a1"));
        let mistake = test_mistake(&played, &best, [-30, 120]);
        let mut analyst = test_analyst(10_000);
        let lines = analyst.lines(&mistake, played.clone(), best.clone());
        let text = analyst.early_material(&texts::of(Lang::En), &mistake, &lines).unwrap().text;
        assert!(text.starts_with("19.Qd7 misses a fork"), "{text}");
    }

    #[test]
    fn a_great_gain_is_told_up_to_what_stays_though_a_pawn_is_taken_back_later() {
        // 35...Nxd2 is taken back in the end, the rook on e4 is not.
        let fen = "6rr/p1pk4/5p2/8/4R2N/B1P3p1/P2P1nK1/8 b - - 0 34";
        let (played, best) = (
            line(fen, "h8h4 e4h4 d7e6 a3c5"),
            line(fen, "f2e4 h4f3 e4d2 a3c5 d2f3 g2f3 g3g2 c5a7 g2g1q a7g1 g8g1"),
        );
        let mistake = test_mistake(&played, &best, [1_000, -180]);
        let mut analyst = test_analyst(10_000);
        let lines = analyst.lines(&mistake, played.clone(), best.clone());
        let text = analyst.early_material(&texts::of(Lang::En), &mistake, &lines).unwrap().text;
        assert!(
            text.starts_with("34...Rxh4 misses 34...Nxe4, which wins the rook on e4 ("),
            "{text}"
        );
    }

    #[test]
    fn a_gain_that_only_draws_is_no_gain() {
        // 31...Qxc2 puts Black ahead; White gives check on f6 and d7 without end.
        let fen = "r3r1k1/5p2/p4qpp/8/1Q1Np3/1P1P3P/2P2PP1/RN4K1 b - - 1 27";
        let best = line(fen, "a6a5 b4a4 e4d3 b1d2 d3c2 d4c2 f6c3 d2e4 c3c2 e4f6 g8f8 f6d7 f8g8");
        let analyst = test_analyst(100);
        let draws = |plies: usize, score: i32| {
            analyst.is_only_drawn(&best, plies, Color::White, Score::centipawns(score))
        };
        assert!(draws(9, 0));
        assert!(!draws(9, -50), "Black is better");
        assert!(!draws(3, 0), "Black is still behind");
    }

    #[test]
    fn what_falls_to_the_same_answer_is_no_loss_though_another_pawn_goes_with_it() {
        // The pawn on f6 falls after 37...Kf8, too.
        let fen = "1r6/p4pk1/p4p1p/5K2/1P6/P5RP/6P1/8 b - - 5 37";
        let played = line(fen, "g7h7 f5f6 a6a5 b4a5 b8b5 a5a6 b5a5 f6f7");
        let best = line(fen, "g7f8 g3c3 f8g7 c3c5 h6h5 g2g3 b8b7 h3h4");
        let mistake = test_mistake(&played, &best, [0, 150]);
        let mut analyst = test_analyst(20_000);
        let lines = analyst.lines(&mistake, played.clone(), best.clone());
        assert!(analyst.forced_material(&texts::of(Lang::En), &mistake, &lines).is_none());
    }

    #[test]
    fn a_gain_that_a_fork_takes_back_is_none() {
        let fen = "r7/p2k1ppp/b1p2n2/3p4/N4B2/8/PPP2PPP/4R1K1 b - - 0 17";
        let played = line(fen, "a6b5 a4c5 d7d8 a2a4 b5c4 b2b3");
        let best = line(fen, "f6e4 e1e4 d5e4 a4c5 d7e7 c5a6 a8d8 g1f1");
        let mistake = test_mistake(&played, &best, [-210, 410]);
        let mut analyst = test_analyst(10_000);
        let cut = line(fen, "f6e4 e1e4 d5e4");
        let lines = analyst.lines(&mistake, played.clone(), cut);
        let texts = texts::of(Lang::En);
        assert!(analyst.forced_material(&texts, &mistake, &lines).is_none());
        assert!(analyst.early_material(&texts, &mistake, &lines).is_none());
    }
}
