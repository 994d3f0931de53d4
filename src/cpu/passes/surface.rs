//! Twin of `shaders/passes/surface.wgsl`: slopes and curvatures of heights.

use crate::cpu::lib::polar;
use crate::cpu::passes::stencil::{AtSample, Each, Stencil};
use crate::cpu::simd::number::Transcendental;
use crate::cpu::simd::real::max;
use crate::schedule::pass::{
    CurvatureMean, CurvaturePlan, CurvatureProfile, Gradient, Hillshade, Normal, ReadIndex, Slope, SlopeDegrees, made,
};

/// Height difference per distance along x and y, from the samples on either side.
#[inline(always)]
pub fn gradient<S: Stencil>(at: S, Gradient { height, per_two_steps }: Gradient<AtSample<'_, S>>) -> made::Gradient<Each<S>> {
    let x = at.field(height, 1, 0) - at.field(height, -1, 0);
    let y = at.field(height, 0, 1) - at.field(height, 0, -1);
    made::Gradient { x: x * per_two_steps, y: y * per_two_steps }
}

#[inline(always)]
pub fn slope<S: Stencil>(at: S, Slope { height, per_two_steps }: Slope<AtSample<'_, S>>) -> [Each<S>; 1] {
    let made::Gradient { x, y } = gradient(at, Gradient { height, per_two_steps });
    [(x * x + y * y).root()]
}

#[inline(always)]
pub fn degrees<S: Stencil>(at: S, SlopeDegrees { height, per_two_steps }: SlopeDegrees<AtSample<'_, S>>) -> [Each<S>; 1] {
    let [slope] = slope(at, Slope { height, per_two_steps });
    [at.constant(360.0) * polar::angle([at.constant(1.0), slope, at.constant(0.0)]).value]
}

/// Second derivatives along x, along y, and mixed.
#[inline(always)]
fn bend<S: Stencil>(at: S, height: ReadIndex, per_step_squared: Each<S>) -> [Each<S>; 3] {
    let here = at.here(height);
    let x = (at.field(height, 1, 0) + at.field(height, -1, 0)) - (here + here);
    let y = (at.field(height, 0, 1) + at.field(height, 0, -1)) - (here + here);
    let down = at.field(height, 1, 1) - at.field(height, -1, 1);
    let up = at.field(height, 1, -1) - at.field(height, -1, -1);
    [x * per_step_squared, y * per_step_squared, (at.constant(0.25) * (down - up)) * per_step_squared]
}

#[inline(always)]
pub fn mean<S: Stencil>(at: S, CurvatureMean { height, per_step_squared }: CurvatureMean<AtSample<'_, S>>) -> [Each<S>; 1] {
    let [x, y, _] = bend(at, height, per_step_squared);
    [at.constant(-0.5) * (x + y)]
}

/// The direction uphill; 0 on flat ground.
#[inline(always)]
fn uphill<S: Stencil>(at: S, height: ReadIndex, per_two_steps: Each<S>) -> [Each<S>; 2] {
    let made::Gradient { x, y } = gradient(at, Gradient { height, per_two_steps });
    let i = (x * x + y * y).inverse_root();
    [x * i, y * i]
}

#[inline(always)]
pub fn plan<S: Stencil>(at: S, CurvaturePlan { height, per_two_steps, per_step_squared }: CurvaturePlan<AtSample<'_, S>>) -> [Each<S>; 1] {
    let [p, q] = uphill(at, height, per_two_steps);
    let [x, y, xy] = bend(at, height, per_step_squared);
    let pq = (xy * p) * q;
    [-(((x * q) * q - (pq + pq)) + (y * p) * p)]
}

#[inline(always)]
pub fn profile<S: Stencil>(
    at: S,
    CurvatureProfile { height, per_two_steps, per_step_squared }: CurvatureProfile<AtSample<'_, S>>,
) -> [Each<S>; 1] {
    let [p, q] = uphill(at, height, per_two_steps);
    let [x, y, xy] = bend(at, height, per_step_squared);
    let pq = (xy * p) * q;
    [-(((x * p) * p + (pq + pq)) + (y * q) * q)]
}

#[inline(always)]
pub fn normal<S: Stencil>(at: S, Normal { height, per_two_steps }: Normal<AtSample<'_, S>>) -> made::Normal<Each<S>> {
    let made::Gradient { x, y } = gradient(at, Gradient { height, per_two_steps });
    let i = (at.constant(1.0) + (x * x + y * y)).inverse_root();
    made::Normal { x: -(x * i), y: -(y * i), z: i }
}

#[inline(always)]
pub fn hillshade<S: Stencil>(
    at: S,
    Hillshade { height, per_two_steps, light_x, light_y, light_z }: Hillshade<AtSample<'_, S>>,
) -> [Each<S>; 1] {
    let made::Normal { x, y, z } = normal(at, Normal { height, per_two_steps });
    [max((x * light_x + y * light_y) + z * light_z, at.constant(0.0))]
}
