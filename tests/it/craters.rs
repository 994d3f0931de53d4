//! Craters against their description, written once more in f64 with distances instead of squares.

use crate::support::{Random, cpu, hash, lattice_seed, mixed, oracle};
use orogen::node::{CraterOutput, Craters};
use orogen::{Gradient, Noise, Region};

/// Craters whose lattice is the world's: cells of one unit, corners at integers.
fn unit() -> Craters {
    Craters { wavelength: 1.0, seed: 11, offset: Some([0.0; 3]), ..Default::default() }
}

/// The cubic step from 0 to 1.
fn smoothstep(x: f64) -> f64 {
    let x = x.clamp(0.0, 1.0);
    x * x * (3.0 - 2.0 * x)
}

/// A crater: its middle, its radius, its age, and its depth.
struct Crater {
    middle: [f64; 2],
    radius: f64,
    age: f64,
    depth: f64,
    peak: f64,
}

/// The craters of a class within two cells, row by row.
fn class(of: &Craters, at: [f64; 2], k: u32) -> Vec<Crater> {
    let cells = f64::from(1 << k);
    let share = (of.density * libm::pow(2.0, f64::from(k) * (of.exponent - 2.0))).min(1.0);
    let mut all = Vec::new();
    for y in -2..=2 {
        for x in -2..=2 {
            let cell = [(at[0] * cells).floor() as i32 + x, (at[1] * cells).floor() as i32 + y, k as i32];
            let h = hash(cell, 3, lattice_seed(&[11]));
            let word = mixed(h);
            if f64::from(word & 0xffff) >= (share * 65536.0).round() {
                continue;
            }
            let halves = [(h >> 16) as i16, h as i16];
            let middle = [0, 1].map(|axis| (f64::from(cell[axis]) + 0.5 + (f64::from(halves[axis]) + 0.5) / 65536.0) / cells);
            let age = f64::from(mixed(word) >> 8) / 16_777_216.0;
            // Radii between half of the largest and the largest, so that equal areas of the squared inverse are equally frequent.
            let size = 1.0 / (1.0 + 3.0 * f64::from(word >> 16) / 65536.0).sqrt();
            let fresh = 1.0 - of.degradation * (1.0 - age) * (1.0 - age);
            let peak = if k == 0 { of.peak * (4.0 - 1.0 / (size * size)) / 3.0 } else { 0.0 };
            all.push(Crater { middle, radius: size / of.ejecta / cells, age, depth: of.depth * size * fresh / cells, peak });
        }
    }
    all
}

/// The profile of a crater at a distance in radii: its height, and the share of the ground that it replaces.
fn profile(of: &Craters, crater: &Crater, x: f64) -> [f64; 2] {
    let fresh = 1.0 - of.degradation * (1.0 - crater.age) * (1.0 - crater.age);
    let rim = crater.depth * of.rim;
    let mix = |soft: f64, sharp: f64| soft + fresh * (sharp - soft);
    if x < 1.0 {
        let crest = x * x;
        // A paraboloid that ends at 7/8 of the crest's squared radius, and a cap that goes on with its slope.
        let sharp = if crest < 0.875 { crest * 16.0 / 15.0 } else { 1.0 - 64.0 / 15.0 * (1.0 - crest) * (1.0 - crest) };
        let peak = crater.peak * crater.depth * (1.0 - 16.0 * crest).max(0.0).powi(2);
        return [(crater.depth + rim) * mix(smoothstep(crest), sharp) - crater.depth + peak, 1.0];
    }
    let y = (x * x - 1.0) / (of.ejecta * of.ejecta - 1.0);
    if y >= 1.0 {
        return [0.0, 0.0];
    }
    let lip: f64 = 1.0 / 64.0;
    let sharp = match y < lip {
        true => 1.0 - 2.0 * y * y / (lip * (1.0 + lip)),
        false => (1.0 - y).powi(4) / ((1.0 - lip).powi(3) * (1.0 + lip)),
    };
    let fade = smoothstep(1.0 - y);
    [rim * mix(fade, sharp), fade]
}

