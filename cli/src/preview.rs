//! `orogen preview`.

use super::args::{PreviewArgs, ShadeArg};
use super::cost::{self, Limited};
use super::exit::Failure;
use super::job;
use super::out::{print, write};
use super::output;
use orogen::bake::request::Cost;
use orogen::draw::{Style, draw, draw_layer};
use orogen::{Recipe, Region};

/// Samples along each edge of a pixel.
const SUPERSAMPLE: u32 = 2;

pub fn run(args: &PreviewArgs) -> Result<(), Failure> {
    let recipe = Recipe::load(&args.recipe)?;
    // A path without an extension may be a device.
    if args.output.extension().is_some() {
        output::format(&args.output, [("png", ())])?;
    }
    let [width, height] = job::size(&args.size, 1)?;
    let engine = job::engine(&args.engine)?;
    let style = Style {
        relief: args.shade == ShadeArg::Relief,
        colours: args.colours.iter().map(|c| c.0).collect(),
        sea: args.sea,
        ..Style::default()
    };
    let bake = &recipe.bake;
    let anchor = [0.0, 0.0, bake.z];
    let name = job::layer(&recipe, &args.layer)?;
    let picture = if let Ok(noise) = recipe.pipeline.noise_of(name) {
        let size = [width * SUPERSAMPLE, height * SUPERSAMPLE, 1];
        let region = Region { origin: [0; 3], size, level: 0, spacing: bake.spacing / f64::from(SUPERSAMPLE), anchor };
        cost::estimate(&engine, &noise, region.samples() as f64, 32.0)?.allow(&args.engine)?;
        draw(&engine.field_with_gradient(&noise, &region)?, SUPERSAMPLE, &style)?
    } else {
        // Stages work on samples: a finer grid would give another field, not a finer picture of this one.
        let region = Region { origin: [0; 3], size: [width, height, 1], level: 0, spacing: bake.spacing, anchor };
        Cost::of_layers(&engine, &recipe.pipeline, &[name], &region)?.allow(&args.engine)?;
        let layers = engine.layers(&recipe.pipeline, &[name], &region)?;
        draw_layer(&layers[0], &style)?
    };
    let png = picture.to_png().map_err(|error| Failure::file(&args.output, &error))?;
    write(&args.output, png)?;
    print(format_args!("{}: {width}×{height} pixels on {}", args.output.display(), engine.summary()))?;
    Ok(())
}
