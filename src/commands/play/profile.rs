//! What is known of the player from game to game: one small file of text beside the games.
//!
//! A line for each rule set has the rating, its error, and the numbers of games and moves that it rests on. A line that
//! cannot be read costs that rule set its rating and nothing else; a file of a newer version is left alone.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tempfile::NamedTempFile;

use super::texts::Words;
use engine::input::{self, decode};
use engine::play::estimate::Estimate;
use engine::rules::RuleSet;

/// Name of the file.
const NAME: &str = "player.txt";
/// Its first line, but for the version.
const HEAD: &str = "Ajedrecista, what is known of the player, version";
/// The version that this program writes.
const VERSION: u32 = 1;
/// The second line, for a person.
const LEGEND: &str = "# rule set, rating in Elo, its error, games, moves";
/// Greatest size of the file in bytes: it never has more than a few hundred.
const MAX_BYTES: u64 = 1 << 16;
/// The numbers that a line may hold.
const RATINGS: std::ops::RangeInclusive<f64> = -1000.0..=5000.0;
const ERRORS: std::ops::RangeInclusive<f64> = 1.0..=2000.0;

/// What is known of a player under one rule set.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Known {
    /// The rating.
    pub estimate: Estimate,
    /// The games that it rests on.
    pub games: u32,
    /// The moves that it rests on.
    pub moves: u32,
}

/// The file with what is known of the player.
#[derive(Clone, Debug)]
pub struct Profile {
    path: PathBuf,
    words: Arc<Words>,
}

impl Profile {
    /// The profile in this folder, whether there is one yet or not.
    pub fn in_folder(folder: &Path, words: &Arc<Words>) -> Profile {
        Profile { path: folder.join(NAME), words: Arc::clone(words) }
    }

    /// What is known under a rule set, and a remark if the file cannot be read.
    pub fn known(&self, rule_set: RuleSet) -> (Known, Option<String>) {
        match self.read() {
            Ok(lines) => match lines.into_iter().find(|line| line.0 == rule_set.name()) {
                None => (Known::default(), None),
                Some((_, Some(known))) => (known, None),
                Some((name, None)) => {
                    let path = self.path.display().to_string();
                    let values = [("path", path.as_str()), ("rules", &name)];
                    (Known::default(), Some(self.words.fill("profile.damaged", &values)))
                }
            },
            Err(error) => (Known::default(), Some(error)),
        }
    }

    /// Replaces what is known under a rule set.
    ///
    /// # Errors
    /// A file that cannot be written or comes from a newer program. It is as it was then.
    pub fn keep(&self, rule_set: RuleSet, known: Known) -> Result<(), String> {
        let mut lines = self.read()?;
        lines.retain(|(name, known)| name != rule_set.name() && known.is_some());
        lines.push((rule_set.name().to_string(), Some(known)));
        let mut text = format!("{HEAD} {VERSION}\n{LEGEND}\n");
        for (name, known) in lines {
            let Some(Known { estimate, games, moves }) = known else { continue };
            let Estimate { mean, deviation } = estimate;
            text.push_str(&format!("{name} {mean:.0} {deviation:.0} {games} {moves}\n"));
        }
        self.write(&text).map_err(|error| self.words.of_file("file", &self.path, error))
    }

    fn write(&self, text: &str) -> io::Result<()> {
        let mut draft = NamedTempFile::new_in(self.path.parent().unwrap_or(Path::new(".")))?;
        draft.write_all(text.as_bytes())?;
        draft.as_file().sync_data()?;
        draft.persist(&self.path).map(drop).map_err(|error| error.error)
    }

    /// The lines by rule set; `None` for one that is damaged. A file that is none of these is as good as empty.
    fn read(&self) -> Result<Vec<(String, Option<Known>)>, String> {
        let bytes = match input::read(&self.path, MAX_BYTES) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(self.words.of_file("file", &self.path, error)),
            Ok(bytes) => bytes,
        };
        let text = decode(&bytes);
        let mut lines = text.lines();
        let version = lines.next().and_then(|line| line.strip_prefix(HEAD)?.trim().parse().ok());
        if version.is_some_and(|version: u32| version > VERSION) {
            let path = self.path.display().to_string();
            return Err(self.words.fill("profile.newer", &[("path", &path)]));
        }
        let is_content = |line: &&str| !line.starts_with('#') && !line.trim().is_empty();
        Ok(lines.filter(is_content).filter_map(read_line).collect())
    }
}

