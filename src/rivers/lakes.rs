//! Makes lakes from the samples under water.

use crate::drainage::downward::Planes;
use crate::drainage::forest::Sets;
use crate::drainage::grid::{Grid, Rect, STEPS};
use std::collections::BTreeMap;

/// The part of a lake in one square, or a whole lake: samples under water of one level that touch each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct LakeCells {
    /// The lowest index of its samples.
    pub first: u64,
    /// The number of its samples.
    pub count: u64,
    pub level: f32,
    /// The largest depth.
    pub depth: f32,
}

/// The parts of lakes in the squares so far.
#[derive(Default)]
pub(super) struct LakeParts {
    parts: Vec<LakeCells>,
    /// The part of each sample under water on the rim of a square, by its index.
    rims: BTreeMap<u64, u32>,
}

impl LakeParts {
    /// Adds the lakes of a square. Returns the number of the part of each sample, for [`join`](Self::join).
    pub fn add(&mut self, grid: &Grid, rect: &Rect, planes: &Planes) -> Vec<Option<u64>> {
        let mut numbers: Vec<Option<u64>> = vec![None; rect.cells()];
        let is_water = |cell: u32| planes.depth(cell as usize) > 0.0;
        let mut next = Vec::new();
        for begin in 0..numbers.len() as u32 {
            if !is_water(begin) || numbers[begin as usize].is_some() {
                continue;
            }
            let number = self.parts.len() as u64;
            let first = grid.index(rect.position(begin));
            let level = planes.filled[begin as usize];
            let mut part = LakeCells { first, count: 0, level, depth: 0.0 };
            numbers[begin as usize] = Some(number);
            next.push(begin);
            while let Some(cell) = next.pop() {
                part.count += 1;
                part.depth = part.depth.max(planes.depth(cell as usize));
                let around = neighbours(grid, rect.position(cell)).filter_map(|at| rect.local(at));
                for cell in around.filter(|cell| is_water(*cell) && planes.filled[*cell as usize] == level) {
                    if numbers[cell as usize].is_none() {
                        numbers[cell as usize] = Some(number);
                        next.push(cell);
                    }
                }
            }
            self.parts.push(part);
        }
        for cell in (0..rect.rim()).map(|at| rect.rim_cell(at)) {
            if let Some(number) = numbers[cell as usize] {
                self.rims.insert(grid.index(rect.position(cell)), number as u32);
            }
        }
        numbers
    }

    /// The lakes by the lowest index of their samples, and the lake of each part.
    pub fn join(self, grid: &Grid) -> (BTreeMap<u64, LakeCells>, Vec<u64>) {
        let mut sets = Sets::new(self.parts.len());
        for (index, part) in &self.rims {
            for at in neighbours(grid, grid.position(*index)) {
                let Some(other) = self.rims.get(&grid.index(at)) else { continue };
                let same = self.parts[*part as usize].level == self.parts[*other as usize].level;
                let (own, other) = (sets.head(*part), sets.head(*other));
                if same && own != other {
                    sets.join(own, other);
                }
            }
        }
        let heads: Vec<u32> = (0..self.parts.len() as u32).map(|part| sets.head(part)).collect();
        let mut whole: BTreeMap<u32, LakeCells> = BTreeMap::new();
        for (part, head) in self.parts.iter().zip(&heads) {
            let lake = whole.entry(*head).or_insert(LakeCells { count: 0, ..*part });
            lake.first = lake.first.min(part.first);
            lake.count += part.count;
            lake.depth = lake.depth.max(part.depth);
        }
        let of_parts = heads.iter().map(|head| whole[head].first).collect();
        (whole.into_values().map(|lake| (lake.first, lake)).collect(), of_parts)
    }
}

fn neighbours(grid: &Grid, at: [u32; 2]) -> impl Iterator<Item = [u32; 2]> {
    (0..STEPS.len() as u8).filter_map(move |direction| grid.neighbour(at, direction))
}
