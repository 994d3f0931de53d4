// Distances to the line where a field has a level: to the points at which it crosses the grid lines between samples.
// requires: real root

// Where the level lies between a value and the next, as a part of the way; 1000000 samples away if both are on the same side of it.
fn line_part(here: f32, next: f32, level: f32) -> f32 {
    let way = real_min(abs(next - here), 1000000000000000000.0);
    let part = real_min(abs(level - here) * root_inverse(way * way), 1.0);
    return select(1000000.0, part, (here > level) != (next > level));
}

// The crossings between a sample and the next along x and y.
fn line_crossing(at: vec2<i32>) -> vec2<f32> {
    let here = field_value(at);
    let level = number_level();
    return vec2<f32>(
        line_part(here, field_value(at + vec2<i32>(1, 0)), level),
        line_part(here, field_value(at + vec2<i32>(0, 1)), level),
    );
}

// The square of the distance to the nearest crossing on the own line, whose step is (x, y).
fn line_along(at: vec2<i32>) -> f32 {
    let step = vec2<i32>(i32(number_x()), i32(number_y()));
    let reach = i32(number_reach());
    let here = field_crossing(at);
    var square = here * here;
    for (var i = 1; i <= reach; i++) {
        let way = f32(i);
        // Crossings of this step are at least as far as the sample before.
        if (square <= (way - 1.0) * (way - 1.0)) {
            break;
        }
        let after = way + field_crossing(at + step * i);
        let before = way - field_crossing(at - step * i);
        square = real_min(square, real_min(after * after, before * before));
    }
    return square;
}

// The smallest sum of a square distance and the square of the way to it along a line.
fn line_envelope(at: vec2<i32>) -> f32 {
    let step = vec2<i32>(i32(number_x()), i32(number_y()));
    let reach = i32(number_reach());
    var square = field_square(at);
    for (var i = 1; i <= reach; i++) {
        let way = f32(i) * f32(i);
        if (square <= way) {
            break;
        }
        square = real_min(square, real_min(field_square(at + step * i), field_square(at - step * i)) + way);
    }
    return square;
}

// The smaller distance, in world units, with the sign of the side.
fn line_signed(at: vec2<i32>) -> f32 {
    let square = real_min(field_a(at), field_b(at));
    let distance = real_min(root_sqrt(square) * number_step(), number_most());
    return select(distance, -distance, field_value(at) > number_level());
}
