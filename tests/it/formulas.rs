//! Noises and curves against their published formulas, written once more in f64.

use crate::support::{Random, cpu, hash, ks, lattice_seed, oracle};
use orogen::node::{Accumulate, Coordinate, Fractal, Hash, Hill, Interpolation, Perlin, Simplex, Turbulence, Value};
use orogen::{Gradient, Noise};

fn all(engine: &orogen::Engine, noise: &Noise, positions: &[[f64; 3]]) -> Vec<f64> {
    engine.sample(noise, positions, Gradient::Without).expect("samples").iter().map(|sample| sample.value).collect()
}

fn anywhere(count: usize, reach: f64, seed: u64) -> Vec<[f64; 3]> {
    let mut random = Random(seed);
    (0..count).map(|_| [0; 3].map(|_| random.between(-reach, reach))).collect()
}

/// The direction of a lattice point, from its hash. 1D: any slope from −1 to 1, less 2⁻²⁰. 2D: one of 16, evenly spaced from
/// 11.25 degrees on. 3D: one of 48, the permutations of (±1, ±(1 + √2), ±(1 + 2√2)).
fn direction(h: u32, dimensions: u32) -> [f64; 3] {
    let bit = |i: u32| h >> i & 1 == 1;
    match dimensions {
        1 => [(f64::from(h >> 8) / f64::from(1 << 23) - 1.0) * (1.0 - 1.0 / f64::from(1 << 20)), 0.0, 0.0],
        2 => {
            let angle = (if bit(30) { 33.75f64 } else { 11.25 }).to_radians();
            let [x, y] = if bit(29) { [angle.sin(), angle.cos()] } else { [angle.cos(), angle.sin()] };
            let y = if bit(28) { -y } else { y };
            if bit(31) { [-x, -y, 0.0] } else { [x, y, 0.0] }
        }
        _ => {
            let root = 2f64.sqrt();
            let [short, middle, long] =
                [1.0, 1.0 + root, 1.0 + 2.0 * root].map(|part| part / (1.0 + (1.0 + root).powi(2) + (1.0 + 2.0 * root).powi(2)).sqrt());
            let order = ((h >> 16 & 0x1fff) * 6) >> 13;
            let (first, second) = if order % 2 == 1 { (short, middle) } else { (middle, short) };
            let parts = [[long, first, second], [first, long, second], [first, second, long]][order as usize / 2];
            [0, 1, 2].map(|axis| if bit(31 - axis as u32) { -parts[axis] } else { parts[axis] })
        }
    }
}

/// Perlin noise at a position in cells (Perlin 1985, 2002). For every corner of the cell it is the product of its direction and
/// the offset from it, weighted by the fade along every axis. The sum is multiplied by 2/√dimensions, less an allowance for
/// rounding.
fn perlin(at: [f64; 3], dimensions: u32, seed: u32, fade: fn(f64) -> f64) -> f64 {
    let scale = [1.999_98, 1.4141, 1.154_69][dimensions as usize - 1];
    assert!((2.0 / f64::from(dimensions).sqrt() - scale) / scale < 1e-4);
    let (cell, t) = (at.map(f64::floor), at.map(|x| x - x.floor()));
    let corner = |index: usize| {
        let step = [0, 1, 2].map(|axis| f64::from((index >> axis & 1) as u32));
        let g = direction(hash([0, 1, 2].map(|a| (cell[a] + step[a]) as i32), dimensions, seed), dimensions);
        let axes = 0..dimensions as usize;
        let weight: f64 = axes.clone().map(|a| if step[a] == 1.0 { fade(t[a]) } else { 1.0 - fade(t[a]) }).product();
        weight * axes.map(|a| g[a] * (t[a] - step[a])).sum::<f64>()
    };
    scale * (0..1 << dimensions).map(corner).sum::<f64>()
}

fn quintic(t: f64) -> f64 {
    t * t * t * (t * (t * 6.0 - 15.0) + 10.0)
}

