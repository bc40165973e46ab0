//! The table at which one plays: every question of a page is answered here.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::thread;
use std::time::Duration;

use serde::Serialize;
use serde_json::{Value as Json, json};
use shakmaty::{Color, Move};

use analysis::analyst::{Analyst, AnalystOptions, analyst};
use analysis::judgement::{pieces, win_chance};
use analysis::review::score_text;
use analysis::{Terms, explain, texts as analysis_texts};
use engine::book::own::is_book_remark;
use engine::evaluation::Variant;
use engine::evaluation::variants::{Task, with_rules};
use engine::limits::Limits;
use engine::pgn::{Course, line_text};
use engine::play::draw::agrees_to_draw;
use engine::play::estimate::{Estimate, Estimator, Evidence, MOVES_OF_A_RESULT};
use engine::play::strength;
use engine::player::{Engine, Listener};
use engine::rules::RuleSet;
use engine::rules::notation::{self, MoveError};
use engine::score::{Meaning, Score};
use engine::search::report::{Bound, Outcome, Report, Reporter};
use engine::settings::Settings;
use shell::texts::{Lang, Texts};

use crate::laboratory::{self, Laboratory};
use crate::request::{self, Clock, GameText, LONGEST, Opponent, Request, color_name};
use crate::review::ReviewUnderWay;
use crate::stop::Stop;
use crate::view::{self, View};
use crate::{chess960, odds, record, texts};

/// Time of the full strength for a move without clocks, in milliseconds.
const MOVE_TIME_MS: i64 = 1000;
/// Time for a hint, in milliseconds.
const HINT_MS: i64 = 400;
/// Tables of the player and of the adviser, in MiB.
const PLAYER_HASH_MB: usize = 16;
const ADVISER_HASH_MB: usize = 8;
/// How many times fewer nodes a quick verdict has.
const QUICKER: u64 = 8;
/// Moves of a line that are shown.
const SHOWN: usize = 10;
/// Pause between two looks at a search under way.
const PAUSE: Duration = Duration::from_millis(5);

/// What the machine can do.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Search threads.
    pub threads: usize,
    /// Nodes for each position of a review.
    pub nodes: u64,
    /// Most positions that one answer of the laboratory looks at.
    pub positions: u64,
}

/// A table: the opponent, the adviser, and the review that is being made.
pub struct Table {
    effort: Effort,
    stop: Stop,
    player: Seat,
    adviser: Seat,
    review: Option<(GameText, Lang, ReviewUnderWay)>,
    laboratory: Laboratory,
}

impl Table {
    /// A table on this machine. Its memory is taken when it is first needed.
    pub fn new(effort: Effort) -> Table {
        let (player, adviser) = (Seat::default(), Seat::default());
        let stop = Stop::default();
        let laboratory = Laboratory::new(effort.positions, stop.clone());
        Table { effort, stop, player, adviser, review: None, laboratory }
    }

    /// Gives all memory back, for a table whose last search has failed.
    pub fn clear(&mut self) {
        (self.player, self.adviser, self.review) = (Seat::default(), Seat::default(), None);
    }

    /// Ends searches of this table from another thread.
    pub fn stopper(&self) -> Stop {
        self.stop.clone()
    }

    /// The answer to a question, both in JSON: `{"ok": …}`, or `{"error": "…"}` for a person.
    pub fn answer(&mut self, question: &str) -> String {
        let answer = read(question).and_then(|request| match light_answer(&request) {
            Some(answer) => answer,
            None => self.think(&request),
        });
        written(answer)
    }

    /// The answer to a question that needs an engine.
    fn think(&mut self, request: &Request) -> Result<Json, String> {
        match request {
            Request::Play { game, opponent, seed, clock, lang } => {
                self.play(game, opponent, *seed, *clock, request::lang(lang))
            }
            Request::Hint { game } => self.hint(game),
            Request::Draw { game } => {
                // The person is to move, and offers it.
                let mine = -self.advice(game)?.outcome.score;
                Ok(json!({ "agreed": agrees_to_draw(mine, game.moves.len()) }))
            }
            Request::Estimate { game, known, evidence, skip, result } => {
                let known = known.map(estimate_of).transpose()?.unwrap_or_default();
                let earlier = match evidence {
                    Some(numbers) => Evidence::from_numbers(numbers)
                        .ok_or("evidence: give back what an earlier answer gave")?,
                    None => Evidence::default(),
                };
                let judge = JudgePerson { game, known, earlier, skip: *skip, result: *result };
                with_rules(game.rule_set()?, judge)
            }
            Request::Evaluate { game, nodes, lang } => {
                self.evaluate(game, request::nodes(*nodes), request::lang(lang))
            }
            Request::Why { game, quick, lang } => self.why(game, *quick, request::lang(lang)),
            Request::Review { game, lang } => self.review(game, request::lang(lang)),
            Request::Tree { game, algorithms, depth, lang } => {
                self.laboratory.tree(game, algorithms, *depth, request::lang(lang))
            }
            Request::Compare { game, algorithm, depth, lang } => {
                self.laboratory.compare(game, algorithm, *depth, request::lang(lang))
            }
            _ => Err("this question has no answer".to_string()),
        }
    }

