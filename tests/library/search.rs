//! The search from outside: mates found, draws recognised, the same result twice.

use engine::evaluation::KingTerms;
use engine::evaluation::linear::Weights;
use engine::limits::Limits;
use engine::rules::setup::{self, Start};
use engine::rules::{Game, Rules};
use engine::score::{Meaning, Score};
use engine::search::report::{Bound, Outcome, Report, Reporter};
use engine::search::{Options, Searcher};
use shakmaty::{CastlingMode, Chess, Position};

/// Keeps every report, bounds included.
#[derive(Default)]
struct Journal(Vec<Report>);

impl Reporter for Journal {
    fn variation(&mut self, report: &Report) {
        self.0.push(report.clone());
    }

    fn wants_bounds(&self, _time_ms: u64) -> bool {
        true
    }
}

/// A searcher with the linear evaluation that keeps its reports.
struct Thinker(Searcher<Chess>);

impl Thinker {
    fn new() -> Thinker {
        Thinker::with(Options::default())
    }

    fn with(options: Options) -> Thinker {
        let evaluator = KingTerms::linear(Weights::default());
        Thinker(Searcher::new(evaluator, options, 8).unwrap())
    }

    fn think(&mut self, game: &Game<Chess>, limits: &Limits) -> (Outcome, Vec<Report>) {
        let mut journal = Journal::default();
        let outcome = self.0.search(game, limits, &mut journal);
        (outcome, journal.0)
    }
}

fn game(fen: &str, moves: &[&str]) -> Game<Chess> {
    let moves: Vec<String> = moves.iter().map(|m| m.to_string()).collect();
    setup::game(&Start::Fen(fen.to_string()), &moves, CastlingMode::Standard).unwrap().0
}

fn uci(m: Option<shakmaty::Move>) -> String {
    m.map_or("none".to_string(), |m| m.to_uci(CastlingMode::Standard).to_string())
}

/// Positions with a forced mate, and its number of moves.
const MATES: &[(&str, i32)] = &[
    ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", 1),
    ("8/8/8/8/8/5k2/7r/5K2 b - - 0 1", 1),
    ("4k3/8/3QK3/8/8/8/8/8 w - - 0 1", 1),
    ("3k4/8/3K4/8/8/8/8/6R1 w - - 0 1", 1),
    ("r1bq2r1/b4pk1/p1pp1p2/1p2pP2/1P2P1PB/3P4/1PPQ2P1/R3K2R w - - 0 1", 2),
    ("6k1/pp4p1/2p5/2bp4/8/P5Pb/1P3rrP/2BRRN1K b - - 0 1", 2),
    ("1rb4r/pkPp3p/1b1P3n/1Q6/N3Pp2/8/P1P3PP/7K w - - 0 1", 2),
    ("5rkr/pp2Rp2/1b1p1Pb1/3P2Q1/2n3P1/2p5/P4P2/4R1K1 w - - 0 1", 2),
    ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 3),
    ("2q1nk1r/4Rp2/1ppp1P2/6Pp/3p1B2/3P3P/PPP1Q3/6K1 w - - 0 1", 5),
];

#[test]
fn forced_mates_are_found_and_reported_to_the_end() {
    for &(fen, moves) in MATES {
        let game = game(fen, &[]);
        let limits = Limits { mate: Some(moves as u32), depth: Some(24), ..Limits::default() };
        let (outcome, reports) = Thinker::new().think(&game, &limits);
        assert_eq!(outcome.score.meaning(), Meaning::Mate(moves), "{fen}");
        let pv = &reports.last().unwrap().pv;
        assert_eq!(pv.len() as i32, 2 * moves - 1, "{fen}: {pv:?}");
        let end = pv.iter().fold(game.position().clone(), |now, &m| now.play(m).unwrap());
        assert!(end.is_checkmate(), "{fen}: {pv:?}");
    }
}

#[test]
fn the_same_search_twice_is_the_same() {
    let game =
        game("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", &[]);
    let mut thinker = Thinker::new();
    let first = thinker.think(&game, &Limits::depth(9)).0;
    thinker.0.new_game();
    let second = thinker.think(&game, &Limits::depth(9)).0;
    assert_eq!((first.nodes, first.best, first.score), (second.nodes, second.best, second.score));
}

