//! Files of the caller, for recipes that name them.

use js_sys::{Function, Map, Uint8Array};
use orogen::node::{HeightsError, HeightsFile, Node};
use orogen::{Noise, Pipeline, RecipeReader};
use wasm_bindgen::{JsCast, JsValue};

/// A reader of recipes whose files `bytes` returns by name, or `undefined`. `missing` is the message about a file that it does not
/// have.
pub fn reader<'a>(bytes: &'a Function, missing: impl Fn(&str) -> String + Copy + 'a) -> RecipeReader<'a> {
    let heights = move |name: &str| found(bytes, name).ok_or_else(|| HeightsError::Format(missing(name)));
    RecipeReader::new().heights(move |file| file.decode(&heights(&file.name)?)).recipes(move |name| text(bytes, name, missing))
}

/// The text of a recipe in a file.
///
/// # Errors
/// Returns a message if there is no such file, or if it is not text.
pub fn text(bytes: &Function, name: &str, missing: impl Fn(&str) -> String) -> Result<String, String> {
    String::from_utf8(found(bytes, name).ok_or_else(|| missing(name))?).map_err(|_| "is not UTF-8 text".to_owned())
}

/// A pipeline whose heights have names, and the files of those names: their bytes, as a `Map`.
pub fn portable(pipeline: impl Into<Pipeline>) -> (Pipeline, Map) {
    let saved = orogen::Recipe::new(pipeline).to_save("");
    let files = Map::new();
    for (name, bytes) in &saved.files {
        files.set(&name.into(), &Uint8Array::from(&bytes[..]));
    }
    (saved.recipe.pipeline, files)
}

/// A noise as JSON, and the files of heights that it names, as of [`portable`].
///
/// # Errors
/// Returns a message if the noise has no JSON.
pub fn portable_noise(noise: &Noise) -> Result<(String, Map), String> {
    let (pipeline, files) = portable(noise.clone());
    let noise = pipeline.noise_of(&pipeline.output).map_err(|error| error.to_string())?;
    Ok((serde_json::to_string(&noise).map_err(|error| error.to_string())?, files))
}

/// Reads the heights of nodes from the files that `bytes` returns by name. Nodes whose file it does not have stay as they are.
///
/// # Errors
/// Returns an error for a file that is not one of heights.
pub fn fill<'a>(nodes: impl Iterator<Item = &'a mut Node>, bytes: &Function) -> Result<(), HeightsError> {
    for node in nodes {
        let Node::Raster(raster) = node else { continue };
        let name = raster.heights.name();
        if let Some(found) = found(bytes, &name) {
            raster.heights = HeightsFile::new(name).decode(&found)?;
        }
    }
    Ok(())
}

fn found(bytes: &Function, name: &str) -> Option<Vec<u8>> {
    let found = bytes.call1(&JsValue::UNDEFINED, &JsValue::from_str(name)).ok()?;
    Some(found.dyn_into::<Uint8Array>().ok()?.to_vec())
}
