// Sums down the water, and lengths to its ends, by pointer doubling.
//
// Before round k, each cell refers to the cell 2^k steps down the water, and its sum covers the cells with fewer than 2^k steps to it.
// The round adds the sums of the cells that refer to it. All numbers are integers, so the order of the additions has no influence.

// Of each cell one downstream of it, or its end plus SUMS_END.
@group(0) @binding(1) var<storage, read> nexts: array<u32>;
@group(0) @binding(2) var<storage, read_write> nexts_after: array<u32>;
// 64 bits each: the low and the high word.
@group(0) @binding(3) var<storage, read> sums: array<u32>;
// They begin as a copy of `sums`.
@group(0) @binding(4) var<storage, read_write> sums_after: array<atomic<u32>>;
@group(0) @binding(5) var<storage, read> distances: array<vec2<u32>>;
@group(0) @binding(6) var<storage, read_write> distances_after: array<vec2<u32>>;
// Not 0 if some cell has not reached its end.
@group(0) @binding(7) var<storage, read_write> open: atomic<u32>;

const SUMS_END: u32 = 0x80000000u;

// Adds a number of 64 bits to one of `sums_after`. Each carry of the low word is seen by the addition that causes it.
fn sums_add(at: u32, value: vec2<u32>) {
    let before = atomicAdd(&sums_after[2u * at], value.x);
    let carry = select(0u, 1u, before + value.x < before);
    atomicAdd(&sums_after[2u * at + 1u], value.y + carry);
}

fn sums_double(cell: u32) {
    let cells = head_cells();
    if (cell == cells) {
        return;
    }
    let next = nexts[cell];
    if (next >= SUMS_END) {
        nexts_after[cell] = next;
        distances_after[cell] = distances[cell];
        return;
    }
    // There may be several sums for each cell.
    for (var first = 0u; first < head.sums * cells; first += cells) {
        let at = 2u * (first + cell);
        sums_add(first + next, vec2<u32>(sums[at], sums[at + 1u]));
    }
    nexts_after[cell] = nexts[next];
    distances_after[cell] = head_wide_sum(distances[cell], distances[next]);
    if (nexts[next] < SUMS_END) {
        atomicStore(&open, 1u);
    }
}
