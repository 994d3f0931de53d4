//! `orogen preview`: a map of a recipe. `relief` draws it in perspective, `frames` in several frames of an animation.

mod animation;
mod frames;
mod relief;
mod waters;

use super::args::{PreviewArgs, ShadeArg};
use super::cost::{self, Limited};
use super::exit::{Failure, USAGE};
use super::job;
use super::out::{print, write};
use super::output;
use orogen::bake::request::Cost;
use orogen::draw::{Picture, Style, draw, draw_layer};
use orogen::stage::Pipeline;
use orogen::{Engine, Field, Layer, LayersError, Recipe, Region};

/// Samples along each edge of a pixel.
const SUPERSAMPLE: u32 = 2;
/// Size of a map in pixels.
const MAP: [u32; 2] = [768, 768];
/// Maximum edge of a picture in pixels.
const MOST: f64 = 4096.0;

pub fn run(args: &PreviewArgs) -> Result<(), Failure> {
    let recipe = args.changes.load(&args.recipe)?;
    let size = args.size.as_deref().map(|size| job::size(size, 1)).transpose()?;
    let style = Style {
        relief: args.shade == ShadeArg::Relief,
        colours: args.colours.iter().map(|c| c.0).collect(),
        sea: args.sea,
        ..Style::default()
    };
    if let Some(count) = args.animation.frames {
        return frames::run(args, recipe, size, style, count);
    }
    // A path without an extension may be a device.
    if args.output.extension().is_some() {
        output::format(&args.output, [("png", ())])?;
    }
    let (picture, on) = if args.view.relief { relief::draw(args, recipe, size, style)? } else { map(args, recipe, size, &style)? };
    let png = picture.to_png().map_err(|error| Failure::file(&args.output, &error))?;
    write(&args.output, png)?;
    print(format_args!("{}: {}×{} pixels on {on}", args.output.display(), picture.width, picture.height))
}

/// Draws a map, and names the engine.
fn map(args: &PreviewArgs, mut recipe: Recipe, size: Option<[u32; 2]>, style: &Style) -> Result<(Picture, String), Failure> {
    let map = Map::open(args, &recipe, size)?;
    let region = map.frame.region;
    let waters = args.rivers.map(|area| waters::find(args, &map.engine, &mut recipe, &region, area)).transpose()?;
    map.cost(&recipe)?.allow(&args.engine)?;
    let picture = map.samples(&recipe)?.picture(style, map.frame.pixels)?;
    let picture = match waters {
        Some(rivers) => waters::draw(&picture, &rivers, &region)?,
        None => picture,
    };
    Ok((picture, map.engine.summary()))
}

/// A layer of a recipe as a map, on an engine.
struct Map<'a> {
    args: &'a PreviewArgs,
    engine: Engine,
    name: String,
    frame: Frame,
}

impl Map<'_> {
    fn open<'a>(args: &'a PreviewArgs, recipe: &Recipe, size: Option<[u32; 2]>) -> Result<Map<'a>, Failure> {
        let name = job::layer(recipe, &args.layer)?.to_owned();
        let frame = Frame::of_map(args, recipe, size)?;
        Ok(Map { args, engine: job::engine(&args.engine)?, name, frame })
    }

    /// The cost of the samples.
    fn cost(&self, recipe: &Recipe) -> Result<Cost, Failure> {
        match recipe.pipeline.noise_of(&self.name) {
            Ok(noise) => cost::estimate(&self.engine, &noise, self.frame.of_node().samples() as f64, 32.0),
            Err(_) => Ok(Cost::of_layers(&self.engine, &recipe.pipeline, &[&self.name], &self.frame.region)?),
        }
    }

    fn samples(&self, recipe: &Recipe) -> Result<Samples, Failure> {
        if let Ok(noise) = recipe.pipeline.noise_of(&self.name) {
            return Ok(Samples::Node(job::jets(&self.engine, &noise, &self.frame.of_node())?));
        }
        let (region, names) = (&self.frame.region, [&*self.name]);
        let pipeline = in_world(self.args, &self.engine, recipe, &recipe.pipeline, &names, region.level)?;
        Ok(Samples::Stage(self.engine.layers(&pipeline, &names, region)?.swap_remove(0)))
    }
}

/// The samples of a map.
enum Samples {
    /// Nodes have a value everywhere: as many samples as the picture needs.
    Node(Field),
    /// Stages work on samples: a finer grid would give another field, not a finer picture of this one.
    Stage(Layer),
}

impl Samples {
    fn picture(&self, style: &Style, pixels: [u32; 2]) -> Result<Picture, Failure> {
        Ok(match self {
            Samples::Node(field) => draw(field, SUPERSAMPLE, style)?,
            Samples::Stage(layer) => draw_layer(layer, style)?.resized(pixels),
        })
    }
}

/// The samples of a picture.
#[derive(Clone, Copy, Debug)]
struct Frame {
    region: Region,
    /// Size of the picture.
    pixels: [u32; 2],
}

