//! `engine data`: looks at files of recorded positions, checks, shuffles, splits and relabels them.

use std::error::Error;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};

use super::{CommandResult, Done, EvaluationArgs, RulesArgs, ThreadsArgs, answer, print};
use engine::evaluation::Variant;
use engine::evaluation::variants::{Task, with_rules};
use engine::limits::Limits;
use shell::files::{FileKind, OutputFile, check};
use shell::interrupt;
use shell::progress::{Progress, Unit, note};
use shell::table::{Cell, Format, Table};
use workshop::training::files::{self, Census, DataFile, Header};
use workshop::training::record::{self, Record, TAGS};
use workshop::training::relabel::{GROUP, RelabelOptions, relabel};
use workshop::training::shuffle::Shuffler;

/// A file of positions.
pub const DATA: FileKind = FileKind { name: "a file of positions", matches: files::is_data };

/// Positions that are searched before the next are read: groups enough for many threads.
const RELABELLED_AT_ONCE: usize = 256 * GROUP;

/// The commands of `data`.
#[derive(Debug, Subcommand)]
pub enum DataCommand {
    /// Print positions with their scores and results
    Show(ShowRecordsArgs),
    /// Count positions, games, results and broken records
    Check(CheckRecordsArgs),
    /// Put the positions of all files in random order, as training wants them
    Shuffle(ShuffleArgs),
    /// Divide a file in two by games
    Split(SplitArgs),
    /// Search the positions of a file again, or those a random move away, for better scores or more positions
    Relabel(RelabelArgs),
}

