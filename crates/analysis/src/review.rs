//! The result of an analysis: what is known of a game, of its players and of each of its moves.

use serde_json::{Value as Json, json};
use shakmaty::{ByColor, Color, Move, Square};

use super::accuracy::{self, Step};
use super::judgement::Judgement;
use super::line::Terms;
use super::motif::Motif;
use engine::book::names::Opening;
use engine::pgn::{Course, line_text};
use engine::rules::notation::squares;
use engine::rules::{Game, RuleSet, Rules, setup};
use engine::score::Score;

/// The chance to win, in per cent, of a side that should win …
const WINNING: f64 = 75.0;
/// … and the chance at which it no longer does.
const NOT_WINNING: f64 = 60.0;

/// A move of a line with the position after it.
#[derive(Clone, Debug)]
pub struct LineStep {
    /// The move in SAN, with its number where one is due.
    pub name: String,
    /// The position after it.
    pub fen: String,
    /// The squares that it left and entered.
    pub squares: Vec<Square>,
}

impl LineStep {
    /// The steps of a line.
    pub(super) fn all<P: Rules>(game: &Game<P>, moves: &[Move]) -> Vec<LineStep> {
        let text = line_text(game, moves);
        let mut now = game.now().clone();
        let steps = text.split_whitespace().zip(moves).map(|(name, &m)| {
            now = now.play(m);
            LineStep {
                name: name.to_string(),
                fen: setup::fen(now.position()),
                squares: squares(m),
            }
        });
        steps.collect()
    }

    fn json(&self) -> Json {
        json!({ "name": self.name, "fen": self.fen, "squares": square_names(&self.squares) })
    }
}

fn square_names(squares: &[Square]) -> Vec<String> {
    squares.iter().map(Square::to_string).collect()
}

/// The review of one move.
#[derive(Clone, Debug)]
pub struct MoveReview {
    /// The move with its number: `24...Rxe4`.
    pub name: String,
    /// The move in SAN.
    pub san: String,
    /// Who moved.
    pub color: Color,
    /// The score after it, for White.
    pub score: Score,
    /// The score of the best move, for White.
    pub best_score: Score,
    /// White's chance to win after it, in per cent …
    pub chance: f64,
    /// … and after the best move.
    pub best_chance: f64,
    /// Centipawns lost.
    pub loss: i32,
    /// Points lost of the chance to win, 0 to 100.
    pub points: f64,
    /// The verdict, if it was a mistake of some kind.
    pub judgement: Option<Judgement>,
    /// True if it is the search's own choice.
    pub is_best: bool,
    /// The length of a mate that it missed, in moves.
    pub missed_mate: Option<i32>,
    /// Why it was a mistake, or what is good about it, in a sentence.
    pub reason: Option<String>,
    /// True if that sentence names the better move.
    pub names_better: bool,
    /// What can be said of a move that was no mistake.
    pub quiet: Option<String>,
    /// The motifs that the sentence names, the most telling first.
    pub motifs: Vec<Motif>,
    /// Where exercises are wanted and the best move stands out: the rating at which half of the players find it, in Elo.
    pub difficulty: Option<u32>,
    /// The better line.
    pub better: Vec<LineStep>,
    /// The line that refutes it, itself first.
    pub refutation: Vec<LineStep>,
    /// The terms where the position comes to rest.
    pub terms: Terms,
    /// The position after it.
    pub fen: String,
    /// The squares that it left and entered.
    pub squares: Vec<Square>,
}

impl MoveReview {
    /// Adds the position after the move.
    pub(super) fn with_board<P: Rules>(mut self, after: &Game<P>, m: Move) -> MoveReview {
        self.fen = setup::fen(after.position());
        self.squares = squares(m);
        self
    }

    /// True if the move gave a win away.
    pub fn missed_win(&self) -> bool {
        self.own(self.best_chance) >= WINNING && self.own(self.chance) <= NOT_WINNING
    }

    /// The chance to win of the side that moved, in per cent, by that of White.
    pub(super) fn own(&self, white: f64) -> f64 {
        self.color.fold_wb(white, 100.0 - white)
    }

    /// The score for `[%eval]`: pawns, or `#` with the moves to mate; `None` after a mate.
    pub fn eval_text(&self) -> Option<String> {
        score_text(self.score)
    }

    fn json(&self) -> Json {
        let terms: Vec<i32> =
            self.terms.0.iter().map(|(_, [white, black])| white - black).collect();
        let steps = |line: &[LineStep]| line.iter().map(LineStep::json).collect::<Vec<_>>();
        json!({
            "name": self.name, "san": self.san, "fen": self.fen,
            "squares": square_names(&self.squares),
            "eval": self.eval_text(), "chance": round(self.chance),
            "judgement": self.judgement.map(Judgement::key),
            "mark": self.judgement.map(Judgement::mark), "points": round(self.points),
            "reason": self.reason, "quiet": self.quiet, "motifs": self.motifs.iter().map(|motif| motif.key()).collect::<Vec<_>>(),
            "better": steps(&self.better), "refutation": steps(&self.refutation),
            "terms": terms, "termNames": self.terms.0.iter().map(|(kind, _)| kind.name()).collect::<Vec<_>>(),
        })
    }
}

