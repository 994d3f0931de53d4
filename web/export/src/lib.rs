//! Noises as source code: the WebAssembly module behind `orogen/export` and behind the exports of the studio as a static page.

use js_sys::{Function, Uint8Array};
use orogen::export::{ExportOptions, Language, Storage, Table, export};
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

/// A noise as functions in WGSL whose numbers are in buffers, for `orogen/webgpu`.
#[wasm_bindgen]
pub struct Shader {
    text: String,
    shape: String,
    tables: Vec<Table>,
}

#[wasm_bindgen]
impl Shader {
    /// The functions `orogen_value` and `orogen_jet` of a position relative to the anchor, with the declarations of their buffers.
    pub fn text(&self) -> String {
        self.text.clone()
    }

    /// Noises of one shape have one text, and differ in their buffers.
    pub fn shape(&self) -> String {
        self.shape.clone()
    }

    /// The bindings of the buffers in group 0.
    pub fn bindings(&self) -> Vec<u32> {
        self.tables.iter().map(|table| table.binding).collect()
    }

    /// The contents of a buffer, by its place in `bindings`; empty beyond the last.
    pub fn words(&self, at: usize) -> Vec<u32> {
        self.tables.get(at).map(|table| table.words.clone()).unwrap_or_default()
    }
}

/// Writes a noise as a shader. Arguments are those of `exported`.
#[wasm_bindgen]
pub fn shader(noise: &str, bytes: &Function, anchor: &[f64]) -> Result<Shader, JsError> {
    let noise = read(noise, bytes)?;
    let options = ExportOptions { anchor: position(anchor)?, storage: Storage::Buffer, ..ExportOptions::default() };
    let exported = export(&noise, &options).map_err(raised)?;
    let text = exported.text().map(str::to_owned).ok_or_else(|| JsError::new(NO_TEXT))?;
    Ok(Shader { text, shape: exported.shape, tables: exported.tables })
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
