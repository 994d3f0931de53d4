
struct Jets {
    s0: Jet,
    s1: Jet,
    s2: Jet,
    s3: Jet,
}

fn scope_0(site: Site, instance: u32) -> Jets {
    let frame0 = table_span(2u).x + instance;
    let at_fixed0_0 = table_fixed(site, frame0);
    let at0_0 = frame_cell(at_fixed0_0);
    let v0_0 = table_world(frame0, simplex_2(at0_0.cell, at0_0.fraction, table_key(frame0)));
    let at_fixed0_1 = frame_add(at_fixed0_0, frames[frame0].step_x);
    let at0_1 = frame_cell(at_fixed0_1);
    let v0_1 = table_world(frame0, simplex_2(at0_1.cell, at0_1.fraction, table_key(frame0)));
    let at_fixed0_2 = frame_add(at_fixed0_1, frames[frame0].step_x);
    let at0_2 = frame_cell(at_fixed0_2);
    let v0_2 = table_world(frame0, simplex_2(at0_2.cell, at0_2.fraction, table_key(frame0)));
    let at_fixed0_3 = frame_add(at_fixed0_2, frames[frame0].step_x);
    let at0_3 = frame_cell(at_fixed0_3);
    let v0_3 = table_world(frame0, simplex_2(at0_3.cell, at0_3.fraction, table_key(frame0)));
    let v1_0 = jet_abs(v0_0);
    let v1_1 = jet_abs(v0_1);
    let v1_2 = jet_abs(v0_2);
    let v1_3 = jet_abs(v0_3);
    return Jets(v1_0, v1_1, v1_2, v1_3);
}

