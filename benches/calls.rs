//! Calls as in a game: one point, lists of points, chunks. Measured alone, while another thread does the same, and during a heavy
//! call on another thread; also fastnoise-lite and noise-functions, if they have the call. Times are per call.
//!
//! - `cargo bench --bench calls` measures everything.
//! - `-- '/hills/'` selects cases by name.
//! - `-- drill` measures the latency of small calls in the worst case.
//!
//! `AVX2=1` before it limits the instruction set.
#![allow(missing_docs, reason = "criterion's macros generate undocumented functions")]
#![allow(clippy::expect_used, reason = "a bench that cannot run panics with the reason")]

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, criterion_group};
use fastnoise_lite::{FastNoiseLite, FractalType, NoiseType};
use noise_functions::Noise as _;
use orogen::lines::contours;
use orogen::node::{Fractal, Perlin, Simplex};
use orogen::scatter::Poisson;
use orogen::{Backend, Engine, EngineOptions, Gradient, Layer, Noise, Prepared, Recipe, Region, Threads};
use std::hint::black_box;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Cell size of the coarsest octave, in world units.
const WAVELENGTH: f64 = 300.0;
const MILLION: usize = 1_000_000;

fn engine(threads: Threads) -> Engine {
    let options = EngineOptions { backend: Backend::Cpu, threads, ..Default::default() };
    Engine::open(&options).expect("the CPU is always there")
}

/// Noise from the caller's side: values at points, and on a square that begins at a position.
trait Caller: Sync {
    fn points(&self, positions: &[[f64; 3]], values: &mut [f32]);
    fn square(&self, at: [i64; 2], edge: u32, values: &mut [f32]);
}

impl Caller for Prepared {
    fn points(&self, positions: &[[f64; 3]], values: &mut [f32]) {
        match (positions, &mut *values) {
            (&[position], [value]) => *value = self.value(position).expect("a value") as f32,
            _ => self.sample_into(positions, values).expect("values"),
        }
    }
    fn square(&self, [x, y]: [i64; 2], edge: u32, values: &mut [f32]) {
        self.field_into(&Region { origin: [x, y, 0], ..Region::plane(edge, edge) }, values).expect("values");
    }
}

/// A function of one position.
struct Function<F>(F);

impl<F: Fn(f32, f32) -> f32 + Sync> Caller for Function<F> {
    fn points(&self, positions: &[[f64; 3]], values: &mut [f32]) {
        for (value, [x, y, _]) in values.iter_mut().zip(positions) {
            *value = (self.0)(*x as f32, *y as f32);
        }
    }
    fn square(&self, at: [i64; 2], edge: u32, values: &mut [f32]) {
        for (y, row) in (at[1]..).zip(values.chunks_exact_mut(edge as usize)) {
            for (x, value) in (at[0]..).zip(row) {
                *value = (self.0)(x as f32, y as f32);
            }
        }
    }
}

fn hills() -> Noise {
    let simplex = Simplex { wavelength: WAVELENGTH, ..Default::default() };
    Noise::simplex(simplex).fractal(Fractal { octaves: 6, ..Default::default() })
}

fn alps() -> Noise {
    Recipe::load(concat!(env!("CARGO_MANIFEST_DIR"), "/recipes/alps.toml")).expect("a recipe of ours").noise().expect("a noise")
}

/// The measured noises: *hills* are six octaves of 2D simplex noise, with every library's own simplex.
fn callers(engine: &Engine) -> Vec<(&'static str, Box<dyn Caller>)> {
    let prepared = |noise: &Noise| Box::new(engine.prepare(noise).expect("a valid noise"));
    let perlin = Noise::perlin(Perlin { wavelength: WAVELENGTH, ..Default::default() });
    let mut lite = FastNoiseLite::new();
    lite.set_noise_type(Some(NoiseType::OpenSimplex2));
    lite.set_fractal_type(Some(FractalType::FBm));
    lite.set_fractal_octaves(Some(6));
    lite.set_frequency(Some(1.0 / WAVELENGTH as f32));
    let functions = noise_functions::Simplex.fbm(6, 0.5, 2.0).frequency(1.0 / WAVELENGTH as f32);
    vec![
        ("hills/orogen", prepared(&hills())),
        ("hills/fastnoise-lite", Box::new(Function(move |x, y| lite.get_noise_2d(x, y)))),
        ("hills/noise-functions", Box::new(Function(move |x, y| functions.sample2([x, y])))),
        ("perlin-8/orogen", prepared(&perlin.fractal(Fractal { octaves: 8, ..Default::default() }))),
        ("alps/orogen", prepared(&alps())),
    ]
}