#[test]
fn a_node_limit_is_exact() {
    let game =
        game("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", &[]);
    for nodes in [1_000, 5_000, 20_000] {
        assert_eq!(Thinker::new().think(&game, &Limits::nodes(nodes)).0.nodes, nodes);
    }
}

/// Captures without end: the first iteration of these positions never comes to its end.
#[test]
fn limits_hold_before_the_first_iteration_is_complete() {
    for fen in [
        "1k6/rrbbnnq1/qqqqqqqq/8/8/QQQQQQQQ/RRBBNNQ1/1K6 w - - 0 1",
        "qqqqkqqq/qqqqqqqq/8/8/8/8/QQQQQQQQ/QQQQKQQQ w - - 0 1",
    ] {
        let game = game(fen, &[]);
        for limits in [Limits::nodes(1), Limits { move_time: Some(1), ..Limits::default() }] {
            let (outcome, _) = Thinker::new().think(&game, &limits);
            assert!(game.position().is_legal(outcome.best.unwrap()), "{fen}");
            assert!(outcome.nodes < 100_000 && !outcome.score.is_mate(), "{fen}: {outcome:?}");
        }
    }
}

#[test]
fn variations_are_legal_and_begin_with_the_move_played() {
    let game = game("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", &[]);
    let mut thinker = Thinker::with(Options { variations: 4, ..Options::default() });
    let (outcome, reports) = thinker.think(&game, &Limits::depth(8));
    for report in &reports {
        report.pv.iter().fold(game.position().clone(), |now, &m| now.play(m).unwrap());
    }
    let is_last = |report: &&Report| report.depth == 8 && report.bound == Bound::Exact;
    let last: Vec<&Report> = reports.iter().filter(is_last).collect();
    assert_eq!(last.iter().map(|report| report.multipv).collect::<Vec<_>>(), [1, 2, 3, 4]);
    assert!(last.windows(2).all(|pair| pair[0].score >= pair[1].score));
    assert_eq!(outcome.best, last[0].pv.first().copied());
    let mut firsts: Vec<_> = last.iter().map(|report| report.pv[0]).collect();
    firsts.dedup();
    assert_eq!(firsts.len(), 4);
}

/// The engine plays simple endings out with short searches, so that the ends of its mates often come from
/// the table, among entries of other searches. No reported PV repeats a position.
#[test]
fn no_pv_repeats_a_position() {
    let mut mates = 0;
    let starts = [
        "8/8/8/8/8/5k2/7q/1K6 b - - 0 1",
        "7k/8/8/8/8/5Q2/8/1K6 b - - 0 1",
        "8/8/8/3k4/8/8/8/R3K3 w - - 0 1",
        "8/8/8/3k4/8/8/8/Q3K3 w - - 0 1",
        "8/8/8/3k4/8/8/8/QR2K3 b - - 0 1",
        "8/8/8/3k4/8/7p/8/Q2QK3 b - - 0 1",
        "6k1/8/8/4KQ2/8/8/8/8 b - - 0 1",
        "5k2/3Q4/8/6K1/8/8/8/8 b - - 0 1",
        "8/6k1/8/6KQ/8/8/8/8 w - - 0 1",
        "7k/8/8/5KQ1/8/7p/8/8 w - - 0 1",
        "8/5ppk/8/8/8/8/1Q6/1R2K3 b - - 0 1",
    ];
    for (start, nodes) in starts.into_iter().flat_map(|s| [(s, 600), (s, 4_000), (s, 20_000)]) {
        let mut game = game(start, &[]);
        let mut thinker = Thinker::new();
        while !game.position().is_game_over() && game.past().len() < 100 {
            let (outcome, reports) = thinker.think(&game, &Limits::nodes(nodes));
            for report in reports {
                mates += usize::from(report.score.is_mate());
                let mut met = Vec::new();
                let mut now = game.now().clone();
                for m in report.pv {
                    now = now.play(m);
                    assert!(!met.contains(&now.key()), "{:?} {m:?}", game.position().board());
                    met.push(now.key());
                }
            }
            game.play(outcome.best.unwrap());
        }
    }
    assert!(mates > 100);
}