/// "Coherent noise", Perlin noise, and "Noise Generation", with the fades of both.
#[test]
fn perlin_noise_is_its_formula() {
    type Fade = (Interpolation, fn(f64) -> f64);
    let fades: [Fade; 5] = [
        (Interpolation::Truncated, |_| 0.0),
        (Interpolation::Linear, |t| t),
        (Interpolation::Cubic, |t| t * t * (3.0 - 2.0 * t)),
        (Interpolation::Quintic, quintic),
        (Interpolation::Cosine, |t| 0.5 - 0.5 * (t * std::f64::consts::PI).cos()),
    ];
    for dimensions in 1..=3 {
        for (interpolation, fade) in fades {
            let seed = 70 + u64::from(dimensions);
            let noise =
                Noise::perlin(Perlin { dimensions, interpolation, wavelength: 8.0, seed, offset: Some([0.0; 3]), ..Default::default() });
            let positions = anywhere(3000, 1e5, 31);
            let expected: Vec<f64> =
                positions.iter().map(|p| perlin(p.map(|x| x / 8.0), dimensions, lattice_seed(&[seed]), fade)).collect();
            // Slopes in 1D are hashes times a number of f32.
            for (engine, bound) in [(oracle(), 1e-8), (cpu(), 4e-6)] {
                for ((got, expected), at) in all(&engine, &noise, &positions).iter().zip(&expected).zip(&positions) {
                    assert!((got - expected).abs() < bound, "{dimensions}D {interpolation:?} at {at:?}: {got} instead of {expected}");
                }
            }
        }
        // The property of gradient noise: 0 at every point of the lattice, for any gradient.
        let noise = Noise::perlin(Perlin { dimensions, wavelength: 8.0, offset: Some([0.0; 3]), ..Default::default() });
        let points: Vec<[f64; 3]> = anywhere(500, 1e4, 5).iter().map(|p| p.map(|x| x.floor() * 8.0)).collect();
        assert!(all(&cpu(), &noise, &points).iter().all(|value| *value == 0.0));
    }
}

/// The numbers of a fractal, as the models below call them.
struct Model {
    /// Σ of these is what a sum is divided by.
    amplitudes: Vec<f64>,
    /// Musgrave's `offset`, and his `gain` of the ridged one.
    offset: f64,
    gain: f64,
    /// The strength of the suppression of an octave, and the stretching before folding.
    weight: f64,
    folds: f64,
}

impl Model {
    /// `Hetero_Terrain`, `HybridMultifractal` and `RidgedMultifractal` by Musgrave's listings ("Texturing and Modeling", chapter
    /// 16), from the values of octaves. His product of octaves has the form that does not vanish with the first of them. Billow,
    /// ping-pong and the weighted sum follow FastNoise.
    fn value(&self, kind: Accumulate, octaves: &[f64]) -> f64 {
        let pairs = || octaves.iter().copied().zip(self.amplitudes.iter().copied());
        match kind {
            Accumulate::Sum => pairs().map(|(noise, amplitude)| noise * amplitude).sum(),
            Accumulate::Lerp => {
                pairs().fold(0.0, |height, (noise, amplitude)| height * (1.0 - amplitude) + (noise + 1.0) / 2.0 * amplitude)
            }
            Accumulate::Heterogeneous => {
                let mut value = self.offset + octaves[0];
                for (noise, amplitude) in pairs().skip(1) {
                    let increment = (noise + self.offset) * amplitude * value;
                    value += increment;
                }
                value
            }
            Accumulate::Hybrid => {
                let mut result = (octaves[0] + self.offset) * self.amplitudes[0];
                let mut weight = result;
                for (noise, amplitude) in pairs().skip(1) {
                    if weight > 1.0 {
                        weight = 1.0;
                    }
                    let signal = (noise + self.offset) * amplitude;
                    result += weight * signal;
                    weight *= signal;
                }
                result
            }
            Accumulate::Ridged => {
                let ridge = |noise: f64| (self.offset - noise.abs()).powi(2);
                let mut signal = ridge(octaves[0]);
                let mut result = signal * self.amplitudes[0];
                for (noise, amplitude) in pairs().skip(1) {
                    let weight = (signal * self.gain).clamp(0.0, 1.0);
                    signal = ridge(noise) * weight;
                    result += signal * amplitude;
                }
                result
            }
            Accumulate::Multifractal => pairs().map(|(noise, amplitude)| noise * amplitude + self.offset).product(),
            Accumulate::Weighted | Accumulate::Billow | Accumulate::Pingpong => {
                // A value from −1 to 1, and how far the next octave is let through, from 0 to 1.
                let shaped = |noise: f64| match kind {
                    Accumulate::Weighted => (noise, ((noise + 1.0) / 2.0).clamp(0.0, 1.0)),
                    Accumulate::Billow => (2.0 * noise.abs() - 1.0, noise.abs().min(1.0)),
                    _ => {
                        let t = ((noise + 1.0) * self.folds).rem_euclid(2.0);
                        let fold = if t < 1.0 { t } else { 2.0 - t };
                        (2.0 * fold - 1.0, fold)
                    }
                };
                let (mut total, mut through) = (0.0, 1.0);
                for (noise, amplitude) in pairs() {
                    let (value, share) = shaped(noise);
                    total += value * amplitude * through;
                    through *= (1.0 - self.weight) + self.weight * share;
                }
                total
            }
            _ => panic!("no formula for {kind}"),
        }
    }
}

