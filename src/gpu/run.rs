//! Passes over blocks on the device. The noise writes planes, and the passes read and write them there. Only the requested results
//! are read back, or written to a caller's target.

use crate::gpu::passes::{EDGE, GpuHead, PassKernel, PassKey, own_reads};
use crate::gpu::store::{LayerStore, StoreKernel};
use crate::gpu::stream::map;
use crate::gpu::{Context, Failure, GpuError};
use crate::program::narrow;
use crate::schedule::{CoarserSource, Pass, PassStep, PlaneId, PlaneSource, SampleBlock, Schedule};
use encase::{ShaderSize, UniformBuffer};
use glam::{IVec2, UVec2, Vec4};
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use wgpu::BufferUsages as Usage;

/// Most bytes that are read back at once; a larger plane is read alone.
const READ: u64 = 64 << 20;
/// Passes per submission: few enough that a driver's watchdog does not reset the device.
pub(crate) const PASSES: usize = 64;

/// The encoder of a run's passes.
enum Encoder<'e> {
    /// The run's own encoders, which it submits; the open one, if there is any.
    Own(Option<wgpu::CommandEncoder>),
    /// A caller's encoder, which the caller submits.
    Callers(&'e mut wgpu::CommandEncoder),
}

/// A schedule in progress.
pub(crate) struct GpuRun<'e> {
    context: Arc<Context>,
    block: SampleBlock,
    place: Vec<usize>,
    planes: Vec<wgpu::Buffer>,
    /// Samples beyond the requested ones that each step computes.
    margins: Vec<u32>,
    /// The number of sources on the coarser grid.
    coarser: usize,
    /// The number of those that were spread.
    spread: usize,
    /// The heads of all passes, in sequence.
    heads: wgpu::Buffer,
    /// Bytes from one head to the next.
    stride: u64,
    tables: HashMap<usize, wgpu::Buffer>,
    groups: HashMap<(Pass, Vec<usize>, usize), wgpu::BindGroup>,
    encoder: Encoder<'e>,
    recorded: usize,
    /// Most passes in one submission.
    at_most: usize,
    /// Whether the device has finished the last submission.
    done: Arc<AtomicBool>,
}

impl<'e> GpuRun<'e> {
    /// A run with its own encoders and at most `at_most` passes per submission.
    pub fn new(context: &Arc<Context>, schedule: &Schedule, block: &SampleBlock, at_most: usize) -> Result<Self, GpuError> {
        Self::prepared(context, schedule, block, at_most, Encoder::Own(None))
    }

    /// A run that records into a caller's encoder.
    pub fn recording(
        context: &Arc<Context>,
        schedule: &Schedule,
        block: &SampleBlock,
        encoder: &'e mut wgpu::CommandEncoder,
    ) -> Result<Self, GpuError> {
        Self::prepared(context, schedule, block, usize::MAX, Encoder::Callers(encoder))
    }

