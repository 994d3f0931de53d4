//! Heights from given slopes: each cell is above its receiver by its slope times the length of the step.
//!
//! Rises are whole parts, and a sum that exceeds its type stays at the largest number. No rise is negative, so such sums do not depend
//! on their order. A group of squares has a record of the same kind as one square ([`contract`]), and the heights behind the exits of a
//! group are divided among its squares ([`expand`]).

use super::down::Downstream;
use super::exits::{Exit, Exits, OnRim};
use super::grid::{Grid, OUTLET, Rect, STEPS, is_diagonal};
use super::group::Group;
use super::surface::EXIT;

/// The parts of a unit of height.
const PARTS: f64 = 1_048_576.0;
/// Largest magnitude of the height at which a cell begins to rise from its outlet.
pub(crate) const HIGHEST: f32 = 1e9;

/// A cell of the rim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RimRise {
    /// The direction in which its water leaves the square.
    pub exit: Option<u8>,
    /// The end of its water in the square: the number in the world of an exit or an outlet.
    pub end: u64,
    /// The rise in parts from an outlet to the cell, or to it from the cell behind an exit.
    pub rise: u64,
    /// The foot of the outlet; `None` if the water leaves the square.
    pub foot: Option<i64>,
}

/// The record of a square that other squares need for their heights.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Rises {
    /// The cells of the rim, in its order.
    pub rim: Vec<RimRise>,
}

/// The heights in parts of the cells behind the exits of a square, each with the place of the exit on the rim, ascending.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Behind {
    pub heights: Vec<(u32, i64)>,
}

impl Behind {
    fn of(&self, at: u32) -> Option<i64> {
        self.heights.binary_search_by_key(&at, |(at, _)| *at).ok().map(|nth| self.heights[nth].1)
    }
}

impl OnRim for RimRise {
    fn exit(&self) -> Option<u8> {
        self.exit
    }

    fn end(&self) -> u64 {
        self.end
    }
}

/// The water of a square: layers in its rows, without a halo.
#[derive(Clone, Copy)]
pub(crate) struct Given<'a> {
    /// Its surface.
    pub water: &'a [f32],
    /// Its direction along x and y; 0 at outlets.
    pub flow: [&'a [f32]; 2],
    /// Land rises from this height where an outlet is below it.
    pub sea: Option<f32>,
}

/// The height at an outlet, or the sea, that exceeds [`HIGHEST`], and the position of the outlet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct TooHigh(pub f32, pub [u32; 2]);

/// A square, with the rise of each cell above the end of its water in it.
pub(crate) struct GradedSquare<'a> {
    grid: &'a Grid,
    rect: Rect,
    given: Given<'a>,
    /// Of each cell the direction of its water, with [`EXIT`] if that leads out of the square, or [`OUTLET`].
    directions: Vec<u8>,
    ends: Vec<u32>,
    rises: Vec<u64>,
}

impl<'a> GradedSquare<'a> {
    /// From slopes as height per length, and the length of a straight step. Slopes below 0 count as 0.
    ///
    /// # Errors
    /// An outlet that is too high or too low.
    pub fn new(grid: &'a Grid, rect: Rect, given: Given<'a>, slopes: &[f32], step: f64) -> Result<Self, TooHigh> {
        let directions = directions(&rect, given.flow);
        let mut rises = own_rises(&directions, slopes, step);
        for (cell, _) in (0..).zip(&directions).filter(|(_, code)| **code == OUTLET) {
            let level = given.level(cell as usize);
            if level.abs() > HIGHEST {
                return Err(TooHigh(level, rect.position(cell)));
            }
        }
        let offsets = rect.offsets();
        let mut ends: Vec<u32> = (0..directions.len() as u32).collect();
        for &cell in Downstream::new(&directions, offsets).order.iter().rev() {
            let cell = cell as usize;
            if let Some(offset) = offsets.get(usize::from(directions[cell])) {
                let next = cell.wrapping_add_signed(*offset);
                ends[cell] = ends[next];
                rises[cell] = rises[cell].saturating_add(rises[next]);
            }
        }
        Ok(GradedSquare { grid, rect, given, directions, ends, rises })
    }

    /// Its record.
    pub fn record(&self) -> Rises {
        let rim = (0..self.rect.rim()).map(|at| {
            let cell = self.rect.rim_cell(at) as usize;
            let end = self.ends[cell];
            let foot = (self.directions[end as usize] == OUTLET).then(|| self.given.foot(end as usize));
            let exit = self.directions[cell].checked_sub(EXIT);
            RimRise { exit, end: self.grid.index(self.rect.position(end)), rise: self.rises[cell], foot }
        });
        Rises { rim: rim.collect() }
    }

