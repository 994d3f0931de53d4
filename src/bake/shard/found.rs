//! What shards find out of the whole world, as it lies in the store: the parts of a phase, what a part has come to while it is not done, and all
//! parts put together.

use super::Sharded;
use super::check::finding;
use super::store::Object;
use crate::bake::manifest::{closed_json, open_json};
use crate::bake::{BakeError, Finding, Phase, Progress, Step, Wrong};
use crate::engine::Engine;
use crate::engine::world::{Counts, Extremes};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;

/// What is found in some regions: the same in whatever order they are joined.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Found {
    plan_sha256: String,
    phase: u32,
    /// Of each thing that is asked about; `None` of no values.
    pub extremes: Vec<Option<[f32; 2]>>,
    pub count: u64,
    /// Bins that hold values, in their order, and how many.
    pub bins: Vec<(u32, u64)>,
}

impl Found {
    pub fn of_extremes(extremes: &[Extremes]) -> Self {
        // Of the two zeros always the same.
        let ends = |is: &Extremes| (is.count > 0).then_some([is.lo + 0.0, is.hi + 0.0]);
        Found { extremes: extremes.iter().map(ends).collect(), count: extremes.first().map_or(0, |is| is.count), ..Found::default() }
    }

    pub fn of_counts(counts: &Counts) -> Self {
        Found { bins: (0..).zip(counts.bins.iter().copied()).filter(|(_, count)| *count > 0).collect(), ..Found::default() }
    }

    pub fn join(&mut self, other: &Found) {
        self.count += other.count;
        self.extremes.resize(self.extremes.len().max(other.extremes.len()), None);
        for (own, other) in self.extremes.iter_mut().zip(&other.extremes) {
            *own = match (*own, *other) {
                (Some(a), Some(b)) => Some([a[0].min(b[0]), a[1].max(b[1])]),
                (one, other) => one.or(other),
            };
        }
        self.bins.extend(&other.bins);
        // Both lists are sorted, which the sort notices: it merges them.
        self.bins.sort_by_key(|(bin, _)| *bin);
        self.bins.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            kept.1 += if same { next.1 } else { 0 };
            same
        });
    }
}

/// Where all that is found lies.
pub(super) const MEASURED: &str = "measured";

/// The parts of a phase lie in folders of at most a thousand.
fn folder(phase: u32, thousand: u32) -> String {
    format!("{MEASURED}/{phase}/{thousand}")
}

fn part(phase: u32, shard: u32) -> String {
    format!("{}/{shard}.json", folder(phase, shard / 1000))
}

/// A part of which so many squares are done.
fn begun(phase: u32, shard: u32, squares: u32) -> String {
    format!("{}/{shard}.{squares}.json", folder(phase, shard / 1000))
}

fn whole(phase: u32) -> String {
    format!("{MEASURED}/{phase}.json")
}

