//! Periods: sample 0 and sample N have the same bits for any N; an unsupported period is an error that names the supported ones.

use crate::nodes;
use crate::support::{Scratch, assert_same_bits, cpu, expect, gpu, path, run};
use orogen::node::{
    Craters, Fractal, Gradients, Hash, Hill, OpenSimplex2, OpenSimplexVariant, Perlin, Simplex, SmoothCells, Spectral, Stamps, Value,
    White, WhiteHash, Worley,
};
use orogen::{Engine, Field, Gradient, Noise, Region};

fn same(field: &Field, a: usize, b: usize) -> bool {
    let gradients = field.gradients.as_ref().expect("asked for");
    field.values[a].to_bits() == field.values[b].to_bits() && gradients[a].map(f32::to_bits) == gradients[b].map(f32::to_bits)
}

/// A field one period and a bit along x and y: every sample equals the one a period further.
fn repeats(engine: &Engine, noise: &Noise, period: f64, samples: u32, origin: i64, what: &str) {
    let spacing = period / f64::from(samples);
    let size = [samples + 5, samples + 3, 1];
    let region = Region { origin: [origin, -origin / 2, 0], size, spacing, ..Region::plane(1, 1) };
    let field = engine.field_with_gradient(noise, &region).expect(what);
    let at = |x: u32, y: u32| (y * size[0] + x) as usize;
    for y in 0..size[1] {
        for x in 0..size[0] {
            if x >= samples {
                assert!(same(&field, at(x, y), at(x - samples, y)), "{what}, {samples} samples: ({x}, {y}) is not a period after its twin");
            }
            if y >= samples {
                assert!(same(&field, at(x, y), at(x, y - samples)), "{what}, {samples} samples: ({x}, {y}) is not a period below its twin");
            }
        }
    }
    let [lo, hi] = field.extent();
    assert!(hi > lo + 0.1, "{what}: flat");
    // No seam: the step across the border is no larger than the largest inside, along either axis. (Samples are counted within the
    // period, so equality alone would not notice a lattice that does not close.)
    for (axis, next) in [("x", [1, 0]), ("y", [0, 1])] {
        let step = |k: u32| {
            (0..samples).fold(0.0f32, |m, i| {
                let (x, y) = if next == [1, 0] { (k, i) } else { (i, k) };
                m.max((field.values[at(x + next[0], y + next[1])] - field.values[at(x, y)]).abs())
            })
        };
        let inside = (0..samples - 1).map(step).fold(0.0, f32::max);
        let border = step(samples - 1);
        assert!(border <= 1.5 * inside, "{what}: a seam of {border} along {axis}, and steps of {inside} inside");
    }
}

