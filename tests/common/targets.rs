//! What must hold for any bytes whatever. Each target reads bytes, turns them into input of one kind, and
//! checks the answer. Property tests call the targets on the stable toolchain, fuzzers in `fuzz/`.
//!
//! Where random bytes would hardly ever be more than an error, they choose among the words of the
//! language, so that mutations of them stay close to it.

use std::collections::HashMap;
use std::fs;
use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use analysis::analyst::AnalystOptions;
use analysis::suite::{self, EpdLine, SuiteOptions};
use analysis::texts::{self, Lang};
use engine::book::{Book, games};
use engine::evaluation::network::features::KingZones;
use engine::evaluation::network::{self, LANES, NetworkWeights, OUTPUTS, Shape};
use engine::evaluation::variants::{Task, with_rules};
use engine::evaluation::{Evaluator, KingTerms, Network, NetworkTerms, Variant, tables};
use engine::limits::Limits;
use engine::pgn::{Course, Games};
use engine::player::Engine;
use engine::rules::{Game, KeyedPosition, RuleSet, perft, setup};
use engine::search::report::Silent;
use engine::search::{Options, Searcher};
use engine::settings::{EvaluatorChoice, Settings};
use engine::uci::output::Output;
use engine::uci::session::Session;
use flate2::Crc;
use lab::games::tree::Tree;
use serde_json::Value as Json;
use shakmaty::{CastlingMode, Chess, Position};
use shell::files::{JSON, OutputError};
use shell::journal::{GrowingFile, journal_of};
use shell::source;
use workshop::annotation::{self, Finished, RunOptions};
use workshop::bookmaking::check;
use workshop::training::files::{DataFile, Header};
use workshop::training::record::{Record, layout_of};

