//! Relief: slope, curvature, normals, occlusion and light of heights.

use crate::interval::Interval;
use crate::params::{Input, OutputInfo, row};
use crate::schedule::{PlaneId, pass};
use crate::stage::StageError;
use crate::stage::choices::{AngleUnit, CurvatureForm};
use crate::stage::kind::{StageKind, about, between};
use crate::stage::lower::{Outputs, ScheduleError, ScheduleLowering, single};
use std::sync::Arc;

row! {
    /// The steepness of heights, from the samples on either side.
    Slope {
        /// The heights.
        of: Input;
        /// The unit of the result.
        unit: AngleUnit = AngleUnit::Ratio;
    }

    /// The curvature of heights, per world unit: positive on ridges, negative in valleys.
    Curvature {
        /// The heights.
        of: Input;
        /// The direction of the curvature.
        form: CurvatureForm = CurvatureForm::Mean;
    }

    /// The unit normal of heights, in three channels.
    Normal -> &[OutputInfo::main(3)], {
        /// The heights.
        of: Input;
        /// Factor applied to heights first.
        exaggeration: f64 = 1.0, [-1000000 to 1000000], Unitless;
    }

    /// The visible share of the sky: 1 on summits and plains, less in valleys and at the foot of cliffs. It is the mean of `1 −
    /// sin(horizon)` over sixteen directions.
    Occlusion {
        /// The heights.
        of: Input;
        /// Distance within which horizons are searched, in samples.
        radius: u32 = 16, [1 to 256], Samples;
        /// Factor applied to heights first.
        exaggeration: f64 = 1.0, [-1000000 to 1000000], Unitless;
    }

    /// Light on heights: the cosine between the normal and the direction of the light, 0 on slopes that face away from it.
    Hillshade {
        /// The heights.
        of: Input;
        /// Direction of the light, in degrees clockwise from north (y points down in a picture).
        azimuth: f64 = 315.0, [-360 to 360], Degrees;
        /// Elevation of the light above the horizon, in degrees.
        altitude: f64 = 45.0, [0 to 90], Degrees;
        /// Factor applied to heights first.
        exaggeration: f64 = 1.0, [-1000000 to 1000000], Unitless;
    }
}

/// Number of directions in which horizons are searched.
const DIRECTIONS: u32 = 16;

/// The direction of a light, from its angles in degrees.
pub(super) fn light(azimuth: f64, altitude: f64) -> [f64; 3] {
    let (azimuth, altitude) = (azimuth.to_radians(), altitude.to_radians());
    [libm::sin(azimuth) * libm::cos(altitude), -libm::cos(azimuth) * libm::cos(altitude), libm::sin(altitude)]
}

impl StageKind for Slope {
    fn check(&self, _: &str) -> Result<(), StageError> {
        Ok(())
    }

    fn ranges(&self, _: &dyn Fn(&Input) -> Option<Interval>) -> Vec<Option<Interval>> {
        vec![match self.unit {
            AngleUnit::Ratio => None,
            AngleUnit::Degrees => between(0.0, 90.0),
        }]
    }

    fn reach_parameter(&self) -> Option<&'static str> {
        None
    }

    fn lower(&self, name: &str, lowering: &mut ScheduleLowering<'_>) -> Result<Outputs, ScheduleError> {
        let (height, per_two_steps) = (lowering.plane(name, "of", &self.of)?, lowering.per_two_steps());
        let plane = match self.unit {
            AngleUnit::Ratio => lowering.run(pass::Slope { height, per_two_steps }).slope,
            AngleUnit::Degrees => lowering.run(pass::SlopeDegrees { height, per_two_steps }).degrees,
        };
        Ok(single([plane]))
    }
}

