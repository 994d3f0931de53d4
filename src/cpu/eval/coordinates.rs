//! Lattice coordinates of a block of samples.

use crate::cpu::simd::Real;
use crate::cpu::simd::lanes::Lanes;
use crate::cpu::simd::number::Bits;
use crate::cpu::simd::real::{BitsOf, Position};
use crate::cpu::simd::vector::{SimdVector, Token};
use crate::frame::Fixed;

/// Lattice coordinates of a block.
pub struct LatticeCoordinates<R> {
    pub cell: [Lanes<u32>; 3],
    pub fraction: [Lanes<R>; 3],
}

impl<R: Real> LatticeCoordinates<R> {
    pub fn new() -> Self {
        LatticeCoordinates { cell: [Lanes::of(0); 3], fraction: [Lanes::of(R::default()); 3] }
    }

    #[inline(always)]
    pub fn cell(&self, lane: usize) -> [u32; 3] {
        [self.cell[0][lane], self.cell[1][lane], self.cell[2][lane]]
    }

    /// The first `DIMENSIONS` coordinates of a lane's cell; the others are 0.
    #[inline(always)]
    pub fn first<const DIMENSIONS: usize>(&self, lane: usize) -> [u32; 3] {
        let mut cell = self.cell(lane);
        cell[DIMENSIONS..].fill(0);
        cell
    }

    #[inline(always)]
    pub fn fraction(&self, lane: usize) -> [R; 3] {
        [self.fraction[0][lane], self.fraction[1][lane], self.fraction[2][lane]]
    }

    /// The first `DIMENSIONS` coordinates from a lane on; the others are 0.
    #[inline(always)]
    pub fn vectors<T: Token, const DIMENSIONS: usize>(&self, token: T, at: usize) -> Position<R, T, 3> {
        let mut cell = [R::Vector::<T>::splat_bits(token, 0); 3];
        let mut fraction = [R::Vector::splat(token, R::default()); 3];
        for d in 0..DIMENSIONS {
            (cell[d], fraction[d]) = self.vector(token, d, at);
        }
        (cell, fraction)
    }

    /// One coordinate from a lane on.
    #[inline(always)]
    pub fn vector<T: Token>(&self, token: T, d: usize, at: usize) -> (BitsOf<R, T>, R::Vector<T>) {
        (R::Vector::<T>::load_bits(token, &self.cell[d], at), R::Vector::load(token, &self.fraction[d], at))
    }

    #[inline(always)]
    pub fn store<T: Token>(&mut self, d: usize, at: usize, (cell, fraction): (BitsOf<R, T>, R::Vector<T>)) {
        cell.store(&mut self.cell[d], at);
        fraction.store(&mut self.fraction[d], at);
    }

    /// The stored coordinates along a lattice axis.
    #[inline(always)]
    pub fn axis(&mut self, d: usize) -> AxisCoordinates<'_, R> {
        AxisCoordinates { cell: &mut self.cell[d], fraction: &mut self.fraction[d] }
    }
}

/// Lattice coordinates along one axis, one for each lane.
pub struct AxisCoordinates<'a, R> {
    pub cell: &'a mut Lanes<u32>,
    pub fraction: &'a mut Lanes<R>,
}

impl<R: Real> AxisCoordinates<'_, R> {
    #[inline(always)]
    pub fn set(&mut self, lane: usize, q: Fixed) {
        self.cell[lane] = (q >> 64) as u32;
        self.fraction[lane] = R::fraction((q >> 32) as u32, q as u32);
    }
}
