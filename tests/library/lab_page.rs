//! The laboratory's pages in a real browser: headless Chromium, where there is one.

use engine::rules::RuleSet;
use lab::algorithms;
use lab::constants::Constants;
use lab::game::Position;
use lab::games::chess::{self, ChessEvaluation};
use lab::games::connect_four::{ConnectFour, Ending};
use lab::games::tree::Tree;
use lab::page::Lesson;
use lab::record::{Record, record};
use lab::texts::{self, Lang};
use serde_json::Value as Json;

use crate::browser;

fn recorded(name: &str, root: &Position, depth: u32) -> Record {
    let algorithm = algorithms::named(name).unwrap();
    record(&algorithm, Constants::default(), root, depth, &texts::of(Lang::En))
}

/// The answers of a script that runs in the page; `None` without a browser.
fn ask(records: &[Record], lang: Lang, size: (u32, u32), script: &str) -> Option<Json> {
    let texts = texts::of(lang);
    let lesson =
        Lesson { title: "test".into(), command: Some("engine lab".into()), records, texts: &texts };
    let script = format!("const {{ panels: [panel] }} = lesson;\n{script}");
    browser::ask(&lesson.html(), size, &script)
}

#[test]
fn the_lecture_plays_itself_step_by_step() {
    let root = Position::new(Tree::shipped("lecture").unwrap());
    let records = [recorded("alpha-beta", &root, 2)];
    let Some(answer) = ask(&records, Lang::En, (1280, 760), "
        answer.first = panel.say.textContent;
        const press = (name) => document.body.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true }));
        press('ArrowRight');
        answer.second = panel.say.textContent;
        press('ArrowLeft');
        answer.back = panel.say.textContent;
        press('c');
        answer.cut = panel.say.textContent;
        answer.lit = [...document.querySelectorAll('.lit')].map((line) => line.textContent);
        answer.stubs = document.querySelectorAll('.stub').length;
        press('End');
        answer.end = panel.say.textContent;
        answer.root = document.querySelector('[data-node=\"0\"]').getAttribute('aria-label');
        answer.worths = panel.replay.nodes.map((_, node) => panel.replay.worth(node));
        answer.counts = panel.replay.totals[panel.replay.at];
        press('Home');
        answer.empty = panel.replay.states.filter(Boolean).length;
    ") else { return };
    assert_eq!(answer["first"], "Max is to move at the root.");
    assert_ne!(answer["second"], answer["first"]);
    assert_eq!(answer["back"], answer["first"]);
    let cut = "2 and 3 not searched, because C is worth at most 2 and Max already has 3 by B.";
    assert_eq!(answer["cut"], cut);
    assert!(answer["lit"][0].as_str().unwrap().contains("v ≤ α"));
    assert_eq!(answer["stubs"], 1);
    assert_eq!(answer["end"], "So the root is worth 3.");
    assert!(answer["root"].as_str().unwrap().starts_with("root, Max, 3"));
    assert_eq!(
        answer["worths"],
        serde_json::json!(["3", "3", "3", "12", "8", "≤ 2", "2", "2", "14", "5", "2"])
    );
    // Nodes, leaves, moves cut off, table hits.
    assert_eq!(answer["counts"], serde_json::json!([11, 7, 2, 0]));
    assert_eq!(answer["empty"], 0);
}

