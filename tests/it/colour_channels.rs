//! Channels of pictures against their formula, written once more in f64; and the way back to colours.

use crate::colours::{linear, oklab};
use crate::files::exr;
use crate::support::{Scratch, bits, cpu, gpu, oracle};
use image::{DynamicImage, ImageFormat};
use orogen::node::{ByExample, Heights, HeightsFile, Input, Outside, Raster, Sampling};
use orogen::stage::{ColourChannels, ColourSpace, Pipeline};
use orogen::{Engine, Noise, Recipe, Region};

/// The encodings of channels: red, green, blue, opacity, and the coordinates of OKLab.
const WORDS: [&str; 7] = ["red", "green", "blue", "opacity", "lightness", "green_red", "blue_yellow"];
const LAB: [&str; 3] = ["lightness", "green_red", "blue_yellow"];
const SIZE: [u32; 2] = [19, 17];

fn png(picture: impl Into<DynamicImage>) -> Vec<u8> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    picture.into().write_to(&mut bytes, ImageFormat::Png).expect("PNG");
    bytes.into_inner()
}

/// Pixels across the whole cube of colours: black, white, pure colours, and others.
fn pixels() -> Vec<[u8; 4]> {
    let corners = (0..8u8).map(|k| [0, 1, 2].map(|axis| 255 * (k >> axis & 1))).map(|[r, g, b]| [r, g, b, 255]);
    let others = (0..u32::MAX).map(|i| {
        let h = i.wrapping_mul(0x9e37_79b9).rotate_left(7).wrapping_mul(0x85eb_ca6b);
        h.to_le_bytes()
    });
    corners.chain(others).take((SIZE[0] * SIZE[1]) as usize).collect()
}

fn picture(pixels: &[[u8; 4]]) -> Vec<u8> {
    png(image::RgbaImage::from_raw(SIZE[0], SIZE[1], pixels.concat()).expect("a picture"))
}

fn heights(name: &str, word: &str, bytes: &[u8]) -> Heights {
    let mut file = HeightsFile::new(name);
    file.encoding = word.parse().expect("a word");
    file.decode(bytes).unwrap_or_else(|error| panic!("{name} as {word}: {error}"))
}

/// The seven numbers of a colour from 0 to 1 in linear light, with opacity.
fn expected([r, g, b, opacity]: [f64; 4]) -> [f64; 7] {
    let [lightness, a, b_] = oklab([r, g, b]);
    [r, g, b, opacity, lightness, a, b_]
}

/// Ottosson's coefficients have nine digits, and his matrix was derived in another way than that of CSS.
fn holds(name: &str, bytes: &[u8], colours: &[[f64; 4]]) {
    for (k, word) in WORDS.iter().enumerate() {
        let found = heights(name, word, bytes);
        let found = found.values().expect("read");
        assert_eq!(found.len(), colours.len(), "{name} as {word}");
        for (found, colour) in found.iter().zip(colours) {
            let expected = expected(*colour)[k];
            let bound = if k < 4 { 1e-7 } else { 2e-6 } * expected.abs().max(1.0);
            assert!((f64::from(*found) - expected).abs() < bound, "{name} as {word}: {found} for {colour:?}, expected {expected}");
        }
    }
}

