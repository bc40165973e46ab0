//! Explicit trees, written by hand: the examples of the lectures, and anybody's own.
//!
//! The text form: children stand in parentheses after their parent's name, a leaf is its value.
//!
//! ```text
//! # a comment
//! max                              who moves at the root: max (or nothing said) or min
//! A (B (3 12 8)  C (2 4 6)  D (E=14 F=5 G=2))
//! ```
//!
//! Names may be left out. `B:5 (…)` gives an inner node an estimate, for searches that end
//! above the leaves; `B! (…)` says that B is not at rest: the move to it is forcing. A leaf of
//! a game for more players is a vector, `[1 2 6]`. Values have up to two decimals.

use std::rc::Rc;

use arrayvec::ArrayString;

use crate::game::{Game, Position, Side, Value, show_plain, stir};
use crate::moves::{Branch, Move};
use crate::texts::{LocalizedError, Texts};

/// Values are kept in hundredths.
const SCALE: Value = 100;

/// A tree that comes with the program, and the lesson that it is for.
pub struct Shipped {
    /// Its name.
    pub name: &'static str,
    /// The text form.
    text: &'static str,
    /// The algorithms that its page shows, one or two.
    pub algorithms: &'static [&'static str],
    /// Plies that its page searches; none for the whole tree.
    pub depth: Option<u32>,
    /// Constants that its page sets.
    pub constants: &'static [&'static str],
}

const fn whole(
    name: &'static str,
    text: &'static str,
    algorithms: &'static [&'static str],
) -> Shipped {
    Shipped { name, text, algorithms, depth: None, constants: &[] }
}

/// The trees that come with the program.
pub const SHIPPED: &[Shipped] = &[
    whole("lecture", include_str!("trees/lecture.tree"), &["alpha-beta", "minimax"]),
    whole("lania", include_str!("trees/lania.tree"), &["lania"]),
    whole("eight", include_str!("trees/eight.tree"), &["alpha-beta"]),
    whole("futility", include_str!("trees/futility.tree"), &["futility", "alpha-beta"]),
    whole("opponent", include_str!("trees/opponent.tree"), &["opponent-model", "minimax"]),
    whole("three-players", include_str!("trees/three-players.tree"), &["max-n"]),
    whole("best-first", include_str!("trees/best-first.tree"), &["sss*", "alpha-beta"]),
    Shipped {
        depth: Some(1),
        ..whole("horizon", include_str!("trees/horizon.tree"), &["quiescence", "minimax"])
    },
    whole("crash", include_str!("trees/crash.tree"), &["crash-cut", "alpha-beta"]),
    Shipped {
        constants: &["ranked-pruning.factor=1"],
        ..whole("factor", include_str!("trees/factor.tree"), &["ranked-pruning"])
    },
];

/// A reason why text is no tree. The message says how to mend it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TreeError {
    /// A sign without a meaning.
    Sign {
        /// From 1.
        line: usize,
        /// The sign.
        sign: char,
    },
    /// Something else was due here.
    Unexpected {
        /// From 1.
        line: usize,
        /// The word that stands here.
        found: String,
        /// The key of what may stand here.
        wanted: &'static str,
    },
    /// The text ends within a node.
    TooSoon(&'static str),
    /// A second root.
    AfterEnd {
        /// From 1.
        line: usize,
        /// The first word too many.
        found: String,
    },
    /// Leaves of different games.
    Players,
    /// Parentheses with nothing in them.
    Childless,
    /// Too many levels.
    TooDeep,
    /// No shipped tree of this name.
    Unknown(String),
}

impl LocalizedError for TreeError {
    fn in_words(&self, texts: &Texts) -> String {
        match self {
            TreeError::Sign { line, sign } => texts
                .fill("fault.sign", &[("line", &line.to_string()), ("sign", &sign.to_string())]),
            TreeError::Unexpected { line, found, wanted } => {
                let wanted = texts.get(wanted);
                let values = [("line", &*line.to_string()), ("found", found), ("wanted", wanted)];
                texts.fill("fault.unexpected", &values)
            }
            TreeError::TooSoon(wanted) => {
                texts.fill("fault.too-soon", &[("wanted", texts.get(wanted))])
            }
            TreeError::AfterEnd { line, found } => {
                texts.fill("fault.after-end", &[("line", &line.to_string()), ("found", found)])
            }
            TreeError::Players => texts.get("fault.players").to_string(),
            TreeError::Childless => texts.get("fault.childless").to_string(),
            TreeError::TooDeep => texts.fill("fault.too-deep", &[("levels", &DEEPEST.to_string())]),
            TreeError::Unknown(name) => {
                texts.fill("fault.no-tree", &[("name", name), ("names", &names())])
            }
        }
    }
}

