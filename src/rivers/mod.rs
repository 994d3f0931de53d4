//! Rivers, lakes and basins as lines and outlines, from a stage `drainage`.
//!
//! [`Engine::rivers`] follows the water of a whole world. The lines do not depend on tiles, memory, threads or device, since
//! the [drainage](crate::stage::Drainage) that they follow does not.
//!
//! | file | contents |
//! |---|---|
//! | `mod` | the types of the result, and `Engine::rivers` |
//! | `segments` | samples that carry a river become lines between springs, confluences and mouths |
//! | `lakes` | samples under water become lakes |
//! | `outline` | sides of samples become polygons |
//! | `survey` | collects the squares of a world, and converts the result to world units |
//! | `write` | GeoJSON and SVG |

mod lakes;
mod outline;
mod segments;
mod survey;
mod write;

use crate::engine::Engine;
use crate::error::LayersError;
use crate::not_allowed::NotAllowed;
use crate::region::Region;
use crate::stage::{Pipeline, Stage};
use survey::Survey;

/// Squares that are computed at a time.
const AT_ONCE: u32 = 8;

/// The smallest rivers, lakes and basins that are returned, and the shape of lines.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RiverOptions {
    /// The smallest drainage area of a river, in world units². Smaller streams have no line.
    pub area: f64,
    /// The smallest area of a basin with an outline, in world units². Infinity: no basins.
    pub basin: f64,
    /// The smallest area of a lake with an outline, in world units². Infinity: no lakes.
    pub lake: f64,
    /// The width of a river divided by the square root of its drainage area. Widths grow with the square root of the discharge
    /// (Leopold and Maddock 1953). A river that is 5 m wide at 1 m³/s, with a runoff of 300 mm a year, has 0.0005.
    pub width: f64,
    /// Rounds of smoothing, 0 to 64. Each replaces a point of a line by the mean of itself and its neighbours, weighted 1 : 2 :
    /// 1. Ends stay. Without smoothing, points are the centres of samples.
    pub smoothing: u32,
}

impl RiverOptions {
    /// Rivers and basins from an area on, in world units², lakes from a hundredth of it on, widths of 0.001, four rounds of
    /// smoothing.
    pub fn new(area: f64) -> Self {
        RiverOptions { area, basin: area, lake: area / 100.0, width: 0.001, smoothing: 4 }
    }

    /// Checks every number.
    ///
    /// # Errors
    /// Returns an error that names the first number outside its range.
    pub fn check(&self) -> Result<(), NotAllowed> {
        let least = |what, value: f64| {
            let allowed = value >= 0.0;
            if allowed { Ok(()) } else { Err(NotAllowed::new(what, value, "0 or more, in world units²")) }
        };
        if !(self.area > 0.0 && self.area.is_finite()) {
            return Err(NotAllowed::new("area", self.area, "above 0, in world units²"));
        }
        least("basin", self.basin)?;
        least("lake", self.lake)?;
        if !(0.0..=1e6).contains(&self.width) {
            return Err(NotAllowed::new("width", self.width, "0 to 1000000"));
        }
        if self.smoothing > 64 {
            return Err(NotAllowed::new("smoothing", self.smoothing, "0 to 64 rounds"));
        }
        Ok(())
    }
}

/// The rivers, lakes and basins of a world. Positions are in world units.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rivers {
    /// In the order of their numbers.
    pub segments: Vec<RiverSegment>,
    /// In the order of their numbers.
    pub lakes: Vec<Lake>,
    /// In the order of their numbers.
    pub basins: Vec<Basin>,
    /// The corner of the world with the smallest x and y: half a step before its first sample.
    pub low: [f64; 2],
    /// The opposite corner.
    pub high: [f64; 2],
}

/// A part of a river without a confluence: from its spring or a confluence to the next confluence or its mouth. The spring is the
/// first sample whose drainage area reaches that of the options.
#[derive(Clone, Debug, PartialEq)]
pub struct RiverSegment {
    /// The index of its first sample in the rows of the world.
    pub id: u64,
    /// The segment that it flows into; `None` at a mouth.
    pub into: Option<u64>,
    /// The river that it is part of: the number of that river's last segment. At a confluence, the segment with the largest
    /// area continues the river.
    pub river: u64,
    /// Strahler order, 1 or more: that of the whole network of samples, not of the segments alone.
    pub order: u8,
    /// The area that drains through its last sample before the confluence or mouth, in world units².
    pub area: f64,
    /// The width there, in world units.
    pub width: f64,
    /// Along the water: x, y, and the level of the water, which never rises. The last point is the first of `into`.
    pub points: Vec<[f64; 3]>,
}

