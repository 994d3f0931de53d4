//! Compares heights from slopes with walks to the outlet, over the whole world in memory.

use super::{CUTS, World, random, squares, worlds};
use crate::drainage::grade::{Behind, Given, GradedSquare, HIGHEST, Rises, TooHigh};
use crate::drainage::grid::{Grid, OUTLET, Rect, STEPS, is_diagonal};
use crate::drainage::levels::{self, Unjoined};
use std::convert::Infallible;

/// The length of a step.
const STEP: f64 = 20.0;

/// The layers of a world from which its heights are computed.
struct Layers<'a> {
    water: &'a [f32],
    directions: &'a [u8],
    slopes: &'a [f32],
    sea: Option<f32>,
}

impl Layers<'_> {
    /// Of each cell the height that a walk to its outlet gives.
    fn walked(&self, world: &World<'_>) -> Vec<f32> {
        let height = |first: usize| {
            let (mut at, mut parts) = (first, 0_i128);
            while self.directions[at] != OUTLET {
                let length = if is_diagonal(self.directions[at]) { STEP * 2.0_f64.sqrt() } else { STEP };
                parts += ((f64::from(self.slopes[at].max(0.0)) * length * 1_048_576.0).round() as i128).min(i128::from(u64::MAX));
                at = world.next(at, self.directions[at]).expect("a receiver");
            }
            if at == first {
                return self.water[at];
            }
            let foot = self.sea.map_or(self.water[at], |sea| sea.max(self.water[at]));
            parts += (f64::from(foot) * 1_048_576.0).ceil() as i128;
            (parts.min(i128::from(i64::MAX)) as f64 / 1_048_576.0) as f32
        };
        (0..self.water.len()).map(height).collect()
    }

    /// By squares, and by groups of `factor`² of them.
    fn by_squares(&self, grid: &Grid, factor: Option<u32>) -> Result<Vec<f32>, TooHigh> {
        let flow: [Vec<f32>; 2] = [0, 1].map(|axis| {
            let along = |code: &u8| STEPS.get(usize::from(*code)).map_or(0.0, |step| step[axis] as f32 * 0.6);
            self.directions.iter().map(along).collect()
        });
        let window = |number: u32, layer: &[f32]| -> Vec<f32> {
            let Rect { first: [x, y], size: [width, height] } = grid.square(number);
            (y..y + height).flat_map(|y| layer[grid.index([x, y]) as usize..][..width as usize].iter().copied()).collect()
        };
        let graded = |number: u32, made: &mut dyn FnMut(GradedSquare<'_>)| {
            let [water, slopes, x, y] = [self.water, self.slopes, &flow[0], &flow[1]].map(|layer| window(number, layer));
            let given = Given { water: &water, flow: [&x, &y], sea: self.sea };
            made(GradedSquare::new(grid, grid.square(number), given, &slopes, STEP)?);
            Ok(())
        };
        let (mut records, mut heights): (Vec<Rises>, _) = (Vec::new(), vec![f32::NAN; self.water.len()]);
        for number in 0..grid.count() {
            graded(number, &mut |square| records.push(square.record()))?;
        }
        let read = |number: u32| Ok::<_, Infallible>(records[number as usize].clone());
        let behind: Vec<Behind> = match levels::join_all(grid, factor.unwrap_or(u32::MAX), &read) {
            Ok(behind) => behind,
            Err(Unjoined::Records(mixed)) => panic!("{mixed:?}"),
            Err(Unjoined::Storage(never)) => match never {},
        };
        for number in 0..grid.count() {
            let rect = grid.square(number);
            graded(number, &mut |square| {
                for (local, height) in (0..).zip(square.heights(&behind[number as usize])) {
                    heights[grid.index(rect.position(local)) as usize] = height;
                }
            })?;
        }
        Ok(heights)
    }
}

/// Slopes of several sizes, and none in places.
fn slopes([width, height]: [u32; 2]) -> Vec<f32> {
    let slope = |[x, y]: [u32; 2]| if random(x / 7, y / 5, 3) < 0.2 { 0.0 } else { random(x, y, 4) * 0.8 - 0.02 };
    (0..height).flat_map(|y| (0..width).map(move |x| slope([x, y]))).collect()
}