/// A target with its name.
pub type Target = (&'static str, fn(&[u8]));

/// All targets.
pub const ALL: &[Target] = &[
    ("line", line),
    ("conversation", conversation),
    ("fen", fen),
    ("polyglot", polyglot),
    ("pgn", pgn),
    ("archive", archive),
    ("tables", tables_text),
    ("records", records),
    ("network", network_file),
    ("analysis", analysis),
    ("suite", suite_lines),
    ("annotation", annotation),
    ("journal", journal),
    ("tree", tree),
];

/// Collects what a session writes.
#[derive(Clone, Default)]
struct Heard(Arc<Mutex<Vec<u8>>>);

impl Write for Heard {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The lines that a session answers to `input` until it ends.
pub fn converse(input: &[u8]) -> Vec<String> {
    let heard = Heard::default();
    let mut settings = Settings::default();
    settings.set("Hash", "1").unwrap();
    settings.set("OwnBook", "false").unwrap();
    let engine = Engine::new(&settings).unwrap();
    Session::new(engine, settings, Output::new(heard.clone())).run(input).unwrap();
    let text = String::from_utf8(heard.0.lock().unwrap().clone()).unwrap();
    text.lines().map(str::to_string).collect()
}

/// The words of a line of UCI, and some that are none.
const WORDS: &[&str] = &[
    "position",
    "startpos",
    "fen",
    "moves",
    "e2e4",
    "e7e5",
    "g1f3",
    "e1g1",
    "a7a8q",
    "P@e4",
    "0000",
    "setoption",
    "name",
    "value",
    "MultiPV",
    "UCI_Variant",
    "atomic",
    "crazyhouse",
    "chess",
    "UCI_Chess960",
    "true",
    "false",
    "Ponder",
    "Threads",
    "2",
    "debug",
    "on",
    "register",
    "later",
    "eval",
    "d",
    "flip",
    "uci",
    "isready",
    "stop",
    "ponderhit",
    "ucinewgame",
    "#",
    "go",
    "perft",
    "8/8/8/4k3/8/4K3/4P3/8",
    "w",
    "b",
    "KQkq",
    "-",
    "0",
    "1",
    "-1",
    "99999999999999999999",
    "é",
    "\u{0}",
    "\t",
    "  ",
    "Level",
    "3-beginner",
    "Clear",
    "Hash",
    "searchmoves",
];

/// One line of any words. It is answered with remarks and facts, and never with a move of a search that
/// nobody asked for.
pub fn line(data: &[u8]) {
    let mut text = String::new();
    for &byte in data.iter().take(40) {
        text.push_str(WORDS[usize::from(byte) % WORDS.len()]);
        text.push(' ');
    }
    // A search would take its time; the next target has searches.
    let text = text.replace("go ", "go nodes 1 ").replace("perft", "perft 1");
    for line in converse(text.as_bytes()) {
        assert!(line.chars().count() < 5000 && !line.contains('\u{0}'), "{line}");
    }
}

/// The lines of a conversation. Every search ends by itself or at the next command.
const LINES: &[&str] = &[
    "uci",
    "isready",
    "ucinewgame",
    "stop",
    "ponderhit",
    "d",
    "eval",
    "flip",
    "position startpos",
    "position startpos moves e2e4 e7e5 g1f3",
    "position fen 8/8/8/4k3/8/4K3/4P3/8 w - - 0 1",
    "position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1 moves e1g1",
    "position fen 1k6/rrbbnnq1/qqqqqqqq/8/8/QQQQQQQQ/RRBBNNQ1/1K6 w - - 0 1",
    "position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
    "position startpos moves e2e5",
    "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
    "setoption name MultiPV value 3",
    "setoption name MultiPV value 1",
    "setoption name Hash value 2",
    "setoption name Hash value 1",
    "setoption name Threads value 3",
    "setoption name Threads value 1",
    "setoption name UCI_Variant value atomic",
    "setoption name UCI_Variant value antichess",
    "setoption name UCI_Variant value racingkings",
    "setoption name UCI_Variant value crazyhouse",
    "setoption name UCI_Variant value chess",
    "setoption name UCI_Chess960 value true",
    "setoption name UCI_Chess960 value false",
    "setoption name Level value 3",
    "setoption name Level value unlimited",
    "setoption name Evaluation value linear",
    "setoption name Clear Hash",
    "setoption name Nonsense value 1",
    "debug on",
    "debug off",
    "go perft 2",
    "go nodes 300",
    "go depth 3",
    "go movetime 1",
    "go infinite",
    "go ponder wtime 10 btime 10",
    "go wtime 1 btime 1",
    "go mate 1 nodes 200",
    "go searchmoves e2e4 nodes 200",
    "xyzzy",
    "",
];

/// The input of a conversation: bytes choose its lines.
pub fn conversation_of(data: &[u8]) -> String {
    let lines = data.iter().take(24).map(|&byte| LINES[usize::from(byte) % LINES.len()]);
    lines.collect::<Vec<_>>().join("\n")
}

/// A conversation of any lines. Every search is answered with one move, and every isready with a readyok.
pub fn conversation(data: &[u8]) {
    let input = conversation_of(data);
    let heard = converse(input.as_bytes());
    let said = |start: &str| input.lines().filter(|line| line.starts_with(start)).count();
    let answered = |start: &str| heard.iter().filter(|line| line.starts_with(start)).count();
    let searches = said("go ") - said("go perft");
    assert_eq!(answered("bestmove"), searches, "{input}\n{heard:#?}");
    assert_eq!(answered("readyok"), said("isready"), "{input}");
    assert!(heard.iter().all(|line| !line.contains("search failed")), "{input}\n{heard:#?}");
}

/// A FEN: a rule set, a board and the other fields, chosen by bytes.
fn fen_of(data: &[u8]) -> (RuleSet, String) {
    const SQUARES: &[u8] = b"11111111111111112345678PNBRQKpnbrqkQqPpRr";
    let mut bytes = data.iter().copied();
    let mut next = || bytes.next().unwrap_or(0);
    let rule_set = RuleSet::ALL[usize::from(next()) % RuleSet::ALL.len()];
    let fields = next();
    let mut board = String::new();
    let (mut rank, mut file) = (0, 0);
    while rank < 8 {
        let letter = SQUARES[usize::from(next()) % SQUARES.len()];
        let width = if letter.is_ascii_digit() { letter - b'0' } else { 1 };
        let width = width.min(8 - file);
        board.push(if letter.is_ascii_digit() {
            char::from(b'0' + width)
        } else {
            char::from(letter)
        });
        file += width;
        if file == 8 {
            (rank, file) = (rank + 1, 0);
            board.push_str(if rank < 8 { "/" } else { "" });
        }
    }
    let turn = if fields & 1 == 0 { "w" } else { "b" };
    let castling = ["-", "KQkq", "HAha", "Kq"][usize::from(fields >> 1 & 3)];
    let en_passant = ["-", "e3", "d6", "a4"][usize::from(fields >> 3 & 3)];
    let pocket = if rule_set == RuleSet::Crazyhouse { "[QNPqnp]" } else { "" };
    (rule_set, format!("{board}{pocket} {turn} {castling} {en_passant} 0 1"))
}

/// Reads a FEN and searches the position.
struct Search<'a>(&'a str);

impl Task for Search<'_> {
    type Outcome = ();

    fn run<P: Variant>(self) {
        for mode in [CastlingMode::Standard, CastlingMode::Chess960] {
            let Ok((position, _)) = setup::position::<P>(self.0, mode) else { continue };
            let text = setup::fen(&position);
            let again = setup::position::<P>(&text, mode).map(|(again, _)| setup::fen(&again));
            assert_eq!(again.as_ref(), Ok(&text), "{}: {}", P::NAME, self.0);
            perft::perft(&position, 2);
            let legal = position.legal_moves();
            let is_over = legal.is_empty() || position.ending().is_some();
            let mut searcher: Searcher<P> =
                Searcher::new(KingTerms::default(), Options::default(), 1).unwrap();
            let outcome = searcher.search(&Game::new(position), &Limits::nodes(500), &mut Silent);
            assert!(outcome.nodes < 20_000, "{}: {text}: {} nodes", P::NAME, outcome.nodes);
            match outcome.best {
                Some(m) => assert!(!is_over && legal.contains(&m), "{}: {text}", P::NAME),
                None => assert!(is_over, "{}: {text}", P::NAME),
            }
        }
    }
}

