//! `orogen preview --frames`: animations, read back by the decoders of their formats.

use crate::support::{Scratch, expect, path, run, text};
use image::AnimationDecoder;
use image::codecs::png::PngDecoder;
use image::codecs::webp::WebPDecoder;
use std::io::Cursor;
use std::path::Path;

const FLOW: &str = "output = \"h\"\n[node.x]\nkind = \"simplex\"\nwavelength = 12.0\ngradients = \"turning\"\nw_period = 2.0\n\
    [node.h]\nkind = \"scale_offset\"\nof = \"x\"\nscale = 1.0\n";
const STAGE: &str = "[stage.smooth]\nkind = \"gaussian\"\nof = \"h\"\nsigma = 2.0\n";

type Frames = Vec<Vec<u8>>;

/// The pixels of frames, as RGB, and how long each lasts in milliseconds.
fn decoded<'a>(decoder: impl AnimationDecoder<'a>) -> (Frames, Vec<u32>) {
    let frames = decoder.into_frames().collect_frames().expect("frames");
    let lasts = frames.iter().map(|frame| frame.delay().numer_denom_ms()).map(|(n, d)| n / d).collect();
    (frames.into_iter().map(|frame| image::DynamicImage::from(frame.into_buffer()).into_rgb8().into_raw()).collect(), lasts)
}

fn webp(file: &Path) -> (Frames, Vec<u32>) {
    let decoder = WebPDecoder::new(Cursor::new(std::fs::read(file).expect("a file"))).expect("WebP");
    assert!(decoder.has_animation());
    decoded(decoder)
}

fn gif(file: &Path) -> (Frames, Vec<u32>) {
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    let mut decoder = options.read_info(Cursor::new(std::fs::read(file).expect("a file"))).expect("GIF");
    let (mut frames, mut lasts) = (Vec::new(), Vec::new());
    while let Some(frame) = decoder.read_next_frame().expect("a frame") {
        frames.push(frame.buffer.as_chunks::<4>().0.iter().flat_map(|&[r, g, b, _]| [r, g, b]).collect());
        lasts.push(10 * u32::from(frame.delay));
    }
    assert_eq!(decoder.repeat(), gif::Repeat::Infinite);
    (frames, lasts)
}

/// Draws 24 × 16 pixels and returns what the command printed.
fn draw(recipe: &Path, output: &Path, flags: &[&str]) -> String {
    let args = ["preview", path(recipe), "-o", path(output), "--size", "24,16", "--backend", "cpu"];
    let output = run(&[&args[..], flags].concat(), "");
    expect(&output, 0, &[]);
    text(&output.stdout) + &text(&output.stderr)
}

#[test]
fn every_format_has_the_same_frames() {
    let scratch = Scratch::new("frames");
    let recipe = scratch.file("r.toml", FLOW);
    let flags = ["--frames", "6", "--fps", "25", "--shade", "flat"];
    let file = |name: &str| {
        let output = scratch.0.join(name);
        let said = draw(&recipe, &output, &flags);
        assert!(said.contains("6 frames of 24×16 pixels at 25/s") && said.ends_with("loops exactly\n"), "{said}");
        output
    };
    file("still-%02d.png");
    let stills: Frames =
        (0..6).map(|frame| image::open(scratch.0.join(format!("still-0{frame}.png"))).expect("PNG").into_rgb8().into_raw()).collect();
    assert!(stills.iter().all(|frame| frame.len() == 24 * 16 * 3));
    for (frame, next) in stills.iter().zip(stills.iter().cycle().skip(1)) {
        assert_ne!(frame, next, "neighbours");
    }
    let apng = std::fs::read(file("x.apng")).expect("a file");
    let apng = PngDecoder::new(Cursor::new(apng)).and_then(PngDecoder::apng).expect("APNG");
    for (name, (frames, lasts)) in [("webp", webp(&file("x.webp"))), ("apng", decoded(apng)), ("gif", gif(&file("x.gif")))] {
        assert!(frames == stills, "{name}");
        assert_eq!(lasts, [40; 6], "{name}");
    }
    // A turn of noise is half of another at the same speed.
    let half = scratch.0.join("half-%d.png");
    let said = draw(&recipe, &half, &["--frames", "3", "--shade", "flat", "--over", "x.w=0..1"]);
    assert!(said.contains("does not loop"), "{said}");
}

