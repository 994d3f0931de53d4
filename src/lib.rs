//! Procedural noise and terrain with identical values on GPU and CPU.
//!
//! A noise is described once, with methods of [`Noise`] or as text ([`Recipe`]). An [`Engine`] evaluates it by one fused GPU
//! kernel, by SIMD code on the CPU, or in f64 for reference.
//!
//! ```text
//! recipe.toml ─┐
//! builder     ─┴→ Graph → Program + Frame ─┬→ gpu: one WGSL kernel ─┬→ Field → stages → tiles on disk
//!                 what    how       where  └→ cpu: f32 SIMD | f64  ─┘
//! ```
//!
//! # Example
//! ```
//! use orogen::{Engine, Noise, Region};
//! use orogen::node::{Fractal, Simplex};
//!
//! let hills = Noise::simplex(Simplex { wavelength: 300.0, ..Default::default() })
//!     .fractal(Fractal { octaves: 8, ..Default::default() })
//!     .scale_offset(60.0, 60.0);
//! let engine = Engine::new()?; // the best hardware GPU, else the CPU
//! let tile = engine.field(&hills, &Region::tile(-3, 7, 256))?;
//! assert!(tile.values.iter().all(|&height| hills.range().is_ok_and(|range| range.contains(f64::from(height)))));
//! # Ok::<(), orogen::EngineError>(())
//! ```
//!
//! # Where to find what
//! | to | use |
//! |---|---|
//! | describe a noise | [`Noise`] and the parameters in [`node`]; [`Recipe`] for text |
//! | evaluate it once, for a region or for points | [`Engine::field`], [`Engine::sample`] |
//! | evaluate it every frame | [`Engine::prepare`], which gives a [`Prepared`] noise |
//! | write textures on a GPU | [`texture`], and [`Engine::device_descriptor`] to share a device |
//! | erode, mask and colour terrain | [`stage`] and [`Pipeline`] |
//! | place points, draw contours and pictures | [`scatter`], [`lines`], [`draw`] |
//! | bake worlds to disk, make meshes, export shaders | the modules `bake`, `mesh` and `export`, each behind the feature of that name |
//!
//! # Guarantees
//! - **Exact at any distance**: lattice coordinates are 96-bit integers ([`Region`]). Neighbouring tiles, tile sizes and levels
//!   of detail share samples bit for bit, at the origin and 10¹² units out.
//! - **The same bits**: on adapters of parity [`Parity::Exact`] the GPU gives the CPU's f32 bits, values and gradients.
//! - **A known range**: [`Noise::range`] gives proven bounds, which hold on every backend.
//! - **Live parameters**: kernels depend only on the shape of a noise, so changing a number compiles nothing.
//!
//! # Conventions
//! - Positions are (x, y, z) in world units, and `wavelength` is in world units per lattice cell.
//! - Noises are signed, unless their documentation states another range.
//! - Row 0 is the one of the smallest y.
//! - Gradients are per world unit, and always have three components.
//!
//! # Not included
//! Rendering, physics, audio, and `no_std`. Noise on the surface of a sphere is 3D noise at the sphere's points.
//!
//! The guide is `docs/README.md` in the repository: ten minutes for each kind of reader, concepts, tasks, reference.
#![deny(unsafe_code)]
#![cfg_attr(any(not(feature = "gpu"), target_family = "wasm"), allow(dead_code, reason = "code of kernels and of other instruction sets"))]
#![cfg_attr(not(feature = "oracle"), allow(unreachable_patterns, reason = "the oracle has no values"))]

#[cfg(feature = "bake")]
pub mod bake;
mod clock;
mod codec;
mod cpu;
mod drainage;
pub mod draw;
mod engine;
mod error;
#[cfg(feature = "export")]
pub mod export;
mod field;
mod frame;
#[cfg(feature = "gpu")]
mod gpu;
#[cfg(not(feature = "gpu"))]
#[path = "gpu/absent.rs"]
mod gpu;
mod graph;
mod interval;
mod landscape;
pub mod limits;
pub mod lines;
#[cfg(feature = "maps")]
pub mod map;
#[cfg(feature = "mesh")]
pub mod mesh;
mod not_allowed;
mod params;
mod program;
mod raster;
mod recipe;
mod region;
pub mod rivers;
pub mod scatter;
mod schedule;
pub mod stage;
#[cfg(feature = "stats")]
#[expect(clippy::disallowed_methods, reason = "results of measurements")]
pub mod stats;
mod stop;
#[doc(hidden)]
pub mod testing;
#[cfg(feature = "gpu")]
mod texel;
mod text;
mod world;

