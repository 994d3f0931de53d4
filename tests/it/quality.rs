//! The statistics of the hash and of the noises on it. Truncated value noise of wavelength 1 without an offset shows the hash
//! itself: one value per cell, its 24 upper bits.
//!
//! Every bound is a multiple of the standard error of chance; the multiple depends on the number of values that are compared. All
//! of it is deterministic: a test that passes always passes. Measured values are printed (`--nocapture`).

use crate::support::{Random, cpu, oracle};
use orogen::node::{Fractal, Interpolation, Metric, OctaveSeeds, Perlin, Simplex, Value, Worley, WorleyOutput};
use orogen::stats::{Band, Distribution, Isotropy, Periodogram, Window};
use orogen::{Gradient, Noise, Region};

/// Bits of the hash that a value shows.
const BITS: usize = 24;

/// One number per cell.
fn white(dimensions: u32, seed: u64) -> Noise {
    let (interpolation, offset) = (Interpolation::Truncated, Some([0.0; 3]));
    Noise::value(Value { dimensions, interpolation, wavelength: 1.0, seed, offset, ..Default::default() })
}

/// The hash's upper bits in cells. In f64 a value is its bits exactly.
fn hashes(dimensions: u32, seed: u64, cells: &[[i64; 3]]) -> Vec<u32> {
    let positions: Vec<[f64; 3]> = cells.iter().map(|cell| cell.map(|c| c as f64 + 0.5)).collect();
    let samples = oracle().sample(&white(dimensions, seed), &positions, Gradient::Without).expect("positions");
    // The lower end of value noise, a little short of −1; the upper one would be the step after the last.
    let end = 0.999_999_046_325_683_6;
    samples.iter().map(|s| ((s.value + end) / (2.0 * end) * f64::from(1 << BITS)).round() as u32).collect()
}

fn white_field(dimensions: u32, seed: u64, origin: [i64; 3], size: [u32; 3]) -> Vec<f32> {
    // Samples in the middle of cells.
    let region = Region { origin, size, anchor: [0.5; 3], ..Region::plane(1, 1) };
    cpu().field(&white(dimensions, seed), &region).expect("a field").values
}

/// Places that a hash might treat differently: the origin, across it, round and crooked far ones.
const PLACES: [[i64; 3]; 5] =
    [[0, 0, 0], [-70, -45, -9], [1 << 20, 1 << 20, 1 << 20], [123_456_789, -987_654_321, 55_555], [-(1 << 31), (1 << 31) - 600, 7]];

/// Every direction to a neighbour once.
fn directions(dimensions: u32) -> Vec<[i64; 3]> {
    let all = (0..27).map(|i| [i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1]);
    all.filter(|d| d[dimensions as usize..].iter().all(|x| *x == 0)).filter(|d| d.iter().rev().find(|x| **x != 0) == Some(&1)).collect()
}

/// Correlation of two fields, for values that are independent under the null hypothesis: its standard error is 1/√count.
fn correlation(a: &[f32], b: &[f32]) -> f64 {
    let mean = |v: &[f32]| v.iter().map(|x| f64::from(*x)).sum::<f64>() / v.len() as f64;
    let (ma, mb) = (mean(a), mean(b));
    let sum = |f: &dyn Fn(f64, f64) -> f64| a.iter().zip(b).map(|(a, b)| f(f64::from(*a) - ma, f64::from(*b) - mb)).sum::<f64>();
    sum(&|a, b| a * b) / (sum(&|a, _| a * a) * sum(&|_, b| b * b)).sqrt()
}

/// The largest deviation from one half, over the bits, of the share of pairs that differ.
fn worst_bias(a: &[u32], b: &[u32]) -> f64 {
    let share = |bit: usize| a.iter().zip(b).filter(|(a, b)| (*a ^ *b) >> bit & 1 == 1).count() as f64 / a.len() as f64;
    (0..BITS).map(|bit| (share(bit) - 0.5).abs()).fold(0.0, f64::max)
}

