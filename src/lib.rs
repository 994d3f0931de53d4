//! Orogen.
#![deny(unsafe_code)]
pub mod bake;
mod cpu;
mod engine;
mod frame;
mod gpu;
mod graph;
mod program;
mod region;
pub mod render;
pub use engine::{Backend, Description, Engine, EngineError, EngineOptions, Field, Sample, wgsl};
pub use gpu::{AdapterSummary, Arithmetic, GpuError, Parity, list_adapters};
pub use graph::*;
pub use program::{Program, ProgramError};
pub use region::{Region, RegionError};
