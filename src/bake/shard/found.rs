//! Results of shards about the whole world, as objects of the store: finished parts, parts in progress, and the answer of each
//! phase.
//!
//! A shard has one part in a phase, or those of its [units](crate::world::units). The part of a shard has its number, and so has that of
//! a unit. Units have answers, too. The answer of the phase is written after them, and refers to them.
//!
//! A part begins with a line of text: its type, the SHA-256 of the plan, the phase, and the SHA-256 of the bytes behind the line.
//! [`Reduction::encode`] makes these bytes. So a damaged part, or one of another plan or phase, is never joined.
//! [Answers](crate::bake::answers) begin with a similar line.

use super::Sharded;
use super::measure::Asked;
use crate::bake::answers::{Answer, PartsHash, asked};
use crate::bake::hash::hex;
use crate::bake::names::ANSWER;
use crate::bake::object::Object;
use crate::bake::{BakeError, Finding, Phase, Progress, Step, Wrong};
use crate::engine::Engine;
use crate::world::driver::Begun;
use crate::world::questions::Question;
use crate::world::reduction::{Reduction, join_all};
use crate::world::units::{ReadUnit, Units};
use std::cell::Cell;
use std::collections::HashSet;
use std::io::Error;
use std::sync::Arc;

/// The folder of parts and answers.
pub(super) const MEASURED: &str = "measured";
/// The ending of the names of parts.
const PART: &str = ".part";
/// The first byte of a phase's answer if its units have answers; else 0. The answer's own bytes follow.
const ANSWERED: u8 = 1;

/// Parts of a phase lie in folders of at most a thousand.
fn folder(phase: u32, thousand: u32) -> String {
    format!("{MEASURED}/{phase}/{thousand}")
}

/// The folders of a phase with a number of parts.
pub(super) fn folders(parts: u32) -> u32 {
    parts.div_ceil(1000)
}

fn part(phase: u32, number: u32) -> String {
    format!("{}/{number}{PART}", folder(phase, number / 1000))
}

/// The name of a part in progress after `steps` steps.
fn begun(phase: u32, number: u32, steps: u64) -> String {
    format!("{}/{number}.{steps}{PART}", folder(phase, number / 1000))
}

fn answer(phase: u32) -> String {
    format!("{MEASURED}/{phase}{ANSWER}")
}

fn unit_answer(phase: u32, unit: u32) -> String {
    format!("{}/{unit}{ANSWER}", folder(phase, unit / 1000))
}

/// The answers of a phase's units, as objects.
#[derive(Clone)]
struct UnitAnswers {
    phase: u32,
    /// The hash of the phase's question.
    asked: String,
    /// The hash of the parts that they are made from.
    parts: String,
}

impl UnitAnswers {
    /// The hash of a unit's question.
    fn asked(&self, unit: u32) -> String {
        asked(&self.asked, unit, "")
    }

    /// The object of an answer.
    fn object(&self, unit: u32, bytes: &[u8]) -> Object {
        let bytes = Answer { asked: &self.asked(unit), parts: &self.parts, bytes }.object();
        Object { name: unit_answer(self.phase, unit), bytes }
    }

    /// The answer of an object; `None` if it is damaged or another one.
    fn understood<'a>(&self, unit: u32, object: &'a [u8]) -> Option<&'a [u8]> {
        Answer::to(&self.asked(unit), object).filter(|answer| answer.parts == self.parts).map(|answer| answer.bytes)
    }
}

/// The units of a phase in the store, while their parts are joined.
struct Joining<'a> {
    sharded: &'a Sharded,
    answers: &'a UnitAnswers,
    /// Whether an answer was stored.
    answered: Cell<bool>,
}

impl Units for Joining<'_> {
    type Error = BakeError;

    fn part(&self, unit: u32) -> Result<Vec<u8>, BakeError> {
        let name = part(self.answers.phase, unit);
        let missing =
            || self.sharded.failed(&name, Error::other("was removed or damaged while parts were joined; allowed: the same call again"));
        self.sharded.read_bytes(&name, self.answers.phase)?.ok_or_else(missing)
    }

    fn keep(&self, unit: u32, answer: &[u8]) -> Result<(), BakeError> {
        self.answered.set(true);
        self.sharded.keep(&self.answers.object(unit, answer), &|_, there| self.answers.understood(unit, there).is_some())
    }

    fn refuse(&self, unit: u32) -> BakeError {
        self.sharded.of_another_kind(&part(self.answers.phase, unit))
    }
}

