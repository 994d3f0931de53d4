//! Noise carried along by a flow: `advect` against chains of warps, against a trace in f64, and what it promises.

use crate::support::{cpu, gpu, oracle};
use orogen::node::{Advect, Axis, Fractal, Perlin, Radius, Simplex, Transform, White, Worley};
use orogen::{Engine, Gradient, Noise, Region};

const AXES: [Axis; 3] = [Axis::X, Axis::Y, Axis::Z];

fn pattern() -> Noise {
    Noise::simplex(Simplex { dimensions: 3, wavelength: 25.0, ..Default::default() })
}

fn potential(seed: u64) -> Noise {
    let noise = Noise::perlin(Perlin { dimensions: 3, wavelength: 70.0, seed, ..Default::default() });
    noise.fractal(Fractal { octaves: 2, ..Default::default() }).scale_offset(900.0, 0.0)
}

fn advect(strength: f64, steps: u32) -> Advect {
    Advect { strength, steps, ..Default::default() }
}

fn positions() -> Vec<[f64; 3]> {
    (0..300).map(|i| [f64::from(i) * 7.31 - 900.0, f64::from(i * i % 97) * 5.17, f64::from(i % 13) * 9.7 - 40.0]).collect()
}

fn values(engine: &Engine, noise: &Noise, at: &[[f64; 3]]) -> Vec<f64> {
    engine.sample(noise, at, Gradient::Without).expect("samples").iter().map(|sample| sample.value).collect()
}

