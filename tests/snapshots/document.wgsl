
struct Jets {
    s0: Jet,
    s1: Jet,
    s2: Jet,
    s3: Jet,
}

fn scope_0(site: Site, instance: u32) -> Jets {
    let frame0 = table_span(1u).x + instance;
    let at_fixed0_0 = table_fixed(site, frame0);
    let at0_0 = frame_cell(at_fixed0_0);
    let v0_0 = table_world(frame0, permutation289_simplex(at0_0.cell, at0_0.fraction));
    let at_fixed0_1 = frame_add(at_fixed0_0, frames[frame0].step_x);
    let at0_1 = frame_cell(at_fixed0_1);
    let v0_1 = table_world(frame0, permutation289_simplex(at0_1.cell, at0_1.fraction));
    let at_fixed0_2 = frame_add(at_fixed0_1, frames[frame0].step_x);
    let at0_2 = frame_cell(at_fixed0_2);
    let v0_2 = table_world(frame0, permutation289_simplex(at0_2.cell, at0_2.fraction));
    let at_fixed0_3 = frame_add(at_fixed0_2, frames[frame0].step_x);
    let at0_3 = frame_cell(at_fixed0_3);
    let v0_3 = table_world(frame0, permutation289_simplex(at0_3.cell, at0_3.fraction));
    return Jets(v0_0, v0_1, v0_2, v0_3);
}

fn scope_1(site: Site, instance: u32) -> Jets {
    let span0 = table_span(0u);
    var sum0_0 = jet_constant(0.0);
    var sum0_1 = jet_constant(0.0);
    var sum0_2 = jet_constant(0.0);
    var sum0_3 = jet_constant(0.0);
    var k0 = 0u;
    loop {
        let k = k0;
        let amplitude = table_series(span0.x + k);
    let octave = scope_0(site, instance * span0.y + k);
        sum0_0 = jet_accumulate_lerp(sum0_0, octave.s0, amplitude);
        sum0_1 = jet_accumulate_lerp(sum0_1, octave.s1, amplitude);
        sum0_2 = jet_accumulate_lerp(sum0_2, octave.s2, amplitude);
        sum0_3 = jet_accumulate_lerp(sum0_3, octave.s3, amplitude);
        k0 += 1u;
        if k0 >= span0.y {
            break;
        }
    }
    let v0_0 = sum0_0;
    let v0_1 = sum0_1;
    let v0_2 = sum0_2;
    let v0_3 = sum0_3;
    let v1_0 = table_spline(table_span(2u), v0_0);
    let v1_1 = table_spline(table_span(2u), v0_1);
    let v1_2 = table_spline(table_span(2u), v0_2);
    let v1_3 = table_spline(table_span(2u), v0_3);
    return Jets(v1_0, v1_1, v1_2, v1_3);
}

@group(1) @binding(0) var<storage, read_write> output: array<f32>;

@compute @workgroup_size(8, 8, 1)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let first = vec3<u32>(4u * id.x, id.y, id.z);
    if any(first >= dispatch.size) {
        return;
    }
    let results = scope_1(Site(first, 0u), 0u);
    if first.x + 0u < dispatch.size.x {
    let at = first + vec3<u32>(0u, 0u, 0u);
    let result = results.s0;
    let sample = (at.z * dispatch.size.y + at.y) * dispatch.size.x + at.x;
    output[1u * sample + 0u] = real_unsigned_zero(result.value);
    }
    if first.x + 1u < dispatch.size.x {
    let at = first + vec3<u32>(1u, 0u, 0u);
    let result = results.s1;
    let sample = (at.z * dispatch.size.y + at.y) * dispatch.size.x + at.x;
    output[1u * sample + 0u] = real_unsigned_zero(result.value);
    }
    if first.x + 2u < dispatch.size.x {
    let at = first + vec3<u32>(2u, 0u, 0u);
    let result = results.s2;
    let sample = (at.z * dispatch.size.y + at.y) * dispatch.size.x + at.x;
    output[1u * sample + 0u] = real_unsigned_zero(result.value);
    }
    if first.x + 3u < dispatch.size.x {
    let at = first + vec3<u32>(3u, 0u, 0u);
    let result = results.s3;
    let sample = (at.z * dispatch.size.y + at.y) * dispatch.size.x + at.x;
    output[1u * sample + 0u] = real_unsigned_zero(result.value);
    }
}
