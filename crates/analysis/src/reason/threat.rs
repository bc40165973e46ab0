//! What a move threatens, where no reason is proved: a mate or material that falls at once if the other side passes.
//!
//! The sentence shows both lines, and a reader asks what their first moves are for. A threat is no reason by itself: readers found
//! few such reasons right (`docs/log/analysis.md`). So it follows the sentence, and only if the move makes it and the other line does
//! not have it.

use std::cmp::Reverse;

use shakmaty::{Bitboard, File, Move, Role, Square};

use super::Mistake;
use super::idea_reason::same_answer;
use super::ideas::{Idea, Step};
use super::lines::{Lines, is_amid_captures, shown};
use super::standing::passed;
use super::thresholds::{REFUTED, SMALL, THREAT_PLIES, THREATENED, TRAPPED};
use crate::analyst::{Eval, RulesAnalyst};
use crate::line::PlayedLine;
use crate::material::{self, Balance, joined};
use crate::motif::{is_loose, value};
use crate::texts::tell;
use engine::evaluation::Variant;
use engine::pgn::line_text;
use engine::rules::Game;
use engine::rules::notation::arrival;
use engine::score::{Meaning, Score};
use shell::texts::Texts;

/// A threat of the last move of a game.
struct Threat<P> {
    /// The moves that carry it out after a pass, up to the loss of material or the mate.
    line: PlayedLine<P>,
    /// The material that falls, or the mate.
    gain: Score,
}

impl<P: Variant> RulesAnalyst<P> {
    /// A sentence about the greater threat of two: that of the answer to the move played, and that of the better move.
    pub(super) fn threat_text(
        &mut self,
        texts: &Texts,
        mistake: &Mistake<P>,
        lines: &Lines<P>,
    ) -> Option<String> {
        let allowed = self.allowed_threat(mistake, lines);
        let missed = self.missed_threat(mistake, lines);
        let is_missed = match (&allowed, &missed) {
            (Some((allowed, _)), Some(missed)) => missed.gain > allowed.gain,
            (allowed, _) => allowed.is_none(),
        };
        let (threat, line, start) = match is_missed {
            true => (missed?, &lines.best_on, 0),
            false => {
                let (threat, start) = allowed?;
                (threat, &lines.played_on, start)
            }
        };
        Some(threat.text(texts, line, threatening(line, start)))
    }

    /// The threat of the answer, or else that of the move after it to what the move played has put where it is, with the ply; none
    /// that the same move makes after the better move.
    fn allowed_threat(
        &mut self,
        mistake: &Mistake<P>,
        lines: &Lines<P>,
    ) -> Option<(Threat<P>, usize)> {
        let (played, best) = (&lines.played_on, &lines.best_on);
        let placed = arrival(mistake.played);
        [1, 3].into_iter().find_map(|start| {
            let threat = self.threat(played, start, mistake.after.score)?;
            let first = threat.line.moves[0];
            // What comes after an exchange there is not shown.
            let is_of_placed = first.is_capture() && first.to() == placed;
            let is_meant = start == 1 || is_of_placed && threatening(played, start) == start;
            let there = same_answer(&lines.best, *played.moves.get(start)?);
            // What the move played has put there stands nowhere else.
            let is_played =
                best.moves.contains(&first) || start == 1 && comes_there(best, played, start);
            // A move that traps a piece here may be harmless there.
            let is_there = is_played && !traps(&threat.line)
                || there.is_some_and(|there| {
                    // An answer that is bad there is none.
                    let end = there.end();
                    self.is_threat(end, first)
                        && self.search(end, 1).score - mistake.before.score < REFUTED
                });
            (is_meant && !is_there).then_some((threat, start))
        })
    }

    /// The threat of the better move: a mate, a fork, or an attack that drives the queen away. The move played must not make it,
    /// too. Other attacks can be met: of 39 remarks about them strict readers found 16 bad (`docs/log/analysis.md`).
    fn missed_threat(&mut self, mistake: &Mistake<P>, lines: &Lines<P>) -> Option<Threat<P>> {
        let best = &lines.best_on;
        let threat = self.threat(best, 0, mistake.before.score)?;
        let ply = threatening(best, 0);
        let first = threat.line.moves[0];
        let is_of_queen = first.capture() == Some(Role::Queen);
        let drives_queen = is_of_queen && threat.drives_away(best, ply).is_some();
        if !drives_queen && !threat.gain.is_mate() && forked(best, ply).len() < 2 {
            return None;
        }
        let played = &lines.played.games[1];
        let is_there = lines.played_on.moves.contains(&first)
            || comes_there(&lines.played_on, best, 0)
            || first.is_capture() && attacks_loose(played, mistake.played, first.to())
            || self.is_threat(played, first);
        (!is_there).then_some(threat)
    }