/// Any board in any rule set. It is refused, or searched within its limits for a legal move.
pub fn fen(data: &[u8]) {
    let (rule_set, text) = fen_of(data);
    with_rules(rule_set, Search(&text));
    // The bytes as they are.
    with_rules(rule_set, Search(&String::from_utf8_lossy(data)));
}

/// Any bytes as a Polyglot book: refused, or full of moves that are legal where they are found.
pub fn polyglot(data: &[u8]) {
    check::check(data);
    if let Ok(book) = Book::from_bytes(data.to_vec()) {
        let start = KeyedPosition::new(Chess::default());
        let legal = start.position().legal_moves();
        assert!(book.moves(&start).iter().all(|known| legal.contains(&known.m)));
        let first = book.entries()[0].first_chunk().copied();
        assert!(book.at(u64::from_be_bytes(first.unwrap())).next().is_some());
    }
}

/// The words of a PGN text.
const PGN_WORDS: &[&str] = &[
    "1. ",
    "e4 ",
    "e5 ",
    "2.Nf3 ",
    "Nc6 ",
    "Nb8-c6 ",
    "O-O ",
    "0-0 ",
    "Qh5 ",
    "Sf3 ",
    "{",
    "}",
    "(",
    ")",
    ";",
    "\n",
    "\n\n",
    "\r\n",
    "[White \"A\"]\n",
    "[Event \"x\"]\n",
    "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n",
    "[",
    "]",
    "\"",
    "1-0 ",
    "1/2-1/2\n",
    "*\n",
    "$1 ",
    "! ",
    "?? ",
    "%",
    "é",
    "\u{feff}",
    "♘f3 ",
    "e8=Q+ ",
    "-- ",
    "... ",
    "N ",
    "Nf3 Ng8 ",
    "{[%eval 0.3] [%clk 0:01:00]} ",
    "{ Blunder. 1.e4 loses. } ",
    "[Weight \"9\"]\n",
];

