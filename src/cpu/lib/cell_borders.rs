//! Twin of `shaders/lib/cell_borders.wgsl`: borders of cells by the Manhattan and Chebyshev metrics, in 2D and 3D.

use crate::cpu::lib::jet::Jet;
use crate::cpu::lib::worley::{FAR, away};
use crate::cpu::simd::number::{Bits, Number, max, min};
use crate::cpu::simd::unrolled;
use crate::program::Metric;

/// Coordinates of points that differ by less count as equal.
const TIE: f64 = 0.000_003_814_697_265_625;

/// The smallest distance by the metric from a sample to where a second point is nearer than the nearest one, and its gradient. The
/// arguments are the offsets from the sample to these points.
#[inline(always)]
pub fn border<R: Number, const DIMENSIONS: usize>(metric: Metric, inside: [R; DIMENSIONS], outside: [R; DIMENSIONS]) -> Jet<R> {
    let (inside, outside) = (three(inside), three(outside));
    if metric == Metric::Chebyshev { chebyshev(inside, outside) } else { manhattan(inside, outside) }
}

/// A vector with zeros for the axes that it lacks.
#[inline(always)]
fn three<R: Number, const DIMENSIONS: usize>(v: [R; DIMENSIONS]) -> [R; 3] {
    let mut all = [v[0].constant(0.0); 3];
    unrolled!(i in 0..DIMENSIONS => {
        all[i] = v[i];
    });
    all
}

/// One of three masks: the third, else the second, else the first.
#[inline(always)]
fn one_of<R: Number>(second: R::Mask, third: R::Mask) -> [R::Mask; 3] {
    let (not_second, not_third) = (R::Bits::not(second), R::Bits::not(third));
    [R::Bits::both(not_second, not_third), R::Bits::both(second, not_third), third]
}

/// The sum of the magnitudes.
#[inline(always)]
fn length<R: Number>([x, y, z]: [R; 3]) -> R {
    x.abs() + (y.abs() + z.abs())
}

#[inline(always)]
fn manhattan<R: Number>(inside: [R; 3], outside: [R; 3]) -> Jet<R> {
    let (zero, half, tie) = (inside[0].constant(0.0), inside[0].constant(0.5), inside[0].constant(TIE));
    let (mut across, mut apart, mut detour, mut slope) = (inside, inside, inside, inside);
    unrolled!(i in 0..3 => {
        across[i] = outside[i] - inside[i];
        apart[i] = across[i].abs();
        let ahead = R::select(inside[i], -inside[i], across[i].less_than(zero));
        detour[i] = R::select(zero, ahead, zero.less_than(ahead));
    });
    let rest = [apart[1] + apart[2], apart[0] + apart[2], apart[0] + apart[1]];
    let alone = [(rest[0] + tie).less_than(apart[0]), (rest[1] + tie).less_than(apart[1]), (rest[2] + tie).less_than(apart[2])];
    let any_alone = R::Bits::either(R::Bits::either(alone[0], alone[1]), alone[2]);
    let mut spare = detour;
    unrolled!(i in 0..3 => {
        spare[i] = R::select(zero.constant(-1.0), detour[i], (apart[i] + tie).less_than(rest[i]));
    });
    let third = R::Bits::both(spare[2].at_least(spare[0]), spare[2].at_least(spare[1]));
    let longest = one_of::<R>(spare[1].at_least(spare[0]), third);
    unrolled!(i in 0..3 => {
        let out = R::Bits::either(R::Bits::both(any_alone, R::Bits::not(alone[i])), R::Bits::both(R::Bits::not(any_alone), longest[i]));
        detour[i] = R::select(detour[i], zero, out);
        slope[i] = half * (away(outside[i]) - away(inside[i])) + R::select(zero, away(across[i]), zero.less_than(detour[i]));
    });
    let way = half * (length(outside) - length(inside));
    Jet { value: way + (detour[0] + (detour[1] + detour[2])), gradient: slope }
}

#[inline(always)]
fn chebyshev<R: Number>(inside: [R; 3], outside: [R; 3]) -> Jet<R> {
    let (zero, half) = (inside[0].constant(0.0), inside[0].constant(0.5));
    let (mut across, mut along, mut aside, mut ways, mut far, mut slope) = (inside, inside, inside, inside, inside, inside);
    unrolled!(i in 0..3 => {
        across[i] = outside[i] - inside[i];
        along[i] = R::select(outside[i], -outside[i], across[i].less_than(zero));
        aside[i] = outside[i].abs();
    });
    let others = [max(aside[1], aside[2]), max(aside[0], aside[2]), max(aside[0], aside[1])];
    unrolled!(i in 0..3 => {
        let ahead = R::select(inside[i], -inside[i], across[i].less_than(zero));
        let apart = zero.constant(TIE).less_than(across[i].abs());
        ways[i] = R::select(zero.constant(FAR), half * (ahead + max(along[i], others[i])), apart);
    });
    let by = one_of::<R>(ways[1].less_than(ways[0]), ways[2].less_than(min(ways[0], ways[1])));
    unrolled!(i in 0..3 => {
        far[i] = R::select(aside[i], along[i], by[i]);
    });
    let to = one_of::<R>(far[0].less_than(far[1]), max(far[0], far[1]).less_than(far[2]));
    unrolled!(i in 0..3 => {
        let own = away(across[i]);
        let other = R::select(away(outside[i]), own, by[i]);
        slope[i] = half * (R::select(zero, own, by[i]) + R::select(zero, other, to[i]));
    });
    Jet { value: max(min(min(ways[0], ways[1]), ways[2]), zero), gradient: slope }
}
