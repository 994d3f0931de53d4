use orogen::{Pipeline, node, stage};

/// Baked in 3 × 2 tiles of 192² samples, 1 units apart.
pub fn pipeline() -> Pipeline {
    Pipeline {
        output: "map".into(),
        node: [
            ("base".into(), node::Perlin { wavelength: 260.0, seed: 21, ..Default::default() }.into()),
            ("raw".into(), node::Fractal { of: "base".into(), octaves: 7, seed: 2, ..Default::default() }.into()),
            ("hills".into(), node::ScaleOffset { of: "raw".into(), scale: 95.0, offset: 28.0 }.into()),
        ]
        .into(),
        stage: [
            ("island".into(), stage::Dropoff { of: "hills".into(), centre: [288.0, 192.0, 0.0], radius: 40.0, width: 190.0, axes: [0.72, 1.0, 0.0], floor: -45.0 }.into()),
            ("carved".into(), stage::Gully { of: "island".into(), wavelength: 36.0, octaves: 3, strength: 0.16, onset: 0.35, ..Default::default() }.into()),
            ("sea".into(), stage::Ocean { of: "carved".into(), width: 5.0, ..Default::default() }.into()),
            ("light".into(), stage::Hillshade { of: "sea".into(), altitude: 48.0, ..Default::default() }.into()),
            ("bright".into(), stage::Combine { a: "light".into(), b: 1.3.into(), by: stage::CombineBy::Multiply, ..Default::default() }.into()),
            ("deep".into(), stage::Colour { by: "sea.depth".into(), stops: vec![stage::ColourStop::new(0.0, "#9ad0c4"), stage::ColourStop::new(5.0, "#4f9fae"), stage::ColourStop::new(18.0, "#2b6c8d"), stage::ColourStop::new(45.0, "#173f63")], ..Default::default() }.into()),
            ("ground".into(), stage::Colour { by: "carved".into(), stops: vec![stage::ColourStop::new(0.0, "#e4d6a8"), stage::ColourStop::new(2.5, "#dccd98"), stage::ColourStop::new(5.0, "#7f9a54"), stage::ColourStop::new(28.0, "#56783f"), stage::ColourStop::new(48.0, "#7d8656"), stage::ColourStop::new(62.0, "#9a8d76"), stage::ColourStop::new(85.0, "#d9d6cf")], under: "deep".into(), mask: "land".into(), light: "bright".into(), ..Default::default() }.into()),
            ("land".into(), stage::Mask { of: "carved".into(), from: -0.4, to: 0.4 }.into()),
            ("slope".into(), stage::Slope { of: "carved".into(), ..Default::default() }.into()),
            ("bare".into(), stage::Mask { of: "slope".into(), from: 0.9, to: 1.6 }.into()),
            ("cliffs".into(), stage::Combine { a: "bare".into(), b: "land".into(), by: stage::CombineBy::Multiply, ..Default::default() }.into()),
            ("map".into(), stage::Colour { by: "carved".into(), stops: vec![stage::ColourStop::new(0.0, "#8a7f70")], under: "ground".into(), mask: "cliffs".into(), light: "bright".into(), ..Default::default() }.into()),
        ]
        .into(),
    }
}
