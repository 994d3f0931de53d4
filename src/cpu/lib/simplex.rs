//! Twin of `shaders/lib/simplex.wgsl`: simplex noise in 2D and 3D, on a lattice along the world's axes.
//!
//! The diagonal of the skewed lattice's cubes lies along the last axis (Gustavson 2005 has it along (1, 1, …); OpenSimplex2 calls this
//! orientation "improve XY"). Lattice points are integers: X ≡ Y mod 2, and in 3D Y ≡ Z mod 3; squared distances are X² + Y²/3 + Z²/6
//! in units of the reach. So points lie on lines along x, every corner of a simplex on a line of its own, and a row of samples has
//! the same distance to each line: see [`crate::cpu::eval::strip`].
//!
//! A point reaches just short of the height of its simplexes, so that rounding never lets one that is no corner contribute anything but
//! 0: whoever adds up more points than the corners, in the same order, gets the same bits.

use crate::cpu::lib::gradient::{Eight, gradient_3, permutations, sixteen, unsigned_2};
use crate::cpu::lib::hash::mix_upper;
use crate::cpu::lib::jet::Jet;
use crate::cpu::lib::point::HashKey;
use crate::cpu::lib::skewed::steps_3;
use crate::cpu::simd::number::{Bits, Number, max};

/// Lattice units per cell, as the frames have it: √2, √6 and √12.
const PER_CELL: [f64; 3] = [std::f64::consts::SQRT_2, 2.449_489_742_783_178, 3.464_101_615_137_754_6];
/// 1 − 2⁻²⁰.
const REACH: f64 = 0.999_999_046_325_683_6;
/// What the square along each axis counts.
const SQUARES: [f64; 3] = [1.0, 1.0 / 3.0, 1.0 / 6.0];

/// 99.36: 1 / the largest sum that three of the 16 directions can give, less 6e-4, which leaves room for rounding and for the proof; over
/// 16, since distances are measured in units of the reach.
const SCALE_2: f64 = 99.36 / 16.0;
/// 107.66: 1 / the largest sum that four of the 48 directions can give, less 1.3e-3, likewise.
const SCALE_3: f64 = 107.66 / 16.0;
pub const DIRECTIONS_2: [Eight; 2] = sixteen([SCALE_2 / PER_CELL[0], SCALE_2 / PER_CELL[1]]);
pub const DIRECTIONS_3: [Eight; 3] = permutations([SCALE_3 / PER_CELL[0], SCALE_3 / PER_CELL[1], SCALE_3 / PER_CELL[2]]);

/// An offset along an axis but x, with what it takes of the reach per unit of itself.
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

    /// What it leaves of a reach.
    #[inline(always)]
    pub fn left(self, reach: R) -> R {
        reach - self.along * self.pull
    }
}

/// The square of how far a point reaches.
#[inline(always)]
pub fn reach<R: Number>(like: R) -> R {
    like.constant(REACH)
}

/// What a point contributes: `(left − x²)⁴ · slope`, with its gradient per lattice unit. `left` of the reach is what the other axes
/// leave; `slope` is the product of its gradient and the offset from it.
#[inline(always)]
pub fn point<R: Number, const M: usize>(left: R, (x, others): (R, [Offset<R>; M]), gradient: [R; 3], slope: R) -> Jet<R> {
    let t = max(left - x * x, left.constant(0.0));
    let t2 = t * t;
    let t4 = t2 * t2;
    let k = t.constant(-8.0) * (t2 * t) * slope;
    let mut by = [t4 * gradient[0] + k * x, t.constant(0.0), t.constant(0.0)];
    for axis in 0..M {
        by[axis + 1] = t4 * gradient[axis + 1] + k * others[axis].pull;
    }
    Jet { value: t4 * slope, gradient: by }
}

#[inline(always)]
pub fn plus<R: Number>(a: Jet<R>, b: Jet<R>) -> Jet<R> {
    let [x, y, z] = a.gradient;
    Jet { value: a.value + b.value, gradient: [x + b.gradient[0], y + b.gradient[1], z + b.gradient[2]] }
}

/// One of two steps.
#[inline(always)]
fn choose<B: Bits>(like: B, otherwise: u32, then: u32, mask: B::Mask) -> B {
    B::select(like.constant(otherwise), like.constant(then), mask)
}

/// Corners in the order of the sum: on the line at or below the sample, on the next one, and the third, on the line below or above those.
#[inline(always)]
pub fn simplex_2<R: Number, const W: bool>([i, j, _]: [R::Bits; 3], [x, y, _]: [R; 3], key: HashKey<W>) -> Jet<R> {
    let one = x.constant(1.0);
    let steps = HashKey::<W>::steps;
    // Whether the nearer end of the sample's cell along x lies on the other line.
    let odd = (i ^ j).bit(0);
    let (near, far) = (R::select(x, x - one, odd), R::select(x - one, x, odd));
    let (ci, cj) = (key.begin(0, i), key.begin(1, j));
    let next = ci.plus(ci.constant(steps(0, 1)));
    let seed = i.constant(key.seed);
    let (own, other) = (key.end(0, R::Bits::select(ci, next, odd)) ^ seed, key.end(0, R::Bits::select(next, ci, odd)) ^ seed);
    let below = y.less_than(near.abs());
    let corner = |along: R::Bits, line: R::Bits, x: R, y: R| {
        let h = mix_upper(along ^ key.end(1, line));
        let y = Offset::new(1, y);
        let [gx, gy] = unsigned_2::<R>(h, &DIRECTIONS_2);
        let slope = (gx * x + gy * y.along).xor_sign(h);
        point(y.left(reach(x)), (x, [y]), [gx.xor_sign(h), gy.xor_sign(h), x.constant(0.0)], slope)
    };
    let first = corner(own, cj, near, y);
    let second = corner(other, cj.plus(cj.constant(steps(1, 1))), far, y - one);
    let third = corner(
        R::Bits::select(own, other, below),
        cj.plus(choose(cj, steps(1, 2), steps(1, -1), below)),
        R::select(near, far, below),
        y + R::select(one.constant(-2.0), one, below),
    );
    plus(plus(first, second), third)
}

