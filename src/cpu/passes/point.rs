//! Twin of `shaders/passes/point.wgsl`: passes that read only the sample itself.

use crate::cpu::passes::stencil::{AtSample, Each, Stencil};
use crate::cpu::simd::number::{Bits, Number};
use crate::cpu::simd::real::{max, min};
use crate::schedule::pass::{Add, Blend, Curve, Fill, Mask, Maximum, Minimum, Multiply, Ocean, Rank, Scale, Stretch, Subtract, made};

/// From this number of quantiles in a part on, it is faster to search all of them.
const FEW_STEPS: u32 = 8;

#[inline(always)]
pub fn fill<S: Stencil>(_: S, Fill { value }: Fill<AtSample<'_, S>>) -> [Each<S>; 1] {
    [value]
}

#[inline(always)]
pub fn scale<S: Stencil>(at: S, Scale { value, scale, offset, low, high }: Scale<AtSample<'_, S>>) -> [Each<S>; 1] {
    [min(max(at.here(value) * scale + offset, low), high)]
}

#[inline(always)]
pub fn stretch<S: Stencil>(at: S, Stretch { value, from, scale, to, low, high }: Stretch<AtSample<'_, S>>) -> [Each<S>; 1] {
    [min(max((at.here(value) - from) * scale + to, low), high)]
}

#[inline(always)]
pub fn rank<S: Stencil>(
    at: S,
    Rank { value, last, step, start, first, per_part, last_part, steps, table }: Rank<AtSample<'_, S>>,
) -> [Each<S>; 1] {
    let x = at.here(value);
    let (last, steps) = (at.count(last) as u32, at.count(steps) as u32);
    // The last quantile only ends the interval of the one before.
    let (low, from, per_way) = if steps <= FEW_STEPS {
        let part = min(max((x - first) * per_part, at.constant(0.0)), last_part).small_to_signed();
        at.guided_rank(table, last, steps, part, x)
    } else {
        let low = at.rank(table, 1, last, x);
        let [from, per_way] = at.entries(table, low, [0, last as usize + 1]);
        (low, from, per_way)
    };
    let inside = (x - from) * per_way;
    let inside = min(max(inside, at.constant(0.0)), at.constant(1.0));
    [(Each::<S>::of_signed(low) + inside) * step + start]
}

/// The quadratic Bézier curve of the value's piece, as the node `spline` has it.
#[inline(always)]
pub fn curve<S: Stencil>(at: S, Curve { value, pieces, table }: Curve<AtSample<'_, S>>) -> [Each<S>; 1] {
    let x = at.here(value);
    let low = at.rank(table, 4, at.count(pieces) as u32, x);
    let [from, lower, anchor, per_width, upper] = at.entries(table, low.times(4), [0, 1, 2, 3, 5]);
    let t = min(max((x - from) * per_width, at.constant(0.0)), at.constant(1.0));
    let a = lower + t * (anchor - lower);
    let b = anchor + t * (upper - anchor);
    [a + t * (b - a)]
}

/// 3t² − 2t³ of the position in the interval.
#[inline(always)]
pub fn mask<S: Stencil>(at: S, Mask { value, from, per_way }: Mask<AtSample<'_, S>>) -> [Each<S>; 1] {
    let t = min(max((at.here(value) - from) * per_way, at.constant(0.0)), at.constant(1.0));
    [(t * t) * (at.constant(3.0) - (t + t))]
}

#[inline(always)]
pub fn add<S: Stencil>(at: S, Add { a, b }: Add<AtSample<'_, S>>) -> [Each<S>; 1] {
    [at.here(a) + at.here(b)]
}

#[inline(always)]
pub fn subtract<S: Stencil>(at: S, Subtract { a, b }: Subtract<AtSample<'_, S>>) -> [Each<S>; 1] {
    [at.here(a) - at.here(b)]
}

#[inline(always)]
pub fn multiply<S: Stencil>(at: S, Multiply { a, b }: Multiply<AtSample<'_, S>>) -> [Each<S>; 1] {
    [at.here(a) * at.here(b)]
}

#[inline(always)]
pub fn minimum<S: Stencil>(at: S, Minimum { a, b }: Minimum<AtSample<'_, S>>) -> [Each<S>; 1] {
    [min(at.here(a), at.here(b))]
}

#[inline(always)]
pub fn maximum<S: Stencil>(at: S, Maximum { a, b }: Maximum<AtSample<'_, S>>) -> [Each<S>; 1] {
    [max(at.here(a), at.here(b))]
}

/// The mask is clamped to 0 to 1; at either end the result is exactly one plane.
#[inline(always)]
pub fn blend<S: Stencil>(at: S, Blend { a, b, mask }: Blend<AtSample<'_, S>>) -> [Each<S>; 1] {
    let t = min(max(at.here(mask), at.constant(0.0)), at.constant(1.0));
    [at.here(a) * (at.constant(1.0) - t) + at.here(b) * t]
}

#[inline(always)]
pub fn ocean<S: Stencil>(at: S, Ocean { height, level, per_width }: Ocean<AtSample<'_, S>>) -> made::Ocean<Each<S>> {
    let zero = at.constant(0.0);
    let height = at.here(height);
    let depth = level - height;
    let shore = max(at.constant(1.0) - depth.abs() * per_width, zero);
    made::Ocean {
        surface: max(height, level),
        depth: max(depth, zero),
        mask: Each::<S>::select(zero, at.constant(1.0), zero.less_than(depth)),
        shore,
    }
}
