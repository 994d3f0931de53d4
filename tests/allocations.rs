//! Calls that a game makes every frame allocate nothing. This is a separate binary without the test harness, since an allocator
//! counts for the whole process. Threads that start or look for work also allocate at times during a call. Allocations that a call
//! itself causes on other threads happen every time.
#![allow(clippy::expect_used, reason = "a test that panics has failed, with its location")]

use orogen::mesh::{Mesh, Surfaces, chunk};
use orogen::node::{Fractal, Hill, Perlin, Simplex, White};
use orogen::texture::TargetOptions;
use orogen::{Backend, Engine, EngineOptions, Field, Noise, Prepared, Recipe, Region, Threads, wgpu};
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
    assert_eq!(allocations(|| drop(std::hint::black_box(vec![0u8; 9]))), 1, "an allocation is found");
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
        assert_eq!(elsewhere, 1, "an allocation on another thread is found");
    });
    calls_of_a_prepared_noise_allocate_nothing();
    println!("test calls_of_a_prepared_noise_allocate_nothing ... ok");
    surfaces_allocate_nothing();
    println!("test surfaces_allocate_nothing ... ok");
    a_fourth_coordinate_allocates_nothing();
    println!("test a_fourth_coordinate_allocates_nothing ... ok");
    noises_together_allocate_nothing();
    println!("test noises_together_allocate_nothing ... ok");
    changes_together_are_lowered_once();
    println!("test changes_together_are_lowered_once ... ok");
    if cfg!(skip_gpu) {
        println!("test recording_a_prepared_noise_allocates_little ... ignored, needs a GPU");
    } else {
        recording_a_prepared_noise_allocates_little();
        println!("test recording_a_prepared_noise_allocates_little ... ok");
    }
}

fn cpu() -> Engine {
    Engine::open(&EngineOptions { backend: Backend::Cpu, ..Default::default() }).expect("the CPU is always there")
}

/// Another coordinate in every call.
fn a_fourth_coordinate_allocates_nothing() {
    let simplex = Noise::simplex(Simplex { dimensions: 4, ..Default::default() });
    let perlin = Noise::perlin(Perlin { dimensions: 4, wavelength: 30.0, w: 2.0, ..Default::default() });
    let noise = simplex.fractal(Fractal { octaves: 4, ..Default::default() }).add(perlin);
    let noise = cpu().prepare(&noise).expect("a valid noise");
    let positions: Vec<[f64; 3]> = (0..64).map(|i| [f64::from(i) * 3.7, -f64::from(i), 0.5]).collect();
    let (mut values, mut slopes) = (vec![0.0; 64], vec![[0.0; 3]; 64]);
    let own: Vec<[f64; 4]> = (0..64).map(|i| [f64::from(i), 3.0, 0.5, f64::from(i / 5)]).collect();
    let (region, mut chunk, mut gradients) = (Region::tile(-3, 7, 9), vec![0.0; 81], vec![[0.0; 3]; 81]);
    let mut w = 0.0;
    let mut now = || {
        w += 0.125;
        noise.at(w)
    };
    let counts = [
        allocations(|| assert!(now().value([1e6, -3.5, 0.0]).is_ok())),
        allocations(|| assert!(now().value_with_gradient([1e6, -3.5, 0.0]).is_ok())),
        allocations(|| now().sample_into(&positions, &mut values).expect("values")),
        allocations(|| now().sample_with_gradient_into(&positions, &mut values, &mut slopes).expect("values")),
        allocations(|| noise.sample_4d_into(&own, &mut values).expect("values")),
        allocations(|| now().field_into(&region, &mut chunk).expect("values")),
        allocations(|| now().field_with_gradient_into(&region, &mut chunk, &mut gradients).expect("values")),
    ];
    assert_eq!(counts, [0; 7], "one point, with gradient, 64 points, with gradients, with a coordinate each, a chunk, with gradients");
}

fn noises_together_allocate_nothing() {
    let hills = Noise::simplex(Simplex::default()).fractal(Fractal::default());
    let (high, snow) = (hills.clone().scale_offset(9.0, 0.0), hills.clone().smoothstep(0.0, 0.5));
    let noises = cpu().prepare_several(&[&hills, &high, &snow]).expect("valid noises");
    let positions: Vec<[f64; 3]> = (0..64).map(|i| [f64::from(i) * 3.7, -f64::from(i), 0.5]).collect();
    let (mut values, mut chunk) = (vec![0.0; 3 * 64], vec![0.0; 3 * 289]);
    let points = allocations(|| noises.sample_into(&positions, &mut values).expect("values"));
    let field = allocations(|| noises.field_into(&Region::tile(-3, 7, 17), &mut chunk).expect("values"));
    assert_eq!([points, field], [0; 2], "64 points, a chunk");
}

/// Lowering is most of what a change allocates.
fn changes_together_are_lowered_once() {
    let alps = Recipe::load(concat!(env!("CARGO_MANIFEST_DIR"), "/recipes/alps.toml")).expect("a recipe of ours");
    let mut noise = cpu().prepare(&alps.noise().expect("a noise")).expect("a valid noise");
    let number = |value: &orogen::Setting| matches!(value, orogen::Setting::Number(_));
    let paths: Vec<(String, orogen::Setting)> = noise
        .noise()
        .graph()
        .node
        .iter()
        .flat_map(|(name, node)| node.info().params.iter().map(move |param| format!("{name}.{}", param.name)))
        .filter_map(|path| noise.noise().get(&path).ok().flatten().filter(number).map(|value| (path, value)))
        .take(8)
        .collect();
    assert_eq!(paths.len(), 8);
    let one = allocations(|| noise.set(&paths[0].0, paths[0].1.clone()).expect("a number"));
    let eight = allocations(|| noise.set_all(paths.iter().map(|(path, value)| (path, value.clone()))).expect("numbers"));
    println!("a change of one number: {one} allocations; of eight together: {eight}");
    assert!(eight < one + one / 4, "one number: {one}, eight together: {eight}");
}

