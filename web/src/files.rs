//! Files of the caller, for recipes that name them.

use js_sys::{Function, Uint8Array};
use orogen::RecipeReader;
use orogen::node::HeightsError;
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

fn found(bytes: &Function, name: &str) -> Option<Vec<u8>> {
    let found = bytes.call1(&JsValue::UNDEFINED, &JsValue::from_str(name)).ok()?;
    Some(found.dyn_into::<Uint8Array>().ok()?.to_vec())
}
