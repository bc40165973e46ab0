//! Chooses the idea that explains a mistake: one that is true in one line and not in the other.
//!
//! A move misses the idea of the better one, or allows that of the answer. A missed idea must be absent from the move
//! played. An allowed one must be absent from the better line, and the same answer must not have it there. A threat of mate
//! is proved by a search in which the other side passes.

use shakmaty::san::SanPlus;
use shakmaty::{Bitboard, Board, File, Move, Role, Square};

use super::board::{attackers, pawns, rank_of, three_files};
use super::ideas::{Idea, Kind, Step};
use super::lines::Lines;
use super::plain::with_idea;
use super::thresholds::{CASTLES_SOON, QUEENS_SOON, REFUTED};
use super::{Mistake, facts, say};
use crate::analyst::RulesAnalyst;
use crate::line::PlayedLine;
use engine::evaluation::Variant;
use engine::rules::Game;
use engine::score::{Meaning, Score};
use shell::texts::Texts;

/// The ideas of the better move that the one played has not.
fn missed<P: Variant>(played: &PlayedLine<P>, line: &PlayedLine<P>) -> Vec<Idea> {
    let Some(best) = Step::new(line, 0) else { return Vec::new() };
    let own: Vec<Idea> = [0, 2]
        .into_iter()
        .filter_map(|ply| Step::new(played, ply))
        .flat_map(|step| step.ideas(false))
        .collect();
    // The same piece goes the same way a move later: nothing is missed, unless the answer makes the difference.
    let is_delayed = played.moves.get(2) == Some(&best.m);
    let is_closed = |square: Square| {
        played.games.get(2).is_some_and(|game| {
            let board = game.position().board();
            board.attacks_to(square, !best.side, board.occupied()).any()
        })
    };
    let is_missed = |idea: &Idea| {
        let is_own = own.iter().any(|other| (other.kind, other.piece) == (idea.kind, idea.piece));
        // Who castles soon in any case has not missed it.
        let castles = |m: &Move| m.castling_side().is_some();
        let is_own = is_own
            || idea.kind == Kind::Castles
                && played.moves.iter().step_by(2).take(CASTLES_SOON).any(castles);
        let is_open = idea.kind == Kind::KingForward && !is_closed(idea.piece.1);
        !is_own && !is_open && (!is_delayed || idea.kind == Kind::SpoilsShelter)
    };
    let ideas = best.ideas(true).into_iter().filter(is_missed);
    let others = [keeps_shelter(played, line), relieves(played, line)];
    ideas.chain(others.into_iter().flatten()).collect()
}

/// The better line exchanges the queens soon, and without that the own king stays exposed: driven from its first rank, with
/// two pieces that aim at it, or without the castling that it had.
fn relieves<P: Variant>(played: &PlayedLine<P>, best: &PlayedLine<P>) -> Option<Idea> {
    let queens = |line: &PlayedLine<P>, ply: usize| {
        line.games.get(ply).map(|game| game.position().board().queens().count())
    };
    let step = Step::new(best, 0)?;
    let board = played.end().position().board();
    let king = board.king_of(step.side)?;
    let has_enemy_queen = (board.queens() & board.by_color(!step.side)).any();
    let may_castle = |game: &Game<P>| game.position().castles().has_color(step.side);
    let has_castled = played.moves.iter().step_by(2).any(|m| m.castling_side().is_some());
    let is_exposed = rank_of(king, step.side) > 0
        || attackers(board, step.side) > 1
        || may_castle(&played.games[0]) && !may_castle(played.end()) && !has_castled;
    let is_exchange =
        queens(best, 0) == Some(2) && (1..=QUEENS_SOON).any(|ply| queens(best, ply) == Some(0));
    (has_enemy_queen && is_exposed && is_exchange)
        .then(|| Idea::new(Kind::Relieves, (Role::King, king)))
}

