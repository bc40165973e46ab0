//! Facts of a board that a reader can check by eye: passed pawns, open files, weak pawns.
//!
//! The terms of the kings tell how much a move costs, not where. So the boards at the ends of the two lines are
//! compared fact by fact. The worths below only rank the facts of one mistake; no score depends on them. They
//! are those of a least-squares fit of the search's score to the material and these facts, in 32,808
//! positions of self-play (R² 0.84). A few worths are not fitted, and say so. They are small, so that any other fact comes first.

use shakmaty::{Bitboard, Board, Color, File, Rank, Role, Square, attacks};

use super::board::{
    attackers, centre_distance, doubled, held_files, isolated, on_seventh, open_files, outposts,
    passed, pawns, rank_of,
};
use super::thresholds::MANY_PAWNS;
use crate::line::PlayedLine;
use engine::evaluation::Variant;
use engine::rules::RuleSet;
use shell::texts::Texts;

/// Worth of a passed pawn in centipawns, by its rank as its side sees it.
const PASSED: [i32; 8] = [0, 5, 10, 15, 30, 75, 135, 0];
/// Worth of each file by the own king without an own pawn, while the enemy has a queen or a rook.
const OPEN_FILE: i32 = -20;
/// Worth of each enemy piece that attacks a square around the own king, while the enemy has a queen.
const ATTACKER: i32 = -9;
/// Worth of the right to castle, or of having castled, while the enemy has a queen. Positions of self-play are
/// kept without the right, so this one is not fitted.
const CASTLING: i32 = 25;
/// Worth of two bishops.
const BISHOP_PAIR: i32 = 23;
/// Worth of each step of the king away from the centre, when the queens are gone.
const KING_STEP: i32 = -14;
/// Worths of what every book names and the fit found too rare or too small to tell: an outpost of a knight, …
const OUTPOST: i32 = 25;
/// … a rook on an open file that the enemy does not contest, or on the seventh rank, …
const HELD_FILE: i32 = 20;
const ON_SEVENTH: i32 = 25;
/// … and a doubled or an isolated pawn.
const WEAK_PAWN: i32 = -15;

/// A fact that is true at the end of one line only, or truer there than at the end of the other.
#[derive(Clone, Debug, PartialEq)]
pub struct Fact {
    /// The worth that the mover loses by it, in centipawns.
    pub harm: i32,
    /// The key of the sentence.
    pub key: &'static str,
    /// Its placeholders.
    pub values: Vec<(&'static str, String)>,
    /// The piece that the sentence is about, if it has one: its role and its square.
    pub piece: Option<(Role, Square)>,
}

impl Fact {
    /// True for what a player blames a greater loss on: the castling, or the file, of the own king.
    pub fn is_of_own_king(&self) -> bool {
        matches!(self.key, "fact.castling.own" | "fact.file.own")
    }
}

/// The fact that harms the mover most in the line played, compared with the better line. `None` in rule sets
/// whose boards ask for other facts, and if no fact differs.
pub fn worst<P: Variant>(
    texts: &Texts,
    mover: Color,
    played: &PlayedLine<P>,
    best: &PlayedLine<P>,
) -> Option<Fact> {
    Ends { texts, mover, played, best }.greatest(|ends, side, facts| {
        ends.passed_pawns(side, facts);
        ends.king(side, facts);
        ends.bishops(side, facts);
        ends.pawns(side, facts);
        ends.places(side, facts);
    })
}

/// True in rule sets whose boards have these facts.
pub fn has_facts<P: Variant>() -> bool {
    matches!(P::RULE_SET, RuleSet::Chess | RuleSet::KingOfTheHill | RuleSet::ThreeCheck)
}

/// The name of the rank where a rook is active: the seventh, for Black the second.
pub fn rank_name(texts: &Texts, square: Square) -> &str {
    texts.get(if square.rank() < Rank::Fourth { "rank.second" } else { "rank.seventh" })
}

/// The worth of a passed pawn of `side`, in centipawns.
pub fn passed_worth(square: Square, side: Color) -> i32 {
    PASSED[rank_of(square, side)]
}

/// The two ends that are compared.
struct Ends<'a, P> {
    texts: &'a Texts,
    mover: Color,
    played: &'a PlayedLine<P>,
    best: &'a PlayedLine<P>,
}

