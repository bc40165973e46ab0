//! The evaluator of the three terms: material plus two tables of where pieces and kings stand.
//!
//! `linear` fills the tables with a formula that fits on a page; fitted tables fill them
//! with numbers. Either way a move changes a few entries, and only a king's own move
//! makes us add up anew.

use shakmaty::variant::Variant;
use shakmaty::{Board, ByColor, Color, Move, Role, Square};

use super::{
    Breakdown, Evaluator, KingTable, Tapered, Term, king_drive, king_proximity, king_safety,
    material, rule_term,
};
use crate::rules::{Captures, Rules};
use crate::score::Score;

/// The weights of the linear form, in centipawns for a piece at distance zero.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Weights {
    /// King safety in the opening and in the endgame.
    pub safety: (i32, i32),
    /// King proximity in the opening and in the endgame.
    pub proximity: (i32, i32),
}

impl Default for Weights {
    fn default() -> Weights {
        Weights { safety: king_safety::DEFAULT_WEIGHT, proximity: king_proximity::DEFAULT_WEIGHT }
    }
}

/// Material, king safety and king proximity by where pieces and kings stand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KingRelative {
    safety: KingTable,
    proximity: KingTable,
    /// Safety with the piece's material added: one look-up instead of two.
    own: KingTable,
    /// The rule set whose material that is.
    variant: Variant,
    /// How much the rule set's own term counts, in per cent.
    rule_term: i32,
}

/// White minus Black, split by the king that the pieces are seen from, and the phase.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct State {
    seen_from: ByColor<Tapered>,
    phase: i32,
}

impl KingRelative {
    /// The evaluator of the given two tables, for chess.
    pub fn new(safety: KingTable, proximity: KingTable) -> KingRelative {
        KingRelative::of(Variant::Chess, 100, safety, proximity)
    }

    /// The same tables for another rule set, whose own term counts `rule_term` per cent.
    pub fn in_rules(self, variant: Variant, rule_term: i32) -> KingRelative {
        KingRelative::of(variant, rule_term, self.safety, self.proximity)
    }

    fn of(
        variant: Variant,
        rule_term: i32,
        safety: KingTable,
        proximity: KingTable,
    ) -> KingRelative {
        let values = material::values(variant);
        let own = safety.plus(|role| {
            let value = values[role as usize - 1];
            Tapered::new(value, value)
        });
        KingRelative { safety, proximity, own, variant, rule_term }
    }

    /// The linear form, the hand-written evaluation.
    pub fn linear(weights: Weights) -> KingRelative {
        let (safety, proximity) = (weights.safety, weights.proximity);
        KingRelative::new(
            king_safety::linear(safety.0, safety.1),
            king_proximity::linear(proximity.0, proximity.1),
        )
    }

    /// The table of pieces seen from their own king.
    pub fn safety(&self) -> &KingTable {
        &self.safety
    }

    /// The table of pieces seen from the enemy king.
    pub fn proximity(&self) -> &KingTable {
        &self.proximity
    }

    /// What a piece adds, White minus Black, seen from `king` of colour `side`.
    #[inline]
    fn piece(
        &self,
        side: Color,
        king: Square,
        owner: Color,
        role: Role,
        square: Square,
    ) -> Tapered {
        let table = if owner == side { &self.own } else { &self.proximity };
        let value = table.get(owner, role, king, square);
        owner.fold_wb(value, -value)
    }

    /// Everything seen from one king, White minus Black. A side without a king sees only its material.
    fn seen_from<P: Rules>(&self, board: &Board, side: Color) -> Tapered {
        let Some(king) = royal_king::<P>(board, side) else {
            let value = material::term::<P>(board, side);
            return side.fold_wb(value, -value);
        };
        let mut sum = Tapered::ZERO;
        for role in [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
            for square in board.by_role(role) {
                let owner =
                    if board.white().contains(square) { Color::White } else { Color::Black };
                sum += self.piece(side, king, owner, role, square);
            }
        }
        sum
    }

    fn state_of<P: Rules>(&self, board: &Board) -> State {
        debug_assert_eq!(self.variant, P::VARIANT, "the tables hold this rule set's material");
        State {
            seen_from: ByColor::new_with(|side| self.seen_from::<P>(board, side)),
            phase: material::board_phase(board),
        }
    }

