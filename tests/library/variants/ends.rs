//! The end of games by each rule set's own law, and short games of the engine against itself to the end.

use engine::evaluation::variants::{Task, with_rules};
use engine::evaluation::{KingTerms, Variant};
use engine::limits::Limits;
use engine::rules::{Ending, Game, RuleSet, Rules};
use engine::search::report::Silent;
use engine::search::{Options, Searcher};
use shakmaty::variant::{Antichess, Atomic, Horde, KingOfTheHill, RacingKings, ThreeCheck};

use super::{random_positions, read};

fn ending<P: Rules>(fen: &str) -> Option<Ending> {
    read::<P>(fen).ending()
}

#[test]
fn every_rule_set_has_its_ending() {
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

/// The ending by the rules agrees with shakmaty's outcome.
struct Outcomes;

impl Task for Outcomes {
    type Outcome = ();

    fn run<P: Variant>(self) {
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
    for &rule_set in RuleSet::ALL {
        with_rules(rule_set, Outcomes);
    }
}

/// A game at a few hundred nodes per move, to its end or to 300 half-moves.
struct Play;

impl Task for Play {
    type Outcome = ();

    fn run<P: Variant>(self) {
        let evaluator = KingTerms::<P>::default();
        let mut searcher = Searcher::new(evaluator, Options::default(), 1).unwrap();
        for opening in random_positions::<P>(4).into_iter().skip(3).step_by(67).take(4) {
            searcher.new_game();
            let mut game = Game::new(opening);
            for _ in 0..300 {
                let outcome = searcher.search(&game, &Limits::nodes(300), &mut Silent);
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
    for &rule_set in RuleSet::ALL {
        with_rules(rule_set, Play);
    }
}
