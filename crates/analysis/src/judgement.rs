//! How good a move was: the chance to win that it kept, in the words and numbers that players know.
//!
//! Chance, thresholds and accuracy are those of lichess (lichess.org/page/accuracy), fitted to games of
//! people: what counts is not how many centipawns a move lost, but how much of the chance to win.

use engine::rules::{Game, Rules};
use engine::score::{Meaning, Score};

/// Change of the log-odds of a win for each centipawn, of scores as Stockfish gives them.
const STEEPNESS: f64 = 0.003_682_08;
/// The scale of such scores where there are no pieces, and what each piece on the board adds: the fuller the board, the smaller
/// are the scores of this engine beside them (docs/log/analysis.md, "The scale of chances").
const SCALE: (f64, f64) = (0.7, 0.7 / 32.0);
/// With fewer pieces than this a small lead seldom wins (docs/log/analysis.md, "Small leads in endings").
const ENDING: usize = 16;
/// A lead is small below this many centipawns, times the pieces that are missing from [`ENDING`].
const SMALL_LEAD: f64 = 20.0;
/// A loss counts at most from and to this many centipawns, so that mates do not drown an average.
const CEILING: i32 = 1000;

/// Chance to win, in per cent, from which on a game is won.
pub const WON: f64 = 80.0;

/// Centipawns from which on a mate more or less hardly matters …
const DECIDED: i32 = 1000;
/// … and from which on it matters less.
const NEARLY_DECIDED: i32 = 701;

/// Chance to win, in per cent, from which on a game is as good as won for a verdict: short of [`WON`], because two searches differ.
const AS_GOOD_AS_WON: f64 = 75.0;

/// A mate in more moves than this matters only where the game is not decided without it. Where it is, a mate matters if it is …
const LONGEST_MATE: i32 = 5;
/// … missed in as many moves …
const LONGEST_MISSED: i32 = 2;
/// … or allowed in as many.
const LONGEST_ALLOWED: i32 = 1;

/// The verdict on a move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Judgement {
    /// At least 5 points of the chance to win were lost.
    Inaccuracy,
    /// At least 10.
    Mistake,
    /// At least 15.
    Blunder,
}

impl Judgement {
    /// All of them, the mildest first.
    pub const ALL: [Judgement; 3] = [Judgement::Inaccuracy, Judgement::Mistake, Judgement::Blunder];

    /// The verdict on a loss of `points` of the chance to win, 0 to 100.
    pub fn of(points: f64) -> Option<Judgement> {
        Judgement::ALL.into_iter().rev().find(|judgement| points >= judgement.threshold())
    }

    /// The verdict on a move that changed the score from `before` to `after`, both for the mover, and lost `points`. In a game
    /// that is won or lost after either move only what would be a blunder counts, as an inaccuracy: two searches hardly agree
    /// on how far such a game is won, and no player learns from the rest. A mate there is judged by [`Judgement::of_mate`] alone.
    /// `pieces` stand on the board before the move.
    pub fn of_loss(before: Score, after: Score, pieces: usize, points: f64) -> Option<Judgement> {
        let is_decided = |score: Score| win_chance(score, pieces) >= AS_GOOD_AS_WON;
        let is_decided =
            is_decided(before) && is_decided(after) || is_decided(-before) && is_decided(-after);
        let verdict = Judgement::of(points)?;
        match is_decided {
            true if before.is_mate() || after.is_mate() => None,
            true => (verdict == Judgement::Blunder).then_some(Judgement::Inaccuracy),
            false => Some(verdict),
        }
    }

