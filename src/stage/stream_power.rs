//! Mountains that rivers carve while uplift raises them.

use crate::graph::Noise;
use crate::graph::node::Raster;
use crate::interval::Interval;
use crate::landscape::{Ground, Landscape, Laws};
use crate::params::{Input, OutputInfo, row};
use crate::program::{Outside, Sampling, Seed};
use crate::raster::Heights;
use crate::region::Region;
use crate::stage::StageError;
use crate::stage::kind::StageKind;
use crate::stage::lower::{Outputs, ScheduleError, ScheduleLowering};

row! {
    /// Mountains and valleys in which rivers remove as much ground as uplift adds, by the stream power law. Valleys
    /// branch at every size. There are no pits: the water of every cell reaches an outlet downhill.
    ///
    /// The landscape has a grid of its own, `columns` × `rows` cells from `position` on. Its edge, and cells without uplift, are
    /// outlets. The CPU computes it once before the first sample, in about 0.7 µs per cell, and keeps it. The bits are the same for
    /// all devices, tiles and levels. Samples on cells have their values, and samples between cells are interpolated. Beyond the
    /// edge, the nearest cell continues.
    ///
    /// A further output is `area`: the area in square world units that drains through a cell.
    ///
    /// A river's slope is `uplift / (erodibility · area^concavity)`, but not above `slope` (Steer 2021; Tzathas et al. 2024).
    /// Doubling `uplift` or halving `erodibility` doubles heights, as far as slopes are below the limit. The defaults suit metres
    /// and millions of years.
    StreamPower -> &[OutputInfo::main(1), OutputInfo::further("area")], {
        /// Uplift, in world units per time. Cells where it is 0 or below are outlets.
        uplift: Input;
        /// Removal by rivers at an area of 1 and a slope of 1, in world units per time. Slopes are at their limit in cells where it is 0
        /// or below.
        erodibility: Input = Input::Value(2.0);
        /// Heights of outlets, from −1e9 to 1e9. In the sea, heights above `sea` count as `sea`. On land at the edge, heights below it do.
        base: Input = Input::Value(0.0);
        /// The height of the sea, where rivers end.
        sea: f64 = 0.0, [-1000000000 to 1000000000], Value;
        /// The exponent of the area: the larger it is, the flatter large rivers are.
        concavity: f64 = 0.45, [0 to 1], Unitless;
        /// The largest slope, as height per distance. Ground that rivers do not reach has this slope.
        slope: f64 = 0.8, [0.001 to 1000], Unitless;
        /// Distance over which crests are rounded, in world units; at most 4 cells.
        crest: f64 = 0.0, [0 to 1000000000], World;
        /// Displacement of rivers by chance, in cells. 0 leaves rivers in the eight directions of the grid.
        meander: f64 = 1.0, [0 to 4], Unitless;
        /// World x and y of the first cell.
        position: [f64; 2] = [0.0; 2], [POSITION], World;
        /// World units between cells.
        spacing: f64 = 10.0, [0.000001 to 3000], World;
        /// Cells along x.
        columns: u32 = 1024, [2 to 8192], Unitless;
        /// Cells along y.
        rows: u32 = 1024, [2 to 8192], Unitless;
        /// Interpolation of heights between cells. `cubic` is smooth, but its rounding and overshoot may leave shallow pits.
        sampling: Sampling = Sampling::Linear;
        /// Seed of the random parts.
        seed: u64 = 0, [seed], Unitless;
    }
}

/// A landscape as numbers that a node looks up: heights, and areas.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LandscapeTables {
    pub heights: Heights,
    pub areas: Heights,
}

impl LandscapeTables {
    /// Memory in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        [&self.heights, &self.areas].into_iter().filter_map(Heights::values).map(|values| size_of_val(values) as u64).sum()
    }

    /// A plane at height 0, which costs as much to look up.
    pub(crate) fn flat() -> Self {
        let table = Heights::new(vec![0.0], [1, 1]).expect("invariant: a finite number");
        LandscapeTables { heights: table.clone(), areas: table }
    }
}

impl StreamPower {
    /// The samples of its own grid.
    pub(crate) fn region(&self) -> Region {
        let [x, y] = self.position;
        Region { spacing: self.spacing, anchor: [x, y, 0.0], ..Region::plane(self.columns, self.rows) }
    }

    /// The number of its cells.
    pub(crate) fn cells(&self) -> u64 {
        u64::from(self.columns) * u64::from(self.rows)
    }

    /// The landscape on ground with these numbers per cell; `None` if `stops` said so.
    pub(crate) fn balance(&self, [uplift, erodibility, base]: [&[f32]; 3], stops: &dyn Fn() -> bool) -> Option<LandscapeTables> {
        let size = [self.columns, self.rows];
        let laws = Laws {
            concavity: self.concavity,
            slope: self.slope,
            crest: self.crest,
            meander: self.meander,
            sea: self.sea,
            seed: Seed::default().with(self.seed).bits(),
        };
        let ground = Ground { size, spacing: self.spacing, uplift, erodibility, base };
        let Landscape { heights, areas } = laws.balance(&ground, stops)?;
        let cell = self.spacing * self.spacing;
        let areas = areas.into_iter().map(|cells| (cells as f64 * cell) as f32).collect();
        let table = |values| Heights::new(values, size).expect("invariant: finite numbers, one per cell");
        Some(LandscapeTables { heights: table(heights), areas: table(areas) })
    }

    /// A table as a function of position.
    fn noise(&self, heights: Heights, sampling: Sampling) -> Noise {
        let raster =
            Raster { heights, position: self.position, spacing: [self.spacing; 2], sampling, outside: Outside::Clamp, ..Raster::default() };
        Noise::raster(raster)
    }
}

impl StageKind for StreamPower {
    fn check(&self, _: &str) -> Result<(), StageError> {
        Ok(())
    }

    fn ranges(&self, _: &dyn Fn(&Input) -> Option<Interval>) -> Vec<Option<Interval>> {
        vec![None, None]
    }

    fn reach_parameter(&self) -> Option<&'static str> {
        None
    }

    fn lower(&self, name: &str, lowering: &mut ScheduleLowering<'_>) -> Result<Outputs, ScheduleError> {
        let prepared = lowering.prepared;
        let landscape = prepared.landscapes.get(name).ok_or_else(|| {
            StageError::parameter(name, "kind", "stream_power", "stages whose landscape was computed (Engine::layers does this)")
        })?;
        let heights = lowering.noise(name, || self.noise(landscape.heights.clone(), self.sampling))?;
        let areas = lowering.noise(&format!("{name}.area"), || self.noise(landscape.areas.clone(), Sampling::Linear))?;
        Ok(vec![vec![heights], vec![areas]])
    }
}