#[test]
fn channels_of_png_files_are_those_of_their_pixels() {
    let light = |srgb: f64| linear(srgb);
    let eight = pixels();
    let of_eight = |[r, g, b, a]: [u8; 4]| {
        let [r, g, b] = [r, g, b].map(|step| light(f64::from(step) / 255.0));
        [r, g, b, f64::from(a) / 255.0]
    };
    let colours: Vec<_> = eight.iter().map(|pixel| of_eight(*pixel)).collect();
    holds("a.png", &picture(&eight), &colours);
    let rgb = eight.iter().flat_map(|[r, g, b, _]| [*r, *g, *b]).collect();
    let opaque: Vec<_> = colours.iter().map(|[r, g, b, _]| [*r, *g, *b, 1.0]).collect();
    holds("rgb.png", &png(image::RgbImage::from_raw(SIZE[0], SIZE[1], rgb).expect("a picture")), &opaque);
    let greys: Vec<u8> = eight.iter().map(|pixel| pixel[1]).collect();
    let of_greys: Vec<_> = greys.iter().map(|grey| of_eight([*grey, *grey, *grey, 255])).collect();
    holds("grey.png", &png(image::GrayImage::from_raw(SIZE[0], SIZE[1], greys).expect("a picture")), &of_greys);
    let sixteen: Vec<[u16; 4]> =
        eight.iter().map(|[r, g, b, a]| [[*r, *g], [*g, *b], [*b, *r], [*a, *r]].map(u16::from_le_bytes)).collect();
    let colours: Vec<_> = sixteen.iter().map(|pixel| pixel.map(|step| f64::from(step) / 65535.0)).collect();
    let colours: Vec<_> = colours.iter().map(|[r, g, b, a]| [light(*r), light(*g), light(*b), *a]).collect();
    let file = image::ImageBuffer::<image::Rgba<u16>, _>::from_raw(SIZE[0], SIZE[1], sixteen.concat()).expect("a picture");
    holds("sixteen.png", &png(file), &colours);
}

/// Blocks of a grey, red, green and blue, as YCbCr. Its conversion to steps of red, green and blue rounds by up to 1.
#[test]
fn channels_of_jpeg_files_are_those_of_their_pixels() {
    let bytes = include_bytes!("../../src/codec/blocks.jpg");
    for (word, axis) in [("red", 0), ("green", 1), ("blue", 2)] {
        let found = heights("photo.jpg", word, bytes);
        assert_eq!(found.size(), Some([16, 16]));
        for (i, found) in found.values().expect("read").iter().enumerate() {
            let colour = [[[200, 200, 200], [254, 0, 0]], [[0, 255, 1], [0, 0, 254]]][i / 128][i / 8 % 2];
            let [lo, hi] = [-1, 1].map(|step| linear(f64::from(colour[axis] + step).clamp(0.0, 255.0) / 255.0));
            assert!((lo - 1e-7..=hi + 1e-7).contains(&f64::from(*found)), "{word} of pixel {i}: {found}, expected {colour:?}");
        }
    }
    assert!(heights("photo.jpeg", "opacity", bytes).values().expect("read").iter().all(|opacity| *opacity == 1.0));
    let lightness = heights("photo.jpg", "lightness", bytes);
    let [grey, red] = [0, 8].map(|i| lightness.values().expect("read")[i]);
    assert!((grey - 0.8297).abs() < 0.01 && (red - 0.628).abs() < 0.01, "{grey}, {red}");
}

/// Colours that are known elsewhere: those of Ottosson's article, by way of linear light.
#[test]
fn known_colours_have_their_coordinates() {
    let file = |colour: [u8; 3]| png(image::RgbImage::from_raw(1, 1, colour.to_vec()).expect("a picture"));
    for (colour, lab) in [
        ([255, 255, 255], [1.0, 0.0, 0.0]),
        ([255, 0, 0], [0.627_96, 0.224_86, 0.125_85]),
        ([0, 255, 0], [0.866_44, -0.233_89, 0.179_50]),
        ([0, 0, 255], [0.452_01, -0.032_46, -0.311_53]),
    ] {
        for (word, expected) in LAB.iter().zip(lab) {
            let found = heights("a.png", word, &file(colour)).values().expect("read")[0];
            assert!((found - expected).abs() < 1e-5, "{word} of {colour:?}: {found} instead of {expected}");
        }
    }
}

