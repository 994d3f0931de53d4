//! The lattice points around the vectors of a block, hashed once for all of a vector's samples, and kept for the next row.

use crate::cpu::eval::coordinates::LatticeCoordinates;
use crate::cpu::lib::open_points::{Cubic, EXTENTS, HashedPoints, PATCH, Patch, PatchForm, PatchGradients, Points, form, start};
use crate::cpu::lib::open_simplex::nearest;
use crate::cpu::simd::lanes::{Aligned, CHUNK};
use crate::cpu::simd::number::Bits;
use crate::cpu::simd::permute::Lookup;
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
    /// The last lane of a vector.
    end: usize,
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

/// The places of the points of a [`PatchForm::Eight`], from its first point. Eight points fill its table twice.
const EIGHT: [[u32; PATCH]; 3] = {
    let points = [[0, 0], [1, 0], [2, 0], [1, 2], [2, 2], [0, 1], [1, 1], [2, 1]];
    let mut all = [[0; PATCH]; 3];
    let mut place = 0;
    while place < PATCH {
        [all[0][place], all[1][place]] = points[place % points.len()];
        place += 1;
    }
    all
};

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
fn covers<R: Lookup, const DIMENSIONS: usize, const SMOOTH: bool>(place: Place, cells: [R::Bits; 3], fractions: [R; 3]) -> bool {
    let inside = if form::<R>(cells[0], DIMENSIONS, SMOOTH) == Some(PatchForm::Eight) {
        let [i, j] = [cells[0].minus(cells[0].constant(place.cell[0])), cells[1].minus(cells[1].constant(place.cell[1]))];
        R::Bits::both(i.less_than(i.constant(2)), R::Bits::not(i.less_than(j)))
    } else if DIMENSIONS == 2 {
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
        Patches { of: None, known: Vec::new(), end: 0, least: [0; 3], direction: [1; 3] }
    }

    /// Prepares for a block of a noise, if vectors read patches.
    #[inline(always)]
    pub fn begin<T: Token>(&mut self, token: T, of: PatchesOf, coordinates: &LatticeCoordinates<R>) {
        if form::<R::Vector<T>>(R::Vector::<T>::splat_bits(token, 0), of.dimensions, of.smooth).is_some() {
            self.prepare(of, coordinates, width::<R, T>(token) - 1);
        }
    }

    /// Prepares for a block of a noise, given the last lane of a vector. Its points are still known if it was the last one.
    fn prepare(&mut self, of: PatchesOf, coordinates: &LatticeCoordinates<R>, end: usize) {
        self.end = end;
        for axis in 0..3 {
            let (cell, fraction) = (&coordinates.cell[axis], &coordinates.fraction[axis]);
            let step = cell[end].wrapping_sub(cell[0]) as i32;
            let falls = step < 0 || step == 0 && fraction[end] < fraction[0];
            (self.least[axis], self.direction[axis]) = if falls { (end, u32::MAX) } else { (0, 1) };
        }
        if self.of == Some(of) {
            return;
        }
        self.of = Some(of);
        self.known.resize_with(PATCHES, || KnownPatch {
            place: None,
            gradients: PatchGradients { along: [[Aligned::of(R::default()); 3]; 2], numbers: [Aligned::of(0); 2] },
        });
        for patch in &mut self.known {
            patch.place = None;
        }
    }

    /// The place of the patch around a vector, which begins at the least coordinates of its samples.
    #[inline(always)]
    fn place<const DIMENSIONS: usize>(&self, form: PatchForm, coordinates: &LatticeCoordinates<R>, at: usize) -> Place {
        let mut place = Place { cell: [0; 3], corner: [0; 3] };
        unrolled!(axis in 0..DIMENSIONS => {
            let lane = at + self.least[axis];
            place.cell[axis] = coordinates.cell[axis][lane];
            place.corner[axis] = place.cell[axis];
            if DIMENSIONS > 2 {
                place.corner[axis] = nearest(place.cell[axis], coordinates.fraction[axis][lane] >= R::of(0.5));
            }
        });
        if form == PatchForm::Eight {
            // Two cells along the second axis are the second and the third.
            let [first, last] = [coordinates.cell[0][at], coordinates.cell[0][at + self.end]];
            place.cell[0] = place.cell[0].wrapping_sub(u32::from(first == last));
        }
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

    /// The points around the samples of the vector at a lane; `None` if they are too far apart, or vectors read no patches.
    #[inline(always)]
    pub fn around<T: Token, const DIMENSIONS: usize, const SMOOTH: bool, const PERIODIC: bool>(
        &mut self,
        token: T,
        coordinates: &LatticeCoordinates<R>,
        at: usize,
        (cells, fractions): Position<R, T, 3>,
        hashed: HashedPoints<BitsOf<R, T>, SMOOTH, PERIODIC>,
    ) -> Option<Patch<'_, R::Vector<T>, SMOOTH>> {
        let form = form::<R::Vector<T>>(cells[0], DIMENSIONS, SMOOTH)?;
        let place = self.place::<DIMENSIONS>(form, coordinates, at);
        if !covers::<_, DIMENSIONS, SMOOTH>(place, cells, fractions) {
            return None;
        }
        let (number, words) = (self.number::<DIMENSIONS>(place), place.words());
        let patch = self.known.get_mut(number)?;
        let first = place.first::<DIMENSIONS, SMOOTH>();
        if patch.place != Some(words) {
            patch.place = Some(words);
            hash::<R, T, DIMENSIONS, SMOOTH, PERIODIC>(token, form, first, hashed, &mut patch.gradients);
        }
        let splat = |first| R::Vector::<T>::splat_bits(token, start::<DIMENSIONS>(first));
        Some(Patch { gradients: &patch.gradients, start: [splat(first[0]), splat(first[1])] })
    }
}

