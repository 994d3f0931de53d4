// Samples of value and gradient, one after the other, as planes: the value, the gradient along x and y.

fn split_jets(at: vec2<i32>) -> vec3<f32> {
    let i = 4u * head_held(at);
    return vec3<f32>(table(i), table(i + 1u), table(i + 2u));
}
