//! Exact frames: a lattice coordinate is an integer, computed from a sample index.
//!
//! `q(index) = origin + Σ step[axis] · index[axis]` in two's complement with 32 bits of cell and 64 bits of fraction (Q32.64),
//! wrapping. Integer addition is associative, so every tiling of the world gives the same bits. 64 bits of fraction keep the
//! lattice in place: after 10¹² samples the rounding of `step` has moved it by less than 2⁻²⁴ cells. So a tile and a point query
//! far from the origin still agree.

use crate::region::Region;
use glam::{DMat3, DVec3};

/// A Q32.64 number; only its low 96 bits have a meaning, and arithmetic on it wraps.
pub type Fixed = i128;

/// The position of a lattice in the world: lattice coordinate = `linear · world position + offset`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// Lattice cells per world unit; row = lattice axis, column = world axis. Holds wavelength, lacunarity, rotation and skew.
    pub linear: DMat3,
    /// Lattice coordinate of the world's origin, in cells.
    pub offset: DVec3,
    /// The part of `linear` that applies to displacements and gradients. They are in world units, unless an outer slice or
    /// similar node has replaced the world by its own space.
    pub local: DMat3,
    /// World units per cell if positions are centres of cells. An index is then the number of a cell plus 2³¹ instead of that of
    /// a sample.
    pub quantum: Option<DVec3>,
    /// World units after which the lattice repeats along x, y and z; 0 for never.
    pub repeat: DVec3,
    /// `repeat` in points of the lattice, for its hash, and the period along the fourth axis; 0 for never.
    pub period: [i32; 4],
    /// Seed of this lattice's hash.
    pub seed: u32,
    /// The limits of the lattice.
    pub address_mode: AddressMode,
}

/// The limits of a lattice. Coordinates are truncated to 32 bits, that is, taken modulo 2³² cells. Hashes are periodic with that.
/// A raster, or a hash that repeats after another number of cells, would show a seam there, so its coordinates are clamped or
/// reduced first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AddressMode {
    /// Unlimited.
    #[default]
    Unbounded,
    /// Clamped to 2²⁹ cells: everything beyond is constant.
    Clamped,
    /// Periodic, after this many cells along each of its axes.
    Wrapped([u32; 3]),
}

/// Bound to which coordinates of a limited lattice are clamped; a region may span the same number of cells. A warp may add 2²⁹
/// more, and the sum still fits 32 bits.
const FAR: Fixed = 1 << 29;

impl AddressMode {
    /// Clamps or reduces a coordinate along an axis.
    fn reduce(self, d: usize, q: Fixed) -> Fixed {
        match self {
            AddressMode::Unbounded => q,
            AddressMode::Clamped => q.clamp(-FAR << 64, FAR << 64),
            AddressMode::Wrapped(cells) => q.rem_euclid(Fixed::from(cells[d].max(1)) << 64),
        }
    }

    /// Clamps or reduces the coordinates of a region: those of its first sample, and their steps.
    fn reduce_region(self, size: [u32; 3], origin: &mut [Fixed; 3], step: &mut [[Fixed; 3]; 3]) -> Result<(), StepError> {
        if self == AddressMode::Unbounded {
            return Ok(());
        }
        for d in 0..3 {
            if let AddressMode::Wrapped(cells) = self {
                let period = Fixed::from(cells[d].max(1)) << 64;
                for by in step.iter_mut() {
                    let forward = by[d].rem_euclid(period);
                    by[d] = if forward > period / 2 { forward - period } else { forward };
                }
                origin[d] = origin[d].rem_euclid(period);
            }
            let along = |axis: usize| step[axis][d].saturating_mul(Fixed::from(size[axis] - 1));
            let (mut lo, mut hi) = (origin[d], origin[d]);
            for axis in 0..3 {
                lo = lo.saturating_add(along(axis).min(0));
                hi = hi.saturating_add(along(axis).max(0));
            }
            if self == AddressMode::Clamped && (lo >= FAR << 64 || hi <= -FAR << 64) {
                origin[d] = self.reduce(d, lo);
                step.iter_mut().for_each(|by| by[d] = 0);
            } else if hi.saturating_sub(lo) >= FAR << 64 {
                return Err(StepError { cells: libm::ldexp(hi.saturating_sub(lo) as f64, -64), per: "region", bits: 29 });
            }
        }
        Ok(())
    }
}

