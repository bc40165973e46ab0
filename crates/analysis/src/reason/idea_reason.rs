//! Chooses the idea that explains a mistake: one that is true in one line and not in the other.
//!
//! A move misses the idea of the better one, or allows that of the answer. A missed idea must be absent from the move
//! played. An allowed one must be absent from the better line, and the same answer must not have it there. A threat is
//! proved by a search in which the other side passes.

use shakmaty::san::SanPlus;
use shakmaty::{Bitboard, Board, File, Move, Role, Square};

use super::board::{attackers, pawns, rank_of, three_files};
use super::deeds::Deed;
use super::ideas::{Detail, Idea, Kind, Step};
use super::lines::Lines;
use super::plain::{with_deed, with_idea};
use super::thresholds::{
    ATTACKS_FOR, BETTER, CASTLES_SOON, GRAVE, GREAT_THREAT, MIN_MATERIAL, OWN_HALF, QUEENS_SOON,
    REFUTED, SLIGHT, THREAT_SOON, TRADED, TRIFLING,
};
use super::{Mistake, facts, say};
use crate::analyst::RulesAnalyst;
use crate::line::{PlayedLine, TrackedPiece};
use crate::material::{self, Balance, are_alike};
use crate::motif::{is_loose, value};
use crate::texts::tell;
use engine::evaluation::{TermKind, Variant};
use engine::rules::Game;
use engine::rules::notation::arrival;
use engine::score::{Meaning, Score};
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
            other.kind.is_like(idea.kind) && (idea.kind.is_slight() || other.piece == idea.piece)
        });
        // Who castles soon in any case has not missed it.
        let castles = |m: &Move| m.castling_side().is_some();
        let is_own = is_own
            || idea.kind == Kind::Castles
                && played.moves.iter().step_by(2).take(CASTLES_SOON).any(castles);
        let is_open = idea.kind == Kind::KingForward && !is_closed(idea.piece.1);
        !is_own && !is_open && (!is_delayed || idea.kind == Kind::SpoilsShelter)
    };
    let ideas = best.ideas(true).into_iter().filter(is_missed);
    let others = [keeps_shelter(played, line), relieves(played, line), keeps_out(played, line)];
    let others = others.into_iter().chain([trades_attacker(played, line)]);
    ideas.chain(others.flatten()).collect()
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

/// The answer brings a piece to a square where it would be lost after the better move: that keeps it out.
fn keeps_out<P: Variant>(played: &PlayedLine<P>, best: &PlayedLine<P>) -> Option<Idea> {
    let (reply, better) = (Step::new(played, 1)?, Step::new(best, 0)?);
    let to = arrival(reply.m);
    let is_meant = !reply.m.is_capture()
        && !matches!(reply.m.role(), Role::Pawn | Role::King)
        && reply.m.castling_side().is_none()
        // Nobody minds where the enemy stands in his own half.
        && rank_of(to, better.side) <= OWN_HALF
        && !is_loose(reply.after(), to);
    let there = same_answer(best, reply.m).filter(|_| is_meant)?;
    let board = there.end().position().board();
    // The moved piece itself guards the square now.
    let guards = board.attacks_from(arrival(better.m)).contains(to);
    let is_lost = guards && is_loose(board, to) && !there.end().now().is_check();
    is_lost.then_some(Idea {
        kind: Kind::KeepsOut,
        piece: (reply.m.role(), to),
        detail: Detail::None,
    })
}

