//! Twin of `shaders/passes/strata.wgsl`: layers of rock, tilted and folded.

use crate::cpu::lib::hash::hash_1;
use crate::cpu::passes::gully::{long, place};
use crate::cpu::passes::stencil::{AtSample, Each, Stencil, WordEach};
use crate::cpu::simd::number::{Bits, Number, max, min};
use crate::cpu::simd::vector::SimdVector;
use crate::schedule::pass::{StrataLayers, made};

/// The numbers of layer n: the offset of its lower boundary, its hardness, and its number from 0 to 1.
#[inline(always)]
fn layer<S: Stencil>(at: S, pass: &StrataLayers<AtSample<'_, S>>, n: WordEach<S>) -> [Each<S>; 3] {
    let seed = (at.count(pass.seed_high) as u32) << 16 | at.count(pass.seed_low) as u32;
    let h = hash_1(n, at.word(seed));
    let part = at.constant(0.000_488_281_25);
    let boundary = (Each::<S>::of_signed(h >> 21) * part - at.constant(0.5)) * pass.irregular;
    let own = (Each::<S>::of_signed((h >> 10) & at.word(2047)) * part) * pass.vary;
    let even = (n & at.word(1)).equals(at.word(0));
    let hardness = pass.soft + Each::<S>::select(own, at.constant(1.0) - own, even) * pass.harder;
    [boundary, hardness, Each::<S>::of_signed(h & at.word(1023)) * at.constant(0.000_977_517_1)]
}

/// 0 well below a boundary, 1 well above it.
#[inline(always)]
fn above<N: Number>(distance: N, per_blend: N) -> N {
    let (zero, one) = (distance.constant(0.0), distance.constant(1.0));
    let t = min(max(distance * per_blend + distance.constant(0.5), zero), one);
    (t * t) * (distance.constant(3.0) - (t + t))
}

/// A number of layers, Q32.32, and a number of steps further.
#[inline(always)]
fn further<S: Stencil>(at: S, start: u64, step: u64, count: WordEach<S>) -> (WordEach<S>, WordEach<S>) {
    place(at, start, step, count)
}

#[inline(always)]
pub fn layers<S: Stencil>(at: S, pass: StrataLayers<AtSample<'_, S>>) -> made::StrataLayers<Each<S>> {
    let [zero, along_x, along_y] = [0, 4, 8].map(|k| long(pass.table, k));
    let start = at.first().map(|i| u64::from(i as u32));
    let start = zero.wrapping_add(along_y.wrapping_mul(start[1])).wrapping_add(along_x.wrapping_mul(start[0]));
    // Relative to the first of these samples, so that its products with limbs fit 32 bits.
    let (whole, part) = further(at, start, along_x, at.at()[0].minus(at.word(at.first()[0] as u32)));
    let far = at.constant(4_194_304.0);
    let flat = min(max((at.here(pass.height) - at.here(pass.fold)) * pass.per_thickness, -far), far);
    let x = flat - Each::<S>::fraction(part, at.word(0));
    let first = x.floor();
    let n = first.small_to_signed().minus(whole);
    let below = layer(at, &pass, n.plus(at.word(u32::MAX)));
    let here = layer(at, &pass, n);
    let next = layer(at, &pass, n.plus(at.word(1)));
    // No boundary is farther from its place than half a layer, so only two are near.
    let inside = x - first;
    let lower = above(inside - here[0], pass.per_blend);
    let upper = above((inside - at.constant(1.0)) - next[0], pass.per_blend);
    let one = at.constant(1.0);
    let [hardness, layer] = [1, 2].map(
        #[inline(always)]
        |k| {
            let own = below[k] * (one - lower) + here[k] * lower;
            own * (one - upper) + next[k] * upper
        },
    );
    made::StrataLayers { hardness, layer }
}
