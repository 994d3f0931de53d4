// Common to all kernels of drainage: where the cells of a square are. Positions are those in the square with its halo, which has the
// cells within one of the square that the world has.

struct Head {
    // Of the square, in cells.
    size: vec2<u32>,
    // The position of the square's first cell.
    offset: vec2<u32>,
    // Of the square with its halo.
    around: vec2<u32>,
    // The index in the world of the halo's first cell: the low and the high word.
    index: vec2<u32>,
    // Cells along x of the world.
    width: u32,
    // Of the hash that decides between cells of the same height.
    seed: u32,
    // Cells at or below this height are outlets, if HEAD_SEA is set.
    sea: f32,
    // Sets of HEAD_EDGE, HEAD_SEA and HEAD_MASK.
    flags: u32,
    // Of each cell, in `sums.wgsl`.
    sums: u32,
}

// Cells on the edge of the world are outlets.
const HEAD_EDGE: u32 = 1u;
const HEAD_SEA: u32 = 2u;
// Cells with a mask above 0.5 are outlets.
const HEAD_MASK: u32 = 4u;

// In place of a cell, and of a neighbour.
const HEAD_NONE: u32 = 0xffffffffu;

@group(0) @binding(0) var<uniform> head: Head;

// The number of cells. It also is the head of all cells whose water reaches an outlet.
fn head_cells() -> u32 {
    return head.size.x * head.size.y;
}

fn head_position(cell: u32) -> vec2<u32> {
    let width = head.size.x;
    let divisor = select(width, 1u, width == 0u);
    return head.offset + vec2<u32>(cell % divisor, cell / divisor);
}

// The step in a direction: eight, in the order of the neighbours' indices.
fn head_step(direction: u32) -> vec2<i32> {
    let nine = direction + select(0u, 1u, direction > 3u);
    return vec2<i32>(i32(nine % 3u), i32(nine / 3u)) - vec2<i32>(1);
}

fn head_is_diagonal(direction: u32) -> bool {
    return direction == 0u || direction == 2u || direction == 5u || direction == 7u;
}

// Whether the world has a cell at a position within one of the square.
fn head_has(at: vec2<i32>) -> bool {
    let size = vec2<i32>(head.around);
    return at.x >= 0 && at.y >= 0 && at.x < size.x && at.y < size.y;
}

// The number of the cell of the square at a position; HEAD_NONE outside.
fn head_local(at: vec2<i32>) -> u32 {
    let local = at - vec2<i32>(head.offset);
    let size = vec2<i32>(head.size);
    let inside = local.x >= 0 && local.y >= 0 && local.x < size.x && local.y < size.y;
    return select(HEAD_NONE, u32(local.y) * head.size.x + u32(local.x), inside);
}

// The number of the neighbour of a cell in a direction; HEAD_NONE outside of the square.
fn head_neighbour(cell: u32, direction: u32) -> u32 {
    return head_local(vec2<i32>(head_position(cell)) + head_step(direction));
}

// Numbers of 64 bits: the low and the high word.
fn head_wide_sum(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    let low = a.x + b.x;
    return vec2<u32>(low, a.y + b.y + select(0u, 1u, low < a.x));
}
