//! The move picker: moves in stages, so that a cut-off spares the work of the later stages.
//!
//! Hash move, good captures by MVV-LVA and capture history, killers and countermove, quiet moves by
//! history, bad captures (those that lose material by SEE, or gain too little for their history).

use arrayvec::ArrayVec;
use shakmaty::{Move, MoveList};

use super::exchange;
use super::history::{Context, History, QuietHistory};
use crate::evaluation::material;
use crate::evaluation::variants::Variant;
use crate::rules::{CheckSquares, KeyedPosition, MoveCode};
use crate::search::parameters::Parameters;
use crate::search::table::TranspositionTable;

/// Most moves any position of any rule set can have.
const CAPACITY: usize = 512;
/// Low bits of a key that hold the move's place in the list.
const PLACE_BITS: u32 = 9;

/// Less than any move's key.
const SERVED: u32 = 0;

/// More than any capture scores, and less than half the room of a key: see [`Picker::score`].
const DECISIVE: i32 = 1 << 20;

/// Greatest loss by SEE of a check that deserves the bonus, in centipawns: less than a pawn.
const CHECK_LOSS_MAX: i32 = 75;

/// Quiet moves that refuted a sister node: two killers and the countermove.
pub type Refutations = [Option<Move>; 3];

/// The stages of a picker, in their order; those without moves of their own prepare the next.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Stage {
    /// The move of the transposition table.
    HashMove,
    /// No move.
    GenerateNoisy,
    /// Captures and promotions that do not lose material.
    GoodNoisy,
    /// A killer or the countermove, by its number.
    Refutation(usize),
    /// No move.
    GenerateQuiet,
    /// Quiet moves.
    Quiet,
    /// Captures that lose material.
    BadNoisy,
    /// No move.
    Done,
}

/// Serves the legal moves of one node, the most promising first, none twice.
pub struct Picker<'a> {
    stage: Stage,
    hash_move: Option<Move>,
    refutations: Refutations,
    /// Moves of the current stage.
    moves: MoveList,
    /// A key for each of them: its score, and below it its place, so that the best is a plain maximum. [`SERVED`] for
    /// moves that are not to come (again).
    keys: ArrayVec<u32, CAPACITY>,
    /// Bad captures, for the end.
    bad: ArrayVec<Move, 128>,
    quiets: bool,
    /// Targets of direct checks, once somebody has asked for them.
    check_squares: Option<CheckSquares>,
    /// True once of the quiet moves only direct checks are served.
    only_checks: bool,
    /// False where bad captures are left out: qsearch out of check.
    keeps_bad: bool,
    /// Gain by SEE that a good capture needs where bad ones are left out, in centipawns.
    least: i32,
    parameters: &'a Parameters,
}

