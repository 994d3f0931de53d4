use orogen::{Pipeline, node, stage};

/// Baked in 3 × 2 tiles of 192² samples, 8 units apart.
pub fn pipeline() -> Pipeline {
    Pipeline {
        output: "map".into(),
        node: [
            ("distance".into(), node::Radius { centre: [2304.0, 1536.0, 0.0], axes: [0.78, 1.0, 0.0], ..Default::default() }.into()),
            ("swell".into(), node::Simplex { wavelength: 1900.0, seed: Some(14), ..Default::default() }.into()),
            ("swells".into(), node::Fractal { of: "swell".into(), gain: 0.45, ..Default::default() }.into()),
            ("shift".into(), node::ScaleOffset { of: "swells".into(), scale: 260.0, ..Default::default() }.into()),
            ("out".into(), node::Add { a: "distance".into(), b: "shift".into() }.into()),
            ("profile".into(), node::Spline { of: "out".into(), points: vec![node::ControlPoint { at: 0.0, value: -17.0, slope_in: 0.0, slope_out: 0.0 }, node::ControlPoint { at: 700.0, value: -11.0, slope_in: 0.012, slope_out: 0.02 }, node::ControlPoint { at: 900.0, value: -3.0, slope_in: 0.03, slope_out: 0.02 }, node::ControlPoint { at: 1020.0, value: -0.6, slope_in: 0.0, slope_out: -0.01 }, node::ControlPoint { at: 1120.0, value: -2.5, slope_in: -0.05, slope_out: -0.1 }, node::ControlPoint { at: 1600.0, value: -140.0, slope_in: -0.2, slope_out: 0.0 }], ..Default::default() }.into()),
            ("along".into(), node::Simplex { wavelength: 520.0, seed: Some(33), ..Default::default() }.into()),
            ("islet".into(), node::Fractal { of: "along".into(), ..Default::default() }.into()),
            ("rim".into(), node::Spline { of: "out".into(), points: vec![node::ControlPoint { at: 780.0, value: 0.0, slope_in: 0.0, slope_out: 0.0 }, node::ControlPoint { at: 960.0, value: 1.0, slope_in: 0.0, slope_out: 0.0 }, node::ControlPoint { at: 1110.0, value: 0.0, slope_in: 0.0, slope_out: 0.0 }], ..Default::default() }.into()),
            ("bank".into(), node::ScaleOffset { of: "islet".into(), scale: 13.0, offset: 2.0 }.into()),
            ("banks".into(), node::Multiply { a: "bank".into(), b: "rim".into() }.into()),
            ("reef".into(), node::Add { a: "profile".into(), b: "banks".into() }.into()),
            ("head".into(), node::Worley { jitter: 0.95, wavelength: 210.0, seed: 3, ..Default::default() }.into()),
            ("heads".into(), node::Spline { of: "head".into(), points: vec![node::ControlPoint { at: 0.0, value: 11.0, slope_in: 0.0, slope_out: 0.0 }, node::ControlPoint { at: 0.16, value: 4.0, slope_in: -50.0, slope_out: -25.0 }, node::ControlPoint { at: 0.42, value: 0.0, slope_in: 0.0, slope_out: 0.0 }], ..Default::default() }.into()),
            ("inside".into(), node::Spline { of: "out".into(), points: vec![node::ControlPoint { at: 600.0, value: 1.0, slope_in: 0.0, slope_out: 0.0 }, node::ControlPoint { at: 980.0, value: 0.0, slope_in: 0.0, slope_out: 0.0 }], ..Default::default() }.into()),
            ("corals".into(), node::Multiply { a: "heads".into(), b: "inside".into() }.into()),
            ("carved".into(), node::Add { a: "reef".into(), b: "corals".into() }.into()),
            ("edge".into(), node::Spline { of: "out".into(), points: vec![node::ControlPoint { at: 1070.0, value: 0.0, slope_in: 0.0, slope_out: 0.0 }, node::ControlPoint { at: 1110.0, value: 1.0, slope_in: 0.0, slope_out: 0.0 }, node::ControlPoint { at: 1150.0, value: 0.0, slope_in: 0.0, slope_out: 0.0 }], ..Default::default() }.into()),
            ("spray".into(), node::Simplex { wavelength: 60.0, seed: Some(8), ..Default::default() }.into()),
            ("sprays".into(), node::Fractal { of: "spray".into(), octaves: 4, ..Default::default() }.into()),
            ("broken".into(), node::ScaleOffset { of: "sprays".into(), scale: 1.2, offset: 0.5 }.into()),
            ("breaking".into(), node::Multiply { a: "broken".into(), b: "edge".into() }.into()),
        ]
        .into(),
        stage: [
            ("light".into(), stage::Hillshade { of: "carved".into(), altitude: 52.0, ..Default::default() }.into()),
            ("bright".into(), stage::Combine { a: "light".into(), b: 1.25.into(), by: stage::CombineBy::Multiply, ..Default::default() }.into()),
            ("deep".into(), stage::Colour { by: "carved".into(), stops: vec![stage::ColourStop::new(-140.0, "#0b2440"), stage::ColourStop::new(-45.0, "#12466e"), stage::ColourStop::new(-18.0, "#1f87a0"), stage::ColourStop::new(-10.0, "#37abb4"), stage::ColourStop::new(-4.0, "#7fd0c4"), stage::ColourStop::new(-0.8, "#c4e3cc"), stage::ColourStop::new(0.0, "#e6ddb8")], ..Default::default() }.into()),
            ("surf".into(), stage::Mask { of: "breaking".into(), from: 0.25, to: 0.7 }.into()),
            ("foam".into(), stage::Colour { by: "carved".into(), stops: vec![stage::ColourStop::new(0.0, "#f4f8f6")], under: "deep".into(), mask: "surf".into(), ..Default::default() }.into()),
            ("land".into(), stage::Mask { of: "carved".into(), from: -0.4, to: 0.2 }.into()),
            ("map".into(), stage::Colour { by: "carved".into(), stops: vec![stage::ColourStop::new(0.0, "#eadfb9"), stage::ColourStop::new(1.1, "#e2d3a0"), stage::ColourStop::new(1.6, "#7f9a54"), stage::ColourStop::new(3.0, "#4f7c40"), stage::ColourStop::new(8.0, "#3f6b38")], under: "foam".into(), mask: "land".into(), light: "bright".into(), ..Default::default() }.into()),
        ]
        .into(),
    }
}
