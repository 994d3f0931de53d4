// Filters of a window around each sample.
// requires: real root

fn window_gaussian(at: vec2<i32>) -> f32 {
    let step = vec2<i32>(i32(number_x()), i32(number_y()));
    let radius = i32(number_radius());
    var sum = field_value(at) * table(0u);
    for (var i = 1; i <= radius; i++) {
        sum += (field_value(at - step * i) + field_value(at + step * i)) * table(u32(i));
    }
    return sum;
}

// Bits of a number in an order of their own: as integers they compare as the numbers do.
fn window_key(x: f32) -> u32 {
    let bits = bitcast<u32>(x);
    return select(bits | 0x80000000u, ~bits, bits >= 0x80000000u);
}

// The middle one of a square, bit by bit from the highest: the largest key below which no more than half of them lie.
fn window_median(at: vec2<i32>) -> f32 {
    let radius = i32(number_radius());
    let rank = u32(2 * radius * (radius + 1));
    var found = 0u;
    for (var bit = 0x80000000u; bit != 0u; bit >>= 1u) {
        let tried = found | bit;
        var below = 0u;
        for (var y = -radius; y <= radius; y++) {
            for (var x = -radius; x <= radius; x++) {
                below += select(0u, 1u, window_key(field_value(at + vec2<i32>(x, y))) < tried);
            }
        }
        found = select(tried, found, below > rank);
    }
    return bitcast<f32>(select(~found, found & 0x7fffffffu, found >= 0x80000000u));
}

// The mean of 1 - sin(horizon) over directions.
fn window_occlusion(at: vec2<i32>) -> f32 {
    let directions = u32(number_directions());
    let steps = u32(number_steps());
    let here = field_height(at);
    var open = 0.0;
    for (var d = 0u; d < directions; d++) {
        var steepest = 0.0;
        for (var s = 0u; s < steps; s++) {
            let i = 3u * (d * steps + s);
            let there = field_height(at + vec2<i32>(i32(table(i)), i32(table(i + 1u))));
            steepest = real_max(steepest, (there - here) * table(i + 2u));
        }
        open += 1.0 - steepest * root_inverse(1.0 + steepest * steepest);
    }
    return open * number_per_direction();
}
