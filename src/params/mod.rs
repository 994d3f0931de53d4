//! Parameters of nodes and stages, shared by [`node`](crate::node) and [`stage`](crate::stage).
//!
//! | file | holds |
//! |---|---|
//! | `kinds` | `row!`, which generates a kind from its row: struct, checks, reading, setting; `kinds!`, the enum of all kinds |
//! | `info` | descriptions of kinds and parameters |
//! | `param` | the types of parameters |
//! | `choice`, `input`, `points` | types specific to Orogen |
//! | `meant` | suggestions for unknown names |
//! | `allowed`, `unit` | the ranges and units of parameters |
//! | `facts` | default, range and unit of a row, as values and as documentation |
//! | `setting` | a value for any parameter |
//! | `seed` | seeds as text |
//! | `name` | allowed names of nodes and stages |
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
pub(crate) use seed::advice as seed_advice;
pub use seed::{SeedError, seed};
pub use set::{Owner, SetError};
pub use setting::Setting;
pub use unit::Unit;

pub(crate) use allowed::{FINITE, LARGEST, SAMPLE, outside, short};
pub(crate) use choice::choice;
pub(crate) use facts::{allowed, facts};
pub(crate) use kinds::{FieldError, Fields, KindRow, Kinds, Role, all_inputs_have_roles, kinds, present, present_mut, refusal, row, take};
#[cfg(feature = "export")]
pub(crate) use name::is_harmful;
pub(crate) use name::{LONGEST_NAME, NAMES, is_name};
pub(crate) use param::{Param, ReadParam};
pub(crate) use set::{Change, NotSet, assign, unknown_parameter};
pub(crate) use unit::{stated, unit_text};
