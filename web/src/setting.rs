//! Values of parameters, which arrive as JSON.

use crate::error::refused;
use orogen::Setting;
use wasm_bindgen::prelude::*;

/// A setting from JSON; `what` is its path for messages.
pub(crate) fn setting(what: &str, json: &str) -> Result<Setting, JsError> {
    serde_json::from_str(json).map_err(|_| refused(what, json, "a number, a boolean, a word, a list of numbers, vectors or points"))
}
