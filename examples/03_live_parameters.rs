//! Frames while a slider moves: numbers change by name, the kernel stays, and nothing is allocated after the first frames. The
//! picture shows six of the frames, side by side in one texture.
//!
//! `cargo run --release --example 03_live_parameters -- frames.png`

use orogen::node::{Accumulate, Fractal, Simplex};
use orogen::texture::{TargetOptions, TexelEncoding, TextureOptions};
use orogen::wgpu::{self, TextureFormat};
use orogen::{Backend, Engine, EngineOptions, Noise, Region};
use std::time::{Duration, Instant};

const EDGE: u32 = 192;
const FRAMES: u32 = 60;
const SHOWN: u32 = 6;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).unwrap_or_else(|| "03_live_parameters.png".to_owned());
    let engine = Engine::open(&EngineOptions { backend: Backend::Gpu, ..Default::default() })?;
    let (device, queue) = engine.device().ok_or("no device")?;

    let clouds = Noise::simplex(Simplex { wavelength: 90.0, dimensions: 3, ..Default::default() });
    let wind = |seed| Noise::simplex(Simplex { wavelength: 150.0, seed: Some(seed), ..Default::default() });
    let mut noise = clouds
        .fractal(Fractal { octaves: 6, accumulate: Accumulate::Billow, ..Default::default() })
        .named("clouds")
        .warp([wind(1), wind(2), 0.0.into()], 0.0)
        .named("swirl");

    // One texture for all frames; values from -1 to 0.6 as black to white.
    let encoding = TexelEncoding { range: Some([-1.0, 0.6]), ..Default::default() };
    let options = TextureOptions { format: TextureFormat::Rgba8Unorm, encoding, ..Default::default() };
    let strip = engine.texture(&Noise::constant(0.0), &Region::plane(SHOWN * EDGE, EDGE), &options)?;
    let target = engine.target(&strip, &TargetOptions { encoding, ..Default::default() })?;
    engine.compile(&noise, &target)?;
    let compiled = engine.compilations();

    let (mut host, mut slowest) = (Duration::ZERO, Duration::ZERO);
    let start = Instant::now();
    for frame in 0..FRAMES {
        // The slider, and time along z.
        let t = f64::from(frame) / f64::from(FRAMES - 1);
        noise.set("clouds.gain", 0.1 + 0.5 * t)?;
        noise.set("swirl.strength", 80.0 * t)?;
        let region = Region { anchor: [0.0, 0.0, 100.0 * t], ..Region::plane(EDGE, EDGE) };
        let place = [frame * SHOWN / FRAMES * EDGE, 0, 0];

        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let recording = Instant::now();
        engine.encode(&mut encoder, &noise, &region, &target.at(place))?;
        host += recording.elapsed();
        slowest = slowest.max(recording.elapsed());
        queue.submit([encoder.finish()]);
        device.poll(wgpu::PollType::wait_indefinitely())?;
    }
    let all = start.elapsed().as_secs_f64() * 1e3 / f64::from(FRAMES);
    let host = host.as_secs_f64() * 1e3 / f64::from(FRAMES);

    image::save_buffer(&path, &engine.read_texture(&strip, 0)?, SHOWN * EDGE, EDGE, image::ColorType::Rgba8)?;
    println!(
        "{path}: {FRAMES} frames of {EDGE}² on {}: {all:.2} ms each, {host:.3} ms of it on the host (at most {:.3}); {} kernels compiled",
        engine.describe().adapter,
        slowest.as_secs_f64() * 1e3,
        engine.compilations() - compiled
    );
    Ok(())
}
