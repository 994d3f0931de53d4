//! Twin of `shaders/passes/window.wgsl`: filters of a window around each sample.

use crate::cpu::passes::stencil::Stencil;
use crate::cpu::simd::Real;
use crate::cpu::simd::real::max;

/// Along one axis; the table holds the weights of distances 0, 1, 2 and so on.
#[inline(always)]
pub fn gaussian<R: Real>(at: impl Stencil<R>) -> [R; 1] {
    let (x, y, radius) = (at.count(0), at.count(1), at.count(2));
    let mut sum = at.field(0, 0, 0) * at.table(0);
    for i in 1..=radius {
        sum = sum + (at.field(0, -x * i, -y * i) + at.field(0, x * i, y * i)) * at.table(i as usize);
    }
    [sum]
}

/// Samples of the largest square.
const MOST: usize = 15 * 15;

/// The middle one of a square. The shader finds it bit by bit; which one it is does not depend on how.
#[inline(always)]
pub fn median<R: Real>(at: impl Stencil<R>) -> [R; 1] {
    let radius = at.count(0);
    let mut all = [R::default(); MOST];
    let mut count = 0;
    for y in -radius..=radius {
        for x in -radius..=radius {
            all[count] = at.field(0, x, y);
            count += 1;
        }
    }
    let by_value = |a: &R, b: &R| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal);
    [*all[..count].select_nth_unstable_by(count / 2, by_value).1]
}

/// The mean of 1 − sin(horizon) over directions; the table holds, for each direction and step, x, y and the reciprocal of the
/// distance.
#[inline(always)]
pub fn occlusion<R: Real>(at: impl Stencil<R>) -> [R; 1] {
    let (directions, steps) = (at.count(0) as usize, at.count(1) as usize);
    let here = at.field(0, 0, 0);
    let mut open = R::of(0.0);
    for d in 0..directions {
        let mut steepest = R::of(0.0);
        for s in 0..steps {
            let i = 3 * (d * steps + s);
            let there = at.field(0, at.table(i).to_i32(), at.table(i + 1).to_i32());
            steepest = max(steepest, (there - here) * at.table(i + 2));
        }
        open = open + (R::of(1.0) - steepest * (R::of(1.0) + steepest * steepest).inverse_root());
    }
    [open * at.number(2)]
}