/// Start positions of walks, and scattered positions around them, like objects in a world.
static STARTS: LazyLock<[(f64, Vec<[f64; 3]>); 2]> = LazyLock::new(|| {
    [0.0, 1e6].map(|at| {
        let position = |i: f64| [at + (i * 377.7) % 1000.0, (i * 12.9) % 1000.0 - at, 0.0];
        (at, (0..2 * MILLION).map(|i| position(i as f64)).collect())
    })
});

/// A walk over the world, and memory for the results of calls.
struct Walk {
    at: f64,
    positions: &'static [[f64; 3]],
    values: Vec<f32>,
}

impl Walk {
    fn from(start: usize) -> Self {
        let (at, positions) = &STARTS[start];
        Walk { at: *at, positions, values: vec![0.0; MILLION] }
    }

    /// Calls for a number of points, or for a square of samples.
    fn call(&mut self, caller: &dyn Caller, call: Call) {
        self.at += 17.3;
        match call {
            Call::Points(count) => {
                let first = (self.at * 64.0) as usize % MILLION;
                caller.points(&self.positions[first..first + count], &mut self.values[..count]);
            }
            Call::Square(edge) => caller.square([self.at as i64, -3], edge, &mut self.values[..(edge * edge) as usize]),
        }
        black_box(&mut self.values);
    }
}

#[derive(Clone, Copy)]
enum Call {
    Points(usize),
    Square(u32),
}

const CALLS: [(&str, Call); 6] = [
    ("1 point", Call::Points(1)),
    ("64 points", Call::Points(64)),
    ("1024 points", Call::Points(1024)),
    ("8²", Call::Square(8)),
    ("33²", Call::Square(33)),
    ("129²", Call::Square(129)),
];

/// The work of another thread in the meantime.
#[derive(Clone, Copy, PartialEq)]
enum Beside {
    Nothing,
    TheSame,
    /// A world, on an engine with its own single thread.
    Heavy,
}

fn small_calls(c: &mut Criterion) {
    let (engine, world) = (engine(Threads::Caller), engine(Threads::Own(1)).prepare(&alps()).expect("a valid noise"));
    for (group, beside) in [("alone", Beside::Nothing), ("two callers", Beside::TheSame), ("during a world", Beside::Heavy)] {
        let mut group = c.benchmark_group(group);
        group.sample_size(20).warm_up_time(Duration::from_millis(200)).measurement_time(Duration::from_millis(600));
        for (name, caller) in callers(&engine) {
            for (what, call) in CALLS {
                let stop = AtomicBool::new(false);
                std::thread::scope(|scope| {
                    scope.spawn(|| match beside {
                        Beside::Nothing => (),
                        Beside::TheSame => {
                            let mut walk = Walk::from(1);
                            while !stop.load(Ordering::Relaxed) {
                                walk.call(&*caller, call);
                            }
                        }
                        Beside::Heavy => {
                            while !stop.load(Ordering::Relaxed) {
                                black_box(world.field(&Region::plane(512, 512)).expect("a field"));
                            }
                        }
                    });
                    let mut walk = Walk::from(0);
                    group.bench_function(format!("{name}/{what}"), |b| b.iter(|| walk.call(&*caller, call)));
                    stop.store(true, Ordering::Relaxed);
                });
            }
        }
        group.finish();
    }
}

/// A million points on all threads; the other libraries use one.
fn many_points(c: &mut Criterion) {
    let engine = engine(Threads::Shared);
    let mut group = c.benchmark_group("a million points");
    group.sample_size(10).warm_up_time(Duration::from_millis(200)).measurement_time(Duration::from_secs(2));
    let mut walk = Walk::from(0);
    for (name, caller) in callers(&engine) {
        group.bench_function(name, |b| b.iter(|| walk.call(&*caller, Call::Points(MILLION))));
    }
    let near: Vec<[f32; 3]> = walk.positions[..MILLION].iter().map(|position| position.map(|x| x as f32)).collect();
    for (name, noise) in [("hills/orogen near an anchor", hills()), ("alps/orogen near an anchor", alps())] {
        let noise = engine.prepare(&noise).expect("a valid noise");
        group.bench_function(name, |b| b.iter(|| noise.sample_near([1e6, 0.0, 0.0], &near, Gradient::Without).expect("samples").len()));
    }
    group.finish();
}

