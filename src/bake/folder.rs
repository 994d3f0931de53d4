//! Bakes into a folder by one process, below [`Request`](super::Request): evaluating the world, locking the folder, and the file
//! system calls.

pub use super::disk::{Disk, DiskEntry, SystemDisk};
pub use super::place::BakeFolder;
pub use super::run::{Halo, Report, bake, bake_in, measure_ranges};
pub use super::world::{Answered, World};