    /// What the quiet move `start` of a line threatens and could not be done instead of it; `score` is that of the move for its side.
    /// What is about to be taken, or offers an exchange, threatens nothing, nor does a king; what is attacked must not take something
    /// itself, and what the line carries out needs no words. After an exchange the next move is looked at; a pawn that a pawn takes
    /// threatens what the one does that takes back.
    fn threat(&mut self, line: &PlayedLine<P>, start: usize, score: Score) -> Option<Threat<P>> {
        let ply = threatening(line, start);
        let (m, after) = (*line.moves.get(ply)?, line.games.get(ply + 1)?);
        let reply = line.moves.get(ply + 1);
        let is_taken = reply.is_some_and(|reply| reply.to() == arrival(m) || reply.is_en_passant());
        if m.is_capture() && !takes_back_pawn(line, start) || m.role() == Role::King || is_taken {
            return None;
        }
        let passed = passed(after)?;
        let free = self.search(&passed, 1);
        let threat = gained(&passed, &free)?;
        let first = threat.line.moves[0];
        let takes_itself = |reply: &&Move| reply.is_capture() && reply.from() == Some(first.to());
        let is_routine = asks_bishop(m, first);
        if line.moves.contains(&first) || reply.filter(takes_itself).is_some() || is_routine {
            return None;
        }
        // Otherwise the other side has no answer, and the threat would be a reason.
        let is_met = free.score.is_mate() || free.score - score >= THREATENED;
        let stood = stood_in_check(&line.games[start], first);
        let is_told = is_met
            && !stood
            && !self.offers_exchange(after, m, score)
            && !self.wins(&line.games[start], first);
        is_told.then_some(threat)
    }

    /// True if a piece may be taken by one of its kind where the move `m` that led to this position has put it, which costs
    /// the other side no more than a pawn and a half; `score` is that of the move for its side.
    fn offers_exchange(&mut self, after: &Game<P>, m: Move, score: Score) -> bool {
        let (board, enemy) = (after.position().board(), after.now().turn());
        let takers = board.attacks_to(arrival(m), enemy, board.occupied());
        (takers & board.by_role(m.role())).any()
            && self
                .search_captures(after, arrival(m), 1)
                .is_some_and(|eval| -score - eval.score < SMALL)
    }

    /// True if the side to move wins something soon by `m`.
    fn wins(&mut self, game: &Game<P>, m: Move) -> bool {
        let eval = self.search_only(game, m, 1);
        eval.is_some_and(|eval| gained(game, &eval).is_some())
    }

    /// True if the side that has just moved wins something soon by `m`, or by another capture on the same square, if the other one
    /// passes.
    fn is_threat(&mut self, game: &Game<P>, m: Move) -> bool {
        passed(game).is_some_and(|passed| {
            let captured = m.is_capture().then(|| self.search_captures(&passed, m.to(), 1));
            let is_captured =
                captured.flatten().is_some_and(|eval| gained(&passed, &eval).is_some());
            is_captured || !m.is_capture() && self.wins(&passed, m)
        })
    }
}

/// What falls soon in the best line of `game`, whose side to move has this score, or the mate that it gives.
fn gained<P: Variant>(game: &Game<P>, eval: &Eval) -> Option<Threat<P>> {
    let victim = !game.now().turn();
    if let Meaning::Mate(moves) = eval.score.meaning() {
        let plies = (2 * moves - 1).unsigned_abs() as usize;
        let is_soon = moves > 0 && plies <= THREAT_PLIES && plies <= eval.pv.len();
        let line = PlayedLine::new(game, &eval.pv);
        return is_soon.then_some(Threat { line, gain: eval.score });
    }
    let line = PlayedLine::new(game, &eval.pv);
    let last = (0..=line.moves.len()).rev().find(|plies| !is_amid_captures(&line, *plies))?;
    let lost = |plies: usize| Balance::of(&PlayedLine::new(game, &line.moves[..plies]), victim);
    let fallen = lost(last).loss::<P>();
    let is_there =
        |plies: &usize| !is_amid_captures(&line, *plies) && 2 * lost(*plies).loss::<P>() >= fallen;
    // What is trapped may be taken for something that is taken back.
    let is_trap = traps(&line);
    let most = THREAT_PLIES + usize::from(is_trap);
    let plies = (1..=last.min(most)).find(is_there)?;
    let gain = fallen.min(lost(plies).loss::<P>());
    let has_name = !lost(plies).squares().is_empty();
    // Any other quiet move only prepares what falls: that is no threat yet.
    let is_direct =
        line.moves[0].is_capture() || line.games[1].now().is_check() || is_trap && gain >= TRAPPED;
    let line = PlayedLine::new(game, &line.moves[..plies]);
    // A pawn that is attacked is seen and guarded.
    (has_name && is_direct && gain > SMALL)
        .then_some(Threat { line, gain: Score::centipawns(gain) })
}

