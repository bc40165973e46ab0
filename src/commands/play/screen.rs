//! The board in a terminal: Unicode pieces, coordinates, last move and check marked; and the list of legal moves.

use shakmaty::{Board, Color, File, Move, Piece, Position, Rank, Role, Square};

use super::prose::capital;
use super::texts::Words;
use engine::rules::{Rules, notation};

/// The means of a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// Chess pieces as symbols; otherwise as letters.
    pub unicode: bool,
    /// Coloured squares; otherwise marks beside the pieces.
    pub color: bool,
}

impl Style {
    /// The style for standard output. Colours need a terminal, and `NO_COLOR` (no-color.org) refuses them;
    /// symbols need UTF-8 and a font that has them, which the console of Linux has not.
    pub fn of_terminal(is_terminal: bool, ascii: bool) -> Style {
        let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        let term = variable("TERM").unwrap_or_default();
        let is_utf8 = cfg!(windows) || speaks_utf8(["LC_ALL", "LC_CTYPE", "LANG"].map(variable));
        Style {
            unicode: !ascii && is_utf8 && term != "linux",
            color: is_terminal && variable("NO_COLOR").is_none() && term != "dumb",
        }
    }

    /// `text` in bold, where the terminal has colours.
    pub fn bold(self, text: &str) -> String {
        if self.color { format!("\x1b[1m{text}\x1b[0m") } else { text.to_string() }
    }
}

/// The width of the terminal in characters, if standard output is one.
pub fn width() -> Option<usize> {
    terminal_size::terminal_size().map(|(width, _)| usize::from(width.0))
}

/// True if a locale, by the variables that name it in the order of their rank, writes UTF-8.
fn speaks_utf8(variables: [Option<String>; 3]) -> bool {
    let locale = variables.into_iter().flatten().next().unwrap_or_default().to_ascii_lowercase();
    locale.contains("utf-8") || locale.contains("utf8")
}

/// Colours of the terminal's table of 256: the squares, for light and dark ones, …
const GROUNDS: [u8; 2] = [137, 94];
/// … those of the last move, and that of a king in check, …
const LAST: [u8; 2] = [66, 24];
const CHECK: u8 = 160;
/// … and the pieces. White and black ones stand out from all of them, whatever the theme of the terminal.
const INKS: [u8; 2] = [231, 16];

/// The marks on the squares.
struct Marks {
    last: Vec<Square>,
    check: Option<Square>,
}

/// The legal moves of a position, by their names in the language of `words`.
pub fn legal_moves<P: Rules>(position: &P, words: &Words) -> String {
    let legal = position.legal_moves().into_iter();
    let names = legal.map(|m| notation::san(position, m));
    words.moves(&names.collect::<Vec<_>>().join(" "))
}

/// The board with its coordinates, seen from `side`, and what the rule set keeps beside it: pockets, checks
/// left.
pub fn board<P: Rules>(
    position: &P,
    last: Option<Move>,
    side: Color,
    style: Style,
    words: &Words,
) -> String {
    let draw = |piece| symbol(piece, style, words);
    let turn = position.turn();
    let king = position.board().king_of(turn).filter(|_| position.is_check());
    let marks = Marks { last: last.map_or(Vec::new(), notation::squares), check: king };
    let ranks: Vec<Rank> = side.fold_wb(Rank::ALL.into_iter().rev().collect(), Rank::ALL.to_vec());
    let files: Vec<File> = side.fold_wb(File::ALL.to_vec(), File::ALL.into_iter().rev().collect());
    let mut text = String::new();
    for rank in ranks {
        let cell = |&file: &File| {
            cell(position.board(), Square::from_coords(file, rank), &marks, style, &draw)
        };
        let row: String = files.iter().map(cell).collect();
        let end = if style.color { "\x1b[0m" } else { "" };
        text.push_str(&format!(" {} {row}{end}\n", rank.char()));
    }
    let letters: String = files.iter().map(|file| format!(" {} ", file.char())).collect();
    text.push_str(&format!("   {}\n", letters.trim_end()));
    text + &beside(position, &draw, words)
}