/// Every basis, and graphs of them; 90 units hold every lattice of wavelength 15.
fn all() -> Vec<(&'static str, Noise)> {
    let simplex = |dimensions, hash| Noise::simplex(Simplex { dimensions, hash, wavelength: 15.0, ..Default::default() });
    let plain = || simplex(2, Hash::Integer);
    let perlin = |dimensions| Noise::perlin(Perlin { dimensions, wavelength: 15.0, ..Default::default() });
    let turning_simplex = |dimensions| Simplex { dimensions, gradients: Gradients::Turning, wavelength: 15.0, ..Default::default() };
    let turning_perlin = |dimensions| {
        let gradients = Gradients::Turning;
        Noise::perlin(Perlin { dimensions, gradients, w: 0.2, wavelength: 15.0, ..Default::default() })
    };
    let open =
        |dimensions, variant| Noise::open_simplex2(OpenSimplex2 { dimensions, variant, w: 1.3, wavelength: 13.1, ..Default::default() });
    let period = [90.0, 90.0, 0.0];
    vec![
        ("simplex 2D", plain().periodic(period)),
        ("simplex 2D, stretched", Noise::simplex(Simplex { wavelength: 13.1, ..Default::default() }).periodic(period)),
        ("simplex 3D", simplex(3, Hash::Integer).periodic(period)),
        ("simplex 4D", simplex(4, Hash::Integer).periodic(period)),
        ("perlin 4D", perlin(4).periodic([90.0, 90.0, 45.0])),
        ("turning simplex 2D", Noise::simplex(Simplex { w: 0.4, ..turning_simplex(2) }).periodic(period)),
        ("turning simplex 3D", Noise::simplex(turning_simplex(3)).periodic(period)),
        ("turning perlin 2D", turning_perlin(2).periodic(period)),
        ("turning perlin 3D", turning_perlin(3).periodic([90.0, 90.0, 45.0])),
        ("open simplex 2D", open(2, OpenSimplexVariant::Fast).periodic(period)),
        ("open simplex 2S in 2D", open(2, OpenSimplexVariant::Smooth).periodic(period)),
        ("open simplex 3D", open(3, OpenSimplexVariant::Fast).periodic([90.0, 90.0, 45.0])),
        ("open simplex 2S in 3D", open(3, OpenSimplexVariant::Smooth).periodic(period)),
        ("open simplex 4D", open(4, OpenSimplexVariant::Fast).periodic([90.0, 90.0, 45.0])),
        ("open simplex 2S in 4D", open(4, OpenSimplexVariant::Smooth).periodic(period)),
        ("permutation289", simplex(3, Hash::Permutation289).periodic(period)),
        ("perlin 2D", perlin(2).periodic(period)),
        ("perlin 3D", perlin(3).periodic([90.0, 90.0, 45.0])),
        ("value 2D", Noise::value(Value { wavelength: 15.0, ..Default::default() }).periodic(period)),
        ("worley 2D", Noise::worley(Worley { wavelength: 15.0, ..Default::default() }).periodic(period)),
        (
            "worley 3D",
            Noise::worley(Worley { dimensions: 3, wavelength: 15.0, weights: vec![-1.0, 1.0], ..Default::default() }).periodic(period),
        ),
        ("smooth cells 2D", Noise::smooth_cells(SmoothCells { wavelength: 15.0, ..Default::default() }).periodic(period)),
        ("smooth cells 3D", Noise::smooth_cells(SmoothCells { dimensions: 3, wavelength: 15.0, ..Default::default() }).periodic(period)),
        ("stamps", plain().stamps(Stamps { wavelength: 15.0, radius: 12.0, ..Default::default() }).periodic(period)),
        ("craters", Noise::craters(Craters { wavelength: 15.0, ..Default::default() }).periodic(period)),
        ("white", Noise::white(White { wavelength: 4.5, ..Default::default() }).periodic(period)),
        ("white by a sine", Noise::white(White { wavelength: 4.5, hash: WhiteHash::Sine, ..Default::default() }).periodic(period)),
        ("fbm", perlin(2).fractal(Fractal { octaves: 5, ..Default::default() }).periodic(period)),
        ("fbm of simplex", plain().fractal(Fractal { octaves: 4, lacunarity: 2.3, ..Default::default() }).periodic(period)),
        ("warp", perlin(2).warp([plain(), perlin(2), plain()], 40.0).periodic(period)),
        ("hill", Noise::hill(Hill { sines: 12, unit: 4.0, ..Default::default() }).periodic(period)),
        ("quantise", perlin(2).quantise([7.5, 4.5, 1.0]).periodic(period)),
    ]
}

#[test]
fn sample_0_and_sample_n_are_the_same_bits() {
    for (what, noise) in all() {
        for samples in [100, 37, 90, 64] {
            repeats(&cpu(), &noise, 90.0, samples, -20, what);
        }
        repeats(&cpu(), &noise, 90.0, 36, 1_000_000_000_000, what);
    }
}

#[test]
#[cfg_attr(skip_gpu, ignore = "needs a GPU")]
fn and_on_the_gpu() {
    let gpu = gpu();
    for (what, noise) in all() {
        repeats(gpu, &noise, 90.0, 37, -20, what);
    }
}

/// Rows of three blocks: one within a period, one that a period ends in, and one after that.
#[test]
#[cfg_attr(skip_gpu, ignore = "needs a GPU")]
fn blocks_of_a_row_have_the_same_bits_wherever_the_period_ends() {
    let (period, samples) = (90.0, 700);
    let region = Region { origin: [400, -3, 0], size: [600, 5, 1], spacing: period / f64::from(samples), ..Region::plane(1, 1) };
    for (what, noise) in all() {
        let [ours, theirs] = [&cpu(), gpu()].map(|engine| engine.field_with_gradient(&noise, &region).expect(what));
        for i in 0..ours.values.len() {
            assert_eq!(ours.values[i].to_bits(), theirs.values[i].to_bits(), "{what}: the value of sample {i}");
            let [ours, theirs] = [&ours, &theirs].map(|field| field.gradients.as_ref().expect("asked for")[i].map(f32::to_bits));
            assert_eq!(ours, theirs, "{what}: the gradient of sample {i}");
        }
    }
}

