//! The choice of code for a lattice noise over a block, and for a sum of octaves. All choices between ways of computing the same
//! bits are made in this file.
//!
//! A noise takes the first route of this table whose conditions hold. The terms mean:
//!
//! - *Rows*: blocks of a region that are neither displaced nor in octaves abreast. The lattice axes along the noise's dimensions
//!   must not depend on more of the world than their own axis and x ([`RowAdvance::coherent`]). In a region at most 256 samples
//!   wide, a block holds several rows, and there are no *rows* unless the region has near samples on some lattice.
//! - *Near*: samples that are at most one cell apart along x.
//! - *Turning*: gradients that turn. They have *rows* if the turn is the same for all samples. See [`LatticeCall::turn`].
//! - *Fast*: code without periods, and without gradients unless they are read. See [`LatticeCall::is_general`].
//!
//! | route | noise | when | samples share | file |
//! |---|---|---|---|---|
//! | `Rows(Cubic)` | value, Perlin in 1D to 3D, turning or not | fast, rows, near | lattice points, blended along y and z once a row | `strip/cubic` |
//! | `Rows(DenseCubic)` | value, Perlin in 2D, 3D | fast, rows, not near | values that depend on x alone | `strip/dense` |
//! | `Rows(Simplex)` | simplex in 2D, 3D, turning or not | fast, rows, near | lattice lines along x | `strip/simplex` |
//! | `Rows(DenseSimplex)` | simplex in 2D, 3D | fast, rows, not near | values that depend on x alone | `strip/dense` |
//! | `Rows(Cellular)` | distances that [`is_usual`] | fast, rows, near, no gradients | points of lattice rows | `strip/cellular` |
//! | `Plane` | simplex in 2D | otherwise | see [`PlaneRoute`] | `shared`, `basis/simplex` |
//! | `Each(Rare(Pointwise))` | those of [`Pointwise`] | always | smooth cells: points around a cell, OpenSimplex2 in 2D and 3D: points around a vector, hexagons: their values, others: nothing | `basis/pointwise`, `near`, `patches` |
//! | `Each(Nearest)` | distances that [`is_usual`] | fast | points around a cell; see *lists* | `cellular`, `lists` |
//! | `Each(Rare(Cellular))` | cellular noise | otherwise | points around a cell, borders around a point; see *lists* | `cellular`, `lists` |
//! | `Each(..)` | all | otherwise | nothing | `basis/` |
//!
//! *Lists* of points and borders exist in regions whose cells are many samples wide; see [`LatticeCall::shares_lists`]. Vectors
//! whose lanes lie in at most three cells read them, from the second block on that asks for them. Other vectors search.
//!
//! Octaves are summed [`OctavesRoute::Abreast`] for a few points, and otherwise in turn. If [`LatticeCall::adds`], the loop that
//! computes an octave also adds it to the sum. Otherwise the octave is computed into its own block and added from there.

use crate::cpu::eval::advance::RowAdvance;
use crate::cpu::eval::call::{SampleSource, ScopeCall};
use crate::cpu::eval::constants::{LaneConstants, LatticeConstants};
use crate::cpu::eval::numbers::ProgramNumbers;
use crate::cpu::lib::worley::squared;
use crate::cpu::simd::lanes::CHUNK;
use crate::cpu::simd::{Dispatch, Real};
use crate::frame::{Fixed, RegionGrid};
use crate::program::{Basis, Interpolation, Op, Pointwise, Scalar, ScopeId, Span, Structure, WorleyOutput, WorleyShape};

/// The code that computes a lattice noise over a block.
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
    /// Whether coordinates are those of displaced rows along the world's axes. They are then computed on use rather than stored.
    pub computed: bool,
    /// Whether neighbours often lie in the same cell, or with AVX-512 in few cells. Their points are then hashed once for all of
    /// them.
    pub shared: bool,
}

/// Samples that share nothing, with stored coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum EachRoute {
    Simplex3,
    /// In one to three dimensions.
    Cubic(CubicNoise),
    /// Cellular noise that [`is_usual`], compiled separately.
    Nearest(WorleyNoise),
    Rare(RareRoute),
}

/// The rarer of them; see [`ONE_VERSION`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RareRoute {
    Pointwise(Pointwise),
    Cubic4(CubicNoise),
    /// In two or three dimensions.
    TurningSimplex(u32),
    TurningPerlin(u32, Interpolation),
    /// Any cellular noise, with gradients.
    Cellular(WorleyNoise),
}

/// Value noise, or Perlin noise if lattice points have slopes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CubicNoise {
    pub dimensions: u32,
    pub interpolation: Interpolation,
    pub sloped: bool,
}

/// The dimensions of simplex noise along rows.
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

/// Most lattices of a program whose rows share data, which takes some 150 KB for each lattice and thread.
const MOST_STRIPS: usize = 2048;

/// Whether the rarer noises have general code only, which handles periods and computes gradients: in a browser, where a page loads
/// it, this makes the engine a fifth smaller.
pub const ONE_VERSION: bool = cfg!(target_family = "wasm");