/// True if the first move of a line attacks a rook or queen that it takes next, where it stands.
fn traps<P: Variant>(line: &PlayedLine<P>) -> bool {
    let [m, reply, taken, ..] = line.moves.as_slice() else { return false };
    let board = line.games[1].position().board();
    let is_great = taken.capture().is_some_and(|role| value(role) >= TRAPPED);
    let stays = arrival(*reply) != taken.to();
    is_great && stays && board.attacks_from(arrival(*m)).contains(taken.to())
}

impl<P: Variant> Threat<P> {
    /// The sentence about the threat, which the move `ply` of a line makes.
    fn text(&self, texts: &Texts, line: &PlayedLine<P>, ply: usize) -> String {
        if let Some(text) = fork(texts, line, ply).or_else(|| self.tempo(texts, line, ply)) {
            return text;
        }
        let (m, start) = (text_of(line, ply), &self.line.games[0]);
        let moves = shown(start, &self.line.moves, self.line.moves.len());
        let (key, name, what) = match self.gain.meaning() {
            Meaning::Mate(count) => ("threat.mate", "count", count.to_string()),
            _ => {
                let balance = Balance::of(&self.line, !start.now().turn());
                ("threat.material", "what", balance.text(texts))
            }
        };
        tell(texts, key, &[("move", &m), (name, &what), ("line", &moves)])
    }

    /// The answer to the move `ply` of a line if the attacked piece goes away by it.
    fn drives_away<'a>(&self, line: &'a PlayedLine<P>, ply: usize) -> Option<&'a Move> {
        let attacked = self.line.moves[0].to();
        line.moves.get(ply + 1).filter(|away| away.from() == Some(attacked))
    }

    /// The same where the attacked piece goes away: a gain of time for the check or capture that follows, if any. That the check takes
    /// the right to castle is told, too.
    fn tempo(&self, texts: &Texts, line: &PlayedLine<P>, ply: usize) -> Option<String> {
        let first = self.line.moves[0];
        let away = self.drives_away(line, ply)?;
        // A pawn that goes on loses no time.
        let role = first.capture().filter(|&role| !self.gain.is_mate() && role != Role::Pawn)?;
        let (m, piece) = (text_of(line, ply), material::piece(texts, role, Some(first.to())));
        // A check on the way must be met first.
        let use_at = ply + if line.games[ply + 2].now().is_check() { 4 } else { 2 };
        // To take what went away is no use of the time.
        let is_use = |next: &&Move| {
            next.is_capture() && next.to() != away.to() || line.games[use_at + 1].now().is_check()
        };
        if line.moves.get(use_at).filter(is_use).is_none() {
            return Some(tell(texts, "threat.tempo", &[("move", &m), ("piece", &piece)]));
        }
        let mut next = text_of(line, use_at);
        let ideas = Step::new(line, use_at).map_or_else(Vec::new, |step| step.ideas());
        if ideas.contains(&Idea::TakesCastling) {
            let idea = Idea::TakesCastling.text(texts);
            next = tell(texts, "threat.for", &[("next", &next), ("idea", idea)]);
        }
        let values = [("move", m.as_str()), ("piece", &piece), ("next", &next)];
        Some(tell(texts, "threat.tempo-for", &values))
    }
}

/// True if a capture attacks its victim already in a position in which only a check keeps it from being made.
fn stood_in_check<P: Variant>(game: &Game<P>, first: Move) -> bool {
    let board = game.position().board();
    let attacks = first.from().is_some_and(|from| board.attacks_from(from).contains(first.to()));
    let is_same = first.from().and_then(|from| board.role_at(from)) == Some(first.role());
    game.now().is_check() && is_same && attacks && board.role_at(first.to()) == first.capture()
}

