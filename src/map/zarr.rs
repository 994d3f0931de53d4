//! Zarr arrays from a bake of other tiles: the same files as a bake of arrays (`src/bake/arrays/`), made by one process.

use crate::bake::arrays::{Arrays, check_names, made};
use crate::bake::names::ARRAYS;
use crate::bake::{BakeError, Baked, PlanError, Progress, Tiles};
use crate::codec::zarr::{CHUNKS, FileCodec};
use crate::map::record::Draft;
use crate::map::samples::Samples;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Files per batch.
const BATCH: u64 = 16;

/// Zarr arrays of all layers, with levels of detail.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Zarr {
    /// Samples along the edge of a chunk, from 16 to 1024. A chunk is the smallest unit of reading.
    pub pixels: u32,
}

impl Zarr {
    pub(super) fn check(&self, layers: &[(&str, usize)]) -> Result<(), BakeError> {
        let refuse = |what, value: String, allowed: &str| Err(PlanError::map(what, value, allowed.to_owned()).into());
        if !(16..=1024).contains(&self.pixels) {
            return refuse("pixels", self.pixels.to_string(), "16 to 1024");
        }
        Ok(check_names(layers.iter().map(|(layer, _)| *layer))?)
    }

    pub(super) fn write(&self, baked: &Baked, tiles: &Tiles, draft: &mut Draft<'_>, progress: &dyn Progress) -> Result<(), BakeError> {
        let plan = baked.plan(tiles.clone());
        let manifest = baked.manifest();
        let products = &manifest.setting.products;
        let layers = products.iter().enumerate().map(|(k, product)| (product.layer.as_str(), baked.channels(k)));
        let arrays = Arrays::new(&plan, self.pixels * CHUNKS, layers);
        let extent = |k: usize| {
            let of = manifest.tiles.iter().filter(|tile| tiles.holds((tile.x, tile.y))).filter_map(|tile| tile.files.get(k));
            of.fold([f32::INFINITY, f32::NEG_INFINITY], |[lo, hi], file| [lo.min(file.min), hi.max(file.max)])
        };
        let extents: Vec<[f32; 2]> = (0..products.len()).map(extent).collect();
        let made = made(&manifest.orogen, &manifest.setting, &manifest.recipe);
        arrays.describe(&made, &extents, &mut |name, bytes| draft.write(&[(name, &bytes[..])]))?;
        let base = [&plan.tiles.x, &plan.tiles.y].map(|range| range.start * i64::from(plan.tile));
        let (scratch, levels) = (draft.scratch(), arrays.levels());
        let total = arrays.layers.len() as u64 * (0..=levels).map(|level| arrays.files_of(level).iter().product::<u64>()).sum::<u64>();
        let mut done = 0;
        for (k, layer) in arrays.layers.iter().enumerate() {
            let samples = Samples::new(baked, k, tiles, base, levels, &scratch, progress)?;
            let codec = arrays.codec(layer)?;
            for level in 0..=levels {
                let [columns, rows] = arrays.files_of(level);
                for first in (0..columns * rows).step_by(BATCH as usize) {
                    if progress.stops() {
                        return Err(BakeError::Stopped);
                    }
                    let some = (first..(columns * rows).min(first + BATCH)).into_par_iter().map(|number| {
                        let at = [number % columns, number / columns];
                        Ok((arrays.file(level, layer, at), file(&samples, &codec, arrays.edge, level, at)?))
                    });
                    let files = some.collect::<Result<Vec<_>, BakeError>>()?;
                    let files: Vec<(String, &[u8])> = files.iter().map(|(name, bytes)| (name.clone(), &bytes[..])).collect();
                    draft.write(&files)?;
                    done += files.len() as u64;
                    progress.tile(done, total);
                }
            }
        }
        Ok(())
    }
}

/// A file of a level.
fn file(samples: &Samples<'_>, codec: &FileCodec, edge: u32, level: u32, at: [u64; 2]) -> Result<Vec<u8>, BakeError> {
    let of = samples.level(level);
    let [x, y] = at.map(|index| (index * u64::from(edge)) as i64);
    let mut values = samples.window(level, [of.first[0] + x, of.first[1] + y], [edge; 2])?;
    // Samples beyond the edge are NaN.
    let inside = [0, 1].map(|axis| (of.size[axis] as i64 - [x, y][axis]).clamp(0, i64::from(edge)) as usize);
    let width = edge as usize * samples.channels;
    for (index, line) in values.chunks_exact_mut(width).enumerate() {
        let from = if index < inside[1] { inside[0] * samples.channels } else { 0 };
        line[from..].fill(f32::NAN);
    }
    codec.encode(&values).map_err(|error| BakeError::file(Path::new(ARRAYS), error))
}
