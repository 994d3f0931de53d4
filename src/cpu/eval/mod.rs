//! The evaluator: a program's operations over blocks of samples.
//!
//! | file | holds |
//! |---|---|
//! | `block` | the values and gradients of a block of samples |
//! | `constants`, `numbers` | a program's tables in the backend's own numbers |
//! | `advance` | how lattice coordinates advance along the rows of a region |
//! | `coordinates`, `positions`, `fill` | lattice coordinates of a block; of any positions, exactly; of a call's samples |
//! | `call` | what a scope is evaluated for: which samples, and where results go |
//! | `memory` | what is kept from block to block |
//! | `route` | **which code computes what**: the one place where that is chosen, with a table of all routes |
//! | `basis` | runs a route of a lattice noise; `basis/` noises each vector by itself |
//! | `strip` | noises along rows, which share work where a lattice is neither turned nor displaced |
//! | `displaced`, `shared` | simplex noise in 2D elsewhere: coordinates computed where they are needed; neighbours in one cell |
//! | `cellular`, `on_lattice` | cellular noise, each vector by itself; what such noises are given |
//! | `octaves` | sums of octaves |
//! | `evaluate` | operations, one after the other, over one block |

mod advance;
mod basis;
pub(crate) mod block;
pub(crate) mod call;
mod cellular;
mod constants;
mod coordinates;
mod displaced;
pub(crate) mod evaluate;
mod fill;
pub(crate) mod memory;
pub(crate) mod numbers;
mod octaves;
mod on_lattice;
pub(crate) mod positions;
mod route;
mod shared;
mod strip;

pub(crate) use advance::RowAdvance;
