use orogen::{Pipeline, node, stage};

/// Baked in 4 × 4 tiles of 256² samples, 1 units apart.
pub fn pipeline() -> Pipeline {
    Pipeline {
        output: "map".into(),
        node: [
            ("crease".into(), node::Simplex { wavelength: 420.0, seed: Some(12), ..Default::default() }.into()),
            ("fold".into(), node::Abs { of: "crease".into() }.into()),
            ("crest".into(), node::ScaleOffset { of: "fold".into(), scale: -1.0, offset: 1.0 }.into()),
            ("chains".into(), node::Fractal { of: "crest".into(), octaves: 7, gain: 0.42, seed: 4, rotation: 37.0, ..Default::default() }.into()),
            ("land".into(), node::Simplex { wavelength: 900.0, seed: Some(8), ..Default::default() }.into()),
            ("uplift".into(), node::Spline { of: "land".into(), points: vec![node::ControlPoint { at: -0.7, value: 0.12, slope_in: 0.0, slope_out: 0.2 }, node::ControlPoint { at: 0.6, value: 1.0, slope_in: 0.5, slope_out: 0.0 }], ..Default::default() }.into()),
            ("raised".into(), node::Multiply { a: "chains".into(), b: "uplift".into() }.into()),
            ("height".into(), node::ScaleOffset { of: "raised".into(), scale: 120.0, ..Default::default() }.into()),
        ]
        .into(),
        stage: [
            ("eroded".into(), stage::Hydraulic { of: "height".into(), capacity: 4.0, dissolve: 0.012, ..Default::default() }.into()),
            ("settled".into(), stage::Thermal { of: "eroded".into(), talus: 1.1, iterations: 12, ..Default::default() }.into()),
            ("light".into(), stage::Hillshade { of: "settled".into(), ..Default::default() }.into()),
            ("sky".into(), stage::Occlusion { of: "settled".into(), radius: 12, ..Default::default() }.into()),
            ("lit".into(), stage::Combine { a: "light".into(), b: "sky".into(), by: stage::CombineBy::Multiply, ..Default::default() }.into()),
            ("sun".into(), stage::Combine { a: "lit".into(), b: 1.35.into(), by: stage::CombineBy::Multiply, ..Default::default() }.into()),
            ("bright".into(), stage::Combine { a: "sun".into(), b: 0.28.into(), ..Default::default() }.into()),
            ("steep".into(), stage::Slope { of: "settled".into(), ..Default::default() }.into()),
            ("rocky".into(), stage::Mask { of: "steep".into(), from: 0.75, to: 1.5 }.into()),
            ("wet".into(), stage::Mask { of: "eroded.water".into(), from: 0.5, ..Default::default() }.into()),
            ("tints".into(), stage::Colour { by: "settled".into(), stops: vec![stage::ColourStop::new(8.0, "#5f7443"), stage::ColourStop::new(30.0, "#7f8c51"), stage::ColourStop::new(48.0, "#a39a6b"), stage::ColourStop::new(62.0, "#9a8a78"), stage::ColourStop::new(72.0, "#d6d7da"), stage::ColourStop::new(88.0, "#fbfcff")], light: "bright".into(), ..Default::default() }.into()),
            ("rocks".into(), stage::Colour { by: "settled".into(), stops: vec![stage::ColourStop::new(0.0, "#6a6157"), stage::ColourStop::new(200.0, "#8b8480")], under: "tints".into(), mask: "rocky".into(), light: "bright".into(), ..Default::default() }.into()),
            ("map".into(), stage::Colour { by: "eroded.water".into(), stops: vec![stage::ColourStop::new(0.0, "#5f95a5"), stage::ColourStop::new(6.0, "#1d4a68")], under: "rocks".into(), mask: "wet".into(), ..Default::default() }.into()),
        ]
        .into(),
    }
}
