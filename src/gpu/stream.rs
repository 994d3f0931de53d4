//! Dispatch and readback: a ring of buffers, so that the device computes while the host reads what came before.

use crate::field::Samples;
use crate::frame::Grid;
use crate::gpu::kernel::output_layout;
use crate::gpu::layout::{Bytes, Dispatch, dispatch, dispatch_size, origin_size, origins};
use crate::gpu::wgsl::entry::Output;
use crate::gpu::wgsl::tables::binding_size;
use crate::gpu::{Context, GpuError, Kernel};
use crate::program::Program;
use crate::region::Region;
use glam::UVec3;
use std::collections::VecDeque;
use std::sync::{Arc, mpsc};

/// Dispatches in flight.
pub(crate) const RING: usize = 3;
/// Samples along the edge of the largest dispatch: 16 MiB of values, 64 MiB with gradients.
pub(crate) const BLOCK: u32 = 2048;
/// Bytes of origins in one dispatch of points.
const POINT_ORIGINS: u64 = 8 << 20;
const MOST_POINTS: u64 = 1 << 14;

/// The tables on the device, and the kernel that reads them.
struct Upload {
    kernel: Arc<Kernel>,
    /// Bindings 1 to 3, then 5 and 6.
    tables: [wgpu::Buffer; 5],
    frames: usize,
    output: Output,
}

/// One place of the ring.
struct Buffers {
    uniform: wgpu::Buffer,
    origins: wgpu::Buffer,
    output: wgpu::Buffer,
    readback: wgpu::Buffer,
    tables: wgpu::BindGroup,
    bound: wgpu::BindGroup,
}

/// Tells when a buffer is mapped.
pub(crate) type Mapped = mpsc::Receiver<Result<(), wgpu::BufferAsyncError>>;

/// A dispatch on its way.
struct Flight<T> {
    buffers: Buffers,
    numbers: usize,
    submission: wgpu::SubmissionIndex,
    mapped: Mapped,
    what: T,
}

/// A ring of equal slots over one upload.
struct Stream<'a, T> {
    context: &'a Context,
    upload: Upload,
    /// NaN as far as a buffers's output reaches, copied over it before every dispatch: what a kernel does not write is seen.
    poison: wgpu::Buffer,
    samples: u64,
    origins: u64,
    free: Vec<Buffers>,
    flights: VecDeque<Flight<T>>,
}

/// Evaluates regions one after the other, all of one spacing and level, and hands each over when it is complete.
///
/// # Errors
/// The device's, the program's, or what `done` returns.
pub(crate) fn regions<E: From<GpuError>>(
    context: &Context,
    program: &Program,
    all: impl Iterator<Item = Region> + Clone,
    gradient: bool,
    mut done: impl FnMut(usize, Samples<f32>) -> Result<(), E>,
) -> Result<(), E> {
    let Some(first) = all.clone().next() else { return Ok(()) };
    let block = u64::from(BLOCK) * u64::from(BLOCK);
    let samples = all.clone().map(|region| region.samples().min(block)).max().unwrap_or(block);
    let grids = program.grids(&first).map_err(GpuError::from)?;
    let upload = context.upload(program, &grids, Output::Samples { gradient })?;
    let frames = upload.frames as u64;
    let mut stream = Stream::new(context, upload, samples, frames)?;
    let mut open: Option<(usize, Region, Samples<f32>, u64)> = None;
    let mut finish = |region: Region, index: usize, part: Region, at: [u32; 3], got: &[f32]| -> Result<(), E> {
        let (_, _, samples, missing) = open.get_or_insert_with(|| (index, region, Samples::blank(&region, gradient), region.samples()));
        samples.place(&region, &part, at, got);
        *missing -= part.samples();
        if *missing == 0
            && let Some((index, _, samples, _)) = open.take()
        {
            done(index, samples)?;
        }
        Ok(())
    };
    for (index, region) in all.enumerate() {
        for (part, at) in region.split(BLOCK) {
            let grids = program.grids(&part).map_err(GpuError::from)?;
            if let Some(((region, index, part, at), got)) = stream.make_room()? {
                finish(region, index, part, at, &got)?;
            }
            stream.launch(UVec3::from(part.size), 0, grids.iter().map(|grid| (grid.origin, grid.first)), (region, index, part, at))?;
        }
    }
    while let Some(((region, index, part, at), got)) = stream.land()? {
        finish(region, index, part, at, &got)?;
    }
    Ok(())
}

