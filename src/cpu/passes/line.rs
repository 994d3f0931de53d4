//! Twin of `shaders/passes/line.wgsl`: distances to the line where a field has a level.

use crate::cpu::passes::stencil::{AtSample, Each, Stencil, WordEach};
use crate::cpu::simd::number::{Bits, Number, Transcendental, max, min};
use crate::schedule::pass::{Crossings, CrossingsAlong, DistanceEnvelope, SignedDistance, made};

/// The distance that stands for a missing crossing, in samples.
const NONE: f32 = 1_000_000.0;

/// Where the level lies between a value and the next, as a part of the way; far away if both are on the same side of it.
#[inline(always)]
fn part<S: Stencil>(at: S, here: Each<S>, next: Each<S>, level: Each<S>) -> Each<S> {
    let way = min((next - here).abs(), at.constant(1e18));
    let part = min((level - here).abs() * (way * way).inverse_root(), at.constant(1.0));
    let (low, high) = (min(here, next), max(here, next));
    let crosses = WordEach::<S>::both(level.less_than(high), level.at_least(low));
    Each::<S>::select(at.constant(NONE), part, crosses)
}

#[inline(always)]
pub fn crossing<S: Stencil>(at: S, Crossings { value, level }: Crossings<AtSample<'_, S>>) -> made::Crossings<Each<S>> {
    let here = at.here(value);
    made::Crossings { x: part(at, here, at.field(value, 1, 0), level), y: part(at, here, at.field(value, 0, 1), level) }
}

#[inline(always)]
pub fn along<S: Stencil>(at: S, pass: CrossingsAlong<AtSample<'_, S>>) -> [Each<S>; 1] {
    let CrossingsAlong { crossing, x, y, reach } = pass;
    let (x, y, reach) = (at.count(x), at.count(y), at.count(reach));
    let here = at.here(crossing);
    let mut square = here * here;
    for i in 1..=reach {
        let way = at.constant(i as f32);
        let before = way - at.constant(1.0);
        // Crossings of this step are at least as far as the sample before.
        if !WordEach::<S>::any((before * before).less_than(square)) {
            break;
        }
        let after = way + at.field(crossing, x * i, y * i);
        let before = way - at.field(crossing, -x * i, -y * i);
        square = min(square, min(after * after, before * before));
    }
    [square]
}

#[inline(always)]
pub fn envelope<S: Stencil>(at: S, pass: DistanceEnvelope<AtSample<'_, S>>) -> [Each<S>; 1] {
    let DistanceEnvelope { square, x, y, reach } = pass;
    let (x, y, reach) = (at.count(x), at.count(y), at.count(reach));
    let mut least = at.here(square);
    for i in 1..=reach {
        let way = at.constant(i as f32) * at.constant(i as f32);
        if !WordEach::<S>::any(way.less_than(least)) {
            break;
        }
        least = min(least, min(at.field(square, x * i, y * i), at.field(square, -x * i, -y * i)) + way);
    }
    [least]
}

#[inline(always)]
pub fn signed<S: Stencil>(at: S, SignedDistance { value, a, b, level, step, most }: SignedDistance<AtSample<'_, S>>) -> [Each<S>; 1] {
    let square = min(at.here(a), at.here(b));
    let distance = min(square.root() * step, most);
    [Each::<S>::select(distance, -distance, level.less_than(at.here(value)))]
}
