//! Dispatch and readback by a ring of buffers: the device computes while the host reads earlier results.

use crate::field::Samples;
use crate::frame::RegionGrid;
use crate::gpu::kernel::output_layout;
use crate::gpu::layout::{GpuDispatch, GpuOrigin, dispatch, origins};
use crate::gpu::tables::{Own, TABLES, TableBinding, TableSource};
use crate::gpu::wgsl::output::Output;
use crate::gpu::{Context, Failure, GpuError, Kernel};
use crate::program::Program;
use crate::region::{Region, RegionBatch};
use encase::ShaderSize;
use glam::UVec3;
use std::collections::VecDeque;
use std::ops::{ControlFlow, Deref};
use std::sync::{Arc, mpsc};
use wgpu::BufferUsages as Usage;

/// Dispatches in flight.
pub(crate) const RING: usize = 3;
/// Samples along the edge of the largest dispatch: 16 MiB of values, 64 MiB with gradients. With more than four numbers per sample
/// it is smaller.
pub(crate) const BLOCK: u32 = 2048;
/// Bytes of the buffer of NaN, which is copied repeatedly.
const POISON: u64 = 1 << 20;
/// Most bytes of origins in one dispatch of points.
const POINT_ORIGINS: u64 = 8 << 20;
const MOST_POINTS: u64 = 1 << 14;

/// A kernel and its tables on the device.
struct Upload {
    kernel: Arc<Kernel>,
    /// The binding and the buffer of each table that all dispatches share.
    tables: Vec<(u32, wgpu::Buffer)>,
    frames: usize,
    output: Output,
    /// Numbers that the kernel writes for each sample.
    numbers: u64,
}

impl Upload {
    /// Samples along the edge of the largest dispatch.
    fn edge(&self) -> u32 {
        let most = u64::from(BLOCK) * u64::from(BLOCK) * 4 / self.numbers.max(4);
        most.isqrt() as u32
    }
}

/// The buffers of one dispatch, reused once its numbers have been read.
struct Buffers {
    /// The tables of this dispatch.
    own: Vec<(Own, wgpu::Buffer)>,
    output: wgpu::Buffer,
    readback: wgpu::Buffer,
    /// Binding group 0: the tables.
    tables: wgpu::BindGroup,
    /// Binding group 1: the output.
    results: wgpu::BindGroup,
}

/// Receives a message when a buffer is mapped.
pub(crate) type Mapped = mpsc::Receiver<Result<(), wgpu::BufferAsyncError>>;

/// Maps the first bytes of a buffer once all submitted work is done.
pub(crate) fn map(buffer: &wgpu::Buffer, bytes: u64) -> Mapped {
    let (sender, mapped) = mpsc::channel();
    buffer.map_async(wgpu::MapMode::Read, ..bytes, move |result| {
        // The receiver is gone only after an earlier failure.
        let _ = sender.send(result);
    });
    mapped
}

/// A dispatch in flight.
struct Flight<T> {
    buffers: Buffers,
    /// The number of results.
    numbers: usize,
    submission: wgpu::SubmissionIndex,
    mapped: Mapped,
    /// The message of `mapped`, once it was looked at.
    arrived: Option<Result<(), wgpu::BufferAsyncError>>,
    /// The caller's identifier.
    what: T,
}

/// Dispatches of one kernel that share their tables, up to [`RING`] of them in flight, on a context that is borrowed or shared.
struct Stream<C: Deref<Target = Context>, T> {
    context: C,
    upload: Upload,
    /// NaN, copied over an output before every dispatch, to detect samples that a kernel does not write.
    poison: wgpu::Buffer,
    /// The largest number of samples and of origins in a dispatch.
    samples: u64,
    origins: u64,
    free: Vec<Buffers>,
    flights: VecDeque<Flight<T>>,
}

