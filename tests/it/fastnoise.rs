//! `fastnoise_lite` against the crate `fastnoise-lite`, and against values recorded from the C, C++ and C# sources.

use crate::support::{Random, assert_parity, cpu, gpu, jets, oracle};
use fastnoise_lite as crate_;
use orogen::node::{
    FastnoiseDistance, FastnoiseFractal, FastnoiseLite, FastnoiseReturn, FastnoiseRotation, FastnoiseType, FastnoiseVersion, FastnoiseWarp,
    FastnoiseWarpFractal,
};
use orogen::testing::gradient_bound;
use orogen::{Gradient, Noise, Recipe, Region, Sample};
use std::str::FromStr;

/// The crate's noise, and that of its warp.
fn original(of: &FastnoiseLite) -> [crate_::FastNoiseLite; 2] {
    use crate_::{
        CellularDistanceFunction as Distance, CellularReturnType as Return, DomainWarpType as Warp, FractalType as Fractal,
        NoiseType as Type, RotationType3D as Rotation,
    };
    let position = |word: &str, words: &[&str]| words.iter().position(|other| *other == word).expect("a word");
    let rotation = [Rotation::None, Rotation::ImproveXYPlanes, Rotation::ImproveXZPlanes];
    let rotation = rotation[position(of.rotation.name(), FastnoiseRotation::WORDS)];
    let types = [Type::OpenSimplex2, Type::OpenSimplex2S, Type::Cellular, Type::Perlin, Type::ValueCubic, Type::Value];
    let fractals = [Fractal::None, Fractal::FBm, Fractal::Ridged, Fractal::PingPong];
    let distances = [Distance::Euclidean, Distance::EuclideanSq, Distance::Manhattan, Distance::Hybrid];
    let returns = [
        Return::CellValue,
        Return::Distance,
        Return::Distance2,
        Return::Distance2Add,
        Return::Distance2Sub,
        Return::Distance2Mul,
        Return::Distance2Div,
    ];
    let mut noise = crate_::FastNoiseLite::with_seed(of.seed as u32 as i32);
    noise.set_frequency(Some(of.frequency as f32));
    noise.set_noise_type(Some(types[position(of.noise.name(), FastnoiseType::WORDS)]));
    noise.set_rotation_type_3d(Some(rotation));
    noise.set_fractal_type(Some(fractals[position(of.fractal.name(), FastnoiseFractal::WORDS)]));
    noise.set_fractal_octaves(Some(of.octaves as i32));
    noise.set_fractal_lacunarity(Some(of.lacunarity as f32));
    noise.set_fractal_gain(Some(of.gain as f32));
    noise.set_fractal_weighted_strength(Some(of.weighted_strength as f32));
    noise.set_fractal_ping_pong_strength(Some(of.ping_pong_strength as f32));
    noise.set_cellular_distance_function(Some(distances[position(of.distance.name(), FastnoiseDistance::WORDS)]));
    noise.set_cellular_return_type(Some(returns[position(of.cellular_return.name(), FastnoiseReturn::WORDS)]));
    noise.set_cellular_jitter(Some(of.jitter as f32));
    let mut warp = crate_::FastNoiseLite::with_seed(of.warp_seed as i32);
    warp.set_frequency(Some(of.warp_frequency as f32));
    warp.set_rotation_type_3d(Some(rotation));
    warp.set_domain_warp_amp(Some(of.warp_amplitude as f32));
    warp.set_fractal_octaves(Some(of.warp_octaves as i32));
    warp.set_fractal_lacunarity(Some(of.warp_lacunarity as f32));
    warp.set_fractal_gain(Some(of.warp_gain as f32));
    let fractals = [Fractal::None, Fractal::DomainWarpProgressive, Fractal::DomainWarpIndependent];
    warp.set_fractal_type(Some(fractals[position(of.warp_fractal.name(), FastnoiseWarpFractal::WORDS)]));
    let warps = [Warp::OpenSimplex2, Warp::OpenSimplex2, Warp::OpenSimplex2Reduced, Warp::BasicGrid];
    warp.set_domain_warp_type(Some(warps[position(of.warp.name(), FastnoiseWarp::WORDS)]));
    [noise, warp]
}

