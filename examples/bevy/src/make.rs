//! A chunk's mesh: the work of tasks.

use crate::convert::bevy_mesh;
use crate::ground::GroundError;
use crate::settings::TerrainSettings;
use bevy_mesh::Mesh;
use orogen::Region;
use orogen::mesh::{terrain, terrain_chunk};
use std::fmt;
use std::sync::Arc;

/// A step applied to every chunk's mesh in the background. Clones are the same step.
///
/// ```
/// use bevy_mesh::Mesh;
/// // Green at any height.
/// let finish = orogen_bevy::Finish::new(|mesh, _chunk| {
///     let colours = vec![[0.2_f32, 0.5, 0.1, 1.0]; mesh.count_vertices()];
///     mesh.insert_attribute(Mesh::ATTRIBUTE_COLOR, colours);
/// });
/// ```
#[derive(Clone)]
pub struct Finish(Arc<dyn Fn(&mut Mesh, [i64; 2]) + Send + Sync>);

impl Finish {
    /// A function that modifies the mesh of a chunk.
    pub fn new(finish: impl Fn(&mut Mesh, [i64; 2]) + Send + Sync + 'static) -> Self {
        Finish(Arc::new(finish))
    }

    /// Whether two are clones of one.
    pub(crate) fn is(&self, other: &Finish) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl fmt::Debug for Finish {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Finish").finish_non_exhaustive()
    }
}

/// The mesh of a chunk, relative to its corner.
pub(crate) fn make(settings: &TerrainSettings, at: [i64; 2]) -> Result<Mesh, GroundError> {
    let region = Region { spacing: settings.spacing, ..terrain_chunk(at, settings.cells) };
    let heights = settings.ground.heights(&region)?;
    let mut mesh = bevy_mesh(terrain(&heights, &settings.mesh)?, settings.edge(), settings.usages);
    if let Some(finish) = &settings.finish {
        (finish.0)(&mut mesh, at);
    }
    Ok(mesh)
}
