//! How hard it is to find the move that stands out in a position.
//!
//! People find a hanging piece and miss a quiet move with a long point. What makes a find hard was measured: the
//! weights are those by which a player whose finds are `1 / (1 + exp((difficulty − rating) / spread))` solves rated
//! puzzles most like people (`docs/log/levels.md`).

use shakmaty::{Move, Role};

use super::choice::clip;
use super::move_scores::Candidate;
use crate::evaluation::Variant;
use crate::play::sight::is_backward;
use crate::rules::{Game, KeyedPosition};
use crate::search::exchange;

/// Least lead over all other moves by which a move stands out, in centipawns.
const LEAD: i32 = 100;
/// Lead from which a move counts as the best one at a depth, in centipawns; none is needed by a mate.
const CLEAR_LEAD: i32 = 50;
/// Score that a mate has at least, in centipawns.
const WON: i32 = 2000;

// The parts of the difficulty, in Elo.

const BASE: f64 = -630.0;
/// Each half-move that one has to look deeper before the move is the best one and stays it.
const PLY: f64 = 90.0;
/// Each pawn by which another move looks better, one half-move deep.
const TEMPTATION: f64 = 110.0;
/// Each pawn that the move wins in the exchange on its target.
const GAIN: f64 = -110.0;
/// A piece goes backwards.
const BACKWARD: f64 = 310.0;
/// The king moves.
const KING: f64 = 520.0;
/// The logarithm of the number of checks, of captures, and of replies to the move, each and one more: there is more to
/// look at.
const CHECKS: f64 = 510.0;
const CAPTURES: f64 = 340.0;
const REPLIES: f64 = 350.0;
/// The move mates, sooner or later …
const MATE: f64 = 730.0;
/// … and each half-move of the mate: its moves are found one by one, and all of them count.
const MATE_PLY: f64 = -130.0;
const LONGEST_MATE: usize = 12;

/// Greatest difficulty of taking back where the opponent has just captured, if it is the best move at first sight: people of
/// every rating do so (`docs/log/levels.md`).
const TAKES_BACK: f64 = 200.0;

/// Tells of the first of `candidates`, which are sorted, how hard it is to find, if it stands out among them. Several ways to
/// take back on one square are one find.
pub fn tell_finds<P: Variant>(game: &Game<P>, candidates: &mut [Candidate]) {
    let Some(best) = candidates.first().map(|candidate| candidate.m) else { return };
    let taken = game.last().filter(|m| m.is_capture()).map(|m| m.to());
    let takes_back = |m: Move| m.is_capture() && taken == Some(m.to());
    let is_found = |m: Move| m == best || takes_back(best) && takes_back(m);
    let others: Vec<&Candidate> = candidates.iter().filter(|other| !is_found(other.m)).collect();
    let difficulty = |find: &Candidate| {
        if is_found(find.m) { of_find(game.now(), find, &others, takes_back(best)) } else { None }
    };
    let difficulties: Vec<Option<f64>> = candidates.iter().map(difficulty).collect();
    for (candidate, difficulty) in candidates.iter_mut().zip(difficulties) {
        candidate.difficulty = difficulty;
    }
}

/// The rating at which half of the players find this move among `others`, which are sorted, if it stands out. `None` if another
/// one is about as good.
fn of_find<P: Variant>(
    now: &KeyedPosition<P>,
    find: &Candidate,
    others: &[&Candidate],
    takes_back: bool,
) -> Option<f64> {
    let settled = clip(find.settled());
    let lead = settled - clip(others.first()?.settled());
    if lead < LEAD {
        return None;
    }
    let position = now.position();
    let best_other = |depth: usize| {
        let scores = others.iter().map(|other| clip(other.seen_at(depth)));
        scores.max().unwrap_or(-WON)
    };
    let is_best = |depth: &usize| {
        let score = clip(find.seen_at(*depth));
        score >= best_other(*depth) + if score < WON { CLEAR_LEAD } else { 0 }
    };
    let depths = find.scores.len();
    let shown = depths - (0..depths).rev().take_while(is_best).count();
    let temptation = f64::from(best_other(1) - clip(find.seen_at(1))) / 100.0;
    let hidden = PLY * shown as f64 + TEMPTATION * temptation.clamp(-3.0, 6.0);

    let legal = position.legal_moves();
    let captures = legal.iter().filter(|m| m.is_capture()).count();
    let checks = legal.iter().filter(|&&m| now.play(m).is_check()).count();
    let replies = now.play(find.m).position().legal_moves().len();
    let pawns = (1..=9).take_while(|&n| exchange::gains_at_least(position, find.m, 100 * n - 30));
    let more = |count: usize| (count as f64).ln_1p();

    let mut elo = BASE
        + hidden
        + GAIN * pawns.count() as f64
        + CHECKS * more(checks)
        + CAPTURES * more(captures)
        + REPLIES * more(replies);
    if is_backward(position.turn(), find.m) {
        elo += BACKWARD;
    }
    if find.m.role() == Role::King {
        elo += KING;
    }
    if let Some(plies) = find.settled().plies_to_mate().filter(|_| settled >= WON) {
        elo += MATE + MATE_PLY * plies.min(LONGEST_MATE) as f64;
    }
    Some(if takes_back { elo.min(TAKES_BACK + hidden) } else { elo })
}