/// The squares of pieces that the move `ply` of a line attacks, each of which could be captured at a profit and does not attack what
/// attacks it, the greatest first. A pawn counts if it is taken next.
fn forked<P: Variant>(line: &PlayedLine<P>, ply: usize) -> Vec<Square> {
    let (board, square) = (line.games[ply + 1].position().board(), arrival(line.moves[ply]));
    let attacked = board.attacks_from(square) & board.by_color(!line.games[ply].now().turn());
    let is_prey =
        |target: &Square| is_loose(board, *target) && !board.attacks_from(*target).contains(square);
    let next = line.moves.get(ply + 2).filter(|m| m.is_capture() && m.from() == Some(square));
    let pieces = attacked & (!board.pawns() | next.map_or(Bitboard::EMPTY, |m| m.to().into()));
    let mut prey: Vec<Square> = pieces.into_iter().filter(is_prey).collect();
    prey.sort_by_key(|square| Reverse(board.role_at(*square).map(value)));
    prey
}

/// The sentence about two pieces or more that the move `ply` of a line attacks at once.
fn fork<P: Variant>(texts: &Texts, line: &PlayedLine<P>, ply: usize) -> Option<String> {
    let board = line.games[ply + 1].position().board();
    let name = |square: &Square| {
        board.role_at(*square).map(|role| material::piece(texts, role, Some(*square)))
    };
    let names: Vec<String> = forked(line, ply).iter().filter_map(name).collect();
    let values = [("move", text_of(line, ply)), ("targets", joined(texts, &names))];
    let values = values.each_ref().map(|(name, value)| (*name, value.as_str()));
    (names.len() > 1).then(|| tell(texts, "threat.fork", &values))
}

/// True if the same side brings a piece of the same kind to the square of the move that makes the threat in the other line, too.
fn comes_there<P>(other: &PlayedLine<P>, line: &PlayedLine<P>, start: usize) -> bool {
    let Some(m) = line.moves.get(threatening(line, start)) else { return false };
    let mut later = other.moves.iter().skip(start).step_by(2);
    later.any(|one| one.role() == m.role() && one.to() == m.to())
}

/// True if the move that led to this position attacks a piece that could be captured at a profit.
fn attacks_loose<P: Variant>(after: &Game<P>, m: Move, victim: Square) -> bool {
    let board = after.position().board();
    board.attacks_from(arrival(m)).contains(victim) && is_loose(board, victim)
}

/// True if a rook's pawn attacks a bishop: every player sees it, and few games turn on it.
fn asks_bishop(m: Move, first: Move) -> bool {
    let is_rook_pawn = m.role() == Role::Pawn && matches!(m.to().file(), File::A | File::H);
    is_rook_pawn && first.role() == Role::Pawn && first.capture() == Some(Role::Bishop)
}

/// The ply of the move that makes the threat of the move `start`: it comes after an even exchange, or takes a pawn back.
fn threatening<P>(line: &PlayedLine<P>, start: usize) -> usize {
    let is_later = takes_back_pawn(line, start) || is_even_exchange(line, start);
    if is_later { start + 2 } else { start }
}

/// True if a pawn takes the pawn that moves at `ply`, and is taken back at once.
fn takes_back_pawn<P>(line: &PlayedLine<P>, ply: usize) -> bool {
    let [m, taker, back] = line.moves.get(ply..ply + 3).unwrap_or_default() else { return false };
    let is_on = |capture: &Move| capture.is_capture() && capture.to() == m.to();
    let are_pawns = [m, taker].iter().all(|m| m.role() == Role::Pawn);
    are_pawns && is_on(taker) && is_on(back) && back.role() != Role::King
}

/// True if the move at `ply` takes a piece and is taken back, at no cost to either side.
fn is_even_exchange<P>(line: &PlayedLine<P>, ply: usize) -> bool {
    let [m, back] = line.moves.get(ply..ply + 2).unwrap_or_default() else { return false };
    let is_even = m.capture().is_some_and(|taken| material::are_alike(taken, m.role()));
    is_even && back.is_capture() && back.to() == m.to()
}

/// The move `ply` of a line as text.
pub(super) fn text_of<P: Variant>(line: &PlayedLine<P>, ply: usize) -> String {
    line_text(&line.games[ply], &line.moves[ply..=ply])
}

#[cfg(test)]
mod tests {
    use crate::analyst::{test_analyst, test_eval};
    use crate::line::chess_line as line;
    use crate::reason::test_mistake;
    use crate::texts::{self, Lang};

