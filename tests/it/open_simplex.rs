//! OpenSimplex2 against its definition, written once more in f64: the sum over all lattice points within the reach.

use crate::support::{Random, cpu, hash, lattice_seed, oracle};
use orogen::node::{OpenSimplex2, OpenSimplexVariant, Orientation};
use orogen::{Gradient, Noise, Region};

fn variant(smooth: bool) -> OpenSimplexVariant {
    if smooth { OpenSimplexVariant::Smooth } else { OpenSimplexVariant::Fast }
}

/// Lattice points at integers, without an offset.
fn unit(dimensions: u32, smooth: bool, orientation: Orientation) -> OpenSimplex2 {
    OpenSimplex2 {
        dimensions,
        variant: variant(smooth),
        orientation,
        wavelength: 1.0,
        seed: 11,
        offset: Some([0.0; 3]),
        ..Default::default()
    }
}

fn all() -> Vec<OpenSimplex2> {
    let shapes = [2, 3, 4].into_iter().flat_map(|dimensions| [false, true].map(|smooth| (dimensions, smooth)));
    shapes.flat_map(|(dimensions, smooth)| Orientation::ALL.iter().map(move |turn| unit(dimensions, smooth, *turn))).collect()
}

type Four = [f64; 4];

fn dot(a: Four, b: Four) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]
}

/// The square of the reach.
fn reach(dimensions: u32, smooth: bool) -> f64 {
    match (dimensions, smooth) {
        (2, false) => 0.5,
        (2, true) => 2.0 / 3.0,
        (_, false) => 0.6,
        (3, true) => 0.75,
        _ => 0.8,
    }
}

/// 1 / the largest sum, less a margin.
fn scale(dimensions: u32, smooth: bool) -> f64 {
    let scales = [[99.2, 18.19], [42.3, 11.86], [46.0, 9.3]];
    scales[dimensions as usize - 2][usize::from(smooth)]
}

/// The position turned into the axes of the lattice, by the formulas of OpenSimplex2: lengths stay the same.
fn turned(of: &OpenSimplex2, [x, y, z]: [f64; 3]) -> Four {
    let (w, root) = (of.w, f64::sqrt);
    let flat = (3.0 - root(3.0)) / 6.0;
    let improved = |x: f64, y: f64, z: f64, w: f64| {
        let (sum, part) = (x + y, if of.dimensions == 3 { z / root(3.0) } else { z / root(12.0) + w / 2.0 });
        let last = if of.dimensions == 3 { 0.0 } else { w / 2.0 - z * root(0.75) };
        [x - sum * flat + part, y - sum * flat + part, part - sum / root(3.0), last]
    };
    match (of.dimensions, of.orientation) {
        // The diagonal of the skewed lattice along y.
        (2, Orientation::ImproveXz) => [(y + x) / root(2.0), (y - x) / root(2.0), 0.0, 0.0],
        (2, _) => [x, y, 0.0, 0.0],
        (3, Orientation::Classic) => {
            let r = (x + y + z) * 2.0 / 3.0;
            [r - x, r - y, r - z, 0.0]
        }
        (_, Orientation::Classic) => [x, y, z, w],
        (_, Orientation::ImproveXz) => improved(x, z, y, w),
        _ => improved(x, y, z, w),
    }
}

/// The direction of a point by its hash: one of 16, 48 or 32.
fn direction(h: u32, dimensions: u32) -> Four {
    let bit = |k: u32| h >> k & 1 == 1;
    let sign = |k: u32| if bit(k) { -1.0 } else { 1.0 };
    match dimensions {
        2 => {
            let angle = if bit(30) { 3.0 } else { 1.0 } * std::f64::consts::PI / 16.0;
            let (long, short) = (libm::cos(angle), libm::sin(angle));
            let (x, y) = if bit(29) { (short, long) } else { (long, short) };
            [x * sign(31), y * sign(31) * sign(28), 0.0, 0.0]
        }
        3 => {
            let root = f64::sqrt(2.0);
            let length = f64::sqrt(1.0 + (1.0 + root) * (1.0 + root) + (1.0 + 2.0 * root) * (1.0 + 2.0 * root));
            let [short, middle, long] = [1.0, 1.0 + root, 1.0 + 2.0 * root].map(|part| part / length);
            let order = (((h << 3) >> 19) * 6) >> 13;
            let [x, y, z] = match order {
                0 => [long, middle, short],
                1 => [long, short, middle],
                2 => [middle, long, short],
                3 => [short, long, middle],
                4 => [middle, short, long],
                _ => [short, middle, long],
            };
            [x * sign(31), y * sign(30), z * sign(29), 0.0]
        }
        _ => {
            let (place, third) = (h >> 30, f64::sqrt(1.0 / 3.0));
            let last = if place < 3 { place } else { 0 };
            let part = |axis: u32, bit: u32| if place == axis { 0.0 } else { third * sign(bit) };
            [part(0, 0), part(1, 1), part(2, 2), part(3, last)]
        }
    }
}

