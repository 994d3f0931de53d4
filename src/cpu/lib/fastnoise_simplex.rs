//! Twin of `shaders/lib/fastnoise_simplex.wgsl`: FastNoiseLite's OpenSimplex2 and OpenSimplex2S, in skewed, mirrored or turned
//! coordinates.

use crate::cpu::lib::fastnoise::{
    PRIMES, direction_2, direction_3, floor, hash_2, hash_3, index_2, index_3, number, pull, round, slope_2, slope_3,
};
use crate::cpu::lib::jet::{Jet, add, constant, through};
use crate::cpu::simd::Real;

// `g` is (3 − √3) / 6; each is rounded as f32 arithmetic rounds its formula.
const G: f32 = 0.211_324_87;
const G_LESS_1: f32 = -0.788_675_1;
const TWO_G_LESS_1: f32 = -0.577_350_26;
const THREE_G_LESS_1: f32 = -0.366_025_4;
const THREE_G_LESS_2: f32 = -1.366_025_4;
/// The far corner's distance follows from that of the near one.
const FAR: [f32; 2] = [3.154_700_5, -0.666_666_6];
const TWO_THIRDS: f32 = 0.666_666_7;
const SCALE_2: f32 = 99.836_85;
const SCALE_2S: f32 = 18.241_962;
const SCALE_3: f32 = 32.694_283;
const SCALE_3S: f32 = 9.046_026;
/// The second lattice's seed is this much more than the first one's.
pub const SECOND: i32 = 1_293_373;

/// The pull of a point in 2D.
#[inline(always)]
fn corner_2<R: Real>(t: R, seed: i32, [i, j]: [i32; 2], [x, y]: [R; 2]) -> Jet<R> {
    pull(t, slope_2(direction_2(index_2(hash_2(seed, i, j))), [x, y]), [x, y, R::of(0.0)])
}

/// The pull of a point within reach.
#[inline(always)]
fn near_2<R: Real>(t: R, seed: i32, point: [i32; 2], d: [R; 2]) -> Jet<R> {
    if t > R::of(0.0) { corner_2(t, seed, point, d) } else { constant(R::of(0.0)) }
}

#[inline(always)]
fn corner_3<R: Real>(t: R, seed: i32, [i, j, k]: [i32; 3], d: [R; 3]) -> Jet<R> {
    pull(t, slope_3(direction_3(index_3(hash_3(seed, i, j, k))), d), d)
}

#[inline(always)]
fn near_3<R: Real>(t: R, seed: i32, point: [i32; 3], d: [R; 3]) -> Jet<R> {
    if t > R::of(0.0) { corner_3(t, seed, point, d) } else { constant(R::of(0.0)) }
}

/// The cell of a skewed position, the offset from its corner, and the part of it along the diagonal.
pub struct Skewed<R> {
    /// The multiplied coordinates of the corner.
    pub corner: [i32; 2],
    pub fraction: [R; 2],
    pub t: R,
    pub offset: [R; 2],
}

#[inline(always)]
pub fn skewed<R: Real>([x, y, _]: [R; 3]) -> Skewed<R> {
    let (i, j) = (floor(x), floor(y));
    let (xi, yi) = (x - number(i), y - number(j));
    let t = (xi + yi) * R::exactly(G);
    let corner = [i.wrapping_mul(PRIMES[0]), j.wrapping_mul(PRIMES[1])];
    Skewed { corner, fraction: [xi, yi], t, offset: [xi - t, yi - t] }
}

/// A constant less the squared offset.
#[inline(always)]
pub fn rest_2<R: Real>(reach: R, [x, y]: [R; 2]) -> R {
    reach - x * x - y * y
}

/// The rest at the far corner, from that at the near one.
#[inline(always)]
pub fn rest_far<R: Real>(near: R, t: R) -> R {
    R::exactly(FAR[0]) * t + (R::exactly(FAR[1]) + near)
}

/// The middle one of a triangle's corners, as steps from the near one, and the offset from it.
#[inline(always)]
pub fn middle_2<R: Real>([x, y]: [R; 2]) -> ([i32; 2], [R; 2]) {
    let (low, high) = (R::exactly(G), R::exactly(G_LESS_1));
    if y > x { ([0, 1], [x + low, y + high]) } else { ([1, 0], [x + high, y + low]) }
}

/// The offset from the far corner.
#[inline(always)]
pub fn far_2<R: Real>([x, y]: [R; 2]) -> [R; 2] {
    [x + R::exactly(TWO_G_LESS_1), y + R::exactly(TWO_G_LESS_1)]
}

/// The multiplied coordinates of a point some steps further.
#[inline(always)]
pub fn step_2([i, j]: [i32; 2], [x, y]: [i32; 2]) -> [i32; 2] {
    [i.wrapping_add(x.wrapping_mul(PRIMES[0])), j.wrapping_add(y.wrapping_mul(PRIMES[1]))]
}