    fn settings(&self, game: &GameText) -> Result<Settings, String> {
        let rule_set = game.rule_set()?;
        let threads = self.effort.threads;
        Ok(Settings { rule_set, chess960: game.chess960, threads, ..Settings::default() })
    }

    fn play(
        &mut self,
        game: &GameText,
        opponent: &Opponent,
        seed: u64,
        clock: Option<Clock>,
        lang: Lang,
    ) -> Result<Json, String> {
        // The option that repeats a game has as many digits.
        let seed = seed % (1 << 31);
        let settings =
            Settings { hash_mb: PLAYER_HASH_MB, game_seed: seed, ..self.settings(game)? };
        let settings = opponent.settings(settings)?;
        let limits = match clock {
            Some(clock) => clock.limits(),
            None if *opponent == Opponent::Full => {
                Limits { move_time: Some(MOVE_TIME_MS), ..Limits::default() }
            }
            None => Limits::default(),
        };
        let heard = self.player.search(settings, game, limits, &self.stop)?;
        with_rules(game.rule_set()?, TellMove { game, heard: &heard, lang })
    }

    /// The adviser's view of a position.
    fn advice(&mut self, game: &GameText) -> Result<Heard, String> {
        let limits = Limits { move_time: Some(HINT_MS), ..Limits::default() };
        self.advise(game, limits)
    }

    fn advise(&mut self, game: &GameText, limits: Limits) -> Result<Heard, String> {
        let settings = self.settings(game)?;
        let settings = Settings { hash_mb: ADVISER_HASH_MB, own_book: false, ..settings };
        self.adviser.search(settings, game, limits, &self.stop)
    }

    fn hint(&mut self, game: &GameText) -> Result<Json, String> {
        let heard = self.advice(game)?;
        with_rules(game.rule_set()?, TellMove { game, heard: &heard, lang: Lang::En })
    }

    fn evaluate(&mut self, game: &GameText, nodes: u64, lang: Lang) -> Result<Json, String> {
        let heard = self.advise(game, Limits::nodes(nodes))?;
        with_rules(game.rule_set()?, TellEvaluation { game, heard: &heard, lang })
    }

    fn analyst(
        &self,
        game: &GameText,
        quick: bool,
        lang: Lang,
    ) -> Result<Box<dyn Analyst>, String> {
        let nodes = self.effort.nodes / if quick { QUICKER } else { 1 };
        let options = AnalystOptions {
            limits: Limits::nodes(nodes),
            hash_mb: ADVISER_HASH_MB,
            texts: Arc::new(analysis_texts::of(lang)),
            settings: self.settings(game)?,
            reasons: !quick,
            exercises: false,
        };
        analyst(game.rule_set()?, &options).map_err(|error| error.to_string())
    }

    /// Judges the last move. The one before it belongs to the question: a move may fail to take back.
    fn why(&mut self, game: &GameText, quick: bool, lang: Lang) -> Result<Json, String> {
        let course = with_rules(game.rule_set()?, MakeCourse { game })?;
        let mut analyst = self.analyst(game, quick, lang)?;
        let end = course.moves.len();
        let first = end.saturating_sub(2);
        let evals = analyst.score(0, &course, first..end + 1);
        let review = analyst.review(0, &course, first, evals, &|| ()).json();
        match review["moves"].as_array().and_then(|moves| moves.last()) {
            Some(judged) => Ok(judged.clone()),
            None => Err("there is no move to judge yet".to_string()),
        }
    }

    /// Does some more of a review.
    fn review(&mut self, game: &GameText, lang: Lang) -> Result<Json, String> {
        let is_it = |(of, said, _): &(GameText, Lang, _)| of == game && *said == lang;
        let mut under_way = match self.review.take().filter(is_it) {
            Some((.., under_way)) => under_way,
            None => {
                let course = with_rules(game.rule_set()?, MakeCourse { game })?;
                let threads = 0..self.effort.threads.min(course.moves.len()).max(1);
                let analysts = threads.map(|_| self.analyst(game, false, lang));
                ReviewUnderWay::new(course, analysts.collect::<Result<_, _>>()?)
            }
        };
        let review = under_way.go_on()?.map(|review| review.json());
        let ([done, all], [judged, moves]) = (under_way.scored(), under_way.judged());
        if review.is_none() {
            self.review = Some((game.clone(), lang, under_way));
        }
        Ok(json!({
            "done": done, "all": all, "judged": judged, "moves": moves, "review": review,
        }))
    }
}

