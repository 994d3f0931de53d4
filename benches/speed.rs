//! Speed: samples per second of every node and backend, and of whole bakes with the share of each step.
//!
//! `cargo bench` measures the CPU and, if there is one, the GPU (software adapters when OROGEN_ADAPTER names them).
//! Machines are noisy: compare figures of one run only.
#![allow(missing_docs, reason = "criterion's macros generate undocumented functions")]
#![allow(clippy::expect_used, clippy::panic, reason = "a bench that cannot run panics with the reason")]

#[path = "../tests/it/nodes.rs"]
mod nodes;

use criterion::{BatchSize, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use orogen::bake::folder::{BakeFolder, Disk, DiskEntry, SystemDisk, World, bake, bake_in};
use orogen::bake::manifest::{Product, RangeKind, RangeRecord};
use orogen::bake::plan::Plan;
use orogen::bake::{Format, Tiles};
use orogen::node::{Fractal, Hash, Perlin, Simplex, Value, Worley, WorleyOutput};
use orogen::stage::{
    AdjacentFilter, Colour, ColourMap, Curvature, DiamondSquare, Dropoff, EqualiseWorld, Frequency, Gaussian, Given, Gully, Hillshade,
    Hydraulic, Mask, Median, Midpoint, Normal, Normalise, Occlusion, Ocean, Pipeline, Slope, Stage, Thermal, Voss,
};
use orogen::{Backend, Engine, EngineOptions, Field, Noise, Recipe, Region};
use std::any::Any;
use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

fn engines() -> Vec<(&'static str, Engine)> {
    let open = |backend| Engine::open(&EngineOptions { backend, ..Default::default() });
    let mut all = vec![("cpu", open(Backend::Cpu).expect("the CPU is always there"))];
    match open(Backend::Auto) {
        Ok(engine) if engine.gpu().is_some() => all.push(("gpu", engine)),
        Ok(_) => eprintln!("no hardware GPU: only the CPU is measured (OROGEN_ADAPTER=llvmpipe measures a software adapter)"),
        Err(error) => eprintln!("no GPU: {error}"),
    }
    all
}

fn throughput(c: &mut Criterion) {
    let engines = engines();
    let mut group = c.benchmark_group("samples");
    group.sample_size(10).warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_millis(900));
    let simplex = |dimensions, hash| Noise::simplex(Simplex { dimensions, hash, wavelength: 50.0, ..Default::default() });
    let fbm = |noise: Noise| noise.fractal(Fractal { octaves: 8, ..Default::default() });
    let worley = |dimensions, weights: &[f64]| Worley { dimensions, weights: weights.into(), wavelength: 50.0, ..Default::default() };
    let mut cases = vec![
        ("simplex 2D".to_owned(), simplex(2, Hash::Integer)),
        ("simplex 3D".to_owned(), simplex(3, Hash::Integer)),
        ("simplex permutation289".to_owned(), simplex(3, Hash::Permutation289)),
        ("Perlin 2D".to_owned(), Noise::perlin(Perlin { wavelength: 50.0, ..Default::default() })),
        ("value 2D".to_owned(), Noise::value(Value { wavelength: 50.0, ..Default::default() })),
        ("Worley F1 2D".to_owned(), Noise::worley(worley(2, &[1.0]))),
        ("Worley F1 3D".to_owned(), Noise::worley(worley(3, &[1.0]))),
        ("Worley F2-F1 2D".to_owned(), Noise::worley(worley(2, &[-1.0, 1.0]))),
        ("Worley F4 2D".to_owned(), Noise::worley(worley(2, &[0.0, 0.0, 0.0, 1.0]))),
        ("Worley F4 3D".to_owned(), Noise::worley(worley(3, &[0.0, 0.0, 0.0, 1.0]))),
        ("Worley edge 2D".to_owned(), Noise::worley(Worley { output: WorleyOutput::Edge, ..worley(2, &[1.0]) })),
        ("FBM-8 Perlin 2D".to_owned(), fbm(Noise::perlin(Perlin { wavelength: 256.0, ..Default::default() }))),
        ("FBM-8 simplex 2D".to_owned(), fbm(simplex(2, Hash::Integer))),
        ("FBM-8 simplex 3D".to_owned(), fbm(simplex(3, Hash::Integer))),
        ("FBM-8 permutation289".to_owned(), fbm(simplex(3, Hash::Permutation289))),
    ];
    cases.extend(nodes::all().into_iter().map(|(name, noise)| (format!("node {name}"), noise)));
    let region = Region::plane(512, 512);
    group.throughput(Throughput::Elements(region.samples()));
    for (name, noise) in &cases {
        for (backend, engine) in &engines {
            group.bench_with_input(BenchmarkId::new(name, backend), noise, |b, noise| {
                b.iter(|| engine.field(noise, &region).expect("field"));
            });
            group.bench_with_input(BenchmarkId::new(format!("{name} with gradient"), backend), noise, |b, noise| {
                b.iter(|| engine.field_with_gradient(noise, &region).expect("field"));
            });
        }
    }
    group.finish();
}

