//! Twin of `shaders/passes/fourier.wgsl`: Fourier transforms of a square whose edge is a power of two, by Stockham's algorithm.

use crate::cpu::passes::stencil::{AtSample, Each, Stencil, WordEach};
use crate::cpu::simd::number::{Bits, Number};
use crate::cpu::simd::vector::SimdVector;
use crate::schedule::pass::{Fourier, Spectrum, made};

/// For an index: its position in its group, its twiddle factor, and the index of the first of its two inputs.
#[inline(always)]
fn place<B: Bits>(i: B, half: u32) -> (B, B, B) {
    let inside = i & i.constant(half + half - 1);
    let k = inside & i.constant(half - 1);
    (inside, k, (i.minus(inside) >> 1).plus(k))
}

/// A sample times a twiddle factor.
#[inline(always)]
fn turned<R: Number>([re, im]: [R; 2], [c, s]: [R; 2]) -> [R; 2] {
    [re * c + im * s, im * c - re * s]
}

#[inline(always)]
pub fn round<S: Stencil>(at: S, pass: Fourier<AtSample<'_, S>>) -> made::Fourier<Each<S>> {
    let Fourier { re, im, along_x, edge, half, direction, table } = pass;
    let (along, edge, half) = (at.count(along_x) == 1, at.count(edge) as u32, at.count(half) as u32);
    let (sines, further) = (edge as usize - 1, edge >> 1);
    let (i, width) = (at.first()[usize::from(!along)] as u32, Each::<S>::WIDTH as u32);
    if along && (half < width || !i.is_multiple_of(width)) {
        let [i, _] = at.at();
        let (inside, k, pair) = place(i, half);
        // Relative to this sample; the shader counts from the first sample.
        let [[re_a, im_a], b] = at.fields([re, im], [pair.minus(i), at.word(0)], [[0, 0], [further, 0]]);
        let [c, s] = at.entries(table, k.plus(at.word(half - 1)), [0, sines]);
        let ([re, im], first) = (turned(b, [c, s * direction]), inside.less_than(at.word(half)));
        return made::Fourier { re: Each::<S>::select(re_a - re, re_a + re, first), im: Each::<S>::select(im_a - im, im_a + im, first) };
    }
    // Along columns, the samples of a vector have the same twiddle factor; along rows, factors are adjacent. The inputs lie in one
    // direction.
    let (inside, k, pair) = place(i, half);
    let (turn, way) = ((half - 1 + k) as usize, pair as i32 - i as i32);
    let far = way + further as i32;
    let ([ax, bx], [ay, by]) = if along { ([way, far], [0; 2]) } else { ([0; 2], [way, far]) };
    let ([re_a, im_a], b) = ([at.field(re, ax, ay), at.field(im, ax, ay)], [at.field(re, bx, by), at.field(im, bx, by)]);
    let [c, s] = if along {
        [Each::<S>::load(at.token(), table, turn), Each::<S>::load(at.token(), table, turn + sines)]
    } else {
        [at.number(table[turn]), at.number(table[turn + sines])]
    };
    let [re, im] = turned(b, [c, s * direction]);
    if inside < half { made::Fourier { re: re_a + re, im: im_a + im } } else { made::Fourier { re: re_a - re, im: im_a - im } }
}

/// An amplitude times the table's value for its frequency.
#[inline(always)]
pub fn shape<S: Stencil>(at: S, Spectrum { value, edge, table }: Spectrum<AtSample<'_, S>>) -> [Each<S>; 1] {
    let edge = at.count(edge) as u32;
    let [x, y] = at.at();
    let mirrored = WordEach::<S>::select(y, at.word(edge).minus(y), at.word(edge >> 1).less_than(y));
    [at.here(value) * at.lookup(table, mirrored.times(edge).plus(x))]
}
