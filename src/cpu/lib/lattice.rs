//! Twin of `shaders/lib/lattice.wgsl`: value and Perlin noise, one implementation for every dimension.
//!
//! Every lattice point contributes an affine function of the offset from it: a constant in value noise, a slope in Perlin noise.
//! These are blended along the axes, last axis first. After an axis is blended, the result is affine in the axes before it. So
//! along a row of samples, everything but the last blend depends on the cell alone.

use crate::cpu::lib::gradient::{gradient_2, gradient_3, gradient_4, permutations, sixteen};
use crate::cpu::lib::hash::signed;
use crate::cpu::lib::interpolate::Weight;
use crate::cpu::lib::jet::Jet;
use crate::cpu::lib::point::{Cubic, HashKey};
use crate::cpu::simd::number::Number;
use crate::cpu::simd::permute::{Eight, Lookup};
use crate::cpu::simd::{Real, unrolled};

/// An affine function of the axes that are not blended yet.
#[derive(Clone, Copy)]
pub struct AxisAffine<R, const DIMENSIONS: usize> {
    slope: [R; DIMENSIONS],
    constant: R,
}

impl<R: Number, const DIMENSIONS: usize> AxisAffine<R, DIMENSIONS> {
    /// 0 at the point itself.
    #[inline(always)]
    pub fn sloped(slope: [R; DIMENSIONS]) -> Self {
        AxisAffine { slope, constant: slope[0].constant(0.0) }
    }
}

/// A partial blend: the function, and its derivatives along the blended axes. The derivatives are computed with `GRADIENT`, and
/// left unchanged without it.
#[derive(Clone, Copy)]
struct Partial<R, const DIMENSIONS: usize> {
    function: AxisAffine<R, DIMENSIONS>,
    by: [AxisAffine<R, DIMENSIONS>; DIMENSIONS],
}

#[inline(always)]
fn lerp<R: Number>(a: R, b: R, w: Weight<R>) -> R {
    a + w.u * (b - a)
}

/// The function at offset `f` along its last axis, which becomes part of the constant. Without `SLOPED` there is no slope.
#[inline(always)]
fn settle<R: Number, const DIMENSIONS: usize, const SLOPED: bool>(a: AxisAffine<R, DIMENSIONS>, axis: usize, f: R) -> R {
    if SLOPED { a.constant + a.slope[axis] * f } else { a.constant }
}

// From here on functions and loops replace closures and `array::from_fn`. Code that is not inlined is compiled once, without
// vector instructions, and only functions can be marked `inline(always)`.

/// Blends two functions along an axis, which becomes part of the constant.
#[inline(always)]
fn join<R: Number, const DIMENSIONS: usize, const SLOPED: bool>(
    a: AxisAffine<R, DIMENSIONS>,
    b: AxisAffine<R, DIMENSIONS>,
    axis: usize,
    f: R,
    w: Weight<R>,
) -> AxisAffine<R, DIMENSIONS> {
    let mut slope = [f.constant(0.0); DIMENSIONS];
    unrolled!(i in 0..DIMENSIONS => {
        if SLOPED && i < axis {
            slope[i] = lerp(a.slope[i], b.slope[i], w);
        }
    });
    let upper = f - f.constant(1.0);
    AxisAffine { slope, constant: lerp(settle::<R, DIMENSIONS, SLOPED>(a, axis, f), settle::<R, DIMENSIONS, SLOPED>(b, axis, upper), w) }
}

/// Blends two partial results along an axis.
#[inline(always)]
fn blend<R: Number, const DIMENSIONS: usize, const SLOPED: bool, const GRADIENT: bool>(
    a: Partial<R, DIMENSIONS>,
    b: Partial<R, DIMENSIONS>,
    axis: usize,
    f: R,
    w: Weight<R>,
) -> Partial<R, DIMENSIONS> {
    let function = join::<R, DIMENSIONS, SLOPED>(a.function, b.function, axis, f, w);
    if !GRADIENT {
        return Partial { function, by: a.by };
    }
    let upper = f - f.constant(1.0);
    let (va, vb) = (settle::<R, DIMENSIONS, SLOPED>(a.function, axis, f), settle::<R, DIMENSIONS, SLOPED>(b.function, axis, upper));
    let change = w.slope * (vb - va);
    let mut own = AxisAffine { slope: [f.constant(0.0); DIMENSIONS], constant: change };
    if SLOPED {
        own.constant = lerp(a.function.slope[axis], b.function.slope[axis], w) + change;
        unrolled!(i in 0..DIMENSIONS => {
            if i < axis {
                own.slope[i] = w.slope * (b.function.slope[i] - a.function.slope[i]);
            }
        });
    }
    let mut by = [own; DIMENSIONS];
    unrolled!(i in 0..DIMENSIONS => {
        if i != axis {
            by[i] = join::<R, DIMENSIONS, SLOPED>(a.by[i], b.by[i], axis, f, w);
        }
    });
    Partial { function, by }
}

