
struct Jets {
    s0: Jet,
    s1: Jet,
    s2: Jet,
}

struct Displacements {
    s0: vec3<f32>,
    s1: vec3<f32>,
    s2: vec3<f32>,
}

fn scope_0(site: Site, instance: u32) -> Jets {
    let frame0 = table_span(1u).x + instance;
    let at_fixed0_0 = table_fixed(site, frame0);
    let at0_0 = frame_cell(at_fixed0_0);
    let v0_0 = table_world(frame0, simplex_2(at0_0.cell, at0_0.fraction, table_key(frame0)));
    let at_fixed0_1 = frame_add(at_fixed0_0, frames[frame0].step_x);
    let at0_1 = frame_cell(at_fixed0_1);
    let v0_1 = table_world(frame0, simplex_2(at0_1.cell, at0_1.fraction, table_key(frame0)));
    let at_fixed0_2 = frame_add(at_fixed0_1, frames[frame0].step_x);
    let at0_2 = frame_cell(at_fixed0_2);
    let v0_2 = table_world(frame0, simplex_2(at0_2.cell, at0_2.fraction, table_key(frame0)));
    return Jets(v0_0, v0_1, v0_2);
}

fn scope_1(site: Site, instance: u32) -> Jets {
    let frame0 = table_span(3u).x + instance;
    let at_fixed0_0 = table_fixed(site, frame0);
    let at0_0 = frame_cell(at_fixed0_0);
    let v0_0 = table_world(frame0, simplex_2(at0_0.cell, at0_0.fraction, table_key(frame0)));
    let at_fixed0_1 = frame_add(at_fixed0_0, frames[frame0].step_x);
    let at0_1 = frame_cell(at_fixed0_1);
    let v0_1 = table_world(frame0, simplex_2(at0_1.cell, at0_1.fraction, table_key(frame0)));
    let at_fixed0_2 = frame_add(at_fixed0_1, frames[frame0].step_x);
    let at0_2 = frame_cell(at_fixed0_2);
    let v0_2 = table_world(frame0, simplex_2(at0_2.cell, at0_2.fraction, table_key(frame0)));
    return Jets(v0_0, v0_1, v0_2);
}

fn scope_2(site: Site, instance: u32, displacement: Displacements) -> Jets {
    let frame0 = table_span(6u).x + instance;
    let at_fixed0_0 = table_fixed(site, frame0);
    let at0_0 = frame_displace(frames[frame0], frame_cell(at_fixed0_0), displacement.s0);
    let v0_0 = table_world(frame0, simplex_2(at0_0.cell, at0_0.fraction, table_key(frame0)));
    let at_fixed0_1 = frame_add(at_fixed0_0, frames[frame0].step_x);
    let at0_1 = frame_displace(frames[frame0], frame_cell(at_fixed0_1), displacement.s1);
    let v0_1 = table_world(frame0, simplex_2(at0_1.cell, at0_1.fraction, table_key(frame0)));
    let at_fixed0_2 = frame_add(at_fixed0_1, frames[frame0].step_x);
    let at0_2 = frame_displace(frames[frame0], frame_cell(at_fixed0_2), displacement.s2);
    let v0_2 = table_world(frame0, simplex_2(at0_2.cell, at0_2.fraction, table_key(frame0)));
    let v1_0 = jet_abs(v0_0);
    let v1_1 = jet_abs(v0_1);
    let v1_2 = jet_abs(v0_2);
    let v2_0 = jet_scale_offset(v1_0, table_scalar(13u), table_scalar(14u));
    let v2_1 = jet_scale_offset(v1_1, table_scalar(13u), table_scalar(14u));
    let v2_2 = jet_scale_offset(v1_2, table_scalar(13u), table_scalar(14u));
    let v3_0 = power_signed(v2_0, table_scalar(15u));
    let v3_1 = power_signed(v2_1, table_scalar(15u));
    let v3_2 = power_signed(v2_2, table_scalar(15u));
    return Jets(v3_0, v3_1, v3_2);
}

fn scope_3(site: Site, instance: u32, displacement: Displacements) -> Jets {
    let frame0 = table_span(8u).x + instance;
    let at_fixed0_0 = table_fixed(site, frame0);
    let at0_0 = frame_displace(frames[frame0], frame_cell(at_fixed0_0), displacement.s0);
    let v0_0 = table_world(frame0, simplex_2(at0_0.cell, at0_0.fraction, table_key(frame0)));
    let at_fixed0_1 = frame_add(at_fixed0_0, frames[frame0].step_x);
    let at0_1 = frame_displace(frames[frame0], frame_cell(at_fixed0_1), displacement.s1);
    let v0_1 = table_world(frame0, simplex_2(at0_1.cell, at0_1.fraction, table_key(frame0)));
    let at_fixed0_2 = frame_add(at_fixed0_1, frames[frame0].step_x);
    let at0_2 = frame_displace(frames[frame0], frame_cell(at_fixed0_2), displacement.s2);
    let v0_2 = table_world(frame0, simplex_2(at0_2.cell, at0_2.fraction, table_key(frame0)));
    let v1_0 = jet_abs(v0_0);
    let v1_1 = jet_abs(v0_1);
    let v1_2 = jet_abs(v0_2);
    return Jets(v1_0, v1_1, v1_2);
}

