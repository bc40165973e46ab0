//! Building a book from games, and learning: a better book from a book and games.
//!
//! **Building.** The weight of a move counts its results, whichever player made it: 2 for a win, 1 for a
//! draw (Polyglot's convention). A line of theory, with the result `*`, adds its header `Weight` to each of
//! its moves. Moves of weight 0 are left out. If the weights of a position exceed sixteen bits, all of them
//! are scaled down alike.
//!
//! **Learning.** Only moves of the learning player count. The weight of a known move is multiplied by
//! 2 (4 + wins + draws/2) / (8 + games): the prior is eight games at one half. So one game changes a weight
//! by at most an eighth, success at most doubles it, and no weight drops to zero. A new move enters at the
//! bottom, with 2 for a win and 1 for a draw. The sources call this reinforcement from earlier games.
//!
//! Memory is bounded by [`runs`](super::runs). Games are read one at a time.

use std::fmt;
use std::io::{self, BufRead, Write};
use std::iter::Peekable;
use std::path::Path;

use shakmaty::{ByColor, Color, KnownOutcome};

use super::runs::{Merge, RunEntry, Runs};
use engine::book::Book;
use engine::book::games::{self, Header, PgnGame, Place, ReadGame};
use engine::book::polyglot::{BookEntry, Raw};
use engine::pgn::Broken;

/// Records held in memory: 96 MB.
pub const CAPACITY: usize = 1 << 22;

/// Prior of a known move: games at one half.
const PRIOR_GAMES: u64 = 8;

/// Filters for games and moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuildOptions {
    /// Half-moves to read of a game.
    pub plies: usize,
    /// Least rating of both players.
    pub min_elo: u32,
    /// True to leave out draws and unfinished games.
    pub decisive: bool,
    /// Least number of games with a move.
    pub min_games: u32,
    /// Name, or part of it, of the player whose games are learned from.
    pub learner: Option<String>,
}

/// The number of games, by use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GameCounts {
    /// Games used.
    pub used: u64,
    /// Games left out, by reason.
    pub left_out: LeftOut,
    /// Unreadable games.
    pub broken: u64,
}

/// The number of games that were left out, by reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// A rating is missing or too low.
    pub rating: u64,
    /// Neither player is the one whose games are learned from.
    pub player: u64,
    /// Neither a result nor a weight that counts.
    pub result: u64,
}

impl GameCounts {
    /// All games.
    pub fn all(&self) -> u64 {
        self.used + self.left_out.all() + self.broken
    }
}

impl LeftOut {
    /// All games left out.
    pub fn all(&self) -> u64 {
        self.rating + self.player + self.result
    }
}

impl fmt::Display for LeftOut {
    /// The number, and the reasons if there are any.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} left out", self.all())?;
        let reasons = [
            (self.rating, "by rating"),
            (self.player, "by player"),
            (self.result, "without a result or weight that counts"),
        ];
        let reasons = reasons.iter().filter(|(count, _)| *count > 0);
        let reasons: Vec<String> = reasons.map(|(count, text)| format!("{count} {text}")).collect();
        if reasons.is_empty() { Ok(()) } else { write!(f, " ({})", reasons.join(", ")) }
    }
}

/// The size of a book.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extent {
    /// Positions in it.
    pub positions: u64,
    /// Moves in it.
    pub moves: u64,
}

/// A book under construction.
#[derive(Debug)]
pub struct Builder {
    plan: BuildOptions,
    runs: Runs,
    counts: GameCounts,
}

impl BuildOptions {
    /// The sides whose moves count.
    fn sides(&self, header: &Header) -> ByColor<bool> {
        header.players.as_ref().map(|name| match &self.learner {
            None => true,
            Some(learner) => name.to_lowercase().contains(&learner.to_lowercase()),
        })
    }

    /// True if the headers pass the filters.
    fn wants(&self, header: &Header) -> bool {
        let sides = self.sides(header);
        self.has_ratings(header) && (sides.white || sides.black)
    }

    fn has_ratings(&self, header: &Header) -> bool {
        header.elo.white.min(header.elo.black) >= self.min_elo
    }

    /// The points of a game for each side; `None` if the game is left out.
    fn scores(&self, game: &PgnGame) -> Option<ByColor<u32>> {
        match game.result {
            Some(KnownOutcome::Decisive { winner }) => {
                Some(ByColor::new_with(|side: Color| if side == winner { 2 } else { 0 }))
            }
            _ if self.decisive => None,
            Some(KnownOutcome::Draw) => Some(ByColor { white: 1, black: 1 }),
            None if self.learner.is_some() => None,
            None => game.header.weight.map(|weight| ByColor { white: weight, black: weight }),
        }
    }
}

