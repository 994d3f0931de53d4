//! Noise as object placement: points that keep their distance.
//!
//! Positions are in world units, in f64. The points are the same whatever part of the world is asked for.

mod poisson;
mod write;

#[doc(hidden)]
pub use poisson::violations;
pub use poisson::{Point, Poisson, PoissonError};
pub use write::{csv, instances, json, svg};
