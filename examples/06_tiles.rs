//! Many regions in one call: each tile is handed over as soon as it is complete, while the next ones are computed.
//!
//! `cargo run --release --example 06_tiles -- tiles.png`

use orogen::node::{Fractal, Simplex};
use orogen::{Engine, EngineError, Gradient, Noise, Region};

/// Samples along the edge of a tile, and tiles along the edge of the picture.
const TILE: u32 = 128;
const TILES: u32 = 4;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).unwrap_or_else(|| "06_tiles.png".to_owned());
    let fbm = |wavelength| Noise::simplex(Simplex { wavelength, ..Default::default() }).fractal(Fractal::default());
    let noise = fbm(220.0).warp([fbm(150.0), fbm(160.0), 0.0.into()], 60.0);
    let range = noise.range()?;

    let engine = Engine::new()?;
    let tiles = (0..TILES * TILES).map(|i| Region::tile(i64::from(i % TILES), i64::from(i / TILES), TILE));
    let mut picture = image::GrayImage::new(TILE * TILES, TILE * TILES);
    engine.fields(&noise, tiles, Gradient::Without, |_, field| {
        let [x, y, _] = field.region.origin;
        for (i, value) in (0..).zip(&field.values) {
            let grey = 255.0 * (f64::from(*value) - range.lo) / (range.hi - range.lo);
            picture.put_pixel(x as u32 + i % TILE, y as u32 + i / TILE, image::Luma([grey as u8]));
        }
        Ok::<(), EngineError>(())
    })?;
    picture.save(&path)?;
    println!("{path}: {} tiles on {}", TILES * TILES, engine.describe().backend);
    Ok(())
}
