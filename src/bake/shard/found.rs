//! Parts that shards gather of the whole world, as objects of the store: those that are done, those on their way, and all of a phase joined.
//!
//! An object begins with a line of text: what it is, the SHA-256 of the plan, the phase, and the SHA-256 of the bytes behind the line, which
//! [`Reduction::encode`] makes. So a part that belongs elsewhere or is damaged is never joined.

use super::Sharded;
use super::check::finding;
use super::store::Object;
use crate::bake::manifest::hex;
use crate::bake::{BakeError, Finding, Phase, Progress, Step, Wrong};
use crate::engine::Engine;
use crate::world::driver::Begun;
use crate::world::reduction::{Reduction, join_all};
use std::collections::HashSet;
use std::io::Error;

/// Where all that is found lies.
pub(super) const MEASURED: &str = "measured";
/// The ending of the names of parts.
pub(super) const PART: &str = ".part";

/// The parts of a phase lie in folders of at most a thousand.
fn folder(phase: u32, thousand: u32) -> String {
    format!("{MEASURED}/{phase}/{thousand}")
}

fn part(phase: u32, shard: u32) -> String {
    format!("{}/{shard}{PART}", folder(phase, shard / 1000))
}

/// A part of which so many steps are done.
fn begun(phase: u32, shard: u32, steps: u64) -> String {
    format!("{}/{shard}.{steps}{PART}", folder(phase, shard / 1000))
}

fn whole(phase: u32) -> String {
    format!("{MEASURED}/{phase}{PART}")
}

impl Sharded {
    /// The shards that have done their part of a phase: listed, as asking for each would take a call for each, by each.
    pub(super) fn parts(&self, phase: u32) -> Result<HashSet<u32>, BakeError> {
        let mut there = HashSet::new();
        for thousand in 0..self.shards().div_ceil(1000) {
            let names = self.names(&folder(phase, thousand))?;
            there.extend(names.iter().filter_map(|name| name.strip_suffix(PART)?.parse::<u32>().ok()));
        }
        Ok(there)
    }

    /// The shards whose part of a phase is missing or damaged. Parts are read once all are there: before that, their shards come to it.
    pub(super) fn parts_missing(&self, phase: u32) -> Result<Vec<u32>, BakeError> {
        let there = self.parts(phase)?;
        let missing: Vec<u32> = (0..self.shards()).filter(|shard| !there.contains(shard)).collect();
        if missing.is_empty() { self.unsound_parts(phase) } else { Ok(missing) }
    }

    fn unsound_parts(&self, phase: u32) -> Result<Vec<u32>, BakeError> {
        let mut unsound = Vec::new();
        for shard in 0..self.shards() {
            if !self.has_part(phase, shard)? {
                unsound.push(shard);
            }
        }
        Ok(unsound)
    }

    /// Whether a shard's part is there, and what was written.
    pub(super) fn has_part(&self, phase: u32, shard: u32) -> Result<bool, BakeError> {
        Ok(self.read_bytes(&part(phase, shard), phase)?.is_some())
    }

    /// Parts of phases that are done which are missing or damaged, by phase and shard: nothing waits for them, and [`measure`](Self::measure) makes them
    /// anew.
    ///
    /// # Errors
    /// I/O errors of the store.
    pub fn parts_to_mend(&self) -> Result<Vec<(u32, u32)>, BakeError> {
        let done = self.phase()?.map_or(self.phases()?, |next| next.number);
        let mut all = Vec::new();
        for phase in 0..done {
            all.extend(self.unsound_parts(phase)?.into_iter().map(|shard| (phase, shard)));
        }
        Ok(all)
    }

    /// Measures again the [parts](Self::parts_to_mend) that are missing or damaged: those of one shard, or of all.
    ///
    /// # Errors
    /// As [`measure`](Self::measure).
    pub fn mend_parts(&self, engine: &Engine, one: Option<u32>, progress: &dyn Progress) -> Result<(), BakeError> {
        for (phase, shard) in self.parts_to_mend()?.into_iter().filter(|(_, shard)| one.is_none_or(|one| one == *shard)) {
            progress.step(&Step::Measuring { what: format!("again what shard {shard} has found in phase {}", phase + 1) });
            self.measure(engine, shard, Some(phase), progress)?;
        }
        Ok(())
    }

    /// Measures all that is missing, phase after phase, so that tiles can be baked. Does nothing if no phase is next.
    ///
    /// # Errors
    /// As [`measure`](Self::measure).
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

    /// How far a part is, if it is not done: the most steps that any process has kept. A file that is damaged is not believed, and goes.
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

    /// Keeps how far a part is, which is the same whoever comes so far, and removes what is less.
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

    /// Removes what is kept of a part, of fewer steps than these.
    fn forget_begun(&self, phase: u32, shard: u32, steps: u64) -> Result<(), BakeError> {
        let less = self.kept(phase, shard)?.into_iter().filter(|kept| *kept < steps);
        less.map(|kept| begun(phase, shard, kept)).try_for_each(|name| self.remove(&name))
    }

