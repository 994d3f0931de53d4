//! Phasor noise against its formula, written once more in f64 with complex numbers, over a neighbourhood wider than any reach.

use crate::support::{Random, assert_same_bits, cpu, gpu, hash, lattice_seed, mixed, oracle, signed};
use orogen::node::{Fractal, Input, Phasor, PhasorProfile, Simplex};
use orogen::{Gradient, Noise, Region};

/// A noise whose lattice is the world's: cells of one unit, corners at integers.
fn unit(dimensions: u32, profile: PhasorProfile) -> Phasor {
    let angles = [Input::Value(33.0), Input::Value(if dimensions == 3 { -20.0 } else { 0.0 })];
    let [rotation, elevation] = angles;
    let offset = Some([0.0; 3]);
    Phasor { dimensions, profile, wavelength: 0.375, size: 1.0, rotation, elevation, seed: 11, offset, ..Default::default() }
}

fn number(input: &Input) -> f64 {
    if let Input::Value(x) = input { *x } else { panic!("{input:?} is not a number") }
}

/// The noise by its definition.
fn brute(at: [f64; 3], of: &Phasor) -> f64 {
    let (rotation, elevation) = (number(&of.rotation).to_radians(), number(&of.elevation).to_radians());
    let direction = [elevation.cos() * rotation.cos(), elevation.cos() * rotation.sin(), elevation.sin()];
    around(at, of, |_| (direction, number(&of.frequency)))
}

/// The noise with the waves of each point: their direction and the factor of their frequency, given the offset to the point.
fn around(at: [f64; 3], of: &Phasor, waves: impl Fn([f64; 3]) -> ([f64; 3], f64)) -> f64 {
    let flat = of.dimensions == 2;
    let (reach, spread) = if flat { (1.25, 0.25) } else { (1.3, 0.2) };
    let (mut real, mut imaginary, mut squares) = (0.0, 0.0, 0.0);
    let depth = if flat { 0..=0 } else { -2..=2 };
    for z in depth {
        for y in -2..=2 {
            for x in -2..=2 {
                let cell: [i32; 3] = std::array::from_fn(|i| at[i].floor() as i32 + [x, y, z][i]);
                let h = hash(cell, of.dimensions, lattice_seed(&[11]));
                let words = [h, mixed(h), mixed(mixed(mixed(h)))];
                let d: [f64; 3] = std::array::from_fn(|i| {
                    if i >= of.dimensions as usize { 0.0 } else { at[i] - (f64::from(cell[i]) + 0.5 + spread * signed(words[i])) }
                });
                let square = d.iter().map(|x| x * x).sum::<f64>() / (reach * reach);
                let weight = (1.0 - square).max(0.0).powi(3);
                let (direction, frequency) = waves(d.map(|x| -x));
                let length = direction.iter().map(|x| x * x).sum::<f64>().sqrt();
                let k = direction.map(|u| u / length * of.size / of.wavelength * frequency.clamp(0.0, 16.0));
                let phase = f64::from(mixed(mixed(h)) >> 8) / 16_777_216.0 + k[0] * d[0] + k[1] * d[1] + k[2] * d[2];
                real += weight * (phase * std::f64::consts::TAU).cos();
                imaginary += weight * (phase * std::f64::consts::TAU).sin();
                squares += weight * weight;
            }
        }
    }
    let whole = (real * real + imaginary * imaginary + squares / 64.0).sqrt();
    let sharp = 0.98 * of.sharpness;
    match of.profile {
        PhasorProfile::Sine => imaginary / whole,
        PhasorProfile::Square => {
            let x = (imaginary / whole / (1.0 - sharp)).clamp(-1.0, 1.0);
            1.5 * x - 0.5 * x * x * x
        }
        PhasorProfile::Saw => {
            let turn = imaginary.atan2(real) / std::f64::consts::TAU + 0.5;
            let rise = 0.5 + 0.5 * sharp;
            let line = if turn < rise { 2.0 * turn / rise - 1.0 } else { 1.0 - 2.0 * (turn - rise) / (1.0 - rise) };
            line * real.hypot(imaginary) / whole
        }
        PhasorProfile::Gabor => imaginary / squares.sqrt() / if flat { 6.0f64 } else { 12.0 }.sqrt(),
        _ => panic!("no formula for {}", of.profile),
    }
}

fn all() -> Vec<Phasor> {
    let mut all = Vec::new();
    for dimensions in [2, 3] {
        for profile in PhasorProfile::ALL {
            for (sharpness, frequency) in [(0.0, 1.0), (0.75, 0.4), (0.5, 3.0)] {
                all.push(Phasor { sharpness, frequency: Input::Value(frequency), ..unit(dimensions, *profile) });
            }
        }
    }
    all
}

/// Positions whose fractions f32 holds.
fn positions(count: usize) -> Vec<[f64; 3]> {
    let mut random = Random(3);
    (0..count).map(|_| [0; 3].map(|_| (random.between(-3000.0, 3000.0) * 1_048_576.0).floor() / 1_048_576.0)).collect()
}

