//! Motifs against positions that nobody here chose: rated puzzles from games of people, each with a real mistake, its
//! refutation and the motifs that its solvers see (shared data, CC0; passed over where it is absent).
//!
//! `MOTIF_PUZZLES` sets how many of the labelled puzzles are analysed, with the nodes of `analyse` for each position; an
//! ordinary run has a third of these. The detectors are tried on all of them.

#![expect(clippy::unwrap_used, clippy::print_stderr, reason = "a test shows what fails")]

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::thread;

use analysis::analyst::{AnalystOptions, analyst};
use analysis::motif::{self, Motif, MotifLine};
use analysis::review::MoveReview;
use analysis::texts::{self, Lang};
use engine::limits::Limits;
use engine::pgn::{Course, RawGame};
use engine::rules::RuleSet;
use engine::settings::Settings;
use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Move, Position};

/// Labelled puzzles that a test run analyses.
const PUZZLES: usize = 24;

/// The labels that the yardstick names, with our motifs.
const LABELS: [(&str, &[Motif]); 18] = [
    ("fork", &[Motif::Fork]),
    ("pin", &[Motif::Pin]),
    ("skewer", &[Motif::Skewer]),
    ("discoveredAttack", &[Motif::DiscoveredAttack, Motif::DiscoveredCheck]),
    ("hangingPiece", &[Motif::HangingPiece]),
    ("trappedPiece", &[Motif::TrappedPiece]),
    ("backRankMate", &[Motif::BackRankMate]),
    ("smotheredMate", &[Motif::SmotheredMate]),
    ("deflection", &[Motif::Deflection, Motif::OverloadedPiece]),
    ("attraction", &[Motif::Attraction]),
    ("capturingDefender", &[Motif::RemovedDefender]),
    ("promotion", &[Motif::Promotion, Motif::Underpromotion]),
    ("underPromotion", &[Motif::Underpromotion]),
    ("doubleCheck", &[Motif::DoubleCheck]),
    ("intermezzo", &[Motif::InBetweenMove]),
    ("interference", &[Motif::Interference]),
    ("clearance", &[Motif::Clearance]),
    ("xRayAttack", &[Motif::XRay]),
];
/// How many of them every explanation should find.
const WANTED: usize = 12;

/// A puzzle: the positions from the one before the mistake on, the moves, the labels.
struct Puzzle {
    fen: String,
    positions: Vec<Chess>,
    moves: Vec<Move>,
    labels: Vec<String>,
}

/// A file of the shared data, if it is there.
fn shared(name: &str) -> Option<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data").join(name);
    let text = fs::read_to_string(path).ok();
    if text.is_none() {
        eprintln!("skipped: there is no {name}");
    }
    text
}

fn puzzle(fen: &str, moves: &str, labels: &str) -> Puzzle {
    let start: Chess = fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
    let (mut positions, mut played) = (vec![start], Vec::new());
    for word in moves.split(' ') {
        let mut now = positions.last().unwrap().clone();
        let m = word.parse::<UciMove>().unwrap().to_move(&now).unwrap();
        now.play_unchecked(m);
        positions.push(now);
        played.push(m);
    }
    let labels = labels.split(' ').map(str::to_string).collect();
    Puzzle { fen: fen.to_string(), positions, moves: played, labels }
}

fn puzzles() -> Option<Vec<Puzzle>> {
    let text = shared("puzzles.tsv")?;
    let puzzle = |line: &str| {
        let fields: Vec<&str> = line.split('\t').collect();
        puzzle(fields[1], fields[2], fields[3])
    };
    Some(text.lines().skip(1).map(puzzle).collect())
}

impl Puzzle {
    fn has(&self, label: &str) -> bool {
        self.labels.iter().any(|one| one == label)
    }

    /// The move that is a mistake.
    fn mistake(&self) -> UciMove {
        self.moves[0].to_uci(CastlingMode::Standard)
    }

    fn is_labelled(&self) -> bool {
        LABELS[..WANTED].iter().any(|(label, _)| self.has(label))
    }

    /// The motifs of its solution.
    fn motifs(&self) -> Vec<Motif> {
        let line = MotifLine {
            positions: &self.positions[1..],
            moves: &self.moves[1..],
            before: Some(self.moves[0]),
        };
        motif::find(&line).iter().map(|found| found.motif).collect()
    }
}

/// Counts how often motifs are named, and how often they should be.
#[derive(Default, Debug)]
struct Tally {
    /// Puzzles of which a motif is named, and those of them where a label is among them.
    named: [usize; 2],
    /// Labels of the yardstick, and those of them that are named.
    labelled: [usize; 2],
}

impl Tally {
    fn add(&mut self, puzzle: &Puzzle, motifs: &[Motif]) {
        let is_named = |label: &str| {
            LABELS.iter().any(|(other, ours)| {
                *other == label && ours.iter().any(|motif| motifs.contains(motif))
            })
        };
        if !motifs.is_empty() {
            self.named[0] += 1;
            self.named[1] +=
                usize::from(LABELS.iter().any(|(label, _)| puzzle.has(label) && is_named(label)));
        }
        for (label, _) in LABELS[..WANTED].iter().filter(|(label, _)| puzzle.has(label)) {
            self.labelled[0] += 1;
            self.labelled[1] += usize::from(is_named(label));
        }
    }