    /// After how many steps a part is kept.
    fn kept(&self, phase: u32, shard: u32) -> Result<Vec<u64>, BakeError> {
        let (names, start) = (self.names(&folder(phase, shard / 1000))?, format!("{shard}."));
        let steps = |name: &String| name.strip_prefix(&start)?.strip_suffix(PART)?.parse::<u64>().ok();
        let mut kept: Vec<u64> = names.iter().filter_map(steps).collect();
        kept.sort_unstable();
        Ok(kept)
    }

    /// The joined part of a phase: joined, and kept, by the first process that sees all parts there.
    pub(super) fn found<R: Reduction>(&self, phase: u32, by: &R) -> Result<Option<R::Part>, BakeError> {
        if let Some(found) = self.read_part(&whole(phase), phase, by)? {
            return Ok(Some(found));
        }
        if (self.parts(phase)?.len() as u64) < u64::from(self.shards()) {
            return Ok(None);
        }
        // `Err(None)`: a part is not sound.
        let parts = (0..self.shards()).map(|shard| self.read_part(&part(phase, shard), phase, by).map_err(Some)?.ok_or(None));
        match join_all(by, parts) {
            Ok(all) => {
                let all = all.unwrap_or_else(|| by.empty());
                self.keep_bytes(whole(phase), phase, &by.encode(&all))?;
                Ok(Some(all))
            }
            Err(None) => Ok(None),
            Err(Some(error)) => Err(error),
        }
    }

    /// Removes what processes have left of parts that others finished.
    pub(super) fn tidy_measures(&self) -> Result<(), BakeError> {
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

    /// The bytes behind the first line; `None` where the object is not what was written.
    fn understood<'a>(&self, object: &'a [u8], phase: u32) -> Option<&'a [u8]> {
        let line = object.iter().position(|byte| *byte == b'\n')? + 1;
        let (head, bytes) = object.split_at(line);
        (head == self.head(phase, bytes).as_bytes()).then_some(bytes)
    }

    /// The bytes of an object; `None` if it is missing, or not what was written.
    fn read_bytes(&self, name: &str, phase: u32) -> Result<Option<Vec<u8>>, BakeError> {
        Ok(self.read(name)?.and_then(|object| self.understood(&object, phase).map(<[u8]>::to_vec)))
    }

    fn read_part<R: Reduction>(&self, name: &str, phase: u32, by: &R) -> Result<Option<R::Part>, BakeError> {
        let Some(bytes) = self.read_bytes(name, phase)? else { return Ok(None) };
        let foreign = || self.failed(name, Error::other("holds a part of another kind; allowed: a part that this release of orogen wrote"));
        by.decode(&bytes).map(Some).ok_or_else(foreign)
    }

    /// Findings in [`MEASURED`]. `baked`: tiles are recorded, so that all phases are done.
    pub(super) fn wrong_measures(&self, baked: bool) -> Result<Vec<Finding>, BakeError> {
        let mut wrong = Vec::new();
        let phases = self.phases()?;
        let wholes: Vec<Option<Vec<u8>>> = (0..phases).map(|phase| self.read(&whole(phase))).collect::<Result<_, _>>()?;
        for phase in 0..phases {
            // A later phase is begun when all before it are done.
            let done = baked || wholes[phase as usize..].iter().any(Option::is_some);
            let parts = (0..self.shards()).map(|shard| Ok((part(phase, shard), self.read(&part(phase, shard))?)));
            let parts = parts.collect::<Result<Vec<_>, BakeError>>()?;
            for (name, bytes) in parts.into_iter().chain([(whole(phase), wholes[phase as usize].clone())]) {
                match bytes {
                    None if done => wrong.push(finding(&name, Wrong::Missing)),
                    Some(bytes) if self.understood(&bytes, phase).is_none() => wrong.push(finding(&name, Wrong::Damaged)),
                    _ => (),
                }
            }
            for thousand in 0..self.shards().div_ceil(1000) {
                let folder = folder(phase, thousand);
                // `7.part`, and `7.3.part` of a part on its way.
                let known = |name: &String| {
                    let stem = name.strip_suffix(PART).map(|stem| stem.split_once('.').unwrap_or((stem, "0")));
                    stem.is_some_and(|(shard, steps)| {
                        let number = |text: &str| text.parse::<u32>().ok();
                        number(shard).is_some_and(|shard| shard / 1000 == thousand && shard < self.shards()) && steps.parse::<u64>().is_ok()
                    })
                };
                let foreign = self.names(&folder)?.into_iter().filter(|name| !known(name));
                wrong.extend(foreign.map(|name| finding(&format!("{folder}/{name}"), Wrong::Foreign)));
            }
        }
        Ok(wrong)
    }
}
