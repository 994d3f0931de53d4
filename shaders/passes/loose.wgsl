// Loose material on the ground slides where its surface is too steep.
// requires: real

// The material that slides here from a neighbour, times eight; negative if it slides there. No more of it slides than lies there. The
// neighbour computes the same number with the other sign, so material is conserved.
fn loose_share(at: vec2<i32>, surface: f32, own: f32, holds: f32) -> f32 {
    let loose = field_loose(at);
    let higher = (field_ground(at) + loose) - surface;
    let excess = real_max(abs(higher) - holds, 0.0);
    let slides = real_min(excess, select(loose, own, higher < 0.0));
    return select(slides, -slides, higher < 0.0);
}

fn loose_slide(at: vec2<i32>) -> f32 {
    let own = field_loose(at);
    let surface = field_ground(at) + own;
    let w = loose_share(at + vec2<i32>(-1, 0), surface, own, number_straight());
    let e = loose_share(at + vec2<i32>(1, 0), surface, own, number_straight());
    let n = loose_share(at + vec2<i32>(0, -1), surface, own, number_straight());
    let s = loose_share(at + vec2<i32>(0, 1), surface, own, number_straight());
    let nw = loose_share(at + vec2<i32>(-1, -1), surface, own, number_diagonal());
    let ne = loose_share(at + vec2<i32>(1, -1), surface, own, number_diagonal());
    let sw = loose_share(at + vec2<i32>(-1, 1), surface, own, number_diagonal());
    let se = loose_share(at + vec2<i32>(1, 1), surface, own, number_diagonal());
    return real_max(own + 0.125 * (((w + e) + (n + s)) + ((nw + ne) + (sw + se))), 0.0);
}