/// The better move keeps the pawns before the own king together, and the one played does not.
fn keeps_shelter<P: Variant>(played: &PlayedLine<P>, best: &PlayedLine<P>) -> Option<Idea> {
    let (step, better) = (Step::new(played, 0)?, Step::new(best, 0)?);
    let king = step.before().king_of(step.side)?;
    let has_enemy_queen = (step.before().queens() & step.before().by_color(!step.side)).any();
    let is_home = rank_of(king, step.side) == 0
        && !played.games[0].position().castles().has_color(step.side)
        && king.file().distance(File::D).min(king.file().distance(File::E)) > 0;
    let shelter = |board: &Board| {
        let pawns = pawns(board, step.side) & three_files(king);
        let near = pawns.into_iter().filter(|&square| rank_of(square, step.side) <= 2);
        near.fold(Bitboard::EMPTY, |files, square| files | Bitboard::from_file(square.file()))
            .count()
    };
    let [before, now, then] = [step.before(), step.after(), better.after()].map(shelter);
    let is_pawn = step.m.role() == Role::Pawn;
    (has_enemy_queen && is_home && is_pawn && now < before && then == before)
        .then(|| Idea::new(Kind::KeepsShelter, (Role::King, king)))
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
        .flat_map(|step| step.ideas(false))
        .collect();
    let is_allowed = |idea: &Idea| {
        let is_shared = |one: &Idea| (one.kind, one.piece) == (idea.kind, idea.piece);
        idea.kind != Kind::Castles && !others.iter().any(is_shared)
    };
    reply.ideas(true).into_iter().filter(is_allowed).collect()
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
    ) -> Option<String> {
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
        ideas.retain(|(idea, _)| drop <= idea.kind.most_explained());
        if ideas.iter().all(|(idea, _)| idea.kind > Kind::ThreatensMate) {
            ideas.extend(self.mate_missed(mistake, &lines).map(|idea| (idea, false)));
            ideas.extend(self.mate_allowed(&lines, same.as_ref()).map(|idea| (idea, true)));
        }
        let (idea, is_allowed) = ideas.into_iter().min_by_key(|(idea, _)| idea.kind)?;
        if idea.kind == Kind::KeepsShelter {
            let [line, better] = lines.both();
            let values = [("line", line.as_str()), ("better", &better)];
            return Some(say(texts, "why.loosens-shelter", &lines, &values));
        }
        Some(with_idea(texts, mistake, &lines, &idea.text(texts), is_allowed))
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

    /// The mate that the better move threatens and the one played does not.
    fn mate_missed(&mut self, mistake: &Mistake<P>, lines: &Lines<P>) -> Option<Idea> {
        let best = Step::new(&lines.best, 0)?;
        if best.is_answered_by_its_capture() || mistake.before.score.is_win() {
            return None;
        }
        let threat = self.mate_threat(lines.best.games.get(1)?)?;
        // What comes a move later is missed only if it threatens nothing any more.
        let later = lines.played.games.get(3).filter(|_| lines.played.moves[2] == best.m);
        let others = [lines.played.games.get(1), later];
        let has = others.into_iter().flatten().any(|game| self.mates_as_soon(game, &threat));
        (!has).then_some(threat)
    }

    /// The mate that the answer threatens, and does not threaten after the better move.
    fn mate_allowed(&mut self, lines: &Lines<P>, same: Option<&PlayedLine<P>>) -> Option<Idea> {
        let reply = Step::new(&lines.played, 1)?;
        // To take back is no idea of its own.
        if reply.is_answered_by_its_capture() || reply.takes_back() {
            return None;
        }
        let threat = self.mate_threat(lines.played.games.get(2)?)?;
        let others = [lines.best.games.get(2), same.map(|line| &line.games[2])];
        let has = others.into_iter().flatten().any(|game| self.mates_as_soon(game, &threat));
        (!has).then_some(threat)
    }

    /// The mate that the side that has just moved threatens: a search in which the other side passes finds it.
    fn mate_threat(&mut self, game: &Game<P>) -> Option<Idea> {
        let passed = Game::new(game.now().pass()?.position().clone());
        let eval = self.search(&passed, 1);
        let (m, moves) = (*eval.pv.first()?, mate_in(eval.score)?);
        let san = SanPlus::from_move(passed.position().clone(), m).to_string();
        let idea = Idea::new(Kind::ThreatensMate, (m.role(), m.to()));
        Some(Idea { threat: Some((san, moves)), ..idea })
    }

    /// True if the side that has just moved threatens a mate here that is as quick.
    fn mates_as_soon(&mut self, game: &Game<P>, threat: &Idea) -> bool {
        let other = self.mate_threat(game).and_then(|other| other.threat);
        other.zip(threat.threat.as_ref()).is_some_and(|((_, here), (_, there))| here <= *there)
    }
}