/// The question in a text.
fn read(question: &str) -> Result<Request, String> {
    if question.len() > LONGEST {
        return Err(format!("a question has at most {LONGEST} bytes"));
    }
    serde_json::from_str(question).map_err(|error| format!("unreadable question: {error}"))
}

fn written(answer: Result<Json, String>) -> String {
    match answer {
        Ok(answer) => json!({ "ok": answer }).to_string(),
        Err(error) => json!({ "error": error }).to_string(),
    }
}

/// The answer to a question that needs no engine, so that it need not wait for one; `None` for any other.
pub fn answer_at_once(question: &str) -> Option<String> {
    match read(question) {
        Err(error) => Some(written(Err(error))),
        Ok(request) => light_answer(&request).map(written),
    }
}

fn light_answer(request: &Request) -> Option<Result<Json, String>> {
    Some(match request {
        Request::Texts { lang } => Ok(words(request::lang(lang))),
        Request::View { game, lang } => game.rule_set().and_then(|rules| {
            with_rules(rules, MakeView { game, lang: request::lang(lang) }).and_then(json_of)
        }),
        Request::Laboratory { lang } => Ok(laboratory::choice(request::lang(lang))),
        Request::Shuffle { number } => Ok(Json::from(chess960::start(*number))),
        Request::Odds { rules, gift, giver } => request::rule_set(rules).and_then(|rules| {
            let giver = if giver == color_name(Color::White) { Color::White } else { Color::Black };
            odds::start(rules, *gift, giver).map(Json::from)
        }),
        Request::Typed { game, text, lang } => game.rule_set().and_then(|rules| {
            with_rules(rules, ReadTyped { game, text, lang: request::lang(lang) })
        }),
        Request::Read { text, rules, lang } => request::rule_set(rules).and_then(|rules| {
            record::read(text, rules, &texts::of(request::lang(lang))).and_then(json_of)
        }),
        Request::Write { game, tags, result } => {
            let written = |rules| with_rules(rules, WriteGame { game, tags, result });
            game.rule_set().and_then(written).map(Json::from)
        }
        _ => return None,
    })
}

fn json_of(value: impl Serialize) -> Result<Json, String> {
    serde_json::to_value(value).map_err(|error| error.to_string())
}

/// All words of the page, with what there is to choose from.
fn words(lang: Lang) -> Json {
    json!({
        "texts": texts::of(lang).json(&[""]),
        "analysis": analysis_texts::of(lang).json(&["page.", "player.", "judgement.", "term.", "decimal."]),
        "rules": RuleSet::NAMES,
        "odds": odds::rule_sets(),
        "elo": [strength::MIN_ELO, strength::MAX_ELO],
        "version": env!("CARGO_PKG_VERSION"),
    })
}

struct MakeView<'a> {
    game: &'a GameText,
    lang: Lang,
}

impl Task for MakeView<'_> {
    type Outcome = Result<View, String>;

    fn run<P: Variant>(self) -> Self::Outcome {
        View::new::<P>(self.game, &texts::of(self.lang))
    }
}

struct ReadTyped<'a> {
    game: &'a GameText,
    text: &'a str,
    lang: Lang,
}

impl Task for ReadTyped<'_> {
    type Outcome = Result<Json, String>;

    fn run<P: Variant>(self) -> Self::Outcome {
        let played = self.game.played::<P>()?;
        let (text, texts) = (self.text.trim(), analysis_texts::of(self.lang));
        let position = played.game.position();
        Ok(match notation::read_move_with(position, text, texts.get("page.pieces")) {
            Ok(m) => json!({ "uci": m.to_uci(self.game.castling()).to_string() }),
            Err(fault) => {
                let must_take = fault == MoveError::Illegal && position.must_capture();
                json!({ "uci": null, "mustTake": must_take })
            }
        })
    }
}

struct WriteGame<'a> {
    game: &'a GameText,
    tags: &'a [(String, String)],
    result: &'a str,
}

impl Task for WriteGame<'_> {
    type Outcome = Result<String, String>;

    fn run<P: Variant>(self) -> Self::Outcome {
        record::write::<P>(self.game, self.tags, self.result)
    }
}

/// The course of a game.
struct MakeCourse<'a> {
    game: &'a GameText,
}

impl Task for MakeCourse<'_> {
    type Outcome = Result<Course, String>;

    fn run<P: Variant>(self) -> Self::Outcome {
        let played = self.game.played::<P>()?;
        let moves: Vec<Option<Move>> = played.moves.into_iter().map(Some).collect();
        Ok(Course {
            rule_set: P::RULE_SET,
            castling: self.game.castling(),
            start: self.game.start(),
            places: (0..moves.len()).collect(),
            moves,
            error: None,
        })
    }
}

/// A chosen move with what is to be told of it.
struct TellMove<'a> {
    game: &'a GameText,
    heard: &'a Heard,
    lang: Lang,
}

