//! The page of `orogen inspect`: a single HTML file with inline SVG.

mod chart;
mod page;
mod text;

pub use page::{page, spectrum_chart};
