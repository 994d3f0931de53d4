use orogen::{Pipeline, node};

/// Baked in 3 × 2 tiles of 192² samples, 1 units apart.
pub fn pipeline() -> Pipeline {
    Pipeline {
        output: "height".into(),
        node: [
            ("basis".into(), node::Simplex { wavelength: 180.0, seed: Some(2), ..Default::default() }.into()),
            ("ridges".into(), node::Fractal { of: "basis".into(), octaves: 8, gain: 0.52, accumulate: node::Accumulate::Ridged, sharpness: 3.0, ..Default::default() }.into()),
            ("bent".into(), node::Turbulence { of: "ridges".into(), by: "basis".into(), strength: 13.0, octaves: 4, seed: 3, ..Default::default() }.into()),
            ("height".into(), node::ScaleOffset { of: "bent".into(), scale: -1.0, ..Default::default() }.into()),
        ]
        .into(),
        stage: [].into(),
    }
}
