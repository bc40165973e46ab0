// Throwaway: fit weaknesses to human loss rows.
use ajedrecista::levels::strength::{Candidate, Weakness, judge};
use ajedrecista::rules::setup;
use ajedrecista::score::Score;
use shakmaty::{CastlingMode, Chess};
struct Pos {
    band: u32,
    p: Chess,
    key: u64,
    c: Vec<Candidate>,
    loss: Vec<i32>,
    human: Vec<bool>,
}
// mean, 50, 100, 300, same
const ROWS: &[(u32, [f64; 5])] = &[
    (400, [205., 61., 47., 26., 18.]),
    (500, [185., 58., 43., 23., 20.]),
    (700, [150., 53., 37., 17., 24.]),
    (900, [122., 47., 31., 12.5, 28.]),
    (1100, [99., 42., 26., 8.9, 31.]),
    (1300, [86., 35., 21., 7.3, 35.]),
    (1500, [64., 28., 16., 4.7, 41.]),
    (1700, [48., 23., 12., 3.0, 41.]),
    (1900, [41., 20., 9.6, 2.0, 44.]),
    (2100, [35., 18., 7.4, 1.9, 42.]),
    (2300, [30., 13., 5.0, 1.4, 47.]),
];
fn measure(w: &Weakness, ps: &[&Pos], seeds: u64) -> [f64; 6] {
    let mut t = [0.0; 6];
    let mut n = 0.0;
    for p in ps {
        let c: Vec<Candidate> =
            p.c.iter()
                .map(|c| {
                    let mut c = c.clone();
                    c.scores.truncate(w.depth as usize + 1);
                    c
                })
                .collect();
        for seed in 0..seeds {
            let th = judge(&p.p, p.key, seed * 7919 + 13, w, &c);
            let i = th[0].index;
            let l = p.loss[i] as f64;
            n += 1.0;
            t[0] += l;
            for (k, b) in [(1, 50.), (2, 100.), (3, 300.)] {
                if l >= b {
                    t[k] += 100.0;
                }
            }
            if p.loss[i] == 0 {
                t[4] += 100.0;
            }
            if p.human[i] {
                t[5] += 100.0;
            }
        }
    }
    t.map(|x| x / n)
}
fn cost(m: &[f64; 6], row: &[f64; 5]) -> f64 {
    (0..5)
        .map(|k| {
            let e = (m[k].max(0.3) / row[k]).ln();
            e * e * [1.0, 1.0, 1.0, 0.7, 0.3][k]
        })
        .sum()
}
fn main() {
    let mut ps = vec![];
    for line in std::io::stdin().lines().map_while(Result::ok) {
        let f: Vec<&str> = line.split(' ').collect();
        if f[0] == "P" {
            let (p, _) =
                setup::position::<Chess>(&f[2].replace('_', " "), CastlingMode::Standard).unwrap();
            ps.push(Pos {
                band: f[1].parse().unwrap(),
                p,
                key: u64::from_str_radix(f[3], 16).unwrap(),
                c: vec![],
                loss: vec![],
                human: vec![],
            });
        } else if f.len() == 6 {
            let pos = ps.last_mut().unwrap();
            let m = setup::read_move(&pos.p, f[1]).unwrap();
            let after = {
                use shakmaty::Position;
                let mut a = pos.p.clone();
                a.play_unchecked(m);
                a
            };
            let reply = setup::read_move(&after, f[4]).ok();
            let scores = f[5]
                .split(',')
                .map(|s| {
                    let v: i32 = s.parse().unwrap();
                    if v > 31000 {
                        Score::mate_in((32000 - v) as usize)
                    } else if v < -31000 {
                        Score::mated_in((32000 + v) as usize)
                    } else {
                        Score::centipawns(v)
                    }
                })
                .collect();
            pos.c.push(Candidate { m, scores, reply, report: None });
            pos.loss.push(f[3].parse().unwrap());
            pos.human.push(f[2] == "1");
        }
    }
    eprintln!("{} positions", ps.len());
    let args: Vec<String> = std::env::args().collect();
    for (elo, row) in ROWS {
        let near: Vec<&Pos> = ps
            .iter()
            .filter(|p| {
                !p.c.is_empty() && (p.band as i32 + 100 - (*elo as i32).max(900)).abs() <= 300
            })
            .collect();
        if args.len() > 2 {
            let near: Vec<&Pos> = ps
                .iter()
                .filter(|p| {
                    !p.c.is_empty() && (p.band as i32 + 100 - (*elo as i32).max(900)).abs() <= 300
                })
                .collect();
            let w = Weakness::of(*elo);
            let mm = measure(&w, &near, 12);
            println!(
                "{elo} n={} {:?} | mean {:.0} {:.0} {:.0} {:.1} same {:.0} human {:.1} (want {:?})",
                near.len(),
                w,
                mm[0],
                mm[1],
                mm[2],
                mm[3],
                mm[4],
                mm[5],
                row
            );
            continue;
        }
        let mut best = (
            f64::MAX,
            Weakness { oversight: 0.1, insight: 0.6, spread: 40.0, depth: 4, nodes: 0 },
            [0.0; 6],
        );
        let depths: &[u32] = if args.len() > 1 { &[3, 4, 5, 6, 8] } else { &[4] };
        for &depth in depths {
            let mut w = Weakness { depth, ..best.1 };
            let mut c = f64::MAX;
            let mut mm = [0.0; 6];
            let mut step = 0.5;
            while step > 0.06 {
                let mut improved = false;
                for (a, b, s) in [
                    (1., 1., 1.),
                    (1. + step, 1., 1.),
                    (1. / (1. + step), 1., 1.),
                    (1., 1. + step / 2., 1.),
                    (1., 1. / (1. + step / 2.), 1.),
                    (1., 1., 1. + step),
                    (1., 1., 1. / (1. + step)),
                ] {
                    let t = Weakness {
                        oversight: (w.oversight * a).clamp(0.001, 0.9),
                        insight: (w.insight * b).clamp(0.02, 0.98),
                        spread: w.spread * s,
                        ..w
                    };
                    let m = measure(&t, &near, 6);
                    let k = cost(&m, row);
                    if k < c - 1e-9 {
                        c = k;
                        w = t;
                        mm = m;
                        improved = true;
                    }
                }
                if !improved {
                    step /= 2.0;
                }
            }
            if c < best.0 {
                best = (c, w, mm);
            }
            println!(
                "{elo} n={} d={} cost {:.3} over {:.3} insight {:.2} spread {:.0} | mean {:.0} {:.0} {:.0} {:.1} same {:.0} (want {:?})",
                near.len(),
                depth,
                c,
                w.oversight,
                w.insight,
                w.spread,
                mm[0],
                mm[1],
                mm[2],
                mm[3],
                mm[4],
                row
            );
        }
    }
}
