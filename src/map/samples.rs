//! Windows of the samples of a bake and of its levels of detail. Level L has every 2ᴸth sample of the tiles, so it agrees with the
//! bake after stages, too. Temporary files hold the levels, so that each tile is read once.

use crate::bake::{BakeError, Baked, Progress, Tiles};
use crate::field::Layer;
use rayon::prelude::*;
use std::collections::VecDeque;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Bytes of cached tiles.
const KEPT: usize = 64 << 20;

/// A cached tile.
type Kept = ((i64, i64), Arc<Layer>);

/// One product of a bake. Sample n of level L is sample `base + n · 2ᴸ` of the bake.
pub(super) struct Samples<'a> {
    baked: &'a Baked,
    product: usize,
    pub channels: usize,
    /// Samples along the edge of a tile.
    tile: i64,
    base: [i64; 2],
    /// Level 0 first.
    levels: Vec<Level>,
    /// Cached tiles, beginning with the least recent.
    recent: Mutex<VecDeque<Kept>>,
}

/// The extent of a level, and its temporary file.
pub(super) struct Level {
    /// Index of its first sample, along x and y.
    pub first: [i64; 2],
    pub size: [u64; 2],
    /// The temporary file; `None` for level 0, which is the tiles.
    file: Option<(PathBuf, Mutex<File>)>,
}

