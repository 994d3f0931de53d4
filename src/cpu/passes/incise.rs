//! Twin of `shaders/passes/incise.wgsl`: incision by the stream power law in explicit steps.

use crate::cpu::lib::power::positive;
use crate::cpu::passes::stencil::{AtSample, Each, Stencil};
use crate::cpu::simd::number::{Bits, Number, Transcendental, max, min};
use crate::schedule::pass::{InciseCarve, IncisePower, InciseSettle, made};

#[inline(always)]
pub fn power<S: Stencil>(at: S, pass: IncisePower<AtSample<'_, S>>) -> made::IncisePower<Each<S>> {
    let area = max(at.here(pass.area), pass.least);
    let soft = max(at.here(pass.erodibility), at.constant(0.0));
    let i = area.inverse_root();
    let cut = (soft * pass.time) * positive(area, pass.concavity).0;
    made::IncisePower { cut: min(cut, pass.most), settle: min(pass.settling * (i * i), at.constant(1.0)) }
}

/// Sums and extremes over the neighbours of a sample.
#[derive(Clone, Copy)]
struct Around<N> {
    /// The steepest fall so far, per distance between samples, and its direction.
    fall: N,
    towards: N,
    /// The lowest neighbour.
    lowest: N,
    /// The lowest neighbour that sediment comes from.
    donor: N,
    /// The sediment that comes.
    load: N,
    /// The sums of the differences in height, straight and diagonal.
    straight: N,
    diagonal: N,
    /// The sum of the excesses over stable differences, which slide here.
    slid: N,
}

/// Directions are numbered W, E, N, S, NW, NE, SW, SE; 8 is here. `back` is the direction from the neighbour to here.
#[inline(always)]
fn add<S: Stencil>(
    at: S,
    pass: &InciseCarve<AtSample<'_, S>>,
    around: Around<Each<S>>,
    [x, y]: [i32; 2],
    towards: u8,
    back: u32,
) -> Around<Each<S>> {
    let (here, there) = (at.here(pass.height), at.field(pass.height, x, y));
    let is_diagonal = towards > 3;
    let per_way = if is_diagonal { std::f32::consts::FRAC_1_SQRT_2 } else { 1.0 };
    let fall = (here - max(there, pass.sea)) * at.constant(per_way);
    let is_steeper = around.fall.less_than(fall);
    let comes = at.field(pass.to, x, y).small_to_signed().equals(at.word(back));
    let higher = there - here;
    let holds = pass.holds * at.constant(if is_diagonal { std::f32::consts::SQRT_2 } else { 1.0 });
    let excess = max(higher.abs() - holds, at.constant(0.0));
    Around {
        fall: Each::<S>::select(around.fall, fall, is_steeper),
        towards: Each::<S>::select(around.towards, at.constant(f32::from(towards)), is_steeper),
        lowest: min(around.lowest, there),
        donor: Each::<S>::select(around.donor, min(around.donor, there), comes),
        load: Each::<S>::select(around.load, around.load + at.field(pass.load, x, y), comes),
        straight: if is_diagonal { around.straight } else { around.straight + higher },
        diagonal: if is_diagonal { around.diagonal + higher } else { around.diagonal },
        slid: around.slid + Each::<S>::select(excess, -excess, higher.less_than(at.constant(0.0))),
    }
}

#[inline(always)]
pub fn carve<S: Stencil>(at: S, pass: InciseCarve<AtSample<'_, S>>) -> made::InciseCarve<Each<S>> {
    let (zero, here) = (at.constant(0.0), at.here(pass.height));
    let stays = at.here(pass.to).small_to_signed().equals(at.word(8));
    let mut around = Around {
        fall: at.constant(-1e38),
        towards: at.constant(8.0),
        lowest: here,
        donor: at.constant(1e38),
        load: Each::<S>::select(zero, at.here(pass.load), stays),
        straight: zero,
        diagonal: zero,
        slid: zero,
    };
    around = add(at, &pass, around, [-1, 0], 0, 1);
    around = add(at, &pass, around, [1, 0], 1, 0);
    around = add(at, &pass, around, [0, -1], 2, 3);
    around = add(at, &pass, around, [0, 1], 3, 2);
    around = add(at, &pass, around, [-1, -1], 4, 7);
    around = add(at, &pass, around, [1, -1], 5, 6);
    around = add(at, &pass, around, [-1, 1], 6, 5);
    around = add(at, &pass, around, [1, 1], 7, 4);
    let flows = zero.less_than(around.fall);
    let worn = max(around.fall, zero) * at.here(pass.cut);
    // Up to the lowest neighbour that sediment comes from, so that no dam grows. A pit fills to its lowest neighbour, or to the sea.
    let room = max(Each::<S>::select(-around.fall, around.donor - here, flows), zero) + pass.rise;
    let laid = min(Each::<S>::select(around.load, around.load * at.here(pass.settle), flows), room);
    let crept = (around.straight * pass.straight + around.diagonal * pass.diagonal) + around.slid * pass.slide;
    made::InciseCarve {
        // Only rounding could reach below the neighbours.
        height: max(((here - worn) + laid) + crept, around.lowest),
        load: max((around.load + worn) - laid, zero),
        to: Each::<S>::select(at.constant(8.0), around.towards, flows),
    }
}

/// Uplift, and the accounts: sediment that lies on the rock is removed before the rock.
#[inline(always)]
pub fn settle<S: Stencil>(at: S, pass: InciseSettle<AtSample<'_, S>>) -> made::InciseSettle<Each<S>> {
    let (zero, height) = (at.constant(0.0), at.here(pass.height));
    let left = at.here(pass.sediment) + (height - at.here(pass.before));
    made::InciseSettle {
        height: height + at.here(pass.uplift) * pass.time,
        sediment: max(left, zero),
        wear: at.here(pass.wear) + max(-left, zero),
    }
}
