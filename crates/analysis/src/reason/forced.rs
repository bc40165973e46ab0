//! Whether a small change of material is forced: where it begins, the side that suffers it tries its other moves.
//!
//! A line is one way to play. A piece that falls in it is lost in most others, too. A pawn often is not: another move, as
//! good by the search, keeps it. Then the loss is not forced, and the mistake needs another reason.

use shakmaty::{Color, Move, Role, Square};

use super::ends::mating;
use super::gains::{gives_pawns, material_reason};
use super::lines::{Lines, is_amid_captures, shown, takes_loose};
use super::motifs::Motifs;
use super::thresholds::{
    ALTERNATIVES, AS_GOOD, AS_HOPELESS, AS_MUCH, DECISIONS, EXTENSIONS, HOPELESS_CHANCE, LATER,
    LESS_THAN_PIECE, MIN_LENGTH, MIN_MATERIAL, PLAUSIBLE, REGAINED, REMAINS, REPAID, SAME_LOSS,
    SCORED, SEEN, SMALL, SOONER, TAKEN_BACK, TRAP, WON_BACK,
};
use super::{Mistake, Sentence};
use crate::analyst::RulesAnalyst;
use crate::judgement::{pieces, win_chance};
use crate::line::{PlayedLine, Terms, TrackedPiece};
use crate::material::{self, Balance};
use crate::motif::{Motif, value};
use crate::texts::tell;
use engine::evaluation::{Evaluator, TermKind, Variant};
use engine::rules::Game;
use engine::rules::notation::arrival;
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

