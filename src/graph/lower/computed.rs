//! A cache of expensive curves across lowerings: a noise may be lowered for every frame, but its curves change only with the
//! numbers they are computed from.
//!
//! Lookup compares those numbers bit by bit, which takes about 1 ns each. The cache is limited to [`MOST`] numbers, about 2 MiB;
//! the least recently used curve goes first, and a curve larger than the cache is not stored. Threads that need the same curve at
//! the same time may both compute it, with equal results.

use crate::program::SplinePoint;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

/// Maximum number of cached numbers, including the inputs of a curve and four per point.
const MOST: usize = 1 << 18;

/// Kinds of curves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ComputedKind {
    /// The distribution of a sum of sines, with each amplitude repeated.
    Sines(u32),
    /// From measured quantiles to probabilities.
    Quantiles,
    /// From probabilities to the values of a table.
    Table,
}

/// A curve and the numbers that it was computed from.
struct CachedCurve {
    kind: ComputedKind,
    numbers: Box<[f64]>,
    curve: Arc<[SplinePoint]>,
}

impl CachedCurve {
    fn size(&self) -> usize {
        self.numbers.len() + 4 * self.curve.len()
    }

    fn is_for(&self, kind: ComputedKind, numbers: &[f64]) -> bool {
        let same = |(a, b): (&f64, &f64)| a.to_bits() == b.to_bits();
        self.kind == kind && self.numbers.len() == numbers.len() && self.numbers.iter().zip(numbers).all(same)
    }
}

/// Curves, the most recently used last.
#[derive(Default)]
struct Computed {
    entries: VecDeque<CachedCurve>,
    size: usize,
}

impl Computed {
    fn find(&mut self, kind: ComputedKind, numbers: &[f64]) -> Option<Arc<[SplinePoint]>> {
        let at = self.entries.iter().rposition(|entry| entry.is_for(kind, numbers))?;
        let entry = self.entries.remove(at)?;
        let curve = Arc::clone(&entry.curve);
        self.entries.push_back(entry);
        Some(curve)
    }

    fn keep(&mut self, entry: CachedCurve) {
        if entry.size() > MOST || self.entries.iter().any(|other| other.is_for(entry.kind, &entry.numbers)) {
            return;
        }
        self.size += entry.size();
        self.entries.push_back(entry);
        while self.size > MOST {
            let oldest = self.entries.pop_front();
            self.size -= oldest.map_or(self.size, |entry| entry.size());
        }
    }
}

/// The curve of this kind for these numbers, from the cache or by `compute`. It depends on `numbers` only.
pub(crate) fn computed(kind: ComputedKind, numbers: &[f64], compute: impl FnOnce() -> Vec<SplinePoint>) -> Arc<[SplinePoint]> {
    static COMPUTED: Mutex<Computed> = Mutex::new(Computed { entries: VecDeque::new(), size: 0 });
    computed_in(&COMPUTED, kind, numbers, compute)
}

fn computed_in(
    all: &Mutex<Computed>,
    kind: ComputedKind,
    numbers: &[f64],
    compute: impl FnOnce() -> Vec<SplinePoint>,
) -> Arc<[SplinePoint]> {
    // The locked data is always consistent, so a panic elsewhere does not matter.
    let lock = || all.lock().unwrap_or_else(PoisonError::into_inner);
    let found = lock().find(kind, numbers);
    found.unwrap_or_else(|| {
        let curve: Arc<[SplinePoint]> = compute().into();
        lock().keep(CachedCurve { kind, numbers: numbers.into(), curve: Arc::clone(&curve) });
        curve
    })
}

#[cfg(test)]
mod tests {
    use crate::graph::lower::computed::*;

    const POINT: SplinePoint = SplinePoint { at: 0.0, value: 0.0, anchor: 0.0, inverse_width: 0.0 };

    /// Whether a curve with this many points had to be computed.
    fn computes(all: &Mutex<Computed>, kind: ComputedKind, numbers: &[f64], points: usize) -> bool {
        let mut ran = false;
        let curve = computed_in(all, kind, numbers, || {
            ran = true;
            vec![POINT; points]
        });
        assert_eq!(curve.len(), points);
        ran
    }

    #[test]
    fn curves_are_computed_once_for_the_same_numbers() {
        let all = Mutex::default();
        assert!(computes(&all, ComputedKind::Sines(1), &[0.5, 0.25], 3));
        assert!(!computes(&all, ComputedKind::Sines(1), &[0.5, 0.25], 3));
        for (kind, numbers) in [
            (ComputedKind::Sines(2), &[0.5, 0.25][..]),
            (ComputedKind::Table, &[0.5, 0.25]),
            (ComputedKind::Sines(1), &[0.5, 0.250_000_000_000_000_06]),
            (ComputedKind::Sines(1), &[0.5]),
            (ComputedKind::Sines(1), &[0.0]),
            (ComputedKind::Sines(1), &[-0.0]),
        ] {
            assert!(computes(&all, kind, numbers, 4), "{kind:?} {numbers:?}");
        }
        assert!(!computes(&all, ComputedKind::Sines(1), &[0.5, 0.25], 3));
    }

    #[test]
    fn what_is_kept_is_bounded_and_the_oldest_goes_first() {
        let all = Mutex::default();
        let points = MOST / 40;
        for k in 0..100 {
            computes(&all, ComputedKind::Quantiles, &[f64::from(k)], points);
            // A frequently used curve stays.
            assert_eq!(computes(&all, ComputedKind::Table, &[], 1), k == 0);
            let all = all.lock().expect("no panic");
            assert!(all.size <= MOST);
            assert_eq!(all.size, all.entries.iter().map(CachedCurve::size).sum::<usize>());
        }
        assert!(!computes(&all, ComputedKind::Quantiles, &[99.0], points));
        assert!(computes(&all, ComputedKind::Quantiles, &[0.0], points));
        assert!(computes(&all, ComputedKind::Quantiles, &[-1.0], MOST), "larger than all that is kept");
        assert!(computes(&all, ComputedKind::Quantiles, &[-1.0], MOST));
        assert!(!computes(&all, ComputedKind::Quantiles, &[0.0], points), "without evicting others");
    }
}
