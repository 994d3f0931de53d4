//! Twin of `shaders/passes/colour.wgsl`: colour ramps.

use crate::cpu::passes::stencil::Stencil;
use crate::cpu::simd::Real;
use crate::cpu::simd::real::{max, min, select};
use crate::schedule::pass::{AtSample, Colour, made};

/// A constant of the shader's, rounded as there.
#[inline(always)]
fn c<R: Real>(x: f32) -> R {
    R::of(f64::from(x))
}

#[inline(always)]
pub fn ramp<R: Real>(at: impl Stencil<R>, Colour { value, stops, oklab, table }: Colour<AtSample<'_, R>>) -> made::Colour<R> {
    let zero = R::of(0.0);
    let x = at.here(value);
    let stops = stops.to_i32() as usize;
    let mut low = 0;
    for i in 1..stops {
        if table[6 * i] <= x {
            low = i;
        }
    }
    let high = if low + 1 < stops { low + 1 } else { low };
    let t = min(max((x - table[6 * low]) * table[6 * low + 5], zero), R::of(1.0));
    let a = R::of(1.0) - t;
    let [p, q, r, opacity] = [1, 2, 3, 4].map(|k| table[6 * low + k] * a + table[6 * high + k] * t);
    // Ottosson's OKLab: cubes of cone responses, then linear sRGB.
    let l = (p + c::<R>(0.396_337_78) * q) + c::<R>(0.215_803_76) * r;
    let m = (p - c::<R>(0.105_561_346) * q) - c::<R>(0.063_854_17) * r;
    let s = (p - c::<R>(0.089_484_18) * q) - c::<R>(1.291_485_5) * r;
    let l3 = (l * l) * l;
    let m3 = (m * m) * m;
    let s3 = (s * s) * s;
    let red = (c::<R>(4.076_741_7) * l3 - c::<R>(3.307_711_6) * m3) + c::<R>(0.230_969_93) * s3;
    let green = (c::<R>(2.609_757_4) * m3 - c::<R>(1.268_438) * l3) - c::<R>(0.341_319_39) * s3;
    let blue = (c::<R>(1.707_614_7) * s3 - c::<R>(0.004_196_086_3) * l3) - c::<R>(0.703_418_6) * m3;
    let lab = oklab > R::of(0.5);
    made::Colour {
        red: max(select(p, red, lab), zero),
        green: max(select(q, green, lab), zero),
        blue: max(select(r, blue, lab), zero),
        opacity,
    }
}
