use orogen::{Pipeline, node, stage};

/// Baked in 3 × 2 tiles of 192² samples, 1.5 units apart.
pub fn pipeline() -> Pipeline {
    Pipeline {
        output: "map".into(),
        node: [
            ("basis".into(), node::Simplex { wavelength: 420.0, seed: Some(2), ..Default::default() }.into()),
            ("ridges".into(), node::Fractal { of: "basis".into(), octaves: 8, gain: 0.56, accumulate: node::Accumulate::Ridged, sharpness: 3.0, rotation: 37.0, ..Default::default() }.into()),
            ("bent".into(), node::Turbulence { of: "ridges".into(), by: "basis".into(), strength: 22.0, octaves: 4, gain: 0.4, seed: 3, ..Default::default() }.into()),
            ("height".into(), node::Spline { of: "bent".into(), points: vec![node::ControlPoint { at: -1.0, value: 110.0, slope_in: 0.0, slope_out: -30.0 }, node::ControlPoint { at: -0.2, value: 60.0, slope_in: -90.0, slope_out: -90.0 }, node::ControlPoint { at: 1.0, value: 0.0, slope_in: -20.0, slope_out: 0.0 }], ..Default::default() }.into()),
            ("fold".into(), node::Simplex { wavelength: 240.0, seed: Some(31), ..Default::default() }.into()),
            ("folds".into(), node::ScaleOffset { of: "fold".into(), scale: 3.0, ..Default::default() }.into()),
        ]
        .into(),
        stage: [
            ("worn".into(), stage::Erosion { of: "height".into(), size: 80.0, strength: 1.3, detail: 1.0, deposition: 0.3, talus: 1.3, ..Default::default() }.into()),
            ("beds".into(), stage::Combine { a: "worn".into(), b: "folds".into(), ..Default::default() }.into()),
            ("light".into(), stage::Hillshade { of: "worn".into(), ..Default::default() }.into()),
            ("sky".into(), stage::Occlusion { of: "worn".into(), radius: 12, ..Default::default() }.into()),
            ("lit".into(), stage::Combine { a: "light".into(), b: "sky".into(), by: stage::CombineBy::Multiply, ..Default::default() }.into()),
            ("sun".into(), stage::Combine { a: "lit".into(), b: 1.45.into(), by: stage::CombineBy::Multiply, ..Default::default() }.into()),
            ("bright".into(), stage::Combine { a: "sun".into(), b: 0.25.into(), ..Default::default() }.into()),
            ("map".into(), stage::Colour { by: "beds".into(), stops: vec![stage::ColourStop::new(8.0, "#b9a288"), stage::ColourStop::new(9.0, "#cbb698"), stage::ColourStop::new(11.0, "#cbb698"), stage::ColourStop::new(12.0, "#a06a54"), stage::ColourStop::new(17.0, "#a06a54"), stage::ColourStop::new(18.0, "#d8c4a4"), stage::ColourStop::new(20.0, "#d8c4a4"), stage::ColourStop::new(21.0, "#87524a"), stage::ColourStop::new(25.0, "#87524a"), stage::ColourStop::new(26.0, "#bd8a6c"), stage::ColourStop::new(29.0, "#bd8a6c"), stage::ColourStop::new(30.0, "#e0d0b4"), stage::ColourStop::new(31.0, "#94584a"), stage::ColourStop::new(37.0, "#94584a"), stage::ColourStop::new(38.0, "#c99e7d"), stage::ColourStop::new(41.0, "#c99e7d"), stage::ColourStop::new(42.0, "#a56a52"), stage::ColourStop::new(46.0, "#a56a52"), stage::ColourStop::new(47.0, "#e2d2b8"), stage::ColourStop::new(48.0, "#e2d2b8"), stage::ColourStop::new(49.0, "#b27c62"), stage::ColourStop::new(54.0, "#b27c62"), stage::ColourStop::new(55.0, "#d9c3a0"), stage::ColourStop::new(57.0, "#d9c3a0"), stage::ColourStop::new(58.0, "#8d5648"), stage::ColourStop::new(62.0, "#8d5648"), stage::ColourStop::new(63.0, "#cfae8c")], light: "bright".into(), ..Default::default() }.into()),
        ]
        .into(),
    }
}
