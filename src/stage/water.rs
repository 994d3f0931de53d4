//! Drainage of a finite world.

use crate::drainage::rain::{MOST, Rain, parts};
use crate::drainage::surface::Outlets;
use crate::interval::Interval;
use crate::params::{Input, OutputInfo, row};
use crate::program::Seed;
use crate::region::Region;
use crate::schedule::{DrainedPlane, PlaneSource};
use crate::stage::kind::{SHARE, StageKind};
use crate::stage::lower::{Outputs, ScheduleError, ScheduleLowering};
use crate::stage::world::unmeasured;
use crate::stage::{DrainedWorld, StageError, Tracing};

row! {
    /// Drainage of a finite world: the surface of its lakes, and how much water flows through each sample. Every sample drains
    /// to an outlet, which is the edge of the world or the sea.
    ///
    /// The main output is the surface of the water: `of` with its depressions filled to the level at which they overflow. It never
    /// rises along the water. Further outputs: `depth` (of lakes, 0 on land), `area` (that drains through a sample, in world
    /// units²) and `order` (of the stream, after Strahler 1957).
    /// `basin` is a number from 0 to 1 for each outlet, and `distance` the length along the water to the outlet. `flow_x` and
    /// `flow_y` are the direction of the water, a unit vector, and 0 at outlets. `bed` is `of` with the passes that `breach` cuts.
    /// `discharge` is the rain on the area that drains through a sample: `area` if `rain` is 1.
    ///
    /// Water flows to the steepest of the eight neighbours (O'Callaghan and Mark 1984). It leaves a depression by its lowest
    /// pass, and crosses the lake on the way from the deepest sample to there (Cordonnier, Bovy and Braun 2019). `seed` orders
    /// samples of the same height.
    ///
    /// The whole world is evaluated twice before any sample is known. Beyond its edge, the nearest sample is repeated.
    Drainage -> &[
        OutputInfo::main(1),
        OutputInfo::further("depth"),
        OutputInfo::further("area"),
        OutputInfo::further("order"),
        OutputInfo::further("basin"),
        OutputInfo::further("distance"),
        OutputInfo::further("flow_x"),
        OutputInfo::further("flow_y"),
        OutputInfo::further("bed"),
        OutputInfo::further("discharge"),
    ], {
        /// The heights.
        of: Input;
        /// Whether water leaves the world at its edge.
        edge: bool = true;
        /// The sea level: samples at or below it are outlets. If omitted, there is no sea.
        sea: Option<f64> = None, [SAMPLE], Value;
        /// Water that is shallower than this drains: its pass is cut down to the bottom of the depression. Lakes that are at least as
        /// deep stay. With 0, nothing is cut.
        breach: f64 = 0.0, [0 to 1e15], Value;
        /// Further outlets: samples where this is above 0.5.
        outlets: Input = Input::Value(0.0);
        /// The water that falls on a sample, per area. Values below 0 count as 0, values above 65535 as 65535. It is rounded to
        /// 1/65536, so that sums are exact.
        rain: Input = Input::Value(1.0);
        /// Seed of the order of samples of the same height.
        seed: u64 = 0, [seed], Unitless;
        /// The world, as measured: its first sample (x, y), its size (x, y), level, spacing, and the position of sample 0 (x, y,
        /// z). If omitted, the requested world is traced.
        measured: Option<Vec<f64>> = None, [list 9 of -1e15 to 1e15], Unitless;
    }
}

/// The planes of the outputs, in their order.
const PLANES: [DrainedPlane; 10] = [
    DrainedPlane::Filled,
    DrainedPlane::Depth,
    DrainedPlane::Area,
    DrainedPlane::Order,
    DrainedPlane::Basin,
    DrainedPlane::Distance,
    DrainedPlane::FlowX,
    DrainedPlane::FlowY,
    DrainedPlane::Bed,
    DrainedPlane::Discharge,
];

impl Drainage {
    /// The world of a region, whose water is traced; `None` if it has no samples on a plane, or too many.
    pub(crate) fn world(&self, region: Region) -> Option<DrainedWorld> {
        let tracing = Tracing {
            outlets: Outlets { edge: self.edge, sea: self.sea.map(|sea| sea as f32) },
            has_mask: matches!(self.outlets, Input::Node(_)),
            breach: self.breach as f32,
            rain: if let Input::Value(rain) = self.rain { Rain::Even(parts(rain)) } else { Rain::Layer },
        };
        DrainedWorld::new(region, Seed::default().with(self.seed).bits(), tracing)
    }

