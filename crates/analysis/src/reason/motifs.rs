//! The motifs of the two lines of a mistake, in words.
//!
//! A motif counts as a reason only if it is true in the line played and not in the better one: the same motif, about
//! the same piece, in both lines explains nothing.

use super::board::is_pinned;
use super::lines::Lines;
use super::notes::noted;
use super::thresholds::{NAMED, PROOF, SHOWN};
use crate::line::PlayedLine;
use crate::material::{self, joined};
use crate::motif::{self, Found, Motif, MotifLine, is_undefended};
use engine::evaluation::Variant;
use engine::rules::notation::arrival;
use engine::rules::{Game, RuleSet};
use shakmaty::{Move, Role, Square};
use shell::texts::Texts;

/// The motifs of a mistake, the most telling first.
#[derive(Clone, Debug, Default)]
pub(super) struct Motifs(Vec<Found>);

impl Motifs {
    /// The motifs that the opponent uses in the first `plies` plies of the line played, and has not in the better one.
    pub(super) fn suffered<P: Variant>(lines: &Lines<P>, plies: usize) -> Motifs {
        let Motifs(here) = Motifs::used(lines, plies);
        let best = &lines.best;
        let there = found(&best.games, &best.moves, 1, best.moves.len());
        Motifs(
            here.into_iter().filter(|one| !there.iter().any(|other| is_same(one, other))).collect(),
        )
    }

    /// The same with those that the opponent has in the better line, too.
    pub(super) fn used<P: Variant>(lines: &Lines<P>, plies: usize) -> Motifs {
        begun(&lines.played_on, 1, plies)
    }

    /// The motifs of the answer in the first `plies` of the line played, even if they win less than they cost. A hanging piece, a
    /// piece that loses its defender, a forked and a pinned one are named only if they are captured, and a piece that has just moved there, or
    /// falls in the better line as well, does not count as hanging.
    pub(super) fn shown<P: Variant>(lines: &Lines<P>, plies: usize) -> Motifs {
        let moves = &lines.played_on.moves[..plies.min(lines.played_on.moves.len())];
        let falls = |one: &Found, plies: usize| {
            let answers = lines.played_on.moves.iter().take(plies).skip(1).step_by(2);
            let captures: Vec<Square> =
                answers.filter(|m| m.is_capture()).map(|m| m.to()).collect();
            !captures.is_empty() && one.concerns(&captures)
        };
        let has_just_come = |one: &Found| {
            let mut steps = moves.windows(2).step_by(2);
            steps.any(|step| step[1].to() == one.piece.1 && arrival(step[0]) == one.piece.1)
        };
        let falls_there = |one: &Found| {
            let mut answers = lines.best_on.moves.iter().take(SHOWN).skip(1).step_by(2);
            answers.any(|m| m.is_capture() && m.to() == one.piece.1)
        };
        let is_telling = |one: &Found| match one.motif {
            Motif::Clearance | Motif::InBetweenMove => false,
            Motif::HangingPiece => falls(one, plies) && !has_just_come(one) && !falls_there(one),
            Motif::RemovedDefender => falls(one, plies),
            Motif::Fork | Motif::Pin => falls(one, lines.played_on.moves.len()),
            _ => true,
        };
        let Motifs(found) = Motifs::suffered(lines, plies);
        Motifs(found.into_iter().filter(is_telling).collect())
    }

    /// The motifs by which the move `tried` of a line is punished, up to `plies`. What hangs and what a capture leaves without a
    /// defender is seen without a name.
    pub(super) fn punishing<P: Variant>(
        line: &PlayedLine<P>,
        tried: usize,
        plies: usize,
    ) -> Motifs {
        let is_seen = |motif: Motif| {
            matches!(
                motif,
                Motif::HangingPiece
                    | Motif::RemovedDefender
                    | Motif::Clearance
                    | Motif::InBetweenMove
            )
        };
        let Motifs(found) = begun(line, tried + 1, plies);
        Motifs(found.into_iter().filter(|one| !is_seen(one.motif)).collect())
    }

    /// The motifs that the mover could have used in the first `plies` plies of the better line.
    /// A pin that stands before the move is not what the move would have made.
    pub(super) fn missed<P: Variant>(lines: &Lines<P>, plies: usize) -> Motifs {
        let start = lines.best_on.games[0].position().board();
        let stood = |one: &Found| one.motif == Motif::Pin && is_pinned(start, one.piece.1);
        let Motifs(found) = begun(&lines.best_on, 0, plies);
        Motifs(found.into_iter().filter(|one| !stood(one)).collect())
    }

