//! What a board shows of a game: its positions, its moves, what is legal now, and how it ended.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use shakmaty::{CastlingMode, Color, Move, Role, Square};

use engine::book::names;
use engine::evaluation::{Variant, material};
use engine::pgn::line_text;
use engine::remark::Remark;
use engine::rules::notation::{self, arrival, squares};
use engine::rules::setup::SetupError;
use engine::rules::{Game, Rules, setup};
use shell::remarks::in_words;
use shell::texts::Texts;

use crate::request::{GameText, Played, color_name};
use crate::spoken;

/// Checks that win in three-check.
const WINNING_CHECKS: u32 = 3;

/// Everything that a board shows of a game.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct View {
    /// Name of the rule set in UCI.
    pub rules: &'static str,
    /// The side to move.
    pub turn: &'static str,
    /// The positions: before the first move, …, after the last.
    pub boards: Vec<Board>,
    /// What the material of each piece counts for, in centipawns, by its letter.
    pub values: BTreeMap<char, i32>,
    /// The moves.
    pub moves: Vec<Step>,
    /// The legal moves at the end.
    pub legal: Vec<Legal>,
    /// How the game ended by the rules.
    pub end: Option<End>,
    /// Whether White and Black could still win, so that they win on time.
    pub can_win: [bool; 2],
    /// The name of the opening.
    pub opening: Option<String>,
    /// Remarks on corrections of the position at the start.
    pub remarks: Vec<String>,
}

/// One position.
#[derive(Clone, Debug, Serialize)]
pub struct Board {
    /// As FEN.
    pub fen: String,
    /// The 64 squares from a8 to h1: a letter of FEN, or a dot.
    pub cells: String,
    /// The side to move.
    pub turn: &'static str,
    /// The square of a king in check.
    pub check: Option<String>,
    /// Pieces in hand of White and of Black, as letters of FEN.
    pub pockets: Option<[String; 2]>,
    /// Checks given by White and by Black.
    pub checks: Option<[u32; 2]>,
}

/// A move that was played.
#[derive(Clone, Debug, Serialize)]
pub struct Step {
    /// In UCI notation.
    pub uci: String,
    /// In SAN.
    pub san: String,
    /// In SAN with its number: `24...Rxe4`.
    pub name: String,
    /// In words.
    pub said: String,
    /// The squares that it left and entered.
    pub squares: Vec<String>,
}

/// A legal move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Legal {
    /// In UCI notation.
    pub uci: String,
    /// In SAN.
    pub san: String,
    /// The square that it leaves; none for a drop.
    pub from: Option<String>,
    /// The piece that is dropped, as a letter of FEN.
    pub drop: Option<char>,
    /// The squares on which one may point to mean it.
    pub to: Vec<String>,
    /// The piece that a pawn becomes, as a letter of FEN.
    pub promotion: Option<char>,
}

/// The end of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct End {
    /// The result, as a PGN writes it.
    pub result: &'static str,
    /// The reason in words.
    pub reason: String,
}

impl View {
    /// The view of a game.
    ///
    /// # Errors
    /// A position or a move that the rules do not allow.
    pub fn new<P: Variant>(text: &GameText, texts: &Texts) -> Result<View, String> {
        let in_words = |remark: &Remark| in_words(remark, texts.lang);
        let Played { start, game: end, moves, remarks } =
            text.played::<P>().map_err(|SetupError(fault)| in_words(&fault))?;
        let mut game = start;
        let mut boards = vec![Board::new(&game)];
        let mut steps = Vec::new();
        for &m in &moves {
            let (name, san) = (line_text(&game, &[m]), san(&game, m));
            game.play(m);
            boards.push(Board::new(&game));
            steps.push(Step {
                uci: m.to_uci(text.castling()).to_string(),
                san,
                name,
                said: spoken::say(m, &game, texts),
                squares: square_names(m),
            });
        }
        Ok(View {
            rules: P::NAME,
            turn: color_name(end.now().turn()),
            boards,
            values: values::<P>(),
            moves: steps,
            legal: legal(&end, text.castling()),
            end: ending(&end, texts),
            can_win: Color::ALL.map(|color| !end.position().has_insufficient_material(color)),
            opening: names::of(&end).map(ToString::to_string),
            remarks: remarks.iter().map(in_words).collect(),
        })
    }
}

