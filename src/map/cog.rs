//! Cloud-optimised GeoTIFF: one file per layer, whose parts can be read over a network without the rest (OGC 21-026, *OGC Cloud Optimized
//! GeoTIFF Standard*; OGC 19-008, *OGC GeoTIFF Standard*).
//!
//! Pixels in tiles, directories at the beginning, overviews smallest first and the whole last. An overview has every 2ᵏth sample from the
//! south-west corner on, which where that corner's index is a multiple of 2ᵏ is the world's level k. The first row is the northernmost. Samples
//! are heights at points (`PixelIsPoint`): a pixel's middle is where its sample lies.

use crate::bake::{BakeError, Baked, Plan, PlanError, Progress, Quantisation, Tiles, as_name};
use crate::draw::srgb;
use crate::map::record::Draft;
use crate::map::samples::Samples;
use crate::map::tiff::{Big, Field, Value, beginning};
use flate2::Compression;
use flate2::write::ZlibEncoder;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{Error, Seek, SeekFrom, Write};

/// Tiles that are compressed at once.
const BATCH: usize = 64;
/// From so many bytes on, offsets have 64 bits.
const CLASSIC: u64 = 1 << 32;

/// A GeoTIFF of the heights, and one of each further layer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cog {
    /// How heights are stored.
    pub numbers: HeightStorage,
    /// Pixels along the edge of an inner tile: a multiple of 16, from 64 to 4096.
    pub pixels: u32,
    /// A projected coordinate reference system by its EPSG code; `None`: coordinates are those of the world and say no place on Earth.
    pub crs: Option<u16>,
    /// Coordinates, east and north, of the world's position (0, 0).
    pub origin: [f64; 2],
    /// Units of the coordinates from sample to sample; `None`: the world's own.
    pub step: Option<f64>,
}

/// How heights are stored.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum HeightStorage {
    /// 32-bit floats: the samples' own bits.
    Float,
    /// 16-bit integers with scale and offset, over this range or, if there is none, that of the samples.
    Integer(Option<[f64; 2]>),
}

/// What a pixel of a file holds.
#[derive(Clone, Copy)]
enum Pixel {
    Float,
    Integer(Quantisation),
    /// Red, green, blue and, of colours, opacity, as 8-bit sRGB; of normals as usual.
    Bytes(usize),
}

