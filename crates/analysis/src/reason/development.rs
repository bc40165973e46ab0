//! A move that hinders the development of its own side: it shuts in a bishop, blocks a pawn in the centre, or gives up castling.

use shakmaty::{Board, Color, File, Move, Rank, Role, Square, attacks};

use super::Mistake;
use super::facts::keeps_castling;
use super::lines::Lines;
use super::thresholds::{BETTER, SLIGHT};
use crate::line::PlayedLine;
use crate::material;
use crate::texts::tell;
use engine::evaluation::Variant;
use engine::rules::{Game, RuleSet};
use shell::texts::Texts;

/// A sentence about the bishop that the move played shuts in, or the pawn in the centre that it blocks, which the better line has
/// free.
pub(super) fn hindered<P: Variant>(
    texts: &Texts,
    mistake: &Mistake<P>,
    lines: &Lines<P>,
) -> Option<String> {
    let m = mistake.played;
    let is_slight = mistake.drop().is_some_and(|drop| drop <= SLIGHT);
    // What the answer takes is the point then.
    let is_taken = lines.played_on.moves.get(1).is_some_and(|reply| reply.is_capture());
    let is_odd = m.is_capture() || is_taken || m.role() == Role::Pawn;
    if P::RULE_SET != RuleSet::Chess || !is_slight || is_odd {
        return None;
    }
    let side = lines.mover;
    let hinders = |is_hindered: fn(&Board, Square, Color) -> bool, home: Square| {
        let at = |game: &Game<P>| is_hindered(game.position().board(), home, side);
        let is_free = !lines.best_on.games.iter().take(BETTER + 1).any(at);
        is_free && !at(mistake.game) && lines.played_on.games.get(1).is_some_and(at)
    };
    let (bishops, centre) = ([File::C, File::F], [File::D, File::E]);
    let find = |is_hindered, files, rank| {
        places(side, files, rank).into_iter().find(|&home| hinders(is_hindered, home))
    };
    let shut_in = find(is_shut_in, bishops, Rank::First);
    let blocked = || find(is_blocked, centre, Rank::Second);
    let (key, role, square) = match shut_in {
        Some(home) => ("added.shuts-in", Role::Bishop, home),
        None => ("added.blocks", Role::Pawn, blocked().filter(|_| stays(&lines.played_on, m))?),
    };
    let piece = material::piece(texts, role, Some(square));
    Some(tell(texts, key, &[("move", &lines.words.played), ("piece", &piece)]))
}

/// A sentence about castling that the king gives up by a step, which the better line keeps, or castles.
pub(super) fn castling_given<P: Variant>(
    texts: &Texts,
    mistake: &Mistake<P>,
    lines: &Lines<P>,
) -> Option<String> {
    let (m, side) = (mistake.played, lines.mover);
    let may_castle = mistake.game.position().castles().has_color(side);
    let board = mistake.game.position().board();
    let has_queen = (board.queens() & board.by_color(!side)).any();
    let is_step = m.role() == Role::King && m.castling_side().is_none();
    let is_given = is_step && may_castle && has_queen && keeps_castling(&lines.best_on, side);
    let is_slight = mistake.drop().is_some_and(|drop| drop <= SLIGHT);
    (is_given && is_slight)
        .then(|| tell(texts, "added.castling-given", &[("move", &lines.words.played)]))
}

/// True if what the move played has put there stands there for as long as a sentence shows: what goes on at once blocks nothing.
fn stays<P: Variant>(line: &PlayedLine<P>, m: Move) -> bool {
    let mut later = line.games.iter().skip(1).take(BETTER + 1);
    later.all(|game| game.position().board().role_at(m.to()) == Some(m.role()))
}

/// The places of a side on two files of a rank, counted from its own first one.
fn places(side: Color, files: [File; 2], rank: Rank) -> [Square; 2] {
    let rank = side.fold_wb(rank, rank.flip_vertical());
    files.map(|file| Square::from_coords(file, rank))
}

/// True if a bishop of `side` stands there and has no square to go to.
fn is_shut_in(board: &Board, home: Square, side: Color) -> bool {
    let own = board.by_color(side);
    (board.bishops() & own).contains(home)
        && (attacks::bishop_attacks(home, board.occupied()) & !own).is_empty()
}

