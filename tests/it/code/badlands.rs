use orogen::{Pipeline, node};

/// Baked in 3 × 2 tiles of 192² samples, 1.5 units apart.
pub fn pipeline() -> Pipeline {
    Pipeline {
        output: "height".into(),
        node: [
            ("basis".into(), node::Simplex { wavelength: 420.0, seed: Some(2), ..Default::default() }.into()),
            ("ridges".into(), node::Fractal { of: "basis".into(), octaves: 8, gain: 0.56, accumulate: node::Accumulate::Ridged, sharpness: 3.0, rotation: 37.0, ..Default::default() }.into()),
            ("bent".into(), node::Turbulence { of: "ridges".into(), by: "basis".into(), strength: 22.0, octaves: 4, gain: 0.4, seed: 3, ..Default::default() }.into()),
            ("height".into(), node::Spline { of: "bent".into(), points: vec![node::ControlPoint { at: -1.0, value: 64.0, slope_in: 0.0, slope_out: -6.0 }, node::ControlPoint { at: -0.52, value: 60.0, slope_in: -8.0, slope_out: -90.0 }, node::ControlPoint { at: -0.36, value: 44.0, slope_in: -90.0, slope_out: -10.0 }, node::ControlPoint { at: -0.14, value: 41.0, slope_in: -20.0, slope_out: -90.0 }, node::ControlPoint { at: 0.06, value: 23.0, slope_in: -90.0, slope_out: -20.0 }, node::ControlPoint { at: 1.0, value: 0.0, slope_in: -20.0, slope_out: 0.0 }], ..Default::default() }.into()),
        ]
        .into(),
        stage: [].into(),
    }
}
