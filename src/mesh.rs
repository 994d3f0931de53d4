//! Triangles: heights as terrain, and surfaces of density, caves and overhangs; for glTF, OBJ and PLY.
//!
//! | of | samples of a chunk | mesh |
//! |---|---|---|
//! | heights, a field or what stages make of it | [`terrain_chunk`] | [`terrain`] |
//! | a volume, solid where the density is above a level | [`chunk`] | [`surface`] |
//! | the same, cut off where its region ends | | [`solid`] |
//!
//! Chunks side by side have the same vertices along the border that they share.

mod net;
mod surface;
mod terrain;
mod thin;
mod write;

pub use surface::{chunk, solid, surface};
pub use terrain::{Terrain, terrain, terrain_chunk};

use crate::engine::EngineError;
use crate::region::RegionError;

/// Triangles, right-handed with y up as glTF has it: east is +x, up +y, south (the world's +y) +z.
#[derive(Clone, Debug, PartialEq)]
pub struct Mesh {
    /// World position from which the vertices are measured.
    pub anchor: [f64; 3],
    /// Vertices.
    pub positions: Vec<[f32; 3]>,
    /// Unit vectors that stand upright on the surface, out of what is solid.
    pub normals: Vec<[f32; 3]>,
    /// Three for each triangle, anticlockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
}

/// Why there is no mesh, or none can be written.
#[derive(Debug, thiserror::Error)]
pub enum MeshError {
    /// The density could not be evaluated.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The heights are no plane of samples.
    #[error(transparent)]
    Region(#[from] RegionError),
    /// Heights of which no terrain can be made.
    #[error("terrain: {what} {value} is not allowed; allowed: {allowed}")]
    Terrain {
        /// What is wrong.
        what: &'static str,
        /// What it is.
        value: String,
        /// What it may be.
        allowed: &'static str,
    },
    /// A level that is no number.
    #[error("surface: at = {value} is not allowed; allowed: a finite number")]
    Level {
        /// What it is.
        value: f64,
    },
    /// More than a file can say the length of.
    #[error("a mesh of {bytes} bytes cannot be written as binary glTF; allowed: less than 4 GiB (OBJ and PLY have no such limit)")]
    Large {
        /// Bytes of the file.
        bytes: u64,
    },
    /// There is nothing to write.
    #[error("a mesh without triangles cannot be written as glTF; allowed: one or more triangles")]
    Empty,
    /// The mesh could not be written as JSON.
    #[error("glTF: {0}")]
    Text(#[from] serde_json::Error),
}
