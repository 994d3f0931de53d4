//! Twin of `shaders/lib/open_simplex.wgsl`: the geometry of OpenSimplex2 (K.jpg), a sum over all lattice points within a reach.
//!
//! In 2D the lattice is that of triangles, skewed: a point's coordinates are integers. In 3D it is the body-centred one: integers,
//! and integers plus one half. In 4D it is the lattice of simplexes, skewed. The frame turns it against the world.
//!
//! Points are hashed by their coordinates along rows of the lattice, so that a period changes one coordinate.
//!
//! Every reach is slightly less than the distance at which other points would count. So points that are not evaluated would
//! contribute exactly 0, despite rounding.

use crate::cpu::lib::gradient::gradient_4;
use crate::cpu::lib::jet::Jet;
use crate::cpu::lib::open_points::{Cubic, Points, SCALES};
use crate::cpu::lib::point::HashKey;
use crate::cpu::lib::skewed::{CornerSteps, corner, steps_4};
use crate::cpu::simd::number::{Bits, Number, max, min};
use crate::cpu::simd::permute::Lookup;
use crate::cpu::simd::unrolled;

/// 1 − 2⁻²⁰.
const LESS: f64 = 0.999_999_046_325_683_6;
/// The squares of the reaches in 2D, 3D and 4D: of OpenSimplex2, then of OpenSimplex2S.
pub const REACHES: [[f64; 2]; 3] = [[0.5 * LESS, 2.0 / 3.0 * LESS], [0.6 * LESS, 0.75 * LESS], [0.6 * LESS, 0.8 * LESS]];
const UNSKEW_2: f64 = 0.211_324_865_405_187_13;
const UNSKEW_4: f64 = 0.138_196_601_125_010_5;

/// A sum and its gradient.
type Sum<R, const DIMENSIONS: usize> = (R, [R; DIMENSIONS]);

#[inline(always)]
fn plus<R: Number, const DIMENSIONS: usize, const GRADIENT: bool>(a: Sum<R, DIMENSIONS>, b: Sum<R, DIMENSIONS>) -> Sum<R, DIMENSIONS> {
    let mut by = a.1;
    unrolled!(i in 0..if GRADIENT { DIMENSIONS } else { 0 } => {
        by[i] = a.1[i] + b.1[i];
    });
    (a.0 + b.0, by)
}

/// The contribution in 2D of a point at an offset.
#[inline(always)]
fn point_2<R: Lookup, P: Points<R, 2>, const SMOOTH: bool, const GRADIENT: bool>(points: P, point: P::Point, d: [R; 2]) -> Sum<R, 2> {
    corner::<R, 2, GRADIENT>(d[0].constant(REACHES[0][usize::from(SMOOTH)]), points.gradient(Cubic::Corners, point), d)
}

/// The offset of a sample from a point a step away, given its offset from the first, and the sum of the step times [`UNSKEW_2`].
#[inline(always)]
fn offset_2<R: Number>(d: [R; 2], step: [R; 2], back: R) -> [R; 2] {
    [d[0] - step[0] + back, d[1] - step[1] + back]
}

/// The point these numbers of steps away: `then` where the mask holds.
#[inline(always)]
fn stepped_2<R: Lookup, P: Points<R, 2>>(from: P::Point, otherwise: [i32; 2], then: [i32; 2], like: R::Bits, mask: R::Mask) -> P::Point {
    let along = P::moved(from, 0, P::steps(0, otherwise[0], then[0], like, mask));
    P::moved(along, 1, P::steps(1, otherwise[1], then[1], like, mask))
}

