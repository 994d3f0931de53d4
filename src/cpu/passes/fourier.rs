//! Twin of `shaders/passes/fourier.wgsl`: Fourier transforms of a square whose edge is a power of two, by Stockham's algorithm.

use crate::cpu::passes::stencil::Stencil;
use crate::cpu::simd::Real;
use crate::cpu::simd::real::select;

/// Numbers: 1 along x or 0 along y; edge; half the length of what this round makes; 1 forward, −1 back; edge divided by what this
/// round makes. The table holds cosines, then sines, of i / edge turns for i below edge / 2.
#[inline(always)]
pub fn round<R: Real>(at: impl Stencil<R>) -> [R; 2] {
    let along = at.number(0) > R::of(0.5);
    let (edge, half) = (at.count(1), at.count(2));
    let [x, y] = at.at();
    let i = select(y, x, along);
    let inside = i & (half + half - 1);
    let k = inside & (half - 1);
    let pair = ((i - inside) >> 1) + k;
    // Relative to here, where the shader counts from the first sample.
    let a = select([0, pair - y], [pair - x, 0], along);
    let further = edge >> 1;
    let b = select([a[0], a[1] + further], [a[0] + further, a[1]], along);
    let turn = (k * at.count(4)) as usize;
    let c = at.table(turn);
    let s = at.table(further as usize + turn) * at.number(3);
    let [re_a, im_a] = [0, 1].map(|plane| at.field(plane, a[0], a[1]));
    let [re_b, im_b] = [0, 1].map(|plane| at.field(plane, b[0], b[1]));
    let re = re_b * c + im_b * s;
    let im = im_b * c - re_b * s;
    let first = inside < half;
    [select(re_a - re, re_a + re, first), select(im_a - im, im_a + im, first)]
}

/// An amplitude times what the table says of its frequency; number 0: edge. The table is a quarter: the rest mirrors it.
#[inline(always)]
pub fn shape<R: Real>(at: impl Stencil<R>) -> [R; 1] {
    let edge = at.count(0);
    let half = edge >> 1;
    let [x, y] = at.at().map(|i| select(i, edge - i, i > half));
    [at.field(0, 0, 0) * at.table((y * (half + 1) + x) as usize)]
}