/// Evaluates any positions: every point brings its own lattice origins, so each is exact wherever it lies.
///
/// # Errors
/// The device's, or a position that does not suit the program's lattices.
pub(crate) fn points(context: &Context, program: &Program, positions: &[[f64; 3]], gradient: bool) -> Result<Samples<f32>, GpuError> {
    positions.iter().try_for_each(|&position| program.check_coordinates(position))?;
    let upload = context.upload(program, &program.point_grids()?, Output::Points { gradient })?;
    let frames = upload.frames.max(1) as u64;
    let chunk = (POINT_ORIGINS / (frames * origin_size())).clamp(1, MOST_POINTS) as usize;
    let mut stream =
        Stream::new(context, upload, (chunk.min(positions.len().max(1))) as u64, frames * chunk.min(positions.len().max(1)) as u64)?;
    let mut samples = Samples { values: Vec::with_capacity(positions.len()), gradients: gradient.then(Vec::new) };
    let mut take = |got: &[f32]| match &mut samples.gradients {
        None => samples.values.extend_from_slice(got),
        Some(gradients) => {
            for jet in got.as_chunks::<4>().0 {
                samples.values.push(jet[0]);
                gradients.push([jet[1], jet[2], jet[3]]);
            }
        }
    };
    for chunk in positions.chunks(chunk) {
        if let Some(((), got)) = stream.make_room()? {
            take(&got);
        }
        let origins = chunk.iter().flat_map(|&position| program.tables.frames.iter().map(move |frame| (frame.origin(position), [0; 3])));
        stream.launch(UVec3::new(chunk.len() as u32, 1, 1), frames as u32, origins, ())?;
    }
    while let Some(((), got)) = stream.land()? {
        take(&got);
    }
    Ok(samples)
}

impl Context {
    fn upload(&self, program: &Program, grids: &[Grid], output: Output) -> Result<Upload, GpuError> {
        use wgpu::BufferUsages as Usage;
        self.alive()?;
        let kernel = self.kernel(program, output)?;
        let Bytes { scalars, spans, frames, series, points } = Bytes::new(&program.tables, grids);
        let tables = self.guarded(|| {
            [(1, scalars), (2, spans), (3, frames), (5, series), (6, points)].map(|(binding, bytes)| {
                let size = binding_size(binding, kernel.uniform[binding as usize], bytes.len() as u64);
                let buffer = self.buffer("orogen table", size, Usage::UNIFORM | Usage::STORAGE | Usage::COPY_DST);
                self.queue.write_buffer(&buffer, 0, &bytes);
                buffer
            })
        })?;
        Ok(Upload { kernel, tables, frames: program.tables.frames.len(), output })
    }

    /// Waits until a buffer is mapped after a submission.
    pub(crate) fn wait(&self, mapped: &Mapped, submission: &wgpu::SubmissionIndex) -> Result<(), GpuError> {
        let result = loop {
            match mapped.try_recv() {
                Ok(result) => break result,
                Err(mpsc::TryRecvError::Disconnected) => break Err(wgpu::BufferAsyncError),
                Err(mpsc::TryRecvError::Empty) => {
                    let waited = self.device.poll(wgpu::PollType::Wait { submission_index: Some(submission.clone()), timeout: None });
                    waited.map_err(|error| GpuError::Lost(error.to_string()))?;
                }
            }
        };
        self.check()?;
        result.map_err(|error| GpuError::Lost(error.to_string()))
    }

    pub(crate) fn buffer(&self, label: &str, size: u64, usage: wgpu::BufferUsages) -> wgpu::Buffer {
        self.device.create_buffer(&wgpu::BufferDescriptor { label: Some(label), size, usage, mapped_at_creation: false })
    }
}

