//! Loose material on the ground: snow, and debris of cliffs.

use crate::interval::Interval;
use crate::params::{Input, OutputInfo, row};
use crate::schedule::PlaneId;
use crate::schedule::pass::{Add, Hillshade, LooseSlide, Mask, Multiply, Scale, Slope, Subtract};
use crate::stage::StageError;
use crate::stage::kind::StageKind;
use crate::stage::lower::{Outputs, ScheduleError, ScheduleLowering, single};
use crate::stage::relief::light;
use std::f64::consts::SQRT_2;

row! {
    /// Snow that falls above a height, melts in the sun, and slides off steep slopes. It gathers in hollows and at the foot of slopes.
    ///
    /// A further output is `depth`, the height of the snow.
    Snow -> &[OutputInfo::main(1), OutputInfo::further("depth")], {
        /// The heights of the ground.
        of: Input;
        /// Height of the snow far above the snow line.
        fall: f64 = 2.0, [0 to 1000000], Value;
        /// The snow line: the height at which half of the snow remains.
        line: f64 = 0.0, [FINITE], Value;
        /// Heights over which the snow becomes less, half of them below the line.
        band: f64 = 50.0, [1e-6 to 1e12], Value;
        /// Share of the snow that melts where the sun stands at a right angle to the ground.
        melt: f64 = 0.4, [SHARE], Unitless;
        /// Direction of the sun, in degrees clockwise from north (y points down in a picture).
        azimuth: f64 = 180.0, [-360 to 360], Degrees;
        /// Elevation of the sun above the horizon, in degrees.
        altitude: f64 = 35.0, [0 to 90], Degrees;
        /// Steepest slope on which all snow lies, as height per distance. From twice this slope on, none falls.
        talus: f64 = 0.8, [1e-6 to 1e6], Unitless;
        /// Largest distance that snow slides, in world units. Most of it slides a third as far on steep ground.
        reach: f64 = 32.0, [WAVELENGTH], World;
    }

    /// Debris: rock that breaks off steep slopes, falls, and piles up in screes below them. Its volume is that of the rock.
    ///
    /// A further output is `depth`, the height of the debris.
    Debris -> &[OutputInfo::main(1), OutputInfo::further("depth")], {
        /// The heights of the ground.
        of: Input;
        /// Slope, as height per distance, at which rock begins to break. From twice this slope on, all of `wear` breaks.
        cliff: f64 = 1.2, [1e-6 to 1e6], Unitless;
        /// Height of the rock that breaks off a cliff.
        wear: f64 = 4.0, [0 to 1000000], Value;
        /// Slope at which debris comes to rest, as height per distance.
        talus: f64 = 0.7, [0 to 1000000], Unitless;
        /// Largest distance that debris falls, in world units. Most of it falls a third as far.
        reach: f64 = 64.0, [WAVELENGTH], World;
    }
}

/// The largest number of samples that material slides.
const MOST: f64 = 4096.0;

/// Loose material after it has slid up to `reach` over the ground, by one sample in each pass.
fn slid(
    name: &str,
    lowering: &mut ScheduleLowering<'_>,
    [ground, mut loose]: [PlaneId; 2],
    talus: f64,
    reach: f64,
) -> Result<PlaneId, ScheduleError> {
    let passes = libm::ceil(reach / lowering.step);
    if passes > MOST {
        let allowed = format!("at most {} here, {MOST} distances between samples", MOST * lowering.step);
        return Err(StageError::parameter(name, "reach", reach.to_string(), allowed).into());
    }
    let straight = talus * lowering.step;
    for _ in 0..passes as u32 {
        loose = lowering.run(LooseSlide { ground, loose, straight, diagonal: SQRT_2 * straight }).loose;
    }
    Ok(loose)
}

impl StageKind for Snow {
    fn check(&self, _: &str) -> Result<(), StageError> {
        Ok(())
    }

    fn ranges(&self, _: &dyn Fn(&Input) -> Option<Interval>) -> Vec<Option<Interval>> {
        vec![None, None]
    }

    fn reach_parameter(&self) -> Option<&'static str> {
        Some("reach")
    }

    fn lower(&self, name: &str, lowering: &mut ScheduleLowering<'_>) -> Result<Outputs, ScheduleError> {
        let ground = lowering.plane(name, "of", &self.of)?;
        let cold = lowering.run(Mask { value: ground, from: self.line - 0.5 * self.band, per_way: 1.0 / self.band }).mask;
        let [light_x, light_y, light_z] = light(self.azimuth, self.altitude);
        let per_two_steps = lowering.per_two_steps();
        let sun = lowering.run(Hillshade { height: ground, per_two_steps, light_x, light_y, light_z }).light;
        let left = Scale { value: sun, scale: -self.fall * self.melt, offset: self.fall, low: 0.0, high: f64::MAX };
        let left = lowering.run(left).value;
        let cold = lowering.run(Multiply { a: cold, b: left }).value;
        let slope = lowering.run(Slope { height: ground, per_two_steps }).slope;
        let lies = lowering.run(Mask { value: slope, from: 2.0 * self.talus, per_way: -1.0 / self.talus }).mask;
        let fallen = lowering.run(Multiply { a: cold, b: lies }).value;
        let snow = slid(name, lowering, [ground, fallen], self.talus, self.reach)?;
        Ok(single([lowering.run(Add { a: ground, b: snow }).value, snow]))
    }
}

impl StageKind for Debris {
    fn check(&self, _: &str) -> Result<(), StageError> {
        Ok(())
    }

    fn ranges(&self, _: &dyn Fn(&Input) -> Option<Interval>) -> Vec<Option<Interval>> {
        vec![None, None]
    }

    fn reach_parameter(&self) -> Option<&'static str> {
        Some("reach")
    }

    fn lower(&self, name: &str, lowering: &mut ScheduleLowering<'_>) -> Result<Outputs, ScheduleError> {
        let height = lowering.plane(name, "of", &self.of)?;
        let slope = lowering.run(Slope { height, per_two_steps: lowering.per_two_steps() }).slope;
        let breaks = lowering.run(Mask { value: slope, from: self.cliff, per_way: 1.0 / self.cliff }).mask;
        let broken = lowering.scaled(breaks, self.wear);
        let ground = lowering.run(Subtract { a: height, b: broken }).value;
        let debris = slid(name, lowering, [ground, broken], self.talus, self.reach)?;
        Ok(single([lowering.run(Add { a: ground, b: debris }).value, debris]))
    }
}
