//! The two lines of a mistake: the move played and the better one, each played on to a place that shows why.

use shakmaty::{Color, Move, Role, Square};

use super::thresholds::{
    BEGINNING, BETTER, EXPLAINED, EXTENSIONS, HANGING, LATE, LATE_PAWN, LONG, MAX_LENGTH,
    MIN_LENGTH, MIN_MATERIAL, PLY, REMAINS, SETTLED, SHOWN, SMALL, STAYS, UNSETTLED,
};
use super::{Mistake, pawns};
use crate::analyst::RulesAnalyst;
use crate::line::{PlayedLine, Terms};
use crate::material::Balance;
use crate::motif::is_loose;
use engine::evaluation::{Evaluator, TermKind, Variant};
use engine::pgn::line_text;
use engine::rules::Game;
use engine::rules::notation::arrival;
use engine::score::Score;
use shell::texts::Texts;

/// The two lines of a mistake, played to their ends.
pub(super) struct Lines<P> {
    pub mover: Color,
    pub played: PlayedLine<P>,
    pub best: PlayedLine<P>,
    /// The same lines as far as the search gave them, where that is farther.
    pub played_on: PlayedLine<P>,
    pub best_on: PlayedLine<P>,
    /// Terms after each ply.
    pub played_terms: Vec<Terms>,
    pub best_terms: Vec<Terms>,
    pub words: Words,
}

/// What a line wins or loses.
pub(super) struct Outcome {
    /// The pieces in words.
    pub what: String,
    /// The change of material for the mover, in words.
    pub change: String,
    /// Where the pieces that fall stood before the line and when they fell. Empty if they are not named.
    pub squares: Vec<Square>,
}

/// The parts that every sentence may use.
pub(super) struct Words {
    pub played: String,
    pub best: String,
}

impl<P: Variant> Lines<P> {
    pub(super) fn ends(&self) -> (&Terms, &Terms) {
        (
            &self.played_terms[self.played_terms.len() - 1],
            &self.best_terms[self.best_terms.len() - 1],
        )
    }

    /// The material that the mover has more at the end of the better line than at that of the line played.
    pub(super) fn material_difference(&self) -> i32 {
        let (played_end, best_end) = self.ends();
        let lead = |terms: &Terms| terms.lead(TermKind::Material, self.mover);
        lead(best_end) - lead(played_end)
    }

    /// The lead of the mover in material after each ply of a line.
    pub(super) fn material(&self, terms: &[Terms]) -> Vec<i32> {
        terms.iter().map(|terms| terms.lead(TermKind::Material, self.mover)).collect()
    }

    /// The change of material along a line, for the mover.
    pub(super) fn change(&self, terms: &[Terms]) -> i32 {
        let leads = self.material(terms);
        leads.last().unwrap_or(&0) - leads.first().unwrap_or(&0)
    }

    /// The first `plies` plies after the mistake, as text.
    pub(super) fn refutation(&self, plies: usize) -> String {
        shown(&self.played.games[1], &self.played.moves[1..], plies)
    }

    /// The first `plies` plies of the better line, as text.
    pub(super) fn better(&self, plies: usize) -> String {
        shown(&self.played.games[0], &self.best.moves, plies)
    }

    /// The refutation and the better line as text, each to a place where the material is that of its end: a reader who sees
    /// a piece fall wants to know whether it comes back.
    pub(super) fn both(&self) -> [String; 2] {
        let [played, best] = self.shown_plies();
        [self.on_played(played), self.on_best(best)]
    }

    /// The line played up to `plies` plies, without the mistake itself, as text. It goes as far as the search's line.
    pub(super) fn on_played(&self, plies: usize) -> String {
        shown(&self.played.games[1], &self.played_on.moves[1..], plies - 1)
    }

    /// The better line up to `plies` plies, as text. It goes as far as the search's line.
    pub(super) fn on_best(&self, plies: usize) -> String {
        shown(&self.played.games[0], &self.best_on.moves, plies)
    }