fn round(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

/// A score for `[%eval]`, from White's point of view. A mate is counted in moves of the winner, whoever is
/// to move.
pub fn score_text(score: Score) -> Option<String> {
    if !score.is_mate() {
        return Some(format!("{:.2}", f64::from(score.raw()) / 100.0));
    }
    let plies = Score::MATE.raw() - score.raw().abs();
    let sign = if score.is_loss() { "-" } else { "" };
    (plies > 0).then(|| format!("#{sign}{}", (plies + 1) / 2))
}

/// What is known of a player after a game.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlayerReview {
    /// Moves that were judged.
    pub moves: usize,
    /// Accuracy, 0 to 100.
    pub accuracy: f64,
    /// Mean loss, in centipawns.
    pub loss: f64,
    /// Inaccuracies, mistakes, blunders.
    pub verdicts: [usize; 3],
    /// Wins given away.
    pub missed_wins: usize,
    /// Mates missed.
    pub missed_mates: usize,
}

/// The review of a game.
#[derive(Clone, Debug)]
pub struct GameReview {
    /// The rule set.
    pub rule_set: RuleSet,
    /// The starting position.
    pub start: String,
    /// The moves; `None` is a null move.
    pub moves: Vec<Option<MoveReview>>,
    /// The players.
    pub players: ByColor<PlayerReview>,
    /// The opening.
    pub opening: Option<Opening>,
    /// Plies that are in the book.
    pub book_plies: usize,
    /// The ply that left the book with a worse move, from 0, and the book's moves there.
    pub left_book: Option<(usize, Vec<String>)>,
}

impl GameReview {
    /// A review without moves.
    pub(super) fn new<P: Rules>(rule_set: RuleSet, start: &Game<P>) -> GameReview {
        GameReview {
            rule_set,
            start: setup::fen(start.position()),
            moves: Vec::new(),
            players: ByColor::default(),
            opening: None,
            book_plies: 0,
            left_book: None,
        }
    }

    /// The review of a game from those of its parts, in their order. `None` if there is no part.
    pub fn join(
        parts: impl IntoIterator<Item = GameReview>,
        course: &Course,
    ) -> Option<GameReview> {
        let mut whole = parts.into_iter().reduce(|mut before, part| {
            before.moves.extend(part.moves);
            before.left_book = before.left_book.take().or(part.left_book);
            // It is known at the end.
            before.opening = part.opening;
            before
        })?;
        whole.add_up(course);
        Some(whole)
    }

    /// Adds up the moves of both players.
    pub(super) fn add_up(&mut self, course: &Course) {
        // The accuracy of a part says nothing of the game.
        if course.is_cut() {
            return;
        }
        let moves: Vec<&MoveReview> = self.moves.iter().flatten().collect();
        let step = |m: &&MoveReview| Step { color: m.color, points: m.points, chance: m.chance };
        let accuracies = accuracy::of_game(&moves.iter().map(step).collect::<Vec<_>>());
        self.players = ByColor::new_with(|color| {
            let own: Vec<&&MoveReview> = moves.iter().filter(|m| m.color == color).collect();
            let verdicts = Judgement::ALL
                .map(|verdict| own.iter().filter(|m| m.judgement == Some(verdict)).count());
            PlayerReview {
                moves: own.len(),
                accuracy: *accuracies.get(color),
                loss: own.iter().map(|m| f64::from(m.loss)).sum::<f64>() / own.len().max(1) as f64,
                verdicts,
                missed_wins: own.iter().filter(|m| m.missed_win()).count(),
                missed_mates: own.iter().filter(|m| m.missed_mate.is_some()).count(),
            }
        });
    }

    /// The review as data, for pages.
    pub fn json(&self) -> Json {
        let player = |player: &PlayerReview| {
            json!({
                "accuracy": round(player.accuracy), "loss": player.loss.round(),
                "verdicts": player.verdicts, "missedWins": player.missed_wins,
                "missedMates": player.missed_mates, "moves": player.moves,
            })
        };
        json!({
            "variant": self.rule_set.name(),
            "start": self.start,
            "opening": self.opening.as_ref().map(ToString::to_string),
            "bookPlies": self.book_plies,
            "players": [player(&self.players.white), player(&self.players.black)],
            "moves": self.moves.iter().map(|m| m.as_ref().map(MoveReview::json)).collect::<Vec<_>>(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_counted_in_moves_of_the_winner() {
        for (score, text) in [
            (Score::centipawns(-35), Some("-0.35")),
            (Score::mate_in(1), Some("#1")),
            (Score::mated_in(1), Some("#-1")),
            (Score::mated_in(2), Some("#-1")),
            (Score::mate_in(4), Some("#2")),
            (Score::mated_in(0), None),
        ] {
            assert_eq!(score_text(score).as_deref(), text);
        }
    }
}
