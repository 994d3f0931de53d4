//! Buffers that dispatches have done with, for those that come after: a driver takes longer to make one, and the system to hand out its memory
//! page by page, than most kernels take to fill it.

use crate::gpu::{Context, GpuError, lock};
use std::collections::VecDeque;
use std::sync::Mutex;

/// Bytes that are kept at most.
const MOST: u64 = 256 << 20;

/// Buffers that nobody uses, the one that was used last at the end.
#[derive(Default)]
pub(crate) struct SpareBuffers(Mutex<VecDeque<wgpu::Buffer>>);

impl Context {
    /// A buffer of so many bytes or up to twice as many, with numbers of no meaning: one that was kept, or a new one.
    ///
    /// # Errors
    /// The device has no memory for it, or is lost.
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

    /// Keeps buffers of [`Context::spare`], none of them mapped or about to be; those that nobody has taken for longest make room for them.
    pub(crate) fn keep(&self, buffers: impl IntoIterator<Item = wgpu::Buffer>) {
        let mut kept = lock(&self.spare.0);
        kept.extend(buffers.into_iter().filter(|buffer| buffer.size() <= MOST));
        let mut all: u64 = kept.iter().map(wgpu::Buffer::size).sum();
        while all > MOST {
            all -= kept.pop_front().map_or(all, |buffer| buffer.size());
        }
    }

    /// Gives all that is kept back to the device; whether there was any.
    fn forget_spare(&self) -> bool {
        let kept = std::mem::take(&mut *lock(&self.spare.0));
        // What is dropped is freed when the device is asked next.
        let any = !kept.is_empty();
        drop(kept);
        let _ = self.device.poll(wgpu::PollType::wait_indefinitely());
        any
    }
}
