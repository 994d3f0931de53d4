//! Stages that use drainage: channels of rivers, and the wetness of the ground.

use crate::interval::Interval;
use crate::params::{Input, OutputInfo, row};
use crate::schedule::pass::{self, RiverBegin, RiverNearest, Slope, made};
use crate::stage::StageError;
use crate::stage::distance::reach_in_samples;
use crate::stage::kind::StageKind;
use crate::stage::lower::{Outputs, ScheduleError, ScheduleLowering, single};

row! {
    /// Channels that rivers carve into heights. `surface` and `area` are outputs of a `drainage` stage: its main output and its
    /// `area`.
    ///
    /// Samples with an area of at least `from` are rivers. Width and depth grow with a power of the area, as measured in nature
    /// (Leopold and Maddock 1953: 0.5 and 0.4). A sample belongs to the river to which its power is smallest: the square of the
    /// distance less the square of half the width. Power, level and flow determine the profile, a parabola each for the bed and the
    /// banks. Levels and flows are smoothed over a tenth of `reach`. Channels begin gradually, and are complete where the area is
    /// twice `from`.
    ///
    /// Since `surface` never rises along the water, and the depth never decreases, the bed falls from the spring to the mouth.
    ///
    /// The main output is `of` with channels. A further output is `depth` (of rivers and lakes, 0 on land).
    Channel -> &[OutputInfo::main(1), OutputInfo::further("depth")], {
        /// The heights.
        of: Input;
        /// The surface of the water: the main output of a `drainage` stage.
        surface: Input;
        /// The area that drains through a sample, in world units²: the output `area` of a `drainage` stage.
        area: Input;
        /// The area at which rivers begin, in world units².
        from: f64 = 10000.0, [0.000001 to 1e15], Unitless;
        /// Width of a river where it begins, in world units. It is limited to `reach`.
        width: f64 = 2.0, [0.000001 to 1e12], World;
        /// Depth of a river where it begins.
        depth: f64 = 0.5, [0 to 1e15], Value;
        /// Exponent of the area in the width.
        width_exponent: f64 = 0.5, [0 to 2], Unitless;
        /// Exponent of the area in the depth.
        depth_exponent: f64 = 0.4, [0 to 2], Unitless;
        /// Height of the banks above the water where they end. 0 gives flat ground along the river. Banks that are less steep than
        /// the ground cut into it.
        bank: f64 = 20.0, [0 to 1e15], Value;
        /// Distance from a narrow river at which its banks end, in world units. They fade out over its farther half.
        reach: f64 = 20.0, [WAVELENGTH], World;
    }

    /// The topographic wetness index: the natural logarithm of the area that drains through a sample, per width of a sample, over
    /// the slope (Beven and Kirkby 1979). Large in flat valleys, small on ridges and cliffs.
    Wetness {
        /// The heights.
        of: Input;
        /// The area that drains through a sample, in world units²: the output `area` of a `drainage` stage.
        area: Input;
        /// Smaller slopes count as this one, so that plains have a finite index.
        least_slope: f64 = 0.001, [0.000001 to 1000], Unitless;
    }
}

/// The largest reach in samples. No memory holds a block with such a halo.
const MOST: f64 = 1_048_576.0;
/// The standard deviation of the smoothing of levels and flows, as a part of the reach.
const SMOOTHED: f64 = 0.1;

impl StageKind for Channel {
    fn check(&self, _: &str) -> Result<(), StageError> {
        Ok(())
    }

    fn ranges(&self, _: &dyn Fn(&Input) -> Option<Interval>) -> Vec<Option<Interval>> {
        // Depths grow with the area, which has no limit in advance.
        vec![None, None]
    }

    fn reach_parameter(&self) -> Option<&'static str> {
        Some("reach")
    }

    fn lower(&self, name: &str, lowering: &mut ScheduleLowering<'_>) -> Result<Outputs, ScheduleError> {
        let height = lowering.plane(name, "of", &self.of)?;
        let surface = lowering.plane(name, "surface", &self.surface)?;
        let area = lowering.plane(name, "area", &self.area)?;
        // Less than half a sample has no influence on any other sample.
        let samples = (self.reach / lowering.step).max(0.5);
        if samples > MOST {
            return Err(StageError::parameter(name, "reach", self.reach.to_string(), "at most 2^20 distances between samples").into());
        }
        let half = 0.5 * self.width / lowering.step;
        let (square, most, twice_exponent) = (half * half, 0.25 * samples * samples, 2.0 * self.width_exponent);
        let per_least = 1.0 / self.from;
        let made::RiverBegin { mut power, mut level, mut flow } =
            lowering.run(RiverBegin { surface, area, per_least, square, twice_exponent, most });
        // A bank ends where the power is the square of the reach, which is farther from a river with a width.
        let reach = reach_in_samples(libm::sqrt(1.25) * samples, 1.0);
        for [x, y] in [[0.0, 1.0], [1.0, 0.0]] {
            made::RiverNearest { power, level, flow } = lowering.run(RiverNearest { power, level, flow, x, y, reach, most });
        }
        let [level, flow] = [level, flow].map(|plane| lowering.blurred(plane, SMOOTHED * samples));
        let made::Channel { height, depth } = lowering.run(pass::Channel {
            height,
            surface,
            power,
            level,
            flow,
            curvature: self.bank / (samples * samples),
            square,
            twice_exponent,
            most,
            depth: self.depth,
            depth_exponent: self.depth_exponent,
            per_reach_squared: 1.0 / (samples * samples),
        });
        Ok(single([height, depth]))
    }
}

impl StageKind for Wetness {
    fn check(&self, _: &str) -> Result<(), StageError> {
        Ok(())
    }

    fn ranges(&self, _: &dyn Fn(&Input) -> Option<Interval>) -> Vec<Option<Interval>> {
        vec![None]
    }

    fn reach_parameter(&self) -> Option<&'static str> {
        None
    }

    fn lower(&self, name: &str, lowering: &mut ScheduleLowering<'_>) -> Result<Outputs, ScheduleError> {
        let height = lowering.plane(name, "of", &self.of)?;
        let area = lowering.plane(name, "area", &self.area)?;
        let slope = lowering.run(Slope { height, per_two_steps: lowering.per_two_steps() }).slope;
        let (per_step, least_slope) = (1.0 / lowering.step, self.least_slope);
        Ok(single([lowering.run(pass::Wetness { slope, area, per_step, least_slope }).wetness]))
    }
}
