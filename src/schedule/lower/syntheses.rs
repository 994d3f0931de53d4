//! Fields from nothing but sample indices: halvings of cells, and sums of random rows.

use crate::schedule::lower::{Lowering, Outputs, flag, power, seed, single};
use crate::schedule::pass::{self, Corners, Diamond, Square};
use crate::stage::{DiamondSquare, Midpoint, Voss};

/// A halving of cells.
struct Halving {
    /// Indices from corner to corner before it.
    edge: f64,
    amplitude: f64,
    /// Samples of this level from the middle to an edge.
    arm: f64,
}

/// Amplitudes of the halvings of a cell, the corners' first: they sum up to 1.
fn amplitudes(cell: u32, roughness: f64) -> Vec<f64> {
    let all: Vec<f64> = (0..=cell.ilog2()).map(|k| power(roughness, k)).collect();
    let sum: f64 = all.iter().sum();
    all.iter().map(|a| a / sum).collect()
}

impl Lowering<'_> {
    /// The halvings of cells of level 0 that this level has samples for.
    fn halvings(&self, cell: u32, amplitudes: &[f64]) -> Vec<Halving> {
        let all = (0..cell.ilog2()).zip(&amplitudes[1..]).map(|(k, &amplitude)| {
            let edge = cell >> k;
            let arm = (edge / 2).checked_shr(self.block.level).unwrap_or(0);
            Halving { edge: f64::from(edge), amplitude, arm: f64::from(arm) }
        });
        all.take_while(|halving| halving.arm > 0.0).collect()
    }

    pub fn diamond_square(&mut self, n: &DiamondSquare) -> Outputs {
        let [seed_low, seed_high] = seed(n.seed);
        let amplitudes = amplitudes(n.cell, n.roughness);
        let corners = Corners { seed_low, seed_high, edge: f64::from(n.cell), amplitude: amplitudes[0], along_x: 0.0 };
        let mut value = self.run(corners).value;
        for Halving { edge, amplitude, arm } in self.halvings(n.cell, &amplitudes) {
            value = self.run(Diamond { value, seed_low, seed_high, edge, amplitude, arm }).value;
            value = self.run(Square { value, seed_low, seed_high, edge, amplitude, arm }).value;
        }
        single([value])
    }

    pub fn midpoint(&mut self, n: &Midpoint) -> Outputs {
        let [seed_low, seed_high] = seed(n.seed);
        let along_x = flag(n.dimensions == 1);
        let amplitudes = amplitudes(n.cell, n.roughness);
        let mut value = self.run(Corners { seed_low, seed_high, edge: f64::from(n.cell), amplitude: amplitudes[0], along_x }).value;
        for Halving { edge, amplitude, arm } in self.halvings(n.cell, &amplitudes) {
            value = self.run(pass::Midpoint { value, seed_low, seed_high, edge, amplitude, along_x, arm }).value;
        }
        single([value])
    }

    pub fn voss(&mut self, n: &Voss) -> Outputs {
        let [seed_low, seed_high] = seed(n.seed);
        let rows = f64::from(n.rows);
        single([self.run(pass::Voss { seed_low, seed_high, rows, per_row: 1.0 / rows, along_x: flag(n.dimensions == 1) }).value])
    }
}
