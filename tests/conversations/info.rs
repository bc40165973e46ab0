//! Reads `info` lines, and checks them against the rules of chess.

use engine::rules::Game;
use engine::rules::setup::{self, Start};
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Position};

use crate::client::field;

/// An `info` line with a variation.
#[derive(Clone, Debug)]
pub struct Info {
    pub depth: u32,
    pub rank: usize,
    pub score: Score,
    /// False for a lower or an upper bound.
    pub is_exact: bool,
    pub pv: Vec<String>,
}

/// The value of `score`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    Centipawns(i32),
    Mate(i32),
}

impl Score {
    /// A number that orders scores: greater is better.
    pub fn worth(self) -> i32 {
        match self {
            Score::Centipawns(value) => value,
            Score::Mate(moves) if moves > 0 => 1_000_000 - moves,
            Score::Mate(moves) => -1_000_000 - moves,
        }
    }
}

/// The lines that show a variation.
pub fn variations(lines: &[String]) -> Vec<Info> {
    let shows_one = |line: &&String| line.starts_with("info ") && line.contains(" pv ");
    lines.iter().filter(shows_one).map(|line| read(line)).collect()
}

/// The last variation of the first rank, with the engine's score.
pub fn last_variation(lines: &[String]) -> Info {
    variations(lines).into_iter().rfind(|info| info.rank == 1).unwrap()
}

fn read(line: &str) -> Info {
    let number = |name: &str| -> i32 {
        let value = field(line, name).and_then(|text| text.parse().ok());
        value.unwrap_or_else(|| panic!("no {name} in {line}"))
    };
    let score = match field(line, "score") {
        Some("cp") => Score::Centipawns(number("cp")),
        Some("mate") => Score::Mate(number("mate")),
        other => panic!("{other:?} in {line}"),
    };
    Info {
        depth: number("depth").unsigned_abs(),
        rank: number("multipv").unsigned_abs() as usize,
        score,
        is_exact: !line.contains(" lowerbound") && !line.contains(" upperbound"),
        pv: line.split(" pv ").nth(1).unwrap().split(' ').map(str::to_string).collect(),
    }
}

/// The game from `fen` with `moves`.
pub fn game(fen: &str, moves: &[String]) -> Game<Chess> {
    let start = Start::Fen(fen.to_string());
    setup::game(&start, moves, CastlingMode::Standard).unwrap().0
}

/// The game after the moves of `pv`, each of which must be legal and before the end of the game.
pub fn walk(from: &Game<Chess>, pv: &[String]) -> Game<Chess> {
    let mut game = from.clone();
    for (index, text) in pv.iter().enumerate() {
        // The client may ask about a game that is drawn already.
        assert!(index == 0 || game.draw_reason().is_none(), "{text} comes after a draw: {pv:?}");
        let uci: UciMove = text.parse().unwrap();
        let m = uci.to_move(game.position());
        game.play(m.unwrap_or_else(|_| panic!("{text} is illegal in {pv:?}")));
    }
    game
}

/// Checks that a PV with a mate score ends in mate, after the announced number of moves.
pub fn check_mate(from: &Game<Chess>, info: &Info) {
    let Score::Mate(moves) = info.score else { return };
    let plies = if moves > 0 { 2 * moves - 1 } else { -2 * moves };
    assert_eq!(i32::try_from(info.pv.len()).unwrap(), plies, "{info:?}");
    assert!(walk(from, &info.pv).position().is_checkmate(), "{info:?}");
}
