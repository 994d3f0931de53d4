//! Twin of `shaders/lib/fastnoise_simplex.wgsl`: FastNoiseLite's OpenSimplex2 and OpenSimplex2S, in skewed, mirrored or turned
//! coordinates. The points that a sample may reach depend on its place in a cell. Each is chosen for every lane by selects.

use crate::cpu::lib::fastnoise::{PRIMES, floor, hash_2, hash_3, index_2, index_3, primed, pull, round, slope_2, slope_3, within_reach};
use crate::cpu::lib::jet::{Jet, add, constant, each_axis, pick, through};
use crate::cpu::simd::number::{Bits, Number};
use crate::cpu::simd::permute::Lookup;
use crate::cpu::simd::unrolled;

// `g` is (3 − √3) / 6; each is rounded as f32 arithmetic rounds its formula.
const G: f64 = 0.211_324_87f32 as f64;
const G_LESS_1: f64 = -0.788_675_1f32 as f64;
const TWO_G_LESS_1: f64 = -0.577_350_26f32 as f64;
const THREE_G_LESS_1: f64 = -0.366_025_4f32 as f64;
const THREE_G_LESS_2: f64 = -1.366_025_4f32 as f64;
/// The far corner's distance follows from that of the near one.
const FAR: [f64; 2] = [3.154_700_5f32 as f64, -0.666_666_6f32 as f64];
const TWO_THIRDS: f64 = 0.666_666_7f32 as f64;
const SCALE_2: f64 = 99.836_85f32 as f64;
const SCALE_2S: f64 = 18.241_962f32 as f64;
const SCALE_3: f64 = 32.694_283f32 as f64;
const SCALE_3S: f64 = 9.046_026f32 as f64;
const SIX_TENTHS: f64 = 0.6f32 as f64;
/// The second lattice's seed is this much more than the first one's.
pub const SECOND: u32 = 1_293_373;

/// The pull of a point in 2D.
#[inline(always)]
fn corner_2<R: Lookup>(t: R, seed: R::Bits, point: [R::Bits; 2], [x, y]: [R; 2]) -> Jet<R> {
    pull(t, slope_2(index_2(hash_2(seed, point)), [x, y]), [x, y, x.constant(0.0)])
}

/// The pull of a point; 0 beyond its reach.
#[inline(always)]
fn near_2<R: Lookup>(t: R, seed: R::Bits, point: [R::Bits; 2], d: [R; 2]) -> Jet<R> {
    corner_2(within_reach(t), seed, point, d)
}

#[inline(always)]
fn corner_3<R: Lookup>(t: R, seed: R::Bits, point: [R::Bits; 3], d: [R; 3]) -> Jet<R> {
    pull(t, slope_3(index_3(hash_3(seed, point)), d), d)
}

#[inline(always)]
fn near_3<R: Lookup>(t: R, seed: R::Bits, point: [R::Bits; 3], d: [R; 3]) -> Jet<R> {
    corner_3(within_reach(t), seed, point, d)
}

/// A noise's sum in its range.
#[inline(always)]
fn scaled<R: Number>(sum: Jet<R>, scale: f64) -> Jet<R> {
    let scale = sum.value.constant(scale);
    through(sum.value * scale, scale, sum)
}

/// The cell of a skewed position, the offset from its corner, and the part of it along the diagonal.
pub struct Skewed<R: Number> {
    /// The multiplied coordinates of the corner.
    pub corner: [R::Bits; 2],
    pub fraction: [R; 2],
    pub t: R,
    pub offset: [R; 2],
}

#[inline(always)]
pub fn skewed<R: Number>([x, y, _]: [R; 3]) -> Skewed<R> {
    let (i, j) = (floor(x), floor(y));
    let (xi, yi) = (x - R::of_signed(i), y - R::of_signed(j));
    let t = (xi + yi) * x.constant(G);
    Skewed { corner: [i.times(PRIMES[0]), j.times(PRIMES[1])], fraction: [xi, yi], t, offset: [xi - t, yi - t] }
}

/// A constant less the squared offset.
#[inline(always)]
pub fn rest_2<R: Number>(reach: R, [x, y]: [R; 2]) -> R {
    reach - x * x - y * y
}

/// The rest at the far corner, from that at the near one.
#[inline(always)]
pub fn rest_far<R: Number>(near: R, t: R) -> R {
    t.constant(FAR[0]) * t + (t.constant(FAR[1]) + near)
}