/// The better line exchanges an enemy piece that goes on to attack in the line played: it takes something, or gives check.
fn trades_attacker<P: Variant>(played: &PlayedLine<P>, best: &PlayedLine<P>) -> Option<Idea> {
    let (ply, step) = [0, 2].into_iter().find_map(|ply| {
        let step = Step::new(best, ply)?;
        let taken = step.m.capture().filter(|role| *role != Role::Pawn)?;
        (are_alike(taken, step.m.role()) && step.is_recaptured()).then_some((ply, step))
    })?;
    let fell = (ply, arrival(step.m));
    let piece = best.tracked.iter().find(|one| one.captured == Some(fell))?;
    let last = played.moves.len().min(ATTACKS_FOR);
    // In the line played it is soon exchanged, too, for a piece of its kind.
    let is_exchanged = |one: &TrackedPiece| {
        let Some((ply, square)) = one.captured.filter(|(ply, _)| (1..TRADED).contains(ply)) else {
            return false;
        };
        let took = played.moves.get(ply - 1).filter(|m| arrival(**m) == square);
        let is_alike =
            took.and_then(|m| m.capture()).is_some_and(|role| are_alike(role, piece.role));
        one.from == piece.from && is_alike
    };
    if played.tracked.iter().any(is_exchanged) {
        return None;
    }
    let mut square = piece.from;
    let mut attacks = false;
    for (m, game) in played.moves[..last].iter().zip(&played.games[1..]) {
        if m.from() == Some(square) && game.now().turn() == step.side {
            square = arrival(*m);
            attacks |= m.is_capture() || game.now().is_check();
        }
    }
    (attacks && step.has_enemy_queen()).then_some(Idea {
        kind: Kind::TradesAttacker,
        piece: (piece.role, fell.1),
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
    // What another piece guards as well is exchanged, and what falls there, too, makes no difference.
    let falls_too = best.tracked.iter().any(|one| one.from == target && one.captured.is_some());
    if are_alike(role, reply.m.role()) && reply.is_recaptured() || falls_too {
        return None;
    }
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
        detail: Detail::Other(step.m.role()),
    })
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
        let is_shared = |one: &Idea| one.kind.is_like(idea.kind) && one.piece == idea.piece;
        // What takes back would be told of any piece that does.
        let takes_back = idea.kind.is_like(Kind::Attacks) && reply.takes_back();
        !(idea.kind.is_slight() || takes_back || others.iter().any(is_shared))
    };
    let ideas = reply.ideas(true).into_iter().filter(is_allowed);
    ideas.chain(takes_unguarded(played, best)).collect()
}

/// True if what stands there is taken in the part of a line that a sentence shows.
fn falls<P: Variant>(line: &PlayedLine<P>, square: Square) -> bool {
    line.moves.iter().take(BETTER + 1).any(|m| m.is_capture() && arrival(*m) == square)
}

