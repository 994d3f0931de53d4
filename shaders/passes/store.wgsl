// A layer's channels as the numbers of a texel.
// requires: texel

fn store_one(at: vec2<i32>) -> vec4<f32> {
    return texel_value(Jet(field_x(at), vec3<f32>(0.0)), number_scale(), number_offset());
}

fn store_three(at: vec2<i32>) -> vec4<f32> {
    return texel_channels(vec4<f32>(field_x(at), field_y(at), field_z(at), 1.0), number_scale(), number_offset());
}

fn store_four(at: vec2<i32>) -> vec4<f32> {
    return texel_channels(vec4<f32>(field_x(at), field_y(at), field_z(at), field_w(at)), number_scale(), number_offset());
}