fn scope_4(site: Site, instance: u32, displacement: Displacements) -> Jets {
    let span0 = table_span(5u);
    var sum0_0 = jet_constant(0.0);
    var sum0_1 = jet_constant(0.0);
    var sum0_2 = jet_constant(0.0);
    var k0 = 0u;
    loop {
        let k = k0;
        let amplitude = table_series(span0.x + k);
    let octave = scope_2(site, instance * span0.y + k, Displacements(displacement.s0, displacement.s1, displacement.s2));
        sum0_0 = jet_accumulate_sum(sum0_0, octave.s0, amplitude);
        sum0_1 = jet_accumulate_sum(sum0_1, octave.s1, amplitude);
        sum0_2 = jet_accumulate_sum(sum0_2, octave.s2, amplitude);
        k0 += 1u;
        if k0 >= span0.y {
            break;
        }
    }
    let v0_0 = sum0_0;
    let v0_1 = sum0_1;
    let v0_2 = sum0_2;
    let span1 = table_span(7u);
    var sum1_0 = jet_constant(0.0);
    var sum1_1 = jet_constant(0.0);
    var sum1_2 = jet_constant(0.0);
    var k1 = 0u;
    loop {
        let k = k1;
        let amplitude = table_series(span1.x + k);
    let octave = scope_3(site, instance * span1.y + k, Displacements(displacement.s0, displacement.s1, displacement.s2));
        sum1_0 = jet_accumulate_sum(sum1_0, octave.s0, amplitude);
        sum1_1 = jet_accumulate_sum(sum1_1, octave.s1, amplitude);
        sum1_2 = jet_accumulate_sum(sum1_2, octave.s2, amplitude);
        k1 += 1u;
        if k1 >= span1.y {
            break;
        }
    }
    let v1_0 = sum1_0;
    let v1_1 = sum1_1;
    let v1_2 = sum1_2;
    let v2_0 = table_spline(table_span(9u), v0_0);
    let v2_1 = table_spline(table_span(9u), v0_1);
    let v2_2 = table_spline(table_span(9u), v0_2);
    let v3_0 = jet_multiply(v1_0, v2_0);
    let v3_1 = jet_multiply(v1_1, v2_1);
    let v3_2 = jet_multiply(v1_2, v2_2);
    let v4_0 = jet_add(v0_0, v3_0);
    let v4_1 = jet_add(v0_1, v3_1);
    let v4_2 = jet_add(v0_2, v3_2);
    return Jets(v4_0, v4_1, v4_2);
}

fn scope_5(site: Site, instance: u32) -> Jets {
    let frame0 = table_span(11u).x + instance;
    let at_fixed0_0 = table_fixed(site, frame0);
    let at0_0 = frame_cell(at_fixed0_0);
    let v0_0 = table_world(frame0, simplex_2(at0_0.cell, at0_0.fraction, table_key(frame0)));
    let at_fixed0_1 = frame_add(at_fixed0_0, frames[frame0].step_x);
    let at0_1 = frame_cell(at_fixed0_1);
    let v0_1 = table_world(frame0, simplex_2(at0_1.cell, at0_1.fraction, table_key(frame0)));
    let at_fixed0_2 = frame_add(at_fixed0_1, frames[frame0].step_x);
    let at0_2 = frame_cell(at_fixed0_2);
    let v0_2 = table_world(frame0, simplex_2(at0_2.cell, at0_2.fraction, table_key(frame0)));
    return Jets(v0_0, v0_1, v0_2);
}