/// Height and youth by the description.
fn brute(of: &Craters, at: [f64; 2]) -> [f64; 2] {
    let (mut height, mut youth) = (0.0, 0.0f64);
    for k in 0..of.classes {
        // From the youngest down, as far as something of the surface is left.
        let (mut left, mut craters, ground) = (1.0, class(of, at, k), youth);
        craters.sort_by(|a, b| b.age.total_cmp(&a.age));
        for crater in craters {
            let [x, y] = [0, 1].map(|axis| at[axis] - crater.middle[axis]);
            let [target, cover] = profile(of, &crater, libm::sqrt(x * x + y * y) / crater.radius);
            height += left * cover * smoothstep(1.0 - 4.0 * (ground - crater.age)) * target;
            let younger = (crater.age - ground).max(0.0);
            youth += left * cover * if younger < 0.125 { 4.0 * younger * younger } else { younger - 0.0625 };
            left *= 1.0 - cover;
        }
    }
    [height, youth]
}

fn expected(of: &Craters, at: [f64; 3]) -> f64 {
    brute(of, [at[0], at[1]])[usize::from(of.output == CraterOutput::Youth)]
}

/// Positions whose fractions f32 holds.
fn positions(count: usize) -> Vec<[f64; 3]> {
    let mut random = Random(3);
    (0..count).map(|_| [0; 3].map(|_| (random.between(-3000.0, 3000.0) * 1_048_576.0).floor() / 1_048_576.0)).collect()
}

/// All shapes.
fn all() -> Vec<Craters> {
    let mut all = Vec::new();
    for output in CraterOutput::ALL {
        all.extend([
            Craters { output: *output, ..unit() },
            Craters { output: *output, classes: 1, density: 1.0, ejecta: 1.2, ..unit() },
            Craters { output: *output, classes: 7, exponent: 3.0, rim: 1.0, peak: 1.0, degradation: 0.0, ejecta: 4.0, ..unit() },
            Craters { output: *output, classes: 2, density: 1.0, degradation: 1.0, rim: 0.0, ..unit() },
        ]);
    }
    all
}

#[test]
fn values_are_those_of_the_description() {
    let (mut worst, mut exact) = (0.0f64, 0.0f64);
    for of in all() {
        let noise = Noise::craters(of.clone());
        let range = noise.range().expect("a range");
        let at = positions(3000);
        let single = cpu().sample(&noise, &at, Gradient::Without).expect("samples");
        let double = oracle().sample(&noise, &at, Gradient::Without).expect("samples");
        for (i, at) in at.iter().enumerate() {
            let expected = expected(&of, *at);
            assert!(range.lo <= single[i].value && single[i].value <= range.hi, "{of:?} at {at:?}: {} leaves {range:?}", single[i].value);
            worst = worst.max((single[i].value - expected).abs());
            exact = exact.max((double[i].value - expected).abs());
            assert!((double[i].value - expected).abs() < 1e-5, "{of:?} at {at:?}: {} is not {expected}", double[i].value);
            assert!((single[i].value - expected).abs() < 1e-4, "{of:?} at {at:?}: {} is not {expected}", single[i].value);
        }
    }
    println!("off by at most {worst:e} in f32 and {exact:e} in f64");
}

#[test]
fn gradients_are_those_of_differences() {
    for of in all() {
        let noise = Noise::craters(of.clone());
        let step = 1.0 / 16_777_216.0;
        for at in positions(600) {
            let given = oracle().sample(&noise, &[at], Gradient::With).expect("a sample")[0].gradient.expect("asked for");
            assert_eq!(given[2], 0.0);
            for axis in 0..2 {
                let moved = |by: f64| {
                    let mut moved = at;
                    moved[axis] += by;
                    expected(&of, moved)
                };
                let slope = (moved(step) - moved(-step)) / (2.0 * step);
                assert!((given[axis] - slope).abs() < 1e-3 * (1.0 + slope.abs()), "{of:?} at {at:?}: {given:?}, not {slope}");
            }
        }
    }
}