#[test]
fn values_are_those_of_the_formula() {
    let (mut worst, mut exact, mut largest) = (0.0f64, 0.0f64, 0.0f64);
    for of in all() {
        let at = positions(2000);
        let noise = Noise::phasor(of.clone());
        let single = cpu().sample(&noise, &at, Gradient::Without).expect("samples");
        let double = oracle().sample(&noise, &at, Gradient::Without).expect("samples");
        for (i, at) in at.iter().enumerate() {
            let expected = brute(*at, &of);
            largest = largest.max(single[i].value.abs());
            worst = worst.max((single[i].value - expected).abs());
            exact = exact.max((double[i].value - expected).abs());
            assert!((double[i].value - expected).abs() < 1e-5, "{of:?} at {at:?}: {} is not {expected}", double[i].value);
            assert!((single[i].value - expected).abs() < 1e-3, "{of:?} at {at:?}: {} is not {expected}", single[i].value);
        }
    }
    println!("off by at most {worst:e} in f32 and {exact:e} in f64; largest magnitude {largest}");
    assert!(largest <= 1.0);
}

#[test]
fn gradients_are_those_of_differences() {
    let step = 1.0 / 262_144.0;
    for of in all() {
        let noise = Noise::phasor(of.clone());
        for at in positions(60) {
            let given = oracle().sample(&noise, &[at], Gradient::With).expect("a sample")[0].gradient.expect("asked for");
            for axis in 0..of.dimensions as usize {
                let moved = |by: f64| {
                    let mut moved = at;
                    moved[axis] += by;
                    brute(moved, &of)
                };
                let (below, above) = (moved(-step) - moved(-2.0 * step), moved(2.0 * step) - moved(step));
                // A corner of a saw lies between.
                if (below - above).abs() > 0.1 * (below.abs() + above.abs()) {
                    continue;
                }
                let expected = (moved(step) - moved(-step)) / (2.0 * step);
                assert!((given[axis] - expected).abs() < 5e-3 * (1.0 + expected.abs()), "{of:?} at {at:?}: {given:?}, not {expected}");
            }
        }
    }
}

/// A direction and a frequency that are noises: each point has the waves halfway to it, by the noises' gradients.
#[test]
fn directions_and_frequencies_may_be_noises() {
    let simplex = |seed| Noise::simplex(Simplex { wavelength: 7.0, seed: Some(seed), ..Default::default() });
    let (turning, faster) = (simplex(1).scale_offset(90.0, 10.0), simplex(2).scale_offset(0.5, 1.0));
    for of in all() {
        // A noise of the plane as elevation in 3D.
        let flat = of.dimensions == 2;
        let mut inputs = vec![("rotation", &turning), ("frequency", &faster)];
        if !flat {
            inputs.push(("elevation", &turning));
        }
        let noise = Noise::join(of.clone(), &inputs).expect("a noise");
        for at in positions(40) {
            let [turn, factor] = [&turning, &faster].map(|noise| oracle().sample(noise, &[at], Gradient::With).expect("a sample")[0]);
            let halfway = |sample: &orogen::Sample, v: [f64; 3]| {
                let gradient = sample.gradient.expect("asked for");
                0.5 * (gradient[0] * v[0] + gradient[1] * v[1] + gradient[2] * v[2])
            };
            let expected = around(at, &of, |v| {
                let (angle, by) = (turn.value.to_radians(), halfway(&turn, v).to_radians());
                let (sine, cosine) = angle.sin_cos();
                let (a, b) = ([cosine - by * sine, sine + by * cosine], 2.0 * angle);
                // In 3D: cos², sin·cos and sin of the same angle, and their derivatives.
                let space = [cosine * cosine - by * b.sin(), 0.5 * b.sin() + by * b.cos(), sine + by * cosine];
                (if flat { [a[0], a[1], 0.0] } else { space }, factor.value + halfway(&factor, v))
            });
            let found = oracle().sample(&noise, &[at], Gradient::Without).expect("a sample")[0];
            assert!((found.value - expected).abs() < 1e-4, "{of:?} at {at:?}: {} is not {expected}", found.value);
        }
        let error = oracle().sample(&noise, &[[0.0; 3]], Gradient::With).expect_err("no gradient");
        assert!(error.to_string().contains("gradient"), "{error}");
    }
}

/// Waves that turn are as long as straight ones.
#[test]
fn waves_keep_their_length_where_they_turn() {
    let of = Phasor { wavelength: 14.0, size: 50.0, seed: 3, ..Default::default() };
    let turning = Noise::simplex(Simplex { wavelength: 300.0, ..Default::default() }).scale_offset(90.0, 0.0);
    let region = Region::plane(512, 512);
    let slope = |noise: &Noise| {
        let values = cpu().field(noise, &region).expect("a field").values;
        let square = |i: usize| (values[i + 1] - values[i]).powi(2) + (values[i + 512] - values[i]).powi(2);
        let inner = (0..511 * 512).filter(|i| i % 512 < 511);
        (inner.clone().map(|i| f64::from(square(i))).sum::<f64>() / inner.count() as f64).sqrt()
    };
    let [straight, turned] = [slope(&Noise::phasor(of.clone())), slope(&turning.phasor_rotation(of))];
    println!("slopes: {straight} and {turned}");
    assert!((turned / straight - 1.0).abs() < 0.05, "{turned} is not {straight}");
}