impl Sharded {
    /// The number of parts of a phase.
    pub(super) fn parts_of(&self, units: Option<u32>) -> u32 {
        units.unwrap_or(self.shards())
    }

    /// The numbers of a shard's parts.
    pub(super) fn numbers_of(&self, units: Option<u32>, shard: u32) -> std::ops::Range<u32> {
        let at = |shard: u32| (u64::from(self.parts_of(units)) * u64::from(shard) / u64::from(self.shards().max(1))) as u32;
        at(shard)..at(shard + 1)
    }

    /// The parts of a phase that are finished. It lists folders, since a call per part would be slow if every shard does it.
    fn parts(&self, phase: u32, count: u32) -> Result<HashSet<u32>, BakeError> {
        let mut there = HashSet::new();
        for thousand in 0..folders(count) {
            let names = self.names(&folder(phase, thousand))?;
            there.extend(names.iter().filter_map(|name| name.strip_suffix(PART)?.parse::<u32>().ok()));
        }
        Ok(there)
    }

    /// The shards whose part of a phase is missing or damaged. Parts are read once all exist; before that, missing shards will do
    /// theirs.
    pub(super) fn parts_missing(&self, phase: u32, units: Option<u32>) -> Result<Vec<u32>, BakeError> {
        let there = self.parts(phase, self.parts_of(units))?;
        let lacks = |missing: &dyn Fn(u32) -> bool| {
            (0..self.shards()).filter(|shard| self.numbers_of(units, *shard).any(missing)).collect::<Vec<u32>>()
        };
        let missing = lacks(&|number| !there.contains(&number));
        if !missing.is_empty() {
            return Ok(missing);
        }
        let unsound: HashSet<u32> = self.examined(phase, 0..self.parts_of(units))?.0.into_iter().collect();
        Ok(lacks(&|number| unsound.contains(&number)))
    }

    /// The parts of a phase that are missing or damaged, and the hash of all other parts.
    fn examined(&self, phase: u32, numbers: std::ops::Range<u32>) -> Result<(Vec<u32>, String), BakeError> {
        let (mut unsound, mut hash) = (Vec::new(), PartsHash::default());
        for number in numbers {
            match self.read_bytes(&part(phase, number), phase)? {
                Some(bytes) => hash.add(&bytes),
                None => unsound.push(number),
            }
        }
        Ok((unsound, hash.end()))
    }

    /// Whether a part exists and is intact.
    pub(super) fn has_part(&self, phase: u32, number: u32) -> Result<bool, BakeError> {
        Ok(self.read_bytes(&part(phase, number), phase)?.is_some())
    }

    /// Measures missing or damaged parts of finished phases again: those of one shard, or of all. Removes answers that are damaged, or
    /// were made from other parts than the present ones; for one shard, this reads its parts alone. The next [`phase`](Self::phase)
    /// makes them again.
    ///
    /// # Errors
    /// The errors of [`measure`](Self::measure).
    pub fn mend_parts(&self, engine: &Engine, one: Option<u32>, progress: &dyn Progress) -> Result<(), BakeError> {
        let asked = self.asked()?;
        let done = self.phase()?.map_or(asked.len(), |next| next.number as usize);
        for (phase, question) in (0..).zip(&asked[..done]) {
            let all = 0..self.parts_of(question.units);
            let (unsound, parts) = self.examined(phase, one.map_or(all, |one| self.numbers_of(question.units, one)))?;
            if one.is_none() && unsound.is_empty() && !self.unsound_answers(phase, question, Some(&parts))?.is_empty() {
                self.remove(&answer(phase))?;
            }
            for shard in (0..self.shards()).filter(|shard| one.is_none_or(|one| one == *shard)) {
                let own = self.numbers_of(question.units, shard);
                if unsound.iter().any(|number| own.contains(number)) {
                    progress.step(&Step::Measuring { what: format!("again the part of shard {shard} in phase {}", phase + 1) });
                    self.measure(engine, shard, Some(phase), progress)?;
                }
            }
        }
        Ok(())
    }

