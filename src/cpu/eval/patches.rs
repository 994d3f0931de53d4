//! The lattice points around the vectors of a block, hashed once for all of a vector's samples, and kept for the next row.

use crate::cpu::eval::coordinates::LatticeCoordinates;
use crate::cpu::lib::open_points::{Cubic, EXTENTS, HashedPoints, PATCH, Patch, PatchGradients, Points, start};
use crate::cpu::lib::open_simplex::nearest;
use crate::cpu::simd::lanes::{Aligned, CHUNK};
use crate::cpu::simd::number::{Bits, Number};
use crate::cpu::simd::real::{BitsOf, Position, width};
use crate::cpu::simd::vector::{SimdVector, Token};
use crate::cpu::simd::{Real, unrolled};

/// The noise whose points are kept.
#[derive(Clone, Copy, PartialEq)]
pub struct PatchesOf {
    pub seed: u32,
    pub period: [i32; 4],
    pub dimensions: usize,
    pub smooth: bool,
}

/// Patches that are kept: those of a strip of rows, if cells are at least 24 samples wide.
const PATCHES: usize = 64;

/// The place of a patch: the least cell along each axis, and the least corner next to a sample.
#[derive(Clone, Copy)]
struct Place {
    cell: [u32; 3],
    corner: [u32; 3],
}

impl Place {
    /// The coordinates as two words, which take less time to compare. Corners differ from cells by 0 or 1.
    #[inline(always)]
    fn words(self) -> [u64; 2] {
        let [i, j, k] = self.cell.map(u64::from);
        let upper = |axis: usize| u64::from(self.corner[axis] ^ self.cell[axis] != 0) << axis;
        [i | j << 32, k | (upper(0) | upper(1) | upper(2)) << 32]
    }

    /// The coordinates of the first corner, and of the first centre less its half.
    #[inline(always)]
    fn first<const DIMENSIONS: usize, const SMOOTH: bool>(self) -> [[u32; 3]; 2] {
        if DIMENSIONS == 2 {
            // OpenSimplex2S also reads a point before the cell.
            return [self.cell.map(|i| i.wrapping_sub(u32::from(SMOOTH))), [0; 3]];
        }
        [self.cell, self.corner.map(|i| i.wrapping_sub(1))]
    }
}

/// The points around the samples of a vector.
struct KnownPatch<R> {
    place: Option<[u64; 2]>,
    gradients: PatchGradients<R>,
}

/// The points around the vectors of a block.
pub struct Patches<R> {
    of: Option<PatchesOf>,
    known: Vec<KnownPatch<R>>,
    /// The lane of a vector with the least coordinate along each axis, which is one of its ends in a row of a region.
    least: [usize; 3],
    /// 1 if that is the first lane, else −1.
    direction: [u32; 3],
}

/// The coordinates of a patch's points along each axis, from the first.
const PLACES: [[[u32; PATCH]; 3]; 2] = [places(EXTENTS[0] as u32), places(EXTENTS[1] as u32)];

const fn places(extent: u32) -> [[u32; PATCH]; 3] {
    let mut all = [[0; PATCH]; 3];
    let mut point = 0;
    while point < PATCH {
        let at = point as u32;
        all[0][point] = at % extent;
        all[1][point] = at / extent % extent;
        all[2][point] = at / (extent * extent);
        point += 1;
    }
    all
}

/// Whether cells are fewer than this number of steps after the first along every axis.
#[inline(always)]
fn within<B: Bits, const DIMENSIONS: usize>(cells: [B; 3], first: [u32; 3], steps: u32) -> B::Mask {
    let mut all = cells[0].minus(cells[0].constant(first[0])).less_than(cells[0].constant(steps));
    unrolled!(axis in 1..DIMENSIONS => {
        all = B::both(all, cells[axis].minus(cells[0].constant(first[axis])).less_than(cells[0].constant(steps)));
    });
    all
}

/// Whether a patch has the points of all samples of a vector.
#[inline(always)]
fn covers<R: Number, const DIMENSIONS: usize, const SMOOTH: bool>(place: Place, cells: [R::Bits; 3], fractions: [R; 3]) -> bool {
    let inside = if DIMENSIONS == 2 {
        // The points of a cell are its corners; OpenSimplex2S also reads one before them and one after.
        let cells_across = EXTENTS[0] as u32 - if SMOOTH { 3 } else { 1 };
        within::<_, DIMENSIONS>(cells, place.cell, cells_across)
    } else {
        // Corners are the ends of the sample's cell, and centres are around its nearest corner.
        let mut corners = cells;
        unrolled!(axis in 0..DIMENSIONS => {
            corners[axis] = nearest(cells[axis], fractions[axis].at_least(fractions[axis].constant(0.5)));
        });
        let across = EXTENTS[1] as u32 - 1;
        R::Bits::both(within::<_, DIMENSIONS>(cells, place.cell, across), within::<_, DIMENSIONS>(corners, place.corner, across))
    };
    !R::Bits::any(R::Bits::not(inside))
}

