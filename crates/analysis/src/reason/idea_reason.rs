//! Chooses the idea that explains a mistake: one that is true in one line and not in the other.
//!
//! A move misses the idea of the better one, or allows that of the answer. A missed idea must be absent from the move
//! played. An allowed one must be absent from the better line, and the same answer must not have it there.

use shakmaty::{Move, Role};

use super::board::{attackers, rank_of};
use super::facts::keeps_castling;
use super::ideas::{Idea, Step};
use super::lines::Lines;
use super::plain::with_idea;
use super::queens::queens_gone_at;
use super::thresholds::{
    CASTLES_SOON, MIN_MATERIAL, PLAUSIBLE, QUEENS_SHOWN, QUEENS_SOON, REFUTED,
};
use super::{Mistake, Sentence, facts};
use crate::analyst::RulesAnalyst;
use crate::line::PlayedLine;
use engine::evaluation::Variant;
use engine::rules::Game;
use engine::score::Score;
use shell::texts::Texts;

/// The ideas of the better move that the one played has not.
fn missed<P: Variant>(played: &PlayedLine<P>, line: &PlayedLine<P>) -> Vec<Idea> {
    let Some(best) = Step::new(line, 0) else { return Vec::new() };
    let mut own: Vec<Idea> = [0, 2]
        .into_iter()
        .filter_map(|ply| Step::new(played, ply))
        .flat_map(|step| step.ideas())
        .collect();
    // Who castles soon in any case has not missed it, nor does a king need it after an exchange of queens.
    let castles = |m: &Move| m.castling_side().is_some();
    let castles_soon = played.moves.iter().step_by(2).take(CASTLES_SOON).any(castles);
    if castles_soon || played.end().position().board().queens().is_empty() {
        own.push(Idea::Castles);
    }
    // The same piece goes the same way a move later: nothing is missed.
    if played.moves.get(2) == Some(&best.m) {
        own.extend(best.ideas());
    }
    // Where queens go in both lines, castling matters little.
    if are_exchanged(played) {
        own.push(Idea::TradesCastling);
    }
    // A king that leaves its place by its own choice is not kept from castling by a check.
    if !keeps_castling(played, !best.side) {
        own.push(Idea::TakesCastling);
    }
    let ideas = best.ideas().into_iter().filter(|idea| !own.contains(idea));
    ideas.chain(relieves(played, line)).collect()
}

/// The better line exchanges the queens soon, and without that the own king stays exposed: driven from its first rank, with
/// two pieces that aim at it, or without the castling that it had.
fn relieves<P: Variant>(played: &PlayedLine<P>, best: &PlayedLine<P>) -> Option<Idea> {
    let step = Step::new(best, 0)?;
    let board = played.end().position().board();
    let king = board.king_of(step.side)?;
    let has_enemy_queen = (board.queens() & board.by_color(!step.side)).any();
    let may_castle = |game: &Game<P>| game.position().castles().has_color(step.side);
    let has_castled = played.moves.iter().step_by(2).any(|m| m.castling_side().is_some());
    let is_exposed = rank_of(king, step.side) > 0
        || attackers(board, step.side) > 1
        || may_castle(&played.games[0]) && !may_castle(played.end()) && !has_castled;
    let had = best.games[0].position().board().queens().count();
    // The sentence shows how they go.
    let is_shown = queens_gone_at(best).is_some_and(|plies| plies <= QUEENS_SHOWN);
    (has_enemy_queen && is_exposed && had == 2 && is_shown).then_some(Idea::Relieves)
}

/// True if a line soon has no queens any more.
fn are_exchanged<P: Variant>(line: &PlayedLine<P>) -> bool {
    queens_gone_at(line).is_some_and(|plies| plies <= QUEENS_SOON)
}

/// The ideas of the answer that it has not in the better line.
fn allowed<P: Variant>(
    played: &PlayedLine<P>,
    best: &PlayedLine<P>,
    same: Option<&PlayedLine<P>>,
) -> Vec<Idea> {
    let Some(reply) = Step::new(played, 1) else { return Vec::new() };
    let others: Vec<Idea> = [(best, 1), (best, 3)]
        .into_iter()
        .chain(same.map(|line| (line, 1)))
        .filter_map(|(line, ply)| Step::new(line, ply))
        .flat_map(|step| step.ideas())
        .collect();
    let gives_castling = !keeps_castling(best, !reply.side);
    let is_in_both = |idea: &Idea| match idea {
        Idea::TakesCastling => gives_castling,
        Idea::TradesCastling => gives_castling || are_exchanged(best),
        _ => false,
    };
    let is_allowed =
        |idea: &Idea| *idea != Idea::Castles && !others.contains(idea) && !is_in_both(idea);
    reply.ideas().into_iter().filter(is_allowed).collect()
}

