//! The state of a world, and its seal: a record for each shard, and one hash over all of them.

use super::measure::Settled;
use super::{Phase, Sharded, order, record};
use crate::bake::hash::{FileHash, hex};
use crate::bake::manifest::{Manifest, TileRecord, closed_json, line, open_json, read_line};
use crate::bake::names::{MANIFEST, OVERVIEW};
use crate::bake::object::Object;
use crate::bake::overview::Sketch;
use crate::bake::{BakeError, Progress, Tiles};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::io::ErrorKind;

/// The state of a world.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Status {
    /// The next phase of measurements; `None` once tiles can be baked.
    pub phase: Option<Phase>,
    /// Tiles of the plan.
    pub tiles: u64,
    /// Tiles that are recorded.
    pub done: u64,
    /// Shards that lack tiles.
    pub missing: Vec<u32>,
    /// Machines that have recorded tiles, with their number.
    pub machines: BTreeMap<String, u64>,
    /// Tiles per second, from the start of the first shard to the last record.
    pub rate: f64,
    /// Records that are damaged.
    pub damaged: Vec<String>,
    /// The hash of the whole world, once it is sealed.
    pub root: Option<String>,
}

impl Status {
    /// Shards that lack tiles or their part of the phase, in the notation of schedulers: `0-3,7`.
    pub fn array(&self) -> String {
        order::array(self.phase.as_ref().map_or(&self.missing, |phase| &phase.missing))
    }
}

/// A complete world.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sealed {
    /// One hash over the content of all files. It does not depend on the machines or on the number of shards: [`root`].
    pub root: String,
    /// Number of tiles.
    pub tiles: u64,
    /// Bytes of the tiles' files.
    pub bytes: u64,
}

/// The content of `manifest.json`.
#[derive(Serialize, Deserialize)]
pub(super) struct SealedFile {
    pub orogen: String,
    /// SHA-256 of `plan.json`.
    pub plan_sha256: String,
    pub root: String,
    pub tiles: u64,
    pub bytes: u64,
    /// The picture of the whole world.
    pub overview: Option<FileHash>,
    /// SHA-256 of the parts, shard by shard.
    pub parts: Vec<String>,
    /// SHA-256 of the record of the arrays' files that sealing has written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arrays: Option<String>,
}

/// The hash of a world, updated tile after tile in the order of tiles.
struct Root {
    all: Sha256,
    group: Sha256,
}

impl Root {
    fn new(setting: &str) -> Self {
        let mut all = Sha256::new();
        all.update(setting);
        Root { all, group: Sha256::new() }
    }

    fn tile(&mut self, tile: &TileRecord) {
        let hashes = tile.hashes().map(|is| is.sha256.as_str()).collect::<Vec<_>>().join(" ");
        self.group.update(format!("{} {} {hashes}\n", tile.x, tile.y));
    }

    fn end_group(&mut self) {
        let group = std::mem::take(&mut self.group).finalize();
        self.all.update(group);
    }

