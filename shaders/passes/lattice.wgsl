// Fields made from sample indices: random numbers, and repeatedly halved lattices.
// requires: hash real

// The index at level 0 of a sample, wrapping.
fn lattice_index(at: vec2<i32>) -> vec2<u32> {
    let level = head_level();
    let index = head_index();
    let shift = level & 31u;
    let x = (index.x + u32(at.x)) << shift;
    let y = (index.y + u32(at.y)) << shift;
    return select(vec2<u32>(x, y), vec2<u32>(0u), level > 31u);
}

// A random number from -1 to 1.
fn lattice_random(index: vec2<u32>) -> f32 {
    let seed = (u32(number_seed_high()) << 16u) | u32(number_seed_low());
    return f32(hash_2(index.x, index.y, seed) >> 8u) * 1.1920928955078125e-7 - 1.0;
}

fn lattice_white(at: vec2<i32>) -> f32 {
    return lattice_random(lattice_index(at));
}

fn lattice_corners(at: vec2<i32>) -> f32 {
    let index = lattice_index(at);
    let mask = u32(number_edge()) - 1u;
    let y = select(index.y, 0u, number_along_x() > 0.5);
    let corner = (index.x & mask) == 0u && (y & mask) == 0u;
    return select(0.0, lattice_random(vec2<u32>(index.x, y)) * number_amplitude(), corner);
}

// The middle of a cell: the mean of its corners and a random part.
fn lattice_diamond(at: vec2<i32>) -> f32 {
    let index = lattice_index(at);
    let mask = u32(number_edge()) - 1u;
    let half = u32(number_edge()) >> 1u;
    let middle = (index.x & mask) == half && (index.y & mask) == half;
    let r = i32(number_arm());
    let upper = field_value(at + vec2<i32>(-r, -r)) + field_value(at + vec2<i32>(r, -r));
    let lower = field_value(at + vec2<i32>(-r, r)) + field_value(at + vec2<i32>(r, r));
    return select(field_value(at), 0.25 * (upper + lower) + lattice_random(index) * number_amplitude(), middle);
}

// The middle of an edge: the mean of its ends and of the middles of the adjacent cells, plus a random part.
fn lattice_square(at: vec2<i32>) -> f32 {
    let index = lattice_index(at);
    let mask = u32(number_edge()) - 1u;
    let half = u32(number_edge()) >> 1u;
    let x = index.x & mask;
    let y = index.y & mask;
    let middle = (x == half && y == 0u) || (x == 0u && y == half);
    let r = i32(number_arm());
    let along = field_value(at + vec2<i32>(-r, 0)) + field_value(at + vec2<i32>(r, 0));
    let across = field_value(at + vec2<i32>(0, -r)) + field_value(at + vec2<i32>(0, r));
    return select(field_value(at), 0.25 * (along + across) + lattice_random(index) * number_amplitude(), middle);
}

// The middles of edges from their ends, the middle of a cell from its corners.
fn lattice_midpoint(at: vec2<i32>) -> f32 {
    let index = lattice_index(at);
    let mask = u32(number_edge()) - 1u;
    let half = u32(number_edge()) >> 1u;
    let row = number_along_x() > 0.5;
    let x = index.x & mask;
    let y = select(index.y & mask, 0u, row);
    let r = i32(number_arm());
    let along = 0.5 * (field_value(at + vec2<i32>(-r, 0)) + field_value(at + vec2<i32>(r, 0)));
    let across = 0.5 * (field_value(at + vec2<i32>(0, -r)) + field_value(at + vec2<i32>(0, r)));
    let upper = field_value(at + vec2<i32>(-r, -r)) + field_value(at + vec2<i32>(r, -r));
    let lower = field_value(at + vec2<i32>(-r, r)) + field_value(at + vec2<i32>(r, r));
    let mean = select(select(0.25 * (upper + lower), across, x == 0u), along, y == 0u);
    let corner = x == 0u && y == 0u;
    let middle = !corner && (x == half || x == 0u) && (y == half || y == 0u);
    let random = lattice_random(vec2<u32>(index.x, select(index.y, 0u, row))) * number_amplitude();
    return select(field_value(at), mean + random, middle);
}

// Row k changes where the index has k zeros at its end.
fn lattice_voss(at: vec2<i32>) -> f32 {
    let index = lattice_index(at);
    let rows = u32(number_rows());
    var sum = 0.0;
    for (var k = 0u; k < rows; k++) {
        let half = (1u << k) >> 1u;
        let x = (index.x + half) >> k;
        let y = select((index.y + half) >> k, 0u, number_along_x() > 0.5);
        sum += lattice_random(vec2<u32>(x ^ (k << 27u), y));
    }
    return sum * number_per_row();
}

fn lattice_tile(at: vec2<i32>) -> f32 {
    let index = lattice_index(at);
    let size = u32(number_size());
    return table((index.y & (size - 1u)) * size + (index.x & (size - 1u)));
}
