//! The terrain shader's chain (`snoise` → `GetRawNoise` → `interpolateValue`), written down once more in plain f64 from its
//! HLSL listing, against `orogen sample` on every backend.

use crate::support::{Random, Scratch, run, text};
use orogen::Gradient;
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
        let mut points = String::new();
        for [at, value, slope_in, slope_out] in &self.points {
            let _ = write!(points, "{{ at = {at:?}, value = {value:?}, slope_in = {slope_in:?}, slope_out = {slope_out:?} }}, ");
        }
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

#[test]
fn three_equal_coordinates_take_a_proper_simplex() {
    // The listing's corners collapse on the diagonal; its meaning is the limit from beside it.
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
