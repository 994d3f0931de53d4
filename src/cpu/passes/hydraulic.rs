//! Twin of `shaders/passes/hydraulic.wgsl`: hydraulic erosion by virtual pipes (Mei, Decaudin and Hu 2007), one pipe from each
//! sample to each of four neighbours.

use crate::cpu::passes::stencil::{AtSample, Each, Stencil};
use crate::cpu::simd::number::{Number, Transcendental};
use crate::cpu::simd::real::{max, min};
use crate::schedule::pass::{HydraulicCarry, HydraulicFlow, HydraulicSoil, HydraulicWater, made};

/// 1 / x for positive x; 0 below 2⁻¹⁰⁰.
#[inline(always)]
fn reciprocal<N: Transcendental>(x: N) -> N {
    let i = x.inverse_root();
    i * i
}

#[inline(always)]
pub fn flow<S: Stencil>(at: S, pass: HydraulicFlow<AtSample<'_, S>>) -> made::HydraulicFlow<Each<S>> {
    let HydraulicFlow { soil, water, west, east, north, south, kept, gravity } = pass;
    let zero = at.constant(0.0);
    let depth = at.here(water);
    let level = at.here(soil) + depth;
    let w = level - (at.field(soil, -1, 0) + at.field(water, -1, 0));
    let e = level - (at.field(soil, 1, 0) + at.field(water, 1, 0));
    let n = level - (at.field(soil, 0, -1) + at.field(water, 0, -1));
    let s = level - (at.field(soil, 0, 1) + at.field(water, 0, 1));
    let to_w = max(at.here(west) * kept + w * gravity, zero);
    let to_e = max(at.here(east) * kept + e * gravity, zero);
    let to_n = max(at.here(north) * kept + n * gravity, zero);
    let to_s = max(at.here(south) * kept + s * gravity, zero);
    let all = (to_w + to_e) + (to_n + to_s);
    // Slightly less than the available water, so that rounding never makes it negative.
    let most = at.constant(0.9999);
    let share = Each::<S>::select(at.constant(1.0), (depth * reciprocal(all)) * most, (depth * most).less_than(all));
    made::HydraulicFlow { west: to_w * share, east: to_e * share, north: to_n * share, south: to_s * share }
}

#[inline(always)]
pub fn carry<S: Stencil>(at: S, pass: HydraulicCarry<AtSample<'_, S>>) -> [Each<S>; 1] {
    let HydraulicCarry { west, east, north, south, sediment, load } = pass;
    let out = (at.here(west) + at.here(east)) + (at.here(north) + at.here(south));
    let w = at.field(east, -1, 0) * at.field(load, -1, 0);
    let e = at.field(west, 1, 0) * at.field(load, 1, 0);
    let n = at.field(south, 0, -1) * at.field(load, 0, -1);
    let s = at.field(north, 0, 1) * at.field(load, 0, 1);
    [(at.here(sediment) - out * at.here(load)) + ((w + e) + (n + s))]
}

#[inline(always)]
pub fn water<S: Stencil>(at: S, pass: HydraulicWater<AtSample<'_, S>>) -> made::HydraulicWater<Each<S>> {
    let HydraulicWater { west, east, north, south, water, discharge, share } = pass;
    let half = at.constant(0.5);
    let w = at.field(east, -1, 0);
    let e = at.field(west, 1, 0);
    let n = at.field(south, 0, -1);
    let s = at.field(north, 0, 1);
    let (west, east, north, south) = (at.here(west), at.here(east), at.here(north), at.here(south));
    let before = at.here(water);
    let after = max((before - ((west + east) + (north + south))) + ((w + e) + (n + s)), at.constant(0.0));
    let x = half * ((w - west) + (east - e));
    let y = half * ((n - north) + (south - s));
    let now = (x * x + y * y).root();
    let speed = min(now * reciprocal(half * (before + after)), at.constant(1.0));
    made::HydraulicWater { water: after, discharge: at.here(discharge) + now * share, speed }
}

#[inline(always)]
pub fn soil<S: Stencil>(at: S, pass: HydraulicSoil<AtSample<'_, S>>) -> made::HydraulicSoil<Each<S>> {
    let HydraulicSoil { soil, speed, hardness, rain, water, sediment, .. } = pass;
    let HydraulicSoil { per_two_steps, capacity, least_slope, dissolve, deposit, kept, rainfall, shallow, .. } = pass;
    let (zero, one) = (at.constant(0.0), at.constant(1.0));
    let x = (at.field(soil, 1, 0) - at.field(soil, -1, 0)) * per_two_steps;
    let y = (at.field(soil, 0, 1) - at.field(soil, 0, -1)) * per_two_steps;
    let square = x * x + y * y;
    let steep = max(square.root() * (one + square).inverse_root(), least_slope);
    let depth = at.here(water);
    let full = depth * reciprocal(depth + shallow);
    let room = ((capacity * steep) * at.here(speed)) * full - at.here(sediment);
    let soft = one - min(max(at.here(hardness), zero), one);
    let rate = Each::<S>::select(deposit, dissolve * soft, zero.less_than(room));
    let taken = room * rate;
    let now = depth * kept + rainfall * at.here(rain);
    let sediment = at.here(sediment) + taken;
    made::HydraulicSoil { soil: at.here(soil) - taken, water: now, sediment, load: sediment * reciprocal(now) }
}
