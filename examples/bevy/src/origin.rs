//! The position of Bevy's origin in the world.
//!
//! Bevy's positions are f32: at a distance of 100 km, neighbouring values are 1 cm apart, and everything trembles. So the world's
//! position is kept in integers, and Bevy's origin follows the viewer. Heights stay f32, relative to 0.

use crate::focus::Focus;
use crate::plugin::Viewer;
use crate::queue::Chunk;
use crate::settings::TerrainSettings;
use bevy_ecs::entity::EntityHashSet;
use bevy_ecs::prelude::{ChildOf, Component, DetectChanges, Message, MessageWriter, Or, Query, Res, ResMut, Resource, With};
use bevy_math::Vec3;
use bevy_transform::components::Transform;

/// The chunk whose first corner is at Bevy's origin. The plugin moves it with the viewer, by whole chunks; every translation in
/// Bevy is relative to it. Set it yourself to start, or to continue, far from the origin: the viewer's `Transform` then stays,
/// and the ground changes.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WorldOrigin {
    /// Its indices along the world's x and y.
    pub chunk: [i64; 2],
}

/// Marks an entity whose translation is fixed in the world: when Bevy's origin moves, the entity at the root of its hierarchy
/// moves the other way. Viewers and children of chunks need no mark; trees, vehicles and lights with a position do.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct InTerrain;

/// Bevy's origin has followed the viewer. Systems with positions outside of `Transform` (physics, particles, paths) must add `by`
/// to them.
#[derive(Message, Clone, Copy, Debug, PartialEq)]
pub struct OriginMoved {
    /// The movement of the origin in chunks, along the world's x and y.
    pub chunks: [i64; 2],
    /// The vector that was added to translations.
    pub by: Vec3,
}

impl WorldOrigin {
    /// The world's x and y of a translation in Bevy, for chunks of this edge ([`TerrainSettings::edge`]).
    pub fn world(&self, translation: Vec3, edge: f64) -> [f64; 2] {
        let [x, y] = self.chunk.map(|i| i as f64 * edge);
        [x + f64::from(translation.x), y + f64::from(translation.z)]
    }

    /// The position of a chunk's first corner in Bevy.
    pub fn translation(&self, chunk: [i64; 2], edge: f64) -> Vec3 {
        let [x, z] = [0, 1].map(|axis| ((i128::from(chunk[axis]) - i128::from(self.chunk[axis])) as f64 * edge) as f32);
        Vec3::new(x, 0.0, z)
    }
}

/// Moves Bevy's origin to the viewers' chunk if they are too far from it; with several viewers, to their middle.
pub(crate) fn follow(
    settings: Res<TerrainSettings>,
    focus: Res<Focus>,
    mut origin: ResMut<WorldOrigin>,
    marked: Query<bevy_ecs::entity::Entity, Or<(With<InTerrain>, With<Viewer>)>>,
    parents: Query<&ChildOf>,
    mut transforms: Query<&mut Transform>,
    mut moved: MessageWriter<OriginMoved>,
) {
    let Some(middle) = focus.middle() else { return };
    let away = [0, 1].map(|axis| middle[axis].saturating_sub(origin.chunk[axis]));
    if away.iter().all(|chunks| chunks.unsigned_abs() <= u64::from(settings.rebase)) {
        return;
    }
    let by = -WorldOrigin { chunk: [0; 2] }.translation(away, settings.edge());
    let roots: EntityHashSet = marked.iter().map(|entity| parents.root_ancestor(entity)).collect();
    for root in roots {
        if let Ok(mut transform) = transforms.get_mut(root) {
            transform.translation += by;
        }
    }
    origin.chunk = middle;
    moved.write(OriginMoved { chunks: away, by });
}

/// Positions chunks from their indices after Bevy's origin has moved, so that errors do not accumulate.
pub(crate) fn place(settings: Res<TerrainSettings>, origin: Res<WorldOrigin>, mut chunks: Query<(&Chunk, &mut Transform)>) {
    if origin.is_changed() {
        for (chunk, mut transform) in &mut chunks {
            transform.translation = origin.translation(chunk.at, settings.edge());
        }
    }
}
