//! Twin of `shaders/passes/river.wgsl`: rivers as channels in the ground, and the wetness of the ground.

use crate::cpu::lib::power::positive;
use crate::cpu::passes::stencil::{AtSample, Each, Stencil, WordEach};
use crate::cpu::simd::number::{Bits, Number, Transcendental, max, min};
use crate::schedule::pass::{Channel, RiverBegin, RiverNearest, Wetness, made};

/// The power that stands for a missing river.
const FAR: f32 = 1e12;

/// The square of half the width of a channel, in samples, from the area in units of the least.
#[inline(always)]
fn half_width_squared<N: Transcendental>(flow: N, [square, twice_exponent, most]: [N; 3]) -> N {
    min(square * positive(flow, twice_exponent).0, most)
}

/// The power of a sample to a river is the square of the distance less that of half the width. Here it is that to the sample's own
/// river, if it has one.
#[inline(always)]
pub fn begin<S: Stencil>(at: S, pass: RiverBegin<AtSample<'_, S>>) -> made::RiverBegin<Each<S>> {
    let RiverBegin { surface, area, per_least, square, twice_exponent, most } = pass;
    let flow = at.here(area) * per_least;
    let is_river = flow.at_least(at.constant(1.0));
    let power = -half_width_squared(flow, [square, twice_exponent, most]);
    made::RiverBegin {
        power: Each::<S>::select(at.constant(FAR), power, is_river),
        level: at.here(surface),
        flow: Each::<S>::select(at.constant(0.0), flow, is_river),
    }
}

/// The smallest power along a line whose step is (`x`, `y`), with the level and the flow of its river.
#[inline(always)]
pub fn nearest<S: Stencil>(at: S, pass: RiverNearest<AtSample<'_, S>>) -> made::RiverNearest<Each<S>> {
    let (x, y, reach) = (at.count(pass.x), at.count(pass.y), at.count(pass.reach));
    let mut near = made::RiverNearest { power: at.here(pass.power), level: at.here(pass.level), flow: at.here(pass.flow) };
    for i in 1..=reach {
        let way = at.constant(i as f32) * at.constant(i as f32);
        // No river is wider.
        if !WordEach::<S>::any((way - pass.most).less_than(near.power)) {
            break;
        }
        for side in [-i, i] {
            let power = at.field(pass.power, x * side, y * side) + way;
            let is_nearer = power.less_than(near.power);
            // Rivers are rare.
            if WordEach::<S>::any(is_nearer) {
                near.power = Each::<S>::select(near.power, power, is_nearer);
                near.level = Each::<S>::select(near.level, at.field(pass.level, x * side, y * side), is_nearer);
                near.flow = Each::<S>::select(near.flow, at.field(pass.flow, x * side, y * side), is_nearer);
            }
        }
    }
    near
}

#[inline(always)]
pub fn channel<S: Stencil>(at: S, pass: Channel<AtSample<'_, S>>) -> made::Channel<Each<S>> {
    let (zero, one) = (at.constant(0.0), at.constant(1.0));
    let (ground, power, flow) = (at.here(pass.height), at.here(pass.power), at.here(pass.flow));
    let inverse = half_width_squared(flow, [pass.square, pass.twice_exponent, pass.most]).inverse_root();
    let deepest = min(pass.depth * positive(flow, pass.depth_exponent).0, at.constant(1e30));
    let water = min(deepest, (deepest * max(-power, zero)) * (inverse * inverse));
    let profile = (at.here(pass.level) + pass.curvature * max(power, zero)) - water;
    let t = min(max((one - power * pass.per_reach_squared) * at.constant(1.333_333_4), zero), one);
    // A river begins gradually.
    let begun = min(max(flow - one, zero), one);
    let share = ((t * t) * (at.constant(3.0) - (t + t))) * begun;
    let carved = ground * (one - share) + min(ground, profile) * share;
    made::Channel { height: carved, depth: max(at.here(pass.surface) - ground, water * begun) }
}

#[inline(always)]
pub fn wetness<S: Stencil>(at: S, Wetness { slope, area, per_step, least_slope }: Wetness<AtSample<'_, S>>) -> [Each<S>; 1] {
    let area = max(at.here(area) * per_step, at.constant(1e-12));
    let slope = max(at.here(slope), least_slope);
    [(area.log2() - slope.log2()) * at.constant(std::f32::consts::LN_2)]
}
