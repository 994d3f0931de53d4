//! Recording dispatches into encoders that belong to the caller.
//!
//! | file | holds |
//! |---|---|
//! | `target` | textures and buffers that kernels write |
//! | `slot` | the tables of one recorded dispatch |
//! | `encode` | recording itself |

pub(crate) mod encode;
pub(crate) mod slot;
pub(crate) mod target;
