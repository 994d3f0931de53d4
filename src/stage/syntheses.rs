//! Syntheses: fields computed from sample indices alone, by spectrum, by subdivision or as sums of random rows.

use crate::interval::Interval;
use crate::params::{Input, RadialPoint, row};
use crate::region::Region;
use crate::schedule::pass::{self, Corners, Diamond, Square, Tile};
use crate::stage::StageError;
use crate::stage::kind::{StageKind, about};
use crate::stage::lower::{Outputs, ScheduleError, ScheduleLowering, flag, power, seed, single};
use crate::stage::world::unmeasured;
use std::sync::Arc;

row! {
    /// Noise by frequency synthesis: white noise is transformed, its amplitudes are shaped by `f^exponent` (or a table), and it
    /// is transformed back. It repeats every `size` samples of level 0, with a mean of 0 and a mean square of 1.
    Frequency {
        /// Period along x and y in samples, a power of two.
        size: u32 = 512, [2 to 8192], Samples;
        /// Exponent of the amplitude: −2 red, −1 pink, 0 white, 1 blue, 2 violet. By power, as in physics, red is −1.
        exponent: f64 = -2.0, [-16 to 16], Unitless;
        /// Amplitudes by frequency (cycles per sample, 0 to 0.71), interpolated linearly; instead of `exponent`.
        radial: Vec<RadialPoint> = Vec::new(), [RADIAL];
        /// Seed of the white noise.
        seed: u64 = 0, [seed], Unitless;
    }

    /// The diamond-square algorithm (Fournier, Fussell and Carpenter 1982) on an infinite plane: random values at the corners
    /// of cells, which are halved repeatedly. The amplitudes of the random parts sum to 1; the middles of edges may get half as
    /// much again, except in the first halving.
    DiamondSquare {
        /// Edge of the first cells in samples of level 0, a power of two.
        cell: u32 = 128, [2 to 1024], Samples;
        /// Ratio of the random part of a halving to that of the previous one: 0.5 smooth, 1 rough.
        roughness: f64 = 0.55, [SHARE], Unitless;
        /// Seed of the random values.
        seed: u64 = 0, [seed], Unitless;
    }

    /// Midpoint displacement: the middle of an edge is the mean of its ends plus a random part, the middle of a cell that of
    /// its corners.
    Midpoint {
        /// Number of dimensions: 1 (a line along x, the same in every row) or 2.
        dimensions: u32 = 2, [dimensions 1 to 2], Unitless;
        /// Edge of the first cells in samples of level 0, a power of two.
        cell: u32 = 128, [2 to 1024], Samples;
        /// Ratio of the random part of a halving to that of the previous one: 0.5 smooth, 1 rough.
        roughness: f64 = 0.5, [SHARE], Unitless;
        /// Seed of the random values.
        seed: u64 = 0, [seed], Unitless;
    }

    /// Pink noise by Voss's algorithm, with McCartney's even distribution of changes: a sum of random numbers, where the k-th
    /// changes every 2ᵏ samples. Within [−1, 1].
    Voss {
        /// Number of dimensions: 1 (a sequence along x, the same in every row) or 2.
        dimensions: u32 = 1, [dimensions 1 to 2], Unitless;
        /// Number of random numbers in the sum.
        rows: u32 = 12, [1 to 24], Unitless;
        /// Seed of the random numbers.
        seed: u64 = 0, [seed], Unitless;
    }
}

/// One halving of cells.
struct Halving {
    /// Indices from corner to corner before it.
    edge: f64,
    amplitude: f64,
    /// Samples of this level from the middle to an edge.
    arm: f64,
}

/// Amplitudes of the halvings of a cell, beginning with the corners; they sum to 1.
fn amplitudes(cell: u32, roughness: f64) -> Vec<f64> {
    let all: Vec<f64> = (0..=cell.ilog2()).map(|k| power(roughness, k)).collect();
    let sum: f64 = all.iter().sum();
    all.iter().map(|a| a / sum).collect()
}

/// The halvings of cells of level 0 whose samples exist at this level.
fn halvings(block: &Region, cell: u32, amplitudes: &[f64]) -> Vec<Halving> {
    let all = (0..cell.ilog2()).zip(&amplitudes[1..]).map(|(k, &amplitude)| {
        let edge = cell >> k;
        let arm = (edge / 2).checked_shr(block.level).unwrap_or(0);
        Halving { edge: f64::from(edge), amplitude, arm: f64::from(arm) }
    });
    all.take_while(|halving| halving.arm > 0.0).collect()
}

