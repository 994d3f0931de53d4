//! Programs: scopes of operations in single-assignment form, with the tables that they read.
//!
//! `Graph → Program { structure, tables }`: `src/graph/lower/` makes programs, backends run them. The structure contains no numbers: programs with the same structure use the same
//! kernel, with any tables. Both backends read the same structure and the same tables.
//!
//! A sub-graph that is sampled at other positions than the sample's own is a *scope*: a function of an instance and a
//! displacement. Examples are a fractal's body and the field under a warp. The instance selects the octave's frames, so any
//! sub-graph can be a body, and fractals nest: octave k inside row r is row `r · octaves + k`.

mod basis;
mod choices;
mod error;
mod fastnoise;
pub(crate) mod fourth;
pub(crate) mod instance;
pub(crate) mod lattice;
pub(crate) mod reach;
mod seed;
mod specialise;
mod tables;

pub use basis::{Basis, CraterShape, MOST_CRATER_SIZES, OneLiner, OpenSimplexShape, Pointwise, SmoothShape, WorleyShape};
#[cfg(feature = "gpu")]
pub use basis::{BasisCall, Close};
pub use choices::{
    Accumulate, Axis, BedOutput, CraterOutput, FastnoiseDistance, FastnoiseFractal, FastnoiseReturn, FastnoiseRotation, FastnoiseType,
    FastnoiseVersion, FastnoiseWarp, FastnoiseWarpFractal, Interpolation, Metric, Outside, PhasorProfile, Sampling, SmoothOutput,
    StampCombine, StampPriority, WorleyOutput,
};
pub(crate) use error::FARTHEST_CELLS;
pub use error::{GraphError, ProgramError, RangeError};
pub use fastnoise::{FASTNOISE_CELLS, FastnoiseNumber, FastnoiseShape};
pub(crate) use seed::Seed;
#[cfg(feature = "gpu")]
pub use specialise::Specialisation;
pub(crate) use tables::narrow;
pub use tables::{SplinePoint, Tables};

use crate::frame::{AddressMode, FARTHEST, Frame, RegionGrid, StepError};
use crate::interval::Interval;
use crate::region::Region;
use fourth::FourthAxis;
use reach::CoordinateFrames;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

/// An operation's result: its index in its scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Reg(pub u32);

/// Index into [`Tables::scalars`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Scalar(pub u32);

/// Index into [`Tables::spans`]: the first of an operation's elements in their table, and their number (in the table of frames:
/// the number per instance of the scope).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Span(pub u32);

/// Index into [`Structure::scopes`]. A scope calls only earlier scopes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ScopeId(pub u32);

