//! Regions: a box of sample indices, the spacing, and the world position of index 0.

use crate::not_allowed::NotAllowed;
use serde::{Deserialize, Serialize};

/// Largest magnitude of a position: beyond ±2⁵³ world units, f64 cannot distinguish neighbours.
pub(crate) const FARTHEST: f64 = 9_007_199_254_740_992.0;
/// Smallest and largest spacing.
pub(crate) const SPACING: (f64, f64) = (1e-9, 1e9);
/// Largest edge of a tile, in samples.
pub(crate) const LARGEST_TILE: u32 = 16_384;
/// Maximum number of tiles in a bake by one process, which holds their records in memory.
pub(crate) const MOST_TILES: u64 = 1 << 24;
/// Deepest level of detail.
const DEEPEST_LEVEL: u32 = 40;
/// Largest magnitude of a sample's index, 2⁶²: sums of indices fit 64 bits.
const LARGEST_INDEX: i64 = 1 << 62;
/// Maximum number of samples of a field: 2³², 16 GiB of values.
const MOST_SAMPLES: u64 = 1 << 32;

/// A box of samples. Sample `(i, j, k)` of the box has the world position
/// `anchor + (origin + (i, j, k)) · spacing · 2^level`; x runs fastest in memory.
///
/// Two regions with the same spacing and anchor share samples bit for bit, at any origin and size. So do two levels, where their
/// samples coincide.
///
/// Regions are equal if all their numbers are, so they can be keys of a cache.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Region {
    /// Index of the first sample along x, y and z, in samples of this level.
    pub origin: [i64; 3],
    /// Number of samples along x, y and z.
    pub size: [u32; 3],
    /// Level of detail: every level doubles the spacing.
    pub level: u32,
    /// World units between samples at level 0.
    pub spacing: f64,
    /// World position of sample 0, 0, 0.
    pub anchor: [f64; 3],
}

/// The reason why a region is invalid.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("region: {0}")]
pub struct RegionError(pub NotAllowed);

impl RegionError {
    pub(crate) fn new(what: &'static str, value: impl ToString, allowed: &'static str) -> Self {
        RegionError(NotAllowed::new(what, value, allowed))
    }
}

impl Region {
    /// Key for `Eq` and `Hash`: −0 equals +0, and NaN equals NaN.
    fn key(&self) -> ([i64; 3], [u32; 3], u32, [u64; 4]) {
        let [x, y, z] = self.anchor;
        (self.origin, self.size, self.level, [self.spacing, x, y, z].map(|number| (number + 0.0).to_bits()))
    }
}

impl PartialEq for Region {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Eq for Region {}

impl std::hash::Hash for Region {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.key().hash(state);
    }
}

/// Facts about the regions of one call, collected before the first is evaluated.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RegionBatch {
    /// The first region.
    pub first: Region,
    /// Number of samples of the largest region.
    pub largest: u64,
}

impl RegionBatch {
    /// For regions that can share one upload of lattice steps; `None` if there are no regions.
    ///
    /// # Errors
    /// Returns an error if a region is invalid, or if its spacing or level differs from that of the first.
    pub fn of(regions: &mut dyn Iterator<Item = Region>) -> Result<Option<RegionBatch>, RegionError> {
        let Some(first) = regions.next() else { return Ok(None) };
        first.check()?;
        let mut largest = first.samples();
        for region in regions {
            region.check()?;
            if (region.spacing, region.level) != (first.spacing, first.level) {
                let value = format!("spacing {}, level {}", region.spacing, region.level);
                return Err(RegionError::new("regions", value, "one spacing and one level in one call"));
            }
            largest = largest.max(region.samples());
        }
        Ok(Some(RegionBatch { first, largest }))
    }
}

impl Region {
    /// `width` × `height` samples from the world's origin on, one world unit apart, in the plane z = 0.
    pub fn plane(width: u32, height: u32) -> Self {
        Region { origin: [0; 3], size: [width, height, 1], level: 0, spacing: 1.0, anchor: [0.0; 3] }
    }

    /// Tile `(x, y)` of a world of tiles of `size`² samples.
    pub fn tile(x: i64, y: i64, size: u32) -> Self {
        let at = |index: i64| index.saturating_mul(i64::from(size));
        Region { origin: [at(x), at(y), 0], ..Region::plane(size, size) }
    }

    /// Chunk `(x, y)` of a world of chunks of `cells`² cells: `cells + 1` samples along each axis. The last samples are the first
    /// of the next chunk, so that meshes of neighbouring chunks meet. [`coarser_chunk`](Self::coarser_chunk) keeps both edges.
    ///
    /// ```
    /// use orogen::Region;
    /// let chunk = Region::chunk(2, -1, 128);
    /// assert_eq!((chunk.origin, chunk.size), ([256, -128, 0], [129, 129, 1]));
    /// assert_eq!(chunk.coarser_chunk(1).size, [65, 65, 1]);
    /// ```
    pub fn chunk(x: i64, y: i64, cells: u32) -> Self {
        let edge = cells.saturating_add(1);
        Region { size: [edge, edge, 1], ..Region::tile(x, y, cells) }
    }

