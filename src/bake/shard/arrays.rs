//! The files of a world of arrays that sealing writes after shards have made the samples: descriptions, positions, and the coarser
//! levels. Each level is computed from the files of the one before. Four files become one, so a level needs no memory beyond its
//! files.

use super::Sharded;
use super::seal::SealedFile;
use crate::bake::arrays::{ArrayLayer, Arrays, made};
use crate::bake::hash::{FileHash, hex};
use crate::bake::manifest::{line, read_line};
use crate::bake::object::Object;
use crate::bake::{BakeError, CheckReport, Finding, Progress, Wrong};
use crate::codec::zarr::FileCodec;
use crate::error::LayersError;
use rayon::prelude::*;
use std::collections::HashMap;
use std::io::ErrorKind;

/// The record of the files that are written here, a line for each.
const RECORD: &str = "parts/arrays.jsonl";
const PARTS: &str = "parts";
/// Bytes and files that are written immediately.
const MANY: usize = 16 << 20;
const MANY_FILES: usize = 256;

/// Files that wait to be written to the store.
struct Writer<'a> {
    sharded: &'a Sharded,
    waiting: Vec<Object>,
    bytes: usize,
    record: String,
    /// Hashes that an earlier seal has recorded.
    before: HashMap<String, String>,
}

impl Writer<'_> {
    fn add(&mut self, name: String, bytes: Vec<u8>) -> Result<(), BakeError> {
        self.record += &line(&self.sharded.key, &FileHash::of(name.clone(), &bytes));
        self.record.push('\n');
        self.bytes += bytes.len();
        self.waiting.push(Object { name, bytes });
        if self.bytes >= MANY || self.waiting.len() >= MANY_FILES { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<(), BakeError> {
        self.bytes = 0;
        let is_sound = |name: &str, there: &[u8]| self.before.get(name).is_none_or(|sha256| *sha256 == hex(there));
        self.sharded.keep_all(&std::mem::take(&mut self.waiting), &is_sound)
    }
}

impl Sharded {
    /// The layout of its tiles as arrays; `None` if they are not files of arrays.
    fn arrays(&self) -> Result<Option<Arrays>, BakeError> {
        if !self.is_array() {
            return Ok(None);
        }
        let channels = |layer: &&str| self.pipeline.channels(layer).map_err(LayersError::from);
        let (plan, layers) = (self.part(self.tiles()), self.layers());
        let channels = layers.iter().map(channels).collect::<Result<Vec<usize>, _>>()?;
        Ok(Some(Arrays::new(&plan, plan.tile, layers.into_iter().zip(channels))))
    }

    /// Writes the descriptions, the coarser levels and the record of them. Returns the record's hash if layers are arrays.
    pub(super) fn finish_arrays(&self, sealed: Option<&SealedFile>, progress: &dyn Progress) -> Result<Option<String>, BakeError> {
        let Some(arrays) = self.arrays()? else { return Ok(None) };
        let settled = self.settled()?;
        let before = self.read(RECORD)?.unwrap_or_default();
        let lines = String::from_utf8_lossy(&before).lines().filter_map(|line| read_line::<FileHash>(&self.key, line)).collect::<Vec<_>>();
        let before = lines.into_iter().map(|is| (is.file, is.sha256)).collect();
        let mut writer = Writer { sharded: self, waiting: Vec::new(), bytes: 0, record: String::new(), before };
        let made = made(&self.plan.orogen, &settled.setting, &self.plan.recipe);
        arrays.describe(&made, &self.extents()?, &mut |name, bytes| writer.add(name, bytes))?;
        let at_once = 2 * rayon::current_num_threads() as u64;
        for layer in &arrays.layers {
            let codec = arrays.codec(layer)?;
            for level in 1..=arrays.levels() {
                // The next level reads the files of this one.
                writer.flush()?;
                let [columns, rows] = arrays.files_of(level);
                for first in (0..columns * rows).step_by(at_once as usize) {
                    if progress.stops() {
                        return Err(BakeError::Stopped);
                    }
                    let some = (first..(columns * rows).min(first + at_once)).into_par_iter();
                    let files = some.map(|number| self.coarser(&arrays, layer, &codec, level, [number % columns, number / columns]));
                    for (name, bytes) in files.collect::<Result<Vec<_>, BakeError>>()? {
                        writer.add(name, bytes)?;
                    }
                }
            }
        }
        writer.flush()?;
        let object = Object { name: RECORD.to_owned(), bytes: writer.record.into_bytes() };
        let is_sound = |_: &str, there: &[u8]| match sealed {
            Some(sealed) => sealed.arrays.as_deref() == Some(&hex(there)),
            None => {
                let text = String::from_utf8_lossy(there);
                text.ends_with('\n') && text.lines().all(|line| read_line::<FileHash>(&self.key, line).is_some())
            }
        };
        self.keep(&object, &is_sound)?;
        for folder in arrays.folders().map(|listed| listed.folder).chain([PARTS.to_owned()]) {
            self.store.tidy(&folder).map_err(|error| self.failed(&folder, error))?;
        }
        Ok(Some(hex(&object.bytes)))
    }

    /// The smallest and largest value of each layer.
    fn extents(&self) -> Result<Vec<[f32; 2]>, BakeError> {
        let mut extents = vec![[f32::INFINITY, f32::NEG_INFINITY]; self.layers().len()];
        for shard in 0..self.shards() {
            for (tile, _) in self.recorded(shard)?.tiles.values() {
                for ([lo, hi], file) in extents.iter_mut().zip(&tile.files) {
                    (*lo, *hi) = (lo.min(file.min), hi.max(file.max));
                }
            }
        }
        Ok(extents)
    }

    /// A file of a level: every second sample of up to four files of the level before.
    fn coarser(
        &self,
        arrays: &Arrays,
        layer: &ArrayLayer,
        codec: &FileCodec,
        level: u32,
        at: [u64; 2],
    ) -> Result<(String, Vec<u8>), BakeError> {
        let (edge, channels) = (u64::from(arrays.edge), layer.channels);
        let (size, files) = (arrays.size_of(level), arrays.files_of(level - 1));
        let mut values = vec![f32::NAN; (edge * edge) as usize * channels];
        let below = |axis: usize| 2 * at[axis]..(2 * at[axis] + 2).min(files[axis]);
        for row in below(1) {
            for column in below(0) {
                let from = [column, row];
                let name = arrays.file(level - 1, layer, from);
                let bytes = self.read(&name)?.ok_or_else(|| self.failed(&name, ErrorKind::NotFound.into()))?;
                let finer = codec.decode(&bytes).map_err(|error| self.failed(&name, error))?;
                // Samples of this level that the file contains.
                let inside = [0, 1].map(|axis| (from[axis] * edge).div_ceil(2)..((from[axis] + 1) * edge).div_ceil(2).min(size[axis]));
                for y in inside[1].clone() {
                    for x in inside[0].clone() {
                        let to = ((y - at[1] * edge) * edge + x - at[0] * edge) as usize * channels;
                        let sample = ((2 * y - row * edge) * edge + 2 * x - column * edge) as usize * channels;
                        values[to..to + channels].copy_from_slice(&finer[sample..sample + channels]);
                    }
                }
            }
        }
        let name = arrays.file(level, layer, at);
        let bytes = codec.encode(&values).map_err(|error| self.failed(&name, error))?;
        Ok((name, bytes))
    }

    /// Compares the files of sealing with their record, and reports files that belong to no array.
    pub(super) fn check_arrays(&self, sealed: Option<&SealedFile>, checked: &mut CheckReport) -> Result<(), BakeError> {
        let Some(arrays) = self.arrays()? else { return Ok(()) };
        if let Some(sealed) = sealed {
            let record = self.read(RECORD)?;
            if record.as_deref().map(hex) != sealed.arrays {
                checked.findings.push(Finding::of(RECORD, if record.is_none() { Wrong::Missing } else { Wrong::Damaged }));
            }
            let record = record.unwrap_or_default();
            // Of a damaged record, the intact lines count.
            let lines = String::from_utf8_lossy(&record);
            let files: Vec<FileHash> = lines.lines().filter_map(|line| read_line(&self.key, line)).collect();
            let wrong = files.par_iter().map(|is| self.compared(&is.file, is)).collect::<Result<Vec<_>, BakeError>>()?;
            checked.findings.extend(wrong.into_iter().flatten());
            checked.files += files.len() as u64;
            checked.bytes += files.iter().map(|is| is.size).sum::<u64>();
        }
        for listed in arrays.folders() {
            let foreign = self.names(&listed.folder)?.into_iter().filter(|name| !listed.holds(name));
            checked.findings.extend(foreign.map(|name| Finding::of(&format!("{}/{name}", listed.folder), Wrong::Foreign)));
        }
        Ok(())
    }
}
