//! Landscapes of `stream_power` stages: computed once, and kept for later calls.

use crate::engine::latest::Latest;
use crate::engine::measured::Measured;
use crate::engine::{Engine, Inner};
use crate::error::{EngineError, LayersError};
use crate::landscape::BYTES;
use crate::params::Input;
use crate::stage::{LandscapeTables, Pipeline, PreparedPipeline, Stage, StageError, StreamPower};
use std::sync::Arc;

/// Bytes per cell while a landscape is computed, with its inputs.
const BYTES_WITH_INPUTS: u64 = BYTES + 3 * size_of::<f32>() as u64;
/// Largest magnitude of an outlet's height.
const DEEPEST: f32 = 1e9;

/// A stage, and what its inputs are computed from.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Key {
    stage: StreamPower,
    inputs: Pipeline,
}

/// The landscapes that were computed last.
pub(crate) type LandscapeCache = Latest<Key, LandscapeTables>;

impl Engine {
    /// The landscape of the stage with this name. `prepared` holds what the stages before it need.
    ///
    /// The CPU evaluates the inputs in f32 on every engine: devices of bounded parity and the oracle would find other rivers.
    ///
    /// # Errors
    /// Returns an error if the landscape exceeds the memory, if an input cannot be evaluated, or if it was stopped.
    pub(crate) fn landscape(
        &self,
        name: &str,
        stage: &StreamPower,
        pipeline: &Pipeline,
        prepared: &PreparedPipeline,
    ) -> Result<Arc<LandscapeTables>, LayersError> {
        let inputs = [("uplift", &stage.uplift), ("erodibility", &stage.erodibility), ("base", &stage.base)];
        let key = Key { stage: stage.clone(), inputs: needed(pipeline, &inputs.map(|(_, input)| input)) };
        if let Some(landscape) = self.landscapes.find(&key) {
            return Ok(landscape);
        }
        let most = self.memory / BYTES_WITH_INPUTS;
        if stage.cells() > most {
            let value = format!("{} × {} cells", stage.columns, stage.rows);
            let allowed = format!("at most {most} cells in {} MiB of memory", self.memory >> 20);
            return Err(StageError::parameter(name, "columns", value, allowed).into());
        }
        if let Some(given) = key.inputs.stage.iter().find_map(|(given, stage)| matches!(stage, Stage::Given(_)).then_some(given)) {
            let value = format!("made from '{given}', the caller's field,");
            return Err(
                StageError::parameter(name, "uplift", value, "nodes and stages, which have values on the landscape's own grid").into()
            );
        }
        let cpu = Engine { inner: Arc::new(Inner::Cpu), ..self.clone() };
        let measured = Measured { pipeline: pipeline.clone(), prepared: prepared.clone() };
        let [uplift, erodibility, base] = inputs.map(|(param, input)| cpu.cells(name, param, input, stage, &measured));
        let (uplift, erodibility, base) = (uplift?, erodibility?, base?);
        if let Some(height) = base.iter().find(|height| height.abs() > DEEPEST) {
            return Err(StageError::parameter(name, "base", height.to_string(), "-1e9 to 1e9").into());
        }
        let landscape = stage.balance([&uplift, &erodibility, &base], &|| self.stop().is_stopped()).ok_or(EngineError::Stopped)?;
        let landscape = Arc::new(landscape);
        self.landscapes.keep(key, &landscape, self.memory / 2, LandscapeTables::bytes);
        Ok(landscape)
    }

    /// The numbers of an input, one per cell.
    fn cells(
        &self,
        name: &str,
        param: &'static str,
        input: &Input,
        stage: &StreamPower,
        measured: &Measured,
    ) -> Result<Vec<f32>, LayersError> {
        match input {
            Input::Missing => Err(StageError::MissingInput { stage: name.to_owned(), param }.into()),
            Input::Value(number) => Ok(vec![*number as f32; stage.cells() as usize]),
            Input::Node(layer) => {
                let mut layers = self.measured_layers(measured, &[layer], &stage.region())?;
                Ok(layers.remove(0).values)
            }
        }
    }
}

/// The nodes and stages that inputs are computed from.
fn needed(pipeline: &Pipeline, inputs: &[&Input]) -> Pipeline {
    let mut names = inputs.iter().filter_map(|input| if let Input::Node(name) = input { Some(name.clone()) } else { None });
    let Some(output) = names.next() else {
        return Pipeline { output: String::new(), node: Default::default(), stage: Default::default() };
    };
    let mut part = Pipeline { output, ..pipeline.clone() };
    let layers: Vec<String> = names.collect();
    let unused: Vec<String> = part.unused(&layers).into_iter().map(str::to_owned).collect();
    for name in unused {
        part.node.shift_remove(&name);
        part.stage.shift_remove(&name);
    }
    part
}
