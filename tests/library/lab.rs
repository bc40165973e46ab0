//! The laboratory: exact algorithms against minimax on random positions of every game, the
//! theorems that the sources state, solved games, and the lectures' trees.

use std::collections::HashSet;

use engine::rules::RuleSet;
use lab::algorithms::{self, max_n};
use lab::compare::{self, random_positions};
use lab::constants::Constants;
use lab::dda::{Experiment, Method, Rounding, Sample, leaf_count, measure};
use lab::drawing::{Drawing, Look};
use lab::figures;
use lab::game::{Game, Position, Side, WIN};
use lab::games::chess::{self, ChessEvaluation};
use lab::games::connect_four::{ConnectFour, Ending};
use lab::games::order::{Order, Ordered};
use lab::games::random_tree::{Leaves, RandomTree};
use lab::games::tic_tac_toe::TicTacToe;
use lab::games::tree::{SHIPPED, Tree};
use lab::games::trio::Trio;
use lab::moves::Move;
use lab::quiz;
use lab::record::{Action, record};
use lab::texts::{self, Lang};
use lab::watch::{Choice, Counter, LeafPaths, Watch};
use proptest::prelude::*;

fn board(columns: u8, rows: u8) -> ConnectFour {
    ConnectFour::new(columns, rows, Ending::FourInARow).unwrap()
}

fn connect_four(columns: u8, rows: u8) -> Position {
    Position::new(board(columns, rows))
}

fn position(name: &str) -> Position {
    Position::new(Tree::shipped(name).unwrap())
}

fn run(name: &str, game: &Position, depth: u32) -> (Choice, Counter) {
    let mut counter = Counter::default();
    let choice = algorithms::named(name).unwrap().run(game, depth, &mut counter);
    (choice, counter)
}

/// A root with more moves than the budget can pay is searched all the same: otherwise the first move would be played.
#[test]
fn the_depth_budget_never_refuses_the_root() {
    let fen = "6k1/8/8/3q4/8/8/8/QQ1RK3 w - - 0 1";
    let game = chess::position(RuleSet::Chess, fen, ChessEvaluation::Linear).unwrap();
    assert!(game.moves().len() > game.opening_breadth());
    let best = run("depth-budget", &game, 1).0.best.unwrap();
    assert_eq!(game.name(best), "Rxd5");
    assert_ne!(Some(best), game.moves().first().copied());
}

fn leaves(name: &str, game: &Position, depth: u32) -> Vec<Vec<Option<Move>>> {
    let mut paths = LeafPaths::default();
    algorithms::named(name).unwrap().run(game, depth, &mut paths);
    paths.0
}

