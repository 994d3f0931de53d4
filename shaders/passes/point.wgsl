// What becomes of samples by themselves.
// requires: real root

fn point_fill(at: vec2<i32>) -> f32 {
    return number(0u);
}

// Scaled, shifted, held.
fn point_scale(at: vec2<i32>) -> f32 {
    return real_min(real_max(field_0(at) * number(0u) + number(1u), number(2u)), number(3u));
}

// Numbers: the smallest, a scale, what the smallest becomes, the bounds.
fn point_stretch(at: vec2<i32>) -> f32 {
    return real_min(real_max((field_0(at) - number(0u)) * number(1u) + number(2u), number(3u)), number(4u));
}

// The share of a distribution that lies below, between two numbers. The table holds quantiles, then the reciprocals of their
// differences.
fn point_rank(at: vec2<i32>) -> f32 {
    let x = field_0(at);
    let last = u32(number(0u));
    var low = 0u;
    var high = last;
    while (high - low > 1u) {
        let middle = (low + high) >> 1u;
        if (table(middle) <= x) {
            low = middle;
        } else {
            high = middle;
        }
    }
    let inside = real_min(real_max((x - table(low)) * table(last + 1u + low), 0.0), 1.0);
    return (f32(low) + inside) * number(1u) + number(2u);
}

// 3t² - 2t³ of the share of the way.
fn point_mask(at: vec2<i32>) -> f32 {
    let t = real_min(real_max((field_0(at) - number(0u)) * number(1u), 0.0), 1.0);
    return (t * t) * (3.0 - (t + t));
}

fn point_add(at: vec2<i32>) -> f32 {
    return field_0(at) + field_1(at);
}

fn point_subtract(at: vec2<i32>) -> f32 {
    return field_0(at) - field_1(at);
}

fn point_multiply(at: vec2<i32>) -> f32 {
    return field_0(at) * field_1(at);
}

fn point_minimum(at: vec2<i32>) -> f32 {
    return real_min(field_0(at), field_1(at));
}

fn point_maximum(at: vec2<i32>) -> f32 {
    return real_max(field_0(at), field_1(at));
}

// The mask is held between 0 and 1, where either end gives one field exactly.
fn point_blend(at: vec2<i32>) -> f32 {
    let t = real_min(real_max(field_2(at), 0.0), 1.0);
    return field_0(at) * (1.0 - t) + field_1(at) * t;
}

// Surface, depth, mask, shore.
fn point_ocean(at: vec2<i32>) -> vec4<f32> {
    let height = field_0(at);
    let depth = number(0u) - height;
    let shore = real_max(1.0 - abs(depth) * number(1u), 0.0);
    return vec4<f32>(real_max(height, number(0u)), real_max(depth, 0.0), select(0.0, 1.0, depth > 0.0), shore);
}
