//! Random graphs: the same bits on both backends, inside their proven range, for any combination of nodes.

use crate::nodes;
use crate::support::{assert_same_bits, cpu, gpu, jets, oracle};
use orogen::node::{
    Accumulate, Axis, ControlPoint, Coordinate, Fractal, Hash, Hill, Perlin, Quantile, QuantileDistribution, Simplex, Transform,
    Turbulence, Worley,
};
use orogen::{Noise, Recipe, Region};
use proptest::prelude::*;
use std::sync::OnceLock;

fn simplex() -> impl Strategy<Value = Noise> {
    (2u32..=4, prop_oneof![Just(Hash::Integer), Just(Hash::Permutation289)], 3.0..400.0f64, proptest::option::of(0..9u64)).prop_map(
        |(dimensions, hash, wavelength, seed)| {
            let dimensions = if hash == Hash::Permutation289 { 3 } else { dimensions };
            Noise::simplex(Simplex { dimensions, hash, wavelength, seed, ..Default::default() })
        },
    )
}

/// Examples of all that has no other noise in it, and of what has one of its own.
fn example() -> impl Strategy<Value = Noise> {
    static ALL: OnceLock<Vec<Noise>> = OnceLock::new();
    let kinds = [
        "value",
        "white",
        "hexagonal",
        "spectral",
        "radius",
        "raster",
        "worley",
        "open_simplex2",
        "smooth_cells",
        "craters",
        "beds",
        "stamps",
        "perlin",
        "polar",
        "domain",
        "periodic",
        "select",
        "equalise",
    ];
    let all = ALL.get_or_init(|| kinds.into_iter().flat_map(nodes::of_kind).collect());
    (0..all.len()).prop_map(|i| all[i].clone())
}

fn leaf() -> impl Strategy<Value = Noise> {
    prop_oneof![
        4 => simplex(),
        4 => example(),
        1 => (1u32..=4, 5.0..100.0f64).prop_map(|(dimensions, wavelength)| Noise::perlin(Perlin { dimensions, wavelength, ..Default::default() })),
        1 => (2u32..=3, 5.0..100.0f64).prop_map(|(dimensions, wavelength)| Noise::worley(Worley { dimensions, wavelength, ..Default::default() })),
        1 => (1u32..=3, 1.0..30.0f64).prop_map(|(dimensions, unit)| Noise::hill(Hill { dimensions, sines: 5, unit, ..Default::default() })),
        1 => (-2.0..2.0f64).prop_map(Noise::constant),
        1 => prop_oneof![Just(Axis::X), Just(Axis::Y), Just(Axis::Z)].prop_map(|axis| Noise::coordinate(Coordinate { axis, unit: 1e9 })),
    ]
}

fn points() -> impl Strategy<Value = Vec<ControlPoint>> {
    proptest::collection::vec((0.01..0.5f64, -2.0..2.0f64, -3.0..3.0f64, -3.0..3.0f64), 2..6).prop_map(|steps| {
        let mut at = -1.0;
        let point = |(step, value, slope_in, slope_out)| {
            at += step;
            ControlPoint { at, value, slope_in, slope_out }
        };
        steps.into_iter().map(point).collect()
    })
}

fn fractal() -> impl Strategy<Value = Fractal> {
    (1u32..4, 1.3..2.6f64, -0.9..0.9f64, 0..Accumulate::ALL.len(), any::<bool>(), 0..5u64, prop_oneof![Just(0.0), -90.0..90.0f64]).prop_map(
        |(octaves, lacunarity, gain, kind, normalise, seed, rotation)| Fractal {
            octaves,
            lacunarity,
            gain,
            accumulate: Accumulate::ALL[kind],
            normalise,
            seed,
            rotation,
            axis: [0.3, -0.2, 1.0],
            ..Default::default()
        },
    )
}

fn noise() -> impl Strategy<Value = Noise> {
    leaf().prop_recursive(4, 12, 3, |inner| {
        let two = (inner.clone(), inner.clone());
        let three = (inner.clone(), inner.clone(), inner.clone());
        prop_oneof![
            (inner.clone(), fractal()).prop_map(|(n, f)| n.fractal(f)),
            (inner.clone(), points()).prop_map(|(n, p)| n.spline(p)),
            (inner.clone(), -2.0..2.0f64, -1.0..1.0f64).prop_map(|(n, s, o)| n.scale_offset(s, o)),
            (inner.clone(), -1.0..0.0f64, 0.0..1.0f64).prop_map(|(n, lo, hi)| n.clamp(lo, hi)),
            inner.clone().prop_map(Noise::abs),
            (inner.clone(), 0.3..3.0f64).prop_map(|(n, e)| n.clamp(-2.0, 2.0).power(e)),
            two.clone().prop_map(|(a, b)| a.add(b)),
            two.clone().prop_map(|(a, b)| a.clamp(-2.0, 2.0).multiply(b.clamp(-2.0, 2.0))),
            two.clone().prop_map(|(a, b)| a.min(b)),
            two.prop_map(|(a, b)| a.max(b)),
            three.clone().prop_map(|(a, b, m)| a.blend(b, m)),
            (three, -20.0..20.0f64).prop_map(|((n, x, y), strength)| n.warp([x.clone(), y, x], strength)),
            (inner.clone(), any::<u8>()).prop_map(|(n, which)| flow(n, which)),
            (inner.clone(), any::<u8>()).prop_map(|(n, which)| curve(n, which)),
            (inner.clone(), any::<u8>()).prop_map(|(n, which)| domain(n, which)),
            (inner.clone(), inner.clone(), 1..3u32, -15.0..15.0f64).prop_map(|(n, by, octaves, strength)| {
                n.turbulence(by.clamp(-2.0, 2.0), Turbulence { octaves, strength, ..Default::default() })
            }),
        ]
    })
}

