// FastNoiseLite's domain warps. Places are jets, whose gradients are those of the warped coordinates.
// requires: fastnoise fastnoise_lattice fastnoise_simplex jet tables

const FASTNOISE_WARP_SCALE_2: f32 = 38.283687591552734;
const FASTNOISE_WARP_SCALE_3: f32 = 32.69428253173828;
const FASTNOISE_WARP_REDUCED_2: f32 = 16.0;
const FASTNOISE_WARP_REDUCED_3: f32 = 7.7160491943359375;

// The random unit vector with this index.
fn fastnoise_warp_vector_2(vectors: u32, index: i32) -> vec3<f32> {
    let at = vectors + u32(index & 255) * 2u;
    return vec3<f32>(table_series(at), table_series(at + 1u), 0.0);
}

fn fastnoise_warp_vector_3(vectors: u32, index: i32) -> vec3<f32> {
    let at = vectors + 512u + u32(index & 255) * 3u;
    return vec3<f32>(table_series(at), table_series(at + 1u), table_series(at + 2u));
}

// Adds the contribution of a point: a random vector times t⁴, and times the slope along a direction unless it is reduced.
fn fastnoise_warp_add(sum: FastnoisePlace, t: f32, slope: Jet, along: vec3<f32>, d: vec3<f32>, reduced: bool) -> FastnoisePlace {
    var own = slope;
    if reduced {
        own = jet_constant(1.0);
    }
    let pulled = fastnoise_pull(t, own, d).gradient;
    let square = t * t;
    let t4 = square * square;
    // The original multiplies the slope and the vector first.
    let value = select(t4 * (slope.value * along), t4 * along, reduced);
    return FastnoisePlace(
        jet_add(sum.x, Jet(value.x, pulled * along.x)),
        jet_add(sum.y, Jet(value.y, pulled * along.y)),
        jet_add(sum.z, Jet(value.z, pulled * along.z)),
    );
}

fn fastnoise_warp_point_2(sum: FastnoisePlace, t: f32, hash: i32, d: vec2<f32>, reduced: bool, vectors: u32) -> FastnoisePlace {
    if t > 0.0 {
        let along = fastnoise_warp_vector_2(vectors, select(hash >> 8u, hash >> 1u, reduced));
        let slope = fastnoise_slope_2(fastnoise_direction_2((hash >> 1u) & 127), d);
        return fastnoise_warp_add(sum, t, slope, along, vec3<f32>(d, 0.0), reduced);
    }
    return sum;
}

fn fastnoise_warp_point_3(sum: FastnoisePlace, t: f32, hash: i32, d: vec3<f32>, reduced: bool, vectors: u32) -> FastnoisePlace {
    if t > 0.0 {
        let along = fastnoise_warp_vector_3(vectors, select(hash >> 8u, hash >> 2u, reduced));
        return fastnoise_warp_add(sum, t, fastnoise_slope_3(fastnoise_direction_3((hash >> 2u) & 63), d), along, d, reduced);
    }
    return sum;
}

fn fastnoise_warp_none() -> FastnoisePlace {
    return FastnoisePlace(jet_constant(0.0), jet_constant(0.0), jet_constant(0.0));
}

// Vectors at the corners of triangles.
fn fastnoise_warp_simplex_2(seed: i32, at: vec3<f32>, reduced: bool, vectors: u32) -> FastnoisePlace {
    let s = fastnoise_simplex_skewed(at);
    let a = fastnoise_simplex_rest_2(0.5, s.offset);
    var sum = fastnoise_warp_point_2(fastnoise_warp_none(), a, fastnoise_hash_2(seed, s.corner), s.offset, reduced, vectors);
    let opposite = fastnoise_hash_2(seed, fastnoise_simplex_step_2(s.corner, vec2<i32>(1)));
    let off = s.offset + FASTNOISE_SIMPLEX_TWO_G_LESS_1;
    sum = fastnoise_warp_point_2(sum, fastnoise_simplex_rest_far(a, s.t), opposite, off, reduced, vectors);
    let d = fastnoise_simplex_off_middle_2(s.offset);
    let beside = fastnoise_hash_2(seed, fastnoise_simplex_step_2(s.corner, fastnoise_simplex_middle_2(s.offset)));
    return fastnoise_warp_point_2(sum, fastnoise_simplex_rest_2(0.5, d), beside, d, reduced, vectors);
}

