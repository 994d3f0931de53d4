//! Numbers, one or sixteen at a time: the types in formulas, and their compilation for each instruction set.
//!
//! | file | contents |
//! |---|---|
//! | `number` | floating-point numbers and 32-bit words, as formulas use them |
//! | `real` | f32 and f64, and their vectors |
//! | `vector` | sixteen f32 in registers |
//! | `oct` | eight f32 in a register of AVX2 |
//! | `quad` | four f32 in a register of WebAssembly |
//! | `dispatch` | code compiled once for each instruction set |
//! | `laps` | integer division of sixteen integers |
//! | `permute` | small tables in registers, read by permutations |
//! | `unroll` | unrolled loops over a few axes |
//! | `lanes` | numbers of many samples in an array |

pub(crate) mod dispatch;
pub(crate) mod lanes;
mod laps;
pub(crate) mod number;
#[cfg(target_arch = "x86_64")]
pub(crate) mod oct;
pub(crate) mod permute;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub(crate) mod quad;
pub(crate) mod real;
pub(crate) mod unroll;
pub(crate) mod vector;

pub(crate) use dispatch::{Dispatch, WIDE, for_vectors, level, vectorised};
pub(crate) use real::Real;
pub(crate) use unroll::unrolled;
