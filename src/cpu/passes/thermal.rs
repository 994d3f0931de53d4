//! Twin of `shaders/passes/thermal.wgsl`: material slides down slopes that are too steep.

use crate::cpu::passes::stencil::{AtSample, Each, Stencil};
use crate::cpu::simd::number::Number;
use crate::cpu::simd::real::max;
use crate::schedule::pass::Thermal;

/// The material that slides here from a neighbour that is `higher` by some height; negative if it slides to the neighbour. The
/// neighbour computes the same number with the opposite sign, so the total is conserved.
#[inline(always)]
fn share<N: Number>(higher: N, holds: N, rate: N) -> N {
    let zero = higher.constant(0.0);
    let excess = max(higher.abs() - holds, zero) * rate;
    N::select(excess, -excess, higher.less_than(zero))
}

#[inline(always)]
pub fn slide<S: Stencil>(at: S, Thermal { height, straight, diagonal, rate }: Thermal<AtSample<'_, S>>) -> [Each<S>; 1] {
    let here = at.here(height);
    let w = share(at.field(height, -1, 0) - here, straight, rate);
    let e = share(at.field(height, 1, 0) - here, straight, rate);
    let n = share(at.field(height, 0, -1) - here, straight, rate);
    let s = share(at.field(height, 0, 1) - here, straight, rate);
    let nw = share(at.field(height, -1, -1) - here, diagonal, rate);
    let ne = share(at.field(height, 1, -1) - here, diagonal, rate);
    let sw = share(at.field(height, -1, 1) - here, diagonal, rate);
    let se = share(at.field(height, 1, 1) - here, diagonal, rate);
    [here + (((w + e) + (n + s)) + ((nw + ne) + (sw + se)))]
}
