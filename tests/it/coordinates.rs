//! Coordinates are exact wherever it matters: what repeats does so 10¹² units out, and sums of coordinates are rounded once.

use crate::support::{assert_same_bits, cpu, gpu, oracle};
use orogen::node::{Axis, Coordinate, Fractal, Simplex, Transform};
use orogen::{Engine, Gradient, Noise, Region};

fn coordinate(axis: Axis, unit: f64) -> Noise {
    Noise::coordinate(Coordinate { axis, unit })
}

fn row(x: i64) -> Region {
    Region { origin: [x, 0, 0], size: [2000, 1, 1], ..Region::plane(1, 1) }
}

const FAR: [i64; 6] = [0, -999_000, 10_000_000, 1_000_000_000, -1_000_000_000_000, 1_000_000_000_000];

/// Checks values of a row against what integers give for a whole position, and that gradients are their slopes.
fn assert_row(noise: &Noise, near: f64, expected: impl Fn(i128) -> f64) {
    for x in FAR {
        for engine in [cpu(), oracle()] {
            let field = engine.field_with_gradient(noise, &row(x)).expect("a field");
            for (i, value) in field.values.iter().enumerate() {
                let wanted = expected(i128::from(x) + i as i128);
                // Turns for each unit are a number of 53 bits: after 10¹² units that has moved them by up to 10⁻⁵.
                let near = near + x.unsigned_abs() as f64 * 1e-16;
                assert!(
                    (f64::from(*value) - wanted).abs() <= near,
                    "{:?}, {}: {value} for {wanted}",
                    engine.describe().backend,
                    x + i as i64
                );
            }
        }
    }
}

/// Sine of so many turns, of which there are `p / q`.
fn turns(p: i128, q: i128) -> f64 {
    (p.rem_euclid(q) as f64 / q as f64 * std::f64::consts::TAU).sin()
}

#[test]
fn a_sine_of_a_coordinate_is_one_at_any_distance() {
    assert_row(&coordinate(Axis::X, 110.0).sine(1.0, 0.0), 1e-6, |x| turns(x, 110));
    let fast = coordinate(Axis::X, 7.0).scale_offset(3.0, 0.25).sine(0.5, 0.125);
    // (3·x/7 + 1/4) / 2 + 1/8 = (6·x + 7) / 28.
    assert_row(&fast, 2e-6, |x| turns(6 * x + 7, 28));
    // What is added stays a number, and the sum has its turns.
    let bent = coordinate(Axis::X, 50.0).add(Noise::constant(0.5).multiply(Noise::constant(0.25))).sine(1.0, 0.0);
    assert_row(&bent, 1e-6, |x| turns(8 * x + 50, 400));
    for x in FAR {
        let swirl = Noise::simplex(Simplex { wavelength: 80.0, ..Default::default() }).fractal(Fractal::default());
        let [a, b] = [cpu(), oracle()].map(|engine| {
            let field = |noise: &Noise| engine.field(noise, &row(x)).expect("a field").values;
            let (marble, swirl) = (field(&coordinate(Axis::X, 110.0).add(swirl.clone()).sine(1.0, 0.0)), field(&swirl));
            let wanted = (0..2000_u16).map(|i| {
                let turn = (i128::from(x) + i128::from(i)).rem_euclid(110) as f64 / 110.0 + f64::from(swirl[usize::from(i)]);
                (turn * std::f64::consts::TAU).sin()
            });
            marble.iter().zip(wanted).map(|(a, b)| (f64::from(*a) - b).abs()).fold(0.0, f64::max)
        });
        let near = x.unsigned_abs() as f64 * 5e-18;
        assert!(a < 4e-6 + near && b < 2e-6 + near, "{x}: {a} and {b}");
    }
}

#[test]
fn steps_and_thresholds_lie_where_they_belong() {
    let steps = coordinate(Axis::X, 1.0).terrace(40.0, 0.25);
    for x in [0, 100_000_000, -100_000_000] {
        for engine in [cpu(), oracle()] {
            let field = engine.field(&steps, &row(x)).expect("a field");
            for (i, value) in field.values.iter().enumerate() {
                let (step, within) = ((x + i as i64).div_euclid(40), (x + i as i64).rem_euclid(40));
                // Flat for three quarters of a step; up to f32's grain.
                let low = (step * 40) as f64;
                let near = low.abs() * 1.2e-7 + 1e-4;
                let flat = within <= 30;
                assert!(!flat || (f64::from(*value) - low).abs() <= near, "{}: {value} on the step at {low}", x + i as i64);
                assert!(f64::from(*value) >= low - near && f64::from(*value) <= low + 40.0 + near);
            }
        }
    }
    let at = 1_000_000_000_500.0;
    let edge = coordinate(Axis::X, 1.0).scale_offset(1.0, -at).threshold(0.5, 0.0, 1.0);
    for engine in [cpu(), oracle()] {
        let field = engine.field(&edge, &row(1_000_000_000_000)).expect("a field");
        let first = field.values.iter().position(|value| *value == 1.0);
        assert_eq!((first, field.values[2..].windows(2).all(|pair| pair[0] <= pair[1])), (Some(501), true));
    }
}

