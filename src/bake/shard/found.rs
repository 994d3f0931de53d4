//! Results of shards about the whole world, as objects of the store: finished parts, parts in progress, and the answer of each
//! phase.
//!
//! A part begins with a line of text: its type, the SHA-256 of the plan, the phase, and the SHA-256 of the bytes behind the line.
//! [`Reduction::encode`] makes these bytes. So a damaged part, or one of another plan or phase, is never joined.
//! [Answers](crate::bake::answers) begin with a similar line.

use super::Sharded;
use crate::bake::answers::{Answer, PartsHash, asked};
use crate::bake::hash::hex;
use crate::bake::names::ANSWER;
use crate::bake::object::Object;
use crate::bake::{BakeError, Finding, Phase, Progress, Step, Wrong};
use crate::engine::Engine;
use crate::world::driver::Begun;
use crate::world::questions::Question;
use crate::world::reduction::{Reduction, join_all};
use std::collections::HashSet;
use std::io::Error;

/// The folder of parts and answers.
pub(super) const MEASURED: &str = "measured";
/// The ending of the names of parts.
const PART: &str = ".part";

/// Parts of a phase lie in folders of at most a thousand.
fn folder(phase: u32, thousand: u32) -> String {
    format!("{MEASURED}/{phase}/{thousand}")
}

fn part(phase: u32, shard: u32) -> String {
    format!("{}/{shard}{PART}", folder(phase, shard / 1000))
}

/// The name of a part in progress after `steps` steps.
fn begun(phase: u32, shard: u32, steps: u64) -> String {
    format!("{}/{shard}.{steps}{PART}", folder(phase, shard / 1000))
}

fn answer(phase: u32) -> String {
    format!("{MEASURED}/{phase}{ANSWER}")
}

impl Sharded {
    /// The shards that have finished their part of a phase. It lists folders, since a call per shard would be slow if every shard
    /// does it.
    pub(super) fn parts(&self, phase: u32) -> Result<HashSet<u32>, BakeError> {
        let mut there = HashSet::new();
        for thousand in 0..self.shards().div_ceil(1000) {
            let names = self.names(&folder(phase, thousand))?;
            there.extend(names.iter().filter_map(|name| name.strip_suffix(PART)?.parse::<u32>().ok()));
        }
        Ok(there)
    }

    /// The shards whose part of a phase is missing or damaged. Parts are read once all exist; before that, missing shards will do
    /// theirs.
    pub(super) fn parts_missing(&self, phase: u32) -> Result<Vec<u32>, BakeError> {
        let there = self.parts(phase)?;
        let missing: Vec<u32> = (0..self.shards()).filter(|shard| !there.contains(shard)).collect();
        if missing.is_empty() { self.unsound_parts(phase) } else { Ok(missing) }
    }

    fn unsound_parts(&self, phase: u32) -> Result<Vec<u32>, BakeError> {
        Ok(self.examined(phase)?.0)
    }

    /// The shards whose part of a phase is missing or damaged, and the hash of all other parts.
    fn examined(&self, phase: u32) -> Result<(Vec<u32>, String), BakeError> {
        let (mut unsound, mut hash) = (Vec::new(), PartsHash::default());
        for shard in 0..self.shards() {
            match self.read_bytes(&part(phase, shard), phase)? {
                Some(bytes) => hash.add(&bytes),
                None => unsound.push(shard),
            }
        }
        Ok((unsound, hash.end()))
    }

    /// Whether a shard's part exists and is intact.
    pub(super) fn has_part(&self, phase: u32, shard: u32) -> Result<bool, BakeError> {
        Ok(self.read_bytes(&part(phase, shard), phase)?.is_some())
    }

