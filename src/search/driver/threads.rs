//! Lazy SMP: all threads search the same root, each for itself, and help one another through the
//! transposition table alone. At the end they vote on the move.
//!
//! They share nothing else but a few flags and a counter that each thread adds to once in a thousand
//! nodes, so that no thread waits for another.

use std::collections::HashMap;
use std::thread;

use shakmaty::Move;

use super::deepening::Goal;
use crate::evaluation::{Evaluator, Variant};
use crate::limits::Limits;
use crate::rules::Game;
use crate::score::Score;
use crate::search::STACK;
use crate::search::clock::{Clock, Stopwatch};
use crate::search::ordering::history::History;
use crate::search::report::Silent;
use crate::search::root::{RootMove, RootMoves};
use crate::search::signals::Signals;
use crate::search::tree::worker::{Assignment, Worker, WorkerParts};

/// The result of one thread.
#[derive(Clone, Debug)]
struct Vote {
    leader: RootMove,
    /// Last complete iteration, in plies.
    depth: u32,
}

/// Ends the helpers with the first thread, even if that one panics.
struct Finish<'a>(&'a Signals);

impl Drop for Finish<'_> {
    fn drop(&mut self) {
        self.0.finish();
    }
}

/// Deepens with `first` on this thread and one helper for each of `histories`. Returns the depth of the
/// move to play, which leads the root of `first` afterwards. The search goes on without a helper that
/// cannot be started or panics.
pub fn deepen<P: Variant, E: Evaluator<P>>(
    game: &Game<P>,
    goal: &Goal,
    first: &mut Worker<P, E>,
    histories: &mut [History],
) -> u32 {
    if histories.is_empty() {
        return first.deepen(game, goal);
    }
    let parts = first.parts;
    let root = first.root.clone();
    let (depth, votes) = thread::scope(|scope| {
        let finish = Finish(parts.signals);
        let helpers: Vec<_> = histories
            .iter_mut()
            .enumerate()
            .filter_map(|(number, history)| {
                let root = root.clone();
                let help = move || help(game, goal, parts, history, root, number);
                thread::Builder::new().stack_size(STACK).spawn_scoped(scope, help).ok()
            })
            .collect();
        let depth = first.deepen(game, goal);
        drop(finish);
        let votes = helpers.into_iter().filter_map(|helper| helper.join().ok().flatten());
        (depth, votes.collect::<Vec<Vote>>())
    });
    if goal.variations > 1 {
        return depth;
    }
    elect(game, first, depth, votes)
}

/// The search of one helper: as long as that of the first thread, without limits of its own. Every other
/// helper is an iteration ahead, so that the table is filled from both.
fn help<P: Variant, E: Evaluator<P>>(
    game: &Game<P>,
    goal: &Goal,
    parts: WorkerParts<E>,
    history: &mut History,
    root: RootMoves,
    number: usize,
) -> Option<Vote> {
    let stopwatch = Stopwatch::start(Clock::new(&Limits::default(), game.now().turn(), 0));
    let assignment = Assignment { root, stopwatch, node_limit: None };
    let mut reporter = Silent;
    let mut worker = Worker::new(game, parts, history, &mut reporter, assignment);
    let ahead = 1 - number as u32 % 2;
    let goal = Goal { first_depth: goal.first_depth + ahead, mate: None, variations: 1, ..*goal };
    let depth = worker.deepen(game, &goal);
    // An unfinished iteration has no vote, but its nodes must be counted.
    worker.all_nodes();
    vote_of(&worker, depth)
}

fn vote_of<P: Variant, E: Evaluator<P>>(worker: &Worker<P, E>, depth: u32) -> Option<Vote> {
    let leader = worker.root.leader()?;
    (leader.score > -Score::INFINITE).then(|| Vote { leader: leader.clone(), depth })
}

/// Makes the elected move the leader of `first`, and reports it if it is another.
fn elect<P: Variant, E: Evaluator<P>>(
    game: &Game<P>,
    first: &mut Worker<P, E>,
    depth: u32,
    mut votes: Vec<Vote>,
) -> u32 {
    let Some(own) = vote_of(first, depth) else { return depth };
    let played = own.leader.m;
    votes.insert(0, own);
    let Vote { leader, depth } = votes.swap_remove(winner(&votes));
    if leader.m != played {
        first.root.promote(leader);
        first.report_elected(game, depth);
    }
    depth
}

/// The winning vote: the shortest mate that one thread has found, else the move with the greatest weight,
/// and among its votes the deepest. A vote weighs more the deeper it is, and the better its score is than
/// the worst of all.
fn winner(votes: &[Vote]) -> usize {
    /// The weight of the worst score, in centipawns.
    const FLOOR: i32 = 15;
    let score = |vote: &Vote| vote.leader.score.raw();
    let worst = votes.iter().map(score).min().unwrap_or(0);
    let mut weights: HashMap<Move, i64> = HashMap::new();
    for vote in votes {
        let weight = i64::from(score(vote) - worst + FLOOR) * i64::from(vote.depth);
        *weights.entry(vote.leader.m).or_default() += weight;
    }
    let rank = |vote: &Vote| {
        let mate = if vote.leader.score.is_win() { score(vote) } else { 0 };
        (mate, weights.get(&vote.leader.m).copied().unwrap_or(0), vote.depth)
    };
    // Among equals the first: the thread whose reports the user has read.
    (0..votes.len()).rev().max_by_key(|&n| rank(&votes[n])).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::{Chess, Position};

    fn vote(number: usize, score: Score, depth: u32) -> Vote {
        let moves = Chess::default().legal_moves();
        let mut root = RootMoves::new(moves.into_iter().skip(number));
        let m = root.leader().unwrap().m;
        root.record(m, score, 1, 1, Some(&[]));
        Vote { leader: root.leader().unwrap().clone(), depth }
    }

    fn centipawns(number: usize, score: i32, depth: u32) -> Vote {
        vote(number, Score::centipawns(score), depth)
    }

    #[test]
    fn the_majority_wins_and_the_first_among_equals() {
        assert_eq!(winner(&[centipawns(0, 20, 10), centipawns(1, 20, 10)]), 0);
        let two = [centipawns(0, 20, 10), centipawns(1, 20, 10), centipawns(1, 20, 11)];
        assert_eq!(winner(&two), 2);
    }

    #[test]
    fn depth_and_score_weigh() {
        assert_eq!(winner(&[centipawns(0, 20, 10), centipawns(1, 20, 12)]), 1);
        assert_eq!(winner(&[centipawns(0, 20, 10), centipawns(1, 60, 10)]), 1);
    }

    #[test]
    fn a_mate_needs_no_majority_and_the_shorter_is_better() {
        let deep = [centipawns(0, 300, 20), centipawns(0, 320, 20)];
        let mates = [vote(1, Score::mate_in(9), 9), vote(2, Score::mate_in(5), 9)];
        assert_eq!(winner(&[&deep[..], &mates[..]].concat()), 3);
        let mated = [vote(0, Score::mated_in(4), 12), centipawns(1, -900, 8)];
        assert_eq!(winner(&mated), 1);
    }
}
