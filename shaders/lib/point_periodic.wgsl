// The hash of a lattice point in kernels with periods: that of the point that represents all its repetitions.
// requires: hash

struct Key {
    seed: u32,
    // Cells after which the lattice repeats along each axis; 0 for never.
    period: vec4<i32>,
}

// The number of whole periods below x; 0 without a period.
fn point_laps(x: i32, period: i32) -> i32 {
    if period == 0 {
        return 0;
    }
    let towards_zero = x / period;
    return select(towards_zero, towards_zero - 1, towards_zero * period > x);
}

fn point_wrapped(x: u32, period: i32) -> u32 {
    return x - u32(point_laps(i32(x), period) * period);
}

// The cell that stands for all its repetitions.
fn point_cell(cell: vec3<i32>, key: Key) -> vec3<u32> {
    let c = vec3<u32>(cell);
    return vec3<u32>(point_wrapped(c.x, key.period.x), point_wrapped(c.y, key.period.y), point_wrapped(c.z, key.period.z));
}

// The cell after such a one, along each axis. Counting on spares dividing once more.
fn point_after(cell: vec3<u32>, key: Key) -> vec3<u32> {
    let next = cell + 1u;
    return select(next, vec3<u32>(0u), next == vec3<u32>(key.period.xyz));
}

// The cells on both sides of a position along the fourth axis.
fn point_fourth(w: i32, key: Key) -> vec2<u32> {
    return vec2<u32>(point_wrapped(u32(w), key.period.w), point_wrapped(u32(w) + 1u, key.period.w));
}

fn point_cubic_1(x: u32, key: Key) -> u32 {
    return hash_1(point_wrapped(x, key.period.x), key.seed);
}

fn point_cubic_2(x: u32, y: u32, key: Key) -> u32 {
    return hash_2(point_wrapped(x, key.period.x), point_wrapped(y, key.period.y), key.seed);
}

// Wraps one axis of the 4D lattice skewed by a third of the sum. A period of n (a multiple of 3) is 4n/3 along the point's own
// axis and n/3 along the others.
fn point_skewed_by_a_third(p: vec4<i32>, axis: vec4<i32>, period: i32) -> vec4<i32> {
    // Seven times the Cartesian coordinate.
    let seven = 7 * (p.x * axis.x + p.y * axis.y + p.z * axis.z + p.w * axis.w) - (p.x + p.y + p.z + p.w);
    let third = point_laps(seven, 7 * period) * (period / 3);
    return p - third - (3 * third) * axis;
}

fn point_skewed_4(x: u32, y: u32, z: u32, w: u32, key: Key) -> u32 {
    let along_x = point_skewed_by_a_third(vec4<i32>(vec4<u32>(x, y, z, w)), vec4<i32>(1, 0, 0, 0), key.period.x);
    let along_y = point_skewed_by_a_third(along_x, vec4<i32>(0, 1, 0, 0), key.period.y);
    let along_z = point_skewed_by_a_third(along_y, vec4<i32>(0, 0, 1, 0), key.period.z);
    let p = vec4<u32>(point_skewed_by_a_third(along_z, vec4<i32>(0, 0, 0, 1), key.period.w));
    return hash_4(p.x, p.y, p.z, p.w, key.seed);
}

fn point_cubic_3(x: u32, y: u32, z: u32, key: Key) -> u32 {
    return hash_3(point_wrapped(x, key.period.x), point_wrapped(y, key.period.y), point_wrapped(z, key.period.z), key.seed);
}

// A point of the skewed 4D lattice, by its coordinates along rows.
fn point_rows_4(x: u32, y: u32, z: u32, w: u32, key: Key) -> u32 {
    let a = point_wrapped(x - y, key.period.x);
    let b = point_wrapped(x + y - 2u * z, key.period.y);
    let c = point_wrapped(x + y + z - 3u * w, key.period.z);
    return hash_4(a, b, c, point_wrapped(x + y + z + w, key.period.w), key.seed);
}

// The point that represents all its repetitions on the lattice of rows half a cell apart: x = i - j/2, y = j. A period along y is an
// even number of rows.
fn point_staggered(i: u32, j: u32, key: Key) -> vec2<u32> {
    let laps = point_laps(i32(j), key.period.y);
    return vec2<u32>(point_wrapped(i - u32(laps * (key.period.y / 2)), key.period.x), j - u32(laps * key.period.y));
}

fn point_hexagon(i: u32, j: u32, key: Key) -> u32 {
    let p = point_staggered(i, j, key);
    return hash_2(p.x, p.y, key.seed);
}

// Points of the simplex lattice along the axes. Periods are even along x and y; in 3D they are multiples of 6 along y and of 3 along
// z. Steps of coordinates are plain, and multiplied once the representing point is known.

const POINT_STEP_X: u32 = 1u;
const POINT_STEP_Y: u32 = 1u;
const POINT_STEP_Z: u32 = 1u;

fn point_begin_x(x: u32) -> u32 {
    return x;
}

fn point_begin_y(y: u32) -> u32 {
    return y;
}

fn point_begin_z(z: u32) -> u32 {
    return z;
}

fn point_end_x(x: u32, key: Key) -> u32 {
    return hash_part_x(point_wrapped(x, key.period.x), key.seed);
}

fn point_end_y(y: u32, key: Key) -> u32 {
    return hash_part_y(point_wrapped(y, key.period.y));
}

fn point_end_z(z: u32, key: Key) -> u32 {
    return hash_part_z(point_wrapped(z, key.period.z));
}

// One axis of the body-centred lattice: a period of n (a multiple of 3) is 4n/3 along the point's own axis and n/3 along
// the others.
fn point_body_centred(p: vec3<i32>, axis: vec3<i32>, period: i32) -> vec3<i32> {
    // Six times the Cartesian coordinate.
    let six = 6 * (p.x * axis.x + p.y * axis.y + p.z * axis.z) - (p.x + p.y + p.z);
    let laps = point_laps(six, 6 * period);
    let third = laps * (period / 3);
    return p - third - (3 * third) * axis;
}

// The point that stands for all repetitions of a point of the skewed 3D lattice.
fn point_representative(p: vec3<i32>, period: vec3<i32>) -> vec3<i32> {
    let x = point_body_centred(p, vec3<i32>(1, 0, 0), period.x);
    let y = point_body_centred(x, vec3<i32>(0, 1, 0), period.y);
    return point_body_centred(y, vec3<i32>(0, 0, 1), period.z);
}
