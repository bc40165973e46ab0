//! The shared transposition table (TT).
//!
//! Shared between threads without locks, and in safe Rust. A cluster of 32 bytes holds three entries of one word each,
//! and in a fourth word a check of 21 bits for each of them: so 10⅔ bytes an entry, and one position in 700,000 is taken
//! for another. The check mixes the position's key with the entry's own bits (after Hyatt and Mann, "A lock-less
//! transposition table implementation for parallel search", ICGA Journal 25(1), 2002): a torn write fails it and reads as
//! a miss. `unsafe` are only two hints, to the processor and to the system, because nothing costs a search more waiting
//! time than this memory. The only other `unsafe` in the engine calls the network's loops for an instruction set.
//!
//! A new table is memory that the system hands out zeroed, page by page as it is touched. So a table of any
//! size is there at once, and one that is never filled costs nothing.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

use bytemuck::Zeroable;

use super::report::Bound;
use crate::rules::MoveCode;
use crate::score::Score;

/// Entries of a cluster: a position may be stored in any of them.
const CLUSTER: usize = 3;
/// Bytes of a cluster, half a cache line.
const CLUSTER_BYTES: usize = 32;
/// Bits of a check.
const CHECK_BITS: usize = 21;
/// Least size of a table that is emptied by taking fresh memory, in MiB. A smaller one is faster to overwrite.
const FRESH_MB: usize = 64;
/// Ages are counted modulo this.
const AGES: u8 = 64;
/// Plies of depth that one search of age outweighs when an entry must go.
const AGE_WEIGHT: i32 = 4;

/// The table's knowledge of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The best or refuting move; [`MoveCode::NONE`] if none is known.
    pub code: MoveCode,
    /// The score, for the side to move.
    pub score: Score,
    /// The evaluator's own score; [`Score::NONE`] in check.
    pub raw_eval: Score,
    /// Depth of the search behind the score, in plies.
    pub depth: i32,
    /// The kind of the score: exact or a bound.
    pub bound: Bound,
    /// The position is or was on a PV.
    pub pv: bool,
}

impl Entry {
    /// True if the value settles a search of the window (`alpha`, `beta`).
    #[inline]
    pub fn settles(&self, alpha: Score, beta: Score) -> bool {
        self.bound.settles(self.score, alpha, beta)
    }
}

/// Half of a cluster. Its alignment is the greatest for which the standard library takes zeroed pages from the system.
#[repr(align(16))]
#[derive(Default, Zeroable)]
struct Half(AtomicU64, AtomicU64);

/// Three entries, and their checks in one word. Two threads that store in the same cluster at once may lose the check of
/// one: its entry then reads as a miss.
#[derive(Clone, Copy)]
struct Cluster<'a>(&'a [Half; 2]);

impl<'a> Cluster<'a> {
    /// The word of entry `n`.
    #[inline]
    fn data(self, n: usize) -> &'a AtomicU64 {
        let [Half(first, second), Half(third, _)] = self.0;
        [first, second, third][n]
    }

    /// The word of the checks.
    #[inline]
    fn checks(self) -> &'a AtomicU64 {
        &self.0[1].1
    }

    /// The entry of the position with this key: its number and its bits.
    #[inline]
    fn find(self, key: u64) -> Option<(usize, Packed)> {
        let checks = self.checks().load(Relaxed);
        (0..CLUSTER).map(|n| (n, Packed(self.data(n).load(Relaxed)))).find(|&(n, data)| {
            let check = checks >> (n * CHECK_BITS);
            data.is_used() && (check ^ data.check(key)) & CHECK_MASK == 0
        })
    }

    /// Stores entry `n` of the position with this key. A reader between the two stores sees words that do not fit, which
    /// is a miss.
    #[inline]
    fn set(self, n: usize, key: u64, data: Packed) {
        let shift = n * CHECK_BITS;
        let others = self.checks().load(Relaxed) & !(CHECK_MASK << shift);
        self.checks().store(others | data.check(key) << shift, Relaxed);
        self.data(n).store(data.0, Relaxed);
    }
}

/// The system does not grant the memory for a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("no memory for a table of {megabytes} MB; choose a smaller Hash")]
pub struct OutOfMemoryError {
    /// The size asked for, in mebibytes.
    pub megabytes: usize,
}

