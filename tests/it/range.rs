//! Proven bounds: never exceeded, nearly reached, and the constants behind them.

use crate::nodes;
use crate::support::{cpu, oracle};
use glam::{DMat3, DVec3};
use orogen::node::{Hash, Radius, Simplex};
use orogen::{Gradient, Noise, Region};
use std::fmt::Write;

#[test]
fn no_value_leaves_the_proven_range() {
    for (name, noise) in nodes::all() {
        let range = noise.range().expect(&name);
        for (region, engine) in [
            (Region::plane(700, 500), cpu()),
            (Region { origin: [-900, 800, -3], spacing: 7.3, size: [200, 100, 20], ..Region::plane(1, 1) }, cpu()),
            // It takes longer: a quarter and an eighth of the samples.
            (Region { spacing: 2.0, ..Region::plane(350, 250) }, oracle()),
            (Region { origin: [-450, 400, -3], spacing: 14.6, size: [100, 50, 10], ..Region::plane(1, 1) }, oracle()),
        ] {
            let field = engine.field(&noise, &region).expect(&name);
            assert!(field.values.iter().all(|value| value.is_finite()), "{name}");
            let [lo, hi] = field.extent();
            let inside = range.contains(f64::from(lo)) && range.contains(f64::from(hi));
            assert!(inside, "{name}: {lo} to {hi} leaves the proven {} to {}", range.lo, range.hi);
        }
    }
}

/// Displaced to where its 32 bits of cell end, a coordinate wraps, within its range and without a panic.
#[test]
fn a_coordinate_displaced_beyond_its_integers_wraps() {
    let noise = Noise::coordinate(orogen::node::Coordinate::default()).domain([1e15, -1e15, 2_147_483_520.0].map(Noise::constant));
    let range = noise.range().expect("range");
    for engine in [cpu(), oracle()] {
        let value = engine.sample(&noise, &[[0.0; 3]], Gradient::Without).expect("sample")[0].value;
        assert!(range.contains(value), "{value}");
    }
}

/// Height gained, or lost, by following the slopes from some positions.
fn climbed(noise: &Noise, starts: &[[f64; 3]], up: bool) -> f64 {
    let noise = oracle().prepare(noise).expect("a valid noise");
    let sign = if up { 1.0 } else { -1.0 };
    let sample = |at: [f64; 3]| noise.sample(&[at], Gradient::With).expect("a sample")[0];
    let climb = |&start: &[f64; 3]| {
        let (mut at, mut best, mut step) = (start, sample(start), 1.0);
        // A plane goes up for ever.
        for _ in 0..200 {
            let [x, y, z] = best.gradient.unwrap_or_default();
            let length = (x * x + y * y + z * z).sqrt().max(1e-30);
            let next = [at[0] + sign * step * x / length, at[1] + sign * step * y / length, at[2] + sign * step * z / length];
            let found = sample(next);
            if sign * found.value > sign * best.value { (at, best) = (next, found) } else { step *= 0.5 }
        }
        sign * best.value
    };
    sign * starts.iter().map(climb).fold(f64::NEG_INFINITY, f64::max)
}

#[test]
fn the_largest_value_found_is_what_the_page_says() {
    // From a search that climbed from 180,000 of the highest samples, of every cell of the hash's period.
    let noise = Noise::simplex(Simplex { dimensions: 3, hash: Hash::Permutation289, wavelength: 1.0, ..Default::default() });
    for (start, up) in [([54.2, 110.2, -54.2], true), ([-71.7, 40.2, 99.7], false)] {
        let found = climbed(&noise, &[start], up).abs();
        assert!((1.0383..1.04).contains(&found), "{found}");
    }
}

/// The page that `OROGEN_FREEZE=1` writes, from 10⁷ samples of every example instead of the 10⁵ of a usual run.
const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/measured/ranges.md");
const PROVEN: &str = include_str!("../../docs/measured/ranges.md");