/// The contribution of the lattice point with this hash.
#[inline(always)]
fn contribution<R: Lookup, const DIMENSIONS: usize, const SLOPED: bool>(h: R::Bits) -> AxisAffine<R, DIMENSIONS> {
    if SLOPED {
        return slope(h);
    }
    let constant: R = signed(h);
    AxisAffine { slope: [constant.constant(0.0); DIMENSIONS], constant }
}

/// The contributions of lattice points, by their hashes.
pub trait Contributions<R: Lookup, const DIMENSIONS: usize>: Copy {
    fn of(self, h: R::Bits) -> AxisAffine<R, DIMENSIONS>;
}

/// The contributions of value noise, or with `SLOPED` of Perlin noise.
#[derive(Clone, Copy)]
struct Hashed<const SLOPED: bool>;

impl<R: Lookup, const DIMENSIONS: usize, const SLOPED: bool> Contributions<R, DIMENSIONS> for Hashed<SLOPED> {
    #[inline(always)]
    fn of(self, h: R::Bits) -> AxisAffine<R, DIMENSIONS> {
        contribution::<R, DIMENSIONS, SLOPED>(h)
    }
}

/// A single lattice point, before any blend.
#[inline(always)]
fn unblended<R: Number, const DIMENSIONS: usize>(function: AxisAffine<R, DIMENSIONS>) -> Partial<R, DIMENSIONS> {
    let zero = function.constant.constant(0.0);
    Partial { function, by: [AxisAffine { slope: [zero; DIMENSIONS], constant: zero }; DIMENSIONS] }
}

/// The corners at one lattice coordinate along x, the cell's own or the `next` one (0 or 1), blended along all other axes.
#[inline(always)]
fn column<R: Lookup, C: Contributions<R, DIMENSIONS>, const DIMENSIONS: usize, const SLOPED: bool, const GRADIENT: bool>(
    contributions: C,
    next: usize,
    hashes: Cubic<R::Bits>,
    f: [R; DIMENSIONS],
    w: [Weight<R>; DIMENSIONS],
) -> Partial<R, DIMENSIONS> {
    let zero = f[0].constant(0.0);
    let zero = AxisAffine { slope: [zero; DIMENSIONS], constant: zero };
    let mut corners = [zero; 8];
    macro_rules! corner {
        ($($index:literal)*) => { $(corners[$index] = contributions.of(hashes.at::<DIMENSIONS>(2 * $index + next));)* };
    }
    corner!(0);
    if DIMENSIONS >= 2 {
        corner!(1);
    }
    if DIMENSIONS >= 3 {
        corner!(2 3);
    }
    if DIMENSIONS >= 4 {
        corner!(4 5 6 7);
    }
    blended::<R, DIMENSIONS, SLOPED, GRADIENT>(corners, f, w)
}

/// The corners at one lattice coordinate along x, blended along all other axes. Their index has a bit for each axis from y on.
#[inline(always)]
fn blended<R: Number, const DIMENSIONS: usize, const SLOPED: bool, const GRADIENT: bool>(
    corners: [AxisAffine<R, DIMENSIONS>; 8],
    f: [R; DIMENSIONS],
    w: [Weight<R>; DIMENSIONS],
) -> Partial<R, DIMENSIONS> {
    macro_rules! at {
        ($index:expr) => {
            unblended(corners[$index])
        };
    }
    // Unrolled by hand: the compiler vectorises the loop over lanes only if it contains no loop.
    if DIMENSIONS == 1 {
        at!(0)
    } else if DIMENSIONS == 2 {
        blend::<R, DIMENSIONS, SLOPED, GRADIENT>(at!(0), at!(1), 1, f[1], w[1])
    } else if DIMENSIONS == 4 {
        let p00 = blend::<R, DIMENSIONS, SLOPED, GRADIENT>(at!(0), at!(4), 3, f[DIMENSIONS - 1], w[DIMENSIONS - 1]);
        let p01 = blend::<R, DIMENSIONS, SLOPED, GRADIENT>(at!(2), at!(6), 3, f[DIMENSIONS - 1], w[DIMENSIONS - 1]);
        let p10 = blend::<R, DIMENSIONS, SLOPED, GRADIENT>(at!(1), at!(5), 3, f[DIMENSIONS - 1], w[DIMENSIONS - 1]);
        let p11 = blend::<R, DIMENSIONS, SLOPED, GRADIENT>(at!(3), at!(7), 3, f[DIMENSIONS - 1], w[DIMENSIONS - 1]);
        let low = blend::<R, DIMENSIONS, SLOPED, GRADIENT>(p00, p01, 2, f[2], w[2]);
        let high = blend::<R, DIMENSIONS, SLOPED, GRADIENT>(p10, p11, 2, f[2], w[2]);
        blend::<R, DIMENSIONS, SLOPED, GRADIENT>(low, high, 1, f[1], w[1])
    } else {
        let low = blend::<R, DIMENSIONS, SLOPED, GRADIENT>(at!(0), at!(2), 2, f[2], w[2]);
        let high = blend::<R, DIMENSIONS, SLOPED, GRADIENT>(at!(1), at!(3), 2, f[2], w[2]);
        blend::<R, DIMENSIONS, SLOPED, GRADIENT>(low, high, 1, f[1], w[1])
    }
}

