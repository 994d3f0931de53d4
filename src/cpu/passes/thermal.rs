//! Twin of `shaders/passes/thermal.wgsl`: what is too steep slides.

use crate::cpu::passes::stencil::Stencil;
use crate::cpu::simd::Real;
use crate::cpu::simd::real::{max, select};

/// What slides here from a neighbour that is so much higher; less than nothing where it slides there. The same with the other sign
/// at the neighbour, so that nothing is lost.
#[inline(always)]
fn share<R: Real>(higher: R, holds: R, rate: R) -> R {
    let excess = max(higher.abs() - holds, R::of(0.0)) * rate;
    select(excess, -excess, higher < R::of(0.0))
}

/// Numbers: what holds to the next sample, what holds along the diagonal, the share that slides.
#[inline(always)]
pub fn slide<R: Real>(at: impl Stencil<R>) -> [R; 1] {
    let (straight, diagonal, rate) = (at.number(0), at.number(1), at.number(2));
    let here = at.field(0, 0, 0);
    let w = share(at.field(0, -1, 0) - here, straight, rate);
    let e = share(at.field(0, 1, 0) - here, straight, rate);
    let n = share(at.field(0, 0, -1) - here, straight, rate);
    let s = share(at.field(0, 0, 1) - here, straight, rate);
    let nw = share(at.field(0, -1, -1) - here, diagonal, rate);
    let ne = share(at.field(0, 1, -1) - here, diagonal, rate);
    let sw = share(at.field(0, -1, 1) - here, diagonal, rate);
    let se = share(at.field(0, 1, 1) - here, diagonal, rate);
    [here + (((w + e) + (n + s)) + ((nw + ne) + (sw + se)))]
}
