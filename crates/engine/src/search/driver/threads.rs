//! Lazy SMP: all threads search the same root, each for itself, and help one another through the
//! transposition table alone. At the end they vote on the move.
//!
//! They share nothing else but a few flags, and counters that each thread adds to once in a thousand
//! nodes, so that no thread waits for another. A node limit holds for the sum of all: each thread takes its nodes from it
//! before it searches them.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread::{self, Builder};

use shakmaty::Move;

use crate::evaluation::Variant;
use crate::limits::Limits;
use crate::rules::Game;
use crate::score::Score;
use crate::search::clock::{Clock, Stopwatch};
use crate::search::options::STACK;
use crate::search::report::Silent;
use crate::search::root::{RootMove, RootMoves};
use crate::search::signals::Signals;
use crate::search::tree::worker::{Shared, ThreadMemory, Worker};

/// Search threads for each processor at most.
const THREADS_PER_PROCESSOR: usize = 2;

/// The most threads that a search on this machine has use for. More would only take the processors from the
/// first thread, which then sees the end of its time and a stop too late: with 64 threads on two
/// processors by a tenth of a second, with 1,024 by seconds.
pub fn useful_threads() -> usize {
    let processors = thread::available_parallelism();
    processors.map_or(usize::MAX, |processors| THREADS_PER_PROCESSOR * processors.get())
}

/// The result of one thread.
#[derive(Clone, Debug)]
struct Vote {
    leader: RootMove,
    /// Of the last complete iteration, if the search was stopped before the leader had one in its last.
    score: Score,
    /// Last complete iteration, in plies.
    depth: u32,
}

/// Ends the helpers when the first thread ends, even if that one panics: the scope waits for them.
struct EndHelpers<'a>(&'a Signals);

impl Drop for EndHelpers<'_> {
    fn drop(&mut self) {
        self.0.finish();
    }
}

/// Deepens with `first` on this thread and with a helper for each of `memories`. Returns the depth of the
/// move to play, which leads the root of `first` afterwards.
///
/// The threads are started anew for each search: measured, that takes less than a tenth of a millisecond each.
pub fn deepen<P: Variant>(
    game: &Game<P>,
    first: &mut Worker<P>,
    memories: &mut [ThreadMemory],
) -> u32 {
    let shared = first.shared;
    let variations = shared.options.variations;
    if memories.is_empty() {
        return first.deepen(game, 1, variations);
    }
    // The first thread ends the search; the others only know its depth and its nodes.
    // One clock decides. With one each, the last to read it would hold up the move.
    let Limits { depth, nodes, .. } = *first.limits;
    let limits = Limits { depth, nodes, ..Limits::default() };
    let root = first.root.clone();
    let wanted = memories.len();
    let (depth, votes) = thread::scope(|scope| {
        let mut helpers = Vec::with_capacity(wanted);
        let end = EndHelpers(&shared.signals);
        for (number, memory) in memories.iter_mut().enumerate() {
            // Every other helper is an iteration ahead, so that the table is filled from both.
            let first_depth = 2 - number as u32 % 2;
            let (root, limits) = (root.clone(), &limits);
            let help = move || {
                let search = || help(game, shared, limits, root, memory, first_depth);
                // The search goes on without a helper that panics.
                catch_unwind(AssertUnwindSafe(search)).unwrap_or(None)
            };
            let thread = Builder::new().name("helper".to_string()).stack_size(STACK);
            match thread.spawn_scoped(scope, help) {
                Ok(helper) => helpers.push(helper),
                Err(_) => break,
            }
        }
        if helpers.len() < wanted {
            let granted = helpers.len() + 1;
            let remark = format!("the system grants {granted} of {} threads", wanted + 1);
            first.reporter.remark(&remark);
        }
        let depth = first.deepen(game, 1, variations);
        drop(end);
        let votes = helpers.into_iter().filter_map(|helper| helper.join().ok().flatten());
        (depth, votes.collect())
    });
    // The helpers know one variation; the user has asked for several.
    if variations > 1 {
        return depth;
    }
    elect(game, first, depth, votes)
}

/// The search of one helper, within the depth and the nodes of `limits`.
fn help<P: Variant>(
    game: &Game<P>,
    shared: &Shared<P>,
    limits: &Limits,
    root: RootMoves,
    memory: &mut ThreadMemory,
    first_depth: u32,
) -> Option<Vote> {
    // With more threads than processors a helper may begin when all is over.
    // Its tree would only be thrown away.
    if shared.signals.is_set() {
        return None;
    }
    let stopwatch = Stopwatch::start(Clock::new(&Limits::default(), game.now().turn(), 0));
    let mut reporter = Silent;
    let mut worker = Worker::new(game, shared, limits, root, stopwatch, memory, &mut reporter);
    worker.owes_move = false;
    let depth = worker.deepen(game, first_depth, 1);
    // An unfinished iteration has no vote, but its nodes must be counted.
    worker.all_nodes();
    vote_of(&worker, depth)
}

/// The vote of a thread; `None` if it was stopped in its first iteration.
fn vote_of<P: Variant>(worker: &Worker<P>, depth: u32) -> Option<Vote> {
    let leader = worker.root.leader()?;
    let score = leader.known_score();
    (score > -Score::INFINITE).then(|| Vote { leader: leader.clone(), score, depth })
}

