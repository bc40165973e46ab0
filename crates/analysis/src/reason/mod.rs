//! Why a move was a mistake, in one plain sentence.
//!
//! The move and the better one are each played on along their best lines, to the first place where the
//! static evaluation tells the same as the score: nothing hangs any more, and the terms add up to what
//! the search saw. A place further on might tell it a little better, but every ply is a guess more. What the two lines do not
//! share is the reason: a mate, a draw, material, an ending, or what a move does to a king. It must be most of what the mistake
//! costs. Where nothing of that is proved, the sentence says what the move does to the mover's chances, and shows both lines. A
//! number in parentheses is the change of material for the side that moved.
//!
//! In reading order: `defence` lets each side defend so that it loses least, `lines` plays the lines to the places that are
//! compared, `ends` knows the ends of games, `gains` the material, `forced` whether it must fall, `shared` what falls in both lines,
//! `retaken` the captures that a reader would answer with, `refuted` the moves that make a reason
//! none, `motifs` how it is won, `facts` all that a reader can see on the `board`, `plain` the rest, with what falls in the lines from
//! `notes`, and what `added` finds: a `threat`, `queens` that go, `breaks` in the centre, `development` that a move hinders,
//! and others. Every number that decides stands in `thresholds`.

mod added;
mod board;
mod breaks;
mod claims;
mod defence;
mod development;
mod endings;
mod ends;
mod facts;
mod forced;
mod gains;
mod idea_reason;
mod ideas;
mod lines;
mod motifs;
mod notes;
mod plain;
mod praise;
mod queens;
mod refuted;
mod retaken;
mod shared;
mod standing;
mod terms;
mod threat;
mod thresholds;

use shakmaty::{Move, Square};

use super::analyst::{Eval, RulesAnalyst};
use super::judgement::{pieces, win_chance};
use super::line::{PlayedLine, Terms};
use super::motif::Motif;
use super::quiet::is_winning;
use super::texts::{in_pawns, tell};
use engine::evaluation::Variant;
use engine::rules::Game;
use engine::score::{Meaning, Score};
use shell::texts::Texts;

use board::is_pinned;
use ends::{drawn_ending, forced_end};
use gains::{fallen_squares, material_reason, promotes_late, returned_reason};
use lines::Lines;
use motifs::Motifs;
use plain::unproved;
use terms::rules_term;
use thresholds::{
    BETTER, FAR_MATE, FAR_MISSED, GREAT, GREAT_GAIN, LATE, MATERIAL_SHARE, MIN_MATERIAL, SMALL,
};

/// A move that needs a reason.
#[derive(Clone)]
pub(crate) struct Mistake<'a, P> {
    /// The game before the move.
    pub game: &'a Game<P>,
    /// The move.
    pub played: Move,
    /// The square on which the opponent has just captured.
    pub previous: Option<Square>,
    /// The score before the move, with the better line.
    pub before: Eval,
    /// The score after the move, with the refutation.
    pub after: Eval,
}

/// A mistake for tests: the first move of `played` instead of that of `best`, with the scores before and after it in
/// centipawns, each for the side to move.
#[cfg(test)]
fn test_mistake<'a>(
    played: &'a PlayedLine<shakmaty::Chess>,
    best: &PlayedLine<shakmaty::Chess>,
    [before, after]: [i32; 2],
) -> Mistake<'a, shakmaty::Chess> {
    Mistake {
        game: &played.games[0],
        played: played.moves[0],
        previous: None,
        before: super::analyst::test_eval(before, &best.moves),
        after: super::analyst::test_eval(after, &played.moves[1..]),
    }
}

impl<P: Variant> Mistake<'_, P> {
    /// The move and its refutation.
    fn refuting(&self) -> Vec<Move> {
        [self.played].into_iter().chain(self.after.pv.iter().copied()).collect()
    }

    /// True if the move played and the better one both capture on the same square.
    fn takes_same(&self) -> bool {
        let best = self.before.pv.first();
        let is_same = |best: &Move| best.is_capture() && best.to() == self.played.to();
        self.played.is_capture() && best.is_some_and(is_same)
    }

    /// True if the side that moved wins after either move.
    fn keeps_win(&self) -> bool {
        let [before, after] = self.chances();
        is_winning(before) && is_winning(after)
    }

    /// True if it loses after either move.
    fn is_lost_anyway(&self) -> bool {
        let [before, after] = self.chances();
        is_winning(100.0 - before) && is_winning(100.0 - after)
    }

    /// The pieces on the board before the move.
    fn pieces(&self) -> usize {
        pieces(self.game)
    }

    /// The mover's chances to win before and after the move, in per cent.
    fn chances(&self) -> [f64; 2] {
        [self.before.score, -self.after.score].map(|score| win_chance(score, self.pieces()))
    }

    /// Centipawns lost; `None` if a mate or a great score is among them, where centipawns mean little.
    fn drop(&self) -> Option<i32> {
        let (before, after) = (self.before.score, -self.after.score);
        let is_plain = before.raw().abs() < GREAT && after.raw().abs() < GREAT;
        is_plain.then(|| before - after)
    }
}

