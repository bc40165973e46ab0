//! Games on all cores: segments of positions are scored, and then parts of the game judged, by whichever thread is
//! free, and the games come out in their order.

use std::collections::VecDeque;
use std::io;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::Duration;

use serde_json::Value as Json;

use analysis::analyst::{Analyst, AnalystOptions, Eval, SEGMENT, analyst, parts, scores_of};
use analysis::annotate::{annotate, copy, note_fault};
use analysis::review::GameReview;
use engine::pgn::{Broken, Course, RawGame};
use engine::remark::Remark;
use engine::rules::RuleSet;
use engine::search::STACK;

/// Games that may be finished before an earlier one is.
const AHEAD: usize = 64;

/// Steps of progress for the judgement of a move; a position's score is one.
pub const JUDGING: usize = 2;

/// Time between two looks at the others.
const PAUSE: Duration = Duration::from_millis(10);

/// A game that is finished.
#[derive(Clone, Debug, Default)]
pub struct Finished {
    /// Its number, from 0.
    pub index: usize,
    /// False for text beside games.
    pub is_game: bool,
    /// The annotated game, as PGN.
    pub text: String,
    /// What was found of it.
    pub review: Option<GameReview>,
    /// The game for a page.
    pub page: Option<Json>,
    /// A reason why it was not analysed, or not to its end.
    pub error: Option<Broken>,
    /// A remark on how the game was read, if there is one.
    pub remark: Option<Remark>,
}

/// The options of a run.
pub struct RunOptions {
    /// Limits and words.
    pub analyst: AnalystOptions,
    /// The limit of each search, in words.
    pub limit: String,
    /// Threads, from 1.
    pub threads: usize,
    /// True if the games are wanted for a page.
    pub pages: bool,
}

/// The steps of progress of a game with so many moves.
pub fn steps(moves: usize) -> usize {
    moves + 1 + JUDGING * moves
}

/// Reads one game after another.
pub type NextGame<'a> = dyn FnMut() -> io::Result<Option<RawGame>> + Send + 'a;

/// A game under way.
struct Job {
    index: usize,
    raw: RawGame,
    course: Result<Course, Broken>,
    /// The scores of the positions, by segment, as far as they are known.
    segments: Mutex<Vec<Option<Vec<Eval>>>>,
    /// The scores of all positions, once they are known.
    evals: OnceLock<Vec<Eval>>,
    /// The parts that are judged so far.
    parts: Mutex<Vec<Option<GameReview>>>,
}

impl Job {
    fn new(index: usize, raw: RawGame) -> Job {
        let mut course = Course::follow(&raw);
        if let Ok(course) = &mut course {
            note_fault(&raw, course);
        }
        let plies = course.as_ref().map_or(0, |course| course.moves.len());
        let segments = if plies == 0 { 0 } else { (plies + 1).div_ceil(SEGMENT) };
        let parts = course.as_ref().map_or(0, parts);
        Job {
            index,
            raw,
            course,
            segments: Mutex::new(vec![None; segments]),
            evals: OnceLock::new(),
            parts: Mutex::new(vec![None; parts]),
        }
    }

    fn segments(&self) -> usize {
        lock(&self.segments).len()
    }

    fn parts(&self) -> usize {
        lock(&self.parts).len()
    }

    /// Stores the scores of a segment. True if all segments are scored now.
    fn store_scores(&self, segment: usize, evals: Vec<Eval>) -> bool {
        let mut segments = lock(&self.segments);
        segments[segment] = Some(evals);
        let is_last = segments.iter().all(Option::is_some);
        if is_last {
            self.evals
                .get_or_init(|| segments.iter_mut().flat_map(Option::take).flatten().collect());
        }
        is_last
    }

    /// Stores the review of a part. Returns that of the whole game if all parts are judged now.
    fn store_review(&self, part: usize, review: GameReview, course: &Course) -> Option<GameReview> {
        let mut parts = lock(&self.parts);
        parts[part] = Some(review);
        let is_last = parts.iter().all(Option::is_some);
        if is_last {
            GameReview::join(parts.iter_mut().flat_map(Option::take), course)
        } else {
            None
        }
    }

