//! Twin of `shaders/lib/raster.wgsl`: values on a grid, looked up at a cell and the fraction to the next one along both axes.

use crate::cpu::lib::jet::{Jet, constant};
use crate::cpu::simd::number::{Bits, Number};
use crate::cpu::simd::permute::Lookup;
use crate::cpu::simd::{Real, unrolled};
use crate::program::{Outside, Sampling};
use crate::raster::Surface;

/// A raster, and the parameters of the lookup.
#[derive(Clone, Copy)]
pub struct RasterLookup<'a, R> {
    pub surface: &'a Surface,
    pub sampling: Sampling,
    pub outside: Outside,
    pub fill: R,
}

/// A coordinate along one axis, moved into the raster unless the outside has its own value.
#[derive(Clone, Copy)]
struct AxisLookup<V: Number> {
    cell: V::Bits,
    fraction: V,
    outside: V::Mask,
}

#[inline(always)]
fn along<V: Number>(outside: Outside, cell: V::Bits, fraction: V, count: u32) -> AxisLookup<V> {
    let (zero, last) = (fraction.constant(0.0), cell.constant(count - 1));
    // As an unsigned number, a cell before the first lies beyond the last.
    let between = V::Bits::both(cell.equals(last), zero.less_than(fraction));
    let beyond = V::Bits::either(last.less_than(cell), between);
    if matches!(outside, Outside::Clamp | Outside::Constant) {
        let end = V::Bits::select(last, cell.constant(0), cell.bit(31));
        return AxisLookup { cell: V::Bits::select(cell, end, beyond), fraction: V::select(fraction, zero, beyond), outside: beyond };
    }
    AxisLookup { cell, fraction, outside: beyond }
}

/// The columns or rows that represent `N` neighbours, counted from `first`: repeated or mirrored.
#[inline(always)]
fn within<B: Bits, const N: usize>(outside: Outside, first: B, count: u32) -> [B; N] {
    let repeats = outside == Outside::Repeat;
    let period = if repeats { count } else { (2 * (count - 1)).max(1) };
    let mut all = [first; N];
    let mut i = first.minus(first.laps(period as i32).times(period));
    for k in 0..N {
        let back = i.constant(period).minus(i);
        all[k] = if repeats { i } else { B::select(i, back, back.less_than(i)) };
        let next = i.plus(i.constant(1));
        i = B::select(next, i.constant(0), next.equals(i.constant(period)));
    }
    all
}

impl<R: Real> RasterLookup<'_, R> {
    /// The heights of `N` rows of `N` neighbours, counted from `first`. `INDICES` is 2 N, and `COUNT` is N².
    #[inline(always)]
    fn heights<V: Lookup<Entry = R>, const N: usize, const INDICES: usize, const COUNT: usize>(&self, first: [V::Bits; 2]) -> [V; COUNT] {
        const { assert!(2 * N == INDICES && N * N == COUNT) };
        let Surface { values, size, .. } = self.surface;
        let width = size[0] as usize;
        let [x, y] = first;
        // The first neighbours of which all are inside.
        let last = |axis: usize| x.constant((size[axis] + 1).saturating_sub(N as u32));
        let inside = V::Bits::both(x.less_than(last(0)), y.less_than(last(1)));
        if !V::Bits::any(V::Bits::not(inside)) {
            return V::found(
                first,
                #[inline(always)]
                |[x, y]| {
                    let mut all = [R::default(); COUNT];
                    for row in 0..N {
                        let found = &values[(y as usize + row) * width + x as usize..][..N];
                        for column in 0..N {
                            all[row * N + column] = R::exactly(found[column]);
                        }
                    }
                    all
                },
            );
        }
        let (columns, rows) = (within::<_, N>(self.outside, x, size[0]), within::<_, N>(self.outside, y, size[1]));
        let mut indices = [x; INDICES];
        unrolled!(k in 0..N => (indices[k], indices[N + k]) = (columns[k], rows[k]));
        V::found(
            indices,
            #[inline(always)]
            |at| {
                let mut all = [R::default(); COUNT];
                for row in 0..N {
                    for column in 0..N {
                        all[row * N + column] = R::exactly(values[at[N + row] as usize * width + at[column] as usize]);
                    }
                }
                all
            },
        )
    }

    /// The looked-up value, or outside the fill value without a slope. A clamped axis has no slope outside, either.
    #[inline(always)]
    fn placed<V: Lookup<Entry = R>>(&self, x: AxisLookup<V>, y: AxisLookup<V>, inner: Jet<V>) -> Jet<V> {
        let Jet { mut value, gradient: [mut a, mut b, zero] } = inner;
        match self.outside {
            Outside::Clamp => {
                a = V::select(a, zero, x.outside);
                b = V::select(b, zero, y.outside);
            }
            Outside::Constant => {
                let filled = V::Bits::either(x.outside, y.outside);
                value = V::select(value, value.constant(self.fill.wide()), filled);
                a = V::select(a, zero, filled);
                b = V::select(b, zero, filled);
            }
            Outside::Repeat | Outside::Mirror => {}
        }
        Jet { value, gradient: [a, b, zero] }
    }
}

