//! **Minimax that depends on the opponent** ("MiniMax dependiente del adversario").
//!
//! *Source:* "MiniMax puede ser mucho más inteligente", after Berliner 1977. *Idea:* minimax
//! supposes an opponent who never errs. Here they find the best move with a given chance only, and
//! else play any of the others. Between two lost positions this prefers the one where an error
//! saves us, even if it is the worse one against perfect play.
//!
//! A mean needs numbers that can be added. A won game counts in it as a fixed gain, so that the
//! mean stays an evaluation; if every reply wins for the same player, the game is won.

use crate::game::{Position, Value, WIN};
use crate::watch::{Choice, Note, Watch};

/// A won game in a mean, in the game's units: more than any material.
const WIN_IN_A_MEAN: Value = 50;

/// Searches every node to `depth` plies.
pub fn search(root: &Position, depth: u32, watch: &mut Watch) -> Choice {
    watch.count_for_mover();
    value(root, depth, true, watch)
}

fn value(node: &Position, depth: u32, is_ours: bool, watch: &mut Watch) -> Choice {
    let moves = node.moves_to(depth);
    if moves.is_empty() {
        return watch.evaluate(node);
    }
    let mut best = Choice::LOWEST;
    let mut values = Vec::new();
    for &m in &moves {
        watch.enter(m);
        let v = -value(&node.play(m), depth - 1, !is_ours, watch).value;
        watch.leave(v);
        best.raise(v, m);
        values.push(v);
    }
    let is_sure = values.iter().all(|&v| is_won(v)) || values.iter().all(|&v| is_won(-v));
    if is_ours || moves.len() == 1 || is_sure {
        return best;
    }
    watch.note(Note::Weighed);
    let errors = i64::from(watch.constants.opponent_errors);
    Choice { value: mean(&values, best.value, errors, node.unit()), ..best }
}

fn is_won(value: Value) -> bool {
    value > WIN / 2
}

/// The opponent's gain on average: mostly the best move's value, in `errors` per cent another's.
fn mean(values: &[Value], best: Value, errors: i64, unit: Value) -> Value {
    let limit = WIN_IN_A_MEAN * unit;
    let as_number = |value: Value| i64::from(value.clamp(-limit, limit));
    let sum: i64 = values.iter().map(|&value| as_number(value)).sum();
    let others = (sum - as_number(best)) / (values.len() as i64 - 1).max(1);
    ((as_number(best) * (100 - errors) + others * errors) / 100) as Value
}
