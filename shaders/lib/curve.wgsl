// Curves with up to four numbers, prepared by the host so that kernels do not divide.
// requires: interpolate jet power real root turn

// p = (lower edge, 1 / width): 0 below, 1 above, quintic between.
fn curve_smoothstep(x: Jet, p: vec4<f32>) -> Jet {
    let w = interpolate_quintic(real_min(real_max((x.value - p.x) * p.y, 0.0), 1.0));
    return jet_through(real_min(w.x, 1.0), w.y * p.y, x);
}

// p = (height of a step, 1 / height, flat share, 1 / sloped share).
fn curve_terrace(x: Jet, p: vec4<f32>) -> Jet {
    let t = x.value * p.y;
    let step = floor(t);
    let w = interpolate_quintic(real_min(real_max((t - step - p.z) * p.w, 0.0), 1.0));
    return jet_through((step + real_min(w.x, 1.0)) * p.x, w.y * p.w, x);
}

// p = (at, below, above).
fn curve_threshold(x: Jet, p: vec4<f32>) -> Jet {
    return jet_constant(select(p.z, p.y, x.value < p.x));
}

// Perlin's gain: a power of the distance from the nearer end. p = (exponent).
fn curve_gain(x: Jet, p: vec4<f32>) -> Jet {
    let held = jet_clamp(x, 0.0, 1.0);
    let t = 2.0 * held.value - 1.0;
    let w = power_positive(1.0 - abs(t), p.x);
    return jet_through(select(1.0 - 0.5 * w.x, 0.5 * w.x, t < 0.0), w.y, held);
}

// p = (turns per unit, turns at 0).
fn curve_sine(x: Jet, p: vec4<f32>) -> Jet {
    let t = x.value * p.x + p.y;
    let s = turn_whole(t - floor(t));
    return jet_through(s.x, (6.2831854820251465 * p.x) * s.y, x);
}

// sign(z) · sqrt(1 - exp(-2z²/π)) for z = x · p.x: near 2Φ(z) - 1. Below y = 2z²/π = 1 by a polynomial of (1 - exp(-y)) / y,
// so that nothing cancels.
fn curve_normal(x: Jet, p: vec4<f32>) -> Jet {
    let z = x.value * p.x;
    let y = 0.6366197466850281 * (z * z);
    let e = power_exp2(-1.4426950216293335 * y);
    let near = real_min(y, 1.0);
    var g = -1.6021167539292946e-05;
    g = g * near + 0.0001852609566412866;
    g = g * near - 0.0013782092137262225;
    g = g * near + 0.008328448981046677;
    g = g * near - 0.041665442287921906;
    g = g * near + 0.16666652262210846;
    g = g * near - 0.5;
    g = g * near + 1.0;
    let far = real_max(1.0 - e, 0.5);
    let inside = y < 1.0;
    let value = select(root_sqrt(far), 0.7978845834732056 * (abs(z) * root_sqrt(g)), inside);
    let slope = select((0.6366197466850281 * abs(z)) * (e * root_inverse(far)), 0.7978845834732056 * (e * root_inverse(g)), inside);
    return jet_through(select(value, -value, z < 0.0), slope * p.x, x);
}

// A probability from -1 to 1, held away from both ends.
fn curve_probability(x: Jet) -> Jet {
    return jet_clamp(x, -0.9999980926513672, 0.9999980926513672);
}

// location + scale · (-ln(1 - u))^(1/shape) for u = (x + 1) / 2. p = (location, scale, 1 / shape).
fn curve_weibull_quantile(x: Jet, p: vec4<f32>) -> Jet {
    let v = curve_probability(x);
    let l = power_log2(0.5 - 0.5 * v.value);
    let w = power_positive(-0.6931471824645996 * l, p.z);
    return jet_through(p.x + p.y * w.x, (0.5 * p.y) * (w.y * power_exp2(-l)), v);
}

// location + scale · Φ⁻¹((x + 1) / 2), by the polynomials of Giles (2010) for the inverse error function. p = (location, scale).
fn curve_normal_quantile(x: Jet, p: vec4<f32>) -> Jet {
    let v = curve_probability(x);
    let w = -0.6931471824645996 * power_log2((1.0 - v.value) * (1.0 + v.value));
    let a = w - 2.5;
    var low = 2.810226362726098e-08;
    low = low * a + 3.432739390518691e-07;
    low = low * a - 3.523387704262859e-06;
    low = low * a - 4.391506536194356e-06;
    low = low * a + 0.00021858086984138936;
    low = low * a - 0.001253725029528141;
    low = low * a - 0.004177681636065245;
    low = low * a + 0.24664072692394257;
    low = low * a + 1.5014094114303589;
    let b = root_sqrt(w) - 3.0;
    var high = -0.0002002142573473975;
    high = high * b + 0.0001009505576803349;
    high = high * b + 0.0013493432197719812;
    high = high * b - 0.003673428436741233;
    high = high * b + 0.005739507731050253;
    high = high * b - 0.007622461300343275;
    high = high * b + 0.00943887047469616;
    high = high * b + 1.0016740560531616;
    high = high * b + 2.832976818084717;
    let y = select(high, low, w < 5.0) * v.value;
    let slope = 1.2533141374588013 * power_exp2(1.4426950216293335 * (y * y));
    return jet_through(p.x + p.y * (1.4142135381698608 * y), p.y * slope, v);
}