impl Task for TellMove<'_> {
    type Outcome = Result<Json, String>;

    fn run<P: Variant>(self) -> Self::Outcome {
        let game = self.game.played::<P>()?.game;
        let outcome = &self.heard.outcome;
        let Some(m) = outcome.best else { return Err("the game is over".to_string()) };
        let texts = texts::of(self.lang);
        let turn = game.now().turn();
        let score = score_text(turn.fold_wb(outcome.score, -outcome.score)).unwrap_or_default();
        let letters = analysis_texts::of(self.lang);
        let written = score.replace('-', "−").replace('.', letters.get("decimal.point"));
        let sign = if written.starts_with('−') { "" } else { "+" };
        let written = format!("{sign}{written}");
        let expected = outcome.ponder.map(|reply| {
            let mut after = game.clone();
            after.play(m);
            analysis_texts::moves(&letters, &view::san(&after, reply))
        });
        let thought = if self.heard.is_book() {
            texts.get("thought.book").to_string()
        } else {
            thought(outcome.score, &written, expected.as_deref(), &texts)
        };
        Ok(json!({
            "uci": m.to_uci(self.game.castling()).to_string(),
            "san": view::san(&game, m),
            "squares": view::square_names(m),
            "drop": m.from().is_none().then(|| m.role().of(turn).char()),
            "score": score,
            "mustTake": game.position().must_capture(),
            "thought": thought,
        }))
    }
}

/// What the opponent says about its move. `score` is from its own point of view; `written` is the same score for White.
fn thought(score: Score, written: &str, expected: Option<&str>, texts: &Texts) -> String {
    let in_moves = |key, count: i32| texts.fill(key, &[("count", &count.to_string())]);
    let judgement = match score.meaning() {
        // The move is on the board when this is read.
        Meaning::Mate(1) => return texts.get("thought.won").to_string(),
        Meaning::Mate(moves @ 2..) => in_moves("thought.mate", moves - 1),
        Meaning::Mate(moves) => in_moves("thought.mated", -moves),
        Meaning::Centipawns(_) => texts.fill("thought.score", &[("score", written)]),
    };
    match expected {
        Some(reply) => format!("{judgement} {}", texts.fill("thought.reply", &[("reply", reply)])),
        None => judgement,
    }
}

/// What is known of a person by mean and deviation, in Elo.
fn estimate_of([mean, deviation]: [f64; 2]) -> Result<Estimate, String> {
    let is_sound = (-1000.0..=5000.0).contains(&mean) && (1.0..=2000.0).contains(&deviation);
    is_sound.then_some(Estimate { mean, deviation }).ok_or_else(|| "known: no rating".to_string())
}

/// The strength of a person by the last move and the result. A game whose moves tell nothing leaves it unknown.
struct JudgePerson<'a> {
    game: &'a GameText,
    known: Estimate,
    earlier: Evidence,
    skip: bool,
    result: Option<(f64, u32, usize)>,
}

impl Task for JudgePerson<'_> {
    type Outcome = Result<Json, String>;

    fn run<P: Variant>(self) -> Self::Outcome {
        let played = self.game.played::<P>()?;
        let mut evidence = self.earlier;
        if let (false, Some((&last, before))) = (self.skip, played.moves.split_last()) {
            let mut game = played.start;
            before.iter().for_each(|&m| game.play(m));
            let mut estimator = Estimator::<P>::new().map_err(|error| error.to_string())?;
            evidence.add(&estimator.judge(&game, last));
        }
        let tells = evidence.tells();
        // Another start may have been won or lost already.
        if let Some((points, elo, moves)) = self.result
            && moves >= MOVES_OF_A_RESULT
            && self.game.fen.is_none()
        {
            let elo = elo.clamp(strength::MIN_ELO, strength::MAX_ELO);
            evidence.add(&Evidence::result(elo, points.clamp(0.0, 1.0)));
        }
        let estimate = self.known.aged().after(&evidence);
        Ok(json!({
            "evidence": evidence.numbers(),
            "known": tells.then_some([estimate.mean, estimate.deviation]),
            "elo": estimate.elo(),
        }))
    }
}

/// An evaluation in numbers and words.
struct TellEvaluation<'a> {
    game: &'a GameText,
    heard: &'a Heard,
    lang: Lang,
}

