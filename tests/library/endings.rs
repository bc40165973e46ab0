//! Endings: level 5 converts won endings, and endgame tables are used where there are some.
//!
//! The positions are random ones that are won for White by the tables. Tests that need the tables look for
//! them beside the repository, and are skipped without them.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use engine::evaluation::Evaluation;
use engine::evaluation::linear::Weights;
use engine::limits::Limits;
use engine::play::levels::Level;
use engine::play::levels::form::Form;
use engine::play::levels::policy::DepthPolicy;
use engine::rules::setup::{self, Start};
use engine::rules::{Game, RuleSet, Rules};
use engine::score::{Meaning, Score};
use engine::search::parameters::Parameters;
use engine::search::report::{Outcome, Silent};
use engine::search::{Options, Searcher};
use engine::tablebase::{Access, EndgameTables, Opened, RankedMove, Wdl5};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use shakmaty::{CastlingMode, Chess, Color, Move, Position, Role, Setup, Square};

use crate::common::endgame_tables;

fn game(fen: &str) -> Game<Chess> {
    setup::game(&Start::Fen(fen.to_string()), &[], CastlingMode::Standard).unwrap().0
}

/// A searcher whose depth may come from a level.
struct Thinker {
    searcher: Searcher<Chess>,
    evaluator: Evaluation<Chess>,
    policy: Option<DepthPolicy>,
}

impl Thinker {
    /// A thinker at full strength.
    fn new(options: Options) -> Thinker {
        Thinker::with(Evaluation::default(), options, None)
    }

    /// A thinker at level 5.
    fn advanced() -> Thinker {
        let policy = Some(DepthPolicy::new(Form::default(), 5));
        let parameters = Level::Advanced.parameters(&Parameters::default());
        let options = Options { parameters, ..Options::default() };
        Thinker::with(Evaluation::linear(Weights::DEFAULT), options, policy)
    }

    fn with(
        evaluator: Evaluation<Chess>,
        options: Options,
        policy: Option<DepthPolicy>,
    ) -> Thinker {
        let searcher = Searcher::new(evaluator.clone(), options, 8).unwrap();
        Thinker { searcher, evaluator, policy }
    }

    fn think(&mut self, game: &Game<Chess>, limits: &Limits) -> Outcome {
        let parameters = Options::default().parameters;
        let decide = |policy: &DepthPolicy| {
            policy.decide(game.position(), &self.evaluator, &parameters).plan()
        };
        let limits = Limits { plan: self.policy.as_ref().map(decide), ..limits.clone() };
        self.searcher.search(game, &limits, &mut Silent)
    }
}

/// Plays both sides to the end; true if White mates.
fn is_won(fen: &str, white: &mut Thinker, black: &mut Thinker, limits: &Limits) -> bool {
    let mut game = game(fen);
    while game.draw_reason().is_none() && !game.position().is_checkmate() {
        let mover = if game.position().turn() == Color::White { &mut *white } else { &mut *black };
        let best = mover.think(&game, limits).best.unwrap();
        game.play(best);
    }
    game.position().is_checkmate() && game.position().turn() == Color::Black
}

/// How many of these White wins at level 5, against level 5.
fn won(positions: &[&str]) -> usize {
    let is_won = |fen: &&&str| {
        let (mut white, mut black) = (Thinker::advanced(), Thinker::advanced());
        is_won(fen, &mut white, &mut black, &Limits::default())
    };
    positions.iter().filter(is_won).count()
}

/// White wins every one of these at level 5, against level 5.
fn win(positions: &[&str]) {
    assert_eq!(won(positions), positions.len(), "{positions:?}");
}

