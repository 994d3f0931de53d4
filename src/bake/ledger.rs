//! The record of finished tiles, as a write-ahead journal. Files are written under unfinished names and synced. Then a line that
//! names them is appended and synced, and then they are renamed. So a file with a line exists completely, under one name or the
//! other, after a power cut at any time. A file without a record does not belong to the bake.

use crate::bake::disk::DiskEntry;
use crate::bake::hash::FileHash;
use crate::bake::hash::hex;
use crate::bake::manifest::{Manifest, TileRecord, line};
use crate::bake::names::{CHANGED, DAMAGED, JOURNAL, MANIFEST, NOTES, OVERVIEW, beside_tile, finished, is_beside, tile_of};
use crate::bake::place::BakeFolder;
use crate::bake::records::{JournalLine, Records};
use crate::bake::{BakeError, Plan};
use rayon::prelude::*;
use std::collections::{BTreeMap, HashSet};

/// A file other than the tiles and the picture: a note or an answer.
#[derive(Clone, Copy)]
pub(super) struct Beside<'a> {
    pub name: &'a str,
    pub bytes: &'a [u8],
}

/// The tiles that are finished, and the journal that records more.
pub(super) struct Ledger<'a> {
    place: &'a BakeFolder,
    /// The manifest without tiles.
    head: Manifest,
    key: String,
    done: BTreeMap<(i64, i64), TileRecord>,
    /// Records of tiles with damaged or missing files. Until these are made again, the records mark the files as the bake's.
    stale: Vec<TileRecord>,
    /// Records of such tiles outside the plan. This run does not make them again.
    elsewhere: Vec<TileRecord>,
    stale_overview: Option<FileHash>,
    /// Intact notes and answers by name, and the records of those that are not intact.
    beside: BTreeMap<String, FileHash>,
    stale_beside: BTreeMap<String, FileHash>,
    /// Existing files of the plan whose records are lost. They are adopted if they have the same bytes.
    pub unrecorded: HashSet<String>,
    /// Whether the manifest already records everything.
    closed: bool,
    /// Whether the journal may end with a partial line: nothing more is appended then.
    broken: bool,
    /// Files that were damaged and are made again.
    pub damaged: Vec<String>,
}