/// The rule set of a line with what it says; no rule set, no line.
fn read_line(line: &str) -> Option<(String, Option<Known>)> {
    let mut words = line.split_whitespace();
    let name = words.next()?.to_string();
    name.parse::<RuleSet>().ok()?;
    let mut known = || {
        let mut number = |range: std::ops::RangeInclusive<f64>| {
            words.next()?.parse().ok().filter(|value| range.contains(value))
        };
        let estimate = Estimate { mean: number(RATINGS)?, deviation: number(ERRORS)? };
        let (games, moves) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
        words.next().is_none().then_some(Known { estimate, games, moves })
    };
    let known = known();
    Some((name, known))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use analysis::texts::Lang;

    fn known(mean: f64, games: u32) -> Known {
        Known { estimate: Estimate { mean, deviation: 80.0 }, games, moves: 30 * games }
    }

    #[test]
    fn each_rule_set_is_remembered() {
        let place = tempfile::tempdir().unwrap();
        let profile = Profile::in_folder(place.path(), &Arc::new(Words::of(Lang::En)));
        assert_eq!(profile.known(RuleSet::Chess), (Known::default(), None));
        profile.keep(RuleSet::Chess, known(1320.0, 3)).unwrap();
        profile.keep(RuleSet::Atomic, known(900.0, 1)).unwrap();
        profile.keep(RuleSet::Chess, known(1350.0, 4)).unwrap();
        assert_eq!(profile.known(RuleSet::Chess), (known(1350.0, 4), None));
        assert_eq!(profile.known(RuleSet::Atomic), (known(900.0, 1), None));
        assert_eq!(profile.known(RuleSet::Horde), (Known::default(), None));
    }

    #[test]
    fn damage_costs_one_rating_and_is_told() {
        let place = tempfile::tempdir().unwrap();
        let profile = Profile::in_folder(place.path(), &Arc::new(Words::of(Lang::En)));
        for line in [
            "chess 1320 80",
            "chess x 80 3 90",
            "chess 1e9 80 3 90",
            "chess NaN 80 3 90",
            "chess 1320 80 3 90 1",
        ] {
            let text = format!("{HEAD} 1\n{LEGEND}\n{line}\natomic 900 80 1 30\n\u{0}\u{7f}\n");
            fs::write(&profile.path, text).unwrap();
            let (found, remark) = profile.known(RuleSet::Chess);
            assert_eq!(found, Known::default(), "{line}");
            assert!(remark.is_some_and(|remark| remark.contains("damaged")), "{line}");
            assert_eq!(profile.known(RuleSet::Atomic), (known(900.0, 1), None));
        }
        profile.keep(RuleSet::Chess, known(1000.0, 1)).unwrap();
        assert_eq!(profile.known(RuleSet::Chess), (known(1000.0, 1), None));
        assert_eq!(profile.known(RuleSet::Atomic), (known(900.0, 1), None));
        for bytes in [&b""[..], b"\xff\xfe\0", b"chess 1 2 3 4"] {
            fs::write(&profile.path, bytes).unwrap();
            assert_eq!(profile.known(RuleSet::Chess), (Known::default(), None), "{bytes:?}");
        }
    }

    #[test]
    fn a_file_of_a_newer_version_is_left_alone() {
        let place = tempfile::tempdir().unwrap();
        let profile = Profile::in_folder(place.path(), &Arc::new(Words::of(Lang::En)));
        let text = format!("{HEAD} 2\nchess 1320 80 3 90\n");
        fs::write(&profile.path, &text).unwrap();
        assert!(profile.known(RuleSet::Chess).1.unwrap().contains("newer program"));
        assert!(profile.keep(RuleSet::Chess, known(900.0, 1)).is_err());
        assert_eq!(fs::read_to_string(&profile.path).unwrap(), text);
    }
}
