//! Groups of squares that are joined. A group is a square of a coarser grid, so groups are joined in their turn.

use super::grid::{Grid, Rect};

/// Squares of a grid within a rectangle: a square of a coarser grid, or the whole world.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Group {
    pub grid: Grid,
    /// Its cells.
    pub rect: Rect,
    /// Column and row of its first square.
    first: [u32; 2],
    /// Its squares along x and y.
    squares: [u32; 2],
}

impl Group {
    /// The squares of `grid` in `rect`, which begins and ends between squares.
    pub fn new(grid: &Grid, rect: Rect) -> Self {
        let first = rect.first.map(|first| first / grid.edge);
        Group { grid: *grid, rect, first, squares: rect.size.map(|size| size.div_ceil(grid.edge)) }
    }

    /// All squares of a world.
    pub fn all(grid: &Grid) -> Self {
        Group::new(grid, Rect { first: [0; 2], size: grid.size })
    }

    /// The numbers of its squares in the grid, in rows.
    pub fn numbers(&self) -> impl Iterator<Item = u32> + use<> {
        let group = *self;
        (0..self.squares[0] * self.squares[1]).map(move |square| group.number(square))
    }

    /// The number in the grid of a square, counted in the group.
    pub fn number(&self, square: u32) -> u32 {
        let [columns, _] = self.squares;
        (self.first[1] + square / columns) * self.grid.squares()[0] + self.first[0] + square % columns
    }

    /// The cells of its squares, in rows.
    pub fn rects(&self) -> Vec<Rect> {
        self.numbers().map(|number| self.grid.square(number)).collect()
    }

    /// The neighbour of a cell in a direction; `None` outside of the group.
    pub fn neighbour(&self, at: [u32; 2], direction: u8) -> Option<[u32; 2]> {
        self.grid.neighbour(at, direction).filter(|next| self.rect.holds(*next))
    }

    /// The square, counted in the group, of a cell on a rim, and its place there.
    pub fn on_rim(&self, at: [u32; 2]) -> (u32, u32) {
        let [x, y] = [0, 1].map(|axis| at[axis] / self.grid.edge - self.first[axis]);
        let square = y * self.squares[0] + x;
        let rect = self.grid.square(self.number(square));
        (square, rect.rim_at(at).expect("invariant: a neighbour in another square lies on its rim"))
    }

    /// The square and the place on its rim of a cell of the group's rim.
    pub fn of_rim(&self, at: u32) -> (u32, u32) {
        self.on_rim(self.rect.rim_position(at))
    }
}
