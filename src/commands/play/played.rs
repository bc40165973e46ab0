//! A game in the terminal: its moves with what a PGN records of them, and its end.

use std::time::Duration;

use shakmaty::{CastlingMode, Color, Move};

use engine::rules::{Game, Rules, notation};
use engine::score::Score;

/// A move that was played.
#[derive(Clone, Debug)]
pub struct Played {
    /// The move.
    pub m: Move,
    /// The move in SAN.
    pub san: String,
    /// Time left on the mover's clock, after the move.
    pub clock: Option<Duration>,
    /// The engine's score from White's point of view.
    pub score: Option<Score>,
    /// True if the player had help: a hint, or a move taken back.
    pub is_helped: bool,
}

/// The end of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct End {
    /// The winner; `None`: a draw.
    pub winner: Option<Color>,
    /// The reason in English, as in "checkmate": so the record has it.
    pub reason: String,
}

impl End {
    /// The result as a PGN writes it.
    pub fn result(&self) -> &'static str {
        match self.winner {
            Some(Color::White) => "1-0",
            Some(Color::Black) => "0-1",
            None => "1/2-1/2",
        }
    }

    /// The score of the end for `color`.
    pub fn score(&self, color: Color) -> Score {
        match self.winner {
            Some(winner) if winner == color => Score::mate_in(0),
            Some(_) => Score::mated_in(0),
            None => Score::DRAW,
        }
    }
}

/// A game with all its moves.
pub struct PlayedGame<P> {
    start: P,
    castling: CastlingMode,
    game: Game<P>,
    played: Vec<Played>,
}

impl<P: Rules> PlayedGame<P> {
    /// A game that begins at `start`.
    pub fn new(start: P, castling: CastlingMode) -> PlayedGame<P> {
        PlayedGame { game: Game::new(start.clone()), start, castling, played: Vec::new() }
    }

    /// The position at the start.
    pub fn start(&self) -> &P {
        &self.start
    }

    /// The game so far.
    pub fn game(&self) -> &Game<P> {
        &self.game
    }

    /// The current position.
    pub fn position(&self) -> &P {
        self.game.position()
    }

    /// The side to move.
    pub fn turn(&self) -> Color {
        self.game.now().turn()
    }

    /// All moves played, oldest first.
    pub fn played(&self) -> &[Played] {
        &self.played
    }

    /// The moves in UCI notation.
    pub fn uci_moves(&self) -> Vec<String> {
        self.played.iter().map(|played| played.m.to_uci(self.castling).to_string()).collect()
    }

    /// Plays the legal move `m`.
    pub fn play(&mut self, m: Move, clock: Option<Duration>, score: Option<Score>) {
        let san = notation::san(self.position(), m);
        self.game.play(m);
        self.played.push(Played { m, san, clock, score, is_helped: false });
    }

    /// Notes that the last move was made with help.
    pub fn mark_helped(&mut self) {
        if let Some(last) = self.played.last_mut() {
            last.is_helped = true;
        }
    }

    /// Takes back the last `count` moves, or all if there are fewer.
    pub fn take_back(&mut self, count: usize) {
        let count = self.played.len().saturating_sub(count);
        self.played.truncate(count);
        self.game = self.game_after(count);
    }

    /// The game after its first `count` half-moves.
    pub fn game_after(&self, count: usize) -> Game<P> {
        let mut game = Game::new(self.start.clone());
        self.played.iter().take(count).for_each(|played| game.play(played.m));
        game
    }

    /// The number of the move that half-move `ply` belongs to.
    pub fn number(&self, ply: usize) -> u32 {
        let first = ply + usize::from(self.start.turn().is_black());
        let number = u32::try_from(first / 2).unwrap_or(u32::MAX);
        self.start.fullmoves().get().saturating_add(number)
    }

    /// Half-move `ply` in SAN, with its number.
    pub fn name(&self, ply: usize) -> String {
        let is_white = self.start.turn().is_white() == ply.is_multiple_of(2);
        let san = self.played.get(ply).map_or("", |played| &played.san);
        format!("{}{} {san}", self.number(ply), if is_white { "." } else { "..." })
    }

