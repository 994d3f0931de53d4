//! The terrain shader's chain (`snoise` → `GetRawNoise` → `interpolateValue`), written down once more in plain f64 from its
//! HLSL listing, against `orogen sample` on every backend.

use crate::support::{Random, Scratch, cpu, gpu, oracle, run, text};
use orogen::node::{Fractal, OctaveTable, Simplex};
use orogen::{Gradient, Graph, Noise, Recipe, Region};
use std::fmt::Write;

fn mod289(x: f64) -> f64 {
    x - (x / 289.0).floor() * 289.0
}

fn permute(x: f64) -> f64 {
    mod289((x * 34.0 + 1.0) * x)
}

/// `snoise(float3 v)`. Grid points with `h = 0` lie exactly on the octahedron's fold, where `step(h, 0)` is 1; f64 rounds
/// two of them to 1e-16, which is taken for the 0 it means.
fn snoise(v: [f64; 3]) -> f64 {
    let s = (v[0] + v[1] + v[2]) / 3.0;
    let i = v.map(|x| (x + s).floor());
    let t = (i[0] + i[1] + i[2]) / 6.0;
    let x0: [f64; 3] = std::array::from_fn(|a| v[a] - i[a] + t);
    let step = |edge: f64, x: f64| if x >= edge { 1.0 } else { 0.0 };
    let g: [f64; 3] = std::array::from_fn(|a| step(x0[(a + 1) % 3], x0[a]));
    let l = g.map(|x| 1.0 - x);
    let i1: [f64; 3] = std::array::from_fn(|a| g[a].min(l[(a + 2) % 3]));
    let i2: [f64; 3] = std::array::from_fn(|a| g[a].max(l[(a + 2) % 3]));
    let corners = [([0.0; 3], 0.0), (i1, 1.0 / 6.0), (i2, 1.0 / 3.0), ([1.0; 3], 0.5)];
    let i = i.map(mod289);
    let mut sum = 0.0;
    for (moved, shift) in corners {
        let x: [f64; 3] = std::array::from_fn(|a| x0[a] - moved[a] + shift);
        let p = permute(permute(permute(i[2] + moved[2]) + i[1] + moved[1]) + i[0] + moved[0]);
        let j = p - 49.0 * (p / 49.0).floor();
        let column = (j / 7.0).floor();
        let row = (j - 7.0 * column).floor();
        let (gx, gy) = ((column * 2.0 + 0.5) / 7.0 - 1.0, (row * 2.0 + 0.5) / 7.0 - 1.0);
        let h = 1.0 - gx.abs() - gy.abs();
        let sh = if h <= 1e-12 { -1.0 } else { 0.0 };
        let fold = |b: f64| b + (b.floor() * 2.0 + 1.0) * sh;
        let gradient = [fold(gx), fold(gy), h];
        let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
        let norm = 1.79284291400159 - 0.85373472095314 * dot(gradient, gradient);
        let m = (0.6 - dot(x, x)).max(0.0);
        sum += m * m * m * m * dot(gradient.map(|c| c * norm), x);
    }
    42.0 * sum
}

struct Chain {
    scale: f64,
    lacunarity: f64,
    persistence: f64,
    offsets: Vec<[f64; 3]>,
    sample_offset: [f64; 3],
    /// x, value, slope in, slope out.
    points: Vec<[f64; 4]>,
}

impl Chain {
    fn random(random: &mut Random) -> Self {
        let octaves = 1 + random.bits() as usize % 6;
        let count = 2 + random.bits() as usize % 5;
        let mut at = random.between(-0.2, 0.2);
        let points = (0..count).map(|_| {
            at += random.between(0.05, 0.4);
            [at, random.between(-50.0, 150.0), random.between(-200.0, 200.0), random.between(-200.0, 200.0)]
        });
        let points = points.collect();
        let mut triple = |reach: f64| [random.between(-reach, reach), random.between(-reach, reach), random.between(-reach, reach)];
        Chain {
            offsets: (0..octaves).map(|_| triple(1e4)).collect(),
            sample_offset: triple(50.0),
            points,
            scale: random.between(100.0, 900.0),
            lacunarity: random.between(1.5, 2.2),
            persistence: random.between(0.2, 0.9),
        }
    }

