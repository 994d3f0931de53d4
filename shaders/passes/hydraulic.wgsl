// Hydraulic erosion by virtual pipes (Mei, Decaudin and Hu 2007): one pipe from each sample to each of four neighbours.
// requires: real root

// 1 / x for positive x; 0 below 2^-100.
fn hydraulic_reciprocal(x: f32) -> f32 {
    let i = root_inverse(x);
    return i * i;
}

fn hydraulic_flow(at: vec2<i32>) -> vec4<f32> {
    let water = field_water(at);
    let level = field_soil(at) + water;
    let w = level - (field_soil(at + vec2<i32>(-1, 0)) + field_water(at + vec2<i32>(-1, 0)));
    let e = level - (field_soil(at + vec2<i32>(1, 0)) + field_water(at + vec2<i32>(1, 0)));
    let n = level - (field_soil(at + vec2<i32>(0, -1)) + field_water(at + vec2<i32>(0, -1)));
    let s = level - (field_soil(at + vec2<i32>(0, 1)) + field_water(at + vec2<i32>(0, 1)));
    let to_w = real_max(field_west(at) * number_kept() + w * number_gravity(), 0.0);
    let to_e = real_max(field_east(at) * number_kept() + e * number_gravity(), 0.0);
    let to_n = real_max(field_north(at) * number_kept() + n * number_gravity(), 0.0);
    let to_s = real_max(field_south(at) * number_kept() + s * number_gravity(), 0.0);
    let all = (to_w + to_e) + (to_n + to_s);
    // No more than there is, and a little less, so that rounding leaves no debts.
    let share = select(1.0, (water * hydraulic_reciprocal(all)) * 0.9999, all > water * 0.9999);
    return vec4<f32>(to_w * share, to_e * share, to_n * share, to_s * share);
}

fn hydraulic_carry(at: vec2<i32>) -> f32 {
    let out = (field_west(at) + field_east(at)) + (field_north(at) + field_south(at));
    let w = field_east(at + vec2<i32>(-1, 0)) * field_load(at + vec2<i32>(-1, 0));
    let e = field_west(at + vec2<i32>(1, 0)) * field_load(at + vec2<i32>(1, 0));
    let n = field_south(at + vec2<i32>(0, -1)) * field_load(at + vec2<i32>(0, -1));
    let s = field_north(at + vec2<i32>(0, 1)) * field_load(at + vec2<i32>(0, 1));
    return (field_sediment(at) - out * field_load(at)) + ((w + e) + (n + s));
}

fn hydraulic_water(at: vec2<i32>) -> vec3<f32> {
    let w = field_east(at + vec2<i32>(-1, 0));
    let e = field_west(at + vec2<i32>(1, 0));
    let n = field_south(at + vec2<i32>(0, -1));
    let s = field_north(at + vec2<i32>(0, 1));
    let before = field_water(at);
    let after = real_max((before - ((field_west(at) + field_east(at)) + (field_north(at) + field_south(at)))) + ((w + e) + (n + s)), 0.0);
    let x = 0.5 * ((w - field_west(at)) + (field_east(at) - e));
    let y = 0.5 * ((n - field_north(at)) + (field_south(at) - s));
    let discharge = root_sqrt(x * x + y * y);
    let speed = real_min(discharge * hydraulic_reciprocal(0.5 * (before + after)), 1.0);
    return vec3<f32>(after, field_discharge(at) + discharge * number_share(), speed);
}

fn hydraulic_soil(at: vec2<i32>) -> vec4<f32> {
    let x = (field_soil(at + vec2<i32>(1, 0)) - field_soil(at - vec2<i32>(1, 0))) * number_per_two_steps();
    let y = (field_soil(at + vec2<i32>(0, 1)) - field_soil(at - vec2<i32>(0, 1))) * number_per_two_steps();
    let square = x * x + y * y;
    let steep = real_max(root_sqrt(square) * root_inverse(1.0 + square), number_least_slope());
    let water = field_water(at);
    let full = water * hydraulic_reciprocal(water + number_shallow());
    let room = ((number_capacity() * steep) * field_speed(at)) * full - field_sediment(at);
    let soft = 1.0 - real_min(real_max(field_hardness(at), 0.0), 1.0);
    let rate = select(number_deposit(), number_dissolve() * soft, room > 0.0);
    let taken = room * rate;
    let now = water * number_kept() + number_rainfall() * field_rain(at);
    let sediment = field_sediment(at) + taken;
    return vec4<f32>(field_soil(at) - taken, now, sediment, sediment * hydraulic_reciprocal(now));
}
