//! Cloud-optimised GeoTIFF: one file per layer. A client can read parts of it over a network (OGC 21-026, *OGC Cloud Optimized
//! GeoTIFF Standard*; OGC 19-008, *OGC GeoTIFF Standard*).
//!
//! Pixels are in tiles and directories at the beginning. The smallest overview is first and the full picture last. Overview k has
//! every 2ᵏth sample, beginning with the south-west corner. If the index of that corner is a multiple of 2ᵏ, this is level k of the
//! world. The first row is the northernmost. Samples are heights at points (`PixelIsPoint`), in the middle of their pixels.

use crate::bake::{BakeError, Baked, Plan, PlanError, Progress, Tiles};
use crate::codec::Quantisation;
use crate::codec::tiff::{Big, Field, Part, Pixel, Value, beginning};
use crate::map::names::{IMAGE, stem};
use crate::map::record::Draft;
use crate::map::samples::Samples;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{Error, Seek, SeekFrom, Write};

/// Tiles per batch.
const BATCH: usize = 64;
/// The largest size in bytes of a file with offsets of 32 bits.
const CLASSIC: u64 = 1 << 32;

/// A GeoTIFF of the heights, and one of each further layer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cog {
    /// The storage of heights.
    pub numbers: HeightStorage,
    /// Pixels along the edge of an inner tile: a multiple of 16, from 64 to 4096.
    pub pixels: u32,
    /// EPSG code of a projected coordinate reference system. `None` keeps the coordinates of the world, without a position on Earth.
    pub crs: Option<u16>,
    /// Coordinates, east and north, of the world's position (0, 0).
    pub origin: [f64; 2],
    /// Spacing of the samples in units of the coordinates. `None` keeps the spacing in the world.
    pub step: Option<f64>,
}

/// The storage of heights.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum HeightStorage {
    /// 32-bit floats with the exact bits of the samples.
    Float,
    /// 16-bit integers with scale and offset, over the given range or that of the samples.
    Integer(Option<[f64; 2]>),
}

/// The file of a layer.
pub(super) fn file(layers: &[&str], k: usize) -> String {
    IMAGE.with(&stem(layers, k))
}

impl Cog {
    pub(super) fn check(&self) -> Result<(), BakeError> {
        let refuse = |what, value: String, allowed: &str| Err(PlanError::map(what, value, allowed.to_owned()).into());
        if !(64..=4096).contains(&self.pixels) || !self.pixels.is_multiple_of(16) {
            return refuse("pixels", self.pixels.to_string(), "multiples of 16 from 64 to 4096");
        }
        if !self.origin.iter().all(|x| x.is_finite() && x.abs() <= 1e15) {
            return refuse("origin", format!("{},{}", self.origin[0], self.origin[1]), "finite numbers of magnitude up to 1e15");
        }
        if self.step.is_some_and(|step| !(1e-12..=1e12).contains(&step)) {
            return refuse("step", self.step.unwrap_or_default().to_string(), "1e-12 to 1e12 units");
        }
        if let Some(code) = self.crs {
            let projected = "EPSG codes of projected systems, as 3857, 25832, 32633";
            let Some(found) = crs_definitions::from_code(code) else { return refuse("crs", format!("EPSG:{code}"), projected) };
            // In degrees, a spacing of metres would make samples as wide as countries.
            if ["+proj=longlat", "+proj=geocent"].iter().any(|other| found.proj4.contains(other)) {
                return refuse("crs", format!("EPSG:{code}, which is not projected"), projected);
            }
        }
        if let HeightStorage::Integer(Some([lo, hi])) = self.numbers {
            Quantisation::new(lo, hi).map_err(PlanError::from)?;
        }
        Ok(())
    }