/// A lake: samples under water that touch each other, also across corners. All have the same level.
#[derive(Clone, Debug, PartialEq)]
pub struct Lake {
    /// The index of its first sample in the rows of the world.
    pub id: u64,
    /// The level of its water, in units of height.
    pub level: f64,
    /// The largest depth, in units of height.
    pub depth: f64,
    /// Its area in world units².
    pub area: f64,
    /// Its outline, along the sides of samples.
    pub polygons: Vec<Polygon>,
}

/// All samples whose water leaves the world by the same outlet.
#[derive(Clone, Debug, PartialEq)]
pub struct Basin {
    /// The index of its outlet in the rows of the world.
    pub id: u64,
    /// The position of its outlet.
    pub outlet: [f64; 2],
    /// Its area in world units².
    pub area: f64,
    /// Its outline, along the sides of samples. Neighbouring basins share their borders.
    pub polygons: Vec<Polygon>,
}

/// An area with a closed border: the last point of each ring is its first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Polygon {
    /// The border, counterclockwise if y points up.
    pub outer: Vec<[f64; 2]>,
    /// The borders of holes, clockwise.
    pub holes: Vec<Vec<[f64; 2]>>,
}

/// Why rivers cannot be found.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RiversError {
    /// A number or name is not allowed.
    #[error(transparent)]
    NotAllowed(#[from] NotAllowed),
    /// The water cannot be traced.
    #[error(transparent)]
    Layers(#[from] LayersError),
}

impl Engine {
    /// The rivers, lakes and basins of a world, from a stage `drainage` of a pipeline. If the pipeline is
    /// [measured](Self::measure), its own world is used, else `world`.
    ///
    /// Cost: that of a layer of the stage over the whole world. Memory: about 100 bytes per sample of a river, and 24 bytes per
    /// side of an outline.
    ///
    /// ```
    /// use orogen::rivers::RiverOptions;
    /// use orogen::stage::{Drainage, Pipeline};
    /// use orogen::{Engine, Noise, Region};
    /// let hills = Noise::simplex(Default::default()).fractal(Default::default());
    /// let water = Pipeline::from(&hills).named("water", Drainage::default());
    /// let found = Engine::new()?.rivers(&water, "water", &Region::plane(256, 256), &RiverOptions::new(400.0))?;
    /// let longest = found.segments.iter().max_by_key(|segment| segment.points.len()).expect("rivers");
    /// assert!(longest.points.windows(2).all(|pair| pair[1][2] <= pair[0][2]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A number of the options outside its range; a name that is not a stage `drainage`; the errors of
    /// [`layers`](Self::layers).
    pub fn rivers(&self, pipeline: &Pipeline, stage: &str, world: &Region, options: &RiverOptions) -> Result<Rivers, RiversError> {
        options.check()?;
        if !matches!(pipeline.stage.get(stage), Some(Stage::Drainage(_))) {
            return Err(NotAllowed::new("stage", stage, "the name of a stage with kind = \"drainage\"").into());
        }
        let measured = self.measured(pipeline, &[stage], &[*world])?;
        let nothing = || LayersError::Nothing { stage: stage.to_owned() };
        let drained = measured.prepared.drained.get(stage).ok_or_else(nothing)?;
        let mut survey = Survey::new(&drained.world, options);
        let count = drained.world.grid.count();
        for first in (0..count).step_by(AT_ONCE as usize) {
            self.go_on().map_err(LayersError::from)?;
            let numbers: Vec<u32> = (first..first.saturating_add(AT_ONCE).min(count)).collect();
            for (number, planes) in numbers.iter().zip(self.squares_of(drained, &numbers)?) {
                survey.add(&drained.world.grid.square(*number), &planes);
            }
        }
        Ok(survey.finish())
    }
}

#[cfg(test)]
mod tests;