/// The position after moves picked by the numbers; stops before the game is over.
fn wander(start: &Position, picks: &[u8]) -> Position {
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
fn check_exact(game: &Position, depth: u32) {
    let value = run("minimax", game, depth).0.value;
    for algorithm in algorithms::all().iter().filter(|algorithm| algorithm.is_exact) {
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
fn check_leaves(game: &Position, depth: u32) {
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
    #![proptest_config(ProptestConfig { cases: 100, ..ProptestConfig::default() })]

    #[test]
    fn exact_on_tic_tac_toe(picks in prop::collection::vec(any::<u8>(), 0..9), depth in 0..5u32) {
        let game = wander(&Position::new(TicTacToe::default()), &picks);
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
        let game = wander(&Position::new(ConnectFour::new(columns, rows, ending).unwrap()), &picks);
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
        let game = Position::new(RandomTree::new(breadth, height, leaves, seed));
        check_exact(&game, height);
        check_leaves(&game, height);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, ..ProptestConfig::default() })]

    #[test]
    fn exact_in_any_order(seed in any::<u64>(), picks in prop::collection::vec(any::<u8>(), 0..20)) {
        let game = wander(&connect_four(6, 5), &picks);
        for order in
            [Order::Promise, Order::Random(seed), Order::BestFirst(4), Order::WorstFirst(4)]
        {
            let ordered = Ordered::position(game.clone(), order);
            check_exact(&ordered, 4);
            check_leaves(&ordered, 4);
            prop_assert_eq!(run("minimax", &ordered, 4).0.value, run("minimax", &game, 4).0.value);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    #[test]
    fn exact_on_chess(picks in prop::collection::vec(any::<u8>(), 0..120), depth in 0..3u32) {
        let game = wander(&chess::start(RuleSet::Chess, ChessEvaluation::Linear), &picks).as_root();
        check_exact(&game, depth);
        check_leaves(&game, depth);
    }
}

/// Exact to two plies on positions of twelve random games under the rule set.
fn exact_under(rules: RuleSet) {
    let start = chess::start(rules, ChessEvaluation::Linear);
    for number in 0..12u8 {
        let picks: Vec<u8> =
            (0..number * 10).map(|n| n.wrapping_mul(37) ^ number.wrapping_mul(101)).collect();
        let game = wander(&start, &picks).as_root();
        check_exact(&game, 2);
        check_leaves(&game, 2);
    }
}

#[test]
fn exact_under_every_rule_set() {
    RuleSet::ALL.iter().copied().for_each(exact_under);
}

#[test]
fn a_tree_is_what_its_text_says() {
    let tree = Tree::parse("min # Min begins\n(A (1 -2.5) B:4! (C=3, D=0.25))").unwrap_err();
    assert!(tree.to_string().contains("line 2"), "{tree}");
    let tree = Tree::parse("min # Min begins\n(A (1 -2.5) B!:4 (C=3, D=0.25))").unwrap();
    let tree = Position::new(tree);
    assert_eq!(tree.turn(), Side::Min);
    let [a, b] = tree.moves()[..] else { panic!("two moves") };
    assert_eq!((a.to_string(), b.to_string()), ("A".to_string(), "B".to_string()));
    assert!(tree.is_forcing(b) && !tree.is_forcing(a));
    let b = tree.play(b);
    assert_eq!(b.value(), 400);
    assert_eq!(b.show(b.play(b.moves()[1]).value()), "0.25");
    assert_eq!(run("minimax", &tree, 2).0.value, 100);
}

#[test]
fn faults_in_a_tree_name_the_line_and_the_mend() {
    for (text, told) in [
        ("(1 2", "ends too soon"),
        ("(1 2) 3", "one root"),
        ("()", "must have children"),
        ("(A B)", "'=' and a value"),
        ("(1\n2 ; 3)", "line 2: ';'"),
        ("([1 2] [1 2 3])", "same number of players"),
        ("(99999)", "a number from"),
        ("(averyveryverylongname=1)", "up to 12 letters"),
        ("", "ends too soon"),
    ] {
        let fault = Tree::parse(text).unwrap_err().to_string();
        assert!(fault.contains(told), "{text}: {fault}");
    }
    assert!(Tree::parse(&"(".repeat(100_000)).is_err());
    for shipped in SHIPPED {
        Tree::shipped(shipped.name).unwrap();
    }
}

#[test]
fn the_lectures_trees_give_the_lectures_values_and_cuts() {
    for (name, value, best, alpha_beta_leaves) in [
        ("lecture", 300, "B", 7),
        ("lania", 300, "B", 6),
        ("eight", 800, "B", 7),
        ("best-first", 1000, "D", 9),
    ] {
        let height = Tree::shipped(name).unwrap().height();
        let tree = position(name);
        check_exact(&tree, height);
        check_leaves(&tree, height);
        let (found, counter) = run("alpha-beta", &tree, height);
        assert_eq!((found.value, counter.leaves), (value, alpha_beta_leaves), "{name}");
        assert_eq!(found.best.unwrap().to_string(), best);
    }
    let best_first = position("best-first");
    assert_eq!(run("sss*", &best_first, 3).1.leaves, 7);
}

#[test]
fn futility_gives_up_what_is_not_better_by_enough() {
    let tree = position("futility");
    assert_eq!(run("minimax", &tree, 2).0.value, 310);
    let (found, counter) = run("futility", &tree, 2);
    assert_eq!((found.value, counter.leaves), (300, 4));
    assert_eq!(found.best.unwrap().to_string(), "B");
}

#[test]
fn an_opponent_who_may_err_changes_the_choice() {
    let tree = position("opponent");
    assert_eq!(run("minimax", &tree, 2).0.best.unwrap().to_string(), "C");
    assert_eq!(run("opponent-model", &tree, 2).0.best.unwrap().to_string(), "B");
}

#[test]
fn waiting_for_rest_sees_beyond_the_horizon() {
    let tree = position("horizon");
    assert_eq!(run("minimax", &tree, 1).0.best.unwrap().to_string(), "B");
    let (found, _) = run("quiescence", &tree, 1);
    assert_eq!((found.best.unwrap().to_string(), found.value), ("C".to_string(), 100));
    assert_eq!(run("heuristic-continuation", &tree, 1).0.best.unwrap().to_string(), "C");
    assert_eq!(run("secondary", &tree, 1).0.best.unwrap().to_string(), "C");
}

#[test]
fn three_players_share_as_in_the_lecture() {
    let tree = position("three-players");
    let mut counter = Counter::default();
    let shares = max_n::shares(&tree, 3, &mut Watch::new(Side::Max, &mut counter));
    assert_eq!(shares.values, [100, 200, 600]);
    assert_eq!(shares.best.unwrap().to_string(), "B");
    assert_eq!(counter.leaves, 8);
}

#[test]
fn a_player_of_three_takes_his_win() {
    // a1 a4 d4 / b1 b4 d3: the first player completes the lowest row.
    let mut game = Position::new(Trio::default());
    for name in ["a1", "a4", "d4", "b1", "b4", "d3"] {
        let m = game.moves().into_iter().find(|m| m.to_string() == name).unwrap();
        game = game.play(m);
    }
    let shares = max_n::shares(&game, 2, &mut Watch::new(Side::Max, &mut Counter::default()));
    assert_eq!(shares.best.unwrap().to_string(), "c1");
    assert_eq!(shares.values, [100, 0, 0]);
}

/// A leaf is evaluated, also where the game goes on; each step has its sentence, and a sentence begins with a capital.
#[test]
fn a_search_for_three_is_told_step_by_step() {
    let texts = texts::of(Lang::En);
    let algorithm = algorithms::named("max-n").unwrap();
    let game = Position::new(Trio::default());
    for (root, depth) in [(&game, 1), (&position("three-players"), 3)] {
        let record = record(&algorithm, Constants::default(), root, depth, &texts);
        let told: Vec<String> =
            record.steps.iter().map(|step| texts.say(step.line.as_ref().unwrap())).collect();
        let end = &told[told.len() - 3..];
        if depth == 1 {
            let lines = ["Player 1 is to move at the root.", "Player 1 tries a1."];
            assert_eq!(told[..2], lines);
            let leaf = told.iter().filter(|line| line.starts_with("a1 ")).collect::<Vec<_>>();
            assert_eq!(leaf, ["a1 is evaluated: [3 0 0], one number a player."]);
            assert!(end[1].starts_with("Player 1 takes the best for themselves: ["), "{end:?}");
        } else {
            assert_eq!(end[1], "Player 1 takes the best for themselves: [1 2 6].");
            assert_eq!(end[2], "So the root is worth [1 2 6].");
            let names: Vec<&str> = record
                .principal_variation()
                .iter()
                .map(|&node| record.nodes[node].name.as_str())
                .collect();
            assert_eq!(names, ["", "B", "D", "1"]);
        }
    }
    let lines = told("max-n", "three-players", 3, Lang::Es);
    assert_eq!(lines[0], "En la raíz juega el jugador 1.");
    assert_eq!(lines[1], "El jugador 1 prueba B.");
    let lines = told("sss*", "best-first", 3, Lang::En);
    let purge = lines.iter().find(|line| line.contains("root is solved"));
    assert!(purge.is_none_or(|line| line.starts_with("The root")), "{lines:#?}");
}

/// A board after discs picked by the numbers; not full.
fn drop_discs(start: &ConnectFour, picks: &[u8]) -> ConnectFour {
    let mut game = start.clone();
    for &pick in picks {
        let moves = game.moves();
        let after = moves.get(usize::from(pick) % moves.len().max(1)).map(|&m| game.after(m));
        match after {
            Some(after) if !after.moves().is_empty() => game = after,
            _ => break,
        }
    }
    game
}

fn perft(game: &Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    game.moves().into_iter().map(|m| perft(&game.play(m), depth - 1)).sum()
}

/// All positions that a game can lead to, the start included.
fn reachable(start: &Position) -> usize {
    let mut seen = HashSet::from([start.key()]);
    let mut waiting = vec![start.clone()];
    while let Some(game) = waiting.pop() {
        let children = game.moves().into_iter().map(|m| game.play(m));
        waiting.extend(children.filter(|child| seen.insert(child.key())));
    }
    seen.len()
}

#[test]
fn games_are_generated_in_full() {
    assert_eq!(reachable(&Position::new(TicTacToe::default())), 5478);
    // John Tromp's count.
    assert_eq!(reachable(&connect_four(4, 4)), 161_029);
    // Six discs fit into a column, so at the seventh the seven ways of filling one are missing;
    // the known counts go on with games that four in a row has ended.
    assert_eq!(perft(&connect_four(7, 6), 6), 7u64.pow(6));
    assert_eq!(perft(&connect_four(7, 6), 7), 823_536);
    assert_eq!(perft(&connect_four(7, 6), 8), 5_673_234);
}

#[test]
fn solved_games_are_solved() {
    let (found, counter) = run("minimax", &Position::new(TicTacToe::default()), 9);
    assert_eq!((found.value, counter.leaves), (0, 255_168));
    for (columns, rows) in [(4, 4), (5, 4), (4, 5)] {
        let game = Ordered::position(connect_four(columns, rows), Order::Promise);
        let cells = u32::from(columns) * u32::from(rows);
        let found = run("iterative-deepening", &game, cells).0;
        assert_eq!(found.value, 0, "{columns}x{rows} is a draw");
    }
}

#[test]
fn four_in_a_row_is_found_in_every_direction() {
    for moves in
        ["1 2 1 2 1 2 1", "1 1 2 2 3 3 4", "1 2 2 3 3 4 3 4 4 6 4", "7 6 6 5 5 4 5 4 4 2 4"]
    {
        let mut game = board(7, 6);
        for name in moves.split(' ') {
            assert_eq!(game.winner(), None, "{moves}");
            let m = game.moves().into_iter().find(|m| m.to_string() == name).unwrap();
            game = game.after(m);
        }
        assert_eq!(game.winner(), Some(Side::Max), "{moves}");
        assert!(game.moves().is_empty());
        assert_eq!(game.value(), WIN - game.disc_count() as i32);
    }
}

proptest! {
    #[test]
    fn leaves_are_counted_without_walking(
        picks in prop::collection::vec(any::<u8>(), 0..24),
        depth in 0..6u32,
    ) {
        let start = ConnectFour::new(5, 4, Ending::FullBoard).unwrap();
        let game = drop_discs(&start, &picks);
        let free = game.free_cells();
        prop_assert_eq!(u128::from(perft(&Position::new(game), depth.min(free.iter().sum()))), leaf_count(&free, depth));
    }

    #[test]
    fn the_budget_never_buys_more_leaves_than_the_depth(
        picks in prop::collection::vec(any::<u8>(), 0..24),
        depth in 1..5u32,
    ) {
        let game = Position::new(drop_discs(&ConnectFour::new(5, 4, Ending::FullBoard).unwrap(), &picks));
        prop_assert!(run("depth-budget", &game, depth).1.leaves <= 5u64.pow(depth));
    }
}

#[test]
fn a_perfect_order_reaches_the_minimum() {
    for (breadth, height) in [(3, 4), (4, 5), (6, 3)] {
        let tree = Position::new(RandomTree::new(breadth, height, Leaves::Independent, 7));
        let tree = Ordered::position(tree, Order::BestFirst(height));
        let minimum = compare::knuth_moore(f64::from(breadth), height);
        assert_eq!(run("alpha-beta", &tree, height).1.leaves as f64, minimum);
        assert_eq!(run("negascout", &tree, height).1.leaves as f64, minimum);
    }
}

fn small_experiment(seed: u64) -> (Experiment, Vec<Sample>) {
    let plan =
        Experiment { sizes: vec![4, 5], base: 3, rounding: Rounding::Up, games: 2, runs: 1, seed };
    let mut samples = measure(&plan, || true).unwrap();
    // Time is the machine's, not the seed's.
    samples.iter_mut().for_each(|sample| sample.ms = 0.0);
    (plan, samples)
}

#[test]
fn figures_are_the_same_from_the_same_seed() {
    let (plan, samples) = small_experiment(3);
    assert_eq!(samples, small_experiment(3).1);
    assert_ne!(samples, small_experiment(4).1);
    let svg = figures::draw(&samples, &plan, &texts::of(Lang::En)).unwrap();
    assert_eq!(svg, figures::draw(&samples, &plan, &texts::of(Lang::En)).unwrap());
    for words in ["Figure 1", "Figure 4", "4 x 4", "5 x 5", "discs on the board"] {
        assert!(svg.contains(words), "{words}");
    }
    let games_end_full =
        |size: u8| samples.iter().any(|s| s.size == size && s.discs == u32::from(size * size) - 1);
    assert!(games_end_full(4) && games_end_full(5));
    assert!(
        samples.iter().all(|s| s.method != Method::Specific || s.formula.is_none_or(|f| f >= 3.0))
    );
}

#[test]
fn every_algorithm_can_be_drawn_and_told() {
    let texts = texts::of(Lang::En);
    let game = connect_four(5, 4);
    for algorithm in algorithms::all() {
        let record = record(&algorithm, Constants::default(), &game, 4, &texts);
        assert_eq!(record.last_ply, None, "{}: kept whole", algorithm.name);
        let drawing = Drawing::new(&record, &texts, algorithm.name.to_string(), Look::default());
        let svg = drawing.svg();
        let width: f64 =
            svg.split("width=\"").nth(1).unwrap().split('"').next().unwrap().parse().unwrap();
        assert!(width <= 1700.0, "{}: {width} px do not fit a slide", algorithm.name);
        assert!(svg.ends_with("</svg>\n") && drawing.dot().ends_with("}\n"));
        let told = record.steps.iter().filter(|step| step.line.is_some()).count();
        assert!(told > record.nodes.len() / 2, "{}", algorithm.name);
    }
}

fn engine(arguments: &[&str]) -> (bool, String, String) {
    let engine = std::process::Command::new(env!("CARGO_BIN_EXE_engine"));
    let output = { engine }.args(arguments).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.success(), text(output.stdout), text(output.stderr))
}

#[test]
fn the_commands_answer_and_name_their_faults() {
    let tree = ["lab", "compare", "--game", "tree", "--format", "json"];
    let (is_done, told, _) = engine(&tree);
    let rows: serde_json::Value = serde_json::from_str(&told).unwrap();
    assert!(is_done && rows.as_array().unwrap().len() > 15);
    let row = rows.as_array().unwrap().iter().find(|row| row["algorithm"] == "alpha-beta").unwrap();
    assert_eq!(row["leaves"], 7);
    let (_, told, _) = engine(&["lab", "compare", "--game", "trio", "--depth", "2"]);
    assert!(told.contains("best"), "{told}");
    for (arguments, mend) in [
        (["--game", "connect-four", "--size", "7"], "such as 7x6"),
        (["--game", "connect-four", "--size", "3x3"], "try 7x6"),
        (["--game", "tic-tac-toe", "--moves", "z9"], "these are: a1"),
        (["--game", "chess", "--algorithms", "deep"], "these are: minimax"),
        (["--game", "tree", "--tree", "nowhere"], "comes with the program: lecture"),
        (["--game", "chess", "--fen", "nonsense"], "error"),
    ] {
        let all = [&["lab", "compare"][..], &arguments[..]].concat();
        let (is_done, _, fault) = engine(&all);
        assert!(!is_done && fault.contains(mend), "{arguments:?}: {fault}");
    }
}

#[test]
fn three_players_are_three_in_every_command() {
    let tree = ["--game", "tree", "--tree", "three-players"];
    let (_, told, _) = engine(&[&["lab", "compare", "--algorithms", "max-n"], &tree[..]].concat());
    assert!(told.contains("[1 2 6]") && told.contains(" B "), "{told}");
    let (_, told, _) = engine(&[&["lab", "tree"], &tree[..]].concat());
    assert!(told.starts_with("value [1 2 6], best B, leaves 8"), "{told}");
    let (is_done, _, fault) =
        engine(&[&["lab", "compare", "--algorithms", "alpha-beta"], &tree[..]].concat());
    assert!(!is_done && fault.contains("use max-n"), "{fault}");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("trio.svg");
    let arguments = ["lab", "tree", "--game", "trio", "--depth", "1", "--step", "--svg"];
    let (_, told, _) = engine(&[&arguments[..], &[file.to_str().unwrap()]].concat());
    assert!(told.contains("Player 1 takes the best for themselves: ["), "{told}");
    assert!(std::fs::read_to_string(file).unwrap().contains("player 2"));
}

/// Sums of the counts of an algorithm over random positions.
fn total(name: &str, positions: &[Position], depth: u32) -> Counter {
    let mut sum = Counter::default();
    positions.iter().for_each(|game| sum.add(&run(name, game, depth).1));
    sum
}

#[test]
fn waiting_for_rest_stays_below_five_times_alpha_beta() {
    let four = random_positions(&connect_four(7, 6), 10, 0..=24, 1);
    let chess = chess::start(RuleSet::Chess, ChessEvaluation::Linear);
    let chess = random_positions(&chess, 10, 6..=40, 1);
    for (positions, depth) in [(four, 5), (chess, 3)] {
        let rest = total("quiescence", &positions, depth).leaves as f64;
        let plain = total("alpha-beta", &positions, depth).leaves as f64;
        assert!(rest < 5.0 * plain, "{:.1} times", rest / plain);
    }
}

#[test]
fn every_evaluation_and_every_state_is_counted() {
    let tree = position("lecture");
    assert_eq!(run("biased", &tree, 2).1.estimates, 6);
    // Its own estimate, and one of each move of the player at the root.
    assert_eq!(run("crash-cut", &tree, 2).1.estimates, 4);
    // The list is greatest when the first strategy is complete: a state for each move of Max.
    assert_eq!(run("sss*", &tree, 2).1.memory, 3);
    assert_eq!(run("alpha-beta", &tree, 2).1.memory, 0);
    // Two plies of a tree of three: inner nodes without an estimate.
    assert!(run("alpha-beta", &position("best-first"), 2).1.unknown > 0);
    assert_eq!(run("alpha-beta", &position("horizon"), 1).1.unknown, 0);
}

#[test]
fn the_time_of_ordering_is_not_the_searchs() {
    let game = chess::start(RuleSet::Chess, ChessEvaluation::Linear);
    let ordered = Ordered::position(game.clone(), Order::BestFirst(3));
    let started = std::time::Instant::now();
    let run = compare::run(&algorithms::ALPHA_BETA, Constants::default(), &ordered, 3);
    let whole = started.elapsed();
    assert!(ordered.time_ordering() > whole / 2, "ordering is most of it");
    assert!(run.time < whole / 2, "{:?} of {whole:?}", run.time);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, ..ProptestConfig::default() })]

    /// No search without a table needs fewer leaves than the proof of the value, and the best order
    /// needs just as many on a uniform tree.
    #[test]
    fn nobody_undercuts_the_trees_own_minimum(
        breadth in 2..5u16,
        height in 1..5u32,
        seed in any::<u64>(),
        picks in prop::collection::vec(any::<u8>(), 0..30),
    ) {
        let uniform = Position::new(RandomTree::new(breadth, height, Leaves::Independent, seed));
        let four = wander(&connect_four(5, 4), &picks);
        for (game, depth) in [(uniform, height), (four, 4)] {
            let value = run("minimax", &game, depth).0.value;
            let least = compare::least_leaves(&game, depth, value);
            for name in ["alpha-beta", "negascout", "sss*", "trujillo", "lania"] {
                prop_assert!(run(name, &game, depth).1.leaves >= least, "{name}");
            }
        }
        let least = compare::knuth_moore(f64::from(breadth), height);
        let tree = Position::new(RandomTree::new(breadth, height, Leaves::Independent, seed));
        let value = run("minimax", &tree, height).0.value;
        prop_assert_eq!(compare::least_leaves(&tree, height, value) as f64, least);
    }
}

