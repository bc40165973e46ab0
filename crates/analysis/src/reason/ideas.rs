//! Ideas: what one move does, in a player's words, where the ends of the lines show no other reason.
//!
//! An idea holds on the board after its move, and the moves that follow show it: a piece that is attacked leaves or falls,
//! a king that is checked goes. `idea_reason` decides which one is told.

use shakmaty::{Bitboard, Board, Color, File, Move, Rank, Role, Square, attacks};

use super::board::{doubled, isolated, passed, pawns, rank_of};
use super::thresholds::{AHEAD, OPENING, PASSED_RANK, PINNED_FOR, SHELTER_RANKS, STAYS_FOR};
use crate::line::PlayedLine;
use crate::material;
use crate::motif::{is_loose, is_undefended, value};
use crate::texts::tell;
use engine::evaluation::Variant;
use engine::rules::Game;
use engine::rules::notation::arrival;
use shell::texts::Texts;

/// What a move does, the most telling first.
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
    /// The capture of a piece is threatened by what has just moved.
    ThreatensPiece,
    /// A capture or a mate is threatened.
    Threatens,
    /// A pawn attacks a pawn, and would win it.
    StrikesPawn,
    /// In an ending without queens a king goes forward where the other side can shut it out.
    KingForward,
    /// The queens are exchanged, and with them the attack on the own king.
    Relieves,
    /// A rook comes behind a passed pawn, its own or the enemy's.
    RookBehind,
    /// A rook shuts the enemy king off from a passed pawn.
    CutsKing,
    /// A passed pawn goes on.
    PushesPassed,
    /// A pawn attacks a piece, which must go.
    Kicks,
    /// A piece is attacked by a cheaper one, or undefended.
    Attacks,
    /// A piece is pinned to the king or the queen.
    Pins,
    /// A piece is exchanged, and the pawn that takes back is doubled or isolated by that.
    SpoilsPawns,
    /// A capture takes what the move played has left without a guard.
    TakesUnguarded,
    /// A piece is kept out of a square.
    KeepsOut,
    /// An attacking piece is exchanged.
    TradesAttacker,
    /// The pawns before the own king stay where they are, or together.
    KeepsShelter,
    /// Pieces are exchanged by the side with more material.
    Exchanges,
    /// The king castles.
    Castles,
    /// A rook comes to a file without pawns.
    OpenFile,
    /// A pawn in the centre attacks another.
    StrikesCentre,
    /// A pawn takes its place in the centre.
    TakesCentre,
    /// A knight or a bishop leaves its first rank.
    Develops,
    /// A knight takes its place in the centre.
    Centralizes,
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
            Kind::ThreatensPiece => "idea.attacks",
            Kind::Threatens => "idea.threatens",
            Kind::StrikesPawn => "idea.strikes-pawn",
            Kind::KingForward => "idea.king-forward",
            Kind::Relieves => "idea.relieves",
            Kind::PushesPassed => "idea.pushes-passed",
            Kind::Kicks => "idea.kicks",
            Kind::Attacks => "idea.attacks",
            Kind::Pins => "idea.pins",
            Kind::SpoilsPawns => "idea.spoils-pawns",
            Kind::TakesUnguarded => "idea.takes-unguarded",
            Kind::KeepsOut => "idea.keeps-out",
            Kind::TradesAttacker => "idea.trades-attacker",
            Kind::KeepsShelter => "idea.keeps-shelter",
            Kind::Exchanges => "idea.exchanges",
            Kind::Castles => "idea.castles",
            Kind::OpenFile => "idea.open-file",
            Kind::StrikesCentre => "idea.strikes-centre",
            Kind::TakesCentre => "idea.takes-centre",
            Kind::Develops => "idea.develops",
            Kind::Centralizes => "idea.centralizes",
        }
    }

    /// True for what a capture may do besides: an attack, a threat, a square that is guarded.
    pub(super) fn is_besides(self) -> bool {
        matches!(
            self,
            Kind::ThreatensPiece
                | Kind::Threatens
                | Kind::Kicks
                | Kind::Attacks
                | Kind::Pins
                | Kind::KeepsOut
        )
    }

    /// True for the same kind: an attack by a pawn is an attack.
    pub(super) fn is_like(self, other: Kind) -> bool {
        let general = |kind| if kind == Kind::Kicks { Kind::Attacks } else { kind };
        general(self) == general(other)
    }

    /// True for what every book advises, but no player blames a great loss on.
    pub(super) fn is_slight(self) -> bool {
        self >= Kind::Castles
    }
}