/// Across the borders of cells of any class, neither values nor gradients jump.
#[test]
fn nothing_jumps_between_cells() {
    let mut random = Random(8);
    for of in all() {
        let noise = Noise::craters(of.clone());
        for _ in 0..300 {
            let y = random.between(-40.0, 40.0);
            let x = (random.between(-40.0, 40.0) * 64.0).floor() / 64.0;
            let step = 1e-9;
            let at = [[x - step, y, 0.0], [x + step, y, 0.0]];
            let samples = oracle().sample(&noise, &at, Gradient::With).expect("samples");
            assert!((samples[0].value - samples[1].value).abs() < 1e-6, "{of:?} at {:?}: {samples:?}", at[0]);
            let [a, b] = [0, 1].map(|i| samples[i].gradient.expect("asked for"));
            for axis in 0..2 {
                assert!((a[axis] - b[axis]).abs() < 1e-4 * (1.0 + a[axis].abs()), "{of:?} at {:?}: {samples:?}", at[0]);
            }
        }
    }
}

/// Fresh craters without rims have depths in proportion to their radii, so minima by depth are craters by radius.
#[test]
fn sizes_follow_the_power_law() {
    for exponent in [1.5, 2.0, 2.5] {
        let of = Craters { classes: 3, density: 0.06, exponent, rim: 0.0, degradation: 0.0, peak: 0.0, wavelength: 48.0, ..unit() };
        let edge = 4000;
        let region = Region { spacing: 0.5, ..Region::plane(edge, edge) };
        let field = cpu().field(&Noise::craters(of), &region).expect("a field").values;
        let edge = edge as usize;
        let mut count = [0.0f64; 3];
        for y in 1..edge - 1 {
            for x in 1..edge - 1 {
                let here = field[y * edge + x];
                if here < -0.125 {
                    let around = [-1, 0, 1].into_iter().flat_map(|j| [-1, 0, 1].map(|i| (i, j))).filter(|&o| o != (0, 0));
                    let mut others = around.map(|(i, j)| field[(y as isize + j) as usize * edge + (x as isize + i) as usize]);
                    if others.all(|other| here < other) {
                        count[if here < -0.5 { 0 } else { 1 + usize::from(here > -0.25) }] += 1.0;
                    }
                }
            }
        }
        let found = [count[1] / count[0], count[2] / count[1]];
        let law = libm::pow(2.0, exponent);
        println!("exponent {exponent}: {count:?}, ratios {found:?}, by the law {law}");
        assert!(found.iter().all(|ratio| (ratio / law - 1.0).abs() < 0.25), "exponent {exponent}: {found:?}, not {law}");
    }
}

/// In a class, the bowl of a crater is whole unless a younger one reaches it, even if its neighbours are little older.
#[test]
fn the_newest_crater_wins() {
    let of = Craters { classes: 1, density: 1.0, degradation: 0.0, peak: 0.0, ..unit() };
    let noise = Noise::craters(of.clone());
    let mut seen = 0;
    for at in positions(1500) {
        let craters = class(&of, [at[0], at[1]], 0);
        let away = |crater: &Crater| {
            let [x, y] = [0, 1].map(|axis| crater.middle[axis] - at[axis]);
            libm::sqrt(x * x + y * y) / crater.radius
        };
        let reaching = craters.iter().filter(|crater| away(crater) < of.ejecta);
        let Some(newest) = reaching.max_by(|a, b| a.age.total_cmp(&b.age)).filter(|crater| away(crater) < 1.0) else { continue };
        let height = oracle().sample(&noise, &[at], Gradient::Without).expect("a sample")[0].value;
        let expected = profile(&of, newest, away(newest))[0];
        assert!((height - expected).abs() < 1e-6, "{height} instead of {expected} at {at:?}");
        seen += 1;
    }
    assert!(seen > 100, "{seen} samples");
}
