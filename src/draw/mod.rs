//! Fields as pictures: shaded relief, colours by value, maps of hexagons.

mod hexmap;
mod render;

pub use hexmap::HexMap;
pub use render::{DrawError, Picture, Style, draw, draw_layer, shade};

#[cfg(feature = "bake")]
pub(crate) use render::srgb;
