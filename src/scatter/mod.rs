//! Noise as places: points with a distance between them, contour lines, coastlines, noisy lines, running sums.
//!
//! Positions are in world units, in f64. Everything here is the same whatever part of the world it is asked for.

mod contour;
mod line;
mod poisson;
mod write;

pub use contour::{Contour, ContourError, contours};
pub use line::{coastline, noisy_line, running_sum};
#[doc(hidden)]
pub use poisson::violations;
pub use poisson::{Place, Poisson, PoissonError};
pub use write::{instances, lines_geojson, lines_svg, places_csv, places_json, places_svg};
