use orogen::{Pipeline, node};

/// Baked in 3 × 2 tiles of 192² samples, 1 units apart.
pub fn pipeline() -> Pipeline {
    Pipeline {
        output: "picture".into(),
        node: [
            ("basis".into(), node::Simplex { wavelength: 170.0, seed: Some(5), ..Default::default() }.into()),
            ("shards".into(), node::Fractal { of: "basis".into(), octaves: 3, accumulate: node::Accumulate::Pingpong, ..Default::default() }.into()),
            ("twelfth".into(), node::Mirror { of: "shards".into(), ..Default::default() }.into()),
            ("turn_to_twelfth".into(), node::Transform { of: "twelfth".into(), rotation: 30.0, ..Default::default() }.into()),
            ("sixth".into(), node::Mirror { of: "turn_to_twelfth".into(), ..Default::default() }.into()),
            ("turn_to_sixth".into(), node::Transform { of: "sixth".into(), rotation: 60.0, ..Default::default() }.into()),
            ("third".into(), node::Mirror { of: "turn_to_sixth".into(), ..Default::default() }.into()),
            ("turn_to_third".into(), node::Transform { of: "third".into(), rotation: 60.0, ..Default::default() }.into()),
            ("half".into(), node::Mirror { of: "turn_to_third".into(), ..Default::default() }.into()),
            ("picture".into(), node::Transform { of: "half".into(), offset: [-288.0, -192.0, 0.0], ..Default::default() }.into()),
        ]
        .into(),
        stage: [].into(),
    }
}
