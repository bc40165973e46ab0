//! Trees you can look at: the searched tree as SVG and as Graphviz dot, in the manner of the
//! lectures' figures.
//!
//! Max's nodes are white and square, Min's grey and round. The principal variation is thick. Branches
//! that were cut off are dashed, crossed out, and marked with the bound that cut them. A bound is
//! marked with ≤ or ≥. Each pass over the tree has a frame of its own. Subtrees are folded until the
//! picture fits a slide, those off the principal variation and far from the root first.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt::Write;

use super::game::{Board, BoardKind, Side, Value};
use super::record::Record;
use super::snapshot::{State, snapshot};
use super::texts::Texts;
use super::watch::{Bound, Cut, Guess};
use shell::page::{PIECES, escape};

/// The widest picture in pixels, unless a single path is wider.
const WIDEST: f64 = 1600.0;
/// Numbers of nodes to show, and of children of one node, tried in turn until the picture is narrow
/// enough.
const SHOWN: [(usize, usize); 14] = [
    (300, 10),
    (220, 10),
    (160, 10),
    (120, 9),
    (90, 8),
    (70, 7),
    (55, 6),
    (44, 5),
    (36, 5),
    (30, 4),
    (24, 4),
    (18, 3),
    (12, 3),
    (8, 2),
];
/// Most passes that are drawn.
const MAX_PASSES: usize = 12;

/// Pixels: the narrowest box, a letter of each size, a box's height, the gap between boxes, a ply,
/// the margin, the legend, a frame's title, the same without a
/// title, and a board.
const NARROW: f64 = 46.0;
const LETTER: f64 = 8.6;
const SMALL_LETTER: f64 = 6.3;
const HEIGHT: f64 = 38.0;
const GAP: f64 = 10.0;
const PLY: f64 = 108.0;
const MARGIN: f64 = 32.0;
const LEGEND: f64 = 76.0;
const TITLE: f64 = 58.0;
const SINGLE: f64 = 24.0;
const NARROWEST: f64 = 780.0;
const BOARD: f64 = 72.0;

/// Wishes for a picture.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Look {
    /// The last ply that is shown; none: as deep as there is room.
    pub fold: Option<usize>,
    /// True to draw the board in every node.
    pub has_boards: bool,
    /// True to leave out what the search found: an exercise.
    pub is_task: bool,
}

/// A drawing of a recorded search.
pub struct Drawing<'a> {
    record: &'a Record,
    texts: &'a Texts,
    look: Look,
    title: String,
    variation: BTreeSet<usize>,
    line: Vec<usize>,
}

/// A node's place in a frame.
struct Placed {
    node: usize,
    parent: Option<(f64, f64)>,
    at: (f64, f64),
    /// The end of the branches to brothers that are not shown, and their number.
    rest: Option<(f64, usize)>,
    /// The ends of the branches that were cut off.
    cuts: Vec<f64>,
}

/// One pass, laid out.
struct Layout<'a> {
    drawing: &'a Drawing<'a>,
    states: BTreeMap<usize, State>,
    open: BTreeSet<usize>,
    /// Most children of a node that are shown.
    brothers: usize,
    placed: Vec<Placed>,
    width: f64,
    height: f64,
}