#[test]
fn channels_of_openexr_files_are_already_linear() {
    for colour in [[0.25, 0.5, 2.0, 0.75], [0.0, 1.0, 0.125, 1.0]] {
        let colours: Vec<[f64; 4]> = (0..12).map(|i| colour.map(|number| number + f64::from(i))).collect();
        let of = colour.map(|number| number as f32);
        let named: Vec<(&str, f32)> = ["R", "G", "B", "A"].into_iter().zip(of).collect();
        holds("a.exr", &exr(&[&named], None), &colours);
        let layers: Vec<(&str, f32)> = ["rock.R", "rock.G", "rock.B", "rock.A"].into_iter().zip(of).collect();
        holds("layer.exr", &exr(&[&[("Y", 9.0)], &layers], None), &colours);
    }
    for (word, parts) in [("green", "R, Y"), ("lightness", "R, Y"), ("opacity", "R, Y")] {
        let mut file = HeightsFile::new("a.exr");
        file.encoding = word.parse().expect("a word");
        let error = file.decode(&exr(&[&[("R", 1.0), ("Y", 2.0)]], None)).expect_err("no such channel").to_string();
        assert!(error.contains(parts) && error.contains("allowed: these names"), "{word}: {error}");
    }
}

/// A recipe reads one file in several ways; what does not fit is named.
#[test]
fn nodes_read_different_channels_of_one_file() {
    let scratch = Scratch::new("colour-channels");
    std::fs::write(scratch.0.join("a.png"), picture(&pixels())).expect("written");
    let node = |name: &str, file: &str, word: &str| {
        format!("[node.{name}]\nkind = 'raster'\nheights = '{file}'\nencoding = '{word}'\nsampling = 'nearest'\n")
    };
    let stage = "[stage.ground]\nkind = 'colour_channels'\nfirst = 'r'\nsecond = 'g'\nthird = 'b'\nspace = 'linear'\n";
    let text =
        format!("output = 'ground'\n{}{}{}{stage}", node("r", "a.png", "red"), node("g", "a.png", "green"), node("b", "a.png", "blue"));
    let recipe = Recipe::load(scratch.file("r.toml", &text)).expect("a recipe");
    let layer = cpu().layers(&recipe.pipeline, &["ground"], &Region::plane(SIZE[0], SIZE[1])).expect("a layer").remove(0);
    for (found, pixel) in layer.values.as_chunks::<4>().0.iter().zip(pixels()) {
        let light = [0, 1, 2].map(|k| linear(f64::from(pixel[k]) / 255.0) as f32);
        assert_eq!(found[..3], light, "{pixel:?}");
    }
    let text = format!("output = 'r'\n{}", node("r", "a.npy", "blue_yellow"));
    let error = Recipe::load(scratch.file("r.toml", &text)).expect_err("an array").to_string();
    assert!(error.contains("encoding = \"blue_yellow\" is not allowed for a file of this ending; allowed: file"), "{error}");
    let text = format!("output = 'r'\n{}", node("r", "a.png", "yellow"));
    let error = Recipe::load(scratch.file("r.toml", &text)).expect_err("a word").to_string();
    assert!(error.contains("yellow") && error.contains("green_red"), "{error}");
}

fn node(name: &str) -> Input {
    Input::Node(name.to_owned())
}

/// The three channels of a picture joined again, as they are or by way of another noise.
fn joined(words: [&str; 3], bytes: &[u8], sampling: Sampling, of: impl Fn(Noise) -> Noise) -> Pipeline {
    let channel = |word: &str| {
        let (heights, encoding) = (heights("a.png", word, bytes), word.parse().expect("a word"));
        of(Noise::raster(Raster { heights, encoding, sampling, outside: Outside::Mirror, ..Default::default() }))
    };
    let mut pipeline = Pipeline::from(channel(words[0]).named("first"));
    let names: Vec<String> = words[1..].iter().map(|word| pipeline.join(&Pipeline::from(channel(word).named(word)))).collect();
    let space = if words == LAB { ColourSpace::Oklab } else { ColourSpace::Linear };
    pipeline.then(ColourChannels { second: node(&names[0]), third: node(&names[1]), space, ..Default::default() })
}

