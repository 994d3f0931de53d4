//! Compares the files of a sharded world with its records.

use super::found::{MEASURED, folders};
use super::store::Store;
use super::{FILES, PLAN, Planned, Sharded, file_of, order, seal};
use crate::bake::check::{Recompute, anew, broken, chosen};
use crate::bake::hash::{FileHash, hex};
use crate::bake::manifest::{Manifest, TileRecord};
use crate::bake::names::{ANSWER, MANIFEST, OVERVIEW, tile_of};
use crate::bake::{BakeError, CheckReport, Finding, Progress, Wrong};
use crate::raster::Heights;
use rayon::prelude::*;
use std::collections::HashSet;
use std::sync::Arc;

/// Checks the plan of the world in a store, then the world ([`Sharded::check`]). Nothing else can be checked if the plan is
/// damaged.
///
/// # Errors
/// Returns an error if there is no world, and the errors of [`Sharded::check`].
pub fn check(store: Arc<dyn Store>, recompute: Option<&Recompute<'_>>, progress: &dyn Progress) -> Result<CheckReport, BakeError> {
    let of_plan = |wrong| Ok(CheckReport { findings: vec![Finding::of(PLAN, wrong)], ..CheckReport::default() });
    match Sharded::find(&store)? {
        Planned::Whole(_) => (),
        Planned::Damaged { .. } => return of_plan(Wrong::Damaged),
        Planned::Nothing if Sharded::has_traces(&store)? => return of_plan(Wrong::Missing),
        Planned::Nothing => return Err(BakeError::NoPlan { path: store.path() }),
    }
    let (world, wrong) = Sharded::open_for_check(store)?;
    // Noises that read files cannot be computed again without these files.
    let mut checked = world.check(recompute.filter(|_| wrong.is_empty()), progress)?;
    checked.findings.extend(wrong);
    checked.findings.sort_by(|a, b| a.file.cmp(&b.file));
    Ok(checked)
}