    /// The plies of both lines that a sentence shows.
    pub(super) fn shown_plies(&self) -> [usize; 2] {
        let plies = |line: &PlayedLine<P>, terms: &[Terms], least: usize| {
            let leads = self.material(terms);
            let is_near =
                |plies: usize, other: usize| (leads[plies] - leads[other]).abs() < MIN_MATERIAL;
            let last = leads.len() - 1;
            let is_settled =
                |plies: &usize| is_near(*plies, last) && !is_amid_captures(line, *plies);
            let plies = match least > last || is_near(least, 0) {
                true => least,
                false => (least..=last.min(SHOWN)).find(is_settled).unwrap_or(least),
            };
            // A capture that is taken back is shown with what takes it, and a piece that hangs with what falls for it.
            (plies..SHOWN).find(|plies| is_at_rest(line, *plies)).unwrap_or(plies)
        };
        [
            plies(&self.played_on, &self.played_terms, BETTER + 1),
            plies(&self.best_on, &self.best_terms, BETTER),
        ]
    }

    /// What the first `plies` of a line win or lose. `None` for a small change that comes late.
    pub(super) fn outcome(
        &self,
        texts: &Texts,
        line: &PlayedLine<P>,
        terms: &[Terms],
        plies: usize,
    ) -> Option<Outcome> {
        let leads = self.material(terms);
        let change = leads[plies.min(leads.len() - 1)] - leads[0];
        let is_late = plies > LATE_PAWN && change.abs() <= SMALL;
        (!is_late).then(|| self.any_outcome(texts, line, change, plies))
    }

    /// What the first `plies` of a line win or lose; `change` is that of the material, for the mover.
    fn any_outcome(
        &self,
        texts: &Texts,
        line: &PlayedLine<P>,
        change: i32,
        plies: usize,
    ) -> Outcome {
        let start = line.beginning(plies);
        let balance = Balance::of(&start, self.mover);
        let balance = if change < 0 { balance } else { balance.turned() };
        let (what, squares) = match balance.loss::<P>() > 0 {
            true => (balance.text(texts), balance.squares()),
            false => (texts.get("what.material").to_string(), Vec::new()),
        };
        Outcome { what, change: pawns(texts, change), squares }
    }

    /// The plies of a line until the mover has lost material for the first time and for good, not later than [`LATE`] and
    /// at least `least` centipawns: no recapture is due, and from there on most of the loss remains. `None` if there is no
    /// such place.
    pub(super) fn first_loss(
        &self,
        line: &PlayedLine<P>,
        terms: &[Terms],
        least: i32,
    ) -> Option<usize> {
        self.first_change(line, terms, -1, least)
    }

    /// The same for material won.
    pub(super) fn first_gain(
        &self,
        line: &PlayedLine<P>,
        terms: &[Terms],
        least: i32,
    ) -> Option<usize> {
        self.first_change(line, terms, 1, least)
    }

    fn first_change(
        &self,
        line: &PlayedLine<P>,
        terms: &[Terms],
        sign: i32,
        least: i32,
    ) -> Option<usize> {
        let leads = self.material(terms);
        let changes: Vec<i32> = leads.iter().map(|lead| (lead - leads[0]) * sign).collect();
        let loser = if sign < 0 { self.mover } else { !self.mover };
        let is_there = |plies: &usize| {
            let change = changes[*plies];
            // At the end of a line nobody knows whether a recapture follows.
            let is_settled = *plies + 1 < changes.len()
                && is_at_rest(line, *plies)
                && !is_about_to_lose(&line.games[*plies], loser);
            // What falls at once is seen, though a part of it may come back on the way.
            let lasts = changes.last().is_some_and(|last| last * 100 >= change * STAYS);
            let share = if *plies <= MIN_LENGTH && lasts { REMAINS } else { STAYS };
            let stays = || is_kept(line, &changes, *plies, change * share);
            is_settled && change >= least && stays()
        };
        (1..changes.len().min(LATE + 1)).find(is_there)
    }

    /// The plies of the refutation after which the mover has no more than before the move, if that is soon and not because the mover
    /// moves something where it is taken.
    pub(super) fn given_back(&self) -> Option<usize> {
        let leads = self.material(&self.played_terms);
        let is_settled = |plies: &usize| !is_amid_captures(&self.played_on, *plies);
        let mut plies = (2..leads.len().min(SHOWN + 2)).filter(is_settled);
        let given = plies.find(|&plies| leads[plies] - leads[0] < MIN_MATERIAL)?;
        let line = &self.played_on;
        let is_gift = given > MIN_LENGTH && {
            let (m, reply) = (line.moves[given - 2], line.moves[given - 1]);
            let is_free = !m.is_capture() && !line.games[given - 2].now().is_check();
            is_free && reply.is_capture() && reply.to() == arrival(m)
        };
        if is_gift {
            return None;
        }
        // Who has less for a moment is shown how a part of it comes back.
        let is_less = |plies: usize| leads[plies] - leads[0] <= -MIN_MATERIAL;
        let even = if is_less(given) { plies.find(|&plies| !is_less(plies)) } else { None };
        Some(even.unwrap_or(given) - 1)
    }

