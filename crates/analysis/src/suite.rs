//! Suites of test positions in EPD: best moves, moves to avoid, mates, and points for good moves.
//!
//! A position is solved by the move at the end of the search. Its time, nodes and depth are those from
//! which on the search kept to a solution: a move that is found and dropped again is no solution.

use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use serde_json::{Value as Json, json};
use shakmaty::{CastlingMode, Move};

use engine::evaluation::Variant;
use engine::evaluation::variants::{Task, with_rules};
use engine::input::printable;
use engine::limits::Limits;
use engine::rules::notation::{self, MoveError, read_move};
use engine::rules::{Game, RuleSet, setup};
use engine::score::{Meaning, Score};
use engine::search::report::{Bound, Report, Reporter};
use engine::search::{Options, STACK, Searcher};
use engine::settings::Settings;

/// A position with its task, as a line of EPD.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EpdLine {
    /// The position.
    pub fen: String,
    /// Operations and their operands: `bm`, `Nf3 Ng5`.
    pub operations: Vec<(String, String)>,
}

impl EpdLine {
    /// Reads a line: board, side, castling and en passant, then operations. The counters of a FEN may stand
    /// between, or in the operations `hmvc` and `fmvn`. `None` for a line that is no position.
    pub fn parse(line: &str) -> Option<EpdLine> {
        let mut rest = line.trim();
        let mut fields = Vec::new();
        while fields.len() < 6 {
            let (field, after) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
            let is_counter = !field.is_empty() && field.bytes().all(|byte| byte.is_ascii_digit());
            if field.is_empty() || fields.len() >= 4 && !is_counter {
                break;
            }
            fields.push(field.trim_end_matches(';'));
            rest = after.trim_start();
        }
        let is_position = fields.len() >= 4 && fields[0].matches('/').count() >= 7;
        let operations = split_operations(rest).into_iter().filter_map(|operation| {
            let (code, operand) =
                operation.split_once(char::is_whitespace).unwrap_or((&operation, ""));
            (!code.is_empty()).then(|| (code.to_string(), operand.trim().replace('"', "")))
        });
        let mut line = EpdLine { fen: String::new(), operations: operations.collect() };
        let counters = ["hmvc", "fmvn"].map(|code| line.operand(code));
        if fields.len() == 4 && counters.iter().any(Option::is_some) {
            fields.push(counters[0].unwrap_or("0"));
            fields.push(counters[1].unwrap_or("1"));
        }
        let fen = fields.join(" ");
        line.fen = fen;
        is_position.then_some(line)
    }

    fn operand(&self, code: &str) -> Option<&str> {
        self.operations.iter().find(|(other, _)| other == code).map(|(_, operand)| operand.as_str())
    }
}

/// Splits operations at semicolons outside quotes.
fn split_operations(text: &str) -> Vec<String> {
    let mut operations = vec![String::new()];
    let mut is_quoted = false;
    for letter in text.chars() {
        is_quoted ^= letter == '"';
        match letter {
            ';' if !is_quoted => operations.push(String::new()),
            letter => operations[..].last_mut().into_iter().for_each(|last| last.push(letter)),
        }
    }
    operations.iter().map(|operation| operation.trim().to_string()).collect()
}

/// The result of a position.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Solution {
    /// Its name, from `id`.
    pub id: String,
    /// The moves that the suite wants, and those that it does not want, with a minus sign.
    pub wanted: String,
    /// The move found.
    pub found: String,
    /// Whether it solves the position; `None` if the line asks for nothing that can be wrong.
    pub is_solved: Option<bool>,
    /// Points won and points to be won.
    pub points: Option<(u32, u32)>,
    /// Depth, nodes and milliseconds from which on the solution was held.
    pub held: Option<(u32, u64, u64)>,
    /// The score, as UCI writes it.
    pub score: String,
    /// The difference of the score to `ce`, in centipawns.
    pub ce_difference: Option<i32>,
    /// Why the line could not be used.
    pub error: Option<String>,
}