    /// `GetRawNoise`.
    fn raw(&self, position: [f64; 3]) -> f64 {
        let (mut amplitude, mut frequency, mut height) = (1.0, 1.0, 0.0);
        for offset in &self.offsets {
            let sample = std::array::from_fn(|a| (position[a] + offset[a] + self.sample_offset[a]) / self.scale * frequency);
            let perlin_value = (snoise(sample) + 1.0) / 2.0;
            height = height * (1.0 - amplitude) + perlin_value * amplitude;
            amplitude *= self.persistence;
            frequency *= self.lacunarity;
        }
        height
    }

    /// `interpolateValue`, inputs held between the end points.
    fn curve(&self, value: f64) -> f64 {
        let last = self.points.len() - 1;
        let value = value.clamp(self.points[0][0], self.points[last][0]);
        let upper = self.points.iter().position(|p| p[0] > value).unwrap_or(last).max(1);
        let ([x0, v0, _, out], [x1, v1, slope_in, _]) = (self.points[upper - 1], self.points[upper]);
        let (dt, progress) = (x1 - x0, (value - x0) / (x1 - x0));
        let anchor = ((v0 + out * dt) + (v1 - slope_in * dt)) / 2.0;
        let lerp = |a: f64, b: f64| a * (1.0 - progress) + b * progress;
        lerp(lerp(v0, anchor), lerp(anchor, v1))
    }

    /// The spline's steepest slope: that of a Bézier piece is steepest at one of its ends.
    fn steepest(&self) -> f64 {
        let pieces = self.points.windows(2).map(|pair| {
            let ([x0, v0, _, out], [x1, v1, slope_in, _]) = (pair[0], pair[1]);
            let dt = x1 - x0;
            let anchor = ((v0 + out * dt) + (v1 - slope_in * dt)) / 2.0;
            (2.0 * (anchor - v0) / dt).abs().max((2.0 * (v1 - anchor) / dt).abs())
        });
        pieces.fold(0.0, f64::max)
    }

    fn recipe(&self, output: &str) -> String {
        let points = in_toml(&self.points);
        format!(
            "output = \"{output}\"
[node.basis]
kind = \"simplex\"
dimensions = 3
hash = \"permutation289\"
wavelength = {:?}
[node.raw]
kind = \"fractal\"
of = \"basis\"
octaves = {}
lacunarity = {:?}
gain = {:?}
accumulate = \"lerp\"
offsets = {:?}
offset = {:?}
[node.height]
kind = \"spline\"
of = \"raw\"
points = [{points}]
",
            self.scale,
            self.offsets.len(),
            self.lacunarity,
            self.persistence,
            self.offsets,
            self.sample_offset
        )
    }
}

#[test]
#[cfg_attr(skip_gpu, ignore = "needs a GPU")]
fn the_shaders_chain_is_reproduced_on_every_backend() {
    let backends: &[(&str, f64)] = &[("oracle", 2e-7), ("cpu", 6e-6), ("gpu", 6e-6)];
    let scratch = Scratch::new("document");
    let mut random = Random(0x5eed);
    let mut worst = vec![[0.0f64; 2]; backends.len()];
    for round in 0..6 {
        let chain = Chain::random(&mut random);
        let mut points = Vec::new();
        for reach in [300.0, 5e4, 3e6] {
            points.extend((0..60).map(|_| [0; 3].map(|_| random.between(-reach, reach))));
        }
        let lines: String = points.iter().map(|[x, y, z]| format!("{x:?} {y:?} {z:?}\n")).collect();
        for (output, steepness) in [("raw", 1.0), ("height", chain.steepest())] {
            let recipe = scratch.file(&format!("{round}_{output}.toml"), &chain.recipe(output));
            for (which, (backend, bound)) in backends.iter().enumerate() {
                let out = run(&["sample", recipe.to_str().expect("UTF-8"), "--points", "-", "--backend", backend], &lines);
                assert!(out.status.success(), "{}", text(&out.stderr));
                let values: Vec<f64> = text(&out.stdout).lines().map(|line| line.parse().expect("a number")).collect();
                assert_eq!(values.len(), points.len());
                for (point, value) in points.iter().zip(values) {
                    let raw = chain.raw(*point);
                    let expected = if output == "raw" { raw } else { chain.curve(raw) };
                    let off = (value - expected).abs() / steepness;
                    worst[which][usize::from(output == "height")] = worst[which][usize::from(output == "height")].max(off);
                    assert!(
                        off <= *bound,
                        "{backend}, {output}, at {point:?}: {value:e} instead of {expected:e}: off by {off:e} / steepness"
                    );
                }
            }
        }
    }
    for ((backend, bound), [raw, height]) in backends.iter().zip(worst) {
        println!("{backend}: octave sums within {raw:.1e}, after the spline within {height:.1e} of its steepness (bound {bound:e})");
    }
}

