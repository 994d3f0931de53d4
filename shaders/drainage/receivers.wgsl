// The receiver of each cell: the neighbour of lower rank to which the slope is steepest, and of these the one of the lowest rank.
// The twin of src/drainage/surface.rs.

// Of the square with its halo, in rows.
@group(0) @binding(1) var<storage, read> heights: array<f32>;
@group(0) @binding(2) var<storage, read> mask: array<f32>;
// Of each cell 1 plus its direction, which is RECEIVERS_PIT or RECEIVERS_OUTLET without a receiver; plus RECEIVERS_EXIT if that lies
// outside of the square.
@group(0) @binding(3) var<storage, read_write> directions: array<u32>;
// Of each cell its receiver in the square. The end of water that flows no further is its own; outlets have the number of cells.
@group(0) @binding(4) var<storage, read_write> heads: array<u32>;
@group(0) @binding(5) var<storage, read_write> keys: array<u32>;
@group(0) @binding(6) var<storage, read_write> hashes: array<u32>;
// The passes by which basins were joined: none yet.
@group(0) @binding(7) var<storage, read_write> edges: array<u32>;

const RECEIVERS_PIT: u32 = 8u;
const RECEIVERS_OUTLET: u32 = 9u;
const RECEIVERS_EXIT: u32 = 16u;
// 1/√2: a diagonal step is longer.
const RECEIVERS_DIAGONAL: f32 = 0.70710677;

fn receivers_place(at: vec2<u32>) -> u32 {
    return at.y * head.around.x + at.x;
}

fn receivers_height(at: vec2<i32>) -> f32 {
    return heights[receivers_place(vec2<u32>(at))];
}

// The set of directions of the steepest slope downwards, a bit each; empty if no neighbour is lower.
fn receivers_steepest(at: vec2<u32>) -> u32 {
    let own = receivers_height(vec2<i32>(at));
    var best = 0.0;
    var found = 0u;
    for (var direction = 0u; direction < 8u; direction++) {
        let next = vec2<i32>(at) + head_step(direction);
        if (head_has(next)) {
            let drop = own - receivers_height(next);
            let slope = select(drop, drop * RECEIVERS_DIAGONAL, head_is_diagonal(direction));
            if (slope > best) {
                best = slope;
                found = 0u;
            }
            if (slope >= best && slope > 0.0) {
                found |= 1u << direction;
            }
        }
    }
    return found;
}

// The direction of the neighbour of the lowest rank, among a set of directions. If the set is empty: among neighbours of the same
// height.
fn receivers_among(at: vec2<u32>, among: u32) -> u32 {
    let own = receivers_height(vec2<i32>(at));
    var best = RECEIVERS_PIT;
    var lowest = order_rank(at, own);
    for (var direction = 0u; direction < 8u; direction++) {
        let next = vec2<i32>(at) + head_step(direction);
        if (head_has(next)) {
            let height = receivers_height(next);
            let is_candidate = select(height <= own && height >= own, ((among >> direction) & 1u) == 1u, among != 0u);
            // The neighbours of a set are lower than the cell itself.
            let rank = order_rank(vec2<u32>(next), height);
            if (is_candidate && order_is_below(rank, lowest)) {
                best = direction;
                lowest = rank;
            }
        }
    }
    return best;
}

fn receivers_is_outlet(at: vec2<u32>) -> bool {
    let last = head.around - vec2<u32>(1u);
    let on_edge = at.x == 0u || at.y == 0u || at.x == last.x || at.y == last.y;
    let place = receivers_place(at);
    return ((head.flags & HEAD_EDGE) != 0u && on_edge)
        || ((head.flags & HEAD_SEA) != 0u && heights[place] <= head.sea)
        || ((head.flags & HEAD_MASK) != 0u && mask[place] > 0.5);
}

fn receivers_of(cell: u32) {
    edges[cell] = HEAD_NONE;
    if (cell == head_cells()) {
        heads[cell] = cell;
        return;
    }
    let at = head_position(cell);
    let rank = order_rank(at, receivers_height(vec2<i32>(at)));
    keys[cell] = rank.key;
    hashes[cell] = rank.hash;
    if (receivers_is_outlet(at)) {
        directions[cell] = 1u + RECEIVERS_OUTLET;
        heads[cell] = head_cells();
        return;
    }
    let direction = receivers_among(at, receivers_steepest(at));
    if (direction == RECEIVERS_PIT) {
        directions[cell] = 1u + RECEIVERS_PIT;
        heads[cell] = cell;
        return;
    }
    let next = head_neighbour(cell, direction);
    let leaves = next == HEAD_NONE;
    directions[cell] = 1u + direction + select(0u, RECEIVERS_EXIT, leaves);
    heads[cell] = select(next, cell, leaves);
}
