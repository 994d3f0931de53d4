//! The points that OpenSimplex2 adds, and their gradients. Gradients are hashed for each sample, or read from a patch of the lattice
//! whose points were hashed once for all samples of a vector.

use crate::cpu::lib::gradient::{gradient_2, gradient_3, number_2, number_3, numbered_2, numbered_3, permutations, sixteen};
use crate::cpu::lib::point::HashKey;
use crate::cpu::simd::lanes::Aligned;
use crate::cpu::simd::number::Bits;
use crate::cpu::simd::permute::{Eight, Lookup};
use crate::cpu::simd::unrolled;

/// 1 / the largest sum over the points of each point's best gradient, reduced for rounding and for the proof.
pub const SCALES: [[f64; 2]; 3] = [[99.2, 18.19], [42.3, 11.86], [46.0, 9.3]];

const DIRECTIONS_2: [[Eight; 2]; 2] = [sixteen([SCALES[0][0]; 2]), sixteen([SCALES[0][1]; 2])];
const DIRECTIONS_3: [[Eight; 3]; 2] = [permutations([SCALES[1][0]; 3]), permutations([SCALES[1][1]; 3])];

/// One of the two cubic lattices of the body-centred lattice. In 2D all points are corners.
#[derive(Clone, Copy)]
pub enum Cubic<M> {
    /// Whole coordinates.
    Corners,
    /// Whole coordinates plus one half.
    Centres,
    /// The corners where the mask holds, else the centres.
    CornersIf(M),
}

/// The points of a lattice, with their gradients.
pub trait Points<R: Lookup, const DIMENSIONS: usize>: Copy {
    /// A point in each lane.
    type Point: Copy;
    /// The point with these coordinates, less the half of centres.
    fn at(self, of: Cubic<R::Mask>, coordinates: [R::Bits; DIMENSIONS]) -> Self::Point;
    /// A number of steps along an axis: `then` where the mask holds.
    fn steps(axis: usize, otherwise: i32, then: i32, like: R::Bits, mask: R::Mask) -> R::Bits;
    /// The point this number of steps away along an axis.
    fn moved(point: Self::Point, axis: usize, steps: R::Bits) -> Self::Point;
    /// `t` where the mask holds, and `f` elsewhere.
    fn select(f: Self::Point, t: Self::Point, mask: R::Mask) -> Self::Point;
    /// The gradient of a point.
    fn gradient(self, of: Cubic<R::Mask>, point: Self::Point) -> [R; DIMENSIONS];
}

/// Points that are hashed where they are needed, by their coordinates.
#[derive(Clone, Copy)]
pub struct HashedPoints<B, const SMOOTH: bool, const PERIODIC: bool> {
    pub key: HashKey<B, PERIODIC>,
}

impl<R: Lookup, const DIMENSIONS: usize, const SMOOTH: bool, const PERIODIC: bool> Points<R, DIMENSIONS>
    for HashedPoints<R::Bits, SMOOTH, PERIODIC>
{
    type Point = [R::Bits; DIMENSIONS];

    #[inline(always)]
    fn at(self, _: Cubic<R::Mask>, coordinates: [R::Bits; DIMENSIONS]) -> [R::Bits; DIMENSIONS] {
        coordinates
    }

    #[inline(always)]
    fn steps(_: usize, otherwise: i32, then: i32, like: R::Bits, mask: R::Mask) -> R::Bits {
        like.choose(otherwise as u32, then as u32, mask)
    }

    #[inline(always)]
    fn moved(mut point: [R::Bits; DIMENSIONS], axis: usize, steps: R::Bits) -> [R::Bits; DIMENSIONS] {
        point[axis] = point[axis].plus(steps);
        point
    }

    #[inline(always)]
    fn select(f: [R::Bits; DIMENSIONS], mut t: [R::Bits; DIMENSIONS], mask: R::Mask) -> [R::Bits; DIMENSIONS] {
        unrolled!(axis in 0..DIMENSIONS => {
            t[axis] = R::Bits::select(f[axis], t[axis], mask);
        });
        t
    }

    #[inline(always)]
    fn gradient(self, of: Cubic<R::Mask>, point: [R::Bits; DIMENSIONS]) -> [R; DIMENSIONS] {
        let h = self.hash(of, point);
        if DIMENSIONS == 2 {
            components(&gradient_2::<R>(h, &DIRECTIONS_2[usize::from(SMOOTH)]))
        } else {
            components(&gradient_3::<R>(h, &DIRECTIONS_3[usize::from(SMOOTH)]))
        }
    }
}

impl<B: Bits, const SMOOTH: bool, const PERIODIC: bool> HashedPoints<B, SMOOTH, PERIODIC> {
    #[inline(always)]
    fn hash<const DIMENSIONS: usize>(self, of: Cubic<B::Mask>, point: [B; DIMENSIONS]) -> B {
        let (x, y) = (point[0], point[1]);
        if DIMENSIONS == 2 {
            return self.key.cubic([x.minus(y), x.plus(y)]);
        }
        // Three times the half of a centre, twice.
        let halves = match of {
            Cubic::Corners => x.constant(0),
            Cubic::Centres => x.constant(3),
            Cubic::CornersIf(mask) => x.choose(3, 0, mask),
        };
        let (z, sum) = (point[2], x.plus(y));
        let layer = sum.plus(z);
        self.key.cubic([x.minus(y), sum.minus(z).minus(z), layer.plus(layer).plus(halves)])
    }

    /// The number of the direction of a point's gradient, in a byte.
    #[inline(always)]
    pub fn number<const DIMENSIONS: usize>(self, of: Cubic<B::Mask>, point: [B; DIMENSIONS]) -> B {
        let h = self.hash(of, point);
        if DIMENSIONS == 2 { number_2(h) } else { number_3(h) }
    }
}

