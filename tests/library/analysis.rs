//! Analysed games: the reasons of mistakes with a known cause, annotations that python-chess reads, and the
//! page in a real browser.

use std::fs;
use std::process::Command;
use std::sync::Arc;

use analysis::analyst::AnalystOptions;
use analysis::page;
use analysis::texts::{self, Lang};
use engine::limits::Limits;
use engine::pgn::{Games, RawGame, Token};
use engine::settings::Settings;
use proptest::prelude::*;
use serde_json::Value as Json;
use shakmaty::Position;
use shakmaty::san::SanPlus;
use workshop::annotation::{self, Finished, RunOptions};

use crate::browser;
use crate::common::skip;

/// The games of `texts`, analysed by `threads` threads.
fn analysed(games: &[&str], nodes: u64, threads: usize, lang: Lang) -> Vec<Finished> {
    let analyst = AnalystOptions {
        limits: Limits::nodes(nodes),
        hash_mb: 4,
        texts: Arc::new(texts::of(lang)),
        settings: Settings::default(),
        reasons: true,
        exercises: false,
    };
    let options = RunOptions { analyst, limit: format!("{nodes} nodes"), threads, pages: true };
    let mut left = games.iter().map(|text| RawGame::parse(text));
    let mut finished = Vec::new();
    let mut next = || Ok(left.next());
    let mut each = |game| {
        finished.push(game);
        Ok(())
    };
    annotation::run(&mut next, &options, &mut each, &|_| {}).unwrap();
    finished
}

/// The reason of the last move of a game.
fn reason_in(game: &str, lang: Lang) -> String {
    let finished = analysed(&[game], 30_000, 1, lang).remove(0);
    assert_eq!(finished.error, None);
    let page = finished.page.unwrap();
    let last = page["moves"].as_array().unwrap().last().unwrap().clone();
    last["reason"].as_str().unwrap_or_else(|| panic!("no mistake: {last:#}")).to_string()
}

fn reason(game: &str) -> String {
    reason_in(game, Lang::En)
}

/// A game of one move from a position.
fn from(fen: &str, m: &str) -> String {
    format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n{m} *\n")
}

/// Here 1.Rd2 loses the exchange, and no other move wins anything: with a pawn on h7, 1.Rd8+ would pin the bishop.
const LOST_EXCHANGE: &str = "6k1/5pp1/2n4p/8/1b6/5N2/P4PPP/3R2K1 w - - 0 1";

#[test]
fn pieces_that_are_lost_are_named_with_the_line() {
    let spanish = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Bxc6 dxc6 5. d3 Nf6 6. Nxe5 Bg4 *";
    let bishop = reason(spanish);
    assert!(bishop.starts_with("6...Bg4 loses the bishop on g4 after 7.Nxg4"), "{bishop}");
    assert!(bishop.ends_with("(material −3.0)."), "{bishop}");
    let rook = from(LOST_EXCHANGE, "1. Rd2");
    let text = "1.Rd2 loses the exchange after 1...Bxd2 2.Nxd2 (material −2.0).";
    assert_eq!(reason(&rook), text);
}

#[test]
fn a_line_that_is_opened_is_told_as_such() {
    let fen = "2q3nr/Q3bk1p/4pp2/6p1/4P3/2BP4/P1r2PPP/RN3RK1 b - - 2 19";
    let opened = reason_in(&from(fen, "19... f5"), Lang::En);
    let text =
        "19...f5 opens the line from the bishop on c3 to the rook on h8: 20.Bxh8 (material −5.0).";
    assert_eq!(opened, text);
    let spanish = reason_in(&from(fen, "19... f5"), Lang::Es);
    assert!(
        spanish.starts_with("19...f5 abre la línea del alfil de c3 a la torre de h8"),
        "{spanish}"
    );
}

#[test]
fn pieces_that_could_be_won_are_named() {
    let retake = "1. e4 e5 2. Nf3 Nc6 3. d4 exd4 4. Nxd4 Nxd4 5. a3 *";
    let text = reason(retake);
    assert!(text.starts_with("5.a3 does not take back on d4: 5.Qxd4"), "{text}");
    assert!(text.ends_with("(material +3.0)."), "{text}");
    let hanging = from("4k3/pp3ppp/8/3q4/8/2N5/PP3PPP/4K3 w - - 0 1", "1. a3");
    let text = reason(&hanging);
    assert!(text.starts_with("1.a3 misses 1.Nxd5, which wins the queen on d5"), "{text}");
}