/// Arguments of `data show`.
#[derive(Debug, Args)]
pub struct ShowRecordsArgs {
    /// A file of positions
    file: PathBuf,
    #[command(flatten)]
    rules: RulesArgs,
    /// Number of the first record to show, from 0
    #[arg(long, default_value_t = 0)]
    from: u64,
    /// Records to show
    #[arg(long, default_value_t = 20)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=100_000))]
    count: u32,
    /// Form of the table
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// Arguments of `data check`.
#[derive(Debug, Args)]
pub struct CheckRecordsArgs {
    /// Files of positions
    #[arg(required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    rules: RulesArgs,
    /// Form of the table
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// Arguments of `data shuffle`.
#[derive(Debug, Args)]
pub struct ShuffleArgs {
    /// Files of positions
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The file to write to
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    #[command(flatten)]
    rules: RulesArgs,
    /// Seed of the order
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Replace the file even if it is an input or holds something else
    #[arg(long)]
    force: bool,
}

/// Arguments of `data split`.
#[derive(Debug, Args)]
pub struct SplitArgs {
    /// A file of positions
    file: PathBuf,
    /// The file to write a share of the games to
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// The file to write all other games to
    #[arg(long, value_name = "FILE")]
    rest: PathBuf,
    /// The share of the games, 0 to 1
    #[arg(long, default_value_t = 0.1, value_parser = super::share)]
    share: f64,
    #[command(flatten)]
    rules: RulesArgs,
    /// Replace the files even if one is an input or holds something else
    #[arg(long)]
    force: bool,
}

/// Arguments of `data relabel`.
#[derive(Debug, Args)]
pub struct RelabelArgs {
    /// A file of positions
    file: PathBuf,
    /// The file to write to
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Nodes after which the search of a position begins no further iteration
    #[arg(long, default_value_t = 5000)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Positions to search, the first of the file [default: all]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    count: Option<u64>,
    /// Random legal moves to play from each position before its search: for positions that games hardly have
    #[arg(long, default_value_t = 0)]
    #[arg(value_parser = clap::value_parser!(u32).range(0..=100))]
    random_moves: u32,
    /// Seed of the random moves
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Positions to search at the same time
    #[command(flatten)]
    threads: ThreadsArgs,
    #[command(flatten)]
    evaluation: EvaluationArgs,
    #[command(flatten)]
    rules: RulesArgs,
    /// Replace the file even if it is an input or holds something else
    #[arg(long)]
    force: bool,
}

impl DataCommand {
    /// Runs the command. The exit code says no if a checked file has faults.
    pub fn run(self) -> CommandResult {
        match self {
            DataCommand::Show(args) => args.run()?,
            DataCommand::Check(args) => return args.run(),
            DataCommand::Shuffle(args) => args.run()?,
            DataCommand::Split(args) => args.run()?,
            DataCommand::Relabel(args) => args.run()?,
        }
        Ok(answer(true))
    }
}

impl ShowRecordsArgs {
    fn run(self) -> Done {
        let mut file = DataFile::open(&self.file, self.rules.rule_set)?;
        let mut block = Vec::new();
        file.read(self.from, self.count as usize, &mut block)?;
        let columns =
            vec!["record", "board", "to move", "score", "result", "ply", "own term", "game"];
        let records = block.chunks_exact(file.layout().bytes());
        let rows = records.zip(self.from..).map(|(bytes, number)| {
            let mut row = vec![Cell::Count(number)];
            row.extend(match Record::read(bytes) {
                Some(record) => show(&record),
                None if files::is_data(bytes) => vec![Cell::text("(a header)")],
                None => vec![Cell::text("(broken)")],
            });
            row.resize(columns.len(), Cell::Empty);
            row
        });
        let table = Table { rows: rows.collect(), columns };
        print(table.write(self.format).trim_end())
    }
}

fn show(record: &Record) -> Vec<Cell> {
    let result = ["0-1", "1/2-1/2", "1-0"];
    vec![
        Cell::text(record.board.to_string()),
        Cell::text(record.turn.fold_wb("White", "Black")),
        Cell::text(format!("{:+}", record.score)),
        Cell::text(result.get(usize::from(record.result)).copied().unwrap_or("?")),
        Cell::Count(record.ply.into()),
        Cell::text(format!("{:+}", record.own_term)),
        Cell::Count(record.game.into()),
    ]
}

/// Sums over the positions of a file.
#[derive(Default)]
struct Sums {
    results: [u64; 3],
    scores: f64,
    pieces: u64,
}

impl Sums {
    fn add(&mut self, record: &Record) {
        self.results[usize::from(record.result.min(2))] += 1;
        self.scores += f64::from(record.score.unsigned_abs());
        self.pieces += record.board.occupied().count() as u64;
    }
}

impl CheckRecordsArgs {
    fn run(self) -> CommandResult {
        let mut rows = Vec::new();
        let mut is_sound = true;
        for path in &self.files {
            let mut file = DataFile::open(path, self.rules.rule_set)?;
            let progress = Progress::new(file.length(), Unit::Bytes);
            let mut sums = Sums::default();
            let census = file.for_each(
                |bytes| {
                    Record::read(bytes).iter().for_each(|record| sums.add(record));
                    true
                },
                |bytes| progress.add(bytes),
            )?;
            drop(progress);
            report_faults(path, &census);
            is_sound &= census.broken == 0 && census.incomplete == 0;
            rows.push(census_row(path, &file, &census, &sums));
        }
        let columns = vec![
            "file",
            "positions",
            "order",
            "broken",
            "White won %",
            "drawn %",
            "Black won %",
            "mean score",
            "mean pieces",
        ];
        let table = Table { columns, rows };
        print(table.write(self.format).trim_end())?;
        Ok(answer(is_sound))
    }
}

fn census_row(path: &Path, file: &DataFile, census: &Census, sums: &Sums) -> Vec<Cell> {
    let count = census.records.max(1) as f64;
    let share = |result: usize| Cell::Measure(100.0 * sums.results[result] as f64 / count, 1);
    let order = match file.header() {
        None => "as played, no header",
        Some(header) if header.is_shuffled && census.headers == 1 => "random",
        Some(header) if header.is_shuffled => "joined",
        Some(_) => "as played",
    };
    vec![
        Cell::text(path.display().to_string()),
        Cell::Count(census.records),
        Cell::text(order),
        Cell::Count(census.broken),
        share(2),
        share(1),
        share(0),
        Cell::Measure(sums.scores / count, 0),
        Cell::Measure(sums.pieces as f64 / count, 1),
    ]
}

/// Names faults that do not keep a file from being used.
pub fn report_faults(path: &Path, census: &Census) {
    let path = path.display();
    if let Some(first) = census.first_broken {
        note(&format!("note: {path}: {} broken records, the first at byte {first}", census.broken));
    }
    if census.incomplete > 0 {
        note(&format!(
            "note: {path}: the last record is cut off after {} bytes",
            census.incomplete
        ));
    }
}

impl ShuffleArgs {
    fn run(self) -> Done {
        let rule_set = self.rules.rule_set;
        let open = |path: &PathBuf| DataFile::open(path, rule_set);
        let files = self.files.iter().map(open).collect::<Result<Vec<_>, _>>()?;
        let mut output = OutputFile::create(&self.output, DATA, &self.files, self.force)?;
        let total = files.iter().map(DataFile::length).sum();
        let bytes = record::layout_of(rule_set).bytes();
        let full = |fault| format!("{}: {fault}", self.output.display());
        let mut shuffler = Shuffler::new(output.folder(), bytes, total, self.seed).map_err(full)?;
        let progress = Progress::new(2 * total, Unit::Bytes);
        let mut records = 0;
        for (mut file, path) in files.into_iter().zip(&self.files) {
            let mut fault = None;
            let push = |record: &[u8]| {
                fault = shuffler.push(record).err();
                fault.is_none()
            };
            let census = file.for_each(push, |bytes| progress.add(bytes))?;
            fault.map_or(Ok(()), |fault| Err(full(fault)))?;
            report_faults(path, &census);
            file.trust(&census)?;
            records += census.records;
        }
        let header = Header { rule_set, is_shuffled: true };
        output.write(&header.to_bytes())?;
        shuffler.finish(output.file(), |bytes| progress.add(bytes)).map_err(full)?;
        drop(progress);
        output.finish()?;
        print(&format!("{records} positions in random order in {}", self.output.display()))
    }
}

impl SplitArgs {
    fn run(self) -> Done {
        let rule_set = self.rules.rule_set;
        let inputs = [self.file.clone()];
        let outputs = [(Some(self.output.as_path()), DATA), (Some(self.rest.as_path()), DATA)];
        check(&outputs, &inputs, self.force)?;
        let mut file = DataFile::open(&self.file, rule_set)?;
        let is_shuffled = file.require_shuffled().is_ok();
        let mut parts = [
            Part::create(&self.output, &inputs, self.force, Header { rule_set, is_shuffled })?,
            Part::create(&self.rest, &inputs, self.force, Header { rule_set, is_shuffled })?,
        ];
        let limit = (self.share * f64::from(TAGS)) as u16;
        let progress = Progress::new(file.length(), Unit::Bytes);
        let mut fault = None;
        let census = file.for_each(
            |record| {
                let part = usize::from(record::tag(record) >= limit);
                fault = parts[part].push(record).err();
                fault.is_none()
            },
            |bytes| progress.add(bytes),
        )?;
        drop(progress);
        fault.map_or(Ok(()), Err)?;
        report_faults(&self.file, &census);
        for part in parts {
            let (records, path) = (part.records, part.path.clone());
            part.finish()?;
            print(&format!("{records} positions in {}", path.display()))?;
        }
        Ok(())
    }
}

impl RelabelArgs {
    fn run(self) -> Done {
        with_rules(self.rules.rule_set, &self)
    }
}

impl Task for &RelabelArgs {
    type Outcome = Done;