/// One square, three characters wide; `draw` has the symbols of the pieces.
fn cell(
    board: &Board,
    square: Square,
    marks: &Marks,
    style: Style,
    draw: &dyn Fn(Piece) -> char,
) -> String {
    let piece = board.piece_at(square);
    let is_last = marks.last.contains(&square);
    let is_check = marks.check == Some(square);
    if style.color {
        let [light, dark] = if is_last { LAST } else { GROUNDS };
        let ground = match (is_check, square.is_light()) {
            (true, _) => CHECK,
            (_, true) => light,
            (_, false) => dark,
        };
        let [white, black] = INKS;
        let ink = if piece.is_some_and(|piece| piece.color.is_white()) { white } else { black };
        // Filled symbols have more ink, and their shape is the same in both colours.
        let symbol = piece.map_or(' ', |piece| draw(filled(piece, style)));
        return format!("\x1b[48;5;{ground};38;5;{ink}m {symbol} ");
    }
    let symbol = piece.map_or(if style.unicode { '·' } else { '.' }, draw);
    match (is_check, is_last) {
        (true, _) => format!("({symbol})"),
        (_, true) => format!("[{symbol}]"),
        _ => format!(" {symbol} "),
    }
}

/// The piece whose symbol is filled.
fn filled(piece: Piece, style: Style) -> Piece {
    if style.unicode { piece.role.of(Color::Black) } else { piece }
}

/// The symbol of a piece, or its letter in the language.
fn symbol(piece: Piece, style: Style, words: &Words) -> char {
    if !style.unicode {
        let letter = words.letter(piece.role);
        return piece.color.fold_wb(letter, letter.to_ascii_lowercase());
    }
    let (white, black) = match piece.role {
        Role::Pawn => ('♙', '♟'),
        Role::Knight => ('♘', '♞'),
        Role::Bishop => ('♗', '♝'),
        Role::Rook => ('♖', '♜'),
        Role::Queen => ('♕', '♛'),
        Role::King => ('♔', '♚'),
    };
    piece.color.fold_wb(white, black)
}

/// Pockets and checks left, a line each, for the rule sets that have them.
fn beside<P: Position>(position: &P, draw: &dyn Fn(Piece) -> char, words: &Words) -> String {
    let mut lines = Vec::new();
    for color in Color::ALL {
        let player = capital(words.player(color));
        if let Some(pockets) = position.pockets() {
            let pocket = pockets.get(color);
            let held: String = Role::ALL
                .into_iter()
                .flat_map(|role| vec![draw(role.of(color)); usize::from(pocket[role])])
                .collect();
            let key = if held.is_empty() { "pocket.none" } else { "pocket" };
            lines.push(words.fill(key, &[("player", &player), ("pieces", &held)]));
        }
        if let Some(checks) = position.remaining_checks() {
            let checks = words.counted("count.check", u64::from(u32::from(*checks.get(color))));
            lines.push(words.fill("checks-left", &[("player", &player), ("checks", &checks)]));
        }
    }
    lines.iter().map(|line| format!("   {line}\n")).collect()
}

#[cfg(test)]
mod tests {
    use shakmaty::variant::{Crazyhouse, ThreeCheck};
    use shakmaty::{CastlingMode, Chess};

    use super::*;
    use analysis::texts::Lang;
    use engine::rules::setup;

    const PLAIN: Style = Style { unicode: true, color: false };

    fn position(fen: &str) -> Chess {
        setup::position(fen, CastlingMode::Standard).unwrap().0
    }

    fn english(position: &Chess, last: Option<Move>, side: Color, style: Style) -> String {
        board(position, last, side, style, &Words::of(Lang::En))
    }

    #[test]
    fn a_pawn_from_the_hand_is_written_as_on_lichess() {
        let fen = "4k3/8/8/8/8/8/8/4K3[P] w - - 0 1";
        let position: Crazyhouse = setup::position(fen, CastlingMode::Standard).unwrap().0;
        let legal = legal_moves(&position, &Words::of(Lang::En));
        assert!(legal.contains("P@e4") && !legal.contains(" @e4"), "{legal}");
    }