impl Solution {
    /// The result as data, from which [`Solution::from_json`] makes it again.
    pub fn json(&self) -> Json {
        json!({
            "id": self.id, "wanted": self.wanted, "found": self.found, "solved": self.is_solved,
            "points": self.points.map(|(won, most)| [won, most]),
            "held": self.held.map(|(depth, nodes, ms)| [depth.into(), nodes, ms]),
            "score": self.score, "ce": self.ce_difference, "error": self.error,
        })
    }

    /// The result of which this is the data.
    pub fn from_json(json: &Json) -> Solution {
        let text = |name: &str| json[name].as_str().unwrap_or_default().to_string();
        let number = |value: &Json| value.as_u64();
        let small = |value: &Json| u32::try_from(value.as_u64()?).ok();
        let points = |pair: &Json| Some((small(&pair[0])?, small(&pair[1])?));
        let held = |three: &Json| Some((small(&three[0])?, number(&three[1])?, number(&three[2])?));
        Solution {
            id: text("id"),
            wanted: text("wanted"),
            found: text("found"),
            is_solved: json["solved"].as_bool(),
            points: points(&json["points"]),
            held: held(&json["held"]),
            score: text("score"),
            ce_difference: json["ce"].as_i64().and_then(|ce| i32::try_from(ce).ok()),
            error: json["error"].as_str().map(str::to_string),
        }
    }
}

/// The options of a suite's run.
#[derive(Clone, Debug)]
pub struct SuiteOptions {
    /// The rule set.
    pub rule_set: RuleSet,
    /// The limits of each search.
    pub limits: Limits,
    /// The size of each thread's transposition table, in MiB.
    pub hash_mb: usize,
    /// Threads, from 1.
    pub threads: usize,
}

/// Solves the positions of a suite that are not `known` by their numbers yet; `solved` receives the number
/// and the result of each. All results are in the order of the lines.
pub fn solve(
    lines: &[EpdLine],
    known: HashMap<usize, Solution>,
    options: &SuiteOptions,
    solved: &(dyn Fn(usize, &Solution) + Sync),
) -> Vec<Solution> {
    with_rules(options.rule_set, Solve { lines, known, options, solved })
}

struct Solve<'a> {
    lines: &'a [EpdLine],
    known: HashMap<usize, Solution>,
    options: &'a SuiteOptions,
    solved: &'a (dyn Fn(usize, &Solution) + Sync),
}

impl Task for Solve<'_> {
    type Outcome = Vec<Solution>;

    fn run<P: Variant>(self) -> Vec<Solution> {
        let Solve { lines, known, options, solved } = self;
        let left: Vec<usize> =
            (0..lines.len()).filter(|number| !known.contains_key(number)).collect();
        let solutions = Mutex::new(known);
        let next = AtomicUsize::new(0);
        thread::scope(|scope| {
            let work = || {
                while let Some(&number) = left.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let solution = solve_line::<P>(&lines[number], options);
                    solved(number, &solution);
                    let mut all = solutions.lock().unwrap_or_else(PoisonError::into_inner);
                    all.insert(number, solution);
                }
            };
            for _ in 1..options.threads {
                // With fewer threads than wanted it only takes longer.
                let _ = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
            }
            work();
        });
        let mut all = solutions.into_inner().unwrap_or_else(PoisonError::into_inner);
        (0..lines.len()).map(|number| all.remove(&number).unwrap_or_default()).collect()
    }
}

/// The task of a position.
#[derive(Default)]
struct Goals {
    best: Vec<Move>,
    avoid: Vec<Move>,
    /// A mate in at most so many moves.
    mate: Option<i32>,
    points: Vec<(Move, u32)>,
}

