//! Points, lines and meshes: independent of the requested part of the world, and as documented.

use crate::support::{Scratch, cpu, oracle, run, text};
use orogen::lines::{Coastline, NoisyEdge, contours, running_sum};
use orogen::node::{Fractal, Perlin, Polar, PolarForm, Simplex, Value};
use orogen::scatter::{Point, Poisson, instances, violations};
use orogen::stage::Pipeline;
use orogen::stats::{Periodogram, Window};
use orogen::{Gradient, Noise, Region};
use std::collections::{BTreeMap, BTreeSet};

fn bits(places: &[Point]) -> BTreeSet<[u64; 4]> {
    places.iter().map(|p| [p.position[0], p.position[1], p.threshold, p.random].map(f64::to_bits)).collect()
}

#[test]
fn a_million_points_keep_their_distance_across_tiles() {
    let poisson = Poisson { distance: 3.0, seed: 11, relax: 0 };
    // Tiles that fit neither each other nor the blocks inside.
    let (edge, count) = (337.0, 12);
    let low = [-1500.0, 123_456.75];
    let corner = |i: i32, j: i32| [low[0] + edge * f64::from(i), low[1] + edge * f64::from(j)];
    let tiles = (0..count).flat_map(|j| (0..count).map(move |i| (i, j)));
    let all: Vec<Point> = tiles.flat_map(|(i, j)| poisson.points(corner(i, j), corner(i + 1, j + 1)).expect("points")).collect();
    assert!(all.len() > 1_000_000, "{} points", all.len());
    assert_eq!(violations(&all, 3.0), 0);
    assert!(violations(&all, 3.02) > 100, "points could lie closer");
    // A rectangle across tiles has the same points.
    let (low_corner, high_corner) = (corner(3, 4), corner(6, 6));
    let whole = poisson.points(low_corner, high_corner).expect("points");
    let inside = |place: &&Point| (0..2).all(|a| place.position[a] >= low_corner[a] && place.position[a] < high_corner[a]);
    let same: Vec<Point> = all.iter().filter(inside).copied().collect();
    assert_eq!((whole.len(), bits(&whole)), (same.len(), bits(&same)));
    // Darts thrown for ever would fill 0.547 of the plane with disks of half the distance (Feder 1980). Cells whose turn comes early find
    // narrow gaps, too, which darts would find late, if at all.
    let packing = all.len() as f64 * std::f64::consts::PI * 1.5 * 1.5 / (edge * f64::from(count)).powi(2);
    assert!((0.57..0.59).contains(&packing), "packing density {packing}");
    // Those that appear at low densities are further apart.
    for (density, distance) in [(0.25, 6.0), (0.0625, 12.0)] {
        let few: Vec<Point> = all.iter().copied().filter(|place| place.threshold < density).collect();
        assert_eq!(violations(&few, distance), 0, "at density {density}");
        let share = few.len() as f64 / all.len() as f64;
        assert!((share / density - 1.0).abs() < 0.06, "{share} of the points at density {density}");
    }
}

#[test]
fn no_point_fits_between_the_others() {
    for seed in 0..4_u32 {
        let (distance, edge) = (1.5, 240.0);
        let low = [-7e6 - 0.3, 1e5 * f64::from(seed)];
        let poisson = Poisson { distance, seed: u64::from(seed), relax: 0 };
        // With all that lie near enough to the area to leave no room in it.
        let places = poisson.points(low.map(|x| x - 2.0 * distance), low.map(|x| x + edge + 2.0 * distance)).expect("points");
        let cell = |at: [f64; 2]| [0, 1].map(|a| ((at[a] - low[a]) / distance).floor() as i32);
        let mut cells: BTreeMap<[i32; 2], Vec<[f64; 2]>> = BTreeMap::new();
        for place in &places {
            cells.entry(cell(place.position)).or_default().push(place.position);
        }
        let mut random = crate::support::Random(u64::from(seed) + 1);
        let mut farthest = 0.0_f64;
        for _ in 0..200_000 {
            let at = low.map(|x| x + random.between(0.0, edge));
            let [x, y] = cell(at);
            let near = (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| [x + dx, y + dy])).filter_map(|cell| cells.get(&cell)).flatten();
            farthest = farthest.max(near.map(|p| (p[0] - at[0]).powi(2) + (p[1] - at[1]).powi(2)).fold(f64::MAX, f64::min).sqrt());
        }
        // Positions are 2⁻²⁴ of a cell fine.
        assert!(farthest < distance * (1.0 + 1e-6), "seed {seed}: {farthest} from every point");
        assert!(farthest > distance * 0.95, "seed {seed}: {farthest}");
        assert_eq!(violations(&places, distance), 0);
    }
}

