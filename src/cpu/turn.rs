//! Twin of `shaders/lib/turn.wgsl`: sine and cosine of turns.

use super::real::{Real, select};

/// (sin πx, cos πx) for x in [−1/2, 1/2].
#[inline(always)]
pub fn half(x: f32) -> (f32, f32) {
    let z = x * x;
    let mut s = -0.007_028_386_5_f32;
    s = s * z + 0.082_050_405;
    s = s * z - 0.599_252_2;
    s = s * z + 2.550_163_3;
    s = s * z - 5.167_712_7;
    s = s * z + std::f32::consts::PI;
    let mut c = -0.024_396_325_f32;
    c = c * z + 0.234_937_31;
    c = c * z - 1.335_212;
    c = c * z + 4.058_709;
    c = c * z - 4.934_802;
    c = c * z + 1.0;
    (s * x, c)
}

/// (sin 2πt, cos 2πt) for t in [0, 1].
#[inline(always)]
pub fn whole<R: Real>(t: R) -> (R, R) {
    let twice = t + t;
    let back = t >= R::of(0.25) && t < R::of(0.75);
    let (sin, cos) = select(select(twice, twice - R::of(2.0), t >= R::of(0.75)), R::of(1.0) - twice, back).half_turns();
    (sin, select(cos, -cos, back))
}
