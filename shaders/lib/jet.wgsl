// Jets: a value and its gradient with respect to world position.
// requires: real

struct Jet {
    value: f32,
    gradient: vec3<f32>,
}

fn jet_constant(value: f32) -> Jet {
    return Jet(value, vec3<f32>(0.0));
}

// Chain rule: a function of x with the given value and slope.
fn jet_through(value: f32, slope: f32, x: Jet) -> Jet {
    return Jet(value, slope * x.gradient);
}

fn jet_scale_offset(x: Jet, scale: f32, offset: f32) -> Jet {
    return jet_through(x.value * scale + offset, scale, x);
}

fn jet_clamp(x: Jet, low: f32, high: f32) -> Jet {
    let inside = x.value >= low && x.value <= high;
    return jet_through(real_min(real_max(x.value, low), high), select(0.0, 1.0, inside), x);
}

fn jet_abs(x: Jet) -> Jet {
    return jet_through(abs(x.value), select(1.0, -1.0, x.value < 0.0), x);
}

fn jet_add(a: Jet, b: Jet) -> Jet {
    return Jet(a.value + b.value, a.gradient + b.gradient);
}

fn jet_multiply(a: Jet, b: Jet) -> Jet {
    return Jet(a.value * b.value, b.value * a.gradient + a.value * b.gradient);
}

fn jet_min(a: Jet, b: Jet) -> Jet {
    if a.value < b.value {
        return a;
    }
    return b;
}

fn jet_max(a: Jet, b: Jet) -> Jet {
    if a.value > b.value {
        return a;
    }
    return b;
}

fn jet_lerp(a: Jet, b: Jet, t: f32) -> Jet {
    return Jet(a.value + t * (b.value - a.value), a.gradient + t * (b.gradient - a.gradient));
}

fn jet_blend(a: Jet, b: Jet, mask: Jet) -> Jet {
    let m = jet_clamp(mask, 0.0, 1.0);
    let mixed = jet_lerp(a, b, m.value);
    return Jet(mixed.value, mixed.gradient + (b.value - a.value) * m.gradient);
}

// One octave of a normalised or plain sum.
fn jet_accumulate_sum(total: Jet, octave: Jet, amplitude: f32) -> Jet {
    return Jet(total.value + amplitude * octave.value, total.gradient + amplitude * octave.gradient);
}

// One octave of the terrain shader's GetRawNoise: lerp towards (octave + 1) / 2.
fn jet_accumulate_lerp(total: Jet, octave: Jet, amplitude: f32) -> Jet {
    return jet_lerp(total, jet_scale_offset(octave, 0.5, 0.5), amplitude);
}

// Chain rule through a displacement by S·(x, y, z): gradient + Jacobian-transpose of (x, y, z) times `pulled` = Sᵀ·gradient.
fn jet_displaced(inner: Jet, pulled: vec3<f32>, x: Jet, y: Jet, z: Jet) -> Jet {
    return Jet(inner.value, inner.gradient + (pulled.x * x.gradient + (pulled.y * y.gradient + pulled.z * z.gradient)));
}

// Chain rule through a position (x, y, z).
fn jet_composed(inner: Jet, x: Jet, y: Jet, z: Jet) -> Jet {
    let g = inner.gradient;
    return Jet(inner.value, g.x * x.gradient + (g.y * y.gradient + g.z * z.gradient));
}
