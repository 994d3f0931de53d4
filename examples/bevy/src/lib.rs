//! Orogen's terrain in Bevy: chunks of ground around viewers, made in the background, nearest first.
//!
//! ```no_run
//! use bevy_app::prelude::*;
//! use bevy_ecs::prelude::*;
//! use bevy_transform::prelude::Transform;
//! use orogen::{Backend, Engine, EngineOptions, Recipe, Threads};
//! use orogen_bevy::{TerrainPlugin, TerrainSettings, Viewer};
//!
//! let recipe = Recipe::load("recipes/alps.toml")?;
//! // Tasks already run in parallel, so each computes on its own thread.
//! let engine = Engine::open(&EngineOptions { backend: Backend::Cpu, threads: Threads::Caller, ..Default::default() })?;
//! let ground = engine.prepare(&recipe.noise()?)?;
//!
//! let mut app = App::new(); // with Bevy's DefaultPlugins
//! app.add_plugins(TerrainPlugin).insert_resource(TerrainSettings::new(ground));
//! app.world_mut().spawn((Viewer, Transform::from_xyz(0.0, 900.0, 0.0))); // next to a Camera3d, for example
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Every chunk is an entity with [`Chunk`], `Mesh3d` and `Transform`. Its appearance is up to you: an observer of `On<Add,
//! Chunk>` adds a material or a collider. Axes are Bevy's: east is +x, up +y, south (the world's +y) +z.
//!
//! # Each frame
//! Everything happens in `PostUpdate`, before transforms are propagated ([`TerrainSystems`]), so that movements in `Update` take
//! effect in the same frame:
//!
//! 1. changed [`TerrainSettings`] are applied: other heights replace the chunks one by one, another grid starts over;
//! 2. [`Viewer`]s are found, and Bevy's origin follows them ([`WorldOrigin`]);
//! 3. far chunks are despawned, and obsolete tasks are dropped;
//! 4. finished meshes become entities, at most [`TerrainSettings::inserts`];
//! 5. tasks for missing chunks are started, the nearest first, until [`TerrainSettings::tasks`] run.
//!
//! A frame computes no heights and no meshes; tasks on Bevy's `AsyncComputeTaskPool` do.
//!
//! # Needs
//! `TaskPoolPlugin`, `AssetPlugin` and `MeshPlugin`, which are part of Bevy's `DefaultPlugins`.

mod convert;
mod focus;
mod ground;
mod make;
mod origin;
mod plan;
mod plugin;
mod queue;
mod settings;

pub use convert::bevy_mesh;
pub use ground::{Ground, GroundError};
pub use make::Finish;
pub use origin::{InTerrain, OriginMoved, WorldOrigin};
pub use plugin::{TerrainPlugin, TerrainSystems, Viewer};
pub use queue::{Chunk, ChunkFailed, TerrainQueue};
pub use settings::TerrainSettings;