    fn prepared(
        context: &Arc<Context>,
        schedule: &Schedule,
        block: &SampleBlock,
        at_most: usize,
        encoder: Encoder<'e>,
    ) -> Result<Self, GpuError> {
        context.check()?;
        let (place, places) = schedule.places(true);
        let bytes = block.region.samples() * 4;
        let usage = Usage::STORAGE | Usage::COPY_SRC | Usage::COPY_DST;
        let plane = |_| match encoder {
            Encoder::Own(_) => context.spare("orogen plane", bytes, usage),
            // Not from the kept buffers: the caller may submit after other runs have taken and overwritten them.
            Encoder::Callers(_) => context.guarded(|| context.buffer("orogen plane", bytes, usage)),
        };
        let planes = (0..places).map(plane).collect::<Result<_, _>>()?;
        context.alive()?;
        let stride = GpuHead::SHADER_SIZE.get().next_multiple_of(u64::from(context.device.limits().min_uniform_buffer_offset_alignment));
        let margins = schedule.step_margins();
        let mut all = Vec::new();
        for (step, &margin) in schedule.steps.iter().zip(&margins) {
            all.extend(head(block, margin, &step.numbers));
            all.resize(all.len().next_multiple_of(stride as usize), 0);
        }
        // One head for splitting jets and one for each source on the coarser grid, which cover the whole block, and space for a head for
        // storing each output.
        all.extend(head(block, block.halo, &[]));
        let mut coarser = 0;
        for source in schedule.coarser() {
            all.resize(all.len().next_multiple_of(stride as usize), 0);
            let [odd_x, odd_y] = block.odd();
            all.extend(head(block, block.halo, &[odd_x, odd_y, source.block.halo, source.block.region.size[0]].map(f64::from)));
            coarser += 1;
        }
        all.resize((schedule.steps.len() + 1 + coarser + schedule.outputs.len()) * stride as usize, 0);
        let heads = context.guarded(|| {
            let heads = context.buffer("orogen heads", all.len() as u64, Usage::UNIFORM | Usage::COPY_DST);
            context.queue.write_buffer(&heads, 0, &all);
            heads
        })?;
        Ok(GpuRun {
            context: Arc::clone(context),
            block: *block,
            place,
            planes,
            margins,
            coarser,
            spread: 0,
            heads,
            stride,
            tables: HashMap::new(),
            groups: HashMap::new(),
            encoder,
            recorded: 0,
            at_most,
            done: Arc::new(AtomicBool::new(true)),
        })
    }

    fn plane(&self, plane: PlaneId) -> &wgpu::Buffer {
        &self.planes[self.place[plane.0]]
    }

    fn encoder(&mut self) -> &mut wgpu::CommandEncoder {
        let context = &self.context;
        match &mut self.encoder {
            Encoder::Own(encoder) => encoder.get_or_insert_with(|| context.encoder()),
            Encoder::Callers(encoder) => encoder,
        }
    }

    /// Submits the commands in the run's own encoder.
    pub fn flush(&mut self) -> Result<(), Failure> {
        self.submit().map(|_| ())
    }

    fn submit(&mut self) -> Result<Option<wgpu::SubmissionIndex>, Failure> {
        self.recorded = 0;
        let Encoder::Own(encoder) = &mut self.encoder else { return Ok(None) };
        let Some(encoder) = encoder.take() else { return Ok(None) };
        let submission = self.context.submit(encoder)?;
        let done = Arc::new(AtomicBool::new(false));
        self.done = Arc::clone(&done);
        self.context.queue.on_submitted_work_done(move || done.store(true, Ordering::Release));
        Ok(Some(submission))
    }

    /// Whether the device is working on the last submission. Does not wait.
    ///
    /// # Errors
    /// Returns an error if the device is lost.
    pub fn is_busy(&self) -> Result<bool, Failure> {
        self.context.device.poll(wgpu::PollType::Poll).map_err(|error| GpuError::Lost(error.to_string()))?;
        self.context.check()?;
        Ok(!self.done.load(Ordering::Acquire))
    }

    /// Waits until the device has finished all submissions.
    pub fn wait(&self) -> Result<(), Failure> {
        self.context.device.poll(wgpu::PollType::wait_indefinitely()).map_err(|error| GpuError::Lost(error.to_string()))?;
        Ok(self.context.check()?)
    }

    /// The results after all steps: for each output and each channel, the requested samples. Waits for the device.
    pub fn outputs(&mut self, schedule: &Schedule) -> Result<Vec<Vec<Vec<f32>>>, Failure> {
        let planes: Vec<PlaneId> = schedule.outputs.iter().flatten().copied().collect();
        let at_once = (READ / (self.block.region.samples() * 4)).max(1) as usize;
        let mut read = Vec::with_capacity(planes.len());
        for planes in planes.chunks(at_once) {
            read.extend(self.read(planes)?);
        }
        let mut read = read.into_iter();
        Ok(schedule.outputs.iter().map(|channels| read.by_ref().take(channels.len()).collect()).collect())
    }

