//! Maps on disk, complete or absent. A draft has its own folder. After all files are synced, the map's record is written, and then
//! the files get their names. So a file with a name of the map is recorded, or it is foreign and stays untouched.

use crate::bake::folder::{Disk, SystemDisk};
use crate::bake::manifest::FileHash;
use crate::bake::names::{JOURNAL, LOCK, MANIFEST, MAP_DRAFT, MAP_RECORD};
use crate::bake::{BakeError, BakeFolder, Baked, CHANGED, CheckReport, DAMAGED, Finding, Progress, Tiles, Wrong, closed_json, open_json};
use crate::limits;
use crate::map::names::is_map_name;
use crate::map::{Map, SAMPLES};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{BufReader, Error, ErrorKind, Read};
use std::path::{Path, PathBuf};

/// The record of a map.
pub const MAP: &str = MAP_RECORD;

/// The source and options of a map, and the hash of every file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct MapRecord {
    orogen: String,
    map: Map,
    /// The tiles of the bake that the map shows.
    tiles: String,
    /// SHA-256 of the hashes of these tiles.
    samples_sha256: String,
    pub files: Vec<FileHash>,
}

impl MapRecord {
    /// A record without files.
    pub fn new(map: &Map, baked: &Baked, tiles: &Tiles) -> Self {
        let mut all = Sha256::new();
        for tile in baked.manifest().tiles.iter().filter(|tile| tiles.holds((tile.x, tile.y))) {
            all.update(format!("{} {}", tile.x, tile.y));
            tile.hashes().for_each(|is| all.update(&is.sha256));
        }
        let samples_sha256 = hex(all);
        let orogen = env!("CARGO_PKG_VERSION").to_owned();
        MapRecord { orogen, map: map.clone(), tiles: tiles.to_string(), samples_sha256, files: Vec::new() }
    }

    pub fn bytes(&self) -> u64 {
        self.files.iter().map(|is| is.size).sum()
    }

    /// The complete record if the map exists and all files have their hashes; `None` otherwise.
    ///
    /// # Errors
    /// Returns an error if the folder contains a map of other samples.
    pub fn find(&self, place: &BakeFolder) -> Result<Option<MapRecord>, BakeError> {
        let folder = place.folder();
        let There::Whole(there) = read(folder)? else { return Ok(None) };
        if there.samples_sha256 != self.samples_sha256 {
            let what = "the samples of the tiles differ, by the recipe or the release".to_owned();
            return Err(BakeError::OtherBake { path: folder.to_owned(), what });
        }
        let whole = there.files.par_iter().all(|is| hash(folder, &is.file).is_ok_and(|found| found == *is));
        Ok(whole.then_some(*there))
    }
}

/// The state of the record in a folder.
enum There {
    Nothing,
    /// The record is damaged.
    Damaged,
    Whole(Box<MapRecord>),
}

/// Reads the record of a folder.
///
/// # Errors
/// Returns an error if reading fails, or if a foreign file has the name of the record.
fn read(folder: &Path) -> Result<There, BakeError> {
    let path = folder.join(MAP);
    let text = match limits::read(&path, limits::BAKED) {
        Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(There::Nothing),
        Err(error) => return Err(BakeError::file(&path, error)),
    };
    let inside = |of: &MapRecord| of.files.iter().all(|is| is_inside(&is.file));
    if let Some(whole) = open_json(&text).filter(inside) {
        return Ok(There::Whole(Box::new(whole)));
    }
    let own = text.trim().is_empty() || ["\"orogen\"", "\"sha256\"", "\"check\""].iter().any(|word| text.contains(word));
    if own { Ok(There::Damaged) } else { Err(BakeError::NotOurs { path }) }
}

/// Whether the folder of a map lost its record, or the record is damaged. Files that equal the new map then belong to the map.
pub(super) fn is_lost(folder: &Path) -> Result<bool, BakeError> {
    Ok(match read(folder)? {
        There::Nothing => folder.join(LOCK).symlink_metadata().is_ok(),
        There::Damaged => true,
        There::Whole(_) => false,
    })
}