impl Goals {
    fn read<P: Variant>(line: &EpdLine, position: &P) -> Result<Goals, String> {
        let mut mate: Option<i32> = None;
        let mut moves = |code: &str| -> Result<Vec<Move>, String> {
            let words = line.operand(code).unwrap_or_default().split([' ', ',']);
            let mut moves = Vec::new();
            for word in words.filter(|word| !word.is_empty()) {
                // Some suites write the mate that is wanted as if it were a move.
                let wanted = word.strip_prefix('#').and_then(|count| count.parse().ok());
                match (code, wanted) {
                    ("bm", Some(count)) => mate = Some(count),
                    _ => moves.push(goal(line, position, code, word)?),
                }
            }
            Ok(moves)
        };
        let (best, avoid) = (moves("bm")?, moves("am")?);
        if let Some(operand) = line.operand("dm") {
            let count = operand.trim_start_matches('#').parse();
            mate = Some(count.map_err(|_| format!("dm {operand} is not a number of moves"))?);
        }
        Ok(Goals { best, avoid, mate, points: points(line, position)? })
    }

    fn is_met(&self, m: Option<Move>, score: Score) -> bool {
        let Some(m) = m else { return false };
        let has_best = self.best.is_empty() || self.best.contains(&m);
        let has_mate = self.mate.is_none_or(|wanted| match score.meaning() {
            Meaning::Mate(moves) => moves > 0 && moves <= wanted,
            Meaning::Centipawns(_) => false,
        });
        has_best && !self.avoid.contains(&m) && has_mate
    }

    fn are_none(&self) -> bool {
        self.best.is_empty() && self.avoid.is_empty() && self.mate.is_none()
    }
}

/// The move of a word in an operation.
fn goal<P: Variant>(line: &EpdLine, position: &P, code: &str, word: &str) -> Result<Move, String> {
    read_move(position, word).map_err(|error| {
        let is_ambiguous = error == MoveError::Ambiguous;
        let said = if is_ambiguous { "can mean several moves" } else { "is not legal" };
        format!("{code} {} {said} in {}", printable(word, 20), line.fen)
    })
}

/// The points of moves, as the Strategic Test Suite (STS) has them: `c0 "f5=10, Be5+=2"`, or moves in `c9`
/// with their points in `c8`. Other texts may stand in `c0`, and have none.
fn points<P: Variant>(line: &EpdLine, position: &P) -> Result<Vec<(Move, u32)>, String> {
    if let (Some(moves), Some(points)) = (line.operand("c9"), line.operand("c8")) {
        let (moves, points): (Vec<&str>, Vec<&str>) =
            (moves.split_whitespace().collect(), points.split_whitespace().collect());
        if moves.len() != points.len() {
            let (moves, points) = (moves.len(), points.len());
            return Err(format!("c9 has {moves} moves, but c8 has {points} numbers"));
        }
        let pair = |(m, points): (&str, &str)| {
            let wrong = || format!("c8 {} is not a number", printable(points, 20));
            Ok((goal(line, position, "c9", m)?, points.parse().map_err(|_| wrong())?))
        };
        return moves.into_iter().zip(points).map(pair).collect();
    }
    let pairs = line.operand("c0").unwrap_or_default().split(',');
    let pairs: Option<Vec<(&str, u32)>> = pairs
        .map(|pair| {
            let (m, points) = pair.trim().rsplit_once('=')?;
            Some((m.trim(), points.trim().parse().ok()?))
        })
        .collect();
    let pairs = pairs.unwrap_or_default().into_iter();
    let points = pairs.map(|(m, points)| Ok((goal(line, position, "c0", m)?, points))).collect();
    match points {
        // A remark that looks like points, beside the moves that solve the position.
        Err(_) if ["bm", "am"].iter().any(|name| line.operand(name).is_some()) => Ok(Vec::new()),
        points => points,
    }
}

/// Notes since when the search has kept to a solution.
struct Watch<'a> {
    goals: &'a Goals,
    since: Option<(u32, u64, u64)>,
}

impl Reporter for Watch<'_> {
    fn variation(&mut self, report: &Report) {
        if report.multipv > 1 || report.bound == Bound::Upper {
            return;
        }
        let is_met = self.goals.is_met(report.pv.first().copied(), report.score);
        let now = (report.depth, report.nodes, report.time_ms);
        self.since = if is_met { self.since.or(Some(now)) } else { None };
    }
}

