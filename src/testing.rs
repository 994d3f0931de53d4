//! Hooks for this package's own tests. Hidden, and no part of the library's interface: they may change or go at any time.

pub use crate::cpu::simd::dispatch::narrow;
pub use crate::gpu::pass_kernels;

use crate::cpu;
use crate::engine::{Engine, EngineError};
use crate::field::Samples;
use crate::gpu::{self, FloatControls};
use crate::graph::Noise;
use crate::node::Node;
use crate::program::{Program, ProgramError, gradient_bound as gradient_bound_of};
use crate::region::Region;
use std::sync::Arc;

/// How far f32 may be from f64 in a node by itself, as a share of the largest magnitude that its values can have.
pub fn rounding(node: &Node) -> f64 {
    node.as_kind().precision().rounding
}

/// The length that the gradients of a noise do not exceed, per world unit.
///
/// # Errors
/// An invalid noise.
pub fn gradient_bound(noise: &Noise) -> Result<f64, ProgramError> {
    gradient_bound_of(noise.graph())
}

/// Files of the shader library and those that they require, as one text: what the naive kernels of `benches/kernels` are written with.
///
/// # Errors
/// An unknown file.
pub fn shaders(names: &[&str]) -> Result<String, String> {
    crate::gpu::library(names, false).map_err(|error| error.to_string())
}

/// From now on the engine's kernels are compiled with `from` replaced by `to`: how a test proves that a wrong kernel is caught. Does
/// nothing without a GPU.
pub fn sabotage(engine: &Engine, from: &str, to: &str) {
    if let Some(context) = engine.gpu() {
        context.sabotage(from, to);
    }
}

/// Destroys the engine's device, as a driver that fails would: how a test sees what follows. Does nothing without a GPU.
pub fn lose(engine: &Engine) {
    if let Some(context) = engine.gpu() {
        context.lose();
    }
}

/// From now on kernels are those of a GPU, on software adapters too: what a machine without a GPU can test of them.
pub fn as_on_a_gpu(engine: &Engine) {
    if let Some(context) = engine.gpu() {
        context.as_on_a_gpu();
    }
}

/// A kernel as SPIR-V in exact arithmetic, for a device that can be held to all there is, and for one that can be held to nothing.
///
/// # Errors
/// What naga finds wrong with the kernel.
pub fn spirv(wgsl: &str) -> Result<[Vec<u32>; 2], String> {
    let all = FloatControls { subnormal: true, special: true, nearest: true };
    Ok([gpu::exact(wgsl, all)?, gpu::exact(wgsl, FloatControls::default())?])
}

/// How many bind groups and pairs of buffers have been created for recorded dispatches since the device was opened: how a test
/// proves that recording creates nothing once it is warm. 0 without a GPU.
pub fn created(engine: &Engine) -> usize {
    engine.gpu().map_or(0, crate::gpu::Context::created)
}

/// Whether a buffer of so many bytes can be filled with what finds unwritten samples. Without a GPU there is nothing to fill.
pub fn poisons(engine: &Engine, bytes: u64) -> bool {
    engine.gpu().is_some_and(|context| context.poison_of(bytes).is_ok())
}

/// A region on every instruction set that this machine has, down to none: values alone, and values and gradients.
///
/// # Errors
/// An invalid noise or region.
pub fn on_every_instruction_set(noise: &Noise, region: &Region) -> Result<Vec<[Samples<f32>; 2]>, EngineError> {
    Ok(cpu::on_every_instruction_set(&Arc::new(Program::new(noise.graph())?), region)?)
}
