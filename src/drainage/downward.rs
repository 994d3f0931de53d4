//! The planes of a square, from its directions and from what the world knows of it.

use super::flow::{Downstream, Through, step};
use super::grid::{OUTLET, Rect};
use super::order::height;
use super::route::Routed;
use super::surface::EXIT;

/// What is known of each cell of a square, in rows.
pub(crate) struct Planes {
    /// The height of the water's surface, or of the ground where it is dry.
    pub filled: Vec<f32>,
    /// The depth of the water.
    pub depths: Vec<f32>,
    /// Of each cell the direction of its water, or [`OUTLET`].
    pub directions: Vec<u8>,
    /// How many cells drain through it, itself included.
    pub areas: Vec<u64>,
    /// The distance along the water to the outlet, in parts of a cell; see [`STRAIGHT`](super::flow::STRAIGHT).
    pub distances: Vec<u64>,
    /// The index of the outlet in the world.
    pub outlets: Vec<u64>,
}

impl Planes {
    pub fn new(routed: &Routed<'_>, through: &Through) -> Self {
        let Routed { square, directions, spills } = routed;
        let (rect, offsets) = (&square.surface.rect, square.surface.offsets());
        let down = Downstream::new(directions, offsets);
        let mut areas = vec![1_u64; directions.len()];
        for &(at, area) in &through.enters {
            if at < rect.rim() {
                areas[rect.rim_cell(at) as usize] += area;
            }
        }
        down.accumulate(directions, offsets, &mut areas);
        let (distances, outlets) = upward(&down, directions, offsets, square.surface.grid, rect, through);
        let surfaces: Vec<f32> = spills.iter().map(|spill| if *spill == 0 { f32::NEG_INFINITY } else { height(*spill) }).collect();
        let mut filled = Vec::with_capacity(directions.len());
        let mut depths = Vec::with_capacity(directions.len());
        for (row, basins) in square.surface.rows().zip(square.basins.chunks_exact(rect.size[0] as usize)) {
            let begin = filled.len();
            filled.extend(row.iter().zip(basins).map(|(height, basin)| height.max(surfaces[*basin as usize])));
            depths.extend(filled[begin..].iter().zip(row).map(|(surface, height)| surface - height));
        }
        let directions = directions.iter().map(|code| if *code >= EXIT { code - EXIT } else { *code }).collect();
        Planes { filled, depths, directions, areas, distances, outlets }
    }

    /// Memory in bytes.
    pub fn bytes(&self) -> u64 {
        let Planes { filled, depths, directions, areas, distances, outlets } = self;
        let numbers = [size_of_val(&filled[..]), size_of_val(&depths[..]), size_of_val(&directions[..])].into_iter().sum::<usize>();
        (numbers + size_of_val(&areas[..]) + size_of_val(&distances[..]) + size_of_val(&outlets[..])) as u64
    }
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