/// The moves to a mate that the side to move gives.
fn mate_in(score: Score) -> Option<i32> {
    match score.meaning() {
        Meaning::Mate(moves) if moves > 0 => Some(moves),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyst::test_analyst;
    use crate::line::chess_line as line;
    use crate::reason::test_mistake;
    use crate::texts::{self, Lang};

    fn allowed_in(
        played: &PlayedLine<shakmaty::Chess>,
        best: &PlayedLine<shakmaty::Chess>,
    ) -> Vec<Idea> {
        allowed(played, best, same_answer(best, played.moves[1]).as_ref())
    }

    fn kinds(ideas: &[Idea]) -> Vec<Kind> {
        ideas.iter().map(|idea| idea.kind).collect()
    }

    #[test]
    fn a_king_misses_a_square_only_if_the_other_shuts_it_out() {
        let fen = "8/8/8/pp3k1p/7P/PP4K1/8/8 b - - 1 48";
        let best = line(fen, "f5e4 b3b4 a5a4");
        let closed = line(fen, "f5g6 g3f4 g6f6");
        assert_eq!(kinds(&missed(&closed, &best)), [Kind::KingForward]);
        assert!(missed(&line(fen, "f5g6 g3h3"), &best).is_empty(), "e4 is still free");
    }

    #[test]
    fn an_allowed_idea_is_impossible_in_the_better_line() {
        let fen = "8/8/8/pp3k1p/7P/PP3K2/8/8 w - - 0 48";
        let played = line(fen, "f3g3 f5e4");
        assert_eq!(kinds(&allowed_in(&played, &line(fen, "f3e3 f5g4"))), [Kind::KingForward]);
        assert!(allowed_in(&played, &line(fen, "f3g2 f5g4")).is_empty(), "e4 is free there, too");
    }

    #[test]
    fn pawns_before_the_king_stay_together_or_not() {
        let fen = "6k1/4qppp/8/8/8/5b2/3Q1PPP/6K1 w - - 0 30";
        let kept = line(fen, "d2d3");
        let idea = keeps_shelter(&line(fen, "g2f3"), &kept).unwrap();
        let words = idea.text(&texts::of(Lang::En));
        assert_eq!(words, "keeps the pawns before the king together");
        assert_eq!(idea.text(&texts::of(Lang::Es)), "mantiene juntos los peones del rey");
        assert!(keeps_shelter(&line(fen, "h2h3"), &kept).is_none(), "still before it");
        let queenless = fen.replace("4qppp", "5ppp");
        assert!(keeps_shelter(&line(&queenless, "g2f3"), &line(&queenless, "d2d3")).is_none());
    }

    #[test]
    fn an_exchange_of_queens_relieves_a_king_that_is_driven_out() {
        let fen = "3qk3/8/8/8/8/8/3Q4/4K3 b - - 0 30";
        let best = line(fen, "d8d2 e1d2");
        assert!(relieves(&best, &best).is_none(), "the queens are gone there, too");
        let idea = relieves(&line(fen, "e8e7 d2b4"), &best).unwrap();
        let text = |lang| idea.text(&texts::of(lang));
        assert_eq!(text(Lang::En), "takes the queens off and the pressure off the king");
        assert_eq!(text(Lang::Es), "cambia las damas y alivia al rey");
        assert!(relieves(&line(fen, "d8a8 d2d1"), &best).is_none(), "the king is safe at home");
    }

    #[test]
    fn a_mate_is_threatened_if_passing_allows_it() {
        let mut analyst = test_analyst(3_000);
        let mut threat_in = |fen: &str, m: &str| {
            let threat = analyst.mate_threat(line(fen, m).end())?;
            Some([Lang::En, Lang::Es].map(|lang| threat.text(&texts::of(lang))))
        };
        let loose = threat_in("3b2k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", "a1d1").unwrap();
        assert_eq!(loose, ["threatens Rxd8#", "amenaza Txd8#"]);
        assert_eq!(
            threat_in("3b2k1/5pp1/7p/8/8/8/5PPP/R5K1 w - - 0 1", "a1d1"),
            None,
            "only the bishop falls"
        );
        let [english, spanish] = threat_in("6k1/8/8/8/8/8/8/RR4K1 w - - 0 1", "b1b6").unwrap();
        assert!(english.starts_with("threatens mate in 2 by R"), "{english}");
        assert!(spanish.starts_with("amenaza mate en 2 con T"), "{spanish}");
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