    #[test]
    fn the_board_is_turned_for_black_and_marks_move_and_check() {
        let before = position("4k3/8/8/8/8/8/8/3QK3 w - - 0 1");
        let m = setup::read_move(&before, "d1a4").unwrap();
        let after = before.play(m).unwrap();
        let white = english(&after, Some(m), Color::White, PLAIN);
        let rows: Vec<&str> = white.lines().collect();
        assert_eq!(rows[0], " 8  ·  ·  ·  · (♚) ·  ·  · ");
        assert!(rows[4].starts_with(" 4 [♕]") && rows[7].contains("[·] ♔ "), "{white}");
        let black = english(&after, Some(m), Color::Black, PLAIN);
        assert!(
            black.starts_with(" 1 ") && black.contains("  h  g  f  e  d  c  b  a\n"),
            "{black}"
        );
    }

    #[test]
    fn letters_and_colours_are_choices() {
        let start = Chess::default();
        let letters = english(&start, None, Color::White, Style { unicode: false, color: false });
        assert!(letters.starts_with(" 8  r  n  b  q  k  b  n  r "), "{letters}");
        let colours = english(&start, None, Color::White, Style { unicode: true, color: true });
        assert!(colours.contains("\x1b[48;5;137;38;5;16m ♜ "), "{colours}");
        assert!(!letters.contains('\x1b'));
        let style = Style { unicode: false, color: false };
        let spanish = board(&start, None, Color::White, style, &Words::of(Lang::Es));
        assert!(spanish.starts_with(" 8  t  c  a  d  r  a  c  t "), "{spanish}");
    }

    #[test]
    fn pockets_and_checks_left_are_told() {
        let beside = |position: &dyn Fn(&Words) -> String, lang| position(&Words::of(lang));
        let house = |words: &Words| board(&Crazyhouse::default(), None, Color::White, PLAIN, words);
        assert!(
            beside(&house, Lang::En).ends_with("   White holds nothing\n   Black holds nothing\n")
        );
        assert!(beside(&house, Lang::Es).contains("\n   Las blancas no tienen nada en mano\n"));
        let checks = |words: &Words| {
            let fen = "4k3/8/8/8/8/8/8/4K3 w - - 1+3 0 1";
            let (position, _) = setup::position::<ThreeCheck>(fen, CastlingMode::Standard).unwrap();
            board(&position, None, Color::White, PLAIN, words)
        };
        let english = beside(&checks, Lang::En);
        assert!(english.ends_with("   White needs 1 more check\n   Black needs 3 more checks\n"));
        let spanish = beside(&checks, Lang::Es);
        assert!(spanish.contains("Las blancas necesitan un jaque más\n"), "{spanish}");
    }

    /// The relative luminance of a colour of the cube, as the guidelines for accessible pages define it.
    fn luminance(color: u8) -> f64 {
        let level = |step: u8| {
            let value = f64::from([0_u8, 95, 135, 175, 215, 255][usize::from(step % 6)]) / 255.0;
            if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        };
        let cube = color - 16;
        0.2126 * level(cube / 36) + 0.7152 * level(cube / 6) + 0.0722 * level(cube)
    }

    fn contrast(a: u8, b: u8) -> f64 {
        let [a, b] = [a, b].map(|color| luminance(color) + 0.05);
        a.max(b) / a.min(b)
    }

    #[test]
    fn every_piece_stands_out_on_every_square() {
        for ink in INKS {
            for ground in GROUNDS.into_iter().chain(LAST).chain([CHECK]) {
                assert!(
                    contrast(ink, ground) > 2.9,
                    "{ink} on {ground}: {}",
                    contrast(ink, ground)
                );
            }
        }
        assert!(contrast(GROUNDS[0], GROUNDS[1]) > 1.5 && contrast(LAST[0], LAST[1]) > 1.3);
    }

    #[test]
    fn a_terminal_without_utf_8_gets_letters() {
        let locale = |all: &str, ctype: &str, lang: &str| {
            speaks_utf8(
                [all, ctype, lang].map(|text| Some(text.to_string()).filter(|_| !text.is_empty())),
            )
        };
        assert!(locale("", "", "de_DE.UTF-8") && locale("C.utf8", "C", "C"));
        assert!(!locale("C", "", "de_DE.UTF-8") && !locale("", "", "es_ES.ISO-8859-1"));
        assert!(!locale("", "", ""), "without a locale it is that of C");
    }
}
