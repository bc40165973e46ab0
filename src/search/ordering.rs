//! Which move to try next, in stages, so that a cut-off spares the work of the later ones:
//! table move, good captures, killers and countermove, quiet moves by history, bad captures.

use arrayvec::ArrayVec;
use shakmaty::{Move, MoveList};

use super::exchange;
use super::history::{Context, History};
use crate::evaluation::material;
use crate::rules::{Rules, Situation, is_noisy};

/// Most moves any position of any rule set can have.
const CAPACITY: usize = 512;
/// Low bits of a key that hold the move's place in the list.
const PLACE_BITS: u32 = 9;

/// Moves that refuted a sister node: two killers and the countermove.
pub type Refutations = [Option<Move>; 3];

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Stage {
    Table,
    GenerateNoisy,
    GoodNoisy,
    Refutation(usize),
    GenerateQuiet,
    Quiet,
    BadNoisy,
    Done,
}

/// Serves the legal moves of one node, the most promising first, none twice.
pub struct Picker {
    stage: Stage,
    table_move: Option<Move>,
    refutations: Refutations,
    /// Moves of the current helping and, beside them, score and place packed in one word:
    /// the best is a plain maximum.
    moves: MoveList,
    keys: ArrayVec<u32, CAPACITY>,
    losing: ArrayVec<Move, 128>,
    quiets: bool,
    keep_losing: bool,
}

impl Picker {
    /// All moves of a node.
    pub fn all(table_move: Option<Move>, refutations: Refutations) -> Picker {
        Picker {
            stage: Stage::Table,
            table_move,
            refutations,
            moves: MoveList::new(),
            keys: ArrayVec::new(),
            losing: ArrayVec::new(),
            quiets: true,
            keep_losing: true,
        }
    }

    /// The noisy moves that do not lose material: what quiescence looks at out of check.
    pub fn noisy() -> Picker {
        Picker { quiets: false, keep_losing: false, ..Picker::all(None, [None; 3]) }
    }

    /// Serves no further quiet moves.
    pub fn skip_quiets(&mut self) {
        self.quiets = false;
    }

    /// The next move, or `None` when all have been served.
    pub fn next<P: Rules>(
        &mut self,
        here: &Situation<P>,
        history: &History,
        context: &Context,
    ) -> Option<Move> {
        loop {
            match self.stage {
                Stage::Table => {
                    self.stage = Stage::GenerateNoisy;
                    if self.table_move.is_some() {
                        return self.table_move;
                    }
                }
                Stage::GenerateNoisy => {
                    here.position().noisy_moves(here.checkers(), &mut self.moves);
                    self.score(noisy_score);
                    self.stage = Stage::GoodNoisy;
                }
                Stage::GoodNoisy => {
                    let Some(m) = self.best() else {
                        self.stage =
                            if self.quiets { Stage::Refutation(0) } else { Stage::BadNoisy };
                        continue;
                    };
                    if exchange::gains_at_least(here.position(), m, 0) {
                        return Some(m);
                    }
                    // Beyond the capacity lie only positions no game has seen: serve those at once.
                    if self.keep_losing && self.losing.try_push(m).is_err() {
                        return Some(m);
                    }
                }
                Stage::Refutation(n) => {
                    self.stage = if n + 1 < self.refutations.len() {
                        Stage::Refutation(n + 1)
                    } else {
                        Stage::GenerateQuiet
                    };
                    if let Some(m) = self.refutation(n, here) {
                        return Some(m);
                    }
                }
                Stage::GenerateQuiet => {
                    self.stage = Stage::BadNoisy;
                    if self.quiets {
                        self.moves.clear();
                        here.position().quiet_moves(here.checkers(), &mut self.moves);
                        let color = here.turn();
                        self.score(|m| history.quiet(color, m, context));
                        self.stage = Stage::Quiet;
                    }
                }
                Stage::Quiet => match self.best().filter(|_| self.quiets) {
                    Some(m) if self.refutations.iter().any(|&served| served == Some(m)) => {}
                    Some(m) => return Some(m),
                    None => self.stage = Stage::BadNoisy,
                },
                Stage::BadNoisy => {
                    self.losing.reverse();
                    self.stage = Stage::Done;
                }
                Stage::Done => return self.losing.pop(),
            }
        }
    }

    /// The refutation number `n`, if it is quiet, legal here and has not been served.
    fn refutation<P: Rules>(&mut self, n: usize, here: &Situation<P>) -> Option<Move> {
        let candidate = self.refutations[n].take()?;
        let fresh = self.quiets
            && self.table_move != Some(candidate)
            && !self.refutations.contains(&Some(candidate))
            && !is_noisy(candidate)
            && here.position().is_playable(here.checkers(), candidate);
        if fresh {
            self.refutations[n] = Some(candidate);
        }
        fresh.then_some(candidate)
    }

    fn score(&mut self, score: impl Fn(Move) -> i32) {
        const HALF: i32 = 1 << (31 - PLACE_BITS);
        self.keys.clear();
        for (place, &m) in self.moves.iter().enumerate() {
            let biased = (score(m) + HALF).clamp(1, 2 * HALF - 1) as u32;
            self.keys.push(biased << PLACE_BITS | place as u32);
        }
    }

    /// Takes the best move left of the current helping, the table move apart.
    #[inline]
    fn best(&mut self) -> Option<Move> {
        loop {
            let (slot, &key) = self.keys.iter().enumerate().max_by_key(|&(_, &key)| key)?;
            self.keys.swap_remove(slot);
            let m = self.moves[(key & ((1 << PLACE_BITS) - 1)) as usize];
            if self.table_move != Some(m) {
                return Some(m);
            }
        }
    }
}

/// Most valuable victim first, among equals the least valuable attacker.
#[inline]
fn noisy_score(m: Move) -> i32 {
    let victim = m.capture().map_or(0, material::value);
    let promoted = m.promotion().map_or(0, material::value);
    (victim + promoted) * 8 - m.role() as i32
}
