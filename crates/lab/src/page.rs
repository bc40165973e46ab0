//! A tree that plays itself: recorded searches as one self-contained HTML page, or as JSON.
//!
//! The page only replays. Every value, bound, cut and sentence in it was made by the search in Rust;
//! no algorithm is written a second time in JavaScript.

use std::collections::HashMap;

use serde_json::{Value as Json, json};

use super::game::{Board, BoardKind, Position, Side, Value};
use super::record::{Action, Node, Record, Step};
use super::texts::Texts;
use super::watch::{Bound, Cut, Guess, LeafPaths};
use shell::page::Page;

/// The style sheet of a lesson, after [`shell::page::STYLE`].
pub const STYLE: &str = include_str!("page/lab.css");
const SCRIPTS: [&str; 3] =
    [include_str!("page/tree.js"), include_str!("page/lab.js"), include_str!("page/quiz.js")];
/// Shows the lesson of a page that has its data inside.
const START: &str = include_str!("page/start.js");

/// The scripts of a lesson as one module for another page: it exports the class `Lesson`, which takes the
/// [data](Lesson::data) and the element to show them in. The page has the pieces.
pub fn module() -> String {
    [&[shell::page::BOARD, shell::page::ELEMENTS], &SCRIPTS[..], &["export { Lesson };\n"]]
        .concat()
        .join("\n")
}

/// Most nodes of a whole game tree that the quiz draws.
const MAX_IN_QUIZ: usize = 200;

/// The texts that the page uses itself.
const TEXTS: &[&str] = &[
    "page.",
    "record.",
    "player.",
    "root",
    "pass",
    "none",
    "reason.",
    "drawing.root",
    "infinity.",
    "lang.",
    "enter.",
    "window.",
    "narrow.",
    "leaf",
    "cut.",
    "hit.",
    "return.",
    "shares.",
    "note.",
    "state.",
];

/// A page about one search, or two side by side.
pub struct Lesson<'a> {
    /// Title.
    pub title: String,
    /// The command that made it, if others lead to other searches.
    pub command: Option<String>,
    /// One record, or two of the same position.
    pub records: &'a [Record],
    /// The words.
    pub texts: &'a Texts,
}

