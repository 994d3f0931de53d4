//! Hexagonal noise against the article's code, hexagonal maps, white noise by a sine.

use crate::support::{Random, Scratch, cpu, expect, oracle, path, run, text};
use orogen::draw::HexMap;
use orogen::node::{HexHash, Hexagonal, White, WhiteHash};
use orogen::{Gradient, Noise, Region};

/// The article's class ("I made my own noise function", 2023), written once more: permutation by prime hash, 32 gradients, the
/// six neighbours' contributions over 7, remapped to [0, 1].
struct Article {
    permutation: Vec<i64>,
    gradients: Vec<[f64; 3]>,
}

impl Article {
    fn hash(&self, [q, r, s]: [i64; 3]) -> i64 {
        let at = |i: i64| self.permutation[(i % 256) as usize];
        let [q, r, s] = [q, r, s].map(|c| c.abs() % 521);
        let a = at(s);
        let b = at(r + a);
        let c = at(q + b);
        at(c)
    }

    fn get(&self, q: i64, r: i64) -> f64 {
        let contribution = |dq: i64, dr: i64| {
            let neighbour = [q + dq, r + dr, -(q + dq) - (r + dr)];
            let offset = [q - neighbour[0], r - neighbour[1], -q - r - neighbour[2]];
            let gradient = self.gradients[(self.hash(neighbour) % 32) as usize];
            (0..3).map(|i| gradient[i] * offset[i] as f64).sum::<f64>()
        };
        let around = [(1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1)];
        let total: f64 = around.iter().map(|&(dq, dr)| contribution(dq, dr)).sum();
        (total / 7.0 + 1.0) / 2.0
    }
}

#[test]
fn the_articles_values_are_reproduced() {
    let mut random = Random(8);
    let mut permutation: Vec<i64> = (0..256).collect();
    for i in (1..256).rev() {
        permutation.swap(i, (random.bits() % (i as u64 + 1)) as usize);
    }
    let gradient = |random: &mut Random| {
        let v = [0; 3].map(|_| random.between(-1.0, 1.0));
        let length = v.iter().map(|c| c * c).sum::<f64>().sqrt();
        v.map(|c| c / length)
    };
    let gradients: Vec<[f64; 3]> = (0..32).map(|_| gradient(&mut random)).collect();
    let article = Article { permutation, gradients };
    let noise = Noise::hexagonal(Hexagonal {
        hash: HexHash::Tables,
        wavelength: 2.0,
        permutation: Some(article.permutation.iter().map(|&p| p as f64).collect()),
        gradients: Some(article.gradients.clone()),
        ..Default::default()
    });
    let map = HexMap { q: -700..-640, r: 580..640, wavelength: 2.0 };
    let near = HexMap { q: -30..30, r: -30..30, wavelength: 2.0 };
    let range = noise.range().expect("range");
    for map in [map, near] {
        let centres = map.centres();
        for (engine, bound) in [(oracle(), 1e-12), (cpu(), 3e-7)] {
            for ([q, r], sample) in map.cells().zip(engine.sample(&noise, &centres, Gradient::Without).expect("sample")) {
                let expected = article.get(i64::from(q), i64::from(r));
                let got = (sample.value + 1.0) / 2.0;
                assert!((got - expected).abs() <= bound, "({q}, {r}): {got} instead of {expected}");
                assert!(range.contains(sample.value));
            }
        }
    }
}

#[test]
fn a_hexagon_has_one_value_and_its_shape() {
    let noise = Noise::hexagonal(Hexagonal { wavelength: 10.0, ..Default::default() });
    let mut random = Random(4);
    let map = HexMap { q: -9..9, r: -9..9, wavelength: 10.0 };
    let values = cpu().sample(&noise, &map.centres(), Gradient::Without).expect("sample");
    for (centre, value) in map.centres().into_iter().zip(values) {
        // Anywhere nearer to this centre than to any other: within half a wavelength, less what rounding may move the border.
        let around: Vec<[f64; 3]> = (0..40)
            .map(|_| {
                let (angle, reach) = (random.between(0.0, std::f64::consts::TAU), random.between(0.0, 4.999));
                [centre[0] + reach * angle.cos(), centre[1] + reach * angle.sin(), 0.0]
            })
            .collect();
        assert!(cpu().sample(&noise, &around, Gradient::Without).expect("sample").iter().all(|s| s.value == value.value));
    }
}

