//! Twin of `shaders/lib/polar.wgsl`: polar coordinates of a position relative to a centre, and their gradients.

use crate::cpu::lib::jet::Jet;
use crate::cpu::simd::number::Transcendental;
use crate::program::Polar;

#[inline(always)]
fn radius<R: Transcendental>(c: [R; 3]) -> Jet<R> {
    let s = c[0] * c[0] + (c[1] * c[1] + c[2] * c[2]);
    let i = s.inverse_root();
    Jet { value: s.root(), gradient: [c[0] * i, c[1] * i, c[2] * i] }
}

/// `1 / distance` in the plane, and the direction.
#[inline(always)]
fn direction<R: Transcendental>(c: [R; 3]) -> (R, R, R) {
    let i = (c[0] * c[0] + c[1] * c[1]).inverse_root();
    (i, c[0] * i, c[1] * i)
}

#[inline(always)]
fn cosine<R: Transcendental>(c: [R; 3]) -> Jet<R> {
    let (i, x, y) = direction(c);
    Jet { value: x, gradient: [y * (y * i), -(x * (y * i)), c[0].constant(0.0)] }
}

#[inline(always)]
fn sine<R: Transcendental>(c: [R; 3]) -> Jet<R> {
    let (i, x, y) = direction(c);
    Jet { value: y, gradient: [-(x * (y * i)), x * (x * i), c[0].constant(0.0)] }
}

/// Arc sine in turns for magnitudes up to √½.
#[inline(always)]
fn asin<R: Transcendental>(s: R) -> R {
    let z = s * s;
    let mut p = s.constant(0.017915720120072365);
    p = p * z - s.constant(0.015125046484172344);
    p = p * z + s.constant(0.01255032792687416);
    p = p * z + s.constant(0.0024878678377717733);
    p = p * z + s.constant(0.007427356205880642);
    p = p * z + s.constant(0.011915314011275768);
    p = p * z + s.constant(0.026526354253292084);
    p = p * z + s.constant(0.15915493667125702);
    p * s
}

/// Turns from the x axis towards y.
#[inline(always)]
pub fn angle<R: Transcendental>(c: [R; 3]) -> Jet<R> {
    let (i, x, y) = direction(c);
    let (zero, quarter, half) = (c[0].constant(0.0), c[0].constant(0.25), c[0].constant(0.5));
    let steep = x.abs().less_than(y.abs());
    let below = y.less_than(zero);
    let a = asin(R::select(y, x, steep));
    let up = R::select(quarter - a, -quarter + a, below);
    let back = R::select(half - a, -half - a, below);
    let angle = R::select(R::select(a, back, x.less_than(zero)), up, steep);
    let per_turn = c[0].constant(0.159_154_936_671_257_02);
    Jet { value: angle, gradient: [-per_turn * (y * i), per_turn * (x * i), zero] }
}

/// One polar coordinate.
#[inline(always)]
pub fn polar<R: Transcendental>(polar: Polar, c: [R; 3]) -> Jet<R> {
    match polar {
        Polar::Radius => radius(c),
        Polar::Cosine => cosine(c),
        Polar::Sine => sine(c),
        Polar::Angle => angle(c),
    }
}