#[test]
fn every_bit_of_a_cell_flips_every_bit_of_the_hash_half_the_time() {
    // The standard error is 0.5 / √65536 = 0.002. In 1D near the origin it is 0.0028: there are only 1024 cells (hence the many
    // seeds), and most pairs are met from both sides. The worst of 96 · 24 numbers lies within 4.5 of them.
    const ALLOWED: f64 = 0.0125;
    let (seeds, cells_per_seed) = (0..64u64, 1024);
    let mut random = Random(1);
    for dimensions in 1..=3u32 {
        for (what, width) in [("all cells", 32), ("cells near the origin", 10)] {
            let half = 1i64 << (width - 1);
            let mut cell = || [0; 3].map(|_: i64| (random.bits() >> (64 - width)) as i64 - half);
            let cells: Vec<Vec<[i64; 3]>> = seeds.clone().map(|_| (0..cells_per_seed).map(|_| cell()).collect()).collect();
            let all = |flip: [i32; 3]| -> Vec<u32> {
                let flipped = |cell: &[i64; 3]| std::array::from_fn(|axis| i64::from(cell[axis] as i32 ^ flip[axis]));
                let of = |seed: u64| hashes(dimensions, seed, &cells[seed as usize].iter().map(flipped).collect::<Vec<_>>());
                seeds.clone().flat_map(of).collect()
            };
            let base = all([0; 3]);
            let mut worst = (0.0, 0, 0);
            for (axis, bit) in (0..dimensions as usize).flat_map(|axis| (0..32).map(move |bit| (axis, bit))) {
                let bias = worst_bias(&base, &all(std::array::from_fn(|a| if a == axis { 1 << bit } else { 0 })));
                if bias > worst.0 {
                    worst = (bias, axis, bit);
                }
            }
            println!("avalanche {dimensions}D, {what}: worst bias {:.4} (axis {}, bit {})", worst.0, worst.1, worst.2);
            assert!(worst.0 < ALLOWED, "{dimensions}D, {what}: {worst:?}");
        }
    }
}

#[test]
fn every_bit_of_a_seed_flips_every_bit_of_the_hash_half_the_time() {
    // Standard error 0.5 / √8192 = 0.0055; the worst of 63 · 24 numbers within 4.5 of them.
    const ALLOWED: f64 = 0.025;
    let mut random = Random(2);
    let cells: Vec<[i64; 3]> = (0..1024).map(|i| [i % 32 - 16, i / 32, 0]).collect();
    let seeds: Vec<u64> = [0, 1, 2, 3].into_iter().chain((0..4).map(|_| random.bits() >> 1)).collect();
    let base: Vec<u32> = seeds.iter().flat_map(|&seed| hashes(2, seed, &cells)).collect();
    let bias = |bit: u32| worst_bias(&base, &seeds.iter().flat_map(|&seed| hashes(2, seed ^ (1 << bit), &cells)).collect::<Vec<_>>());
    let worst = (0..63).map(bias).fold(0.0, f64::max);
    println!("avalanche of seeds: worst bias {worst:.4}");
    assert!(worst < ALLOWED, "{worst}");
}

#[test]
fn values_fill_their_range_evenly_everywhere() {
    // χ² of 256 bins has a mean of 255 and a standard deviation of 22.6; of 60 numbers all lie within 4.5 of them.
    let (mean, deviation) = (255.0, 510f64.sqrt());
    let mut extremes = [f64::INFINITY, f64::NEG_INFINITY];
    for (dimensions, size) in [(1, [1 << 18, 1, 1]), (2, [512, 512, 1]), (3, [64, 64, 64]), (2, [1, 1 << 18, 1])] {
        for (origin, seed) in PLACES.into_iter().flat_map(|origin| [0, 1, 99].map(|seed| (origin, seed))) {
            let values = Distribution::of(&white_field(dimensions, seed, origin, size)).expect("values");
            let expected = values.count() as f64 / 256.0;
            let chi: f64 = values.histogram(-1.0, 1.0, 256).iter().map(|&n| (n as f64 - expected).powi(2) / expected).sum();
            extremes = [extremes[0].min(chi), extremes[1].max(chi)];
            assert!((chi - mean).abs() < 4.5 * deviation, "{dimensions}D {size:?} at {origin:?}, seed {seed}: χ² = {chi}");
            let distance = values.ks_uniform(-1.0, 1.0) * (values.count() as f64).sqrt();
            assert!(distance < 2.2, "{dimensions}D {size:?} at {origin:?}, seed {seed}: {distance} standard errors from uniform");
        }
    }
    println!("χ² of 255 degrees of freedom: {:.0} to {:.0}", extremes[0], extremes[1]);
}

