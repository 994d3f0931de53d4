//! Orogen for JavaScript: the WebAssembly module behind the package `orogen`, whose TypeScript in `lib/` completes it.
//!
//! | file | holds |
//! |---|---|
//! | `error` | every error of the library as a JavaScript `Error` |
//! | `noise`, `pipeline` | descriptions, built kind by kind, and recipes |
//! | `engine` | evaluation on the calling thread |
//! | `region` | arguments of regions |
//! | `files` | files of the caller that recipes name |
//! | `places`, `mesh` | results derived from noise |
//! | `studio` | the answers to the studio's page, with the feature `studio` |
//!
//! No kind of node or stage is named here: `tests/kinds.rs` writes their TypeScript from the tables.

mod engine;
mod error;
mod files;
#[cfg(feature = "mesh")]
mod mesh;
mod noise;
mod pipeline;
mod places;
mod region;
mod setting;
#[cfg(feature = "studio")]
mod studio;
