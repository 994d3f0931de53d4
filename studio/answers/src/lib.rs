//! The answers to the requests of the studio's page, as `studio/PROTOCOL.md` describes them, without a transport.
//!
//! | file | holds |
//! |---|---|
//! | `question` | requests as the protocol writes them, and their answers as bytes |
//! | `refusal`, `waits` | errors with a status, and whether a client still waits |
//! | `check`, `written`, `edit`, `ends` | what a recipe's text means and how it is written, its errors, and changes of it |
//! | `bake` | the choices of a bake, its plan and its messages |
//! | `open_recipe`, `recent` | recipes and prepared noises that were asked about lately |
//! | `export` | noises as source code |
//! | `samples`, `measure`, `surface`, `rivers`, `rules`, `places` | values of layers, and what is derived from them |

mod bake;
mod check;
mod clock;
mod edit;
mod ends;
mod export;
mod lock;
mod measure;
mod open_recipe;
mod places;
mod question;
mod recent;
mod refusal;
mod rivers;
mod rules;
mod samples;
mod surface;
mod waits;
mod written;

pub use bake::{BakeForm, BakePreview, Teller, destinations, formats};
pub use check::{CheckAnswer, Edits, LARGEST, checked, kinds};
pub use edit::{Edit, Which, apply};
pub use ends::{keep, same};
pub use export::{TARGETS, Translate};
pub use lock::lock;
pub use open_recipe::{LayerInfo, OpenRecipe, Shelf, hash, hex};
pub use question::{Answer, Question};
pub use recent::Recent;
pub use refusal::{Ended, Fault, Reason, Refusal};
pub use samples::{Block, layer};
pub use waits::{Priority, Waits};
pub use written::{Written, presets};
