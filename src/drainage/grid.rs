//! The world and its squares: where cells are, and how they are numbered.

use super::order::{Rank, hash};

/// A finite world of cells, cut into squares. The squares are the unit of work. No result depends on their size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Grid {
    /// Cells along x and y.
    pub size: [u32; 2],
    /// Cells along each edge of a square. The last square of a row or column may be smaller.
    pub edge: u32,
    /// The seed of the hash that decides between cells of the same height.
    pub seed: u32,
}

/// A rectangle of cells of the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Rect {
    pub first: [u32; 2],
    pub size: [u32; 2],
}

impl Rect {
    pub fn cells(&self) -> usize {
        self.size[0] as usize * self.size[1] as usize
    }

    /// With the cells within one of it that the world has.
    pub fn with_halo(&self, grid: &Grid) -> Rect {
        let first = self.first.map(|first| first.saturating_sub(1));
        let end = |axis: usize| (self.first[axis] + self.size[axis]).saturating_add(1).min(grid.size[axis]);
        Rect { first, size: [end(0) - first[0], end(1) - first[1]] }
    }

    /// Its values, from those [with its halo](Self::with_halo) in rows.
    pub fn inner<'a>(&self, grid: &Grid, values: &'a [f32]) -> impl Iterator<Item = f32> + 'a {
        let around = self.with_halo(grid);
        let [left, top] = [0, 1].map(|axis| (self.first[axis] - around.first[axis]) as usize);
        let [width, height] = self.size.map(|size| size as usize);
        let rows = values.chunks_exact(around.size[0] as usize).skip(top).take(height);
        rows.flat_map(move |row| row[left..][..width].iter().copied())
    }

    /// The number of the cell at a position of the world, in rows of the rectangle; `None` outside.
    pub fn local(&self, at: [u32; 2]) -> Option<u32> {
        let [x, y] = [0, 1].map(|axis| at[axis].wrapping_sub(self.first[axis]));
        (x < self.size[0] && y < self.size[1]).then(|| y * self.size[0] + x)
    }

    /// The position in the world of a cell.
    pub fn position(&self, local: u32) -> [u32; 2] {
        [self.first[0] + local % self.size[0], self.first[1] + local / self.size[0]]
    }

    /// The direction from a cell to a neighbour, both by their local numbers.
    pub fn direction(&self, from: u32, to: u32) -> u8 {
        let [from, to] = [from, to].map(|local| [local % self.size[0], local / self.size[0]]);
        let [dx, dy] = [0, 1].map(|axis| (to[axis] + 1).wrapping_sub(from[axis]).min(2));
        // Without the middle of the nine.
        let place = (3 * dy + dx) as u8;
        if place > 4 { place - 1 } else { place }
    }

    /// The offset to the local number of a neighbour, for each direction.
    pub fn offsets(&self) -> [isize; 8] {
        let width = self.size[0] as isize;
        [-width - 1, -width, -width + 1, -1, 1, width - 1, width, width + 1]
    }

    /// The neighbour of a cell in a direction, both by their local numbers; `None` outside.
    pub fn neighbour(&self, local: u32, direction: u8) -> Option<u32> {
        let ([x, y], step) = ([local % self.size[0], local / self.size[0]], STEPS.get(usize::from(direction))?);
        let [x, y] = [x.wrapping_add_signed(step[0]), y.wrapping_add_signed(step[1])];
        (x < self.size[0] && y < self.size[1]).then(|| y * self.size[0] + x)
    }

    /// The number of cells on its rim.
    pub fn rim(&self) -> u32 {
        let [width, height] = self.size;
        if width < 2 || height < 2 { width * height } else { 2 * (width + height) - 4 }
    }

    /// Whether it holds a position.
    pub fn holds(&self, at: [u32; 2]) -> bool {
        (0..2).all(|axis| at[axis].wrapping_sub(self.first[axis]) < self.size[axis])
    }

    /// The position in the world of a cell of the rim. The first row comes first, then two cells of each row, then the last row.
    pub fn rim_position(&self, at: u32) -> [u32; 2] {
        let [width, height] = self.size;
        let [x, y] = if at < width || width < 2 {
            [at % width, at / width]
        } else {
            let rest = at - width;
            let (row, right) = (1 + rest / 2, rest % 2);
            if row + 1 < height { [right * (width - 1), row] } else { [rest - 2 * (height - 2), height - 1] }
        };
        [self.first[0] + x, self.first[1] + y]
    }

    /// The place on the rim of a position; `None` inside, and outside of the rectangle.
    pub fn rim_at(&self, at: [u32; 2]) -> Option<u32> {
        let [width, height] = self.size;
        let [x, y] = [0, 1].map(|axis| at[axis].wrapping_sub(self.first[axis]));
        if x >= width || y >= height {
            None
        } else if y == 0 {
            Some(x)
        } else if width < 2 {
            Some(y)
        } else if y + 1 == height {
            Some(width + 2 * (height - 2) + x)
        } else if x == 0 || x + 1 == width {
            Some(width + 2 * (y - 1) + u32::from(x != 0))
        } else {
            None
        }
    }

    /// The local number of a cell of the rim.
    pub fn rim_cell(&self, at: u32) -> u32 {
        let [x, y] = self.rim_position(at);
        (y - self.first[1]) * self.size[0] + (x - self.first[0])
    }

    /// The place on the rim of a cell, by its local number; `None` inside.
    pub fn rim_of(&self, local: u32) -> Option<u32> {
        self.rim_at(self.position(local))
    }
}

