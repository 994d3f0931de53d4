//! Twin of `shaders/passes/point.wgsl`: what becomes of samples by themselves.

use crate::cpu::passes::stencil::Stencil;
use crate::cpu::simd::Real;
use crate::cpu::simd::real::{max, min, select};
use crate::schedule::pass::{Add, AtSample, Blend, Fill, Mask, Maximum, Minimum, Multiply, Ocean, Rank, Scale, Stretch, Subtract, made};

#[inline(always)]
pub fn fill<R: Real>(_: impl Stencil<R>, Fill { value }: Fill<AtSample<'_, R>>) -> [R; 1] {
    [value]
}

#[inline(always)]
pub fn scale<R: Real>(at: impl Stencil<R>, Scale { value, scale, offset, low, high }: Scale<AtSample<'_, R>>) -> [R; 1] {
    [min(max(at.here(value) * scale + offset, low), high)]
}

#[inline(always)]
pub fn stretch<R: Real>(at: impl Stencil<R>, Stretch { value, from, scale, to, low, high }: Stretch<AtSample<'_, R>>) -> [R; 1] {
    [min(max((at.here(value) - from) * scale + to, low), high)]
}

#[inline(always)]
pub fn rank<R: Real>(at: impl Stencil<R>, Rank { value, last, step, start, table }: Rank<AtSample<'_, R>>) -> [R; 1] {
    let x = at.here(value);
    let last = last.to_i32() as usize;
    let (mut low, mut high) = (0, last);
    while high - low > 1 {
        let middle = (low + high) >> 1;
        if table[middle] <= x {
            low = middle;
        } else {
            high = middle;
        }
    }
    let inside = min(max((x - table[low]) * table[last + 1 + low], R::of(0.0)), R::of(1.0));
    [(R::of_i32(low as i32) + inside) * step + start]
}

/// 3t² − 2t³ of the share of the way.
#[inline(always)]
pub fn mask<R: Real>(at: impl Stencil<R>, Mask { value, from, per_way }: Mask<AtSample<'_, R>>) -> [R; 1] {
    let t = min(max((at.here(value) - from) * per_way, R::of(0.0)), R::of(1.0));
    [(t * t) * (R::of(3.0) - (t + t))]
}

#[inline(always)]
pub fn add<R: Real>(at: impl Stencil<R>, Add { a, b }: Add<AtSample<'_, R>>) -> [R; 1] {
    [at.here(a) + at.here(b)]
}

#[inline(always)]
pub fn subtract<R: Real>(at: impl Stencil<R>, Subtract { a, b }: Subtract<AtSample<'_, R>>) -> [R; 1] {
    [at.here(a) - at.here(b)]
}

#[inline(always)]
pub fn multiply<R: Real>(at: impl Stencil<R>, Multiply { a, b }: Multiply<AtSample<'_, R>>) -> [R; 1] {
    [at.here(a) * at.here(b)]
}

#[inline(always)]
pub fn minimum<R: Real>(at: impl Stencil<R>, Minimum { a, b }: Minimum<AtSample<'_, R>>) -> [R; 1] {
    [min(at.here(a), at.here(b))]
}

#[inline(always)]
pub fn maximum<R: Real>(at: impl Stencil<R>, Maximum { a, b }: Maximum<AtSample<'_, R>>) -> [R; 1] {
    [max(at.here(a), at.here(b))]
}

/// The mask is held between 0 and 1, where either end gives one plane exactly.
#[inline(always)]
pub fn blend<R: Real>(at: impl Stencil<R>, Blend { a, b, mask }: Blend<AtSample<'_, R>>) -> [R; 1] {
    let t = min(max(at.here(mask), R::of(0.0)), R::of(1.0));
    [at.here(a) * (R::of(1.0) - t) + at.here(b) * t]
}

#[inline(always)]
pub fn ocean<R: Real>(at: impl Stencil<R>, Ocean { height, level, per_width }: Ocean<AtSample<'_, R>>) -> made::Ocean<R> {
    let zero = R::of(0.0);
    let height = at.here(height);
    let depth = level - height;
    let shore = max(R::of(1.0) - depth.abs() * per_width, zero);
    made::Ocean { surface: max(height, level), depth: max(depth, zero), mask: select(zero, R::of(1.0), depth > zero), shore }
}