/// The crate's value.
fn expected(of: &FastnoiseLite, [noise, warp]: &[crate_::FastNoiseLite; 2], at: [f32; 3]) -> f32 {
    let [mut x, mut y, mut z] = at;
    if of.dimensions == 2 {
        if of.warp != FastnoiseWarp::None {
            (x, y) = warp.domain_warp_2d(x, y);
        }
        return noise.get_noise_2d(x, y);
    }
    if of.warp != FastnoiseWarp::None {
        (x, y, z) = warp.domain_warp_3d(x, y, z);
    }
    noise.get_noise_3d(x, y, z)
}

/// Positions near and far, whole and in between, that f32 and a frame hold exactly.
fn positions(count: usize) -> Vec<[f64; 3]> {
    let mut random = Random(3);
    let reaches = [4.0, 100.0, 3000.0, 1e6];
    (0..count)
        .map(|i| {
            std::array::from_fn(|_| {
                let x = random.between(-reaches[i % 4], reaches[i % 4]) as f32;
                let x = if i % 7 == 0 { x.round() } else { x };
                (f64::from(x) * 1_073_741_824.0).trunc() / 1_073_741_824.0
            })
        })
        .collect()
}

/// Types with fractals and rotations, distances with returns, warps with their sums.
fn all() -> Vec<FastnoiseLite> {
    let base = FastnoiseLite { version: FastnoiseVersion::Rust, frequency: 0.05, ..Default::default() };
    let mut all = Vec::new();
    for dimensions in [2, 3] {
        let base = FastnoiseLite { dimensions, ..base.clone() };
        let rotations = if dimensions == 2 { &FastnoiseRotation::ALL[..1] } else { FastnoiseRotation::ALL };
        for &noise in FastnoiseType::ALL {
            for &fractal in FastnoiseFractal::ALL {
                for &rotation in rotations {
                    let of = FastnoiseLite { noise, fractal, rotation, ..base.clone() };
                    let other = FastnoiseLite {
                        seed: 4_294_867_195,
                        octaves: 5,
                        lacunarity: 1.9,
                        gain: 0.6,
                        weighted_strength: 0.7,
                        ping_pong_strength: 3.3,
                        jitter: 0.6,
                        ..of.clone()
                    };
                    all.extend([of, other]);
                }
            }
        }
        for &distance in FastnoiseDistance::ALL {
            for &cellular_return in FastnoiseReturn::ALL {
                all.push(FastnoiseLite { noise: FastnoiseType::Cellular, distance, cellular_return, ..base.clone() });
            }
        }
        for &warp in &FastnoiseWarp::ALL[1..] {
            for &warp_fractal in FastnoiseWarpFractal::ALL {
                for &rotation in rotations {
                    let noise =
                        if warp_fractal == FastnoiseWarpFractal::None { FastnoiseType::OpenSimplex2s } else { FastnoiseType::Perlin };
                    let numbers = FastnoiseLite { warp_amplitude: 20.0, warp_frequency: 0.03, warp_seed: 4_294_967_289, ..base.clone() };
                    all.push(FastnoiseLite { noise, warp, warp_fractal, rotation, warp_gain: 0.45, warp_lacunarity: 2.1, ..numbers });
                }
            }
        }
    }
    all
}

#[test]
fn values_are_those_of_the_crate_bit_for_bit() {
    let at = positions(2000);
    let mut compared = 0;
    for of in all() {
        let noise = Noise::fastnoise_lite(of.clone());
        let range = noise.range().expect("a range");
        let samples = cpu().sample(&noise, &at, Gradient::Without).expect("samples");
        let original = original(&of);
        for (at, Sample { value, .. }) in at.iter().zip(samples) {
            let expected = expected(&of, &original, at.map(|x| x as f32));
            // The two zeros are one number.
            assert_eq!(value as f32, expected, "{of:?} at {at:?}");
            assert!(range.lo <= value && value <= range.hi, "{of:?} at {at:?}: {value} leaves {range:?}");
            compared += 1;
        }
    }
    println!("{compared} values are the same");
}

/// A word of a type.
fn word<T: FromStr>(word: &str) -> T
where
    T::Err: std::fmt::Debug,
{
    word.parse().expect("a word of the type")
}

