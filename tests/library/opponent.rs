//! The opponent model: it chooses moves that are harder to answer, at a bounded price, and never more
//! than the limits allow.

use std::time::{Duration, Instant};

use engine::evaluation::KingTerms;
use engine::limits::Limits;
use engine::play::Mode;
use engine::play::opponent::OpponentModel;
use engine::rules::Game;
use engine::rules::setup::{self, Start};
use engine::search::report::{Outcome, Reason, Report, Reporter};
use engine::search::{Options, Searcher};
use engine::settings::Settings;
use shakmaty::{ByColor, CastlingMode, Chess, Position};

/// Keeps the last report and the remarks.
#[derive(Default)]
struct Journal {
    last: Option<Report>,
    remarks: Vec<String>,
}

impl Reporter for Journal {
    fn variation(&mut self, report: &Report) {
        self.last = Some(report.clone());
    }

    fn reason(&mut self, reason: &Reason) {
        self.remarks.push(reason.details.clone());
    }
}

fn game(fen: &str) -> Game<Chess> {
    setup::game(&Start::Fen(fen.to_string()), &[], CastlingMode::Standard).unwrap().0
}

/// The answer of the model of an opponent of 1000 Elo.
fn answer(fen: &str, limits: &Limits) -> (Outcome, Journal) {
    let mut searcher = Searcher::new(KingTerms::default(), Options::default(), 4).unwrap();
    let (mut journal, game) = (Journal::default(), game(fen));
    let mut model = OpponentModel::new(1000).unwrap();
    let outcome = model.play(&mut searcher, &game, limits, &mut journal);
    assert!(game.position().is_legal(outcome.best.unwrap()), "{fen}");
    (outcome, journal)
}

/// Level and lost positions with many reasonable moves.
const LEVEL: &[&str] = &[
    "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3",
    "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 4 8",
    "r2q1rk1/1b2bppp/p1n1pn2/1p1p4/3P4/PBN1PN2/1P3PPP/R1BQ1RK1 b - - 3 12",
    "2r2rk1/pp1q1ppp/2n1p3/3pP3/3P4/2P2N2/P2Q1PPP/R3R1K1 b - - 2 17",
    "6k1/5ppp/4p3/3pP3/3P4/4K3/5PPP/2R3r1 w - - 0 30",
    "r4rk1/ppp2ppp/2n5/3qp3/8/2PP1N2/P3QPPP/R4RK1 w - - 0 15",
    "3r1rk1/pp3ppp/2p2n2/8/2PP4/1P3N1P/P4PP1/R3R1K1 w - - 0 20",
    "rnbqkb1r/pppppppp/5n2/8/8/8/PPPPPPPP/RNBQK1NR w KQkq - 0 1",
];

#[test]
fn another_move_has_a_reason_and_a_bounded_price() {
    let (mut runs, mut chosen) = (0, 0);
    let limits = [8000, 12_000, 16_000, 20_000, 25_000, 30_000, 45_000, 60_000];
    for (fen, nodes) in LEVEL.iter().flat_map(|fen| limits.map(|nodes| (fen, nodes))) {
        runs += 1;
        let (outcome, journal) = answer(fen, &Limits::nodes(nodes));
        assert!(outcome.nodes <= nodes + 2000, "{fen}: {} nodes", outcome.nodes);
        for remark in &journal.remarks {
            chosen += 1;
            assert!(remark.starts_with("opponent elo=1000: "), "{remark}");
            let price: f64 = remark.rsplit_once("price ").unwrap().1.parse().unwrap();
            assert!((0.0..=0.25).contains(&price), "{remark}");
            assert_eq!(journal.last.as_ref().unwrap().pv.first(), outcome.best.as_ref(), "{fen}");
        }
    }
    assert!(chosen >= 4, "{chosen} of {runs} moves chosen by the model");
}

/// Comparing moves and looking at replies costs time of the same move.
#[test]
fn the_model_holds_the_limits_of_time() {
    let elapsed = |limits: &Limits| {
        let started = Instant::now();
        answer(LEVEL[1], limits);
        started.elapsed()
    };
    // The machine may be busy: one answer in time among a few is enough.
    let limits = Limits { move_time: Some(1000), ..Limits::default() };
    let times: Vec<Duration> = (0..3).map(|_| elapsed(&limits)).collect();
    assert!(times.iter().any(|time| *time < Duration::from_millis(1200)), "{times:?}");
    // After long pondering nothing is left.
    let started = Instant::now().checked_sub(Duration::from_secs(15));
    let clock = ByColor { white: Some(60_000), black: Some(60_000) };
    let limits = Limits { clock, started, ..Limits::default() };
    let times: Vec<Duration> = (0..3).map(|_| elapsed(&limits)).collect();
    assert!(times.iter().any(|time| *time < Duration::from_millis(100)), "{times:?}");
}

#[test]
fn a_winning_side_sets_no_traps() {
    let (_, journal) =
        answer("rnbqk1nr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", &Limits::nodes(20_000));
    assert!(journal.remarks.is_empty(), "{:?}", journal.remarks);
}

#[test]
fn the_same_limits_give_the_same_choice() {
    let [first, again] = [0, 1].map(|_| answer(LEVEL[1], &Limits::nodes(20_000)).0);
    assert_eq!((first.best, first.nodes), (again.best, again.nodes));
}

#[test]
fn the_model_is_off_unless_it_is_asked_for_and_knows_the_opponent() {
    let with = |values: &[(&str, &str)]| {
        let mut settings = Settings::default();
        for (name, value) in values {
            settings.set(name, value).unwrap();
        }
        match settings.mode() {
            Mode::Model(elo) => Some(elo),
            _ => None,
        }
    };
    let told = ("UCI_Opponent", "none 1500 human Nobody");
    let on = ("Opponent Model", "true");
    assert_eq!(with(&[]), None);
    assert_eq!(with(&[told]), None);
    assert_eq!(with(&[on]), None);
    assert_eq!(with(&[on, told]), Some(1500));
    assert_eq!(with(&[on, ("UCI_RatingAdv", "1000")]), Some(1800));
    assert_eq!(with(&[on, ("UCI_Opponent", "GM 2800 human Gary Kasparov")]), None);
    assert_eq!(with(&[on, told, ("UCI_LimitStrength", "true")]), None);
    assert_eq!(with(&[on, told, ("Level", "4")]), None);
    assert_eq!(with(&[on, told, ("UCI_AnalyseMode", "true")]), None);
}