/// The better move or the answer, by line and ply, that takes from the other king, or the mover's, the right to castle, and does so in
/// one line only.
fn king_loses_castling<P: Variant>(lines: &Lines<P>) -> Option<(&PlayedLine<P>, usize)> {
    let (played, best) = (&lines.played_on, &lines.best_on);
    let same = same_answer(best, *played.moves.get(1)?);
    let takes = |ideas: Vec<Idea>| ideas.contains(&Idea::TakesCastling);
    if takes(missed(played, best)) {
        return Some((best, 0));
    }
    takes(allowed(played, best, same.as_ref())).then_some((played, 1))
}

/// True if what gives check at `ply` of a line takes something next, and is not taken back: then castling is the smaller part.
fn takes_next<P>(line: &PlayedLine<P>, ply: usize) -> bool {
    let moves = line.moves.get(ply..).unwrap_or_default();
    let [check, _, next, ..] = moves else { return false };
    let is_it = next.is_capture() && next.from() == Some(check.to());
    is_it && moves.get(3).is_none_or(|back| back.to() != next.to())
}

/// The better move with the answer to the move played, if it is legal there.
pub(super) fn same_answer<P: Variant>(best: &PlayedLine<P>, reply: Move) -> Option<PlayedLine<P>> {
    let first = best.moves.first()?;
    let after = best.games.get(1)?;
    let legal = after.position().legal_moves();
    let same = legal.iter().find(|m| {
        m.from() == reply.from() && m.to() == reply.to() && m.promotion() == reply.promotion()
    })?;
    Some(PlayedLine::new(&best.games[0], &[*first, *same]))
}

impl<P: Variant> RulesAnalyst<P> {
    /// A reason in what the better move or the answer does.
    pub(super) fn idea_reason(
        &mut self,
        texts: &Texts,
        mistake: &Mistake<P>,
        refuting: &[Move],
    ) -> Option<Sentence> {
        if !facts::has_facts::<P>() {
            return None;
        }
        let played = PlayedLine::new(mistake.game, refuting);
        let best = PlayedLine::new(mistake.game, &mistake.before.pv);
        let lines = self.lines(mistake, played, best);
        let same = self.same_answer(mistake, &lines);
        let missed = missed(&lines.played, &lines.best).into_iter().map(|idea| (idea, false));
        let allowed = allowed(&lines.played, &lines.best, same.as_ref());
        let mut ideas: Vec<(Idea, bool)> =
            missed.chain(allowed.into_iter().map(|idea| (idea, true))).collect();
        let drop = mistake.drop().unwrap_or(i32::MAX);
        ideas.retain(|(idea, _)| drop <= idea.most_explained());
        // Queens go only where the other side has nothing as good that keeps them.
        if ideas.iter().any(|(idea, _)| *idea == Idea::Relieves) {
            let keeps = |other: &PlayedLine<P>| !are_exchanged(other);
            let (best, score) = (&lines.best, -mistake.before.score);
            // A rook that goes with them for a knight is more than an exchange of queens.
            let is_even = lines.change(&lines.best_terms).abs() < MIN_MATERIAL;
            if !is_even
                || self.has_another_way(best, QUEENS_SOON, !lines.mover, (score, 0.0), keeps)
            {
                ideas.retain(|(idea, _)| *idea != Idea::Relieves);
            }
        }
        let is_beside = |is_allowed: bool, analyst: &mut Self| {
            let (line, check, score) = match is_allowed {
                true => (&lines.played, 1, -mistake.after.score),
                false => (&lines.best, 0, -mistake.before.score),
            };
            analyst.may_stay(line, check, score) || takes_next(line, check)
        };
        ideas.retain(|&(idea, is_allowed)| {
            idea != Idea::TakesCastling || !is_beside(is_allowed, self)
        });
        let (idea, is_allowed) = ideas.into_iter().min_by_key(|(idea, _)| *idea)?;
        // If another move is as good, it is not castling that the mistake lacks.
        if idea == Idea::Castles && self.as_good_as_best(mistake).is_some() {
            return None;
        }
        Some(with_idea(texts, mistake, &lines, idea.text(texts), is_allowed))
    }

