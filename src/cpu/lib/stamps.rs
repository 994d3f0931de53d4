//! Twin of `shaders/lib/stamps.wgsl`: discs around the points of square lattices, and the stamps in them.

use crate::cpu::lib::hash::mix;
use crate::cpu::lib::jet::{Jet, multiply};
use crate::cpu::lib::point::HashKey;
use crate::cpu::lib::stamp_points::{around, rank};
use crate::cpu::lib::turn;
use crate::cpu::simd::number::{Bits, Number, Transcendental, max, min};
use crate::cpu::simd::unrolled;
use crate::program::{StampCombine, StampPriority};

/// One step of random numbers of 16 and 24 bits.
const STEP_16: f64 = 1.0 / 65_536.0;
const STEP_24: f64 = 1.0 / 16_777_216.0;

/// The numbers of a noise, in the order of its scalars.
#[derive(Clone, Copy)]
pub struct Numbers<R> {
    /// One step of the random coordinates of points, in cells.
    pub step: R,
    /// The random numbers of 16 bits below which a cell has a stamp.
    pub frequent: R,
    /// The largest inverse of a scale, less 1.
    pub smaller: R,
    pub turns: R,
    /// World units per cell, and the square of the cells per radius, inverted.
    pub unit: R,
    pub per_radius: R,
    pub lift: R,
    /// 1 / the share of the squared radius in which a stamp fades.
    pub per_fade: R,
    /// The largest third coordinate in a stamp, in world units.
    pub thickness: R,
}

/// A disc near a sample.
#[derive(Clone, Copy)]
pub struct Disc<R: Number> {
    /// The way from its middle, in cells.
    d: [R; 2],
    /// Random bits.
    word: R::Bits,
    /// The inverse of the scale, and the inverse of the squared radius in cells.
    small: R,
    pull: R,
    /// The squared distance from its middle, in radii.
    t: R,
    /// Lanes that it covers.
    pub covers: R::Mask,
}

/// A stamp around a sample.
#[derive(Clone, Copy)]
pub struct Stamp<R: Number> {
    /// The squared distance from its middle, in radii, and the slope of that per cell.
    t: R,
    slope: [R; 2],
    /// The position in the stamp, in world units, and the steps of its first two coordinates per cell.
    pub at: [R; 3],
    step_x: [R; 2],
    step_y: [R; 2],
    /// The factor of heights.
    height: R,
    /// From 0 to 1, for stamps that cover others.
    priority: R,
    per_fade: R,
    /// Lanes that the disc covers.
    pub covers: R::Mask,
}

/// The stamps so far, per cell: heights and the largest priority, as the first two components of gradients.
#[derive(Clone, Copy)]
pub struct Stamps<R> {
    pub heights: Jet<R>,
    pub top: Jet<R>,
}

/// The way from a point along an axis, by the upper 16 bits of a random word.
#[inline(always)]
fn from<R: Number>(f: R, o: u32, h: R::Bits, step: R) -> R {
    let half = f.constant(0.5);
    (((f - half) - half * step) - f.constant(f64::from(o) - 1.0)) - R::of_signed(h.signed_down(16)) * step
}

/// The disc with this number: nine in each lattice.
// A browser's module has this code once.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
#[cfg_attr(target_family = "wasm", inline(never))]
pub fn disc<R: Transcendental, const PERIODIC: bool>(
    [x, y, _]: [R::Bits; 3],
    [along, across, _]: [R; 3],
    key: HashKey<R::Bits, PERIODIC>,
    number: u32,
    n: &Numbers<R>,
) -> Disc<R> {
    let o = [number % 3, number % 9 / 3];
    let h = key.cubic(around([x, y], number));
    let one = along.constant(1.0);
    let d = [from(along, o[0], h, n.step), from(across, o[1], h << 16, n.step)];
    let word = mix(h);
    let exists = R::of_signed(word & word.constant(0xffff)).less_than(n.frequent);
    let small = n.smaller * (R::of_signed(word >> 16) * along.constant(STEP_16)) + one;
    let pull = (small * small) * n.per_radius;
    let t = R::select(one, pull * (d[0] * d[0] + d[1] * d[1]), exists);
    Disc { d, word, small, pull, t, covers: t.less_than(one) }
}

/// The stamp in a disc.
// A browser's module has this code once.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
#[cfg_attr(target_family = "wasm", inline(never))]
pub fn stamp<R: Transcendental>(
    Disc { d: [dx, dy], word, small, pull, t, covers }: Disc<R>,
    priority: StampPriority,
    n: &Numbers<R>,
) -> Stamp<R> {
    let constant = |x: f64| t.constant(x);
    let one = constant(1.0);
    let other = mix(word);
    let (sin, cos) = turn::whole(n.turns * (R::of_signed(other >> 16) * constant(STEP_16)));
    let scale = small * n.unit;
    let (s, c) = (scale * sin, scale * cos);
    let root = small.inverse_root();
    let twice = constant(2.0) * pull;
    Stamp {
        t,
        slope: [twice * dx, twice * dy],
        at: [c * dx + s * dy, c * dy - s * dx, n.thickness * (R::of_signed(other & other.constant(0xffff)) * constant(STEP_16))],
        step_x: [c, s],
        step_y: [-s, c],
        height: n.lift * (root * root - one) + one,
        priority: R::of_signed(rank(word, priority) >> 8) * constant(STEP_24),
        per_fade: n.per_fade,
        covers,
    }
}