/// The largest correlation between blocks of cells and the same blocks displaced, and between which.
fn displaced(dimensions: u32, size: [u32; 3], displacements: &[[i64; 3]]) -> (f64, [i64; 3]) {
    let mut worst = (0.0, [0; 3]);
    for (origin, seed) in [(PLACES[0], 0), (PLACES[3], 7)] {
        let base = white_field(dimensions, seed, origin, size);
        for by in displacements {
            let there = std::array::from_fn(|axis| origin[axis] + by[axis]);
            let r = correlation(&base, &white_field(dimensions, seed, there, size));
            if r.abs() > f64::abs(worst.0) {
                worst = (r, *by);
            }
        }
    }
    worst
}

#[test]
fn neighbours_do_not_know_of_each_other() {
    // Standard error 1/512; the worst of 2 · 62 numbers within 4.5 of them.
    for (dimensions, size) in [(2, [512, 512, 1]), (3, [64, 64, 64])] {
        let near: Vec<[i64; 3]> = directions(dimensions).into_iter().flat_map(|d| [1, 2, 3, 4, 5].map(|n| d.map(|x| n * x))).collect();
        let (r, by) = displaced(dimensions, size, &near);
        println!("{dimensions}D neighbours: largest correlation {r:.4} = {:.1} standard errors, at {by:?}", r * 512.0);
        assert!(r.abs() < 4.5 / 512.0, "{dimensions}D: {r} at {by:?}");
    }
}

#[test]
fn cells_powers_of_two_apart_do_not_know_of_each_other() {
    // Standard error 1/256; the worst of 2 · 416 numbers within 4.5 of them. Along diagonals too, where the products of two
    // coordinates could cancel.
    for (dimensions, size) in [(1, [1 << 16, 1, 1]), (2, [256, 256, 1]), (3, [64, 32, 32])] {
        let far: Vec<[i64; 3]> = directions(dimensions).into_iter().flat_map(|d| (0..32).map(move |k| d.map(|x| x << k))).collect();
        let (r, by) = displaced(dimensions, size, &far);
        println!("{dimensions}D powers of two: largest correlation {r:.4} = {:.1} standard errors, at {by:?}", r * 256.0);
        assert!(r.abs() < 4.5 / 256.0, "{dimensions}D: {r} at {by:?}");
    }
}

/// Negating a product keeps its lowest bits, so hashes that join products must not let two negations cancel.
#[test]
fn mirrored_cells_do_not_know_of_each_other() {
    for dimensions in [2, 3] {
        let here = white_field(dimensions, 3, [1, 1, 1], [300, 300, 1]);
        let mut there = white_field(dimensions, 3, [-300, -300, 1], [300, 300, 1]);
        // Cell (x, y) and cell (−x, −y).
        there.reverse();
        let r = correlation(&here, &there);
        assert!(r.abs() < 4.5 / 300.0, "{dimensions}D: {r}");
    }
}

fn square(noise: &Noise, edge: u32) -> Vec<f32> {
    cpu().field(noise, &Region { origin: [-77, 1000, 0], ..Region::plane(edge, edge) }).expect("a field").values
}

#[test]
fn the_next_seed_gives_an_unrelated_field() {
    const EDGE: u32 = 256;
    // Without the seed's own offset, so that the lattices coincide and only the hash distinguishes the fields.
    let offset = Some([0.0; 3]);
    let of = |kind: &str, seed: u64| match kind {
        "value" => Noise::value(Value { wavelength: 4.0, seed, offset, ..Default::default() }),
        "perlin" => Noise::perlin(Perlin { wavelength: 4.0, seed, offset, ..Default::default() }),
        _ => Noise::simplex(Simplex { wavelength: 4.0, seed: Some(seed), offset, ..Default::default() }),
    };
    for kind in ["value", "perlin", "simplex"] {
        let fields: Vec<Vec<f32>> = (0..25).map(|seed| square(&of(kind, seed), EDGE)).collect();
        let pairs = (0..25usize).flat_map(|a| (a + 1..25).map(move |b| (a, b)));
        let (next, others): (Vec<_>, Vec<_>) = pairs.partition(|(a, b)| a + 1 == *b);
        let all = |pairs: &[(usize, usize)]| -> Vec<f64> { pairs.iter().map(|&(a, b)| correlation(&fields[a], &fields[b])).collect() };
        let mean_square = |r: &[f64]| r.iter().map(|r| r * r).sum::<f64>() / r.len() as f64;
        // Neighbouring samples are not independent: what chance gives is taken from the 276 other pairs of seeds.
        let (next, error) = (all(&next), mean_square(&all(&others)).sqrt());
        let worst = next.iter().fold(0.0f64, |m, r| m.max(r.abs())) / error;
        let ratio = mean_square(&next) / (error * error);
        println!("{kind}: seeds s and s + 1 correlate by up to {worst:.1} standard errors of {error:.4}, mean square {ratio:.2}");
        // 64² cells, and an r of at most 1/64 if each were one independent value.
        assert!(error < 1.25 / 64.0, "{kind}: different seeds correlate by {error}");
        assert!(worst < 4.0 && ratio < 2.0, "{kind}: {next:?}, standard error {error}");
    }
}