/// The other sources, where they differ from the crate and where they do not.
#[test]
fn values_are_those_of_the_c_cpp_and_csharp_sources() {
    let at = [[12.5, -7.25, 3.0], [-1234.5625, 987.125, -55.5], [0.34375, 100.0, -2.015625], [40017.0, -3.5, 812.75]];
    let mut rows = 0;
    for line in include_str!("fastnoise_sources.txt").lines().filter(|line| !line.starts_with('#')) {
        let words: Vec<&str> = line.split(' ').collect();
        let of = FastnoiseLite {
            version: word(words[0]),
            dimensions: word(words[1]),
            noise: word(words[2]),
            fractal: word(words[3]),
            rotation: word(words[4]),
            distance: word(words[5]),
            cellular_return: word(words[6]),
            warp: word(words[7]),
            warp_fractal: word(words[8]),
            seed: u64::from(-77i32 as u32),
            frequency: 0.05,
            octaves: 4,
            lacunarity: 1.9,
            gain: 0.6,
            weighted_strength: 0.3,
            ping_pong_strength: 2.5,
            jitter: 0.9,
            warp_seed: 5,
            warp_frequency: 0.03,
            warp_amplitude: 20.0,
            warp_octaves: 3,
            warp_lacunarity: 2.1,
            warp_gain: 0.45,
            ..Default::default()
        };
        let samples = cpu().sample(&Noise::fastnoise_lite(of), &at, Gradient::Without).expect("samples");
        for (sample, bits) in samples.iter().zip(&words[9..]) {
            let expected = f32::from_bits(u32::from_str_radix(bits, 16).expect("bits"));
            assert_eq!(sample.value as f32, expected, "{line}");
        }
        rows += 1;
    }
    assert_eq!(rows, 366);
}

/// Its rounding is that of the Rust source in one place, and that of C++ in another.
#[test]
fn the_csharp_source_differs_from_the_others_in_last_digits() {
    let of = |version| FastnoiseLite { dimensions: 3, version, frequency: 0.05, ..Default::default() };
    let at = positions(2000);
    let values = |version| cpu().sample(&Noise::fastnoise_lite(of(version)), &at, Gradient::Without).expect("samples");
    let [cpp, csharp, rust] = [FastnoiseVersion::Cpp, FastnoiseVersion::Csharp, FastnoiseVersion::Rust].map(values);
    let off = |a: &[Sample], b: &[Sample]| a.iter().zip(b).map(|(a, b)| (a.value - b.value).abs()).fold(0.0, f64::max);
    for other in [&cpp, &rust] {
        let off = off(&csharp, other);
        assert!(off > 0.0 && off < 2e-5, "{off:e}");
    }
}

/// Whether a shape has a kernel of its own in the next test. Drivers take long to compile, and the parts of a kernel do not depend on
/// each other. So in 3D, each type has each fractal with one of the rotations, and each return value has one or two distances.
fn has_kernel(of: &FastnoiseLite) -> bool {
    let place = |all: &[&str], word: &str| all.iter().position(|other| *other == word).expect("a word");
    let (kind, fractal) = (place(FastnoiseType::WORDS, of.noise.name()), place(FastnoiseFractal::WORDS, of.fractal.name()));
    let rotation = place(FastnoiseRotation::WORDS, of.rotation.name());
    let (distance, given) = (place(FastnoiseDistance::WORDS, of.distance.name()), place(FastnoiseReturn::WORDS, of.cellular_return.name()));
    let defaults = FastnoiseLite::default();
    let is_return = of.distance != defaults.distance || of.cellular_return != defaults.cellular_return;
    of.dimensions == 2
        || of.warp != FastnoiseWarp::None
        || if is_return { (distance + given) % 4 == 0 } else { (kind + fractal + rotation) % 3 == 0 }
}

#[test]
#[cfg_attr(skip_gpu, ignore = "needs a GPU")]
fn every_shape_gives_the_same_bits_on_gpu_and_cpu() {
    let gpu = gpu();
    let plane = Region { origin: [-900, 130, 0], spacing: 0.37, ..Region::plane(40, 9) };
    let volume = Region { origin: [-3, 2, -4], size: [13, 7, 5], spacing: 11.0, ..plane };
    for (i, of) in all().into_iter().filter(has_kernel).enumerate() {
        let version = FastnoiseVersion::ALL[i % 4];
        let noise = Noise::fastnoise_lite(FastnoiseLite { version, ..of.clone() });
        let region = if of.dimensions == 2 { plane } else { volume };
        let on_gpu = jets(gpu, &noise, &region).expect("a field");
        assert_parity(gpu, &noise, &on_gpu, &jets(&cpu(), &noise, &region).expect("a field"), &format!("{of:?} {version}"));
    }
}