/// Any text as PGN. Reading ends, and every move that it yields is legal.
pub fn pgn(data: &[u8]) {
    let words = |byte: &u8| PGN_WORDS[usize::from(*byte) % PGN_WORDS.len()];
    let text: String = data.iter().take(2000).map(words).collect();
    for bytes in [text.as_bytes(), data] {
        let mut count = 0;
        games::read(bytes, 40, &|_| true, &mut |place, found| {
            count += 1;
            assert_eq!(place.game, count);
            assert!(place.line <= bytes.iter().filter(|byte| b"\r\n".contains(byte)).count() + 1);
            if let games::ReadGame::Game(game) = found {
                assert!(!game.moves.is_empty() && game.moves.len() <= 40);
            }
        });
    }
}

/// Any bytes as an archive of games.
pub fn archive(data: &[u8]) {
    if let Ok(text) = source::text(data) {
        games::read(text, 5, &|_| false, &mut |_, _| {});
    }
}

/// Entries of tables, good and bad.
const TABLE_WORDS: &[&str] = &[
    "0/0",
    "500/-500",
    "501/0",
    "-2147483648/0",
    "99999999999/1",
    "1",
    "1/2/3",
    "",
    "NaN/0",
    "#",
    "safety",
    "\n",
];

/// Any text as tables of the evaluation, and real tables with some words changed: refused, or the same when
/// written and read again.
pub fn tables_text(data: &[u8]) {
    let real = include_str!("../../crates/engine/src/evaluation/variants/chess.txt");
    let mut words: Vec<&str> = real.split(' ').filter(|word| !word.is_empty()).collect();
    for change in data.chunks_exact(3).take(1 + data.len() % 3) {
        let place = usize::from(u16::from_le_bytes([change[0], change[1]])) % words.len();
        words[place] = TABLE_WORDS[usize::from(change[2]) % TABLE_WORDS.len()];
    }
    for text in [&String::from_utf8_lossy(data), &*words.join(" ")] {
        if let Ok(read) = tables::read(text) {
            assert_eq!(tables::read(&tables::write(&read)), Ok(read));
        }
    }
}

/// Any bytes as a file of recorded positions, as they are and behind a header: refused, or every record is
/// counted, and one that is a position stays the same when written and read again.
pub fn records(data: &[u8]) {
    let first = usize::from(data.first().copied().unwrap_or(0));
    let rule_set = RuleSet::ALL[first % RuleSet::ALL.len()];
    let layout = layout_of(rule_set);
    let header = Header { rule_set, is_shuffled: first & 8 != 0 }.to_bytes();
    for content in [data.to_vec(), [&header, data].concat(), [&header, data, &header].concat()] {
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), &content).unwrap();
        let Ok(mut file) = DataFile::open(file.path(), rule_set) else { continue };
        let visit = |bytes: &[u8]| {
            let record = Record::read(bytes).unwrap();
            let mut again = Vec::new();
            record.write(layout, &mut again);
            assert_eq!(Record::read(&again), Some(record));
            true
        };
        let Ok(census) = file.for_each(visit, |_| {}) else { continue };
        let whole = (content.len() / layout.bytes()) as u64;
        assert_eq!(census.records + census.broken + census.headers, whole);
        assert_eq!(census.incomplete, (content.len() % layout.bytes()) as u64);
        let _ = file.trust(&census);
        assert_eq!(file.read(u64::MAX, usize::MAX, &mut Vec::new()).unwrap(), 0);
    }
}

/// Evaluates the starting position with a network.
struct Evaluate(Network);

impl Task for Evaluate {
    type Outcome = ();

    fn run<P: Variant>(self) {
        let Some(terms) = NetworkTerms::<P>::new(Arc::new(self.0)) else { return };
        let mut cache = terms.new_cache();
        let score = terms.evaluate(&P::default(), 0, &mut cache);
        assert!(!score.is_mate(), "{}: {score:?}", P::NAME);
    }
}