    /// The sentence about a threat in these lines of a mistake.
    fn threat(
        lang: Lang,
        fen: &str,
        [played, best]: [&str; 2],
        scores: [i32; 2],
    ) -> Option<String> {
        let (played, best) = (line(fen, played), line(fen, best));
        let mistake = test_mistake(&played, &best, scores);
        let mut analyst = test_analyst(20_000);
        let lines = analyst.lines(&mistake, played.clone(), best.clone());
        analyst.threat_text(&texts::of(lang), &mistake, &lines)
    }

    #[test]
    fn what_the_better_move_threatens_is_named() {
        let fen = "r1bqkbnr/pppp1p1p/2n3p1/1B2p3/4P3/8/PPPPQPPP/RNB1K1NR b KQkq - 1 4";
        let lines = ["f8c5 g1f3 g8e7 c2c3", "c6d4 e2d3 c7c6"];
        let threat_in = |lang| threat(lang, fen, lines, [60, 0]).unwrap();
        assert_eq!(threat_in(Lang::En), "4...Nd4 gains a tempo on the queen on e2.");
        assert_eq!(threat_in(Lang::Es), "4...Cd4 gana un tiempo sobre la dama de e2.");
        let fen = "rnbbk2r/1p2nppp/1Pp1pq2/p1p5/3P4/4B3/P2NPPPP/1R1QKBNR w Kkq - 0 12";
        let lines = ["g1f3 e8g8 e3g5 f6f5", "d2e4 f6g6 e4d6 e8f8"];
        let text = threat(Lang::En, fen, lines, [100, -20]).unwrap();
        let tempo = "12.Ne4 gains a tempo on the queen on f6 for 13.Nd6+, which costs the king the right to castle.";
        assert_eq!(text, tempo);
    }

    #[test]
    fn what_the_answer_threatens_is_named_and_no_piece_that_the_better_move_attacks() {
        for (fen, lines, scores, text) in [
            (
                "r5k1/b1p1q1np/p3b1p1/P2pP3/3P4/8/2P1NPPP/R2QR1K1 w - - 2 22",
                ["e2f4 a8f8 g2g3 e7b4", "d1d3 e7e8 a1b1"],
                [50, 20],
                "22...Rf8 threatens to win the knight on f4: 23...Rxf4.",
            ),
            (
                "2k5/pp3p2/8/2P1N3/1Q1P4/6r1/P1K2q2/4R3 w - - 6 42",
                ["c2b1 g3g2 b4c3 g2g3", "b4d2 f2f6 c2b2"],
                [500, 300],
                "42...Rg2 threatens mate in 2: 43...Qc2+ 44.Ka1 Qxa2#.",
            ),
        ] {
            assert_eq!(threat(Lang::En, fen, lines, scores).as_deref(), Some(text));
        }
        // 29...Be5 attacks the knight on d5; 30.c4 guards it.
        let fen = "4r1k1/p2r1pp1/5b1p/P1pN1R2/R5P1/1P4P1/2P5/6K1 b - - 0 29";
        let lines = ["e8e1 g1f2 e1h1 f2g2", "f6e5 c2c4 e5g3 g1g2"];
        assert_eq!(threat(Lang::En, fen, lines, [250, 20]), None);
    }

    #[test]
    fn what_takes_a_pawn_back_or_follows_an_exchange_may_threaten_something() {
        let pawn = "r2qkbnr/pb1npppp/1p1p4/2p5/3PP3/2PB1N2/PP3PPP/RNBQ1RK1 b kq - 3 6";
        let piece = "r2qkb1r/pp3pp1/3p1n1p/2pNp3/2BnP3/P2P3P/1PP2PP1/R1BQK2R b KQkq - 4 10";
        for (fen, played, best, scores, text) in [
            (
                pawn,
                ["g8f6 e4e5 d6e5 d4e5 f6d5", "g8f6 e4e5 d6e5 b1d2 e5d4"],
                "e7e6 d4d5 e6d5 e4d5",
                [-70, 180],
                "8.dxe5 gains a tempo on the knight on f6.",
            ),
            (
                piece,
                ["b7b5 d5f6 d8f6 c4d5 a8c8", "b7b5 d5f6 d8f6 c4b5 d4b5"],
                "f8e7 c2c3 d4c6 d5e7 d8e7",
                [-110, 170],
                "12.Bd5 gains a tempo on the rook on a8.",
            ),
        ] {
            let [threatens, takes] =
                played.map(|played| threat(Lang::En, fen, [played, best], scores));
            assert_eq!(threatens.as_deref(), Some(text));
            assert_eq!(takes, None);
        }
    }

