//! Lazy SMP: all threads search the same root, each for itself, and help one another through the
//! transposition table alone. At the end they vote on the move.
//!
//! They share nothing else but a few flags and a counter that each thread adds to once in a thousand
//! nodes, so that no thread waits for another. The helpers are started once and wait for tasks. A search
//! never waits for a helper that has not begun: it takes the task back.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use shakmaty::Move;

use super::deepening::Goal;
use crate::evaluation::{Evaluation, Variant};
use crate::limits::Limits;
use crate::rules::Game;
use crate::score::Score;
use crate::search::clock::{Clock, Stopwatch};
use crate::search::ordering::history::History;
use crate::search::report::Silent;
use crate::search::root::{RootMove, RootMoves};
use crate::search::signals::Signals;
use crate::search::table::TranspositionTable;
use crate::search::tree::reductions::Reductions;
use crate::search::tree::worker::{Assignment, Worker, WorkerParts};
use crate::search::{Options, STACK};

/// Search threads for each processor at most.
const THREADS_PER_PROCESSOR: usize = 2;

/// The most threads that a search on this machine has use for. More would only take the processors from the
/// first thread, which then sees the end of its time and a stop too late: with 64 threads on two
/// processors by a tenth of a second, with 1,024 by seconds.
pub fn useful_threads() -> usize {
    let processors = thread::available_parallelism();
    processors.map_or(usize::MAX, |processors| THREADS_PER_PROCESSOR * processors.get())
}

/// The parts of a searcher that all its threads own together.
pub struct Context<P> {
    /// The evaluator.
    pub evaluator: Arc<Evaluation<P>>,
    /// The options, the tunable parameters and endgame tables among them.
    pub options: Arc<Options>,
    /// The reductions by these parameters.
    pub reductions: Arc<Reductions>,
    /// The transposition table.
    pub table: Arc<TranspositionTable>,
    /// Flags and counters of the current search.
    pub signals: Arc<Signals>,
}

impl<P> Clone for Context<P> {
    fn clone(&self) -> Context<P> {
        Context {
            evaluator: Arc::clone(&self.evaluator),
            options: Arc::clone(&self.options),
            reductions: Arc::clone(&self.reductions),
            table: Arc::clone(&self.table),
            signals: Arc::clone(&self.signals),
        }
    }
}

impl<P> Context<P> {
    /// The parts as a worker uses them. `probes`: with the endgame tables.
    pub fn parts(&self, probes: bool) -> WorkerParts<'_, P> {
        WorkerParts {
            table: &self.table,
            signals: &self.signals,
            evaluator: &self.evaluator,
            parameters: &self.options.parameters,
            reductions: &self.reductions,
            endgames: self.options.endgames.as_ref().filter(|_| probes),
        }
    }
}

/// The result of one thread.
#[derive(Clone, Debug)]
struct Vote {
    leader: RootMove,
    /// Last complete iteration, in plies.
    depth: u32,
}

/// The search of one helper.
struct HelperTask<P> {
    game: Game<P>,
    goal: Goal,
    root: RootMoves,
    context: Context<P>,
    probes: bool,
    /// A helper whose history belongs to an earlier game begins with an empty one.
    game_number: u64,
}

/// A message for a helper.
enum Order<P> {
    Search(Box<HelperTask<P>>),
    Leave,
}

/// The place where a helper finds its next order.
struct Desk<P> {
    order: Mutex<Option<Order<P>>>,
    filled: Condvar,
}

impl<P> Desk<P> {
    fn lock(&self) -> MutexGuard<'_, Option<Order<P>>> {
        self.order.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn put(&self, order: Order<P>) {
        *self.lock() = Some(order);
        self.filled.notify_one();
    }

    /// Takes the order back; `None` if the helper has begun.
    fn take_back(&self) -> Option<Order<P>> {
        self.lock().take()
    }

    fn wait_for_order(&self) -> Option<Order<P>> {
        let order = self.filled.wait_while(self.lock(), |order| order.is_none());
        order.unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// Helper threads that wait for tasks. They end with it.
pub struct Helpers<P: Variant> {
    desks: Vec<Arc<Desk<P>>>,
    votes: Receiver<Option<Vote>>,
    ballot: Sender<Option<Vote>>,
    game_number: u64,
}

impl<P: Variant> Helpers<P> {
    /// No helpers yet.
    pub fn new() -> Helpers<P> {
        let (ballot, votes) = channel();
        Helpers { desks: Vec::new(), votes, ballot, game_number: 0 }
    }

    /// Starts helpers until there are `count`, and dismisses those beyond. Returns their number, which is
    /// smaller where the system grants no more threads.
    pub fn provide(&mut self, count: usize) -> usize {
        for desk in self.desks.drain(count.min(self.desks.len())..) {
            desk.put(Order::Leave);
        }
        while self.desks.len() < count {
            let desk = Arc::new(Desk { order: Mutex::new(None), filled: Condvar::new() });
            let (own, ballot) = (Arc::clone(&desk), self.ballot.clone());
            let thread = thread::Builder::new().name("helper".to_string()).stack_size(STACK);
            if thread.spawn(move || work(&own, &ballot)).is_err() {
                break;
            }
            self.desks.push(desk);
        }
        self.desks.len()
    }

    /// The first `count` helpers.
    pub fn first(&self, count: usize) -> Crew<'_, P> {
        let desks = self.desks.get(..count).unwrap_or(&self.desks);
        Crew { desks, votes: &self.votes, game_number: self.game_number }
    }

    /// Lets the helpers forget what they learned in earlier searches.
    pub fn forget(&mut self) {
        self.game_number += 1;
    }
}

impl<P: Variant> Drop for Helpers<P> {
    fn drop(&mut self) {
        self.provide(0);
    }
}

/// The life of a helper.
fn work<P: Variant>(desk: &Desk<P>, ballot: &Sender<Option<Vote>>) {
    let mut history = History::default();
    let mut game_number = 0;
    while let Some(Order::Search(task)) = desk.wait_for_order() {
        if task.game_number != game_number {
            (history, game_number) = (History::default(), task.game_number);
        }
        // The search goes on without a helper that panics.
        let vote = catch_unwind(AssertUnwindSafe(|| help(&task, &mut history))).unwrap_or(None);
        // The searcher counts on being the only owner of its parts between two searches.
        drop(task);
        if ballot.send(vote).is_err() {
            return;
        }
    }
}

/// The helpers of one search.
pub struct Crew<'a, P> {
    desks: &'a [Arc<Desk<P>>],
    votes: &'a Receiver<Option<Vote>>,
    game_number: u64,
}

