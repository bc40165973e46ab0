//! Lazy SMP: all threads search the same root, each for itself, and help one another through
//! the transposition table alone. At the end they vote on the move.
//!
//! Nothing else is shared but a few flags and a counter that each thread adds to once in a
//! thousand nodes, so that threads never wait for one another.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;

use shakmaty::Move;

use crate::evaluation::Evaluator;
use crate::limits::Limits;
use crate::rules::{Game, Rules};
use crate::score::Score;
use crate::search::STACK;
use crate::search::clock::{Clock, Stopwatch};
use crate::search::driver::deepening::Goal;
use crate::search::ordering::history::History;
use crate::search::report::Silent;
use crate::search::root::{Root, RootMove};
use crate::search::tree::worker::{Tools, Worker};

/// What the threads of an engine have learnt, kept from one search to the next.
#[derive(Clone, Default)]
pub struct Memory {
    pub(in crate::search) first: History,
    helpers: Vec<History>,
}

impl Memory {
    /// Forgets everything.
    pub fn clear(&mut self) {
        *self = Memory::default();
    }

    /// The first thread's memory, and one for each of so many helpers.
    pub fn split(&mut self, helpers: usize) -> (&mut History, &mut [History]) {
        self.helpers.resize_with(helpers, History::default);
        (&mut self.first, &mut self.helpers)
    }
}

/// What a thread has found when the search ends.
#[derive(Clone, Debug)]
struct Verdict {
    leader: RootMove,
    /// Last complete iteration, in plies.
    depth: u32,
}

/// Tells the helpers that the search is over, even if it ends in a panic.
struct Over<'a>(&'a AtomicBool);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}

/// Deepens with `first` on this thread and one helper for each of `histories`. Returns the
/// depth of the move that is to be played, which leads the root of `first` afterwards. A helper
/// that cannot be started, or panics, is done without.
pub fn deepen<P: Rules, E: Evaluator<P>>(
    game: &Game<P>,
    goal: &Goal,
    first: &mut Worker<P, E>,
    histories: &mut [History],
) -> u32 {
    if histories.is_empty() {
        return first.deepen(game, goal);
    }
    let Worker { shared, evaluator, parameters, endgames, .. } = *first;
    let root = first.root.clone();
    let (depth, verdicts) = thread::scope(|scope| {
        let over = Over(&shared.over);
        let helpers: Vec<_> = histories
            .iter_mut()
            .enumerate()
            .filter_map(|(number, history)| {
                let root = root.clone();
                let help = move || {
                    let reporter = &mut Silent;
                    let tools =
                        Tools { shared, evaluator, parameters, endgames, history, reporter };
                    help(game, goal, tools, root, number)
                };
                thread::Builder::new().stack_size(STACK).spawn_scoped(scope, help).ok()
            })
            .collect();
        let depth = first.deepen(game, goal);
        drop(over);
        let verdicts = helpers.into_iter().filter_map(|helper| helper.join().ok().flatten());
        (depth, verdicts.collect::<Vec<Verdict>>())
    });
    if goal.variations > 1 {
        return depth;
    }
    elect(game, first, depth, verdicts)
}

/// One helper's search: as long as the first thread's, without limits of its own. Every other
/// helper is an iteration ahead, so that the table is filled from both.
fn help<P: Rules, E: Evaluator<P>>(
    game: &Game<P>,
    goal: &Goal,
    tools: Tools<E>,
    root: Root,
    number: usize,
) -> Option<Verdict> {
    let endless = Stopwatch::start(Clock::new(&Limits::default(), game.now().turn(), 0));
    let mut worker = Worker::new(game, tools, root, endless, None);
    let ahead = 1 - number as u32 % 2;
    let goal = Goal { first_depth: goal.first_depth + ahead, mate: None, variations: 1, ..*goal };
    let depth = worker.deepen(game, &goal);
    // What an unfinished iteration found has no vote, and what it searched must be counted.
    worker.all_nodes();
    verdict(&worker, depth)
}