impl Lesson<'_> {
    /// The page.
    pub fn html(&self) -> String {
        let body = "<div id=\"app\"></div>";
        let scripts = [&SCRIPTS[..], &[START]].concat();
        let data = self.data();
        let lang = self.texts.lang.code();
        let styles = [STYLE];
        Page { lang, title: &self.title, styles: &styles, scripts: &scripts, body, data: &data }
            .assemble()
    }

    /// The data of the page with the table of all nodes, for notebooks.
    pub fn json(&self) -> Json {
        let mut data = self.data();
        let searches = data["searches"].as_array_mut().into_iter().flatten();
        for (search, record) in searches.zip(self.records) {
            search["records"] = self.node_records(record);
        }
        data
    }

    /// The data of the page.
    pub fn data(&self) -> Json {
        let board = self.records.first().and_then(|record| record.root.board());
        let kind = |board: &Board| match board.kind {
            BoardKind::Chess => "chess",
            BoardKind::Marks => "marks",
            BoardKind::Discs => "discs",
        };
        json!({
            "lang": self.texts.lang.code(),
            "title": self.title,
            "command": self.command,
            "texts": self.texts.json(TEXTS),
            "board": board.as_ref().map(|board| json!({
                "kind": kind(board), "columns": board.columns, "cells": cells(board),
            })),
            "searches": self.records.iter().map(|record| self.search(record)).collect::<Vec<_>>(),
            "whole": self.records.first().and_then(|record| self.whole(record)),
        })
    }

    fn search(&self, record: &Record) -> Json {
        let mut keys = Keys::default();
        let steps: Vec<Json> = record.steps.iter().map(|step| step_json(step, &mut keys)).collect();
        let key = format!("code.{}", record.algorithm);
        let code = self.texts.get(&key).lines().filter_map(|line| line.split_once(": "));
        let code: Vec<Json> =
            code.map(|(tags, line)| json!([tags.split(',').collect::<Vec<_>>(), line])).collect();
        json!({
            "algorithm": record.algorithm,
            "title": self.texts.get(&format!("title.{}", record.algorithm)),
            "idea": self.texts.get(&format!("idea.{}", record.algorithm)),
            "errata": self.texts.find(&format!("errata.{}", record.algorithm)),
            "depth": record.depth,
            "players": record.root.players(),
            "code": code,
            "value": record.value(self.texts),
            "best": record.best(self.texts),
            "counter": {
                "nodes": record.counter.nodes, "leaves": record.counter.leaves,
                "hits": record.counter.hits, "memory": record.counter.memory,
            },
            "lastPly": record.last_ply,
            "variation": record.principal_variation(),
            "labels": self.labels(record),
            "nodes": record.nodes.iter().map(|node| node_json(record, node)).collect::<Vec<_>>(),
            "keys": keys.names.iter().map(|(key, args)| json!([key, args])).collect::<Vec<_>>(),
            "steps": steps,
        })
    }

    /// The nodes as Trujillo's paper keeps them: Id, IdPadre, Tipo, Estado, Utilidad, Mejor acción, Prof.
    fn node_records(&self, record: &Record) -> Json {
        // One value, or one a player.
        let mut values: Vec<Option<Vec<Value>>> = vec![None; record.nodes.len()];
        for step in &record.steps {
            match &step.action {
                Action::Leaf(all) | Action::Shares(all) => values[step.node] = Some(all.clone()),
                Action::Hit(value, _) | Action::Return(value, _) if record.root.players() == 2 => {
                    values[step.node] = Some(vec![*value]);
                }
                _ => {}
            }
        }
        let show = |all: &Vec<Value>| {
            let all: Vec<String> = all.iter().map(|&v| record.show(self.texts, v)).collect();
            all.join(" ")
        };
        let mut paths: Vec<(String, u32)> = Vec::new();
        let mut rows = Vec::new();
        for (id, node) in record.nodes.iter().enumerate() {
            // A parent always stands before its children.
            let above = paths.get(node.parent).filter(|_| id > 0);
            let (path, ply) = above.map_or((String::new(), 0), |(path, ply)| {
                (format!("{path} {}", node.name).trim_start().to_string(), ply + 1)
            });
            let state = node.board.as_ref().map_or_else(|| path.clone(), cells);
            paths.push((path, ply));
            let is_best = |&&child: &&usize| values[child].is_some() && values[child] == values[id];
            let best = node.children.iter().find(is_best).map(|&child| &record.nodes[child].name);
            rows.push(json!({
                "id": id,
                "parent": (id > 0).then_some(node.parent),
                "type": if node.side == Side::Max { "Max" } else { "Min" },
                "state": state,
                "utility": values[id].as_ref().map(show),
                "best": best,
                "depth": record.depth.saturating_sub(ply),
            }));
        }
        Json::Array(rows)
    }

    /// The text of every value that occurs.
    fn labels(&self, record: &Record) -> Json {
        let mut labels = serde_json::Map::new();
        let mut add = |value: Value| {
            labels
                .entry(value.to_string())
                .or_insert_with(|| record.show(self.texts, value).into());
        };
        for step in &record.steps {
            match &step.action {
                Action::Window(a, b) | Action::Narrow(a, b) => {
                    [*a, *b].into_iter().for_each(&mut add)
                }
                Action::Hit(v, _) | Action::Return(v, _) | Action::State(_, v) => add(*v),
                Action::Cut(Cut::Alpha(v) | Cut::Beta(v), _) => add(*v),
                Action::Leaf(values) | Action::Shares(values) => {
                    values.iter().copied().for_each(&mut add);
                }
                _ => {}
            }
        }
        Json::Object(labels)
    }

    /// The whole game tree, if it is small, with the leaves that the search evaluated.
    fn whole(&self, record: &Record) -> Option<Json> {
        if record.root.players() > 2 {
            return None;
        }
        let mut nodes = Vec::new();
        whole_tree(&record.root, record.depth, 0, String::new(), &mut nodes).then_some(())?;
        let algorithm = super::algorithms::named(record.algorithm).ok()?;
        let mut paths = LeafPaths::default();
        algorithm.run(&record.root, record.depth, &mut paths);
        let mut looked: Vec<String> = Vec::new();
        for path in &paths.0 {
            let names: Vec<String> =
                path.iter().map(|m| m.map_or(String::new(), |m| m.to_string())).collect();
            looked.push(names.join("/"));
        }
        let nodes: Vec<Json> = nodes
            .iter()
            .map(|node| {
                let value = node.value.map(|value| record.show(self.texts, value));
                let side = u8::from(node.side == Side::Min);
                json!([node.parent, node.name, side, value, looked.contains(&node.path)])
            })
            .collect();
        Some(json!(nodes))
    }
}

