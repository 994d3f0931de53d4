//! The picture of a whole bake, from its tiles as they are written: each pixel shows the mean of its samples.

use crate::bake::layout::turn;
use crate::bake::manifest::TileRecord;
use crate::bake::names::OVERVIEW;
use crate::bake::place::BakeFolder;
use crate::bake::product::Product;
use crate::bake::{BakeError, Layout, Plan};
use crate::codec::{Quantisation, Shape};
use crate::draw::{Style, draw_layer};
use crate::field::Layer;
use crate::region::Region;
use std::io::Error;

/// Samples along each edge of a pixel, so that the picture costs little compared with the tiles. The longer side has at least
/// `FEW` and at most `MANY` pixels.
const SAMPLES: u64 = 4;
const FEW: u64 = 256;
const MANY: u64 = 1024;

/// Draws the whole world of a bake, shaded, from the samples in its tiles. Tiles of this run are used as they were written; others
/// are read from their files.
///
/// # Errors
/// Returns an error if a tile's file cannot be read, or the picture cannot be encoded.
pub(super) fn overview<'a>(
    place: &BakeFolder,
    first: &Product,
    layout: Layout,
    pixels: Pixels,
    gathered: Gathered,
    tiles: impl Iterator<Item = &'a TileRecord>,
) -> Result<Vec<u8>, BakeError> {
    let range = first.quantisation()?;
    let mut sketch = Sketch { first: first.clone(), layout, range, pixels, gathered };
    for tile in tiles {
        let at = (tile.x, tile.y);
        if let Some(file) = tile.files.first().filter(|_| sketch.gathered.lacks(at)) {
            let part = sketch.part(at, &place.read(&file.is.file)?).map_err(|error| place.failed(&file.is.file, error))?;
            sketch.add(at, &part);
        }
    }
    sketch.png().map_err(|error| place.failed(OVERVIEW, error))
}

/// An overview in progress, from tiles' files.
pub(super) struct Sketch {
    first: Product,
    layout: Layout,
    range: Option<Quantisation>,
    pixels: Pixels,
    gathered: Gathered,
}

impl Sketch {
    pub fn new(plan: &Plan, channels: usize, first: Product, layout: Layout, range: Option<Quantisation>) -> Self {
        let pixels = Pixels::new(plan, channels);
        Sketch { first, layout, range, gathered: Gathered::new(pixels.clone()), pixels }
    }

    /// The sums of a tile, from its file.
    pub fn part(&self, at: (i64, i64), bytes: &[u8]) -> Result<TileSums, Error> {
        let size = self.pixels.plan.region(at).size;
        let Sketch { first, layout, range, pixels: Pixels { channels, .. }, .. } = self;
        let mut values = first.format.decode(bytes, Shape { size: [size[0], size[1]], channels: *channels }, *range)?;
        if layout.turns(first.format) {
            values = turn(&values, size[0] as usize * channels);
        }
        Ok(self.pixels.part(at, &values))
    }

    pub fn add(&mut self, at: (i64, i64), part: &TileSums) {
        self.gathered.add(at, part);
    }

    pub fn png(&self) -> Result<Vec<u8>, Error> {
        let picture = draw_layer(&self.gathered.layer(&self.first.layer), &Style::default()).map_err(Error::other)?;
        picture.to_png_fast()
    }
}

/// The mapping from samples to pixels.
#[derive(Clone, Debug)]
pub(super) struct Pixels {
    plan: Plan,
    channels: usize,
    /// Pixels along x and y, and samples along each axis.
    size: [u64; 2],
    count: [u64; 2],
}

/// Sums of samples, pixel by pixel.
#[derive(Clone, Debug)]
pub(super) struct Gathered {
    pixels: Pixels,
    /// The sum of every channel of every pixel. The summands are f32, so the sums are exact in any order of tiles.
    sums: Vec<f64>,
    /// The tiles that are included.
    added: Vec<bool>,
}

/// The part of the sums that comes from one tile.
pub(super) struct TileSums {
    /// Its first pixel, and the number of pixels along x and y.
    first: [u64; 2],
    size: [u64; 2],
    sums: Vec<f64>,
}

impl Pixels {
    pub fn new(plan: &Plan, channels: usize) -> Self {
        let tiles = [plan.tiles.x.end.abs_diff(plan.tiles.x.start), plan.tiles.y.end.abs_diff(plan.tiles.y.start)];
        let count = tiles.map(|tiles| tiles * u64::from(plan.tile));
        let longest = count[0].max(count[1]).max(1);
        let pixels = (longest / SAMPLES).clamp(FEW, MANY).min(longest);
        let size = count.map(|count| (u128::from(count) * u128::from(pixels)).div_ceil(u128::from(longest)) as u64);
        Pixels { plan: plan.clone(), channels, size, count }
    }