/// The largest step in cells for which a chunk checks whether its samples lie in one cell. It is half a cell per chunk, since a
/// displaced chunk is often twice as long.
const WIDE: Fixed = (1 << 63) / CHUNK as Fixed;
/// The largest step if samples of a chunk may lie in several cells, whose directions are looked up.
const FEW_CELLS: Fixed = (1 << 64) / 10;

/// Whether cellular noise has separate code: distances to one or two points in 2D or 3D, compared by squares.
fn is_usual(shape: WorleyShape) -> bool {
    shape.output == WorleyOutput::Distance && shape.dimensions > 1 && squared(shape.metric) && shape.nearest <= 2
}

/// Whether an evaluation runs code without gradients. Code for one number at a time is compiled with gradients only, since
/// performance relies on vectors or octaves abreast.
pub fn skips_gradients<R: Real>(simd: Dispatch, wanted: bool) -> bool {
    size_of::<R>() == 4 && !wanted && !simd.is_plain::<R>()
}

/// A lattice noise in a call.
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
    /// The noise of an operation, in the frames of the call's instance.
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

    /// Whether it runs in the general code, which handles periods and computes gradients. The oracle, repeating lattices and code
    /// for one number at a time always use it. Without periods its branches cost little, so no noise is compiled twice for them.
    #[inline(always)]
    pub fn is_general(&self) -> bool {
        size_of::<R>() != 4 || self.periodic || self.call.simd.is_plain::<R>()
    }

    /// The route that it takes.
    #[inline(always)]
    pub fn route(&self) -> Route {
        let each = Route::Each;
        let rare = |route| each(EachRoute::Rare(route));
        let cubic = |dimensions, interpolation, sloped| {
            let noise = CubicNoise { dimensions, interpolation, sloped };
            match (self.rows(dimensions), dimensions) {
                (_, 4) => rare(RareRoute::Cubic4(noise)),
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
            Basis::Simplex2 => match self.rows(2) {
                Some(spacing) => simplex(PlaneOrSpace::Plane, spacing),
                None => Route::Plane(PlaneRoute { computed: self.is_displaced_along_axes(), shared: self.shares_cells() }),
            },
            Basis::Simplex3 => match self.rows(3) {
                Some(spacing) => simplex(PlaneOrSpace::Space, spacing),
                None => each(EachRoute::Simplex3),
            },
            Basis::Value(dimensions, interpolation) => cubic(dimensions, interpolation, false),
            Basis::Perlin(dimensions, interpolation) => cubic(dimensions, interpolation, true),
            Basis::TurningSimplex(dimensions) => match (self.turning_rows(dimensions), dimensions) {
                (Some(Spacing::Near), 2) => simplex(PlaneOrSpace::Plane, Spacing::Near),
                (Some(Spacing::Near), _) => simplex(PlaneOrSpace::Space, Spacing::Near),
                (Some(Spacing::Far) | None, _) => rare(RareRoute::TurningSimplex(dimensions)),
            },
            Basis::TurningPerlin(dimensions, interpolation) => match self.turning_rows(dimensions) {
                Some(Spacing::Near) => Route::Rows(RowsRoute::Cubic(CubicNoise { dimensions, interpolation, sloped: true })),
                Some(Spacing::Far) | None => rare(RareRoute::TurningPerlin(dimensions, interpolation)),
            },
            Basis::Worley(shape, numbers) => {
                let noise = WorleyNoise { shape, numbers };
                match (is_usual(shape) && !self.is_general(), self.gradient, self.rows(shape.dimensions)) {
                    (true, false, Some(Spacing::Near)) => Route::Rows(RowsRoute::Cellular(noise)),
                    (true, _, _) => each(EachRoute::Nearest(noise)),
                    (false, _, _) => rare(RareRoute::Cellular(noise)),
                }
            }
            Basis::Pointwise(noise) => rare(RareRoute::Pointwise(noise)),
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

    /// The frame's position in a region, if the samples are those of a region.
    #[inline(always)]
    fn region(&self) -> Option<InRegion<'a>> {
        match *self.call.source {
            SampleSource::Region { grids, advances, .. } => Some(InRegion { grid: &grids[self.frame], advance: &advances[self.frame] }),
            SampleSource::Points { .. } | SampleSource::CellCentres { .. } => None,
        }
    }

    /// The spacing of samples in rows that share work along this number of lattice axes; `None` if there are no such rows.
    #[inline(always)]
    fn rows(&self, dimensions: u32) -> Option<Spacing> {
        let ScopeCall { displacement: None, abreast: None, .. } = *self.call else { return None };
        let InRegion { advance, .. } = self.region()?;
        if self.is_general() || dimensions > advance.coherent.min(3) || self.numbers.lattices.len() > MOST_STRIPS {
            return None;
        }
        Some(if advance.dense { Spacing::Far } else { Spacing::Near })
    }

    /// [`rows`](Self::rows) of a noise whose gradients turn.
    #[inline(always)]
    fn turning_rows(&self, dimensions: u32) -> Option<Spacing> {
        self.turn().and_then(|_| self.rows(dimensions))
    }

    /// The turn of the noise's gradients, if they turn and it is the same for all samples.
    #[inline(always)]
    pub fn turn(&self) -> Option<R> {
        let (Basis::TurningSimplex(_) | Basis::TurningPerlin(..)) = self.basis else { return None };
        let SampleSource::Region { grids, .. } = *self.call.source else { return None };
        let RegionGrid { origin: [turn, ..], step, .. } = grids[self.frame + 1];
        (step == [[0; 3]; 3]).then(|| R::fraction((turn >> 32) as u32, turn as u32))
    }

    /// Whether no row's last vector extends into the next row of the block, to which it would be added, too.
    #[inline(always)]
    fn rows_are_whole(&self, advance: &RowAdvance) -> bool {
        advance.width.is_multiple_of(CHUNK) || advance.rows_in(self.call.simd.lanes) == 1
    }

    /// Whether the samples are displaced rows along the world's axes.
    fn is_displaced_along_axes(&self) -> bool {
        let (Some(_), None, false) = (self.call.displacement, self.call.abreast, self.is_general()) else { return false };
        self.region().is_some_and(|InRegion { grid, advance }| {
            self.constants().diagonal && grid.samples == [0; 3] && advance.columns[0] && (advance.still[1] || advance.rows[1])
        })
    }

    /// Whether vectors of cellular noise read lists of points, if their lanes lie in few cells. A list takes as long as some vectors
    /// without it, so cells must be many samples wide.
    pub fn shares_lists(&self, shape: WorleyShape) -> bool {
        let width = match shape.output {
            WorleyOutput::Edge | WorleyOutput::Border => 24,
            WorleyOutput::Distance if is_usual(shape) => 40,
            WorleyOutput::Distance | WorleyOutput::Cell | WorleyOutput::Ratio => 32,
        };
        let (step, dimensions) = ((1 << 64) / width, shape.dimensions as usize);
        dimensions > 1
            && self.call.abreast.is_none()
            && !self.call.simd.is_plain::<R>()
            && self.region().is_some_and(|InRegion { grid, .. }| grid.step[0][..dimensions].iter().all(|x| (-step..=step).contains(x)))
    }

    /// Whether vectors may lie in one cell of the lattice, or in few cells, often enough to check for it.
    fn shares_cells(&self) -> bool {
        let most = if !self.is_general() && self.call.simd.is_wide() { FEW_CELLS } else { WIDE };
        self.call.abreast.is_none()
            && !self.call.simd.is_plain::<R>()
            && self.region().is_some_and(|InRegion { grid, .. }| {
                grid.samples == [0; 3] && grid.step[0][..2].iter().all(|step| (-most..=most).contains(step))
            })
    }
}

/// The distance of neighbouring samples: at most one cell, or more.
enum Spacing {
    Near,
    Far,
}

/// A frame in a region.
struct InRegion<'a> {
    grid: &'a RegionGrid,
    advance: &'a RowAdvance,
}

