//! Information about the program, for people.

use std::sync::LazyLock;

/// One line for a program started in a terminal.
pub fn greeting() -> String {
    format!(
        "Ajedrecista {}, a chess engine that speaks UCI. Type help for help, quit to leave.",
        env!("CARGO_PKG_VERSION")
    )
}

/// The version for `engine --version`: number, commit, and the processor features that the program uses.
pub static VERSION: LazyLock<String> = LazyLock::new(|| {
    let commit = option_env!("AJEDRECISTA_COMMIT").filter(|commit| !commit.is_empty());
    let commit = commit.map_or_else(String::new, |commit| format!("commit {commit}, "));
    format!("{} ({commit}{}, {})", env!("CARGO_PKG_VERSION"), std::env::consts::ARCH, features())
});

/// The processor features that the program uses without asking.
fn features() -> String {
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
    if used.is_empty() { "baseline".to_string() } else { used.join(" ") }
}

/// The build of the program, and its target processor.
pub fn compiler() -> String {
    let profile = if cfg!(debug_assertions) { "debug" } else { "release" };
    let used = features();
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

  position startpos moves e2e4 e7e5   set up a game from the start
  position fen FEN moves ...          set up a game from a position
  go movetime 1000                    search for a second
  go wtime 60000 btime 60000          search with these clocks (winc binc movestogo)
  go depth 12                         search twelve half-moves deep
  go nodes 100000 | mate 3 | infinite other limits; all of them combine
  go ponder ... | searchmoves e2e4    search in the opponent's time; these moves only
  go perft 5                          count positions five half-moves deep
  stop                                answer now
  ponderhit                           the expected move was played
  uci                                 list the options
  setoption name Hash value 64        set an option
  isready                             answer readyok when ready
  ucinewgame                          start another game
  d                                   show the board and the name of the opening
  eval                                explain the evaluation
  flip                                swap the colours
  bench 10                            search the bench positions ten half-moves deep
  compiler                            show how the program was built
  debug on                            more remarks
  quit                                end the program

engine --help lists the commands for a shell.";
