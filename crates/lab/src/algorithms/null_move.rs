//! **Null move** pruning, plain and verified.
//!
//! *Source:* "MiniMax puede ser mucho más inteligente", "Movimiento nulo" (Donninger 1993), and
//! for the verified form David-Tabibi and Netanyahu 2002. *Idea:* give the opponent a move for
//! nothing and search what follows R plies shallower. If the position is still too good for
//! them to allow it, a real move would be better yet, and the node is cut. Where passing would be the
//! best move (Zugzwang) this errs; the verified form searches one ply shallower instead of
//! cutting at once, and in full if that disagrees.

use super::scan::{Window, scan};
use crate::game::{INFINITE, Position};
use crate::watch::{Choice, Guess, Note, Watch};

/// The consequence of a null move that proves too good.
#[derive(Clone, Copy, PartialEq)]
enum Proof {
    /// A cut, at once.
    Trusted,
    /// A search one ply shallower.
    Verified,
}

/// The rule that a node goes by.
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
    value(root, Window::OPEN, depth, rule, watch)
}

/// Searches `depth` plies; a null move that is too good is verified.
pub fn search_verified(root: &Position, depth: u32, watch: &mut Watch) -> Choice {
    watch.count_for_mover();
    let rule = Rule { proof: Proof::Verified, may_pass: false };
    value(root, Window::OPEN, depth, rule, watch)
}

fn value(node: &Position, window: Window, depth: u32, rule: Rule, watch: &mut Watch) -> Choice {
    let moves = node.moves_to(depth);
    if moves.is_empty() {
        return watch.evaluate(node);
    }
    watch.window(window.alpha, window.beta);
    // The source goes on with NegaScout; plain alpha-beta here, to show the null move alone.
    let scan = |depth: u32, rule: Rule, watch: &mut Watch| {
        scan(node, &moves, window, Choice::LOWEST, watch, |_, child, window, watch| {
            value(child, window, depth - 1, rule, watch)
        })
    };
    let may_pass = rule.may_pass && !node.is_tense() && window.beta < INFINITE && depth > 1;
    if may_pass && let Some(passed) = node.pass() {
        let v = try_pass(&passed, window, depth, rule, watch);
        if v >= window.beta {
            if rule.proof == Proof::Trusted {
                watch.leave_out(Guess::NullMove, &moves);
                return Choice::of(v);
            }
            // Below a null move that is being verified, others are trusted.
            watch.note(Note::Verify);
            let trusted = Rule { proof: Proof::Trusted, may_pass: true };
            let shallow = scan(depth - 1, trusted, watch);
            if shallow.value >= window.beta {
                return shallow;
            }
            watch.note(Note::NotConfirmed);
            watch.window(window.alpha, window.beta);
        }
    }
    scan(depth, Rule { may_pass: true, ..rule }, watch)
}

/// The value of a null move for its mover: a window of no width around beta, R + 1 plies shallower.
fn try_pass(
    passed: &Position,
    Window { beta, .. }: Window,
    depth: u32,
    rule: Rule,
    watch: &mut Watch,
) -> i32 {
    let left = depth.saturating_sub(watch.constants.null_reduction as u32 + 1);
    watch.enter_pass();
    let no_pass = Rule { may_pass: false, ..rule };
    let v = -value(passed, Window { alpha: -beta, beta: 1 - beta }, left, no_pass, watch).value;
    watch.leave(v);
    v
}
