// Throwaway: dump candidates of human positions.
use ajedrecista::evaluation::KingTerms;
use ajedrecista::levels::strength::Sight;
use ajedrecista::limits::Limits;
use ajedrecista::rules::Game;
use ajedrecista::score::Score;
use ajedrecista::search::report::Silent;
use ajedrecista::search::{Options, Searcher};
use shakmaty::{CastlingMode, Chess, Position, san::SanPlus};
use std::io::Read;
fn main() {
    let part: usize = std::env::args().nth(1).unwrap().parse().unwrap();
    let per_band: usize = std::env::args().nth(2).unwrap().parse().unwrap();
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).unwrap();
    let mut bands: std::collections::BTreeMap<u32, Vec<(Vec<shakmaty::Move>, bool)>> =
        Default::default();
    for game in text.split("[Event ").skip(1) {
        let get = |k: &str| {
            game.split(&format!("[{k} \""))
                .nth(1)
                .and_then(|t| t.split('"').next())
                .unwrap_or("")
                .to_string()
        };
        let (w, b): (u32, u32) =
            (get("WhiteElo").parse().unwrap_or(0), get("BlackElo").parse().unwrap_or(0));
        let body = game.split("\n\n").nth(1).unwrap_or("");
        let mut pos = Chess::default();
        let mut moves = vec![];
        for tok in body.split_whitespace() {
            if tok.ends_with('.') || tok.contains('-') && !tok.starts_with('O') || tok == "*" {
                continue;
            }
            let Ok(san) = tok.parse::<SanPlus>() else { break };
            let Ok(m) = san.san.to_move(&pos) else { break };
            pos.play_unchecked(m);
            moves.push(m);
        }
        for (elo, white) in [(w, true), (b, false)] {
            bands
                .entry((elo / 200 * 200).clamp(800, 2200))
                .or_default()
                .push((moves.clone(), white));
        }
    }
    let mut rng = 12345u64 + part as u64 * 777;
    let mut next = |n: usize| {
        rng = rng.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((rng >> 33) as usize) % n
    };
    let mut judge = Searcher::new(KingTerms::<Chess>::default(), Options::default(), 4).unwrap();
    let mut sight = Sight::<Chess>::new().unwrap();
    for round in 0..per_band {
        for (band, games) in &bands {
            let (moves, white) = &games[next(games.len())];
            let plies: Vec<usize> = (10..moves.len()).filter(|p| (p % 2 == 0) == *white).collect();
            if plies.is_empty() {
                continue;
            }
            let ply = plies[next(plies.len())];
            let mut g = Game::new(Chess::default());
            for m in &moves[..ply] {
                g.play(*m);
            }
            judge.new_game();
            let best = judge.search(&g, &Limits::nodes(30_000), &mut Silent);
            if best.score.raw().abs() > 600 || g.position().legal_moves().len() < 2 {
                continue;
            }
            let (cands, _) = sight.look(&g, &Limits::default(), 8, 60_000);
            println!(
                "P {band} {} {:x} {}",
                ajedrecista::rules::setup::fen(g.position()).replace(' ', "_"),
                g.now().key(),
                ply
            );
            for c in &cands {
                let lim = Limits {
                    search_moves: vec![c.m.to_uci(CastlingMode::Standard)],
                    nodes: Some(30_000),
                    ..Limits::default()
                };
                let loss = if Some(c.m) == best.best {
                    0
                } else if c.settled().raw() < best.score.raw() - 1300 {
                    1000
                } else {
                    (best.score.raw() - judge.search(&g, &lim, &mut Silent).score.raw())
                        .clamp(0, 1000)
                };
                let sc: Vec<String> =
                    c.scores.iter().map(|s: &Score| s.raw().to_string()).collect();
                println!(
                    "M {} {} {} {} {}",
                    c.m.to_uci(CastlingMode::Standard),
                    u8::from(moves[ply] == c.m),
                    loss,
                    c.reply.map_or("-".into(), |r| r.to_uci(CastlingMode::Standard).to_string()),
                    sc.join(",")
                );
            }
        }
        if round % 20 == 0 {
            eprintln!("{round}");
        }
    }
}