#[test]
fn a_fail_low_is_an_upper_bound_and_a_fail_high_a_lower_one() {
    // Bounds of either kind, and those of them that the next report of the iteration confirms: a search with another
    // window may prune otherwise.
    let (mut lower, mut upper) = ([0, 0], [0, 0]);
    for fen in &Chess::BENCH[..20] {
        let (_, reports) = Thinker::new().think(&game(fen, &[]), &Limits::depth(9));
        for pair in reports.windows(2).filter(|pair| pair[0].depth == pair[1].depth) {
            let (bound, next) = (pair[0].score, pair[1].score);
            let (counts, is_confirmed) = match pair[0].bound {
                Bound::Lower => (&mut lower, next >= bound),
                Bound::Upper => (&mut upper, next <= bound),
                Bound::Exact => continue,
            };
            counts[0] += 1;
            counts[1] += usize::from(is_confirmed);
        }
    }
    for [told, confirmed] in [lower, upper] {
        assert!(told > 3 && confirmed * 3 >= told * 2, "{lower:?} {upper:?}");
    }
}

#[test]
fn a_lost_game_is_saved_by_perpetual_check() {
    // Far behind and about to be mated; the checks on e8 and h5 never end.
    let game = game("6k1/6p1/8/6KQ/1r6/q2b4/8/8 w - - 0 32", &[]);
    let (outcome, _) = Thinker::new().think(&game, &Limits::depth(12));
    assert_eq!((uci(outcome.best).as_str(), outcome.score), ("h5e8", Score::DRAW));
}

#[test]
fn a_position_seen_before_is_a_draw_in_the_tree() {
    // A queen up, but every move except one leads back to a position that has occurred twice.
    let to_and_fro = ["h5h6", "a8b8", "h6h5", "b8a8"];
    let moves: Vec<&str> = to_and_fro.iter().cycle().take(8).copied().collect();
    let game = game("k7/8/1K6/7Q/8/8/8/8 w - - 0 1", &moves);
    assert_eq!(game.repetitions(), 3);
    let limits = Limits { search_moves: vec!["h5h6".parse().unwrap()], ..Limits::depth(1) };
    let (outcome, _) = Thinker::new().think(&game, &limits);
    assert_eq!(outcome.score, Score::DRAW);
}

#[test]
fn mate_on_the_hundredth_half_move_counts() {
    let mate = game("7k/8/6K1/8/8/8/8/R7 w - - 99 80", &[]);
    let (outcome, _) = Thinker::new().think(&mate, &Limits::depth(4));
    assert_eq!((uci(outcome.best).as_str(), outcome.score), ("a1a8", Score::mate_in(1)));
    let too_late = game("7k/8/5K2/8/8/8/8/R7 w - - 99 80", &[]);
    let (outcome, _) = Thinker::new().think(&too_late, &Limits::depth(6));
    assert_eq!(outcome.score, Score::DRAW);
}

#[test]
fn zugzwang_does_not_fool_the_null_move() {
    // With White to move Black is mated; a side that may pass does better (Tabibi and Netanyahu 2002).
    let game = game("8/8/p1p5/1p5p/1P5p/8/PPP2K1p/4R1rk w - - 0 1", &[]);
    let (outcome, _) = Thinker::new().think(&game, &Limits::depth(14));
    assert_eq!(uci(outcome.best), "e1f1");
}

#[test]
fn only_the_requested_moves_are_searched() {
    let game = game("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", &[]);
    let limits = Limits {
        search_moves: vec!["h2h4".parse().unwrap(), "e2e5".parse().unwrap()],
        ..Limits::depth(5)
    };
    let (outcome, _) = Thinker::new().think(&game, &limits);
    assert_eq!(uci(outcome.best), "h2h4");
}

#[test]
fn the_end_of_the_game_has_no_move() {
    let mut thinker = Thinker::new();
    let (outcome, reports) =
        thinker.think(&game("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", &[]), &Limits::depth(3));
    assert_eq!((outcome.best, reports[0].score), (None, Score::mated_in(0)));
    let (outcome, reports) =
        thinker.think(&game("7k/8/5KQ1/8/8/8/8/8 b - - 0 1", &[]), &Limits::depth(3));
    assert_eq!((outcome.best, reports[0].score), (None, Score::DRAW));
}

/// The rules trait is in scope for its key: a game's key equals that of its position.
#[test]
fn a_game_keeps_its_key() {
    let game = game(
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        &["e2e4", "d7d5", "e4e5", "f7f5"],
    );
    assert_eq!(game.now().key(), game.position().key());
}