/// All points whose lattice coordinates are at most `rings` from those of a turned position: coordinates and place.
fn points(dimensions: u32, at: Four, rings: i32) -> Vec<([i32; 4], Four)> {
    let mut all = Vec::new();
    let n = dimensions as usize;
    let (skew, unskew) = match dimensions {
        2 => ((3f64.sqrt() - 1.0) / 2.0, (3.0 - 3f64.sqrt()) / 6.0),
        3 => (0.0, 0.0),
        _ => ((5f64.sqrt() - 1.0) / 4.0, (5.0 - 5f64.sqrt()) / 20.0),
    };
    let sum: f64 = at.iter().sum();
    let middle = at.map(|x| (x + skew * sum).floor() as i32);
    let along = |axis: usize| if axis < n { -rings..=rings } else { 0..=0 };
    for x in along(0) {
        for y in along(1) {
            for z in along(2) {
                for w in along(3) {
                    let steps = [x, y, z, w];
                    let cell: [i32; 4] = std::array::from_fn(|axis| if axis < n { middle[axis] + steps[axis] } else { 0 });
                    let [x, y, z, w] = cell;
                    let sum = f64::from(x + y + z + w);
                    let place = std::array::from_fn(|axis| if axis < n { f64::from(cell[axis]) - unskew * sum } else { 0.0 });
                    match dimensions {
                        2 => all.push(([x - y, x + y, 0, 0], place)),
                        3 => {
                            all.push(([x - y, x + y - 2 * z, 2 * (x + y + z), 0], place));
                            let [a, b, c, _] = place;
                            all.push(([x - y, x + y - 2 * z, 2 * (x + y + z) + 3, 0], [a + 0.5, b + 0.5, c + 0.5, 0.0]));
                        }
                        _ => all.push(([x - y, x + y - 2 * z, x + y + z - 3 * w, x + y + z + w], place)),
                    }
                }
            }
        }
    }
    all
}

/// The noise by its definition.
fn brute(of: &OpenSimplex2, at: [f64; 3]) -> f64 {
    let at = turned(of, at);
    let seed = lattice_seed(&[11]);
    let near = points(of.dimensions, at, 3).into_iter().filter_map(|([x, y, z, w], place)| {
        let d: Four = std::array::from_fn(|axis| at[axis] - place[axis]);
        let rest = reach(of.dimensions, of.variant == OpenSimplexVariant::Smooth) - dot(d, d);
        if rest <= 0.0 {
            return None;
        }
        let seed = if of.dimensions == 4 { hash([w, 0, 0], 1, seed) } else { seed };
        let h = hash([x, y, z], of.dimensions.min(3), seed);
        Some(rest.powi(4) * dot(direction(h, of.dimensions), d))
    });
    near.sum::<f64>() * scale(of.dimensions, of.variant == OpenSimplexVariant::Smooth)
}

/// Positions whose fractions f32 holds.
fn positions(count: usize, most: f64) -> Vec<[f64; 3]> {
    let mut random = Random(3);
    (0..count).map(|_| [0; 3].map(|_| (random.between(-most, most) * 1_048_576.0).floor() / 1_048_576.0)).collect()
}