#[test]
fn the_frame_after_the_last_is_the_first() {
    let scratch = Scratch::new("frames-loop");
    for (name, text) in [("node", FLOW.to_owned()), ("stage", FLOW.replace("\"h\"\n[", "\"smooth\"\n[") + STAGE)] {
        let recipe = scratch.file("r.toml", &text);
        let output = scratch.0.join("x.webp");
        // One frame more than a turn, in the same steps.
        draw(&recipe, &output, &["--frames", "5", "--over", "x.w=0..2.5"]);
        let (frames, lasts) = webp(&output);
        assert_eq!((frames.len(), &lasts[..]), (5, &[50; 5][..]), "{name}");
        assert!(frames[0] == frames[4], "{name}");
        assert!(frames.windows(2).all(|pair| pair[0] != pair[1]), "{name}");
    }
}

#[test]
fn noise_in_4d_loops_after_its_period() {
    let scratch = Scratch::new("frames-4d");
    let noise = "[node.x]\nkind = \"simplex\"\ndimensions = 4\nwavelength = 12.0\nw = 1.5\n";
    let octaves = "[node.f]\nkind = \"fractal\"\nof = \"x\"\noctaves = 2\n[node.alone]\nkind = \"perlin\"\ndimensions = 4\n";
    let periodic = "[node.p]\nkind = \"periodic\"\nof = \"f\"\nw_period = 72.0\n";
    let recipe = scratch.file("r.toml", &format!("output = \"p\"\n{noise}{octaves}{periodic}"));
    let output = scratch.0.join("x.webp");
    let said = draw(&recipe, &output, &["--frames", "4"]);
    assert!(said.ends_with("loops exactly\n"), "{said}");
    let (frames, _) = webp(&output);
    assert!(frames.windows(2).all(|pair| pair[0] != pair[1]));
    let said = draw(&recipe, &output, &["--frames", "4", "--over", "x.w=1.5..37.5"]);
    assert!(said.contains("does not loop"), "{said}");
}

#[test]
fn every_kind_of_noise_in_4d_is_animated() {
    let scratch = Scratch::new("frames-kinds");
    for (kind, more) in [("simplex", ""), ("perlin", ""), ("value", ""), ("open_simplex2", ""), ("open_simplex2", "variant = \"smooth\"\n")]
    {
        let noise = format!("[node.x]\nkind = \"{kind}\"\n{more}dimensions = 4\nwavelength = 12.0\nw = 1.5\n");
        let periodic = "[node.p]\nkind = \"periodic\"\nof = \"x\"\nw_period = 72.0\n";
        let recipe = scratch.file("r.toml", &format!("output = \"p\"\n{noise}{periodic}"));
        let output = scratch.0.join("x.webp");
        let said = draw(&recipe, &output, &["--frames", "4"]);
        assert!(said.ends_with("loops exactly\n"), "{kind}: {said}");
        assert!(webp(&output).0.windows(2).all(|pair| pair[0] != pair[1]), "{kind}");
    }
}

#[test]
fn whole_numbers_are_rounded() {
    let scratch = Scratch::new("frames-whole");
    let fractal = "[node.h]\nkind = \"fractal\"\nof = \"x\"\noctaves = 3\n";
    let recipe = scratch.file("r.toml", &format!("{}{fractal}", FLOW.split("[node.h]").next().expect("a noise")));
    let output = scratch.0.join("x.webp");
    // 1, 1.75, 2.5, 3.25.
    draw(&recipe, &output, &["--frames", "4", "--shade", "flat", "--over", "h.octaves=1..4"]);
    let (frames, _) = webp(&output);
    assert!(frames[0] != frames[1] && frames[1] != frames[2] && frames[2] == frames[3]);
}