impl Task for TellEvaluation<'_> {
    type Outcome = Result<Json, String>;

    fn run<P: Variant>(self) -> Self::Outcome {
        let game = self.game.played::<P>()?.game;
        let Heard { outcome, pv, terms, .. } = self.heard;
        let turn = game.now().turn();
        // The search goes on where a repetition or the fifty moves have ended the game.
        let is_drawn = game.draw_reason().is_some();
        let score = if is_drawn { Score::DRAW } else { outcome.score };
        let white = turn.fold_wb(score, -score);
        let pieces = pieces(&game);
        let pv: Vec<Move> = pv.iter().copied().take(if is_drawn { 0 } else { SHOWN }).collect();
        let names = line_text(&game, &pv);
        let line = names.split_whitespace().zip(&pv).map(|(name, m)| {
            let uci = m.to_uci(self.game.castling()).to_string();
            json!({ "name": name, "uci": uci, "squares": view::square_names(*m) })
        });
        let names = analysis_texts::of(self.lang);
        let bands = terms.0.iter().map(|(kind, _)| {
            let name = names.get(&format!("term.{}", kind.name().replace(' ', "-"))).to_string();
            json!({ "name": name, "lead": terms.lead(*kind, Color::White) })
        });
        Ok(json!({
            "score": score_text(white).filter(|_| !is_drawn),
            "chance": (win_chance(white, pieces) * 10.0).round() / 10.0,
            "depth": outcome.depth,
            "nodes": outcome.nodes,
            "turn": color_name(turn),
            "line": line.collect::<Vec<_>>(),
            "terms": bands.collect::<Vec<_>>(),
            "sentences": explain::explain(game.position(), &names).lines().collect::<Vec<_>>(),
        }))
    }
}

/// What was heard of a search.
struct Heard {
    outcome: Outcome,
    pv: Vec<Move>,
    remarks: Vec<String>,
    terms: Terms,
}

impl Heard {
    fn is_book(&self) -> bool {
        self.remarks.iter().any(|remark| is_book_remark(remark))
    }
}

/// A place for an engine, which takes its memory when it is first needed.
#[derive(Default)]
struct Seat {
    taken: Option<(Engine, Settings)>,
}

impl Seat {
    /// Searches the end of `game`, and waits for the outcome.
    fn search(
        &mut self,
        settings: Settings,
        game: &GameText,
        limits: Limits,
        stop: &Stop,
    ) -> Result<Heard, String> {
        let engine = self.engine(settings)?;
        engine.set_position(&game.start(), &game.moves).map_err(String::from)?;
        let terms = Terms::of(&engine.explain());
        let (sender, receiver) = channel();
        let ear = Ear { sender, pv: Vec::new(), remarks: Vec::new() };
        stop.begin();
        engine.go(limits, Box::new(ear));
        let heard = wait(&receiver, engine, stop);
        engine.wait();
        let (outcome, pv, remarks) = heard.ok_or("the search has failed; try again")?;
        Ok(Heard { outcome, pv, remarks, terms })
    }

    /// The engine with these settings.
    fn engine(&mut self, settings: Settings) -> Result<&mut Engine, String> {
        let (mut engine, known) = match self.taken.take() {
            Some(taken) => taken,
            None => {
                let engine = Engine::new(&settings).map_err(|error| error.to_string())?;
                (engine, settings.clone())
            }
        };
        if known != settings {
            // An engine that took only some of them is given up.
            let configured = engine.configure(&settings);
            if let Some(error) = configured.errors.first() {
                return Err(error.to_string());
            }
            if known.game_seed != settings.game_seed {
                engine.new_game();
            }
        }
        Ok(&mut self.taken.insert((engine, settings)).0)
    }
}

/// The end of a search: its outcome, its last line, and the remarks on the way.
type SearchEnd = (Outcome, Vec<Move>, Vec<String>);

/// Waits for the outcome, and passes a stop on.
fn wait(receiver: &Receiver<SearchEnd>, engine: &Engine, stop: &Stop) -> Option<SearchEnd> {
    loop {
        match receiver.try_recv() {
            Ok(told) => return Some(told),
            Err(TryRecvError::Disconnected) => return None,
            // In a browser there is no other thread, and the outcome is here before the first look.
            Err(TryRecvError::Empty) => thread::sleep(PAUSE),
        }
        if stop.is_set() {
            engine.stop();
        }
    }
}

/// Hears a search.
struct Ear {
    sender: Sender<SearchEnd>,
    pv: Vec<Move>,
    remarks: Vec<String>,
}

impl Reporter for Ear {
    fn variation(&mut self, report: &Report) {
        if report.bound == Bound::Exact {
            self.pv.clone_from(&report.pv);
        }
    }

    fn remark(&mut self, text: &str) {
        self.remarks.push(text.to_string());
    }
}