/// OpenSimplex2 and OpenSimplex2S in 2D: the three corners of a triangle, or four points.
#[inline(always)]
pub fn plane<R: Lookup, P: Points<R, 2>, const SMOOTH: bool, const GRADIENT: bool>(
    [i, j, _]: [R::Bits; 3],
    [x, y, _]: [R; 3],
    points: P,
) -> Jet<R> {
    let (zero, one) = (x.constant(0.0), x.constant(1.0));
    // OpenSimplex2S begins at the nearer one of the two corners that every sample of the cell shares.
    let far = (x + y).at_least(one);
    let (base, begin) = if SMOOTH { (one.masked(far), i.choose(0, 1, far)) } else { (zero, i.constant(0)) };
    let (u, v) = (x - base, y - base);
    let begin = points.at(Cubic::Corners, [i.plus(begin), j.plus(begin)]);
    let (unskew, twice) = (x.constant(UNSKEW_2), x.constant(2.0 * UNSKEW_2));
    let shift = (u + v) * unskew;
    let d = [u - shift, v - shift];
    let first = point_2::<R, P, SMOOTH, GRADIENT>(points, begin, d);
    let sum = if SMOOTH {
        let other = R::select(one, -one, far);
        let (right, up) = ((u + u - v).at_least(zero), (v + v - u).at_least(zero));
        let (across, above) = (R::select(-one, one, right), R::select(-one, one, up));
        let opposite = stepped_2::<R, P>(begin, [1; 2], [-1; 2], i, far);
        let second = point_2::<R, P, SMOOTH, GRADIENT>(points, opposite, offset_2(d, [other, other], other * twice));
        let third = point_2::<R, P, SMOOTH, GRADIENT>(
            points,
            stepped_2::<R, P>(begin, [-1, 0], [1, 0], i, right),
            offset_2(d, [across, zero], across * unskew),
        );
        let fourth = point_2::<R, P, SMOOTH, GRADIENT>(
            points,
            stepped_2::<R, P>(begin, [0, -1], [0, 1], i, up),
            offset_2(d, [zero, above], above * unskew),
        );
        plus::<R, 2, GRADIENT>(plus::<R, 2, GRADIENT>(plus::<R, 2, GRADIENT>(first, second), third), fourth)
    } else {
        let right = x.at_least(y);
        let (across, above) = (one.masked(right), one.masked(R::Bits::not(right)));
        let second = point_2::<R, P, SMOOTH, GRADIENT>(
            points,
            stepped_2::<R, P>(begin, [0, 1], [1, 0], i, right),
            offset_2(d, [across, above], unskew),
        );
        let third =
            point_2::<R, P, SMOOTH, GRADIENT>(points, stepped_2::<R, P>(begin, [1; 2], [1; 2], i, right), offset_2(d, [one, one], twice));
        plus::<R, 2, GRADIENT>(plus::<R, 2, GRADIENT>(first, second), third)
    };
    let (value, [gx, gy]) = sum;
    let back = (gx + gy) * x.constant(UNSKEW_2);
    Jet { value, gradient: [gx - back, gy - back, zero] }
}

/// One of the two cubic lattices of the body-centred lattice, from its point nearest to the sample.
#[derive(Clone, Copy)]
struct Nearest<R: Lookup, P: Points<R, 3>> {
    of: Cubic<R::Mask>,
    point: P::Point,
    /// The offset from it.
    d: [R; 3],
    /// The offset from the next nearest point along each axis, and the steps to that point.
    far: [R; 3],
    steps: [R::Bits; 3],
}

impl<R: Lookup, P: Points<R, 3>> Nearest<R, P> {
    /// The corners where the mask holds, else the centres.
    #[inline(always)]
    fn select(centres: &Self, corners: &Self, mask: R::Mask) -> Self {
        let mut all = *centres;
        unrolled!(i in 0..3 => {
            all.d[i] = R::select(centres.d[i], corners.d[i], mask);
            all.far[i] = R::select(centres.far[i], corners.far[i], mask);
            all.steps[i] = R::Bits::select(centres.steps[i], corners.steps[i], mask);
        });
        Nearest { of: Cubic::CornersIf(mask), point: P::select(centres.point, corners.point, mask), ..all }
    }

    /// The contribution of the point a step away along some axes.
    #[inline(always)]
    fn stepped<const SMOOTH: bool, const GRADIENT: bool>(&self, along: [R::Mask; 3], points: P) -> Sum<R, 3> {
        let mut moved = *self;
        unrolled!(i in 0..3 => {
            moved.d[i] = R::select(self.d[i], self.far[i], along[i]);
            moved.point = P::moved(moved.point, i, self.steps[i].masked(along[i]));
        });
        moved.contribution::<SMOOTH, GRADIENT>(points)
    }

