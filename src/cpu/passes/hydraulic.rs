//! Twin of `shaders/passes/hydraulic.wgsl`: hydraulic erosion by virtual pipes (Mei, Decaudin and Hu 2007), one pipe from each
//! sample to each of four neighbours.

use crate::cpu::passes::stencil::Stencil;
use crate::cpu::simd::Real;
use crate::cpu::simd::real::{max, min, select};

/// 1 / x for positive x; 0 below 2⁻¹⁰⁰.
#[inline(always)]
fn reciprocal<R: Real>(x: R) -> R {
    let i = x.inverse_root();
    i * i
}

/// Soil, water, flows to the west, east, north, south → those flows. Numbers: what friction leaves, gravity.
#[inline(always)]
pub fn flow<R: Real>(at: impl Stencil<R>) -> [R; 4] {
    let zero = R::of(0.0);
    let (keep, gravity) = (at.number(0), at.number(1));
    let water = at.field(1, 0, 0);
    let level = at.field(0, 0, 0) + water;
    let w = level - (at.field(0, -1, 0) + at.field(1, -1, 0));
    let e = level - (at.field(0, 1, 0) + at.field(1, 1, 0));
    let n = level - (at.field(0, 0, -1) + at.field(1, 0, -1));
    let s = level - (at.field(0, 0, 1) + at.field(1, 0, 1));
    let to_w = max(at.field(2, 0, 0) * keep + w * gravity, zero);
    let to_e = max(at.field(3, 0, 0) * keep + e * gravity, zero);
    let to_n = max(at.field(4, 0, 0) * keep + n * gravity, zero);
    let to_s = max(at.field(5, 0, 0) * keep + s * gravity, zero);
    let all = (to_w + to_e) + (to_n + to_s);
    // No more than there is, and a little less, so that rounding leaves no debts.
    let most = R::of(f64::from(0.9999_f32));
    let share = select(R::of(1.0), (water * reciprocal(all)) * most, all > water * most);
    [to_w * share, to_e * share, to_n * share, to_s * share]
}

/// What leaves a sample with its water: so much sediment for each depth.
#[inline(always)]
fn load<R: Real>(at: impl Stencil<R>, x: i32, y: i32) -> R {
    at.field(5, x, y) * reciprocal(at.field(4, x, y))
}

/// Flows, water, sediment → sediment, carried along.
#[inline(always)]
pub fn carry<R: Real>(at: impl Stencil<R>) -> [R; 1] {
    let out = (at.field(0, 0, 0) + at.field(1, 0, 0)) + (at.field(2, 0, 0) + at.field(3, 0, 0));
    let w = at.field(1, -1, 0) * load(at, -1, 0);
    let e = at.field(0, 1, 0) * load(at, 1, 0);
    let n = at.field(3, 0, -1) * load(at, 0, -1);
    let s = at.field(2, 0, 1) * load(at, 0, 1);
    [(at.field(5, 0, 0) - out * load(at, 0, 0)) + ((w + e) + (n + s))]
}

/// Flows, water, mean discharge → water, mean discharge, speed in samples per iteration. Number 0: the share of one iteration.
#[inline(always)]
pub fn water<R: Real>(at: impl Stencil<R>) -> [R; 3] {
    let half = R::of(0.5);
    let (west, east, north, south) = (at.field(0, 0, 0), at.field(1, 0, 0), at.field(2, 0, 0), at.field(3, 0, 0));
    let w = at.field(1, -1, 0);
    let e = at.field(0, 1, 0);
    let n = at.field(3, 0, -1);
    let s = at.field(2, 0, 1);
    let before = at.field(4, 0, 0);
    let after = max((before - ((west + east) + (north + south))) + ((w + e) + (n + s)), R::of(0.0));
    let x = half * ((w - west) + (east - e));
    let y = half * ((n - north) + (south - s));
    let discharge = (x * x + y * y).root();
    let speed = min(discharge * reciprocal(half * (before + after)), R::of(1.0));
    [after, at.field(5, 0, 0) + discharge * at.number(0), speed]
}

/// Soil, speed, hardness, rain, water, sediment → soil, water, sediment. Numbers: 1 / (2 · distance), capacity, least slope,
/// dissolved share, deposited share, what evaporation leaves, rain, the depth below which water carries less.
#[inline(always)]
pub fn soil<R: Real>(at: impl Stencil<R>) -> [R; 3] {
    let (zero, one) = (R::of(0.0), R::of(1.0));
    let x = (at.field(0, 1, 0) - at.field(0, -1, 0)) * at.number(0);
    let y = (at.field(0, 0, 1) - at.field(0, 0, -1)) * at.number(0);
    let square = x * x + y * y;
    let steep = max(square.root() * (one + square).inverse_root(), at.number(2));
    let water = at.field(4, 0, 0);
    let full = water * reciprocal(water + at.number(7));
    let room = ((at.number(1) * steep) * at.field(1, 0, 0)) * full - at.field(5, 0, 0);
    let soft = one - min(max(at.field(2, 0, 0), zero), one);
    let rate = select(at.number(4), at.number(3) * soft, room > zero);
    let taken = room * rate;
    [at.field(0, 0, 0) - taken, water * at.number(5) + at.number(6) * at.field(3, 0, 0), at.field(5, 0, 0) + taken]
}
