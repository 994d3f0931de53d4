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
    let join = |a: Affine<R, N>, b: Affine<R, N>| Affine {
        slope: std::array::from_fn(|i| if SLOPED && i < axis { lerp(a.slope[i], b.slope[i], w) } else { R::default() }),
        constant: lerp(settle::<R, N, SLOPED>(a, axis, f), settle::<R, N, SLOPED>(b, axis, upper), w),
    };
    let (va, vb) = (settle::<R, N, SLOPED>(a.function, axis, f), settle::<R, N, SLOPED>(b.function, axis, upper));
    let change = w.slope * (vb - va);
    let own =
        Affine {
            slope: std::array::from_fn(|i| {
                if SLOPED && i < axis { w.slope * (b.function.slope[i] - a.function.slope[i]) } else { R::default() }
            }),
            constant: if SLOPED { lerp(a.function.slope[axis], b.function.slope[axis], w) + change } else { change },
        };
    let by = std::array::from_fn(|i| if i == axis { own } else { join(a.by[i], b.by[i]) });
    Partial { function: join(a.function, b.function), by }
}

/// Blends all corners; `corner` is told which one by the steps it lies away from the cell.
#[inline(always)]
fn reduce<R: Real, const N: usize, const SLOPED: bool>(f: [R; N], w: [Weight<R>; N], corner: impl Fn([u32; N]) -> Affine<R, N>) -> Jet<R> {
    let zero = Affine { slope: [R::default(); N], constant: R::default() };
    let at = |index: u32| Partial { function: corner(std::array::from_fn(|axis| index >> axis & 1)), by: [zero; N] };
    // Written out: the compiler vectorises the loop over lanes only if there is none inside it.
    let total = if N == 1 {
        blend::<R, N, SLOPED>(at(0), at(1), 0, f[0], w[0])
    } else if N == 2 {
        let low = blend::<R, N, SLOPED>(at(0), at(2), 1, f[1], w[1]);
        let high = blend::<R, N, SLOPED>(at(1), at(3), 1, f[1], w[1]);
        blend::<R, N, SLOPED>(low, high, 0, f[0], w[0])
    } else if N == 4 {
        let w4 = |i: u32| blend::<R, N, SLOPED>(at(i), at(i + 8), 3, f[N - 1], w[N - 1]);
        let p00 = blend::<R, N, SLOPED>(w4(0), w4(4), 2, f[2], w[2]);
        let p10 = blend::<R, N, SLOPED>(w4(1), w4(5), 2, f[2], w[2]);
        let p01 = blend::<R, N, SLOPED>(w4(2), w4(6), 2, f[2], w[2]);
        let p11 = blend::<R, N, SLOPED>(w4(3), w4(7), 2, f[2], w[2]);
        let low = blend::<R, N, SLOPED>(p00, p01, 1, f[1], w[1]);
        let high = blend::<R, N, SLOPED>(p10, p11, 1, f[1], w[1]);
        blend::<R, N, SLOPED>(low, high, 0, f[0], w[0])
    } else {
        let p00 = blend::<R, N, SLOPED>(at(0), at(4), 2, f[2], w[2]);
        let p10 = blend::<R, N, SLOPED>(at(1), at(5), 2, f[2], w[2]);
        let p01 = blend::<R, N, SLOPED>(at(2), at(6), 2, f[2], w[2]);
        let p11 = blend::<R, N, SLOPED>(at(3), at(7), 2, f[2], w[2]);
        let low = blend::<R, N, SLOPED>(p00, p01, 1, f[1], w[1]);
        let high = blend::<R, N, SLOPED>(p10, p11, 1, f[1], w[1]);
        blend::<R, N, SLOPED>(low, high, 0, f[0], w[0])
    };
    let mut gradient = [R::default(); 3];
    // The fourth axis is no direction of the world.
    for (component, by) in gradient.iter_mut().zip(&total.by) {
        *component = by.constant;
    }
    Jet { value: total.function.constant, gradient }
}

/// The hash of the lattice point some steps away from the cell.
#[inline(always)]
fn hash<const N: usize, const W: bool>(cell: [i32; N], step: [u32; N], key: Key<W>) -> u32 {
    key.cubic::<N>(std::array::from_fn(|axis| (cell[axis] as u32).wrapping_add(step[axis])))
}

#[inline(always)]
pub fn value_noise<R: Real, const N: usize, const W: bool>(cell: [i32; N], f: [R; N], key: Key<W>, w: [Weight<R>; N]) -> Jet<R> {
    reduce::<R, N, false>(
        f,
        w,
        #[inline(always)]
        |step| Affine { slope: [R::default(); N], constant: value(hash(cell, step, key)) },
    )
}

/// Unit gradients reach at most √N/2 for every weight that lies between its fraction and the nearer end's (by Jensen's
/// inequality on the distances), so this scale fills [−1, 1], less 1e-5 or more for rounding.
#[inline(always)]
fn scale<const N: usize>() -> f64 {
    [1.999_98, 1.4141, 1.154_69, 0.999_99][N - 1]
}

#[inline(always)]
pub fn perlin<R: Real, const N: usize, const W: bool>(cell: [i32; N], f: [R; N], key: Key<W>, w: [Weight<R>; N]) -> Jet<R> {
    let noise = reduce::<R, N, true>(
        f,
        w,
        #[inline(always)]
        |step| {
            let h = hash(cell, step, key);
            let mut slope = [R::default(); N];
            if N == 1 {
                slope[0] = value(h);
            } else if N == 2 {
                slope.copy_from_slice(&gradient_2(h));
            } else if N == 3 {
                slope.copy_from_slice(&gradient_3(h));
            } else {
                slope.copy_from_slice(&gradient_4(h));
            }
            Affine { slope, constant: R::default() }
        },
    );
    let scale = R::of(scale::<N>());
    Jet { value: noise.value * scale, gradient: noise.gradient.map(|g| g * scale) }
}
