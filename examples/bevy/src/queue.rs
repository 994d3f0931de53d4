//! The queue of chunks.

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

/// A chunk of ground. Its entity has `Mesh3d` and `Transform`; if you despawn it, it is made again.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
#[component(immutable)]
#[require(Transform)]
pub struct Chunk {
    /// Its indices along the world's x and y.
    pub at: [i64; 2],
    /// The version of the ground that it shows, in order.
    pub version: u64,
}

/// A chunk has no heights, or they give no mesh. It is tried again when settings change, or when the viewer returns.
#[derive(Message, Clone, Debug, PartialEq, Eq)]
pub struct ChunkFailed {
    /// The chunk.
    pub at: [i64; 2],
    /// The reason.
    pub error: String,
}

/// The existing chunks, and those in progress.
#[derive(Resource, Default)]
pub struct TerrainQueue {
    pub(crate) chunks: HashMap<[i64; 2], Made>,
    pub(crate) running: HashMap<[i64; 2], Task<Result<Mesh, GroundError>>>,
    pub(crate) failed: HashSet<[i64; 2]>,
    /// Sorted, the nearest last.
    pub(crate) waiting: Vec<[i64; 2]>,
    pub(crate) version: u64,
    /// The ground for new chunks.
    pub(crate) settings: Option<TerrainSettings>,
    /// Whether `waiting` is up to date.
    pub(crate) planned: bool,
}

/// An existing chunk.
pub(crate) struct Made {
    pub entity: Entity,
    pub version: u64,
}

impl TerrainQueue {
    /// The entity of a chunk, if there is one.
    pub fn chunk(&self, at: [i64; 2]) -> Option<Entity> {
        self.chunks.get(&at).map(|made| made.entity)
    }

    /// The number of existing chunks.
    pub fn made(&self) -> usize {
        self.chunks.len()
    }

    /// The number of tasks that run, or are finished and wait to be inserted.
    pub fn running(&self) -> usize {
        self.running.len()
    }

    /// The number of chunks without a task.
    pub fn waiting(&self) -> usize {
        self.waiting.len()
    }

    /// Whether nothing is missing, for a loading screen. Chunks that could not be made do not count as missing.
    pub fn is_idle(&self) -> bool {
        self.planned && self.running.is_empty() && self.waiting.is_empty()
    }
}

/// Inserts finished meshes as entities, the nearest first.
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
    // Zero would wait for ever.
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

/// Starts tasks for missing chunks, the nearest first.
pub(crate) fn request(settings: Res<TerrainSettings>, mut queue: ResMut<TerrainQueue>) {
    let Some(pool) = AsyncComputeTaskPool::try_get() else { return };
    // Zero would wait for ever.
    while queue.running.len() < settings.tasks.max(1) {
        let Some(at) = queue.waiting.pop() else { return };
        let settings = settings.clone();
        queue.running.insert(at, pool.spawn(async move { make(&settings, at) }));
    }
}
