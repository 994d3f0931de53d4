// The total order of cells: by height, then by hash, then by index. The twin of src/drainage/order.rs.

struct Rank {
    key: u32,
    hash: u32,
    index: vec2<u32>,
}

// The bits of a height as a number with the same order. −0 equals +0.
fn order_key(height: f32) -> u32 {
    let all = bitcast<u32>(height);
    let bits = select(all, 0u, all == 0x80000000u);
    return bits ^ select(0x80000000u, 0xffffffffu, (bits >> 31u) == 1u);
}

// A bijection of 32 bits in which every bit of the input changes about half of the output.
fn order_mix(bits: u32) -> u32 {
    var x = bits;
    x ^= x >> 16u;
    x *= 0x7feb352du;
    x ^= x >> 15u;
    x *= 0x846ca68bu;
    return x ^ (x >> 16u);
}

fn order_hash(index: vec2<u32>) -> u32 {
    return order_mix(index.x ^ order_mix(index.y ^ head.seed));
}

// The index in the world of the cell at a position. Positions are below 2¹⁶.
fn order_index(at: vec2<u32>) -> vec2<u32> {
    let low = at.y * (head.width & 0xffffu);
    let high = at.y * (head.width >> 16u);
    let rows = head_wide_sum(vec2<u32>(low, 0u), vec2<u32>(high << 16u, high >> 16u));
    return head_wide_sum(head_wide_sum(head.index, rows), vec2<u32>(at.x, 0u));
}

fn order_rank(at: vec2<u32>, height: f32) -> Rank {
    let index = order_index(at);
    return Rank(order_key(height), order_hash(index), index);
}

fn order_is_below(a: Rank, b: Rank) -> bool {
    if (a.key != b.key) {
        return a.key < b.key;
    }
    if (a.hash != b.hash) {
        return a.hash < b.hash;
    }
    if (a.index.y != b.index.y) {
        return a.index.y < b.index.y;
    }
    return a.index.x < b.index.x;
}
