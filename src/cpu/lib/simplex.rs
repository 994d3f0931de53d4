//! Twin of `shaders/lib/simplex.wgsl`: simplex noise in 2D and 3D, on a lattice along the world's axes.
//!
//! The diagonal of the skewed lattice's cubes lies along the last axis. (In Gustavson 2005 it is (1, 1, …); OpenSimplex2 calls
//! this orientation "improve XY".) Lattice points are integers: X ≡ Y mod 2, and in 3D Y ≡ Z mod 3. Squared distances are X² +
//! Y²/3 + Z²/6 in units of the reach. So points lie on lines along x, and every corner of a simplex is on a line of its own. A row
//! of samples has the same distance to each line: see [`crate::cpu::eval::strip`].
//!
//! A point's reach is slightly less than the height of its simplexes. So a point that is not a corner always contributes exactly
//! 0, despite rounding. Code that adds more points than the corners, in the same order, gets the same bits.

use crate::cpu::lib::gradient::{gradient_2, gradient_3, permutations, sixteen, unsigned_2};
use crate::cpu::lib::hash::{mix_upper, signed};
use crate::cpu::lib::jet::{Jet, add, constant};
use crate::cpu::lib::point::HashKey;
use crate::cpu::lib::skewed::steps_3;
use crate::cpu::simd::number::{Bits, Number, max};
use crate::cpu::simd::permute::{Eight, Lookup};
use crate::cpu::simd::unrolled;

/// Lattice units per cell in frames: √2, √6 and √12.
pub const PER_CELL: [f64; 3] = [std::f64::consts::SQRT_2, 2.449_489_742_783_178, 3.464_101_615_137_754_6];
/// 1 − 2⁻²⁰.
pub const REACH: f64 = 0.999_999_046_325_683_6;
/// The weight of the square along each axis.
const SQUARES: [f64; 3] = [1.0, 1.0 / 3.0, 1.0 / 6.0];

/// 256/81: 1 / the sum of two slopes of 1 half-way between their points, reduced by 1e-4 for rounding.
const SCALE_1: f64 = 3.1604;
/// 99.36: 1 / the largest sum of three of the 16 directions, reduced by 6e-4 for rounding and for the proof. It is divided by 16,
/// since distances are measured in units of the reach.
const SCALE_2: f64 = 99.36 / 16.0;
/// 107.66: 1 / the largest sum of four of the 48 directions, reduced by 1.3e-3, in the same way.
const SCALE_3: f64 = 107.66 / 16.0;
pub const DIRECTIONS_2: [Eight; 2] = sixteen([SCALE_2 / PER_CELL[0], SCALE_2 / PER_CELL[1]]);
pub const DIRECTIONS_3: [Eight; 3] = permutations([SCALE_3 / PER_CELL[0], SCALE_3 / PER_CELL[1], SCALE_3 / PER_CELL[2]]);

/// An offset along an axis other than x, and the part of the reach that it takes per unit of itself.
#[derive(Clone, Copy)]
pub struct Offset<R> {
    pub along: R,
    pub pull: R,
}

impl<R: Number> Offset<R> {
    #[inline(always)]
    pub fn new(axis: usize, along: R) -> Self {
        Offset { along, pull: along * along.constant(SQUARES[axis]) }
    }

    /// The part of a reach that remains after this offset.
    #[inline(always)]
    pub fn left(self, reach: R) -> R {
        reach - self.along * self.pull
    }
}

/// The square of a point's reach.
#[inline(always)]
pub fn reach<R: Number>(like: R) -> R {
    like.constant(REACH)
}

/// The contribution of a point: `(left − x²)⁴ · slope`, with its gradient per lattice unit. `left` is the part of the reach that
/// remains after the other axes. `slope` is the product of the point's gradient and the offset from it. The gradient is omitted
/// without `GRADIENT`.
#[inline(always)]
pub fn point<R: Number, const ACROSS: usize, const GRADIENT: bool>(
    left: R,
    (x, others): (R, [Offset<R>; ACROSS]),
    gradient: [R; 3],
    slope: R,
) -> Jet<R> {
    reached::<R, ACROSS, GRADIENT>(left - x * x, (x, others), gradient, slope)
}