#[test]
fn a_mean_of_errors_is_an_evaluation_and_not_a_mate() {
    let game = Position::new(TicTacToe::default());
    let (found, _) = run("opponent-model", &game, 9);
    assert!(found.value.abs() <= 50 * game.unit(), "{}", found.value);
}

#[test]
fn a_record_keeps_the_upper_plies_and_counts_the_rest() {
    let texts = texts::of(Lang::En);
    let game = chess::start(RuleSet::Chess, ChessEvaluation::Linear);
    let record = record(&algorithms::ALPHA_BETA, Constants::default(), &game, 4, &texts);
    assert!(record.last_ply.is_some() && record.nodes.len() <= 20_000);
    let kept = record.steps.iter().filter(|step| step.action == Action::Enter).count() as u64;
    let hidden: u64 = record
        .steps
        .iter()
        .map(|step| if let Action::Hidden(nodes, _) = step.action { nodes } else { 0 })
        .sum();
    assert_eq!(kept + hidden, record.counter.nodes);
}

/// The sentences of a search of a shipped tree.
fn told(algorithm: &str, tree: &str, depth: u32, lang: Lang) -> Vec<String> {
    let texts = texts::of(lang);
    let algorithm = algorithms::named(algorithm).unwrap();
    let record = record(&algorithm, Constants::default(), &position(tree), depth, &texts);
    record.steps.iter().filter_map(|step| Some(texts.say(step.line.as_ref()?))).collect()
}