impl<'a, T> Stream<'a, T> {
    fn new(context: &'a Context, upload: Upload, samples: u64, origins: u64) -> Result<Self, GpuError> {
        let bytes = samples * upload.output.numbers() * 4;
        let poison = context.guarded(|| {
            let poison = context.device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("orogen poison"),
                size: bytes,
                usage: wgpu::BufferUsages::COPY_SRC,
                mapped_at_creation: true,
            });
            if let Ok(mut view) = poison.get_mapped_range_mut(..) {
                let nan = f32::NAN.to_ne_bytes();
                view.copy_from_slice(&nan.repeat(bytes as usize / 4));
            }
            poison.unmap();
            poison
        })?;
        Ok(Stream { context, upload, poison, samples, origins: origins.max(1), free: Vec::new(), flights: VecDeque::new() })
    }

    fn buffers(&self) -> Buffers {
        use wgpu::BufferUsages as Usage;
        let context = self.context;
        let bytes = self.samples * self.upload.output.numbers() * 4;
        let uniform = context.buffer("orogen dispatch", dispatch_size(), Usage::UNIFORM | Usage::COPY_DST);
        let origins = binding_size(4, self.upload.kernel.uniform[4], self.origins * origin_size());
        let origins = context.buffer("orogen origins", origins, Usage::UNIFORM | Usage::STORAGE | Usage::COPY_DST);
        let output = context.buffer("orogen output", bytes, Usage::STORAGE | Usage::COPY_SRC | Usage::COPY_DST);
        let readback = context.buffer("orogen readback", bytes, Usage::MAP_READ | Usage::COPY_DST);
        let [scalars, spans, frames, series, points] = &self.upload.tables;
        let bind = |layout: &wgpu::BindGroupLayout, buffers: &[&wgpu::Buffer]| {
            let all = (0..).zip(buffers);
            let entries: Vec<_> =
                all.map(|(binding, buffer)| wgpu::BindGroupEntry { binding, resource: buffer.as_entire_binding() }).collect();
            context.device.create_bind_group(&wgpu::BindGroupDescriptor { label: Some("orogen"), layout, entries: &entries })
        };
        let tables = bind(&self.upload.kernel.layout, &[&uniform, scalars, spans, frames, &origins, series, points]);
        let bound = bind(&output_layout(&context.device, self.upload.output), &[&output]);
        Buffers { uniform, origins, output, readback, tables, bound }
    }

    /// Waits for the oldest flight if the ring is full.
    fn make_room(&mut self) -> Result<Option<(T, Vec<f32>)>, GpuError> {
        if self.flights.len() < RING { Ok(None) } else { self.land() }
    }

    /// Dispatches a box of samples, `size` no larger than the stream was made for.
    fn launch(&mut self, size: UVec3, stride: u32, from: impl Iterator<Item = ([i128; 3], [u32; 3])>, what: T) -> Result<(), GpuError> {
        let context = self.context;
        let buffers = self.free.pop().map_or_else(|| context.guarded(|| self.buffers()), Ok)?;
        let head = dispatch(Dispatch::plain(size, stride));
        let origins = origins(from);
        let numbers = u64::from(size.x) * u64::from(size.y) * u64::from(size.z) * self.upload.output.numbers();
        let (submission, mapped) = context.guarded(|| self.submit(&buffers, size, &head, &origins, numbers))?;
        self.flights.push_back(Flight { buffers, numbers: numbers as usize, submission, mapped, what });
        context.check()
    }

    fn submit(&self, buffers: &Buffers, size: UVec3, head: &[u8], origins: &[u8], numbers: u64) -> (wgpu::SubmissionIndex, Mapped) {
        let context = self.context;
        context.queue.write_buffer(&buffers.uniform, 0, head);
        context.queue.write_buffer(&buffers.origins, 0, origins);
        let mut encoder = context.device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("orogen") });
        encoder.copy_buffer_to_buffer(&self.poison, 0, &buffers.output, 0, numbers * 4);
        {
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor { label: Some("orogen"), timestamp_writes: None });
            pass.set_pipeline(&self.upload.kernel.pipeline);
            pass.set_bind_group(0, &buffers.tables, &[]);
            pass.set_bind_group(1, &buffers.bound, &[]);
            let [x, y, z] = self.upload.kernel.groups(size.to_array());
            pass.dispatch_workgroups(x, y, z);
        }
        encoder.copy_buffer_to_buffer(&buffers.output, 0, &buffers.readback, 0, numbers * 4);
        let submission = context.queue.submit([encoder.finish()]);
        let (sender, mapped) = mpsc::channel();
        buffers.readback.slice(..numbers * 4).map_async(wgpu::MapMode::Read, move |result| {
            // The receiver is gone only when the stream failed before.
            let _ = sender.send(result);
        });
        (submission, mapped)
    }

    /// Waits for the oldest flight, if there is one, and reads it back.
    fn land(&mut self) -> Result<Option<(T, Vec<f32>)>, GpuError> {
        let Some(Flight { buffers, numbers, submission, mapped, what }) = self.flights.pop_front() else { return Ok(None) };
        let context = self.context;
        context.wait(&mapped, &submission)?;
        let view = buffers.readback.slice(..numbers as u64 * 4).get_mapped_range().map_err(|error| GpuError::Refused(error.to_string()))?;
        let got: Vec<f32> = bytemuck::pod_collect_to_vec(&view);
        drop(view);
        buffers.readback.unmap();
        self.free.push(buffers);
        let count = got.iter().filter(|x| !x.is_finite()).count();
        if count > 0 {
            return Err(GpuError::Unwritten { count, of: numbers });
        }
        Ok(Some((what, got)))
    }
}
