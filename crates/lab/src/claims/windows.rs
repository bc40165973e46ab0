//! Claims about narrow windows and best-first search: NegaScout, SSS\*, aspiration, the null move.

use super::{
    Claim, Ratio, SMARTER, cost, count, found, is_rarer, judged, leaf_set, ordered, percent, share,
    uniform, verdict,
};
use crate::game::Position;
use crate::games::order::Order;

/// A gain that counts as the source's "estimated 10 %".
const TEN_PERCENT: f64 = 0.95;

pub(super) fn negascout(chess: &[Position], four: &[Position], seed: u64) -> Vec<Claim> {
    let ratio = |order: Order| {
        let games = ordered(chess, order);
        cost("negascout", &games, 4).nodes / cost("alpha-beta", &games, 4).nodes
    };
    let promise = ratio(Order::Promise);
    let nodes = |name: &str, game: &Position| cost(name, std::slice::from_ref(game), 4).nodes;
    let pairs: Vec<(f64, f64)> = ordered(chess, Order::Random(seed))
        .iter()
        .map(|game| (nodes("negascout", game), nodes("alpha-beta", game)))
        .collect();
    let lot = Ratio::of(&pairs);
    let games = ordered(&chess[..chess.len().min(8)], Order::BestFirst(4));
    let best = cost("negascout", &games, 4).nodes / cost("alpha-beta", &games, 4).nodes;
    let centre = ordered(four, Order::Promise);
    let four = cost("negascout", &centre, 7).nodes / cost("alpha-beta", &centre, 7).nodes;
    let games = ordered(chess, Order::Promise);
    let table = cost("negascout-table", &games, 5).nodes;
    let table = table / cost("iterative-deepening", &games, 5).nodes;
    let trees = (0..500).map(|i| uniform(4, 5, seed.wrapping_add(i)));
    let strays = trees
        .filter(|tree| !leaf_set("negascout", tree, 5).is_subset(&leaf_set("alpha-beta", tree, 5)))
        .count();
    let saved = |part: f64| percent(1.0 - part);
    vec![
        Claim {
            source: SMARTER,
            name: "negascout-ten",
            numbers: vec![
                ("captures", saved(promise)),
                ("best", saved(best)),
                ("four", saved(four)),
                ("table", saved(table)),
            ],
            verdict: verdict([promise, best, four, table].map(|part| part < TEN_PERCENT)),
            sample: ("two-games", chess.len()),
            command: "engine lab compare --positions 60 --order promise --algorithms alpha-beta,negascout".into(),
        },
        Claim {
            source: SMARTER,
            name: "negascout-random",
            numbers: vec![("share", lot.percent())],
            verdict: judged([lot.is_above(1.0)]),
            sample: ("chess", chess.len()),
            command: "engine lab compare --positions 60 --order random --algorithms alpha-beta,negascout".into(),
        },
        Claim {
            source: SMARTER,
            name: "negascout-subset",
            numbers: vec![("strays", strays.to_string())],
            verdict: verdict([strays == 0]),
            sample: ("trees", 500),
            command: "engine lab compare --game random-tree --depth 5 --algorithms alpha-beta,negascout".into(),
        },
    ]
}

