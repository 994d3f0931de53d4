//! Rasters: values read from a grid of samples.

use crate::codec::HeightEncoding;
use crate::frame::{AddressMode, Frame};
use crate::graph::Noise;
use crate::graph::lower::NodeSite;
use crate::graph::lower::steep::{Rule, Steep, times};
use crate::graph::node::kind::{CheckedNode, InputRanges, NodeKind};
use crate::graph::node::precision::{Magnitudes, Precision, Rounds};
use crate::interval::Interval;
use crate::params::row;
use crate::program::instance::{Instance, absolute, around};
use crate::program::{GraphError, Op, Outside, ProgramError, Sampling};
use crate::raster::{Digest, Form, Heights, HeightsFile, Holes, Surface};
use glam::DVec3;
use std::f64::consts::SQRT_2;

row! {
    /// A raster: heights, a mask or any other samples on a grid along x and y, from a file or from memory. Values do not depend
    /// on z.
    ///
    /// Coarser levels of detail sample the same surface farther apart, so they share samples with the finest level; nothing is
    /// averaged. Positions are exact at any distance. Values stay within the range of the samples, or with cubic sampling
    /// within that of the spline, which is slightly wider. Unsigned integers of 16 bits and less are mapped to 0 to 1; use
    /// `scale_offset` to turn them into heights.
    Raster {
        /// A file relative to the recipe (PNG, JPEG, OpenEXR, TIFF, NumPy array, SRTM, ASCII grid, raw, r16, r32), with up to 16384
        /// samples along an edge.
        heights: Heights = Heights::default(), [structural];
        /// The channel of a picture's colours, or the encoding of numbers that the file does not specify: PNG tiles with heights
        /// as colours, and raw numbers.
        encoding: HeightEncoding = HeightEncoding::File, [structural];
        /// Samples per row of a file without a header (raw, r16, r32). If omitted, the raster is square.
        columns: Option<u32> = None, [dimensions 1 to 16384], Unitless;
        /// Height of cells that have no height: NaN, and the values that the file declares as missing (GDAL_NODATA, a mask,
        /// voids of SRTM). If omitted, a file with such cells is an error.
        holes: Option<f64> = None, [FINITE], Value;
        /// The SHA-256 hash that the file must have. If omitted, that of the file found is taken.
        sha256: Option<Digest> = None, [told "64 hexadecimal digits"];
        /// World x and y of the first sample.
        position: [f64; 2] = [0.0; 2], [POSITION], World;
        /// World units between samples along x and y; not 0. For pictures with north at the top, the second number is negative.
        spacing: [f64; 2] = [1.0; 2], [each -1000000000 to 1000000000], World;
        /// Interpolation between samples.
        sampling: Sampling = Sampling::Cubic, [structural];
        /// The values beyond the edges.
        outside: Outside = Outside::Clamp, [structural];
        /// Value beyond the edges if `outside` is `constant`.
        fill: f64 = 0.0, [FINITE], Value;
    }
}

impl Noise {
    /// Values of a grid of samples: a scanned mountain, a painted mask, or the output of another program.
    pub fn raster(params: Raster) -> Self {
        Self::source(params)
    }
}

/// Bound of the change of a cubic spline's weights per cell, times the gain of the filter along both axes.
pub(super) const STEEPEST: f64 = 27.0;
/// Number of samples by which a warp may displace a raster's position. Together with the margin of [`AddressMode`] it fits 32 bits.
const FARTHEST_SAMPLES: f64 = 536_870_912.0;
/// Maximum number of samples in all rasters of a program: the range of an index on the device.
const MOST_SAMPLES: usize = 1 << 30;
/// 2⁻³² of the raster's spacing: far more than the rounding of its position, far less than f32 resolves of a fraction. With
/// this margin a sample lies in the cell that it begins, however its position was rounded.
const NUDGE: DVec3 = DVec3::new(1.0 / 4_294_967_296.0, 1.0 / 4_294_967_296.0, 0.0);

impl NodeKind for Raster {
    fn check(&self, at: &CheckedNode<'_>) -> Result<(), GraphError> {
        if self.heights.is_missing() {
            return at.refuse("heights", "\"\"", "the name of a file");
        }
        if self.spacing.iter().any(|spacing| spacing.abs() < 1e-9) {
            return at.refuse("spacing", format!("{:?}", self.spacing), "magnitudes of 1e-9 to 1e9");
        }
        self.check_file(at.name)?;
        self.check_heights(at.name, &self.heights)
    }

    /// Every value is a mean of samples, or of a surface's Bézier points: weights are not negative and add up to 1, except for
    /// rounding. Rounding is relative to the coefficients, which are at most nine times as far from 0 as the samples (the
    /// filter's gain is 3 along an axis).
    fn range(&self, _: &InputRanges<'_>) -> Interval {
        let Some(Surface { range: [lo, hi], .. }) = self.surface() else { return Interval::new(0.0, 0.0) };
        let within = Interval::new(f64::from(lo), f64::from(hi));
        let ulps = if self.sampling == Sampling::Cubic { 9.0 * 16.0 } else { 16.0 };
        let within = within.loosened(ulps, within.magnitude());
        if self.outside == Outside::Constant { within.hull(Interval::new(self.fill, self.fill).outward()) } else { within }
    }

