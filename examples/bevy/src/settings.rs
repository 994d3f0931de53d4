//! What ground there is, and how much of it.

use crate::ground::Ground;
use crate::make::Finish;
use bevy_asset::RenderAssetUsages;
use bevy_ecs::prelude::Resource;
use orogen::mesh::Terrain;

/// Farthest radius: 200,000 chunks.
const FARTHEST: u32 = 256;

/// What ground there is, and how much of it. Without this resource there is none. It may be changed at any time: another ground, error or
/// finish replaces the chunks one by one, so that there are no holes meanwhile; other cells or another spacing begin anew; the rest is taken
/// as it is from then on.
#[derive(Resource, Clone, Debug)]
pub struct TerrainSettings {
    /// Where heights come from: any `Prepared` noise is one. To change a parameter of a noise, `set` it and give the noise anew.
    pub ground: Ground,
    /// Cells along each edge of a chunk, 1 to 4096.
    pub cells: u32,
    /// World units from sample to sample. Chunks side by side meet bit by bit, as Bevy adds f32, where this is a whole number or a
    /// fraction by a power of two; else within a rounding.
    pub spacing: f64,
    /// How far there is ground, in chunks from the viewer's to each, up to 256.
    pub radius: u32,
    /// How many chunks farther than that it stays, so that whoever walks to and fro over a border makes no work.
    pub margin: u32,
    /// How far the mesh may be off the heights, and how deep the walls around chunks are.
    pub mesh: Terrain,
    /// Where meshes are kept. Only `RENDER_WORLD` saves the memory of what colliders would be made of.
    pub usages: RenderAssetUsages,
    /// What is done to every mesh in the background before it appears: colours, tangents.
    pub finish: Option<Finish>,
    /// Most tasks that run, or are done and wait to be inserted. Few answer quickly when the viewer turns, many keep more threads busy.
    pub tasks: usize,
    /// Most meshes that a frame inserts: what it has to upload.
    pub inserts: usize,
    /// How many chunks the viewer may be from Bevy's origin before that follows.
    pub rebase: u32,
}

impl TerrainSettings {
    /// Chunks of 64² cells, a world unit each, of every height as it is, for 8 chunks around.
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

    /// In chunks, from the viewer's: within the first there is ground, beyond the second there is none.
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
