//! **Heuristic continuation in two stages**, as the lectures tell it.
//!
//! *Source:* both lectures, "continuación heurística". *Idea:* first develop the tree level by level
//! down to the chosen depth, without a cut. Then choose a part of the terminal nodes by knowledge of
//! the game, such as a king in check or a pawn about to queen, and search only these deeper. The
//! values then go up as in minimax. The whole tree stands in memory, which is why
//! [`super::heuristic_continuation`] does the same depth first.

use super::alpha_beta;
use crate::game::{Position, Side, Value};
use crate::moves::Move;
use crate::watch::{Choice, Note, Watch};

/// A node that has been developed.
struct Inner {
    game: Position,
    path: Vec<Move>,
    parent: usize,
    /// The best child so far: its value for Max and the move.
    best: Option<(Value, Move)>,
}

/// A terminal node: its parent, the move that leads to it, and its value for Max.
struct Terminal {
    parent: usize,
    m: Move,
    value: Value,
    is_tense: bool,
    is_critical: bool,
}

/// Searches `depth` plies level by level, then the critical part of the terminal nodes deeper.
pub fn search(root: &Position, depth: u32, watch: &mut Watch) -> Choice {
    if root.moves_to(depth).is_empty() {
        return watch.evaluate(root);
    }
    let mut nodes = vec![Inner { game: root.clone(), path: Vec::new(), parent: 0, best: None }];
    let mut terminals = Vec::new();
    let mut level = 0..1;
    for left in (0..depth).rev() {
        for at in level.clone() {
            develop(at, left, &mut nodes, &mut terminals, watch);
        }
        level = level.end..nodes.len();
    }
    watch.memory(nodes.len() + terminals.len());
    continue_critical(&nodes, &mut terminals, watch);
    for terminal in &terminals {
        raise(&mut nodes, terminal.parent, terminal.value, terminal.m);
    }
    for at in (1..nodes.len()).rev() {
        let Inner { parent, best: Some((value, _)), path, .. } = &nodes[at] else { continue };
        let (Some(&m), parent, value) = (path.last(), *parent, *value) else { continue };
        watch.go(path);
        watch.report(value);
        raise(&mut nodes, parent, value, m);
    }
    watch.go(&[]);
    let best = nodes[0].best;
    best.map_or(Choice::LOWEST, |(value, m)| Choice { value, best: Some(m) })
}

/// Makes the children of a node; with nothing `left` below them they are terminal.
fn develop(
    at: usize,
    left: u32,
    nodes: &mut Vec<Inner>,
    terminals: &mut Vec<Terminal>,
    watch: &mut Watch,
) {
    let (parent, above) = (nodes[at].game.clone(), nodes[at].path.clone());
    for m in parent.moves() {
        let game = parent.play(m);
        let mut path = above.clone();
        path.push(m);
        watch.go(&path);
        watch.arrive();
        if game.moves_to(left).is_empty() {
            let value = watch.evaluate(&game).value;
            let (is_tense, is_critical) = (game.is_tense(), game.is_critical());
            // A finished game has nothing to continue.
            let is_critical = is_critical && !game.moves().is_empty();
            terminals.push(Terminal { parent: at, m, value, is_tense, is_critical });
        } else {
            nodes.push(Inner { game, path, parent: at, best: None });
        }
    }
}

/// Searches the chosen part of the terminal nodes deeper, those in danger first.
fn continue_critical(nodes: &[Inner], terminals: &mut [Terminal], watch: &mut Watch) {
    let plies = watch.constants.levels_plies as u32;
    // A share of a small tree is one node at least.
    let room = match watch.constants.levels_share as usize {
        0 => 0,
        share => (terminals.len() * share / 100).max(1),
    };
    let mut chosen: Vec<usize> =
        (0..terminals.len()).filter(|&at| terminals[at].is_critical).collect();
    chosen.sort_by_key(|&at| !terminals[at].is_tense);
    chosen.truncate(room);
    for at in chosen {
        let terminal = &mut terminals[at];
        let parent = &nodes[terminal.parent];
        let mut path = parent.path.clone();
        path.push(terminal.m);
        watch.go(&path);
        watch.note(Note::Critical);
        terminal.value = alpha_beta::search(&parent.game.play(terminal.m), plies, watch).value;
        watch.report(terminal.value);
    }
}

/// Gives a child's value to its parent, who keeps the best.
fn raise(nodes: &mut [Inner], at: usize, value: Value, m: Move) {
    let node = &mut nodes[at];
    let is_better = match (node.best, node.game.turn()) {
        (None, _) => true,
        (Some((best, _)), Side::Max) => value > best,
        (Some((best, _)), Side::Min) => value < best,
    };
    if is_better {
        node.best = Some((value, m));
    }
}
