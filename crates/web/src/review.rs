//! A review that is made bit by bit: each question of the page does some of it, on all threads.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use web_time::{Duration, Instant};

use analysis::analyst::{Analyst, Eval, SEGMENT, parts, scores_of};
use analysis::review::GameReview;
use engine::pgn::Course;
use engine::search::STACK;

/// Time after which an answer judges no further move: the page shows how far the review is. One move may take a second.
const SLICE: Duration = Duration::from_millis(700);

/// A review that is being made.
pub struct ReviewUnderWay {
    course: Course,
    /// One for each thread.
    workers: Vec<Worker>,
    /// The scores so far.
    evals: Vec<Eval>,
    /// The next part to be judged.
    next: AtomicUsize,
    /// The parts that are judged.
    parts: Vec<Option<GameReview>>,
    /// Moves that are judged.
    judged: usize,
}

struct Worker {
    analyst: Box<dyn Analyst>,
    /// The part that it judges.
    part: Option<usize>,
}

/// The number of moves that a worker judged, and the parts that it finished.
type Judged = (usize, Vec<(usize, GameReview)>);

impl ReviewUnderWay {
    /// Begins the review of a game by these analysts, a thread each.
    pub fn new(course: Course, analysts: Vec<Box<dyn Analyst>>) -> ReviewUnderWay {
        let parts = vec![None; parts(&course)];
        let workers = analysts.into_iter().map(|analyst| Worker { analyst, part: None }).collect();
        let (evals, next) = (Vec::new(), AtomicUsize::new(0));
        ReviewUnderWay { course, workers, evals, next, parts, judged: 0 }
    }

    /// Positions that have a score, and all.
    pub fn scored(&self) -> [usize; 2] {
        [self.evals.len(), self.course.moves.len() + 1]
    }

    /// Moves that are judged, and all.
    pub fn judged(&self) -> [usize; 2] {
        [self.judged, self.course.moves.len()]
    }

    /// Scores the next positions; when all have a score, judges some moves. The review after the last one.
    ///
    /// # Errors
    /// A game that cannot be followed, and a thread that the system refuses.
    pub fn go_on(&mut self) -> Result<Option<GameReview>, String> {
        let [scored, all] = self.scored();
        if scored < all { self.score(scored, all) } else { self.judge() }?;
        let is_done = self.parts.iter().all(Option::is_some);
        let parts = if is_done { std::mem::take(&mut self.parts) } else { Vec::new() };
        Ok(GameReview::join(parts.into_iter().flatten(), &self.course))
    }

    /// Scores the next segment on each thread.
    fn score(&mut self, scored: usize, all: usize) -> Result<(), String> {
        let begin = |index: usize| scored + index * SEGMENT;
        let segments = (0..self.workers.len()).map(begin).take_while(|&first| first < all);
        let ranges: Vec<Range<usize>> =
            segments.map(|first| first..all.min(first + SEGMENT)).collect();
        let end = ranges.last().map_or(scored, |range| range.end);
        let course = &self.course;
        let score = |worker: &mut Worker, range| worker.analyst.score(0, course, range);
        let evals = on_threads(&mut self.workers, ranges, score)?;
        self.evals.extend(evals.into_iter().flatten());
        let is_followed = self.evals.len() == end;
        is_followed.then_some(()).ok_or_else(|| "this game cannot be followed".to_string())
    }

    /// Judges moves for a while on each thread.
    fn judge(&mut self) -> Result<(), String> {
        let until = Instant::now() + SLICE;
        let (course, evals) = (&self.course, &self.evals);
        let next = || {
            let part = self.next.fetch_add(1, Ordering::Relaxed);
            (part < self.parts.len()).then_some(part)
        };
        let judge = |worker: &mut Worker, ()| worker.judge(course, evals, &next, until);
        let tasks = vec![(); self.workers.len()];
        for (moves, parts) in on_threads(&mut self.workers, tasks, judge)? {
            self.judged += moves;
            for (part, review) in parts {
                self.parts[part] = Some(review);
            }
        }
        Ok(())
    }
}

impl Worker {
    /// Judges moves until it is time to answer, or none is left.
    fn judge(
        &mut self,
        course: &Course,
        evals: &[Eval],
        next: &dyn Fn() -> Option<usize>,
        until: Instant,
    ) -> Judged {
        let (mut moves, mut parts) = (0, Vec::new());
        while Instant::now() < until {
            let part = match self.part {
                Some(part) => part,
                None => {
                    let Some(part) = next() else { break };
                    let (first, scores) = scores_of(part, evals);
                    self.analyst.begin_review(0, course, first, scores);
                    *self.part.insert(part)
                }
            };
            if self.analyst.judge_next(course) {
                moves += 1;
            } else {
                parts.push((part, self.analyst.finish_review(course)));
                self.part = None;
            }
        }
        (moves, parts)
    }
}

/// Does the tasks, each by a worker on a thread of its own. A browser has one thread, which does one task itself.
fn on_threads<T: Send, R: Send>(
    workers: &mut [Worker],
    tasks: Vec<T>,
    work: impl Fn(&mut Worker, T) -> R + Sync,
) -> Result<Vec<R>, String> {
    if workers.len() == 1 {
        return Ok(workers
            .iter_mut()
            .zip(tasks)
            .map(|(worker, task)| work(worker, task))
            .collect());
    }
    let failed = || "a thread of the review has failed".to_string();
    thread::scope(|scope| {
        let start = |(worker, task)| {
            let work = &work;
            thread::Builder::new().stack_size(STACK).spawn_scoped(scope, move || work(worker, task))
        };
        let threads: Vec<_> = workers.iter_mut().zip(tasks).map(start).collect();
        let joined = threads.into_iter().map(|thread| {
            let thread = thread.map_err(|error| error.to_string())?;
            thread.join().map_err(|_| failed())
        });
        joined.collect()
    })
}
