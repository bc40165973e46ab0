//! Sentences where no reason is proved: what the lines show, who stands better after each, and what a move does.

use shakmaty::{Move, Role, Square};

use super::gains::is_exchange;
use super::lines::Lines;
use super::thresholds::{QUEENS_AT_ONCE, QUEENS_SOON, SHOWN};
use super::{Mistake, pawns, say};
use crate::line::PlayedLine;
use crate::material;
use crate::quiet::clause;
use crate::review::score_text;
use engine::evaluation::Variant;
use engine::rules::Game;
use engine::score::Score;
use shell::texts::Texts;

/// Who stands better after the line played and after the better one, where the words differ.
fn standings<P: Variant>(
    texts: &Texts,
    mistake: &Mistake<P>,
    lines: &Lines<P>,
) -> Option<[String; 2]> {
    let white = |score: Score| lines.mover.fold_wb(score, -score);
    let now = clause(white(-mistake.after.score), texts)?;
    let instead = clause(white(mistake.before.score), texts)?;
    (now != instead).then_some([now, instead])
}

/// The scores after the line played and after the better one, from White's view: `+0.6`, or `#5` for a mate in five moves.
fn scores<P: Variant>(texts: &Texts, mistake: &Mistake<P>, lines: &Lines<P>) -> [String; 2] {
    [-mistake.after.score, mistake.before.score].map(|score| {
        let white = lines.mover.fold_wb(score, -score);
        let mate = score_text(white).filter(|_| white.is_mate());
        mate.unwrap_or_else(|| pawns(texts, white.raw()))
    })
}

/// The sentence about an idea of the better move, or of the answer, which says so if the game is won or lost anyway.
pub(super) fn with_idea<P: Variant>(
    texts: &Texts,
    mistake: &Mistake<P>,
    lines: &Lines<P>,
    idea: &str,
    is_allowed: bool,
) -> String {
    let [misses, allows] = if mistake.keeps_win() {
        ["why.misses-idea.won", "why.allows-idea.won"]
    } else if mistake.is_lost_anyway() {
        ["why.misses-idea.lost", "why.allows-idea.lost"]
    } else {
        ["why.misses-idea", "why.allows-idea"]
    };
    say_idea(texts, if is_allowed { allows } else { misses }, lines, idea, &[])
}

/// A sentence about an idea, with both lines, the answer, and what else it needs.
fn say_idea<P: Variant>(
    texts: &Texts,
    key: &str,
    lines: &Lines<P>,
    idea: &str,
    others: &[(&str, &str)],
) -> String {
    let ([line, better], reply) = (lines.both(), lines.refutation(1));
    let values = [("idea", idea), ("line", &line), ("better", &better), ("reply", &reply)];
    say(texts, key, lines, &[&values, others].concat())
}

/// What the two moves are about where both lines begin with a capture on one square, or one exchanges and the other not.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Choice {
    /// Both take on the same square, with a pawn or not.
    Taker { is_pawn: bool },
    /// The move played exchanges a piece that the better line keeps, …
    Exchange(Role),
    /// … or lets it be exchanged where it goes.
    Exchanged(Role),
}

impl Choice {
    fn of<P: Variant>(played: &PlayedLine<P>, best: &PlayedLine<P>) -> Option<Choice> {
        let (m, other) = (*played.moves.first()?, *best.moves.first()?);
        if m.is_capture() && other.is_capture() && m.to() == other.to() {
            let is_pawn = m.role() == Role::Pawn && other.role() == Role::Pawn;
            return Some(Choice::Taker { is_pawn });
        }
        let lives = |square: Square| {
            let mut pieces = best.tracked.iter();
            pieces.any(|piece| piece.from == square && piece.square.is_some())
        };
        // Another piece of its kind may be exchanged there.
        let count = |game: &Game<P>| {
            let (board, side) = (game.position().board(), played.games[0].now().turn());
            (board.by_role(m.role()) & board.by_color(side)).count()
        };
        let keeps_kind = count(best.end()) == count(&best.games[0]);
        let is_kept = m.from().is_some_and(lives) && lives(m.to()) && keeps_kind;
        if m.role() != Role::Pawn && is_exchange(played) && is_kept {
            return Some(Choice::Exchange(m.role()));
        }
        let (reply, back) = (played.moves.get(1)?, played.moves.get(2)?);
        let is_exchanged = [reply, back].iter().all(|one| one.is_capture() && one.to() == m.to())
            && reply.capture() == Some(m.role())
            && material::are_alike(m.role(), reply.role());
        let is_kept = m.from().is_some_and(lives) && keeps_kind;
        (is_exchanged && is_kept).then_some(Choice::Exchanged(m.role()))
    }

