//! Regions: which samples.

use crate::args::{Place, value};
use crate::guard::guard;
use crate::status::{Fault, OrogenError, OrogenStatus};
use engine::Region;

/// A box of samples. The position of sample (i, j, k) is `anchor + (origin + (i, j, k)) * spacing * 2^level`, in world units. In memory
/// x varies fastest, then y, then z. Regions with the same spacing and anchor share samples bit for bit, at any origin, size and level.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct OrogenRegion {
    /// Index of the first sample along x, y and z, in samples of this level: -2^62 to 2^62.
    pub origin: [i64; 3],
    /// Number of samples along x, y and z: 1 or more each, at most 2^32 in total.
    pub size: [u32; 3],
    /// Level of detail, 0 to 40. Each level doubles the spacing.
    pub level: u32,
    /// Distance between samples at level 0 in world units: 1e-9 to 1e9.
    pub spacing: f64,
    /// World position of sample index (0, 0, 0). No coordinate of a sample may exceed a magnitude of 2^53 world units.
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

/// A valid region with one sample along z.
pub(crate) fn plane(region: &OrogenRegion) -> Result<Region, Fault> {
    let region = Region::from(region);
    region.check()?;
    if region.size[2] != 1 {
        let message = format!("region: size = {:?} is not allowed; allowed: 1 sample along z: stages work on planes", region.size);
        return Err(Fault::new(OrogenStatus::Region, message));
    }
    Ok(region)
}

/// Returns the region of `width` x `height` samples whose first sample is the world's origin: spacing 1, in the plane z = 0.
///
/// Thread safety: any thread.
#[unsafe(no_mangle)]
pub extern "C" fn orogen_region_plane(width: u32, height: u32) -> OrogenRegion {
    Region::plane(width, height).into()
}

/// Returns tile (x, y) of a world of tiles of `size` x `size` samples: spacing 1, in the plane z = 0.
///
/// Thread safety: any thread.
#[unsafe(no_mangle)]
pub extern "C" fn orogen_region_tile(x: i64, y: i64, size: u32) -> OrogenRegion {
    Region::tile(x, y, size).into()
}

/// Returns chunk (x, y) of a world of chunks of `cells` x `cells` cells: `cells` + 1 samples along x and y, spacing 1, in the plane z = 0.
/// Neighbouring chunks share their border samples, so that their meshes meet.
///
/// Thread safety: any thread.
#[unsafe(no_mangle)]
pub extern "C" fn orogen_region_chunk(x: i64, y: i64, cells: u32) -> OrogenRegion {
    Region::chunk(x, y, cells).into()
}

/// Checks a region and stores its number of samples in `*samples`, which is the length of a buffer for its values. `samples` may
/// be NULL. It is written only after success.
///
/// Errors: NULL (`region`), ARGUMENT (an unaligned pointer), REGION (the message names the first invalid number).
///
/// Thread safety: any thread.
///
/// # Safety
/// Each pointer is NULL or points to a value of its type.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn orogen_region_check(region: *const OrogenRegion, samples: *mut u64, error: *mut OrogenError) -> OrogenStatus {
    // SAFETY: the header states the requirements on the pointers.
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