fn colours(engine: &Engine, pipeline: &Pipeline, region: &Region) -> Vec<[f32; 4]> {
    let layer = engine.layers(pipeline, &[&pipeline.output], region).expect("a layer").remove(0);
    assert_eq!(layer.channels, 4);
    layer.values.as_chunks::<4>().0.to_vec()
}

/// At the samples, the joined colours are those of the picture: within 2 · 10⁻⁶ of linear light.
#[test]
fn joined_channels_are_the_picture() {
    let bytes = picture(&pixels());
    for words in [LAB, ["red", "green", "blue"]] {
        for (engine, sampling) in [(cpu(), Sampling::Nearest), (oracle(), Sampling::Nearest), (cpu(), Sampling::Cubic)] {
            let found = colours(&engine, &joined(words, &bytes, sampling, |noise| noise), &Region::plane(SIZE[0], SIZE[1]));
            let bound = if sampling == Sampling::Cubic { 1e-5 } else { 2e-6 };
            for (found, pixel) in found.iter().zip(pixels()) {
                for k in 0..3 {
                    let light = linear(f64::from(pixel[k]) / 255.0);
                    assert!((f64::from(found[k]) - light).abs() < bound, "{words:?} of {pixel:?}: {found:?}");
                    assert!(found[k] >= 0.0, "{found:?}");
                }
                assert_eq!(found[3], 1.0);
            }
        }
    }
}

/// Shades of one hue, in no order.
fn shades() -> Vec<[u8; 4]> {
    pixels().iter().map(|pixel| [pixel[0], (u32::from(pixel[0]) * 2 / 3) as u8, pixel[0] / 4, 255]).collect()
}

fn example(noise: Noise) -> Noise {
    noise.by_example(ByExample { tile: Some(7.0), rotation: 60.0, seed: 5, ..Default::default() })
}

/// Three nodes with one seed take the same parts with the same weights. So shades of one hue give shades of this hue.
#[test]
fn noise_by_example_makes_no_other_hue() {
    let bytes = picture(&shades());
    let pipeline = joined(["red", "green", "blue"], &bytes, Sampling::Linear, example);
    let far = Region { origin: [1_000_000_000_007, -3_000_000_000_011, 0], ..Region::plane(64, 48) };
    let curve: Vec<[f64; 3]> =
        (0..=255u32).map(|red| [f64::from(red), f64::from(red * 2 / 3), f64::from(red / 4)].map(|step| linear(step / 255.0))).collect();
    for region in [Region::plane(96, 64), far] {
        let mut reds: Vec<f32> = Vec::new();
        for [r, g, b, _] in colours(&cpu(), &pipeline, &region) {
            // The point of the curve with this red.
            let [r, g, b] = [r, g, b].map(f64::from);
            let after = curve.iter().position(|[red, ..]| *red >= r).unwrap_or(255).max(1);
            let [from, to] = [curve[after - 1], curve[after]];
            let t = ((r - from[0]) / (to[0] - from[0])).clamp(0.0, 1.0);
            for (found, k) in [(g, 1), (b, 2)] {
                let expected = from[k] + t * (to[k] - from[k]);
                assert!((found - expected).abs() < 0.02, "{found} instead of {expected} at a red of {r}");
            }
            reds.push(r as f32);
        }
        let spread = reds.iter().copied().fold(0.0, f32::max) - reds.iter().copied().fold(1.0, f32::min);
        assert!(spread > 0.5, "{spread}");
    }
}

#[test]
fn tiles_of_noise_by_example_are_windows() {
    let pipeline = joined(LAB, &picture(&pixels()), Sampling::Cubic, example);
    let wide = colours(&cpu(), &pipeline, &Region::plane(64, 32));
    for tile in 0..2 {
        let own = colours(&cpu(), &pipeline, &Region::tile(tile, 0, 32));
        for (row, own) in own.chunks(32).enumerate() {
            assert_eq!(own, &wide[64 * row + 32 * tile as usize..][..32], "row {row} of tile {tile}");
        }
    }
}