#[test]
fn values_are_sums_over_all_points_within_the_reach() {
    let (mut worst, mut exact) = (0.0f64, 0.0f64);
    for of in all() {
        let of = OpenSimplex2 { w: if of.dimensions == 4 { 7.3125 } else { 0.0 }, ..of };
        let at = positions(if of.dimensions == 4 { 1500 } else { 6000 }, 2000.0);
        let noise = Noise::open_simplex2(of.clone());
        let single = cpu().sample(&noise, &at, Gradient::Without).expect("samples");
        let double = oracle().sample(&noise, &at, Gradient::Without).expect("samples");
        for (i, at) in at.iter().enumerate() {
            let expected = brute(&of, *at);
            assert!((double[i].value - expected).abs() < 2e-5, "{of:?} at {at:?}: {} is not {expected}", double[i].value);
            assert!((single[i].value - expected).abs() < 2e-5, "{of:?} at {at:?}: {} is not {expected}", single[i].value);
            worst = worst.max((single[i].value - double[i].value).abs());
            exact = exact.max((double[i].value - expected).abs());
        }
    }
    // The reach of the definition is longer by a millionth.
    println!("off by at most {worst:e} in f32 and {exact:e} in f64");
    assert!(worst < 2e-6, "{worst:e}");
}

/// At a step of 2⁻¹⁶, a jump would be far larger than the curvature, and a wrong gradient as well.
#[test]
fn nothing_jumps_and_gradients_are_those_of_differences() {
    let step = 1.0 / 65_536.0;
    let mut worst = 0.0f64;
    for of in all() {
        let noise = Noise::open_simplex2(of.clone());
        for at in positions(400, 20.0) {
            for axis in 0..of.dimensions.min(3) as usize {
                let moved = |by: f64| {
                    let mut moved = at;
                    moved[axis] += by;
                    moved
                };
                let samples = oracle().sample(&noise, &[moved(-step), at, moved(step)], Gradient::With).expect("samples");
                let expected = (samples[2].value - samples[0].value) / (2.0 * step);
                let given = samples[1].gradient.expect("asked for")[axis];
                worst = worst.max((given - expected).abs());
                assert!((given - expected).abs() < 1e-5, "{of:?} at {at:?}: {given}, not {expected}");
            }
        }
    }
    println!("off by at most {worst:e}");
}

/// Without a period, values do not depend on the distance from the origin: steps of whole periods of the frame's lattice.
#[test]
fn far_away_f32_is_as_exact_as_at_the_origin() {
    for of in all() {
        let noise = Noise::open_simplex2(of.clone());
        let at: Vec<[f64; 3]> = positions(200, 50.0).into_iter().map(|[x, y, z]| [x + 2e9, y - 1e9, z + 7e8]).collect();
        let single = cpu().sample(&noise, &at, Gradient::Without).expect("samples");
        let double = oracle().sample(&noise, &at, Gradient::Without).expect("samples");
        for (a, b) in single.iter().zip(&double) {
            assert!((a.value - b.value).abs() < 2e-6, "{of:?}: {} is not {}", a.value, b.value);
        }
        let distinct: std::collections::BTreeSet<u64> = double.iter().map(|sample| sample.value.to_bits()).collect();
        assert_eq!(distinct.len(), double.len(), "{of:?}");
    }
}

#[test]
fn the_range_is_nearly_filled() {
    for of in all() {
        let noise = Noise::open_simplex2(OpenSimplex2 { wavelength: 3.7, offset: None, ..of.clone() });
        let field = cpu().field(&noise, &Region::plane(1500, 1500)).expect("a field");
        let (lo, hi) = field.values.iter().fold((f32::INFINITY, f32::NEG_INFINITY), |(lo, hi), &v| (lo.min(v), hi.max(v)));
        println!("{}D, {}, {}: {lo} to {hi}", of.dimensions, of.variant, of.orientation);
        let reached = if of.dimensions == 2 { 0.97 } else { 0.75 };
        assert!(-1.0 <= lo && lo < -reached && reached < hi && hi <= 1.0, "{of:?}: {lo} to {hi}");
    }
}

/// Branch and bound over the fractions of a cell.
struct Bound {
    dimensions: usize,
    unskew: f64,
    reach: f64,
    directions: Vec<Four>,
}

