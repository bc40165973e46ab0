//! A line of moves with its positions, its pieces followed from the first to the last, and its terms.

use shakmaty::{Board, Color, EnPassantMode, Move, Piece, PositionError, Role, Square};

use engine::evaluation::{Breakdown, Evaluation, Evaluator, TermKind, Variant};
use engine::rules::Game;

/// One piece on its way through a line.
#[derive(Clone, Copy, Debug)]
pub struct TrackedPiece {
    /// Its colour.
    pub color: Color,
    /// Its role at the beginning, or when it was dropped.
    pub role: Role,
    /// Its square at the beginning, or where it was dropped.
    pub from: Square,
    /// Where it stands at the end; `None` if it was captured.
    pub square: Option<Square>,
    /// Its role at the end.
    pub role_at_end: Role,
    /// The square to which the first move took it.
    pub first_step: Option<Square>,
    /// The ply of its capture, from 0, and the square.
    pub captured: Option<(usize, Square)>,
}

impl TrackedPiece {
    /// True if the piece was captured where it stood at the beginning, or where the first move put it: a
    /// reader knows which one is meant.
    pub fn has_known_place(&self) -> bool {
        self.captured
            .is_some_and(|(_, square)| square == self.from || self.first_step == Some(square))
    }

    /// True if it is a pawn that becomes another piece.
    pub fn promotes(&self) -> bool {
        self.role == Role::Pawn && self.role_at_end != Role::Pawn
    }
}

/// A line from a game.
#[derive(Clone)]
pub struct PlayedLine<P> {
    /// Positions before the first move, …, after the last.
    pub games: Vec<Game<P>>,
    /// The moves.
    pub moves: Vec<Move>,
    /// The pieces.
    pub tracked: Vec<TrackedPiece>,
}

impl<P: Variant> PlayedLine<P> {
    /// Plays `moves` from the end of `game`.
    pub fn new(game: &Game<P>, moves: &[Move]) -> PlayedLine<P> {
        let tracked = pieces(game.position().board()).map(|(square, piece)| TrackedPiece {
            color: piece.color,
            role: piece.role,
            from: square,
            square: Some(square),
            role_at_end: piece.role,
            first_step: None,
            captured: None,
        });
        let mut line =
            PlayedLine { games: vec![game.clone()], moves: Vec::new(), tracked: tracked.collect() };
        moves.iter().for_each(|&m| line.play(m));
        line
    }

    /// The first `plies` of the line, or all of a shorter one.
    pub fn beginning(&self, plies: usize) -> PlayedLine<P> {
        PlayedLine::new(&self.games[0], &self.moves[..plies.min(self.moves.len())])
    }

    /// The position after the last move.
    pub fn end(&self) -> &Game<P> {
        &self.games[self.games.len() - 1]
    }

    /// Adds a move.
    pub fn play(&mut self, m: Move) {
        let (color, ply) = (self.end().now().turn(), self.moves.len());
        let mut after = self.end().clone();
        after.play(m);
        let board = after.position().board().clone();
        let mut steps = Vec::new();
        match (m, m.castling_side()) {
            (Move::Castle { king, rook }, Some(side)) => {
                steps.extend([(king, side.king_to(color)), (rook, side.rook_to(color))]);
            }
            (Move::Put { role, to }, _) => {
                let (square, first_step, captured) = (Some(to), None, None);
                let (from, role_at_end) = (to, role);
                self.tracked.push(TrackedPiece {
                    color,
                    role,
                    from,
                    square,
                    role_at_end,
                    first_step,
                    captured,
                });
            }
            (m, _) => steps.extend(m.from().map(|from| (from, m.to()))),
        }
        for tracked in &mut self.tracked {
            let Some(square) = tracked.square else { continue };
            let step = steps.iter().find(|(from, _)| tracked.color == color && *from == square);
            if let Some((_, to)) = step.filter(|_| ply == 0) {
                tracked.first_step = Some(*to);
            }
            let square = step.map_or(square, |(_, to)| *to);
            // Whatever removed it, a capture or an explosion, it is no longer there.
            match board.piece_at(square).filter(|piece| piece.color == tracked.color) {
                Some(piece) => (tracked.square, tracked.role_at_end) = (Some(square), piece.role),
                None => (tracked.square, tracked.captured) = (None, Some((ply, square))),
            }
        }
        self.games.push(after);
        self.moves.push(m);
    }

    /// The terms after each ply, the position before the first move first.
    pub fn terms(&self, evaluator: &Evaluation<P>) -> Vec<Terms> {
        self.games.iter().map(|game| Terms::of(&evaluator.explain(game.position()))).collect()
    }
}

/// The pieces of a board with their squares.
fn pieces(board: &Board) -> impl Iterator<Item = (Square, Piece)> {
    board.occupied().into_iter().filter_map(|square| Some((square, board.piece_at(square)?)))
}

/// The terms of a position at its phase, in centipawns.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Terms(pub Vec<(TermKind, [i32; 2])>);

