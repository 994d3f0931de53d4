//! Erosion: thermal, hydraulic, and gullies.

use crate::interval::Interval;
use crate::params::{Input, OutputInfo, row};
use crate::program::Seed;
use crate::schedule::pass::{self, Fill, HydraulicCarry, HydraulicFlow, HydraulicSoil, HydraulicWater, made};
use crate::stage::StageError;
use crate::stage::kind::{StageKind, about};
use crate::stage::lower::{Outputs, ScheduleError, ScheduleLowering, halves, limbs, power, q32, single};
use crate::stage::strata::Hardness;
use std::sync::Arc;

row! {
    /// Thermal erosion (Musgrave, Kolb and Mace 1989): material steeper than the talus slides to the lower ones of the eight
    /// neighbours, until the slopes are even screes. Material is conserved. It counts in samples.
    Thermal {
        /// The heights.
        of: Input;
        /// Steepest stable slope, as height per distance.
        talus: f64 = 0.7, [0 to 1000000], Unitless;
        /// Number of iterations; in each, material slides by one sample.
        iterations: u32 = 50, [ITERATIONS], Unitless;
        /// Share of the excess material that slides in one iteration.
        rate: f64 = 0.5, [SHARE], Unitless;
    }

    /// Hydraulic erosion by virtual pipes (Mei, Decaudin and Hu 2007): rain flows through pipes between neighbours, dissolves
    /// soil where it is fast and steep, and deposits it where it slows down.
    ///
    /// Further outputs: `water` (depth), `sediment` (height of dissolved soil) and `flow` (mean discharge, in samples times
    /// depth per iteration).
    ///
    /// It counts in samples: at another spacing or level the result is another world. The stage `erosion` counts in world units.
    ///
    /// Sediment moves with the water of the pipes, which conserves it. In the paper it follows the velocity, which does not.
    Hydraulic -> &[OutputInfo::main(1), OutputInfo::further("water"), OutputInfo::further("sediment"), OutputInfo::further("flow")], {
        /// The heights.
        of: Input;
        /// Number of time steps.
        iterations: u32 = 200, [ITERATIONS], Unitless;
        /// Depth of the rain in one iteration, as a share of the distance between samples.
        rain: f64 = 0.004, [SHARE], Unitless;
        /// Share of the rain that falls at a sample, from 0 to 1.
        rain_on: Input = Input::Value(1.0);
        /// Share of the water that evaporates in one iteration.
        evaporation: f64 = 0.015, [SHARE], Unitless;
        /// Acceleration in a pipe: the share of a difference in level that one iteration adds to the flow.
        gravity: f64 = 0.1, [0 to 0.25], Unitless;
        /// Share of a pipe's flow that friction removes in one iteration.
        friction: f64 = 0.05, [SHARE], Unitless;
        /// Capacity for sediment per unit of steepness and of speed (in samples per iteration), as a share of the distance
        /// between samples.
        capacity: f64 = 3.0, [0 to 100], Unitless;
        /// Share of the unused capacity that is dissolved in one iteration.
        dissolve: f64 = 0.01, [SHARE], Unitless;
        /// Share of the excess that is deposited in one iteration.
        deposit: f64 = 0.1, [SHARE], Unitless;
        /// Steepness below which the capacity does not decrease, so that rivers on plains keep moving their load.
        least_slope: f64 = 0.03, [SHARE], Unitless;
        /// Resistance of the soil, from 0 to 1: 1 is rock that does not dissolve. A `strata` stage of the same heights is found anew in
        /// every iteration.
        hardness: Input = Input::Value(0.0);
    }

    /// Gullies without iterations: octaves of stripes that run down the slope, carved where it is steep.
    ///
    /// A sample depends only on its own height and gradient (exact if `of` is a node), so there is no halo. A further output is
    /// `ridge`: 1 on the crests between gullies, −1 at their bottoms.
    Gully -> &[OutputInfo::main(1), OutputInfo::further("ridge")], {
        /// The heights.
        of: Input;
        /// Distance between the largest gullies, in world units.
        wavelength: f64 = 100.0, [WAVELENGTH], World;
        /// Number of sizes, each `lacunarity` times finer than the previous one.
        octaves: u32 = 4, [1 to 12], Unitless;
        /// Frequency ratio of a size to the previous one.
        lacunarity: f64 = 2.0, [1 to 4], Unitless;
        /// Depth ratio of a size to the previous one.
        gain: f64 = 0.5, [SHARE], Unitless;
        /// Depth of the largest gullies, as a share of `wavelength`.
        strength: f64 = 0.1, [0 to 10], Unitless;
        /// Slope at which gullies reach half their full depth.
        onset: f64 = 0.3, [0.000001 to 1000000], Unitless;
        /// Seed of the gullies' positions.
        seed: u64 = 0, [seed], Unitless;
    }
}

impl StageKind for Thermal {
    fn check(&self, _: &str) -> Result<(), StageError> {
        Ok(())
    }

