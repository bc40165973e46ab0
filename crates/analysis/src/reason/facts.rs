//! Facts of a board that a reader can check by eye: the files and the castling of the kings.
//!
//! The terms of the kings tell how much a move costs, not where. So the boards at the ends of the two lines are
//! compared fact by fact. The worths below only rank the facts of one mistake; no score depends on them. Pawns, bishops, outposts
//! and files of rooks are none: few sentences about them were right (`docs/log/analysis.md`).

use shakmaty::{Bitboard, Color, File};

use super::board::{open_files, pawns};
use super::thresholds::CASTLES_SOON;
use crate::line::PlayedLine;
use engine::evaluation::Variant;
use engine::rules::RuleSet;

/// Worth of each file by the own king without an own pawn, while the enemy has a queen or a rook, in centipawns: that of a
/// least-squares fit of the search's score to the material and such facts, in 32,808 positions of self-play.
const OPEN_FILE: i32 = -20;
/// Worth of the right to castle, or of having castled, while the enemy has a queen. Positions of self-play are
/// kept without the right, so this one is not fitted.
const CASTLING: i32 = 50;

/// A fact that is true at the end of one line only, or truer there than at the end of the other.
#[derive(Clone, Debug, PartialEq)]
pub struct Fact {
    /// The worth that the mover loses by it, in centipawns.
    pub harm: i32,
    /// The key of the sentence.
    pub key: &'static str,
    /// The file that it is about, if it has one.
    pub file: Option<File>,
    /// The side whose castling it is about, if it is.
    pub castling: Option<Color>,
}

/// The fact that harms the mover most in the line played, compared with the better line. `None` in rule sets
/// whose boards ask for other facts, and if no fact differs.
pub fn worst<P: Variant>(
    mover: Color,
    played: &PlayedLine<P>,
    best: &PlayedLine<P>,
) -> Option<Fact> {
    let ends = Ends { mover, played, best };
    let sides = Color::ALL.into_iter().filter(|_| has_facts::<P>());
    let facts = sides.flat_map(|side| [ends.open_file(side), ends.castling(side)]);
    facts.flatten().max_by_key(|fact| fact.harm)
}

/// True in rule sets whose boards have these facts.
pub fn has_facts<P: Variant>() -> bool {
    matches!(P::RULE_SET, RuleSet::Chess | RuleSet::KingOfTheHill | RuleSet::ThreeCheck)
}

/// The two ends that are compared.
struct Ends<'a, P> {
    mover: Color,
    played: &'a PlayedLine<P>,
    best: &'a PlayedLine<P>,
}

impl<P: Variant> Ends<'_, P> {
    /// The fact that something of `side` is worth `worth` more at the end of the line played, by the key of the mover's own
    /// or the one of the enemy's.
    fn fact(&self, side: Color, worth: i32, keys: [&'static str; 2]) -> Fact {
        let is_own = side == self.mover;
        Fact {
            harm: if is_own { -worth } else { worth },
            key: keys[usize::from(!is_own)],
            file: None,
            castling: None,
        }
    }

    /// A file by the king of `side` that is without its pawn at one end only, and without one of the attacker there.
    fn open_file(&self, side: Color) -> Option<Fact> {
        let boards = [self.played, self.best].map(|line| line.end().position().board());
        let [king, better] = boards.map(|board| board.king_of(side));
        // A king that may still castle away has no file to fear.
        let may_castle = [self.played, self.best]
            .iter()
            .any(|line| line.end().position().castles().has_color(side));
        let open = boards.map(|board| open_files(board, side));
        let more = open[0].len() as i32 - open[1].len() as i32;
        let [here, there] = if more > 0 { [0, 1] } else { [1, 0] };
        // On a file with an own pawn no rook of the attacker gets far.
        let blocked = pawns(boards[here], !side);
        let is_clear = |file: File| (blocked & Bitboard::from_file(file)).is_empty();
        let is_new = |file: &File| !open[there].contains(file) && is_clear(*file);
        let file = open[here].iter().copied().find(is_new);
        let fact = self.fact(side, more * OPEN_FILE, ["fact.file.own", "fact.file.enemy"]);
        (king? == better? && more != 0 && !may_castle && file.is_some())
            .then_some(Fact { file, ..fact })
    }

    /// Castling of `side` while the other has a queen, that one line keeps and the other does not, because of a check.
    fn castling(&self, side: Color) -> Option<Fact> {
        let has_queen = |line: &PlayedLine<P>| {
            let board = line.end().position().board();
            (board.queens() & board.by_color(!side)).any()
        };
        let [can, could] = [self.played, self.best].map(|line| castling(line, side));
        let worth = (i32::from(can) - i32::from(could)) * CASTLING;
        let fact = self.fact(side, worth, ["fact.castling.own", "fact.castling.enemy"]);
        let is_forced = [self.played, self.best].iter().any(|line| driven(line, side).is_some());
        let have_queens = [self.played, self.best].into_iter().all(has_queen);
        (have_queens && is_forced).then_some(Fact { castling: Some(side), ..fact })
    }
}

