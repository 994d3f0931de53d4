// Planes at displaced positions.
// requires: real

fn displace_bilinear(at: vec2<i32>) -> f32 {
    let most = number_most();
    let x = real_min(real_max(field_x(at) * number_per_step(), -most), most);
    let y = real_min(real_max(field_y(at) * number_per_step(), -most), most);
    let left = floor(x);
    let above = floor(y);
    let there = at + vec2<i32>(i32(left), i32(above));
    let right = x - left;
    let below = y - above;
    let upper = field_value(there) * (1.0 - right) + field_value(there + vec2<i32>(1, 0)) * right;
    let lower = field_value(there + vec2<i32>(0, 1)) * (1.0 - right) + field_value(there + vec2<i32>(1, 1)) * right;
    return upper * (1.0 - below) + lower * below;
}
