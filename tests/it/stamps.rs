//! Stamps against their description: discs around lattice points, and the other noise sampled in each of them.

use crate::support::{Random, cpu, hash, lattice_seed, mixed, oracle};
use orogen::node::{
    Axis, Coordinate, Fractal, Heights, Perlin, Radius, Raster, StampCombine, StampPriority, Stamps, Transform, Turbulence,
};
use orogen::{Gradient, Noise, Region};

/// Stamps whose lattice is the world's: cells of one unit, corners at integers.
fn unit() -> Stamps {
    Stamps { wavelength: 1.0, radius: 0.8, seed: 11, offset: Some([0.0; 3]), ..Default::default() }
}

/// The noise in the discs.
fn inner() -> Noise {
    Noise::perlin(Perlin { dimensions: 3, wavelength: 0.4, seed: 4, ..Default::default() }).scale_offset(1.0, 0.4)
}

fn smoothstep(x: f64) -> f64 {
    let x = x.clamp(0.0, 1.0);
    x * x * (3.0 - 2.0 * x)
}

/// A point of a lattice with cells of one unit, by the description.
#[derive(Clone, Copy)]
struct Point {
    cell: [i64; 3],
    at: [f64; 2],
    word: u32,
    rank: u32,
}

/// The rank by which stamps have priority.
fn rank(priority: StampPriority, word: u32) -> u32 {
    match priority {
        StampPriority::Largest => u32::MAX - word,
        StampPriority::Smallest => word,
        _ => mixed(mixed(word)),
    }
}

/// The point of a cell, relative to another cell.
fn point(of: &Stamps, cell: [i64; 3], period: i64, from: [i64; 2]) -> Option<Point> {
    let hashed = if period > 0 { [cell[0].rem_euclid(period), cell[1].rem_euclid(period), cell[2]] } else { cell };
    let h = hash(hashed.map(|c| c as i32), 3, lattice_seed(&[of.seed]));
    let word = mixed(h);
    let halves = [(h >> 16) as i16, h as i16];
    let at = [0, 1].map(|i| (cell[i] - from[i]) as f64 + 0.5 + of.jitter * (f64::from(halves[i]) + 0.5) / 65536.0);
    (f64::from(word & 0xffff) < (of.density * 65536.0).round()).then(|| Point { cell, at, word, rank: rank(of.priority, word) })
}

/// The points that are too near to a point and have priority over it. `false`: a distance is so close to the minimum that its rounding
/// to 2⁻¹⁴ cells may decide.
fn rivals(of: &Stamps, own: &Point, period: i64, from: [i64; 2]) -> (Vec<Point>, bool) {
    let (mut all, mut sure) = (Vec::new(), true);
    for lattice in 0..i64::from(of.lattices) {
        for y in -2..=2 {
            for x in -2..=2 {
                let Some(other) = point(of, [own.cell[0] + x, own.cell[1] + y, lattice], period, from) else { continue };
                let distance = libm::hypot(other.at[0] - own.at[0], other.at[1] - own.at[1]);
                let near = distance < of.separation + 1.2e-4 && x.abs().max(y.abs()) < 2;
                sure &= !(of.separation..of.separation + 3e-4).contains(&distance);
                if near && other.rank > own.rank {
                    all.push(other);
                }
            }
        }
    }
    (all, sure)
}

/// Whether a point stays: each of its rivals has a rival without rivals.
fn stays(of: &Stamps, own: &Point, period: i64, from: [i64; 2]) -> (bool, bool) {
    let mut all_sure = true;
    let mut rivals = |own: &Point| {
        let (all, sure) = rivals(of, own, period, from);
        all_sure &= sure;
        all
    };
    let mut stays = true;
    for rival in rivals(own) {
        let mut yields = false;
        for third in rivals(&rival) {
            yields |= rivals(&third).is_empty();
        }
        stays &= yields;
    }
    (stays, all_sure)
}

