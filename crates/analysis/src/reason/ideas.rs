//! Ideas: what one move does, in a player's words, where the ends of the lines show no other reason.
//!
//! An idea is true on the board after its move, and the moves that follow show it: a king in check moves away. `idea_reason`
//! chooses the one that a sentence names.

use shakmaty::{Bitboard, Board, Color, File, Move, Role, Square, attacks};

use super::board::{is_pawn_ending, passed, pawns, rank_of};
use super::thresholds::{PASSED_RANK, RUNS_TO, SHELTER_RANKS, SLIGHT, STAYS_FOR, TRIFLING};
use crate::line::PlayedLine;
use crate::motif::{is_loose, value};
use crate::texts::tell;
use engine::evaluation::Variant;
use engine::rules::Game;
use engine::rules::notation::arrival;
use shell::texts::Texts;

/// What a move does, the most telling first.
///
/// Attacks, threats to win material, exchanges and development are none: of 240 sentences that strict readers judged, they were
/// right in 7 of 45 (`docs/log/analysis.md`).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Kind {
    /// A piece is given for a pawn before the king.
    BreaksShelter,
    /// A piece is exchanged, and the pawn that takes back leaves the file beside its king.
    SpoilsShelter,
    /// A check drives a king forward, while there are queens.
    DrivesKing,
    /// A check takes the right to castle.
    TakesCastling,
    /// Queens are exchanged, and the king that takes back loses the right to castle.
    TradesCastling,
    /// A mate is threatened.
    ThreatensMate,
    /// In a pawn ending a king goes forward where the other side can shut it out.
    KingForward,
    /// The queens are exchanged, and with them the attack on the own king.
    Relieves,
    /// A rook comes behind a passed pawn, its own or the enemy's.
    RookBehind,
    /// A rook shuts the enemy king off from a passed pawn.
    CutsKing,
    /// A passed pawn goes on.
    PushesPassed,
    /// The pawns before the own king stay where they are, or together.
    KeepsShelter,
    /// The king castles.
    Castles,
}

impl Kind {
    fn key(self) -> &'static str {
        match self {
            Kind::BreaksShelter => "idea.breaks-shelter",
            Kind::SpoilsShelter => "idea.spoils-shelter",
            Kind::RookBehind => "idea.rook-behind",
            Kind::CutsKing => "idea.cuts-king",
            Kind::DrivesKing => "idea.drives-king",
            Kind::TakesCastling => "idea.takes-castling",
            Kind::TradesCastling => "idea.trades-castling",
            Kind::ThreatensMate => "idea.threatens-mate",
            Kind::KingForward => "idea.king-forward",
            Kind::Relieves => "idea.relieves",
            Kind::PushesPassed => "idea.pushes-passed",
            Kind::KeepsShelter => "idea.keeps-shelter",
            Kind::Castles => "idea.castles",
        }
    }

    /// The greatest loss, in centipawns, that a player blames on it.
    pub(super) fn most_explained(self) -> i32 {
        match self {
            Kind::Castles => TRIFLING,
            Kind::SpoilsShelter | Kind::KeepsShelter => SLIGHT,
            _ => i32::MAX,
        }
    }
}

/// An idea of a move.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Idea {
    pub kind: Kind,
    /// The piece that it is about, or the place where one goes.
    pub piece: (Role, Square),
    /// The move that threatens mate, in SAN, and the moves to the mate.
    pub threat: Option<(String, i32)>,
}

impl Idea {
    pub(super) fn new(kind: Kind, piece: (Role, Square)) -> Idea {
        Idea { kind, piece, threat: None }
    }

    pub(super) fn text(&self, texts: &Texts) -> String {
        let square = self.piece.1.to_string();
        let (san, count) = self.threat.clone().unwrap_or_default();
        let key = if count == 1 { "idea.threatens" } else { self.kind.key() };
        let count = count.to_string();
        tell(texts, key, &[("square", &square), ("moves", &san), ("count", &count)])
    }
}

