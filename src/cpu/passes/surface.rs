//! Twin of `shaders/passes/surface.wgsl`: slopes and bends of heights.

use crate::cpu::lib::polar;
use crate::cpu::passes::stencil::Stencil;
use crate::cpu::simd::Real;
use crate::cpu::simd::real::max;
use crate::schedule::pass::{
    AtSample, CurvatureMean, CurvaturePlan, CurvatureProfile, Gradient, Hillshade, Normal, ReadIndex, Slope, SlopeDegrees, made,
};

/// Height per distance along x and y, from the samples to either side.
#[inline(always)]
pub fn gradient<R: Real>(at: impl Stencil<R>, Gradient { height, per_two_steps }: Gradient<AtSample<'_, R>>) -> made::Gradient<R> {
    let x = at.field(height, 1, 0) - at.field(height, -1, 0);
    let y = at.field(height, 0, 1) - at.field(height, 0, -1);
    made::Gradient { x: x * per_two_steps, y: y * per_two_steps }
}

#[inline(always)]
pub fn slope<R: Real>(at: impl Stencil<R>, Slope { height, per_two_steps }: Slope<AtSample<'_, R>>) -> [R; 1] {
    let made::Gradient { x, y } = gradient(at, Gradient { height, per_two_steps });
    [(x * x + y * y).root()]
}

#[inline(always)]
pub fn degrees<R: Real>(at: impl Stencil<R>, SlopeDegrees { height, per_two_steps }: SlopeDegrees<AtSample<'_, R>>) -> [R; 1] {
    let [slope] = slope(at, Slope { height, per_two_steps });
    [R::of(360.0) * polar::angle([R::of(1.0), slope, R::of(0.0)]).value]
}

/// Second derivatives along x, y and both.
#[inline(always)]
fn bend<R: Real>(at: impl Stencil<R>, height: ReadIndex, per_step_squared: R) -> [R; 3] {
    let here = at.here(height);
    let x = (at.field(height, 1, 0) + at.field(height, -1, 0)) - (here + here);
    let y = (at.field(height, 0, 1) + at.field(height, 0, -1)) - (here + here);
    let down = at.field(height, 1, 1) - at.field(height, -1, 1);
    let up = at.field(height, 1, -1) - at.field(height, -1, -1);
    [x * per_step_squared, y * per_step_squared, (R::of(0.25) * (down - up)) * per_step_squared]
}

#[inline(always)]
pub fn mean<R: Real>(at: impl Stencil<R>, CurvatureMean { height, per_step_squared }: CurvatureMean<AtSample<'_, R>>) -> [R; 1] {
    let [x, y, _] = bend(at, height, per_step_squared);
    [R::of(-0.5) * (x + y)]
}

/// The direction uphill; 0 on the flat.
#[inline(always)]
fn uphill<R: Real>(at: impl Stencil<R>, height: ReadIndex, per_two_steps: R) -> [R; 2] {
    let made::Gradient { x, y } = gradient(at, Gradient { height, per_two_steps });
    let i = (x * x + y * y).inverse_root();
    [x * i, y * i]
}

#[inline(always)]
pub fn plan<R: Real>(
    at: impl Stencil<R>,
    CurvaturePlan { height, per_two_steps, per_step_squared }: CurvaturePlan<AtSample<'_, R>>,
) -> [R; 1] {
    let [p, q] = uphill(at, height, per_two_steps);
    let [x, y, xy] = bend(at, height, per_step_squared);
    let pq = (xy * p) * q;
    [-(((x * q) * q - (pq + pq)) + (y * p) * p)]
}

#[inline(always)]
pub fn profile<R: Real>(
    at: impl Stencil<R>,
    CurvatureProfile { height, per_two_steps, per_step_squared }: CurvatureProfile<AtSample<'_, R>>,
) -> [R; 1] {
    let [p, q] = uphill(at, height, per_two_steps);
    let [x, y, xy] = bend(at, height, per_step_squared);
    let pq = (xy * p) * q;
    [-(((x * p) * p + (pq + pq)) + (y * q) * q)]
}

#[inline(always)]
pub fn normal<R: Real>(at: impl Stencil<R>, Normal { height, per_two_steps }: Normal<AtSample<'_, R>>) -> made::Normal<R> {
    let made::Gradient { x, y } = gradient(at, Gradient { height, per_two_steps });
    let i = (R::of(1.0) + (x * x + y * y)).inverse_root();
    made::Normal { x: -(x * i), y: -(y * i), z: i }
}

#[inline(always)]
pub fn hillshade<R: Real>(
    at: impl Stencil<R>,
    Hillshade { height, per_two_steps, light_x, light_y, light_z }: Hillshade<AtSample<'_, R>>,
) -> [R; 1] {
    let made::Normal { x, y, z } = normal(at, Normal { height, per_two_steps });
    [max((x * light_x + y * light_y) + z * light_z, R::of(0.0))]
}