/// The variance of Gabor noise is the same at all places of a cell.
#[test]
fn gabor_noise_shows_no_cells() {
    let of = unit(2, PhasorProfile::Gabor);
    let (mut sums, mut random) = ([[0.0f64; 2]; 16], Random(8));
    let at: Vec<[f64; 3]> = (0..160_000).map(|_| [random.between(-900.0, 900.0), random.between(-900.0, 900.0), 0.0]).collect();
    for (at, sample) in at.iter().zip(cpu().sample(&Noise::phasor(of), &at, Gradient::Without).expect("samples")) {
        let [x, y] = [0, 1].map(|i| ((at[i] - at[i].floor()) * 4.0) as usize);
        let sum = &mut sums[4 * y + x];
        *sum = [sum[0] + sample.value * sample.value, sum[1] + 1.0];
    }
    let deviations = sums.map(|[square, count]| (square / count).sqrt());
    let [least, most] = [f64::min, f64::max].map(|pick| deviations.into_iter().reduce(pick).expect("16 numbers"));
    println!("standard deviations: {least} to {most}");
    assert!(most / least < 1.05, "{least} to {most}");
}

/// On a plane with a slope, waves along the gradient are those in its direction.
#[test]
fn waves_run_along_a_gradient() {
    let slope = |axis| Noise::coordinate(orogen::node::Coordinate { axis, ..Default::default() });
    let plane = slope(orogen::node::Axis::X).scale_offset(0.03, 0.0).add(slope(orogen::node::Axis::Y).scale_offset(-0.04, 0.0));
    let region = Region { spacing: 0.13, ..Region::plane(40, 30) };
    for turned in [0.0, 90.0] {
        let of = Phasor { rotation: Input::Value(turned), ..unit(2, PhasorProfile::Sine) };
        let straight = Phasor { rotation: Input::Value(turned - 4.0f64.atan2(3.0).to_degrees()), ..of.clone() };
        let found = cpu().field(&plane.clone().phasor_along(of), &region).expect("a field");
        let expected = cpu().field(&Noise::phasor(straight), &region).expect("a field");
        let apart = found.values.iter().zip(&expected.values).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
        assert!(apart < 1e-4, "turned by {turned}: {apart}");
    }
    let error = cpu().field_with_gradient(&plane.phasor_along(unit(2, PhasorProfile::Sine)), &region).expect_err("no gradient");
    assert!(error.to_string().contains("gradient"), "{error}");
}

/// A noise without a slope gives no direction: phases then vary from cell to cell only, as with a frequency of 0.
#[test]
fn a_flat_field_has_no_direction() {
    let of = unit(2, PhasorProfile::Saw);
    let flat = Noise::constant(4.0).phasor_along(of.clone());
    let still = Noise::phasor(Phasor { frequency: Input::Value(0.0), ..of });
    let region = Region { spacing: 0.13, ..Region::plane(40, 30) };
    assert_same_bits(&cpu().field(&flat, &region).expect("a field"), &cpu().field(&still, &region).expect("a field"), "no direction");
}

#[test]
#[cfg_attr(skip_gpu, ignore = "needs a GPU")]
fn gpu_and_cpu_have_the_same_bits() {
    let simplex = || Noise::simplex(Simplex { wavelength: 7.0, ..Default::default() });
    let region = Region { origin: [-20, 1_000_000_007, 3], size: [37, 21, 1], spacing: 0.11, ..Region::plane(1, 1) };
    for of in all() {
        let plain = Noise::phasor(of.clone());
        let turned = simplex().scale_offset(60.0, 0.0).phasor_rotation(of.clone());
        let octaves = plain.clone().fractal(Fractal { octaves: 2, rotation: 30.0, ..Default::default() });
        let periodic = plain.clone().periodic([6.0, 4.0, 0.0]);
        for (what, noise) in [("plain", plain), ("turned", turned), ("octaves", octaves), ("periodic", periodic)] {
            let [a, b] = [&cpu(), gpu()].map(|engine| {
                if what == "turned" { engine.field(&noise, &region) } else { engine.field_with_gradient(&noise, &region) }.expect(what)
            });
            assert_same_bits(&a, &b, &format!("{what} of {of:?}"));
        }
        let along = simplex().phasor_along(Phasor { elevation: Input::Value(0.0), ..of.clone() });
        let [a, b] = [&cpu(), gpu()].map(|engine| engine.field(&along, &region).expect("a field"));
        assert_same_bits(&a, &b, &format!("along a gradient: {of:?}"));
    }
}

#[test]
fn parameters_that_do_not_fit_are_refused() {
    let error = |of: Phasor| cpu().field(&Noise::phasor(of), &Region::plane(2, 2)).expect_err("refused").to_string();
    let got = error(Phasor { size: 2000.0, wavelength: 20.0, ..Default::default() });
    assert!(got.contains("size") && got.contains("2000") && got.contains("1280"), "{got}");
}
