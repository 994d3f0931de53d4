//! How a noise is evaluated: scopes of operations in single-assignment form, and the tables they read.
//!
//! `Graph → Program { structure, tables }`. The structure holds no number: two programs with the same structure run on
//! the same kernel, whatever their tables hold. Both backends read the same structure and the same tables.
//!
//! A sub-graph that is sampled elsewhere than at the sample's own position (a fractal's body, the field under a warp)
//! is a *scope*: a function of an instance and a displacement. The instance selects the octave's frames, so any sub-graph can
//! be a body and fractals nest: octave k inside row r is row `r · octaves + k`.

mod affine;
mod basis;
pub(crate) mod computed;
pub(crate) mod distribution;
mod fourth;
pub(crate) mod instance;
pub(crate) mod lattice;
mod lower;
pub(crate) mod reach;
mod seed;
mod site;
mod specialise;
pub(crate) mod steep;
mod tables;

pub(crate) use affine::{added_turns, read_as_numbers};
pub use basis::{Basis, Call, Close, OneLiner, WorleyShape};
pub(crate) use reach::{Bounds, bounds_in};
pub(crate) use seed::Seed;
pub(crate) use site::Site;
pub use specialise::Specialisation;
pub(crate) use steep::{check_gradients, gradient_bound};
pub(crate) use tables::narrow;
pub use tables::{SplinePoint, Tables};

use crate::frame::{Ends, FARTHEST, Frame, Grid, StepError};
use crate::graph::{GraphError, Interval, RangeError};
use crate::node::{Accumulate, Outside, Sampling};
use crate::region::Region;
use fourth::Fourth;
use reach::CoordinateFrames;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

/// An operation's result: its index in its scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Reg(pub u32);

/// Index into [`Tables::scalars`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Scalar(pub u32);

/// Index into [`Tables::spans`]: where an operation's elements start in their table, and how many there are (in the table of
/// frames: how many for each instance of the scope).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Span(pub u32);

/// Index into [`Structure::scopes`]. A scope only calls scopes before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ScopeId(pub u32);

/// One operation. Every one yields a jet: a value and its gradient with respect to world position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    /// A number, gradient 0.
    Constant(Scalar),
    /// The first lattice coordinate of a frame as a number, or part of it.
    Coordinate(Part, Span),
    /// A lattice noise in the frame of the scope's instance.
    Lattice(Basis, Span),
    /// A raster, of this number in the tables, at the first two coordinates of a frame. The spans: where its numbers begin among those of
    /// all rasters, and how many there are; its columns and rows.
    Raster { raster: u32, sampling: Sampling, outside: Outside, frames: Span, numbers: [Span; 2], fill: Scalar },
    /// Polar coordinates of the first two axes of a frame (the radius: of all three).
    Polar(Polar, Span),
    /// Sines along the first axes of many frames, `amplitudes` in the series: `Σ aᵢ · (sin uᵢ + …)`.
    Sines { dimensions: u32, frames: Span, amplitudes: Span },
    /// `x · scale + offset`.
    ScaleOffset { x: Reg, scale: Scalar, offset: Scalar },
    /// Held between `low` and `high`.
    Clamp { x: Reg, low: Scalar, high: Scalar },
    /// Magnitude.
    Abs(Reg),
    /// `sign(x) · |x|^exponent`.
    Power { x: Reg, exponent: Scalar },
    /// Sum.
    Add(Reg, Reg),
    /// Product.
    Multiply(Reg, Reg),
    /// The smaller.
    Min(Reg, Reg),
    /// The larger.
    Max(Reg, Reg),
    /// `a + clamp(mask, 0, 1) · (b − a)`.
    Blend { a: Reg, b: Reg, mask: Reg },
    /// A curve through control points.
    Spline { x: Reg, points: Span },
    /// A curve given by up to four numbers, which stand together in the table.
    Curve { curve: Curve, x: Reg, numbers: Scalar },
    /// Octaves of a scope; the span lies in the series (amplitudes), `numbers` are the four of [`Accumulate`]'s kinds.
    Fractal { body: ScopeId, octaves: Span, accumulate: Accumulate, numbers: Scalar },
    /// A scope at a displaced position; the span lies in the table of frames, whose `local` maps the displacement.
    Warp { body: ScopeId, by: [Reg; 3], frames: Span },
    /// A scope displaced by another one, octave after octave, each where the ones before have led. The span has one frame per
    /// octave; scope `by` has three instances per octave, one per axis.
    Turbulence { body: ScopeId, by: ScopeId, frames: Span },
    /// A scope whose instances are transformed; the position itself is the same.
    Transform { body: ScopeId },
    /// A scope whose displacements and gradients are measured in its own space: the frame's `local` takes one there.
    Slice { body: ScopeId, frames: Span },
    /// A scope with two instances for each: as it is, and mirrored. The frame's first coordinate tells by its sign which.
    Mirror { body: ScopeId, frames: Span },
    /// A scope at the centre of the frame's cell.
    Quantise { body: ScopeId, frames: Span },
    /// A scope at the position that three values give.
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
            | Op::Warp { frames, .. }
            | Op::Turbulence { frames, .. }
            | Op::Slice { frames, .. }
            | Op::Mirror { frames, .. }
            | Op::Quantise { frames, .. } => Some(frames),
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

