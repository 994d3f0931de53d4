//! Results that take long to compute, kept for later calls.

use crate::gpu::lock;
use std::sync::{Arc, Mutex};

/// Results with their keys, latest first.
type Kept<K, V> = Vec<(K, Arc<V>)>;

/// The latest results, each with the key that it was computed from. Clones share them.
pub(crate) struct Latest<K, V>(Arc<Mutex<Kept<K, V>>>);

impl<K, V> Clone for Latest<K, V> {
    fn clone(&self) -> Self {
        Latest(Arc::clone(&self.0))
    }
}

impl<K, V> Default for Latest<K, V> {
    fn default() -> Self {
        Latest(Arc::default())
    }
}

impl<K: PartialEq, V> Latest<K, V> {
    /// A result, if it is kept.
    pub fn find(&self, key: &K) -> Option<Arc<V>> {
        lock(&self.0).iter().find(|(of, _)| of == key).map(|(_, value)| Arc::clone(value))
    }

    /// Keeps a result. The oldest results are removed until all fit in `most` bytes.
    pub fn keep(&self, key: K, value: &Arc<V>, most: u64, bytes: impl Fn(&V) -> u64) {
        let mut kept = lock(&self.0);
        kept.retain(|(of, _)| *of != key);
        kept.insert(0, (key, Arc::clone(value)));
        let mut sum = 0;
        kept.retain(|(_, value)| {
            sum += bytes(value);
            sum <= most
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_latest_results_that_fit_are_kept() {
        let latest = Latest::default();
        for (key, bytes) in [(1, 3), (2, 4), (1, 5), (3, 2)] {
            latest.keep(key, &Arc::new(bytes), 8, |bytes| *bytes);
        }
        assert_eq!([1, 2, 3].map(|key| latest.clone().find(&key).map(|bytes| *bytes)), [Some(5), None, Some(2)]);
        latest.keep(4, &Arc::new(9), 8, |bytes| *bytes);
        assert_eq!([1, 2, 3, 4].map(|key| latest.find(&key)), [const { None }; 4]);
    }
}