/// [`point`], given the part of the reach that remains after x, too.
#[inline(always)]
pub fn reached<R: Number, const ACROSS: usize, const GRADIENT: bool>(
    rest: R,
    (x, others): (R, [Offset<R>; ACROSS]),
    gradient: [R; 3],
    slope: R,
) -> Jet<R> {
    let t = max(rest, rest.constant(0.0));
    let t2 = t * t;
    let t4 = t2 * t2;
    if !GRADIENT {
        return constant(t4 * slope);
    }
    let k = t.constant(-8.0) * (t2 * t) * slope;
    let mut by = [t4 * gradient[0] + k * x, t.constant(0.0), t.constant(0.0)];
    unrolled!(axis in 0..ACROSS => by[axis + 1] = t4 * gradient[axis + 1] + k * others[axis].pull);
    Jet { value: t4 * slope, gradient: by }
}

// Functions rather than closures, which would be compiled without vector instructions if they are not inlined.

/// Chooses one of two steps.
#[inline(always)]
fn choose<B: Bits>(like: B, otherwise: u32, then: u32, mask: B::Mask) -> B {
    B::select(like.constant(otherwise), like.constant(then), mask)
}

/// In one dimension every whole number is a point, and its reach ends at the next.
#[inline(always)]
pub fn simplex_1<R: Number, const GRADIENT: bool, const PERIODIC: bool>(
    [i]: [R::Bits; 1],
    [x]: [R; 1],
    key: HashKey<R::Bits, PERIODIC>,
) -> Jet<R> {
    let one = x.constant(1.0);
    add(point_1::<R, GRADIENT>(key.cubic([i]), x), point_1::<R, GRADIENT>(key.cubic([i.plus(i.constant(1))]), x - one))
}

/// The contribution of the point with this hash.
#[inline(always)]
fn point_1<R: Number, const GRADIENT: bool>(h: R::Bits, x: R) -> Jet<R> {
    let gradient = signed::<R>(h) * x.constant(SCALE_1);
    point::<R, 0, GRADIENT>(x.constant(1.0), (x, []), [gradient, x.constant(0.0), x.constant(0.0)], gradient * x)
}

/// The three corners of a simplex: the sample's offsets from them, and their gradients, without the signs of some words.
pub struct Corners<R: Number> {
    pub from: [[R; 2]; 3],
    pub gradients: [[R; 2]; 3],
    pub signs: Option<[R::Bits; 3]>,
}

impl<R: Number> Corners<R> {
    #[inline(always)]
    fn signed(&self, number: R, n: usize) -> R {
        match self.signs {
            Some(signs) => number.xor_sign(signs[n]),
            None => number,
        }
    }

    /// The part of a corner's reach that remains after the offsets.
    #[inline(always)]
    fn rest(&self, n: usize) -> R {
        let [x, y] = self.from[n];
        Offset::new(1, y).left(reach(x)) - x * x
    }

    #[inline(always)]
    fn slope(&self, n: usize) -> R {
        let ([gx, gy], [x, y]) = (self.gradients[n], self.from[n]);
        self.signed(gx * x + gy * y, n)
    }

    #[inline(always)]
    fn one<const GRADIENT: bool>(&self, n: usize, rest: R, slope: R) -> Jet<R> {
        let ([gx, gy], [x, y]) = (self.gradients[n], self.from[n]);
        let gradient = [self.signed(gx, n), self.signed(gy, n), x.constant(0.0)];
        reached::<R, 1, GRADIENT>(rest, (x, [Offset::new(1, y)]), gradient, slope)
    }

    /// The sum of the corners' contributions. All corners do the same step together, since processors find independent operations
    /// only among the next few dozen.
    #[inline(always)]
    pub fn sum<const GRADIENT: bool>(self) -> Jet<R> {
        let rest = [self.rest(0), self.rest(1), self.rest(2)];
        let slope = [self.slope(0), self.slope(1), self.slope(2)];
        let first = add(self.one::<GRADIENT>(0, rest[0], slope[0]), self.one::<GRADIENT>(1, rest[1], slope[1]));
        add(first, self.one::<GRADIENT>(2, rest[2], slope[2]))
    }
}

