//! A puzzle, as files write it, and its solution.

use shakmaty::{CastlingMode, Chess, Move, Position};

use engine::rules::Game;
use engine::rules::setup::{self, Start};

/// The columns of a file of puzzles.
pub struct Columns {
    separator: char,
    rating: usize,
    fen: usize,
    moves: usize,
    themes: Option<usize>,
}

impl Columns {
    /// Reads the heading of a file, in upper or lower case.
    ///
    /// # Errors
    /// A missing column, in words.
    pub fn read(heading: &str) -> Result<Columns, String> {
        let separator = if heading.contains('\t') { '\t' } else { ',' };
        let find = |name: &str| {
            heading.split(separator).position(|column| column.trim().eq_ignore_ascii_case(name))
        };
        let needed = |name: &str| {
            find(name).ok_or_else(|| {
                format!(
                    "no column \"{name}\" in the first line; it has to name rating, fen and moves"
                )
            })
        };
        Ok(Columns {
            separator,
            rating: needed("rating")?,
            fen: needed("fen")?,
            moves: needed("moves")?,
            themes: find("themes"),
        })
    }

    /// The puzzle on a line, the `number`th of its file.
    ///
    /// # Errors
    /// The fault, in words.
    pub fn puzzle(&self, line: &str, number: usize) -> Result<Puzzle, String> {
        let fields: Vec<&str> = line.split(self.separator).map(str::trim).collect();
        let field = |index: usize, name: &str| {
            fields.get(index).copied().filter(|text| !text.is_empty()).ok_or(format!("no {name}"))
        };
        let rating = field(self.rating, "rating")?;
        let rating = rating.parse().map_err(|_| format!("the rating {rating:?} is no number"))?;
        let moves: Vec<String> =
            field(self.moves, "moves")?.split_whitespace().map(str::to_string).collect();
        let start = Start::Fen(field(self.fen, "fen")?.to_string());
        let (game, _) = setup::game::<Chess>(&start, &[], CastlingMode::Standard)
            .map_err(|error| error.to_string())?;
        let mut end = game.clone();
        let mut line = Vec::new();
        for (index, text) in moves.iter().enumerate() {
            let m = setup::read_move(end.position(), text)
                .map_err(|error| format!("move {}: {error}", index + 1))?;
            end.play(m);
            line.push(m);
        }
        if line.len() < 2 {
            return Err("a puzzle has the opponent's move and at least one of the solver".into());
        }
        let themes = self.themes.and_then(|index| fields.get(index)).copied().unwrap_or_default();
        Ok(Puzzle { number, rating, game, line, themes: themes.to_string() })
    }
}

/// A position from a game, with the only good way to go on.
pub struct Puzzle {
    /// Its number in the file, from 1.
    pub number: usize,
    /// The rating at which people solve half of such puzzles.
    pub rating: u32,
    /// Before the opponent's move.
    game: Game<Chess>,
    /// The opponent's move, then those of solver and opponent in turn.
    line: Vec<Move>,
    themes: String,
}

impl Puzzle {
    /// True if the puzzle has this theme; case does not matter.
    pub fn has_theme(&self, name: &str) -> bool {
        self.themes.split_whitespace().any(|theme| theme.eq_ignore_ascii_case(name))
    }

    /// True if `answer` finds every move of the solver, or mates by another.
    pub fn is_solved(&self, mut answer: impl FnMut(&Game<Chess>) -> Option<Move>) -> bool {
        let mut game = self.game.clone();
        for (index, &wanted) in self.line.iter().enumerate() {
            if index % 2 == 1 {
                let Some(found) = answer(&game) else { return false };
                if found != wanted {
                    return game.now().play(found).position().is_checkmate();
                }
            }
            game.play(wanted);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADING: &str = "PuzzleId,FEN,Moves,Rating,Themes";
    /// Black's king steps to the back rank; two rooks can mate there.
    const LINE: &str = "x,5k2/5ppp/8/8/8/8/8/RR4K1 b - - 0 1,f8g8 a1a8,500,mateIn1 backRankMate";

    #[test]
    fn another_mate_solves_too() {
        let puzzle = Columns::read(HEADING).unwrap().puzzle(LINE, 1).unwrap();
        assert!(puzzle.rating == 500 && puzzle.has_theme("matein1") && !puzzle.has_theme("mate"));
        for (text, is_solved) in [("a1a8", true), ("b1b8", true), ("a1a7", false)] {
            let answer = |game: &Game<Chess>| setup::read_move(game.position(), text).ok();
            assert_eq!(puzzle.is_solved(answer), is_solved, "{text}");
        }
        assert!(!puzzle.is_solved(|_| None));
    }

    #[test]
    fn faults_are_named() {
        assert!(Columns::read("fen\tmoves").err().unwrap().contains("\"rating\""));
        let columns = Columns::read(HEADING).unwrap();
        for (line, fault) in [
            ("x,5k2/5ppp/8/8/8/8/8/RR4K1 b - - 0 1,f8g8 a1a8,many,", "no number"),
            ("x,5k2/5ppp/8/8/8/8/8/RR4K1 b - - 0 1,f8g8,500,", "at least one of the solver"),
            ("x,5k2/5ppp/8/8/8/8/8/RR4K1 b - - 0 1,f8g8 a1b8,500,", "move 2"),
            ("x,5k2/5ppp/8/8/8/8/8 b - - 0 1,f8g8 a1a8,500,", "FEN"),
            ("x,,f8g8 a1a8,500,", "no fen"),
            ("x", "no rating"),
        ] {
            let error = columns.puzzle(line, 1).err().unwrap();
            assert!(error.contains(fault), "{line}: {error}");
        }
    }
}
