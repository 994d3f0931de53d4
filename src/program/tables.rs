//! The numbers of a program. They are live: changing them does not change the kernel.

use crate::frame::Frame;
use crate::params::ControlPoint;
use crate::raster::Surface;

/// A control point in the form for kernels: the curve from here to the next point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SplinePoint {
    /// Input of the point.
    pub at: f64,
    /// Output of the point.
    pub value: f64,
    /// Middle anchor of the Bézier to the next point.
    pub anchor: f64,
    /// `1 / (next.at − at)`; kernels do not divide.
    pub inverse_width: f64,
}

/// Every table of a program, in f64. The f32 backends round each number once, to nearest.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tables {
    /// Plain parameters.
    pub scalars: Vec<f64>,
    /// (first element, number of elements) in the table that the operation reads.
    pub spans: Vec<[u32; 2]>,
    /// Lattices and warps, one or more per instance of their scope.
    pub frames: Vec<Frame>,
    /// Amplitudes of octaves and sines.
    pub series: Vec<f64>,
    /// Control points of all splines.
    pub points: Vec<SplinePoint>,
    /// Rasters. On the device, their samples are contiguous.
    pub rasters: Vec<Surface>,
}

/// Rounds to f32, but never a finite number to an infinity.
// Always inlined: in builds with little optimisation it would be called for every constant of every vector.
#[inline(always)]
pub(crate) fn narrow(x: f64) -> f32 {
    let rounded = x as f32;
    // Selects, because `clamp` would be called and check its own bounds.
    let raised = if rounded < f32::MIN { f32::MIN } else { rounded };
    if raised > f32::MAX { f32::MAX } else { raised }
}

impl Tables {
    /// The index of a surface among the rasters, and the first index of its samples. A surface that is used several times is
    /// stored once.
    pub(crate) fn raster(&mut self, surface: &Surface) -> (usize, usize) {
        let raster = self.rasters.iter().position(|known| known == surface).unwrap_or_else(|| {
            self.rasters.push(surface.clone());
            self.rasters.len() - 1
        });
        (raster, self.rasters[..raster].iter().map(|before| before.values.len()).sum())
    }
}

impl SplinePoint {
    /// The pieces between the control points; the last point ends the last piece.
    pub(crate) fn pieces(points: &[ControlPoint]) -> impl Iterator<Item = SplinePoint> + '_ {
        points.iter().enumerate().map(|(i, &p)| match points.get(i + 1) {
            Some(&next) => SplinePoint { at: p.at, value: p.value, anchor: p.anchor(next), inverse_width: 1.0 / (next.at - p.at) },
            None => SplinePoint { at: p.at, value: p.value, anchor: p.value, inverse_width: 0.0 },
        })
    }
}
