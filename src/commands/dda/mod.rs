//! `engine dda`: how deep the levels search, why, and what that is worth in games.

mod figure;
mod tables;

use std::path::Path;
use std::time::Instant;

use shakmaty::{CastlingMode, Chess, Color, Position};

use super::Done;
use crate::arena::{Board, Effort, Openings, Phase, Sample, Side, Tally};
use crate::evaluation::KingRelative;
use crate::limits::Limits;
use crate::rules::setup::{self, Start};
use crate::search::depth_policy::{DepthPolicy, Form};
use crate::search::report::{Report, Reporter};
use crate::search::table::{OutOfMemory, Table};
use crate::search::{self, Memory, Options, Shared};
use crate::settings::Settings;
use crate::shell::progress::{Progress, Unit};

/// Table of a search of a single position, in MiB.
const TABLE_MB: usize = 16;
/// Random half-moves that an opening begins with.
const OPENING_PLIES: usize = 8;
/// Centipawns that an opening may favour one side by, seen `SCREEN_DEPTH` plies deep.
const OPENING_MARGIN: i32 = 80;
const SCREEN_DEPTH: u32 = 4;

/// A side of a contest.
type Player = Side<KingRelative>;

/// Games of one side against another.
struct Contest {
    /// Base depth, in plies.
    base: u32,
    /// Who the first side is.
    name: String,
    /// The result for the first side.
    tally: Tally,
    /// What the moves of both sides cost.
    efforts: [Effort; 2],
}

/// Prints how deep each form searches `fen` from each of the base depths.
///
/// # Errors
/// A FEN that is no position.
pub fn position(bases: &[u32], fen: Option<String>) -> Done {
    let start = fen.map_or(Start::Initial, Start::Fen);
    let (game, remarks) = setup::game::<Chess>(&start, &[], CastlingMode::Standard)?;
    remarks.iter().for_each(|remark| eprintln!("note: {remark}"));
    let shared = Shared::new(Table::new(TABLE_MB)?);
    for &base in bases {
        for form in Form::OFFERED {
            shared.table.clear();
            let side = by_policy(form, base);
            let mut listener = Remarks::default();
            search::run(
                &game,
                &side.limits,
                &side.options,
                &side.evaluator,
                &shared,
                &mut Memory::default(),
                &mut listener,
            );
            for remark in listener.0 {
                super::print(&remark)?;
            }
        }
    }
    Ok(())
}

/// Keeps the remarks of a search.
#[derive(Default)]
struct Remarks(Vec<String>);

impl Reporter for Remarks {
    fn variation(&mut self, _report: &Report) {}

    fn remark(&mut self, text: &str) {
        self.0.push(text.to_string());
    }
}

/// Plays `games` games a row of the tables and prints them, for each of the base depths:
/// every form and every control against fixed depth, then every form against a coin that
/// costs the same. With `svg`, draws depth and nodes against the move number as well.
///
/// # Errors
/// Too little memory, or a picture that cannot be written.
pub fn games(bases: &[u32], games: u32, seed: u64, svg: Option<&Path>) -> Done {
    let pairs = games.div_ceil(2) as usize;
    let judge = at_limits(Limits::depth(SCREEN_DEPTH));
    let openings = Openings::screened(seed, OPENING_PLIES, pairs, &judge, OPENING_MARGIN);
    let games = bases.len() * CONTESTS * pairs * 2;
    let progress = Progress::new(games as u64, Unit::Count("games"));
    let field = Field { openings, pairs, progress };
    let (mut over_fixed, mut over_coin) = (Vec::new(), Vec::new());
    for &base in bases {
        field.against_fixed(base, &mut over_fixed)?;
        let of_base: Vec<&Contest> = over_fixed.iter().filter(|c| c.base == base).collect();
        field.against_coin(base, &of_base, &mut over_coin)?;
    }
    drop(field);
    super::print(&tables::all(&over_fixed, &over_coin))?;
    if let Some(path) = svg {
        figure::draw(path, bases, &over_fixed)?;
    }
    Ok(())
}

