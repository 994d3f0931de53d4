//! Smooth cells against their formula, written once more in f64 over a neighbourhood wider than any reach.

use crate::support::{Random, bits, cpu, hash, lattice_seed, mixed, oracle, signed};
use orogen::node::{Fractal, Metric, SmoothCells, SmoothOutput, Transform, Worley, WorleyOutput};
use orogen::{Gradient, Noise, Region, testing};

/// A noise whose lattice is the world's: cells of one unit, corners at integers.
fn unit(dimensions: u32, metric: Metric, output: SmoothOutput) -> SmoothCells {
    SmoothCells { dimensions, metric, output, wavelength: 1.0, seed: 11, offset: Some([0.0; 3]), ..Default::default() }
}

/// The key and the value of every point up to `rings` cells away.
fn points(at: [f64; 3], of: &SmoothCells, rings: i32) -> Vec<(f64, f64)> {
    let n = of.dimensions as usize;
    let (bits, scale) = if n < 3 { (16, 65536.0) } else { (10, 1024.0) };
    let along = |used: bool| if used { -rings..=rings } else { 0..=0 };
    let mut all = Vec::new();
    for z in along(n > 2) {
        for y in along(n > 1) {
            for x in along(true) {
                let cell: [i32; 3] = std::array::from_fn(|i| at[i].floor() as i32 + [x, y, z][i]);
                let h = hash(cell, of.dimensions, lattice_seed(&[11]));
                let d: [f64; 3] = std::array::from_fn(|i| {
                    if i >= n {
                        return 0.0;
                    }
                    let random = f64::from((h << (bits * i as u32)) as i32 >> (32 - bits));
                    (f64::from(cell[i]) + 0.5 + of.jitter * (random + 0.5) / scale - at[i]).abs()
                });
                let length = match of.metric {
                    Metric::Euclidean | Metric::Squared => d[0] * d[0] + d[1] * d[1] + d[2] * d[2],
                    Metric::Manhattan => d[0] + d[1] + d[2],
                    Metric::Chebyshev => d[0].max(d[1]).max(d[2]),
                    _ => panic!("no formula for {}", of.metric),
                };
                // In 1D, all metrics that are not squared are the same; the Euclidean one weighs by squares.
                let length = if n == 1 && matches!(of.metric, Metric::Manhattan | Metric::Chebyshev) { length * length } else { length };
                all.push((length * (1.0 + of.variation * (0.5 + 0.5 * signed(mixed(mixed(h))))), signed(mixed(h))));
            }
        }
    }
    all
}

/// The mean by its definition.
fn brute(at: [f64; 3], of: &SmoothCells) -> f64 {
    let n = f64::from(of.dimensions);
    let half = (1.0 + of.jitter) / 2.0;
    let distances = of.dimensions > 1 && matches!(of.metric, Metric::Manhattan | Metric::Chebyshev);
    let furthest = match of.metric {
        Metric::Manhattan if distances => n * half,
        Metric::Chebyshev if distances => half,
        _ => n * half * half,
    };
    let reach = furthest * (1.0 + of.variation) + 1.0;
    // Points further than the reach lie in farther cells.
    let rings = (if distances { reach } else { reach.sqrt() }).ceil() as i32 + 2;
    let all = points(at, of, rings);
    let nearest = all.iter().map(|(key, _)| *key).fold(f64::INFINITY, f64::min);
    let exponent = 2.0 + 62.0 * libm::pow(1.0 - of.softness, 4.0);
    let (mut sum, mut weights) = (0.0, 0.0);
    for (key, value) in all {
        let weight = libm::pow(((reach - key) / (reach - nearest)).max(0.0), exponent);
        let distance = if of.metric == Metric::Squared || distances { key } else { key.sqrt() };
        sum += weight * if of.output == SmoothOutput::Cell { value } else { distance };
        weights += weight;
    }
    sum / weights
}

