//! What the program says about itself to a person.

/// One line for somebody who started the program in a terminal.
pub fn greeting() -> String {
    format!(
        "Ajedrecista {}, a chess engine that speaks UCI. Type help for help, quit to leave.",
        env!("CARGO_PKG_VERSION")
    )
}

/// How the program was built, and for which processor.
pub fn compiler() -> String {
    let profile = if cfg!(debug_assertions) { "debug" } else { "release" };
    let features = [
        ("popcnt", cfg!(target_feature = "popcnt")),
        ("bmi1", cfg!(target_feature = "bmi1")),
        ("bmi2", cfg!(target_feature = "bmi2")),
        ("avx2", cfg!(target_feature = "avx2")),
        ("avx512f", cfg!(target_feature = "avx512f")),
        ("neon", cfg!(target_feature = "neon")),
    ];
    let used: Vec<&str> =
        features.iter().filter(|(_, is_used)| *is_used).map(|(name, _)| *name).collect();
    let used =
        if used.is_empty() { "none beyond the baseline".to_string() } else { used.join(" ") };
    format!(
        "Ajedrecista {}, a {profile} build for {} on {}\n\
         processor features: {used}\n\
         Rust edition 2024, compiler {} or later",
        env!("CARGO_PKG_VERSION"),
        std::env::consts::ARCH,
        std::env::consts::OS,
        env!("CARGO_PKG_RUST_VERSION"),
    )
}

/// The commands of a session.
pub const HELP: &str = "\
Ajedrecista speaks UCI, the language between chess engines and the programs that show
a board. A line is a command:

  position startpos moves e2e4 e7e5   set up a game: from the start, or
  position fen FEN moves ...          from a position, then play moves
  go movetime 1000                    think for a second and answer with a move
  go wtime 60000 btime 60000          think with these clocks (winc binc movestogo)
  go depth 12                         think twelve half-moves deep
  go nodes 100000 | mate 3 | infinite other limits; all of them combine
  go ponder ... | searchmoves e2e4    think in the opponent's time; about these moves
  go perft 5                          count the positions five half-moves deep
  stop                                answer now
  ponderhit                           the expected move was played
  uci                                 list the options
  setoption name Hash value 64        change one
  isready                             answer readyok when ready
  ucinewgame                          forget the game before
  d                                   show the board, and what the opening is called
  eval                                explain the evaluation
  flip                                swap the colours
  bench 10                            search the bench positions ten half-moves deep
  compiler                            how this program was built
  debug on                            say more
  quit                                leave

Start the program with --help to see what it does from a shell.";