/// What is taken of a coordinate. A fraction is exact wherever a frame reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// Cell and fraction as one number, off by up to 2⁻²⁴ of itself.
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

/// A function of one number, with up to four parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Curve {
    /// 0 up to an edge, 1 from another on, quintic between: (lower edge, 1 / width).
    Smoothstep,
    /// Steps: (height of a step, 1 / height, flat share of a step, 1 / sloped share).
    Terrace,
    /// One of two numbers: (at, below, from there on).
    Threshold,
    /// Perlin's gain around 1/2: (exponent).
    Gain,
    /// Sine of turns: (turns per unit, turns at 0).
    Sine,
    /// The hill article's approximation of the normal distribution, −1 to 1: (1 / standard deviation).
    Normal,
    /// Quantile of the Weibull distribution: (scale, 1 / shape).
    WeibullQuantile,
    /// Quantile of the normal distribution: (mean, standard deviation).
    NormalQuantile,
}

/// A function of (instance, displacement): a list of operations and which of them is its value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Scope {
    /// The operations; each reads only results before it.
    pub ops: Vec<Op>,
    /// The value.
    pub result: Reg,
    /// Whether positions inside are displaced: by a warp further out, or because they are given from an anchor.
    pub displaced: bool,
    /// Whether positions inside are centres of cells further out: indices then have 32 bits.
    pub quantised: bool,
}

/// Everything of a program that shapes the kernel; the key of the kernel cache.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Structure {
    /// Called scopes first; the last is the program.
    pub scopes: Vec<Scope>,
    /// Whether any lattice repeats after a period.
    pub periodic: bool,
    /// The hash of the others: kernels are looked up for every dispatch.
    fingerprint: u64,
}

impl Hash for Structure {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.fingerprint);
    }
}

impl Structure {
    fn new(scopes: Vec<Scope>, periodic: bool) -> Self {
        let mut hasher = DefaultHasher::new();
        (&scopes, periodic).hash(&mut hasher);
        Structure { scopes, periodic, fingerprint: hasher.finish() }
    }

    /// Whether positions are displacements from an anchor.
    pub fn anchored(&self) -> bool {
        self.scopes.last().is_some_and(|program| program.displaced)
    }

    /// Whether any operation looks a raster up.
    #[cfg(feature = "export")]
    pub fn has_rasters(&self) -> bool {
        self.scopes.iter().flat_map(|scope| &scope.ops).any(|op| matches!(op, Op::Raster { .. }))
    }
}

/// A noise ready to be evaluated by any backend.
#[derive(Clone, Debug)]
pub struct Program {
    /// What shapes the kernel.
    pub structure: Arc<Structure>,
    /// Every number.
    pub tables: Tables,
    /// What no value leaves.
    pub range: Interval,
    /// Which node owns which frames, for messages: (first frame, name).
    owners: Vec<(usize, String)>,
    /// Those that are coordinates.
    coordinates: Vec<CoordinateFrames>,
    /// Those with a fourth coordinate.
    fourths: Vec<Fourth>,
    /// The values that are asked for: results of the last scope. One, but where several are evaluated together.
    pub outputs: Vec<Reg>,
}

