//! Maps on disk: whole or not there. A map is made in a folder of its own; when all of it is safe, its record is written, and then its files
//! get their names. So what has a name of the map's is the map's, or it is somebody else's and stays.

use crate::bake::folder::{Disk, SystemDisk};
use crate::bake::manifest::FileHash;
use crate::bake::{BakeError, BakeFolder, Baked, CHANGED, CheckReport, DAMAGED, Finding, Progress, Tiles, Wrong, closed_json, open_json};
use crate::limits;
use crate::map::{Map, SAMPLES};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{BufReader, Error, ErrorKind, Read};
use std::path::{Path, PathBuf};

/// The record of a map.
pub const MAP: &str = "map.json";
/// Where a map is made.
const DRAFT: &str = ".orogen.map.partial";
const LOCK: &str = ".orogen.lock";

/// What a map is of, and every file's hash.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct MapRecord {
    orogen: String,
    map: Map,
    /// The bake's tiles that it shows.
    tiles: String,
    /// SHA-256 of these tiles' hashes.
    samples_sha256: String,
    pub files: Vec<FileHash>,
}

impl MapRecord {
    /// Without files.
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

    /// This map, if all of it is there; `None` where it is to be made.
    ///
    /// # Errors
    /// The folder holds another one.
    pub fn find(&self, place: &BakeFolder) -> Result<Option<MapRecord>, BakeError> {
        let folder = place.folder();
        let There::Whole(there) = read(folder)? else { return Ok(None) };
        if there.samples_sha256 != self.samples_sha256 {
            let what = "what the tiles hold differs, by the recipe or the release".to_owned();
            return Err(BakeError::OtherBake { path: folder.to_owned(), what });
        }
        let whole = there.files.par_iter().all(|is| hash(folder, &is.file).is_ok_and(|found| found == *is));
        Ok(whole.then_some(*there))
    }
}

/// The state of the record in a folder.
enum There {
    Nothing,
    /// It is not what was written.
    Damaged,
    Whole(Box<MapRecord>),
}

/// A folder's record.
///
/// # Errors
/// I/O errors; a file of that name that no map has.
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

/// Whether a map has been made in a folder whose record is damaged or gone: its files are the map's if they are what is made anew.
pub(super) fn is_lost(folder: &Path) -> Result<bool, BakeError> {
    Ok(match read(folder)? {
        There::Nothing => folder.join(LOCK).symlink_metadata().is_ok(),
        There::Damaged => true,
        There::Whole(_) => false,
    })
}

/// Whether a file or folder at the top has a name that some map has.
fn is_map_name(name: &str) -> bool {
    let between = |start: &str, end: &str| {
        let layer = name.strip_prefix(start).and_then(|rest| rest.strip_suffix(end));
        layer.is_some_and(|layer| layer.is_empty() || layer.starts_with('.'))
    };
    ["index.html", "viewer", "meshes", "world.zarr"].contains(&name)
        || [("tiles", ""), ("tiles", ".json"), ("world", ".pmtiles"), ("world", ".tif")].iter().any(|(start, end)| between(start, end))
}

/// Whether it is a record or a file that was set aside.
fn is_aside(name: &str) -> bool {
    let of = |ending: &str| {
        let (name, end) = name.rsplit_once(ending)?;
        (end.is_empty() || end.strip_prefix('.').is_some_and(|n| n.parse::<u32>().is_ok())).then_some(name)
    };
    of(DAMAGED) == Some(MAP) || of(CHANGED).is_some_and(is_map_name)
}

/// Whether a folder is one that a map is made in: `samples` of its own, or files of a map beside the lock of the process that made it.
pub fn is_map(folder: &Path) -> bool {
    let is_there = |name: &str| folder.join(name).symlink_metadata().is_ok();
    let names = || fs::read_dir(folder).map(|all| all.flatten().any(|entry| is_map_name(&entry.file_name().to_string_lossy())));
    let no_bake = !is_there("manifest.json") && !is_there("tiles.jsonl");
    is_there(MAP) || (no_bake && (folder.join(SAMPLES).is_dir() || (is_there(LOCK) && names().unwrap_or(false))))
}

/// Whether a name leads nowhere out of the folder.
fn is_inside(name: &str) -> bool {
    !name.contains('\\') && name.split('/').all(|part| !part.is_empty() && part != "." && part != "..")
}

/// Refuses a folder that holds another map, or in which something has one of these names that its record does not know.
pub(super) fn refuse_foreign(folder: &Path, map: &Map, tiles: &Tiles, names: &[String]) -> Result<(), BakeError> {
    let there = read(folder)?;
    if let There::Whole(there) = &there {
        let other = |what: &str, here: &str, there: &str| {
            let what = format!("{what} differs: {here} here, {there} there");
            Err(BakeError::OtherBake { path: folder.to_owned(), what })
        };
        if there.map != *map {
            let text = |map: &Map| serde_json::to_string(map).unwrap_or_default();
            return other("what is made", &text(map), &text(&there.map));
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
    for bake in ["manifest.json", "tiles.jsonl"] {
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

/// Names of all files under a name, those of links and other things too.
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

/// Size and hash of a file, however large.
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

/// A map on its way.
pub(super) struct Draft<'a> {
    place: &'a BakeFolder,
    folder: PathBuf,
    files: Vec<FileHash>,
}

impl<'a> Draft<'a> {
    /// In place of one that was not finished.
    pub fn begin(place: &'a BakeFolder) -> Result<Self, BakeError> {
        let folder = place.folder().join(DRAFT);
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

    /// A folder for what is needed on the way only.
    pub fn scratch(&self) -> PathBuf {
        self.folder.join("levels")
    }

    /// Where a file is written.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Writes files; several at once.
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

    /// Takes in a file that was written at its [`path`](Self::path).
    pub fn add(&mut self, name: &str) -> Result<(), BakeError> {
        self.files.push(hash(&self.folder, name)?);
        Ok(())
    }

    /// Gives all files their names. Where an earlier record was [lost](is_lost), what has such a name and other content is kept under another one, which is
    /// pushed to `aside`.
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
        // From here on its names are the map's, whether they are there or not.
        let unfinished = self.folder.join(MAP);
        fs::write(&unfinished, closed_json(&record)).map_err(failed)?;
        SystemDisk.sync(&self.folder, std::slice::from_ref(&unfinished)).map_err(failed)?;
        fs::rename(&unfinished, target.join(MAP)).map_err(failed)?;
        for name in names {
            let (from, to) = (self.folder.join(name), target.join(name));
            let failed = |error: Error| BakeError::file(&to, error);
            // What has been there was recorded, or it would have been refused.
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

/// Reads every file of a map and compares it with its record, which may itself be damaged or missing; the bake that it was made from, in [`SAMPLES`], is
/// [checked by itself](crate::bake::check()).
///
/// # Errors
/// There is no map; the file system's.
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
    if lost && !damaged && !is_made && !is_there(SAMPLES) && !is_there(DRAFT) {
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
        if [MAP, DRAFT, LOCK, SAMPLES].contains(&name.as_str()) {
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