impl<'a> Drawing<'a> {
    /// A drawing of `record` with a title.
    pub fn new(record: &'a Record, texts: &'a Texts, title: String, look: Look) -> Drawing<'a> {
        let line = record.principal_variation();
        let variation = line.iter().copied().filter(|_| !look.is_task).collect();
        Drawing { record, texts, look, title, variation, line }
    }

    fn value(&self, value: Value) -> String {
        self.record.show(self.texts, value)
    }

    /// The tree as an SVG picture, one frame a pass.
    pub fn svg(&self) -> String {
        let passes = self.record.passes();
        let drawn = passes.len().min(MAX_PASSES);
        let frames: Vec<Layout> =
            passes[..drawn].iter().map(|(_, range)| self.fitting(range.clone())).collect();
        let width = frames.iter().map(|frame| frame.width).fold(NARROWEST, f64::max);
        let title = if passes.len() > 1 { TITLE } else { SINGLE };
        let heights: f64 = frames.iter().map(|frame| frame.height + title).sum();
        let height = LEGEND + heights + MARGIN;
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
             viewBox=\"0 0 {width:.0} {height:.0}\" font-family=\"sans-serif\" font-size=\"14\" \
             role=\"img\" aria-label=\"{}\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
            escape(&self.title)
        );
        if self.look.has_boards {
            svg += PIECES;
        }
        svg += &self.legend();
        let mut top = LEGEND;
        for (number, (frame, (line, _))) in frames.iter().zip(&passes).enumerate() {
            if passes.len() > 1 {
                let text = line.as_ref().map(|line| self.texts.say(line)).unwrap_or_default();
                let (number, count) = ((number + 1).to_string(), passes.len().to_string());
                let args = [("number", &*number), ("count", &*count), ("text", &*text)];
                let text = self.texts.fill("drawing.pass", &args);
                svg += &svg_line((MARGIN, top + 4.0), (width - MARGIN, top + 4.0), THIN);
                svg += &svg_text((MARGIN, top + 24.0), "font-weight=\"bold\"", &text);
            }
            let shift = ((width - frame.width) / 2.0).max(0.0);
            // Writing to a string cannot fail.
            let _ = writeln!(svg, "<g transform=\"translate({shift:.1} {:.1})\">", top + title);
            svg += &frame.svg();
            svg += "</g>\n";
            top += frame.height + title;
        }
        if passes.len() > drawn {
            let count = (passes.len() - drawn).to_string();
            let text = self.texts.fill("drawing.more-passes", &[("count", &count)]);
            svg += &svg_text((MARGIN, top + 16.0), "font-weight=\"bold\"", &text);
        }
        svg + "</svg>\n"
    }

    /// A layout that is narrow enough.
    fn fitting(&'a self, range: std::ops::Range<usize>) -> Layout<'a> {
        let states = snapshot(self.record, range);
        let mut layout = self.layout(states.clone(), SHOWN[0]);
        for most in &SHOWN[1..] {
            if layout.width <= WIDEST {
                break;
            }
            layout = self.layout(states.clone(), *most);
        }
        layout
    }

    fn layout(
        &'a self,
        states: BTreeMap<usize, State>,
        (most, brothers): (usize, usize),
    ) -> Layout<'a> {
        let mut layout = Layout {
            drawing: self,
            states,
            open: BTreeSet::new(),
            brothers,
            placed: Vec::new(),
            width: 0.0,
            height: 0.0,
        };
        layout.unfold(most);
        let mut edge = MARGIN;
        let mut placed = Vec::new();
        layout.place(0, 0, &mut edge, &mut placed);
        let end = |place: &Placed| {
            let has_ends = !place.cuts.is_empty() || place.rest.is_some();
            place.at.1 + if has_ends { layout.ply() } else { 0.0 }
        };
        let lowest = placed.iter().map(end).fold(0.0, f64::max);
        layout.height = lowest + layout.box_height() / 2.0 + 24.0;
        layout.width = edge - GAP + MARGIN;
        layout.placed = placed;
        layout
    }

    fn legend(&self) -> String {
        let mut svg =
            svg_text((MARGIN, 28.0), "font-size=\"17\" font-weight=\"bold\"", &self.title);
        let y = 54.0;
        let mut x = MARGIN;
        if self.record.root.players() == 2 {
            for (side, key) in [(Side::Max, "player.max"), (Side::Min, "player.min")] {
                svg += &svg_box(side, (x + 14.0, y), (28.0, 18.0), 1.2);
                svg += &svg_text((x + 34.0, y + 5.0), "font-size=\"13\"", self.texts.get(key));
                x += 74.0;
            }
        }
        let entry = |x: &mut f64, mark: String, key: &str| {
            let text = self.texts.get(key);
            let svg = mark + &svg_text((*x + 38.0, y + 5.0), "font-size=\"13\"", text);
            *x += 38.0 + text.chars().count() as f64 * 6.2 + 14.0;
            svg
        };
        if self.look.is_task {
            return svg;
        }
        let mark = svg_line((x, y), (x + 32.0, y), "stroke-width=\"4\"");
        svg += &entry(&mut x, mark, "legend.variation");
        let mark = svg_line((x, y), (x + 32.0, y), CUT_LINE) + &svg_cross((x + 16.0, y));
        svg += &entry(&mut x, mark, "legend.cut");
        x -= 30.0;
        svg + &entry(&mut x, String::new(), "legend.bound")
    }

    /// The last pass in Graphviz's language.
    pub fn dot(&self) -> String {
        let range = self.record.passes().pop().map_or(0..0, |(_, range)| range);
        let layout = self.layout(snapshot(self.record, range), SHOWN[0]);
        let mut dot =
            format!("digraph search {{\n  label=\"{}\"; labelloc=t;\n", quoted(&self.title));
        dot += "  node [fontname=\"sans-serif\", style=filled];\n";
        layout.dot_node(0, &mut dot);
        dot + "}\n"
    }
}

