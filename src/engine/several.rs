//! Several noises prepared together, with shared parts computed once.

use super::prepared::{Lowered, PreparedSetError, check_length, check_positions};
use super::{Engine, EngineError, Inner};
use crate::cpu::Out;
use crate::gpu;
use crate::graph::{Graph, Noise};
use crate::params::Setting;
use crate::program::{GraphError, Program, ProgramError};
use crate::region::{Region, RegionBatch};
use std::ops::ControlFlow;
use std::sync::Arc;

/// Several noises on an engine, prepared together, such as height, moisture and temperature of one world. A call gives the values
/// of all, with those of a sample contiguous, and evaluates shared nodes once. The bits equal those of each noise alone.
///
/// Clones share everything; every method may be called from any thread. On the CPU, calls allocate nothing after warm-up. On a
/// GPU, one kernel computes all of them.
///
/// ```
/// use orogen::prelude::*;
/// let engine = Engine::open(&EngineOptions { backend: Backend::Cpu, ..Default::default() })?;
/// let hills = Noise::simplex(Simplex::default()).fractal(Fractal::default()).named("hills");
/// let (height, snow) = (hills.clone().scale_offset(300.0, 0.0), hills.smoothstep(0.2, 0.6));
/// let both = engine.prepare_several(&[&height, &snow])?;
/// let mut values = vec![0.0; 2 * 33 * 33];
/// both.field_into(&Region::plane(33, 33), &mut values)?;
/// assert_eq!(f64::from(values[2 * 5 + 1]), engine.prepare(&snow)?.value([5.0, 0.0, 0.0])?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct PreparedSeveral {
    engine: Engine,
    /// All nodes; the output is that of the first noise.
    noise: Noise,
    outputs: Vec<String>,
    lowered: Arc<Lowered>,
}

impl Engine {
    /// Prepares several noises together, for many calls.
    ///
    /// # Errors
    /// Returns an error if there are no noises, or if one is invalid.
    pub fn prepare_several(&self, noises: &[&Noise]) -> Result<PreparedSeveral, EngineError> {
        let [first, others @ ..] = noises else {
            return Err(ProgramError::from(GraphError::parameter("", "output", "no noise", "one or more noises")).into());
        };
        let mut noise = (*first).clone();
        let mut outputs = vec![noise.graph().output.clone()];
        outputs.extend(others.iter().map(|other| noise.absorb(other)));
        Ok(self.lowered_together(noise, outputs)?)
    }

    fn lowered_together(&self, noise: Noise, outputs: Vec<String>) -> Result<PreparedSeveral, ProgramError> {
        let lowered = Lowered::of(Program::several(noise.graph(), &outputs)?, &self.pool);
        Ok(PreparedSeveral { engine: self.clone(), noise, outputs, lowered })
    }
}

impl PreparedSeveral {
    /// The number of values per sample: one for each noise.
    pub fn outputs(&self) -> usize {
        self.outputs.len()
    }

    /// The noises joined into one graph, with the names for [`set_all`](Self::set_all). Its output is that of the first.
    pub fn noise(&self) -> &Noise {
        &self.noise
    }

    /// Copies of the current noises, in their original order. Each contains all nodes.
    pub fn noises(&self) -> impl Iterator<Item = Noise> {
        self.outputs.iter().map(|output| Graph { output: output.clone(), node: self.noise.graph().node.clone() }.into())
    }

    #[cfg(feature = "gpu")]
    pub(super) fn program(&self) -> &Program {
        &self.lowered.program
    }

    /// The engine that evaluates them.
    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    /// The cost of a sample of all noises; see [`Prepared::terms`](crate::Prepared::terms).
    pub fn terms(&self) -> u64 {
        self.lowered.program.terms()
    }

    /// Changes live parameters by their paths, as [`Prepared::set_all`](crate::Prepared::set_all) does; nodes that several noises
    /// share change in all of them.
    ///
    /// # Errors
    /// Returns the errors of [`Prepared::set_all`](crate::Prepared::set_all). All noises are then unchanged.
    pub fn set_all<P: AsRef<str>, V: Into<Setting>>(&mut self, changes: impl IntoIterator<Item = (P, V)>) -> Result<(), PreparedSetError> {
        let mut noise = self.noise.clone();
        for (path, value) in changes {
            noise.set(path.as_ref(), value)?;
        }
        *self = self.engine.lowered_together(noise, self.outputs.clone())?;
        Ok(())
    }

    /// Values at any positions, in f32, into a slice with an element per position and noise; those of a position are contiguous.
    ///
    /// # Errors
    /// Returns an error if a position is out of range for a noise, if the slice has another length, or if the device failed.
    pub fn sample_into(&self, positions: &[[f64; 3]], values: &mut [f32]) -> Result<(), EngineError> {
        check_positions(positions)?;
        check_length("positions", (positions.len() * self.outputs()) as u64, values.len())?;
        match &*self.engine.inner {
            Inner::Cpu => self.lowered.single().points_into(positions, 0.0, Out { values, gradients: None })?,
            Inner::Oracle(_) => self.lowered.double().points(positions, 0.0, false)?.copy_to(values, None),
            Inner::Gpu(context) => gpu::points(context, &self.lowered.program, positions, false)?.copy_to(values, None),
        }
        self.engine.go_on()
    }

    /// Values on a region, x fastest, then y, then z, into a slice with an element per sample and noise; those of a sample are
    /// contiguous.
    ///
    /// # Errors
    /// Returns an error if the region is out of range for a noise, if the slice has another length, or if the device failed.
    pub fn field_into(&self, region: &Region, values: &mut [f32]) -> Result<(), EngineError> {
        region.check()?;
        check_length("size", region.samples() * self.outputs() as u64, values.len())?;
        match &*self.engine.inner {
            Inner::Cpu => self.lowered.single().field_into(region, 0.0, Out { values, gradients: None })?,
            Inner::Oracle(_) => self.lowered.double().field(region, false)?.copy_to(values, None),
            Inner::Gpu(context) => {
                let batch = RegionBatch { first: *region, largest: region.samples() };
                gpu::regions(context, &self.lowered.program, batch, &mut std::iter::once(*region), false, &mut |_, _, found| {
                    found.copy_to(values, None);
                    ControlFlow::Continue(())
                })?;
            }
        }
        self.engine.go_on()
    }
}