    /// The heights of its cells, in rows. Outlets keep that of the water.
    pub fn heights(&self, behind: &Behind) -> Vec<f32> {
        let mut feet = vec![0; self.directions.len()];
        for (at, height) in behind.heights.iter().filter(|(at, _)| *at < self.rect.rim()) {
            feet[self.rect.rim_cell(*at) as usize] = *height;
        }
        for (cell, _) in self.directions.iter().enumerate().filter(|(_, code)| **code == OUTLET) {
            feet[cell] = self.given.foot(cell);
        }
        let height = |cell: usize| match self.directions[cell] {
            OUTLET => self.given.water[cell],
            _ => (feet[self.ends[cell] as usize].saturating_add_unsigned(self.rises[cell]) as f64 / PARTS) as f32,
        };
        (0..self.directions.len()).map(height).collect()
    }
}

impl Given<'_> {
    /// The height from which the land at an outlet rises.
    fn level(&self, cell: usize) -> f32 {
        self.water[cell].max(self.sea.unwrap_or(f32::NEG_INFINITY))
    }

    /// That height in parts, rounded up, so that no land is below its outlet.
    fn foot(&self, cell: usize) -> i64 {
        (f64::from(self.level(cell)) * PARTS).ceil() as i64
    }
}

/// The directions of the water in a square.
fn directions(rect: &Rect, [along_x, along_y]: [&[f32]; 2]) -> Vec<u8> {
    let sign = |x: f32| i32::from(x > 0.0) - i32::from(x < 0.0);
    let code = |(cell, (x, y)): (u32, (&f32, &f32))| {
        let step = [*x, *y].map(sign);
        let Some(direction) = STEPS.iter().position(|other| *other == step) else { return OUTLET };
        let direction = direction as u8;
        if rect.neighbour(cell, direction).is_some() { direction } else { direction + EXIT }
    };
    (0..).zip(along_x.iter().zip(along_y)).map(code).collect()
}

/// The rise of each cell above its receiver, in parts.
fn own_rises(directions: &[u8], slopes: &[f32], step: f64) -> Vec<u64> {
    let straight = step * PARTS;
    let lengths = [straight, straight * std::f64::consts::SQRT_2];
    let rise = |(code, slope): (&u8, &f32)| match *code {
        OUTLET => 0,
        // Negative numbers become 0, and large ones the largest.
        code => (f64::from(*slope) * lengths[usize::from(is_diagonal(code % EXIT))]).round() as u64,
    };
    directions.iter().zip(slopes).map(rise).collect()
}

/// The record of a group, from those of its squares; `None` if they are not those of one world.
pub(crate) fn contract(group: &Group, squares: &[Rises]) -> Option<Rises> {
    let exits = Exits::new(group, rims(squares))?;
    let beyond = |exit: &Exit| (0, group.grid.index(exits.position(exit)), None);
    let after = exits.upwards(beyond, |_, entered, next| {
        let (rise, end, foot) = next.unwrap_or((0, entered.end, entered.foot));
        (entered.rise.saturating_add(rise), end, foot)
    });
    let rim = (0..group.rect.rim()).map(|at| {
        let of_square @ (square, place) = group.of_rim(at);
        let cell = &squares[square as usize].rim[place as usize];
        let (rise, end, foot) = exits.end(of_square).map_or((0, cell.end, cell.foot), |exit| after[exit as usize]);
        let own = exits.at(of_square).map(|exit| &exits.all[exit as usize]).filter(|exit| exit.into.is_none());
        RimRise { exit: own.map(|exit| exit.direction), end, rise: cell.rise.saturating_add(rise), foot }
    });
    Some(Rises { rim: rim.collect() })
}

/// The heights behind the exits of each square, from those behind the exits of the group. `None` if the records are not those of one
/// world.
pub(crate) fn expand(group: &Group, squares: &[Rises], behind: &Behind) -> Option<Vec<Behind>> {
    let exits = Exits::new(group, rims(squares))?;
    let beyond = |exit: &Exit| group.rect.rim_at(exits.position(exit)).and_then(|at| behind.of(at));
    let heights = exits.upwards(beyond, |_, entered, next| {
        let foot = next.unwrap_or(entered.foot)?;
        Some(foot.saturating_add_unsigned(entered.rise))
    });
    let mut all = vec![Behind::default(); squares.len()];
    for (exit, height) in exits.all.iter().zip(heights) {
        all[exit.square as usize].heights.push((exit.at, height?));
    }
    Some(all)
}

fn rims(squares: &[Rises]) -> Vec<&[RimRise]> {
    squares.iter().map(|square| &square.rim[..]).collect()
}
