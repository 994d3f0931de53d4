//! Buffers that dispatches pass on to later dispatches. Most kernels take less time to fill a buffer than a driver takes to create
//! it and the system to provide its memory page by page.

use crate::gpu::{Context, GpuError, lock};
use std::collections::VecDeque;
use std::sync::Mutex;

/// Most bytes that are kept.
const MOST: u64 = 256 << 20;

/// Unused buffers, the most recently used one last.
#[derive(Default)]
pub(crate) struct SpareBuffers(Mutex<VecDeque<wgpu::Buffer>>);

impl Context {
    /// A buffer of `bytes` bytes, or up to twice that number, with arbitrary content: a kept one or a new one.
    ///
    /// # Errors
    /// Returns an error if the device has no memory for it, or is lost.
    pub(crate) fn spare(&self, label: &str, bytes: u64, usage: wgpu::BufferUsages) -> Result<wgpu::Buffer, GpuError> {
        let mut kept = lock(&self.spare.0);
        let fits = |buffer: &wgpu::Buffer| buffer.usage() == usage && (bytes..=2 * bytes).contains(&buffer.size());
        let found = kept.iter().rposition(fits).and_then(|i| kept.remove(i));
        drop(kept);
        if let Some(buffer) = found {
            return Ok(buffer);
        }
        match self.guarded(|| self.buffer(label, bytes, usage)) {
            Err(GpuError::OutOfMemory(_)) if self.forget_spare() => self.guarded(|| self.buffer(label, bytes, usage)),
            made => made,
        }
    }

    /// Keeps buffers of [`Context::spare`] that are not mapped or about to be. Those that were unused for the longest time are
    /// freed to make space.
    pub(crate) fn keep(&self, buffers: impl IntoIterator<Item = wgpu::Buffer>) {
        let mut kept = lock(&self.spare.0);
        kept.extend(buffers.into_iter().filter(|buffer| buffer.size() <= MOST));
        let mut all: u64 = kept.iter().map(wgpu::Buffer::size).sum();
        while all > MOST {
            all -= kept.pop_front().map_or(all, |buffer| buffer.size());
        }
    }

    /// Frees all kept buffers; returns whether there were any.
    fn forget_spare(&self) -> bool {
        let kept = std::mem::take(&mut *lock(&self.spare.0));
        // Dropped buffers are freed by the next poll.
        let any = !kept.is_empty();
        drop(kept);
        let _ = self.device.poll(wgpu::PollType::wait_indefinitely());
        any
    }
}
