//! Search for room in a cell: for positions that no disk covers, box by box.
//!
//! A box is divided into sixteen parts, and a dart is thrown into each. If none succeeds, the parts that no single disk covers are
//! searched, down to single positions. So a cell that stays empty has no room (Gamito and Maddock 2009 use a quadtree in the same
//! way). A few subdivisions suffice where several disks together cover a part.

use crate::cpu::lib::hash::hash_3;
use crate::cpu::simd::number::{self, Bits, Number};
use crate::cpu::simd::real::BitsOf;
use crate::cpu::simd::vector::{SimdVector, Token};
use crate::cpu::simd::{Dispatch, Real, for_vectors, vectorised};

/// Number of bits of a position inside a cell.
pub(super) const FINE: u32 = 24;
/// Number of parts of a box, and the bits that number them along an axis.
const PARTS: usize = 16;
const ALONG: u32 = 2;
/// The distance is the diagonal of a cell: its square is twice that of the edge.
const LEAST: i64 = 2 << (2 * FINE);
/// Uncertainty of f32: its squares are off by less than 2⁻²⁰ of themselves.
const TOO_NEAR: f32 = LEAST as f32 * (1.0 - 1e-6);
const FAR_ENOUGH: f32 = LEAST as f32 * (1.0 + 1e-6);

const EDGE: i32 = 1 << FINE;

/// The points near a cell, each of which covers part of it with a disk.
pub(super) struct Near {
    /// Relative to the cell's corner.
    points: [[i32; 2]; MOST],
    count: usize,
    /// One bit per part of the cell that no single disk covers.
    open: u32,
}

/// Maximum number of neighbouring cells that affect a cell, with one point each.
const MOST: usize = 24;

impl Near {
    pub fn none() -> Self {
        Near { points: [[0; 2]; MOST], count: 0, open: (1 << PARTS) - 1 }
    }

    pub fn add(&mut self, point: [i32; 2]) {
        let square = |x: i32| x as f32 * x as f32;
        let [x, y] = point.map(|x| square((-x).max(x - (EDGE - 1)).max(0)));
        if x + y >= FAR_ENOUGH {
            return;
        }
        self.points[self.count] = point;
        self.count += 1;
        const PART: i32 = EDGE >> ALONG;
        // From the point to the farthest position in each column, and in each row, of parts.
        let [across, along] =
            point.map(|x| [0, 1, 2, 3].map(|part| square((part * PART - x).abs().max(((part + 1) * PART - 1 - x).abs()))));
        for (row, along) in along.iter().enumerate() {
            let mut columns = 0;
            for (column, across) in across.iter().enumerate() {
                columns |= u32::from(across + along < TOO_NEAR) << column;
            }
            self.open &= !(columns << (row << ALONG));
        }
    }

    /// Whether there is certainly no room, regardless of later points.
    pub fn is_full(&self) -> bool {
        self.open == 0
    }
}

/// A search for room in a cell.
pub(super) struct Gap<'a> {
    /// With one lane per part of a box.
    simd: Dispatch,
    cell: [u32; 2],
    seed: u32,
    near: &'a [[i32; 2]],
    /// Boxes that have been divided.
    boxes: u32,
}

/// Properties of the parts of a box.
struct BoxParts {
    /// The position of each part's dart.
    darts: [[u32; PARTS]; 2],
    /// Squared distance of the dart from the nearest point.
    nearest: [f32; PARTS],
    /// The smallest squared distance between a point and the farthest position in the part.
    covered: [f32; PARTS],
}

impl<'a> Gap<'a> {
    pub fn new(simd: Dispatch, (cell, seed): ([u32; 2], u32), near: &'a Near) -> Self {
        Gap { simd: simd.row::<f32>(PARTS), cell, seed, near: &near.points[..near.count], boxes: 0 }
    }

    /// A position in the cell that is far enough from all points; `None` if there is no such position.
    pub fn place(mut self) -> Option<[u32; 2]> {
        self.search([0; 2], FINE)
    }

