// Interpolation between lattice points: the weight of the upper point and its slope, for a fraction t in [0, 1].
// requires: real turn

fn interpolate_truncated(t: f32) -> vec2<f32> {
    return vec2<f32>(0.0, 0.0);
}

fn interpolate_linear(t: f32) -> vec2<f32> {
    return vec2<f32>(t, 1.0);
}

// Perlin 1985: 3t² - 2t³.
fn interpolate_cubic(t: f32) -> vec2<f32> {
    return vec2<f32>(t * t * (3.0 - 2.0 * t), 6.0 * t * (1.0 - t));
}

// Perlin 2002: 6t⁵ - 15t⁴ + 10t³.
fn interpolate_quintic(t: f32) -> vec2<f32> {
    let q = t * (t - 1.0);
    return vec2<f32>(t * t * t * (t * (t * 6.0 - 15.0) + 10.0), 30.0 * (q * q));
}

// (1 - cos πt) / 2.
fn interpolate_cosine(t: f32) -> vec2<f32> {
    let half = turn_half(t - 0.5);
    return vec2<f32>(real_min(real_max(0.5 + 0.5 * half.x, 0.0), 1.0), 1.5707963705062866 * half.y);
}