/// The line ends where the cause is seen, however long the search's own line is.
#[test]
fn the_cause_is_told_at_its_first_place() {
    let pawn = reason(&from("4k3/ppp2ppp/3n4/8/4P3/8/PPP2PPP/3BK3 w - - 0 1", "1. h3"));
    assert_eq!(pawn, "1.h3 loses the pawn on e4 after 1...Nxe4 (material −1.0).");
    let fen = "r2qk2r/p3n2p/2pp2p1/1p1Ppp2/5P2/3BN1P1/PPP4P/2RQ1RK1 b kq - 0 16";
    let back = reason(&from(fen, "16... cxd5"));
    assert!(
        back.starts_with("16...cxd5 ") && back.contains("lose") && back.contains("17.Bxb5+"),
        "{back}"
    );
}

#[test]
fn mates_draws_and_promotions_have_their_own_words() {
    let fool = reason("1. f3 e5 2. g4 *");
    assert_eq!(fool, "2.g4 allows mate in 1: 2...Qh4#.");
    let back_rank = reason(&from("6k1/5ppp/8/8/8/8/8/R6K w - - 0 1", "1. Kg2"));
    assert_eq!(back_rank, "1.Kg2 misses mate in 1 (back-rank mate): 1.Ra8#.");
    let stalemate = reason(&from("7k/8/5K2/8/8/8/8/6Q1 w - - 0 1", "1. Qg6"));
    assert!(stalemate.starts_with("1.Qg6 allows a draw at once (stalemate)"), "{stalemate}");
    let pawn = reason(&from("7k/7p/8/8/8/1p6/7P/3K4 w - - 0 1", "1. Ke1"));
    let promotes = pawn.starts_with("1.Ke1 lets the pawn on b3 promote: 1...b2");
    // A search that sees the new queen mate says so.
    assert!(promotes && pawn.contains("b1=Q") || pawn.contains("allows mate"), "{pawn}");
}

#[test]
fn one_mate_instead_of_another_is_no_mistake() {
    let fen = "3r1rk1/pp5p/2p3p1/3Nbb1n/5P1P/6P1/PPq1P1B1/K2R3R b - - 1 22";
    for mate in ["22... Qxb2#", "22... Bxb2#"] {
        let finished = analysed(&[&from(fen, mate)], 10_000, 1, Lang::En).remove(0);
        let page = finished.page.unwrap();
        assert!(page["moves"][0]["reason"].is_null(), "{mate}: {}", page["moves"][0]);
    }
}

#[test]
fn sentences_come_in_spanish_too() {
    let text = reason_in("1. f3 e5 2. g4 *", Lang::Es);
    assert_eq!(text, "2.g4 permite mate en 1: 2...Dh4#.");
    let rook = from(LOST_EXCHANGE, "1. Rd2");
    let text = reason_in(&rook, Lang::Es);
    assert_eq!(text, "1.Td2 pierde la calidad tras 1...Axd2 2.Cxd2 (material −2,0).");
}

#[test]
fn the_result_does_not_depend_on_the_number_of_threads() {
    let games = [
        "1. e4 e5 2. Nf3 Nc6 3. Bc4 Nd4 4. Nxe5 Qg5 5. Nxf7 Qxg2 6. Rf1 Qxe4+ 7. Be2 Nf3# 0-1",
        "1. d4 d5 2. c4 dxc4 3. e3 b5 4. a4 c6 5. axb5 cxb5 6. Qf3 *",
        "1. e4 *",
    ];
    let texts = |threads| -> Vec<String> {
        analysed(&games, 3000, threads, Lang::En).into_iter().map(|game| game.text).collect()
    };
    assert_eq!(texts(1), texts(3));
}

