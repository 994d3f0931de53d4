//! The library to a PNG: a noise built in code, as a texture on the GPU, read back and saved.
//!
//! `cargo run --release --example 01_texture -- normals.png`

use orogen::node::{Fractal, Simplex};
use orogen::texture::{Content, TexelEncoding, TextureOptions};
use orogen::wgpu::TextureFormat;
use orogen::{Backend, Engine, EngineOptions, Noise, Region};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).unwrap_or_else(|| "01_texture.png".to_owned());

    // Ridges 40 units high, bent by a calmer noise.
    let fbm = |wavelength, octaves| {
        Noise::simplex(Simplex { wavelength, ..Default::default() }).fractal(Fractal { octaves, gain: 0.42, ..Default::default() })
    };
    let ridges = fbm(180.0, 7).abs().scale_offset(-40.0, 40.0).warp([fbm(300.0, 3), fbm(340.0, 3), 0.0.into()], 50.0);

    // Its surface normals, four bytes each.
    let encoding = TexelEncoding { content: Content::Normal, ..Default::default() };
    let options = TextureOptions { format: TextureFormat::Rgba8Unorm, encoding, ..Default::default() };

    // On the best GPU, including software adapters. A renderer would use the texture directly, on its own device.
    let engine = Engine::open(&EngineOptions { backend: Backend::Gpu, ..Default::default() })?;
    let texture = engine.texture(&ridges, &Region::plane(512, 512), &options)?;

    image::save_buffer(&path, &engine.read_texture(&texture, 0)?, 512, 512, image::ColorType::Rgba8)?;
    println!("{path}: on {}", engine.describe().adapter);
    Ok(())
}
