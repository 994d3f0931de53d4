//! Twin of `shaders/passes/fourier.wgsl`: Fourier transforms of a square whose edge is a power of two, by Stockham's algorithm.

use crate::cpu::passes::stencil::{AtSample, Each, Stencil, WordEach};
use crate::cpu::simd::number::{Bits, Number};
use crate::schedule::pass::{Fourier, Spectrum, made};

#[inline(always)]
pub fn round<S: Stencil>(at: S, pass: Fourier<AtSample<'_, S>>) -> made::Fourier<Each<S>> {
    let Fourier { re, im, along_x, edge, half, direction, table } = pass;
    let along = at.count(along_x) == 1;
    let (edge, half) = (at.count(edge) as u32, at.count(half) as u32);
    let [x, y] = at.at();
    let i = if along { x } else { y };
    let inside = i & at.word(half + half - 1);
    let k = inside & at.word(half - 1);
    let pair = (i.minus(inside) >> 1).plus(k);
    // Relative to here, where the shader counts from the first sample.
    let first = pair.minus(i);
    let second = first.plus(at.word(edge >> 1));
    let turn = k.plus(at.word(half - 1));
    let none = at.word(0);
    let sines = edge as usize - 1;
    let [c, s] = if along {
        at.entries(table, turn, [0, sines])
    } else {
        // The same in a whole row.
        let turn = at.first_of(turn) as usize;
        [at.number(table[turn]), at.number(table[turn + sines])]
    };
    let s = s * direction;
    let (a, b) = if along { ([first, none], [second, none]) } else { ([none, first], [none, second]) };
    let [re_a, im_a] = at.fields([re, im], a[0], a[1]);
    let [re_b, im_b] = at.fields([re, im], b[0], b[1]);
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
