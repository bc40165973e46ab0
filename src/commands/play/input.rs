//! What a player types: commands, and moves in SAN or UCI, with advice when a move cannot be played.

use shakmaty::san::San;
use shakmaty::{Move, Position, Role, Square, attacks};

use super::texts::Words;
use analysis::texts::{self, Lang};
use engine::input::printable;
use engine::rules::notation::{self, MoveError, WrittenMove};
use engine::rules::{Captures, Rules};

/// A line of the player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// Nothing.
    Empty,
    /// A command.
    Command(Command),
    /// Perhaps a move.
    Move(String),
}

/// A command of the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Shows the commands.
    Help,
    /// Shows the board.
    Board,
    /// Lists the legal moves.
    Moves,
    /// Flips the board.
    Flip,
    /// Takes back the player's last move.
    TakeBack,
    /// Suggests a move.
    Hint,
    /// Explains the evaluation.
    Why,
    /// Offers a draw.
    Draw,
    /// Gives the game up.
    Resign,
    /// Sets the opponent's strength.
    Elo(String),
    /// Sets the opponent's level.
    Level(String),
    /// Shows the moves so far.
    History,
    /// Looks for the mistakes of the game so far.
    Analyse,
    /// Shows what is known of the player's strength, or forgets it.
    Rating(String),
    /// Ends the game and begins another with the other colour.
    New,
    /// Ends the game and begins another with the same colour.
    Again,
    /// Goes back into a finished game: before the move of this number, or the one that lost most.
    Retry(String),
    /// Shows the game so far as PGN.
    Pgn,
    /// Writes the game to a file.
    Save(String),
    /// Ends the session; the game can be continued later.
    Quit,
}

/// Reads a line.
pub fn read(line: &str) -> Input {
    let line = line.trim();
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim().to_string();
    let command = match word.to_ascii_lowercase().as_str() {
        "" => return Input::Empty,
        "help" | "?" => Command::Help,
        "board" | "d" => Command::Board,
        "moves" => Command::Moves,
        "flip" => Command::Flip,
        "undo" | "takeback" | "back" => Command::TakeBack,
        "hint" => Command::Hint,
        "why" => Command::Why,
        "draw" => Command::Draw,
        "resign" => Command::Resign,
        "elo" => Command::Elo(rest),
        "level" => Command::Level(rest),
        "history" => Command::History,
        "analyse" | "analyze" => Command::Analyse,
        "rating" => Command::Rating(rest),
        "new" | "rematch" => Command::New,
        "again" => Command::Again,
        "retry" => Command::Retry(rest),
        "pgn" => Command::Pgn,
        "save" => Command::Save(rest),
        "quit" | "exit" | "q" => Command::Quit,
        _ => {
            let command = spanish(word, rest);
            return command.map_or_else(|| Input::Move(line.to_string()), Input::Command);
        }
    };
    Input::Command(command)
}

/// The command of a Spanish word, with or without its accents and the marks of a question.
fn spanish(word: &str, rest: String) -> Option<Command> {
    Some(match plain(word).as_str() {
        "ayuda" => Command::Help,
        "tablero" => Command::Board,
        "jugadas" => Command::Moves,
        "girar" => Command::Flip,
        "deshacer" => Command::TakeBack,
        "pista" => Command::Hint,
        "porque" => Command::Why,
        "por" if plain(&rest) == "que" => Command::Why,
        "tablas" => Command::Draw,
        "abandonar" | "abandono" => Command::Resign,
        "nivel" => Command::Level(rest),
        "historia" | "historial" => Command::History,
        "analizar" => Command::Analyse,
        "fuerza" => Command::Rating(rest),
        "nueva" | "revancha" => Command::New,
        "otra" => Command::Again,
        "reintentar" => Command::Retry(rest),
        "guardar" => Command::Save(rest),
        "salir" => Command::Quit,
        _ => return None,
    })
}

/// A word in small letters without accents and the marks of a question.
fn plain(word: &str) -> String {
    let unaccented = |c| match c {
        'á' => 'a',
        'é' => 'e',
        'í' => 'i',
        'ó' => 'o',
        'ú' => 'u',
        c => c,
    };
    word.trim_matches(['¿', '?']).to_lowercase().chars().map(unaccented).collect()
}