/// The stamps by their description, the number of discs around the sample, and whether no distance is in doubt.
fn brute(of: &Stamps, noise: &Noise, at: [f64; 2]) -> (f64, u32, bool) {
    let share = |h: u32| f64::from(h >> 16) / 65536.0;
    let (mut height, mut top, mut count, mut sure) = (0.0f64, 0.0f64, 0, true);
    for lattice in 0..of.lattices as i32 {
        for y in -2..=2 {
            for x in -2..=2 {
                let cell = [at[0].floor() as i64 + x, at[1].floor() as i64 + y, i64::from(lattice)];
                let Some(found) = point(of, cell, 0, [0; 2]) else { continue };
                let word = found.word;
                let other = mixed(word);
                let from = [0, 1].map(|i| at[i] - found.at[i]);
                let scale = 1.0 / (1.0 + share(word) * (1.0 / (1.0 - of.variation) - 1.0));
                let distance = libm::sqrt(from[0] * from[0] + from[1] * from[1]) / scale;
                if distance >= of.radius {
                    continue;
                }
                if of.separation > 0.0 {
                    let (stays, no_doubt) = stays(of, &found, 0, [0; 2]);
                    sure &= no_doubt;
                    if !stays {
                        continue;
                    }
                }
                count += 1;
                let angle = share(other) * of.rotation * std::f64::consts::TAU;
                let z = of.thickness * f64::from(other & 0xffff) / 65536.0;
                let (sin, cos) = (libm::sin(angle), libm::cos(angle));
                let place = [(cos * from[0] + sin * from[1]) / scale, (cos * from[1] - sin * from[0]) / scale, z];
                let value = oracle().sample(noise, &[place], Gradient::Without).expect("a sample")[0].value;
                let value = value * (1.0 + of.lift * (scale - 1.0));
                let squared = (distance / of.radius) * (distance / of.radius);
                let weight = smoothstep((1.0 - squared) / (1.0 - (1.0 - of.fade) * (1.0 - of.fade)));
                let priority = f64::from(found.rank >> 8) / 16_777_216.0;
                match of.combine {
                    StampCombine::Add => height += weight * value,
                    StampCombine::Max => height = height.max(weight * value),
                    _ => {
                        height += weight * smoothstep(1.0 - 4.0 * (top - priority)) * (value - height);
                        let above = (priority - top).max(0.0);
                        top += weight * if above < 0.125 { 4.0 * above * above } else { above - 0.0625 };
                    }
                }
            }
        }
    }
    (height, count, sure)
}

/// Positions whose fractions f32 holds.
fn positions(count: usize) -> Vec<[f64; 3]> {
    let mut random = Random(3);
    (0..count).map(|_| [0; 3].map(|_| (random.between(-3000.0, 3000.0) * 1_048_576.0).floor() / 1_048_576.0)).collect()
}

/// All shapes.
fn all() -> Vec<Stamps> {
    let mut all = Vec::new();
    for combine in StampCombine::ALL {
        all.extend([
            Stamps { combine: *combine, ..unit() },
            Stamps { combine: *combine, radius: 1.0, lattices: 3, variation: 0.0, fade: 1.0, ..unit() },
            Stamps { combine: *combine, radius: 0.5, lattices: 2, density: 0.7, jitter: 0.4, lift: 0.0, rotation: 0.2, ..unit() },
            Stamps { combine: *combine, priority: StampPriority::Largest, separation: 0.6, lattices: 2, ..unit() },
            Stamps { combine: *combine, priority: StampPriority::Smallest, separation: 1.0, density: 0.8, radius: 1.0, ..unit() },
            Stamps { combine: *combine, thickness: 1.0, ..unit() },
            Stamps { combine: *combine, separation: 0.25, lattices: 4, jitter: 0.7, radius: 0.4, ..unit() },
        ]);
    }
    all
}