    /// Measures missing or damaged parts of finished phases again: those of one shard, or of all. Removes answers that were made
    /// from other parts than the present ones. The next [`phase`](Self::phase) makes them again.
    ///
    /// # Errors
    /// The errors of [`measure`](Self::measure).
    pub fn mend_parts(&self, engine: &Engine, one: Option<u32>, progress: &dyn Progress) -> Result<(), BakeError> {
        let asked = self.asked()?;
        let done = self.phase()?.map_or(asked.len(), |next| next.number as usize);
        for (phase, question) in (0..).zip(&asked[..done]) {
            let (unsound, parts) = self.examined(phase)?;
            if unsound.is_empty()
                && !self.read(&answer(phase))?.is_some_and(|object| self.is_answer(&object, phase, question, Some(&parts)))
            {
                self.remove(&answer(phase))?;
            }
            for shard in unsound.into_iter().filter(|shard| one.is_none_or(|one| one == *shard)) {
                progress.step(&Step::Measuring { what: format!("again the part of shard {shard} in phase {}", phase + 1) });
                self.measure(engine, shard, Some(phase), progress)?;
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

    pub(super) fn keep_part<R: Reduction>(&self, by: &R, found: &R::Part, (phase, shard): (u32, u32)) -> Result<(), BakeError> {
        self.keep_bytes(part(phase, shard), phase, &by.encode(found))?;
        self.forget_begun(phase, shard, u64::MAX)
    }

    fn keep_bytes(&self, name: String, phase: u32, bytes: &[u8]) -> Result<(), BakeError> {
        let is_sound = |_: &str, there: &[u8]| self.understood(there, phase).is_some();
        let bytes = [self.head(phase, bytes).as_bytes(), bytes].concat();
        self.keep(&Object { name, bytes }, &is_sound)
    }

    /// The state of an unfinished part: the one with the most steps. A damaged state is removed.
    pub(super) fn begun<R: Reduction>(&self, phase: u32, shard: u32, by: &R) -> Result<Begun<R::Part>, BakeError> {
        for steps in self.kept(phase, shard)?.into_iter().rev() {
            let name = begun(phase, shard, steps);
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
        (phase, shard): (u32, u32),
        steps: u64,
    ) -> Result<(), BakeError> {
        self.keep_bytes(begun(phase, shard, steps), phase, &by.encode(found))?;
        self.forget_begun(phase, shard, steps)
    }

    /// Removes stored states of a part with fewer steps.
    fn forget_begun(&self, phase: u32, shard: u32, steps: u64) -> Result<(), BakeError> {
        let less = self.kept(phase, shard)?.into_iter().filter(|kept| *kept < steps);
        less.map(|kept| begun(phase, shard, kept)).try_for_each(|name| self.remove(&name))
    }

    /// The numbers of steps for which a state is stored.
    fn kept(&self, phase: u32, shard: u32) -> Result<Vec<u64>, BakeError> {
        let (names, start) = (self.names(&folder(phase, shard / 1000))?, format!("{shard}."));
        let steps = |name: &String| name.strip_prefix(&start)?.strip_suffix(PART)?.parse::<u64>().ok();
        let mut kept: Vec<u64> = names.iter().filter_map(steps).collect();
        kept.sort_unstable();
        Ok(kept)
    }

    /// The answer of a phase. The first process that finds all parts makes and stores it. `None` while parts are missing.
    pub(super) fn answer<R: Reduction>(&self, phase: u32, question: &Question, by: &R) -> Result<Option<R::Answer>, BakeError> {
        let (name, asked) = (answer(phase), self.asked_in(phase, &question.to_string()));
        if let Some(object) = self.read(&name)?
            && let Some(Answer { bytes, .. }) = Answer::to(&asked, &object)
        {
            return by.decode_answer(bytes).map(Some).ok_or_else(|| self.of_another_kind(&name));
        }
        if (self.parts(phase)?.len() as u64) < u64::from(self.shards()) {
            return Ok(None);
        }
        let mut hash = PartsHash::default();
        // `Err(None)`: a part is missing or damaged.
        let parts = (0..self.shards()).map(|shard| {
            let name = part(phase, shard);
            let bytes = self.read_bytes(&name, phase).map_err(Some)?.ok_or(None)?;
            hash.add(&bytes);
            by.decode(&bytes).ok_or_else(|| Some(self.of_another_kind(&name)))
        });
        let found = match join_all(by, parts) {
            Ok(all) => by.answer(all.unwrap_or_else(|| by.empty())),
            Err(None) => return Ok(None),
            Err(Some(error)) => return Err(error),
        };
        let (parts, bytes) = (hash.end(), by.encode_answer(&found));
        let object = Object { name, bytes: Answer { asked: &asked, parts: &parts, bytes: &bytes }.object() };
        self.keep(&object, &|_, there| Answer::to(&asked, there).is_some_and(|there| there.parts == parts))?;
        Ok(Some(found))
    }

    /// Whether every answer exists and is intact.
    pub(super) fn has_answers(&self) -> Result<bool, BakeError> {
        for (phase, question) in (0..).zip(&self.asked()?) {
            if !self.read(&answer(phase))?.is_some_and(|object| self.is_answer(&object, phase, question, None)) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The hash of a phase's question: the plan contains the recipe, its region and level.
    fn asked_in(&self, phase: u32, question: &str) -> String {
        asked(&self.key, phase, question)
    }

    /// Whether an object is the answer of a phase, made from parts with this hash.
    fn is_answer(&self, object: &[u8], phase: u32, question: &str, parts: Option<&str>) -> bool {
        Answer::to(&self.asked_in(phase, question), object).is_some_and(|answer| parts.is_none_or(|parts| answer.parts == parts))
    }

    /// Removes states of parts that are finished.
    pub(super) fn tidy_measures(&self) -> Result<(), BakeError> {
        self.store.tidy(MEASURED).map_err(|error| self.failed(MEASURED, error))?;
        for phase in 0..self.phases()? {
            for thousand in 0..self.shards().div_ceil(1000) {
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
            let (mut hash, mut whole) = (PartsHash::default(), true);
            for shard in 0..self.shards() {
                let name = part(phase, shard);
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
            match self.read(&answer(phase))? {
                None if done => wrong.push(Finding::of(&answer(phase), Wrong::Missing)),
                Some(object) if !self.is_answer(&object, phase, question, parts.as_deref()) => {
                    wrong.push(Finding::of(&answer(phase), Wrong::Damaged));
                }
                Some(_) | None => (),
            }
            for thousand in 0..self.shards().div_ceil(1000) {
                let folder = folder(phase, thousand);
                // `7.part`, or `7.3.part` for a part in progress.
                let known = |name: &String| {
                    let stem = name.strip_suffix(PART).map(|stem| stem.split_once('.').unwrap_or((stem, "0")));
                    stem.is_some_and(|(shard, steps)| {
                        let number = |text: &str| text.parse::<u32>().ok();
                        number(shard).is_some_and(|shard| shard / 1000 == thousand && shard < self.shards()) && steps.parse::<u64>().is_ok()
                    })
                };
                let foreign = self.names(&folder)?.into_iter().filter(|name| !known(name));
                wrong.extend(foreign.map(|name| Finding::of(&format!("{folder}/{name}"), Wrong::Foreign)));
            }
        }
        Ok(wrong)
    }
}
