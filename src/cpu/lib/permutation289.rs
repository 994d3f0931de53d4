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

//
// The permutation P(u) = 34 u² + u needs no rounds: 34 · 17 is 0 modulo 289, so 34 u² depends on u modulo 17 only, where P(u) is u. Hence
// P(P(P(z) + y) + x) = s + 34 (z² + t² + s²), with t = y + z and s = x + y + z.

/// `[s, t, z]` of three numbers.
#[inline(always)]
fn sums<B: Bits>([x, y, z]: [B; 3]) -> [B; 3] {
    let t = y.plus(z);
    [x.plus(t), t, z]
}

/// A cell's s, t and z modulo 289, from −145 to 145: rounding may choose which of two numbers half-way stands for a remainder. Halves of
/// the coordinates are added, because their sums do not overflow: 2¹⁶ mod 289 = −67.
#[inline(always)]
fn reduce<R: Number>(cell: [R::Bits; 3]) -> [R; 3] {
    let (mut upper, mut lower) = (cell, cell);
    unrolled!(axis in 0..3 => {
        (upper[axis], lower[axis]) = (cell[axis].signed_down(16), cell[axis] & cell[axis].constant(0xffff));
    });
    let (upper, lower) = (sums(upper), sums(lower));
    let first = R::of_signed(lower[0]);
    let mut reduced = [first; 3];
    unrolled!(i in 0..3 => {
        let x = R::of_signed(upper[i]) * first.constant(-67.0) + R::of_signed(lower[i]);
        reduced[i] = x - (x * x.constant(1.0 / 289.0) + x.constant(0.5)).floor() * x.constant(289.0);
    });
    reduced
}

/// The place of a point in the permutation, from 0 to 288, given its sums, from −145 to 148. It is half a unit more, so that products with
/// inverses never reach the next quotient.
#[inline(always)]
fn permuted<R: Number>(s: R, t: R, z: R) -> R {
    let u = s.constant(34.0) * (z * z + t * t + s * s) + (s + s.constant(0.5));
    u - quotient(u, 289.0) * u.constant(289.0)
}

/// The quotient of a whole number and a divisor, given half a unit more.
#[inline(always)]
fn quotient<R: Number>(x: R, divisor: f64) -> R {
    (x * x.constant(1.0 / divisor)).floor()
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

/// Gradients of four points with these sums, each from −145 to 148.
///
/// In units of 1/14 the 7×7 grid and the octahedron are whole numbers. The listing's `h <= 0` is true for grid points exactly on
/// the fold. With whole numbers they fold on every machine; with rounded arithmetic only on some.
#[inline(always)]
fn gradients<R: Number>([s, t, z]: [[R; 4]; 3]) -> [[R; 3]; 4] {
    let zero = s[0].constant(0.0);
    let p = four!(i => permuted(s[i], t[i], z[i]));
    let rows = four!(i => quotient(p[i], 7.0));
    let gx = four!(i => (rows[i] - quotient(p[i], 49.0) * zero.constant(7.0)) * zero.constant(4.0) - zero.constant(13.0));
    let gy = four!(i => (p[i] - rows[i] * zero.constant(7.0)) * zero.constant(4.0) - zero.constant(15.0));
    let ax = four!(i => gx[i].abs());
    let ay = four!(i => gy[i].abs());
    let h = four!(i => (zero.constant(14.0) - ax[i]) - ay[i]);
    // Beyond the square's diagonals its corners fold over to the octahedron's lower half.
    let fold = four!(i => R::select(zero, zero.constant(14.0), zero.at_least(h[i])));
    let mx = four!(i => ax[i] - fold[i]);
    let my = four!(i => ay[i] - fold[i]);
    // First terms of 1/sqrt around 0.7, divided by 14.
    let square = four!(i => mx[i] * mx[i] + my[i] * my[i] + h[i] * h[i]);
    let normal = four!(i => zero.constant(0.12806020814297073) - zero.constant(0.00031112781375843294) * square[i]);
    four!(i => [signed(mx[i] * normal[i], gx[i]), signed(my[i] * normal[i], gy[i]), h[i] * normal[i]])
}

/// a with its sign flipped where b is negative.
#[inline(always)]
fn signed<R: Number>(a: R, b: R) -> R {
    R::select(a, -a, b.less_than(b.constant(0.0)))
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
            let point: [R; 3] = reduce(key.representative(corners[corner]));
            unrolled!(i in 0..3 => points[i][corner] = point[i]);
        });
    } else {
        let [s, t, z]: [R; 3] = reduce(cell);
        let (zero, one, two) = (s.constant(0.0), s.constant(1.0), s.constant(2.0));
        let z_of = |steps: &[R::Mask; 3]| R::select(zero, one, steps[2]);
        let t_of = |steps: &[R::Mask; 3]| R::select(zero, one, steps[1]) + z_of(steps);
        points = [
            [s, s + one, s + two, s + s.constant(3.0)],
            [t, t + t_of(&steps[0]), t + t_of(&steps[1]), t + two],
            [z, z + z_of(&steps[0]), z + z_of(&steps[1]), z + one],
        ];
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

    /// A cell's sums, as integers.
    fn expected(cell: [i32; 3]) -> [i64; 3] {
        let [x, y, z] = cell.map(i64::from);
        [x + y + z, y + z, z].map(|sum| sum.rem_euclid(289))
    }

    #[test]
    fn sums_of_cells_have_the_remainders_of_integers() {
        let near = |middle: i32| (-600..600).map(move |i: i32| middle.wrapping_add(i));
        let places = [0, 1 << 16, -1 << 16, i32::MIN, i32::MAX, 289 << 20];
        for (i, x) in places.into_iter().flat_map(near).enumerate() {
            for other in [x, i32::MIN, i32::MAX, i as i32] {
                for cell in [[x, other, other], [other, x, other], [other, other, x]] {
                    assert_eq!(reduce::<f32>(cell.map(|x| x as u32)).map(residue), expected(cell), "{cell:?}");
                }
            }
        }
    }

    #[test]
    fn places_in_the_permutation_are_those_of_three_rounds() {
        let permute = |x: i64| ((34 * x + 1) * x).rem_euclid(289);
        for (s, t, z) in (-145..=148).flat_map(|s| (-145..=147).flat_map(move |t| (-145..=146).map(move |z| (s, t, z)))) {
            let expected = permute(permute(permute(z) + t - z) + s - t);
            assert_eq!(permuted(s as f32, t as f32, z as f32), expected as f32 + 0.5, "{s} {t} {z}");
        }
    }

    #[test]
    fn quotients_are_those_of_integers() {
        for (divisor, x) in [7_u16, 49].into_iter().flat_map(|divisor| (0..289).map(move |x| (divisor, x))) {
            assert_eq!(quotient(f32::from(x) + 0.5, f64::from(divisor)), f32::from(x / divisor), "{x} / {divisor}");
        }
    }
}
