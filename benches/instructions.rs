//! Runs one case repeatedly: `instructions CASE[@WAVELENGTH] COUNT`. `scripts/instructions` counts its instructions.
#![allow(missing_docs, reason = "a bench")]

use orogen::node::{Fractal, Perlin, Simplex, Value, Worley};
use orogen::stage::{
    Colour, ColourMap, DiamondSquare, EqualiseWorld, Frequency, Gaussian, Given, Gully, Hydraulic, Median, Occlusion, Pipeline, Stage,
    Thermal,
};
use orogen::texture::{TargetOptions, TextureOptions};
use orogen::{Backend, Engine, EngineOptions, Gradient, Noise, Recipe, Region, wgpu};

/// A stage by the name of its kind, with defaults but for its iterations.
fn stage(case: &str) -> Option<Stage> {
    Some(match case {
        "equalise" => EqualiseWorld::default().into(),
        "gaussian" => Gaussian::default().into(),
        "median" => Median::default().into(),
        "occlusion" => Occlusion::default().into(),
        "thermal" => Thermal { iterations: 16, ..Default::default() }.into(),
        "hydraulic" => Hydraulic { iterations: 16, ..Default::default() }.into(),
        "gully" => Gully::default().into(),
        "colour" => Colour { map: Some(ColourMap::Viridis), ..Default::default() }.into(),
        "frequency" => Frequency { size: 256, ..Default::default() }.into(),
        "diamond_square" => DiamondSquare::default().into(),
        _ => return None,
    })
}

