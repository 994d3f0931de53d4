//! Twin of `shaders/passes/erosion.wgsl`: erosion at one scale.

use crate::cpu::passes::stencil::{AtSample, Each, Stencil, WordEach};
use crate::cpu::simd::number::{Bits, Number, Transcendental};
use crate::cpu::simd::real::{max, min};
use crate::schedule::pass::{ErosionBury, ErosionCarve, ErosionRefine, ErosionRoute, ReadIndex, made};

/// 1 / x for positive x; 0 below 2⁻¹⁰⁰.
#[inline(always)]
fn reciprocal<N: Transcendental>(x: N) -> N {
    let i = x.inverse_root();
    i * i
}

/// The weights of the B-spline: (1, 6, 1) / 8 on a coarser sample, and (0, 1, 1) / 2 in the middle between two.
#[inline(always)]
fn weights<S: Stencil>(at: S, index: WordEach<S>) -> [Each<S>; 3] {
    let on = (index & at.word(1)).equals(at.word(0));
    [[0.0, 0.125], [0.5, 0.75], [0.5, 0.125]].map(
        #[inline(always)]
        |[between, whole]| Each::<S>::select(at.constant(between), at.constant(whole), on),
    )
}

/// A row of the B-spline.
#[inline(always)]
fn row<S: Stencil>(at: S, value: ReadIndex, y: i32, weights: [Each<S>; 3]) -> Each<S> {
    let before = at.field(value, -2, y) * weights[0];
    (before + at.field(value, 0, y) * weights[1]) + at.field(value, 2, y) * weights[2]
}

#[inline(always)]
pub fn refine<S: Stencil>(at: S, ErosionRefine { value, scale }: ErosionRefine<AtSample<'_, S>>) -> [Each<S>; 1] {
    let (first, here) = (at.inputs().index, at.at());
    let x = weights(at, here[0].plus(at.word(first[0])));
    let y = weights(at, here[1].plus(at.word(first[1])));
    let above = row(at, value, -2, x) * y[0];
    [((above + row(at, value, 0, x) * y[1]) + row(at, value, 2, x) * y[2]) * scale]
}

#[inline(always)]
pub fn bury<S: Stencil>(at: S, pass: ErosionBury<AtSample<'_, S>>) -> [Each<S>; 1] {
    let ErosionBury { before, coarse, change, per_depth } = pass;
    let (before, change) = (at.here(before), at.here(change));
    let buried = min(max(change * per_depth, at.constant(0.0)), at.constant(1.0));
    [(before + change) - (before - at.here(coarse)) * buried]
}

/// The weight of a way down this slope.
#[inline(always)]
fn weight<N: Number>(slope: N, ease: N) -> N {
    let eased = max(slope + ease, slope.constant(0.0));
    eased * eased
}

#[inline(always)]
pub fn route<S: Stencil>(at: S, pass: ErosionRoute<AtSample<'_, S>>) -> made::ErosionRoute<Each<S>> {
    let ErosionRoute { height, discharge, load, per_step, per_diagonal, ease } = pass;
    let here = at.here(height);
    let w = weight((here - at.field(height, -1, 0)) * per_step, ease);
    let e = weight((here - at.field(height, 1, 0)) * per_step, ease);
    let n = weight((here - at.field(height, 0, -1)) * per_step, ease);
    let s = weight((here - at.field(height, 0, 1)) * per_step, ease);
    let nw = weight((here - at.field(height, -1, -1)) * per_diagonal, ease);
    let ne = weight((here - at.field(height, 1, -1)) * per_diagonal, ease);
    let sw = weight((here - at.field(height, -1, 1)) * per_diagonal, ease);
    let se = weight((here - at.field(height, 1, 1)) * per_diagonal, ease);
    let per_weight = reciprocal(((w + e) + (n + s)) + ((nw + ne) + (sw + se)));
    made::ErosionRoute { discharge: at.here(discharge) * per_weight, load: at.here(load) * per_weight }
}