    /// Those by which the better line wins what falls on the squares `fallen` in its first `plies`.
    pub(super) fn winning<P: Variant>(lines: &Lines<P>, plies: usize, fallen: &[Square]) -> Motifs {
        let helps = |one: &Found| matches!(one.motif, Motif::Clearance | Motif::InBetweenMove);
        let Motifs(found) = Motifs::missed(lines, plies);
        let is_telling = |one: &Found| !fallen.is_empty() && one.concerns(fallen) && !helps(one);
        Motifs(found.into_iter().filter(is_telling).collect())
    }

    /// The most telling one. A cleared square or an in-between move only helps another motif: alone it is none to tell.
    pub(super) fn first(&self) -> Option<&Found> {
        self.0.first().filter(|one| !matches!(one.motif, Motif::Clearance | Motif::InBetweenMove))
    }

    /// True if no motif can be named.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The motifs that a sentence names, without the pieces.
    pub(super) fn kinds(&self) -> Vec<Motif> {
        self.0.iter().take(NAMED).map(|one| one.motif).collect()
    }

    /// The same, those first that are about what is lost or won: the pieces that stand on `squares`. The capture of the defender
    /// of a piece that is none of those that fall, by `fallen`, explains nothing of it.
    pub(super) fn about(mut self, squares: &[Square], fallen: &[Square]) -> Motifs {
        self.0.retain(|one| one.motif != Motif::RemovedDefender || one.concerns(fallen));
        self.0.sort_by_key(|one| !one.concerns(squares));
        self
    }

    /// All but those of one kind.
    pub(super) fn without(self, motif: Motif) -> Motifs {
        Motifs(self.0.into_iter().filter(|one| one.motif != motif).collect())
    }

    /// Forks alone: of the others, where nothing falls by them, readers refused every third (`docs/log/analysis.md`).
    pub(super) fn forks(self) -> Motifs {
        Motifs(self.0.into_iter().filter(|one| one.motif == Motif::Fork).collect())
    }

    /// Those that help to see a mate: what is won on the way does not matter, nor what a queen attacks besides.
    pub(super) fn of_mates(self) -> Motifs {
        let Motifs(found) = self.without(Motif::HangingPiece).without(Motif::TrappedPiece);
        let is_of_queen = |one: &Found| one.motif == Motif::Fork && one.piece.0 == Role::Queen;
        Motifs(found.into_iter().filter(|one| !is_of_queen(one)).collect())
    }

    /// The names of the motifs: "fork, pin of the knight on c6 and deflection". Empty if there are none.
    pub(super) fn names(&self, texts: &Texts) -> String {
        named(texts, &self.0, |one| match one.motif {
            Motif::HangingPiece => "name.hanging-piece-on".to_string(),
            motif => format!("name.{}", motif.key()),
        })
    }

    /// A line with the names of the motifs in parentheses.
    pub(super) fn beside(&self, texts: &Texts, line: String) -> String {
        noted(texts, line, None, &self.names(texts))
    }

    /// The names of the motifs after the first `described`, for the parentheses at the end of a sentence: "; also pin
    /// and deflection". Empty if there are none.
    pub(super) fn also(&self, texts: &Texts, described: usize) -> String {
        let rest = self.0.get(described..NAMED.min(self.0.len())).unwrap_or_default();
        let key = if described == 0 { "motif.names" } else { "motif.also" };
        // The sentence says which piece falls.
        let names = named(texts, rest, |one| format!("name.{}", one.motif.key()));
        match rest.is_empty() {
            true => String::new(),
            false => texts.fill(key, &[("names", &names)]),
        }
    }

    /// The first motif: its piece, and the motif with its pieces, as in "a fork of the king on e8 and the rook on a8 by
    /// the knight on c7". Both are empty if there is none.
    pub(super) fn described(&self, texts: &Texts) -> (String, String) {
        let Some(found) = self.first() else { return Default::default() };
        let (role, square) = found.piece;
        let piece = material::piece(texts, role, Some(square));
        let target = |&(role, square): &(Option<_>, Square)| match role {
            Some(role) => material::piece(texts, role, Some(square)),
            None => square.to_string(),
        };
        let targets: Vec<String> = found.targets.iter().map(target).collect();
        let (targets, square) = (joined(texts, &targets), square.to_string());
        let name = material::piece(texts, role, None);
        let values = [
            ("piece", piece.as_str()),
            ("name", &name),
            ("square", &square),
            ("targets", &targets),
        ];
        let motif = texts.fill(&format!("motif.{}", found.motif.key()), &values);
        (piece, motif)
    }
}

impl Found {
    /// True if the motif is about what is lost: its piece or a target stands on one of `squares`, or none is known.
    pub(super) fn concerns(&self, squares: &[Square]) -> bool {
        // A captured defender is not what is lost by its capture, though it may stand there, and who attacks is not lost.
        let is_victim = matches!(
            self.motif,
            Motif::Pin
                | Motif::HangingPiece
                | Motif::TrappedPiece
                | Motif::OverloadedPiece
                | Motif::Deflection
                | Motif::Attraction
        );
        let piece = Some(self.piece.1).filter(|_| is_victim);
        let mut places = self.targets.iter().map(|target| target.1).chain(piece);
        squares.is_empty() || places.any(|square| squares.contains(&square))
    }
}

