//! Claims about the kind of ending that a move leads to: lost, drawn or won, by a longer search of it.
//!
//! An ending that is won is often won by a plan, and no line as short as those of a sentence shows it. What a player names is
//! the exchange that leads there, or the result that the move changes.

use shakmaty::{Board, Role, Square};

use super::board::is_pawn_ending;
use super::gains::promotes_at;
use super::lines::{Lines, shown};
use super::thresholds::{ALLOWED, BETTER, EVEN, LOST, PROVED, RACE, TRADED};
use super::{Mistake, Sentence, facts, say};
use crate::analyst::RulesAnalyst;
use crate::line::{PlayedLine, TrackedPiece};
use crate::material;
use engine::evaluation::Variant;
use engine::score::Score;
use shell::texts::Texts;

/// A claim: its key among the texts, and the plies of the line played and of the better one that show it.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Claim {
    key: &'static str,
    played: usize,
    better: usize,
}

/// A kind of ending, with the keys of the claims about it.
struct Kind {
    is_one: fn(&Board) -> bool,
    lost: &'static str,
    drawn: &'static str,
    won: &'static str,
    saved: &'static str,
}

/// The kinds that exchanges lead to, the barest first.
const KINDS: [Kind; 2] = [
    Kind {
        is_one: is_pawn_ending,
        lost: "claim.pawns.lost",
        drawn: "claim.pawns.drawn",
        won: "claim.pawns.won",
        saved: "claim.pawns.saved",
    },
    Kind {
        is_one: is_minor_ending,
        lost: "claim.minor.lost",
        drawn: "claim.minor.drawn",
        won: "claim.minor.won",
        saved: "claim.minor.saved",
    },
];

/// True if neither side has a queen or a rook.
fn is_minor_ending(board: &Board) -> bool {
    board.rooks_and_queens().is_empty() && board.pawns().any()
}

/// True if a score, in centipawns, means a draw.
fn is_drawn(score: i32) -> bool {
    score.abs() <= EVEN
}

impl<P: Variant> RulesAnalyst<P> {
    /// A reason in the ending that one of the lines leads to.
    pub(super) fn ending_reason(
        &mut self,
        texts: &Texts,
        mistake: &Mistake<P>,
        lines: &Lines<P>,
    ) -> Option<Sentence> {
        if !facts::has_facts::<P>() {
            return None;
        }
        let [before, after] = [mistake.before.score, -mistake.after.score];
        let (played, best) = (&lines.played_on, &lines.best_on);
        let claim = self
            .trade([before, after], played, best)
            .or_else(|| self.pawn_ending([before, after], played))?;
        let line = shown(&played.games[1], &played.moves[1..], claim.played);
        let better = shown(&best.games[0], &best.moves, claim.better);
        Some(say(texts, claim.key, lines, &[("line", &line), ("better", &better)]))
    }

    /// An enemy pawn promotes in the line played, as an own one does, and is caught in the better line: no material would show
    /// it, for both sides get a queen.
    pub(super) fn race(
        &mut self,
        texts: &Texts,
        mistake: &Mistake<P>,
        lines: &Lines<P>,
    ) -> Option<Sentence> {
        let start = mistake.game.position().board();
        let lost = mistake.before.score - -mistake.after.score;
        if !facts::has_facts::<P>() || start.queens().any() || lost < LOST / 2 {
            return None;
        }
        let (played, best) =
            (self.as_long_as(&lines.played_on, RACE), self.as_long_as(&lines.best_on, RACE));
        let (pawn, [plies, caught]) = runner(&played, &best)?;
        let piece = material::piece(texts, Role::Pawn, Some(pawn));
        let line = shown(&played.games[1], &played.moves[1..], plies - 1);
        let better = shown(&best.games[0], &best.moves, caught);
        let values = [("piece", piece.as_str()), ("line", &line), ("better", &better)];
        Some(say(texts, "why.race", lines, &values))
    }

    /// The last pieces of a kind are exchanged soon in one of the lines and not in the other, and the ending has another
    /// result than the other line. The scores are those before and after the move, for its side.
    fn trade(
        &mut self,
        scores: [Score; 2],
        played: &PlayedLine<P>,
        best: &PlayedLine<P>,
    ) -> Option<Claim> {
        let [before, after] = scores.map(Score::raw);
        KINDS.iter().find_map(|kind| {
            let plies = |line: &PlayedLine<P>| {
                line.games.iter().position(|game| (kind.is_one)(game.position().board()))
            };
            match (plies(played), plies(best)) {
                (Some(plies @ 1..=TRADED), None) => {
                    let score = self.proved(played, plies);
                    let key = match score {
                        _ if score <= -LOST && before - score >= LOST / 2 => kind.lost,
                        _ if is_drawn(score) && before >= LOST / 2 => kind.drawn,
                        _ => return None,
                    };
                    Some(Claim { key, played: plies + 1, better: BETTER })
                }
                (None, Some(plies @ 1..=TRADED)) => {
                    let score = self.proved(best, plies);
                    let key = match score {
                        _ if score >= LOST && score - after >= LOST / 2 => kind.won,
                        _ if is_drawn(score) && after <= -LOST / 2 => kind.saved,
                        _ => return None,
                    };
                    Some(Claim { key, played: BETTER, better: plies + 2 })
                }
                _ => None,
            }
        })
    }