/// An operation. It yields a jet: a value and its gradient with respect to world position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    /// A constant, with gradient 0.
    Constant(Scalar),
    /// The first lattice coordinate of a frame, or part of it, as a value.
    Coordinate(CoordinatePart, Span),
    /// A lattice noise in the frame of the scope's instance.
    Lattice(Basis, Span),
    /// A raster, with this index in the tables, at the first two coordinates of a frame. The spans hold the first index and the
    /// number of its samples among those of all rasters, and its columns and rows.
    Raster { raster: u32, sampling: Sampling, outside: Outside, frames: Span, numbers: [Span; 2], fill: Scalar },
    /// A blend of parts of a raster at the corners of triangles. The spans are as for `Raster`; the numbers are those of
    /// `ExampleNumbers`.
    Example { raster: u32, sampling: Sampling, frames: Span, spans: [Span; 2], numbers: Scalar },
    /// The part of a value's gradient along one axis of the scope's own space, with gradient 0: second derivatives are not computed.
    /// `local` of the frame is the matrix from displacements in that space to displacements in the world.
    Derivative { x: Reg, axis: Axis, frames: Span },
    /// Waves along a direction, with a factor of their frequency, around the points of a lattice. If these vary: half the
    /// derivatives of each of the four, per cell; then the waves have no gradient. The numbers are the waves per cell and three of
    /// the profile.
    Phasor {
        dimensions: u32,
        profile: PhasorProfile,
        frames: Span,
        along: [Reg; 3],
        frequency: Reg,
        slopes: Option<[[Reg; 3]; 4]>,
        numbers: Scalar,
    },
    /// Polar coordinates of the first two axes of a frame (the radius uses all three).
    Polar(Polar, Span),
    /// Sines along the first axes of many frames, `amplitudes` in the series: `Σ aᵢ · (sin uᵢ + …)`.
    Sines { dimensions: u32, frames: Span, amplitudes: Span },
    /// `x · scale + offset`.
    ScaleOffset { x: Reg, scale: Scalar, offset: Scalar },
    /// The value clamped to `low` and `high`.
    Clamp { x: Reg, low: Scalar, high: Scalar },
    /// The absolute value.
    Abs(Reg),
    /// `sign(x) · |x|^exponent`.
    Power { x: Reg, exponent: Scalar },
    /// Sum.
    Add(Reg, Reg),
    /// Product.
    Multiply(Reg, Reg),
    /// The smaller value.
    Min(Reg, Reg),
    /// The larger value.
    Max(Reg, Reg),
    /// `a + clamp(mask, 0, 1) · (b − a)`.
    Blend { a: Reg, b: Reg, mask: Reg },
    /// A curve through control points.
    Spline { x: Reg, points: Span },
    /// A curve with up to four parameters, which are adjacent in the table.
    Curve { curve: Curve, x: Reg, numbers: Scalar },
    /// Octaves of a scope. The span is in the series (amplitudes); `numbers` are the four parameters of [`Accumulate`].
    Fractal { body: ScopeId, octaves: Span, accumulate: Accumulate, numbers: Scalar },
    /// A scope at a displaced position. The span is in the table of frames; `local` of the frame maps the displacement.
    Warp { body: ScopeId, by: [Reg; 3], frames: Span },
    /// A scope displaced by another one, octave by octave, each sampled at the position displaced so far. The span has one frame
    /// per octave; scope `by` has three instances per octave, one per axis.
    Turbulence { body: ScopeId, by: ScopeId, frames: Span },
    /// A scope with transformed instances; the position itself is unchanged.
    Transform { body: ScopeId },
    /// A scope whose displacements and gradients are measured in its own space; `local` of the frame converts to it.
    Slice { body: ScopeId, frames: Span },
    /// A scope with two instances each: unchanged and mirrored. The sign of the frame's first coordinate selects one.
    Mirror { body: ScopeId, frames: Span },
    /// A scope at the centre of the frame's cell.
    Quantise { body: ScopeId, frames: Span },
    /// A scope in discs around lattice points. Its twelve numbers begin at the scalar; see `src/cpu/lib/stamps.rs`.
    Stamps { body: ScopeId, combine: StampCombine, priority: StampPriority, frames: Span, numbers: Scalar },
    /// A scope at the position computed by three values.
    At { body: ScopeId, by: [Reg; 3] },
}

impl Op {
    /// Its frames, if it has any.
    pub fn frames(&self) -> Option<Span> {
        match *self {
            Op::Coordinate(_, frames)
            | Op::Lattice(_, frames)
            | Op::Polar(_, frames)
            | Op::Raster { frames, .. }
            | Op::Sines { frames, .. }
            | Op::Derivative { frames, .. }
            | Op::Example { frames, .. }
            | Op::Phasor { frames, .. }
            | Op::Warp { frames, .. }
            | Op::Turbulence { frames, .. }
            | Op::Slice { frames, .. }
            | Op::Mirror { frames, .. }
            | Op::Quantise { frames, .. }
            | Op::Stamps { frames, .. } => Some(frames),
            Op::Constant(_)
            | Op::ScaleOffset { .. }
            | Op::Clamp { .. }
            | Op::Abs(_)
            | Op::Power { .. }
            | Op::Add(..)
            | Op::Multiply(..)
            | Op::Min(..)
            | Op::Max(..)
            | Op::Blend { .. }
            | Op::Spline { .. }
            | Op::Curve { .. }
            | Op::Fractal { .. }
            | Op::Transform { .. }
            | Op::At { .. } => None,
        }
    }
}

