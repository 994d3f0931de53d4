//! Flow noise: simplex and Perlin noise with turning gradients, against their formula written anew, and its loops.

use crate::support::{bits, cpu, gpu, oracle, own_gpu};
use orogen::node::{Fractal, Gradients, Hash, Interpolation, Perlin, Simplex};
use orogen::texture::{Content, TexelEncoding, TextureOptions};
use orogen::wgpu::TextureFormat;
use orogen::{Engine, Gradient, Noise, PreparedSeveral, Region};
use std::f64::consts::TAU;

const STILL: Gradients = Gradients::Still;
const TURNING: Gradients = Gradients::Turning;

/// Lattice points at the world's whole numbers.
fn perlin(dimensions: u32, gradients: Gradients, w: f64) -> Noise {
    Noise::perlin(Perlin { dimensions, gradients, w, wavelength: 1.0, offset: Some([0.0; 3]), seed: 11, ..Default::default() })
}

fn simplex(dimensions: u32, gradients: Gradients, w: f64) -> Noise {
    Noise::simplex(Simplex { dimensions, gradients, w, wavelength: 1.0, offset: Some([0.0; 3]), seed: Some(11), ..Default::default() })
}

fn all(w: f64) -> Vec<Noise> {
    [2, 3].into_iter().flat_map(|dimensions| [perlin(dimensions, TURNING, w), simplex(dimensions, TURNING, w)]).collect()
}

fn field(engine: &Engine, noise: &Noise) -> Vec<f32> {
    engine.field(noise, &Region { size: [31, 17, 5], spacing: 0.173, ..Region::plane(1, 1) }).expect("a field").values
}

#[test]
fn it_is_the_same_after_a_period() {
    let octaves = |w: f64| {
        let of = Noise::simplex(Simplex { gradients: TURNING, w, w_period: 8.0, wavelength: 3.0, ..Default::default() });
        // Octaves turn 1, 2, 3 and 4 times: lacunarity to the power, rounded.
        of.fractal(Fractal { octaves: 4, lacunarity: 1.6, ..Default::default() })
    };
    for engine in [&cpu(), gpu(), &oracle()] {
        for (first, last) in all(0.3125).iter().zip(all(-2.6875)) {
            assert_eq!(bits(&field(engine, first)), bits(&field(engine, &last)));
        }
        let first = field(engine, &octaves(0.5));
        assert_eq!(bits(&first), bits(&field(engine, &octaves(8.5))));
        assert_ne!(bits(&first), bits(&field(engine, &octaves(4.5))));
    }
    // The fourth coordinate of a call is added.
    for (noise, wanted) in all(0.25).iter().zip(all(0.75)) {
        let engine = cpu();
        let prepared = engine.prepare(noise).expect("a noise");
        let mut values = vec![0.0; 64];
        prepared.at(0.5).field_into(&Region::plane(8, 8), &mut values).expect("a field");
        assert_eq!(bits(&values), bits(&engine.field(&wanted, &Region::plane(8, 8)).expect("a field").values));
    }
}

/// The frames of an animation, alone and as channels of one texture.
#[test]
#[cfg_attr(skip_gpu, ignore = "needs a GPU")]
fn textures_turn_without_another_kernel() {
    let (gpu, region) = (own_gpu(None), Region::plane(24, 17));
    let turning = |w: f64| simplex(2, TURNING, w).named("turning");
    let other = || perlin(3, TURNING, 0.0);
    let (one, channels) = (TextureFormat::R32Float, TextureFormat::Rg32Float);
    let [height, several] = [Content::Value, Content::Several].map(TexelEncoding::from);
    let mut both = gpu.prepare_several(&[&turning(0.0), &other()]).expect("noises");
    let draw = |w: f64, both: &PreparedSeveral| {
        let of = |format, encoding| TextureOptions { format, encoding, ..Default::default() };
        let alone = gpu.texture(&turning(w), &region, &of(one, height)).expect("a texture");
        let together = both.texture(&region, &of(channels, several)).expect("a texture");
        [alone, together].map(|texture| gpu.read_texture(&texture, 0).expect("bytes"))
    };
    let first = draw(0.0, &both);
    let compiled = gpu.compilations();
    for w in [0.25, 0.7, 1.0] {
        both.set_all([("turning.w", w)]).expect("a live number");
        let [alone, together] = draw(w, &both);
        let expected =
            cpu().prepare_several(&[&turning(w), &other()]).expect("noises").texels(&region, channels, &several).expect("texels");
        assert_eq!(alone, cpu().texels(&turning(w), &region, one, &height).expect("texels"));
        assert_eq!(together, expected);
        assert_eq!(w == 1.0, [alone, together] == first, "w = {w}");
    }
    assert_eq!(gpu.compilations(), compiled);
}