/// Locks a mutex, also after a panic of another thread.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<'a> Samples<'a> {
    /// The samples of a product in these tiles, with `levels` levels above that of the tiles. `scratch` is a folder for temporary files.
    pub fn new(
        baked: &'a Baked,
        product: usize,
        tiles: &Tiles,
        base: [i64; 2],
        levels: u32,
        scratch: &Path,
        progress: &dyn Progress,
    ) -> Result<Self, BakeError> {
        let tile = i64::from(baked.manifest().setting.tile);
        let channels = baked.channels(product);
        let ends = [&tiles.x, &tiles.y].map(|range| [range.start * tile, range.end * tile]);
        let mut found = Vec::new();
        for level in 0..=levels {
            // The first sample at or after an end of the tiles.
            let after = |axis: usize, end: usize| (ends[axis][end] - base[axis] + (1 << level) - 1) >> level;
            let first = [after(0, 0), after(1, 0)];
            let size = [0, 1].map(|axis| (after(axis, 1) - first[axis]) as u64);
            let file = if level > 0 {
                let path = scratch.join(format!("level-{product}-{level}"));
                let file = File::options().create(true).truncate(true).read(true).write(true).open(&path);
                Some((path.clone(), Mutex::new(file.map_err(|error| BakeError::file(&path, error))?)))
            } else {
                None
            };
            found.push(Level { first, size, file });
        }
        let samples = Samples { baked, product, channels, tile, base, levels: found, recent: Mutex::default() };
        if levels > 0 {
            let all: Vec<(i64, i64)> = tiles.each().collect();
            all.par_iter().try_for_each(|&at| if progress.stops() { Err(BakeError::Stopped) } else { samples.thin(at) })?;
        }
        Ok(samples)
    }

    /// The extent of a level.
    pub fn level(&self, level: u32) -> &Level {
        &self.levels[level as usize]
    }

    /// Writes the samples of a tile to the files of all levels.
    fn thin(&self, at: (i64, i64)) -> Result<(), BakeError> {
        let layer = self.baked.tile(at, self.product)?;
        let row = layer.region.size[0] as usize * self.channels;
        let origin = [at.0 * self.tile, at.1 * self.tile];
        for (level, Level { first, size, file }) in self.levels.iter().enumerate() {
            let Some((path, file)) = file else { continue };
            // Indices of the level's samples in the tile.
            let inside = [0, 1].map(|axis| {
                let after = |index: i64| (index - self.base[axis] + (1 << level) - 1) >> level;
                after(origin[axis])..after(origin[axis] + self.tile)
            });
            let mut file = lock(file);
            for y in inside[1].clone() {
                let from = ((self.base[1] + (y << level)) - origin[1]) as usize * row;
                let mut bytes = Vec::with_capacity(inside[0].clone().count() * self.channels * 4);
                for x in inside[0].clone() {
                    let at = from + ((self.base[0] + (x << level)) - origin[0]) as usize * self.channels;
                    bytes.extend(layer.values[at..at + self.channels].iter().flat_map(|value| value.to_le_bytes()));
                }
                let to = ((y - first[1]) as u64 * size[0] + (inside[0].start - first[0]) as u64) * self.channels as u64 * 4;
                let written = file.seek(SeekFrom::Start(to)).and_then(|_| file.write_all(&bytes));
                written.map_err(|error| BakeError::file(path, error))?;
            }
        }
        Ok(())
    }

    /// A window of a level, with the channels of a sample next to each other, beginning with the smallest y. Samples outside the bake
    /// repeat the nearest sample inside.
    pub fn window(&self, level: u32, from: [i64; 2], size: [u32; 2]) -> Result<Vec<f32>, BakeError> {
        let Level { first, size: all, .. } = self.level(level);
        let last = [0, 1].map(|axis| first[axis] + all[axis] as i64 - 1);
        let clamped = |axis: usize, at: i64| at.clamp(first[axis], last[axis]);
        let core = [0, 1].map(|axis| clamped(axis, from[axis])..clamped(axis, from[axis] + i64::from(size[axis]) - 1) + 1);
        let inner = self.inside(level, &core)?;
        let width = (core[0].end - core[0].start) as usize * self.channels;
        let mut values = Vec::with_capacity(size[0] as usize * size[1] as usize * self.channels);
        for y in (from[1]..).take(size[1] as usize) {
            let row = &inner[(clamped(1, y) - core[1].start) as usize * width..][..width];
            for x in (from[0]..).take(size[0] as usize) {
                let at = (clamped(0, x) - core[0].start) as usize * self.channels;
                values.extend_from_slice(&row[at..at + self.channels]);
            }
        }
        Ok(values)
    }

    /// A window inside the level.
    fn inside(&self, level: u32, window: &[std::ops::Range<i64>; 2]) -> Result<Vec<f32>, BakeError> {
        let width = (window[0].end - window[0].start) as usize * self.channels;
        let height = (window[1].end - window[1].start) as usize;
        let mut values = vec![0.0; width * height];
        let Level { first, size, file } = self.level(level);
        if let Some((path, file)) = file {
            let mut file = lock(file);
            let mut bytes = vec![0; width * 4];
            for (row, y) in values.chunks_exact_mut(width).zip(window[1].clone()) {
                let at = ((y - first[1]) as u64 * size[0] + (window[0].start - first[0]) as u64) * self.channels as u64 * 4;
                let read = file.seek(SeekFrom::Start(at)).and_then(|_| file.read_exact(&mut bytes));
                read.map_err(|error| BakeError::file(path, error))?;
                row.iter_mut().zip(bytes.as_chunks::<4>().0).for_each(|(to, four)| *to = f32::from_le_bytes(*four));
            }
            return Ok(values);
        }
        let index = [0, 1].map(|axis| window[axis].start + self.base[axis]..window[axis].end + self.base[axis]);
        let tiles = |axis: usize| index[axis].start.div_euclid(self.tile)..=(index[axis].end - 1).div_euclid(self.tile);
        for tile_y in tiles(1) {
            for tile_x in tiles(0) {
                let layer = self.tile((tile_x, tile_y))?;
                let row = layer.region.size[0] as usize * self.channels;
                let part = |axis: usize, tile: i64| index[axis].start.max(tile * self.tile)..index[axis].end.min((tile + 1) * self.tile);
                let (columns, rows) = (part(0, tile_x), part(1, tile_y));
                let count = (columns.end - columns.start) as usize * self.channels;
                for y in rows {
                    let from = (y - tile_y * self.tile) as usize * row + (columns.start - tile_x * self.tile) as usize * self.channels;
                    let to = (y - index[1].start) as usize * width + (columns.start - index[0].start) as usize * self.channels;
                    values[to..to + count].copy_from_slice(&layer.values[from..from + count]);
                }
            }
        }
        Ok(values)
    }

    /// A tile, from the cache or from its file.
    fn tile(&self, at: (i64, i64)) -> Result<Arc<Layer>, BakeError> {
        if let Some((_, layer)) = lock(&self.recent).iter().find(|(of, _)| *of == at) {
            return Ok(Arc::clone(layer));
        }
        let layer = Arc::new(self.baked.tile(at, self.product)?);
        let most = (KEPT / (layer.values.len() * 4).max(1)).max(4);
        let mut recent = lock(&self.recent);
        recent.push_back((at, Arc::clone(&layer)));
        while recent.len() > most {
            recent.pop_front();
        }
        Ok(layer)
    }
}