    /// The game as it is, with the reason why it could not be analysed.
    fn unread(&self) -> Finished {
        let error = match &self.course {
            Err(error) => Some(error.clone()),
            // What costs no move elsewhere, such as an odd header, has left none here.
            Ok(Course { error: Some(error), .. }) => Some(Broken { is_cut: true, ..error.clone() }),
            Ok(_) => {
                let fault = Remark::new("fault.no-moves", []);
                Some(Broken { line: self.raw.line(), fault, is_cut: true })
            }
        };
        let error = error.filter(|_| !self.raw.is_remark());
        let (index, is_game, text) = (self.index, self.raw.is_game(), copy(&self.raw));
        Finished { index, is_game, text, error, ..Finished::default() }
    }
}

/// The work that is left.
struct Queue<'a> {
    /// The games still to be read …
    next_game: &'a mut NextGame<'a>,
    /// … if there are any, with the number of the next one.
    next_index: Option<usize>,
    /// The game whose segments are being handed out, with the next one.
    current: Option<(Arc<Job>, usize)>,
    /// Games of which not all positions are scored: they will leave parts to judge.
    in_scoring: usize,
    /// Parts of scored games.
    parts: VecDeque<(Arc<Job>, usize)>,
    error: Option<io::Error>,
}

/// A piece of work.
enum Work {
    /// Score the positions of a segment.
    Segment(Arc<Job>, usize),
    /// Judge the moves of a part.
    Part(Arc<Job>, usize),
    /// Nothing to analyse.
    Copy(Arc<Job>),
}

impl Work {
    fn index(&self) -> usize {
        match self {
            Work::Segment(job, _) | Work::Part(job, _) | Work::Copy(job) => job.index,
        }
    }
}

