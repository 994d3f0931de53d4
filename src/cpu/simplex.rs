//! Twin of `shaders/lib/simplex.wgsl`: simplex noise, one implementation for every dimension.

use super::hash::sign;
use super::jet::Jet;
use super::point::Key;
use super::real::{Real, max, select};

const UNSKEW_2: f64 = 0.211_324_865_405_187_13;
const UNSKEW_3: f64 = 0.166_666_666_666_666_66;
const UNSKEW_4: f64 = 0.138_196_601_125_010_5;

/// One of 16 directions, evenly spaced from 11.25 degrees on.
#[inline(always)]
pub fn gradient_2<R: Real>(h: u32) -> [R; 2] {
    let steep = h & 0x8000_0000 != 0;
    let long = R::of(select(0.980_785_280_403_230_4, 0.831_469_612_302_545_2, steep));
    let short = R::of(select(0.195_090_322_016_128_25, 0.555_570_233_019_602_2, steep));
    let swap = h & 0x4000_0000 != 0;
    [sign(select(long, short, swap), h, 29), sign(select(short, long, swap), h, 28)]
}

/// One of 48 directions: the permutations of (1, 1 + √2, 1 + 2√2) with all signs, normalised.
#[inline(always)]
pub fn gradient_3<R: Real>(h: u32) -> [R; 3] {
    let long = R::of(0.825_942_591_020_956_2);
    let middle = R::of(0.520_840_998_146_611_3);
    let short = R::of(0.215_739_405_272_266_48);
    let swap = h & 1 != 0;
    let u = select(middle, short, swap);
    let v = select(short, middle, swap);
    let axis = ((h >> 8) * 3) >> 24;
    let x = select(u, long, axis == 0);
    let y = select(select(v, u, axis == 0), long, axis == 1);
    let z = select(v, long, axis == 2);
    [sign(x, h, 1), sign(y, h, 2), sign(z, h, 3)]
}

/// One of 32 directions: (0, ±1, ±1, ±1) with the 0 in any place, normalised.
#[inline(always)]
pub fn gradient_4<R: Real>(h: u32) -> [R; 4] {
    let third = R::of(0.577_350_269_189_625_8);
    let empty = h >> 30;
    let part = |axis: u32, bit: u32| select(sign(third, h, bit), R::of(0.0), empty == axis);
    // Three signs for three axes: the last takes that of the one which is empty.
    [part(0, 0), part(1, 1), part(2, 2), part(3, select(0, empty, empty < 3))]
}

#[inline(always)]
fn dot<R: Real, const N: usize>(a: [R; N], b: [R; N]) -> R {
    let mut sum = a[0] * b[0];
    for i in 1..N {
        sum = sum + a[i] * b[i];
    }
    sum
}

#[inline(always)]
fn sum<R: Real, const N: usize>(a: [R; N]) -> R {
    let mut sum = a[0];
    for &x in &a[1..] {
        sum = sum + x;
    }
    sum
}

/// `(reach − r²)⁴ · g·d` and its derivative by d.
#[inline(always)]
fn corner<R: Real, const N: usize>(reach: R, g: [R; N], d: [R; N]) -> (R, [R; N]) {
    let t = max(reach - dot(d, d), R::of(0.0));
    let t2 = t * t;
    let t4 = t2 * t2;
    let slope = dot(g, d);
    let k = R::of(-8.0) * (t2 * t) * slope;
    (t4 * slope, std::array::from_fn(|i| t4 * g[i] + k * d[i]))
}

/// How many coordinates each one is not smaller than: corner k of the simplex lies one cell further along the axes of
/// rank `N − k` and above. Ties as in the terrain shader's listing, x before y before z before x, except that three
/// equal coordinates are taken in the order x, y, z: the listing's corners collapse there.
#[inline(always)]
fn ranks_3<R: Real>(f: [R; 3]) -> [u32; 3] {
    let xy = f[0] >= f[1];
    let yz = f[1] >= f[2];
    let zx = (f[2] >= f[0]) & !(xy & yz);
    [u32::from(xy) + u32::from(!zx), u32::from(yz) + u32::from(!xy), u32::from(zx) + u32::from(!yz)]
}

#[inline(always)]
fn ranks_2<R: Real>(f: [R; 2]) -> [u32; 2] {
    let xy = f[0] >= f[1];
    [u32::from(xy), u32::from(!xy)]
}

#[inline(always)]
fn ranks_4<R: Real>(f: [R; 4]) -> [u32; 4] {
    let above = |a: usize, b: usize| u32::from(f[a] >= f[b]);
    let (xy, xz, xw, yz, yw, zw) = (above(0, 1), above(0, 2), above(0, 3), above(1, 2), above(1, 3), above(2, 3));
    [xy + xz + xw, (1 - xy) + yz + yw, (2 - xz - yz) + zw, 3 - xw - yw - zw]
}

/// A lattice's simplexes: how far it is skewed, how far corners reach, what the sum is scaled by.
#[derive(Clone, Copy)]
pub struct Shape {
    unskew: f64,
    reach: f64,
    scale: f64,
}

