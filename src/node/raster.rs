//! Rasters: numbers on a grid, which are looked up.

use crate::codec::HeightEncoding;
use crate::frame::{AddressMode, Frame};
use crate::graph::{GraphError, Interval, Noise};
use crate::node::choices::{Outside, Sampling};
use crate::node::kind::{CheckedNode, InputRanges, NodeKind};
use crate::node::precision::{Magnitudes, Precision, Rounds};
use crate::params::row;
use crate::program::instance::{Instance, absolute, around};
use crate::program::steep::{Rule, Steep, times};
use crate::program::{NodeSite, Op, ProgramError};
use crate::raster::{Digest, Form, Heights, HeightsFile, Holes, Surface};
use glam::DVec3;
use std::f64::consts::SQRT_2;

row! {
    /// A raster: heights, a mask or any other numbers from a file, or from memory, on a grid along x and y. The same for every z.
    ///
    /// Levels of detail sample the same surface further apart, so that they share samples with the finest one; nothing is averaged.
    /// Positions are exact at any distance. Values never leave the range of the samples; with
    /// cubic sampling that of the surface, which is a little wider. Unsigned integers of 16 bits and less are 0 to 1: `scale_offset` makes
    /// heights of them.
    Raster {
        /// A file beside the recipe (PNG, OpenEXR, TIFF, NumPy array, SRTM, ASCII grid, raw, r16, r32), up to 16384 samples along an edge.
        heights: Heights = Heights::default(), [structural];
        /// How the file's numbers are stored, where it does not say so itself: PNG tiles whose colours are heights, and raw numbers.
        encoding: HeightEncoding = HeightEncoding::File, [structural];
        /// Samples in a row of a file without a header (raw, r16, r32). Not given: as many as it has rows.
        columns: Option<u32> = None, [dimensions 1 to 16384], Unitless;
        /// The height of cells that have none: NaN, and what the file declares as such (GDAL_NODATA, a mask, voids of SRTM). Not given: heights
        /// with such cells are refused.
        holes: Option<f64> = None, [FINITE], Value;
        /// The hash of the file, with which another one is refused. Not given: that of the file as it is found.
        sha256: Option<Digest> = None, [told "64 hexadecimal digits"];
        /// World x and y of the first sample.
        position: [f64; 2] = [0.0; 2], [POSITION], World;
        /// World units from one sample to the next along x and y; not 0. Pictures with north at the top have a negative second one.
        spacing: [f64; 2] = [1.0; 2], [each -1000000000 to 1000000000], World;
        /// From one sample to the next.
        sampling: Sampling = Sampling::Cubic, [structural];
        /// Beyond the edges.
        outside: Outside = Outside::Clamp, [structural];
        /// What lies beyond the edges where `outside` is `constant`.
        fill: f64 = 0.0, [FINITE], Value;
    }
}

impl Noise {
    /// Numbers on a grid: a scanned mountain, a painted mask, what another engine has computed.
    pub fn raster(params: Raster) -> Self {
        Self::source(params)
    }
}

/// Weights of a cubic spline change by up to this much per cell, times the filter's gain along both axes.
const STEEPEST: f64 = 27.0;
/// Samples of a raster by which a warp may move it: with those by which [`AddressMode`] lets it lie out they are still 32 bits.
const FARTHEST_SAMPLES: f64 = 536_870_912.0;
/// Numbers of all rasters of a program: what an index on the device counts.
const MOST_SAMPLES: usize = 1 << 30;
/// Far more than the rounding of a raster's position, far less than f32 holds of a fraction: 2⁻³² of its spacing. With it a sample lies in the
/// cell that it begins, however its position was rounded.
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

    /// Every value is a mean of samples, or of a surface's Bézier points: weights are not negative and add up to 1, but for rounding. That is relative
    /// to the coefficients, of which none is more than nine times as far from 0 as the samples (their filter's gain is 3 along an axis).
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
    /// The numbers it looks up; `None` before they are read, or if holes are not filled.
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

    /// The file that it names, and what it declares of it.
    pub(crate) fn file(&self) -> HeightsFile {
        HeightsFile { encoding: self.encoding, columns: self.columns, ..HeightsFile::new(self.heights.name()) }
    }

    /// Refuses declarations of a file that has been read otherwise, or of numbers that came from no file.
    fn check_file(&self, node: &str) -> Result<(), GraphError> {
        let Some(was) = self.heights.declared() else { return Ok(()) };
        let told = |columns: Option<u32>| columns.map_or("none".to_owned(), |columns| columns.to_string());
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

    /// Whether the node can have these heights, if they have been read: they have the hash that it asks for, and holes only if it fills them.
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
