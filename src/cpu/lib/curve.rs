//! Twin of `shaders/lib/curve.wgsl`: curves with up to four parameters, prepared by the host.

use crate::cpu::lib::interpolate::interpolate;
use crate::cpu::lib::jet::{Jet, clamp, constant, through};
use crate::cpu::lib::power::positive;
use crate::cpu::lib::turn;
use crate::cpu::simd::number::{Transcendental, max, min};
use crate::program::{Curve, Interpolation};

#[inline(always)]
fn smoothstep<R: Transcendental>(x: Jet<R>, p: [R; 4]) -> Jet<R> {
    let (zero, one) = (x.value.constant(0.0), x.value.constant(1.0));
    let w = interpolate(Interpolation::Quintic, min(max((x.value - p[0]) * p[1], zero), one));
    through(min(w.u, one), w.slope * p[1], x)
}

#[inline(always)]
fn terrace<R: Transcendental>(x: Jet<R>, p: [R; 4]) -> Jet<R> {
    let (zero, one) = (x.value.constant(0.0), x.value.constant(1.0));
    let t = x.value * p[1];
    let step = t.floor();
    let w = interpolate(Interpolation::Quintic, min(max((t - step - p[2]) * p[3], zero), one));
    through((step + min(w.u, one)) * p[0], w.slope * p[3], x)
}

#[inline(always)]
fn threshold<R: Transcendental>(x: Jet<R>, p: [R; 4]) -> Jet<R> {
    constant(R::select(p[2], p[1], x.value.less_than(p[0])))
}

#[inline(always)]
fn gain<R: Transcendental>(x: Jet<R>, p: [R; 4]) -> Jet<R> {
    let (one, half) = (x.value.constant(1.0), x.value.constant(0.5));
    let held = clamp(x, x.value.constant(0.0), one);
    let t = x.value.constant(2.0) * held.value - one;
    let (value, slope) = positive(one - t.abs(), p[0]);
    through(R::select(one - half * value, half * value, t.less_than(x.value.constant(0.0))), slope, held)
}

#[inline(always)]
fn sine<R: Transcendental>(x: Jet<R>, p: [R; 4]) -> Jet<R> {
    let t = x.value * p[0] + p[1];
    let (sin, cos) = turn::whole(t - t.floor());
    through(sin, (x.value.constant(std::f64::consts::TAU) * p[0]) * cos, x)
}

#[inline(always)]
fn normal<R: Transcendental>(x: Jet<R>, p: [R; 4]) -> Jet<R> {
    let (one, two_over_pi) = (x.value.constant(1.0), x.value.constant(std::f64::consts::FRAC_2_PI));
    let root_of_that = x.value.constant(0.797_884_560_802_865_4);
    let z = x.value * p[0];
    let y = two_over_pi * (z * z);
    let e = (x.value.constant(-std::f64::consts::LOG2_E) * y).exp2();
    let near = min(y, one);
    let mut g = x.value.constant(-1.6021167539292946e-05);
    g = g * near + x.value.constant(0.0001852609566412866);
    g = g * near - x.value.constant(0.0013782092137262225);
    g = g * near + x.value.constant(0.008328448981046677);
    g = g * near - x.value.constant(0.041665442287921906);
    g = g * near + x.value.constant(0.16666652262210846);
    g = g * near - x.value.constant(0.5);
    g = g * near + x.value.constant(1.0);
    let far = max(one - e, x.value.constant(0.5));
    let inside = y.less_than(one);
    let value = R::select(far.root(), root_of_that * (z.abs() * g.root()), inside);
    let slope = R::select((two_over_pi * z.abs()) * (e * far.inverse_root()), root_of_that * (e * g.inverse_root()), inside);
    through(R::select(value, -value, z.less_than(x.value.constant(0.0))), slope * p[0], x)
}

/// A probability from −1 to 1, clamped 2⁻¹⁹ away from both ends.
#[inline(always)]
fn probability<R: Transcendental>(x: Jet<R>) -> Jet<R> {
    clamp(x, x.value.constant(-0.999_998_092_651_367_2), x.value.constant(0.999_998_092_651_367_2))
}

#[inline(always)]
fn weibull_quantile<R: Transcendental>(x: Jet<R>, p: [R; 4]) -> Jet<R> {
    let half = x.value.constant(0.5);
    let v = probability(x);
    let l = (half - half * v.value).log2();
    let (value, slope) = positive(x.value.constant(-std::f64::consts::LN_2) * l, p[2]);
    through(p[0] + p[1] * value, (half * p[1]) * (slope * (-l).exp2()), v)
}

#[inline(always)]
fn normal_quantile<R: Transcendental>(x: Jet<R>, p: [R; 4]) -> Jet<R> {
    let one = x.value.constant(1.0);
    let v = probability(x);
    let w = x.value.constant(-std::f64::consts::LN_2) * ((one - v.value) * (one + v.value)).log2();
    let a = w - x.value.constant(2.5);
    let mut low = x.value.constant(2.810226362726098e-08);
    low = low * a + x.value.constant(3.432739390518691e-07);
    low = low * a - x.value.constant(3.523387704262859e-06);
    low = low * a - x.value.constant(4.391506536194356e-06);
    low = low * a + x.value.constant(0.00021858086984138936);
    low = low * a - x.value.constant(0.001253725029528141);
    low = low * a - x.value.constant(0.004177681636065245);
    low = low * a + x.value.constant(0.24664072692394257);
    low = low * a + x.value.constant(1.5014094114303589);
    let b = w.root() - x.value.constant(3.0);
    let mut high = x.value.constant(-0.0002002142573473975);
    high = high * b + x.value.constant(0.0001009505576803349);
    high = high * b + x.value.constant(0.0013493432197719812);
    high = high * b - x.value.constant(0.003673428436741233);
    high = high * b + x.value.constant(0.005739507731050253);
    high = high * b - x.value.constant(0.007622461300343275);
    high = high * b + x.value.constant(0.00943887047469616);
    high = high * b + x.value.constant(1.0016740560531616);
    high = high * b + x.value.constant(2.832976818084717);
    let y = R::select(high, low, w.less_than(x.value.constant(5.0))) * v.value;
    let slope = x.value.constant(1.253_314_137_315_500_1) * (x.value.constant(std::f64::consts::LOG2_E) * (y * y)).exp2();
    through(p[0] + p[1] * (x.value.constant(std::f64::consts::SQRT_2) * y), p[1] * slope, v)
}

/// Applies a curve. The kind is the same for a whole block, so the compiler moves the match out of its loop.
#[inline(always)]
pub fn curve<R: Transcendental>(curve: Curve, x: Jet<R>, p: [R; 4]) -> Jet<R> {
    match curve {
        Curve::Smoothstep => smoothstep(x, p),
        Curve::Terrace => terrace(x, p),
        Curve::Threshold => threshold(x, p),
        Curve::Gain => gain(x, p),
        Curve::Sine => sine(x, p),
        Curve::Normal => normal(x, p),
        Curve::WeibullQuantile => weibull_quantile(x, p),
        Curve::NormalQuantile => normal_quantile(x, p),
    }
}