    /// The contribution of the point a step away along the axes other than `i` where the mask holds, and along `i` elsewhere.
    #[inline(always)]
    fn across<const SMOOTH: bool, const GRADIENT: bool>(&self, i: usize, others: R::Mask, points: P) -> Sum<R, 3> {
        let [j, k] = [(i + 1) % 3, (i + 2) % 3];
        let mut moved = *self;
        moved.d[i] = R::select(self.far[i], self.d[i], others);
        moved.d[j] = R::select(self.d[j], self.far[j], others);
        moved.d[k] = R::select(self.d[k], self.far[k], others);
        let along = P::moved(self.point, i, self.steps[i]);
        moved.point = P::select(along, P::moved(P::moved(self.point, j, self.steps[j]), k, self.steps[k]), others);
        moved.contribution::<SMOOTH, GRADIENT>(points)
    }

    /// The contribution of the nearest point.
    #[inline(always)]
    fn contribution<const SMOOTH: bool, const GRADIENT: bool>(&self, points: P) -> Sum<R, 3> {
        let reach = self.d[0].constant(REACHES[1][usize::from(SMOOTH)]);
        corner::<R, 3, GRADIENT>(reach, points.gradient(self.of, self.point), self.d)
    }
}

/// OpenSimplex2 and OpenSimplex2S in 3D: six or eight points.
#[inline(always)]
pub fn space<R: Lookup, P: Points<R, 3>, const SMOOTH: bool, const GRADIENT: bool>(cell: [R::Bits; 3], f: [R; 3], points: P) -> Jet<R> {
    let (zero, half, one) = (f[0].constant(0.0), f[0].constant(0.5), f[0].constant(1.0));
    let mut corner = points.at(Cubic::Corners, cell);
    let (mut corner_d, mut corner_far, mut corner_steps) = (f, f, cell);
    let (mut centre_d, mut centre_far, mut centre_steps) = (f, f, cell);
    let mut apart = f;
    unrolled!(i in 0..3 => {
        let upper = f[i].at_least(half);
        corner = P::moved(corner, i, P::steps(i, 0, 1, cell[0], upper));
        let before = f[i] - one;
        (corner_d[i], corner_far[i]) = (R::select(f[i], before, upper), R::select(before, f[i], upper));
        corner_steps[i] = P::steps(i, 1, -1, cell[0], upper);
        centre_d[i] = f[i] - half;
        centre_far[i] = centre_d[i] - R::select(-one, one, upper);
        centre_steps[i] = P::steps(i, -1, 1, cell[0], upper);
        apart[i] = corner_d[i].abs();
    });
    let of = Cubic::Corners;
    let corners = Nearest::<R, P> { of, point: corner, d: corner_d, far: corner_far, steps: corner_steps };
    let of = Cubic::Centres;
    let centres = Nearest::<R, P> { of, point: points.at(of, cell), d: centre_d, far: centre_far, steps: centre_steps };
    let [x, y, z] = apart;
    let mut sum = corners.contribution::<SMOOTH, GRADIENT>(points);
    if SMOOTH {
        // Of the point a step away along one axis and that away along both others, at most one is within the reach.
        let across = [y + z - x, x + z - y, x + y - z];
        unrolled!(i in 0..3 => {
            sum = plus::<R, 3, GRADIENT>(sum, corners.across::<SMOOTH, GRADIENT>(i, half.less_than(across[i]), points));
        });
        sum = plus::<R, 3, GRADIENT>(sum, centres.contribution::<SMOOTH, GRADIENT>(points));
        unrolled!(i in 0..3 => {
            sum = plus::<R, 3, GRADIENT>(sum, centres.across::<SMOOTH, GRADIENT>(i, across[i].less_than(zero), points));
        });
    } else {
        let (xy, xz, yz) = (x.at_least(y), x.at_least(z), y.at_least(z));
        let (yx, zx, zy) = (R::Bits::not(xy), R::Bits::not(xz), R::Bits::not(yz));
        let most = [R::Bits::both(xy, xz), R::Bits::both(yx, yz), R::Bits::both(zx, zy)];
        let least = [R::Bits::both(yx, zx), R::Bits::both(xy, zy), R::Bits::both(xz, yz)];
        let mut upper = most;
        let mut middle = most;
        unrolled!(i in 0..3 => {
            upper[i] = R::Bits::not(least[i]);
            middle[i] = R::Bits::both(upper[i], R::Bits::not(most[i]));
        });
        sum = plus::<R, 3, GRADIENT>(sum, corners.stepped::<SMOOTH, GRADIENT>(most, points));
        sum = plus::<R, 3, GRADIENT>(sum, centres.contribution::<SMOOTH, GRADIENT>(points));
        sum = plus::<R, 3, GRADIENT>(sum, centres.stepped::<SMOOTH, GRADIENT>(least, points));
        // Further points are within the reach in one of the two cubic lattices only: steps along the middle axis, or along two.
        let between = R::select(R::select(z, y, middle[1]), x, middle[0]);
        let mask = between.at_least(f[0].constant(0.25));
        let other = Nearest::select(&centres, &corners, mask);
        let mut both = most;
        unrolled!(i in 0..3 => {
            let lower = R::Bits::not(most[i]);
            both[i] = R::Bits::either(R::Bits::both(mask, upper[i]), R::Bits::both(R::Bits::not(mask), lower));
        });
        sum = plus::<R, 3, GRADIENT>(sum, other.stepped::<SMOOTH, GRADIENT>(middle, points));
        sum = plus::<R, 3, GRADIENT>(sum, other.stepped::<SMOOTH, GRADIENT>(both, points));
    }
    Jet { value: sum.0, gradient: sum.1 }
}