#[test]
fn the_search_is_told_with_bounds_and_reasons() {
    let lines = told("alpha-beta", "lecture", 2, Lang::En);
    for line in [
        "Now β = 3: Min has 1 for that.",
        "Now α = 3: Max has B for that.",
        "2 and 3 not searched, because C is worth at most 2 and Max already has 3 by B.",
        "So C is worth at most 2.",
        "So D is worth 2.",
        "So the root is worth 3.",
    ] {
        assert!(lines.iter().any(|told| told == line), "{line} in {lines:#?}");
    }
    let lines = told("alpha-beta", "lecture", 2, Lang::Es);
    let line = "No se exploran: 2 and 3. C vale como mucho 2 y Max ya tiene 3 con B.";
    assert!(lines.contains(&line.replace("and", "y")), "{lines:#?}");
    let lines = told("negascout", "best-first", 3, Lang::En);
    assert!(lines.iter().any(|line| line.starts_with("A window of no width: is C worth more")));
    let lines = told("mt-sss*", "best-first", 3, Lang::En);
    let line = "A window of no width: is the root worth more than +∞ − 1?";
    assert!(lines.iter().any(|told| told == line), "{lines:#?}");
    let lines = told("sss*", "best-first", 3, Lang::En);
    assert!(lines.iter().any(|line| line == "(root, LIVE, ĥ = +∞) enters the list."));
    assert!(lines.iter().any(|line| line.contains("SOLVED, ĥ = 10")), "{lines:#?}");
}

