//! `engine dda`: the depth of a level's searches, and its gain in games.

mod coin;
mod figure;
mod law;
mod tables;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use clap::Args;
use shakmaty::{CastlingMode, Chess, Color, Position};

use coin::Coin;

use super::{Done, RulesArgs, positive, print};
use engine::evaluation::linear::Weights;
use engine::evaluation::variants::{Task, with_rules};
use engine::evaluation::{Evaluation, Variant};
use engine::limits::Limits;
use engine::play::levels::Level;
use engine::play::levels::form::Form;
use engine::play::levels::policy::DepthPolicy;
use engine::rules::setup::{self, Start};
use engine::rules::{Game, RuleSet};
use engine::search::parameters::Parameters;
use engine::search::report::Silent;
use engine::search::table::OutOfMemoryError;
use engine::search::{Options, Searcher};
use shell::files;
use shell::interrupt;
use shell::progress::{Progress, Unit};
use shell::table::{Cell, Format, Table};
use workshop::arena::{Effort, GameRunner, Openings, Phase, Sample, Screen, Side, Tally};

/// Table of a search of a single position, in MiB.
const HASH_MB: usize = 16;
/// Random half-moves at the start of each opening.
const OPENING_PLIES: usize = 8;
/// Greatest lead of either side in an opening, in centipawns, `SCREEN_DEPTH` plies deep.
const OPENING_MARGIN: i32 = 80;
const SCREEN_DEPTH: u32 = 4;

/// The evaluation of the levels.
fn level_evaluation<P: Variant>() -> Evaluation<P> {
    Evaluation::linear(Weights::DEFAULT)
}

/// The options of a level's search from this base depth; beyond the levels, those of the nearest one.
fn level_options(base: u32) -> Options {
    let nearest = base.clamp(3, 5);
    let level = Level::of_base(nearest).unwrap_or(Level::Advanced);
    Options { parameters: level.parameters(&Parameters::default()), ..Options::default() }
}

/// A side of a contest.
type DdaSide = Side<Chess>;

/// Arguments of `dda`.
#[derive(Debug, Args)]
pub struct DdaArgs {
    /// The position, in quotes [default: the start of the game]
    #[arg(long, conflicts_with_all = ["games", "svg", "law"])]
    fen: Option<String>,
    /// Measure how the nodes to a depth grow with the number of moves, in positions of this many games of
    /// the engine against itself
    #[arg(long, value_name = "GAMES", num_args = 0..=1, default_missing_value = "20", conflicts_with = "games")]
    #[arg(value_parser = positive::<u32>)]
    law: Option<u32>,
    #[command(flatten)]
    rules: RulesArgs,
    /// The forms to measure in games [default: all]
    #[arg(long, value_delimiter = ',', requires = "games")]
    forms: Vec<Form>,
    /// Base depths, in half-moves
    #[arg(long, value_delimiter = ',', default_values_t = [3, 4, 5])]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=12))]
    base: Vec<u32>,
    /// Games for each row of the table; an odd number is rounded up
    #[arg(long, value_parser = positive::<u32>)]
    games: Option<u32>,
    /// Seed of the openings
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Draw depth and nodes against the move number
    #[arg(long, value_name = "FILE", requires = "games")]
    svg: Option<PathBuf>,
    /// Replace the picture even if the file holds something else
    #[arg(long)]
    force: bool,
    /// The form of the table of depths
    #[arg(long, value_enum, default_value = "text", conflicts_with = "games")]
    format: Format,
}

/// The words above the table of depths.
const PREFACE: &str = "\
A level searches full width, level 5 with null move and check extensions. `moves` plays ω where the game offers most, in
the middlegame, and looks deeper as there is less to choose from. ≈ marks an estimate.

";

/// Games of one side against another.
struct Contest {
    /// Base depth, in plies.
    base: u32,
    /// The name of the first side.
    name: String,
    /// The result for the first side.
    tally: Tally,
    /// The cost of the moves of both sides.
    efforts: [Effort; 2],
}

impl DdaArgs {
    /// Shows the depth of each form in a position, or measures the forms in games.
    pub fn run(self) -> Done {
        match (self.games, self.law) {
            (Some(_), _) if self.rules.rule_set != RuleSet::Chess => {
                Err("games are measured in chess: leave --variant out, or use --law".into())
            }
            (Some(games), _) => self.measure(games),
            (None, Some(games)) => law::measure(self.rules.rule_set, games, self.seed, self.format),
            (None, None) => with_rules(self.rules.rule_set, &self),
        }
    }