/// Games of every kind: broken, nested, with null moves, variants, odd headers, comments everywhere.
const KINDS: &[&str] = &[
    "[Event \"plain\"]\n[White \"A \\\"B\\\" C\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0",
    "[Event \"nested\"]\n[Result \"*\"]\n\n{before} 1. e4 {king's pawn [%clk 0:01:00]} (1. d4 d5 (1... Nf6 2. c4 \
     (2. Nf3 {deep} g6)) 2. c4 $14) 1... e5 $1 $13 ; to the end of the line\n2. f3?! {weak} Bc5 3. g4?? Qh4+ *",
    "[Event \"null\"]\n[Result \"*\"]\n\n1. e4 -- 2. d4 (2. -- d5) 2... e5 *",
    "[Event \"from\"]\n[SetUp \"1\"]\n[FEN \"8/8/8/8/1k6/1p6/8/K7 b - - 0 40\"]\n[Result \"1/2-1/2\"]\n\n\
     40... Kc3 41. Kb1 b2 1/2-1/2",
    "[Event \"960\"]\n[Variant \"Chess960\"]\n[SetUp \"1\"]\n[FEN \"bnrbkrqn/pppppppp/8/8/8/8/PPPPPPPP/BNRBKRQN w FCfc - 0 1\"]\n\
     [Result \"*\"]\n\n1. f4 f5 2. O-O O-O *",
    "[Event \"house\"]\n[Variant \"Crazyhouse\"]\n[Result \"*\"]\n\n1. e4 d5 2. exd5 Qxd5 3. Nc3 Qa5 4. P@d5 P@e4 *",
    "[Event \"atomic\"]\n[Variant \"Atomic\"]\n[Result \"*\"]\n\n1. Nf3 f6 2. Nd4 c6 3. Nb5 cxb5 *",
    "[Event \"anti\"]\n[Variant \"Antichess\"]\n[Result \"*\"]\n\n1. e3 b5 2. Bxb5 Nf6 *",
    "[Event \"broken\"]\n[Result \"*\"]\n\n1. e4 e5 2. Nf6 Nc6 (2... d6 {kept}) 3. Bb5 {kept too} *",
    "[Event \"no moves\"]\n[Result \"1-0\"]\n\n1-0",
    "[Event \"unknown rules\"]\n[Variant \"Suicide\"]\n[Result \"*\"]\n\n1. e3 b5 *",
];

/// Compares two files of games: all that stood in the first stands in the second, and every move has a score.
const COMPARE: &str = r#"
import sys, chess, chess.pgn, chess.variant
def games(path):
    with open(path, encoding="utf-8") as file:
        while (game := chess.pgn.read_game(file)) is not None:
            yield game
def check(one, other, depth=0):
    assert set(one.nags) <= set(other.nags), (one, one.nags, other.nags)
    for part in one.comment.split("\n"):
        assert part.strip() in other.comment, (part, other.comment)
    moves = [child.move for child in one.variations]
    more = [child.move for child in other.variations]
    assert [move for move in more if move in moves] == moves, (moves, more)
    for child in one.variations:
        check(child, next(node for node in other.variations if node.move == child.move), depth + 1)
first, second = list(games(sys.argv[1])), list(games(sys.argv[2]))
assert len(first) == len(second), (len(first), len(second))
scored = 0
for one, other in zip(first, second):
    assert len(one.errors) == len(other.errors), (other.errors, one)
    for name, value in one.headers.items():
        assert other.headers[name] == value, name
    assert list(one.mainline_moves()) == list(other.mainline_moves()), other
    check(one, other)
    scored += sum(node.eval() is not None for node in other.mainline())
print("compared", len(first), scored)
"#;

#[test]
fn python_chess_reads_all_that_stood_in_a_game() {
    let python = std::env::var("PYTHON").unwrap_or_else(|_| "python3".to_string());
    let has_library = Command::new(&python).args(["-c", "import chess.pgn"]).output();
    if !has_library.is_ok_and(|output| output.status.success()) {
        return skip("no python3 with the library chess");
    }
    let huge: String =
        (1..=75).map(|n| format!("{n}. Nf3 Nf6 {{{n}}} {n}. Ng1 (Nd4 Nd5 (Ne4)) Ng8 ")).collect();
    let huge = format!("[Event \"huge\"]\n[Result \"*\"]\n\n{huge} *");
    let deep = format!(
        "[Event \"deep\"]\n[Result \"*\"]\n\n1. e4 {} {} *",
        "(1. d4 ".repeat(60),
        ")".repeat(60)
    );
    let mut games = KINDS.to_vec();
    games.extend([huge.as_str(), &deep]);
    let folder = tempfile::tempdir().unwrap();
    let (before, after) = (folder.path().join("before.pgn"), folder.path().join("after.pgn"));
    fs::write(&before, games.join("\n\n")).unwrap();
    let finished = analysed(&games, 300, 2, Lang::En);
    fs::write(&after, finished.iter().map(|game| game.text.as_str()).collect::<String>()).unwrap();
    let output =
        Command::new(&python).args(["-c", COMPARE]).arg(&before).arg(&after).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let scored: usize = text.split_whitespace().last().unwrap().parse().unwrap();
    assert!(scored > 300, "{text}");
}

