//! Measured distributions: any sub-graph made uniform, once, and kept in the recipe.

use crate::support::{Random, Scratch, cpu, gpu, run, text};
use orogen::node::{Fractal, Perlin};
use orogen::stage::{EqualiseWorld, Given, Pipeline};
use orogen::{Field, Gradient, Noise, Recipe, Region};

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
    assert!(error.contains("a constant"), "{error}");
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
    assert!(text(&output.stdout).contains("1 node measured"), "{}", text(&output.stdout));
    let written = Recipe::load(&to).expect("a recipe");
    assert!(ks(&written.noise().expect("a noise")) < 0.008);
    let bad = run(&["equalise", from.to_str().expect("UTF-8"), "-o", "x.toml", "--extent", "-1"], "");
    assert_eq!(bad.status.code(), Some(2));
}

/// Ranks equal those of a search over all quantiles, bit for bit, for any distribution of quantiles. Cases: even distances, half
/// of them in one place, a few far out, distances that 32 bits hardly resolve, and values equal to quantiles.
#[test]
#[cfg_attr(skip_gpu, ignore = "needs a GPU")]
fn the_stage_ranks_as_looking_through_all_quantiles_does() {
    let even: Vec<f64> = (0..1025).map(|k| f64::from(k) / 512.0 - 1.0).collect();
    let bell = even.iter().map(|x| x * x * x).collect();
    let heap: Vec<f64> = even.iter().map(|x| if *x < 0.0 { -0.25 } else { *x }).collect();
    let tail = even.iter().map(|x| if *x > 0.99 { x * 1e4 } else { *x }).collect();
    let far = even.iter().map(|x| 1e6 + x).collect();
    let small = even.iter().map(|x| x * 1e-33).collect();
    let mut random = Random(0x5eed);
    for (name, quantiles) in
        [("even", even), ("bell", bell), ("heap", heap), ("tail", tail), ("far", far), ("small", small), ("two", vec![0.0, 1.0])]
    {
        let (lo, hi) = (quantiles[0], quantiles[quantiles.len() - 1]);
        let region = Region::plane(67, 61);
        let values: Vec<f32> = (0..region.samples())
            .map(|i| match i % 4 {
                0 => quantiles[random.bits() as usize % quantiles.len()] as f32,
                1 => (quantiles[random.bits() as usize % quantiles.len()] as f32).next_up(),
                _ => (lo + (hi - lo) * (random.bits() as f64 / u64::MAX as f64 * 1.2 - 0.1)) as f32,
            })
            .collect();
        let stage = EqualiseWorld { low: 2.0, high: 7.0, measured: quantiles.clone(), ..Default::default() };
        let field = Field { region, values: values.clone(), gradients: None };
        let last = quantiles.len() - 1;
        let step = ((7.0 - 2.0) / last as f64) as f32;
        let expected = values.iter().map(|&x| {
            let low = quantiles[..last].iter().rposition(|&quantile| quantile as f32 <= x).unwrap_or(0);
            let way = quantiles[low + 1] - quantiles[low];
            let per_way = if way > 0.0 { (1.0 / way).min(f64::from(f32::MAX)) as f32 } else { 0.0 };
            let inside = ((x - quantiles[low] as f32) * per_way).clamp(0.0, 1.0);
            (low as f32 + inside) * step + 2.0
        });
        let expected: Vec<f32> = expected.collect();
        for (engine, of) in [(&cpu(), "CPU"), (gpu(), "GPU")] {
            let found =
                engine.apply(&Pipeline::source(Given {}).then(stage.clone()), &["equalise"], &field).expect("layers").remove(0).values;
            let wrong = (0..found.len()).find(|&i| found[i].to_bits() != expected[i].to_bits());
            assert!(wrong.is_none(), "{name} on the {of}: {:?}", wrong.map(|i| (values[i], found[i], expected[i])));
        }
    }
}