/// A component of a flow, unless the potential has no gradient.
fn flow(n: Noise, which: u8) -> Noise {
    let axis = [Axis::X, Axis::Y, Axis::Z][usize::from(which) % 3];
    let slope = || Noise::simplex(Simplex { wavelength: 31.0, ..Default::default() });
    let flow = match which % 2 {
        0 => n.clone().scale_offset(10.0, 0.0).curl(axis),
        _ => n.clone().scale_offset(10.0, 0.0).cross_gradients(slope(), axis),
    };
    if flow.check().is_ok() { flow } else { n }
}

/// One of the curves.
fn curve(n: Noise, which: u8) -> Noise {
    match which % 7 {
        0 => n.smoothstep(-0.6, 0.7),
        1 => n.terrace(0.3, 0.5),
        2 => n.sine(1.5, 0.2),
        3 => n.bias(0.7),
        4 => n.gain(0.3),
        5 => n.quantile(Quantile { distribution: QuantileDistribution::Weibull, ..Default::default() }),
        _ => n.threshold(0.1, -1.0, 0.5),
    }
}

/// One of the domains.
fn domain(n: Noise, which: u8) -> Noise {
    match which % 5 {
        0 => n.slice(Axis::Z, 3.5),
        1 => n.mirror(Axis::X, 1.25),
        2 => n.quantise([3.1, 2.7, 5.3]),
        3 => n.transform(Transform { rotation: 35.0, scale: [1.5, 0.5, -1.0], offset: [3.0, 2.0, 1.0], ..Default::default() }),
        _ => n.mirror(Axis::Y, -2.3).transform(Transform { rotation: 10.0, axis: [1.0, 0.0, 1.0], ..Default::default() }),
    }
}

/// Runs each case on the engines given; compiling a kernel per graph takes most of the time.
fn check(noise: &Noise, origin: [i64; 3], gpu: Option<&orogen::Engine>) -> Result<(), TestCaseError> {
    let region = Region { origin, spacing: 0.83, ..Region::plane(19, 6) };
    let on_cpu = jets(&cpu(), noise, &region).map_err(|e| TestCaseError::reject(e.to_string()))?;
    if let Some(gpu) = gpu {
        let on_gpu = jets(gpu, noise, &region).map_err(|e| TestCaseError::fail(e.to_string()))?;
        assert_same_bits(&on_gpu, &on_cpu, "random graph");
    }
    let range = noise.range().map_err(|e| TestCaseError::fail(e.to_string()))?;
    for field in [&on_cpu, &oracle().field(noise, &region).map_err(|e| TestCaseError::fail(e.to_string()))?] {
        let [lo, hi] = field.extent();
        prop_assert!(range.contains(f64::from(lo)) && range.contains(f64::from(hi)), "{lo} to {hi} leaves {range:?}");
    }
    let recipe = Recipe::new(noise.graph().clone());
    let toml = recipe.to_toml().map_err(|e| TestCaseError::fail(e.to_string()))?;
    let json = recipe.to_json().map_err(|e| TestCaseError::fail(e.to_string()))?;
    prop_assert_eq!(&Recipe::from_toml(&toml, "t").map_err(|e| TestCaseError::fail(e.to_string()))?, &recipe);
    prop_assert_eq!(&Recipe::from_json(&json, "j").map_err(|e| TestCaseError::fail(e.to_string()))?, &recipe);
    Ok(())
}

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, rng_seed: proptest::test_runner::RngSeed::Fixed(7), ..Default::default() }
}

#[test]
#[cfg_attr(skip_gpu, ignore = "needs a GPU")]
fn random_graphs_give_the_same_bits_on_gpu_and_cpu() {
    let gpu = gpu();
    let mut runner = proptest::test_runner::TestRunner::new(config(120));
    let origins = prop_oneof![Just([-9, -3, 0]), Just([1_000_000_000, -1_000_000_000, 0]), Just([123_456, -7, 55])];
    runner.run(&(noise(), origins), |(noise, origin)| check(&noise, origin, Some(gpu))).unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn random_graphs_stay_in_their_range_and_survive_text() {
    let mut runner = proptest::test_runner::TestRunner::new(config(1500));
    runner.run(&noise(), |noise| check(&noise, [-9, -3, 0], None)).unwrap_or_else(|error| panic!("{error}"));
}
