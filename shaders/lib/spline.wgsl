// A curve through control points: one quadratic Bézier between two of them.
// requires: jet real

struct SplinePoint {
    at: f32,
    value: f32,
    anchor: f32,
    inverse_width: f32,
}

// The piece from `lower` to `upper`, at x; `inside` is false beyond the curve's ends, where it is flat.
fn spline_piece(lower: SplinePoint, upper: SplinePoint, x: Jet, inside: bool) -> Jet {
    let t = real_min(real_max((x.value - lower.at) * lower.inverse_width, 0.0), 1.0);
    let rise = lower.anchor - lower.value;
    let fall = upper.value - lower.anchor;
    let a = lower.value + t * rise;
    let b = lower.anchor + t * fall;
    let slope = 2.0 * (rise + t * (fall - rise)) * lower.inverse_width;
    return jet_through(a + t * (b - a), select(0.0, slope, inside), x);
}
