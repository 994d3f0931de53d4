//! Noise by example against its formula, written once more in f64, and what it promises: the exemplar's distribution, no seams.

use crate::support::{Random, assert_same_bits, cpu, gpu, hash, lattice_seed, mixed, oracle, signed};
use orogen::node::{ByExample, Fractal, Heights, Raster, Sampling, Simplex};
use orogen::{Engine, Gradient, Noise, Recipe, Region};

const SIZE: [u32; 2] = [61, 53];

/// A surface with a skewed distribution.
fn heights() -> Heights {
    let engine = Engine::new().expect("an engine");
    let noise = Noise::simplex(Simplex { wavelength: 9.0, seed: Some(3), ..Default::default() });
    let field = engine.field(&noise, &Region { size: [SIZE[0], SIZE[1], 1], ..Region::plane(1, 1) }).expect("a field");
    let values = field.values.iter().map(|x| 40.0 * x * x * x + if *x > 0.5 { 7.0 } else { 0.0 } - 3.0).collect();
    Heights::new(values, SIZE).expect("heights")
}

fn raster(sampling: Sampling) -> Noise {
    Noise::raster(Raster { heights: heights(), sampling, spacing: [2.0, -3.0], ..Default::default() })
}

fn of(rotation: f64) -> ByExample {
    ByExample { tile: Some(32.0), rotation, sharpness: 3.0, seed: 11, offset: Some([0.0; 3]), ..Default::default() }
}

fn normal(x: f64) -> f64 {
    0.5 * libm::erfc(-x / std::f64::consts::SQRT_2)
}

/// By bisection.
fn quantile(share: f64) -> f64 {
    let (mut lo, mut hi) = (-3.84f64, 3.84f64);
    for _ in 0..60 {
        let middle = 0.5 * (lo + hi);
        if normal(middle) < share { lo = middle } else { hi = middle }
    }
    0.5 * (lo + hi)
}

/// The samples in order, and the normal number of each.
fn ranked(values: &[f32]) -> (Vec<f64>, Vec<f64>) {
    let mut sorted: Vec<f64> = values.iter().map(|x| f64::from(*x)).collect();
    sorted.sort_by(f64::total_cmp);
    let count = sorted.len() as f64;
    let number = |x: &f32| {
        let x = f64::from(*x);
        let (first, last) = (sorted.partition_point(|y| *y < x), sorted.partition_point(|y| *y <= x));
        quantile((first + last) as f64 / 2.0 / count)
    };
    let numbers = values.iter().map(number).collect();
    (sorted, numbers)
}

/// The noise by its definition, with linear sampling.
fn brute(at: [f64; 3], of: &ByExample, (sorted, numbers): &(Vec<f64>, Vec<f64>)) -> f64 {
    let edge = of.tile.expect("set");
    let height = 3f64.sqrt() / 2.0;
    let (v, spacing) = (at[1] / edge / height, [2.0, -3.0]);
    let u = at[0] / edge - 0.5 * v;
    let (i, j) = (u.floor(), v.floor());
    let (mut sum, mut squares) = (0.0, 0.0);
    for (x, y) in [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)] {
        let (du, dv) = (u - i - x, v - j - y);
        // The hat function of a corner over its six triangles.
        let share = 1.0 - [du.abs(), dv.abs(), (du + dv).abs()].into_iter().fold(0.0, f64::max);
        if share <= 0.0 {
            continue;
        }
        let (q, r) = ((i + x) as i32, (j + y) as i32);
        let h = hash([q + r, r, 0], 2, lattice_seed(&[11]));
        let turn = of.rotation.to_radians() * signed(mixed(mixed(h)));
        let (dx, dy) = (edge * (du + 0.5 * dv), edge * height * dv);
        let d = [dx * turn.cos() - dy * turn.sin(), dx * turn.sin() + dy * turn.cos()];
        let words = [signed(h), signed(mixed(h))];
        let place: [f64; 2] = std::array::from_fn(|axis| {
            let margin = (edge / spacing[axis]).abs();
            let free = f64::from(SIZE[axis] - 1) - 2.0 * margin;
            margin + free * (0.5 + 0.5 * words[axis]) + d[axis] / spacing[axis]
        });
        let sample = |x: f64, y: f64| numbers[y as usize * SIZE[0] as usize + x as usize];
        let (x, y) = (place[0].floor(), place[1].floor());
        let (fx, fy) = (place[0] - x, place[1] - y);
        let row = |y: f64| sample(x, y) + fx * (sample((x + 1.0).min(f64::from(SIZE[0] - 1)), y) - sample(x, y));
        let value = row(y) + fy * (row((y + 1.0).min(f64::from(SIZE[1] - 1))) - row(y));
        let weight = libm::pow(share, of.sharpness);
        sum += weight * value;
        squares += weight * weight;
    }
    let found = sum / squares.sqrt();
    let rank = (normal(found) * sorted.len() as f64 - 0.5).clamp(0.0, (sorted.len() - 1) as f64);
    let lower = sorted[rank as usize];
    lower + rank.fract() * (sorted[(rank as usize + 1).min(sorted.len() - 1)] - lower)
}