    /// The plies of a line from which on its change of material lasts, though a part of it may come later.
    pub(super) fn begins(&self, terms: &[Terms]) -> usize {
        let leads = self.material(terms);
        let sign = self.change(terms).signum();
        leads
            .iter()
            .rposition(|lead| (lead - leads[0]) * sign < MIN_MATERIAL)
            .map_or(0, |at| at + 1)
    }

    /// The plies of a line until its change of material has happened and stays, with the recaptures that
    /// belong to it: the first place where the material is nearly that of the end, from which on most of the
    /// change remains.
    pub(super) fn plies_to_change(&self, line: &PlayedLine<P>, terms: &[Terms]) -> usize {
        let changes: Vec<i32> = {
            let leads = self.material(terms);
            let sign = (leads[leads.len() - 1] - leads[0]).signum();
            leads.iter().map(|lead| (lead - leads[0]) * sign).collect()
        };
        let last = changes[changes.len() - 1];
        let (share, [least, most]) = SETTLED;
        let tolerance = (last * share / 100).clamp(least, most);
        let is_there = |plies: usize| {
            (changes[plies] - last).abs() <= tolerance
                && is_at_rest(line, plies)
                && is_kept(line, &changes, plies, last * REMAINS)
        };
        let found = (1..changes.len()).find(|&plies| is_there(plies)).unwrap_or(changes.len() - 1);
        // A pawn that is taken back next belongs to it if the end has it so.
        let next = (found + 1).min(changes.len() - 1);
        let is_taken_back = changes[next] < changes[found]
            && (changes[next] - last).abs() < (changes[found] - last).abs()
            && !is_amid_captures(line, next);
        if is_taken_back { next } else { found }
    }

    /// The plies of a line, a move and its answer at least, after which the material is that of its end and nothing is about to
    /// be taken back.
    pub(super) fn plies_to_end(&self, line: &PlayedLine<P>, terms: &[Terms]) -> usize {
        let leads = self.material(terms);
        let last = leads.len() - 1;
        let is_there = |plies: &usize| {
            (leads[*plies] - leads[last]).abs() < MIN_MATERIAL && !is_amid_captures(line, *plies)
        };
        (MIN_LENGTH..last).find(is_there).unwrap_or(last)
    }
}

/// True if the changes of material from `plies` on, in per cent, stay above `least`. Amid an exchange they mean nothing.
fn is_kept<P>(line: &PlayedLine<P>, changes: &[i32], plies: usize, least: i32) -> bool {
    let mut later = (plies..changes.len()).filter(|&ply| !is_amid_captures(line, ply));
    later.all(|ply| changes[ply] * 100 >= least)
}

/// True if the side to move can take a piece at a profit, or loses one of two that are attacked: the evaluation may know it, but
/// the material on the board does not show it.
fn hangs<P: Variant>(position: &P) -> bool {
    let side = position.turn();
    loose_pieces(position, !side) > 0 || loose_pieces(position, side) > 1
}

/// The pieces of a side, pawns not counted, that can be taken at a profit.
fn loose_pieces<P: Variant>(position: &P, side: Color) -> usize {
    let board = position.board();
    let pieces = board.by_color(side) & !board.pawns() & !board.kings();
    pieces.into_iter().filter(|&square| is_loose(board, square)).count()
}

/// True if a piece of `side` can be taken at a profit at once, or after the check that it must answer.
fn is_about_to_lose<P: Variant>(game: &Game<P>, side: Color) -> bool {
    let may_save = game.now().turn() == side && !game.now().is_check();
    !may_save && loose_pieces(game.position(), side) > 0
}

/// True if the next move recaptures on the square of the last one.
pub(super) fn is_amid_captures<P>(line: &PlayedLine<P>, plies: usize) -> bool {
    let target = |ply: usize| line.moves.get(ply).filter(|m| m.is_capture()).map(|m| m.to());
    plies > 0 && target(plies).is_some() && target(plies) == target(plies - 1)
}