/// Corners in the order of the sum: on the line at or below the sample, on the next line, and the third one below or above both.
#[inline(always)]
pub fn simplex_2<R: Lookup, const GRADIENT: bool, const PERIODIC: bool>(
    cell: [R::Bits; 3],
    fraction: [R; 3],
    key: HashKey<R::Bits, PERIODIC>,
) -> Jet<R> {
    let (h, from) = corners_2::<R, PERIODIC>(cell, fraction, key);
    if R::has_signed8(h[0]) {
        let gradients = [gradient_2::<R>(h[0], &DIRECTIONS_2), gradient_2::<R>(h[1], &DIRECTIONS_2), gradient_2::<R>(h[2], &DIRECTIONS_2)];
        return Corners { from, gradients, signs: None }.sum::<GRADIENT>();
    }
    let gradients = [unsigned_2::<R>(h[0], &DIRECTIONS_2), unsigned_2::<R>(h[1], &DIRECTIONS_2), unsigned_2::<R>(h[2], &DIRECTIONS_2)];
    Corners { from, gradients, signs: Some(h) }.sum::<GRADIENT>()
}

/// The corners' hashes, and the sample's offsets from them.
#[inline(always)]
pub fn corners_2<R: Number, const PERIODIC: bool>(
    [i, j, _]: [R::Bits; 3],
    [x, y, _]: [R; 3],
    key: HashKey<R::Bits, PERIODIC>,
) -> ([R::Bits; 3], [[R; 2]; 3]) {
    let one = x.constant(1.0);
    let step = |axis, count| HashKey::<R::Bits, PERIODIC>::steps(axis, count);
    // Whether the nearer end of the sample's cell along x belongs to the other line.
    let odd = (i ^ j).bit(0);
    let (near, far) = (R::select(x, x - one, odd), R::select(x - one, x, odd));
    let (i, j) = (key.begin(0, i), key.begin(1, j));
    let (next, seed) = (i.plus(i.constant(step(0, 1))), key.seed);
    let own = key.end(0, R::Bits::select(i, next, odd)) ^ seed;
    let other = key.end(0, R::Bits::select(next, i, odd)) ^ seed;
    let below = y.less_than(near.abs());
    let (above, last) = (j.plus(j.constant(step(1, 1))), j.plus(choose(j, step(1, 2), step(1, -1), below)));
    let first = mix_upper(own ^ key.end(1, j));
    let second = mix_upper(other ^ key.end(1, above));
    let h = [first, second, mix_upper(R::Bits::select(own, other, below) ^ key.end(1, last))];
    let third = [R::select(near, far, below), y + R::select(one.constant(-2.0), one, below)];
    (h, [[near, y], [far, y - one], third])
}

/// Lines whose points may be corners for samples of a cell, relative to the cell's own: the first corner's, the second's, and the
/// third's above or below.
pub const LINES_2: [u32; 4] = [0, 1, 2, u32::MAX];

/// The gradient of a line's point next to a cell, by the cell's coordinates.
#[inline(always)]
pub fn next_to_2<R: Lookup, const PERIODIC: bool>([i, j]: [R::Bits; 2], line: R::Bits, key: HashKey<R::Bits, PERIODIC>) -> [R; 2] {
    gradient_2(hash_next_to_2([i, j], line, key), &DIRECTIONS_2)
}

#[inline(always)]
fn hash_next_to_2<B: Bits, const PERIODIC: bool>([i, j]: [B; 2], line: B, key: HashKey<B, PERIODIC>) -> B {
    let j = j.plus(line);
    let i = i.plus((i ^ j) & i.constant(1));
    mix_upper(key.end(0, key.begin(0, i)) ^ key.seed ^ key.end(1, key.begin(1, j)))
}

/// The directions of the points on [`LINES_2`] next to a cell, four bits each.
#[inline(always)]
pub fn directions_2<B: Bits, const PERIODIC: bool>(cell: [B; 2], key: HashKey<B, PERIODIC>) -> B {
    let mut all = key.seed.constant(0);
    unrolled!(line in 0..4 => {
        let hash = hash_next_to_2(cell, key.seed.constant(LINES_2[line]), key);
        all = all ^ hash >> 28 << (4 * line as u32);
    });
    all
}

/// [`simplex_2`] with known [`directions_2`] around the cell.
#[inline(always)]
pub fn directed_2<R: Lookup, const GRADIENT: bool>([i, j]: [R::Bits; 2], [x, y]: [R; 2], directions: R::Bits) -> Jet<R> {
    let one = x.constant(1.0);
    let odd = (i ^ j).bit(0);
    let (near, far) = (R::select(x, x - one, odd), R::select(x - one, x, odd));
    let below = y.less_than(near.abs());
    let third = [R::select(near, far, below), y + R::select(one.constant(-2.0), one, below)];
    let last = directions >> 8;
    let of = [directions, directions >> 4, R::Bits::select(last, last >> 4, below)];
    let mut gradients = [[x; 2]; 3];
    unrolled!(n in 0..3 => {
        gradients[n] = [R::signed8(&DIRECTIONS_2[0], of[n]), R::signed8(&DIRECTIONS_2[1], of[n])];
    });
    Corners { from: [[near, y], [far, y - one], third], gradients, signs: None }.sum::<GRADIENT>()
}