/// The hexagon of a whole position on a map whose centres are two units apart, in integers; on a border, that on the right.
fn hexagon(x: i128, y: i128) -> [i128; 2] {
    // Whether a + b·√3 is below 0.
    let negative = |a: i128, b: i128| match (a < 0, b < 0) {
        (true, true) => true,
        (false, false) => false,
        (true, false) => a * a > 3 * b * b,
        (false, true) => a * a < 3 * b * b,
    };
    let row = (y as f64 / 3f64.sqrt()).floor() as i128;
    let around = (row - 1..=row + 2).flat_map(|r| {
        let q = (x - r).div_euclid(2);
        (q - 1..=q + 2).map(move |q| [q, r])
    });
    // The squared distance from a centre, (2q + r, r·√3), without x² and y²: a whole number and one of √3s.
    let distance = |[q, r]: [i128; 2]| ((2 * q + r) * (2 * q + r) + 3 * r * r - 2 * x * (2 * q + r), -2 * y * r);
    let nearer = |a: [i128; 2], b: [i128; 2]| {
        let ((a0, a1), (b0, b1)) = (distance(a), distance(b));
        if (a0, a1) == (b0, b1) { 2 * a[0] + a[1] > 2 * b[0] + b[1] } else { negative(a0 - b0, a1 - b1) }
    };
    around.reduce(|best, other| if nearer(other, best) { other } else { best }).expect("some")
}

#[test]
fn samples_on_a_border_belong_to_the_hexagon_on_the_right_everywhere() {
    for wavelength in [2.0, 100.0] {
        let noise = Noise::hexagonal(Hexagonal { wavelength, ..Default::default() });
        for engine in [cpu(), oracle()] {
            for corner in [[0_i64, 0], [-997, 12_345], [1_000_000_007, -333_333_334]] {
                // Positions in halves of the wavelength.
                let step = wavelength / 2.0;
                let region = Region { origin: [corner[0], corner[1], 0], spacing: step, ..Region::plane(120, 120) };
                let field = engine.field(&noise, &region).expect("a field");
                let cells: Vec<[i128; 2]> =
                    (0..120_i64).flat_map(|j| (0..120_i64).map(move |i| hexagon((corner[0] + i).into(), (corner[1] + j).into()))).collect();
                let centres: Vec<[f64; 3]> =
                    cells.iter().map(|&[q, r]| [(2 * q + r) as f64 * step, r as f64 * 3f64.sqrt() * step, 0.0]).collect();
                let values = engine.sample(&noise, &centres, Gradient::Without).expect("samples");
                let wrong = field.values.iter().zip(&values).filter(|(at, centre)| **at != centre.value as f32).count();
                assert_eq!(wrong, 0, "wavelength {wavelength}, {corner:?}, of 14,400");
            }
        }
    }
}

/// The article's `abs` mirrors its map; the hashed one has no such symmetry.
#[test]
fn only_the_tables_are_mirrored() {
    let mirrored = |hash| {
        let noise = Noise::hexagonal(Hexagonal { hash, wavelength: 1.0, ..Default::default() });
        let at = |q: f64, r: f64| [q + 0.5 * r, r * 3f64.sqrt() / 2.0, 0.0];
        let pairs: Vec<[f64; 3]> =
            (1..200).flat_map(|i| [at(f64::from(i), f64::from(2 * i)), at(-f64::from(i), -f64::from(2 * i))]).collect();
        let values: Vec<f64> = cpu().sample(&noise, &pairs, Gradient::Without).expect("sample").iter().map(|s| s.value).collect();
        // A hexagon mirrored through the origin has the opposite neighbours: the negative value.
        values.chunks(2).filter(|pair| (pair[0] + pair[1]).abs() < 1e-6).count()
    };
    assert_eq!(mirrored(HexHash::Tables), 199);
    assert!(mirrored(HexHash::Integer) < 10);
}

