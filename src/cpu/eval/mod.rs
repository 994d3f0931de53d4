//! The evaluator: a program's operations over blocks of samples.
//!
//! | file | holds |
//! |---|---|
//! | `evaluate` | operations, one after the other, over one block |
//! | `basis` | which code runs for which basis |
//! | `cellular` | which code runs for which shape of cellular noise |
//! | `coordinates` | lattice coordinates of a block's samples |
//! | `positions` | the same of any positions, each exact by itself |
//! | `displaced` | displaced coordinates, computed where they are needed |
//! | `strip` | what neighbouring rows share where a lattice is neither turned nor displaced |
//! | `shared` | what neighbours in one cell share where it is |
//! | `octaves` | sums of octaves |
//! | `abreast` | octaves of one sample in the lanes of a block |

pub(crate) mod abreast;
pub(crate) mod basis;
pub(crate) mod cellular;
pub(crate) mod coordinates;
pub(crate) mod displaced;
pub(crate) mod evaluate;
pub(crate) mod octaves;
pub(crate) mod positions;
pub(crate) mod shared;
pub(crate) mod strip;