/// The move that a line means in a position: in the letters of the language, in SAN's, or in Spanish ones. `commands`
/// are those that a misspelt line may mean.
///
/// # Errors
/// Advice for the player: why the move cannot be played, or how moves are written.
pub fn read_move<P: Rules>(
    position: &P,
    line: &str,
    words: &Words,
    commands: &[&str],
) -> Result<Move, String> {
    let text = notation::without_number(line);
    let mut typed = text.split_whitespace();
    if let (Some(first), Some(second)) = (typed.next(), typed.next())
        && read_move(position, first, words, commands).is_ok()
        && WrittenMove::parse_with(second, words.letters()).is_some()
    {
        return Err(words.fill("move.one-at-a-time", &[("move", first)]));
    }
    let text: String = text.split_whitespace().collect();
    let text = text.trim_end_matches(['!', '?', '.']);
    let read = |text: &str, letters: &str| notation::read_move_with(position, text, letters);
    let own = read(text, words.letters());
    // Cf3 is a knight's move in Spanish: C is no letter of SAN. R is SAN's rook.
    let spanish = texts::of(Lang::Es);
    let spanish =
        if text.contains(['R', 'r']) { own } else { read(text, spanish.get("page.pieces")) };
    let error = match (own, spanish) {
        (Ok(one), Ok(other)) if one != other => {
            let moves = names(position, &[one, other], words);
            return Err(words.fill("move.ambiguous", &[("move", text), ("moves", &moves)]));
        }
        (Ok(m), _) | (_, Ok(m)) => return Ok(m),
        (Err(error), Err(_)) => error,
    };
    let written = WrittenMove::parse_with(text, words.letters());
    // A small letter that is also that of a file is a pawn's first; a player may still mean a piece, as a bishop by b.
    if let Some(large) = with_capital(text, words.letters())
        && !written.is_some_and(WrittenMove::has_squares_only)
        && let Ok(m) = read(&large, words.letters())
    {
        return Ok(m);
    }
    let Some(written) = written else { return Err(unknown(line, words, commands)) };
    Err(match short(written) {
        Some(san) => explain(position, &san, error, words),
        None => explain_squares(position, written, text, words),
    })
}

/// The text with a capital letter for the piece that it begins with, where a small one was typed.
fn with_capital(text: &str, letters: &str) -> Option<String> {
    let first = text.chars().next().filter(char::is_ascii_lowercase)?.to_ascii_uppercase();
    letters.contains(first).then(|| [first].into_iter().chain(text.chars().skip(1)).collect())
}

/// What to write instead of a line that means nothing.
fn unknown(line: &str, words: &Words, commands: &[&str]) -> String {
    let advice = match nearest(line, commands) {
        Some(command) => words.fill("move.did-you-mean", &[("command", command)]),
        None => words.get("move.usage").to_string(),
    };
    let shown = printable(line.trim(), 40);
    words.fill("move.unknown", &[("text", &shown), ("advice", &advice)])
}

/// The commands of the game by their names in the language, and those that are not listed in its help.
pub fn commands(words: &Words) -> Vec<&str> {
    let tables = ["help.commands", "help.ways-on", "help.over"].map(|key| words.table(key));
    // What follows in capitals stands for a value, as in `save FILE`.
    let is_value = |c: char| c.is_uppercase() || c == ' ';
    let shown = tables.into_iter().flatten().map(|(usage, _)| usage.trim_end_matches(is_value));
    shown.chain(words.get("help.more").split(' ')).collect()
}

/// The command that is nearest to the first word of `line`, if it is near.
pub fn nearest<'a>(line: &str, commands: &[&'a str]) -> Option<&'a str> {
    let word = line.split_whitespace().next()?.to_lowercase();
    // A command of two words may have been written as one.
    let distance = |command: &str| strsim::osa_distance(&command.replace(' ', ""), &word);
    let near = commands.iter().copied().min_by_key(|&command| distance(command))?;
    // One letter in four may be wrong.
    let most = near.chars().count().div_ceil(4).min(word.chars().count() / 2);
    (distance(near) <= most).then_some(near)
}

/// A move in SAN; `None` for one that is written by its squares alone.
fn short(written: WrittenMove) -> Option<San> {
    Some(match written {
        WrittenMove::Castle(side) => San::Castle(side),
        WrittenMove::Put { role, to } => San::Put { role, to },
        _ if written.has_squares_only() => return None,
        WrittenMove::Normal { role, file, rank, to, promotion } => {
            let role = role.unwrap_or(Role::Pawn);
            San::Normal { role, file, rank, capture: false, to, promotion }
        }
        WrittenMove::Null => return None,
    })
}

