//! The lines of the protocol, from the search's data. No other module formats them.
//!
//! vampirc-uci writes the parts that it can represent (identity, options, remarks). Its moves have no drops
//! and no `(none)`, and its scores no `wdl`, so variations and best moves are written here.

use std::fmt::Write;

use shakmaty::{CastlingMode, Move};
use vampirc_uci::{UciMessage, UciOptionConfig};

use crate::input::{printable, without_codes};
use crate::search::report::{Bound, Outcome, Report};
use crate::settings::{Kind, Offer, Settings};

/// The answer to `uci`: name, author, every option of `settings`, `uciok`.
pub fn identity(settings: &Settings) -> String {
    let mut lines = vec![
        UciMessage::id_name(&format!("Ajedrecista {}", env!("CARGO_PKG_VERSION"))).to_string(),
        UciMessage::id_author("the Ajedrecista authors").to_string(),
    ];
    lines.extend(settings.offers().map(option));
    lines.push(UciMessage::UciOk.to_string());
    lines.join("\n")
}

/// An `option` line.
fn option(offer: Offer) -> String {
    let Offer { name, kind, default } = offer;
    let name = name.to_string();
    let config = match kind {
        Kind::Check => UciOptionConfig::Check { name, default: default.parse().ok() },
        Kind::Spin(range) => UciOptionConfig::Spin {
            name,
            default: default.parse().ok(),
            min: Some(*range.start()),
            max: Some(*range.end()),
        },
        Kind::Combo(words) => UciOptionConfig::Combo {
            name,
            default: Some(default),
            var: words.iter().map(ToString::to_string).collect(),
        },
        Kind::Text => UciOptionConfig::String { name, default: Some(default) },
        Kind::Button => UciOptionConfig::Button { name },
    };
    UciMessage::Option(config).to_string()
}

/// Greatest length of a line of a remark, in characters: a client's own words must not flood it.
const MAX_REMARK: usize = 400;

/// A remark for the user: an `info string` for each line.
pub fn remark(text: &str) -> String {
    let line = |line: &str| UciMessage::info_string(printable(line, MAX_REMARK)).to_string();
    without_codes(text).lines().map(line).collect::<Vec<_>>().join("\n")
}

/// A principal variation (PV). `wdl`: add the chances of a win, a draw and a loss, per mille.
pub fn variation(report: &Report, castling: CastlingMode, wdl: bool) -> String {
    let mut line = format!("info depth {}", report.depth);
    if !report.pv.is_empty() {
        add(&mut line, "seldepth", report.selective_depth);
        add(&mut line, "multipv", report.multipv);
    }
    add(&mut line, "score", report.score);
    match report.bound {
        Bound::Exact => {}
        Bound::Lower => line.push_str(" lowerbound"),
        Bound::Upper => line.push_str(" upperbound"),
    }
    if wdl {
        let chances = report.score.win_draw_loss();
        let [win, draw, loss] = if report.is_drawn { [0, 1000, 0] } else { chances };
        add(&mut line, "wdl", format_args!("{win} {draw} {loss}"));
    }
    if !report.pv.is_empty() {
        add(&mut line, "nodes", report.nodes);
        add(&mut line, "nps", per_second(report.nodes, report.time_ms));
        add(&mut line, "hashfull", report.hashfull);
        add(&mut line, "tbhits", report.tbhits);
        add(&mut line, "time", report.time_ms);
        line.push_str(" pv");
        for m in &report.pv {
            let _ = write!(line, " {}", m.to_uci(castling));
        }
    }
    line
}

/// The root move being searched and its number, from 1.
pub fn current_move(depth: u32, m: Move, number: usize, castling: CastlingMode) -> String {
    let m = m.to_uci(castling);
    format!("info depth {depth} currmove {m} currmovenumber {number}")
}

/// The best move, and the move to ponder on.
pub fn best_move(outcome: &Outcome, castling: CastlingMode) -> String {
    let Some(best) = outcome.best else { return "bestmove (none)".to_string() };
    let mut line = format!("bestmove {}", best.to_uci(castling));
    if let Some(reply) = outcome.ponder {
        add(&mut line, "ponder", reply.to_uci(castling));
    }
    line
}

/// Leaf counts by root move and their sum, in the usual layout, for tools that compare them.
pub fn perft(counts: &[(String, u64)]) -> String {
    let total: u64 = counts.iter().map(|(_, leaves)| leaves).sum();
    let mut text = String::new();
    for (m, leaves) in counts {
        let _ = writeln!(text, "{m}: {leaves}");
    }
    let _ = write!(text, "\nNodes searched: {total}");
    text
}