impl Bound {
    /// Whether the sum of each point's best direction stays below `limit` in the box around the fractions.
    fn stays_below(&self, fractions: Four, half: f64, near: &[Four], limit: f64) -> bool {
        // In 3D and 4D all orders of the axes are alike.
        if self.dimensions > 2 && (1..self.dimensions).any(|axis| fractions[axis - 1] + half < fractions[axis] - half) {
            return true;
        }
        let shift = fractions.iter().sum::<f64>() * self.unskew;
        let radius = half * (self.dimensions as f64).sqrt();
        let mut within = Vec::with_capacity(near.len());
        // First as if gradients had any direction.
        let mut rough = 0.0;
        for &point in near {
            let d: Four = std::array::from_fn(|axis| if axis < self.dimensions { fractions[axis] - shift - point[axis] } else { 0.0 });
            let length = dot(d, d).sqrt();
            let nearest = (length - radius).max(0.0);
            let rest = (self.reach - nearest * nearest).max(0.0);
            if rest > 0.0 {
                let falloff = (rest * rest) * (rest * rest);
                within.push((point, d, falloff));
                rough += falloff * (length + radius);
            }
        }
        if rough < limit {
            return true;
        }
        let best = |d: Four| self.directions.iter().map(|&direction| dot(direction, d)).fold(0.0, f64::max);
        let sum: f64 = within.iter().map(|&(_, d, falloff)| falloff * (best(d) + radius)).sum();
        if sum < limit {
            return true;
        }
        let quarter = half * 0.5;
        let within: Vec<Four> = within.into_iter().map(|(point, ..)| point).collect();
        half > 1e-6
            && (0..1 << self.dimensions).all(|side| {
                let child = std::array::from_fn(|axis| match axis < self.dimensions {
                    true if side >> axis & 1 == 1 => fractions[axis] + quarter,
                    true => fractions[axis] - quarter,
                    false => 0.0,
                });
                self.stays_below(child, quarter, &within, limit)
            })
    }
}

#[test]
fn the_bounds_are_proven() {
    for dimensions in [2, 3, 4] {
        // All hashes have all directions.
        let mut directions: Vec<Four> = Vec::new();
        for k in 0..65_536u32 {
            let one = direction((k << 16) | (k >> 4 & 7), dimensions);
            if directions.iter().all(|other| dot(*other, one) < 1.0 - 1e-9) {
                directions.push(one);
            }
        }
        assert_eq!(directions.len(), [16, 48, 32][dimensions as usize - 2]);
        for smooth in [false, true] {
            let unskew = [(3.0 - 3f64.sqrt()) / 6.0, 0.0, (5.0 - 5f64.sqrt()) / 20.0][dimensions as usize - 2];
            let bound = Bound { dimensions: dimensions as usize, unskew, reach: reach(dimensions, smooth), directions: directions.clone() };
            let near: Vec<Four> = points(dimensions, [0.0; 4], 3).into_iter().map(|(_, place)| place).collect();
            // In 3D all octants of a cube are alike.
            let half = if dimensions == 3 { 0.25 } else { 0.5 };
            let middle = std::array::from_fn(|axis| if axis < dimensions as usize { half } else { 0.0 });
            let limit = 1.0 / scale(dimensions, smooth);
            assert!(bound.stays_below(middle, half, &near, limit), "{dimensions}D, smooth {smooth}, leaves [-1, 1]");
            // A search finds sums near the limit. Bounds of single positions are sums.
            let mut random = Random(5);
            let found = (0..40_000).any(|_| {
                let at = std::array::from_fn(|axis| if axis < dimensions as usize { random.between(0.0, 2.0 * half) } else { 0.0 });
                let mut at: Four = at;
                if dimensions > 2 {
                    at.sort_by(|a, b| b.total_cmp(a));
                }
                !bound.stays_below(at, 1e-7, &near, 0.95 * limit)
            });
            assert!(found, "{dimensions}D, smooth {smooth}, does not fill [-1, 1]");
        }
    }
}