#[test]
fn white_noise_has_no_lines_rings_or_directions() {
    const EDGE: i64 = 512;
    let slice = |dimensions, seed, place: [i64; 3], size| white_field(dimensions, seed, place, size);
    let edge = EDGE as u32;
    let fields = [
        ("2D", slice(2, 0, PLACES[0], [edge, edge, 1])),
        ("2D, far", slice(2, 1, PLACES[3], [edge, edge, 1])),
        ("2D, aligned", slice(2, 2, PLACES[2], [edge, edge, 1])),
        ("3D, xy", slice(3, 0, PLACES[1], [edge, edge, 1])),
        ("3D, xz", slice(3, 3, PLACES[0], [edge, 1, edge])),
        ("3D, yz", slice(3, 4, PLACES[3], [1, edge, edge])),
    ];
    for (what, field) in fields {
        let periodogram = Periodogram::of(&field, EDGE as usize, Window::Rectangle).expect("a square");
        // Every frequency once: the half plane, without the four that are real.
        let half = (0..=EDGE / 2).flat_map(|y| (0..EDGE).map(move |x| [x, y]));
        let powers: Vec<f64> = half
            .filter(|[x, y]| if y % (EDGE / 2) == 0 { *x > 0 && *x < EDGE / 2 } else { true })
            .map(|[x, y]| periodogram.power(x, y))
            .collect();
        let count = powers.len() as f64;
        let mean = powers.iter().sum::<f64>() / count;
        // Powers of white noise are exponentially distributed; the largest of N is ln N, give or take 10 with a chance of 5·10⁻⁵.
        let highest = powers.iter().copied().fold(0.0, f64::max) / mean;
        assert!(highest < count.ln() + 10.0 && highest > count.ln() - 2.5, "{what}: a line of {highest} times the mean");
        let uniform: Vec<f32> = powers.iter().map(|power| (1.0 - (-power / mean).exp()) as f32).collect();
        let distance = Distribution::of(&uniform).expect("values").ks_uniform(0.0, 1.0) * count.sqrt();
        assert!(distance < 2.0, "{what}: powers {distance} standard errors from exponential");
        // Lines through the origin: where the artefacts of products would show.
        for (x, y) in [(1, 0), (0, 1), (1, 1), (1, -1), (2, 1), (1, 2)] {
            let line: Vec<f64> = (1..EDGE / 2 / x.max(y)).map(|k| periodogram.power(k * x, k * y) / mean).collect();
            let off = (line.iter().sum::<f64>() / line.len() as f64 - 1.0) * (line.len() as f64).sqrt();
            assert!(off.abs() < 4.5, "{what}: the line along ({x}, {y}) is {off} standard errors off");
        }
        let rings = periodogram.radial().rings;
        let off = rings.iter().map(|r| (r.power / mean - 1.0) * (r.bins as f64).sqrt()).fold(0.0f64, |m, off| m.max(off.abs()));
        // The first rings are few exponential numbers, with a longer tail than the normal distribution's.
        assert!(off < 5.5, "{what}: a ring is {off} standard errors off");
        let isotropy = periodogram.isotropy(16, Band::new(0.01, 0.5)).expect("power");
        println!(
            "{what}: highest line {highest:.1} (ln N = {:.1}), {distance:.2} from exponential, rings within {off:.1}, sectors {:.2} % (chance {:.2} %)",
            count.ln(),
            100.0 * isotropy.deviation,
            100.0 * isotropy.chance
        );
        // The deviation of 16 sectors is itself uncertain by 18 %.
        assert!(isotropy.deviation < 1.7 * isotropy.chance, "{what}: {isotropy:?}");
    }
}