/// True if the next move takes a piece, not a pawn, at a profit.
fn takes_loose<P: Variant>(line: &PlayedLine<P>, plies: usize) -> bool {
    let is_piece = |m: &&Move| m.capture().is_some_and(|role| role != Role::Pawn);
    let next = line.moves.get(plies).filter(is_piece);
    next.is_some_and(|m| is_loose(line.games[plies].position().board(), m.to()))
}

/// True if no exchange is under way, what has just captured cannot be taken at a profit, and the next move takes no piece so.
pub(super) fn is_at_rest<P: Variant>(line: &PlayedLine<P>, plies: usize) -> bool {
    !is_amid_captures(line, plies) && !takes_loose(line, plies) && !is_capturer_loose(line, plies)
}

/// True if what has just captured could be taken at a profit, though the line ends there, or puts a capture or a check in between.
fn is_capturer_loose<P: Variant>(line: &PlayedLine<P>, plies: usize) -> bool {
    let Some(m) = plies.checked_sub(1).and_then(|last| line.moves.get(last)) else { return false };
    let is_between = line
        .moves
        .get(plies)
        .is_none_or(|between| between.is_capture() || line.games[plies + 1].now().is_check());
    m.is_capture() && is_between && is_loose(line.games[plies].position().board(), m.to())
}

/// True if a move that takes nothing follows, and nobody is in check.
fn is_quiet<P: Variant>(line: &PlayedLine<P>, plies: usize) -> bool {
    let next = line.moves.get(plies);
    !line.games[plies].now().is_check() && next.is_some_and(|m| !m.is_capture())
}

/// The beginning of a line as text, up to `plies`. Of a long one only the first plies and the last are
/// shown.
pub(super) fn shown<P: Variant>(game: &Game<P>, moves: &[Move], plies: usize) -> String {
    let plies = plies.clamp(1, moves.len().max(1)).min(moves.len());
    if plies <= SHOWN {
        return line_text(game, &moves[..plies]);
    }
    let before_last = PlayedLine::new(game, &moves[..plies - 1]);
    let last = line_text(before_last.end(), &moves[plies - 1..plies]);
    format!("{} … {last}", line_text(game, &moves[..BEGINNING]))
}

impl<P: Variant> RulesAnalyst<P> {
    /// The lines of a mistake, each to the place that explains its score.
    pub(super) fn explained_lines(&mut self, mistake: &Mistake<P>) -> Lines<P> {
        let refuting = mistake.refuting();
        let played = self.until_explained(mistake.game, &refuting, -mistake.after.score);
        let best = self.until_explained(mistake.game, &mistake.before.pv, mistake.before.score);
        self.lines(mistake, played, best)
    }

    /// The lines of a mistake with their terms.
    pub(super) fn lines(
        &self,
        mistake: &Mistake<P>,
        played: PlayedLine<P>,
        best: PlayedLine<P>,
    ) -> Lines<P> {
        let on = |line: &PlayedLine<P>, pv: &[Move]| {
            let moves = if pv.starts_with(&line.moves) { pv } else { &line.moves };
            PlayedLine::new(mistake.game, moves)
        };
        Lines {
            mover: mistake.game.now().turn(),
            played_terms: played.terms(&self.evaluator),
            best_terms: best.terms(&self.evaluator),
            words: Words {
                played: line_text(mistake.game, &[mistake.played]),
                best: line_text(mistake.game, &mistake.before.pv[..mistake.before.pv.len().min(1)]),
            },
            played_on: on(&played, &mistake.refuting()),
            best_on: on(&best, &mistake.before.pv),
            played,
            best,
        }
    }

    /// The line with at least so many plies, if the game goes on so long.
    pub(super) fn as_long_as(&mut self, line: &PlayedLine<P>, plies: usize) -> PlayedLine<P> {
        let mut line = line.clone();
        for _ in 0..EXTENSIONS {
            if line.moves.len() >= plies {
                break;
            }
            let eval = self.search(&line.end().clone(), 1);
            eval.pv.iter().for_each(|&m| line.play(m));
        }
        line
    }

    /// Plays a line on to a place after at least [`LONG`] plies where no capture follows and nobody is in check.
    pub(super) fn until_quiet(&mut self, game: &Game<P>, moves: &[Move]) -> PlayedLine<P> {
        let mut line = PlayedLine::new(game, moves);
        for _ in 0..EXTENSIONS {
            let end = line.end().clone();
            if line.moves.len() > LONG || end.draw_reason().is_some() {
                break;
            }
            let eval = self.search(&end, 1);
            if eval.pv.is_empty() || eval.score.is_mate() {
                break;
            }
            eval.pv.iter().for_each(|&m| line.play(m));
        }
        let mut places = LONG.min(line.moves.len())..line.moves.len();
        let last = places.find(|&plies| is_quiet(&line, plies));
        PlayedLine::new(game, &line.moves[..last.unwrap_or(line.moves.len())])
    }

