//! What falls in both lines of a mistake, and is no difference between them.

use shakmaty::Color;

use super::lines::Lines;
use super::thresholds::{MIN_MATERIAL, SAME_LOSS};
use crate::analyst::RulesAnalyst;
use crate::line::{PlayedLine, TrackedPiece};
use crate::material::Balance;
use engine::evaluation::Variant;
use engine::rules::notation::arrival;

impl<P: Variant> RulesAnalyst<P> {
    /// True if `victim` loses the same pieces in the other line as in the first `plies` of `line`, and about as much as
    /// `loss`, in centipawns, or gets pawns for them there.
    pub(super) fn falls_too(
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
    pub(super) fn is_won_too(
        &mut self,
        line: &PlayedLine<P>,
        plies: usize,
        lines: &Lines<P>,
    ) -> bool {
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
    pub(super) fn stays_ahead(
        &mut self,
        line: &PlayedLine<P>,
        other: &PlayedLine<P>,
        side: Color,
    ) -> bool {
        let [one, two] =
            [line, other].map(|line| self.lead_at_rest(&line.games[0], &line.moves, side));
        one - two >= MIN_MATERIAL && self.lead(&line.games[0], side) - two < MIN_MATERIAL
    }

    /// True if what falls in the first `plies` of a line falls in the other line, too, and not by an exchange.
    pub(super) fn is_shared(
        &mut self,
        line: &PlayedLine<P>,
        plies: usize,
        victim: Color,
        other: &PlayedLine<P>,
    ) -> bool {
        let other = self.until_quiet(&other.games[0], &other.moves);
        let start = line.beginning(plies);
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyst::test_analyst;
    use crate::line::chess_line as line;
    use crate::reason::test_mistake;

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
            let mut analyst = test_analyst(30_000);
            let lines = analyst.lines(&mistake, played.clone(), best.clone());
            analyst.is_won_too(&best, 1, &lines)
        };
        assert!(is_won_too("g7h6 c3b5 a4b3 b5d6 e8e7 a2b3 b8a6 f1d1"));
        assert!(!is_won_too("g7h6 b3f7 e8f7 e5d6 h8e8 f3e5"), "for a pawn");
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
