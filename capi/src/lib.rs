//! Orogen for C: what `include/orogen.h` declares. [`docs/c.md`](../../docs/c.md) is the manual.
//!
//! ```text
//! C ─→ guard (panics, errors) ─→ args, handle (pointers → references) ─→ the engine's public API
//! ```
//!
//! Everything unsafe is here, and most of it in `args` and `handle`: a function that C calls turns each of its arguments into a value or a
//! reference there, which checks what can be checked, and goes on in safe code.
#![deny(unsafe_op_in_unsafe_fn)]

mod args;
mod export;
mod guard;
mod handle;
mod layers;
mod noise;
mod open;
mod params;
mod recipe;
mod region;
mod shared;
mod status;
mod version;

pub use export::*;
pub use layers::*;
pub use noise::*;
pub use open::*;
pub use params::*;
pub use recipe::*;
pub use region::*;
pub use status::*;
pub use version::*;
