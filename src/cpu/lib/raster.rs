//! Twin of `shaders/lib/raster.wgsl`: values on a grid, looked up at a cell and the fraction to the next one along both axes.

use crate::cpu::lib::jet::{Jet, constant};
use crate::cpu::simd::Real;
use crate::cpu::simd::real::select;
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
struct AxisLookup<R> {
    cell: i32,
    fraction: R,
    inside: bool,
}

fn along<R: Real>(outside: Outside, cell: i32, fraction: R, count: i32) -> AxisLookup<R> {
    let (before, last) = (cell < 0, count - 1);
    let beyond = cell > last || (cell == last && fraction > R::of(0.0));
    if matches!(outside, Outside::Clamp | Outside::Constant) && (before || beyond) {
        return AxisLookup { cell: if before { 0 } else { last }, fraction: R::of(0.0), inside: false };
    }
    AxisLookup { cell, fraction, inside: !(before || beyond) }
}

/// The index inside the raster that represents one outside: repeated or mirrored.
fn within(outside: Outside, i: i32, count: i32) -> i32 {
    if outside == Outside::Repeat {
        return i.rem_euclid(count);
    }
    let period = (2 * (count - 1)).max(1);
    let within = i.rem_euclid(period);
    within.min(period - within)
}

impl<R: Real> RasterLookup<'_, R> {
    /// The columns or rows that represent `N` neighbours, counted from `first`.
    fn neighbours<const N: usize>(&self, axis: usize, first: i32) -> [usize; N] {
        std::array::from_fn(|i| within(self.outside, first + i as i32, self.surface.size[axis] as i32) as usize)
    }

    fn height(&self, column: usize, row: usize) -> R {
        R::of(f64::from(self.surface.values[row * self.surface.size[0] as usize + column]))
    }

    /// The looked-up value, or outside the fill value without a slope. A clamped axis has no slope outside, either.
    fn found(&self, x: AxisLookup<R>, y: AxisLookup<R>, inner: Jet<R>) -> Jet<R> {
        let filled = self.outside == Outside::Constant && !(x.inside && y.inside);
        let held = self.outside == Outside::Clamp;
        let flat = [filled || (held && !x.inside), filled || (held && !y.inside)];
        let slope = |axis: usize| select(inner.gradient[axis], R::of(0.0), flat[axis]);
        Jet { value: select(inner.value, self.fill, filled), gradient: [slope(0), slope(1), R::of(0.0)] }
    }
}

/// The value and its gradient per cell.
pub fn raster<R: Real>(place: RasterLookup<'_, R>, cell: [i32; 2], fraction: [R; 2]) -> Jet<R> {
    let [columns, rows] = place.surface.size.map(|edge| edge as i32);
    let x = along(place.outside, cell[0], fraction[0], columns);
    let y = along(place.outside, cell[1], fraction[1], rows);
    let inner = match place.sampling {
        Sampling::Nearest => nearest(&place, x, y),
        Sampling::Linear => linear(&place, x, y),
        Sampling::Cubic => cubic(&place, x, y),
    };
    place.found(x, y, inner)
}

fn nearest<R: Real>(place: &RasterLookup<'_, R>, x: AxisLookup<R>, y: AxisLookup<R>) -> Jet<R> {
    let half = R::of(0.5);
    let [column] = place.neighbours(0, x.cell + i32::from(x.fraction >= half));
    let [row] = place.neighbours(1, y.cell + i32::from(y.fraction >= half));
    constant(place.height(column, row))
}

fn linear<R: Real>(place: &RasterLookup<'_, R>, x: AxisLookup<R>, y: AxisLookup<R>) -> Jet<R> {
    let ([left, right], [above, below]) = (place.neighbours(0, x.cell), place.neighbours(1, y.cell));
    let (a, b) = (place.height(left, above), place.height(right, above));
    let (c, d) = (place.height(left, below), place.height(right, below));
    let near = a + x.fraction * (b - a);
    let far = c + x.fraction * (d - c);
    let slope = (b - a) + y.fraction * ((d - c) - (b - a));
    Jet { value: near + y.fraction * (far - near), gradient: [slope, far - near, R::of(0.0)] }
}

/// The four weights of a cubic B-spline at a fraction.
fn weights<R: Real>(f: R) -> [R; 4] {
    let g = R::of(1.0) - f;
    let (three, four, six) = (R::of(3.0), R::of(4.0), R::of(6.0));
    let sixth = R::of(1.0 / 6.0);
    let first = (g * (g * g)) * sixth;
    let last = (f * (f * f)) * sixth;
    let second = (four - (f * f) * (six - three * f)) * sixth;
    let third = (four - (g * g) * (six - three * g)) * sixth;
    [first, second, third, last]
}

/// The derivatives of the weights.
fn slopes<R: Real>(f: R) -> [R; 4] {
    let (one, half, two) = (R::of(1.0), R::of(0.5), R::of(2.0));
    let steep = R::of(1.5);
    let g = one - f;
    [-half * (g * g), f * (steep * f - two), g * (two - steep * g), half * (f * f)]
}

fn sum<R: Real>(four: [R; 4], weights: [R; 4]) -> R {
    (four[0] * weights[0] + four[1] * weights[1]) + (four[2] * weights[2] + four[3] * weights[3])
}

fn cubic<R: Real>(place: &RasterLookup<'_, R>, x: AxisLookup<R>, y: AxisLookup<R>) -> Jet<R> {
    let (columns, rows): ([usize; 4], [usize; 4]) = (place.neighbours(0, x.cell - 1), place.neighbours(1, y.cell - 1));
    let rows = rows.map(|row| columns.map(|column| place.height(column, row)));
    let (across, rises, down) = (weights(x.fraction), slopes(x.fraction), weights(y.fraction));
    let values = rows.map(|row| sum(row, across));
    let along = rows.map(|row| sum(row, rises));
    Jet { value: sum(values, down), gradient: [sum(along, down), sum(values, slopes(y.fraction)), R::of(0.0)] }
}