#[test]
fn ranges_are_used() {
    let freeze = std::env::var_os("OROGEN_FREEZE").is_some();
    let edge = if freeze { 3200 } else { 320 };
    let mut table = "# Proven ranges, and how much of them is seen\n\
        \n\
        Every test example over 10⁷ samples on the CPU. A bound is proven for every possible sample. A sum of octaves reaches\n\
        its bound only if all octaves peak at one place, so less of it is seen. Written by\n\
        `OROGEN_FREEZE=1 cargo test --all-features --workspace --test it ranges`.\n\
        \n\
        | example | proven | seen | share |\n\
        |---|---|---|---|\n"
        .to_owned();
    for (name, noise) in nodes::all() {
        let range = noise.range().expect(&name);
        // Examples of this kind have a million world units for one of theirs.
        let unit = if name.starts_with("fastnoise_lite") { 1e6 } else { 1.0 };
        let region = Region { spacing: 3.17 * unit, origin: [-77, 1234, 0], ..Region::plane(edge, edge) };
        let [lo, hi] = cpu().field(&noise, &region).expect(&name).extent().map(f64::from);
        assert!(range.contains(lo) && range.contains(hi), "{name}: {lo} to {hi} leaves the proven {} to {}", range.lo, range.hi);
        let share = if range.width() > 0.0 { 100.0 * (hi - lo) / range.width() } else { 100.0 };
        if !freeze {
            let known = PROVEN.lines().find(|line| line.starts_with(&format!("| {name} |")));
            let known = known.unwrap_or_else(|| panic!("{name} is not on the page"));
            let proven = format!("| {:.4} to {:.4} |", range.lo, range.hi);
            assert!(known.contains(&proven), "{name}: {proven} for {known}");
            // At least half of the share that the page found in a hundred times as many samples is found here, too.
            let seen: f64 = known.rsplit('|').nth(1).and_then(|share| share.trim().strip_suffix(" %")?.parse().ok()).expect("a share");
            assert!(share >= 0.5 * seen - 1.0, "{name}: {share:.0} % of the range is seen, of the page's {seen:.0} %");
        }
        // Writing to a String cannot fail.
        let _ = writeln!(table, "| {name} | {:.4} to {:.4} | {lo:.4} to {hi:.4} | {share:.0} % |", range.lo, range.hi);
    }
    if freeze {
        std::fs::write(PAGE, table).expect("the source tree is writable");
    }
}

#[test]
fn simplex_fills_its_range() {
    // 4·10⁶ samples each, over many cells.
    for (simplex, reached) in [
        // 540 cells, of any slope.
        (Simplex { dimensions: 1, ..Default::default() }, 0.85),
        (Simplex { dimensions: 2, ..Default::default() }, 0.99),
        (Simplex { dimensions: 3, ..Default::default() }, 0.97),
        (Simplex { dimensions: 3, hash: Hash::Permutation289, ..Default::default() }, 0.9),
    ] {
        let noise = Noise::simplex(Simplex { wavelength: 3.7, ..simplex.clone() });
        let [lo, hi] = cpu().field(&noise, &Region { size: [2000, 1000, 2], spacing: 1.0, ..Region::plane(1, 1) }).expect("field").extent();
        println!("{simplex:?}: {lo} to {hi}");
        assert!(f64::from(lo) < -reached && f64::from(hi) > reached, "{simplex:?}: only {lo} to {hi}");
    }
}

#[test]
fn ranges_of_common_graphs_are_the_expected_numbers() {
    let simplex = || Noise::simplex(Simplex::default());
    let range = |noise: Noise| {
        let range = noise.range().expect("range");
        (range.lo, range.hi)
    };
    assert_eq!(range(simplex()), (-1.0, 1.0));
    assert_eq!(range(simplex().abs()), (0.0, 1.0));
    assert_eq!(range(simplex().scale_offset(60.0, 60.0)), (0.0, 120.0));
    assert_eq!(range(simplex().clamp(-0.25, 0.5)), (-0.25, 0.5));
    assert_eq!(range(simplex().max(0.0).power(2.0)), (0.0, 1.0));
    assert_eq!(range(Noise::constant(0.5).multiply(simplex())), (-0.5, 0.5));
    let (lo, hi) = range(simplex().fractal(orogen::node::Fractal { octaves: 8, ..Default::default() }));
    assert!((-1.000_001..=-0.999_999).contains(&lo) && (0.999_999..=1.000_001).contains(&hi), "{lo} {hi}");
}

