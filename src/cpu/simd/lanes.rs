//! Numbers of many samples next to each other, aligned for vectors.

use std::ops::{Deref, DerefMut};

/// Samples in a block: enough that an operation's loop dwarfs the cost of choosing it, few enough to stay in cache.
pub const LANES: usize = 512;
/// Lanes that are looked at together: one register of the widest instruction set.
pub const CHUNK: usize = 16;
/// Chunks in a block.
pub const CHUNKS: usize = LANES / CHUNK;

/// Memory for something large, made apart: whatever function made it in its own place would have room for it on its stack, and touch that page
/// by page in every call.
#[cold]
#[inline(never)]
pub fn boxed<T>(new: impl FnOnce() -> T) -> Box<T> {
    Box::new(new())
}

/// An array that begins where a line of the cache does: none of its vectors lies in two of them.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub struct Aligned<T, const N: usize>([T; N]);

impl<T: Copy, const N: usize> Aligned<T, N> {
    /// The same number everywhere.
    #[inline(always)]
    pub const fn of(x: T) -> Self {
        Aligned([x; N])
    }

    /// What a function makes of each.
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

/// One number per sample.
pub type Lanes<R> = Aligned<R, LANES>;
