//! The evaluator of the three terms: material plus two tables of pieces and kings.
//!
//! The [linear form](super::linear) fills the tables with a formula that fits on a page; [fitted
//! tables](super::tables) fill them with numbers. Either way a position is the sum of its parent and the
//! few pieces that changed. Only after a move of a king its view is summed again.

use std::marker::PhantomData;
use std::sync::Arc;

use shakmaty::{Board, ByColor, Color, Role, Square};

use super::linear::{self, Weights};
use super::{
    Breakdown, Evaluator, KingTable, PIECES, Tapered, Term, TermKind, Variant,
    board_diff::for_each_change, contributions, king_drive, material,
};
use crate::score::{MAX_PLY, Score};

/// Squares left or entered from which on a new sum costs less than the difference.
const MANY_CHANGES: usize = 8;

/// Material, king safety and king proximity under the rules `P`. Clones share their tables.
#[derive(Clone, Debug)]
pub struct KingTerms<P> {
    tables: Arc<KingTables>,
    /// Weight of the rule set's own term, in per cent.
    own_term: i32,
    rules: PhantomData<fn() -> P>,
}

#[derive(PartialEq, Eq, Debug)]
struct KingTables {
    safety: KingTable,
    proximity: KingTable,
    /// Safety with the piece's material added: one look-up instead of two.
    own: KingTable,
}

impl<P> PartialEq for KingTerms<P> {
    fn eq(&self, other: &Self) -> bool {
        self.tables == other.tables && self.own_term == other.own_term
    }
}

/// White minus Black, split by the king that the pieces are seen from.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Sums {
    board: Board,
    seen_from: ByColor<Tapered>,
    /// Phase of the board; counting its pieces again would cost as much as the sums.
    phase: i32,
}

/// The sums of the positions last evaluated, one a ply. Any of them is a valid base for any position;
/// that of the parent differs by the fewest pieces.
pub struct SumsByPly(Box<[Sums]>);

impl<P: Variant> KingTerms<P> {
    /// The evaluator of the given two tables.
    pub fn new(safety: KingTable, proximity: KingTable) -> KingTerms<P> {
        let own = safety.plus(|role| {
            let value = material::value::<P>(role);
            Tapered::new(value, value)
        });
        let tables = Arc::new(KingTables { safety, proximity, own });
        KingTerms { tables, own_term: 100, rules: PhantomData }
    }

    /// The linear form.
    pub fn linear(weights: Weights) -> KingTerms<P> {
        KingTerms::new(linear::table(weights.safety), linear::table(weights.proximity))
    }

    /// The same with another weight of the rule set's own term, in per cent.
    pub fn with_own_term(self, own_term: i32) -> KingTerms<P> {
        KingTerms { own_term, ..self }
    }

    /// The score of a position for the side to move, added up from scratch.
    pub fn score(&self, position: &P) -> Score {
        self.taper(position, &self.sums(position.board()))
    }

    /// The worth of a piece, White minus Black, seen from `king` of colour `side`.
    #[inline]
    fn piece(
        &self,
        side: Color,
        king: Square,
        owner: Color,
        role: Role,
        square: Square,
    ) -> Tapered {
        let table = if owner == side { &self.tables.own } else { &self.tables.proximity };
        let value = table.get(P::flip(owner), role, king, square);
        owner.fold_wb(value, -value)
    }

    fn sums(&self, board: &Board) -> Sums {
        let seen_from = ByColor::new_with(|side| self.view_from(board, side));
        Sums { board: board.clone(), seen_from, phase: material::board_phase(board) }
    }

    /// The sum of all pieces seen from one king, White minus Black. A side without a king sees only its
    /// own material.
    fn view_from(&self, board: &Board, side: Color) -> Tapered {
        let Some(king) = royal_king::<P>(board, side) else {
            let value = material::term::<P>(board, side);
            return side.fold_wb(value, -value);
        };
        let mut sum = Tapered::ZERO;
        for_each_change(&Board::empty(), board, &PIECES, |owner, role, square, _| {
            sum += self.piece(side, king, owner, role, square);
        });
        sum
    }

