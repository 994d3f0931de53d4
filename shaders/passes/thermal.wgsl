// Thermal erosion: what is too steep slides.
// requires: real

// What slides here from a neighbour that is so much higher; less than nothing where it slides there. The same with the other sign at
// the neighbour, so that nothing is lost.
fn thermal_share(higher: f32, holds: f32) -> f32 {
    let excess = real_max(abs(higher) - holds, 0.0) * number(2u);
    return select(excess, -excess, higher < 0.0);
}

// Numbers: what holds to the next sample, what holds along the diagonal, the share that slides.
fn thermal_slide(at: vec2<i32>) -> f32 {
    let here = field_0(at);
    let w = thermal_share(field_0(at + vec2<i32>(-1, 0)) - here, number(0u));
    let e = thermal_share(field_0(at + vec2<i32>(1, 0)) - here, number(0u));
    let n = thermal_share(field_0(at + vec2<i32>(0, -1)) - here, number(0u));
    let s = thermal_share(field_0(at + vec2<i32>(0, 1)) - here, number(0u));
    let nw = thermal_share(field_0(at + vec2<i32>(-1, -1)) - here, number(1u));
    let ne = thermal_share(field_0(at + vec2<i32>(1, -1)) - here, number(1u));
    let sw = thermal_share(field_0(at + vec2<i32>(-1, 1)) - here, number(1u));
    let se = thermal_share(field_0(at + vec2<i32>(1, 1)) - here, number(1u));
    return here + (((w + e) + (n + s)) + ((nw + ne) + (sw + se)));
}