/// Why a move was a mistake.
#[derive(Clone, Debug)]
pub struct Reason {
    /// The sentence.
    pub text: String,
    /// True if the sentence names the better move.
    pub names_better: bool,
    /// The line that shows it, the mistake first.
    pub line: Vec<Move>,
    /// The motifs that the sentence names, the most telling first.
    pub motifs: Vec<Motif>,
}

impl Reason {
    fn new(sentence: Sentence, line: Vec<Move>) -> Reason {
        let Sentence { text, names_better, motifs } = sentence;
        Reason { text, names_better, line, motifs }
    }
}

/// The sentence of a reason.
struct Sentence {
    text: String,
    /// True if it names the better move.
    names_better: bool,
    /// The motifs that it names.
    motifs: Vec<Motif>,
}

impl Sentence {
    /// The same sentence, which names these motifs.
    fn with(self, motifs: Vec<Motif>) -> Sentence {
        Sentence { motifs, ..self }
    }
}

impl<P: Variant> RulesAnalyst<P> {
    /// The reason of a mistake.
    pub(crate) fn reason(&mut self, mistake: &Mistake<P>) -> Reason {
        let defended = self.with_defences(mistake);
        let mut lines = self.explained_lines(&defended);
        if let Some(reason) = self.first_reason(mistake, &defended, &lines) {
            return reason;
        }
        self.play_on(&mut lines);
        let texts = self.texts();
        let shown = self.proved_lines(&defended, &lines);
        let mut sentence = unproved(&texts, &defended, &lines, &shown);
        if let Some(added) = self.added(&texts, &defended, &lines) {
            sentence.text = format!("{} {added}", sentence.text);
        }
        // As far as the sentence shows it.
        let plies = shown[0].plies.max(lines.played.moves.len()).min(lines.played_on.moves.len());
        Reason::new(sentence, lines.played_on.moves[..plies].to_vec())
    }

    /// The reason of a mistake, if one is proved.
    fn proved_reason(&mut self, mistake: &Mistake<P>) -> Option<Reason> {
        let defended = self.with_defences(mistake);
        let lines = self.explained_lines(&defended);
        self.first_reason(mistake, &defended, &lines)
    }

    /// The reason of a mistake by its lines with the best defences; `undefended` has those of the search.
    fn first_reason(
        &mut self,
        undefended: &Mistake<P>,
        mistake: &Mistake<P>,
        lines: &Lines<P>,
    ) -> Option<Reason> {
        let refuting = mistake.refuting();
        let texts = self.texts();
        let is_beyond = |score: Score, most: i32| matches!(score.meaning(), Meaning::Mate(moves) if moves > most);
        let is_far =
            is_beyond(mistake.before.score, FAR_MISSED) || is_beyond(mistake.after.score, FAR_MATE);
        // A little material says less than the mate that is missed.
        let gain = lines.change(&lines.best_terms) - lines.change(&lines.played_terms);
        let is_far = is_far && (!mistake.before.score.is_win() || gain >= GREAT_GAIN);
        let stood = self.mate_stood(undefended);
        let far = if is_far { self.forced_material(&texts, mistake, lines) } else { None };
        // The line that the sentence tells of, if it is not the defended one.
        let mut shown = None;
        let sentence = far
            .or_else(|| self.thrown_piece(&texts, mistake, lines))
            .or_else(|| forced_end(&texts, mistake, lines, stood))
            .or_else(|| self.perpetual(&texts, mistake, lines))
            .or_else(|| drawn_ending(&texts, mistake, lines))
            .or_else(|| self.race(&texts, mistake, lines))
            .or_else(|| match promotes_late(lines) {
                true => self.ending_reason(&texts, mistake, lines),
                false => None,
            })
            .or_else(|| {
                let (sentence, line) = self.any_material(&texts, undefended, mistake, lines)?;
                shown = line;
                Some(sentence)
            })
            .or_else(|| self.later_material(&texts, mistake, &refuting))
            .or_else(|| returned_reason(&texts, mistake, lines))
            .or_else(|| self.motif_reason(&texts, mistake, &refuting))
            .or_else(|| self.ending_reason(&texts, mistake, lines))
            .or_else(|| self.claim_reason(&texts, mistake, lines))
            .or_else(|| self.fact_reason(&texts, mistake, lines))
            .or_else(|| self.early_material(&texts, mistake, lines))
            .or_else(|| self.idea_reason(&texts, mistake, &refuting))
            .or_else(|| rules_term(&texts, mistake, lines))?;
        let line = shown.unwrap_or_else(|| lines.played.moves.clone());
        Some(Reason::new(sentence, line))
    }