/// The oracle's values follow from the same formula, and gradients are their slopes.
#[test]
fn gradients_are_those_of_differences() {
    let step = 1.0 / 4096.0;
    let mut random = Random(9);
    let at: Vec<[f64; 3]> = (0..60).map(|_| std::array::from_fn(|_| random.between(-200.0, 200.0))).collect();
    for of in all() {
        if of.cellular_return == FastnoiseReturn::CellValue {
            continue;
        }
        let noise = Noise::fastnoise_lite(of.clone());
        let steepest = gradient_bound(&noise).expect("a bound");
        let given = oracle().sample(&noise, &at, Gradient::With).expect("samples");
        let single = cpu().sample(&noise, &at, Gradient::With).expect("samples");
        let moved = |axis: usize, by: f64| {
            let at: Vec<[f64; 3]> = at.iter().map(|at| std::array::from_fn(|i| at[i] + if i == axis { by } else { 0.0 })).collect();
            oracle().sample(&noise, &at, Gradient::Without).expect("samples")
        };
        let mut smooth = 0;
        for axis in 0..3 {
            let (before, after) = (moved(axis, -step), moved(axis, step));
            for i in 0..at.len() {
                let (left, right) = ((given[i].value - before[i].value) / step, (after[i].value - given[i].value) / step);
                let slope = given[i].gradient.expect("asked for")[axis];
                let in_f32 = single[i].gradient.expect("asked for")[axis];
                assert!((slope - in_f32).abs() < 1e-3 * steepest, "{of:?} at {:?}, axis {axis}: {in_f32} in f32, {slope} in f64", at[i]);
                if (left - right).abs() < 1e-3 * steepest {
                    let off = (slope - 0.5 * (left + right)).abs();
                    assert!(off < 1e-3 * steepest, "{of:?} at {:?}, axis {axis}: {slope}, not {left} to {right}", at[i]);
                    smooth += 1;
                }
            }
        }
        assert!(smooth > 150, "{of:?}: {smooth} of 180 are smooth");
    }
}

/// Positions end where f32 has whole numbers only.
#[test]
fn far_positions_are_an_error_and_far_cells_are_constant() {
    let near = FastnoiseLite::default();
    let at = [[1.7e7, 0.0, 0.0]];
    for (at, unit, far) in [(16_777_217.0, 1.0, "less than 16777216 (a larger unit"), (-1e9, 50.0, "less than 838860800 (a larger unit")] {
        let noise = Noise::fastnoise_lite(FastnoiseLite { unit, ..near.clone() });
        let error = cpu().sample(&noise, &[[3.0, at, 0.0]], Gradient::Without).expect_err("too far").to_string();
        let distance = format!("the position [3, {at}, 0] is {} world units from the node's origin; allowed: {far}", at.abs());
        assert!(error.contains("node 'fastnoise_lite': along an axis, ") && error.contains(&distance), "{error}");
    }
    let large = Noise::fastnoise_lite(FastnoiseLite { unit: 10.0, frequency: 1000.0, lacunarity: 8.0, octaves: 16, ..near });
    for (engine, name) in [(cpu(), "f32"), (oracle(), "f64")] {
        let value = engine.sample(&large, &at, Gradient::With).expect("samples")[0].value;
        assert!(value.abs() <= 1.0001, "{name}: {value}");
    }
}

/// The advice for other noises, to take any other number, would give other worlds.
#[test]
fn negative_seeds_are_translated() {
    for param in ["seed", "warp_seed"] {
        for (given, told) in [
            ("-1", "FastNoiseLite's seed -1 is 4294967295 here"),
            ("-1337", "FastNoiseLite's seed -1337 is 4294965959 here"),
            ("-2147483648", "FastNoiseLite's seed -2147483648 is 2147483648 here"),
        ] {
            let text = format!("output = \"n\"\n[node.n]\nkind = \"fastnoise_lite\"\n{param} = {given}\n");
            let error = Recipe::from_toml(&text, "r.toml").expect_err("a negative seed").to_string();
            assert!(error.contains(told) && error.contains(&format!("{param} = {given} is not allowed")), "{error}");
            let mut noise = Noise::fastnoise_lite(FastnoiseLite::default());
            let error =
                noise.set(&format!("fastnoise_lite.{param}"), given.parse::<i64>().expect("a number")).expect_err(given).to_string();
            assert!(error.contains(told), "{error}");
        }
        let text = format!("output = \"n\"\n[node.n]\nkind = \"fastnoise_lite\"\n{param} = -2147483649\n");
        let error = Recipe::from_toml(&text, "r.toml").expect_err("a negative seed").to_string();
        assert!(!error.contains("FastNoiseLite's seed"), "{error}");
    }
}
