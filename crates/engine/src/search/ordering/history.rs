//! History heuristic: results of earlier parts of the search, by move.
//!
//! A move that causes a cut-off gains, the moves tried before it lose. Source: Schaeffer, "The history
//! heuristic and alpha-beta search enhancements in practice", IEEE PAMI 11(11), 1989.

use shakmaty::{Color, Move, Role, Square};

use super::correction::CorrectionHistory;
use super::gravity::gravity;
use super::piece_target::{PIECE_TARGETS, PLAYED, PieceTarget, Played};
use crate::rules::Threats;
use crate::search::parameters::Parameters;

/// Greatest absolute value of an entry.
pub const HISTORY_MAX: i32 = 16_384;

const SQUARES: usize = 64;
/// Whether a move's origin is attacked, and whether its target is.
const THREATS: usize = 4;
/// Pawn structures that the pawn history tells apart; a power of two.
const PAWN_PLACES: usize = 1024;
/// None, and every role.
const VICTIMS: usize = 7;
/// Weights of an escape, pawn to king.
const ESCAPE_WEIGHTS: [i32; 6] = [0, 1, 1, 2, 3, 0];

/// Entries by origin and target.
type Butterfly = [[i16; SQUARES]; SQUARES];

/// One thread's history tables.
#[derive(Clone)]
pub struct History {
    /// Butterfly history, by colour, threats to origin and target, origin, target.
    butterfly: Box<[[Butterfly; THREATS]; 2]>,
    /// Continuation history, by an earlier move and this one.
    continuation: Box<[[i16; PIECE_TARGETS]]>,
    /// Pawn history, by the place of the pawns, then by move.
    pawns: Box<[[i16; PIECE_TARGETS]]>,
    /// Countermove: the quiet move that refuted a move.
    counter: Box<[Option<Move>; PIECE_TARGETS]>,
    /// Capture history, by capturing piece, target square and victim.
    captures: Box<[[i16; VICTIMS]; PIECE_TARGETS]>,
    /// Correction history: known errors of the static eval.
    pub corrections: CorrectionHistory,
}

impl Default for History {
    fn default() -> History {
        History {
            butterfly: Box::new([[[[0; SQUARES]; SQUARES]; THREATS]; 2]),
            continuation: vec![[0; PIECE_TARGETS]; PLAYED].into_boxed_slice(),
            pawns: vec![[0; PIECE_TARGETS]; PAWN_PLACES].into_boxed_slice(),
            counter: Box::new([None; PIECE_TARGETS]),
            captures: Box::new([[0; VICTIMS]; PIECE_TARGETS]),
            corrections: CorrectionHistory::default(),
        }
    }
}

/// The surroundings of a quiet move that its history depends on.
#[derive(Clone, Copy, Debug, Default)]
pub struct Context {
    /// The moves one, two, four and six plies ago, for continuation history.
    pub earlier: [Option<Played>; 4],
    /// The squares that the enemy attacks.
    pub threats: Threats,
    /// The place of the pawns in the pawn history.
    pub pawns: PawnPlace,
}

/// The place of a pawn structure in the pawn history.
#[derive(Clone, Copy, Debug, Default)]
pub struct PawnPlace(u16);

impl PawnPlace {
    /// The place of the pawns with this key.
    #[inline]
    pub fn new(key: u64) -> PawnPlace {
        PawnPlace((key % PAWN_PLACES as u64) as u16)
    }
}

impl Context {
    /// The threats to a move, 0 to 3: 2 if its origin is attacked, plus 1 if its target is.
    #[inline]
    fn threats_to(&self, route: Route) -> usize {
        let flees = !route.is_drop && self.threats.all.contains(route.from);
        usize::from(flees) * 2 + usize::from(self.threats.all.contains(route.to))
    }

    /// The weight of a move that escapes from the attack of a cheaper piece, 1 to 3 by the value of the
    /// moved one; negative for a move into such an attack.
    #[inline]
    fn escape(&self, route: Route) -> i32 {
        let attacked = self.threats.by_cheaper(route.role);
        let flees = !route.is_drop && attacked.contains(route.from);
        let weight = ESCAPE_WEIGHTS[route.role as usize - 1];
        weight * (i32::from(flees) - i32::from(attacked.contains(route.to)))
    }
}

/// The change of history after a cut-off.
#[derive(Clone, Copy, Debug)]
pub struct Credit {
    /// For the move that caused it.
    pub bonus: i32,
    /// Against the moves tried in vain.
    pub malus: i32,
    /// Share of the malus that each move tried later is spared, in per cent.
    pub malus_decay: i32,
}

/// Greatest share of the malus that a move is spared, in per cent.
const MALUS_DECAY_MAX: i32 = 80;

impl Credit {
    /// The credit of a cut-off at this depth, in plies. A deeper search proves more. A move tried in vain
    /// loses more than the best one gains: it stood too early in the order.
    #[inline]
    pub fn new(p: &Parameters, depth: i32) -> Credit {
        Credit {
            bonus: (p.history_bonus * depth).min(p.history_bonus_max),
            malus: (p.history_malus * depth).min(p.history_malus_max),
            malus_decay: p.history_malus_decay,
        }
    }

