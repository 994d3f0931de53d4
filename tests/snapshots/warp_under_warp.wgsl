
struct Jets {
    s0: Jet,
    s1: Jet,
}

struct Displacements {
    s0: vec3<f32>,
    s1: vec3<f32>,
}

fn scope_0(site: Site, instance: u32) -> Jets {
    let frame0 = table_span(2u).x + instance;
    let at_fixed0_0 = table_fixed(site, frame0);
    let at0_0 = frame_cell(at_fixed0_0);
    let v0_0 = table_world(frame0, simplex_2(at0_0.cell, at0_0.fraction, table_key(frame0)));
    let at_fixed0_1 = frame_add(at_fixed0_0, frames[frame0].step_x);
    let at0_1 = frame_cell(at_fixed0_1);
    let v0_1 = table_world(frame0, simplex_2(at0_1.cell, at0_1.fraction, table_key(frame0)));
    return Jets(v0_0, v0_1);
}

fn scope_1(site: Site, instance: u32, displacement: Displacements) -> Jets {
    let frame0 = table_span(8u).x + instance;
    let at_fixed0_0 = table_fixed(site, frame0);
    let at0_0 = frame_displace(frames[frame0], frame_cell(at_fixed0_0), displacement.s0);
    let v0_0 = table_world(frame0, simplex_2(at0_0.cell, at0_0.fraction, table_key(frame0)));
    let at_fixed0_1 = frame_add(at_fixed0_0, frames[frame0].step_x);
    let at0_1 = frame_displace(frames[frame0], frame_cell(at_fixed0_1), displacement.s1);
    let v0_1 = table_world(frame0, simplex_2(at0_1.cell, at0_1.fraction, table_key(frame0)));
    return Jets(v0_0, v0_1);
}

fn scope_2(site: Site, instance: u32, displacement: Displacements) -> Jets {
    let frame0 = table_span(11u).x + instance;
    let at_fixed0_0 = table_fixed(site, frame0);
    let at0_0 = frame_displace(frames[frame0], frame_cell(at_fixed0_0), displacement.s0);
    let v0_0 = table_world(frame0, simplex_2(at0_0.cell, at0_0.fraction, table_key(frame0)));
    let at_fixed0_1 = frame_add(at_fixed0_0, frames[frame0].step_x);
    let at0_1 = frame_displace(frames[frame0], frame_cell(at_fixed0_1), displacement.s1);
    let v0_1 = table_world(frame0, simplex_2(at0_1.cell, at0_1.fraction, table_key(frame0)));
    return Jets(v0_0, v0_1);
}

fn scope_3(site: Site, instance: u32, displacement: Displacements) -> Jets {
    let span0 = table_span(10u);
    var sum0_0 = jet_constant(0.0);
    var sum0_1 = jet_constant(0.0);
    var k0 = 0u;
    loop {
        let k = k0;
        let amplitude = table_series(span0.x + k);
    let octave = scope_2(site, instance * span0.y + k, Displacements(displacement.s0, displacement.s1));
        sum0_0 = jet_accumulate_sum(sum0_0, octave.s0, amplitude);
        sum0_1 = jet_accumulate_sum(sum0_1, octave.s1, amplitude);
        k0 += 1u;
        if k0 >= span0.y {
            break;
        }
    }
    let v0_0 = sum0_0;
    let v0_1 = sum0_1;
    return Jets(v0_0, v0_1);
}

