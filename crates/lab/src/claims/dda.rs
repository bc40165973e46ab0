//! Claims of the paper on dynamic depth adjustment, section by section.

use super::{Claim, ClaimsError, PAPER, judged, named, percent, verdict};
use crate::compare::{random_positions, run};
use crate::constants::Constants;
use crate::dda::{Experiment, Method, Rounding, Sample, adjusted};
use crate::game::Position;
use crate::games::connect_four::{ConnectFour, Ending};

/// Equation 4 without its floor of ω, in positions of chess and of Connect Four: it never falls below
/// the depth at the start if there are never more moves than at the start.
pub(super) fn never_shallower(chess: &[Position], four: &[Position]) -> Claim {
    let broader = |games: &[Position]| {
        let broader = games.iter().filter(|game| game.moves().len() > game.opening_breadth());
        broader.count() as f64 / games.len().max(1) as f64
    };
    let chess_count = chess.len();
    let (chess, four) = (broader(chess), broader(four));
    Claim {
        source: PAPER,
        name: "never-shallower",
        numbers: vec![("chess", percent(chess)), ("four", percent(four))],
        verdict: verdict([chess == 0.0, four == 0.0]),
        sample: ("two-games", chess_count),
        command: "engine lab dda --game chess".into(),
    }
}

/// The specific method with iterative deepening, a table and NegaScout instead of plain alpha-beta:
/// what a deepened move costs against the costliest at the depth of the start.
pub(super) fn combinable(seed: u64) -> Result<Claim, ClaimsError> {
    const BASE: u32 = 5;
    let games = 4;
    let board = ConnectFour::new(7, 7, Ending::FullBoard)?;
    let cost = |name: &str, game: &Position, depth: u32| {
        let run = named(name).map(|one| run(&one, Constants::default(), game, depth));
        run.map(|run| (run.found, run.counter.nodes as f64))
    };
    let names = ["alpha-beta", "negascout-table"];
    let mut costs = [(0.0, 0.0); 2];
    for (name, sum) in names.iter().zip(&mut costs) {
        let start = Position::new(board.clone());
        for mut game in random_positions(&start, games, 4..=4, seed) {
            while !game.moves().is_empty() {
                let now = game.moves().len() as f64;
                let depth = adjusted(BASE, Rounding::Down, 7.0, now).unwrap_or(49);
                let (Some((found, nodes)), Some((_, fixed))) =
                    (cost(name, &game, depth), cost(name, &game, BASE))
                else {
                    break;
                };
                *sum = (sum.0 + nodes, sum.1 + fixed);
                let Some(best) = found.best else { break };
                game = game.play(best);
            }
        }
    }
    let [plain, table] = costs.map(|(deep, fixed)| deep / fixed);
    Ok(Claim {
        source: PAPER,
        name: "combinable",
        numbers: vec![("plain", format!("{plain:.2}")), ("table", format!("{table:.2}"))],
        verdict: verdict([table < 1.5]),
        sample: ("games", games),
        command: "engine lab dda".into(),
    })
}

/// The discs on the board when ψ first exceeds ω in the mean.
fn first_rise(samples: &[&Sample], base: u32) -> u32 {
    let rises = |sample: &&&Sample| sample.formula.is_none_or(|psi| psi >= f64::from(base) + 0.5);
    samples.iter().find(rises).map_or(0, |sample| sample.discs)
}

/// Numbers one after another, apart even where a comma marks decimals.
fn listed(numbers: impl Iterator<Item = String>) -> String {
    numbers.collect::<Vec<_>>().join("; ")
}

/// The command that plays the same games: without what is the default anyway.
fn command_of(plan: &Experiment) -> String {
    let Experiment { sizes, base, rounding, games, seed, .. } = plan;
    let mut command = "engine lab dda".to_string();
    if sizes != &[7, 8, 9, 10] {
        let sizes: Vec<String> = sizes.iter().map(u8::to_string).collect();
        command += &format!(" --sizes {}", sizes.join(","));
    }
    let numbers =
        [("base", u64::from(*base), 6), ("games", u64::from(*games), 4), ("seed", *seed, 1)];
    for (name, value, default) in numbers {
        if value != default {
            command += &format!(" --{name} {value}");
        }
    }
    match rounding {
        Rounding::Up => command + " --round up",
        Rounding::Down => command,
    }
}