#[test]
fn values_are_those_of_the_description() {
    let inner = inner();
    for of in all() {
        let noise = inner.clone().stamps(of.clone());
        let range = noise.range().expect("a range");
        let at = positions(400);
        let single = cpu().sample(&noise, &at, Gradient::Without).expect("samples");
        let double = oracle().sample(&noise, &at, Gradient::Without).expect("samples");
        let (mut most, mut doubtful) = (0, 0);
        for (i, at) in at.iter().enumerate() {
            let (expected, count, sure) = brute(&of, &inner, [at[0], at[1]]);
            if !sure {
                doubtful += 1;
                continue;
            }
            most = most.max(count);
            assert!(range.lo <= single[i].value && single[i].value <= range.hi, "{of:?} at {at:?}: {} leaves {range:?}", single[i].value);
            assert!((double[i].value - expected).abs() < 1e-5, "{of:?} at {at:?}: {} is not {expected}", double[i].value);
            assert!((single[i].value - expected).abs() < 1e-4, "{of:?} at {at:?}: {} is not {expected}", single[i].value);
        }
        assert!(most >= 2, "{of:?}: {most} discs overlap");
        assert!(doubtful <= 20, "{of:?}: {doubtful} samples are doubtful");
    }
}

#[test]
fn gradients_are_those_of_differences() {
    let inner = inner();
    for of in all() {
        let noise = inner.clone().stamps(of.clone());
        let step = 1.0 / 16_777_216.0;
        let mut off = 0;
        for at in positions(120) {
            if !brute(&of, &inner, [at[0], at[1]]).2 {
                continue;
            }
            let given = oracle().sample(&noise, &[at], Gradient::With).expect("a sample")[0].gradient.expect("asked for");
            assert_eq!(given[2], 0.0);
            for axis in 0..2 {
                let moved = |by: f64| {
                    let mut moved = at;
                    moved[axis] += by;
                    brute(&of, &inner, [moved[0], moved[1]]).0
                };
                let slope = (moved(step) - moved(-step)) / (2.0 * step);
                off += u32::from((given[axis] - slope).abs() > 1e-3 * (1.0 + slope.abs()));
            }
        }
        // The highest of several has creases, and a difference may lie across one.
        assert!(off <= u32::from(of.combine == StampCombine::Max), "{of:?}: {off} slopes differ");
    }
}

/// Across the borders of cells, neither values nor gradients jump.
#[test]
fn nothing_jumps_between_cells() {
    let mut random = Random(8);
    for of in all() {
        let noise = inner().stamps(of.clone());
        for _ in 0..200 {
            let (x, y) = (random.between(-40.0, 40.0).floor(), random.between(-40.0, 40.0));
            for at in [[[x - 1e-9, y, 0.0], [x + 1e-9, y, 0.0]], [[y, x - 1e-9, 0.0], [y, x + 1e-9, 0.0]]] {
                let samples = oracle().sample(&noise, &at, Gradient::With).expect("samples");
                assert!((samples[0].value - samples[1].value).abs() < 1e-6, "{of:?} at {:?}: {samples:?}", at[0]);
                let [a, b] = [0, 1].map(|i| samples[i].gradient.expect("asked for"));
                for axis in 0..2 {
                    assert!((a[axis] - b[axis]).abs() < 1e-4 * (1.0 + a[axis].abs()), "{of:?} at {:?}: {samples:?}", at[0]);
                }
            }
        }
    }
}

/// A raster around the origin, placed without rotation and scale: its middle lies in the middle of every cell.
#[test]
fn a_raster_is_stamped_in_its_orientation() {
    let heights = Heights::new((0..81).map(|i| 1.0 + (i % 9) as f32 + 10.0 * (i / 9) as f32).collect(), [9, 9]).expect("heights");
    let stamp = Noise::raster(Raster { heights, position: [-4.0, -4.0], ..Default::default() });
    let even = Stamps { variation: 0.0, rotation: 0.0, jitter: 0.0, fade: 0.001, radius: 8.0, wavelength: 16.0, ..unit() };
    let noise = stamp.stamps(even);
    for (x, y) in [(0, 0), (-3, 2), (4, -4), (1, 3), (2, 2)] {
        for cell in [[8.0, 8.0], [-24.0, 72.0], [2_147_483_656.0, -4_398_046_511_096.0]] {
            let at = [cell[0] + f64::from(x), cell[1] + f64::from(y), 7.0];
            let value = cpu().sample(&noise, &[at], Gradient::Without).expect("a sample")[0].value;
            let expected = f64::from(1 + (x + 4) + 10 * (y + 4));
            assert!((value - expected).abs() < 1e-3, "{value} instead of {expected} at {at:?}");
        }
    }
}