#[test]
fn points_have_little_power_at_low_frequencies_and_no_direction() {
    let places = Poisson { distance: 4.0, seed: 2, relax: 0 }.points([0.0; 2], [1024.0; 2]).expect("points");
    let mut counts = vec![0.0_f32; 512 * 512];
    for place in &places {
        counts[(place.position[1] / 2.0) as usize * 512 + (place.position[0] / 2.0) as usize] += 1.0;
    }
    let periodogram = Periodogram::of(&counts, 512, Window::Rectangle).expect("a square");
    let spectrum = periodogram.radial();
    // Independent points would have a power equal to their mean count everywhere.
    let white = f64::from(counts.iter().sum::<f32>()) / (512.0 * 512.0);
    let mean = |lo: f64, hi: f64| {
        let rings: Vec<f64> = spectrum.rings.iter().filter(|r| r.frequency > lo && r.frequency < hi).map(|r| r.power / white).collect();
        rings.iter().sum::<f64>() / rings.len() as f64
    };
    assert!(mean(0.01, 0.15) < 0.25, "power at low frequencies: {}", mean(0.01, 0.15));
    // The distance itself, a quarter of a cycle per unit, is where they have most.
    assert!(mean(0.43, 0.5) > 1.2, "power at the distance: {}", mean(0.43, 0.5));
    let isotropy = periodogram.isotropy(16, orogen::stats::Band::new(0.05, 0.45)).expect("rings");
    assert!(isotropy.deviation < 0.05, "{}", isotropy.deviation);
}

/// One step of Lloyd's relaxation against its definition. A point moves to the centroid of all positions that are nearest to it,
/// here counted on a grid with 40 positions per distance.
#[test]
fn a_step_of_relaxation_moves_points_to_the_middle_of_what_is_theirs() {
    let (poisson, low, high) = (Poisson { distance: 1.0, seed: 5, relax: 0 }, [-12.0; 2], [12.0; 2]);
    let of = |points: Vec<Point>| -> BTreeMap<[u64; 2], [f64; 2]> {
        points.into_iter().map(|p| ([p.threshold, p.random].map(f64::to_bits), p.position)).collect()
    };
    let (before, after) =
        (of(poisson.points(low, high).expect("points")), of(Poisson { relax: 1, ..poisson }.points(low, high).expect("points")));
    let mut sums: BTreeMap<[u64; 2], ([f64; 2], f64)> = BTreeMap::new();
    for row in 0..640 {
        for column in 0..640 {
            let at = [column, row].map(|i| (f64::from(i) + 0.5) / 40.0 - 8.0);
            let far = |p: &[f64; 2]| (p[0] - at[0]).powi(2) + (p[1] - at[1]).powi(2);
            let (name, _) = before.iter().min_by(|a, b| far(a.1).total_cmp(&far(b.1))).expect("points");
            let sum = sums.entry(*name).or_default();
            *sum = ([sum.0[0] + at[0], sum.0[1] + at[1]], sum.1 + 1.0);
        }
    }
    let mut compared = 0;
    for (name, (sum, count)) in sums {
        let (was, is) = (before[&name], after[&name]);
        // Those whose part is counted whole.
        if was.iter().all(|x| x.abs() < 5.5) {
            let middle = sum.map(|x| x / count);
            assert!((is[0] - middle[0]).hypot(is[1] - middle[1]) < 0.01, "{was:?} moved to {is:?}, not to {middle:?}");
            compared += 1;
        }
    }
    assert!(compared > 70, "{compared}");
}