/// The middle one of a triangle's corners, and the offset from it.
#[inline(always)]
pub fn middle_2<R: Number>([i, j]: [R::Bits; 2], [x, y]: [R; 2]) -> ([R::Bits; 2], [R; 2]) {
    let (low, high) = (x.constant(G), x.constant(G_LESS_1));
    let up = x.less_than(y);
    let point = [R::Bits::select(i.plus(i.constant(PRIMES[0])), i, up), R::Bits::select(j, j.plus(j.constant(PRIMES[1])), up)];
    (point, [x + R::select(high, low, up), y + R::select(low, high, up)])
}

/// The far corner, and the offset from it.
#[inline(always)]
pub fn far_2<R: Number>([i, j]: [R::Bits; 2], [x, y]: [R; 2]) -> ([R::Bits; 2], [R; 2]) {
    let off = x.constant(TWO_G_LESS_1);
    ([i.plus(i.constant(PRIMES[0])), j.plus(j.constant(PRIMES[1]))], [x + off, y + off])
}

/// OpenSimplex2 in 2D.
#[inline(always)]
pub fn simplex_2<R: Lookup>(seed: R::Bits, at: [R; 3]) -> Jet<R> {
    let Skewed { corner, t, offset, .. } = skewed(at);
    let reach = t.constant(0.5);
    let a = rest_2(reach, offset);
    let near = near_2(a, seed, corner, offset);
    let (point, d) = far_2(corner, offset);
    let far = near_2(rest_far(a, t), seed, point, d);
    let (point, d) = middle_2(corner, offset);
    let middle = near_2(rest_2(reach, d), seed, point, d);
    scaled(add(add(near, middle), far), SCALE_2)
}

/// OpenSimplex2S in 2D.
#[inline(always)]
pub fn smooth_2<R: Lookup>(seed: R::Bits, at: [R; 3]) -> Jet<R> {
    let Skewed { corner, fraction: [xi, yi], t, offset } = skewed(at);
    let reach = t.constant(TWO_THIRDS);
    let a0 = rest_2(reach, offset);
    let near = corner_2(a0, seed, corner, offset);
    let (point, d) = far_2(corner, offset);
    let far = corner_2(rest_far(a0, t), seed, point, d);
    let diagonal = xi - yi;
    let (zero, one) = (t.constant(0.0), t.constant(1.0));
    // The other two points depend on whether the sample is in the upper triangle, and on which side of each it is.
    let upper = t.constant(G).less_than(t);
    let first = [upper, select_mask::<R>((xi + diagonal).less_than(zero), one.less_than(xi + diagonal), upper)];
    let second = [upper, select_mask::<R>(yi.less_than(diagonal), one.less_than(yi - diagonal), upper)];
    let [x, y] = offset;
    let (along, across) = ([G_LESS_1, -G_LESS_1, G, THREE_G_LESS_2], [G, -G, G_LESS_1, THREE_G_LESS_1]);
    let d = [x + of_four(t, along, first), y + of_four(t, across, first)];
    let point = [step_of_four(corner[0], PRIMES[0], [1, -1, 0, 2], first), step_of_four(corner[1], PRIMES[1], [0, 0, 1, 1], first)];
    let sum = add(add(near, far), near_2(rest_2(reach, d), seed, point, d));
    let d = [x + of_four(t, across, second), y + of_four(t, along, second)];
    let point = [step_of_four(corner[0], PRIMES[0], [0, 0, 1, 1], second), step_of_four(corner[1], PRIMES[1], [1, -1, 0, 2], second)];
    scaled(add(sum, near_2(rest_2(reach, d), seed, point, d)), SCALE_2S)
}

/// One of four constants: two where the first mask does not hold, two where it holds, and of these the latter where the second
/// mask holds.
#[inline(always)]
fn of_four<R: Number>(like: R, [a, b, c, d]: [f64; 4], [outer, inner]: [R::Mask; 2]) -> R {
    let low = R::select(like.constant(a), like.constant(b), inner);
    R::select(low, R::select(like.constant(c), like.constant(d), inner), outer)
}

/// The coordinate of a point that is one of four constant numbers of steps away, as in [`of_four`].
#[inline(always)]
fn step_of_four<B: Bits>(from: B, prime: u32, [a, b, c, d]: [i32; 4], [outer, inner]: [B::Mask; 2]) -> B {
    let low = B::select(steps(from, prime, a), steps(from, prime, b), inner);
    from.plus(B::select(low, B::select(steps(from, prime, c), steps(from, prime, d), inner), outer))
}