/// The components of a gradient as an array.
#[inline(always)]
fn components<R: Copy, const DIMENSIONS: usize>(gradient: &[R]) -> [R; DIMENSIONS] {
    let mut all = [gradient[0]; DIMENSIONS];
    unrolled!(axis in 1..DIMENSIONS => {
        all[axis] = gradient[axis];
    });
    all
}

/// Room for the points of a patch: a number in two registers of the widest instruction set.
pub const PATCH: usize = 32;
/// Points of a patch along each axis, in 2D and 3D.
pub const EXTENTS: [usize; 2] = [5, 3];

/// The form of a patch that vectors read.
#[derive(Clone, Copy, PartialEq)]
pub enum PatchForm {
    /// Numbers along each axis, by permutations of two registers.
    Whole,
    /// Numbers along each axis, by permutations of a register of eight. Such a patch covers three cells: one, the next one along
    /// the first axis, and the next one of that along the second axis.
    Eight,
    /// The numbers of directions, by permutations of bytes.
    Bytes,
}

/// The form for vectors like this one; `None` if they hash each point themselves.
#[inline(always)]
pub fn form<R: Lookup>(like: R::Bits, dimensions: usize, smooth: bool) -> Option<PatchForm> {
    match (R::has_signed8(like), R::has_bytes(like)) {
        (true, _) => Some(PatchForm::Whole),
        (_, true) if dimensions == 2 && !smooth => Some(PatchForm::Eight),
        (_, true) => Some(PatchForm::Bytes),
        _ => None,
    }
}

/// The gradients of the points of a patch: of corners, then of centres.
pub struct PatchGradients<E> {
    /// Those along each axis, unless the form is [`PatchForm::Bytes`].
    pub along: [[Aligned<E, PATCH>; 3]; 2],
    /// The numbers of their directions, if it is.
    pub numbers: [Aligned<u8, PATCH>; 2],
}

/// The points of a patch, by their places in it.
#[derive(Clone, Copy)]
pub struct Patch<'a, R: Lookup, const SMOOTH: bool> {
    pub gradients: &'a PatchGradients<R::Entry>,
    /// The [`start`] of the corners, and of the centres.
    pub start: [R::Bits; 2],
}

/// The places between neighbours along an axis. In [`PatchForm::Eight`], the lower three bits of places matter.
const fn stride(dimensions: usize, axis: usize) -> i32 {
    (EXTENTS[dimensions - 2] as i32).pow(axis as u32)
}

/// The place that a point has if the patch begins at 0, given the coordinates of the first point.
#[inline(always)]
pub fn start<const DIMENSIONS: usize>(first: [u32; 3]) -> u32 {
    let mut place = first[0];
    unrolled!(axis in 1..DIMENSIONS => {
        place = place.wrapping_add(first[axis].wrapping_mul(stride(DIMENSIONS, axis) as u32));
    });
    place
}

impl<R: Lookup, const DIMENSIONS: usize, const SMOOTH: bool> Points<R, DIMENSIONS> for Patch<'_, R, SMOOTH> {
    type Point = R::Bits;

    #[inline(always)]
    fn at(self, of: Cubic<R::Mask>, coordinates: [R::Bits; DIMENSIONS]) -> R::Bits {
        let mut place = coordinates[0];
        unrolled!(axis in 1..DIMENSIONS => {
            place = place.plus(coordinates[axis].times(stride(DIMENSIONS, axis) as u32));
        });
        place.minus(self.start[usize::from(matches!(of, Cubic::Centres))])
    }

    #[inline(always)]
    fn steps(axis: usize, otherwise: i32, then: i32, like: R::Bits, mask: R::Mask) -> R::Bits {
        let by = stride(DIMENSIONS, axis);
        like.choose((otherwise * by) as u32, (then * by) as u32, mask)
    }

    #[inline(always)]
    fn moved(point: R::Bits, _: usize, steps: R::Bits) -> R::Bits {
        point.plus(steps)
    }

    #[inline(always)]
    fn select(f: R::Bits, t: R::Bits, mask: R::Mask) -> R::Bits {
        R::Bits::select(f, t, mask)
    }

    #[inline(always)]
    fn gradient(self, of: Cubic<R::Mask>, place: R::Bits) -> [R; DIMENSIONS] {
        let PatchGradients { along: [corners, centres], numbers } = self.gradients;
        let form = form::<R>(place, DIMENSIONS, SMOOTH);
        if form == Some(PatchForm::Bytes) {
            let [corners, centres] = numbers;
            let number = match of {
                Cubic::Corners => R::byte(corners, place),
                Cubic::Centres => R::byte(centres, place),
                Cubic::CornersIf(mask) => R::Bits::select(R::byte(centres, place), R::byte(corners, place), mask),
            };
            return if DIMENSIONS == 2 {
                components(&numbered_2::<R>(number, &DIRECTIONS_2[usize::from(SMOOTH)]))
            } else {
                components(&numbered_3::<R>(number, &DIRECTIONS_3[usize::from(SMOOTH)]))
            };
        }
        let mut all = [R::among(&corners[0], place); DIMENSIONS];
        unrolled!(axis in 0..DIMENSIONS => {
            all[axis] = match of {
                // In 2D all points are corners.
                _ if form == Some(PatchForm::Eight) => R::eight(&corners[axis], place),
                Cubic::Corners => R::among(&corners[axis], place),
                Cubic::Centres => R::among(&centres[axis], place),
                Cubic::CornersIf(mask) => R::select(R::among(&centres[axis], place), R::among(&corners[axis], place), mask),
            };
        });
        all
    }
}