    /// The verdict on a mate that a move allows or gives away, whatever the chance to win says: a blunder, unless the
    /// game was as good as decided before, or still is. `None` if it does neither, or only delays a mate, or if the game
    /// is decided without a mate so far away that nobody counts it. Both scores are those of the mover. Source: lichess,
    /// whose scores these are; it marks far mates in decided games, too.
    pub fn of_mate(before: Score, after: Score) -> Option<Judgement> {
        let verdict = |score: i32, mate: Score| match (score, mate.meaning()) {
            (DECIDED.., Meaning::Mate(moves)) if moves > LONGEST_MISSED => None,
            (DECIDED.., Meaning::Mate(moves)) if moves < -LONGEST_ALLOWED => None,
            (NEARLY_DECIDED.., Meaning::Mate(moves)) if moves.abs() > LONGEST_MATE => None,
            (DECIDED.., _) => Some(Judgement::Inaccuracy),
            (NEARLY_DECIDED.., _) => Some(Judgement::Mistake),
            _ => Some(Judgement::Blunder),
        };
        match (before.is_mate(), after.is_mate()) {
            (false, true) if after.is_loss() => verdict(-before.raw(), after),
            (true, false) if before.is_win() => verdict(after.raw(), before),
            (true, true) if before.is_win() && after.is_loss() => Some(Judgement::Blunder),
            _ => None,
        }
    }

    /// Points of the chance to win from which on the verdict holds.
    pub fn threshold(self) -> f64 {
        match self {
            Judgement::Inaccuracy => 5.0,
            Judgement::Mistake => 10.0,
            Judgement::Blunder => 15.0,
        }
    }

    /// Its numeric annotation glyph (NAG): `?!`, `?`, `??`.
    pub fn nag(self) -> u16 {
        match self {
            Judgement::Inaccuracy => 6,
            Judgement::Mistake => 2,
            Judgement::Blunder => 4,
        }
    }

    /// Its mark after a move.
    pub fn mark(self) -> &'static str {
        match self {
            Judgement::Inaccuracy => "?!",
            Judgement::Mistake => "?",
            Judgement::Blunder => "??",
        }
    }

    /// The key of its name.
    pub fn key(self) -> &'static str {
        match self {
            Judgement::Inaccuracy => "inaccuracy",
            Judgement::Mistake => "mistake",
            Judgement::Blunder => "blunder",
        }
    }
}

/// The chance to win of the side whose score it is, in per cent; a draw counts as half a win. `pieces` stand on the board, pawns
/// and kings included. For a move, count them before it, so that a capture by itself changes no chance.
pub fn win_chance(score: Score, pieces: usize) -> f64 {
    match score.meaning() {
        // The mate on the board is "mate 0" for both sides.
        Meaning::Mate(_) if score.is_win() => 100.0,
        Meaning::Mate(_) => 0.0,
        Meaning::Centipawns(value) => {
            let (none, each) = SCALE;
            let usual = f64::from(value) * (none + each * pieces as f64) * weight(value, pieces);
            100.0 / (1.0 + (-STEEPNESS * usual).exp())
        }
    }
}

/// The share of a score that counts, from 0 to 1: less than all of it for a small lead in an ending.
fn weight(value: i32, pieces: usize) -> f64 {
    let small = SMALL_LEAD * ENDING.saturating_sub(pieces) as f64;
    if small == 0.0 { 1.0 } else { 1.0 - (-(f64::from(value) / small).powi(2)).exp() }
}

/// The pieces on the board at the end of a game, pawns and kings among them.
pub fn pieces<P: Rules>(game: &Game<P>) -> usize {
    game.position().board().occupied().count()
}

/// The accuracy of a move that lost `points` of the chance to win, 0 to 100.
pub fn accuracy(points: f64) -> f64 {
    (103.1668 * (-0.04354 * points).exp() - 3.1669).clamp(0.0, 100.0)
}

