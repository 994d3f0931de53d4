//! `orogen preview`.

use super::args::{PreviewArgs, ShadeArg};
use super::exit::Failure;
use super::job;
use orogen::Region;
use orogen::render::{Style, draw};

/// Samples along each edge of a pixel.
const SUPERSAMPLE: u32 = 2;

pub fn run(args: &PreviewArgs) -> Result<(), Failure> {
    let (noise, recipe) = job::recipe(&args.recipe)?;
    let [width, height] = job::size(&args.size)?;
    let engine = job::engine(&args.engine)?;
    let bake = &recipe.bake;
    let size = [width * SUPERSAMPLE, height * SUPERSAMPLE, 1];
    let spacing = bake.spacing / f64::from(SUPERSAMPLE);
    let region = Region { origin: [0; 3], size, level: 0, spacing, anchor: [0.0, 0.0, bake.z] };
    let field = engine.field_with_gradient(&noise, &region)?;
    let style = Style { relief: args.shade == ShadeArg::Relief, colours: args.colours.iter().map(|c| c.0).collect(), sea: args.sea };
    let png = draw(&field, SUPERSAMPLE, &style).to_png().map_err(|error| Failure::file(&args.output, &error))?;
    std::fs::write(&args.output, png).map_err(|error| Failure::file(&args.output, &error))?;
    println!("{}: {width}×{height} pixels on {}", args.output.display(), job::describe(&engine));
    Ok(())
}
