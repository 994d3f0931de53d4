//! Files of the caller, for recipes that name them.

use js_sys::{Function, Map, Uint8Array};
use orogen::node::HeightsError;
use orogen::{Noise, RecipeReader};
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

/// A noise as JSON, and the files of heights that it names: their bytes by their names, as a `Map`.
pub fn portable(noise: &Noise) -> Result<(String, Map), String> {
    let saved = orogen::Recipe::new(noise.clone()).to_save("");
    let files = Map::new();
    for (name, bytes) in &saved.files {
        files.set(&name.into(), &Uint8Array::from(&bytes[..]));
    }
    let pipeline = saved.recipe.pipeline;
    let noise = pipeline.noise_of(&pipeline.output).map_err(|error| error.to_string())?;
    Ok((serde_json::to_string(&noise).map_err(|error| error.to_string())?, files))
}

fn found(bytes: &Function, name: &str) -> Option<Vec<u8>> {
    let found = bytes.call1(&JsValue::UNDEFINED, &JsValue::from_str(name)).ok()?;
    Some(found.dyn_into::<Uint8Array>().ok()?.to_vec())
}
