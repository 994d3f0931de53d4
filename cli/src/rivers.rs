//! `orogen rivers`.

use super::args::RiversArgs;
use super::cost::Limited;
use super::counted::Counted;
use super::exit::{Failure, USAGE};
use super::job;
use super::out::{print, write};
use super::output;
use orogen::bake::request::Cost;
use orogen::node::Input;
use orogen::rivers::{RiverOptions, Rivers, RiversError};
use orogen::stage::{Drainage, Pipeline, Stage};
use orogen::{Recipe, Region};

/// Rivers as a file.
type Encode = fn(&Rivers) -> String;

const OUTPUTS: [(&str, Encode); 2] = [("svg", Rivers::svg), ("geojson", Rivers::geojson)];

pub fn run(args: &RiversArgs) -> Result<(), Failure> {
    let mut recipe = args.changes.load(&args.recipe)?;
    let encode = output::format(&args.output, OUTPUTS)?;
    let world = world(args, &recipe)?;
    let [width, height] = [0, 1].map(|axis| f64::from(world.size[axis]) * world.step());
    let mut options = RiverOptions::new(args.area.unwrap_or(width * height / 1000.0));
    options.basin = args.basin.unwrap_or(options.basin);
    options.lake = args.lake.unwrap_or(options.lake);
    (options.width, options.smoothing) = (args.width, args.smoothing);
    let stage = drainage(args, &mut recipe)?;
    let engine = job::engine(&args.engine)?;
    Cost::of_layers(&engine, &recipe.pipeline, &[&stage], &world)?.allow(&args.engine)?;
    let found = engine.rivers(&recipe.pipeline, &stage, &world, &options).map_err(|error| match error {
        RiversError::Layers(error) => error.into(),
        error => Failure::new(USAGE, error),
    })?;
    write(&args.output, encode(&found))?;
    let rivers = found.segments.iter().filter(|segment| segment.river == segment.id).count();
    let Rivers { segments, lakes, basins, .. } = &found;
    let [rivers, segments, lakes, basins] =
        [(rivers, "river"), (segments.len(), "segment"), (lakes.len(), "lake"), (basins.len(), "basin")]
            .map(|(count, noun)| Counted(count, noun));
    print(format_args!("{}: {rivers} in {segments}, {lakes}, {basins}", args.output.display()))?;
    Ok(())
}

/// The samples of the world.
fn world(args: &RiversArgs, recipe: &Recipe) -> Result<Region, Failure> {
    let bake = &recipe.bake;
    let [width, height] = match &args.size {
        Some(size) => job::size(size, 1)?,
        None => bake.tiles.map(|tiles| tiles.saturating_mul(bake.tile)),
    };
    Ok(Region { spacing: bake.spacing, anchor: [0.0, 0.0, bake.z], ..Region::plane(width, height) })
}

pub fn is_drainage(pipeline: &Pipeline, name: &str) -> bool {
    matches!(pipeline.stage.get(name), Some(Stage::Drainage(_)))
}

/// The name of the drainage stage. Adds one to the recipe if heights are named.
fn drainage(args: &RiversArgs, recipe: &mut Recipe) -> Result<String, Failure> {
    let pipeline = &recipe.pipeline;
    let stages: Vec<&String> = pipeline.stage.keys().filter(|name| is_drainage(pipeline, name)).collect();
    let name = match (&args.layer, &stages[..]) {
        (None, [only]) => (*only).clone(),
        (None, [_, _, ..]) => {
            let stages: Vec<String> = stages.iter().map(|name| format!("'{name}'")).collect();
            return Err(Failure::message(USAGE, format!("--layer is missing; allowed: one of the stages {}", stages.join(", "))));
        }
        _ => job::layer(recipe, &args.layer)?.to_owned(),
    };
    if is_drainage(pipeline, &name) {
        if let Some(sea) = args.sea {
            let message =
                format!("--sea {sea} is not allowed; allowed: only with heights as --layer, because '{name}' has its own sea level");
            return Err(Failure::message(USAGE, message));
        }
        return Ok(name);
    }
    added(recipe, &name, args.sea)
}

/// Adds a drainage stage of heights to a recipe, and returns its name.
pub fn added(recipe: &mut Recipe, heights: &str, sea: Option<f64>) -> Result<String, Failure> {
    let pipeline = &recipe.pipeline;
    if pipeline.channels(heights).ok() != Some(1) {
        return Err(Failure::message(USAGE, format!("--layer {heights} is not allowed; allowed: heights, which have one channel")));
    }
    let mut added = "rivers".to_owned();
    while pipeline.stage.contains_key(&added) || pipeline.node.contains_key(&added) {
        added.push('_');
    }
    let traced = Drainage { of: Input::Node(heights.to_owned()), sea, ..Default::default() };
    recipe.pipeline.stage.insert(added.clone(), Stage::Drainage(traced));
    Ok(added)
}
