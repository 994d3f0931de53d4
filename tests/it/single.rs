//! Values at single positions have code of their own for simplex noise, its octaves and sums: the bits of lists of positions, for every
//! noise and at any distance.

use crate::nodes;
use crate::support::{Random, cpu};
use orogen::node::{Accumulate, Fractal, Simplex};
use orogen::{Gradient, Noise};

/// Positions up to this magnitude, half of them whole numbers.
fn positions(random: &mut Random, scale: f64) -> Vec<[f64; 3]> {
    let all = (0..24).map(|_| std::array::from_fn(|_| random.between(-scale, scale)));
    all.enumerate().map(|(i, position): (usize, [f64; 3])| if i % 2 == 0 { position } else { position.map(f64::round) }).collect()
}

fn assert_same(noise: &Noise, what: &str) {
    let prepared = cpu().prepare(noise).expect(what);
    let mut random = Random(0x0ff5e7);
    for scale in [0.01, 1.0, 300.0, 1e5, 1e8, 1e11, 9e15] {
        let all = positions(&mut random, scale);
        // Beyond the range of a coordinate both fail.
        let Ok(samples) = prepared.sample(&all, Gradient::Without) else { continue };
        for (position, sample) in all.iter().zip(&samples) {
            let value = prepared.value(*position).expect(what);
            assert_eq!(value.to_bits(), sample.value.to_bits(), "{what} at {position:?}: {value:e} against {:e}", sample.value);
        }
    }
}

fn simplex(wavelength: f64, dimensions: u32) -> Noise {
    Noise::simplex(Simplex { wavelength, dimensions, seed: Some(5), ..Default::default() })
}

#[test]
fn every_node_has_the_values_of_lists() {
    for (name, noise) in nodes::all() {
        assert_same(&noise, &name);
    }
}

#[test]
fn octaves_and_sums_have_the_values_of_lists() {
    let octaves = |noise: &Noise, accumulate, octaves| noise.clone().fractal(Fractal { octaves, accumulate, ..Default::default() });
    for dimensions in [2, 3] {
        let bumps = simplex(73.0, dimensions);
        for &accumulate in Accumulate::ALL {
            for count in [1, 2, 7, 20] {
                assert_same(&octaves(&bumps, accumulate, count), &format!("{count} octaves, {accumulate:?}"));
            }
        }
        let hills = octaves(&bumps, Accumulate::Sum, 6).scale_offset(-3.25, 0.5);
        let sum = hills.clone().add(simplex(1e-3, dimensions).multiply(octaves(&simplex(900.0, dimensions), Accumulate::Billow, 3)));
        assert_same(&hills, "hills");
        assert_same(&sum, "a sum");
        // More operations than have code of their own.
        let more = (0..6).fold(sum, |sum, k| sum.add(simplex(10.0 + f64::from(k), dimensions)));
        assert_same(&more, "a long sum");
    }
}

#[test]
fn positions_out_of_range_fail_as_in_lists() {
    let prepared = cpu().prepare(&simplex(50.0, 2)).expect("a noise");
    for position in [[f64::NAN, 0.0, 0.0], [0.0, f64::INFINITY, 0.0], [0.0, 0.0, 1e17]] {
        let one = prepared.value(position).expect_err("out of range").to_string();
        assert_eq!(one, prepared.sample(&[position], Gradient::Without).expect_err("out of range").to_string());
    }
    assert!(prepared.at(f64::NAN).value([0.0; 3]).is_err());
}