    pub(super) fn write(
        &self,
        baked: &Baked,
        tiles: &Tiles,
        range: [f64; 2],
        draft: &mut Draft<'_>,
        progress: &dyn Progress,
    ) -> Result<(), BakeError> {
        let plan = baked.plan(tiles.clone());
        let layers: Vec<&str> = baked.manifest().setting.products.iter().map(|product| product.layer.as_str()).collect();
        for k in 0..layers.len() {
            let name = file(&layers, k);
            let path = draft.path(&name);
            let failed = |error: Error| BakeError::file(&path, error);
            let pixel = match (baked.channels(k), self.numbers) {
                (1, HeightStorage::Integer(declared)) if k == 0 => {
                    let [lo, hi] = declared.unwrap_or(range);
                    Pixel::Integer(Quantisation::new(lo, hi).map_err(PlanError::from)?)
                }
                (1, HeightStorage::Integer(_) | HeightStorage::Float) => Pixel::Float,
                (3, _) => Pixel::Normal,
                (4, _) => Pixel::Colour,
                (channels, _) => {
                    let value = format!("'{}', of {channels} channels", layers[k]);
                    return Err(PlanError::map("layers", value, "values, normals and colours").into());
                }
            };
            let corner = [&plan.tiles.x, &plan.tiles.y].map(|range| range.start * i64::from(plan.tile));
            let size = plan.samples();
            let longest = size[0].max(size[1]);
            // The smallest overview is one tile.
            let overviews = (0..).find(|&level| longest.div_ceil(1 << level) <= u64::from(self.pixels)).unwrap_or(0);
            let samples = Samples::new(baked, k, tiles, corner, overviews, &draft.scratch(), progress)?;
            let levels: Vec<Level> = (0..=overviews).map(|level| Level::new(&samples, level, self.pixels)).collect();
            let raw: u64 =
                levels.iter().map(|level| level.count() * u64::from(self.pixels).pow(2) * pixel.size() as u64 * 11 / 10 + 4096).sum();
            let big = Big(raw >= CLASSIC);
            let mut coordinates = self.place(&plan, corner, size[1]);
            coordinates.extend(pixel.metadata());
            let directories = |offsets: &[Vec<u64>], counts: &[Vec<u32>]| -> Vec<Vec<Field>> {
                let of = |(i, level): (usize, &Level)| {
                    let part = Part { size: level.size, pixels: self.pixels, offsets: &offsets[i], counts: &counts[i] };
                    pixel.directory(&part, if i == 0 { &coordinates } else { &[] })
                };
                levels.iter().enumerate().map(of).collect()
            };
            let empty: Vec<Vec<u64>> = levels.iter().map(|level| vec![0; level.count() as usize]).collect();
            let none: Vec<Vec<u32>> = levels.iter().map(|level| vec![0; level.count() as usize]).collect();
            let mut at = beginning(&directories(&empty, &none), big).len() as u64;
            let (mut offsets, mut counts) = (empty, none);
            let mut out = File::create(&path).map_err(failed)?;
            out.seek(SeekFrom::Start(at)).map_err(failed)?;
            let total: u64 = levels.iter().map(Level::count).sum();
            let mut done = 0;
            for (i, level) in levels.iter().enumerate().rev() {
                let all: Vec<u64> = (0..level.count()).collect();
                for batch in all.chunks(BATCH) {
                    if progress.stops() {
                        return Err(BakeError::Stopped);
                    }
                    let packed = batch.par_iter().map(|&number| {
                        let values = samples.window(i as u32, level.corner(number, self.pixels), [self.pixels; 2])?;
                        pixel.packed(&values, self.pixels as usize).map_err(failed)
                    });
                    for (&number, packed) in batch.iter().zip(packed.collect::<Result<Vec<_>, BakeError>>()?) {
                        out.write_all(&packed).map_err(failed)?;
                        offsets[i][number as usize] = at;
                        counts[i][number as usize] = packed.len() as u32;
                        at += packed.len() as u64;
                        done += 1;
                        progress.tile(done, total);
                    }
                }
            }
            out.rewind().and_then(|()| out.write_all(&beginning(&directories(&offsets, &counts), big))).map_err(failed)?;
            drop(out);
            draft.add(&name)?;
        }
        Ok(())
    }

    /// The fields for the position of the pixels.
    fn place(&self, plan: &Plan, corner: [i64; 2], rows: u64) -> Vec<Field> {
        let own = plan.region((plan.tiles.x.start, plan.tiles.y.start)).step();
        let step = self.step.unwrap_or(own);
        let east = self.origin[0] + corner[0] as f64 * step;
        let north = self.origin[1] + (corner[1] + rows as i64 - 1) as f64 * step;
        // Revision 1.1.0 of the keys. The model is projected or user-defined. Pixels are points.
        let mut keys: Vec<[u16; 4]> = vec![[1024, 0, 1, if self.crs.is_some() { 1 } else { 32767 }], [1025, 0, 1, 2]];
        keys.extend(self.crs.map(|code| [3072, 0, 1, code]));
        let head = [[1, 1, 0, keys.len() as u16]];
        vec![
            Field { tag: 33550, value: Value::Double(vec![step, step, 0.0]) },
            Field { tag: 33922, value: Value::Double(vec![0.0, 0.0, 0.0, east, north, 0.0]) },
            Field { tag: 34735, value: Value::Short(head.iter().chain(&keys).flatten().copied().collect()) },
        ]
    }
}

/// The tiles of a level in rows, beginning with the north-west corner.
struct Level {
    /// The north-west pixel, and the number of pixels.
    west: i64,
    north: i64,
    size: [u64; 2],
    tiles: [u64; 2],
}

impl Level {
    fn new(samples: &Samples<'_>, level: u32, pixels: u32) -> Self {
        let of = samples.level(level);
        let north = of.first[1] + of.size[1] as i64 - 1;
        Level { west: of.first[0], north, size: of.size, tiles: of.size.map(|edge| edge.div_ceil(u64::from(pixels))) }
    }

    fn count(&self) -> u64 {
        self.tiles[0] * self.tiles[1]
    }

    /// The sample in the south-west corner of a tile.
    fn corner(&self, number: u64, pixels: u32) -> [i64; 2] {
        let (x, y) = (number % self.tiles[0], number / self.tiles[0]);
        let pixels = i64::from(pixels);
        [self.west + x as i64 * pixels, self.north + 1 - (y as i64 + 1) * pixels]
    }
}