#[test]
fn lattice_noises_fill_their_range() {
    use orogen::node::{Interpolation, Perlin, Value};
    // Perlin's hashed directions are finitely many, so they reach less than the bound for all directions. In 3D eight of them must
    // also agree, which 3.6 million samples do not show.
    for (dimensions, reached) in [(1, 0.98), (2, 0.95), (3, 0.75)] {
        // The maximum number of cells along every axis that is read.
        let size = [[2_000_000, 1, 1], [2000, 1000, 1], [300, 300, 40]][dimensions as usize - 1];
        let region = Region { size, ..Region::plane(1, 1) };
        let value = Noise::value(Value { dimensions, wavelength: 3.7, ..Default::default() });
        let perlin = Noise::perlin(Perlin { dimensions, wavelength: 3.7, ..Default::default() });
        for (name, noise, reached) in [("value", value, 0.97), ("perlin", perlin, reached)] {
            let [lo, hi] = cpu().field(&noise, &region).expect("field").extent();
            println!("{name} {dimensions}D: {lo} to {hi}");
            assert!(f64::from(lo) < -reached && f64::from(hi) > reached, "{name} {dimensions}D: only {lo} to {hi}");
        }
    }
    let truncated = Perlin { interpolation: Interpolation::Truncated, wavelength: 37.0, ..Default::default() };
    assert_eq!(Noise::perlin(truncated).range().map(|r| (r.lo, r.hi)), Ok((-2.0, 2.0)));
}

/// The largest sum over the corners of the simplex of each corner's best gradient, by branch and bound. No combination of
/// gradients can exceed it, for any hash. Compared with the constants the nodes declare.
struct Kernel<'a> {
    corners: &'a [[f64; 3]],
    /// Each with its length; none stands for unit gradients of every direction.
    gradients: Vec<([f64; 3], f64)>,
    reach: f64,
    /// Each as the way towards it and the share of the opposite corner at the origin; none of a line.
    faces: Vec<(DVec3, f64)>,
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

impl<'a> Kernel<'a> {
    fn new(corners: &'a [[f64; 3]], gradients: &[[f64; 3]], reach: f64) -> Self {
        let gradients = gradients.iter().map(|&g| (g, dot(g, g).sqrt())).collect();
        let [first, second, others @ ..] = corners else { panic!("a simplex has two corners at least") };
        let edge = |c: &[f64; 3]| DVec3::from(*c) - DVec3::from(*first);
        let [third, fourth] = [0, 1].map(|k| others.get(k).map_or(DVec3::Z, edge));
        let shares = DMat3::from_cols(edge(second), third, fourth).inverse();
        let mut faces: Vec<DVec3> = (0..corners.len() - 1).map(|k| shares.row(k)).collect();
        faces.push(-faces.iter().sum::<DVec3>());
        let last = faces.len() - 1;
        let at_origin = |(k, slope): (usize, DVec3)| (slope, f64::from(u8::from(k == last)) - slope.dot(DVec3::from(*first)));
        // Of a line only what lies on it is asked about.
        let faces = if others.is_empty() { Vec::new() } else { faces.into_iter().enumerate().map(at_origin).collect() };
        Kernel { corners, gradients, reach, faces }
    }

    /// An upper bound of the sum within `radius` of x.
    fn bound(&self, x: [f64; 3], radius: f64) -> f64 {
        let mut sum = 0.0;
        for c in self.corners {
            let d = [x[0] - c[0], x[1] - c[1], x[2] - c[2]];
            let nearest = (dot(d, d).sqrt() - radius).max(0.0);
            let falloff = (self.reach - nearest * nearest).max(0.0).powi(4);
            if falloff > 0.0 {
                let mut best = if self.gradients.is_empty() { dot(d, d).sqrt() + radius } else { 0.0 };
                for &(g, length) in &self.gradients {
                    best = f64::max(best, g[0] * d[0] + g[1] * d[1] + g[2] * d[2] + radius * length);
                }
                sum += falloff * best;
            }
        }
        sum
    }