/// The mean over several seeds: sectors, their deviation from 1, and what of it chance alone would give.
fn mean_isotropy(band: Band, noise: impl Fn(u64) -> Noise) -> Isotropy {
    const SEEDS: u64 = 24;
    const EDGE: u32 = 256;
    let one = |seed| Periodogram::of(&square(&noise(seed), EDGE), EDGE as usize, Window::Hann).and_then(|p| p.isotropy(16, band));
    let all: Vec<Isotropy> = (0..SEEDS).map(|seed| one(seed).expect("power")).collect();
    let count = all.len() as f64;
    let sectors: Vec<f64> = (0..16).map(|s| all.iter().map(|i| i.sectors[s]).sum::<f64>() / count).collect();
    let variance = sectors.iter().map(|p| (p - 1.0).powi(2)).sum::<f64>() / 16.0;
    Isotropy { sectors, deviation: variance.sqrt(), chance: all[0].chance / count.sqrt() }
}

fn told(what: &str, isotropy: &Isotropy) -> String {
    let (deviation, chance) = (100.0 * isotropy.deviation, 100.0 * isotropy.chance);
    let ratio = isotropy.ratio().unwrap_or(f64::INFINITY);
    format!("{what}: sectors differ by {deviation:.1} % (chance {chance:.1} %), strongest over weakest {ratio:.2}")
}

#[test]
fn fractals_look_the_same_in_all_directions_as_far_as_their_basis_does() {
    let octaves = |noise: Noise, rotation| noise.fractal(Fractal { octaves: 5, rotation, ..Default::default() });
    let simplex = |dimensions, seed| Noise::simplex(Simplex { dimensions, wavelength: 48.0, seed: Some(seed), ..Default::default() });
    let perlin = |dimensions, seed| Noise::perlin(Perlin { dimensions, wavelength: 48.0, seed, ..Default::default() });
    let value = |seed| Noise::value(Value { wavelength: 48.0, seed, ..Default::default() });
    let band = Band::new(1.0 / 48.0, 0.25);
    // Simplex: no difference from chance (2 %; the deviation of 16 sectors is itself uncertain by 18 %). Perlin: its squares are
    // visible, weak along the diagonals; rotated octaves hide them. The limits are the measured values plus a third.
    for (what, isotropy, allowed) in [
        ("simplex 2D, 5 octaves", mean_isotropy(band, |seed| octaves(simplex(2, seed), 0.0)), 0.034),
        ("simplex 3D, 5 octaves", mean_isotropy(band, |seed| octaves(simplex(3, seed), 0.0)), 0.034),
        ("Perlin 2D, 5 octaves", mean_isotropy(band, |seed| octaves(perlin(2, seed), 0.0)), 0.09),
        ("Perlin 3D, 5 octaves", mean_isotropy(band, |seed| octaves(perlin(3, seed), 0.0)), 0.09),
        ("Perlin 2D, 5 octaves turned by 37°", mean_isotropy(band, |seed| octaves(perlin(2, seed), 37.0)), 0.04),
        ("value 2D, 5 octaves turned by 37°", mean_isotropy(band, |seed| octaves(value(seed), 37.0)), 0.045),
    ] {
        println!("{}", told(what, &isotropy));
        assert!(isotropy.deviation < allowed, "{}", told(what, &isotropy));
    }
}