    fn words(self, texts: &Texts) -> String {
        match self {
            Choice::Taker { is_pawn } => {
                texts.get(if is_pawn { "choice.pawn" } else { "choice.piece" }).to_string()
            }
            Choice::Exchange(role) => material::list(texts, &[role]),
            Choice::Exchanged(role) => material::piece(texts, role, None),
        }
    }

    fn key(self) -> &'static str {
        match self {
            Choice::Taker { .. } => "why.wrong-taker",
            Choice::Exchange(_) => "why.exchanges",
            Choice::Exchanged(_) => "why.exchanged",
        }
    }

    /// The same where the lines end with another side, or a side more clearly, better.
    fn turning_key(self) -> &'static str {
        match self {
            Choice::Taker { .. } => "why.turns-taker",
            Choice::Exchange(_) => "why.turns-exchanges",
            Choice::Exchanged(_) => "why.turns-exchanged",
        }
    }
}

/// What tells the two lines apart though nothing falls in either: the same moves in another order, or the queens, which the move
/// played exchanges at once and the better line keeps.
pub(super) fn contrast<P: Variant>(
    texts: &Texts,
    mistake: &Mistake<P>,
    lines: &Lines<P>,
) -> Option<String> {
    let [line, better] = lines.both();
    if comes_later(mistake.played, &lines.best_on) {
        let values = [("line", line.as_str()), ("better", &better)];
        return Some(say(texts, "why.order", lines, &values));
    }
    let [now, instead] = standings(texts, mistake, lines)?;
    let values =
        [("line", line.as_str()), ("better", &better), ("now", &now), ("instead", &instead)];
    keeps_queens(&lines.played_on, &lines.best_on)
        .then(|| say(texts, "why.turns-queens", lines, &values))
}

/// True if the better line plays the move a move later, as it is.
fn comes_later<P: Variant>(played: Move, best: &PlayedLine<P>) -> bool {
    let is_it =
        |m: &Move| (m.from(), m.to(), m.role()) == (played.from(), played.to(), played.role());
    best.moves.get(2).is_some_and(is_it)
}

/// True if one line exchanges the only two queens by its first moves, and the other has them to the end of what is compared.
fn keeps_queens<P: Variant>(gone: &PlayedLine<P>, kept: &PlayedLine<P>) -> bool {
    let queens = |game: &Game<P>| game.position().board().queens().count();
    let is_gone = gone.games.iter().take(QUEENS_AT_ONCE + 1).any(|game| queens(game) == 0);
    let mut others = kept.games.iter().take(SHOWN + 1);
    is_gone && kept.moves.len() >= QUEENS_SOON && others.all(|game| queens(game) == 2)
}

/// Both lines, with who stands better after them if that differs: all that is known where no reason is proved.
pub(super) fn unproved<P: Variant>(
    texts: &Texts,
    mistake: &Mistake<P>,
    lines: &Lines<P>,
) -> String {
    let [line, better] = lines.both();
    let choice = Choice::of(&lines.played_on, &lines.best_on);
    let one = choice.map_or_else(String::new, |choice| choice.words(texts));
    let values = [("line", line.as_str()), ("better", &better), ("one", &one)];
    let is_delayed = lines.played_on.moves.get(2) == mistake.before.pv.first();
    let key = if let Some(choice) = choice {
        choice.key()
    } else if is_delayed {
        "why.delays"
    } else if mistake.keeps_win() {
        "why.later.won"
    } else if mistake.is_lost_anyway() {
        "why.later.lost"
    } else {
        "why.later"
    };
    let (key, [now, instead]) = match standings(texts, mistake, lines) {
        Some(words) => {
            let turns = if is_delayed { "why.turns-delays" } else { "why.turns" };
            (choice.map_or(turns, Choice::turning_key), words)
        }
        None => (key, scores(texts, mistake, lines)),
    };
    let all = [&values[..], &[("now", now.as_str()), ("instead", &instead)]].concat();
    say(texts, key, lines, &all)
}

