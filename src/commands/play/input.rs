//! What a player types: commands, and moves in SAN or UCI, with advice when a move cannot be played.

use shakmaty::san::{San, SanPlus};
use shakmaty::{Move, Position, Role, attacks};

use analysis::texts::{self, Lang};
use engine::input::printable;
use engine::rules::notation::{self, MoveError, WrittenMove};

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

/// How moves are written.
pub const MOVES_HELP: &str = "A move: e4, Nf3, exd5, O-O, e8=Q, N@f3, or e2e4, g1f3, e7e8q.";

/// The commands, each with its effect.
pub const HELP: &[(&str, &str)] = &[
    ("board", "show the board"),
    ("flip", "show it from the other side"),
    ("moves", "list the legal moves"),
    ("history", "list the moves so far"),
    ("hint", "suggest a move"),
    ("why", "explain the evaluation and my last move"),
    ("analyse", "find the mistakes of the game so far"),
    ("undo", "take back your last move (also: takeback)"),
    ("draw", "offer a draw"),
    ("resign", "give the game up"),
    ("rating", "show how strong you play; rating reset forgets it"),
    ("elo N", "change my strength; elo auto follows yours"),
    ("level L", "the same by level: 3, 4, 5, unlimited"),
    ("pgn", "show the game as PGN"),
    ("save FILE", "write it to a new file"),
    ("new", "begin another game with the other colour (also: rematch)"),
    ("again", "begin another game with the same colour"),
    ("quit", "stop; the game can be continued later"),
];

/// The commands that lead on when a game is over.
pub const WAYS_ON: &[(&str, &str)] = &[
    ("new", "another game with the other colour (also: rematch)"),
    ("again", "another game with the same colour"),
    ("retry", "go back to your move that lost most; retry 14: to move 14"),
    ("undo", "go back to your last move"),
    ("analyse", "find the mistakes of the game"),
    ("quit", "stop"),
];

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
        _ => return Input::Move(line.to_string()),
    };
    Input::Command(command)
}

/// The move that `text` means in a position.
///
/// # Errors
/// Advice for the player: why the move cannot be played, or how moves are written.
pub fn read_move<P: Position + Clone>(position: &P, text: &str) -> Result<Move, String> {
    let mut words = text.split_whitespace();
    if let (Some(first), Some(second)) = (words.next(), words.next())
        && read_move(position, first).is_ok()
        && WrittenMove::parse(second).is_some()
    {
        return Err(format!("one move at a time: write {first} alone"));
    }
    let line = text;
    let text: String = line.split_whitespace().collect();
    let text = text.trim_end_matches(['!', '?', '.']);
    let error = match notation::read_move(position, text) {
        Ok(m) => return Ok(m),
        Err(error) => error,
    };
    // Letters that SAN does not have: Cf3 is a knight's move in Spanish. R is SAN's rook.
    let spanish = texts::of(Lang::Es);
    if !text.starts_with('R')
        && let Ok(m) = notation::read_move_with(position, text, spanish.get("page.pieces"))
    {
        return Ok(m);
    }
    // A player who types small letters may mean a bishop.
    if let Some(square) = text.strip_prefix('b')
        && let Ok(m) = notation::read_move(position, &format!("B{square}"))
    {
        return Ok(m);
    }
    let short = WrittenMove::parse(text).and_then(short);
    Err(match short {
        Some(san) => explain(position, &san, error),
        None if error == MoveError::Unreadable => unknown(line),
        None => format!("{} is not legal here; moves lists what is", printable(text, 40)),
    })
}

/// What to write instead of a line that means nothing.
fn unknown(line: &str) -> String {
    let shown = printable(line.trim(), 40);
    let advice = match nearest(line) {
        Some(command) => format!("did you mean {command}?"),
        None => "write e4, Nf3 or e2e4, or help".to_string(),
    };
    format!("\"{shown}\" is neither a move nor a command; {advice}")
}

/// The command whose word is nearest to the first one of `line`, if it is near.
pub fn nearest(line: &str) -> Option<&'static str> {
    let word = line.split_whitespace().next()?.to_lowercase();
    let words = HELP.iter().chain(WAYS_ON).filter_map(|(usage, _)| usage.split(' ').next());
    let all = words.chain(["help", "takeback"]);
    let distance = |command: &&str| strsim::osa_distance(command, &word);
    let near = all.min_by_key(distance)?;
    // One letter in four may be wrong.
    (distance(&near) <= near.len().div_ceil(4).min(word.chars().count() / 2)).then_some(near)
}

/// A move in SAN; `None` for one that is written by its squares alone.
fn short(written: WrittenMove) -> Option<San> {
    Some(match written {
        WrittenMove::Castle(side) => San::Castle(side),
        WrittenMove::Put { role, to } => San::Put { role, to },
        WrittenMove::Normal { role: None, file: Some(_), rank: Some(_), .. } => return None,
        WrittenMove::Normal { role, file, rank, to, promotion } => {
            let role = role.unwrap_or(Role::Pawn);
            San::Normal { role, file, rank, capture: false, to, promotion }
        }
        WrittenMove::Null => return None,
    })
}

