use orogen::{Pipeline, node};

/// Baked in 3 × 2 tiles of 192² samples, 1 units apart.
pub fn pipeline() -> Pipeline {
    Pipeline {
        output: "board".into(),
        node: [
            ("tiles".into(), node::Hexagonal { wavelength: 32.0, seed: 9, ..Default::default() }.into()),
            ("more_tiles".into(), node::Hexagonal { wavelength: 32.0, seed: 4, ..Default::default() }.into()),
            ("sum".into(), node::Blend { a: "tiles".into(), b: "more_tiles".into(), mask: 0.4.into() }.into()),
            ("spread".into(), node::Smoothstep { of: "sum".into(), low: -0.55, high: 0.55 }.into()),
            ("board".into(), node::Terrace { of: "spread".into(), height: 0.142857, slope: 0.02 }.into()),
        ]
        .into(),
        stage: [].into(),
    }
}
