//! The memory that an evaluation reuses from block to block.

use crate::cpu::eval::block::JetBlock;
use crate::cpu::eval::call::ScopeCall;
use crate::cpu::eval::coordinates::LatticeCoordinates;
use crate::cpu::eval::directions::Directions;
use crate::cpu::eval::fill::{CallFrame, RowCache};
use crate::cpu::eval::lists::CellLists;
use crate::cpu::eval::near::NearPoints;
use crate::cpu::eval::numbers::ProgramNumbers;
use crate::cpu::eval::patches::Patches;
use crate::cpu::eval::positions::Positions;
#[cfg(test)]
use crate::cpu::eval::route::ChosenRoute;
use crate::cpu::eval::stamps::Covered;
use crate::cpu::eval::strip::Strip;
use crate::cpu::lib::shift::Shift;
use crate::cpu::simd::Real;
use crate::cpu::simd::lanes::{Lanes, boxed};
use crate::program::{Reg, ScopeId, Structure};

/// The working memory of a thread.
pub struct Registers<R> {
    /// The results of every operation of every scope.
    pub scopes: Vec<Vec<JetBlock<R>>>,
    /// Data that rows of a lattice noise share, for each frame.
    pub strips: Vec<Option<Strip<R>>>,
    /// Coordinates that rows share, for each frame.
    pub row_caches: Vec<RowCache<R>>,
    /// The points around cells, for each frame.
    pub near: Vec<NearPoints<R>>,
    /// The points around the vectors of a block, for each frame.
    pub patches: Vec<Patches<R>>,
    /// The directions of points around the cells of a block's vectors, for each frame.
    pub directions: Vec<Directions>,
    /// Lists of the points around cells, for each frame.
    pub lists: Vec<CellLists<R>>,
    /// Room for the lanes that stamps cover, and for positions that do not matter.
    pub covered: Vec<Covered>,
    pub still: Option<Box<Positions>>,
    // Boxes for reuse.
    coordinates: Vec<Box<LatticeCoordinates<R>>>,
    displacements: Vec<Box<[Lanes<R>; 3]>>,
    shifts: Vec<Box<Shift<R>>>,
    blocks: Vec<Box<JetBlock<R>>>,
    /// The routes of noises and octaves, in order of execution.
    #[cfg(test)]
    pub trace: Vec<ChosenRoute>,
}

impl<R: Real> Registers<R> {
    /// The memory for a program with this number of frames.
    pub fn new(structure: &Structure, frames: usize) -> Self {
        Registers {
            scopes: structure.scopes.iter().map(|scope| vec![JetBlock::new(); scope.ops.len()]).collect(),
            strips: (0..frames).map(|_| None).collect(),
            row_caches: (0..frames).map(|_| RowCache::new()).collect(),
            near: (0..frames).map(|_| NearPoints::new()).collect(),
            patches: (0..frames).map(|_| Patches::new()).collect(),
            directions: (0..frames).map(|_| Directions::new()).collect(),
            lists: (0..frames).map(|_| CellLists::new()).collect(),
            covered: Vec::new(),
            still: None,
            coordinates: Vec::new(),
            displacements: Vec::new(),
            shifts: Vec::new(),
            blocks: Vec::new(),
            #[cfg(test)]
            trace: Vec::new(),
        }
    }

    /// Clears the data of another region.
    pub fn begin(&mut self) {
        for strip in self.strips.iter_mut().flatten() {
            strip.forget();
        }
        for cache in &mut self.row_caches {
            cache.forget();
        }
    }

    /// The result of a scope that has run.
    pub fn result(&self, structure: &Structure, ScopeId(id): ScopeId) -> &JetBlock<R> {
        let Reg(result) = structure.scopes[id as usize].result;
        &self.scopes[id as usize][result as usize]
    }

    /// The first `dimensions` coordinates of a call's lanes in a frame.
    pub fn coordinates(
        &mut self,
        call: ScopeCall<'_, R>,
        frame: usize,
        dimensions: usize,
        numbers: &ProgramNumbers<R>,
    ) -> Box<LatticeCoordinates<R>> {
        let mut coordinates = self.coordinates.pop().unwrap_or_else(|| boxed(LatticeCoordinates::new));
        let constants = numbers.lanes(frame, call.abreast);
        coordinates.fill(call, CallFrame { number: frame, constants }, dimensions, &mut self.row_caches[frame]);
        coordinates
    }

    pub fn keep_coordinates(&mut self, coordinates: Box<LatticeCoordinates<R>>) {
        self.coordinates.push(coordinates);
    }

    /// A displacement with arbitrary content.
    pub fn displacement(&mut self) -> Box<[Lanes<R>; 3]> {
        self.displacements.pop().unwrap_or_else(|| boxed(|| [Lanes::of(R::default()); 3]))
    }

    pub fn keep_displacement(&mut self, displacement: Box<[Lanes<R>; 3]>) {
        self.displacements.push(displacement);
    }

    /// A zero displacement, with its derivatives.
    pub fn shift(&mut self) -> Box<Shift<R>> {
        let mut shift = self.shifts.pop().unwrap_or_else(|| boxed(Shift::zero));
        shift.reset();
        shift
    }

    pub fn keep_shift(&mut self, shift: Box<Shift<R>>) {
        self.shifts.push(shift);
    }

    /// A block with arbitrary content.
    pub fn block(&mut self) -> Box<JetBlock<R>> {
        self.blocks.pop().unwrap_or_else(|| boxed(JetBlock::new))
    }

    pub fn keep_blocks(&mut self, blocks: impl IntoIterator<Item = Box<JetBlock<R>>>) {
        self.blocks.extend(blocks);
    }
}
