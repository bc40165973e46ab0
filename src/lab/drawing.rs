//! Trees you can look at: the searched tree as SVG and as Graphviz dot, in the manner of the
//! lectures' figures.
//!
//! Max's nodes are white and square, Min's grey and round; the principal variation is drawn
//! thick, and branches that were cut off are dashed, crossed out, and marked with the bound that
//! cut them. A node that the search left without a value, as SSS\* does, shows a question mark. Beyond a few hundred nodes, subtrees are folded, those off the principal variation
//! and far from the root first.

use std::collections::{BTreeSet, VecDeque};
use std::fmt::Write;

use super::game::{INFINITE, Side, Value};
use super::moves::Move;
use super::recorder::{Node, Recorder};
use super::watch::Cut;

/// More nodes than this are folded away, and so are more brothers than this.
const MOST_SHOWN: usize = 300;
const MOST_BROTHERS: usize = 10;

/// Pixels: the narrowest box, a letter of each size, a box's height, the gap between boxes, a ply,
/// the margin, the legend and the narrowest picture that the legend fits into.
const NARROW: f64 = 46.0;
const LETTER: f64 = 8.2;
const SMALL_LETTER: f64 = 5.9;
const HEIGHT: f64 = 38.0;
const GAP: f64 = 8.0;
const PLY: f64 = 112.0;
const MARGIN: f64 = 40.0;
const LEGEND: f64 = 92.0;
const NARROWEST: f64 = 700.0;

/// A drawing of a search.
pub struct Drawing<'a, F> {
    tree: &'a Recorder,
    show: F,
    title: String,
    variation: BTreeSet<usize>,
    /// Nodes whose children are shown.
    open: BTreeSet<usize>,
    players: usize,
}

/// A node's place in the picture.
struct Placed {
    node: usize,
    parent: Option<(f64, f64)>,
    at: (f64, f64),
    /// Where the branches to brothers that are not shown end.
    rest_x: Option<f64>,
    /// Where the branches that were cut off end.
    cut_x: Option<f64>,
}

impl<'a, F: Fn(Value) -> String> Drawing<'a, F> {
    /// A drawing of `tree`, whose search chose `best`; `show` writes a value.
    pub fn new(tree: &'a Recorder, best: Option<Move>, title: &str, show: F) -> Self {
        let line = tree.principal_variation(best);
        let open = unfolded(&tree.nodes, &line);
        let variation = line.into_iter().collect();
        Drawing { tree, show, title: title.to_string(), variation, open, players: 2 }
    }

    /// The same for a game of so many players: who moves is written beside each ply, for there is
    /// neither Max nor Min.
    pub fn for_players(self, players: usize) -> Self {
        Drawing { players, ..self }
    }

    fn shape(&self, side: Side) -> Side {
        if self.players > 2 { Side::Max } else { side }
    }

    fn value(&self, value: Value) -> String {
        match value {
            v if v >= INFINITE => "∞".to_string(),
            v if v <= -INFINITE => "−∞".to_string(),
            v => (self.show)(v).replace('-', "−"),
        }
    }

    /// What stands in a node: its value, or each player's as max^n notes them.
    fn label(&self, at: usize) -> String {
        let node = &self.tree.nodes[at];
        if let Some(shares) = node.shares.as_ref().filter(|_| self.players > 2) {
            return shares.iter().map(|&value| self.value(value)).collect::<Vec<_>>().join(" ");
        }
        node.value.map_or("?".to_string(), |value| self.value(value))
    }

    /// What stands below a node: its window, and what is folded away.
    fn remark(&self, at: usize) -> String {
        let node = &self.tree.nodes[at];
        if !node.children.is_empty() && !self.open.contains(&at) {
            return format!("+{} nodes", self.tree.size(at) - 1);
        }
        match node.window {
            Some((alpha, beta)) => format!("α {} β {}", self.value(alpha), self.value(beta)),
            None if node.is_from_table => "table".to_string(),
            None => String::new(),
        }
    }

    fn reason(&self, cut: Cut) -> String {
        match cut {
            Cut::Alpha(alpha) => format!("≤ α {}", self.value(alpha)),
            Cut::Beta(beta) => format!("≥ β {}", self.value(beta)),
            Cut::Guess(why) => why.to_string(),
        }
    }