/// Why `san` cannot be played.
fn explain<P: Position + Clone>(position: &P, san: &San, error: MoveError) -> String {
    let legal = position.legal_moves();
    let names = |moves: Vec<Move>| {
        let names = moves.into_iter().map(|m| SanPlus::from_move(position.clone(), m).to_string());
        names.collect::<Vec<_>>().join(", ")
    };
    let San::Normal { role, to, .. } = san else {
        return match san {
            San::Castle(_) => format!(
                "{san} is not possible now: king or rook has moved, or a square between is attacked or taken"
            ),
            San::Put { role, .. } => not_in_hand(position, san, *role),
            _ => format!("{san} is not legal here; moves lists what is"),
        };
    };
    let (role, to) = (*role, *to);
    let alike: Vec<Move> =
        legal.iter().copied().filter(|m| m.role() == role && m.to() == to).collect();
    if error == MoveError::Ambiguous && !alike.is_empty() {
        return format!("{san} can mean several moves: {}", names(alike));
    }
    if role == Role::Pawn && alike.iter().any(|m| m.is_promotion()) {
        return format!("say what the pawn becomes: {}", names(alike));
    }
    let board = position.board();
    let own = position.us() & board.by_role(role);
    let reaches =
        |from| attacks::attacks(from, role.of(position.turn()), board.occupied()).contains(to);
    let exposes = !position.us().contains(to) && role != Role::Pawn && own.into_iter().any(reaches);
    let why = if position.is_check() {
        format!("{san} does not end the check")
    } else if exposes && role != Role::King {
        format!("{san} would leave your king in check")
    } else {
        format!("{san} is not legal")
    };
    let others: Vec<Move> = legal.iter().copied().filter(|m| m.role() == role).collect();
    let piece = format!("{role:?}").to_ascii_lowercase();
    match (position.is_check(), others.is_empty()) {
        (true, _) if legal.len() <= 8 => format!("{why}; you can play {}", names(legal.to_vec())),
        (_, true) => format!("{why}; no {piece} of yours can move"),
        (_, false) if role == Role::Pawn => format!("{why}; moves lists what is"),
        (_, false) => format!("{why}; with a {piece} you can play {}", names(others)),
    }
}

/// Why a piece cannot be dropped.
fn not_in_hand<P: Position>(position: &P, san: &San, role: Role) -> String {
    let pockets = position.pockets();
    match pockets.map(|pockets| pockets.get(position.turn())[role]) {
        None => format!("{san} is not possible: there are no drops under these rules"),
        Some(0) => {
            let piece = format!("{role:?}").to_ascii_lowercase();
            format!("{san} is not possible: you hold no {piece}")
        }
        Some(_) => format!("{san} is not legal here; moves lists what is"),
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::variant::Crazyhouse;
    use shakmaty::{CastlingMode, Chess};

    use super::*;
    use engine::rules::setup;

    fn after(fen: &str, text: &str) -> Result<String, String> {
        let position: Chess = setup::position(fen, CastlingMode::Standard).unwrap().0;
        read_move(&position, text).map(|m| m.to_uci(CastlingMode::Standard).to_string())
    }

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    #[test]
    fn moves_are_read_in_many_spellings() {
        for text in ["Nf3", "nf3", "g1f3", "G1F3", "g1-f3", "Ng1-f3", "Nf3!?", " Nf3 "] {
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
        let king_only = after("7k/8/8/8/8/8/8/4K3 w - - 0 1", "Rd1");
        assert!(king_only.is_err(), "a rook in SAN: {king_only:?}");
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
        let in_hand = read_move(&Crazyhouse::default(), "N@e4").unwrap_err();
        assert_eq!(in_hand, "N@e4 is not possible: you hold no knight");
        let promotion = "8/P6k/8/8/8/8/8/K7 w - - 0 1";
        assert!(advice(promotion, "a8").contains("becomes: a8="), "{}", advice(promotion, "a8"));
        assert!(advice(START, "e4 e5").contains("write e4 alone"), "{}", advice(START, "e4 e5"));
        let two = "4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1";
        assert!(advice(two, "Nd2").contains("several moves: Nbd2, Nfd2"), "{}", advice(two, "Nd2"));
        let pinned = "4r1k1/8/8/8/8/8/4N3/4K3 w - - 0 1";
        assert!(advice(pinned, "Nc3").contains("would leave your king in check"));
        let check = "4r1k1/8/8/8/8/8/8/4K2N w - - 0 1";
        assert!(advice(check, "Ng3").contains("does not end the check; you can play K"));
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
        for (usage, _) in HELP.iter().chain(WAYS_ON) {
            assert!(matches!(read(usage), Input::Command(_)), "{usage}");
        }
    }

    #[test]
    fn commands_are_words_and_all_else_may_be_a_move() {
        assert_eq!(read(" UNDO "), Input::Command(Command::TakeBack));
        assert_eq!(read("save a b.pgn"), Input::Command(Command::Save("a b.pgn".to_string())));
        assert_eq!(read("\n"), Input::Empty);
        assert_eq!(read("Nf3\n"), Input::Move("Nf3".to_string()));
    }
}
