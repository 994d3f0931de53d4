//! Displaced coordinates in 2D that are computed on use.

use crate::cpu::eval::call::{SampleSource, ScopeCall};
use crate::cpu::eval::constants::LatticeConstants;
use crate::cpu::eval::coordinates::LatticeCoordinates;
use crate::cpu::eval::fill::{RowCache, RowPlaces, moved};
use crate::cpu::simd::Real;
use crate::cpu::simd::lanes::{CHUNK, Lanes};
use crate::cpu::simd::real::{Position, width};
use crate::cpu::simd::vector::{SimdVector, Token};

/// A source of coordinates in 2D.
pub trait PlaneCoordinates<R: Real>: Copy {
    /// Whether they are computed rather than loaded.
    const COMPUTED: bool;
    /// The coordinates from a lane on; the third is 0.
    fn vectors<T: Token>(self, token: T, at: usize) -> Position<R, T, 3>;
}

impl<R: Real> PlaneCoordinates<R> for &LatticeCoordinates<R> {
    const COMPUTED: bool = false;
    #[inline(always)]
    fn vectors<T: Token>(self, token: T, at: usize) -> Position<R, T, 3> {
        LatticeCoordinates::vectors::<_, 2>(self, token, at)
    }
}

/// Coordinates in 2D, vector by vector. Computed coordinates are computed one vector ahead, in parallel with the noise of the
/// previous vector, because every operation of a noise depends on its coordinates.
pub struct Ahead<R: Real, S, T: Token> {
    token: T,
    source: S,
    next: Position<R, T, 3>,
    /// The first lane of the last vector.
    last: usize,
}

impl<R: Real, S: PlaneCoordinates<R>, T: Token> Ahead<R, S, T> {
    /// Begins with the first vector.
    #[inline(always)]
    pub fn new(token: T, source: S) -> Self {
        Ahead { token, source, next: source.vectors(token, 0), last: token.lanes().saturating_sub(width::<R, T>(token)) }
    }

    /// The next vector of coordinates, which begins with lane `at`.
    #[inline(always)]
    pub fn vectors(&mut self, at: usize) -> Position<R, T, 3> {
        if const { !S::COMPUTED } {
            return self.source.vectors(self.token, at);
        }
        let next = self.source.vectors(self.token, (at + width::<R, T>(self.token)).min(self.last));
        std::mem::replace(&mut self.next, next)
    }
}

/// Displaced coordinates of rows in 2D, computed on use, which saves storing and loading them. They equal those of
/// [`LatticeCoordinates::fill`] if the lattice's axes are the world's.
#[derive(Clone, Copy)]
pub struct Displaced<'a, R> {
    /// The undisplaced coordinates of samples along x, and of rows along y.
    columns: &'a LatticeCoordinates<R>,
    rows: &'a RowPlaces<R>,
    /// The displacement along x and y in world units, and the cells per world unit.
    by: [&'a Lanes<R>; 2],
    per_unit: [R; 2],
}

impl<'a, R: Real> Displaced<'a, R> {
    /// The coordinates of a call's lanes in a frame whose axes are the world's. `None` unless the samples are displaced rows of a
    /// region.
    pub fn new(call: ScopeCall<'a, R>, frame: usize, constants: &LatticeConstants<R>, cache: &'a mut RowCache<R>) -> Option<Self> {
        let (SampleSource::Region { grids, advances, index }, Some([x, y, _])) = (*call.source, call.displacement) else { return None };
        let (columns, rows) = cache.columns_and_rows(call.simd, &grids[frame], &advances[frame], index)?;
        Some(Displaced { columns, rows, by: [x, y], per_unit: [constants.columns[0][0], constants.columns[1][1]] })
    }
}

impl<R: Real> PlaneCoordinates<R> for Displaced<'_, R> {
    const COMPUTED: bool = true;
    #[inline(always)]
    fn vectors<T: Token>(self, token: T, at: usize) -> Position<R, T, 3> {
        let by = |axis: usize| R::Vector::splat(token, self.per_unit[axis]) * R::Vector::load(token, self.by[axis], at);
        let (i, x) = moved::<R, T>(self.columns.vector(token, 0, at), by(0));
        let (j, y) = moved::<R, T>(self.rows.place(token, at / CHUNK), by(1));
        ([i, j, R::Vector::<T>::splat_bits(token, 0)], [x, y, R::Vector::splat(token, R::default())])
    }
}