// Vectors at the points of two cubic lattices.
fn fastnoise_warp_simplex_3(seed: i32, at: vec3<f32>, by_distance: bool, reduced: bool, vectors: u32) -> FastnoisePlace {
    let a = fastnoise_simplex_cube(at);
    let b = fastnoise_simplex_other(a, false);
    let further = seed + FASTNOISE_SIMPLEX_SECOND;
    var sum = fastnoise_warp_point_3(fastnoise_warp_none(), a.rest, fastnoise_hash_3(seed, a.point), a.offset, reduced, vectors);
    let next = fastnoise_simplex_neighbour(a, by_distance);
    sum = fastnoise_warp_point_3(sum, next.rest, fastnoise_hash_3(seed, next.point), next.offset, reduced, vectors);
    sum = fastnoise_warp_point_3(sum, b.rest, fastnoise_hash_3(further, b.point), b.offset, reduced, vectors);
    let last = fastnoise_simplex_neighbour(b, by_distance);
    return fastnoise_warp_point_3(sum, last.rest, fastnoise_hash_3(further, last.point), last.offset, reduced, vectors);
}

fn fastnoise_warp_corner_2(seed: i32, c: FastnoiseCell, steps: vec2<i32>, vectors: u32) -> vec3<f32> {
    return fastnoise_warp_vector_2(vectors, fastnoise_hash_2(seed, c.low.xy + steps * FASTNOISE_PRIMES.xy) >> 1u);
}

fn fastnoise_warp_corner_3(seed: i32, c: FastnoiseCell, steps: vec3<i32>, vectors: u32) -> vec3<f32> {
    return fastnoise_warp_vector_3(vectors, fastnoise_hash_3(seed, c.low + steps * FASTNOISE_PRIMES) >> 2u);
}

// Between the corners of a square.
fn fastnoise_warp_square(p: vec4<f32>, x: vec2<f32>, y: vec2<f32>) -> Jet {
    return fastnoise_lattice_square(jet_constant(p.x), jet_constant(p.y), jet_constant(p.z), jet_constant(p.w), x, y);
}

// Vectors at the corners of a cell, interpolated.
fn fastnoise_warp_grid_2(seed: i32, at: vec3<f32>, vectors: u32) -> FastnoisePlace {
    let c = fastnoise_lattice_cell(at);
    let x = fastnoise_hermite(c.fraction.x);
    let y = fastnoise_hermite(c.fraction.y);
    let p = fastnoise_warp_corner_2(seed, c, vec2<i32>(0, 0), vectors);
    let q = fastnoise_warp_corner_2(seed, c, vec2<i32>(1, 0), vectors);
    let r = fastnoise_warp_corner_2(seed, c, vec2<i32>(0, 1), vectors);
    let s = fastnoise_warp_corner_2(seed, c, vec2<i32>(1, 1), vectors);
    let first = fastnoise_warp_square(vec4<f32>(p.x, q.x, r.x, s.x), x, y);
    return FastnoisePlace(first, fastnoise_warp_square(vec4<f32>(p.y, q.y, r.y, s.y), x, y), jet_constant(0.0));
}

fn fastnoise_warp_side(seed: i32, c: FastnoiseCell, z: i32, vectors: u32) -> FastnoisePlace {
    let x = fastnoise_hermite(c.fraction.x);
    let y = fastnoise_hermite(c.fraction.y);
    let p = fastnoise_warp_corner_3(seed, c, vec3<i32>(0, 0, z), vectors);
    let q = fastnoise_warp_corner_3(seed, c, vec3<i32>(1, 0, z), vectors);
    let r = fastnoise_warp_corner_3(seed, c, vec3<i32>(0, 1, z), vectors);
    let s = fastnoise_warp_corner_3(seed, c, vec3<i32>(1, 1, z), vectors);
    return FastnoisePlace(
        fastnoise_warp_square(vec4<f32>(p.x, q.x, r.x, s.x), x, y),
        fastnoise_warp_square(vec4<f32>(p.y, q.y, r.y, s.y), x, y),
        fastnoise_warp_square(vec4<f32>(p.z, q.z, r.z, s.z), x, y),
    );
}

fn fastnoise_warp_grid_3(seed: i32, at: vec3<f32>, vectors: u32) -> FastnoisePlace {
    let c = fastnoise_lattice_cell(at);
    let near = fastnoise_warp_side(seed, c, 0, vectors);
    let far = fastnoise_warp_side(seed, c, 1, vectors);
    let z = fastnoise_hermite(c.fraction.z);
    let first = fastnoise_between(near.x, far.x, z, FASTNOISE_LATTICE_Z);
    let second = fastnoise_between(near.y, far.y, z, FASTNOISE_LATTICE_Z);
    return FastnoisePlace(first, second, fastnoise_between(near.z, far.z, z, FASTNOISE_LATTICE_Z));
}

// One coordinate of the place `to`, displaced by a warp at the place `at`.
fn fastnoise_warp_displaced(off: Jet, amplitude: f32, frequency: f32, at: FastnoisePlace, to: Jet) -> Jet {
    let own = jet_through(off.value * amplitude, amplitude * frequency, off);
    return jet_add(to, jet_composed(own, at.x, at.y, at.z));
}