/// "Coherent noise", Musgrave's models, and the other kinds. The octaves' values are those of one basis without a seed.
#[test]
fn every_kind_of_fractal_is_its_formula() {
    let basis = Noise::simplex(Simplex { dimensions: 3, hash: Hash::Permutation289, wavelength: 40.0, ..Default::default() });
    let positions = anywhere(400, 500.0, 41);
    for &accumulate in Accumulate::ALL {
        for (octaves, lacunarity, gain) in [(1, 2.0, 0.5), (2, 2.0, 0.5), (6, 2.17, 0.7), (4, 1.9, -0.6)] {
            for (level, sharpness, weight, folds) in [(1.0, 2.0, 0.5, 2.0), (0.7, 3.5, 1.0, 3.3), (0.3, 0.6, 0.0, 0.8)] {
                for normalise in [true, false] {
                    let noise = basis.clone().fractal(Fractal {
                        octaves,
                        lacunarity,
                        gain,
                        accumulate,
                        normalise,
                        level,
                        sharpness,
                        weight,
                        folds,
                        offsets: Some(vec![[0.0; 3]; 6]),
                        ..Default::default()
                    });
                    let plain: Vec<f64> = (0..octaves as i32).map(|k| f64::powi(gain, k)).collect();
                    use Accumulate::{Billow, Pingpong, Ridged, Sum, Weighted};
                    let divides = normalise && [Sum, Weighted, Billow, Ridged, Pingpong].contains(&accumulate);
                    let total = if divides { plain.iter().map(|a| a.abs()).sum() } else { 1.0 };
                    let model =
                        Model { amplitudes: plain.iter().map(|a| a / total).collect(), offset: level, gain: sharpness, weight, folds };
                    let octave = |k: u32| {
                        let scale = f64::powi(lacunarity, k as i32);
                        all(&oracle(), &basis, &positions.iter().map(|p| p.map(|x| x * scale)).collect::<Vec<_>>())
                    };
                    let values: Vec<Vec<f64>> = (0..octaves).map(octave).collect();
                    for (i, got) in all(&oracle(), &noise, &positions).into_iter().enumerate() {
                        let expected = model.value(accumulate, &values.iter().map(|octave| octave[i]).collect::<Vec<_>>());
                        let what = format!("{accumulate}, {octaves} octaves, gain {gain}, level {level}, normalise {normalise}");
                        assert!((got - expected).abs() < 1e-8 * (1.0 + expected.abs()), "{what}: {got} instead of {expected}");
                    }
                }
            }
        }
    }
}

/// Octave by octave: `p ← p + strength · gainᵏ · (x(p · lacunarityᵏ), y(…), z(…))`, with another Perlin noise for every axis and octave.
#[test]
fn turbulence_displaces_octave_by_octave() {
    let unit = |seed| Perlin { dimensions: 3, wavelength: 16.0, seed, offset: Some([0.0; 3]), ..Default::default() };
    let at = |p: [f64; 3], seeds: &[u64]| perlin(p.map(|x| x / 16.0), 3, lattice_seed(seeds), quintic);
    let positions = anywhere(500, 1e4, 51);
    for (octaves, lacunarity, gain, strength) in [(1, 2.0, 0.5, 16.0), (2, 2.0, 0.5, 8.0), (5, 1.7, 0.6, 5.0), (3, 3.0, -0.4, 256.0)] {
        let turbulence = Turbulence { strength, octaves, lacunarity, gain, seed: 9, ..Default::default() };
        let noise = Noise::perlin(unit(1)).turbulence(Noise::perlin(unit(2)), turbulence);
        for (mut p, got) in positions.iter().copied().zip(all(&oracle(), &noise, &positions)) {
            let (mut frequency, mut reach) = (1.0, strength);
            for k in 0..u64::from(octaves) {
                let there = p.map(|x| x * frequency);
                let by = [0, 1, 2].map(|axis| at(there, &[9, k, axis, 2]));
                p = [0, 1, 2].map(|axis| p[axis] + reach * by[axis]);
                (frequency, reach) = (frequency * lacunarity, reach * gain);
            }
            let expected = at(p, &[1]);
            assert!((got - expected).abs() < 1e-7, "{octaves} octaves of {strength}: {got} instead of {expected}");
        }
    }
}

