//! The evaluation of one position in words: who leads in each term, and by which piece.

use shakmaty::{Board, Color, Role, Square};

use super::judgement;
use super::line::{Terms, share_of_piece};
use super::material;
use super::texts::in_pawns;
use engine::evaluation::{Evaluation, Evaluator, TermKind, Variant};
use engine::score::Score;
use engine::settings::Settings;
use shell::texts::Texts;

/// Leads below this many centipawns count as even.
const EVEN: i32 = 10;

/// The evaluation of `position` in sentences, one a line.
pub fn explain<P: Variant>(position: &P, texts: &Texts) -> String {
    let evaluator = Settings::default().evaluator::<P>(None);
    let terms = Terms::of(&evaluator.explain(position));
    let strongest = |kind, color| strongest(&evaluator, position, kind, color);
    sentences(&terms, position.board(), &strongest, texts)
}

/// Who has the greatest share in a term of a side, and how much of it in centipawns.
type Strongest<'a> = &'a dyn Fn(TermKind, Color) -> Option<(Square, Role, i32)>;

/// The same of any rule set, by its terms.
fn sentences(terms: &Terms, board: &Board, strongest: Strongest, texts: &Texts) -> String {
    let score = terms.total(Color::White);
    let chance = judgement::win_chance(Score::centipawns(score), board.occupied().count());
    let chance = format!("{chance:.0}");
    let pawns = |centipawns: i32| in_pawns(texts, centipawns.abs(), 2);
    let side = |lead: i32| texts.get(if lead > 0 { "explain.white" } else { "explain.black" });
    let total = match score.abs() < EVEN {
        true => texts.fill("explain.even", &[("chance", &chance)]),
        false => texts.fill(
            "explain.total",
            &[("player", side(score)), ("lead", &pawns(score)), ("chance", &chance)],
        ),
    };
    let mut lines = vec![total];
    for &(kind, _) in &terms.0 {
        let lead = terms.lead(kind, Color::White);
        let term = texts.get(&format!("term.{}", kind.name().replace(' ', "-"))).to_string();
        let leader = if lead > 0 { Color::White } else { Color::Black };
        let what = material::surplus(texts, board, leader);
        let lead_text = pawns(lead);
        let mut values =
            vec![("term", term.as_str()), ("player", side(lead)), ("lead", &lead_text)];
        let text = if lead.abs() < EVEN {
            texts.fill("explain.term.even", &values)
        // In antichess who has less leads.
        } else if kind == TermKind::Material && !what.is_empty() {
            values.push(("what", &what));
            texts.fill("explain.material", &values)
        } else {
            let best = strongest(kind, leader);
            let best = best.map(|(square, role, share)| {
                (material::piece(texts, role, Some(square)), in_pawns(texts, share, 2))
            });
            match &best {
                Some((piece, share)) => {
                    values.extend([("piece", piece.as_str()), ("share", share)]);
                    texts.fill("explain.term.piece", &values)
                }
                None => texts.fill("explain.term", &values),
            }
        };
        lines.push(text);
    }
    lines.join("\n")
}

/// The piece of `color` with the greatest share in a term.
fn strongest<P: Variant>(
    evaluator: &Evaluation<P>,
    position: &P,
    kind: TermKind,
    color: Color,
) -> Option<(Square, Role, i32)> {
    let board = position.board();
    let pieces = board.by_color(color).into_iter().filter_map(|square| {
        let role = board.role_at(square).filter(|role| *role != Role::King)?;
        Some((square, role, share_of_piece(evaluator, position, kind, square)?))
    });
    pieces.max_by_key(|(_, _, share)| *share).filter(|(_, _, share)| *share > 0)
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, Chess};

    use super::*;
    use crate::texts::{self, Lang};
    use engine::rules::setup;

    fn explained(fen: &str, lang: Lang) -> Vec<String> {
        let (position, _) = setup::position::<Chess>(fen, CastlingMode::Standard).unwrap();
        explain(&position, &texts::of(lang)).lines().map(str::to_string).collect()
    }

    #[test]
    fn the_leader_and_the_surplus_are_named() {
        let fen = "rnbqkb1r/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let lines = explained(fen, Lang::En);
        assert!(lines[0].starts_with("White is better by "), "{lines:?}");
        assert_eq!(lines[1], "material: White has a knight more (3.00).");
        let lines = explained(fen, Lang::Es);
        assert_eq!(lines[1], "material: las blancas tienen un caballo de más (3,00).");
    }

    #[test]
    fn even_material_is_told() {
        let lines = explained("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", Lang::En);
        assert_eq!(lines[1], "material: even.", "{lines:?}");
    }
}