    /// Whether the scaled sum stays below `limit` in the whole box around x, splitting it as far as needed.
    fn stays_below(&self, x: [f64; 3], half: f64, axes: usize, limit: f64) -> bool {
        let radius = half * (axes as f64).sqrt();
        if self.bound(x, radius) < limit {
            return true;
        }
        if half < 1e-6 {
            return false;
        }
        let quarter = half * 0.5;
        (0..1 << axes).all(|side| {
            let child = std::array::from_fn(|a| {
                if a >= axes {
                    x[a]
                } else if side >> a & 1 == 1 {
                    x[a] + quarter
                } else {
                    x[a] - quarter
                }
            });
            // Children outside the simplex are skipped: nothing is sampled there with these corners.
            self.outside(child, quarter * (axes as f64).sqrt()) || self.stays_below(child, quarter, axes, limit)
        })
    }

    /// Whether a ball lies outside the simplex: beyond the face opposite some corner.
    fn outside(&self, x: [f64; 3], radius: f64) -> bool {
        self.faces.iter().any(|&(slope, share)| share + slope.dot(DVec3::from(x)) < -radius * slope.length())
    }
}

/// The simplexes around the origin of the lattice with points X ≡ Y mod 2 and, in 3D, Y ≡ Z mod 3, in world units. Corners follow
/// each other along all edges in some order.
fn aligned(edges: &[[f64; 3]], orders: &[&[usize]]) -> Vec<Vec<[f64; 3]>> {
    let per_cell = [2f64.sqrt(), 6f64.sqrt(), 12f64.sqrt()];
    let corners = |order: &&[usize]| {
        let mut all = vec![[0.0; 3]];
        for &edge in *order {
            let last = all[all.len() - 1];
            all.push(std::array::from_fn(|a| last[a] + edges[edge][a] / per_cell[a]));
        }
        all
    };
    orders.iter().map(corners).collect()
}

fn signed_permutations(v: [f64; 3]) -> Vec<[f64; 3]> {
    let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
    let signs = |s: u32, p: [f64; 3]| std::array::from_fn(|a| if s >> a & 1 == 1 { -p[a] } else { p[a] });
    orders.iter().flat_map(|o| (0..8).map(move |s| signs(s, o.map(|i| v[i])))).collect()
}

