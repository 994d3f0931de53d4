//! Contour lines of layers with many plateaus: lines with a length, without doubled points, that separate what is above from all else.

use crate::support::{Random, Scratch, expect, path, run, text};
use orogen::lines::contours;
use orogen::{Layer, Region};

fn layer(width: usize, values: Vec<f32>) -> Layer {
    let region = Region::plane(width as u32, (values.len() / width) as u32);
    Layer { name: String::new(), region, channels: 1, values }
}

/// Whether a third point lies to the right of a line through two, y down.
fn side([a, b]: [[f64; 2]; 2], p: [f64; 2]) -> bool {
    (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]) > 0.0
}

/// The number of times that the path from one place to another enters higher ground, minus the times it leaves it: lines have it
/// on their left, y down.
fn entered(lines: &[Vec<[f64; 2]>], from: [f64; 2], to: [f64; 2]) -> i32 {
    let parts = lines.iter().flat_map(|line| line.windows(2).map(|ends| [ends[0], ends[1]]));
    let crosses = |part: &[[f64; 2]; 2]| side(*part, from) != side(*part, to) && side([from, to], part[0]) != side([from, to], part[1]);
    parts.filter(crosses).map(|part| if side(part, to) { -1 } else { 1 }).sum()
}

/// Checks all that is promised of lines at a level, and gives how many there are.
fn check(layer: &Layer, level: f64, random: &mut Random) -> usize {
    let lines = contours(layer, &[level]).expect("contours").remove(0).lines;
    let [width, height, _] = layer.region.size.map(|n| n as usize);
    let what = || format!("{width} × {height} samples {:?} at {level}: {lines:?}", layer.values);
    for line in &lines {
        assert!(line.len() >= 2, "a line without length: {}", what());
        assert!(line.windows(2).all(|ends| ends[0] != ends[1]), "a doubled point: {}", what());
        let border = |p: &[f64; 2]| p[0] == 0.0 || p[1] == 0.0 || p[0] == (width - 1) as f64 || p[1] == (height - 1) as f64;
        let (first, last) = (&line[0], &line[line.len() - 1]);
        assert!(first == last || border(first) && border(last), "a line that ends nowhere: {}", what());
        assert!(first != last || line.len() >= 4, "a ring around nothing: {}", what());
    }
    // Samples of another height than the level lie away from lines; a little further in no line's end is passed exactly.
    let clear: Vec<usize> = (0..width * height).filter(|&i| f64::from(layer.values[i]) != level).collect();
    let above = |i: usize| i32::from(f64::from(layer.values[i]) > level);
    for _ in 0..if clear.is_empty() { 0 } else { 24 } {
        let mut pick = || {
            let i = clear[(random.bits() % clear.len() as u64) as usize];
            let mut inwards = |x: usize, size: usize| x as f64 + random.between(0.001, 0.01) * if 2 * x < size - 1 { 1.0 } else { -1.0 };
            (i, [inwards(i % width, width), inwards(i / width, height)])
        };
        let ((i, from), (j, to)) = (pick(), pick());
        assert_eq!(entered(&lines, from, to), above(j) - above(i), "from {from:?} to {to:?}: {}", what());
    }
    lines.len()
}

#[test]
fn lines_around_plateaus_have_length_and_separate_what_is_above() {
    let mut random = Random(7);
    let mut found = 0;
    for round in 0..6000 {
        let (width, height) = (2 + (random.bits() % 9) as usize, 2 + (random.bits() % 9) as usize);
        // Of few different heights, so that most cells have equal corners, and most levels are the height of many samples.
        let heights = 2 + round % 4;
        let values = (0..width * height).map(|_| (random.bits() % heights) as f32).collect();
        let layer = layer(width, values);
        found += (0..2 * heights).map(|half| check(&layer, half as f64 / 2.0 - 0.5, &mut random)).sum::<usize>();
    }
    assert!(found > 50_000, "{found} lines");
}

/// Every layer of 3 × 3 samples that are below, at or above the level.
#[test]
fn every_small_layer_has_lines_as_promised() {
    let mut random = Random(3);
    for mut number in 0..3_u32.pow(9) {
        let values: Vec<f32> = std::iter::repeat_with(|| {
            let value = number % 3;
            number /= 3;
            value as f32
        })
        .take(9)
        .collect();
        let lines = check(&layer(3, values.clone()), 1.0, &mut random);
        let (above, below) = (values.contains(&2.0), values.contains(&0.0));
        assert!(above || lines == 0, "nothing is above: {values:?}");
        assert!(!(above && below) || lines > 0, "no line separates the samples above: {values:?}");
    }
}

