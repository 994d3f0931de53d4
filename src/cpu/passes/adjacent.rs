//! Twin of `shaders/passes/adjacent.wgsl`: filters of neighbours, each sample and the next along one axis.

use crate::cpu::passes::stencil::Stencil;
use crate::cpu::simd::Real;
use crate::cpu::simd::real::{max, min};
use crate::schedule::pass::{AdjacentDifference, AdjacentMaximum, AdjacentMean, AdjacentMinimum, AtSample, ReadIndex};

#[inline(always)]
fn next<R: Real>(at: impl Stencil<R>, value: ReadIndex, x: R, y: R) -> R {
    at.field(value, x.to_i32(), y.to_i32())
}

#[inline(always)]
pub fn minimum<R: Real>(at: impl Stencil<R>, AdjacentMinimum { value, x, y }: AdjacentMinimum<AtSample<'_, R>>) -> [R; 1] {
    [min(at.here(value), next(at, value, x, y))]
}

#[inline(always)]
pub fn maximum<R: Real>(at: impl Stencil<R>, AdjacentMaximum { value, x, y }: AdjacentMaximum<AtSample<'_, R>>) -> [R; 1] {
    [max(at.here(value), next(at, value, x, y))]
}

#[inline(always)]
pub fn mean<R: Real>(at: impl Stencil<R>, AdjacentMean { value, x, y }: AdjacentMean<AtSample<'_, R>>) -> [R; 1] {
    [R::of(0.5) * (at.here(value) + next(at, value, x, y))]
}

#[inline(always)]
pub fn difference<R: Real>(at: impl Stencil<R>, AdjacentDifference { value, x, y }: AdjacentDifference<AtSample<'_, R>>) -> [R; 1] {
    [R::of(0.5) * (at.here(value) - next(at, value, x, y))]
}