/// The names of moves in the language.
fn names<P: Rules>(position: &P, moves: &[Move], words: &Words) -> String {
    let names = moves.iter().map(|&m| notation::san(position, m));
    words.moves(&names.collect::<Vec<_>>().join(", "))
}

/// Why a move that is written by its squares alone cannot be played.
fn explain_squares<P: Rules>(
    position: &P,
    written: WrittenMove,
    text: &str,
    words: &Words,
) -> String {
    let is_meant = |m: &Move| match written {
        WrittenMove::Normal { file: Some(file), rank: Some(rank), to, .. } => {
            m.from() == Some(Square::from_coords(file, rank)) && m.to() == to
        }
        _ => false,
    };
    let legal = position.legal_moves();
    let mut promotions = legal.clone();
    promotions.retain(|m| m.is_promotion() && is_meant(m));
    if !promotions.is_empty() {
        return words.fill("move.promotion", &[("moves", &names(position, &promotions, words))]);
    }
    let tell = |key| words.fill(key, &[("move", &printable(text, 40))]);
    if !position.must_capture() {
        return tell("move.not-legal-here");
    }
    let values = [("why", &*tell("move.must-take")), ("moves", &names(position, &legal, words))];
    words.fill("move.any", &values)
}

/// Why `san` cannot be played.
fn explain<P: Rules>(position: &P, san: &San, error: MoveError, words: &Words) -> String {
    let shown = words.moves(&san.to_string());
    let tell = |key| words.fill(key, &[("move", &shown)]);
    let legal = position.legal_moves();
    let names = |moves: &[Move]| names(position, moves, words);
    let San::Normal { role, to, .. } = san else {
        return match san {
            San::Castle(_) => tell(no_castling(position)),
            San::Put { role, .. } => not_in_hand(position, &shown, *role, words),
            _ => tell("move.not-legal-here"),
        };
    };
    let (role, to) = (*role, *to);
    let of_role: Vec<Move> = legal.iter().copied().filter(|m| m.role() == role).collect();
    let alike: Vec<Move> = of_role.iter().copied().filter(|m| m.to() == to).collect();
    if error == MoveError::Ambiguous && !alike.is_empty() {
        return words.fill("move.ambiguous", &[("move", &shown), ("moves", &names(&alike))]);
    }
    if role == Role::Pawn && alike.iter().any(|m| m.is_promotion()) {
        return words.fill("move.promotion", &[("moves", &names(&alike))]);
    }
    let must_take = position.must_capture();
    let why = tell(if must_take { "move.must-take" } else { reason(position, role, to) });
    let why = ("why", why.as_str());
    match (position.is_check() || must_take, of_role.is_empty()) {
        (true, _) if legal.len() <= 8 => words.fill("move.any", &[why, ("moves", &names(&legal))]),
        (_, true) => words.fill("move.none", &[why, ("none", words.no_piece(role))]),
        (_, false) if role == Role::Pawn => words.fill("move.list", &[why]),
        (_, false) if role == Role::King => {
            words.fill("move.with.king", &[why, ("moves", &names(&of_role))])
        }
        (_, false) => {
            let values = [why, ("piece", words.piece(role)), ("moves", &names(&of_role))];
            words.fill("move.with", &values)
        }
    }
}

/// Why no piece of a kind can go to a square: the key of the text.
fn reason<P: Rules>(position: &P, role: Role, to: Square) -> &'static str {
    let (board, us, them) = (position.board(), position.us(), position.them());
    let attacks =
        |from| attacks::attacks(from, role.of(position.turn()), board.occupied()).contains(to);
    let reaches = !us.contains(to) && (us & board.by_role(role)).into_iter().any(attacks);
    let takes = reaches && them.contains(to) && P::CAPTURES == Captures::Explosion;
    let beside = |king| attacks::king_attacks(king).contains(to);
    match role {
        Role::King if takes => "move.king-takes",
        _ if takes && board.king_of(position.turn()).is_some_and(beside) => "move.explodes",
        _ if position.is_check() => "move.check",
        _ if reaches && !P::CHECKS => "move.gives-check",
        Role::King | Role::Pawn => "move.not-legal",
        _ if reaches => "move.exposes",
        _ => "move.not-legal",
    }
}

