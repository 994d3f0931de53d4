// Interpolation between lattice points: the weight of the upper point and its slope, for a fraction t in [0, 1].
// requires: real

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

// (1 - cos πt) / 2 by polynomials in x = t - 1/2, absolute error below 2e-7.
fn interpolate_cosine(t: f32) -> vec2<f32> {
    let x = t - 0.5;
    let z = x * x;
    var s = -0.00702838646247983;
    s = s * z + 0.08205040544271469;
    s = s * z - 0.5992522239685059;
    s = s * z + 2.5501632690429688;
    s = s * z - 5.167712688446045;
    s = s * z + 3.1415927410125732;
    var c = -0.024396324530243874;
    c = c * z + 0.23493731021881104;
    c = c * z - 1.335211992263794;
    c = c * z + 4.058709144592285;
    c = c * z - 4.934802055358887;
    c = c * z + 1.0;
    return vec2<f32>(real_min(real_max(0.5 + 0.5 * (s * x), 0.0), 1.0), 1.5707963705062866 * c);
}