#[test]
fn queen() {
    win(&[
        "8/8/8/8/Q5K1/8/6k1/8 w - - 0 1",
        "8/8/8/3k4/8/2K5/8/Q7 w - - 0 1",
        "7Q/8/8/8/8/6k1/8/3K4 w - - 0 1",
        "8/1Q6/8/8/K7/7k/8/8 w - - 0 1",
        "8/8/1QK5/8/8/8/7k/8 w - - 0 1",
        "8/8/8/8/k1K1Q3/8/8/8 w - - 0 1",
    ]);
}

#[test]
fn rook() {
    win(&[
        "8/8/8/8/1k6/8/1KR5/8 w - - 0 1",
        "8/8/2R5/8/3K4/8/3k4/8 w - - 0 1",
        "3R4/8/8/8/8/8/2k1K3/8 w - - 0 1",
        "k7/8/8/2R5/8/8/5K2/8 w - - 0 1",
        "4K3/3R4/8/8/8/1k6/8/8 w - - 0 1",
        "6R1/8/8/K7/8/8/8/7k w - - 0 1",
    ]);
}

#[test]
fn two_bishops() {
    win(&[
        "4K3/8/8/6k1/8/2B5/4B3/8 w - - 0 1",
        "6B1/8/5k2/8/8/8/3K4/2B5 w - - 0 1",
        "4K3/8/8/8/6k1/1B6/5B2/8 w - - 0 1",
        "2k5/8/8/3BBK2/8/8/8/8 w - - 0 1",
        "8/8/BB6/8/k7/8/3K4/8 w - - 0 1",
        "2B5/8/6K1/8/8/8/8/B5k1 w - - 0 1",
    ]);
}

#[test]
fn bishop_and_knight() {
    // It wins two thirds of random ones (docs/endgame-tables.md).
    let count = won(&[
        "1K5N/3k4/8/8/8/3B4/8/8 w - - 0 1",
        "8/7B/8/8/8/8/1K4k1/N7 w - - 0 1",
        "8/8/8/K7/8/6B1/k2N4/8 w - - 0 1",
        "8/1B6/8/8/8/6k1/1N6/5K2 w - - 0 1",
        "6N1/7k/8/8/B4K2/8/8/8 w - - 0 1",
        "8/1K1N4/8/8/1B6/8/4k3/8 w - - 0 1",
    ]);
    assert!(count >= 4, "{count} of 6");
}

#[test]
fn pawn() {
    win(&[
        "8/8/2k5/7P/3K4/8/8/8 w - - 0 1",
        "8/6P1/3K4/8/k7/8/8/8 w - - 0 1",
        "8/8/5K2/k7/3P4/8/8/8 w - - 0 1",
        "8/8/5K2/8/4P3/4k3/8/8 w - - 0 1",
        "8/8/4K3/1k6/8/2P5/8/8 w - - 0 1",
        "7K/8/8/8/6P1/8/4k3/8 w - - 0 1",
    ]);
}

#[test]
fn queen_against_rook() {
    win(&[
        "K3k1r1/8/5Q2/8/8/8/8/8 w - - 0 1",
        "7K/8/3k1r2/5Q2/8/8/8/8 w - - 0 1",
        "8/8/8/Q7/8/1k4r1/3K4/8 w - - 0 1",
        "4r3/6Q1/2K5/8/8/8/8/3k4 w - - 0 1",
        "8/7Q/8/8/1r3k2/8/4K3/8 w - - 0 1",
        "8/3K4/6r1/8/k7/8/1Q6/8 w - - 0 1",
    ]);
}