/// An idea of a move.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Idea {
    pub kind: Kind,
    /// The piece that it is about, or the place where one goes.
    pub piece: (Role, Square),
    /// What else its words name.
    pub detail: Detail,
}

/// What the words of an idea name besides its piece.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Detail {
    None,
    /// The move that is threatened, in SAN.
    Threat(String),
    /// A quiet move that is threatened, and what it wins, in words.
    Wins(String, String),
    /// A move that is threatened, and the moves to the mate that it begins.
    Mates(String, i32),
    /// The piece that guarded another until now, or to which another is pinned.
    Other(Role),
    /// A second piece that is attacked.
    Both(Role, Square),
}

impl Idea {
    pub(super) fn text(&self, texts: &Texts) -> String {
        let (role, square) = self.piece;
        let piece = material::piece(texts, role, Some(square));
        let name = material::piece(texts, role, None);
        let one = material::list(texts, &[role]);
        let file = square.file().char().to_string();
        let square = square.to_string();
        let (moves, other) = match &self.detail {
            Detail::None => Default::default(),
            Detail::Threat(san) => (san.clone(), String::new()),
            Detail::Wins(san, what) => (san.clone(), what.clone()),
            Detail::Mates(san, count) => (san.clone(), count.to_string()),
            Detail::Other(role) => (String::new(), material::piece(texts, *role, None)),
            Detail::Both(role, square) => {
                (String::new(), material::piece(texts, *role, Some(*square)))
            }
        };
        let values = [
            ("piece", piece.as_str()),
            ("name", &name),
            ("one", &one),
            ("square", &square),
            ("moves", &moves),
            ("other", &other),
            ("file", &file),
        ];
        let key = match self.detail {
            Detail::Wins(..) => "idea.threatens-win",
            Detail::Mates(..) => "idea.threatens-mate",
            Detail::Both(..) => "idea.attacks-both",
            _ => self.kind.key(),
        };
        tell(texts, key, &values)
    }
}

/// True for the files c to f.
fn is_central(file: File) -> bool {
    (File::C..=File::F).contains(&file)
}