    #[test]
    fn a_later_move_may_gain_a_tempo_on_what_was_put_there() {
        // The rook comes to c1 in both lines, but the queen stands on c5 in one.
        let fen = "r3k2r/ppp1nppp/5n2/8/1q6/PP1P2PP/4QPB1/R3R1K1 b kq - 0 18";
        let best = "b4d6 g2b7 a8b8 b7g2 e8f8 a1c1";
        let tempo = |played: &str| threat(Lang::En, fen, [played, best], [200, -110]);
        let text = tempo("b4c5 g2b7 a8b8 a1c1 c5b6");
        assert_eq!(text.as_deref(), Some("20.Rac1 gains a tempo on the queen on c5."));
        let text = tempo("b4c5 g2b7 a8b8 b7g2 e8g8").unwrap_or_default();
        assert!(!text.contains("20."), "{text}");
        // 26...Be7, after the exchange of queens, stands in no line that is shown.
        let fen = "3qr1k1/p4p2/3bn1pB/P1p1p3/2P1N1Q1/3P4/2r2PPP/R4RK1 w - - 2 24";
        let lines = ["h6g5 e6g5 g4g5 d8g5 e4g5 d6e7 h2h4", "h2h4 d6f8 h6e3"];
        let text = threat(Lang::En, fen, lines, [150, -40]).unwrap_or_default();
        assert!(!text.contains("26..."), "{text}");
    }

    #[test]
    fn what_is_taken_or_could_be_done_at_once_is_no_threat() {
        // 11...dxc4 is taken back; 30.Bxd4 needs no 30.Kf1.
        let fen = "r2q1rk1/1ppbnppp/p3pn2/3p4/1PPP4/P2BPN2/2QN1PPP/R4RK1 b - - 4 11";
        let taken = ["b7b5 c4d5 e7d5 d2b3", "d5c4 d2c4 d7b5 f1c1"];
        assert_eq!(threat(Lang::En, fen, taken, [-60, -150]), None);
        let fen = "4k3/8/8/8/3p4/8/1B3PPP/6K1 w - - 0 30";
        let at_once = ["h2h3 e8d7 b2d4 d7d6", "g1f1 e8d7 b2d4"];
        assert_eq!(threat(Lang::En, fen, at_once, [300, 250]), None);
    }

    #[test]
    fn a_threat_that_the_move_played_makes_by_another_piece_is_no_difference() {
        // 7...Ng4 attacks the queen as 7...Nc6 does.
        let fen = "rnb1kb1r/ppp1qppp/5n2/4Q3/8/5N2/PPP1BPPP/RNB1K2R b KQkq - 0 7";
        let best = "b8c6 e5b5 e7b4";
        assert_eq!(threat(Lang::En, fen, ["f6g4 e5f4 e7c5 e1g1", best], [0, 80]), None);
        let quiet = threat(Lang::En, fen, ["a7a6 e5e7 f8e7 e1g1", best], [0, 80]);
        assert_eq!(
            quiet.as_deref(),
            Some("7...Nc6 gains a tempo on the queen on e5 for 8...Qb4+.")
        );
    }

    #[test]
    fn the_use_of_a_tempo_may_wait_for_an_answer_to_a_check() {
        let fen = "r7/P3Np1k/3p2p1/1b2p3/4P2B/R4P2/3b1K2/8 b - - 8 43";
        let lines = ["d2b4 a3b3 b4c5 f2g3 a8a7 b3b5", "g6g5 a3a2 g5h4 a2d2 a8a7 e7f5 b5d7 f5h4"];
        let text = threat(Lang::En, fen, lines, [-130, 250]).unwrap();
        assert_eq!(text, "44.Rb3 gains a tempo on the bishop on b4 for 46.Rxb5.");
    }

