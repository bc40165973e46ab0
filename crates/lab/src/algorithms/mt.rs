//! **MT-SSS\*** and **MTD(f)**: SSS\* without its list, as a few calls of alpha-beta.
//!
//! *Source:* Plaat, Schaeffer, Pijls and de Bruin 1996. *Idea:* a search with a window of no
//! width answers only "more or less than this?", and a table keeps what it learned. Asking again
//! and again from +∞ downwards visits exactly the leaves that SSS\* visits, in the same order.
//! Asking first about a good guess, as MTD(f) does, needs fewer questions.

use std::collections::HashMap;

use crate::game::{INFINITE, Position, Value};
use crate::watch::{Bound, Choice, Pass, Watch};

/// Bounds of the value of a node searched to a given depth.
#[derive(Clone, Copy)]
struct Bounds {
    lower: Value,
    upper: Value,
}

type Table = HashMap<(u64, u32), Bounds>;

/// MT-SSS\*: the questions come from above.
pub fn search_sss(root: &Position, depth: u32, watch: &mut Watch) -> Choice {
    drive(root, INFINITE, depth, &mut Table::new(), watch)
}

/// MTD(f): each depth's first question is about the value two plies before.
pub fn search_mtd(root: &Position, depth: u32, watch: &mut Watch) -> Choice {
    let mut table = Table::new();
    let mut guesses = [0, 0];
    let mut found = Choice::of(0);
    for iteration in 0..=depth {
        let guess = guesses[iteration as usize % 2];
        found = drive(root, guess, iteration, &mut table, watch);
        guesses[iteration as usize % 2] = found.value;
    }
    found
}

/// Asks until the bounds meet.
fn drive(
    root: &Position,
    guess: Value,
    depth: u32,
    table: &mut Table,
    watch: &mut Watch,
) -> Choice {
    watch.count_for_mover();
    let (mut lower, mut upper) = (-INFINITE, INFINITE);
    let mut found = Choice::of(guess);
    while lower < upper {
        let beta = if found.value == lower { lower + 1 } else { found.value };
        watch.pass(Pass::Question(beta));
        let answer = mt(root, beta - 1, beta, depth, table, watch);
        watch.report(answer.value);
        if answer.value < beta {
            upper = answer.value;
            found.value = answer.value;
        } else {
            lower = answer.value;
            found = Choice { value: answer.value, best: answer.best.or(found.best) };
        }
    }
    found
}

/// MT: alpha-beta with memory.
fn mt(
    node: &Position,
    alpha: Value,
    beta: Value,
    depth: u32,
    table: &mut Table,
    watch: &mut Watch,
) -> Choice {
    let key = (node.key(), depth);
    let known = table.get(&key).copied();
    if let Some(bounds) = known {
        let known = [(bounds.lower, Bound::AtLeast), (bounds.upper, Bound::AtMost)];
        for ((value, bound), is_enough) in
            known.into_iter().zip([bounds.lower >= beta, bounds.upper <= alpha])
        {
            if is_enough {
                let is_exact = bounds.lower == bounds.upper;
                watch.hit(value, if is_exact { Bound::Exact } else { bound });
                return Choice::of(value);
            }
        }
    }
    let moves = node.moves_to(depth);
    let found = if moves.is_empty() {
        watch.evaluate(node)
    } else {
        watch.window(alpha, beta);
        let mut best = Choice::LOWEST;
        for (i, &m) in moves.iter().enumerate() {
            watch.enter(m);
            let value = -mt(&node.play(m), -beta, -alpha, depth - 1, table, watch).value;
            watch.leave(value);
            best.raise(value, m);
            if best.value >= beta {
                watch.cut_by_beta(beta, &moves[i + 1..]);
                break;
            }
        }
        best
    };
    let entry = table.entry(key).or_insert(Bounds { lower: -INFINITE, upper: INFINITE });
    let is_exact = moves.is_empty();
    if is_exact || found.value >= beta {
        entry.lower = found.value;
    }
    if is_exact || found.value < beta {
        entry.upper = found.value;
    }
    watch.memory(table.len());
    found
}
