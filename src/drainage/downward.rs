//! The planes of a square, from its directions and the water that enters it.

use super::breach::beds;
use super::down::{Downstream, step};
use super::flow::rains;
use super::grid::{OUTLET, Rect};
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
    /// Passes of pits below `breach` are cut, as when `through` was joined. `rain` falls on the square with its halo.
    pub fn new(routed: &Routed<'_>, through: &Through, breach: f32, rain: Option<&[f32]>) -> Self {
        let Routed { square, directions, .. } = routed;
        let (rect, offsets) = (&square.surface.rect, square.surface.offsets());
        let down = Downstream::new(directions, offsets);
        let mut areas = vec![1_u64; directions.len()];
        for entering in through.enters.iter().filter(|entering| entering.at < rect.rim()) {
            areas[rect.rim_cell(entering.at) as usize] += entering.area;
        }
        down.accumulate(directions, offsets, &mut areas);
        let rains = rain.map_or_else(Vec::new, |rain| rains(routed, &down, rain, &through.enters));
        let entered = through.enters.iter().map(|entering| (entering.at, entering.donors));
        let orders = orders(rect, &down, directions, offsets, entered);
        let (distances, outlets) = upward(&down, directions, offsets, square.surface.grid, rect, through);
        let (beds, filled) = if breach > 0.0 { beds(routed, breach, &down, through) } else { filled(routed) };
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

/// Of each cell the distance to the outlet and its index.
fn upward(
    down: &Downstream,
    directions: &[u8],
    offsets: [isize; 8],
    grid: &super::grid::Grid,
    rect: &Rect,
    through: &Through,
) -> (Vec<u64>, Vec<u64>) {
    let (mut distances, mut outlets) = (vec![0_u64; directions.len()], vec![0_u64; directions.len()]);
    for leaving in through.leaves.iter().filter(|leaving| leaving.at < rect.rim()) {
        let local = rect.rim_cell(leaving.at) as usize;
        (distances[local], outlets[local]) = (leaving.distance, leaving.outlet);
    }
    for &cell in down.order.iter().rev() {
        let (cell, code) = (cell as usize, directions[cell as usize]);
        if let Some(offset) = offsets.get(usize::from(code)) {
            let next = cell.wrapping_add_signed(*offset);
            (distances[cell], outlets[cell]) = (distances[next] + step(code), outlets[next]);
        } else if code == OUTLET {
            outlets[cell] = grid.index(rect.position(cell as u32));
        }
    }
    (distances, outlets)
}