impl Op {
    /// The results of its scope whose gradients its own gradient depends on.
    fn slopes(&self) -> [Option<Reg>; 4] {
        match *self {
            Op::ScaleOffset { x, .. }
            | Op::Clamp { x, .. }
            | Op::Abs(x)
            | Op::Power { x, .. }
            | Op::Spline { x, .. }
            | Op::Curve { x, .. }
            | Op::Derivative { x, .. } => [Some(x), None, None, None],
            Op::Add(a, b) | Op::Multiply(a, b) | Op::Min(a, b) | Op::Max(a, b) => [Some(a), Some(b), None, None],
            Op::Blend { a, b, mask } => [Some(a), Some(b), Some(mask), None],
            Op::Warp { by: [x, y, z], .. } | Op::At { by: [x, y, z], .. } => [Some(x), Some(y), Some(z), None],
            Op::Constant(_)
            | Op::Coordinate(..)
            | Op::Lattice(..)
            | Op::Raster { .. }
            | Op::Example { .. }
            | Op::Polar(..)
            | Op::Phasor { .. }
            | Op::Sines { .. }
            | Op::Fractal { .. }
            | Op::Turbulence { .. }
            | Op::Transform { .. }
            | Op::Slice { .. }
            | Op::Mirror { .. }
            | Op::Quantise { .. }
            | Op::Stamps { .. } => [None; 4],
        }
    }

    /// For each operation, whether a derivative reads its gradient, directly or through others.
    pub(crate) fn sloped(ops: &[Op]) -> Vec<bool> {
        let mut sloped = vec![false; ops.len()];
        for (i, op) in ops.iter().enumerate().rev() {
            if sloped[i] || matches!(op, Op::Derivative { .. }) {
                op.slopes().into_iter().flatten().for_each(|Reg(r)| sloped[r as usize] = true);
            }
        }
        sloped
    }
}

/// Largest factor of the frequency of phasor noise.
pub(crate) const PHASOR_FASTEST: f64 = 16.0;

/// The used part of a coordinate. A fraction is exact at any distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CoordinatePart {
    /// Cell and fraction as one number, with a relative error of up to 2⁻²⁴.
    Whole,
    /// The fraction, from 0 to 1.
    Fraction,
}

/// A polar coordinate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Polar {
    /// Distance from the frame's origin.
    Radius,
    /// First coordinate over distance in the plane.
    Cosine,
    /// Second coordinate over distance in the plane.
    Sine,
    /// Turns from the first axis, −1/2 to 1/2.
    Angle,
}

/// A function of one number with up to four parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Curve {
    /// 0 below one edge, 1 above another, quintic in between: (lower edge, 1 / width).
    Smoothstep,
    /// Steps: (height of a step, 1 / height, flat share of a step, 1 / sloped share).
    Terrace,
    /// One of two numbers: (at, value below, value from `at` on).
    Threshold,
    /// Perlin's gain around 1/2: (exponent).
    Gain,
    /// Sine of turns: (turns per unit, phase in turns).
    Sine,
    /// The hill article's approximation of the normal distribution, −1 to 1: (1 / standard deviation).
    Normal,
    /// Quantile of the Weibull distribution: (scale, 1 / shape).
    WeibullQuantile,
    /// Quantile of the normal distribution: (mean, standard deviation).
    NormalQuantile,
}

/// A function of (instance, displacement): a list of operations and the index of the result.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Scope {
    /// The operations; each reads only earlier results.
    pub ops: Vec<Op>,
    /// For each operation, whether its gradient is needed for values.
    pub sloped: Vec<bool>,
    /// The result.
    pub result: Reg,
    /// Whether positions inside are displaced, by an outer warp or because they are relative to an anchor.
    pub displaced: bool,
    /// Whether positions inside are centres of outer cells, whose indices have 32 bits.
    pub quantised: bool,
}

/// The parts of a program that shape the kernel; the key of the kernel cache.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Structure {
    /// The scopes, called ones first; the last is the program.
    pub scopes: Vec<Scope>,
    /// Whether any lattice is periodic.
    pub periodic: bool,
    /// The hash of the other fields, because kernels are looked up for every dispatch.
    fingerprint: u64,
}

