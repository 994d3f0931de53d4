//! Twin of `shaders/passes/loose.wgsl`: loose material on the ground slides where its surface is too steep.

use crate::cpu::passes::stencil::{AtSample, Each, Stencil};
use crate::cpu::simd::number::{Number, max, min};
use crate::schedule::pass::LooseSlide;

/// The surface of a sample or a neighbour, and the loose material on it.
type Surface<S> = (Each<S>, Each<S>);

/// The material that slides here from a neighbour, times eight; negative if it slides there. No more of it slides than lies there. The
/// neighbour computes the same number with the opposite sign, so material is conserved.
#[inline(always)]
fn share<S: Stencil>((surface, own): Surface<S>, (there, loose): Surface<S>, holds: Each<S>) -> Each<S> {
    let zero = surface.constant(0.0);
    let higher = there - surface;
    let excess = max(higher.abs() - holds, zero);
    let slides = min(excess, Each::<S>::select(loose, own, higher.less_than(zero)));
    Each::<S>::select(slides, -slides, higher.less_than(zero))
}

#[inline(always)]
pub fn slide<S: Stencil>(at: S, LooseSlide { ground, loose, straight, diagonal }: LooseSlide<AtSample<'_, S>>) -> [Each<S>; 1] {
    let surface = |x, y| {
        let loose = at.field(loose, x, y);
        (at.field(ground, x, y) + loose, loose)
    };
    let here = surface(0, 0);
    let w = share::<S>(here, surface(-1, 0), straight);
    let e = share::<S>(here, surface(1, 0), straight);
    let n = share::<S>(here, surface(0, -1), straight);
    let s = share::<S>(here, surface(0, 1), straight);
    let nw = share::<S>(here, surface(-1, -1), diagonal);
    let ne = share::<S>(here, surface(1, -1), diagonal);
    let sw = share::<S>(here, surface(-1, 1), diagonal);
    let se = share::<S>(here, surface(1, 1), diagonal);
    let sum = ((w + e) + (n + s)) + ((nw + ne) + (sw + se));
    [max(here.1 + at.constant(0.125) * sum, at.constant(0.0))]
}