    /// The malus of the move tried at this place, from 0: a late one stood late already. Source: Reckless.
    #[inline]
    fn malus_at(&self, place: usize) -> i32 {
        let spared = (self.malus_decay * place as i32).min(MALUS_DECAY_MAX);
        self.malus - self.malus * spared / 100
    }
}

/// The continuation history of no move.
static NO_ROW: [i16; PIECE_TARGETS] = [0; PIECE_TARGETS];

/// The parts of the history that quiet moves of one node depend on.
pub struct QuietHistory<'a> {
    color: Color,
    context: &'a Context,
    escape_bonus: i32,
    butterfly: &'a [Butterfly; THREATS],
    continuation: [&'a [i16; PIECE_TARGETS]; 4],
    pawns: &'a [i16; PIECE_TARGETS],
    pawn_weight: i32,
}

impl QuietHistory<'_> {
    /// The history of a quiet move: the sum of five tables, each within ±[`HISTORY_MAX`], and a bonus for an
    /// escape from a cheaper piece.
    #[inline]
    pub fn of(&self, m: Move) -> i32 {
        let route = Route::of(m);
        let now = PieceTarget::new(self.color, route.role, route.to).index();
        let threats = self.context.threats_to(route);
        let butterfly = self.butterfly[threats][route.from as usize][route.to as usize];
        let continuation: i32 = self.continuation.iter().map(|row| i32::from(row[now])).sum();
        let escape = self.escape_bonus * self.context.escape(route);
        i32::from(butterfly) + continuation + escape
    }

    /// What the order of quiet moves goes by: their history, and that with these pawns. Source: Stockfish, 2023.
    #[inline]
    pub fn order(&self, m: Move) -> i32 {
        let pawns = self.pawns[PieceTarget::of(self.color, m).index()];
        self.of(m) + i32::from(pawns) * self.pawn_weight / 128
    }
}

impl History {
    /// Forgets everything. The tables stay allocated: allocating them again for every game would fragment the memory.
    pub fn clear(&mut self) {
        self.butterfly.as_flattened_mut().fill([[0; SQUARES]; SQUARES]);
        self.continuation.fill([0; PIECE_TARGETS]);
        self.pawns.fill([0; PIECE_TARGETS]);
        self.counter.fill(None);
        self.captures.fill([0; VICTIMS]);
        self.corrections.clear();
    }

    /// The history of the quiet moves of `color` in these surroundings.
    #[inline]
    pub fn quiets<'a>(
        &'a self,
        p: &Parameters,
        color: Color,
        context: &'a Context,
    ) -> QuietHistory<'a> {
        let row = |earlier: Option<Played>| {
            earlier.map_or(&NO_ROW, |earlier| &self.continuation[earlier.row()])
        };
        QuietHistory {
            color,
            context,
            escape_bonus: p.escape_bonus,
            butterfly: &self.butterfly[color as usize],
            continuation: context.earlier.map(row),
            pawns: &self.pawns[context.pawns.0 as usize],
            pawn_weight: p.pawn_history,
        }
    }

    /// The countermove of the move that led here.
    #[inline]
    pub fn counter(&self, context: &Context) -> Option<Move> {
        context.earlier[0].and_then(|earlier| self.counter[earlier.target.index()])
    }

    /// Updates the history after a quiet move that caused a cut-off: a bonus for it, a malus for those
    /// `tried` before.
    pub fn update_quiet(
        &mut self,
        color: Color,
        best: Move,
        tried: &[Move],
        context: &Context,
        credit: Credit,
    ) {
        if let Some(earlier) = context.earlier[0] {
            self.counter[earlier.target.index()] = Some(best);
        }
        self.adjust(color, best, context, credit.bonus);
        for (place, &m) in tried.iter().enumerate() {
            self.adjust(color, m, context, -credit.malus_at(place));
        }
    }

    /// Updates the history of a quiet move; `bonus` is negative if it was tried in vain.
    pub fn adjust(&mut self, color: Color, m: Move, context: &Context, bonus: i32) {
        self.adjust_butterfly(color, m, context, bonus);
        self.update_continuation(color, m, context, bonus);
        let pawns = &mut self.pawns[context.pawns.0 as usize];
        gravity(&mut pawns[PieceTarget::of(color, m).index()], bonus, HISTORY_MAX);
    }

    /// Updates the continuation history of a quiet move; `bonus` is negative if it was tried in vain.
    pub fn update_continuation(&mut self, color: Color, m: Move, context: &Context, bonus: i32) {
        let now = PieceTarget::of(color, m).index();
        for earlier in context.earlier.iter().flatten() {
            gravity(&mut self.continuation[earlier.row()][now], bonus, HISTORY_MAX);
        }
    }

    fn adjust_butterfly(&mut self, color: Color, m: Move, context: &Context, bonus: i32) {
        let route = Route::of(m);
        let threats = &mut self.butterfly[color as usize][context.threats_to(route)];
        gravity(&mut threats[route.from as usize][route.to as usize], bonus, HISTORY_MAX);
    }

    /// Updates the history of a quiet move by the static eval after it, which is `gain` centipawns better for
    /// its side than before. Bonus and malus have limits of their own. Source: Stockfish, 2020.
    pub fn update_by_eval(
        &mut self,
        p: &Parameters,
        color: Color,
        m: Move,
        context: &Context,
        gain: i32,
    ) {
        let bonus =
            (gain * p.eval_history).clamp(-p.eval_history_malus_max, p.eval_history_bonus_max);
        self.adjust_butterfly(color, m, context, bonus);
    }

    /// The history of a capture or promotion, within ±[`HISTORY_MAX`].
    #[inline]
    pub fn noisy(&self, color: Color, m: Move) -> i32 {
        i32::from(self.captures[PieceTarget::of(color, m).index()][victim(m)])
    }

    /// Updates the history of a capture or promotion; `bonus` is negative if it was tried in vain.
    pub fn update_noisy(&mut self, color: Color, m: Move, bonus: i32) {
        gravity(
            &mut self.captures[PieceTarget::of(color, m).index()][victim(m)],
            bonus,
            HISTORY_MAX,
        );
    }
}

