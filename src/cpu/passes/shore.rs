//! Twin of `shaders/passes/shore.wgsl`: beaches and cliffs by the distance to the shore, which is negative on land.

use crate::cpu::passes::stencil::{AtSample, Each, Stencil};
use crate::cpu::simd::number::{Number, max, min};
use crate::schedule::pass::{Beach, Cliff, made};

#[inline(always)]
pub fn beach<S: Stencil>(at: S, pass: Beach<AtSample<'_, S>>) -> made::Beach<Each<S>> {
    let (zero, one) = (at.constant(0.0), at.constant(1.0));
    let (height, distance) = (at.here(pass.height), at.here(pass.distance));
    let near = max(one - distance.abs() * pass.per_width, zero);
    let sand = ((near * near) * (at.constant(3.0) - (near + near))) * at.here(pass.gentle);
    let plane = pass.level - distance * pass.slope;
    made::Beach { height: height + sand * (plane - height), sand }
}

/// Above half the height of the cliff, less and less of what is above the profile is cut.
#[inline(always)]
pub fn cliff<S: Stencil>(at: S, pass: Cliff<AtSample<'_, S>>) -> made::Cliff<Each<S>> {
    let (zero, one, two) = (at.constant(0.0), at.constant(1.0), at.constant(2.0));
    let height = at.here(pass.height);
    let inland = max(-at.here(pass.distance), zero);
    let face = max(inland - pass.retreat, zero) * pass.face;
    let profile = (pass.level + min(inland, pass.retreat) * pass.slope) + face;
    let share = min(max(two - two * (face * pass.per_height), zero), one);
    let above = max(height - profile, zero);
    let cut = Each::<S>::select(zero, share * above, zero.less_than(inland));
    made::Cliff { height: height - cut, cut }
}