/// Why a graph or a region cannot be evaluated.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ProgramError {
    /// The graph means nothing.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// Its values overflow.
    #[error(transparent)]
    Range(#[from] RangeError),
    /// Its gradients overflow.
    #[error(
        "node '{node}': its gradient may reach {value:e} per world unit; allowed: magnitudes up to 1e30, so that f32 arithmetic stays finite (fewer octaves, a smaller lacunarity or strength, a longer wavelength), or values without gradients"
    )]
    Steep {
        /// Name of the node.
        node: String,
        /// The length that its gradient may reach.
        value: f64,
    },
    /// It unfolds into more than an evaluator should hold.
    #[error("node '{node}': unfolds to {value} {what}; allowed: at most {allowed}")]
    TooLarge {
        /// The node at which the limit was passed.
        node: String,
        /// What there is too much of.
        what: &'static str,
        /// How much.
        value: usize,
        /// The limit.
        allowed: usize,
    },
    /// A warp may move a lattice further than its integers reach.
    #[error(
        "node '{node}': positions are displaced by up to {cells:e} cells of its lattice; allowed: less than {allowed:e} (less strength, smaller scales or a longer wavelength)"
    )]
    Displacement {
        /// The displaced node.
        node: String,
        /// Cells; not finite where a scale is too large for a lattice at all.
        cells: f64,
        /// The limit.
        allowed: f64,
    },
    /// A lattice that cannot repeat after the period asked for.
    #[error("node '{periodic}': period = {value} along {axis} is not allowed: node '{node}' cannot repeat after it; allowed: {allowed}")]
    Period {
        /// The periodic node.
        periodic: String,
        /// The node whose lattice it is.
        node: String,
        /// x, y or z.
        axis: char,
        /// The period that was asked for, in world units.
        value: f64,
        /// Which ones fit.
        allowed: String,
    },
    /// The region's samples are too far apart for a lattice.
    #[error("node '{node}': {error}")]
    Step {
        /// The node whose lattice it is.
        node: String,
        /// How far apart.
        error: StepError,
    },
    /// A coordinate beyond its range.
    #[error(
        "node '{node}': the coordinate reaches {value:e} units; allowed: magnitudes below 2^30 (use a larger unit or spacing; for a mirror, whose unit is 1024, a nearer plane)"
    )]
    Coordinate {
        /// The coordinate node.
        node: String,
        /// In its units.
        value: f64,
    },
}

impl ProgramError {
    /// The node and the parameter at fault; the parameter is `kind` where no single one is.
    pub fn site(&self) -> (&str, &'static str) {
        match self {
            ProgramError::Graph(error) | ProgramError::Range(RangeError::Graph(error)) => error.site(),
            ProgramError::Period { periodic, .. } => (periodic, "period"),
            ProgramError::Range(RangeError::TooLarge { node, .. })
            | ProgramError::Steep { node, .. }
            | ProgramError::TooLarge { node, .. }
            | ProgramError::Displacement { node, .. }
            | ProgramError::Step { node, .. }
            | ProgramError::Coordinate { node, .. } => (node, "kind"),
        }
    }
}

/// Coordinates at or beyond this many units do not fit their frame.
const COORDINATE_LIMIT: f64 = 1_073_741_824.0;

impl Program {
    /// The frames' integers for a region, in table order.
    ///
    /// # Errors
    /// Samples too far apart for a lattice, or a coordinate out of its range.
    pub fn grids(&self, region: &Region) -> Result<Vec<Grid>, ProgramError> {
        let mut grids = Vec::new();
        self.grids_into(region, &mut grids)?;
        Ok(grids)
    }

    /// As [`grids`](Self::grids), into memory that there is.
    ///
    /// # Errors
    /// As [`grids`](Self::grids).
    pub fn grids_into(&self, region: &Region, grids: &mut Vec<Grid>) -> Result<(), ProgramError> {
        self.grids_of(&self.tables.frames, region, grids)
    }

    /// As [`grids_into`](Self::grids_into), of frames that were moved along the fourth axis.
    ///
    /// # Errors
    /// As [`grids`](Self::grids).
    pub fn grids_of(&self, frames: &[Frame], region: &Region, grids: &mut Vec<Grid>) -> Result<(), ProgramError> {
        region.corners().into_iter().try_for_each(|corner| self.check_coordinates(corner))?;
        self.each_grid(frames, grids, |frame| frame.grid(region))
    }