    /// Measures everything that is missing, phase after phase, so that tiles can be baked. Does nothing if all phases are
    /// finished.
    ///
    /// # Errors
    /// The errors of [`measure`](Self::measure).
    pub fn measure_all(&self, engine: &Engine, progress: &dyn Progress) -> Result<(), BakeError> {
        self.mend_parts(engine, None, progress)?;
        while let Some(Phase { number, what, missing, .. }) = self.phase()? {
            progress.step(&Step::Measuring { what });
            for shard in missing {
                self.measure(engine, shard, Some(number), progress)?;
            }
        }
        Ok(())
    }

    pub(super) fn keep_part<R: Reduction>(&self, by: &R, found: &R::Part, (phase, number): (u32, u32)) -> Result<(), BakeError> {
        self.keep_bytes(part(phase, number), phase, &by.encode_unit(found, number))?;
        self.forget_begun(phase, number, u64::MAX)
    }

    fn keep_bytes(&self, name: String, phase: u32, bytes: &[u8]) -> Result<(), BakeError> {
        let is_sound = |_: &str, there: &[u8]| self.understood(there, phase).is_some();
        let bytes = [self.head(phase, bytes).as_bytes(), bytes].concat();
        self.keep(&Object { name, bytes }, &is_sound)
    }

    /// The state of an unfinished part: the one with the most steps. A damaged state is removed.
    pub(super) fn begun<R: Reduction>(&self, phase: u32, number: u32, by: &R) -> Result<Begun<R::Part>, BakeError> {
        for steps in self.kept(phase, number)?.into_iter().rev() {
            let name = begun(phase, number, steps);
            match self.read_part(&name, phase, by)? {
                Some(part) => return Ok(Begun { steps, part: Some(part) }),
                None => self.remove(&name)?,
            }
        }
        Ok(Begun { steps: 0, part: None })
    }

    /// Stores the state of a part, which is the same from every process, and removes older states.
    pub(super) fn keep_begun<R: Reduction>(
        &self,
        by: &R,
        found: &R::Part,
        (phase, number): (u32, u32),
        steps: u64,
    ) -> Result<(), BakeError> {
        self.keep_bytes(begun(phase, number, steps), phase, &by.encode(found))?;
        self.forget_begun(phase, number, steps)
    }

    /// Removes stored states of a part with fewer steps.
    fn forget_begun(&self, phase: u32, number: u32, steps: u64) -> Result<(), BakeError> {
        let less = self.kept(phase, number)?.into_iter().filter(|kept| *kept < steps);
        less.map(|kept| begun(phase, number, kept)).try_for_each(|name| self.remove(&name))
    }

    /// The numbers of steps for which a state is stored.
    fn kept(&self, phase: u32, number: u32) -> Result<Vec<u64>, BakeError> {
        let (names, start) = (self.names(&folder(phase, number / 1000))?, format!("{number}."));
        let steps = |name: &String| name.strip_prefix(&start)?.strip_suffix(PART)?.parse::<u64>().ok();
        let mut kept: Vec<u64> = names.iter().filter_map(steps).collect();
        kept.sort_unstable();
        Ok(kept)
    }

