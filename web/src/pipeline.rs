//! Pipelines and recipes.

use crate::error::{raised, refused};
use crate::files;
use crate::noise::Noise;
use crate::region::{numbers, whole};
use crate::setting::setting;
use js_sys::Function;
use orogen::stage::Stage;
use orogen::{Bake, Region};
use wasm_bindgen::prelude::*;

/// Noises and stages.
#[wasm_bindgen]
pub struct Pipeline(pub(crate) orogen::Pipeline);

#[wasm_bindgen]
impl Pipeline {
    /// The pipeline of a noise.
    pub fn of(noise: &Noise) -> Pipeline {
        Pipeline(noise.0.clone().into())
    }

    /// A pipeline from JSON: `{"output": …, "node": {…}, "stage": {…}}`. `bytes` returns the bytes of files of heights by name, or
    /// `undefined`.
    pub fn parse(text: &str, bytes: &Function) -> Result<Pipeline, JsError> {
        let mut pipeline: orogen::Pipeline = serde_json::from_str(text).map_err(raised)?;
        files::fill(pipeline.node.values_mut(), bytes).map_err(raised)?;
        Pipeline::checked(pipeline)
    }

    /// The pipeline for another module: its JSON, and a `Map` with the bytes of the files of heights that the JSON names.
    pub fn portable(&self) -> Result<js_sys::Array, JsError> {
        let (pipeline, files) = files::portable(self.0.clone());
        Ok(js_sys::Array::of2(&serde_json::to_string(&pipeline).map_err(raised)?.into(), &files))
    }

    /// A copy, for functions that take a pipeline over.
    pub fn copy(&self) -> Pipeline {
        Pipeline(self.0.clone())
    }

    /// The pipeline as JSON, which `parse` reads.
    pub fn json(&self) -> Result<String, JsError> {
        serde_json::to_string(&self.0).map_err(raised)
    }

    /// Changes a live parameter by its path, `stage.parameter` or `node.parameter`. The value is JSON.
    pub fn set(&mut self, path: &str, value: &str) -> Result<(), JsError> {
        let mut changed = self.0.clone();
        changed.set(path, setting(path, value)?).map_err(raised)?;
        changed.check().map_err(raised)?;
        self.0 = changed;
        Ok(())
    }

    /// The value of a parameter by its path, as JSON; `undefined` if it is not set.
    pub fn get(&self, path: &str) -> Result<Option<String>, JsError> {
        let found = self.0.get(path).map_err(raised)?;
        found.map(|setting| serde_json::to_string(&setting).map_err(raised)).transpose()
    }

    /// The output: a stage, an output of a stage, or a node.
    pub fn output(&self) -> String {
        self.0.output.clone()
    }

    /// This pipeline with another output.
    pub fn with_output(&self, name: &str) -> Result<Pipeline, JsError> {
        Pipeline::checked(self.0.clone().output(name))
    }

    /// The noise whose output is the given node; without a name, that of the first node under the output.
    pub fn noise_of(&self, name: Option<String>) -> Result<Noise, JsError> {
        let name = name.as_deref().or_else(|| self.0.underneath()).unwrap_or(&self.0.output);
        self.0.noise_of(name).map(Noise).map_err(raised)
    }
}

impl Pipeline {
    fn checked(pipeline: orogen::Pipeline) -> Result<Pipeline, JsError> {
        pipeline.check().map_err(raised)?;
        Ok(Pipeline(pipeline))
    }
}

/// A stage of any kind whose parameters are being set.
#[wasm_bindgen]
pub struct StageOfKind {
    stage: Stage,
    base: orogen::Pipeline,
}

#[wasm_bindgen]
impl StageOfKind {
    /// A stage with default parameters, over a pipeline whose parts keep their names.
    #[wasm_bindgen(constructor)]
    pub fn new(kind: &str, base: Option<Pipeline>) -> Result<StageOfKind, JsError> {
        let kinds = || Stage::TABLE.iter().map(|row| row.kind).collect::<Vec<_>>().join(", ");
        let stage = Stage::of_kind(kind).ok_or_else(|| refused("kind", format!("'{kind}'"), &kinds()))?;
        let nothing = || orogen::Pipeline { output: String::new(), node: Default::default(), stage: Default::default() };
        Ok(StageOfKind { stage, base: base.map_or_else(nothing, |base| base.0) })
    }

