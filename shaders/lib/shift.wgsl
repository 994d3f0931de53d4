// A displacement that grows step by step, with its derivatives.
// requires: frame jet

struct Shift {
    value: vec3<f32>,
    // Its derivatives by x, y and z.
    by_x: vec3<f32>,
    by_y: vec3<f32>,
    by_z: vec3<f32>,
}

fn shift_none() -> Shift {
    return Shift(vec3<f32>(0.0), vec3<f32>(0.0), vec3<f32>(0.0), vec3<f32>(0.0));
}

// Chain rule: a noise sampled where the shift leads.
fn shift_jet(inner: Jet, shift: Shift) -> Jet {
    let g = inner.gradient;
    return Jet(
        inner.value,
        g + vec3<f32>(
            g.x * shift.by_x.x + (g.y * shift.by_x.y + g.z * shift.by_x.z),
            g.x * shift.by_y.x + (g.y * shift.by_y.y + g.z * shift.by_y.z),
            g.x * shift.by_z.x + (g.y * shift.by_z.y + g.z * shift.by_z.z),
        ),
    );
}

// One more step, along the vector (x, y, z) that the frame's matrix takes to where the shift is measured.
fn shift_add(shift: Shift, frame: Frame, x: Jet, y: Jet, z: Jet) -> Shift {
    return Shift(
        shift.value + frame_linear(frame, vec3<f32>(x.value, y.value, z.value)),
        shift.by_x + frame_linear(frame, vec3<f32>(x.gradient.x, y.gradient.x, z.gradient.x)),
        shift.by_y + frame_linear(frame, vec3<f32>(x.gradient.y, y.gradient.y, z.gradient.y)),
        shift.by_z + frame_linear(frame, vec3<f32>(x.gradient.z, y.gradient.z, z.gradient.z)),
    );
}