impl Layout<'_> {
    fn board_of(&self, at: usize) -> Option<&Board> {
        self.drawing.record.nodes[at].board.as_ref().filter(|_| self.drawing.look.has_boards)
    }

    fn box_height(&self) -> f64 {
        HEIGHT + self.board_of(0).map_or(0.0, |_| BOARD + 6.0)
    }

    fn ply(&self) -> f64 {
        PLY + self.box_height() - HEIGHT
    }

    fn side(&self, at: usize) -> Side {
        let record = self.drawing.record;
        if record.root.players() > 2 { Side::Max } else { record.nodes[at].side }
    }

    fn state(&self, at: usize) -> Option<&State> {
        self.states.get(&at)
    }

    /// The children that this pass entered.
    fn visited(&self, at: usize) -> Vec<usize> {
        let children = &self.drawing.record.nodes[at].children;
        children.iter().copied().filter(|child| self.states.contains_key(child)).collect()
    }

    fn depth(&self, mut at: usize) -> usize {
        let mut depth = 0;
        while at != 0 {
            at = self.drawing.record.nodes[at].parent;
            depth += 1;
        }
        depth
    }

    /// Opens the nodes whose children are shown: the principal variation, then from the root down as
    /// long as there is room.
    fn unfold(&mut self, most: usize) {
        let mut room = most;
        let fold = self.drawing.look.fold.unwrap_or(usize::MAX);
        let mut waiting: VecDeque<usize> = self.drawing.line.iter().copied().collect();
        let mut seen = BTreeSet::new();
        while let Some(node) = waiting.pop_front() {
            let children = self.visited(node);
            let cost = children.len().min(self.brothers);
            let is_new = seen.insert(node);
            let has_room = cost <= room || node == 0;
            if is_new && cost > 0 && has_room && self.depth(node) < fold {
                self.open.insert(node);
                room = room.saturating_sub(cost);
            }
            if is_new && self.open.contains(&node) {
                waiting.extend(children.into_iter().take(self.brothers));
            }
        }
        if seen.is_empty() {
            self.open.insert(0);
        }
    }

    /// The value in a node, marked if it is a bound; each player's in a game for many.
    fn label(&self, at: usize) -> String {
        let Some(state) = self.state(at) else { return "?".to_string() };
        if self.drawing.look.is_task && !self.visited(at).is_empty() {
            return String::new();
        }
        if let Some(shares) = state.shares.as_ref().filter(|shares| shares.len() > 2) {
            let values = shares.iter().map(|&value| self.drawing.value(value));
            return values.collect::<Vec<_>>().join(" ");
        }
        match (state.value, state.state) {
            (_, Some((is_solved, h))) if at != 0 || state.value.is_none() => {
                let key = if is_solved { "drawing.solved" } else { "drawing.live" };
                format!("{} ĥ {}", self.drawing.texts.get(key), self.drawing.value(h))
            }
            (Some((value, bound)), _) => {
                let mark = match bound {
                    Bound::Exact => "",
                    Bound::AtLeast => "≥ ",
                    Bound::AtMost => "≤ ",
                };
                format!("{mark}{}", self.drawing.value(value))
            }
            _ => "?".to_string(),
        }
    }

    /// The text below the value: the window, or the number of nodes that are folded away.
    fn remark(&self, at: usize) -> String {
        let texts = self.drawing.texts;
        let below = self.below(at);
        if below > 0 && !self.open.contains(&at) {
            return texts.fill("drawing.nodes", &[("count", &below.to_string())]);
        }
        let Some(state) = self.state(at) else { return String::new() };
        match state.windows {
            Some((_, (alpha, beta))) => {
                format!("α {} β {}", self.drawing.value(alpha), self.drawing.value(beta))
            }
            None if state.is_from_table => texts.get("drawing.table").to_string(),
            None => String::new(),
        }
    }

    /// Nodes below a node, with those that were counted but not kept.
    fn below(&self, at: usize) -> u64 {
        let mut sum = self.state(at).map_or(0, |state| state.hidden);
        let mut waiting = self.visited(at);
        while let Some(node) = waiting.pop() {
            sum += 1 + self.state(node).map_or(0, |state| state.hidden);
            waiting.extend(self.visited(node));
        }
        sum
    }

    fn reason(&self, cut: Cut) -> String {
        let texts = self.drawing.texts;
        match cut {
            Cut::Alpha(alpha) => format!("≤ α {}", self.drawing.value(alpha)),
            Cut::Beta(beta) => format!("≥ β {}", self.drawing.value(beta)),
            Cut::Guess(Guess::NullMove) => texts.get("reason.null-move").to_string(),
            Cut::Guess(Guess::Futility) => texts.get("reason.futility").to_string(),
            Cut::Guess(Guess::Rank) => texts.get("reason.rank").to_string(),
            Cut::Guess(Guess::CrashCut) => texts.get("reason.crash-cut").to_string(),
        }
    }

    /// The cuts of a node that is open, or has nothing but cut branches.
    fn cuts(&self, at: usize) -> &[(Cut, Vec<String>)] {
        let is_shown = self.open.contains(&at) || self.visited(at).is_empty();
        self.state(at).filter(|_| is_shown).map_or(&[], |state| &state.cuts)
    }

    /// The children that are shown, and the number of others.
    fn children(&self, at: usize) -> (Vec<usize>, usize) {
        if !self.open.contains(&at) {
            return (Vec::new(), 0);
        }
        let all = self.visited(at);
        let is_shown = |(i, child): (usize, &usize)| {
            (i < self.brothers || self.drawing.variation.contains(child)).then_some(*child)
        };
        let shown: Vec<usize> = all.iter().enumerate().filter_map(is_shown).collect();
        let hidden = all.len() - shown.len();
        (shown, hidden)
    }

    /// The width of a node's box: its widest text, or its board.
    fn width(&self, at: usize) -> f64 {
        let label = text_width(&self.label(at), LETTER);
        let remark = text_width(&self.remark(at), SMALL_LETTER);
        let board = self.board_of(at).map_or(0.0, |_| BOARD + 12.0);
        label.max(remark).max(board).max(NARROW)
    }

    /// The room that a node needs: its box, its name and the number of its visits.
    fn room(&self, at: usize) -> f64 {
        let visits = self.state(at).map_or(0, |state| state.visits);
        let again = if visits > 1 { 44.0 } else { 0.0 };
        (self.width(at) + again).max(text_width(&self.name(at), SMALL_LETTER))
    }

    fn name(&self, at: usize) -> String {
        let node = &self.drawing.record.nodes[at];
        let texts = self.drawing.texts;
        let name = if at == 0 { texts.get("drawing.root") } else { &node.name };
        if self.drawing.record.root.players() > 2 {
            let number = (node.mover + 1).to_string();
            return format!("{name}: {}", texts.fill("legend.player", &[("number", &number)]));
        }
        name.to_string()
    }

    /// Gives every shown node its place; returns the node's own x. `edge` is the start of the next
    /// column.
    fn place(&self, at: usize, ply: usize, edge: &mut f64, placed: &mut Vec<Placed>) -> f64 {
        let next_column = |edge: &mut f64, width: f64| {
            *edge += width + GAP;
            *edge - GAP - width / 2.0
        };
        let y = self.box_height() / 2.0 + ply as f64 * self.ply();
        let before = placed.len();
        let start = *edge;
        let (children, hidden) = self.children(at);
        let mut places: Vec<f64> = Vec::new();
        for child in children {
            places.push(self.place(child, ply + 1, edge, placed));
        }
        let more = self.drawing.texts.fill("drawing.moves", &[("count", &hidden.to_string())]);
        let rest =
            (hidden > 0).then(|| (next_column(edge, text_width(&more, SMALL_LETTER)), hidden));
        let mut cuts = Vec::new();
        for (cut, names) in self.cuts(at) {
            let names = text_width(&some_names(names), SMALL_LETTER);
            let reason = text_width(&self.reason(*cut), SMALL_LETTER);
            cuts.push(next_column(edge, names.max(reason)));
        }
        places.extend(rest.map(|(x, _)| x).into_iter().chain(cuts.iter().copied()));
        let room = self.room(at);
        let x = match (places.first(), places.last()) {
            // A wide box over one narrow child must not reach into the column before.
            (Some(first), Some(last)) => ((first + last) / 2.0).max(start + room / 2.0),
            _ => next_column(edge, room),
        };
        for child in &mut placed[before..] {
            child.parent.get_or_insert((x, y));
        }
        placed.push(Placed { node: at, parent: None, at: (x, y), rest, cuts });
        *edge = edge.max(x + room / 2.0 + GAP);
        x
    }

    fn svg(&self) -> String {
        let branches: String = self.placed.iter().map(|place| self.svg_branches(place)).collect();
        let nodes: String = self.placed.iter().map(|place| self.svg_node(place)).collect();
        branches + &nodes
    }

    fn svg_branches(&self, place: &Placed) -> String {
        let (x, y) = place.at;
        let half = self.box_height() / 2.0;
        let bottom = y + half;
        let mut svg = String::new();
        if let Some((parent_x, parent_y)) = place.parent {
            let is_main = self.drawing.variation.contains(&place.node);
            let width = if is_main { 4.0 } else { 1.2 };
            let from = (parent_x, parent_y + half);
            svg += &svg_line(from, (x, y - half), &format!("stroke-width=\"{width}\""));
        }
        if let Some((rest_x, hidden)) = place.rest {
            let to = (rest_x, y + self.ply() - half);
            svg += &svg_line((x, bottom), to, "stroke-width=\"1\" stroke-dasharray=\"1 4\"");
            let text = self.drawing.texts.fill("drawing.moves", &[("count", &hidden.to_string())]);
            svg += &svg_rimmed((rest_x, to.1 + 14.0), &text);
        }
        for ((cut, names), &cut_x) in self.cuts(place.node).iter().zip(&place.cuts) {
            let to = (cut_x, y + self.ply() - half - 14.0);
            let at = ((x + cut_x) / 2.0, (bottom + to.1) / 2.0);
            svg += &(svg_line((x, bottom), to, CUT_LINE) + &svg_cross(at));
            svg += &svg_rimmed((cut_x, to.1 + 14.0), &some_names(names));
            svg += &svg_rimmed((cut_x, to.1 + 29.0), &self.reason(*cut));
        }
        svg
    }

    fn svg_node(&self, place: &Placed) -> String {
        let (x, y) = place.at;
        let half = self.box_height() / 2.0;
        let size = (self.width(place.node), self.box_height());
        let is_main = self.drawing.variation.contains(&place.node);
        let width = if is_main { 3.0 } else { 1.2 };
        let visits = self.state(place.node).map_or(0, |state| state.visits);
        let again = if visits > 1 { format!("{visits}×") } else { String::new() };
        let remark = self.remark(place.node);
        let middle = y + half - HEIGHT / 2.0;
        let value_y = if remark.is_empty() { middle + 5.0 } else { middle - 2.0 };
        let board = self
            .board_of(place.node)
            .map(|board| svg_board(board, (x - BOARD / 2.0, y - half + 6.0), BOARD));
        svg_rimmed((x, y - half - 7.0), &self.name(place.node))
            + &svg_box(self.side(place.node), place.at, size, width)
            + &board.unwrap_or_default()
            + &svg_text((x, value_y), CENTRED, &self.label(place.node))
            + &svg_text((x, middle + 13.0), SMALL, &remark)
            + &svg_text((x + size.0 / 2.0 + 3.0, y - half + 11.0), "font-size=\"11\"", &again)
    }

    fn dot_node(&self, at: usize, dot: &mut String) {
        let shape = match self.side(at) {
            Side::Max => "shape=box, fillcolor=white",
            Side::Min => "shape=ellipse, fillcolor=lightgrey",
        };
        let text = quoted(&format!("{}\n{}", self.label(at), self.remark(at)));
        let label = text.replace('\n', "\\n");
        // Writing to a string cannot fail.
        let _ = writeln!(dot, "  n{at} [label=\"{label}\", {shape}];");
        let (children, hidden) = self.children(at);
        for child in children {
            let name = quoted(&self.name(child));
            let width = if self.drawing.variation.contains(&child) { 4 } else { 1 };
            let _ = writeln!(dot, "  n{at} -> n{child} [label=\"{name}\", penwidth={width}];");
            self.dot_node(child, dot);
        }
        if hidden > 0 {
            let more = self.drawing.texts.fill("drawing.moves", &[("count", &hidden.to_string())]);
            let _ = writeln!(dot, "  r{at} [label=\"{more}\", shape=plaintext, style=\"\"];");
            let _ = writeln!(dot, "  n{at} -> r{at} [style=dotted, arrowhead=none];");
        }
        for (i, (cut, names)) in self.cuts(at).iter().enumerate() {
            let (names, reason) = (quoted(&some_names(names)), quoted(&self.reason(*cut)));
            let _ = writeln!(dot, "  c{at}_{i} [label=\"{reason}\", shape=plaintext, style=\"\"];");
            let _ = writeln!(
                dot,
                "  n{at} -> c{at}_{i} [label=\"{names}\", style=dashed, arrowhead=tee];"
            );
        }
    }
}

