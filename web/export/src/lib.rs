//! Noises as source code: the WebAssembly module behind `orogen/export` and behind the exports of the studio as a static page.

mod plane;

use js_sys::{Function, Uint8Array};
use orogen::export::{ExportOptions, Language, export};
use orogen::node::{HeightsFile, Node};
use orogen::{Graph, Noise};
use wasm_bindgen::prelude::*;

/// The languages that are text, by the names of `orogen export --lang`.
const LANGUAGES: [(&str, Language); 9] = [
    ("wgsl", Language::Wgsl),
    ("hlsl", Language::Hlsl),
    ("glsl", Language::Glsl),
    ("msl", Language::Msl),
    ("glsl-es", Language::GlslEs),
    ("godot", Language::Godot),
    ("unity", Language::Unity),
    ("unreal", Language::Unreal),
    ("js", Language::Js),
];

/// Writes a noise in a language. The noise is JSON; `bytes` returns the bytes of a file of heights that it names, or `undefined`. `name`
/// stands in the comment at the top, `prefix` before all names of the text. `anchor` is the world position of position 0, 0, 0.
#[wasm_bindgen]
pub fn exported(noise: &str, bytes: &Function, language: &str, name: &str, prefix: &str, anchor: &[f64]) -> Result<String, JsError> {
    let names = || LANGUAGES.map(|(name, _)| name).join(", ");
    let found = LANGUAGES.into_iter().find(|(name, _)| *name == language);
    let (_, language) = found.ok_or_else(|| refused("language", language, &names()))?;
    let anchor = position(anchor)?;
    let noise = read(noise, bytes)?;
    let options = ExportOptions { language, anchor, prefix: prefix.to_owned(), name: name.to_owned(), ..ExportOptions::default() };
    let exported = export(&noise, &options).map_err(raised)?;
    exported.text().map(str::to_owned).ok_or_else(|| JsError::new(NO_TEXT))
}

const NO_TEXT: &str = "a bug in Orogen: the export is not text";

fn position(anchor: &[f64]) -> Result<[f64; 3], JsError> {
    anchor.try_into().map_err(|_| refused("anchor", &format!("{} numbers", anchor.len()), "3 numbers"))
}

fn raised(error: impl std::fmt::Display) -> JsError {
    JsError::new(&error.to_string())
}

fn refused(what: &str, value: &str, allowed: &str) -> JsError {
    JsError::new(&format!("{what} = {value} is not allowed; allowed: {allowed}"))
}

fn read(noise: &str, bytes: &Function) -> Result<Noise, JsError> {
    let mut graph: Graph = serde_json::from_str(noise).map_err(raised)?;
    for node in graph.node.values_mut() {
        if let Node::Raster(raster) = node {
            let name = raster.heights.name();
            let found =
                bytes.call1(&JsValue::UNDEFINED, &JsValue::from_str(&name)).ok().and_then(|found| found.dyn_into::<Uint8Array>().ok());
            if let Some(found) = found {
                raster.heights = HeightsFile::new(name).decode(&found.to_vec()).map_err(raised)?;
            }
        }
    }
    let noise = Noise::from(graph);
    noise.check().map_err(raised)?;
    Ok(noise)
}