/// A GIF counts in hundredths of a second, a WebP in thousandths.
#[test]
fn the_rate_of_the_file_is_reported() {
    let scratch = Scratch::new("frames-rate");
    let recipe = scratch.file("r.toml", FLOW);
    for (name, fps, rate) in [("x.gif", "60", "50/s"), ("x.gif", "30", "33.3/s"), ("x.webp", "60", "58.8/s"), ("x.apng", "60", "60/s")] {
        let output = scratch.0.join(name);
        let said = draw(&recipe, &output, &["--frames", "1", "--fps", fps]);
        assert!(said.contains(&format!("1 frame of 24×16 pixels at {rate} on")), "{said}");
        if name == "x.gif" {
            let hundredths = if fps == "60" { 2 } else { 3 };
            assert_eq!(gif(&output).1, [10 * hundredths], "{said}");
        }
    }
}

#[test]
fn all_frames_have_one_range_of_colours() {
    let scratch = Scratch::new("frames-range");
    let recipe = scratch.file("r.toml", &FLOW.replace("turning", "still"));
    let output = scratch.0.join("x.webp");
    draw(&recipe, &output, &["--frames", "4", "--shade", "flat", "--over", "h.scale=1..5"]);
    // A stronger noise has more contrast. If each frame had a range of its own, all would be equal.
    let contrast = |frame: &Vec<u8>| u32::from(*frame.iter().max().expect("pixels")) - u32::from(*frame.iter().min().expect("pixels"));
    let contrasts: Vec<u32> = webp(&output).0.iter().map(contrast).collect();
    assert!(contrasts.is_sorted() && contrasts[0] * 3 / 2 < contrasts[3], "{contrasts:?}");
    let said = draw(&recipe, &output, &["--frames", "2", "--over", "x.w=0..1"]);
    assert!(said.contains("all frames are equal") && said.contains("'h'"), "{said}");
}

#[test]
fn frames_that_cannot_be_drawn_are_refused() {
    let scratch = Scratch::new("frames-refused");
    let recipe = scratch.file("r.toml", FLOW);
    let still = scratch.file("still.toml", &FLOW.replace("turning", "still"));
    let refused = |recipe: &Path, name: &str, flags: &[&str], parts: &[&str]| {
        let output = scratch.0.join(name);
        let args = ["preview", path(recipe), "-o", path(&output), "--size", "24,16", "--backend", "cpu"];
        expect(&run(&[&args[..], flags].concat(), ""), 2, parts);
        assert!(!output.exists(), "{flags:?} wrote a file");
    };
    let two = ["--frames", "2"];
    refused(&still, "x.webp", &two, &["no noise repeats along the fourth axis", "allowed: --over NAME.PARAM=FROM..TO"]);
    refused(&recipe, "x.mp4", &two, &["x.mp4: the ending .mp4 is not allowed; allowed: .webp, .apng, .gif, .png"]);
    refused(&recipe, "x", &two, &["a name without an ending"]);
    refused(&recipe, "x.png", &two, &["x.png", "number of the frame", "NAME-%03d.png"]);
    refused(&recipe, "x.webp", &[], &["the ending .webp is not allowed; allowed: .png"]);
    for (frames, part) in [("0", "1..=1000"), ("1001", "1..=1000"), ("-1", "-1"), ("many", "--frames")] {
        refused(&recipe, "x.webp", &["--frames", frames], &[part]);
    }
    for (flag, value) in [("--fps", "0"), ("--fps", "61"), ("--over", "x.w"), ("--over", "x.w=0..nan"), ("--over", "x.w=1")] {
        refused(&recipe, "x.webp", &[&two[..], &[flag, value]].concat(), &[flag, value]);
    }
    for (over, part) in [("y.w=0..1", "y"), ("x.v=0..1", "x.v"), ("x.dimensions=2..3", "dimensions"), ("x.wavelength=1..-1", "wavelength")]
    {
        refused(&recipe, "x.webp", &[&two[..], &["--over", over]].concat(), &["--over", part]);
    }
    for flag in ["--relief", "--rivers", "--sea=0"] {
        refused(&recipe, "x.webp", &[&two[..], &[flag]].concat(), &["cannot be used with"]);
    }
    for flag in ["--over=x.w=0..1", "--fps=20"] {
        refused(&recipe, "x.png", &[flag], &["--frames"]);
    }
    let many = ["--frames", "1000", "--size", "4096,4096"];
    expect(&run(&[&["preview", path(&recipe), "-o", "x.webp", "--backend", "cpu"], &many[..]].concat(), ""), 2, &["--force"]);
}
