//! The computations for each square of drainage, on the CPU or on a device that gives the same bits.

use crate::drainage::down::{Amounts, Downstream, Sums};
use crate::drainage::downward::Planes;
use crate::drainage::flow::amounts;
use crate::drainage::passes::Routing;
use crate::drainage::record::{Flow, Through};
use crate::drainage::route::Routed;
use crate::drainage::square::Square;
use crate::error::LayersError;
use crate::stage::{DrainedWorld, SquareLayers};
use std::fmt::Debug;

/// The parts of the work on a square that a device can do. All tracers give the same bits.
pub(crate) trait Tracer: Debug + Send + Sync {
    /// A square by itself: its receivers, its basins, and the lowest passes between them.
    ///
    /// # Errors
    /// The device failed.
    fn square<'a>(&self, world: &'a DrainedWorld, number: u32, layers: &SquareLayers<'_>) -> Result<Square<'a>, LayersError>;

    /// Sums of amounts down the water of a square, and the rest of the way.
    ///
    /// # Errors
    /// The device failed.
    fn sums(&self, routed: &Routed<'_>, down: &Downstream, amounts: Amounts) -> Result<Sums, LayersError>;
}

/// Traces on the calling thread.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CpuTracer;

impl Tracer for CpuTracer {
    fn square<'a>(&self, world: &'a DrainedWorld, number: u32, layers: &SquareLayers<'_>) -> Result<Square<'a>, LayersError> {
        Ok(Square::new(&world.grid, world.grid.square(number), layers.heights, layers.mask, &world.tracing.outlets))
    }

    fn sums(&self, routed: &Routed<'_>, down: &Downstream, amounts: Amounts) -> Result<Sums, LayersError> {
        Ok(Sums::new(down, &routed.directions, routed.square.surface.offsets(), amounts))
    }
}

/// A square of a world, with its layers.
#[derive(Clone, Copy)]
pub(crate) struct Traced<'a> {
    pub tracer: &'a dyn Tracer,
    pub world: &'a DrainedWorld,
    pub number: u32,
    pub layers: SquareLayers<'a>,
}

impl<'a> Traced<'a> {
    /// The square by itself.
    pub fn square(&self) -> Result<Square<'a>, LayersError> {
        self.tracer.square(self.world, self.number, &self.layers)
    }

    /// The record of the water that flows through the square.
    pub fn flow(&self, routing: &Routing) -> Result<Flow, LayersError> {
        let routed = Routed::new(self.square()?, routing);
        let (down, sums) = self.sums(&routed, &Through::default())?;
        Ok(Flow::new(&routed, &down, &sums, self.world.tracing.breach))
    }

    /// The planes of the square.
    pub fn planes(&self, routing: &Routing, through: &Through) -> Result<Planes, LayersError> {
        let routed = Routed::new(self.square()?, routing);
        let (down, sums) = self.sums(&routed, through)?;
        Ok(Planes::new(&routed, &down, sums, through, self.world.tracing.breach))
    }

    fn sums(&self, routed: &Routed<'_>, through: &Through) -> Result<(Downstream, Sums), LayersError> {
        let down = Downstream::new(&routed.directions, routed.square.surface.offsets());
        let sums = self.tracer.sums(routed, &down, amounts(routed, self.layers.rain, &through.enters))?;
        Ok((down, sums))
    }
}
