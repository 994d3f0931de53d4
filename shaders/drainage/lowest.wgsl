// The lowest pass of each basin, or group of basins: minima of keys, then of hashes among equal keys, then of cells among equal hashes.
//
// A pass is a pair of neighbouring cells of different groups. The higher cell decides, so these are its key, its hash and its number.
// Numbers in a square are ordered as indices in the world are.

// Of each group.
@group(0) @binding(4) var<storage, read_write> lowest_keys: array<atomic<u32>>;
@group(0) @binding(5) var<storage, read_write> lowest_hashes: array<atomic<u32>>;
@group(0) @binding(6) var<storage, read_write> lowest_cells: array<atomic<u32>>;

// Before a round.
fn lowest_unknown(group: u32) {
    atomicStore(&lowest_keys[group], HEAD_NONE);
    atomicStore(&lowest_hashes[group], HEAD_NONE);
    atomicStore(&lowest_cells[group], HEAD_NONE);
}

// The higher one of a cell and its neighbour in a direction. HEAD_NONE if there is no pass between them.
fn lowest_high(cell: u32, direction: u32) -> u32 {
    let next = head_neighbour(cell, direction);
    if (next == HEAD_NONE) {
        return HEAD_NONE;
    }
    if (heads[next] == heads[cell]) {
        return HEAD_NONE;
    }
    return select(next, cell, groups_is_above(cell, next));
}

fn lowest_key(cell: u32) {
    if (cell == head_cells()) {
        return;
    }
    var lowest = HEAD_NONE;
    for (var direction = 0u; direction < 8u; direction++) {
        let high = lowest_high(cell, direction);
        if (high != HEAD_NONE) {
            lowest = select(lowest, keys[high], keys[high] < lowest);
        }
    }
    let group = heads[cell];
    if (lowest < atomicLoad(&lowest_keys[group])) {
        atomicMin(&lowest_keys[group], lowest);
    }
}

fn lowest_hash(cell: u32) {
    if (cell == head_cells()) {
        return;
    }
    let group = heads[cell];
    let key = atomicLoad(&lowest_keys[group]);
    // The higher cell of a pass is not below the cell.
    if (keys[cell] > key) {
        return;
    }
    for (var direction = 0u; direction < 8u; direction++) {
        let high = lowest_high(cell, direction);
        if (high != HEAD_NONE) {
            if (keys[high] == key) {
                atomicMin(&lowest_hashes[group], hashes[high]);
            }
        }
    }
}

fn lowest_cell(cell: u32) {
    if (cell == head_cells()) {
        return;
    }
    let group = heads[cell];
    let key = atomicLoad(&lowest_keys[group]);
    let hash = atomicLoad(&lowest_hashes[group]);
    if (keys[cell] > key) {
        return;
    }
    for (var direction = 0u; direction < 8u; direction++) {
        let high = lowest_high(cell, direction);
        if (high != HEAD_NONE) {
            if (keys[high] == key && hashes[high] == hash) {
                atomicMin(&lowest_cells[group], high);
            }
        }
    }
}
