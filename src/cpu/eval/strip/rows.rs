//! Rows of a block, as inputs of the noises along rows.

use crate::cpu::eval::advance::{LaneOffsets, RowAdvance};
use crate::cpu::eval::block::JetBlock;
use crate::cpu::eval::constants::LatticeConstants;
use crate::cpu::lib::flow::Turn;
use crate::cpu::lib::frame::{self, MatrixColumns};
use crate::cpu::lib::jet::Jet;
use crate::cpu::simd::lanes::LANES;
use crate::cpu::simd::number::Number;
use crate::cpu::simd::vector::{SimdVector, Token};
use crate::cpu::simd::{Dispatch, Real};
use crate::frame::RegionGrid;

/// One lattice along a row of a region.
#[derive(Clone, Copy)]
pub struct LatticeRow<'a, R> {
    pub grid: &'a RegionGrid,
    pub lane_offsets: &'a LaneOffsets,
    pub constants: &'a LatticeConstants<R>,
    /// The turn of the noise's gradients, if they turn.
    pub turn: Option<Turn<R>>,
    /// The row's first sample.
    pub index: [u32; 3],
    /// Its first lane in the block.
    pub lane: usize,
    /// If given, samples are multiplied by it and added to the block's values. The lattice's axes are then the world's.
    pub amplitude: Option<R>,
}

impl<'a, R: Real> LatticeRow<'a, R> {
    /// The turn, copied to every lane.
    #[inline(always)]
    pub fn splat_turn<T: Token>(self, token: T) -> Option<Turn<R::Vector<T>>> {
        match self.turn {
            Some(Turn { sine, cosine }) => Some(Turn { sine: R::Vector::splat(token, sine), cosine: R::Vector::splat(token, cosine) }),
            None => None,
        }
    }

    /// Writes a lattice noise of `DIMENSIONS` dimensions from a sample on, with its gradient per cell. If the lattice's axes are
    /// the world's, products with 0 are skipped.
    #[inline(always)]
    pub fn store<T: Token, const GRADIENT: bool, const DIMENSIONS: usize>(
        self,
        token: T,
        at: usize,
        columns: &MatrixColumns<R::Vector<T>>,
        noise: Jet<R::Vector<T>>,
        out: &mut JetBlock<R>,
    ) {
        let at = self.lane + at;
        match self.amplitude {
            Some(amplitude) => out.add::<_, GRADIENT, DIMENSIONS>(token, at, amplitude, along_axes(columns, noise)),
            None if GRADIENT && self.constants.diagonal => out.store::<_, GRADIENT>(token, at, along_axes(columns, noise)),
            None => out.store::<_, GRADIENT>(token, at, frame::world::<_, GRADIENT>(columns, noise)),
        }
    }
}

/// A lattice noise with its gradient per world unit, if the lattice's axes are the world's.
#[inline(always)]
fn along_axes<V: Number>(columns: &MatrixColumns<V>, noise: Jet<V>) -> Jet<V> {
    let [x, y, z] = noise.gradient;
    Jet { value: noise.value, gradient: [columns[0][0] * x, columns[1][1] * y, columns[2][2] * z] }
}

/// Rows of a block, in order of y.
#[derive(Clone, Copy)]
pub struct BlockRows<'a, R> {
    first: LatticeRow<'a, R>,
    pub count: usize,
    width: usize,
}

impl<'a, R: Real> BlockRows<'a, R> {
    /// The rows of a region's block that begins with the sample of this index.
    #[inline(always)]
    pub fn new(
        lanes: usize,
        grid: &'a RegionGrid,
        advance: &'a RowAdvance,
        constants: &'a LatticeConstants<R>,
        turn: Option<Turn<R>>,
        index: [u32; 3],
        amplitude: Option<R>,
    ) -> Self {
        let first = LatticeRow { grid, lane_offsets: advance.along_row(), constants, turn, index, lane: 0, amplitude };
        BlockRows { first, count: advance.rows_in(lanes), width: advance.width }
    }

    /// The dispatch of a row, in whole vectors. The last vector may extend beyond the row's end; the next row overwrites the
    /// excess.
    #[inline(always)]
    pub fn dispatch(&self, simd: Dispatch) -> Dispatch {
        if self.width < LANES { simd.row::<R>(self.width) } else { simd }
    }

    #[inline(always)]
    pub fn row(&self, number: usize) -> LatticeRow<'a, R> {
        let [x, y, z] = self.first.index;
        LatticeRow { index: [x, y + number as u32, z], lane: self.first.lane + number * self.width, ..self.first }
    }
}