impl<'a> Queue<'a> {
    fn new(next_game: &'a mut NextGame<'a>) -> Queue<'a> {
        Queue {
            next_game,
            next_index: Some(0),
            current: None,
            in_scoring: 0,
            parts: VecDeque::new(),
            error: None,
        }
    }

    /// The next piece of work, of the earliest games first; `None` if there is none now.
    fn next(&mut self) -> Option<Work> {
        if let Some((job, part)) = self.parts.pop_front() {
            return Some(Work::Part(job, part));
        }
        if let Some((job, segment)) = self.current.take() {
            if segment + 1 < job.segments() {
                self.current = Some((Arc::clone(&job), segment + 1));
            }
            return Some(Work::Segment(job, segment));
        }
        let index = self.next_index.take()?;
        let raw = (self.next_game)().unwrap_or_else(|error| {
            self.error = Some(error);
            None
        })?;
        self.next_index = Some(index + 1);
        let job = Arc::new(Job::new(index, raw));
        match job.segments() {
            0 => Some(Work::Copy(job)),
            count => {
                self.in_scoring += 1;
                self.current = (count > 1).then(|| (Arc::clone(&job), 1));
                Some(Work::Segment(job, 0))
            }
        }
    }

    /// Takes in the parts of a game that is scored.
    fn add_parts(&mut self, job: &Arc<Job>) {
        self.in_scoring -= 1;
        self.parts.extend((0..job.parts()).map(|part| (Arc::clone(job), part)));
    }

    /// True if there will be no more work.
    fn is_done(&self) -> bool {
        let is_read = self.next_index.is_none() && self.current.is_none();
        is_read && self.in_scoring == 0 && self.parts.is_empty()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Analyses the games that `next_game` yields. `each` receives them finished, in their order; an error of
/// it ends the run. `advance` is told of the [`steps`] that are done.
///
/// # Errors
/// Unreadable input, a lack of memory or threads, a thread that panics, and the errors of `each`.
pub fn run<'a>(
    next_game: &'a mut NextGame<'a>,
    options: &RunOptions,
    each: &mut dyn FnMut(Finished) -> io::Result<()>,
    advance: &(dyn Fn(usize) + Sync),
) -> io::Result<()> {
    let queue = Mutex::new(Queue::new(next_game));
    let (is_over, written) = (AtomicBool::new(false), AtomicUsize::new(0));
    let (sender, finished) = channel::<io::Result<Finished>>();
    thread::scope(|scope| {
        let start = |_| {
            let (queue, is_over, written) = (&queue, &is_over, &written);
            let sender = sender.clone();
            let work = move || {
                let _ending = EndOnPanic(is_over);
                let mut worker = Worker { options, analyst: None, queue, sender, advance };
                while !is_over.load(Ordering::Relaxed) {
                    let Some(work) = lock(queue).next() else {
                        if lock(queue).is_done() {
                            break;
                        }
                        // The positions that others score now will be judged on all cores.
                        thread::sleep(PAUSE);
                        continue;
                    };
                    let is_ahead = || work.index() > written.load(Ordering::Relaxed) + AHEAD;
                    // A game that takes long must not let all others pile up behind it.
                    while is_ahead() && !is_over.load(Ordering::Relaxed) {
                        thread::sleep(PAUSE);
                    }
                    worker.work(work);
                }
            };
            thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work)
        };
        // As many threads as the system grants; without any there is no analysis.
        let mut workers = vec![start(0)?];
        workers.extend((1..options.threads).map_while(|number| start(number).ok()));
        drop(sender);
        let mut waiting: Vec<Finished> = Vec::new();
        let mut next = 0;
        let mut result = Ok(());
        for game in finished {
            match game {
                Err(error) => result = Err(error),
                Ok(game) => waiting.push(game),
            }
            while let Some(at) = waiting.iter().position(|game| game.index == next)
                && result.is_ok()
            {
                result = each(waiting.swap_remove(at));
                next += 1;
                written.store(next, Ordering::Relaxed);
            }
            if result.is_err() {
                is_over.store(true, Ordering::Relaxed);
            }
        }
        // Without the game that a panic has cut off, the rest would be an output with a gap.
        let panics = workers.into_iter().filter_map(|worker| worker.join().err()).count();
        let failed = || io::Error::other("a thread of the analysis has failed, as said above");
        result.and(if panics == 0 { Ok(()) } else { Err(failed()) })
    })?;
    let queue = queue.into_inner().unwrap_or_else(PoisonError::into_inner);
    queue.error.map_or(Ok(()), Err)
}

/// Ends the run if its thread panics: the others wait for the game that it had.
struct EndOnPanic<'a>(&'a AtomicBool);

impl Drop for EndOnPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.store(true, Ordering::Relaxed);
        }
    }
}

/// One thread of a run.
struct Worker<'a, 'q> {
    options: &'a RunOptions,
    /// The analyst of the rule set met last.
    analyst: Option<(RuleSet, Box<dyn Analyst>)>,
    queue: &'a Mutex<Queue<'q>>,
    sender: Sender<io::Result<Finished>>,
    advance: &'a (dyn Fn(usize) + Sync),
}

impl Worker<'_, '_> {
    fn work(&mut self, work: Work) {
        let result = match work {
            Work::Copy(job) => Some(Ok(job.unread())),
            Work::Segment(job, segment) => self.score(&job, segment).err().map(Err),
            Work::Part(job, part) => self.judge(&job, part).transpose(),
        };
        if let Some(result) = result {
            // Without a receiver the run is over.
            let _ = self.sender.send(result);
        }
    }

    /// Scores a segment. After the last one of a game its moves can be judged.
    fn score(&mut self, job: &Arc<Job>, segment: usize) -> io::Result<()> {
        let Ok(course) = &job.course else { return Ok(()) };
        let positions = course.moves.len() + 1;
        let range: Range<usize> = segment * SEGMENT..((segment + 1) * SEGMENT).min(positions);
        let count = range.len();
        let evals = self.analyst(course.rule_set)?.score(job.index, course, range);
        if job.store_scores(segment, evals) {
            lock(self.queue).add_parts(job);
        }
        (self.advance)(count);
        Ok(())
    }

