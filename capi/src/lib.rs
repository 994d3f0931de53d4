//! Orogen for C: the functions of `include/orogen.h`. The manual is [`docs/guide/c.md`](../../docs/guide/c.md).
//!
//! ```text
//! C ─→ guard (panics, errors) ─→ args, handle (pointers → references) ─→ the engine's public API
//! ```
//!
//! This package contains the unsafe code, most of it in `args` and `handle`. Each function turns its arguments into values and references
//! with their help, which checks what can be checked, and continues in safe code.
#![deny(unsafe_op_in_unsafe_fn)]

mod args;
mod at;
mod bake;
mod export;
mod guard;
mod handle;
mod heights;
mod layers;
mod noise;
mod noises;
mod open;
mod params;
mod recipe;
mod region;
mod rivers;
mod shared;
mod status;
mod version;

pub use at::*;
pub use bake::*;
pub use export::*;
pub use heights::*;
pub use layers::*;
pub use noise::*;
pub use noises::*;
pub use open::*;
pub use params::*;
pub use recipe::*;
pub use region::*;
pub use rivers::*;
pub use status::*;
pub use version::*;