impl Sharded {
    /// Reads every file and compares it with its record, and reports files without a record. Computes a share of the tiles of each
    /// shard again. With stages `drainage`, this traces the water of the world again, and checks the
    /// [rules](crate::Engine::check_drainage) of drainage. Changes nothing.
    ///
    /// Memory: the records of one shard, and a file for each processor. With arrays also 0.2 KB for each file of a coarser level.
    ///
    /// # Errors
    /// Returns an error if two records of a tile differ, if the engine has another parity, or if the store fails.
    pub fn check(&self, recompute: Option<&Recompute<'_>>, progress: &dyn Progress) -> Result<CheckReport, BakeError> {
        if let Some(recompute) = recompute {
            self.check_engine(recompute.engine)?;
        }
        // Nothing can be computed again without answers, and a check does not make them.
        let recompute = if self.has_answers()? { recompute } else { None };
        let sealed = self.sealed()?;
        let damaged = matches!(sealed, Some(Err(())));
        let total = self.tiles().count();
        // Sealing writes these files before the manifest.
        let was_sealed = sealed.is_none() && self.is_all_but_sealed()?;
        let mut checked = CheckReport { unfinished: sealed.is_none() && !was_sealed, ..CheckReport::default() };
        checked.findings.extend(was_sealed.then(|| Finding::of(MANIFEST, Wrong::Missing)));
        checked.findings.extend(damaged.then(|| Finding::of(MANIFEST, Wrong::Damaged)));
        let sealed = sealed.and_then(Result::ok);
        let mut recorded_any = sealed.is_some();
        if let Some(is) = sealed.as_ref().and_then(|sealed| sealed.overview.as_ref()) {
            checked.findings.extend(self.compared(&is.file, is)?);
            checked.files += 1;
            checked.bytes += is.size;
        } else if !self.plan.overview && self.read(OVERVIEW)?.is_some() {
            checked.findings.push(Finding::of(OVERVIEW, Wrong::Foreign));
        }
        let mut done = 0;
        for shard in 0..self.shards() {
            let recorded = self.recorded(shard)?;
            recorded_any |= !recorded.tiles.is_empty();
            checked.findings.extend(recorded.damaged.iter().map(|name| Finding::of(name, Wrong::Damaged)));
            checked.findings.extend(recorded.foreign.iter().map(|name| Finding::of(name, Wrong::Foreign)));
            let tiles: Vec<&TileRecord> = recorded.tiles.values().map(|(tile, _)| tile).collect();
            let files: Vec<_> = tiles.iter().flat_map(|tile| tile.hashes().map(|is| (self.file(tile, &is.file), is))).collect();
            let wrong: Result<Vec<Option<Finding>>, BakeError> = files.par_iter().map(|(name, is)| self.compared(name, is)).collect();
            checked.findings.extend(wrong?.into_iter().flatten());
            checked.files += files.len() as u64;
            checked.bytes += files.iter().map(|(_, is)| is.size).sum::<u64>();
            if let Some(sealed) = &sealed {
                let name = seal::part(shard);
                let part = self.read(&name)?;
                if part.as_deref().map(hex).as_ref() != sealed.parts.get(shard as usize) {
                    checked.findings.push(Finding::of(&name, if part.is_none() { Wrong::Missing } else { Wrong::Damaged }));
                }
                for tile in order::shard(&self.tiles(), shard, self.shards()).into_iter().flat_map(|(_, tiles)| tiles) {
                    if !recorded.tiles.contains_key(&(tile.1, tile.0)) {
                        checked.findings.push(Finding::of(&self.place_of(tile), Wrong::Missing));
                    }
                }
            }
            if let Some(recompute) = recompute.filter(|_| !tiles.is_empty()) {
                let tiles = chosen(&tiles, recompute);
                checked.recomputed += tiles.len() as u64;
                let settled = self.settled()?;
                let head = Manifest::begin(settled.setting.clone(), &settled.pipeline, &recompute.engine.describe());
                checked.findings.extend(anew(&self.store.path(), recompute.engine, &head, &settled.pipeline, &tiles, &())?);
            }
            for _ in 0..self.tiles_of(shard) {
                done += 1;
                progress.tile(done, total);
            }
            if progress.stops() {
                return Err(BakeError::Stopped);
            }
        }
        if let Some(recompute) = recompute.filter(|_| checked.recomputed > 0) {
            checked.broken = broken(recompute.engine, &self.settled()?.pipeline)?;
        }
        checked.findings.extend(self.wrong_measures(recorded_any)?);
        #[cfg(feature = "zarr")]
        self.check_arrays(sealed.as_ref(), &mut checked)?;
        self.foreign(&mut checked)?;
        checked.findings.sort_by(|a, b| a.file.cmp(&b.file));
        checked.findings.dedup();
        Ok(checked)
    }

    /// Whether all files exist that sealing writes before the manifest.
    fn is_all_but_sealed(&self) -> Result<bool, BakeError> {
        let there = |name: &str| Ok::<_, BakeError>(self.store.size(name).map_err(|error| self.failed(name, error))?.is_some());
        for shard in 0..self.shards() {
            if !there(&seal::part(shard))? {
                return Ok(false);
            }
        }
        Ok(!self.plan.overview || there(OVERVIEW)?)
    }

    /// The problem of a file, if it has one.
    pub(super) fn compared(&self, name: &str, is: &FileHash) -> Result<Option<Finding>, BakeError> {
        Ok(match self.read(name)? {
            None => Some(Finding::of(name, Wrong::Missing)),
            Some(bytes) if bytes.len() as u64 != is.size || hex(&bytes) != is.sha256 => Some(Finding::of(name, Wrong::Damaged)),
            Some(_) => None,
        })
    }