/// Channels far outside of colours: light is not negative, opacity is from 0 to 1.
#[test]
fn colours_are_not_negative_and_opacity_is_a_share() {
    for space in ColourSpace::ALL {
        for (opacity, expected) in [(-0.5, 0.0), (0.25, 0.25), (7.0, 1.0)] {
            for (first, third) in [(0.3, -0.9), (-2.0, 0.5), (0.1, 3.0)] {
                let base = Pipeline::from(Noise::constant(first));
                let stage = ColourChannels {
                    second: Input::Value(0.2),
                    third: Input::Value(third),
                    opacity: Input::Value(opacity),
                    space: *space,
                    ..Default::default()
                };
                let found = colours(&cpu(), &base.then(stage), &Region::plane(2, 1))[0];
                assert!(found[..3].iter().all(|light| *light >= 0.0), "{found:?}");
                if *space == ColourSpace::Linear {
                    assert_eq!(found[..3], [first, 0.2, third].map(|light| light.max(0.0) as f32));
                } else {
                    assert!(found[..3].contains(&0.0), "far outside of colours: {found:?}");
                }
                assert_eq!(found[3], expected as f32);
            }
        }
    }
}

#[test]
#[cfg_attr(skip_gpu, ignore = "needs a GPU")]
fn a_gpu_joins_the_same_colours() {
    let bytes = picture(&pixels());
    for words in [LAB, ["red", "green", "blue"]] {
        let pipeline = joined(words, &bytes, Sampling::Cubic, example);
        let region = Region { origin: [70_000_000_003, -5, 0], ..Region::plane(75, 41) };
        let [on_gpu, on_cpu] = [gpu(), &cpu()].map(|engine| colours(engine, &pipeline, &region).concat());
        assert_eq!(bits(&on_gpu), bits(&on_cpu), "{words:?}");
    }
}

#[test]
fn a_mask_needs_colours_under_it() {
    let base = || Pipeline::from(Noise::constant(0.5));
    let error = base().then(ColourChannels { second: 0.0.into(), third: 0.0.into(), mask: 0.5.into(), ..Default::default() }).check();
    let error = error.expect_err("nothing under it").to_string();
    assert!(error.contains("mask") && error.contains("a mask together with `under`"), "{error}");
    let error = base().then(ColourChannels { second: 0.0.into(), third: 0.0.into(), under: 2.0.into(), ..Default::default() }).check();
    assert!(error.expect_err("a number").to_string().contains("the name of a colour stage"));
    assert!(base().then(ColourChannels::default()).check().is_err(), "inputs are missing");
}

/// Light is a factor. A mask is the opacity over the colours below.
#[test]
fn colours_are_lit_and_lie_over_others() {
    let (space, base) = (ColourSpace::Linear, Pipeline::from(Noise::constant(0.25).named("base")));
    let stage = ColourChannels { second: 0.5.into(), third: 0.75.into(), opacity: 0.5.into(), space, ..Default::default() };
    let under = base.named("under", stage);
    let over = under.then(ColourChannels {
        first: 0.8.into(),
        second: 0.4.into(),
        third: 0.2.into(),
        space,
        light: 0.5.into(),
        under: node("under"),
        mask: 0.25.into(),
        ..Default::default()
    });
    let [lit, below] = [[0.4, 0.2, 0.1, 1.0], [0.25, 0.5, 0.75, 0.5]];
    for k in 0..4 {
        let (found, expected) = (colours(&cpu(), &over, &Region::plane(1, 1))[0][k], 0.25 * lit[k] + 0.75 * below[k]);
        assert!((f64::from(found) - expected).abs() < 1e-6, "channel {k}: {found} instead of {expected}");
    }
}
