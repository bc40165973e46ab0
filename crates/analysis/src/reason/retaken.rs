//! The capture that a reader would answer with, though no line does: what takes a piece is taken back, another piece falls for it,
//! or a piece is put where it can be taken. A sentence shows what the capture costs.

use shakmaty::{Move, Role};

use super::ends::mating;
use super::forced::{Change, is_as_good};
use super::gains::material_reason;
use super::lines::{Lines, is_at_rest, shown};
use super::motifs::Motifs;
use super::thresholds::{
    AS_GOOD, AS_MUCH, BETTER, COSTLY, EXTENSIONS, MIN_MATERIAL, REFUTED, TRAP,
};
use super::{Mistake, Sentence};
use crate::analyst::RulesAnalyst;
use crate::line::{PlayedLine, Terms};
use crate::material::{self, Balance};
use crate::motif::{Motif, value};
use crate::texts::tell;
use engine::evaluation::Variant;
use engine::rules::notation::arrival;
use engine::rules::{Captures, Game};
use engine::score::Score;
use engine::search::gains_at_least;
use shell::texts::Texts;

/// The line that punishes a tempting capture.
struct Trap {
    /// The capture and the moves by which it loses, as text with the names of motifs.
    line: String,
    /// Its motifs.
    motifs: Vec<Motif>,
    /// True if it loses more than the line without it, not as much.
    is_more: bool,
}