fn positions(count: usize) -> Vec<[f64; 3]> {
    let mut random = Random(3);
    (0..count).map(|_| [random.between(-9000.0, 9000.0), random.between(-9000.0, 9000.0), 0.0]).collect()
}

#[test]
fn values_are_those_of_the_formula() {
    let ranked = ranked(heights().values().expect("values"));
    let range = ranked.0[ranked.0.len() - 1] - ranked.0[0];
    for rotation in [0.0, 40.0, 180.0] {
        let noise = raster(Sampling::Linear).by_example(of(rotation));
        let at = positions(3000);
        let found = oracle().sample(&noise, &at, Gradient::Without).expect("samples");
        let single = cpu().sample(&noise, &at, Gradient::Without).expect("samples");
        // The way back has 256 pieces, and jumps of the exemplar's distribution fall between two of them.
        let mut off: Vec<f64> = at.iter().zip(&found).map(|(at, found)| (found.value - brute(*at, &of(rotation), &ranked)).abs()).collect();
        off.sort_by(f64::total_cmp);
        println!("turned by {rotation}: median {:e}, 99 % {:e}, most {:e} of {range}", off[1500], off[2970], off[2999]);
        assert!(off[1500] < 1e-3 * range && off[2970] < 0.03 * range && off[2999] < 0.15 * range, "{rotation}");
        let apart = found.iter().zip(&single).filter(|(a, b)| (a.value - b.value).abs() > 1e-3 * range).count();
        assert!(apart < 10, "{apart} of 3000 differ in f32");
    }
}

/// The share of values below each tenth of the exemplar's is a tenth.
#[test]
fn the_distribution_is_that_of_the_exemplar() {
    let mut sorted = heights().values().expect("values").to_vec();
    sorted.sort_by(f32::total_cmp);
    for (sampling, rotation, sharpness) in [(Sampling::Linear, 0.0, 1.0), (Sampling::Nearest, 180.0, 4.0), (Sampling::Cubic, 90.0, 2.0)] {
        let noise = raster(sampling).by_example(ByExample { sharpness, ..of(rotation) });
        let field = cpu().field(&noise, &Region { spacing: 5.0, ..Region::plane(700, 700) }).expect("a field");
        let [lo, hi] = field.extent();
        assert!(lo >= sorted[0] - 1e-4 && hi <= sorted[sorted.len() - 1] + 1e-4, "{lo} to {hi}");
        for tenth in 1..10 {
            let limit = sorted[sorted.len() * tenth / 10];
            let share = field.values.iter().filter(|x| **x < limit).count() as f64 / field.values.len() as f64;
            assert!((share - tenth as f64 / 10.0).abs() < 0.05, "{sampling}: {share} below {tenth} tenths");
        }
    }
}