    fn end(self) -> String {
        self.all.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

/// The root hash of a bake by one process, which equals that of the same world baked by shards. `None` if its tiles do not fill a
/// rectangle.
///
/// It is the SHA-256 over the setting that decides the bits and the hashes of groups of 16 × 16 tiles, in Z-order. The hash of a
/// group covers the place and the files' SHA-256 of each tile, row by row.
pub fn root(manifest: &Manifest) -> Option<String> {
    let tiles: BTreeMap<(i64, i64), &TileRecord> = manifest.tiles.iter().map(|tile| ((tile.x, tile.y), tile)).collect();
    let all = Tiles::around(tiles.keys().copied())?;
    if all.count() != tiles.len() as u64 {
        return None;
    }
    let mut root = Root::new(&manifest.setting.key());
    for group in order::groups(&all) {
        for at in group.each() {
            root.tile(tiles.get(&at)?);
        }
        root.end_group();
    }
    Some(root.end())
}

/// The name of a shard's part.
pub(super) fn part(shard: u32) -> String {
    format!("parts/{}/{shard}.jsonl", shard / 1000)
}

impl Sharded {
    /// The state of all shards. Memory: the records of one shard.
    ///
    /// # Errors
    /// Returns an error if two records of a tile differ, or the store fails.
    pub fn status(&self) -> Result<Status, BakeError> {
        let mut status = Status { phase: self.phase()?, tiles: self.tiles().count(), ..Status::default() };
        let (mut began, mut ended) = (u64::MAX, 0);
        for shard in 0..self.shards() {
            let recorded = self.recorded(shard)?;
            status.done += recorded.tiles.len() as u64;
            if (recorded.tiles.len() as u64) < self.tiles_of(shard) {
                status.missing.push(shard);
            }
            for (_, by) in recorded.tiles.values() {
                *status.machines.entry(recorded.makers[*by].machine.clone()).or_default() += 1;
            }
            began = recorded.makers.iter().map(|maker| maker.began).fold(began, u64::min);
            ended = recorded.makers.iter().map(|maker| maker.ended).fold(ended, u64::max);
            status.damaged.extend(recorded.damaged);
        }
        if ended > began {
            status.rate = status.done as f64 * 1000.0 / (ended - began) as f64;
        }
        match self.sealed()? {
            Some(Ok(sealed)) => status.root = Some(sealed.root),
            Some(Err(())) => status.damaged.push(MANIFEST.to_owned()),
            None => (),
        }
        Ok(status)
    }

    /// Seals the world. It verifies that every tile of every shard is recorded and its files exist. Unless the world was planned
    /// [without](crate::bake::World::overview), it draws `overview.png` from their samples. Then it writes `manifest.json` with
    /// the hash of the whole. For arrays it writes descriptions, positions and the coarser levels, each from the files of the one
    /// before. A second call has the same result.
    ///
    /// Memory: the records of one shard, a tile for each processor, and 8 MiB for each channel of the overview. For arrays also
    /// four tiles for each processor, and 0.2 KB for each file of a coarser level.
    ///
    /// # Errors
    /// [`BakeError::Missing`] if tiles are missing, an error if two records of a tile differ, and errors of the store.
    pub fn seal(&self, progress: &dyn Progress) -> Result<Sealed, BakeError> {
        let mut root = Root::new(&self.settled()?.setting.key());
        let manifest = self.read(MANIFEST)?.unwrap_or_default();
        let sealed_before = self.is_seal(&manifest);
        let text = String::from_utf8_lossy(&manifest);
        if !text.trim().is_empty() && ["\"orogen\"", "\"root\"", "\"check\""].iter().all(|word| !text.contains(word)) {
            return Err(BakeError::NotOurs { path: self.store.path().join(MANIFEST) });
        }
        let (mut parts, mut missing, mut bytes, mut done) = (Vec::new(), Vec::new(), 0, 0);
        let mut groups = order::groups(&self.tiles());
        let mut left = groups.next().map_or(0, |group| group.count());
        for shard in 0..self.shards() {
            let recorded = self.recorded(shard)?;
            let mut text = String::new();
            let mut whole = true;
            for (_, tiles) in order::shard(&self.tiles(), shard, self.shards()) {
                for (x, y) in tiles {
                    let Some((tile, _)) = recorded.tiles.get(&(y, x)) else {
                        whole = false;
                        continue;
                    };
                    whole &= self.is_there(tile)?;
                    bytes += tile.hashes().map(|is| is.size).sum::<u64>();
                    root.tile(tile);
                    left -= 1;
                    if left == 0 {
                        root.end_group();
                        left = groups.next().map_or(0, |group| group.count());
                    }
                    text += &line(&self.key, tile);
                    text.push('\n');
                    done += 1;
                    progress.tile(done, self.tiles().count());
                }
                if progress.stops() {
                    return Err(BakeError::Stopped);
                }
            }
            if whole {
                parts.push(hex(text.as_bytes()));
                // An earlier seal contains the part's hash. Without one, the check of each line decides.
                let is_sound = |_: &str, there: &[u8]| match &sealed_before {
                    Some(sealed) => sealed.parts.get(shard as usize) == Some(&hex(there)),
                    None => self.is_whole_part(shard, there),
                };
                self.keep(&Object { name: part(shard), bytes: text.into_bytes() }, &is_sound)?;
            } else {
                missing.push(shard);
            }
        }
        if !missing.is_empty() {
            return Err(BakeError::Missing { path: self.store.path(), count: missing.len(), shards: order::array(&missing) });
        }
        let sealed = SealedFile {
            orogen: env!("CARGO_PKG_VERSION").to_owned(),
            plan_sha256: self.key.clone(),
            root: root.end(),
            tiles: done,
            bytes,
            overview: if self.plan.overview { Some(self.overview(sealed_before.as_ref(), progress)?) } else { None },
            parts,
            #[cfg(feature = "zarr")]
            arrays: self.finish_arrays(sealed_before.as_ref(), progress)?,
            #[cfg(not(feature = "zarr"))]
            arrays: None,
        };
        let is_sound = |_: &str, there: &[u8]| self.is_seal(there).is_some();
        self.keep(&Object { name: MANIFEST.to_owned(), bytes: closed_json(&sealed).into_bytes() }, &is_sound)?;
        self.tidy()?;
        Ok(Sealed { root: sealed.root, tiles: done, bytes })
    }

    /// Removes unfinished files of killed writers from a complete world. Earlier, another process may still write them.
    fn tidy(&self) -> Result<(), BakeError> {
        let groups = order::groups(&self.tiles()).filter_map(|group| Some(order::folder(group.each().next()?)));
        let records = (0..self.shards()).map(record::folder);
        let parts = (0..=(self.shards() - 1) / 1000).map(|thousand| format!("parts/{thousand}"));
        for folder in groups.chain(records).chain(parts).chain(["".to_owned()]) {
            self.store.tidy(&folder).map_err(|error| self.failed(&folder, error))?;
        }
        self.tidy_measures()
    }

    /// Draws the picture of a complete world from the files of its first layer.
    fn overview(&self, sealed: Option<&SealedFile>, progress: &dyn Progress) -> Result<FileHash, BakeError> {
        let Settled { pipeline, setting, .. } = self.settled()?;
        let first = &setting.products[0];
        let channels = first.channels(pipeline)?;
        let range = first.quantisation()?;
        let mut sketch = Sketch::new(&self.part(self.tiles()), channels, first.clone(), setting.layout, range);
        for shard in 0..self.shards() {
            if progress.stops() {
                return Err(BakeError::Stopped);
            }
            self.draw(&mut sketch, self.recorded(shard)?.tiles.values().map(|(tile, _)| tile))?;
        }
        let bytes = sketch.png().map_err(|error| self.failed(OVERVIEW, error))?;
        let is = FileHash::of(OVERVIEW.to_owned(), &bytes);
        let before = sealed.and_then(|sealed| sealed.overview.as_ref());
        let is_sound = |_: &str, there: &[u8]| before.is_none_or(|is| is.sha256 == hex(there));
        self.keep(&Object { name: OVERVIEW.to_owned(), bytes }, &is_sound)?;
        Ok(is)
    }

    /// Adds the files of tiles to a sketch, some at a time in parallel.
    fn draw<'a>(&self, sketch: &mut Sketch, tiles: impl Iterator<Item = &'a TileRecord>) -> Result<(), BakeError> {
        let tiles: Vec<&TileRecord> = tiles.collect();
        for some in tiles.chunks(4 * rayon::current_num_threads()) {
            let part = |tile: &&TileRecord| {
                let is = &tile.files[0].is;
                let name = self.file(tile, &is.file);
                let bytes = self.read(&name)?.ok_or_else(|| self.failed(&name, ErrorKind::NotFound.into()))?;
                sketch.part((tile.x, tile.y), &bytes).map_err(|error| self.failed(&name, error))
            };
            let parts: Result<Vec<_>, BakeError> = some.par_iter().map(part).collect();
            for (tile, part) in some.iter().zip(parts?) {
                sketch.add((tile.x, tile.y), &part);
            }
        }
        Ok(())
    }

    /// The content of `manifest.json`, if it exists; `Err(())` if it is damaged or of another plan.
    pub(super) fn sealed(&self) -> Result<Option<Result<SealedFile, ()>>, BakeError> {
        let Some(bytes) = self.read(MANIFEST)? else { return Ok(None) };
        Ok(Some(self.is_seal(&bytes).ok_or(())))
    }

    /// The content of a manifest; `None` if it is damaged or of another plan.
    fn is_seal(&self, bytes: &[u8]) -> Option<SealedFile> {
        open_json::<SealedFile>(&String::from_utf8_lossy(bytes)).filter(|sealed| sealed.plan_sha256 == self.key)
    }

    /// Whether a part has an intact line for each tile of its shard.
    fn is_whole_part(&self, shard: u32, bytes: &[u8]) -> bool {
        let text = String::from_utf8_lossy(bytes);
        let sound = text.lines().all(|text| read_line::<TileRecord>(&self.key, text).is_some());
        sound && text.lines().count() as u64 == self.tiles_of(shard)
    }
}
