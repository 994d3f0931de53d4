// Fourier transforms of a square whose edge is a power of two, by Stockham's algorithm. Every round reads one plane and writes
// another, and no reordering is necessary.
// requires: real

fn fourier_round(at: vec2<i32>) -> vec2<f32> {
    let along = number_along_x() > 0.5;
    let edge = u32(number_edge());
    let half = u32(number_half());
    let i = u32(select(at.y, at.x, along));
    let inside = i & (half + half - 1u);
    let k = inside & (half - 1u);
    let pair = ((i - inside) >> 1u) + k;
    let a = select(vec2<i32>(at.x, i32(pair)), vec2<i32>(i32(pair), at.y), along);
    let further = i32(edge >> 1u);
    let b = a + select(vec2<i32>(0, further), vec2<i32>(further, 0), along);
    let turn = half - 1u + k;
    let c = table(turn);
    let s = table(edge - 1u + turn) * number_direction();
    let re = field_re(b) * c + field_im(b) * s;
    let im = field_im(b) * c - field_re(b) * s;
    let first = inside < half;
    return vec2<f32>(select(field_re(a) - re, field_re(a) + re, first), select(field_im(a) - im, field_im(a) + im, first));
}

// An amplitude times the table's factor for its frequency.
fn fourier_shape(at: vec2<i32>) -> f32 {
    let edge = i32(number_edge());
    let y = select(at.y, edge - at.y, at.y > edge >> 1u);
    return field_value(at) * table(u32(y * edge + at.x));
}
