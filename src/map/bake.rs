//! A map from a request: bakes the samples into a folder inside the map's folder, and makes the map from them.

use super::{Map, MapReport, SAMPLES, make};
use crate::bake::{
    Address, BakeError, Baked, Cost, Format, LayerOptions, Outcome, Plan, PlanError, Progress, Request, Step, measure_ranges,
};
use crate::engine::Engine;
use crate::error::LayersError;
use std::path::Path;

/// Bakes the samples of a request into `out/samples` without loss, and makes a map of them in `out`. To continue after an
/// interruption, repeat the call.
///
/// The request must not have a format or a range, since the map determines both. Memory is that of the bake, then that of [`make`].
///
/// # Errors
/// Returns an error if:
/// - [`Request::resolve`] or [`Map::check`] refuses the request
/// - the request has a destination, a format or a range
/// - `out` is a URL, or a folder with foreign files
/// - the map cannot hold the heights, which is checked before the bake
/// - the device fails, or reading or writing a file fails
pub fn bake(map: &Map, request: &Request, engine: &Engine, out: &Path, progress: &dyn Progress) -> Result<(Outcome, MapReport), BakeError> {
    let address = Address::of(out);
    if !matches!(address, Address::Folder(_)) || address.is_planned() {
        return Err(address.refuse("is not allowed for a map; allowed: a folder that holds nothing else".to_owned()));
    }
    let refuse = |what, value: String, allowed: &str| Err(BakeError::from(PlanError::map(what, value, allowed.to_owned())));
    if let Some(destination) = request.options.destination.or(request.recipe.bake.destination) {
        return refuse("for", destination.to_string(), "the format of a map, or a destination, not both");
    }
    if let Some(format) = request.options.format {
        return refuse("format", format.name().to_owned(), "none: samples of a map are kept as they are");
    }
    if let Some(range) = request.options.range {
        return refuse("range", range.to_string(), "none: samples of a map are kept as they are");
    }
    let (request, layers) = samples(map, request)?;
    let plan = request.resolve()?.plan;
    let named: Vec<(&str, usize)> = layers.iter().map(|(layer, channels)| (layer.as_str(), *channels)).collect();
    map.check(&plan, &named, out)?;
    let folder = out.join(SAMPLES);
    if folder.is_symlink() {
        return Err(BakeError::NotOurs { path: folder });
    }
    if !request.options.force {
        let names: Vec<&str> = named.iter().map(|(layer, _)| *layer).collect();
        let tile = plan.region((plan.tiles.x.start, plan.tiles.y.start));
        Cost::of_layers(engine, &request.recipe.pipeline, &names, &tile)?.times(plan.count()).check()?;
    }
    // If the folder exists, an earlier call has checked the heights. `make` checks the records of the bake again.
    if !folder.exists() {
        check_heights(map, &request, engine, &plan, named[0].0, progress)?;
    }
    let outcome = request.bake(engine, &folder, progress)?;
    progress.step(&Step::Mapping);
    let made = make(map, &Baked::open(&folder)?, &plan.tiles, out, progress)?;
    Ok((outcome, made))
}

/// The request for the samples of a map, with exact values and 8-bit colours, and its layers with their channels.
#[cfg_attr(not(feature = "mesh"), expect(unused_variables, reason = "only meshes take the heights alone"))]
fn samples(map: &Map, request: &Request) -> Result<(Request, Vec<(String, usize)>), BakeError> {
    let mut request = request.clone();
    request.options.overview = false;
    if request.options.layers.is_empty() {
        let recipe = &request.recipe;
        // Meshes are made from the heights alone.
        #[cfg(feature = "mesh")]
        let heights_alone = matches!(map, Map::Meshes(_));
        #[cfg(not(feature = "mesh"))]
        let heights_alone = false;
        let further: &[String] = if heights_alone { &[] } else { &recipe.bake.layers };
        request.options.layers = std::iter::once(&recipe.pipeline.output).chain(further).map(LayerOptions::from).collect();
    }
    let mut layers = Vec::new();
    for layer in &mut request.options.layers {
        let channels = request.recipe.pipeline.channels(&layer.layer).map_err(LayersError::from)?;
        layer.format = Some(if channels == 1 { Format::Npy } else { Format::Png8 });
        layers.push((layer.layer.clone(), channels));
    }
    Ok((request, layers))
}

/// Refuses heights that the map cannot hold. Measures the heights unless their proven range fits.
fn check_heights(
    map: &Map,
    request: &Request,
    engine: &Engine,
    plan: &Plan,
    layer: &str,
    progress: &dyn Progress,
) -> Result<(), BakeError> {
    let pipeline = &request.recipe.pipeline;
    let proven = match pipeline.is_noise(layer) {
        true => pipeline.noise_of(layer).ok().and_then(|noise| noise.range().ok()),
        false => pipeline.range(layer),
    };
    if map.holds().is_none() || proven.is_some_and(|range| map.check_heights([range.lo, range.hi]).is_ok()) {
        return Ok(());
    }
    progress.step(&Step::Measuring { what: "the heights first, in a pass of their own: nothing proves that they fit".to_owned() });
    let pipeline = engine.measure(pipeline, &[layer], &request.resolve()?.world_regions())?;
    let found = measure_ranges(engine, &pipeline, &[layer], plan, &mut ())?;
    found.first().map_or(Ok(()), |range| map.check_heights([range.lo, range.hi]))
}
