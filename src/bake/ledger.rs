//! What is done of a bake. A journal is written ahead: files are written under unfinished names and synced, then a line names
//! them and is synced, then they get their names. So a line's file is there and whole, under one name or the other, whenever the
//! power goes; and what nobody has recorded is not the bake's.

use crate::bake::disk::Entry;
use crate::bake::manifest::{FileHash, Manifest, TileRecord, line, read_line};
use crate::bake::place::{DAMAGED, Found, JOURNAL, MANIFEST, MEASURING, OVERVIEW, Place, finished, tile_of};
use crate::bake::{BakeError, Plan};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashSet};

/// A line of the journal.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Line {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tile: Option<TileRecord>,
    /// When its files were written.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    stamps: Vec<[u64; 2]>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overview: Option<FileHash>,
}

/// The tiles that are done, and how more are added.
pub(super) struct Ledger<'a> {
    place: &'a Place,
    /// Without tiles.
    head: Manifest,
    key: String,
    done: BTreeMap<(i64, i64), TileRecord>,
    /// Records of what is damaged or gone: until it is made anew, they say whose the files are.
    stale: Vec<TileRecord>,
    /// The same outside of the plan's tiles: they are not made anew now.
    elsewhere: Vec<TileRecord>,
    stale_overview: Option<FileHash>,
    /// Whether the manifest says all this already.
    closed: bool,
    /// Whether a line may be there in part: nothing more is added after it.
    broken: bool,
    /// What was found damaged, and is made anew.
    pub damaged: Vec<String>,
}

/// A tile, and when its files were written.
type Recorded = (TileRecord, Vec<[u64; 2]>);

/// What an earlier run left, before it is believed.
#[derive(Default)]
struct Old {
    tiles: BTreeMap<(i64, i64), Recorded>,
    overview: Option<FileHash>,
    manifest: Option<Manifest>,
    journal: bool,
    damaged: Vec<String>,
}

impl<'a> Ledger<'a> {
    /// Reads what is there, believes what its content confirms, and removes what a killed bake left unfinished.
    pub fn open(place: &'a Place, head: Manifest, plan: &Plan, endings: &HashSet<String>) -> Result<Self, BakeError> {
        let key = head.setting.key();
        let mut old = Old::default();
        old.read_manifest(place, &head, &key)?;
        old.read_journal(place, &head)?;
        refuse_foreign(place, &old, plan, endings)?;
        if old.journal && place.look(JOURNAL)? != Entry::Nothing {
            // A killed bake may not have come to that, and by its lines files are given their names now.
            place.settle(JOURNAL)?;
        }
        let Old { tiles, overview, manifest, journal, mut damaged } = old;
        let recorded = tiles.len();
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
        for name in place.names()?.iter().filter(|name| finished(name).is_some()) {
            place.remove(name)?;
        }
        let closed = manifest.as_ref().is_some_and(|m| m.tiles.len() == recorded) && !journal && damaged.is_empty();
        let head = match manifest {
            Some(manifest) if closed => manifest.head(),
            _ => Manifest { overview, ..head },
        };
        Ok(Ledger { place, head, key, done, stale, elsewhere, stale_overview, closed, broken: false, damaged })
    }

    pub fn is_done(&self, (x, y): (i64, i64)) -> bool {
        self.done.contains_key(&(y, x))
    }

    /// The picture, if it is as it was written.
    pub fn overview(&self) -> Option<&FileHash> {
        self.head.overview.as_ref()
    }

    /// Begins a journal that holds what there is.
    pub fn begin(&mut self) -> Result<(), BakeError> {
        self.closed = false;
        let mut head = self.head.head();
        head.overview = head.overview.or_else(|| self.stale_overview.clone());
        let mut text = line("", &head);
        text.push('\n');
        let mut add = |tile: &TileRecord, stamps| {
            text += &line(&self.key, &Line { tile: Some(tile.clone()), stamps, overview: None });
            text.push('\n');
        };
        for tile in self.done.values() {
            add(tile, tile.hashes().map(|is| self.place.stamp(&is.file)).collect::<Result<_, _>>()?);
        }
        self.stale.iter().chain(&self.elsewhere).for_each(|tile| add(tile, Vec::new()));
        self.stale = Vec::new();
        self.place.replace(JOURNAL, text.as_bytes())?;
        // What was measured stands in the journal now.
        self.place.forget(MEASURING);
        Ok(())
    }

    /// Notes tiles whose files are written under their unfinished names.
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
            text += &line(&self.key, &Line { tile: Some(tile.clone()), stamps, overview: None });
            text.push('\n');
        }
        self.place.append(JOURNAL, &text)?;
        names.iter().try_for_each(|name| self.place.finish(name))
    }

    /// Writes the picture.
    pub fn draw(&mut self, png: &[u8]) -> Result<(), BakeError> {
        self.place.write(OVERVIEW, png)?;
        let overview = FileHash::of(OVERVIEW.to_owned(), png);
        self.place.sync(&[OVERVIEW])?;
        let text = line(&self.key, &Line { overview: Some(overview.clone()), ..Line::default() });
        self.place.append(JOURNAL, &format!("{text}\n"))?;
        self.place.finish(OVERVIEW)?;
        self.head.overview = Some(overview);
        Ok(())
    }

    /// Removes a picture that is damaged, or of a world that it does not show any more.
    pub fn erase(&mut self) {
        if let Some(overview) = self.head.overview.take().or(self.stale_overview.take()) {
            self.place.forget(&overview.file);
        }
    }

    /// Every tile that is done.
    pub fn tiles(&self) -> impl Iterator<Item = &TileRecord> {
        self.done.values()
    }

    /// Writes the manifest, last of all; the journal has done its work.
    pub fn close(self) -> Result<Manifest, BakeError> {
        let mut tiles = self.done;
        tiles.extend(self.elsewhere.into_iter().map(|tile| ((tile.y, tile.x), tile)));
        let manifest = Manifest { tiles: tiles.into_values().collect(), ..self.head };
        // Every name is safe before the manifest lists it, also those that an earlier run has given.
        self.place.sync(&[])?;
        if !self.closed {
            self.place.replace(MANIFEST, manifest.text().as_bytes())?;
            if self.place.look(JOURNAL)? != Entry::Nothing {
                self.place.remove(JOURNAL)?;
                self.place.sync(&[])?;
            }
        }
        Ok(manifest)
    }
}