fn names() -> String {
    SHIPPED.iter().map(|shipped| shipped.name).collect::<Vec<_>>().join(", ")
}

#[derive(Clone, Debug, Default)]
struct TreeNode {
    name: ArrayString<12>,
    is_forcing: bool,
    /// The worth of an inner node, for searches that end there.
    estimate: Option<Value>,
    /// The worth of a leaf for each player; only for Max in a game for two.
    values: Vec<Value>,
    children: Vec<usize>,
}

/// A node of an explicit tree, as a position.
#[derive(Clone, Debug)]
pub struct Tree {
    nodes: Rc<[TreeNode]>,
    at: usize,
    ply: usize,
    root: Side,
}

impl Tree {
    /// Reads the text form.
    ///
    /// # Errors
    /// Text that is no tree; the fault names the line and how to mend it.
    pub fn parse(text: &str) -> Result<Tree, TreeError> {
        let mut parser = Parser { tokens: tokens(text)?, at: 0, nodes: Vec::new() };
        let root = parser.root_side();
        parser.node()?;
        if let Some((line, token)) = parser.tokens.get(parser.at) {
            return Err(TreeError::AfterEnd { line: *line, found: token.clone() });
        }
        let players = parser.nodes.iter().map(|node| node.values.len()).filter(|&n| n > 0);
        if players.clone().min() != players.max() {
            return Err(TreeError::Players);
        }
        Ok(Tree { nodes: parser.nodes.into(), at: 0, ply: 0, root })
    }

    /// A tree that comes with the program.
    ///
    /// # Errors
    /// A name that is not in [`SHIPPED`].
    pub fn shipped(name: &str) -> Result<Tree, TreeError> {
        let found = SHIPPED.iter().find(|shipped| shipped.name == name);
        Tree::parse(found.ok_or_else(|| TreeError::Unknown(name.to_string()))?.text)
    }

    /// The length of the leaves' vectors; 1 means Max's value, and Min the opposite.
    fn vector(&self) -> usize {
        self.nodes.iter().map(|node| node.values.len()).max().unwrap_or(1)
    }

    /// Plies to the deepest leaf below.
    pub fn height(&self) -> u32 {
        let children = (0..self.node().children.len()).map(|index| self.child(index));
        children.map(|child| child.height() + 1).max().unwrap_or(0)
    }

    fn node(&self) -> &TreeNode {
        &self.nodes[self.at]
    }

    fn child(&self, index: usize) -> Tree {
        let Some(&at) = self.node().children.get(index) else { return self.clone() };
        Tree { at, ply: self.ply + 1, ..self.clone() }
    }

    fn after(&self, m: Move) -> Tree {
        match m {
            Move::Branch(branch) => self.child(usize::from(branch.index)),
            _ => self.clone(),
        }
    }
}

impl Game for Tree {
    fn turn(&self) -> Side {
        if self.ply.is_multiple_of(2) { self.root } else { self.root.other() }
    }

    fn moves(&self) -> Vec<Move> {
        let children = self.node().children.iter().zip(0..);
        let branch =
            |(&child, index): (&usize, u16)| Branch { index, name: self.nodes[child].name };
        children.map(branch).map(Move::Branch).collect()
    }

    fn play(&self, m: Move) -> Position {
        Position::new(self.after(m))
    }

    fn value(&self) -> Value {
        let known = self.node().values.first().copied();
        known.or(self.node().estimate).unwrap_or_default()
    }

    fn key(&self) -> u64 {
        stir(self.at as u64)
    }

    fn unit(&self) -> Value {
        SCALE
    }

    fn opening_breadth(&self) -> usize {
        self.nodes[0].children.len()
    }

    fn promise(&self, m: Move) -> Value {
        self.turn().sees(self.after(m).value())
    }

    fn is_forcing(&self, m: Move) -> bool {
        self.after(m).node().is_forcing
    }

    fn lacks_estimate(&self) -> bool {
        self.node().values.is_empty() && self.node().estimate.is_none()
    }

    fn is_tense(&self) -> bool {
        self.node().is_forcing
    }

    fn show(&self, value: Value) -> String {
        show_hundredths(value)
    }

    fn players(&self) -> usize {
        self.vector().max(2)
    }

