//! Evaluation, on the calling thread.

use crate::error::{raised, refused, room};
use crate::noise::Noise;
use crate::region::region;
use crate::setting::setting;
use orogen::{Backend, EngineOptions, Threads};
use wasm_bindgen::prelude::*;

/// An engine without threads.
#[wasm_bindgen]
pub struct Engine(pub(crate) orogen::Engine);

#[wasm_bindgen]
impl Engine {
    /// Opens an engine. `memory`: the limit in bytes for stages, by default 1 GiB.
    #[wasm_bindgen(constructor)]
    pub fn new(backend: &str, memory: Option<f64>) -> Result<Engine, JsError> {
        let backends = [Backend::Cpu, Backend::Oracle];
        let names = backends.map(Backend::name).join(", ");
        let backend = backends.into_iter().find(|known| known.name() == backend);
        let backend = backend.ok_or_else(|| JsError::new(&format!("this backend is not available here; allowed: {names}")))?;
        if let Some(memory) = memory.filter(|memory| !(1.0..=4_294_967_296.0).contains(memory)) {
            return Err(refused("memory", memory, "1 to 4294967296 bytes"));
        }
        let options = EngineOptions { backend, memory: memory.map(|bytes| bytes as u64), threads: Threads::Caller, ..Default::default() };
        orogen::Engine::open(&options).map(Engine).map_err(raised)
    }

    /// The CPU's instruction set: `scalar`, or that of the module.
    pub fn adapter(&self) -> String {
        self.0.describe().adapter
    }

    /// Prepares a noise for many calls.
    pub fn prepare(&self, noise: &Noise) -> Result<Prepared, JsError> {
        let noise = self.0.prepare(&noise.0).map_err(raised)?;
        Ok(Prepared { noise, values: Vec::new(), gradients: Vec::new() })
    }
}

/// A noise prepared once, and the memory of its latest results.
#[wasm_bindgen]
pub struct Prepared {
    noise: orogen::Prepared,
    values: Vec<f32>,
    gradients: Vec<[f32; 3]>,
}

#[wasm_bindgen]
impl Prepared {
    /// Changes a live parameter by its path. The value is JSON.
    pub fn set(&mut self, path: &str, value: &str) -> Result<(), JsError> {
        self.noise.set(path, setting(path, value)?).map_err(raised)
    }

    /// The value at a position; NaN if it fails, and `failure` then has the reason.
    pub fn value(&self, x: f64, y: f64, z: f64) -> f64 {
        self.noise.value([x, y, z]).unwrap_or(f64::NAN)
    }

    /// Throws an error if the noise cannot be evaluated at a position.
    pub fn failure(&self, x: f64, y: f64, z: f64) -> Result<(), JsError> {
        self.noise.value([x, y, z]).map(|_| ()).map_err(raised)
    }

    /// Computes the values of a region.
    pub fn field(&mut self, numbers: &[f64]) -> Result<(), JsError> {
        let region = region(numbers)?;
        room(&mut self.values, region.samples())?;
        self.noise.field_into(&region, &mut self.values).map_err(raised)
    }

    /// Computes values and gradients of a region.
    pub fn field_with_gradient(&mut self, numbers: &[f64]) -> Result<(), JsError> {
        let region = region(numbers)?;
        room(&mut self.values, region.samples())?;
        room(&mut self.gradients, region.samples())?;
        self.noise.field_with_gradient_into(&region, &mut self.values, &mut self.gradients).map_err(raised)
    }

    /// Computes the values at positions: x, y, z of each in turn.
    pub fn sample(&mut self, positions: &[f64]) -> Result<(), JsError> {
        let (positions, rest) = positions.as_chunks::<3>();
        if !rest.is_empty() {
            return Err(refused("positions: numbers", positions.len() * 3 + rest.len(), "three for each position"));
        }
        room(&mut self.values, positions.len() as u64)?;
        self.noise.sample_into(positions, &mut self.values).map_err(raised)
    }

    /// The address of the latest values.
    pub fn values(&self) -> *const f32 {
        self.values.as_ptr()
    }

    /// The number of the latest values.
    pub fn count(&self) -> usize {
        self.values.len()
    }

    /// The address of the latest gradients, three numbers for each value.
    pub fn gradients(&self) -> *const f32 {
        self.gradients.as_flattened().as_ptr()
    }
}
