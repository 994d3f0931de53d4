//! A density in three dimensions as a 3D texture: ground below, air above, caves in between. The picture is an upright slice.
//!
//! `cargo run --release --example 04_volume -- caves.png`
#![allow(clippy::disallowed_methods, reason = "pictures are looked at")]

use orogen::node::{Axis, Coordinate, Fractal, Simplex};
use orogen::texture::TextureOptions;
use orogen::wgpu::TextureFormat;
use orogen::{Backend, Engine, EngineOptions, Noise, Region};

/// Samples along x, y and z.
const SIZE: [u32; 3] = [512, 48, 224];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).unwrap_or_else(|| "04_volume.png".to_owned());
    let engine = Engine::open(&EngineOptions { backend: Backend::Gpu, ..Default::default() })?;
    let region = Region { origin: [0, 0, -140], size: SIZE, ..Region::plane(1, 1) };
    // Half floats are enough to tell rock from air, at half the memory.
    let options = TextureOptions { format: TextureFormat::R16Float, ..Default::default() };
    let texture = engine.texture(&density(), &region, &options).or_else(|_| {
        // Not every adapter writes them; these every one does.
        engine.texture(&density(), &region, &TextureOptions { format: TextureFormat::R32Float, ..options })
    })?;
    let bytes = engine.read_texture(&texture, 0)?;
    let density: Vec<f32> = match texture.format() {
        TextureFormat::R16Float => bytes.as_chunks().0.iter().map(|&b| half(u16::from_le_bytes(b))).collect(),
        _ => bytes.as_chunks().0.iter().map(|&b| f32::from_le_bytes(b)).collect(),
    };
    let [width, deep, height] = SIZE;
    let at = |x: u32, y: u32, z: u32| density[((z * deep + y) * width + x) as usize];

    let rock = density.iter().filter(|&&d| d > 0.0).count() as f64 / density.len() as f64;
    let picture = image::RgbImage::from_fn(width, height, |x, row| {
        let z = height - 1 - row;
        // Looking along y: the first rock there is, darker the further behind.
        let hit = (0..deep).find(|&y| at(x, y, z) > 0.0);
        image::Rgb(hit.map_or_else(
            || [0.62, 0.74, 0.86].map(|c: f32| (255.0 * (c + 0.12 * (row as f32 / height as f32))) as u8),
            |y| {
                let here = at(x, y, z);
                // Cut rock shows its layers, walls behind the cut their slope.
                let light = if y == 0 { 1.0 } else { 0.74 - 0.52 * y as f32 / deep as f32 };
                let band = 0.06 * (0.35 * z as f32 + 9.0 * here).sin();
                let edge = if y == 0 && here < 0.03 { 0.75 } else { 1.0 };
                [0.58, 0.45, 0.34].map(|c: f32| (255.0 * (c + band) * light * edge).clamp(0.0, 255.0) as u8)
            },
        ))
    });
    picture.save(&path)?;
    println!("{path}: {SIZE:?} samples on {}, {:.0} % of them rock", engine.describe().adapter, 100.0 * rock);
    Ok(())
}

/// Positive in rock.
fn density() -> Noise {
    let simplex = |wavelength, seed| Noise::simplex(Simplex { dimensions: 3, wavelength, seed: Some(seed), ..Default::default() });
    let fbm = |wavelength, octaves, seed| simplex(wavelength, seed).fractal(Fractal { octaves, gain: 0.42, ..Default::default() });
    let height = Noise::coordinate(Coordinate { axis: Axis::Z, unit: 60.0 }).scale_offset(-1.0, 0.0);
    let ground = height.add(fbm(230.0, 6, 1).scale_offset(1.1, 0.0));
    // Caves: where two noises are both near 0 there is a tunnel. They keep clear of the surface by the ground's own depth.
    let tunnel = |seed| fbm(110.0, 3, seed).abs();
    let tunnels = tunnel(2).max(tunnel(3)).scale_offset(8.0, -0.75);
    ground.min(tunnels)
}

/// A 16-bit float, by its definition.
fn half(bits: u16) -> f32 {
    let (exponent, mantissa) = (i32::from(bits >> 10 & 31), f32::from(bits & 1023));
    let magnitude = if exponent == 0 { mantissa * 2f32.powi(-24) } else { (1024.0 + mantissa) * 2f32.powi(exponent - 25) };
    if bits >> 15 == 1 { -magnitude } else { magnitude }
}
