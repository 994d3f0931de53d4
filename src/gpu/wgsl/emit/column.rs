//! How many samples a function computes: a column of them, which follow each other along y. They have lattice columns in common, every number
//! of the tables, and what loops cost.

use crate::program::{Basis, Op, ScopeId, Specialisation, Structure};

/// What functions are printed for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    /// Samples that follow each other along y.
    pub samples: u32,
    /// Whether loops are printed once for each element where it is known how many there are.
    pub unrolls: bool,
}

impl Column {
    /// One sample, and loops as they are.
    #[cfg(feature = "export")]
    pub const ONE: Column = Column { samples: 1, unrolls: false };
}

/// Which columns are best where a kernel is to run; measured by `benches/kernels` (docs/performance.md).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Columns {
    /// The most samples.
    longest: usize,
    /// The most evaluations that the text of a specialised kernel comes to: drivers take time for each.
    straight: usize,
}

/// The most in the text of a kernel with loops, each for all samples: it is what one waits for before the first frame.
const LOOPED: usize = 16;

impl Columns {
    /// On a GPU: its compiler takes a tenth of a second for four samples, and up to three where loops are unrolled, which gains nothing.
    pub const GPU: Columns = Columns { longest: 4, straight: 0 };
    /// On a processor, whose lanes have nothing beside them that computes what they share.
    pub const SOFTWARE: Columns = Columns { longest: 8, straight: 64 };

    /// The column for a program: fewer samples where more is evaluated for each.
    pub fn column(self, structure: &Structure, specialisation: Option<&Specialisation>) -> Column {
        let evaluations = specialisation.map(|specialisation| specialisation.evaluations);
        let straight = evaluations.filter(|evaluations| (1..=self.straight).contains(evaluations));
        let unrolls = straight.is_some();
        if structure.scopes.iter().flat_map(|scope| &scope.ops).any(|op| !in_columns(op)) {
            return Column { samples: 1, unrolls };
        }
        let samples = straight.map_or_else(|| LOOPED / text(structure).max(1), |evaluations| self.straight / evaluations);
        Column { samples: samples.clamp(1, self.longest) as u32, unrolls }
    }
}

/// Whether samples have something in common: not where each may be in another instance of a scope or at another index, and the time of Worley
/// noise goes into its own loops.
fn in_columns(op: &Op) -> bool {
    !matches!(op, Op::Mirror { .. } | Op::Quantise { .. } | Op::Lattice(Basis::Worley(..), _))
}

/// The evaluations that stand in the text, every call with what it calls.
fn text(structure: &Structure) -> usize {
    let mut all: Vec<usize> = Vec::with_capacity(structure.scopes.len());
    for scope in &structure.scopes {
        let of = |ScopeId(id): ScopeId| all[id as usize];
        let each = scope.ops.iter().map(|op| match *op {
            Op::Coordinate(..) | Op::Lattice(..) | Op::Raster { .. } | Op::Polar(..) | Op::Sines { .. } => 1,
            Op::Fractal { body, .. } | Op::Warp { body, .. } | Op::Transform { body } | Op::Slice { body, .. } => of(body),
            Op::Mirror { body, .. } | Op::Quantise { body, .. } | Op::At { body, .. } => of(body),
            Op::Turbulence { body, by, .. } => of(body).saturating_add(of(by).saturating_mul(3)),
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
            | Op::Curve { .. } => 0,
        });
        let sum = each.fold(0, usize::saturating_add);
        all.push(sum);
    }
    all.last().copied().unwrap_or_default()
}