fn close_0(site: Site, instance: u32) -> Jets {
    let frame0 = table_span(2u).x + instance;
    let at_fixed0_0 = table_fixed(site, frame0);
    let at0_0 = frame_cell(at_fixed0_0);
    let key0 = table_key(frame0);
    let step0 = frame_axis_x(frames[frame0].step_x);
    let x0_0 = frame_axis_x(at_fixed0_0);
    let f0_0 = frame_fraction_x(x0_0);
    let x0_1 = frame_add_x(x0_0, step0);
    let f0_1 = frame_fraction_x(x0_1);
    let x0_2 = frame_add_x(x0_1, step0);
    let f0_2 = frame_fraction_x(x0_2);
    let x0_3 = frame_add_x(x0_2, step0);
    let f0_3 = frame_fraction_x(x0_3);
    var sum0_0 = jet_constant(0.0);
    var sum0_1 = jet_constant(0.0);
    var sum0_2 = jet_constant(0.0);
    var sum0_3 = jet_constant(0.0);
    {
        let line0 = simplex_line_2(at0_0.cell, at0_0.fraction, 0u, key0);
        let nearer0_0 = simplex_nearer(x0_0.x, line0);
        let x0 = x0_0.x + nearer0_0;
        let first0 = simplex_on_2(x0, line0, key0);
        let second0 = simplex_on_2(x0 + 2u, line0, key0);
        let point0_0 = first0;
        sum0_0 = jet_add(sum0_0, simplex_part(point0_0, line0.across, f0_0 - f32(nearer0_0)));
        let nearer0_1 = simplex_nearer(x0_1.x, line0);
        var point0_1 = first0;
        if x0_1.x + nearer0_1 != x0 {
            point0_1 = second0;
        }
        sum0_1 = jet_add(sum0_1, simplex_part(point0_1, line0.across, f0_1 - f32(nearer0_1)));
        let nearer0_2 = simplex_nearer(x0_2.x, line0);
        var point0_2 = first0;
        if x0_2.x + nearer0_2 != x0 {
            point0_2 = second0;
        }
        sum0_2 = jet_add(sum0_2, simplex_part(point0_2, line0.across, f0_2 - f32(nearer0_2)));
        let nearer0_3 = simplex_nearer(x0_3.x, line0);
        var point0_3 = first0;
        if x0_3.x + nearer0_3 != x0 {
            point0_3 = second0;
        }
        sum0_3 = jet_add(sum0_3, simplex_part(point0_3, line0.across, f0_3 - f32(nearer0_3)));
    }
    {
        let line0 = simplex_line_2(at0_0.cell, at0_0.fraction, 1u, key0);
        let nearer0_0 = simplex_nearer(x0_0.x, line0);
        let x0 = x0_0.x + nearer0_0;
        let first0 = simplex_on_2(x0, line0, key0);
        let second0 = simplex_on_2(x0 + 2u, line0, key0);
        let point0_0 = first0;
        sum0_0 = jet_add(sum0_0, simplex_part(point0_0, line0.across, f0_0 - f32(nearer0_0)));
        let nearer0_1 = simplex_nearer(x0_1.x, line0);
        var point0_1 = first0;
        if x0_1.x + nearer0_1 != x0 {
            point0_1 = second0;
        }
        sum0_1 = jet_add(sum0_1, simplex_part(point0_1, line0.across, f0_1 - f32(nearer0_1)));
        let nearer0_2 = simplex_nearer(x0_2.x, line0);
        var point0_2 = first0;
        if x0_2.x + nearer0_2 != x0 {
            point0_2 = second0;
        }
        sum0_2 = jet_add(sum0_2, simplex_part(point0_2, line0.across, f0_2 - f32(nearer0_2)));
        let nearer0_3 = simplex_nearer(x0_3.x, line0);
        var point0_3 = first0;
        if x0_3.x + nearer0_3 != x0 {
            point0_3 = second0;
        }
        sum0_3 = jet_add(sum0_3, simplex_part(point0_3, line0.across, f0_3 - f32(nearer0_3)));
    }
    {
        let line0 = simplex_line_2(at0_0.cell, at0_0.fraction, 2u, key0);
        let nearer0_0 = simplex_nearer(x0_0.x, line0);
        let x0 = x0_0.x + nearer0_0;
        let first0 = simplex_on_2(x0, line0, key0);
        let second0 = simplex_on_2(x0 + 2u, line0, key0);
        let point0_0 = first0;
        sum0_0 = jet_add(sum0_0, simplex_part(point0_0, line0.across, f0_0 - f32(nearer0_0)));
        let nearer0_1 = simplex_nearer(x0_1.x, line0);
        var point0_1 = first0;
        if x0_1.x + nearer0_1 != x0 {
            point0_1 = second0;
        }
        sum0_1 = jet_add(sum0_1, simplex_part(point0_1, line0.across, f0_1 - f32(nearer0_1)));
        let nearer0_2 = simplex_nearer(x0_2.x, line0);
        var point0_2 = first0;
        if x0_2.x + nearer0_2 != x0 {
            point0_2 = second0;
        }
        sum0_2 = jet_add(sum0_2, simplex_part(point0_2, line0.across, f0_2 - f32(nearer0_2)));
        let nearer0_3 = simplex_nearer(x0_3.x, line0);
        var point0_3 = first0;
        if x0_3.x + nearer0_3 != x0 {
            point0_3 = second0;
        }
        sum0_3 = jet_add(sum0_3, simplex_part(point0_3, line0.across, f0_3 - f32(nearer0_3)));
    }
    {
        let line0 = simplex_line_2(at0_0.cell, at0_0.fraction, 3u, key0);
        let nearer0_0 = simplex_nearer(x0_0.x, line0);
        let x0 = x0_0.x + nearer0_0;
        let first0 = simplex_on_2(x0, line0, key0);
        let second0 = simplex_on_2(x0 + 2u, line0, key0);
        let point0_0 = first0;
        sum0_0 = jet_add(sum0_0, simplex_part(point0_0, line0.across, f0_0 - f32(nearer0_0)));
        let nearer0_1 = simplex_nearer(x0_1.x, line0);
        var point0_1 = first0;
        if x0_1.x + nearer0_1 != x0 {
            point0_1 = second0;
        }
        sum0_1 = jet_add(sum0_1, simplex_part(point0_1, line0.across, f0_1 - f32(nearer0_1)));
        let nearer0_2 = simplex_nearer(x0_2.x, line0);
        var point0_2 = first0;
        if x0_2.x + nearer0_2 != x0 {
            point0_2 = second0;
        }
        sum0_2 = jet_add(sum0_2, simplex_part(point0_2, line0.across, f0_2 - f32(nearer0_2)));
        let nearer0_3 = simplex_nearer(x0_3.x, line0);
        var point0_3 = first0;
        if x0_3.x + nearer0_3 != x0 {
            point0_3 = second0;
        }
        sum0_3 = jet_add(sum0_3, simplex_part(point0_3, line0.across, f0_3 - f32(nearer0_3)));
    }
    let v0_0 = table_world(frame0, simplex_jet_2(sum0_0));
    let v0_1 = table_world(frame0, simplex_jet_2(sum0_1));
    let v0_2 = table_world(frame0, simplex_jet_2(sum0_2));
    let v0_3 = table_world(frame0, simplex_jet_2(sum0_3));
    let v1_0 = jet_abs(v0_0);
    let v1_1 = jet_abs(v0_1);
    let v1_2 = jet_abs(v0_2);
    let v1_3 = jet_abs(v0_3);
    return Jets(v1_0, v1_1, v1_2, v1_3);
}

