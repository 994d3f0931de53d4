//! A one-line description of an engine.

use super::{Arithmetic, Engine, Parity};

impl Engine {
    /// A line with the engine's device, and whether its bits equal the CPU's.
    pub fn summary(&self) -> String {
        let is = self.describe();
        let parity = match (is.parity, self.arithmetic()) {
            (Some(Parity::Exact), Some(Arithmetic::Exact)) => {
                "f32 in exact arithmetic, the same bits as the CPU (verified by a dispatch at start-up)"
            }
            (Some(Parity::Exact), Some(Arithmetic::Fast)) => {
                "f32 in fast arithmetic, which gave the same bits as the CPU in a dispatch at start-up"
            }
            (Some(Parity::Exact), None) => "f32, the same bits as every exact backend",
            (Some(Parity::Bounded), _) => "f32 in fast arithmetic, within stated bounds of the CPU",
            (None, _) => "f64",
        };
        format!("{} ({}): {parity}", is.backend, is.adapter)
    }
}