/// The ply at which the king of `side` gives up castling in a line by a step out of check. Any other step is its own choice.
pub(super) fn driven<P: Variant>(line: &PlayedLine<P>, side: Color) -> Option<usize> {
    line.games.windows(2).position(|pair| {
        let may_castle = |at: usize| pair[at].position().castles().has_color(side);
        let is_checked = pair[0].now().turn() == side && pair[0].now().is_check();
        is_checked && may_castle(0) && !may_castle(1)
    })
}

/// True if `side` castles soon in a line, or keeps the right to.
pub(super) fn keeps_castling<P: Variant>(line: &PlayedLine<P>, side: Color) -> bool {
    let own = || {
        let steps = line.games.windows(2).zip(&line.moves);
        steps.filter(|(games, _)| games[0].now().turn() == side).take(CASTLES_SOON)
    };
    own().any(|(_, m)| m.castling_side().is_some())
        || own().all(|(games, _)| games[1].position().castles().has_color(side))
}

/// True if `side` may castle at the end of a line, or has castled in it.
fn castling<P: Variant>(line: &PlayedLine<P>, side: Color) -> bool {
    let has_castled = line
        .games
        .iter()
        .zip(&line.moves)
        .any(|(game, m)| game.now().turn() == side && m.castling_side().is_some());
    has_castled || line.end().position().castles().has_color(side)
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, Chess};

    use super::*;
    use engine::rules::setup::{self, Start};

    /// The lines of two moves from one position.
    fn lines(fen: &str, played: &str, best: &str) -> [PlayedLine<Chess>; 2] {
        let start = Start::Fen(fen.to_string());
        let game = setup::game::<Chess>(&start, &[], CastlingMode::Standard).unwrap().0;
        [played, best].map(|moves| {
            let mut line = PlayedLine::new(&game, &[]);
            for text in moves.split_whitespace() {
                let m = setup::read_move(line.end().position(), text).unwrap();
                line.play(m);
            }
            line
        })
    }

    fn found(fen: &str, played: &str, best: &str) -> Fact {
        let [played, best] = lines(fen, played, best);
        worst(played.games[0].now().turn(), &played, &best).unwrap()
    }

    #[test]
    fn files_castling_and_squares_are_seen() {
        let open = found(
            "r2q1rk1/pppp1p1p/8/8/8/5bP1/PPPPPP1P/R2Q1RK1 w - - 0 1",
            "g3g4 f3g4",
            "e2f3 d7d6",
        );
        assert_eq!(open.key, "fact.file.own");
        assert_eq!(open.file, Some(File::G));
        let [closed, best] = lines(
            "r2q1rk1/pppp1ppp/8/8/8/5bP1/PPPPPP1P/R2Q1RK1 w - - 0 1",
            "g3g4 f3g4",
            "e2f3 d7d6",
        );
        let fact = worst(Color::White, &closed, &best);
        assert!(fact.is_none_or(|fact| fact.file.is_none()), "Black's pawn is in the way");
        let fen = "r2qk2r/pppp1ppp/8/8/8/8/PPPP1PPP/R2QK2R w KQkq - 0 1";
        let fact = |played: &str| {
            let [played, best] = lines(fen, played, "e1g1 a7a6");
            worst(Color::White, &played, &best).map(|fact| fact.key)
        };
        assert_eq!(fact("a2a3 d8e7 e1f1 a7a6"), Some("fact.castling.own"), "driven by a check");
        assert_ne!(fact("a2a3 a7a6 e1f1 a6a5"), Some("fact.castling.own"), "its own choice");
    }

    #[test]
    fn the_same_end_has_no_harmful_fact() {
        let fen = "r1bqk2r/ppp2ppp/2n5/3p4/3P4/2P2N2/P4PPP/R1BQKB1R w KQkq - 0 1";
        let [one, same] = lines(fen, "f1d3 e8g8 e1g1", "f1d3 e8g8 e1g1");
        assert!(worst(Color::White, &one, &same).is_none_or(|fact| fact.harm <= 0));
    }
}