impl Board {
    fn new<P: Rules>(game: &Game<P>) -> Board {
        let position = game.position();
        let board = position.board();
        let squares = (0..8).rev().flat_map(|rank| (0..8).map(move |file| rank * 8 + file));
        let cells = squares.map(|number| {
            let piece = board.piece_at(Square::new(number));
            piece.map_or('.', shakmaty::Piece::char)
        });
        let turn = game.now().turn();
        let king = board.king_of(turn).filter(|_| game.now().is_check());
        let pockets = position.pockets().map(|pockets| {
            Color::ALL.map(|color| {
                let pocket = pockets.get(color);
                let held = Role::ALL.into_iter().rev().map(|role| {
                    let letter = role.of(color).char().to_string();
                    letter.repeat(usize::from(*pocket.get(role)))
                });
                held.collect()
            })
        });
        let checks = position.remaining_checks().map(|remaining| {
            let given = |color| WINNING_CHECKS.saturating_sub(u32::from(*remaining.get(color)));
            Color::ALL.map(given)
        });
        Board {
            fen: setup::fen(position),
            cells: cells.collect(),
            turn: color_name(turn),
            check: king.map(|king| king.to_string()),
            pockets,
            checks,
        }
    }
}

/// A move in SAN.
pub fn san<P: Rules>(game: &Game<P>, m: Move) -> String {
    notation::san(game.position(), m)
}

/// The names of the squares that a move leaves and enters.
pub fn square_names(m: Move) -> Vec<String> {
    squares(m).iter().map(Square::to_string).collect()
}

/// The values of the pieces as the evaluation counts them, so that a page has no second table.
fn values<P: Variant>() -> BTreeMap<char, i32> {
    Role::ALL.into_iter().map(|role| (role.char(), material::counted_value::<P>(role))).collect()
}

/// The legal moves. Castling is meant by the king's target and by the rook, unless the king can go there.
fn legal<P: Rules>(game: &Game<P>, castling: CastlingMode) -> Vec<Legal> {
    let moves = game.position().legal_moves();
    let is_step = |m: &&Move| m.role() == Role::King && !m.is_castle();
    let steps: BTreeSet<Square> = moves.iter().filter(is_step).map(|m| m.to()).collect();
    let meant = |m: Move| {
        let free = [arrival(m), m.to()].into_iter().filter(|to| {
            !m.is_castle() || *to == m.to() || !steps.contains(to) && m.from() != Some(*to)
        });
        free.collect::<BTreeSet<Square>>()
    };
    let views = moves.iter().map(|&m| Legal {
        uci: m.to_uci(castling).to_string(),
        san: san(game, m),
        from: m.from().map(|from| from.to_string()),
        drop: m.from().is_none().then(|| m.role().of(game.now().turn()).char()),
        to: meant(m).iter().map(Square::to_string).collect(),
        promotion: m.promotion().map(|role| role.of(game.now().turn()).char()),
    });
    views.collect()
}

/// How the game ended by the rules; `None` while it goes on.
pub fn ending<P: Rules>(game: &Game<P>, texts: &Texts) -> Option<End> {
    let winner = game.position().outcome().known().and_then(|known| known.winner());
    let (result, reason) =
        (winner.map_or("1/2-1/2", |winner| winner.fold_wb("1-0", "0-1")), game.end()?);
    let key = format!("end.{}", reason.replace(' ', "-"));
    Some(End { result, reason: texts.find(&key).unwrap_or(reason).to_string() })
}

#[cfg(test)]
mod tests {
    use shakmaty::variant::{Antichess, KingOfTheHill, ThreeCheck};

    use super::*;
    use crate::texts::{self, Lang};

    fn reason<P: Variant>(fen: &str, m: &str) -> String {
        let (fen, moves) = (Some(fen.to_string()), vec![m.to_string()]);
        let game = GameText { rules: P::NAME.to_string(), fen, moves, ..GameText::default() };
        View::new::<P>(&game, &texts::of(Lang::Es)).unwrap().end.unwrap().reason
    }

    #[test]
    fn a_goal_that_is_reached_with_check_is_no_mate() {
        let third = "4k3/8/8/8/8/3K4/4P3/R7 w - - 1+3 0 1";
        assert_eq!(reason::<ThreeCheck>(third, "a1a8"), "tercer jaque");
        let mate = "4k3/8/4K3/8/8/8/8/R7 w - - 3+3 0 1";
        assert_eq!(reason::<ThreeCheck>(mate, "a1a8"), "jaque mate");
        let hill = "4k3/8/8/8/8/4K3/8/4R3 w - - 0 1";
        assert_eq!(reason::<KingOfTheHill>(hill, "e3d4"), "el rey ha llegado al centro");
        let blocked = "8/p7/8/8/P7/8/8/8 b - - 0 1";
        assert_eq!(reason::<Antichess>(blocked, "a7a5"), "quien gana se ha quedado sin jugadas");
    }
}