#[test]
fn constants_change_the_search_and_a_clock_answers_in_time() {
    let chess = ["lab", "compare", "--depth", "4", "--algorithms", "null-move", "--format", "json"];
    let leaves = |more: &[&str]| {
        let (_, told, _) = engine(&[&chess[..], more].concat());
        serde_json::from_str::<serde_json::Value>(&told).unwrap()[0]["leaves"].as_u64().unwrap()
    };
    assert_ne!(leaves(&[]), leaves(&["--set", "null-move.R=0"]));
    let (is_done, _, fault) = engine(&[&chess[..], &["--set", "R=3"]].concat());
    assert!(!is_done && fault.contains("null-move.R"), "{fault}");
    let started = std::time::Instant::now();
    let (is_done, told, _) = engine(&["lab", "clock", "--seconds", "0.3"]);
    assert!(is_done && told.contains("Time is up:"), "{told}");
    assert!(started.elapsed().as_secs_f64() < 3.0);
    assert!(told.lines().count() > 3, "rows come as rounds are done: {told}");
}

#[test]
fn everything_is_explained_in_both_languages_and_listed() {
    for algorithm in algorithms::all() {
        for lang in ["en", "es"] {
            let (is_done, told, _) = engine(&["lab", "explain", algorithm.name, "--lang", lang]);
            assert!(is_done && told.lines().count() > 5, "{}: {told}", algorithm.name);
            assert!(!told.contains("idea.") && !told.contains("code."), "{told}");
        }
    }
    let (_, told, _) = engine(&["lab", "list"]);
    for name in ["negascout-table", "three-players", "null-move.R", "racingkings", "othello"] {
        assert!(told.contains(name), "{name}");
    }
}