#[test]
fn the_bounds_of_the_simplex_noises_are_proven() {
    let sixteen: Vec<[f64; 3]> =
        (0..16).map(|k| (f64::from(k) + 0.5) * std::f64::consts::PI / 8.0).map(|a| [a.cos(), a.sin(), 0.0]).collect();
    // The directions are the same in both orders of the edges, so one of the two simplexes speaks for both.
    let flat = aligned(&[[1.0, 1.0, 0.0], [-1.0, 1.0, 0.0]], &[&[0, 1]]).remove(0);
    let flat = Kernel::new(&flat, &sixteen, 0.5);
    assert!(flat.stays_below([0.2, 0.4, 0.0], 0.5, 2, 1.0 / 99.36), "2D leaves [-1, 1]");
    assert!(!flat.stays_below([0.2, 0.4, 0.0], 0.5, 2, 0.998 / 99.36), "2D does not fill [-1, 1]");

    // In 1D the corners are neighbouring whole numbers, and reach each other.
    let line = Kernel::new(&[[0.0; 3], [1.0, 0.0, 0.0]], &[[1.0, 0.0, 0.0], [-1.0, 0.0, 0.0]], 1.0);
    let stays = |limit: f64| (0..1000).all(|k| line.stays_below([(f64::from(k) + 0.5) / 1000.0, 0.0, 0.0], 0.0005, 1, limit));
    assert!(stays(1.0 / 3.1604), "1D leaves [-1, 1]");
    assert!(!stays(0.999 / 3.1604), "1D does not fill [-1, 1]");

    let unit = |v: [f64; 3]| v.map(|c| c / dot(v, v).sqrt());
    let fortyeight = signed_permutations(unit([1.0, 1.0 + 2f64.sqrt(), 1.0 + 8f64.sqrt()]));
    let orders: [&[usize]; 6] = [&[0, 1, 2], &[0, 2, 1], &[1, 0, 2], &[1, 2, 0], &[2, 0, 1], &[2, 1, 0]];
    let solids = aligned(&[[1.0, 1.0, 1.0], [-1.0, 1.0, 1.0], [0.0, -2.0, 1.0]], &orders);
    let solid = |corners| Kernel::new(corners, &fortyeight, 0.5);
    let middle = [0.0, 0.0, 0.43];
    for corners in &solids {
        assert!(solid(corners).stays_below(middle, 0.9, 3, 1.0 / 107.66), "3D leaves [-1, 1] in {corners:?}");
    }
    assert!(solids.iter().any(|corners| !solid(corners).stays_below(middle, 0.9, 3, 0.996 / 107.66)), "3D does not fill [-1, 1]");

    // Turning gradients have every direction. The tetrahedra of the lattice are congruent.
    let flat = aligned(&[[1.0, 1.0, 0.0], [-1.0, 1.0, 0.0]], &[&[0, 1]]).remove(0);
    let flat = Kernel::new(&flat, &[], 0.5);
    assert!(flat.stays_below([0.2, 0.4, 0.0], 0.5, 2, 1.0 / 99.1), "turning gradients in 2D leave [-1, 1]");
    assert!(!flat.stays_below([0.2, 0.4, 0.0], 0.5, 2, 0.998 / 99.1), "turning gradients in 2D do not fill [-1, 1]");
    for corners in &solids {
        let solid = Kernel::new(corners, &[], 0.5);
        assert!(solid.stays_below(middle, 0.9, 3, 1.0 / 107.54), "turning gradients in 3D leave [-1, 1] in {corners:?}");
        assert!(!solid.stays_below(middle, 0.9, 3, 0.998 / 107.54), "turning gradients in 3D do not fill [-1, 1]");
    }

    // The skewed lattice of permutation289.
    let corners = [[0.0; 3], [5.0 / 6.0, -1.0 / 6.0, -1.0 / 6.0], [2.0 / 3.0, 2.0 / 3.0, -1.0 / 3.0], [0.5; 3]];
    // The octahedron's 49 directions are not the same in every order of the axes: all their permutations together bound every simplex.
    let octahedron = (0..49).flat_map(|j| {
        let (x, y) = (f64::from(j / 7 * 4 - 13) / 14.0, f64::from(j % 7 * 4 - 13) / 14.0);
        let h = 1.0 - x.abs() - y.abs();
        let fold = |a: f64| if h <= 1e-12 { a - a.signum() } else { a };
        let v = [fold(x), fold(y), h];
        let norm = 1.79284291400159 - 0.85373472095314 * dot(v, v);
        let [a, b, c] = v.map(|x| x * norm);
        [[a, b, c], [a, c, b], [b, a, c], [b, c, a], [c, a, b], [c, b, a]]
    });
    let mut octahedron: Vec<[f64; 3]> = octahedron.collect();
    octahedron.sort_by(|a, b| a.partial_cmp(b).expect("finite"));
    octahedron.dedup_by(|a, b| a.iter().zip(&*b).all(|(a, b)| (a - b).abs() < 1e-12));
    let wide = Kernel::new(&corners, &octahedron, 0.6);
    let declared = Noise::simplex(Simplex { dimensions: 3, hash: Hash::Permutation289, ..Default::default() }).range().expect("range").hi;
    assert!(wide.stays_below([0.5, 0.3, 0.1], 0.6, 3, declared / 42.0), "permutation289 leaves ±{declared}");
}

