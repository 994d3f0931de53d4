
fn scope_0(site: Site, instance: u32) -> Jet {
    let frame0 = table_span(0u).x + instance;
    let at0 = table_cell(site, frame0);
    let v0 = table_world(frame0, simplex_2(at0.cell, at0.fraction, table_key(frame0)));
    return v0;
}

@group(1) @binding(0) var<storage, read_write> output: array<f32>;

@compute @workgroup_size(8, 8, 1)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let at = id;
    if any(at >= dispatch.size) {
        return;
    }
    let result = scope_0(Site(at, 0u, 0u), 0u);
    let sample = (at.z * dispatch.size.y + at.y) * dispatch.size.x + at.x;
    output[1u * sample + 0u] = real_unsigned_zero(result.value);
}
