//! Twin of `shaders/lib/turn.wgsl`: sine and cosine of turns.

use crate::cpu::simd::number::{Bits, Number, Transcendental};

/// (sin πx, cos πx) for x in [−1/2, 1/2].
#[inline(always)]
pub fn half<R: Number>(x: R) -> (R, R) {
    let z = x * x;
    macro_rules! k {
        ($constant:expr) => {{
            let constant: f32 = $constant;
            x.constant(f64::from(constant))
        }};
    }
    let mut s = k!(-0.007_028_386_5);
    s = s * z + k!(0.082_050_405);
    s = s * z - k!(0.599_252_2);
    s = s * z + k!(2.550_163_3);
    s = s * z - k!(5.167_712_7);
    s = s * z + k!(std::f32::consts::PI);
    let mut c = k!(-0.024_396_325);
    c = c * z + k!(0.234_937_31);
    c = c * z - k!(1.335_212);
    c = c * z + k!(4.058_709);
    c = c * z - k!(4.934_802);
    c = c * z + k!(1.0);
    (s * x, c)
}

/// (sin 2πt, cos 2πt) for t in [0, 1].
#[inline(always)]
pub fn whole<R: Transcendental>(t: R) -> (R, R) {
    let (one, late) = (t.constant(1.0), t.at_least(t.constant(0.75)));
    let back = R::Bits::both(t.at_least(t.constant(0.25)), R::Bits::not(late));
    let twice = t + t;
    let (sin, cos) = R::select(R::select(twice, twice - t.constant(2.0), late), one - twice, back).sin_cos_pi();
    (sin, R::select(cos, -cos, back))
}