/// A period turns the lattice about the axis of time or height only.
#[test]
fn periods_exist_for_all_but_the_classic_orientation() {
    let mut noises = 0;
    for of in all() {
        let noise = Noise::open_simplex2(OpenSimplex2 { wavelength: 11.3, ..of.clone() });
        let region = Region { size: [61, 61, 1], ..Region::plane(1, 1) };
        let got = cpu().field(&noise.clone().periodic([60.0, 60.0, 48.0]), &region);
        if of.dimensions > 2 && of.orientation == Orientation::Classic {
            let error = got.expect_err("does not repeat").to_string();
            assert!(error.contains("node 'open_simplex2'") && error.contains("improve_xy"), "{error}");
            continue;
        }
        let values = got.expect("a field").values;
        let value = |x: usize, y: usize| values[y * 61 + x];
        assert!((0..61).all(|k| value(0, k) == value(60, k) && value(k, 0) == value(k, 60)), "{of:?}");
        // It differs within the period.
        assert!((1..60).all(|k| (0..61).any(|y| value(0, y) != value(k, y)) && (0..61).any(|x| value(x, 0) != value(x, k))), "{of:?}");
        let at = |z: f64| cpu().sample(&noise.clone().periodic([60.0, 60.0, 48.0]), &[[3.0, 4.5, z]], Gradient::With).expect("a sample")[0];
        if of.dimensions > 2 {
            assert_eq!(at(-7.0).value.to_bits(), at(41.0).value.to_bits(), "{of:?}");
            assert!([6.0, 12.0, 16.0, 24.0].iter().all(|k| at(-7.0).value != at(k - 7.0).value), "{of:?}");
        }
        noises += 1;
    }
    assert_eq!(noises, 14);
}

/// Along the fourth axis, too.
#[test]
fn the_fourth_axis_repeats() {
    for smooth in [false, true] {
        for orientation in [Orientation::ImproveXy, Orientation::ImproveXz] {
            let at = |w: f64| {
                let noise = Noise::open_simplex2(OpenSimplex2 { w, wavelength: 7.0, ..unit(4, smooth, orientation) });
                let noise = noise.periodic_4d([45.0, 0.0, 0.0], 32.0);
                cpu().field(&noise, &Region::plane(46, 9)).expect("a field").values
            };
            let first = at(3.25);
            assert_eq!(first, at(35.25));
            assert!([4.0, 8.0, 10.75, 16.0].iter().all(|k| at(3.25 + k) != first));
            assert!((0..9).all(|y| first[46 * y].to_bits() == first[46 * y + 45].to_bits()));
        }
    }
}

#[test]
fn seeds_and_orientations_make_other_noises() {
    let field = |of: OpenSimplex2| cpu().field(&Noise::open_simplex2(of), &Region::plane(40, 40)).expect("a field").values;
    for dimensions in [2, 3, 4] {
        for smooth in [false, true] {
            let of = |seed, orientation| OpenSimplex2 {
                dimensions,
                variant: variant(smooth),
                seed,
                orientation,
                wavelength: 9.0,
                ..Default::default()
            };
            let first = field(of(1, Orientation::ImproveXy));
            assert_ne!(first, field(of(2, Orientation::ImproveXy)));
            assert_ne!(first, field(of(1, Orientation::ImproveXz)));
            assert_eq!(first == field(of(1, Orientation::Classic)), dimensions == 2);
        }
    }
}

/// The samples of a row read points that were hashed together, if they are near each other; three single samples do not.
#[test]
fn fields_have_the_bits_of_single_samples() {
    let planes = [false, true].map(|smooth| (2, smooth, Region { origin: [-170, 23, 0], ..Region::plane(340, 6) }));
    let spaces = [false, true].map(|smooth| (3, smooth, Region { origin: [-35, 7, -2], size: [70, 9, 3], ..Region::plane(1, 1) }));
    for (dimensions, smooth, region) in planes.into_iter().chain(spaces) {
        for (orientation, wavelength) in [(Orientation::Classic, 13.0), (Orientation::ImproveXy, 31.0), (Orientation::ImproveXz, 47.0)] {
            for wavelength in [wavelength * 0.1, wavelength, wavelength * 11.0] {
                let noise = Noise::open_simplex2(OpenSimplex2 { wavelength, ..unit(dimensions, smooth, orientation) });
                let prepared = cpu().prepare(&noise).expect("a noise");
                let field = prepared.field(&region).expect("a field").values;
                let [width, height, depth] = region.size.map(i64::from);
                let positions: Vec<[f64; 3]> = (0..width * height * depth)
                    .map(|i| [i % width, i / width % height, i / (width * height)])
                    .map(|steps| [0, 1, 2].map(|axis| (region.origin[axis] + steps[axis]) as f64))
                    .collect();
                for (at, expected) in positions.chunks(3).zip(field.chunks(3)) {
                    let mut values = [0.0; 3];
                    prepared.sample_into(at, &mut values[..at.len()]).expect("samples");
                    assert_eq!(values[..at.len()], *expected, "{dimensions}D, {smooth}, {orientation:?}, {wavelength} at {at:?}");
                }
            }
        }
    }
}