#[test]
fn points_repeat_too() {
    for (what, noise) in all() {
        let positions = [[1.5, -2.25, 0.0], [91.5, -2.25, 0.0], [1.5 - 90.0 * 1e9, 87.75, 0.0]];
        let samples = cpu().sample(&noise, &positions, Gradient::With).expect(what);
        assert!(samples[0] == samples[1] && samples[0] == samples[2], "{what}: {samples:?}");
    }
}

#[test]
fn a_period_of_one_axis_leaves_the_others_alone() {
    let noise = Noise::perlin(Perlin { wavelength: 10.0, ..Default::default() }).periodic([40.0, 0.0, 0.0]);
    let field = cpu().field(&noise, &Region { size: [41, 400, 1], ..Region::plane(1, 1) }).expect("field");
    let row = |y: usize| &field.values[y * 41..(y + 1) * 41];
    assert!((0..400).all(|y| row(y)[0] == row(y)[40]));
    assert!((1..400).all(|y| row(0) != row(y)), "a row came again");
}

#[test]
fn periods_that_do_not_fit_are_errors_that_name_the_nearest() {
    let error = |noise: Noise| cpu().field(&noise, &Region::plane(4, 4)).expect_err("does not fit").to_string();
    let perlin = |wavelength| Noise::perlin(Perlin { wavelength, ..Default::default() });
    let got = error(perlin(10.0).periodic([105.0, 0.0, 0.0]));
    assert!(got.contains("node 'perlin'") && got.contains("105 along x") && got.contains("nearest: 100 or 110"), "{got}");
    let got = error(perlin(10.0).fractal(Fractal { octaves: 3, lacunarity: 2.5, ..Default::default() }).periodic([100.0, 100.0, 0.0]));
    assert!(got.contains("whole lacunarities"), "{got}");
    assert!(got.contains("node 'periodic': period = "), "{got}");
    let got = error(Noise::simplex(Simplex { dimensions: 4, wavelength: 10.0, ..Default::default() }).periodic([100.0, 0.0, 0.0]));
    assert!(got.contains("nearest: 90 or 120"), "{got}");
    // Simplex in 2D and 3D stretches to any period that is not too short.
    let got = error(Noise::simplex(Simplex { dimensions: 3, wavelength: 10.0, ..Default::default() }).periodic([100.0, 15.0, 0.0]));
    assert!(got.contains("15 along y") && got.contains("from 20 up to"), "{got}");
    let got = error(perlin(10.0).quantise([4.0, 4.0, 4.0]).periodic([30.0, 0.0, 0.0]));
    assert!(got.contains("nearest: 28 or 32"), "{got}");
    let turned = perlin(10.0).fractal(Fractal { octaves: 2, rotation: 30.0, ..Default::default() }).periodic([100.0, 0.0, 0.0]);
    assert!(error(turned).contains("rotated"), "rotated");
    let coordinate = Noise::coordinate(orogen::node::Coordinate::default()).periodic([100.0, 0.0, 0.0]);
    assert!(error(coordinate).contains("node 'coordinate'"), "a coordinate never repeats");
    let short = Noise::spectral(Spectral { length: 1000.0, ..Default::default() }).periodic([300.0, 0.0, 0.0]);
    assert!(error(short).contains("1000"), "the longest sine does not fit");
}

#[test]
fn periods_end_at_2_to_the_24_cells() {
    let error = |noise: Noise| cpu().field(&noise, &Region::plane(4, 4)).expect_err("does not fit").to_string();
    let perlin = Noise::perlin(Perlin { wavelength: 0.5, ..Default::default() });
    for noise in [perlin.clone(), perlin.fractal(Fractal { octaves: 3, ..Default::default() })] {
        let got = error(noise.periodic([8_388_608.0, 0.0, 0.0]));
        assert!(got.contains("node 'periodic': period = 8388608 along x") && got.contains("node 'perlin'"), "{got}");
        assert!(got.contains("(nearest: ") && got.contains("up to "), "{got}");
    }
    let simplex = || Noise::simplex(Simplex { wavelength: 0.5, ..Default::default() });
    let got = error(simplex().periodic([8_388_608.0, 0.0, 0.0]));
    assert!(got.contains("node 'periodic': period = 8388608 along x") && got.contains("from 0.5 up to 8388607.5"), "{got}");
    assert!(cpu().field(&simplex().periodic([8_388_607.0, 0.0, 0.0]), &Region::plane(4, 4)).is_ok());
}