impl Terms {
    /// The terms of an explained evaluation: White's and Black's share of each.
    pub fn of(breakdown: &Breakdown) -> Terms {
        let shares = breakdown.terms.iter().map(|term| {
            let value = term.value;
            let at_phase =
                [value.white.at_phase(breakdown.phase), value.black.at_phase(breakdown.phase)];
            (term.kind, at_phase)
        });
        Terms(shares.collect())
    }

    /// The share of `color` in a term; 0 if the position has no such term.
    pub fn share(&self, kind: TermKind, color: Color) -> i32 {
        let found = self.0.iter().find(|(other, _)| *other == kind);
        found.map_or(0, |(_, [white, black])| color.fold_wb(*white, *black))
    }

    /// The lead of `color` in a term.
    pub fn lead(&self, kind: TermKind, color: Color) -> i32 {
        self.share(kind, color) - self.share(kind, !color)
    }

    /// The lead of `color` in all terms.
    pub fn total(&self, color: Color) -> i32 {
        self.0.iter().map(|(kind, _)| self.lead(*kind, color)).sum()
    }
}

/// The share that the piece on `square` has in one term of its side: the difference that it makes to be
/// taken off the board. `None` where the rules do not allow the position without it.
pub fn share_of_piece<P: Variant>(
    evaluator: &Evaluation<P>,
    position: &P,
    kind: TermKind,
    square: Square,
) -> Option<i32> {
    let color = position.board().color_at(square)?;
    let mut setup = position.to_setup(EnPassantMode::Legal);
    setup.board.discard_piece_at(square);
    setup.castling_rights.discard(square);
    setup.ep_square = None;
    let mode = position.castles().mode();
    let build = |setup| P::from_setup(setup, mode).or_else(PositionError::ignore_impossible_check);
    // A check may be discovered on the side that is not to move; the terms do not depend on the turn.
    let without = build(setup.clone()).or_else(|_| {
        setup.swap_turn();
        build(setup)
    });
    let share = |position: &P| Terms::of(&evaluator.explain(position)).share(kind, color);
    Some(share(position) - share(&without.ok()?))
}

/// A line of chess from a position, for tests.
#[cfg(test)]
pub(crate) fn chess_line(fen: &str, moves: &str) -> PlayedLine<shakmaty::Chess> {
    test_line(fen, moves)
}

/// The same in any rule set.
#[cfg(test)]
pub(crate) fn test_line<P: Variant>(fen: &str, moves: &str) -> PlayedLine<P> {
    use engine::rules::setup::{self, Start};
    let start = Start::Fen(fen.to_string());
    let game = setup::game::<P>(&start, &[], shakmaty::CastlingMode::Standard).unwrap().0;
    let mut line = PlayedLine::new(&game, &[]);
    for text in moves.split_whitespace() {
        let m = setup::read_move(line.end().position(), text).unwrap();
        line.play(m);
    }
    line
}

#[cfg(test)]
mod tests {
    use super::test_line as line;
    use super::*;
    use engine::evaluation::linear::Weights;
    use shakmaty::Position;

    #[test]
    fn pieces_are_followed_through_castling_promotion_and_capture() {
        let fen = "r3k3/1P6/8/8/4p3/8/3P4/4K2R w K - 0 1";
        let line = line::<shakmaty::Chess>(fen, "d2d4 e4d3 e1g1 a8a1 b7b8q e8e7 f1a1");
        let piece =
            |square: Square| *line.tracked.iter().find(|piece| piece.from == square).unwrap();
        assert_eq!(piece(Square::D2).captured, Some((1, Square::D4)), "en passant");
        assert_eq!(piece(Square::E1).square, Some(Square::G1));
        assert_eq!(piece(Square::H1).square, Some(Square::A1));
        assert_eq!(piece(Square::A8).captured, Some((6, Square::A1)));
        let queen = piece(Square::B7);
        assert_eq!((queen.role, queen.role_at_end), (Role::Pawn, Role::Queen));
    }

    #[test]
    fn explosions_take_the_neighbours_with_them() {
        let fen = "4k3/8/8/3nb3/8/8/8/3RK3 w - - 0 1";
        let line = line::<shakmaty::variant::Atomic>(fen, "d1d5");
        let lost = line.tracked.iter().filter(|piece| piece.captured.is_some()).count();
        assert_eq!(lost, 3, "rook, knight and bishop");
    }

    #[test]
    fn shares_of_pieces_add_up_to_the_term() {
        let fen = "r1bq1rk1/pp3ppp/2n1pn2/2pp4/2PP4/P1PBPN2/5PPP/R1BQ1RK1 b - - 0 9";
        let line = line::<shakmaty::Chess>(fen, "");
        let position = line.end().position();
        // Without a piece the phase changes, and the worth of all others with it, unless it is the same in all phases.
        let weights = Weights { safety: (30, 30), proximity: (20, 20) };
        let evaluator = Evaluation::linear(weights);
        let share =
            |square| share_of_piece(&evaluator, position, TermKind::KingSafety, square).unwrap();
        let white = position.board().white() & !position.board().kings();
        let sum: i32 = white.into_iter().map(share).sum();
        let whole =
            Terms::of(&evaluator.explain(position)).share(TermKind::KingSafety, Color::White);
        assert_eq!(sum, whole);
        assert_ne!(whole, 0);
    }
}