    /// The change that an ordinary move makes to what the king of `side` sees.
    #[inline]
    fn difference<P: Rules>(&self, board: &Board, side: Color, change: &Change) -> Tapered {
        let Some(king) = royal_king::<P>(board, side) else {
            return change.material_of::<P>(side);
        };
        let Change { mover, from, to, captured, .. } = *change;
        let mut sum = Tapered::ZERO;
        if from.1 != Role::King {
            sum += self.piece(side, king, mover, to.1, to.0);
            sum -= self.piece(side, king, mover, from.1, from.0);
        }
        if let Some((square, role)) = captured {
            sum -= self.piece(side, king, !mover, role, square);
        }
        sum
    }

    /// What `color` has of the rule set's own term.
    fn rule_term<P: Rules>(&self, position: &P, color: Color) -> Tapered {
        let full = rule_term::term(position, color);
        let share = |value: i32| value * self.rule_term / 100;
        Tapered::new(share(full.opening()), share(full.endgame()))
    }

    /// The rule set's own term, White minus Black.
    #[inline]
    fn rule_term_lead<P: Rules>(&self, position: &P) -> Tapered {
        if const { rule_term::name(P::VARIANT).is_none() } {
            return Tapered::ZERO;
        }
        self.rule_term(position, Color::White) - self.rule_term(position, Color::Black)
    }

    /// The value of one term for one side, from scratch.
    fn term<P: Rules>(
        &self,
        board: &Board,
        owner: Color,
        table: &KingTable,
        king_of: Color,
    ) -> Tapered {
        let Some(king) = royal_king::<P>(board, king_of) else { return Tapered::ZERO };
        let pieces = board.by_color(owner) & !board.kings();
        pieces.into_iter().fold(Tapered::ZERO, |sum, square| {
            board.role_at(square).map_or(sum, |role| sum + table.get(owner, role, king, square))
        })
    }
}

/// The king of `side`, if it has one and only one whose fate decides the game.
#[inline]
fn royal_king<P: Rules>(board: &Board, side: Color) -> Option<Square> {
    if P::ROYAL_KINGS { board.king_of(side) } else { None }
}

/// King drive, where it has something to say and the rules let it lead to a mate: it then takes
/// the place of the king terms, which would hold the pieces back.
#[cold]
fn driven<P: Rules>(board: &Board) -> Option<ByColor<i32>> {
    if P::MATES_BARE_KINGS { king_drive::term(board) } else { None }
}

/// A move as the tables see it: one piece from here to there, perhaps one piece less.
struct Change {
    mover: Color,
    from: (Square, Role),
    to: (Square, Role),
    captured: Option<(Square, Role)>,
}

impl Change {
    /// `None` for castling and drops, which are rare enough to add up anew, for explosions, and
    /// where kings are pieces like others.
    #[inline]
    fn of<P: Rules>(mover: Color, m: Move) -> Option<Change> {
        if !P::ROYAL_KINGS || (P::CAPTURES == Captures::Explosion && m.is_capture()) {
            return None;
        }
        match m {
            Move::Normal { capture: Some(Role::King), .. }
            | Move::Normal { promotion: Some(Role::King), .. } => None,
            Move::Normal { role, from, capture, to, promotion } => Some(Change {
                mover,
                from: (from, role),
                to: (to, promotion.unwrap_or(role)),
                captured: capture.map(|captured| (to, captured)),
            }),
            Move::EnPassant { from, to } => Some(Change {
                mover,
                from: (from, Role::Pawn),
                to: (to, Role::Pawn),
                captured: Some((Square::from_coords(to.file(), from.rank()), Role::Pawn)),
            }),
            Move::Castle { .. } | Move::Put { .. } => None,
        }
    }

    /// The change of the material of `side`, White minus Black.
    fn material_of<P: Rules>(&self, side: Color) -> Tapered {
        let value = |role| material::value_in::<P>(role);
        let change = if side == self.mover {
            value(self.to.1) - value(self.from.1)
        } else {
            -self.captured.map_or(0, |(_, role)| value(role))
        };
        let change = side.fold_wb(change, -change);
        Tapered::new(change, change)
    }
}

impl<P: Rules> Evaluator<P> for KingRelative {
    type State = State;

    fn state(&self, position: &P) -> State {
        self.state_of::<P>(position.board())
    }

    #[inline]
    fn state_after(&self, state: &State, before: &P, m: Move, after: &P) -> State {
        let mover = before.turn();
        let board = after.board();
        let Some(change) = Change::of::<P>(mover, m) else { return self.state_of::<P>(board) };
        let seen_from = ByColor::new_with(|side| {
            if side == mover && change.from.1 == Role::King {
                self.seen_from::<P>(board, side)
            } else {
                *state.seen_from.get(side) + self.difference::<P>(board, side, &change)
            }
        });
        let lost = change.captured.map_or(0, |(_, role)| material::phase(role));
        let gained = material::phase(change.to.1) - material::phase(change.from.1);
        State { seen_from, phase: state.phase + gained - lost }
    }

