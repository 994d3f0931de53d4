// Layers of rock, tilted and folded.
// requires: hash real

// The numbers of layer n: the offset of its lower boundary, its hardness, and its number from 0 to 1.
fn strata_layer(n: u32) -> vec3<f32> {
    let seed = (u32(number_seed_high()) << 16u) | u32(number_seed_low());
    let h = hash_1(n, seed);
    let boundary = (f32(h >> 21u) * 0.00048828125 - 0.5) * number_irregular();
    let own = (f32((h >> 10u) & 2047u) * 0.00048828125) * number_vary();
    let hardness = number_soft() + select(own, 1.0 - own, (n & 1u) == 0u) * number_harder();
    return vec3<f32>(boundary, hardness, f32(h & 1023u) * 0.0009775171065493646);
}

// 0 well below a boundary, 1 well above it.
fn strata_above(distance: f32) -> f32 {
    let t = real_min(real_max(distance * number_per_blend() + 0.5, 0.0), 1.0);
    return (t * t) * (3.0 - (t + t));
}

// Adds a number of steps from the table to a number of layers, Q32.32, wrapping.
fn strata_further(start: vec2<u32>, step: u32, count: u32) -> vec2<u32> {
    let mask = 0xffffu;
    let a = count * u32(table(step)) + (start.y & mask);
    let b = count * u32(table(step + 1u)) + (start.y >> 16u) + (a >> 16u);
    let c = count * u32(table(step + 2u)) + (start.x & mask) + (b >> 16u);
    let d = count * u32(table(step + 3u)) + (start.x >> 16u) + (c >> 16u);
    return vec2<u32>((d << 16u) | (c & mask), (b << 16u) | (a & mask));
}

fn strata_layers(at: vec2<i32>) -> vec2<f32> {
    let zero = vec2<u32>((u32(table(3u)) << 16u) | u32(table(2u)), (u32(table(1u)) << 16u) | u32(table(0u)));
    let raised = strata_further(strata_further(zero, 8u, u32(at.y)), 4u, u32(at.x));
    let far = 4194304.0;
    let layers = real_min(real_max((field_height(at) - field_fold(at)) * number_per_thickness(), -far), far);
    let x = layers - f32(raised.y >> 8u) * 5.9604644775390625e-8;
    let first = floor(x);
    let n = u32(i32(first)) - raised.x;
    let below = strata_layer(n - 1u);
    let here = strata_layer(n);
    let next = strata_layer(n + 1u);
    // No boundary is farther from its place than half a layer, so only two are near.
    let inside = x - first;
    let lower = strata_above(inside - here.x);
    let upper = strata_above((inside - 1.0) - next.x);
    let own = below * (1.0 - lower) + here * lower;
    let all = own * (1.0 - upper) + next * upper;
    return all.yz;
}
