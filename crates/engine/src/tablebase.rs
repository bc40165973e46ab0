//! Endgame tables in Syzygy's format: the exact result of positions with few pieces.
//!
//! shakmaty-syzygy reads the files. This module finds them, reports their errors, and answers two requests
//! of the search: the result of a position (WDL: won, drawn or lost), and the root moves that keep it (DTZ:
//! distance to the next capture or pawn move, with account of the fifty-move rule). The format is Ronald de
//! Man's. There are tables for chess, atomic and antichess.
//!
#![doc = include_str!("../../../docs/endgame-tables.md")]

use std::any::Any;
use std::fmt;
use std::fs;
use std::io::Read;
use std::ops::Neg;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use shakmaty::variant::{Antichess, Atomic};
use shakmaty::{Chess, Move, Position};
use shakmaty_syzygy::{
    AmbiguousWdl, Dtz, MaybeRounded, ProbeError, Syzygy, SyzygyError, Tablebase, Wdl,
};

use crate::input;
use crate::logging;
use crate::rules::{Ending, Game, RuleSet, Rules};

/// Number of errors while probing after which the tables are no longer used.
const PATIENCE: u32 = 100;
/// Greatest number of remarks on single files: a folder may be full of broken ones.
const REMARKS: usize = 5;
/// Beyond every distance in plies: the ranks of two results never meet.
const CERTAIN: i32 = 1000;

/// The result of a position for the side to move by the endgame tables: WDL with the two results that the
/// fifty-move rule changes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Wdl5 {
    /// Lost.
    Loss,
    /// Lost without the fifty-move rule, drawn with it.
    BlessedLoss,
    /// Drawn.
    Draw,
    /// Won without the fifty-move rule, drawn with it.
    CursedWin,
    /// Won.
    Win,
}

impl From<Wdl> for Wdl5 {
    fn from(wdl: Wdl) -> Wdl5 {
        match wdl {
            Wdl::Loss => Wdl5::Loss,
            Wdl::BlessedLoss => Wdl5::BlessedLoss,
            Wdl::Draw => Wdl5::Draw,
            Wdl::CursedWin => Wdl5::CursedWin,
            Wdl::Win => Wdl5::Win,
        }
    }
}

impl From<AmbiguousWdl> for Wdl5 {
    /// Where a rounded distance leaves open whether the fifty-move rule counts, it counts.
    fn from(wdl: AmbiguousWdl) -> Wdl5 {
        match wdl {
            AmbiguousWdl::Loss => Wdl5::Loss,
            AmbiguousWdl::MaybeLoss | AmbiguousWdl::BlessedLoss => Wdl5::BlessedLoss,
            AmbiguousWdl::Draw => Wdl5::Draw,
            AmbiguousWdl::CursedWin | AmbiguousWdl::MaybeWin => Wdl5::CursedWin,
            AmbiguousWdl::Win => Wdl5::Win,
        }
    }
}

impl Neg for Wdl5 {
    type Output = Wdl5;

    fn neg(self) -> Wdl5 {
        match self {
            Wdl5::Loss => Wdl5::Win,
            Wdl5::BlessedLoss => Wdl5::CursedWin,
            Wdl5::Draw => Wdl5::Draw,
            Wdl5::CursedWin => Wdl5::BlessedLoss,
            Wdl5::Win => Wdl5::Loss,
        }
    }
}

impl Wdl5 {
    /// The same without the fifty-move rule, if `fifty_moves` is false.
    pub fn under(self, fifty_moves: bool) -> Wdl5 {
        match self {
            Wdl5::CursedWin if !fifty_moves => Wdl5::Win,
            Wdl5::BlessedLoss if !fifty_moves => Wdl5::Loss,
            result => result,
        }
    }
}

