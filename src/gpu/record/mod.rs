//! Recording dispatches into encoders of the caller.
//!
//! | file | contents |
//! |---|---|
//! | `target` | textures and buffers that kernels write |
//! | `slot` | the tables of one recorded dispatch |
//! | `encode` | recording |

pub(crate) mod encode;
pub(crate) mod slot;
pub(crate) mod target;