    /// The frames' integers for point queries, in table order.
    ///
    /// # Errors
    /// Cells of a quantised space too large for a lattice.
    pub fn point_grids(&self) -> Result<Vec<Grid>, ProgramError> {
        let mut grids = Vec::new();
        self.point_grids_into(&mut grids)?;
        Ok(grids)
    }

    /// As [`point_grids`](Self::point_grids), into memory that there is.
    ///
    /// # Errors
    /// As [`point_grids`](Self::point_grids).
    pub fn point_grids_into(&self, grids: &mut Vec<Grid>) -> Result<(), ProgramError> {
        self.point_grids_of(&self.tables.frames, grids)
    }

    /// As [`point_grids_into`](Self::point_grids_into), of frames that were moved along the fourth axis.
    ///
    /// # Errors
    /// As [`point_grids`](Self::point_grids).
    pub fn point_grids_of(&self, frames: &[Frame], grids: &mut Vec<Grid>) -> Result<(), ProgramError> {
        self.each_grid(frames, grids, Frame::point_grid)
    }

    /// The frames' integers for displacements from an anchor, in table order.
    ///
    /// # Errors
    /// An anchor beyond the range of a coordinate, or cells of a quantised space too large for a lattice.
    pub fn anchored_grids(&self, anchor: [f64; 3]) -> Result<Vec<Grid>, ProgramError> {
        let mut grids = Vec::new();
        self.anchored_grids_into(anchor, &mut grids)?;
        Ok(grids)
    }

    /// As [`anchored_grids`](Self::anchored_grids), into memory that there is.
    ///
    /// # Errors
    /// As [`anchored_grids`](Self::anchored_grids).
    pub fn anchored_grids_into(&self, anchor: [f64; 3], grids: &mut Vec<Grid>) -> Result<(), ProgramError> {
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
        grids: &mut Vec<Grid>,
        grid: impl Fn(&Frame) -> Result<Grid, StepError>,
    ) -> Result<(), ProgramError> {
        grids.clear();
        grids.reserve(frames.len());
        for (index, frame) in frames.iter().enumerate() {
            grids.push(grid(frame).map_err(|error| ProgramError::Step { node: self.owner(index).1.clone(), error })?);
        }
        Ok(())
    }

    /// Whether every coordinate node can hold these positions.
    ///
    /// # Errors
    /// The first that cannot.
    pub fn check_positions(&self, positions: &[[f64; 3]]) -> Result<(), ProgramError> {
        if self.coordinates.is_empty() {
            return Ok(());
        }
        positions.iter().try_for_each(|&position| self.check_coordinates(position))
    }

    /// Whether every coordinate node can hold this position.
    ///
    /// # Errors
    /// The first that cannot.
    pub fn check_coordinates(&self, position: [f64; 3]) -> Result<(), ProgramError> {
        for coordinate in &self.coordinates {
            let (first, node) = &self.owners[coordinate.owner];
            let end = self.owners.get(coordinate.owner + 1).map_or(self.tables.frames.len(), |next| next.0);
            for (frame, reached) in self.tables.frames[*first..end].iter().zip(&coordinate.reached) {
                // What ends is brought near first, but for cells of a quantised space.
                let limit = if frame.ends == Ends::Endless || frame.quantum.is_some() { COORDINATE_LIMIT } else { FARTHEST };
                let value = reached.map.transform_point3(glam::DVec3::from(position)).abs().max_element();
                if value.is_nan() || value >= limit {
                    return Err(ProgramError::Coordinate { node: node.clone(), value });
                }
            }
        }
        Ok(())
    }

    /// What a sample costs: its lattices, each as often as it has octaves or instances, sines and other waves; 1 at least.
    pub fn terms(&self) -> u64 {
        self.tables.frames.len().max(1) as u64
    }

    /// The frame after those that begin at `first` and have one owner.
    fn end(&self, first: usize) -> usize {
        let after = self.owners.partition_point(|(start, _)| *start <= first);
        self.owners.get(after).map_or(self.tables.frames.len(), |(start, _)| *start)
    }

    fn owner(&self, frame: usize) -> &(usize, String) {
        let after = self.owners.partition_point(|(first, _)| *first <= frame);
        &self.owners[after - 1]
    }
}