/// True if a pawn of `side` stands there and something stands in front of it.
fn is_blocked(board: &Board, home: Square, side: Color) -> bool {
    let step = home.offset(side.fold_wb(8, -8));
    (board.pawns() & board.by_color(side)).contains(home)
        && step.is_some_and(|square| board.occupied().contains(square))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyst::test_analyst;
    use crate::line::chess_line as line;
    use crate::reason::test_mistake;
    use crate::texts::{self, Lang};

    /// The sentence about these lines.
    fn remark(
        lang: Lang,
        fen: &str,
        [played, best]: [&str; 2],
        scores: [i32; 2],
    ) -> Option<String> {
        let (played, best) = (line(fen, played), line(fen, best));
        let mistake = test_mistake(&played, &best, scores);
        let lines = test_analyst(100).lines(&mistake, played.clone(), best.clone());
        hindered(&texts::of(lang), &mistake, &lines)
    }

    #[test]
    fn a_queen_shuts_in_the_bishop_beside_it() {
        let fen = "rnbqkb1r/ppp2ppp/4pn2/3p4/3P4/3BPN2/PPP2PPP/RNBQK2R b KQkq - 3 4";
        let (shut, free) = ("d8e7 c2c4 e7d8 e1g1", "f8e7 e1g1 e8g8");
        let en = remark(Lang::En, fen, [shut, free], [-10, 60]);
        assert_eq!(en.as_deref(), Some("4...Qe7 shuts in the bishop on f8."));
        let es = remark(Lang::Es, fen, [shut, free], [-10, 60]);
        assert_eq!(es.as_deref(), Some("4...De7 encierra el alfil de f8."));
        assert_eq!(remark(Lang::En, fen, [shut, free], [-10, 260]), None, "that is not the reason");
        assert_eq!(remark(Lang::En, fen, [free, shut], [-10, 60]), None, "the better move does");
        let taken = "d8e7 d3h7 h8h7 e1g1";
        assert_eq!(remark(Lang::En, fen, [taken, free], [-10, 60]), None, "a pawn falls");
        // The bishop on d3 stands in the way of nothing.
        assert_eq!(remark(Lang::En, fen, ["h7h6 e1g1", free], [-10, 60]), None);
    }

    #[test]
    fn a_piece_blocks_a_pawn_in_the_centre_unless_it_goes_on() {
        let fen = "rnbqkbnr/ppp1pppp/3p4/8/4P3/2N5/PPPP1PPP/R1BQKBNR b KQkq - 1 2";
        let free = "c7c5 g1f3 g8f6";
        let blocked = remark(Lang::En, fen, ["c8e6 d2d4 g7g6 g1f3", free], [-40, 100]);
        assert_eq!(blocked.as_deref(), Some("2...Be6 blocks the pawn on e7."));
        assert_eq!(remark(Lang::En, fen, ["c8e6 d2d4 e6d7", free], [-40, 100]), None, "it goes on");
        assert_eq!(remark(Lang::En, fen, ["c8d7 d2d4 g7g6", free], [-40, 100]), None, "d6 is free");
    }

    #[test]
    fn a_step_of_the_king_gives_up_castling() {
        let remark_at = |lang, fen: &str, [played, best]: [&str; 2], score: i32| {
            let (played, best) = (line(fen, played), line(fen, best));
            let mistake = test_mistake(&played, &best, [score, 0]);
            let lines = test_analyst(100).lines(&mistake, played.clone(), best.clone());
            castling_given(&texts::of(lang), &mistake, &lines)
        };
        let remark = |lang, fen: &str, lines: [&str; 2]| remark_at(lang, fen, lines, 120);
        let fen = "r4rk1/pp2qppp/4b3/6n1/3N4/2PQ3P/PP3PP1/RN2K2R w KQ - 1 19";
        let (steps, castles) = ("e1d2 e6d5 d2c1 g5e6", "e1g1 e6d5 c3c4");
        let en = remark(Lang::En, fen, [steps, castles]);
        assert_eq!(en.as_deref(), Some("19.Kd2 gives up castling."));
        let es = remark(Lang::Es, fen, [steps, castles]);
        assert_eq!(es.as_deref(), Some("19.Rd2 renuncia al enroque."));
        assert!(remark(Lang::En, fen, [steps, "d3e3 e6d5 b1d2"]).is_some(), "it is kept");
        assert_eq!(remark_at(Lang::En, fen, [steps, castles], 320), None, "not the reason");
        assert_eq!(remark(Lang::En, fen, [castles, castles]), None);
        assert_eq!(remark(Lang::En, fen, [steps, "e1f1 e6d5 b1d2"]), None, "neither keeps it");
        let lost = fen.replace("KQ", "-");
        assert_eq!(remark(Lang::En, &lost, [steps, "d3e3 e6d5 b1d2"]), None, "it was lost before");
        let without = fen.replace("pp2qppp", "pp3ppp");
        assert_eq!(remark(Lang::En, &without, [steps, castles]), None, "no queen attacks it");
    }
}