/// How many of a hundred won endings White wins against the longest defence of the tables, and in how many moves: by
/// level 5, by 10,000 nodes at full strength, and by the tables themselves. The answer to "book moves for endings".
#[test]
#[ignore = "a measurement of some minutes; prints a table"]
fn endings_measured() {
    use Color::{Black, White};
    use Role::{Bishop, King, Knight, Pawn, Queen, Rook};
    const POSITIONS: usize = 100;
    let Some(folder) = endgame_tables() else { return };
    let access = access(&folder);
    let with_tables = Options { endgames: Some(access.clone()), ..Options::default() };
    println!("| ending | level 5 | 10,000 nodes | tables |\n| --- | --- | --- | --- |");
    for (name, pieces) in [
        ("queen", vec![(Queen, White)]),
        ("rook", vec![(Rook, White)]),
        ("two bishops", vec![(Bishop, White); 2]),
        ("bishop and knight", vec![(Bishop, White), (Knight, White)]),
        ("pawn", vec![(Pawn, White)]),
        ("queen against rook", vec![(Queen, White), (Rook, Black)]),
        ("rook against knight", vec![(Rook, White), (Knight, Black)]),
        ("rook against bishop", vec![(Rook, White), (Bishop, Black)]),
        ("pawn against pawn", vec![(Pawn, White), (Pawn, Black)]),
        ("rook against pawn", vec![(Rook, White), (Pawn, Black)]),
        ("queen against pawn", vec![(Queen, White), (Pawn, Black)]),
    ] {
        let pieces = [vec![(King, White), (King, Black)], pieces].concat();
        let mut rng = StdRng::seed_from_u64(48);
        let is_won = |game: &Game<Chess>| {
            let verdict = access.tables.probe_wdl(game.position()).unwrap();
            game.position().turn() == White && verdict == Some(Wdl5::Win)
        };
        let won: Vec<Game<Chess>> = std::iter::repeat_with(|| random_position(&pieces, &mut rng))
            .filter(is_won)
            .take(POSITIONS)
            .collect();
        let measured = |white: &dyn Fn() -> Thinker, limits: &Limits| {
            let (mut wins, mut moves) = (0, 0);
            for start in &won {
                let (mut white, mut game) = (white(), start.clone());
                while game.draw_reason().is_none() && !game.position().is_game_over() {
                    let is_white = game.position().turn() == White;
                    let legal: Vec<_> = game.position().legal_moves().into_iter().collect();
                    let m = match is_white {
                        true => white.think(&game, limits).best.unwrap(),
                        false => access.advise(&game, &legal, 1).unwrap().unwrap().moves[0].m,
                    };
                    moves += u32::from(is_white);
                    game.play(m);
                }
                wins +=
                    u32::from(game.position().is_checkmate() && game.position().turn() == Black);
            }
            format!("{wins}, {:.1}", f64::from(moves) / POSITIONS as f64)
        };
        let level = measured(&Thinker::advanced, &Limits::default());
        let full = measured(&|| Thinker::new(Options::default()), &Limits::nodes(10_000));
        let tables = measured(&|| Thinker::new(with_tables.clone()), &Limits::nodes(10_000));
        println!("| {name} | {level} | {full} | {tables} |");
    }
}

fn open(folder: &Path) -> Opened {
    EndgameTables::open(RuleSet::Chess, folder.to_str().unwrap()).unwrap()
}

fn access(folder: &Path) -> Access {
    let tables = Arc::new(open(folder).tables.unwrap());
    Access { tables, least_depth: 1, most_pieces: 7, fifty_moves: true }
}

/// The best ranked of the moves.
fn advised(access: &Access, game: &Game<Chess>, moves: &[Move]) -> Vec<RankedMove> {
    access.advise(game, moves, 1).unwrap().unwrap().moves
}

/// A legal position with random squares for these pieces.
fn random_position(pieces: &[(Role, Color)], rng: &mut StdRng) -> Game<Chess> {
    loop {
        let mut setup = Setup::empty();
        for &(role, color) in pieces {
            let square = Square::new(rng.random_range(0..64));
            setup.board.set_piece_at(square, role.of(color));
        }
        setup.turn = if rng.random() { Color::White } else { Color::Black };
        let is_whole = setup.board.occupied().count() == pieces.len();
        if let Ok(position) = setup.position::<Chess>(CastlingMode::Standard)
            && is_whole
            && !position.is_game_over()
        {
            return Game::new(position);
        }
    }
}