#[test]
fn relaxed_points_are_the_same_whatever_part_is_asked_for_and_more_even() {
    for relax in [1, 4] {
        let poisson = Poisson { distance: 2.0, seed: 3, relax };
        let low = [1e6 - 0.7, -5e7];
        let corner = |i: i32, j: i32| [low[0] + 61.3 * f64::from(i), low[1] + 61.3 * f64::from(j)];
        let whole = poisson.points(low, corner(6, 6)).expect("points");
        let tiles = (0..6).flat_map(|j| (0..6).map(move |i| (i, j)));
        let cut: Vec<Point> = tiles.flat_map(|(i, j)| poisson.points(corner(i, j), corner(i + 1, j + 1)).expect("points")).collect();
        assert_eq!((whole.len(), bits(&whole)), (cut.len(), bits(&cut)), "{relax} steps");
    }
    // Distances between points and their nearest neighbours, relative to the minimum distance, and their variation.
    let spread = |relax| {
        let places = Poisson { distance: 1.0, seed: 9, relax }.points([0.0; 2], [300.0; 2]).expect("points");
        let mut cells: BTreeMap<[i32; 2], Vec<[f64; 2]>> = BTreeMap::new();
        let cell = |p: [f64; 2]| p.map(|x| x.floor() as i32);
        places.iter().for_each(|p| cells.entry(cell(p.position)).or_default().push(p.position));
        let inside = places.iter().map(|p| p.position).filter(|p| p.iter().all(|&x| x > 3.0 && x < 297.0));
        let nearest: Vec<f64> = inside
            .map(|p| {
                let [x, y] = cell(p);
                let near = (-2..=2).flat_map(|dy| (-2..=2).map(move |dx| [x + dx, y + dy])).filter_map(|cell| cells.get(&cell)).flatten();
                near.filter(|q| **q != p).map(|q| (q[0] - p[0]).powi(2) + (q[1] - p[1]).powi(2)).fold(f64::MAX, f64::min).sqrt()
            })
            .collect();
        let mean = nearest.iter().sum::<f64>() / nearest.len() as f64;
        let deviation = (nearest.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / nearest.len() as f64).sqrt();
        let least = nearest.iter().copied().fold(f64::MAX, f64::min);
        println!("{relax} steps: {} points, nearest {least:.3}, mean {mean:.3}, deviation {deviation:.4}", places.len());
        (places.len(), least, mean, deviation)
    };
    let plain = spread(0);
    let mut before = plain;
    for steps in [1, 4, 16] {
        let after = spread(steps);
        assert!(after.2 > before.2 && after.1 > 0.8, "{after:?} after {before:?}");
        before = after;
    }
    assert!(before.2 > 1.08 * plain.2, "{before:?}, {plain:?} without");
    let told = Poisson { relax: 65, ..Default::default() }.points([0.0; 2], [1.0; 2]).expect_err("too many").to_string();
    assert!(told.contains("relax = 65") && told.contains("0 to 64"), "{told}");
}

#[test]
fn a_density_thins_points_and_seeds_differ() {
    let slope = Noise::coordinate(orogen::node::Coordinate { unit: 1000.0, ..Default::default() });
    let poisson = Poisson { distance: 2.0, seed: 0, relax: 0 };
    let places = poisson.scatter(&cpu(), &slope, [0.0; 2], [1000.0, 400.0], 0.0).expect("places");
    let all = poisson.points([0.0; 2], [1000.0, 400.0]).expect("points");
    for tenth in 0..10 {
        let inside = |place: &&Point| (place.position[0] / 100.0) as i32 == tenth;
        let share = places.iter().filter(inside).count() as f64 / all.iter().filter(inside).count() as f64;
        assert!((share - (f64::from(tenth) + 0.5) / 10.0).abs() < 0.05, "tenth {tenth}: {share}");
    }
    let other = Poisson { seed: 1, ..poisson }.points([0.0; 2], [100.0; 2]).expect("points");
    assert!(bits(&all).is_disjoint(&bits(&other)));
    for (what, poisson, low, high) in [
        ("distance = 0", Poisson { distance: 0.0, seed: 0, relax: 0 }, [0.0; 2], [1.0; 2]),
        ("distance = NaN", Poisson { distance: f64::NAN, seed: 0, relax: 0 }, [0.0; 2], [1.0; 2]),
        ("area", poisson, [0.0; 2], [-1.0; 2]),
        ("area", poisson, [0.0; 2], [1e7; 2]),
        ("area", poisson, [1e16; 2], [1e16; 2]),
        ("area", Poisson { distance: 0.5, ..poisson }, [5e15; 2], [5e15; 2]),
        ("area", poisson, [f64::NAN; 2], [1.0; 2]),
    ] {
        let told = poisson.points(low, high).expect_err(what).to_string();
        assert!(told.contains(what) && told.contains("allowed"), "{told}");
    }
    let records = instances(&all, [1.0, 2.0]);
    assert_eq!(records[3][..2], [(all[3].position[0] - 1.0) as f32, (all[3].position[1] - 2.0) as f32]);
}

