//! The buffers of one square on the device, and running kernels on them.

use crate::gpu::drainage::kernels::{GROUP, WaterHead, WaterKernel};
use crate::gpu::passes::PassKernel;
use crate::gpu::stream::map;
use crate::gpu::{Context, Failure, GpuError};
use encase::UniformBuffer;
use std::sync::Arc;
use wgpu::BufferUsages as Usage;

/// Work on one square.
pub(super) struct Work<'c> {
    context: &'c Context,
    head: wgpu::Buffer,
    /// The number of invocations of a kernel.
    invocations: u32,
    /// Given back in the end.
    buffers: Vec<wgpu::Buffer>,
}

/// A kernel with its buffers.
pub(super) struct Bound {
    kernel: Arc<PassKernel>,
    group: wgpu::BindGroup,
}

impl<'c> Work<'c> {
    pub fn new(context: &'c Context, head: WaterHead) -> Result<Self, GpuError> {
        context.check()?;
        let mut bytes = UniformBuffer::new(Vec::new());
        // Writing to a `Vec` cannot fail.
        let _ = bytes.write(&head);
        let bytes = bytes.into_inner();
        let buffer = context.guarded(|| {
            let buffer = context.buffer("orogen head", bytes.len() as u64, Usage::UNIFORM | Usage::COPY_DST);
            context.queue.write_buffer(&buffer, 0, &bytes);
            buffer
        })?;
        context.alive()?;
        Ok(Work { context, head: buffer, invocations: head.size.x * head.size.y + 1, buffers: Vec::new() })
    }

    /// A buffer of `words` words for each invocation.
    pub fn buffer(&mut self, words: u64) -> Result<wgpu::Buffer, GpuError> {
        self.sized(4 * words * u64::from(self.invocations))
    }

    /// A buffer of a number of bytes.
    pub fn sized(&mut self, bytes: u64) -> Result<wgpu::Buffer, GpuError> {
        let buffer = self.context.spare("orogen water", bytes, Usage::STORAGE | Usage::COPY_SRC | Usage::COPY_DST)?;
        self.buffers.push(buffer.clone());
        Ok(buffer)
    }

    /// A buffer with these bytes.
    pub fn uploaded(&mut self, bytes: &[u8]) -> Result<wgpu::Buffer, GpuError> {
        let buffer = self.sized(bytes.len().max(4) as u64)?;
        self.context.guarded(|| self.context.queue.write_buffer(&buffer, 0, bytes))?;
        Ok(buffer)
    }

    pub fn bind(&self, kernel: WaterKernel, buffers: &[&wgpu::Buffer]) -> Result<Bound, GpuError> {
        let kernel = self.context.water_kernel(kernel)?;
        let all = std::iter::once(&self.head).chain(buffers.iter().copied());
        let entries: Vec<_> =
            (0..).zip(all).map(|(binding, buffer)| wgpu::BindGroupEntry { binding, resource: buffer.as_entire_binding() }).collect();
        let group = self.context.guarded(|| {
            let label = Some("orogen water");
            self.context.device.create_bind_group(&wgpu::BindGroupDescriptor { label, layout: &kernel.layout, entries: &entries })
        })?;
        Ok(Bound { kernel, group })
    }

    pub fn encoder(&self) -> wgpu::CommandEncoder {
        self.context.encoder()
    }

    /// Records kernels, one after the other.
    pub fn run<'b>(&self, encoder: &mut wgpu::CommandEncoder, kernels: impl IntoIterator<Item = &'b Bound>) {
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor { label: Some("orogen water"), timestamp_writes: None });
        for Bound { kernel, group } in kernels {
            pass.set_pipeline(&kernel.pipeline);
            pass.set_bind_group(0, group, &[]);
            pass.dispatch_workgroups(self.invocations.div_ceil(GROUP), 1, 1);
        }
    }

    /// Submits the commands, waits for them, and reads the first words of buffers.
    pub fn read(&self, mut encoder: wgpu::CommandEncoder, buffers: &[(&wgpu::Buffer, u64)]) -> Result<Vec<Vec<u32>>, Failure> {
        let context = self.context;
        // wgpu copies and maps at multiples of 8 bytes.
        let lengths: Vec<u64> = buffers.iter().map(|(_, words)| (4 * words).next_multiple_of(8)).collect();
        let all = lengths.iter().sum();
        let readback = context.spare("orogen readback", all, Usage::MAP_READ | Usage::COPY_DST)?;
        let mut at = 0;
        for ((buffer, words), length) in buffers.iter().zip(&lengths) {
            encoder.copy_buffer_to_buffer(buffer, 0, &readback, at, 4 * words);
            at += length;
        }
        let submission = context.submit(encoder)?;
        context.wait(&map(&readback, all), &submission)?;
        let view = readback.get_mapped_range(..all).map_err(|error| GpuError::Refused(error.to_string()))?;
        let (mut rest, mut read): (&[u32], _) = (bytemuck::cast_slice(&view), Vec::new());
        for ((_, words), length) in buffers.iter().zip(&lengths) {
            let (own, after) = rest.split_at(*length as usize / 4);
            read.push(own[..*words as usize].to_vec());
            rest = after;
        }
        drop(view);
        readback.unmap();
        context.keep([readback]);
        Ok(read)
    }
}

impl Drop for Work<'_> {
    fn drop(&mut self) {
        self.context.keep(self.buffers.drain(..));
    }
}