impl Hash for Structure {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.fingerprint);
    }
}

impl Structure {
    pub(crate) fn new(scopes: Vec<Scope>, periodic: bool) -> Self {
        let mut hasher = DefaultHasher::new();
        (&scopes, periodic).hash(&mut hasher);
        Structure { scopes, periodic, fingerprint: hasher.finish() }
    }

    /// Whether positions are relative to an anchor.
    pub fn anchored(&self) -> bool {
        self.scopes.last().is_some_and(|program| program.displaced)
    }

    /// Whether any operation reads gradients, so that the program's own is unknown.
    #[cfg(feature = "export")]
    pub fn has_derivatives(&self) -> bool {
        self.scopes.iter().flat_map(|scope| &scope.ops).any(|op| matches!(op, Op::Derivative { .. }))
    }

    /// Whether any operation reads a raster.
    #[cfg(feature = "export")]
    pub fn has_rasters(&self) -> bool {
        self.scopes.iter().flat_map(|scope| &scope.ops).any(|op| matches!(op, Op::Raster { .. } | Op::Example { .. }))
    }
}

/// A noise prepared for evaluation by any backend.
#[derive(Clone, Debug)]
pub struct Program {
    /// The part that shapes the kernel.
    pub structure: Arc<Structure>,
    /// All numbers.
    pub tables: Tables,
    /// Proven bounds of the values of all outputs.
    pub range: Interval,
    /// The node that owns each frame, for messages: (first frame, name).
    pub(crate) owners: Vec<(usize, String)>,
    /// The owners that are coordinates.
    pub(crate) coordinates: Vec<CoordinateFrames>,
    /// The lattices with a fourth coordinate.
    pub(crate) fourths: Vec<FourthAxis>,
    /// The outputs: results of the last scope. One, unless several are evaluated together.
    pub outputs: Vec<Reg>,
}

/// Limit of coordinates, in units: larger ones do not fit their frame.
const COORDINATE_LIMIT: f64 = 1_073_741_824.0;

impl Program {
    /// The frames' integers for a region, in table order.
    ///
    /// # Errors
    /// Returns an error if samples are too far apart for a lattice, or if a coordinate is out of its range.
    pub fn grids(&self, region: &Region) -> Result<Vec<RegionGrid>, ProgramError> {
        let mut grids = Vec::new();
        self.grids_into(region, &mut grids)?;
        Ok(grids)
    }

    /// As [`grids`](Self::grids), into existing memory.
    ///
    /// # Errors
    /// Returns the errors of [`grids`](Self::grids).
    pub fn grids_into(&self, region: &Region, grids: &mut Vec<RegionGrid>) -> Result<(), ProgramError> {
        self.grids_of(&self.tables.frames, region, grids)
    }

    /// As [`grids_into`](Self::grids_into), for frames that were moved along the fourth axis.
    ///
    /// # Errors
    /// Returns the errors of [`grids`](Self::grids).
    pub fn grids_of(&self, frames: &[Frame], region: &Region, grids: &mut Vec<RegionGrid>) -> Result<(), ProgramError> {
        region.corners().into_iter().try_for_each(|corner| self.check_coordinates(corner))?;
        self.each_grid(frames, grids, |frame| frame.grid(region))
    }

    /// The frames' integers for point queries, in table order.
    ///
    /// # Errors
    /// Returns an error if cells of a quantised space are too large for a lattice.
    pub fn point_grids(&self) -> Result<Vec<RegionGrid>, ProgramError> {
        let mut grids = Vec::new();
        self.point_grids_into(&mut grids)?;
        Ok(grids)
    }

    /// As [`point_grids`](Self::point_grids), into existing memory.
    ///
    /// # Errors
    /// Returns the errors of [`point_grids`](Self::point_grids).
    pub fn point_grids_into(&self, grids: &mut Vec<RegionGrid>) -> Result<(), ProgramError> {
        self.point_grids_of(&self.tables.frames, grids)
    }

    /// As [`point_grids_into`](Self::point_grids_into), for frames that were moved along the fourth axis.
    ///
    /// # Errors
    /// Returns the errors of [`point_grids`](Self::point_grids).
    pub fn point_grids_of(&self, frames: &[Frame], grids: &mut Vec<RegionGrid>) -> Result<(), ProgramError> {
        self.each_grid(frames, grids, Frame::point_grid)
    }