    #[inline]
    fn score(&self, position: &P, state: &State) -> Score {
        let board = position.board();
        let driven = if state.phase <= king_drive::MAX_PHASE && board.pawns().is_empty() {
            driven::<P>(board)
        } else {
            None
        };
        let white = driven.map_or_else(
            || {
                let sum = state.seen_from.white + state.seen_from.black;
                (sum + self.rule_term_lead(position)).at_phase(material::faded::<P>(state.phase))
            },
            |drive| material::lead(board, Color::White) + drive.white - drive.black,
        );
        Score::centipawns(position.turn().fold_wb(white, -white))
    }

    fn explain(&self, position: &P) -> Breakdown {
        let board = position.board();
        let phase = material::phase_in::<P>(board);
        let drive = if phase <= king_drive::MAX_PHASE { driven::<P>(board) } else { None };
        let term =
            |name, value: &dyn Fn(Color) -> Tapered| Term { name, value: ByColor::new_with(value) };
        let material = term("material", &|color| material::term::<P>(board, color));
        let mut terms = match drive {
            Some(drive) => vec![
                material,
                term("king drive", &|color| Tapered::new(*drive.get(color), *drive.get(color))),
            ],
            None => vec![
                material,
                term("king safety", &|color| self.term::<P>(board, color, &self.safety, color)),
                term("king proximity", &|color| {
                    self.term::<P>(board, color, &self.proximity, !color)
                }),
            ],
        };
        if let Some(name) = rule_term::name(P::VARIANT) {
            terms.push(term(name, &|color| self.rule_term(position, color)));
        }
        Breakdown { terms, phase, turn: position.turn() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::rngs::SmallRng;
    use rand::{RngExt, SeedableRng};
    use shakmaty::{Chess, EnPassantMode, Position};

    /// Tables with a different number at every offset, so that no error can hide.
    fn lopsided() -> KingRelative {
        let table = |salt: i32| {
            KingTable::from_fn(move |role, view| {
                let squares =
                    view.king_file * 11 + view.king_rank * 5 + view.file * 7 + view.rank * 3;
                let seed = salt + role as i32 * 31 + squares as i32;
                Tapered::new(seed % 23, seed % 17)
            })
        };
        KingRelative::new(table(5), table(11))
    }

    fn random_games(mut visit: impl FnMut(&Chess, Move, &Chess)) {
        let mut rng = SmallRng::seed_from_u64(7);
        for _ in 0..60 {
            let mut position = Chess::default();
            for _ in 0..160 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                let m = moves[rng.random_range(0..moves.len())];
                let mut after = position.clone();
                after.play_unchecked(m);
                visit(&position, m, &after);
                position = after;
            }
        }
    }

    #[test]
    fn differences_equal_the_sum_from_scratch() {
        let evaluator = lopsided();
        random_games(|before, m, after| {
            let state = Evaluator::<Chess>::state(&evaluator, before);
            let moved = evaluator.state_after(&state, before, m, after);
            assert_eq!(moved, Evaluator::<Chess>::state(&evaluator, after), "{m:?} in {before:?}");
        });
    }

    #[test]
    fn the_printed_terms_add_up_to_the_score() {
        for evaluator in [lopsided(), KingRelative::linear(Weights::default())] {
            random_games(|_, _, position| {
                let score = evaluator.score(position, &evaluator.state(position));
                assert_eq!(evaluator.explain(position).score(), score);
            });
        }
    }

    #[test]
    fn both_colours_are_treated_alike() {
        let evaluator = lopsided();
        random_games(|_, _, position| {
            let setup = position.to_setup(EnPassantMode::Legal).into_mirrored();
            let mirrored: Chess = setup.position(position.castles().mode()).unwrap();
            let score = |p: &Chess| evaluator.score(p, &evaluator.state(p));
            assert_eq!(score(position), score(&mirrored));
        });
    }

    #[test]
    fn the_starting_position_is_even() {
        let evaluator = KingRelative::linear(Weights::default());
        let start = Chess::default();
        assert_eq!(evaluator.score(&start, &evaluator.state(&start)), Score::DRAW);
        assert_eq!(Evaluator::<Chess>::state(&evaluator, &start).phase, super::super::FULL_PHASE);
    }
}