    /// The cut of a node that is open, or has nothing but cut branches.
    fn cut(&self, at: usize) -> Option<&(Cut, Vec<String>)> {
        let node = &self.tree.nodes[at];
        node.cut.as_ref().filter(|_| self.open.contains(&at) || node.children.is_empty())
    }

    /// The children that are shown, and how many more there are.
    fn children(&self, at: usize) -> (Vec<usize>, usize) {
        if !self.open.contains(&at) {
            return (Vec::new(), 0);
        }
        let all = &self.tree.nodes[at].children;
        let is_shown = |(i, child): (usize, &usize)| {
            (i < MOST_BROTHERS || self.variation.contains(child)).then_some(*child)
        };
        let shown: Vec<usize> = all.iter().enumerate().filter_map(is_shown).collect();
        let hidden = all.len() - shown.len();
        (shown, hidden)
    }

    /// The width of a node's box: its text's.
    fn width(&self, at: usize) -> f64 {
        let label = text_width(&self.label(at), LETTER);
        label.max(text_width(&self.remark(at), SMALL_LETTER)).max(NARROW)
    }

    /// Gives every shown node its place; returns the node's own x. `edge` is where the next column
    /// begins.
    fn place(&self, at: usize, ply: usize, edge: &mut f64, placed: &mut Vec<Placed>) -> f64 {
        let next_column = |edge: &mut f64, width: f64| {
            *edge += width + GAP;
            *edge - GAP - width / 2.0
        };
        let y = MARGIN + LEGEND + ply as f64 * PLY;
        let before = placed.len();
        let (children, hidden) = self.children(at);
        let mut places = Vec::new();
        for child in children {
            places.push(self.place(child, ply + 1, edge, placed));
        }
        let rest_x = (hidden > 0).then(|| next_column(edge, text_width("+99 moves", SMALL_LETTER)));
        let cut_x = self.cut(at).map(|(cut, names)| {
            let names = text_width(&some_names(names), SMALL_LETTER);
            next_column(edge, names.max(text_width(&self.reason(*cut), SMALL_LETTER)))
        });
        places.extend(rest_x.into_iter().chain(cut_x));
        let x = match (places.first(), places.last()) {
            (Some(first), Some(last)) => (first + last) / 2.0,
            _ => next_column(edge, self.width(at)),
        };
        for child in &mut placed[before..] {
            child.parent.get_or_insert((x, y));
        }
        placed.push(Placed { node: at, parent: None, at: (x, y), rest_x, cut_x });
        // A wide box over one narrow child must not reach into the next column.
        *edge = edge.max(x + self.width(at) / 2.0 + GAP);
        x
    }

