//! The evaluation of a position: material, king safety and king proximity. A losing king is driven to the
//! edge once the pawns are gone, and rule sets other than chess have one term for their own way to win.
//!
//! The three terms are those of the paper that the project builds on (section 7): the weights of the
//! pieces, the protection of a king by its own pieces (BRP, NRP), and the nearness of the enemy's pieces to
//! it (BAR, NAR). The paper divides; we add centipawns, because a ratio lets a program sacrifice a piece
//! for a step nearer.
//!
//! A network sees more than distances. What it finds in the pieces wherever the kings stand is a fourth term,
//! placement.
//!
//! The search knows only the trait [`Evaluator`]. Every evaluator remembers partial sums of recent
//! positions, and can explain its score as a [`Breakdown`].

mod board_diff;
mod forms;
pub mod king_drive;
mod king_table;
mod king_terms;
pub mod linear;
pub mod material;
pub mod network;
pub mod tables;
mod tapered;
pub mod variants;

use shakmaty::{Board, ByColor, Color, Piece, Role, Square};

use crate::rules::Rules;
use crate::score::Score;

pub use forms::{EvalCache, Evaluation, Explained};
pub use king_table::{KingTable, View};
pub use king_terms::KingTerms;
pub use network::{Network, NetworkTerms};
pub use tapered::{FULL_PHASE, Tapered};
pub use variants::Variant;

/// Scores positions of the rule set `P`.
pub trait Evaluator<P: Rules>: Clone + Send + Sync + 'static {
    /// Partial sums of recently evaluated positions, for one search thread. A position then costs only its
    /// difference from one of them.
    type Cache: Send;

    /// An empty cache.
    fn new_cache(&self) -> Self::Cache;

    /// The static eval: the score of `position`, met `ply` plies from the root, for the side to move.
    /// It does not depend on the cache.
    fn evaluate(&self, position: &P, ply: usize, cache: &mut Self::Cache) -> Score;

    /// The score of `position` term by term.
    fn explain(&self, position: &P) -> Breakdown;
}

/// All roles but the king.
pub(crate) const PIECES: [Role; 5] =
    [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

/// The terms that an evaluation may have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TermKind {
    /// The pieces by the paper's weights.
    Material,
    /// What the pieces are worth on their squares, wherever the kings stand.
    Placement,
    /// What each king's own pieces do for it.
    KingSafety,
    /// What each side's pieces do to the enemy king.
    KingProximity,
    /// The way of a losing king to the edge, in place of the two king terms.
    KingDrive,
    /// The rule set's own term, by its name.
    Own(&'static str),
}

impl TermKind {
    /// The name, in lower case.
    pub const fn name(self) -> &'static str {
        match self {
            TermKind::Material => "material",
            TermKind::Placement => "placement",
            TermKind::KingSafety => "king safety",
            TermKind::KingProximity => "king proximity",
            TermKind::KingDrive => "king drive",
            TermKind::Own(name) => name,
        }
    }
}

/// One term of an evaluation.
#[derive(Clone, Debug)]
pub struct Term {
    /// Which term it is.
    pub kind: TermKind,
    /// The value for each side.
    pub value: ByColor<Tapered>,
}

/// An evaluation term by term. The terms add up to the score.
#[derive(Clone, Debug)]
pub struct Breakdown {
    /// The terms, in the order in which they are shown.
    pub terms: Vec<Term>,
    /// The share of the opening that is left, from [`FULL_PHASE`] down to 0.
    pub phase: i32,
    /// The side to move.
    pub turn: Color,
    /// The contribution of each piece; empty where king drive takes the place of the king terms.
    pub pieces: Vec<Contribution>,
}

/// What a piece adds to the score.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Contribution {
    /// The square of the piece.
    pub square: Square,
    /// The piece.
    pub piece: Piece,
    /// The score less that of the board without the piece, in centipawns for White; `None` for a royal king,
    /// which cannot be taken off. The rule set's own term is left out.
    pub centipawns: Option<i32>,
}

/// The contributions of the pieces on `board` under the rules `P`; `white` scores a board for White, in
/// centipawns.
pub(crate) fn contributions<P: Variant>(
    board: &Board,
    mut white: impl FnMut(&Board) -> i32,
) -> Vec<Contribution> {
    let all = white(board);
    let is_royal = |piece: Piece| piece.role == Role::King && P::ROYAL_KINGS;
    let mut without = |square| {
        let mut board = board.clone();
        board.discard_piece_at(square);
        white(&board)
    };
    let contribution = |(square, piece)| {
        let centipawns = if is_royal(piece) { None } else { Some(all - without(square)) };
        Contribution { square, piece, centipawns }
    };
    board.clone().into_iter().map(contribution).collect()
}

impl Breakdown {
    /// The sum of all terms for each side.
    pub fn total(&self) -> ByColor<Tapered> {
        ByColor::new_with(|color| {
            self.terms.iter().fold(Tapered::ZERO, |sum, term| sum + *term.value.get(color))
        })
    }

    /// The sum of the terms for the side to move: the evaluator's score.
    pub fn score(&self) -> Score {
        let total = self.total();
        let white = (total.white - total.black).at_phase(self.phase);
        Score::centipawns(self.turn.fold_wb(white, -white))
    }
}