/// Blends two columns along x.
#[inline(always)]
fn finish<R: Number, const DIMENSIONS: usize, const SLOPED: bool, const GRADIENT: bool>(
    low: Partial<R, DIMENSIONS>,
    high: Partial<R, DIMENSIONS>,
    f: R,
    w: Weight<R>,
) -> Jet<R> {
    let total = blend::<R, DIMENSIONS, SLOPED, GRADIENT>(low, high, 0, f, w);
    let mut gradient = [f.constant(0.0); 3];
    // The fourth axis does not belong to the world, so it has no gradient.
    unrolled!(axis in 0..3 => {
        if GRADIENT && axis < DIMENSIONS {
            gradient[axis] = total.by[axis].constant;
        }
    });
    Jet { value: total.function.constant, gradient }
}

/// Blends what all corners contribute: slopes with `SLOPED`, else constants.
#[inline(always)]
fn reduce<
    R: Lookup,
    C: Contributions<R, DIMENSIONS>,
    const DIMENSIONS: usize,
    const SLOPED: bool,
    const GRADIENT: bool,
    const PERIODIC: bool,
>(
    contributions: C,
    cell: [R::Bits; DIMENSIONS],
    f: [R; DIMENSIONS],
    key: HashKey<R::Bits, PERIODIC>,
    w: [Weight<R>; DIMENSIONS],
) -> Jet<R> {
    let hashes = key.corners(cell);
    let low = column::<R, C, DIMENSIONS, SLOPED, GRADIENT>(contributions, 0, hashes, f, w);
    let high = column::<R, C, DIMENSIONS, SLOPED, GRADIENT>(contributions, 1, hashes, f, w);
    finish::<R, DIMENSIONS, SLOPED, GRADIENT>(low, high, f[0], w[0])
}

/// Unit gradients reach at most √N/2, for every weight between its fraction and the nearer end's (by Jensen's inequality on the
/// distances). So slopes times this scale fill [−1, 1], reduced by 1e-5 or more for rounding.
pub const SCALES: [f64; 4] = [1.999_98, 1.4141, 1.154_69, 0.999_99];
pub const SLOPES_2: [Eight; 2] = sixteen([SCALES[1]; 2]);
pub const SLOPES_3: [Eight; 3] = permutations([SCALES[2]; 3]);

/// The slope of the point with this hash.
#[inline(always)]
fn slope<R: Lookup, const DIMENSIONS: usize>(h: R::Bits) -> AxisAffine<R, DIMENSIONS> {
    let first: R = signed(h);
    let mut slope = [first; DIMENSIONS];
    if DIMENSIONS == 1 {
        slope[0] = first * first.constant(SCALES[0]);
    } else if DIMENSIONS == 2 {
        [slope[0], slope[1]] = gradient_2(h, &SLOPES_2);
    } else if DIMENSIONS == 3 {
        [slope[0], slope[1], slope[2]] = gradient_3(h, &SLOPES_3);
    } else {
        [slope[0], slope[1], slope[2], slope[DIMENSIONS - 1]] = gradient_4(h, SCALES[3]);
    }
    AxisAffine::sloped(slope)
}

/// Value noise, or with `SLOPED` Perlin noise.
#[inline(always)]
pub fn noise<R: Lookup, const DIMENSIONS: usize, const SLOPED: bool, const GRADIENT: bool, const PERIODIC: bool>(
    cell: [R::Bits; DIMENSIONS],
    f: [R; DIMENSIONS],
    key: HashKey<R::Bits, PERIODIC>,
    w: [Weight<R>; DIMENSIONS],
) -> Jet<R> {
    reduce::<R, _, DIMENSIONS, SLOPED, GRADIENT, PERIODIC>(Hashed::<SLOPED>, cell, f, key, w)
}

