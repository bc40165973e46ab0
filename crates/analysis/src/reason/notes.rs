//! What falls in the two lines that a sentence without a reason shows: "(White loses the pawn on c5)" after each.

use shakmaty::Color;

use super::Mistake;
use super::lines::{Lines, is_amid_captures};
use super::thresholds::{AT_ONCE_SHARE, BETTER, MIN_LENGTH, MIN_MATERIAL, PLAUSIBLE, SHOWN, SMALL};
use crate::analyst::RulesAnalyst;
use crate::line::{PlayedLine, TrackedPiece};
use crate::material::Balance;
use engine::evaluation::Variant;
use shell::texts::Texts;

/// A line as far as a sentence shows it.
pub(super) struct ShownLine {
    /// Its plies.
    pub plies: usize,
    /// The side that loses material up to there, and its pieces that fall.
    loss: Option<(Color, Balance)>,
}

impl ShownLine {
    /// A line of so many plies in which nothing falls.
    pub(super) fn of(plies: usize) -> ShownLine {
        ShownLine { plies, loss: None }
    }

    /// True if something falls in it.
    pub(super) fn has_loss(&self) -> bool {
        self.loss.is_some()
    }

    /// The words for what falls.
    fn note(&self, texts: &Texts, mover: Color) -> Option<String> {
        let (victim, balance) = self.loss.as_ref()?;
        let key = match (mover, *victim == mover) {
            (Color::White, false) => "note.white-wins",
            (Color::White, true) => "note.white-loses",
            (Color::Black, false) => "note.black-wins",
            (Color::Black, true) => "note.black-loses",
        };
        Some(texts.fill(key, &[("what", &balance.text(texts))]))
    }

    /// True if all that falls here falls in the other line, `line`, too, as far as both are shown or a move later.
    fn is_shared<P: Variant>(&self, other: &ShownLine, line: &PlayedLine<P>) -> bool {
        let Some((victim, balance)) = &self.loss else { return false };
        let seen = self.plies.max(other.plies) + MIN_LENGTH;
        let there = Balance::of(&line.beginning(seen), *victim);
        let falls = |piece: &TrackedPiece| there.given().iter().any(|one| one.from == piece.from);
        balance.given().iter().all(falls)
    }
}

/// True if `victim` itself puts something where it is captured next, after the move that is judged: for what that brings.
fn is_offered<P: Variant>(line: &PlayedLine<P>, plies: usize, victim: Color) -> bool {
    let offers = |ply: usize| {
        let (m, taken) = (line.moves[ply - 1], line.moves[ply]);
        let is_own = line.games[ply - 1].now().turn() == victim;
        is_own && !m.is_capture() && taken.is_capture() && taken.to() == m.to()
    };
    (2..plies.min(line.moves.len())).any(offers)
}

impl<P: Variant> Lines<P> {
    /// The line played and the better one as they are shown. Where the better one changes the material for the better by a pawn, each
    /// is shown at least to where it has changed it, if that can be shown, with what falls up to there and not in the other line.
    pub(super) fn shown_lines(&self) -> [ShownLine; 2] {
        let lost_at = self.plies_to_change(&self.played, &self.played_terms);
        let won_at = self.plies_to_change(&self.best, &self.best_terms);
        let lost = self.change(&self.played_terms[..=lost_at]);
        let won = self.change(&self.best_terms[..=won_at]);
        let [played, best] = self.shown_plies();
        if won - lost < MIN_MATERIAL {
            return [played, best].map(ShownLine::of);
        }
        let known = [&self.played, &self.best].map(|line| line.moves.len());
        let mut played = self.shown_line(played, &self.played_on, [lost_at, known[0]]);
        let mut best = self.shown_line(best, &self.best_on, [won_at, known[1]]);
        let is_lost_in_both = played.is_shared(&best, &self.best_on);
        let is_won_in_both = best.is_shared(&played, &self.played_on);
        // What the mover wins in the line played, or loses in the better one, would speak for the move.
        let is_told = |is_in_both: bool, loser: Color| {
            move |(victim, _): &(Color, Balance)| !is_in_both && *victim == loser
        };
        played.loss = played.loss.take().filter(is_told(is_lost_in_both, self.mover));
        best.loss = best.loss.take().filter(is_told(is_won_in_both, !self.mover));
        [played, best]
    }

