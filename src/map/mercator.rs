//! The position of a world on the maps of the web: square tiles over the sphere in Mercator's projection (EPSG:3857). Tiles are
//! numbered as in XYZ, y from the north.
//!
//! The world's position (0, 0) is 0° east and 0° north, or near another origin. x grows to the east and y to the north. A sample is
//! a pixel, which covers the area to the north-east of its position, so the map has the exact samples of the bake. Pixels of a zoom
//! have a fixed size on the ground, so the world appears [`stretch`](Mercator::stretch) times as large as it is.

use crate::bake::{BakeError, Plan, PlanError};
use std::ops::Range;

/// Circumference at the equator, 2π · 6378137 m.
const AROUND: f64 = 40_075_016.685_578_49;
/// The largest latitude in degrees. It makes the map a square, as on all maps of the web.
const POLEWARD: f64 = 85.051_128_779_806_59;
/// The deepest zoom.
pub(super) const DEEPEST: u32 = 24;

/// Zooms at which the world is smaller than a tile. Viewers take heights from a coarser zoom than the one on screen.
const SMALL: u32 = 2;

/// The mapping of a bake's samples to pixels of a map.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Mercator {
    /// Pixels along the edge of a tile.
    pub pixels: u32,
    /// The zoom whose pixels are the bake's samples.
    pub deepest: u32,
    /// The first zoom at which the whole world is a quarter of a tile wide or less.
    pub shallowest: u32,
    /// The scale of the world on the map at its origin, as a multiple of its true size.
    pub stretch: f64,
    /// Corner samples of the bake, half open.
    ends: [[i64; 2]; 2],
    /// Offset of the world's origin from 0°, 0° in pixels of the deepest zoom. It is a whole number of pixels at every zoom, so that
    /// pixels are samples.
    shift: [i64; 2],
}

impl Mercator {
    /// The mapping of a plan whose position (0, 0) is near `origin`, in degrees east and north. The default zoom has the pixel size
    /// closest to the spacing of the samples.
    ///
    /// # Errors
    /// Returns an error if the world exceeds the map.
    pub fn new(plan: &Plan, pixels: u32, zoom: Option<u32>, origin: [f64; 2]) -> Result<Self, BakeError> {
        let refused = |what, value, allowed| Err(PlanError::map(what, value, allowed).into());
        let [longitude, latitude] = origin;
        if !(longitude.abs() <= 180.0 && latitude.abs() <= POLEWARD) {
            let allowed = "degrees east from -180 to 180, and north from -85.05 to 85.05".to_owned();
            return refused("origin", format!("{longitude},{latitude}"), allowed);
        }
        let step = plan.region((plan.tiles.x.start, plan.tiles.y.start)).step();
        let tile = i64::from(plan.tile);
        let ends = [&plan.tiles.x, &plan.tiles.y].map(|range| [range.start.saturating_mul(tile), range.end.saturating_mul(tile)]);
        let ground = AROUND * libm::cos(latitude.to_radians()) / (f64::from(pixels) * step);
        let on_the_map = |deepest: u32| {
            let mut map =
                Mercator { pixels, deepest, shallowest: deepest, stretch: ground / f64::from(1_u32 << deepest), ends, shift: [0; 2] };
            let half = map.half(deepest);
            // This prevents overflow below.
            if ends.iter().flatten().any(|end| end.unsigned_abs() > 2 * half.unsigned_abs()) {
                return None;
            }
            let longest = ends.iter().map(|[start, end]| end - start).max().unwrap_or(1);
            let fits = libm::log2(longest as f64 / f64::from(pixels)).ceil().max(0.0) as u32 + SMALL;
            map.shallowest = deepest.saturating_sub(fits);
            // A narrow world far from 0 may lack samples of a coarse level.
            while map.shallowest < deepest && map.samples(map.shallowest).iter().any(Range::is_empty) {
                map.shallowest += 1;
            }
            let pixel = 1_i64 << map.level(map.shallowest);
            let halves = [longitude / 180.0, libm::asinh(libm::tan(latitude.to_radians())) / std::f64::consts::PI];
            map.shift = halves.map(|share| (share * half as f64 / pixel as f64).round() as i64 * pixel);
            let inside = |(end, shift): (i64, i64)| (end + shift).abs() <= half;
            ends.iter().zip(map.shift).flat_map(|(ends, shift)| ends.map(|end| (end, shift))).all(inside).then_some(map)
        };
        let deepest = zoom.unwrap_or_else(|| libm::log2(ground).round().clamp(0.0, f64::from(DEEPEST)) as u32);
        if let Some(map) = Some(deepest).filter(|&deepest| deepest <= DEEPEST).and_then(on_the_map) {
            return Ok(map);
        }
        match (0..=DEEPEST).find(|&zoom| on_the_map(zoom).is_some()) {
            Some(least) => refused("zoom", deepest.to_string(), format!("{least} to {DEEPEST}, where the world lies on the map")),
            None => refused("zoom", format!("any, for tiles {}", plan.tiles), "a smaller world, or one nearer to 0, 0".to_owned()),
        }
    }