/// Bits of points that were made before they could lie farther out than 2³¹ cells.
#[test]
fn points_near_the_origin_are_what_they_were() {
    let of = |distance, seed, relax| Poisson { distance, seed, relax };
    for (poisson, low, edges, count, expected) in [
        (of(3.0, 7, 0), [-50.0, -50.0], [200.0, 150.0], 2463, 0x328e_b61a_b83c_e313_u64),
        (of(3.0, 7, 0), [4e9, -4e9], [100.0, 100.0], 819, 0x95dd_9bbd_0086_949b),
        (of(0.25, 2, 2), [-1000.5, 333.0], [20.0, 20.0], 4720, 0xe99a_9937_6f76_1ef5),
        (of(10.0, u64::MAX, 1), [1e9, 5.0], [300.0, 200.0], 434, 0x3bfd_8ca7_0763_c7c0),
        (of(1e9, 3, 0), [-1e15, 0.0], [1e11, 1e11], 7419, 0xed9b_9773_ae9e_5df9),
    ] {
        let points = bits(&poisson.points(low, [low[0] + edges[0], low[1] + edges[1]]).expect("points"));
        // Fowler, Noll and Vo's hash of 64 bits, over words.
        let hash = |hash: u64, bits: &u64| (hash ^ bits).wrapping_mul(0x100_0000_01b3);
        let found = points.iter().flatten().fold(0xcbf2_9ce4_8422_2325, hash);
        assert_eq!((points.len(), found), (count, expected), "{poisson:?} at {low:?}");
    }
}

/// As far out as heights: the points do not depend on the requested part, keep their distance within f64, and are maximal.
#[test]
fn points_lie_as_far_out_as_heights() {
    const FARTHEST: f64 = 9_007_199_254_740_992.0;
    let mut seen = BTreeSet::new();
    for (distance, relax, at) in [
        (3.0, 0, [5e9, 0.0]),
        (3.0, 0, [6.5e9, -6.5e9]),
        (3.0, 2, [1e12, -1e12]),
        (3.0, 0, [-4e15, 7e3]),
        (64.0, 1, [FARTHEST - 4000.0, -FARTHEST]),
        (3.0, 0, [-FARTHEST, FARTHEST - 240.0]),
        (1e-3, 0, [4e12, -2e12]),
        (1e-6, 1, [FARTHEST * 1e-6 - 4000.0, 0.0]),
    ] {
        let poisson = Poisson { distance, seed: 7, relax };
        let ulp = at[0].abs().max(at[1].abs()) * f64::EPSILON;
        // Of rectangles that end where points do not.
        let edge = (17.0 * distance).max(17.0 * ulp).round().max(distance * 16.0);
        let corner = |i: u32, j: u32| [at[0] + edge * f64::from(i), at[1] + edge * f64::from(j)];
        let whole = poisson.points(corner(0, 0), corner(3, 3)).expect("points");
        let tiles = (0..3).flat_map(|j| (0..3).map(move |i| (i, j)));
        let cut: Vec<Point> = tiles.flat_map(|(i, j)| poisson.points(corner(i, j), corner(i + 1, j + 1)).expect("points")).collect();
        assert_eq!((whole.len(), bits(&whole)), (cut.len(), bits(&cut)), "{poisson:?} at {at:?}");
        let squares = ((corner(3, 3)[0] - at[0]) / distance) * ((corner(3, 3)[1] - at[1]) / distance);
        let share = whole.len() as f64 / squares;
        assert!((0.6..0.85).contains(&share), "{share} points for a square of {distance} at {at:?}");
        if relax == 0 && distance > 64.0 * ulp {
            assert_eq!(violations(&whole, distance - 3.0 * ulp), 0, "{poisson:?} at {at:?}");
        }
        // No part of the plane is another one's again: random numbers are of the points alone.
        seen.extend(whole.iter().map(|point| point.random.to_bits()));
    }
    assert!(seen.len() > 10_000, "{}", seen.len());
    // Not what lies 2³² cells nearer, as it was when cells had 32 bits.
    let poisson = Poisson { distance: std::f64::consts::SQRT_2, seed: 7, relax: 0 };
    let there = |x: f64| poisson.points([x, 0.0], [x + 64.0, 64.0]).expect("points");
    let offsets = |x: f64| -> BTreeSet<[i64; 2]> {
        there(x).iter().map(|p| [p.position[0] - x, p.position[1]].map(|c| (c * 1000.0).round() as i64)).collect()
    };
    let (near, far) = (offsets(1000.0), offsets(1000.0 + 4_294_967_296.0));
    assert!(near.intersection(&far).count() < 5, "{} of {} points repeat", near.intersection(&far).count(), near.len());
}