    /// Plays `games` games for each row of the tables and prints them, for each of the base depths: every
    /// form and every control against fixed depth, then every form against a coin of the same cost.
    fn measure(&self, games: u32) -> Done {
        files::check(&[(self.svg.as_deref(), files::SVG)], &[], self.force)?;
        let pairs = games.div_ceil(2) as usize;
        let openings = Openings::new(self.seed, OPENING_PLIES).screened(Screen {
            evaluator: level_evaluation(),
            limits: Limits::depth(SCREEN_DEPTH),
            margin: OPENING_MARGIN,
        });
        let adjust = || Form::ALL.into_iter().filter(|&form| form != Form::Off);
        let is_meant = |form: &Form| self.forms.is_empty() || self.forms.contains(form);
        let forms: Vec<Form> = adjust().filter(is_meant).collect();
        // The forms and the controls against fixed depth, and the forms against the coin.
        let contests = 2 * forms.len() + CONTROLS;
        let games = self.base.len() * contests * pairs * 2;
        let progress = Progress::new(games as u64, Unit::Count("games"));
        interrupt::watch();
        let tournament = Tournament { openings, pairs, progress, forms };
        let (mut over_fixed, mut over_coin) = (Vec::new(), Vec::new());
        for &base in &self.base {
            tournament.against_fixed(base, &mut over_fixed)?;
            let of_base: Vec<&Contest> = over_fixed.iter().filter(|c| c.base == base).collect();
            tournament.against_coin(base, &of_base, &mut over_coin)?;
        }
        drop(tournament);
        // Of what was interrupted before its first move there is nothing to tell.
        for contests in [&mut over_fixed, &mut over_coin] {
            contests.retain(|contest| contest.efforts.iter().all(|effort| effort.count() > 0));
        }
        print(&tables::all(&over_fixed, &over_coin))?;
        if let Some(path) = &self.svg {
            figure::draw(path, &self.base, &over_fixed, self.force)?;
        }
        Ok(())
    }
}

impl Task for &DdaArgs {
    type Outcome = Done;

    /// Prints the search depth of each form in the position, from each of the base depths.
    fn run<P: Variant>(self) -> Done {
        let start = self.fen.clone().map_or(Start::Initial, Start::Fen);
        let (game, remarks) = setup::game::<P>(&start, &[], CastlingMode::Standard)?;
        remarks.iter().for_each(|remark| shell::progress::note(&format!("note: {remark}")));
        if game.position().legal_moves().is_empty() {
            return print("There is no legal move, and no depth to choose.");
        }
        let evaluator = level_evaluation::<P>();
        let mut searcher = Searcher::new(evaluator.clone(), Options::default(), HASH_MB)?;
        let mut rows = Vec::new();
        for &base in &self.base {
            let options = level_options(base);
            searcher.set_options(options.clone());
            for form in Form::ALL {
                searcher.new_game();
                let policy = DepthPolicy::new(form, base);
                let decision = policy.decide(game.position(), &evaluator, &options.parameters);
                let limits = Limits { plan: Some(decision.plan()), ..Limits::default() };
                let outcome = searcher.search(&game, &limits, &mut Silent);
                rows.push(vec![
                    Cell::Count(base.into()),
                    Cell::text(form.name()),
                    Cell::Count(outcome.depth.into()),
                    Cell::Text(decision.arithmetic()),
                    Cell::Count(outcome.nodes),
                ]);
            }
        }
        let table = Table { columns: vec!["ω", "form", "ψ", "arithmetic", "nodes"], rows };
        let words = if self.format == Format::Text { PREFACE } else { "" };
        print(&format!("{words}{}", table.write(self.format)))
    }
}

/// The controls of a table of games.
const CONTROLS: usize = 3;
/// The control that searches one ply more.
const PLY_MORE: &str = "one ply more";
/// Pairs of games that measure what a depth costs.
const COST_PAIRS: usize = 20;
/// Greatest number of plies beyond the base depth that a coin tosses for.
const MAX_EXTRA: usize = 6;

/// The common parts of all contests.
struct Tournament {
    openings: Openings<Chess>,
    pairs: usize,
    progress: Progress,
    forms: Vec<Form>,
}

