// Slopes and curvatures of heights.
// requires: polar real root

// Height per distance along x and y, from the samples to either side.
fn surface_gradient(at: vec2<i32>) -> vec2<f32> {
    let x = field_height(at + vec2<i32>(1, 0)) - field_height(at - vec2<i32>(1, 0));
    let y = field_height(at + vec2<i32>(0, 1)) - field_height(at - vec2<i32>(0, 1));
    return vec2<f32>(x * number_per_two_steps(), y * number_per_two_steps());
}

fn surface_slope(at: vec2<i32>) -> f32 {
    let g = surface_gradient(at);
    return root_sqrt(g.x * g.x + g.y * g.y);
}

fn surface_degrees(at: vec2<i32>) -> f32 {
    return 360.0 * polar_angle(vec3<f32>(1.0, surface_slope(at), 0.0)).value;
}

// Second derivatives along x, y and both.
fn surface_bend(at: vec2<i32>) -> vec3<f32> {
    let here = field_height(at);
    let x = (field_height(at + vec2<i32>(1, 0)) + field_height(at - vec2<i32>(1, 0))) - (here + here);
    let y = (field_height(at + vec2<i32>(0, 1)) + field_height(at - vec2<i32>(0, 1))) - (here + here);
    let down = field_height(at + vec2<i32>(1, 1)) - field_height(at + vec2<i32>(-1, 1));
    let up = field_height(at + vec2<i32>(1, -1)) - field_height(at + vec2<i32>(-1, -1));
    return vec3<f32>(x * number_per_step_squared(), y * number_per_step_squared(), (0.25 * (down - up)) * number_per_step_squared());
}

fn surface_mean(at: vec2<i32>) -> f32 {
    let b = surface_bend(at);
    return -0.5 * (b.x + b.y);
}

// The direction uphill; 0 on the flat.
fn surface_uphill(at: vec2<i32>) -> vec2<f32> {
    let g = surface_gradient(at);
    let i = root_inverse(g.x * g.x + g.y * g.y);
    return vec2<f32>(g.x * i, g.y * i);
}

fn surface_plan(at: vec2<i32>) -> f32 {
    let u = surface_uphill(at);
    let b = surface_bend(at);
    let pq = (b.z * u.x) * u.y;
    return -(((b.x * u.y) * u.y - (pq + pq)) + (b.y * u.x) * u.x);
}

fn surface_profile(at: vec2<i32>) -> f32 {
    let u = surface_uphill(at);
    let b = surface_bend(at);
    let pq = (b.z * u.x) * u.y;
    return -(((b.x * u.x) * u.x + (pq + pq)) + (b.y * u.y) * u.y);
}

fn surface_normal(at: vec2<i32>) -> vec3<f32> {
    let g = surface_gradient(at);
    let i = root_inverse(1.0 + (g.x * g.x + g.y * g.y));
    return vec3<f32>(-(g.x * i), -(g.y * i), i);
}

fn surface_hillshade(at: vec2<i32>) -> f32 {
    let n = surface_normal(at);
    return real_max((n.x * number_light_x() + n.y * number_light_y()) + n.z * number_light_z(), 0.0);
}