#[test]
fn pictures_of_maps_show_every_hexagon() {
    let map = HexMap { q: 0..5, r: 0..4, wavelength: 1.0 };
    let values: Vec<f64> = (0..20).map(f64::from).collect();
    let picture = map.draw(&values, 24).expect("small");
    let shades: std::collections::BTreeSet<u8> = picture.rgb.iter().copied().collect();
    for value in values.iter().map(|v| (40.0 + 200.0 * v / 19.0) as u8) {
        assert!(shades.contains(&value), "no hexagon of grey {value}");
    }
    assert_eq!(map.draw(&values[..7], 24), None);
}

#[test]
fn the_command_writes_maps_as_tables_and_as_a_picture() {
    let scratch = Scratch::new("hexmap");
    let recipe = scratch.file("r.toml", "output = \"h\"\n[node.h]\nkind = \"hexagonal\"\nwavelength = 8.0\nseed = 3\n");
    let write = |file: &str, flags: &[&str]| {
        let out = scratch.0.join(file);
        let output = run(&[&["hexmap", path(&recipe), "-o", path(&out), "--wavelength", "8", "--backend", "cpu"], flags].concat(), "");
        expect(&output, 0, &[]);
        assert!(text(&output.stdout).contains("12 hexagons on cpu"), "{}", text(&output.stdout));
        std::fs::read(&out).expect("written")
    };
    let area = ["--q", "-2..2", "--r", "5..8"];
    let map = HexMap { q: -2..2, r: 5..8, wavelength: 8.0 };
    let noise = Noise::hexagonal(Hexagonal { wavelength: 8.0, seed: 3, ..Default::default() });
    let values: Vec<f64> = cpu().sample(&noise, &map.centres(), Gradient::Without).expect("samples").iter().map(|s| s.value).collect();
    // Every row has its hexagon, its centre and the value there.
    let table = text(&write("m.csv", &area));
    let mut lines = table.lines();
    assert_eq!(lines.next(), Some("q,r,s,x,y,value"));
    for (([q, r], [x, y, _]), value) in map.cells().zip(map.centres()).zip(&values) {
        let row: Vec<f64> = lines.next().expect("a row").split(',').map(|number| number.parse().expect("a number")).collect();
        assert_eq!(row, [f64::from(q), f64::from(r), f64::from(-q - r), x, y, *value]);
    }
    assert_eq!(lines.next(), None);
    let json: serde_json::Value = serde_json::from_slice(&write("m.json", &area)).expect("JSON");
    assert_eq!(json.as_array().map(Vec::len), Some(12));
    for (([q, r], value), row) in map.cells().zip(&values).zip(json.as_array().expect("rows")) {
        assert_eq!(row, &serde_json::json!({ "q": q, "r": r, "s": -q - r, "value": value }));
    }
    // The picture is the library's, and shows the hexagon in the middle of its row where its centre lies.
    let picture = image::load_from_memory(&write("m.png", &[&area[..], &["--pixels", "40"]].concat())).expect("PNG").into_rgb8();
    let drawn = map.draw(&values, 40).expect("small");
    assert_eq!((picture.width(), picture.height(), picture.as_raw()), (drawn.width, drawn.height, &drawn.rgb));
    let (lo, hi) = values.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), &v| (lo.min(v), hi.max(v)));
    for (([x, y, _], [first, top, _]), value) in map.centres().into_iter().zip(std::iter::repeat(map.centres()[0])).zip(&values) {
        let pixel = [(x - first) / 8.0 * 40.0 + 20.0, (y - top) / 8.0 * 40.0 + 40.0 / 3f64.sqrt()].map(|x| x as u32);
        let grey = (40.0 + 200.0 * (value - lo) / (hi - lo)) as u8;
        assert_eq!(picture.get_pixel(pixel[0], pixel[1]).0, [grey; 3], "at {pixel:?}");
    }
    let refused = |flags: &[&str], part: &str| {
        let out = scratch.0.join("no.png");
        let output = run(&[&["hexmap", path(&recipe), "-o", path(&out), "--backend", "cpu"], flags].concat(), "");
        expect(&output, 2, &[part]);
        assert!(!out.exists(), "{flags:?}: nothing is written");
    };
    refused(&["--q", "3..3"], "'3..3' is not allowed; allowed: A..B");
    refused(&["--r", "0..5000"], "4096");
    refused(&["--wavelength", "0"], "--wavelength 0");
    refused(&["--pixels", "2"], "--pixels 2");
    refused(&["--q", "0..4000", "--r", "0..4000"], "2^26");
    let odd = scratch.0.join("m.txt");
    expect(&run(&["hexmap", path(&recipe), "-o", path(&odd)], ""), 2, &[".csv, .json, .png"]);
}