#[test]
fn endings_that_are_called_drawn_are_drawn_by_the_tables() {
    let Some(folder) = endgame_tables() else { return };
    let access = access(&folder);
    let mut rng = StdRng::seed_from_u64(3);
    for roles in [[Role::Knight, Role::Knight], [Role::Bishop, Role::Pawn]] {
        let kings = Color::ALL.map(|color| (Role::King, color));
        let pieces = [&kings[..], &roles.map(|role| (role, Color::White))].concat();
        let (mut called, mut wrong) = (0, Vec::new());
        while called < 200 {
            let game = random_position(&pieces, &mut rng);
            if !game.position().is_drawn_ending() {
                continue;
            }
            called += 1;
            if access.tables.probe_wdl(game.position()).unwrap() != Some(Wdl5::Draw) {
                wrong.push(setup::fen(game.position()));
            }
        }
        // Two knights mate at once, now and then.
        assert!(wrong.len() <= 2, "{wrong:?}");
    }
}

#[test]
fn tables_agree_with_known_results() {
    let Some(folder) = endgame_tables() else { return };
    let access = access(&folder);
    assert_eq!(access.tables.most_pieces(), 4);
    for (fen, verdict) in [
        ("8/8/8/3k4/8/2K5/8/Q7 w - - 0 1", Wdl5::Win),
        ("8/8/8/3k4/8/2K5/8/Q7 b - - 0 1", Wdl5::Loss),
        ("8/8/4k3/8/4PK2/8/8/8 b - - 0 1", Wdl5::Draw),
        ("8/8/8/3k4/8/2K5/8/QQ6 w - - 0 1", Wdl5::Win),
        // Mate in 24 moves, with 98 half-moves gone: the rule saves Black.
        ("8/8/8/8/3k4/8/8/KBN5 w - - 98 90", Wdl5::CursedWin),
    ] {
        let game = game(fen);
        let moves: Vec<_> = game.position().legal_moves().into_iter().collect();
        let advice = advised(&access, &game, &moves);
        assert_eq!(advice[0].wdl, verdict, "{fen}");
        let without_rule = Access { fifty_moves: false, ..access.clone() };
        let advice = advised(&without_rule, &game, &moves);
        assert_eq!(advice[0].wdl, verdict.under(false), "{fen}");
    }
    let too_many = game("8/8/8/3k4/8/2K5/PP6/QQ6 w - - 0 1");
    let castling = game("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    for game in [too_many, castling] {
        let moves: Vec<_> = game.position().legal_moves().into_iter().collect();
        assert!(access.advise(&game, &moves, 1).unwrap().is_none());
    }
}

/// Any advised move preserves the result of the position.
#[test]
fn advised_moves_preserve_the_result() {
    use Color::{Black, White};
    use Role::{Bishop, King, Knight, Pawn, Queen, Rook};
    let Some(folder) = endgame_tables() else { return };
    let access = access(&folder);
    let mut rng = StdRng::seed_from_u64(4);
    let worth = |game: &Game<Chess>| access.tables.probe_wdl(game.position()).unwrap().unwrap();
    let turned = |verdict| match verdict {
        Wdl5::Win => Wdl5::Loss,
        Wdl5::Loss => Wdl5::Win,
        other => other,
    };
    for pieces in [
        &[(King, White), (King, Black), (Pawn, White)][..],
        &[(King, White), (King, Black), (Pawn, White), (Pawn, Black)],
        &[(King, White), (King, Black), (Queen, White), (Rook, Black)],
        &[(King, White), (King, Black), (Rook, White), (Bishop, Black)],
        &[(King, White), (King, Black), (Rook, White), (Knight, Black)],
    ] {
        for _ in 0..60 {
            let game = random_position(pieces, &mut rng);
            let moves: Vec<_> = game.position().legal_moves().into_iter().collect();
            let advice = advised(&access, &game, &moves);
            assert_eq!(advice[0].wdl, worth(&game), "{:?}", game.position());
            for &RankedMove { m, .. } in &advice {
                let mut after = game.clone();
                after.play(m);
                let position = after.position();
                let now = if position.is_checkmate() { Wdl5::Loss } else { worth(&after) };
                assert_eq!(turned(now), advice[0].wdl, "{m:?} in {:?}", game.position());
            }
        }
    }
}