impl<'a> Ledger<'a> {
    /// Reads the records, verifies the files by content, and removes the unfinished files of a killed bake.
    pub fn open(
        place: &'a BakeFolder,
        head: Manifest,
        plan: &Plan,
        names: &HashSet<String>,
        files: &[Beside<'_>],
    ) -> Result<Self, BakeError> {
        let key = head.setting.key();
        let found = Records::read(place, Some(&head))?;
        let none = found.is_none();
        let records = found.unwrap_or_default();
        for old in [&records.manifest, &records.journal].into_iter().flatten() {
            same(place, old, &head)?;
        }
        let unrecorded = refuse_foreign(place, &records, plan, names, files)?;
        let Records { manifest, journal: _, unfinished, tiles, overview, beside: recorded, damaged: records } = records;
        // From here on the folder is modified.
        let mut damaged = Vec::new();
        for name in records.into_iter().map(|record| record.name) {
            damaged.push(format!("{name} (now {})", place.set_aside(name, DAMAGED)?));
        }
        if none && !unrecorded.is_empty() {
            damaged.push(MANIFEST.to_owned());
        }
        if unfinished && place.look(JOURNAL)? != DiskEntry::Nothing {
            // A killed bake may have written the journal without syncing it. Its files are renamed now, so it must be synced
            // first.
            place.settle(JOURNAL)?;
        }
        let checked = tiles.into_par_iter().map(|(at, (tile, stamps))| {
            let stamps = stamps.into_iter().map(Some).chain(std::iter::repeat(None));
            let wrong = tile.hashes().zip(stamps).filter_map(|(is, stamp)| match place.holds(is, stamp) {
                Ok(true) => None,
                Ok(false) => Some(Ok(is.file.clone())),
                Err(error) => Some(Err(error)),
            });
            Ok((at, wrong.collect::<Result<Vec<String>, BakeError>>()?, tile))
        });
        let (mut done, mut stale, mut elsewhere) = (BTreeMap::new(), Vec::new(), Vec::new());
        for (at, wrong, tile) in checked.collect::<Result<Vec<_>, BakeError>>()? {
            if wrong.is_empty() {
                done.insert(at, tile);
            } else if plan.holds((at.1, at.0)) {
                stale.push(tile);
            } else {
                elsewhere.push(tile);
            }
            damaged.extend(wrong);
        }
        let holds = overview.as_ref().map_or(Ok(true), |is| place.holds(is, None))?;
        let (overview, stale_overview) = if holds { (overview, None) } else { (None, overview) };
        damaged.extend(stale_overview.iter().map(|is| is.file.clone()));
        let (mut sound, mut stale_beside) = (BTreeMap::new(), BTreeMap::new());
        for (name, is) in recorded {
            if place.holds(&is, None)? {
                sound.insert(name, is);
            } else {
                stale_beside.insert(name, is);
            }
        }
        // A note that its reader has changed is not overwritten.
        for Beside { name, bytes } in files {
            let there = place.look(name)?;
            let wanted = !sound.contains_key(*name) && !matches!(there, DiskEntry::Nothing | DiskEntry::File { size: 0, .. });
            if wanted && NOTES.contains(name) && place.read(name)? != *bytes {
                damaged.push(format!("{name} (now {})", place.set_aside(name, CHANGED)?));
                continue;
            }
            damaged.extend(stale_beside.contains_key(*name).then(|| (*name).to_owned()));
        }
        damaged.extend(stale_beside.keys().filter(|name| files.iter().all(|file| file.name != *name)).cloned());
        for name in place.names()? {
            // Without a journal, the only unfinished files of a bake are records.
            let is_record = |of: &str| tile_of(of).is_none() && of != OVERVIEW && !is_beside(of);
            let left = finished(&name).is_some_and(|of| unfinished || is_record(of));
            if left {
                place.remove(&name)?;
            }
        }
        let closed = manifest.is_some() && !unfinished && damaged.is_empty();
        let head = match manifest {
            Some(manifest) if closed => manifest,
            _ => Manifest { overview, ..head },
        };
        Ok(Ledger {
            place,
            head,
            key,
            done,
            stale,
            elsewhere,
            stale_overview,
            beside: sound,
            stale_beside,
            unrecorded,
            closed,
            broken: false,
            damaged,
        })
    }

    /// Whether a note or an answer has to be written.
    pub fn lacks(&self, file: &Beside<'_>) -> bool {
        self.beside.get(file.name).is_none_or(|is| is.sha256 != hex(file.bytes))
    }

    /// Writes a note or an answer, in place of one by an earlier bake.
    pub fn add_beside(&mut self, Beside { name, bytes }: Beside<'_>) -> Result<(), BakeError> {
        // A note that its reader has changed was renamed before.
        if !NOTES.contains(&name) {
            self.take_over(name, bytes)?;
        }
        self.place.write(name, bytes)?;
        let is = FileHash::of(name.to_owned(), bytes);
        self.place.sync(&[name])?;
        let text = line(&self.key, &JournalLine { beside: Some(is.clone()), ..JournalLine::default() });
        self.place.append(JOURNAL, &format!("{text}\n"))?;
        self.place.finish(name)?;
        self.stale_beside.remove(name);
        self.beside.insert(name.to_owned(), is);
        Ok(())
    }

    pub fn is_done(&self, (x, y): (i64, i64)) -> bool {
        self.done.contains_key(&(y, x))
    }

    /// The record of the picture, if the picture is intact.
    pub fn overview(&self) -> Option<&FileHash> {
        self.head.overview.as_ref()
    }

    /// Begins a journal with all present records.
    pub fn begin(&mut self) -> Result<(), BakeError> {
        self.closed = false;
        let mut head = self.head.head();
        head.overview = head.overview.or_else(|| self.stale_overview.clone());
        head.beside = self.beside.values().chain(self.stale_beside.values()).cloned().collect();
        let mut text = line("", &head);
        text.push('\n');
        let mut add = |tile: &TileRecord, stamps| {
            text += &line(&self.key, &JournalLine { tile: Some(tile.clone()), stamps, ..JournalLine::default() });
            text.push('\n');
        };
        for tile in self.done.values() {
            add(tile, tile.hashes().map(|is| self.place.stamp(&is.file)).collect::<Result<_, _>>()?);
        }
        self.stale.iter().chain(&self.elsewhere).for_each(|tile| add(tile, Vec::new()));
        self.stale = Vec::new();
        self.place.replace(JOURNAL, text.as_bytes())
    }

    /// Records tiles whose files are written under their unfinished names.
    pub fn add(&mut self, tiles: Vec<TileRecord>) -> Result<(), BakeError> {
        let result =
            if self.broken { Err(self.place.failed(JOURNAL, std::io::Error::other("could not be written"))) } else { self.record(&tiles) };
        if result.is_err() {
            self.broken = true;
            tiles.iter().flat_map(TileRecord::hashes).for_each(|is| self.place.abandon(&is.file));
        }
        result?;
        self.done.extend(tiles.into_iter().map(|tile| ((tile.y, tile.x), tile)));
        Ok(())
    }

    fn record(&self, tiles: &[TileRecord]) -> Result<(), BakeError> {
        let names: Vec<&str> = tiles.iter().flat_map(TileRecord::hashes).map(|is| is.file.as_str()).collect();
        if names.is_empty() {
            return Ok(());
        }
        self.place.sync(&names)?;
        let mut text = String::new();
        for tile in tiles {
            let stamps = tile.hashes().map(|is| self.place.unfinished_stamp(&is.file)).collect::<Result<_, _>>()?;
            text += &line(&self.key, &JournalLine { tile: Some(tile.clone()), stamps, ..JournalLine::default() });
            text.push('\n');
        }
        self.place.append(JOURNAL, &text)?;
        names.iter().try_for_each(|name| self.place.finish(name))
    }

    /// Writes the picture.
    pub fn draw(&mut self, png: &[u8]) -> Result<(), BakeError> {
        self.take_over(OVERVIEW, png)?;
        self.place.write(OVERVIEW, png)?;
        let overview = FileHash::of(OVERVIEW.to_owned(), png);
        self.place.sync(&[OVERVIEW])?;
        let text = line(&self.key, &JournalLine { overview: Some(overview.clone()), ..JournalLine::default() });
        self.place.append(JOURNAL, &format!("{text}\n"))?;
        self.place.finish(OVERVIEW)?;
        self.head.overview = Some(overview);
        Ok(())
    }

    /// Refuses to replace a file whose record is lost and whose content differs: another program may have written it.
    pub fn take_over(&self, name: &str, bytes: &[u8]) -> Result<(), BakeError> {
        let other = self.unrecorded.contains(name) && self.place.read(name)? != bytes;
        if other { Err(self.place.refuse(name)) } else { Ok(()) }
    }

    /// Removes a picture that is damaged or out of date.
    pub fn erase(&mut self) {
        if let Some(overview) = self.head.overview.take().or(self.stale_overview.take()) {
            self.place.forget(&overview.file);
        }
    }

    /// Every finished tile.
    pub fn tiles(&self) -> impl Iterator<Item = &TileRecord> {
        self.done.values()
    }

    /// Writes the manifest and removes the journal.
    pub fn close(self) -> Result<Manifest, BakeError> {
        let mut tiles = self.done;
        tiles.extend(self.elsewhere.into_iter().map(|tile| ((tile.y, tile.x), tile)));
        let beside = self.beside.into_values().chain(self.stale_beside.into_values()).collect();
        let manifest = Manifest { tiles: tiles.into_values().collect(), beside, ..self.head };
        // Every name is synced before the manifest lists it, including those of an earlier run.
        self.place.sync(&[])?;
        if !self.closed {
            self.place.replace(MANIFEST, manifest.text().as_bytes())?;
            if self.place.look(JOURNAL)? != DiskEntry::Nothing {
                self.place.remove(JOURNAL)?;
                self.place.sync(&[])?;
            }
        }
        Ok(manifest)
    }
}

fn same(place: &BakeFolder, old: &Manifest, new: &Manifest) -> Result<(), BakeError> {
    let path = || place.folder().to_owned();
    if old.setting.bits != new.setting.bits {
        return Err(BakeError::other_version(place.folder(), &old.orogen, old.setting.bits));
    }
    match new.setting.difference(&old.setting, [&new.recipe, &old.recipe]) {
        Some(what) => Err(BakeError::OtherBake { path: path(), what }),
        None => Ok(()),
    }
}

/// Refuses a folder in which a foreign file has a name that the bake would write to.
///
/// - If records are damaged, files without a record count as the bake's and are made again.
/// - If records are lost in a folder that a bake has used, those files are returned. The ones with the same bytes are the bake's.
fn refuse_foreign(
    place: &BakeFolder,
    old: &Records,
    plan: &Plan,
    names: &HashSet<String>,
    files: &[Beside<'_>],
) -> Result<HashSet<String>, BakeError> {
    if let Some(record) = old.damaged.iter().find(|record| !record.own) {
        return Err(place.refuse(record.name));
    }
    let there = place.names()?;
    let aside = |name: &String| [MANIFEST, JOURNAL].iter().any(|record| name.starts_with(&format!("{record}{DAMAGED}")));
    let adopts = !old.damaged.is_empty() || there.iter().any(aside);
    let compares = old.manifest.is_none() && place.was_used();
    let is_file = |name: &str| files.iter().any(|file| file.name == name);
    let wanted = |name: &str| match tile_of(name) {
        Some(at) => plan.holds(at) && beside_tile(name).is_some_and(|name| names.contains(&name)),
        None => (name == OVERVIEW && names.contains(OVERVIEW)) || is_file(name),
    };
    let mut unrecorded = HashSet::new();
    for name in &there {
        // Before there is a journal, no unfinished file is the bake's.
        if !old.unfinished && finished(name).is_some_and(wanted) {
            return Err(place.refuse(name));
        }
        if !wanted(name) {
            continue;
        }
        let recorded = match tile_of(name) {
            Some((x, y)) => old.tiles.get(&(y, x)).is_some_and(|(tile, _)| tile.hashes().any(|is| is.file == *name)),
            None if is_file(name) => old.beside.contains_key(name),
            None => old.overview.is_some(),
        };
        if !matches!(place.look(name)?, DiskEntry::File { .. }) || !(recorded || adopts || compares) {
            return Err(place.refuse(name));
        }
        if !recorded && !adopts {
            unrecorded.insert(name.clone());
        }
    }
    Ok(unrecorded)
}
