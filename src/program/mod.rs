//! How a noise is evaluated: scopes of operations in single-assignment form, and the tables they read.
//!
//! `Graph → Program { structure, tables }`. The structure holds no number: two programs with the same structure run on
//! the same kernel, whatever their tables hold. Both backends read the same structure and the same tables.
//!
//! A sub-graph that is sampled elsewhere than at the sample's own position (a fractal's body, the field under a warp)
//! is a *scope*: a function of a row number and a displacement. The row selects the octave's frames, so any sub-graph can
//! be a body and fractals nest: octave k inside row r is row `r · octaves + k`.

mod lower;
mod seed;
mod tables;

pub(crate) use tables::narrow;
pub use tables::{SplinePoint, Tables};

use crate::frame::{Grid, StepError};
use crate::graph::{Accumulate, GraphError, Interpolation, Metric, RangeError, WorleyOutput};
use crate::region::Region;
use std::sync::Arc;

/// An operation's result: its index in its scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Reg(pub u32);

/// Index into [`Tables::scalars`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Scalar(pub u32);

/// Index into [`Tables::spans`]: where an operation's rows start in their table, and how many there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Span(pub u32);

/// Index into [`Structure::scopes`]. A scope only calls scopes before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ScopeId(pub u32);

/// What of a Worley noise is no number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct WorleyShape {
    /// 2 or 3.
    pub dimensions: u32,
    /// What is near.
    pub metric: Metric,
    /// What is computed.
    pub output: WorleyOutput,
    /// How many of the nearest points are weighted: 1 to 4, and 1 where there are no weights.
    pub nearest: u32,
}

impl WorleyShape {
    /// How many scalars it reads: the jitter, then the weights.
    pub fn numbers(self) -> usize {
        1 + if self.output == WorleyOutput::Distance { self.nearest as usize } else { 0 }
    }
}

/// A noise on a lattice: a function of cell, fraction and seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Basis {
    /// Simplex 2D, integer hash.
    Simplex2,
    /// Simplex 3D, integer hash.
    Simplex3,
    /// Simplex 3D, permutation polynomial mod 289.
    Permutation289,
    /// Value noise on the cubic lattice, in 1 to 3 dimensions.
    Value(u32, Interpolation),
    /// Perlin noise on the cubic lattice, in 1 to 3 dimensions.
    Perlin(u32, Interpolation),
    /// Worley noise; its numbers begin at this scalar.
    Worley(WorleyShape, Scalar),
}

impl Basis {
    /// How many lattice coordinates it reads.
    pub fn dimensions(self) -> usize {
        match self {
            Basis::Simplex2 => 2,
            Basis::Simplex3 | Basis::Permutation289 => 3,
            Basis::Value(dimensions, _) | Basis::Perlin(dimensions, _) => dimensions as usize,
            Basis::Worley(shape, _) => shape.dimensions as usize,
        }
    }
}

/// One operation. Every one yields a jet: a value and its gradient with respect to world position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    /// A number, gradient 0.
    Constant(Scalar),
    /// The first lattice coordinate of a frame as a number.
    Coordinate(Span),
    /// A lattice noise in the frame of the scope's row.
    Lattice(Basis, Span),
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
    /// Octaves of a scope; the span lies in the table of amplitudes.
    Fractal { body: ScopeId, octaves: Span, accumulate: Accumulate },
    /// A scope at a displaced position; the span lies in the table of frames, whose `linear` maps the displacement.
    Warp { body: ScopeId, by: [Reg; 3], frames: Span },
}

/// A function of (row, displacement): a list of operations and which of them is its value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Scope {
    /// The operations; each reads only results before it.
    pub ops: Vec<Op>,
    /// The value.
    pub result: Reg,
    /// Whether positions inside are displaced by a warp further out.
    pub displaced: bool,
}

/// Everything of a program that shapes the kernel; the key of the kernel cache.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Structure {
    /// Called scopes first; the last is the program.
    pub scopes: Vec<Scope>,
}

/// A noise ready to be evaluated by any backend.
#[derive(Clone, Debug)]
pub struct Program {
    /// What shapes the kernel.
    pub structure: Arc<Structure>,
    /// Every number.
    pub tables: Tables,
    /// Which node owns which frames, for messages: (first frame, name, whether it is a coordinate).
    owners: Vec<(usize, String, bool)>,
}

/// Why a graph or a region cannot be evaluated.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ProgramError {
    /// The graph means nothing.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// Its values overflow.
    #[error(transparent)]
    Range(#[from] RangeError),
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
        "node '{node}': a warp displaces its lattice by up to {cells:e} cells; allowed: less than 2^29 (less strength or a longer wavelength)"
    )]
    Displacement {
        /// The displaced node.
        node: String,
        /// Cells.
        cells: f64,
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
    #[error("node '{node}': the coordinate reaches {value:e} units; allowed: magnitudes below 2^30 (a larger unit)")]
    Coordinate {
        /// The coordinate node.
        node: String,
        /// In its units.
        value: f64,
    },
}

/// Coordinates at or beyond this many units do not fit their frame.
const COORDINATE_LIMIT: f64 = 1_073_741_824.0;

impl Program {
    /// The frames' integers for a region, in table order.
    ///
    /// # Errors
    /// Samples too far apart for a lattice, or a coordinate out of its range.
    pub fn grids(&self, region: &Region) -> Result<Vec<Grid>, ProgramError> {
        let last = region.size.map(|s| s - 1);
        for corner in 0..8u32 {
            let index = std::array::from_fn(|axis| if corner >> axis & 1 == 1 { last[axis] } else { 0 });
            self.check_coordinates(region.position(index))?;
        }
        let grid = |(index, frame): (usize, &crate::frame::Frame)| {
            frame.grid(region).map_err(|error| ProgramError::Step { node: self.owner(index).1.clone(), error })
        };
        self.tables.frames.iter().enumerate().map(grid).collect()
    }

    /// Whether every coordinate node can hold this position.
    ///
    /// # Errors
    /// The first that cannot.
    pub fn check_coordinates(&self, position: [f64; 3]) -> Result<(), ProgramError> {
        for (owner, (first, node, coordinate)) in self.owners.iter().enumerate() {
            let end = self.owners.get(owner + 1).map_or(self.tables.frames.len(), |next| next.0);
            for frame in self.tables.frames[*first..end].iter().filter(|_| *coordinate) {
                let value = (frame.linear * glam::DVec3::from(position) + frame.offset).x;
                if value.is_nan() || value.abs() >= COORDINATE_LIMIT {
                    return Err(ProgramError::Coordinate { node: node.clone(), value });
                }
            }
        }
        Ok(())
    }

    fn owner(&self, frame: usize) -> &(usize, String, bool) {
        let after = self.owners.partition_point(|(first, ..)| *first <= frame);
        &self.owners[after - 1]
    }
}