    /// Judges a part. Returns the game if that was its last one.
    fn judge(&mut self, job: &Job, part: usize) -> io::Result<Option<Finished>> {
        let Ok(course) = &job.course else { return Ok(None) };
        let (first, evals) = scores_of(part, job.evals.get().map_or(&[], Vec::as_slice));
        let advance = self.advance;
        let analyst = self.analyst(course.rule_set)?;
        let review = analyst.review(job.index, course, first, evals, &|| advance(JUDGING));
        let whole = job.store_review(part, review, course);
        Ok(whole.map(|review| self.finish(job, course, review)))
    }

    fn finish(&self, job: &Job, course: &Course, review: GameReview) -> Finished {
        let RunOptions { analyst, limit, pages, .. } = self.options;
        let text = annotate(&job.raw, course, &review, &analyst.texts, limit);
        let page = pages.then(|| {
            let mut page = review.json();
            page["tags"] =
                job.raw.tags.iter().map(|(name, value)| [name.as_str(), value]).collect();
            page
        });
        let (error, remark) = (course.error.clone(), job.raw.remark());
        Finished {
            index: job.index,
            is_game: true,
            text,
            review: Some(review),
            page,
            error,
            remark,
        }
    }

    fn analyst(&mut self, rule_set: RuleSet) -> io::Result<&mut dyn Analyst> {
        if self.analyst.as_ref().is_none_or(|(known, _)| *known != rule_set) {
            self.analyst = None;
            let made = analyst(rule_set, &self.options.analyst);
            self.analyst = Some((rule_set, made.map_err(io::Error::other)?));
        }
        match &mut self.analyst {
            Some((_, analyst)) => Ok(&mut **analyst),
            None => Err(io::Error::other("no analyst")),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::RecvTimeoutError;

    use analysis::texts::{self, Lang};
    use engine::limits::Limits;
    use engine::settings::{EvaluatorChoice, Settings};

    use super::*;

    fn options(threads: usize) -> RunOptions {
        let settings = Settings { evaluation: EvaluatorChoice::Linear, ..Settings::default() };
        let analyst = AnalystOptions {
            limits: Limits::depth(1),
            hash_mb: 1,
            texts: Arc::new(texts::of(Lang::En)),
            settings,
            reasons: false,
            exercises: false,
        };
        RunOptions { analyst, limit: String::new(), threads, pages: false }
    }

    #[test]
    fn every_step_of_a_game_is_told() {
        let mut games = ["1. e4 e5 2. Nf3 *", "1. d4 *"].map(RawGame::parse).into_iter();
        let told = AtomicUsize::new(0);
        let advance = |count| {
            told.fetch_add(count, Ordering::Relaxed);
        };
        run(&mut || Ok(games.next()), &options(2), &mut |_| Ok(()), &advance).unwrap();
        assert_eq!(told.into_inner(), steps(3) + steps(1));
    }

    /// More games than may be finished before an earlier one, so that all threads come to wait for it.
    #[test]
    fn a_thread_that_panics_ends_the_run_with_an_error() {
        let (sender, end) = channel();
        thread::spawn(move || {
            let mut left = 4 * AHEAD;
            let mut next = || {
                left -= 1;
                Ok((left > 0).then(|| RawGame::parse("1. e4 e5 *")))
            };
            let scored = AtomicUsize::new(0);
            let panic_once = |_| {
                assert!(scored.fetch_add(1, Ordering::Relaxed) != 3, "a panic on purpose");
            };
            let result = run(&mut next, &options(3), &mut |_| Ok(()), &panic_once);
            let _ = sender.send(result.is_err());
        });
        match end.recv_timeout(Duration::from_secs(60)) {
            Ok(is_error) => assert!(is_error, "the run has a gap and says nothing"),
            Err(RecvTimeoutError::Timeout) => panic!("the run hangs"),
            Err(RecvTimeoutError::Disconnected) => panic!("the run panics itself"),
        }
    }
}
