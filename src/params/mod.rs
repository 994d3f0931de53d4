//! Parameters: what nodes and stages are made of. [`node`](crate::node) and [`stage`](crate::stage) share them.
//!
//! | file | holds |
//! |---|---|
//! | `kinds` | `row!`, which makes a kind out of its row: struct, checks, reading, setting; `kinds!`, the enum of all of them |
//! | `info` | what a table says about itself |
//! | `param` | the types that a parameter may have |
//! | `choice`, `input`, `points` | those of them that are Orogen's own |
//! | `meant` | what an unknown name may have meant |
//! | `allowed`, `unit` | the ranges and units that a parameter can state |
//! | `facts` | default, range and unit of a row, as values and as words of documentation |
//! | `setting` | a value for any parameter |
//! | `seed` | seeds as text |
//! | `name` | what nodes and stages may be called |
//! | `set` | changing a parameter by its name |

mod allowed;
mod choice;
mod facts;
mod info;
mod input;
mod kinds;
pub(crate) mod meant;
mod name;
mod param;
mod points;
mod seed;
mod set;
mod setting;
mod unit;

pub use allowed::Allowed;
pub use choice::UnknownWord;
pub use info::{KindInfo, OutputInfo, ParamInfo, ParamType};
pub use input::Input;
pub use points::{ColourStop, ControlPoint, QuantilePoint, RadialPoint};
pub(crate) use seed::NEGATIVE as NEGATIVE_SEED;
pub use seed::{SeedError, seed};
pub use set::{Owner, SetError};
pub use setting::Setting;
pub use unit::Unit;

pub(crate) use allowed::{FINITE, LARGEST, SAMPLE, outside, short};
pub(crate) use choice::choice;
pub(crate) use facts::{allowed, facts};
pub(crate) use kinds::{FieldError, Fields, KindRow, Kinds, Role, all_inputs_have_roles, kinds, row};
#[cfg(feature = "export")]
pub(crate) use name::is_harmful;
pub(crate) use name::{LONGEST_NAME, NAMES, is_name};
pub(crate) use param::{Param, ReadParam};
pub(crate) use set::{Change, NotSet, assign, unknown_parameter};
pub(crate) use unit::{stated, unit_text};