    /// Plays a line to the place where the static evaluation agrees with the score, which is that of
    /// the side to move at the beginning.
    pub(super) fn until_explained(
        &mut self,
        game: &Game<P>,
        moves: &[Move],
        score: Score,
    ) -> PlayedLine<P> {
        let mut line = PlayedLine::new(game, moves);
        if score.is_mate() {
            return line;
        }
        let start = game.now().turn();
        let mut distances: Vec<i32> = Vec::new();
        for extensions in 0..=EXTENSIONS {
            for game in &line.games[distances.len()..] {
                let seen = if game.now().turn() == start { score } else { -score };
                distances.push(self.distance(game, seen));
            }
            // Amid captures the material means little, and before a recapture nothing.
            let unrest = |plies: usize| {
                let next = line.moves.get(plies);
                match next.is_some_and(|m| m.is_capture()) {
                    true if is_amid_captures(&line, plies) => UNSETTLED,
                    true => EXPLAINED,
                    false => 0,
                }
            };
            let hanging = |plies: usize| {
                let is_so = hangs(line.games[plies].position());
                if is_so { HANGING } else { 0 }
            };
            let distance = |plies: usize| distances[plies] + unrest(plies) + hanging(plies);
            let places = MIN_LENGTH.min(line.moves.len())..=line.moves.len();
            let best = places.min_by_key(|&plies| distance(plies) + PLY * plies as i32);
            let best = best.unwrap_or(line.moves.len());
            let end = line.end().clone();
            let is_over = end.draw_reason().is_some()
                || line.moves.len() >= MAX_LENGTH
                || extensions == EXTENSIONS;
            if is_over || distance(best) <= EXPLAINED {
                return PlayedLine::new(game, &line.moves[..best]);
            }
            let eval = self.search(&end, 1);
            if eval.pv.is_empty() || eval.score.is_mate() {
                break;
            }
            eval.pv.iter().for_each(|&m| line.play(m));
        }
        line
    }

