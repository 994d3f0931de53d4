//! Hooks for this package's own tests. Hidden, and not part of the library's interface: they may change or disappear at any time.

pub use crate::cpu::simd::dispatch::narrow;
#[cfg(feature = "gpu")]
pub use crate::gpu::{pass_kernels, water_kernels};

use crate::cpu;
#[cfg(feature = "gpu")]
use crate::engine::Engine;
use crate::error::EngineError;
use crate::field::Samples;
#[cfg(feature = "gpu")]
use crate::gpu::{self, FloatControls};
use crate::graph::Noise;
use crate::graph::lower::gradient_bound as gradient_bound_of;
use crate::graph::node::Node;
use crate::program::{Program, ProgramError};
use crate::region::Region;
use std::sync::Arc;

/// Bound of the difference between f32 and f64 in a single node, as a share of the largest possible magnitude of its values.
pub fn rounding(node: &Node) -> f64 {
    node.as_kind().precision().rounding
}

/// Upper bound of the length of a noise's gradients, per world unit.
///
/// # Errors
/// Returns an error if the noise is invalid.
pub fn gradient_bound(noise: &Noise) -> Result<f64, ProgramError> {
    gradient_bound_of(noise.graph())
}

/// Files of the shader library with those that they require, as one text: the base of the naive kernels in `benches/kernels`.
///
/// # Errors
/// Returns an error for an unknown file.
#[cfg(feature = "gpu")]
pub fn shaders(names: &[&str]) -> Result<String, String> {
    crate::gpu::library(names, false).map_err(|error| error.to_string())
}

/// Compiles the engine's later kernels with `from` replaced by `to`, so that a test can prove that it detects a wrong kernel.
/// Does nothing without a GPU.
#[cfg(feature = "gpu")]
pub fn sabotage(engine: &Engine, from: &str, to: &str) {
    if let Some(context) = engine.gpu() {
        context.sabotage(from, to);
    }
}

/// Destroys the engine's device, as a failing driver would. Does nothing without a GPU.
#[cfg(feature = "gpu")]
pub fn lose(engine: &Engine) {
    if let Some(context) = engine.gpu() {
        context.lose();
    }
}

/// Uses kernels for hardware GPUs on software adapters as well, to test them on a machine without a GPU.
#[cfg(feature = "gpu")]
pub fn as_on_a_gpu(engine: &Engine) {
    if let Some(context) = engine.gpu() {
        context.as_on_a_gpu();
    }
}

/// A kernel as SPIR-V in exact arithmetic, for a device that supports all float controls and for one that supports none.
///
/// # Errors
/// Returns the errors that naga finds in the kernel.
#[cfg(feature = "gpu")]
pub fn spirv(wgsl: &str) -> Result<[Vec<u32>; 2], String> {
    let all = FloatControls { subnormal: true, special: true, nearest: true };
    Ok([gpu::exact(wgsl, all)?, gpu::exact(wgsl, FloatControls::default())?])
}

/// Number of bind groups and pairs of buffers created for recorded dispatches since the device was opened. It shows that
/// recording allocates nothing after warm-up. 0 without a GPU.
#[cfg(feature = "gpu")]
pub fn created(engine: &Engine) -> usize {
    engine.gpu().map_or(0, crate::gpu::Context::created)
}

/// Whether a buffer of this size can be filled with the marker for unwritten samples. Without a GPU there is nothing to fill.
#[cfg(feature = "gpu")]
pub fn poisons(engine: &Engine, bytes: u64) -> bool {
    engine.gpu().is_some_and(|context| context.poison_of(bytes).is_ok())
}

/// Evaluates a region on every instruction set of this machine, down to scalar code: values alone, and values with gradients.
///
/// # Errors
/// Returns an error if the noise or the region is invalid.
pub fn on_every_instruction_set(noise: &Noise, region: &Region) -> Result<Vec<[Samples<f32>; 2]>, EngineError> {
    Ok(cpu::on_every_instruction_set(&Arc::new(Program::new(noise.graph())?), region)?)
}
