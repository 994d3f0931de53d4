//! Small calls, as a game makes them: one point, 64 points, a chunk of 33². On one thread alone, and while another thread does the same.
//!
//! `cargo bench --bench calls`. Times are per call.
#![allow(missing_docs, reason = "criterion's macros generate undocumented functions")]
#![allow(clippy::expect_used, reason = "a bench that cannot run says why and ends")]

use criterion::{Criterion, criterion_group, criterion_main};
use orogen::node::{Fractal, Perlin, Simplex};
use orogen::{Backend, Engine, EngineOptions, Noise, Prepared, Recipe, Region};
use std::hint::black_box;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

fn noises() -> Vec<(&'static str, Noise)> {
    let fbm = |noise: Noise, octaves| noise.fractal(Fractal { octaves, ..Default::default() });
    let simplex = || Noise::simplex(Simplex { wavelength: 300.0, ..Default::default() });
    let perlin = Noise::perlin(Perlin { wavelength: 300.0, ..Default::default() });
    let alps = Recipe::load(concat!(env!("CARGO_MANIFEST_DIR"), "/recipes/alps.toml")).expect("a recipe of ours").noise().expect("a noise");
    vec![("FBM-8 Perlin 2D", fbm(perlin, 8)), ("FBM-8 simplex 2D", fbm(simplex(), 8)), ("hills", fbm(simplex(), 6)), ("alps", alps)]
}

/// Calls of one noise: what it is called for, and the call.
type Call = (&'static str, fn(&Prepared, &mut State));

/// What calls write into, and where they have come.
struct State {
    at: f64,
    values: Vec<f32>,
}

const CALLS: [Call; 3] = [
    ("one point", |noise, state| {
        state.at += 17.3;
        black_box(noise.value([state.at, -state.at, 0.0]).expect("a value"));
    }),
    ("64 points", |noise, state| {
        state.at += 17.3;
        let positions: [[f64; 3]; 64] = std::array::from_fn(|i| [state.at + i as f64, state.at - i as f64, 0.0]);
        noise.sample_into(&positions, &mut state.values[..64]).expect("values");
    }),
    ("33²", |noise, state| {
        state.at += 1.0;
        noise.field_into(&Region::tile(state.at as i64, 3, 33), &mut state.values[..33 * 33]).expect("values");
    }),
];

fn calls(c: &mut Criterion) {
    let engine = Engine::open(&EngineOptions { backend: Backend::Cpu, ..Default::default() }).expect("the CPU is always there");
    for beside in [false, true] {
        let mut group = c.benchmark_group(if beside { "beside another thread" } else { "alone" });
        group.sample_size(20).warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_millis(800));
        for (name, noise) in noises() {
            let noise = engine.prepare(&noise).expect("a valid noise");
            for (what, call) in CALLS {
                let stop = AtomicBool::new(!beside);
                std::thread::scope(|scope| {
                    scope.spawn(|| {
                        let mut state = State { at: 1e6, values: vec![0.0; 33 * 33] };
                        while !stop.load(Ordering::Relaxed) {
                            call(&noise, &mut state);
                        }
                    });
                    let mut state = State { at: 0.0, values: vec![0.0; 33 * 33] };
                    group.bench_function(format!("{name}, {what}"), |b| b.iter(|| call(&noise, &mut state)));
                    stop.store(true, Ordering::Relaxed);
                });
            }
        }
        group.finish();
    }
}

criterion_group!(benches, calls);
criterion_main!(benches);
