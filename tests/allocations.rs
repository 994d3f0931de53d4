//! What a game calls every frame allocates nothing. A binary of its own, since an allocator counts for all of it, and without the test
//! harness. The caller's thread alone is counted, on which these calls stay: threads that start or look for work allocate, too, now and then
//! while a call is made.
#![allow(clippy::expect_used, reason = "a test that panics has failed, and says where")]

use orogen::node::{Fractal, Hill, Perlin, Simplex};
use orogen::{Backend, Engine, EngineOptions, Noise, Prepared, Recipe, Region};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// The system's allocator, counting.
struct Counting;

thread_local! {
    /// Of this thread. Nothing has to be made or dropped for it, so an allocator may use it at any time.
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: every call is handed to the system's allocator as it is; counting does not touch memory.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
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

/// Allocations of a call, after it has been made three times.
fn allocations(mut call: impl FnMut()) -> usize {
    (0..3).for_each(|_| call());
    let before = ALLOCATIONS.get();
    call();
    ALLOCATIONS.get() - before
}

fn main() {
    assert_eq!(allocations(|| drop(std::hint::black_box(vec![0u8; 9]))), 1, "what allocates is found");
    calls_of_a_prepared_noise_allocate_nothing();
    println!("test calls_of_a_prepared_noise_allocate_nothing ... ok");
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
        assert_eq!([one, points, field, jets], [0; 4], "{name}: one point, 64 points, a chunk, a chunk with gradients");
    }
}