    fn mover(&self) -> usize {
        match self.vector() {
            1 => usize::from(self.turn() == Side::Min),
            players => self.ply % players,
        }
    }

    fn values(&self) -> Vec<Value> {
        match self.node().values.as_slice() {
            [] if self.vector() == 1 => vec![self.value(), -self.value()],
            [] => vec![self.value(); self.vector()],
            [value] => vec![*value, -value],
            values => values.to_vec(),
        }
    }
}

/// Hundredths as a number with as many decimals as it needs.
fn show_hundredths(value: Value) -> String {
    let is_number = value.abs() < crate::game::WIN / 2;
    if is_number { (f64::from(value) / f64::from(SCALE)).to_string() } else { show_plain(value) }
}

/// Words and signs, each with its line from 1.
fn tokens(text: &str) -> Result<Vec<(usize, String)>, TreeError> {
    let mut tokens = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let code = line.split('#').next().unwrap_or_default();
        let mut word = String::new();
        for c in code.chars().chain([' ']) {
            let is_sign = "()[]=:!".contains(c);
            if is_sign || c.is_whitespace() || c == ',' {
                if !word.is_empty() {
                    tokens.push((index + 1, std::mem::take(&mut word)));
                }
                if is_sign {
                    tokens.push((index + 1, c.to_string()));
                }
            } else if c.is_alphanumeric() || "-+._*'".contains(c) {
                word.push(c);
            } else {
                return Err(TreeError::Sign { line: index + 1, sign: c });
            }
        }
    }
    Ok(tokens)
}

/// Deeper trees than this are refused: each level is a call.
const DEEPEST: usize = 200;

struct Parser {
    tokens: Vec<(usize, String)>,
    at: usize,
    nodes: Vec<TreeNode>,
}

impl Parser {
    fn peek(&self) -> &str {
        self.tokens.get(self.at).map_or("", |(_, token)| token)
    }

    fn take(&mut self, expected: &str) -> bool {
        let found = self.peek() == expected;
        self.at += usize::from(found);
        found
    }

    fn fault(&self, wanted: &'static str) -> TreeError {
        match self.tokens.get(self.at) {
            Some((line, found)) => {
                TreeError::Unexpected { line: *line, found: found.clone(), wanted }
            }
            None => TreeError::TooSoon(wanted),
        }
    }

    fn root_side(&mut self) -> Side {
        if self.take("min") {
            return Side::Min;
        }
        self.take("max");
        Side::Max
    }

    fn number(&mut self) -> Result<Value, TreeError> {
        let number = self.peek().parse::<f64>().ok().filter(|n| n.abs() <= 1000.0);
        let number = number.ok_or_else(|| self.fault("wanted.number"))?;
        self.at += 1;
        Ok((number * f64::from(SCALE)).round() as Value)
    }

    fn is_name(&self) -> bool {
        self.peek().starts_with(char::is_alphabetic)
    }

    /// Reads a node and all below it; returns its place.
    fn node(&mut self) -> Result<usize, TreeError> {
        self.node_at(0)
    }

    fn node_at(&mut self, level: usize) -> Result<usize, TreeError> {
        if level > DEEPEST {
            return Err(TreeError::TooDeep);
        }
        let place = self.nodes.len();
        self.nodes.push(TreeNode::default());
        let is_named = self.is_name();
        if is_named {
            let name = ArrayString::from(self.peek());
            self.nodes[place].name = name.map_err(|_| self.fault("wanted.name"))?;
            self.at += 1;
            self.nodes[place].is_forcing = self.take("!");
            if self.take(":") {
                self.nodes[place].estimate = Some(self.number()?);
            }
        }
        if self.take("(") {
            while !self.take(")") {
                let child = self.node_at(level + 1)?;
                self.nodes[place].children.push(child);
            }
            if self.nodes[place].children.is_empty() {
                return Err(TreeError::Childless);
            }
        } else {
            if is_named && !self.take("=") {
                return Err(self.fault("wanted.value"));
            }
            self.nodes[place].values = self.leaf()?;
        }
        Ok(place)
    }

    fn leaf(&mut self) -> Result<Vec<Value>, TreeError> {
        if !self.take("[") {
            return Ok(vec![self.number()?]);
        }
        let mut values = Vec::new();
        while !self.take("]") {
            values.push(self.number()?);
        }
        if values.len() < 2 {
            return Err(self.fault("wanted.values"));
        }
        Ok(values)
    }
}
