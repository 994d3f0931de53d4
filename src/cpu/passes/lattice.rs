//! Twin of `shaders/passes/lattice.wgsl`: fields made from sample indices.

use crate::cpu::lib::hash::hash_2;
use crate::cpu::passes::stencil::Stencil;
use crate::cpu::simd::Real;
use crate::cpu::simd::real::select;
use crate::schedule::pass::{AtSample, Corners, Diamond, Midpoint, Square, Tile, Voss, White};

/// The index at level 0 of a sample, wrapping.
#[inline(always)]
fn index<R: Real>(at: impl Stencil<R>) -> [u32; 2] {
    let (first, [x, y]) = (at.inputs().index, at.at());
    let level = at.inputs().level;
    [first[0].wrapping_add_signed(x).unbounded_shl(level), first[1].wrapping_add_signed(y).unbounded_shl(level)]
}

/// A random number from −1 to 1 for an index, given the halves of a seed.
#[inline(always)]
fn random<R: Real>(index: [u32; 2], low: R, high: R) -> R {
    let seed = (high.to_i32() as u32) << 16 | low.to_i32() as u32;
    R::of_i32((hash_2(index[0], index[1], seed) >> 8) as i32) * R::of(1.192_092_895_507_812_5e-7) - R::of(1.0)
}

#[inline(always)]
pub fn white<R: Real>(at: impl Stencil<R>, White { seed_low, seed_high }: White<AtSample<'_, R>>) -> [R; 1] {
    [random(index(at), seed_low, seed_high)]
}

#[inline(always)]
pub fn corners<R: Real>(at: impl Stencil<R>, pass: Corners<AtSample<'_, R>>) -> [R; 1] {
    let Corners { seed_low, seed_high, edge, amplitude, along_x } = pass;
    let [x, y] = index(at);
    let mask = edge.to_i32() as u32 - 1;
    let y = select(y, 0, along_x > R::of(0.5));
    let corner = x & mask == 0 && y & mask == 0;
    [select(R::of(0.0), random([x, y], seed_low, seed_high) * amplitude, corner)]
}

/// The middle of a cell: the mean of its corners and a random part.
#[inline(always)]
pub fn diamond<R: Real>(at: impl Stencil<R>, pass: Diamond<AtSample<'_, R>>) -> [R; 1] {
    let Diamond { value, seed_low, seed_high, edge, amplitude, arm } = pass;
    let index = index(at);
    let edge = edge.to_i32() as u32;
    let middle = index[0] & (edge - 1) == edge >> 1 && index[1] & (edge - 1) == edge >> 1;
    let r = arm.to_i32();
    let upper = at.field(value, -r, -r) + at.field(value, r, -r);
    let lower = at.field(value, -r, r) + at.field(value, r, r);
    [select(at.here(value), R::of(0.25) * (upper + lower) + random(index, seed_low, seed_high) * amplitude, middle)]
}

/// The middle of an edge: the mean of its ends and of the middles of the cells beside it, and a random part.
#[inline(always)]
pub fn square<R: Real>(at: impl Stencil<R>, pass: Square<AtSample<'_, R>>) -> [R; 1] {
    let Square { value, seed_low, seed_high, edge, amplitude, arm } = pass;
    let index = index(at);
    let edge = edge.to_i32() as u32;
    let [x, y] = index.map(|i| i & (edge - 1));
    let middle = (x == edge >> 1 && y == 0) || (x == 0 && y == edge >> 1);
    let r = arm.to_i32();
    let along = at.field(value, -r, 0) + at.field(value, r, 0);
    let across = at.field(value, 0, -r) + at.field(value, 0, r);
    [select(at.here(value), R::of(0.25) * (along + across) + random(index, seed_low, seed_high) * amplitude, middle)]
}

/// The middles of edges from their ends, the middle of a cell from its corners.
#[inline(always)]
pub fn midpoint<R: Real>(at: impl Stencil<R>, pass: Midpoint<AtSample<'_, R>>) -> [R; 1] {
    let Midpoint { value, seed_low, seed_high, edge, amplitude, along_x, arm } = pass;
    let index = index(at);
    let (edge, row) = (edge.to_i32() as u32, along_x > R::of(0.5));
    let half = edge >> 1;
    let x = index[0] & (edge - 1);
    let y = select(index[1] & (edge - 1), 0, row);
    let r = arm.to_i32();
    let along = R::of(0.5) * (at.field(value, -r, 0) + at.field(value, r, 0));
    let across = R::of(0.5) * (at.field(value, 0, -r) + at.field(value, 0, r));
    let upper = at.field(value, -r, -r) + at.field(value, r, -r);
    let lower = at.field(value, -r, r) + at.field(value, r, r);
    let mean = select(select(R::of(0.25) * (upper + lower), across, x == 0), along, y == 0);
    let corner = x == 0 && y == 0;
    let middle = !corner && (x == half || x == 0) && (y == half || y == 0);
    let random = random([index[0], select(index[1], 0, row)], seed_low, seed_high) * amplitude;
    [select(at.here(value), mean + random, middle)]
}

/// Row k changes where the index has k zeros at its end.
#[inline(always)]
pub fn voss<R: Real>(at: impl Stencil<R>, pass: Voss<AtSample<'_, R>>) -> [R; 1] {
    let Voss { seed_low, seed_high, rows, per_row, along_x } = pass;
    let index = index(at);
    let mut sum = R::of(0.0);
    for k in 0..rows.to_i32() as u32 {
        let half = (1u32 << k) >> 1;
        let x = index[0].wrapping_add(half) >> k;
        let y = select(index[1].wrapping_add(half) >> k, 0, along_x > R::of(0.5));
        sum = sum + random([x ^ (k << 27), y], seed_low, seed_high);
    }
    [sum * per_row]
}

#[inline(always)]
pub fn tile<R: Real>(at: impl Stencil<R>, Tile { size, table }: Tile<AtSample<'_, R>>) -> [R; 1] {
    let [x, y] = index(at);
    let size = size.to_i32() as u32;
    [table[((y & (size - 1)) * size + (x & (size - 1))) as usize]]
}
