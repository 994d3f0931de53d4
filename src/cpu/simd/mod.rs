//! Numbers, one or sixteen at a time: what formulas are written in, and how they are compiled for each instruction set.
//!
//! | file | holds |
//! |---|---|
//! | `number` | floating-point numbers and words of 32 bits as formulas use them |
//! | `real` | f32 and f64 |
//! | `vector` | sixteen f32 in registers |
//! | `dispatch` | code compiled once for each instruction set |
//! | `laps` | whole division of sixteen integers |
//! | `permute` | small tables read by permutations of registers |
//! | `unroll` | loops over a few axes, written out |
//! | `block` | the samples that are computed together, as structure of arrays |

pub(crate) mod block;
pub(crate) mod dispatch;
mod laps;
pub(crate) mod number;
pub(crate) mod permute;
pub(crate) mod real;
pub(crate) mod unroll;
pub(crate) mod vector;

pub(crate) use dispatch::{Dispatch, level, vectorised};
pub(crate) use real::Real;
pub(crate) use unroll::unrolled;
