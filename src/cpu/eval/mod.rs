//! The evaluator: a program's operations over blocks of samples.
//!
//! | file | contents |
//! |---|---|
//! | `block` | the values and gradients of a block of samples |
//! | `constants`, `numbers` | a program's tables in the backend's number type |
//! | `advance` | the advance of lattice coordinates along the rows of a region |
//! | `coordinates`, `positions`, `fill` | lattice coordinates of a block, of any positions (exactly), and of a call's samples |
//! | `call` | the call of a scope: its samples, and the destination of results |
//! | `memory` | memory that is reused from block to block |
//! | `route` | **the choice of code**: the only place that chooses a route, with a table of all routes |
//! | `basis` | runs a route of a lattice noise; `basis/` has noises whose vectors share nothing |
//! | `strip` | noises along rows, which share work if a lattice is neither rotated nor displaced |
//! | `displaced`, `shared`, `directions` | simplex noise in 2D elsewhere: coordinates computed on use, neighbours in one cell, and in few cells |
//! | `cellular`, `on_lattice` | cellular noise whose vectors share nothing; the inputs of such noises |
//! | `near`, `lists`, `patches` | what samples share: points around cells, borders around points, points around vectors |
//! | `octaves`, `stamps` | sums of octaves; another scope in discs around lattice points |
//! | `rasters` | rasters, and blends of their parts |
//! | `evaluate` | operations over one block, in order |
//! | `single` | the value at a single position, without a block, of simplex noise and its octaves |

mod advance;
mod basis;
pub(crate) mod block;
pub(crate) mod call;
mod cellular;
mod constants;
mod coordinates;
mod directions;
mod displaced;
pub(crate) mod evaluate;
mod fill;
mod lists;
pub(crate) mod memory;
mod near;
pub(crate) mod numbers;
mod octaves;
mod on_lattice;
mod patches;
mod phasor;
pub(crate) mod positions;
mod rasters;
mod route;
mod shared;
pub(crate) mod single;
mod stamps;
mod strip;

pub(crate) use advance::RowAdvance;
