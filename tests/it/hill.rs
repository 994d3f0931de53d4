//! Hill noise and spectral noise against the articles' formulas, and the distributions they promise.

use crate::support::{Random, cpu, oracle};
use orogen::node::{Distribution, Hill, Quantile, Spectral, Uniform};
use orogen::{Engine, Gradient, Noise};
use std::f64::consts::{PI, TAU};

/// Largest difference between the distribution of values in [−1, 1] and the uniform one (Kolmogorov–Smirnov).
fn ks(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let n = values.len() as f64;
    let off = |(i, v): (usize, &f64)| {
        let u = 0.5 * (v + 1.0);
        (u - i as f64 / n).abs().max((u - (i + 1) as f64 / n).abs())
    };
    values.iter().enumerate().map(off).fold(0.0, f64::max)
}

/// Values at independent points of a world of 10⁹ units.
fn independent(engine: &Engine, noise: &Noise, count: usize, seed: u64) -> Vec<f64> {
    let mut random = Random(seed);
    let positions: Vec<[f64; 3]> = (0..count).map(|_| [0; 3].map(|_| random.between(-1e9, 1e9))).collect();
    engine.sample(noise, &positions, Gradient::Without).expect("sample").iter().map(|s| s.value).collect()
}

#[test]
fn hill_noise_is_uniform_however_many_sines_it_has() {
    // The bar is 0.004 over 10⁶ points, where chance alone leaves 0.0014 (95 %).
    for dimensions in 1..=3 {
        for sines in [1, 2, 3, 8, 30, 200] {
            let noise = Noise::hill(Hill { dimensions, sines, unit: 3.0, ..Default::default() });
            let off = ks(independent(&cpu(), &noise, 1_000_000, 7 + u64::from(sines)));
            println!("{dimensions}D, {sines} sines: KS {off:.4}");
            assert!(off <= 0.004, "{dimensions}D, {sines} sines: {off}");
        }
    }
}

#[test]
fn other_sizes_are_uniform_too() {
    for (sizes, dimensions) in [(vec![1.0, 0.99], 1), (vec![1.0, 0.0013], 1), (vec![0.2; 12], 2), (vec![3.0, 0.5, 0.4], 3)] {
        let noise = Noise::hill(Hill { dimensions, sizes: Some(sizes.clone()), unit: 3.0, ..Default::default() });
        let off = ks(independent(&cpu(), &noise, 300_000, 3));
        println!("{sizes:?} in {dimensions}D: KS {off:.4}");
        assert!(off <= 0.005, "{sizes:?} in {dimensions}D: {off}");
    }
}

#[test]
fn equal_sizes_move_together_in_1d_and_are_refused() {
    let error =
        Noise::hill(Hill { dimensions: 1, sizes: Some(vec![1.0, 0.5, 1.0]), ..Default::default() }).check().expect_err("equal sizes");
    assert!(error.to_string().contains("sizes = 1 twice"), "{error}");
}

#[test]
fn the_articles_approximation_is_near_uniform_at_many_sines_only() {
    let off = |sines| {
        let noise = Noise::hill(Hill { dimensions: 1, sines, uniform: Uniform::Normal, unit: 3.0, ..Default::default() });
        ks(independent(&cpu(), &noise, 200_000, 5))
    };
    let (many, one) = (off(30), off(1));
    println!("approximation: 30 sines {many:.4}, one sine {one:.4}");
    assert!(many < 0.02, "30 sines: {many}");
    assert!(one > 0.05, "one sine is no normal distribution: {one}");
}