fn scope_6(site: Site, instance: u32) -> Jets {
    let span0 = table_span(0u);
    var sum0_0 = jet_constant(0.0);
    var sum0_1 = jet_constant(0.0);
    var sum0_2 = jet_constant(0.0);
    var k0 = 0u;
    loop {
        let k = k0;
        let amplitude = table_series(span0.x + k);
    let octave = scope_0(site, instance * span0.y + k);
        sum0_0 = jet_accumulate_sum(sum0_0, octave.s0, amplitude);
        sum0_1 = jet_accumulate_sum(sum0_1, octave.s1, amplitude);
        sum0_2 = jet_accumulate_sum(sum0_2, octave.s2, amplitude);
        k0 += 1u;
        if k0 >= span0.y {
            break;
        }
    }
    let v0_0 = sum0_0;
    let v0_1 = sum0_1;
    let v0_2 = sum0_2;
    let span1 = table_span(2u);
    var sum1_0 = jet_constant(0.0);
    var sum1_1 = jet_constant(0.0);
    var sum1_2 = jet_constant(0.0);
    var k1 = 0u;
    loop {
        let k = k1;
        let amplitude = table_series(span1.x + k);
    let octave = scope_1(site, instance * span1.y + k);
        sum1_0 = jet_accumulate_sum(sum1_0, octave.s0, amplitude);
        sum1_1 = jet_accumulate_sum(sum1_1, octave.s1, amplitude);
        sum1_2 = jet_accumulate_sum(sum1_2, octave.s2, amplitude);
        k1 += 1u;
        if k1 >= span1.y {
            break;
        }
    }
    let v1_0 = sum1_0;
    let v1_1 = sum1_1;
    let v1_2 = sum1_2;
    let v2_0 = jet_constant(table_scalar(8u));
    let v2_1 = jet_constant(table_scalar(8u));
    let v2_2 = jet_constant(table_scalar(8u));
    let frame3 = table_span(4u).x + instance;
    let moved3_0 = table_displacement(frame3, v0_0, v1_0, v2_0);
    let moved3_1 = table_displacement(frame3, v0_1, v1_1, v2_1);
    let moved3_2 = table_displacement(frame3, v0_2, v1_2, v2_2);
    let inner3 = scope_4(site, instance, Displacements(moved3_0, moved3_1, moved3_2));
    let v3_0 = table_displaced(frame3, inner3.s0, v0_0, v1_0, v2_0);
    let v3_1 = table_displaced(frame3, inner3.s1, v0_1, v1_1, v2_1);
    let v3_2 = table_displaced(frame3, inner3.s2, v0_2, v1_2, v2_2);
    let span4 = table_span(10u);
    var sum4_0 = jet_constant(0.0);
    var sum4_1 = jet_constant(0.0);
    var sum4_2 = jet_constant(0.0);
    var k4 = 0u;
    loop {
        let k = k4;
        let amplitude = table_series(span4.x + k);
    let octave = scope_5(site, instance * span4.y + k);
        sum4_0 = jet_accumulate_sum(sum4_0, octave.s0, amplitude);
        sum4_1 = jet_accumulate_sum(sum4_1, octave.s1, amplitude);
        sum4_2 = jet_accumulate_sum(sum4_2, octave.s2, amplitude);
        k4 += 1u;
        if k4 >= span4.y {
            break;
        }
    }
    let v4_0 = sum4_0;
    let v4_1 = sum4_1;
    let v4_2 = sum4_2;
    let v5_0 = table_spline(table_span(12u), v4_0);
    let v5_1 = table_spline(table_span(12u), v4_1);
    let v5_2 = table_spline(table_span(12u), v4_2);
    let v6_0 = jet_multiply(v3_0, v5_0);
    let v6_1 = jet_multiply(v3_1, v5_1);
    let v6_2 = jet_multiply(v3_2, v5_2);
    let v7_0 = table_spline(table_span(13u), v6_0);
    let v7_1 = table_spline(table_span(13u), v6_1);
    let v7_2 = table_spline(table_span(13u), v6_2);
    return Jets(v7_0, v7_1, v7_2);
}

@group(1) @binding(0) var<storage, read_write> output: array<f32>;

@compute @workgroup_size(8, 8, 1)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let first = vec3<u32>(3u * id.x, id.y, id.z);
    if any(first >= dispatch.size) {
        return;
    }
    let results = scope_6(Site(first, 0u), 0u);
    if first.x + 0u < dispatch.size.x {
    let at = first + vec3<u32>(0u, 0u, 0u);
    let result = results.s0;
    let sample = (at.z * dispatch.size.y + at.y) * dispatch.size.x + at.x;
    output[4u * sample + 0u] = real_unsigned_zero(result.value);
    output[4u * sample + 1u] = real_unsigned_zero(result.gradient.x);
    output[4u * sample + 2u] = real_unsigned_zero(result.gradient.y);
    output[4u * sample + 3u] = real_unsigned_zero(result.gradient.z);
    }
    if first.x + 1u < dispatch.size.x {
    let at = first + vec3<u32>(1u, 0u, 0u);
    let result = results.s1;
    let sample = (at.z * dispatch.size.y + at.y) * dispatch.size.x + at.x;
    output[4u * sample + 0u] = real_unsigned_zero(result.value);
    output[4u * sample + 1u] = real_unsigned_zero(result.gradient.x);
    output[4u * sample + 2u] = real_unsigned_zero(result.gradient.y);
    output[4u * sample + 3u] = real_unsigned_zero(result.gradient.z);
    }
    if first.x + 2u < dispatch.size.x {
    let at = first + vec3<u32>(2u, 0u, 0u);
    let result = results.s2;
    let sample = (at.z * dispatch.size.y + at.y) * dispatch.size.x + at.x;
    output[4u * sample + 0u] = real_unsigned_zero(result.value);
    output[4u * sample + 1u] = real_unsigned_zero(result.gradient.x);
    output[4u * sample + 2u] = real_unsigned_zero(result.gradient.y);
    output[4u * sample + 3u] = real_unsigned_zero(result.gradient.z);
    }
}
