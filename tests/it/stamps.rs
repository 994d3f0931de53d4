//! Stamps against their description: discs around lattice points, and the other noise sampled in each of them.

use crate::support::{Random, cpu, hash, lattice_seed, mixed, oracle};
use orogen::node::{Axis, Coordinate, Fractal, Heights, Perlin, Radius, Raster, StampCombine, Stamps, Transform, Turbulence};
use orogen::{Gradient, Noise, Region};

/// Stamps whose lattice is the world's: cells of one unit, corners at integers.
fn unit() -> Stamps {
    Stamps { wavelength: 1.0, radius: 0.8, seed: 11, offset: Some([0.0; 3]), ..Default::default() }
}

/// The noise in the discs.
fn inner() -> Noise {
    Noise::perlin(Perlin { wavelength: 0.4, seed: 4, ..Default::default() }).scale_offset(1.0, 0.4)
}

fn smoothstep(x: f64) -> f64 {
    let x = x.clamp(0.0, 1.0);
    x * x * (3.0 - 2.0 * x)
}

/// The stamps by their description, and the number of discs around the sample.
fn brute(of: &Stamps, noise: &Noise, at: [f64; 2]) -> (f64, u32) {
    let share = |h: u32| f64::from(h >> 16) / 65536.0;
    let (mut height, mut top, mut count) = (0.0f64, 0.0f64, 0);
    for lattice in 0..of.lattices as i32 {
        for y in -2..=2 {
            for x in -2..=2 {
                let cell = [at[0].floor() as i32 + x, at[1].floor() as i32 + y, lattice];
                let h = hash(cell, 3, lattice_seed(&[11]));
                let word = mixed(h);
                let other = mixed(word);
                if f64::from(word & 0xffff) >= (of.density * 65536.0).round() {
                    continue;
                }
                let halves = [(h >> 16) as i16, h as i16];
                let from = [0, 1].map(|i| at[i] - f64::from(cell[i]) - 0.5 - of.jitter * (f64::from(halves[i]) + 0.5) / 65536.0);
                let scale = 1.0 / (1.0 + share(word) * (1.0 / (1.0 - of.variation) - 1.0));
                let distance = libm::sqrt(from[0] * from[0] + from[1] * from[1]) / scale;
                if distance >= of.radius {
                    continue;
                }
                count += 1;
                let angle = share(other) * of.rotation * std::f64::consts::TAU;
                let (sin, cos) = (libm::sin(angle), libm::cos(angle));
                let place = [(cos * from[0] + sin * from[1]) / scale, (cos * from[1] - sin * from[0]) / scale, 0.0];
                let value = oracle().sample(noise, &[place], Gradient::Without).expect("a sample")[0].value;
                let value = value * (1.0 + of.lift * (scale - 1.0));
                let squared = (distance / of.radius) * (distance / of.radius);
                let weight = smoothstep((1.0 - squared) / (1.0 - (1.0 - of.fade) * (1.0 - of.fade)));
                let priority = f64::from(mixed(other) >> 8) / 16_777_216.0;
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
    (height, count)
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
        let mut most = 0;
        for (i, at) in at.iter().enumerate() {
            let (expected, count) = brute(&of, &inner, [at[0], at[1]]);
            most = most.max(count);
            assert!(range.lo <= single[i].value && single[i].value <= range.hi, "{of:?} at {at:?}: {} leaves {range:?}", single[i].value);
            assert!((double[i].value - expected).abs() < 1e-5, "{of:?} at {at:?}: {} is not {expected}", double[i].value);
            assert!((single[i].value - expected).abs() < 1e-4, "{of:?} at {at:?}: {} is not {expected}", single[i].value);
        }
        assert!(most >= 2, "{of:?}: {most} discs overlap");
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