/// The article's first form ("Hill Noise", 1D): Σ size · sin(x/size + offset), over the sum of the sizes.
#[test]
fn the_articles_sum_in_1d_is_reproduced() {
    let (sizes, offsets) = (vec![1.0, 0.7, 0.45, 0.2, 0.03], vec![0.3, 5.0, 1.25, -2.0, 100.0]);
    let noise = |uniform| {
        let (sizes, offsets) = (Some(sizes.clone()), Some(offsets.clone()));
        Noise::hill(Hill { dimensions: 1, sizes, offsets, uniform, unit: 1.0, ..Default::default() })
    };
    let total: f64 = sizes.iter().sum();
    let deviation = (sizes.iter().map(|s| s * s / 2.0).sum::<f64>()).sqrt();
    let mut random = Random(11);
    for _ in 0..2000 {
        let x = random.between(-1000.0, 1000.0);
        let sum: f64 = sizes.iter().zip(&offsets).map(|(s, o)| s * (x / s + o).sin()).sum();
        let z = sum / deviation;
        let approximation = (1.0 - (-2.0 / PI * z * z).exp()).sqrt().copysign(z);
        for (uniform, expected) in [(Uniform::None, sum / total), (Uniform::Normal, approximation)] {
            for (engine, bound) in [(oracle(), 1e-7), (cpu(), 3e-6)] {
                let got = engine.sample(&noise(uniform), &[[x, 3.0, 4.0]], Gradient::Without).expect("sample")[0].value;
                assert!((got - expected).abs() <= bound, "{uniform:?} at {x}: {got} instead of {expected}");
            }
        }
    }
}

/// The article's 2D form, each pair turned by the golden ratio: Σ size/2 · (sin(u/size + offset) + sin(v/size + offset)).
#[test]
fn the_articles_sum_in_2d_is_reproduced() {
    let sizes: Vec<f64> = (0..6).map(|i| ((f64::from(i) + 0.5) / 7.0).powf(-(0.4f64.ln()))).collect();
    let offsets: Vec<f64> = (0..12).map(|i| f64::from(i) * 0.77 - 2.0).collect();
    let noise = Noise::hill(Hill {
        // Sizes by the article's generator, smoothness 0.4.
        sines: 6,
        smoothness: 0.4,
        offsets: Some(offsets.clone()),
        uniform: Uniform::None,
        spread: 360.0,
        unit: 1.0,
        ..Default::default()
    });
    let golden = (5f64.sqrt() + 1.0) / 2.0;
    let mut random = Random(12);
    for _ in 0..2000 {
        let (x, y) = (random.between(-300.0, 300.0), random.between(-300.0, 300.0));
        let mut sum = 0.0;
        for (i, size) in sizes.iter().enumerate() {
            let rotation = (i as f64 * golden % 1.0) * TAU;
            let u = x * rotation.cos() - y * rotation.sin();
            let v = -x * rotation.sin() - y * rotation.cos();
            sum += size / 2.0 * ((u / size + offsets[2 * i]).sin() + (v / size + offsets[2 * i + 1]).sin());
        }
        let expected = sum / sizes.iter().sum::<f64>();
        let got = oracle().sample(&noise, &[[x, y, 0.0]], Gradient::Without).expect("sample")[0].value;
        assert!((got - expected).abs() <= 1e-9, "at {x}, {y}: {got} instead of {expected}");
    }
}

/// In 3D every sine triple lies along an orthonormal basis: its part of the squared gradient does not depend on direction. The
/// directions themselves cover the sphere: the sum over many equal sines is isotropic.
#[test]
fn hills_in_3d_prefer_no_direction() {
    let noise = Noise::hill(Hill { dimensions: 3, sizes: Some(vec![1.0; 60]), uniform: Uniform::None, unit: 3.0, ..Default::default() });
    let mut random = Random(5);
    let positions: Vec<[f64; 3]> = (0..40_000).map(|_| [0; 3].map(|_| random.between(-1e6, 1e6))).collect();
    let gradients = cpu().sample(&noise, &positions, Gradient::With).expect("sample");
    let mut moments = [[0.0; 3]; 3];
    for g in gradients.iter().filter_map(|s| s.gradient) {
        for (i, row) in moments.iter_mut().enumerate() {
            for (j, m) in row.iter_mut().enumerate() {
                *m += g[i] * g[j] / positions.len() as f64;
            }
        }
    }
    let mean = (moments[0][0] + moments[1][1] + moments[2][2]) / 3.0;
    for (i, row) in moments.iter().enumerate() {
        for (j, m) in row.iter().enumerate() {
            let expected = if i == j { 1.0 } else { 0.0 };
            assert!((m / mean - expected).abs() < 0.04, "moment {i}{j}: {}", m / mean);
        }
    }
}

