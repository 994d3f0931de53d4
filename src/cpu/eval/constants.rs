//! The constants of lattices, which depend on neither region nor point, in the backend's number type: for one frame, for
//! neighbouring frames, and for the lanes of a block.

use crate::cpu::lib::frame::MatrixColumns;
use crate::cpu::lib::jet::axes;
use crate::cpu::lib::point::HashKey;
use crate::cpu::simd::Real;
use crate::cpu::simd::lanes::CHUNK;
use crate::cpu::simd::real::BitsOf;
use crate::cpu::simd::vector::{SimdVector, Token};
use crate::frame::Frame;

/// The constants of one lattice.
#[derive(Clone, Copy, Debug)]
pub struct LatticeConstants<R> {
    /// Cells per world unit along world x, y and z.
    pub columns: MatrixColumns<R>,
    /// Seed of the lattice's hash.
    pub seed: u32,
    /// Period of the lattice in cells along each axis; 0 if it does not repeat.
    pub period: [i32; 4],
    /// Whether each lattice axis depends only on the world axis of the same index.
    pub diagonal: bool,
}

impl<R: Real> LatticeConstants<R> {
    pub fn new(frame: &Frame) -> Self {
        let columns = [frame.local.x_axis, frame.local.y_axis, frame.local.z_axis].map(|column| column.to_array().map(R::of));
        let diagonal = (0..9).all(|i| i % 4 == 0 || frame.local.to_cols_array()[i] == 0.0);
        LatticeConstants { columns, seed: frame.seed, period: frame.period, diagonal }
    }

    /// The columns, copied to every lane.
    #[inline(always)]
    pub fn splat<T: Token>(&self, token: T) -> MatrixColumns<R::Vector<T>> {
        axes(|axis| axes(|d| R::Vector::splat(token, self.columns[axis][d])))
    }

    /// The key that hashes the lattice's points, copied to every lane.
    #[inline(always)]
    pub fn key<T: Token, const PERIODIC: bool>(&self, token: T) -> HashKey<BitsOf<R, T>, PERIODIC> {
        HashKey { seed: R::Vector::<T>::splat_bits(token, self.seed), period: self.period }
    }
}

impl<R> LatticeConstants<R> {
    /// The key that hashes the lattice's points.
    pub fn hash_key<const PERIODIC: bool>(&self) -> HashKey<u32, PERIODIC> {
        HashKey { seed: self.seed, period: self.period }
    }
}

/// The constants of all frames, with neighbouring frames adjacent. A chunk of zeros follows the last frame.
pub struct NeighbourConstants<R> {
    columns: [[Vec<R>; 3]; 3],
    seeds: Vec<u32>,
}

impl<R: Real> NeighbourConstants<R> {
    pub fn new(frames: &[LatticeConstants<R>]) -> Self {
        fn followed<X: Clone + Default>(all: impl Iterator<Item = X>) -> Vec<X> {
            all.chain(std::iter::repeat_n(X::default(), CHUNK)).collect()
        }
        NeighbourConstants {
            columns: [0, 1, 2].map(|axis| [0, 1, 2].map(|d| followed(frames.iter().map(|frame| frame.columns[axis][d])))),
            seeds: followed(frames.iter().map(|frame| frame.seed)),
        }
    }
}

/// The constants of a block's lanes.
#[derive(Clone, Copy)]
pub enum LaneConstants<'a, R> {
    /// One lattice for all lanes.
    Same(&'a LatticeConstants<R>),
    /// A lattice for each lane: neighbouring frames, from this index on.
    Each(&'a NeighbourConstants<R>, usize),
}

impl<R: Real> LaneConstants<'_, R> {
    /// The columns of every lane.
    #[inline(always)]
    pub fn columns<T: Token>(self, token: T) -> MatrixColumns<R::Vector<T>> {
        match self {
            LaneConstants::Same(constants) => constants.splat(token),
            LaneConstants::Each(all, first) => axes(|axis| axes(|d| R::Vector::load(token, &all.columns[axis][d], first))),
        }
    }

    /// The key that hashes the points of each lane's lattice. Neighbouring frames have no periods.
    #[inline(always)]
    pub fn key<T: Token, const PERIODIC: bool>(self, token: T) -> HashKey<BitsOf<R, T>, PERIODIC> {
        match self {
            LaneConstants::Same(constants) => constants.key(token),
            LaneConstants::Each(all, first) => HashKey { seed: R::Vector::<T>::load_bits(token, &all.seeds, first), period: [0; 4] },
        }
    }

    /// Whether each lattice axis is known to depend only on the world axis of the same index.
    #[inline(always)]
    pub fn diagonal(self) -> bool {
        matches!(self, LaneConstants::Same(constants) if constants.diagonal)
    }
}