#[test]
fn rows_turn_with_the_coordinate_of_the_call() {
    // The region is wide enough for rows that share lattice points. Each call turns these points anew.
    let region = Region { size: [200, 9, 2], spacing: 0.173, ..Region::plane(1, 1) };
    let samples = region.size.iter().product::<u32>() as usize;
    for of in [all as fn(f64) -> Vec<Noise>, octaves] {
        let (engine, turns) = (cpu(), [0.5, 0.0, 0.7, 0.5]);
        let prepared: Vec<_> = of(0.25).iter().map(|noise| engine.prepare(noise).expect("a noise")).collect();
        for turn in turns {
            for (prepared, wanted) in prepared.iter().zip(of(0.25 + turn)) {
                let mut values = vec![0.0; samples];
                prepared.at(turn).field_into(&region, &mut values).expect("a field");
                assert_eq!(bits(&values), bits(&engine.field(&wanted, &region).expect("a field").values), "{turn}");
            }
        }
    }
}

fn octaves(w: f64) -> Vec<Noise> {
    let sum = || Fractal { octaves: 4, lacunarity: 1.9, ..Default::default() };
    all(w).into_iter().map(|noise| noise.fractal(sum())).collect()
}

#[test]
fn it_is_negated_after_half_a_period_and_never_stands_still() {
    for (first, half) in all(0.125).iter().zip(all(0.625)) {
        let (first, half) = (field(&oracle(), first), field(&oracle(), &half));
        assert!(first.iter().zip(&half).all(|(a, b)| (a + b).abs() < 1e-6));
    }
    for (first, later) in all(0.0).iter().zip(all(0.01)) {
        let (first, later) = (field(&cpu(), first), field(&cpu(), &later));
        let moved = first.iter().zip(&later).map(|(a, b)| f64::from((a - b).abs())).sum::<f64>() / first.len() as f64;
        assert!((0.005..0.03).contains(&moved), "{moved}");
    }
}

/// The gradient of a lattice point, which is that of still noise there.
fn gradients_at(noise: &Noise, points: &[[f64; 3]]) -> Vec<[f64; 3]> {
    let sampled = oracle().sample(noise, points, Gradient::With).expect("points");
    sampled.iter().map(|sample| sample.gradient.expect("asked for")).collect()
}

/// A unit direction, turned by t: in 2D in the plane, in 3D towards the direction at right angles in the plane of its longer parts.
fn turned(g: [f64; 3], dimensions: usize, t: f64) -> [f64; 3] {
    let length = g.iter().map(|x| x * x).sum::<f64>().sqrt();
    let unit = g.map(|x| x / length);
    let still = if dimensions == 2 { 2 } else { (0..3).min_by(|&a, &b| unit[a].abs().total_cmp(&unit[b].abs())).expect("three parts") };
    let mut across = [0.0; 3];
    match still {
        2 => (across[0], across[1]) = (-unit[1], unit[0]),
        1 => (across[0], across[2]) = (unit[2], -unit[0]),
        _ => (across[1], across[2]) = (-unit[2], unit[1]),
    }
    let across_length = across.iter().map(|x| x * x).sum::<f64>().sqrt();
    std::array::from_fn(|a| length * (unit[a] * (TAU * t).cos() + across[a] / across_length * (TAU * t).sin()))
}

const TURN: f64 = 0.17;

#[test]
fn perlin_noise_interpolates_turned_gradients() {
    let weight = |f: f64| f * f * f * (f * (f * 6.0 - 15.0) + 10.0);
    for dimensions in [2, 3] {
        let corners: Vec<[f64; 3]> = (0..1 << dimensions).map(|k| std::array::from_fn(|a| f64::from(k >> a & 1))).collect();
        let gradients = gradients_at(&perlin(dimensions, STILL, 0.0), &corners);
        for place in [[0.3, 0.6, 0.2], [0.9, 0.1, 0.7], [0.5, 0.5, 0.5]] {
            let f: [f64; 3] = std::array::from_fn(|a| if a < dimensions as usize { place[a] } else { 0.0 });
            let mut wanted = 0.0;
            for (corner, &g) in corners.iter().zip(&gradients) {
                let g = turned(g, dimensions as usize, TURN);
                let share: f64 =
                    (0..dimensions as usize).map(|a| if corner[a] == 1.0 { weight(f[a]) } else { 1.0 - weight(f[a]) }).product();
                wanted += share * (0..3).map(|a| g[a] * (f[a] - corner[a])).sum::<f64>();
            }
            let found = oracle().sample(&perlin(dimensions, TURNING, TURN), &[f], Gradient::Without).expect("a point")[0].value;
            assert!((found - wanted).abs() < 1e-6, "{dimensions}D: {found} instead of {wanted}");
        }
    }
}