/// True for a piece whose pin is worth naming: a pawn often could not go anyway.
fn is_pinnable(role: Role) -> bool {
    matches!(role, Role::Knight | Role::Bishop | Role::Rook)
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
            self.pushes_passed(),
            self.kicks(must_show).or_else(|| self.attacks(must_show)),
            self.pins(must_show),
            self.spoils_pawns(),
            self.open_file(),
            self.exchanges(),
        ];
        found.into_iter().chain(self.opening_ideas()).flatten().collect()
    }

    fn idea(&self, kind: Kind, square: Square) -> Option<Idea> {
        let role = self.after().role_at(square)?;
        Some(Idea { kind, piece: (role, square), detail: Detail::None })
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

    /// A piece is exchanged, and a pawn takes back that has then another before or behind it, or none beside it, not so
    /// before.
    fn spoils_pawns(&self) -> Option<Idea> {
        let (to, reply) = (arrival(self.m), self.answer()?);
        let then = self.line.games.get(self.ply + 2)?.position().board();
        // A pawn that falls next is lost, not weak.
        let falls = self.next() == Some(to);
        let is_piece = self.m.capture().is_some_and(|taken| taken != Role::Pawn);
        let is_retaken = reply.is_capture() && arrival(reply) == to && reply.role() == Role::Pawn;
        if falls
            || !is_piece
            || !is_retaken
            || self.spoils_shelter().is_some()
            || value(self.m.role()) > self.m.capture().map_or(0, value)
        {
            return None;
        }
        let count = |board: &Board| {
            let doubled = doubled(board, !self.side).len();
            doubled + isolated(board, !self.side).count()
        };
        let has_more = count(then) > count(self.before());
        // It must still be weak where the line ends.
        let is_weak_on = |board: &Board| {
            pawns(board, !self.side).contains(to)
                && (doubled(board, !self.side).contains(&to.file())
                    || isolated(board, !self.side).contains(to))
        };
        let is_weak = is_weak_on(then) && is_weak_on(self.line.end().position().board());
        let piece = (Role::Pawn, to);
        (has_more && is_weak).then_some(Idea {
            kind: Kind::SpoilsPawns,
            piece,
            detail: Detail::None,
        })
    }

    /// A rook leaves a file with a pawn of its side for one without any pawn, and is safe there.
    fn open_file(&self) -> Option<Idea> {
        let (from, to) = (self.m.from()?, arrival(self.m));
        let has =
            |pawns: Bitboard, square: Square| (pawns & Bitboard::from_file(square.file())).any();
        let is_meant = self.m.role() == Role::Rook
            && self.m.castling_side().is_none()
            && !self.m.is_capture()
            && has(pawns(self.after(), self.side), from)
            && !has(self.after().pawns(), to)
            && !is_loose(self.after(), to);
        is_meant.then(|| self.idea(Kind::OpenFile, to))?
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

    /// Where the side's next move goes.
    pub(super) fn next(&self) -> Option<Square> {
        self.line.moves.get(self.ply + 2).map(|m| arrival(*m))
    }

    /// True if the next move captures what has just moved and loses nothing by it. Who must give a greater piece for it has only
    /// met a threat.
    pub(super) fn is_answered_by_its_capture(&self) -> bool {
        let is_dear = self.answer().is_some_and(|reply| value(reply.role()) > value(self.m.role()));
        self.is_recaptured() && (self.m.is_capture() || !is_dear)
    }

    /// True if the next move captures what has just moved, and nothing takes back.
    pub(super) fn is_given(&self) -> bool {
        self.is_recaptured() && self.next() != Some(arrival(self.m))
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

    pub(super) fn has_enemy_queen(&self) -> bool {
        (self.after().queens() & self.after().by_color(!self.side)).any()
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
        let piece = (Role::King, to);
        let idea = |kind| Some(Idea { kind, piece, detail: Detail::None });
        // A check that attacks a piece as well is meant for that.
        let them = self.after().by_color(!self.side) & !self.after().kings();
        let prey = self.after().attacks_from(arrival(self.m)) & them & !self.after().pawns();
        if prey.into_iter().any(|square| is_loose(self.after(), square)) {
            return None;
        }
        // A step beside its first rank, away from the centre, is no march.
        let is_exposed = rank_of(to, !self.side) > 1 || is_central(to.file());
        if rank_of(to, !self.side) > rank_of(king, !self.side) && is_exposed {
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
        may_castle.then(|| Idea {
            kind: Kind::TradesCastling,
            piece: (Role::King, arrival(reply)),
            detail: Detail::None,
        })
    }

    /// A king goes forward in an ending without queens.
    fn king_forward(&self) -> Option<Idea> {
        let (from, to) = (self.m.from()?, arrival(self.m));
        // A king that leaves a check goes where it can.
        let is_forward = self.m.role() == Role::King
            && !self.game().now().is_check()
            && self.m.castling_side().is_none()
            && !self.m.is_capture()
            && rank_of(to, self.side) > rank_of(from, self.side);
        (is_forward && self.after().queens().is_empty())
            .then(|| self.idea(Kind::KingForward, to))?
    }

    /// A passed pawn goes on in the enemy's half.
    fn pushes_passed(&self) -> Option<Idea> {
        let to = arrival(self.m);
        let is_passed = self.m.role() == Role::Pawn
            && !self.m.is_capture()
            && rank_of(to, self.side) >= PASSED_RANK
            && passed(self.after(), self.side).contains(to)
            && !is_loose(self.after(), to);
        is_passed.then(|| self.idea(Kind::PushesPassed, to))?
    }

    /// A pawn attacks a piece and drives it from its square. Where it must show, the piece goes at once, or after pawns have
    /// taken each other on the pawn's square.
    fn kicks(&self, must_show: bool) -> Option<Idea> {
        let to = arrival(self.m);
        let is_retaken = self.is_recaptured() && {
            let back = self.line.moves.get(self.ply + 2);
            back.is_some_and(|m| m.role() == Role::Pawn && arrival(*m) == to)
        };
        if self.m.role() != Role::Pawn
            || self.m.promotion().is_some()
            || !is_retaken && (self.is_recaptured() || is_loose(self.after(), to))
        {
            return None;
        }
        let leaves = |square: Square, ply: usize| {
            let reply = self.line.moves.get(ply);
            reply.is_some_and(|m| m.from() == Some(square) && arrival(*m) != to && !m.is_capture())
        };
        let shows = |square: &Square| {
            let later = is_retaken && leaves(*square, self.ply + 3);
            !must_show || leaves(*square, self.ply + 1) || later
        };
        let pieces =
            self.after().by_color(!self.side) & !self.after().pawns() & !self.after().kings();
        let targets = attacks::pawn_attacks(self.side, to) & pieces;
        // Of two pieces at once, one falls.
        let target = targets.single_square().filter(shows)?;
        self.idea(Kind::Kicks, target)
    }

    /// The moved piece attacks one that is worth more or undefended. Where it must show, the attacked piece leaves or falls.
    fn attacks(&self, must_show: bool) -> Option<Idea> {
        let (board, to) = (self.after(), arrival(self.m));
        if is_loose(board, to) || self.is_recaptured() || self.m.castling_side().is_some() {
            return None;
        }
        let role = board.role_at(to)?;
        let old = self.m.from().map_or(Bitboard::EMPTY, |from| self.before().attacks_from(from));
        let is_target = |&square: &Square| {
            board.role_at(square).is_some_and(|other| {
                let is_free = is_undefended(board, square, !self.side);
                let is_pawn = other == Role::Pawn;
                // A pawn counts in an ending, a piece that attacks back does not.
                (!is_pawn || board.queens().is_empty() && is_free)
                    && other != Role::King
                    && !(other == Role::Queen && role == Role::Queen)
                    && (value(other) > value(role)
                        || is_free && !board.attacks_from(square).contains(to))
            })
        };
        let shows = |&square: &Square| {
            let leaves = self.answer().is_some_and(|reply| reply.from() == Some(square));
            let falls = self.line.moves.get(self.ply + 2).is_some_and(|m| arrival(*m) == square);
            !must_show || leaves || falls
        };
        let them = board.by_color(!self.side);
        let targets = board.attacks_from(to) & them & !old;
        let worth = |square: &Square| board.role_at(*square).map(value);
        let found = targets.into_iter().filter(is_target);
        let target = found.filter(shows).max_by_key(worth)?;
        // Two pieces that are attacked at once tell more than one.
        let others = targets.into_iter().filter(|square| *square != target && is_target(square));
        let other = others.filter(|square| worth(square) > Some(value(Role::Pawn)));
        let other =
            other.max_by_key(worth).and_then(|square| Some((board.role_at(square)?, square)));
        let detail = other.map_or(Detail::None, |(role, square)| Detail::Both(role, square));
        self.idea(Kind::Attacks, target).map(|idea| Idea { detail, ..idea })
    }

    /// The moved piece pins a knight, bishop or rook to the king, or a knight or bishop to a queen worth more than both.
    /// Where it must show, the pinned piece does not go at once.
    fn pins(&self, must_show: bool) -> Option<Idea> {
        let (before, board, to) = (self.before(), self.after(), arrival(self.m));
        let role = board.role_at(to)?;
        if is_loose(board, to) || self.is_recaptured() {
            return None;
        }
        let behind = |board: &Board, pinned: Square| {
            let prey = board.role_at(pinned).filter(|role| is_pinnable(*role))?;
            let without = board.occupied() ^ Bitboard::from(pinned);
            let through = attacks::attacks(to, role.of(self.side), without);
            let line = attacks::ray(to, pinned) & through & !Bitboard::from(pinned);
            let is_one = |square: &Square| {
                let is_enemy = board.color_at(*square) == Some(!self.side);
                is_enemy && attacks::between(to, *square).contains(pinned)
            };
            let back = board.role_at(line.into_iter().find(is_one)?)?;
            let is_worth = back == Role::King
                || back == Role::Queen && role != Role::Queen && prey != Role::Rook;
            // What could take the pinning piece is not pinned.
            (is_worth && !board.attacks_from(pinned).contains(to)).then_some(back)
        };
        // A pin that the enemy ends at once is none, unless the pinned piece has fallen.
        let lasts = |square: Square| {
            let games = self.line.games.iter().skip(self.ply + 2).take(PINNED_FOR);
            let mut boards = games.map(|game| game.position().board());
            boards.all(|board| {
                board.color_at(square) != Some(!self.side) && board.color_at(square).is_some()
                    || behind(board, square).is_some()
            })
        };
        let pieces = board.attacks_from(to) & board.by_color(!self.side);
        let (square, back) = pieces.into_iter().find_map(|square| {
            let back = behind(board, square).filter(|_| !must_show || lasts(square))?;
            Some((square, back))
        })?;
        let was = self.m.from().is_some_and(|from| before.attacks_from(from).contains(square));
        let idea = self.idea(Kind::Pins, square).filter(|_| !was)?;
        Some(Idea { detail: Detail::Other(back), ..idea })
    }

    /// The side with more material exchanges a piece for its like.
    fn exchanges(&self) -> Option<Idea> {
        let (to, taken) = (arrival(self.m), self.m.capture()?);
        let sum = |side: Color| -> i32 {
            let pieces = self.before().by_color(side) & !self.before().kings();
            pieces.into_iter().filter_map(|square| self.before().role_at(square)).map(value).sum()
        };
        let is_alike = taken != Role::Pawn && value(taken) == value(self.m.role());
        (is_alike && self.is_recaptured() && sum(self.side) - sum(!self.side) >= AHEAD)
            .then(|| self.idea(Kind::Exchanges, to))?
    }

    /// What books advise in the opening: castling, the centre, development.
    fn opening_ideas(&self) -> [Option<Idea>; 3] {
        let game = &self.line.games[self.ply];
        let (board, to) = (self.after(), arrival(self.m));
        let is_opening = u32::from(game.position().fullmoves()) <= OPENING && self.has_queen();
        if self.m.castling_side().is_some() {
            let king = board.king_of(self.side).filter(|_| self.has_queen());
            return [king.and_then(|king| self.idea(Kind::Castles, king)), None, None];
        }
        let Some(from) = self.m.from().filter(|_| is_opening && !self.m.is_capture()) else {
            return [None, None, None];
        };
        let develops = material::is_minor(self.m.role())
            && rank_of(from, self.side) == 0
            && rank_of(to, self.side) > 0
            && !is_loose(board, to);
        let in_centre = [Square::D4, Square::E4, Square::D5, Square::E5].contains(&to);
        let centralizes = self.m.role() == Role::Knight && in_centre && !is_loose(board, to);
        let middle = Bitboard::from_rank(Rank::Fourth) | Bitboard::from_rank(Rank::Fifth);
        let strikes = attacks::pawn_attacks(self.side, to) & pawns(board, !self.side) & middle;
        let kind = if strikes.any() { Kind::StrikesCentre } else { Kind::TakesCentre };
        let takes = self.m.role() == Role::Pawn && in_centre && !is_loose(board, to);
        [
            develops.then(|| self.idea(Kind::Develops, to)).flatten(),
            takes.then(|| self.idea(kind, to)).flatten(),
            centralizes.then(|| self.idea(Kind::Centralizes, to)).flatten(),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::line::chess_line as line;
    use crate::texts::{self, Lang};

    /// The ideas of the first move of a line, in words.
    fn told(lang: Lang, fen: &str, moves: &str) -> Vec<String> {
        let line = line(fen, moves);
        let ideas = Step::new(&line, 0).unwrap().ideas(true);
        ideas.iter().map(|idea| idea.text(&texts::of(lang))).collect()
    }

    /// A line has the idea, in both languages, another line from nearly the same place has none.
    fn check(fen: &str, moves: &str, [english, spanish]: [&str; 2], near: [&str; 2]) {
        assert_eq!(told(Lang::En, fen, moves), [english]);
        assert_eq!(told(Lang::Es, fen, moves), [spanish]);
        assert_eq!(told(Lang::En, near[0], near[1]), [""; 0], "{english}");
    }

    #[test]
    fn pieces_are_attacked_if_they_must_leave() {
        let fen = "r2qk3/pp3ppp/8/1p6/N7/8/PPP2PPP/R2QK3 w - - 0 20";
        let black = fen.replace(" w ", " b ").replace("/1p6/", "/8/");
        let words = ["drives the knight on a4 away", "desaloja el caballo de a4"];
        // After another answer nothing shows that the knight was in danger.
        check(&black, "b7b5 a4c5", words, [&black, "b7b5 h2h3"]);
        let own = "4k3/8/8/3q4/8/2N5/8/4K3 w - - 0 20";
        assert!(told(Lang::En, own, "c3b1 d5e4").is_empty());
    }

    #[test]
    fn pins_and_weak_pawns_must_last() {
        let says = |fen: &str, moves: &str, words: &str| {
            told(Lang::En, fen, moves).iter().any(|idea| idea == words)
        };
        let fen = "rnbqkbnr/ppp2ppp/4p3/3p4/3P4/2N2N2/PPP1BPPP/R1BQK2R b KQkq - 0 5";
        let pin = "pins the knight on c3 to the king";
        assert!(says(fen, "f8b4 h2h3 g8f6 a2a4", pin));
        assert!(!says(fen, "f8b4 c1d2 g8f6 h2h3", pin), "a bishop comes between");
        assert!(!says(fen, "f8b4 e1g1 g8f6 h2h3", pin), "castled out of it");
        let fen = "r1bqk2r/pppp1ppp/2n2n2/4p3/1bB1P3/2N2N2/PPPP1PPP/R1BQ1RK1 b kq - 0 5";
        let weak = "leaves a weak pawn on c3";
        assert!(says(fen, "b4c3 b2c3 e8g8 h2h3", weak));
        assert!(!says(fen, "b4c3 b2c3 e8g8 c4b3 h7h6 c3c4", weak), "it goes on");
    }

    #[test]
    fn a_pawn_drives_a_piece_away_after_pawns_were_exchanged() {
        let fen = "r2qkb1r/pbp2ppp/1pn1pn2/8/2PP4/2N1BN2/PP2BPPP/R2QK2R w KQkq - 2 9";
        let kicked = |moves: &str| {
            told(Lang::En, fen, moves).contains(&"drives the knight on c6 away".to_string())
        };
        assert!(kicked("d4d5 c6e7") && kicked("d4d5 e6d5 c4d5 c6b8"));
        assert!(!kicked("d4d5 e6d5 c4d5 h7h6"), "it stays");
    }

    #[test]
    fn two_pieces_may_be_attacked_at_once() {
        let fen = "r3k2r/ppp2ppp/8/8/6n1/8/PPP3PP/R2Q1RK1 b kq - 0 13";
        let words =
            ["attacks the queen on d1 and the rook on f1", "ataca la dama de d1 y la torre de f1"];
        let near = fen.replace("R2Q1RK1", "1R1Q2K1");
        check(fen, "g4e3 d1d2", words, [&near, "g4e3 b1a1"]);
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
        let told = told(Lang::En, centre, "c4e6 f7e6");
        assert!(!told.contains(&words[0].to_string()), "towards the centre: {told:?}");
    }

    #[test]
    fn a_pawn_that_takes_back_may_be_weak() {
        let fen = "3qk3/pp3ppp/n7/8/8/8/PP2BPPP/3QK3 w - - 0 12";
        let words = ["leaves a weak pawn on a6", "deja un peón débil en a6"];
        // The queen takes back.
        let near = fen.replace("pp3ppp", "p4ppp").replace("3qk3", "2q1k3");
        check(fen, "e2a6 b7a6", words, [&near, "e2a6 c8a6"]);
        let falls = fen.replace("3QK3", "4KQ2");
        assert!(told(Lang::En, &falls, "e2a6 b7a6 f1a6").is_empty(), "it is lost");
    }

    #[test]
    fn rooks_come_to_open_files() {
        let words = ["brings the rook to the open e-file", "lleva la torre a la columna e abierta"];
        let fen = "r2q1rk1/ppp2ppp/8/8/8/8/PPPP1PPP/R2Q1RK1 w - - 0 20";
        check(fen, "f1e1 d8d7", words, [fen, "a1b1 d8d7"]);
        let half_open = fen.replace("ppp2ppp", "ppp1pppp");
        assert!(
            told(Lang::En, &half_open, "f1e1 d8d7").is_empty(),
            "a black pawn stands on the file"
        );
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
        assert!(told(Lang::En, fen, "a1d1 g8f8 d1a1 f8e7 a1a7").is_empty());
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
        let fen = "3qk3/5p2/8/8/8/8/6PP/3Q2K1 w - - 0 30";
        let forward = ["drives the king to e7", "empuja al rey a e7"];
        check(fen, "d1a4 e8e7", forward, [fen, "d1a4 e8f8"]);
        let queens = "r1b2rk1/1p3qp1/1p3p1p/pP2p3/P3P3/1Q6/1B1R1PPP/3R2K1 w - - 4 26";
        assert!(told(Lang::En, queens, "b3f7 g8f7").is_empty(), "the king takes the queen");
        let luft = "r1r2k2/1RpQRppp/p1p5/8/8/7P/q1P2PP1/6K1 b - - 5 19";
        assert!(told(Lang::En, luft, "a2a1 g1h2").is_empty(), "the king is as safe there");
        let knight = "4k3/n4p2/7q/8/8/8/6PP/3Q2K1 w - - 0 30";
        let meant = ["attacks the knight on a7"];
        assert_eq!(told(Lang::En, knight, "d1a4 e8e7 a4a7"), meant);
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
            told(Lang::En, "8/8/8/5k2/8/8/8/5R1K b - - 0 48", "f5e4").is_empty(),
            "the king leaves a check"
        );
        let pawn = "6k1/5ppp/8/8/3P4/8/5PPP/6K1 w - - 0 30";
        let words = ["pushes the passed pawn to d5", "avanza el peón pasado a d5"];
        check(pawn, "d4d5", words, [&pawn.replace("5ppp/8/", "5ppp/4p3/"), "d4d5 e6d5"]);
    }

    #[test]
    fn a_piece_is_pinned_to_what_stands_behind_it() {
        let fen = "3qk3/p3bppp/5n2/8/8/8/P4PPP/2B1K3 w - - 0 20";
        let bare = fen.replace("p3bppp", "p4ppp");
        let words = ["pins the knight on f6 to the queen", "clava el caballo de f6 contra la dama"];
        check(&bare, "c1g5 h7h6", words, [fen, "c1g5 h7h6"]);
        assert!(told(Lang::En, &bare, "c1g5 f6e4").is_empty(), "it goes");
    }

    #[test]
    fn who_is_ahead_exchanges() {
        let fen = "3r2k1/5ppp/8/8/8/8/1B3PPP/3R2K1 w - - 0 30";
        let words =
            ["exchanges a rook while ahead in material", "cambia una torre con ventaja material"];
        let even = fen.replace("1B3PPP", "5PPP");
        let recaptured = "3rr1k1/5ppp/8/8/8/8/1B3PPP/3RR1K1 w - - 0 30";
        check(recaptured, "d1d8 e8d8", words, [&even.replace("3r2k1", "3rr1k1"), "d1d8 e8d8"]);
    }

    #[test]
    fn openings_have_development_castling_and_the_centre() {
        let fen = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
        let endgame = "4k3/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/1N2K1NR w - - 0 2";
        let words = ["develops the knight", "desarrolla el caballo"];
        check(fen, "b1c3", words, [endgame, "b1c3"]);
        let words = ["strikes at the centre", "golpea en el centro"];
        check(fen, "d2d4", words, [fen, "d2d3"]);
        let words = ["takes its place in the centre", "ocupa su sitio en el centro"];
        check(
            &fen.replace("4p3", "8").replace("pppp1ppp", "pppppppp"),
            "d2d4",
            words,
            [fen, "c2c4"],
        );
        let castle = "r3k2r/pppqpppp/8/8/8/8/PPPQPPPP/R3K2R w KQkq - 0 9";
        let words = ["brings the king to safety", "pone al rey a salvo"];
        check(castle, "e1g1", words, [castle, "e1f1"]);
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