    /// Sets a parameter; the value is JSON. Inputs are numbers, or names of parts of the base.
    pub fn set(&mut self, param: &str, value: &str) -> Result<(), JsError> {
        let what = format!("stage '{}': {param}", self.stage.info().kind);
        self.stage.set(param, setting(&what, value)?).map_err(raised)
    }

    /// Sets an input to the base's output.
    pub fn input_base(&mut self, param: &str) -> Result<(), JsError> {
        self.stage.set(param, self.base.output.clone()).map_err(raised)
    }

    /// Sets an input to a pipeline.
    pub fn input(&mut self, param: &str, pipeline: &Pipeline) -> Result<(), JsError> {
        let name = self.base.join(&pipeline.0);
        self.stage.set(param, name).map_err(raised)
    }

    /// Sets an input to a noise.
    pub fn input_noise(&mut self, param: &str, noise: &Noise) -> Result<(), JsError> {
        let name = self.base.take_in(&noise.0);
        // Without a pipeline, the first noise becomes one.
        if self.base.output.is_empty() {
            self.base.output.clone_from(&name);
        }
        self.stage.set(param, name).map_err(raised)
    }

    /// The pipeline that ends in the stage, under this name.
    pub fn finish(self, name: Option<String>) -> Result<Pipeline, JsError> {
        let name = name.unwrap_or_else(|| self.stage.info().kind.to_owned());
        Pipeline::checked(self.base.named(&name, self.stage))
    }
}

/// A recipe: a pipeline with the defaults of its bake.
#[wasm_bindgen]
pub struct Recipe(orogen::Recipe);

#[wasm_bindgen]
impl Recipe {
    /// Reads TOML, or JSON if the text begins with a brace. `file` is the name in messages. `bytes` returns the bytes of a file of
    /// heights, or of another recipe, by its name, or `undefined`.
    pub fn parse(text: &str, file: &str, bytes: &Function) -> Result<Recipe, JsError> {
        let reader = files::reader(bytes, |name| format!("files has no '{name}'"));
        let is_json = text.trim_start_matches('\u{feff}').trim_start().starts_with('{');
        let read = if is_json { reader.json(text, file) } else { reader.toml(text, file) };
        read.map(|read| Recipe(read.recipe)).map_err(raised)
    }

    /// The recipe as TOML.
    pub fn toml(&self) -> Result<String, JsError> {
        self.0.to_toml().map_err(raised)
    }

    /// The recipe as JSON.
    pub fn json(&self) -> Result<String, JsError> {
        self.0.to_json().map_err(raised)
    }

    /// The nodes, the stages and the output.
    pub fn pipeline(&self) -> Pipeline {
        Pipeline(self.0.pipeline.clone())
    }

    /// The output as a noise, if it is a node.
    pub fn noise(&self) -> Result<Noise, JsError> {
        self.0.noise().map(Noise).map_err(raised)
    }

    /// The defaults of a bake, as JSON.
    pub fn bake(&self) -> Result<String, JsError> {
        serde_json::to_string(&self.0.bake).map_err(raised)
    }

    /// The numbers of the region of tile (x, y), for tiles of `size`² samples; 0: the recipe's size.
    pub fn tile(&self, x: f64, y: f64, level: u32, size: u32) -> Result<Vec<f64>, JsError> {
        let Bake { tile, spacing, z, .. } = self.0.bake;
        let bounds = [-f64::from(1 << 30), f64::from(1 << 30)];
        let [x, y] = [whole("x", x, bounds)? as i64, whole("y", y, bounds)? as i64];
        let size = if size == 0 { tile } else { size };
        Ok(numbers(&Region { level, spacing, anchor: [0.0, 0.0, z], ..Region::tile(x, y, size) }))
    }
}
