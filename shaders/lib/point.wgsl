// The hash of a lattice point. Kernels with periods use `point_periodic` instead.
// requires: hash

struct Key {
    seed: u32,
    // Cells after which the lattice repeats along each axis; 0 for never.
    period: vec4<i32>,
}

// The cell that stands for all its repetitions.
fn point_cell(cell: vec3<i32>, key: Key) -> vec3<u32> {
    return vec3<u32>(cell);
}

// The cell after such a one, along each axis.
fn point_after(cell: vec3<u32>, key: Key) -> vec3<u32> {
    return cell + 1u;
}

// The cells on both sides of a position along the fourth axis.
fn point_fourth(w: i32, key: Key) -> vec2<u32> {
    return vec2<u32>(u32(w), u32(w) + 1u);
}

fn point_cubic_1(x: u32, key: Key) -> u32 {
    return hash_1(x, key.seed);
}

fn point_cubic_2(x: u32, y: u32, key: Key) -> u32 {
    return hash_2(x, y, key.seed);
}

fn point_skewed_4(x: u32, y: u32, z: u32, w: u32, key: Key) -> u32 {
    return hash_4(x, y, z, w, key.seed);
}

fn point_cubic_3(x: u32, y: u32, z: u32, key: Key) -> u32 {
    return hash_3(x, y, z, key.seed);
}

// A point of the skewed 4D lattice, by its coordinates along rows.
fn point_rows_4(x: u32, y: u32, z: u32, w: u32, key: Key) -> u32 {
    return hash_4(x - y, x + y - 2u * z, x + y + z - 3u * w, x + y + z + w, key.seed);
}

// The point that stands for all its repetitions on the lattice of rows half a cell apart.
fn point_staggered(i: u32, j: u32, key: Key) -> vec2<u32> {
    return vec2<u32>(i, j);
}

// A point of a hexagonal map.
fn point_hexagon(i: u32, j: u32, key: Key) -> u32 {
    return hash_2(i, j, key.seed);
}

// Points of the simplex lattice along the axes. The corners of a simplex are a few steps from the sample's cell: coordinates and
// steps are multiplied for the hash once.

const POINT_STEP_X: u32 = HASH_X;
const POINT_STEP_Y: u32 = HASH_Y;
const POINT_STEP_Z: u32 = HASH_Z;

// Coordinates, ready for steps.

fn point_begin_x(x: u32) -> u32 {
    return x * HASH_X;
}

fn point_begin_y(y: u32) -> u32 {
    return y * HASH_Y;
}

fn point_begin_z(z: u32) -> u32 {
    return z * HASH_Z;
}

// Their contribution to the hash.

fn point_end_x(x: u32, key: Key) -> u32 {
    return x ^ key.seed;
}

fn point_end_y(y: u32, key: Key) -> u32 {
    return hash_turn(y, HASH_TURN_Y);
}

fn point_end_z(z: u32, key: Key) -> u32 {
    return hash_turn(z, HASH_TURN_Z);
}