/// [`simplex_2`] with known gradients of the points on [`LINES_2`]. `odd` is 1 if the cell's near end is a point of the next line,
/// else 0.
#[inline(always)]
pub fn within_2<R: Number, const GRADIENT: bool>([x, y]: [R; 2], odd: R, gradients: [[R; 2]; 4]) -> Jet<R> {
    let one = x.constant(1.0);
    let (near, far) = (x - odd, x - (one - odd));
    let below = y.less_than(near.abs());
    let third = [R::select(gradients[2][0], gradients[3][0], below), R::select(gradients[2][1], gradients[3][1], below)];
    let offset = [R::select(near, far, below), y + R::select(one.constant(-2.0), one, below)];
    Corners { from: [[near, y], [far, y - one], offset], gradients: [gradients[0], gradients[1], third], signs: None }.sum::<GRADIENT>()
}

/// A coordinate along y or z as an integer, its remainder by 3 and the fraction. Frames count it in threes of lattice units, so
/// that the lattice is continuous where their cells wrap.
#[inline(always)]
pub fn in_units<R: Number>(cell: R::Bits, fraction: R) -> (R::Bits, R, R) {
    let units = fraction * fraction.constant(3.0);
    let remainder = units.floor();
    (cell.times(3).plus(remainder.small_to_signed()), remainder, units - remainder)
}

/// A lattice point: its coordinates relative to the sample's cell, and the same as inputs of the hash.
type LatticePoint<R> = ([R; 3], [<R as Number>::Bits; 3]);

/// The gradients of points in 3D, by their hashes.
pub trait Gradients<R: Lookup>: Copy {
    fn of(self, h: R::Bits) -> [R; 3];
}

/// The gradients of simplex noise.
#[derive(Clone, Copy)]
struct Hashed;

impl<R: Lookup> Gradients<R> for Hashed {
    #[inline(always)]
    fn of(self, h: R::Bits) -> [R; 3] {
        gradient_3::<R>(h, &DIRECTIONS_3)
    }
}

/// The gradient of the point with this hash, in 2 or 3 dimensions.
#[inline(always)]
pub fn gradient_of<R: Lookup, const DIMENSIONS: usize>(h: R::Bits) -> [R; 3] {
    if DIMENSIONS == 2 {
        let [x, y] = gradient_2::<R>(h, &DIRECTIONS_2);
        return [x, y, x.constant(0.0)];
    }
    gradient_3(h, &DIRECTIONS_3)
}

/// The contribution of a corner to a sample.
#[inline(always)]
fn corner_3<R: Lookup, G: Gradients<R>, const GRADIENT: bool, const PERIODIC: bool>(
    gradients: G,
    key: HashKey<R::Bits, PERIODIC>,
    [x, y, z]: [R; 3],
    (p, [i, j, k]): LatticePoint<R>,
) -> Jet<R> {
    let h = mix_upper(key.end(0, i) ^ (key.end(1, j) ^ key.end(2, k)) ^ key.seed);
    let (x, y, z) = (x - p[0], Offset::new(1, y - p[1]), Offset::new(2, z - p[2]));
    let g = gradients.of(h);
    let slope = g[0] * x + (g[1] * y.along + g[2] * z.along);
    point::<R, 2, GRADIENT>(y.left(z.left(reach(x))), (x, [y, z]), g, slope)
}

/// A point moved along an axis: by `a` steps if the first mask holds, else by `b` if the second does, else by `c`.
#[inline(always)]
fn stepped<R: Number, const PERIODIC: bool>(
    axis: usize,
    (p, q): LatticePoint<R>,
    masks: [<R as Number>::Mask; 3],
    [a, b, c]: [i32; 3],
) -> (R, R::Bits) {
    let number = |count: i32| p[axis].constant(f64::from(count));
    let step = |count: i32| q[axis].constant(HashKey::<R::Bits, PERIODIC>::steps(axis, count));
    let by = R::select(R::select(number(c), number(b), masks[1]), number(a), masks[0]);
    let hashed = R::Bits::select(R::Bits::select(step(c), step(b), masks[1]), step(a), masks[0]);
    (p[axis] + by, q[axis].plus(hashed))
}

