//! Twin of `shaders/lib/skewed.wgsl`: simplex noise on the lattice that is skewed along the diagonal of all axes. All corners of a
//! simplex lie at one cell. It is used for the 4D noise, and for the geometry of
//! [`permutation289`](crate::cpu::lib::permutation289).

use crate::cpu::lib::gradient::gradient_4;
use crate::cpu::lib::jet::Jet;
use crate::cpu::lib::point::{HashKey, Skewed};
use crate::cpu::simd::number::{Bits, Number, max};
use crate::cpu::simd::unrolled;

const UNSKEW_3: f64 = 0.166_666_666_666_666_66;
const UNSKEW_4: f64 = 0.138_196_601_125_010_5;

#[inline(always)]
fn dot<R: Number, const DIMENSIONS: usize>(a: [R; DIMENSIONS], b: [R; DIMENSIONS]) -> R {
    let mut sum = a[0] * b[0];
    unrolled!(i in 1..DIMENSIONS => {
        sum = sum + a[i] * b[i];
    });
    sum
}

#[inline(always)]
fn sum<R: Number, const DIMENSIONS: usize>(a: [R; DIMENSIONS]) -> R {
    let mut sum = a[0];
    unrolled!(i in 1..DIMENSIONS => {
        sum = sum + a[i];
    });
    sum
}

/// `(reach − r²)⁴ · g·d` and, with `GRADIENT`, its derivative by d.
#[inline(always)]
pub(crate) fn corner<R: Number, const DIMENSIONS: usize, const GRADIENT: bool>(
    reach: R,
    g: [R; DIMENSIONS],
    d: [R; DIMENSIONS],
) -> (R, [R; DIMENSIONS]) {
    let t = max(reach - dot(d, d), reach.constant(0.0));
    let t2 = t * t;
    let t4 = t2 * t2;
    let slope = dot(g, d);
    if !GRADIENT {
        return (t4 * slope, [t.constant(0.0); DIMENSIONS]);
    }
    let k = t.constant(-8.0) * (t2 * t) * slope;
    let mut by = d;
    unrolled!(i in 0..DIMENSIONS => {
        by[i] = t4 * g[i] + k * d[i];
    });
    (t4 * slope, by)
}

/// For each corner of a simplex but the first and last, the axes along which it is a step away from the first.
pub(crate) type CornerSteps<R, const DIMENSIONS: usize> = [[<R as Number>::Mask; DIMENSIONS]; 3];

/// The steps to the corners, in descending order of the coordinates. Ties are resolved as in the terrain shader's listing, x
/// before y before z before x. Only three equal coordinates are taken in the order x, y, z, since the listing's corners collapse
/// there.
#[inline(always)]
pub(crate) fn steps_3<R: Number>(f: [R; 3]) -> CornerSteps<R, 3> {
    let (xy, yz) = (f[0].at_least(f[1]), f[1].at_least(f[2]));
    let zx = R::Bits::both(f[2].at_least(f[0]), R::Bits::not(R::Bits::both(xy, yz)));
    let (yx, zy, xz) = (R::Bits::not(xy), R::Bits::not(yz), R::Bits::not(zx));
    let second = [R::Bits::both(xy, xz), R::Bits::both(yz, yx), R::Bits::both(zx, zy)];
    let third = [R::Bits::either(xy, xz), R::Bits::either(yz, yx), R::Bits::either(zx, zy)];
    [second, third, third]
}

/// The same in 4D; of equal coordinates, the first is taken as the larger.
#[inline(always)]
pub(crate) fn steps_4<R: Number>(f: [R; 4], zero: R::Bits) -> CornerSteps<R, 4> {
    macro_rules! above {
        ($a:literal $b:literal) => {
            R::Bits::select(zero, zero.constant(1), f[$a].at_least(f[$b]))
        };
    }
    let (xy, xz, xw, yz, yw, zw) = (above!(0 1), above!(0 2), above!(0 3), above!(1 2), above!(1 3), above!(2 3));
    let [one, two, three] = [zero.constant(1), zero.constant(2), zero.constant(3)];
    // For each coordinate, the number of other coordinates that are not larger.
    let ranks =
        [xy.plus(xz).plus(xw), one.minus(xy).plus(yz).plus(yw), two.minus(xz).minus(yz).plus(zw), three.minus(xw).minus(yw).minus(zw)];
    macro_rules! at_least {
        ($rank:literal) => {
            [
                R::Bits::not(ranks[0].less_than(zero.constant($rank))),
                R::Bits::not(ranks[1].less_than(zero.constant($rank))),
                R::Bits::not(ranks[2].less_than(zero.constant($rank))),
                R::Bits::not(ranks[3].less_than(zero.constant($rank))),
            ]
        };
    }
    [at_least!(3), at_least!(2), at_least!(1)]
}

/// A corner of a simplex.
pub(crate) enum SimplexCorner<M, const DIMENSIONS: usize> {
    /// The cell itself.
    First,
    /// A step away along some axes.
    Middle([M; DIMENSIONS]),
    /// A step away along every axis.
    Last,
}

/// The geometry of a lattice: its skew, the reach of corners, and the scale of the sum.
#[derive(Clone, Copy)]
pub struct Shape {
    unskew: f64,
    reach: f64,
    scale: f64,
}

