//! Which code computes a lattice noise over a block, and a sum of octaves. Every choice between ways of computing the same bits is made in this
//! file; the rest of the evaluator does what it is told.
//!
//! A noise takes the first route of this table whose conditions hold. *Rows* are blocks of a region, not displaced and not in octaves abreast,
//! whose lattice axes along the noise's dimensions do not depend on more of the world than their own axis and x ([`RowAdvance::coherent`]). Of a
//! region at most 256 samples wide, several rows lie in a block: there is then none unless the region has near samples on some lattice.
//! *Near* samples are at most one cell apart along x. *Fast* code is without gradients where none are read and knows no periods; see
//! [`LatticeCall::is_general`].
//!
//! | route | noise | when | samples share | file |
//! |---|---|---|---|---|
//! | `Rows(Cubic)` | value, Perlin in 1D to 3D | fast, rows, near | lattice points, blended along y and z once a row | `strip/cubic` |
//! | `Rows(DenseCubic)` | value, Perlin in 2D, 3D | fast, rows, not near | what x alone decides | `strip/dense` |
//! | `Rows(Simplex)` | simplex in 2D, 3D | fast, rows, near | lattice lines along x | `strip/simplex` |
//! | `Rows(DenseSimplex)` | simplex in 2D, 3D | fast, rows, not near | what x alone decides | `strip/dense` |
//! | `Rows(Cellular)` | distances that [`is_usual`] | fast, rows, near, no gradients | lattice rows' points | `strip/cellular` |
//! | `Plane` | simplex in 2D | otherwise | see [`PlaneRoute`] | `shared`, `basis/simplex` |
//! | `Each(Nearest)` | distances that [`is_usual`] | fast | nothing | `cellular` |
//! | `Each(..)` | all | otherwise | nothing | `basis/`, `cellular` |
//!
//! Octaves are summed up [`OctavesRoute::Abreast`] for a few points, else in turn: each added to the sum by the loop that computes it where
//! [`LatticeCall::adds`], or computed into a block of its own and added from there.

use crate::cpu::eval::advance::RowAdvance;
use crate::cpu::eval::call::{SampleSource, ScopeCall};
use crate::cpu::eval::constants::{LaneConstants, LatticeConstants};
use crate::cpu::eval::numbers::ProgramNumbers;
use crate::cpu::lib::worley::squared;
use crate::cpu::simd::lanes::CHUNK;
use crate::cpu::simd::{Dispatch, Real};
use crate::frame::{Fixed, RegionGrid};
use crate::node::{Interpolation, WorleyOutput};
use crate::program::{Basis, OneLiner, Op, Scalar, ScopeId, Span, Structure, WorleyShape};

/// How a lattice noise is computed over a block.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Route {
    Rows(RowsRoute),
    Plane(PlaneRoute),
    Each(EachRoute),
}

/// Rows of a region that share work.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RowsRoute {
    Cubic(CubicNoise),
    DenseCubic(CubicNoise),
    Simplex(PlaneOrSpace),
    DenseSimplex(PlaneOrSpace),
    Cellular(WorleyNoise),
}

/// Simplex noise in 2D off rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlaneRoute {
    /// Whether coordinates are those of rows along the world's axes, displaced: they are then computed where they are needed, and not stored.
    pub computed: bool,
    /// Whether neighbours often lie in one cell, whose points are then hashed once for all of them.
    pub shared: bool,
}

/// Each sample by itself, from stored coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum EachRoute {
    Simplex1,
    Simplex3,
    Permutation289,
    Simplex4,
    /// In 1D to 3D.
    Cubic(CubicNoise),
    Cubic4(CubicNoise),
    /// Cellular noise that [`is_usual`], compiled on its own.
    Nearest(WorleyNoise),
    /// Any cellular noise, with gradients.
    Cellular(WorleyNoise),
    Lanes(LaneNoise),
}

/// Noises that are written for one sample.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LaneNoise {
    OneLiner(OneLiner, u32),
    Hexagonal,
    HexagonalTables(Span),
    ValueTable(Interpolation, Span),
}

/// Value noise, or Perlin noise if lattice points have slopes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CubicNoise {
    pub dimensions: u32,
    pub interpolation: Interpolation,
    pub sloped: bool,
}

/// In how many dimensions rows of simplex noise are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PlaneOrSpace {
    Plane,
    Space,
}

/// Cellular noise; its numbers begin at this scalar.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WorleyNoise {
    pub shape: WorleyShape,
    pub numbers: Scalar,
}

/// Lattices of a program beyond which none keeps what its rows share: that is some 150 KB for each of them and each thread.
const MOST_STRIPS: usize = 2048;

/// Cells from a sample to the next up to which chunks look whether they lie in one: displaced, the ends of a chunk are often a cell apart where
/// they were half of one.
const WIDE: Fixed = (1 << 63) / CHUNK as Fixed;

