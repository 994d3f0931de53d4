// Beds of rock: layers along one axis, with irregular boundaries.
// requires: hash jet point real

// Bed n: the offset of its lower boundary, and its value. p = (irregular, 1 / blend, variation).
fn beds_bed(n: u32, key: Key, p: vec4<f32>, hardness: bool) -> vec2<f32> {
    let h = point_cubic_1(n, key);
    let boundary = (f32(h >> 16u) * 0.0000152587890625 - 0.5) * p.x;
    let random = hash_signed(hash_mix(h));
    let soft = p.z * (0.25 * random + 0.25);
    return vec2<f32>(boundary, select(random, select(soft, 1.0 - soft, (n & 1u) == 0u), hardness));
}

// 0 well below a boundary and 1 well above it, with the slope.
fn beds_above(distance: f32, per_blend: f32) -> vec2<f32> {
    let t = real_min(real_max(distance * per_blend + 0.5, 0.0), 1.0);
    return vec2<f32>((t * t) * (3.0 - (t + t)), (6.0 * per_blend) * (t * (1.0 - t)));
}

fn beds(cell: vec3<i32>, f: vec3<f32>, key: Key, hardness: bool, p: vec4<f32>) -> Jet {
    let n = u32(cell.x);
    let below = beds_bed(n - 1u, key, p, hardness);
    let here = beds_bed(n, key, p, hardness);
    let next = beds_bed(n + 1u, key, p, hardness);
    // No boundary is farther from its place than half a bed, so only two are near.
    let lower = beds_above(f.x - here.x, p.y);
    let upper = beds_above((f.x - 1.0) - next.x, p.y);
    let own = below.y * (1.0 - lower.x) + here.y * lower.x;
    let slope = ((here.y - below.y) * lower.y) * (1.0 - upper.x) + (next.y - own) * upper.y;
    return Jet(own * (1.0 - upper.x) + next.y * upper.x, vec3<f32>(slope, 0.0, 0.0));
}