fn largest_difference(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

/// Noise in 2D and in 3D, each with the same as a chain of `warp` nodes by components of `curl`.
fn pairs(steps: u32) -> Vec<(Noise, Noise)> {
    let (strength, of) = (0.8, pattern());
    let chain = |flow: [Noise; 3]| (0..steps).fold(of.clone(), |carried, _| carried.warp(flow.clone(), -strength / f64::from(steps)));
    let plane = AXES.map(|axis| potential(1).curl(axis));
    let space = AXES.map(|axis| potential(3).curl_3d([potential(1), potential(2)], axis));
    vec![
        (of.clone().advect(potential(1), advect(strength, steps)), chain(plane)),
        (of.clone().advect_3d([potential(1), potential(2), potential(3)], advect(strength, steps)), chain(space)),
    ]
}

/// `advect` and the chain of warps have the same bits on every backend: alone, in octaves, and turned and far away.
#[test]
fn it_is_a_chain_of_warps() {
    let turned = Transform { scale: [2.0, 0.5, 1.5], rotation: 40.0, offset: [1e9, -3e8, 50.0], ..Default::default() };
    let region = Region { origin: [-24, 10, 1], spacing: 2.5, size: [48, 40, 1], ..Region::plane(1, 1) };
    for (carried, chain) in [1, 2, 5].into_iter().flat_map(pairs) {
        let octaves = |noise: Noise| noise.fractal(Fractal { octaves: 2, rotation: 20.0, ..Default::default() });
        let all = [
            (carried.clone(), chain.clone()),
            (octaves(carried.clone()), octaves(chain.clone())),
            (carried.transform(turned.clone()), chain.transform(turned.clone())),
        ];
        for (carried, chain) in all {
            for engine in [&cpu(), &oracle(), gpu()] {
                let [a, b] = [&carried, &chain].map(|noise| engine.field(noise, &region).expect("a field").values);
                assert!(a.iter().zip(&b).all(|(a, b)| a.to_bits() == b.to_bits()), "{carried:?}");
                assert!(a.iter().any(|x| *x != a[0]));
            }
        }
    }
}

/// Velocities from differences of the potential, and the position at which the trace ends.
#[test]
fn a_sample_is_that_at_the_start_of_its_path() {
    const STEP: f64 = 0.001;
    let (steps, strength) = (4, 0.8);
    let velocity = |at: &[[f64; 3]]| {
        let along = |axis: usize| {
            let moved = |by: f64| at.iter().map(|at| std::array::from_fn(|a| at[a] + if a == axis { by } else { 0.0 })).collect::<Vec<_>>();
            let [before, after] = [-STEP, STEP].map(|by| values(&oracle(), &potential(1), &moved(by)));
            after.iter().zip(&before).map(|(after, before)| (after - before) / (2.0 * STEP)).collect::<Vec<_>>()
        };
        let [by_x, by_y] = [0, 1].map(along);
        by_y.into_iter().zip(by_x).map(|(y, x)| [y, -x, 0.0]).collect::<Vec<_>>()
    };
    let mut at = positions();
    for _ in 0..steps {
        let share = strength / f64::from(steps);
        let flow = velocity(&at);
        for (at, v) in at.iter_mut().zip(flow) {
            *at = std::array::from_fn(|axis| at[axis] - share * v[axis]);
        }
    }
    let expected = values(&oracle(), &pattern(), &at);
    let carried = pattern().advect(potential(1), advect(strength, steps));
    let found = values(&oracle(), &carried, &positions());
    let off = largest_difference(&found, &expected);
    println!("off by {off:e}");
    assert!(off < 1e-5, "off by {off:e}");
    let still = values(&oracle(), &pattern(), &positions());
    assert!(largest_difference(&found, &still) > 0.5, "nothing moved");
}

/// The flow follows the contours of its potential, so the potential itself stays as it is: closer with more steps.
#[test]
fn more_steps_follow_the_contours_closer() {
    let smooth = || Noise::perlin(Perlin { wavelength: 70.0, ..Default::default() }).scale_offset(900.0, 0.0);
    let still = values(&oracle(), &smooth(), &positions());
    let mut before = f64::INFINITY;
    for steps in [1, 2, 4, 8, 16] {
        let carried = values(&oracle(), &smooth().advect(smooth(), advect(0.6, steps)), &positions());
        let off = largest_difference(&carried, &still);
        println!("{steps} steps: {off:.1} of 900");
        // The error of Euler's method is proportional to the length of a step.
        assert!(off < 0.75 * before, "{steps} steps: {off} after {before}");
        before = off;
    }
    assert!(before < 45.0);
}

/// A point that circles around a hill returns: an exact quarter turn of a wheel.
#[test]
fn a_wheel_turns() {
    // Of the potential (x² + y²) / 2, the velocity is (y, −x): a turn of one radian per 1.0 of strength.
    let wheel = || Noise::radius(Radius { axes: [1.0, 1.0, 0.0], ..Default::default() }).power(2.0).scale_offset(0.5, 0.0);
    let quarter = std::f64::consts::FRAC_PI_2;
    let cells = || Noise::worley(Worley { wavelength: 12.0, ..Default::default() });
    let carried = cells().advect(wheel(), advect(quarter, 16));
    let at: Vec<[f64; 3]> = (0..200).map(|i| [f64::from(i % 20) - 10.0, f64::from(i / 20) - 5.0, 0.0]).collect();
    // A step of Euler's method is a turn and a stretch, whose product is (1 − iθ)¹⁶ on the complex plane.
    let step = quarter / 16.0;
    let ends: Vec<[f64; 3]> = at
        .iter()
        .map(|&[x, y, z]| {
            let (mut x, mut y) = (x, y);
            for _ in 0..16 {
                (x, y) = (x - step * y, y + step * x);
            }
            [x, y, z]
        })
        .collect();
    let off = largest_difference(&values(&oracle(), &carried, &at), &values(&oracle(), &cells(), &ends));
    assert!(off < 1e-6, "off by {off:e}");
}

#[test]
fn what_has_no_gradient_is_refused() {
    let carried = pattern().advect(potential(1), advect(0.8, 4));
    assert!(!carried.has_gradient());
    let error = cpu().sample(&carried, &positions(), Gradient::With).expect_err("no gradient").to_string();
    assert!(error.contains("gradient"), "{error}");
    for (by, words) in [(Noise::white(White::default()), "constant in each cell"), (potential(1).curl(Axis::X), "computed from gradients")]
    {
        let error = pattern().advect(by, advect(1.0, 2)).check().expect_err("refused").to_string();
        assert!(error.contains("by") && error.contains(words), "{error}");
    }
    let steps = pattern().advect(potential(1), advect(1.0, 17)).check().expect_err("too many steps").to_string();
    assert!(steps.contains("steps") && steps.contains("1 to 16"), "{steps}");
    // Displacements beyond what a lattice holds.
    let far = pattern().advect(potential(1).scale_offset(1e15, 0.0).scale_offset(1e9, 0.0), advect(1e9, 1));
    let error = cpu().field(&far, &Region::plane(8, 8)).expect_err("too far").to_string();
    assert!(error.contains("positions are displaced"), "{error}");
}
