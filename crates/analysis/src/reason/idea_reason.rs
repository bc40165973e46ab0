//! Chooses the idea that explains a mistake: one that is true in one line and not in the other.
//!
//! A move misses the idea of the better one, or allows that of the answer. A missed idea must be absent from the move
//! played. An allowed one must be absent from the better line, and the same answer must not have it there. A threat is
//! proved by a search in which the other side passes.

use shakmaty::san::SanPlus;
use shakmaty::{Bitboard, Board, File, Move, Role, Square};

use super::board::{attackers, pawns, rank_of, three_files};
use super::ideas::{Detail, Idea, Kind, Step};
use super::lines::Lines;
use super::thresholds::{BETTER, MIN_MATERIAL, QUEENS_SOON, SLIGHT};
use super::{Mistake, facts, say};
use crate::analyst::RulesAnalyst;
use crate::line::PlayedLine;
use engine::evaluation::Variant;
use engine::pgn::line_text;
use engine::rules::Game;
use engine::rules::notation::arrival;
use engine::score::Score;
use engine::search::gains_at_least;
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
        let is_own = own.iter().any(|other| {
            other.kind == idea.kind && (idea.kind.is_slight() || other.piece == idea.piece)
        });
        let is_open = idea.kind == Kind::KingForward && !is_closed(idea.piece.1);
        !is_own && !is_open && (!is_delayed || idea.kind == Kind::SpoilsShelter)
    };
    let ideas = best.ideas(true).into_iter().filter(is_missed);
    ideas.chain(keeps_shelter(played, line)).chain(relieves(played, line)).collect()
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
    (has_enemy_queen && is_exposed && is_exchange).then_some(Idea {
        kind: Kind::Relieves,
        piece: (Role::King, king),
        detail: Detail::None,
    })
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
    (has_enemy_queen && is_home && is_pawn && now < before && then == before).then_some(Idea {
        kind: Kind::KeepsShelter,
        piece: (Role::King, king),
        detail: Detail::None,
    })
}

/// The answer takes what the moved piece guarded until now, and guards in the better line.
fn takes_unguarded<P: Variant>(played: &PlayedLine<P>, best: &PlayedLine<P>) -> Option<Idea> {
    let (step, reply) = (Step::new(played, 0)?, Step::new(played, 1)?);
    let (from, target) = (step.m.from()?, arrival(reply.m));
    let role = reply.before().role_at(target).filter(|_| reply.m.is_capture())?;
    let guards = |board: &Board, square: Square| {
        board
            .piece_at(square)
            .is_some_and(|piece| piece.color == step.side && piece.role == step.m.role())
            && board.attacks_from(square).contains(target)
    };
    let better = Step::new(best, 0)?;
    let is_given_up = step.m.castling_side().is_none()
        && guards(step.before(), from)
        && !guards(step.after(), arrival(step.m))
        && guards(better.after(), from)
        && step.before().color_at(target) == Some(step.side)
        && step.before().piece_at(target) == better.after().piece_at(target)
        && target != arrival(step.m);
    is_given_up.then_some(Idea {
        kind: Kind::TakesUnguarded,
        piece: (role, target),
        detail: Detail::Guard(step.m.role()),
    })
}

/// The ideas of the answer that it has not in the better line.
fn allowed<P: Variant>(played: &PlayedLine<P>, best: &PlayedLine<P>) -> Vec<Idea> {
    let Some(reply) = Step::new(played, 1) else { return Vec::new() };
    let mut others: Vec<Idea> = [1, 3]
        .into_iter()
        .filter_map(|ply| Step::new(best, ply))
        .flat_map(|step| step.ideas(false))
        .collect();
    if let Some(there) = same_answer(best, reply.m) {
        others.extend(Step::new(&there, 1).iter().flat_map(|step| step.ideas(false)));
        // What needs an answer to show cannot be tried there: it counts as possible.
        let is_check = there.end().now().is_check();
        let needs_answer = |idea: &Idea| match idea.kind {
            Kind::BreaksShelter | Kind::SpoilsShelter | Kind::Exchanges => true,
            Kind::DrivesKing | Kind::TakesCastling => is_check,
            _ => false,
        };
        others.extend(reply.ideas(true).into_iter().filter(needs_answer));
    }
    let is_allowed = |idea: &Idea| {
        idea.kind != Kind::Develops
            && !others.iter().any(|one| one.kind == idea.kind && one.piece == idea.piece)
    };
    let ideas = reply.ideas(true).into_iter().filter(is_allowed);
    ideas.chain(takes_unguarded(played, best)).collect()
}

