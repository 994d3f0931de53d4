// Fields made from sample indices: random numbers, and lattices halved again and again.
// requires: hash real

// The index at level 0 of a sample, wrapping.
fn lattice_index(at: vec2<i32>) -> vec2<u32> {
    let level = filter_level();
    let index = filter_index();
    let shift = level & 31u;
    let x = (index.x + u32(at.x)) << shift;
    let y = (index.y + u32(at.y)) << shift;
    return select(vec2<u32>(x, y), vec2<u32>(0u), level > 31u);
}

// A random number from -1 to 1; numbers 0 and 1 are halves of the seed.
fn lattice_random(index: vec2<u32>) -> f32 {
    let seed = (u32(number(1u)) << 16u) | u32(number(0u));
    return f32(hash_2(index.x, index.y, seed) >> 8u) * 1.1920928955078125e-7 - 1.0;
}

fn lattice_white(at: vec2<i32>) -> f32 {
    return lattice_random(lattice_index(at));
}

// Numbers 2 and 3: edge of a cell, amplitude. Number 4: 1 for the same in every row.
fn lattice_corners(at: vec2<i32>) -> f32 {
    let index = lattice_index(at);
    let mask = u32(number(2u)) - 1u;
    let y = select(index.y, 0u, number(4u) > 0.5);
    let corner = (index.x & mask) == 0u && (y & mask) == 0u;
    return select(0.0, lattice_random(vec2<u32>(index.x, y)) * number(3u), corner);
}

// The middle of a cell: the mean of its corners and a random part. Number 5: samples from the middle to an edge.
fn lattice_diamond(at: vec2<i32>) -> f32 {
    let index = lattice_index(at);
    let mask = u32(number(2u)) - 1u;
    let half = u32(number(2u)) >> 1u;
    let middle = (index.x & mask) == half && (index.y & mask) == half;
    let r = i32(number(5u));
    let upper = field_0(at + vec2<i32>(-r, -r)) + field_0(at + vec2<i32>(r, -r));
    let lower = field_0(at + vec2<i32>(-r, r)) + field_0(at + vec2<i32>(r, r));
    return select(field_0(at), 0.25 * (upper + lower) + lattice_random(index) * number(3u), middle);
}

// The middle of an edge: the mean of its ends and of the middles of the cells beside it, and a random part.
fn lattice_square(at: vec2<i32>) -> f32 {
    let index = lattice_index(at);
    let mask = u32(number(2u)) - 1u;
    let half = u32(number(2u)) >> 1u;
    let x = index.x & mask;
    let y = index.y & mask;
    let middle = (x == half && y == 0u) || (x == 0u && y == half);
    let r = i32(number(5u));
    let along = field_0(at + vec2<i32>(-r, 0)) + field_0(at + vec2<i32>(r, 0));
    let across = field_0(at + vec2<i32>(0, -r)) + field_0(at + vec2<i32>(0, r));
    return select(field_0(at), 0.25 * (along + across) + lattice_random(index) * number(3u), middle);
}

// The middles of edges from their ends, the middle of a cell from its corners.
fn lattice_midpoint(at: vec2<i32>) -> f32 {
    let index = lattice_index(at);
    let mask = u32(number(2u)) - 1u;
    let half = u32(number(2u)) >> 1u;
    let row = number(4u) > 0.5;
    let x = index.x & mask;
    let y = select(index.y & mask, 0u, row);
    let r = i32(number(5u));
    let along = 0.5 * (field_0(at + vec2<i32>(-r, 0)) + field_0(at + vec2<i32>(r, 0)));
    let across = 0.5 * (field_0(at + vec2<i32>(0, -r)) + field_0(at + vec2<i32>(0, r)));
    let upper = field_0(at + vec2<i32>(-r, -r)) + field_0(at + vec2<i32>(r, -r));
    let lower = field_0(at + vec2<i32>(-r, r)) + field_0(at + vec2<i32>(r, r));
    let mean = select(select(0.25 * (upper + lower), across, x == 0u), along, y == 0u);
    let corner = x == 0u && y == 0u;
    let middle = !corner && (x == half || x == 0u) && (y == half || y == 0u);
    let random = lattice_random(vec2<u32>(index.x, select(index.y, 0u, row))) * number(3u);
    return select(field_0(at), mean + random, middle);
}

// Numbers 2 and 3: how many random numbers, and the reciprocal. Row k changes where the index has k zeros at its end.
fn lattice_voss(at: vec2<i32>) -> f32 {
    let index = lattice_index(at);
    let rows = u32(number(2u));
    var sum = 0.0;
    for (var k = 0u; k < rows; k++) {
        let half = (1u << k) >> 1u;
        let x = (index.x + half) >> k;
        let y = select((index.y + half) >> k, 0u, number(4u) > 0.5);
        sum += lattice_random(vec2<u32>(x ^ (k << 27u), y));
    }
    return sum * number(3u);
}

// Number 2: samples after which the table repeats.
fn lattice_tile(at: vec2<i32>) -> f32 {
    let index = lattice_index(at);
    let size = u32(number(2u));
    return table((index.y & (size - 1u)) * size + (index.x & (size - 1u)));
}