/// A lattice gives the same bits when it is moved far away together with the region.
#[test]
fn it_is_exact_at_any_distance() {
    let far = 2f64.powi(39);
    let near = inner().stamps(Stamps { lattices: 2, ..unit() });
    let moved = inner().stamps(Stamps { lattices: 2, offset: Some([-far, far, 0.0]), ..unit() });
    // Positions that f64 holds even there.
    let at: Vec<_> = positions(500).into_iter().map(|at| at.map(|x| (x * 256.0).floor() / 256.0)).collect();
    let there: Vec<_> = at.iter().map(|[x, y, z]| [x + far, y - far, *z]).collect();
    let [near, moved] = [(&near, &at), (&moved, &there)].map(|(noise, at)| cpu().sample(noise, at, Gradient::With).expect("samples"));
    assert!(near == moved, "other bits");
}

/// Distances and coordinates are unbounded in the world, but not in the disc.
#[test]
fn ranges_are_those_in_the_disc() {
    let radius = |centre: f64| Noise::radius(Radius { centre: [centre, 0.0, 0.0], unit: 40.0, ..Default::default() });
    let cone = || radius(0.0).scale_offset(-1.0, 1.0);
    let along = |axis: Axis| Noise::coordinate(Coordinate { axis, unit: 20.0 });
    // A node that is read twice.
    let twice = || along(Axis::X).add(along(Axis::Y).multiply(along(Axis::X)));
    let of = |combine: StampCombine| Stamps { combine, radius: 40.0, wavelength: 90.0, ..Default::default() };
    let region = Region { spacing: 2.3, ..Region::plane(200, 150) };
    let range = |noise: &Noise| {
        let range = noise.range().expect("a range");
        let [lo, hi] = cpu().field(noise, &region).expect("a field").extent().map(f64::from);
        assert!(range.contains(lo) && range.contains(hi), "{lo} to {hi} leaves {range:?}");
        [range.lo, range.hi]
    };
    let near = |found: [f64; 2], expected: [f64; 2]| {
        assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() <= 1e-3 * (1.0 + b.abs())), "{found:?} instead of {expected:?}");
    };
    near(range(&cone().stamps(of(StampCombine::Max))), [0.0, 1.0]);
    assert_eq!(range(&cone().stamps(of(StampCombine::Max)))[0], 0.0);
    near(range(&cone().stamps(of(StampCombine::Cover))), [0.0, 1.0]);
    near(range(&cone().stamps(of(StampCombine::Add))), [0.0, 4.0]);
    near(range(&radius(20.0).stamps(of(StampCombine::Cover))), [0.0, 1.5]);
    near(range(&along(Axis::X).stamps(of(StampCombine::Cover))), [-2.0, 2.0]);
    near(range(&along(Axis::Z).stamps(of(StampCombine::Cover))), [0.0, 0.0]);
    let thick = || Stamps { thickness: 60.0, ..of(StampCombine::Cover) };
    near(range(&along(Axis::Z).stamps(thick())), [0.0, 3.0]);
    near(range(&along(Axis::X).stamps(thick())), [-2.0, 2.0]);
    let distance = Noise::radius(Radius { axes: [1.0; 3], unit: 40.0, ..Default::default() });
    near(range(&distance.stamps(thick())), [0.0, 2.0]);
    near(range(&twice().stamps(of(StampCombine::Cover))), [-6.0, 6.0]);
    // Under nodes that move positions: the disc from (−20, −20) to (140, 140), twice as large; a plane; displacements.
    let moved = Transform { offset: [30.0, 30.0, 0.0], scale: [2.0; 3], ..Default::default() };
    near(range(&along(Axis::X).transform(moved.clone()).stamps(of(StampCombine::Cover))), [-1.0, 7.0]);
    let turned = Transform { rotation: 90.0, ..moved };
    near(range(&along(Axis::X).transform(turned).stamps(of(StampCombine::Cover))), [-7.0, 1.0]);
    near(range(&along(Axis::Z).slice(Axis::Z, 50.0).stamps(of(StampCombine::Cover))), [0.0, 2.5]);
    let bend = Noise::perlin(Perlin { wavelength: 40.0, ..Default::default() });
    let bent = radius(0.0).warp([bend.clone(), bend.clone(), Noise::constant(0.0)], 10.0);
    near(range(&bent.stamps(of(StampCombine::Cover))), [0.0, 1.0 + 0.25 * libm::sqrt(2.0)]);
    let bent = along(Axis::Y).turbulence(bend, Turbulence { strength: 10.0, octaves: 2, ..Default::default() });
    near(range(&bent.stamps(of(StampCombine::Cover))), [-2.75, 2.75]);
    // Other nodes may sample at any position, and long chains are not followed.
    let octaves = range(&radius(0.0).fractal(Fractal { octaves: 2, ..Default::default() }).stamps(of(StampCombine::Cover)));
    assert!(octaves[1] > 1e6, "{octaves:?}");
    let long = (0..600).fold(radius(0.0), |noise, _| noise.add(0.001)).stamps(of(StampCombine::Cover));
    assert!(range(&long)[1] > 1.0);
}

