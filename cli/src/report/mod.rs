//! The page of `orogen inspect`: a single HTML file with inline SVG.

mod chart;
mod figures;
mod page;
mod text;

pub use figures::{Cost, Figures};
pub use page::{page, spectrum_chart};