impl Grid {
    /// Squares along x and y.
    pub fn squares(&self) -> [u32; 2] {
        self.size.map(|size| size.div_ceil(self.edge))
    }

    /// The number of squares.
    pub fn count(&self) -> u32 {
        let [columns, rows] = self.squares();
        columns * rows
    }

    /// The cells of a square, by its number.
    pub fn square(&self, number: u32) -> Rect {
        let columns = self.squares()[0];
        let first = [number % columns, number / columns].map(|at| at * self.edge);
        Rect { first, size: [0, 1].map(|axis| self.edge.min(self.size[axis] - first[axis])) }
    }

    /// The same world in squares that are `factor` times as large.
    pub fn coarser(&self, factor: u32) -> Grid {
        Grid { edge: self.edge.saturating_mul(factor), ..*self }
    }

    /// The square that holds a position.
    pub fn holder(&self, at: [u32; 2]) -> u32 {
        at[1] / self.edge * self.squares()[0] + at[0] / self.edge
    }

    /// The number of a cell in the rows of the world.
    pub fn index(&self, at: [u32; 2]) -> u64 {
        u64::from(at[1]) * u64::from(self.size[0]) + u64::from(at[0])
    }

    /// The position of a cell, by its number in the rows of the world.
    pub fn position(&self, index: u64) -> [u32; 2] {
        let width = u64::from(self.size[0]);
        [(index % width) as u32, (index / width) as u32]
    }

    /// The rank of a cell.
    pub fn rank(&self, at: [u32; 2], key: u32) -> Rank {
        self.rank_of(self.index(at), key)
    }

    /// The rank of a cell, by its number in the rows of the world.
    pub fn rank_of(&self, index: u64, key: u32) -> Rank {
        Rank { key, hash: hash(self.seed, index), index }
    }

    /// The neighbour in a direction; `None` beyond the edge of the world.
    pub fn neighbour(&self, at: [u32; 2], direction: u8) -> Option<[u32; 2]> {
        let step = STEPS[usize::from(direction)];
        let [x, y] = [0, 1].map(|axis| at[axis].wrapping_add_signed(step[axis]));
        (x < self.size[0] && y < self.size[1]).then_some([x, y])
    }
}

/// The eight directions, in the order of the neighbours' indices. The opposite of direction `d` is `7 - d`.
pub(crate) const STEPS: [[i32; 2]; 8] = [[-1, -1], [0, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [0, 1], [1, 1]];

/// In place of a direction: a pit, whose neighbours are all higher.
pub(crate) const PIT: u8 = 8;
/// In place of a direction: an outlet, where water leaves the world.
pub(crate) const OUTLET: u8 = 9;

/// The direction from a neighbour back.
pub(crate) fn opposite(direction: u8) -> u8 {
    7 - direction
}

/// Whether a direction is diagonal.
pub(crate) fn is_diagonal(direction: u8) -> bool {
    matches!(direction, 0 | 2 | 5 | 7)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rims_are_numbered_once() {
        for size in [[1, 1], [1, 5], [5, 1], [2, 2], [3, 2], [2, 3], [4, 7], [8, 8]] {
            let rect = Rect { first: [3, 4], size };
            let cells: Vec<u32> = (0..rect.rim()).map(|at| rect.rim_cell(at)).collect();
            assert!(cells.is_sorted_by(|a, b| a < b), "{size:?}: {cells:?}");
            for cell in 0..rect.cells() as u32 {
                let at = cells.iter().position(|other| *other == cell).map(|at| at as u32);
                assert_eq!(rect.rim_of(cell), at, "{size:?} {cell}");
                assert_eq!(rect.local(rect.position(cell)), Some(cell));
            }
        }
    }

    #[test]
    fn directions_have_opposites() {
        for d in 0..8 {
            let [[x, y], [a, b]] = [d, opposite(d)].map(|d| STEPS[usize::from(d)]);
            assert_eq!([x + a, y + b], [0, 0]);
            assert_eq!(is_diagonal(d), x != 0 && y != 0);
        }
    }
}
