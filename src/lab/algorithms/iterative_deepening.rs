//! **Iterative deepening** ("bajada progresiva") with a table and killer moves.
//!
//! *Source:* both lectures; Akl and Newborn 1977 for the killers. *Idea:* search one ply deep,
//! then two, and so on, so that there is a move to play whenever time is up. Each round leaves
//! its best moves in a table, and the next looks at them first, as it does at killers, moves that
//! cut off a brother. The good order saves more than the earlier rounds cost.

use std::collections::HashMap;

use crate::lab::game::{INFINITE, Position, Value};
use crate::lab::moves::Move;
use crate::lab::watch::{Choice, Watch};

/// What a value in the table says.
#[derive(Clone, Copy, PartialEq)]
enum Bound {
    Exact,
    Lower,
    Upper,
}

#[derive(Clone, Copy)]
struct Entry {
    depth: u32,
    found: Choice,
    bound: Bound,
}

/// What outlives a round.
struct Memory {
    table: HashMap<u64, Entry>,
    /// Two moves a ply.
    killers: Vec<[Option<Move>; 2]>,
}

/// Searches 1, 2 … `depth` plies.
pub fn search(root: &Position, depth: u32, watch: &mut Watch) -> Choice {
    watch.count_for_mover();
    let killers = vec![[None; 2]; depth as usize + 1];
    let mut memory = Memory { table: HashMap::new(), killers };
    let mut found = Choice::of(0);
    for round in depth.min(1)..=depth {
        watch.note("one ply deeper");
        found = value(root, -INFINITE, INFINITE, round, &mut memory, watch);
    }
    found
}

fn value(
    node: &Position,
    mut alpha: Value,
    beta: Value,
    depth: u32,
    memory: &mut Memory,
    watch: &mut Watch,
) -> Choice {
    let known = memory.table.get(&node.key()).copied();
    // Only the same depth: a deeper value would be better, but it would not be minimax's.
    if let Some(entry) = known.filter(|entry| entry.depth == depth) {
        let is_enough = match entry.bound {
            Bound::Exact => true,
            Bound::Lower => entry.found.value >= beta,
            Bound::Upper => entry.found.value <= alpha,
        };
        if is_enough {
            watch.hit(entry.found.value);
            return entry.found;
        }
    }
    let mut moves = node.moves_to(depth);
    if moves.is_empty() {
        return watch.evaluate(node);
    }
    let ply = watch.ply() as usize;
    let table_move = known.and_then(|entry| entry.found.best);
    moves.sort_by_key(|&m| (Some(m) != table_move, !memory.killers[ply].contains(&Some(m))));
    watch.window(alpha, beta);
    let mut best = Choice::LOWEST;
    let asked = alpha;
    for (i, &m) in moves.iter().enumerate() {
        let child = node.play(m);
        let v = -watch.visit(m, |watch| value(&child, -beta, -alpha, depth - 1, memory, watch));
        best.raise(v, m);
        if best.value >= beta {
            watch.cut_by_beta(beta, &moves[i + 1..]);
            let killers = &mut memory.killers[ply];
            if killers[0] != Some(m) {
                *killers = [Some(m), killers[0]];
            }
            break;
        }
        alpha = alpha.max(best.value);
    }
    let bound = match best.value {
        v if v >= beta => Bound::Lower,
        v if v <= asked => Bound::Upper,
        _ => Bound::Exact,
    };
    memory.table.insert(node.key(), Entry { depth, found: best, bound });
    best
}