/// Stamps of height 1 in small discs. With these, a sample at a point shows whether it stays, and its scale.
fn dots(of: Stamps) -> Stamps {
    Stamps { radius: 0.01, fade: 1.0, ..of }
}

/// The points of a square of cells, with the values there. The square begins at a cell that f64 may not tell from its neighbours in
/// fractions, so the offset moves it to the origin.
fn shown(of: &Stamps, corner: [i64; 2], size: i64, period: i64) -> Vec<(Point, f64)> {
    let offset = Some([corner[0] as f64, corner[1] as f64, 0.0]);
    let noise = Noise::constant(1.0).stamps(Stamps { offset, ..dots(of.clone()) });
    let noise = if period > 0 { noise.periodic([period as f64, period as f64, 0.0]) } else { noise };
    let mut points = Vec::new();
    for lattice in 0..i64::from(of.lattices) {
        for cell in 0..size * size {
            points.extend(point(of, [corner[0] + cell % size, corner[1] + cell / size, lattice], period, corner));
        }
    }
    let at: Vec<_> = points.iter().map(|point| [point.at[0], point.at[1], 0.0]).collect();
    let single = cpu().sample(&noise, &at, Gradient::Without).expect("samples");
    let double = oracle().sample(&noise, &at, Gradient::Without).expect("samples");
    let values = single.iter().zip(&double).map(|(single, double)| {
        assert_eq!(single.value > 0.05, double.value > 0.05, "f32 and f64 disagree");
        double.value
    });
    points.into_iter().zip(values).collect()
}

#[test]
fn points_that_stay_are_those_of_the_description() {
    let far = 1_000_000_000;
    for (separation, lattices, density, priority, corner, period) in [
        (1.0, 1, 1.0, StampPriority::Random, [0, 0], 0),
        (1.0, 4, 0.8, StampPriority::Random, [-20, 7], 0),
        (0.6, 2, 1.0, StampPriority::Largest, [-far, far], 0),
        (0.3, 3, 0.5, StampPriority::Smallest, [far, 3], 0),
        (0.9, 2, 1.0, StampPriority::Random, [-9, -9], 5),
        (1.0, 1, 1.0, StampPriority::Largest, [-9, -9], 3),
        (1.0, 2, 1.0, StampPriority::Largest, [-9, -9], 1),
    ] {
        for seed in [11, 3] {
            let of = Stamps { separation, lattices, density, priority, seed, variation: 0.0, ..unit() };
            let size = 24;
            let shown = shown(&of, corner, size, period);
            let (mut kept, mut doubtful) = (Vec::new(), 0);
            for (point, value) in &shown {
                let (stays, sure) = stays(&of, point, period, corner);
                let is = *value > 0.5;
                assert!(!sure || is == stays, "{of:?} period {period}: {:?} stays: {is}, not {stays}", point.cell);
                doubtful += u32::from(!sure);
                if is {
                    kept.push(point.at);
                }
            }
            assert!(period > 0 || f64::from(doubtful) < 0.1 * shown.len() as f64, "{of:?}: {doubtful} of {} are doubtful", shown.len());
            for (i, a) in kept.iter().enumerate() {
                for b in &kept[..i] {
                    let distance = libm::hypot(a[0] - b[0], a[1] - b[1]);
                    assert!(distance >= separation, "{of:?}: {a:?} and {b:?} are {distance} from each other");
                }
            }
            assert!(!kept.is_empty(), "{of:?}: no point stays");
        }
    }
}