/// The table.
pub struct TranspositionTable {
    /// The clusters, and half a one more, so that none lies in two cache lines.
    halves: Vec<Half>,
    /// The first half of the first cluster.
    first: usize,
    megabytes: usize,
    age: AtomicU8,
}

impl TranspositionTable {
    /// A table of `megabytes` MiB, at least one cluster.
    ///
    /// # Errors
    /// [`OutOfMemoryError`] if the system does not grant the memory.
    pub fn new(megabytes: usize) -> Result<TranspositionTable, OutOfMemoryError> {
        let count = (megabytes.saturating_mul(1 << 20) / CLUSTER_BYTES).max(1) * 2;
        let mut halves: Vec<Half> = bytemuck::allocation::try_zeroed_vec(count + 1)
            .map_err(|()| OutOfMemoryError { megabytes })?;
        ask_for_huge_pages(&mut halves);
        let first = halves.as_ptr().align_offset(CLUSTER_BYTES).min(1);
        halves.truncate(first + count);
        Ok(TranspositionTable { halves, first, megabytes, age: AtomicU8::new(0) })
    }

    /// Changes the size to `megabytes` MiB, at least one cluster, and empties the table. If there is memory
    /// for the difference only, the old memory is given back first.
    ///
    /// # Errors
    /// [`OutOfMemoryError`] if the system does not grant the memory. The table stays as it was.
    pub fn resize(&mut self, megabytes: usize) -> Result<(), OutOfMemoryError> {
        if let Ok(table) = TranspositionTable::new(megabytes) {
            *self = table;
            return Ok(());
        }
        let before = self.megabytes;
        let difference = TranspositionTable::new(megabytes.saturating_sub(before));
        drop(difference.map_err(|_| OutOfMemoryError { megabytes })?);
        *self = TranspositionTable::new(0)?;
        let resized = TranspositionTable::new(megabytes);
        let error = resized.as_ref().err().copied();
        // Another program may have taken the memory meanwhile: with nothing left the smallest table goes on.
        let before = || TranspositionTable::new(before);
        *self = resized.or_else(|_| before()).or_else(|_| TranspositionTable::new(0))?;
        error.map_or(Ok(()), Err)
    }

    /// The requested size, in MiB.
    pub fn megabytes(&self) -> usize {
        self.megabytes
    }

    /// Empties the table.
    pub fn clear(&mut self) {
        let fresh = (self.megabytes >= FRESH_MB).then(|| TranspositionTable::new(self.megabytes));
        match fresh {
            Some(Ok(table)) => *self = table,
            _ => self.halves.fill_with(Half::default),
        }
        self.age.store(0, Relaxed);
    }

    /// Begins a new search: earlier entries now count as older.
    pub fn new_search(&self) {
        self.age.store((self.age.load(Relaxed) + 1) % AGES, Relaxed);
    }

    /// Share of the table that the present search has filled, per mille, from a sample.
    pub fn hashfull(&self) -> u32 {
        let age = self.age.load(Relaxed);
        let sample = self.clusters().iter().take(1000 / CLUSTER).map(Cluster);
        let entries = sample.flat_map(|cluster| (0..CLUSTER).map(move |n| cluster.data(n)));
        let (used, all) = entries.fold((0, 0), |(used, all), data| {
            let data = Packed(data.load(Relaxed));
            (used + u32::from(data.is_used() && data.age() == age), all + 1)
        });
        used * 1000 / all
    }

    /// The entry of the position with this key, for a node `ply` plies from the root.
    #[inline]
    pub fn probe(&self, key: u64, ply: usize) -> Option<Entry> {
        self.cluster(key).find(key).map(|(_, data)| data.unpack(ply))
    }

