// A round of Borůvka's algorithm: each group of basins joins the group beyond its lowest pass. Weights of passes differ, so groups join
// in no circle, except for two whose lowest pass is the same. Of these, the smaller number stays.

// Of each group the higher cell of its lowest pass.
@group(0) @binding(4) var<storage, read> lowest_cells: array<u32>;
// The groups after the round. They may form chains.
@group(0) @binding(5) var<storage, read_write> joined: array<u32>;
// Of each group that was joined the pass: 8 times the higher cell, plus the direction to the lower one.
@group(0) @binding(6) var<storage, read_write> edges: array<u32>;
// Groups with a pass, and those that were joined.
@group(0) @binding(7) var<storage, read_write> counts: array<atomic<u32>, 2>;

struct Pass {
    edge: u32,
    // The group beyond it.
    to: u32,
}

// The lowest pass of a group that has one: of those with its higher cell, the one whose other cell is the lowest.
fn join_pass(group: u32) -> Pass {
    let high = lowest_cells[group];
    let of_high = heads[high];
    var lowest = HEAD_NONE;
    var found = Pass(HEAD_NONE, group);
    for (var direction = 0u; direction < 8u; direction++) {
        let low = head_neighbour(high, direction);
        if (low != HEAD_NONE) {
            let of_low = heads[low];
            if ((of_high == group) != (of_low == group) && groups_is_above(high, low)) {
                if (lowest == HEAD_NONE || groups_is_above(lowest, low)) {
                    lowest = low;
                    found = Pass(8u * high + direction, select(of_high, of_low, of_high == group));
                }
            }
        }
    }
    return found;
}

fn join_group(group: u32) {
    joined[group] = heads[group];
    if (heads[group] != group || lowest_cells[group] == HEAD_NONE) {
        return;
    }
    atomicAdd(&counts[0], 1u);
    let found = join_pass(group);
    if (group < found.to && join_pass(found.to).edge == found.edge) {
        return;
    }
    joined[group] = found.to;
    edges[group] = found.edge;
    atomicAdd(&counts[1], 1u);
}