/// Evaluates the regions of a batch in sequence. It passes each complete region to `done` with its index from 0, until that asks
/// to stop. If there are several outputs, those of a sample are adjacent.
///
/// # Errors
/// Errors of the device or the program.
pub(crate) fn regions(
    context: &Context,
    program: &Program,
    batch: RegionBatch,
    all: &mut dyn Iterator<Item = Region>,
    gradient: bool,
    done: &mut dyn FnMut(usize, Region, Samples<f32>) -> ControlFlow<()>,
) -> Result<(), Failure> {
    let upload = context.upload(program, &program.grids(&batch.first)?, Output::Samples { gradient })?;
    let (frames, edge, outputs) = (upload.frames as u64, upload.edge(), program.outputs.len());
    let samples = batch.largest.min(u64::from(edge) * u64::from(edge));
    let mut stream = Stream::new(context, upload, samples, frames)?;
    let mut open: Option<(Samples<f32>, u64)> = None;
    // Parts arrive in order, so at most one region is incomplete at a time.
    let mut finish = |(index, region, part, at): (usize, Region, Region, [u32; 3]), got: &[f32]| {
        let (mut samples, missing) = open.take().unwrap_or_else(|| (Samples::blank(&region, outputs, gradient), region.samples()));
        samples.place(&region, outputs, &part, at, got);
        match missing - part.samples() {
            0 => done(index, region, samples),
            missing => {
                open = Some((samples, missing));
                ControlFlow::Continue(())
            }
        }
    };
    for (index, region) in all.enumerate() {
        for (part, at) in region.split(edge) {
            let grids = program.grids(&part)?;
            if stream.make_room(&mut finish)?.is_some_and(|told| told.is_break()) {
                return Ok(());
            }
            stream.launch(UVec3::from(part.size), 0, grids.iter().map(|grid| (grid.origin, grid.first)), (index, region, part, at))?;
        }
    }
    while let Some(told) = stream.land(&mut finish)? {
        if told.is_break() {
            break;
        }
    }
    Ok(())
}

/// A region that the device evaluates while the host does other work.
pub(crate) struct PendingRegion {
    stream: Stream<Arc<Context>, (Region, [u32; 3])>,
    program: Program,
    region: Region,
    /// Parts that are not dispatched yet, with their offsets in the region.
    waiting: VecDeque<(Region, [u32; 3])>,
    samples: Samples<f32>,
}

impl PendingRegion {
    /// Dispatches the first parts of a region.
    ///
    /// # Errors
    /// Errors of the device or the program.
    pub fn start(context: &Arc<Context>, program: Program, region: &Region, gradient: bool) -> Result<Self, Failure> {
        let upload = context.upload(&program, &program.grids(region)?, Output::Samples { gradient })?;
        let (frames, edge) = (upload.frames as u64, upload.edge());
        let samples = region.samples().min(u64::from(edge) * u64::from(edge));
        let stream = Stream::new(Arc::clone(context), upload, samples, frames)?;
        let waiting = region.split(edge).collect();
        let samples = Samples::blank(region, program.outputs.len(), gradient);
        let mut pending = PendingRegion { stream, program, region: *region, waiting, samples };
        pending.launch()?;
        Ok(pending)
    }

    /// Fills the ring.
    fn launch(&mut self) -> Result<(), Failure> {
        while self.stream.flights.len() < RING
            && let Some((part, at)) = self.waiting.pop_front()
        {
            let grids = self.program.grids(&part)?;
            self.stream.launch(UVec3::from(part.size), 0, grids.iter().map(|grid| (grid.origin, grid.first)), (part, at))?;
        }
        Ok(())
    }

    /// Takes the oldest part, and waits for it if it has not arrived.
    fn take(&mut self) -> Result<(), Failure> {
        let (samples, region, outputs) = (&mut self.samples, &self.region, self.program.outputs.len());
        self.stream.land(&mut |(part, at), got| samples.place(region, outputs, &part, at, got))?;
        self.launch()
    }

    /// Takes the parts that have arrived and dispatches others. Returns whether all have arrived. Does not wait.
    ///
    /// # Errors
    /// Errors of the device or the program.
    pub fn advance(&mut self) -> Result<bool, Failure> {
        while self.stream.has_landed()? {
            self.take()?;
        }
        Ok(self.stream.flights.is_empty())
    }