/// Recordings of one tile each, counted by `--toggle-collect='*Prepared::encode'`, which excludes the device and its driver.
fn encode(noise: &Noise, count: u32) -> Result<(), Box<dyn std::error::Error>> {
    let engine = Engine::open(&EngineOptions { backend: Backend::Gpu, ..Default::default() })?;
    let (device, queue) = engine.device().ok_or("no device")?;
    let texture = engine.texture(noise, &Region::plane(16, 16), &TextureOptions::default())?;
    let (target, noise) = (engine.target(&texture, &TargetOptions::default())?, engine.prepare(noise)?);
    for i in 0..count * 16 {
        let mut encoder = device.create_command_encoder(&Default::default());
        noise.encode(&mut encoder, &Region::tile(i64::from(i), 0, 16), &target)?;
        queue.submit([encoder.finish()]);
        device.poll(wgpu::PollType::wait_indefinitely())?;
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let (Some(case), Some(Ok(count))) = (args.next(), args.next().map(|count| count.parse::<u32>())) else {
        // `cargo bench` runs every bench without such arguments.
        eprintln!("instructions: run by scripts/instructions");
        return Ok(());
    };
    // One thread, because waiting threads would be counted, too.
    rayon::ThreadPoolBuilder::new().num_threads(1).build_global()?;
    let engine = Engine::open(&EngineOptions { backend: Backend::Cpu, ..Default::default() })?;
    if let Some(stage) = stage(&case) {
        let hills = Noise::perlin(Perlin { wavelength: 120.0, ..Default::default() }).fractal(Fractal::default()).scale_offset(40.0, 0.0);
        let field = engine.field(&hills, &Region::plane(256, 256))?;
        let mut pipeline = Pipeline::source(Given {}).then(stage);
        for i in 0..count {
            // An engine caches its squares.
            if pipeline.output == "frequency" {
                pipeline.set("frequency.seed", i)?;
            }
            std::hint::black_box(engine.apply(&pipeline, &[&pipeline.output], &field)?);
        }
        return Ok(());
    }
    let fbm = |noise: Noise| noise.fractal(Fractal { octaves: 8, ..Default::default() });
    // A wavelength other than the default.
    let (case, wavelength) = case.split_once('@').map_or((case.as_str(), None), |(case, other)| (case, Some(other)));
    let wavelength = wavelength.map(str::parse::<f64>).transpose()?;
    let (short, long) = (wavelength.unwrap_or(50.0), wavelength.unwrap_or(256.0));
    let simplex = |dimensions, seed| Noise::simplex(Simplex { dimensions, wavelength: long, seed: Some(seed), ..Default::default() });
    // With gradients, too.
    let (sloped, case) = (case.ends_with("-slope"), case.trim_end_matches("-slope"));
    let (noise, depth) = match case {
        "value-2d" => (Noise::value(Value { wavelength: short, ..Default::default() }), 1),
        "value-3d" => (Noise::value(Value { dimensions: 3, wavelength: short, ..Default::default() }), 8),
        "value-4d" => (Noise::value(Value { dimensions: 4, wavelength: short, ..Default::default() }), 1),
        "perlin-4d" => (Noise::perlin(Perlin { dimensions: 4, wavelength: short, ..Default::default() }), 1),
        "simplex-4d" => (simplex(4, 0), 1),
        "simplex-2d" => (simplex(2, 0), 1),
        "simplex-3d" => (simplex(3, 0), 8),
        "worley-2d" => (Noise::worley(Worley { wavelength: short, ..Default::default() }), 1),
        "worley-3d" => (Noise::worley(Worley { dimensions: 3, wavelength: short, ..Default::default() }), 8),
        "perlin-2d" => (Noise::perlin(Perlin { wavelength: short, ..Default::default() }), 1),
        "fbm-value-2d" => (fbm(Noise::value(Value { wavelength: long, ..Default::default() })), 1),
        "fbm-perlin-2d" => (fbm(Noise::perlin(Perlin { wavelength: long, ..Default::default() })), 1),
        "fbm-simplex-2d" => (fbm(simplex(2, 0)), 1),
        "fbm-perlin-2d-periodic" => (fbm(Noise::perlin(Perlin { wavelength: long, ..Default::default() })).periodic([1024.0; 3]), 1),
        "fbm-simplex-2d-periodic" => (fbm(simplex(2, 0)).periodic([1024.0; 3]), 1),
        "worley-2d-periodic" => (Noise::worley(Worley { wavelength: 64.0, ..Default::default() }).periodic([1024.0; 3]), 1),
        "warped-fbm-simplex-2d" => (fbm(simplex(2, 0)).warp([simplex(2, 1), simplex(2, 2), 0.0.into()], 100.0), 1),
        "hills-point" | "hills-near" | "hills-points" | "hills-encode" => {
            (simplex(2, 0).fractal(Fractal { octaves: 6, ..Default::default() }), 1)
        }
        "alps" | "alps-point" | "alps-near" | "alps-points" | "alps-encode" => {
            (Recipe::load(concat!(env!("CARGO_MANIFEST_DIR"), "/recipes/alps.toml"))?.noise()?, 1)
        }
        _ => return Err(format!("no case '{case}'").into()),
    };
    if case.ends_with("-encode") {
        return encode(&noise, count);
    }
    let noise = engine.prepare(&noise)?;
    if case.ends_with("-points") || case.ends_with("-near") {
        // Scattered, like objects in a world.
        let positions: Vec<[f64; 3]> = (0..65536).map(|i| [f64::from(i) * 377.7 % 1000.0, f64::from(i) * 12.9 % 1000.0, 0.0]).collect();
        let near: Vec<[f32; 3]> = positions.iter().map(|position| position.map(|x| x as f32)).collect();
        let mut values = vec![0.0; positions.len()];
        for _ in 0..count {
            if case.ends_with("-near") {
                std::hint::black_box(noise.sample_near([1e6, 0.0, 0.0], &near, Gradient::Without)?);
            } else {
                noise.sample_into(&positions, &mut values)?;
            }
        }
        return Ok(());
    }
    if case.ends_with("-point") {
        for i in 0..count * 256 {
            std::hint::black_box(noise.value([17.3 * f64::from(i), -f64::from(i), 0.0])?);
        }
        return Ok(());
    }
    // The recipe's lengths are metres, 16 to a sample of its bake.
    let spacing = if case == "alps" { 16.0 } else { 1.0 };
    let region = Region { size: [256, 256 / depth, depth], spacing, ..Region::plane(1, 1) };
    let mut values = vec![0.0; region.samples() as usize];
    let mut gradients = vec![[0.0; 3]; if sloped { values.len() } else { 0 }];
    for _ in 0..count {
        if sloped {
            noise.field_with_gradient_into(&region, &mut values, &mut gradients)?;
        } else {
            noise.field_into(&region, &mut values)?;
        }
    }
    Ok(())
}