/// The part of one or more neighbours in a sample: the discharge and the load that flow in, and the slopes.
#[derive(Clone, Copy)]
struct From<N> {
    discharge: N,
    load: N,
    /// The slope up to it, as the least and the greatest of a sum.
    slopes: [N; 2],
    /// The excess of the slope, which slides here; negative if it slides to the neighbour.
    excess: N,
}

/// The part of a neighbour at this distance.
#[inline(always)]
fn from<S: Stencil>(at: S, pass: &ErosionCarve<AtSample<'_, S>>, [x, y]: [i32; 2], per_distance: Each<S>) -> From<Each<S>> {
    let zero = at.constant(0.0);
    let slope = (at.field(pass.height, x, y) - at.here(pass.height)) * per_distance;
    let weight = weight(slope, pass.ease);
    let excess = max(slope.abs() - pass.talus, zero);
    From {
        discharge: weight * at.field(pass.discharge, x, y),
        load: weight * at.field(pass.load, x, y),
        slopes: [slope; 2],
        excess: Each::<S>::select(excess, -excess, slope.less_than(zero)),
    }
}

/// The sums of four neighbours, and the least and the greatest of their slopes.
#[inline(always)]
fn sum<N: Number>([a, b, c, d]: [From<N>; 4]) -> From<N> {
    From {
        discharge: (a.discharge + b.discharge) + (c.discharge + d.discharge),
        load: (a.load + b.load) + (c.load + d.load),
        slopes: [
            min(min(a.slopes[0], b.slopes[0]), min(c.slopes[0], d.slopes[0])),
            max(max(a.slopes[1], b.slopes[1]), max(c.slopes[1], d.slopes[1])),
        ],
        excess: (a.excess + b.excess) + (c.excess + d.excess),
    }
}

#[inline(always)]
pub fn carve<S: Stencil>(at: S, pass: ErosionCarve<AtSample<'_, S>>) -> made::ErosionCarve<Each<S>> {
    let ErosionCarve { height, rain, hardness, per_step, per_diagonal, step, rise, slide, slide_diagonal, strength, settling, .. } = pass;
    let (zero, one) = (at.constant(0.0), at.constant(1.0));
    let here = at.here(height);
    let straight = sum([
        from(at, &pass, [-1, 0], per_step),
        from(at, &pass, [1, 0], per_step),
        from(at, &pass, [0, -1], per_step),
        from(at, &pass, [0, 1], per_step),
    ]);
    let diagonal = sum([
        from(at, &pass, [-1, -1], per_diagonal),
        from(at, &pass, [1, -1], per_diagonal),
        from(at, &pass, [-1, 1], per_diagonal),
        from(at, &pass, [1, 1], per_diagonal),
    ]);
    let least = min(straight.slopes[0], diagonal.slopes[0]);
    let discharge = max(at.here(rain), zero) + (straight.discharge + diagonal.discharge);
    let load = straight.load + diagonal.load;
    let soft = one - min(max(at.here(hardness), zero), one);
    let f = (strength * soft) * discharge.root();
    // The implicit step, which never cuts below the lowest neighbour.
    let worn = (max(-least, zero) * step) * (f * reciprocal(one + f));
    let settled = load * min(settling * reciprocal(discharge), one);
    let filled = min(load, max(least, zero) * step + rise);
    // Not above half the way to the highest neighbour, so that no heap grows.
    let space = max(max(straight.slopes[1], diagonal.slopes[1]), zero) * (at.constant(0.5) * step) + rise;
    let settled = min(settled, space);
    let laid = Each::<S>::select(settled, max(settled, filled), zero.less_than(least));
    let slid = straight.excess * slide + diagonal.excess * slide_diagonal;
    made::ErosionCarve { height: ((here - worn) + laid) + slid, discharge, load: max((load + worn) - laid, zero) }
}