    /// Prefetches the entry of the position with this key: a sixth of a search's time was spent waiting for
    /// it. Six to eight per cent more nodes per second for one line of `unsafe`. An ordinary load gains
    /// nothing, because it blocks the instructions after it. Does nothing on other processors.
    #[inline]
    #[cfg_attr(not(target_arch = "x86_64"), expect(unused_variables))]
    #[allow(unsafe_code)]
    pub fn prefetch(&self, key: u64) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let address = std::ptr::from_ref(self.cluster(key).0).cast();
            // SAFETY: a prefetch is a hint. It reads nothing into the program and never faults,
            // and the address is that of a living cluster anyway.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(address) }
        }
    }

    /// Stores the result of a position `ply` plies from the root. A known move is kept if the new entry has
    /// none.
    #[inline]
    pub fn store(&self, key: u64, ply: usize, mut entry: Entry) {
        let age = self.age.load(Relaxed);
        let cluster = self.cluster(key);
        let place = match cluster.find(key) {
            Some((n, known)) => {
                // A fail-low has no move to tell; the one of an earlier search is still the best guess.
                if entry.code == MoveCode::NONE {
                    entry.code = known.code();
                }
                let outdated = known.age() != age;
                // A much shallower bound of the same search would cost more to lose than it tells.
                // The new move may be the better one all the same: that of the deep search has just been refuted.
                if !outdated && entry.bound != Bound::Exact && entry.depth + 3 < known.depth() {
                    if entry.code != known.code() {
                        let kept = Entry { code: entry.code, ..known.unpack(ply) };
                        cluster.set(n, key, Packed::pack(&kept, ply, age));
                    }
                    return;
                }
                n
            }
            // No entry has the position: the one that is missed least goes.
            None => {
                let worth = |&n: &usize| Packed(cluster.data(n).load(Relaxed)).worth(age);
                (0..CLUSTER).min_by_key(worth).unwrap_or(0)
            }
        };
        cluster.set(place, key, Packed::pack(&entry, ply, age));
    }

    /// The high half of key × size spreads the keys evenly over any size.
    #[inline]
    fn cluster(&self, key: u64) -> Cluster<'_> {
        let clusters = self.clusters();
        // A multiplication takes any size of table; a remainder would take a division, a mask a power of two.
        let index = (u128::from(key) * clusters.len() as u128) >> 64;
        Cluster(&clusters[index as usize])
    }

    #[inline]
    fn clusters(&self) -> &[[Half; 2]] {
        self.halves[self.first..].as_chunks().0
    }
}

/// Asks Linux for pages of 2 MiB, which speed up accesses to a big table: 16 per cent more nodes per second
/// with 256 MiB, 21 with 1 GiB. Where they are not granted, and on other systems, small pages serve as
/// well, only more slowly.
#[cfg_attr(not(target_os = "linux"), expect(unused_variables))]
#[allow(unsafe_code)]
fn ask_for_huge_pages(memory: &mut [Half]) {
    #[cfg(target_os = "linux")]
    {
        const HUGE: usize = 2 << 20;
        let start = memory.as_mut_ptr().cast::<u8>();
        let skipped = start.align_offset(HUGE);
        let pages = size_of_val(memory).saturating_sub(skipped) / HUGE;
        if pages > 0 {
            // SAFETY: the range lies within `memory`, and the advice does not change its contents.
            unsafe {
                let from = start.add(skipped).cast();
                libc::madvise(from, pages * HUGE, libc::MADV_HUGEPAGE);
            }
        }
    }
}

/// Greatest depth that an entry holds, in plies; one beyond it counts as this much.
const DEPTH_MAX: i32 = 127;

/// The bits of one check.
const CHECK_MASK: u64 = (1 << CHECK_BITS) - 1;

/// An entry in one word: move 16 bits, score 16, evaluation 16, depth 7, PV 1, bound 2, age 6.
#[derive(Clone, Copy)]
struct Packed(u64);

impl Packed {
    #[inline]
    fn pack(entry: &Entry, ply: usize, age: u8) -> Packed {
        let bound = match entry.bound {
            Bound::Exact => 1,
            Bound::Lower => 2,
            Bound::Upper => 3,
        };
        Packed(
            u64::from(entry.code.0)
                | u64::from(entry.score.to_table(ply) as u16) << 16
                | u64::from(entry.raw_eval.raw() as u16) << 32
                | (entry.depth.clamp(0, DEPTH_MAX) as u64) << 48
                | bound << 56
                | u64::from(entry.pv) << 55
                | u64::from(age) << 58,
        )
    }

