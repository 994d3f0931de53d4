
fn scope_0(site: Site, row: u32) -> Jet {
    let row0 = spans[2].x + row;
    let at0 = table_cell(site, row0);
    let v0 = table_world(row0, simplex_2(at0.cell, at0.fraction, table_key(row0)));
    let v1 = jet_abs(v0);
    return v1;
}

fn scope_1(site: Site, row: u32) -> Jet {
    let span0 = spans[1];
    var v0 = jet_constant(0.0);
    for (var k = 0u; k < span0.y; k++) {
        v0 = jet_accumulate_sum(v0, scope_0(site, row * span0.y + k), series[span0.x + k]);
    }
    return v0;
}

fn scope_2(site: Site, row: u32) -> Jet {
    let span0 = spans[0];
    var v0 = jet_constant(0.0);
    for (var k = 0u; k < span0.y; k++) {
        v0 = jet_accumulate_sum(v0, scope_1(site, row * span0.y + k), series[span0.x + k]);
    }
    return v0;
}

@group(1) @binding(0) var<storage, read_write> output: array<f32>;

@compute @workgroup_size(8, 8, 1)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if any(id >= dispatch.size) {
        return;
    }
    let result = scope_2(dispatch_site(id), 0u);
    let sample = (id.z * dispatch.size.y + id.y) * dispatch.size.x + id.x;
    output[1u * sample + 0u] = real_unsigned_zero(result.value);
}