fn in_toml(points: &[[f64; 4]]) -> String {
    let mut text = String::new();
    for [at, value, slope_in, slope_out] in points {
        let _ = write!(text, "{{ at = {at:?}, value = {value:?}, slope_in = {slope_in:?}, slope_out = {slope_out:?} }}, ");
    }
    text
}

/// The shader's buffers `_NoiseOffsets` and `_NoiseSplinePoints`, where sampler i has the entries from `_NoiseIndexes[i]` up to
/// `_NoiseIndexes[i + 1]`, as one recipe with two tables.
fn samplers(chains: &[Chain], output: &str) -> String {
    let offsets: Vec<[f64; 3]> = chains.iter().flat_map(|chain| chain.offsets.clone()).collect();
    let points: Vec<[f64; 4]> = chains.iter().flat_map(|chain| chain.points.clone()).collect();
    let mut text = format!(
        "output = \"{output}\"\n[node.offsets]\nkind = \"octave_table\"\noffsets = {offsets:?}\n[node.points]\nkind = \"point_table\"\npoints = [{}]\n",
        in_toml(&points)
    );
    let (mut octave, mut point) = (0, 0);
    for (i, chain) in chains.iter().enumerate() {
        let own = chain.recipe("");
        // Each sampler as it stands alone, but for its lists, which are entries of the tables.
        for line in own.lines().skip(1).filter(|line| !line.starts_with("offsets") && !line.starts_with("points")) {
            let line = ["basis", "raw", "height"].iter().fold(line.to_owned(), |line, name| {
                line.replace(&format!("node.{name}]"), &format!("node.{name}_{i}]"))
                    .replace(&format!("\"{name}\""), &format!("\"{name}_{i}\""))
            });
            let _ = writeln!(text, "{line}");
            if line == "kind = \"fractal\"" {
                let _ = writeln!(text, "table = \"offsets\"\nstart = {octave}");
            } else if line == "kind = \"spline\"" {
                let _ = writeln!(text, "table = \"points\"\nstart = {point}\nend = {}", point + chain.points.len());
            }
        }
        (octave, point) = (octave + chain.offsets.len(), point + chain.points.len());
    }
    text
}

/// Samplers that share tables give what each gives with lists of its own, bit for bit, and so what the shader gives.
#[test]
#[cfg_attr(skip_gpu, ignore = "needs a GPU")]
fn samplers_share_one_table_of_octaves_and_one_of_points() {
    let mut random = Random(0x7ab1e);
    let chains: Vec<Chain> = (0..4).map(|_| Chain::random(&mut random)).collect();
    let region = Region { origin: [-9000, 40_000, 0], spacing: 7.3, ..Region::plane(40, 30) };
    let noise = |text: &str| Recipe::from_toml(text, "samplers.toml").expect("a recipe").noise().expect("a noise");
    for (i, chain) in chains.iter().enumerate() {
        for output in ["raw", "height"] {
            let (shared, own) = (noise(&samplers(&chains, &format!("{output}_{i}"))), noise(&chain.recipe(output)));
            for engine in [&oracle(), &cpu(), gpu()] {
                assert_eq!(engine.field(&shared, &region), engine.field(&own, &region), "{output} of sampler {i}");
            }
            assert_eq!(shared.range(), own.range());
        }
        let at = [120.0 * i as f64, -333.0, 5.0];
        let value = oracle().sample(&noise(&samplers(&chains, &format!("raw_{i}"))), &[at], Gradient::Without).expect("a sample")[0].value;
        assert!((value - chain.raw(at)).abs() < 2e-7, "sampler {i}: {value} instead of {}", chain.raw(at));
    }
}

