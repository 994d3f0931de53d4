// Filters of neighbours: each sample and the next along one axis.
// requires: real

fn adjacent_next(at: vec2<i32>) -> f32 {
    return field_0(at + vec2<i32>(i32(number(0u)), i32(number(1u))));
}

fn adjacent_minimum(at: vec2<i32>) -> f32 {
    return real_min(field_0(at), adjacent_next(at));
}

fn adjacent_maximum(at: vec2<i32>) -> f32 {
    return real_max(field_0(at), adjacent_next(at));
}

fn adjacent_mean(at: vec2<i32>) -> f32 {
    return 0.5 * (field_0(at) + adjacent_next(at));
}

fn adjacent_difference(at: vec2<i32>) -> f32 {
    return 0.5 * (field_0(at) - adjacent_next(at));
}
