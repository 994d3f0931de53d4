//! Chunks on their way.

use crate::focus::Focus;
use crate::ground::GroundError;
use crate::make::make;
use crate::origin::WorldOrigin;
use crate::settings::TerrainSettings;
use bevy_asset::Assets;
use bevy_ecs::prelude::{Commands, Component, Entity, Message, MessageWriter, Res, ResMut, Resource};
use bevy_mesh::{Mesh, Mesh3d};
use bevy_tasks::futures::check_ready;
use bevy_tasks::{AsyncComputeTaskPool, Task};
use bevy_transform::components::Transform;
use std::collections::{HashMap, HashSet};

/// A chunk of ground. Its entity has `Mesh3d` and `Transform`; despawn it, and it is made anew.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
#[component(immutable)]
#[require(Transform)]
pub struct Chunk {
    /// Its indices along the world's x and y.
    pub at: [i64; 2],
    /// Which of the grounds that there have been, in order, this one shows.
    pub version: u64,
}

/// There are no heights for a chunk, or they make no mesh. It is tried again when settings change, or the viewer comes back.
#[derive(Message, Clone, Debug, PartialEq, Eq)]
pub struct ChunkFailed {
    /// Which one.
    pub at: [i64; 2],
    /// Why.
    pub error: String,
}

/// The chunks that there are, and those on their way.
#[derive(Resource, Default)]
pub struct TerrainQueue {
    pub(crate) chunks: HashMap<[i64; 2], Made>,
    pub(crate) running: HashMap<[i64; 2], Task<Result<Mesh, GroundError>>>,
    pub(crate) failed: HashSet<[i64; 2]>,
    /// The nearest last.
    pub(crate) waiting: Vec<[i64; 2]>,
    pub(crate) version: u64,
    /// What chunks are being made of.
    pub(crate) settings: Option<TerrainSettings>,
    /// Whether `waiting` is what is missing.
    pub(crate) planned: bool,
}

/// A chunk that there is.
pub(crate) struct Made {
    pub entity: Entity,
    pub version: u64,
}

impl TerrainQueue {
    /// The entity of a chunk, if there is one.
    pub fn chunk(&self, at: [i64; 2]) -> Option<Entity> {
        self.chunks.get(&at).map(|made| made.entity)
    }

    /// How many chunks there are.
    pub fn made(&self) -> usize {
        self.chunks.len()
    }

    /// How many tasks run, or are done and wait to be inserted.
    pub fn running(&self) -> usize {
        self.running.len()
    }

    /// How many chunks no task has been started for.
    pub fn waiting(&self) -> usize {
        self.waiting.len()
    }

    /// Whether nothing is missing: what a loading screen waits for. Also of ground that could not be made.
    pub fn is_idle(&self) -> bool {
        self.planned && self.running.is_empty() && self.waiting.is_empty()
    }
}

/// Makes entities of meshes that are done, the nearest first.
pub(crate) fn collect(
    settings: Res<TerrainSettings>,
    focus: Res<Focus>,
    origin: Res<WorldOrigin>,
    mut queue: ResMut<TerrainQueue>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut commands: Commands,
    mut failures: MessageWriter<ChunkFailed>,
) {
    let queue = &mut *queue;
    let mut done: Vec<[i64; 2]> = queue.running.iter().filter(|(_, task)| task.is_finished()).map(|(&at, _)| at).collect();
    done.sort_by(|&a, &b| focus.distance(a).total_cmp(&focus.distance(b)).then(a.cmp(&b)));
    // None at all would wait for ever.
    for at in done.into_iter().take(settings.inserts.max(1)) {
        let Some(made) = queue.running.remove(&at).and_then(|mut task| check_ready(&mut task)) else { continue };
        let old = queue.chunks.remove(&at);
        match made {
            Ok(mesh) => {
                let chunk = Chunk { at, version: queue.version };
                let place = Transform::from_translation(origin.translation(at, settings.edge()));
                let entity = commands.spawn((chunk, Mesh3d(meshes.add(mesh)), place)).id();
                queue.chunks.insert(at, Made { entity, version: queue.version });
            }
            Err(error) => {
                log::warn!("chunk {at:?}: {error}");
                queue.failed.insert(at);
                failures.write(ChunkFailed { at, error: error.to_string() });
            }
        }
        if let Some(old) = old {
            commands.entity(old.entity).try_despawn();
        }
    }
}

/// Starts tasks for what is missing, the nearest first.
pub(crate) fn request(settings: Res<TerrainSettings>, mut queue: ResMut<TerrainQueue>) {
    let Some(pool) = AsyncComputeTaskPool::try_get() else { return };
    // None at all would wait for ever.
    while queue.running.len() < settings.tasks.max(1) {
        let Some(at) = queue.waiting.pop() else { return };
        let settings = settings.clone();
        queue.running.insert(at, pool.spawn(async move { make(&settings, at) }));
    }
}