/// OpenSimplex2 in 2D.
#[inline(always)]
pub fn simplex_2<R: Real>(seed: i32, at: [R; 3]) -> Jet<R> {
    let Skewed { corner, t, offset, .. } = skewed(at);
    let a = rest_2(R::of(0.5), offset);
    let near = near_2(a, seed, corner, offset);
    let far = near_2(rest_far(a, t), seed, step_2(corner, [1, 1]), far_2(offset));
    let (step, d) = middle_2(offset);
    let middle = near_2(rest_2(R::of(0.5), d), seed, step_2(corner, step), d);
    let sum = add(add(near, middle), far);
    through(sum.value * R::exactly(SCALE_2), R::exactly(SCALE_2), sum)
}

/// OpenSimplex2S in 2D.
#[inline(always)]
pub fn smooth_2<R: Real>(seed: i32, at: [R; 3]) -> Jet<R> {
    let Skewed { corner, fraction: [xi, yi], t, offset } = skewed(at);
    let [x0, y0] = offset;
    let reach = R::exactly(TWO_THIRDS);
    let a0 = rest_2(reach, offset);
    let near = corner_2(a0, seed, corner, offset);
    let far = corner_2(rest_far(a0, t), seed, step_2(corner, [1, 1]), far_2(offset));
    let mut sum = add(near, far);
    let off = |x: f32, y: f32| [x0 + R::exactly(x), y0 + R::exactly(y)];
    let diagonal = xi - yi;
    let one = R::of(1.0);
    let (first, second) = if t > R::exactly(G) {
        (
            if xi + diagonal > one { ([2, 1], off(THREE_G_LESS_2, THREE_G_LESS_1)) } else { ([0, 1], off(G, G_LESS_1)) },
            if yi - diagonal > one { ([1, 2], off(THREE_G_LESS_1, THREE_G_LESS_2)) } else { ([1, 0], off(G_LESS_1, G)) },
        )
    } else {
        (
            if xi + diagonal < R::of(0.0) { ([-1, 0], off(-G_LESS_1, -G)) } else { ([1, 0], off(G_LESS_1, G)) },
            if yi < diagonal { ([0, -1], off(-G, -G_LESS_1)) } else { ([0, 1], off(G, G_LESS_1)) },
        )
    };
    for (step, d) in [first, second] {
        sum = add(sum, near_2(rest_2(reach, d), seed, step_2(corner, step), d));
    }
    through(sum.value * R::exactly(SCALE_2S), R::exactly(SCALE_2S), sum)
}

/// A lattice of two: the nearest point of the first, the offset from it, and the point's pull before it is squared twice.
#[derive(Clone, Copy)]
pub struct Cube<R> {
    /// The multiplied coordinates of the nearest point.
    pub point: [i32; 3],
    pub offset: [R; 3],
    /// −1 or 1 along each axis: away from the second nearest point.
    pub sign: [i32; 3],
    /// Magnitudes of the offset.
    pub away: [R; 3],
    pub rest: R,
}

#[inline(always)]
pub fn cube<R: Real>([x, y, z]: [R; 3]) -> Cube<R> {
    let whole = [round(x), round(y), round(z)];
    let offset = [x - number(whole[0]), y - number(whole[1]), z - number(whole[2])];
    let sign = offset.map(|d| (R::of(-1.0) - d).to_i32() | 1);
    let away = [0, 1, 2].map(|i| R::of_i32(sign[i]) * -offset[i]);
    let [x0, y0, z0] = offset;
    let rest = (R::exactly(0.6) - x0 * x0) - (y0 * y0 + z0 * z0);
    Cube { point: [0, 1, 2].map(|i| whole[i].wrapping_mul(PRIMES[i])), offset, sign, away, rest }
}

/// The second nearest point of the lattice, the offset from it, and its rest. Sources differ in the formula of the rest.
#[inline(always)]
pub fn neighbour<R: Real>(c: &Cube<R>, by_distance: bool) -> ([i32; 3], [R; 3], R) {
    let [x, y, z] = c.away;
    let axis = if x >= y && x >= z {
        0
    } else if y > x && y >= z {
        1
    } else {
        2
    };
    let mut point = c.point;
    point[axis] = point[axis].wrapping_sub(c.sign[axis].wrapping_mul(PRIMES[axis]));
    let mut offset = c.offset;
    offset[axis] = offset[axis] + R::of_i32(c.sign[axis]);
    let rest = if by_distance {
        c.rest + c.away[axis] + c.away[axis] - R::of(1.0)
    } else {
        c.rest + R::of(1.0) - R::of_i32(2 * c.sign[axis]) * offset[axis]
    };
    (point, offset, rest)
}

