// Texels: a jet as four numbers, rounded to what a texture's format holds, so that storing them rounds nothing.
// requires: jet real root

// The value in the first channel; grey where there are more.
fn texel_value(x: Jet, scale: f32, offset: f32) -> vec4<f32> {
    let value = x.value * scale + offset;
    return vec4<f32>(value, value, value, 1.0);
}

// Values one in each channel, the first `count` of four. The fourth channel is 1 without a value, others are 0.
fn texel_several(values: vec4<f32>, count: u32, scale: f32, offset: f32) -> vec4<f32> {
    let all = values * scale + vec4<f32>(offset);
    return vec4<f32>(
        all.x,
        select(0.0, all.y, count > 1u),
        select(0.0, all.z, count > 2u),
        select(1.0, all.w, count > 3u),
    );
}

fn texel_gradient(x: Jet, scale: f32) -> vec4<f32> {
    return vec4<f32>(x.gradient * scale, 0.0);
}

fn texel_jet(x: Jet, scale: f32, offset: f32) -> vec4<f32> {
    return vec4<f32>(x.value * scale + offset, x.gradient * scale);
}

// The unit normal of the surface whose height over the x-y plane is the value times `strength`.
fn texel_normal(x: Jet, strength: f32) -> vec4<f32> {
    let slope = x.gradient.xy * strength;
    let inverse = root_inverse(1.0 + (slope.x * slope.x + slope.y * slope.y));
    return vec4<f32>(-slope.x * inverse, -slope.y * inverse, inverse, 1.0);
}

// The channels of a layer, the last as it is.
fn texel_channels(x: vec4<f32>, scale: f32, offset: f32) -> vec4<f32> {
    return vec4<f32>(x.xyz * scale + vec3<f32>(offset), x.w);
}

// Numbers from -1 to 1 → 0 to 1, except the last.
fn texel_biased(x: vec4<f32>) -> vec4<f32> {
    return vec4<f32>(x.xyz * 0.5 + vec3<f32>(0.5), x.w);
}

fn texel_single(x: vec4<f32>) -> vec4<f32> {
    return vec4<f32>(real_unsigned_zero(x.x), real_unsigned_zero(x.y), real_unsigned_zero(x.z), real_unsigned_zero(x.w));
}

// The nearest of the numbers k / levels from 0 to 1.
fn texel_unorm(x: vec4<f32>, levels: f32, inverse: f32) -> vec4<f32> {
    let held = vec4<f32>(
        real_min(real_max(x.x, 0.0), 1.0),
        real_min(real_max(x.y, 0.0), 1.0),
        real_min(real_max(x.z, 0.0), 1.0),
        real_min(real_max(x.w, 0.0), 1.0),
    );
    return floor(held * levels + vec4<f32>(0.5)) * inverse;
}

// The nearest numbers that 16 bits hold.
fn texel_half(x: vec4<f32>) -> vec4<f32> {
    return vec4<f32>(texel_half_of(x.x), texel_half_of(x.y), texel_half_of(x.z), texel_half_of(x.w));
}

// Ties go to the even one of two; below 2^-14, where 16 bits hold multiples of 2^-24, to the larger. At most 65504.
fn texel_half_of(x: f32) -> f32 {
    let held = real_min(real_max(x, -65504.0), 65504.0);
    let bits = bitcast<u32>(held);
    let rounded = bitcast<f32>((bits + 0xfffu + ((bits >> 13u) & 1u)) & 0xffffe000u);
    let small = floor(held * 16777216.0 + 0.5) * 5.9604644775390625e-8;
    return real_unsigned_zero(select(rounded, small, abs(held) < 6.103515625e-5));
}
