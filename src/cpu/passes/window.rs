//! Twin of `shaders/passes/window.wgsl`: filters of a window around each sample.

use crate::cpu::passes::stencil::{AtSample, Each, Stencil};
use crate::cpu::simd::number::{Number, Transcendental};
use crate::cpu::simd::real::{max, min};
use crate::schedule::pass::{Gaussian, Median, Occlusion, ReadIndex};

#[inline(always)]
pub fn gaussian<S: Stencil>(at: S, Gaussian { value, x, y, radius, table }: Gaussian<AtSample<'_, S>>) -> [Each<S>; 1] {
    let (x, y, radius) = (at.count(x), at.count(y), at.count(radius));
    let mut sum = at.here(value) * at.number(table[0]);
    for i in 1..=radius {
        sum = sum + (at.field(value, -x * i, -y * i) + at.field(value, x * i, y * i)) * at.number(table[i as usize]);
    }
    [sum]
}

/// Orders two numbers.
#[inline(always)]
fn order<N: Number>(all: &mut [N], low: usize, high: usize) {
    let (a, b) = (all[low], all[high]);
    all[low] = min(a, b);
    all[high] = max(a, b);
}

/// The median of a square. The shader finds it bit by bit; the result does not depend on the method.
#[inline(always)]
pub fn median<S: Stencil>(at: S, Median { value, radius }: Median<AtSample<'_, S>>) -> [Each<S>; 1] {
    [match at.count(radius) {
        1 => middle_of_nine(at, value),
        2 => middle::<S, { 25 / 2 + 2 }>(at, value, 2),
        3 => middle::<S, { 49 / 2 + 2 }>(at, value, 3),
        radius => middle::<S, { 225 / 2 + 2 }>(at, value, radius),
    }]
}

/// The median of nine: columns are sorted, then it is the median of the largest low, the median middle and the smallest high value
/// (Smith 1996).
#[inline(always)]
fn middle_of_nine<S: Stencil>(at: S, value: ReadIndex) -> Each<S> {
    let mut columns = [[at.constant(0.0); 3]; 3];
    for i in 0..3 {
        for j in 0..3 {
            columns[i][j] = at.field(value, i as i32 - 1, j as i32 - 1);
        }
        ordered(&mut columns[i]);
    }
    let [a, b, c] = columns;
    let mut middles = [a[1], b[1], c[1]];
    ordered(&mut middles);
    let mut last = [max(max(a[0], b[0]), c[0]), middles[1], min(min(a[2], b[2]), c[2])];
    ordered(&mut last);
    last[1]
}

#[inline(always)]
fn ordered<N: Number>(three: &mut [N; 3]) {
    order(three, 0, 1);
    order(three, 1, 2);
    order(three, 0, 1);
}

/// The median of a window. Among more than half of the values, neither the smallest nor the largest can be the median. Both are
/// discarded and another value is added, until three values are left. `HAND` is the number of values at the start.
#[inline(always)]
fn middle<S: Stencil, const HAND: usize>(at: S, value: ReadIndex, radius: i32) -> Each<S> {
    let edge = 2 * radius + 1;
    let count = (edge * edge) as usize;
    let mut all = [at.constant(0.0); HAND];
    let mut size = (count / 2 + 2).min(HAND);
    let (mut x, mut y) = (-radius, -radius);
    for taken in 0..count {
        let first = if taken < size { taken } else { 0 };
        all[first] = at.field(value, x, y);
        x += 1;
        if x > radius {
            (x, y) = (-radius, y + 1);
        }
        if taken + 1 < size {
            continue;
        }
        let all = &mut all[..size];
        // The smaller ones move to the lower half, the smallest to the front, and the largest to the end.
        for i in 0..size / 2 {
            order(all, i, size - 1 - i);
        }
        for i in 1..size.div_ceil(2) {
            order(all, 0, i);
        }
        for i in size / 2..size - 1 {
            order(all, i, size - 1);
        }
        size -= 1;
    }
    all[1]
}

/// The mean of 1 − sin(horizon) over directions.
#[inline(always)]
pub fn occlusion<S: Stencil>(at: S, pass: Occlusion<AtSample<'_, S>>) -> [Each<S>; 1] {
    let Occlusion { height, directions, steps, per_direction, table } = pass;
    let (directions, steps) = (at.count(directions) as usize, at.count(steps) as usize);
    let (zero, one) = (at.constant(0.0), at.constant(1.0));
    let here = at.here(height);
    let mut open = zero;
    for d in 0..directions {
        let mut steepest = zero;
        for s in 0..steps {
            let i = 3 * (d * steps + s);
            let [x, y, per_way] = [table[i], table[i + 1], table[i + 2]];
            let there = at.field(height, x.small_to_signed() as i32, y.small_to_signed() as i32);
            steepest = max(steepest, (there - here) * at.number(per_way));
        }
        open = open + (one - steepest * (one + steepest * steepest).inverse_root());
    }
    [open * per_direction]
}
