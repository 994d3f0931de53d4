//! Parameters: what nodes and stages are made of. [`graph`](crate::graph) and [`stage`](crate::stage) share them.
//!
//! | file | holds |
//! |---|---|
//! | `kinds` | `kinds!`, which makes everything else out of one table: structs, checks, reading, setting, the schema |
//! | `param` | the types that a parameter may have |
//! | `choice`, `input`, `points` | those of them that are Orogen's own |
//! | `allowed` | the ranges that a parameter can state |
//! | `setting` | changing a parameter by its name |

mod allowed;
mod choice;
mod input;
mod kinds;
mod param;
mod points;
mod setting;

pub use allowed::Allowed;
pub use input::Input;
pub use kinds::{KindInfo, ParamInfo};
pub use points::{ControlPoint, QuantilePoint};
pub use setting::{SetError, Setting};

pub(crate) use allowed::{FINITE, LARGEST, outside, short};
pub(crate) use choice::choice;
pub(crate) use kinds::{FieldError, Fields, Kinds, Refusal, kinds};
pub(crate) use param::Param;
pub(crate) use setting::{Unset, assign, unknown_parameter};