/// The file of a layer.
pub(super) fn file(layers: &[&str], k: usize) -> String {
    match k {
        0 => "world.tif".to_owned(),
        k => format!("world.{}.tif", as_name(layers[k])),
    }
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
            // In degrees a sample would be as wide as a country.
            if ["+proj=longlat", "+proj=geocent"].iter().any(|other| found.proj4.contains(other)) {
                return refuse("crs", format!("EPSG:{code}, which is not projected"), projected);
            }
        }
        if let HeightStorage::Integer(Some([lo, hi])) = self.numbers {
            Quantisation::new(lo, hi)?;
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
                    Pixel::Integer(Quantisation::new(lo, hi)?)
                }
                (1, _) => Pixel::Float,
                (channels, _) => Pixel::Bytes(channels),
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
                    pixel.directory(level, self.pixels, &offsets[i], &counts[i], if i == 0 { &coordinates } else { &[] })
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

    /// The fields that say where pixels lie.
    fn place(&self, plan: &Plan, corner: [i64; 2], rows: u64) -> Vec<Field> {
        let own = plan.region((plan.tiles.x.start, plan.tiles.y.start)).step();
        let step = self.step.unwrap_or(own);
        let east = self.origin[0] + corner[0] as f64 * step;
        let north = self.origin[1] + (corner[1] + rows as i64 - 1) as f64 * step;
        // Revision 1.1.0 of the keys; the model is projected, or said by nobody; pixels are points.
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

/// The tiles of a level, row by row from the north-west corner on.
struct Level {
    /// The north-west pixel, and how many there are.
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

    /// The sample in a tile's south-west corner.
    fn corner(&self, number: u64, pixels: u32) -> [i64; 2] {
        let (x, y) = (number % self.tiles[0], number / self.tiles[0]);
        let pixels = i64::from(pixels);
        [self.west + x as i64 * pixels, self.north + 1 - (y as i64 + 1) * pixels]
    }
}

impl Pixel {
    /// Bytes of a pixel.
    fn size(self) -> usize {
        match self {
            Pixel::Float => 4,
            Pixel::Integer(_) => 2,
            Pixel::Bytes(channels) => channels,
        }
    }

    /// A directory; `more` are fields with tags above 340, in order.
    fn directory(self, level: &Level, pixels: u32, offsets: &[u64], counts: &[u32], more: &[Field]) -> Vec<Field> {
        let (samples, bits, format, photometric) = match self {
            Pixel::Float => (1, 32, 3, 1),
            Pixel::Integer(_) => (1, 16, 1, 1),
            Pixel::Bytes(channels) => (channels, 8, 1, 2),
        };
        let short = |tag, value: u16| Field { tag, value: Value::Short(vec![value]) };
        let long = |tag, value: u32| Field { tag, value: Value::Long(vec![value]) };
        let main = !more.is_empty();
        let mut fields = vec![
            // An overview says that it is one.
            long(254, u32::from(!main)),
            long(256, level.size[0] as u32),
            long(257, level.size[1] as u32),
            Field { tag: 258, value: Value::Short(vec![bits; samples]) },
            // Deflate.
            short(259, 8),
            short(262, photometric),
            short(277, samples as u16),
            short(284, 1),
            // Differences: of integers, or of floats' bytes.
            short(317, if matches!(self, Pixel::Float) { 3 } else { 2 }),
            long(322, pixels),
            long(323, pixels),
            Field { tag: 324, value: Value::Offset(offsets.to_vec()) },
            Field { tag: 325, value: Value::Long(counts.to_vec()) },
        ];
        if samples == 4 {
            // Opacity, with which colours are not multiplied.
            fields.push(short(338, 2));
        }
        fields.push(Field { tag: 339, value: Value::Short(vec![format; samples]) });
        fields.extend_from_slice(more);
        fields
    }

    /// GDAL's field for what integers stand for: value = offset + scale · integer.
    fn metadata(self) -> Option<Field> {
        let Pixel::Integer(range) = self else { return None };
        let (lo, hi) = range.range();
        let item = |name: &str, role: &str, value: f64| format!("<Item name=\"{name}\" sample=\"0\" role=\"{role}\">{value}</Item>");
        let items = item("OFFSET", "offset", lo) + &item("SCALE", "scale", (hi - lo) / 65535.0);
        Some(Field { tag: 42112, value: Value::Text(format!("<GDALMetadata>{items}</GDALMetadata>")) })
    }

    /// A tile of samples, the smallest y first, as a TIFF tile, the largest first.
    fn packed(self, values: &[f32], pixels: usize) -> Result<Vec<u8>, Error> {
        let channels = values.len() / (pixels * pixels).max(1);
        let rows = values.chunks_exact(pixels * channels).rev();
        let mut bytes = Vec::with_capacity(pixels * pixels * self.size());
        for row in rows {
            match self {
                Pixel::Float => bytes.extend(float_differences(row)),
                Pixel::Integer(range) => {
                    let mut before = 0_u16;
                    for value in row {
                        let (step, _) = range.step(*value);
                        bytes.extend(step.wrapping_sub(before).to_le_bytes());
                        before = step;
                    }
                }
                Pixel::Bytes(channels) => {
                    let unit = |x: f32| (x.clamp(0.0, 1.0) * 255.0 + 0.5) as u8;
                    let mut before = [0_u8; 4];
                    for pixel in row.chunks_exact(channels) {
                        for (k, &x) in pixel.iter().enumerate() {
                            let byte = match (channels, k) {
                                (4, 3) => unit(x),
                                (4, _) => unit(srgb(x.clamp(0.0, 1.0))),
                                _ => unit(0.5 * x + 0.5),
                            };
                            bytes.push(byte.wrapping_sub(before[k]));
                            before[k] = byte;
                        }
                    }
                }
            }
        }
        let mut out = ZlibEncoder::new(Vec::new(), Compression::default());
        out.write_all(&bytes)?;
        out.finish()
    }
}

/// Adobe's predictor for floats (*TIFF Technical Note 3*): a row's most significant bytes first, then the next, each less the one before it.
fn float_differences(row: &[f32]) -> impl Iterator<Item = u8> + use<'_> {
    let bytes = (0..4).flat_map(move |plane| row.iter().map(move |x| x.to_be_bytes()[plane]));
    bytes.scan(0_u8, |before, byte| {
        let difference = byte.wrapping_sub(*before);
        *before = byte;
        Some(difference)
    })
}
