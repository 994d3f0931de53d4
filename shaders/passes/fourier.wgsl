// Fourier transforms of a square whose edge is a power of two, by Stockham's algorithm: every round reads one plane and writes
// another, and nothing is left to reorder.
// requires: real

// Numbers: 1 along x or 0 along y; edge; half the length of what this round makes; 1 forward, -1 back; edge divided by
// what this round makes. The table holds cosines, then
// sines, of i / edge turns for i below edge / 2.
fn fourier_round(at: vec2<i32>) -> vec2<f32> {
    let along = number(0u) > 0.5;
    let edge = u32(number(1u));
    let half = u32(number(2u));
    let i = u32(select(at.y, at.x, along));
    let inside = i & (half + half - 1u);
    let k = inside & (half - 1u);
    let pair = ((i - inside) >> 1u) + k;
    let a = select(vec2<i32>(at.x, i32(pair)), vec2<i32>(i32(pair), at.y), along);
    let further = i32(edge >> 1u);
    let b = a + select(vec2<i32>(0, further), vec2<i32>(further, 0), along);
    let turn = k * u32(number(4u));
    let c = table(turn);
    let s = table((edge >> 1u) + turn) * number(3u);
    let re = field_0(b) * c + field_1(b) * s;
    let im = field_1(b) * c - field_0(b) * s;
    let first = inside < half;
    return vec2<f32>(select(field_0(a) - re, field_0(a) + re, first), select(field_1(a) - im, field_1(a) + im, first));
}

// An amplitude times what the table says of its frequency; number 0: edge. The table is a quarter: the rest mirrors it.
fn fourier_shape(at: vec2<i32>) -> f32 {
    let edge = i32(number(0u));
    let half = edge >> 1u;
    let x = select(at.x, edge - at.x, at.x > half);
    let y = select(at.y, edge - at.y, at.y > half);
    return field_0(at) * table(u32(y * (half + 1) + x));
}
