//! Hill noise and spectral noise against the articles' formulas, and the distributions they promise.

use crate::support::{Random, cpu, ks, oracle};
use orogen::node::{Coordinate, Hill, Interpolation, Quantile, QuantileDistribution, QuantilePoint, Spectral, Uniform, Value};
use orogen::{Engine, Gradient, Noise};
use std::f64::consts::{PI, TAU};

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
    assert!(one > 0.05, "one sine is not normally distributed: {one}");
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

/// The article's 3D form, with its mistakes corrected: `resolution` is the number of sizes. As in the lines that compute them, phi
/// is the angle around the axis and theta the angle from it. Each size is that of the shuffled index, and offsets use the other
/// index: Σ size/3 · (cos(u/size + offset) + …).
#[test]
fn the_articles_sum_in_3d_is_reproduced() {
    let golden = (5f64.sqrt() + 1.0) / 2.0;
    let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    for count in [2, 5, 8, 13, 30] {
        let sizes: Vec<f64> = (0..count).map(|i| 1.0 / (1.0 + 0.37 * f64::from(i))).collect();
        let offsets: Vec<f64> = (0..3 * count).map(|i| f64::from(i) * 1.23 - 4.0).collect();
        let noise = |uniform| {
            let (sizes, offsets) = (Some(sizes.clone()), Some(offsets.clone()));
            Noise::hill(Hill { dimensions: 3, sizes, offsets, uniform, unit: 1.0, ..Default::default() })
        };
        let fibonacci = (((f64::from(count) - 1.0) * 5f64.sqrt() + 0.5).ln() / golden.ln()).floor();
        let down = (0.5 + golden.powf(fibonacci) / 5f64.sqrt()).floor() as usize;
        let up = (0.5 + down as f64 / golden).floor() as usize;
        let (mut j, mut triples) = (0, Vec::new());
        for i in 0..sizes.len() {
            if j >= down {
                j -= down;
            } else {
                j += up;
                if j >= sizes.len() {
                    j -= down;
                }
            }
            let phi = (i as f64 * golden % 1.0) * TAU;
            let theta = (-1.0 + 2.0 * (j as f64 * golden % 1.0)).acos();
            let n1 = [theta.sin() * phi.cos(), theta.sin() * phi.sin(), theta.cos()];
            let n2 = [theta.cos() * phi.cos(), theta.cos() * phi.sin(), -theta.sin()];
            let n3 = [n1[1] * n2[2] - n1[2] * n2[1], n1[2] * n2[0] - n1[0] * n2[2], n1[0] * n2[1] - n1[1] * n2[0]];
            triples.push((sizes[j], [n1, n2, n3]));
        }
        // Every size is taken once.
        let mut taken: Vec<f64> = triples.iter().map(|(size, _)| *size).collect();
        taken.sort_by(|a, b| b.total_cmp(a));
        assert_eq!(taken, sizes, "{count} sizes");
        let deviation = (sizes.iter().map(|size| size * size / 6.0).sum::<f64>()).sqrt();
        let mut random = Random(13);
        for _ in 0..500 {
            let at = [0; 3].map(|_| random.between(-300.0, 300.0));
            let sines = triples.iter().enumerate().map(|(i, (size, axes))| {
                let wave = |k: usize| (dot(axes[k], at) / size + offsets[3 * i + k]).cos();
                size / 3.0 * (wave(0) + wave(1) + wave(2))
            });
            let sum = sines.sum::<f64>();
            let z = sum / deviation;
            let approximation = (1.0 - (-2.0 / PI * z * z).exp()).sqrt().copysign(z);
            for (uniform, expected) in [(Uniform::None, sum / sizes.iter().sum::<f64>()), (Uniform::Normal, approximation)] {
                for (engine, bound) in [(oracle(), 1e-7), (cpu(), 3e-6)] {
                    let got = engine.sample(&noise(uniform), &[at], Gradient::Without).expect("sample")[0].value;
                    assert!((got - expected).abs() <= bound, "{count} sizes, {uniform:?} at {at:?}: {got} instead of {expected}");
                }
            }
        }
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
        (Quantile { distribution: QuantileDistribution::Weibull, scale: 2.0, shape: 1.5, ..Default::default() }, |v, _| {
            1.0 - (-(v / 2.0).max(0.0).powf(1.5)).exp()
        }),
        (Quantile { distribution: QuantileDistribution::Exponential, scale: 3.0, ..Default::default() }, |v, _| {
            1.0 - (-(v / 3.0).max(0.0)).exp()
        }),
        (Quantile { distribution: QuantileDistribution::Normal, location: 5.0, scale: 0.5, ..Default::default() }, |v, erf| {
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

/// A table's own numbers: its values at its probabilities, straight lines between them, and the specified number of samples up to
/// each value.
#[test]
fn a_tables_quantiles_are_its_own_numbers() {
    let table: Vec<QuantilePoint> = [(0.0, -2.0), (0.1, -1.5), (0.5, 0.25), (0.52, 4.0), (0.9, 4.5), (1.0, 100.0)]
        .map(|(probability, value)| QuantilePoint { probability, value })
        .to_vec();
    let quantile = || Quantile { distribution: QuantileDistribution::Table, table: table.clone(), ..Default::default() };
    let of = Noise::coordinate(Coordinate::default()).quantile(quantile());
    for pair in table.windows(2) {
        for i in 0..=16 {
            let t = f64::from(i) / 16.0;
            let probability = pair[0].probability + t * (pair[1].probability - pair[0].probability);
            let expected = pair[0].value + t * (pair[1].value - pair[0].value);
            for (engine, bound) in [(oracle(), 1e-9), (cpu(), 2e-5)] {
                let at = [[2.0 * probability - 1.0, 0.0, 0.0]];
                let got = engine.sample(&of, &at, Gradient::Without).expect("sample")[0].value;
                assert!((got - expected).abs() <= bound * expected.abs().max(1.0), "{probability}: {got} instead of {expected}");
            }
        }
    }
    let noise = Noise::hill(Hill { sines: 30, unit: 3.0, ..Default::default() }).quantile(quantile());
    let values = independent(&cpu(), &noise, 200_000, 9);
    for QuantilePoint { probability, value } in table {
        let share = values.iter().filter(|v| **v <= value).count() as f64 / values.len() as f64;
        // Chance alone leaves 0.0011.
        assert!((share - probability).abs() <= 0.005, "{share} of the values are up to {value}, not {probability}");
    }
}

/// Seeds move the same waves, so that hills of the same sizes know of each other; hills of other sizes do not.
#[test]
fn hills_of_other_sizes_are_independent() {
    const COUNT: usize = 20_000;
    for (dimensions, [least, most]) in [(1, [0.1, 0.22]), (2, [0.06, 0.14]), (3, [0.05, 0.1])] {
        let correlation = |hill: &dyn Fn(u64) -> Hill| {
            let fields: Vec<Vec<f64>> =
                (0..8).map(|i| independent(&cpu(), &Noise::hill(Hill { dimensions, ..hill(i) }), COUNT, 29)).collect();
            // Uniform over [−1, 1]: means of 0, mean squares of 1/3.
            let of = |a: &[f64], b: &[f64]| 3.0 * a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>() / COUNT as f64;
            let squares = (0..8).flat_map(|i| (0..i).map(move |j| (i, j))).map(|(i, j)| of(&fields[i], &fields[j]).powi(2));
            (squares.sum::<f64>() / 28.0).sqrt()
        };
        let seeds = correlation(&|seed| Hill { seed, ..Default::default() });
        let sizes = correlation(&|i| Hill { smoothness: 0.3 + 0.05 * i as f64, ..Default::default() });
        println!("{dimensions}D: other seeds {seeds:.3}, other sizes {sizes:.4}");
        // Chance alone leaves 0.007.
        assert!((least..most).contains(&seeds) && sizes < 0.011, "{dimensions}D: {seeds}, {sizes}");
    }
}

/// The similarity of a stretch of a line to the most similar distant stretch of some lines. It is the smallest root mean square of
/// their difference, relative to that of unrelated stretches. 0 is a repetition.
fn nearest_repetition(noise: &Noise, origins: &[i64]) -> f64 {
    // Of 25 of the longest waves; what begins 15 of them on is not near.
    const STRETCH: usize = 512;
    const NEAR: usize = 300;
    let line = |origin: i64| {
        cpu().field(noise, &orogen::Region { origin: [origin, 0, 0], ..orogen::Region::plane(1 << 16, 1) }).expect("a line").values
    };
    let home = line(0);
    let mean = home.iter().map(|&x| f64::from(x)).sum::<f64>() / home.len() as f64;
    let variance = home.iter().map(|&x| (f64::from(x) - mean).powi(2)).sum::<f64>() / home.len() as f64;
    let mut least = f32::INFINITY;
    for &origin in origins {
        let there = if origin == 0 { home[NEAR..].to_vec() } else { line(origin) };
        for other in there.windows(STRETCH) {
            // In parts: most stretches are soon found to be too different.
            let mut total = 0.0f32;
            for (a, b) in home[..STRETCH].chunks(64).zip(other.chunks(64)) {
                total += a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f32>();
                if total >= least {
                    break;
                }
            }
            least = least.min(total);
        }
    }
    (f64::from(least) / STRETCH as f64 / (2.0 * variance)).sqrt()
}

/// "Will (practically) never repeat itself": no stretch of half a million samples is like the first, near the origin or 10¹² units from it.
/// Repetitions are found: in a table of values, and in the article's sum of two sines that coincide again after 6 · 2π.
#[test]
fn hill_noise_does_not_repeat_at_any_distance() {
    let lines = [0, 1_000_000, -40_000_000, 1_000_000_000, -70_000_000_000, 1_000_000_000_000, 999_999_000_000, -1_000_000_000_000];
    for dimensions in 1..=3 {
        for (what, hill) in [
            ("as it comes", Hill::default()),
            ("rough", Hill { smoothness: 0.2, ..Default::default() }),
            ("ten sines", Hill { sines: 10, ..Default::default() }),
        ] {
            let least = nearest_repetition(&Noise::hill(Hill { dimensions, unit: 3.0, ..hill }), &lines);
            println!("{dimensions}D, {what}: the most similar stretch differs by {least:.2} of what chance would have");
            assert!(least > 0.3, "{dimensions}D, {what}: a stretch comes back, but for {least}");
        }
    }
    let table = Value { dimensions: 1, interpolation: Interpolation::Cosine, wavelength: 10.0, ..Default::default() };
    for (what, noise) in [
        ("256 values", Noise::value(table).periodic([2560.0, 0.0, 0.0])),
        ("two sines", Noise::hill(Hill { dimensions: 1, sizes: Some(vec![2.0, 3.0]), unit: 3.0, ..Default::default() })),
        ("hills with a period", Noise::hill(Hill { unit: 3.0, ..Default::default() }).periodic([4000.0, 0.0, 0.0])),
    ] {
        let least = nearest_repetition(&noise, &[0]);
        println!("{what}: {least:.4}");
        assert!(least < 0.02, "{what} repeat, and are not found: {least}");
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
