// Passes that work sample by sample.
// requires: real root

fn point_fill(at: vec2<i32>) -> f32 {
    return number_value();
}

fn point_scale(at: vec2<i32>) -> f32 {
    return real_min(real_max(field_value(at) * number_scale() + number_offset(), number_low()), number_high());
}

fn point_stretch(at: vec2<i32>) -> f32 {
    return real_min(real_max((field_value(at) - number_from()) * number_scale() + number_to(), number_low()), number_high());
}

fn point_rank(at: vec2<i32>) -> f32 {
    let x = field_value(at);
    let last = u32(number_last());
    let steps = u32(number_steps());
    var low = 0u;
    if (steps <= 8u) {
        let part = real_min(real_max((x - number_first()) * number_per_part(), 0.0), number_last_part());
        low = u32(table(last + last + 1u + u32(part)));
        for (var step = 0u; step < steps; step++) {
            low += u32(low + 1u < last && table(low + 1u) <= x);
        }
    } else {
        var high = last;
        while (high - low > 1u) {
            let middle = (low + high) >> 1u;
            if (table(middle) <= x) {
                low = middle;
            } else {
                high = middle;
            }
        }
    }
    let inside = real_min(real_max((x - table(low)) * table(last + 1u + low), 0.0), 1.0);
    return (f32(low) + inside) * number_step() + number_start();
}

// The quadratic Bezier curve of the value's piece, as the node `spline` has it.
fn point_curve(at: vec2<i32>) -> f32 {
    let x = field_value(at);
    let pieces = u32(number_pieces());
    var low = 0u;
    var high = pieces;
    while (high - low > 1u) {
        let middle = (low + high) >> 1u;
        if (x >= table(4u * middle)) {
            low = middle;
        } else {
            high = middle;
        }
    }
    let i = 4u * low;
    let t = real_min(real_max((x - table(i)) * table(i + 3u), 0.0), 1.0);
    let a = table(i + 1u) + t * (table(i + 2u) - table(i + 1u));
    let b = table(i + 2u) + t * (table(i + 5u) - table(i + 2u));
    return a + t * (b - a);
}

// 3t² - 2t³ of the share of the way.
fn point_mask(at: vec2<i32>) -> f32 {
    let t = real_min(real_max((field_value(at) - number_from()) * number_per_way(), 0.0), 1.0);
    return (t * t) * (3.0 - (t + t));
}

fn point_add(at: vec2<i32>) -> f32 {
    return field_a(at) + field_b(at);
}

fn point_subtract(at: vec2<i32>) -> f32 {
    return field_a(at) - field_b(at);
}

fn point_multiply(at: vec2<i32>) -> f32 {
    return field_a(at) * field_b(at);
}

fn point_minimum(at: vec2<i32>) -> f32 {
    return real_min(field_a(at), field_b(at));
}

fn point_maximum(at: vec2<i32>) -> f32 {
    return real_max(field_a(at), field_b(at));
}

// The mask is held between 0 and 1, where either end gives one plane exactly.
fn point_blend(at: vec2<i32>) -> f32 {
    let t = real_min(real_max(field_mask(at), 0.0), 1.0);
    return field_a(at) * (1.0 - t) + field_b(at) * t;
}

fn point_ocean(at: vec2<i32>) -> vec4<f32> {
    let height = field_height(at);
    let depth = number_level() - height;
    let shore = real_max(1.0 - abs(depth) * number_per_width(), 0.0);
    return vec4<f32>(real_max(height, number_level()), real_max(depth, 0.0), select(0.0, 1.0, depth > 0.0), shore);
}
