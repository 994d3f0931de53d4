//! Displaced coordinates in 2D that are computed where they are needed.

use crate::cpu::eval::abreast::Linears;
use crate::cpu::eval::coordinates::{Cells, Kept, Rows, Site, moved};
use crate::cpu::eval::evaluate::Call;
use crate::cpu::simd::Real;
use crate::cpu::simd::block::{CHUNK, Lanes, width};
use crate::cpu::simd::vector::{Position, SimdVector, Token};

/// Where coordinates in 2D come from.
pub trait Source<R: Real>: Copy {
    /// Whether they are computed, and not loaded.
    const COMPUTED: bool;
    /// Those from a lane on; the third is 0.
    fn vectors<T: Token>(self, token: T, at: usize) -> Position<R, T, 3>;
}

impl<R: Real> Source<R> for &Cells<R> {
    const COMPUTED: bool = false;
    #[inline(always)]
    fn vectors<T: Token>(self, token: T, at: usize) -> Position<R, T, 3> {
        Cells::vectors::<_, 2>(self, token, at)
    }
}

/// Coordinates in 2D, vector by vector. What is computed is computed one vector ahead, beside the noise of the one before: all that a noise
/// does waits for its coordinates.
pub struct Ahead<R: Real, S, T: Token> {
    token: T,
    source: S,
    next: Position<R, T, 3>,
    /// The lane that the last vector begins with.
    last: usize,
}

impl<R: Real, S: Source<R>, T: Token> Ahead<R, S, T> {
    /// From the first vector on.
    #[inline(always)]
    pub fn new(token: T, source: S) -> Self {
        Ahead { token, source, next: source.vectors(token, 0), last: token.lanes().saturating_sub(width::<R, T>(token)) }
    }

    /// The coordinates of the vector after those that were taken, which begins with this lane.
    #[inline(always)]
    pub fn vectors(&mut self, at: usize) -> Position<R, T, 3> {
        if const { !S::COMPUTED } {
            return self.source.vectors(self.token, at);
        }
        let next = self.source.vectors(self.token, (at + width::<R, T>(self.token)).min(self.last));
        std::mem::replace(&mut self.next, next)
    }
}

/// Displaced coordinates of rows in 2D, computed where they are needed, which spares storing and loading them: what [`Cells::fill`] stores,
/// where the lattice lies along the world's axes.
#[derive(Clone, Copy)]
pub struct Displaced<'a, R> {
    /// Where samples are along x without displacement, and along y.
    columns: &'a Cells<R>,
    rows: &'a Rows<R>,
    /// How far samples are moved along x and y in the world, and what a unit of that is in cells.
    by: [&'a Lanes<R>; 2],
    per_unit: [R; 2],
}

impl<'a, R: Real> Displaced<'a, R> {
    /// Those of a call's lanes in a frame, if they are like that.
    pub fn of(call: Call<'a, R>, (frame, linears): (usize, Linears<'_, R>), kept: &'a mut Kept<R>) -> Option<Self> {
        let (Site::Region { grids, tracks, index }, Some([x, y, _]), Linears::Same(linear)) = (*call.site, call.displacement, linears)
        else {
            return None;
        };
        let (grid, track) = (&grids[frame], &tracks[frame]);
        if !linear.diagonal || grid.samples != [0; 3] || !track.columns[0] || !(track.still[1] || track.rows[1]) {
            return None;
        }
        let (columns, rows) = kept.apart(call.simd, grid, track, index)?;
        Some(Displaced { columns, rows, by: [x, y], per_unit: [linear.columns[0][0], linear.columns[1][1]] })
    }
}

impl<R: Real> Source<R> for Displaced<'_, R> {
    const COMPUTED: bool = true;
    #[inline(always)]
    fn vectors<T: Token>(self, token: T, at: usize) -> Position<R, T, 3> {
        let by = |axis: usize| R::Vector::splat(token, self.per_unit[axis]) * R::Vector::load(token, self.by[axis], at);
        let (i, x) = moved::<R, T>(self.columns.vector(token, 0, at), by(0));
        let (j, y) = moved::<R, T>(self.rows.place(token, at / CHUNK), by(1));
        ([i, j, R::Vector::<T>::splat_bits(token, 0)], [x, y, R::Vector::splat(token, R::default())])
    }
}
