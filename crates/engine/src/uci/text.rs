//! Text for people: the board, the evaluation term by term.

use std::fmt::Write;

use shakmaty::{ByColor, File, Rank, Square};

use crate::evaluation::{Breakdown, Contribution, FULL_PHASE, Tapered};
use crate::player::PositionView;

/// Width of the table of an evaluation, in characters.
const WIDTH: usize = 72;

/// The board in letters, with FEN, key, checkers, name of the opening and reason of a draw.
pub fn position(view: &PositionView) -> String {
    let mut text = String::new();
    for rank in Rank::ALL.into_iter().rev() {
        let letter = |file| {
            let piece = view.board.piece_at(Square::from_coords(file, rank));
            piece.map_or('.', |piece| piece.char()).to_string()
        };
        let row: Vec<String> = File::ALL.into_iter().map(letter).collect();
        add(&mut text, format_args!("{} {}", rank.char(), row.join(" ")));
    }
    let checkers: Vec<String> =
        view.checkers.into_iter().map(|square| square.to_string()).collect();
    add(&mut text, format_args!("  a b c d e f g h\n"));
    add(&mut text, format_args!("Fen: {}", view.fen));
    add(&mut text, format_args!("Key: {:016X}", view.key));
    add(&mut text, format_args!("Checkers: {}", checkers.join(" ")));
    if let Some(opening) = &view.opening {
        add(&mut text, format_args!("Opening: {opening}"));
    }
    if let Some(end) = view.end {
        add(&mut text, format_args!("Over: {end}"));
    }
    text
}

/// An evaluation as a table in pawns: each row a term, with each side's opening and endgame value and the
/// difference at the current phase. Then the board with the contribution of each piece.
pub fn breakdown(evaluation: &Breakdown) -> String {
    let rule = "-".repeat(WIDTH);
    let mut text = String::new();
    add(
        &mut text,
        format_args!("{:<16} | {:^17} | {:^17} | {:^13}", "term", "White", "Black", "difference"),
    );
    add(
        &mut text,
        format_args!(
            "{:<16} | {:>8} {:>8} | {:>8} {:>8} | {:>13}",
            "(pawns)", "opening", "endgame", "opening", "endgame", "at this phase"
        ),
    );
    add(&mut text, format_args!("{rule}"));
    for term in &evaluation.terms {
        add(&mut text, format_args!("{}", row(term.kind.name(), &term.value, evaluation.phase)));
    }
    add(&mut text, format_args!("{rule}"));
    add(&mut text, format_args!("{}\n", row("total", &evaluation.total(), evaluation.phase)));
    let phase = evaluation.phase;
    add(
        &mut text,
        format_args!("phase {phase} of {FULL_PHASE} ({FULL_PHASE} = opening, 0 = endgame)"),
    );
    let score = evaluation.score().raw();
    let white = pawns(evaluation.turn.fold_wb(score, -score));
    let side = evaluation.turn.fold_wb("White", "Black");
    add(
        &mut text,
        format_args!(
            "score {white:+.2} for White, {score:+} centipawns for the side to move ({side})"
        ),
    );
    if !evaluation.pieces.is_empty() {
        add(&mut text, format_args!("\n{}", worths(&evaluation.pieces)));
    }
    text
}

/// A board with each piece and, below it, its contribution to the score in pawns for White.
fn worths(pieces: &[Contribution]) -> String {
    let rule = format!("  +{}", "-------+".repeat(8));
    let mut text = String::from("the score for White less the score without the piece:\n");
    for rank in Rank::ALL.into_iter().rev() {
        let on = |file: &File| {
            let square = Square::from_coords(*file, rank);
            pieces.iter().find(|contribution| contribution.square == square)
        };
        let letter = |file: File| on(&file).map_or(String::new(), |it| it.piece.char().to_string());
        let worth = |file: File| {
            let centipawns = on(&file).and_then(|it| it.centipawns);
            centipawns.map_or(String::new(), |worth| format!("{:+.2}", pawns(worth)))
        };
        let cells = |cell: &dyn Fn(File) -> String| -> String {
            File::ALL.into_iter().map(|file| format!("{:^7}|", cell(file))).collect()
        };
        add(&mut text, format_args!("{rule}\n{} |{}", rank.char(), cells(&letter)));
        add(&mut text, format_args!("  |{}", cells(&worth)));
    }
    let files: String = File::ALL.into_iter().map(|file| format!("{:^8}", file.char())).collect();
    add(&mut text, format_args!("{rule}\n  {}", files.trim_end()));
    text
}

fn row(name: &str, value: &ByColor<Tapered>, phase: i32) -> String {
    format!(
        "{:<16} | {:>8.2} {:>8.2} | {:>8.2} {:>8.2} | {:>+13.2}",
        name,
        pawns(value.white.opening()),
        pawns(value.white.endgame()),
        pawns(value.black.opening()),
        pawns(value.black.endgame()),
        pawns((value.white - value.black).at_phase(phase)),
    )
}

fn pawns(centipawns: i32) -> f64 {
    f64::from(centipawns) / 100.0
}

/// Adds a line. Writing to a string cannot fail.
fn add(text: &mut String, line: std::fmt::Arguments) {
    let _ = writeln!(text, "{line}");
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, Chess};

    use super::*;
    use crate::evaluation::{Evaluation, Evaluator};
    use crate::rules::setup::{self, Start};

    /// The last number of a row, in hundredths.
    fn difference(row: &str) -> i32 {
        let number = row.rsplit('|').next().unwrap().trim();
        (number.parse::<f64>().unwrap() * 100.0).round() as i32
    }

    #[test]
    fn the_rows_of_an_evaluation_add_up_to_its_score() {
        let fen = "r1b1kbnr/ppp2ppp/2np4/4N3/4P2q/3P4/PPP2PPP/RNBQKB1R b KQkq - 0 5";
        let start = Start::Fen(fen.to_string());
        let game = setup::game::<Chess>(&start, &[], CastlingMode::Standard).unwrap().0;
        let evaluation = Evaluation::<Chess>::default().explain(game.position());
        let text = breakdown(&evaluation);
        let rule = "-".repeat(WIDTH);
        let mut blocks = text.split(&rule).skip(1);
        let terms: Vec<i32> = blocks.next().unwrap().trim().lines().map(difference).collect();
        let total = difference(blocks.next().unwrap().trim().lines().next().unwrap());
        // Each row is rounded.
        assert!(terms.len() > 1 && terms.iter().any(|term| *term != 0), "{text}");
        assert!((terms.iter().sum::<i32>() - total).abs() <= terms.len() as i32, "{text}");
        let white = -evaluation.score().raw();
        assert!(text.contains(&format!("score {:+.2} for White", f64::from(white) / 100.0)));
        assert!((white - total).abs() <= 1 && white != 0, "{white} {text}");
    }
}
