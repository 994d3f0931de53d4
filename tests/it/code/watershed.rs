use orogen::{Pipeline, node, stage};

/// Baked in 4 × 4 tiles of 256² samples, 1 units apart.
pub fn pipeline() -> Pipeline {
    Pipeline {
        output: "map".into(),
        node: [
            ("crease".into(), node::Simplex { wavelength: 620.0, seed: Some(12), ..Default::default() }.into()),
            ("fold".into(), node::Abs { of: "crease".into() }.into()),
            ("crest".into(), node::ScaleOffset { of: "fold".into(), scale: -1.0, offset: 1.0 }.into()),
            ("chains".into(), node::Fractal { of: "crest".into(), octaves: 8, gain: 0.42, seed: 4, rotation: 37.0, ..Default::default() }.into()),
            ("bends".into(), node::Simplex { wavelength: 240.0, seed: Some(21), ..Default::default() }.into()),
            ("bent".into(), node::Turbulence { of: "chains".into(), by: "bends".into(), strength: 16.0, octaves: 2, ..Default::default() }.into()),
            ("land".into(), node::Simplex { wavelength: 1100.0, seed: Some(8), ..Default::default() }.into()),
            ("uplift".into(), node::Spline { of: "land".into(), points: vec![node::ControlPoint { at: -0.7, value: 0.25, slope_in: 0.0, slope_out: 0.2 }, node::ControlPoint { at: 0.6, value: 1.0, slope_in: 0.5, slope_out: 0.0 }], ..Default::default() }.into()),
            ("raised".into(), node::Multiply { a: "bent".into(), b: "uplift".into() }.into()),
            ("height".into(), node::ScaleOffset { of: "raised".into(), scale: 260.0, ..Default::default() }.into()),
        ]
        .into(),
        stage: [
            ("eroded".into(), stage::Erosion { of: "height".into(), size: 800.0, strength: 0.8, deposition: 3.0, talus: 1.1, ..Default::default() }.into()),
            ("light".into(), stage::Hillshade { of: "eroded".into(), altitude: 42.0, ..Default::default() }.into()),
            ("sky".into(), stage::Occlusion { of: "eroded".into(), radius: 12, ..Default::default() }.into()),
            ("lit".into(), stage::Combine { a: "light".into(), b: "sky".into(), by: stage::CombineBy::Multiply, ..Default::default() }.into()),
            ("sun".into(), stage::Combine { a: "lit".into(), b: 1.5.into(), by: stage::CombineBy::Multiply, ..Default::default() }.into()),
            ("bright".into(), stage::Combine { a: "sun".into(), b: 0.3.into(), ..Default::default() }.into()),
            ("steep".into(), stage::Slope { of: "eroded".into(), ..Default::default() }.into()),
            ("rocky".into(), stage::Mask { of: "steep".into(), from: 0.75, to: 1.1 }.into()),
            ("laid".into(), stage::Mask { of: "eroded.deposit".into(), from: 1.0, to: 6.0 }.into()),
            ("low".into(), stage::Mask { of: "eroded".into(), from: 160.0, to: 120.0 }.into()),
            ("meadow".into(), stage::Combine { a: "laid".into(), b: "low".into(), by: stage::CombineBy::Multiply, ..Default::default() }.into()),
            ("river".into(), stage::Mask { of: "eroded.flow".into(), from: 2000.0, to: 7000.0 }.into()),
            ("tints".into(), stage::Colour { by: "eroded".into(), stops: vec![stage::ColourStop::new(20.0, "#4f6a3c"), stage::ColourStop::new(90.0, "#66794a"), stage::ColourStop::new(125.0, "#8d8a67"), stage::ColourStop::new(150.0, "#a19a8e"), stage::ColourStop::new(165.0, "#dddee1"), stage::ColourStop::new(220.0, "#fcfdff")], light: "bright".into(), ..Default::default() }.into()),
            ("rocks".into(), stage::Colour { by: "eroded".into(), stops: vec![stage::ColourStop::new(0.0, "#6b6258"), stage::ColourStop::new(240.0, "#8d8781")], under: "tints".into(), mask: "rocky".into(), light: "bright".into(), ..Default::default() }.into()),
            ("floors".into(), stage::Colour { by: "eroded.deposit".into(), stops: vec![stage::ColourStop::new(0.0, "#7f8f52"), stage::ColourStop::new(30.0, "#a5a873")], under: "rocks".into(), mask: "meadow".into(), light: "bright".into(), ..Default::default() }.into()),
            ("map".into(), stage::Colour { by: "eroded.flow".into(), stops: vec![stage::ColourStop::new(0.0, "#6b9db0"), stage::ColourStop::new(60000.0, "#2d6684")], under: "floors".into(), mask: "river".into(), ..Default::default() }.into()),
        ]
        .into(),
    }
}
