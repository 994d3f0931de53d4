//! Bakes into a folder by one process, below [`Request`](super::Request): the world as it is evaluated, the folder as it is locked, the calls of
//! the file system.

pub use super::disk::{Disk, DiskEntry, SystemDisk};
pub use super::place::{BakeFolder, EarlierBake, Measuring};
pub use super::run::{Halo, Report, World, bake, bake_in, measure_ranges};
