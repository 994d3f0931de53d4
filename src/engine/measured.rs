//! Pipelines whose questions to the whole world are answered, and the cut of a region into blocks.

use crate::drainage::shares::Shares;
use crate::error::LayersError;
use crate::region::Region;
use crate::stage::{Answers, Drained, LandscapeTables, Pipeline, PreparedPipeline, Stage};
use std::sync::Arc;

/// A pipeline with measured whole-world stages.
#[derive(Clone, Debug)]
pub(crate) struct Measured {
    pub pipeline: Pipeline,
    pub prepared: PreparedPipeline,
}

/// The division of a region into blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cut {
    /// Width of the halo in samples.
    pub halo: u32,
    /// Maximum edge of a block's wanted part in samples.
    pub edge: u32,
}

/// A pipeline that is prepared as far as its cost depends on it.
pub(crate) fn as_if_prepared(pipeline: &Pipeline) -> Measured {
    let mut prepared = PreparedPipeline::default();
    let squares = pipeline.stage.iter().filter(|(_, stage)| matches!(stage, Stage::Frequency(_)));
    prepared.tiles.extend(squares.map(|(name, _)| (name.clone(), Arc::default())));
    let landscapes = pipeline.stage.iter().filter(|(_, stage)| matches!(stage, Stage::StreamPower(_)));
    prepared.landscapes.extend(landscapes.map(|(name, _)| (name.clone(), Arc::new(LandscapeTables::flat()))));
    for name in pipeline.stage.keys() {
        prepared.drained.extend(pretended(name, pipeline).map(|drained| (name.clone(), drained)));
    }
    Measured { pipeline: pipeline.as_if_measured(), prepared }
}

/// A traced world in place of one that is not known: the cost of a pipeline does not depend on it. `None` for stages without such a world.
fn pretended(stage: &str, pipeline: &Pipeline) -> Option<Arc<Drained>> {
    let any = Region::plane(1, 1);
    let (world, names, answers) = match pipeline.stage.get(stage)? {
        Stage::Drainage(row) => (row.world(any), row.layers(), Answers::Water { routings: Shares::default(), throughs: Shares::default() }),
        Stage::Grade(row) => {
            let world = row.water(stage, pipeline).ok()?.world(any);
            (world, row.layers(), Answers::Grade { grading: row.grading(), behind: Shares::default() })
        }
        _ => return None,
    };
    let names = names?;
    let inputs = pipeline.needed_by(&names).ok()?;
    Some(Arc::new(Drained::new(stage.to_owned(), world?, (inputs, names), answers)))
}

/// Refuses a region that is not part of the worlds that its layers need.
pub(crate) fn check_inside(prepared: &PreparedPipeline, region: &Region) -> Result<(), LayersError> {
    let Some(drained) = prepared.drained.values().find(|drained| !drained.world.holds(region)) else { return Ok(()) };
    let told = |region: &Region| {
        let Region { origin: [x, y, _], size: [width, height, _], level, spacing, anchor } = region;
        format!("{width} × {height} samples from {x}, {y} on (level {level}, spacing {spacing}, position {anchor:?})")
    };
    let reason =
        format!("{} are not part of the world whose water is traced; allowed: part of its {}", told(region), told(&drained.world.region));
    Err(LayersError::World { stage: drained.stage.clone(), reason })
}