/// The better move with the answer to the move played, if it is legal there.
fn same_answer<P: Variant>(best: &PlayedLine<P>, reply: Move) -> Option<PlayedLine<P>> {
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
        let is_fit = |idea: &Idea| {
            !idea.kind.is_slight() || mistake.drop().is_some_and(|drop| drop <= SLIGHT)
        };
        let mut ideas: Vec<(Idea, bool)> = Vec::new();
        ideas.extend(missed(&lines.played, &lines.best).into_iter().map(|idea| (idea, false)));
        ideas.extend(allowed(&lines.played, &lines.best).into_iter().map(|idea| (idea, true)));
        ideas.retain(|(idea, _)| is_fit(idea));
        if ideas.iter().all(|(idea, _)| idea.kind > Kind::Threatens) {
            ideas.extend(self.threat_missed(mistake, &lines).map(|idea| (idea, false)));
            ideas.extend(self.threat_allowed(mistake, &lines).map(|idea| (idea, true)));
        }
        let (idea, is_allowed) = ideas.into_iter().min_by_key(|(idea, _)| idea.kind)?;
        let (line, better) = (lines.refutation(BETTER), lines.better(BETTER));
        let idea = idea.text(texts);
        let mut values = vec![("idea", idea.as_str()), ("better", &better)];
        if !is_allowed {
            return Some(say(texts, "why.misses-idea", &lines, &values));
        }
        let reply = line_text(&lines.played.games[1], &lines.played.moves[1..2]);
        values.extend([("reply", reply.as_str()), ("line", &line)]);
        Some(say(texts, "why.allows-idea", &lines, &values))
    }

    /// The threat of the better move that the one played does not make.
    fn threat_missed(&mut self, mistake: &Mistake<P>, lines: &Lines<P>) -> Option<Idea> {
        // A capture that is taken back threatens nothing.
        if Step::new(&lines.best, 0)?.is_recaptured() {
            return None;
        }
        let threat = self.threat(
            lines.best.games.get(1)?,
            arrival(*lines.best.moves.first()?),
            mistake.before.score,
        )?;
        let others = [lines.best.games.first(), lines.played.games.get(2)];
        let has = others.into_iter().flatten().any(|game| gains(game.position(), threat.m))
            || self.has_threat(lines.played.games.get(1), &threat);
        (!has).then_some(threat.idea)
    }

    /// The threat of the answer that it does not make after the better move.
    fn threat_allowed(&mut self, mistake: &Mistake<P>, lines: &Lines<P>) -> Option<Idea> {
        if Step::new(&lines.played, 1)?.is_recaptured() {
            return None;
        }
        let threat = self.threat(
            lines.played.games.get(2)?,
            arrival(*lines.played.moves.get(1)?),
            mistake.after.score,
        )?;
        let reply = *lines.played.moves.get(1)?;
        let same = same_answer(&lines.best, reply);
        let others = [lines.played.games.get(1), lines.best.games.get(1)];
        let has = others.into_iter().flatten().any(|game| gains(game.position(), threat.m))
            || self.has_threat(lines.best.games.get(2), &threat)
            || self.has_threat(same.as_ref().map(PlayedLine::end), &threat);
        (!has).then_some(threat.idea)
    }

    /// The threat of the side that has just moved: a capture that wins material, or a mate. A search in which the other side
    /// passes finds it, and it must gain on `score`, the side's score without it.
    fn threat(&mut self, game: &Game<P>, moved: Square, score: Score) -> Option<Threat> {
        let passed = Game::new(game.now().pass()?.position().clone());
        let eval = self.search(&passed, 1);
        let m = *eval.pv.first()?;
        let is_mate = eval.score.is_win() && !score.is_win();
        let wins = m.is_capture() && gains(passed.position(), m);
        if !is_mate && (!wins || eval.score - score < MIN_MATERIAL) {
            return None;
        }
        let (piece, prey) = ((m.role(), arrival(m)), m.capture());
        let detail = Detail::Threat(SanPlus::from_move(passed.position().clone(), m).to_string());
        let idea = match prey {
            // What the moved piece itself attacks is named.
            Some(role) if !is_mate && role != Role::Pawn && m.from() == Some(moved) => {
                Idea { kind: Kind::ThreatensPiece, piece: (role, arrival(m)), detail }
            }
            _ => Idea { kind: Kind::Threatens, piece, detail },
        };
        Some(Threat { m, is_mate, idea })
    }

    /// True if the side that has just moved has the same threat here, or any mate where that is the threat.
    fn has_threat(&mut self, game: Option<&Game<P>>, threat: &Threat) -> bool {
        let Some(passed) = game.and_then(|game| game.now().pass()) else { return false };
        let position = passed.position().clone();
        gains(&position, threat.m)
            || threat.is_mate && self.search(&Game::new(position), 1).score.is_win()
    }
}

