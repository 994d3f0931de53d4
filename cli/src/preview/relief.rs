//! `orogen preview --relief`: terrain in perspective.

use super::{extent, in_world, region};
use crate::args::PreviewArgs;
use crate::cost::Limited;
use crate::exit::{DATA, Failure, USAGE};
use crate::job;
use orogen::bake::request::Cost;
use orogen::draw::{Picture, Style, ViewedTerrain, perspective};
use orogen::node::Input;
use orogen::stage::{Pipeline, Stage};
use orogen::{Layer, Recipe};

/// Size of a picture in pixels.
const SIZE: [u32; 2] = [1200, 700];
/// Most samples along an edge, unless a level is given.
const SAMPLES: f64 = 2048.0;

/// The layers of a terrain, by name.
struct Names {
    heights: String,
    colours: Option<String>,
    water: Option<String>,
}

/// Draws a picture, and names the engine.
pub fn draw(args: &PreviewArgs, mut recipe: Recipe, size: Option<[u32; 2]>, mut style: Style) -> Result<(Picture, String), Failure> {
    let mut view = args.view.view(size.unwrap_or(SIZE));
    view.check().map_err(|error| Failure::new(USAGE, error))?;
    let mut names = names(args, &recipe)?;
    // A drainage gives the level of water over the heights that it traces.
    if let Some(Stage::Drainage(drainage)) = recipe.pipeline.stage.get(&names.heights)
        && let Input::Node(ground) = &drainage.of
    {
        style.sea = style.sea.or(drainage.sea.map(|sea| sea as f32));
        let filled = std::mem::replace(&mut names.heights, ground.clone());
        names.water.get_or_insert(filled);
    }
    // The picture has its own light.
    for stage in recipe.pipeline.stage.values_mut() {
        if let Stage::Colour(colour) = stage {
            colour.light = Input::Value(1.0);
        }
    }
    let longest = extent(args, &recipe).into_iter().fold(0.0, f64::max) / recipe.bake.spacing;
    let level = args.level.unwrap_or_else(|| (longest / SAMPLES).max(1.0).log2().ceil().min(40.0) as u32);
    let region = region(args, &recipe, level)?;
    let engine = job::engine(&args.engine)?;
    let wanted: Vec<&str> =
        [Some(&names.heights), names.colours.as_ref(), names.water.as_ref()].into_iter().flatten().map(String::as_str).collect();
    let cost = Cost::of_layers(&engine, &recipe.pipeline, &wanted, &region)?;
    // The surface, its pyramid and its light.
    Cost { bytes: cost.bytes + 64.0 * region.samples() as f64, ..cost }.allow(&args.engine)?;
    let pipeline = in_world(args, &engine, &recipe, &recipe.pipeline, &wanted, level)?;
    let layers = engine.layers(&pipeline, &wanted, &region)?;
    let layer = |name: &String| layers.iter().find(|layer| layer.name == *name);
    let heights: &Layer = &layers[0];
    let terrain = ViewedTerrain { heights, colours: names.colours.as_ref().and_then(layer), water: names.water.as_ref().and_then(layer) };
    view.exaggeration = Some(view.exaggeration.unwrap_or_else(|| terrain.exaggeration(style.sea)));
    let picture = perspective(&terrain, &style, &view).map_err(|error| Failure::new(DATA, error))?;
    let exaggeration = view.exaggeration.unwrap_or(1.0);
    let [width, height, _] = region.size;
    Ok((picture, format!("{}, {width}×{height} samples, exaggeration {exaggeration:.3}", engine.summary())))
}

/// The layers that are drawn.
fn names(args: &PreviewArgs, recipe: &Recipe) -> Result<Names, Failure> {
    let pipeline = &recipe.pipeline;
    let drawn = job::layer(recipe, &args.layer)?.to_owned();
    let heights = |option: &str, name: &Option<String>| match name {
        None => Ok(None),
        Some(name) => match pipeline.channels(name) {
            Ok(1) => Ok(Some(name.clone())),
            found => {
                let why = found.map_or_else(|_| "names no stage or node".to_owned(), |channels| format!("has {channels} channels"));
                Err(Failure::message(USAGE, format!("{option} {name} {why}; allowed: heights, which have one channel")))
            }
        },
    };
    let (given, water) = (heights("--heights", &args.view.heights)?, heights("--water", &args.view.water)?);
    match pipeline.channels(&drawn).unwrap_or(0) {
        // Other values than the heights, such as a mask, are drawn as colours of the ground.
        1 => match given.filter(|heights| *heights != drawn) {
            Some(heights) => Ok(Names { heights, colours: Some(drawn), water }),
            None => Ok(Names { heights: drawn, colours: None, water }),
        },
        4 => {
            let heights = given.or_else(|| first_heights(pipeline, &recipe.bake.layers)).ok_or_else(|| {
                let message = format!("--heights is missing: '{drawn}' has colours, and [bake] names no layer of heights");
                Failure::message(USAGE, format!("{message}; allowed: --heights NAME"))
            })?;
            Ok(Names { heights, colours: Some(drawn), water })
        }
        channels => {
            let message = format!("--layer {drawn} has {channels} channels; allowed with --relief: heights or colours");
            Err(Failure::message(USAGE, message))
        }
    }
}

/// The first layer of a bake with one channel.
pub fn first_heights(pipeline: &Pipeline, layers: &[String]) -> Option<String> {
    layers.iter().find(|name| pipeline.channels(name).ok() == Some(1)).cloned()
}