    #[test]
    fn two_pieces_that_are_attacked_at_once_are_forked() {
        // 27.Nf4 attacks the rook and the bishop; both can be saved by 27...Rh6.
        let fen = "6k1/5p2/6r1/7b/8/8/PP2N1PP/1K5R b - - 0 26";
        let lines = ["g8f8 e2f4 g6h6 a2a3", "h5e2 g2g3 e2h5 a2a3"];
        let forked = |lang| threat(lang, fen, lines, [300, 0]).unwrap();
        assert_eq!(forked(Lang::En), "27.Nf4 forks the rook on g6 and the bishop on h5.");
        assert_eq!(forked(Lang::Es), "27.Cf4 ataca a la vez la torre de g6 y el alfil de h5.");
        // The bishop on h5 is guarded.
        let guarded = fen.replace("/6r1/", "/5nr1/");
        let text = threat(Lang::En, &guarded, lines, [300, 0]).unwrap();
        assert_eq!(text, "27.Nf4 gains a tempo on the rook on g6.");
        // The rook goes, and the pawn falls.
        let fen = "5rk1/2q2ppn/3Nn2p/p1p5/Pp2P1P1/3P2Q1/1PP5/2R1K2R w K - 1 25";
        let lines = ["e4e5 c7c6 e1g1 c6a4", "d6f5 c7d7 b2b3 f8d8"];
        let text = threat(Lang::En, fen, lines, [0, 100]).unwrap();
        assert_eq!(text, "25...Qc6 forks the rook on h1 and the pawn on a4.");
    }

    #[test]
    fn what_the_move_played_attacks_as_well_is_no_difference() {
        // 4...Qh4 attacks the pawn on e4 as 4...Nf6 does.
        let fen = "rnbqkbnr/ppp2ppp/3p4/8/3NP3/8/PPP2PPP/RNBQKB1R b KQkq - 0 4";
        let attacks = |fen: &str, m: &str| {
            let line = line(fen, m);
            super::attacks_loose(&line.games[1], line.moves[0], shakmaty::Square::E4)
        };
        assert!(attacks(fen, "d8h4") && !attacks(fen, "a7a6"));
        assert!(!attacks(&fen.replace("PPP2PPP/R", "PPPN1PPP/R"), "d8h4"), "it is guarded");
    }

    #[test]
    fn a_pawn_that_is_taken_in_passing_threatens_nothing() {
        let fen = "3r2k1/pp3p2/1q1r1n2/2p1n1p1/2B1p2p/1PP1P2b/P1QNNPP1/R2R2K1 w - - 0 20";
        let lines = ["g2h3 d6d2 d1d2 d8d2", "f2f4 e4f3 g2h3"];
        assert_eq!(threat(Lang::En, fen, lines, [-300, 710]), None);
    }

    #[test]
    fn what_takes_something_itself_loses_no_time() {
        let fen = "rnbqk2r/ppp1ppbp/3p1np1/8/3PP3/2N1BN2/PPP2PPP/R2QKB1R b KQkq - 5 5";
        let threat_after =
            |played: &str| threat(Lang::En, fen, [played, "c7c6 a2a4 e8g8"], [0, 90]);
        assert_eq!(threat_after("f6g4 h2h3 g4e3 f2e3"), None);
        assert_eq!(
            threat_after("f6g4 h2h3 g4f6 f1e2").as_deref(),
            Some("6.h3 gains a tempo on the knight on g4.")
        );
        // A bishop is asked where it goes in many games.
        assert_eq!(threat_after("c8g4 h2h3 g4h5 f1e2"), None);
    }

    #[test]
    fn a_pawn_alone_is_no_threat() {
        let fen = "rnbqkb1r/ppp2ppp/4pn2/3p4/3P3P/6P1/PPP1PP2/RNBQKBNR w KQkq - 0 4";
        let lines = ["f2f3 f8d6 g3g4 c7c5", "f1g2 c7c5 e2e3"];
        assert_eq!(threat(Lang::En, fen, lines, [-30, 120]), None);
    }

    #[test]
    fn what_offers_an_exchange_or_comes_in_both_lines_threatens_nothing() {
        // 22.Qxg4 is the answer to 21...Qg4.
        let fen = "r1b1nrk1/3qp1bp/p1pp2p1/1p1P2PP/4PR2/P1NBB3/1PP1Q3/2K4R b - - 0 20";
        let lines = ["d7b7 f4f8 g7f8 h5g6 e7e5 h1h7", "f8f4 e3f4 d7g4 e2f2 g7d4"];
        assert_eq!(threat(Lang::En, fen, lines, [-230, 660]), None);
        // The queen is driven from h1 in both lines.
        let fen = "r4rk1/ppp1p1b1/3p2Rn/1NnP1p2/2P2P2/4P2q/PPB1QB2/R3K3 b Q - 1 21";
        let lines = ["h3h1 g6g1 h1h2 b5d4", "g8f7 g6g3 h3h1 g3g1 h1h2"];
        assert_eq!(threat(Lang::En, fen, lines, [-180, 290]), None);
    }

