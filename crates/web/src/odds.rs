//! Games at odds: one side begins without a piece.

use serde::Deserialize;
use shakmaty::{CastlingMode, Color, EnPassantMode, Role, Square};

use engine::evaluation::Variant;
use engine::evaluation::variants::{Task, with_rules};
use engine::rules::{RuleSet, setup};

/// What is given, as it was in the time when odds were usual: the pawn is that of f, knight and rook are those of the
/// queen's side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Gift {
    /// The pawn of f.
    Pawn,
    /// The knight of b.
    Knight,
    /// The rook of a.
    Rook,
    /// The queen.
    Queen,
}

impl Gift {
    /// All of them.
    pub const ALL: [Gift; 4] = [Gift::Pawn, Gift::Knight, Gift::Rook, Gift::Queen];

    /// The piece, and its square on White's side.
    fn piece(self) -> (Role, Square) {
        match self {
            Gift::Pawn => (Role::Pawn, Square::F2),
            Gift::Knight => (Role::Knight, Square::B1),
            Gift::Rook => (Role::Rook, Square::A1),
            Gift::Queen => (Role::Queen, Square::D1),
        }
    }
}

/// The start of a game in which `giver` plays without the gift, as FEN.
///
/// # Errors
/// A rule set whose game does not begin with that piece there.
pub fn start(rules: RuleSet, gift: Gift, giver: Color) -> Result<String, String> {
    with_rules(rules, Remove { gift, giver })
}

/// The names of the rule sets that have all odds for both sides.
pub fn rule_sets() -> Vec<&'static str> {
    let has_all = |rules: &&RuleSet| {
        Gift::ALL
            .iter()
            .all(|&gift| Color::ALL.iter().all(|&giver| start(**rules, gift, giver).is_ok()))
    };
    RuleSet::ALL.iter().filter(has_all).map(|rules| rules.name()).collect()
}

struct Remove {
    gift: Gift,
    giver: Color,
}

impl Task for Remove {
    type Outcome = Result<String, String>;

    fn run<P: Variant>(self) -> Self::Outcome {
        let (role, square) = self.gift.piece();
        let square = self.giver.fold_wb(square, square.flip_vertical());
        let mut game = P::default().to_setup(EnPassantMode::Legal);
        if game.board.remove_piece_at(square) != Some(role.of(self.giver)) {
            return Err(format!("{} begins without a {role:?} on {square}", P::NAME).to_lowercase());
        }
        game.castling_rights.discard(square);
        let position = P::from_setup(game, CastlingMode::Standard);
        position.map(|position| setup::fen(&position)).map_err(|error| error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_side_begins_without_its_piece() {
        let start = |gift, giver| start(RuleSet::Chess, gift, giver).unwrap();
        let fen = "rnbqkbnr/ppppp1pp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert_eq!(start(Gift::Pawn, Color::Black), fen);
        let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/1NBQKBNR w Kkq - 0 1";
        assert_eq!(start(Gift::Rook, Color::White), fen);
        let fen = "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert_eq!(start(Gift::Queen, Color::Black), fen);
    }

    #[test]
    fn only_rule_sets_with_the_usual_pieces_have_odds() {
        let names = rule_sets();
        assert!(names.contains(&"chess") && names.contains(&"atomic"), "{names:?}");
        assert!(!names.contains(&"racingkings") && !names.contains(&"horde"), "{names:?}");
        let refused = super::start(RuleSet::RacingKings, Gift::Queen, Color::White).unwrap_err();
        assert!(refused.contains("racingkings"), "{refused}");
    }
}
