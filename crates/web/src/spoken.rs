//! Moves in words, for a page that is heard and not seen.

use shakmaty::{CastlingSide, Move, Role};

use engine::rules::{Game, Rules};
use shell::texts::Texts;

/// The key of a piece's name.
pub fn piece_key(role: Role) -> &'static str {
    match role {
        Role::Pawn => "piece.pawn",
        Role::Knight => "piece.knight",
        Role::Bishop => "piece.bishop",
        Role::Rook => "piece.rook",
        Role::Queen => "piece.queen",
        Role::King => "piece.king",
    }
}

/// The move `m` that led to `after`, in words.
pub fn say<P: Rules>(m: Move, after: &Game<P>, texts: &Texts) -> String {
    let piece = texts.get(piece_key(m.role())).to_string();
    let to = m.to().to_string();
    let from = m.from().map_or_else(String::new, |from| from.to_string());
    let values = [("piece", piece.as_str()), ("from", &from), ("to", &to)];
    let mut text = match (m, m.castling_side()) {
        (_, Some(CastlingSide::KingSide)) => texts.get("said.castles-short").to_string(),
        (_, Some(CastlingSide::QueenSide)) => texts.get("said.castles-long").to_string(),
        (Move::Put { .. }, _) => texts.fill("said.drop", &values),
        _ if m.is_capture() => texts.fill("said.takes", &values),
        _ => texts.fill("said.moves", &values),
    };
    if let Some(role) = m.promotion() {
        let piece = texts.get(piece_key(role));
        text.push_str(", ");
        text.push_str(&texts.fill("said.promotes", &[("piece", piece)]));
    }
    if after.win_reason() == Some("checkmate") {
        text.push_str(", ");
        text.push_str(texts.get("said.mate"));
    } else if after.now().is_check() {
        text.push_str(", ");
        text.push_str(texts.get("said.check"));
    }
    text
}