#[test]
fn games_that_cannot_be_read_are_kept_with_their_reason() {
    let finished = analysed(KINDS, 300, 2, Lang::En);
    let [.., broken, empty, unknown] = &finished[..] else { panic!() };
    assert!(
        broken.error.as_ref().unwrap().to_string().starts_with("line 4: 2. Nf6 is not legal"),
        "{broken:?}"
    );
    assert!(
        broken.text.contains("Nf6 Nc6") && broken.text.contains("{kept too}"),
        "{}",
        broken.text
    );
    assert!(empty.error.is_some() && empty.text.contains("no moves"));
    assert!(unknown.error.as_ref().unwrap().to_string().contains("antichess"));
    assert!(unknown.text.contains("1. e3 b5 *"));
}

fn sample_page(lang: Lang) -> String {
    let games = [
        "[Event \"Club\"]\n[Site \"https://example.org/1\"]\n[Date \"2026.11.25\"]\n[Opening \"Shilling Gambit\"]\n[White \"Ann\"]\n[Black \"Bob\"]\n[Result \"0-1\"]\n\
         [WhiteElo \"1500\"]\n[BlackElo \"?\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bc4 Nd4 4. Nxe5 Qg5 \
         5. Nxf7 Qxg2 6. Rf1 Qxe4+ 7. Be2 Nf3# 0-1",
        "[Variant \"Crazyhouse\"]\n\n1. e4 d5 2. exd5 Qxd5 3. Nc3 Qa5 *",
    ];
    let finished = analysed(&games, 10_000, 2, lang);
    let mut pages: Vec<Json> = finished.into_iter().filter_map(|game| game.page).collect();
    // As the command adds them: the second game of the page is the third of its file.
    pages[0]["number"] = 1.into();
    pages[1]["number"] = 3.into();
    pages[1]["fault"] = "The game breaks off in line 9: xyz is no move.".into();
    page::html("games", &pages, &texts::of(lang))
}

