//! Worley noise against brute force over a neighbourhood that cannot miss, written once more here, and against geometry.

use crate::support::{Random, cpu, hash, lattice_seed, oracle, own_gpu};
use orogen::node::{Metric, Transform, Worley, WorleyOutput};
use orogen::{Gradient, Noise, Region};

const METRICS: [Metric; 4] = [Metric::Euclidean, Metric::Squared, Metric::Manhattan, Metric::Chebyshev];

/// Weights that pick one of the distances.
fn only(k: usize) -> Vec<f64> {
    (1..=k).map(|i| if i == k { 1.0 } else { 0.0 }).collect()
}

/// A noise whose lattice is the world's: cells of one unit, corners at integers.
pub fn unit(dimensions: u32, metric: Metric, jitter: f64) -> Worley {
    Worley { dimensions, metric, jitter, wavelength: 1.0, seed: 11, offset: Some([0.0; 3]), ..Default::default() }
}

/// The points of every cell up to `rings` away, as seen from a position that f32 can hold relative to its cell.
pub fn points(at: [f64; 3], dimensions: u32, jitter: f32, seed: u32, rings: i32) -> impl Iterator<Item = [f32; 3]> {
    let cell = at.map(|x| x.floor() as i32);
    let (bits, scale) = if dimensions < 3 { (16, 65536.0f32) } else { (10, 1024.0) };
    let step = jitter / scale;
    let middle = at.map(|x| (x - x.floor()) as f32 - 0.5 - 0.5 * step);
    let (height, depth) = (if dimensions > 1 { rings } else { 0 }, if dimensions > 2 { rings } else { 0 });
    let offsets = (-depth..=depth).flat_map(move |z| (-height..=height).flat_map(move |y| (-rings..=rings).map(move |x| [x, y, z])));
    offsets.map(move |o| {
        let h = hash(std::array::from_fn(|i| cell[i].wrapping_add(o[i])), dimensions, seed);
        std::array::from_fn(|i| {
            if i >= dimensions as usize {
                return 0.0;
            }
            let random = (h << (bits * i as u32)) as i32 >> (32 - bits);
            random as f32 * step - (middle[i] - o[i] as f32)
        })
    })
}

/// F1 to F4 by brute force, squared where the metric is Euclidean.
fn brute(points: impl Iterator<Item = [f32; 3]>, metric: Metric) -> [f32; 4] {
    let mut nearest = [f32::INFINITY; 5];
    for [x, y, z] in points {
        nearest[4] = match metric {
            Metric::Euclidean | Metric::Squared => x * x + (y * y + z * z),
            Metric::Manhattan => x.abs() + (y.abs() + z.abs()),
            Metric::Chebyshev => x.abs().max(y.abs()).max(z.abs()),
            _ => panic!("no brute force for {metric}"),
        };
        nearest.sort_by(f32::total_cmp);
    }
    std::array::from_fn(|k| nearest[k])
}

/// Positions whose fractions f32 holds: half of them anywhere, half in rows across a few cells as regions have them.
pub fn positions(count: usize, random: &mut Random) -> Vec<[f64; 3]> {
    let mut anywhere = || [0; 3].map(|_| (random.between(-3000.0, 3000.0) * 16_777_216.0).floor() / 16_777_216.0);
    let mut all: Vec<[f64; 3]> = (0..count / 2).map(|_| anywhere()).collect();
    while all.len() < count {
        let start = anywhere();
        let step = [1.0 / 1024.0, 1.0 / 64.0, 0.375][all.len() % 3];
        all.extend((0..64).map(|i| [start[0] + f64::from(i) * step, start[1], start[2]]));
    }
    all
}

