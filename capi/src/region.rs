//! Regions: which samples.

use crate::args::{Place, value};
use crate::guard::guard;
use crate::status::{OrogenError, OrogenStatus};
use engine::Region;

/// A box of samples. Sample (i, j, k) of it lies at `anchor + (origin + (i, j, k)) * spacing * 2^level`, in world units; in memory x runs
/// fastest, then y, then z. Regions with the same spacing and anchor share samples bit for bit, whatever their origins, sizes and levels.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct OrogenRegion {
    /// Index of the first sample along x, y and z, in samples of this level: -2^62 to 2^62.
    pub origin: [i64; 3],
    /// Number of samples along x, y and z: 1 or more each, at most 2^32 in all.
    pub size: [u32; 3],
    /// Level of detail, 0 to 40: every level doubles the spacing.
    pub level: u32,
    /// World units from sample to sample at level 0: 1e-9 to 1e9.
    pub spacing: f64,
    /// World position of sample (0, 0, 0). No sample may lie further than 2^53 world units from the world's origin.
    pub anchor: [f64; 3],
}

impl From<&OrogenRegion> for Region {
    fn from(&OrogenRegion { origin, size, level, spacing, anchor }: &OrogenRegion) -> Self {
        Region { origin, size, level, spacing, anchor }
    }
}

impl From<Region> for OrogenRegion {
    fn from(Region { origin, size, level, spacing, anchor }: Region) -> Self {
        OrogenRegion { origin, size, level, spacing, anchor }
    }
}

/// `width` x `height` samples from the world's origin on, one world unit apart, in the plane z = 0.
///
/// Any thread, at any time.
#[unsafe(no_mangle)]
pub extern "C" fn orogen_region_plane(width: u32, height: u32) -> OrogenRegion {
    Region::plane(width, height).into()
}

/// Tile (x, y) of the world cut into tiles of `size` x `size` samples, one world unit apart.
///
/// Any thread, at any time.
#[unsafe(no_mangle)]
pub extern "C" fn orogen_region_tile(x: i64, y: i64, size: u32) -> OrogenRegion {
    Region::tile(x, y, size).into()
}

/// Chunk (x, y) of the world cut into chunks of `cells` x `cells` cells: `cells` + 1 samples along each axis, the last of which are the
/// first of the next chunk, so that meshes of neighbouring chunks meet.
///
/// Any thread, at any time.
#[unsafe(no_mangle)]
pub extern "C" fn orogen_region_chunk(x: i64, y: i64, cells: u32) -> OrogenRegion {
    Region::chunk(x, y, cells).into()
}

/// Checks every number of a region, and gives how many samples it has: what a buffer has to hold. `samples` may be NULL; it is set after
/// success only.
///
/// Fails with NULL (`region`), ARGUMENT (unaligned), REGION (the first number that is not allowed).
///
/// Any thread.
///
/// # Safety
/// The pointers are NULL or point at what their types say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn orogen_region_check(region: *const OrogenRegion, samples: *mut u64, error: *mut OrogenError) -> OrogenStatus {
    // SAFETY: the pointers are the caller's, as the header asks for them.
    unsafe {
        guard(error, || {
            let region = Region::from(value("region", region)?);
            region.check()?;
            if !samples.is_null() {
                Place::new("samples", samples)?.set(region.samples());
            }
            Ok(())
        })
    }
}