/// Allocations of recording a region: with a noise, a prepared noise, and at a fourth coordinate; and of wgpu for an empty pass.
fn recording_a_prepared_noise_allocates_little() {
    let options = EngineOptions { backend: Backend::Gpu, ..Default::default() };
    let adapter = pollster::block_on(
        wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle()).enumerate_adapters(wgpu::Backends::PRIMARY),
    );
    let adapter = adapter.first().expect("an adapter: apt-get install mesa-vulkan-drivers libvulkan1, or OROGEN_GPU=skip scripts/test");
    let (device, queue) = pollster::block_on(adapter.request_device(&Engine::device_descriptor(adapter))).expect("a device");
    let engine = Engine::from_device(&device, &queue, &options).expect("an engine on it");
    let texture = device.create_texture(&wgpu::TextureDescriptor {
        label: None,
        size: wgpu::Extent3d { width: 16, height: 16, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: wgpu::TextureFormat::R32Float,
        usage: wgpu::TextureUsages::STORAGE_BINDING,
        view_formats: &[],
    });
    let target = engine.target(&texture, &TargetOptions::default()).expect("a target");
    let noise = Noise::simplex(Simplex { dimensions: 4, ..Default::default() }).fractal(Fractal { octaves: 5, ..Default::default() });
    let prepared = engine.prepare(&noise).expect("a valid noise");
    let region = Region::plane(16, 16);
    // Recording alone: what submitting takes is wgpu's.
    let recording = |record: &dyn Fn(&mut wgpu::CommandEncoder)| {
        let counts = [(); WARM + CALLS].map(|()| {
            let mut encoder = device.create_command_encoder(&Default::default());
            let before = OWN.get();
            record(&mut encoder);
            let count = OWN.get() - before;
            queue.submit([encoder.finish()]);
            device.poll(wgpu::PollType::wait_indefinitely()).expect("the device goes on");
            count
        });
        counts[WARM..].iter().copied().fold(0, usize::max)
    };
    let pass = recording(&|encoder| drop(encoder.begin_compute_pass(&Default::default())));
    let direct = recording(&|encoder| engine.encode(encoder, &noise, &region, &target).expect("recorded"));
    let once = recording(&|encoder| prepared.encode(encoder, &region, &target).expect("recorded"));
    let moved = recording(&|encoder| prepared.at(0.5).encode(encoder, &region, &target).expect("recorded"));
    println!("allocations of an empty pass: {pass}; of engine.encode: {direct}; Prepared::encode: {once}; at a fourth coordinate: {moved}");
    assert!(once <= 40 && moved <= once + 20 && 2 * once < direct && direct <= 110, "{pass}, {direct}, {once}, {moved}");
}

fn calls_of_a_prepared_noise_allocate_nothing() {
    let engine = cpu();
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
        let slope = allocations(|| assert!(noise.value_with_gradient([1e6, -3.5, 0.0]).is_ok()));
        let points = allocations(|| noise.sample_into(&positions, &mut values).expect("values"));
        let mut slopes = vec![[0.0; 3]; 64];
        let steep = allocations(|| noise.sample_with_gradient_into(&positions, &mut values, &mut slopes).expect("values"));
        // As large as what stays on the caller's thread.
        let (region, mut chunk, mut gradients) = (Region::tile(-3, 7, 17), vec![0.0; 289], vec![[0.0; 3]; 289]);
        let field = allocations(|| noise.field_into(&region, &mut chunk).expect("values"));
        let jets = allocations(|| noise.field_with_gradient_into(&region, &mut chunk, &mut gradients).expect("values"));
        let normals = allocations(|| gradients.iter_mut().for_each(|gradient| *gradient = Field::normal(*gradient, 10.0)));
        let counts = [one, slope, points, steep, field, jets, normals];
        assert_eq!(counts, [0; 7], "{name}: one point, with gradient, 64 points, with gradients, a chunk, with gradients, normals");
    }
}

fn surfaces_allocate_nothing() {
    let options = EngineOptions { backend: Backend::Cpu, threads: Threads::Caller, ..Default::default() };
    let engine = Engine::open(&options).expect("the CPU is always there");
    // So rough that cells are cut in most ways there are, and so small that it is evaluated on the caller's thread.
    let rough = engine.prepare(&Noise::perlin(Perlin { dimensions: 3, wavelength: 1.7, ..Default::default() })).expect("a valid noise");
    let (mut surfaces, mut mesh, region) = (Surfaces::new(), Mesh::default(), chunk([5, -2, 9], 4));
    let noise = allocations(|| surfaces.of(&rough, &region, 0.0, &mut mesh).expect("a surface"));
    assert!(mesh.triangles.len() > 150, "{} triangles", mesh.triangles.len());
    let densities = rough.field(&region).expect("densities").values;
    let samples = allocations(|| surfaces.of_samples(&densities, &region, 0.0, &mut mesh).expect("a surface"));
    // No vertex has a slope: normals come from triangles.
    let white = engine.prepare(&Noise::white(White { dimensions: 3, wavelength: 1.0, ..Default::default() })).expect("a valid noise");
    let flat = allocations(|| surfaces.of(&white, &region, 0.0, &mut mesh).expect("a surface"));
    assert!(mesh.triangles.len() > 150, "{} triangles", mesh.triangles.len());
    assert_eq!([noise, samples, flat], [0; 3], "a surface of a noise, one of samples, one of white noise");
}
