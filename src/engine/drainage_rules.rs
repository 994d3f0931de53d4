//! Checks the rules of drainage for the stages of a pipeline, square by square.

use crate::drainage::rules::{Kept, Rules};
use crate::engine::Engine;
use crate::error::LayersError;
use crate::region::Region;
use crate::stage::{Pipeline, Stage};

/// The result of a check of a stage `drainage`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrainageCheck {
    /// The name of the stage.
    pub stage: String,
    /// The number of samples of its world.
    pub samples: u64,
    /// The number of outlets among them.
    pub outlets: u64,
    /// The first rule that was found broken: a sentence with the stage and the sample. `None` if all rules hold.
    pub broken: Option<String>,
    /// The indices of that sample along x and y. `None` if all rules hold, or if the broken one concerns the whole world.
    pub at: Option<[i64; 2]>,
}

impl Engine {
    /// Checks the rules of drainage for every stage `drainage` of a pipeline:
    ///
    /// - Every sample reaches an outlet.
    /// - The surface of the water is nowhere below its bed.
    /// - It never rises along the water.
    /// - The areas of all outlets add up to the number of samples.
    ///
    /// A stage that is [measured](Self::measure) has its own world. Another one is traced over `world`, or left out if that is
    /// `None`.
    ///
    /// Cost: the layers of each stage over its whole world, in squares. Memory: a few squares, and the rims of two rows of squares. Records
    /// of the squares beyond a sixteenth of [`EngineOptions::memory`](crate::EngineOptions::memory) are in temporary files.
    ///
    /// # Errors
    /// Those of [`layers`](Self::layers).
    pub fn check_drainage(&self, pipeline: &Pipeline, world: Option<&Region>) -> Result<Vec<DrainageCheck>, LayersError> {
        let mut checks = Vec::new();
        for (name, stage) in &pipeline.stage {
            let Stage::Drainage(row) = stage else { continue };
            if row.measured.is_none() && world.is_none() {
                continue;
            }
            let measured = self.measured(pipeline, &[name], world.map_or(&[][..], std::slice::from_ref))?;
            let drained = measured.prepared.drained.get(name).ok_or_else(|| LayersError::Nothing { stage: name.clone() })?;
            let (grid, samples) = (&drained.world.grid, drained.world.region.samples());
            let (mut rules, numbers) = (Rules::default(), (0..grid.count()).collect::<Vec<_>>());
            for numbers in numbers.chunks(self.squares_at_once()) {
                self.go_on()?;
                for (number, planes) in numbers.iter().zip(self.squares_of(drained, numbers)?) {
                    rules.add(grid, &grid.square(*number), &planes);
                }
            }
            let outlets = rules.outlets;
            let (broken, at) = match rules.finish(grid) {
                Kept::All => (None, None),
                Kept::But(cell, broken) => {
                    let ([x, y], [left, top, _]) = (grid.position(cell).map(i64::from), drained.world.region.origin);
                    let at @ [x, y] = [left + x, top + y];
                    (Some(format!("stage '{name}', sample {x}, {y}: {broken}")), Some(at))
                }
                Kept::Sum { drained, cells } => {
                    let sums = format!("the areas of its {outlets} outlets add up to {drained} samples instead of {cells}");
                    (Some(format!("stage '{name}': {sums}")), None)
                }
            };
            checks.push(DrainageCheck { stage: name.clone(), samples, outlets, broken, at });
        }
        Ok(checks)
    }
}