    /// Fills a plane with values of the caller's.
    pub fn upload(&mut self, plane: PlaneId, values: &[f32]) -> Result<(), Failure> {
        Ok(self.context.guarded(|| self.context.queue.write_buffer(self.plane(plane), 0, bytemuck::cast_slice(values)))?)
    }

    /// Evaluates a noise.
    pub fn source(&mut self, source: &PlaneSource) -> Result<(), Failure> {
        let (context, region) = (Arc::clone(&self.context), &self.block.region.clone());
        match source {
            PlaneSource::Given { .. } | PlaneSource::Drained { .. } | PlaneSource::Coarser(_) => {
                unreachable!("invariant: its planes are computed elsewhere, and uploaded or spread")
            }
            PlaneSource::Values { program, plane } => {
                let target = context.buffer_target(self.plane(*plane), 0, false)?;
                context.encode(self.encoder(), program, region, &target)
            }
            PlaneSource::Jets { program, planes } => {
                let jets = context.spare("orogen jets", region.samples() * 16, Usage::STORAGE)?;
                let target = context.buffer_target(&jets, 0, true)?;
                context.encode(self.encoder(), program, region, &target)?;
                let kernel = context.pass_kernel(PassKey::Split)?;
                let buffers: Vec<&wgpu::Buffer> = std::iter::once(&jets).chain(planes.iter().map(|plane| self.plane(*plane))).collect();
                let group = self.bind(&kernel, &buffers)?;
                // After the heads of the steps.
                let at = self.margins.len() as u64 * self.stride;
                self.dispatch(&kernel, &group, None, at, self.block.halo);
                // Kept together with the planes.
                self.planes.push(jets);
                Ok(())
            }
        }
    }

    /// A run of a schedule on the coarser grid, which records into this run's encoder. [`spread`](Self::spread) gives that back.
    pub fn begin_coarser(&mut self, schedule: &Schedule, block: &SampleBlock) -> Result<Self, GpuError> {
        let encoder = std::mem::replace(&mut self.encoder, Encoder::Own(None));
        Self::prepared(&Arc::clone(&self.context), schedule, block, self.at_most, encoder)
    }

    /// Takes the results of a run on the coarser grid. Each sample has the value of the coarser sample at or before it along both axes.
    pub fn spread(&mut self, mut from: GpuRun<'e>, source: &CoarserSource) -> Result<(), Failure> {
        self.encoder = std::mem::replace(&mut from.encoder, Encoder::Own(None));
        let kernel = self.context.pass_kernel(PassKey::Spread)?;
        // After the heads of the steps, and that for jets.
        let at = (self.margins.len() + 1 + self.spread) as u64 * self.stride;
        self.spread += 1;
        for (channels, plane) in source.schedule.outputs.iter().zip(&source.planes) {
            let group = self.bind(&kernel, &[from.plane(channels[0]), self.plane(*plane)])?;
            self.dispatch(&kernel, &group, None, at, self.block.halo);
        }
        match self.encoder {
            // The next run may use the memory of `from`, so the device gets the commands that read it first.
            Encoder::Own(_) => self.flush(),
            Encoder::Callers(_) => {
                from.planes.clear();
                Ok(())
            }
        }
    }

