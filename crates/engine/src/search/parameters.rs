//! The tunable parameters of the search, each declared once: name, default, range, tuning step.
//!
//! The search reads them from a plain struct. `engine --tune` offers each of them as a UCI
//! option, so that a tuner, or a match with one technique switched off, needs no
//! recompilation. A technique is switched off by a depth outside every search, or by 0 where it is a bonus or an extension.
//!
//! `docs/log/search.md` has the games that chose the values.

/// One parameter, as a tuner sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tunable {
    /// The field's name.
    pub name: &'static str,
    /// The default value.
    pub default: i32,
    /// Least sensible value.
    pub min: i32,
    /// Greatest sensible value.
    pub max: i32,
    /// Step of a tuning run.
    pub step: i32,
}

impl Tunable {
    /// True if `value` lies in the range.
    pub fn contains(&self, value: f64) -> bool {
        (f64::from(self.min)..=f64::from(self.max)).contains(&value)
    }
}

macro_rules! parameters {
    ($($(#[$doc:meta])* $name:ident = $default:literal in $min:literal..=$max:literal step $step:literal;)*) => {
        /// The search's parameters. Margins are centipawns, depths plies.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct Parameters {
            $($(#[$doc])* pub $name: i32,)*
        }

        impl Default for Parameters {
            fn default() -> Parameters {
                Parameters { $($name: $default,)* }
            }
        }

        /// All parameters, in the order of their declaration.
        pub const TUNABLES: &[Tunable] = &[
            $(Tunable { name: stringify!($name), default: $default, min: $min, max: $max, step: $step },)*
        ];

        impl Parameters {
            /// Sets a parameter by name. Returns false, and changes nothing, for an unknown name
            /// or a value out of range.
            pub fn set(&mut self, name: &str, value: i32) -> bool {
                match name {
                    $(stringify!($name) if ($min..=$max).contains(&value) => self.$name = value,)*
                    _ => return false,
                }
                true
            }
        }
    };
}

parameters! {
    /// First half-width of the aspiration window.
    aspiration_width = 12 in 5..=200 step 4;
    /// Least iteration that uses an aspiration window.
    aspiration_depth = 4 in 1..=99 step 1;

    /// Greatest depth of reverse futility pruning (RFP).
    reverse_futility_depth = 8 in 0..=20 step 1;
    /// Margin of RFP per ply.
    reverse_futility_margin = 60 in 20..=250 step 8;
    /// Greatest depth of razoring.
    razoring_depth = 3 in 0..=10 step 1;
    /// Margin of razoring per ply.
    razoring_margin = 250 in 50..=600 step 25;

    /// Plies that the TT entry of a ProbCut may be too shallow; −1: none.
    probcut_depth = 4 in -1..=10 step 1;
    /// Margin of ProbCut above beta.
    probcut_margin = 200 in 50..=600 step 20;

    /// Least depth of ProbCut by a search; 99: never.
    probcut_search_depth = 3 in 2..=99 step 1;
    /// Margin of ProbCut by a search above beta.
    probcut_search_margin = 220 in 50..=600 step 20;
    /// What this margin is smaller where the position improves.
    probcut_search_improving = 70 in 0..=300 step 10;

    /// Least depth of null-move pruning (NMP).
    null_move_depth = 3 in 1..=99 step 1;
    /// Least reduction of a null move.
    null_move_reduction = 5 in 1..=6 step 1;
    /// Plies of depth that add one to the null move's reduction.
    null_move_divisor = 3 in 2..=10 step 1;
    /// Centipawns above beta that the static eval itself must be for a null move, eight less for every ply of depth; 0: the
    /// better bound of the TT is enough.
    null_move_eval_margin = 130 in 0..=400 step 10;
    /// Centipawns above beta that add one to the null move's reduction.
    null_move_margin = 130 in 50..=500 step 20;
    /// Least depth at which a null-move cut-off is verified.
    null_move_verification = 14 in 1..=99 step 1;

    /// Greatest depth of late-move pruning (LMP).
    late_move_pruning_depth = 8 in 0..=20 step 1;
    /// Moves that LMP always leaves where the position improves, captures counted.
    late_move_pruning_base = 5 in 1..=12 step 1;
    /// Share of them that it leaves where the position does not improve, in per cent.
    late_move_pruning_share = 35 in 10..=100 step 5;
    /// 1: it leaves all of them where the static eval is above alpha, too.
    late_move_pruning_alpha = 1 in 0..=1 step 1;
    /// Greatest reduced depth of futility pruning; −1: none.
    futility_depth = 8 in -1..=20 step 1;
    /// Margin of futility pruning at depth 0.
    futility_base = 100 in 0..=400 step 20;
    /// Margin of futility pruning per ply.
    futility_margin = 90 in 20..=300 step 10;
    /// Greatest depth of futility pruning of captures that lose material; −1: none.
    bad_capture_depth = 10 in -1..=20 step 1;
    /// Margin of futility pruning of such captures at depth 0.
    bad_capture_base = 60 in 0..=400 step 20;
    /// Margin of futility pruning of such captures per ply.
    bad_capture_margin = 80 in 20..=300 step 10;
    /// Capture history that is worth a centipawn of this margin.
    bad_capture_history = 20 in 5..=200 step 5;
    /// Greatest depth of pruning by static exchange evaluation (SEE); −1: none.
    exchange_pruning_depth = 8 in -1..=20 step 1;
    /// Greatest depth at which the history of a quiet move counts for its pruning.
    history_pruning_depth = 10 in 0..=20 step 1;
    /// History of a quiet move that is worth one ply of depth for its pruning.
    history_pruning_ply = 8000 in 2000..=30000 step 500;
    /// Loss that a quiet move may make in the exchange, times the square of the reduced depth.
    exchange_quiet_margin = 20 in 5..=80 step 3;
    /// Loss that a capture may make in the exchange, per ply.
    exchange_noisy_margin = 130 in 20..=300 step 10;

    /// Least depth of internal iterative reductions (IIR).
    iir_depth = 6 in 2..=99 step 1;
    /// Least depth of IIR in a PV node.
    iir_pv_depth = 4 in 2..=99 step 1;
    /// Least depth of late-move reductions (LMR).
    reduction_depth = 2 in 1..=99 step 1;
    /// LMR of quiet moves: constant part, in 1024ths of a ply.
    reduction_base = 800 in 0..=2048 step 80;
    /// LMR: factor of ln(depth) · ln(move count), in 1024ths of a ply.
    reduction_factor = 490 in 200..=900 step 30;
    /// Further reduction in a node that is expected to fail high, in 1024ths of a ply.
    reduction_cut_node = 1024 in 0..=3072 step 100;
    /// Further reduction in such a node if no hash move is known, in 1024ths of a ply.
    reduction_no_hash_move = 1024 in 0..=3072 step 100;
    /// Further reduction in a node where every move should fail low, in 1024ths of the whole divided by depth + 1.
    reduction_all_node = 1024 in 0..=4096 step 128;
    /// Further reduction of quiet moves where the hash move is a capture or promotion, in 1024ths of a ply.
    reduction_noisy_hash_move = 700 in 0..=2048 step 100;
    /// Further reduction when the position is not improving, in 1024ths of a ply.
    reduction_not_improving = 1000 in 0..=2048 step 100;
    /// Smaller reduction in a PV node, in 1024ths of a ply.
    reduction_pv = 1800 in 0..=3072 step 100;
    /// Smaller reduction in a node that is or was on a PV, in 1024ths of a ply.
    reduction_tt_pv = 512 in 0..=3072 step 100;
    /// Smaller reduction there, where the score of the TT is above alpha, in 1024ths of a ply.
    reduction_tt_above = 600 in 0..=3072 step 100;
    /// Greater reduction there, where it is not, in 1024ths of a ply.
    reduction_tt_below = 700 in 0..=3072 step 100;
    /// Smaller reduction there, where that score is as deep as this search, in 1024ths of a ply.
    reduction_tt_deep = 650 in 0..=3072 step 100;
    /// Smaller reduction of a killer or countermove, in 1024ths of a ply.
    reduction_refutation = 1024 in 0..=3072 step 100;
    /// Smaller reduction of a move that gives check, in 1024ths of a ply.
    reduction_check = 1024 in 0..=3072 step 100;
    /// Further reduction where an earlier move has raised alpha, in 1024ths of a ply.
    reduction_raised = 1024 in 0..=3072 step 100;
    /// Cut-offs below earlier moves above which the next move will be refuted, too.
    many_cutoffs = 3 in 0..=12 step 1;
    /// Further reduction after many cut-offs below earlier moves, in 1024ths of a ply.
    reduction_cutoffs = 800 in 0..=2048 step 100;
    /// Smaller reduction per centipawn of the static eval's correction, in 1024ths of a ply.
    reduction_correction = 12 in 0..=60 step 2;
    /// History that is worth one ply of reduction.
    reduction_history = 10500 in 2000..=30000 step 500;
    /// Capture history that is worth one ply of reduction.
    reduction_capture_history = 12000 in 2000..=60000 step 1000;
    /// Centipawns above alpha, after a reduced search, that are worth a ply more.
    research_deeper = 60 in 0..=300 step 5;
    /// Centipawns above alpha, after a reduced search, that must be reached to be worth a full ply.
    research_shallower = 10 in 0..=100 step 3;

    /// Greatest depth at which a move that gives check and loses nothing is searched one ply deeper; 0: none.
    check_extension_depth = 4 in 0..=99 step 1;
    /// Least reduction of a move, in plies, after which the static eval may give one ply back; 99: never.
    hindsight_reduction = 2 in 1..=99 step 1;
    /// Least reduction of a move, in plies, after which the static eval may take a ply off; 99: never.
    hindsight_less = 2 in 1..=99 step 1;
    /// Centipawns that the static eval must have got better for the side to move, for that ply to be taken off.
    hindsight_margin = 100 in 0..=400 step 10;
    /// Plies of the one-reply extension.
    one_reply_extension = 1 in 0..=1 step 1;
    /// Plies of the recapture extension on the PV.
    recapture_extension = 1 in 0..=1 step 1;
    /// Least depth of the singular extension.
    singular_depth = 5 in 4..=99 step 1;
    /// Plies that the TT entry of a singular extension may be too shallow.
    singular_entry_depth = 3 in 0..=8 step 1;
    /// Margin of the singular extension per ply, in 1024ths of a centipawn, where the score of the TT is a lower bound.
    singular_margin = 2048 in 256..=6144 step 256;
    /// The same where that score is exact.
    singular_margin_exact = 512 in 0..=6144 step 256;
    /// What this margin has more off the PV where the node was on one.
    singular_margin_tt_pv = 1024 in 0..=6144 step 256;
    /// Centipawns below the singular extension's bound from which on a move is extended by two plies.
    double_margin = 12 in 0..=1000 step 3;
    /// Greatest number of double extensions in a line.
    double_max = 7 in 0..=60 step 1;
    /// Plies by which a hash move is reduced that is not singular though its score reaches beta; on the PV one less.
    negative_extension = 3 in 0..=3 step 1;
    /// Plies by which any other hash move is reduced that is not singular, in a node that is expected to fail high.
    negative_extension_cut_node = 2 in 0..=3 step 1;

    /// Margin of delta pruning in qsearch.
    delta_margin = 200 in 20..=5000 step 20;
    /// Captures of a node after which qsearch searches only those that take back, promote or give check; 99: all of them.
    quiescence_captures = 3 in 1..=99 step 1;
    /// Plies to which qsearch follows captures before it evaluates a position as it is; 99: to their end.
    qsearch_plies = 99 in 0..=99 step 1;

    /// Weight of the correction by pawns, in 128ths.
    correction_pawns = 100 in 0..=400 step 16;
    /// Weight of the corrections by each side's pieces, in 128ths.
    correction_pieces = 80 in 0..=400 step 16;
    /// Weight of the correction by minor pieces, in 128ths.
    correction_minor = 64 in 0..=400 step 16;
    /// Weight of the correction by major pieces, in 128ths.
    correction_major = 48 in 0..=400 step 16;
    /// Weight of the correction by the last move, in 128ths.
    correction_moves = 70 in 0..=400 step 16;
    /// Weight of the correction by the last move and the one two plies ago, in 128ths.
    correction_two = 80 in 0..=400 step 16;
    /// Weight of the correction by the last move and the one four plies ago, in 128ths.
    correction_four = 64 in 0..=400 step 16;
    /// Greatest optimism, in centipawns: what the side that stands better thinks of a full board.
    optimism = 12 in 0..=100 step 4;
    /// 1: a side that can go back to an earlier position of the line has a draw at least.
    repetition_ahead = 1 in 0..=1 step 1;

    /// Share of the static eval that is taken off when the fifty-move rule ends the game, in per cent; less before, in
    /// proportion.
    fifty_move_damping = 50 in 0..=100 step 5;
    /// Earlier moves that continuation history counts: those one, two, four and six plies ago.
    continuation_moves = 4 in 2..=4 step 1;
    /// 1: continuation history is kept apart by whether the earlier move answered a check, and whether it was a capture.
    continuation_settings = 1 in 0..=1 step 1;
    /// Weight of the pawn history in the order of quiet moves, in 128ths.
    pawn_history = 208 in 0..=512 step 16;
    /// Plies that count more for the history of a cut-off that the static eval did not promise.
    history_surprise = 1 in 0..=3 step 1;
    /// Weight of the capture history in the order of captures, in 1024ths.
    capture_history = 32 in 0..=128 step 8;
    /// Weight of the capture history in the gain by SEE that a good capture needs, in 1024ths of a centipawn.
    capture_gain_history = 8 in 0..=64 step 2;
    /// Order of quiet moves: bonus for a minor piece that leaves the attack of a cheaper one; a rook's is
    /// twice, a queen's three times as great.
    escape_bonus = 5000 in 0..=20000 step 500;
    /// Order of quiet moves: bonus for a direct check that loses little.
    check_bonus = 8000 in 0..=32000 step 500;
    /// History bonus per centipawn that a quiet move improved the static eval.
    eval_history = 8 in 0..=40 step 1;
    /// Greatest history bonus for a better static eval.
    eval_history_bonus_max = 500 in 0..=4000 step 50;
    /// Greatest history malus for a worse static eval.
    eval_history_malus_max = 200 in 0..=4000 step 50;
    /// Growth of the history bonus per ply of depth for the move before a fail-low, at a surprise of 128.
    history_prior_bonus = 200 in 0..=600 step 10;
    /// Growth of a history malus per ply of depth.
    history_malus = 250 in 20..=500 step 15;
    /// Greatest history malus.
    history_malus_max = 1500 in 300..=4000 step 100;
    /// Share of the malus that each move tried later is spared, in per cent.
    history_malus_decay = 5 in 0..=40 step 1;
    /// Growth of a history bonus per ply of depth.
    history_bonus = 210 in 20..=400 step 15;
    /// Greatest history bonus.
    history_bonus_max = 1500 in 300..=4000 step 100;
}

/// A depth outside every search: it switches a technique off.
const NEVER: i32 = 99;

/// More captures than a node has.
const ALL: i32 = 99;

impl Parameters {
    /// Full width: no forward pruning, no reductions, no extensions and no corrections of the evaluation.
    /// Every move is searched to the same depth, and then the captures as far as `qsearch_plies` says.
    pub fn full_width(self) -> Parameters {
        Parameters {
            reverse_futility_depth: 0,
            razoring_depth: 0,
            probcut_depth: -1,
            probcut_search_depth: NEVER,
            null_move_depth: NEVER,
            null_move_eval_margin: 0,
            late_move_pruning_depth: 0,
            futility_depth: -1,
            bad_capture_depth: -1,
            exchange_pruning_depth: -1,
            iir_depth: NEVER,
            iir_pv_depth: NEVER,
            reduction_depth: NEVER,
            check_extension_depth: 0,
            one_reply_extension: 0,
            recapture_extension: 0,
            singular_depth: NEVER,
            quiescence_captures: ALL,
            correction_pawns: 0,
            correction_pieces: 0,
            correction_minor: 0,
            correction_major: 0,
            correction_moves: 0,
            correction_two: 0,
            correction_four: 0,
            optimism: 0,
            repetition_ahead: 0,
            fifty_move_damping: 0,
            // Refinements of the order that were chosen in a selective search. Without them the levels play as they
            // did when games placed them.
            continuation_moves: 3,
            continuation_settings: 0,
            pawn_history: 0,
            history_surprise: 0,
            history_prior_bonus: 0,
            history_malus_decay: 0,
            check_bonus: 0,
            eval_history_bonus_max: 1200,
            eval_history_malus_max: 1200,
            ..self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_default_lies_in_its_range() {
        let mut parameters = Parameters::default();
        for tunable in TUNABLES {
            assert!(parameters.set(tunable.name, tunable.default), "{}", tunable.name);
            assert!(!parameters.set(tunable.name, tunable.max + 1), "{}", tunable.name);
        }
        assert_eq!(parameters, Parameters::default());
        assert!(!parameters.set("no such parameter", 1));
    }
}