#[test]
fn the_page_plays_a_game_and_its_better_lines() {
    let Some(answer) = browser::ask(&sample_page(Lang::En), (1280, 760), "
        const press = (name) => document.body.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true }));
        const whites = () => document.querySelectorAll('.square .piece').length;
        answer.title = document.querySelector('h1').textContent;
        answer.facts = document.querySelector('.facts').textContent;
        answer.pieces = whites();
        press('ArrowRight');
        answer.first = page.at.textContent;
        answer.quiet = page.why.textContent;
        press('End');
        answer.last = page.at.textContent;
        answer.mate = page.level.style.height;
        press('Home');
        press('ArrowDown');
        answer.slip = page.ply;
        answer.why = page.why.textContent;
        answer.arrows = document.querySelectorAll('.arrow').length;
        const better = page.why.querySelector('.line button');
        better.click();
        answer.inLine = page.at.textContent === better.textContent;
        press('ArrowRight');
        answer.further = page.line.at;
        press('Escape');
        answer.left = page.line;
        const graph = document.querySelector('.graph');
        const { left, width, top } = graph.getBoundingClientRect();
        graph.dispatchEvent(new MouseEvent('click', { clientX: left + width / 2, clientY: top + 5 }));
        answer.clicked = page.ply;
        answer.bands = [...document.querySelectorAll('.graphs .label')].map((label) => label.textContent);
        answer.moments = document.querySelectorAll('.moments button').length;
        press('f');
        answer.turned = page.turned;
        page.open(1);
        press('End');
        answer.hand = page.pocket.textContent;
        answer.fault = page.fault.textContent;
        answer.choices = [...page.choice.options].map((option) => option.textContent);
        location.hash = '#g3,1';
        dispatchEvent(new HashChangeEvent('hashchange'));
        answer.third = page.choice.selectedIndex;
        location.hash = '#g1,3';
        dispatchEvent(new HashChangeEvent('hashchange'));
        answer.linked = page.at.textContent;
    ") else { return };
    assert_eq!(answer["title"], "Ann (1500) – Bob 0-1");
    assert_eq!(answer["fault"], "The game breaks off in line 9: xyz is no move.");
    assert!(answer["choices"][1].as_str().unwrap().starts_with("3. "), "{answer}");
    assert_eq!(answer["third"], 1);
    let facts = answer["facts"].as_str().unwrap();
    let opening = "C50 Italian Game: Blackburne-Kostić Gambit";
    assert_eq!(facts, format!("{opening} · Club · November 25, 2026"));
    let quiet = answer["quiet"].as_str().unwrap();
    assert!(
        quiet.contains("A move of the opening book. The game is about even. Expected next: 1..."),
        "{quiet}"
    );
    assert_eq!(answer["pieces"], 32);
    assert_eq!(answer["first"], "1.e4");
    assert_eq!(answer["last"], "7...Nf3#");
    assert_eq!(answer["mate"], "0%");
    assert!(answer["slip"].as_u64().unwrap() > 0, "{answer}");
    assert!(answer["why"].as_str().unwrap().contains("better: "), "{answer}");
    assert_eq!(answer["arrows"], 2);
    assert_eq!(answer["inLine"], true);
    assert_eq!(answer["further"], 1);
    assert!(answer["left"].is_null());
    assert_eq!(answer["clicked"], 7);
    assert_eq!(
        answer["bands"],
        serde_json::json!([
            "White's chances to win",
            "material",
            "placement",
            "king safety",
            "king proximity"
        ])
    );
    assert!(answer["moments"].as_u64().unwrap() >= 2, "{answer}");
    assert_eq!(answer["turned"], true);
    assert_eq!(answer["hand"], "in hand: White P · Black P");
    assert_eq!(answer["linked"], "2.Nf3", "a link within the page that is open");
}

#[test]
fn the_page_fits_a_phone() {
    let Some(answer) = browser::ask(
        &sample_page(Lang::Es),
        (412, 800),
        "
        answer.width = document.documentElement.scrollWidth <= window.innerWidth;
        const { width, height } = document.querySelector('.square .board').getBoundingClientRect();
        answer.square = Math.abs(width - height) < 2 && width > 300;
        answer.words = document.querySelector('.moments h2').textContent;
        answer.facts = document.querySelector('.facts').textContent;
    ",
    ) else {
        return;
    };
    assert_eq!(answer["width"], true, "no scrolling sideways");
    assert_eq!(answer["square"], true, "{answer}");
    assert_eq!(answer["words"], "momentos decisivos");
    let facts = answer["facts"].as_str().unwrap();
    assert!(facts.ends_with("25 de noviembre de 2026"), "{facts}");
}

/// What stands between the moves of annotated games, sound and broken.
const BETWEEN: &[&str] = &[
    "",
    "",
    "",
    "",
    " $4",
    " $13 $2",
    "!?",
    "??",
    " {a comment}",
    " { [%eval 0.18] [%clk 0:03:00] }",
    " {[%clk 0:01:02]} {two}",
    " {Blunder. Nc6 was best.} {[%eval #-3]}",
    " (1. d4 d5 (1... Nf6) 2. c4)",
    " {x} (2... Nc6 3. Bb5)",
    " ; to the end\n",
    "\n% escape\n",
    "\n\n",
    " +-",
    " e.p.",
    " N",
    " }",
    " )",
    " {unbalanced {",
    "}",
    " (never closed",
    " {never closed",
    " xyzzy",
    " [word",
    " %word",
    " 1-0",
    "\u{a0}",
    " {Analysed by Ann}",
    " {Leaves the book}",
    " $1 {c} $6 {d}",
    " \u{1b}[31m",
    " --",
    " {multi\nline \n\n text}",
];

fn games_of(text: &str) -> Vec<RawGame> {
    let mut games = Games::new(text.as_bytes());
    std::iter::from_fn(|| games.next_game().unwrap()).collect()
}