fn scope_1(site: Site, instance: u32) -> Jets {
    let span0 = table_span(1u);
    var sum0_0 = jet_constant(0.0);
    var sum0_1 = jet_constant(0.0);
    var sum0_2 = jet_constant(0.0);
    var sum0_3 = jet_constant(0.0);
    var k0 = 0u;
    var is_close0 = true;
    loop {
        let k = k0;
        is_close0 = frame_in_line(frames[table_span(2u).x + (instance * span0.y + k)]) && frame_close(frames[table_span(2u).x + (instance * span0.y + k)], 1431655764u);
        if is_close0 {
        let amplitude = table_series(span0.x + k);
    let octave = close_0(site, instance * span0.y + k);
        sum0_0 = jet_accumulate_sum(sum0_0, octave.s0, amplitude);
        sum0_1 = jet_accumulate_sum(sum0_1, octave.s1, amplitude);
        sum0_2 = jet_accumulate_sum(sum0_2, octave.s2, amplitude);
        sum0_3 = jet_accumulate_sum(sum0_3, octave.s3, amplitude);
            k0 += 1u;
        }
        if !is_close0 || k0 >= span0.y {
            break;
        }
    }
    loop {
        if k0 < span0.y {
            let k = k0;
        let amplitude = table_series(span0.x + k);
    let octave = scope_0(site, instance * span0.y + k);
        sum0_0 = jet_accumulate_sum(sum0_0, octave.s0, amplitude);
        sum0_1 = jet_accumulate_sum(sum0_1, octave.s1, amplitude);
        sum0_2 = jet_accumulate_sum(sum0_2, octave.s2, amplitude);
        sum0_3 = jet_accumulate_sum(sum0_3, octave.s3, amplitude);
            k0 += 1u;
        }
        if k0 >= span0.y {
            break;
        }
    }
    let v0_0 = sum0_0;
    let v0_1 = sum0_1;
    let v0_2 = sum0_2;
    let v0_3 = sum0_3;
    return Jets(v0_0, v0_1, v0_2, v0_3);
}

fn scope_2(site: Site, instance: u32) -> Jets {
    let span0 = table_span(0u);
    var sum0_0 = jet_constant(0.0);
    var sum0_1 = jet_constant(0.0);
    var sum0_2 = jet_constant(0.0);
    var sum0_3 = jet_constant(0.0);
    var k0 = 0u;
    loop {
        let k = k0;
        let amplitude = table_series(span0.x + k);
    let octave = scope_1(site, instance * span0.y + k);
        sum0_0 = jet_accumulate_sum(sum0_0, octave.s0, amplitude);
        sum0_1 = jet_accumulate_sum(sum0_1, octave.s1, amplitude);
        sum0_2 = jet_accumulate_sum(sum0_2, octave.s2, amplitude);
        sum0_3 = jet_accumulate_sum(sum0_3, octave.s3, amplitude);
        k0 += 1u;
        if k0 >= span0.y {
            break;
        }
    }
    let v0_0 = sum0_0;
    let v0_1 = sum0_1;
    let v0_2 = sum0_2;
    let v0_3 = sum0_3;
    return Jets(v0_0, v0_1, v0_2, v0_3);
}

@group(1) @binding(0) var<storage, read_write> output: array<f32>;

@compute @workgroup_size(8, 8, 1)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let first = vec3<u32>(4u * id.x, id.y, id.z);
    if any(first >= dispatch.size) {
        return;
    }
    let results = scope_2(Site(first, 0u), 0u);
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