/// The value and its gradient per cell.
// A browser's module has this code once.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
#[cfg_attr(target_family = "wasm", inline(never))]
pub fn raster<R: Real, V: Lookup<Entry = R>>(place: RasterLookup<'_, R>, cell: [V::Bits; 2], fraction: [V; 2]) -> Jet<V> {
    let [columns, rows] = place.surface.size;
    let x = along(place.outside, cell[0], fraction[0], columns);
    let y = along(place.outside, cell[1], fraction[1], rows);
    let inner = match place.sampling {
        Sampling::Nearest => nearest(&place, x, y),
        Sampling::Linear => linear(&place, x, y),
        Sampling::Cubic => cubic(&place, x, y),
    };
    place.placed(x, y, inner)
}

#[inline(always)]
fn nearest<R: Real, V: Lookup<Entry = R>>(place: &RasterLookup<'_, R>, x: AxisLookup<V>, y: AxisLookup<V>) -> Jet<V> {
    let half = x.fraction.constant(0.5);
    let step = |at: AxisLookup<V>| V::Bits::select(at.cell, at.cell.plus(at.cell.constant(1)), at.fraction.at_least(half));
    let [value] = place.heights::<V, 1, 2, 1>([step(x), step(y)]);
    constant(value)
}

#[inline(always)]
fn linear<R: Real, V: Lookup<Entry = R>>(place: &RasterLookup<'_, R>, x: AxisLookup<V>, y: AxisLookup<V>) -> Jet<V> {
    let [a, b, c, d] = place.heights::<V, 2, 4, 4>([x.cell, y.cell]);
    let near = a + x.fraction * (b - a);
    let far = c + x.fraction * (d - c);
    let slope = (b - a) + y.fraction * ((d - c) - (b - a));
    Jet { value: near + y.fraction * (far - near), gradient: [slope, far - near, near.constant(0.0)] }
}

/// The four weights of a cubic B-spline at a fraction.
#[inline(always)]
fn weights<V: Number>(f: V) -> [V; 4] {
    let g = f.constant(1.0) - f;
    let (three, four, six) = (f.constant(3.0), f.constant(4.0), f.constant(6.0));
    let sixth = f.constant(1.0 / 6.0);
    let first = (g * (g * g)) * sixth;
    let last = (f * (f * f)) * sixth;
    let second = (four - (f * f) * (six - three * f)) * sixth;
    let third = (four - (g * g) * (six - three * g)) * sixth;
    [first, second, third, last]
}

/// The derivatives of the weights.
#[inline(always)]
fn slopes<V: Number>(f: V) -> [V; 4] {
    let (one, half, two) = (f.constant(1.0), f.constant(0.5), f.constant(2.0));
    let steep = f.constant(1.5);
    let g = one - f;
    [-half * (g * g), f * (steep * f - two), g * (two - steep * g), half * (f * f)]
}

#[inline(always)]
fn sum<V: Number>(four: [V; 4], weights: [V; 4]) -> V {
    (four[0] * weights[0] + four[1] * weights[1]) + (four[2] * weights[2] + four[3] * weights[3])
}

#[inline(always)]
fn cubic<R: Real, V: Lookup<Entry = R>>(place: &RasterLookup<'_, R>, x: AxisLookup<V>, y: AxisLookup<V>) -> Jet<V> {
    let before = |cell: V::Bits| cell.minus(cell.constant(1));
    let all = place.heights::<V, 4, 8, 16>([before(x.cell), before(y.cell)]);
    let (across, rises, down) = (weights(x.fraction), slopes(x.fraction), weights(y.fraction));
    let zero = x.fraction.constant(0.0);
    let (mut values, mut along) = ([zero; 4], [zero; 4]);
    for row in 0..4 {
        let four = [all[4 * row], all[4 * row + 1], all[4 * row + 2], all[4 * row + 3]];
        (values[row], along[row]) = (sum(four, across), sum(four, rises));
    }
    Jet { value: sum(values, down), gradient: [sum(along, down), sum(values, slopes(y.fraction)), zero] }
}
