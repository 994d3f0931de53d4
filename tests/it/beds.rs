//! Beds of rock against their description.

use crate::support::{Random, cpu, hash, lattice_seed, mixed, oracle};
use orogen::node::{Axis, BedOutput, Beds, Coordinate};
use orogen::{Gradient, Noise};

/// Beds of one unit, with boundaries at integers.
fn unit() -> Beds {
    Beds { thickness: 1.0, seed: 11, offset: Some([0.0; 3]), ..Default::default() }
}

/// The lower boundary and the value of bed n.
fn bed(of: &Beds, n: i32) -> [f64; 2] {
    let h = hash([n, 0, 0], 1, lattice_seed(&[11]));
    let boundary = f64::from(n) + (f64::from(h >> 16) / 65536.0 - 0.5) * of.irregular;
    let random = f64::from(mixed(h) >> 8) / 8_388_608.0 - 1.0;
    let soft = of.variation * 0.25 * (random + 1.0);
    let value = match of.output {
        BedOutput::Layer => random,
        _ if n % 2 == 0 => 1.0 - soft,
        _ => soft,
    };
    [boundary, value]
}

/// Every bed from far below to far above, blended at its boundary.
fn brute(of: &Beds, height: f64) -> f64 {
    let middle = height.floor() as i32;
    let mut value = bed(of, middle - 5)[1];
    for n in middle - 4..middle + 5 {
        let [boundary, own] = bed(of, n);
        let t = ((height - boundary) / of.blend + 0.5).clamp(0.0, 1.0);
        value += t * t * (3.0 - 2.0 * t) * (own - value);
    }
    value
}

/// All shapes.
fn all() -> Vec<Beds> {
    let mut all = Vec::new();
    for output in BedOutput::ALL {
        all.extend([
            Beds { output: *output, ..unit() },
            Beds { output: *output, irregular: 1.0, blend: 0.4, dip: 0.7, direction: 30.0, variation: 1.0, ..unit() },
            Beds { output: *output, irregular: 0.0, blend: 0.01, dip: 0.1, direction: -100.0, variation: 0.0, ..unit() },
            Beds { output: *output, blend: 1.0, ..unit() },
        ]);
    }
    all
}

/// The number of beds below a position: beds descend in their direction, so that younger ones lie at the same height there.
fn height(of: &Beds, [x, y, z]: [f64; 3], ground: f64, fold: f64) -> f64 {
    let (sin, cos) = (libm::sin(of.direction.to_radians()), libm::cos(of.direction.to_radians()));
    z + ground - fold + of.dip * (x * sin - y * cos)
}

#[test]
fn values_are_those_of_the_description() {
    let mut random = Random(3);
    for of in all() {
        let ground = Noise::coordinate(Coordinate { axis: Axis::X, unit: 4.0 });
        let fold = Noise::coordinate(Coordinate { axis: Axis::Y, unit: 2.0 });
        let noise = ground.beds(fold, of.clone());
        let range = noise.range().expect("a range");
        for _ in 0..500 {
            let at = [0; 3].map(|_| (random.between(-60.0, 60.0) * 65_536.0).floor() / 65_536.0);
            let h = height(&of, at, at[0] / 4.0, at[1] / 2.0);
            let expected = brute(&of, h);
            let single = cpu().sample(&noise, &[at], Gradient::Without).expect("a sample")[0].value;
            let double = oracle().sample(&noise, &[at], Gradient::With).expect("a sample")[0];
            assert!(range.lo <= single && single <= range.hi, "{of:?} at {at:?}: {single} leaves {range:?}");
            // The digits that f32 has of a height of up to 200 beds, times the slope of a boundary.
            assert!((single - expected).abs() < 1e-4 / of.blend, "{of:?} at {at:?}: {single} is not {expected}");
            assert!((double.value - expected).abs() < 2e-6 / of.blend, "{of:?} at {at:?}: {} is not {expected}", double.value);
            let slope = (brute(&of, h + 1e-7) - brute(&of, h - 1e-7)) / 2e-7;
            let (sin, cos) = (libm::sin(of.direction.to_radians()), libm::cos(of.direction.to_radians()));
            let expected = [slope * (0.25 + of.dip * sin), slope * (-0.5 - of.dip * cos), slope];
            for (axis, given) in double.gradient.expect("asked for").into_iter().enumerate() {
                let wrong = (given - expected[axis]).abs();
                assert!(wrong < 1e-3 * (1.0 + 1.0 / of.blend / of.blend), "{of:?} at {at:?}: {given} along {axis}, not {}", expected[axis]);
            }
        }
    }
}

/// Far along the dip, where f32 has no digits left for the number of beds, boundaries are as sharp.
#[test]
fn tilted_beds_are_exact_at_any_distance() {
    let of = Beds { dip: 0.5, direction: 90.0, ..unit() };
    let noise = Noise::constant(0.25).beds(0.0, of.clone());
    let mut random = Random(5);
    for _ in 0..300 {
        let x = (random.between(1e9, 2e9) * 64.0).floor() / 64.0;
        let given = cpu().sample(&noise, &[[x, 3.0, 0.0]], Gradient::Without).expect("a sample")[0].value;
        let expected = brute(&of, 0.25 + 0.5 * x);
        assert!((given - expected).abs() < 1e-4, "{given} instead of {expected} at {x}");
    }
}