    /// A line with what falls in it. Its plies are at least `plies`, and reach to where it has changed the material, after the plies
    /// `there`. Where that is more than the `known` plies that explain the score, the change must stay to the end of the search's line.
    fn shown_line(
        &self,
        plies: usize,
        line: &PlayedLine<P>,
        [there, known]: [usize; 2],
    ) -> ShownLine {
        let last = plies.max(there);
        let balance = |plies: usize| Balance::of(&line.beginning(plies), self.mover);
        let change = |plies: usize| match plies <= line.moves.len() {
            true => -balance(plies).loss::<P>(),
            false => 0,
        };
        let sign = change(there).signum();
        // What comes back at once has not fallen.
        let to = if last <= known { last + MIN_LENGTH } else { line.moves.len() };
        let mut rests =
            (last..=to.min(line.moves.len())).filter(|plies| !is_amid_captures(line, *plies));
        let is_told = rests.all(|plies| change(plies) * sign >= MIN_MATERIAL);
        if there > SHOWN || change(there).abs() < MIN_MATERIAL || !is_told {
            return ShownLine::of(plies);
        }
        let (victim, balance) = match sign < 0 {
            true => (self.mover, balance(last)),
            false => (!self.mover, balance(last).turned()),
        };
        // What has no name says nothing.
        let has_name = balance.loss::<P>() > 0 && !balance.squares().is_empty();
        ShownLine { plies: last, loss: has_name.then_some((victim, balance)) }
    }

    /// Both lines as text, with what falls and the motifs of each, `names`; those of the better one stand beside what it wins.
    pub(super) fn with_notes(
        &self,
        texts: &Texts,
        [played, best]: &[ShownLine; 2],
        [names, winning]: &[String; 2],
    ) -> [String; 2] {
        let [lost, won] = [played, best].map(|line| line.note(texts, self.mover));
        let winning = if won.is_some() { winning } else { "" };
        [
            noted(texts, self.on_played(played.plies), lost, names),
            noted(texts, self.on_best(best.plies), won, winning),
        ]
    }
}

impl<P: Variant> RulesAnalyst<P> {
    /// Plays lines on that end before a reader has seen enough, or with a capture that may be taken back.
    pub(super) fn play_on(&mut self, lines: &mut Lines<P>) {
        for line in [&mut lines.played_on, &mut lines.best_on] {
            *line = self.as_long_as(line, BETTER + 1 + MIN_LENGTH);
            if line.moves.last().is_some_and(|m| m.is_capture()) {
                *line = self.as_long_as(line, line.moves.len() + MIN_LENGTH);
            }
        }
    }

    /// The lines as they are shown, without what another move keeps, because a weak defence must not look like a loss,
    /// and without what is a small part of the loss.
    pub(super) fn proved_lines(
        &mut self,
        mistake: &Mistake<P>,
        lines: &Lines<P>,
    ) -> [ShownLine; 2] {
        let mut shown = lines.shown_lines();
        let scored =
            [(&lines.played_on, -mistake.after.score), (&lines.best_on, mistake.before.score)];
        for (one, (line, score)) in shown.iter_mut().zip(scored) {
            let Some((victim, balance)) = &one.loss else { continue };
            let score = if *victim == lines.mover { score } else { -score };
            // A pawn says nothing of a move that costs a rook.
            let fallen = balance.loss::<P>();
            let is_part = match mistake.drop() {
                Some(drop) => fallen * 100 >= drop * AT_ONCE_SHARE,
                None => fallen > SMALL,
            };
            let (plies, score) = (one.plies, (score, PLAUSIBLE));
            if !is_part
                || fallen <= SMALL && is_offered(line, plies, *victim)
                || self.is_spared(line, plies, *victim, score)
                || fallen <= SMALL && self.can_take_back(line, plies, *victim, score)
            {
                one.loss = None;
            }
        }
        shown
    }
}