    /// The sums of `board`, from those of another one.
    #[inline]
    fn sums_from(&self, base: &Sums, board: &Board) -> Sums {
        if (base.board.occupied() ^ board.occupied()).count() >= MANY_CHANGES {
            return self.sums(board);
        }
        let royal_kings = ByColor::new_with(|side| royal_king::<P>(board, side));
        let stays = |side: Color, king: Option<Square>| {
            king.filter(|&king| royal_king::<P>(&base.board, side) == Some(king))
        };
        let Sums { mut seen_from, mut phase, .. } = *base;
        let white = stays(Color::White, royal_kings.white);
        let black = stays(Color::Black, royal_kings.black);
        for_each_change(&base.board, board, &PIECES, |owner, role, square, is_new| {
            let sign = if is_new { 1 } else { -1 };
            phase += material::phase(role) * sign;
            if let Some(king) = white {
                seen_from.white += self.piece(Color::White, king, owner, role, square) * sign;
            }
            if let Some(king) = black {
                seen_from.black += self.piece(Color::Black, king, owner, role, square) * sign;
            }
        });
        if white.is_none() {
            seen_from.white = self.view_from(board, Color::White);
        }
        if black.is_none() {
            seen_from.black = self.view_from(board, Color::Black);
        }
        Sums { board: board.clone(), seen_from, phase }
    }

    /// The score for the side to move, from its sums.
    #[inline]
    fn taper(&self, position: &P, sums: &Sums) -> Score {
        let board = position.board();
        let white = king_drive::in_place_of_terms::<P>(board).map_or_else(
            || {
                let sum = sums.seen_from.white + sums.seen_from.black;
                let all = sum + position.own_term_lead(self.own_term);
                all.at_phase(material::faded::<P>(sums.phase))
            },
            |drive| material::lead::<P>(board, Color::White) + drive.white - drive.black,
        );
        Score::centipawns(position.turn().fold_wb(white, -white))
    }

    /// One term of one side, from scratch.
    fn term(&self, board: &Board, owner: Color, table: &KingTable, king_of: Color) -> Tapered {
        let Some(king) = royal_king::<P>(board, king_of) else { return Tapered::ZERO };
        let pieces = board.by_color(owner) & !board.kings();
        pieces.into_iter().fold(Tapered::ZERO, |sum, square| {
            board
                .role_at(square)
                .map_or(sum, |role| sum + table.get(P::flip(owner), role, king, square))
        })
    }
}

impl<P: Variant> Default for KingTerms<P> {
    /// The fitted tables of the rule set, or the linear form where there are none.
    fn default() -> KingTerms<P> {
        super::tables::fitted().unwrap_or_else(|| KingTerms::linear(Weights::DEFAULT))
    }
}

/// The king of `side`, if it has one and only one whose fate decides the game.
#[inline]
fn royal_king<P: Variant>(board: &Board, side: Color) -> Option<Square> {
    if P::ROYAL_KINGS { board.king_of(side) } else { None }
}

impl<P: Variant> Evaluator<P> for KingTerms<P> {
    type Cache = SumsByPly;

    fn new_cache(&self) -> SumsByPly {
        let empty = Sums { board: Board::empty(), seen_from: ByColor::default(), phase: 0 };
        SumsByPly(vec![empty; MAX_PLY + 1].into_boxed_slice())
    }

    #[inline]
    fn evaluate(&self, position: &P, ply: usize, SumsByPly(cache): &mut SumsByPly) -> Score {
        let ply = ply.min(MAX_PLY);
        let sums = self.sums_from(&cache[ply.saturating_sub(1)], position.board());
        let score = self.taper(position, &sums);
        cache[ply] = sums;
        score
    }