    fn steepness<'a>(&self, rule: &Rule<'_, 'a>) -> Steep<'a> {
        let spacing = self.spacing[0].abs().min(self.spacing[1].abs());
        let slope = match self.sampling {
            Sampling::Nearest => 0.0,
            Sampling::Linear => 2.0 * SQRT_2,
            Sampling::Cubic => STEEPEST,
        };
        let magnitude = self.surface().map_or(0.0, |s| f64::from(s.range[0].abs().max(s.range[1].abs())));
        rule.basis(times(slope, magnitude) / spacing)
    }

    fn precision(&self) -> Precision {
        let [x, y] = self.spacing;
        Precision { cell: [x, y, 0.0], ..Precision::of_values(2e-6) }
    }

    fn rounds(&self, _: &Magnitudes<'_>) -> Rounds {
        Rounds::VALUES
    }

    fn lower(&self, site: &mut NodeSite<'_, '_>) -> Result<Op, ProgramError> {
        site.never_repeats()?;
        let surface = self.surface().expect("invariant: ranges refuse rasters that have not been read");
        let (raster, first) = site.raster(&surface);
        let all = first + surface.values.len();
        if all > MOST_SAMPLES {
            return Err(site.too_large("samples of rasters", all, MOST_SAMPLES));
        }
        for instance in &site.context.instances {
            let cells = (absolute(self.frame(&surface, instance).local) * instance.reach).max_element();
            if cells >= FARTHEST_SAMPLES {
                return Err(ProgramError::Displacement { node: site.name.to_owned(), cells, allowed: FARTHEST_SAMPLES });
            }
        }
        let frames = site.frames(true, |instance| [self.frame(&surface, instance)])?;
        let [columns, rows] = surface.size.map(|edge| edge as usize);
        let numbers = [site.span(first, surface.values.len()), site.span(columns, rows)];
        let (sampling, outside, fill) = (self.sampling, self.outside, site.scalar(self.fill));
        Ok(Op::Raster { raster: raster as u32, sampling, outside, frames, numbers, fill })
    }
}

impl Raster {
    /// The samples; `None` before they are read, or if missing cells are not filled.
    fn surface(&self) -> Option<Surface> {
        let form = match (self.sampling, self.outside) {
            (Sampling::Nearest | Sampling::Linear, _) => Form::Plain,
            (Sampling::Cubic, Outside::Repeat) => Form::Repeated,
            (Sampling::Cubic, Outside::Clamp | Outside::Mirror | Outside::Constant) => Form::Mirrored,
        };
        self.heights.surface(form, self.holes)
    }

    /// The frame of its samples in an instance of its scope.
    fn frame(&self, surface: &Surface, instance: &Instance) -> Frame {
        let [columns, rows] = surface.size;
        let address_mode = match self.outside {
            Outside::Clamp | Outside::Constant => AddressMode::Clamped,
            Outside::Repeat => AddressMode::Wrapped([columns, rows, 1]),
            Outside::Mirror => AddressMode::Wrapped([2 * columns - 2, 2 * rows - 2, 1]),
        };
        let scale = DVec3::new(1.0 / self.spacing[0], 1.0 / self.spacing[1], 0.0);
        let frame = around([self.position[0], self.position[1], 0.0], scale, instance);
        Frame { offset: frame.offset + NUDGE, address_mode, ..frame }
    }

    /// The file that it names, with the declarations about it.
    pub(crate) fn file(&self) -> HeightsFile {
        HeightsFile { encoding: self.encoding, columns: self.columns, ..HeightsFile::new(self.heights.name()) }
    }

    /// Refuses declarations that differ from how the file was read, or that concern samples without a file.
    fn check_file(&self, node: &str) -> Result<(), GraphError> {
        let Some(was) = self.heights.declared() else { return Ok(()) };
        let told = |columns: Option<u32>| columns.map_or("omitted".to_owned(), |columns| columns.to_string());
        if was.encoding != self.encoding {
            let allowed = format!("\"{}\", as the heights were read", was.encoding);
            return Err(GraphError::parameter(node, "encoding", format!("\"{}\"", self.encoding), allowed));
        }
        if was.columns != self.columns {
            return Err(GraphError::parameter(
                node,
                "columns",
                told(self.columns),
                format!("{}, as the heights were read", told(was.columns)),
            ));
        }
        Ok(())
    }

    /// Checks heights that have been read: they must have the hash that the node specifies, and missing cells only if the node
    /// fills them.
    pub(crate) fn check_heights(&self, node: &str, heights: &Heights) -> Result<(), GraphError> {
        if let (Some(Holes { count, column, row, .. }), None) = (heights.holes(), self.holes) {
            let (all, name) = (heights.values().map_or(0, <[f32]>::len), heights.name());
            let first = format!("the first at column {column} of row {row}");
            let allowed =
                format!("a height in each cell, but {count} of {all} have none, {first}; with holes = NUMBER they take this height");
            return Err(GraphError::parameter(node, "heights", format!("\"{name}\""), allowed));
        }
        match (self.sha256, heights.digest()) {
            (Some(wanted), Some(found)) if wanted != found => {
                let allowed = format!("{found}, which {} has (it has changed; without sha256 any will do)", heights.name());
                Err(GraphError::parameter(node, "sha256", wanted.to_string(), allowed))
            }
            _ => Ok(()),
        }
    }
}
