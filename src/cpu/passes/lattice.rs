//! Twin of `shaders/passes/lattice.wgsl`: fields made from sample indices.

use crate::cpu::lib::hash::hash_2;
use crate::cpu::passes::stencil::Stencil;
use crate::cpu::simd::Real;
use crate::cpu::simd::real::select;

/// The index at level 0 of a sample, wrapping.
#[inline(always)]
fn index<R: Real>(at: impl Stencil<R>) -> [u32; 2] {
    let (first, [x, y]) = (at.inputs().index, at.at());
    let level = at.inputs().level;
    [first[0].wrapping_add_signed(x).unbounded_shl(level), first[1].wrapping_add_signed(y).unbounded_shl(level)]
}

/// A random number from −1 to 1; numbers 0 and 1 are halves of the seed.
#[inline(always)]
fn random<R: Real>(at: impl Stencil<R>, index: [u32; 2]) -> R {
    let seed = (at.count(1) as u32) << 16 | at.count(0) as u32;
    R::of_i32((hash_2(index[0], index[1], seed) >> 8) as i32) * R::of(1.192_092_895_507_812_5e-7) - R::of(1.0)
}

#[inline(always)]
pub fn white<R: Real>(at: impl Stencil<R>) -> [R; 1] {
    [random(at, index(at))]
}

/// Whether it is the same in every row.
#[inline(always)]
fn is_row<R: Real>(at: impl Stencil<R>) -> bool {
    at.number(4) > R::of(0.5)
}

/// Numbers 2 and 3: edge of a cell, amplitude. Number 4: 1 for the same in every row.
#[inline(always)]
pub fn corners<R: Real>(at: impl Stencil<R>) -> [R; 1] {
    let [x, y] = index(at);
    let mask = at.count(2) as u32 - 1;
    let y = select(y, 0, is_row(at));
    let corner = x & mask == 0 && y & mask == 0;
    [select(R::of(0.0), random(at, [x, y]) * at.number(3), corner)]
}

/// The middle of a cell: the mean of its corners and a random part. Number 5: samples from the middle to an edge.
#[inline(always)]
pub fn diamond<R: Real>(at: impl Stencil<R>) -> [R; 1] {
    let index = index(at);
    let edge = at.count(2) as u32;
    let middle = index[0] & (edge - 1) == edge >> 1 && index[1] & (edge - 1) == edge >> 1;
    let r = at.count(5);
    let upper = at.field(0, -r, -r) + at.field(0, r, -r);
    let lower = at.field(0, -r, r) + at.field(0, r, r);
    [select(at.field(0, 0, 0), R::of(0.25) * (upper + lower) + random(at, index) * at.number(3), middle)]
}

/// The middle of an edge: the mean of its ends and of the middles of the cells beside it, and a random part.
#[inline(always)]
pub fn square<R: Real>(at: impl Stencil<R>) -> [R; 1] {
    let index = index(at);
    let edge = at.count(2) as u32;
    let [x, y] = index.map(|i| i & (edge - 1));
    let middle = (x == edge >> 1 && y == 0) || (x == 0 && y == edge >> 1);
    let r = at.count(5);
    let along = at.field(0, -r, 0) + at.field(0, r, 0);
    let across = at.field(0, 0, -r) + at.field(0, 0, r);
    [select(at.field(0, 0, 0), R::of(0.25) * (along + across) + random(at, index) * at.number(3), middle)]
}

/// The middles of edges from their ends, the middle of a cell from its corners.
#[inline(always)]
pub fn midpoint<R: Real>(at: impl Stencil<R>) -> [R; 1] {
    let index = index(at);
    let (edge, row) = (at.count(2) as u32, is_row(at));
    let half = edge >> 1;
    let x = index[0] & (edge - 1);
    let y = select(index[1] & (edge - 1), 0, row);
    let r = at.count(5);
    let along = R::of(0.5) * (at.field(0, -r, 0) + at.field(0, r, 0));
    let across = R::of(0.5) * (at.field(0, 0, -r) + at.field(0, 0, r));
    let upper = at.field(0, -r, -r) + at.field(0, r, -r);
    let lower = at.field(0, -r, r) + at.field(0, r, r);
    let mean = select(select(R::of(0.25) * (upper + lower), across, x == 0), along, y == 0);
    let corner = x == 0 && y == 0;
    let middle = !corner && (x == half || x == 0) && (y == half || y == 0);
    let random = random(at, [index[0], select(index[1], 0, row)]) * at.number(3);
    [select(at.field(0, 0, 0), mean + random, middle)]
}

/// Numbers 2 and 3: how many random numbers, and the reciprocal. Row k changes where the index has k zeros at its end.
#[inline(always)]
pub fn voss<R: Real>(at: impl Stencil<R>) -> [R; 1] {
    let index = index(at);
    let mut sum = R::of(0.0);
    for k in 0..at.count(2) as u32 {
        let half = (1u32 << k) >> 1;
        let x = index[0].wrapping_add(half) >> k;
        let y = select(index[1].wrapping_add(half) >> k, 0, is_row(at));
        sum = sum + random(at, [x ^ (k << 27), y]);
    }
    [sum * at.number(3)]
}

/// Number 2: samples after which the table repeats.
#[inline(always)]
pub fn tile<R: Real>(at: impl Stencil<R>) -> [R; 1] {
    let [x, y] = index(at);
    let size = at.count(2) as u32;
    [at.table(((y & (size - 1)) * size + (x & (size - 1))) as usize)]
}