    /// The pixel that contains a sample.
    fn pixel(&self, axis: usize, sample: u64) -> u64 {
        (u128::from(sample) * u128::from(self.size[axis]) / u128::from(self.count[axis])) as u64
    }

    /// The number of tiles before one, along x and y.
    fn before(&self, (x, y): (i64, i64)) -> [u64; 2] {
        [x.abs_diff(self.plan.tiles.x.start), y.abs_diff(self.plan.tiles.y.start)]
    }

    /// The sums of a tile's samples. Samples that it shares with a following neighbour count for the neighbour.
    pub fn part(&self, tile: (i64, i64), values: &[f32]) -> TileSums {
        let own = u64::from(self.plan.tile);
        let start = self.before(tile).map(|tiles| tiles * own);
        let first = [0, 1].map(|a| self.pixel(a, start[a]));
        let size = [0, 1].map(|a| self.pixel(a, start[a] + own - 1) + 1 - first[a]);
        let columns: Vec<usize> = (0..own).map(|x| (self.pixel(0, start[0] + x) - first[0]) as usize * self.channels).collect();
        let mut sums = vec![0.0; (size[0] * size[1]) as usize * self.channels];
        let width = (self.plan.tile + self.plan.overlap) as usize * self.channels;
        for (y, row) in (start[1]..start[1] + own).zip(values.chunks_exact(width)) {
            let line = (self.pixel(1, y) - first[1]) as usize * size[0] as usize * self.channels;
            for (&column, sample) in columns.iter().zip(row.chunks_exact(self.channels)) {
                for (sum, &x) in sums[line + column..].iter_mut().zip(sample) {
                    *sum += f64::from(x);
                }
            }
        }
        TileSums { first, size, sums }
    }
}

impl Gathered {
    pub fn new(pixels: Pixels) -> Self {
        let sums = vec![0.0; (pixels.size[0] * pixels.size[1]) as usize * pixels.channels];
        let added = vec![false; pixels.plan.count() as usize];
        Gathered { pixels, sums, added }
    }

    fn number(&self, tile: (i64, i64)) -> usize {
        let [x, y] = self.pixels.before(tile);
        (y * self.pixels.before((self.pixels.plan.tiles.x.end, tile.1))[0] + x) as usize
    }

    fn lacks(&self, tile: (i64, i64)) -> bool {
        !self.added[self.number(tile)]
    }

    pub fn add(&mut self, tile: (i64, i64), part: &TileSums) {
        let number = self.number(tile);
        self.added[number] = true;
        let Pixels { channels, size, .. } = self.pixels;
        let width = part.size[0] as usize * channels;
        for (y, row) in (part.first[1]..).zip(part.sums.chunks_exact(width)) {
            let at = (y * size[0] + part.first[0]) as usize * channels;
            self.sums[at..at + width].iter_mut().zip(row).for_each(|(sum, x)| *sum += x);
        }
    }

    /// The means.
    fn layer(&self, name: &str) -> Layer {
        let Pixels { ref plan, channels, size, count } = self.pixels;
        // Samples in each pixel of a row, and in each row of pixels.
        let samples = |axis: usize| -> Vec<u64> {
            let from = |pixel: u64| (u128::from(pixel) * u128::from(count[axis])).div_ceil(u128::from(size[axis])) as u64;
            (0..size[axis]).map(|pixel| from(pixel + 1) - from(pixel)).collect()
        };
        let (columns, rows) = (samples(0), samples(1));
        let counts = rows.iter().flat_map(|row| columns.iter().map(move |column| (row * column) as f64));
        let means = self.sums.chunks_exact(channels).zip(counts);
        let values = means.flat_map(|(sums, count)| sums.iter().map(move |sum| (sum / count) as f32)).collect();
        let corner = plan.region((plan.tiles.x.start, plan.tiles.y.start));
        let spacing = corner.step() * count[0] as f64 / size[0] as f64;
        let size = [size[0] as u32, size[1] as u32, 1];
        let region = Region { origin: [0; 3], size, level: 0, spacing, anchor: corner.position([0; 3]) };
        Layer { name: name.to_owned(), region, channels, values }
    }
}
