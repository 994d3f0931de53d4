// Stamps: another noise within discs, which lie around the points of square lattices on top of each other, one in each cell. Each disc is
// turned and scaled. It reaches at most one cell, so those of nine cells may cover a sample.
// requires: hash jet point real root stamp_points tables turn

// A disc around a sample.
struct Stamp {
    // The squared distance from its middle, in radii, and the slope of that per cell. The disc covers the sample below 1.
    t: f32,
    slope: vec2<f32>,
    // The position in the stamp, in world units, and the steps of its first two coordinates per cell.
    at: vec3<f32>,
    step_x: vec2<f32>,
    step_y: vec2<f32>,
    // The factor of heights.
    height: f32,
    // From 0 to 1, for stamps that cover others.
    priority: f32,
    // 1 / the share of the squared radius in which the stamp fades.
    per_fade: f32,
}

// The stamps so far, per cell: heights, and the largest priority.
struct Stamps {
    value: f32,
    slope: vec2<f32>,
    top: f32,
    top_slope: vec2<f32>,
}

fn stamps_new() -> Stamps {
    return Stamps(0.0, vec2<f32>(0.0), 0.0, vec2<f32>(0.0));
}

// The disc with this number: nine in each lattice.
fn stamps_disc(cell: vec3<i32>, f: vec3<f32>, key: Key, number: u32, first: u32, priority: u32) -> Stamp {
    let o = stamp_points_offset(number);
    let p = vec2<u32>(cell.xy + o);
    let h = point_cubic_3(p.x, p.y, number / 9u, key);
    let step = table_scalar(first);
    let d = (((f.xy - 0.5) - 0.5 * step) - vec2<f32>(o)) - vec2<f32>(stamp_points_random(h)) * step;
    let word = hash_mix(h);
    let other = hash_mix(word);
    let exists = f32(word & 0xffffu) < table_scalar(first + 1u);
    let small = table_scalar(first + 2u) * (f32(word >> 16u) * 0.0000152587890625) + 1.0;
    let pull = (small * small) * table_scalar(first + 5u);
    let t = pull * (d.x * d.x + d.y * d.y);
    let sin_cos = turn_whole(table_scalar(first + 3u) * (f32(other >> 16u) * 0.0000152587890625));
    let scale = small * table_scalar(first + 4u);
    let s = scale * sin_cos.x;
    let c = scale * sin_cos.y;
    let root = root_inverse(small);
    return Stamp(
        select(1.0, t, exists),
        (2.0 * pull) * d,
        vec3<f32>(
            c * d.x + s * d.y,
            c * d.y - s * d.x,
            table_scalar(first + 11u) * (f32(other & 0xffffu) * 0.0000152587890625),
        ),
        vec2<f32>(c, s),
        vec2<f32>(-s, c),
        table_scalar(first + 6u) * (root * root - 1.0) + 1.0,
        f32(stamp_points_rank(word, priority) >> 8u) * 5.9604644775390625e-8,
        table_scalar(first + 7u),
    );
}

// The share of a stamp that shows: 1 inside, fading to 0 at the edge of its disc.
fn stamps_weight(stamp: Stamp) -> Jet {
    let y = real_min((1.0 - stamp.t) * stamp.per_fade, 1.0);
    let slope = ((-6.0 * stamp.per_fade) * (y * (1.0 - y))) * stamp.slope;
    return Jet((y * y) * (3.0 - (y + y)), vec3<f32>(slope, 0.0));
}

// The heights of a stamp, per cell.
fn stamps_height(stamp: Stamp, inner: Jet) -> Jet {
    let slope = inner.gradient.x * stamp.step_x + inner.gradient.y * stamp.step_y;
    return Jet(stamp.height * inner.value, vec3<f32>(stamp.height * slope, 0.0));
}

fn stamps_add(stamps: Stamps, stamp: Stamp, inner: Jet) -> Stamps {
    let more = jet_multiply(stamps_weight(stamp), stamps_height(stamp, inner));
    return Stamps(stamps.value + more.value, stamps.slope + more.gradient.xy, stamps.top, stamps.top_slope);
}

fn stamps_max(stamps: Stamps, stamp: Stamp, inner: Jet) -> Stamps {
    let more = jet_multiply(stamps_weight(stamp), stamps_height(stamp, inner));
    let higher = more.value > stamps.value;
    return Stamps(
        select(stamps.value, more.value, higher),
        select(stamps.slope, more.gradient.xy, higher),
        stamps.top,
        stamps.top_slope,
    );
}

// Nothing shows where the priority of the others is higher by a quarter.
fn stamps_cover(stamps: Stamps, stamp: Stamp, inner: Jet) -> Stamps {
    let weight = stamps_weight(stamp);
    let height = stamps_height(stamp, inner);
    let p = real_max(real_min(4.0 * (stamp.priority - stamps.top) + 1.0, 1.0), 0.0);
    let seen = (p * p) * (3.0 - (p + p));
    let seen_slope = (-24.0 * (p * (1.0 - p))) * stamps.top_slope;
    let m = weight.value * seen;
    let dm = seen * weight.gradient.xy + weight.value * seen_slope;
    let gap = height.value - stamps.value;
    let above = real_max(stamp.priority - stamps.top, 0.0);
    let near = above < 0.125;
    let gain = select(above - 0.0625, 4.0 * (above * above), near);
    let rate = select(1.0, 8.0 * above, near);
    return Stamps(
        stamps.value + m * gap,
        stamps.slope + (m * (height.gradient.xy - stamps.slope) + gap * dm),
        stamps.top + weight.value * gain,
        stamps.top_slope + (gain * weight.gradient.xy - (weight.value * rate) * stamps.top_slope),
    );
}

fn stamps_jet(stamps: Stamps) -> Jet {
    return Jet(stamps.value, vec3<f32>(stamps.slope, 0.0));
}
