//! A cache by name and weight: when it is full, the least recently used entries go first.

use crate::lock::lock;
use std::collections::VecDeque;
use std::sync::Mutex;

/// Values that are expensive to create and cheap to clone.
pub struct Recent<T> {
    most: usize,
    weight: fn(&T) -> usize,
    held: Mutex<Held<T>>,
}

struct Held<T> {
    /// Least recently used first.
    items: VecDeque<(String, T)>,
    weight: usize,
}

impl<T: Clone> Recent<T> {
    /// A cache with this maximum total weight.
    pub fn new(most: usize, weight: fn(&T) -> usize) -> Self {
        Recent { most, weight, held: Mutex::new(Held { items: VecDeque::new(), weight: 0 }) }
    }

    /// A value, which becomes the most recently used one.
    pub fn get(&self, name: &str) -> Option<T> {
        let mut held = lock(&self.held);
        let at = held.items.iter().rposition(|(known, _)| known == name)?;
        let found = held.items.remove(at)?;
        let item = found.1.clone();
        held.items.push_back(found);
        Some(item)
    }

    /// Stores a value.
    pub fn insert(&self, name: String, item: T) {
        let mut held = lock(&self.held);
        // Two requests may have created the same value concurrently.
        if let Some(at) = held.items.iter().position(|(known, _)| *known == name)
            && let Some((_, old)) = held.items.remove(at)
        {
            held.weight -= (self.weight)(&old);
        }
        held.weight += (self.weight)(&item);
        held.items.push_back((name, item));
        while held.weight > self.most
            && let Some((_, old)) = held.items.pop_front()
        {
            held.weight -= (self.weight)(&old);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_recent_goes_and_weights_add_up() {
        let recent = Recent::new(10, |item: &usize| *item);
        for (name, weight) in [("a", 4), ("b", 3), ("c", 3)] {
            recent.insert(name.to_owned(), weight);
        }
        assert_eq!(recent.get("a"), Some(4));
        recent.insert("d".to_owned(), 2);
        assert_eq!(["a", "b", "c", "d"].map(|name| recent.get(name)), [Some(4), None, Some(3), Some(2)]);
        // A repeated value counts once, and a value heavier than the maximum is not stored.
        recent.insert("d".to_owned(), 3);
        assert_eq!(["a", "c", "d"].map(|name| recent.get(name)), [Some(4), Some(3), Some(3)]);
        recent.insert("e".to_owned(), 11);
        assert_eq!(["a", "c", "d", "e"].map(|name| recent.get(name)), [None; 4]);
    }
}