/// An error of the endgame tables. Names the file, the folder or the pieces.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TablebaseError {
    /// A folder that cannot be read.
    #[error("{folder}: {error}; SyzygyPath takes folders of endgame tables")]
    Folder {
        /// The folder.
        folder: String,
        /// The system's error.
        error: String,
    },
    /// A path without a folder.
    #[error("SyzygyPath {0:?} names no folder; write folders of endgame tables, or <empty>")]
    NoFolder(String),
    /// An unreadable table.
    #[error(
        "the endgame table {table} cannot be read ({reason}): the search goes on without it; replace it by a \
         good copy"
    )]
    Table {
        /// The pieces and the kind of the table.
        table: String,
        /// What is wrong with it.
        reason: String,
    },
}

/// The tables of one rule set. They know no positions of other rule sets.
trait Prober: Send + Sync {
    fn wdl(&self, position: &dyn Any) -> Option<Result<Wdl, SyzygyError>>;
    fn dtz(&self, position: &dyn Any) -> Option<Result<MaybeRounded<Dtz>, SyzygyError>>;
}

impl<S: Position + Syzygy + Clone + Send + Sync + 'static> Prober for Tablebase<S> {
    fn wdl(&self, position: &dyn Any) -> Option<Result<Wdl, SyzygyError>> {
        Some(self.probe_wdl_after_zeroing(position.downcast_ref()?))
    }

    fn dtz(&self, position: &dyn Any) -> Option<Result<MaybeRounded<Dtz>, SyzygyError>> {
        Some(self.probe_dtz(position.downcast_ref()?))
    }
}

/// The tables found.
pub struct EndgameTables {
    prober: Box<dyn Prober>,
    most_pieces: usize,
    errors: AtomicU32,
}

/// Opened tables with remarks for the user.
#[derive(Default)]
pub struct Opened {
    /// The tables; `None` if none were found, or none are known for the rule set.
    pub tables: Option<EndgameTables>,
    /// Their number, and the files that are left out.
    pub remarks: Vec<String>,
}

/// A search's use of the tables.
#[derive(Clone)]
pub struct Access {
    /// The tables.
    pub tables: Arc<EndgameTables>,
    /// Least depth left, in plies, for probing positions with as many pieces as the largest tables.
    /// Positions with fewer pieces are always probed.
    pub least_depth: i32,
    /// Most pieces, kings included, with which positions are probed.
    pub most_pieces: usize,
    /// True if the fifty-move rule holds.
    pub fifty_moves: bool,
}

impl fmt::Debug for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "tables of up to {} pieces", self.most_pieces)
    }
}

/// The root moves worth searching.
#[derive(Clone, Debug)]
pub struct Advice {
    /// The moves, best rank first.
    pub moves: Vec<RankedMove>,
    /// Positions found in the tables.
    pub hits: u64,
}

/// A root move with its own result by the endgame tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RankedMove {
    /// The move.
    pub m: Move,
    /// The result after it for the side that makes it, given the moves without progress so far.
    pub wdl: Wdl5,
    /// Orders the moves, greatest first: by their result, and among moves of one result by the distance that
    /// matters there. A move of a greater rank is always to be preferred.
    pub rank: i32,
}

/// Sorts root moves, the best first; compiled once for all rule sets.
fn sort_by_rank(moves: &mut [RankedMove]) {
    moves.sort_by_key(|ranked| -ranked.rank);
}

impl EndgameTables {
    /// Finds the tables for `rule_set` in the folders of `path`, separated by `:` (on Windows by `;`).
    /// Unreadable folders beside good ones, and incomplete files, are left out with a remark.
    ///
    /// # Errors
    /// No folder, or none that can be read.
    pub fn open(rule_set: RuleSet, path: &str) -> Result<Opened, TablebaseError> {
        match rule_set {
            RuleSet::Chess => open::<Chess>(path),
            RuleSet::Atomic => open::<Atomic>(path),
            RuleSet::Antichess => open::<Antichess>(path),
            _ => Ok(Opened {
                tables: None,
                remarks: vec![format!("there are no endgame tables for {rule_set}")],
            }),
        }
    }

