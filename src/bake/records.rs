//! The content of a folder's manifest and journal, before it is verified.

use crate::bake::BakeError;
use crate::bake::hash::FileHash;
use crate::bake::manifest::{Manifest, TileRecord, read_line};
use crate::bake::names::{JOURNAL, MANIFEST, OVERVIEW};
use crate::bake::place::{BakeFolder, RecordText};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A line of the journal.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct JournalLine {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tile: Option<TileRecord>,
    /// The modification stamps of its files.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stamps: Vec<[u64; 2]>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overview: Option<FileHash>,
    /// A note or an answer.
    #[serde(default, alias = "note", skip_serializing_if = "Option::is_none")]
    pub beside: Option<FileHash>,
}

/// A tile, and the modification stamps of its files as far as they are recorded.
pub(super) type RecordedTile = (TileRecord, Vec<[u64; 2]>);

/// A damaged manifest or journal.
pub(super) struct DamagedRecord {
    pub name: &'static str,
    /// Whether a bake wrote it at all.
    pub own: bool,
}

/// The recorded state of a folder.
#[derive(Default)]
pub(super) struct Records {
    /// The manifest without tiles; `None` if it is missing or damaged.
    pub manifest: Option<Manifest>,
    /// The journal's first line, with the same meaning.
    pub journal: Option<Manifest>,
    /// Whether there is a journal: the bake is not finished.
    pub unfinished: bool,
    /// By row and column; the last record of the journal counts.
    pub tiles: BTreeMap<(i64, i64), RecordedTile>,
    pub overview: Option<FileHash>,
    /// Notes and answers, by name.
    pub beside: BTreeMap<String, FileHash>,
    pub damaged: Vec<DamagedRecord>,
}

impl Records {
    /// Reads both records; `None` if neither exists. Of a damaged one, the intact lines count. They must belong to the expected
    /// bake, or without one to the bake that the record names.
    pub fn read(place: &BakeFolder, expected: Option<&Manifest>) -> Result<Option<Self>, BakeError> {
        let mut records = Records::default();
        let (manifest, journal) = (place.record(MANIFEST)?, place.record(JOURNAL)?);
        if matches!((&manifest, &journal), (RecordText::Nothing, RecordText::Nothing)) {
            return Ok(None);
        }
        if let RecordText::Text(text) = manifest {
            records.add_manifest(&text, expected);
        }
        if let RecordText::Text(text) = journal {
            records.add_journal(&text, expected);
        }
        Ok(Some(records))
    }

    fn add_manifest(&mut self, text: &str, expected: Option<&Manifest>) {
        let tiles = if let Some(mut manifest) = Manifest::read(text) {
            let tiles = std::mem::take(&mut manifest.tiles);
            self.overview.clone_from(&manifest.overview);
            self.add_beside(&manifest.beside);
            self.manifest = Some(manifest);
            tiles
        } else {
            self.add_damaged(MANIFEST, text);
            let said = Manifest::read_head(text);
            let key = expected.or(said.as_ref()).map(|of| of.setting.key());
            key.map_or_else(Vec::new, |key| Manifest::salvage(text, &key))
        };
        self.tiles.extend(tiles.into_iter().map(|tile| ((tile.y, tile.x), (tile, Vec::new()))));
    }

    fn add_journal(&mut self, text: &str, expected: Option<&Manifest>) {
        let (first, lines, sound) = journal(text, expected.or(self.manifest.as_ref()));
        if !sound {
            self.add_damaged(JOURNAL, text);
        }
        self.unfinished = true;
        self.overview = first.as_ref().and_then(|first| first.overview.clone()).or(self.overview.take());
        self.add_beside(first.as_ref().map_or(&[], |first| &first.beside));
        self.journal = first;
        for JournalLine { tile, stamps, overview, beside } in lines {
            self.tiles.extend(tile.map(|tile| ((tile.y, tile.x), (tile, stamps))));
            self.overview = overview.or(self.overview.take());
            self.add_beside(beside.as_slice());
        }
    }

    fn add_beside(&mut self, files: &[FileHash]) {
        self.beside.extend(files.iter().map(|is| (is.file.clone(), is.clone())));
    }

    fn add_damaged(&mut self, name: &'static str, text: &str) {
        let own = text.trim().is_empty() || ["\"orogen\"", "\"sha256\"", "\"check\""].iter().any(|word| text.contains(word));
        self.damaged.push(DamagedRecord { name, own });
    }
}

/// Reads a journal: its first line, its intact lines, and whether it is undamaged. If the first line is damaged, the expected bake
/// gives the key.
fn journal(text: &str, expected: Option<&Manifest>) -> (Option<Manifest>, Vec<JournalLine>, bool) {
    let mut lines = text.split_inclusive('\n');
    let first = lines.next().and_then(|first| read_line::<Manifest>("", first.trim_end()));
    let Some(key) = first.as_ref().or(expected).map(|head| head.setting.key()) else { return (None, Vec::new(), false) };
    let (mut sound, mut rest) = (first.is_some(), Vec::new());
    for text in lines {
        let own = |line: &JournalLine| {
            line.tile.as_ref().is_none_or(TileRecord::is_own)
                && line.overview.as_ref().is_none_or(|is| is.file == OVERVIEW)
                && line.beside.as_ref().is_none_or(FileHash::is_beside)
        };
        match read_line::<JournalLine>(&key, text.trim_end()).filter(own) {
            Some(line) => rest.push(line),
            // A kill cut this line short. Its files do not have their final names yet.
            None => sound &= !text.ends_with('\n'),
        }
    }
    (first, rest, sound)
}