/// Any bytes as a network, and a network with some of its bytes changed: refused, or it evaluates.
pub fn network_file(data: &[u8]) {
    let _ = Network::read(data);
    let shape = Shape { hidden: LANES, zones: KingZones::of_count(1).unwrap(), extras: 0 };
    let weights = NetworkWeights {
        features: vec![1; shape.rows() * shape.hidden],
        bias: vec![1; shape.hidden],
        output: vec![1; 2 * OUTPUTS * shape.hidden],
        output_bias: [1; OUTPUTS],
    };
    let mut bytes = network::write(RuleSet::Chess, &shape, &weights);
    // A place, then two bytes to put there; every other place is in the header.
    for (number, change) in data.chunks_exact(4).enumerate() {
        let place = usize::from(u16::from_le_bytes([change[0], change[1]]));
        let place = if number % 2 == 0 { place % 60 } else { place % (bytes.len() - 1) };
        bytes[place..place + 2].copy_from_slice(&change[2..]);
    }
    let is_cut = data.len() % 4 == 3;
    bytes.truncate(bytes.len() - usize::from(is_cut));
    let mut crc = Crc::new();
    crc.update(&bytes[..60]);
    crc.update(&bytes[64..]);
    bytes[60..64].copy_from_slice(&crc.sum().to_le_bytes());
    if let Ok(network) = Network::read(&bytes) {
        with_rules(network.rule_set(), Evaluate(network));
    }
}

/// Any text as games to be analysed. Reading ends, nothing between two games is lost, and every move can be
/// played.
pub fn analysis(data: &[u8]) {
    let words = |byte: &u8| PGN_WORDS[usize::from(*byte) % PGN_WORDS.len()];
    let text: String = data.iter().take(2000).map(words).collect();
    let variant = RuleSet::ALL[data.len() % RuleSet::ALL.len()].name();
    let tagged = format!("[Variant \"{variant}\"]\n{text}");
    for bytes in [text.as_bytes(), tagged.as_bytes(), data] {
        let mut games = Games::new(bytes);
        while let Ok(Some(raw)) = games.next_game() {
            let Ok(course) = Course::follow(&raw) else { continue };
            assert_eq!(course.moves.len(), course.places.len());
            macro_rules! plies {
                ($($name:ident: $rules:ty),*) => {
                    match course.rule_set {
                        $(RuleSet::$name => {
                            let mut replay = course.replay::<$rules>().unwrap();
                            std::iter::from_fn(|| replay.advance()).count()
                        })*
                        _ => continue,
                    }
                };
            }
            let plies = plies!(
                Atomic: shakmaty::variant::Atomic,
                Crazyhouse: shakmaty::variant::Crazyhouse,
                Chess: Chess
            );
            assert_eq!(plies, course.moves.len(), "{}", raw.text);
        }
    }
}

/// The annotated games of a text.
fn annotated(text: &[u8]) -> String {
    let settings = Settings { evaluation: EvaluatorChoice::Linear, ..Settings::default() };
    let analyst = AnalystOptions {
        limits: Limits::depth(1),
        hash_mb: 1,
        texts: Arc::new(texts::of(Lang::En)),
        settings,
        reasons: true,
        exercises: false,
    };
    let options = RunOptions { analyst, limit: "depth 1".to_string(), threads: 1, pages: false };
    let mut games = Games::new(text);
    let mut written = String::new();
    let mut each = |game: Finished| {
        written.push_str(&game.text);
        Ok(())
    };
    annotation::run(&mut || games.next_game(), &options, &mut each, &|_| {}).unwrap();
    written
}

/// Any text as games to be annotated, and the output again: nothing fails. That a second pass over games changes
/// nothing is a test of its own.
pub fn annotation(data: &[u8]) {
    let words = |byte: &u8| PGN_WORDS[usize::from(*byte) % PGN_WORDS.len()];
    let text: String = data.iter().take(100).map(words).collect();
    for bytes in [text.as_bytes(), data] {
        if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
            continue;
        }
        let once = annotated(bytes);
        let _ = annotated(once.as_bytes());
    }
}

