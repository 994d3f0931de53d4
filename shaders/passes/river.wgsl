// Rivers as channels in the ground, and the wetness of the ground.
// requires: power real root

// The square of half the width of a channel, in samples, from the area in units of the least.
fn river_half_width_squared(flow: f32) -> f32 {
    return real_min(number_square() * power_positive(flow, number_twice_exponent()).x, number_most());
}

// The power of a sample to a river is the square of the distance less that of half the width. Here it is that to the sample's own river,
// if it has one.
fn river_begin(at: vec2<i32>) -> vec3<f32> {
    let flow = field_area(at) * number_per_least();
    let is_river = flow >= 1.0;
    return vec3<f32>(select(1000000000000.0, -river_half_width_squared(flow), is_river), field_surface(at), select(0.0, flow, is_river));
}

// The smallest power along a line whose step is (x, y), with the level and the flow of its river.
fn river_nearest(at: vec2<i32>) -> vec3<f32> {
    let step = vec2<i32>(i32(number_x()), i32(number_y()));
    let reach = i32(number_reach());
    let most = number_most();
    var near = vec3<f32>(field_power(at), field_level(at), field_flow(at));
    for (var i = 1; i <= reach; i++) {
        let way = f32(i) * f32(i);
        // No river is wider.
        if (near.x <= way - most) {
            break;
        }
        for (var side = -1; side <= 1; side += 2) {
            let there = at + step * (side * i);
            let power = field_power(there) + way;
            // Rivers are rare.
            if (power < near.x) {
                near = vec3<f32>(power, field_level(there), field_flow(there));
            }
        }
    }
    return near;
}

// The ground with its channels, and the depth of the water.
fn river_channel(at: vec2<i32>) -> vec2<f32> {
    let ground = field_height(at);
    let power = field_power(at);
    let flow = field_flow(at);
    let inverse = root_inverse(river_half_width_squared(flow));
    let deepest = real_min(number_depth() * power_positive(flow, number_depth_exponent()).x, 1e30);
    let water = real_min(deepest, (deepest * real_max(-power, 0.0)) * (inverse * inverse));
    let profile = (field_level(at) + number_curvature() * real_max(power, 0.0)) - water;
    let t = real_min(real_max((1.0 - power * number_per_reach_squared()) * 1.3333334, 0.0), 1.0);
    // A river begins gradually.
    let begun = real_min(real_max(flow - 1.0, 0.0), 1.0);
    let share = ((t * t) * (3.0 - (t + t))) * begun;
    let carved = ground * (1.0 - share) + real_min(ground, profile) * share;
    return vec2<f32>(carved, real_max(field_surface(at) - ground, water * begun));
}

// The logarithm of the area per width that drains through a sample over the slope.
fn river_wetness(at: vec2<i32>) -> f32 {
    let area = real_max(field_area(at) * number_per_step(), 0.000000000001);
    let slope = real_max(field_slope(at), number_least_slope());
    return (power_log2(area) - power_log2(slope)) * 0.6931471805599453;
}