impl<P: Variant> RulesAnalyst<P> {
    /// A loss or a gain at once, with the capture that a reader would answer with if that costs more still. `None` if what takes
    /// could be taken back as well or at a lesser loss: then nothing tells why the line does not.
    pub(super) fn with_trap(
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
    fn costs(
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
    /// but does not in its best line: the line with the recapture shows why not. It must tell the same loss or gain, to less than a
    /// pawn.
    pub(super) fn retaken_material(
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
        let is_same = |one: i32, other: i32| (one - other).abs() < MIN_MATERIAL;
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
    fn played_out(&mut self, game: &Game<P>, moves: &[Move], score: Score) -> PlayedLine<P> {
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

    /// A sentence about the piece that the better move, or else the answer, offers, with the moves by which its capture costs more: to
    /// where something falls for it, or the first ones if it costs a pawn by the score.
    pub(super) fn offered(
        &mut self,
        texts: &Texts,
        mistake: &Mistake<P>,
        lines: &Lines<P>,
    ) -> Option<String> {
        // Who must capture is not asked why he does not.
        if P::CAPTURES == Captures::Duty {
            return None;
        }
        let scored = [
            (&lines.best_on, 0, -mistake.before.score),
            (&lines.played_on, 1, -mistake.after.score),
        ];
        scored.into_iter().find_map(|(line, ply, score)| {
            let (taken, cost) = self.with_tempting_capture(line, ply, score)?;
            let trap = self.costs(texts, lines, &taken, ply).filter(|trap| trap.is_more);
            let by_score = || (cost >= COSTLY).then(|| first_moves(&taken, ply + 1));
            let trap = trap.map(|trap| trap.line).or_else(by_score)?;
            let m = line.moves[ply];
            let piece = material::piece(texts, m.role(), Some(arrival(m)));
            Some(tell(texts, "why.take-loses", &[("piece", &piece), ("line", &trap)]))
        })
    }

    /// A line played on with the capture of the piece that its move `ply` puts where it could be taken at a profit, by the exchange,
    /// if the line does not take it and the other side, whose score is `score`, is worse off with the capture, by the centipawns.
    fn with_tempting_capture(
        &mut self,
        line: &PlayedLine<P>,
        ply: usize,
        score: Score,
    ) -> Option<(PlayedLine<P>, i32)> {
        let (m, after) = (*line.moves.get(ply)?, line.games.get(ply + 1)?);
        let square = arrival(m);
        let is_tempting = after.position().legal_moves().into_iter().any(|reply| {
            reply.is_capture()
                && reply.to() == square
                && gains_at_least(after.position(), reply, MIN_MATERIAL)
        });
        let is_taken = line.moves.get(ply + 1).is_some_and(|reply| reply.to() == square);
        // What has just been taken for it need not come back.
        let is_offered = m.capture().is_none_or(|role| role == Role::Pawn) && !m.is_en_passant();
        if !is_offered || !is_tempting || is_taken {
            return None;
        }
        let eval = self.search_captures(after, square, 1)?;
        let moves = [&line.moves[..=ply], &eval.pv].concat();
        let cost = score - eval.score;
        (cost >= REFUTED).then(|| (self.played_out(&line.games[0], &moves, eval.score), cost))
    }
}

/// The move `ply` of a line and those after it that a sentence shows, as text, up to where no exchange is under way.
fn first_moves<P: Variant>(line: &PlayedLine<P>, ply: usize) -> String {
    let least = ply + BETTER + 1;
    let plies = (least..=ply + TRAP).find(|plies| is_at_rest(line, *plies)).unwrap_or(least);
    shown(&line.games[ply], &line.moves[ply..], plies - ply)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyst::test_analyst;
    use crate::line::chess_line as line;
    use crate::reason::test_mistake;
    use crate::texts::{self, Lang};

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
        let mut analyst = test_analyst(10_000);
        let lines = analyst.lines(&mistake, played.clone(), best.clone());
        let mut trap = |lang| {
            let empty = Sentence { text: String::new(), names_better: false, motifs: Vec::new() };
            analyst.with_trap(&texts::of(lang), &mistake, &lines, empty).unwrap().text
        };
        assert_eq!(trap(Lang::En).trim(), "To take back costs as much: 10.Qxc4 Bxf4.");
        assert_eq!(trap(Lang::Es).trim(), "Retomar cuesta lo mismo: 10.Dxc4 Axf4.");
    }

    #[test]
    fn a_recapture_that_costs_a_pawn_more_than_the_line_is_not_the_loss() {
        // 11...Bb7 loses two pawns for a while, 11...Nxe5 12.Qxd5 a knight.
        let fen = "r1bqr1k1/pppn1pbp/3p2p1/3np3/PP1P4/N1P1PN1P/1B1Q1PP1/R3KB1R b KQ - 1 10";
        let taken = "b7b6 d4e5 c8b7 f1c4 c7c6 c4d5 c6d5 e5d6 d7f6";
        let (played, best) = (line(fen, taken), line(fen, "c7c6 f1e2"));
        let mistake = test_mistake(&played, &best, [50, 50]);
        let mut analyst = test_analyst(20_000);
        let lines = analyst.lines(&mistake, played.clone(), best.clone());
        assert!(analyst.retaken_material(&texts::of(Lang::En), &mistake, &lines).is_none());
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
            let found = analyst.with_trap(&texts::of(Lang::En), &mistake, &lines, empty);
            found.map(|sentence| sentence.text.trim().to_string())
        };
        // White may take the queen instead, and is mated.
        let fen = "2r3k1/pp2npp1/4p2p/qP1pP3/8/1P5Q/2rN1PPP/R2R2K1 b - - 1 21";
        let moves = ["a5b4 d2f3", "c2d2 d1f1 a5b5 h3e3"];
        let text = trap(fen, moves, [740, -335]);
        assert_eq!(
            text.as_deref(),
            Some("To take the queen on a5 costs more: 22.Rxa5 Rxd1# (back-rank mate).")
        );
        let airy = fen.replace("/2rN1PPP/", "/2rN1PP1/");
        assert_eq!(trap(&airy, moves, [740, -335]).as_deref(), Some(""), "the king has a square");
        // A recapture that is mated counts as one that costs more.
        let fen = "2r3k1/pp2npp1/4p2p/1PqpP3/R7/1P5Q/2rN1PPP/3R2K1 w - - 4 23";
        let text = trap(fen, ["a4g4 c2d2 g4g7 g8g7", "h3d3 e7f5"], [-330, 680]);
        let mate = "To take back costs more: 24.Rxd2 Qc1+ 25.Rd1 Qxd1# (back-rank mate).";
        assert_eq!(text.as_deref(), Some(mate));
    }

    /// The sentence about a piece that these lines offer.
    fn offered(fen: &str, [played, best]: [&str; 2], scores: [i32; 2]) -> Option<String> {
        let (played, best) = (line(fen, played), line(fen, best));
        let mistake = test_mistake(&played, &best, scores);
        let mut analyst = test_analyst(20_000);
        let lines = analyst.lines(&mistake, played.clone(), best.clone());
        analyst.offered(&texts::of(Lang::En), &mistake, &lines)
    }

    #[test]
    fn a_piece_that_may_not_be_taken_is_told() {
        // 13...cxb5 14.Bc7 shuts the queen in.
        let fen = "r1bqr1k1/pp1nbpp1/2p2n1p/3p4/3P4/2NBPNB1/PPQ2PPP/R4RK1 w - - 8 13";
        let quiet = "h2h3 f6h5 a2a3 e7f8";
        let text = offered(fen, [quiet, "c3b5 d7c5 b5c7 c5d3"], [200, -30]).unwrap();
        let taken = "To take the knight on b5 costs more: 13...cxb5 14.Bc7";
        assert!(text.starts_with(taken), "{text}");
        assert_eq!(offered(fen, [quiet, "c3b5 c6b5 g3c7 b5b4"], [200, -30]), None, "it is taken");
        assert_eq!(offered(fen, [quiet, "a2a3 a7a6 b2b4"], [200, -30]), None, "nothing is offered");
        let free = fen.replace("2NBPNB1", "2NBPN2");
        assert_eq!(offered(&free, [quiet, "c3b5 d7c5 b5c7"], [200, -30]), None, "no 14.Bc7");
    }

    #[test]
    fn a_piece_whose_capture_costs_more_by_the_score_is_told() {
        let fen = "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2";
        let lines = ["f7f6 f3e5 d8e7 e5f3", "b8c6 f1b5 a7a6"];
        let text = offered(fen, lines, [-30, -50]).unwrap();
        assert!(text.starts_with("To take the knight on e5 costs more: 3...fxe5 4.Qh5+"), "{text}");
        assert_eq!(offered(fen, lines, [-30, 250]), None, "it costs no more than all else");
    }

    #[test]
    fn what_takes_back_is_not_offered() {
        // 21...Nxf5 22.Qxf5 loses no more than it takes.
        let fen = "1n1q1r1k/2p1n1pp/r7/1p3N1Q/p2P1R2/2P5/PP1N2PP/R5K1 b - - 2 20";
        let lines = ["f8f5 f4f5 g7g6 h5g5 g6f5", "g7g6 h5e2 e7f5 e2b5"];
        assert_eq!(offered(fen, lines, [230, 0]), None);
    }
}
