//! Land that rises along the water.

use crate::interval::Interval;
use crate::params::{Input, row};
use crate::region::Region;
use crate::schedule::{DrainedPlane, PlaneSource};
use crate::stage::kind::StageKind;
use crate::stage::lower::{Outputs, ScheduleError, ScheduleLowering, single};
use crate::stage::water::{region_of, world_numbers};
use crate::stage::world::unmeasured;
use crate::stage::{Drainage, DrainedWorld, Grading, Pipeline, Stage, StageError};

row! {
    /// Land graded along the water: each sample is above the sample that its water flows to by its slope times the distance. So land
    /// never falls along the way upstream, and no water stands.
    ///
    /// The slope is `steepness / area^concavity` (Flint 1974), with the area in world units² that drains through the sample. With a
    /// steepness of uplift over erodibility, rivers remove as much as uplift adds: the stream power law in steady state. With a
    /// steepness of 1 and a concavity of 0, land is above its outlet by the length along the water.
    ///
    /// Outlets keep their heights. Land begins to rise from there, or from the sea level of the drainage if an outlet is below it.
    /// The other heights of the drainage only decide where water flows. Drainage of the result has other areas, so a second `grade` comes
    /// closer to the balance. A first grade of land with few valleys makes them, at all sizes.
    ///
    /// Rises are rounded to 1/1048576 and added up as integers, so the bits do not depend on tiles, shards, memory or device. The
    /// heights of outlets are from −1e9 to 1e9, and those of land at most 8.7e12. The whole world is evaluated once before any sample
    /// is known, after its water was traced. Beyond its edge, the nearest sample is repeated.
    Grade {
        /// The water: the name of a stage `drainage`.
        of: Input;
        /// The slope where an area of 1 drains, as height per distance. Values below 0 count as 0.
        steepness: Input = Input::Value(1.0);
        /// The exponent of the area: the larger it is, the flatter large rivers are.
        concavity: f64 = 0.45, [0 to 1], Unitless;
        /// A limit that slopes approach: a slope `s` becomes `s / √(1 + (s / slope)²)`. If omitted, there is no limit.
        slope: Option<f64> = None, [0.001 to 1000], Unitless;
        /// The world of the drainage, as measured. If omitted, the requested world is measured.
        measured: Option<Vec<f64>> = None, [list 9 of -1e15 to 1e15], Unitless;
    }
}

/// The outputs of the drainage that are read: the surface of the water, its direction, and areas, if the slope depends on them.
const WATER: [&str; 4] = ["", ".flow_x", ".flow_y", ".area"];

impl Grade {
    /// The drainage that it follows.
    ///
    /// # Errors
    /// `of` is not the name of a stage `drainage`.
    pub(crate) fn water<'a>(&self, name: &str, pipeline: &'a Pipeline) -> Result<&'a Drainage, StageError> {
        let found = match &self.of {
            Input::Node(of) => pipeline.stage.get(of),
            Input::Missing | Input::Value(_) => None,
        };
        match (found, &self.of) {
            (Some(Stage::Drainage(water)), _) => Ok(water),
            (_, Input::Missing) => Err(StageError::MissingInput { stage: name.to_owned(), param: "of" }),
            (_, Input::Value(x)) => Err(StageError::parameter(name, "of", x.to_string(), ALLOWED)),
            (_, Input::Node(of)) => Err(StageError::parameter(name, "of", format!("'{of}'"), ALLOWED)),
        }
    }

    /// The names of the layers that it is computed from; `None` without water.
    pub(crate) fn layers(&self) -> Option<Vec<String>> {
        let Input::Node(of) = &self.of else { return None };
        let water = WATER.iter().take(if self.grading().has_areas() { 4 } else { 3 });
        let steepness = if let Input::Node(steepness) = &self.steepness { Some(steepness.clone()) } else { None };
        Some(water.map(|output| format!("{of}{output}")).chain(steepness).collect())
    }

    /// Its parameters besides layers.
    pub(crate) fn grading(&self) -> Grading {
        let steepness = if let Input::Value(steepness) = self.steepness { Some(steepness as f32) } else { None };
        Grading { steepness, concavity: self.concavity, slope: self.slope }
    }

    /// The world that was measured; `None` before that.
    ///
    /// # Errors
    /// `of` is not a drainage, or that of another world.
    pub(crate) fn measured_world(&self, name: &str, pipeline: &Pipeline) -> Result<Option<DrainedWorld>, StageError> {
        let world = self.water(name, pipeline)?.measured_world();
        let Some(measured) = &self.measured else { return Ok(None) };
        if world.as_ref().is_none_or(|world| region_of(measured) != Some(world.region)) {
            return Err(StageError::parameter(name, "measured", format!("{measured:?}"), "the same numbers as in its drainage"));
        }
        Ok(world)
    }

    /// Stores the world.
    pub(crate) fn settle_world(&mut self, region: &Region) {
        self.measured = Some(world_numbers(region));
    }
}

/// The inputs that `of` accepts, in words.
const ALLOWED: &str = "the name of a stage `drainage`";

impl StageKind for Grade {
    fn check(&self, name: &str) -> Result<(), StageError> {
        if let Input::Value(steepness) = self.steepness
            && !(0.0..=1e15).contains(&steepness)
        {
            return Err(StageError::parameter(name, "steepness", steepness.to_string(), "0 to 1e15, or the name of a stage or node"));
        }
        if let Some(measured) = &self.measured
            && region_of(measured).is_none()
        {
            let allowed = "x, y, width, height, level, spacing, and a position of three numbers, of a world with samples";
            return Err(StageError::parameter(name, "measured", format!("{measured:?}"), allowed));
        }
        Ok(())
    }

    fn ranges(&self, _: &dyn Fn(&Input) -> Option<Interval>) -> Vec<Option<Interval>> {
        // The length of rivers is unknown.
        vec![None]
    }

    fn reach_parameter(&self) -> Option<&'static str> {
        None
    }

    fn lower(&self, name: &str, lowering: &mut ScheduleLowering<'_>) -> Result<Outputs, ScheduleError> {
        if !lowering.prepared.drained.contains_key(name) {
            return Err(unmeasured(name));
        }
        let plane = lowering.schedule.plane();
        let holds = vec![DrainedPlane::Graded];
        lowering.schedule.sources.push(PlaneSource::Drained { stage: name.to_owned(), holds, planes: vec![plane] });
        Ok(single([plane]))
    }
}
