//! Several lines (MultiPV) in positions that the endgame tables know, against an oracle: each line shows the
//! result of its own move, and no result is ever given away, however short the search.
//!
//! The oracle asks shakmaty-syzygy about each move alone. `TABLE_POSITIONS` sets the number of random
//! positions, each of which is searched with one to five lines.

#![expect(clippy::print_stderr, reason = "a wrong line is shown with its position")]

use std::fs;
use std::path::Path;
use std::sync::Arc;

use engine::evaluation::Evaluation;
use engine::limits::Limits;
use engine::rules::{Game, RuleSet};
use engine::score::Score;
use engine::search::report::{Outcome, Report, Reporter};
use engine::search::{Options, Searcher};
use engine::tablebase::{Access, EndgameTables};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use shakmaty::fen::Fen;
use shakmaty::{
    CastlingMode, Chess, Color, EnPassantMode, FromSetup, Move, Position, Role, Setup, Square,
};
use shakmaty_syzygy::{AmbiguousWdl, Tablebase, Wdl};

use crate::common::endgame_tables;

/// Positions of a test run.
const POSITIONS: usize = 100;

/// Collects the lines of the last iteration that showed any.
#[derive(Default)]
struct Lines(Vec<Report>);

impl Reporter for Lines {
    fn variation(&mut self, report: &Report) {
        if self.0.last().is_some_and(|last| report.multipv <= last.multipv) {
            self.0.clear();
        }
        self.0.push(report.clone());
    }
}

/// The tables as they are, without the engine's own module.
fn oracle(folder: &Path) -> Tablebase<Chess> {
    let mut tables = Tablebase::new();
    tables.add_directory(folder).unwrap();
    tables
}

/// The results of a move for the side that makes it, worst and best: two where the rounding of the tables leaves
/// open whether the fifty-move rule counts.
fn results(oracle: &Tablebase<Chess>, position: &Chess, m: Move) -> (Wdl, Wdl) {
    let mut after = position.clone();
    after.play_unchecked(m);
    if after.is_checkmate() {
        return (Wdl::Win, Wdl::Win);
    }
    if m.is_zeroing() {
        let wdl = -oracle.probe_wdl_after_zeroing(&after).unwrap();
        return (wdl, wdl);
    }
    match oracle.probe_wdl(&after).unwrap() {
        AmbiguousWdl::Win => (Wdl::Loss, Wdl::Loss),
        AmbiguousWdl::MaybeWin => (Wdl::Loss, Wdl::BlessedLoss),
        AmbiguousWdl::CursedWin => (Wdl::BlessedLoss, Wdl::BlessedLoss),
        AmbiguousWdl::Draw => (Wdl::Draw, Wdl::Draw),
        AmbiguousWdl::BlessedLoss => (Wdl::CursedWin, Wdl::CursedWin),
        AmbiguousWdl::MaybeLoss => (Wdl::CursedWin, Wdl::Win),
        AmbiguousWdl::Loss => (Wdl::Win, Wdl::Win),
    }
}

/// The result that a score shows.
fn shown(score: Score) -> Wdl {
    match score.raw() {
        10_000.. => Wdl::Win,
        1 => Wdl::CursedWin,
        0 => Wdl::Draw,
        -1 => Wdl::BlessedLoss,
        raw if raw <= -10_000 => Wdl::Loss,
        raw => panic!("{raw} is no result of the tables"),
    }
}

/// The pieces of each table of the folder, White's and Black's.
fn materials(folder: &Path) -> Vec<Vec<(Role, Color)>> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter_map(|name| name.strip_suffix(".rtbz").map(str::to_string))
        .collect();
    names.sort();
    let pieces = |name: &String| {
        let sides = name.split('v').zip([Color::White, Color::Black]);
        let of_side = |(side, color): (&str, Color)| {
            side.chars().map(|c| (Role::from_char(c).unwrap(), color)).collect::<Vec<_>>()
        };
        sides.flat_map(of_side).collect()
    };
    names.iter().map(pieces).collect()
}

