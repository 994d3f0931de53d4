//! The tracer of an engine: the CPU, or the engine's GPU.

use crate::drainage::down::{Amounts, Downstream, Sums};
use crate::drainage::route::Routed;
use crate::drainage::square::Square;
use crate::drainage::surface::Surface;
use crate::engine::{Engine, Inner, Water};
use crate::error::{EngineError, LayersError};
use crate::gpu::{self, GpuError, Parity, RequestError};
use crate::stage::{DrainedWorld, Pipeline, SquareLayers};
use crate::world::questions::Questions;
use crate::world::tracer::{CpuTracer, Tracer};
use std::sync::Arc;

/// Checks that an engine can trace water as requested.
pub(super) fn check(inner: &Inner, water: Water, gpu_refused: Option<&str>) -> Result<(), EngineError> {
    let reason = match (water, inner) {
        (Water::Cpu, _) => return Ok(()),
        (Water::Gpu, Inner::Gpu(context)) => match (context.parity(), context.bounded_because()) {
            (Parity::Exact, _) => return Ok(()),
            (Parity::Bounded, reason) => reason.unwrap_or("its bits may differ from the CPU's"),
        },
        (Water::Gpu, Inner::Cpu | Inner::Oracle(_)) => gpu_refused.unwrap_or("this engine has no GPU"),
    };
    let allowed = format!("cpu, or an engine on a GPU with exact arithmetic ({reason})");
    Err(RequestError::not_allowed("water", "gpu", allowed).into())
}

impl Engine {
    pub(crate) fn tracer(&self) -> Arc<dyn Tracer> {
        match (&*self.inner, self.water) {
            (Inner::Gpu(context), Water::Gpu) => Arc::new(GpuTracer(Arc::clone(context))),
            (Inner::Gpu(_) | Inner::Cpu | Inner::Oracle(_), _) => Arc::new(CpuTracer),
        }
    }

    /// Questions about a world, whose water this engine traces.
    pub(crate) fn questions(&self, pipeline: Pipeline, outputs: &[impl AsRef<str>], ranged: &[impl AsRef<str>]) -> Questions {
        Questions::new(pipeline, outputs, ranged).traced_by(self.tracer())
    }
}

/// Heights closer to 0 have slopes that some devices round to 0: numbers below 2⁻¹²⁶.
const SMALLEST: f32 = 1.0 / (1_u128 << 100) as f32;

/// Traces on a GPU. Squares with heights that are too small for the device are traced on the CPU, with the same bits.
struct GpuTracer(Arc<gpu::Context>);

impl std::fmt::Debug for GpuTracer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("GpuTracer").field(&self.0.summary().name).finish()
    }
}

impl Tracer for GpuTracer {
    fn square<'a>(&self, world: &'a DrainedWorld, number: u32, layers: &SquareLayers<'_>) -> Result<Square<'a>, LayersError> {
        if layers.heights.iter().any(|height| *height != 0.0 && height.abs() < SMALLEST) {
            return CpuTracer.square(world, number, layers);
        }
        let (grid, rect) = (&world.grid, world.grid.square(number));
        let found = self.0.find_basins(grid, &rect, (layers.heights, layers.mask), &world.tracing.outlets).map_err(EngineError::from)?;
        let square = Square::from_found(Surface::new(grid, rect, layers.heights), found);
        Ok(square.ok_or_else(|| EngineError::from(GpuError::Refused("it found no tree of basins".to_owned())))?)
    }

    fn sums(&self, routed: &Routed<'_>, _: &Downstream, amounts: Amounts) -> Result<Sums, LayersError> {
        let size = routed.square.surface.rect.size;
        Ok(self.0.sum_downwards(size, &routed.directions, &amounts).map_err(EngineError::from)?)
    }
}