#[test]
fn single_octaves_are_as_isotropic_as_they_are_said_to_be() {
    // From half to one and a half times a cycle per cell, where a gradient noise has its power.
    let band = Band::new(0.5 / 12.0, 1.5 / 12.0);
    let simplex = |dimensions| move |seed| Noise::simplex(Simplex { dimensions, wavelength: 12.0, seed: Some(seed), ..Default::default() });
    let perlin = |dimensions| move |seed| Noise::perlin(Perlin { dimensions, wavelength: 12.0, seed, ..Default::default() });
    let value = |seed| Noise::value(Value { wavelength: 12.0, seed, ..Default::default() });
    for (what, isotropy, [least, most]) in [
        ("simplex 2D", mean_isotropy(band, simplex(2)), [0.0, 0.07]),
        ("simplex 3D", mean_isotropy(band, simplex(3)), [0.0, 0.07]),
        ("Perlin 2D", mean_isotropy(band, perlin(2)), [0.1, 0.19]),
        ("Perlin 3D", mean_isotropy(band, perlin(3)), [0.1, 0.19]),
        ("value 2D", mean_isotropy(band, value), [0.2, 0.42]),
    ] {
        println!("{} {:.2?}", told(what, &isotropy), isotropy.sectors);
        // The lower bounds: if a noise gets better, this file and the documents should say so.
        assert!((least..most).contains(&isotropy.deviation), "{}", told(what, &isotropy));
    }
}

/// Worley noise of twelve samples a cell.
fn cells(worley: Worley) -> impl Fn(u64) -> Noise {
    move |seed| Noise::worley(Worley { wavelength: 12.0, seed, ..worley.clone() })
}

#[test]
fn worley_noise_looks_the_same_in_all_directions_as_far_as_its_metric_does() {
    let band = Band::new(0.5 / 12.0, 1.5 / 12.0);
    let f1 = Worley::default;
    let difference = || Worley { weights: vec![-1.0, 1.0], ..f1() };
    for (what, worley, [least, most]) in [
        ("F1 2D", f1(), [0.0, 0.07]),
        ("F1 3D", Worley { dimensions: 3, ..f1() }, [0.0, 0.07]),
        ("F2 - F1 2D", difference(), [0.0, 0.07]),
        ("F2 - F1 3D", Worley { dimensions: 3, ..difference() }, [0.0, 0.07]),
        ("F4 2D", Worley { weights: vec![0.0, 0.0, 0.0, 1.0], ..f1() }, [0.0, 0.07]),
        ("cells 2D", Worley { output: WorleyOutput::Cell, ..f1() }, [0.0, 0.07]),
        // The lines of its cells, see below, are among these.
        ("edges 2D", Worley { output: WorleyOutput::Edge, ..f1() }, [0.0, 0.094]),
        // Metrics that are not the same in all directions show that; a regular grid more than anything.
        ("F1 2D, Manhattan", Worley { metric: Metric::Manhattan, ..f1() }, [0.1, 1.0]),
        ("F1 2D, Chebyshev", Worley { metric: Metric::Chebyshev, ..f1() }, [0.1, 1.0]),
        ("F1 2D, no jitter", Worley { jitter: 0.0, ..f1() }, [0.5, 4.0]),
    ] {
        let isotropy = mean_isotropy(band, cells(worley));
        println!("{} {:.2?}", told(what, &isotropy), isotropy.sectors);
        assert!((least..most).contains(&isotropy.deviation), "{}", told(what, &isotropy));
    }
}

/// The mean power of many seeds at every frequency, as a share of that of its ring: the largest, and where, in cycles per cell. Lines are
/// where a lattice shows through.
fn strongest_line(noise: impl Fn(u64) -> Noise) -> (f64, [f64; 2]) {
    const SEEDS: u64 = 48;
    const EDGE: u32 = 256;
    let all: Vec<Periodogram> =
        (0..SEEDS).map(|seed| Periodogram::of(&square(&noise(seed), EDGE), EDGE as usize, Window::Hann).expect("a square")).collect();
    let mean = |x: i64, y: i64| all.iter().map(|p| p.power(x, y)).sum::<f64>() / SEEDS as f64;
    // Below, rings hold too few bins; above, next to no power.
    let (low, high) = (EDGE as f64 / 12.0 * 0.5, EDGE as f64 / 12.0 * 4.0);
    let mut rings = vec![(0.0, 0); high as usize + 2];
    let half: Vec<[i64; 2]> = (0..=high as i64).flat_map(|y| (-high as i64..=high as i64).map(move |x| [x, y])).collect();
    let radius = |[x, y]: [i64; 2]| (x as f64).hypot(y as f64);
    let inside: Vec<([i64; 2], f64)> =
        half.into_iter().filter(|&at| (low..high).contains(&radius(at))).map(|at| (at, mean(at[0], at[1]))).collect();
    for (at, power) in &inside {
        let ring = &mut rings[radius(*at).round() as usize];
        *ring = (ring.0 + power, ring.1 + 1);
    }
    let share = |(at, power): &([i64; 2], f64)| {
        let (sum, count) = rings[radius(*at).round() as usize];
        (power * f64::from(count) / sum, at.map(|k| k as f64 * 12.0 / f64::from(EDGE)))
    };
    inside.iter().map(share).max_by(|a, b| a.0.total_cmp(&b.0)).expect("bins")
}