impl<P: Variant> Ends<'_, P> {
    /// The fact that harms the mover most among those that `collect` finds for each side.
    fn greatest(&self, collect: impl Fn(&Self, Color, &mut Vec<Fact>)) -> Option<Fact> {
        let mut facts = Vec::new();
        for side in Color::ALL.into_iter().filter(|_| has_facts::<P>()) {
            collect(self, side, &mut facts);
        }
        facts.into_iter().max_by_key(|fact| fact.harm)
    }

    fn boards(&self) -> [&Board; 2] {
        [self.played.end().position().board(), self.best.end().position().board()]
    }

    /// The fact that something of `side` is worth `worth` more at the end of the line played.
    fn fact(&self, side: Color, worth: i32, own: &'static str, enemy: &'static str) -> Fact {
        let (harm, key) = if side == self.mover { (-worth, own) } else { (worth, enemy) };
        Fact { harm, key, values: Vec::new(), piece: None }
    }

    /// Pawns that are passed at one end only.
    fn passed_pawns(&self, side: Color, facts: &mut Vec<Fact>) {
        let [played, best] = self.boards().map(|board| passed(board, side));
        let (there, elsewhere, key) = match side == self.mover {
            true => (best, played, "fact.passed.missed"),
            false => (played, best, "fact.passed.enemy"),
        };
        // A pawn that is passed at both ends, further on at one, is the same pawn.
        let is_new = |square: &Square| (elsewhere & Bitboard::from_file(square.file())).is_empty();
        let start = passed(self.played.games[0].position().board(), side);
        facts.extend(there.into_iter().filter(is_new).map(|square| Fact {
            harm: PASSED[rank_of(square, side)],
            // What stands there before the move is not missed, but lost; what the enemy has, is left to him.
            key: match (side == self.mover, start.contains(square)) {
                (true, true) => "fact.passed.lost",
                (false, true) => "fact.passed.left",
                (_, false) => key,
            },
            values: Vec::new(),
            piece: Some((Role::Pawn, square)),
        }));
    }

    /// The files by the king, the pieces that attack the squares around it, castling, and in endgames its way
    /// to the centre.
    fn king(&self, side: Color, facts: &mut Vec<Fact>) {
        let boards = self.boards();
        let has_queens = boards.map(|board| (board.queens() & board.by_color(!side)).any());
        let [Some(king), Some(better)] = boards.map(|board| board.king_of(side)) else { return };
        // A king that may still castle away has no file to fear.
        let may_castle = [self.played, self.best]
            .iter()
            .any(|line| line.end().position().castles().has_color(side));
        let open = boards.map(|board| open_files(board, side));
        let more = open[0].len() as i32 - open[1].len() as i32;
        let news = |one: &[File], other: &[File]| {
            one.iter().find(|file| !other.contains(file)).map(|file| file.char().to_string())
        };
        let file = if more > 0 { news(&open[0], &open[1]) } else { news(&open[1], &open[0]) };
        if let Some(file) = file.filter(|_| king == better && more != 0 && !may_castle) {
            let fact = self.fact(side, more * OPEN_FILE, "fact.file.own", "fact.file.enemy");
            facts.push(Fact { values: vec![("file", file)], ..fact });
        }
        if has_queens == [true; 2] {
            let [count, other] = boards.map(|board| attackers(board, side));
            let worth = (count - other) * ATTACKER;
            let fact = self.fact(side, worth, "fact.attackers.own", "fact.attackers.enemy");
            facts.push(Fact { values: counts(count, other), ..fact });
            let [can, could] = [self.played, self.best].map(|line| castling(line, side));
            let worth = (i32::from(can) - i32::from(could)) * CASTLING;
            let fact = self.fact(side, worth, "fact.castling.own", "fact.castling.enemy");
            facts.push(fact);
        }
        if boards.iter().all(|board| board.queens().is_empty()) {
            let worth = (centre_distance(king) - centre_distance(better)) * KING_STEP;
            let fact = self.fact(side, worth, "fact.king.own", "fact.king.enemy");
            let values = vec![("square", king.to_string()), ("other", better.to_string())];
            facts.push(Fact { values, ..fact });
        }
    }

    /// Two bishops against fewer.
    fn bishops(&self, side: Color, facts: &mut Vec<Fact>) {
        let pair = self.boards().map(|board| i32::from(has_pair(board, side)));
        let pairs = |line: &PlayedLine<P>, plies: usize| {
            line.games.get(plies).is_some_and(|game| has_pair(game.position().board(), side))
        };
        // A pair that goes later in one of the lines is not given up by the move, nor broken up by the better one.
        let is_at_once = match side == self.mover {
            true => !pairs(self.played, 2),
            false => !pairs(self.best, 1),
        };
        if !is_at_once {
            return;
        }
        let worth = (pair[0] - pair[1]) * BISHOP_PAIR;
        facts.push(self.fact(side, worth, "fact.bishops.own", "fact.bishops.enemy"));
    }

    /// Weak pawns that the mover has at the end of the line played only.
    fn pawns(&self, side: Color, facts: &mut Vec<Fact>) {
        if side != self.mover {
            return;
        }
        let [played, best] = self.boards();
        let weak = |key, values, piece| Fact { harm: -WEAK_PAWN, key, values, piece };
        let (now, better) = (doubled(played, side), doubled(best, side));
        // A pawn that an enemy pawn takes is not doubled for long.
        let may_be_taken = |file: &File| {
            let own = pawns(played, side) & Bitboard::from_file(*file);
            let enemy = pawns(played, !side);
            own.into_iter().any(|square| (attacks::pawn_attacks(side, square) & enemy).any())
        };
        facts.extend(
            now.iter()
                .find(|file| !better.contains(file) && !may_be_taken(file))
                .map(|file| weak("fact.doubled", vec![("file", file.char().to_string())], None)),
        );
        let alone = isolated(played, side);
        let was_guarded = |square: &Square| {
            (isolated(best, side) & Bitboard::from_file(square.file())).is_empty()
        };
        let found = alone.into_iter().find(was_guarded);
        facts.extend(found.map(|square| weak("fact.isolated", vec![], Some((Role::Pawn, square)))));
    }

    /// Good places of knights and rooks that one end has and the other has not.
    fn places(&self, side: Color, facts: &mut Vec<Fact>) {
        let boards = self.boards();
        // Where something is taken, that says more than where a piece stands.
        if [self.played, self.best].iter().any(|line| line.moves.iter().any(|m| m.is_capture())) {
            return;
        }
        let is_own = side == self.mover;
        // What the mover misses stands in the better line, what it allows in the line played.
        let (here, there) = if is_own { (boards[1], boards[0]) } else { (boards[0], boards[1]) };
        // What stood there before the move is not reached by it.
        let start = self.played.games[0].position().board();
        let knight = (outposts(here, side) & !outposts(there, side)).first();
        facts.extend(knight.filter(|_| outposts(there, side).is_empty()).map(|square| Fact {
            harm: OUTPOST,
            key: if is_own { "fact.outpost.missed" } else { "fact.outpost.enemy" },
            values: Vec::new(),
            piece: Some((Role::Knight, square)),
        }));
        let rook = on_seventh(here, side).first();
        let is_new = on_seventh(there, side).is_empty() && on_seventh(start, side).is_empty();
        facts.extend(rook.filter(|_| is_new).map(|square| Fact {
            harm: ON_SEVENTH,
            key: if is_own { "fact.seventh.missed" } else { "fact.seventh.enemy" },
            values: vec![("rank", rank_name(self.texts, square).to_string())],
            piece: Some((Role::Rook, square)),
        }));
        // With few pawns most files are open, and none of them matters.
        let has_pawns = start.pawns().count() >= MANY_PAWNS;
        let file = held_files(here, side).into_iter().next().filter(|_| has_pawns);
        let is_new = held_files(there, side).is_empty() && held_files(start, side).is_empty();
        facts.extend(file.filter(|_| is_new).map(|file| Fact {
            harm: HELD_FILE,
            key: if is_own { "fact.held.missed" } else { "fact.held.enemy" },
            values: vec![("file", file.char().to_string())],
            piece: None,
        }));
    }
}