    /// Centipawns by which the static evaluation of a position differs from `seen` or from the score of a short search,
    /// whichever is further; all for the side to move. In check it is further still.
    fn distance(&mut self, game: &Game<P>, seen: Score) -> i32 {
        let found = self.glance(game);
        let evaluation = self.evaluator.explain(game.position()).score();
        let check = if game.now().is_check() { EXPLAINED } else { 0 };
        (evaluation - seen).abs().max((evaluation - found).abs()) + check
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyst::test_analyst;
    use crate::line::chess_line as line;
    use crate::reason::test_mistake;

    #[test]
    fn a_fork_of_two_pieces_is_no_place_to_stop() {
        let hanging = |fen: &str| hangs(line(fen, "").games[0].position());
        let fork = "rn2r1k1/pbp1qppp/1p1bpn2/3pP3/3P4/P1N2NP1/1PPB1PBP/R2QR1K1 b - - 0 11";
        assert!(hanging(fork), "one of the two falls");
        assert!(!hanging(&fork.replace("1p1bpn2", "1p1bp3")), "the bishop may go");
        assert!(hanging(&fork.replace("1p1bpn2", "1p1bp3").replace(" b ", " w ")));
    }

    #[test]
    fn a_piece_that_is_about_to_fall_is_seen() {
        let fen = "r4rk1/pp3ppp/2p4q/4Q3/2P3b1/1P3R2/P3B1PP/R5K1 w - - 3 19";
        let line = line(fen, "f3g3 a8e8 e5e8 f8e8 e2g4 h6d2");
        assert!(takes_loose(&line, 3), "the queen");
        assert!(takes_loose(&line, 4), "the bishop, so that no queen is lost for a rook");
        assert!(!takes_loose(&line, 2), "a rook that is guarded");
        assert!(!takes_loose(&line, 5) && !takes_loose(&line, 6));
    }

    #[test]
    fn lines_are_shown_until_a_piece_has_come_back() {
        let fen = "r1bqkb1r/1pp2ppp/p1p2n2/4p3/4P3/2N2N2/PPPP1PPP/R1BQK2R w KQkq - 0 6";
        let played = line(fen, "e1g1 c8g4 h2h3 g4h5 d2d3 f8d6");
        let best = line(fen, "f3e5 f6e4 c3e4 d8d5 e1g1 d5e5 d2d4 e5f5");
        let mistake = test_mistake(&played, &best, [0, 0]);
        let lines = test_analyst(100).lines(&mistake, played.clone(), best.clone());
        let [shown, better] = lines.both();
        assert_eq!(shown, "6...Bg4 7.h3 Bh5");
        assert_eq!(better, "6.Nxe5 Nxe4 7.Nxe4 Qd5 8.O-O Qxe5");
    }

    #[test]
    fn an_exchange_goes_on_after_a_capture_in_between() {
        // 17.Qxd4 takes back.
        let fen = "r2q1rk1/1p1b1pbp/p1np1np1/4pP2/3NP1P1/2N1B2P/PPPQ4/2KR1B1R w - e6 0 14";
        let line = line(fen, "f5g6 e5d4 e3d4 c6d4 g6f7 g8h8 d2d4 f6g4");
        let at_rest: Vec<bool> = (4..8).map(|plies| is_at_rest(&line, plies)).collect();
        assert!(!at_rest[0] && at_rest[3], "{at_rest:?}");
    }

    #[test]
    fn what_hangs_when_a_check_is_answered_is_about_to_fall() {
        let fen = "3rr1k1/1pp3p1/p1p1b2p/4P3/PP6/4B1QP/2q2PPN/3Rb1K1 w - - 0 33";
        let line = line(fen, "e3h6 e1f2 g3f2 d8d1 h2f1 c2f2 g1f2 g7h6");
        let is_about = |plies: usize| is_about_to_lose(&line.games[plies], Color::White);
        assert!(is_about(4), "33...Rxd1+ leaves the bishop on h6 to the pawn");
        assert!(!is_about(8), "it has fallen");
    }

    #[test]
    fn a_piece_that_hangs_is_shown_to_fall() {
        // 34.Rxb3 takes the queen for that on d7.
        let fen = "2r3k1/2rbQ1p1/4p2p/3pPP2/1p2p1P1/1qN1P2P/1PR5/2R4K b - - 0 31";
        let played = line(fen, "b4c3 c2c3 c8e8 e7d7 c7d7 c3b3 e6f5 g4f5");
        let best = line(fen, "e6f5 g4g5 d5d4 e3d4");
        let mistake = test_mistake(&played, &best, [0, 0]);
        let lines = test_analyst(100).lines(&mistake, played.clone(), best.clone());
        assert_eq!(lines.both()[0], "32.Rxc3 Re8 33.Qxd7 Rxd7 34.Rxb3");
    }

    #[test]
    fn a_pawn_that_is_taken_back_at_the_end_belongs_to_the_change() {
        // 43...Rxg4+ takes the pawn back that 41.hxg4 took.
        let fen = "8/8/6Rb/1p1kp1pr/2p5/2P4P/1P4K1/4R3 w - - 4 40";
        let best = line(fen, "e1f1 g5g4 h3g4 h5g5 f1d1 d5e4 g6h6 g5g4 g2f2 g4f4 f2e2");
        let played = line(fen, "g2g3 h6f8 g6b6 d5c5");
        let mistake = test_mistake(&played, &best, [400, -280]);
        let lines = test_analyst(100).lines(&mistake, played.clone(), best.clone());
        assert_eq!(lines.plies_to_change(&best, &lines.best_terms), 8);
    }

    #[test]
    fn a_piece_has_not_fallen_while_another_can_be_taken_for_it() {
        let fen = "r1bqk2r/1p1pbp1p/p1n1p2p/2p1P3/2BP4/2N2N2/PPP2PPP/R2Q1RK1 b kq - 0 10";
        let moves = "h8g8 d4d5 b7b5 c4d3 b5b4 d5c6 b4c3 b2c3 d7d5 e5d6 d8d6 d3h7";
        let (played, best) = (line(fen, moves), line(fen, "c5d4 f3d4 c6e5"));
        let mistake = test_mistake(&played, &best, [-60, 190]);
        let lines = test_analyst(100).lines(&mistake, played.clone(), best.clone());
        assert_eq!(lines.plies_to_change(&played, &lines.played_terms), 8, "after 14.bxc3");
        assert_ne!(lines.first_loss(&played, &lines.played_terms, MIN_MATERIAL), Some(6));
    }
}
