//! Noise as lines: contours, coastlines, noisy edges, running sums.
//!
//! Positions are in world units, in f64.

mod contour;
mod edge;
mod write;

pub use contour::{Contour, ContourError, contours};
pub use edge::{Coastline, NoisyEdge, running_sum};
pub use write::{geojson, svg};