    pub fn step(&mut self, i: usize, step: &PassStep) -> Result<(), Failure> {
        let kernel = self.context.pass_kernel(PassKey::Pass(step.pass))?;
        let info = step.pass.info();
        for (read, write) in info.overwrites() {
            let (from, to) = (self.place[step.reads[read].plane.0], self.place[step.writes[write].0]);
            if from != to {
                // The plane to overwrite is needed later, so the pass works on a copy.
                let (from, to) = (self.planes[from].clone(), self.planes[to].clone());
                let bytes = self.block.region.samples() * 4;
                self.encoder().copy_buffer_to_buffer(&from, 0, &to, 0, bytes);
            }
        }
        let table = self.table(step)?;
        let reads = own_reads(&info).map(|(read, _)| step.reads[read].plane);
        let places: Vec<usize> = reads.chain(step.writes.iter().copied()).map(|plane| self.place[plane.0]).collect();
        let key = (step.pass, places, table.as_ref().map_or(0, |(key, _)| *key));
        let group = match self.groups.get(&key) {
            Some(group) => group.clone(),
            None => {
                let planes = key.1.iter().map(|place| &self.planes[*place]);
                let buffers: Vec<&wgpu::Buffer> = table.iter().map(|(_, buffer)| buffer).chain(planes).collect();
                let group = self.bind(&kernel, &buffers)?;
                self.groups.insert(key, group.clone());
                group
            }
        };
        let at = i as u64 * self.stride;
        let margin = self.margins[i];
        self.dispatch(&kernel, &group, None, at, margin);
        if self.recorded >= self.at_most { self.flush() } else { Ok(()) }
    }
}

