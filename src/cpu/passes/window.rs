//! Twin of `shaders/passes/window.wgsl`: filters of a window around each sample.

use crate::cpu::passes::stencil::Stencil;
use crate::cpu::simd::Real;
use crate::cpu::simd::real::max;
use crate::schedule::pass::{AtSample, Gaussian, Median, Occlusion};

#[inline(always)]
pub fn gaussian<R: Real>(at: impl Stencil<R>, Gaussian { value, x, y, radius, table }: Gaussian<AtSample<'_, R>>) -> [R; 1] {
    let (x, y, radius) = (x.to_i32(), y.to_i32(), radius.to_i32());
    let mut sum = at.here(value) * table[0];
    for i in 1..=radius {
        sum = sum + (at.field(value, -x * i, -y * i) + at.field(value, x * i, y * i)) * table[i as usize];
    }
    [sum]
}

/// Samples of the largest square.
const MOST: usize = 15 * 15;

/// The middle one of a square. The shader finds it bit by bit; which one it is does not depend on how.
#[inline(always)]
pub fn median<R: Real>(at: impl Stencil<R>, Median { value, radius }: Median<AtSample<'_, R>>) -> [R; 1] {
    let radius = radius.to_i32();
    let mut all = [R::default(); MOST];
    let mut count = 0;
    for y in -radius..=radius {
        for x in -radius..=radius {
            all[count] = at.field(value, x, y);
            count += 1;
        }
    }
    let by_value = |a: &R, b: &R| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal);
    [*all[..count].select_nth_unstable_by(count / 2, by_value).1]
}

/// The mean of 1 − sin(horizon) over directions.
#[inline(always)]
pub fn occlusion<R: Real>(at: impl Stencil<R>, pass: Occlusion<AtSample<'_, R>>) -> [R; 1] {
    let Occlusion { height, directions, steps, per_direction, table } = pass;
    let (directions, steps) = (directions.to_i32() as usize, steps.to_i32() as usize);
    let here = at.here(height);
    let mut open = R::of(0.0);
    for d in 0..directions {
        let mut steepest = R::of(0.0);
        for s in 0..steps {
            let i = 3 * (d * steps + s);
            let there = at.field(height, table[i].to_i32(), table[i + 1].to_i32());
            steepest = max(steepest, (there - here) * table[i + 2]);
        }
        open = open + (R::of(1.0) - steepest * (R::of(1.0) + steepest * steepest).inverse_root());
    }
    [open * per_direction]
}