impl Old {
    fn read_manifest(&mut self, place: &Place, head: &Manifest, key: &str) -> Result<(), BakeError> {
        let Found::Text(text) = place.record(MANIFEST)? else { return Ok(()) };
        let tiles = if let Some(manifest) = Manifest::read(&text) {
            same(place, &manifest, head)?;
            self.overview.clone_from(&manifest.overview);
            self.manifest = Some(manifest.clone());
            manifest.tiles
        } else {
            self.set_aside(place, MANIFEST, &text)?;
            Manifest::salvage(&text, key)
        };
        self.tiles.extend(tiles.into_iter().map(|tile| ((tile.y, tile.x), (tile, Vec::new()))));
        Ok(())
    }

    fn read_journal(&mut self, place: &Place, head: &Manifest) -> Result<(), BakeError> {
        let Found::Text(text) = place.record(JOURNAL)? else { return Ok(()) };
        let (first, lines, sound) = journal(&text, Some(head));
        if let Some(first) = &first {
            same(place, first, head)?;
            if first.overview.is_some() {
                self.overview.clone_from(&first.overview);
            }
        }
        self.journal = true;
        if !sound {
            self.set_aside(place, JOURNAL, &text)?;
        }
        for Line { tile, stamps, overview } in lines {
            self.tiles.extend(tile.map(|tile| ((tile.y, tile.x), (tile, stamps))));
            if overview.is_some() {
                self.overview = overview;
            }
        }
        Ok(())
    }

    /// Sets a damaged record aside, if it is one at all.
    fn set_aside(&mut self, place: &Place, name: &str, text: &str) -> Result<(), BakeError> {
        let own = text.trim().is_empty() || ["\"orogen\"", "\"sha256\"", "\"check\""].iter().any(|word| text.contains(word));
        if !own {
            return Err(place.refuse(name));
        }
        let aside = place.set_aside(name)?;
        self.damaged.push(format!("{name} (now {aside})"));
        Ok(())
    }
}

/// What a journal says: its first line, its sound ones, and whether it is whole. Where the first line is none, the key is that of the bake that
/// is expected.
pub(super) fn journal(text: &str, expected: Option<&Manifest>) -> (Option<Manifest>, Vec<Line>, bool) {
    let mut lines = text.split_inclusive('\n');
    let first = lines.next().and_then(|first| read_line::<Manifest>("", first.trim_end()));
    let Some(key) = first.as_ref().or(expected).map(|head| head.setting.key()) else { return (None, Vec::new(), false) };
    let (mut sound, mut rest) = (first.is_some(), Vec::new());
    for text in lines {
        let own =
            |line: &Line| line.tile.as_ref().is_none_or(TileRecord::is_own) && line.overview.as_ref().is_none_or(|is| is.file == OVERVIEW);
        match read_line::<Line>(&key, text.trim_end()).filter(own) {
            Some(line) => rest.push(line),
            // A line that a kill cut short has no end; its files have no names.
            None => sound &= !text.ends_with('\n'),
        }
    }
    (first, rest, sound)
}

fn same(place: &Place, old: &Manifest, new: &Manifest) -> Result<(), BakeError> {
    let path = || place.folder().to_owned();
    if old.setting.bits != new.setting.bits {
        let of = |m: &Manifest| format!("{} (bits {})", m.orogen, m.setting.bits);
        return Err(BakeError::OtherVersion { path: path(), found: of(old), this: of(new) });
    }
    match new.setting.difference(&old.setting) {
        Some(what) => Err(BakeError::OtherBake { path: path(), what }),
        None => Ok(()),
    }
}

/// Refuses a folder in which a file of somebody else's has a name that the bake would write to. Where records have been damaged, files
/// without one are taken for the bake's, and made anew.
fn refuse_foreign(place: &Place, old: &Old, plan: &Plan, endings: &HashSet<String>) -> Result<(), BakeError> {
    let there = place.names()?;
    let damaged = |name: &String| [MANIFEST, JOURNAL].iter().any(|record| name.starts_with(&format!("{record}{DAMAGED}")));
    let adopts = there.iter().any(damaged);
    let wanted = |name: &&String| match tile_of(name) {
        Some(at) => plan.holds(at) && endings.contains(name.split_once('.').map_or("", |(_, ending)| ending)),
        None => *name == OVERVIEW && endings.contains(OVERVIEW),
    };
    for name in there.iter().filter(wanted) {
        let recorded = match tile_of(name) {
            Some((x, y)) => old.tiles.get(&(y, x)).is_some_and(|(tile, _)| tile.hashes().any(|is| is.file == *name)),
            None => old.overview.is_some(),
        };
        if !matches!(place.look(name)?, Entry::File { .. }) || !(recorded || adopts) {
            return Err(place.refuse(name));
        }
    }
    Ok(())
}