/// The point `up` layers higher along z, moved by the given steps along x and y.
#[inline(always)]
fn layer<R: Number, const PERIODIC: bool>(
    first: LatticePoint<R>,
    up: i32,
    masks: [<R as Number>::Mask; 3],
    x: [i32; 3],
    y: [i32; 3],
) -> LatticePoint<R> {
    let (px, i) = stepped::<R, PERIODIC>(0, first, masks, x);
    let (py, j) = stepped::<R, PERIODIC>(1, first, masks, y);
    let (pz, k) = (first.0[2], first.1[2]);
    ([px, py, pz + pz.constant(f64::from(up))], [i, j, k.plus(k.constant(HashKey::<R::Bits, PERIODIC>::steps(2, up)))])
}

/// Corners in the order of the sum: layer by layer along z.
#[inline(always)]
pub fn simplex_3<R: Lookup, const GRADIENT: bool, const PERIODIC: bool>(
    cell: [R::Bits; 3],
    fraction: [R; 3],
    key: HashKey<R::Bits, PERIODIC>,
) -> Jet<R> {
    with_gradients_3::<R, _, GRADIENT, PERIODIC>(Hashed, cell, fraction, key)
}

/// Simplex noise with other gradients.
#[inline(always)]
pub fn with_gradients_3<R: Lookup, G: Gradients<R>, const GRADIENT: bool, const PERIODIC: bool>(
    gradients: G,
    [i, j, k]: [R::Bits; 3],
    [x, y, z]: [R; 3],
    key: HashKey<R::Bits, PERIODIC>,
) -> Jet<R> {
    let (zero, one, half, third) = (x.constant(0.0), x.constant(1.0), x.constant(0.5), x.constant(1.0 / 3.0));
    let ((j, sy, y), (k, sz, z)) = (in_units(j, y), in_units(k, z));
    // Steps back to a lattice point at or below the sample along every axis.
    let apart = sy - sz;
    let back_y = R::select(apart, apart + x.constant(3.0), apart.less_than(zero));
    let back_x = R::select(zero, one, (i ^ j ^ back_y.small_to_signed()).bit(0));
    // The offset of the sample from that point, along (1, 1, 1), (−1, 1, 1) and (0, −2, 1).
    let (rx, ry) = (x + back_x, y + back_y);
    let w = (z - ry) * third;
    let rest = z - w;
    let skewed = [(rest + rx) * half, (rest - rx) * half, w];
    let [u, v, w] = [skewed[0].floor(), skewed[1].floor(), skewed[2].floor()];
    // The second corner is a step from the first along one of these axes; the third is a step before the last along one of them.
    let [second, third, _] = steps_3([skewed[0] - u, skewed[1] - v, skewed[2] - w]);
    let missing = [R::Bits::not(third[0]), R::Bits::not(third[1]), R::Bits::not(third[2])];
    let (px, py, pz) = (u - v - back_x, (u + v) - (w + w) - back_y, (u + v) + w);
    let (i, j, k) = (i.plus(px.small_to_signed()), j.plus(py.small_to_signed()), k.plus(pz.small_to_signed()));
    let first = ([px, py, pz], [key.begin(0, i), key.begin(1, j), key.begin(2, k)]);
    let (at, of) = ([x, y, z], gradients);
    let total = corner_3::<R, G, GRADIENT, PERIODIC>(of, key, at, first);
    let total =
        add(total, corner_3::<R, G, GRADIENT, PERIODIC>(of, key, at, layer::<R, PERIODIC>(first, 1, second, [1, -1, 0], [1, 1, -2])));
    let total =
        add(total, corner_3::<R, G, GRADIENT, PERIODIC>(of, key, at, layer::<R, PERIODIC>(first, 2, missing, [-1, 1, 0], [-1, -1, 2])));
    per_three(add(total, corner_3::<R, G, GRADIENT, PERIODIC>(of, key, at, layer::<R, PERIODIC>(first, 3, second, [0; 3], [0; 3]))))
}

/// Converts a gradient per lattice unit to one per three units along y and z, which frames count.
#[inline(always)]
pub fn per_three<R: Number>(noise: Jet<R>) -> Jet<R> {
    let ([x, y, z], three) = (noise.gradient, noise.value.constant(3.0));
    Jet { value: noise.value, gradient: [x, y * three, z * three] }
}
