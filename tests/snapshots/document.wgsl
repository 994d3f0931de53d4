
fn scope_0(site: Site, row: u32) -> Jet {
    let row0 = spans[1].x + row;
    let at0 = table_cell(site, row0);
    let v0 = table_world(row0, permutation289_simplex(at0.cell, at0.fraction));
    return v0;
}

fn scope_1(site: Site, row: u32) -> Jet {
    let span0 = spans[0];
    var v0 = jet_constant(0.0);
    for (var k = 0u; k < span0.y; k++) {
        v0 = jet_accumulate_lerp(v0, scope_0(site, row * span0.y + k), series[span0.x + k]);
    }
    let v1 = table_spline(spans[2], v0);
    return v1;
}

@group(1) @binding(0) var<storage, read_write> output: array<f32>;

@compute @workgroup_size(8, 8, 1)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if any(id >= dispatch.size) {
        return;
    }
    let result = scope_1(dispatch_site(id), 0u);
    let sample = (id.z * dispatch.size.y + id.y) * dispatch.size.x + id.x;
    output[1u * sample + 0u] = real_unsigned_zero(result.value);
}