    /// World units between samples at this region's level.
    pub fn step(&self) -> f64 {
        self.spacing * (1u64 << self.level.min(DEEPEST_LEVEL)) as f64
    }

    /// The same area, `levels` levels coarser, like the mip levels of a texture: each halves the number of samples along each
    /// axis, rounded down, to at least one. The first sample is at or before this region's first.
    ///
    /// The last of an odd number of samples is dropped: 129 become 64. [`coarser_chunk`](Self::coarser_chunk) keeps it.
    pub fn coarser(&self, levels: u32) -> Self {
        let size = self.size.map(|s| s.checked_shr(levels).unwrap_or(0).max(s.min(1)));
        Region { origin: self.origin.map(|i| i >> levels.min(63)), size, level: self.level.saturating_add(levels), ..*self }
    }

    /// The same [`chunk`](Self::chunk), some levels coarser: every 2ᵏth sample including both edges, so that 129 samples become
    /// 65. If the number of cells along an axis is not a multiple of 2ᵏ, the last sample lies before the edge by the remainder.
    /// The first sample is at or before this region's first.
    ///
    /// Not for the chunks of `orogen::mesh`, which have a margin of samples: use `coarser_terrain_chunk` and `coarser_chunk`
    /// there.
    pub fn coarser_chunk(&self, levels: u32) -> Self {
        let size = self.size.map(|s| s.checked_sub(1).map_or(0, |cells| cells.checked_shr(levels).unwrap_or(0) + 1));
        Region { size, ..self.coarser(levels) }
    }

    /// Number of samples.
    pub fn samples(&self) -> u64 {
        self.size.iter().fold(1, |n, &s| n.saturating_mul(u64::from(s)))
    }

    /// World position of a sample of this box.
    pub fn position(&self, index: [u32; 3]) -> [f64; 3] {
        std::array::from_fn(|a| self.anchor[a] + (self.origin[a] as f64 + f64::from(index[a])) * self.step())
    }

    /// World positions of the eight samples in the corners.
    pub(crate) fn corners(&self) -> [[f64; 3]; 8] {
        let last = self.size.map(|count| count - 1);
        std::array::from_fn(|corner| self.position(std::array::from_fn(|axis| if corner >> axis & 1 == 1 { last[axis] } else { 0 })))
    }

    /// Checks every number.
    ///
    /// # Errors
    /// Returns an error for the first number that is not allowed.
    pub fn check(&self) -> Result<(), RegionError> {
        let refuse = |what, value: String, allowed| Err(RegionError::new(what, value, allowed));
        if self.size.contains(&0) {
            return refuse("size", format!("{:?}", self.size), "1 or more samples along each axis");
        }
        if self.samples() > MOST_SAMPLES {
            return refuse("size", format!("{:?}", self.size), "at most 2^32 samples in all");
        }
        if self.level > DEEPEST_LEVEL {
            return refuse("level", self.level.to_string(), "0 to 40");
        }
        if !(self.spacing >= SPACING.0 && self.spacing <= SPACING.1) {
            return refuse("spacing", self.spacing.to_string(), "1e-9 to 1e9");
        }
        let last = self.size.map(|s| s - 1);
        for corner in [self.position([0; 3]), self.position(last)] {
            if !corner.iter().all(|x| x.abs() <= FARTHEST) {
                return refuse("position", format!("{corner:?}"), "magnitudes up to 2^53 world units");
            }
        }
        if !self.origin.iter().all(|i| (-LARGEST_INDEX..=LARGEST_INDEX).contains(i)) {
            return refuse("origin", format!("{:?}", self.origin), "magnitudes up to 2^62");
        }
        Ok(())
    }

    /// Splits the box into boxes of at most `edge` samples along each axis (and `edge`² in all). They are in memory order of their
    /// origins, each with its offset inside this box.
    pub(crate) fn split(&self, edge: u32) -> impl Iterator<Item = (Region, [u32; 3])> + '_ {
        // A volume is split into slabs that contain at most as many samples as a plane would.
        let depth = (u64::from(edge) * u64::from(edge) / (u64::from(self.size[0].min(edge)) * u64::from(self.size[1].min(edge))))
            .clamp(1, u64::from(edge));
        let edges = [edge, edge, depth as u32];
        let starts = move |axis: usize| (0..self.size[axis]).step_by(edges[axis] as usize);
        starts(2).flat_map(move |z| starts(1).flat_map(move |y| starts(0).map(move |x| [x, y, z]))).map(move |at| {
            let part = Region {
                origin: std::array::from_fn(|a| self.origin[a] + i64::from(at[a])),
                size: std::array::from_fn(|a| edges[a].min(self.size[a] - at[a])),
                ..*self
            };
            (part, at)
        })
    }
}