    #[inline]
    fn unpack(self, ply: usize) -> Entry {
        Entry {
            code: self.code(),
            score: Score::from_table((self.0 >> 16) as i16, ply),
            raw_eval: Score::from_table((self.0 >> 32) as i16, 0),
            depth: self.depth(),
            bound: match (self.0 >> 56) & 3 {
                1 => Bound::Exact,
                2 => Bound::Lower,
                _ => Bound::Upper,
            },
            pv: (self.0 >> 55) & 1 != 0,
        }
    }

    /// The check of this entry for the position with this key. The place in the table comes from the key's high bits, the
    /// check from its low ones.
    #[inline]
    fn check(self, key: u64) -> u64 {
        /// 2⁶⁴ divided by the golden ratio: the high bits of a product depend on all bits of the entry.
        const MIX: u64 = 0x9E37_79B9_7F4A_7C15;
        (key ^ self.0.wrapping_mul(MIX) >> (64 - CHECK_BITS)) & CHECK_MASK
    }

    #[inline]
    fn code(self) -> MoveCode {
        MoveCode(self.0 as u16)
    }

    #[inline]
    fn depth(self) -> i32 {
        (self.0 >> 48) as i32 & DEPTH_MAX
    }

    #[inline]
    fn age(self) -> u8 {
        (self.0 >> 58) as u8
    }

    #[inline]
    fn is_used(self) -> bool {
        (self.0 >> 56) & 3 != 0
    }

    /// The loss if this entry is replaced: its depth, less so the older it is.
    #[inline]
    fn worth(self, age: u8) -> i32 {
        if !self.is_used() {
            return i32::MIN;
        }
        let searches_ago = (AGES + age - self.age()) % AGES;
        self.depth() - AGE_WEIGHT * i32::from(searches_ago)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn entry(depth: i32) -> Entry {
        Entry {
            code: MoveCode(0x1234),
            score: Score::mate_in(7),
            raw_eval: Score::centipawns(-321),
            depth,
            bound: Bound::Lower,
            pv: true,
        }
    }

    #[test]
    fn stored_entries_are_found_again() {
        let mut table = TranspositionTable::new(1).unwrap();
        table.store(42, 3, entry(9));
        assert_eq!(table.probe(42, 3), Some(entry(9)));
        assert_eq!(table.probe(42, 5).unwrap().score, Score::mate_in(9));
        assert_eq!(table.probe(43, 3), None);
        table.clear();
        assert_eq!(table.probe(42, 3), None);
    }

    #[test]
    fn no_evaluation_survives_the_packing() {
        let table = TranspositionTable::new(1).unwrap();
        table.store(1, 0, Entry { raw_eval: Score::NONE, ..entry(1) });
        assert_eq!(table.probe(1, 0).unwrap().raw_eval, Score::NONE);
    }

    #[test]
    fn old_and_shallow_entries_go_first() {
        let table = TranspositionTable::new(1).unwrap();
        // Keys this small all fall into the first cluster.
        for key in 1..=3 {
            table.store(key, 0, entry(10 + key as i32));
        }
        table.store(5, 0, entry(1));
        assert_eq!(table.probe(1, 0), None);
        table.new_search();
        table.store(6, 0, entry(13));
        table.store(7, 0, entry(13));
        assert!(table.probe(5, 0).is_none() && table.probe(2, 0).is_none());
        assert!(table.probe(6, 0).is_some() && table.probe(7, 0).is_some());
        assert!(table.probe(3, 0).is_some());
    }

    #[test]
    fn a_move_is_kept_when_the_new_entry_has_none() {
        let table = TranspositionTable::new(1).unwrap();
        table.store(1, 0, entry(4));
        table.store(1, 0, Entry { code: MoveCode::NONE, ..entry(5) });
        assert_eq!(table.probe(1, 0).unwrap().code, MoveCode(0x1234));
    }

    #[test]
    fn a_size_beyond_the_memory_is_an_error() {
        assert!(TranspositionTable::new(usize::MAX >> 20).is_err());
    }

    #[test]
    fn clusters_lie_within_cache_lines_and_fill_the_table() {
        for megabytes in [0, 1, 3, 64] {
            let table = TranspositionTable::new(megabytes).unwrap();
            assert_eq!(table.clusters().as_ptr().align_offset(CLUSTER_BYTES), 0);
            assert_eq!(table.clusters().len(), (megabytes << 15).max(1));
            for key in [0, u64::MAX / 2, u64::MAX] {
                table.store(key, 0, entry(5));
                assert!(table.probe(key, 0).is_some());
            }
        }
    }

    #[test]
    fn a_table_that_cannot_grow_keeps_its_size() {
        let mut table = TranspositionTable::new(2).unwrap();
        table.store(42, 0, entry(9));
        let megabytes = usize::MAX >> 20;
        assert_eq!(table.resize(megabytes), Err(OutOfMemoryError { megabytes }), "as asked for");
        assert!(table.probe(42, 0).is_some());
        assert_eq!((table.megabytes(), table.clusters().len()), (2, 2 << 15));
        table.resize(3).unwrap();
        assert_eq!(table.clusters().len(), 3 << 15);
    }

    #[test]
    fn a_shallow_bound_replaces_no_deeper_entry_of_its_search() {
        let table = TranspositionTable::new(1).unwrap();
        let depth = || table.probe(42, 0).unwrap().depth;
        table.store(42, 0, entry(9));
        table.store(42, 0, entry(3));
        assert_eq!(depth(), 9);
        table.store(42, 0, Entry { bound: Bound::Exact, ..entry(3) });
        assert_eq!(depth(), 3);
        table.store(42, 0, entry(9));
        table.new_search();
        table.store(42, 0, entry(4));
        assert_eq!(depth(), 4);
    }

    #[test]
    fn entries_of_earlier_searches_make_room() {
        let table = TranspositionTable::new(0).unwrap();
        (1..=3).for_each(|key| table.store(key, 0, entry(9)));
        (0..3).for_each(|_| table.new_search());
        (5..=7).for_each(|key| table.store(key, 0, entry(1)));
        assert!((5..=7).all(|key| table.probe(key, 0).is_some()));
    }

    #[test]
    fn great_tables_are_emptied_too() {
        let mut table = TranspositionTable::new(FRESH_MB).unwrap();
        table.store(42, 0, entry(9));
        table.clear();
        assert_eq!(table.probe(42, 0), None);
    }

    /// Every page that is touched would take memory and time.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_new_table_takes_no_memory() {
        let resident = || {
            let status = std::fs::read_to_string("/proc/self/statm").unwrap();
            status.split(' ').nth(1).unwrap().parse::<usize>().unwrap() * 4096
        };
        let before = resident();
        let mut table = TranspositionTable::new(4096).unwrap();
        table.clear();
        assert!(resident() < before + (1 << 30), "{} MB", (resident() - before) >> 20);
    }

