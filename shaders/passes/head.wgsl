// Common to all passes: the position of the invocation, and the numbers. A pass reads numbers and planes by their names in the table
// of passes (`src/schedule/passes.rs`): `number_radius()`, `field_height(at)`, `table(k)`.

struct Head {
    // Of the block, in samples.
    size: vec2<i32>,
    // The first sample that is wanted, and how many.
    first: vec2<u32>,
    count: vec2<u32>,
    // The index of the block's first sample, wrapping.
    index: vec2<u32>,
    numbers: array<vec4<f32>, 4>,
    level: u32,
}

@group(0) @binding(0) var<uniform> head: Head;

fn head_index() -> vec2<u32> {
    return head.index;
}

fn head_level() -> u32 {
    return head.level;
}

// The position of a sample in a plane whose edge values extend beyond its edges.
fn head_held(at: vec2<i32>) -> u32 {
    let last = head.size - vec2<i32>(1);
    let low = select(at, vec2<i32>(0), at < vec2<i32>(0));
    let held = select(low, last, low > last);
    return u32(held.y) * u32(head.size.x) + u32(held.x);
}

// Whether a sample lies in the block.
fn head_inside(at: vec2<i32>) -> bool {
    return at.x >= 0 && at.y >= 0 && at.x < head.size.x && at.y < head.size.y;
}
