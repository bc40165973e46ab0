//! **Null move** pruning, plain and verified.
//!
//! *Source:* "MiniMax puede ser mucho más inteligente", "Movimiento nulo" (Donninger 1993), and
//! for the verified form David-Tabibi and Netanyahu 2002. *Idea:* give the opponent a move for
//! nothing and search what follows R plies shallower. If the position is still too good for him
//! to allow it, a real move would be better yet, and the node is cut. Where passing would be the
//! best move (Zugzwang) this errs; the verified form searches one ply shallower instead of
//! cutting at once, and in full if that disagrees.

use crate::lab::game::{INFINITE, Position, Value};
use crate::lab::moves::Move;
use crate::lab::watch::{Choice, Cut, Watch};

/// Plies that the search after a null move is shallower by.
const R: u32 = 2;

/// What a null move that proves too good leads to.
#[derive(Clone, Copy, PartialEq)]
enum Proof {
    /// A cut, at once.
    Trusted,
    /// A search one ply shallower.
    Verified,
}

/// Where in the tree null moves may be made.
#[derive(Clone, Copy)]
struct Rule {
    proof: Proof,
    /// Never two null moves in a row, which would only shorten the search.
    may_pass: bool,
}

/// Searches `depth` plies; a null move that is too good cuts at once.
pub fn search(root: &Position, depth: u32, watch: &mut Watch) -> Choice {
    watch.count_for_mover();
    // The root must name a move, so it does not pass.
    let rule = Rule { proof: Proof::Trusted, may_pass: false };
    value(root, -INFINITE, INFINITE, depth, rule, watch)
}

/// Searches `depth` plies; a null move that is too good is verified.
pub fn search_verified(root: &Position, depth: u32, watch: &mut Watch) -> Choice {
    watch.count_for_mover();
    let rule = Rule { proof: Proof::Verified, may_pass: false };
    value(root, -INFINITE, INFINITE, depth, rule, watch)
}

fn value(
    node: &Position,
    alpha: Value,
    beta: Value,
    depth: u32,
    rule: Rule,
    watch: &mut Watch,
) -> Choice {
    let moves = node.moves_to(depth);
    if moves.is_empty() {
        return watch.evaluate(node);
    }
    watch.window(alpha, beta);
    let after = Rule { may_pass: true, ..rule };
    if rule.may_pass
        && !node.is_tense()
        && beta < INFINITE
        && depth > 1
        && let Some(passed) = node.pass()
    {
        let no_pass = Rule { may_pass: false, ..rule };
        let left = depth.saturating_sub(R + 1);
        let v = -watch.visit_pass(|w| value(&passed, -beta, -beta + 1, left, no_pass, w));
        if v >= beta {
            if rule.proof == Proof::Trusted {
                watch.cut(Cut::Guess("null move"), &moves);
                return Choice::of(v);
            }
            // Below a null move that is being verified, others are trusted.
            watch.note("null move too good: verified one ply shallower");
            let trusted = Rule { proof: Proof::Trusted, may_pass: true };
            let shallow = scan(node, &moves, (alpha, beta), depth - 1, trusted, watch);
            if shallow.value >= beta {
                return shallow;
            }
            watch.note("not confirmed: searched in full");
        }
    }
    scan(node, &moves, (alpha, beta), depth, after, watch)
}

/// The source's "continue with NegaScout/PVS"; plain alpha-beta here, to show the null move alone.
fn scan(
    node: &Position,
    moves: &[Move],
    (mut alpha, beta): (Value, Value),
    depth: u32,
    rule: Rule,
    watch: &mut Watch,
) -> Choice {
    let mut best = Choice::LOWEST;
    for (i, &m) in moves.iter().enumerate() {
        let child = node.play(m);
        let v = -watch.visit(m, |w| value(&child, -beta, -alpha, depth - 1, rule, w));
        best.raise(v, m);
        if best.value >= beta {
            watch.cut_by_beta(beta, &moves[i + 1..]);
            break;
        }
        alpha = alpha.max(best.value);
    }
    best
}