/// A threat and its move.
struct Threat {
    m: Move,
    is_mate: bool,
    idea: Idea,
}

/// True if the move is legal and wins material by the exchange on its square.
fn gains<P: Variant>(position: &P, m: Move) -> bool {
    position.is_legal(m) && gains_at_least(position, m, MIN_MATERIAL)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyst::test_analyst;
    use crate::line::chess_line as line;
    use crate::texts::{self, Lang};

    fn kinds(ideas: &[Idea]) -> Vec<Kind> {
        ideas.iter().map(|idea| idea.kind).collect()
    }

    #[test]
    fn a_missed_idea_is_absent_from_the_move_played() {
        let fen = "r2qk3/pp3ppp/8/8/N7/8/PPP2PPP/R2QK3 b - - 0 20";
        let best = line(fen, "b7b5 a4c5");
        assert_eq!(kinds(&missed(&line(fen, "h7h6 h2h3"), &best)), [Kind::Attacks]);
        assert!(missed(&line(fen, "d8d7 h2h3 b7b5"), &best).is_empty(), "only a move later");
        assert!(missed(&line(fen, "d8d7 h2h3"), &best).is_empty(), "attacks it, too");
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
        assert_eq!(kinds(&allowed(&played, &line(fen, "f3e3 f5g4"))), [Kind::KingForward]);
        assert!(allowed(&played, &line(fen, "f3g2 f5g4")).is_empty(), "e4 is free there, too");
    }

    #[test]
    fn a_guard_that_leaves_gives_its_charge_up() {
        let fen = "r5k1/5ppp/8/4n3/8/5P2/4B1PP/6K1 w - - 0 30";
        let played = line(fen, "e2c4 e5f3 g2f3");
        let found = takes_unguarded(&played, &line(fen, "g1f1 a8a1")).unwrap();
        let text = |lang| found.text(&texts::of(lang));
        assert_eq!(text(Lang::En), "takes the pawn on f3, guarded until now by the bishop");
        assert_eq!(text(Lang::Es), "captura el peón de f3, que hasta ahora defendía el alfil");
        assert!(takes_unguarded(&played, &line(fen, "e2b5 a8a1")).is_none(), "leaves, too");
        assert!(takes_unguarded(&line(fen, "e2d1 e5f3"), &line(fen, "g1f1")).is_none());
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
    fn a_threat_is_one_if_passing_loses() {
        let mut analyst = test_analyst(3_000);
        // The rook attacks an unguarded bishop; then a guarded one.
        let even = Score::centipawns(0);
        let loose = line("3b2k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", "a1d1");
        let threat = analyst.threat(loose.end(), Square::A1, even).unwrap();
        assert_eq!(threat.idea.text(&texts::of(Lang::En)), "threatens Rxd8#");
        assert_eq!(threat.idea.text(&texts::of(Lang::Es)), "amenaza Txd8#");
        let guarded = line("3b2k1/1n3ppp/8/8/8/8/5PPP/R4K2 w - - 0 1", "a1d1");
        let airy = line("3b2k1/5pp1/7p/8/8/8/5PPP/R5K1 w - - 0 1", "a1d1");
        let own = analyst.threat(airy.end(), Square::D1, even).unwrap();
        assert_eq!(own.idea.text(&texts::of(Lang::En)), "attacks the bishop on d8");
        assert!(analyst.threat(guarded.end(), Square::D1, even).is_none());
    }
}
