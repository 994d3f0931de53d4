//! The number of samples per function: a row of consecutive samples along x. They share the coordinates across the row, lattice
//! points, all numbers of the tables, and the cost of loops.

use crate::program::{Op, ScopeId, Specialisation, Structure};

/// The largest row for each kind of kernel, as measured by `benches/kernels` (docs/measured/performance.md).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SamplesPerCall {
    /// For kernels that all noises of a shape share.
    any: usize,
    /// For specialised kernels, whose samples share less and which hold more numbers in registers.
    own: usize,
    /// Of one in which samples only take turns: each turn is the same text.
    turns: usize,
}

/// Most evaluations in the text of a kernel, counting all samples. The text determines the compile time before the first frame.
const TEXT: usize = 16;

impl SamplesPerCall {
    /// On a GPU. Eight are up to a fifth faster in textures of 1024² and more, slower in small ones, and take its compiler twice as long.
    pub const GPU: SamplesPerCall = SamplesPerCall { any: 4, own: 4, turns: 4 };
    /// On a processor, whose lanes have nothing beside them that computes what they share.
    pub const SOFTWARE: SamplesPerCall = SamplesPerCall { any: 12, own: 8, turns: 16 };

    /// The number of samples that the functions of a program compute: fewer if each needs more evaluations.
    pub fn samples(self, structure: &Structure, specialisation: Option<&Specialisation>) -> u32 {
        let ops = || structure.scopes.iter().flat_map(|scope| &scope.ops);
        if !ops().all(in_rows) {
            return 1;
        }
        if ops().any(takes_turns) && text(structure, |op| !takes_turns(op)) == 0 {
            return self.turns as u32;
        }
        let most = if specialisation.is_some() { self.own } else { self.any };
        (TEXT / text(structure, |_| true).max(1)).clamp(1, most) as u32
    }
}

/// Whether samples of a row take turns in a loop instead of standing next to each other in the text.
fn takes_turns(op: &Op) -> bool {
    matches!(op, Op::Lattice(basis, _) if basis.facts(false).loops)
}

/// Whether samples of a row are computed together. Not where each may be in another instance of a scope or
/// at another index, or has its own stamps.
fn in_rows(op: &Op) -> bool {
    match op {
        Op::Mirror { .. } | Op::Quantise { .. } | Op::Stamps { .. } => false,
        Op::Constant(_)
        | Op::Coordinate(..)
        | Op::Lattice(..)
        | Op::Raster { .. }
        | Op::Example { .. }
        | Op::Phasor { .. }
        | Op::Polar(..)
        | Op::Sines { .. }
        | Op::Derivative { .. }
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
        | Op::Warp { .. }
        | Op::Turbulence { .. }
        | Op::Transform { .. }
        | Op::Slice { .. }
        | Op::At { .. } => true,
    }
}

/// The evaluations of some operations that stand in the text, every call with what it calls.
fn text(structure: &Structure, counted: impl Fn(&Op) -> bool) -> usize {
    let mut all: Vec<usize> = Vec::with_capacity(structure.scopes.len());
    for scope in &structure.scopes {
        let of = |ScopeId(id): ScopeId| all[id as usize];
        let each = scope.ops.iter().map(|op| match *op {
            Op::Coordinate(..)
            | Op::Lattice(..)
            | Op::Raster { .. }
            | Op::Polar(..)
            | Op::Sines { .. }
            | Op::Phasor { .. }
            | Op::Example { .. } => usize::from(counted(op)),
            Op::Fractal { body, .. } | Op::Warp { body, .. } | Op::Transform { body } | Op::Slice { body, .. } => of(body),
            Op::Mirror { body, .. } | Op::Quantise { body, .. } | Op::Stamps { body, .. } | Op::At { body, .. } => of(body),
            Op::Turbulence { body, by, .. } => of(body).saturating_add(of(by).saturating_mul(3)),
            Op::Constant(_)
            | Op::Derivative { .. }
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