/// The nearest point of the second lattice, from that of the first. Sources differ in the order of a sum.
#[inline(always)]
pub fn second<R: Real>(c: &Cube<R>, in_turn: bool) -> Cube<R> {
    let away = c.away.map(|a| R::of(0.5) - a);
    let offset = [0, 1, 2].map(|i| R::of_i32(c.sign[i]) * away[i]);
    let [x, y, z] = away;
    let rest = if in_turn { c.rest + (R::of(0.75) - x) - (y + z) } else { c.rest + ((R::of(0.75) - x) - (y + z)) };
    let point = [0, 1, 2].map(|i| c.point[i].wrapping_add((c.sign[i] >> 1) & PRIMES[i]));
    Cube { point, offset, sign: c.sign.map(|s| -s), away, rest }
}

/// OpenSimplex2 in 3D: two cubic lattices.
#[inline(always)]
pub fn simplex_3<R: Real>(seed: i32, at: [R; 3], by_distance: bool, in_turn: bool) -> Jet<R> {
    let first = cube(at);
    let mut sum = constant(R::of(0.0));
    for (seed, c) in [(seed, first), (!seed, second(&first, in_turn))] {
        sum = add(sum, near_3(c.rest, seed, c.point, c.offset));
        let (point, offset, rest) = neighbour(&c, by_distance);
        sum = add(sum, near_3(rest, seed, point, offset));
    }
    through(sum.value * R::exactly(SCALE_3), R::exactly(SCALE_3), sum)
}

/// OpenSimplex2S in 3D: two cubic lattices, and up to four points of each.
#[inline(always)]
pub fn smooth_3<R: Real>(seed: i32, [x, y, z]: [R; 3]) -> Jet<R> {
    let whole = [floor(x), floor(y), floor(z)];
    let fraction = [x - number(whole[0]), y - number(whole[1]), z - number(whole[2])];
    let corner = [0, 1, 2].map(|i| whole[i].wrapping_mul(PRIMES[i]));
    // −1 along axes where the upper point is nearer, else 0.
    let upper = fraction.map(|f| (R::of(-0.5) - f).to_i32());
    let side = upper.map(|m| R::of_i32(m | 1));
    let d0 = [0, 1, 2].map(|i| fraction[i] + R::of_i32(upper[i]));
    let d1 = fraction.map(|f| f - R::of(0.5));
    let rest = |[x, y, z]: [R; 3]| R::of(0.75) - x * x - y * y - z * z;
    let (a0, a1) = (rest(d0), rest(d1));
    // Changes of the rests from a point to the next one along each axis, in the first lattice and in the second.
    let flip0 = [0, 1, 2].map(|i| R::of_i32((upper[i] | 1) << 1) * d1[i]);
    let flip1 = [0, 1, 2].map(|i| R::of_i32(-2 - (upper[i] << 2)) * d1[i] - R::of(1.0));
    // A point of the first lattice, moved to the other side along some axes; and one of the second.
    let first = |t: R, moved: [bool; 3]| {
        let point = [0, 1, 2].map(|i| corner[i].wrapping_add(if moved[i] { !upper[i] } else { upper[i] } & PRIMES[i]));
        (t, seed, point, [0, 1, 2].map(|i| if moved[i] { d0[i] - side[i] } else { d0[i] }))
    };
    let other = |t: R, moved: [bool; 3]| {
        let point = [0, 1, 2].map(|i| corner[i].wrapping_add(if moved[i] { upper[i] & PRIMES[i].wrapping_mul(2) } else { PRIMES[i] }));
        (t, seed.wrapping_add(SECOND), point, [0, 1, 2].map(|i| if moved[i] { side[i] + d1[i] } else { d1[i] }))
    };
    let corner_of = |(t, seed, point, d): (R, i32, [i32; 3], [R; 3])| corner_3(t, seed, point, d);
    let near = |(t, seed, point, d): (R, i32, [i32; 3], [R; 3])| near_3(t, seed, point, d);
    let mut sum = add(corner_of(first(a0, [false; 3])), corner_of(other(a1, [false; 3])));
    let mut skip = [false; 3];
    for axis in 0..3 {
        let (low, high) = ([1, 0, 0][axis], [2, 2, 1][axis]);
        let own = [0, 1, 2].map(|i| i == axis);
        let across = own.map(|own| !own);
        let along = flip0[axis] + a0;
        if along > R::of(0.0) {
            sum = add(sum, near(first(along, own)));
        } else {
            sum = add(sum, near(first(flip0[low] + flip0[high] + a0, across)));
            let beyond = flip1[axis] + a1;
            sum = add(sum, near(other(beyond, own)));
            skip[axis] = beyond > R::of(0.0);
        }
    }
    for axis in 0..3 {
        if !skip[axis] {
            let (low, high) = ([1, 0, 0][axis], [2, 2, 1][axis]);
            sum = add(sum, near(other(flip1[low] + flip1[high] + a1, [0, 1, 2].map(|i| i != axis))));
        }
    }
    through(sum.value * R::exactly(SCALE_3S), R::exactly(SCALE_3S), sum)
}
