//! The page of `orogen inspect`: HTML and SVG in one file that asks for no other.

mod chart;
mod page;
mod text;

pub use page::{page, spectrum_chart};
