// The nearest point of polylines, and beds along them.
// requires: real root

// The way from the nearest point within the reach, as x and y, the level there, and the square of the distance, in samples.
// The table has a first entry and a count for each square of samples, then entries, then pieces of the lines.
fn polyline_nearest(at: vec2<i32>) -> vec4<f32> {
    let shift = u32(number_shift());
    let part = (u32(at.y) >> shift) * u32(number_columns()) + (u32(at.x) >> shift);
    let first = u32(table(2u * part));
    let count = u32(table(2u * part + 1u));
    var square = number_most();
    var found = vec3<f32>(0.0);
    for (var i = 0u; i < count; i++) {
        let piece = u32(table(first + i));
        let x = f32(at.x) - table(piece);
        let y = f32(at.y) - table(piece + 1u);
        let along_x = table(piece + 2u);
        let along_y = table(piece + 3u);
        let t = real_min(real_max((x * along_x + y * along_y) * table(piece + 4u), 0.0), 1.0);
        let way_x = x - t * along_x;
        let way_y = y - t * along_y;
        let here = way_x * way_x + way_y * way_y;
        if (here < square) {
            square = here;
            found = vec3<f32>(way_x, way_y, table(piece + 5u) + t * table(piece + 6u));
        }
    }
    return vec4<f32>(square, found);
}

// The share of the bed falls from 1 to 0 across the bank: smoothly, evenly, or ever faster.
fn polyline_bed(at: vec2<i32>) -> vec3<f32> {
    let distance = real_min(root_sqrt(field_square(at)) * number_step(), number_reach());
    let t = real_min(real_max((distance - number_half()) * number_per_bank(), 0.0), 1.0);
    let eased = (t * t) * (3.0 - (t + t));
    let square = t * t;
    let share = 1.0 - select(select(t, eased, number_profile() < 0.5), square, number_profile() > 1.5);
    let ground = field_height(at);
    let change = select(0.0, field_level(at) - ground, number_absolute() > 0.5) + number_raise();
    let limited = real_min(real_max(change, -number_limit()), number_limit());
    return vec3<f32>(ground + share * limited, distance, share);
}