    /// Reports files without a record: in the folders of tiles, group by group, and at the top.
    fn foreign(&self, checked: &mut CheckReport) -> Result<(), BakeError> {
        let tiles = self.place_of((self.tiles().x.start, self.tiles().y.start));
        let tiles = tiles.split('/').next().unwrap_or_default();
        let files: HashSet<String> = self.pipeline.heights().filter_map(Heights::key).map(|key| file_of(&key)).collect();
        let known = [PLAN, MANIFEST, OVERVIEW, MEASURED, tiles, "records", "parts"].into_iter();
        let known: Vec<&str> = known.chain((!files.is_empty()).then_some(FILES)).collect();
        let found = self.names("")?.into_iter().filter(|name| !known.contains(&name.as_str()));
        checked.findings.extend(found.map(|name| Finding::of(&name, Wrong::Foreign)));
        if !files.is_empty() {
            let found = self.names(FILES)?.into_iter().map(|name| format!("{FILES}/{name}")).filter(|name| !files.contains(name));
            checked.findings.extend(found.map(|name| Finding::of(&name, Wrong::Foreign)));
        }
        self.foreign_folders(checked)?;
        if self.is_array() {
            return Ok(());
        }
        // The tiles of a group may belong to several shards, with consecutive numbers.
        let (mut shard, mut records) = (0, self.recorded(0)?.tiles);
        let (mut end, mut first) = (self.tiles_of(0), 0);
        for group in order::groups(&self.tiles()) {
            let mut named = HashSet::new();
            for at in group.each() {
                while first >= end && shard + 1 < self.shards() {
                    shard += 1;
                    records = self.recorded(shard)?.tiles;
                    end += self.tiles_of(shard);
                }
                named.extend(records.get(&(at.1, at.0)).iter().flat_map(|(tile, _)| tile.hashes()).map(|is| is.file.clone()));
                first += 1;
            }
            let folder = order::folder((group.x.start, group.y.start));
            for name in self.names(&folder)?.into_iter().filter(|name| !named.contains(name)) {
                // The record of a tile's file may be lost. Baking its shard compares the file and records it again.
                let own = tile_of(&name).is_some_and(|at| group.holds(at));
                checked.findings.push(Finding::of(&format!("{folder}/{name}"), if own { Wrong::Unrecorded } else { Wrong::Foreign }));
            }
        }
        Ok(())
    }

    /// Reports entries that are not among the world's folders and parts.
    fn foreign_folders(&self, checked: &mut CheckReport) -> Result<(), BakeError> {
        let number = |name: &str, end: &str| name.strip_suffix(end).and_then(|name| name.parse::<u32>().ok());
        let thousands = self.shards().div_ceil(1000);
        let mut look = |folder: &str, known: &dyn Fn(&str) -> bool| -> Result<(), BakeError> {
            let found = self.names(folder)?.into_iter().filter(|name| !known(name));
            checked.findings.extend(found.map(|name| Finding::of(&format!("{folder}/{name}"), Wrong::Foreign)));
            Ok(())
        };
        look("records", &|name| number(name, "").is_some_and(|thousand| thousand < thousands))?;
        look("parts", &|name| {
            (self.is_array() && name == "arrays.jsonl") || number(name, "").is_some_and(|thousand| thousand < thousands)
        })?;
        let (asked, phases) = (self.asked()?, self.phases()?);
        look(MEASURED, &|name| number(name, "").or_else(|| number(name, ANSWER)).is_some_and(|phase| phase < phases))?;
        for (phase, question) in asked.iter().enumerate() {
            let thousands = folders(self.parts_of(question.units));
            look(&format!("{MEASURED}/{phase}"), &|name| number(name, "").is_some_and(|thousand| thousand < thousands))?;
        }
        for thousand in 0..thousands {
            let own = |shard: u32| shard / 1000 == thousand && shard < self.shards();
            look(&format!("records/{thousand}"), &|name| number(name, "").is_some_and(own))?;
            look(&format!("parts/{thousand}"), &|name| number(name, ".jsonl").is_some_and(own))?;
        }
        if !self.is_array() {
            let folders = order::Folders::new(&self.tiles());
            look("tiles", &|name| folders.is_far(name))?;
            for far in folders.far() {
                look(&format!("tiles/{far}"), &|name| folders.is_in(&far, name))?;
            }
        }
        Ok(())
    }
}