#[test]
fn a_search_for_three_says_something_at_every_step_and_names_stand_apart() {
    let root = Position::new(Tree::shipped("three-players").unwrap());
    for (lang, size) in [(Lang::En, (1280, 760)), (Lang::Es, (390, 844))] {
        let records = [recorded("max-n", &root, 3)];
        let Some(answer) = ask(&records, lang, size, "
            const silent = [];
            for (let at = 1; at <= lesson.length; at++) { lesson.go(at); if (!panel.say.textContent) silent.push(at); }
            answer.silent = silent;
            answer.end = panel.say.textContent;
            answer.leaves = panel.replay.totals[panel.replay.at][1];
            answer.worth = panel.replay.worth(0);
            const names = [...document.querySelectorAll('.node .name')].map((name) => [name.textContent, name.getBoundingClientRect()]);
            answer.names = names.map(([text]) => text);
            answer.touching = names.filter(([, a], i) => names.some(([, b], j) => i !== j &&
              a.left < b.right + 2 && b.left < a.right + 2 && a.top < b.bottom && b.top < a.bottom)).map(([text]) => text);
        ") else { return };
        let none = serde_json::json!([]);
        assert_eq!(answer["silent"], none);
        assert_eq!(answer["touching"], none);
        assert_eq!((&answer["leaves"], &answer["worth"]), (&8.into(), &"1 2 6".into()));
        assert!(answer["end"].as_str().unwrap().ends_with("[1 2 6]."), "{answer}");
        let names: Vec<&str> =
            answer["names"].as_array().unwrap().iter().filter_map(Json::as_str).collect();
        assert!(
            names.contains(&"1") && names.contains(&"2"),
            "nobody chooses at a leaf: {names:?}"
        );
        assert!(names.iter().any(|name| name.starts_with("B: ")), "{names:?}");
    }
}

#[test]
fn the_quiz_is_checked_on_the_spot() {
    let root = Position::new(Tree::shipped("lecture").unwrap());
    let records = [recorded("alpha-beta", &root, 2)];
    let Some(answer) = ask(
        &records,
        Lang::Es,
        (1280, 760),
        "
        document.getElementById('page.quiz').click();
        const [dialog] = document.querySelectorAll('dialog');
        const leaves = [...dialog.querySelectorAll('.leaf-button')];
        answer.leaves = leaves.length;
        dialog.querySelector('.check-leaves').click();
        answer.wrong = dialog.querySelector('.answer').textContent;
        // The second and third leaf of C.
        for (const leaf of [leaves[4], leaves[5]]) leaf.dispatchEvent(new MouseEvent('click'));
        dialog.querySelector('.check-leaves').click();
        answer.right = dialog.querySelector('.answer').textContent;
        const { replay } = panel;
        const [low, high] = replay.steps[replay.at][2].map((value) => replay.label(value));
        const [alpha, beta] = dialog.querySelectorAll('.bound');
        [alpha.value, beta.value] = [low.replace('−', '-').replace('∞', 'inf'), high];
        dialog.querySelector('.check-window').click();
        answer.window = dialog.querySelectorAll('.answer')[1].textContent;
        answer.score = dialog.textContent.includes('2 de 3');
    ",
    ) else {
        return;
    };
    assert_eq!(answer["leaves"], 9);
    assert!(answer["wrong"].as_str().unwrap().contains("C-2, C-3"), "{answer}");
    assert_eq!(answer["right"], "Correcto.");
    assert_eq!(answer["window"], "Correcto.");
    assert_eq!(answer["score"], true);
}

#[test]
fn spanish_pages_have_the_letters_and_the_decimal_mark_of_the_language() {
    let tree = Position::new(Tree::shipped("futility").unwrap());
    let chess = chess::start(RuleSet::Chess, ChessEvaluation::Linear);
    for (name, root, depth, own, foreign) in
        [("futility", tree, 2, "3,1", "3.1"), ("alpha-beta", chess, 1, "Cf3", "Nf3")]
    {
        let algorithm = algorithms::named(name).unwrap();
        let texts = texts::of(Lang::Es);
        let records = [record(&algorithm, Constants::default(), &root, depth, &texts)];
        let script = "
            const { replay } = panel;
            answer.sentences = answer.nodes = '';
            for (let i = 0; i <= lesson.length; i++) {
                lesson.go(i);
                answer.sentences += panel.say.textContent;
                answer.nodes += replay.nodes.map((_, node) => `${replay.name(node)} ${replay.worth(node)}`).join();
            }
        ";
        let Some(answer) = ask(&records, Lang::Es, (1280, 760), script) else { return };
        for told in ["sentences", "nodes"].map(|key| answer[key].as_str().unwrap()) {
            assert!(told.contains(own) && !told.contains(foreign), "{told}");
        }
    }
}

#[test]
fn boards_are_heard_and_castling_stays_on_its_line() {
    let fen = "r3k3/8/8/8/8/8/8/4K2R b q - 0 1";
    let castling = chess::position(RuleSet::Chess, fen, ChessEvaluation::Linear).unwrap();
    let four = Position::new(ConnectFour::new(4, 4, Ending::FourInARow).unwrap());
    let heard = |root: &Position, lang| {
        let algorithm = algorithms::named("minimax").unwrap();
        let records = [record(&algorithm, Constants::default(), root, 1, &texts::of(lang))];
        let script = "
            answer.root = document.querySelector('.facts .board').getAttribute('aria-label');
            const whole = () => [...document.querySelectorAll('.facts .whole')];
            while (lesson.at < lesson.length && !whole().length) lesson.move(1);
            answer.whole = whole().map((one) => `${one.textContent} ${getComputedStyle(one).whiteSpace}`);
            answer.said = panel.say.textContent;
            lesson.go(2);
            answer.next = document.querySelector('.facts .board').getAttribute('aria-label');
        ";
        ask(&records, lang, (1280, 760), script)
    };
    let Some(answer) = heard(&castling, Lang::Es) else { return };
    let root = "raíz. Blancas: rey e1, torre h1. Negras: rey e8, torre a8.";
    assert_eq!(answer["root"], root);
    assert!(answer["whole"][0].as_str().unwrap().starts_with("O-O-O nowrap"), "{answer}");
    assert_eq!(answer["said"], "Min prueba O-O-O.");
    let Some(answer) = heard(&four, Lang::En) else { return };
    let row = |number, first| format!("Row {number}: {first}, empty, empty, empty.");
    let empty = [1, 2, 3].map(|number| row(number, "empty")).join(" ");
    assert_eq!(answer["next"].as_str().unwrap(), format!("1. {empty} {}", row(4, "X")));
}

#[test]
fn two_searches_play_side_by_side_and_sss_star_shows_its_list() {
    let root = Position::new(Tree::shipped("best-first").unwrap());
    let records = [recorded("sss*", &root, 3), recorded("alpha-beta", &root, 3)];
    let Some(answer) = ask(
        &records,
        Lang::En,
        (1600, 900),
        "
        answer.panels = lesson.panels.length;
        lesson.go(6);
        answer.rows = panel.listBody.children.length;
        answer.first = panel.listBody.children[0].textContent;
        lesson.go(lesson.length);
        answer.leaves = lesson.panels.map(({ replay }) => replay.totals[replay.at][1]);
        answer.values = lesson.panels.map(({ replay }) => replay.worth(0));
        answer.beyond = [...document.querySelectorAll('.facts')].map((facts) => facts.scrollWidth - facts.clientWidth);
    ",
    ) else {
        return;
    };
    assert_eq!(answer["panels"], 2);
    assert_eq!(answer["beyond"], serde_json::json!([0, 0]), "facts beside the window");
    assert!(answer["rows"].as_u64().unwrap() >= 3, "{answer}");
    assert!(answer["first"].as_str().unwrap().contains("LIVE"), "{answer}");
    assert_eq!(answer["leaves"], serde_json::json!([7, 9]));
    assert_eq!(answer["values"], serde_json::json!(["10", "10"]));
}

#[test]
fn the_list_of_sss_star_holds_what_the_search_keeps_whoever_is_at_the_root() {
    let tree = Position::new(Tree::shipped("best-first").unwrap());
    let empty = Position::new(ConnectFour::new(4, 4, Ending::FourInARow).unwrap());
    let second = empty.play(empty.moves()[0]);
    for root in [tree, second] {
        let records = [recorded("sss*", &root, 3)];
        let Some(answer) = ask(
            &records,
            Lang::En,
            (1280, 760),
            "
            answer.lengths = [];
            answer.best = true;
            const sign = panel.replay.nodes[0][2] ? -1 : 1;
            for (let i = 0; i <= lesson.length; i++) {
              lesson.go(i);
              const values = panel.replay.list().map(([, [, h]]) => sign * h);
              answer.lengths.push(values.length);
              answer.best &&= values.every((h) => h <= values[0]);
            }
            ",
        ) else {
            return;
        };
        let lengths: Vec<u64> =
            answer["lengths"].as_array().unwrap().iter().map(|one| one.as_u64().unwrap()).collect();
        assert_eq!(lengths.iter().max(), Some(&records[0].counter.memory));
        assert_eq!(lengths.last(), Some(&1), "the root, solved");
        assert_eq!(answer["best"], true);
    }
}

/// Changes of a step at most: the nodes that are shown, with their branches, a board, and the facts.
const MAX_CHANGES: u64 = 800;
/// Elements of a page at most.
const MAX_ELEMENTS: u64 = 1500;

/// A step touches what it shows, however great the tree is: that is why a lesson plays without stutter.
#[test]
fn a_step_touches_few_elements_of_the_greatest_trees() {
    let chess = chess::start(RuleSet::Chess, ChessEvaluation::Linear);
    let four = Position::new(ConnectFour::new(7, 6, Ending::FourInARow).unwrap());
    for (name, root, depth) in [("alpha-beta", chess, 3), ("alpha-beta", four, 4)] {
        let records = [recorded(name, &root, depth)];
        let nodes = records[0].nodes.len() as u64;
        let Some(answer) = ask(
            &records,
            Lang::En,
            (1280, 760),
            "
            const watcher = new MutationObserver(() => {});
            watcher.observe(document.body,
                { attributes: true, characterData: true, childList: true, subtree: true });
            const changes = (record) => Math.max(1, record.addedNodes.length + record.removedNodes.length);
            const frames = Math.min(30, lesson.length);
            answer.changes = answer.elements = 0;
            for (let i = 1; i <= frames; i++) {
                lesson.go(Math.floor((lesson.length * i) / frames));
                const changed = watcher.takeRecords().reduce((sum, record) => sum + changes(record), 0);
                answer.changes = Math.max(answer.changes, changed);
                answer.elements = Math.max(answer.elements, document.querySelectorAll('*').length);
            }
            answer.value = panel.replay.worth(0);
            answer.asked = panel.replay.value;
            answer.counts = panel.replay.totals[lesson.length].slice(0, 2);
            answer.counted = [panel.replay.counter.nodes, panel.replay.counter.leaves];
            lesson.go(lesson.length - 5);
            answer.pieces = document.querySelectorAll('.facts .board use, .facts .board circle').length;
        ",
        ) else {
            return;
        };
        println!("{nodes} nodes: {answer}");
        assert_eq!(answer["value"], answer["asked"], "{answer}");
        assert_eq!(
            answer["counts"], answer["counted"],
            "every node and leaf is replayed or counted"
        );
        assert!(answer["pieces"].as_u64().unwrap() > 0, "the board is drawn");
        assert!(answer["changes"].as_u64().unwrap() <= MAX_CHANGES, "{answer}");
        assert!(answer["elements"].as_u64().unwrap() <= MAX_ELEMENTS, "{answer}");
    }
}