    /// A move in a pawn ending that loses or only draws it.
    fn pawn_ending(
        &mut self,
        [before, after]: [Score; 2],
        played: &PlayedLine<P>,
    ) -> Option<Claim> {
        let [before, after] = [before.raw(), after.raw()];
        let is_lost = |score: i32| score <= -LOST && before - score >= LOST && before > -LOST / 2;
        let is_given = |score: i32| is_drawn(score) && before >= LOST;
        let is_one = is_pawn_ending(played.games[0].position().board());
        if !is_one || !is_lost(after) && !is_given(after) {
            return None;
        }
        let score = self.proved(played, 1);
        let key = match score {
            _ if is_lost(score) => "claim.pawns.loses",
            _ if is_given(score) => "claim.pawns.draws",
            _ => return None,
        };
        Some(Claim { key, played: ALLOWED, better: BETTER })
    }

    /// The score of the place after `plies` of a line by a longer search, for the side that begins the line.
    fn proved(&mut self, line: &PlayedLine<P>, plies: usize) -> i32 {
        let game = &line.games[plies];
        let score = self.search(game, PROVED).score;
        let is_own = game.now().turn() == line.games[0].now().turn();
        (if is_own { score } else { -score }).raw()
    }
}

/// The passed pawn of the other side that promotes in the line played, where an own pawn does, too, and is captured in the
/// better one, with the plies of either.
fn runner<P: Variant>(
    played: &PlayedLine<P>,
    best: &PlayedLine<P>,
) -> Option<(Square, [usize; 2])> {
    let side = played.games[0].now().turn();
    let promotes = |line: &PlayedLine<P>, pawn: &TrackedPiece| {
        (pawn.role == Role::Pawn).then(|| promotes_at(line, pawn))?.filter(|plies| *plies <= RACE)
    };
    let is_own = |one: &&TrackedPiece| one.color == side;
    let races = played.tracked.iter().filter(is_own).any(|one| promotes(played, one).is_some());
    let enemies = played.tracked.iter().zip(&best.tracked).filter(|(one, _)| one.color != side);
    let pawn = enemies.filter_map(|(one, same)| {
        let (caught, _) = same.captured.filter(|_| promotes(best, same).is_none())?;
        Some((one.from, [promotes(played, one)?, caught + 1]))
    });
    pawn.filter(|_| races).min_by_key(|(_, [plies, _])| *plies)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyst::test_analyst;
    use crate::line::chess_line as line;

    fn trade(scores: [i32; 2], fen: &str, played: &str, best: &str) -> Option<&'static str> {
        let (played, best) = (line(fen, played), line(fen, best));
        let scores = scores.map(Score::centipawns);
        test_analyst(150_000).trade(scores, &played, &best).map(|claim| claim.key)
    }

    #[test]
    fn a_trade_leads_to_a_lost_pawn_ending() {
        let fen = "8/2p1b1k1/5Np1/pP2p1P1/P7/7P/1PK5/8 b - - 4 37";
        let (played, best) = ("e7f6 g5f6 g7f6 b2b4", "g7f7 f6d5 e7d8 c2d3");
        assert_eq!(trade([-250, -700], fen, played, best), Some("claim.pawns.lost"));
        assert_eq!(trade([-250, -700], fen, played, played), None, "the better line trades, too");
        let won = fen.replace("/pP2p1P1/P7/7P/", "/2p1p1P1/8/p7/");
        assert_eq!(trade([-250, -700], &won, played, "g7f7 f6d5 e7d8 c2d3"), None, "Black wins");
        let fen = "5b2/6pp/5p2/8/3B4/1k2P1P1/p4P1P/K7 b - - 1 43";
        let (played, best) = ("f8d6 f2f4 d6a3", "f8b4 g3g4 b4c3 d4c3 b3c3 a1a2");
        assert_eq!(trade([250, 40], fen, played, best), Some("claim.pawns.won"));
        assert_eq!(trade([250, 240], fen, best, best), None);
    }

    #[test]
    fn a_rook_ending_is_traded_into_a_lost_one() {
        let fen = "8/r5pp/p1R2p2/B2k4/8/b3P1P1/5PKP/8 w - - 2 33";
        let (played, best) = ("c6c7 a7c7 a5c7 a3b4 g2f3", "c6c8 a3c5 e3e4 d5d6 h2h4");
        assert_eq!(trade([20, -330], fen, played, best), Some("claim.minor.lost"));
        let without = fen.replace("/p1R2p2/", "/2R2p2/");
        assert_eq!(trade([20, -330], &without, played, best), None, "no pawn runs");
    }

    #[test]
    fn a_pawn_that_wins_a_race_is_caught_in_the_better_line() {
        let fen = "8/p2k4/3P4/2P5/3K2p1/8/PP6/8 w - - 1 41";
        let played =
            line(fen, "d4d5 g4g3 c5c6 d7d8 d5e6 g3g2 c6c7 d8c8 e6e7 g2g1q d6d7 c8c7 d7d8q");
        let best = line(fen, "d4e4 d7c6 b2b4 c6d7 e4f4 g4g3 f4g3 d7c6");
        assert_eq!(runner(&played, &best), Some((Square::G4, [10, 7])));
        assert_eq!(runner(&played, &played), None, "it runs there, too");
        let one = line(fen, "d4d5 g4g3 c5c6 d7d8 d5e6 g3g2 e6f7 g2g1q");
        assert_eq!(runner(&one, &best), None, "no pawn of White promotes: the material tells it");
    }

    #[test]
    fn a_pawn_ending_is_lost_by_one_move() {
        let fen = "8/8/8/pp1k1p2/3P1P2/PP2K3/8/8 b - - 1 45";
        let key = |moves: &str, after: i32| {
            let scores = [-80, after].map(Score::centipawns);
            test_analyst(10_000).pawn_ending(scores, &line(fen, moves)).map(|claim| claim.key)
        };
        assert_eq!(key("b5b4 a3b4 a5b4 e3d3", -1100), Some("claim.pawns.loses"));
        assert_eq!(key("d5d6 e3d3 d6d5", -1100), None, "the longer search finds it held");
    }
}