/// True if `side` has a bishop on either colour.
fn has_pair(board: &Board, side: Color) -> bool {
    let bishops = board.bishops() & board.by_color(side);
    let is_on = |squares: Bitboard| (bishops & squares).any();
    is_on(Bitboard::DARK_SQUARES) && is_on(Bitboard::LIGHT_SQUARES)
}

fn counts(count: i32, other: i32) -> Vec<(&'static str, String)> {
    vec![("count", count.to_string()), ("other", other.to_string())]
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
    use crate::texts::{self, Lang};
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
        let texts = texts::of(Lang::En);
        worst(&texts, played.games[0].now().turn(), &played, &best).unwrap()
    }

    #[test]
    fn passed_pawns_of_both_sides_are_seen() {
        let fen = "4k3/2p5/8/3P4/1p6/2P5/8/4K3 w - - 0 1";
        let own = found(fen, "e1e2 c7c6 c3c4", "c3b4 c7c6 d5d6");
        assert_eq!((own.key, own.piece), ("fact.passed.missed", Some((Role::Pawn, Square::D6))));
        let enemy = found("4k3/8/8/8/1p6/2P5/8/4K3 w - - 0 1", "c3c4 b4b3", "c3b4 e8e7");
        assert_eq!(enemy.piece, Some((Role::Pawn, Square::B3)));
        assert_eq!(enemy.key, "fact.passed.enemy");
        let fen = "5r2/4RP1p/6p1/8/3p4/5kP1/7P/6K1 w - - 3 37";
        let lost = found(fen, "e7e8 f8f7", "g1f1 g6g5 e7d7 f3e3 f1e1");
        assert_eq!((lost.key, lost.piece), ("fact.passed.lost", Some((Role::Pawn, Square::F7))));
    }

    #[test]
    fn files_castling_and_squares_are_seen() {
        let open = found(
            "r2q1rk1/pppp1ppp/8/8/8/5bP1/PPPPPP1P/R2Q1RK1 w - - 0 1",
            "g3g4 f3g4",
            "e2f3 d7d6",
        );
        assert_eq!(open.key, "fact.file.own");
        assert_eq!(open.values, [("file", "g".to_string())]);
        let fen = "r2qk2r/pppppppp/8/8/8/8/PPPPPPPP/R2QK2R w KQkq - 0 1";
        assert_eq!(found(fen, "e1f1 a7a6", "e1g1 a7a6").key, "fact.castling.own");
    }

    #[test]
    fn bishops_and_rooks_count_only_if_the_moves_change_them() {
        let bishops = |played: &str, best: &str| {
            let fen = "4k3/8/5n2/3n4/3BB3/8/8/4K3 w - - 0 1";
            let [played, best] = lines(fen, played, best);
            worst(&texts::of(Lang::En), Color::White, &played, &best).map(|fact| fact.key)
        };
        assert_eq!(bishops("e4d5 f6d5", "e4f3 e8e7"), Some("fact.bishops.own"));
        let later = bishops("e1e2 e8e7 e4d5 f6d5", "e4f3 e8e7");
        assert_ne!(later, Some("fact.bishops.own"), "two moves later");
        let rook = |fen: &str| {
            let [played, best] = lines(fen, "e1e2 g8f8", "b6b7 g8f8");
            let fact = worst(&texts::of(Lang::En), Color::White, &played, &best).unwrap();
            fact.key
        };
        assert_eq!(rook("6k1/5ppp/1R6/8/8/8/8/4K3 w - - 0 1"), "fact.seventh.missed");
        let there = rook("6k1/R4ppp/1R6/8/8/8/8/4K3 w - - 0 1");
        assert_ne!(there, "fact.seventh.missed", "one is there before the move");
    }

    #[test]
    fn the_same_end_has_no_harmful_fact() {
        let fen = "r1bqk2r/ppp2ppp/2n5/3p4/3P4/2P2N2/P4PPP/R1BQKB1R w KQkq - 0 1";
        assert!(found(fen, "f1d3 e8g8 e1g1", "f1d3 e8g8 e1g1").harm <= 0);
    }
}
