//! Numbers of many samples in an array, aligned for vectors.

use std::ops::{Deref, DerefMut};

/// Samples in a block: enough to make the choice of an operation's code negligible, and few enough to stay in cache.
pub const LANES: usize = 512;
/// Lanes that are checked together: one register of the widest instruction set.
pub const CHUNK: usize = 16;
/// Chunks in a block.
pub const CHUNKS: usize = LANES / CHUNK;

/// Allocates a large value in a function of its own. Otherwise a caller into which it is inlined would reserve stack space for the
/// value, and touch it page by page in every call.
#[cold]
#[inline(never)]
pub fn boxed<T>(new: impl FnOnce() -> T) -> Box<T> {
    Box::new(new())
}

/// An array aligned to a cache line, so that each of its vectors lies in one line.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub struct Aligned<T, const N: usize>([T; N]);

impl<T: Copy, const N: usize> Aligned<T, N> {
    /// The same number in every element.
    #[inline(always)]
    pub const fn of(x: T) -> Self {
        Aligned([x; N])
    }

    /// Applies a function to each element.
    #[inline(always)]
    pub fn map<U>(self, f: impl FnMut(T) -> U) -> Aligned<U, N> {
        Aligned(self.0.map(f))
    }
}

impl<T, const N: usize> Deref for Aligned<T, N> {
    type Target = [T];
    #[inline(always)]
    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<T, const N: usize> DerefMut for Aligned<T, N> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.0
    }
}

/// A number for each sample of a block.
pub type Lanes<R> = Aligned<R, LANES>;