    /// Pieces in the largest tables, kings included.
    pub fn most_pieces(&self) -> usize {
        self.most_pieces
    }

    /// True if the tables may have the position: few pieces, and no right to castle.
    #[inline]
    fn may_know<P: Rules>(&self, position: &P, most_pieces: usize) -> bool {
        position.board().occupied().count() <= most_pieces && !position.castles().any()
    }

    /// The result of a position right after a capture or a pawn move; `None` if no table has it.
    ///
    /// # Errors
    /// A damaged table. Only the first error is returned; after several the tables are no longer probed.
    pub fn probe_wdl<P: Rules>(&self, position: &P) -> Result<Option<Wdl5>, TablebaseError> {
        if self.errors.load(Relaxed) >= PATIENCE {
            return Ok(None);
        }
        match self.prober.wdl(position) {
            Some(Ok(wdl)) => Ok(Some(wdl.into())),
            Some(Err(error)) => self.count_fault(&error).map(|()| None),
            None => Ok(None),
        }
    }

    /// Counts an error of a file; a missing table is no error.
    fn count_fault(&self, error: &SyzygyError) -> Result<(), TablebaseError> {
        let SyzygyError::ProbeFailed { metric, material, error } = error else { return Ok(()) };
        if self.errors.fetch_add(1, Relaxed) > 0 {
            return Ok(());
        }
        let reason = match &**error {
            ProbeError::Read { error } => error.to_string(),
            ProbeError::Magic { .. } => "it is no endgame table".to_string(),
            ProbeError::CorruptedTable { .. } => "it is damaged".to_string(),
        };
        Err(TablebaseError::Table { table: format!("{material} ({metric})"), reason })
    }
}

impl Access {
    /// True if a position with this depth left should be probed.
    #[inline]
    pub fn covers<P: Rules>(&self, position: &P, depth: i32) -> bool {
        let most = self.most_pieces.min(self.tables.most_pieces);
        self.tables.may_know(position, most)
            && (depth >= self.least_depth || position.board().occupied().count() < most)
    }

    /// True if the tables may have the position and all that follows from it.
    pub fn may_know<P: Rules>(&self, position: &P) -> bool {
        self.tables.may_know(position, self.most_pieces.min(self.tables.most_pieces))
    }

    /// The `moves` of the root with the greatest ranks: those that keep a win won (with progress: after a
    /// repetition only the shortest way counts), a draw drawn, and a loss as long as possible. At least `least`
    /// moves if there are as many, each with its own result. `None` unless the tables have the position and all
    /// its successors.
    ///
    /// # Errors
    /// An unreadable table, as [`EndgameTables::probe_wdl`].
    pub fn advise<P: Rules>(
        &self,
        game: &Game<P>,
        moves: &[Move],
        least: usize,
    ) -> Result<Option<Advice>, TablebaseError> {
        let position = game.position();
        let is_worn = self.tables.errors.load(Relaxed) >= PATIENCE;
        if is_worn || !self.may_know(position) {
            return Ok(None);
        }
        let must_progress = game.has_repeated();
        let mut ranked = Vec::new();
        for &m in moves {
            match self.outlook(position, m) {
                Some(Ok(outlook)) => ranked.push(outlook.ranked(m, must_progress)),
                Some(Err(error)) => return self.tables.count_fault(&error).map(|()| None),
                None => return Ok(None),
            }
        }
        let hits = ranked.len() as u64;
        sort_by_rank(&mut ranked);
        for RankedMove { m, wdl, rank } in &ranked {
            log::trace!(target: logging::TABLEBASE, "{m}: {wdl:?}, rank {rank}");
        }
        let Some(worst) = ranked.get(least.max(1) - 1).or(ranked.last()).map(|m| m.rank) else {
            return Ok(None);
        };
        ranked.retain(|ranked| ranked.rank >= worst);
        log::debug!(
            target: logging::TABLEBASE,
            "{} of {hits} moves are searched, the best of them {:?}",
            ranked.len(),
            ranked[0].wdl
        );
        Ok(Some(Advice { moves: ranked, hits }))
    }