fn bakes(c: &mut Criterion) {
    let recipe = Recipe::load(concat!(env!("CARGO_MANIFEST_DIR"), "/recipes/alps.toml")).expect("the recipe");
    let range = recipe.noise().expect("a noise").range().expect("range");
    let (pipeline, layer) = (recipe.pipeline.clone(), recipe.pipeline.output);
    let range = RangeRecord { lo: range.lo, hi: range.hi, kind: RangeKind::Proven };
    let plan = Plan { tile: 512, tiles: Tiles { x: 0..4, y: 0..4 }, overlap: 0, level: 0, spacing: recipe.bake.spacing, z: 0.0 };
    let out = std::env::temp_dir().join(format!("orogen-bench-{}", std::process::id()));
    let mut group = c.benchmark_group("bake 16 tiles of 512²");
    group.sample_size(10).throughput(Throughput::Elements(16 * 512 * 512));
    for (backend, engine) in engines() {
        for format in [Format::Png16, Format::R32] {
            let anew = || drop(std::fs::remove_dir_all(&out));
            let once = || {
                let product = Product { layer: layer.clone(), format, range: Some(range) };
                bake(&engine, &World::new(&pipeline, &plan, &[product]), &out, &()).expect("bake")
            };
            anew();
            let report = once();
            let wall = report.wall.as_secs_f64();
            let share = |d: Duration, workers: usize| 100.0 * d.as_secs_f64() / (wall * workers as f64);
            eprintln!(
                "{backend} {format:?}: {wall:.3} s; evaluating {:.0} %, encoding {:.0} %, writing {:.0} % (of {} encoders)",
                share(report.evaluate, 1),
                share(report.encode, report.encoders),
                share(report.write, report.encoders),
                report.encoders
            );
            group.bench_function(BenchmarkId::new(format!("{format:?}"), backend), |b| {
                b.iter_batched(anew, |()| once(), BatchSize::PerIteration);
            });
        }
    }
    group.finish();
    let _ = std::fs::remove_dir_all(&out);
}

/// Stages on an existing field: samples per second of the passes alone.
fn stages(c: &mut Criterion) {
    let engines = engines();
    let mut group = c.benchmark_group("stages 512²");
    group.sample_size(10).warm_up_time(Duration::from_millis(200)).measurement_time(Duration::from_millis(900));
    let region = Region::plane(512, 512);
    group.throughput(Throughput::Elements(region.samples()));
    let field = field(&region);
    for (name, pipeline) in staged() {
        for (backend, engine) in &engines {
            group.bench_with_input(BenchmarkId::new(&name, backend), &pipeline, |b, pipeline| {
                let (mut pipeline, mut seed) = (pipeline.clone(), 0_u32);
                b.iter(|| {
                    // An engine caches its squares.
                    if pipeline.output == "frequency" {
                        seed += 1;
                        pipeline.set("frequency.seed", seed).expect("a seed");
                    }
                    engine.apply(&pipeline, &[&pipeline.output], &field).expect("layers")
                });
            });
        }
    }
    group.finish();
    let mut group = c.benchmark_group("hydraulic erosion of 1024², 200 iterations");
    group.sample_size(10).measurement_time(Duration::from_secs(1));
    let region = Region::plane(1024, 1024);
    group.throughput(Throughput::Elements(region.samples() * 200));
    let field = self::field(&region);
    let pipeline = Pipeline::source(Given {}).then(Hydraulic::default());
    for (backend, engine) in &engines {
        group.bench_function(*backend, |b| b.iter(|| engine.apply(&pipeline, &[&pipeline.output], &field).expect("layers")));
    }
    group.finish();
}

/// Hills.
fn field(region: &Region) -> Field {
    let noise = Noise::perlin(Perlin { wavelength: 120.0, ..Default::default() }).fractal(Fractal::default()).scale_offset(40.0, 0.0);
    let cpu = Engine::open(&EngineOptions { backend: Backend::Cpu, ..Default::default() }).expect("the CPU is always there");
    cpu.field(&noise, region).expect("field")
}

