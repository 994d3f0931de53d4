// Filters of neighbours: each sample and the next along one axis.
// requires: real

fn adjacent_next(at: vec2<i32>) -> f32 {
    return field_value(at + vec2<i32>(i32(number_x()), i32(number_y())));
}

fn adjacent_minimum(at: vec2<i32>) -> f32 {
    return real_min(field_value(at), adjacent_next(at));
}

fn adjacent_maximum(at: vec2<i32>) -> f32 {
    return real_max(field_value(at), adjacent_next(at));
}

fn adjacent_mean(at: vec2<i32>) -> f32 {
    return 0.5 * (field_value(at) + adjacent_next(at));
}

fn adjacent_difference(at: vec2<i32>) -> f32 {
    return 0.5 * (field_value(at) - adjacent_next(at));
}