#[test]
fn the_coast_of_clamped_heights_is_there_and_a_summit_of_the_level_has_no_line() {
    // An island in a sea of exactly 0.
    let height = |i: usize| 6.5 - (((i % 21) as f32 - 9.7).powi(2) + ((i / 21) as f32 - 10.2).powi(2)).sqrt();
    let clamped = layer(21, (0..21 * 21).map(|i| height(i).max(0.0)).collect());
    let coast = contours(&clamped, &[0.0]).expect("contours").remove(0).lines;
    assert_eq!(coast.len(), 1, "{coast:?}");
    assert_eq!(coast[0].first(), coast[0].last());
    // Through the outermost samples of the sea: no farther than a sample from the coast of what was not clamped.
    for p in &coast[0] {
        let radius = (p[0] - 9.7).hypot(p[1] - 10.2);
        assert!((6.4..7.6).contains(&radius), "{p:?}");
        assert_eq!(p.map(f64::fract), [0.0; 2], "{p:?}");
    }
    let summit = |at: &[usize]| layer(5, (0..25).map(|i| if at.contains(&i) { 1.0 } else { 0.0 }).collect());
    for at in [&[12][..], &[0], &[2], &[6, 7, 8], &[0, 1, 2, 3, 4]] {
        assert!(contours(&summit(at), &[1.0]).expect("contours")[0].lines.is_empty(), "nothing is above 1: {at:?}");
    }
    // Pits of exactly the level, one sample wide, enclose nothing; a wider one does.
    let pit = |at: &[usize]| layer(6, (0..36).map(|i| if at.contains(&i) { 0.0 } else { 1.0 }).collect());
    for (at, count) in [(&[14][..], 0), (&[14, 15, 16], 0), (&[0], 0), (&[14, 15, 21], 1), (&[14, 15, 20, 21], 1)] {
        assert_eq!(contours(&pit(at), &[0.0]).expect("contours")[0].lines.len(), count, "{at:?}");
    }
}

#[test]
fn positions_that_are_rounded_together_are_one_point() {
    // So far out that f64 has four positions from sample to sample.
    let mut random = Random(5);
    let region = Region { origin: [1 << 50, -(1 << 50), 0], size: [20, 20, 1], spacing: 1.0, ..Region::plane(1, 1) };
    let values = (0..400).map(|_| random.between(-1.0, 1.0) as f32).collect();
    let lines = contours(&Layer { name: String::new(), region, channels: 1, values }, &[0.0, 0.001]).expect("contours");
    assert!(lines.iter().all(|contour| contour.lines.len() > 10));
    assert!(lines.iter().flat_map(|contour| &contour.lines).all(|line| line.len() >= 2 && line.windows(2).all(|ends| ends[0] != ends[1])));
}

#[test]
fn values_that_are_not_finite_are_refused() {
    for value in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let told = contours(&layer(2, vec![0.0, 1.0, value, 1.0]), &[0.5]).expect_err("refused").to_string();
        assert!(told.contains("at sample 0, 1") && told.contains("allowed: finite numbers"), "{told}");
    }
}

#[test]
fn lines_of_commands_have_no_doubled_points() {
    let scratch = Scratch::new("contours");
    let out = scratch.0.join("out.geojson");
    let lines = |args: &[&str]| -> Vec<Vec<[f64; 2]>> {
        let output = run(&[args, &["-o", path(&out)]].concat(), "");
        assert!(output.status.success(), "{args:?}: {}", text(&output.stderr));
        let json: serde_json::Value = serde_json::from_slice(&std::fs::read(&out).expect("a file")).expect("JSON");
        let all = json["features"].as_array().expect("features").iter().map(|feature| &feature["geometry"]["coordinates"]);
        all.flat_map(|lines| serde_json::from_value::<Vec<Vec<[f64; 2]>>>(lines.clone()).expect("lines")).collect()
    };
    // Heights of 0 or more, mostly 0.
    let text = "output = \"sea\"\n[node.hills]\nkind = \"simplex\"\nwavelength = 20.0\n[node.none]\nkind = \"constant\"\nvalue = 0.0\n\
                [node.sea]\nkind = \"max\"\na = \"hills\"\nb = \"none\"\n";
    let sea = scratch.file("sea.toml", text);
    let found = lines(&["contours", path(&sea), "--levels", "0", "--size", "64,64", "--backend", "cpu"]);
    assert!(found.len() > 5, "{} coasts", found.len());
    // A coast whose radius is 0 for a long way, and a line through one point twice.
    let coast = lines(&["coast", path(&sea), "--radius", "1", "--amplitude=-20", "--circle", "50", "--backend", "cpu"]);
    let edge = lines(&["edge", "--through", "0,0", "--through", "0,0", "--through", "10,5", "--through", "10,5"]);
    assert_eq!((coast.len(), edge.len()), (1, 1));
    for line in found.iter().chain(&coast).chain(&edge) {
        assert!(line.len() >= 2 && line.windows(2).all(|ends| ends[0] != ends[1]), "{line:?}");
    }
    let nothing = run(&["coast", path(&sea), "--radius", "1", "--amplitude=0", "-o", path(&out), "--backend", "cpu"], "");
    assert!(nothing.status.success(), "{}", String::from_utf8_lossy(&nothing.stderr));
    let constant = scratch.file("deep.toml", "output = \"c\"\n[node.c]\nkind = \"constant\"\nvalue = -2.0\n");
    expect(
        &run(&["coast", path(&constant), "--radius", "1", "--amplitude", "1", "-o", path(&out), "--backend", "cpu"], ""),
        65,
        &["nowhere above 0"],
    );
}
