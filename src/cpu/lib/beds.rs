//! Twin of `shaders/lib/beds.wgsl`: layers along one axis, with irregular boundaries.

use crate::cpu::lib::hash::{mix, signed};
use crate::cpu::lib::jet::Jet;
use crate::cpu::lib::point::HashKey;
use crate::cpu::simd::number::{Bits, Number, max, min};

/// The numbers of a noise.
#[derive(Clone, Copy)]
pub struct Numbers<R> {
    pub irregular: R,
    pub per_blend: R,
    pub variation: R,
}

/// Bed n: the offset of its lower boundary, and its value.
#[inline(always)]
fn bed<R: Number, const PERIODIC: bool>(n: R::Bits, key: HashKey<R::Bits, PERIODIC>, of: Numbers<R>, hardness: bool) -> [R; 2] {
    let number = |x: f64| of.irregular.constant(x);
    let h = key.cubic([n]);
    let boundary = (R::of_signed(h >> 16) * number(1.0 / 65_536.0) - number(0.5)) * of.irregular;
    let random = signed::<R>(mix(h));
    if !hardness {
        return [boundary, random];
    }
    let soft = of.variation * (number(0.25) * random + number(0.25));
    let even = (n & n.constant(1)).equals(n.constant(0));
    [boundary, R::select(soft, number(1.0) - soft, even)]
}

/// 0 well below a boundary and 1 well above it, with the slope.
#[inline(always)]
fn above<R: Number>(distance: R, per_blend: R) -> [R; 2] {
    let number = |x: f64| distance.constant(x);
    let t = min(max(distance * per_blend + number(0.5), number(0.0)), number(1.0));
    [(t * t) * (number(3.0) - (t + t)), (number(6.0) * per_blend) * (t * (number(1.0) - t))]
}

/// The bed around a position along the axis.
#[inline(always)]
pub fn beds<R: Number, const PERIODIC: bool>(n: R::Bits, f: R, key: HashKey<R::Bits, PERIODIC>, of: Numbers<R>, hardness: bool) -> Jet<R> {
    let (zero, one) = (f.constant(0.0), f.constant(1.0));
    let bed = |step: u32| bed(n.plus(n.constant(step)), key, of, hardness);
    let [below, here, next] = [bed(u32::MAX), bed(0), bed(1)];
    // No boundary is farther from its place than half a bed, so only two are near.
    let lower = above(f - here[0], of.per_blend);
    let upper = above((f - one) - next[0], of.per_blend);
    let own = below[1] * (one - lower[0]) + here[1] * lower[0];
    let slope = ((here[1] - below[1]) * lower[1]) * (one - upper[0]) + (next[1] - own) * upper[1];
    Jet { value: own * (one - upper[0]) + next[1] * upper[0], gradient: [slope, zero, zero] }
}