#[test]
fn distances_are_those_of_brute_force() {
    let mut random = Random(1);
    let (mut compared, mut further) = (0, 0);
    for (dimensions, count) in [(1, 30_000), (2, 90_000), (3, 60_000)] {
        for metric in METRICS {
            for jitter in [1.0, 0.75] {
                let at = positions(count / 2, &mut random);
                let rings = |rings, at| brute(points(at, dimensions, jitter as f32, lattice_seed(&[11]), rings), metric);
                let expected: Vec<[f32; 4]> = at.iter().map(|&at| rings(3, at)).collect();
                // This test could not fail if no point outside the nine or 27 cells mattered.
                further += at.iter().zip(&expected).take(2000).filter(|&(&at, expected)| rings(1, at) != *expected).count();
                for k in 1..=4 {
                    let noise = Noise::worley(Worley { weights: only(k), ..unit(dimensions, metric, jitter) });
                    for (i, sample) in cpu().sample(&noise, &at, Gradient::Without).expect("samples").iter().enumerate() {
                        let (got, expected) = (sample.value as f32, expected[i][k - 1]);
                        // The library's root is not std's; squares must have the same bits. In 1D all others are roots of squares.
                        let same = match metric {
                            Metric::Euclidean => (got - expected.sqrt()).abs() <= f32::EPSILON * got,
                            Metric::Manhattan | Metric::Chebyshev if dimensions == 1 => (got - expected).abs() <= f32::EPSILON * got,
                            _ => got.to_bits() == expected.to_bits(),
                        };
                        assert!(same, "{dimensions}D {metric:?}, jitter {jitter}, F{k} at {:?}: {got} is not {expected}", at[i]);
                        compared += 1;
                    }
                }
            }
        }
    }
    println!("{compared} compared; a point further out mattered to {further} of 32000");
    assert!(compared >= 2_000_000 && further > 300, "{compared}, {further}");
}

#[test]
fn without_jitter_distances_are_those_of_the_grid() {
    let values = |metric, at: [f64; 3]| {
        [1, 2, 3, 4].map(|k| {
            let noise = Noise::worley(Worley { weights: only(k), ..unit(2, metric, 0.0) });
            cpu().sample(&noise, &[at], Gradient::Without).expect("sample")[0].value as f32
        })
    };
    for cell in [-3.0, 0.0, 1e6] {
        let (middle, corner, side) = ([cell + 0.5, 0.5, 9.0], [cell, 0.0, 9.0], [cell + 0.5, 1.0, 9.0]);
        assert_eq!(values(Metric::Squared, middle), [0.0, 1.0, 1.0, 1.0]);
        assert_eq!(values(Metric::Euclidean, middle), [0.0, 1.0, 1.0, 1.0]);
        assert_eq!(values(Metric::Squared, corner), [0.5; 4]);
        assert_eq!(values(Metric::Squared, side), [0.25, 0.25, 1.25, 1.25]);
        assert_eq!(values(Metric::Manhattan, side), [0.5, 0.5, 1.5, 1.5]);
        assert_eq!(values(Metric::Chebyshev, corner), [0.5; 4]);
    }
    let edge = Noise::worley(Worley { output: WorleyOutput::Edge, ..unit(2, Metric::Euclidean, 0.0) });
    let got = cpu().sample(&edge, &[[0.5, 0.5, 0.0], [0.25, 0.5, 0.0], [3.0, 0.25, 0.0]], Gradient::With).expect("samples");
    let near = |a: f64, b: f64| (a - b).abs() <= 1e-7;
    assert!(near(got[0].value, 0.5) && near(got[1].value, 0.25) && near(got[2].value, 0.0), "{got:?}");
    let away = got[1].gradient.expect("asked for");
    assert!(near(away[0], 1.0) && away[1..] == [0.0, 0.0], "not away from the border at 0: {away:?}");
}

#[test]
fn distances_are_in_order() {
    for dimensions in [1, 2, 3] {
        for metric in METRICS {
            let region = Region { spacing: 0.13, origin: [-70, 11, 3], ..Region::plane(150, 60) };
            let fields = [1, 2, 3, 4].map(|k| {
                cpu().field(&Noise::worley(Worley { weights: only(k), ..unit(dimensions, metric, 1.0) }), &region).expect("field").values
            });
            for pair in fields.windows(2) {
                // Roots of nearly equal numbers may change places.
                assert!(pair[0].iter().zip(&pair[1]).all(|(a, b)| *a <= b * (1.0 + 2.0 * f32::EPSILON)), "{dimensions}D {metric:?}");
            }
            let sum = Worley { weights: vec![-1.0, 1.0, 0.5], ..unit(dimensions, metric, 1.0) };
            let sum = cpu().field(&Noise::worley(sum), &region).expect("field").values;
            for (i, sum) in sum.iter().enumerate() {
                let expected = fields[1][i] - fields[0][i] + 0.5 * fields[2][i];
                assert!((sum - expected).abs() <= 1e-6, "{dimensions}D {metric:?}: {sum} is not {expected}");
            }
        }
    }
}