/// True if more than such a piece is taken in the part of a line that a sentence shows.
fn falls_more<P: Variant>(line: &PlayedLine<P>, role: Role) -> bool {
    let shown = line.moves.iter().take(BETTER + 1);
    shown.filter_map(|m| m.capture()).any(|taken| value(taken) > value(role))
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

/// The words for an attack or a threat, with the capture that makes it: "takes the pawn on a5 and threatens Nxc6". The
/// capture is left out if it is taken back, or if the other line captures there at once as well.
fn taking<P: Variant>(texts: &Texts, lines: &Lines<P>, words: String, is_allowed: bool) -> String {
    let step = if is_allowed { Step::new(&lines.played, 1) } else { Step::new(&lines.best, 0) };
    let takes = |step: &Step<P>| {
        let square = arrival(step.m);
        let role = step.before().role_at(square).filter(|_| step.m.is_capture())?;
        let other = if is_allowed { lines.best.moves.get(1) } else { lines.played.moves.first() };
        let is_shared = other.is_some_and(|m| m.is_capture() && arrival(*m) == square);
        let is_plain = !step.takes_back() && !step.is_recaptured() && !is_shared;
        is_plain.then(|| material::piece(texts, role, Some(square)))
    };
    match step.as_ref().and_then(takes) {
        Some(piece) => tell(texts, "idea.takes-and", &[("piece", &piece), ("idea", &words)]),
        None => words,
    }
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
        let is_fit = |idea: &Idea, trifling: i32| {
            let most = match idea.kind {
                kind if kind.is_slight() => trifling,
                Kind::SpoilsPawns | Kind::KeepsShelter => SLIGHT,
                _ => return true,
            };
            mistake.drop().is_some_and(|drop| drop <= most)
        };
        let same = self.same_answer(mistake, &lines);
        let mut ideas: Vec<(Idea, bool)> = Vec::new();
        ideas.extend(missed(&lines.played, &lines.best).into_iter().map(|idea| (idea, false)));
        let found = allowed(&lines.played, &lines.best, same.as_ref());
        ideas.extend(found.into_iter().map(|idea| (idea, true)));
        // Nobody names an attack on a pawn where a queen goes, nor one that wins nothing as the reason of a great loss.
        let is_grave = mistake.drop().is_none_or(|drop| drop > GRAVE);
        let explains = |(role, square): (Role, Square), is_allowed: bool| {
            let line = if is_allowed { &lines.played } else { &lines.best };
            !falls_more(line, role) && (!is_grave || falls(line, square))
        };
        ideas.retain(|(idea, is_allowed)| {
            !idea.kind.is_like(Kind::Attacks) || explains(idea.piece, *is_allowed)
        });
        // Where nothing else is found, a greater loss is blamed on what every book advises.
        let rest: Vec<(Idea, bool)> =
            ideas.extract_if(.., |(idea, _)| !is_fit(idea, TRIFLING)).collect();
        let last = rest.into_iter().filter(|(idea, _)| is_fit(idea, SLIGHT));
        let last = last.min_by_key(|(idea, _)| idea.kind);
        if ideas.iter().all(|(idea, _)| idea.kind > Kind::StrikesPawn) {
            ideas.extend(self.threat_missed(mistake, &lines).map(|idea| (idea, false)));
            ideas.extend(
                self.threat_allowed(mistake, &lines, same.as_ref()).map(|idea| (idea, true)),
            );
        }
        let found = ideas.into_iter().min_by_key(|(idea, _)| idea.kind);
        let is_strong = found.as_ref().is_some_and(|(idea, _)| !idea.kind.is_slight());
        let deed = match is_strong {
            true => None,
            false => Deed::of_lines(&lines.played, &lines.best, same.as_ref()),
        };
        let deed = deed
            .filter(|(deed, is_allowed)| !deed.attacks() || explains(deed.piece(), *is_allowed));
        if let Some((deed, is_allowed)) = deed
            && (found.is_none() || deed.is_telling())
        {
            let words = deed.text(texts);
            let words =
                if deed.attacks() { taking(texts, &lines, words, is_allowed) } else { words };
            return Some(with_deed(texts, mistake, &lines, &words, is_allowed));
        }
        let (idea, is_allowed) = found.or(last)?;
        if idea.kind == Kind::KeepsShelter {
            let [line, better] = lines.both();
            let values = [("line", line.as_str()), ("better", &better)];
            return Some(say(texts, "why.loosens-shelter", &lines, &values));
        }
        let words = idea.text(texts);
        let words =
            if idea.kind.is_besides() { taking(texts, &lines, words, is_allowed) } else { words };
        Some(with_idea(texts, mistake, &lines, &words, is_allowed))
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

    /// The threat of the better move that the one played does not make.
    fn threat_missed(&mut self, mistake: &Mistake<P>, lines: &Lines<P>) -> Option<Idea> {
        let best = Step::new(&lines.best, 0)?;
        if best.is_answered_by_its_capture() {
            return None;
        }
        let (before, after) = (mistake.before.score, -mistake.after.score);
        let threat = self.threat(lines.best.games.get(1)?, arrival(best.m), before)?;
        if threat.is_dodged(lines.best.moves.get(1)) {
            return None;
        }
        let others = [lines.best.games.first(), lines.played.games.get(2)];
        // What comes a move later is missed only if it threatens nothing any more.
        let later = lines.played.games.get(3).filter(|_| lines.played.moves[2] == best.m);
        let has = others.into_iter().flatten().any(|game| gains(game.position(), threat.m))
            || self.has_threat(lines.played.games.get(1), &threat, after)
            || self.has_threat(later, &threat, after);
        (!has).then_some(threat.idea)
    }

    /// The threat of the answer that it does not make after the better move.
    fn threat_allowed(
        &mut self,
        mistake: &Mistake<P>,
        lines: &Lines<P>,
        same: Option<&PlayedLine<P>>,
    ) -> Option<Idea> {
        let reply = Step::new(&lines.played, 1)?;
        // To take back is no idea of its own.
        if reply.is_answered_by_its_capture() || reply.takes_back() {
            return None;
        }
        let (before, after) = (-mistake.before.score, mistake.after.score);
        let threat = self.threat(lines.played.games.get(2)?, arrival(reply.m), after)?;
        if threat.is_dodged(lines.played.moves.get(2)) {
            return None;
        }
        let others = [lines.played.games.get(1), lines.best.games.get(1)];
        let has = others.into_iter().flatten().any(|game| gains(game.position(), threat.m))
            || self.has_threat(lines.best.games.get(2), &threat, before)
            || self.has_threat(same.map(|line| &line.games[2]), &threat, before);
        (!has).then_some(threat.idea)
    }

    /// The threat of the side that has just moved: a capture that wins material, a mate, or a move that wins much by a line.
    /// A search in which the other side passes finds it, and it must gain on `score`, the side's score without it.
    fn threat(&mut self, game: &Game<P>, moved: Square, score: Score) -> Option<Threat> {
        let passed = Game::new(game.now().pass()?.position().clone());
        let eval = self.search(&passed, 1);
        let m = *eval.pv.first()?;
        let mates_in = mate_in(eval.score).filter(|_| !score.is_win());
        let wins = m.is_capture() && gains(passed.position(), m);
        let gain = eval.score - score;
        // Who attacks a queen with a queen offers to exchange them.
        let is_offer =
            m.from() == Some(moved) && (m.role(), m.capture()) == (Role::Queen, Some(Role::Queen));
        if is_offer && mates_in.is_none() {
            return None;
        }
        let soon = match mates_in.is_none() && !wins && gain >= GREAT_THREAT {
            true => self.wins_soon(&passed, &eval.pv),
            false => None,
        };
        // What the moved piece could take itself is what it threatens, not a quieter way to win it.
        if soon.is_some()
            && let Some(direct) = attacked_by(passed.position(), moved)
        {
            let piece = (direct.capture()?, arrival(direct));
            let idea = Idea { kind: Kind::ThreatensPiece, piece, detail: Detail::None };
            return Some(Threat { m: direct, mates_in: None, wins: true, gain, idea });
        }
        if mates_in.is_none() && soon.is_none() && !(wins && gain >= MIN_MATERIAL) {
            return None;
        }
        let (piece, prey) = ((m.role(), arrival(m)), m.capture());
        let san = SanPlus::from_move(passed.position().clone(), m).to_string();
        let detail = match (mates_in, soon) {
            (Some(moves), _) if moves > 1 => Detail::Mates(san, moves),
            (None, Some(what)) => Detail::Wins(san, what),
            _ => Detail::Threat(san),
        };
        let idea = match prey {
            // What the moved piece itself attacks is named.
            Some(role)
                if mates_in.is_none() && wins && role != Role::Pawn && m.from() == Some(moved) =>
            {
                Idea { kind: Kind::ThreatensPiece, piece: (role, arrival(m)), detail }
            }
            // A pawn that attacks a pawn is a break: who takes there is another question.
            Some(Role::Pawn) if wins && m.from() == Some(moved) && m.role() == Role::Pawn => {
                Idea { kind: Kind::StrikesPawn, piece: (Role::Pawn, arrival(m)), detail }
            }
            _ => Idea { kind: Kind::Threatens, piece, detail },
        };
        Some(Threat { m, mates_in, wins, gain, idea })
    }

    /// What the side to move wins in the first moves of a line, for good, in words; `None` if nothing.
    pub(super) fn wins_soon(&mut self, game: &Game<P>, moves: &[Move]) -> Option<String> {
        let line = self.until_quiet(game, moves);
        let side = game.now().turn();
        let leads: Vec<i32> = line
            .terms(&self.evaluator)
            .iter()
            .map(|terms| terms.lead(TermKind::Material, side))
            .collect();
        let gains: Vec<i32> = leads.iter().map(|lead| lead - leads[0]).collect();
        let last = THREAT_SOON.min(line.moves.len());
        let plies =
            (1..=last).find(|&ply| gains[ply..].iter().all(|gain| *gain >= MIN_MATERIAL))?;
        let start = PlayedLine::new(game, &line.moves[..plies]);
        // By a promotion nothing falls.
        let what = Balance::of(&start, !side).text(&self.texts());
        (!what.is_empty()).then_some(what)
    }

    /// True if the side that has just moved has the same threat here, or as quick a mate where that is the threat. `score` is
    /// its score here without it.
    fn has_threat(&mut self, game: Option<&Game<P>>, threat: &Threat, score: Score) -> bool {
        let Some(passed) = game.and_then(|game| game.now().pass()) else { return false };
        let position = passed.position().clone();
        let is_legal = position.is_legal(threat.m);
        // Another piece may threaten to take the same.
        let mut legal = position.legal_moves().into_iter();
        let takes_it = |m: &Move| m.is_capture() && arrival(*m) == arrival(threat.m);
        if legal.any(|m| (m == threat.m || threat.wins && takes_it(&m)) && gains(&position, m)) {
            return true;
        }
        if let Some(moves) = threat.mates_in {
            let found = mate_in(self.search(&Game::new(position), 1).score);
            return found.is_some_and(|other| other <= moves);
        }
        if threat.wins || !is_legal {
            return false;
        }
        // Another threat may be as great: only the same move counts, if it wins about as much.
        let found = self.search(&Game::new(position), 1);
        let gain = found.score - score;
        found.pv.first() == Some(&threat.m) && gain >= GREAT_THREAT.max(threat.gain * 3 / 4)
    }
}

/// The moves to a mate that the side to move gives.
fn mate_in(score: Score) -> Option<i32> {
    match score.meaning() {
        Meaning::Mate(moves) if moves > 0 => Some(moves),
        _ => None,
    }
}

/// A threat and its move.
struct Threat {
    m: Move,
    /// The moves to the mate that is threatened.
    mates_in: Option<i32>,
    /// True if the move itself wins material by the exchange on its square.
    wins: bool,
    /// What it gains if the other side passes, in centipawns.
    gain: i32,
    idea: Idea,
}

impl Threat {
    /// True if the piece that is threatened takes something in answer: then the threat has won nothing.
    fn is_dodged(&self, answer: Option<&Move>) -> bool {
        answer.is_some_and(|answer| {
            answer.is_capture() && self.m.is_capture() && answer.from() == Some(arrival(self.m))
        })
    }
}

/// The capture of a piece that wins most for what stands on `square`, if there is one.
fn attacked_by<P: Variant>(position: &P, square: Square) -> Option<Move> {
    let is_piece = |m: &Move| m.capture().is_some_and(|role| role != Role::Pawn);
    let captures = position.legal_moves().into_iter();
    captures
        .filter(|m| m.from() == Some(square) && is_piece(m) && gains(position, *m))
        .max_by_key(|m| m.capture().map(value))
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
    use crate::reason::test_mistake;
    use crate::texts::{self, Lang};

    #[test]
    fn a_move_that_ends_the_game_has_no_answer_to_show() {
        let fen = "3r2k1/5ppp/8/8/3P4/8/5PPP/R5K1 w - - 0 30";
        let (played, best) = (line(fen, "h2h3"), line(fen, "a1d1 h7h6"));
        let mistake = test_mistake(&played, &best, [100, 0]);
        let texts = texts::of(Lang::En);
        let text = test_analyst(100).idea_reason(&texts, &mistake, &played.moves).unwrap();
        assert!(
            text.starts_with("30.h3 is weaker than 30.Rd1, which defends the pawn on d4"),
            "{text}"
        );
    }

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
    fn a_missed_idea_is_absent_from_the_move_played() {
        let fen = "r2qk3/pp3ppp/8/8/N7/8/PPP2PPP/R2QK3 b - - 0 20";
        let best = line(fen, "b7b5 a4c5");
        assert_eq!(kinds(&missed(&line(fen, "h7h6 h2h3"), &best)), [Kind::Kicks]);
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
        assert_eq!(kinds(&allowed_in(&played, &line(fen, "f3e3 f5g4"))), [Kind::KingForward]);
        assert!(allowed_in(&played, &line(fen, "f3g2 f5g4")).is_empty(), "e4 is free there, too");
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
        let guarded = line("1r1b2k1/5ppp/8/8/8/8/5PPP/R4K2 w - - 0 1", "a1d1");
        // The only guard can be attacked, so that the bishop falls a move later.
        let knight = line("3b2k1/1n3ppp/8/8/8/8/5PPP/R4K2 w - - 0 1", "a1d1");
        let airy = line("3b2k1/5pp1/7p/8/8/8/5PPP/R5K1 w - - 0 1", "a1d1");
        let own = analyst.threat(airy.end(), Square::D1, even).unwrap();
        assert_eq!(own.idea.text(&texts::of(Lang::En)), "attacks the bishop on d8");
        assert!(analyst.threat(guarded.end(), Square::D1, even).is_none());
        let quiet = analyst.threat(knight.end(), Square::D1, even).unwrap();
        assert_eq!(
            quiet.idea.text(&texts::of(Lang::En)),
            "threatens Rd7, winning the knight on b7"
        );
        let detail = Detail::Wins("Td7".to_string(), "el caballo de b7".to_string());
        let told = Idea { detail, ..quiet.idea }.text(&texts::of(Lang::Es));
        assert_eq!(told, "amenaza Td7, ganando el caballo de b7");
        let rooks = line("6k1/8/8/8/8/8/8/RR4K1 w - - 0 1", "b1b6");
        let mate = analyst.threat(rooks.end(), Square::B6, even).unwrap();
        let text = mate.idea.text(&texts::of(Lang::En));
        assert!(text.starts_with("threatens mate in 2 by R"), "{text}");
    }

    #[test]
    fn a_piece_is_kept_out_of_a_square_that_the_better_move_guards() {
        let fen = "6k1/5ppp/2n5/8/3P4/8/4PPPP/4K3 w - - 0 30";
        let played = line(fen, "h2h3 c6b4");
        let kept = keeps_out(&played, &line(fen, "d4d5 c6e5"));
        assert_eq!(kept, None, "b4 is free there, too");
        let fen = "6k1/5ppp/2n5/8/8/8/P3PPPP/4K3 w - - 0 30";
        let kept = keeps_out(&line(fen, "h2h3 c6b4"), &line(fen, "a2a3 g8f8")).unwrap();
        assert_eq!((kept.kind, kept.piece), (Kind::KeepsOut, (Role::Knight, Square::B4)));
    }

    #[test]
    fn an_attacker_is_exchanged_in_the_better_line_only() {
        let fen = "3q2k1/5pp1/8/7p/6n1/8/4BPPP/3Q2K1 w - - 0 30";
        let best = line(fen, "e2g4 h5g4 h2h3");
        let found = trades_attacker(&line(fen, "d1a1 g4f2 g1f2"), &best).unwrap();
        assert_eq!(found.piece, (Role::Knight, Square::G4));
        let idle = line(fen, "d1a1 g4f6 g1f1");
        assert_eq!(trades_attacker(&idle, &best), None, "the knight attacks nothing");
        let fen = "1Rbr2k1/2p2ppp/p5r1/2pPp3/4Pn1q/P3Q2P/4NP1K/3R1BN1 w - - 2 31";
        let [both, one] =
            ["e3c5 f4e2 g1e2 h7h5", "e2f4 e5f4 e3c5 f4f3"].map(|moves| line(fen, moves));
        assert_eq!(trades_attacker(&both, &one), None, "the knight on f4 is exchanged there, too");
    }

    #[test]
    fn quiet_moves_threaten_what_a_line_wins() {
        let mut analyst = test_analyst(10_000);
        // 1...Nc2 would fork king and rook.
        let mut told = |fen: &str, moved: Square, score: i32| {
            let game = &line(fen, "").games[0];
            let threat = analyst.threat(game, moved, Score::centipawns(score))?;
            Some(threat.idea.text(&texts::of(Lang::En)))
        };
        let fen = "4k3/5ppp/8/8/1n6/8/5PPP/R3K3 w - - 0 30";
        assert_eq!(
            told(fen, Square::B4, -150).as_deref(),
            Some("threatens Nc2+, winning the rook on a1")
        );
        let guarded = fen.replace("/5PPP/", "/3K1PPP/").replace("R3K3", "R7");
        assert_eq!(told(&guarded, Square::B4, -150), None);
    }

    #[test]
    fn another_threat_is_not_the_same() {
        let mut analyst = test_analyst(10_000);
        let game = |fen: &str| line(fen, "").games[0].clone();
        let score = Score::centipawns(-150);
        let fork = game("4k3/5ppp/8/8/1n6/8/5PPP/R3K3 w - - 0 30");
        let threat = analyst.threat(&fork, Square::B4, score).unwrap();
        assert!(analyst.has_threat(Some(&fork), &threat, score));
        let other = game("4k2r/5pp1/8/8/1n5Q/8/5PPP/R3K3 w - - 0 30");
        assert!(!analyst.has_threat(Some(&other), &threat, score), "Rxh4");
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

    #[test]
    fn a_threat_is_none_if_the_piece_takes_something_in_answer() {
        let fen = "8/ppp3k1/3n1r2/4n3/4p3/2PP2PP/PP3P1K/3R1R2 w - - 2 31";
        let game = &line(fen, "").games[0];
        let threat = test_analyst(5_000).threat(game, Square::E5, Score::centipawns(-350)).unwrap();
        assert_eq!(arrival(threat.m), Square::D3);
        let dodged = |m: &str| threat.is_dodged(line(fen, m).moves.first());
        assert_eq!(["d3e4", "h2g2", "d3d4"].map(dodged), [true, false, false]);
    }

    #[test]
    fn a_pawn_that_attacks_a_pawn_strikes_at_it() {
        let fen = "1rb5/5pk1/1Pp2np1/2Ppp3/3P2P1/2NB3P/5P2/R5K1 w - - 0 30";
        let game = &line(fen, "").games[0];
        let threat = test_analyst(5_000).threat(game, Square::E5, Score::centipawns(-400)).unwrap();
        let told = [Lang::En, Lang::Es].map(|lang| threat.idea.text(&texts::of(lang)));
        assert_eq!(told, ["strikes at the pawn on d4", "golpea el peón de d4"]);
    }

    #[test]
    fn what_the_moved_piece_attacks_is_its_threat() {
        let fen = "3b4/1b1Bk1p1/p4p1p/1p2p3/P3P3/2N4P/1PP2PP1/6K1 b - - 1 24";
        let game = &line(fen, "").games[0];
        let direct = attacked_by(game.position(), Square::E7).unwrap();
        assert_eq!(arrival(direct), Square::D7);
        assert_eq!(attacked_by(game.position(), Square::B7), None);
        // The bishop that has gone to d4 attacks the rook that the other rook would.
        let threats = |fen: &str| line(fen, "").games[0].clone();
        let score = Score::centipawns(-300);
        let rook = threats("6k1/6pp/p3r3/5p2/4p3/1Pr1Bb2/P4K1P/2R2R2 b - - 3 30");
        let bishop = threats("6k1/6pp/p3r3/5p2/3Bp3/1Pr2b2/P4K1P/R4R2 b - - 3 30");
        let mut analyst = test_analyst(5_000);
        let threat = analyst.threat(&rook, Square::C1, score).unwrap();
        assert_eq!(threat.idea.piece, (Role::Rook, Square::C3));
        assert!(analyst.has_threat(Some(&bishop), &threat, score));
    }

    #[test]
    fn a_guard_that_leaves_makes_no_difference_if_the_same_falls_in_both_lines() {
        let fen = "r5k1/5ppp/8/4n3/8/5P2/4B1PP/6K1 w - - 0 30";
        let (played, best) = (line(fen, "e2c4 e5f3 g2f3"), line(fen, "g1f1 a8a1 e2d1 e5f3"));
        assert_eq!(takes_unguarded(&played, &best), None);
    }

    #[test]
    fn nobody_is_kept_out_of_his_own_half() {
        let fen = "r1b2rk1/7R/pp2p1p1/5pN1/2P5/1P6/P6P/5RK1 w - - 0 31";
        let kept = keeps_out(&line(fen, "h7e7 f8d8"), &line(fen, "f1d1 a8b8 d1d6"));
        assert_eq!(kept, None);
    }
}