/// The same with what the better move does, or what the answer does that the move played allows.
pub(super) fn with_deed<P: Variant>(
    texts: &Texts,
    mistake: &Mistake<P>,
    lines: &Lines<P>,
    deed: &str,
    is_allowed: bool,
) -> String {
    if mistake.keeps_win() || mistake.is_lost_anyway() {
        return with_idea(texts, mistake, lines, deed, is_allowed);
    }
    let standings = standings(texts, mistake, lines);
    let key = match (&standings, is_allowed) {
        (Some(_), false) => "why.turns-misses",
        (Some(_), true) => "why.turns-allows",
        (None, false) => "why.later-misses",
        (None, true) => "why.allows-idea",
    };
    let [now, instead] = standings.unwrap_or_else(|| scores(texts, mistake, lines));
    say_idea(texts, key, lines, deed, &[("now", &now), ("instead", &instead)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyst::test_analyst;
    use crate::line::chess_line as line;
    use crate::reason::test_mistake;
    use crate::texts::{self, Lang};

    #[test]
    fn two_moves_differ_by_who_takes_or_by_an_exchange() {
        let choice =
            |fen: &str, played: &str, best: &str| Choice::of(&line(fen, played), &line(fen, best));
        let fen = "6k1/5ppp/6P1/8/8/8/5PPP/6K1 b - - 0 30";
        let pawns = Some(Choice::Taker { is_pawn: true });
        assert_eq!(choice(fen, "h7g6 g1f1", "f7g6 g1f1"), pawns);
        let fen = "1kr1r3/1qp5/4R3/pP1p4/P2Pp1p1/2Q1P1Pp/5P1P/2R3K1 w - - 1 29";
        let rook = Some(Choice::Exchange(Role::Rook));
        assert_eq!(choice(fen, "e6e8 c8e8 c3a5", "e6c6 e8d8 c3a5"), rook);
        assert_eq!(choice(fen, "e6e8 c8e8", "e6c6 e8e6 c6e6"), None, "exchanged there, too");
        let both = "6k1/1pr2pp1/pN1p3p/3P4/1P1K4/6P1/P1P1rP1P/2R5 b - - 0 24";
        let other = "e2d2 d4e3 c7c2 c1c2 d2c2";
        assert_eq!(choice(both, "e2c2 c1c2 c7c2", other), None, "the other rook goes there");
        let fen = "r2q1r1k/pp4bp/3pBpp1/4p3/4Pn2/2P1Q3/PP1N1PPP/3R1RK1 w - - 1 18";
        let bishop = Some(Choice::Exchanged(Role::Bishop));
        assert_eq!(choice(fen, "e6d5 f4d5 e4d5", "e6b3 b7b5 g2g3"), bishop);
        assert_eq!(choice(fen, "e6d5 b7b5 g2g3", "e6b3 b7b5 g2g3"), None);
    }

    #[test]
    fn right_moves_in_the_wrong_order_and_queens_that_go_tell_lines_apart() {
        let told = |lang, fen: &str, [played, best]: [&str; 2], scores: [i32; 2]| {
            let (played, best) = (line(fen, played), line(fen, best));
            let mistake = test_mistake(&played, &best, scores);
            let lines = test_analyst(100).lines(&mistake, played.clone(), best.clone());
            contrast(&texts::of(lang), &mistake, &lines)
        };
        let fen = "5qk1/7p/3p1rp1/n1p1p3/1pPn2Q1/1P1P2PP/3N1PB1/1R4K1 w - - 5 25";
        let moves = ["g2d5 g8h8 d2e4 f6f5", "b1a1 a5c6 g2d5"];
        let text = "25.Bd5+ comes a move too early: 25.Ra1 Nac6 26.Bd5+ is the right order, against 25...Kh8 26.Ne4 Rf5.";
        assert_eq!(told(Lang::En, fen, moves, [240, -90]).as_deref(), Some(text));
        let other = ["g2d5 g8h8 d2e4 f6f5", "b1a1 a5c6 g2f1"];
        assert_eq!(told(Lang::En, fen, other, [240, -90]), None);
        let fen = "5q1k/3Q1r1p/6p1/2pBp3/1pP5/1n1P2PP/4n3/1R5K w - - 0 31";
        let gone = "d7f7 f8f7 d5f7 b3c1 h1g2 c1d3";
        let text = |lang, best| told(lang, fen, [gone, best], [0, 90]);
        let kept = "d5f7 e2g3 h1g2 g3f5 b1b3 f8h6 d7e8 h8g7";
        let start = "31.Qxf7 exchanges the queens, and 31.Bxf7 keeps them: after 31...Qxf7 32.Bxf7";
        assert!(text(Lang::En, kept).unwrap().starts_with(start));
        let start = "31.Dxf7 cambia las damas, y 31.Axf7 las conserva: tras 31...Dxf7 32.Axf7";
        assert!(text(Lang::Es, kept).unwrap().starts_with(start));
        assert_eq!(text(Lang::En, "d5f7 e2g3 h1g2 g3f5"), None, "too short to tell");
    }
}