    /// What follows from the move `m`.
    fn outlook<P: Rules>(&self, position: &P, m: Move) -> Option<Result<Outlook, SyzygyError>> {
        let mut after = position.clone();
        after.play_unchecked(m);
        let is_over = after.ending_without_moves(after.is_check()) != Ending::Drawn
            && after.legal_moves().is_empty();
        let outlook = if m.is_zeroing() {
            // The fifty moves begin again, however many have gone.
            self.tables
                .prober
                .wdl(&after)?
                .map(|theirs| Outlook::new((-theirs).into(), Dtz::before_zeroing(-theirs).0.abs()))
        } else if is_over {
            // A mate on the hundredth half-move is a mate. The distance is its sign alone.
            self.tables.prober.dtz(&after)?.map(|theirs| {
                let wdl = if theirs.is_negative() { Wdl5::Win } else { Wdl5::Loss };
                Outlook::new(wdl, 0)
            })
        } else {
            self.tables.prober.dtz(&after)?.map(|theirs| {
                let wdl = AmbiguousWdl::from_dtz_and_halfmoves(theirs, after.halfmoves());
                Outlook::new(-Wdl5::from(wdl), theirs.ignore_rounding().0.abs() + 1)
            })
        };
        Some(outlook.map(|outlook| Outlook { wdl: outlook.wdl.under(self.fifty_moves), ..outlook }))
    }
}

/// The result of a move and the way to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Outlook {
    wdl: Wdl5,
    /// Plies to the next capture or pawn move (DTZ), the move included; 0 for a mate.
    distance: i32,
}

impl Outlook {
    fn new(wdl: Wdl5, distance: i32) -> Outlook {
        Outlook { wdl, distance: distance.min(CERTAIN - 1) }
    }

    /// The move `m` with its rank. Among won moves the search chooses, unless it must make progress at last.
    fn ranked(self, m: Move, must_progress: bool) -> RankedMove {
        let Outlook { wdl, distance } = self;
        let rank = match wdl {
            Wdl5::Win if must_progress => 3 * CERTAIN - distance,
            Wdl5::Win => 3 * CERTAIN,
            Wdl5::CursedWin => CERTAIN - distance,
            Wdl5::Draw => 0,
            Wdl5::BlessedLoss => -CERTAIN + distance,
            Wdl5::Loss => -3 * CERTAIN + distance,
        };
        RankedMove { m, wdl, rank }
    }
}

fn open<S>(path: &str) -> Result<Opened, TablebaseError>
where
    S: Position + Syzygy + Clone + Send + Sync + 'static,
{
    let mut tablebase = collection::<S>();
    let mut remarks = Vec::new();
    let (mut added, mut broken) = (0, 0);
    for file in files_of_path(path, &mut remarks)? {
        if !is_table::<S>(&file) {
            continue;
        }
        match check::<S>(&file)
            .and_then(|()| tablebase.add_file(&file).map_err(|error| error.to_string()))
        {
            Ok(()) => added += 1,
            Err(error) => {
                broken += 1;
                if broken <= REMARKS {
                    let file = file.display();
                    remarks.push(format!("{file}: {error}; left out; get a good copy"));
                }
            }
        }
    }
    if broken > REMARKS {
        remarks.push(format!("{} more files are left out", broken - REMARKS));
    }
    let most_pieces = tablebase.max_pieces();
    remarks.push(match added {
        0 => {
            // Antichess has tables of its own for endings without pawns.
            let ending = if S::PAWNLESS_TBW.is_some() { "PvP" } else { "KQvK" };
            let ends = S::TBW.ext;
            format!("no endgame tables in {path}; their files have names like {ending}.{ends}")
        }
        _ => format!("{added} endgame tables, up to {most_pieces} pieces"),
    });
    for remark in &remarks {
        log::info!(target: logging::TABLEBASE, "{remark}");
    }
    let found =
        EndgameTables { prober: Box::new(tablebase), most_pieces, errors: AtomicU32::new(0) };
    Ok(Opened { tables: (added > 0).then_some(found), remarks })
}

