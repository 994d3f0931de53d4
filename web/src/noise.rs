//! Noises.

use crate::error::{raised, refused};
use crate::setting::setting;
use orogen::node::Node;
use wasm_bindgen::prelude::*;

/// A noise.
#[wasm_bindgen]
pub struct Noise(pub(crate) orogen::Noise);

#[wasm_bindgen]
impl Noise {
    /// A noise with the same value at every position.
    pub fn constant(value: f64) -> Result<Noise, JsError> {
        Noise::checked(orogen::Noise::constant(value))
    }

    /// This noise with a name for its last node.
    pub fn named(&self, name: &str) -> Result<Noise, JsError> {
        Noise::checked(self.0.clone().named(name))
    }

    /// Changes a live parameter by its path, `node.parameter`. The value is JSON.
    pub fn set(&mut self, path: &str, value: &str) -> Result<(), JsError> {
        let mut changed = self.0.clone();
        changed.set(path, setting(path, value)?).map_err(raised)?;
        changed.check().map_err(raised)?;
        self.0 = changed;
        Ok(())
    }

    /// The value of a parameter by its path, as JSON; `undefined` if it is not set.
    pub fn get(&self, path: &str) -> Result<Option<String>, JsError> {
        let found = self.0.get(path).map_err(raised)?;
        found.map(|setting| serde_json::to_string(&setting).map_err(raised)).transpose()
    }

    /// Proven lower and upper bounds of all values.
    pub fn range(&self) -> Result<Vec<f64>, JsError> {
        let range = self.0.range().map_err(raised)?;
        Ok(vec![range.lo, range.hi])
    }
}

#[cfg(feature = "recipes")]
#[wasm_bindgen]
impl Noise {
    /// A noise from JSON: `{"output": …, "node": {…}}`. `bytes` returns the bytes of files of heights by name, or `undefined`.
    pub fn parse(text: &str, bytes: &js_sys::Function) -> Result<Noise, JsError> {
        let mut graph: orogen::Graph = serde_json::from_str(text).map_err(raised)?;
        crate::files::fill(graph.node.values_mut(), bytes).map_err(raised)?;
        Noise::checked(orogen::Noise::from(graph))
    }

    /// The noise as JSON, which `parse` reads.
    pub fn json(&self) -> Result<String, JsError> {
        serde_json::to_string(&self.0).map_err(raised)
    }

    /// The noise for another module: its JSON, and a `Map` with the bytes of the files of heights that the JSON names.
    pub fn portable(&self) -> Result<js_sys::Array, JsError> {
        let (json, files) = crate::files::portable_noise(&self.0).map_err(raised)?;
        Ok(js_sys::Array::of2(&json.into(), &files))
    }
}

#[cfg(feature = "places")]
#[wasm_bindgen]
impl Noise {
    /// A copy, for functions that take a noise over.
    pub fn copy(&self) -> Noise {
        Noise(self.0.clone())
    }
}

impl Noise {
    fn checked(noise: orogen::Noise) -> Result<Noise, JsError> {
        noise.check().map_err(raised)?;
        Ok(Noise(noise))
    }
}

/// A node of any kind whose parameters are being set.
#[wasm_bindgen]
pub struct NodeOfKind {
    node: Node,
    inputs: Vec<(String, orogen::Noise)>,
}

#[wasm_bindgen]
impl NodeOfKind {
    /// A node with default parameters.
    #[wasm_bindgen(constructor)]
    pub fn new(kind: &str) -> Result<NodeOfKind, JsError> {
        let kinds = || Node::TABLE.iter().map(|row| row.kind).collect::<Vec<_>>().join(", ");
        let node = Node::of_kind(kind).ok_or_else(|| refused("kind", format!("'{kind}'"), &kinds()))?;
        Ok(NodeOfKind { node, inputs: Vec::new() })
    }

    /// Sets a parameter; the value is JSON.
    pub fn set(&mut self, param: &str, value: &str) -> Result<(), JsError> {
        let what = format!("node '{}': {param}", self.node.info().kind);
        self.node.set(param, setting(&what, value)?).map_err(raised)
    }

    /// Sets an input.
    pub fn input(&mut self, param: &str, noise: &Noise) {
        self.inputs.push((param.to_owned(), noise.0.clone()));
    }

    /// The noise of the node over its inputs.
    pub fn finish(mut self) -> Result<Noise, JsError> {
        // In the table's order: the first input keeps the names of its nodes.
        let place = |name: &str| self.node.info().params.iter().position(|param| param.name == name);
        self.inputs.sort_by_key(|(name, _)| place(name));
        let inputs: Vec<(&str, &orogen::Noise)> = self.inputs.iter().map(|(name, noise)| (name.as_str(), noise)).collect();
        Noise::checked(orogen::Noise::join(self.node, &inputs).map_err(raised)?)
    }
}
