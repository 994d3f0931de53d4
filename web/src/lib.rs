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
//! | `studio`, `disk` | the answers to the studio's page, and the files of its bakes, with the feature `studio` |
//!
//! No kind of node or stage is named here: `tests/kinds.rs` writes their TypeScript from the tables.

#[cfg(feature = "studio")]
mod disk;
mod engine;
mod error;
#[cfg(feature = "recipes")]
mod files;
#[cfg(feature = "recipes")]
mod layers;
#[cfg(feature = "mesh")]
mod mesh;
mod noise;
#[cfg(feature = "recipes")]
mod pipeline;
#[cfg(feature = "places")]
mod places;
mod region;
mod setting;
#[cfg(feature = "studio")]
mod studio;
