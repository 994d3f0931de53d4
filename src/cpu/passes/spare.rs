//! Memory that blocks pass on to later blocks. If blocks are small and passes few, new memory costs more than the passes, since
//! the system provides it page by page.

use crate::cpu::simd::Real;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Most bytes that are kept.
const MOST: usize = 32 << 20;

/// Unused planes, the most recently used one last. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct SparePlanes<R>(Arc<Mutex<VecDeque<Vec<R>>>>);

impl<R: Real> SparePlanes<R> {
    /// A plane of `count` numbers with arbitrary content. The feature `checks` fills it with NaN, to expose code that reads them.
    pub fn plane(&self, count: usize) -> Vec<R> {
        let mut kept = self.kept();
        // Not a much larger one, which might become a layer that the caller keeps.
        let fits = |plane: &Vec<R>| (count..=count + count / 4).contains(&plane.capacity());
        let found = kept.iter().rposition(fits).and_then(|i| kept.remove(i));
        drop(kept);
        let arbitrary = if cfg!(feature = "checks") { R::of(f64::NAN) } else { R::default() };
        // New zeros are not written: the system provides them where a tile first writes, on that tile's thread.
        let Some(mut plane) = found else { return vec![arbitrary; count] };
        if cfg!(feature = "checks") {
            plane.clear();
        }
        plane.resize(count, arbitrary);
        plane
    }

    /// Keeps planes. Those that were unused for the longest time are freed to make space.
    pub fn keep(&self, planes: impl Iterator<Item = Vec<R>>) {
        let bytes = |plane: &Vec<R>| plane.capacity() * size_of::<R>();
        let mut kept = self.kept();
        kept.extend(planes.filter(|plane| (1..=MOST).contains(&bytes(plane))));
        let mut all: usize = kept.iter().map(bytes).sum();
        while all > MOST {
            all -= kept.pop_front().map_or(all, |plane| bytes(&plane));
        }
    }

    fn kept(&self) -> MutexGuard<'_, VecDeque<Vec<R>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn planes_of_sizes_that_nobody_asks_for_make_room() {
        let spare = SparePlanes::<f32>::default();
        let held = |count: usize| spare.kept().iter().filter(|plane| plane.len() == count).count();
        spare.keep((0..64).map(|_| vec![0.0; 1 << 18]));
        assert_eq!(held(1 << 18), MOST >> 20);
        spare.keep([vec![0.0; 90_000], Vec::new(), vec![0.0; MOST]].into_iter());
        assert_eq!((held(1 << 18), held(90_000), spare.kept().len()), ((MOST >> 20) - 1, 1, MOST >> 20));
        assert_eq!(spare.plane(89_000).len(), 89_000);
        assert_eq!(held(90_000), 0);
        // A much larger plane stays in the pool.
        assert_eq!(spare.plane(100_000).len(), 100_000);
        assert_eq!(held(1 << 18), (MOST >> 20) - 1);
    }
}
