//! Orogen for Python: the extension module `orogen._orogen`, which the package `orogen` completes.
//!
//! | file | holds |
//! |---|---|
//! | `error` | every error of the library as `OrogenError`; interrupts pass through unchanged |
//! | `setting` | Python values as settings of parameters, and back |
//! | `tables` | the tables of nodes and stages, for the generator |
//! | `noise`, `pipeline`, `recipe`, `region` | the library's types |
//! | `engine`, `prepared`, `layers` | evaluation |
//! | `process` | one engine per set of options and process; none survives a fork |
//! | `argument` | arguments of the package's own classes |
//! | `array` | NumPy arrays: arguments and results |
//! | `heights` | heights of raster nodes: read, hashed, pickled |
//! | `pieces` | long work in pieces or on a separate thread, so that Ctrl-C ends it |
//! | `picture`, `places`, `place_rules`, `mesh`, `stats` | results derived from noise |
//! | `bake` | worlds as tiles on disk |
//!
//! No kind of node or stage is named here: the tables contain them.

mod argument;
mod array;
mod bake;
mod engine;
mod error;
mod hash;
mod heights;
mod kept;
mod layers;
mod mesh;
mod noise;
mod picture;
mod pieces;
mod pipeline;
mod place_rules;
mod places;
mod prepared;
mod process;
mod recipe;
mod region;
mod setting;
mod several;
mod stats;
mod tables;

use pyo3::prelude::*;

/// The extension module. Every class is immutable or behind a lock, so it needs no global interpreter lock.
#[pymodule(name = "_orogen", gil_used = false)]
mod module {
    #[pymodule_export]
    #[expect(non_upper_case_globals, reason = "its name in Python")]
    const __version__: &str = env!("CARGO_PKG_VERSION");
    #[pymodule_export]
    use super::bake::{Shards, bake, check_bake};
    #[pymodule_export]
    use super::engine::Engine;
    #[pymodule_export]
    use super::error::OrogenError;
    #[pymodule_export]
    use super::mesh::{chunk_volume, coarser_chunk_volume, coarser_terrain_chunk, surface, terrain, terrain_chunk};
    #[pymodule_export]
    use super::noise::{Noise, node_of_kind};
    #[pymodule_export]
    use super::picture::draw;
    #[pymodule_export]
    use super::pipeline::{Pipeline, stage_of_kind};
    #[pymodule_export]
    use super::place_rules::{place_kinds, place_list, rule_places};
    #[pymodule_export]
    use super::places::{places, scatter};
    #[pymodule_export]
    use super::prepared::Prepared;
    #[pymodule_export]
    use super::recipe::Recipe;
    #[pymodule_export]
    use super::region::Region;
    #[pymodule_export]
    use super::several::PreparedSeveral;
    #[pymodule_export]
    use super::stats::{Distribution, Spectrum, isotropy, spectrum};
    #[pymodule_export]
    use super::tables::tables;
}
