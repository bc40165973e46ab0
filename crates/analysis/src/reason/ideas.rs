//! Ideas: what one move does, in a player's words, where the ends of the lines show no other reason.
//!
//! An idea is true on the board after its move, and the moves that follow show it: a king in check moves away. `idea_reason`
//! chooses the one that a sentence names.

use shakmaty::{Board, Color, Move, Role};

use super::thresholds::{SLIGHT, TRIFLING};
use crate::line::PlayedLine;
use crate::motif::is_loose;
use engine::evaluation::Variant;
use engine::rules::notation::arrival;
use shell::texts::Texts;

/// What a move does, the most telling first.
///
/// All else that a move does to a king, a pawn or a piece is none: of the sentences that strict readers judged, few such were
/// right (`docs/log/analysis.md`).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Idea {
    /// A check takes the right to castle.
    TakesCastling,
    /// Queens are exchanged, and the king that takes back loses the right to castle.
    TradesCastling,
    /// The queens are exchanged, and with them the attack on the own king.
    Relieves,
    /// The king castles.
    Castles,
}

impl Idea {
    fn key(self) -> &'static str {
        match self {
            Idea::TakesCastling => "idea.takes-castling",
            Idea::TradesCastling => "idea.trades-castling",
            Idea::Relieves => "idea.relieves",
            Idea::Castles => "idea.castles",
        }
    }

    /// The greatest loss, in centipawns, that a player blames on it.
    pub(super) fn most_explained(self) -> i32 {
        if self == Idea::Castles { TRIFLING } else { SLIGHT }
    }

    pub(super) fn text(self, texts: &Texts) -> &str {
        texts.get(self.key())
    }
}

/// A move of a line with the positions around it.
pub(super) struct Step<'a, P> {
    line: &'a PlayedLine<P>,
    ply: usize,
    pub m: Move,
    pub side: Color,
}

impl<'a, P: Variant> Step<'a, P> {
    pub(super) fn new(line: &'a PlayedLine<P>, ply: usize) -> Option<Step<'a, P>> {
        let m = *line.moves.get(ply)?;
        Some(Step { line, ply, m, side: line.games[ply].now().turn() })
    }

    /// The board after the move.
    fn after(&self) -> &Board {
        self.line.games[self.ply + 1].position().board()
    }

    fn answer(&self) -> Option<Move> {
        self.line.moves.get(self.ply + 1).copied()
    }

    /// The ideas of the move.
    pub(super) fn ideas(&self) -> Vec<Idea> {
        let found = [self.takes_castling(), self.trades_castling(), self.castles()];
        found.into_iter().flatten().collect()
    }

    /// True if the next move captures what has just moved.
    fn is_recaptured(&self) -> bool {
        let to = arrival(self.m);
        self.answer().is_some_and(|reply| reply.is_capture() && arrival(reply) == to)
    }

    fn has_queen(&self) -> bool {
        (self.after().queens() & self.after().by_color(self.side)).any()
    }

    /// A check after which the king loses the right to castle.
    fn takes_castling(&self) -> Option<Idea> {
        let game = &self.line.games[self.ply + 1];
        let reply = self.answer()?;
        // A king that takes the piece which gave check is not driven.
        let is_driven = reply.role() == Role::King && !self.is_recaptured();
        if !game.now().is_check() || !is_driven || !self.has_queen() {
            return None;
        }
        // A check that attacks a piece as well is meant for that.
        let them = self.after().by_color(!self.side) & !self.after().kings();
        let prey = self.after().attacks_from(arrival(self.m)) & them & !self.after().pawns();
        let is_meant = !prey.into_iter().any(|square| is_loose(self.after(), square));
        let may_castle = game.position().castles().has_color(!self.side);
        (is_meant && may_castle).then_some(Idea::TakesCastling)
    }

    /// The queens are exchanged, and the king that could castle takes back.
    fn trades_castling(&self) -> Option<Idea> {
        let is_exchange = self.m.role() == Role::Queen
            && self.m.capture() == Some(Role::Queen)
            && self.is_recaptured();
        let is_by_king = self.answer().is_some_and(|reply| reply.role() == Role::King);
        let may_castle = self.line.games[self.ply].position().castles().has_color(!self.side);
        (is_exchange && is_by_king && may_castle).then_some(Idea::TradesCastling)
    }

    /// The king castles while there are queens.
    fn castles(&self) -> Option<Idea> {
        (self.has_queen() && self.m.castling_side().is_some()).then_some(Idea::Castles)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::line::chess_line as line;
    use crate::texts::{self, Lang};

    /// The ideas of the first move of a line, in words.
    fn ideas_of(lang: Lang, fen: &str, moves: &str) -> Vec<String> {
        let line = line(fen, moves);
        let ideas = Step::new(&line, 0).unwrap().ideas();
        ideas.iter().map(|idea| idea.text(&texts::of(lang)).to_string()).collect()
    }

    /// A line has the idea, in both languages, another line from nearly the same place has none.
    fn check(fen: &str, moves: &str, [english, spanish]: [&str; 2], near: [&str; 2]) {
        assert_eq!(ideas_of(Lang::En, fen, moves), [english]);
        assert_eq!(ideas_of(Lang::Es, fen, moves), [spanish]);
        assert_eq!(ideas_of(Lang::En, near[0], near[1]), [""; 0], "{english}");
    }

    #[test]
    fn a_check_may_cost_the_right_to_castle() {
        let castles = "r2qk2r/5ppp/8/8/8/8/6PP/3Q2K1 w kq - 0 30";
        let words = ["costs the king the right to castle", "quita al rey el derecho a enrocar"];
        check(castles, "d1a4 e8f8", words, [castles, "d1a4 d8d7"]);
    }

    #[test]
    fn an_exchange_of_queens_may_cost_the_right_to_castle() {
        let fen = "rnbqkbnr/pp3ppp/8/2p1P3/2P1p3/8/PP3PPP/RNBQKBNR w KQkq - 0 5";
        let words = [
            "exchanges queens and costs the king the right to castle",
            "cambia las damas y quita al rey el derecho a enrocar",
        ];
        check(fen, "d1d8 e8d8", words, [&fen.replace("KQkq", "KQ"), "d1d8 e8d8"]);
    }
}
