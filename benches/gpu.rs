//! The costs of a GPU: the host's time to record a dispatch, and that of exact arithmetic compared with fast.
//!
//! `cargo bench --bench gpu` uses the best adapter, including software adapters, and prints its name. Kernel times of a software
//! adapter do not represent a GPU; the host's time does.
#![allow(missing_docs, reason = "criterion's macros generate undocumented functions")]
#![allow(clippy::expect_used, clippy::panic, reason = "a bench that cannot run panics with the reason")]

#[path = "../tests/it/ten.rs"]
mod ten;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use orogen::node::{Fractal, Hill, Simplex, Uniform};
use orogen::texture::{Content, TargetOptions, TextureOptions};
use orogen::wgpu::{self, TextureFormat};
use orogen::{Arithmetic, Backend, Engine, EngineError, EngineOptions, Noise, Recipe, Region};
use std::path::Path;
use std::time::{Duration, Instant};

fn open(arithmetic: Option<Arithmetic>) -> Result<Engine, EngineError> {
    Engine::open(&EngineOptions { backend: Backend::Gpu, arithmetic, ..Default::default() })
}

/// Tiles recorded per frame.
const TILES: i64 = 16;

/// The host's time for a frame: the duration of `encode` without the device's work.
fn host(c: &mut Criterion) {
    let engine = match open(None) {
        Ok(engine) => engine,
        Err(error) => return eprintln!("{error}"),
    };
    println!("host times with {}", engine.describe().adapter);
    let (device, queue) = engine.device().expect("a GPU engine");
    let region = Region::plane(16, 16);
    let alps = Recipe::load(Path::new(env!("CARGO_MANIFEST_DIR")).join("recipes/alps.toml")).expect("the recipe");
    let simplex = Noise::simplex(Simplex { wavelength: 50.0, ..Default::default() });
    let exact = |sines| Noise::hill(Hill { sines, uniform: Uniform::Exact, ..Default::default() });
    let mut group = c.benchmark_group("host");
    for (name, mut noise, changes) in [
        ("ten nodes, every number changed", ten::nodes(), true),
        ("alps", alps.noise().expect("a noise"), false),
        ("hills", simplex.fractal(Fractal { octaves: 6, ..Default::default() }), false),
        ("exact hill of 1 sine", exact(1), false),
        ("exact hill of 30 sines", exact(30), false),
    ] {
        let texture = engine.texture(&noise, &region, &TextureOptions::default()).expect("texture");
        let target = engine.target(&texture, &TargetOptions::default()).expect("target");
        let prepared = engine.prepare(&noise).expect("a valid noise");
        // The host's time for one dispatch, without the device's.
        let mut frame = 0;
        let mut timed = |encode: &mut dyn FnMut(&mut wgpu::CommandEncoder, &Region, i64) -> Duration| {
            frame += 1;
            let region = Region { origin: [frame, 0, 0], ..region };
            let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
            let spent = encode(&mut encoder, &region, frame);
            queue.submit([encoder.finish()]);
            device.poll(wgpu::PollType::wait_indefinitely()).expect("the device goes on");
            spent
        };
        if !changes {
            let mut encode = |encoder: &mut wgpu::CommandEncoder, region: &Region, _| {
                let start = Instant::now();
                prepared.encode(encoder, region, &target).expect("encode");
                start.elapsed()
            };
            group.bench_function(format!("encode prepared, {name}"), |b| b.iter_custom(|n| (0..n).map(|_| timed(&mut encode)).sum()));
            // The cost of each if a frame records several.
            let mut encode = |encoder: &mut wgpu::CommandEncoder, region: &Region, _| {
                let start = Instant::now();
                for column in 0..TILES {
                    let tile = Region { origin: [column * 16, region.origin[0], 0], ..*region };
                    prepared.encode(encoder, &tile, &target).expect("encode");
                }
                start.elapsed() / TILES as u32
            };
            let name = format!("encode prepared, {name}, each of {TILES} in a frame");
            group.bench_function(name, |b| b.iter_custom(|n| (0..n).map(|_| timed(&mut encode)).sum()));
        }
        let mut encode = |encoder: &mut wgpu::CommandEncoder, region: &Region, frame: i64| {
            if changes {
                ten::change(&mut noise, if frame % 2 == 0 { 0.001 } else { -0.001 });
            }
            let start = Instant::now();
            engine.encode(encoder, &noise, region, &target).expect("encode");
            start.elapsed()
        };
        group.bench_function(format!("encode, {name}"), |b| b.iter_custom(|n| (0..n).map(|_| timed(&mut encode)).sum()));
    }
    group.finish();
}

/// The same texture in exact and in fast arithmetic.
fn exactness(c: &mut Criterion) {
    let engines = [("exact", open(Some(Arithmetic::Exact))), ("fast", open(Some(Arithmetic::Fast)))];
    let simplex = Noise::simplex(Simplex { wavelength: 50.0, ..Default::default() });
    let region = Region::plane(256, 256);
    let mut group = c.benchmark_group("texture 256²");
    group.sample_size(10).warm_up_time(Duration::from_millis(500)).measurement_time(Duration::from_secs(2));
    group.throughput(Throughput::Elements(region.samples()));
    for (name, noise) in [
        ("simplex", simplex.clone()),
        ("8 octaves", simplex.fractal(Fractal { octaves: 8, ..Default::default() })),
        ("ten nodes", ten::nodes()),
    ] {
        for (arithmetic, engine) in &engines {
            let engine = match engine {
                Ok(engine) => engine,
                Err(error) => {
                    eprintln!("{arithmetic}: {error}");
                    continue;
                }
            };
            for (kind, format, content) in
                [("values", TextureFormat::R32Float, Content::Value), ("jets", TextureFormat::Rgba32Float, Content::Jet)]
            {
                let options = TextureOptions { format, encoding: content.into(), ..Default::default() };
                let texture = engine.texture(&noise, &region, &options).expect("texture");
                let target = engine.target(&texture, &TargetOptions { encoding: content.into(), ..Default::default() }).expect("target");
                let (device, _) = engine.device().expect("a GPU engine");
                group.bench_function(format!("{name} {kind} {arithmetic}"), |b| {
                    b.iter(|| {
                        engine.generate(&noise, &region, &target).expect("generate");
                        device.poll(wgpu::PollType::wait_indefinitely()).expect("the device goes on");
                    });
                });
            }
        }
    }
    group.finish();
}

criterion_group!(benches, host, exactness);
criterion_main!(benches);