#[cfg(test)]
mod tests {
    use shakmaty::Chess;

    use super::*;
    use crate::rules::setup;
    use crate::score::Score;

    /// A game from this position with these moves.
    fn game(fen: &str, moves: &[&str]) -> Game<Chess> {
        let mode = shakmaty::CastlingMode::Standard;
        let moves: Vec<String> = moves.iter().map(|m| (*m).to_string()).collect();
        setup::game(&setup::Start::Fen(fen.into()), &moves, mode).unwrap().0
    }

    fn candidate(game: &Game<Chess>, text: &str, scores: &[i32]) -> Candidate {
        Candidate {
            m: setup::read_move(game.position(), text).unwrap(),
            scores: scores.iter().copied().map(Score::centipawns).collect(),
            reply: None,
            report: None,
            difficulty: None,
        }
    }

    /// A queen that hangs, with the capture's score and that of another move, each at depths of 0 plies on.
    fn difficulty(find: &[i32], other: &[i32]) -> Option<f64> {
        let game = game("4k3/8/8/3q4/8/2N5/8/4K3 w - - 0 1", &[]);
        let mut candidates = [candidate(&game, "c3d5", find), candidate(&game, "e1e2", other)];
        tell_finds(&game, &mut candidates);
        candidates[0].difficulty
    }

    #[test]
    fn to_take_back_is_easy_for_everybody_even_by_the_king_or_in_two_ways() {
        let told = |fen: &str, moves: &[&str], scored: [(&str, i32); 3]| {
            let game = game(fen, moves);
            let mut candidates = scored.map(|(m, score)| candidate(&game, m, &[score; 4]));
            tell_finds(&game, &mut candidates);
            candidates.map(|candidate| candidate.difficulty)
        };
        // The queen on d8 was taken; only the king can take back.
        let fen = "3qk3/8/8/8/8/8/3R4/4K2R w - - 0 1";
        let back = [("e8d8", 0), ("e8e7", -500), ("e8f7", -500)];
        let [king, ..] = told(fen, &["d2d8"], back);
        assert!(king.unwrap() <= TAKES_BACK + PLY);
        let afterwards = fen.replace("3qk3", "3Rk3").replace("3R4", "8").replace(" w ", " b ");
        let [king_alone, ..] = told(&afterwards, &[], back);
        assert!(king_alone.unwrap() > king.unwrap() + 300.0, "{king_alone:?} {king:?}");
        // A bishop took on c6: neither pawn stands out against the other, both do against the rest.
        let fen = "4k3/1p1p4/2n5/1B6/8/8/8/4K3 w - - 0 1";
        let ways = [("b7c6", 20), ("d7c6", 0), ("e8e7", -300)];
        let told = told(fen, &["b5c6"], ways);
        assert!(told[0].is_some() && told[1].is_some() && told[2].is_none(), "{told:?}");
    }

    #[test]
    fn only_a_move_that_stands_out_is_a_find() {
        let finds =
            [0, 50, 99, 100, 101, 300].map(|lead| difficulty(&[lead; 3], &[0; 3]).is_some());
        assert_eq!(finds, [false, false, false, true, true, true]);
    }

    #[test]
    fn what_shows_late_or_looks_worse_is_harder() {
        let at_once = difficulty(&[300; 4], &[0; 4]).unwrap();
        let late = difficulty(&[0, 0, 0, 300], &[0; 4]).unwrap();
        let tempting = difficulty(&[0, 0, 0, 300], &[200, 200, 200, 0]).unwrap();
        assert!((late - at_once - 3.0 * PLY - 3.0 * TEMPTATION).abs() < 1e-6);
        assert!((tempting - late - 2.0 * TEMPTATION).abs() < 1e-6);
    }
}
