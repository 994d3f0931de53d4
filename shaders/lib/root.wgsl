// Square roots by Newton's method; the built-in one need not be exact.
// requires: real

// Below this a number counts as 0: 2^-100.
const ROOT_SMALLEST: f32 = 7.888609052210118e-31;

// 1 / sqrt(x) for normal x, relative error below 2e-7; x below 2^-100 gives 2^50.
fn root_inverse(x: f32) -> f32 {
    let held = real_max(x, ROOT_SMALLEST);
    let half = 0.5 * held;
    // Halving the exponent's bits is a first guess, off by 3.5 %; each step squares that.
    var y = bitcast<f32>(0x5f3759dfu - (bitcast<u32>(held) >> 1u));
    y = y * (1.5 - (half * y) * y);
    y = y * (1.5 - (half * y) * y);
    y = y * (1.5 - (half * y) * y);
    return y;
}

// sqrt(x) for x of 0 or more, within an ulp or two; x below 2^-100 gives 0.
fn root_sqrt(x: f32) -> f32 {
    let y = root_inverse(x);
    let s = x * y;
    return select(s + (0.5 * y) * (x - s * s), 0.0, x < ROOT_SMALLEST);
}