impl GpuRun<'_> {
    /// Writes the requested samples of an output's channels to a target, as texels or numbers.
    pub fn store(&mut self, schedule: &Schedule, output: usize, stored: &LayerStore<'_>) -> Result<(), Failure> {
        let channels = &schedule.outputs[output];
        let kernel = self.context.pass_kernel(PassKey::Store(StoreKernel { channels: channels.len(), output: stored.target.output }))?;
        let at = (schedule.steps.len() + 1 + self.coarser + output) as u64 * self.stride;
        let bytes = head(&self.block, 0, &stored.numbers());
        self.context.guarded(|| self.context.queue.write_buffer(&self.heads, at, &bytes))?;
        let planes: Vec<&wgpu::Buffer> = channels.iter().map(|plane| self.plane(*plane)).collect();
        let group = self.bind(&kernel, &planes)?;
        self.dispatch(&kernel, &group, Some(&stored.target.bind_group), at, 0);
        Ok(())
    }

    /// The table of a step on the device, and its key.
    fn table(&mut self, step: &PassStep) -> Result<Option<(usize, wgpu::Buffer)>, GpuError> {
        let Some(table) = &step.table else { return Ok(None) };
        let key = Arc::as_ptr(table).addr();
        if let Some(buffer) = self.tables.get(&key) {
            return Ok(Some((key, buffer.clone())));
        }
        let context = Arc::clone(&self.context);
        let numbers: Vec<f32> = table.iter().map(|&x| narrow(x)).collect();
        let bytes: &[u8] = bytemuck::cast_slice(&numbers);
        let buffer = context.guarded(|| {
            let buffer = context.buffer("orogen table", bytes.len() as u64, Usage::STORAGE | Usage::COPY_DST);
            context.queue.write_buffer(&buffer, 0, bytes);
            buffer
        })?;
        self.tables.insert(key, buffer.clone());
        Ok(Some((key, buffer)))
    }

    fn bind(&self, kernel: &PassKernel, buffers: &[&wgpu::Buffer]) -> Result<wgpu::BindGroup, GpuError> {
        let context = Arc::clone(&self.context);
        let head = wgpu::BufferBinding { buffer: &self.heads, offset: 0, size: Some(GpuHead::SHADER_SIZE) };
        let head = wgpu::BindGroupEntry { binding: 0, resource: wgpu::BindingResource::Buffer(head) };
        let planes = (1..).zip(buffers).map(|(binding, buffer)| wgpu::BindGroupEntry { binding, resource: buffer.as_entire_binding() });
        let entries: Vec<_> = std::iter::once(head).chain(planes).collect();
        context.guarded(|| {
            let label = Some("orogen pass");
            context.device.create_bind_group(&wgpu::BindGroupDescriptor { label, layout: &kernel.layout, entries: &entries })
        })
    }

    fn dispatch(&mut self, kernel: &PassKernel, group: &wgpu::BindGroup, target: Option<&wgpu::BindGroup>, head: u64, margin: u32) {
        let (_, [columns, rows]) = self.block.needed(margin);
        let mut pass =
            self.encoder().begin_compute_pass(&wgpu::ComputePassDescriptor { label: Some("orogen pass"), timestamp_writes: None });
        pass.set_pipeline(&kernel.pipeline);
        // The offset fits: a hydraulic erosion of 4096 iterations has 16,384 steps with a head of 256 bytes each.
        pass.set_bind_group(0, group, &[head as u32]);
        if let Some(target) = target {
            pass.set_bind_group(1, target, &[]);
        }
        pass.dispatch_workgroups(columns.div_ceil(EDGE), rows.div_ceil(EDGE), 1);
        drop(pass);
        self.recorded += 1;
    }

    /// The requested samples of planes, after all recorded work is done.
    fn read(&mut self, planes: &[PlaneId]) -> Result<Vec<Vec<f32>>, Failure> {
        let context = Arc::clone(&self.context);
        let ([x, y], [columns, rows]) = self.block.needed(0);
        let width = u64::from(self.block.region.size[0]) * 4;
        let bytes = width * u64::from(rows);
        let all = bytes * planes.len() as u64;
        let buffer = context.spare("orogen readback", all, Usage::MAP_READ | Usage::COPY_DST)?;
        for (i, plane) in (0..).zip(planes) {
            let plane = self.plane(*plane).clone();
            self.encoder().copy_buffer_to_buffer(&plane, u64::from(y) * width, &buffer, i * bytes, bytes);
        }
        let submission = self.submit()?.expect("invariant: copies were recorded, in an encoder of its own: a caller's gives nothing back");
        context.wait(&map(&buffer, all), &submission)?;
        let view = buffer.get_mapped_range(..all).map_err(|error| GpuError::Refused(error.to_string()))?;
        // wgpu maps at multiples of 8 bytes.
        let got: &[f32] = bytemuck::cast_slice(&view);
        let wanted = |plane: &[f32]| -> Vec<f32> {
            let rows = plane.chunks_exact(self.block.region.size[0] as usize);
            rows.flat_map(|row| &row[x as usize..][..columns as usize]).copied().collect()
        };
        let found: Vec<Vec<f32>> = got.chunks_exact(bytes as usize / 4).map(wanted).collect();
        drop(view);
        buffer.unmap();
        context.keep([buffer]);
        let count = found.iter().flatten().filter(|x| !x.is_finite()).count();
        if count > 0 {
            return Err(GpuError::Unwritten { count, of: found.iter().map(Vec::len).sum() }.into());
        }
        Ok(found)
    }
}

/// The memory of a caller's run is not kept, since the caller has not submitted the encoder yet.
impl Drop for GpuRun<'_> {
    fn drop(&mut self) {
        if let Encoder::Own(_) = self.encoder {
            self.context.keep(self.planes.drain(..));
        }
    }
}

/// The head of a pass as bytes.
fn head(block: &SampleBlock, margin: u32, numbers: &[f64]) -> Vec<u8> {
    let (first, count) = block.needed(margin);
    let number = |i: usize| numbers.get(i).map_or(0.0, |&x| narrow(x));
    let head = GpuHead {
        size: IVec2::from([0, 1].map(|a| block.region.size[a] as i32)),
        first: UVec2::from(first),
        count: UVec2::from(count),
        index: UVec2::from(block.index()),
        numbers: std::array::from_fn(|i| Vec4::from(std::array::from_fn(|k| number(4 * i + k)))),
        level: block.region.level,
    };
    let mut buffer = UniformBuffer::new(Vec::new());
    // Writing to a `Vec` cannot fail.
    let _ = buffer.write(&head);
    buffer.into_inner()
}