    /// Degrees east and north of the world's position (0, 0).
    pub fn origin(&self) -> [f64; 2] {
        [self.east(self.shift[0]), self.north(self.shift[1])]
    }

    /// The level of detail of a zoom, counted from that of the bake.
    pub fn level(&self, zoom: u32) -> u32 {
        self.deepest - zoom
    }

    /// Indices of the samples of a zoom's level, along x and y.
    pub fn samples(&self, zoom: u32) -> [Range<i64>; 2] {
        let level = self.level(zoom);
        let after = |index: i64| (index + (1 << level) - 1) >> level;
        self.ends.map(|[start, end]| after(start)..after(end))
    }

    /// Pixels from the edge of the map to its middle.
    fn half(&self, zoom: u32) -> i64 {
        i64::from(self.pixels) << zoom >> 1
    }

    /// Offset of the world's origin from 0°, 0° in pixels of a zoom.
    fn shifted(&self, zoom: u32) -> [i64; 2] {
        self.shift.map(|shift| shift >> self.level(zoom))
    }

    /// Indices x and y of the tiles of a zoom that contain samples.
    pub fn tiles(&self, zoom: u32) -> [Range<i64>; 2] {
        let ([x, y], [east, north]) = (self.samples(zoom), self.shifted(zoom));
        let (half, pixels) = (self.half(zoom), i64::from(self.pixels));
        let of = |first: i64, last: i64| first.div_euclid(pixels)..last.div_euclid(pixels) + 1;
        [of(half + east + x.start, half + east + x.end - 1), of(half - north - y.end, half - north - 1 - y.start)]
    }

    /// Index of the sample in the south-west corner of a tile.
    pub fn corner(&self, zoom: u32, x: i64, y: i64) -> [i64; 2] {
        let (half, pixels, [east, north]) = (self.half(zoom), i64::from(self.pixels), self.shifted(zoom));
        [x * pixels - half - east, half - (y + 1) * pixels - north]
    }

    /// Degrees east of a pixel of the deepest zoom, counted from 0°.
    fn east(&self, pixel: i64) -> f64 {
        180.0 * (pixel as f64 / self.half(self.deepest) as f64)
    }

    /// Degrees north of a pixel of the deepest zoom, counted from 0°.
    fn north(&self, pixel: i64) -> f64 {
        libm::atan(libm::sinh(std::f64::consts::PI * (pixel as f64 / self.half(self.deepest) as f64))).to_degrees()
    }

    /// West, south, east, north, in degrees.
    pub fn bounds(&self) -> [f64; 4] {
        let [[west, right], [south, top]] = self.ends;
        let [x, y] = self.shift;
        [self.east(west + x), self.north(south + y), self.east(right + x), self.north(top + y)]
    }
}