fn power_of_two(name: &str, param: &'static str, size: u32) -> Result<(), StageError> {
    match size.is_power_of_two() {
        true => Ok(()),
        false => Err(StageError::parameter(name, param, size.to_string(), "a power of two")),
    }
}

impl StageKind for Frequency {
    fn check(&self, name: &str) -> Result<(), StageError> {
        power_of_two(name, "size", self.size)
    }

    fn ranges(&self, _: &dyn Fn(&Input) -> Option<Interval>) -> Vec<Option<Interval>> {
        vec![None]
    }

    fn reach_parameter(&self) -> Option<&'static str> {
        None
    }

    fn lower(&self, name: &str, lowering: &mut ScheduleLowering<'_>) -> Result<Outputs, ScheduleError> {
        let table = Arc::clone(lowering.prepared.tiles.get(name).ok_or_else(|| unmeasured(name))?);
        Ok(single([lowering.run(Tile { size: f64::from(self.size), table }).value]))
    }
}

impl StageKind for DiamondSquare {
    fn check(&self, name: &str) -> Result<(), StageError> {
        power_of_two(name, "cell", self.cell)
    }

    fn ranges(&self, _: &dyn Fn(&Input) -> Option<Interval>) -> Vec<Option<Interval>> {
        // The middle of an edge lies between two corners and two middles of cells, which already have a random part. Random
        // parts sum to 1; each counts one and a half times, except that of the corners.
        let halvings = self.cell.max(1).ilog2();
        let (sum, _) = (0..=halvings).fold((0.0, 1.0), |(sum, part), _| (sum + part, part * self.roughness));
        let most = 1.5 - 0.5 / sum;
        vec![about(-most, most, 4.0 * f64::from(halvings + 1))]
    }

    fn reach_parameter(&self) -> Option<&'static str> {
        Some("cell")
    }

    fn lower(&self, _: &str, lowering: &mut ScheduleLowering<'_>) -> Result<Outputs, ScheduleError> {
        let [seed_low, seed_high] = seed(self.seed);
        let amplitudes = amplitudes(self.cell, self.roughness);
        let corners = Corners { seed_low, seed_high, edge: f64::from(self.cell), amplitude: amplitudes[0], along_x: 0.0 };
        let mut value = lowering.run(corners).value;
        for Halving { edge, amplitude, arm } in halvings(lowering.block, self.cell, &amplitudes) {
            value = lowering.run(Diamond { value, seed_low, seed_high, edge, amplitude, arm }).value;
            value = lowering.run(Square { value, seed_low, seed_high, edge, amplitude, arm }).value;
        }
        Ok(single([value]))
    }
}

impl StageKind for Midpoint {
    fn check(&self, name: &str) -> Result<(), StageError> {
        power_of_two(name, "cell", self.cell)
    }

    fn ranges(&self, _: &dyn Fn(&Input) -> Option<Interval>) -> Vec<Option<Interval>> {
        vec![about(-1.0, 1.0, 4.0 * f64::from(self.cell.max(1).ilog2() + 1))]
    }

    fn reach_parameter(&self) -> Option<&'static str> {
        Some("cell")
    }

    fn lower(&self, _: &str, lowering: &mut ScheduleLowering<'_>) -> Result<Outputs, ScheduleError> {
        let [seed_low, seed_high] = seed(self.seed);
        let along_x = flag(self.dimensions == 1);
        let amplitudes = amplitudes(self.cell, self.roughness);
        let mut value = lowering.run(Corners { seed_low, seed_high, edge: f64::from(self.cell), amplitude: amplitudes[0], along_x }).value;
        for Halving { edge, amplitude, arm } in halvings(lowering.block, self.cell, &amplitudes) {
            value = lowering.run(pass::Midpoint { value, seed_low, seed_high, edge, amplitude, along_x, arm }).value;
        }
        Ok(single([value]))
    }
}

impl StageKind for Voss {
    fn check(&self, _: &str) -> Result<(), StageError> {
        Ok(())
    }

    fn ranges(&self, _: &dyn Fn(&Input) -> Option<Interval>) -> Vec<Option<Interval>> {
        vec![about(-1.0, 1.0, f64::from(self.rows))]
    }

    fn reach_parameter(&self) -> Option<&'static str> {
        None
    }

    fn lower(&self, _: &str, lowering: &mut ScheduleLowering<'_>) -> Result<Outputs, ScheduleError> {
        let [seed_low, seed_high] = seed(self.seed);
        let rows = f64::from(self.rows);
        Ok(single([lowering.run(pass::Voss { seed_low, seed_high, rows, per_row: 1.0 / rows, along_x: flag(self.dimensions == 1) }).value]))
    }
}