/// Whether the name is that of a record or file that was set aside.
fn is_aside(name: &str) -> bool {
    let of = |ending: &str| {
        let (name, end) = name.rsplit_once(ending)?;
        (end.is_empty() || end.strip_prefix('.').is_some_and(|n| n.parse::<u32>().is_ok())).then_some(name)
    };
    of(DAMAGED) == Some(MAP) || of(CHANGED).is_some_and(is_map_name)
}

/// Whether a folder is that of a map: it contains a record, `samples`, or files of a map next to the lock of its process.
pub fn is_map(folder: &Path) -> bool {
    let is_there = |name: &str| folder.join(name).symlink_metadata().is_ok();
    let names = || fs::read_dir(folder).map(|all| all.flatten().any(|entry| is_map_name(&entry.file_name().to_string_lossy())));
    let no_bake = !is_there(MANIFEST) && !is_there(JOURNAL);
    is_there(MAP) || (no_bake && (folder.join(SAMPLES).is_dir() || (is_there(LOCK) && names().unwrap_or(false))))
}

/// Whether a name stays inside the folder.
fn is_inside(name: &str) -> bool {
    !name.contains('\\') && name.split('/').all(|part| !part.is_empty() && part != "." && part != "..")
}

/// Refuses a folder with another map, or with unrecorded files of these names.
pub(super) fn refuse_foreign(folder: &Path, map: &Map, tiles: &Tiles, names: &[String]) -> Result<(), BakeError> {
    let there = read(folder)?;
    if let There::Whole(there) = &there {
        let other = |what: &str, here: &str, there: &str| {
            let what = format!("{what} differs: {here} here, {there} there");
            Err(BakeError::OtherBake { path: folder.to_owned(), what })
        };
        if there.map != *map {
            let text = |map: &Map| serde_json::to_string(map).unwrap_or_default();
            return other("the map", &text(map), &text(&there.map));
        }
        if there.tiles != tiles.to_string() {
            return other("the rectangle of tiles", &tiles.to_string(), &there.tiles);
        }
    }
    let lost = is_lost(folder)?;
    let known: HashSet<String> = match there {
        There::Whole(record) => record.files.into_iter().map(|is| is.file).collect(),
        There::Damaged | There::Nothing => HashSet::new(),
    };
    for bake in [MANIFEST, JOURNAL] {
        let path = folder.join(bake);
        if path.symlink_metadata().is_ok() {
            return Err(BakeError::NotOurs { path });
        }
    }
    for name in names {
        for file in files(folder, name)? {
            if !known.contains(&file) && !lost {
                return Err(BakeError::NotOurs { path: folder.join(file) });
            }
        }
    }
    Ok(())
}

/// Names of all files under a name, including links and special files.
fn files(folder: &Path, name: &str) -> Result<Vec<String>, BakeError> {
    let path = folder.join(name);
    let failed = |error: Error| BakeError::file(&path, error);
    match path.symlink_metadata() {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(failed(error)),
        Ok(found) if !found.is_dir() => Ok(vec![name.to_owned()]),
        Ok(_) => {
            let mut all = Vec::new();
            for entry in fs::read_dir(&path).map_err(failed)? {
                let below = entry.map_err(failed)?.file_name();
                all.extend(files(folder, &format!("{name}/{}", below.to_string_lossy()))?);
            }
            Ok(all)
        }
    }
}

fn hex(hash: Sha256) -> String {
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Size and hash of a file, in constant memory.
fn hash(folder: &Path, name: &str) -> Result<FileHash, BakeError> {
    let path = folder.join(name);
    let failed = |error: Error| BakeError::file(&path, error);
    if !path.symlink_metadata().map_err(failed)?.is_file() {
        return Err(BakeError::NotOurs { path });
    }
    let mut file = BufReader::new(File::open(&path).map_err(failed)?);
    let (mut all, mut size, mut part) = (Sha256::new(), 0, vec![0; 1 << 16]);
    loop {
        let read = file.read(&mut part).map_err(failed)?;
        if read == 0 {
            return Ok(FileHash { file: name.to_owned(), size, sha256: hex(all) });
        }
        all.update(&part[..read]);
        size += read as u64;
    }
}

/// An unfinished map.
pub(super) struct Draft<'a> {
    place: &'a BakeFolder,
    folder: PathBuf,
    files: Vec<FileHash>,
}