    fn explain(&self, position: &P) -> Breakdown {
        let board = position.board();
        let phase = material::phase_in::<P>(board);
        let drive = king_drive::in_place_of_terms::<P>(board);
        let term =
            |kind, value: &dyn Fn(Color) -> Tapered| Term { kind, value: ByColor::new_with(value) };
        let KingTables { safety, proximity, .. } = &*self.tables;
        let mut terms = vec![term(TermKind::Material, &|color| material::term::<P>(board, color))];
        match drive {
            Some(drive) => {
                let both_phases = |value: i32| Tapered::new(value, value);
                terms.push(term(TermKind::KingDrive, &|color| both_phases(*drive.get(color))));
            }
            None => {
                // A term that is zero in every position of these rules is not shown.
                let mut push = |kind, table: &KingTable, king_of: fn(Color) -> Color| {
                    if P::ROYAL_KINGS && !table.is_zero() {
                        let value = |color| self.term(board, color, table, king_of(color));
                        terms.push(term(kind, &value));
                    }
                };
                push(TermKind::KingSafety, safety, |color| color);
                push(TermKind::KingProximity, proximity, |color| !color);
            }
        }
        if let Some(name) = P::OWN_TERM {
            terms.push(term(TermKind::Own(name), &|color| {
                position.weighted_own_term(color, self.own_term)
            }));
        }
        let white = |board: &Board| {
            let Sums { seen_from, phase, .. } = self.sums(board);
            (seen_from.white + seen_from.black).at_phase(material::faded::<P>(phase))
        };
        let pieces = if drive.is_none() { contributions::<P>(board, white) } else { Vec::new() };
        Breakdown { terms, phase, turn: position.turn(), pieces }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::rngs::SmallRng;
    use rand::{RngExt, SeedableRng};
    use shakmaty::{Chess, EnPassantMode, Position};

    /// Tables with a different number at every offset, so that no error can hide.
    fn lopsided() -> KingTerms<Chess> {
        let table = |salt: i32| {
            KingTable::from_fn(move |role, view| {
                let squares =
                    view.king_file * 11 + view.king_rank * 5 + view.file * 7 + view.rank * 3;
                let seed = salt + role as i32 * 31 + squares as i32;
                Tapered::new(seed % 23, seed % 17)
            })
        };
        KingTerms::new(table(5), table(11))
    }

    fn random_games(mut visit: impl FnMut(&Chess, usize)) {
        let mut rng = SmallRng::seed_from_u64(7);
        for _ in 0..60 {
            let mut position = Chess::default();
            for ply in 0..160 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                position.play_unchecked(moves[rng.random_range(0..moves.len())]);
                visit(&position, ply);
            }
        }
    }

    #[test]
    fn differences_equal_the_sum_from_scratch() {
        let evaluator = lopsided();
        let mut cache = Evaluator::<Chess>::new_cache(&evaluator);
        random_games(|position, ply| {
            let score = evaluator.evaluate(position, ply, &mut cache);
            assert_eq!(score, evaluator.score(position), "{position:?}");
        });
    }

    #[test]
    fn the_printed_terms_add_up_to_the_score() {
        for evaluator in [lopsided(), KingTerms::linear(Weights::default())] {
            random_games(|position, _| {
                assert_eq!(evaluator.explain(position).score(), evaluator.score(position));
            });
        }
    }

    #[test]
    fn both_colours_are_treated_alike() {
        let evaluator = lopsided();
        random_games(|position, _| {
            let setup = position.to_setup(EnPassantMode::Legal).into_mirrored();
            let mirrored: Chess = setup.position(position.castles().mode()).unwrap();
            assert_eq!(evaluator.score(position), evaluator.score(&mirrored));
        });
    }

    #[test]
    fn the_starting_position_is_even() {
        let evaluator = KingTerms::linear(Weights::default());
        assert_eq!(evaluator.score(&Chess::default()), Score::DRAW);
    }
}
