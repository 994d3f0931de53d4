//! The samples for the meshes of a world's chunks.

use crate::region::{Region, RegionError};

/// The samples for [`terrain`](super::terrain) of a chunk in a world of chunks of `cells`² cells. There is one sample more along
/// each axis than cells, which the neighbouring chunk shares, and a margin of one sample for normals.
///
/// For another level of detail of the same ground, see [`coarser_terrain_chunk`].
///
/// ```
/// let chunk = orogen::mesh::terrain_chunk([1, -1], 64);
/// assert_eq!((chunk.origin, chunk.size), ([63, -65, 0], [67, 67, 1]));
/// ```
pub fn terrain_chunk([x, y]: [i64; 2], cells: u32) -> Region {
    let origin = [x, y].map(|i| i.saturating_mul(i64::from(cells)).saturating_sub(1));
    Region { origin: [origin[0], origin[1], 0], ..Region::plane(cells.saturating_add(3), cells.saturating_add(3)) }
}

/// The samples for [`surface`](super::surface) of a chunk in a world of chunks of `cells`³ cells: two more along each axis than
/// cells. Together, neighbouring chunks contain every triangle once, and vertices along their borders twice, at the same
/// position. A closed surface in the world is closed in their meshes together, without gaps.
///
/// This holds for chunks of one level. If the spacing is a power of two, the positions are equal bit for bit, otherwise up to
/// rounding in f32. For another level of detail of the same part of the world, see [`coarser_chunk`].
///
/// ```
/// let chunk = orogen::mesh::chunk([1, 0, -1], 32);
/// assert_eq!((chunk.origin, chunk.size), ([32, 0, -32], [34; 3]));
/// ```
pub fn chunk(at: [i64; 3], cells: u32) -> Region {
    let size = [cells.saturating_add(2); 3];
    Region { origin: at.map(|i| i.saturating_mul(i64::from(cells))), size, ..Region::plane(1, 1) }
}

/// A [`terrain_chunk`] some levels coarser: cells are 2ᵏ times as large, and cover the same ground.
///
/// [`Region::coarser_chunk`] is for regions without a margin of samples; for a terrain chunk it would omit ground.
///
/// ```
/// use orogen::mesh::{coarser_terrain_chunk, terrain_chunk};
/// // Both cover the ground from x = 64 to 128.
/// let (fine, coarse) = (terrain_chunk([1, 0], 64), coarser_terrain_chunk(&terrain_chunk([1, 0], 64), 2)?);
/// assert_eq!((fine.level, fine.origin, fine.size), (0, [63, -1, 0], [67, 67, 1]));
/// assert_eq!((coarse.level, coarse.origin, coarse.size), (2, [15, -1, 0], [19, 19, 1]));
/// # Ok::<(), orogen::RegionError>(())
/// ```
///
/// # Errors
/// Returns an error if the number of cells along an axis, or the first sample, is not a multiple of 2ᵏ, because an edge would
/// move.
pub fn coarser_terrain_chunk(chunk: &Region, levels: u32) -> Result<Region, RegionError> {
    coarser(chunk, levels, &[0, 1], 1, 3)
}

/// A [`chunk`](fn@chunk) some levels coarser: cells are 2ᵏ times as large, and fill the same part of the world.
///
/// ```
/// use orogen::mesh::{chunk, coarser_chunk};
/// let coarse = coarser_chunk(&chunk([1, 0, -1], 32), 1)?;
/// assert_eq!((coarse.level, coarse.origin, coarse.size), (1, [16, 0, -16], [18; 3]));
/// # Ok::<(), orogen::RegionError>(())
/// ```
///
/// # Errors
/// Returns the errors of [`coarser_terrain_chunk`].
pub fn coarser_chunk(chunk: &Region, levels: u32) -> Result<Region, RegionError> {
    coarser(chunk, levels, &[0, 1, 2], 0, 2)
}

/// A coarser region along these axes, with `before` samples before the first cell, and `more` samples than cells in total.
fn coarser(chunk: &Region, levels: u32, axes: &[usize], before: i64, more: u32) -> Result<Region, RegionError> {
    let mut region = Region { level: chunk.level.saturating_add(levels), ..*chunk };
    for &axis in axes {
        let (first, cells) = (chunk.origin[axis].checked_add(before), chunk.size[axis].checked_sub(more));
        let fits = |first: i64, cells: u32| {
            let most = first.trailing_zeros().min(cells.trailing_zeros());
            (cells > 0 && levels <= most).then(|| (first >> levels, cells >> levels))
        };
        let Some((first, cells)) = first.zip(cells).and_then(|(first, cells)| fits(first, cells)) else {
            let value = format!("{levels} for a chunk of {:?} samples from {:?} on", chunk.size, chunk.origin);
            return Err(RegionError::new("levels", value, "k such that first sample and cells of the chunk are multiples of 2^k"));
        };
        (region.origin[axis], region.size[axis]) = (first - before, cells + more);
    }
    Ok(region)
}
