//! `orogen places --rules`: several kinds that keep apart.

use super::args::{Area, PlaceListArg, PlacesArgs};
use super::cost::Limited;
use super::counted::Counted;
use super::exit::{DATA, Failure, USAGE};
use super::job;
use super::out::{print, write};
use super::output;
use orogen::bake::request::Cost;
use orogen::scatter::{PlaceError, PlaceList, PlaceRules};
use orogen::{Recipe, Region, limits};
use std::path::Path;

/// The lists that an engine reads, or those for all other programs.
fn lists(engine: Option<PlaceListArg>) -> &'static [PlaceList] {
    match engine {
        None => &[PlaceList::Csv, PlaceList::Geojson],
        Some(PlaceListArg::Unreal) => &[PlaceList::Unreal],
        Some(PlaceListArg::Unity) => &[PlaceList::Unity],
        Some(PlaceListArg::Godot) => &[PlaceList::Godot],
    }
}

pub fn run(args: &PlacesArgs, file: &Path, recipe: &Recipe, Area { low, high }: Area) -> Result<(), Failure> {
    let list = output::format(&args.output, lists(args.list).iter().map(|list| (list.ending(), *list)))?;
    let text = limits::read_text(file, limits::RECIPE).map_err(|error| Failure::file(file, &error))?;
    let refused = |error: PlaceError| Failure::message(DATA, format!("{}: {error}", file.display()));
    let rules = PlaceRules::from_toml(&text).map_err(refused)?;
    let (pipeline, bake) = (&recipe.pipeline, &recipe.bake);
    let heights = job::layer(recipe, &args.heights)?;
    let engine = job::engine(&args.engine)?;
    let mut layers = rules.layers();
    layers.push(heights);
    for name in &layers {
        pipeline.channels(name).map_err(|error| Failure::message(USAGE, format!("{}: {error}", file.display())))?;
    }
    let count = rules.candidates(low, high);
    let grid = Region { spacing: bake.spacing, anchor: [0.0, 0.0, bake.z], ..Region::plane(257, 257) };
    let tiles = [0, 1].map(|a| ((high[a] - low[a]) / (256.0 * bake.spacing)).ceil() + 1.0);
    let of_tile =
        Cost::of_layers(&engine, pipeline, &layers, &grid)?.times((tiles[0] * tiles[1]).min(1e15) as u64 * rules.kinds.len() as u64);
    Cost { evaluations: of_tile.evaluations + 100.0 * count, bytes: of_tile.bytes + 512.0 * count, ..of_tile }.allow(&args.engine)?;
    let size = bake.tiles.map(|tiles| tiles.saturating_mul(bake.tile));
    let world = Region { size: [size[0], size[1], 1], ..grid };
    let measured = engine.measure(pipeline, &layers, &[world])?;
    let places = rules.places(&engine, &measured, &world, heights, low, high).map_err(|error| match error {
        PlaceError::Layers(error) => error.into(),
        error => refused(error),
    })?;
    write(&args.output, rules.list(&places, list))?;
    print(format_args!("{}: {} of {}", args.output.display(), Counted(places.len(), "place"), Counted(rules.kinds.len(), "kind")))?;
    Ok(())
}