    /// The frames' integers for displacements from an anchor, in table order.
    ///
    /// # Errors
    /// Returns an error if the anchor is beyond the range of a coordinate, or if cells of a quantised space are too large for a
    /// lattice.
    pub fn anchored_grids(&self, anchor: [f64; 3]) -> Result<Vec<RegionGrid>, ProgramError> {
        let mut grids = Vec::new();
        self.anchored_grids_into(anchor, &mut grids)?;
        Ok(grids)
    }

    /// As [`anchored_grids`](Self::anchored_grids), into existing memory.
    ///
    /// # Errors
    /// Returns the errors of [`anchored_grids`](Self::anchored_grids).
    pub fn anchored_grids_into(&self, anchor: [f64; 3], grids: &mut Vec<RegionGrid>) -> Result<(), ProgramError> {
        self.check_coordinates(anchor)?;
        self.point_grids_into(grids)?;
        for (grid, frame) in grids.iter_mut().zip(&self.tables.frames) {
            grid.origin = frame.origin(anchor);
        }
        Ok(())
    }

    fn each_grid(
        &self,
        frames: &[Frame],
        grids: &mut Vec<RegionGrid>,
        grid: impl Fn(&Frame) -> Result<RegionGrid, StepError>,
    ) -> Result<(), ProgramError> {
        grids.clear();
        grids.reserve(frames.len());
        for (index, frame) in frames.iter().enumerate() {
            grids.push(grid(frame).map_err(|error| ProgramError::Step { node: self.owner(index).1.clone(), error })?);
        }
        Ok(())
    }

    /// Checks that every coordinate node can represent these positions.
    ///
    /// # Errors
    /// Returns an error for the first that cannot.
    pub fn check_positions(&self, positions: &[[f64; 3]]) -> Result<(), ProgramError> {
        if self.coordinates.is_empty() {
            return Ok(());
        }
        positions.iter().try_for_each(|&position| self.check_coordinates(position))
    }

    /// Checks that every coordinate node can represent this position.
    ///
    /// # Errors
    /// Returns an error for the first that cannot.
    pub fn check_coordinates(&self, position: [f64; 3]) -> Result<(), ProgramError> {
        for coordinate in &self.coordinates {
            let (first, node) = &self.owners[coordinate.owner];
            let end = self.owners.get(coordinate.owner + 1).map_or(self.tables.frames.len(), |next| next.0);
            for (frame, reached) in self.tables.frames[*first..end].iter().zip(&coordinate.reached) {
                // Limited lattices clamp or reduce their coordinates first, except for cells of a quantised space.
                let limit =
                    if frame.address_mode == AddressMode::Unbounded || frame.quantum.is_some() { COORDINATE_LIMIT } else { FARTHEST };
                let coordinates = reached.map.transform_point3(glam::DVec3::from(position)).abs();
                let value = coordinates.max_element();
                if value.is_nan() || value >= limit {
                    let per_world = reached.map.matrix3.row(coordinates.max_position()).length();
                    // A constant coordinate has the unit of the others.
                    let unit = if per_world > 0.0 { 1.0 / per_world } else { 1.0 };
                    return Err(ProgramError::Coordinate { node: node.clone(), position, value, allowed: limit, unit });
                }
            }
        }
        Ok(())
    }

    /// The cost of a sample: the number of its lattices (times octaves or instances), sines and other waves; at least 1.
    pub fn terms(&self) -> u64 {
        self.tables.frames.len().max(1) as u64
    }

    /// The end of the frames with the same owner that begin at `first`.
    fn end(&self, first: usize) -> usize {
        let after = self.owners.partition_point(|(start, _)| *start <= first);
        self.owners.get(after).map_or(self.tables.frames.len(), |(start, _)| *start)
    }

    fn owner(&self, frame: usize) -> &(usize, String) {
        let after = self.owners.partition_point(|(first, _)| *first <= frame);
        &self.owners[after - 1]
    }
}
