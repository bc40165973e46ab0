//! What a line wins and loses, in words: "the exchange", "the knight on e4", "a rook for two pawns".

use shakmaty::{Board, Color, Role, Square};

use super::line::{PlayedLine, TrackedPiece};
use engine::evaluation::{Variant, material};
use shell::texts::Texts;

/// The pieces that a side gives and gets in a line, after equal ones are set against each other.
#[derive(Debug, Default)]
pub struct Balance {
    given: Vec<TrackedPiece>,
    taken: Vec<TrackedPiece>,
}

impl Balance {
    /// The balance of `color` in a line.
    pub fn of<P: Variant>(line: &PlayedLine<P>, color: Color) -> Balance {
        let captured = line.tracked.iter().filter(|piece| piece.captured.is_some());
        let (given, taken) =
            captured.copied().partition(|piece: &TrackedPiece| piece.color == color);
        let mut balance = Balance { given, taken };
        let is_alike = |one: &TrackedPiece, other: &TrackedPiece| are_alike(one.role, other.role);
        // What is taken back at once is exchanged for just that piece.
        balance.cancel(|one, other| is_alike(one, other) && is_taken_back(one, other));
        balance.cancel(|one, other| one.role == other.role);
        balance.cancel(is_alike);
        balance.given.sort_by_key(|piece| -material::value::<P>(piece.role));
        balance.taken.sort_by_key(|piece| -material::value::<P>(piece.role));
        balance
    }

    fn cancel(&mut self, is_equal: impl Fn(&TrackedPiece, &TrackedPiece) -> bool) {
        let taken = &mut self.taken;
        self.given.retain(|given| {
            let found = taken.iter().position(|other| is_equal(given, other));
            found.map(|at| taken.remove(at)).is_none()
        });
    }

    /// The value of what is given less what is taken, in centipawns.
    pub fn loss<P: Variant>(&self) -> i32 {
        let sum = |tracked: &[TrackedPiece]| {
            tracked.iter().map(|piece| material::value::<P>(piece.role)).sum::<i32>()
        };
        sum(&self.given) - sum(&self.taken)
    }

    /// The pieces given for nothing that is worth as much.
    pub fn given(&self) -> &[TrackedPiece] {
        &self.given
    }

    /// True if only pawns are given.
    pub fn is_of_pawns(&self) -> bool {
        self.given.iter().all(|piece| piece.role == Role::Pawn)
    }

    /// Where the pieces given stood before the line and after its first move, and where they were captured.
    pub fn squares(&self) -> Vec<Square> {
        let places = |piece: &TrackedPiece| {
            let fell = piece.captured.map(|(_, square)| square);
            [Some(piece.from), piece.first_step, fell].into_iter().flatten()
        };
        self.given.iter().flat_map(places).collect()
    }

    /// The same from the other side.
    pub fn turned(self) -> Balance {
        Balance { given: self.taken, taken: self.given }
    }

    /// The pieces given and the pieces taken for them, in words. Empty if nothing is given.
    pub fn text(&self, texts: &Texts) -> String {
        let roles =
            |tracked: &[TrackedPiece]| tracked.iter().map(|piece| piece.role).collect::<Vec<_>>();
        let (given, taken) = (roles(&self.given), roles(&self.taken));
        let is_exchange = given == [Role::Rook]
            && taken.first().is_some_and(|role| is_minor(*role))
            && taken[1..].iter().all(|role| *role == Role::Pawn);
        if is_exchange {
            let exchange = texts.get("what.exchange").to_string();
            return match taken.len() {
                1 => exchange,
                _ => self.swap(texts, exchange, &taken[1..]),
            };
        }
        let what = match self.given.as_slice() {
            [one] if one.has_known_place() => {
                piece(texts, one.role, one.captured.map(|(_, square)| square))
            }
            _ => list(texts, &given),
        };
        if taken.is_empty() { what } else { self.swap(texts, what, &taken) }
    }

    fn swap(&self, texts: &Texts, what: String, taken: &[Role]) -> String {
        texts.fill("what.for", &[("what", &what), ("price", &list(texts, taken))])
    }
}

