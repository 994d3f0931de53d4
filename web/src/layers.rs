//! Layers of pipelines.

use crate::engine::Engine;
use crate::error::raised;
use crate::pipeline::Pipeline;
use crate::region::region;
use orogen::{Layer, Region};
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
impl Engine {
    /// Layers of a pipeline on a region.
    pub fn layers(&self, pipeline: &Pipeline, outputs: Vec<String>, numbers: &[f64]) -> Result<Layers, JsError> {
        let region = region(numbers)?;
        let layers = self.0.layers(&pipeline.0, &outputs, &region).map_err(raised)?;
        Ok(Layers(layers))
    }

    /// The pipeline with its questions about the world answered; `world` has the numbers of the regions that make it up.
    pub fn measure(&self, pipeline: &Pipeline, outputs: Vec<String>, world: &[f64]) -> Result<Pipeline, JsError> {
        self.0.measure(&pipeline.0, &outputs, &regions(world)?).map(Pipeline).map_err(raised)
    }
}

/// Layers of a region.
#[wasm_bindgen]
pub struct Layers(Vec<Layer>);

#[wasm_bindgen]
impl Layers {
    /// The number of channels of a layer.
    pub fn channels(&self, layer: usize) -> usize {
        self.0.get(layer).map_or(0, |layer| layer.channels)
    }

    /// The samples of a layer; the channels of a sample are adjacent. Leaves the layer empty.
    pub fn take(&mut self, layer: usize) -> Vec<f32> {
        self.0.get_mut(layer).map_or_else(Vec::new, |layer| std::mem::take(&mut layer.values))
    }
}

/// Regions from their numbers, one after the other.
fn regions(numbers: &[f64]) -> Result<Vec<Region>, JsError> {
    numbers.chunks(11).map(region).collect()
}
