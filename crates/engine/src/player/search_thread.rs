//! The search thread of a player: it takes a searcher with a task and returns the searcher.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use super::Listener;
use crate::evaluation::Variant;
use crate::limits::Limits;
use crate::play::Mind;
use crate::play::pace::Pace;
use crate::rules::Game;
use crate::score::Score;
use crate::search::report::Outcome;
use crate::search::{STACK, Searcher};

/// Holds an outcome back until it may be delivered.
#[derive(Default)]
pub struct Latch {
    open: Mutex<bool>,
    opened: Condvar,
}

impl Latch {
    /// Lets the outcome pass.
    pub fn open(&self) {
        *self.open.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.opened.notify_all();
    }

    fn pass(&self) {
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        drop(self.opened.wait_while(open, |open| !*open).unwrap_or_else(PoisonError::into_inner));
    }

    /// Passes when the latch opens, but after `time` in any case.
    fn pass_within(&self, time: Duration) {
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.opened.wait_timeout_while(open, time, |open| !*open);
        drop(waited.unwrap_or_else(PoisonError::into_inner));
    }
}

/// One search, from the game to the outcome.
pub struct SearchTask<P: Variant> {
    /// The searcher. It is returned after the outcome has been delivered.
    pub searcher: Searcher<P>,
    /// The game so far.
    pub game: Game<P>,
    /// The limits.
    pub limits: Limits,
    /// Who plays.
    pub mind: Mind<P>,
    /// The time that the player takes, if it is a person's: nothing else holds the outcome back then.
    pub pace: Option<Pace<P>>,
    /// Holds the outcome back.
    pub latch: Arc<Latch>,
    /// Receives reports and outcome.
    pub listener: Box<dyn Listener>,
}

impl<P: Variant> SearchTask<P> {
    /// Searches, waits until the outcome may be delivered, and delivers it. A search that panics is
    /// answered with the first legal move: a bad move loses less than no move.
    pub fn run(self) -> Searcher<P> {
        let SearchTask { mut searcher, game, limits, mut mind, pace, latch, mut listener } = self;
        let searched = catch_unwind(AssertUnwindSafe(|| {
            mind.think(&mut searcher, &game, &limits, &mut *listener)
        }));
        let mut outcome = searched.unwrap_or_else(|_| {
            listener.remark("the search failed: this is an error of the engine, please report it");
            searcher.new_game();
            let best = game.position().legal_moves().first().copied();
            Outcome::unsearched(best, Score::DRAW)
        });
        if outcome.best.is_none_or(|best| ends_game(&game, best)) {
            outcome.ponder = None;
        }
        match pace {
            None => latch.pass(),
            Some(mut pace) => {
                let elapsed = limits.started.map_or(Duration::ZERO, |started| started.elapsed());
                latch.pass_within(pace.time(&game, &limits).saturating_sub(elapsed));
            }
        }
        listener.finished(&outcome);
        searcher
    }
}

/// True if the game ends with the move `m`: no reply to ponder on.
fn ends_game<P: Variant>(game: &Game<P>, m: shakmaty::Move) -> bool {
    let mut after = game.clone();
    after.play(m);
    after.position().is_game_over() || after.draw_reason().is_some()
}

/// What passes between the owner of a thread and the thread, a value at a time. The channels tell of it without
/// carrying it: a channel is much code, which would be compiled for every rule set.
type Slot<T> = Arc<Mutex<Option<T>>>;

/// A thread that runs tasks one after another. It ends when its owner drops it.
pub struct SearchThread<P: Variant> {
    task: Slot<SearchTask<P>>,
    searcher: Slot<Searcher<P>>,
    /// Tells the thread that there is a task.
    begin: Sender<()>,
    /// Tells the owner that the searcher is back.
    done: Receiver<()>,
}

impl<P: Variant> SearchThread<P> {
    /// Starts the thread; `None` if the system does not grant one.
    pub fn start() -> Option<SearchThread<P>> {
        let (begin, begun) = channel();
        let (finished, done) = channel();
        let task: Slot<SearchTask<P>> = Slot::default();
        let searcher = Slot::default();
        let (todo, returned) = (task.clone(), searcher.clone());
        let run = move || {
            for () in begun {
                if let Some(task) = take(&todo) {
                    put(&returned, task.run());
                }
                if finished.send(()).is_err() {
                    return;
                }
            }
        };
        let thread = thread::Builder::new().name("search".to_string()).stack_size(STACK).spawn(run);
        thread.ok().map(|_| SearchThread { task, searcher, begin, done })
    }

    /// Hands over a task. Returns it if the thread has died.
    pub fn send(&self, task: SearchTask<P>) -> Option<SearchTask<P>> {
        put(&self.task, task);
        self.begin.send(()).err().and_then(|_| take(&self.task))
    }

    /// Waits for the searcher of the last task; `None` if the thread has died with it.
    pub fn wait(&self) -> Option<Searcher<P>> {
        self.done.recv().ok().and_then(|()| take(&self.searcher))
    }
}

fn put<T>(slot: &Slot<T>, value: T) {
    *slot.lock().unwrap_or_else(PoisonError::into_inner) = Some(value);
}

fn take<T>(slot: &Slot<T>) -> Option<T> {
    slot.lock().unwrap_or_else(PoisonError::into_inner).take()
}