#[test]
fn contours_lie_on_their_level_and_meet_at_tile_borders() {
    let noise = Noise::perlin(Perlin { wavelength: 20.0, ..Default::default() });
    let layer = |x: i64| {
        let region = Region { origin: [x * 40, 7, 0], size: [41, 41, 1], spacing: 0.5, ..Region::plane(1, 1) };
        cpu().layer(&Pipeline::from(&noise), &region).expect("layer")
    };
    let levels = [-0.2, 0.0, 0.15];
    let found = contours(&layer(0), &levels).expect("contours");
    let mut ends = 0;
    for contour in &found {
        assert!(!contour.lines.is_empty());
        for line in &contour.lines {
            let positions: Vec<[f64; 3]> = line.iter().map(|p| [p[0], p[1], 0.0]).collect();
            for sample in cpu().sample(&noise, &positions, Gradient::Without).expect("samples") {
                assert!((sample.value - contour.level).abs() < 0.002, "{} on the line of {}", sample.value, contour.level);
            }
            let edge = |p: &[f64; 2]| [0.0, 20.0].contains(&p[0]) || [3.5, 23.5].contains(&p[1]);
            let closed = line.first() == line.last();
            assert!(closed || line.first().is_some_and(edge) && line.last().is_some_and(edge), "a line that ends nowhere");
            ends += usize::from(!closed);
        }
    }
    assert!(ends > 0);
    let crossings = |x: i64| -> BTreeSet<[u64; 2]> {
        let all = contours(&layer(x), &levels).expect("contours");
        all.iter().flat_map(|c| &c.lines).flatten().filter(|p| p[0] == 20.0).map(|p| p.map(f64::to_bits)).collect()
    };
    assert_eq!(crossings(0), crossings(1));
    assert!(crossings(0).len() > 1);
    // Four corners crosswise: two lines that do not cross.
    let saddle = orogen::Layer { values: vec![1.0, 0.0, 0.0, 1.0], region: Region::plane(2, 2), ..layer(0) };
    for (level, high_joined) in [(0.4, true), (0.6, false)] {
        let lines = contours(&saddle, &[level]).expect("contours").remove(0).lines;
        assert_eq!(lines.len(), 2);
        for line in lines {
            // If the high corners are joined, each line goes around a low one, to the lower left or upper right.
            let [x, y] = [0, 1].map(|a| f64::midpoint(line[0][a], line[1][a]));
            assert_eq!((x - y).abs() > 0.3, high_joined, "level {level}: {line:?}");
        }
    }
}

#[test]
fn coastlines_close_and_noisy_lines_stay_where_they_belong() {
    let noise = Noise::simplex(Simplex { wavelength: 60.0, ..Default::default() }).fractal(Fractal::default());
    let coast = Coastline { centre: [10.0, -5.0], radius: 100.0, amplitude: 40.0, circle: 100.0, count: 500, ..Default::default() };
    let line = coast.line(&cpu(), &noise).expect("a coast");
    assert_eq!((line.len(), line.first()), (501, line.last()));
    let radii: Vec<f64> = line.iter().map(|p| (p[0] - 10.0).hypot(p[1] + 5.0)).collect();
    assert!(radii.iter().all(|r| (60.0..140.0).contains(r)));
    let steps: Vec<f64> = radii.windows(2).map(|w| (w[1] - w[0]).abs()).collect();
    assert!(steps[499] <= steps[..499].iter().copied().fold(0.0, f64::max), "no seam where it closes");
    let (a, b) = ([0.0, 0.0], [10.0, 0.0]);
    let edge = NoisyEdge { from: a, to: b, left: [5.0, 3.0], right: [5.0, -2.0], finest: 0.1, share: 0.5, seed: 0 };
    for seed in 0..50 {
        let line = NoisyEdge { seed, ..edge }.line();
        assert!(line.len() > 60 && line[0] == a && line[line.len() - 1] == b);
        let inside = |p: &[f64; 2]| {
            let roof = |x: f64, height: f64| height * (x.min(10.0 - x) / 5.0);
            p[1] <= roof(p[0], 3.0) + 1e-12 && p[1] >= roof(p[0], -2.0) - 1e-12
        };
        assert!(line.iter().all(inside), "seed {seed}");
        assert!(line.windows(2).all(|w| (w[1][0] - w[0][0]).hypot(w[1][1] - w[0][1]) <= 0.1 + 1e-12));
    }
    let straight = NoisyEdge { left: [5.0, 1.0], right: [5.0, -1.0], finest: 1.0, share: 0.0, seed: 3, ..edge };
    assert!(straight.line().iter().all(|p| p[1] == 0.0));
}