/// The forms that change anything.
const FORMS: [Form; 3] = [Form::Moves, Form::Leaves, Form::Statistical];
/// Contests a base depth: the forms and three controls against fixed depth, the forms against the coin.
const CONTESTS: usize = 9;
/// The control that searches one ply more.
const PLY_MORE: &str = "one ply more";

/// What all contests share.
struct Field {
    openings: Openings<Chess>,
    pairs: usize,
    progress: Progress,
}

impl Field {
    /// Plays the forms and the controls against fixed depth.
    fn against_fixed(&self, base: u32, contests: &mut Vec<Contest>) -> Result<(), OutOfMemory> {
        let fixed = by_policy(Form::Off, base);
        let mut nodes = 0.0;
        for form in FORMS {
            let contest = self.play(base, form.name(), [&by_policy(form, base), &fixed])?;
            nodes = contest.efforts[0].nodes();
            contests.push(contest);
        }
        let controls = [
            ("coin, half", by_policy(Form::Coin(500), base)),
            // As many as the form played last, the statistical one, takes on average.
            ("same nodes", at_limits(Limits::nodes(nodes as u64))),
            (PLY_MORE, by_policy(Form::Off, base + 1)),
        ];
        for (name, side) in controls {
            contests.push(self.play(base, name, [&side, &fixed])?);
        }
        Ok(())
    }

    /// Plays the forms against the coin that costs the same, as far as `known` tells.
    fn against_coin(
        &self,
        base: u32,
        known: &[&Contest],
        contests: &mut Vec<Contest>,
    ) -> Result<(), OutOfMemory> {
        let Some(ply_more) = known.iter().find(|contest| contest.name == PLY_MORE) else {
            return Ok(());
        };
        let costs = [ply_more.efforts[1].nodes(), ply_more.efforts[0].nodes()];
        for form in FORMS {
            let Some(like) = known.iter().find(|contest| contest.name == form.name()) else {
                continue;
            };
            let coin = coin_that_costs(like.efforts[0].nodes(), base, costs);
            contests.push(self.play(base, form.name(), [&by_policy(form, base), &coin])?);
        }
        Ok(())
    }

    /// Plays all games between two sides.
    fn play(&self, base: u32, name: &str, sides: [&Player; 2]) -> Result<Contest, OutOfMemory> {
        self.progress.message(format!("{name} {base}"));
        let mut board = Board::<Chess, KingRelative>::new(sides)?;
        let mut tally = Tally::default();
        let mut efforts = [Effort::default(), Effort::default()];
        for number in 0..self.pairs {
            let opening = self.openings.get(number);
            let points = [Color::White, Color::Black].map(|color| {
                let mut since = Instant::now();
                let white = color.fold_wb(0, 1);
                let verdict = board.play(&opening, white, |mover, game, _, outcome| {
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
                verdict.points(color)
            });
            tally.add_pair(points[0], points[1]);
        }
        Ok(Contest { base, name: name.to_string(), tally, efforts })
    }
}

/// A side whose depth comes from a policy.
fn by_policy(form: Form, base: u32) -> Player {
    let mut side = at_limits(Limits::default());
    side.options.depth_policy = Some(DepthPolicy::new(form, base));
    side
}

/// A side that goes by limits alone.
fn at_limits(limits: Limits) -> Player {
    let evaluator = Settings::default().evaluator();
    Side { evaluator, options: Options::default(), limits }
}

/// The coin toss between two depths that takes `nodes` nodes a move on average. `costs`: the
/// nodes of a move at the base depth and one ply deeper; further plies cost the same factor.
fn coin_that_costs(nodes: f64, base: u32, costs: [f64; 2]) -> Player {
    let growth = (costs[1] / costs[0]).max(1.1);
    let (mut depth, mut cost) = (base, costs[0]);
    while cost * growth <= nodes {
        depth += 1;
        cost *= growth;
    }
    let share = (nodes - cost) / (cost * (growth - 1.0));
    by_policy(Form::Coin((1000.0 * share).clamp(0.0, 1000.0) as u32), depth)
}
