
fn scope_0(site: Site, instance: u32) -> Jet {
    let frame0 = table_span(1u).x + instance;
    let at0 = table_cell(site, frame0);
    let v0 = table_world(frame0, simplex_2(at0.cell, at0.fraction, table_key(frame0)));
    return v0;
}

fn scope_1(site: Site, instance: u32) -> Jet {
    let frame0 = table_span(3u).x + instance;
    let at0 = table_cell(site, frame0);
    let v0 = table_world(frame0, simplex_2(at0.cell, at0.fraction, table_key(frame0)));
    return v0;
}

fn scope_2(site: Site, instance: u32, displacement: vec3<f32>) -> Jet {
    let frame0 = table_span(6u).x + instance;
    let at0 = frame_displace(frames[frame0], table_cell(site, frame0), displacement);
    let v0 = table_world(frame0, simplex_2(at0.cell, at0.fraction, table_key(frame0)));
    let v1 = jet_abs(v0);
    let v2 = jet_scale_offset(v1, table_scalar(13u), table_scalar(14u));
    let v3 = power_signed(v2, table_scalar(15u));
    return v3;
}

fn scope_3(site: Site, instance: u32, displacement: vec3<f32>) -> Jet {
    let frame0 = table_span(8u).x + instance;
    let at0 = frame_displace(frames[frame0], table_cell(site, frame0), displacement);
    let v0 = table_world(frame0, simplex_2(at0.cell, at0.fraction, table_key(frame0)));
    let v1 = jet_abs(v0);
    return v1;
}

fn scope_4(site: Site, instance: u32, displacement: vec3<f32>) -> Jet {
    let span0 = table_span(5u);
    var v0 = jet_constant(0.0);
    for (var k = 0u; k < span0.y; k++) {
        v0 = jet_accumulate_sum(v0, scope_2(site, instance * span0.y + k, displacement), table_series(span0.x + k));
    }
    let span1 = table_span(7u);
    var v1 = jet_constant(0.0);
    for (var k = 0u; k < span1.y; k++) {
        v1 = jet_accumulate_sum(v1, scope_3(site, instance * span1.y + k, displacement), table_series(span1.x + k));
    }
    let v2 = table_spline(table_span(9u), v0);
    let v3 = jet_multiply(v1, v2);
    let v4 = jet_add(v0, v3);
    return v4;
}

fn scope_5(site: Site, instance: u32) -> Jet {
    let frame0 = table_span(11u).x + instance;
    let at0 = table_cell(site, frame0);
    let v0 = table_world(frame0, simplex_2(at0.cell, at0.fraction, table_key(frame0)));
    return v0;
}

fn scope_6(site: Site, instance: u32) -> Jet {
    let span0 = table_span(0u);
    var v0 = jet_constant(0.0);
    for (var k = 0u; k < span0.y; k++) {
        v0 = jet_accumulate_sum(v0, scope_0(site, instance * span0.y + k), table_series(span0.x + k));
    }
    let span1 = table_span(2u);
    var v1 = jet_constant(0.0);
    for (var k = 0u; k < span1.y; k++) {
        v1 = jet_accumulate_sum(v1, scope_1(site, instance * span1.y + k), table_series(span1.x + k));
    }
    let v2 = jet_constant(table_scalar(8u));
    let frame3 = table_span(4u).x + instance;
    let moved3 = table_displacement(frame3, v0, v1, v2);
    let v3 = table_displaced(frame3, scope_4(site, instance, moved3), v0, v1, v2);
    let span4 = table_span(10u);
    var v4 = jet_constant(0.0);
    for (var k = 0u; k < span4.y; k++) {
        v4 = jet_accumulate_sum(v4, scope_5(site, instance * span4.y + k), table_series(span4.x + k));
    }
    let v5 = table_spline(table_span(12u), v4);
    let v6 = jet_multiply(v3, v5);
    let v7 = table_spline(table_span(13u), v6);
    return v7;
}

@group(1) @binding(0) var<storage, read_write> output: array<f32>;

@compute @workgroup_size(8, 8, 1)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let at = id;
    if any(at >= dispatch.size) {
        return;
    }
    let result = scope_6(Site(at, 0u, 0u), 0u);
    let sample = (at.z * dispatch.size.y + at.y) * dispatch.size.x + at.x;
    output[4u * sample + 0u] = real_unsigned_zero(result.value);
    output[4u * sample + 1u] = real_unsigned_zero(result.gradient.x);
    output[4u * sample + 2u] = real_unsigned_zero(result.gradient.y);
    output[4u * sample + 3u] = real_unsigned_zero(result.gradient.z);
}
