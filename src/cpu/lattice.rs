//! Twin of `shaders/lib/lattice.wgsl`: value and Perlin noise, one implementation for every dimension.
//!
//! Every lattice point contributes an affine function of the offset from it (a constant in value noise, a slope in Perlin
//! noise), blended along the axes, last axis first. What remains after an axis is blended is affine in the axes before it, so
//! along a row of samples everything but the last blend depends on the cell alone.

use super::interpolate::Weight;
use super::jet::Jet;
use super::point::Key;
use super::real::Real;
use super::simplex::{gradient_2, gradient_3, gradient_4};

/// An affine function of the axes not blended yet.
#[derive(Clone, Copy)]
struct Affine<R, const N: usize> {
    slope: [R; N],
    constant: R,
}

/// A partial blend: the function, and its derivatives by the axes that are blended.
#[derive(Clone, Copy)]
struct Partial<R, const N: usize> {
    function: Affine<R, N>,
    by: [Affine<R, N>; N],
}

/// A number in [−1, 1], short of the ends by 1e-6 for the rounding of the blends.
#[inline(always)]
pub(super) fn value<R: Real>(h: u32) -> R {
    R::of_i32((h >> 8) as i32) * R::of(1.192_091_760_576_852_3e-7) - R::of(0.999_999_046_325_683_6)
}

#[inline(always)]
fn lerp<R: Real>(a: R, b: R, w: Weight<R>) -> R {
    a + w.u * (b - a)
}

/// The function with its last axis moved to offset `f` and made part of the constant. `SLOPED` false: there is no slope.
#[inline(always)]
fn settle<R: Real, const N: usize, const SLOPED: bool>(a: Affine<R, N>, axis: usize, f: R) -> R {
    if SLOPED { a.constant + a.slope[axis] * f } else { a.constant }
}

// Functions and loops instead of closures and `array::from_fn` from here on: what the compiler does not inline is compiled once,
// without vector instructions, and only functions can be told to be inlined always.

/// Blends two functions along an axis: that axis becomes part of the constant.
#[inline(always)]
fn join<R: Real, const N: usize, const SLOPED: bool>(a: Affine<R, N>, b: Affine<R, N>, axis: usize, f: R, w: Weight<R>) -> Affine<R, N> {
    let mut slope = [R::default(); N];
    for i in 0..N {
        if SLOPED && i < axis {
            slope[i] = lerp(a.slope[i], b.slope[i], w);
        }
    }
    let upper = f - R::of(1.0);
    Affine { slope, constant: lerp(settle::<R, N, SLOPED>(a, axis, f), settle::<R, N, SLOPED>(b, axis, upper), w) }
}

/// Blends two partial results along an axis.
#[inline(always)]
fn blend<R: Real, const N: usize, const SLOPED: bool>(
    a: Partial<R, N>,
    b: Partial<R, N>,
    axis: usize,
    f: R,
    w: Weight<R>,
) -> Partial<R, N> {
    let upper = f - R::of(1.0);
    let (va, vb) = (settle::<R, N, SLOPED>(a.function, axis, f), settle::<R, N, SLOPED>(b.function, axis, upper));
    let change = w.slope * (vb - va);
    let mut own = Affine { slope: [R::default(); N], constant: change };
    if SLOPED {
        own.constant = lerp(a.function.slope[axis], b.function.slope[axis], w) + change;
        for i in 0..N {
            if i < axis {
                own.slope[i] = w.slope * (b.function.slope[i] - a.function.slope[i]);
            }
        }
    }
    let mut by = [own; N];
    for i in 0..N {
        if i != axis {
            by[i] = join::<R, N, SLOPED>(a.by[i], b.by[i], axis, f, w);
        }
    }
    Partial { function: join::<R, N, SLOPED>(a.function, b.function, axis, f, w), by }
}