/// Positions whose fractions f32 holds.
fn positions(count: usize) -> Vec<[f64; 3]> {
    let mut random = Random(3);
    (0..count).map(|_| [0; 3].map(|_| (random.between(-3000.0, 3000.0) * 1_048_576.0).floor() / 1_048_576.0)).collect()
}

/// Shapes and numbers of all kinds.
fn all() -> Vec<SmoothCells> {
    let mut all = Vec::new();
    for dimensions in [1, 2, 3] {
        for metric in Metric::ALL {
            for output in SmoothOutput::ALL {
                for (softness, jitter, variation) in [(0.5, 1.0, 0.0), (0.0, 0.75, 0.5), (1.0, 0.0, 0.0), (0.8, 1.0, 1.0)] {
                    all.push(SmoothCells { softness, jitter, variation, ..unit(dimensions, *metric, *output) });
                }
            }
        }
    }
    all
}

#[test]
fn means_are_those_of_the_formula() {
    let (mut worst, mut exact) = (0.0f64, 0.0f64);
    for of in all() {
        let at = positions(if of.dimensions == 3 { 60 } else { 300 });
        let noise = Noise::smooth_cells(of.clone());
        let range = noise.range().expect("a range");
        let single = cpu().sample(&noise, &at, Gradient::Without).expect("samples");
        let double = oracle().sample(&noise, &at, Gradient::Without).expect("samples");
        for (i, at) in at.iter().enumerate() {
            let expected = brute(*at, &of);
            assert!(range.lo <= single[i].value && single[i].value <= range.hi, "{of:?} at {at:?}: {} leaves {range:?}", single[i].value);
            worst = worst.max((single[i].value - expected).abs());
            exact = exact.max((double[i].value - expected).abs());
            assert!((double[i].value - expected).abs() < 1e-6, "{of:?} at {at:?}: {} is not {expected}", double[i].value);
            assert!((single[i].value - expected).abs() < 1e-4, "{of:?} at {at:?}: {} is not {expected}", single[i].value);
        }
    }
    println!("off by at most {worst:e} in f32 and {exact:e} in f64");
}

/// Across the borders of lattice cells, where other cells are searched, neither values nor gradients jump.
#[test]
fn nothing_jumps_between_cells() {
    for of in all().into_iter().filter(|of| matches!(of.metric, Metric::Euclidean | Metric::Squared)) {
        let noise = Noise::smooth_cells(of.clone());
        let mut random = Random(8);
        for _ in 0..40 {
            let y = random.between(-40.0, 40.0);
            let x = random.between(-40.0, 40.0).floor();
            let step = 1.0 / 1_048_576.0;
            let at = [-1.5, -0.5, 0.5, 1.5].map(|k| [x + k * step, y, 0.3]);
            let samples = oracle().sample(&noise, &at, Gradient::With).expect("samples");
            let gradients: Vec<_> = samples.iter().map(|sample| sample.gradient.expect("asked for")).collect();
            // The step across the border is as long as those on both sides.
            let steps: Vec<f64> = samples.windows(2).map(|pair| pair[1].value - pair[0].value).collect();
            let beside = (steps[0].abs() + steps[2].abs()).max(1e-9);
            assert!((steps[1] - 0.5 * (steps[0] + steps[2])).abs() < 1e-3 * beside + 1e-9, "{of:?} at {:?}: {steps:?}", at[1]);
            for axis in 0..3 {
                let jump = (gradients[2][axis] - gradients[1][axis]).abs();
                assert!(jump < 0.02, "{of:?} at {:?}: {gradients:?}", at[1]);
            }
        }
    }
}

#[test]
fn gradients_are_those_of_differences() {
    for of in all().into_iter().filter(|of| matches!(of.metric, Metric::Euclidean | Metric::Squared)) {
        let noise = Noise::smooth_cells(of.clone());
        let step = 1.0 / 65_536.0;
        for at in positions(40) {
            let given = oracle().sample(&noise, &[at], Gradient::With).expect("a sample")[0].gradient.expect("asked for");
            for axis in 0..of.dimensions as usize {
                let moved = |by: f64| {
                    let mut moved = at;
                    moved[axis] += by;
                    brute(moved, &of)
                };
                let expected = (moved(step) - moved(-step)) / (2.0 * step);
                assert!((given[axis] - expected).abs() < 2e-3 * (1.0 + expected.abs()), "{of:?} at {at:?}: {given:?}, not {expected}");
            }
        }
    }
}

