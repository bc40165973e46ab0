//! Endgame tables in Syzygy's format: what a position with few pieces is worth, for certain.
//!
//! shakmaty-syzygy reads the files. This room finds them, says in plain words what is wrong with
//! them, and asks them the search's two questions: what is this position worth (WDL: won, drawn or
//! lost), and which moves of the root keep what the position is worth (DTZ: distance to the next
//! capture or pawn move, so that the fifty-move rule is reckoned with). The format is Ronald de
//! Man's; there are tables for chess, atomic and antichess.

use std::any::Any;
use std::fmt;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use shakmaty::variant::{Antichess, Atomic, Variant};
use shakmaty::{Chess, Move, Position};
use shakmaty_syzygy::{Dtz, Syzygy, SyzygyError, Tablebase, Wdl};

use crate::rules::{Game, Rules};

/// Faults while probing after which the tables are left alone.
const PATIENCE: u32 = 100;
/// Remarks on single files at most: a folder may be full of broken ones.
const REMARKS: usize = 5;
/// Plies without progress up to which a win counts as safe, one short of the rule for DTZ may
/// be rounded.
const SAFE_PLIES: i32 = 99;
/// The rank of a move that wins, or loses, whatever the fifty-move rule says.
const CERTAIN: i32 = 1000;

/// What a position is worth to the side to move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Verdict {
    /// Lost.
    Loss,
    /// Lost, but for the fifty-move rule.
    BlessedLoss,
    /// Drawn.
    Draw,
    /// Won, but for the fifty-move rule.
    CursedWin,
    /// Won.
    Win,
}

impl From<Wdl> for Verdict {
    fn from(wdl: Wdl) -> Verdict {
        match wdl {
            Wdl::Loss => Verdict::Loss,
            Wdl::BlessedLoss => Verdict::BlessedLoss,
            Wdl::Draw => Verdict::Draw,
            Wdl::CursedWin => Verdict::CursedWin,
            Wdl::Win => Verdict::Win,
        }
    }
}

impl Verdict {
    /// The same without a fifty-move rule, if there is to be none.
    pub fn under(self, fifty_moves: bool) -> Verdict {
        match self {
            Verdict::CursedWin if !fifty_moves => Verdict::Win,
            Verdict::BlessedLoss if !fifty_moves => Verdict::Loss,
            verdict => verdict,
        }
    }
}

/// Why there are no tables, or why one gives no answer. Names the file or the pieces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TablebaseFault(String);

impl fmt::Display for TablebaseFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for TablebaseFault {}

/// The tables of one rule set, whichever it is. The position must be one of that rule set; of
/// another, nothing is known.
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

/// The tables that were found.
pub struct Tables {
    prober: Box<dyn Prober>,
    most_pieces: usize,
    faults: AtomicU32,
}

/// Tables and what there is to say of them.
#[derive(Default)]
pub struct Opened {
    /// The tables; `None` if none were found, or none are known for the rule set.
    pub tables: Option<Tables>,
    /// How many there are, and which files are left out and why.
    pub remarks: Vec<String>,
}

/// How a search may use tables.
#[derive(Clone)]
pub struct Access {
    /// The tables.
    pub tables: Arc<Tables>,
    /// Depth left from which on positions with as many pieces as the greatest tables have are looked
    /// up, in plies; those with fewer always are.
    pub least_depth: i32,
    /// Pieces, kings included, up to which positions are looked up.
    pub most_pieces: usize,
    /// Whether the fifty-move rule holds.
    pub fifty_moves: bool,
}

impl fmt::Debug for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "tables of up to {} pieces", self.most_pieces)
    }
}

/// The moves of a root that are worth looking at.
#[derive(Clone, Debug)]
pub struct Advice {
    /// Moves that keep what the position is worth.
    pub moves: Vec<Move>,
    /// What it is worth with the best of them, the moves made so far reckoned with.
    pub verdict: Verdict,
    /// Positions looked up.
    pub hits: u64,
}

impl Tables {
    /// Finds the tables for `variant` in the folders of `path`, which are separated as the system
    /// does it (`:`, or `;` on Windows).
    ///
    /// # Errors
    /// A folder that cannot be read. Files that are not whole are left out with a remark.
    pub fn open(variant: Variant, path: &str) -> Result<Opened, TablebaseFault> {
        match variant {
            Variant::Chess => open::<Chess>(path),
            Variant::Atomic => open::<Atomic>(path),
            Variant::Antichess => open::<Antichess>(path),
            _ => Ok(Opened {
                tables: None,
                remarks: vec![format!("there are no endgame tables for {}", variant.uci())],
            }),
        }
    }

    /// Pieces in the greatest tables, kings included.
    pub fn most_pieces(&self) -> usize {
        self.most_pieces
    }

    /// True if the tables may know the position: few pieces, and no right to castle.
    #[inline]
    fn may_know<P: Rules>(&self, position: &P, most_pieces: usize) -> bool {
        position.board().occupied().count() <= most_pieces && !position.castles().any()
    }

