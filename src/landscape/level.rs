//! A landscape at one resolution.

use super::refine::Chance;
use super::slopes;
use super::{Ground, Laws};
use crate::drainage::down::Downstream;
use crate::drainage::grid::{Grid, OUTLET, PIT, Rect, is_diagonal};
use crate::drainage::group::Group;
use crate::drainage::order::hash;
use crate::drainage::passes::{self, Routing};
use crate::drainage::route::Routed;
use crate::drainage::square::Square;
use crate::drainage::surface::{Outlets, Surface};

/// Areas whose powers are in a table.
const TABLE: usize = 1 << 16;
/// Largest change of a height by chance where a level is refined. It is a share of the step to the next cell at the slope of a
/// cell without inflow.
const ROUGHNESS: f32 = 0.2;
/// The largest number of times that crests are smoothed at a level.
const SMOOTHINGS: f32 = 16.0;
/// The number of cells of drainage area at which smoothing has half its effect.
const CHANNEL: f32 = 50.0;

/// Every 2ⁿ-th cell of a landscape along x and y, from the first.
pub(super) struct Level<'a> {
    laws: &'a Laws,
    /// The n of 2ⁿ.
    pub number: u32,
    pub grid: Grid,
    /// World units between its cells.
    spacing: f32,
    /// U / (K·S) with the slope limit S, at most 10⁶; 0 for outlets.
    steepness: Vec<f32>,
    /// The heights of outlets.
    base: Vec<f32>,
    /// Aᵐ by the number of cells.
    powers: Vec<f32>,
}

/// The way of the water.
struct Water {
    /// Of each cell the direction of its receiver, or [`OUTLET`].
    directions: Vec<u8>,
    /// Differences of indices, by direction.
    offsets: [isize; 8],
    down: Downstream,
}

impl Water {
    /// The receiver of a cell, and whether the step is diagonal; `None` for an outlet.
    fn receiver(&self, cell: usize) -> Option<(usize, bool)> {
        let code = self.directions[cell];
        let offset = self.offsets.get(usize::from(code))?;
        Some((cell.wrapping_add_signed(*offset), is_diagonal(code)))
    }

    /// The number of cells that drain through each cell.
    fn areas(&self) -> Vec<u64> {
        let mut areas = vec![1; self.directions.len()];
        self.down.accumulate(&self.directions, self.offsets, &mut areas);
        areas
    }
}

impl<'a> Level<'a> {
    pub fn new(laws: &'a Laws, ground: &Ground<'_>, number: u32) -> Self {
        let size = ground.size.map(|size| ((size - 1) >> number) + 1);
        let cells = |plane: &[f32]| -> Vec<f32> {
            let rows = plane.chunks_exact(ground.size[0] as usize).step_by(1 << number);
            rows.flat_map(|row| row.iter().step_by(1 << number).copied()).collect()
        };
        let (uplift, erodibility, limit) = (cells(ground.uplift), cells(ground.erodibility), laws.slope as f32);
        let steepness = |(uplift, erodibility): (f32, f32)| {
            let enough = uplift > erodibility * limit * 1e6;
            if uplift <= 0.0 {
                0.0
            } else if enough {
                1e6
            } else {
                (uplift / (erodibility * limit)).max(1e-30)
            }
        };
        let steepness: Vec<f32> = uplift.into_iter().zip(erodibility).map(steepness).collect();
        let spacing = ground.spacing * f64::from(1_u32 << number);
        let powers = (0..=TABLE.min(steepness.len()) as u64).map(|cells| power(cells, spacing, laws.concavity)).collect();
        let grid = Grid { size, edge: size[0].max(size[1]), seed: laws.seed };
        Level { laws, number, grid, spacing: spacing as f32, steepness, base: cells(ground.base), powers }
    }

    fn sea(&self) -> f32 {
        self.laws.sea as f32
    }

    fn power(&self, cells: u64) -> f32 {
        self.powers.get(cells as usize).copied().unwrap_or_else(|| power(cells, f64::from(self.spacing), self.laws.concavity))
    }

    /// The slope of a cell with this drainage area in cells: nearly U / (K·Aᵐ) below the limit, which it does not reach.
    fn slope(&self, cell: usize, area: u64) -> f32 {
        let steep = self.steepness[cell] / self.power(area);
        self.laws.slope as f32 * (steep / (1.0 + steep * steep).sqrt())
    }

