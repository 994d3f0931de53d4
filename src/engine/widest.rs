//! Finds the stage with the widest halo of a pipeline, for messages about blocks that are too large.

use crate::engine::Engine;
use crate::error::Widest;
use crate::params::Input;
use crate::region::Region;
use crate::stage::{Pipeline, PreparedPipeline, Stage, lower, order};
use indexmap::IndexMap;

impl Engine {
    /// The stage with the largest reach among those that outputs of a pipeline need; it determines the size of blocks. `None` if
    /// no stage has a parameter that determines its reach.
    pub fn widest_stage(&self, pipeline: &Pipeline, outputs: &[impl AsRef<str>], region: &Region) -> Option<Widest> {
        widest(pipeline, outputs, region)
    }
}

/// For the stages that outputs of a pipeline need.
pub(super) fn widest(pipeline: &Pipeline, outputs: &[impl AsRef<str>], region: &Region) -> Option<Widest> {
    let names = outputs.iter().filter_map(|output| order(pipeline, output.as_ref()).ok()).flatten();
    let found = names.filter_map(|name| {
        let stage = pipeline.stage.get(name)?;
        let param = stage.as_kind().reach_parameter()?;
        let (reach, value) = (reach(name, stage, region)?, stage.setting(param)??);
        Some(Widest { stage: name.to_owned(), param, value, reach })
    });
    found.max_by_key(|widest| widest.reach)
}

/// Samples to either side of its inputs that a stage reads.
fn reach(name: &str, stage: &Stage, region: &Region) -> Option<u32> {
    let mut stage = stage.clone();
    for input in stage.inputs_mut() {
        *input = Input::Value(0.0);
    }
    let alone = Pipeline { output: name.to_owned(), node: IndexMap::new(), stage: IndexMap::from([(name.to_owned(), stage)]) };
    Some(lower(&alone, &[name], region, &PreparedPipeline::default()).ok()?.halo())
}
