// Thermal erosion: material on too steep slopes slides.
// requires: real

// The material that slides here from a neighbour with this difference in height; negative if it slides there. The neighbour computes
// the same number with the other sign, so material is conserved.
fn thermal_share(higher: f32, holds: f32) -> f32 {
    let excess = real_max(abs(higher) - holds, 0.0) * number_rate();
    return select(excess, -excess, higher < 0.0);
}

fn thermal_slide(at: vec2<i32>) -> f32 {
    let here = field_height(at);
    let w = thermal_share(field_height(at + vec2<i32>(-1, 0)) - here, number_straight());
    let e = thermal_share(field_height(at + vec2<i32>(1, 0)) - here, number_straight());
    let n = thermal_share(field_height(at + vec2<i32>(0, -1)) - here, number_straight());
    let s = thermal_share(field_height(at + vec2<i32>(0, 1)) - here, number_straight());
    let nw = thermal_share(field_height(at + vec2<i32>(-1, -1)) - here, number_diagonal());
    let ne = thermal_share(field_height(at + vec2<i32>(1, -1)) - here, number_diagonal());
    let sw = thermal_share(field_height(at + vec2<i32>(-1, 1)) - here, number_diagonal());
    let se = thermal_share(field_height(at + vec2<i32>(1, 1)) - here, number_diagonal());
    return here + (((w + e) + (n + s)) + ((nw + ne) + (sw + se)));
}
