//! Statistics of a field: the distribution of its values, and its power by frequency and direction.
//!
//! ```
//! use orogen::stats::{Band, Distribution, Periodogram, Window};
//! use orogen::{Engine, Noise, Region};
//! use orogen::node::{Interpolation, Value};
//!
//! let white = Noise::value(Value { interpolation: Interpolation::Truncated, wavelength: 1.0, ..Default::default() });
//! let field = Engine::new()?.field(&white, &Region::plane(256, 256))?;
//! let values = Distribution::of(&field.values).ok_or("no values")?;
//! assert!(values.ks_uniform(-1.0, 1.0) < 0.01);
//! let spectrum = Periodogram::of(&field.values, 256, Window::Hann).ok_or("no square")?.radial();
//! let fit = spectrum.fit(Band::new(0.05, 0.45)).ok_or("no power")?;
//! assert!(fit.slope.abs() < 0.1, "white: the same power at every frequency");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Frequencies are in cycles per sample, up to 0.5; divided by the region's step they are cycles per world unit. Power is a
//! density: its integral over all frequencies, positive and negative, is the field's variance.

mod distribution;
mod isotropy;
mod periodogram;
mod spectrum;
mod window;

pub use distribution::Distribution;
pub use isotropy::Isotropy;
pub use periodogram::Periodogram;
pub use spectrum::{Band, Fit, Ring, Spectrum};
pub use window::Window;