/// Whether cellular noise is of the kind that has code of its own: distances to one or two points in 2D or 3D, by squares.
fn is_usual(shape: WorleyShape) -> bool {
    shape.output == WorleyOutput::Distance && shape.dimensions > 1 && squared(shape.metric) && shape.nearest <= 2
}

/// Whether an evaluation runs code without gradients. What computes one number at a time is compiled with gradients only: where speed matters there are
/// vectors, or octaves abreast.
pub fn skips_gradients<R: Real>(simd: Dispatch, wanted: bool) -> bool {
    size_of::<R>() == 4 && !wanted && !simd.is_plain::<R>()
}

/// A lattice noise that a call asks for.
#[derive(Clone, Copy)]
pub struct LatticeCall<'a, R> {
    pub basis: Basis,
    /// The noise's frame for the call's instance.
    pub frame: usize,
    pub call: &'a ScopeCall<'a, R>,
    pub numbers: &'a ProgramNumbers<R>,
    /// Whether lattices of the program repeat.
    pub periodic: bool,
    /// Whether it is computed with gradients.
    pub gradient: bool,
}

impl<'a, R: Real> LatticeCall<'a, R> {
    /// Of an operation, in the frames of the call's instance.
    #[inline(always)]
    pub fn new(
        structure: &Structure,
        numbers: &'a ProgramNumbers<R>,
        basis: Basis,
        frames: Span,
        call: &'a ScopeCall<'a, R>,
        gradient: bool,
    ) -> Self {
        let (first, per_instance) = numbers.span(frames);
        let frame = (first + call.instance * per_instance) as usize;
        LatticeCall { basis, frame, call, numbers, periodic: structure.periodic, gradient }
    }

    /// The constants of its frame.
    #[inline(always)]
    pub fn constants(&self) -> &'a LatticeConstants<R> {
        &self.numbers.lattices[self.frame]
    }

    /// The constants of the call's lanes.
    #[inline(always)]
    pub fn lane_constants(&self) -> LaneConstants<'a, R> {
        self.numbers.lanes(self.frame, self.call.abreast)
    }

    /// Whether it runs in code that knows periods and computes gradients, which is all that there is for the oracle, for lattices that repeat, and for one
    /// number at a time. Where nothing repeats, the branches of the last cost little: none of the noises is compiled twice for that.
    #[inline(always)]
    pub fn is_general(&self) -> bool {
        size_of::<R>() != 4 || self.periodic || self.call.simd.is_plain::<R>()
    }

    /// The route that it takes.
    #[inline(always)]
    pub fn route(&self) -> Route {
        let each = Route::Each;
        let cubic = |dimensions, interpolation, sloped| {
            let noise = CubicNoise { dimensions, interpolation, sloped };
            match (self.rows(dimensions), dimensions) {
                (_, 4) => each(EachRoute::Cubic4(noise)),
                (Some(Spacing::Near), _) => Route::Rows(RowsRoute::Cubic(noise)),
                (Some(Spacing::Far), 2..=3) => Route::Rows(RowsRoute::DenseCubic(noise)),
                (Some(Spacing::Far) | None, _) => each(EachRoute::Cubic(noise)),
            }
        };
        let simplex = |dimensions, rows| match rows {
            Spacing::Near => Route::Rows(RowsRoute::Simplex(dimensions)),
            Spacing::Far => Route::Rows(RowsRoute::DenseSimplex(dimensions)),
        };
        match self.basis {
            Basis::Simplex1 => each(EachRoute::Simplex1),
            Basis::Simplex2 => match self.rows(2) {
                Some(spacing) => simplex(PlaneOrSpace::Plane, spacing),
                None => Route::Plane(PlaneRoute { computed: self.is_displaced_along_axes(), shared: self.shares_cells() }),
            },
            Basis::Simplex3 => match self.rows(3) {
                Some(spacing) => simplex(PlaneOrSpace::Space, spacing),
                None => each(EachRoute::Simplex3),
            },
            Basis::Simplex4 => each(EachRoute::Simplex4),
            Basis::Permutation289 => each(EachRoute::Permutation289),
            Basis::Value(dimensions, interpolation) => cubic(dimensions, interpolation, false),
            Basis::Perlin(dimensions, interpolation) => cubic(dimensions, interpolation, true),
            Basis::Worley(shape, numbers) => {
                let noise = WorleyNoise { shape, numbers };
                match (is_usual(shape) && !self.is_general(), self.gradient, self.rows(shape.dimensions)) {
                    (true, false, Some(Spacing::Near)) => Route::Rows(RowsRoute::Cellular(noise)),
                    (true, _, _) => each(EachRoute::Nearest(noise)),
                    (false, _, _) => each(EachRoute::Cellular(noise)),
                }
            }
            Basis::OneLiner(form, dimensions) => each(EachRoute::Lanes(LaneNoise::OneLiner(form, dimensions))),
            Basis::Hexagonal => each(EachRoute::Lanes(LaneNoise::Hexagonal)),
            Basis::HexagonalTables(tables) => each(EachRoute::Lanes(LaneNoise::HexagonalTables(tables))),
            Basis::ValueTable(interpolation, table) => each(EachRoute::Lanes(LaneNoise::ValueTable(interpolation, table))),
        }
    }

    /// Whether a route has code that adds the noise, times an amplitude, to what a block holds.
    #[inline(always)]
    pub fn adds(&self, route: Route) -> bool {
        match route {
            Route::Rows(RowsRoute::Cubic(_) | RowsRoute::DenseCubic(_) | RowsRoute::Simplex(_) | RowsRoute::DenseSimplex(_)) => {
                self.constants().diagonal && self.region().is_some_and(|place| self.rows_are_whole(place.advance))
            }
            Route::Rows(RowsRoute::Cellular(_)) | Route::Each(_) => false,
            Route::Plane(_) => true,
        }
    }

    /// Where the frame lies in a region, if that is what samples come from.
    #[inline(always)]
    fn region(&self) -> Option<InRegion<'a>> {
        match *self.call.source {
            SampleSource::Region { grids, advances, .. } => Some(InRegion { grid: &grids[self.frame], advance: &advances[self.frame] }),
            SampleSource::Points { .. } | SampleSource::CellCentres { .. } => None,
        }
    }

    /// How far apart samples lie in rows that share work along so many axes of the lattice; `None` if there are no such rows.
    #[inline(always)]
    fn rows(&self, dimensions: u32) -> Option<Spacing> {
        let ScopeCall { displacement: None, abreast: None, .. } = *self.call else { return None };
        let InRegion { advance, .. } = self.region()?;
        if self.is_general() || dimensions > advance.coherent.min(3) || self.numbers.lattices.len() > MOST_STRIPS {
            return None;
        }
        Some(if advance.dense { Spacing::Far } else { Spacing::Near })
    }

    /// Whether no row's last vector hangs over into the next row of the block, to which it would be added, too.
    #[inline(always)]
    fn rows_are_whole(&self, advance: &RowAdvance) -> bool {
        advance.width.is_multiple_of(CHUNK) || advance.rows_in(self.call.simd.lanes) == 1
    }

    /// Whether samples are those of rows along the world's axes, each displaced.
    fn is_displaced_along_axes(&self) -> bool {
        let (Some(_), None, false) = (self.call.displacement, self.call.abreast, self.is_general()) else { return false };
        self.region().is_some_and(|InRegion { grid, advance }| {
            self.constants().diagonal && grid.samples == [0; 3] && advance.columns[0] && (advance.still[1] || advance.rows[1])
        })
    }

    /// Whether vectors may lie in one cell of the lattice often enough to look.
    fn shares_cells(&self) -> bool {
        self.call.abreast.is_none()
            && !self.call.simd.is_plain::<R>()
            && self.region().is_some_and(|InRegion { grid, .. }| {
                grid.samples == [0; 3] && grid.step[0][..2].iter().all(|step| (-WIDE..=WIDE).contains(step))
            })
    }
}