impl<R: Real> Patches<R> {
    pub fn new() -> Self {
        Patches { of: None, known: Vec::new(), least: [0; 3], direction: [1; 3] }
    }

    /// Prepares for a block of a noise. Its points are still known if it was the last one.
    pub fn begin(&mut self, of: PatchesOf, coordinates: &LatticeCoordinates<R>) {
        for axis in 0..3 {
            let (cell, fraction) = (&coordinates.cell[axis], &coordinates.fraction[axis]);
            let step = cell[CHUNK - 1].wrapping_sub(cell[0]) as i32;
            let falls = step < 0 || step == 0 && fraction[CHUNK - 1] < fraction[0];
            (self.least[axis], self.direction[axis]) = if falls { (CHUNK - 1, u32::MAX) } else { (0, 1) };
        }
        if self.of == Some(of) {
            return;
        }
        self.of = Some(of);
        self.known.resize_with(PATCHES, || KnownPatch { place: None, gradients: [[Aligned::of(R::default()); 3]; 2] });
        for patch in &mut self.known {
            patch.place = None;
        }
    }

    /// The least coordinates of a vector's samples.
    #[inline(always)]
    fn place<const DIMENSIONS: usize>(&self, coordinates: &LatticeCoordinates<R>, at: usize) -> Place {
        let mut place = Place { cell: [0; 3], corner: [0; 3] };
        unrolled!(axis in 0..DIMENSIONS => {
            let lane = at + self.least[axis];
            place.cell[axis] = coordinates.cell[axis][lane];
            place.corner[axis] = place.cell[axis];
            if DIMENSIONS > 2 {
                place.corner[axis] = nearest(place.cell[axis], coordinates.fraction[axis][lane] >= R::of(0.5));
            }
        });
        place
    }

    /// The number of the patch at a place. Patches along a row have different numbers.
    #[inline(always)]
    fn number<const DIMENSIONS: usize>(&self, place: Place) -> usize {
        let mut number = 0u32;
        unrolled!(axis in 0..DIMENSIONS => {
            let along = place.cell[axis].wrapping_add(place.corner[axis]);
            number = number.wrapping_add(along.wrapping_mul(self.direction[axis]));
        });
        number as usize % PATCHES
    }

    /// The points around the samples of the vector at a lane; `None` if they are too far apart.
    #[inline(always)]
    pub fn around<T: Token, const DIMENSIONS: usize, const SMOOTH: bool, const PERIODIC: bool>(
        &mut self,
        token: T,
        coordinates: &LatticeCoordinates<R>,
        at: usize,
        (cells, fractions): Position<R, T, 3>,
        hashed: HashedPoints<BitsOf<R, T>, SMOOTH, PERIODIC>,
    ) -> Option<Patch<'_, R::Vector<T>>> {
        let place = self.place::<DIMENSIONS>(coordinates, at);
        if !covers::<_, DIMENSIONS, SMOOTH>(place, cells, fractions) {
            return None;
        }
        let (number, words) = (self.number::<DIMENSIONS>(place), place.words());
        let patch = self.known.get_mut(number)?;
        let first = place.first::<DIMENSIONS, SMOOTH>();
        if patch.place != Some(words) {
            patch.place = Some(words);
            hash::<R, T, _, DIMENSIONS>(token, first, hashed, &mut patch.gradients);
        }
        let splat = |first| R::Vector::<T>::splat_bits(token, start::<DIMENSIONS>(first));
        Some(Patch { gradients: &patch.gradients, start: [splat(first[0]), splat(first[1])] })
    }
}

/// Hashes the points of a patch.
#[inline(always)]
fn hash<R: Real, T: Token, P: Points<R::Vector<T>, DIMENSIONS>, const DIMENSIONS: usize>(
    token: T,
    first: [[u32; 3]; 2],
    points: P,
    gradients: &mut PatchGradients<R>,
) {
    let places = &PLACES[DIMENSIONS - 2];
    unrolled!(lattice in 0..(DIMENSIONS - 1) => {
        let of = if lattice == 0 { Cubic::Corners } else { Cubic::Centres };
        for vector in 0..PATCH / width::<R, T>(token) {
            let from = vector * width::<R, T>(token);
            let mut at = [R::Vector::<T>::splat_bits(token, 0); DIMENSIONS];
            unrolled!(axis in 0..DIMENSIONS => {
                at[axis] = R::Vector::<T>::load_bits(token, &places[axis], from)
                    .plus(R::Vector::<T>::splat_bits(token, first[lattice][axis]));
            });
            let found = points.gradient(of, points.at(of, at));
            unrolled!(axis in 0..DIMENSIONS => {
                found[axis].store(&mut gradients[lattice][axis], from);
            });
        }
    });
}