    #[test]
    fn an_exchange_that_costs_the_queen_is_not_offered() {
        // 8...Nxe5 9.Bxd7+.
        let fen = "r3kbnr/pbpqpppp/1pn5/1B1p4/3P1B2/2P1PN2/PP1N1PPP/R2QK2R b KQkq - 2 7";
        let lines = ["e8c8 f3e5 d7e6 e5c6 b7c6", "f7f6 e1g1 a7a6 b5c6"];
        let text = threat(Lang::En, fen, lines, [-60, 130]);
        assert_eq!(text.as_deref(), Some("8.Ne5 gains a tempo on the queen on d7 for 9.Nxc6."));
    }

    #[test]
    fn what_only_a_check_kept_from_being_taken_is_no_new_threat() {
        // The pawn on d5 attacks the knight on c6 before 11.Be2 as well.
        let fen = "r3k1nr/pppbqppp/2n5/1B1P4/8/2P2N2/P4PPP/R1BQK2R w KQkq - 1 11";
        let lines = ["d1e2 e7e2 b5e2 c6e7", "b5e2 c6a5 e1g1"];
        let text = threat(Lang::En, fen, lines, [140, -80]).unwrap_or_default();
        assert!(!text.contains("11.Be2"), "{text}");
    }

    #[test]
    fn a_king_out_of_check_threatens_nothing() {
        // 15...Kf6 uncovers the bishop's line to the queen.
        let fen = "r2q1bnr/p3k1p1/2Q5/5p1p/P2Pp3/8/1P3PPP/R1B1K1NR w KQ - 1 15";
        let lines = ["c6c5 e7f6 c5e5 f6f7", "g1h3 a8c8 c6b5"];
        assert_eq!(threat(Lang::En, fen, lines, [260, -130]), None);
    }

    #[test]
    fn a_capture_of_what_goes_away_is_not_what_the_tempo_is_for() {
        let fen = "2r1r1k1/Q7/5q1p/PP2b1p1/4p3/1b1pP1P1/3R1PBP/1N3RK1 b - - 0 30";
        let lines = ["e5c3 b5b6 c3d2 b1d2", "c8c7 a7b6 f6b6 a5b6"];
        let text = threat(Lang::En, fen, lines, [-80, 700]).unwrap();
        assert_eq!(text, "30...Rc7 gains a tempo on the queen on a7.");
    }

    #[test]
    fn a_quiet_move_threatens_to_trap_the_queen() {
        let fen = "r2qkb1r/2pnpppp/pp1p1n2/3P1P2/4PB2/2N2N2/PPP1Q1PP/R3K2R b KQkq - 3 11";
        // 12...b5 13.Nc6 Qc8 after 11...g6.
        let lines = ["a8c8 f3d4 d7b8 e1c1", "g7g6 f3d4 b6b5 e1c1 d7e5 f4e5 d6e5 d4c6"];
        let text = threat(Lang::En, fen, lines, [238, -140]).unwrap_or_default();
        assert!(
            text.starts_with("12.Nd4 threatens to win the queen on d8 for a knight: 13.Nc6 "),
            "{text}"
        );
        let free = ["g7g6 f3d4 b6b5 e1c1", "a8c8 e1c1 c8a8"];
        assert_eq!(threat(Lang::En, fen, free, [238, -140]), None, "13.Nc6 Qc8");
    }

    #[test]
    fn a_quiet_move_prepares_what_it_does_not_threaten() {
        let gained = |fen: &str, moves: &str| {
            let line = line(fen, moves);
            let eval = test_eval(100, &line.moves);
            super::gained(&line.games[0], &eval).is_some()
        };
        let fen = "4k3/8/8/8/3n4/8/1B3PPP/5K2 w - - 0 30";
        assert!(!gained(fen, "f1e1 e8f7 b2d4 f7e6"));
        assert!(gained(fen, "b2d4 e8f7 f1e1"));
    }

    #[test]
    fn a_threat_that_the_other_line_carries_out_is_no_difference() {
        let fen = "r1bqkbnr/pppp1p1p/2n3p1/1B2p3/4P3/8/PPPPQPPP/RNB1K1NR b KQkq - 1 4";
        let carried_out = ["f8c5 b1c3 c6d4 a2a3 d4e2", "c6d4 e2d3 c7c6"];
        assert_eq!(threat(Lang::En, fen, carried_out, [60, 0]), None);
    }
}