    /// The answer of a phase. The first process that finds all parts makes and stores it. `None` while parts are missing.
    pub(super) fn answer<R: Reduction>(&self, phase: u32, question: &Question, by: &R) -> Result<Option<R::Answer>, BakeError> {
        let (name, asked) = (answer(phase), self.asked_in(phase, &question.to_string()));
        if let Some(object) = self.read(&name)?
            && let Some(Answer { bytes, parts, .. }) = Answer::to(&asked, &object)
        {
            let found = match by.units() {
                Some(_) => {
                    by.open_units(bytes.get(1..).unwrap_or_default(), self.read_unit(UnitAnswers { phase, parts: parts.to_owned(), asked }))
                }
                None => by.decode_answer(bytes),
            };
            return found.map(Some).ok_or_else(|| self.of_another_kind(&name));
        }
        let count = self.parts_of(by.units());
        if self.parts(phase, count)?.len() as u64 != u64::from(count) {
            return Ok(None);
        }
        let keep = |parts: &str, bytes: &[u8]| {
            let object = Object { name: name.clone(), bytes: Answer { asked: &asked, parts, bytes }.object() };
            self.keep(&object, &|_, there| Answer::to(&asked, there).is_some_and(|there| there.parts == parts))
        };
        if by.units().is_some() {
            let (unsound, parts) = self.examined(phase, 0..count)?;
            if !unsound.is_empty() {
                return Ok(None);
            }
            let answers = UnitAnswers { phase, asked: asked.clone(), parts };
            let joining = Joining { sharded: self, answers: &answers, answered: Cell::new(false) };
            let bytes = by.join_units(&joining)?;
            keep(&answers.parts, &[&[if joining.answered.get() { ANSWERED } else { 0 }], &bytes[..]].concat())?;
            return by.open_units(&bytes, self.read_unit(answers)).map(Some).ok_or_else(|| self.of_another_kind(&name));
        }
        let mut hash = PartsHash::default();
        let mut lacks_part = false;
        let parts = (0..count).map_while(|shard| {
            let name = part(phase, shard);
            let read = self.read_bytes(&name, phase).transpose();
            lacks_part |= read.is_none();
            Some(read?.and_then(|bytes| {
                hash.add(&bytes);
                by.decode(&bytes).ok_or_else(|| self.of_another_kind(&name))
            }))
        });
        let joined = join_all(by, parts)?;
        if lacks_part {
            return Ok(None);
        }
        let found = by.answer(joined.unwrap_or_else(|| by.empty()))?;
        keep(&hash.end(), &by.encode_answer(&found))?;
        Ok(Some(found))
    }

    /// Reads the answers of units.
    fn read_unit(&self, answers: UnitAnswers) -> ReadUnit {
        let store = Arc::clone(&self.store);
        Box::new(move |unit| {
            let name = unit_answer(answers.phase, unit);
            let failed = |what: &dyn std::fmt::Display| format!("{}: {what}", store.path().join(&name).display());
            let object = store.read(&name).map_err(|error| failed(&error))?;
            let bytes = object.as_deref().and_then(|object| answers.understood(unit, object));
            bytes
                .map(<[u8]>::to_vec)
                .ok_or_else(|| failed(&"is missing or damaged; allowed: orogen measure of this world, which makes it again"))
        })
    }

    /// Whether every answer exists and is intact.
    pub(super) fn has_answers(&self) -> Result<bool, BakeError> {
        for (phase, question) in (0..).zip(&self.asked()?) {
            if !self.unsound_answers(phase, question, None)?.is_empty() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The answers of a phase that are missing or damaged, or were not made from parts with this hash; and of each whether it exists.
    /// Those of units are judged by the answer of the phase, if it is sound.
    fn unsound_answers(&self, phase: u32, question: &Asked, parts: Option<&str>) -> Result<Vec<(String, bool)>, BakeError> {
        let (name, asked) = (answer(phase), self.asked_in(phase, &question.what));
        let object = self.read(&name)?;
        let sound = object.as_deref().and_then(|object| Answer::to(&asked, object));
        let Some(sound) = sound.filter(|answer| parts.is_none_or(|parts| answer.parts == parts)) else {
            return Ok(vec![(name, object.is_some())]);
        };
        let units = question.units.filter(|_| sound.bytes.first() == Some(&ANSWERED)).unwrap_or(0);
        let answers = UnitAnswers { phase, asked: asked.clone(), parts: sound.parts.to_owned() };
        let mut unsound = Vec::new();
        for unit in 0..units {
            let object = self.read(&unit_answer(phase, unit))?;
            if object.as_deref().and_then(|object| answers.understood(unit, object)).is_none() {
                unsound.push((unit_answer(phase, unit), object.is_some()));
            }
        }
        Ok(unsound)
    }

    /// The hash of a phase's question: the plan contains the recipe, its region and level.
    fn asked_in(&self, phase: u32, question: &str) -> String {
        asked(&self.key, phase, question)
    }

    /// Removes states of parts that are finished.
    pub(super) fn tidy_measures(&self) -> Result<(), BakeError> {
        self.store.tidy(MEASURED).map_err(|error| self.failed(MEASURED, error))?;
        for (phase, question) in (0..).zip(&self.asked()?) {
            for thousand in 0..folders(self.parts_of(question.units)) {
                let folder = folder(phase, thousand);
                self.store.tidy(&folder).map_err(|error| self.failed(&folder, error))?;
                let left = self.names(&folder)?.into_iter().filter(|name| name.matches('.').count() == 2);
                left.map(|name| format!("{folder}/{name}")).try_for_each(|name| self.remove(&name))?;
            }
        }
        Ok(())
    }

    fn head(&self, phase: u32, bytes: &[u8]) -> String {
        format!("orogen part {} {phase} {}\n", self.key, hex(bytes))
    }

    /// The bytes behind the first line; `None` if the object is damaged.
    fn understood<'a>(&self, object: &'a [u8], phase: u32) -> Option<&'a [u8]> {
        let line = object.iter().position(|byte| *byte == b'\n')? + 1;
        let (head, bytes) = object.split_at(line);
        (head == self.head(phase, bytes).as_bytes()).then_some(bytes)
    }