    /// The tree as an SVG picture.
    pub fn svg(&self) -> String {
        let mut placed = Vec::new();
        let mut edge = MARGIN;
        self.place(0, 0, &mut edge, &mut placed);
        let end = |place: &Placed| place.at.1 + place.cut_x.map_or(0.0, |_| PLY);
        let lowest = placed.iter().map(end).fold(0.0, f64::max);
        let width = (edge + MARGIN).max(NARROWEST);
        let height = lowest + HEIGHT / 2.0 + MARGIN;
        let shift = (width - MARGIN - edge) / 2.0;
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
             viewBox=\"0 0 {width:.0} {height:.0}\" font-family=\"sans-serif\" font-size=\"14\">\n\
             <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
        );
        svg += &self.legend();
        if self.players > 2 {
            svg += &self.movers(&placed);
        }
        // Writing to a string cannot fail.
        let _ = writeln!(svg, "<g transform=\"translate({shift:.1} 0)\">");
        placed.iter().for_each(|place| svg += &self.svg_branches(place));
        placed.iter().for_each(|place| svg += &self.svg_node(place));
        svg + "</g>\n</svg>\n"
    }

    fn legend(&self) -> String {
        let title = "font-size=\"17\" font-weight=\"bold\"";
        let mut svg = svg_text((MARGIN, 28.0), title, &self.title);
        let y = 56.0;
        let mut x = MARGIN;
        if self.players == 2 {
            for (side, name) in [(Side::Max, "Max"), (Side::Min, "Min")] {
                svg += &svg_box(side, (x + 16.0, y), (32.0, 20.0), 1.2);
                svg += &svg_text((x + 40.0, y + 5.0), "", name);
                x += 90.0;
            }
        }
        svg += &svg_line((x, y), (x + 36.0, y), "stroke-width=\"4\"");
        svg += &svg_text((x + 44.0, y + 5.0), "", "principal variation");
        x += 186.0;
        svg += &(svg_line((x, y), (x + 36.0, y), CUT_LINE) + &svg_cross((x + 18.0, y)));
        svg + &svg_text((x + 44.0, y + 5.0), "", "cut off, and the bound that did it")
    }

    /// Who moves, beside each ply of a game for many.
    fn movers(&self, placed: &[Placed]) -> String {
        let mut plies: Vec<f64> = placed.iter().map(|place| place.at.1).collect();
        plies.sort_by(f64::total_cmp);
        plies.dedup();
        let name = |(ply, y): (usize, &f64)| {
            let player = format!("player {}", ply % self.players + 1);
            svg_text((6.0, y + 5.0), "font-size=\"11\"", &player)
        };
        plies.iter().enumerate().map(name).collect()
    }

    fn svg_branches(&self, place: &Placed) -> String {
        let (x, y) = place.at;
        let mut svg = String::new();
        if let Some((parent_x, parent_y)) = place.parent {
            let width = if self.variation.contains(&place.node) { 4.0 } else { 1.2 };
            let from = (parent_x, parent_y + HEIGHT / 2.0);
            svg += &svg_line(from, (x, y - HEIGHT / 2.0), &format!("stroke-width=\"{width}\""));
        }
        if let Some(rest_x) = place.rest_x {
            let to = (rest_x, y + PLY - HEIGHT / 2.0);
            svg +=
                &svg_line((x, y + HEIGHT / 2.0), to, "stroke-width=\"1\" stroke-dasharray=\"1 4\"");
            let hidden = self.children(place.node).1;
            svg += &svg_rimmed((rest_x, to.1 + 14.0), &format!("+{hidden} moves"));
        }
        if let (Some((cut, names)), Some(cut_x)) = (self.cut(place.node), place.cut_x) {
            let from = (x, y + HEIGHT / 2.0);
            let to = (cut_x, y + PLY - HEIGHT / 2.0 - 14.0);
            let at = ((x + cut_x) / 2.0, (from.1 + to.1) / 2.0);
            svg += &(svg_line(from, to, CUT_LINE) + &svg_cross(at));
            svg += &svg_rimmed((cut_x, to.1 + 14.0), &some_names(names));
            svg += &svg_rimmed((cut_x, to.1 + 29.0), &self.reason(*cut));
        }
        svg
    }

    fn svg_node(&self, place: &Placed) -> String {
        let (x, y) = place.at;
        let node = &self.tree.nodes[place.node];
        let size = (self.width(place.node), HEIGHT);
        let width = if self.variation.contains(&place.node) { 3.0 } else { 1.2 };
        let again = if node.visits > 1 { format!("{}×", node.visits) } else { String::new() };
        let remark = self.remark(place.node);
        let value_y = if remark.is_empty() { y + 5.0 } else { y - 2.0 };
        svg_rimmed((x, y - HEIGHT / 2.0 - 7.0), &node.name)
            + &svg_box(self.shape(node.side), place.at, size, width)
            + &svg_text((x, value_y), CENTRED, &self.label(place.node))
            + &svg_text((x, y + 13.0), SMALL, &remark)
            + &svg_text((x + size.0 / 2.0 + 2.0, y - 6.0), "font-size=\"11\"", &again)
    }

    /// The tree in Graphviz's language.
    pub fn dot(&self) -> String {
        let quoted = |text: &str| text.replace('\\', "\\\\").replace('"', "\\\"");
        let mut dot =
            format!("digraph search {{\n  label=\"{}\"; labelloc=t;\n", quoted(&self.title));
        dot += "  node [fontname=\"sans-serif\", style=filled];\n";
        self.dot_node(0, &mut dot, &quoted);
        dot + "}\n"
    }

    fn dot_node(&self, at: usize, dot: &mut String, quoted: &impl Fn(&str) -> String) {
        let node = &self.tree.nodes[at];
        let shape = match self.shape(node.side) {
            Side::Max => "shape=box, fillcolor=white",
            Side::Min => "shape=ellipse, fillcolor=lightgrey",
        };
        let label =
            quoted(&format!("{}\n{}", self.label(at), self.remark(at))).replace('\n', "\\n");
        // Writing to a string cannot fail.
        let _ = writeln!(dot, "  n{at} [label=\"{label}\", {shape}];");
        let (children, hidden) = self.children(at);
        for child in children {
            let name = quoted(&self.tree.nodes[child].name);
            let width = if self.variation.contains(&child) { 4 } else { 1 };
            let _ = writeln!(dot, "  n{at} -> n{child} [label=\"{name}\", penwidth={width}];");
            self.dot_node(child, dot, quoted);
        }
        if hidden > 0 {
            let _ =
                writeln!(dot, "  r{at} [label=\"+{hidden} moves\", shape=plaintext, style=\"\"];");
            let _ = writeln!(dot, "  n{at} -> r{at} [style=dotted, arrowhead=none];");
        }
        if let Some((cut, names)) = self.cut(at) {
            let (names, reason) = (quoted(&some_names(names)), quoted(&self.reason(*cut)));
            let _ = writeln!(dot, "  c{at} [label=\"{reason}\", shape=plaintext, style=\"\"];");
            let _ =
                writeln!(dot, "  n{at} -> c{at} [label=\"{names}\", style=dashed, arrowhead=tee];");
        }
    }
}

