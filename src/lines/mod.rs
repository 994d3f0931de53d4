//! Noise as lines: contours, coastlines, noisy edges, running sums.
//!
//! Positions are in world units, in f64.
//!
//! ```
//! use orogen::lines::{contours, geojson};
//! use orogen::node::Simplex;
//! use orogen::{Engine, Layer, Noise, Region};
//!
//! let hills = Noise::simplex(Simplex { wavelength: 30.0, ..Default::default() }).scale_offset(50.0, 50.0);
//! let layer = Layer::from(Engine::new()?.field(&hills, &Region::plane(64, 64))?);
//! let found = contours(&layer, &[25.0, 50.0, 75.0])?;
//! assert!(found.iter().all(|contour| !contour.lines.is_empty()));
//! let map = geojson(&found.into_iter().map(|contour| (contour.level, contour.lines)).collect::<Vec<_>>());
//! assert!(map.contains("MultiLineString"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod contour;
mod edge;
mod read;
mod write;

pub use contour::{Contour, ContourError, contours};
pub use edge::{Coastline, NoisyEdge, running_sum};
pub use read::{GeoJsonError, from_geojson};
pub(crate) use write::decimals;
pub use write::{geojson, svg};