/// A frame for one region: integers only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RegionGrid {
    /// Lattice coordinate of the region's first sample.
    pub origin: [Fixed; 3],
    /// Change of the lattice coordinate per sample along world x, y and z.
    pub step: [[Fixed; 3]; 3],
    /// Samples along x, y and z after which the lattice repeats, if that is a whole number; else 0.
    pub samples: [u32; 3],
    /// Position of the region's first sample in that period. The origin is then that of the period instead of the region.
    pub first: [u32; 3],
}

/// Cells per sample that a frame may advance.
const LARGEST_STEP: f64 = 2_147_483_648.0;
/// Range of coordinates before they are clamped or reduced: 2⁶⁰ cells.
pub(crate) const FARTHEST: f64 = 1_152_921_504_606_846_976.0;

/// An error: a frame advances 2³¹ cells or more from one sample to the next, or a raster 2²⁹ or more from one end of a region to
/// the other.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error(
    "the lattice advances {cells:e} cells per {per}; allowed: less than 2^{bits} (a longer wavelength, fewer octaves or a smaller spacing; for hill noise, more smoothness or fewer sines)"
)]
#[non_exhaustive]
pub struct StepError {
    /// Number of cells.
    pub cells: f64,
    /// The unit: per sample, or per region.
    pub per: &'static str,
    /// The power of two that it must stay below.
    pub bits: u32,
}

impl StepError {
    fn per_sample(cells: f64) -> Self {
        StepError { cells, per: "sample", bits: 31 }
    }
}

/// `a · b` as a Q32.64 number, rounded once (half away from zero) and wrapped.
pub(crate) fn fixed_product(a: f64, b: f64) -> Fixed {
    // Most lattices lie along the world's axes, so most factors are 0.
    if a == 0.0 || b == 0.0 {
        return 0;
    }
    let (ma, ea) = mantissa(a);
    let (mb, eb) = mantissa(b);
    // The product of 53-bit mantissas is exact in 106 bits.
    let product = ma * mb;
    let shift = ea + eb + 64;
    let magnitude = match shift {
        // Wraps: beyond 128 bits the result is 0.
        0.. => product.checked_shl(shift.unsigned_abs()).unwrap_or(0),
        -127..0 => ((product >> (shift.unsigned_abs() - 1)) + 1) >> 1,
        _ => 0,
    };
    let magnitude = magnitude as i128;
    if (a < 0.0) != (b < 0.0) { magnitude.wrapping_neg() } else { magnitude }
}

/// `x` as a Q32.64 number.
pub(crate) fn fixed(x: f64) -> Fixed {
    fixed_product(x, 1.0)
}

/// Magnitude of a finite number as `mantissa · 2^exponent`.
fn mantissa(x: f64) -> (u128, i32) {
    let bits = x.to_bits();
    let exponent = ((bits >> 52) & 0x7ff) as i32;
    let fraction = bits & ((1 << 52) - 1);
    if exponent == 0 { (u128::from(fraction), -1074) } else { (u128::from(fraction | (1 << 52)), exponent - 1075) }
}