/// The nodes whose children are shown: those of the principal variation, and then from the root
/// down as long as there is room.
fn unfolded(nodes: &[Node], variation: &[usize]) -> BTreeSet<usize> {
    let mut open = BTreeSet::new();
    let mut room = MOST_SHOWN;
    let mut try_open = |node: usize| {
        let cost = nodes[node].children.len().min(MOST_BROTHERS);
        if cost > 0 && cost <= room && open.insert(node) {
            room -= cost;
        }
        open.contains(&node)
    };
    for &node in variation {
        try_open(node);
    }
    let mut waiting = VecDeque::from([0]);
    while let Some(node) = waiting.pop_front() {
        if try_open(node) {
            waiting.extend(nodes[node].children.iter().take(MOST_BROTHERS));
        }
    }
    open
}

const CUT_LINE: &str = "stroke-width=\"1.2\" stroke-dasharray=\"5 4\"";
const CENTRED: &str = "text-anchor=\"middle\"";
const SMALL: &str = "text-anchor=\"middle\" font-size=\"11\"";

/// The names of cut branches, as many as there is room for.
fn some_names(names: &[String]) -> String {
    match names {
        [] | [_] | [_, _] => names.join(", "),
        [first, .., last] => format!("{first} … {last}"),
    }
}

/// The width of text in pixels, with some room at its ends.
fn text_width(text: &str, letter: f64) -> f64 {
    text.chars().count() as f64 * letter + 18.0
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
        Side::Min => ("#d0d0d0", height / 2.0),
    };
    let (left, top) = (x - width / 2.0, y - height / 2.0);
    format!(
        "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{width}\" height=\"{height}\" rx=\"{corner}\" \
         fill=\"{fill}\" stroke=\"black\" stroke-width=\"{stroke}\"/>\n"
    )
}

fn svg_text((x, y): (f64, f64), style: &str, text: &str) -> String {
    if text.is_empty() {
        return String::new();
    }
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    format!("<text x=\"{x:.1}\" y=\"{y:.1}\" {style}>{text}</text>\n")
}

/// Small text with a white rim, so that lines may run behind it.
fn svg_rimmed(at: (f64, f64), text: &str) -> String {
    let rim = "stroke=\"white\" stroke-width=\"4\" stroke-linejoin=\"round\"";
    svg_text(at, &format!("{SMALL} {rim}"), text) + &svg_text(at, SMALL, text)
}
