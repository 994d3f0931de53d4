//! A sample as a pass sees it: itself and its neighbours in every plane that is read, and the pass's numbers.

use crate::cpu::simd::Real;
use crate::schedule::NUMBERS;
use crate::schedule::pass::{Pass, ReadIndex};

/// What a pass has beside its planes.
#[derive(Clone, Copy, Debug)]
pub struct PassInputs<'a, R> {
    pub pass: Pass,
    /// How far it may read in each plane.
    pub reach: &'a [u32],
    /// Its numbers.
    pub numbers: &'a [R; NUMBERS],
    /// Its table.
    pub table: &'a [R],
    /// The index of the block's first sample, wrapping.
    pub index: [u32; 2],
    /// The level of detail.
    pub level: u32,
}

impl<R> PassInputs<'_, R> {
    /// Debug builds stop where a pass reads further than the table of passes says: the halo would be too narrow for it, and slices of
    /// neighbours would give it another sample than it asked for.
    #[inline(always)]
    fn check(&self, plane: ReadIndex, x: i32, y: i32) {
        if cfg!(debug_assertions) && x.unsigned_abs().max(y.unsigned_abs()) > self.reach[plane.0] {
            too_far(self.pass, plane, x, y, self.reach[plane.0]);
        }
    }
}

#[cold]
#[inline(never)]
fn too_far(pass: Pass, plane: ReadIndex, x: i32, y: i32, reach: u32) {
    let name = pass.info().reads[plane.0].name;
    debug_assert!(false, "{pass:?} reads '{name}' ({x}, {y}) samples away; the table of passes says: up to {reach}");
}

/// A sample as `shaders/passes/` sees it.
pub trait Stencil<R: Real>: Copy {
    /// The value that a plane has so many samples further on.
    fn field(self, plane: ReadIndex, x: i32, y: i32) -> R;
    /// What the pass has.
    fn inputs(&self) -> &PassInputs<'_, R>;
    /// Where in the block this is.
    fn at(self) -> [i32; 2];
    /// The value that a plane has here.
    #[inline(always)]
    fn here(self, plane: ReadIndex) -> R {
        self.field(plane, 0, 0)
    }
}

/// A plane on the CPU, rows from the first on.
#[derive(Clone, Copy, Debug)]
pub struct Plane<'a, R> {
    pub values: &'a [R],
    /// Whether it is 0 beyond its edges, where others go on as they end.
    pub zero: bool,
}

/// A sample whose neighbours may lie beyond the edges of the block.
#[derive(Clone, Copy, Debug)]
pub struct EdgeStencil<'a, R, const N: usize> {
    pub planes: &'a [Plane<'a, R>; N],
    pub size: [i32; 2],
    pub at: [i32; 2],
    pub inputs: &'a PassInputs<'a, R>,
}

impl<R: Real, const N: usize> Stencil<R> for EdgeStencil<'_, R, N> {
    #[inline(always)]
    fn field(self, plane: ReadIndex, x: i32, y: i32) -> R {
        self.inputs.check(plane, x, y);
        let ([width, height], [x, y]) = (self.size, [self.at[0] + x, self.at[1] + y]);
        let held = [x.clamp(0, width - 1), y.clamp(0, height - 1)];
        let plane = &self.planes[plane.0];
        if plane.zero && held != [x, y] {
            return R::default();
        }
        plane.values[held[1] as usize * width as usize + held[0] as usize]
    }
    #[inline(always)]
    fn inputs(&self) -> &PassInputs<'_, R> {
        self.inputs
    }
    #[inline(always)]
    fn at(self) -> [i32; 2] {
        self.at
    }
}

/// A sample of a row of samples whose neighbours on all sides are in the block: slices of one length, so that the compiler sees that
/// nothing lies outside them and computes many samples at a time.
#[derive(Clone, Copy, Debug)]
pub struct InnerStencil<'a, R, const N: usize> {
    /// For each plane the rows of neighbours: up left, up, up right and so on.
    pub around: &'a [[&'a [R]; 9]; N],
    pub i: usize,
    /// Where the row's first sample is.
    pub first: [i32; 2],
    pub inputs: &'a PassInputs<'a, R>,
}

impl<R: Real, const N: usize> Stencil<R> for InnerStencil<'_, R, N> {
    #[inline(always)]
    fn field(self, plane: ReadIndex, x: i32, y: i32) -> R {
        self.inputs.check(plane, x, y);
        self.around[plane.0][(3 * y + x + 4) as usize][self.i]
    }
    #[inline(always)]
    fn inputs(&self) -> &PassInputs<'_, R> {
        self.inputs
    }
    #[inline(always)]
    fn at(self) -> [i32; 2] {
        [self.first[0] + self.i as i32, self.first[1]]
    }
}
