//! The time to trace water over a world, on the CPU and on a GPU: passes, both joins, flow and planes. Heights are one octave of value
//! noise, which takes a small part of it.
//!
//! `OROGEN_ADAPTER` names an adapter. One thread; a world of four squares.

#![allow(missing_docs, reason = "criterion's macros generate undocumented functions")]
#![allow(clippy::expect_used, reason = "a bench that cannot run panics with the reason")]

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use orogen::node::Value;
use orogen::stage::{Drainage, Pipeline};
use orogen::{Backend, Engine, EngineOptions, Noise, Region, Threads, Water};

fn water(c: &mut Criterion) {
    let world = Region::plane(1024, 1024);
    let mut group = c.benchmark_group("water over 1024²");
    group.sample_size(10).throughput(Throughput::Elements(world.samples()));
    for (name, backend, water) in
        [("cpu", Backend::Cpu, Water::Cpu), ("heights on a gpu", Backend::Gpu, Water::Cpu), ("gpu", Backend::Gpu, Water::Gpu)]
    {
        let open = || Engine::open(&EngineOptions { backend, water, threads: Threads::Caller, ..Default::default() });
        let engine = match open() {
            Ok(engine) => engine,
            Err(error) => {
                eprintln!("{name}: {error}");
                continue;
            }
        };
        let hills = Noise::value(Value { wavelength: 24.0, ..Default::default() });
        // Kernels are compiled before.
        let trace = |seed: u64| {
            let drainage = Drainage { seed, ..Default::default() };
            let pipeline = Pipeline::from(hills.clone().named("hills")).named("rivers", drainage);
            engine.layers(&pipeline, &["rivers.area"], &world).expect("layers")
        };
        trace(0);
        let mut seed = 0;
        group.bench_function(BenchmarkId::from_parameter(name), |b| {
            b.iter(|| {
                // An engine keeps the squares of a world.
                seed += 1;
                trace(seed)
            });
        });
    }
    group.finish();
}

criterion_group!(benches, water);
criterion_main!(benches);
