// The operations of nodes that read stages, sample by sample. They are those of kernels, for values without gradients.
// requires: curve jet power

fn node_value(at: vec2<i32>) -> Jet {
    return jet_constant(field_value(at));
}

fn node_abs(at: vec2<i32>) -> f32 {
    return abs(field_value(at));
}

fn node_power(at: vec2<i32>) -> f32 {
    return power_signed(node_value(at), number_exponent()).value;
}

fn node_blend(at: vec2<i32>) -> f32 {
    return jet_blend(jet_constant(field_a(at)), jet_constant(field_b(at)), jet_constant(field_mask(at))).value;
}

fn node_smoothstep(at: vec2<i32>) -> f32 {
    return curve_smoothstep(node_value(at), vec4<f32>(number_low(), number_per_width(), 0.0, 0.0)).value;
}

fn node_terrace(at: vec2<i32>) -> f32 {
    return curve_terrace(node_value(at), vec4<f32>(number_height(), number_per_height(), number_flat(), number_per_slope())).value;
}

fn node_threshold(at: vec2<i32>) -> f32 {
    return curve_threshold(node_value(at), vec4<f32>(number_edge(), number_below(), number_above(), 0.0)).value;
}

fn node_gain(at: vec2<i32>) -> f32 {
    return curve_gain(node_value(at), vec4<f32>(number_exponent(), 0.0, 0.0, 0.0)).value;
}

fn node_sine(at: vec2<i32>) -> f32 {
    return curve_sine(node_value(at), vec4<f32>(number_frequency(), number_phase(), 0.0, 0.0)).value;
}

fn node_normal(at: vec2<i32>) -> f32 {
    return curve_normal(node_value(at), vec4<f32>(number_per_deviation(), 0.0, 0.0, 0.0)).value;
}

fn node_weibull(at: vec2<i32>) -> f32 {
    return curve_weibull_quantile(node_value(at), vec4<f32>(number_location(), number_scale(), number_per_shape(), 0.0)).value;
}

fn node_quantile(at: vec2<i32>) -> f32 {
    return curve_normal_quantile(node_value(at), vec4<f32>(number_location(), number_scale(), 0.0, 0.0)).value;
}
