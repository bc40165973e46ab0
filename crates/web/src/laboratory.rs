//! The laboratory on the position of a game: the search of a textbook's algorithm step by step, and all of them side by
//! side. Everything is the crate `lab`'s; here it is asked for in parts and kept within bounds.

use std::rc::Rc;

use serde_json::{Value as Json, json};

use engine::evaluation::Variant;
use engine::evaluation::variants::{Task, with_rules};
use lab::algorithms::{self, Algorithm};
use lab::compare::{Field, Truth, columns};
use lab::constants::Constants;
use lab::game::Position;
use lab::games::bounded::{Bound, Bounded};
use lab::games::chess::{self, ChessEvaluation};
use lab::page::Lesson;
use lab::record::record;
use lab::texts::{self, Lang};
use shell::table::Format;

use crate::request::GameText;
use crate::stop::Stop;

/// Most half-moves of a search.
const MAX_DEPTH: u32 = 6;

/// What there is to choose from: the algorithms, and the columns of a comparison.
pub fn choice(lang: Lang) -> Json {
    let texts = texts::of(lang);
    let names = algorithms::all().into_iter().map(|one| {
        let title = texts.get(&format!("title.{}", one.name)).to_string();
        json!({ "name": one.name, "title": title, "isExact": one.is_exact })
    });
    json!({
        "algorithms": names.collect::<Vec<_>>(),
        "columns": columns(&texts),
        "depth": MAX_DEPTH,
    })
}

/// The laboratory of a table.
#[derive(Debug)]
pub struct Laboratory {
    /// Most positions of one question.
    positions: u64,
    stop: Stop,
    /// What minimax says of the position that was compared last, to this depth.
    truth: Option<(GameText, u32, Truth)>,
}

impl Laboratory {
    /// A laboratory that looks at no more than this number of positions for one answer, and ends when `stop` is set.
    pub fn new(positions: u64, stop: Stop) -> Laboratory {
        Laboratory { positions, stop, truth: None }
    }

    /// The search of one or two algorithms as a lesson that a page shows, or the bound if it is beyond it.
    pub fn tree(
        &self,
        game: &GameText,
        names: &[String],
        depth: u32,
        lang: Lang,
    ) -> Result<Json, String> {
        let algorithms = names.iter().take(2).map(|name| algorithm(name));
        let algorithms = algorithms.collect::<Result<Vec<_>, _>>()?;
        let depth = sound(depth)?;
        let (bound, root) = self.root(game)?;
        let texts = texts::of(lang);
        let search = |one: &Algorithm| record(one, Constants::default(), &root, depth, &texts);
        let records: Vec<_> = algorithms.iter().map(search).collect();
        if bound.is_reached() {
            return self.beyond();
        }
        let titles =
            algorithms.iter().map(|one| texts.get(&format!("title.{}", one.name)).to_string());
        let title = titles.collect::<Vec<_>>().join(" / ");
        Ok(Lesson { title, command: None, records: &records, texts: &texts }.data())
    }

    /// One algorithm's row of the comparison by columns, or the bound if its search is beyond it.
    pub fn compare(
        &mut self,
        game: &GameText,
        name: &str,
        depth: u32,
        lang: Lang,
    ) -> Result<Json, String> {
        let algorithm = algorithm(name)?;
        let depth = sound(depth)?;
        let truth = match self.truth.take() {
            Some((known, to, truth)) if known == *game && to == depth => truth,
            _ => {
                let (bound, root) = self.root(game)?;
                let field = Field::new(vec![root], depth, || ());
                if bound.is_reached() {
                    return self.beyond();
                }
                field.truth
            }
        };
        self.truth = Some((game.clone(), depth, truth.clone()));
        let (bound, root) = self.root(game)?;
        let field = Field { positions: vec![root], depth, truth };
        let row = field.row(&algorithm, Constants::default(), || ());
        if bound.is_reached() {
            return self.beyond();
        }
        let rows: Vec<_> = row.into_iter().collect();
        let table = field.table(&rows, &texts::of(lang)).write(Format::Json);
        let table: Json = serde_json::from_str(&table).map_err(|error| error.to_string())?;
        Ok(json!({ "row": table[0] }))
    }

    /// The answer to a question that is too great.
    fn beyond(&self) -> Result<Json, String> {
        Ok(json!({ "beyond": self.positions }))
    }

    /// The end of the game as a root, within a bound of its own.
    fn root(&self, game: &GameText) -> Result<(Rc<Bound>, Position), String> {
        let position = with_rules(game.rule_set()?, FindEnd(game))?;
        self.stop.begin();
        let stop = self.stop.clone();
        let bound = Bound::new(self.positions, move || stop.is_set());
        let root = Bounded::position(position, &bound);
        if root.moves().is_empty() {
            return Err("the game is over".to_string());
        }
        Ok((bound, root))
    }
}

fn algorithm(name: &str) -> Result<Algorithm, String> {
    algorithms::named(name).map_err(|error| error.to_string())
}

fn sound(depth: u32) -> Result<u32, String> {
    if (1..=MAX_DEPTH).contains(&depth) {
        Ok(depth)
    } else {
        Err(format!("depth: use 1 to {MAX_DEPTH}"))
    }
}

/// The end of a game as a position of the laboratory.
struct FindEnd<'a>(&'a GameText);

impl Task for FindEnd<'_> {
    type Outcome = Result<Position, String>;

    fn run<P: Variant>(self) -> Self::Outcome {
        let played = self.0.played::<P>()?;
        Ok(chess::of(played.game.position().clone(), ChessEvaluation::Linear))
    }
}