impl Frame {
    /// The integers of this frame for a region.
    ///
    /// # Errors
    /// Returns an error if the lattice advances 2³¹ cells or more per sample.
    pub fn grid(&self, region: &Region) -> Result<RegionGrid, StepError> {
        if let Some(size) = self.quantum {
            return self.quantised(size);
        }
        let columns = self.linear.to_cols_array_2d();
        let largest = self.linear.abs().to_cols_array().into_iter().fold(0.0, f64::max) * region.step();
        let most = if self.address_mode == AddressMode::Unbounded { LARGEST_STEP } else { FARTHEST };
        if largest.is_nan() || largest >= most {
            return Err(StepError::per_sample(largest));
        }
        // Level L takes exactly 2^L steps of level 0, so that levels share samples.
        let (mut step, mut origin, mut samples, mut first) = ([[0; 3]; 3], [0; 3], [0; 3], [0; 3]);
        for d in 0..3 {
            origin[d] = self.anywhere(d, region.anchor);
            for axis in 0..3 {
                step[axis][d] = fixed_product(columns[axis][d], region.spacing) << region.level;
            }
        }
        for (axis, by) in step.iter().enumerate() {
            if let Some(count) = self.whole_samples(axis, region.step()) {
                samples[axis] = count;
                first[axis] = region.origin[axis].rem_euclid(i64::from(count)) as u32;
                continue;
            }
            for d in 0..3 {
                origin[d] = origin[d].wrapping_add(by[d].wrapping_mul(i128::from(region.origin[axis])));
            }
            if self.repeat[axis] > 0.0 {
                // Whole periods are whole cells, so subtracting them is exact.
                let laps = (region.origin[axis] as f64 * region.step() / self.repeat[axis]).floor();
                for d in 0..3 {
                    let cells = (columns[axis][d] * self.repeat[axis]).round();
                    origin[d] = origin[d].wrapping_sub(((laps as i128).wrapping_mul(cells as i128)) << 64);
                }
            }
        }
        self.address_mode.reduce_region(region.size, &mut origin, &mut step)?;
        Ok(RegionGrid { origin, step, samples, first })
    }

    /// The number of samples after which the lattice repeats along an axis, if that is a whole number up to rounding. Sample 0
    /// and that sample are then identified by counting, regardless of rounding in the step.
    fn whole_samples(&self, axis: usize, step: f64) -> Option<u32> {
        if self.repeat[axis] == 0.0 {
            return None;
        }
        let samples = self.repeat[axis] / step;
        let whole = samples.round();
        let fits = (1.0..LARGEST_STEP).contains(&whole) && (samples - whole).abs() <= (1e-9 * whole).min(1e-3);
        fits.then_some(whole as u32)
    }

    /// The integers of this frame for point queries: every point brings its own [`origin`](Self::origin), with index 0.
    ///
    /// # Errors
    /// Returns an error if the lattice advances 2³¹ cells or more from one cell of a quantised space to the next.
    pub fn point_grid(&self) -> Result<RegionGrid, StepError> {
        let still = || RegionGrid { origin: self.offset.to_array().map(fixed), step: [[0; 3]; 3], samples: [0; 3], first: [0; 3] };
        self.quantum.map_or_else(|| Ok(still()), |size| self.quantised(size))
    }

    /// Steps are whole cells of the quantised space for any sampling.
    fn quantised(&self, size: DVec3) -> Result<RegionGrid, StepError> {
        let largest = self.per_quantum(size).iter().map(|column| column.abs().max_element()).fold(0.0, f64::max);
        if largest.is_nan() || largest >= LARGEST_STEP {
            return Err(StepError::per_sample(largest));
        }
        let step = self.quantised_steps(size);
        Ok(RegionGrid { origin: self.quantised_origin(&step), step, samples: [0; 3], first: [0; 3] })
    }

    /// Cells of the lattice per cell of the quantised space.
    fn per_quantum(&self, size: DVec3) -> [DVec3; 3] {
        [self.linear.x_axis * size.x, self.linear.y_axis * size.y, self.linear.z_axis * size.z]
    }

    fn quantised_steps(&self, size: DVec3) -> [[Fixed; 3]; 3] {
        self.per_quantum(size).map(|column| column.to_array().map(fixed))
    }

    /// The position of index 0: 2³¹ cells before the centre of cell 0.
    fn quantised_origin(&self, step: &[[Fixed; 3]; 3]) -> [Fixed; 3] {
        let mut origin = self.offset.to_array().map(fixed);
        for by in step {
            for d in 0..3 {
                origin[d] = origin[d].wrapping_add(by[d] >> 1).wrapping_sub(by[d] << 31);
            }
        }
        origin
    }

