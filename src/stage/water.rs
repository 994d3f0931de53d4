//! Drainage of a finite world.

use crate::drainage::surface::Outlets;
use crate::interval::Interval;
use crate::params::{Input, OutputInfo, row};
use crate::program::Seed;
use crate::region::Region;
use crate::schedule::{DrainedPlane, PlaneSource};
use crate::stage::kind::{SHARE, StageKind};
use crate::stage::lower::{Outputs, ScheduleError, ScheduleLowering};
use crate::stage::world::unmeasured;
use crate::stage::{DrainedWorld, StageError};

row! {
    /// Drainage of a finite world: the surface of its lakes, and how much water flows through each sample. Every sample drains
    /// to an outlet, which is the edge of the world or the sea.
    ///
    /// The main output is the surface of the water: `of` with its depressions filled to the level at which they overflow. It never
    /// rises along the water. Further outputs: `depth` (of lakes, 0 on land), `area` (that drains through a sample, in world units²) and `order` (of the stream, after Strahler 1957).
    /// `basin` is a number from 0 to 1 for each outlet, and `distance` the length along the water to the outlet. `flow_x` and
    /// `flow_y` are the direction of the water, a unit vector, and 0 at outlets. `bed` is `of` with the passes that `breach` cuts.
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
        /// Seed of the order of samples of the same height.
        seed: u64 = 0, [seed], Unitless;
        /// The world, as measured: its first sample (x, y), its size (x, y), level, spacing, and the position of sample 0 (x, y,
        /// z). If omitted, the requested world is traced.
        measured: Option<Vec<f64>> = None, [list 9 of -1e15 to 1e15], Unitless;
    }
}

/// The planes of the outputs, in their order.
const PLANES: [DrainedPlane; 9] = [
    DrainedPlane::Filled,
    DrainedPlane::Depth,
    DrainedPlane::Area,
    DrainedPlane::Order,
    DrainedPlane::Basin,
    DrainedPlane::Distance,
    DrainedPlane::FlowX,
    DrainedPlane::FlowY,
    DrainedPlane::Bed,
];

impl Drainage {
    /// The world of a region, whose water is traced; `None` if it has no samples on a plane, or too many.
    pub(crate) fn world(&self, region: Region) -> Option<DrainedWorld> {
        let outlets = Outlets { edge: self.edge, sea: self.sea.map(|sea| sea as f32) };
        DrainedWorld::new(region, Seed::default().with(self.seed).bits(), outlets, self.breach as f32)
    }

    /// The name of its heights.
    pub(crate) fn heights(&self) -> Option<&str> {
        if let Input::Node(name) = &self.of { Some(name) } else { None }
    }

    /// The world that was measured.
    pub(crate) fn measured_world(&self) -> Option<DrainedWorld> {
        let &[x, y, width, height, level, spacing, along_x, along_y, along_z] = self.measured.as_deref()? else { return None };
        self.world(Region {
            origin: [x as i64, y as i64, 0],
            size: [width as u32, height as u32, 1],
            level: level as u32,
            spacing,
            anchor: [along_x, along_y, along_z],
        })
    }

    /// Stores the world.
    pub(crate) fn settle_world(&mut self, region: &Region) {
        let Region { origin: [x, y, _], size: [width, height, _], level, spacing, anchor: [along_x, along_y, along_z] } = *region;
        let world = [x as f64, y as f64, width.into(), height.into(), level.into(), spacing, along_x, along_y, along_z];
        self.measured = Some(world.to_vec());
    }
}

impl StageKind for Drainage {
    fn check(&self, name: &str) -> Result<(), StageError> {
        if let Input::Value(x) = self.of {
            return Err(StageError::parameter(name, "of", x.to_string(), "the name of a stage or node"));
        }
        if !self.edge && self.sea.is_none() {
            return Err(StageError::parameter(name, "edge", "false", "true, or a sea level in `sea`, so that there are outlets"));
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
        vec![of, depth, None, order, Some(SHARE), None, unit, unit, of]
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