impl Builder {
    /// Starts a book. Records beyond `capacity` go to unnamed files in `folder`.
    pub fn new(plan: BuildOptions, capacity: usize, folder: &Path) -> Builder {
        Builder { plan, runs: Runs::new(capacity, folder), counts: GameCounts::default() }
    }

    /// Reads games in PGN. `report` receives the place in the text and the error of each unreadable game, and what
    /// is ignored in others.
    ///
    /// # Errors
    /// A disk that cannot be written to.
    pub fn read(
        &mut self,
        text: impl BufRead,
        report: &mut dyn FnMut(Place, &str),
    ) -> io::Result<()> {
        let Builder { plan, runs, counts } = self;
        let mut result = Ok(());
        games::read(
            text,
            plan.plies,
            &|header| plan.wants(header),
            &mut |place, found| match found {
                ReadGame::Game(game) => {
                    for Broken { line, fault, .. } in &game.ignored {
                        report(Place { line: *line, ..place }, &format!("{fault} (ignored)"));
                    }
                    match plan.scores(&game) {
                        Some(scores) => {
                            counts.used += 1;
                            if result.is_ok() {
                                result = add(runs, &game, plan.sides(&game.header), scores);
                            }
                        }
                        None => counts.left_out.result += 1,
                    }
                }
                ReadGame::Unwanted(header) if !plan.has_ratings(&header) => {
                    counts.left_out.rating += 1;
                }
                ReadGame::Unwanted(_) => counts.left_out.player += 1,
                ReadGame::Broken(error) => {
                    counts.broken += 1;
                    report(place, &error);
                }
            },
        );
        result
    }

    /// The number of games so far, by use.
    pub fn counts(&self) -> GameCounts {
        self.counts
    }

    /// Writes the book. `old`: the book to learn from, or an empty one.
    ///
    /// # Errors
    /// A disk that cannot be read or written.
    pub fn write(self, old: &Book, file: &mut impl Write) -> io::Result<Extent> {
        let mut extent = Extent::default();
        let mut old = old.entries().iter().map(BookEntry::from).peekable();
        let mut merge = self.runs.merge()?;
        let mut next = merge.next_move()?;
        loop {
            let keys = [next.map(|record| record.key), old.peek().map(|entry| entry.key)];
            let Some(key) = keys.into_iter().flatten().min() else { break };
            let known = known(&mut old, key);
            let played = played(&mut merge, &mut next, key)?;
            let entries = entries(&known, &played, self.plan.min_games);
            extent.positions += u64::from(!entries.is_empty());
            extent.moves += entries.len() as u64;
            for entry in entries {
                file.write_all(&Raw::from(entry))?;
            }
        }
        file.flush()?;
        Ok(extent)
    }
}

/// Adds the points of a game to the moves of the `sides` that count.
fn add(
    runs: &mut Runs,
    game: &PgnGame,
    sides: ByColor<bool>,
    scores: ByColor<u32>,
) -> io::Result<()> {
    for ply in &game.moves {
        if *sides.get(ply.by) {
            let score = *scores.get(ply.by);
            runs.push(RunEntry { key: ply.key, code: ply.code, games: 1, score })?;
        }
    }
    Ok(())
}

/// Takes the entries of the position `key` from the old book.
fn known(old: &mut Peekable<impl Iterator<Item = BookEntry>>, key: u64) -> Vec<BookEntry> {
    std::iter::from_fn(|| old.next_if(|entry| entry.key == key)).collect()
}

/// Takes the moves of the position `key` from the games; `next` is the first unread one.
fn played(merge: &mut Merge, next: &mut Option<RunEntry>, key: u64) -> io::Result<Vec<RunEntry>> {
    let mut played = Vec::new();
    while let Some(record) = next.filter(|record| record.key == key) {
        played.push(record);
        *next = merge.next_move()?;
    }
    Ok(played)
}