    /// The lattice coordinate of one world position: the frame's origin for a point query.
    pub fn origin(&self, position: [f64; 3]) -> [Fixed; 3] {
        std::array::from_fn(|d| self.coordinate(d, position))
    }

    /// One axis of it.
    pub fn coordinate(&self, d: usize, position: [f64; 3]) -> Fixed {
        self.address_mode.reduce(d, self.anywhere(d, position))
    }

    /// One axis of it, up to 2⁶³ cells.
    fn anywhere(&self, d: usize, position: [f64; 3]) -> Fixed {
        if let Some(size) = self.quantum {
            return self.quantised_origin(&self.quantised_steps(size))[d];
        }
        let mut sum = fixed(self.offset[d]);
        for (axis, column) in self.linear.to_cols_array_2d().iter().enumerate() {
            // Most lattices are aligned with the world's axes, and half of the others have an axis that is.
            if column[d] != 0.0 {
                let along = if self.repeat[axis] > 0.0 { position[axis].rem_euclid(self.repeat[axis]) } else { position[axis] };
                sum = sum.wrapping_add(fixed_product(column[d], along));
            }
        }
        sum
    }
}

/// The words of a fixed-point number, most significant first: cell, upper and lower half of the fraction.
pub(crate) fn words(q: Fixed) -> [u32; 3] {
    [(q >> 64) as u32, (q >> 32) as u32, q as u32]
}

#[cfg(test)]
mod tests {
    use crate::frame::*;

    const STILL: Frame = Frame {
        linear: DMat3::ZERO,
        offset: DVec3::ZERO,
        local: DMat3::ZERO,
        quantum: None,
        repeat: DVec3::ZERO,
        period: [0; 4],
        seed: 0,
        address_mode: AddressMode::Unbounded,
    };

    #[test]
    fn products_are_exact_and_round_once() {
        assert_eq!(fixed(1.0), 1 << 64);
        assert_eq!(fixed(-0.75), -(3 << 62));
        assert_eq!(fixed_product(0.5, -3.0), -(3 << 63));
        assert_eq!(fixed(libm::exp2(-65.0)), 1, "half rounds away from zero");
        assert_eq!(fixed(libm::exp2(-66.0)), 0);
        // 2^53 − 1 and 1 + 2⁻⁵²: no f64 holds their product.
        let (a, b) = (9_007_199_254_740_991.0, 1.0 + f64::EPSILON);
        let exact = (((1i128 << 53) - 1) * ((1 << 52) + 1)) << 12;
        assert_eq!(fixed_product(a, b), exact);
        assert_eq!(fixed_product(f64::MIN_POSITIVE, f64::MIN_POSITIVE), 0);
    }

    #[test]
    fn tiles_and_points_agree_far_out() {
        let frame =
            Frame { linear: DMat3::from_diagonal(DVec3::new(1.0 / 300.0, 0.37, 1e-3)), offset: DVec3::new(0.25, -7.5, 3.0), ..STILL };
        for tile in [0i64, 3, -1_000_000, 2_000_000_000] {
            let region = Region { spacing: 0.7, ..Region::tile(tile, -tile, 512) };
            let grid = frame.grid(&region).expect("small steps");
            let point = frame.origin(region.position([0; 3]));
            for d in 0..2 {
                // Positions are f64: compare within their own rounding and the lattice drift of 2⁻⁶⁵ per sample.
                let drift = libm::ldexp(grid.origin[d].wrapping_sub(point[d]) as f64, -64);
                let allowed = libm::ldexp((512.0 * tile as f64).abs(), -53) + 1e-18;
                assert!(drift.abs() <= allowed, "tile {tile}: {drift:e} cells");
            }
        }
    }

    #[test]
    fn a_step_of_two_to_the_31_cells_is_an_error() {
        let frame = Frame { linear: DMat3::IDENTITY, ..STILL };
        let region = |spacing, level| Region { spacing, level, ..Region::plane(1, 1) };
        assert!(frame.grid(&region(1.0, 31)).is_err());
        assert!(frame.grid(&region(1.0, 30)).is_ok());
        assert!(frame.grid(&region(1e9, 3)).is_err());
    }
}
