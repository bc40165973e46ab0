//! Claims about memory, order, and where a search should stop: tables, learning, quiescence, and the
//! techniques that leave moves out.

use super::{
    Claim, ClaimsError, LANIA, LECTURE, Ratio, SLIDES, SMARTER, count, found, is_rarer, judged,
    ordered, percent, share, verdict, within,
};
use crate::constants::Constants;
use crate::contest::mean_and_error;
use crate::game::{Position, Value};
use crate::games::connect_four::{ConnectFour, Ending};
use crate::games::order::Order;
use crate::games::tree::Tree;
use crate::style_games::{Games, Player, Study};

/// Tables, and the order that is learned from earlier searches.
pub(super) fn memory_and_order(chess: &[Position], four: &[Position]) -> Vec<Claim> {
    let games = ordered(chess, Order::Promise);
    let centre = ordered(four, Order::Promise);
    let claim = |name, algorithm: &str, plain: &str, command: &'static str| {
        let of_chess = Ratio::of_leaves(algorithm, plain, &games, 4);
        let of_four = Ratio::of_leaves(algorithm, plain, &centre, 7);
        Claim {
            source: LECTURE,
            name,
            numbers: vec![("chess", of_chess.percent()), ("four", of_four.percent())],
            verdict: judged([of_chess.is_below(1.0), of_four.is_below(1.0)]),
            sample: ("two-games", chess.len()),
            command: command.into(),
        }
    };
    vec![
        claim(
            "table",
            "alpha-beta-table",
            "alpha-beta",
            "engine lab compare --positions 60 --algorithms alpha-beta,alpha-beta-table",
        ),
        claim(
            "learning",
            "alpha-beta-history",
            "alpha-beta",
            "engine lab compare --positions 60 --algorithms alpha-beta,alpha-beta-history",
        ),
        claim(
            "deepening",
            "iterative-deepening",
            "alpha-beta-table",
            "engine lab compare --positions 60 --algorithms alpha-beta-table,iterative-deepening",
        ),
    ]
}

/// Positions of which the value is compared with that of a deeper search.
const JUDGED: usize = 30;

/// Plies of the searches whose errors are compared, and of the search that judges them.
const DEPTH: u32 = 2;
const JUDGE: u32 = 4;

/// The positions in which a search is wrong by a pawn or more.
fn errors(name: &str, games: &[Position]) -> Vec<bool> {
    let value = |name: &str, game: &Position, depth| {
        found(name, game, depth).map_or(0, |choice| choice.value)
    };
    let is_wrong = |game: &Position| {
        let truth = value("quiescence", game, JUDGE);
        (value(name, game, DEPTH) - truth).abs() >= game.unit()
    };
    games.iter().map(is_wrong).collect()
}

/// Waiting for rest, continuation, and the techniques that leave moves out.
pub(super) fn where_to_stop(chess: &[Position]) -> Result<Vec<Claim>, ClaimsError> {
    let games = ordered(&chess[..chess.len().min(JUDGED)], Order::Promise);
    let all = games.len();
    let [plain, rest, continued] =
        ["alpha-beta", "quiescence", "heuristic-continuation"].map(|name| errors(name, &games));
    let horizon = |name, source, wrong: &[bool], algorithm: &'static str, command: &'static str| {
        let cost = Ratio::of_leaves(algorithm, "alpha-beta", &games, DEPTH);
        Claim {
            source,
            name,
            numbers: vec![
                ("wrong", share(count(wrong), all)),
                ("plain", share(count(&plain), all)),
                ("times", cost.times()),
            ],
            verdict: judged([is_rarer(wrong, &plain)]),
            sample: ("chess", all),
            command: command.into(),
        }
    };
    let mut claims = vec![
        horizon(
            "quiescence",
            SMARTER,
            &rest,
            "quiescence",
            "engine lab tree --game tree --tree horizon --depth 1 --algorithm quiescence --step",
        ),
        horizon(
            "continuation",
            SMARTER,
            &continued,
            "heuristic-continuation",
            "engine lab compare --positions 60 --algorithms alpha-beta,heuristic-continuation",
        ),
    ];
    for (source, name, algorithm) in [
        (SMARTER, "futility", "futility"),
        (SMARTER, "biased", "biased"),
        (SLIDES, "ranked", "ranked-pruning"),
    ] {
        claims.push(left_out(source, name, algorithm, chess));
    }
    claims.push(crash_cut(&games));
    claims.push(opponent()?);
    claims.push(style()?);
    claims.push(breadth(chess));
    Ok(claims)
}

/// A technique that leaves moves out: what it saves, and how often its value is not minimax's.
fn left_out(
    source: &'static str,
    name: &'static str,
    algorithm: &'static str,
    chess: &[Position],
) -> Claim {
    let games = ordered(chess, Order::Promise);
    let left = Ratio::of_leaves(algorithm, "alpha-beta", &games, 4);
    let value = |name: &str, game: &Position| found(name, game, 4).map(|choice| choice.value);
    let differs =
        games.iter().filter(|game| value(algorithm, game) != value("alpha-beta", game)).count();
    Claim {
        source,
        name,
        numbers: vec![("share", left.percent()), ("differs", share(differs, games.len()))],
        verdict: judged([left.is_below(1.0)]),
        sample: ("chess", games.len()),
        command: match algorithm {
            "futility" => "engine lab compare --positions 60 --order promise --algorithms futility",
            "biased" => "engine lab compare --positions 60 --order promise --algorithms biased",
            _ => "engine lab compare --positions 60 --order promise --algorithms ranked-pruning",
        }
        .into(),
    }
}