fn verdict<P: Rules, E: Evaluator<P>>(worker: &Worker<P, E>, depth: u32) -> Option<Verdict> {
    let leader = worker.root.leader()?;
    (leader.score > -Score::INFINITE).then(|| Verdict { leader: leader.clone(), depth })
}

/// Makes the move that most speaks for the leader of `first`, and tells if it is another.
fn elect<P: Rules, E: Evaluator<P>>(
    game: &Game<P>,
    first: &mut Worker<P, E>,
    depth: u32,
    mut verdicts: Vec<Verdict>,
) -> u32 {
    let Some(own) = verdict(first, depth) else { return depth };
    let played = own.leader.m;
    verdicts.insert(0, own);
    let Verdict { leader, depth } = verdicts.swap_remove(vote(&verdicts));
    if leader.m != played {
        first.root.promote(leader);
        first.report_elected(game, depth);
    }
    depth
}

/// Which of the verdicts to follow: the shortest mate that one of them has found, else the
/// move with the greatest weight, and of those who want it the deepest. A verdict weighs the
/// more the deeper it is, and the better its score is than the worst of all.
fn vote(verdicts: &[Verdict]) -> usize {
    /// What even the worst score weighs, in centipawns.
    const FLOOR: i32 = 15;
    let score = |verdict: &Verdict| verdict.leader.score.raw();
    let worst = verdicts.iter().map(score).min().unwrap_or(0);
    let mut votes: HashMap<Move, i64> = HashMap::new();
    for verdict in verdicts {
        let weight = i64::from(score(verdict) - worst + FLOOR) * i64::from(verdict.depth);
        *votes.entry(verdict.leader.m).or_default() += weight;
    }
    let rank = |verdict: &Verdict| {
        let mate = if verdict.leader.score.is_win() { score(verdict) } else { 0 };
        (mate, votes.get(&verdict.leader.m).copied().unwrap_or(0), verdict.depth)
    };
    // Of equals the first: the thread that the user has been listening to.
    (0..verdicts.len()).rev().max_by_key(|&n| rank(&verdicts[n])).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::{Chess, Position};

    fn verdict(number: usize, score: Score, depth: u32) -> Verdict {
        let moves = Chess::default().legal_moves();
        let mut root = Root::new(moves.into_iter().skip(number));
        let m = root.leader().unwrap().m;
        root.record(m, score, 1, 1, Some(&[]));
        Verdict { leader: root.leader().unwrap().clone(), depth }
    }

    fn centipawns(number: usize, score: i32, depth: u32) -> Verdict {
        verdict(number, Score::centipawns(score), depth)
    }

    #[test]
    fn the_majority_is_followed_and_of_equals_the_first() {
        assert_eq!(vote(&[centipawns(0, 20, 10), centipawns(1, 20, 10)]), 0);
        let two = [centipawns(0, 20, 10), centipawns(1, 20, 10), centipawns(1, 20, 11)];
        assert_eq!(vote(&two), 2);
    }

    #[test]
    fn depth_and_score_weigh() {
        assert_eq!(vote(&[centipawns(0, 20, 10), centipawns(1, 20, 12)]), 1);
        assert_eq!(vote(&[centipawns(0, 20, 10), centipawns(1, 60, 10)]), 1);
    }

    #[test]
    fn a_mate_needs_no_majority_and_the_shorter_is_better() {
        let deep = [centipawns(0, 300, 20), centipawns(0, 320, 20)];
        let mates = [verdict(1, Score::mate_in(9), 9), verdict(2, Score::mate_in(5), 9)];
        assert_eq!(vote(&[&deep[..], &mates[..]].concat()), 3);
        let mated = [verdict(0, Score::mated_in(4), 12), centipawns(1, -900, 8)];
        assert_eq!(vote(&mated), 1);
    }
}