    /// The names of the layers that it is traced from: heights, and a mask of outlets and rain if there are any. `None` without
    /// heights.
    pub(crate) fn layers(&self) -> Option<Vec<String>> {
        let name = |input: &Input| if let Input::Node(name) = input { Some(name.clone()) } else { None };
        Some([name(&self.of)?].into_iter().chain(name(&self.outlets)).chain(name(&self.rain)).collect())
    }

    /// The world that was measured.
    pub(crate) fn measured_world(&self) -> Option<DrainedWorld> {
        self.world(region_of(self.measured.as_deref()?)?)
    }

    /// Stores the world.
    pub(crate) fn settle_world(&mut self, region: &Region) {
        self.measured = Some(world_numbers(region));
    }
}

/// The region of a world, from the numbers in a recipe; `None` for another number of them.
pub(super) fn region_of(numbers: &[f64]) -> Option<Region> {
    let &[x, y, width, height, level, spacing, along_x, along_y, along_z] = numbers else { return None };
    Some(Region {
        origin: [x as i64, y as i64, 0],
        size: [width as u32, height as u32, 1],
        level: level as u32,
        spacing,
        anchor: [along_x, along_y, along_z],
    })
}

/// The region of a world as numbers in a recipe.
pub(super) fn world_numbers(region: &Region) -> Vec<f64> {
    let Region { origin: [x, y, _], size: [width, height, _], level, spacing, anchor: [along_x, along_y, along_z] } = *region;
    vec![x as f64, y as f64, width.into(), height.into(), level.into(), spacing, along_x, along_y, along_z]
}

impl StageKind for Drainage {
    fn check(&self, name: &str) -> Result<(), StageError> {
        if let Input::Value(x) = self.of {
            return Err(StageError::parameter(name, "of", x.to_string(), "the name of a stage or node"));
        }
        if let Input::Value(x) = self.outlets
            && x > 0.5
        {
            return Err(StageError::parameter(name, "outlets", x.to_string(), "the name of a stage or node, or 0"));
        }
        if let Input::Value(x) = self.rain
            && !(0.0..=MOST).contains(&x)
        {
            return Err(StageError::parameter(name, "rain", x.to_string(), "0 to 65535, or the name of a stage or node"));
        }
        if !self.edge && self.sea.is_none() && !matches!(self.outlets, Input::Node(_)) {
            let allowed = "true, or a sea level in `sea`, or a mask in `outlets`, so that there are outlets";
            return Err(StageError::parameter(name, "edge", "false", allowed));
        }
        if self.measured.is_some() && self.measured_world().is_none() {
            let allowed = "x, y, width, height, level, spacing, and a position of three numbers, of a world with samples";
            return Err(StageError::parameter(name, "measured", format!("{:?}", self.measured), allowed));
        }
        Ok(())
    }

    fn ranges(&self, of: &dyn Fn(&Input) -> Option<Interval>) -> Vec<Option<Interval>> {
        let of = of(&self.of);
        let depth = of.map(|r| Interval { lo: 0.0, hi: (r.hi - r.lo).max(0.0) }.outward());
        let unit = Some(Interval { lo: -1.0, hi: 1.0 });
        // A stream of order k has 2^(k − 1) springs.
        let order = Some(Interval { lo: 1.0, hi: 64.0 });
        vec![of, depth, None, order, Some(SHARE), None, unit, unit, of, None]
    }

    fn reach_parameter(&self) -> Option<&'static str> {
        None
    }

    fn lower(&self, name: &str, lowering: &mut ScheduleLowering<'_>) -> Result<Outputs, ScheduleError> {
        if !lowering.prepared.drained.contains_key(name) {
            return Err(unmeasured(name));
        }
        let planes = PLANES.map(|_| lowering.schedule.plane()).to_vec();
        lowering.schedule.sources.push(PlaneSource::Drained { stage: name.to_owned(), holds: PLANES.to_vec(), planes: planes.clone() });
        Ok(planes.into_iter().map(|plane| vec![plane]).collect())
    }
}
