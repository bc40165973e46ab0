//! Scores of positions that need no search: the game is over, or endgame tables know its end.

use crate::rules::Ending;
use crate::score::Score;
use crate::tablebase::Wdl5;

/// The score of the end of a game `ply` plies from the root, for the side that would be to move.
#[inline]
pub fn ending_score(ending: Ending, ply: usize) -> Score {
    match ending {
        Ending::Won => Score::mate_in(ply),
        Ending::Lost => Score::mated_in(ply),
        Ending::Drawn => Score::DRAW,
    }
}

/// The score of a result of the endgame tables `ply` plies from the root. A win that only the fifty-move
/// rule takes away scores a little more than a draw.
pub fn tablebase_score(wdl: Wdl5, ply: usize) -> Score {
    match wdl {
        Wdl5::Win => Score::table_win(ply),
        Wdl5::CursedWin => Score::DRAW + 1,
        Wdl5::Draw => Score::DRAW,
        Wdl5::BlessedLoss => Score::DRAW - 1,
        Wdl5::Loss => -Score::table_win(ply),
    }
}
