//! The tables of the pages that are open: a page in each tab has its own.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use web::stop::Stop;
use web::table;
use web::{Effort, Table};

/// Most tables. Each takes some 30 MB while it thinks.
const MAX_TABLES: usize = 8;
/// Most questions that wait for one table.
const MAX_WAITING: usize = 3;

/// A table with its number.
struct Place {
    number: u64,
    table: Mutex<Table>,
    stop: Stop,
    waiting: AtomicUsize,
}

/// A question that waits for a table, or is answered there: counted until it is dropped, by a panic, too.
struct Waiting<'a>(&'a AtomicUsize);

impl<'a> Waiting<'a> {
    /// One more; `None` if too many wait already.
    fn for_place(place: &'a Place) -> Option<Waiting<'a>> {
        let others = place.waiting.fetch_add(1, Relaxed);
        let waiting = Waiting(&place.waiting);
        (others < MAX_WAITING).then_some(waiting)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Relaxed);
    }
}

/// An answer that says why there is none.
fn error(text: &str) -> String {
    format!("{{\"error\":\"{text}\"}}")
}

/// All tables.
pub struct Tables {
    effort: Effort,
    places: Mutex<Places>,
}

#[derive(Default)]
struct Places {
    /// The one used last is at the end.
    all: Vec<Arc<Place>>,
    /// The server ends: no search may go on, at no table.
    is_over: bool,
}

impl Tables {
    /// No table yet.
    pub fn new(effort: Effort) -> Tables {
        Tables { effort, places: Mutex::default() }
    }

    /// The answer of a table to a question, both in JSON.
    pub fn answer(&self, number: u64, question: &str) -> String {
        if let Some(answer) = table::answer_at_once(question) {
            return answer;
        }
        let Some(place) = self.place(number) else {
            return error("busy: too many boards are open; close one");
        };
        let Some(_waiting) = Waiting::for_place(&place) else {
            return error("busy: this board has questions left to answer; ask again later");
        };
        self.lock(&place).answer(question)
    }

    /// Ends the search of a table.
    pub fn stop(&self, number: u64) {
        self.places().all.iter().filter(|place| place.number == number).for_each(|p| p.stop.stop());
    }

    /// Ends all searches, those of questions that have not reached their table yet, too.
    pub fn end(&self) {
        let mut places = self.places();
        places.is_over = true;
        places.all.iter().for_each(|place| place.stop.stop_for_good());
    }

    fn places(&self) -> MutexGuard<'_, Places> {
        self.places.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The table of this number, in place of the one that was used least if there are too many; `None` if all are
    /// in use.
    fn place(&self, number: u64) -> Option<Arc<Place>> {
        let mut places = self.places();
        let Places { all: places, is_over } = &mut *places;
        let known = places.iter().position(|place| place.number == number);
        let place = match known {
            Some(at) => places.remove(at),
            None => {
                if places.len() >= MAX_TABLES {
                    let idle = places.iter().position(|place| Arc::strong_count(place) == 1)?;
                    places.remove(idle);
                }
                let table = Table::new(self.effort);
                let stop = table.stopper();
                if *is_over {
                    stop.stop_for_good();
                }
                let (table, waiting) = (Mutex::new(table), AtomicUsize::new(0));
                Arc::new(Place { number, table, stop, waiting })
            }
        };
        places.push(Arc::clone(&place));
        Some(place)
    }

    /// The table itself. One whose thread has panicked is cleared.
    fn lock<'a>(&self, place: &'a Place) -> MutexGuard<'a, Table> {
        place.table.lock().unwrap_or_else(|poisoned| {
            place.table.clear_poison();
            let mut table = poisoned.into_inner();
            table.clear();
            table
        })
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;

    /// A question that is read while Ctrl-C is heard has no table yet when all are stopped.
    #[test]
    fn the_end_stops_what_begins_after_it_too() {
        let tables = Tables::new(Effort { threads: 1, nodes: 1000, positions: 1000 });
        let question = |nodes: u32| {
            format!(
                "{{\"ask\":\"evaluate\",\"game\":{{\"rules\":\"chess\"}},\"nodes\":{nodes},\"lang\":\"en\"}}"
            )
        };
        assert!(tables.answer(1, &question(100)).starts_with("{\"ok\""));
        tables.end();
        let started = Instant::now();
        for number in [1, 2] {
            let answer = tables.answer(number, &question(20_000_000));
            assert!(answer.starts_with("{\"ok\""), "{answer}");
        }
        assert!(started.elapsed() < Duration::from_secs(10), "{:?}", started.elapsed());
    }
}
