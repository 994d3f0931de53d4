//! Orogen evaluates procedural noise: one description, run as one fused GPU kernel, as SIMD CPU code, or in f64, with the
//! same answer.
//!
//! ```text
//! recipe.toml ─┐
//! builder     ─┴→ Graph → Program + Frame ─┬→ gpu: one WGSL kernel ─┬→ Field → stages → tiles on disk
//!                 what    how       where  └→ cpu: f32 SIMD | f64  ─┘
//! ```
//!
//! # Example
//! ```
//! use orogen::{Engine, Fractal, Noise, Region, Simplex};
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
//! # What holds
//! - **Exact at any distance**: lattice coordinates are 96-bit integers ([`Region`]), so neighbouring tiles, tile sizes and
//!   levels of detail share samples bit for bit, at the origin and 10¹² units out.
//! - **The same bits**: on adapters of parity [`Parity::Exact`] the GPU gives the CPU's f32 bits, values and gradients.
//! - **A known range**: [`Noise::range`] proves bounds that no backend leaves.
//! - **Live numbers**: kernels depend on a noise's shape only; changing a number compiles nothing.
//!
//! # Out of scope
//! Rendering and physics; audio; noise on the sphere's surface by other means than 3D noise; `no_std`.
//!
//! Conventions: positions are (x, y, z) in world units; `wavelength` is world units per lattice cell; noises are signed;
//! row 0 is the smallest y; gradients are per world unit and always three numbers.
#![deny(unsafe_code)]

pub mod bake;
mod cpu;
pub mod draw;
mod engine;
#[cfg(feature = "export")]
pub mod export;
mod field;
mod frame;
mod gpu;
mod graph;
#[cfg(feature = "mesh")]
pub mod mesh;
mod params;
mod program;
mod recipe;
mod region;
pub mod scatter;
mod schedule;
pub mod stage;
#[cfg(feature = "measure")]
pub mod stats;
mod texel;

pub use draw::hexmap::HexMap;
pub use draw::render;
pub use engine::layers::LayersError;
pub use engine::texture::{Preparation, TextureOptions, Use, wgsl, wgsl_specialised};
pub use engine::{Backend, Description, Engine, EngineError, EngineOptions, fast_bounds};
pub use field::{Field, Layer, Sample};
pub use frame::StepError;
#[doc(hidden)]
pub use gpu::pass_kernels;
pub use gpu::{AdapterSummary, Arithmetic, GpuError, Parity, PointsTarget, Target, TargetOptions, list_adapters};
pub use graph::*;
pub use params::{Allowed, ControlPoint, Input, KindInfo, ParamInfo, QuantilePoint, SetError, Setting};
pub use program::ProgramError;
#[cfg(feature = "cli")]
pub use recipe::schema;
pub use recipe::{Bake, Recipe, RecipeError};
pub use region::{Region, RegionError};
pub use texel::{Content, FormatError, TexelEncoding, TexelError};
pub use wgpu;

/// The README's own code, as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