impl Listener for Ear {
    fn finished(&mut self, outcome: &Outcome) {
        let pv = std::mem::take(&mut self.pv);
        let pv = if pv.first() == outcome.best.as_ref() {
            pv
        } else {
            outcome.best.into_iter().collect()
        };
        // Whoever waited may have gone.
        let _ = self.sender.send((outcome.clone(), pv, std::mem::take(&mut self.remarks)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        Table::new(Effort { threads: 1, nodes: 3000, positions: 50_000 })
    }

    fn ask(table: &mut Table, question: Json) -> Json {
        let answer: Json = serde_json::from_str(&table.answer(&question.to_string())).unwrap();
        assert!(answer["error"].is_null(), "{question}: {answer}");
        answer["ok"].clone()
    }

    fn game(rules: &str, moves: &str) -> Json {
        json!({ "rules": rules, "moves": moves.split_whitespace().collect::<Vec<_>>() })
    }

    #[test]
    fn moves_and_results_tell_of_a_person() {
        let mut table = table();
        let blunder = game("chess", "e2e4 e7e5 f2f4 d8h4 e1e2");
        let first = ask(&mut table, json!({ "ask": "estimate", "game": blunder }));
        assert!(first["elo"].as_u64().unwrap() < 1200, "{}", first["elo"]);
        let mut won_in = |moves: usize| {
            let result = json!([1.0, 2000, moves]);
            let question = json!({ "ask": "estimate", "game": blunder, "known": first["known"],
                "evidence": first["evidence"], "skip": true, "result": result });
            ask(&mut table, question)["elo"].as_u64()
        };
        let (soon, late) = (won_in(MOVES_OF_A_RESULT - 1), won_in(MOVES_OF_A_RESULT));
        assert!(late > soon, "{late:?} {soon:?}");
        let resigned =
            json!({ "ask": "estimate", "game": game("chess", "e2e4"), "result": [0.0, 1200, 1] });
        assert_eq!(ask(&mut table, resigned)["known"], Json::Null);
        let forged = json!({ "ask": "estimate", "game": blunder, "evidence": [0.5, -1e300] });
        assert!(table.answer(&forged.to_string()).contains("evidence: give back"));
        let forged = json!({ "ask": "estimate", "game": blunder, "known": [1e9, 0.0] });
        assert!(table.answer(&forged.to_string()).contains("known: no rating"));
    }

    #[test]
    fn a_thought_has_the_signs_of_the_scores_beside_it() {
        for (fen, wanted) in [
            ("rn2k3/8/8/8/8/8/8/4K3 w - - 0 1", "I judge it −"),
            ("4k3/8/8/8/8/8/8/RN2K3 w - - 0 1", "I judge it +"),
        ] {
            let game = json!({ "rules": "chess", "fen": fen, "moves": [] });
            let question = json!({ "ask": "play", "game": game, "opponent": { "kind": "elo", "elo": 600 },
                "seed": 7, "clock": null, "lang": "en" });
            let thought = ask(&mut table(), question)["thought"].to_string();
            assert!(thought.contains(wanted), "{thought}");
        }
    }

    #[test]
    fn a_thought_has_mates_in_words_and_scores_with_their_sign() {
        for (score, written, expected, told) in [
            (
                Score::centipawns(1060),
                "+10.60",
                Some("Rg1"),
                "I judge it +10.60 for White. I expect Rg1.",
            ),
            (Score::centipawns(0), "+0.00", None, "I judge it +0.00 for White."),
            (Score::mate_in(3), "", Some("Kg8"), "I have mate in 1. I expect Kg8."),
            (Score::mate_in(5), "", None, "I have mate in 2."),
            (Score::mated_in(4), "", Some("Qh7"), "You have mate in 2. I expect Qh7."),
            (Score::mate_in(1), "", None, "That wins the game."),
        ] {
            assert_eq!(thought(score, written, expected, &texts::of(Lang::En)), told);
        }
        let spanish = |score| thought(score, "", Some("Dh7"), &texts::of(Lang::Es));
        assert_eq!(spanish(Score::mate_in(5)), "Tengo mate en 2. Espero Dh7.");
        assert_eq!(spanish(Score::mated_in(2)), "Tienes mate en 1. Espero Dh7.");
    }

    #[test]
    fn a_thought_has_the_decimal_mark_of_the_language() {
        let pawns = json!({ "rules": "chess", "fen": "4k3/pppp4/8/8/8/8/4PPPP/4K3 w - - 0 1", "moves": [] });
        for (lang, mark) in [("en", "."), ("es", ",")] {
            let question = json!({ "ask": "play", "game": pawns, "opponent": { "kind": "elo", "elo": 600 },
                "seed": 7, "clock": null, "lang": lang });
            let thought: Vec<char> =
                ask(&mut table(), question)["thought"].to_string().chars().collect();
            let is_between =
                |three: &&[char]| three[0].is_ascii_digit() && three[2].is_ascii_digit();
            let between: String = thought
                .windows(3)
                .filter(is_between)
                .map(|three| three[1])
                .filter(|c| !c.is_ascii_digit())
                .collect();
            assert_eq!(between, mark, "{thought:?}");
        }
    }

    #[test]
    fn only_an_opponent_that_stands_worse_agrees_to_an_early_draw() {
        let mut table = table();
        let mut agrees = |fen: &str| {
            let game = json!({ "rules": "chess", "fen": fen, "moves": [] });
            ask(&mut table, json!({ "ask": "draw", "game": game }))["agreed"].clone()
        };
        assert_eq!(agrees("4k3/8/8/8/8/8/8/3QK3 w - - 0 1"), true, "the person has the queen");
        assert_eq!(agrees("3qk3/8/8/8/8/8/8/4K3 w - - 0 1"), false, "the opponent has it");
    }

    #[test]
    fn every_rule_set_is_played_from_the_first_move_on() {
        let mut table = table();
        for rules in RuleSet::NAMES {
            let opponent = json!({ "kind": "elo", "elo": 600 });
            let mut moves: Vec<Json> = Vec::new();
            for _ in 0..4 {
                let game = json!({ "rules": rules, "moves": moves });
                let view = ask(&mut table, json!({ "ask": "view", "game": game, "lang": "en" }));
                let played = ask(
                    &mut table,
                    json!({ "ask": "play", "game": game, "opponent": opponent, "seed": 7,
                        "clock": null, "lang": "en" }),
                );
                let legal = view["legal"].as_array().unwrap();
                assert!(legal.iter().any(|m| m["uci"] == played["uci"]), "{rules}: {played}");
                moves.push(played["uci"].clone());
            }
        }
    }

    #[test]
    fn a_typed_move_may_have_the_letters_of_the_language() {
        let typed = |text: &str, lang: &str| {
            let question =
                json!({ "ask": "typed", "game": game("chess", ""), "text": text, "lang": lang });
            table().answer(&question.to_string())
        };
        assert!(typed("Cf3", "es").contains("g1f3") && typed("Nf3", "es").contains("g1f3"));
        assert!(typed("Nf3", "en").contains("g1f3"));
        // A capital is a piece, a small letter a pawn's file.
        assert!(typed("Cc3", "es").contains("b1c3") && typed("c3", "es").contains("c2c3"));
        assert!(typed("Cf3", "en").contains("\"uci\":null"), "{}", typed("Cf3", "en"));
    }

    #[test]
    fn a_typed_move_that_neglects_the_duty_to_take_is_told_from_others() {
        let typed = |rules: &str, text: &str| {
            let game = game(rules, "e2e4 d7d5");
            let question = json!({ "ask": "typed", "game": game, "text": text, "lang": "en" });
            ask(&mut table(), question)
        };
        assert_eq!(typed("antichess", "Nf3"), json!({ "uci": null, "mustTake": true }));
        assert_eq!(typed("antichess", "exd5"), json!({ "uci": "e4d5" }));
        assert_eq!(typed("antichess", "hello"), json!({ "uci": null, "mustTake": false }));
        assert_eq!(typed("chess", "Nf6"), json!({ "uci": null, "mustTake": false }));
    }

    #[test]
    fn a_hint_tells_where_a_capture_is_a_duty() {
        let mut table = table();
        let mut must_take = |rules: &str, moves: &str| {
            ask(&mut table, json!({ "ask": "hint", "game": game(rules, moves) }))["mustTake"]
                .clone()
        };
        assert_eq!(must_take("antichess", "e2e4 d7d5"), true);
        assert_eq!(must_take("antichess", "e2e4"), false);
        assert_eq!(must_take("chess", "e2e4 d7d5"), false);
    }

    #[test]
    fn a_game_that_is_drawn_has_no_score_and_no_line() {
        let moves = "g1f3 g8f6 f3g1 f6g8 ".repeat(2);
        let question = json!({ "ask": "evaluate", "game": game("chess", &moves), "nodes": 1000, "lang": "en" });
        let answer = ask(&mut table(), question);
        let shown = (&answer["score"], &answer["chance"], &answer["line"]);
        assert_eq!(shown, (&Json::Null, &json!(50.0), &json!([])));
    }

    #[test]
    fn a_blunder_is_explained_in_both_languages() {
        let moves = "e2e4 e7e5 d1h5 b8c6 h5e5";
        for (lang, word) in [("en", "queen"), ("es", "dama")] {
            let question = json!({ "ask": "why", "game": game("chess", moves), "lang": lang });
            let answer = ask(&mut table(), question);
            assert_eq!(answer["judgement"], "blunder", "{answer}");
            assert!(answer["reason"].as_str().unwrap().contains(word), "{answer}");
        }
    }

    /// The review of a game on `threads` threads, and after each question the numbers of positions scored and moves judged.
    fn reviewed(threads: usize, moves: &str) -> (Json, Vec<[u64; 2]>) {
        let mut table = Table::new(Effort { threads, nodes: 3000, positions: 50_000 });
        let question = json!({ "ask": "review", "game": game("chess", moves), "lang": "en" });
        let mut done = Vec::new();
        loop {
            let answer = ask(&mut table, question.clone());
            done.push(["done", "judged"].map(|count| answer[count].as_u64().unwrap()));
            if !answer["review"].is_null() {
                return (answer["review"].clone(), done);
            }
        }
    }

    #[test]
    fn a_review_is_made_bit_by_bit() {
        let (review, done) = reviewed(1, "f2f3 e7e5 g2g4 d8h4");
        assert_eq!(done[0], [5, 0], "first the positions");
        assert_eq!(done.last(), Some(&[5, 4]), "then the moves");
        assert!(done.is_sorted());
        let judged = review["moves"].as_array().unwrap();
        assert_eq!(judged.len(), 4);
        assert_eq!(judged[2]["judgement"], "blunder", "{review}");
        let (review, _) = reviewed(1, "");
        assert_eq!(review["moves"], json!([]));
    }

    #[test]
    fn a_review_does_not_depend_on_the_number_of_threads() {
        let moves = "e2e4 e7e5 g1f3 d7d6 f1c4 f7f5 e4f5 c8f5 b1c3 e5e4 f3d4 f5g6 d1g4 g8f6 g4e6 d8e7 \
                     e6c8 e7d8 c8b7 b8d7 d4c6 d8c8 b7c8 a8c8 c6a7 c8a8 a7b5 c7c6 b5c7";
        let (alone, slow) = reviewed(1, moves);
        let (together, fast) = reviewed(4, moves);
        assert_eq!(alone, together);
        assert_eq!((slow[0][0], fast[0][0]), (12, 30), "a segment for each thread");
    }

    #[test]
    fn castling_is_meant_by_the_king_and_by_the_rook() {
        let moves = "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5";
        let question = json!({ "ask": "view", "game": game("chess", moves), "lang": "en" });
        let view = ask(&mut table(), question);
        let castles = view["legal"].as_array().unwrap().iter().find(|m| m["san"] == "O-O").unwrap();
        assert_eq!(castles["to"], json!(["g1", "h1"]));
        let view = ask(
            &mut table(),
            json!({ "ask": "view", "game": game("chess", "e2e4 c7c5"), "lang": "en" }),
        );
        assert_eq!(view["opening"], "B20 Sicilian Defense");
    }

    #[test]
    fn pockets_checks_and_ends_are_shown() {
        let mut table = table();
        let view = |game: Json, table: &mut Table| {
            ask(table, json!({ "ask": "view", "game": game, "lang": "en" }))
        };
        let shown = view(game("crazyhouse", "e2e4 d7d5 e4d5 d8d5"), &mut table);
        assert_eq!(shown["boards"][4]["pockets"], json!(["P", "p"]));
        let shown = view(game("3check", "e2e4 e7e5 d1h5 b8c6 h5f7"), &mut table);
        assert_eq!(shown["boards"][5]["checks"], json!([1, 0]));
        assert_eq!(shown["boards"][5]["check"], "e8");
        let shown = view(game("chess", "f2f3 e7e5 g2g4 d8h4"), &mut table);
        assert_eq!(shown["end"], json!({ "result": "0-1", "reason": "checkmate" }));
        assert_eq!(shown["moves"][3]["said"], "queen d8 to h4, mate");
    }

    #[test]
    fn a_search_can_be_stopped() {
        let mut table = table();
        let stop = table.stopper();
        let stopper = thread::spawn(move || {
            for _ in 0..200 {
                thread::sleep(Duration::from_millis(20));
                stop.stop();
            }
        });
        let started = std::time::Instant::now();
        let question = json!({ "ask": "evaluate", "game": game("chess", ""), "nodes": 20_000_000, "lang": "en" });
        let answer = ask(&mut table, question);
        assert!(answer["nodes"].as_u64().unwrap() < 20_000_000, "{answer}");
        assert!(started.elapsed() < Duration::from_secs(4));
        stopper.join().unwrap();
    }

    #[test]
    fn a_table_that_is_stopped_for_good_begins_no_search_and_no_tree() {
        let mut table = table();
        table.stopper().stop_for_good();
        let start = game("chess", "");
        for nodes in [20_000_000, 20_000_001] {
            let question =
                json!({ "ask": "evaluate", "game": start, "nodes": nodes, "lang": "en" });
            let answer = ask(&mut table, question);
            assert!(answer["nodes"].as_u64().unwrap() < 1_000_000, "{answer}");
        }
        let question = json!({ "ask": "tree", "game": start, "algorithms": ["minimax"], "depth": 2, "lang": "en" });
        assert_eq!(ask(&mut table, question)["beyond"], 50_000);
    }

    #[test]
    fn bad_questions_are_answered_with_their_reason() {
        let mut table = table();
        for (question, reason) in [
            ("", "unreadable question"),
            ("{\"ask\":\"dance\"}", "unreadable question"),
            ("{\"ask\":\"view\",\"game\":{\"rules\":\"go\"},\"lang\":\"en\"}", "rules: use"),
            ("{\"ask\":\"hint\",\"game\":{\"rules\":\"chess\",\"moves\":[\"e2e5\"]}}", "e2e5"),
            ("{\"ask\":\"hint\",\"game\":{\"rules\":\"chess\",\"fen\":\"8/8\"}}", "FEN"),
        ] {
            let answer: Json = serde_json::from_str(&table.answer(question)).unwrap();
            assert!(answer["error"].as_str().unwrap().contains(reason), "{question}: {answer}");
        }
    }
}
