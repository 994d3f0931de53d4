//! Endless terrain around a moving camera. Heights and normals of a clipmap are textures on the GPU; chunks for objects on the
//! ground are computed on the CPU. Each frame has a time budget. Meanwhile another thread computes a world, and no frame waits for
//! it.
//!
//! `cargo run --release --example 07_streaming -- strip.png` flies a path, prints frame times, and draws the camera's view.
//! `cargo run --release --manifest-path examples/flight/Cargo.toml` flies in a window.
#![allow(clippy::disallowed_methods, reason = "displayed pictures may differ in a last digit")]

mod clipmap;
mod film;
mod ground;

use clipmap::{Clipmap, TILE};
use film::Film;
use ground::Ground;
use orogen::node::Transform;
use orogen::wgpu;
use orogen::{Backend, Engine, EngineOptions, Prepared, Recipe, Region, Threads};
use std::alloc::{GlobalAlloc, Layout, System};
use std::error::Error;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

const FRAMES: usize = 400;
/// Pixels of a picture.
const SIZE: [u32; 2] = [448, 252];
const PICTURES: usize = 4;
/// Maximum number of tiles, and of chunks, made per frame.
const BUDGET: usize = 4;
/// Cells along the edge of a chunk on the CPU, and chunks around the camera's along each axis.
const CHUNK: u32 = 32;
const AROUND: i64 = 2;

/// The system's allocator, counting.
struct Counting;

static ALLOCATIONS: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call is forwarded unchanged to the system's allocator; counting does not touch memory.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
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

/// Heights around the camera for objects on the ground: always on the CPU, always available.
struct Chunks {
    have: Vec<Option<[i64; 2]>>,
    values: Vec<f32>,
}

impl Chunks {
    const EDGE: i64 = 2 * AROUND + 1;

    fn new() -> Self {
        let count = (Self::EDGE * Self::EDGE) as usize;
        Chunks { have: vec![None; count], values: vec![0.0; count * ((CHUNK + 1) * (CHUNK + 1)) as usize] }
    }

    /// Makes up to a number of the missing chunks, the nearest first; returns how many required ones are left.
    fn advance(&mut self, noise: &Prepared, camera: [f64; 2], at_most: usize) -> Result<usize, Box<dyn Error>> {
        let samples = ((CHUNK + 1) * (CHUNK + 1)) as usize;
        let centre = camera.map(|x| (x / f64::from(CHUNK)).floor() as i64);
        let (mut made, mut left) = (0, 0);
        for ring in 0..=AROUND {
            let around = (-ring..=ring).flat_map(|dy| (-ring..=ring).map(move |dx| [dx, dy]));
            for by in around.filter(|by| by[0].abs().max(by[1].abs()) == ring) {
                let at = [centre[0] + by[0], centre[1] + by[1]];
                let slot = (at[1].rem_euclid(Self::EDGE) * Self::EDGE + at[0].rem_euclid(Self::EDGE)) as usize;
                if self.have[slot] == Some(at) {
                    continue;
                }
                if made == at_most {
                    // The outermost ring is made in advance.
                    left += usize::from(ring < AROUND);
                    continue;
                }
                noise.field_into(&Region::chunk(at[0], at[1], CHUNK), &mut self.values[slot * samples..][..samples])?;
                self.have[slot] = Some(at);
                made += 1;
            }
        }
        Ok(left)
    }
}

/// Frame times.
struct Flight {
    milliseconds: Vec<f64>,
    allocations: Vec<usize>,
    /// Frames with a missing tile or chunk.
    incomplete: usize,
    tiles: usize,
}

impl std::fmt::Display for Flight {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut times = self.milliseconds.clone();
        times.sort_by(f64::total_cmp);
        let mut allocations = self.allocations.clone();
        allocations.sort_unstable();
        let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
        write!(
            f,
            "{} frames, {} tiles of {TILE}²: {:.2} ms median, {:.2} ms 99 of 100, {:.2} ms worst; {} allocations median; {} frames incomplete",
            times.len(),
            self.tiles,
            at(0.5),
            at(0.99),
            at(1.0),
            allocations[allocations.len() / 2],
            self.incomplete
        )
    }
}

/// The camera's position and direction in a frame: a wide bend, far from the origin.
fn camera(frame: usize) -> ([f64; 2], [f64; 2]) {
    let (radius, angle) = (700.0, 0.0035 * frame as f64 - 0.6);
    ([10_000_000.0 + radius * angle.sin(), -3_000_000.0 - radius * angle.cos()], [angle.cos(), angle.sin()])
}