impl<'a> Picker<'a> {
    /// All moves of a node.
    pub fn all(p: &'a Parameters, hash_move: Option<Move>, refutations: Refutations) -> Picker<'a> {
        Picker {
            stage: Stage::HashMove,
            hash_move,
            refutations,
            moves: MoveList::new(),
            keys: ArrayVec::new(),
            bad: ArrayVec::new(),
            quiets: true,
            check_squares: None,
            only_checks: false,
            keeps_bad: true,
            least: 0,
            parameters: p,
        }
    }

    /// The noisy moves that do not lose material, for qsearch out of check. `hash_move` must be noisy.
    pub fn noisy(p: &'a Parameters, hash_move: Option<Move>) -> Picker<'a> {
        Picker { quiets: false, keeps_bad: false, ..Picker::all(p, hash_move, [None; 3]) }
    }

    /// The noisy moves that gain at least `least` centipawns by SEE. `hash_move` must be one.
    pub fn gaining(p: &'a Parameters, hash_move: Option<Move>, least: i32) -> Picker<'a> {
        Picker { least, ..Picker::noisy(p, hash_move) }
    }

    /// Serves no further quiet moves.
    pub fn skip_quiets(&mut self) {
        self.quiets = false;
    }

    /// The targets of direct checks. They cost as much as a move, so they are found when a quiet move is hopeless, and
    /// once a node.
    #[inline]
    pub fn check_squares<P: Variant>(&mut self, position: &P) -> &CheckSquares {
        self.check_squares.get_or_insert_with(|| CheckSquares::new(position))
    }

    /// Serves no further quiet moves but direct checks. The rest would only be pruned one by one. Returns
    /// the targets of such checks.
    #[inline]
    pub fn only_checks<P: Variant>(&mut self, position: &P) -> &CheckSquares {
        let squares = self.check_squares.get_or_insert_with(|| CheckSquares::new(position));
        if !self.only_checks && self.stage == Stage::Quiet {
            for (key, &m) in self.keys.iter_mut().zip(&self.moves) {
                if !squares.checks_directly(position, m) {
                    *key = SERVED;
                }
            }
        }
        self.only_checks = true;
        squares
    }

    /// The next move with its stage, or `None` when all have been served. The entry of `table` that a move leads to is
    /// prefetched as soon as the move is chosen: with captures before their SEE, and so also with some that are not
    /// served yet or at all.
    pub fn next<P: Variant>(
        &mut self,
        keyed: &KeyedPosition<P>,
        history: &History,
        context: &Context,
        table: &TranspositionTable,
    ) -> Option<(Move, Stage)> {
        let prefetch = |m| table.prefetch(keyed.announced_key(m));
        loop {
            match self.stage {
                Stage::HashMove => {
                    self.stage = Stage::GenerateNoisy;
                    if let Some(m) = self.hash_move {
                        prefetch(m);
                        return Some((m, Stage::HashMove));
                    }
                }
                Stage::GenerateNoisy => {
                    keyed.position().noisy_moves(keyed.checkers(), &mut self.moves);
                    let (color, weight) = (keyed.turn(), self.parameters.capture_history);
                    self.score([None; 3], |m| {
                        let past = history.noisy(color, m) * weight / 1024;
                        noisy_score(keyed.position(), m) + past
                    });
                    self.stage = Stage::GoodNoisy;
                }
                Stage::GoodNoisy => {
                    let Some(m) = self.best() else {
                        self.stage =
                            if self.quiets { Stage::Refutation(0) } else { Stage::BadNoisy };
                        continue;
                    };
                    prefetch(m);
                    let least = self.least_gain(history.noisy(keyed.turn(), m));
                    if exchange::gains_at_least(keyed.position(), m, least) {
                        return Some((m, Stage::GoodNoisy));
                    }
                    // Beyond the capacity lie only positions no game has seen: serve those at once.
                    if self.keeps_bad && self.bad.try_push(m).is_err() {
                        return Some((m, Stage::BadNoisy));
                    }
                }
                Stage::Refutation(n) => {
                    self.stage = if n + 1 < self.refutations.len() {
                        Stage::Refutation(n + 1)
                    } else {
                        Stage::GenerateQuiet
                    };
                    if let Some(m) = self.refutation(n, keyed) {
                        prefetch(m);
                        return Some((m, Stage::Refutation(n)));
                    }
                }
                Stage::GenerateQuiet => {
                    self.stage = Stage::BadNoisy;
                    if self.quiets {
                        self.moves.clear();
                        keyed.position().quiet_moves(keyed.checkers(), &mut self.moves);
                        if let Some(squares) =
                            self.check_squares.as_ref().filter(|_| self.only_checks)
                        {
                            self.moves.retain(|m| squares.checks_directly(keyed.position(), *m));
                        }
                        let history = history.quiets(self.parameters, keyed.turn(), context);
                        self.score_quiets(keyed.position(), &history);
                        self.stage = Stage::Quiet;
                    }
                }
                Stage::Quiet => match self.best().filter(|_| self.quiets) {
                    Some(m) => {
                        prefetch(m);
                        return Some((m, Stage::Quiet));
                    }
                    None => self.stage = Stage::BadNoisy,
                },
                Stage::BadNoisy => {
                    // They are taken from the end: the first bad one, which was the best by MVV-LVA, must come first.
                    self.bad.reverse();
                    self.stage = Stage::Done;
                }
                Stage::Done => {
                    let m = self.bad.pop()?;
                    prefetch(m);
                    return Some((m, Stage::BadNoisy));
                }
            }
        }
    }

    /// The gain by SEE, in centipawns, from which on a capture with this history comes before the quiet moves: a
    /// loss is allowed where captures like it caused cut-offs, more than an even exchange asked for where they
    /// were tried in vain. qsearch out of check leaves out the captures that lose, whatever their history.
    /// Source: Stockfish.
    #[inline]
    fn least_gain(&self, past: i32) -> i32 {
        if self.keeps_bad {
            -past * self.parameters.capture_gain_history / 1024
        } else {
            self.least
        }
    }

    /// The refutation number `n`, if it is quiet, legal here and has not been served.
    fn refutation<P: Variant>(&mut self, n: usize, keyed: &KeyedPosition<P>) -> Option<Move> {
        let candidate = self.refutations[n].take()?;
        // A refutation comes from another position: it must be tested like any foreign move.
        let fresh = self.quiets
            && self.hash_move != Some(candidate)
            && !is_among(&self.refutations, candidate)
            && !keyed.position().is_noisy(candidate)
            && keyed.position().is_playable(keyed.checkers(), candidate);
        if fresh {
            self.refutations[n] = Some(candidate);
        }
        fresh.then_some(candidate)
    }

    /// Scores the quiet moves: by history, with a bonus for a direct check that loses little, because few replies have to
    /// be searched. Source: Stockfish.
    #[inline]
    fn score_quiets<P: Variant>(&mut self, position: &P, history: &QuietHistory) {
        let (served, bonus) = (self.refutations, self.parameters.check_bonus);
        if bonus == 0 {
            return self.score(served, |m| history.order(m));
        }
        let squares = self.check_squares.take().unwrap_or_else(|| CheckSquares::new(position));
        self.score(served, |m| {
            let is_good = squares.checks_directly(position, m)
                && exchange::gains_at_least(position, m, -CHECK_LOSS_MAX);
            history.order(m) + if is_good { bonus } else { 0 }
        });
        self.check_squares = Some(squares);
    }

    /// Scores the moves of the current stage, but the hash move and those `served` before.
    #[inline]
    fn score(&mut self, served: Refutations, score: impl Fn(Move) -> i32) {
        const HALF: i32 = 1 << (31 - PLACE_BITS);
        let [first, second, third] = served;
        let served = [self.hash_move, first, second, third]
            .map(|m| m.map_or(MoveCode::NONE, MoveCode::pack));
        self.keys.clear();
        for (place, &m) in self.moves.iter().enumerate() {
            // Codes are compared because they are integers: moves take ten times as long.
            let key = if served.contains(&MoveCode::pack(m)) {
                SERVED
            } else {
                // Unsigned, so that one comparison of words compares scores first and places after.
                let biased = (score(m) + HALF).clamp(1, 2 * HALF - 1) as u32;
                biased << PLACE_BITS | place as u32
            };
            self.keys.push(key);
        }
    }

    /// Takes the best move left of the current stage.
    #[inline]
    fn best(&mut self) -> Option<Move> {
        // A maximum alone is a few vector instructions, whatever is left. Its place in the list would take a loop.
        let key = self.keys.iter().fold(SERVED, |best, &key| best.max(key));
        if key == SERVED {
            return None;
        }
        let place = place(key);
        self.keys[place] = SERVED;
        Some(self.moves[place])
    }
}

/// The move's place in the list that a key packs below its score.
#[inline]
fn place(key: u32) -> usize {
    (key & ((1 << PLACE_BITS) - 1)) as usize
}

/// True if `m` is one of the refutations.
#[inline]
fn is_among(&[first, second, third]: &Refutations, m: Move) -> bool {
    first == Some(m) || second == Some(m) || third == Some(m)
}

/// MVV-LVA: moves that end the game first, then the most valuable victim, among equals the least
/// valuable attacker.
#[inline]
fn noisy_score<P: Variant>(position: &P, m: Move) -> i32 {
    let victim = m.capture().map_or(0, material::value::<P>);
    let promoted = m.promotion().map_or(0, material::value::<P>);
    let decisive = if position.is_decisive(m) { DECISIVE } else { 0 };
    // Eight is more than the roles there are: the attacker decides among equal victims only.
    (victim + promoted) * 8 - m.role() as i32 + decisive
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Rules;
    use shakmaty::fen::Fen;
    use shakmaty::{CastlingMode, Chess, Position};

    fn keyed(fen: &str) -> KeyedPosition<Chess> {
        KeyedPosition::new(
            fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap(),
        )
    }

    fn table() -> TranspositionTable {
        TranspositionTable::new(0).unwrap()
    }

    /// Counts leaves with moves served by the picker, refutations and hash move taken from
    /// wherever the walk has been: none may be lost, invented or served twice.
    fn perft(keyed: &KeyedPosition<Chess>, depth: usize, memory: &mut [Option<Move>; 4]) -> u64 {
        let [hash_move, first, second, third] = *memory;
        let hash_move = hash_move.filter(|&m| keyed.position().is_playable(keyed.checkers(), m));
        let p = Parameters::default();
        let mut picker = Picker::all(&p, hash_move, [first, second, third]);
        let history = History::default();
        let mut leaves = 0;
        while let Some((m, _)) = picker.next(keyed, &history, &Context::default(), &table()) {
            leaves += if depth == 1 { 1 } else { perft(&keyed.play(m), depth - 1, memory) };
            memory.rotate_right(1);
            memory[0] = Some(m);
        }
        leaves
    }

    #[test]
    fn no_move_is_lost_or_served_twice() {
        let cases = [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 4, 197_281),
            ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 3, 97_862),
            ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 4, 43_238),
            ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 3, 9_467),
            ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 3, 62_379),
        ];
        for (fen, depth, leaves) in cases {
            assert_eq!(perft(&keyed(fen), depth, &mut [None; 4]), leaves, "{fen}");
        }
    }

    #[test]
    fn qsearch_gets_only_captures_that_do_not_lose() {
        let keyed = keyed("4k3/8/4p3/3p4/5r2/2N3P1/8/3RK3 w - - 0 1");
        let p = Parameters::default();
        let mut picker = Picker::noisy(&p, None);
        let served: Vec<String> = std::iter::from_fn(|| {
            picker.next(&keyed, &History::default(), &Context::default(), &table())
        })
        .map(|(m, _)| m.to_uci(CastlingMode::Standard).to_string())
        .collect();
        assert_eq!(
            served,
            ["g3f4"],
            "a rook for nothing, but no guarded pawn: {:?}",
            keyed.position().board()
        );
    }

    #[test]
    fn history_decides_whether_an_even_capture_comes_before_the_quiet_moves() {
        let keyed = keyed("3rk3/8/8/8/8/8/8/3RK3 w - - 0 1");
        let rook_takes = Move::Normal {
            role: shakmaty::Role::Rook,
            from: shakmaty::Square::D1,
            capture: Some(shakmaty::Role::Rook),
            to: shakmaty::Square::D8,
            promotion: None,
        };
        let place = |bonus: i32| {
            let (p, mut history) = (Parameters::default(), History::default());
            history.update_noisy(keyed.turn(), rook_takes, bonus);
            let mut picker = Picker::all(&p, None, [None; 3]);
            let served =
                std::iter::from_fn(|| picker.next(&keyed, &history, &Context::default(), &table()));
            served.into_iter().position(|(m, _)| m == rook_takes)
        };
        assert_eq!(place(0), Some(0));
        assert_eq!(place(-1500), Some(keyed.position().legal_moves().len() - 1));
    }

    #[test]
    fn a_direct_check_comes_before_the_other_quiet_moves_unless_it_loses_the_piece() {
        let first = |fen: &str| {
            let (keyed, table) = (keyed(fen), table());
            // Without the malus for a move into an attack, which would hide what SEE says.
            let p = Parameters { check_bonus: 8000, escape_bonus: 0, ..Parameters::default() };
            let mut picker = Picker::all(&p, None, [None; 3]);
            let next = picker.next(&keyed, &History::default(), &Context::default(), &table);
            next.unwrap().0.to_uci(CastlingMode::Standard).to_string()
        };
        assert_eq!(first("4k3/2n5/8/8/8/8/8/R6K w - - 0 1"), "a1e1", "the knight guards a8");
        let neither = first("4k3/2n5/8/8/1b6/8/8/R6K w - - 0 1");
        assert!(!["a1a8", "a1e1"].contains(&neither.as_str()), "the bishop guards e1: {neither}");
    }

    #[test]
    fn the_best_come_first() {
        let keyed = keyed("4k3/8/8/3q4/4P3/2N5/8/4K2R w K - 0 1");
        let castle = Move::Castle { king: shakmaty::Square::E1, rook: shakmaty::Square::H1 };
        let p = Parameters::default();
        let mut picker = Picker::all(&p, None, [Some(castle), None, None]);
        let history = History::default();
        let order: Vec<Move> =
            std::iter::from_fn(|| picker.next(&keyed, &history, &Context::default(), &table()))
                .map(|(m, _)| m)
                .collect();
        assert_eq!(
            order[0].role(),
            shakmaty::Role::Pawn,
            "pawn takes queen before knight takes queen"
        );
        assert_eq!((order[1].role(), order[2]), (shakmaty::Role::Knight, castle));
        assert_eq!(order.len(), keyed.position().legal_moves().len());
    }
}
