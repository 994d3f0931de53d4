//! Compares the files of a bake with their records: every file against its hash, and a share of the tiles computed again.

use crate::bake::answers;
use crate::bake::disk::DiskEntry;
use crate::bake::encode::encoded;
use crate::bake::hash::FileHash;
use crate::bake::manifest::{BakeIdentity, Manifest, TileRecord, parity_of};
use crate::bake::names::{self, JOURNAL, MANIFEST, OVERVIEW, finished, is_aside, is_beside, tile_of};
use crate::bake::place::BakeFolder;
use crate::bake::progress::Progress;
use crate::bake::records::Records;
use crate::bake::run::evaluate;
use crate::bake::weights::layers_of;
use crate::bake::{BITS, BakeError, Plan, Tiles, World};
use crate::engine::Engine;
use crate::recipe::Recipe;
use crate::stage::Pipeline;
use rayon::prelude::*;
use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

/// A problem with a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Wrong {
    /// A record names it, and it does not exist.
    Missing,
    /// Its content differs from its record.
    Damaged,
    /// No record names it.
    Foreign,
    /// Its content equals its record, but the recipe gives other bits.
    Different,
    /// Its record is damaged or lost: the next bake makes it again.
    Unrecorded,
}

impl Wrong {
    /// The word for it in reports: `missing`, `damaged`, `foreign`, `different` or `unrecorded`.
    pub fn name(self) -> &'static str {
        match self {
            Wrong::Missing => "missing",
            Wrong::Damaged => "damaged",
            Wrong::Foreign => "foreign",
            Wrong::Different => "different",
            Wrong::Unrecorded => "unrecorded",
        }
    }
}

/// A file with a problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Its name.
    pub file: String,
    /// The problem.
    pub wrong: Wrong,
}

impl Finding {
    pub(super) fn of(name: &str, wrong: Wrong) -> Self {
        Finding { file: name.to_owned(), wrong }
    }
}

/// The result of a check.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CheckReport {
    /// Files that records name.
    pub files: u64,
    /// Bytes of these files.
    pub bytes: u64,
    /// Tiles that were computed again.
    pub recomputed: u64,
    /// The bake is not finished.
    pub unfinished: bool,
    /// Files with problems, by name.
    pub findings: Vec<Finding>,
    /// Damaged records and changed notes that a bake has renamed to keep them. They are not problems.
    pub aside: Vec<String>,
    /// Rules of drainage that stages break, found while tiles were computed again: a sentence for each stage.
    pub broken: Vec<String>,
}

/// The tiles to compute again during a check.
#[derive(Clone, Copy, Debug)]
pub struct Recompute<'a> {
    /// The engine, which must have the parity that the bake was made with.
    pub engine: &'a Engine,
    /// Share of the tiles, 0 to 1; at least one tile is computed.
    pub share: f64,
    /// Seed of the choice of tiles.
    pub seed: u64,
}

/// Reads every file of a bake and compares it with its record. Computes a share of the tiles again, from the recipe in the
/// records. With stages `drainage`, this traces the water of the world again, and checks the
/// [rules](Engine::check_drainage) of drainage. Changes nothing. Memory: a file for each processor, and some 0.7 KB for each file.
///
/// # Errors
/// Returns an error if the folder holds no bake, or an I/O operation fails. Computing again fails for a bake of other bits or
/// another parity, or with the errors of an evaluation.
pub fn check(place: &BakeFolder, recompute: Option<&Recompute<'_>>, progress: &dyn Progress) -> Result<CheckReport, BakeError> {
    let found = Records::read(place, None)?;
    let lost = found.is_none();
    if lost && !(place.was_used() && place.names()?.iter().any(|name| tile_of(name).is_some())) {
        return Err(BakeError::NoBake { path: place.folder().to_owned() });
    }
    let records = found.unwrap_or_default();
    let tiles: Vec<&TileRecord> = records.tiles.values().map(|(tile, _)| tile).collect();
    let mut named: HashMap<&str, &FileHash> = tiles.iter().flat_map(|tile| tile.hashes()).map(|is| (is.file.as_str(), is)).collect();
    named.extend(records.overview.iter().chain(records.beside.values()).map(|is| (is.file.as_str(), is)));
    let (total, done) = (named.len() as u64, AtomicU64::new(0));
    let checked = named.par_iter().map(|(name, is)| {
        let wrong = compare(place, is);
        progress.tile(done.fetch_add(1, Ordering::Relaxed) + 1, total);
        if progress.stops() { Err(BakeError::Stopped) } else { wrong.map(|wrong| wrong.map(|wrong| Finding::of(name, wrong))) }
    });
    let wrong: Vec<Option<Finding>> = checked.collect::<Result<_, BakeError>>()?;
    let mut findings: Vec<Finding> = records.damaged.iter().map(|record| Finding::of(record.name, Wrong::Damaged)).collect();
    findings.extend(lost.then(|| Finding::of(MANIFEST, Wrong::Missing)));
    findings.extend(wrong.into_iter().flatten());
    let damaged = lost || !records.damaged.is_empty();
    let mut aside = Vec::new();
    for name in place.names()? {
        let unfinished = records.unfinished && finished(&name).is_some();
        if is_aside(&name) {
            aside.push(name);
        } else if !named.contains_key(name.as_str()) && name != MANIFEST && name != JOURNAL && !unfinished {
            let own = tile_of(&name).is_some() || name == OVERVIEW || is_beside(&name);
            findings.push(Finding::of(&name, if damaged && own { Wrong::Unrecorded } else { Wrong::Foreign }));
        }
    }
    aside.sort_unstable();
    let bytes = named.values().map(|is| is.size).sum();
    let mut checked =
        CheckReport { files: total, bytes, recomputed: 0, unfinished: records.unfinished, findings, aside, broken: Vec::new() };
    if let (Some(recompute), Some(head)) = (recompute, records.manifest.as_ref().or(records.journal.as_ref())) {
        match pipeline(place, head)? {
            Ok(pipeline) => {
                let tiles = chosen(&tiles, recompute);
                checked.recomputed = tiles.len() as u64;
                checked.findings.extend(anew(place.folder(), recompute.engine, head, &pipeline, &tiles, progress)?);
                checked.broken = broken(recompute.engine, &pipeline)?;
            }
            // Tiles cannot be computed without a file that is already reported.
            Err(missing) if checked.findings.iter().any(|found| found.file == missing) => (),
            Err(missing) => checked.findings.push(Finding::of(&missing, Wrong::Missing)),
        }
    }
    checked.findings.sort_by(|a, b| a.file.cmp(&b.file));
    checked.findings.dedup();
    Ok(checked)
}