/// A legal position with these pieces on random squares, often close to the end of the fifty moves.
fn random_position(pieces: &[(Role, Color)], rng: &mut StdRng) -> Chess {
    loop {
        let mut setup = Setup::empty();
        let swapped = rng.random();
        for &(role, color) in pieces {
            let square = Square::new(rng.random_range(0..64));
            setup.board.set_piece_at(square, role.of(if swapped { !color } else { color }));
        }
        setup.turn = if rng.random() { Color::White } else { Color::Black };
        setup.halfmoves = match rng.random_range(0..4) {
            0 => rng.random_range(0..=99),
            1 => rng.random_range(90..=99),
            _ => 0,
        };
        let is_whole = setup.board.occupied().count() == pieces.len();
        let position = Chess::from_setup(setup, CastlingMode::Standard);
        if let Some(position) = position.ok().filter(|p| is_whole && !p.legal_moves().is_empty()) {
            return position;
        }
    }
}

/// Faults in the answer to one search.
#[derive(Default, Debug, PartialEq, Eq)]
struct Faults {
    lines: usize,
    wrong_lines: usize,
    lost_results: usize,
    unsorted: usize,
}

impl Faults {
    /// Judges the lines and the move of a search.
    fn count(
        &mut self,
        oracle: &Tablebase<Chess>,
        position: &Chess,
        lines: &[Report],
        outcome: &Outcome,
    ) {
        let legal = position.legal_moves();
        let best = legal.iter().map(|&m| results(oracle, position, m).0).max().unwrap();
        let fen = || Fen::from_position(position, EnPassantMode::Legal).to_string();
        for line in lines {
            self.lines += 1;
            let (worst, most) = results(oracle, position, line.pv[0]);
            if !(worst..=most).contains(&shown(line.score)) {
                self.wrong_lines += 1;
                eprintln!("{}: {:?} shows {}, not {most:?}", fen(), line.pv[0], line.score);
            }
        }
        if results(oracle, position, outcome.best.unwrap()).1 < best {
            self.lost_results += 1;
            eprintln!("{}: {:?} gives {best:?} away", fen(), outcome.best);
        }
        if !lines.is_sorted_by_key(|line| -line.score) {
            self.unsorted += 1;
            let scores: Vec<String> = lines.iter().map(|line| line.score.to_string()).collect();
            eprintln!("{}: {scores:?}", fen());
        }
    }
}

/// A searcher with the tables that shows this number of lines.
fn searcher(folder: &Path, variations: usize) -> Searcher<Chess> {
    let opened = EndgameTables::open(RuleSet::Chess, folder.to_str().unwrap()).unwrap();
    let tables = Arc::new(opened.tables.unwrap());
    let access = Access { tables, least_depth: 1, most_pieces: 7, fifty_moves: true };
    let options = Options { variations, endgames: Some(access), ..Options::default() };
    Searcher::new(Evaluation::default(), options, 4).unwrap()
}

#[test]
fn every_line_shows_its_own_result_and_none_is_given_away() {
    let Some(folder) = endgame_tables() else { return };
    let told = std::env::var("TABLE_POSITIONS").ok().and_then(|count| count.parse().ok());
    let oracle = oracle(&folder);
    let materials = materials(&folder);
    let mut rng = StdRng::seed_from_u64(43);
    let mut searchers: Vec<_> = (1..=5).map(|variations| searcher(&folder, variations)).collect();
    let mut faults = Faults::default();
    for number in 0..told.unwrap_or(POSITIONS) {
        let position = random_position(&materials[number % materials.len()], &mut rng);
        let game = Game::new(position.clone());
        let nodes = [1, 50, 300, 2000, 20_000][rng.random_range(0..5)];
        for (searcher, variations) in searchers.iter_mut().zip(1..) {
            let mut lines = Lines::default();
            let outcome = searcher.search(&game, &Limits::nodes(nodes), &mut lines);
            let wanted = position.legal_moves().len().min(variations);
            // The last report of a search that was stopped may be a single line.
            assert!([1, wanted].contains(&lines.0.len()), "{} of {wanted}", lines.0.len());
            faults.count(&oracle, &position, &lines.0, &outcome);
        }
    }
    eprintln!("{faults:?}");
    assert!(faults.lines > 0);
    assert_eq!(faults, Faults { lines: faults.lines, ..Faults::default() });
}