/// The names of motifs by their keys, with the piece or the square where the moves beside them do not show it.
fn named(texts: &Texts, motifs: &[Found], key: impl Fn(&Found) -> String) -> String {
    let name = |one: &Found| {
        let (role, square) = one.piece;
        let (piece, square) = (material::piece(texts, role, Some(square)), square.to_string());
        texts.fill(&key(one), &[("piece", &piece), ("square", &square)])
    };
    let names: Vec<String> = motifs.iter().take(NAMED).map(name).collect();
    joined(texts, &names)
}

/// The motifs of a line from the ply `first` on, up to `plies`. None in rule sets whose pieces threaten otherwise.
fn found<P: Variant>(games: &[Game<P>], moves: &[Move], first: usize, plies: usize) -> Vec<Found> {
    let is_known =
        matches!(P::RULE_SET, RuleSet::Chess | RuleSet::KingOfTheHill | RuleSet::ThreeCheck);
    let last = plies.min(moves.len());
    if !is_known || last <= first || games.len() <= last {
        return Vec::new();
    }
    let positions: Vec<P> =
        games[first..=last].iter().map(|game| game.position().clone()).collect();
    let before = first.checked_sub(1).map(|ply| moves[ply]);
    let all = motif::find(&MotifLine { positions: &positions, moves: &moves[first..last], before });
    // Two guarded pieces of a kind that come to face each other are an exchange, whoever opened the line.
    let is_exchange = |one: &Found| {
        let board = positions[one.ply + 1].board();
        let is_like = |&(role, square): &(Option<Role>, Square)| {
            let color = board.color_at(square);
            role == Some(one.piece.0)
                && color.is_some_and(|color| !is_undefended(board, square, color))
        };
        // Unless it falls in the end and is not taken back.
        let falls = |&(_, square): &(Option<Role>, Square)| {
            let mut later = moves[first..].windows(2).skip(one.ply + 2).step_by(2);
            later.any(|step| {
                step[0].is_capture() && step[0].to() == square && step[1].to() != square
            })
        };
        let is_even = |target: &(Option<Role>, Square)| is_like(target) && !falls(target);
        one.motif == Motif::DiscoveredAttack && one.targets.iter().any(is_even)
    };
    // What the move before has brought to a square and is taken back there was no defender of anything.
    let taken_there = before.filter(|m| m.is_capture()).map(arrival);
    let is_recapture = |one: &Found| {
        one.motif == Motif::RemovedDefender && one.ply == 0 && Some(one.piece.1) == taken_there
    };
    all.into_iter().filter(|one| !is_exchange(one) && !is_recapture(one)).collect()
}

/// The motifs of a line from the ply `first` on, up to `plies`, with those that are seen on the board by then though what
/// they win falls a move later.
fn begun<P: Variant>(line: &PlayedLine<P>, first: usize, plies: usize) -> Motifs {
    let here = found(&line.games, &line.moves, first, plies);
    let is_seen = |motif: Motif| {
        let at_once = matches!(motif, Motif::Fork | Motif::Skewer | Motif::Pin);
        let is_discovered = matches!(motif, Motif::DiscoveredAttack | Motif::DiscoveredCheck);
        at_once || is_discovered || motif == Motif::RemovedDefender
    };
    let is_here = |motif: Motif| here.iter().any(|one| one.motif == motif);
    let all = found(&line.games, &line.moves, first, plies + PROOF);
    let is_told =
        |one: &Found| first + one.ply < plies && (is_here(one.motif) || is_seen(one.motif));
    Motifs(all.into_iter().filter(is_told).collect())
}

