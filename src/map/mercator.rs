//! Where a world lies on the maps of the web: square tiles over the sphere in Mercator's projection (EPSG:3857), numbered as in XYZ, y
//! from the north.
//!
//! The world's position (0, 0) is 0° east and 0° north, x grows to the east and y to the north. A sample is a pixel, so that the samples are
//! the bake's own; it covers what lies to the north-east of its position. Pixels of a zoom have a size of their own at the equator, so a world
//! appears [`stretch`](Mercator::stretch) times as large as it is.

use crate::bake::{BakeError, Plan, PlanError};
use std::ops::Range;

/// Around the equator, 2π · 6378137 m.
const AROUND: f64 = 40_075_016.685_578_49;
/// The deepest zoom.
pub(super) const DEEPEST: u32 = 24;

/// Zooms at which the world is smaller than a tile: viewers take a landscape's heights from a coarser zoom than the one that is looked at.
const SMALL: u32 = 2;

/// How the samples of a bake are pixels of a map.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Mercator {
    /// Pixels along the edge of a tile.
    pub pixels: u32,
    /// The zoom whose pixels are the bake's samples.
    pub deepest: u32,
    /// The first zoom at which the whole world is a quarter of a tile wide or less.
    pub shallowest: u32,
    /// How much larger the world appears than it is.
    pub stretch: f64,
    /// Corner samples of the bake, half open.
    ends: [[i64; 2]; 2],
}

impl Mercator {
    /// Of the samples of a plan; the zoom is the one whose pixels at the equator are nearest to the samples' distance, unless given.
    ///
    /// # Errors
    /// A world that does not lie on the map.
    pub fn new(plan: &Plan, pixels: u32, zoom: Option<u32>) -> Result<Self, BakeError> {
        let step = plan.region((plan.tiles.x.start, plan.tiles.y.start)).step();
        let tile = i64::from(plan.tile);
        let ends = [&plan.tiles.x, &plan.tiles.y].map(|range| [range.start.saturating_mul(tile), range.end.saturating_mul(tile)]);
        let farthest = ends.iter().flatten().map(|end| end.unsigned_abs()).max().unwrap_or(0);
        let near = (AROUND / (f64::from(pixels) * step)).log2().round().clamp(0.0, f64::from(DEEPEST)) as u32;
        let deepest = zoom.unwrap_or(near);
        let half = |zoom: u32| u64::from(pixels) << zoom >> 1;
        if deepest > DEEPEST || half(deepest) < farthest {
            let least = (0..=DEEPEST).find(|&zoom| half(zoom) >= farthest);
            let (value, allowed) = match least {
                Some(least) => (deepest.to_string(), format!("{least} to {DEEPEST}, where the world lies on the map")),
                None => (format!("any, for tiles {}", plan.tiles), "a smaller world, or one nearer to 0, 0".to_owned()),
            };
            return Err(PlanError::Map { what: "zoom", value, allowed }.into());
        }
        let longest = ends.iter().map(|[start, end]| (end - start) as u64).max().unwrap_or(1);
        let fits = (longest as f64 / f64::from(pixels)).log2().ceil().max(0.0) as u32 + SMALL;
        let mut map = Mercator {
            pixels,
            deepest,
            shallowest: deepest.saturating_sub(fits),
            stretch: AROUND / (f64::from(pixels) * f64::from(1_u32 << deepest) * step),
            ends,
        };
        // A narrow world far from 0 may have no sample of a coarse level.
        while map.shallowest < deepest && map.samples(map.shallowest).iter().any(Range::is_empty) {
            map.shallowest += 1;
        }
        Ok(map)
    }

    /// Levels of detail above the bake's own that a zoom is.
    pub fn level(&self, zoom: u32) -> u32 {
        self.deepest - zoom
    }

    /// Numbers of the samples of a zoom's level, along x and y.
    pub fn samples(&self, zoom: u32) -> [Range<i64>; 2] {
        let level = self.level(zoom);
        let after = |index: i64| (index + (1 << level) - 1) >> level;
        self.ends.map(|[start, end]| after(start)..after(end))
    }

    /// Pixels from the map's edge to its middle.
    fn half(&self, zoom: u32) -> i64 {
        i64::from(self.pixels) << zoom >> 1
    }

    /// Numbers of a zoom's tiles that hold samples, x and y.
    pub fn tiles(&self, zoom: u32) -> [Range<i64>; 2] {
        let [x, y] = self.samples(zoom);
        let (half, pixels) = (self.half(zoom), i64::from(self.pixels));
        let of = |first: i64, last: i64| first.div_euclid(pixels)..last.div_euclid(pixels) + 1;
        [of(half + x.start, half + x.end - 1), of(half - y.end, half - 1 - y.start)]
    }

    /// The number of the sample in a tile's south-west corner.
    pub fn corner(&self, zoom: u32, x: i64, y: i64) -> [i64; 2] {
        let (half, pixels) = (self.half(zoom), i64::from(self.pixels));
        [x * pixels - half, half - (y + 1) * pixels]
    }

    /// West, south, east, north, in degrees.
    pub fn bounds(&self) -> [f64; 4] {
        let half = self.half(self.deepest) as f64;
        let share = |index: i64| index as f64 / half;
        let east = |index: i64| 180.0 * share(index);
        let north = |index: i64| (std::f64::consts::PI * share(index)).sinh().atan().to_degrees();
        let [[west, right], [south, top]] = self.ends;
        [east(west), north(south), east(right), north(top)]
    }
}