/// The bits of a region's values and gradients on every instruction set, which must be the same.
fn same_bits(noise: &Noise, region: &Region) {
    let sets = testing::on_every_instruction_set(noise, region).expect("values");
    let all: Vec<_> = sets
        .iter()
        .map(|[alone, both]| {
            let gradients = both.gradients.as_ref().expect("gradients").as_flattened();
            [bits(&alone.values), bits(&both.values), bits(gradients)]
        })
        .collect();
    assert!(all.len() >= 2 && all.iter().all(|set| *set == all[0] && set[0] == set[1]), "{noise:?} in {region:?}");
}

/// Samples of a cell share the points around it, however many cells a vector of them has. One number at a time shares nothing.
#[test]
fn cells_that_share_points_have_the_bits_of_those_that_do_not() {
    let turned = Transform { rotation: 30.0, scale: [-1.0, 1.0, 1.0], ..Default::default() };
    for (number, of) in all().into_iter().enumerate() {
        // From cells finer than samples to cells wider than a vector, in turn.
        let wavelengths = [0.3, 1.7, 5.0, 9.0, 50.0, 700.0];
        for wavelength in [0, 3].map(|k| wavelengths[(number + k) % wavelengths.len()]) {
            let plain = Noise::smooth_cells(SmoothCells { wavelength, seed: number as u64, offset: None, ..of.clone() });
            let octaves = plain.clone().fractal(Fractal { octaves: 2, lacunarity: 7.3, ..Default::default() });
            for noise in [plain.clone(), plain.transform(turned.clone()), octaves] {
                for origin in [[-40, -3, -1], [1_000_000_000_007, -3_000_000_011, 77_000_000_001]] {
                    // Several rows in a block, and the end of a row in a vector of its own.
                    same_bits(&noise, &Region { origin, size: [41, 3, 1], ..Region::plane(1, 1) });
                }
            }
        }
    }
    // More cells than are kept.
    for dimensions in [1, 2, 3] {
        let of = SmoothCells { wavelength: 7.0, ..unit(dimensions, Metric::Euclidean, SmoothOutput::Distance) };
        let noise = Noise::smooth_cells(of);
        for noise in [noise.clone(), noise.transform(turned.clone())] {
            same_bits(&noise, &Region { size: [1600, 3, 1], ..Region::plane(1, 1) });
            same_bits(&noise, &Region { size: [17, 1600, 1], ..Region::plane(1, 1) });
        }
    }
}

/// The sharpest cells differ from those of `worley` near borders only; softer ones differ more.
#[test]
fn sharp_cells_are_nearly_those_of_worley() {
    let region = Region { spacing: 0.07, ..Region::plane(200, 200) };
    for (output, plain) in [(SmoothOutput::Distance, WorleyOutput::Distance), (SmoothOutput::Cell, WorleyOutput::Cell)] {
        let plain = Worley { output: plain, wavelength: 1.0, seed: 11, offset: Some([0.0; 3]), ..Default::default() };
        let plain = cpu().field(&Noise::worley(plain), &region).expect("a field").values;
        let differences = [0.0, 0.5, 1.0].map(|softness| {
            let smooth = SmoothCells { softness, ..unit(2, Metric::Euclidean, output) };
            let smooth = cpu().field(&Noise::smooth_cells(smooth), &region).expect("a field").values;
            smooth.iter().zip(&plain).map(|(a, b)| f64::from((a - b).abs())).sum::<f64>() / plain.len() as f64
        });
        println!("{output}: {differences:?}");
        assert!(differences[0] < 0.08 && differences[0] < differences[1] && differences[1] < differences[2], "{differences:?}");
    }
}
