// Erosion at one scale: discharge and load move by one sample in an iteration, water incises the ground and lays down its load, and
// steep slopes slide.
// requires: real root

// 1 / x for positive x; 0 below 2^-100.
fn erosion_reciprocal(x: f32) -> f32 {
    let i = root_inverse(x);
    return i * i;
}

// A row of the B-spline: its weights are (1, 6, 1) / 8 on a coarser sample, and (0, 1, 1) / 2 in the middle between two.
fn erosion_row(at: vec2<i32>, weights: vec3<f32>) -> f32 {
    let before = field_value(at + vec2<i32>(-2, 0)) * weights.x;
    return (before + field_value(at) * weights.y) + field_value(at + vec2<i32>(2, 0)) * weights.z;
}

fn erosion_refine(at: vec2<i32>) -> f32 {
    let index = (head_index() + vec2<u32>(at)) & vec2<u32>(1u);
    let on = vec3<f32>(0.125, 0.75, 0.125);
    let between = vec3<f32>(0.0, 0.5, 0.5);
    let x = select(between, on, index.x == 0u);
    let y = select(between, on, index.y == 0u);
    let above = erosion_row(at + vec2<i32>(0, -2), x) * y.x;
    return ((above + erosion_row(at, x) * y.y) + erosion_row(at + vec2<i32>(0, 2), x) * y.z) * number_scale();
}

fn erosion_bury(at: vec2<i32>) -> f32 {
    let change = field_change(at);
    let buried = real_min(real_max(change * number_per_depth(), 0.0), 1.0);
    return (field_before(at) + change) - (field_before(at) - field_coarse(at)) * buried;
}

// The weight of a way down this slope.
fn erosion_weight(slope: f32) -> f32 {
    let eased = real_max(slope + number_ease(), 0.0);
    return eased * eased;
}

fn erosion_route(at: vec2<i32>) -> vec2<f32> {
    let here = field_height(at);
    let w = erosion_weight((here - field_height(at + vec2<i32>(-1, 0))) * number_per_step());
    let e = erosion_weight((here - field_height(at + vec2<i32>(1, 0))) * number_per_step());
    let n = erosion_weight((here - field_height(at + vec2<i32>(0, -1))) * number_per_step());
    let s = erosion_weight((here - field_height(at + vec2<i32>(0, 1))) * number_per_step());
    let nw = erosion_weight((here - field_height(at + vec2<i32>(-1, -1))) * number_per_diagonal());
    let ne = erosion_weight((here - field_height(at + vec2<i32>(1, -1))) * number_per_diagonal());
    let sw = erosion_weight((here - field_height(at + vec2<i32>(-1, 1))) * number_per_diagonal());
    let se = erosion_weight((here - field_height(at + vec2<i32>(1, 1))) * number_per_diagonal());
    let per_weight = erosion_reciprocal(((w + e) + (n + s)) + ((nw + ne) + (sw + se)));
    return vec2<f32>(field_discharge(at) * per_weight, field_load(at) * per_weight);
}

// A neighbour's part in a sample: the discharge and the load that flow in, the slope up to the neighbour, and its excess over the talus.
fn erosion_from(at: vec2<i32>, here: f32, per_distance: f32) -> vec4<f32> {
    let slope = (field_height(at) - here) * per_distance;
    let weight = erosion_weight(slope);
    let excess = real_max(abs(slope) - number_talus(), 0.0);
    return vec4<f32>(weight * field_discharge(at), weight * field_load(at), slope, select(excess, -excess, slope < 0.0));
}

fn erosion_carve(at: vec2<i32>) -> vec3<f32> {
    let here = field_height(at);
    let w = erosion_from(at + vec2<i32>(-1, 0), here, number_per_step());
    let e = erosion_from(at + vec2<i32>(1, 0), here, number_per_step());
    let n = erosion_from(at + vec2<i32>(0, -1), here, number_per_step());
    let s = erosion_from(at + vec2<i32>(0, 1), here, number_per_step());
    let nw = erosion_from(at + vec2<i32>(-1, -1), here, number_per_diagonal());
    let ne = erosion_from(at + vec2<i32>(1, -1), here, number_per_diagonal());
    let sw = erosion_from(at + vec2<i32>(-1, 1), here, number_per_diagonal());
    let se = erosion_from(at + vec2<i32>(1, 1), here, number_per_diagonal());
    let straight = (w + e) + (n + s);
    let diagonal = (nw + ne) + (sw + se);
    let least_straight = real_min(real_min(w.z, e.z), real_min(n.z, s.z));
    let least_diagonal = real_min(real_min(nw.z, ne.z), real_min(sw.z, se.z));
    let least = real_min(least_straight, least_diagonal);
    let discharge = real_max(field_rain(at), 0.0) + (straight.x + diagonal.x);
    let load = straight.y + diagonal.y;
    let soft = 1.0 - real_min(real_max(field_hardness(at), 0.0), 1.0);
    let f = (number_strength() * soft) * root_sqrt(discharge);
    // The implicit step, which never cuts below the lowest neighbour.
    let worn = (real_max(-least, 0.0) * number_step()) * (f * erosion_reciprocal(1.0 + f));
    let settled = load * real_min(number_settling() * erosion_reciprocal(discharge), 1.0);
    let filled = real_min(load, real_max(least, 0.0) * number_step() + number_rise());
    let most_straight = real_max(real_max(w.z, e.z), real_max(n.z, s.z));
    let most_diagonal = real_max(real_max(nw.z, ne.z), real_max(sw.z, se.z));
    // Not above half the way to the highest neighbour, so that no heap grows.
    let space = real_max(real_max(most_straight, most_diagonal), 0.0) * (0.5 * number_step()) + number_rise();
    let laid = select(real_min(settled, space), real_max(real_min(settled, space), filled), least > 0.0);
    let slid = straight.w * number_slide() + diagonal.w * number_slide_diagonal();
    return vec3<f32>(((here - worn) + laid) + slid, discharge, real_max((load + worn) - laid, 0.0));
}