#[test]
fn quantiles_have_the_distributions_they_name() {
    let uniform = || Noise::hill(Hill { sines: 30, unit: 3.0, ..Default::default() });
    let erf = |x: f64| libm::erf(x);
    type Case = (Quantile, fn(f64, fn(f64) -> f64) -> f64);
    let cases: [Case; 3] = [
        // Weibull with the article's alpha = 2, beta = 1.5.
        (Quantile { distribution: Distribution::Weibull, scale: 2.0, shape: 1.5, ..Default::default() }, |v, _| {
            1.0 - (-(v / 2.0).max(0.0).powf(1.5)).exp()
        }),
        (Quantile { distribution: Distribution::Exponential, scale: 3.0, ..Default::default() }, |v, _| 1.0 - (-(v / 3.0).max(0.0)).exp()),
        (Quantile { distribution: Distribution::Normal, location: 5.0, scale: 0.5, ..Default::default() }, |v, erf| {
            0.5 + 0.5 * erf((v - 5.0) / 0.5 / 2f64.sqrt())
        }),
    ];
    for (quantile, cumulative) in cases {
        let noise = uniform().quantile(quantile.clone());
        let probabilities = independent(&cpu(), &noise, 200_000, 9).into_iter().map(|v| 2.0 * cumulative(v, erf) - 1.0).collect();
        let off = ks(probabilities);
        println!("{:?}: KS {off:.4}", quantile.distribution);
        assert!(off <= 0.005, "{:?}: {off}", quantile.distribution);
        // And point by point: the distribution of the quantile is the probability that went in.
        let (u, v) = (independent(&oracle(), &uniform(), 2000, 4), independent(&oracle(), &noise, 2000, 4));
        for (u, v) in u.into_iter().zip(v) {
            let back = 2.0 * cumulative(v, erf) - 1.0;
            assert!((back - u).abs() < 3e-6, "{:?}: {u} went in, {back} came out", quantile.distribution);
        }
    }
}

/// "Noise and map generation" 8: weighted sum of sines with random phase, sin(2π f x / mapsize + phase).
#[test]
fn the_articles_weighted_sum_is_reproduced() {
    let amplitudes = vec![0.2, 0.5, 1.0, 0.7, 0.5, 0.4];
    let frequencies = vec![1.0, 2.0, 4.0, 8.0, 16.0, 32.0];
    let phases = vec![0.1, 3.0, 6.2, -1.0, 0.0, 2.0];
    let noise = Noise::spectral(Spectral {
        frequencies: Some(frequencies.clone()),
        amplitudes: Some(amplitudes.clone()),
        phases: Some(phases.clone()),
        length: 256.0,
        normalise: false,
        ..Default::default()
    });
    for i in -300..600 {
        let x = f64::from(i);
        let expected: f64 = (0..6).map(|k| amplitudes[k] * (TAU * frequencies[k] * x / 256.0 + phases[k]).sin()).sum();
        let got = oracle().sample(&noise, &[[x, 0.0, 0.0]], Gradient::Without).expect("sample")[0].value;
        assert!((got - expected).abs() < 1e-9, "at {x}: {got} instead of {expected}");
    }
}

/// Power at each frequency, by projection on its sine and cosine; its slope against frequency is twice the exponent.
#[test]
fn colours_of_noise_have_the_exponent_asked_for() {
    for (colour, exponent) in [("red", -2.0), ("pink", -1.0), ("white", 0.0), ("blue", 1.0), ("violet", 2.0)] {
        let noise = Noise::spectral(Spectral { count: 64, exponent, length: 512.0, seed: 3, ..Default::default() });
        let values = cpu().field(&noise, &orogen::Region::plane(512, 1)).expect("field").values;
        let (mut sx, mut sy, mut sxx, mut sxy) = (0.0, 0.0, 0.0, 0.0);
        for f in 1..=64 {
            let turn = |i: usize| TAU * f64::from(f) * i as f64 / 512.0;
            let re: f64 = values.iter().enumerate().map(|(i, v)| f64::from(*v) * turn(i).cos()).sum();
            let im: f64 = values.iter().enumerate().map(|(i, v)| f64::from(*v) * turn(i).sin()).sum();
            let (x, y) = (f64::from(f).ln(), 0.5 * (re * re + im * im).ln());
            (sx, sy, sxx, sxy) = (sx + x, sy + y, sxx + x * x, sxy + x * y);
        }
        let slope = (64.0 * sxy - sx * sy) / (64.0 * sxx - sx * sx);
        println!("{colour}: exponent {slope:.4}");
        assert!((slope - exponent).abs() < 0.05, "{colour}: {slope} instead of {exponent}");
    }
}