    /// An entry all of whose parts follow from one number.
    fn numbered(number: u16) -> Entry {
        Entry {
            code: MoveCode(number | 1),
            score: Score::centipawns(i32::from(number % 20_000)),
            raw_eval: Score::centipawns(-i32::from(number % 19_000)),
            depth: i32::from(number % 128),
            bound: [Bound::Exact, Bound::Lower, Bound::Upper][usize::from(number % 3)],
            pv: number.is_multiple_of(5),
        }
    }

    proptest! {
        /// Whatever the order in which threads write and read, a reader gets the check of one store and
        /// the data of one, for it loads each of these words once. So the mixtures of any two stores are
        /// all that races can bring about. Two in two million pass for an entry by chance.
        #[test]
        fn a_mixture_of_two_stores_reads_as_a_miss(
            keys in prop::array::uniform2(any::<u64>()),
            numbers in prop::array::uniform2(any::<u16>()),
            is_same_key in any::<bool>(),
        ) {
            let keys = if is_same_key { [keys[0]; 2] } else { keys };
            let [one, two] = numbers.map(|number| Packed::pack(&numbered(number), 0, 5));
            let differs = |key| two.check(key) != one.check(keys[0]);
            prop_assume!(one.0 != two.0 && keys.into_iter().all(differs));
            let table = TranspositionTable::new(0).unwrap();
            let cluster = table.cluster(keys[0]);
            cluster.set(1, keys[0], one);
            cluster.data(1).store(two.0, Relaxed);
            prop_assert_eq!(keys.map(|key| table.probe(key, 0)), [None; 2]);
            cluster.data(1).store(one.0, Relaxed);
            prop_assert_eq!(table.probe(keys[0], 0), Some(numbered(numbers[0])));
        }

        /// The entries of a cluster and their checks do not touch one another.
        #[test]
        fn three_positions_share_a_cluster(numbers in prop::array::uniform3(any::<u16>())) {
            let table = TranspositionTable::new(0).unwrap();
            for (key, &number) in (0..).zip(&numbers) {
                table.store(key, 0, numbered(number));
            }
            for (key, &number) in (0..).zip(&numbers) {
                prop_assert_eq!(table.probe(key, 0), Some(numbered(number)));
            }
        }
    }