/// The corner at some steps from a cell, one bit of the index for each axis.
#[inline(always)]
fn corner<R: Real, const N: usize, const SLOPED: bool, const W: bool>(cell: [i32; N], index: u32, key: Key<W>) -> Partial<R, N> {
    let mut step = [0; N];
    for axis in 0..N {
        step[axis] = index >> axis & 1;
    }
    let h = hash(cell, step, key);
    let zero = Affine { slope: [R::default(); N], constant: R::default() };
    Partial { function: if SLOPED { slope(h) } else { Affine { constant: value(h), ..zero } }, by: [zero; N] }
}

/// The corners at one lattice coordinate along x, the cell's own or the `next` one (0 or 1), blended along all other axes.
#[inline(always)]
fn column<R: Real, const N: usize, const SLOPED: bool, const W: bool>(
    next: u32,
    cell: [i32; N],
    f: [R; N],
    key: Key<W>,
    w: [Weight<R>; N],
) -> Partial<R, N> {
    macro_rules! at {
        ($index:expr) => {
            corner::<R, N, SLOPED, W>(cell, $index + next, key)
        };
    }
    // Written out: the compiler vectorises the loop over lanes only if there is none inside it.
    if N == 1 {
        at!(0)
    } else if N == 2 {
        blend::<R, N, SLOPED>(at!(0), at!(2), 1, f[1], w[1])
    } else if N == 4 {
        let p00 = blend::<R, N, SLOPED>(at!(0), at!(8), 3, f[N - 1], w[N - 1]);
        let p01 = blend::<R, N, SLOPED>(at!(4), at!(12), 3, f[N - 1], w[N - 1]);
        let p10 = blend::<R, N, SLOPED>(at!(2), at!(10), 3, f[N - 1], w[N - 1]);
        let p11 = blend::<R, N, SLOPED>(at!(6), at!(14), 3, f[N - 1], w[N - 1]);
        let low = blend::<R, N, SLOPED>(p00, p01, 2, f[2], w[2]);
        let high = blend::<R, N, SLOPED>(p10, p11, 2, f[2], w[2]);
        blend::<R, N, SLOPED>(low, high, 1, f[1], w[1])
    } else {
        let low = blend::<R, N, SLOPED>(at!(0), at!(4), 2, f[2], w[2]);
        let high = blend::<R, N, SLOPED>(at!(2), at!(6), 2, f[2], w[2]);
        blend::<R, N, SLOPED>(low, high, 1, f[1], w[1])
    }
}

/// Two columns blended along x.
#[inline(always)]
fn finish<R: Real, const N: usize, const SLOPED: bool>(low: Partial<R, N>, high: Partial<R, N>, f: R, w: Weight<R>) -> Jet<R> {
    let total = blend::<R, N, SLOPED>(low, high, 0, f, w);
    let mut gradient = [R::default(); 3];
    // The fourth axis is no direction of the world.
    for axis in 0..3 {
        if axis < N {
            gradient[axis] = total.by[axis].constant;
        }
    }
    Jet { value: total.function.constant, gradient }
}

/// Blends all corners.
#[inline(always)]
fn reduce<R: Real, const N: usize, const SLOPED: bool, const W: bool>(cell: [i32; N], f: [R; N], key: Key<W>, w: [Weight<R>; N]) -> Jet<R> {
    let low = column::<R, N, SLOPED, W>(0, cell, f, key, w);
    let high = column::<R, N, SLOPED, W>(1, cell, f, key, w);
    finish::<R, N, SLOPED>(low, high, f[0], w[0])
}

/// The hash of the lattice point some steps away from the cell.
#[inline(always)]
fn hash<const N: usize, const W: bool>(cell: [i32; N], step: [u32; N], key: Key<W>) -> u32 {
    let mut point = [0; N];
    for axis in 0..N {
        point[axis] = (cell[axis] as u32).wrapping_add(step[axis]);
    }
    key.cubic::<N>(point)
}