/// A collection without tables. It opens a file when it is first needed. By then a file may have become
/// something else, and a pipe would block the search for ever: so only regular files are opened.
#[cfg(any(unix, windows))]
fn collection<S: Position + Syzygy + Clone>() -> Tablebase<S> {
    use shakmaty_syzygy::filesystem::{Filesystem, OsFilesystem, RandomAccessFile};
    use std::io::Result;

    struct RegularFiles(OsFilesystem);

    impl Filesystem for RegularFiles {
        fn regular_file_size(&self, path: &Path) -> Result<u64> {
            self.0.regular_file_size(path)
        }

        fn read_dir(&self, path: &Path) -> Result<Vec<PathBuf>> {
            self.0.read_dir(path)
        }

        fn open(&self, path: &Path) -> Result<Box<dyn RandomAccessFile>> {
            input::open(path)?;
            self.0.open(path)
        }
    }
    Tablebase::with_filesystem(Arc::new(RegularFiles(OsFilesystem::new())))
}

/// A collection without tables. In a browser there are no files to add to it.
#[cfg(not(any(unix, windows)))]
fn collection<S: Position + Syzygy + Clone>() -> Tablebase<S> {
    use shakmaty_syzygy::filesystem::{Filesystem, RandomAccessFile};
    use std::io::{ErrorKind, Result};

    struct NoFiles;

    impl Filesystem for NoFiles {
        fn regular_file_size(&self, _: &Path) -> Result<u64> {
            Err(ErrorKind::Unsupported.into())
        }

        fn read_dir(&self, _: &Path) -> Result<Vec<PathBuf>> {
            Err(ErrorKind::Unsupported.into())
        }

        fn open(&self, _: &Path) -> Result<Box<dyn RandomAccessFile>> {
            Err(ErrorKind::Unsupported.into())
        }
    }
    Tablebase::with_filesystem(Arc::new(NoFiles))
}

/// The files of all folders of `path`. An unreadable folder gets a remark.
///
/// # Errors
/// No folder, or none that can be read.
fn files_of_path(path: &str, remarks: &mut Vec<String>) -> Result<Vec<PathBuf>, TablebaseError> {
    // Clients and people leave separators at the end, and blanks around them.
    let trimmed = |folder: PathBuf| PathBuf::from(folder.to_string_lossy().trim());
    let mut folders: Vec<PathBuf> = std::env::split_paths(path).map(trimmed).collect();
    folders.retain(|folder| !folder.as_os_str().is_empty());
    let mut found = Vec::new();
    let mut fault = None;
    let mut unreadable = 0;
    for folder in &folders {
        match files(folder) {
            Ok(files) => found.extend(files),
            Err(error) => {
                unreadable += 1;
                remarks.push(error.to_string());
                fault = fault.or(Some(error));
            }
        }
    }
    if unreadable < folders.len() {
        return Ok(found);
    }
    Err(fault.unwrap_or_else(|| TablebaseError::NoFolder(path.to_string())))
}

/// The files of a folder, in order of their names.
fn files(folder: &Path) -> Result<Vec<PathBuf>, TablebaseError> {
    let named = |error: std::io::Error| {
        let folder = folder.display().to_string();
        TablebaseError::Folder { folder, error: error.to_string() }
    };
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(named)? {
        files.push(entry.map_err(named)?.path());
    }
    files.sort();
    Ok(files)
}

/// True if the file's name is that of a table of the rule set.
fn is_table<S: Syzygy>(file: &Path) -> bool {
    let pawnless = [S::PAWNLESS_TBW, S::PAWNLESS_TBZ].into_iter().flatten();
    let mut types = [S::TBW, S::TBZ].into_iter().chain(pawnless);
    file.extension().is_some_and(|extension| types.any(|known| extension == known.ext))
}