/// A coordinate along y or z, which frames count in threes of lattice units so that the lattice goes on where their cells wrap: the integer,
/// its remainder by 3 and the fraction.
#[inline(always)]
pub fn in_units<R: Number>(cell: R::Bits, fraction: R) -> (R::Bits, R, R) {
    let units = fraction * fraction.constant(3.0);
    let remainder = units.floor();
    (cell.times(3).plus(remainder.to_signed()), remainder, units - remainder)
}

/// Corners in the order of the sum: layer by layer along z.
#[inline(always)]
pub fn simplex_3<R: Number, const W: bool>([i, j, k]: [R::Bits; 3], [x, y, z]: [R; 3], key: HashKey<W>) -> Jet<R> {
    let number = |c: f64| x.constant(c);
    let (zero, one, half, third) = (number(0.0), number(1.0), number(0.5), number(1.0 / 3.0));
    let ((j, sy, y), (k, sz, z)) = (in_units(j, y), in_units(k, z));
    // A lattice point at or below the sample along every axis: so many steps back.
    let apart = sy - sz;
    let back_y = R::select(apart, apart + number(3.0), apart.less_than(zero));
    let back_x = R::select(zero, one, (i ^ j ^ back_y.to_signed()).bit(0));
    // The sample from there, along (1, 1, 1), (−1, 1, 1) and (0, −2, 1).
    let (rx, ry) = (x + back_x, y + back_y);
    let w = (z - ry) * third;
    let rest = z - w;
    let skewed = [(rest + rx) * half, (rest - rx) * half, w];
    let [u, v, w] = [skewed[0].floor(), skewed[1].floor(), skewed[2].floor()];
    let [second, beyond, _] = steps_3([skewed[0] - u, skewed[1] - v, skewed[2] - w]);
    let (px, py, pz) = (u - v - back_x, (u + v) - (w + w) - back_y, (u + v) + w);
    let steps = HashKey::<W>::steps;
    let cell = |axis: usize, c: R::Bits, p: R| key.begin(axis, c.plus(p.to_signed()));
    let (ci, cj, ck) = (cell(0, i, px), cell(1, j, py), cell(2, k, pz));
    let seed = i.constant(key.seed);
    let corner = |[px, py, pz]: [R; 3], [ci, cj, ck]: [R::Bits; 3]| {
        let h = mix_upper(key.end(0, ci) ^ (key.end(1, cj) ^ key.end(2, ck)) ^ seed);
        let (x, y, z) = (x - px, Offset::new(1, y - py), Offset::new(2, z - pz));
        let g = gradient_3::<R>(h, &DIRECTIONS_3);
        let slope = g[0] * x + (g[1] * y.along + g[2] * z.along);
        point(y.left(z.left(reach(x))), (x, [y, z]), g, slope)
    };
    let up = |layer: i32| (pz + number(f64::from(layer)), ck.plus(ck.constant(steps(2, layer))));
    // The steps to the second corner go along one of the axes, those to the third along all but one, those to the last along all.
    let along = |mask: [<R as Number>::Mask; 3], axis: usize, p: R, c: R::Bits, [first, other, last]: [i32; 3]| {
        let by = R::select(R::select(number(f64::from(last)), number(f64::from(other)), mask[1]), number(f64::from(first)), mask[0]);
        let hashed = R::Bits::select(choose(c, steps(axis, last), steps(axis, other), mask[1]), c.constant(steps(axis, first)), mask[0]);
        (p + by, c.plus(hashed))
    };
    let first = corner([px, py, pz], [ci, cj, ck]);
    let (x1, i1) = along(second, 0, px, ci, [1, -1, 0]);
    let (y1, j1) = along(second, 1, py, cj, [1, 1, -2]);
    let (z1, k1) = up(1);
    let total = plus(first, corner([x1, y1, z1], [i1, j1, k1]));
    let missing = [R::Bits::not(beyond[0]), R::Bits::not(beyond[1]), R::Bits::not(beyond[2])];
    let (x2, i2) = along(missing, 0, px, ci, [-1, 1, 0]);
    let (y2, j2) = along(missing, 1, py, cj, [-1, -1, 2]);
    let (z2, k2) = up(2);
    let total = plus(total, corner([x2, y2, z2], [i2, j2, k2]));
    let (z3, k3) = up(3);
    per_three(plus(total, corner([px, py, z3], [ci, cj, k3])))
}

/// Gradient per lattice unit → per three of them along y and z, as frames count.
#[inline(always)]
pub fn per_three<R: Number>(noise: Jet<R>) -> Jet<R> {
    let ([x, y, z], three) = (noise.gradient, noise.value.constant(3.0));
    Jet { value: noise.value, gradient: [x, y * three, z * three] }
}