/// Without a period, a lattice begins again after as many cells as 32 bits count.
#[test]
fn lattices_repeat_after_2_to_the_32_cells() {
    let perlin = Noise::perlin(Perlin { wavelength: 1.0, ..Default::default() });
    let white = Noise::white(White { wavelength: 1.0, ..Default::default() });
    let worley = Noise::worley(Worley { wavelength: 1.0, ..Default::default() });
    for noise in [perlin, white, worley] {
        let at = |x: f64| cpu().sample(&noise, &[[x, 3.25, 0.0]], Gradient::Without).expect("a value")[0].value.to_bits();
        assert_eq!(at(5.375), at(5.375 + 4_294_967_296.0));
        assert_ne!(at(5.375), at(5.375 + 2_147_483_648.0));
    }
}

#[test]
fn the_command_names_the_line_of_a_period() {
    let scratch = Scratch::new("period");
    let text = "output = \"p\"\n[node.s]\nkind = \"perlin\"\nwavelength = 10.0\n[node.p]\nkind = \"periodic\"\nof = \"s\"\nperiod = [105.0, 0.0, 0.0]\n";
    let json = "{\n\"output\": \"p\",\n\"node\": {\"s\": {\"kind\": \"perlin\", \"wavelength\": 10.0},\n\"p\": {\"kind\": \"periodic\", \"of\": \"s\",\n\"period\": [105.0, 0.0, 0.0]}}}\n";
    for (name, text, line) in [("r.toml", text, "r.toml:8:1: "), ("r.json", json, "r.json:5:11: ")] {
        let file = scratch.file(name, text);
        for verb in ["verify", "preview", "sample"] {
            let more: &[&str] = match verb {
                "sample" => &["--points", "-"],
                "preview" => &["-o", "/dev/null"],
                _ => &[],
            };
            let output = run(&[&[verb, path(&file), "--backend", "cpu"], more].concat(), "1 2 3\n");
            expect(&output, 65, &[line, "node 'p': period = 105 along x is not allowed", "node 's'", "nearest: 100 or 110"]);
        }
    }
}

/// A strip that goes around once and repeats after its length closes without a seam.
#[test]
fn a_periodic_strip_closes() {
    let noise = Noise::perlin(Perlin { wavelength: 10.0, ..Default::default() }).periodic([100.0, 0.0, 0.0]);
    let ring = noise.polar(orogen::node::Polar { form: orogen::node::PolarForm::Strip, size: 100.0, ..Default::default() });
    let above = cpu().sample(&ring, &[[-50.0, 1e-6, 0.0]], Gradient::Without).expect("sample")[0].value;
    let below = cpu().sample(&ring, &[[-50.0, -1e-6, 0.0]], Gradient::Without).expect("sample")[0].value;
    assert!((above - below).abs() < 1e-4, "{above} above the seam, {below} below");
    assert_eq!(nodes::of_kind("periodic").len(), 8);
}

/// Noises that read the fourth axis, with wavelengths of 15 and 30 and turns of 45 units.
fn with_fourth() -> Vec<(&'static str, Noise)> {
    let perlin = || Noise::perlin(Perlin { dimensions: 4, wavelength: 30.0, ..Default::default() });
    let simplex = || Noise::simplex(Simplex { dimensions: 4, wavelength: 15.0, ..Default::default() });
    let octaves = || Fractal { octaves: 3, rotation: 21.0, ..Default::default() };
    let turning = Simplex { gradients: Gradients::Turning, w_period: 45.0, wavelength: 15.0, ..Default::default() };
    let still = [0.0; 3];
    vec![
        ("perlin", perlin().periodic_4d(still, 90.0)),
        ("value", Noise::value(Value { dimensions: 4, wavelength: 15.0, ..Default::default() }).periodic_4d(still, 90.0)),
        ("simplex", simplex().periodic_4d(still, 90.0)),
        ("perlin, also along x", perlin().periodic_4d([60.0, 0.0, 0.0], 90.0)),
        ("simplex, also along x, y and z", simplex().periodic_4d([90.0, 45.0, 135.0], 90.0)),
        ("turned octaves of perlin", perlin().fractal(octaves()).periodic_4d(still, 90.0)),
        ("turned octaves of simplex", simplex().fractal(octaves()).periodic_4d(still, 90.0)),
        ("turning simplex", Noise::simplex(turning.clone()).periodic_4d(still, 90.0)),
        ("octaves of turning simplex", Noise::simplex(turning).fractal(octaves()).periodic_4d(still, 90.0)),
    ]
}

