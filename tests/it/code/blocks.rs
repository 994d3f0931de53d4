use orogen::{Pipeline, node};

/// Baked in 3 × 2 tiles of 192² samples, 1 units apart.
pub fn pipeline() -> Pipeline {
    Pipeline {
        output: "blocks".into(),
        node: [
            ("basis".into(), node::Simplex { wavelength: 190.0, seed: Some(7), ..Default::default() }.into()),
            ("land".into(), node::Fractal { of: "basis".into(), octaves: 5, ..Default::default() }.into()),
            ("pixels".into(), node::Quantise { of: "land".into(), ..Default::default() }.into()),
            ("blocks".into(), node::Terrace { of: "pixels".into(), height: 0.125, slope: 0.001 }.into()),
        ]
        .into(),
        stage: [].into(),
    }
}
