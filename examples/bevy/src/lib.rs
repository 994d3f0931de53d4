//! Orogen's terrain in Bevy: chunks of ground around whoever looks, made in the background, nearest first.
//!
//! ```no_run
//! use bevy_app::prelude::*;
//! use bevy_ecs::prelude::*;
//! use bevy_transform::prelude::Transform;
//! use orogen::{Backend, Engine, EngineOptions, Recipe, Threads};
//! use orogen_bevy::{TerrainPlugin, TerrainSettings, Viewer};
//!
//! let recipe = Recipe::load("recipes/alps.toml")?;
//! // Tasks are computed side by side already, each on the thread that has it.
//! let engine = Engine::open(&EngineOptions { backend: Backend::Cpu, threads: Threads::Caller, ..Default::default() })?;
//! let ground = engine.prepare(&recipe.noise()?)?;
//!
//! let mut app = App::new(); // with Bevy's DefaultPlugins
//! app.add_plugins(TerrainPlugin).insert_resource(TerrainSettings::new(ground));
//! app.world_mut().spawn((Viewer, Transform::from_xyz(0.0, 900.0, 0.0))); // beside a Camera3d, say
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Every chunk is an entity with [`Chunk`], `Mesh3d` and `Transform`. What it looks like is yours: an observer of `On<Add, Chunk>` gives it a
//! material, or a collider. Axes are Bevy's: east is +x, up +y, south (the world's +y) +z.
//!
//! # Each frame
//! All of it in `PostUpdate`, before transforms are propagated ([`TerrainSystems`]), so that what has moved in `Update` is seen in that frame:
//!
//! 1. changed [`TerrainSettings`] are taken up: other heights replace the chunks one by one, another grid begins anew;
//! 2. [`Viewer`]s are found, and Bevy's origin follows them ([`WorldOrigin`]);
//! 3. far chunks are despawned, and tasks that nobody needs any more are dropped;
//! 4. meshes that are done become entities, [`TerrainSettings::inserts`] at most;
//! 5. tasks for what is missing are started, the nearest first, until [`TerrainSettings::tasks`] run.
//!
//! A frame computes no heights and makes no meshes: tasks on Bevy's `AsyncComputeTaskPool` do.
//!
//! # Needs
//! `TaskPoolPlugin`, `AssetPlugin` and `MeshPlugin`, which Bevy's `DefaultPlugins` have.

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
