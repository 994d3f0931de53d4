//! Twin of `shaders/passes/thermal.wgsl`: what is too steep slides.

use crate::cpu::passes::stencil::Stencil;
use crate::cpu::simd::Real;
use crate::cpu::simd::real::{max, select};
use crate::schedule::pass::{AtSample, Thermal};

/// What slides here from a neighbour that is so much higher; less than nothing where it slides there. At the neighbour it is the same
/// number with the other sign, so that nothing is lost.
#[inline(always)]
fn share<R: Real>(higher: R, holds: R, rate: R) -> R {
    let excess = max(higher.abs() - holds, R::of(0.0)) * rate;
    select(excess, -excess, higher < R::of(0.0))
}

#[inline(always)]
pub fn slide<R: Real>(at: impl Stencil<R>, Thermal { height, straight, diagonal, rate }: Thermal<AtSample<'_, R>>) -> [R; 1] {
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
