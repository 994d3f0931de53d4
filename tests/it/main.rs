//! Every integration test in one binary: one link, one GPU device. docs/design/testing.md has the map of test classes.
#![allow(clippy::expect_used, clippy::panic, reason = "a test that panics has failed, with its location")]
#![allow(clippy::disallowed_methods, reason = "expected values are computed in another way, within a bound")]

mod api;
#[cfg(feature = "zarr")]
mod arrays;
mod articles;
mod bake;
mod beds;
mod browser;
#[cfg(feature = "cloud")]
mod bucket;
mod by_example;
mod cell_borders;
mod close;
mod code;
mod colour_channels;
mod colours;
mod command;
mod contours;
mod coordinates;
mod craters;
mod curl;
mod distance;
mod document;
mod documents;
mod drill;
mod encode;
mod ends;
mod equalise;
mod erosion;
mod examples;
mod export;
mod export_js;
mod fastnoise;
mod files;
mod flow_noise;
mod formats;
mod formulas;
mod fourth;
mod frames;
mod frozen;
mod fuzz;
mod gallery;
mod grade;
mod gradient;
mod hexagonal;
mod hill;
mod import;
mod incise;
mod inspect;
mod job;
mod joined;
mod kernel;
mod landscape;
mod layer_textures;
mod limits;
mod line;
mod live;
mod loose;
mod maps;
mod mended;
mod messages;
mod names;
mod nested;
mod nodes;
mod open_simplex;
mod oracle;
mod over;
mod parity;
mod passthrough;
mod pending;
mod periodic;
mod perspective;
mod phases;
mod phasor;
mod place_rules;
mod places;
mod plane;
mod presets;
mod quality;
mod random;
mod range;
mod raster;
mod recipe;
mod region;
mod rivers;
mod rooms;
mod rows;
mod sabotage;
mod seeds;
#[cfg(feature = "serve")]
mod serve;
#[cfg(feature = "serve")]
mod serve_edits;
#[cfg(feature = "serve")]
mod serve_trust;
#[cfg(feature = "cloud")]
mod settings;
mod several;
mod shards;
mod sharing;
mod shore;
mod single;
mod smooth_cells;
mod solids;
mod specialised;
mod stage_laws;
mod stage_limits;
mod stages;
mod stamps;
mod steep;
mod stop;
mod strata;
mod support;
mod surfaces;
mod ten;
mod terrain;
mod textures;
// Signals, links and limits as Linux has them.
#[cfg(target_os = "linux")]
mod trust;
mod variables;
mod vectors;
mod water;
mod water_gpu;
mod worley;