    /// What a position is worth right after a capture or a pawn move; `None` if no table tells.
    ///
    /// # Errors
    /// A table that cannot be read. Each is worth telling once; after many of them the
    /// tables fall silent.
    pub fn verdict<P: Rules>(&self, position: &P) -> Result<Option<Verdict>, TablebaseFault> {
        if self.faults.load(Relaxed) >= PATIENCE {
            return Ok(None);
        }
        match self.prober.wdl(position) {
            Some(Ok(wdl)) => Ok(Some(wdl.into())),
            Some(Err(fault)) => self.judge(&fault).map(|()| None),
            None => Ok(None),
        }
    }

    /// Faults of a file are told, what simply is not there is not; nor is a fault told twice.
    fn judge(&self, fault: &SyzygyError) -> Result<(), TablebaseFault> {
        match fault {
            SyzygyError::ProbeFailed { metric, material, .. } => {
                match self.faults.fetch_add(1, Relaxed) {
                    0 => Err(TablebaseFault(format!(
                        "the endgame table {material} ({metric}) is damaged: put a good copy in its \
                         place; the search goes on without it"
                    ))),
                    _ => Ok(()),
                }
            }
            _ => Ok(()),
        }
    }
}

impl Access {
    /// True if the tables should be asked about a position with so much depth left.
    #[inline]
    pub fn covers<P: Rules>(&self, position: &P, depth: i32) -> bool {
        let most = self.most_pieces.min(self.tables.most_pieces);
        self.tables.may_know(position, most)
            && (depth >= self.least_depth || position.board().occupied().count() < most)
    }

    /// Those of the root's legal `moves` that keep a win won (and still make progress: once a position has
    /// come up twice, only the shortest way counts), a draw drawn, and a loss as long as possible. At
    /// least `least` moves if there are as many. `None` if the tables do not know the position and
    /// all that may follow.
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
        Some(Advice { moves, verdict: self.worth(best), hits })
    }

    /// Plies to the next capture or pawn move with `m` as the first, for whoever makes it: positive
    /// in a won position, negative in a lost one, beyond 100 where the fifty-move rule saves the
    /// loser.
    fn distance<P: Rules>(&self, position: &P, m: Move) -> Option<i32> {
        let mut after = position.clone();
        after.play_unchecked(m);
        if m.is_zeroing() {
            let verdict = self.tables.prober.wdl(&after)?.ok()?;
            return Some(Dtz::before_zeroing(-verdict).0);
        }
        let theirs = self.tables.prober.dtz(&after)?.ok()?.0;
        let is_over = after.ending_without_moves(after.is_check()) != crate::rules::Ending::Drawn
            && after.legal_moves().is_empty();
        Some(if is_over { -theirs } else { -theirs - theirs.signum() })
    }

    /// What the rank of the best move says about the position.
    fn worth(&self, rank: i32) -> Verdict {
        let verdict = match rank {
            CERTAIN.. => Verdict::Win,
            1.. => Verdict::CursedWin,
            0 => Verdict::Draw,
            rank if rank <= -CERTAIN => Verdict::Loss,
            _ => Verdict::BlessedLoss,
        };
        verdict.under(self.fifty_moves)
    }
}

/// How good a move is whose distance is `dtz`, with `clock` plies behind it since the last capture
/// or pawn move.
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

fn open<S>(path: &str) -> Result<Opened, TablebaseFault>
where
    S: Position + Syzygy + Clone + Send + Sync + 'static,
{
    let mut tablebase = Tablebase::<S>::new();
    let mut remarks = Vec::new();
    let (mut added, mut broken) = (0, 0);
    for folder in std::env::split_paths(path) {
        for file in files(&folder)? {
            if !is_table::<S>(&file) {
                continue;
            }
            match check::<S>(&file)
                .and_then(|()| tablebase.add_file(&file).map_err(|fault| fault.to_string()))
            {
                Ok(()) => added += 1,
                Err(fault) => {
                    broken += 1;
                    if broken <= REMARKS {
                        let file = file.display();
                        remarks.push(format!("{file}: {fault}; get a good copy; it is left out"));
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
        0 => format!("no endgame tables in {path}; files are called KQvK.rtbw and the like"),
        _ => format!("{added} endgame tables, up to {most_pieces} pieces"),
    });
    let found = Tables { prober: Box::new(tablebase), most_pieces, faults: AtomicU32::new(0) };
    Ok(Opened { tables: (added > 0).then_some(found), remarks })
}

/// The files of a folder, in order of their names.
fn files(folder: &Path) -> Result<Vec<PathBuf>, TablebaseFault> {
    let named = |fault: std::io::Error| {
        TablebaseFault(format!(
            "{}: {fault}; SyzygyPath takes folders of endgame tables",
            folder.display()
        ))
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

/// Looks at a file's first bytes.
fn check<S: Syzygy>(file: &Path) -> Result<(), String> {
    let mut magic = [0; 4];
    let mut source = File::open(file).map_err(|fault| fault.to_string())?;
    source.read_exact(&mut magic).map_err(|_| "the file is cut short".to_string())?;
    let pawnless = [S::PAWNLESS_TBW, S::PAWNLESS_TBZ].into_iter().flatten();
    let mut types = [S::TBW, S::TBZ].into_iter().chain(pawnless);
    let is_known = types.any(|known| magic == known.magic);
    if is_known { Ok(()) } else { Err("the file is no endgame table".to_string()) }
}