/// The sum over the corners, with its gradient per cell of the cubic lattice. `gradient` is told which corner by the
/// steps it lies away from the cell.
#[inline(always)]
fn corners<R: Real, const N: usize>(f: [R; N], ranks: [u32; N], shape: Shape, gradient: impl Fn([u32; N]) -> [R; N]) -> (R, [R; N]) {
    let shift = sum(f) * R::of(shape.unskew);
    let d0: [R; N] = std::array::from_fn(|i| f[i] - shift);
    let mut total = corner(R::of(shape.reach), gradient([0; N]), d0);
    // Written out: the compiler vectorises the loop over lanes only if there is none inside it.
    total = further(total, 1, d0, ranks, shape, &gradient);
    total = further(total, 2, d0, ranks, shape, &gradient);
    if N >= 3 {
        total = further(total, 3, d0, ranks, shape, &gradient);
    }
    if N >= 4 {
        total = further(total, 4, d0, ranks, shape, &gradient);
    }
    let slope: [R; N] = std::array::from_fn(|i| R::of(shape.scale) * total.1[i]);
    let back = sum(slope) * R::of(shape.unskew);
    (R::of(shape.scale) * total.0, slope.map(|s| s - back))
}

#[inline(always)]
fn jet<R: Real, const N: usize>((value, slope): (R, [R; N])) -> Jet<R> {
    let mut gradient = [R::of(0.0); 3];
    for (to, from) in gradient.iter_mut().zip(slope) {
        *to = from;
    }
    Jet { value, gradient }
}

/// `total` plus corner k.
#[inline(always)]
fn further<R: Real, const N: usize>(
    total: (R, [R; N]),
    k: usize,
    d0: [R; N],
    ranks: [u32; N],
    shape: Shape,
    gradient: &impl Fn([u32; N]) -> [R; N],
) -> (R, [R; N]) {
    let step: [u32; N] = std::array::from_fn(|i| u32::from(ranks[i] >= (N - k) as u32));
    let moved = R::of_i32(k as i32) * R::of(shape.unskew);
    let d = std::array::from_fn(|i| d0[i] - select(R::of(0.0), R::of(1.0), step[i] != 0) + moved);
    let (value, slope) = corner(R::of(shape.reach), gradient(step), d);
    (total.0 + value, std::array::from_fn(|i| total.1[i] + slope[i]))
}

/// 99.36: 1 / the largest sum that three of the 16 directions can give, less 6e-4, which leaves room for rounding and for the proof.
const SHAPE_2: Shape = Shape { unskew: UNSKEW_2, reach: 0.5, scale: 99.36 };
/// 108.3: 1 / the largest sum that four of the 48 directions can give, less 1.3e-3, likewise.
const SHAPE_3: Shape = Shape { unskew: UNSKEW_3, reach: 0.5, scale: 108.3 };
/// 107.6: 1 / the largest sum that five of the 32 directions can give, less 1e-2, likewise.
const SHAPE_4: Shape = Shape { unskew: UNSKEW_4, reach: 0.5, scale: 107.6 };
/// The terrain shader's, with another source of gradients; see [`super::permutation289`].
const SHAPE_WIDE_3: Shape = Shape { unskew: UNSKEW_3, reach: 0.6, scale: 42.0 };

#[inline(always)]
pub fn simplex_2<R: Real, const W: bool>(cell: [i32; 3], fraction: [R; 3], key: Key<W>) -> Jet<R> {
    let f = [fraction[0], fraction[1]];
    let [x, y, _] = cell.map(|c| c as u32);
    jet(corners(
        f,
        ranks_2(f),
        SHAPE_2,
        #[inline(always)]
        |s| gradient_2(key.simplex_2(x.wrapping_add(s[0]), y.wrapping_add(s[1]))),
    ))
}

#[inline(always)]
pub fn simplex_3<R: Real, const W: bool>(cell: [i32; 3], f: [R; 3], key: Key<W>) -> Jet<R> {
    let [x, y, z] = cell.map(|c| c as u32);
    jet(corners(
        f,
        ranks_3(f),
        SHAPE_3,
        #[inline(always)]
        |s| gradient_3(key.simplex_3([x.wrapping_add(s[0]), y.wrapping_add(s[1]), z.wrapping_add(s[2])])),
    ))
}

/// Value, and gradient per cell of the cubic lattice along all four axes.
#[inline(always)]
pub fn simplex_4<R: Real, const W: bool>(cell: [u32; 4], f: [R; 4], key: Key<W>) -> (R, [R; 4]) {
    corners(
        f,
        ranks_4(f),
        SHAPE_4,
        #[inline(always)]
        |s| gradient_4(key.simplex_4(std::array::from_fn(|i| cell[i].wrapping_add(s[i])))),
    )
}

/// The terrain shader's geometry around another source of gradients.
#[inline(always)]
pub(super) fn wide_3<R: Real>(f: [R; 3], gradient: impl Fn([u32; 3]) -> [R; 3]) -> Jet<R> {
    jet(corners(f, ranks_3(f), SHAPE_WIDE_3, gradient))
}
