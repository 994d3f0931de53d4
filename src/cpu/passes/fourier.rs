//! Twin of `shaders/passes/fourier.wgsl`: Fourier transforms of a square whose edge is a power of two, by Stockham's algorithm.

use crate::cpu::passes::stencil::{AtSample, Each, Stencil, WordEach};
use crate::cpu::simd::number::{Bits, Number};
use crate::schedule::pass::{Fourier, Spectrum, made};

/// Where an index lies inside what a round makes, which of the round's turns it takes, and where the first of the two samples lies that it is made of.
#[inline(always)]
fn place<B: Bits>(i: B, half: u32) -> (B, B, B) {
    let inside = i & i.constant(half + half - 1);
    let k = inside & i.constant(half - 1);
    (inside, k, (i.minus(inside) >> 1).plus(k))
}

#[inline(always)]
pub fn round<S: Stencil>(at: S, pass: Fourier<AtSample<'_, S>>) -> made::Fourier<Each<S>> {
    let Fourier { re, im, along_x, edge, half, direction, table } = pass;
    let (along, edge, half) = (at.count(along_x) == 1, at.count(edge) as u32, at.count(half) as u32);
    let sines = edge as usize - 1;
    let ([a, b], [c, s], inside) = if along {
        let [i, _] = at.at();
        let (inside, k, pair) = place(i, half);
        // Relative to here, where the shader counts from the first sample.
        let found = at.fields([re, im], [pair.minus(i), at.word(0)], [[0, 0], [edge >> 1, 0]]);
        (found, at.entries(table, k.plus(at.word(half - 1)), [0, sines]), inside)
    } else {
        // All the same in a whole row.
        let i = at.first()[1] as u32;
        let (inside, k, pair) = place(i, half);
        let way = pair as i32 - i as i32;
        let turn = (half - 1 + k) as usize;
        let second = way + (edge >> 1) as i32;
        let found = [[at.field(re, 0, way), at.field(im, 0, way)], [at.field(re, 0, second), at.field(im, 0, second)]];
        (found, [at.number(table[turn]), at.number(table[turn + sines])], at.word(inside))
    };
    let ([re_a, im_a], [re_b, im_b]) = (a, b);
    let s = s * direction;
    let re = re_b * c + im_b * s;
    let im = im_b * c - re_b * s;
    let upper = inside.less_than(at.word(half));
    made::Fourier { re: Each::<S>::select(re_a - re, re_a + re, upper), im: Each::<S>::select(im_a - im, im_a + im, upper) }
}

/// An amplitude times what the table says of its frequency.
#[inline(always)]
pub fn shape<S: Stencil>(at: S, Spectrum { value, edge, table }: Spectrum<AtSample<'_, S>>) -> [Each<S>; 1] {
    let edge = at.count(edge) as u32;
    let [x, y] = at.at();
    let mirrored = WordEach::<S>::select(y, at.word(edge).minus(y), at.word(edge >> 1).less_than(y));
    [at.here(value) * at.lookup(table, mirrored.times(edge).plus(x))]
}
