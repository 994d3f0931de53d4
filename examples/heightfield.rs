//! A noise built in code, evaluated on this machine's best device, drawn as a shaded picture.
//!
//! `cargo run --release --example heightfield -- hills.png`

use orogen::draw::shade;
use orogen::node::{Fractal, Simplex};
use orogen::{Engine, Noise, Region};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).unwrap_or_else(|| "hills.png".to_owned());
    let base = Noise::simplex(Simplex { wavelength: 220.0, ..Default::default() });
    let push = |seed| base.clone().fractal(Fractal { octaves: 4, seed, ..Default::default() });
    let hills = base.clone().fractal(Fractal { octaves: 9, ..Default::default() }).warp([push(1), push(2), Noise::constant(0.0)], 60.0);

    let engine = Engine::new()?;
    let field = engine.field_with_gradient(&hills, &Region::plane(1024, 1024))?;
    std::fs::write(&path, shade(&field, 2)?.to_png()?)?;

    let range = hills.range()?;
    println!("{path}: on {:?}, values {:?}, proven {} to {}", engine.describe(), field.extent(), range.lo, range.hi);
    Ok(())
}