impl Sharded {
    /// The shards that have done their part of a phase: listed, as asking for each would take a call for each, by each.
    pub(super) fn parts(&self, phase: u32) -> Result<HashSet<u32>, BakeError> {
        let mut there = HashSet::new();
        for thousand in 0..self.shards().div_ceil(1000) {
            let names = self.names(&folder(phase, thousand))?;
            there.extend(names.iter().filter_map(|name| name.strip_suffix(".json")?.parse::<u32>().ok()));
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
        Ok(self.read_found(&part(phase, shard), phase)?.is_some())
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

    pub(super) fn keep_part(&self, found: &Found, shard: u32) -> Result<(), BakeError> {
        self.keep_found(part(found.phase, shard), found)?;
        self.forget_begun(found.phase, shard, u32::MAX)
    }

    fn keep_found(&self, name: String, found: &Found) -> Result<(), BakeError> {
        let is_sound = |_: &str, there: &[u8]| self.understood(there, found.phase).is_some();
        self.keep(&Object { name, bytes: closed_json(found).into_bytes() }, &is_sound)
    }

    /// How far a part is, if it is not done: the most squares that any process has kept. A file that is damaged is not believed, and goes.
    pub(super) fn begun(&self, phase: u32, shard: u32) -> Result<(u32, Found), BakeError> {
        for squares in self.kept(phase, shard)?.into_iter().rev() {
            let name = begun(phase, shard, squares);
            match self.read(&name)?.map(|bytes| self.understood(&bytes, phase)) {
                Some(Some(found)) => return Ok((squares, found)),
                Some(None) => self.remove(&name)?,
                None => (),
            }
        }
        Ok((0, Found { plan_sha256: self.key.clone(), phase, ..Found::default() }))
    }

    /// Keeps how far a part is, which is the same whoever comes so far, and removes what is less.
    pub(super) fn keep_begun(&self, found: &Found, shard: u32, squares: u32) -> Result<(), BakeError> {
        self.keep_found(begun(found.phase, shard, squares), found)?;
        self.forget_begun(found.phase, shard, squares)
    }

    /// Removes what is kept of a part, of fewer squares than these.
    fn forget_begun(&self, phase: u32, shard: u32, squares: u32) -> Result<(), BakeError> {
        let less = self.kept(phase, shard)?.into_iter().filter(|kept| *kept < squares);
        less.map(|kept| begun(phase, shard, kept)).try_for_each(|name| self.remove(&name))
    }

    /// After how many squares a part is kept.
    fn kept(&self, phase: u32, shard: u32) -> Result<Vec<u32>, BakeError> {
        let (names, start) = (self.names(&folder(phase, shard / 1000))?, format!("{shard}."));
        let squares = |name: &String| name.strip_prefix(&start)?.strip_suffix(".json")?.parse::<u32>().ok();
        let mut kept: Vec<u32> = names.iter().filter_map(squares).collect();
        kept.sort_unstable();
        Ok(kept)
    }

    /// What a phase has found: put together, and kept, by whoever sees first that all parts are there.
    pub(super) fn found(&self, phase: u32) -> Result<Option<Found>, BakeError> {
        if let Some(found) = self.read_found(&whole(phase), phase)? {
            return Ok(Some(found));
        }
        if (self.parts(phase)?.len() as u64) < u64::from(self.shards()) {
            return Ok(None);
        }
        let mut all = Found { plan_sha256: self.key.clone(), phase, ..Found::default() };
        for shard in 0..self.shards() {
            let Some(found) = self.read_found(&part(phase, shard), phase)? else { return Ok(None) };
            all.join(&found);
        }
        self.keep_found(whole(phase), &all)?;
        Ok(Some(all))
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

    /// `None` where it is not what was written.
    fn understood(&self, bytes: &[u8], phase: u32) -> Option<Found> {
        open_json::<Found>(&String::from_utf8_lossy(bytes)).filter(|found| found.plan_sha256 == self.key && found.phase == phase)
    }

    /// The content of an object; `None` if it is missing, or not what was written.
    fn read_found(&self, name: &str, phase: u32) -> Result<Option<Found>, BakeError> {
        Ok(self.read(name)?.and_then(|bytes| self.understood(&bytes, phase)))
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
                // `7.json`, and `7.3.json` of a part on its way.
                let known = |name: &String| {
                    let stem = name.strip_suffix(".json").map(|stem| stem.split_once('.').unwrap_or((stem, "0")));
                    stem.is_some_and(|(shard, squares)| {
                        let number = |text: &str| text.parse::<u32>().ok();
                        number(shard).is_some_and(|shard| shard / 1000 == thousand && shard < self.shards()) && number(squares).is_some()
                    })
                };
                let foreign = self.names(&folder)?.into_iter().filter(|name| !known(name));
                wrong.extend(foreign.map(|name| finding(&format!("{folder}/{name}"), Wrong::Foreign)));
            }
        }
        Ok(wrong)
    }
}