impl Tournament {
    /// Plays the forms and the controls against fixed depth.
    fn against_fixed(
        &self,
        base: u32,
        contests: &mut Vec<Contest>,
    ) -> Result<(), OutOfMemoryError> {
        let fixed = by_policy(Form::Off, base);
        let mut nodes = 1.0; // of a move of the statistical form, or of the last one measured
        for &form in &self.forms {
            let contest =
                self.play(base, self.pairs, form.name(), [&by_policy(form, base), &fixed])?;
            contests.push(contest);
        }
        let is_even = |contest: &&Contest| contest.name == Form::Statistical.name();
        if let Some(like) = contests.iter().rev().find(is_even).or(contests.last()) {
            nodes = like.efforts[0].nodes();
        }
        let controls = [
            ("coin, half", by_coin(base, Coin { base, odds: 500 })),
            ("same nodes", by_limits(base, Limits::nodes(nodes as u64))),
            (PLY_MORE, by_plies_more(base, 1)),
        ];
        for (name, side) in controls {
            contests.push(self.play(base, self.pairs, name, [&side, &fixed])?);
        }
        Ok(())
    }

    /// Plays the forms against the coin of the same cost, as far as `known` has the costs.
    fn against_coin(
        &self,
        base: u32,
        known: &[&Contest],
        contests: &mut Vec<Contest>,
    ) -> Result<(), OutOfMemoryError> {
        let Some(ply_more) = known.iter().find(|contest| contest.name == PLY_MORE) else {
            return Ok(());
        };
        let mut costs = vec![ply_more.efforts[1].nodes(), ply_more.efforts[0].nodes()];
        for &form in &self.forms {
            let Some(like) = known.iter().find(|contest| contest.name == form.name()) else {
                continue;
            };
            let nodes = like.efforts[0].nodes();
            while costs.last().is_some_and(|&cost| cost < nodes) && costs.len() <= MAX_EXTRA {
                costs.push(self.cost(base, costs.len() as u32)?);
            }
            let coin = by_coin(base, Coin::of_cost(nodes, base, &costs));
            contests.push(self.play(
                base,
                self.pairs,
                form.name(),
                [&by_policy(form, base), &coin],
            )?);
        }
        Ok(())
    }

    /// Nodes of a move that is searched `more` plies deeper than `base`, in a few games.
    fn cost(&self, base: u32, more: u32) -> Result<f64, OutOfMemoryError> {
        let (deeper, fixed) = (by_plies_more(base, more), by_policy(Form::Off, base));
        let pairs = self.pairs.min(COST_PAIRS);
        let contest = self.play(base, pairs, "cost of the coin", [&deeper, &fixed])?;
        Ok(contest.efforts[0].nodes())
    }

    /// Plays all games between two sides.
    fn play(
        &self,
        base: u32,
        pairs: usize,
        name: &str,
        sides: [&DdaSide; 2],
    ) -> Result<Contest, OutOfMemoryError> {
        self.progress.message(format!("{name} {base}"));
        let mut runner = GameRunner::new(sides)?;
        let mut finder = self.openings.finder()?;
        let mut tally = Tally::default();
        let mut efforts = [Effort::default(), Effort::default()];
        for number in (0..pairs).take_while(|_| !interrupt::is_set()) {
            let opening = finder.opening(number);
            let points = [Color::White, Color::Black].map(|color| {
                let mut since = Instant::now();
                let white = color.fold_wb(0, 1);
                let result = runner.play(&opening, white, |mover, game, _, outcome| {
                    efforts[mover].add(Sample {
                        phase: Phase::of(game),
                        ply: game.past().len(),
                        is_forced: game.position().legal_moves().len() == 1,
                        depth: outcome.depth,
                        nodes: outcome.nodes,
                        time: since.elapsed(),
                    });
                    since = Instant::now();
                });
                self.progress.add(1);
                result.points(color)
            });
            tally.add_pair(points[0], points[1]);
        }
        Ok(Contest { base, name: name.to_string(), tally, efforts })
    }
}

/// A side with a depth policy.
fn by_policy(form: Form, base: u32) -> DdaSide {
    let policy = DepthPolicy::new(form, base);
    Side::by_policy(policy, level_evaluation(), level_options(base), Limits::default())
}

/// A side that searches `more` plies more than `base`, and sees beyond them no more than that level.
fn by_plies_more(base: u32, more: u32) -> DdaSide {
    by_limits(base, Limits::depth(base + more))
}

/// A side with a coin.
fn by_coin(base: u32, coin: Coin) -> DdaSide {
    let pace = move |game: &Game<Chess>| Limits {
        plan: Some(coin.plan(game.position())),
        ..Limits::default()
    };
    Side { pace: Arc::new(pace), ..by_limits(base, Limits::default()) }
}

/// A side with limits only.
fn by_limits(base: u32, limits: Limits) -> DdaSide {
    Side::new(level_evaluation(), level_options(base), limits)
}