/// A constant number of steps along an axis.
#[inline(always)]
fn steps<B: Bits>(like: B, prime: u32, count: i32) -> B {
    like.constant(prime.wrapping_mul(count as u32))
}

/// `t` where `by` holds, and `f` elsewhere.
#[inline(always)]
fn select_mask<R: Number>(f: R::Mask, t: R::Mask, by: R::Mask) -> R::Mask {
    R::Bits::either(R::Bits::both(t, by), R::Bits::both(f, R::Bits::not(by)))
}

/// A lattice of two: the nearest point of the first, the offset from it, and the point's pull before it is squared twice.
#[derive(Clone, Copy)]
pub struct Cube<R: Number> {
    /// The multiplied coordinates of the nearest point.
    pub point: [R::Bits; 3],
    pub offset: [R; 3],
    /// −1 or 1 along each axis: away from the second nearest point.
    pub sign: [R; 3],
    /// Whether it is −1.
    pub negative: [R::Mask; 3],
    /// Magnitudes of the offset.
    pub away: [R; 3],
    pub rest: R,
}

#[inline(always)]
pub fn cube<R: Number>(at: [R; 3]) -> Cube<R> {
    let whole = each_axis!(i => round(at[i]));
    let offset = each_axis!(i => at[i] - R::of_signed(whole[i]));
    let minus = at[0].constant(-1.0);
    // Rounded as the original rounds: a small negative offset counts as positive.
    let negative = each_axis!(i => minus.at_least(minus - offset[i]));
    let sign = each_axis!(i => R::select(-minus, minus, negative[i]));
    let away = each_axis!(i => sign[i] * -offset[i]);
    let [x0, y0, z0] = offset;
    let rest = (x0.constant(SIX_TENTHS) - x0 * x0) - (y0 * y0 + z0 * z0);
    Cube { point: primed(whole), offset, sign, negative, away, rest }
}

/// The second nearest point of the lattice, the offset from it, and its rest. Sources differ in the formula of the rest.
#[inline(always)]
pub fn neighbour<R: Number>(c: &Cube<R>, by_distance: bool) -> ([R::Bits; 3], [R; 3], R) {
    let [x, y, z] = c.away;
    let first = R::Bits::both(x.at_least(y), x.at_least(z));
    let second = R::Bits::both(x.less_than(y), y.at_least(z));
    let along = [first, second, R::Bits::not(R::Bits::either(first, second))];
    let one = x.constant(1.0);
    let point = each_axis!(i => {
        let prime = c.point[i].constant(PRIMES[i]);
        R::Bits::select(c.point[i], R::Bits::select(c.point[i].minus(prime), c.point[i].plus(prime), c.negative[i]), along[i])
    });
    let moved = each_axis!(i => c.offset[i] + c.sign[i]);
    let offset = each_axis!(i => R::select(c.offset[i], moved[i], along[i]));
    let rest = if by_distance {
        let away = R::select(R::select(z, y, second), x, first);
        c.rest + away + away - one
    } else {
        let sign = R::select(R::select(c.sign[2], c.sign[1], second), c.sign[0], first);
        c.rest + one - (sign + sign) * R::select(R::select(moved[2], moved[1], second), moved[0], first)
    };
    (point, offset, rest)
}

/// The nearest point of the second lattice, from that of the first. Sources differ in the order of a sum.
#[inline(always)]
pub fn second<R: Number>(c: &Cube<R>, in_turn: bool) -> Cube<R> {
    let away = each_axis!(i => c.away[i].constant(0.5) - c.away[i]);
    let offset = each_axis!(i => c.sign[i] * away[i]);
    let [x, y, z] = away;
    let reach = x.constant(0.75);
    let rest = if in_turn { c.rest + (reach - x) - (y + z) } else { c.rest + ((reach - x) - (y + z)) };
    let point = each_axis!(i => R::Bits::select(c.point[i], c.point[i].plus(c.point[i].constant(PRIMES[i])), c.negative[i]));
    let (sign, negative) = (each_axis!(i => -c.sign[i]), each_axis!(i => R::Bits::not(c.negative[i])));
    Cube { point, offset, sign, negative, away, rest }
}

