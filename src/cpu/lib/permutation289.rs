//! Twin of `shaders/lib/permutation289.wgsl`, the terrain shader's 3D simplex noise. With `PERIODIC` it is the twin of
//! `shaders/lib/permutation289_periodic.wgsl`.
//!
//! All numbers are whole and below 2²⁴ as floats, so they are exact, including sums and products. Floats are the fastest on
//! processors.

use crate::cpu::lib::jet::Jet;
use crate::cpu::lib::point::HashKey;
use crate::cpu::lib::skewed::{steps_3, wide_3};
use crate::cpu::simd::number::{Bits, Number};
use crate::cpu::simd::unrolled;

/// A whole number modulo 289, from −145 to 145. Rounding may choose either of the two ends for the same remainder.
#[inline(always)]
fn remainder<R: Number>(x: R) -> R {
    x - (x * x.constant(1.0 / 289.0) + x.constant(0.5)).floor() * x.constant(289.0)
}

/// A cell modulo 289, from its halves: 2¹⁶ mod 289 = 222.
#[inline(always)]
fn reduce<R: Number>(cell: R::Bits) -> R {
    let (upper, lower) = (R::of_signed(cell.signed_down(16)), R::of_signed(cell & cell.constant(0xffff)));
    remainder(upper * upper.constant(222.0) + lower)
}

/// The permutation of x, which lies from −290 to 291.
#[inline(always)]
fn permute<R: Number>(x: R) -> R {
    remainder((x * x.constant(34.0) + x.constant(1.0)) * x)
}

/// The quotient of a whole number from 0 to 288 by a divisor of at most 49, given 1 / divisor.
#[inline(always)]
fn quotient<R: Number>(x: R, inverse: f64) -> R {
    ((x + x.constant(0.5)) * x.constant(inverse)).floor()
}

/// A coordinate on the 7×7 grid, folded to the nearer side if the mask holds.
#[inline(always)]
fn folded<R: Number>(x: R, fold: R::Mask) -> R {
    let side = R::select(x.constant(14.0), x.constant(-14.0), x.less_than(x.constant(0.0)));
    R::select(x, x - side, fold)
}

/// A number for each of the four corners, by its index. All four are computed together, since their long chains of operations are
/// independent.
macro_rules! four {
    ($i:ident => $number:expr) => {
        [four!($i, 0, $number), four!($i, 1, $number), four!($i, 2, $number), four!($i, 3, $number)]
    };
    ($i:ident, $index:literal, $number:expr) => {{
        let $i: usize = $index;
        $number
    }};
}

/// The gradients of four points, given their coordinates along each axis.
///
/// In units of 1/14 the 7×7 grid and the octahedron are whole numbers. The listing's `h <= 0` is true for grid points exactly on
/// the fold. With whole numbers they fold on every machine; with rounded arithmetic only on some.
#[inline(always)]
fn gradients<R: Number>([x, y, z]: [[R; 4]; 3]) -> [[R; 3]; 4] {
    let zero = x[0].constant(0.0);
    let r = four!(i => permute(z[i]));
    let r = four!(i => permute(r[i] + y[i]));
    let r = four!(i => permute(r[i] + x[i]));
    let p = four!(i => R::select(r[i], r[i] + zero.constant(289.0), r[i].less_than(zero)));
    let j = four!(i => p[i] - quotient(p[i], 1.0 / 49.0) * zero.constant(49.0));
    let row = four!(i => quotient(j[i], 1.0 / 7.0));
    let x = four!(i => row[i] * zero.constant(4.0) - zero.constant(13.0));
    let y = four!(i => (j[i] - row[i] * zero.constant(7.0)) * zero.constant(4.0) - zero.constant(13.0));
    let h = four!(i => zero.constant(14.0) - x[i].abs() - y[i].abs());
    // Beyond the square's diagonals, its corners fold to the octahedron's lower half.
    let x = four!(i => folded(x[i], zero.at_least(h[i])));
    let y = four!(i => folded(y[i], zero.at_least(h[i])));
    // The first terms of 1/sqrt around 0.7, divided by 14.
    let square = four!(i => x[i] * x[i] + y[i] * y[i] + h[i] * h[i]);
    let normal = four!(i => zero.constant(0.12806020814297073) - zero.constant(0.00031112781375843294) * square[i]);
    four!(i => [x[i] * normal[i], y[i] * normal[i], h[i] * normal[i]])
}

/// The value, and with `GRADIENT` the gradient per cell of the skewed lattice.
#[inline(always)]
pub fn simplex<R: Number, const GRADIENT: bool, const PERIODIC: bool>(
    cell: [R::Bits; 3],
    f: [R; 3],
    key: HashKey<R::Bits, PERIODIC>,
) -> Jet<R> {
    let steps = steps_3(f);
    let mut points = [[f[0]; 4]; 3];
    if PERIODIC {
        let mut corners = [cell; 4];
        unrolled!(axis in 0..3 => {
            let next = cell[axis].plus(cell[axis].constant(1));
            corners[1][axis] = R::Bits::select(cell[axis], next, steps[0][axis]);
            corners[2][axis] = R::Bits::select(cell[axis], next, steps[1][axis]);
            corners[3][axis] = next;
        });
        unrolled!(corner in 0..4 => {
            let point = key.representative(corners[corner]);
            unrolled!(axis in 0..3 => points[axis][corner] = reduce(point[axis]));
        });
    } else {
        unrolled!(axis in 0..3 => {
            let first: R = reduce(cell[axis]);
            let next = first + first.constant(1.0);
            points[axis] = [first, R::select(first, next, steps[0][axis]), R::select(first, next, steps[1][axis]), next];
        });
    }
    wide_3::<R, GRADIENT>(f, steps, gradients(points))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn residue(x: f32) -> i64 {
        assert!(x.fract() == 0.0 && x.abs() <= 145.0, "{x}");
        (x as i64).rem_euclid(289)
    }

    #[test]
    fn whole_numbers_as_floats_have_the_remainders_of_integers() {
        for x in -290..=291_i64 {
            assert_eq!(residue(permute(x as f32)), ((34 * x + 1) * x).rem_euclid(289), "{x}");
        }
        let near = |middle: i32| (-600..600).map(move |i: i32| middle.wrapping_add(i));
        for cell in [0, 1 << 16, -1 << 16, i32::MIN, i32::MAX, 289 << 20].into_iter().flat_map(near) {
            assert_eq!(residue(reduce(cell as u32)), i64::from(cell).rem_euclid(289), "{cell}");
        }
        for (divisor, x) in [7_u16, 49].into_iter().flat_map(|divisor| (0..289).map(move |x| (divisor, x))) {
            assert_eq!(quotient(f32::from(x), 1.0 / f64::from(divisor)), f32::from(x / divisor), "{x} / {divisor}");
        }
    }
}
