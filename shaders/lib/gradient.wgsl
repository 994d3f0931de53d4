// The directions that lattice points have, by their hashes. A noise's vectors hold their parts times its scale along each axis.

// One of 16 directions, evenly spaced from 11.25 degrees on. Along each axis: long, long of the steep ones, short, short of those.
fn gradient_2(h: u32, x: vec4<f32>, y: vec4<f32>) -> vec2<f32> {
    let steep = (h & 0x40000000u) != 0u;
    let swap = (h & 0x20000000u) != 0u;
    let gx = select(select(x.x, x.y, steep), select(x.z, x.w, steep), swap);
    let gy = select(select(y.z, y.w, steep), select(y.x, y.y, steep), swap);
    return vec2<f32>(gradient_sign(gx, h), gradient_sign(gy, h ^ (h << 3u)));
}

// One of 48 directions: the permutations of (1, 1 + √2, 1 + 2√2) with all signs, normalised. Along each axis: long, middle, short.
fn gradient_3(h: u32, x: vec3<f32>, y: vec3<f32>, z: vec3<f32>) -> vec3<f32> {
    let order = (((h << 3u) >> 19u) * 6u) >> 13u;
    let swap = (order & 1u) != 0u;
    let first = order < 2u;
    let gx = select(select(x.y, x.z, swap), x.x, first);
    let gy = select(select(y.y, y.z, first == swap), y.x, (order & 2u) != 0u);
    let gz = select(select(z.z, z.y, swap), z.x, order >= 4u);
    return vec3<f32>(gradient_sign(gx, h), gradient_sign(gy, h << 1u), gradient_sign(gz, h << 2u));
}

// One of 32 directions: (0, ±1, ±1, ±1) with the 0 in any place, given the part. Three signs for three axes: the last takes that of
// the one which is empty.
fn gradient_4(h: u32, third: f32) -> vec4<f32> {
    let place = h >> 30u;
    return vec4<f32>(
        select(gradient_sign(third, h << 31u), 0.0, place == 0u),
        select(gradient_sign(third, h << 30u), 0.0, place == 1u),
        select(gradient_sign(third, h << 29u), 0.0, place == 2u),
        select(gradient_sign(third, h << (31u - select(0u, place, place < 3u))), 0.0, place == 3u),
    );
}

// x with its sign flipped where the highest bit of h is set.
fn gradient_sign(x: f32, h: u32) -> f32 {
    return bitcast<f32>(bitcast<u32>(x) ^ (h & 0x80000000u));
}
