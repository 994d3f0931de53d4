//! Fields as pictures: shaded relief, colours by value, terrain in perspective, maps of hexagons.
//!
//! ```
//! use orogen::draw::{Style, draw};
//! use orogen::node::{Fractal, Simplex};
//! use orogen::{Engine, Noise, Region};
//!
//! let hills = Noise::simplex(Simplex { wavelength: 40.0, ..Default::default() }).fractal(Fractal::default()).scale_offset(20.0, 0.0);
//! // Twice as many samples along each axis as pixels: edges without steps.
//! let field = Engine::new()?.field(&hills, &Region::plane(128, 64))?;
//! let picture = draw(&field, 2, &Style { sea: Some(0.0), ..Default::default() })?;
//! assert_eq!((picture.width, picture.height), (64, 32));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod hexmap;
#[expect(clippy::disallowed_methods, reason = "displayed pictures may differ in a last digit")]
mod perspective;
#[expect(clippy::disallowed_methods, reason = "displayed pictures may differ in a last digit")]
mod render;

pub use hexmap::HexMap;
pub use perspective::{Edge, View, ViewedTerrain, perspective};
pub use render::{DrawError, Picture, Style, draw, draw_layer, look_of, shade};
