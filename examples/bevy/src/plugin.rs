//! The plugin.

use crate::focus::{Focus, locate};
use crate::origin::{OriginMoved, WorldOrigin, follow, place};
use crate::plan::{forget, plan, renew};
use crate::queue::{ChunkFailed, TerrainQueue, collect, request};
use crate::settings::TerrainSettings;
use bevy_app::{App, Plugin, PostUpdate};
use bevy_asset::AssetEventSystems;
use bevy_ecs::prelude::{Component, IntoScheduleConfigs, SystemSet, resource_exists};
use bevy_transform::TransformSystems;
use bevy_transform::components::Transform;

/// Ground around [`Viewer`]s, as configured by [`TerrainSettings`].
#[derive(Clone, Copy, Debug, Default)]
pub struct TerrainPlugin;

/// Marks a viewer: a camera, or its carrier. With several, there is ground around each.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[require(Transform)]
pub struct Viewer;

/// All systems of the plugin in a frame, in `PostUpdate`.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TerrainSystems;

impl Plugin for TerrainPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<WorldOrigin>()
            .init_resource::<TerrainQueue>()
            .init_resource::<Focus>()
            .add_message::<OriginMoved>()
            .add_message::<ChunkFailed>()
            .add_observer(forget)
            .add_systems(
                PostUpdate,
                (renew, locate, follow, plan, collect, request, place)
                    .chain()
                    .in_set(TerrainSystems)
                    .run_if(resource_exists::<TerrainSettings>)
                    // So that chunks appear and disappear in the frame that is drawn.
                    .before(AssetEventSystems)
                    .before(TransformSystems::Propagate),
            );
    }
}
