// The points of stamps: one in each cell of square lattices on top of each other. With a minimum distance, only some of them stay.
// requires: hash point tables

// A point of a lattice.
struct StampPoint {
    cell: vec2<u32>,
    // Its place from the middle of the cell, in steps of 2^-14.
    at: vec2<i32>,
    rank: u32,
    // Whether it exists, and has priority over a point that is nearer than the minimum distance.
    rival: bool,
}

// The way to the cell with this number: nine in each lattice.
fn stamp_points_offset(number: u32) -> vec2<i32> {
    let own = number % 9u;
    return vec2<i32>(i32(own % 3u) - 1, i32(own / 3u) - 1);
}

// The random coordinates of a point.
fn stamp_points_random(h: u32) -> vec2<i32> {
    return vec2<i32>(bitcast<i32>(h) >> 16u, bitcast<i32>(h << 16u) >> 16u);
}

// The rank of a stamp: random, larger ones first, or smaller ones first. No two points have the same, unless their places in their
// cells are the same.
fn stamp_points_rank(word: u32, priority: u32) -> u32 {
    if priority == 0u {
        return hash_mix(hash_mix(word));
    }
    return select(word, ~word, priority == 1u);
}

// The place of a point.
fn stamp_points_place(h: u32, first: u32) -> vec2<i32> {
    return (stamp_points_random(h) * i32(table_scalar(first + 9u))) >> vec2<u32>(18u);
}

// The point with this number around another one. The minimum distance is at most one cell, so all rivals are among these. It is a
// whole number of steps: all devices compare it exactly.
fn stamp_points_around(point: StampPoint, number: u32, key: Key, first: u32, priority: u32) -> StampPoint {
    let o = stamp_points_offset(number);
    let cell = point.cell + vec2<u32>(o);
    let h = point_cubic_3(cell.x, cell.y, number / 9u, key);
    let at = stamp_points_place(h, first);
    let d = vec2<u32>((o << vec2<u32>(14u)) + (at - point.at));
    let apart = u32(table_scalar(first + 10u));
    var rank = 0u;
    var rival = false;
    if d.x * d.x + d.y * d.y < apart * apart {
        let word = hash_mix(h);
        rank = stamp_points_rank(word, priority);
        rival = f32(word & 0xffffu) < table_scalar(first + 1u) && point.rank < rank;
    }
    return StampPoint(cell, at, rank, rival);
}

// Whether a point has no rival.
fn stamp_points_leads(point: StampPoint, key: Key, first: u32, priority: u32) -> bool {
    let count = u32(table_scalar(first + 8u));
    var leads = true;
    var k = 0u;
    loop {
        leads = !stamp_points_around(point, k, key, first, priority).rival;
        k += 1u;
        if k >= count || !leads {
            break;
        }
    }
    return leads;
}

// Whether a point has a rival without rivals.
fn stamp_points_yields(point: StampPoint, key: Key, first: u32, priority: u32) -> bool {
    let count = u32(table_scalar(first + 8u));
    var yields = false;
    var k = 0u;
    loop {
        let other = stamp_points_around(point, k, key, first, priority);
        if other.rival {
            yields = stamp_points_leads(other, key, first, priority);
        }
        k += 1u;
        if k >= count || yields {
            break;
        }
    }
    return yields;
}

// Whether the point with this number around a cell stays: all its rivals yield to others.
fn stamp_points_stays(cell: vec3<i32>, number: u32, key: Key, first: u32, priority: u32) -> bool {
    let count = u32(table_scalar(first + 8u));
    let own = vec2<u32>(cell.xy + stamp_points_offset(number));
    let h = point_cubic_3(own.x, own.y, number / 9u, key);
    let point = StampPoint(own, stamp_points_place(h, first), stamp_points_rank(hash_mix(h), priority), false);
    var stays = true;
    if table_scalar(first + 10u) >= 1.0 {
        var k = 0u;
        loop {
            let other = stamp_points_around(point, k, key, first, priority);
            if other.rival {
                stays = stamp_points_yields(other, key, first, priority);
            }
            k += 1u;
            if k >= count || !stays {
                break;
            }
        }
    }
    return stays;
}