pub use cpu::threads::{Threads, ThreadsError};
pub use engine::at::PreparedAt;
pub use engine::drainage_rules::DrainageCheck;
pub use engine::job::{Estimate, Job};
pub use engine::pending::PendingField;
pub use engine::prepared::{Prepared, PreparedSetError};
pub use engine::several::PreparedSeveral;
pub use engine::{Backend, Description, Engine, EngineOptions, Water, accuracy::f32_bounds, fast_bounds};
pub use error::{EngineError, LayersError, Widest};
pub use field::{Field, Gradient, Layer, Sample};
pub use frame::StepError;
#[cfg(feature = "gpu")]
pub use gpu::{AdapterSummary, list_adapters};
pub use gpu::{Arithmetic, GpuError, Parity, RequestError};
pub use graph::{Graph, Noise};
pub use interval::Interval;
pub use not_allowed::NotAllowed;
pub use params::{Owner, SeedError, SetError, Setting, seed};
pub use program::{GraphError, ProgramError, RangeError};
#[cfg(feature = "schema")]
pub use recipe::schema;
pub use recipe::{
    Bake, Destination, Location, ReadRecipe, Recipe, RecipeError, RecipePreset, RecipeReader, RecipeUse, Saved, Variable, WrittenExpression,
};
pub use region::{Region, RegionError};
pub use stage::{Pipeline, StageError};
pub use stop::{Stop, Stopped};
#[cfg(feature = "gpu")]
pub use wgpu;
pub use world::one::Checkpoint;

/// Nodes, the parts of a [`Noise`]: one parameter struct per kind, and enums for the words that parameters accept.
///
/// ```
/// use orogen::Noise;
/// use orogen::node::{Axis, Coordinate, Simplex};
/// let warm = Noise::coordinate(Coordinate { axis: Axis::Y, unit: 1000.0 });
/// let climate = warm.add(Noise::simplex(Simplex { wavelength: 400.0, ..Default::default() }).scale_offset(0.1, 0.0));
/// assert_eq!(climate.graph().node.len(), 4);
/// ```
///
/// Later versions may add fields to parameter structs: construct them with `..Default::default()`, as here, to stay compatible.
/// They may also add variants to enums, which are `#[non_exhaustive]`.
///
/// An editor, for example, does not know the kinds in advance: [`Node::TABLE`](node::Node::TABLE) lists them, and any parameter
/// can be read and changed by name:
///
/// ```
/// use orogen::node::{Node, ParamType};
/// let fractal = Node::TABLE.iter().find(|row| row.kind == "fractal").ok_or("no such kind")?;
/// let accumulate = fractal.param("accumulate").ok_or("no such parameter")?;
/// assert!(matches!(accumulate.param_type, ParamType::Choice { name: "Accumulate", .. }) && accumulate.words().contains(&"ridged"));
/// let mut node = Node::of_kind(fractal.kind).ok_or("no such kind")?;
/// node.set("of", "basis")?; // refers to the node of this name
/// node.set("accumulate", "ridged")?;
/// node.set("octaves", 8)?;
/// assert_eq!(node.get("accumulate")?, Some("ridged".into()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub mod node {
    pub use crate::graph::node::*;
}

/// Noise as textures: content of texels, targets of kernels, preparation of kernels. The calls are methods of [`Engine`].
///
/// ```
/// use orogen::texture::{Content, TexelEncoding};
/// use orogen::wgpu::TextureFormat;
/// use orogen::{Backend, Engine, EngineOptions, Noise, Region};
/// // The bytes of a texture, without a GPU.
/// let engine = Engine::open(&EngineOptions { backend: Backend::Cpu, ..Default::default() })?;
/// let encoding = TexelEncoding { content: Content::Value, range: Some([0.0, 1.0]), ..Default::default() };
/// let bytes = engine.texels(&Noise::constant(0.5), &Region::plane(4, 4), TextureFormat::R8Unorm, &encoding)?;
/// assert_eq!(bytes, [128; 16]);
/// # Ok::<(), orogen::EngineError>(())
/// ```
#[cfg(feature = "gpu")]
pub mod texture {
    pub use crate::engine::texture::{Compilation, KernelKind, TextureOptions, wgsl, wgsl_specialised};
    pub use crate::gpu::{PointsTarget, Target, TargetOptions};
    pub use crate::texel::{Content, FormatError, TexelEncoding, TexelError};
}

/// The most common items.
///
/// ```
/// use orogen::prelude::*;
/// let engine = Engine::open(&EngineOptions { backend: Backend::Cpu, ..Default::default() })?;
/// let field = engine.field(&Noise::simplex(Simplex::default()).fractal(Fractal::default()), &Region::plane(8, 8))?;
/// assert_eq!(field.values.len(), 64);
/// # Ok::<(), EngineError>(())
/// ```
pub mod prelude {
    pub use crate::node::*;
    pub use crate::{
        Backend, Engine, EngineError, EngineOptions, Field, Gradient, Graph, Interval, Layer, Noise, Parity, Pipeline, Prepared, Recipe,
        Region, Sample, Setting,
    };
}

/// The README's code, as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// The guide for games, as a test.
#[cfg(doctest)]
#[doc = include_str!("../docs/guide/games.md")]
struct Games;

/// The introduction for game programmers, likewise.
#[cfg(all(doctest, feature = "mesh"))]
#[doc = include_str!("../docs/getting-started/game.md")]
struct GettingStarted;