impl<'a> Draft<'a> {
    /// Begins a map, and removes an earlier unfinished one.
    pub fn begin(place: &'a BakeFolder) -> Result<Self, BakeError> {
        let folder = place.folder().join(MAP_DRAFT);
        let failed = |error: Error| BakeError::file(&folder, error);
        match folder.symlink_metadata() {
            Ok(found) if found.is_dir() => fs::remove_dir_all(&folder).map_err(failed)?,
            Ok(_) => return Err(BakeError::NotOurs { path: folder }),
            Err(_) => (),
        }
        let scratch = folder.join("levels");
        fs::create_dir_all(&scratch).map_err(failed)?;
        Ok(Draft { place, folder, files: Vec::new() })
    }

    /// A folder for temporary files.
    pub fn scratch(&self) -> PathBuf {
        self.folder.join("levels")
    }

    /// The path of a file in the draft.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Writes files in parallel.
    pub fn write(&mut self, files: &[(String, &[u8])]) -> Result<(), BakeError> {
        let write = |(name, bytes): &(String, &[u8])| {
            let path = self.folder.join(name);
            let failed = |error: Error| BakeError::file(&path, error);
            fs::create_dir_all(path.parent().unwrap_or(&self.folder)).map_err(failed)?;
            fs::write(&path, bytes).map_err(failed)?;
            let mut all = Sha256::new();
            all.update(bytes);
            Ok(FileHash { file: name.clone(), size: bytes.len() as u64, sha256: hex(all) })
        };
        self.files.extend(files.par_iter().map(write).collect::<Result<Vec<_>, BakeError>>()?);
        Ok(())
    }

    /// Adds a file that the caller wrote at its [`path`](Self::path).
    pub fn add(&mut self, name: &str) -> Result<(), BakeError> {
        self.files.push(hash(&self.folder, name)?);
        Ok(())
    }

    /// Gives all files their names. If an earlier record was [lost](is_lost), files with these names and other contents are renamed, and
    /// their new names are pushed to `aside`.
    pub fn publish(mut self, record: MapRecord, names: &[String], lost: bool, aside: &mut Vec<String>) -> Result<MapRecord, BakeError> {
        let target = self.place.folder();
        let failed = |error: Error| BakeError::file(&self.folder, error);
        fs::remove_dir_all(self.scratch()).map_err(failed)?;
        let paths: Vec<PathBuf> = self.files.iter().map(|is| self.folder.join(&is.file)).collect();
        SystemDisk.sync(&self.folder, &paths).map_err(failed)?;
        self.files.sort_by(|a, b| a.file.cmp(&b.file));
        let record = MapRecord { files: self.files, ..record };
        if lost {
            if !matches!(read(target)?, There::Nothing) {
                aside.push(format!("{MAP} (now {})", self.place.set_aside(MAP, DAMAGED)?));
            }
            for name in names {
                let there = files(target, name)?;
                let known = |file: &String| {
                    let is = record.files.iter().find(|is| is.file == *file);
                    is.is_some_and(|is| hash(target, file).is_ok_and(|found| found == *is))
                };
                if !there.iter().all(known) {
                    aside.push(format!("{name} (now {})", self.place.set_aside(name, CHANGED)?));
                }
            }
        }
        // After the record is in place, its names belong to the map.
        let unfinished = self.folder.join(MAP);
        fs::write(&unfinished, closed_json(&record)).map_err(failed)?;
        SystemDisk.sync(&self.folder, std::slice::from_ref(&unfinished)).map_err(failed)?;
        fs::rename(&unfinished, target.join(MAP)).map_err(failed)?;
        for name in names {
            let (from, to) = (self.folder.join(name), target.join(name));
            let failed = |error: Error| BakeError::file(&to, error);
            // An existing file is recorded. Foreign files were refused earlier.
            match to.symlink_metadata() {
                Ok(found) if found.is_dir() => fs::remove_dir_all(&to).map_err(failed)?,
                Ok(_) => fs::remove_file(&to).map_err(failed)?,
                Err(_) => (),
            }
            fs::rename(&from, &to).map_err(failed)?;
        }
        fs::remove_dir(&self.folder).map_err(failed)?;
        SystemDisk.sync(target, &[]).map_err(failed)?;
        Ok(record)
    }
}

