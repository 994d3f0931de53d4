//! Joins the records of a world level by level: those of squares to groups, those of groups to larger groups, up to the world. Then
//! the answers are divided in the same steps downwards.
//!
//! Memory: the records of all groups of squares, and those of the squares of one group. No result depends on the size of groups.

use super::flow;
use super::grid::Grid;
use super::group::Group;
use super::passes::{self, Routing, Undrained};
use super::record::{Flow, Through};
use super::square::Passes;

/// Squares along the edge of a group.
pub(crate) const FACTOR: u32 = 8;

/// The record of a square, or of a group of squares.
pub(crate) trait Record: Clone {
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

/// The answers for all squares of a grid, in groups of `factor`². `record` returns the record of a square, and is called twice for each.
///
/// # Errors
/// Those of [`Record`].
pub(crate) fn join<T: Record>(grid: &Grid, factor: u32, record: &dyn Fn(u32) -> T) -> Result<Vec<T::Share>, T::Error> {
    let groups = grid.coarser(factor);
    let group = |number: u32| {
        let group = Group::new(grid, groups.square(number));
        let records: Vec<T> = group.numbers().map(record).collect();
        (group, records)
    };
    if groups.count() == 1 {
        let (all, records) = group(0);
        return T::expand(&all, &records, &T::Share::default());
    }
    let contract = |number: u32| {
        let (group, records) = group(number);
        T::contract(&group, &records)
    };
    let contracted = (0..groups.count()).map(contract).collect::<Result<Vec<T>, T::Error>>()?;
    let shares = join(&groups, factor, &|number| contracted[number as usize].clone())?;
    drop(contracted);
    let mut found = Vec::new();
    found.resize_with(grid.count() as usize, T::Share::default);
    for (number, share) in (0..).zip(shares) {
        let (group, records) = group(number);
        for (number, share) in group.numbers().zip(T::expand(&group, &records, &share)?) {
            found[number as usize] = share;
        }
    }
    Ok(found)
}