/// The nearest corner along an axis, given whether the sample is in the upper half of the cell.
#[inline(always)]
pub fn nearest<B: Bits>(cell: B, upper: B::Mask) -> B {
    cell.one_more(upper)
}

/// Points relative to a cell in 4D, along the axes in descending order of the fractions: 2 bits each, for steps from −1 to 2.
/// At most one point of each slot is within the reach. A test compares them with all points.
const SLOTS_4: [[u32; 3]; 8] = [[85; 3], [86; 3], [90; 3], [106; 3], [170; 3], [21, 171, 171], [89, 102, 102], [154; 3]];
const SMOOTH_SLOTS_4: [[u32; 3]; 10] = [
    [85, 110, 91],
    [86, 191, 186],
    [90, 149, 169],
    [106, 70, 81],
    [170, 26, 1],
    [21, 175, 166],
    [89, 22, 150],
    [102, 174, 69],
    [154, 107, 105],
    [171, 5, 101],
];

/// The step along an axis.
const fn step(packed: u32, axis: u32) -> i32 {
    (packed >> (2 * axis) & 3) as i32 - 1
}

/// Five times the square of the sample's distance from the cell, less that from a point, given the sorted fractions.
#[inline(always)]
fn nearer<R: Number>(f: [R; 4], packed: u32) -> R {
    let steps = [step(packed, 0), step(packed, 1), step(packed, 2), step(packed, 3)];
    let sum: i32 = steps[0] + steps[1] + steps[2] + steps[3];
    let squares = steps[0] * steps[0] + steps[1] * steps[1] + steps[2] * steps[2] + steps[3] * steps[3];
    let by = |axis: usize| f[0].constant(f64::from(10 * steps[axis] - 2 * sum));
    f[0] * by(0) + f[1] * by(1) + f[2] * by(2) + f[3] * by(3) - f[0].constant(f64::from(5 * squares - sum * sum))
}

/// The sample's place in its cell in 4D.
#[derive(Clone, Copy)]
struct Cell4<R: Number> {
    cell: [R::Bits; 4],
    /// The offset from the cell, not skewed.
    d: [R; 4],
    /// The fractions in descending order.
    sorted: [R; 4],
    /// The axes whose fraction is the largest, at least the second largest, and at least the third.
    above: CornerSteps<R, 4>,
}

