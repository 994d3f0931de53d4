//! Every integration test in one binary: one link, one GPU device. ARCHITECTURE.md has the map of test classes.
#![allow(clippy::expect_used, clippy::panic, reason = "a test that panics has failed, and says where")]

mod articles;
mod bake;
mod command;
mod document;
mod encode;
mod equalise;
mod examples;
mod export;
mod frozen;
mod gallery;
mod gradient;
mod hexagonal;
mod hill;
mod inspect;
mod kernel;
mod live;
mod nodes;
mod oracle;
mod parity;
mod passthrough;
mod periodic;
mod places;
mod quality;
mod random;
mod range;
mod recipe;
mod sabotage;
mod sharing;
mod specialised;
mod stages;
mod support;
mod ten;
mod textures;
mod worley;