#[test]
fn simplex_noise_sums_turned_gradients() {
    // Points in world units: X / √2, Y / √6, Z / √12 for X ≡ Y mod 2 and, in 3D, Y ≡ Z mod 3.
    for (dimensions, scale) in [(2, 99.1 / 99.36), (3, 107.54 / 107.66)] {
        let layers = if dimensions == 2 { 0..=0 } else { -4..=4 };
        let mut corners = Vec::new();
        for z in layers {
            for y in -5..=5_i32 {
                for x in -4..=4_i32 {
                    if (x - y) % 2 == 0 && (dimensions == 2 || (y - z) % 3 == 0) {
                        corners.push([f64::from(x) / 2f64.sqrt(), f64::from(y) / 6f64.sqrt(), f64::from(z) / 12f64.sqrt()]);
                    }
                }
            }
        }
        let gradients = gradients_at(&simplex(dimensions, STILL, 0.0), &corners);
        for place in [[0.3, 0.6, 0.2], [-0.4, 0.1, 0.5], [0.05, -0.3, -0.1]] {
            let f: [f64; 3] = std::array::from_fn(|a| if a < dimensions as usize { place[a] } else { 0.0 });
            let mut wanted = 0.0;
            for (corner, &g) in corners.iter().zip(&gradients) {
                // At its point a gradient has the weight (1/2)⁴.
                let g = turned(g, dimensions as usize, TURN).map(|x| 16.0 * scale * x);
                let d: [f64; 3] = std::array::from_fn(|a| f[a] - corner[a]);
                let rest = (0.5 - d.iter().map(|x| x * x).sum::<f64>()).max(0.0);
                wanted += rest.powi(4) * (0..3).map(|a| g[a] * d[a]).sum::<f64>();
            }
            let found = oracle().sample(&simplex(dimensions, TURNING, TURN), &[f], Gradient::Without).expect("a point")[0].value;
            assert!((found - wanted).abs() < 4e-6, "{dimensions}D: {found} instead of {wanted}");
        }
    }
}

#[test]
fn gradients_of_any_direction_have_no_favourite() {
    // The mean product of slopes along x and y over many cells and turns is near 0, and their squares are alike.
    let mut sums = [0.0_f64; 3];
    for k in 0..16 {
        let noise = simplex(2, TURNING, f64::from(k) / 16.0);
        let field = cpu().field_with_gradient(&noise, &Region { spacing: 0.37, ..Region::plane(200, 200) }).expect("a field");
        for [x, y, _] in field.gradients.expect("asked for") {
            let (x, y) = (f64::from(x), f64::from(y));
            sums = [sums[0] + x * x, sums[1] + y * y, sums[2] + x * y];
        }
    }
    let [x, y, both] = sums;
    assert!((x / y - 1.0).abs() < 0.03 && (both / x).abs() < 0.03, "{sums:?}");
}

#[test]
fn what_cannot_turn_is_refused() {
    let reason = |noise: Noise| cpu().field(&noise, &Region::plane(2, 2)).expect_err("refused").to_string();
    for dimensions in [1, 4] {
        for noise in [perlin(dimensions, TURNING, 0.0), simplex(dimensions, TURNING, 0.0)] {
            let reason = reason(noise);
            assert!(reason.contains("dimensions") && reason.contains("2 and 3 with gradients = \"turning\""), "{reason}");
        }
    }
    let old = Simplex { dimensions: 3, hash: Hash::Permutation289, gradients: TURNING, ..Default::default() };
    let reason = reason(Noise::simplex(old));
    assert!(reason.contains("gradients") && reason.contains("\"still\" with hash = \"permutation289\""), "{reason}");
    assert!(Noise::perlin(Perlin { gradients: TURNING, interpolation: Interpolation::Truncated, ..Default::default() }).range().is_ok());
}