#[test]
fn gradients_are_those_of_differences() {
    for sampling in [Sampling::Linear, Sampling::Cubic] {
        let noise = raster(sampling).by_example(of(70.0));
        let value = |at: [f64; 3]| oracle().sample(&noise, &[at], Gradient::Without).expect("a sample")[0].value;
        let step = 1e-4;
        let mut compared = 0;
        for at in positions(200) {
            let given = oracle().sample(&noise, &[at], Gradient::With).expect("a sample")[0].gradient.expect("asked for");
            for axis in 0..2 {
                let moved = |by: f64| {
                    let mut moved = at;
                    moved[axis] += by * step;
                    value(moved)
                };
                let [a, b, c, d] = [-2.0, -1.0, 1.0, 2.0].map(moved);
                // A crease of the way back, or of linear sampling, lies between.
                if ((b - a) - (d - c)).abs() > 0.02 * ((b - a).abs() + (d - c).abs()) {
                    continue;
                }
                let expected = (c - b) / (2.0 * step);
                assert!((given[axis] - expected).abs() < 0.02 * (0.5 + expected.abs()), "{sampling} at {at:?}: {given:?}, not {expected}");
                compared += 1;
            }
        }
        assert!(compared > 200, "{compared}");
    }
}

/// A fine walk over many triangles has no steps.
#[test]
fn there_are_no_seams() {
    let noise = raster(Sampling::Cubic).by_example(ByExample { sharpness: 8.0, ..of(180.0) });
    let steep = |spacing: f64| {
        let region = Region { size: [60_000, 1, 1], spacing, ..Region::plane(1, 1) };
        let values = oracle().field(&noise, &region).expect("a field").values;
        values.windows(2).map(|pair| (pair[1] - pair[0]).abs()).fold(0.0, f32::max)
    };
    let (coarse, fine) = (steep(0.04), steep(0.01));
    assert!(fine < 0.5 * coarse, "steps of {fine} at a quarter of the spacing, of {coarse} before");
}

#[test]
#[cfg_attr(skip_gpu, ignore = "needs a GPU")]
fn gpu_and_cpu_have_the_same_bits() {
    let region = Region { origin: [-20, 1_000_000_007, 0], size: [67, 41, 1], spacing: 3.3, ..Region::plane(1, 1) };
    for sampling in Sampling::ALL {
        let plain = raster(*sampling).by_example(of(50.0));
        let octaves = plain.clone().fractal(Fractal { octaves: 2, rotation: 30.0, ..Default::default() });
        let periodic = raster(*sampling).by_example(ByExample { tile: Some(30.0), ..of(10.0) }).periodic([300.0, 0.0, 0.0]);
        let warped = plain.clone().warp([Noise::simplex(Simplex::default()), 0.0.into(), 0.0.into()], 20.0);
        for (what, noise) in [("plain", plain), ("octaves", octaves), ("periodic", periodic), ("warped", warped)] {
            let [a, b] = [&cpu(), gpu()].map(|engine| engine.field_with_gradient(&noise, &region).expect(what));
            assert_same_bits(&a, &b, &format!("{what}, {sampling}"));
        }
    }
}

#[test]
fn parameters_that_do_not_fit_are_refused() {
    let error = |noise: Noise| cpu().field(&noise, &Region::plane(2, 2)).expect_err("refused").to_string();
    let got = error(raster(Sampling::Linear).by_example(ByExample { tile: Some(61.0), ..Default::default() }));
    assert!(got.contains("tile") && got.contains("61") && got.contains("60"), "{got}");
    let got = error(Noise::simplex(Simplex::default()).by_example(ByExample::default()));
    assert!(got.contains("of") && got.contains("a node raster"), "{got}");
    let text = "output = \"n\"\n[node.n]\nkind = \"by_example\"\nof = 3.0\n";
    let got = Recipe::from_toml(text, "r.toml").expect_err("a number").to_string();
    assert!(got.contains("of = 3 is not allowed; allowed: the name of a node raster"), "{got}");
    let line = Heights::new(vec![1.0, 2.0], [2, 1]).expect("heights");
    let got = error(Noise::raster(Raster { heights: line, ..Default::default() }).by_example(ByExample::default()));
    assert!(got.contains("2 × 2 samples"), "{got}");
    let level = Heights::new(vec![4.0; 25], [5, 5]).expect("heights");
    let flat = cpu()
        .field(&Noise::raster(Raster { heights: level, ..Default::default() }).by_example(ByExample::default()), &Region::plane(30, 3));
    assert!(flat.expect("a field").values.iter().all(|x| *x == 4.0), "an even exemplar gives an even surface");
}