/// The games of a text, analysed.
fn annotated(text: &str) -> String {
    let raw: Vec<String> = games_of(text).into_iter().map(|game| game.text).collect();
    let texts: Vec<&str> = raw.iter().map(String::as_str).collect();
    analysed(&texts, 60, 1, Lang::En).into_iter().map(|game| game.text).collect()
}

/// A game whose mark does not begin with the move: "In a lost game, 1.Ra1 allows mate in 1".
#[test]
fn a_second_pass_knows_a_mark_with_words_before_the_move() {
    let game = "[SetUp \"1\"]\n[FEN \"1r4k1/5ppp/8/8/8/q7/5PPP/3R2K1 w - - 0 1\"]\n[Result \"0-1\"]\n\n1. Ra1 0-1";
    let once = annotated(game);
    assert!(once.contains("In a lost game"), "{once}");
    assert_eq!(annotated(&once), once);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(24) })]

    /// A second analysis of its own output finds the same scores, and so changes nothing.
    #[test]
    fn a_second_pass_changes_nothing(
        steps in prop::collection::vec((0..500_usize, 0..4 * BETWEEN.len()), 0..14),
        tags in prop::sample::select(vec![
            "", "[Event \"x\"]\n\n", "[White \"A \\\"B\\\"\"]\n[Opening \"?\"]\n[Annotator \"\"]\n\n",
            "[Event broken]\n\n", "{first} ", "[Variant \"Atomic\"]\n[Result \"0-1\"]\n\n",
        ]),
        end in prop::sample::select(vec![" *", " 1-0 {resigns}", "", "\n\n[Event \"next\"]\n\n1. d4 *"]),
    ) {
        let mut position = shakmaty::Chess::default();
        let mut text = tags.to_string();
        for (choice, between) in steps {
            let legal = position.legal_moves();
            let Some(&m) = legal.get(choice % legal.len().max(1)) else { break };
            let dots = position.turn().fold_wb(".", "...");
            let san = SanPlus::from_move(position.clone(), m);
            let between = BETWEEN.get(between).unwrap_or(&"");
            text += &format!("{}{dots} {san}{between} ", position.fullmoves());
            position.play_unchecked(m);
        }
        text += end;
        let once = annotated(&text);
        prop_assert_eq!(&annotated(&once), &once, "{}", text);
        let (mut is_comment, mut depth) = (false, 0);
        // Tags may hold anything.
        for c in once.lines().filter(|line| !line.starts_with(['[', '%'])).flat_map(str::chars) {
            match (c, is_comment) {
                ('{', _) | ('}', _) => {
                    prop_assert_eq!(c == '}', is_comment, "{}", once);
                    is_comment = !is_comment;
                }
                ('(', false) => depth += 1,
                (')', false) => depth -= 1,
                _ => {}
            }
            prop_assert!(depth >= 0, "{}", once);
        }
        prop_assert!(depth == 0 && !is_comment, "{}", once);
        // Nothing is lost but what an analysis replaces.
        let words = |text: &str| {
            let tokens = games_of(text).into_iter().flat_map(|game| game.tokens);
            let words = tokens.filter_map(|token| match token {
                Token::Comment(text) => Some(text.split_whitespace().map(String::from).collect()),
                Token::Unknown(word) => Some(vec![word]),
                _ => None,
            });
            words.flatten().collect::<Vec<String>>()
        };
        let kept = words(&once);
        for word in words(&text) {
            let is_score = ["[%eval", "0.18]", "#-3]"].contains(&word.as_str());
            prop_assert!(is_score || kept.contains(&word), "{} is lost\n{}\n{}", word, text, once);
        }
    }
}

#[test]
fn the_book_is_named_where_a_worse_move_leaves_it() {
    let left = |moves: &str| annotated(&format!("{moves} *\n\n")).contains("Leaves the book");
    assert!(left("1. e4 e5 2. Nf3 Nc6 3. Bc4 f6 4. d3"));
    // Another order of moves comes to a place that has a name.
    assert!(!left("1. e4 e5 2. Nf3 Nc6 3. Bc4 Nf6 4. d3 Bc5"));
    assert!(!left("1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O"), "as good as the moves of the book");
}