/// Centipawns lost from `best` to `played`.
pub fn centipawn_loss(best: Score, played: Score) -> i32 {
    let capped = |score: Score| match score.meaning() {
        Meaning::Mate(_) if score.is_win() => CEILING,
        Meaning::Mate(_) => -CEILING,
        Meaning::Centipawns(value) => value.clamp(-CEILING, CEILING),
    };
    (capped(best) - capped(played)).max(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_mirror_and_mates_are_certain() {
        for value in [-900, -100, 0, 33, 250] {
            let chance = |value: i32| win_chance(Score::centipawns(value), 20);
            assert!((chance(value) + chance(-value) - 100.0).abs() < 1e-9);
        }
        let of_a_pawn = |pieces: usize| win_chance(Score::centipawns(100), pieces);
        assert!((of_a_pawn(14) - 59.1).abs() < 0.2, "as lichess has it");
        assert!(of_a_pawn(32) > of_a_pawn(14));
        assert!(of_a_pawn(8) < 54.0, "a pawn is little in an ending with few of them");
        let of_a_rook = win_chance(Score::centipawns(500), 8);
        assert!((83.0..84.0).contains(&of_a_rook), "{of_a_rook}");
        assert_eq!(win_chance(Score::mate_in(3), 32), 100.0);
        assert_eq!(win_chance(Score::mated_in(0), 32), 0.0);
        assert_eq!(win_chance(-Score::mated_in(0), 32), 100.0, "the side that has mated");
    }

    #[test]
    fn verdicts_begin_at_their_thresholds() {
        assert_eq!(Judgement::of(4.9), None);
        assert_eq!(Judgement::of(5.0), Some(Judgement::Inaccuracy));
        assert_eq!(Judgement::of(14.9), Some(Judgement::Mistake));
        assert_eq!(Judgement::of(80.0), Some(Judgement::Blunder));
    }

    #[test]
    fn small_losses_do_not_count_where_the_game_is_decided() {
        let verdict = |before: i32, after: i32| {
            let [before, after] = [before, after].map(Score::centipawns);
            Judgement::of_loss(before, after, 14, win_chance(before, 14) - win_chance(after, 14))
        };
        assert_eq!(verdict(-470, -690), None, "lost before and after");
        assert_eq!(verdict(690, 470), None, "won before and after");
        assert_eq!(verdict(-400, -800), None, "a mistake in another game");
        assert_eq!(verdict(560, 310), None, "still as good as won");
        let mated = Judgement::of_loss(Score::centipawns(-350), Score::mated_in(20), 14, 21.0);
        assert_eq!(mated, None, "the mate is judged by itself");
        assert_eq!(verdict(1_000, 380), Some(Judgement::Inaccuracy), "a blunder in another game");
        assert_eq!(verdict(460, 280), Some(Judgement::Mistake), "the win is not sure any more");
    }

    #[test]
    fn far_mates_count_only_where_they_decide() {
        let missed = |plies: usize, after: i32| {
            Judgement::of_mate(Score::mate_in(plies), Score::centipawns(after))
        };
        assert_eq!(missed(3, 3_000), Some(Judgement::Inaccuracy));
        assert_eq!(missed(7, 3_000), None, "won anyway");
        assert_eq!(missed(7, 900), Some(Judgement::Mistake));
        assert_eq!(missed(39, 900), None, "far away");
        let allowed = |plies: usize, before: i32| {
            Judgement::of_mate(Score::centipawns(before), Score::mated_in(plies))
        };
        assert_eq!(allowed(2, -3_000), Some(Judgement::Inaccuracy));
        assert_eq!(allowed(4, -3_000), None, "lost anyway");
        assert_eq!(allowed(38, 0), Some(Judgement::Blunder));
    }

    #[test]
    fn accuracy_falls_with_the_loss() {
        assert!(accuracy(0.0) > 99.9 && accuracy(100.0) < 1.0);
        assert!((accuracy(10.0) - 63.6).abs() < 0.1);
        assert_eq!(centipawn_loss(Score::mate_in(3), Score::centipawns(250)), 750);
        assert_eq!(centipawn_loss(Score::centipawns(10), Score::centipawns(20)), 0);
        assert_eq!(centipawn_loss(Score::mate_in(1), -Score::mated_in(0)), 0, "another mate");
    }
}
