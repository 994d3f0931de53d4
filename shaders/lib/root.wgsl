// Square roots by exponent bits and Newton's method; the built-in ones differ from driver to driver.

// An estimate of 1/√x for positive normal x: halving the bits halves the exponent, two steps of Newton's method leave an error of 5e-6.
fn root_estimate(x: f32) -> f32 {
    let half = 0.5 * x;
    let a = bitcast<f32>(0x5f3759dfu - (bitcast<u32>(x) >> 1u));
    let b = a * (1.5 - (half * a) * a);
    return b * (1.5 - (half * b) * b);
}

// √x within 1 ulp; 0 below 2^-100.
fn root_sqrt(x: f32) -> f32 {
    let y = root_estimate(x);
    let s = x * y;
    return select(s + (0.5 * y) * (x - s * s), 0.0, x < 7.888609052210118e-31);
}

// 1/√x, relative error below 2e-7; 0 below 2^-100.
fn root_inverse(x: f32) -> f32 {
    let y = root_estimate(x);
    return select(y * (1.5 - ((0.5 * x) * y) * y), 0.0, x < 7.888609052210118e-31);
}