/// The shaders' one-liner, in f64, where f32 still resolves it: near the origin the sine is off by up to 6e-7, and the factor of
/// 43758 makes 0.03 of that.
#[test]
fn the_sine_hash_is_the_one_liner_near_the_origin() {
    let noise = Noise::white(White { hash: WhiteHash::Sine, offset: Some([0.0; 3]), ..Default::default() });
    let mut differ = 0;
    for y in -40..40 {
        for x in -40..40 {
            let got = cpu().sample(&noise, &[[f64::from(x) + 0.5, f64::from(y) + 0.5, 0.0]], Gradient::Without).expect("sample")[0].value;
            let expected = ((f64::from(x) * 12.9898 + f64::from(y) * 78.233).sin() * 43758.5453).rem_euclid(1.0);
            let off = ((got + 1.0) / 2.0 - expected).abs();
            if off.min(1.0 - off) > 0.03 {
                differ += 1;
            }
        }
    }
    assert_eq!(differ, 0, "of 6400 cells");
}

/// The terrain document's generators: of one number, and of sums of what they give.
#[test]
fn nested_generators_are_the_documents() {
    let sample = |hash, dimensions, at: [f64; 3]| {
        let noise = Noise::white(White { hash, dimensions, offset: Some([0.0; 3]), ..Default::default() });
        (cpu().sample(&noise, &[at.map(|x| x + 0.5)], Gradient::Without).expect("a sample")[0].value + 1.0) / 2.0
    };
    let rand = |x: f64| (x.sin() * 43758.5453123).rem_euclid(1.0);
    let near = |a: f64, b: f64, what: &str| {
        let off = (a - b).abs();
        assert!(off.min(1.0 - off) < 0.03, "{what}: {a} for {b}");
    };
    let shifted = |x: u32| (x ^ (x >> 16)).wrapping_mul(0x85eb_ca6b);
    for (x, y) in [(0, 0), (1, 0), (0, 1), (7, -3), (-20, 11), (33, 40)] {
        let (fx, fy) = (f64::from(x), f64::from(y));
        let one = |x: f64| sample(WhiteHash::NestedSine, 1, [x, 0.0, 0.0]);
        near(one(fx), rand(fx), "one number");
        // f32's grain decides what is nested: from the numbers that it gives.
        near(sample(WhiteHash::NestedSine, 2, [fx, fy, 0.0]), rand(one(fx) + one(fy)), "two numbers");
        let integer = f64::from(shifted(shifted(x as u32).wrapping_add(shifted(y as u32)))) / 4_294_967_296.0;
        let found = sample(WhiteHash::NestedInteger, 2, [fx, fy, 0.0]);
        assert!((found - integer).abs() < 1.2e-7, "{found} for {integer}");
    }
}

#[test]
fn octaves_can_be_the_same_noise() {
    use orogen::node::{Fractal, OctaveSeeds, Simplex};
    let simplex = Noise::simplex(Simplex { wavelength: 40.0, seed: Some(5), ..Default::default() });
    let sum = simplex.clone().fractal(Fractal { octaves: 3, seeds: OctaveSeeds::Same, normalise: false, ..Default::default() });
    let value = |noise: &Noise, at: [f64; 3]| oracle().sample(noise, &[at], Gradient::Without).expect("a sample")[0].value;
    for [x, y] in [[3.0, 4.0], [-100.5, 77.25], [1e6, -3e5]] {
        let octaves = (0..3).map(|k| 0.5_f64.powi(k) * value(&simplex, [x, y, 0.0].map(|c| c * 2.0_f64.powi(k)))).sum::<f64>();
        assert!((value(&sum, [x, y, 0.0]) - octaves).abs() < 1e-9);
    }
}
