// Addition of octaves, for all kinds except a plain sum. p = (level, sharpness, weight, folds).
// requires: jet

struct FractalSum {
    total: Jet,
    // Weight of the next octave, from the octaves so far.
    weight: Jet,
}

fn fractal_start() -> FractalSum {
    return FractalSum(jet_constant(0.0), jet_constant(1.0));
}

// The weight after an octave whose value, as 0 to 1, is `unit`: held back by a share where that is low.
fn fractal_held_back(weight: Jet, unit: Jet, share: f32) -> Jet {
    let held = jet_clamp(unit, 0.0, 1.0);
    return jet_multiply(weight, jet_through(1.0 + share * (held.value - 1.0), share, held));
}

fn fractal_add(sum: FractalSum, octave: Jet, amplitude: f32) -> Jet {
    return jet_add(sum.total, jet_multiply(jet_scale_offset(sum.weight, amplitude, 0.0), octave));
}

fn fractal_weighted(sum: FractalSum, octave: Jet, amplitude: f32, p: vec4<f32>) -> FractalSum {
    return FractalSum(fractal_add(sum, octave, amplitude), fractal_held_back(sum.weight, jet_scale_offset(octave, 0.5, 0.5), p.z));
}

fn fractal_billow(sum: FractalSum, octave: Jet, amplitude: f32, p: vec4<f32>) -> FractalSum {
    let height = jet_abs(octave);
    return FractalSum(fractal_add(sum, jet_scale_offset(height, 2.0, -1.0), amplitude), fractal_held_back(sum.weight, height, p.z));
}

fn fractal_pingpong(sum: FractalSum, octave: Jet, amplitude: f32, p: vec4<f32>) -> FractalSum {
    let t = (octave.value + 1.0) * p.w;
    let r = t - 2.0 * floor(0.5 * t);
    let back = r >= 1.0;
    let fold = jet_through(select(r, 2.0 - r, back), select(p.w, -p.w, back), octave);
    return FractalSum(fractal_add(sum, jet_scale_offset(fold, 2.0, -1.0), amplitude), fractal_held_back(sum.weight, fold, p.z));
}

// Musgrave's ridged multifractal.
fn fractal_ridged(sum: FractalSum, octave: Jet, amplitude: f32, p: vec4<f32>) -> FractalSum {
    let distance = jet_scale_offset(jet_abs(octave), -1.0, p.x);
    let ridge = jet_multiply(jet_multiply(distance, distance), sum.weight);
    let total = jet_add(sum.total, jet_scale_offset(ridge, amplitude, 0.0));
    return FractalSum(total, jet_clamp(jet_scale_offset(ridge, p.y, 0.0), 0.0, 1.0));
}

// Musgrave's multifractal: a product.
fn fractal_multifractal(sum: FractalSum, octave: Jet, amplitude: f32, p: vec4<f32>) -> FractalSum {
    let product = jet_multiply(sum.weight, jet_scale_offset(octave, amplitude, p.x));
    return FractalSum(product, product);
}

// Musgrave's heterogeneous terrain: every octave scaled by the height so far.
fn fractal_heterogeneous(sum: FractalSum, octave: Jet, amplitude: f32, p: vec4<f32>) -> FractalSum {
    let signal = jet_scale_offset(jet_scale_offset(octave, 1.0, p.x), amplitude, 0.0);
    let total = jet_add(sum.total, jet_multiply(signal, sum.weight));
    return FractalSum(total, total);
}

// Musgrave's hybrid multifractal.
fn fractal_hybrid(sum: FractalSum, octave: Jet, amplitude: f32, p: vec4<f32>) -> FractalSum {
    let signal = jet_multiply(jet_scale_offset(jet_scale_offset(octave, 1.0, p.x), amplitude, 0.0), sum.weight);
    return FractalSum(jet_add(sum.total, signal), jet_min(signal, jet_constant(1.0)));
}