#[test]
fn polar_noise_is_that_of_a_circle_around_its_centre() {
    let noise = Noise::simplex(Simplex { wavelength: 60.0, ..Default::default() });
    let mut seen = BTreeSet::new();
    for centre in [[0.0, 0.0], [100.0, -50.0], [5000.0, 7000.0], [-3e11, 7e11]] {
        let size = 55.0;
        let [circle, strip] = [PolarForm::Circle, PolarForm::Strip].map(|form| {
            let centre = [centre[0], centre[1], 0.0];
            noise.clone().polar(Polar { centre, form, size, ..Default::default() })
        });
        // The command draws a line through the given number of points.
        let coast = Coastline { centre, radius: 0.0, amplitude: 1.0, circle: size, count: 64, ..Default::default() };
        let shifted = noise.clone().scale_offset(1.0, 2.0);
        let line = coast.line(&oracle(), &shifted).expect("a line");
        for (i, at) in line[..64].iter().enumerate() {
            let turn = i as f64 / 64.0;
            let [sine, cosine] = [(turn * std::f64::consts::TAU).sin(), (turn * std::f64::consts::TAU).cos()];
            let value =
                |noise: &Noise, at: [f64; 2]| oracle().sample(noise, &[[at[0], at[1], 0.0]], Gradient::Without).expect("a sample")[0].value;
            let outside = [centre[0] + 200.0 * cosine, centre[1] + 200.0 * sine];
            let polar = value(&circle, outside);
            // The distance of the line from the centre is the noise on the circle.
            let reached = (at[0] - centre[0]).hypot(at[1] - centre[1]) - 2.0;
            let near = if centre[0].abs() > 1e6 { 1e-3 } else { 1e-6 };
            assert!((polar - reached).abs() < near, "{centre:?}, point {i}: {polar} for {reached}");
            let angle = if turn >= 0.5 { turn - 1.0 } else { turn };
            let expected = value(&noise, [centre[0] + angle * size, centre[1] + 200.0]);
            assert!(i == 32 || (value(&strip, outside) - expected).abs() < 10.0 * near, "{centre:?}, strip, point {i}");
            seen.insert(polar.to_bits());
        }
    }
    assert!(seen.len() > 200, "centres have noise of their own");
}

#[test]
fn running_sums_are_sums() {
    let noise = Noise::value(Value { wavelength: 3.0, ..Default::default() });
    let sums = running_sum(&cpu(), &noise, [0.5, 0.0, 0.0], [1.0, 0.0, 0.0], 40).expect("sums");
    let positions: Vec<[f64; 3]> = (0..40).map(|i| [0.5 + f64::from(i), 0.0, 0.0]).collect();
    let values: Vec<f64> = cpu().sample(&noise, &positions, Gradient::Without).expect("samples").iter().map(|s| s.value).collect();
    assert_eq!(sums[0], values[0]);
    assert!(
        sums.windows(2)
            .zip(&values[1..])
            .all(|(pair, value)| pair[1] - pair[0] - value == 0.0 || (pair[1] - pair[0] - value).abs() < 1e-12)
    );
}

