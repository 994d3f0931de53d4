//! Coordinates are exact: periodic noises repeat 10¹² units out, and sums of coordinates are rounded once.

use crate::support::{assert_same_bits, cpu, gpu, oracle};
use orogen::node::{Axis, Coordinate, Fractal, Hash, Heights, Raster, Simplex, Transform};
use orogen::{Engine, Gradient, Noise, Region};

fn coordinate(axis: Axis, unit: f64) -> Noise {
    Noise::coordinate(Coordinate { axis, unit })
}

fn row(x: i64) -> Region {
    Region { origin: [x, 0, 0], size: [2000, 1, 1], ..Region::plane(1, 1) }
}

const FAR: [i64; 6] = [0, -999_000, 10_000_000, 1_000_000_000, -1_000_000_000_000, 1_000_000_000_000];

/// Checks values of a row against what integers give for a whole position, and gradients against the differences of values two
/// samples apart.
fn assert_row(noise: &Noise, near: f64, expected: impl Fn(i128) -> f64) {
    for x in FAR {
        for engine in [cpu(), oracle()] {
            let field = engine.field_with_gradient(noise, &row(x)).expect("a field");
            let gradients = field.gradients.as_ref().expect("gradients");
            // A slope is the mean of what lies between, up to a third of the third derivative.
            let bend = field.values.windows(4).map(|v| (v[3] - 3.0 * v[2] + 3.0 * v[1] - v[0]).abs()).fold(0.0, f32::max);
            let largest = field.values.iter().fold(0.0_f32, |m, v| m.max(v.abs()));
            for (around, gradient) in field.values.windows(3).zip(&gradients[1..]) {
                let slope = (around[2] - around[0]) / 2.0;
                assert!((gradient[0] - slope).abs() <= bend + 1e-5 * largest.max(1.0), "{x}: {gradient:?} for a slope of {slope}");
            }
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

/// Sine of `p / q` turns.
fn turns(p: i128, q: i128) -> f64 {
    (p.rem_euclid(q) as f64 / q as f64 * std::f64::consts::TAU).sin()
}

#[test]
fn a_sine_of_a_coordinate_is_one_at_any_distance() {
    assert_row(&coordinate(Axis::X, 110.0).sine(1.0, 0.0), 1e-6, |x| turns(x, 110));
    let fast = coordinate(Axis::X, 7.0).scale_offset(3.0, 0.25).sine(0.5, 0.125);
    // (3·x/7 + 1/4) / 2 + 1/8 = (6·x + 7) / 28.
    assert_row(&fast, 2e-6, |x| turns(6 * x + 7, 28));
    // The added value stays a number, and the sum has its turns.
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
fn sums_of_coordinates_are_rounded_once() {
    // 10¹² and more units, whose difference is small.
    let sum = coordinate(Axis::X, 0.5).add(coordinate(Axis::Y, 1.0).scale_offset(-2.0, 3.0)).add(Noise::constant(0.25));
    for engine in [cpu(), oracle()] {
        let region = Region { origin: [1_000_000_000_000, 999_999_999_990, 0], ..Region::plane(30, 20) };
        let field = engine.field_with_gradient(&sum, &region).expect("a field");
        for (i, value) in field.values.iter().enumerate() {
            let wanted = 2.0 * (i as f32 % 30.0) - 2.0 * ((i / 30) as f32 - 10.0) + 3.25;
            assert!((*value - wanted).abs() <= 1e-5, "{value} for {wanted}");
        }
        assert!(field.gradients.expect("gradients").iter().all(|g| (g[0] - 2.0).abs() < 1e-6 && (g[1] + 2.0).abs() < 1e-6));
        // Alone, a coordinate ends at 2³⁰ of its units for any factor, and so does any other value out of its range.
        let alone = coordinate(Axis::X, 1.0);
        let same_way = alone.clone().add(coordinate(Axis::Y, 1.0)).scale_offset(1e-3, 0.0);
        for far in [alone.clone(), alone.clone().scale_offset(1e-3, 5.0), alone.terrace(40.0, 0.25), same_way] {
            let told = engine.field(&far, &region).expect_err("too far").to_string();
            assert!(told.contains("world units from the node's origin; allowed: less than "), "{told}");
        }
        for noise in [coordinate(Axis::X, 1.0).scale_offset(1e-3, 5.0), sum.clone()] {
            let range = noise.range().expect("a range");
            let near = Region { origin: [1_073_741_000, -1_073_741_000, 0], ..Region::plane(64, 2) };
            let near = if noise == sum { Region { origin: near.origin.map(|x| x / 2), ..near } } else { near };
            let [lo, hi] = engine.field(&noise, &near).expect("within 2^30").extent().map(f64::from);
            assert!(range.contains(lo) && range.contains(hi), "{lo} to {hi} leaves {range:?}");
        }
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
    let sum = along().add(coordinate(Axis::Y, 3.0).scale_offset(-1.0, 0.0)).scale_offset(0.5, 7.0).add(coordinate(Axis::Z, 2.0));
    let moved = swirl.domain([along().scale_offset(220.0, 1.0), coordinate(Axis::Y, 2.0), Noise::constant(0.0)]);
    for (what, noise) in [("marble", marble), ("warped", warped), ("sum", sum), ("moved", moved)] {
        for x in [-5, 19_000_000_000] {
            let region = Region { origin: [x, 11, 0], ..Region::plane(70, 9) };
            let field = |engine: &Engine| engine.field_with_gradient(&noise, &region).expect("a field");
            assert_same_bits(&field(gpu()), &field(&cpu()), what);
        }
    }
}

/// Cells of a quantised space are counted in 32 bits: what has a place is refused beyond.
#[test]
fn coordinates_in_cells_are_refused_where_cells_end() {
    let told = |noise: &Noise, x: f64| match cpu().sample(noise, &[[x, 0.0, 0.0]], Gradient::Without) {
        Ok(found) => format!("{}", found[0].value),
        Err(error) => error.to_string(),
    };
    let cells = coordinate(Axis::X, 1.0).quantise([8.0; 3]);
    assert_eq!(told(&cells, 1e9), "1000000000");
    let far = "node 'coordinate': along an axis, the position [5000000000, 0, 0] is 5000000000 world units from the node's origin; \
        allowed: less than 1073741824";
    assert!(told(&cells, 5e9).contains(far), "{}", told(&cells, 5e9));
    // The coordinate has room, the cells have not.
    let cells = coordinate(Axis::X, 1e6).quantise([1.0; 3]);
    assert!(told(&cells, 5e9).contains("node 'quantise'"), "{}", told(&cells, 5e9));
    // Values outside of the cells count, too.
    let heights = Heights::new(vec![0.0, 1.0, 2.0, 3.0], [2, 2]).expect("heights");
    let raster = Noise::raster(Raster { heights, ..Default::default() }).quantise([8.0; 3]);
    let scaled = raster.clone().transform(Transform { scale: [1e3; 3], ..Default::default() });
    assert!(told(&scaled, 3e6).contains("is 3000000 world units from the node's origin"), "{}", told(&scaled, 3e6));
    let near = raster.transform(Transform { offset: [-1e12, 0.0, 0.0], ..Default::default() });
    assert_eq!(told(&near, 1e12 + 3.0), "3");
    // Lattices begin anew.
    let lattice = Noise::simplex(Simplex::default()).quantise([8.0; 3]);
    assert!(told(&lattice, 1e12).parse::<f64>().is_ok());
}

/// The polynomial repeats after 289 cells, and 2³² is not a multiple of that: there is no seam at the end of 32 bits.
#[test]
fn the_polynomial_hash_has_no_seam() {
    let noise = Noise::simplex(Simplex { dimensions: 3, hash: Hash::Permutation289, wavelength: 100.0, ..Default::default() });
    // Three quarters of a wavelength for each cell along one of the skewed axes, where the others are 0.
    let x = 75.0 * 2_147_483_648.0;
    let beside = |off: f64| -> Vec<[f64; 3]> { (0..60).map(|i| [x + off, f64::from(i % 8) * 5.0, f64::from(i / 8) * 5.0]).collect() };
    let values = |off| cpu().sample(&noise, &beside(off), Gradient::Without).expect("samples");
    for (a, b) in values(-1e-3).iter().zip(values(1e-3)) {
        assert!((a.value - b.value).abs() < 1e-3, "{} next to {}", a.value, b.value);
    }
    let rows = |x: i64| cpu().field(&noise, &Region { origin: [x, 0, 0], ..Region::plane(64, 4) }).expect("a field");
    let row = rows(75 * 2_147_483_648 - 32);
    let largest = row.values.chunks(64).flat_map(|row| row.windows(2)).map(|pair| (pair[1] - pair[0]).abs()).fold(0.0, f32::max);
    assert!(largest < 0.1, "a step of {largest}");
}

/// A long period is counted in world units, since a fraction of a sample is a small share of it.
#[test]
fn long_periods_are_not_taken_for_whole_samples() {
    let noise = Noise::simplex(Simplex { wavelength: 1e6, ..Default::default() }).periodic([1e12, 0.0, 0.0]);
    let index = 3 * 1_428_571_428 + 7;
    let tile = cpu().field(&noise, &Region { origin: [index, 5, 0], spacing: 700.0, ..Region::plane(4, 1) }).expect("a field");
    let point = cpu().sample(&noise, &[[index as f64 * 700.0, 3500.0, 0.0]], Gradient::Without).expect("a sample")[0].value;
    assert!((f64::from(tile.values[0]) - point).abs() < 1e-5, "{} and {point}", tile.values[0]);
}