    /// Asserts the shares, in per cent, of right names and of labels that are named.
    fn check(&self, right: usize, found: usize) {
        eprintln!("{self:?}");
        assert!(self.named[1] * 100 >= self.named[0] * right, "{self:?}");
        assert!(self.labelled[1] * 100 >= self.labelled[0] * found, "{self:?}");
    }
}

#[test]
fn the_motifs_of_solutions_are_those_that_people_see() {
    let Some(puzzles) = puzzles() else { return };
    let mut tally = Tally::default();
    puzzles.iter().for_each(|puzzle| tally.add(puzzle, &puzzle.motifs()));
    tally.check(94, 90);
}

#[test]
fn positions_with_and_without_a_motif_are_told_apart() {
    let Some(text) = shared("motifs.tsv") else { return };
    let names = [
        ("attraction", Motif::Attraction),
        ("back_rank_mate", Motif::BackRankMate),
        ("capturing_defender", Motif::RemovedDefender),
        ("clearance", Motif::Clearance),
        ("deflection", Motif::Deflection),
        ("discovered_attack", Motif::DiscoveredAttack),
        ("fork", Motif::Fork),
        ("hanging_piece", Motif::HangingPiece),
        ("interference", Motif::Interference),
        ("intermezzo", Motif::InBetweenMove),
        ("pin_prevents_attack", Motif::Pin),
        ("pin_prevents_escape", Motif::Pin),
        ("skewer", Motif::Skewer),
        ("trapped_piece", Motif::TrappedPiece),
        ("under_promotion", Motif::Underpromotion),
        ("x_ray", Motif::XRay),
    ];
    let mut wrong = Vec::new();
    for line in text.lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let Some((_, motif)) = names.iter().find(|(name, _)| *name == fields[0]) else { continue };
        let is_expected = fields[1] == "true";
        // One kind of pin may be there where the other is not.
        let is_other_pin = *motif == Motif::Pin && !is_expected;
        let is_it = |one: &Motif| {
            // A check is an attack on the king.
            let named = if *one == Motif::DiscoveredCheck { Motif::DiscoveredAttack } else { *one };
            named == *motif
        };
        let found = puzzle(fields[2], fields[3], "").motifs().iter().any(is_it);
        if found != is_expected && !is_other_pin {
            wrong.push(line.to_string());
        }
    }
    assert!(wrong.len() <= 6, "{wrong:#?}");
}

/// The mistakes of puzzles, judged. Each is a game of its own, so that any thread may judge it.
fn explained(options: &AnalystOptions, puzzles: &[&Puzzle]) -> Vec<MoveReview> {
    let mut analyst = analyst(RuleSet::Chess, options).unwrap();
    let review = |(number, puzzle): (usize, &&Puzzle)| {
        let game = format!("[SetUp \"1\"]\n[FEN \"{}\"]\n\n{} *\n", puzzle.fen, puzzle.mistake());
        let course = Course::follow(&RawGame::parse(&game)).unwrap();
        let evals = analyst.score(number, &course, 0..2);
        analyst.review(number, &course, 0, evals, &|| ()).moves.remove(0).unwrap()
    };
    puzzles.iter().enumerate().map(review).collect()
}

#[test]
fn explained_mistakes_name_the_motifs_that_people_see() {
    let Some(puzzles) = puzzles() else { return };
    let asked = std::env::var("MOTIF_PUZZLES").ok().and_then(|text| text.parse().ok());
    let options = AnalystOptions {
        limits: Limits::nodes(if asked.is_some() { 60_000 } else { 20_000 }),
        hash_mb: 4,
        texts: Arc::new(texts::of(Lang::En)),
        settings: Settings::default(),
        reasons: true,
        exercises: false,
    };
    let labelled: Vec<Puzzle> = puzzles.into_iter().filter(Puzzle::is_labelled).collect();
    let count = asked.unwrap_or(PUZZLES).min(labelled.len());
    let chosen: Vec<&Puzzle> =
        labelled.iter().step_by(labelled.len() / count).take(count).collect();
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let reviews: Vec<MoveReview> = thread::scope(|scope| {
        let parts = chosen.chunks(count.div_ceil(threads));
        let options = &options;
        let running: Vec<_> =
            parts.map(|part| scope.spawn(move || explained(options, part))).collect();
        running.into_iter().flat_map(|part| part.join().unwrap()).collect()
    });
    let mut tally = Tally::default();
    for (puzzle, review) in chosen.into_iter().zip(reviews) {
        // Where all was lost before, the move is none.
        let Some(reason) = review.reason else { continue };
        if asked.is_some() {
            let labels = puzzle.labels.join(" ");
            eprintln!("{} {} | {labels} | {reason}", puzzle.fen, puzzle.mistake());
        }
        tally.add(puzzle, &review.motifs);
    }
    // A small sample varies: of 240 puzzles some 75 % of the labels are named.
    tally.check(90, 65);
}