#[test]
fn the_commands_write_what_they_say() {
    let scratch = Scratch::new("places");
    let recipe = concat!(env!("CARGO_MANIFEST_DIR"), "/../recipes/alps.toml");
    let out = |name: &str| scratch.0.join(name).display().to_string();
    let good = |args: &[&str], part: &str| {
        let output = run(args, "");
        assert!(
            output.status.success() && text(&output.stdout).contains(part),
            "{args:?}: {}{}",
            text(&output.stdout),
            text(&output.stderr)
        );
    };
    let bad = |args: &[&str], code: i32, part: &str| {
        let output = run(args, "");
        assert!(output.status.code() == Some(code) && text(&output.stderr).contains(part), "{args:?}: {}", text(&output.stderr));
    };
    let csv = out("p.csv");
    let lines = |flags: &[&str]| -> Vec<f64> {
        let args = [&["sample", recipe, "--points", "-", "--backend", "cpu"], flags].concat();
        let output = run(&args, "0 0 0\n9 0 0\n3.5 1 2\n");
        text(&output.stdout).lines().map(|line| line.parse().expect("a number")).collect()
    };
    let values = lines(&[]);
    let sums = lines(&["--sum"]);
    assert!((sums[2] - (values[0] + values[1] + values[2])).abs() < 1e-4 * sums[2].abs() && (sums[0] - values[0]).abs() < 1e-4, "{sums:?}");
    bad(&["sample", recipe, "--points", "-", "--sum", "--gradient"], 2, "cannot be used with");
    good(&["places", recipe, "-o", &csv, "--distance", "9", "--area", "0,0,300,200", "--density", "none"], "places");
    let table = std::fs::read_to_string(&csv).expect("a table");
    assert!(table.starts_with("x,y,threshold,random\n") && table.lines().count() > 400, "{}", table.lines().count());
    good(&["places", recipe, "-o", &out("p.json"), "--distance", "9", "--area", "0,0,300,200", "--density", "exposure"], ": 0 places");
    good(&["places", recipe, "-o", &out("p.bin"), "--distance", "9", "--area", "0,0,300,200", "--density", "chains"], "places");
    bad(&["places", recipe, "-o", &out("p.txt")], 2, ".csv, .json, .svg, .bin");
    bad(&["places", recipe, "-o", &csv, "--density", "nobody"], 2, "nobody");
    bad(&["places", recipe, "-o", &csv, "--seed", "-1", "--density", "none"], 2, "such as its magnitude");
    bad(&["places", recipe, "-o", &csv, "--distance", "-1", "--density", "none"], 2, "distance = -1");
    bad(&["places", recipe, "-o", &csv, "--area", "3,0,1,2"], 2, "X0,Y0,X1,Y1");
    // Of a strip almost all that is worked on lies around it.
    let strip = ["places", recipe, "-o", &csv, "--distance", "1", "--density", "none", "--area"];
    bad(&[&strip[..], &["-1e9,0,1e9,0.000001", "--force"]].concat(), 2, "5e8 squares");
    bad(&[&strip[..], &["-1e7,0,1e7,0.000001"]].concat(), 2, "--force");
    good(&["contours", recipe, "-o", &out("c.svg"), "--size", "200,150", "--interval", "100"], "levels");
    assert!(std::fs::read_to_string(out("c.svg")).expect("SVG").contains("viewBox=\"0 0 3184 2384\""));
    good(&["contours", recipe, "-o", &out("c.geojson"), "--size", "64,64", "--levels", "1100,1200"], "2 levels");
    let json: serde_json::Value = serde_json::from_slice(&std::fs::read(out("c.geojson")).expect("there")).expect("JSON");
    assert_eq!(json["features"][1]["properties"]["level"].as_f64(), Some(1200.0));
    bad(&["contours", recipe, "-o", &out("c.svg"), "--interval", "0"], 2, "--interval 0");
    let three = ["edge", "--through", "0,0", "--through", "100,20", "--through", "-30,80", "--seed", "3", "-o", &out("e.geojson")];
    good(&three, "1 line of 1 level");
    let json: serde_json::Value = serde_json::from_slice(&std::fs::read(out("e.geojson")).expect("there")).expect("JSON");
    let line = json["features"][0]["geometry"]["coordinates"][0].as_array().expect("a line");
    let at = |point: &serde_json::Value| [0, 1].map(|a| point[a].as_f64().expect("a number"));
    assert!(
        line.len() > 300
            && at(&line[0]) == [0.0, 0.0]
            && at(&line[line.len() - 1]) == [-30.0, 80.0]
            && line.iter().any(|p| at(p) == [100.0, 20.0])
    );
    let svg = out("e.svg");
    let two = ["edge", "-o", &svg, "--through", "0,0", "--through"];
    good(&[&two[..], &["100,20", "--roughness", "0", "--finest", "60"]].concat(), "1 line of 1 level");
    bad(&two[..5], 2, "two or more");
    bad(&[&two[..], &["1,x"]].concat(), 2, "X,Y");
    bad(&[&two[..], &["1,1", "--finest", "0"]].concat(), 2, "--finest 0");
    good(&["coast", recipe, "-o", &out("k.svg"), "--radius", "300", "--amplitude", "0.1"], "1 line of 1 level");
    let stages = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/reference/stages.toml");
    good(&["spectrum", stages, "-o", &out("s.csv"), "--layer", "frequency", "--size", "256", "--periodic"], "power falls as f^-4.0");
    assert!(std::fs::read_to_string(out("s.csv")).expect("a table").starts_with("frequency,power,bins\n"));
    good(&["spectrum", stages, "-o", &out("s.svg"), "--layer", "thermal", "--size", "128"], "power falls");
    assert!(std::fs::read_to_string(out("s.svg")).expect("SVG").contains("polyline"));
    good(&["spectrum", stages, "-o", &out("s.json"), "--size", "64"], "power falls");
    bad(&["spectrum", stages, "-o", &out("s.csv"), "--layer", "normal", "--size", "64"], 2, "3 channels");
    let caves = concat!(env!("CARGO_MANIFEST_DIR"), "/../recipes/caves.toml");
    good(&["volume", caves, "-o", &out("v.npy"), "--size", "20,10,5"], "1000 samples");
    let npy = std::fs::read(out("v.npy")).expect("there");
    assert!(String::from_utf8_lossy(&npy[..128]).contains("'shape': (5, 10, 20)") && npy.len() == 128 + 4000);
    bad(&["volume", caves, "-o", &out("v.raw"), "--size", "20,10"], 2, "X,Y,Z");
    bad(&["volume", caves, "-o", &out("v.glb"), "--size", "20,10,2"], 2, "3 samples or more");
    good(&["volume", caves, "-o", &out("v.glb"), "--size", "20,10,2", "--walls"], "triangles");
    bad(&["volume", caves, "-o", &out("v.glb"), "--size", "20,10,5", "--at", "1e9"], 65, "nowhere 1000000000 or more");
}

