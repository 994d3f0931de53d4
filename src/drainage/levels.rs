//! Joins the records of a world level by level: those of squares to groups, those of groups to larger groups, up to the world. Then
//! the answers are divided in the same steps downwards.
//!
//! Memory: the records of one group on each level. They are read again on the way down instead of being held, at most once for each
//! level. The largest group is the world, so memory grows with the length of the world's edge. No result depends on the size of groups.

use super::flow;
use super::grade::{self, Behind, Rises};
use super::grid::{Grid, Rect};
use super::group::Group;
use super::passes::{self, Routing, Undrained};
use super::record::{Flow, Through};
use super::square::Passes;

/// Squares along the edge of a group, and groups along the edge of a larger one.
pub(crate) const FACTOR: u32 = 4;

/// The record of a square, or of a group of squares.
pub(crate) trait Record: Sized {
    /// The part of a square in the answer for the world. Its default is that of the whole world.
    type Share: Default;
    type Error;

    fn contract(group: &Group, squares: &[Self]) -> Result<Self, Self::Error>;

    fn expand(group: &Group, squares: &[Self], share: &Self::Share) -> Result<Vec<Self::Share>, Self::Error>;
}

impl Record for Passes {
    type Share = Routing;
    type Error = Undrained;

    fn contract(group: &Group, squares: &[Self]) -> Result<Self, Undrained> {
        passes::contract(group, squares)
    }

    fn expand(group: &Group, squares: &[Self], share: &Routing) -> Result<Vec<Routing>, Undrained> {
        passes::expand(group, squares, share)
    }
}

/// The records are not those of one world.
#[derive(Debug)]
pub(crate) struct Mixed;

impl Record for Flow {
    type Share = Through;
    type Error = Mixed;

    fn contract(group: &Group, squares: &[Self]) -> Result<Self, Mixed> {
        flow::contract(group, squares).ok_or(Mixed)
    }

    fn expand(group: &Group, squares: &[Self], share: &Through) -> Result<Vec<Through>, Mixed> {
        flow::expand(group, squares, share).ok_or(Mixed)
    }
}

impl Record for Rises {
    type Share = Behind;
    type Error = Mixed;

    fn contract(group: &Group, squares: &[Self]) -> Result<Self, Mixed> {
        grade::contract(group, squares).ok_or(Mixed)
    }

    fn expand(group: &Group, squares: &[Self], share: &Behind) -> Result<Vec<Behind>, Mixed> {
        grade::expand(group, squares, share).ok_or(Mixed)
    }
}

/// Why records were not joined.
#[derive(Debug)]
pub(crate) enum Unjoined<J, E> {
    /// They have no answer.
    Records(J),
    /// One could not be read, or a part of the answer could not be stored.
    Storage(E),
}

/// The end of a join.
type Joined<T, E> = Result<(), Unjoined<<T as Record>::Error, E>>;

/// Joins the records of a grid's squares in groups of `factor`². `read` returns the record of a square, and is called at most once for
/// each level. `found` takes the share of each square.
///
/// # Errors
/// Those of [`Record`], of `read` and of `found`.
pub(crate) fn join<T: Record, E>(
    grid: &Grid,
    factor: u32,
    read: &dyn Fn(u32) -> Result<T, E>,
    found: &mut dyn FnMut(u32, T::Share) -> Joined<T, E>,
) -> Joined<T, E> {
    let (mut grids, mut last) = (vec![*grid], grid.coarser(factor));
    while last.count() > 1 {
        grids.push(last);
        last = last.coarser(factor);
    }
    grids.push(last);
    let levels = Levels { grids, read };
    levels.expand(levels.grids.len() - 1, 0, T::Share::default(), found)
}

/// The grids of all levels.
struct Levels<'a, T, E> {
    /// That of the squares first, that of the whole world last.
    grids: Vec<Grid>,
    read: &'a dyn Fn(u32) -> Result<T, E>,
}

impl<T: Record, E> Levels<'_, T, E> {
    /// The record of a square of a level.
    fn record(&self, level: usize, number: u32) -> Result<T, Unjoined<T::Error, E>> {
        let Some(below) = level.checked_sub(1) else { return (self.read)(number).map_err(Unjoined::Storage) };
        let (group, records) = self.group(below, &self.grids[level].square(number))?;
        T::contract(&group, &records).map_err(Unjoined::Records)
    }

    /// Squares of a level, and their records.
    fn group(&self, level: usize, rect: &Rect) -> Result<(Group, Vec<T>), Unjoined<T::Error, E>> {
        let group = Group::new(&self.grids[level], *rect);
        let records = group.numbers().map(|number| self.record(level, number)).collect::<Result<Vec<T>, _>>()?;
        Ok((group, records))
    }

    /// Divides the share of a square of a level.
    fn expand(&self, level: usize, number: u32, share: T::Share, found: &mut dyn FnMut(u32, T::Share) -> Joined<T, E>) -> Joined<T, E> {
        let Some(below) = level.checked_sub(1) else { return found(number, share) };
        let (group, records) = self.group(below, &self.grids[level].square(number))?;
        let shares = T::expand(&group, &records, &share).map_err(Unjoined::Records)?;
        drop((records, share));
        group.numbers().zip(shares).try_for_each(|(number, share)| self.expand(below, number, share, found))
    }
}

/// The shares of all squares of a grid. `read` returns the record of a square.
///
/// # Errors
/// Those of [`Record`] and of `read`.
pub(crate) fn join_all<T: Record, E>(
    grid: &Grid,
    factor: u32,
    read: &dyn Fn(u32) -> Result<T, E>,
) -> Result<Vec<T::Share>, Unjoined<T::Error, E>> {
    let mut shares = Vec::new();
    shares.resize_with(grid.count() as usize, T::Share::default);
    join(grid, factor, read, &mut |number, share| {
        shares[number as usize] = share;
        Ok(())
    })?;
    Ok(shares)
}