#[test]
fn the_fourth_axis_repeats() {
    let region = Region { origin: [-30, 1_000_000_000, 5], size: [41, 23, 1], spacing: 1.7, ..Region::plane(1, 1) };
    for engine in [cpu(), crate::support::oracle()] {
        for (what, noise) in with_fourth() {
            let prepared = engine.prepare(&noise).expect(what);
            let at = |w: f64| prepared.at(w).field_with_gradient(&region).expect(what);
            for w in [0.0, 0.25, 44.5, 89.875, -3.5] {
                assert_same_bits(&at(w), &at(w + 90.0), what);
                assert_same_bits(&at(w), &at(w - 90.0 * 1e6), what);
            }
            let apart = |a: &Field, b: &Field| a.values.iter().zip(&b.values).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
            // The period ends without a step, as a step inside it, and not earlier.
            let (border, inside) = (apart(&at(89.95), &at(0.05)), apart(&at(40.0), &at(40.1)));
            assert!(border < 3.0 * inside + 1e-6, "{what}: a step of {border} at the border, of {inside} inside");
            assert!(what.contains("turning") || apart(&at(45.0), &at(0.0)) > 0.2, "{what}: half the period is one, too");
        }
    }
}

#[test]
#[cfg_attr(skip_gpu, ignore = "needs a GPU")]
fn the_fourth_axis_has_the_same_bits_on_the_gpu() {
    let region = Region { origin: [-30, 5, 5], size: [41, 23, 1], spacing: 1.7, ..Region::plane(1, 1) };
    for (what, noise) in with_fourth() {
        let [ours, theirs] = [&cpu(), gpu()].map(|engine| engine.prepare(&noise).expect(what));
        for w in [0.0, 29.5, 89.875, 179.875, -1e7] {
            let [a, b] = [&ours, &theirs].map(|prepared| prepared.at(w).field_with_gradient(&region).expect(what));
            assert_same_bits(&a, &b, what);
        }
    }
}

#[test]
fn periods_of_the_fourth_axis_that_do_not_fit_are_errors() {
    let error = |noise: Noise| cpu().field(&noise, &Region::plane(4, 4)).expect_err("does not fit").to_string();
    let perlin = || Noise::perlin(Perlin { dimensions: 4, wavelength: 10.0, ..Default::default() });
    let got = error(perlin().periodic_4d([0.0; 3], 25.0));
    assert!(got.contains("25 along w") && got.contains("nearest: 20 or 30"), "{got}");
    let got = error(Noise::simplex(Simplex { dimensions: 4, wavelength: 10.0, ..Default::default() }).periodic_4d([0.0; 3], 100.0));
    assert!(got.contains("nearest: 90 or 120"), "{got}");
    let got = error(perlin().fractal(Fractal { octaves: 3, lacunarity: 2.1, ..Default::default() }).periodic_4d([0.0; 3], 30.0));
    assert!(got.contains("whole lacunarities"), "{got}");
    let turning = Simplex { gradients: Gradients::Turning, w_period: 7.0, ..Default::default() };
    let got = error(Noise::simplex(turning).periodic_4d([0.0; 3], 10.0));
    assert!(got.contains("nearest: 7 or 14"), "{got}");
    // Noises that do not read it allow any.
    let flat = Noise::perlin(Perlin { wavelength: 10.0, ..Default::default() });
    assert_same_bits(
        &cpu().field(&flat.clone().periodic_4d([0.0; 3], 1.23), &Region::plane(9, 9)).expect("a field"),
        &cpu().field(&flat, &Region::plane(9, 9)).expect("a field"),
        "a period of w",
    );
}
