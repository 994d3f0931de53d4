//! Surfaces of volumes as triangles, for the relief of a noise that is solid where it is high.

use crate::open_recipe::OpenRecipe;
use crate::refusal::{Ended, Refusal};
use crate::samples::allow;
use crate::waits::Waits;
use orogen::mesh::{self, Mesh, MeshError};
use orogen::{Engine, Region};
use serde::Deserialize;

/// Maximum number of samples along an edge of a cube.
const MOST_EDGE: u32 = 129;

/// A cube of samples that begins at (x, y, z) · spacing, and the level of its surface.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct Cube {
    x: i64,
    y: i64,
    z: i64,
    size: u32,
    spacing: f64,
    at: f64,
}

/// The surface of a node's noise, as bytes.
pub(crate) fn surface(engine: &Engine, known: &OpenRecipe, name: &str, cube: Cube, waits: &Waits) -> Result<Vec<u8>, Ended> {
    let Cube { x, y, z, size, spacing, at } = cube;
    if !(2..=MOST_EDGE).contains(&size) {
        return Err(Refusal::bad(format!("size = {size} is not allowed; allowed: 2 to {MOST_EDGE} samples")).into());
    }
    if !at.is_finite() {
        return Err(Refusal::bad(format!("at = {at} is not allowed; allowed: a number")).into());
    }
    let region = Region { origin: [x, y, z], size: [size; 3], spacing, ..Region::plane(1, 1) };
    let noise = known.recipe.pipeline.noise_of(name).map_err(Refusal::bad)?;
    let samples = f64::from(size) * f64::from(size) * f64::from(size);
    allow(samples * known.prepared(engine, name)?.terms() as f64)?;
    match mesh::solid(&engine.stopped_by(waits.stop()), &noise, &region, at) {
        Ok(found) => Ok(bytes(&found)),
        Err(MeshError::Engine(error)) => Err(error.into()),
        Err(error) => Err(Refusal::bad(error).into()),
    }
}

/// Little-endian: number of vertices, number of triangles, vertices, normals, triangles.
fn bytes(mesh: &Mesh) -> Vec<u8> {
    let Mesh { positions, normals, triangles, .. } = mesh;
    let counts = [positions.len() as u32, triangles.len() as u32].map(u32::to_le_bytes);
    let numbers = positions.iter().chain(normals).flatten().map(|x| x.to_le_bytes());
    let corners = triangles.iter().flatten().map(|corner| corner.to_le_bytes());
    counts.into_iter().chain(numbers).chain(corners).flatten().collect()
}