/// Trees of a chunk, contours of a map.
fn places_and_lines(c: &mut Criterion) {
    let mut group = c.benchmark_group("places and lines");
    group.sample_size(20).warm_up_time(Duration::from_millis(200)).measurement_time(Duration::from_secs(1));
    let trees = Poisson { distance: 10.0, seed: 0, relax: 0 };
    for (name, edge) in [("points of 1 m²", 1.0), ("300 points", 202.0)] {
        let mut at = 0.0;
        group.bench_function(name, |b| {
            b.iter(|| {
                at += edge;
                trees.points([at, -at], [at + edge, edge - at]).expect("points").len()
            });
        });
    }
    let map = Layer::from(engine(Threads::Shared).field(&alps(), &Region::plane(512, 512)).expect("a field"));
    let [lo, hi] = map.extent().map(f64::from);
    let levels: Vec<f64> = (0..10).map(|i| lo + (hi - lo) * (f64::from(i) + 0.5) / 10.0).collect();
    group.bench_function("10 contours of 512²", |b| b.iter(|| contours(&map, &levels).expect("contours").len()));
    group.finish();
}

/// Latency of a chunk of 8² of *alps*: median, slowest of a hundred and slowest, in microseconds. Requests are some time apart,
/// as in frames.
fn drill() {
    let quantiles = |noise: &Prepared| {
        let mut values = vec![0.0; 64];
        let mut times: Vec<f64> = (0..2000)
            .map(|i| {
                std::thread::sleep(Duration::from_millis(1));
                let start = Instant::now();
                noise.field_into(&Region::tile(i, -i, 8), &mut values).expect("values");
                start.elapsed().as_secs_f64() * 1e6
            })
            .collect();
        times.sort_by(f64::total_cmp);
        [times[times.len() / 2], times[times.len() * 99 / 100], times[times.len() - 1]]
    };
    let game = engine(Threads::Caller).prepare(&alps()).expect("a valid noise");
    println!("\na chunk of 8² of alps every millisecond, microseconds: median, 99 of 100, slowest");
    println!("{:44} {:8.1?}", "idle", quantiles(&game));
    for (what, threads, edge) in [
        ("during chunks of 129², one thread", Threads::Own(1), 129),
        ("during fields of 2048², one thread", Threads::Own(1), 2048),
        ("during fields of 2048², all threads", Threads::Shared, 2048),
    ] {
        let (other, stop) = (engine(threads).prepare(&alps()).expect("a valid noise"), AtomicBool::new(false));
        std::thread::scope(|scope| {
            scope.spawn(|| {
                for x in (0..).take_while(|_| !stop.load(Ordering::Relaxed)) {
                    black_box(other.field(&Region::tile(x, 0, edge)).expect("a field"));
                }
            });
            println!("{what:44} {:8.1?}", quantiles(&game));
            stop.store(true, Ordering::Relaxed);
        });
    }
}

/// Three outputs of one graph: a call each, in one call, and as layers.
fn three_of_alps(group: &mut BenchmarkGroup<'_, WallTime>, name: &str, engine: &Engine) {
    let layers = Recipe::load(concat!(env!("CARGO_MANIFEST_DIR"), "/recipes/alps.toml")).expect("a recipe of ours").pipeline;
    let names: Vec<String> = layers.node.keys().rev().take(3).cloned().collect();
    let noises: Vec<Noise> = names.iter().map(|name| layers.noise_of(name).expect("a node")).collect();
    let alone: Vec<Prepared> = noises.iter().map(|noise| engine.prepare(noise).expect("a noise")).collect();
    let together = engine.prepare_several(&noises.iter().collect::<Vec<_>>()).expect("noises");
    for edge in [8, 33, 129] {
        let (region, samples) = (Region::plane(edge, edge), (edge * edge) as usize);
        let (mut values, mut all) = (vec![0.0; samples], vec![0.0; 3 * samples]);
        group.bench_function(format!("{name}, {edge}², a call each"), |b| {
            b.iter(|| alone.iter().for_each(|noise| noise.field_into(&region, &mut values).expect("values")));
        });
        group.bench_function(format!("{name}, {edge}², together"), |b| {
            b.iter(|| together.field_into(&region, &mut all).expect("values"));
        });
        group.bench_function(format!("{name}, {edge}², layers"), |b| {
            b.iter(|| engine.layers(&layers, &names, &region).expect("layers").len());
        });
    }
    let positions = &STARTS[0].1[..64];
    let (mut values, mut all) = (vec![0.0; 64], vec![0.0; 3 * 64]);
    group.bench_function(format!("{name}, 64 points, a call each"), |b| {
        b.iter(|| alone.iter().for_each(|noise| noise.sample_into(positions, &mut values).expect("values")));
    });
    group.bench_function(format!("{name}, 64 points, together"), |b| b.iter(|| together.sample_into(positions, &mut all).expect("values")));
}