const THIN: &str = "stroke-width=\"0.6\"";
const CUT_LINE: &str = "stroke-width=\"1.2\" stroke-dasharray=\"5 4\"";
const CENTRED: &str = "text-anchor=\"middle\"";
const SMALL: &str = "text-anchor=\"middle\" font-size=\"11\"";

fn quoted(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}

/// The names of cut branches, as many as there is room for.
fn some_names(names: &[String]) -> String {
    match names {
        [] | [_] | [_, _] => names.join(", "),
        [first, .., last] => format!("{first} … {last}"),
    }
}

/// The width of text in pixels, with some room at its ends.
fn text_width(text: &str, letter: f64) -> f64 {
    if text.is_empty() { 0.0 } else { text.chars().count() as f64 * letter + 18.0 }
}

fn svg_line(from: (f64, f64), to: (f64, f64), style: &str) -> String {
    let ((x1, y1), (x2, y2)) = (from, to);
    format!(
        "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" stroke=\"black\" {style}/>\n"
    )
}

/// The mark of a cut: two short strokes across the branch.
fn svg_cross((x, y): (f64, f64)) -> String {
    let stroke = |dx: f64| {
        svg_line((x + dx - 5.0, y + 6.0), (x + dx + 5.0, y - 6.0), "stroke-width=\"2.2\"")
    };
    stroke(-3.0) + &stroke(3.0)
}

