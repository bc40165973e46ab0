//! Words for good moves: a sacrifice that works, and the only move.
//!
//! What is plain to everybody gets none: recaptures, promotions, moves without a choice, and games that are decided.

use shakmaty::{CastlingMode, Move, Square};

use super::thresholds::{BETTER, DECIDED, EVEN, MIN_RARE, ONLY_POINTS, PROVED, SACRIFICE, SOUND};
use super::{Mistake, Reason};
use crate::analyst::{Eval, RulesAnalyst};
use crate::judgement::{pieces, win_chance};
use crate::line::PlayedLine;
use crate::material;
use crate::quiet::is_winning;
use crate::texts::tell;
use engine::evaluation::Variant;
use engine::pgn::line_text;
use engine::rules::{Captures, Game};
use engine::search::gains_at_least;

impl<P: Variant> RulesAnalyst<P> {
    /// Why the best move `m` deserves praise, in a sentence; `None` if it does not. `before` is the score of the position
    /// with the line that begins with it, `previous` the square on which the opponent has just captured.
    pub(crate) fn praise(
        &mut self,
        game: &Game<P>,
        m: Move,
        previous: Option<Square>,
        before: &Eval,
    ) -> Option<String> {
        let is_plain = Some(m.to()) == previous
            || m.promotion().is_some()
            || before.score.raw() < SOUND
            || before.score.raw() > DECIDED && !before.score.is_mate();
        let mut after = game.clone();
        after.play(m);
        // Who only repeats moves finds nothing new.
        if is_plain || game.position().legal_moves().len() < 2 || after.repetitions() > 1 {
            return None;
        }
        self.sacrifice(game, m, before).or_else(|| self.only_move(game, m, previous, before))
    }

    /// A move that gives material up by the exchange on its square, and is the best one all the same: the opponent takes, and
    /// does not stand better by the score.
    fn sacrifice(&self, game: &Game<P>, m: Move, before: &Eval) -> Option<String> {
        let position = game.position();
        let is_given =
            P::CAPTURES == Captures::Exchange && !gains_at_least(position, m, -SACRIFICE);
        let is_taken =
            before.pv.get(1).is_some_and(|reply| reply.is_capture() && reply.to() == m.to());
        if !is_given || !is_taken || before.score.raw() < -EVEN {
            return None;
        }
        let texts = self.texts();
        let piece = material::piece(&texts, m.role(), Some(m.to()));
        let line = PlayedLine::new(game, &before.pv[..before.pv.len().min(2 * BETTER)]);
        let (name, line) = (line_text(game, &[m]), line_text(game, &line.moves));
        // What it takes is part of the price.
        let (key, what) = match m.capture() {
            Some(taken) => ("praise.sacrifice.for", material::list(&texts, &[taken])),
            None => ("praise.sacrifice", String::new()),
        };
        let values = [("move", name.as_str()), ("piece", &piece), ("line", &line), ("what", &what)];
        Some(tell(&texts, key, &values))
    }

    /// The only move that does not lose much: a short look at all the others first, then full searches of them.
    fn only_move(
        &mut self,
        game: &Game<P>,
        m: Move,
        previous: Option<Square>,
        before: &Eval,
    ) -> Option<String> {
        // Who wins by other moves as well has a choice.
        let pieces = pieces(game);
        let is_bad = |eval: &Eval| {
            let [best, other] = [before, eval].map(|eval| win_chance(eval.score, pieces));
            best - other >= ONLY_POINTS && !is_winning(other) && !eval.pv.is_empty()
        };
        let glanced = self.glance_without(game, m).filter(is_bad)?;
        let others = match glanced.score.is_mate() {
            true => glanced,
            false => {
                self.search_without(game, &[m], 1).filter(is_bad)?;
                self.search_without(game, &[m], PROVED).filter(is_bad)?
            }
        };
        // All searches see that the move stands out; whether people see it is another question.
        let difficulty = self.difficulty(game, m).filter(|elo| *elo >= MIN_RARE)?;
        let texts = self.texts();
        let (name, elo) = (line_text(game, &[m]), difficulty.to_string());
        let fails = self.why_not(game, previous, before, &others);
        let (key, rest) = match fails {
            Some(reason) => ("praise.only.since", ("rest", reason.text)),
            None => {
                let line = line_text(game, &others.pv[..others.pv.len().min(BETTER + 1)]);
                ("praise.only", ("line", line))
            }
        };
        let values = [("move", name.as_str()), (rest.0, &rest.1), ("elo", &elo)];
        Some(tell(&texts, key, &values))
    }

    /// The reason why the next best move is a mistake, if one is proved. `others` is its score with its line.
    fn why_not(
        &mut self,
        game: &Game<P>,
        previous: Option<Square>,
        before: &Eval,
        others: &Eval,
    ) -> Option<Reason> {
        let (&played, answer) = others.pv.split_first()?;
        let after = Eval { score: -others.score, pv: answer.to_vec(), ..others.clone() };
        self.proved_reason(&Mistake { game, played, previous, before: before.clone(), after })
    }

    /// All legal moves but some, for a search.
    pub(crate) fn others(game: &Game<P>, moves: &[Move]) -> Vec<shakmaty::uci::UciMove> {
        let legal = game.position().legal_moves();
        let others = legal.iter().filter(|other| !moves.contains(other));
        others.map(|other| other.to_uci(CastlingMode::Chess960)).collect()
    }
}
