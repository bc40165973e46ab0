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
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use shakmaty::variant::{Antichess, Atomic};
use shakmaty::{Chess, Move, Position};
use shakmaty_syzygy::{Dtz, Syzygy, SyzygyError, Tablebase, Wdl};

use crate::input;
use crate::rules::{Ending, Game, RuleSet, Rules};

/// Number of errors while probing after which the tables are no longer used.
const PATIENCE: u32 = 100;
/// Greatest number of remarks on single files: a folder may be full of broken ones.
const REMARKS: usize = 5;
/// Plies without progress up to which a win counts as safe. One short of the rule, because DTZ may be
/// rounded.
const SAFE_PLIES: i32 = 99;
/// The least rank of a move that wins within the fifty-move rule.
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
    /// An unreadable table.
    #[error(
        "the endgame table {table} is damaged: the search goes on without it; replace it by a good copy"
    )]
    Damaged {
        /// The pieces and the kind of the table.
        table: String,
    },
}

/// The tables of one rule set. They know no positions of other rule sets.
trait Prober: Send + Sync {
    fn wdl(&self, position: &dyn Any) -> Option<Result<Wdl, SyzygyError>>;
    fn dtz(&self, position: &dyn Any) -> Option<Result<Dtz, SyzygyError>>;
}

impl<S: Position + Syzygy + Clone + Send + Sync + 'static> Prober for Tablebase<S> {
    fn wdl(&self, position: &dyn Any) -> Option<Result<Wdl, SyzygyError>> {
        Some(self.probe_wdl_after_zeroing(position.downcast_ref()?))
    }

    fn dtz(&self, position: &dyn Any) -> Option<Result<Dtz, SyzygyError>> {
        Some(self.probe_dtz(position.downcast_ref()?).map(|dtz| dtz.ignore_rounding()))
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
    /// Moves that keep the result.
    pub moves: Vec<Move>,
    /// The result with the best of them, given the moves without progress so far.
    pub wdl: Wdl5,
    /// Positions found in the tables.
    pub hits: u64,
}

impl EndgameTables {
    /// Finds the tables for `rule_set` in the folders of `path`, separated by `:` (on Windows by `;`).
    ///
    /// # Errors
    /// An unreadable folder. Incomplete files are left out with a remark.
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
        match error {
            SyzygyError::ProbeFailed { metric, material, .. } => {
                match self.errors.fetch_add(1, Relaxed) {
                    0 => Err(TablebaseError::Damaged { table: format!("{material} ({metric})") }),
                    _ => Ok(()),
                }
            }
            _ => Ok(()),
        }
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

    /// The `moves` of the root that keep a win won (with progress: after a repetition only the shortest way
    /// counts), a draw drawn, and a loss as long as possible. At least `least` moves if there are as many.
    /// `None` unless the tables have the position and all its successors.
    pub fn advise<P: Rules>(&self, game: &Game<P>, moves: &[Move], least: usize) -> Option<Advice> {
        let position = game.position();
        if !self.tables.may_know(position, self.most_pieces.min(self.tables.most_pieces)) {
            return None;
        }
        let clock = position.halfmoves() as i32;
        let repeated = game.has_repeated();
        let mut ranked = Vec::new();
        for &m in moves {
            let rank = rank(self.distance(position, m)?, clock, repeated, self.fifty_moves);
            ranked.push((rank, m));
        }
        ranked.sort_by_key(|&(rank, _)| -rank);
        let best = ranked.first()?.0;
        let worst = ranked.get(least.max(1) - 1).or(ranked.last())?.0;
        let hits = ranked.len() as u64;
        let moves =
            ranked.iter().take_while(|&&(rank, _)| rank >= worst).map(|&(_, m)| m).collect();
        Some(Advice { moves, wdl: self.wdl_of(best), hits })
    }

    /// Plies to the next capture or pawn move (DTZ) after `m`, for the side that makes it: positive in a
    /// won position, negative in a lost one, beyond 100 where the fifty-move rule saves the loser.
    fn distance<P: Rules>(&self, position: &P, m: Move) -> Option<i32> {
        let mut after = position.clone();
        after.play_unchecked(m);
        if m.is_zeroing() {
            let wdl = self.tables.prober.wdl(&after)?.ok()?;
            return Some(Dtz::before_zeroing(-wdl).0);
        }
        let theirs = self.tables.prober.dtz(&after)?.ok()?.0;
        let is_over = after.ending_without_moves(after.is_check()) != Ending::Drawn
            && after.legal_moves().is_empty();
        Some(if is_over { -theirs } else { -theirs - theirs.signum() })
    }

    /// The result of a position from the rank of its best move.
    fn wdl_of(&self, rank: i32) -> Wdl5 {
        let wdl = match rank {
            CERTAIN.. => Wdl5::Win,
            1.. => Wdl5::CursedWin,
            0 => Wdl5::Draw,
            rank if rank <= -CERTAIN => Wdl5::Loss,
            _ => Wdl5::BlessedLoss,
        };
        wdl.under(self.fifty_moves)
    }
}

/// The rank of a move whose DTZ is `dtz`, `clock` plies after the last capture or pawn move.
fn rank(dtz: i32, clock: i32, repeated: bool, fifty_moves: bool) -> i32 {
    let plies = dtz.abs() + clock;
    let is_in_time = plies <= SAFE_PLIES || !fifty_moves;
    match dtz.signum() {
        1 if is_in_time && !repeated => 2 * CERTAIN,
        1 if is_in_time => 2 * CERTAIN - dtz,
        1 => (CERTAIN - plies).clamp(1, CERTAIN - 1),
        -1 if is_in_time => -2 * CERTAIN + dtz.abs(),
        -1 => (-CERTAIN + plies).clamp(1 - CERTAIN, -1),
        _ => 0,
    }
}

fn open<S>(path: &str) -> Result<Opened, TablebaseError>
where
    S: Position + Syzygy + Clone + Send + Sync + 'static,
{
    let mut tablebase = collection::<S>();
    let mut remarks = Vec::new();
    let (mut added, mut broken) = (0, 0);
    for folder in std::env::split_paths(path) {
        for file in files(&folder)? {
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
    }
    if broken > REMARKS {
        remarks.push(format!("{} more files are left out", broken - REMARKS));
    }
    let most_pieces = tablebase.max_pieces();
    remarks.push(match added {
        0 => format!("no endgame tables in {path}; their files have names like KQvK.rtbw"),
        _ => format!("{added} endgame tables, up to {most_pieces} pieces"),
    });
    let found =
        EndgameTables { prober: Box::new(tablebase), most_pieces, errors: AtomicU32::new(0) };
    Ok(Opened { tables: (added > 0).then_some(found), remarks })
}

/// A collection without tables.
#[cfg(any(unix, windows))]
fn collection<S: Position + Syzygy + Clone>() -> Tablebase<S> {
    Tablebase::new()
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
}