    /// Searches a box with this many bits along each axis.
    fn search(&mut self, corner: [u32; 2], bits: u32) -> Option<[u32; 2]> {
        let bits = bits - ALONG;
        let salt = self.boxes * PARTS as u32;
        self.boxes += 1;
        let parts = self.parts(corner, bits, salt);
        // The first part varies between cells.
        let start = hash_3(self.cell[0], self.cell[1], !salt, self.seed) as usize;
        let order = (0..PARTS).map(|i| (start + 5 * i) % PARTS);
        if let Some(part) = order.clone().find(|&part| self.sticks(&parts, part)) {
            return Some([0, 1].map(|a| parts.darts[a][part]));
        }
        if bits == 0 {
            // Every position has had its dart.
            return None;
        }
        let open = order.filter(|&part| parts.covered[part] >= TOO_NEAR).map(|part| part as u32);
        let mut corners = open.map(|part| [corner[0] + ((part & 3) << bits), corner[1] + ((part >> ALONG) << bits)]);
        corners.find_map(|corner| self.search(corner, bits))
    }

    fn sticks(&self, parts: &BoxParts, part: usize) -> bool {
        let nearest = parts.nearest[part];
        let squared = |x: i32, y: i32| i64::from(x) * i64::from(x) + i64::from(y) * i64::from(y);
        let [x, y] = [0, 1].map(|a| parts.darts[a][part] as i32);
        nearest > TOO_NEAR && (nearest > FAR_ENOUGH || self.near.iter().all(|point| squared(point[0] - x, point[1] - y) >= LEAST))
    }

    fn parts(&self, corner: [u32; 2], bits: u32, salt: u32) -> BoxParts {
        let mut parts = BoxParts { darts: [[0; PARTS]; 2], nearest: [0.0; PARTS], covered: [0.0; PARTS] };
        vectorised!(f32, self.simd, plain: true, wide: false, token => {
            for_vectors!(f32, token, at => self.some_parts(token, at, (corner, bits, salt), &mut parts));
        });
        parts
    }

    /// The parts of a vector, beginning with one of them.
    #[inline(always)]
    fn some_parts<T: Token>(&self, token: T, at: usize, (corner, bits, salt): ([u32; 2], u32, u32), parts: &mut BoxParts) {
        let splat = |x| Vector::<T>::splat_bits(token, x);
        let real = |x| Vector::<T>::splat(token, x);
        let part = Vector::<T>::load_bits(token, &NUMBERS, at);
        let hash = hash_3(splat(self.cell[0]), splat(self.cell[1]), part.plus(splat(salt + 1)), splat(self.seed));
        let inside = |half: Words<T>| if bits > 16 { half << (bits - 16) } else { half >> (16 - bits) };
        let low = [(part & splat(3)) << bits, (part >> ALONG) << bits];
        let low = [low[0].plus(splat(corner[0])), low[1].plus(splat(corner[1]))];
        let dart = [low[0].plus(inside(hash & splat(0xffff))), low[1].plus(inside(hash >> 16))];
        let half = real(((1_u32 << bits) - 1) as f32 * 0.5);
        let (mut nearest, mut covered) = (real(f32::MAX), real(f32::MAX));
        for &[x, y] in self.near {
            let (x, y) = (splat(x as u32), splat(y as u32));
            let (dx, dy) = (Vector::<T>::of_signed(dart[0].minus(x)), Vector::<T>::of_signed(dart[1].minus(y)));
            nearest = number::min(nearest, dx * dx + dy * dy);
            let (mx, my) = (Vector::<T>::of_signed(low[0].minus(x)) + half, Vector::<T>::of_signed(low[1].minus(y)) + half);
            let (fx, fy) = (mx.abs() + half, my.abs() + half);
            covered = number::min(covered, fx * fx + fy * fy);
        }
        nearest.store(&mut parts.nearest, at);
        covered.store(&mut parts.covered, at);
        dart[0].store(&mut parts.darts[0], at);
        dart[1].store(&mut parts.darts[1], at);
    }
}

type Vector<T> = <f32 as Real>::Vector<T>;
type Words<T> = BitsOf<f32, T>;

/// The numbers of the parts.
const NUMBERS: [u32; PARTS] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];
