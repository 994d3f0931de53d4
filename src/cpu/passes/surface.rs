//! Twin of `shaders/passes/surface.wgsl`: slopes and bends of heights.

use crate::cpu::lib::polar;
use crate::cpu::passes::stencil::Stencil;
use crate::cpu::simd::Real;
use crate::cpu::simd::real::max;

/// Height per distance along x and y, from the samples to either side; number 0 is 1 / (2 · distance).
#[inline(always)]
pub fn gradient<R: Real>(at: impl Stencil<R>) -> [R; 2] {
    let x = at.field(0, 1, 0) - at.field(0, -1, 0);
    let y = at.field(0, 0, 1) - at.field(0, 0, -1);
    [x * at.number(0), y * at.number(0)]
}

#[inline(always)]
pub fn slope<R: Real>(at: impl Stencil<R>) -> [R; 1] {
    let [x, y] = gradient(at);
    [(x * x + y * y).root()]
}

#[inline(always)]
pub fn degrees<R: Real>(at: impl Stencil<R>) -> [R; 1] {
    let [slope] = slope(at);
    [R::of(360.0) * polar::angle([R::of(1.0), slope, R::of(0.0)]).value]
}

/// Second derivatives along x, y and both; number 1 is 1 / distance².
#[inline(always)]
fn bend<R: Real>(at: impl Stencil<R>) -> [R; 3] {
    let here = at.field(0, 0, 0);
    let x = (at.field(0, 1, 0) + at.field(0, -1, 0)) - (here + here);
    let y = (at.field(0, 0, 1) + at.field(0, 0, -1)) - (here + here);
    let down = at.field(0, 1, 1) - at.field(0, -1, 1);
    let up = at.field(0, 1, -1) - at.field(0, -1, -1);
    [x * at.number(1), y * at.number(1), (R::of(0.25) * (down - up)) * at.number(1)]
}

#[inline(always)]
pub fn mean<R: Real>(at: impl Stencil<R>) -> [R; 1] {
    let [x, y, _] = bend(at);
    [R::of(-0.5) * (x + y)]
}

/// The direction uphill; 0 on the flat.
#[inline(always)]
fn uphill<R: Real>(at: impl Stencil<R>) -> [R; 2] {
    let [x, y] = gradient(at);
    let i = (x * x + y * y).inverse_root();
    [x * i, y * i]
}

#[inline(always)]
pub fn plan<R: Real>(at: impl Stencil<R>) -> [R; 1] {
    let [p, q] = uphill(at);
    let [x, y, xy] = bend(at);
    let pq = (xy * p) * q;
    [-(((x * q) * q - (pq + pq)) + (y * p) * p)]
}

#[inline(always)]
pub fn profile<R: Real>(at: impl Stencil<R>) -> [R; 1] {
    let [p, q] = uphill(at);
    let [x, y, xy] = bend(at);
    let pq = (xy * p) * q;
    [-(((x * p) * p + (pq + pq)) + (y * q) * q)]
}

#[inline(always)]
pub fn normal<R: Real>(at: impl Stencil<R>) -> [R; 3] {
    let [x, y] = gradient(at);
    let i = (R::of(1.0) + (x * x + y * y)).inverse_root();
    [-(x * i), -(y * i), i]
}

/// Numbers 1, 2, 3: towards the light.
#[inline(always)]
pub fn hillshade<R: Real>(at: impl Stencil<R>) -> [R; 1] {
    let [x, y, z] = normal(at);
    [max((x * at.number(1) + y * at.number(2)) + z * at.number(3), R::of(0.0))]
}
