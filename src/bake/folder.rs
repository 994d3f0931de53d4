//! Bakes into a folder by one process, below [`Request`](super::Request): the world as it is evaluated, the folder as it is locked, the calls of
//! the file system.

pub use super::disk::{Disk, DiskEntry, SystemDisk};
pub use super::place::BakeFolder;
pub use super::run::{Answered, Halo, Report, World, bake, bake_in, measure_ranges};
