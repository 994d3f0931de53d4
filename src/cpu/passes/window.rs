//! Twin of `shaders/passes/window.wgsl`: filters of a window around each sample.

use crate::cpu::passes::stencil::{AtSample, Each, Stencil};
use crate::cpu::simd::Real;
use crate::cpu::simd::number::Number;
use crate::cpu::simd::real::{max, min};
use crate::schedule::pass::{Gaussian, Median, Occlusion};

#[inline(always)]
pub fn gaussian<S: Stencil>(at: S, Gaussian { value, x, y, radius, table }: Gaussian<AtSample<'_, S>>) -> [Each<S>; 1] {
    let (x, y, radius) = (at.count(x), at.count(y), at.count(radius));
    let mut sum = at.here(value) * at.number(table[0]);
    for i in 1..=radius {
        sum = sum + (at.field(value, -x * i, -y * i) + at.field(value, x * i, y * i)) * at.number(table[i as usize]);
    }
    [sum]
}

/// Samples of the largest square.
const MOST: usize = 15 * 15;
/// The most that are in hand while the middle one is looked for.
const IN_HAND: usize = MOST / 2 + 2;

/// Orders two numbers of a list.
#[inline(always)]
fn order<N: Number>(all: &mut [N; IN_HAND], low: usize, high: usize) {
    let (a, b) = (all[low], all[high]);
    all[low] = min(a, b);
    all[high] = max(a, b);
}

/// The middle one of a square. Whatever is the smallest or the largest of one more than half of them cannot be it: both are forgotten,
/// another one is taken in hand, until three are left. The shader finds it bit by bit; which one it is does not depend on how.
#[inline(always)]
pub fn median<S: Stencil>(at: S, Median { value, radius }: Median<AtSample<'_, S>>) -> [Each<S>; 1] {
    let radius = at.count(radius);
    let edge = 2 * radius + 1;
    let count = (edge * edge) as usize;
    let mut all = [at.constant(0.0); IN_HAND];
    let mut size = (count / 2 + 2).min(IN_HAND);
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
        // The smaller ones into the lower half, the smallest of them to the front, the largest to the end.
        for i in 0..size / 2 {
            order(&mut all, i, size - 1 - i);
        }
        for i in 1..size.div_ceil(2) {
            order(&mut all, 0, i);
        }
        for i in size / 2..size - 1 {
            order(&mut all, i, size - 1);
        }
        size -= 1;
    }
    [all[1]]
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
            let there = at.field(height, table[i].to_i32(), table[i + 1].to_i32());
            steepest = max(steepest, (there - here) * at.number(table[i + 2]));
        }
        open = open + (one - steepest * (one + steepest * steepest).inverse_root());
    }
    [open * per_direction]
}
