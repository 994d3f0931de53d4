//! Bounds of gradients: no sample is steeper, and gradients that f32 cannot hold are refused where gradients are asked for.

use crate::nodes;
use crate::support::{Scratch, cpu, expect, gpu, oracle, path, run};
use orogen::node::{Fractal, Interpolation, Perlin, Polar, PolarForm, Simplex, Turbulence, Value};
use orogen::stage::{Gully, Pipeline};
use orogen::testing::gradient_bound;
use orogen::texture::{Content, TextureOptions};
use orogen::wgpu::TextureFormat;
use orogen::{Engine, Gradient, Noise, Region};

/// The longest gradient in a region.
fn steepest(engine: &Engine, noise: &Noise, region: &Region) -> f64 {
    let field = engine.field_with_gradient(noise, region).expect("a field");
    let length = |g: &[f32; 3]| g.iter().map(|x| f64::from(*x) * f64::from(*x)).sum::<f64>().sqrt();
    field.gradients.expect("asked for").iter().map(length).fold(0.0, f64::max)
}

#[test]
fn no_gradient_is_longer_than_its_bound() {
    let mut failed = Vec::new();
    for (name, noise) in nodes::all().into_iter().filter(|(_, noise)| noise.has_gradient()) {
        // f32 rounds what is as steep as it may be.
        let bound = gradient_bound(&noise).expect("a bound") * 1.0001;
        for (engine, edge) in [(cpu(), 200), (oracle(), 60)] {
            let found = steepest(&engine, &noise, &Region { origin: [-31, 17, 5], ..Region::plane(edge, edge) });
            println!("{name}: {found:.2e} of {bound:.2e}");
            if found > bound {
                failed.push(format!("{name}: {found:e} of {bound:e}"));
            }
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

/// The largest gradients of the bases found by a search; the bounds add a quarter.
#[test]
fn bases_use_their_bounds_of_gradients() {
    let simplex = |dimensions| Noise::simplex(Simplex { dimensions, wavelength: 1.0, ..Default::default() });
    let perlin = |dimensions, interpolation| Noise::perlin(Perlin { dimensions, interpolation, wavelength: 1.0, ..Default::default() });
    let value = |dimensions, interpolation| Noise::value(Value { dimensions, interpolation, wavelength: 1.0, ..Default::default() });
    let mut all: Vec<(String, Noise)> = (1..=4).map(|d| (format!("simplex {d}D"), simplex(d))).collect();
    for interpolation in Interpolation::ALL {
        all.extend((1..=4).map(|d| (format!("perlin {d}D {interpolation:?}"), perlin(d, *interpolation))));
        all.extend((1..=4).map(|d| (format!("value {d}D {interpolation:?}"), value(d, *interpolation))));
    }
    for (name, noise) in all {
        let (bound, found) =
            (gradient_bound(&noise).expect("a bound"), steepest(&cpu(), &noise, &Region { spacing: 0.173, ..Region::plane(1200, 900) }));
        println!("{name}: {found:.3} of {bound:.3}");
        assert!(found <= bound && (found > bound / 12.0 || name.ends_with("Truncated")), "{name}: {found} of {bound}");
    }
}

/// 32 octaves of lacunarity 64, each allowed.
fn too_steep() -> Noise {
    let simplex = Noise::simplex(Simplex { wavelength: 40.0, ..Default::default() });
    simplex.fractal(Fractal { octaves: 32, lacunarity: 64.0, ..Default::default() }).named("crags")
}

fn assert_refused<T>(found: Result<T, impl std::fmt::Display>, what: &str) {
    let told = found.err().unwrap_or_else(|| panic!("{what}: not refused")).to_string();
    assert!(told.contains("node 'crags': its gradient may reach") && told.contains("allowed: magnitudes up to 1e30"), "{what}: {told}");
}

#[test]
#[cfg_attr(skip_gpu, ignore = "needs a GPU")]
fn gradients_that_f32_cannot_hold_are_refused_by_every_call() {
    let (noise, region, points) = (too_steep(), Region::plane(8, 8), [[1.0, 2.0, 3.0]]);
    let backends = [("cpu", cpu()), ("oracle", oracle()), ("gpu", gpu().clone())];
    for (name, engine) in &backends {
        assert_refused(engine.field_with_gradient(&noise, &region), name);
        assert_refused(engine.sample(&noise, &points, Gradient::With), name);
        assert_refused(engine.sample_near(&noise, [0.0; 3], &[[0.0; 3]], Gradient::With), name);
        assert_refused(engine.texels(&noise, &region, TextureFormat::Rgba32Float, &Content::Jet.into()), name);
        let prepared = engine.prepare(&noise).expect("its values are bounded");
        let (mut values, mut gradients) = (vec![0.0; 64], vec![[0.0; 3]; 64]);
        assert_refused(prepared.field_with_gradient_into(&region, &mut values, &mut gradients), name);
        let gullies = Pipeline::from(&noise).then(Gully::default());
        assert_refused(engine.layer(&gullies, &region), name);
        // Values without gradients are bounded.
        assert!(engine.sample(&noise, &points, Gradient::Without).expect("a value")[0].value.abs() <= 1.0, "{name}");
    }
    let options = TextureOptions { format: TextureFormat::Rgba32Float, encoding: Content::Normal.into(), ..Default::default() };
    assert_refused(gpu().texture(&noise, &region, &options), "texture");
}

/// Just below the limit there are gradients, and they are numbers on every backend.
#[test]
#[cfg_attr(skip_gpu, ignore = "needs a GPU")]
fn the_steepest_gradients_that_are_allowed_are_numbers() {
    let simplex = || Noise::simplex(Simplex { wavelength: 40.0, ..Default::default() });
    let mut allowed = 0;
    for lacunarity in [4.0, 8.0, 8.5, 9.0, 9.5, 10.0, 16.0, 19.0, 64.0] {
        let noise = simplex().fractal(Fractal { octaves: 32, lacunarity, ..Default::default() });
        let polar = Polar { form: PolarForm::Circle, ..Default::default() };
        let turbulence = Turbulence { octaves: 12, lacunarity, ..Default::default() };
        for noise in [noise, simplex().turbulence(simplex(), turbulence), simplex().polar(polar.clone()).polar(polar)] {
            for engine in [cpu(), oracle(), gpu().clone()] {
                let points: Vec<[f64; 3]> = (0..64).map(|i| [f64::from(i % 8) - 4.0, f64::from(i / 8) - 4.0, 0.5]).collect();
                let Ok(samples) = engine.sample(&noise, &points, Gradient::With) else { continue };
                allowed += 1;
                let gradients: Vec<[f64; 3]> = samples.into_iter().filter_map(|sample| sample.gradient).collect();
                assert!(gradients.iter().flatten().all(|x| x.abs() <= 1e30), "lacunarity {lacunarity}: {gradients:?}");
            }
        }
    }
    assert!(allowed > 20, "{allowed} allowed");
}

#[test]
fn the_command_names_the_node() {
    let scratch = Scratch::new("steep");
    let recipe =
        "output = \"f\"\n[node.s]\nkind = \"simplex\"\n[node.f]\nkind = \"fractal\"\nof = \"s\"\noctaves = 32\nlacunarity = 64.0\n";
    let file = scratch.file("r.toml", recipe);
    for backend in ["cpu", "oracle"] {
        let output = run(&["sample", path(&file), "--points", "-", "--gradient", "--backend", backend], "1 2 3\n");
        expect(&output, 65, &["r.toml:5:1: node 'f': its gradient may reach", "allowed: magnitudes up to 1e30"]);
    }
}