impl StageKind for Curvature {
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
        let (height, per_two_steps) = (lowering.plane(name, "of", &self.of)?, lowering.per_two_steps());
        let per_step_squared = 1.0 / (lowering.step * lowering.step);
        let plane = match self.form {
            CurvatureForm::Mean => lowering.run(pass::CurvatureMean { height, per_step_squared }).curvature,
            CurvatureForm::Plan => lowering.run(pass::CurvaturePlan { height, per_two_steps, per_step_squared }).curvature,
            CurvatureForm::Profile => lowering.run(pass::CurvatureProfile { height, per_two_steps, per_step_squared }).curvature,
        };
        Ok(single([plane]))
    }
}

impl StageKind for Normal {
    fn check(&self, _: &str) -> Result<(), StageError> {
        Ok(())
    }

    fn ranges(&self, _: &dyn Fn(&Input) -> Option<Interval>) -> Vec<Option<Interval>> {
        vec![about(-1.0, 1.0, 8.0)]
    }

    fn reach_parameter(&self) -> Option<&'static str> {
        None
    }

    fn lower(&self, name: &str, lowering: &mut ScheduleLowering<'_>) -> Result<Outputs, ScheduleError> {
        let height = lowering.plane(name, "of", &self.of)?;
        let made = lowering.run(pass::Normal { height, per_two_steps: lowering.per_two_steps() * self.exaggeration });
        Ok(vec![<[PlaneId; 3]>::from(made).to_vec()])
    }
}

impl StageKind for Occlusion {
    fn check(&self, _: &str) -> Result<(), StageError> {
        Ok(())
    }

    fn ranges(&self, _: &dyn Fn(&Input) -> Option<Interval>) -> Vec<Option<Interval>> {
        // 1 less a sine that may round to more than 1; the result is exactly 1 if the whole sky is visible.
        vec![about(0.0, 1.0, 8.0).map(|r| Interval { hi: 1.0, ..r })]
    }

    fn reach_parameter(&self) -> Option<&'static str> {
        Some("radius")
    }

    fn lower(&self, name: &str, lowering: &mut ScheduleLowering<'_>) -> Result<Outputs, ScheduleError> {
        let mut height = lowering.plane(name, "of", &self.of)?;
        if self.exaggeration != 1.0 {
            height = lowering.scaled(height, self.exaggeration);
        }
        let mut table = Vec::new();
        for d in 0..DIRECTIONS {
            let angle = f64::from(d) / f64::from(DIRECTIONS) * std::f64::consts::TAU;
            for s in 1..=self.radius {
                let [x, y] = [libm::cos(angle), libm::sin(angle)].map(|c| libm::round(c * f64::from(s)));
                table.extend([x, y, 1.0 / (libm::hypot(x, y) * lowering.step)]);
            }
        }
        let occlusion = pass::Occlusion {
            height,
            directions: f64::from(DIRECTIONS),
            steps: f64::from(self.radius),
            per_direction: 1.0 / f64::from(DIRECTIONS),
            table: Arc::new(table),
        };
        Ok(single([lowering.run(occlusion).open]))
    }
}

impl StageKind for Hillshade {
    fn check(&self, _: &str) -> Result<(), StageError> {
        Ok(())
    }

    fn ranges(&self, _: &dyn Fn(&Input) -> Option<Interval>) -> Vec<Option<Interval>> {
        // Cosines of rounded roots; slopes that face away are exactly 0.
        vec![about(0.0, 1.0, 8.0).map(|r| Interval { lo: 0.0, ..r })]
    }

    fn reach_parameter(&self) -> Option<&'static str> {
        None
    }

    fn lower(&self, name: &str, lowering: &mut ScheduleLowering<'_>) -> Result<Outputs, ScheduleError> {
        let height = lowering.plane(name, "of", &self.of)?;
        let [light_x, light_y, light_z] = light(self.azimuth, self.altitude);
        let per_two_steps = lowering.per_two_steps() * self.exaggeration;
        let shaded = pass::Hillshade { height, per_two_steps, light_x, light_y, light_z };
        Ok(single([lowering.run(shaded).light]))
    }
}
