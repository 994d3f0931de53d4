use orogen::{Pipeline, node};

/// Baked in 4 × 4 tiles of 512² samples, 1 units apart.
pub fn pipeline() -> Pipeline {
    Pipeline {
        output: "height".into(),
        node: [
            ("crease".into(), node::Simplex { wavelength: 900.0, seed: Some(35), ..Default::default() }.into()),
            ("fold".into(), node::Abs { of: "crease".into() }.into()),
            ("crest".into(), node::ScaleOffset { of: "fold".into(), scale: -1.0, offset: 1.0 }.into()),
            ("blade".into(), node::Power { of: "crest".into(), exponent: 1.25 }.into()),
            ("chains".into(), node::Fractal { of: "blade".into(), octaves: 4, lacunarity: 1.9, rotation: 37.0, ..Default::default() }.into()),
            ("fine_crease".into(), node::Simplex { wavelength: 260.0, seed: Some(4), ..Default::default() }.into()),
            ("fine_fold".into(), node::Abs { of: "fine_crease".into() }.into()),
            ("crags".into(), node::Fractal { of: "fine_fold".into(), octaves: 8, lacunarity: 1.93, gain: 0.49, seed: 3, rotation: 37.0, ..Default::default() }.into()),
            ("exposure".into(), node::Spline { of: "chains".into(), points: vec![node::ControlPoint { at: 0.1, value: -0.06, slope_in: 0.0, slope_out: -0.1 }, node::ControlPoint { at: 0.9, value: -0.62, slope_in: -1.0, slope_out: 0.0 }], ..Default::default() }.into()),
            ("carved".into(), node::Multiply { a: "crags".into(), b: "exposure".into() }.into()),
            ("rock".into(), node::Add { a: "chains".into(), b: "carved".into() }.into()),
            ("drift".into(), node::Simplex { wavelength: 520.0, seed: Some(5), ..Default::default() }.into()),
            ("bend_x".into(), node::Fractal { of: "drift".into(), octaves: 5, gain: 0.45, seed: 1, ..Default::default() }.into()),
            ("bend_y".into(), node::Fractal { of: "drift".into(), octaves: 5, gain: 0.45, seed: 2, ..Default::default() }.into()),
            ("bent".into(), node::Warp { of: "rock".into(), x: "bend_x".into(), y: "bend_y".into(), strength: 60.0, ..Default::default() }.into()),
            ("land".into(), node::Simplex { wavelength: 2600.0, seed: Some(3), ..Default::default() }.into()),
            ("massif".into(), node::Fractal { of: "land".into(), octaves: 4, gain: 0.4, ..Default::default() }.into()),
            ("uplift".into(), node::Spline { of: "massif".into(), points: vec![node::ControlPoint { at: -0.7, value: 0.25, slope_in: 0.0, slope_out: 0.2 }, node::ControlPoint { at: 0.35, value: 1.0, slope_in: 0.3, slope_out: 0.0 }], ..Default::default() }.into()),
            ("relief".into(), node::Multiply { a: "bent".into(), b: "uplift".into() }.into()),
            ("height".into(), node::Spline { of: "relief".into(), points: vec![node::ControlPoint { at: -0.1, value: 420.0, slope_in: 0.0, slope_out: 500.0 }, node::ControlPoint { at: 0.22, value: 700.0, slope_in: 1700.0, slope_out: 1700.0 }, node::ControlPoint { at: 1.0, value: 3950.0, slope_in: 4600.0, slope_out: 0.0 }], ..Default::default() }.into()),
        ]
        .into(),
        stage: [].into(),
    }
}
