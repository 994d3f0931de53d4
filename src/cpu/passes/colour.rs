//! Twin of `shaders/passes/colour.wgsl`: colour ramps, and colours of channels.

use crate::cpu::passes::stencil::{AtSample, Each, Stencil, WordEach};
use crate::cpu::simd::number::Bits;
use crate::cpu::simd::real::{max, min};
use crate::schedule::pass::{Colour, ColourChannels, made};

#[inline(always)]
pub fn ramp<S: Stencil>(at: S, Colour { value, stops, oklab, table }: Colour<AtSample<'_, S>>) -> made::Colour<Each<S>> {
    let (zero, one) = (at.constant(0.0), at.constant(1.0));
    let x = at.here(value);
    let stops = at.count(stops) as u32;
    let low = at.rank(table, 6, stops, x);
    let next = low.plus(at.word(1));
    let high = WordEach::<S>::select(low, next, next.less_than(at.word(stops))).times(6);
    let [from, p0, q0, r0, opacity0, per_way] = at.entries(table, low.times(6), [0, 1, 2, 3, 4, 5]);
    let [p1, q1, r1, opacity1] = at.entries(table, high, [1, 2, 3, 4]);
    let t = min(max((x - from) * per_way, zero), one);
    let a = one - t;
    let [p, q, r] = [p0 * a + p1 * t, q0 * a + q1 * t, r0 * a + r1 * t];
    let opacity = opacity0 * a + opacity1 * t;
    let [red, green, blue] = light(at, [p, q, r], at.count(oklab) == 1);
    made::Colour { red, green, blue, opacity }
}

#[inline(always)]
pub fn channels<S: Stencil>(at: S, pass: ColourChannels<AtSample<'_, S>>) -> made::ColourChannels<Each<S>> {
    let ColourChannels { first, second, third, oklab } = pass;
    let [red, green, blue] = light(at, [at.here(first), at.here(second), at.here(third)], at.count(oklab) == 1);
    made::ColourChannels { red, green, blue }
}

/// Linear light, not negative, from three coordinates in OKLab or in linear light.
#[inline(always)]
fn light<S: Stencil>(at: S, [p, q, r]: [Each<S>; 3], lab: bool) -> [Each<S>; 3] {
    let zero = at.constant(0.0);
    if !lab {
        return [max(p, zero), max(q, zero), max(r, zero)];
    }
    // Ottosson's OKLab: cubes of cone responses, converted to linear sRGB.
    let l = (p + at.constant(0.396_337_78) * q) + at.constant(0.215_803_76) * r;
    let m = (p - at.constant(0.105_561_346) * q) - at.constant(0.063_854_17) * r;
    let s = (p - at.constant(0.089_484_18) * q) - at.constant(1.291_485_5) * r;
    let l3 = (l * l) * l;
    let m3 = (m * m) * m;
    let s3 = (s * s) * s;
    let red = (at.constant(4.076_741_7) * l3 - at.constant(3.307_711_6) * m3) + at.constant(0.230_969_93) * s3;
    let green = (at.constant(2.609_757_4) * m3 - at.constant(1.268_438) * l3) - at.constant(0.341_319_39) * s3;
    let blue = (at.constant(1.707_614_7) * s3 - at.constant(0.004_196_086_3) * l3) - at.constant(0.703_418_6) * m3;
    [max(red, zero), max(green, zero), max(blue, zero)]
}
