//! Twin of `shaders/passes/adjacent.wgsl`: filters of each sample and the next along one axis.

use crate::cpu::passes::stencil::{AtSample, Each, Stencil};
use crate::cpu::simd::real::{max, min};
use crate::schedule::pass::{AdjacentDifference, AdjacentMaximum, AdjacentMean, AdjacentMinimum, ReadIndex};

#[inline(always)]
fn next<S: Stencil>(at: S, value: ReadIndex, x: Each<S>, y: Each<S>) -> Each<S> {
    at.field(value, at.count(x), at.count(y))
}

#[inline(always)]
pub fn minimum<S: Stencil>(at: S, AdjacentMinimum { value, x, y }: AdjacentMinimum<AtSample<'_, S>>) -> [Each<S>; 1] {
    [min(at.here(value), next(at, value, x, y))]
}

#[inline(always)]
pub fn maximum<S: Stencil>(at: S, AdjacentMaximum { value, x, y }: AdjacentMaximum<AtSample<'_, S>>) -> [Each<S>; 1] {
    [max(at.here(value), next(at, value, x, y))]
}

#[inline(always)]
pub fn mean<S: Stencil>(at: S, AdjacentMean { value, x, y }: AdjacentMean<AtSample<'_, S>>) -> [Each<S>; 1] {
    [at.constant(0.5) * (at.here(value) + next(at, value, x, y))]
}

#[inline(always)]
pub fn difference<S: Stencil>(at: S, AdjacentDifference { value, x, y }: AdjacentDifference<AtSample<'_, S>>) -> [Each<S>; 1] {
    [at.constant(0.5) * (at.here(value) - next(at, value, x, y))]
}