fn scope_4(site: Site, instance: u32, displacement: Displacements) -> Jets {
    let frame0 = table_span(5u).x + instance;
    let at_fixed0_0 = table_fixed(site, frame0);
    let at0_0 = frame_displace(frames[frame0], frame_cell(at_fixed0_0), displacement.s0);
    let v0_0 = table_world(frame0, simplex_3(at0_0.cell, at0_0.fraction, table_key(frame0)));
    let at_fixed0_1 = frame_add(at_fixed0_0, frames[frame0].step_x);
    let at0_1 = frame_displace(frames[frame0], frame_cell(at_fixed0_1), displacement.s1);
    let v0_1 = table_world(frame0, simplex_3(at0_1.cell, at0_1.fraction, table_key(frame0)));
    let frame1 = table_span(6u).x + instance;
    let at_fixed1_0 = table_fixed(site, frame1);
    let at1_0 = frame_displace(frames[frame1], frame_cell(at_fixed1_0), displacement.s0);
    let v1_0 = table_world(frame1, simplex_2(at1_0.cell, at1_0.fraction, table_key(frame1)));
    let at_fixed1_1 = frame_add(at_fixed1_0, frames[frame1].step_x);
    let at1_1 = frame_displace(frames[frame1], frame_cell(at_fixed1_1), displacement.s1);
    let v1_1 = table_world(frame1, simplex_2(at1_1.cell, at1_1.fraction, table_key(frame1)));
    let span2 = table_span(7u);
    var sum2_0 = jet_constant(0.0);
    var sum2_1 = jet_constant(0.0);
    var k2 = 0u;
    loop {
        let k = k2;
        let amplitude = table_series(span2.x + k);
    let octave = scope_1(site, instance * span2.y + k, Displacements(displacement.s0, displacement.s1));
        sum2_0 = jet_accumulate_sum(sum2_0, octave.s0, amplitude);
        sum2_1 = jet_accumulate_sum(sum2_1, octave.s1, amplitude);
        k2 += 1u;
        if k2 >= span2.y {
            break;
        }
    }
    let v2_0 = sum2_0;
    let v2_1 = sum2_1;
    let frame3 = table_span(9u).x + instance;
    let moved3_0 = displacement.s0 + table_displacement(frame3, v0_0, v1_0, v2_0);
    let moved3_1 = displacement.s1 + table_displacement(frame3, v0_1, v1_1, v2_1);
    let inner3 = scope_3(site, instance, Displacements(moved3_0, moved3_1));
    let v3_0 = table_displaced(frame3, inner3.s0, v0_0, v1_0, v2_0);
    let v3_1 = table_displaced(frame3, inner3.s1, v0_1, v1_1, v2_1);
    return Jets(v3_0, v3_1);
}

fn scope_5(site: Site, instance: u32) -> Jets {
    let frame0 = table_span(0u).x + instance;
    let at_fixed0_0 = table_fixed(site, frame0);
    let at0_0 = frame_cell(at_fixed0_0);
    let v0_0 = table_world(frame0, simplex_2(at0_0.cell, at0_0.fraction, table_key(frame0)));
    let at_fixed0_1 = frame_add(at_fixed0_0, frames[frame0].step_x);
    let at0_1 = frame_cell(at_fixed0_1);
    let v0_1 = table_world(frame0, simplex_2(at0_1.cell, at0_1.fraction, table_key(frame0)));
    let span1 = table_span(1u);
    var sum1_0 = jet_constant(0.0);
    var sum1_1 = jet_constant(0.0);
    var k1 = 0u;
    loop {
        let k = k1;
        let amplitude = table_series(span1.x + k);
    let octave = scope_0(site, instance * span1.y + k);
        sum1_0 = jet_accumulate_sum(sum1_0, octave.s0, amplitude);
        sum1_1 = jet_accumulate_sum(sum1_1, octave.s1, amplitude);
        k1 += 1u;
        if k1 >= span1.y {
            break;
        }
    }
    let v1_0 = sum1_0;
    let v1_1 = sum1_1;
    let frame2 = table_span(3u).x + instance;
    let at_fixed2_0 = table_fixed(site, frame2);
    let at2_0 = frame_cell(at_fixed2_0);
    let v2_0 = table_world(frame2, simplex_3(at2_0.cell, at2_0.fraction, table_key(frame2)));
    let at_fixed2_1 = frame_add(at_fixed2_0, frames[frame2].step_x);
    let at2_1 = frame_cell(at_fixed2_1);
    let v2_1 = table_world(frame2, simplex_3(at2_1.cell, at2_1.fraction, table_key(frame2)));
    let frame3 = table_span(4u).x + instance;
    let moved3_0 = table_displacement(frame3, v0_0, v1_0, v2_0);
    let moved3_1 = table_displacement(frame3, v0_1, v1_1, v2_1);
    let inner3 = scope_4(site, instance, Displacements(moved3_0, moved3_1));
    let v3_0 = table_displaced(frame3, inner3.s0, v0_0, v1_0, v2_0);
    let v3_1 = table_displaced(frame3, inner3.s1, v0_1, v1_1, v2_1);
    return Jets(v3_0, v3_1);
}

@group(1) @binding(0) var<storage, read_write> output: array<f32>;

@compute @workgroup_size(8, 8, 1)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let first = vec3<u32>(2u * id.x, id.y, id.z);
    if any(first >= dispatch.size) {
        return;
    }
    let results = scope_5(Site(first, 0u), 0u);
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
}