    fn ranges(&self, of: &dyn Fn(&Input) -> Option<Interval>) -> Vec<Option<Interval>> {
        vec![of(&self.of)]
    }

    fn reach_parameter(&self) -> Option<&'static str> {
        Some("iterations")
    }

    fn lower(&self, name: &str, lowering: &mut ScheduleLowering<'_>) -> Result<Outputs, ScheduleError> {
        let mut height = lowering.plane(name, "of", &self.of)?;
        let straight = self.talus * lowering.step;
        let diagonal = self.talus * lowering.step * std::f64::consts::SQRT_2;
        for _ in 0..self.iterations {
            height = lowering.run(pass::Thermal { height, straight, diagonal, rate: self.rate / 16.0 }).height;
        }
        Ok(single([height]))
    }
}

impl StageKind for Hydraulic {
    fn check(&self, _: &str) -> Result<(), StageError> {
        Ok(())
    }

    fn ranges(&self, _: &dyn Fn(&Input) -> Option<Interval>) -> Vec<Option<Interval>> {
        vec![None, None, None, None]
    }

    fn reach_parameter(&self) -> Option<&'static str> {
        Some("iterations")
    }

    fn lower(&self, name: &str, lowering: &mut ScheduleLowering<'_>) -> Result<Outputs, ScheduleError> {
        let mut soil = lowering.plane(name, "of", &self.of)?;
        let rain = lowering.plane(name, "rain_on", &self.rain_on)?;
        let layers = Hardness::of(name, lowering, &self.hardness, &self.of)?;
        // These planes are owned because they are overwritten. The first rain falls before the first flow.
        let mut water = lowering.scaled(rain, self.rain * lowering.step);
        let mut zero = || lowering.schedule.run(Fill { value: 0.0 }).value;
        let (mut sediment, mut load, mut discharge) = (zero(), zero(), zero());
        let mut flows = made::HydraulicFlow { west: zero(), east: zero(), north: zero(), south: zero() };
        for _ in 0..self.iterations {
            let made::HydraulicFlow { west, east, north, south } = flows;
            flows = lowering.run(HydraulicFlow { soil, water, west, east, north, south, kept: 1.0 - self.friction, gravity: self.gravity });
            let made::HydraulicFlow { west, east, north, south } = flows;
            sediment = lowering.run(HydraulicCarry { west, east, north, south, sediment, load }).sediment;
            let share = 1.0 / f64::from(self.iterations);
            let hardness = layers.at(lowering, soil);
            let speed;
            made::HydraulicWater { water, discharge, speed } =
                lowering.run(HydraulicWater { west, east, north, south, water, discharge, share });
            made::HydraulicSoil { soil, water, sediment, load } = lowering.run(HydraulicSoil {
                soil,
                speed,
                hardness,
                rain,
                water,
                sediment,
                per_two_steps: lowering.per_two_steps(),
                capacity: self.capacity * lowering.step,
                least_slope: self.least_slope,
                dissolve: self.dissolve,
                deposit: self.deposit,
                kept: 1.0 - self.evaporation,
                rainfall: self.rain * lowering.step,
                shallow: 10.0 * self.rain.max(1e-6) * lowering.step,
            });
        }
        Ok(single([soil, water, sediment, discharge]))
    }
}

impl StageKind for Gully {
    fn check(&self, _: &str) -> Result<(), StageError> {
        Ok(())
    }

    fn ranges(&self, _: &dyn Fn(&Input) -> Option<Interval>) -> Vec<Option<Interval>> {
        // A sum of octaves over the sum of their depths, with two rounded roots each.
        vec![None, about(-1.0, 1.0, 12.0 + f64::from(self.octaves))]
    }

    fn reach_parameter(&self) -> Option<&'static str> {
        None
    }

    fn lower(&self, name: &str, lowering: &mut ScheduleLowering<'_>) -> Result<Outputs, ScheduleError> {
        let [height, slope_x, slope_y] = lowering.slopes(name, &self.of)?;
        let mut table = Vec::new();
        for k in 0..self.octaves {
            let wavelength = self.wavelength / power(self.lacunarity, k);
            let step = q32(lowering.step, 1.0 / wavelength);
            for axis in 0..2 {
                let first = q32(lowering.block.anchor[axis], 1.0 / wavelength);
                table.extend(limbs(first.wrapping_add(step.wrapping_mul(lowering.block.origin[axis] as u64))));
            }
            table.extend(limbs(step));
            table.extend(halves(Seed::default().with(self.seed).with(u64::from(k)).bits()));
            let depth = self.strength * self.wavelength * power(self.gain, k);
            table.extend([depth, depth * std::f64::consts::TAU / wavelength]);
        }
        let gully = pass::Gully {
            height,
            slope_x,
            slope_y,
            octaves: f64::from(self.octaves),
            onset_squared: self.onset * self.onset,
            table: Arc::new(table),
        };
        Ok(single(lowering.run(gully).into()))
    }
}