/// True for a knight or a bishop.
pub fn is_minor(role: Role) -> bool {
    matches!(role, Role::Knight | Role::Bishop)
}

/// True if one piece is worth the other in an exchange: the same, or a knight and a bishop.
pub fn are_alike(one: Role, other: Role) -> bool {
    one == other || is_minor(one) && is_minor(other)
}

/// True if two pieces fall on one square, one right after the other.
fn is_taken_back(one: &TrackedPiece, other: &TrackedPiece) -> bool {
    let (Some((ply, square)), Some((later, place))) = (one.captured, other.captured) else {
        return false;
    };
    square == place && ply.abs_diff(later) == 1
}

/// A piece with its square: "the knight on e4".
pub fn piece(texts: &Texts, role: Role, square: Option<Square>) -> String {
    let name = texts.get(&format!("the.{}", name(role))).to_string();
    match square {
        Some(square) => {
            texts.fill("piece.on", &[("piece", &name), ("square", &square.to_string())])
        }
        None => name,
    }
}

/// The pieces that `color` has more than the other side, and what for.
pub fn surplus(texts: &Texts, board: &Board, color: Color) -> String {
    let mut more = Vec::new();
    let mut less = Vec::new();
    for role in [Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn] {
        let count = |color: Color| board.by_piece(role.of(color)).count();
        let (own, other) = (count(color), count(!color));
        more.extend(std::iter::repeat_n(role, own.saturating_sub(other)));
        less.extend(std::iter::repeat_n(role, other.saturating_sub(own)));
    }
    match (more.is_empty(), less.is_empty()) {
        (true, _) => String::new(),
        (false, true) => texts.fill("what.more", &[("what", &list(texts, &more))]),
        (false, false) => {
            texts.fill("what.for", &[("what", &list(texts, &more)), ("price", &list(texts, &less))])
        }
    }
}

/// Pieces in words: "a knight and two pawns".
pub(crate) fn list(texts: &Texts, roles: &[Role]) -> String {
    let mut words: Vec<String> = Vec::new();
    for chunk in roles.chunk_by(|one, other| one == other) {
        let name = name(chunk[0]);
        words.push(match chunk.len() {
            1 => texts.get(&format!("a.{name}")).to_string(),
            2 => texts.get(&format!("two.{name}")).to_string(),
            count => {
                let word = texts.find(&format!("number.{count}")).map(str::to_string);
                let count = word.unwrap_or_else(|| count.to_string());
                texts.fill(&format!("many.{name}"), &[("count", &count)])
            }
        });
    }
    joined(texts, &words)
}

/// Words in a row: "one, two and three".
pub fn joined(texts: &Texts, words: &[String]) -> String {
    match words {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} {} {last}", first.join(", "), texts.get("and")),
    }
}

fn name(role: Role) -> &'static str {
    match role {
        Role::Pawn => "pawn",
        Role::Knight => "knight",
        Role::Bishop => "bishop",
        Role::Rook => "rook",
        Role::Queen => "queen",
        Role::King => "king",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::line::chess_line as line;
    use crate::texts::{self, Lang};

    #[test]
    fn small_numbers_are_words() {
        let [en, es] = [Lang::En, Lang::Es].map(texts::of);
        for (count, english, spanish) in [
            (1, "a pawn", "un peón"),
            (2, "two pawns", "dos peones"),
            (3, "three pawns", "tres peones"),
            (6, "six pawns", "seis peones"),
            (20, "20 pawns", "20 peones"),
        ] {
            let pawns = vec![Role::Pawn; count];
            assert_eq!(list(&en, &pawns), english);
            assert_eq!(list(&es, &pawns), spanish);
        }
    }

    #[test]
    fn the_piece_is_lost_that_is_not_taken_back() {
        let fen = "4k3/2pp4/2n5/8/6b1/5B2/8/3QK3 w - - 0 1";
        let exchange = line(fen, "f3c6 d7c6 d1g4");
        let lost = Balance::of(&exchange, Color::Black);
        assert_eq!(lost.text(&texts::of(Lang::En)), "the bishop on g4", "the knight is exchanged");
    }
}
