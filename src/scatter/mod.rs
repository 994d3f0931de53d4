//! Object placement: points with a minimum distance.
//!
//! Positions are in world units, in f64. The points do not depend on the requested part of the world.
//!
//! ```
//! use orogen::node::Simplex;
//! use orogen::scatter::Poisson;
//! use orogen::{Engine, Noise};
//!
//! // Trees three metres apart, where a noise lets them grow.
//! let trees = Poisson { distance: 3.0, seed: 7, ..Default::default() };
//! let growth = Noise::simplex(Simplex { wavelength: 60.0, ..Default::default() }).scale_offset(0.5, 0.5);
//! let forest = trees.scatter(&Engine::new()?, &growth, [0.0, 0.0], [60.0, 60.0], 0.0)?;
//! assert!(!forest.is_empty() && forest.len() < trees.points([0.0, 0.0], [60.0, 60.0])?.len());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod lists;
mod poisson;
mod read;
mod rules;
mod write;

pub use lists::PlaceList;
#[doc(hidden)]
pub use poisson::violations;
pub use poisson::{Point, Poisson, PoissonError};
pub use read::{PointReader, PointsError};
pub use rules::{Place, PlaceError, PlaceKind, PlaceRules};
pub use write::{csv, instances, json, svg};
