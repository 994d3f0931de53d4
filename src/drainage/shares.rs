//! The shares of squares in the answer for a world: all in memory, or read group by group when they are needed.

use super::grid::Grid;
use super::group::Group;
use super::levels::FACTOR;
use std::collections::VecDeque;
use std::fmt;
use std::ops::Deref;
use std::sync::{Arc, Mutex, PoisonError};

/// Groups that stay in memory after they were read: those around a tile of 4096² samples.
const KEPT: usize = 16;

/// Reads the shares of a group's squares. An error is a reason, with what is allowed.
pub(crate) type ReadGroup<T> = dyn Fn(u32) -> Result<Vec<T>, String> + Send + Sync;

/// The shares of a world's squares.
pub(crate) enum Shares<T> {
    /// By the numbers of the squares.
    Held(Arc<Vec<T>>),
    Read(Arc<Groups<T>>),
}

/// Shares that are read in groups of [`FACTOR`]² squares.
pub(crate) struct Groups<T> {
    grid: Grid,
    read: Box<ReadGroup<T>>,
    /// Bytes in a temporary file that exists as long as they are read.
    on_disk: u64,
    /// The latest groups by their numbers, the last one first.
    kept: Mutex<VecDeque<(u32, Arc<Vec<T>>)>>,
}

/// The share of a square.
pub(crate) struct Share<T> {
    group: Arc<Vec<T>>,
    at: usize,
}

impl<T> Deref for Share<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.group[self.at]
    }
}

impl<T> Shares<T> {
    /// Shares that are read when they are needed. `on_disk` is the number of their bytes in a temporary file.
    pub fn read(grid: &Grid, read: Box<ReadGroup<T>>, on_disk: u64) -> Self {
        Shares::Read(Arc::new(Groups { grid: *grid, read, on_disk, kept: Mutex::default() }))
    }

    /// The share of a square; `None` for a number that no square has.
    ///
    /// # Errors
    /// The reason why it cannot be read.
    pub fn of(&self, square: u32) -> Result<Option<Share<T>>, String> {
        let (group, at) = match self {
            Shares::Held(all) => (Arc::clone(all), Some(square as usize)),
            Shares::Read(groups) => groups.of(square)?,
        };
        Ok(at.filter(|at| *at < group.len()).map(|at| Share { group, at }))
    }

    /// All of them; `None` if they are read when they are needed.
    pub fn held(&self) -> Option<&[T]> {
        match self {
            Shares::Held(all) => Some(all),
            Shares::Read(_) => None,
        }
    }

    /// Bytes in a temporary file.
    pub fn on_disk(&self) -> u64 {
        match self {
            Shares::Held(_) => 0,
            Shares::Read(groups) => groups.on_disk,
        }
    }

    /// A sum over all shares in memory.
    pub fn sum(&self, of: impl Fn(&T) -> usize) -> usize {
        match self {
            Shares::Held(all) => all.iter().map(of).sum(),
            Shares::Read(groups) => {
                let kept = groups.kept.lock().unwrap_or_else(PoisonError::into_inner);
                kept.iter().flat_map(|(_, group)| group.iter()).map(of).sum()
            }
        }
    }
}

impl<T> Groups<T> {
    /// The group of a square, and its place there.
    fn of(&self, square: u32) -> Result<(Arc<Vec<T>>, Option<usize>), String> {
        let groups = self.grid.coarser(FACTOR);
        let number = groups.holder(self.grid.square(square).first);
        let at = Group::new(&self.grid, groups.square(number)).numbers().position(|other| other == square);
        // Held while a group is read, so that threads do not read it twice.
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let found = match kept.iter().position(|(of, _)| *of == number).and_then(|place| kept.remove(place)) {
            Some((_, found)) => found,
            None => Arc::new((self.read)(number)?),
        };
        kept.push_front((number, Arc::clone(&found)));
        kept.truncate(KEPT);
        Ok((found, at))
    }
}

impl<T> Clone for Shares<T> {
    fn clone(&self) -> Self {
        match self {
            Shares::Held(all) => Shares::Held(Arc::clone(all)),
            Shares::Read(groups) => Shares::Read(Arc::clone(groups)),
        }
    }
}

impl<T> Default for Shares<T> {
    fn default() -> Self {
        Shares::Held(Arc::default())
    }
}

impl<T> From<Vec<T>> for Shares<T> {
    fn from(all: Vec<T>) -> Self {
        Shares::Held(Arc::new(all))
    }
}

impl<T: PartialEq> PartialEq for Shares<T> {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Shares::Held(a), Shares::Held(b)) => a == b,
            (Shares::Read(a), Shares::Read(b)) => Arc::ptr_eq(a, b),
            _ => false,
        }
    }
}

impl<T: fmt::Debug> fmt::Debug for Shares<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Shares::Held(all) => f.debug_tuple("Held").field(all).finish(),
            Shares::Read(_) => f.write_str("Read"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU32, Ordering};

    #[test]
    fn a_square_is_found_in_its_group_and_few_groups_are_kept() {
        let grid = Grid { size: [71, 39], edge: 2, seed: 0 };
        let groups = grid.coarser(FACTOR);
        assert!(groups.count() as usize > KEPT);
        let reads = Arc::new(AtomicU32::new(0));
        let counted = Arc::clone(&reads);
        let shares = Shares::read(
            &grid,
            Box::new(move |number| {
                counted.fetch_add(1, Ordering::Relaxed);
                Ok(Group::new(&grid, groups.square(number)).numbers().collect())
            }),
            0,
        );
        for square in 0..grid.count() {
            assert_eq!(shares.of(square).expect("read").as_deref(), Some(&square));
            assert!(shares.sum(|_| 1) <= KEPT * (FACTOR * FACTOR) as usize);
        }
        // A row of groups is kept, so each group is read once.
        assert!(groups.squares()[0] as usize <= KEPT);
        assert_eq!(reads.load(Ordering::Relaxed), groups.count());
        let missing = Shares::<u32>::read(&grid, Box::new(|_| Err("missing".to_owned())), 0);
        assert_eq!(missing.of(3).err(), Some("missing".to_owned()));
        assert!(Shares::<u32>::default().of(0).expect("held").is_none());
    }
}