pub(super) fn sss(chess: &[Position], seed: u64) -> Vec<Claim> {
    let mut strays = 0;
    let (mut ours, mut theirs, mut same) = (0, 0, 0);
    for i in 0..2000 {
        let tree = uniform(4, 5, seed.wrapping_add(i));
        let (sss, alpha_beta) = (leaf_set("sss*", &tree, 5), leaf_set("alpha-beta", &tree, 5));
        strays += usize::from(!sss.is_subset(&alpha_beta));
        same += usize::from(sss == leaf_set("mt-sss*", &tree, 5));
        ours += sss.len();
        theirs += alpha_beta.len();
    }
    let (sss, alpha_beta) = (cost("sss*", chess, 3), cost("alpha-beta", chess, 3));
    let table = cost("mt-sss*", chess, 3);
    let time = sss.time.as_secs_f64() / alpha_beta.time.as_secs_f64();
    vec![
        Claim {
            source: SMARTER,
            name: "sss-subset",
            numbers: vec![
                ("strays", strays.to_string()),
                ("trees", percent(f64::from(ours as u32) / f64::from(theirs as u32))),
                ("chess", percent(sss.leaves / alpha_beta.leaves)),
            ],
            verdict: verdict([strays == 0, ours < theirs, sss.leaves <= alpha_beta.leaves]),
            sample: ("trees", 2000),
            command:
                "engine lab tree --game tree --tree best-first --algorithm sss* --versus alpha-beta"
                    .into(),
        },
        Claim {
            source: SMARTER,
            name: "sss-list",
            numbers: vec![
                ("states", format!("{:.0}", sss.memory)),
                ("path", "4".to_string()),
                ("table", format!("{:.0}", table.memory)),
                ("time", format!("{time:.1}")),
                ("same", same.to_string()),
            ],
            // Alpha-beta keeps a path: a node a ply.
            verdict: verdict([sss.memory > 4.0]),
            sample: ("chess", chess.len()),
            command:
                "engine lab compare --positions 60 --depth 3 --algorithms alpha-beta,sss*,mt-sss*"
                    .into(),
        },
    ]
}

pub(super) fn narrow(chess: &[Position], four: &[Position]) -> Vec<Claim> {
    let mut aspired = Vec::new();
    for (games, order, depth) in
        [(chess, Order::Natural, 4), (chess, Order::Promise, 4), (four, Order::Promise, 6)]
    {
        let games = ordered(games, order);
        let all = Ratio::of_leaves("aspiration", "alpha-beta", &games, depth);
        let leaves = |name: &str, depth| cost(name, &games, depth).leaves;
        // Deepening has the value of a shallower search for nothing.
        let guess = leaves("aspiration", depth - 2);
        let alone = (leaves("aspiration", depth) - guess) / leaves("alpha-beta", depth);
        aspired.push((alone, all));
    }
    let shown = |(alone, all): &(f64, Ratio)| format!("{} ({})", percent(*alone), all.percent());
    let games = ordered(chess, Order::Promise);
    let null = Ratio::of_leaves("null-move", "alpha-beta", &games, 4);
    let verified = Ratio::of_leaves("verified-null-move", "alpha-beta", &games, 4);
    let value = |name: &str, game: &Position| found(name, game, 4).map(|choice| choice.value);
    let wrong = |name: &str| -> Vec<bool> {
        games.iter().map(|game| value(name, game) != value("minimax", game)).collect()
    };
    let (null_wrong, verified_wrong) = (wrong("null-move"), wrong("verified-null-move"));
    let differs = |wrong: &[bool]| share(count(wrong), games.len());
    let command = "engine lab compare --positions 60 --order promise --algorithms null-move,verified-null-move";
    vec![
        Claim {
            source: SMARTER,
            name: "aspiration",
            numbers: vec![
                ("natural", shown(&aspired[0])),
                ("captures", shown(&aspired[1])),
                ("four", shown(&aspired[2])),
            ],
            verdict: judged(aspired.iter().map(|(_, all)| all.is_below(1.0))),
            sample: ("two-games", chess.len()),
            command: "engine lab compare --positions 60 --algorithms alpha-beta,aspiration".into(),
        },
        Claim {
            source: SMARTER,
            name: "null-move",
            numbers: vec![("share", null.percent()), ("differs", differs(&null_wrong))],
            verdict: judged([null.is_below(0.7), Some(null_wrong.contains(&true))]),
            sample: ("chess", games.len()),
            command: command.into(),
        },
        Claim {
            source: SMARTER,
            name: "verified-null-move",
            numbers: vec![
                ("share", verified.percent()),
                ("differs", differs(&verified_wrong)),
                ("plain", differs(&null_wrong)),
            ],
            verdict: judged([verified.is_below(1.0), is_rarer(&verified_wrong, &null_wrong)]),
            sample: ("chess", games.len()),
            command: command.into(),
        },
    ]
}