impl Frame {
    /// Several samples of a node for each pixel.
    fn of_node(&self) -> Region {
        let Frame { region, pixels } = *self;
        let spacing = region.step() * f64::from(region.size[0]) / f64::from(pixels[0] * SUPERSAMPLE);
        let first = region.position([0; 3]);
        let origin = [0, 1].map(|a| ((first[a] - region.anchor[a]) / spacing).round() as i64);
        let size = [pixels[0] * SUPERSAMPLE, pixels[1] * SUPERSAMPLE, 1];
        Region { origin: [origin[0], origin[1], 0], size, level: 0, spacing, ..region }
    }

    /// The samples of a map.
    fn of_map(args: &PreviewArgs, recipe: &Recipe, size: Option<[u32; 2]>) -> Result<Frame, Failure> {
        let pixels = size.unwrap_or(MAP);
        if args.fit {
            // As large as possible inside the size.
            let [width, height] = extent(args, recipe);
            let scale = (f64::from(pixels[0]) / width).min(f64::from(pixels[1]) / height);
            let pixels = [width, height].map(|edge| ((edge * scale).round() as u32).max(1));
            let level = args.level.unwrap_or_else(|| finest(recipe, [width, height], pixels));
            return Ok(Frame { region: region(args, recipe, level)?, pixels });
        }
        let level = args.level.unwrap_or(0);
        match (args.area, size) {
            (Some(_), Some(_)) => {
                let message = "--size is not allowed with --area, which has a pixel for each sample; allowed: --size with --fit";
                Err(Failure::message(USAGE, message))
            }
            (Some(_), None) => {
                let region = region(args, recipe, level)?;
                Ok(Frame { region, pixels: [region.size[0], region.size[1]] })
            }
            (None, _) => {
                let region =
                    Region { origin: [0; 3], size: [pixels[0], pixels[1], 1], level, spacing: recipe.bake.spacing, anchor: anchor(recipe) };
                Ok(Frame { region, pixels })
            }
        }
    }
}

fn anchor(recipe: &Recipe) -> [f64; 3] {
    [0.0, 0.0, recipe.bake.z]
}

/// Width and height of the drawn area, in world units.
fn extent(args: &PreviewArgs, recipe: &Recipe) -> [f64; 2] {
    let bake = &recipe.bake;
    let tiles = || bake.tiles.map(|tiles| f64::from(tiles) * f64::from(bake.tile) * bake.spacing);
    args.area.map_or_else(tiles, |area| [area.high[0] - area.low[0], area.high[1] - area.low[1]])
}

/// The coarsest level with a sample for every pixel of an extent.
fn finest(recipe: &Recipe, extent: [f64; 2], pixels: [u32; 2]) -> u32 {
    let samples = [0, 1].map(|a| extent[a] / recipe.bake.spacing / f64::from(pixels[a]));
    samples[0].min(samples[1]).max(1.0).log2().floor().min(40.0) as u32
}

/// The samples in the drawn area, at a level.
fn region(args: &PreviewArgs, recipe: &Recipe, level: u32) -> Result<Region, Failure> {
    let region = Region { level, spacing: recipe.bake.spacing, anchor: anchor(recipe), ..Region::plane(1, 1) };
    let low = args.area.map_or([0.0; 2], |area| area.low);
    let origin = low.map(|x| (x / region.step()).round());
    let extent = extent(args, recipe);
    let size = extent.map(|edge| (edge / region.step()).round().max(1.0));
    if size.iter().any(|edge| *edge > MOST) {
        let size = format!("{}×{}", size[0], size[1]);
        let message = format!("an area of {} × {} world units has {size} samples at level {level}", extent[0], extent[1]);
        return Err(Failure::message(USAGE, format!("{message}; allowed: up to {MOST} along each axis, with --area or --level")));
    }
    let region = Region { origin: [origin[0] as i64, origin[1] as i64, 0], size: [size[0] as u32, size[1] as u32, 1], ..region };
    region.check().map_err(|error| Failure::new(USAGE, error))?;
    Ok(region)
}

/// The pipeline with its whole-world stages measured over the recipe's tiles, if an area of that world is drawn.
fn in_world(
    args: &PreviewArgs,
    engine: &Engine,
    recipe: &Recipe,
    pipeline: &Pipeline,
    names: &[&str],
    level: u32,
) -> Result<Pipeline, Failure> {
    if args.area.is_none() || !matches!(engine.measure(pipeline, names, &[]), Err(LayersError::Nothing { .. } | LayersError::World { .. }))
    {
        return Ok(pipeline.clone());
    }
    let bake = &recipe.bake;
    let size = bake.tiles.map(|tiles| (tiles.saturating_mul(bake.tile) >> level).max(1));
    let world = Region { level, spacing: bake.spacing, anchor: anchor(recipe), ..Region::plane(size[0], size[1]) };
    Cost::of_layers(engine, pipeline, names, &world)?.allow(&args.engine)?;
    Ok(engine.measure(pipeline, names, &[world])?)
}
