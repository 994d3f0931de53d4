//! Colours between stops against values that are known elsewhere.

use crate::support::{cpu, gpu, oracle};
use orogen::node::{Coordinate, Input};
use orogen::stage::{Colour, ColourSpace, ColourStop, Pipeline};
use orogen::{Engine, Noise, Region};

/// The colours of a ramp from −1 to 3, at values from −2 to 4 in steps of 1/8.
fn ramp(engine: &Engine, stops: Vec<ColourStop>, space: ColourSpace) -> Vec<[f64; 4]> {
    let by = Input::Node("x".to_owned());
    let pipeline =
        Pipeline::from(Noise::coordinate(Coordinate::default()).named("x")).then(Colour { by, stops, space, ..Default::default() });
    let region = Region { spacing: 0.125, anchor: [-2.0, 0.0, 0.0], ..Region::plane(49, 1) };
    let layer = engine.layers(&pipeline, &[&pipeline.output], &region).expect("a layer").remove(0);
    assert_eq!(layer.channels, 4);
    layer.values.as_chunks::<4>().0.iter().map(|colour| colour.map(f64::from)).collect()
}

pub fn linear(srgb: f64) -> f64 {
    if srgb <= 0.040_45 { srgb / 12.92 } else { ((srgb + 0.055) / 1.055).powf(2.4) }
}

fn srgb(linear: f64) -> f64 {
    if linear <= 0.003_130_8 { linear * 12.92 } else { 1.055 * linear.powf(1.0 / 2.4) - 0.055 }
}

/// The product of a matrix and a vector.
fn times(m: [[f64; 3]; 3], v: [f64; 3]) -> [f64; 3] {
    m.map(|row| row[0] * v[0] + row[1] * v[1] + row[2] * v[2])
}

/// Ottosson's "A perceptual color space for image processing" (2020), via XYZ (D65), as in CSS Color 4.
pub fn oklab(linear: [f64; 3]) -> [f64; 3] {
    let xyz = times(
        [
            [506_752.0 / 1_228_815.0, 87_881.0 / 245_763.0, 12_673.0 / 70_218.0],
            [87_098.0 / 409_605.0, 175_762.0 / 245_763.0, 12_673.0 / 175_545.0],
            [7_918.0 / 409_605.0, 87_881.0 / 737_289.0, 1_001_167.0 / 1_053_270.0],
        ],
        linear,
    );
    let lms = times(
        [
            [0.819_022_437_996_703, 0.361_906_260_052_890_4, -0.128_873_781_520_987_9],
            [0.032_983_653_932_388_5, 0.929_286_861_586_343_4, 0.036_144_666_350_642_4],
            [0.048_177_189_359_624_2, 0.264_239_531_752_730_8, 0.633_547_828_469_430_9],
        ],
        xyz,
    );
    times(
        [
            [0.210_454_268_309_314, 0.793_617_774_702_305_4, -0.004_072_043_011_619_3],
            [1.977_998_532_431_168_4, -2.428_592_242_048_58, 0.450_593_709_617_411],
            [0.025_904_042_465_547_8, 0.782_771_712_457_529_6, -0.808_675_754_923_077_4],
        ],
        lms.map(f64::cbrt),
    )
}

/// Halfway between two colours, as eight bits of sRGB.
fn half(engine: &Engine, from: &str, to: &str, space: ColourSpace) -> [u8; 4] {
    let [r, g, b, opacity] = ramp(engine, vec![ColourStop::new(-1.0, from), ColourStop::new(3.0, to)], space)[24];
    [srgb(r), srgb(g), srgb(b), opacity].map(|x| (x * 255.0).round() as u8)
}

/// `color-mix(in oklab, …)` and `color-mix(in srgb-linear, …)` of CSS, by their published results.
#[test]
fn colours_between_two_stops_are_the_known_ones() {
    for engine in [cpu(), oracle()] {
        for (from, to, expected) in [("#000000", "#ffffff", [0x63, 0x63, 0x63, 255]), ("#ff0000", "#0000ff", [0x8c, 0x53, 0xa2, 255])] {
            assert_eq!(half(&engine, from, to, ColourSpace::Oklab), expected, "{from} to {to}");
            assert_eq!(half(&engine, to, from, ColourSpace::Oklab), expected, "{to} to {from}");
        }
        for (from, to, expected) in [
            ("#000000", "#ffffff", [0xbc, 0xbc, 0xbc, 255]),
            ("#ff0000", "#0000ff", [0xbc, 0x00, 0xbc, 255]),
            // Opacity is not light: it is halved directly.
            ("#ff000000", "#0000ff80", [0xbc, 0x00, 0xbc, 0x40]),
        ] {
            assert_eq!(half(&engine, from, to, ColourSpace::Linear), expected, "{from} to {to}");
        }
    }
}

/// At every position, in either colour space. Beyond the ends it is the ends' colour; at a stop its own, and at two equal stops
/// the second's.
#[test]
fn ramps_are_straight_lines_in_their_space() {
    let stops = [(-1.0, "#1d3f5f"), (0.5, "#dccf9c"), (1.0, "#6f8f4f"), (1.0, "#f2f2f2"), (3.0, "#90305080")];
    let channel = |colour: &str, i: usize| match colour.get(2 * i + 1..2 * i + 3) {
        Some(digits) => f64::from(u8::from_str_radix(digits, 16).expect("hexadecimal")) / 255.0,
        None => 1.0,
    };
    for space in [ColourSpace::Oklab, ColourSpace::Linear] {
        let coordinates = |colour: &str| {
            let light = [0, 1, 2].map(|i| linear(channel(colour, i)));
            if space == ColourSpace::Oklab { oklab(light) } else { light }
        };
        for (engine, bound) in [(oracle(), 2e-6), (cpu(), 4e-6)] {
            let listed = stops.iter().map(|&(at, colour)| ColourStop::new(at, colour)).collect();
            for (i, [r, g, b, opacity]) in ramp(&engine, listed, space).into_iter().enumerate() {
                let x = (f64::from(i as u32) * 0.125 - 2.0).clamp(-1.0, 3.0);
                let after = stops.iter().position(|(at, _)| *at > x).unwrap_or(stops.len() - 1).max(1);
                let ((low, from), (high, to)) = (stops[after - 1], stops[after]);
                let t = ((x - low) / (high - low)).clamp(0.0, 1.0);
                let mixed = |a: f64, b: f64| a * (1.0 - t) + b * t;
                let (a, b_) = (coordinates(from), coordinates(to));
                let found = if space == ColourSpace::Oklab { oklab([r, g, b]) } else { [r, g, b] };
                for axis in 0..3 {
                    let expected = mixed(a[axis], b_[axis]);
                    assert!((found[axis] - expected).abs() < bound, "{space} at {x}: {found:?}, but component {axis} should be {expected}");
                }
                let expected = mixed(channel(from, 3), channel(to, 3));
                assert!((opacity - expected).abs() < 1e-6, "{space} at {x}: an opacity of {opacity} instead of {expected}");
            }
        }
    }
}

#[test]
#[cfg_attr(skip_gpu, ignore = "needs a GPU")]
fn a_gpu_mixes_the_same_colours() {
    assert_eq!(half(gpu(), "#ff0000", "#0000ff", ColourSpace::Oklab), [0x8c, 0x53, 0xa2, 255]);
    assert_eq!(half(gpu(), "#ff000000", "#0000ff80", ColourSpace::Linear), [0xbc, 0x00, 0xbc, 0x40]);
}
