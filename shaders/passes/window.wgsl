// Filters of a window around each sample.
// requires: real root

// Along one axis; the table holds the weights of distances 0, 1, 2 and so on.
fn window_gaussian(at: vec2<i32>) -> f32 {
    let step = vec2<i32>(i32(number(0u)), i32(number(1u)));
    let radius = i32(number(2u));
    var sum = field_0(at) * table(0u);
    for (var i = 1; i <= radius; i++) {
        sum += (field_0(at - step * i) + field_0(at + step * i)) * table(u32(i));
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
    let radius = i32(number(0u));
    let rank = u32(2 * radius * (radius + 1));
    var found = 0u;
    for (var bit = 0x80000000u; bit != 0u; bit >>= 1u) {
        let tried = found | bit;
        var below = 0u;
        for (var y = -radius; y <= radius; y++) {
            for (var x = -radius; x <= radius; x++) {
                below += select(0u, 1u, window_key(field_0(at + vec2<i32>(x, y))) < tried);
            }
        }
        found = select(tried, found, below > rank);
    }
    return bitcast<f32>(select(~found, found & 0x7fffffffu, found >= 0x80000000u));
}

// The mean of 1 - sin(horizon) over directions; the table holds, for each direction and step, x, y and the reciprocal of the distance.
fn window_occlusion(at: vec2<i32>) -> f32 {
    let directions = u32(number(0u));
    let steps = u32(number(1u));
    let here = field_0(at);
    var open = 0.0;
    for (var d = 0u; d < directions; d++) {
        var steepest = 0.0;
        for (var s = 0u; s < steps; s++) {
            let i = 3u * (d * steps + s);
            let there = field_0(at + vec2<i32>(i32(table(i)), i32(table(i + 1u))));
            steepest = real_max(steepest, (there - here) * table(i + 2u));
        }
        open += 1.0 - steepest * root_inverse(1.0 + steepest * steepest);
    }
    return open * number(2u);
}