/// Ends the helpers with the first thread, even if that one panics.
struct Finish<'a, P> {
    crew: &'a Crew<'a, P>,
    signals: &'a Signals,
}

impl<P> Finish<'_, P> {
    /// Ends the helpers. Returns the votes of those that have begun.
    fn votes(&self) -> Vec<Vote> {
        self.signals.finish();
        let have_begun = self.crew.desks.iter().filter(|desk| desk.take_back().is_none()).count();
        self.crew.votes.iter().take(have_begun).flatten().collect()
    }
}

impl<P> Drop for Finish<'_, P> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.votes();
        }
    }
}

/// Deepens with `first` on this thread and with all helpers of `crew`. Returns the depth of the move to
/// play, which leads the root of `first` afterwards.
pub fn deepen<P: Variant>(
    game: &Game<P>,
    goal: &Goal,
    first: &mut Worker<P>,
    crew: Crew<P>,
    context: &Context<P>,
) -> u32 {
    if crew.desks.is_empty() {
        return first.deepen(game, goal);
    }
    let finish = Finish { crew: &crew, signals: &context.signals };
    for (number, desk) in crew.desks.iter().enumerate() {
        // Every other helper is an iteration ahead, so that the table is filled from both.
        let first_depth = goal.first_depth + 1 - number as u32 % 2;
        desk.put(Order::Search(Box::new(HelperTask {
            game: game.clone(),
            goal: Goal { first_depth, mate: None, variations: 1, ..*goal },
            root: first.root.clone(),
            context: context.clone(),
            probes: first.parts.endgames.is_some(),
            game_number: crew.game_number,
        })));
    }
    let depth = first.deepen(game, goal);
    let votes = finish.votes();
    if goal.variations > 1 {
        return depth;
    }
    elect(game, first, depth, votes)
}

/// The search of one helper: as long as that of the first thread, without limits of its own.
fn help<P: Variant>(task: &HelperTask<P>, history: &mut History) -> Option<Vote> {
    let HelperTask { game, goal, root, context, probes, .. } = task;
    let stopwatch = Stopwatch::start(Clock::new(&Limits::default(), game.now().turn(), 0));
    let assignment = Assignment { root: root.clone(), stopwatch, node_limit: None, cap: None };
    let mut reporter = Silent;
    let parts = context.parts(*probes);
    let mut worker = Worker::new(game, parts, history, &mut reporter, assignment);
    let depth = worker.deepen(game, goal);
    // An unfinished iteration has no vote, but its nodes must be counted.
    worker.all_nodes();
    vote_of(&worker, depth)
}

fn vote_of<P: Variant>(worker: &Worker<P>, depth: u32) -> Option<Vote> {
    let leader = worker.root.leader()?;
    (leader.score > -Score::INFINITE).then(|| Vote { leader: leader.clone(), depth })
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

    fn context() -> Context<Chess> {
        let options = Options::default();
        Context {
            evaluator: Arc::default(),
            reductions: Arc::new(Reductions::new(&options.parameters)),
            options: Arc::new(options),
            table: Arc::new(TranspositionTable::new(1).unwrap()),
            signals: Arc::default(),
        }
    }

    /// The depth that a search to depth 3 reaches with this crew.
    fn search(crew: Crew<Chess>, context: &Context<Chess>) -> u32 {
        let game = Game::new(Chess::default());
        let stopwatch = Stopwatch::start(Clock::new(&Limits::default(), game.now().turn(), 0));
        let root = RootMoves::new(game.position().legal_moves());
        let assignment = Assignment { root, stopwatch, node_limit: None, cap: None };
        let (mut history, mut reporter) = (History::default(), Silent);
        let parts = context.parts(true);
        let mut first = Worker::new(&game, parts, &mut history, &mut reporter, assignment);
        let goal = Goal { first_depth: 1, depth: 3, plan: None, mate: None, variations: 1 };
        deepen(&game, &goal, &mut first, crew, context)
    }

    #[test]
    fn nobody_waits_for_a_helper_that_has_not_begun() {
        let desk = || Arc::new(Desk { order: Mutex::new(None), filled: Condvar::new() });
        let (desks, (_ballot, votes), mut context) = ([desk(), desk()], channel(), context());
        let crew = Crew { desks: &desks, votes: &votes, game_number: 0 };
        assert_eq!(search(crew, &context), 3);
        assert!(desks.iter().all(|desk| desk.take_back().is_none()));
        assert!(Arc::get_mut(&mut context.table).is_some());
    }

    #[test]
    fn helpers_come_and_go_and_keep_nothing_after_a_search() {
        let mut helpers = Helpers::new();
        for count in [3, 1, 2, 0] {
            assert_eq!(helpers.provide(count), count);
            let mut context = context();
            assert!(search(helpers.first(count), &context) >= 3);
            assert!(Arc::get_mut(&mut context.table).is_some(), "{count}");
        }
    }

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