/// Why castling is not possible: the key of the text.
fn no_castling<P: Rules>(position: &P) -> &'static str {
    if !P::default().castles().has_color(position.turn()) {
        "move.castling-never"
    } else if position.is_check() {
        "move.castling-check"
    } else {
        "move.no-castling"
    }
}

/// Why a piece cannot be dropped.
fn not_in_hand<P: Position>(position: &P, shown: &str, role: Role, words: &Words) -> String {
    let pockets = position.pockets();
    let key = match pockets.map(|pockets| pockets.get(position.turn())[role]) {
        None => "move.no-drops",
        Some(0) => "move.not-in-hand",
        Some(_) => "move.not-legal-here",
    };
    words.fill(key, &[("move", shown), ("none", words.no_piece(role))])
}

#[cfg(test)]
mod tests {
    use shakmaty::variant::{Antichess, Atomic, Crazyhouse, RacingKings};
    use shakmaty::{CastlingMode, Chess};

    use super::*;
    use engine::rules::setup;

    fn after(fen: &str, text: &str) -> Result<String, String> {
        after_in(Lang::En, fen, text)
    }

    fn after_in(lang: Lang, fen: &str, text: &str) -> Result<String, String> {
        under::<Chess>(lang, fen, text)
    }

    /// The move of a text under the rules `P`, or the advice.
    fn under<P: Rules>(lang: Lang, fen: &str, text: &str) -> Result<String, String> {
        let position: P = setup::position(fen, CastlingMode::Standard).unwrap().0;
        let words = Words::of(lang);
        let read = read_move(&position, text, &words, &commands(&words));
        read.map(|m| m.to_uci(CastlingMode::Standard).to_string())
    }

    const HOUSE: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq - 0 1";

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    #[test]
    fn moves_are_read_in_many_spellings() {
        for text in
            ["Nf3", "nf3", "g1f3", "G1F3", "g1-f3", "Ng1-f3", "Nf3!?", " Nf3 ", "1. Nf3", "1.Nf3"]
        {
            assert_eq!(after(START, text).as_deref(), Ok("g1f3"), "{text}");
        }
        let castle = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
        for text in ["O-O", "0-0", "o-o", "e1g1"] {
            assert_eq!(after(castle, text).as_deref(), Ok("e1g1"), "{text}");
        }
        let promotion = "8/P6k/8/8/8/8/8/K7 w - - 0 1";
        for text in ["a8=Q", "a8Q", "a8=q", "a7a8q"] {
            assert_eq!(after(promotion, text).as_deref(), Ok("a7a8q"), "{text}");
        }
    }

    #[test]
    fn spanish_letters_are_read_where_san_has_none() {
        assert_eq!(after(START, "Cf3").as_deref(), Ok("g1f3"));
        assert_eq!(after("8/P6k/8/8/8/8/8/K7 w - - 0 1", "a8=D").as_deref(), Ok("a7a8q"));
        let two = after(START, "Cc3").unwrap_err();
        assert_eq!(two, "Cc3 can mean several moves: c3, Nc3");
        assert_eq!(after("7k/8/8/8/8/8/8/R3K3 w - - 0 1", "rd1").as_deref(), Ok("a1d1"));
        let king_only = after("7k/8/8/8/8/8/8/4K3 w - - 0 1", "Rd1");
        assert!(king_only.is_err(), "a rook in SAN: {king_only:?}");
    }