/// The sum over the corners. `gradient` returns each corner's gradient by its number. With `GRADIENT` it has a gradient per cell
/// of the cubic lattice.
#[inline(always)]
fn corners<R: Number, const DIMENSIONS: usize, const GRADIENT: bool>(
    f: [R; DIMENSIONS],
    steps: CornerSteps<R, DIMENSIONS>,
    shape: Shape,
    gradient: impl Fn(usize, SimplexCorner<R::Mask, DIMENSIONS>) -> [R; DIMENSIONS],
) -> (R, [R; DIMENSIONS]) {
    let shift = sum(f) * f[0].constant(shape.unskew);
    let mut d0 = f;
    unrolled!(i in 0..DIMENSIONS => {
        d0[i] = f[i] - shift;
    });
    let mut total = corner::<R, DIMENSIONS, GRADIENT>(shift.constant(shape.reach), gradient(0, SimplexCorner::First), d0);
    // Unrolled by hand: the compiler vectorises the loop over lanes only if it contains no loop.
    total = further::<R, DIMENSIONS, GRADIENT>(total, 1, d0, SimplexCorner::Middle(steps[0]), shape, &gradient);
    if DIMENSIONS >= 3 {
        total = further::<R, DIMENSIONS, GRADIENT>(total, 2, d0, SimplexCorner::Middle(steps[1]), shape, &gradient);
    }
    if DIMENSIONS >= 4 {
        total = further::<R, DIMENSIONS, GRADIENT>(total, 3, d0, SimplexCorner::Middle(steps[2]), shape, &gradient);
    }
    total = further::<R, DIMENSIONS, GRADIENT>(total, DIMENSIONS, d0, SimplexCorner::Last, shape, &gradient);
    let scale = shift.constant(shape.scale);
    if !GRADIENT {
        return (scale * total.0, total.1);
    }
    let mut slope = total.1;
    unrolled!(i in 0..DIMENSIONS => {
        slope[i] = scale * total.1[i];
    });
    let back = sum(slope) * shift.constant(shape.unskew);
    unrolled!(i in 0..DIMENSIONS => {
        slope[i] = slope[i] - back;
    });
    (scale * total.0, slope)
}

#[inline(always)]
fn jet<R: Number, const DIMENSIONS: usize>((value, slope): (R, [R; DIMENSIONS])) -> Jet<R> {
    let mut gradient = [value.constant(0.0); 3];
    gradient[..DIMENSIONS].copy_from_slice(&slope);
    Jet { value, gradient }
}

/// Adds corner k to `total`.
#[inline(always)]
fn further<R: Number, const DIMENSIONS: usize, const GRADIENT: bool>(
    total: (R, [R; DIMENSIONS]),
    k: usize,
    d0: [R; DIMENSIONS],
    which: SimplexCorner<R::Mask, DIMENSIONS>,
    shape: Shape,
    gradient: &impl Fn(usize, SimplexCorner<R::Mask, DIMENSIONS>) -> [R; DIMENSIONS],
) -> (R, [R; DIMENSIONS]) {
    let (zero, one) = (d0[0].constant(0.0), d0[0].constant(1.0));
    let moved = d0[0].constant(k as f64) * d0[0].constant(shape.unskew);
    let mut d = d0;
    unrolled!(i in 0..DIMENSIONS => {
        let step = match &which {
            SimplexCorner::First => zero,
            SimplexCorner::Middle(steps) => R::select(zero, one, steps[i]),
            SimplexCorner::Last => one,
        };
        d[i] = d0[i] - step + moved;
    });
    let (value, slope) = corner::<R, DIMENSIONS, GRADIENT>(zero.constant(shape.reach), gradient(k, which), d);
    let mut by = total.1;
    unrolled!(i in 0..if GRADIENT { DIMENSIONS } else { 0 } => {
        by[i] = total.1[i] + slope[i];
    });
    (total.0 + value, by)
}

/// 107.6: 1 / the largest sum of five of the 32 directions, reduced by 1e-2 for rounding and for the proof.
const SHAPE_4: Shape = Shape { unskew: UNSKEW_4, reach: 0.5, scale: 107.6 };
/// The terrain shader's geometry, with other gradients; see [`crate::cpu::lib::permutation289`].
const SHAPE_WIDE_3: Shape = Shape { unskew: UNSKEW_3, reach: 0.6, scale: 42.0 };

/// The value, and with `GRADIENT` the gradient per cell of the cubic lattice along all four axes.
#[inline(always)]
pub fn simplex_4<R: Number, const GRADIENT: bool, const PERIODIC: bool>(
    cell: [R::Bits; 4],
    f: [R; 4],
    key: HashKey<R::Bits, PERIODIC>,
) -> (R, [R; 4]) {
    let points: Skewed<R::Bits, PERIODIC> = key.skewed(cell);
    corners::<R, 4, GRADIENT>(
        f,
        steps_4(f, cell[0].constant(0)),
        SHAPE_4,
        #[inline(always)]
        |_, which| {
            let hash = match which {
                SimplexCorner::First => points.end(false),
                SimplexCorner::Middle(steps) => points.at(steps),
                SimplexCorner::Last => points.end(true),
            };
            gradient_4(hash, 1.0)
        },
    )
}

/// The terrain shader's geometry with the given gradients, and the steps to the second and third corners.
#[inline(always)]
pub(crate) fn wide_3<R: Number, const GRADIENT: bool>(f: [R; 3], steps: CornerSteps<R, 3>, gradients: [[R; 3]; 4]) -> Jet<R> {
    jet(corners::<R, 3, GRADIENT>(
        f,
        steps,
        SHAPE_WIDE_3,
        #[inline(always)]
        |corner, _| gradients[corner],
    ))
}
