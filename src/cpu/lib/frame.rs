//! Twin of `shaders/lib/frame.wgsl`: transforms displacements and gradients by a frame, and converts coordinates to numbers.

use crate::cpu::lib::jet::{self, Jet, axes};
use crate::cpu::simd::Real;
use crate::cpu::simd::number::{Bits, Number};

/// The three columns of a matrix.
pub type MatrixColumns<R> = [[R; 3]; 3];

#[inline(always)]
pub fn along<R: Number>(columns: &MatrixColumns<R>, d: usize, v: [R; 3]) -> R {
    columns[0][d] * v[0] + (columns[1][d] * v[1] + columns[2][d] * v[2])
}

/// `linear · v`.
#[inline(always)]
pub fn linear<R: Number>(columns: &MatrixColumns<R>, v: [R; 3]) -> [R; 3] {
    axes(|d| along(columns, d, v))
}

/// Converts a gradient per cell to one per world unit, by the transpose of `linear`.
#[inline(always)]
pub fn gradient<R: Number>(columns: &MatrixColumns<R>, g: [R; 3]) -> [R; 3] {
    axes(|axis| {
        let column = columns[axis];
        column[0] * g[0] + (column[1] * g[1] + column[2] * g[2])
    })
}

/// Twin of `table_derivatives`: a gradient per world unit → per unit of the scope's own space.
#[inline(always)]
pub fn derivatives<R: Number>(columns: &MatrixColumns<R>, x: Jet<R>) -> [R; 3] {
    gradient(columns, x.gradient)
}

/// A cell and its fraction as one number. The halves of the cell are exact in f32. The lower half lies around 0, so that small
/// numbers keep their digits.
#[inline(always)]
pub fn number<R: Number>(cell: R::Bits, fraction: R) -> R {
    let upper = cell.plus(cell.constant(0x8000)).signed_down(16);
    let lower = cell.minus(upper << 16);
    R::of_signed(upper) * fraction.constant(65536.0) + (R::of_signed(lower) + fraction)
}

/// Twin of `table_world`: a lattice noise with its gradient per world unit, or without a gradient.
#[inline(always)]
pub fn world<R: Number, const GRADIENT: bool>(columns: &MatrixColumns<R>, noise: Jet<R>) -> Jet<R> {
    if GRADIENT { Jet { value: noise.value, gradient: gradient(columns, noise.gradient) } } else { noise }
}

/// Twin of `table_world_4`: the same with a fourth lattice coordinate, which is the first axis of a second frame.
#[inline(always)]
pub fn world_4<R: Number, const GRADIENT: bool>(columns: &MatrixColumns<R>, fourth: &MatrixColumns<R>, (value, g): (R, [R; 4])) -> Jet<R> {
    if !GRADIENT {
        return jet::constant(value);
    }
    let three = gradient(columns, [g[0], g[1], g[2]]);
    Jet { value, gradient: axes(|axis| three[axis] + fourth[axis][0] * g[3]) }
}

/// Twin of `table_fraction`.
#[inline(always)]
pub fn fraction<R: Real>(columns: &MatrixColumns<R>, fraction: R) -> Jet<R> {
    world::<R, true>(columns, Jet { value: fraction, gradient: [R::of(1.0), R::of(0.0), R::of(0.0)] })
}

/// Twin of `table_coordinate`.
#[inline(always)]
pub fn coordinate<R: Real>(columns: &MatrixColumns<R>, cell: u32, fraction: R) -> Jet<R> {
    world::<R, true>(columns, Jet { value: number(cell, fraction), gradient: [R::of(1.0), R::of(0.0), R::of(0.0)] })
}
