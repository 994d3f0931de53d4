// Beaches and cliffs by the distance to the shore, which is negative on land.
// requires: real

fn shore_beach(at: vec2<i32>) -> vec2<f32> {
    let height = field_height(at);
    let distance = field_distance(at);
    let near = real_max(1.0 - abs(distance) * number_per_width(), 0.0);
    let sand = ((near * near) * (3.0 - (near + near))) * field_gentle(at);
    let plane = number_level() - distance * number_slope();
    return vec2<f32>(height + sand * (plane - height), sand);
}

// Above half the height of the cliff, less and less of what is above the profile is cut.
fn shore_cliff(at: vec2<i32>) -> vec2<f32> {
    let height = field_height(at);
    let inland = real_max(-field_distance(at), 0.0);
    let face = real_max(inland - number_retreat(), 0.0) * number_face();
    let profile = (number_level() + real_min(inland, number_retreat()) * number_slope()) + face;
    let share = real_min(real_max(2.0 - 2.0 * (face * number_per_height()), 0.0), 1.0);
    let above = real_max(height - profile, 0.0);
    let cut = select(0.0, share * above, inland > 0.0);
    return vec2<f32>(height - cut, cut);
}
