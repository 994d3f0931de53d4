//! Memory that blocks have done with, for those that come after: where blocks are small and passes few, new memory costs more than they do,
//! since the system hands it out page by page.

use crate::cpu::simd::Real;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Bytes that are kept at most.
const MOST: usize = 32 << 20;

/// Planes that nobody uses; clones share them.
#[derive(Clone, Debug, Default)]
pub struct Spare<R>(Arc<Mutex<Vec<Vec<R>>>>);

impl<R: Real> Spare<R> {
    /// A plane of so many numbers, which mean nothing: debug builds see to it that whoever reads them finds that out.
    pub fn plane(&self, count: usize) -> Vec<R> {
        let mut kept = self.kept();
        // Not one much larger, which might leave the engine as somebody's layer.
        let fits = |plane: &Vec<R>| (count..=count + count / 4).contains(&plane.capacity());
        let mut plane = kept.iter().position(fits).map(|i| kept.swap_remove(i)).unwrap_or_default();
        drop(kept);
        if cfg!(debug_assertions) {
            plane.clear();
            plane.resize(count, R::of(f64::NAN));
        } else {
            plane.resize(count, R::default());
        }
        plane
    }

    /// Keeps planes, as many as there is room for.
    pub fn keep(&self, planes: impl Iterator<Item = Vec<R>>) {
        let mut kept = self.kept();
        for plane in planes.filter(|plane| plane.capacity() > 0) {
            if kept.iter().chain([&plane]).map(|plane| plane.capacity() * size_of::<R>()).sum::<usize>() <= MOST {
                kept.push(plane);
            }
        }
    }

    fn kept(&self) -> MutexGuard<'_, Vec<Vec<R>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
