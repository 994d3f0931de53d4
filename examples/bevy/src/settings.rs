//! Settings of the ground.

use crate::ground::Ground;
use crate::make::Finish;
use bevy_asset::RenderAssetUsages;
use bevy_ecs::prelude::Resource;
use orogen::mesh::Terrain;

/// Maximum radius: 200,000 chunks.
const FARTHEST: u32 = 256;

/// The ground and its extent. Without this resource there is no ground. It may change at any time: another ground, error or
/// finish replaces the chunks one by one, without holes in the meantime. Other cells or another spacing start over. The other
/// settings apply from then on.
#[derive(Resource, Clone, Debug)]
pub struct TerrainSettings {
    /// The source of heights: any `Prepared` noise is one. To change a parameter of a noise, `set` it and assign the noise again.
    pub ground: Ground,
    /// Cells along each edge of a chunk, 1 to 4096.
    pub cells: u32,
    /// World units between samples. Neighbouring chunks meet bit by bit, in Bevy's f32 additions, if this is a whole number or a
    /// fraction with a power of two as denominator; otherwise within rounding.
    pub spacing: f64,
    /// Radius of the ground around a viewer's chunk, in chunks, up to 256.
    pub radius: u32,
    /// Number of chunks beyond that radius within which chunks are kept, so that walking back and forth across a border causes no
    /// work.
    pub margin: u32,
    /// Maximum vertical error of the mesh, and the depth of the walls around chunks.
    pub mesh: Terrain,
    /// Storage of meshes. `RENDER_WORLD` alone saves memory, but prevents colliders from the mesh.
    pub usages: RenderAssetUsages,
    /// A step applied to every mesh in the background before it appears, for colours or tangents.
    pub finish: Option<Finish>,
    /// Maximum number of tasks that run, or are finished and wait to be inserted. Few respond quickly when the viewer turns; many
    /// keep more threads busy.
    pub tasks: usize,
    /// Maximum number of meshes inserted, and uploaded, per frame.
    pub inserts: usize,
    /// Maximum distance of the viewer from Bevy's origin, in chunks, before the origin follows.
    pub rebase: u32,
}

impl TerrainSettings {
    /// Chunks of 64² cells with a spacing of one world unit and without simplification, within 8 chunks.
    pub fn new(ground: impl Into<Ground>) -> Self {
        TerrainSettings {
            ground: ground.into(),
            cells: 64,
            spacing: 1.0,
            radius: 8,
            margin: 2,
            mesh: Terrain::default(),
            usages: RenderAssetUsages::default(),
            finish: None,
            tasks: 8,
            inserts: 4,
            rebase: 16,
        }
    }

    /// World units along the edge of a chunk.
    pub fn edge(&self) -> f64 {
        f64::from(self.cells) * self.spacing
    }

    /// In chunks from the viewer's: ground exists within the first distance, and is removed beyond the second.
    pub(crate) fn reach(&self) -> [u32; 2] {
        let radius = self.radius.min(FARTHEST);
        [radius, radius.saturating_add(self.margin)]
    }

    /// Whether chunks are the same squares of the world.
    pub(crate) fn same_grid(&self, other: &Self) -> bool {
        (self.cells, self.spacing.to_bits()) == (other.cells, other.spacing.to_bits())
    }

    /// Whether chunks of the same squares are the same meshes.
    pub(crate) fn same_meshes(&self, other: &Self) -> bool {
        let finish = match (&self.finish, &other.finish) {
            (Some(a), Some(b)) => a.is(b),
            (None, None) => true,
            (Some(_), None) | (None, Some(_)) => false,
        };
        finish && self.ground.is(&other.ground) && (self.mesh, self.usages) == (other.mesh, other.usages)
    }
}
