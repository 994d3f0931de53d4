// FastNoiseLite's Perlin, value and cubic value noise.
// requires: fastnoise jet

const FASTNOISE_LATTICE_PERLIN_2: f32 = 1.4247691631317139;
const FASTNOISE_LATTICE_PERLIN_3: f32 = 0.9649214148521423;
const FASTNOISE_LATTICE_X: vec3<f32> = vec3<f32>(1.0, 0.0, 0.0);
const FASTNOISE_LATTICE_Y: vec3<f32> = vec3<f32>(0.0, 1.0, 0.0);
const FASTNOISE_LATTICE_Z: vec3<f32> = vec3<f32>(0.0, 0.0, 1.0);

// The multiplied coordinates of a cell's lower corner, and the fractions.
struct FastnoiseCell {
    low: vec3<i32>,
    fraction: vec3<f32>,
}

fn fastnoise_lattice_cell(at: vec3<f32>) -> FastnoiseCell {
    let whole = fastnoise_floor(at);
    return FastnoiseCell(whole * FASTNOISE_PRIMES, at - fastnoise_numbers(whole));
}

// Between the corners of a square.
fn fastnoise_lattice_square(a: Jet, b: Jet, c: Jet, d: Jet, x: vec2<f32>, y: vec2<f32>) -> Jet {
    let low = fastnoise_between(a, b, x, FASTNOISE_LATTICE_X);
    let high = fastnoise_between(c, d, x, FASTNOISE_LATTICE_X);
    return fastnoise_between(low, high, y, FASTNOISE_LATTICE_Y);
}

fn fastnoise_lattice_perlin_corner_2(seed: i32, c: FastnoiseCell, steps: vec2<i32>) -> Jet {
    let point = c.low.xy + steps * FASTNOISE_PRIMES.xy;
    let d = select(c.fraction.xy, c.fraction.xy - 1.0, steps == vec2<i32>(1));
    return fastnoise_slope_2(fastnoise_direction_2(fastnoise_index_2(fastnoise_hash_2(seed, point))), d);
}

// Perlin noise in 2D.
fn fastnoise_lattice_perlin_2(seed: i32, at: vec3<f32>) -> Jet {
    let c = fastnoise_lattice_cell(at);
    let sum = fastnoise_lattice_square(
        fastnoise_lattice_perlin_corner_2(seed, c, vec2<i32>(0, 0)),
        fastnoise_lattice_perlin_corner_2(seed, c, vec2<i32>(1, 0)),
        fastnoise_lattice_perlin_corner_2(seed, c, vec2<i32>(0, 1)),
        fastnoise_lattice_perlin_corner_2(seed, c, vec2<i32>(1, 1)),
        fastnoise_quintic(c.fraction.x),
        fastnoise_quintic(c.fraction.y),
    );
    return fastnoise_scaled(sum, FASTNOISE_LATTICE_PERLIN_2);
}

fn fastnoise_lattice_perlin_corner_3(seed: i32, c: FastnoiseCell, steps: vec3<i32>) -> Jet {
    let point = c.low + steps * FASTNOISE_PRIMES;
    let d = select(c.fraction, c.fraction - 1.0, steps == vec3<i32>(1));
    return fastnoise_slope_3(fastnoise_direction_3(fastnoise_index_3(fastnoise_hash_3(seed, point))), d);
}

fn fastnoise_lattice_perlin_square(seed: i32, c: FastnoiseCell, z: i32) -> Jet {
    return fastnoise_lattice_square(
        fastnoise_lattice_perlin_corner_3(seed, c, vec3<i32>(0, 0, z)),
        fastnoise_lattice_perlin_corner_3(seed, c, vec3<i32>(1, 0, z)),
        fastnoise_lattice_perlin_corner_3(seed, c, vec3<i32>(0, 1, z)),
        fastnoise_lattice_perlin_corner_3(seed, c, vec3<i32>(1, 1, z)),
        fastnoise_quintic(c.fraction.x),
        fastnoise_quintic(c.fraction.y),
    );
}

// Perlin noise in 3D.
fn fastnoise_lattice_perlin_3(seed: i32, at: vec3<f32>) -> Jet {
    let c = fastnoise_lattice_cell(at);
    let near = fastnoise_lattice_perlin_square(seed, c, 0);
    let far = fastnoise_lattice_perlin_square(seed, c, 1);
    let sum = fastnoise_between(near, far, fastnoise_quintic(c.fraction.z), FASTNOISE_LATTICE_Z);
    return fastnoise_scaled(sum, FASTNOISE_LATTICE_PERLIN_3);
}

fn fastnoise_lattice_value_corner_2(seed: i32, c: FastnoiseCell, steps: vec2<i32>) -> Jet {
    return jet_constant(fastnoise_value(fastnoise_hash_2(seed, c.low.xy + steps * FASTNOISE_PRIMES.xy)));
}

// Value noise in 2D.
fn fastnoise_lattice_value_2(seed: i32, at: vec3<f32>) -> Jet {
    let c = fastnoise_lattice_cell(at);
    return fastnoise_lattice_square(
        fastnoise_lattice_value_corner_2(seed, c, vec2<i32>(0, 0)),
        fastnoise_lattice_value_corner_2(seed, c, vec2<i32>(1, 0)),
        fastnoise_lattice_value_corner_2(seed, c, vec2<i32>(0, 1)),
        fastnoise_lattice_value_corner_2(seed, c, vec2<i32>(1, 1)),
        fastnoise_hermite(c.fraction.x),
        fastnoise_hermite(c.fraction.y),
    );
}