/// The distance to the nearest bisector between the nearest point and any other, in f64, and how much nearer the nearest is.
fn brute_edge(at: [f64; 3], dimensions: u32) -> f64 {
    let all: Vec<[f64; 3]> = points(at, dimensions, 1.0, lattice_seed(&[11]), 5).map(|p| p.map(f64::from)).collect();
    let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    let inside = *all.iter().min_by(|a, b| dot(**a, **a).total_cmp(&dot(**b, **b))).expect("points");
    let border = |outside: &[f64; 3]| {
        let across = std::array::from_fn(|i| outside[i] - inside[i]);
        (dot(*outside, *outside) - dot(inside, inside)) / (2.0 * dot(across, across).sqrt())
    };
    all.iter().filter(|p| **p != inside).map(border).fold(f64::INFINITY, f64::min)
}

#[test]
fn edges_are_the_nearest_bisectors() {
    for (dimensions, count) in [(1, 20_000), (2, 60_000), (3, 9_000)] {
        let noise = Noise::worley(Worley { output: WorleyOutput::Edge, ..unit(dimensions, Metric::Euclidean, 1.0) });
        let at = positions(count, &mut Random(5));
        let mut worst = 0.0f64;
        let exact = oracle().sample(&noise, &at, Gradient::Without).expect("samples");
        for (i, sample) in cpu().sample(&noise, &at, Gradient::With).expect("samples").iter().enumerate() {
            let expected = brute_edge(at[i], dimensions);
            worst = worst.max((sample.value - expected).abs()).max((exact[i].value - expected).abs());
            let gradient = sample.gradient.expect("asked for");
            let length = gradient.iter().map(|g| g * g).sum::<f64>().sqrt();
            assert!((length - 1.0).abs() < 1e-5, "{dimensions}D at {:?}: a gradient of length {length}", at[i]);
        }
        println!("{dimensions}D: off by at most {worst:e}");
        assert!(worst <= 2e-6, "{dimensions}D: off by {worst:e}");
    }
}

#[test]
fn ratios_are_those_of_the_two_nearest_points() {
    let mut worst = 0.0f64;
    for (dimensions, count) in [(1, 4000), (2, 8000), (3, 4000)] {
        for metric in METRICS {
            let noise = Noise::worley(Worley { output: WorleyOutput::Ratio, ..unit(dimensions, metric, 1.0) });
            let at = positions(count, &mut Random(6));
            let exact = oracle().sample(&noise, &at, Gradient::Without).expect("samples");
            for (i, sample) in cpu().sample(&noise, &at, Gradient::Without).expect("samples").iter().enumerate() {
                let [first, second, ..] = brute(points(at[i], dimensions, 1.0, lattice_seed(&[11]), 4), metric).map(f64::from);
                let quotient = first / second;
                let expected = if metric == Metric::Euclidean { quotient.sqrt() } else { quotient };
                worst = worst.max((sample.value - expected).abs()).max((exact[i].value - expected).abs());
                assert!((0.0..=1.0).contains(&sample.value), "{dimensions}D {metric:?} at {:?}: {}", at[i], sample.value);
            }
        }
    }
    println!("off by at most {worst:e}");
    assert!(worst <= 5e-6, "off by {worst:e}");
}

#[test]
fn borders_have_their_width_and_bevel_in_world_units() {
    for (width, bevel) in [(0.2, 0.1), (0.05, 0.4), (0.0, 0.2), (0.3, 0.000_001)] {
        let noise = Noise::worley(Worley { output: WorleyOutput::Border, width, bevel, ..unit(2, Metric::Euclidean, 1.0) });
        let scaled = Worley { wavelength: 50.0, width: 50.0 * width, bevel: 50.0 * bevel, ..unit(2, Metric::Euclidean, 1.0) };
        let scaled = Noise::worley(Worley { output: WorleyOutput::Border, ..scaled });
        let at = positions(4000, &mut Random(7));
        let larger: Vec<[f64; 3]> = at.iter().map(|at| at.map(|x| 50.0 * x)).collect();
        let got = oracle().sample(&noise, &at, Gradient::Without).expect("samples");
        let larger = oracle().sample(&scaled, &larger, Gradient::Without).expect("samples");
        let mut inside = 0;
        for i in 0..at.len() {
            let away = brute_edge(at[i], 2) - width / 2.0;
            // Rounding decides the side of these.
            if away.abs() < 1e-5 {
                continue;
            }
            let expected = (away / bevel).clamp(0.0, 1.0);
            inside += usize::from(expected == 0.0);
            for value in [got[i].value, larger[i].value] {
                assert!((value - expected).abs() < 1e-4, "width {width}, bevel {bevel} at {:?}: {value} is not {expected}", at[i]);
            }
        }
        assert!(width == 0.0 || inside > 100, "{inside} samples on borders");
    }
}