/// Checks the first bytes of a file.
fn check<S: Syzygy>(file: &Path) -> Result<(), String> {
    let mut magic = [0; 4];
    let mut source = input::open(file).map_err(|error| error.to_string())?;
    source.read_exact(&mut magic).map_err(|_| "the file is truncated".to_string())?;
    let pawnless = [S::PAWNLESS_TBW, S::PAWNLESS_TBZ].into_iter().flatten();
    let mut types = [S::TBW, S::TBZ].into_iter().chain(pawnless);
    let is_known = types.any(|known| magic == known.magic);
    if is_known { Ok(()) } else { Err("the file is not an endgame table".to_string()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fifty_move_rule_decides_cursed_results_alone() {
        use Wdl5::{BlessedLoss, CursedWin, Draw, Loss, Win};
        for (result, without) in
            [(Win, Win), (CursedWin, Win), (Draw, Draw), (BlessedLoss, Loss), (Loss, Loss)]
        {
            assert_eq!((result.under(true), result.under(false)), (result, without));
        }
    }

    #[test]
    fn ranks_order_results_and_then_the_ways_to_them() {
        use Wdl5::{BlessedLoss, CursedWin, Draw, Loss, Win};
        let m = Move::Put { role: shakmaty::Role::Pawn, to: shakmaty::Square::E4 };
        let rank = |wdl, distance| Outlook::new(wdl, distance).ranked(m, true).rank;
        // Best first: wins and cursed wins by the shortest way, losses by the longest; far beyond any table, too.
        let ways = [
            [(Win, 1), (Win, 40), (Win, 100), (Win, 5000)],
            [(CursedWin, 1), (CursedWin, 101), (CursedWin, 102), (CursedWin, 5000)],
            [(Draw, 0); 4],
            [(BlessedLoss, 5000), (BlessedLoss, 102), (BlessedLoss, 101), (BlessedLoss, 1)],
            [(Loss, 5000), (Loss, 100), (Loss, 40), (Loss, 0)],
        ];
        let ranks = ways.map(|way| way.map(|(wdl, distance)| rank(wdl, distance)));
        for (way, ranks) in ways.iter().zip(&ranks) {
            let is_sorted = ranks.is_sorted_by(|better, worse| better > worse);
            assert!(is_sorted || way[0].0 == Draw, "{way:?} {ranks:?}");
        }
        for pair in ranks.windows(2) {
            assert!(pair[0].iter().min() > pair[1].iter().max(), "{pair:?}");
        }
        // Without the need of progress the search chooses among won moves.
        let free = |distance| Outlook::new(Win, distance).ranked(m, false).rank;
        assert!(free(1) == free(40) && free(40) > rank(CursedWin, 1));
    }

    #[test]
    fn rule_sets_with_tables_look_for_them() {
        let folder = tempfile::tempdir().unwrap();
        for &rule_set in RuleSet::ALL {
            let opened = EndgameTables::open(rule_set, folder.path().to_str().unwrap()).unwrap();
            let has_tables =
                matches!(rule_set, RuleSet::Chess | RuleSet::Atomic | RuleSet::Antichess);
            let start =
                if has_tables { "no endgame tables in" } else { "there are no endgame tables for" };
            assert!(opened.tables.is_none() && opened.remarks.len() == 1);
            assert!(opened.remarks[0].starts_with(start), "{rule_set}: {:?}", opened.remarks);
            let name = match rule_set {
                RuleSet::Chess => "KQvK.rtbw",
                RuleSet::Atomic => "KQvK.atbw",
                RuleSet::Antichess => "PvP.gtbw",
                _ => continue,
            };
            assert!(opened.remarks[0].ends_with(name), "{rule_set}: {:?}", opened.remarks);
        }
    }
}
