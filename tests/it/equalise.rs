//! Measured distributions: any sub-graph made uniform, once, and kept in the recipe.

use crate::support::{Random, Scratch, cpu, run, text};
use orogen::node::{Fractal, Perlin};
use orogen::{Gradient, Noise, Recipe};

fn fbm() -> Noise {
    Noise::perlin(Perlin { wavelength: 30.0, ..Default::default() }).fractal(Fractal { octaves: 5, ..Default::default() })
}

/// Kolmogorov–Smirnov distance from uniform on [−1, 1].
fn ks(noise: &Noise) -> f64 {
    let mut random = Random(77);
    let positions: Vec<[f64; 3]> = (0..100_000).map(|_| [0; 3].map(|_| random.between(-1e6, 1e6))).collect();
    let mut values: Vec<f64> = cpu().sample(noise, &positions, Gradient::Without).expect("sample").iter().map(|s| s.value).collect();
    values.sort_by(f64::total_cmp);
    values.iter().enumerate().map(|(i, v)| (0.5 * (v + 1.0) - (i as f64 + 0.5) / 1e5).abs()).fold(0.0, f64::max)
}

#[test]
fn any_noise_becomes_uniform() {
    let shaped = fbm().abs().power(2.0);
    for (what, noise) in [("fbm", fbm()), ("a power", shaped)] {
        let before = ks(&noise.clone().scale_offset(2.0, 0.0));
        let noise = cpu().equalise(&noise.equalise(Vec::new()), 1e6).expect("measured");
        let after = ks(&noise);
        println!("{what}: KS {before:.3} before, {after:.4} after");
        assert!(before > 0.05 && after < 0.008, "{what}: {before} before, {after} after");
    }
}

#[test]
fn inner_nodes_are_measured_first_and_measured_ones_stay() {
    let inner = fbm().equalise(Vec::new());
    let both = inner.power(3.0).equalise(Vec::new());
    let measured = cpu().equalise(&both, 1e6).expect("measured");
    assert!(ks(&measured) < 0.008);
    assert_eq!(cpu().equalise(&measured, 5.0).expect("nothing to do"), measured);
}

#[test]
fn unmeasured_and_flat_nodes_are_errors() {
    let error = cpu().sample(&fbm().equalise(Vec::new()), &[[0.0; 3]], Gradient::Without).expect_err("unmeasured").to_string();
    assert!(error.contains("node 'equalise'") && error.contains("orogen equalise"), "{error}");
    let flat = Noise::constant(2.0).equalise(Vec::new());
    let error = cpu().equalise(&flat, 10.0).expect_err("flat").to_string();
    assert!(error.contains("the same number everywhere"), "{error}");
}

#[test]
fn the_command_writes_the_recipe() {
    let scratch = Scratch::new("equalise");
    let recipe = Recipe::new(fbm().equalise(Vec::new()).graph().clone()).to_toml().expect("TOML");
    let from = scratch.file("in.toml", &recipe);
    let to = scratch.0.join("out.toml");
    let args = ["equalise", from.to_str().expect("UTF-8"), "-o", to.to_str().expect("UTF-8"), "--backend", "cpu"];
    let output = run(&args, "");
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("1 node(s) measured"), "{}", text(&output.stdout));
    let written = Recipe::load(&to).expect("a recipe");
    assert!(ks(&written.noise().expect("a noise")) < 0.008);
    let bad = run(&["equalise", from.to_str().expect("UTF-8"), "-o", "x.toml", "--extent", "-1"], "");
    assert_eq!(bad.status.code(), Some(2));
}