#[inline(always)]
pub fn value_noise<R: Real, const N: usize, const W: bool>(cell: [i32; N], f: [R; N], key: Key<W>, w: [Weight<R>; N]) -> Jet<R> {
    reduce::<R, N, false, W>(cell, f, key, w)
}

/// Unit gradients reach at most √N/2 for every weight that lies between its fraction and the nearer end's (by Jensen's
/// inequality on the distances), so this scale fills [−1, 1], less 1e-5 or more for rounding.
#[inline(always)]
fn scale<const N: usize>() -> f64 {
    [1.999_98, 1.4141, 1.154_69, 0.999_99][N - 1]
}

/// The slope of the point with this hash.
#[inline(always)]
fn slope<R: Real, const N: usize>(h: u32) -> Affine<R, N> {
    let mut slope = [R::default(); N];
    if N == 1 {
        slope[0] = value(h);
    } else if N == 2 {
        [slope[0], slope[1]] = gradient_2(h);
    } else if N == 3 {
        [slope[0], slope[1], slope[2]] = gradient_3(h);
    } else {
        [slope[0], slope[1], slope[2], slope[N - 1]] = gradient_4(h);
    }
    Affine { slope, constant: R::default() }
}

#[inline(always)]
fn scaled<R: Real, const N: usize>(noise: Jet<R>) -> Jet<R> {
    let (scale, [x, y, z]) = (R::of(scale::<N>()), noise.gradient);
    Jet { value: noise.value * scale, gradient: [x * scale, y * scale, z * scale] }
}

#[inline(always)]
pub fn perlin<R: Real, const N: usize, const W: bool>(cell: [i32; N], f: [R; N], key: Key<W>, w: [Weight<R>; N]) -> Jet<R> {
    scaled::<R, N>(reduce::<R, N, true, W>(cell, f, key, w))
}

/// A column of lattice points blended along all axes but x: slope and constant of the value along x, then of its derivatives along
/// the blended axes. What [`value_noise`] and [`perlin`] compute first, so [`joined`] gives the same bits.
pub type Column<R> = [[R; 2]; 3];

/// The column at a cell's own lattice coordinate along x, of slopes (Perlin noise) or numbers (value noise).
#[inline(always)]
pub fn column_at<R: Real, const N: usize, const SLOPED: bool>(cell: [i32; N], f: [R; N], key: Key<false>, w: [Weight<R>; N]) -> Column<R> {
    let Partial { function, by } = column::<R, N, SLOPED, false>(0, cell, f, key, w);
    let mut all = [[function.slope[0], function.constant], [R::default(); 2], [R::default(); 2]];
    if N >= 2 {
        all[1] = [by[1].slope[0], by[1].constant];
    }
    if N >= 3 {
        all[2] = [by[2].slope[0], by[2].constant];
    }
    all
}

/// A function along x.
#[inline(always)]
fn along_x<R: Real, const N: usize>([first, constant]: [R; 2]) -> Affine<R, N> {
    let mut slope = [R::default(); N];
    slope[0] = first;
    Affine { slope, constant }
}

/// A column as the blend takes it.
#[inline(always)]
fn partial<R: Real, const N: usize>(column: Column<R>) -> Partial<R, N> {
    let mut by = [along_x([R::default(); 2]); N];
    if N >= 2 {
        by[1] = along_x(column[1]);
    }
    if N >= 3 {
        by[2] = along_x(column[2]);
    }
    Partial { function: along_x(column[0]), by }
}

/// The noise between two neighbouring columns, at a fraction of the way along x.
#[inline(always)]
pub fn joined<R: Real, const N: usize, const SLOPED: bool>(low: Column<R>, high: Column<R>, f: R, w: Weight<R>) -> Jet<R> {
    let noise = finish::<R, N, SLOPED>(partial(low), partial(high), f, w);
    if SLOPED { scaled::<R, N>(noise) } else { noise }
}