/// A node of a whole game tree.
struct Whole {
    parent: usize,
    name: String,
    path: String,
    side: Side,
    value: Option<Value>,
}

/// Adds the tree below `position`; false if it is too big.
fn whole_tree(
    position: &Position,
    depth: u32,
    parent: usize,
    path: String,
    nodes: &mut Vec<Whole>,
) -> bool {
    let at = nodes.len();
    if at >= MAX_IN_QUIZ {
        return false;
    }
    let moves = position.moves_to(depth);
    let value = moves.is_empty().then(|| position.value());
    let name = path.rsplit('/').next().unwrap_or_default().to_string();
    nodes.push(Whole { parent, name, path: path.clone(), side: position.turn(), value });
    moves.into_iter().all(|m| {
        let path = if path.is_empty() { m.to_string() } else { format!("{path}/{m}") };
        whole_tree(&position.play(m), depth - 1, at, path, nodes)
    })
}

/// The keys of a record's lines with the names of their placeholders, each once.
#[derive(Default)]
struct Keys {
    places: HashMap<&'static str, usize>,
    names: Vec<(&'static str, Vec<&'static str>)>,
}

impl Keys {
    fn place(&mut self, key: &'static str, args: Vec<&'static str>) -> usize {
        let next = self.names.len();
        let place = *self.places.entry(key).or_insert(next);
        if place == next {
            self.names.push((key, args));
        }
        place
    }
}

fn cells(board: &Board) -> String {
    board.cells.iter().collect()
}

/// A node: parent, name, side, mover, moves, and the cells that differ from the parent's board.
fn node_json(record: &Record, node: &Node) -> Json {
    let parent = &record.nodes[node.parent];
    let changes: Vec<Json> = match (&node.board, &parent.board) {
        (Some(now), Some(before)) => now
            .cells
            .iter()
            .zip(&before.cells)
            .enumerate()
            .filter(|(_, (now, before))| now != before)
            .flat_map(|(i, (now, _))| [json!(i), json!(now.to_string())])
            .collect(),
        _ => Vec::new(),
    };
    let side = u8::from(node.side == Side::Min);
    json!([node.parent, node.name, side, node.mover, node.breadth, changes])
}

fn bound_sign(bound: Bound) -> i8 {
    match bound {
        Bound::Exact => 0,
        Bound::AtLeast => 1,
        Bound::AtMost => -1,
    }
}

/// A step: node, kind, its numbers, the key of its text and the values of its placeholders.
fn step_json(step: &Step, keys: &mut Keys) -> Json {
    let (kind, numbers) = match &step.action {
        Action::Enter => ("enter", json!([])),
        Action::Window(alpha, beta) => ("window", json!([alpha, beta])),
        Action::Narrow(alpha, beta) => ("narrow", json!([alpha, beta])),
        Action::Leaf(values) => ("leaf", json!(values)),
        Action::Cut(cut, names) => {
            let (kind, bound, why) = match cut {
                Cut::Alpha(bound) => ("cut", json!(bound), "α"),
                Cut::Beta(bound) => ("cut", json!(bound), "β"),
                Cut::Guess(Guess::NullMove) => ("guess", Json::Null, "reason.null-move"),
                Cut::Guess(Guess::Futility) => ("guess", Json::Null, "reason.futility"),
                Cut::Guess(Guess::Rank) => ("guess", Json::Null, "reason.rank"),
                Cut::Guess(Guess::CrashCut) => ("guess", Json::Null, "reason.crash-cut"),
            };
            (kind, json!([bound, why, names]))
        }
        Action::Hit(value, bound) => ("hit", json!([value, bound_sign(*bound)])),
        Action::Return(value, bound) => ("return", json!([value, bound_sign(*bound)])),
        Action::Shares(values) => ("shares", json!(values)),
        Action::Pass(_) => ("pass", json!([])),
        Action::Note(_) => ("note", json!([])),
        Action::State(is_solved, h) => ("state", json!([u8::from(*is_solved), h])),
        Action::Purge => ("purge", json!([])),
        Action::Hidden(nodes, leaves) => ("hidden", json!([nodes, leaves])),
    };
    match &step.line {
        Some(line) => {
            let place = keys.place(line.key, line.args.iter().map(|(name, _)| *name).collect());
            let values: Vec<&str> = line.args.iter().map(|(_, value)| value.as_str()).collect();
            json!([step.node, kind, numbers, place, values])
        }
        None => json!([step.node, kind, numbers]),
    }
}
