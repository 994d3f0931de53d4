//! Twin of `shaders/passes/lattice.wgsl`: fields computed from sample indices.

use crate::cpu::lib::hash::hash_2;
use crate::cpu::passes::stencil::{AtSample, Each, Stencil, WordEach};
use crate::cpu::simd::Real;
use crate::cpu::simd::number::{Bits, Number};
use crate::schedule::pass::{Corners, Diamond, Midpoint, ReadIndex, Square, Tile, Voss, White};

/// The index of a sample at level 0, wrapping.
#[inline(always)]
fn index<S: Stencil>(at: S) -> [WordEach<S>; 2] {
    let (first, level, [x, y]) = (at.inputs().index, at.inputs().level, at.at());
    if level > 31 {
        return [at.word(0); 2];
    }
    [x.plus(at.word(first[0])) << level, y.plus(at.word(first[1])) << level]
}

/// A random number from −1 to 1 for an index; the seed is given in halves.
#[inline(always)]
fn random<S: Stencil>(at: S, index: [WordEach<S>; 2], low: Each<S>, high: Each<S>) -> Each<S> {
    let seed = (at.count(high) as u32) << 16 | at.count(low) as u32;
    let h = hash_2(index[0], index[1], at.word(seed));
    Each::<S>::of_signed(h >> 8) * at.number(S::Real::of(1.192_092_895_507_812_5e-7)) - at.constant(1.0)
}

#[inline(always)]
pub fn white<S: Stencil>(at: S, White { seed_low, seed_high }: White<AtSample<'_, S>>) -> [Each<S>; 1] {
    [random(at, index(at), seed_low, seed_high)]
}

#[inline(always)]
pub fn corners<S: Stencil>(at: S, pass: Corners<AtSample<'_, S>>) -> [Each<S>; 1] {
    let Corners { seed_low, seed_high, edge, amplitude, along_x } = pass;
    let [x, mut y] = index(at);
    let (mask, none) = (at.word(at.count(edge) as u32 - 1), at.word(0));
    if at.count(along_x) == 1 {
        y = none;
    }
    let corner = WordEach::<S>::both((x & mask).equals(none), (y & mask).equals(none));
    let zero = at.constant(0.0);
    if !WordEach::<S>::any(corner) {
        return [zero];
    }
    [Each::<S>::select(zero, random(at, [x, y], seed_low, seed_high) * amplitude, corner)]
}

/// The sum of a plane's values at the four diagonal neighbours at distance `r`.
#[inline(always)]
fn diagonal<S: Stencil>(at: S, value: ReadIndex, r: i32) -> Each<S> {
    let upper = at.field(value, -r, -r) + at.field(value, r, -r);
    let lower = at.field(value, -r, r) + at.field(value, r, r);
    upper + lower
}

/// The midpoint of a cell: the mean of its corners, plus a random part.
#[inline(always)]
pub fn diamond<S: Stencil>(at: S, pass: Diamond<AtSample<'_, S>>) -> [Each<S>; 1] {
    let Diamond { value, seed_low, seed_high, edge, amplitude, arm } = pass;
    let index = index(at);
    let edge = at.count(edge) as u32;
    let (mask, half) = (at.word(edge - 1), at.word(edge >> 1));
    let middle = WordEach::<S>::both((index[0] & mask).equals(half), (index[1] & mask).equals(half));
    if !WordEach::<S>::any(middle) {
        return [at.here(value)];
    }
    let mean = at.constant(0.25) * diagonal(at, value, at.count(arm));
    [Each::<S>::select(at.here(value), mean + random(at, index, seed_low, seed_high) * amplitude, middle)]
}

/// The midpoint of an edge: the mean of its ends and of the midpoints of the cells next to it, plus a random part.
#[inline(always)]
pub fn square<S: Stencil>(at: S, pass: Square<AtSample<'_, S>>) -> [Each<S>; 1] {
    let Square { value, seed_low, seed_high, edge, amplitude, arm } = pass;
    let index = index(at);
    let edge = at.count(edge) as u32;
    let (mask, half, none) = (at.word(edge - 1), at.word(edge >> 1), at.word(0));
    let [x, y] = [index[0] & mask, index[1] & mask];
    let across = WordEach::<S>::both(x.equals(half), y.equals(none));
    let middle = WordEach::<S>::either(across, WordEach::<S>::both(x.equals(none), y.equals(half)));
    if !WordEach::<S>::any(middle) {
        return [at.here(value)];
    }
    let r = at.count(arm);
    let along = at.field(value, -r, 0) + at.field(value, r, 0);
    let across = at.field(value, 0, -r) + at.field(value, 0, r);
    let mean = at.constant(0.25) * (along + across);
    [Each::<S>::select(at.here(value), mean + random(at, index, seed_low, seed_high) * amplitude, middle)]
}

/// The midpoint of an edge from its ends, or of a cell from its corners.
#[inline(always)]
pub fn midpoint<S: Stencil>(at: S, pass: Midpoint<AtSample<'_, S>>) -> [Each<S>; 1] {
    let Midpoint { value, seed_low, seed_high, edge, amplitude, along_x, arm } = pass;
    let mut index = index(at);
    let edge = at.count(edge) as u32;
    let (mask, half, none) = (at.word(edge - 1), at.word(edge >> 1), at.word(0));
    if at.count(along_x) == 1 {
        index[1] = none;
    }
    let [x, y] = [index[0] & mask, index[1] & mask];
    let ([x_first, x_half], [y_first, y_half]) = ([x.equals(none), x.equals(half)], [y.equals(none), y.equals(half)]);
    let corner = WordEach::<S>::both(x_first, y_first);
    let middle = WordEach::<S>::both(WordEach::<S>::either(x_half, x_first), WordEach::<S>::either(y_half, y_first));
    let middle = WordEach::<S>::both(middle, WordEach::<S>::not(corner));
    if !WordEach::<S>::any(middle) {
        return [at.here(value)];
    }
    let r = at.count(arm);
    let along = at.constant(0.5) * (at.field(value, -r, 0) + at.field(value, r, 0));
    let across = at.constant(0.5) * (at.field(value, 0, -r) + at.field(value, 0, r));
    let inner = at.constant(0.25) * diagonal(at, value, r);
    let mean = Each::<S>::select(Each::<S>::select(inner, across, x_first), along, y_first);
    [Each::<S>::select(at.here(value), mean + random(at, index, seed_low, seed_high) * amplitude, middle)]
}

/// Voss noise: row k changes if the index ends with k zero bits.
#[inline(always)]
pub fn voss<S: Stencil>(at: S, pass: Voss<AtSample<'_, S>>) -> [Each<S>; 1] {
    let Voss { seed_low, seed_high, rows, per_row, along_x } = pass;
    let index = index(at);
    let row = at.count(along_x) == 1;
    let mut sum = at.constant(0.0);
    for k in 0..at.count(rows) as u32 {
        let half = at.word((1u32 << k) >> 1);
        let x = index[0].plus(half) >> k;
        let y = if row { at.word(0) } else { index[1].plus(half) >> k };
        sum = sum + random(at, [x ^ at.word(k << 27), y], seed_low, seed_high);
    }
    [sum * per_row]
}

#[inline(always)]
pub fn tile<S: Stencil>(at: S, Tile { size, table }: Tile<AtSample<'_, S>>) -> [Each<S>; 1] {
    let [x, y] = index(at);
    let size = at.count(size) as u32;
    let mask = at.word(size - 1);
    [at.lookup(table, (y & mask).times(size).plus(x & mask))]
}