    #[test]
    fn few_positions_are_taken_for_another() {
        let table = TranspositionTable::new(0).unwrap();
        let keys = |n: u64| (n..).map(|n: u64| n.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        keys(1).take(3).for_each(|key| table.store(key, 0, entry(9)));
        let taken = keys(1000).take(4_000_000).filter(|&key| table.probe(key, 0).is_some()).count();
        // Three checks of two million: some six in four million.
        assert!((1..40).contains(&taken), "{taken}");
    }

    /// Four threads that store and probe eight positions in one cluster. Each position has entries of its
    /// own: the number of an entry tells its position.
    #[test]
    fn threads_never_see_half_an_entry_or_that_of_another_position() {
        const POSITIONS: u64 = 8;
        let table = TranspositionTable::new(0).unwrap();
        let key = |position: u64| (position + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let hits = std::thread::scope(|scope| {
            let work = |thread: u64| {
                let mut hits = 0;
                for round in 0..300_000_u64 {
                    let number = (round * 31 + thread * 7919) % 8191 * POSITIONS;
                    let position = (round + thread) % POSITIONS;
                    table.store(key(position), 0, numbered((number + position) as u16));
                    let position = (round * 5 + thread) % POSITIONS;
                    if let Some(found) = table.probe(key(position), 0) {
                        assert!(is_of(&found, position, POSITIONS), "{position}: {found:?}");
                        hits += 1;
                    }
                }
                hits
            };
            let threads: Vec<_> = (0..4).map(|thread| scope.spawn(move || work(thread))).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).sum::<u64>()
        });
        assert!(hits > 0);
    }

    /// True if one number of this position is behind an entry. Its move may be that of another number: a shallow result that
    /// may not replace a deep one gives it its move.
    fn is_of(entry: &Entry, position: u64, positions: u64) -> bool {
        let of_position = |number: u16| u64::from(number) % positions == position;
        let numbers = (0..4).filter_map(|n| u16::try_from(entry.score.raw() + 20_000 * n).ok());
        let is_behind =
            |n: u16| of_position(n) && Entry { code: entry.code, ..numbered(n) } == *entry;
        // The move tells its number but for the last bit.
        [entry.code.0, entry.code.0 - 1].into_iter().any(of_position)
            && numbers.into_iter().any(is_behind)
    }

    #[test]
    fn a_shallow_bound_gives_a_deep_entry_its_move_and_nothing_else() {
        let table = TranspositionTable::new(0).unwrap();
        let deep = Entry { depth: 12, bound: Bound::Lower, ..numbered(40) };
        let shallow = Entry { depth: 3, bound: Bound::Upper, ..numbered(77) };
        table.store(5, 0, deep);
        table.store(5, 0, Entry { code: MoveCode::NONE, ..shallow });
        assert_eq!(table.probe(5, 0), Some(deep), "no move to give");
        table.store(5, 0, shallow);
        assert_eq!(table.probe(5, 0), Some(Entry { code: shallow.code, ..deep }));
    }

    #[test]
    fn hashfull_counts_this_search_only() {
        let table = TranspositionTable::new(1).unwrap();
        for n in 0..100_000u64 {
            table.store(n.wrapping_mul(0x9E37_79B9_7F4A_7C15), 0, entry(3));
        }
        assert!(table.hashfull() > 900);
        table.new_search();
        assert_eq!(table.hashfull(), 0);
    }
}
