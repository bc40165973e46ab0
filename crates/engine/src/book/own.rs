//! The engine's own book: its conditions and its choice of a move.

use std::path::Path;

use rand::distr::Distribution;
use rand::distr::weighted::WeightedIndex;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use shakmaty::san::San;
use shakmaty::{Move, Position};

use super::names;
use super::{Book, BookError, BookMove, polyglot};
use crate::logging;
use crate::rules::{Game, Rules};

/// The greatest variety, in per cent: moves are drawn by their weights.
pub const FULL_VARIETY: usize = 100;

/// The beginning of the remark that a move comes from the book.
const REMARK: &str = "book: ";

/// True for the remark that a move comes from the book.
pub fn is_book_remark(text: &str) -> bool {
    text.starts_with(REMARK)
}

/// The options of the engine's own book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookOptions {
    /// True to play from the book.
    pub enabled: bool,
    /// The book's file; empty: the embedded book.
    pub file: String,
    /// Greatest number of plies from the start of the game for a book move.
    pub depth: usize,
    /// From 0, the heaviest move only, to [`FULL_VARIETY`].
    pub variety: usize,
    /// Seed of the choices: under the same seed the same position brings the same move. 0: always another
    /// seed.
    pub seed: u64,
}

/// A move from the book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookChoice {
    /// The move.
    pub m: Move,
    /// The book's heaviest reply.
    pub reply: Option<Move>,
    /// Explanation for the client.
    pub remark: String,
}

/// The engine's book with its options.
#[derive(Clone, Debug)]
pub struct OwnBook {
    book: Book,
    options: BookOptions,
}

impl OwnBook {
    /// Plays from the embedded book, whichever file the options name.
    pub fn new(options: BookOptions) -> OwnBook {
        let options = BookOptions { file: String::new(), ..options };
        OwnBook { book: Book::embedded(), options }
    }

    /// Applies changed options; reads the file if it is another one than before.
    ///
    /// # Errors
    /// An invalid book file. The current book stays in use; all other options take effect.
    pub fn configure(&mut self, options: BookOptions) -> Result<(), BookError> {
        let mut options = options;
        let result = if options.file == self.options.file {
            Ok(())
        } else if options.file.is_empty() {
            self.book = Book::embedded();
            Ok(())
        } else {
            Book::open(Path::new(&options.file)).map(|book| self.book = book)
        };
        if result.is_err() {
            options.file.clone_from(&self.options.file);
        }
        self.options = options;
        result
    }

    /// A move from the book, if there is one to play. A repeated position is not looked up again: the book
    /// cannot see that its move would lead in a circle. `game_seed` takes the place of a seed that is not set.
    pub fn choose<P: Rules>(&self, game: &Game<P>, game_seed: Option<u64>) -> Option<BookChoice> {
        let closed = match game.position() {
            _ if !self.options.enabled => Some("OwnBook is off"),
            position if ply(position) >= self.options.depth => Some("BookDepth is reached"),
            _ if game.repetitions() > 1 => Some("the position has occurred before"),
            _ => None,
        };
        if let Some(reason) = closed {
            log::debug!(target: logging::BOOK, "no move: {reason}");
            return None;
        }
        let mut moves = self.book.moves(game.now());
        moves.retain(|known| known.weight > 0);
        for BookMove { m, weight } in &moves {
            log::trace!(target: logging::BOOK, "{} weighs {weight}", San::from_move(game.position(), *m));
        }
        let Some(&chosen) = moves.get(self.draw(&moves, polyglot::key(game.now()), game_seed))
        else {
            log::debug!(target: logging::BOOK, "no move: the position is not in the book");
            return None;
        };
        let mut after = game.clone();
        after.play(chosen.m);
        let reply = self.book.moves(after.now()).first().map(|known| known.m);
        let san = San::from_move(game.position(), chosen.m);
        let remark = format!("{REMARK}{san}{}", remark(chosen, &moves, &after));
        log::debug!(target: logging::BOOK, "{remark}");
        Some(BookChoice { m: chosen.m, reply, remark })
    }

    /// Draws one of `moves`, the heaviest of which is first, and returns its index. At full variety its
    /// chance is its share of the weights; below, weights count by the power 100 / variety.
    fn draw(&self, moves: &[BookMove], key: u64, game_seed: Option<u64>) -> usize {
        let Some(heaviest) = moves.first().filter(|_| self.options.variety > 0) else { return 0 };
        let power = FULL_VARIETY as f64 / self.options.variety as f64;
        let share =
            |known: &BookMove| (f64::from(known.weight) / f64::from(heaviest.weight)).powf(power);
        let seed = match self.options.seed {
            0 => game_seed.map_or_else(|| rand::rng().random(), |seed| seed ^ key),
            seed => seed ^ key,
        };
        WeightedIndex::new(moves.iter().map(share))
            .map_or(0, |shares| shares.sample(&mut StdRng::seed_from_u64(seed)))
    }
}

