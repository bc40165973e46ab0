//! Games end by each rule set's own law: what the rules say of the end, and short games of the
//! engine against itself to the end.

use ajedrecista::evaluation::tables;
use ajedrecista::limits::Limits;
use ajedrecista::rules::variant::{self, Task};
use ajedrecista::rules::{Ending, Game, Rules};
use ajedrecista::search::Memory;
use ajedrecista::search::report::Silent;
use ajedrecista::search::table::Table;
use ajedrecista::search::{self, Options, Shared};
use shakmaty::variant::{
    Antichess, Atomic, Horde, KingOfTheHill, RacingKings, ThreeCheck, Variant,
};

use super::{random_positions, read};

fn ending<P: Rules>(fen: &str) -> Option<Ending> {
    read::<P>(fen).ending()
}

#[test]
fn every_law_knows_its_end() {
    use Ending::{Drawn, Lost, Won};
    assert_eq!(ending::<Atomic>("8/8/8/8/8/8/8/4K3 b - - 0 1"), Some(Lost));
    assert_eq!(ending::<Antichess>("8/8/8/8/8/8/8/4K3 b - - 0 1"), Some(Won));
    assert_eq!(ending::<Antichess>("8/8/8/8/8/8/8/4K3 w - - 0 1"), Some(Lost));
    assert_eq!(ending::<KingOfTheHill>("4k3/8/8/8/4K3/8/8/8 b - - 0 1"), Some(Lost));
    assert_eq!(ending::<ThreeCheck>("4k3/8/8/8/8/8/8/4KR2 w - - 3+0 0 1"), Some(Lost));
    assert_eq!(ending::<ThreeCheck>("4k3/8/8/8/8/8/8/4KR2 w - - 1+1 0 1"), None);
    assert_eq!(ending::<Horde>("4k3/8/8/8/8/8/8/8 w - - 0 1"), Some(Lost));
    // White has arrived: Black may follow, cannot follow, has followed, has not followed.
    assert_eq!(ending::<RacingKings>("4K3/k7/8/8/8/8/8/8 b - - 0 1"), None);
    assert_eq!(ending::<RacingKings>("4K3/8/k7/8/8/8/8/8 b - - 0 1"), Some(Lost));
    assert_eq!(ending::<RacingKings>("k3K3/8/8/8/8/8/8/8 w - - 0 1"), Some(Drawn));
    assert_eq!(ending::<RacingKings>("4K3/8/k7/8/8/8/8/8 w - - 0 1"), Some(Won));
    assert_eq!(ending::<RacingKings>("k7/8/4K3/8/8/8/8/8 w - - 0 1"), Some(Lost));
}

/// What the rules say of an end agrees with shakmaty's outcome.
struct Outcomes;

impl Task for Outcomes {
    type Outcome = ();

    fn run<P: Rules>(self) {
        for position in random_positions::<P>(60) {
            let is_over = position.ending().is_some() || position.legal_moves().is_empty();
            let known = position.outcome().known();
            if !is_over {
                assert!(known.is_none() || position.is_insufficient_material());
                continue;
            }
            let winner = known.expect("the game is over").winner();
            let expected = match winner {
                None => Ending::Drawn,
                Some(winner) if winner == position.turn() => Ending::Won,
                Some(_) => Ending::Lost,
            };
            assert_eq!(position.ending_without_moves(position.is_check()), expected);
        }
    }
}

#[test]
fn ends_agree_with_the_board_library() {
    for variant in Variant::ALL {
        variant::with(variant, Outcomes);
    }
}

/// A game of a few hundred nodes a move, to its end or to 300 half-moves.
struct Play;

impl Task for Play {
    type Outcome = ();

    fn run<P: Rules>(self) {
        let evaluator = tables::of(P::VARIANT);
        let shared = Shared::new(Table::new(1).unwrap());
        for opening in random_positions::<P>(4).into_iter().skip(3).step_by(67).take(4) {
            let mut history = Memory::default();
            let mut game = Game::new(opening);
            for _ in 0..300 {
                let (options, limits) = (Options::default(), Limits::nodes(300));
                let outcome = search::run(
                    &game,
                    &limits,
                    &options,
                    &evaluator,
                    &shared,
                    &mut history,
                    &mut Silent,
                );
                let Some(m) = outcome.best else {
                    assert!(game.position().is_game_over());
                    break;
                };
                assert!(game.position().is_legal(m));
                game.play(m);
                if game.draw_reason().is_some() {
                    break;
                }
            }
        }
    }
}

#[test]
fn games_reach_their_end() {
    for variant in Variant::ALL {
        variant::with(variant, Play);
    }
}