/// The numbers of stamps in the documentation.
#[test]
fn numbers_of_stamps_are_those_of_the_documentation() {
    for (separation, lattices, expected) in [(1.0, 1, 0.44), (1.0, 2, 0.48), (1.0, 4, 0.50), (0.5, 1, 0.86), (0.5, 4, 1.58)] {
        let of = Stamps { separation, lattices, variation: 0.0, ..unit() };
        let kept = shown(&of, [0, 0], 150, 0).iter().filter(|(_, value)| *value > 0.5).count();
        let each = kept as f64 / (150.0 * 150.0);
        assert!((each - expected).abs() < 0.015, "{separation}, {lattices}: {each} per cell");
    }
}

/// With priority for large stamps, those that stay are larger on average.
#[test]
fn priorities_choose_sizes() {
    let mean = |priority: StampPriority| {
        let of = Stamps { separation: 0.8, lattices: 2, variation: 0.8, priority, ..unit() };
        let kept: Vec<_> = shown(&of, [0, 0], 40, 0).iter().map(|&(_, value)| value).filter(|&value| value > 0.05).collect();
        kept.iter().sum::<f64>() / kept.len() as f64
    };
    let [smallest, random, largest] = [StampPriority::Smallest, StampPriority::Random, StampPriority::Largest].map(mean);
    assert!(smallest < 0.8 * random && random < 0.8 * largest, "{smallest}, {random}, {largest}");
}

/// With twice the radius between points, no discs overlap.
#[test]
fn ranges_shrink_with_the_number_of_discs() {
    for (separation, most) in [(0.0, 4.0), (0.8, 1.0), (0.7, 2.0), (0.6, 3.0), (0.5, 4.0), (0.41, 4.0)] {
        let of = Stamps { combine: StampCombine::Add, radius: 0.4, separation, variation: 0.0, fade: 0.001, lattices: 1, ..unit() };
        let noise = Noise::constant(1.0).stamps(of.clone());
        let range = noise.range().expect("a range");
        assert!((range.hi - most).abs() < 1e-3, "{separation}: up to {} instead of {most}", range.hi);
        let all = Noise::constant(1.0).stamps(Stamps { lattices: 4, ..of });
        let field = cpu().field(&all, &Region { spacing: 0.03, ..Region::plane(700, 700) }).expect("a field");
        let [_, hi] = field.extent().map(f64::from);
        let range = all.range().expect("a range");
        assert!(range.contains(hi), "{separation}: {hi} leaves {range:?}");
        assert!(separation == 0.0 || range.hi < 5.1, "{separation}: up to {}", range.hi);
    }
}

#[test]
fn a_separation_above_the_wavelength_is_refused() {
    let noise = inner().stamps(Stamps { separation: 1.5, ..unit() });
    let error = noise.range().expect_err("an error").to_string();
    assert!(error.contains("separation") && error.contains("1.5") && error.contains("up to the wavelength, 1"), "{error}");
}

/// Nothing would be left of a pit.
#[test]
fn a_maximum_of_pits_is_refused() {
    let cone = |height: f64| Noise::radius(Radius { unit: 40.0, ..Default::default() }).scale_offset(-height, height - 0.1);
    let stamps = |height: f64, combine| cone(height).stamps(Stamps { radius: 40.0, wavelength: 90.0, combine, ..Default::default() });
    let error = cpu().prepare(&stamps(-3.0, StampCombine::Max)).expect_err("an error").to_string();
    assert!(error.contains("'stamps': combine = 'max' is not allowed") && error.contains("'add' or 'cover'"), "{error}");
    for (height, combine) in [(-3.0, StampCombine::Add), (-3.0, StampCombine::Cover), (3.0, StampCombine::Max)] {
        assert!(cpu().prepare(&stamps(height, combine)).is_ok(), "{height}, {combine:?}");
    }
}