/// At a depth of one ply, every win is converted within the fifty-move rule.
#[test]
fn with_tables_a_search_of_one_ply_wins() {
    let Some(folder) = endgame_tables() else { return };
    let limits = Limits::depth(1);
    for fen in [
        "8/8/8/3k4/8/8/3KBN2/8 w - - 0 1",
        "8/8/8/8/8/1k6/3R4/K3n3 w - - 0 1",
        "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1",
    ] {
        let game = game(fen);
        let moves: Vec<_> = game.position().legal_moves().into_iter().collect();
        let access = access(&folder);
        if advised(&access, &game, &moves)[0].wdl != Wdl5::Win {
            continue;
        }
        let with_tables = Options { endgames: Some(access), ..Options::default() };
        let mut white = Thinker::new(with_tables.clone());
        let mut black = Thinker::new(with_tables);
        assert!(is_won(fen, &mut white, &mut black, &limits), "{fen}");
    }
}

/// The tables are probed in the tree too: an exchange is judged by the ending after it.
#[test]
fn tables_are_probed_in_the_tree() {
    let Some(folder) = endgame_tables() else { return };
    // A rook is captured; the rest is won, or drawn.
    for (fen, least, most) in [
        ("8/8/8/3k4/8/4r3/3P4/3KR3 w - - 0 1", 15_000, 32_000),
        ("7k/7p/8/8/8/8/r7/K6B w - - 0 1", -1, 1),
    ] {
        let options = Options { endgames: Some(access(&folder)), ..Options::default() };
        let mut thinker = Thinker::new(options);
        let signals = thinker.searcher.renew_signals(false);
        let outcome = thinker.think(&game(fen), &Limits::depth(8));
        let score = outcome.score.raw();
        assert!((least..=most).contains(&score), "{fen}: {score}");
        assert!(signals.tablebase_hits() > 0);
    }
}

/// Positions with as many men as the largest tables are probed from the probe depth on, smaller ones always.
#[test]
fn the_probe_depth_holds_for_the_largest_tables_alone() {
    let Some(folder) = endgame_tables() else { return };
    let access = Access { least_depth: 5, ..access(&folder) };
    let men = access.tables.most_pieces();
    assert_eq!(men, 4);
    for (fen, count) in [
        ("8/8/8/3k4/8/8/3P4/3K4 w - - 0 1", 3),
        ("8/8/8/3k4/8/4r3/3P4/3K4 w - - 0 1", 4),
        ("8/8/8/3k4/8/4r3/3P4/3KR3 w - - 0 1", 5),
    ] {
        let covered = [-1, 0, 4, 5, 9].map(|depth| access.covers(game(fen).position(), depth));
        let is_deep = [false, false, false, true, true];
        let wanted = if count < men { [true; 5] } else { is_deep.map(|deep| deep && count == men) };
        assert_eq!(covered, wanted, "{fen}");
    }
    // Two plies lead to four men, not to three.
    let hits = |least_depth| {
        let access = Access { least_depth, ..access.clone() };
        let options = Options { endgames: Some(access), ..Options::default() };
        let mut thinker = Thinker::new(options);
        let signals = thinker.searcher.renew_signals(false);
        thinker.think(&game("8/8/8/3k4/8/4r3/3P4/3KR3 w - - 0 1"), &Limits::depth(2));
        signals.tablebase_hits()
    };
    assert!(hits(0) > 0 && hits(50) == 0, "{} {}", hits(0), hits(50));
}