/// The share of the variance that depends on a sample's position in its cell: the visibility of the lattice.
fn lattice_share(worley: Worley) -> f64 {
    const CELL: usize = 12;
    let edge = 128 * CELL;
    let noise = Noise::worley(Worley { wavelength: CELL as f64, offset: Some([0.0; 3]), ..worley });
    let values = cpu().field(&noise, &Region { anchor: [0.5; 3], ..Region::plane(edge as u32, edge as u32) }).expect("a field").values;
    let count = values.len() as f64;
    let mean = values.iter().map(|&x| f64::from(x)).sum::<f64>() / count;
    let mut places = [[0.0; CELL]; CELL];
    let mut total = 0.0;
    for (i, &value) in values.iter().enumerate() {
        let off = f64::from(value) - mean;
        places[i / edge % CELL][i % edge % CELL] += off / (count / (CELL * CELL) as f64);
        total += off * off / count;
    }
    places.as_flattened().iter().map(|x| x * x).sum::<f64>() / (CELL * CELL) as f64 / total
}

/// One point to every cell: that leaves faint lines at one cycle per cell, where the mean depends on how far the middle of the cell is.
#[test]
fn the_spectrum_of_worley_noise_shows_as_little_of_its_cells_as_it_is_said_to() {
    let f1 = Worley::default;
    let difference = || Worley { weights: vec![-1.0, 1.0], ..f1() };
    // The limits are the measured values plus and minus a third, so that improvements are noticed, too. Cells' own values have
    // almost none, and a grid with little jitter has much.
    for (what, worley, [weakest, strongest], [least, most]) in [
        ("F1 2D", f1(), [3.0, 5.8], [0.6, 1.2]),
        ("F1 3D", Worley { dimensions: 3, ..f1() }, [1.0, 3.1], [0.07, 0.15]),
        ("F2 - F1 2D", difference(), [3.6, 7.3], [1.7, 3.5]),
        ("F2 - F1 3D", Worley { dimensions: 3, ..difference() }, [1.0, 3.0], [0.06, 0.12]),
        ("cells 2D", Worley { output: WorleyOutput::Cell, ..f1() }, [1.0, 2.2], [0.0, 0.02]),
        ("edges 2D", Worley { output: WorleyOutput::Edge, ..f1() }, [4.5, 9.0], [2.8, 5.6]),
        ("F1 2D, half the jitter", Worley { jitter: 0.5, ..f1() }, [16.0, 40.0], [25.0, 50.0]),
    ] {
        let (percent, (strength, at)) = (100.0 * lattice_share(worley.clone()), strongest_line(cells(worley)));
        let told =
            format!("{what}: a line of {strength:.2} times its surroundings at {at:.2?} cycles per cell; {percent:.2} % of the variance");
        println!("{told}");
        assert!((weakest..strongest).contains(&strength) && (least..most).contains(&percent), "{told}");
    }
}

/// The mean square at the origin over that elsewhere, of many seeds.
fn piled_up(noise: impl Fn(u64) -> Noise) -> f64 {
    const SEEDS: u64 = 4000;
    let mut random = Random(17);
    let mut sums = [0.0; 2];
    for seed in 0..SEEDS {
        let elsewhere = [0; 3].map(|_| random.between(-1e7, 1e7));
        let samples = cpu().sample(&noise(seed), &[[0.0; 3], elsewhere], Gradient::Without).expect("samples");
        for (sum, sample) in sums.iter_mut().zip(samples) {
            *sum += sample.value * sample.value;
        }
    }
    sums[0] / sums[1]
}

