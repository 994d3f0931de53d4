//! Heights and surfaces of volumes as triangles.

use crate::engine::Engine;
use crate::error::{raised, refused};
use crate::noise::Noise;
use crate::region::{numbers, region, whole};
use orogen::Layer;
use orogen::mesh::{self, Terrain};
use wasm_bindgen::prelude::*;

/// A triangle mesh with y up, as in glTF and three.js.
#[wasm_bindgen]
pub struct Mesh(mesh::Mesh);

#[wasm_bindgen]
impl Mesh {
    /// Three numbers for each vertex, relative to the anchor.
    pub fn positions(&self) -> Vec<f32> {
        self.0.positions.as_flattened().to_vec()
    }

    /// Three numbers for each vertex, of length 1.
    pub fn normals(&self) -> Vec<f32> {
        self.0.normals.as_flattened().to_vec()
    }

    /// Three indices for each triangle.
    pub fn triangles(&self) -> Vec<u32> {
        self.0.triangles.as_flattened().to_vec()
    }

    /// The origin of positions in world units: east, up, south.
    pub fn anchor(&self) -> Vec<f64> {
        self.0.anchor.to_vec()
    }

    /// The mesh as a binary glTF file.
    pub fn glb(&self) -> Result<Vec<u8>, JsError> {
        self.0.glb().map_err(raised)
    }
}

/// Heights as triangles. The outermost values of the region only determine the normals at the border.
#[wasm_bindgen]
pub fn terrain(heights: Vec<f32>, samples: &[f64], error: f64, skirt: f64) -> Result<Mesh, JsError> {
    let region = region(samples)?;
    if heights.len() as u64 != region.samples() {
        return Err(refused("heights: numbers", heights.len(), &format!("{}, one for each sample", region.samples())));
    }
    let layer = Layer { name: String::new(), region, channels: 1, values: heights };
    mesh::terrain(&layer, &Terrain { error, skirt }).map(Mesh).map_err(raised)
}

/// The surface of the part of a volume where the density is at least `at`; with `walls` closed at the borders of the region.
#[wasm_bindgen]
pub fn surface(engine: &Engine, density: &Noise, samples: &[f64], at: f64, walls: bool) -> Result<Mesh, JsError> {
    let find = if walls { mesh::solid } else { mesh::surface };
    find(&engine.0, &density.0, &region(samples)?, at).map(Mesh).map_err(raised)
}

/// The numbers of the region of a chunk of `cells`² cells, for `terrain`. Neighbouring chunks meet without a crack.
#[wasm_bindgen]
pub fn terrain_chunk(x: f64, y: f64, cells: u32, levels: u32) -> Result<Vec<f64>, JsError> {
    let bounds = [-f64::from(1 << 30), f64::from(1 << 30)];
    let chunk = mesh::terrain_chunk([whole("x", x, bounds)? as i64, whole("y", y, bounds)? as i64], cells);
    mesh::coarser_terrain_chunk(&chunk, levels).map(|chunk| numbers(&chunk)).map_err(raised)
}