    /// The random part of this level, where it is made from a coarser one.
    pub fn chance(&self) -> Chance {
        let displacement = self.laws.meander as f32;
        let heights = (0..self.steepness.len()).map(|cell| self.slope(cell, 1) * (self.spacing * ROUGHNESS)).collect();
        Chance { displacement, heights, seed: hash(self.laws.seed, u64::from(self.number) + 1) }
    }

    /// Heights just above the sea, on which water finds its way by chance.
    pub fn flat(&self) -> Vec<f32> {
        let chance = |index: usize| hash(self.laws.seed, index as u64) as f32 * (1.0 / 4_294_967_296.0);
        (0..self.steepness.len()).map(|index| self.sea() + self.spacing * chance(index)).collect()
    }

    /// Sets the heights of outlets, and raises other cells above the sea.
    pub fn hold_outlets(&self, heights: &mut [f32]) {
        let [width, rows] = self.grid.size.map(|size| size as usize);
        let (sea, lowest) = (self.sea(), self.sea().next_up());
        for (y, row) in heights.chunks_exact_mut(width).enumerate() {
            for (x, height) in row.iter_mut().enumerate() {
                let at = y * width + x;
                *height = if self.steepness[at] == 0.0 {
                    self.base[at].min(sea)
                } else if x == 0 || y == 0 || x + 1 == width || y + 1 == rows {
                    self.base[at].max(lowest)
                } else {
                    height.max(lowest)
                };
            }
        }
    }

    /// Routes water. Water in a pit leaves it by its lowest pass, against the slope.
    fn route(&self, heights: &[f32]) -> Water {
        let rect = Rect { first: [0, 0], size: self.grid.size };
        let outlets = Outlets { edge: true, sea: Some(self.sea()) };
        let surface = Surface::new(&self.grid, rect, heights);
        let offsets = surface.offsets();
        let mut directions = surface.receivers(&outlets);
        if directions.contains(&PIT) {
            let square = Square::new(&self.grid, rect, heights, None, &outlets);
            let routings = passes::expand(&Group::all(&self.grid), &[square.passes()], &Routing::default());
            let routings = routings.expect("invariant: cells at the edge are outlets");
            directions = Routed::new(square, &routings[0]).directions;
        }
        let down = Downstream::new(&directions, offsets);
        Water { directions, offsets, down }
    }

    /// Routes water over the heights, and replaces them by the sums of slopes along it.
    pub fn round(&self, heights: &mut [f32]) {
        let water = self.route(heights);
        let areas = water.areas();
        let lengths = [self.spacing, self.spacing * std::f32::consts::SQRT_2];
        for cell in water.down.order.iter().rev().map(|cell| *cell as usize) {
            let Some((receiver, is_diagonal)) = water.receiver(cell) else { continue };
            let foot = heights[receiver].max(self.sea());
            heights[cell] = (foot + self.slope(cell, areas[cell]) * lengths[usize::from(is_diagonal)]).max(foot.next_up());
        }
    }

    /// Lowers cells that lie higher above a neighbour than the slope limit allows.
    pub fn limit_slopes(&self, heights: &mut [f32]) {
        let rises = [self.spacing, self.spacing * std::f32::consts::SQRT_2].map(|length| length * self.laws.slope as f32);
        slopes::limit(heights, self.grid.size[0] as usize, rises, self.sea());
        self.hold_outlets(heights);
    }

    /// Smooths ground that little water passes.
    pub fn round_crests(&self, heights: &mut Vec<f32>) {
        let cells = self.laws.crest as f32 / self.spacing;
        let times = (cells * cells).min(SMOOTHINGS) as u32;
        if times == 0 {
            return;
        }
        let shares: Vec<f32> = self.route(heights).areas().into_iter().map(|area| 0.5 / (1.0 + area as f32 / CHANNEL)).collect();
        for _ in 0..times {
            *heights = slopes::smoothed(heights, self.grid.size[0] as usize, &shares);
            self.hold_outlets(heights);
        }
    }

    /// Lowers cells below which water would stand, so that there are no pits. Returns how many cells drain through each.
    pub fn carve(&self, heights: &mut [f32]) -> Vec<u64> {
        let water = self.route(heights);
        for cell in water.down.order.iter().map(|cell| *cell as usize) {
            if let Some((receiver, _)) = water.receiver(cell).filter(|(receiver, _)| water.directions[*receiver] != OUTLET) {
                heights[receiver] = heights[receiver].min(heights[cell].next_down());
            }
        }
        water.areas()
    }
}

/// The area of a number of cells, to a power. `libm` has the same bits on every machine.
fn power(cells: u64, spacing: f64, exponent: f64) -> f32 {
    libm::pow(cells as f64 * spacing * spacing, exponent) as f32
}
