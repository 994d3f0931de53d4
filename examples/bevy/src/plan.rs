//! Determines the required chunks.

use crate::focus::Focus;
use crate::queue::{Chunk, TerrainQueue};
use crate::settings::TerrainSettings;
use bevy_ecs::prelude::{Commands, DetectChanges, On, Query, Remove, Res, ResMut};
use std::collections::HashSet;

/// Applies changed settings.
pub(crate) fn renew(settings: Res<TerrainSettings>, mut queue: ResMut<TerrainQueue>, mut commands: Commands) {
    if !settings.is_changed() {
        return;
    }
    let queue = &mut *queue;
    queue.planned = false;
    let grid = queue.settings.as_ref().is_some_and(|old| old.same_grid(&settings));
    if !(grid && queue.settings.as_ref().is_some_and(|old| old.same_meshes(&settings))) {
        queue.version += 1;
        queue.running.clear();
        queue.failed.clear();
        if !grid {
            queue.chunks.drain().for_each(|(_, made)| commands.entity(made.entity).try_despawn());
        }
    }
    queue.settings = Some(settings.clone());
}

/// Despawns chunks that are too far, drops obsolete tasks, and lists missing chunks, whenever a viewer has entered another chunk
/// or something else has changed.
pub(crate) fn plan(
    settings: Res<TerrainSettings>,
    focus: Res<Focus>,
    mut queue: ResMut<TerrainQueue>,
    mut commands: Commands,
    mut last: bevy_ecs::prelude::Local<Vec<[i64; 2]>>,
) {
    let here: Vec<[i64; 2]> = focus.chunks().collect();
    // Without viewers, everything stays unchanged.
    if here.is_empty() || (queue.planned && *last == here) {
        return;
    }
    let queue = &mut *queue;
    let [wanted, kept] = settings.reach();
    queue.chunks.retain(|&at, made| {
        let stays = focus.reaches(at, kept);
        if !stays {
            commands.entity(made.entity).try_despawn();
        }
        stays
    });
    queue.running.retain(|&at, _| focus.reaches(at, kept));
    queue.failed.retain(|&at| focus.reaches(at, kept));
    let around = |from: [i64; 2]| {
        let radius = i64::from(wanted);
        let offsets = (-radius..=radius).flat_map(move |y| (-radius..=radius).map(move |x| [x, y]));
        offsets.filter(move |[x, y]| x * x + y * y <= radius * radius).map(move |by| [0, 1].map(|axis| from[axis].saturating_add(by[axis])))
    };
    let missing = |at: &[i64; 2]| {
        !queue.running.contains_key(at)
            && !queue.failed.contains(at)
            && queue.chunks.get(at).is_none_or(|made| made.version != queue.version)
    };
    let all: HashSet<[i64; 2]> = here.iter().copied().flat_map(around).filter(missing).collect();
    let mut all: Vec<(f64, [i64; 2])> = all.into_iter().map(|at| (focus.distance(at), at)).collect();
    // The nearest is last, where it is taken from; ties have a fixed order.
    all.sort_by(|(a, at), (b, other)| b.total_cmp(a).then(other.cmp(at)));
    queue.waiting = all.into_iter().map(|(_, at)| at).collect();
    queue.planned = true;
    *last = here;
}

/// Forgets a chunk that was despawned elsewhere; it is then made again.
pub(crate) fn forget(removed: On<Remove, Chunk>, chunks: Query<&Chunk>, mut queue: ResMut<TerrainQueue>) {
    let Ok(chunk) = chunks.get(removed.entity) else { return };
    if queue.chunks.get(&chunk.at).is_some_and(|made| made.entity == removed.entity) {
        queue.chunks.remove(&chunk.at);
        queue.planned = false;
    }
}