/// An entry is live, and what it is in the table it is in every sampler.
#[test]
fn an_entry_of_a_shared_table_changes_all_that_read_it() {
    let table = Noise::octave_table(OctaveTable { offsets: vec![[0.0; 3]; 5] });
    let octaves = |seed, start| {
        let basis = Noise::simplex(Simplex { seed: Some(seed), ..Default::default() });
        basis.fractal_from(&table, Fractal { octaves: 3, start, ..Default::default() })
    };
    let (first, second) = (octaves(1, 0).named("first"), octaves(2, 2).named("second"));
    let both = first.add(second);
    assert_eq!(both.graph().node.values().filter(|node| node.info().kind == "octave_table").count(), 1, "one table");
    let at = |noise: &Noise, output: &str| {
        let graph = Graph { output: output.to_owned(), ..noise.graph().clone() };
        cpu().sample(&Noise::from(graph), &[[31.0, 17.0, 0.0]], Gradient::Without).expect("a sample")[0].value
    };
    // Entry 2 is the last octave of the first and the first of the second; entry 4 is the second's alone.
    for (entry, changes) in [(0, [true, false]), (2, [true, true]), (4, [false, true])] {
        let mut changed = both.clone();
        let mut offsets = vec![[0.0; 3]; 5];
        offsets[entry] = [40.0, 9.0, 0.0];
        changed.set("octave_table.offsets", offsets).expect("a live parameter");
        let differs = ["first", "second"].map(|name| at(&changed, name) != at(&both, name));
        assert_eq!(differs, changes, "entry {entry}");
    }
}

#[test]
fn what_a_table_cannot_give_is_refused() {
    let refusal = |text: &str| Recipe::from_toml(text, "samplers.toml").err().map_or_else(String::new, |error| error.to_string());
    let head = "[node.basis]\nkind = \"simplex\"\n[node.t]\nkind = \"octave_table\"\noffsets = [[1, 2, 3], [4, 5, 6]]\n\
        [node.p]\nkind = \"point_table\"\npoints = [{ at = 0, value = 0 }, { at = 1, value = 2 }, { at = 0.5, value = 3 }]\n";
    for (node, expected) in [
        (
            "kind = \"fractal\"\nof = \"basis\"\noctaves = 2\ntable = \"t\"\nstart = 1",
            "at most 1: the number of entries in the table from start = 1 on",
        ),
        ("kind = \"fractal\"\nof = \"basis\"\noctaves = 2\ntable = \"p\"", "the name of a node of kind \"octave_table\""),
        ("kind = \"fractal\"\nof = \"basis\"\noctaves = 2\ntable = 3.5", "table = 3.5"),
        ("kind = \"fractal\"\nof = \"basis\"\noctaves = 2\ntable = \"nothing\"", "there is no node 'nothing'"),
        ("kind = \"fractal\"\nof = \"basis\"\noctaves = 1\ntable = \"t\"\noffsets = [[0, 0, 0]]", "one of the two"),
        ("kind = \"abs\"\nof = \"t\"", "nodes that have values"),
        ("kind = \"spline\"\nof = \"basis\"", "two or more, or a table"),
        ("kind = \"spline\"\nof = \"basis\"\ntable = \"p\"", "at = 0.5 after at = 1 (entries 1 and 2)"),
        ("kind = \"spline\"\nof = \"basis\"\ntable = \"p\"\nstart = 2", "two or more entries of the table"),
        ("kind = \"spline\"\nof = \"basis\"\ntable = \"p\"\nend = 9", "two or more entries of the table"),
    ] {
        let found = refusal(&format!("output = \"n\"\n{head}[node.n]\n{node}\n"));
        assert!(found.contains(expected) && found.contains("'n'"), "{node}: {found}");
    }
    let found = refusal(&format!("output = \"t\"\n{head}"));
    assert!(found.contains("output = t is not allowed") && found.contains("nodes that have values"), "{found}");
    assert_eq!(refusal(&format!("output = \"n\"\n{head}[node.n]\nkind = \"spline\"\nof = \"basis\"\ntable = \"p\"\nend = 2\n")), "");
}

#[test]
fn three_equal_coordinates_take_a_proper_simplex() {
    // The listing's corners collapse on the diagonal; the limit from next to it is meant.
    let noise = orogen::Noise::simplex(orogen::node::Simplex {
        dimensions: 3,
        hash: orogen::node::Hash::Permutation289,
        wavelength: 1.0,
        ..Default::default()
    });
    for k in 1..40 {
        let c = f64::from(k) * 0.37 - 5.0;
        let beside = [c + 2e-9, c + 1e-9, c];
        let at = crate::support::oracle().sample(&noise, &[[c; 3], beside], Gradient::Without).expect("sample");
        assert!((at[0].value - at[1].value).abs() < 1e-6, "{at:?}");
        assert!((at[1].value - snoise(beside)).abs() < 1e-6);
    }
}
