//! The planes of a square, from its directions and the water that enters it.

use super::breach::beds;
use super::down::{Amounts, Downstream, Sums};
use super::grid::OUTLET;
use super::order::height;
use super::rain::{PARTS, Rain};
use super::record::Through;
use super::route::Routed;
use super::strahler::orders;
use super::surface::EXIT;

/// The drainage of each cell of a square, in rows.
pub(crate) struct Planes {
    /// The height of the water's surface, or of the ground where it is dry.
    pub filled: Vec<f32>,
    /// The height of the ground, with passes cut.
    pub beds: Vec<f32>,
    /// Of each cell the direction of its water, or [`OUTLET`].
    pub directions: Vec<u8>,
    /// The number of cells that drain through it, itself included.
    pub areas: Vec<u64>,
    /// The rain on these cells in [parts](super::rain); empty if it is even.
    pub rains: Vec<u64>,
    /// The Strahler orders of streams.
    pub orders: Vec<u8>,
    /// The distance along the water to the outlet, in parts of a cell; see [`STRAIGHT`](super::down::STRAIGHT).
    pub distances: Vec<u64>,
    /// The index of the outlet in the world.
    pub outlets: Vec<u64>,
}

impl Planes {
    /// From the sums down the water, with that which enters the square. Passes of pits below `breach` are cut, as when `through` was
    /// joined.
    pub fn new(routed: &Routed<'_>, down: &Downstream, sums: Sums, through: &Through, breach: f32) -> Self {
        let Routed { square, directions, .. } = routed;
        let (rect, offsets) = (&square.surface.rect, square.surface.offsets());
        let entered = through.enters.iter().map(|entering| (entering.at, entering.donors));
        let orders = orders(rect, down, directions, offsets, entered);
        let Sums { amounts: Amounts { areas, rains }, ends, mut distances } = sums;
        let outlets = beyond(routed, through, &ends, &mut distances);
        let (beds, filled) = if breach > 0.0 { beds(routed, breach, down, through) } else { filled(routed) };
        let directions = directions.iter().map(|code| if *code >= EXIT { code - EXIT } else { *code }).collect();
        Planes { filled, beds, directions, areas, rains, orders, distances, outlets }
    }

    /// The depth of the water at a cell.
    pub fn depth(&self, cell: usize) -> f32 {
        self.filled[cell] - self.beds[cell]
    }

    /// The rain that passes a cell, in units of rain times cells.
    pub fn discharge(&self, cell: usize, rain: Rain) -> f64 {
        match rain {
            Rain::Even(parts) => self.areas[cell] as f64 * (f64::from(parts) / PARTS),
            Rain::Layer => self.rains.get(cell).map_or(0.0, |sum| *sum as f64 / PARTS),
        }
    }

    /// Memory in bytes.
    pub fn bytes(&self) -> u64 {
        let Planes { filled, beds, directions, areas, rains, orders, distances, outlets } = self;
        let small = size_of_val(&filled[..]) + size_of_val(&beds[..]) + size_of_val(&directions[..]) + size_of_val(&orders[..]);
        (small + size_of_val(&areas[..]) + size_of_val(&rains[..]) + size_of_val(&distances[..]) + size_of_val(&outlets[..])) as u64
    }
}

/// The heights, and the levels at which depressions overflow.
fn filled(Routed { square, spills, .. }: &Routed<'_>) -> (Vec<f32>, Vec<f32>) {
    let levels: Vec<f32> = spills.iter().map(|spill| if *spill == 0 { f32::NEG_INFINITY } else { height(*spill) }).collect();
    let heights: Vec<f32> = square.surface.rows().flatten().copied().collect();
    let filled = heights.iter().zip(&square.basins).map(|(height, basin)| height.max(levels[*basin as usize])).collect();
    (heights, filled)
}

/// Adds the distances beyond the ends of the water in the square. Returns the index of each cell's outlet.
fn beyond(Routed { square, directions, .. }: &Routed<'_>, through: &Through, ends: &[u32], distances: &mut [u64]) -> Vec<u64> {
    let (rect, grid) = (&square.surface.rect, square.surface.grid);
    let mut behind = vec![(0_u64, 0_u64); ends.len()];
    for leaving in through.leaves.iter().filter(|leaving| leaving.at < rect.rim()) {
        behind[rect.rim_cell(leaving.at) as usize] = (leaving.distance, leaving.outlet);
    }
    let outlet = |(end, distance): (&u32, &mut u64)| {
        if directions[*end as usize] == OUTLET {
            return grid.index(rect.position(*end));
        }
        let (further, outlet) = behind[*end as usize];
        *distance += further;
        outlet
    };
    ends.iter().zip(distances).map(outlet).collect()
}