/// The score of a won root is a table win, or the mate if one is in sight.
#[test]
fn a_root_in_the_tables_has_its_exact_score() {
    let Some(folder) = endgame_tables() else { return };
    let think = |fen: &str| {
        let options = Options { endgames: Some(access(&folder)), ..Options::default() };
        Thinker::new(options).think(&game(fen), &Limits::depth(4)).score
    };
    assert_eq!(think("8/8/8/3k4/8/8/3KBN2/8 w - - 0 1"), Score::table_win(0));
    assert_eq!(think("8/8/8/3k4/8/8/3KBN2/8 b - - 0 1"), -Score::table_win(0));
    assert_eq!(think("8/8/4k3/8/4PK2/8/8/8 b - - 0 1"), Score::DRAW);
    assert_eq!(think("7k/8/6K1/8/8/8/8/1Q6 w - - 0 1").meaning(), Meaning::Mate(1));
}

#[test]
fn broken_files_are_reported_and_left_out() {
    let Some(folder) = endgame_tables() else { return };
    let broken = tempfile::tempdir().unwrap();
    for name in ["KQvK.rtbw", "KQvK.rtbz", "KRvK.rtbw"] {
        fs::copy(folder.join(name), broken.path().join(name)).unwrap();
    }
    let whole = fs::read(folder.join("KRvK.rtbz")).unwrap();
    fs::write(broken.path().join("KRvK.rtbz"), &whole[..whole.len() - 1]).unwrap();
    fs::write(broken.path().join("KBvK.rtbw"), b"ab").unwrap();
    fs::write(broken.path().join("KNvK.rtbw"), vec![0; 80]).unwrap();
    fs::write(broken.path().join("notes.txt"), b"not a table").unwrap();
    let Opened { tables, remarks } = open(broken.path());
    assert!(tables.is_some());
    let [short, zeros, cut, count] = remarks.as_slice() else { panic!("{remarks:?}") };
    assert!(short.contains("KBvK.rtbw") && short.contains("truncated"), "{short}");
    assert!(zeros.contains("KNvK.rtbw") && zeros.contains("not an endgame table"), "{zeros}");
    assert!(cut.contains("KRvK.rtbz"), "{cut}");
    assert!(count.starts_with("3 endgame tables, up to 3 pieces"), "{count}");
}

/// Wrong bytes inside a file appear only when it is used: the search reports them once and goes on.
#[test]
fn the_search_goes_on_without_a_damaged_table() {
    let Some(folder) = endgame_tables() else { return };
    let damaged = tempfile::tempdir().unwrap();
    let whole = fs::read(folder.join("KQvK.rtbw")).unwrap();
    let mut bytes = vec![0xff; whole.len()];
    bytes[..4].copy_from_slice(&whole[..4]);
    fs::write(damaged.path().join("KQvK.rtbw"), bytes).unwrap();
    let tables = open(damaged.path()).tables.unwrap();
    let position = game("8/8/8/3k4/8/2K5/8/Q7 w - - 0 1").position().clone();
    let error = tables.probe_wdl(&position).unwrap_err().to_string();
    assert!(error.contains("KQvK") && error.contains("damaged"), "{error}");
    assert_eq!(tables.probe_wdl(&position), Ok(None));
    let options = Options { endgames: Some(access(damaged.path())), ..Options::default() };
    assert!(Thinker::new(options).think(&Game::new(position), &Limits::depth(3)).best.is_some());
}

#[test]
fn an_invalid_folder_is_reported() {
    let error = EndgameTables::open(RuleSet::Chess, "/no/such/folder").err().unwrap().to_string();
    assert!(error.contains("/no/such/folder") && error.contains("SyzygyPath"), "{error}");
    let none = EndgameTables::open(RuleSet::Horde, "/no/such/folder").unwrap();
    assert!(none.tables.is_none() && none.remarks[0].contains("horde"));
}