/// True for the files c to f.
fn is_central(file: File) -> bool {
    (File::C..=File::F).contains(&file)
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

    /// The board before the move.
    pub(super) fn before(&self) -> &Board {
        self.line.games[self.ply].position().board()
    }

    /// The board after the move.
    pub(super) fn after(&self) -> &Board {
        self.line.games[self.ply + 1].position().board()
    }

    /// The game before the move.
    pub(super) fn game(&self) -> &Game<P> {
        &self.line.games[self.ply]
    }

    pub(super) fn answer(&self) -> Option<Move> {
        self.line.moves.get(self.ply + 1).copied()
    }

    /// The ideas of the move. If they must show, the moves that follow in the line prove them.
    pub(super) fn ideas(&self, must_show: bool) -> Vec<Idea> {
        let found = [
            self.breaks_shelter(),
            self.spoils_shelter(),
            self.drives_king(),
            self.trades_castling(),
            self.king_forward(),
            self.rook_behind(must_show),
            self.cuts_king(must_show),
            self.pushes_passed(must_show),
            self.castles(),
        ];
        found.into_iter().flatten().collect()
    }

    fn idea(&self, kind: Kind, square: Square) -> Option<Idea> {
        Some(Idea::new(kind, (self.after().role_at(square)?, square)))
    }

    /// A piece takes a pawn before the king and is taken.
    fn breaks_shelter(&self) -> Option<Idea> {
        let (to, king) = (arrival(self.m), self.after().king_of(!self.side)?);
        let is_near = to.file().distance(king.file()) <= 1
            && rank_of(to, !self.side) > rank_of(king, !self.side)
            && rank_of(to, !self.side) - rank_of(king, !self.side) <= SHELTER_RANKS;
        let is_given = self.m.capture() == Some(Role::Pawn)
            && self.m.role() != Role::Pawn
            && self.m.role() != Role::King
            && self.is_recaptured();
        (is_near && is_given && self.has_queen()).then(|| self.idea(Kind::BreaksShelter, to))?
    }

    /// A piece is exchanged, and a pawn takes back that leaves the file beside its king without one.
    fn spoils_shelter(&self) -> Option<Idea> {
        let (to, taken, reply) = (arrival(self.m), self.m.capture()?, self.answer()?);
        let then = self.line.games.get(self.ply + 2)?.position().board();
        let (king, from) = (then.king_of(!self.side)?, reply.from()?);
        let is_alike = taken != Role::Pawn && value(taken) >= value(self.m.role());
        let is_retaken = reply.is_capture() && arrival(reply) == to && reply.role() == Role::Pawn;
        // A pawn that takes towards the centre opens a file for the rook rather than the king.
        let is_near = from.file().distance(king.file()) <= 1
            && !is_central(from.file())
            && rank_of(king, !self.side) == 0
            && rank_of(from, !self.side) <= SHELTER_RANKS;
        let is_open = (pawns(then, !self.side) & Bitboard::from_file(from.file())).is_empty();
        let is_spoilt = is_alike && is_retaken && is_near && is_open && self.has_queen();
        is_spoilt.then(|| self.idea(Kind::SpoilsShelter, to))?
    }

    /// True if what has just moved stays where it is for the next moves of the line, and is not taken.
    fn stays(&self) -> bool {
        let to = arrival(self.m);
        let last = (self.ply + STAYS_FOR).min(self.line.moves.len());
        let is_there = |ply: usize| {
            let board = self.line.games[ply].position().board();
            board.piece_at(to) == Some(self.m.role().of(self.side))
        };
        last > self.ply + 2 && (self.ply + 1..=last).all(is_there)
    }

    /// In an ending without queens a rook comes behind a passed pawn, with nothing between them.
    fn rook_behind(&self, must_show: bool) -> Option<Idea> {
        let to = arrival(self.m);
        let is_rook = self.m.role() == Role::Rook && self.after().queens().is_empty();
        if !is_rook || is_loose(self.after(), to) || must_show && !self.stays() {
            return None;
        }
        let pawn = Color::ALL.into_iter().find_map(|color| {
            let is_behind = |board: &Board, rook: Square, pawn: Square| {
                rook.file() == pawn.file()
                    && rank_of(rook, color) < rank_of(pawn, color)
                    && (attacks::between(rook, pawn) & board.occupied()).is_empty()
            };
            let rooks = self.before().by_piece(Role::Rook.of(self.side));
            let was = |pawn| rooks.into_iter().any(|rook| is_behind(self.before(), rook, pawn));
            let pawns = passed(self.after(), color) & passed(self.before(), color);
            let far = |pawn: &Square| rank_of(*pawn, color) >= PASSED_RANK - 1;
            pawns
                .into_iter()
                .filter(far)
                .find(|&pawn| is_behind(self.after(), to, pawn) && !was(pawn))
        })?;
        self.idea(Kind::RookBehind, pawn)
    }

    /// In an ending without queens a rook comes between the enemy king and the file of an own passed pawn.
    fn cuts_king(&self, must_show: bool) -> Option<Idea> {
        let (to, board) = (arrival(self.m), self.after());
        let is_rook = self.m.role() == Role::Rook && board.queens().is_empty();
        if !is_rook || is_loose(board, to) || self.m.is_capture() || must_show && !self.stays() {
            return None;
        }
        let is_cut = |board: &Board, pawn: Square| {
            let Some(king) = board.king_of(!self.side) else { return false };
            let is_between = |rook: Square| {
                let [a, b, c] = [king, rook, pawn].map(|square| i32::from(square.file()));
                (a < b && b < c || c < b && b < a) && (a - c).abs() <= 4
            };
            let rooks = board.by_piece(Role::Rook.of(self.side));
            rooks.into_iter().any(is_between)
        };
        let last = (self.ply + STAYS_FOR).min(self.line.moves.len());
        let stays_cut = |pawn| is_cut(self.line.games[last].position().board(), pawn);
        let pawn = passed(board, self.side).into_iter().find(|&pawn| {
            rank_of(pawn, self.side) >= PASSED_RANK - 1
                && is_cut(board, pawn)
                && !is_cut(self.before(), pawn)
                && (!must_show || stays_cut(pawn))
        })?;
        self.idea(Kind::CutsKing, pawn)
    }

    /// True if the next move captures what has just moved.
    pub(super) fn is_recaptured(&self) -> bool {
        let to = arrival(self.m);
        self.answer().is_some_and(|reply| reply.is_capture() && arrival(reply) == to)
    }

    /// True if the next move captures what has just moved and loses nothing by it. Who must give a greater piece for it has only
    /// met a threat.
    pub(super) fn is_answered_by_its_capture(&self) -> bool {
        let is_dear = self.answer().is_some_and(|reply| value(reply.role()) > value(self.m.role()));
        self.is_recaptured() && (self.m.is_capture() || !is_dear)
    }

    /// True if it takes where the other side has just taken.
    pub(super) fn takes_back(&self) -> bool {
        let earlier = self.ply.checked_sub(1).and_then(|ply| self.line.moves.get(ply));
        let is_there = |m: &Move| m.is_capture() && arrival(*m) == arrival(self.m);
        self.m.is_capture() && earlier.is_some_and(is_there)
    }

    fn has_queen(&self) -> bool {
        (self.after().queens() & self.after().by_color(self.side)).any()
    }

    /// A check after which the king goes forward, or loses the right to castle.
    fn drives_king(&self) -> Option<Idea> {
        let game = &self.line.games[self.ply + 1];
        let (king, reply) = (self.after().king_of(!self.side)?, self.answer()?);
        // A king that takes the piece which gave check is not driven.
        let is_driven = reply.role() == Role::King && !self.is_recaptured();
        if !game.now().is_check() || !is_driven || !self.has_queen() {
            return None;
        }
        let to = arrival(reply);
        let idea = |kind| Some(Idea::new(kind, (Role::King, to)));
        // A check that attacks a piece as well is meant for that.
        let them = self.after().by_color(!self.side) & !self.after().kings();
        let prey = self.after().attacks_from(arrival(self.m)) & them & !self.after().pawns();
        if prey.into_iter().any(|square| is_loose(self.after(), square)) {
            return None;
        }
        // A step beside its first rank, away from the centre, is no march, nor is one that the king chooses.
        let is_march = |m: &Move| {
            let to = arrival(*m);
            m.role() == Role::King
                && rank_of(to, !self.side) > rank_of(king, !self.side)
                && (rank_of(to, !self.side) > 1 || is_central(to.file()))
        };
        if game.position().legal_moves().iter().all(is_march) {
            return idea(Kind::DrivesKing);
        }
        let may_castle = game.position().castles().has_color(!self.side);
        may_castle.then(|| idea(Kind::TakesCastling))?
    }

    /// The queens are exchanged, and the king that could castle takes back.
    fn trades_castling(&self) -> Option<Idea> {
        let is_exchange = self.m.role() == Role::Queen
            && self.m.capture() == Some(Role::Queen)
            && self.is_recaptured();
        let reply = self.answer().filter(|reply| is_exchange && reply.role() == Role::King)?;
        let may_castle = self.game().position().castles().has_color(!self.side);
        may_castle.then(|| Idea::new(Kind::TradesCastling, (Role::King, arrival(reply))))
    }

    /// A king goes forward in a pawn ending.
    fn king_forward(&self) -> Option<Idea> {
        let (from, to) = (self.m.from()?, arrival(self.m));
        // A king that leaves a check goes where it can.
        let is_forward = self.m.role() == Role::King
            && !self.game().now().is_check()
            && self.m.castling_side().is_none()
            && !self.m.is_capture()
            && rank_of(to, self.side) > rank_of(from, self.side);
        (is_forward && is_pawn_ending(self.after())).then(|| self.idea(Kind::KingForward, to))?
    }

    /// A passed pawn goes on in the enemy's half. Where it must show, it comes to its last rank but one, or promotes.
    fn pushes_passed(&self, must_show: bool) -> Option<Idea> {
        let to = arrival(self.m);
        let is_passed = self.m.role() == Role::Pawn
            && !self.m.is_capture()
            && rank_of(to, self.side) >= PASSED_RANK
            && passed(self.after(), self.side).contains(to)
            && !is_loose(self.after(), to);
        let mut pieces = self.line.tracked.iter();
        let pawn = pieces.find(|one| (Some(one.from), one.color) == (self.m.from(), self.side))?;
        let runs = pawn.square.is_some_and(|square| {
            pawn.role_at_end != Role::Pawn || rank_of(square, self.side) >= RUNS_TO
        });
        (is_passed && (runs || !must_show)).then(|| self.idea(Kind::PushesPassed, to))?
    }

    /// The king castles while there are queens.
    fn castles(&self) -> Option<Idea> {
        let king = self.after().king_of(self.side).filter(|_| self.has_queen())?;
        self.m.castling_side().and_then(|_| self.idea(Kind::Castles, king))
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
        let ideas = Step::new(&line, 0).unwrap().ideas(true);
        ideas.iter().map(|idea| idea.text(&texts::of(lang))).collect()
    }

    /// A line has the idea, in both languages, another line from nearly the same place has none.
    fn check(fen: &str, moves: &str, [english, spanish]: [&str; 2], near: [&str; 2]) {
        assert_eq!(ideas_of(Lang::En, fen, moves), [english]);
        assert_eq!(ideas_of(Lang::Es, fen, moves), [spanish]);
        assert_eq!(ideas_of(Lang::En, near[0], near[1]), [""; 0], "{english}");
    }

    #[test]
    fn a_piece_given_for_the_pawn_before_the_king_breaks_its_shelter() {
        let fen = "2bq2k1/5ppp/7p/8/8/2B5/3Q2PP/6K1 w - - 0 30";
        let words =
            ["breaks open the pawns before the king", "rompe los peones que protegen al rey"];
        // Nobody takes, so nothing is broken open.
        check(fen, "d2h6 g7h6", words, [fen, "d2h6 g8f8"]);
    }

    #[test]
    fn an_exchange_spoils_the_pawns_if_one_of_them_takes_back() {
        let fen = "3q2k1/5ppp/8/8/6b1/5N2/5PPP/3Q2K1 b - - 0 30";
        let words = ["spoils the pawns before the king", "estropea los peones que protegen al rey"];
        check(fen, "g4f3 g2f3", words, [fen, "g4f3 d1f3"]);
        let centre = "3q1rk1/5ppp/4b3/8/2B5/8/5PPP/3Q2K1 w - - 0 30";
        let ideas = ideas_of(Lang::En, centre, "c4e6 f7e6");
        assert!(!ideas.contains(&words[0].to_string()), "towards the centre: {ideas:?}");
    }

    #[test]
    fn rooks_stand_behind_passed_pawns_and_cut_kings_off() {
        let fen = "6k1/5ppp/8/3P4/8/8/5PPP/R5K1 w - - 0 30";
        let words = [
            "puts the rook behind the passed pawn on d5",
            "pone la torre detrás del peón pasado de d5",
        ];
        check(fen, "a1d1 g8f8 g1f1 f8e7 f1e2", words, [fen, "a1b1 g8f8 g1f1 f8e7 f1e2"]);
        // It does not stay there.
        assert!(ideas_of(Lang::En, fen, "a1d1 g8f8 d1a1 f8e7 a1a7").is_empty());
        let fen = "8/5k2/8/3P4/8/8/6K1/R7 w - - 0 50";
        let words = [
            "cuts the king off from the passed pawn on d5",
            "corta el paso al rey hacia el peón pasado de d5",
        ];
        let near = [fen, "a1a2 f7f6 g2f3 f6f5 f3g3"];
        check(fen, "a1e1 f7f6 g2f3 f6f5 f3g3 f5f6", words, near);
    }

    #[test]
    fn checks_drive_a_king_forward_or_take_its_castling() {
        let fen = "4k3/8/8/B7/8/8/6PP/3Q1RK1 w - - 0 30";
        let forward = ["drives the king to e7", "empuja al rey a e7"];
        // Without the rook it could stay on its first rank.
        check(fen, "d1a4 e8e7", forward, [&fen.replace("1RK1", "2K1"), "d1a4 e8e7"]);
        let queens = "r1b2rk1/1p3qp1/1p3p1p/pP2p3/P3P3/1Q6/1B1R1PPP/3R2K1 w - - 4 26";
        assert!(ideas_of(Lang::En, queens, "b3f7 g8f7").is_empty(), "the king takes the queen");
        let luft = "r1r2k2/1RpQRppp/p1p5/8/8/7P/q1P2PP1/6K1 b - - 5 19";
        assert!(ideas_of(Lang::En, luft, "a2a1 g1h2").is_empty(), "the king is as safe there");
        let knight = "4k3/n4p2/7q/8/8/8/6PP/3Q2K1 w - - 0 30";
        assert!(
            ideas_of(Lang::En, knight, "d1a4 e8e7 a4a7").is_empty(),
            "the check attacks the knight"
        );
        let castles = "r2qk2r/5ppp/8/8/8/8/6PP/3Q2K1 w kq - 0 30";
        let words = ["costs the king the right to castle", "quita al rey el derecho a enrocar"];
        check(castles, "d1a4 e8f8", words, [castles, "d1a4 d8d7"]);
    }

    #[test]
    fn endings_have_kings_that_go_forward_and_passed_pawns_that_run() {
        let fen = "8/8/8/1p3k1p/7P/1P3K2/8/8 b - - 0 48";
        let words = ["brings the king forward to e4", "adelanta el rey a e4"];
        let near = "8/8/8/1p3k1p/7P/1P1K4/8/6Qq b - - 0 48";
        check(&fen.replace("1P3K2", "1P5K"), "f5e4", words, [near, "f5f4"]);
        assert!(
            ideas_of(Lang::En, "8/8/8/5k2/8/8/8/5R1K b - - 0 48", "f5e4").is_empty(),
            "the king leaves a check"
        );
        let pawn = "6k1/5ppp/8/8/3P4/8/5PPP/6K1 w - - 0 30";
        let words = ["pushes the passed pawn to d5", "avanza el peón pasado a d5"];
        let run = "d4d5 h7h6 d5d6 h6h5 d6d7";
        check(pawn, run, words, [&pawn.replace("5ppp/8/", "5ppp/4p3/"), "d4d5 e6d5"]);
        assert!(ideas_of(Lang::En, pawn, "d4d5 g8f8 h2h3 f8e7").is_empty(), "the pawn stops on d5");
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