#[inline]
fn victim(m: Move) -> usize {
    m.capture().map_or(0, |role| role as usize)
}

/// A move as history files it.
#[derive(Clone, Copy)]
struct Route {
    role: Role,
    /// The origin. A drop has none and is filed under one square per role.
    from: Square,
    to: Square,
    is_drop: bool,
}

impl Route {
    #[inline]
    fn of(m: Move) -> Route {
        // Nearly all moves: the others are kept out of the loop that scores the quiet ones.
        if let Move::Normal { role, from, to, .. } = m {
            return Route { role, from, to, is_drop: false };
        }
        Route::of_special(m)
    }

    fn of_special(m: Move) -> Route {
        let from = m.from().unwrap_or(match m.role() {
            Role::Pawn => Square::A1,
            Role::Knight => Square::B1,
            Role::Bishop => Square::C1,
            Role::Rook => Square::D1,
            Role::Queen | Role::King => Square::E1,
        });
        Route { role: m.role(), from, to: m.to(), is_drop: m.from().is_none() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::Board;

    fn quiet_move() -> Move {
        Move::Normal {
            role: Role::Knight,
            from: Square::G1,
            capture: None,
            to: Square::F3,
            promotion: None,
        }
    }

    #[test]
    fn a_cut_off_gains_and_never_overflows() {
        let (mut history, p) = (History::default(), Parameters::default());
        let m = quiet_move();
        let last = Played::new(PieceTarget::of(Color::Black, m), false, false);
        let earlier = [Some(last), None, None, None];
        let context = Context { earlier, ..Context::default() };
        for _ in 0..1000 {
            let credit = Credit { bonus: 2000, malus: 0, malus_decay: 0 };
            history.update_quiet(Color::White, m, &[], &context, credit);
        }
        let value = history.quiets(&p, Color::White, &context).of(m);
        assert!(value > 3 * HISTORY_MAX / 2 && value <= 2 * HISTORY_MAX, "{value}");
        assert_eq!(history.counter(&context), Some(m));
        assert_eq!(history.quiets(&p, Color::Black, &context).of(m), 0);
    }

    #[test]
    fn a_move_tried_in_vain_loses() {
        let (mut history, p) = (History::default(), Parameters::default());
        let other = Move::Normal {
            role: Role::Rook,
            from: Square::A1,
            capture: None,
            to: Square::B1,
            promotion: None,
        };
        let credit = Credit { bonus: 0, malus: 500, malus_decay: 0 };
        history.update_quiet(Color::White, quiet_move(), &[other], &Context::default(), credit);
        assert!(history.quiets(&p, Color::White, &Context::default()).of(other) < 0);
    }

    #[test]
    fn a_change_of_the_static_eval_counts_up_to_a_limit_for_either_sign() {
        let p = Parameters {
            eval_history_bonus_max: 500,
            eval_history_malus_max: 200,
            ..Parameters::default()
        };
        let after = |gain| {
            let (mut history, context) = (History::default(), Context::default());
            history.update_by_eval(&p, Color::White, quiet_move(), &context, gain);
            history.quiets(&p, Color::White, &context).of(quiet_move())
        };
        assert_eq!(after(10), 10 * p.eval_history);
        assert_eq!((after(900), after(-900)), (500, -200));
    }

    #[test]
    fn a_piece_flees_from_a_cheaper_one_but_not_towards_it() {
        let board = Board::from_ascii_board_fen(b"4k3/8/8/3p4/4N3/8/8/4K3").unwrap();
        let threats = Threats::of(&board, Color::Black);
        let context = Context { threats, ..Context::default() };
        let (history, p) = (History::default(), Parameters::default());
        let quiets = history.quiets(&p, Color::White, &context);
        let knight = |from, to| {
            let role = Role::Knight;
            quiets.of(Move::Normal { role, from, capture: None, to, promotion: None })
        };
        assert_eq!(knight(Square::E4, Square::G5), p.escape_bonus);
        assert_eq!(knight(Square::E4, Square::C4), 0);
        assert_eq!(knight(Square::D2, Square::C4), -p.escape_bonus);
    }
}