    #[test]
    fn in_spanish_its_letters_come_first_and_san_s_are_read_too() {
        let read = |fen, text| after_in(Lang::Es, fen, text);
        for text in ["Cf3", "cf3", "Nf3", "Cg1-f3", "cg1f3", "g1f3", "Cf3!?"] {
            assert_eq!(read(START, text).as_deref(), Ok("g1f3"), "{text}");
        }
        for (text, uci) in [("Cc3", "b1c3"), ("1.Cc3", "b1c3"), ("c3", "c2c3"), ("Ca3", "b1a3")] {
            assert_eq!(read(START, text).as_deref(), Ok(uci), "{text}");
        }
        let bishop = "4k3/8/8/8/8/8/P2B4/4K3 w - - 0 1";
        assert_eq!(read(bishop, "Aa5").as_deref(), Ok("d2a5"));
        assert_eq!(read(bishop, "a4").as_deref(), Ok("a2a4"));
        assert!(read(bishop, "Aa4").unwrap_err().contains("con un alfil puedes jugar"));
        let rook = "7k/8/8/8/8/8/8/R3K3 w - - 0 1";
        for (text, uci) in [("Rd1", "e1d1"), ("rd1", "e1d1"), ("Td1", "a1d1"), ("td1", "a1d1")] {
            assert_eq!(read(rook, text).as_deref(), Ok(uci), "{text}");
        }
        assert_eq!(after(rook, "Rd1").as_deref(), Ok("a1d1"));
        assert_eq!(read(rook, "Kd1").as_deref(), Ok("e1d1"));
        assert!(
            read(rook, "Rc1").unwrap_err().contains("con el rey puedes jugar"),
            "a king's move"
        );
        assert_eq!(read("8/P6k/8/8/8/8/8/K7 w - - 0 1", "a8=D").as_deref(), Ok("a7a8q"));
    }

    #[test]
    fn advice_on_moves_is_given_in_spanish() {
        let advice = |fen, text| after_in(Lang::Es, fen, text).unwrap_err();
        let knight = "Cd4 no es legal; con un caballo puedes jugar Ca3, Cc3, Cf3, Ch3";
        assert_eq!(advice(START, "Cd4"), knight);
        assert_eq!(advice(START, "Nd4"), knight);
        assert_eq!(advice(START, "Ta3"), "Ta3 no es legal; no puedes mover ninguna torre");
        let promotion = "8/P6k/8/8/8/8/8/K7 w - - 0 1";
        let wanted = "indica en qué se convierte el peón: a8=D, a8=T, a8=A, a8=C";
        assert_eq!(advice(promotion, "a8"), wanted);
        assert_eq!(advice(START, "Cf3 e5"), "las jugadas, de una en una: escribe solo Cf3");
        let house = under::<Crazyhouse>(Lang::Es, HOUSE, "T@e4").unwrap_err();
        assert_eq!(house, "T@e4 no es posible: no tienes ninguna torre en mano");
        for (line, command) in
            [("pissta", "pista"), ("histroia", "historia"), ("hnt", "hint"), ("porqeé", "por qué")]
        {
            let advice = advice(START, line);
            assert!(advice.ends_with(&format!("¿querías decir «{command}»?")), "{advice}");
        }
    }

    #[test]
    fn a_move_that_cannot_be_played_is_explained() {
        let advice = |fen, text| after(fen, text).unwrap_err();
        assert!(advice(START, "Nd4").contains("with a knight you can play Na3, Nc3, Nf3, Nh3"));
        assert!(advice(START, "Be2").contains("no bishop of yours can move"));
        assert!(advice(START, "O-O").contains("not possible now"));
        assert!(advice(START, "e2e5").contains("e2e5 is not legal"));
        assert!(advice(START, "xyzzy").contains("neither a move nor a command"));
        assert!(advice(START, "N@f3").contains("no drops under these rules"));
        let in_hand = under::<Crazyhouse>(Lang::En, HOUSE, "N@e4").unwrap_err();
        assert_eq!(in_hand, "N@e4 is not possible: you hold no knight");
        let promotion = "8/P6k/8/8/8/8/8/K7 w - - 0 1";
        for text in ["a8", "a7a8", "a7-a8"] {
            assert!(
                advice(promotion, text).contains("becomes: a8="),
                "{}",
                advice(promotion, text)
            );
        }
        for text in ["e4 e5", "1. e4 e5"] {
            assert!(advice(START, text).contains("write e4 alone"), "{}", advice(START, text));
        }
        let two = "4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1";
        assert!(advice(two, "Nd2").contains("several moves: Nbd2, Nfd2"), "{}", advice(two, "Nd2"));
        let pinned = "4r1k1/8/8/8/8/8/4N3/4K3 w - - 0 1";
        assert!(advice(pinned, "Nc3").contains("would leave your king in check"));
        let check = "4r1k1/8/8/8/8/8/8/4K2N w - - 0 1";
        assert!(advice(check, "Ng3").contains("does not end the check; you can play K"));
        let rook = "4k3/8/8/8/4r3/8/8/R3K2R w KQ - 0 1";
        assert!(advice(rook, "O-O").contains("a king in check cannot castle"));
    }