/// One pipeline of every kind of stage.
fn staged() -> Vec<(String, Pipeline)> {
    let all: Vec<Stage> = vec![
        Normalise::default().into(),
        EqualiseWorld::default().into(),
        Ocean::default().into(),
        Dropoff::default().into(),
        Mask::default().into(),
        AdjacentFilter::default().into(),
        Gaussian::default().into(),
        Median::default().into(),
        Slope::default().into(),
        Curvature::default().into(),
        Normal::default().into(),
        Occlusion::default().into(),
        Hillshade::default().into(),
        Thermal::default().into(),
        Gully::default().into(),
        Colour { map: Some(ColourMap::Viridis), ..Default::default() }.into(),
        Frequency::default().into(),
        DiamondSquare::default().into(),
        Midpoint::default().into(),
        Voss::default().into(),
    ];
    all.into_iter().map(|stage| (stage.info().kind.to_owned(), Pipeline::source(Given {}).then(stage))).collect()
}

/// Files without syncing, which shows the cost of crash safety.
struct Unsynced;

impl Disk for Unsynced {
    fn look(&self, path: &Path) -> std::io::Result<DiskEntry> {
        SystemDisk.look(path)
    }

    fn names(&self, folder: &Path) -> std::io::Result<Vec<OsString>> {
        SystemDisk.names(folder)
    }

    fn read(&self, path: &Path) -> std::io::Result<Vec<u8>> {
        SystemDisk.read(path)
    }

    fn make_folder(&self, folder: &Path) -> std::io::Result<()> {
        SystemDisk.make_folder(folder)
    }

    fn write_new(&self, path: &Path, bytes: &[u8]) -> std::io::Result<()> {
        SystemDisk.write_new(path, bytes)
    }

    fn append(&self, path: &Path, bytes: &[u8]) -> std::io::Result<()> {
        std::fs::File::options().append(true).open(path)?.write_all(bytes)
    }

    fn rename(&self, from: &Path, to: &Path) -> std::io::Result<()> {
        SystemDisk.rename(from, to)
    }

    fn rename_new(&self, from: &Path, to: &Path) -> std::io::Result<()> {
        SystemDisk.rename_new(from, to)
    }

    fn remove(&self, path: &Path) -> std::io::Result<()> {
        SystemDisk.remove(path)
    }

    fn sync(&self, _: &Path, _: &[PathBuf]) -> std::io::Result<()> {
        Ok(())
    }

    fn lock(&self, path: &Path) -> std::io::Result<Option<Box<dyn Any + Send + Sync>>> {
        SystemDisk.lock(path)
    }
}

/// The cost of surviving a power failure, for many small tiles, where it is highest.
fn safety(c: &mut Criterion) {
    let noise = Noise::simplex(Simplex { wavelength: 40.0, ..Default::default() }).fractal(Fractal { octaves: 6, ..Default::default() });
    let pipeline = Pipeline::from(noise.named("n"));
    let plan = Plan { tile: 64, tiles: Tiles { x: 0..64, y: 0..64 }, overlap: 0, level: 0, spacing: 1.0, z: 0.0 };
    let range = Some(RangeRecord { lo: -1.5, hi: 1.5, kind: RangeKind::Declared });
    let product = [Product { layer: "n".into(), format: Format::Png16, range }];
    let engine = Engine::open(&EngineOptions { backend: Backend::Cpu, ..Default::default() }).expect("the CPU is always there");
    let out = std::env::temp_dir().join(format!("orogen-bench-{}", std::process::id()));
    let mut group = c.benchmark_group("bake 4096 tiles of 64²");
    group.sample_size(10).throughput(Throughput::Elements(4096));
    let disks: [(&str, Arc<dyn Disk>); 2] = [("safe", Arc::new(SystemDisk)), ("never synced", Arc::new(Unsynced))];
    for (name, disk) in disks {
        let once = || {
            let place = BakeFolder::on(disk.clone(), &out).expect("a folder");
            bake_in(&engine, &World { overview: false, ..World::new(&pipeline, &plan, &product) }, &place, &()).expect("bake")
        };
        let clean = || {
            let _ = std::fs::remove_dir_all(&out);
            let _ = std::process::Command::new("sync").status();
        };
        group.bench_function(name, |b| b.iter_batched(clean, |()| once(), BatchSize::PerIteration));
    }
    let _ = std::fs::remove_dir_all(&out);
}

criterion_group!(benches, throughput, stages, bakes, safety);
criterion_main!(benches);
