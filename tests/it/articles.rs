//! The definitions in the articles on coherent and on one-dimensional noise, by their own formulas.

use crate::support::{Random, cpu, oracle};
use orogen::draw::HexMap;
use orogen::node::{Fractal, HexHash, Hexagonal, Interpolation, OctaveSeeds, Perlin, Simplex, Value, ValueHash};
use orogen::{Gradient, Noise, Region};

fn at(noise: &Noise, position: [f64; 3]) -> f64 {
    oracle().sample(noise, &[position], Gradient::Without).expect("sample")[0].value
}

/// "Hill Noise", existing noise functions, and "I made my own noise function", 1D. Between two lattice points the value is
/// `(1 − k)·n1 + k·n2` with `k = 1/2 − cos(π·fraction)/2`. It is linear without the cosine, and the lower point's value when
/// truncated.
#[test]
fn value_noise_interpolates_as_the_articles_do() {
    let noise = |interpolation| {
        Noise::value(Value { dimensions: 1, interpolation, wavelength: 8.0, offset: Some([0.0; 3]), seed: 5, ..Default::default() })
    };
    let mut random = Random(21);
    for _ in 0..500 {
        let cell = random.between(-100.0, 100.0).floor();
        let t = random.between(0.0, 1.0);
        for (interpolation, k) in [
            (Interpolation::Cosine, 0.5 - 0.5 * (t * std::f64::consts::PI).cos()),
            (Interpolation::Linear, t),
            (Interpolation::Truncated, 0.0),
            (Interpolation::Cubic, t * t * (3.0 - 2.0 * t)),
            (Interpolation::Quintic, t * t * t * (t * (t * 6.0 - 15.0) + 10.0)),
        ] {
            let noise = noise(interpolation);
            let (n1, n2) = (at(&noise, [cell * 8.0, 0.0, 0.0]), at(&noise, [(cell + 1.0) * 8.0, 0.0, 0.0]));
            let got = at(&noise, [(cell + t) * 8.0, 7.0, 7.0]);
            assert!((got - ((1.0 - k) * n1 + k * n2)).abs() < 1e-9, "{interpolation:?} at {cell} + {t}: {got} between {n1} and {n2}");
        }
    }
}

/// "Hill Noise", `ValueNoise` and `OctaveNoise`: 256 numbers over and over, a cosine between two of them; octaves of one noise, of
/// size `0.5^i`, over 2.
#[test]
fn value_noise_by_a_table_is_the_articles() {
    let mut random = Random(77);
    let values: Vec<f64> = (0..256).map(|_| random.between(0.0, 1.0)).collect();
    let evaluate = |x: f64| {
        let (x1, x2) = ((x / 10.0).floor(), (x / 10.0).ceil());
        let [n1, n2] = [x1, x2].map(|i| values[i.rem_euclid(256.0) as usize]);
        let k = 0.5 - 0.5 * ((x / 10.0).rem_euclid(1.0) * std::f64::consts::PI).cos();
        (1.0 - k) * n1 + k * n2
    };
    let octaves = |x: f64| (0..6).map(|i| 0.5f64.powi(i)).map(|size| size * evaluate(x / size)).sum::<f64>() / 2.0;
    let noise = Noise::value(Value {
        dimensions: 1,
        hash: ValueHash::Table,
        values: Some(values.clone()),
        interpolation: Interpolation::Cosine,
        wavelength: 10.0,
        offset: Some([0.0; 3]),
        ..Default::default()
    });
    let sum = Fractal { octaves: 6, seeds: OctaveSeeds::Same, normalise: false, ..Default::default() };
    let octave_noise = noise.clone().fractal(sum).scale_offset(0.5, 0.0);
    for reach in [50.0, 1e4, 1e9] {
        for _ in 0..200 {
            let x = random.between(-reach, reach);
            let (one, all) = (at(&noise, [x, 3.0, 4.0]), at(&octave_noise, [x, 3.0, 4.0]));
            // The article's own arithmetic loses the fraction of a far position.
            let bound = 1e-9 + reach * 4e-15;
            assert!((one - evaluate(x)).abs() < bound, "{one} instead of {} at {x}", evaluate(x));
            assert!((all - octaves(x)).abs() < 32.0 * bound, "{all} instead of {} at {x}", octaves(x));
        }
    }
    let range = noise.range().expect("a range");
    let (least, most) = values.iter().fold((1.0f64, 0.0f64), |(lo, hi), &x| (lo.min(x), hi.max(x)));
    assert!((range.lo - least).abs() < 1e-5 && (range.hi - most).abs() < 1e-5, "{range:?} for {least} to {most}");
}

/// Simplex noise in 1D is made of what its points' slopes bring, `g · d · (1 − d²)⁴`: a slope is the gradient at its point, where no other
/// point reaches.
#[test]
fn simplex_noise_in_1d_is_two_falloffs() {
    let noise = Noise::simplex(Simplex { dimensions: 1, wavelength: 7.0, offset: Some([0.0; 3]), ..Default::default() });
    let slope = |i: f64| {
        oracle().sample(&noise, &[[7.0 * i, 0.0, 0.0]], Gradient::With).expect("a sample")[0].gradient.expect("asked for")[0] * 7.0
    };
    let mut random = Random(41);
    let mut largest = 0.0f64;
    for _ in 0..500 {
        let (i, d) = (random.between(-1e6, 1e6).floor(), random.between(0.0, 1.0));
        let part = |g: f64, d: f64| g * d * (1.0 - d * d).powi(4);
        let (expected, got) = (part(slope(i), d) + part(slope(i + 1.0), d - 1.0), at(&noise, [7.0 * (i + d), 5.0, -8.0]));
        assert!((got - expected).abs() < 1e-8, "{got} instead of {expected} at {i} + {d}");
        assert!(at(&noise, [7.0 * i, 1.0, 2.0]).abs() < 1e-8);
        largest = largest.max(slope(i).abs());
    }
    assert!((3.1..256.0 / 81.0).contains(&largest), "slopes reach {largest}");
}

