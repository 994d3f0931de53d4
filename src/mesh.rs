//! Triangles: heights as terrain, and surfaces of density, caves and overhangs; for glTF, OBJ and PLY.
//!
//! | of | samples of a chunk | mesh |
//! |---|---|---|
//! | heights, a field or the output of stages | [`terrain_chunk`] | [`terrain`] |
//! | a volume, solid where the density is a level or more | [`chunk`] | [`surface`]; for many: [`Surfaces`] |
//! | the same, closed at the borders of its region | | [`solid`] |
//!
//! Neighbouring chunks have the same vertices along their common border. [`coarser_terrain_chunk`] and [`coarser_chunk`] give the
//! samples for larger cells in the same part of the world.

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

use crate::error::EngineError;
use crate::not_allowed::NotAllowed;
use crate::region::RegionError;
use crate::stop::Stopped;

/// A triangle mesh. All vectors, including the anchor, are right-handed with y up as in glTF: `[east, up, south]`, where east is
/// the world's +x, up its +z and south its +y. Every vertex belongs to a triangle.
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
    /// Vertices, relative to the anchor, in world units.
    pub positions: Vec<[f32; 3]>,
    /// Unit normals of the surface, which point out of the solid.
    pub normals: Vec<[f32; 3]>,
    /// Three indices per triangle, anticlockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
}

/// The reason why there is no mesh, or why it cannot be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MeshError {
    /// The density could not be evaluated.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The heights are not a plane of samples.
    #[error(transparent)]
    Region(#[from] RegionError),
    /// The heights are invalid for a terrain.
    #[error("terrain: {0}")]
    Terrain(NotAllowed),
    /// The samples are invalid for a surface.
    #[error("surface: {0}")]
    Samples(NotAllowed),
    /// The level is not a number.
    #[error("surface: {0}")]
    Level(NotAllowed),
    /// The file would exceed the range of its length field.
    #[error("a mesh of {bytes} bytes cannot be written as binary glTF; allowed: less than 4 GiB (OBJ and PLY have no such limit)")]
    Large {
        /// Bytes of the file.
        bytes: u64,
    },
    /// The mesh is empty.
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