/// The statements of section 4 about its figures, checked against ours.
pub fn figures(samples: &[Sample], plan: &Experiment) -> Vec<Claim> {
    let base = plan.base;
    let mut sizes: Vec<u8> = samples.iter().map(|sample| sample.size).collect();
    sizes.sort_unstable();
    sizes.dedup();
    let of = |method: Method, size: u8| -> Vec<&Sample> {
        samples.iter().filter(|s| s.method == method && s.size == size).collect()
    };
    let per_size = |f: &dyn Fn(u8) -> u32| sizes.iter().map(|&size| f(size)).collect::<Vec<_>>();
    let general = per_size(&|size| first_rise(&of(Method::General, size), base));
    let specific = per_size(&|size| first_rise(&of(Method::Specific, size), base));
    let statistical = per_size(&|size| first_rise(&of(Method::Statistical, size), base));
    let top = |method| {
        per_size(&|size| {
            let depths = of(method, size).into_iter().filter_map(|s| s.formula);
            depths.fold(0.0, f64::max).round() as u32
        })
    };
    let (general_top, specific_top) = (top(Method::General), top(Method::Specific));
    let later = specific.iter().zip(&general).map(|(specific, general)| specific > general);
    let higher = specific_top.iter().zip(&general_top).map(|(s, g)| s > g);
    let peaks = per_size(&|size| {
        let opening = of(Method::General, size);
        let peak = opening.iter().max_by(|a, b| a.fixed_nodes.total_cmp(&b.fixed_nodes));
        peak.map_or(0, |sample| sample.discs)
    });
    let rounding = match plan.rounding {
        Rounding::Up => "⌈…⌉",
        Rounding::Down => "⌊…⌋",
    };
    let claim = |name, numbers: Vec<(&'static str, String)>, verdict| {
        let common = [("rounding", rounding.to_string()), ("base", base.to_string())];
        Claim {
            source: PAPER,
            name,
            numbers: common.into_iter().chain(numbers).collect(),
            verdict,
            sample: ("games", plan.games as usize * sizes.len()),
            command: command_of(plan).into(),
        }
    };
    let shown = |numbers: &[u32]| listed(numbers.iter().map(u32::to_string));
    // One board tells nothing of greater ones.
    let is_rising =
        (sizes.len() > 1).then(|| general.is_sorted() && general.first() < general.last());
    let is_expected = peaks.iter().map(|peak| (15..=35).contains(peak));
    let mut claims = vec![
        claim(
            "figure-1",
            vec![("sizes", listed(sizes.iter().map(u8::to_string))), ("rise", shown(&general))],
            judged([is_rising]),
        ),
        claim(
            "figure-3-later",
            vec![
                ("specific", shown(&specific)),
                ("general", shown(&general)),
                ("statistical", shown(&statistical)),
            ],
            verdict(later),
        ),
        claim(
            "figure-3-deeper",
            vec![("specific", shown(&specific_top)), ("general", shown(&general_top))],
            verdict(higher),
        ),
        claim("figure-2-peak", vec![("peaks", shown(&peaks))], verdict(is_expected)),
    ];
    let deepened = |method: Method| {
        let of_method = samples.iter().filter(|sample| sample.method == method);
        of_method.filter(|sample| sample.depth > f64::from(base)).count()
    };
    let (general_moves, specific_moves) = (deepened(Method::General), deepened(Method::Specific));
    claims.push(claim(
        "general-stable",
        vec![("general", general_moves.to_string()), ("specific", specific_moves.to_string())],
        verdict([general_moves > specific_moves]),
    ));
    let methods = [
        (Method::General, "figure-2"),
        (Method::Specific, "figure-4"),
        (Method::Statistical, "statistical"),
    ];
    for (method, name) in methods {
        let (numbers, verdict) = never_costs(samples, plan, method);
        claims.push(claim(name, numbers, verdict));
    }
    claims
}

/// "Always below the times of the initial depth": the deepened moves against the costliest
/// move at the depth ω of the same game.
fn never_costs(
    samples: &[Sample],
    plan: &Experiment,
    method: Method,
) -> (Vec<(&'static str, String)>, super::Verdict) {
    let base = f64::from(plan.base);
    let mut ratios = Vec::new();
    let (mut deepened, mut dearer) = (0, 0);
    for group in samples.chunk_by(|a, b| (a.method, a.size) == (b.method, b.size)) {
        if group.first().is_none_or(|first| first.method != method) {
            continue;
        }
        let peak = group.iter().map(|sample| sample.fixed_nodes).fold(0.0, f64::max);
        let deep = || group.iter().filter(|sample| sample.depth > base);
        deepened += deep().count();
        dearer += deep().filter(|sample| sample.nodes > peak).count();
        ratios.push(deep().map(|sample| sample.nodes / peak).fold(0.0, f64::max));
    }
    let sum = |of: fn(&Sample) -> f64| -> f64 {
        samples.iter().filter(|sample| sample.method == method).map(of).sum()
    };
    let whole = sum(|sample| sample.nodes) / sum(|sample| sample.fixed_nodes);
    let shown = listed(ratios.iter().map(|ratio| format!("{ratio:.2}")));
    let numbers = vec![
        ("games", plan.games.to_string()),
        ("ratios", shown),
        ("dearer", dearer.to_string()),
        ("deepened", deepened.to_string()),
        ("whole", format!("{whole:.2}")),
    ];
    (numbers, verdict(ratios.iter().map(|&ratio| ratio <= 1.0)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claims::Verdict;
    use crate::dda::measure;

    /// What is told of an experiment is what was measured, and the command leads to the same.
    #[test]
    fn a_claim_names_the_experiment_that_was_made() {
        let plan = |sizes: &[u8], base, games, rounding| Experiment {
            sizes: sizes.to_vec(),
            base,
            rounding,
            games,
            runs: 1,
            seed: 1,
        };
        for (plan, command) in [
            (plan(&[7, 8, 9, 10], 6, 4, Rounding::Down), "engine lab dda"),
            (plan(&[7, 8, 9, 10], 5, 4, Rounding::Up), "engine lab dda --base 5 --round up"),
            (plan(&[4, 5], 2, 1, Rounding::Down), "engine lab dda --sizes 4,5 --base 2 --games 1"),
        ] {
            assert_eq!(command_of(&plan), command);
        }
        let plan = plan(&[4], 2, 1, Rounding::Down);
        let claims = figures(&measure(&plan, || true).unwrap(), &plan);
        assert!(claims.iter().all(|claim| claim.command == command_of(&plan)));
        let later = claims.iter().find(|claim| claim.name == "figure-1").unwrap();
        assert_eq!(later.verdict, Verdict::Open, "one board tells nothing of greater ones");
    }
}
