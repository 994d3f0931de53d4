//! Where a raster lies: its samples are the points of a lattice that ends, or begins again after its own width.

use super::instance::{Instance, around};
use crate::frame::{Ends, Frame};
use crate::graph::{Outside, Raster};
use crate::program::Tables;
use crate::raster::Surface;
use glam::DVec3;

/// Samples of a raster by which a warp may move it: with those by which [`Ends`] lets it lie out they are still 32 bits.
pub(super) const FARTHEST_SAMPLES: f64 = 536_870_912.0;
/// Numbers of all rasters of a program: what an index on the device counts.
pub(super) const MOST_RASTER_SAMPLES: usize = 1 << 30;
/// Far more than the rounding of a raster's position, far less than f32 holds of a fraction: 2⁻³² of its spacing. With it a sample lies in the
/// cell that it begins, however its position was rounded.
const NUDGE: DVec3 = DVec3::new(1.0 / 4_294_967_296.0, 1.0 / 4_294_967_296.0, 0.0);

impl Raster {
    /// The frame of its samples in an instance of its scope.
    pub(super) fn frame(&self, surface: &Surface, instance: &Instance) -> Frame {
        let [columns, rows] = surface.size;
        let ends = match self.outside {
            Outside::Clamp | Outside::Constant => Ends::Held,
            Outside::Repeat => Ends::Again([columns, rows, 1]),
            Outside::Mirror => Ends::Again([2 * columns - 2, 2 * rows - 2, 1]),
        };
        let scale = DVec3::new(1.0 / self.spacing[0], 1.0 / self.spacing[1], 0.0);
        let frame = around([self.position[0], self.position[1], 0.0], scale, instance);
        Frame { offset: frame.offset + NUDGE, ends, ..frame }
    }
}

impl Tables {
    /// The number of a surface among the rasters, and where its numbers begin among theirs. The same one in several places is one.
    pub(super) fn raster(&mut self, surface: &Surface) -> (usize, usize) {
        let raster = self.rasters.iter().position(|known| known == surface).unwrap_or_else(|| {
            self.rasters.push(surface.clone());
            self.rasters.len() - 1
        });
        (raster, self.rasters[..raster].iter().map(|before| before.values.len()).sum())
    }
}
