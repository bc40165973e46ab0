//! The laboratory: exact algorithms against minimax on random positions of every game, the
//! theorems that the sources state, solved games, and the lectures' trees.

use std::collections::HashSet;

use ajedrecista::evaluation::KingRelative;
use ajedrecista::evaluation::king_relative::Weights;
use ajedrecista::lab::algorithms::{self, max_n};
use ajedrecista::lab::game::{Game, Party, Side, WIN};
use ajedrecista::lab::games::chess::ChessGame;
use ajedrecista::lab::games::connect_four::{ConnectFour, Ending};
use ajedrecista::lab::games::order::{Order, Ordered};
use ajedrecista::lab::games::random_tree::{Leaves, RandomTree};
use ajedrecista::lab::games::tic_tac_toe::TicTacToe;
use ajedrecista::lab::games::tree::{SHIPPED, Tree};
use ajedrecista::lab::games::trio::Trio;
use ajedrecista::lab::watch::{Choice, Counter, LeafPaths, Watch};
use proptest::prelude::*;
use shakmaty::Chess;

type LabChess = ChessGame<Chess, KingRelative>;

fn chess() -> LabChess {
    ChessGame::new(Chess::default(), KingRelative::linear(Weights::default()))
}

fn connect_four(columns: u8, rows: u8) -> ConnectFour {
    ConnectFour::new(columns, rows, Ending::FourInARow).unwrap()
}

fn run<G: Game>(name: &str, game: &G, depth: u32) -> (Choice<G::Move>, Counter) {
    let mut counter = Counter::default();
    let choice = algorithms::named::<G>(name).unwrap().run(game, depth, &mut counter);
    (choice, counter)
}

fn leaves<G: Game>(name: &str, game: &G, depth: u32) -> Vec<Vec<Option<G::Move>>> {
    let mut paths = LeafPaths::default();
    algorithms::named::<G>(name).unwrap().run(game, depth, &mut paths);
    paths.0
}

/// The position after moves picked by the numbers; stops before the game is over.
fn wander<G: Game>(start: &G, picks: &[u8]) -> G {
    let mut game = start.clone();
    for &pick in picks {
        let moves = game.moves();
        let after = moves.get(usize::from(pick) % moves.len().max(1)).map(|&m| game.play(m));
        match after {
            Some(after) if !after.moves().is_empty() => game = after,
            _ => break,
        }
    }
    game
}

/// Every exact algorithm finds minimax's value, and a move that is worth it.
fn check_exact<G: Game>(game: &G, depth: u32) {
    let value = run("minimax", game, depth).0.value;
    for algorithm in algorithms::all::<G>().iter().filter(|algorithm| algorithm.is_exact) {
        let found = algorithm.run(game, depth, &mut Counter::default());
        assert_eq!(found.value, value, "{} at depth {depth}", algorithm.name);
        if depth > 0 && !game.moves().is_empty() {
            let m = found.best.unwrap_or_else(|| panic!("{} names no move", algorithm.name));
            let worth = run("minimax", &game.play(m), depth - 1).0.value;
            assert_eq!(worth, value, "{} plays {m}", algorithm.name);
        }
    }
}

/// What holds of the leaves that the algorithms evaluate, on any tree.
fn check_leaves<G: Game>(game: &G, depth: u32) {
    let unique = |name| leaves(name, game, depth).into_iter().collect::<HashSet<_>>();
    let minimax = unique("minimax");
    let alpha_beta = unique("alpha-beta");
    let sss = leaves("sss*", game, depth);
    let sss_unique: HashSet<_> = sss.iter().cloned().collect();
    assert!(alpha_beta.is_subset(&minimax));
    assert_eq!(alpha_beta, unique("fail-hard"));
    assert_eq!(alpha_beta, unique("fail-soft"));
    assert_eq!(sss.len(), sss_unique.len(), "SSS* evaluates no leaf twice");
    assert!(sss_unique.is_subset(&alpha_beta));
    assert!(unique("negascout").is_subset(&minimax));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, ..ProptestConfig::default() })]

    #[test]
    fn exact_on_tic_tac_toe(picks in prop::collection::vec(any::<u8>(), 0..9), depth in 0..5u32) {
        let game = wander(&TicTacToe::default(), &picks);
        check_exact(&game, depth);
        check_leaves(&game, depth);
    }

    #[test]
    fn exact_on_connect_four(
        picks in prop::collection::vec(any::<u8>(), 0..40),
        (columns, rows) in (4..8u8, 4..8u8),
        is_forced in any::<bool>(),
        depth in 0..5u32,
    ) {
        let ending = if is_forced { Ending::FullBoard } else { Ending::FourInARow };
        let game = wander(&ConnectFour::new(columns, rows, ending).unwrap(), &picks);
        check_exact(&game, depth);
        check_leaves(&game, depth);
    }

    #[test]
    fn exact_on_random_trees(
        breadth in 1..6u16,
        height in 0..5u32,
        drifts in any::<bool>(),
        seed in any::<u64>(),
    ) {
        let leaves = if drifts { Leaves::Drifting } else { Leaves::Independent };
        let game = RandomTree::new(breadth, height, leaves, seed);
        check_exact(&game, height);
        check_leaves(&game, height);
    }

    #[test]
    fn exact_in_any_order(seed in any::<u64>(), picks in prop::collection::vec(any::<u8>(), 0..20)) {
        let game = wander(&connect_four(6, 5), &picks);
        for order in
            [Order::Promise, Order::Random(seed), Order::BestFirst(4), Order::WorstFirst(4)]
        {
            let ordered = Ordered::new(game.clone(), order);
            check_exact(&ordered, 4);
            check_leaves(&ordered, 4);
            prop_assert_eq!(run("minimax", &ordered, 4).0.value, run("minimax", &game, 4).0.value);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn exact_on_chess(picks in prop::collection::vec(any::<u8>(), 0..120), depth in 0..3u32) {
        let game = wander(&chess(), &picks).as_root();
        check_exact(&game, depth);
        check_leaves(&game, depth);
    }
}