/// The order of summing octaves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum OctavesRoute {
    /// All octaves of a sample in the lanes of one block, sample by sample. For a few points, taking octave after octave would
    /// leave most lanes empty.
    Abreast,
    /// One octave after the other.
    InTurn,
}

/// Most octaves abreast: they must fit into one vector of any code, since constants are loaded once.
const MOST_ABREAST: usize = if ONE_VERSION { 4 } else { CHUNK };

/// The route for a number of octaves of a scope.
pub fn octaves<R: Real>(structure: &Structure, body: ScopeId, count: usize, simd: Dispatch) -> OctavesRoute {
    // Operations that are the same in all octaves, apart from the frames of lattices.
    let same = |op: &Op| match op {
        Op::Lattice(basis, _) => match *basis {
            Basis::Simplex2 | Basis::Simplex3 | Basis::Worley(..) => true,
            Basis::Value(dimensions, _) | Basis::Perlin(dimensions, _) => dimensions < 4,
            Basis::TurningSimplex(_) | Basis::TurningPerlin(..) | Basis::Pointwise(_) => false,
        },
        Op::Fractal { .. } | Op::Transform { .. } | Op::At { .. } => false,
        other => other.frames().is_none(),
    };
    let abreast = size_of::<R>() == 4
        && simd.is_few::<R>()
        && (2..=MOST_ABREAST).contains(&count)
        && !structure.periodic
        && structure.scopes[body.0 as usize].ops.iter().all(same);
    if abreast { OctavesRoute::Abreast } else { OctavesRoute::InTurn }
}

/// A choice that an evaluation made.
#[cfg(test)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ChosenRoute {
    /// The route of a lattice noise, and whether it was added to a sum at the same time.
    Lattice {
        route: Route,
        added: bool,
    },
    Octaves(OctavesRoute),
}

#[cfg(test)]
mod tests;