/// Lines and maps use the recipe's z, or the requested one.
#[test]
fn lines_and_maps_lie_at_the_z_that_is_asked_for() {
    let scratch = Scratch::new("z");
    let out = scratch.0.join("out.csv").display().to_string();
    let svg = scratch.0.join("out.svg").display().to_string();
    let recipe = |z: &str| {
        let text = format!("output = \"n\"\n[node.n]\nkind = \"perlin\"\ndimensions = 3\nwavelength = 30.0\n[bake]\nz = {z}\n");
        scratch.file(&format!("{z}.toml"), &text).display().to_string()
    };
    let written = |args: &[&str], file: &str| {
        let output = run(args, "");
        assert!(output.status.success(), "{args:?}: {}", text(&output.stderr));
        std::fs::read_to_string(file).expect("a file")
    };
    let (ground, above) = (recipe("0.0"), recipe("50.5"));
    let map = |recipe: &str| written(&["hexmap", recipe, "-o", &out, "--q", "1..3", "--r", "2..4", "--wavelength", "7"], &out);
    let (low, high) = (map(&ground), map(&above));
    let numbers: Vec<&str> = high.lines().nth(1).expect("a hexagon").split(',').collect();
    let point = format!("{} {} 50.5\n", numbers[3], numbers[4]);
    let output = run(&["sample", &ground, "--points", "-", "--backend", "cpu"], &point);
    let [there, here] = [text(&output.stdout).trim(), numbers[5]].map(|number| number.parse::<f64>().expect("a number"));
    assert!((there - here).abs() < 1e-6, "{there} {high}");
    assert_ne!(low, high);
    let coast = |recipe: &str, flags: &[&str]| written(&[&["coast", recipe, "-o", &svg, "--points", "50"], flags].concat(), &svg);
    let line = coast(&above, &[]);
    assert_eq!(line, coast(&ground, &["--centre", "0,0,50.5"]));
    assert_ne!(line, coast(&ground, &[]));
    let wrong = run(&["hexmap", &ground, "-o", &out, "--q=-2147483648..-2147483640"], "");
    assert!(wrong.status.code() == Some(2) && text(&wrong.stderr).contains("-16777216"), "{}", text(&wrong.stderr));
}
