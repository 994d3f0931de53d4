// Groups of basins, and the order of cells in a square.

// The group of each cell: the number of one of its ends.
@group(0) @binding(1) var<storage, read> heads: array<u32>;
@group(0) @binding(2) var<storage, read> keys: array<u32>;
@group(0) @binding(3) var<storage, read> hashes: array<u32>;

// Whether a cell has a higher rank than another. Numbers in a square are ordered as indices in the world are.
fn groups_is_above(a: u32, b: u32) -> bool {
    if (keys[a] != keys[b]) {
        return keys[a] > keys[b];
    }
    if (hashes[a] != hashes[b]) {
        return hashes[a] > hashes[b];
    }
    return a > b;
}
