//! Fields as pictures.

pub(crate) mod hexmap;
pub mod render;
