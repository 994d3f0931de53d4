//! Twin of `shaders/passes/point.wgsl`: what becomes of samples by themselves.

use crate::cpu::passes::stencil::Stencil;
use crate::cpu::simd::Real;
use crate::cpu::simd::real::{max, min, select};

#[inline(always)]
pub fn fill<R: Real>(at: impl Stencil<R>) -> [R; 1] {
    [at.number(0)]
}

/// Scaled, shifted, held.
#[inline(always)]
pub fn scale<R: Real>(at: impl Stencil<R>) -> [R; 1] {
    [min(max(at.field(0, 0, 0) * at.number(0) + at.number(1), at.number(2)), at.number(3))]
}

/// Numbers: the smallest, a scale, what the smallest becomes, the bounds.
#[inline(always)]
pub fn stretch<R: Real>(at: impl Stencil<R>) -> [R; 1] {
    [min(max((at.field(0, 0, 0) - at.number(0)) * at.number(1) + at.number(2), at.number(3)), at.number(4))]
}

/// The share of a distribution that lies below, between two numbers. The table holds quantiles, then the reciprocals of their
/// differences.
#[inline(always)]
pub fn rank<R: Real>(at: impl Stencil<R>) -> [R; 1] {
    let x = at.field(0, 0, 0);
    let last = at.count(0) as usize;
    let (mut low, mut high) = (0, last);
    while high - low > 1 {
        let middle = (low + high) >> 1;
        if at.table(middle) <= x {
            low = middle;
        } else {
            high = middle;
        }
    }
    let inside = min(max((x - at.table(low)) * at.table(last + 1 + low), R::of(0.0)), R::of(1.0));
    [(R::of_i32(low as i32) + inside) * at.number(1) + at.number(2)]
}

/// 3t² − 2t³ of the share of the way.
#[inline(always)]
pub fn mask<R: Real>(at: impl Stencil<R>) -> [R; 1] {
    let t = min(max((at.field(0, 0, 0) - at.number(0)) * at.number(1), R::of(0.0)), R::of(1.0));
    [(t * t) * (R::of(3.0) - (t + t))]
}

#[inline(always)]
pub fn add<R: Real>(at: impl Stencil<R>) -> [R; 1] {
    [at.field(0, 0, 0) + at.field(1, 0, 0)]
}

#[inline(always)]
pub fn subtract<R: Real>(at: impl Stencil<R>) -> [R; 1] {
    [at.field(0, 0, 0) - at.field(1, 0, 0)]
}

#[inline(always)]
pub fn multiply<R: Real>(at: impl Stencil<R>) -> [R; 1] {
    [at.field(0, 0, 0) * at.field(1, 0, 0)]
}

#[inline(always)]
pub fn minimum<R: Real>(at: impl Stencil<R>) -> [R; 1] {
    [min(at.field(0, 0, 0), at.field(1, 0, 0))]
}

#[inline(always)]
pub fn maximum<R: Real>(at: impl Stencil<R>) -> [R; 1] {
    [max(at.field(0, 0, 0), at.field(1, 0, 0))]
}

/// The mask is held between 0 and 1, where either end gives one field exactly.
#[inline(always)]
pub fn blend<R: Real>(at: impl Stencil<R>) -> [R; 1] {
    let t = min(max(at.field(2, 0, 0), R::of(0.0)), R::of(1.0));
    [at.field(0, 0, 0) * (R::of(1.0) - t) + at.field(1, 0, 0) * t]
}

/// Surface, depth, mask, shore.
#[inline(always)]
pub fn ocean<R: Real>(at: impl Stencil<R>) -> [R; 4] {
    let zero = R::of(0.0);
    let height = at.field(0, 0, 0);
    let depth = at.number(0) - height;
    let shore = max(R::of(1.0) - depth.abs() * at.number(1), zero);
    [max(height, at.number(0)), max(depth, zero), select(zero, R::of(1.0), depth > zero), shore]
}