/// Hashes the points of a patch.
#[inline(always)]
fn hash<R: Real, T: Token, const DIMENSIONS: usize, const SMOOTH: bool, const PERIODIC: bool>(
    token: T,
    form: PatchForm,
    first: [[u32; 3]; 2],
    hashed: HashedPoints<BitsOf<R, T>, SMOOTH, PERIODIC>,
    gradients: &mut PatchGradients<R>,
) {
    let (places, count) = if form == PatchForm::Eight { (&EIGHT, 8) } else { (&PLACES[DIMENSIONS - 2], PATCH) };
    unrolled!(lattice in 0..(DIMENSIONS - 1) => {
        let of = if lattice == 0 { Cubic::Corners } else { Cubic::Centres };
        for from in (0..count).step_by(width::<R, T>(token)) {
            let mut at = [R::Vector::<T>::splat_bits(token, 0); DIMENSIONS];
            unrolled!(axis in 0..DIMENSIONS => {
                at[axis] = R::Vector::<T>::load_bits(token, &places[axis], from)
                    .plus(R::Vector::<T>::splat_bits(token, first[lattice][axis]));
            });
            if form == PatchForm::Bytes {
                let mut numbers = [0; CHUNK];
                hashed.number(of, at).store(&mut numbers, 0);
                for (to, number) in gradients.numbers[lattice][from..from + width::<R, T>(token)].iter_mut().zip(numbers) {
                    *to = number as u8;
                }
            } else {
                let found: [R::Vector<T>; DIMENSIONS] = hashed.gradient(of, at);
                unrolled!(axis in 0..DIMENSIONS => {
                    found[axis].store(&mut gradients.along[lattice][axis], from);
                });
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use crate::cpu::eval::basis::open_simplex::block;
    use crate::cpu::eval::block::JetBlock;
    use crate::cpu::eval::constants::{LaneConstants, LatticeConstants};
    use crate::cpu::eval::on_lattice::OnLattice;
    use crate::cpu::eval::patches::*;
    use crate::cpu::lib::jet::Jet;
    use crate::cpu::lib::{frame, open_simplex};
    use crate::cpu::simd::lanes::LANES;
    use crate::cpu::simd::{Dispatch, level};
    use crate::frame::Fixed;
    use crate::program::OpenSimplexShape;

    const CONSTANTS: LatticeConstants<f32> =
        LatticeConstants { columns: [[0.9, 0.1, -0.3], [0.2, 0.7, 0.4], [-0.5, 0.6, 0.8]], seed: 7, period: [0; 4], diagonal: false };

    /// Rows in many directions, short and long steps, with cells that wrap. In every third, some samples are elsewhere.
    fn row(number: u32) -> LatticeCoordinates<f32> {
        let mut row = LatticeCoordinates::new();
        let turned = |by: u32| f64::from(number.wrapping_mul(by) % 201) / 100.0 - 1.0;
        let length = [0.004, 0.02, 0.05, 0.11, 0.4][number as usize % 5];
        for (axis, by) in [37, 59, 83].into_iter().enumerate() {
            let fixed = |x: f64| (x * 65536.0) as Fixed * (1 << 48) + 12_345;
            let (start, step) = (fixed(3.0 * turned(by + 8)), fixed(turned(by) * length));
            for lane in 0..LANES {
                let elsewhere =
                    if number.is_multiple_of(3) && (lane as u32).wrapping_mul(number + 1).is_multiple_of(29) { lane % 5 } else { 0 };
                let at = start.wrapping_add(step * lane as Fixed).wrapping_add((elsewhere as Fixed) << 64);
                row.axis(axis).set(lane, at);
            }
        }
        row
    }

    /// The noise of a block, in every instruction set of this machine, and of each point by itself.
    macro_rules! compare {
        ($noise:ident, $dimensions:literal, $smooth:literal) => {{
            let shape = OpenSimplexShape { dimensions: $dimensions, smooth: $smooth };
            let (sets, mut all) = ([Dispatch::new(level()), Dispatch::new(level()).narrow()], [Patches::new(), Patches::new()]);
            let hashed = HashedPoints::<u32, $smooth, false> { key: CONSTANTS.hash_key() };
            let mut found = JetBlock::new();
            for number in 0..300 {
                let row = row(number);
                for (simd, patches) in sets.iter().zip(&mut all).filter(|(simd, _)| !simd.is_plain::<f32>()) {
                    let on = OnLattice { simd: *simd, constants: LaneConstants::Same(&CONSTANTS), coordinates: &row };
                    block::<f32, true, false>(on, shape, CONSTANTS.hash_key(), patches, &mut found);
                    for lane in 0..LANES {
                        let noise =
                            open_simplex::$noise::<f32, _, $smooth, true>(row.first::<$dimensions>(lane), row.fraction(lane), hashed);
                        let bits = |Jet { value, gradient: [x, y, z] }: Jet<f32>| [value, x, y, z].map(f32::to_bits);
                        let expected = bits(frame::world::<f32, true>(&CONSTANTS.columns, noise));
                        assert_eq!(bits(found.get::<true>(lane)), expected, "{simd:?}, {shape:?}, row {number}, lane {lane}");
                    }
                }
            }
            // In 2D, numbers of patches are even.
            for (simd, patches) in sets.iter().zip(&all) {
                let known = patches.known.iter().filter(|patch| patch.place.is_some()).count();
                assert!(
                    known >= PATCHES / 2 || !cfg!(target_arch = "x86_64") || simd.is_plain::<f32>(),
                    "{simd:?}, {shape:?}: {known} patches"
                );
            }
        }};
    }

    #[test]
    fn noise_from_patches_is_that_of_each_point() {
        compare!(plane, 2, false);
        compare!(plane, 2, true);
        compare!(space, 3, false);
        compare!(space, 3, true);
    }

    /// The places of a patch of eight points differ in their lower three bits, and lie at the corners of its three cells.
    #[test]
    fn eight_points_have_places_of_their_own() {
        for (place, (&i, &j)) in EIGHT[0].iter().zip(&EIGHT[1]).enumerate().take(8) {
            assert_eq!(start::<2>([i, j, 0]) % 8, place as u32);
            assert!([[0, 0], [1, 0], [1, 1]].iter().any(|[x, y]| i.wrapping_sub(*x) < 2 && j.wrapping_sub(*y) < 2));
        }
    }
}