/// Reads every file of a map and compares it with its record, which may be damaged or missing. The bake in [`SAMPLES`] has its own
/// [check](crate::bake::check()).
///
/// # Errors
/// Returns an error if the folder does not contain a map, or if reading fails.
pub fn check(folder: &Path, progress: &dyn Progress) -> Result<CheckReport, BakeError> {
    let is_there = |name: &str| folder.join(name).symlink_metadata().is_ok();
    let (record, damaged) = match read(folder) {
        Ok(There::Whole(record)) => (Some(*record), false),
        Ok(There::Nothing) => (None, false),
        // A foreign file in the place of the record counts as damaged.
        Ok(There::Damaged) | Err(BakeError::NotOurs { .. }) => (None, true),
        Err(error) => return Err(error),
    };
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).map_err(|error| BakeError::file(folder, error))? {
        let entry = entry.map_err(|error| BakeError::file(folder, error))?;
        names.push(entry.file_name().to_string_lossy().into_owned());
    }
    names.sort_unstable();
    let lost = record.is_none();
    let is_made = names.iter().any(|name| is_map_name(name));
    if lost && !damaged && !is_made && !is_there(SAMPLES) && !is_there(MAP_DRAFT) {
        return Err(BakeError::NoBake { path: folder.to_owned() });
    }
    let record_files = record.map_or(Vec::new(), |record| record.files);
    let bytes = record_files.iter().map(|is| is.size).sum();
    let mut checked =
        CheckReport { files: record_files.len() as u64, bytes, unfinished: lost && !damaged && !is_made, ..CheckReport::default() };
    let finding = |file: &str, wrong| Finding { file: file.to_owned(), wrong };
    checked.findings.extend(damaged.then(|| finding(MAP, Wrong::Damaged)));
    checked.findings.extend((lost && !damaged && is_made).then(|| finding(MAP, Wrong::Missing)));
    for (i, is) in record_files.iter().enumerate() {
        let missing = folder.join(&is.file).symlink_metadata().is_err_and(|error| error.kind() == ErrorKind::NotFound);
        let wrong = if missing {
            Some(Wrong::Missing)
        } else {
            hash(folder, &is.file).map_or(true, |found| found != *is).then_some(Wrong::Damaged)
        };
        checked.findings.extend(wrong.map(|wrong| finding(&is.file, wrong)));
        progress.tile(i as u64 + 1, checked.files);
        if progress.stops() {
            return Err(BakeError::Stopped);
        }
    }
    let known: HashSet<&str> = record_files.iter().map(|is| is.file.as_str()).collect();
    for name in names {
        if [MAP, MAP_DRAFT, LOCK, SAMPLES].contains(&name.as_str()) {
            continue;
        }
        if is_aside(&name) {
            checked.aside.push(name);
            continue;
        }
        let wrong = if lost && is_map_name(&name) { Wrong::Unrecorded } else { Wrong::Foreign };
        let there = files(folder, &name)?;
        checked.findings.extend(there.iter().filter(|file| !known.contains(file.as_str())).map(|file| finding(file, wrong)));
    }
    checked.findings.sort_by(|a, b| a.file.cmp(&b.file));
    Ok(checked)
}