/// Flies the path once; `film` draws the pictures, which is not part of a frame.
fn fly(
    noise: &Prepared,
    things: &Prepared,
    ground: &mut Ground,
    mut film: impl FnMut(&Ground, usize, usize) -> Result<(), Box<dyn Error>>,
) -> Result<Flight, Box<dyn Error>> {
    let (mut clipmap, mut chunks, mut tiles) = (Clipmap::default(), Chunks::new(), Vec::new());
    // Work of a loading screen; kernels are compiled here, too.
    let (start, heading) = camera(0);
    while clipmap.advance(start, heading, 16, &mut tiles) > 0 || !tiles.is_empty() {
        ground.make(noise, &tiles)?;
    }
    chunks.advance(things, start, usize::MAX)?;
    let mut flight = Flight { milliseconds: Vec::new(), allocations: Vec::new(), incomplete: 0, tiles: 0 };
    for frame in 0..FRAMES {
        let (begun, before) = (Instant::now(), ALLOCATIONS.load(Ordering::Relaxed));
        let (at, heading) = camera(frame);
        let missing = clipmap.advance(at, heading, BUDGET, &mut tiles);
        if !tiles.is_empty() {
            ground.make(noise, &tiles)?;
        }
        let left = chunks.advance(things, at, BUDGET)?;
        // The ground under the camera.
        let _below = things.value([at[0], at[1], 0.0])?;
        flight.milliseconds.push(begun.elapsed().as_secs_f64() * 1e3);
        flight.allocations.push(ALLOCATIONS.load(Ordering::Relaxed) - before);
        flight.incomplete += usize::from(missing + left > 0);
        flight.tiles += tiles.len();
        if frame % (FRAMES / PICTURES) == FRAMES / PICTURES / 2 {
            film(ground, frame / (FRAMES / PICTURES), frame)?;
        }
        // The rest of a frame.
        std::thread::sleep(Duration::from_millis(1));
    }
    Ok(flight)
}

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).unwrap_or_else(|| "07_streaming.png".to_owned());
    let recipe = Recipe::load(concat!(env!("CARGO_MANIFEST_DIR"), "/recipes/alps.toml"))?;
    // The recipe is in metres; a unit of the picture is 16 m.
    let unit = Transform { scale: [16.0; 3], ..Default::default() };
    let terrain = recipe.noise()?.transform(unit).scale_offset(1.0 / 16.0, -30.0);
    let on = |backend, threads| Engine::open(&EngineOptions { backend, threads, ..Default::default() });
    let things = on(Backend::Cpu, Threads::Caller)?.prepare(&terrain)?;

    // The world that is computed in the meantime, on its own thread.
    let (world, stop) = (on(Backend::Cpu, Threads::Own(1))?.prepare(&terrain)?, AtomicBool::new(false));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut heights = vec![0.0; 4096 * 4096];
            while !stop.load(Ordering::Relaxed) {
                world.field_into(&Region::plane(4096, 4096), &mut heights).unwrap_or_else(|error| eprintln!("the world: {error}"));
            }
        });
        let flown = flights(&path, &things);
        stop.store(true, Ordering::Relaxed);
        flown
    })
}

/// Flies the path on the CPU, then on the device, if there is one, and draws the strip.
fn flights(path: &str, things: &Prepared) -> Result<(), Box<dyn Error>> {
    let flight = fly(things, things, &mut Ground::new(things.engine())?, |_, _, _| Ok(()))?;
    println!("on the CPU: {flight}");

    let engine = Engine::open(&EngineOptions { backend: Backend::Gpu, ..Default::default() })?;
    let noise = engine.prepare(things.noise())?;
    let mut ground = Ground::new(&engine)?;
    let (device, queue) = engine.device().ok_or("no device")?;
    let Ground::Textures { heights, normals, .. } = &ground else { return Err("no textures".into()) };
    let film = Film::new(device, SIZE, PICTURES as u32, [heights, normals]);
    let flight = fly(&noise, things, &mut ground, |_, picture, frame| {
        let (at, heading) = camera(frame);
        let below = things.value([at[0], at[1], 0.0])?;
        film.draw(device, queue, picture as u32, at, below as f32 + 45.0, heading);
        // Ray marching is slow on a software device, and not part of the measurement.
        device.poll(wgpu::PollType::wait_indefinitely())?;
        Ok(())
    })?;
    println!("on {}: {flight}", engine.describe().adapter);
    let bytes = engine.read_texture(&film.strip, 0)?;
    image::save_buffer(path, &bytes, SIZE[0] * PICTURES as u32, SIZE[1], image::ColorType::Rgba8)?;
    println!("{path}: {PICTURES} pictures on the way");
    Ok(())
}