    /// A reason in the material of the lines with the best defences, or else of those without them, then with the line played: a
    /// piece that falls soon in the search's line is preferred to one that falls late after another defence.
    fn any_material(
        &mut self,
        texts: &Texts,
        undefended: &Mistake<P>,
        mistake: &Mistake<P>,
        lines: &Lines<P>,
    ) -> Option<(Sentence, Option<Vec<Move>>)> {
        let is_late =
            material_reason(texts, mistake, lines).is_some_and(|change| change.plies > LATE);
        let defended = self.material(texts, mistake, lines).map(|sentence| (sentence, None));
        if defended.is_some() && !is_late {
            return defended;
        }
        let found = self.undefended_material(texts, undefended, mistake, lines);
        found.map(|(sentence, line)| (sentence, Some(line))).or(defended)
    }

    /// A reason in the material of the lines without other defences, for mistakes whose defended lines give none, with the
    /// line played. The material must fall soon, and no other defence saves a part of it.
    fn undefended_material(
        &mut self,
        texts: &Texts,
        mistake: &Mistake<P>,
        defended: &Mistake<P>,
        defended_lines: &Lines<P>,
    ) -> Option<(Sentence, Vec<Move>)> {
        if mistake.after.pv == defended.after.pv && mistake.before.pv == defended.before.pv {
            return None;
        }
        let lines = self.explained_lines(mistake);
        let change = material_reason(texts, mistake, &lines).filter(|one| one.plies <= LATE)?;
        let falls = |lines: &Lines<P>| match change.is_loss {
            true => -lines.change(&lines.played_terms),
            false => lines.change(&lines.best_terms),
        };
        if falls(&lines) - falls(defended_lines) >= MIN_MATERIAL {
            return None;
        }
        let sentence = self.material(texts, mistake, &lines)?;
        Some((sentence, lines.played.moves))
    }

    /// A reason in the material at the ends of longer lines: an evaluation may know of a loss before it has
    /// happened, so that the explained lines stop too early to show it.
    fn later_material(
        &mut self,
        texts: &Texts,
        mistake: &Mistake<P>,
        refuting: &[Move],
    ) -> Option<Sentence> {
        let drop = mistake.drop()?;
        let played = self.until_quiet(mistake.game, refuting);
        let best = self.until_quiet(mistake.game, &mistake.before.pv);
        let lines = self.lines(mistake, played, best);
        let is_most = lines.material_difference() * 2 >= drop;
        let is_near = |line, terms: &[Terms]| {
            lines.plies_to_change(line, terms) <= LATE
                || lines.change(terms).abs() > SMALL && lines.begins(terms) <= LATE
        };
        let is_clear = is_most
            && is_near(&lines.played, &lines.played_terms)
            && is_near(&lines.best, &lines.best_terms);
        is_clear.then(|| self.material(texts, mistake, &lines))?
    }