/// True if two lines share a motif: the same one about the same piece or its target. A pinned piece may be used in many ways:
/// only the same use is the same pin.
fn is_same(one: &Found, other: &Found) -> bool {
    let (is_piece, is_target) = (one.piece == other.piece, one.targets == other.targets);
    one.motif == other.motif
        && if one.motif == Motif::Pin { is_piece && is_target } else { is_piece || is_target }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyst::test_analyst;
    use crate::line::{chess_line as line, test_line};
    use crate::reason::test_mistake;
    use crate::texts::{self, Lang};
    use shakmaty::Chess;

    #[test]
    fn a_motif_is_about_what_is_attacked_not_about_who_attacks() {
        let fork =
            begun::<Chess>(&test_line("r3k3/8/8/3N4/8/8/8/4K3 w - - 0 1", "d5c7 e8d7 c7a8"), 0, 3);
        let found = fork.first().unwrap();
        assert!(found.concerns(&[Square::A8]) && found.concerns(&[]));
        assert!(!found.concerns(&[Square::C7]), "a pawn that fell where the knight stands");
    }

    #[test]
    fn what_falls_in_both_lines_does_not_hang() {
        let fen = "rn5Q/ppp1kp1p/4b3/b7/8/2PP4/PP3PqP/RNB1K1NR w KQ - 0 11";
        let names_rook = |best: &str| {
            let played = line(fen, "h8e5 g2h1 c1g5 e7d7 e5g3 f7f6");
            let best = line(fen, best);
            let mistake = test_mistake(&played, &best, [0, 200]);
            let lines = test_analyst(100).lines(&mistake, played.clone(), best.clone());
            Motifs::shown(&lines, 4).kinds().contains(&Motif::HangingPiece)
        };
        assert!(names_rook("h8d4 e6d5 d4e3 e7d7 g1f3"));
        assert!(!names_rook("h8d4 e6d5 f2f3 g2h1 e1f2"), "12...Qxh1");
    }

    #[test]
    fn a_recapture_captures_no_defender() {
        let fen = "r3r1k1/2pb1ppp/1pnp1q2/pB6/P3P3/2P2N2/3Q1PPP/R4RK1 w - - 2 16";
        let exchange = test_line::<Chess>(fen, "b5c6 d7c6 f3d4 c6e4");
        let kinds = |line: &PlayedLine<Chess>| begun(line, 1, line.moves.len()).kinds();
        assert!(!kinds(&exchange).contains(&Motif::RemovedDefender));
        let fen = "4k3/8/5n2/8/1b2B3/2N5/1P6/4K3 w - - 0 1";
        let taken = test_line::<Chess>(fen, "e1e2 b4c3 b2c3 f6e4");
        assert!(kinds(&taken).contains(&Motif::RemovedDefender), "{:?}", kinds(&taken));
    }

    #[test]
    fn pieces_of_a_kind_that_face_each_other_are_exchanged_unless_one_falls() {
        let fen = "r2qkb1r/pp1b1ppp/2n1pn2/1B6/Q2pP3/5NN1/PP1P1PPP/R1B1K2R w KQkq - 4 10";
        let kinds = |moves: &str| {
            let line = test_line::<Chess>(fen, moves);
            begun(&line, 1, line.moves.len()).kinds()
        };
        let falls = kinds("f3d4 c6d4 a4d4 d7b5 a2a4");
        assert!(falls.contains(&Motif::DiscoveredAttack), "{falls:?}");
        let exchanged = kinds("f3d4 c6d4 h2h3 d7b5 a4b5");
        assert!(!exchanged.contains(&Motif::DiscoveredAttack), "{exchanged:?}");
    }

    #[test]
    fn a_mate_by_a_queen_is_no_fork() {
        let fen = "2k5/pp3p2/8/2P5/1Q1P4/3N4/P4qr1/1K2R3 b - - 0 43";
        let fork = begun::<Chess>(&test_line(fen, "f2c2 b1a1 c2a2"), 0, 3);
        assert_eq!(fork.kinds(), [Motif::Fork]);
        assert!(fork.of_mates().is_empty());
        let piece =
            begun::<Chess>(&test_line("r3k3/8/8/3N4/8/8/8/4K3 w - - 0 1", "d5c7 e8d7 c7a8"), 0, 3);
        assert_eq!(piece.of_mates().kinds(), [Motif::Fork]);
    }

    #[test]
    fn a_name_tells_which_piece_it_is_about() {
        let fen = "4k3/8/2n5/8/8/8/8/4KB2 w - - 0 1";
        let pin = begun::<Chess>(&test_line(fen, "f1b5 e8d7 b5c6"), 0, 3);
        let names = Lang::ALL.map(|lang| pin.names(&texts::of(lang)));
        assert_eq!(names, ["pin of the knight on c6", "clavada del caballo de c6"]);
    }

    #[test]
    fn what_is_seen_at_once_may_be_proved_a_move_later() {
        let kinds = |fen: &str, moves: &str, plies: usize| {
            begun::<Chess>(&test_line(fen, moves), 0, plies).kinds()
        };
        let fork = "r3k3/8/8/3N4/8/8/8/4K3 w - - 0 1";
        assert_eq!(kinds(fork, "d5c7 e8d7 c7a8", 1), [Motif::Fork]);
        assert!(kinds(fork, "d5c7", 1).is_empty(), "nothing proves it");
        let trapped = "8/Bpk5/8/8/8/8/6K1/r7 b - - 0 1";
        assert_eq!(kinds(trapped, "b7b6 g2g3 a1a7", 3), [Motif::TrappedPiece]);
        assert!(kinds(trapped, "b7b6 g2g3 a1a7", 1).is_empty(), "not seen by its first move");
    }
}