#[test]
fn squares_of_any_size_give_the_heights_of_walks_to_the_outlet() {
    for size in [[1, 1], [1, 9], [2, 2], [37, 53], [64, 64], [101, 40]] {
        let masked: Vec<f32> = (0..size[0] * size[1]).map(|cell| if random(cell, 1, 91) < 0.01 { 1.0 } else { 0.0 }).collect();
        for (name, heights, outlets) in worlds(size) {
            for mask in [None, Some(&masked[..])] {
                let grid = |edge| Grid { size, edge, seed: 11 };
                let world = World { grid: &grid(1), heights: &heights, outlets: &outlets, mask };
                let Some(drainage) = world.drainage(None) else { continue };
                let (water, sea): (Vec<f32>, _) = (drainage.filled.iter().map(|bits| f32::from_bits(*bits)).collect(), outlets.sea);
                let layers = Layers { water: &water, directions: &drainage.directions, slopes: &slopes(size), sea };
                let expected = layers.walked(&world);
                for (edge, factor) in CUTS {
                    let found = layers.by_squares(&grid(edge), factor).expect("low outlets");
                    let differs = (0..found.len()).find(|cell| found[*cell].to_bits() != expected[*cell].to_bits());
                    assert_eq!(differs, None, "{name}, {size:?}, in squares of {edge}, groups of {factor:?}");
                }
                for (cell, code) in drainage.directions.iter().enumerate() {
                    let Some(next) = world.next(cell, *code) else { continue };
                    assert!(expected[next] <= expected[cell], "{name}: cell {cell} is below its receiver");
                }
                if mask.is_none() {
                    let traced = squares(&grid(16), &expected, &outlets).expect("the same outlets");
                    let is_dry = |(rect, planes): &(Rect, _)| {
                        let planes: &crate::drainage::downward::Planes = planes;
                        (0..rect.cells()).all(|cell| planes.depth(cell) == 0.0)
                    };
                    assert!(traced.iter().all(is_dry), "{name}: water stands on graded land");
                }
            }
        }
    }
}

#[test]
fn sums_beyond_every_height_stay_at_the_largest_and_high_outlets_are_named() {
    let size = [23, 17];
    let (_, heights, outlets) = worlds(size).into_iter().find(|(name, ..)| *name == "white noise").expect("a world");
    let grid = |edge| Grid { size, edge, seed: 11 };
    let world = World { grid: &grid(1), heights: &heights, outlets: &outlets, mask: None };
    let drainage = world.drainage(None).expect("outlets");
    let layers =
        |water: &[f32], slopes: &[f32]| Layers { water, directions: &drainage.directions, slopes, sea: None }.by_squares(&grid(5), Some(2));
    let mut slopes: Vec<f32> = (0..heights.len()).map(|cell| if cell % 9 == 3 { 1e30 } else { 2.0 }).collect();
    let huge = Layers { water: &heights, directions: &drainage.directions, slopes: &slopes, sea: None };
    let expected = huge.walked(&world);
    for (edge, factor) in CUTS {
        assert_eq!(huge.by_squares(&grid(edge), factor).as_ref(), Ok(&expected), "in squares of {edge}, groups of {factor:?}");
    }
    let largest = expected.iter().filter(|height| **height == (1_u64 << 43) as f32).count();
    assert!((50..expected.len() - 150).contains(&largest), "{largest} of {} sums are too large", expected.len());
    // The centre is not an outlet, the first cell is.
    let centre = 8 * 23 + 11;
    let mut deep = heights.clone();
    deep[centre] = -2.0 * HIGHEST;
    assert!(layers(&deep, &slopes).is_ok());
    deep[0] = -2.0 * HIGHEST;
    assert_eq!(layers(&deep, &slopes), Err(TooHigh(-2.0 * HIGHEST, [0, 0])));
    // Slopes below 0, and those of outlets, have no effect.
    slopes[centre] = 0.0;
    let flat = layers(&heights, &slopes);
    (slopes[centre], slopes[0]) = (-1e30, f32::INFINITY);
    assert_eq!(layers(&heights, &slopes), flat);
}