    /// Waits for all parts.
    ///
    /// # Errors
    /// Errors of the device or the program.
    pub fn finish(mut self) -> Result<Samples<f32>, Failure> {
        while !self.stream.flights.is_empty() {
            self.take()?;
        }
        Ok(self.samples)
    }
}

/// Evaluates any positions, with several outputs as in [`regions`]. Each point has its own lattice origins, so each is exact at
/// any distance.
///
/// # Errors
/// Errors of the device, or an error if a position does not suit the program's lattices.
pub(crate) fn points(context: &Context, program: &Program, positions: &[[f64; 3]], gradient: bool) -> Result<Samples<f32>, Failure> {
    positions.iter().try_for_each(|&position| program.check_coordinates(position))?;
    let upload = context.upload(program, &program.point_grids()?, Output::Points { gradient })?;
    let frames = upload.frames.max(1) as u64;
    let most = MOST_POINTS.min(u64::from(upload.edge()).pow(2));
    let chunk = (POINT_ORIGINS / (frames * GpuOrigin::SHADER_SIZE.get())).clamp(1, most) as usize;
    let most = chunk.min(positions.len().max(1)) as u64;
    let mut stream = Stream::new(context, upload, most, frames * most)?;
    let mut samples = Samples { values: Vec::with_capacity(positions.len()), gradients: gradient.then(Vec::new) };
    let mut take = |(), got: &[f32]| match &mut samples.gradients {
        None => samples.values.extend_from_slice(got),
        Some(gradients) => {
            for jet in got.as_chunks::<4>().0 {
                samples.values.push(jet[0]);
                gradients.push([jet[1], jet[2], jet[3]]);
            }
        }
    };
    for chunk in positions.chunks(chunk) {
        stream.make_room(&mut take)?;
        let origins = chunk.iter().flat_map(|&position| program.tables.frames.iter().map(move |frame| (frame.origin(position), [0; 3])));
        stream.launch(UVec3::new(chunk.len() as u32, 1, 1), frames as u32, origins, ())?;
    }
    while stream.land(&mut take)?.is_some() {}
    Ok(samples)
}

impl Context {
    fn upload(&self, program: &Program, grids: &[RegionGrid], output: Output) -> Result<Upload, Failure> {
        self.alive()?;
        let kernel = self.kernel(program, output)?;
        let rasters = self.rasters(&program.tables.rasters)?;
        let shared = |(binding, table): (u32, &TableBinding)| match table.source {
            TableSource::Rasters => Some((binding, rasters.buffer.clone())),
            TableSource::Program { bytes, .. } => {
                Some((binding, self.shared(table, kernel.uniform[binding as usize], &bytes(&program.tables, grids))))
            }
            TableSource::Dispatch(_) => None,
        };
        let tables = self.guarded(|| (0..).zip(&TABLES).filter_map(shared).collect())?;
        let numbers = output.numbers() * program.outputs.len() as u64;
        Ok(Upload { kernel, tables, frames: program.tables.frames.len(), output, numbers })
    }

    /// A table that all dispatches read.
    fn shared(&self, table: &TableBinding, uniform: bool, bytes: &[u8]) -> wgpu::Buffer {
        let size = table.binding_size(uniform, bytes.len() as u64);
        let buffer = self.buffer("orogen table", size, Usage::UNIFORM | Usage::STORAGE | Usage::COPY_DST);
        self.queue.write_buffer(&buffer, 0, bytes);
        buffer
    }

    /// The buffer of NaN that is copied over outputs.
    fn poison(&self) -> Result<wgpu::Buffer, GpuError> {
        match self.poison.get() {
            Some(poison) => Ok(poison.clone()),
            None => self.poison_of(POISON).map(|poison| self.poison.get_or_init(|| poison).clone()),
        }
    }