impl<R: Number> Cell4<R> {
    #[inline(always)]
    fn new(cell: [R::Bits; 4], f: [R; 4]) -> Self {
        let above = steps_4(f, cell[0].constant(0));
        let (a, b, c, d) = (max(f[0], f[1]), min(f[0], f[1]), max(f[2], f[3]), min(f[2], f[3]));
        let (m, n) = (min(a, c), max(b, d));
        let sorted = [max(a, c), max(m, n), min(m, n), min(b, d)];
        let shift = (f[0] + f[1] + f[2] + f[3]) * f[0].constant(UNSKEW_4);
        Cell4 { cell, d: [f[0] - shift, f[1] - shift, f[2] - shift, f[3] - shift], sorted, above }
    }

    /// The contribution of the nearest point of a slot.
    #[inline(always)]
    fn slot<const SMOOTH: bool, const GRADIENT: bool, const PERIODIC: bool>(
        &self,
        points: [u32; 3],
        key: HashKey<R::Bits, PERIODIC>,
    ) -> Sum<R, 4> {
        let like = self.cell[0];
        let mut packed = like.constant(points[0]);
        if points[1] != points[0] {
            let (first, second) = (nearer(self.sorted, points[0]), nearer(self.sorted, points[1]));
            packed = R::Bits::select(packed, like.constant(points[1]), first.less_than(second));
            if points[2] != points[1] {
                let third = nearer(self.sorted, points[2]);
                packed = R::Bits::select(packed, like.constant(points[2]), max(first, second).less_than(third));
            }
        }
        let mask = like.constant(3);
        let (largest, second, third, least) = (packed & mask, packed >> 2 & mask, packed >> 4 & mask, packed >> 6 & mask);
        let mut steps = self.cell;
        let mut point = self.cell;
        unrolled!(i in 0..4 => {
            let lower = R::Bits::select(least, third, self.above[2][i]);
            let upper = R::Bits::select(R::Bits::select(lower, second, self.above[1][i]), largest, self.above[0][i]);
            steps[i] = upper.minus(like.constant(1));
            point[i] = self.cell[i].plus(steps[i]);
        });
        let back = R::of_signed(steps[0].plus(steps[1]).plus(steps[2]).plus(steps[3])) * self.d[0].constant(UNSKEW_4);
        let mut d = self.d;
        unrolled!(i in 0..4 => {
            d[i] = self.d[i] - R::of_signed(steps[i]) + back;
        });
        let g = gradient_4(key.rows_4(point), SCALES[2][usize::from(SMOOTH)]);
        corner::<R, 4, GRADIENT>(d[0].constant(REACHES[2][usize::from(SMOOTH)]), g, d)
    }
}

/// OpenSimplex2 and OpenSimplex2S in 4D: eight or ten points. The gradient is per cell along all four axes.
#[inline(always)]
pub fn four<R: Number, const SMOOTH: bool, const GRADIENT: bool, const PERIODIC: bool>(
    cell: [R::Bits; 4],
    f: [R; 4],
    key: HashKey<R::Bits, PERIODIC>,
) -> Sum<R, 4> {
    let at = Cell4::<R>::new(cell, f);
    // Written out: the compiler vectorises only code without loops.
    macro_rules! sum {
        ($slots:ident: $($k:literal)+) => {{
            let mut sum = at.slot::<SMOOTH, GRADIENT, PERIODIC>($slots[0], key);
            $( sum = plus::<R, 4, GRADIENT>(sum, at.slot::<SMOOTH, GRADIENT, PERIODIC>($slots[$k], key)); )+
            sum
        }};
    }
    let (value, mut by) = if SMOOTH { sum!(SMOOTH_SLOTS_4: 1 2 3 4 5 6 7 8 9) } else { sum!(SLOTS_4: 1 2 3 4 5 6 7) };
    let back = (by[0] + by[1] + by[2] + by[3]) * value.constant(UNSKEW_4);
    unrolled!(i in 0..4 => {
        by[i] = by[i] - back;
    });
    (value, by)
}