/// The line that punishes a tempting capture.
pub(super) struct Trap {
    /// The capture and the moves by which it loses, as text with the names of motifs.
    pub line: String,
    /// Its motifs.
    pub motifs: Vec<Motif>,
    /// True if it loses more than the line without it, not as much.
    pub is_more: bool,
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
    /// Its score in the line.
    score: Score,
    /// The material lost after each ply, in centipawns, up to the end of the change.
    losses: Vec<i32>,
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
            true => (lines.mover, -mistake.after.score, -1),
            false => (!lines.mover, -mistake.before.score, 1),
        };
        let leads = lines.material(terms);
        let losses = leads.iter().take(change.plies + 1).map(|lead| (lead - leads[0]) * sign);
        MaterialLoss { line, on, other, victim, score, losses: losses.collect() }
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
        let MaterialLoss { line, on, other, victim, score, ref losses } = loss;
        let Change { reason, is_loss, .. } = change;
        let plies = losses.len() - 1;
        // `with_trap` tests whether the first capture can be taken back.
        let is_later = plies > 1 + usize::from(is_loss);
        if is_later && self.is_taken_back(on, plies)
            || !is_loss && self.is_beside(mistake, losses[plies])
            || is_loss && !is_later && self.falls_to_same_answer(mistake, lines)
        {
            return None;
        }
        let is_small = !is_loss && losses[plies] <= SMALL;
        if !gives_pawns(line, plies, victim) && !is_small {
            let is_told = mistake.drop().is_none_or(|drop| losses[plies] * SCORED <= drop * 100);
            let is_sure = is_told && !is_repaid;
            if !is_sure && !self.lasts(on, plies, victim, losses[plies]) {
                return None;
            }
            // The better line may be cut before the same falls in it.
            let is_same = match is_loss {
                true => self.falls_too(line, (plies, losses[plies]), victim, other),
                false => self.is_won_too(line, plies, lines),
            };
            // Who loses another piece instead is no better off, but a piece for pawns is a matter of how one defends. What a
            // move would have won must be won against any defence.
            let is_avoidable = !is_loss || losses[plies] <= LESS_THAN_PIECE;
            let score = (score, if is_loss { 0.0 } else { PLAUSIBLE });
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
            && self.is_forced(line, losses, victim, score)
            && !self.is_regained(on, plies, victim, if is_loss { TAKEN_BACK } else { WON_BACK })
            && !self.is_spared(line, losses.len() - 1, victim, (score, 0.0));
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
            let is_over = |plies: &usize| {
                stays(plies) && !is_amid_captures(line, *plies) && !takes_loose(line, *plies)
            };
            let plies = (MIN_LENGTH..=SOONER + 1).find(is_over)?;
            Some((plies, (leads[plies] - leads[0]).abs()))
        };
        let found = [(early(&lines.played_on, -1), true), (early(&lines.best_on, 1), false)];
        found.into_iter().find_map(|(found, is_loss)| {
            let (plies, change) = found?;
            self.early_change(texts, mistake, lines, plies, is_loss)
                .filter(|_| mistake.drop().is_some_and(|drop| drop * 100 >= change * SEEN))
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
        let cut = |line: &PlayedLine<P>| {
            PlayedLine::new(&line.games[0], &line.moves[..plies.min(line.moves.len())])
        };
        let early = self.lines(mistake, cut(&lines.played_on), cut(&lines.best_on));
        let change = material_reason(texts, mistake, &early);
        let change = change.filter(|change| change.is_loss == is_loss)?;
        let loss = MaterialLoss::of(mistake, &early, &change);
        let is_repaid = self.is_repaid(mistake, &loss);
        let MaterialLoss { line, other, victim, score, losses, .. } = loss;
        let is_told = !is_repaid
            && self.is_forced(line, &losses, victim, score)
            && !self.is_shared(line, change.plies, victim, other)
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

    /// A loss or a gain at once, with the capture that a reader would answer with if that costs more still. `None` if what takes
    /// could be taken back as well or at a lesser loss: then nothing tells why the line does not.
    fn with_trap(
        &mut self,
        texts: &Texts,
        mistake: &Mistake<P>,
        lines: &Lines<P>,
        sentence: Sentence,
    ) -> Option<Sentence> {
        let Change { is_loss, plies: plies_told, .. } = material_reason(texts, mistake, lines)?;
        let (ply, line, eval) = match is_loss {
            true => (1, &lines.played_on, &mistake.after),
            false => (0, &lines.best_on, &mistake.before),
        };
        if eval.score.is_mate() {
            return Some(sentence);
        }
        // Who takes a piece with a pawn hardly loses by being taken.
        let takes = line.moves.get(ply);
        let is_meant =
            takes.is_some_and(|m| m.role() != Role::Pawn || m.capture() == Some(Role::Pawn));
        let retaken = if is_meant { self.with_recapture(line, ply, plies_told) } else { None };
        let trap = match retaken {
            Some((line, score)) => {
                let costs = self.costs(texts, lines, &line, ply);
                let is_as_good = is_as_good(score, -eval.score, mistake.pieces(), AS_GOOD);
                if costs.is_none() && (is_as_good || self.costs_less(lines, &line, ply, plies_told))
                {
                    return None;
                }
                costs.map(|Trap { line, motifs, is_more }| {
                    let key = if is_more { "why.retake-loses" } else { "why.retake-costs" };
                    (tell(texts, key, &[("line", &line)]), motifs)
                })
            }
            None => self.other_trap(texts, lines, line, ply),
        };
        Some(match trap {
            Some((trap, motifs)) => {
                let motifs = [sentence.motifs, motifs].concat();
                Sentence { text: format!("{} {trap}", sentence.text), motifs, ..sentence }
            }
            None => sentence,
        })
    }

    /// A capture elsewhere that would make up for what the move `ply` of a line takes, with the moves by which it loses more.
    fn other_trap(
        &mut self,
        texts: &Texts,
        lines: &Lines<P>,
        line: &PlayedLine<P>,
        ply: usize,
    ) -> Option<(String, Vec<Motif>)> {
        let (piece, line) = self.with_other_capture(texts, line, ply)?;
        let Trap { line, motifs, .. } =
            self.costs(texts, lines, &line, ply).filter(|trap| trap.is_more)?;
        Some((tell(texts, "why.take-loses", &[("piece", &piece), ("line", &line)]), motifs))
    }

    /// The moves after ply `ply` of a line by which the other side loses a pawn more than in the lines, or is mated, or by which it
    /// loses as much, if a reader can follow them.
    pub(super) fn costs(
        &self,
        texts: &Texts,
        lines: &Lines<P>,
        line: &PlayedLine<P>,
        ply: usize,
    ) -> Option<Trap> {
        let first = ply + 1;
        let terms = line.terms(&self.evaluator);
        let lost = -lines.change(&lines.played_terms);
        let won = lines.change(&lines.best_terms);
        let is_its_mate = line.end().now().turn() == line.games[first].now().turn();
        let mates = is_its_mate && mating(line).is_some();
        let falls = |more: i32| match ply {
            0 => lines.first_gain(line, &terms, won + more),
            _ => lines.first_loss(line, &terms, lost + more),
        };
        let more = if mates { Some(line.moves.len()) } else { falls(MIN_MATERIAL) };
        let plies = more.or_else(|| falls(-AS_MUCH))?;
        let is_short = (first + 2..=first + TRAP).contains(&plies);
        let motifs = Motifs::punishing(line, first, plies);
        let motifs = if mates { motifs.of_mates() } else { motifs };
        is_short.then(|| Trap {
            line: motifs
                .beside(texts, shown(&line.games[first], &line.moves[first..], plies - first)),
            motifs: motifs.kinds(),
            is_more: more.is_some(),
        })
    }

    /// True if the side that takes back after ply `ply` of a line has a pawn more at its end than after the first `plies` of
    /// the lines.
    fn costs_less(&self, lines: &Lines<P>, line: &PlayedLine<P>, ply: usize, plies: usize) -> bool {
        let change = lines.change(&line.terms(&self.evaluator));
        let change_in_lines = |terms: &[Terms]| lines.change(&terms[..=plies.min(terms.len() - 1)]);
        match ply {
            0 => change_in_lines(&lines.best_terms) - change >= MIN_MATERIAL,
            _ => change - change_in_lines(&lines.played_terms) >= MIN_MATERIAL,
        }
    }

    /// A line played on with the greatest capture after its move `ply` that wins as much elsewhere, by the exchange, as that
    /// move takes, with what is captured in words. The line itself does not make it.
    fn with_other_capture(
        &mut self,
        texts: &Texts,
        line: &PlayedLine<P>,
        ply: usize,
    ) -> Option<(String, PlayedLine<P>)> {
        let (m, after) = (*line.moves.get(ply)?, line.games.get(ply + 1)?);
        let taken = value(m.capture()?);
        let is_tempting = |other: &Move| {
            other.to() != m.to()
                && other.capture().is_some_and(|role| role != Role::Pawn && value(role) >= taken)
                && gains_at_least(after.position(), *other, taken)
        };
        let legal = after.position().legal_moves();
        let other = legal.into_iter().filter(is_tempting).max_by_key(|m| m.capture().map(value))?;
        if line.moves.get(ply + 1).is_some_and(|reply| reply.to() == other.to()) {
            return None;
        }
        let eval = self.search_captures(after, other.to(), 1)?;
        let piece = material::piece(texts, other.capture()?, Some(other.to()));
        let moves = [&line.moves[..=ply], &eval.pv].concat();
        Some((piece, self.played_out(&line.games[0], &moves, eval.score)))
    }

    /// A reason in the material where it falls to a capture that the other side could take back, by the exchange at no loss,
    /// but does not in its best line: the line with the recapture shows why not. It must tell the same loss or gain, to a pawn and
    /// a half.
    fn retaken_material(
        &mut self,
        texts: &Texts,
        mistake: &Mistake<P>,
        lines: &Lines<P>,
    ) -> Option<Sentence> {
        if mistake.before.score.is_mate() || mistake.after.score.is_mate() {
            return None;
        }
        let played = self.with_recapture(&lines.played_on, 1, 3).map(|(line, _)| line);
        let best = self.with_recapture(&lines.best_on, 0, 2).map(|(line, _)| line);
        if played.is_none() && best.is_none() {
            return None;
        }
        // A mate is what the recapture costs, and no loss of material.
        if [&played, &best].into_iter().flatten().any(|line| mating(line).is_some()) {
            return None;
        }
        let played = played.unwrap_or_else(|| lines.played.clone());
        let best = best.unwrap_or_else(|| lines.best.clone());
        let retaken = self.lines(mistake, played, best);
        let is_same = |one: i32, other: i32| (one - other).abs() < SMALL;
        let (before, after) = (lines, &retaken);
        let is_told =
            is_same(before.change(&before.played_terms), after.change(&after.played_terms))
                && is_same(before.change(&before.best_terms), after.change(&after.best_terms));
        // A reader follows one piece, not a list of pieces for others.
        let is_plain = |line: &PlayedLine<P>| {
            let balance = Balance::of(line, before.mover);
            let balance = if balance.loss::<P>() < 0 { balance.turned() } else { balance };
            balance.given().len() <= 1
        };
        let is_told = is_told && is_plain(&after.played) && is_plain(&after.best);
        is_told.then(|| self.forced_material(texts, mistake, &retaken))?
    }

    /// A line played on with the recapture after its move `ply`, and the score of the side that takes back, if the move is a
    /// capture which does not win all that it takes by the exchange on its square, and the first `plies` of the line do not take
    /// back there, at once or after a check or a capture in between.
    fn with_recapture(
        &mut self,
        line: &PlayedLine<P>,
        ply: usize,
        plies: usize,
    ) -> Option<(PlayedLine<P>, Score)> {
        let m = *line.moves.get(ply).filter(|m| m.is_capture())?;
        let between = line.moves.get(ply + 1);
        let is_forcing = between.is_some_and(|between| between.is_capture())
            || line.games.get(ply + 2).is_some_and(|game| game.now().is_check());
        let seen = if is_forcing { ply + 4 } else { ply + 2 };
        let mut later = line.moves.iter().take(plies.max(seen)).skip(ply + 1);
        let takes_back = later.any(|reply| reply.is_capture() && reply.to() == m.to());
        let taken = m.capture().map_or(MIN_MATERIAL, value);
        if takes_back || gains_at_least(line.games[ply].position(), m, taken) {
            return None;
        }
        let eval = self.search_captures(&line.games[ply + 1], m.to(), 1)?;
        let moves = [&line.moves[..=ply], &eval.pv].concat();
        Some((self.played_out(&line.games[0], &moves, eval.score), eval.score))
    }

    /// Plays a line with this score on to a quiet place, or to the mate that the score tells of.
    pub(super) fn played_out(
        &mut self,
        game: &Game<P>,
        moves: &[Move],
        score: Score,
    ) -> PlayedLine<P> {
        if !score.is_mate() {
            return self.until_quiet(game, moves);
        }
        let mut line = PlayedLine::new(game, moves);
        for _ in 0..EXTENSIONS {
            let eval = self.search(&line.end().clone(), 1);
            if !eval.score.is_mate() || eval.pv.is_empty() {
                break;
            }
            eval.pv.iter().for_each(|&m| line.play(m));
        }
        line
    }

    /// True if most of what `victim` has lost after `plies` is still lost when the line has come to rest.
    fn lasts(&mut self, line: &PlayedLine<P>, plies: usize, victim: Color, loss: i32) -> bool {
        let plies = plies.min(line.moves.len());
        let on = self.until_quiet(&line.games[plies], &line.moves[plies..]);
        (self.lead(&line.games[0], victim) - self.lead(on.end(), victim)) * 100 >= loss * REMAINS
    }

    /// True if `victim` stands no worse by its score, and so much better than by the material that it has something for what it has
    /// lost at the end of the change, or is about to get it back. What the mover had already is none of it.
    fn is_repaid(&self, mistake: &Mistake<P>, loss: &MaterialLoss<P>) -> bool {
        let plies = (loss.losses.len() - 1).min(loss.line.moves.len());
        let beyond =
            |score: Score, ply: usize| score.raw() - self.lead(&loss.line.games[ply], loss.victim);
        let is_movers = loss.victim == mistake.game.now().turn();
        let had = if is_movers { beyond(mistake.before.score, 0).max(0) } else { 0 };
        loss.score >= Score::DRAW && beyond(loss.score, plies) - had >= REPAID
    }

    /// True if `victim` wins back what it has lost after `plies` plies of a line in the next `within` plies.
    fn is_regained(
        &mut self,
        line: &PlayedLine<P>,
        plies: usize,
        victim: Color,
        within: usize,
    ) -> bool {
        let line = self.as_long_as(line, plies + within);
        let last = (plies + within).min(line.moves.len());
        let lead = self.lead(&line.games[0], victim);
        let is_lost = |ply: usize| lead - self.lead(&line.games[ply], victim) >= MIN_MATERIAL;
        // Amid an exchange a single place means nothing.
        (plies + 1..last).any(|ply| !is_lost(ply) && !is_lost(ply + 1))
    }

    /// The lead of `side` in material.
    pub(super) fn lead(&self, game: &Game<P>, side: Color) -> i32 {
        let terms = Terms::of(&self.evaluator.explain(game.position()));
        terms.lead(TermKind::Material, side)
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

    /// True if `victim` loses the same pieces in the other line as in the first `plies` of `line`, and about as much as
    /// `loss`, in centipawns, or gets pawns for them there.
    fn falls_too(
        &self,
        line: &PlayedLine<P>,
        (plies, loss): (usize, i32),
        victim: Color,
        other: &PlayedLine<P>,
    ) -> bool {
        let lost = self.lead(&other.games[0], victim) - self.lead(other.end(), victim);
        let falls = |piece: &&TrackedPiece| {
            piece.color == victim && piece.captured.is_some_and(|(ply, _)| ply < plies)
        };
        // Pawns for it count only where it falls as soon.
        let last = if (loss - lost).abs() < MIN_MATERIAL { usize::MAX } else { plies };
        let falls_there = |piece: &TrackedPiece| {
            let mut pieces = other.tracked.iter();
            pieces.any(|one| {
                one.from == piece.from && one.captured.is_some_and(|(ply, _)| ply < last)
            })
        };
        let is_same = (-MIN_MATERIAL + 1..=SAME_LOSS).contains(&(loss - lost));
        is_same && line.tracked.iter().filter(falls).all(falls_there)
    }

    /// True if what the mover wins in the first `plies` of the better line falls later in the line played, too, where it has no less
    /// at the end.
    fn is_won_too(&mut self, line: &PlayedLine<P>, plies: usize, lines: &Lines<P>) -> bool {
        let played = &lines.played_on;
        let falls_there = |one: &TrackedPiece| one.captured.is_some_and(|(ply, _)| ply < plies);
        // The same piece taken at once and lost again, or with the wrong piece, is another reason.
        let takes_it = |one: &TrackedPiece| falls_there(one) && one.from == played.moves[0].to();
        !line.tracked.iter().any(takes_it)
            && self.is_shared(line, plies, !lines.mover, played)
            && !self.stays_ahead(&lines.best_on, played, lines.mover)
    }

    /// True if `side` has a pawn more at least where the first line has come to rest than where the other has, in which it loses
    /// nothing: what falls in both is a difference all the same.
    fn stays_ahead(&mut self, line: &PlayedLine<P>, other: &PlayedLine<P>, side: Color) -> bool {
        let [one, two] = [line, other].map(|line| {
            let quiet = self.until_quiet(&line.games[0], &line.moves);
            self.lead(quiet.end(), side)
        });
        one - two >= MIN_MATERIAL && self.lead(&line.games[0], side) - two < MIN_MATERIAL
    }

    /// True if what falls in the first `plies` of a line falls in the other line, too, and not by an exchange.
    fn is_shared(
        &mut self,
        line: &PlayedLine<P>,
        plies: usize,
        victim: Color,
        other: &PlayedLine<P>,
    ) -> bool {
        let other = self.until_quiet(&other.games[0], &other.moves);
        let start = PlayedLine::new(&line.games[0], &line.moves[..plies.min(line.moves.len())]);
        let falls_too = |piece: &TrackedPiece| {
            let same = other.tracked.iter().find(|one| one.from == piece.from)?;
            let (ply, _) = same.captured?;
            // A pawn that is taken in passing does not stand where its captor goes.
            let square = arrival(*other.moves.get(ply)?);
            let is_there = |ply: usize| {
                other.moves.get(ply).is_some_and(|m| m.is_capture() && m.to() == square)
            };
            Some(!is_there(ply + 1) && !ply.checked_sub(1).is_some_and(is_there))
        };
        // A piece that is exchanged on the way may be exchanged there, too.
        let balance = Balance::of(&start, victim);
        let fallen = balance.given();
        !fallen.is_empty() && fallen.iter().all(|piece| falls_too(piece) == Some(true))
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
        let start = PlayedLine::new(&line.games[0], &line.moves[..plies]);
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
    /// after which the line, played on, is as `holds` says. It may be
    /// worse by `points`, of 100, of the chance to win.
    pub(super) fn has_another_way(
        &mut self,
        line: &PlayedLine<P>,
        plies: usize,
        side: Color,
        (score, points): (Score, f64),
        holds: impl Fn(&PlayedLine<P>) -> bool,
    ) -> bool {
        !score.is_mate()
            && decisions(line, plies, side).into_iter().any(|ply| {
                let Some(other) = self.search_without(&line.games[ply], &line.moves[ply..=ply], 1)
                else {
                    return false;
                };
                let moves = [&line.moves[..ply], &other.pv].concat();
                let pieces = pieces(&line.games[0]);
                let lost = win_chance(score, pieces) - win_chance(other.score, pieces);
                (is_as_good(other.score, score, pieces, AS_GOOD) || lost <= points)
                    && holds(&self.until_quiet(&line.games[0], &moves))
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
        let mut tried = vec![line.moves[ply]];
        for _ in 0..ALTERNATIVES {
            let Some(other) = self.search_without(&line.games[ply], &tried, 1) else {
                return false;
            };
            let Some(&m) = other.pv.first() else { return false };
            if !is_as_good(other.score) {
                return false;
            }
            let other = self.until_quiet(&line.games[ply], &other.pv);
            let lead = self.lead(&line.games[0], victim);
            let is_lost = |game: &Game<P>| lead - self.lead(game, victim) >= MIN_MATERIAL;
            let lost: Vec<bool> = other.games.iter().map(is_lost).collect();
            // What falls and is won back much later, by the choice of the other side, is not kept.
            let is_down = lost.windows(REGAINED).any(|games| games.iter().all(|lost| *lost));
            if lost.last() == Some(&false) && !is_down {
                return true;
            }
            tried.push(m);
        }
        false
    }
}

/// The last plies before a loss that begins after `falls` plies at which `victim` decides, the last one first.
fn decisions<P: Variant>(line: &PlayedLine<P>, falls: usize, victim: Color) -> Vec<usize> {
    let is_decision = |ply: &usize| line.games[*ply].now().turn() == victim;
    let last = falls.min(line.moves.len().saturating_sub(1));
    (1..=last).rev().filter(is_decision).take(DECISIONS).collect()
}

/// The plies after which nothing has been lost for the last time.
fn falls_at(losses: &[i32]) -> usize {
    losses.iter().rposition(|loss| *loss < MIN_MATERIAL).unwrap_or(0)
}

/// True if a score is as good as `score`, less `margin`: where all is lost, centipawns tell no better defence from a worse one.
fn is_as_good(other: Score, score: Score, pieces: usize, margin: i32) -> bool {
    let [chance, other_chance] = [score, other].map(|score| win_chance(score, pieces));
    other >= score - margin || chance < HOPELESS_CHANCE && other_chance >= chance - AS_HOPELESS
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
        assert!(test_analyst(1_000).is_regained(&back, 4, Color::Black, SOONER));
        let kept = line(fen, "d7b6 c4b5 a6b5 e2b5 d8b8 f2f4 f5g6 b5d3");
        assert!(!test_analyst(1_000).is_regained(&kept, 4, Color::Black, SOONER));
    }

    #[test]
    fn a_pawn_that_is_won_must_be_kept_for_longer() {
        let fen = "rn1qk2r/pb3pp1/1p2pb1p/2pp4/3PP3/P1N2P2/1PPQ2PP/2KR1BNR w kq - 0 11";
        let best = line(fen, "f1b5 b7c6 e4d5 c6b5 c3b5 a7a6 b5c3 c5d4 c3e4 d8d5 e4f6 g7f6");
        let is_regained = |within| test_analyst(1_000).is_regained(&best, 3, Color::Black, within);
        assert!(is_regained(WON_BACK));
        assert!(!is_regained(SOONER));
    }

    #[test]
    fn a_piece_that_falls_in_both_lines_is_no_reason() {
        let fen = "4b3/2R1B2p/p1kP1p2/8/r5P1/6KP/8/8 b - - 10 44";
        let played = line(fen, "c6b6 d6d7 e8d7 c7d7 b6c6 d7d6 c6c7");
        let falls_too = |moves: &str| {
            let loss = (4, 200);
            test_analyst(2_000).falls_too(&played, loss, Color::Black, &line(fen, moves))
        };
        assert!(falls_too("c6d5 d6d7 e8d7 c7d7 d5e6 d7b7 a4d4 e7c5"));
        assert!(!falls_too("c6d5 e7f8 a4b4 g3h4 b4b8"), "it is kept");
    }

    #[test]
    fn a_piece_that_is_won_later_as_well_is_no_reason() {
        // The bishop on b3 falls after 13...gxh6 14.Nxb5 axb3, too, and White has no more for it.
        let fen = "rnb1k2r/b4ppp/2pp3B/1p2P3/p3P3/1BN2N2/PPP2PPP/R4RK1 b kq - 0 13";
        let best = line(fen, "a4b3 h6d2 b3c2 e5d6");
        let is_won_too = |played: &str| {
            let played = line(fen, played);
            let mistake = test_mistake(&played, &best, [0, 60]);
            let mut analyst = test_analyst(10_000);
            let lines = analyst.lines(&mistake, played.clone(), best.clone());
            analyst.is_won_too(&best, 1, &lines)
        };
        assert!(is_won_too("g7h6 c3b5 a4b3 b5d6 e8e7 a2b3 b8a6 f1d1"));
        assert!(!is_won_too("g7h6 b3f7 e8f7 e5d6 h8e8 f3e5"), "for a pawn");
    }

    #[test]
    fn a_loss_at_once_is_told_though_the_other_side_gives_as_much_later() {
        let fen = "r4rk1/1bp2pp1/p2qpn1p/3p4/2pP4/P1N1PN2/1PP1QPPP/2KR3R w - - 0 14";
        let early = |played: &str, drop: i32| {
            let (played, best) = (line(fen, played), line(fen, "f3e5 a8b8 g2g4 d6b6"));
            let mistake = test_mistake(&played, &best, [0, drop]);
            let mut analyst = test_analyst(10_000);
            let lines = analyst.lines(&mistake, played.clone(), best.clone());
            analyst
                .early_material(&texts::of(Lang::En), &mistake, &lines)
                .map(|sentence| sentence.text)
        };
        let given = "e3e4 f6e4 c3e4 d5e4 f3e5 c4c3 b2c3";
        let text = early(given, 170).unwrap();
        assert!(text.starts_with("14.e4 loses the pawn on e4 after 14...Nxe4"), "{text}");
        assert!(early(given, 60).is_some(), "half of it is seen");
        assert_eq!(early(given, 40), None, "the score does not see it");
        assert_eq!(early("e3e4 f6e4 c3e4 d5e4 e2e4 c4c3", 170), None, "it comes back at once");
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

    #[test]
    fn a_gain_that_both_lines_have_is_no_difference() {
        let fen = "r1bq1rk1/pp2pp1p/2np2p1/3N4/1P2P3/3P1N2/2P2PPP/Q3KB1R b K - 0 12";
        let best = line(fen, "c8e6 d5e3 c6b4 c2c3");
        let is_shared = |moves: &str| {
            test_analyst(10_000).is_shared(&best, best.moves.len(), Color::White, &line(fen, moves))
        };
        let exchange = "e7e6 d5f6 g8h8 f6d7 e6e5 d7f8";
        assert!(is_shared(&format!("{exchange} c6b4 a1b2 a7a5 f8h7 h8h7")));
        assert!(!is_shared(&format!("{exchange} d8f8 f3g5 h7h6 g5f3 a7a6")), "b4 stands");
        // The knights are exchanged in both lines.
        let fen = "2r2rk1/p7/1p2pbp1/3p1n1p/3P1P2/7N/PP2N1PP/2R2RK1 w - - 0 22";
        let played = line(fen, "h3g5 f5d4 e2d4 f6d4 g1h1");
        let best = line(fen, "f1e1 f5d4 c1c8 f8c8 e2d4 f6d4 g1f1 e6e5");
        assert!(test_analyst(10_000).is_shared(&played, 4, Color::White, &best));
    }

    #[test]
    fn a_pawn_that_falls_in_both_lines_may_be_a_difference_all_the_same() {
        let fen = "r2qkb1r/2p3pp/p7/1p1Pp3/3n1p2/P6P/1PP2PP1/RNBQ1RK1 w kq - 1 16";
        let mut analyst = test_analyst(10_000);
        // Lines so long that they are not played on.
        let won = "f1e1 e8f7 e1e5 d8f6 e5e4 d4f5 b1c3 f8d6 c1d2 h7h5 d1f3 g7g5";
        let later = "c2c3 d4f5 f1e1 f8d6 a3a4 e8g8 a4b5 a6b5 a1a8 d8a8 b1d2 a8a2 d2f3";
        let [won, later] = [won, later].map(|moves| line(fen, moves));
        assert!(analyst.stays_ahead(&won, &later, Color::White));
        assert!(!analyst.stays_ahead(&later, &won, Color::White));
        // In the other line a rook falls besides: that is the difference.
        let fen = "r1bq1rk1/pp2pp1p/2np2p1/3N4/1P2P3/3P1N2/2P2PPP/Q3KB1R b K - 0 12";
        let best = line(fen, "c8e6 d5e3 c6b4 c2c3");
        let exchange = line(fen, "e7e6 d5f6 g8h8 f6d7 e6e5 d7f8");
        assert!(!analyst.stays_ahead(&best, &exchange, Color::Black));
    }

    #[test]
    fn a_recapture_that_a_reader_would_try_is_shown() {
        let mut analyst = test_analyst(20_000);
        // The king may take the rook, and loses the other one to a fork.
        let fen = "rn3b2/pp3k2/2p1bpp1/8/3PR1Pr/8/PPP4P/RN1Q2K1 w - - 1 18";
        let best = line(fen, "e4e6 h4g4 g1h1");
        let (shown, _) = analyst.with_recapture(&best, 0, 2).unwrap();
        let moves = engine::pgn::line_text(&shown.games[0], &shown.moves);
        assert!(moves.starts_with("18.Rxe6 Kxe6 19.Qe1+"), "{moves}");
        // The pawn may take the bishop, and loses the rook to a fork.
        let fork = "r1bqkb1r/ppp3pp/2n5/3Bp3/8/5Q2/PPPP1PPP/RNB1K2R b KQ - 0 8";
        let played = line(fork, "d8e7 d5c6 c8d7 c6d7 e7d7 f3b7");
        let best = line(fork, "d8f6 d5c6 f6c6 f3c6 b7c6");
        let mistake = test_mistake(&played, &best, [-140, 600]);
        let lines = analyst.lines(&mistake, played.clone(), best.clone());
        let empty = Sentence { text: String::new(), names_better: false, motifs: Vec::new() };
        let trap = analyst.with_trap(&texts::of(Lang::En), &mistake, &lines, empty).unwrap().text;
        assert!(trap.trim().starts_with("To take back costs more: 9...bxc6 10.Qxc6+"), "{trap}");
        let free = line("4k3/8/4b3/8/8/8/8/4RK2 w - - 0 1", "e1e6 e8f7 e6d6");
        assert!(analyst.with_recapture(&free, 0, 2).is_none(), "nothing takes back");
    }

    #[test]
    fn a_recapture_after_an_in_between_move_is_one() {
        let fen = "r2q1rk1/p1p1b1p1/2ppp2p/3n4/4P3/2N1BQ2/PPP2PPP/2KR3R w - - 6 14";
        let played = line(fen, "c3d5 f8f3 d5e7 d8e7 g2f3 e7f6 f3f4");
        let mut analyst = test_analyst(1_000);
        assert!(analyst.with_recapture(&played, 1, 3).is_none());
        let quiet = line(fen, "c3d5 f8f3 d5f4 d8f8 g2f3");
        assert!(analyst.with_recapture(&quiet, 1, 3).is_some());
        let never = line(fen, "c3d5 f8f3 d5e7 d8e7 h2h3 e7f6 g2f3");
        assert!(analyst.with_recapture(&never, 1, 3).is_some());
    }

    #[test]
    fn a_recapture_that_costs_another_piece_is_shown() {
        // 10.Qxc4 Bxf4 gives the other bishop.
        let fen = "1r1qk1nr/ppp2ppp/3b4/4n3/2B1P3/1Q6/PPP2PPP/RNB1K2R w KQk - 4 9";
        let (played, best) = (line(fen, "c1f4 e5c4 f4d6 c4d6"), line(fen, "c4e2 g8f6 f2f4"));
        let mistake = test_mistake(&played, &best, [80, 290]);
        let mut analyst = test_analyst(20_000);
        let lines = analyst.lines(&mistake, played.clone(), best.clone());
        let mut trap = |lang| {
            let empty = Sentence { text: String::new(), names_better: false, motifs: Vec::new() };
            analyst.with_trap(&texts::of(lang), &mistake, &lines, empty).unwrap().text
        };
        assert_eq!(trap(Lang::En).trim(), "To take back costs as much: 10.Qxc4 Bxf4.");
        assert_eq!(trap(Lang::Es).trim(), "Retomar cuesta lo mismo: 10.Dxc4 Axf4.");
    }

    #[test]
    fn a_pawn_that_a_pawn_takes_may_be_taken_back() {
        // 8.dxc5 dxc5 is as good as the line, and no pawn is lost.
        let fen = "rnbq1rk1/pp2ppbp/3p1np1/2p5/3P1P2/2P1P1PN/PP1N3P/R1BQKB1R b KQ - 2 7";
        let played = line(fen, "b8c6 d4c5 e7e5 f1g2");
        let best = line(fen, "c5d4 c3d4 e7e5 d2f3");
        let mistake = test_mistake(&played, &best, [120, 60]);
        let mut analyst = test_analyst(20_000);
        let lines = analyst.lines(&mistake, played.clone(), best.clone());
        let empty = Sentence { text: String::new(), names_better: false, motifs: Vec::new() };
        let sentence = analyst.with_trap(&texts::of(Lang::En), &mistake, &lines, empty);
        assert!(sentence.is_none_or(|sentence| sentence.text.contains("8...dxc5")));
    }

    #[test]
    fn a_capture_elsewhere_that_a_reader_would_try_is_shown() {
        let mut analyst = test_analyst(20_000);
        let mut trap = |fen: &str, moves: [&str; 2], scores: [i32; 2]| {
            let [played, best] = moves.map(|moves| line(fen, moves));
            let mistake = test_mistake(&played, &best, scores);
            let lines = analyst.lines(&mistake, played.clone(), best.clone());
            let empty = Sentence { text: String::new(), names_better: false, motifs: Vec::new() };
            let told = analyst.with_trap(&texts::of(Lang::En), &mistake, &lines, empty);
            told.map(|told| told.text.trim().to_string())
        };
        // White may take the queen instead, and is mated.
        let fen = "2r3k1/pp2npp1/4p2p/qP1pP3/8/1P5Q/2rN1PPP/R2R2K1 b - - 1 21";
        let moves = ["a5b4 d2f3", "c2d2 d1f1 a5b5 h3e3"];
        let told = trap(fen, moves, [740, -335]);
        assert_eq!(
            told.as_deref(),
            Some("To take the queen on a5 costs more: 22.Rxa5 Rxd1# (back-rank mate).")
        );
        let airy = fen.replace("/2rN1PPP/", "/2rN1PP1/");
        assert_eq!(trap(&airy, moves, [740, -335]).as_deref(), Some(""), "the king has a square");
        // A recapture that is mated counts as one that costs more.
        let fen = "2r3k1/pp2npp1/4p2p/1PqpP3/R7/1P5Q/2rN1PPP/3R2K1 w - - 4 23";
        let told = trap(fen, ["a4g4 c2d2 g4g7 g8g7", "h3d3 e7f5"], [-330, 680]);
        let mate = "To take back costs more: 24.Rxd2 Qc1+ 25.Rd1 Qxd1# (back-rank mate).";
        assert_eq!(told.as_deref(), Some(mate));
    }

    #[test]
    fn a_pawn_that_is_exchanged_in_passing_is_not_lost_there() {
        let fen = "r1bqkb1r/p2p1ppp/1np1p3/4P3/2P5/2N1B3/PP3PPP/R2QKB1R b KQkq - 1 9";
        let played = line(fen, "d7d5 e5d6 b6d7 d1a4");
        let best = line(fen, "c8a6 d1d4 f8e7 f1d3 c6c5 d4f4 d7d5 e5d6 e7d6 f4g4 e8g8 g4e4 g7g6");
        assert!(!test_analyst(1_000).is_shared(&played, 2, Color::Black, &best));
    }

    #[test]
    fn what_falls_in_both_lines_is_no_reason_though_one_gets_pawns_for_it() {
        let fen = "r3k2r/ppN2ppp/6n1/2p1n3/2P5/4RP2/PP4PP/4K1NR b K - 1 15";
        let played = line(fen, "e8d8 c7a8 g6f4 e3b3");
        let falls_too = |moves: &str| {
            let loss = (2, 500);
            test_analyst(1_000).falls_too(&played, loss, Color::Black, &line(fen, moves))
        };
        assert!(falls_too("e8d7 c7a8 e5c4 e3c3 c4b2"));
        assert!(!falls_too("e8d7 c7a8 h8a8"), "a rook for a knight");
    }
}
