//! Twin of `shaders/passes/node.wgsl`: the operations of nodes that read stages, sample by sample.

use crate::cpu::lib::curve::curve;
use crate::cpu::lib::jet::{self, Jet};
use crate::cpu::lib::power;
use crate::cpu::passes::stencil::{AtSample, Each, Stencil};
use crate::cpu::simd::number::Number;
use crate::program::Curve;
use crate::schedule::pass::{
    NodeAbs, NodeBlend, NodeGain, NodeNormal, NodePower, NodeQuantile, NodeSine, NodeSmoothstep, NodeTerrace, NodeThreshold, NodeWeibull,
    ReadIndex,
};

#[inline(always)]
fn value<S: Stencil>(at: S, plane: ReadIndex) -> Jet<Each<S>> {
    jet::constant(at.here(plane))
}

/// A curve with as many numbers as it has; the others are 0.
#[inline(always)]
fn curved<S: Stencil, const N: usize>(at: S, plane: ReadIndex, kind: Curve, numbers: [Each<S>; N]) -> [Each<S>; 1] {
    let mut all = [at.constant(0.0); 4];
    all[..N].copy_from_slice(&numbers);
    [curve(kind, value(at, plane), all).value]
}

#[inline(always)]
pub fn abs<S: Stencil>(at: S, NodeAbs { value }: NodeAbs<AtSample<'_, S>>) -> [Each<S>; 1] {
    [at.here(value).abs()]
}

#[inline(always)]
pub fn power<S: Stencil>(at: S, pass: NodePower<AtSample<'_, S>>) -> [Each<S>; 1] {
    [power::signed(value(at, pass.value), pass.exponent).value]
}

#[inline(always)]
pub fn blend<S: Stencil>(at: S, NodeBlend { a, b, mask }: NodeBlend<AtSample<'_, S>>) -> [Each<S>; 1] {
    [jet::blend(value(at, a), value(at, b), value(at, mask)).value]
}

#[inline(always)]
pub fn smoothstep<S: Stencil>(at: S, NodeSmoothstep { value, low, per_width }: NodeSmoothstep<AtSample<'_, S>>) -> [Each<S>; 1] {
    curved(at, value, Curve::Smoothstep, [low, per_width])
}

#[inline(always)]
pub fn terrace<S: Stencil>(
    at: S,
    NodeTerrace { value, height, per_height, flat, per_slope }: NodeTerrace<AtSample<'_, S>>,
) -> [Each<S>; 1] {
    curved(at, value, Curve::Terrace, [height, per_height, flat, per_slope])
}

#[inline(always)]
pub fn threshold<S: Stencil>(at: S, NodeThreshold { value, edge, below, above }: NodeThreshold<AtSample<'_, S>>) -> [Each<S>; 1] {
    curved(at, value, Curve::Threshold, [edge, below, above])
}

#[inline(always)]
pub fn gain<S: Stencil>(at: S, NodeGain { value, exponent }: NodeGain<AtSample<'_, S>>) -> [Each<S>; 1] {
    curved(at, value, Curve::Gain, [exponent])
}

#[inline(always)]
pub fn sine<S: Stencil>(at: S, NodeSine { value, frequency, phase }: NodeSine<AtSample<'_, S>>) -> [Each<S>; 1] {
    curved(at, value, Curve::Sine, [frequency, phase])
}

#[inline(always)]
pub fn normal<S: Stencil>(at: S, NodeNormal { value, per_deviation }: NodeNormal<AtSample<'_, S>>) -> [Each<S>; 1] {
    curved(at, value, Curve::Normal, [per_deviation])
}

#[inline(always)]
pub fn weibull<S: Stencil>(at: S, NodeWeibull { value, location, scale, per_shape }: NodeWeibull<AtSample<'_, S>>) -> [Each<S>; 1] {
    curved(at, value, Curve::WeibullQuantile, [location, scale, per_shape])
}

#[inline(always)]
pub fn quantile<S: Stencil>(at: S, NodeQuantile { value, location, scale }: NodeQuantile<AtSample<'_, S>>) -> [Each<S>; 1] {
    curved(at, value, Curve::NormalQuantile, [location, scale])
}