    /// The check, by line and ply, that costs a king the right to castle in one line only, unless it may stay at home.
    pub(super) fn castling_lost<'a>(
        &mut self,
        mistake: &Mistake<P>,
        lines: &'a Lines<P>,
    ) -> Option<(&'a PlayedLine<P>, usize)> {
        let (line, check) = king_loses_castling(lines)?;
        let score = if check == 0 { -mistake.before.score } else { -mistake.after.score };
        (!self.may_stay(line, check, score)).then_some((line, check))
    }

    /// True if the king in check after the move `check` of a line, whose side has this score, may stay where it is by a move that is no
    /// mistake.
    pub(super) fn may_stay(&mut self, line: &PlayedLine<P>, check: usize, score: Score) -> bool {
        let Some(side) = line.games.get(check + 1).map(|game| game.now().turn()) else {
            return false;
        };
        let stays = |other: &PlayedLine<P>| {
            other.moves.get(check + 1).is_some_and(|m| m.role() != Role::King)
        };
        self.has_another_way(line, check + 2, side, (score, PLAUSIBLE), stays)
    }

    /// The better move with the answer to the move played, and the best move after them, unless that answer is bad there: then
    /// what it does is no threat.
    fn same_answer(&mut self, mistake: &Mistake<P>, lines: &Lines<P>) -> Option<PlayedLine<P>> {
        let there = same_answer(&lines.best, *lines.played.moves.get(1)?)?;
        if there.end().draw_reason().is_some() {
            return Some(there);
        }
        let reply = self.search(there.end(), 1);
        let moves = [&there.moves[..], &reply.pv[..reply.pv.len().min(1)]].concat();
        let is_bad = reply.score - mistake.before.score >= REFUTED;
        (!is_bad).then(|| PlayedLine::new(&there.games[0], &moves))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyst::test_analyst;
    use crate::line::chess_line as line;
    use crate::reason::test_mistake;
    use crate::texts::{self, Lang};

    #[test]
    fn an_allowed_check_is_impossible_in_the_better_line() {
        let fen = "r2qk2r/4bppp/8/8/8/8/6PP/3Q2K1 b kq - 0 30";
        let (played, best) = (line(fen, "h7h6 d1a4 e8f8"), line(fen, "e8g8 d1a4 h7h6"));
        let allowed_in = |played: &PlayedLine<shakmaty::Chess>,
                          best: &PlayedLine<shakmaty::Chess>| {
            allowed(played, best, same_answer(best, played.moves[1]).as_ref())
        };
        assert_eq!(allowed_in(&played, &best), [Idea::TakesCastling]);
        assert!(allowed_in(&played, &line(fen, "g7g6 d1a4 e8f8")).is_empty(), "it is there, too");
        let leaves = line(fen, "e8f8 d1a4 h7h6");
        assert!(allowed_in(&played, &leaves).is_empty(), "its king leaves by choice");
        // The queens go in both lines.
        let fen = "rnbqk1nr/pp2p1bp/2p1Ppp1/8/2B5/2P2N2/PP3PPP/RNBQ1RK1 b kq - 0 8";
        let played = line(fen, "b7b5 d1d8 e8d8 c4b3");
        assert_eq!(allowed_in(&played, &line(fen, "d8c7 b1d2 g8h6")), [Idea::TradesCastling]);
        assert!(allowed_in(&played, &line(fen, "d8d1 f1d1 g8h6")).is_empty());
    }

    #[test]
    fn a_missed_check_takes_castling_only_from_a_king_that_would_keep_it() {
        let fen = "r2qk2r/4bppp/8/8/8/8/6PP/3Q2K1 w kq - 0 30";
        let best = line(fen, "d1a4 e8f8 h2h3");
        assert_eq!(missed(&line(fen, "h2h3 h7h6 g2g3"), &best), [Idea::TakesCastling]);
        assert!(missed(&line(fen, "h2h3 e8f8 g2g3"), &best).is_empty(), "it leaves by choice");
    }

    #[test]
    fn a_check_that_wins_a_pawn_is_told_by_the_pawn() {
        let fen = "rnbqkbnr/pp1p2pp/2p5/4p3/2P1P3/3B4/PP3PPP/RNBQK1NR b KQkq - 1 5";
        let reason = |played: &str| {
            let (played, best) = (line(fen, played), line(fen, "g8f6 g1f3 d7d6 b1c3 f8e7"));
            let mistake = test_mistake(&played, &best, [-60, 200]);
            let texts = texts::of(Lang::En);
            test_analyst(5_000).idea_reason(&texts, &mistake, &mistake.refuting())
        };
        let told = reason("f8c5 d1h5 e8f8 g1f3 d7d6").unwrap().text;
        assert!(told.contains("6.Qh5+, which costs the king the right to castle"), "{told}");
        assert!(reason("f8c5 d1h5 e8f8 h5e5 d7d6").is_none());
    }

    #[test]
    fn castling_is_the_reason_only_where_nothing_else_is_as_good() {
        // 9.Na3 is as good as 9.O-O: what 9.c4 lacks is not the king's safety.
        let fen = "r2qkb1r/pp1nnppp/4p3/2ppP3/3P4/2PQ1N2/PP3PPP/RNB1K2R w KQkq - 0 9";
        let (played, best) = (line(fen, "c3c4 c5d4 d3d4 d8c7"), line(fen, "e1g1 e7c6 a2a3"));
        let mistake = test_mistake(&played, &best, [-20, 90]);
        let mut analyst = test_analyst(20_000);
        let texts = texts::of(Lang::En);
        assert!(analyst.idea_reason(&texts, &mistake, &mistake.refuting()).is_none());
        let only = test_mistake(&played, &best, [60, 20]);
        let told = analyst.idea_reason(&texts, &only, &only.refuting()).unwrap().text;
        assert!(told.contains("which brings the king to safety"), "{told}");
        // No king needs it after an exchange of queens.
        let ended = line("3qk3/8/8/8/8/8/3Q4/4K2R w K - 0 30", "d2d8 e8d8 h1h7");
        let castles = line("3qk3/8/8/8/8/8/3Q4/4K2R w K - 0 30", "e1g1 d8d2 f1e1");
        assert!(missed(&ended, &castles).is_empty());
    }

    #[test]
    fn an_exchange_of_queens_relieves_a_king_that_is_driven_out() {
        let fen = "3qk3/8/8/8/8/8/3Q4/4K3 b - - 0 30";
        let best = line(fen, "d8d2 e1d2");
        assert!(relieves(&best, &best).is_none(), "the queens are gone there, too");
        let idea = relieves(&line(fen, "e8e7 d2b4"), &best).unwrap();
        let text = |lang| idea.text(&texts::of(lang)).to_string();
        assert_eq!(text(Lang::En), "takes the queens off and the pressure off the king");
        assert_eq!(text(Lang::Es), "cambia las damas y alivia al rey");
        assert!(relieves(&line(fen, "d8a8 d2d1"), &best).is_none(), "the king is safe at home");
        let late = line(fen, "d8e7 e1d1 e7d7 d1e1 d7d2 e1d2");
        assert!(relieves(&line(fen, "e8e7 d2b4"), &late).is_none(), "no reader sees it");
    }

    #[test]
    fn queens_that_the_other_side_may_keep_do_not_go() {
        let fen = "r1bqk2r/pppp1pp1/5n1p/2bNp3/2BnP3/5Q2/PPPP1PPP/RNB1K2R w KQkq - 4 7";
        let best = line(fen, "d5f6 d8f6 f3f6 g7f6");
        let keeps = |other: &PlayedLine<shakmaty::Chess>| !are_exchanged(other);
        let score = engine::score::Score::centipawns(-20);
        let mut analyst = test_analyst(60_000);
        let black = shakmaty::Color::Black;
        // 7...gxf6
        assert!(analyst.has_another_way(&best, QUEENS_SOON, black, (score, 0.0), keeps));
        let forced = line("3qk3/8/8/8/8/8/3Q4/4K3 b - - 0 30", "d8d2 e1d2 e8e7");
        let white = shakmaty::Color::White;
        assert!(!analyst.has_another_way(&forced, QUEENS_SOON, white, (score, 0.0), keeps));
    }

    #[test]
    fn an_answer_that_loses_after_the_better_move_is_none_there() {
        let fen = "4k3/5ppp/8/7n/8/8/P4PPP/4K3 w - - 0 30";
        let there = |best: &str| {
            let (played, best) = (line(fen, "a2a3 h5f4"), line(fen, best));
            let mistake = test_mistake(&played, &best, [-100, -100]);
            let mut analyst = test_analyst(2_000);
            let lines = analyst.lines(&mistake, played.clone(), best.clone());
            analyst.same_answer(&mistake, &lines).is_some()
        };
        assert!(!there("g2g3 h5f6"), "the pawn takes the knight");
        assert!(there("a2a4 h5f4"));
    }
}