/// Makes the elected move the leader of `first`, and reports it if it is another.
fn elect<P: Variant>(
    game: &Game<P>,
    first: &mut Worker<P>,
    depth: u32,
    mut votes: Vec<Vote>,
) -> u32 {
    let Some(own) = vote_of(first, depth) else { return depth };
    let played = own.leader.m;
    votes.insert(0, own);
    let Vote { leader, depth, .. } = votes.swap_remove(winner(&votes));
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
    let score = |vote: &Vote| vote.score.raw();
    let worst = votes.iter().map(score).min().unwrap_or(0);
    let mut weights: HashMap<Move, i64> = HashMap::new();
    for vote in votes {
        let weight = i64::from(score(vote) - worst + FLOOR) * i64::from(vote.depth);
        *weights.entry(vote.leader.m).or_default() += weight;
    }
    let rank = |vote: &Vote| {
        let mate = if vote.score.is_win() { score(vote) } else { 0 };
        (mate, weights.get(&vote.leader.m).copied().unwrap_or(0), vote.depth)
    };
    // Among equals the first: the thread whose reports the user has read.
    (0..votes.len()).rev().max_by_key(|&n| rank(&votes[n])).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::Evaluation;
    use crate::search::options::Options;
    use crate::search::report::{Bound, Reporter};
    use crate::search::table::TranspositionTable;
    use crate::search::tree::reductions::Reductions;
    use shakmaty::{Chess, Position};
    use std::sync::Arc;

    fn shared() -> Shared<Chess> {
        let options = Options::default();
        Shared {
            evaluator: Evaluation::linear(Default::default()),
            reductions: Reductions::new(&options.parameters),
            options,
            table: TranspositionTable::new(1).unwrap(),
            signals: Arc::default(),
        }
    }

    /// What a test does with the first thread of a search.
    fn with_worker<T>(
        shared: &Shared<Chess>,
        limits: &Limits,
        reporter: &mut dyn Reporter,
        test: impl FnOnce(&Game<Chess>, &mut Worker<Chess>) -> T,
    ) -> T {
        let game = Game::new(Chess::default());
        let stopwatch = Stopwatch::start(Clock::new(limits, game.now().turn(), 0));
        let root = RootMoves::new(game.position().legal_moves());
        let mut memory = ThreadMemory::default();
        let mut worker = Worker::new(&game, shared, limits, root, stopwatch, &mut memory, reporter);
        test(&game, &mut worker)
    }

    #[test]
    fn helpers_search_and_end_with_the_first_thread() {
        for count in [0, 1, 2, 7] {
            let (shared, limits) = (shared(), Limits::depth(6));
            let mut memories: Vec<ThreadMemory> =
                (0..count).map(|_| ThreadMemory::default()).collect();
            let search = |game: &Game<Chess>, first: &mut Worker<Chess>| {
                (deepen(game, first, &mut memories), first.nodes, first.all_nodes())
            };
            let (depth, own, all) = with_worker(&shared, &limits, &mut Silent, search);
            assert!(depth >= 6 && all >= own, "{count}: depth {depth}, {own} of {all} nodes");
            assert!(count > 0 || all == own, "{own} of {all} nodes");
        }
    }

    #[test]
    fn a_first_thread_that_panics_ends_its_helpers() {
        struct Panics;
        impl Reporter for Panics {
            fn variation(&mut self, _: &crate::search::report::Report) {
                panic!("on purpose");
            }
        }
        let (shared, limits) = (shared(), Limits::default());
        let mut memories = [ThreadMemory::default(), ThreadMemory::default()];
        let search =
            |game: &Game<Chess>, first: &mut Worker<Chess>| deepen(game, first, &mut memories);
        let searched =
            catch_unwind(AssertUnwindSafe(|| with_worker(&shared, &limits, &mut Panics, search)));
        assert!(searched.is_err() && shared.signals.is_set());
    }

    /// A thread that is stopped while it searches its first root move anew has seen nothing in that iteration.
    #[test]
    fn a_thread_stopped_in_its_first_move_votes_with_its_last_iteration() {
        let (shared, limits) = (shared(), Limits::depth(5));
        let vote = with_worker(&shared, &limits, &mut Silent, |game, worker| {
            let depth = worker.deepen(game, 1, 1);
            let score = worker.root.leader().unwrap().score;
            worker.root.begin_iteration();
            worker.root.begin_try();
            (vote_of(worker, depth), score)
        });
        let (Some(vote), score) = vote else { panic!("no vote") };
        assert_eq!((vote.score, vote.depth), (score, 5));
    }

    #[test]
    fn a_thread_without_a_complete_iteration_has_no_vote() {
        let (shared, limits) = (shared(), Limits::default());
        let vote = with_worker(&shared, &limits, &mut Silent, |_, worker| vote_of(worker, 0));
        assert!(vote.is_none());
    }

    fn vote(number: usize, score: Score, depth: u32) -> Vote {
        let moves = Chess::default().legal_moves();
        let mut root = RootMoves::new(moves.into_iter().skip(number));
        let m = root.leader().unwrap().m;
        root.record(m, (score, Bound::Exact), 1, 1, Some(&[]));
        Vote { leader: root.leader().unwrap().clone(), score, depth }
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
