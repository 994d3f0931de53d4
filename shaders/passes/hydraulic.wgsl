// Hydraulic erosion by virtual pipes (Mei, Decaudin and Hu 2007): one pipe from each sample to each of four neighbours.
// requires: real root

// 1 / x for positive x; 0 below 2^-100.
fn hydraulic_reciprocal(x: f32) -> f32 {
    let i = root_inverse(x);
    return i * i;
}

// Soil, water, flows to the west, east, north, south → those flows. Numbers: what friction leaves, gravity.
fn hydraulic_flow(at: vec2<i32>) -> vec4<f32> {
    let water = field_1(at);
    let level = field_0(at) + water;
    let w = level - (field_0(at + vec2<i32>(-1, 0)) + field_1(at + vec2<i32>(-1, 0)));
    let e = level - (field_0(at + vec2<i32>(1, 0)) + field_1(at + vec2<i32>(1, 0)));
    let n = level - (field_0(at + vec2<i32>(0, -1)) + field_1(at + vec2<i32>(0, -1)));
    let s = level - (field_0(at + vec2<i32>(0, 1)) + field_1(at + vec2<i32>(0, 1)));
    let to_w = real_max(field_2(at) * number(0u) + w * number(1u), 0.0);
    let to_e = real_max(field_3(at) * number(0u) + e * number(1u), 0.0);
    let to_n = real_max(field_4(at) * number(0u) + n * number(1u), 0.0);
    let to_s = real_max(field_5(at) * number(0u) + s * number(1u), 0.0);
    let all = (to_w + to_e) + (to_n + to_s);
    // No more than there is, and a little less, so that rounding leaves no debts.
    let share = select(1.0, (water * hydraulic_reciprocal(all)) * 0.9999, all > water * 0.9999);
    return vec4<f32>(to_w * share, to_e * share, to_n * share, to_s * share);
}

// What leaves a sample with its water: so much sediment for each depth.
fn hydraulic_load(at: vec2<i32>) -> f32 {
    return field_5(at) * hydraulic_reciprocal(field_4(at));
}

// Flows, water, sediment → sediment, carried along.
fn hydraulic_carry(at: vec2<i32>) -> f32 {
    let out = (field_0(at) + field_1(at)) + (field_2(at) + field_3(at));
    let w = field_1(at + vec2<i32>(-1, 0)) * hydraulic_load(at + vec2<i32>(-1, 0));
    let e = field_0(at + vec2<i32>(1, 0)) * hydraulic_load(at + vec2<i32>(1, 0));
    let n = field_3(at + vec2<i32>(0, -1)) * hydraulic_load(at + vec2<i32>(0, -1));
    let s = field_2(at + vec2<i32>(0, 1)) * hydraulic_load(at + vec2<i32>(0, 1));
    return (field_5(at) - out * hydraulic_load(at)) + ((w + e) + (n + s));
}

// Flows, water, mean discharge → water, mean discharge, speed in samples per iteration. Number 0: the share of one iteration.
fn hydraulic_water(at: vec2<i32>) -> vec3<f32> {
    let w = field_1(at + vec2<i32>(-1, 0));
    let e = field_0(at + vec2<i32>(1, 0));
    let n = field_3(at + vec2<i32>(0, -1));
    let s = field_2(at + vec2<i32>(0, 1));
    let before = field_4(at);
    let after = real_max((before - ((field_0(at) + field_1(at)) + (field_2(at) + field_3(at)))) + ((w + e) + (n + s)), 0.0);
    let x = 0.5 * ((w - field_0(at)) + (field_1(at) - e));
    let y = 0.5 * ((n - field_2(at)) + (field_3(at) - s));
    let discharge = root_sqrt(x * x + y * y);
    let speed = real_min(discharge * hydraulic_reciprocal(0.5 * (before + after)), 1.0);
    return vec3<f32>(after, field_5(at) + discharge * number(0u), speed);
}

// Soil, speed, hardness, rain, water, sediment → soil, water, sediment. Numbers: 1 / (2 · distance), capacity, least slope,
// dissolved share, deposited share, what evaporation leaves, rain, the depth below which water carries less.
fn hydraulic_soil(at: vec2<i32>) -> vec3<f32> {
    let x = (field_0(at + vec2<i32>(1, 0)) - field_0(at - vec2<i32>(1, 0))) * number(0u);
    let y = (field_0(at + vec2<i32>(0, 1)) - field_0(at - vec2<i32>(0, 1))) * number(0u);
    let square = x * x + y * y;
    let steep = real_max(root_sqrt(square) * root_inverse(1.0 + square), number(2u));
    let water = field_4(at);
    let full = water * hydraulic_reciprocal(water + number(7u));
    let room = ((number(1u) * steep) * field_1(at)) * full - field_5(at);
    let soft = 1.0 - real_min(real_max(field_2(at), 0.0), 1.0);
    let rate = select(number(4u), number(3u) * soft, room > 0.0);
    let taken = room * rate;
    return vec3<f32>(field_0(at) - taken, water * number(5u) + number(6u) * field_3(at), field_5(at) + taken);
}