fn svg_box(side: Side, (x, y): (f64, f64), (width, height): (f64, f64), stroke: f64) -> String {
    let (fill, corner) = match side {
        Side::Max => ("white", 0.0),
        Side::Min => ("#d0d0d0", (height / 2.0).min(19.0)),
    };
    let (left, top) = (x - width / 2.0, y - height / 2.0);
    format!(
        "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{height}\" \
         rx=\"{corner}\" fill=\"{fill}\" stroke=\"black\" stroke-width=\"{stroke}\"/>\n"
    )
}

fn svg_text((x, y): (f64, f64), style: &str, text: &str) -> String {
    if text.is_empty() {
        return String::new();
    }
    format!("<text x=\"{x:.1}\" y=\"{y:.1}\" {style}>{}</text>\n", escape(text))
}

/// Small text with a white rim, so that lines may run behind it.
fn svg_rimmed(at: (f64, f64), text: &str) -> String {
    let rim = "stroke=\"white\" stroke-width=\"4\" stroke-linejoin=\"round\"";
    svg_text(at, &format!("{SMALL} {rim}"), text) + &svg_text(at, SMALL, text)
}

/// A board in a square of `size` pixels.
pub fn svg_board(board: &Board, (left, top): (f64, f64), size: f64) -> String {
    let rows = (board.cells.len() / board.columns.max(1)).max(1);
    let cell = size / rows.max(board.columns) as f64;
    let indent = (size - cell * board.columns as f64) / 2.0;
    let mut svg = String::new();
    for (i, &mark) in board.cells.iter().enumerate() {
        let (column, row) = (i % board.columns, i / board.columns);
        let (x, y) = (left + indent + column as f64 * cell, top + row as f64 * cell);
        let is_dark = board.kind == BoardKind::Chess && (column + row) % 2 == 1;
        let fill = if is_dark { "#bbbbbb" } else { "#f7f7f7" };
        // Writing to a string cannot fail.
        let _ = write!(
            svg,
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{cell:.1}\" height=\"{cell:.1}\" \
             fill=\"{fill}\" stroke=\"#999\" stroke-width=\"0.5\"/>"
        );
        svg += &svg_mark(board.kind, mark, (x, y), cell);
    }
    svg + "\n"
}