    /// An interruption keeps what was searched before it.
    fn run<P: Variant>(self) -> Done {
        if P::EXTRAS > 0 {
            let more = "play games with more nodes instead: engine selfplay --nodes";
            return Err(
                format!("records of {} hold no whole positions; {more}", P::RULE_SET).into()
            );
        }
        let evaluator = self.evaluation.read::<P>()?;
        let mut file = DataFile::open(&self.file, P::RULE_SET)?;
        let is_shuffled = file.require_shuffled().is_ok();
        let header = Header { rule_set: P::RULE_SET, is_shuffled };
        let inputs = [self.file.clone()];
        let mut part = Part::create(&self.output, &inputs, self.force, header)?;
        let options = RelabelOptions {
            limits: Limits::soft_nodes(self.nodes),
            random_moves: self.random_moves,
            seed: self.seed,
            threads: self.threads.count(),
        };
        // A header is a record too, without a position.
        let first = u64::from(file.header().is_some());
        let end = file.records().min(first.saturating_add(self.count.unwrap_or(u64::MAX)));
        interrupt::watch();
        let progress = Progress::new(end - first, Unit::Count("positions"));
        let mut block = Vec::new();
        for start in (first..end).step_by(RELABELLED_AT_ONCE) {
            let most = RELABELLED_AT_ONCE.min((end - start) as usize);
            file.read(start, most, &mut block)?;
            let records = block.chunks_exact(file.layout().bytes()).filter_map(Record::read);
            let records: Vec<Record> = records.collect();
            let better = relabel(&records, start, &evaluator, &options, |count| {
                progress.add(count as u64);
                !interrupt::is_set()
            })?;
            let mut bytes = Vec::new();
            for record in &better {
                bytes.clear();
                record.write(file.layout(), &mut bytes);
                part.push(&bytes)?;
            }
            if interrupt::is_set() {
                break;
            }
        }
        drop(progress);
        let kept = part.records;
        part.finish()?;
        print(&format!("{kept} positions with new scores in {}", self.output.display()))
    }
}

/// A file that a part of another one is written to.
struct Part {
    path: PathBuf,
    output: OutputFile,
    buffer: Vec<u8>,
    records: u64,
}

impl Part {
    /// Bytes that are written at once, about.
    const BUFFER: usize = 1 << 20;

    fn create(
        path: &Path,
        inputs: &[PathBuf],
        force: bool,
        header: Header,
    ) -> Result<Part, Box<dyn Error>> {
        let output = OutputFile::create(path, DATA, inputs, force)?;
        let buffer = header.to_bytes();
        Ok(Part { path: path.to_path_buf(), output, buffer, records: 0 })
    }

    fn push(&mut self, record: &[u8]) -> Result<(), Box<dyn Error>> {
        self.buffer.extend(record);
        self.records += 1;
        if self.buffer.len() >= Part::BUFFER { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<(), Box<dyn Error>> {
        self.output.write(&self.buffer)?;
        self.buffer.clear();
        Ok(())
    }

    fn finish(mut self) -> Result<(), Box<dyn Error>> {
        self.flush()?;
        Ok(self.output.finish()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::{Board, ByColor, Color};

    #[test]
    fn the_worst_score_counts_like_the_best() {
        let (board, extras) = (Board::new(), ByColor::default());
        let (turn, game, ply, own_term) = (Color::White, 0, 0, 0);
        let record = |score| Record {
            board: board.clone(),
            extras,
            score,
            result: 1,
            turn,
            game,
            ply,
            own_term,
        };
        let mut sums = Sums::default();
        sums.add(&record(i16::MIN));
        sums.add(&record(i16::MAX));
        assert_eq!(sums.scores, 65_535.0);
    }
}
