use orogen::{Pipeline, node};

/// Baked in 3 × 2 tiles of 192² samples, 1 units apart.
pub fn pipeline() -> Pipeline {
    Pipeline {
        output: "section".into(),
        node: [
            ("basis".into(), node::Simplex { dimensions: 3, wavelength: 200.0, ..Default::default() }.into()),
            ("first".into(), node::Fractal { of: "basis".into(), octaves: 5, seed: 1, ..Default::default() }.into()),
            ("second".into(), node::Fractal { of: "basis".into(), octaves: 3, seed: 2, ..Default::default() }.into()),
            ("near".into(), node::Abs { of: "first".into() }.into()),
            ("far".into(), node::Abs { of: "second".into() }.into()),
            ("wide".into(), node::ScaleOffset { of: "far".into(), scale: 0.22, ..Default::default() }.into()),
            ("tunnel".into(), node::Max { a: "near".into(), b: "wide".into() }.into()),
            ("wall".into(), node::Smoothstep { of: "tunnel".into(), low: 0.035, high: 0.085 }.into()),
            ("depth".into(), node::Coordinate { axis: node::Axis::Y, unit: 40.0 }.into()),
            ("layer".into(), node::Sine { of: "depth".into(), ..Default::default() }.into()),
            ("layers".into(), node::Turbulence { of: "layer".into(), by: "first".into(), strength: 90.0, ..Default::default() }.into()),
            ("stone".into(), node::ScaleOffset { of: "layers".into(), scale: 0.07, offset: 0.58 }.into()),
            ("rock".into(), node::Multiply { a: "stone".into(), b: "wall".into() }.into()),
            ("ground".into(), node::ScaleOffset { of: "depth".into(), scale: -0.5, offset: 1.3 }.into()),
            ("above".into(), node::Add { a: "ground".into(), b: "second".into() }.into()),
            ("sky".into(), node::ScaleOffset { of: "depth".into(), scale: 0.04, offset: 0.84 }.into()),
            ("world".into(), node::Select { a: "rock".into(), b: "sky".into(), mask: "above".into(), falloff: 0.012, ..Default::default() }.into()),
            ("plane".into(), node::Slice { of: "world".into(), at: 40.0, ..Default::default() }.into()),
            ("section".into(), node::Clamp { of: "plane".into(), low: 0.0, ..Default::default() }.into()),
        ]
        .into(),
        stage: [].into(),
    }
}