fn svg_mark(kind: BoardKind, mark: char, (x, y): (f64, f64), cell: f64) -> String {
    let (cx, cy, r) = (x + cell / 2.0, y + cell / 2.0, cell * 0.34);
    match (kind, mark) {
        (_, '.') => String::new(),
        (BoardKind::Chess, piece) => {
            let (fill, rim) =
                if piece.is_uppercase() { ("white", "black") } else { ("black", "white") };
            format!(
                "<use href=\"#piece-{}\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{cell:.1}\" \
                 height=\"{cell:.1}\" fill=\"{fill}\" stroke=\"{rim}\" stroke-width=\"1.5\"/>",
                piece.to_ascii_lowercase()
            )
        }
        (BoardKind::Discs, 'X') => format!("<circle cx=\"{cx:.1}\" cy=\"{cy:.1}\" r=\"{r:.1}\"/>"),
        (_, 'O') => format!(
            "<circle cx=\"{cx:.1}\" cy=\"{cy:.1}\" r=\"{r:.1}\" fill=\"white\" stroke=\"black\" \
             stroke-width=\"{:.1}\"/>",
            cell * 0.12
        ),
        (_, mark) => {
            let (a, b, c, d) = (cx - r, cy - r, cx + r, cy + r);
            let path = if mark == 'X' {
                format!("M{a:.1} {b:.1}L{c:.1} {d:.1}M{c:.1} {b:.1}L{a:.1} {d:.1}")
            } else {
                format!("M{a:.1} {d:.1}L{cx:.1} {b:.1}L{c:.1} {d:.1}Z")
            };
            format!(
                "<path d=\"{path}\" fill=\"none\" stroke=\"black\" stroke-width=\"{:.1}\"/>",
                cell * 0.12
            )
        }
    }
}
