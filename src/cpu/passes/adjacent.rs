//! Twin of `shaders/passes/adjacent.wgsl`: filters of neighbours, each sample and the next along one axis.

use crate::cpu::passes::stencil::Stencil;
use crate::cpu::simd::Real;
use crate::cpu::simd::real::{max, min};

#[inline(always)]
fn next<R: Real>(at: impl Stencil<R>) -> R {
    at.field(0, at.count(0), at.count(1))
}

#[inline(always)]
pub fn minimum<R: Real>(at: impl Stencil<R>) -> [R; 1] {
    [min(at.field(0, 0, 0), next(at))]
}

#[inline(always)]
pub fn maximum<R: Real>(at: impl Stencil<R>) -> [R; 1] {
    [max(at.field(0, 0, 0), next(at))]
}

#[inline(always)]
pub fn mean<R: Real>(at: impl Stencil<R>) -> [R; 1] {
    [R::of(0.5) * (at.field(0, 0, 0) + next(at))]
}

#[inline(always)]
pub fn difference<R: Real>(at: impl Stencil<R>) -> [R; 1] {
    [R::of(0.5) * (at.field(0, 0, 0) - next(at))]
}