#[test]
fn cell_values_are_constant_where_the_nearest_point_is_the_same() {
    for metric in [Metric::Euclidean, Metric::Manhattan] {
        let noise = |output| Noise::worley(Worley { output, ..unit(2, metric, 1.0) });
        // On one side of the origin: the hash gives a third of all cells the bits of the cell opposite it.
        let region = Region { origin: [320, 640, 0], spacing: 1.0 / 32.0, ..Region::plane(320, 320) };
        let values = cpu().field_with_gradient(&noise(WorleyOutput::Cell), &region).expect("field");
        assert!(values.gradients.expect("asked for").iter().all(|g| *g == [0.0; 3]));
        // The nearest point's cell by brute force, as its index in the list of points and the sample's cell.
        let mut seen = std::collections::HashMap::new();
        for y in 0..320 {
            for x in 0..320 {
                let at = region.position([x, y, 0]);
                let key = |[a, b, _]: [f32; 3]| if metric == Metric::Euclidean { a * a + b * b } else { a.abs() + b.abs() };
                let all: Vec<f32> = points(at, 2, 1.0, lattice_seed(&[11]), 3).map(key).collect();
                let nearest = (0..49).fold(0, |best, i| if all[i] < all[best] { i } else { best });
                let cell = (at[0].floor() as usize + nearest % 7, at[1].floor() as usize + nearest / 7);
                let value = values.values[(y * 320 + x) as usize];
                assert_eq!(*seen.entry(cell).or_insert(value), value, "{metric:?}, at {at:?}");
            }
        }
        let mut distinct: Vec<u32> = seen.values().map(|v| v.to_bits()).collect();
        distinct.sort_unstable();
        distinct.dedup();
        assert_eq!(distinct.len(), seen.len(), "two cells of the same value");
        assert!(seen.len() > 90);
    }
}

/// The k-th smallest of the furthest distances to the points of all cells, which bounds F_k, at most `half` along every axis away
/// from `centre`. Coordinates are from the middle of the sample's cell and positive: the rest follows by symmetry.
fn furthest(k: usize, metric: Metric, reach: f64, centre: [f64; 3], half: f64, n: usize) -> f64 {
    let mut all = Vec::new();
    for cell in 0..4i32.pow(n as u32) {
        let axis = |i: usize| (centre[i] - f64::from(cell / 4i32.pow(i as u32) % 4 - 1)).abs() + half + reach;
        let u: [f64; 3] = std::array::from_fn(|i| if i < n { axis(i) } else { 0.0 });
        all.push(match metric {
            Metric::Euclidean => (u[0] * u[0] + u[1] * u[1] + u[2] * u[2]).sqrt(),
            Metric::Squared => u[0] * u[0] + u[1] * u[1] + u[2] * u[2],
            Metric::Manhattan => u[0] + u[1] + u[2],
            Metric::Chebyshev => u[0].max(u[1]).max(u[2]),
            _ => panic!("no bound for {metric}"),
        });
    }
    all.sort_by(f64::total_cmp);
    all[k - 1]
}

/// Whether it stays below `limit` in a whole box, splitting it as far as needed.
fn stays_below(limit: f64, k: usize, metric: Metric, reach: f64, centre: [f64; 3], half: f64, n: usize) -> bool {
    if furthest(k, metric, reach, centre, half, n) <= limit {
        return true;
    }
    if half < 1e-7 || furthest(k, metric, reach, centre, 0.0, n) > limit {
        return false;
    }
    (0..1 << n).all(|side| {
        let child = std::array::from_fn(|i| if i >= n { 0.0 } else { centre[i] + if side >> i & 1 == 1 { 0.5 } else { -0.5 } * half });
        stays_below(limit, k, metric, reach, child, 0.5 * half, n)
    })
}