/// The entries of one position, the heaviest first: the `known` ones after learning, and new ones for moves
/// `played` in enough games.
fn entries(known: &[BookEntry], played: &[RunEntry], min_games: u32) -> Vec<BookEntry> {
    let is_enough = |record: &&RunEntry| record.games >= min_games;
    let learnt = known.iter().map(|entry| {
        let record = played.iter().filter(is_enough).find(|record| record.code == entry.code);
        let weight = u64::from(entry.weight);
        (record.map_or(weight, |record| reinforced(weight, record)), *entry)
    });
    let is_new = |record: &&RunEntry| known.iter().all(|entry| entry.code != record.code);
    let new = played.iter().filter(is_enough).filter(is_new).filter(|record| record.score > 0);
    let new = new.map(|&RunEntry { key, code, score, .. }| {
        (score.into(), BookEntry { key, code, weight: 0, learn: 0 })
    });
    let weighed: Vec<(u64, BookEntry)> = learnt.chain(new).collect();
    let heaviest = weighed.iter().map(|(weight, _)| *weight).max().unwrap_or(0);
    let mut entries: Vec<BookEntry> = weighed
        .into_iter()
        .map(|(weight, entry)| BookEntry { weight: scaled(weight, heaviest), ..entry })
        .collect();
    entries.sort_by_key(|entry| (std::cmp::Reverse(entry.weight), entry.code));
    entries
}

/// The weight of a known move after the games of `record`; see the module.
fn reinforced(weight: u64, record: &RunEntry) -> u64 {
    let games = PRIOR_GAMES + u64::from(record.games);
    let score = PRIOR_GAMES + u64::from(record.score);
    ((weight * score + games / 2) / games).max(weight.min(1))
}

/// Scales a weight so that the heaviest of its position fits into sixteen bits and none becomes 0.
fn scaled(weight: u64, heaviest: u64) -> u16 {
    let greatest = u64::from(u16::MAX);
    let scaled = if heaviest > greatest {
        (weight * greatest / heaviest).max(weight.min(1))
    } else {
        weight
    };
    u16::try_from(scaled).unwrap_or(u16::MAX)
}

#[cfg(test)]
mod tests {
    use shakmaty::{Chess, Position};

    use super::*;
    use engine::book::BookMove;
    use engine::rules::KeyedPosition;

    fn plan() -> BuildOptions {
        BuildOptions { plies: 40, min_elo: 0, decisive: false, min_games: 1, learner: None }
    }

    fn built(plan: BuildOptions, old: &Book, text: &str) -> (Book, GameCounts) {
        let folder = tempfile::tempdir().unwrap();
        let mut builder = Builder::new(plan, CAPACITY, folder.path());
        builder.read(text.as_bytes(), &mut |_, _| {}).unwrap();
        let counts = builder.counts();
        let mut bytes = Vec::new();
        let extent = builder.write(old, &mut bytes).unwrap();
        assert_eq!(extent.moves as usize * 16, bytes.len());
        let book = if bytes.is_empty() { Book::empty() } else { Book::from_bytes(bytes).unwrap() };
        (book, counts)
    }

    /// The moves and weights at the start of the game.
    fn first(book: &Book) -> Vec<(String, u16)> {
        let moves = book.moves(&KeyedPosition::new(Chess::default()));
        let text = |BookMove { m, weight }: BookMove| (m.to_string(), weight);
        moves.into_iter().map(text).collect()
    }

    fn weights(plan: BuildOptions, text: &str) -> Vec<(String, u16)> {
        first(&built(plan, &Book::empty(), text).0)
    }

    fn pairs(wanted: &[(&str, u16)]) -> Vec<(String, u16)> {
        wanted.iter().map(|(m, weight)| (m.to_string(), *weight)).collect()
    }

    const GAMES: &str = "1. e4 e5 1-0\n\n1. e4 c5 1/2-1/2\n\n1. d4 d5 1-0\n\n1. c4 e5 0-1\n\n\
        1. b3 e5 *\n\n[Weight \"7\"]\n[Result \"*\"]\n\n1. Nf3 d5 *\n";

    #[test]
    fn weights_count_results() {
        let wanted = pairs(&[("Ng1-f3", 7), ("e2-e4", 3), ("d2-d4", 2)]);
        assert_eq!(weights(plan(), GAMES), wanted);
        let (book, counts) = built(plan(), &Book::empty(), GAMES);
        let left_out = LeftOut { result: 1, ..LeftOut::default() };
        assert_eq!(counts, GameCounts { used: 5, left_out, broken: 0 });
        let mut now = KeyedPosition::new(Chess::default());
        now = now.play(book.moves(&now)[1].m);
        // Black lost with e5 and drew with c5.
        let replies: Vec<u16> = book.moves(&now).iter().map(|known| known.weight).collect();
        assert_eq!(replies, [1]);
    }

