//! Triangles: heights as terrain, and surfaces of density, caves and overhangs; for glTF, OBJ and PLY.
//!
//! | of | samples of a chunk | mesh |
//! |---|---|---|
//! | heights, a field or what stages make of it | [`terrain_chunk`] | [`terrain`] |
//! | a volume, solid where the density is a level or more | [`chunk`] | [`surface`]; of many: [`Surfaces`] |
//! | the same, cut off where its region ends | | [`solid`] |
//!
//! Chunks side by side have the same vertices along the border that they share. Of the same part of the world with larger cells,
//! [`coarser_terrain_chunk`] and [`coarser_chunk`] give the samples.

mod cell;
mod chunk;
mod net;
mod surface;
mod terrain;
mod thin;
mod write;

pub use chunk::{chunk, coarser_chunk, coarser_terrain_chunk, terrain_chunk};
pub use surface::{Surfaces, solid, surface};
pub use terrain::{Terrain, terrain, terrain_until};

use crate::engine::EngineError;
use crate::not_allowed::NotAllowed;
use crate::region::RegionError;
use crate::stop::Stopped;

/// Triangles. All vectors, the anchor's included, are right-handed with y up as in glTF: `[east, up, south]`, of which east is the world's +x,
/// up its +z and south its +y. Every vertex belongs to a triangle.
///
/// ```
/// # use orogen::mesh::Mesh;
/// /// A vertex in the world's axes, z up.
/// fn in_world(mesh: &Mesh, vertex: usize) -> [f64; 3] {
///     let [east, up, south] = [0, 1, 2].map(|axis| mesh.anchor[axis] + f64::from(mesh.positions[vertex][axis]));
///     [east, south, up]
/// }
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// The origin of positions, in world units.
    pub anchor: [f64; 3],
    /// Vertices, in world units from the anchor.
    pub positions: Vec<[f32; 3]>,
    /// Unit vectors that stand upright on the surface, out of what is solid.
    pub normals: Vec<[f32; 3]>,
    /// Three for each triangle, anticlockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
}

/// Why there is no mesh, or none can be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MeshError {
    /// The density could not be evaluated.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The heights are no plane of samples.
    #[error(transparent)]
    Region(#[from] RegionError),
    /// Heights of which no terrain can be made.
    #[error("terrain: {0}")]
    Terrain(NotAllowed),
    /// Samples of which no surface can be made.
    #[error("surface: {0}")]
    Samples(NotAllowed),
    /// A level that is no number.
    #[error("surface: {0}")]
    Level(NotAllowed),
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

impl From<Stopped> for MeshError {
    fn from(stopped: Stopped) -> Self {
        EngineError::from(stopped).into()
    }
}
