//! WGSL: printing a program.
//!
//! | file | contents |
//! |---|---|
//! | `library` | the files of `shaders/lib/`, and the selection of those that a kernel needs |
//! | `emit` | a program's structure as functions |
//! | `output` | the output of a kernel: part of its key |
//! | `entry` | the entry point around the program's functions |
//! | `memory` | the tables as a kernel declares and reads them |

pub(crate) mod emit;
pub(crate) mod entry;
pub(crate) mod library;
pub(crate) mod memory;
pub(crate) mod output;
