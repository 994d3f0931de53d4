//! A finer level from a coarser one.

use crate::drainage::order::hash;

/// The random part of a level.
pub(super) struct Chance {
    /// Largest displacement along an axis, in cells of the finer level. Without it, rivers would follow the eight directions of a
    /// coarse grid.
    pub displacement: f32,
    /// Largest change of each height.
    pub heights: Vec<f32>,
    pub seed: u32,
}

impl Chance {
    /// A number from −1 to 1.
    fn number(&self, of: u32, index: usize) -> f32 {
        hash(self.seed.wrapping_add(of), index as u64) as f32 * (2.0 / 4_294_967_296.0) - 1.0
    }
}

/// Heights on a grid of twice the resolution, whose cell (2x, 2y) lies on cell (x, y). They are linear between cells, at positions
/// that are displaced by chance.
pub(super) fn refine(coarse: &[f32], columns_rows: [u32; 2], finer: [u32; 2], chance: &Chance) -> Vec<f32> {
    let displacements =
        |of| -> Vec<f32> { (0..coarse.len()).map(|index| chance.number(of, index) * (chance.displacement * 0.5)).collect() };
    let displacements = [displacements(0), displacements(1)];
    let [width, rows] = finer.map(|size| size as usize);
    let mut heights = Vec::with_capacity(width * rows);
    for y in 0..rows {
        for x in 0..width {
            let at = [x as f32 * 0.5, y as f32 * 0.5];
            let here = Between::new(at, columns_rows);
            let [dx, dy] = [0, 1].map(|axis| here.mean(&displacements[axis]));
            let height = Between::new([at[0] + dx, at[1] + dy], columns_rows).mean(coarse);
            let cell = y * width + x;
            heights.push(height + chance.number(2, cell) * chance.heights[cell]);
        }
    }
    heights
}

/// A position between four cells, or on the edge.
struct Between {
    /// Index of the cell at or before it along both axes.
    first: usize,
    /// To the next cell along x and y, in indices; 0 at the last.
    steps: [usize; 2],
    /// Its share of the way to the next cell.
    shares: [f32; 2],
}

impl Between {
    fn new(at: [f32; 2], size: [u32; 2]) -> Self {
        let [(x, u, right), (y, v, below)] = [0, 1].map(|axis| {
            let last = size[axis] - 1;
            let within = at[axis].max(0.0).min(last as f32);
            let cell = (within as u32).min(last.saturating_sub(1));
            (cell as usize, within - cell as f32, usize::from(cell < last))
        });
        let width = size[0] as usize;
        Between { first: y * width + x, steps: [right, below * width], shares: [u, v] }
    }

    fn mean(&self, plane: &[f32]) -> f32 {
        let [[a, b], [c, d]] = [0, self.steps[1]].map(|below| [0, self.steps[0]].map(|right| plane[self.first + below + right]));
        let [u, v] = self.shares;
        let [upper, lower] = [a + (b - a) * u, c + (d - c) * u];
        upper + (lower - upper) * v
    }
}