/// Powers that keep the sign; Perlin's bias and gain ("Hypertexture", 1989): `t^(ln b / ln ½)`, and of that two halves.
/// As deep as is allowed, on a thread with as much room as threads have.
#[test]
fn turbulences_within_each_other_leave_the_stack_alone() {
    let by = Noise::value(Value { wavelength: 30.0, ..Default::default() });
    let mut noise = Noise::simplex(Simplex::default());
    for _ in 0..60 {
        noise = noise.turbulence(by.clone(), Turbulence { octaves: 1, strength: 0.5, ..Default::default() });
    }
    for engine in [cpu(), oracle()] {
        let field = engine.field_with_gradient(&noise, &orogen::Region::plane(64, 8)).expect("a field");
        assert!(field.values.iter().all(|value| value.is_finite()));
    }
}

#[test]
fn powers_bias_and_gain_are_their_formulas() {
    let x = Noise::coordinate(Coordinate::default()).clamp(-1.25, 1.25);
    fn bias(b: f64, t: f64) -> f64 {
        t.clamp(0.0, 1.0).powf(b.ln() / 0.5f64.ln())
    }
    fn gain(g: f64, t: f64) -> f64 {
        if t < 0.5 { bias(1.0 - g, 2.0 * t) / 2.0 } else { 1.0 - bias(1.0 - g, 2.0 - 2.0 * t) / 2.0 }
    }
    type Case = (&'static str, f64, Noise, fn(f64, f64) -> f64);
    let mut cases: Vec<Case> = Vec::new();
    for exponent in [0.0625, 0.5, 1.0, 2.0, 3.3, 32.0] {
        cases.push(("power", exponent, x.clone().power(exponent), |exponent, t| t.abs().powf(exponent).copysign(t)));
    }
    for b in [0.001, 0.2, 0.5, 0.8, 0.9375] {
        cases.push(("bias", b, x.clone().bias(b), bias));
    }
    for g in [0.0625, 0.3, 0.5, 0.75, 0.999] {
        cases.push(("gain", g, x.clone().gain(g), gain));
    }
    let steps: Vec<[f64; 3]> = (-2500..=2500).map(|i| [f64::from(i) / 2000.0, 0.0, 0.0]).collect();
    for (what, number, noise, formula) in cases {
        // The error in f32 is the one in docs/measured/accuracy.md for powers.
        for (engine, bound) in [(oracle(), 1e-9), (cpu(), 2e-5)] {
            for (&[t, ..], got) in steps.iter().zip(all(&engine, &noise, &steps)) {
                let expected = formula(number, t);
                assert!((got - expected).abs() <= bound * (1.0 + expected.abs()), "{what} {number} of {t}: {got} instead of {expected}");
            }
        }
    }
}

/// "Noise and map generation": `sqr(random)`, and `random(0, random(0, N))`, a random number below a random limit, which is the
/// product of two. Their distributions for uniform numbers have formulas: `v^(1/exponent)` for a power, `v · (1 − ln v)` for a
/// product.
#[test]
fn squares_roots_and_random_limits_have_their_distributions() {
    // Of other sizes, not of other seeds: those are not independent.
    let uniform = |smoothness| Noise::hill(Hill { unit: 3.0, smoothness, ..Default::default() }).scale_offset(0.5, 0.5);
    type Case = (&'static str, Noise, fn(f64) -> f64);
    let cases: [Case; 4] = [
        ("uniform", uniform(0.5), |v| v),
        ("squared", uniform(0.5).power(2.0), f64::sqrt),
        ("root", uniform(0.5).power(0.5), |v| v * v),
        ("below a random limit", uniform(0.5).multiply(uniform(0.37)), |v| if v > 0.0 { v * (1.0 - v.ln()) } else { 0.0 }),
    ];
    let positions = anywhere(200_000, 1e9, 61);
    for (what, noise, cumulative) in cases {
        let probabilities: Vec<f64> =
            all(&cpu(), &noise, &positions).into_iter().map(|v| 2.0 * cumulative(v.clamp(0.0, 1.0)) - 1.0).collect();
        let off = ks(probabilities);
        println!("{what}: KS {off:.4}");
        assert!(off <= 0.005, "{what}: {off}");
    }
}