/// The problem of a file that has a record, if it has one.
fn compare(place: &BakeFolder, is: &FileHash) -> Result<Option<Wrong>, BakeError> {
    Ok(if place.is(&is.file, is, None)? || place.is_unfinished(is)? {
        None
    } else if place.look(&is.file)? == DiskEntry::Nothing {
        Some(Wrong::Missing)
    } else {
        Some(Wrong::Damaged)
    })
}

/// The rules of drainage that measured stages break.
pub(super) fn broken(engine: &Engine, pipeline: &Pipeline) -> Result<Vec<String>, BakeError> {
    Ok(engine.check_drainage(pipeline, None)?.into_iter().filter_map(|check| check.broken).collect())
}

/// A share of the tiles, chosen by a hash of their numbers.
pub(super) fn chosen<'a>(tiles: &[&'a TileRecord], recompute: &Recompute<'_>) -> Vec<&'a TileRecord> {
    let mut ranked: Vec<(u64, &TileRecord)> = tiles.iter().map(|tile| (rank(tile.x, tile.y, recompute.seed), *tile)).collect();
    ranked.sort_unstable_by_key(|(rank, tile)| (*rank, tile.y, tile.x));
    let wanted = (recompute.share.clamp(0.0, 1.0) * ranked.len() as f64).ceil() as usize;
    ranked.into_iter().take(wanted.max(1)).map(|(_, tile)| tile).collect()
}

/// Mixed as in SplitMix64 (Steele, Lea and Flood 2014).
fn rank(x: i64, y: i64, seed: u64) -> u64 {
    [x as u64, y as u64].into_iter().fold(seed, |state, n| {
        let z = (state ^ n).wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    })
}

/// The pipeline that was baked, with the answers about the whole world. `Err` is the file of an answer that is missing or damaged.
/// A bake keeps no copy of the files that its nodes read, so they are looked up relative to the current directory.
fn pipeline(place: &BakeFolder, head: &Manifest) -> Result<Result<Pipeline, String>, BakeError> {
    let folder = place.folder();
    if head.setting.bits != BITS {
        return Err(BakeError::other_version(folder, &head.orogen, head.setting.bits));
    }
    let failed = |error: String| BakeError::file(&folder.join(MANIFEST), std::io::Error::other(error));
    let mut pipeline = Recipe::from_json(&head.recipe.to_string(), MANIFEST).map_err(|error| failed(error.to_string()))?.pipeline;
    let read = pipeline.read_files(|file| file.read(""));
    read.map_err(|error| failed(format!("{error} (files that nodes read are looked for in the current directory)")))?;
    let answered = answers::answered(pipeline, &layers_of(&head.setting.products), &mut |number| place.answer(&names::answer(number)))?;
    Ok(answered.map_err(names::answer))
}

/// Computes tiles again and returns the files whose records differ from the result.
pub(super) fn anew(
    folder: &Path,
    engine: &Engine,
    head: &Manifest,
    pipeline: &Pipeline,
    tiles: &[&TileRecord],
    progress: &dyn Progress,
) -> Result<Vec<Finding>, BakeError> {
    let path = || folder.to_owned();
    let BakeIdentity { tile, overlap, level, spacing, z, ref products, layout, .. } = head.setting;
    if parity_of(&engine.describe()) != head.setting.parity {
        return Err(BakeError::OtherBake {
            path: path(),
            what: format!("the backend's parity differs: {} here, {} there", parity_of(&engine.describe()), head.setting.parity),
        });
    }
    let plan_of = |record: &TileRecord| {
        let tiles = Tiles { x: record.x..record.x + 1, y: record.y..record.y + 1 };
        Plan { tile, tiles, overlap, level, spacing, z }
    };
    let Some(first) = tiles.first() else { return Ok(Vec::new()) };
    let plan = plan_of(first);
    let world = World { layout, ..World::new(pipeline, &plan, products) };
    // Answers were measured by the bake and do not depend on the tile.
    let (quantise, ready) = (world.checked()?, world.ready(engine, &mut ())?);
    let mut findings = Vec::new();
    for (i, record) in tiles.iter().enumerate() {
        let plan = plan_of(record);
        let world = World::new(pipeline, &plan, products);
        evaluate(engine, &world, ready.as_ref(), &[0], &mut |at, layers| {
            for (k, (layer, record)) in layers.iter().zip(&record.files).enumerate() {
                let now = encoded(&products[k], k, layout, quantise[k], at, layer)
                    .map_err(|error| BakeError::file(&folder.join(&record.is.file), error))?;
                if now.record != *record {
                    findings.push(Finding::of(&record.is.file, Wrong::Different));
                }
            }
            Ok(())
        })?;
        progress.tile(i as u64 + 1, tiles.len() as u64);
        if progress.stops() {
            return Err(BakeError::Stopped);
        }
    }
    Ok(findings)
}