    #[test]
    fn filters_leave_games_and_moves_out() {
        let decisive = BuildOptions { decisive: true, ..plan() };
        assert_eq!(weights(decisive, GAMES), pairs(&[("d2-d4", 2), ("e2-e4", 2)]));
        let often = BuildOptions { min_games: 2, ..plan() };
        assert_eq!(weights(often, GAMES), pairs(&[("e2-e4", 3)]));
        let strong = BuildOptions { min_elo: 2000, ..plan() };
        let rated = "[WhiteElo \"2200\"]\n[BlackElo \"2000\"]\n\n1. a3 e5 1-0\n";
        assert_eq!(weights(strong, &format!("{GAMES}\n{rated}")), pairs(&[("a2-a3", 2)]));
        let short = BuildOptions { plies: 1, ..plan() };
        assert_eq!(built(short, &Book::empty(), GAMES).0.entries().len(), 3);
    }

    #[test]
    fn order_and_memory_size_make_no_difference() {
        let build = |text: &str, capacity| {
            let folder = tempfile::tempdir().unwrap();
            let mut builder = Builder::new(plan(), capacity, folder.path());
            builder.read(text.as_bytes(), &mut |_, _| {}).unwrap();
            let mut bytes = Vec::new();
            builder.write(&Book::empty(), &mut bytes).unwrap();
            bytes
        };
        let straight = ["1. e4 e5 1-0\n", "1. d4 d5 1/2-1/2\n", "1. e4 e5 0-1\n", "1. d4 c5 1-0\n"];
        let mut turned = straight;
        turned.reverse();
        let wanted = build(&straight.join("\n"), CAPACITY);
        assert_eq!(build(&turned.join("\n"), CAPACITY), wanted);
        assert_eq!(build(&straight.join("\n"), 2), wanted);
    }

    #[test]
    fn great_sums_are_scaled_down_alike() {
        let text = "[Weight \"4000000\"]\n\n1. e4 *\n\n[Weight \"1000000\"]\n\n1. d4 *\n\n\
            [Weight \"1\"]\n\n1. c4 *\n";
        let wanted = pairs(&[("e2-e4", 65535), ("d2-d4", 16383), ("c2-c4", 1)]);
        assert_eq!(weights(plan(), text), wanted);
    }

    #[test]
    fn success_reinforces_a_move_and_failure_weakens_it() {
        let theory = "[Weight \"100\"]\n\n1. e4 e5 *\n\n[Weight \"100\"]\n\n1. d4 d5 *\n";
        let (old, _) = built(plan(), &Book::empty(), theory);
        let learning = BuildOptions { learner: Some("Ajedrecista".to_string()), ..plan() };
        let game = |white: &str, black: &str, moves: &str, result: &str| {
            format!(
                "[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n\n{moves} {result}\n\n"
            )
        };
        let me = "ajedrecista 0.2";
        let games = [
            game(me, "X", "1. e4 e5", "1-0"),
            game(me, "X", "1. d4 d5", "0-1"),
            game(me, "X", "1. c4 c5", "1/2-1/2"),
            game("X", "Y", "1. e4 e5", "0-1"),
            game(me, "X", "1. b3 b6", "*"),
        ];
        let (book, counts) = built(learning.clone(), &old, &games.concat());
        let left_out = LeftOut { player: 1, result: 1, rating: 0 };
        assert_eq!(counts, GameCounts { used: 3, left_out, broken: 0 });
        let reasons = "2 left out (1 by player, 1 without a result or weight that counts)";
        assert_eq!(counts.left_out.to_string(), reasons);
        // 100 × 10/9, 100 × 8/9, and a draw with a new move.
        assert_eq!(first(&book), pairs(&[("e2-e4", 111), ("d2-d4", 89), ("c2-c4", 1)]));
        // The opponent's moves keep their weights.
        let now = KeyedPosition::new(Chess::default());
        let now = now
            .play(*now.position().legal_moves().iter().find(|m| m.to_string() == "e2-e4").unwrap());
        assert_eq!(book.moves(&now)[0].weight, 100);
        let black = built(learning, &old, &game("X", me, "1. e4 e5", "0-1")).0;
        assert_eq!(black.moves(&now)[0].weight, 111);
        assert_eq!(first(&black), pairs(&[("d2-d4", 100), ("e2-e4", 100)]));
    }

    #[test]
    fn weights_neither_vanish_nor_explode() {
        let record = |games, score| RunEntry { key: 1, code: 1, games, score };
        assert_eq!(reinforced(1, &record(1000, 0)), 1);
        assert_eq!(reinforced(0, &record(1000, 2000)), 0);
        assert_eq!(reinforced(65535, &record(u32::MAX, u32::MAX)), 65535);
        assert!(reinforced(1000, &record(1_000_000, 2_000_000)) <= 2000);
    }
}