#[test]
fn bounds_of_distances_are_proven() {
    for n in [1, 2, 3] {
        for metric in METRICS {
            for jitter in [0.0, 0.4, 1.0] {
                for k in 1..=4 {
                    let noise = Noise::worley(Worley { weights: only(k), ..unit(n, metric, jitter) });
                    let range = noise.range().expect("range");
                    assert_eq!(range.lo, 0.0);
                    let below = |limit| stays_below(limit, k, metric, jitter / 2.0, [0.25; 3], 0.25, n as usize);
                    // If whole planes reach the bound, branch and bound comes arbitrarily close but not below. There the bound has
                    // a proof in words.
                    let plain = matches!(metric, Metric::Manhattan | Metric::Chebyshev);
                    assert!(
                        below(range.hi * if plain { 1.02 } else { 1.0 - 1e-6 }),
                        "{n}D {metric:?} jitter {jitter}: F{k} leaves {}",
                        range.hi
                    );
                    if plain || jitter != 0.4 {
                        assert!(!below(range.hi * 0.999), "{n}D {metric:?} jitter {jitter}: F{k} ends far below {}", range.hi);
                    }
                }
            }
        }
    }
}

#[test]
fn ranges_of_weighted_distances_are_the_expected_numbers() {
    let range = |weights: &[f64], output| {
        let range = Noise::worley(Worley { weights: weights.into(), output, ..unit(2, Metric::Euclidean, 1.0) }).range().expect("range");
        [range.lo, range.hi].map(|x| (x * 1000.0).round() / 1000.0)
    };
    use WorleyOutput::{Cell, Distance, Edge};
    assert_eq!(range(&[1.0], Distance), [0.0, 1.414]);
    assert_eq!(range(&[-2.0], Distance), [-2.829, 0.0]);
    assert_eq!(range(&[-1.0, 1.0], Distance), [0.0, 1.581]);
    assert_eq!(range(&[1.0, -1.0, 1.0], Distance), [0.0, 1.803]);
    assert_eq!(range(&[1.0], Cell), [-1.0, 1.0]);
    assert_eq!(range(&[5.0], Edge), [0.0, 1.414]);
}

#[test]
fn what_millions_of_samples_reach() {
    // The bounds are of points as far away as they may be; this is how near chance comes to that.
    for (n, reached) in [(2, [1.2, 1.35, 1.5, 1.6]), (3, [1.15, 1.25, 1.3, 1.35])] {
        for k in [1, 2, 3, 4] {
            let noise = Noise::worley(Worley { weights: only(k), ..unit(n, Metric::Euclidean, 1.0) });
            let [lo, hi] = cpu().field(&noise, &Region { spacing: 0.61, ..Region::plane(2500, 1000) }).expect("field").extent();
            println!("{n}D F{k}: {lo} to {hi} of {}", noise.range().expect("range").hi);
            assert!(f64::from(hi) > reached[k - 1], "{n}D F{k}: only {hi}");
        }
    }
}

/// Every output, by every metric.
fn outputs() -> Vec<(WorleyOutput, Metric, Vec<f64>)> {
    use WorleyOutput::{Cell, Distance, Edge, Ratio};
    let mut all = Vec::new();
    for metric in METRICS {
        all.extend([vec![1.0], vec![-1.0, 1.0], vec![0.5, 0.0, -1.0, 1.0]].map(|weights| (Distance, metric, weights)));
        all.extend([Cell, Ratio, Edge].map(|output| (output, metric, vec![1.0])));
    }
    all
}

