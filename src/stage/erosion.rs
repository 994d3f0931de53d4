//! Erosion: what slides, what water carries, and gullies.

use crate::graph::Interval;
use crate::params::{Input, OutputInfo, row};
use crate::program::Seed;
use crate::schedule::lower::{Outputs, ScheduleError, ScheduleLowering, halves, limbs, power, q32, single};
use crate::schedule::pass::{self, Fill, HydraulicCarry, HydraulicFlow, HydraulicSoil, HydraulicWater, made};
use crate::stage::StageError;
use crate::stage::kind::{StageKind, about};
use std::sync::Arc;

row! {
    /// Thermal erosion (Musgrave, Kolb and Mace 1989): what is steeper than the talus slides to the lower ones of the eight
    /// neighbours, until slopes are even screes. Material is conserved.
    Thermal {
        /// The heights.
        of: Input;
        /// Height per distance that holds.
        talus: f64 = 0.7, [0 to 1000000], Unitless;
        /// How many times material slides, each time by one sample.
        iterations: u32 = 50, [ITERATIONS], Unitless;
        /// Share of what is too steep that slides at a time.
        rate: f64 = 0.5, [SHARE], Unitless;
    }

    /// Hydraulic erosion by virtual pipes (Mei, Decaudin and Hu 2007): rain runs off through pipes between neighbours, dissolves
    /// soil where it is fast and steep, and leaves it where it slows down. Also `water` (depth), `sediment` (height of what is
    /// dissolved) and `flow` (mean discharge, samples times depth per iteration).
    ///
    /// Sediment travels with the water of the pipes and not along its velocity as in the paper, where it is not conserved.
    Hydraulic -> &[OutputInfo::main(1), OutputInfo::further("water"), OutputInfo::further("sediment"), OutputInfo::further("flow")], {
        /// The heights.
        of: Input;
        /// How many steps of time.
        iterations: u32 = 200, [ITERATIONS], Unitless;
        /// Depth of the rain of one iteration, as a share of the distance between samples.
        rain: f64 = 0.004, [SHARE], Unitless;
        /// How much of it falls where, 0 to 1.
        rain_on: Input = Input::Value(1.0);
        /// Share of the water that evaporates in one iteration.
        evaporation: f64 = 0.015, [SHARE], Unitless;
        /// How fast water gains speed in a pipe: the share of a difference in level that one iteration adds to the flow.
        gravity: f64 = 0.1, [0 to 0.25], Unitless;
        /// Share of a pipe's flow that friction takes in one iteration.
        friction: f64 = 0.05, [SHARE], Unitless;
        /// How much sediment water carries: per unit of steepness and of speed (samples per iteration), as a share of the distance
        /// between samples.
        capacity: f64 = 3.0, [0 to 100], Unitless;
        /// Share of the capacity left over that is dissolved in one iteration.
        dissolve: f64 = 0.01, [SHARE], Unitless;
        /// Share of the excess that is deposited in one iteration.
        deposit: f64 = 0.1, [SHARE], Unitless;
        /// Steepness below which capacity does not fall: keeps rivers on plains moving their load.
        least_slope: f64 = 0.03, [SHARE], Unitless;
        /// How much soil resists, 0 to 1: 1 is rock that nothing dissolves.
        hardness: Input = Input::Value(0.0);
    }

    /// Gullies without iterations: octaves of stripes that run down the slope, carved where it is steep. What a sample becomes depends on
    /// its own height and gradient only (exact where `of` is a node), so there is no halo. Also `ridge`: 1 on the crests between
    /// gullies, −1 at their bottoms.
    Gully -> &[OutputInfo::main(1), OutputInfo::further("ridge")], {
        /// The heights.
        of: Input;
        /// World units between the largest gullies.
        wavelength: f64 = 100.0, [WAVELENGTH], World;
        /// How many sizes of them, each `lacunarity` times finer.
        octaves: u32 = 4, [1 to 12], Unitless;
        /// Frequency ratio of one size to the one before.
        lacunarity: f64 = 2.0, [1 to 4], Unitless;
        /// Depth ratio of one size to the one before.
        gain: f64 = 0.5, [SHARE], Unitless;
        /// Depth of the largest, as a share of `wavelength`.
        strength: f64 = 0.1, [0 to 10], Unitless;
        /// Slope at which gullies are half as deep as they get.
        onset: f64 = 0.3, [0.000001 to 1000000], Unitless;
        /// Seed of where they lie.
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
        let hardness = lowering.plane(name, "hardness", &self.hardness)?;
        // Planes of their own, since they are written over. The first rain falls before the first flow.
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
        // A sum of octaves over the sum of their depths, by two rounded roots each.
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
