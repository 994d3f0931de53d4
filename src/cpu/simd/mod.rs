//! Numbers, one or sixteen at a time: what formulas are written in, and how they are compiled for each instruction set.
//!
//! | file | holds |
//! |---|---|
//! | `number` | floating-point numbers and words of 32 bits as formulas use them |
//! | `real` | f32 and f64, and which vectors they have |
//! | `vector` | sixteen f32 in registers |
//! | `dispatch` | code compiled once for each instruction set |
//! | `laps` | whole division of sixteen integers |
//! | `permute` | small tables read by permutations of registers |
//! | `unroll` | loops over a few axes, written out |
//! | `lanes` | numbers of many samples next to each other |

pub(crate) mod dispatch;
pub(crate) mod lanes;
mod laps;
pub(crate) mod number;
pub(crate) mod permute;
pub(crate) mod real;
pub(crate) mod unroll;
pub(crate) mod vector;

pub(crate) use dispatch::{Dispatch, for_vectors, level, vectorised};
pub(crate) use real::Real;
pub(crate) use unroll::unrolled;
