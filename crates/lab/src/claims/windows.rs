//! Claims about narrow windows and best-first search: NegaScout, SSS\*, aspiration, the null move.

use super::{Claim, SMARTER, cost, found, leaf_set, ordered, percent, uniform, verdict};
use crate::game::Position;
use crate::games::order::Order;

/// A gain that counts as the source's "estimated 10 %".
const TEN_PERCENT: f64 = 0.95;

pub(super) fn negascout(chess: &[Position], four: &[Position], seed: u64) -> Vec<Claim> {
    let ratio = |order: Order| {
        let games = ordered(chess, order);
        cost("negascout", &games, 4).nodes / cost("alpha-beta", &games, 4).nodes
    };
    let (promise, lot) = (ratio(Order::Promise), ratio(Order::Random(seed)));
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
        },
        Claim {
            source: SMARTER,
            name: "negascout-random",
            numbers: vec![("share", percent(lot))],
            verdict: verdict([lot > 1.0]),
        },
        Claim {
            source: SMARTER,
            name: "negascout-subset",
            numbers: vec![("strays", strays.to_string())],
            verdict: verdict([strays == 0]),
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
        },
    ]
}

pub(super) fn narrow(chess: &[Position]) -> Vec<Claim> {
    let games = ordered(chess, Order::Promise);
    let alpha_beta = cost("alpha-beta", &games, 4).leaves;
    let aspiration = cost("aspiration", &games, 4).leaves / alpha_beta;
    let null = cost("null-move", &games, 4).leaves / alpha_beta;
    let value = |name: &str, game: &Position| found(name, game, 4).map(|choice| choice.value);
    let differs = games.iter().filter(|game| value("null-move", game) != value("minimax", game));
    let share = differs.count() as f64 / games.len().max(1) as f64;
    vec![
        Claim {
            source: SMARTER,
            name: "aspiration",
            numbers: vec![("share", percent(aspiration))],
            verdict: verdict([aspiration < 1.0]),
        },
        Claim {
            source: SMARTER,
            name: "null-move",
            numbers: vec![("share", percent(null)), ("differs", percent(share))],
            verdict: verdict([null < 0.7, share > 0.0]),
        },
    ]
}