fn solve_line<P: Variant>(line: &EpdLine, options: &SuiteOptions) -> Solution {
    let id = line.operand("id").unwrap_or_default().to_string();
    let wanted = [("bm", ""), ("am", "-"), ("dm", "#")].into_iter().filter_map(|(code, sign)| {
        let operand = line.operand(code)?;
        Some(
            operand
                .split_whitespace()
                .map(|word| format!("{sign}{word}"))
                .collect::<Vec<_>>()
                .join(" "),
        )
    });
    let solution =
        Solution { id, wanted: wanted.collect::<Vec<_>>().join(" "), ..Solution::default() };
    let failed = |error: String| Solution { error: Some(error), ..solution.clone() };
    let mode = CastlingMode::Standard;
    let position = setup::position::<P>(&line.fen, mode).or_else(|error| {
        setup::position::<P>(&line.fen, CastlingMode::Chess960).map_err(|_| error)
    });
    let position = match position {
        Ok((position, _)) => position,
        Err(error) => return failed(error.to_string()),
    };
    let goals = match Goals::read(line, &position) {
        Ok(goals) => goals,
        Err(error) => return failed(error),
    };
    let evaluator = Settings::default().evaluator::<P>(None);
    let mut searcher = match Searcher::new(evaluator, Options::default(), options.hash_mb) {
        Ok(searcher) => searcher,
        Err(error) => return failed(error.to_string()),
    };
    let mut watch = Watch { goals: &goals, since: None };
    let outcome = searcher.search(&Game::new(position.clone()), &options.limits, &mut watch);
    let Watch { since, .. } = watch;
    let is_met = goals.is_met(outcome.best, outcome.score);
    let won =
        goals.points.iter().find(|(m, _)| Some(*m) == outcome.best).map_or(0, |(_, won)| *won);
    let most = goals.points.iter().map(|(_, points)| *points).max();
    let ce = line.operand("ce").and_then(|operand| operand.parse::<i32>().ok());
    Solution {
        found: outcome.best.map_or(String::new(), |m| notation::san(&position, m)),
        is_solved: (!goals.are_none()).then_some(is_met),
        points: most.map(|most| (won, most)),
        held: since.filter(|_| is_met && !goals.are_none()),
        score: outcome.score.to_string(),
        ce_difference: ce.and_then(|ce| outcome.score.raw().checked_sub(ce)),
        ..solution
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_with_and_without_counters() {
        let line = EpdLine::parse(
            "r1bqk1r1/1p1p1n2/p1n2pN1/2p1b2Q/2P1Pp2/1PN5/PB4PP/R4RK1 w q - bm Rxf4; id \"a; b\"; c0 \"Rxf4=10, Nd5=3\";",
        )
        .unwrap();
        assert_eq!(line.operand("id"), Some("a; b"));
        assert_eq!(line.operand("bm"), Some("Rxf4"));
        let full = EpdLine::parse("8/8/8/8/8/8/8/K1k5 w - - 0 1 dm 3; ce -20").unwrap();
        assert_eq!(full.fen, "8/8/8/8/8/8/8/K1k5 w - - 0 1");
        assert_eq!(full.operand("ce"), Some("-20"));
        assert_eq!(EpdLine::parse("1. e4 e5 2. Nf3 Nc6"), None);
        let fen = |line: &str| EpdLine::parse(line).unwrap().fen;
        assert_eq!(
            fen("8/8/8/8/8/8/8/K1k5 w - - hmvc 98; fmvn 7;"),
            "8/8/8/8/8/8/8/K1k5 w - - 98 7"
        );
        assert_eq!(fen("8/8/8/8/8/8/8/K1k5 w - - fmvn 7;"), "8/8/8/8/8/8/8/K1k5 w - - 0 7");
        assert_eq!(fen("8/8/8/8/8/8/8/K1k5 w - - id \"x\";"), "8/8/8/8/8/8/8/K1k5 w - -");
    }

    /// With the clock at 98 there is no time for the mate, wherever the clock stands.
    #[test]
    fn the_clock_counts_by_opcode_too() {
        for line in ["hmvc 98; id \"opcode\";", "98 120 id \"inline\";"] {
            let solved = solve_one(&format!("7k/8/5K2/8/8/8/8/R7 w - - {line}"), Limits::depth(6));
            assert_eq!((solved.error, solved.score.as_str()), (None, "cp 0"), "{line}");
        }
    }

    #[test]
    fn goals_are_read_in_every_spelling_or_named() {
        let back_rank = "6k1/5ppp/8/8/8/8/8/R6K w - -";
        let solve =
            |operations: &str| solve_one(&format!("{back_rank} {operations}"), Limits::depth(4));
        for operations in
            ["bm Ra8#;", "bm Ra1-a8;", "bm a1a8;", "bm ♖a8++!;", "bm #1;", "dm 1;", "bm #1 Ra8;"]
        {
            let solved = solve(operations);
            assert_eq!((solved.error, solved.is_solved), (None, Some(true)), "{operations}");
        }
        for (operations, fault) in [
            ("bm Ta8;", "bm Ta8 is not legal"),
            ("bm Rb8;", "bm Rb8 is not legal"),
            ("dm soon;", "dm soon is not a number"),
            ("c9 \"Ra8 Ra7\"; c8 \"10\";", "c9 has 2 moves, but c8 has 1"),
            ("c0 \"Ra8=10, Rb9=3\";", "c0 Rb9 is not legal"),
        ] {
            let error = solve(operations).error.unwrap_or_default();
            assert!(error.starts_with(fault), "{operations}: {error}");
        }
        for remark in ["a remark = 3, and more", "Elo = 2400"] {
            assert_eq!(solve(&format!("bm Ra8; c0 \"{remark}\";")).error, None);
        }
    }

    fn solve_one(line: &str, limits: Limits) -> Solution {
        let options = SuiteOptions { rule_set: RuleSet::Chess, limits, hash_mb: 1, threads: 2 };
        solve(&[EpdLine::parse(line).unwrap()], HashMap::new(), &options, &|_, _| {}).remove(0)
    }

    #[test]
    fn mates_moves_and_points_are_checked() {
        let mate = "6k1/5ppp/8/8/8/8/8/R6K w - - bm Ra8#; dm 1; id \"back rank\";";
        let solved = solve_one(mate, Limits::depth(4));
        assert_eq!(Solution::from_json(&solved.json()), solved);
        assert_eq!((solved.is_solved, solved.found.as_str()), (Some(true), "Ra8#"));
        assert_eq!(solved.held.map(|(depth, _, _)| depth), Some(1));
        let avoided = solve_one("6k1/5ppp/8/8/8/8/8/R6K w - - am Ra8#;", Limits::depth(4));
        assert_eq!((avoided.is_solved, avoided.held), (Some(false), None));
        let points = "6k1/5ppp/8/8/8/8/8/R6K w - - c0 \"Ra7=10, Ra8=4\";";
        let found = solve_one(points, Limits::depth(4));
        assert_eq!(found.points, Some((4, 10)));
        assert_eq!(Solution::from_json(&found.json()), found);
        let sts = "6k1/5ppp/8/8/8/8/8/R6K w - - c8 \"10 4\"; c9 \"a1a8 a1a7\";";
        assert_eq!(solve_one(sts, Limits::depth(4)).points, Some((10, 10)));
        let far = "6k1/5ppp/8/8/8/8/8/R6K w - - ce -2147483648;";
        assert_eq!(solve_one(far, Limits::depth(1)).ce_difference, None);
        let broken = solve_one("6k1/5ppp/8/8/8/8/8/R6K w - - bm Rh9;", Limits::depth(1));
        assert!(broken.error.unwrap().contains("bm Rh9"));
    }
}