/// Perlin noise with other slopes.
#[inline(always)]
pub fn sloped<R: Lookup, C: Contributions<R, DIMENSIONS>, const DIMENSIONS: usize, const GRADIENT: bool, const PERIODIC: bool>(
    contributions: C,
    cell: [R::Bits; DIMENSIONS],
    f: [R; DIMENSIONS],
    key: HashKey<R::Bits, PERIODIC>,
    w: [Weight<R>; DIMENSIONS],
) -> Jet<R> {
    reduce::<R, C, DIMENSIONS, true, GRADIENT, PERIODIC>(contributions, cell, f, key, w)
}

/// Value noise in 1D from a table of 256 numbers.
#[inline(always)]
pub fn tabled<R: Real, const PERIODIC: bool>(cell: u32, f: R, key: HashKey<u32, PERIODIC>, table: &[R], w: Weight<R>) -> Jet<R> {
    let number = |cell: u32| AxisAffine { slope: [R::of(0.0)], constant: table[(key.cell(0, cell) % 256) as usize] };
    finish::<R, 1, false, true>(unblended(number(cell)), unblended(number(cell.wrapping_add(1))), f, w)
}

/// A column of lattice points blended along all axes but x: slope and constant of the value along x, then of its derivatives along
/// the blended axes. [`noise`] computes the same first, so [`joined`] has the same bits.
pub type Column<R> = [[R; 2]; 3];

/// The lattice point with this hash: its slopes (Perlin noise), or only its value (value noise).
#[inline(always)]
pub fn point_of<R: Lookup, const DIMENSIONS: usize, const SLOPED: bool>(h: R::Bits) -> [R; 3] {
    let AxisAffine { slope, constant } = contribution::<R, DIMENSIONS, SLOPED>(h);
    let mut parts = [constant; 3];
    unrolled!(axis in 0..DIMENSIONS => {
        if SLOPED {
            parts[axis] = slope[axis];
        }
    });
    parts
}

/// The column of these lattice points. Their index has a bit for each axis from y on.
#[inline(always)]
pub fn column_of<R: Number, const DIMENSIONS: usize, const SLOPED: bool, const GRADIENT: bool>(
    points: [[R; 3]; 4],
    f: [R; DIMENSIONS],
    w: [Weight<R>; DIMENSIONS],
) -> Column<R> {
    let zero = f[0].constant(0.0);
    let mut corners = [AxisAffine { slope: [zero; DIMENSIONS], constant: zero }; 8];
    unrolled!(i in 0..4 => {
        if SLOPED {
            unrolled!(axis in 0..DIMENSIONS => {
                corners[i].slope[axis] = points[i][axis];
            });
        } else {
            corners[i].constant = points[i][0];
        }
    });
    let Partial { function, by } = blended::<R, DIMENSIONS, SLOPED, GRADIENT>(corners, f, w);
    let mut all = [[function.slope[0], function.constant], [zero; 2], [zero; 2]];
    if DIMENSIONS >= 2 {
        all[1] = [by[1].slope[0], by[1].constant];
    }
    if DIMENSIONS >= 3 {
        all[2] = [by[2].slope[0], by[2].constant];
    }
    all
}

/// An affine function along x.
#[inline(always)]
fn along_x<R: Number, const DIMENSIONS: usize>([first, constant]: [R; 2]) -> AxisAffine<R, DIMENSIONS> {
    let mut slope = [first.constant(0.0); DIMENSIONS];
    slope[0] = first;
    AxisAffine { slope, constant }
}

/// A column as a partial blend.
#[inline(always)]
fn partial<R: Number, const DIMENSIONS: usize>(column: Column<R>) -> Partial<R, DIMENSIONS> {
    let mut by = [along_x([column[0][0].constant(0.0); 2]); DIMENSIONS];
    if DIMENSIONS >= 2 {
        by[1] = along_x(column[1]);
    }
    if DIMENSIONS >= 3 {
        by[2] = along_x(column[2]);
    }
    Partial { function: along_x(column[0]), by }
}

/// The noise between two neighbouring columns, at a fraction of the distance along x.
#[inline(always)]
pub fn joined<R: Number, const DIMENSIONS: usize, const SLOPED: bool, const GRADIENT: bool>(
    low: Column<R>,
    high: Column<R>,
    f: R,
    w: Weight<R>,
) -> Jet<R> {
    finish::<R, DIMENSIONS, SLOPED, GRADIENT>(partial(low), partial(high), f, w)
}
