//! Twin of `shaders/passes/fourier.wgsl`: Fourier transforms of a square whose edge is a power of two, by Stockham's algorithm.

use crate::cpu::passes::stencil::Stencil;
use crate::cpu::simd::Real;
use crate::cpu::simd::real::select;
use crate::schedule::pass::{AtSample, Fourier, Spectrum, made};

#[inline(always)]
pub fn round<R: Real>(at: impl Stencil<R>, pass: Fourier<AtSample<'_, R>>) -> made::Fourier<R> {
    let Fourier { re, im, along_x, edge, half, direction, stride, table } = pass;
    let along = along_x > R::of(0.5);
    let (edge, half) = (edge.to_i32(), half.to_i32());
    let [x, y] = at.at();
    let i = select(y, x, along);
    let inside = i & (half + half - 1);
    let k = inside & (half - 1);
    let pair = ((i - inside) >> 1) + k;
    // Relative to here, where the shader counts from the first sample.
    let a = select([0, pair - y], [pair - x, 0], along);
    let further = edge >> 1;
    let b = select([a[0], a[1] + further], [a[0] + further, a[1]], along);
    let turn = (k * stride.to_i32()) as usize;
    let c = table[turn];
    let s = table[further as usize + turn] * direction;
    let [re_a, im_a] = [re, im].map(|plane| at.field(plane, a[0], a[1]));
    let [re_b, im_b] = [re, im].map(|plane| at.field(plane, b[0], b[1]));
    let re = re_b * c + im_b * s;
    let im = im_b * c - re_b * s;
    let first = inside < half;
    made::Fourier { re: select(re_a - re, re_a + re, first), im: select(im_a - im, im_a + im, first) }
}

/// An amplitude times what the table says of its frequency.
#[inline(always)]
pub fn shape<R: Real>(at: impl Stencil<R>, Spectrum { value, edge, table }: Spectrum<AtSample<'_, R>>) -> [R; 1] {
    let edge = edge.to_i32();
    let half = edge >> 1;
    let [x, y] = at.at().map(|i| select(i, edge - i, i > half));
    [at.here(value) * table[(y * (half + 1) + x) as usize]]
}
