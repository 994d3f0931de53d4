// White noise by the fraction of a large multiple of a sine.
// requires: jet turn

// 2 · fract(sin(12.9898 x + 78.233 y + 37.719 z) · 43758.5453) - 1 for whole x, y, z. The sine's argument is counted in turns of
// 2^-32, in which whole multiples wrap by themselves.
fn white_sine(cell: vec3<u32>) -> Jet {
    let turns = cell.x * 289441625u + cell.y * 1937754652u + cell.z * 13594853u;
    let scaled = turn_whole(f32(turns >> 8u) * 5.9604644775390625e-8).x * 43758.546875;
    return jet_constant(2.0 * (scaled - floor(scaled)) - 1.0);
}
