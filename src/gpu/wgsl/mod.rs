//! WGSL: how a program is printed.
//!
//! | file | holds |
//! |---|---|
//! | `library` | the files of `shaders/lib/`, and which of them a kernel needs |
//! | `emit` | a program's structure as functions |
//! | `entry` | the entry point around them |
//! | `tables` | where a kernel finds the tables of its program |

pub(crate) mod emit;
pub(crate) mod entry;
pub(crate) mod library;
pub(crate) mod tables;