/// Leaves of the whole tree, and those of them that stand below a board which has been given up.
fn crashed(node: &Position, depth: u32, limit: Value, us: &Position, is_lost: bool) -> (u64, u64) {
    let is_lost = is_lost || us.turn().sees(node.value()) <= limit;
    let moves = node.moves_to(depth);
    if moves.is_empty() {
        return (1, u64::from(is_lost));
    }
    let below = moves.into_iter().map(|m| crashed(&node.play(m), depth - 1, limit, us, is_lost));
    below.fold((0, 0), |sum, part| (sum.0 + part.0, sum.1 + part.1))
}

/// What the crash cut saves of alpha-beta's leaves, and how many of minimax's stand in its regions.
fn crash_cut(games: &[Position]) -> Claim {
    const PLIES: u32 = 3;
    let left = Ratio::of_leaves("crash-cut", "alpha-beta", games, PLIES);
    let loss = Constants::default().crash_cut_loss;
    let (mut all, mut lost) = (0, 0);
    for game in games {
        let limit = game.turn().sees(game.value()) - loss * game.unit();
        let (leaves, below) = crashed(game, PLIES, limit, game, false);
        (all, lost) = (all + leaves, lost + below);
    }
    let region = lost as f64 / all.max(1) as f64;
    Claim {
        source: LANIA,
        name: "crash-cut",
        numbers: vec![
            ("region", percent(region)),
            ("saved", Ratio { value: 1.0 - left.value, ..left }.percent()),
        ],
        verdict: judged([Some(region > 0.01), left.is_below(1.0)]),
        sample: ("chess", games.len()),
        command: "engine lab tree --game tree --tree crash --algorithm crash-cut --step".into(),
    }
}

/// Berliner's example: minimax takes C, who expects an error takes B.
fn opponent() -> Result<Claim, ClaimsError> {
    let tree = Position::new(Tree::shipped("opponent")?);
    let best = |name: &str| {
        let found = found(name, &tree, 2).and_then(|choice| choice.best);
        found.map_or_else(String::new, |m| m.to_string())
    };
    let (minimax, model) = (best("minimax"), best("opponent-model"));
    let is_as_told = verdict([minimax == "C", model == "B"]);
    Ok(Claim {
        source: SMARTER,
        name: "opponent",
        numbers: vec![("minimax", minimax), ("model", model)],
        verdict: is_as_told,
        sample: ("tree", 1),
        command: "engine lab tree --game tree --tree opponent --algorithm opponent-model --step"
            .into(),
    })
}

/// The style of an opponent, learned from its moves: what the model adds to minimax's share of the points in Connect
/// Four, against players who see one or two plies and against one who sees further than we do.
fn style() -> Result<Claim, ClaimsError> {
    const PAIRS: usize = 300;
    let study = Study {
        start: Position::new(ConnectFour::new(7, 6, Ending::FourInARow)?),
        depth: 4,
        sights: vec![1, 2, 5],
        players: vec![Player::Minimax, Player::Learning],
        games: 2 * PAIRS as u32,
        seed: 1,
    };
    let played = study.run(|| true);
    let of = |player: Player, sights: &[u32]| -> Vec<f64> {
        let is_meant = |games: &&Games| games.player == player && sights.contains(&games.sight);
        played.iter().filter(is_meant).flat_map(|games| games.pairs.clone()).collect()
    };
    let gain = |sights: &[u32]| {
        let (with, without) = (of(Player::Learning, sights), of(Player::Minimax, sights));
        let gains: Vec<f64> = with.iter().zip(&without).map(|(w, m)| (w - m) / 2.0).collect();
        let (value, error) = mean_and_error(&gains);
        Ratio { value, error }
    };
    let shown =
        |gain: Ratio| format!("{:+.1}{} %", 100.0 * gain.value, within(100.0 * gain.error, 1));
    let (weaker, stronger) = (gain(&[1, 2]), gain(&[5]));
    Ok(Claim {
        source: SMARTER,
        name: "style",
        numbers: vec![("weaker", shown(weaker)), ("stronger", shown(stronger))],
        verdict: judged([weaker.is_above(0.0), stronger.is_above(0.0)]),
        sample: ("games", study.sights.len() * study.players.len() * 2 * PAIRS),
        command: "engine lab opponent --games 200".into(),
    })
}

/// Half-moves of a game that is played to count its moves.
const LONGEST: usize = 300;

/// The lecture's numbers of chess: 35 moves to choose from, and games of about 100 moves.
fn breadth(chess: &[Position]) -> Claim {
    let few = &chess[..chess.len().min(10)];
    let (mut moves, mut plies, mut finished) = (0, 0, 0);
    for opening in few {
        let mut game = opening.clone();
        for _ in 0..LONGEST {
            let Some(best) = found("alpha-beta", &game, 2).and_then(|choice| choice.best) else {
                finished += 1;
                break;
            };
            (moves, plies) = (moves + game.moves().len(), plies + 1);
            game = game.play(best);
        }
    }
    let mean = moves as f64 / plies.max(1) as f64;
    let length = plies as f64 / few.len().max(1) as f64;
    Claim {
        source: SLIDES,
        name: "breadth",
        numbers: vec![
            ("breadth", format!("{mean:.1}")),
            ("length", format!("{length:.0}")),
            ("finished", finished.to_string()),
        ],
        verdict: verdict([(25.0..45.0).contains(&mean), (60.0..140.0).contains(&length)]),
        sample: ("games", few.len()),
        command: "engine lab compare --positions 60 --depth 1 --algorithms minimax".into(),
    }
}
