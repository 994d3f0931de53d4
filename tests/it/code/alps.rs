use orogen::{Pipeline, node};

/// Baked in 4 × 4 tiles of 512² samples, 16 units apart.
pub fn pipeline() -> Pipeline {
    Pipeline {
        output: "height".into(),
        node: [
            ("crease".into(), node::Simplex { wavelength: 16000.0, seed: Some(11), ..Default::default() }.into()),
            ("fold".into(), node::Abs { of: "crease".into() }.into()),
            ("crest".into(), node::ScaleOffset { of: "fold".into(), scale: -1.0, offset: 1.0 }.into()),
            ("blade".into(), node::Power { of: "crest".into(), exponent: 1.1 }.into()),
            ("chains".into(), node::Fractal { of: "blade".into(), octaves: 4, lacunarity: 2.1, gain: 0.4, rotation: 37.0, ..Default::default() }.into()),
            ("fine_crease".into(), node::Simplex { wavelength: 6500.0, seed: Some(4), ..Default::default() }.into()),
            ("fine_fold".into(), node::Abs { of: "fine_crease".into() }.into()),
            ("crags".into(), node::Fractal { of: "fine_fold".into(), octaves: 8, lacunarity: 2.1, gain: 0.4, seed: 3, rotation: 37.0, ..Default::default() }.into()),
            ("exposure".into(), node::Spline { of: "chains".into(), points: vec![node::ControlPoint { at: 0.2, value: -0.34, slope_in: 0.0, slope_out: -0.1 }, node::ControlPoint { at: 0.9, value: -0.5, slope_in: -0.3, slope_out: 0.0 }], ..Default::default() }.into()),
            ("carved".into(), node::Multiply { a: "crags".into(), b: "exposure".into() }.into()),
            ("rock".into(), node::Add { a: "chains".into(), b: "carved".into() }.into()),
            ("drift".into(), node::Simplex { wavelength: 9000.0, seed: Some(5), ..Default::default() }.into()),
            ("bend_x".into(), node::Fractal { of: "drift".into(), octaves: 5, gain: 0.35, seed: 1, ..Default::default() }.into()),
            ("bend_y".into(), node::Fractal { of: "drift".into(), octaves: 5, gain: 0.35, seed: 2, ..Default::default() }.into()),
            ("bent".into(), node::Warp { of: "rock".into(), x: "bend_x".into(), y: "bend_y".into(), strength: 500.0, ..Default::default() }.into()),
            ("land".into(), node::Simplex { wavelength: 42000.0, seed: Some(3), ..Default::default() }.into()),
            ("massif".into(), node::Fractal { of: "land".into(), octaves: 4, gain: 0.4, ..Default::default() }.into()),
            ("uplift".into(), node::Spline { of: "massif".into(), points: vec![node::ControlPoint { at: -0.7, value: 0.4, slope_in: 0.0, slope_out: 0.2 }, node::ControlPoint { at: 0.35, value: 1.0, slope_in: 0.3, slope_out: 0.0 }], ..Default::default() }.into()),
            ("relief".into(), node::Multiply { a: "bent".into(), b: "uplift".into() }.into()),
            ("height".into(), node::Spline { of: "relief".into(), points: vec![node::ControlPoint { at: -0.3, value: 420.0, slope_in: 0.0, slope_out: 400.0 }, node::ControlPoint { at: 0.06, value: 640.0, slope_in: 1200.0, slope_out: 2600.0 }, node::ControlPoint { at: 0.95, value: 3700.0, slope_in: 3600.0, slope_out: 0.0 }], ..Default::default() }.into()),
        ]
        .into(),
        stage: [].into(),
    }
}