#[test]
fn a_quiz_sheet_is_the_same_again_and_its_solutions_are_true() {
    let texts = texts::of(Lang::En);
    let sheet = quiz::exercises(7, &texts).unwrap();
    for (one, again) in sheet.iter().zip(quiz::exercises(7, &texts).unwrap()) {
        assert_eq!(one.text, again.text);
        let leaves = run("minimax", &one.root, one.record.depth).1.leaves;
        assert_eq!(leaves - one.record.counter.leaves, one.cut.len() as u64);
        assert!(one.cut.len() >= 2, "there is something to find in {}", one.text);
    }
    let folder = tempfile::tempdir().unwrap();
    let to = folder.path().to_str().unwrap();
    let (is_done, _, fault) = engine(&["lab", "examples", "--to", to, "--lang", "es"]);
    assert!(is_done, "{fault}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), SHIPPED.len() + 1);
}

#[test]
fn a_file_of_another_kind_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("notes.txt");
    std::fs::write(&file, "my notes").unwrap();
    let html = ["lab", "tree", "--game", "tree", "--html", file.to_str().unwrap()];
    let (is_done, _, fault) = engine(&html);
    assert!(!is_done && fault.contains("--force"), "{fault}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "my notes");
    assert!(engine(&[&html[..], &["--force"]].concat()).0);
}