/// The same in 4D, where the box is split within the simplex 1 ≥ x ≥ y ≥ z ≥ w ≥ 0 of the skewed coordinates.
#[test]
fn the_bound_of_the_4d_simplex_is_proven() {
    type Four = [f64; 4];
    let dot = |a: &Four, b: &Four| a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
    let unskew = (5.0 - 5f64.sqrt()) / 20.0;
    let corners: Vec<Four> = (0..5).map(|k| std::array::from_fn(|i| f64::from(u8::from(i < k)) - k as f64 * unskew)).collect();
    let third = 1.0 / 3f64.sqrt();
    let gradients: Vec<Four> = (0..32u32)
        .map(|h| {
            let mut bit = 0;
            std::array::from_fn(|i| {
                if i as u32 == h >> 3 {
                    return 0.0;
                }
                bit += 1;
                if h >> (bit - 1) & 1 == 1 { -third } else { third }
            })
        })
        .collect();
    // Boxes in skewed coordinates; a point moves by at most this per unit of the box's half edge.
    let stretch = 2.0;
    let bound = |q: &Four, half: f64| -> f64 {
        let shift = q.iter().sum::<f64>() * unskew;
        let x = q.map(|c| c - shift);
        let radius = stretch * half;
        let corner = |c: &Four| {
            let d = [x[0] - c[0], x[1] - c[1], x[2] - c[2], x[3] - c[3]];
            let nearest = (dot(&d, &d).sqrt() - radius).max(0.0);
            let falloff = (0.5 - nearest * nearest).max(0.0).powi(4);
            if falloff == 0.0 { 0.0 } else { falloff * (gradients.iter().map(|g| dot(g, &d)).fold(0.0, f64::max) + radius) }
        };
        corners.iter().map(corner).sum()
    };
    let mut boxes = vec![([0.5; 4], 0.5)];
    let mut visited = 0u64;
    while let Some((q, half)) = boxes.pop() {
        visited += 1;
        let outside = (0..3).any(|i| q[i + 1] - half > q[i] + half);
        if outside || bound(&q, half) < 1.0 / 107.6 {
            continue;
        }
        assert!(half > 1e-4 && visited < 60_000_000, "4D may leave [-1, 1] near {q:?}");
        for side in 0..16 {
            boxes.push((std::array::from_fn(|i| q[i] + if side >> i & 1 == 1 { 0.5 } else { -0.5 } * half), 0.5 * half));
        }
    }
    println!("{visited} boxes");
    assert!(bound(&[0.190_3, 0.190_3, 0.190_3, 0.0], 0.0) > 0.0);
}

#[test]
fn powers_too_small_for_a_float_stay_in_their_range() {
    for base in [-0.017_786, 0.017_786, 1e-9] {
        let noise = Noise::constant(base).power(23.2);
        let (range, value) = (noise.range().expect("a range"), cpu().field(&noise, &Region::plane(1, 1)).expect("a field").values[0]);
        assert!(range.contains(f64::from(value)), "{value:e} is not in {range:?}");
        assert!((range.lo >= 0.0) == (base > 0.0), "{range:?} keeps the sign");
    }
}

/// Numbers of which f32 keeps little: next to 0, and next to an edge that is next to 0.
#[test]
fn narrow_inputs_stay_in_their_range() {
    let constants = [0.0, 1e-19, 1e-13, 9e-13, 1e-8, 3e-8, 1e-4, 0.5, 0.999_999_9, 0.999_999_99, 1.0];
    for x in constants {
        for e in [0.0625_f64, 0.5, 0.9, 2.0, 16.0] {
            let of = |low: f64| Noise::simplex(Simplex::default()).scale_offset(0.6, 0.5).clamp(low, 1.0);
            for noise in [
                Noise::constant(x).gain(e.min(0.9)),
                of(x).gain(e.min(0.9)),
                Noise::constant(x).bias(e.min(0.9)),
                Noise::constant(x).power(e),
                Noise::constant(-x).power(e),
                of(x).power(e),
                Noise::constant(x).smoothstep(0.0, 1e-20),
                Noise::constant(x).smoothstep(0.0, 1e-18),
                of(x).smoothstep(0.0, 1e-12),
            ] {
                let (range, [lo, hi]) =
                    (noise.range().expect("a range"), cpu().field(&noise, &Region::plane(40, 1)).expect("a field").extent());
                let inside = [lo, hi].iter().all(|value| range.contains(f64::from(*value)));
                assert!(inside, "{lo:e} to {hi:e} leaves {range:?}: {:?}", noise.graph());
            }
        }
    }
}

/// The limit of coordinates holds for what axes have stretched.
#[test]
fn a_distance_along_short_axes_stays_in_its_range() {
    for axes in [[0.1, 0.0, 0.0], [1.0, 1.0, 0.0], [0.3, 0.2, 3.0]] {
        let noise = Noise::radius(Radius { axes, unit: 1.0, ..Default::default() });
        let range = noise.range().expect("a range");
        let farthest = 1.07e9 / axes.iter().fold(0.0, |m: f64, a| m.max(*a));
        let value = cpu().sample(&noise, &[[farthest; 3]], Gradient::Without).expect("a sample")[0].value;
        assert!(range.contains(value) && value > 0.1 * range.hi, "{value:e} of {range:?}");
    }
}
