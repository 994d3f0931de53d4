//! Passes over blocks on the device: the noise writes planes, and the passes read and write them there; only what is wanted comes
//! back, or goes where a caller wants it.

use crate::gpu::passes::{EDGE, GpuHead, PassKernel, PassKey, own_reads};
use crate::gpu::store::{LayerStore, StoreKernel};
use crate::gpu::stream::map;
use crate::gpu::{Context, Failure, GpuError};
use crate::program::narrow;
use crate::schedule::{Pass, PassStep, PlaneId, PlaneSource, SampleBlock, Schedule};
use encase::{ShaderSize, UniformBuffer};
use glam::{IVec2, UVec2, Vec4};
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use wgpu::BufferUsages as Usage;

/// Bytes that are read back at once, or a plane where that has more.
const READ: u64 = 64 << 20;
/// Passes in one submission: none may take so long that a driver takes the device for hung.
pub(crate) const PASSES: usize = 64;

/// Where a run's passes are recorded.
enum Encoder<'e> {
    /// In encoders of its own, which it submits; the one that is open, if any is.
    Own(Option<wgpu::CommandEncoder>),
    /// In a caller's, who submits it.
    Callers(&'e mut wgpu::CommandEncoder),
}

/// One schedule on its way.
pub(crate) struct GpuRun<'e> {
    context: Arc<Context>,
    block: SampleBlock,
    place: Vec<usize>,
    planes: Vec<wgpu::Buffer>,
    /// Samples beyond the wanted ones that each step computes.
    margins: Vec<u32>,
    /// The heads of all passes, one after the other.
    heads: wgpu::Buffer,
    /// From one head to the next.
    stride: u64,
    tables: HashMap<usize, wgpu::Buffer>,
    groups: HashMap<(Pass, Vec<usize>, usize), wgpu::BindGroup>,
    encoder: Encoder<'e>,
    recorded: usize,
    /// Passes in one submission.
    at_most: usize,
    /// Whether the device has done what was submitted last.
    done: Arc<AtomicBool>,
}

impl<'e> GpuRun<'e> {
    /// With so many passes in one submission.
    pub fn new(context: &Arc<Context>, schedule: &Schedule, block: &SampleBlock, at_most: usize) -> Result<Self, GpuError> {
        Self::prepared(context, schedule, block, at_most, Encoder::Own(None))
    }

    /// Into a caller's encoder.
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
            // A caller may submit, and others take what was kept, before what is uploaded for this run has been read.
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
        // One for taking jets apart, which is done everywhere, and room for one for handing over each output.
        all.extend(head(block, block.halo, &[]));
        all.resize((schedule.steps.len() + 1 + schedule.outputs.len()) * stride as usize, 0);
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

    /// Submits what is recorded in an encoder of its own.
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

    /// Whether the device is at work on what was submitted last. Does not wait.
    ///
    /// # Errors
    /// The device is lost.
    pub fn is_busy(&self) -> Result<bool, Failure> {
        self.context.device.poll(wgpu::PollType::Poll).map_err(|error| GpuError::Lost(error.to_string()))?;
        self.context.check()?;
        Ok(!self.done.load(Ordering::Acquire))
    }

    /// Waits until the device has done what was submitted.
    pub fn wait(&self) -> Result<(), Failure> {
        self.context.device.poll(wgpu::PollType::wait_indefinitely()).map_err(|error| GpuError::Lost(error.to_string()))?;
        Ok(self.context.check()?)
    }

    /// What comes back when all steps have run: for each output, for each channel, the wanted samples. Waits for the device.
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

    pub fn source(&mut self, source: &PlaneSource, given: Option<&[f32]>) -> Result<(), Failure> {
        let (context, region) = (Arc::clone(&self.context), &self.block.region.clone());
        match source {
            PlaneSource::Given { plane, .. } => {
                self.upload(*plane, given.expect("invariant: Engine::block refuses a schedule that lacks its field"))
            }
            PlaneSource::Drained { .. } => unreachable!("invariant: its planes are computed elsewhere, and uploaded"),
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
                // Behind those of the steps.
                let at = self.margins.len() as u64 * self.stride;
                self.dispatch(&kernel, &group, None, at, self.block.halo);
                // Kept with the planes.
                self.planes.push(jets);
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
                // What is to be written over is needed later: its copy is.
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
    /// Hands the wanted samples of an output's channels to a target, as texels or numbers.
    pub fn store(&mut self, schedule: &Schedule, output: usize, stored: &LayerStore<'_>) -> Result<(), Failure> {
        let channels = &schedule.outputs[output];
        let kernel = self.context.pass_kernel(PassKey::Store(StoreKernel { channels: channels.len(), output: stored.target.output }))?;
        let at = (schedule.steps.len() + 1 + output) as u64 * self.stride;
        let bytes = head(&self.block, 0, &stored.numbers());
        self.context.guarded(|| self.context.queue.write_buffer(&self.heads, at, &bytes))?;
        let planes: Vec<&wgpu::Buffer> = channels.iter().map(|plane| self.plane(*plane)).collect();
        let group = self.bind(&kernel, &planes)?;
        self.dispatch(&kernel, &group, Some(&stored.target.bind_group), at, 0);
        Ok(())
    }

    /// The table of a step on the device, and what it is known by.
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
        // There is a head of 256 bytes for each step. A hydraulic erosion of 4096 iterations has 16,384 of them.
        pass.set_bind_group(0, group, &[head as u32]);
        if let Some(target) = target {
            pass.set_bind_group(1, target, &[]);
        }
        pass.dispatch_workgroups(columns.div_ceil(EDGE), rows.div_ceil(EDGE), 1);
        drop(pass);
        self.recorded += 1;
    }

    /// The wanted samples of planes, when all that was recorded has been done.
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

/// Memory of a caller's own run is not kept: it is in an encoder that the caller has yet to submit.
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
    // Writing to memory cannot fail, and sizes are those of the type.
    let _ = buffer.write(&head);
    buffer.into_inner()
}