/// A line with a change of material and the names of motifs in parentheses, as far as there are any.
pub(super) fn noted(texts: &Texts, line: String, change: Option<String>, names: &str) -> String {
    let names = Some(names).filter(|names| !names.is_empty());
    let notes = match (change, names) {
        (None, None) => return line,
        (None, Some(names)) => names.to_string(),
        (Some(change), None) => change,
        (Some(change), Some(names)) => change + &texts.fill("motif.names", &[("names", names)]),
    };
    format!("{line} ({notes})")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyst::test_analyst;
    use crate::line::chess_line as line;
    use crate::reason::test_mistake;
    use crate::texts::{self, Lang};

    #[test]
    fn a_change_of_material_is_told_as_far_as_the_line_is_shown() {
        let fen = "3qr1k1/p1pp1pbp/1rp3p1/1b6/Q3P3/2P1BN2/PP3PPP/R3R1K1 w - - 5 15";
        let quiet = "a4c2 b6a6 c3c4";
        let shown = |best: &str, plies: usize| {
            let (played, best) = (line(fen, quiet), line(fen, best));
            let mistake = test_mistake(&played, &best, [120, -20]);
            let rests = best.beginning(plies);
            let lines = test_analyst(100).lines(&mistake, played.clone(), rests);
            let [_, better] =
                lines.with_notes(&texts::of(Lang::En), &lines.shown_lines(), &Default::default());
            better
        };
        assert_eq!(
            shown("a4a7 b6a6 a7b7 h7h6", 4),
            "15.Qxa7 Ra6 16.Qb7 (White wins the pawn on a7)"
        );
        let won = shown("a4a7 b6a6 a7b7 h7h6", 2);
        assert!(won.ends_with("(White wins the pawn on a7)"), "{won}: nothing comes back");
        assert_eq!(shown("a4a7 b6a6 a7b7 e8e4", 2), "15.Qxa7 Ra6 16.Qb7", "a pawn each next");
    }

    #[test]
    fn a_pawn_that_comes_back_at_once_has_not_fallen() {
        // 4.cxd5 is the end of the search's line, 4...exd4 comes next.
        let fen = "rnbqkbnr/pp2pppp/8/2pp4/2PPP3/8/PP3PPP/RNBQKBNR b KQkq - 0 3";
        let (played, best) = (line(fen, "e7e5 c4d5"), line(fen, "d5e4 d4d5 f7f5 b1c3"));
        let mistake = test_mistake(&played, &best, [10, 30]);
        let mut analyst = test_analyst(20_000);
        let mut lines = analyst.lines(&mistake, played.clone(), best.clone());
        let lost = |lines: &Lines<_>| lines.shown_lines()[0].loss.is_some();
        assert!(lost(&lines));
        analyst.play_on(&mut lines);
        assert!(!lost(&lines), "{:?}", lines.played_on.moves);
    }

    #[test]
    fn a_line_that_ends_with_a_capture_is_played_on() {
        let fen = "r1bqr1k1/pp1nbpp1/5n1p/2pp4/3P4/2NBPNBP/PPQ2PP1/R4RK1 w - - 0 14";
        let best = line(fen, "c3b5 d7f8 b5c7 c5c4 c7a8 c4d3");
        let played = line(fen, "b2b3 a7a6 g3h4 b7b6 h4f6 d7f6");
        let mistake = test_mistake(&played, &best, [200, -80]);
        let mut analyst = test_analyst(20_000);
        let mut lines = analyst.lines(&mistake, played.clone(), best.clone());
        analyst.play_on(&mut lines);
        let recapture = lines.best_on.moves.get(6).map(|m| m.to());
        assert_eq!(recapture, Some(shakmaty::Square::D3), "17.Qxd3");
    }

    #[test]
    fn what_speaks_for_the_move_is_not_told() {
        let fen = "3q4/p4ppk/7p/8/8/8/5PPP/R2R2K1 w - - 0 30";
        let (played, best) = (line(fen, "a1a7 d8e8 h2h3 e8b5"), line(fen, "d1d8 h7g6 h2h3 g6f6"));
        let mistake = test_mistake(&played, &best, [1_000, -200]);
        let lines = test_analyst(100).lines(&mistake, played.clone(), best.clone());
        let [won_a_pawn, won_a_queen] = lines.shown_lines().map(|line| line.loss.is_some());
        assert!(!won_a_pawn && won_a_queen);
    }

    #[test]
    fn what_falls_in_both_lines_is_no_difference() {
        let fen = "r5q1/2p5/p1P3pk/pP6/P2pPQ2/3P2P1/3K4/8 b - - 2 33";
        let played = line(fen, "h6g7 f4c7 g7f6 b5b6");
        let loss = Some((Color::Black, Balance::of(&played, Color::Black)));
        let shown = ShownLine { plies: 4, loss };
        let is_shared =
            |best: &str, plies: usize| shown.is_shared(&ShownLine::of(plies), &line(fen, best));
        assert!(is_shared("g6g5 f4c7 g8a2", 3), "the pawn on c7");
        let later = "h6h7 f4f3 h7h6 f3f4 h6h7 f4c7";
        assert!(is_shared(later, 3), "a move after those shown");
        let much_later = "h6h7 f4f3 h7g7 d2d1 g7h6 f3f4 h6h7 f4c7";
        assert!(!is_shared(much_later, 3), "two moves after them");
        assert!(!is_shared("g6g5 f4c7 g8a2 d2e1 a2a4", 5), "for another pawn");
        assert!(!is_shared("g6g5 f4f3 g8a2", 3), "kept");
    }

    #[test]
    fn a_pawn_that_another_move_keeps_is_not_told() {
        let fen = "3r4/2Rn1ppk/4p2p/P2p4/1P6/5P2/6PP/6K1 b - - 0 34";
        let (played, best) = (line(fen, "d7b8 b4b5 d8d6 c7f7"), line(fen, "d7e5 f3f4 e5c4"));
        let mistake = test_mistake(&played, &best, [250, 30]);
        let mut analyst = test_analyst(20_000);
        let lines = analyst.lines(&mistake, played.clone(), best.clone());
        let [shown, proved] = [lines.shown_lines(), analyst.proved_lines(&mistake, &lines)]
            .map(|[played, _]| played.loss.is_some());
        assert!(shown && !proved, "35...Rd7");
    }

    #[test]
    fn a_pawn_that_its_side_offers_is_not_told() {
        // 25...bxa4 26.Rb4.
        let fen = "r7/1R1pkp2/p2p1np1/1p1Pp1p1/3nP1P1/5P1P/PPP3B1/2K4R w - - 3 24";
        let played = line(fen, "h1e1 e7d8 a2a4 b5a4 g2f1 d8c8");
        assert!(is_offered(&played, 4, Color::White));
        assert!(!is_offered(&played, 3, Color::White), "not yet");
        assert!(!is_offered(&played, 4, Color::Black));
        // The move itself is what is judged, and a capture that is taken back offers nothing.
        assert!(!is_offered(&line(fen, "a2a4 b5a4"), 2, Color::White));
        assert!(!is_offered(&line(fen, "h1e1 f6e4 f3e4 e7d8"), 4, Color::Black));
    }

    #[test]
    fn a_pawn_is_not_told_where_much_more_is_lost() {
        // 26.Qh4 attacks the king and the rook.
        let fen = "3qr1k1/p4p2/3b2p1/P1p1p1N1/2P3Q1/3P4/3r1PPP/R4RK1 w - - 1 26";
        let played = line(fen, "g5e4 d2d3 f1b1 d6f8");
        let best = line(fen, "g4h4 d8c7 h4h7 g8f8 h7h6 f8e7 g5f7 e7f7 h6d2");
        let mut analyst = test_analyst(20_000);
        let mut names_pawn = |scores| {
            let mistake = test_mistake(&played, &best, scores);
            let lines = analyst.lines(&mistake, played.clone(), best.clone());
            analyst.proved_lines(&mistake, &lines)[0].loss.is_some()
        };
        assert!(names_pawn([250, -50]));
        assert!(!names_pawn([480, -50]));
        assert!(!names_pawn([900, -50]), "so high a score is not counted in centipawns");
    }
}