    #[test]
    fn the_reason_is_one_of_the_rules_of_the_game() {
        let anti = |text| {
            let fen = "rnbqkbnr/p1pppppp/8/1p6/8/4P3/PPPP1PPP/RNBQKBNR w - - 0 2";
            under::<Antichess>(Lang::En, fen, text).unwrap_err()
        };
        let compulsory = "is not possible: a capture is compulsory; you can play Bxb5";
        assert_eq!(anti("Nc3"), format!("Nc3 {compulsory}"));
        assert_eq!(anti("d4"), format!("d4 {compulsory}"));
        assert_eq!(anti("g1f3"), format!("g1f3 {compulsory}"));
        assert!(anti("O-O").contains("no castling under these rules"), "{}", anti("O-O"));
        let race = |text| {
            under::<RacingKings>(Lang::En, "8/7k/8/K7/8/8/8/1R6 w - - 0 1", text).unwrap_err()
        };
        assert!(race("Rb7").contains("no move may put a king in check"), "{}", race("Rb7"));
        assert!(race("Rc2").contains("Rc2 is not legal; with a rook"), "{}", race("Rc2"));
        let atomic = |text| {
            let fen = "1k6/p7/8/8/4p3/3K4/4P3/R7 w - - 0 1";
            under::<Atomic>(Lang::En, fen, text).unwrap_err()
        };
        assert!(atomic("Kxe4").contains("a king cannot capture"), "{}", atomic("Kxe4"));
        assert!(atomic("Rb1").contains("does not end the check"), "{}", atomic("Rb1"));
        let beside = "1k6/8/8/8/8/8/3Kp3/6N1 w - - 0 1";
        let own = under::<Atomic>(Lang::Es, beside, "Cxe2").unwrap_err();
        assert!(own.contains("Ce2 haría explotar a tu propio rey"), "{own}");
    }

    #[test]
    fn a_move_by_its_squares_is_no_piece_s() {
        let blocked = "4k3/8/8/8/1p6/8/1P1B4/4K3 w - - 0 1";
        assert!(after(blocked, "b2b4").unwrap_err().contains("b2b4 is not legal here"));
        assert_eq!(after(blocked, "bxb4").as_deref(), Ok("d2b4"));
        assert_eq!(after(blocked, "b3").as_deref(), Ok("b2b3"));
    }

    #[test]
    fn a_misspelt_command_is_recognised() {
        for (line, command) in [
            ("histroy", "history"),
            ("analyce", "analyse"),
            ("hnt", "hint"),
            ("lvel 4", "level"),
            ("RESING", "resign"),
            ("ratings", "rating"),
            ("qiut", "quit"),
            ("takebck", "takeback"),
            ("rety", "retry"),
            ("savee game.pgn", "save"),
        ] {
            let advice = after(START, line).unwrap_err();
            assert!(advice.ends_with(&format!("did you mean {command}?")), "{advice}");
        }
        for line in ["xyzzy", "x", "?!", "hello"] {
            assert!(!after(START, line).unwrap_err().contains("did you mean"), "{line}");
        }
    }

    #[test]
    fn every_command_in_the_help_is_one() {
        for words in Lang::ALL.map(Words::of) {
            let tables = ["help.commands", "help.ways-on", "help.over"].map(|key| words.table(key));
            let usages = tables.iter().flatten().map(|(usage, _)| *usage);
            for usage in usages.chain(words.get("help.more").split(' ')) {
                assert!(matches!(read(usage), Input::Command(_)), "{usage}");
            }
        }
    }

    #[test]
    fn spanish_commands_are_read_with_and_without_accents() {
        for text in ["porqué", "porque", "¿por qué?", "Por que", "¿POR QUÉ?"] {
            assert_eq!(read(text), Input::Command(Command::Why), "{text}");
        }
        let saved = Command::Save("mi Partida é.pgn".to_string());
        assert_eq!(read("guardar mi Partida é.pgn"), Input::Command(saved));
        assert_eq!(read("por e4"), Input::Move("por e4".to_string()));
    }

    #[test]
    fn commands_are_words_and_all_else_may_be_a_move() {
        assert_eq!(read(" UNDO "), Input::Command(Command::TakeBack));
        assert_eq!(read("save a b.pgn"), Input::Command(Command::Save("a b.pgn".to_string())));
        assert_eq!(read("\n"), Input::Empty);
        assert_eq!(read("Nf3\n"), Input::Move("Nf3".to_string()));
    }
}