/// Changing numbers, slopes, several noises at once, and time, each compared with the alternative.
fn prepared_calls(c: &mut Criterion) {
    let engine = engine(Threads::Caller);
    let mut group = c.benchmark_group("prepared");
    group.sample_size(20).warm_up_time(Duration::from_millis(200)).measurement_time(Duration::from_millis(600));
    let mut ground = engine.prepare(&alps()).expect("a valid noise");
    let numbers: Vec<(String, f64)> = {
        let graph = ground.noise().graph();
        let paths = graph.node.iter().flat_map(|(name, node)| node.info().params.iter().map(move |param| format!("{name}.{}", param.name)));
        let value = |path: String| match ground.noise().get(&path) {
            Ok(Some(orogen::Setting::Number(value))) => Some((path, value)),
            _ => None,
        };
        paths.filter_map(value).take(3).collect()
    };
    group.bench_function("alps, three numbers one by one", |b| {
        b.iter(|| numbers.iter().for_each(|(path, value)| ground.set(path, *value).expect("a number")));
    });
    group.bench_function("alps, three numbers together", |b| {
        b.iter(|| ground.set_all(numbers.iter().map(|(path, value)| (path, *value))).expect("numbers"));
    });
    let point = [17.5, -3.25, 0.0];
    group.bench_function("alps, value and gradient, sample", |b| {
        b.iter(|| ground.sample(&[point], Gradient::With).expect("a sample").len());
    });
    group.bench_function("alps, value and gradient", |b| b.iter(|| ground.value_with_gradient(point).expect("a value")));

    three_of_alps(&mut group, "three of alps", &engine);
    let device = Engine::open(&EngineOptions { backend: Backend::Gpu, ..Default::default() });
    match device {
        Ok(device) => three_of_alps(&mut group, "three of alps, GPU", &device),
        Err(error) => println!("not measured on a GPU: {error}"),
    }

    let clouds = Noise::simplex(Simplex { dimensions: 4, wavelength: WAVELENGTH, ..Default::default() });
    let mut clouds = engine.prepare(&clouds.fractal(Fractal { octaves: 4, ..Default::default() })).expect("a noise");
    let (region, mut chunk, mut w) = (Region::plane(33, 33), vec![0.0; 33 * 33], 0.0);
    group.bench_function("4D clouds, 33², the same time", |b| b.iter(|| clouds.field_into(&region, &mut chunk).expect("values")));
    group.bench_function("4D clouds, 33², another time, at", |b| {
        b.iter(|| {
            w += 0.01;
            clouds.at(w).field_into(&region, &mut chunk).expect("values");
        });
    });
    group.bench_function("4D clouds, 33², another time, set", |b| {
        b.iter(|| {
            w += 0.01;
            clouds.set("simplex.w", w).expect("a number");
            clouds.field_into(&region, &mut chunk).expect("values");
        });
    });
    group.bench_function("4D clouds, one point, another time, at", |b| {
        b.iter(|| {
            w += 0.01;
            clouds.at(w).value(point).expect("a value")
        });
    });
    group.finish();
}

criterion_group!(benches, prepared_calls, small_calls, many_points, places_and_lines);

fn main() {
    let asked: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    let measures = std::env::args().any(|arg| arg == "--bench");
    if std::env::var_os("AVX2").is_some() {
        orogen::testing::narrow();
    }
    if asked.iter().any(|arg| arg == "drill") {
        return drill();
    }
    benches();
    Criterion::default().configure_from_args().final_summary();
    if measures && asked.is_empty() {
        drill();
    }
}