#[test]
fn vectors_that_share_points_have_the_bits_of_single_samples() {
    let mut compared = 0;
    let mut compare = |what: &str, noise: Noise, origin| {
        let region = Region { origin, size: [96, 9, 2], ..Region::plane(1, 1) };
        let field = cpu().field_with_gradient(&noise, &region).expect("a field");
        let (prepared, gradients) = (cpu().prepare(&noise).expect("a noise"), field.gradients.as_ref().expect("asked for"));
        let values = cpu().field(&noise, &region).expect("a field").values;
        for (i, value) in field.values.iter().enumerate() {
            let at = region.position([i as u32 % 96, i as u32 / 96 % 9, i as u32 / 96 / 9]);
            let single = prepared.sample(&[at], Gradient::With).expect("a sample")[0];
            let slope = single.gradient.expect("asked for").map(|x| (x as f32).to_bits());
            let same = value.to_bits() == (single.value as f32).to_bits() && values[i].to_bits() == value.to_bits();
            assert!(same, "{what} at {at:?}: {value} and {} are not {}", values[i], single.value);
            assert_eq!(gradients[i].map(f32::to_bits), slope, "{what} at {at:?}: gradients differ");
        }
        compared += values.len();
    };
    for (output, metric, weights) in outputs() {
        for dimensions in [2, 3] {
            // Points on a grid are equally far from many samples.
            for (jitter, wavelength, offset) in [(1.0, 47.0, None), (0.9, 11.3, None), (1.0, 400.0, None), (0.0, 48.0, Some([0.0; 3]))] {
                let worley =
                    Worley { dimensions, wavelength, output, metric, jitter, offset, weights: weights.clone(), ..Default::default() };
                let noise = Noise::worley(worley);
                let what = format!("{dimensions}D {output:?}, {metric:?}, {weights:?}, jitter {jitter}, wavelength {wavelength}");
                compare(&what, noise.clone(), [-40, -3, 5]);
                compare(&format!("{what}, turned"), noise.clone().transform(Transform { rotation: 30.0, ..Default::default() }), [0; 3]);
                if wavelength == 47.0 {
                    compare(&format!("{what}, periodic"), noise.periodic([94.0, 141.0, 94.0]), [60, 130, 90]);
                }
            }
        }
    }
    assert!(compared > 600_000, "{compared}");
}

#[test]
fn borders_have_the_bits_of_scattered_samples_over_many_cells() {
    // Rounding decides between borders in about one sample of a million.
    let sizes = [(2, [600, 4000, 1], 40.0), (2, [300, 300, 1], 25.0), (3, [600, 2000, 1], 30.0), (3, [64, 64, 40], 24.0)];
    let all = sizes.into_iter().flat_map(|size| METRICS.map(|metric| (size, metric)));
    for ((dimensions, size, wavelength), metric) in all.filter(|(_, metric)| *metric != Metric::Squared) {
        let noise = Noise::worley(Worley { dimensions, wavelength, metric, output: WorleyOutput::Edge, seed: 5, ..Default::default() });
        let region = Region { size, ..Region::plane(1, 1) };
        let field = cpu().field_with_gradient(&noise, &region).expect("a field");
        let gradients = field.gradients.expect("asked for");
        let [width, height, depth] = size;
        let all = (0..depth).flat_map(|z| (0..height).flat_map(move |y| (0..width).map(move |x| [x, y, z])));
        let all: Vec<[f64; 3]> = all.map(|index| region.position(index)).collect();
        let scattered = cpu().sample(&noise, &all, Gradient::With).expect("samples");
        for (i, sample) in scattered.iter().enumerate() {
            let slope = sample.gradient.expect("asked for").map(|x| (x as f32).to_bits());
            let found = (field.values[i].to_bits(), gradients[i].map(f32::to_bits));
            assert_eq!(found, ((sample.value as f32).to_bits(), slope), "{dimensions}D at {:?}", all[i]);
        }
    }
}

#[test]
#[cfg_attr(skip_gpu, ignore = "needs a GPU")]
fn numbers_are_live_and_their_count_is_not() {
    let gpu = own_gpu(None);
    let base = || Worley { weights: vec![-1.0, 1.0], ..unit(2, Metric::Euclidean, 1.0) };
    let region = Region { spacing: 0.2, ..Region::plane(16, 16) };
    let render = |worley| gpu.field(&Noise::worley(worley), &region).expect("field").values;
    let before = render(base());
    for edited in
        [Worley { weights: vec![-1.0, 0.5], ..base() }, Worley { weights: vec![0.0, 1.0], ..base() }, Worley { jitter: 0.5, ..base() }]
    {
        assert_ne!(render(edited), before);
        assert_eq!(gpu.compilations(), 1);
    }
    render(Worley { weights: vec![-1.0, 0.5, 0.0], ..base() });
    assert_eq!(gpu.compilations(), 2);
}
