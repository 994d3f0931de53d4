use orogen::{Pipeline, node};

/// Baked in 3 × 2 tiles of 192² samples, 1 units apart.
pub fn pipeline() -> Pipeline {
    Pipeline {
        output: "view".into(),
        node: [
            ("near".into(), node::Spectral { count: 220, exponent: -0.9, length: 900.0, seed: 12, ..Default::default() }.into()),
            ("middle".into(), node::Spectral { count: 160, exponent: -1.2, length: 1100.0, seed: 5, ..Default::default() }.into()),
            ("far".into(), node::Spectral { count: 90, exponent: -1.6, length: 1300.0, seed: 8, ..Default::default() }.into()),
            ("down".into(), node::Coordinate { axis: node::Axis::Y, ..Default::default() }.into()),
            ("near_crest".into(), node::ScaleOffset { of: "near".into(), scale: 260.0, offset: -300.0 }.into()),
            ("near_depth".into(), node::Add { a: "down".into(), b: "near_crest".into() }.into()),
            ("middle_crest".into(), node::ScaleOffset { of: "middle".into(), scale: 240.0, offset: -225.0 }.into()),
            ("middle_depth".into(), node::Add { a: "down".into(), b: "middle_crest".into() }.into()),
            ("far_crest".into(), node::ScaleOffset { of: "far".into(), scale: 170.0, offset: -160.0 }.into()),
            ("far_depth".into(), node::Add { a: "down".into(), b: "far_crest".into() }.into()),
            ("near_ridge".into(), node::Threshold { of: "near_depth".into(), below: 1.0, above: 0.0, ..Default::default() }.into()),
            ("middle_ridge".into(), node::Threshold { of: "middle_depth".into(), below: 1.0, above: 0.22, ..Default::default() }.into()),
            ("far_ridge".into(), node::Threshold { of: "far_depth".into(), below: 1.0, above: 0.45, ..Default::default() }.into()),
            ("light".into(), node::Smoothstep { of: "down".into(), low: -260.0, high: 260.0 }.into()),
            ("sky".into(), node::ScaleOffset { of: "light".into(), scale: 0.4, offset: 0.6 }.into()),
            ("behind".into(), node::Min { a: "sky".into(), b: "far_ridge".into() }.into()),
            ("before".into(), node::Min { a: "middle_ridge".into(), b: "near_ridge".into() }.into()),
            ("view".into(), node::Min { a: "behind".into(), b: "before".into() }.into()),
        ]
        .into(),
        stage: [].into(),
    }
}