/// OpenSimplex2 in 3D: two cubic lattices.
#[inline(always)]
pub fn simplex_3<R: Lookup>(seed: R::Bits, at: [R; 3], by_distance: bool, in_turn: bool) -> Jet<R> {
    let first = cube(at);
    let mut sum = constant(at[0].constant(0.0));
    let lattices = [(seed, first), (seed ^ seed.constant(u32::MAX), second(&first, in_turn))];
    for (seed, c) in lattices {
        sum = add(sum, near_3(c.rest, seed, c.point, c.offset));
        let (point, offset, rest) = neighbour(&c, by_distance);
        sum = add(sum, near_3(rest, seed, point, offset));
    }
    scaled(sum, SCALE_3)
}

/// OpenSimplex2S in 3D: two cubic lattices, and up to four points of each.
#[inline(always)]
pub fn smooth_3<R: Lookup>(seed: R::Bits, at: [R; 3]) -> Jet<R> {
    let whole = each_axis!(i => floor(at[i]));
    let fraction = each_axis!(i => at[i] - R::of_signed(whole[i]));
    let (zero, half, one) = (at[0].constant(0.0), at[0].constant(0.5), at[0].constant(1.0));
    // Whether the upper point is nearer, and the step towards the nearer point from the other.
    let upper = each_axis!(i => (-one).at_least(-half - fraction[i]));
    let side = each_axis!(i => R::select(one, -one, upper[i]));
    let corner = primed(whole);
    let next = each_axis!(i => corner[i].plus(corner[i].constant(PRIMES[i])));
    let d0 = each_axis!(i => fraction[i] + R::select(zero, -one, upper[i]));
    let d1 = each_axis!(i => fraction[i] - half);
    let first = Points {
        seed,
        near: each_axis!(i => R::Bits::select(corner[i], next[i], upper[i])),
        far: each_axis!(i => R::Bits::select(next[i], corner[i], upper[i])),
        offset: d0,
        far_offset: each_axis!(i => d0[i] - side[i]),
    };
    let second = Points {
        seed: seed.plus(seed.constant(SECOND)),
        near: next,
        far: each_axis!(i => R::Bits::select(corner[i], next[i].plus(next[i].constant(PRIMES[i])), upper[i])),
        offset: d1,
        far_offset: each_axis!(i => side[i] + d1[i]),
    };
    let (a0, a1) = (rest_3(d0), rest_3(d1));
    // Changes of the rests from a point to the next one along each axis, in the first lattice and in the second.
    let flip0 = each_axis!(i => (side[i] + side[i]) * d1[i]);
    let flip1 = each_axis!(i => -flip0[i] - one);
    let none = constant(zero);
    let mut sum = add(corner_3(a0, first.seed, first.near, d0), corner_3(a1, second.seed, second.near, d1));
    let mut later = [none; 3];
    unrolled!(axis in 0..3 => {
        let (low, high) = ([1, 0, 0][axis], [2, 2, 1][axis]);
        let t = flip0[axis] + a0;
        let along = zero.less_than(t);
        sum = add(sum, first.pull(R::select(flip0[low] + flip0[high] + a0, t, along), axis, along));
        // The second lattice's point along the axis counts only if the first one's does not. Otherwise the point across counts,
        // after the points of all axes.
        let t = flip1[axis] + a1;
        let own = R::Bits::both(R::Bits::not(along), zero.less_than(t));
        let found = second.pull(R::select(flip1[low] + flip1[high] + a1, t, own), axis, own);
        sum = add(sum, pick(none, found, own));
        later[axis] = pick(found, none, own);
    });
    scaled(add(add(add(sum, later[0]), later[1]), later[2]), SCALE_3S)
}

/// A constant less the squared offset.
#[inline(always)]
fn rest_3<R: Number>([x, y, z]: [R; 3]) -> R {
    x.constant(0.75) - x * x - y * y - z * z
}

/// The points of a lattice around a sample: along each axis the multiplied coordinates of the nearer one and of the other, and the
/// offsets from them.
struct Points<R: Number> {
    seed: R::Bits,
    near: [R::Bits; 3],
    far: [R::Bits; 3],
    offset: [R; 3],
    far_offset: [R; 3],
}

impl<R: Lookup> Points<R> {
    /// The pull of the point that is the other one along an axis where the mask holds, and elsewhere along the other two axes.
    #[inline(always)]
    fn pull(&self, t: R, axis: usize, along: R::Mask) -> Jet<R> {
        let across = R::Bits::not(along);
        let far = each_axis!(i => if i == axis { along } else { across });
        let point = each_axis!(i => R::Bits::select(self.near[i], self.far[i], far[i]));
        near_3(t, self.seed, point, each_axis!(i => R::select(self.offset[i], self.far_offset[i], far[i])))
    }
}
