//! Surfaces of volumes as triangles, for the relief of a noise that is solid where it is high.

use super::Studio;
use super::compute::{Ended, Priority};
use super::refusal::ErrorResponse;
use super::samples::allow;
use axum::body::Bytes;
use axum::extract::{Path, Query, State};
use axum::http::header;
use axum::response::IntoResponse;
use orogen::Region;
use orogen::mesh::{self, Mesh, MeshError};
use serde::Deserialize;
use std::sync::Arc;

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

/// `GET /api/surface/{id}/{layer}`.
pub async fn surface(
    State(studio): State<Arc<Studio>>,
    Path((id, name)): Path<(String, String)>,
    Query(cube): Query<Cube>,
) -> Result<impl IntoResponse, ErrorResponse> {
    let known = studio.shelf.get(&id)?;
    let Cube { x, y, z, size, spacing, at } = cube;
    if !(2..=MOST_EDGE).contains(&size) {
        return Err(ErrorResponse::bad(format!("size = {size} is not allowed; allowed: 2 to {MOST_EDGE} samples")));
    }
    if !at.is_finite() {
        return Err(ErrorResponse::bad(format!("at = {at} is not allowed; allowed: a number")));
    }
    let region = Region { origin: [x, y, z], size: [size; 3], spacing, ..Region::plane(1, 1) };
    let work = studio.compute(Priority::Normal, move |engine, waits| {
        let noise = known.recipe.pipeline.noise_of(&name).map_err(ErrorResponse::bad)?;
        allow(f64::from(size).powi(3) * known.prepared(engine, &name)?.terms() as f64)?;
        let found = mesh::solid(&engine.stopped_by(waits.stop()), &noise, &region, at);
        found.map_err(|error| match error {
            MeshError::Engine(error) => Ended::from(error),
            error => ErrorResponse::bad(error).into(),
        })
    });
    Ok(([(header::CONTENT_TYPE, "application/octet-stream")], Bytes::from(bytes(&work.await?))))
}

/// Little-endian: number of vertices, number of triangles, vertices, normals, triangles.
fn bytes(mesh: &Mesh) -> Vec<u8> {
    let Mesh { positions, normals, triangles, .. } = mesh;
    let counts = [positions.len() as u32, triangles.len() as u32].map(u32::to_le_bytes);
    let numbers = positions.iter().chain(normals).flatten().map(|x| x.to_le_bytes());
    let corners = triangles.iter().flatten().map(|corner| corner.to_le_bytes());
    counts.into_iter().chain(numbers).chain(corners).flatten().collect()
}