    /// The moves so far in SAN, with their numbers.
    pub fn history(&self) -> String {
        let mut number = self.start.fullmoves().get();
        let mut words = Vec::new();
        for (ply, played) in self.played.iter().enumerate() {
            let is_white = self.start.turn().is_white() == ply.is_multiple_of(2);
            if is_white {
                words.push(format!("{number}."));
            } else if ply == 0 {
                words.push(format!("{number}..."));
            }
            words.push(played.san.clone());
            number += u32::from(!is_white);
        }
        words.join(" ")
    }

    /// The end of the game by the rules, once it is over.
    pub fn end(&self) -> Option<End> {
        let winner = self.position().outcome().known().and_then(|known| known.winner());
        Some(End { winner, reason: self.game.end()?.to_string() })
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::Chess;
    use shakmaty::variant::{
        Antichess, Atomic, Crazyhouse, Horde, KingOfTheHill, RacingKings, ThreeCheck,
    };

    use super::*;
    use engine::rules::setup;

    /// How a game ends with one move.
    fn end<P: Rules>(fen: &str, text: &str) -> (Option<Color>, String) {
        let (start, _) = setup::position::<P>(fen, CastlingMode::Standard).unwrap();
        let mut game = PlayedGame::new(start, CastlingMode::Standard);
        let m = setup::read_move(game.position(), text).unwrap();
        game.play(m, None, None);
        let end = game.end().unwrap();
        (end.winner, end.reason)
    }

    #[test]
    fn every_rule_set_names_its_own_way_to_win() {
        let white = |reason: &str| (Some(Color::White), reason.to_string());
        let rook = "4k3/8/8/8/8/3K4/4P3/R7 w - - 1+3 0 1";
        assert_eq!(end::<ThreeCheck>(rook, "Ra8"), white("third check"));
        let mate = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1";
        assert_eq!(end::<ThreeCheck>(mate, "Ra8"), white("checkmate"));
        assert_eq!(end::<Crazyhouse>(mate, "Ra8"), white("checkmate"));
        // The king uncovers a check as well, which is no mate.
        let hill = "4k3/8/8/8/8/4K3/8/4R3 w - - 0 1";
        assert_eq!(end::<KingOfTheHill>(hill, "Kd4"), white("the king has reached the centre"));
        let beside = "1k6/p7/8/8/8/3K4/8/R7 w - - 0 1";
        assert_eq!(end::<Atomic>(beside, "Rxa7"), white("the king has exploded"));
        let race = "8/K6k/8/8/8/8/8/8 b - - 0 1";
        let black = (Some(Color::Black), "the king has reached the goal".to_string());
        assert_eq!(end::<RacingKings>(race, "Kg8"), black);
        let last = "8/8/8/8/8/p7/1P6/8 b - - 0 1";
        assert_eq!(end::<Antichess>(last, "axb2"), white("the winner has no piece left"));
        let blocked = "8/p7/8/8/P7/8/8/8 b - - 0 1";
        assert_eq!(end::<Antichess>(blocked, "a5"), white("the winner has no move left"));
        let horde = "4k3/8/8/8/8/8/4r3/4P3 b - - 0 1";
        let black = (Some(Color::Black), "the horde has been captured".to_string());
        assert_eq!(end::<Horde>(horde, "Rxe1"), black);
    }

    #[test]
    fn the_history_counts_moves_from_the_start_of_the_game() {
        let fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 7";
        let (start, _) = setup::position::<Chess>(fen, CastlingMode::Standard).unwrap();
        let mut game = PlayedGame::new(start, CastlingMode::Standard);
        assert_eq!(game.history(), "");
        for text in ["e7e5", "g1f3", "b8c6"] {
            let m = setup::read_move(game.position(), text).unwrap();
            game.play(m, None, None);
        }
        assert_eq!(game.history(), "7... e5 8. Nf3 Nc6");
        assert_eq!([0, 1, 2].map(|ply| game.name(ply)), ["7... e5", "8. Nf3", "8... Nc6"]);
        game.take_back(2);
        assert_eq!(game.history(), "7... e5");
    }
}