    /// The bytes of an object; `None` if it is missing or damaged.
    fn read_bytes(&self, name: &str, phase: u32) -> Result<Option<Vec<u8>>, BakeError> {
        Ok(self.read(name)?.and_then(|object| self.understood(&object, phase).map(<[u8]>::to_vec)))
    }

    fn read_part<R: Reduction>(&self, name: &str, phase: u32, by: &R) -> Result<Option<R::Part>, BakeError> {
        let Some(bytes) = self.read_bytes(name, phase)? else { return Ok(None) };
        by.decode(&bytes).map(Some).ok_or_else(|| self.of_another_kind(name))
    }

    fn of_another_kind(&self, name: &str) -> BakeError {
        self.failed(name, Error::other("holds a part or an answer of another kind; allowed: one that this release of orogen wrote"))
    }

    /// Findings in [`MEASURED`]. `baked`: tiles are recorded, so all phases must be finished.
    pub(super) fn wrong_measures(&self, baked: bool) -> Result<Vec<Finding>, BakeError> {
        let mut wrong = Vec::new();
        let asked = self.asked()?;
        let there = |phase: u32| Ok(self.store.size(&answer(phase)).map_err(|error| self.failed(&answer(phase), error))?.is_some());
        let there: Vec<bool> = (0..asked.len() as u32).map(there).collect::<Result<_, BakeError>>()?;
        for (phase, question) in (0..).zip(&asked) {
            // A phase begins when all phases before it are finished.
            let done = baked || there[phase as usize..].contains(&true);
            let (mut hash, mut whole, count) = (PartsHash::default(), true, self.parts_of(question.units));
            for number in 0..count {
                let name = part(phase, number);
                match self.read(&name)?.as_deref().map(|object| self.understood(object, phase)) {
                    Some(Some(bytes)) => {
                        hash.add(bytes);
                        continue;
                    }
                    Some(None) => wrong.push(Finding::of(&name, Wrong::Damaged)),
                    None if done => wrong.push(Finding::of(&name, Wrong::Missing)),
                    None => (),
                }
                whole = false;
            }
            let parts = whole.then(|| hash.end());
            for (name, exists) in self.unsound_answers(phase, question, parts.as_deref())? {
                match exists {
                    true => wrong.push(Finding::of(&name, Wrong::Damaged)),
                    false if done => wrong.push(Finding::of(&name, Wrong::Missing)),
                    false => (),
                }
            }
            for thousand in 0..folders(count) {
                let folder = folder(phase, thousand);
                let number = |text: &str| text.parse::<u32>().is_ok_and(|number| number / 1000 == thousand && number < count);
                // `7.part`, `7.3.part` for a part in progress, or `7.answer` of a unit.
                let known = |name: &String| match (name.strip_suffix(PART), name.strip_suffix(ANSWER)) {
                    (Some(stem), _) => match stem.split_once('.') {
                        Some((stem, steps)) => number(stem) && steps.parse::<u64>().is_ok(),
                        None => number(stem),
                    },
                    (None, stem) => question.units.is_some() && stem.is_some_and(number),
                };
                let foreign = self.names(&folder)?.into_iter().filter(|name| !known(name));
                wrong.extend(foreign.map(|name| Finding::of(&format!("{folder}/{name}"), Wrong::Foreign)));
            }
        }
        Ok(wrong)
    }
}