    /// A buffer of NaN with this number of bytes. If it cannot be filled, that is an error: otherwise unwritten samples would go
    /// undetected.
    pub(crate) fn poison_of(&self, bytes: u64) -> Result<wgpu::Buffer, GpuError> {
        let (poison, filled) = self.guarded(|| {
            let descriptor =
                wgpu::BufferDescriptor { label: Some("orogen poison"), size: bytes, usage: Usage::COPY_SRC, mapped_at_creation: true };
            let poison = self.device.create_buffer(&descriptor);
            let filled = poison.get_mapped_range_mut(..).map(|mut view| {
                view.copy_from_slice(&f32::NAN.to_ne_bytes().repeat(bytes as usize / 4));
            });
            poison.unmap();
            (poison, filled)
        })?;
        filled.map_err(|error| self.blamed(GpuError::Refused(format!("the buffer that finds unwritten samples: {error}"))))?;
        Ok(poison)
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

impl<C: Deref<Target = Context>, T> Stream<C, T> {
    fn new(context: C, upload: Upload, samples: u64, origins: u64) -> Result<Self, GpuError> {
        let poison = context.poison()?;
        Ok(Stream { context, upload, poison, samples, origins: origins.max(1), free: Vec::new(), flights: VecDeque::new() })
    }

    fn buffers(&self) -> Result<Buffers, GpuError> {
        let Stream { context, upload, .. } = self;
        let bytes = self.samples * upload.numbers * 4;
        let output = context.spare("orogen output", bytes, Usage::STORAGE | Usage::COPY_SRC | Usage::COPY_DST)?;
        let readback = context.spare("orogen readback", bytes, Usage::MAP_READ | Usage::COPY_DST)?;
        context.guarded(|| self.bound(output, readback))
    }

    /// Creates the buffers for the dispatch's own tables, and binds all buffers.
    fn bound(&self, output: wgpu::Buffer, readback: wgpu::Buffer) -> Buffers {
        let Stream { context, upload, .. } = self;
        let kernel = &upload.kernel;
        let mut own = Vec::new();
        let mut bound: Vec<(u32, &wgpu::Buffer)> = upload.tables.iter().map(|(binding, buffer)| (*binding, buffer)).collect();
        for (binding, table) in (0..).zip(&TABLES) {
            if let TableSource::Dispatch(what) = table.source {
                let count = match what {
                    Own::Head => 1,
                    Own::Origins => self.origins,
                };
                let size = table.binding_size(kernel.uniform[binding as usize], count * table.size);
                let buffer = context.buffer("orogen dispatch", size, Usage::UNIFORM | Usage::STORAGE | Usage::COPY_DST);
                own.push((binding, what, buffer));
            }
        }
        bound.extend(own.iter().map(|(binding, _, buffer)| (*binding, buffer)));
        let bind = |layout: &wgpu::BindGroupLayout, buffers: &[(u32, &wgpu::Buffer)]| {
            let all = buffers.iter();
            let entries: Vec<_> =
                all.map(|(binding, buffer)| wgpu::BindGroupEntry { binding: *binding, resource: buffer.as_entire_binding() }).collect();
            context.device.create_bind_group(&wgpu::BindGroupDescriptor { label: Some("orogen"), layout, entries: &entries })
        };
        let tables = bind(&kernel.layout, &bound);
        let results = bind(&output_layout(&context.device, upload.output), &[(0, &output)]);
        Buffers { own: own.into_iter().map(|(_, what, buffer)| (what, buffer)).collect(), output, readback, tables, results }
    }

    /// If the ring is full, waits for the oldest dispatch.
    fn make_room<R>(&mut self, take: &mut dyn FnMut(T, &[f32]) -> R) -> Result<Option<R>, GpuError> {
        if self.flights.len() < RING { Ok(None) } else { self.land(take) }
    }

    /// Dispatches a box of samples; `size` is at most that of the stream.
    fn launch(&mut self, size: UVec3, stride: u32, from: impl Iterator<Item = ([i128; 3], [u32; 3])>, what: T) -> Result<(), GpuError> {
        let buffers = self.free.pop().map_or_else(|| self.buffers(), Ok)?;
        let head = dispatch(GpuDispatch::plain(size, stride));
        let origins = origins(from);
        let numbers = u64::from(size.x) * u64::from(size.y) * u64::from(size.z) * self.upload.numbers;
        let (submission, mapped) = self.context.guarded(|| self.submit(&buffers, size, &head, &origins, numbers))?;
        self.flights.push_back(Flight { buffers, numbers: numbers as usize, submission, mapped, arrived: None, what });
        self.context.check()
    }

    fn submit(&self, buffers: &Buffers, size: UVec3, head: &[u8], origins: &[u8], numbers: u64) -> (wgpu::SubmissionIndex, Mapped) {
        let context = &*self.context;
        for (what, buffer) in &buffers.own {
            let bytes = match what {
                Own::Head => head,
                Own::Origins => origins,
            };
            context.queue.write_buffer(buffer, 0, bytes);
        }
        let mut encoder = context.device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("orogen") });
        for at in (0..numbers * 4).step_by(POISON as usize) {
            encoder.copy_buffer_to_buffer(&self.poison, 0, &buffers.output, at, POISON.min(numbers * 4 - at));
        }
        {
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor { label: Some("orogen"), timestamp_writes: None });
            pass.set_pipeline(&self.upload.kernel.pipeline);
            pass.set_bind_group(0, &buffers.tables, &[]);
            pass.set_bind_group(1, &buffers.results, &[]);
            let [x, y, z] = self.upload.kernel.groups(size.to_array());
            pass.dispatch_workgroups(x, y, z);
        }
        encoder.copy_buffer_to_buffer(&buffers.output, 0, &buffers.readback, 0, numbers * 4);
        let submission = context.queue.submit([encoder.finish()]);
        (submission, map(&buffers.readback, numbers * 4))
    }

    /// Whether the numbers of the oldest dispatch have arrived. Does not wait.
    fn has_landed(&mut self) -> Result<bool, GpuError> {
        let Some(oldest) = self.flights.front_mut() else { return Ok(false) };
        if oldest.arrived.is_none() {
            self.context.device.poll(wgpu::PollType::Poll).map_err(|error| GpuError::Lost(error.to_string()))?;
            oldest.arrived = match oldest.mapped.try_recv() {
                Ok(result) => Some(result),
                Err(mpsc::TryRecvError::Disconnected) => Some(Err(wgpu::BufferAsyncError)),
                Err(mpsc::TryRecvError::Empty) => None,
            };
            self.context.check()?;
        }
        Ok(oldest.arrived.is_some())
    }

    /// Waits for the oldest dispatch, if there is one, and passes its numbers to `take`.
    fn land<R>(&mut self, take: &mut dyn FnMut(T, &[f32]) -> R) -> Result<Option<R>, GpuError> {
        let Some(Flight { buffers, numbers, submission, mapped, arrived, what }) = self.flights.pop_front() else { return Ok(None) };
        match arrived {
            Some(result) => result.map_err(|error| self.context.blamed(GpuError::Lost(error.to_string())))?,
            None => self.context.wait(&mapped, &submission)?,
        }
        let view = buffers.readback.slice(..numbers as u64 * 4).get_mapped_range().map_err(|error| GpuError::Refused(error.to_string()))?;
        // wgpu maps at multiples of 8 bytes.
        let got: &[f32] = bytemuck::cast_slice(&view);
        let count = got.iter().filter(|x| !x.is_finite()).count();
        let taken = (count == 0).then(|| take(what, got));
        drop(view);
        buffers.readback.unmap();
        self.free.push(buffers);
        if taken.is_none() {
            return Err(GpuError::Unwritten { count, of: numbers });
        }
        Ok(taken)
    }
}

/// Buffers in flight are mapped or about to be, and are not kept.
impl<C: Deref<Target = Context>, T> Drop for Stream<C, T> {
    fn drop(&mut self) {
        self.context.keep(self.free.drain(..).flat_map(|buffers| [buffers.output, buffers.readback]));
    }
}