/// The share of a stamp that shows: 1 inside, fading to 0 at the edge of its disc.
#[inline(always)]
fn weight<R: Number>(stamp: &Stamp<R>) -> Jet<R> {
    let number = |x: f64| stamp.t.constant(x);
    let one = number(1.0);
    let y = min((one - stamp.t) * stamp.per_fade, one);
    let slope = (number(-6.0) * stamp.per_fade) * (y * (one - y));
    let [a, b] = stamp.slope;
    Jet { value: (y * y) * (number(3.0) - (y + y)), gradient: [slope * a, slope * b, number(0.0)] }
}

/// The heights of a stamp, per cell.
#[inline(always)]
fn height<R: Number>(stamp: &Stamp<R>, inner: Jet<R>) -> Jet<R> {
    let [x, y, _] = inner.gradient;
    let slope = |axis: usize| stamp.height * (x * stamp.step_x[axis] + y * stamp.step_y[axis]);
    Jet { value: stamp.height * inner.value, gradient: [slope(0), slope(1), stamp.height.constant(0.0)] }
}

/// The stamps with one more, in lanes that its disc covers.
#[inline(always)]
pub fn combine<R: Number>(kind: StampCombine, stamps: Stamps<R>, stamp: &Stamp<R>, inner: Jet<R>) -> Stamps<R> {
    let next = match kind {
        StampCombine::Add => add(stamps, stamp, inner),
        StampCombine::Max => highest(stamps, stamp, inner),
        StampCombine::Cover => cover(stamps, stamp, inner),
    };
    Stamps { heights: pick(stamps.heights, next.heights, stamp.covers), top: pick(stamps.top, next.top, stamp.covers) }
}

#[inline(always)]
fn pick<R: Number>(mut f: Jet<R>, t: Jet<R>, mask: R::Mask) -> Jet<R> {
    f.value = R::select(f.value, t.value, mask);
    unrolled!(axis in 0..2 => {
        f.gradient[axis] = R::select(f.gradient[axis], t.gradient[axis], mask);
    });
    f
}

#[inline(always)]
fn add<R: Number>(mut stamps: Stamps<R>, stamp: &Stamp<R>, inner: Jet<R>) -> Stamps<R> {
    let more = multiply(weight(stamp), height(stamp, inner));
    stamps.heights.value = stamps.heights.value + more.value;
    unrolled!(axis in 0..2 => {
        stamps.heights.gradient[axis] = stamps.heights.gradient[axis] + more.gradient[axis];
    });
    stamps
}

/// Twin of `stamps_max`.
#[inline(always)]
fn highest<R: Number>(stamps: Stamps<R>, stamp: &Stamp<R>, inner: Jet<R>) -> Stamps<R> {
    let more = multiply(weight(stamp), height(stamp, inner));
    Stamps { heights: pick(stamps.heights, more, stamps.heights.value.less_than(more.value)), ..stamps }
}

/// Nothing shows where the priority of the others is higher by a quarter.
#[inline(always)]
fn cover<R: Number>(stamps: Stamps<R>, stamp: &Stamp<R>, inner: Jet<R>) -> Stamps<R> {
    let number = |x: f64| stamp.t.constant(x);
    let (zero, one) = (number(0.0), number(1.0));
    let (weight, height) = (weight(stamp), height(stamp, inner));
    let Stamps { heights, top } = stamps;
    let p = max(min(number(4.0) * (stamp.priority - top.value) + one, one), zero);
    let seen = (p * p) * (number(3.0) - (p + p));
    let steep = number(-24.0) * (p * (one - p));
    let m = weight.value * seen;
    let gap = height.value - heights.value;
    let above = max(stamp.priority - top.value, zero);
    let near = above.less_than(number(0.125));
    let gain = R::select(above - number(0.0625), number(4.0) * (above * above), near);
    let rate = R::select(one, number(8.0) * above, near);
    let mut next = stamps;
    next.heights.value = heights.value + m * gap;
    next.top.value = top.value + weight.value * gain;
    unrolled!(axis in 0..2 => {
        let dm = seen * weight.gradient[axis] + weight.value * (steep * top.gradient[axis]);
        let slope = heights.gradient[axis];
        next.heights.gradient[axis] = slope + (m * (height.gradient[axis] - slope) + gap * dm);
        next.top.gradient[axis] = top.gradient[axis] + (gain * weight.gradient[axis] - (weight.value * rate) * top.gradient[axis]);
    });
    next
}