/// The same along two axes: first along one, then along the other.
#[test]
fn value_noise_in_2d_is_blended_axis_by_axis() {
    let noise = Noise::value(Value { interpolation: Interpolation::Cosine, wavelength: 1.0, offset: Some([0.0; 3]), ..Default::default() });
    let smooth = |t: f64| (1.0 - (t * std::f64::consts::PI).cos()) / 2.0;
    let lerp = |a: f64, b: f64, t: f64| a * (1.0 - t) + b * t;
    let mut random = Random(3);
    for _ in 0..300 {
        let (x, y) = (random.between(-50.0, 50.0), random.between(-50.0, 50.0));
        let corner = |i: f64, j: f64| at(&noise, [x.floor() + i, y.floor() + j, 0.0]);
        let (tx, ty) = (smooth(x - x.floor()), smooth(y - y.floor()));
        let (low, high) = (lerp(corner(0.0, 0.0), corner(1.0, 0.0), tx), lerp(corner(0.0, 1.0), corner(1.0, 1.0), tx));
        assert!((at(&noise, [x, y, 0.0]) - lerp(low, high, ty)).abs() < 1e-9, "({x}, {y})");
    }
}

/// "Coherent noise", FBM: `total += basis(p) · scale; p *= lacunarity; scale *= gain`. Its octaves share one basis, so one without
/// a seed stands in for it here.
#[test]
fn fbm_is_the_articles_sum() {
    let basis = || {
        let hash = orogen::node::Hash::Permutation289;
        Noise::simplex(Simplex { dimensions: 3, hash, wavelength: 40.0, ..Default::default() })
    };
    let (octaves, lacunarity, gain) = (5, 2.1, 0.6);
    let offsets = Some(vec![[0.0; 3]; 5]);
    let fbm = basis().fractal(Fractal { octaves, lacunarity, gain, offsets, normalise: false, ..Default::default() });
    let mut random = Random(14);
    for _ in 0..300 {
        let mut p = [0; 3].map(|_| random.between(-500.0, 500.0));
        let got = at(&fbm, p);
        let (mut total, mut scale) = (0.0, 1.0);
        for _ in 0..octaves {
            total += at(&basis(), p) * scale;
            p = p.map(|x| x * lacunarity);
            scale *= gain;
        }
        assert!((got - total).abs() < 1e-8, "{got} instead of {total}");
    }
}

/// "Coherent noise", turbulence: `data(p + offset · scale)` with one noise per axis, also at 1600 %.
#[test]
fn turbulence_is_the_articles_displacement() {
    let perlin = |seed| Noise::perlin(Perlin { wavelength: 30.0, seed, ..Default::default() });
    let mut random = Random(15);
    for share in [0.05, 0.25, 4.0, 16.0] {
        let scale = share * 30.0;
        let noise = perlin(1).warp([perlin(2), perlin(3), Noise::constant(0.0)], scale);
        for _ in 0..200 {
            let p = [random.between(-1e4, 1e4), random.between(-1e4, 1e4), 0.0];
            let moved = [p[0] + scale * at(&perlin(2), p), p[1] + scale * at(&perlin(3), p), 0.0];
            let (got, expected) = (at(&noise, p), at(&perlin(1), moved));
            assert!((got - expected).abs() < 1e-9, "{share}: {got} instead of {expected}");
        }
    }
}

/// Hexagons repeat after whole wavelengths along x and pairs of rows along y.
#[test]
fn a_board_of_hexagons_repeats() {
    let rows = 3f64.sqrt() * 4.0;
    for hash in [HexHash::Integer, HexHash::Tables] {
        board_repeats(&Noise::hexagonal(Hexagonal { hash, wavelength: 2.0, ..Default::default() }).periodic([20.0, rows, 0.0]));
    }
}

fn board_repeats(noise: &Noise) {
    let map = |q: i32, r: i32| HexMap { q: q..q + 20, r: r..r + 8, wavelength: 2.0 };
    let values = |map: HexMap| -> Vec<f64> {
        cpu().sample(noise, &map.centres(), Gradient::Without).expect("sample").iter().map(|s| s.value).collect()
    };
    let here = values(map(-5, -3));
    // Ten hexagons to the right; four rows down and two back are straight down.
    assert_eq!(values(map(5, -3)), here);
    assert_eq!(values(map(-7, 1)), here);
    assert_ne!(values(map(-4, -3)), here);
}

/// Noise in 4D moves with its fourth coordinate, and is the same noise there at every scale.
#[test]
fn the_fourth_axis_is_one_more_axis() {
    for noise in [
        |w: f64| Noise::perlin(Perlin { dimensions: 4, w, wavelength: 20.0, ..Default::default() }),
        |w: f64| Noise::value(Value { dimensions: 4, w, wavelength: 20.0, ..Default::default() }),
        |w: f64| Noise::simplex(Simplex { dimensions: 4, w, wavelength: 20.0, ..Default::default() }),
    ] {
        let field = |w: f64| cpu().field(&noise(w), &Region::plane(64, 64)).expect("field").values;
        let off = |a: &[f32], b: &[f32]| a.iter().zip(b).fold(0.0f32, |m, (a, b)| m.max((a - b).abs()));
        let (now, soon, later) = (field(3.0), field(3.01), field(300.0));
        assert!(off(&now, &soon) > 0.0 && off(&now, &soon) < 0.01, "time moves it, and smoothly: {}", off(&now, &soon));
        assert!(off(&now, &later) > 0.3, "another time is another noise");
    }
}