fn fastnoise_lattice_value_corner_3(seed: i32, c: FastnoiseCell, steps: vec3<i32>) -> Jet {
    return jet_constant(fastnoise_value(fastnoise_hash_3(seed, c.low + steps * FASTNOISE_PRIMES)));
}

fn fastnoise_lattice_value_square(seed: i32, c: FastnoiseCell, z: i32) -> Jet {
    return fastnoise_lattice_square(
        fastnoise_lattice_value_corner_3(seed, c, vec3<i32>(0, 0, z)),
        fastnoise_lattice_value_corner_3(seed, c, vec3<i32>(1, 0, z)),
        fastnoise_lattice_value_corner_3(seed, c, vec3<i32>(0, 1, z)),
        fastnoise_lattice_value_corner_3(seed, c, vec3<i32>(1, 1, z)),
        fastnoise_hermite(c.fraction.x),
        fastnoise_hermite(c.fraction.y),
    );
}

// Value noise in 3D.
fn fastnoise_lattice_value_3(seed: i32, at: vec3<f32>) -> Jet {
    let c = fastnoise_lattice_cell(at);
    let near = fastnoise_lattice_value_square(seed, c, 0);
    let far = fastnoise_lattice_value_square(seed, c, 1);
    return fastnoise_between(near, far, fastnoise_hermite(c.fraction.z), FASTNOISE_LATTICE_Z);
}

// The cubic curve through four numbers, and its slope.
fn fastnoise_lattice_curve(a: f32, b: f32, c: f32, d: f32, t: f32) -> vec2<f32> {
    let p = (d - c) - (a - b);
    let q = (a - b) - p;
    return vec2<f32>(t * t * t * p + t * t * q + t * (c - a) + b, 3.0 * (t * t) * p + 2.0 * (t * q) + (c - a));
}

// The curve through four jets.
fn fastnoise_lattice_cubic(a: Jet, b: Jet, c: Jet, d: Jet, t: f32, axis: vec3<f32>) -> Jet {
    let found = fastnoise_lattice_curve(a.value, b.value, c.value, d.value, t);
    let others = vec3<f32>(
        fastnoise_lattice_curve(a.gradient.x, b.gradient.x, c.gradient.x, d.gradient.x, t).x,
        fastnoise_lattice_curve(a.gradient.y, b.gradient.y, c.gradient.y, d.gradient.y, t).x,
        fastnoise_lattice_curve(a.gradient.z, b.gradient.z, c.gradient.z, d.gradient.z, t).x,
    );
    return Jet(found.x, select(others, vec3<f32>(found.y), axis > vec3<f32>(0.0)));
}

fn fastnoise_lattice_row_2(seed: i32, c: FastnoiseCell, y: i32) -> Jet {
    return fastnoise_lattice_cubic(
        fastnoise_lattice_value_corner_2(seed, c, vec2<i32>(-1, y)),
        fastnoise_lattice_value_corner_2(seed, c, vec2<i32>(0, y)),
        fastnoise_lattice_value_corner_2(seed, c, vec2<i32>(1, y)),
        fastnoise_lattice_value_corner_2(seed, c, vec2<i32>(2, y)),
        c.fraction.x,
        FASTNOISE_LATTICE_X,
    );
}

// Cubic value noise in 2D.
fn fastnoise_lattice_cubic_2(seed: i32, at: vec3<f32>, scale: f32) -> Jet {
    let c = fastnoise_lattice_cell(at);
    let sum = fastnoise_lattice_cubic(
        fastnoise_lattice_row_2(seed, c, -1),
        fastnoise_lattice_row_2(seed, c, 0),
        fastnoise_lattice_row_2(seed, c, 1),
        fastnoise_lattice_row_2(seed, c, 2),
        c.fraction.y,
        FASTNOISE_LATTICE_Y,
    );
    return fastnoise_scaled(sum, scale);
}

fn fastnoise_lattice_row_3(seed: i32, c: FastnoiseCell, y: i32, z: i32) -> Jet {
    return fastnoise_lattice_cubic(
        fastnoise_lattice_value_corner_3(seed, c, vec3<i32>(-1, y, z)),
        fastnoise_lattice_value_corner_3(seed, c, vec3<i32>(0, y, z)),
        fastnoise_lattice_value_corner_3(seed, c, vec3<i32>(1, y, z)),
        fastnoise_lattice_value_corner_3(seed, c, vec3<i32>(2, y, z)),
        c.fraction.x,
        FASTNOISE_LATTICE_X,
    );
}

fn fastnoise_lattice_plane_3(seed: i32, c: FastnoiseCell, z: i32) -> Jet {
    return fastnoise_lattice_cubic(
        fastnoise_lattice_row_3(seed, c, -1, z),
        fastnoise_lattice_row_3(seed, c, 0, z),
        fastnoise_lattice_row_3(seed, c, 1, z),
        fastnoise_lattice_row_3(seed, c, 2, z),
        c.fraction.y,
        FASTNOISE_LATTICE_Y,
    );
}

// Cubic value noise in 3D.
fn fastnoise_lattice_cubic_3(seed: i32, at: vec3<f32>, scale: f32) -> Jet {
    let c = fastnoise_lattice_cell(at);
    let sum = fastnoise_lattice_cubic(
        fastnoise_lattice_plane_3(seed, c, -1),
        fastnoise_lattice_plane_3(seed, c, 0),
        fastnoise_lattice_plane_3(seed, c, 1),
        fastnoise_lattice_plane_3(seed, c, 2),
        c.fraction.z,
        FASTNOISE_LATTICE_Z,
    );
    return fastnoise_scaled(sum, scale);
}