#[test]
fn sums_of_coordinates_are_rounded_once() {
    // 10¹² and more units, whose difference is small.
    let sum = coordinate(Axis::X, 0.5).add(coordinate(Axis::Y, 1.0).scale_offset(-2.0, 3.0)).add(Noise::constant(0.25));
    for engine in [cpu(), oracle()] {
        let region = Region { origin: [1_000_000_000_000, 999_999_999_990, 0], ..Region::plane(30, 20) };
        let field = engine.field_with_gradient(&sum, &region).expect("a field");
        for (i, value) in field.values.iter().enumerate() {
            assert_eq!(*value, 2.0 * (i as f32 % 30.0) - 2.0 * ((i / 30) as f32 - 10.0) + 3.25);
        }
        assert!(field.gradients.expect("gradients").iter().all(|gradient| *gradient == [2.0, -2.0, 0.0]));
        // Alone, a coordinate ends at 2³⁰ of its units.
        let told = engine.field(&coordinate(Axis::X, 1.0), &region).expect_err("too far").to_string();
        assert!(told.contains("2^30"), "{told}");
    }
}

#[test]
fn a_domain_of_coordinates_is_a_transform() {
    let noise = Noise::simplex(Simplex { dimensions: 3, wavelength: 30.0, ..Default::default() }).fractal(Fractal::default());
    let by =
        [coordinate(Axis::Y, 1.0).scale_offset(2.0, 7.0), coordinate(Axis::X, 4.0), coordinate(Axis::Z, 1.0).add(coordinate(Axis::X, 1.0))];
    let domain = noise.clone().domain(by);
    for x in FAR {
        let region = Region { origin: [x, -7 * x, 5], ..Region::plane(40, 20) };
        for engine in [cpu(), oracle()] {
            let field = engine.field_with_gradient(&domain, &region).expect("a field");
            let gradients = field.gradients.expect("gradients");
            for i in [0, 17, 333, 799] {
                let [px, py, pz] = region.position([i as u32 % 40, i as u32 / 40, 0]);
                let moved = engine.sample(&noise, &[[2.0 * py + 7.0, px / 4.0, pz + px]], Gradient::With).expect("a sample")[0];
                let near = 2e-6 + x.unsigned_abs() as f64 * 2e-17;
                assert!((f64::from(field.values[i]) - moved.value).abs() < near, "{x}: {} for {}", field.values[i], moved.value);
                let [gx, gy, gz] = moved.gradient.expect("a gradient");
                let wanted = [gy / 4.0 + gz, 2.0 * gx, gz];
                assert!((0..3).all(|a| (f64::from(gradients[i][a]) - wanted[a]).abs() < 10.0 * near), "{:?} for {wanted:?}", gradients[i]);
            }
        }
    }
}

#[test]
fn a_mirror_knows_its_sides_far_out() {
    let noise = Noise::simplex(Simplex { wavelength: 30.0, ..Default::default() });
    let mirrored = noise.clone().mirror(Axis::X, 50.0);
    for x in FAR {
        for engine in [cpu(), oracle()] {
            let field = |noise: &Noise, region: &Region| engine.field(noise, region).expect("a field").values;
            let own = Region { origin: [x, 3, 0], ..Region::plane(64, 4) };
            let found = field(&mirrored, &own);
            for i in 0..64_i64 {
                let at = if x + i < 50 { 100 - (x + i) } else { x + i };
                let wanted = engine.sample(&noise, &[[at as f64, 3.0, 0.0]], Gradient::Without).expect("a sample")[0].value as f32;
                assert!((found[i as usize] - wanted).abs() < 1e-6, "{}: {} for {wanted}", x + i, found[i as usize]);
            }
        }
    }
}

#[test]
#[cfg_attr(skip_gpu, ignore = "needs a GPU")]
fn exact_coordinates_have_the_same_bits_on_the_device() {
    let swirl = Noise::simplex(Simplex { wavelength: 80.0, ..Default::default() });
    let along = || coordinate(Axis::X, 110.0);
    let marble = along().add(swirl.clone()).sine(1.0, 0.0);
    let warped = along()
        .sine(1.0, 0.0)
        .transform(Transform { rotation: 35.0, ..Default::default() })
        .warp([swirl.clone(), swirl.clone(), Noise::constant(0.0)], 30.0);
    let steps = along().terrace(0.01, 0.3);
    let edge = along().add(swirl.clone()).threshold(0.5, 0.0, 1.0);
    let moved = swirl.domain([along().scale_offset(220.0, 1.0), coordinate(Axis::Y, 2.0), Noise::constant(0.0)]);
    for (what, noise) in [("marble", marble), ("warped", warped), ("steps", steps), ("edge", edge), ("moved", moved)] {
        for x in [-5, 99_000_000_000] {
            let region = Region { origin: [x, 11, 0], ..Region::plane(70, 9) };
            let field = |engine: &Engine| engine.field_with_gradient(&noise, &region).expect("a field");
            assert_same_bits(&field(gpu()), &field(&cpu()), what);
        }
    }
}