/// Samples of a row, at most one cell apart or farther.
enum Spacing {
    Near,
    Far,
}

/// A frame in a region.
struct InRegion<'a> {
    grid: &'a RegionGrid,
    advance: &'a RowAdvance,
}

/// How octaves are summed up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum OctavesRoute {
    /// All octaves of a sample in the lanes of one block, sample by sample. Blocks take octave after octave, each for all samples: a few points
    /// would leave most lanes of that empty.
    Abreast,
    /// One octave after the other.
    InTurn,
}

/// The route of so many octaves of a scope.
pub fn octaves<R: Real>(structure: &Structure, body: ScopeId, count: usize, simd: Dispatch) -> OctavesRoute {
    // What the body does is the same in all octaves, but for the frames of lattices.
    let same = |op: &Op| match op {
        Op::Lattice(basis, _) => match *basis {
            Basis::Simplex2 | Basis::Simplex3 | Basis::Worley(..) => true,
            Basis::Value(dimensions, _) | Basis::Perlin(dimensions, _) => dimensions < 4,
            Basis::Simplex1 | Basis::Simplex4 | Basis::Permutation289 | Basis::ValueTable(..) => false,
            Basis::OneLiner(..) | Basis::Hexagonal | Basis::HexagonalTables(_) => false,
        },
        Op::Fractal { .. } | Op::Transform { .. } | Op::At { .. } => false,
        other => other.frames().is_none(),
    };
    let abreast = size_of::<R>() == 4
        && simd.is_few::<R>()
        && (2..=CHUNK).contains(&count)
        && !structure.periodic
        && structure.scopes[body.0 as usize].ops.iter().all(same);
    if abreast { OctavesRoute::Abreast } else { OctavesRoute::InTurn }
}

/// A choice that an evaluation has made.
#[cfg(test)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ChosenRoute {
    /// How a lattice noise was computed, and whether it was added to a sum while it was.
    Lattice {
        route: Route,
        added: bool,
    },
    Octaves(OctavesRoute),
}

#[cfg(test)]
mod tests;