/// "Coherent noise": scaling by the lacunarity leaves the origin where it is, so octaves of one noise lie on top of each other there. Seeds
/// of their own keep them from it, and so do offsets of their own; without either the test must find it.
#[test]
fn octaves_do_not_pile_up_at_the_origin() {
    let value = |seed| Noise::value(Value { seed, ..Default::default() });
    // Its values are 0 at the lattice's points, including the origin.
    let perlin = |seed| Noise::perlin(Perlin { seed, offset: Some([0.0; 3]), ..Default::default() });
    let given = Some((0..6).map(|k| [3141.59 * f64::from(k), -2718.28 * f64::from(k), 0.0]).collect::<Vec<_>>());
    let (zero, same) = (Some(vec![[0.0; 3]; 6]), OctaveSeeds::Same);
    let ratios = [
        ("as it comes", piled_up(|seed| value(seed).fractal(Fractal { seed, ..Default::default() }))),
        ("seeds alone", piled_up(|seed| value(seed).fractal(Fractal { seed, offsets: zero.clone(), ..Default::default() }))),
        ("offsets alone", piled_up(|seed| value(seed).fractal(Fractal { seeds: same, offsets: given.clone(), ..Default::default() }))),
        ("Perlin noise without an offset", piled_up(|seed| perlin(seed).fractal(Fractal { seed, ..Default::default() }))),
    ];
    for (what, ratio) in ratios {
        println!("{what}: {ratio:.3} of the mean square elsewhere");
        // Chance alone leaves 3 %.
        assert!((0.85..1.15).contains(&ratio), "{what}: {ratio}");
    }
    // (Σ gainᵏ)² / Σ gain²ᵏ of six octaves.
    let piled = piled_up(|seed| value(seed).fractal(Fractal { seeds: same, ..Default::default() }));
    assert!((2.907 * 0.85..2.907 * 1.15).contains(&piled), "the same noise, without an offset: {piled}");
    let empty = piled_up(|seed| perlin(seed).fractal(Fractal { seeds: same, ..Default::default() }));
    assert!(empty < 1e-6, "the same Perlin noise, 0 in every octave: {empty}");
}

/// The deviation within a line or plane of samples, relative to its mean over all positions between the lattice's points: the
/// minimum and the maximum of 16 positions.
fn strays(noise: &Noise, unit: f64, across: usize, size: [u32; 3]) -> [f64; 2] {
    let squares: Vec<f64> = (0..16)
        .map(|place| {
            let mut anchor = [0.0; 3];
            anchor[across] = unit * f64::from(place) / 16.0;
            // Samples so far apart that they know nothing of each other.
            let region = Region { size, anchor, spacing: 47.313, ..Region::plane(1, 1) };
            let values = cpu().field(noise, &region).expect("a field").values;
            values.iter().map(|&x| f64::from(x) * f64::from(x)).sum::<f64>() / values.len() as f64
        })
        .collect();
    let mean = (squares.iter().sum::<f64>() / 16.0).sqrt();
    let of = |best: fn(f64, f64) -> f64, start: f64| squares.iter().map(|s| s.sqrt() / mean - 1.0).fold(start, best);
    [of(f64::min, f64::INFINITY), of(f64::max, f64::NEG_INFINITY)]
}

/// A lattice along the axes is not the same in every row: the price of rows that share work.
#[test]
fn rows_columns_and_slices_of_simplex_noise_differ_as_they_are_said_to() {
    let simplex = |dimensions| Noise::simplex(Simplex { dimensions, wavelength: 12.0, offset: Some([0.0; 3]), ..Default::default() });
    let sum = |dimensions| simplex(dimensions).fractal(Fractal { octaves: 5, ..Default::default() });
    let units = [2.0, 6.0, 12.0].map(|square: f64| 12.0 / square.sqrt());
    for (what, noise, across, size, [least, most]) in [
        ("2D, rows", simplex(2), 1, [100_000, 1, 1], [-0.15, 0.13]),
        ("2D, columns", simplex(2), 0, [1, 100_000, 1], [-0.08, 0.08]),
        ("3D, slices across z", simplex(3), 2, [400, 400, 1], [-0.01, 0.01]),
        ("3D, slices across x", simplex(3), 0, [1, 400, 400], [-0.24, 0.14]),
        ("2D, 5 octaves, rows", sum(2), 1, [100_000, 1, 1], [-0.12, 0.12]),
    ] {
        let found = strays(&noise, units[across], across, size);
        println!("{what}: {:+.1} % to {:+.1} %", 100.0 * found[0], 100.0 * found[1]);
        assert!(least < found[0] && found[1] < most, "{what}: {found:?}");
    }
}
