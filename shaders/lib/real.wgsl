// Numbers. The built-in min and max may pick either zero; these say which.

fn real_min(a: f32, b: f32) -> f32 {
    return select(b, a, a < b);
}

fn real_max(a: f32, b: f32) -> f32 {
    return select(b, a, a > b);
}