    /// A motif of the refutation after which the mover has lost material, though the ends of the lines do not show it.
    fn motif_reason(
        &mut self,
        texts: &Texts,
        mistake: &Mistake<P>,
        refuting: &[Move],
    ) -> Option<Sentence> {
        let played = PlayedLine::new(mistake.game, refuting);
        let best = PlayedLine::new(mistake.game, &mistake.before.pv);
        let lines = self.lines(mistake, played, best);
        let leads = lines.material(&lines.played_terms);
        let plies = lines.first_loss(&lines.played, &lines.played_terms, MIN_MATERIAL)?;
        let least = leads[plies];
        let motifs = Motifs::suffered(&lines, plies);
        let start = mistake.game.position().board();
        let fallen = fallen_squares(&lines.played, lines.mover, lines.played.moves.len());
        let lost = leads[0] - least;
        let is_part = |drop: i32| lost <= SMALL && lost * 100 < drop * MATERIAL_SHARE;
        if lost < MIN_MATERIAL
            // A pawn that is less than half of the loss is not the reason.
            || mistake.drop().is_some_and(is_part)
            // A pin that stands already is not allowed by the move.
            || motifs.first().is_some_and(|found| {
                found.motif == Motif::Pin && is_pinned(start, found.piece.1)
            })
            // Which piece hangs, or loses its defender, is told only with what falls by it.
            || motifs.first().is_none_or(|found| {
                matches!(found.motif, Motif::RemovedDefender | Motif::HangingPiece)
            })
            // What the motif attacks must fall.
            || motifs.first().is_some_and(|found| !found.concerns(&fallen))
            || !self.is_forced_loss(mistake, &lines, plies)
        {
            return None;
        }
        let (_, motif) = motifs.described(texts);
        let (line, better) = (lines.refutation(plies.saturating_sub(1)), lines.better(BETTER));
        let values = [("motif", motif.as_str()), ("line", &line), ("better", &better)];
        Some(say(texts, "why.allows", &lines, &values).with(motifs.kinds()[..1].to_vec()))
    }
}

/// A sentence about the move played and the best one. What fills `better` begins with the best one.
fn say<P>(texts: &Texts, key: &str, lines: &Lines<P>, values: &[(&str, &str)]) -> Sentence {
    let mut args = vec![("move", lines.words.played.as_str()), ("best", &lines.words.best)];
    args.extend_from_slice(values);
    let names_better = ["{best}", "{better}"].iter().any(|name| texts.get(key).contains(name));
    Sentence { text: tell(texts, key, &args), names_better, motifs: Vec::new() }
}

/// A change in pawns, with its sign: `−2.0`, in Spanish `−2,0`. What rounds to 0.0 has none.
fn pawns(texts: &Texts, centipawns: i32) -> String {
    let sign = match centipawns {
        ..-4 => "−",
        -4..=4 => "",
        _ => "+",
    };
    format!("{sign}{}", in_pawns(texts, centipawns.abs(), 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyst::test_analyst;
    use crate::line::chess_line as line;
    use crate::texts::{self, Lang};

    #[test]
    fn changes_have_a_sign_unless_they_round_to_nothing() {
        let texts = texts::of(Lang::En);
        let changes = [-105, -5, -4, 0, 4, 5];
        let signs = changes.map(|change| pawns(&texts, change).chars().next());
        let [minus, plus, none] = ['−', '+', '0'].map(Some);
        assert_eq!(signs, [minus, minus, none, none, none, plus]);
    }

    #[test]
    fn a_motif_that_wins_a_pawn_explains_no_greater_loss() {
        let fen = "4q1k1/5ppp/3p1n2/1r5b/3Q4/3P3P/PPP2PP1/R1B3K1 w - - 0 19";
        let played = line(fen, "d4e3 b5e5 e3d2 h7h6 g1f1 e5e2 d2a5 e2c2 a5a8");
        let best = line(fen, "c1e3 b5d5 d4c4 h7h6");
        let told = |before: i32| {
            let mistake = test_mistake(&played, &best, [before, 240]);
            let mut analyst = test_analyst(60_000);
            analyst.motif_reason(&texts::of(Lang::En), &mistake, &played.moves)
        };
        let text = told(-60).map(|found| found.text).unwrap_or_default();
        assert!(text.contains("allows a skewer of the queen on d2"), "{text}");
        assert!(told(0).is_none(), "a pawn is less than half of the loss");
    }

    #[test]
    fn the_line_goes_as_far_as_the_sentence_shows_it() {
        let fen = "r2qkbnr/ppp1npp1/3p3p/3Pp3/2B1P1b1/2P2N1P/PP3PP1/RNBQK2R b KQkq - 0 7";
        let played = line(fen, "g4f3 d1f3 g8f6 c1e3 g7g6 b1d2");
        let best = line(fen, "g4d7 c4d3 g8f6 c3c4 e7g6 b1c3");
        let mistake = test_mistake(&played, &best, [-10, 80]);
        let reason = test_analyst(10_000).reason(&mistake);
        assert!(reason.text.contains("8.Qxf3 Nf6 9.Be3"), "{}", reason.text);
        assert_eq!(reason.line, played.moves[..4]);
    }
}