/// A journal with some of its bytes changed, and any bytes as a journal: refused and left alone, or taken up with
/// the pieces that are whole, so that the output is right.
pub fn journal(data: &[u8]) {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("out.txt");
    let place = journal_of(&target);
    let task = Json::from("a task");
    let pieces = ["one\n", "two\n", "three\n", "four\n"];
    let open = || GrowingFile::open(&target, JSON, &task, false);
    let (mut file, _) = open().unwrap();
    pieces.iter().for_each(|piece| file.add(piece, &Json::from(*piece)).unwrap());
    drop(file);
    let mut damaged = fs::read(&place).unwrap();
    for change in data.chunks_exact(3).take(4) {
        let at = usize::from(u16::from_le_bytes([change[0], change[1]])) % damaged.len();
        damaged[at] = change[2];
    }
    if data.len() % 3 == 2 {
        damaged.truncate(usize::from(data[data.len() - 1]));
    }
    for bytes in [damaged.as_slice(), data] {
        fs::write(&place, bytes).unwrap();
        match open() {
            Ok((mut file, notes)) => {
                let known = notes.len();
                assert!(notes.iter().zip(pieces).all(|(note, piece)| note == piece), "{notes:?}");
                pieces[known..].iter().for_each(|piece| file.add(piece, &Json::Null).unwrap());
                file.finish("").unwrap();
                assert_eq!(fs::read_to_string(&target).unwrap(), pieces.concat());
            }
            Err(OutputError::NotOurs(_) | OutputError::OtherTask(_)) => {
                assert_eq!(fs::read(&place).unwrap(), bytes, "left alone");
            }
            Err(error) => panic!("{error}"),
        }
    }
}

/// The words of a line of EPD.
const EPD_WORDS: &[&str] = &[
    "4k3/8/8/8/8/8/4P3/4K3 w - - ",
    "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - ",
    "7k/5Q2/6K1/8/8/8/8/8 b - - ",
    "0 1 ",
    "bm ",
    "am ",
    "dm ",
    "ce ",
    "c0 ",
    "id ",
    "Nxe5 ",
    "e4 ",
    "e2e4 ",
    "\"",
    "\"x=10, e4=5\"",
    ";",
    "; ",
    " ",
    "-1 ",
    "-2147483648 ",
    "99999999999 ",
    "é",
    "\u{0}",
    "/",
];

/// Any lines as a suite of test positions: each is no position, or solved or named with its fault.
pub fn suite_lines(data: &[u8]) {
    let words = |byte: &u8| EPD_WORDS[usize::from(*byte) % EPD_WORDS.len()];
    let text: String = data.iter().skip(1).take(60).map(words).collect();
    let start = EPD_WORDS[data.len() % 3];
    let texts = [text.clone(), format!("{start}{text}"), String::from_utf8_lossy(data).into()];
    let lines: Vec<EpdLine> = texts.iter().filter_map(|text| EpdLine::parse(text)).collect();
    let options = SuiteOptions {
        rule_set: RuleSet::Chess,
        limits: Limits::nodes(20),
        hash_mb: 1,
        threads: 1,
    };
    let solutions = suite::solve(&lines, HashMap::new(), &options, &|_, _| {});
    assert_eq!(solutions.len(), lines.len());
    assert!(solutions.iter().all(|solution| solution.error.is_none() || solution.found.is_empty()));
}

/// The words of a tree for lessons.
const TREE_WORDS: &[&str] = &[
    "(", ")", " ", "1", "-3", "7", "\n", "max", "min", "#", "a", "b:", "[", "]", ",", "=", "*",
    "0.5", "\u{0}",
];

/// Any text as a tree.
pub fn tree(data: &[u8]) {
    let words = |byte: &u8| TREE_WORDS[usize::from(*byte) % TREE_WORDS.len()];
    let _ = Tree::parse(&data.iter().take(2000).map(words).collect::<String>());
    let _ = Tree::parse(&String::from_utf8_lossy(data));
}