/// Nodes per second (nps); times under a millisecond count as one.
fn per_second(nodes: u64, time_ms: u64) -> u64 {
    nodes.saturating_mul(1000) / time_ms.max(1)
}

fn add(line: &mut String, name: &str, value: impl std::fmt::Display) {
    let _ = write!(line, " {name} {value}");
}

#[cfg(test)]
mod tests {
    use shakmaty::{Role, Square};

    use super::*;
    use crate::score::Score;

    const CASTLING: Move = Move::Castle { king: Square::E1, rook: Square::H1 };
    const PROMOTION: Move = Move::Normal {
        role: Role::Pawn,
        from: Square::A7,
        capture: None,
        to: Square::A8,
        promotion: Some(Role::Queen),
    };

    fn report(pv: Vec<Move>) -> Report {
        Report {
            depth: 7,
            selective_depth: 12,
            multipv: 2,
            score: Score::centipawns(-35),
            bound: Bound::Exact,
            is_drawn: false,
            nodes: 5000,
            time_ms: 20,
            hashfull: 3,
            tbhits: 0,
            pv,
        }
    }

    #[test]
    fn a_variation() {
        let report = report(vec![CASTLING, PROMOTION]);
        assert_eq!(
            variation(&report, CastlingMode::Standard, false),
            "info depth 7 seldepth 12 multipv 2 score cp -35 nodes 5000 nps 250000 \
             hashfull 3 tbhits 0 time 20 pv e1g1 a7a8q"
        );
        assert!(variation(&report, CastlingMode::Chess960, false).ends_with("pv e1h1 a7a8q"));
    }

    #[test]
    fn bounds_chances_and_odd_times() {
        let mut report = report(vec![PROMOTION]);
        report.bound = Bound::Lower;
        report.score = Score::mate_in(3);
        report.time_ms = 0;
        let line = variation(&report, CastlingMode::Standard, true);
        assert!(line.contains("score mate 2 lowerbound wdl 1000 0 0 nodes"), "{line}");
        assert!(line.contains("nps 5000000"), "{line}");
        // A score of 0 is a guess, but a draw may be proved.
        for (is_drawn, sure) in [(false, false), (true, true)] {
            let level = Report { score: Score::DRAW, is_drawn, ..report.clone() };
            let line = variation(&level, CastlingMode::Standard, true);
            assert_eq!(line.contains(" wdl 0 1000 0"), sure, "{line}");
        }
    }

    #[test]
    fn a_game_that_is_over() {
        let over = Report { depth: 0, score: Score::mated_in(0), ..report(Vec::new()) };
        assert_eq!(variation(&over, CastlingMode::Standard, false), "info depth 0 score mate 0");
        let none = Outcome::unsearched(None, over.score);
        assert_eq!(best_move(&none, CastlingMode::Standard), "bestmove (none)");
    }

    #[test]
    fn best_moves() {
        let score = Score::DRAW;
        let outcome =
            Outcome { ponder: Some(PROMOTION), ..Outcome::unsearched(Some(CASTLING), score) };
        assert_eq!(best_move(&outcome, CastlingMode::Standard), "bestmove e1g1 ponder a7a8q");
        let alone = Outcome { ponder: None, ..outcome };
        assert_eq!(best_move(&alone, CastlingMode::Chess960), "bestmove e1h1");
    }

    #[test]
    fn option_lines() {
        let text = identity(&Settings::default());
        for line in [
            "option name Hash type spin default 16 min 1 max 33554432",
            "option name Clear Hash type button",
            "option name Ponder type check default false",
            "option name Debug Log File type string default <empty>",
            "option name Evaluation type combo default auto var auto var linear var tables var network",
            "uciok",
        ] {
            assert!(text.lines().any(|found| found == line), "{line}\n{text}");
        }
    }

    #[test]
    fn a_remark_of_two_lines_becomes_two_remarks() {
        assert_eq!(remark("a\nb"), "info string a\ninfo string b");
    }

    #[test]
    fn perft_counts_add_up() {
        let counts = [("e2e4".to_string(), 20), ("d2d4".to_string(), 22)];
        assert_eq!(perft(&counts), "e2e4: 20\nd2d4: 22\n\nNodes searched: 42");
    }
}
