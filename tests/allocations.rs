//! What a game calls every frame allocates nothing. A binary of its own, since an allocator counts for all of it, and without the test
//! harness. Threads that start or look for work allocate, too, now and then while a call is made; what a call makes others do, it makes them do
//! every time.
#![allow(clippy::expect_used, reason = "a test that panics has failed, and says where")]

use orogen::mesh::{Mesh, Surfaces, chunk};
use orogen::node::{Fractal, Hill, Perlin, Simplex, White};
use orogen::{Backend, Engine, EngineOptions, Field, Noise, Prepared, Recipe, Region, Threads};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::Barrier;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The system's allocator, counting.
struct Counting;

/// Of all threads.
static ALL: AtomicUsize = AtomicUsize::new(0);
thread_local! {
    /// Of this thread. Nothing has to be made or dropped for it, so an allocator may use it at any time.
    static OWN: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: every call is handed to the system's allocator as it is; counting does not touch memory.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALL.fetch_add(1, Ordering::Relaxed);
        OWN.set(OWN.get() + 1);
        // SAFETY: as our caller promises.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as our caller promises; the pointer came from the system's allocator.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// Calls before any is counted, and those that are.
const WARM: usize = 3;
const CALLS: usize = 10;

/// Allocations of a call that is warm: the most on its own thread, or the fewest on all of them if that is more.
fn allocations(mut call: impl FnMut()) -> usize {
    (0..WARM).for_each(|_| call());
    let counts = [(); CALLS].map(|()| {
        let before = (OWN.get(), ALL.load(Ordering::Relaxed));
        call();
        (OWN.get() - before.0, ALL.load(Ordering::Relaxed) - before.1)
    });
    let (most, fewest) = counts.iter().fold((0, usize::MAX), |(most, fewest), &(own, all)| (most.max(own), fewest.min(all)));
    most.max(fewest)
}

fn main() {
    assert_eq!(allocations(|| drop(std::hint::black_box(vec![0u8; 9]))), 1, "what allocates is found");
    let (begin, end) = (Barrier::new(2), Barrier::new(2));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for _ in 0..WARM + CALLS {
                begin.wait();
                drop(std::hint::black_box(vec![0u8; 9]));
                end.wait();
            }
        });
        let elsewhere = allocations(|| {
            begin.wait();
            end.wait();
        });
        assert_eq!(elsewhere, 1, "what is allocated on another thread is found");
    });
    calls_of_a_prepared_noise_allocate_nothing();
    println!("test calls_of_a_prepared_noise_allocate_nothing ... ok");
    surfaces_allocate_nothing();
    println!("test surfaces_allocate_nothing ... ok");
}

fn calls_of_a_prepared_noise_allocate_nothing() {
    let engine = Engine::open(&EngineOptions { backend: Backend::Cpu, ..Default::default() }).expect("the CPU is always there");
    let fbm = |noise: Noise| noise.fractal(Fractal { octaves: 8, ..Default::default() });
    let alps = Recipe::load(concat!(env!("CARGO_MANIFEST_DIR"), "/recipes/alps.toml")).expect("a recipe of ours");
    let noises = [
        ("FBM of simplex", fbm(Noise::simplex(Simplex { wavelength: 200.0, ..Default::default() }))),
        ("FBM of Perlin", fbm(Noise::perlin(Perlin { wavelength: 200.0, ..Default::default() }))),
        ("hill", Noise::hill(Hill::default())),
        ("alps", alps.noise().expect("a noise")),
    ];
    for (name, noise) in noises {
        let noise: Prepared = engine.prepare(&noise).expect("a valid noise");
        let positions: Vec<[f64; 3]> = (0..64).map(|i| [f64::from(i) * 3.7, -f64::from(i), 0.5]).collect();
        let mut values = vec![0.0; 64];
        let one = allocations(|| assert!(noise.value([1e6, -3.5, 0.0]).is_ok()));
        let points = allocations(|| noise.sample_into(&positions, &mut values).expect("values"));
        // As large as what stays on the caller's thread.
        let (region, mut chunk, mut gradients) = (Region::tile(-3, 7, 17), vec![0.0; 289], vec![[0.0; 3]; 289]);
        let field = allocations(|| noise.field_into(&region, &mut chunk).expect("values"));
        let jets = allocations(|| noise.field_with_gradient_into(&region, &mut chunk, &mut gradients).expect("values"));
        let slopes = allocations(|| noise.sample_with_gradient_into(&positions, &mut values, &mut gradients[..64]).expect("values"));
        let normals = allocations(|| gradients.iter_mut().for_each(|gradient| *gradient = Field::normal(*gradient, 10.0)));
        assert_eq!([one, points, field, jets], [0; 4], "{name}: one point, 64 points, a chunk, a chunk with gradients");
        assert_eq!([slopes, normals], [0; 2], "{name}: 64 points with gradients, normals");
    }
}

fn surfaces_allocate_nothing() {
    let options = EngineOptions { backend: Backend::Cpu, threads: Threads::Caller, ..Default::default() };
    let engine = Engine::open(&options).expect("the CPU is always there");
    // So rough that cells are cut in most ways there are, and so small that it is evaluated on the caller's thread.
    let white = engine.prepare(&Noise::white(White { dimensions: 3, wavelength: 1.0, ..Default::default() })).expect("a valid noise");
    let (mut surfaces, mut mesh, region) = (Surfaces::new(), Mesh::default(), chunk([5, -2, 9], 4));
    let noise = allocations(|| surfaces.of(&white, &region, 0.0, &mut mesh).expect("a surface"));
    assert!(mesh.triangles.len() > 150, "{} triangles", mesh.triangles.len());
    let densities = white.field(&region).expect("densities").values;
    let samples = allocations(|| surfaces.of_samples(&densities, &region, 0.0, &mut mesh).expect("a surface"));
    assert_eq!([noise, samples], [0; 2], "a surface of a noise, one of samples");
}
