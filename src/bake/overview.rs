//! The picture of a whole bake.

use crate::bake::{BakeError, Plan, Report, write_whole};
use crate::draw::{Style, draw_layer, shade};
use crate::engine::Engine;
use crate::field::Layer;
use crate::region::Region;
use crate::stage::Pipeline;
use std::path::Path;

/// Longer side of the overview picture, in pixels, and samples along each edge of one.
const OVERVIEW: u32 = 1024;
const SUPERSAMPLE: u32 = 2;

/// Draws the whole world of a plan, shaded, into `overview.png`: a noise anew, with samples in between; what stages made as it was
/// baked. Leaves the picture alone where the bake had nothing left to do.
///
/// # Errors
/// The noise cannot be evaluated, or the file cannot be written.
pub fn overview(engine: &Engine, pipeline: &Pipeline, plan: &Plan, report: &Report, directory: &Path) -> Result<(), BakeError> {
    let layer = &report.manifest.setting.layer;
    let picture = match &report.gathered {
        Some(gathered) => draw_layer(gathered, &Style::default())?,
        None if pipeline.node.contains_key(layer) => {
            shade(&engine.field_with_gradient(&pipeline.noise(layer), &plan.overview(OVERVIEW, SUPERSAMPLE))?, SUPERSAMPLE)?
        }
        None => return Ok(()),
    };
    let path = directory.join("overview.png");
    let png = picture.to_png().map_err(|error| BakeError::file(&path, error))?;
    write_whole(&path, &png)
}

/// The samples that an overview shows, as the blocks of a bake bring them: those nearest to the middles of its pixels.
pub(super) struct Gathered {
    layer: Layer,
    /// First sample and number of samples along x and y of all tiles.
    first: [i64; 2],
    count: [u64; 2],
}

impl Gathered {
    pub fn new(plan: &Plan, name: &str) -> Self {
        let corner = plan.region((plan.tiles.x.start, plan.tiles.y.start));
        let tiles = [plan.tiles.x.end.abs_diff(plan.tiles.x.start), plan.tiles.y.end.abs_diff(plan.tiles.y.start)];
        let count = tiles.map(|tiles| tiles * u64::from(plan.tile));
        let longest = count[0].max(count[1]).max(u64::from(OVERVIEW));
        let pixels = |count: u64| ((count * u64::from(OVERVIEW)).div_ceil(longest)).max(1) as u32;
        let size = [pixels(count[0]), pixels(count[1]), 1];
        let spacing = corner.step() * count[0] as f64 / f64::from(size[0]);
        let region = Region { origin: [0; 3], size, level: 0, spacing, anchor: corner.position([0; 3]) };
        let first = [corner.origin[0], corner.origin[1]];
        Gathered { layer: Layer { name: name.to_owned(), region, channels: 1, values: Vec::new() }, first, count }
    }

    /// The sample that a pixel shows.
    fn sample(&self, axis: usize, pixel: u32) -> i64 {
        let pixels = u64::from(self.layer.region.size[axis]);
        self.first[axis] + ((2 * u64::from(pixel) + 1) * self.count[axis] / (2 * pixels)) as i64
    }

    pub fn add(&mut self, part: &Layer) {
        if self.layer.values.is_empty() {
            self.layer.channels = part.channels;
            self.layer.values = vec![0.0; self.layer.region.samples() as usize * part.channels];
        }
        let inside = |axis: usize| -> Vec<(u32, usize)> {
            let range = part.region.origin[axis]..part.region.origin[axis] + i64::from(part.region.size[axis]);
            let found = (0..self.layer.region.size[axis]).map(|pixel| (pixel, self.sample(axis, pixel)));
            found.filter(|(_, sample)| range.contains(sample)).map(|(pixel, sample)| (pixel, (sample - range.start) as usize)).collect()
        };
        let (columns, rows) = (inside(0), inside(1));
        let widths = [self.layer.region.size[0], part.region.size[0]].map(|width| width as usize);
        for (y, from_y) in rows {
            for &(x, from_x) in &columns {
                let to = (y as usize * widths[0] + x as usize) * part.channels;
                let from = (from_y * widths[1] + from_x) * part.channels;
                self.layer.values[to..to + part.channels].copy_from_slice(&part.values[from..from + part.channels]);
            }
        }
    }

    pub fn done(self) -> Layer {
        self.layer
    }
}