/// Half-moves since the start of the game, by the position's counters.
fn ply(position: &impl Position) -> usize {
    2 * (position.fullmoves().get() as usize - 1) + usize::from(position.turn().is_black())
}

/// Explanation of `chosen` among `moves`; `after` is the game with the move.
fn remark<P: Rules>(chosen: BookMove, moves: &[BookMove], after: &Game<P>) -> String {
    let total: u32 = moves.iter().map(|known| u32::from(known.weight)).sum();
    let share = 100.0 * f64::from(chosen.weight) / f64::from(total.max(1));
    let name = names::of(after).map_or_else(String::new, |opening| format!(", {opening}"));
    let weight = chosen.weight;
    format!(", weight {weight} of {total} ({share:.0} %), one of {}{name}", moves.len())
}

#[cfg(test)]
mod tests {
    use shakmaty::CastlingMode;
    use shakmaty::variant::KingOfTheHill;

    use super::*;
    use crate::book::polyglot::{BookEntry, Raw};
    use crate::rules::setup::{self, Start};

    const OPTIONS: BookOptions =
        BookOptions { enabled: true, file: String::new(), depth: 40, variety: 100, seed: 1 };

    /// A book with these moves at the start of the game.
    fn book(moves: &[(&str, u16)]) -> OwnBook {
        let now = Game::<shakmaty::Chess>::new(Default::default());
        let entries = moves.iter().map(|(text, weight)| {
            let code = polyglot::encode(setup::read_move(now.position(), text).unwrap());
            Raw::from(BookEntry { key: now.now().key(), code, weight: *weight, learn: 0 })
        });
        let bytes = entries.collect::<Vec<_>>().concat();
        OwnBook { book: Book::from_bytes(bytes).unwrap(), options: OPTIONS }
    }

    fn game<P: Rules>() -> Game<P> {
        setup::game(&Start::Initial, &[], CastlingMode::Standard).unwrap().0
    }

    /// The number of seeds from 1 to 1000 that draw each of the moves, heaviest first.
    fn draws(own: &mut OwnBook, variety: usize) -> Vec<usize> {
        own.options.variety = variety;
        let moves = own.book.moves(game::<shakmaty::Chess>().now());
        let mut counts = vec![0; moves.len()];
        for seed in 1..=1000 {
            own.options.seed = seed;
            counts[own.draw(&moves, 77, None)] += 1;
        }
        counts
    }

    #[test]
    fn variety_goes_from_the_best_move_to_the_weights() {
        let mut own = book(&[("d2d4", 100), ("e2e4", 200), ("c2c4", 10)]);
        assert_eq!(draws(&mut own, 0), [1000, 0, 0]);
        let full = draws(&mut own, 100);
        for (found, wanted) in full.iter().zip([645, 323, 32]) {
            assert!(found.abs_diff(wanted) < 60, "{full:?}");
        }
        // The second power of the weights: 400 to 100 to 1.
        let half = draws(&mut own, 50);
        assert!(half[0].abs_diff(798) < 60 && half[2] < 20, "{half:?}");
        assert!(draws(&mut own, 1)[0] == 1000);
    }

    #[test]
    fn a_move_without_weight_is_never_played() {
        let own = book(&[("d2d4", 0), ("e2e4", 1)]);
        assert_eq!(own.choose(&game::<shakmaty::Chess>(), None).unwrap().m.to_string(), "e2-e4");
        assert_eq!(book(&[("d2d4", 0)]).choose(&game::<shakmaty::Chess>(), None), None);
    }

    #[test]
    fn only_chess_has_a_book() {
        let own = book(&[("e2e4", 1)]);
        assert_eq!(game::<KingOfTheHill>().now().key(), game::<shakmaty::Chess>().now().key());
        assert_eq!(own.choose(&game::<KingOfTheHill>(), None), None);
        assert!(names::of(&game::<KingOfTheHill>()).is_none());
    }

    #[test]
    fn the_depth_of_a_book_counts_half_moves_from_the_start_of_the_game() {
        for (played, plies) in [(0, 0), (1, 1), (2, 2), (7, 7), (20, 20)] {
            let tour = ["g1f3", "g8f6", "f3g1", "f6g8"];
            let moves: Vec<String> = (0..played).map(|n| tour[n % 4].to_string()).collect();
            let game: Game<shakmaty::Chess> =
                setup::game(&Start::Initial, &moves, CastlingMode::Standard).unwrap().0;
            assert_eq!(ply(game.position()), plies);
        }
        let mut own = book(&[("e2e4", 1)]);
        own.options.depth = 0;
        assert_eq!(own.choose(&game::<shakmaty::Chess>(), None), None);
        own.options.depth = 1;
        assert!(own.choose(&game::<shakmaty::Chess>(), None).is_some());
    }
}
