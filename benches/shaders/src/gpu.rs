//! Times of kernels on a device.

use crate::case::{OCTAVES, Shape, WARP};
use crate::peer::Peer;
use cpu_time::ProcessTime;
use orogen::texture::{Content, TargetOptions, TexelEncoding};
use orogen::wgpu::{self, util::DeviceExt};
use orogen::{Backend, Engine, EngineOptions, Noise, Region};
use std::borrow::Cow;

/// A device, and an engine of ours on it.
pub struct Gpu {
    pub name: String,
    device: wgpu::Device,
    queue: wgpu::Queue,
    queries: wgpu::QuerySet,
    resolved: wgpu::Buffer,
    read: wgpu::Buffer,
    edge: u32,
    /// Whether the device is the processor itself. Its driver may take a time stamp after the next kernel, so the processor time of
    /// all threads is used, which other programs on the machine disturb least.
    is_software: bool,
    /// The textures of values and of values with gradients, which all kernels share.
    textures: [wgpu::Texture; 2],
}

/// A kernel that can be timed.
pub enum Kernel {
    Ours { engine: Engine, noise: Noise, target: Box<orogen::texture::Target> },
    Pasted { pipeline: wgpu::ComputePipeline, bind_group: wgpu::BindGroup },
}

impl Gpu {
    /// The adapter that `OROGEN_ADAPTER` names, else the best one.
    pub fn open(edge: u32) -> Result<Self, String> {
        let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
        let wanted = std::env::var("OROGEN_ADAPTER").unwrap_or_default().to_lowercase();
        let mut adapters = pollster::block_on(instance.enumerate_adapters(wgpu::Backends::PRIMARY));
        adapters.retain(|adapter| adapter.get_info().name.to_lowercase().contains(&wanted));
        adapters.sort_by_key(|adapter| adapter.get_info().device_type == wgpu::DeviceType::Cpu);
        let stamps = wgpu::Features::TIMESTAMP_QUERY | wgpu::Features::TIMESTAMP_QUERY_INSIDE_ENCODERS;
        let adapter = adapters.into_iter().find(|adapter| adapter.features().contains(stamps)).ok_or("no adapter with time stamps")?;
        let mut descriptor = Engine::device_descriptor(&adapter);
        descriptor.required_features |= stamps;
        let (device, queue) = pollster::block_on(adapter.request_device(&descriptor)).map_err(|error| error.to_string())?;
        let queries = device.create_query_set(&wgpu::QuerySetDescriptor { label: None, ty: wgpu::QueryType::Timestamp, count: 2 });
        let buffer = |usage| device.create_buffer(&wgpu::BufferDescriptor { label: None, size: 16, usage, mapped_at_creation: false });
        let resolved = buffer(wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC);
        let read = buffer(wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST);
        let is_software = adapter.get_info().device_type == wgpu::DeviceType::Cpu;
        let textures = [wgpu::TextureFormat::R32Float, wgpu::TextureFormat::Rgba32Float].map(|format| {
            device.create_texture(&wgpu::TextureDescriptor {
                label: None,
                size: wgpu::Extent3d { width: edge, height: edge, depth_or_array_layers: 1 },
                mip_level_count: 1,
                sample_count: 1,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage: wgpu::TextureUsages::STORAGE_BINDING,
                view_formats: &[],
            })
        });
        Ok(Gpu { name: adapter.get_info().name, device, queue, queries, resolved, read, edge, is_software, textures })
    }

    fn texture(&self, gradient: bool) -> &wgpu::Texture {
        &self.textures[usize::from(gradient)]
    }

    /// Our kernel of a noise, compiled for its own number of octaves.
    pub fn ours(&self, noise: Noise, gradient: bool) -> Result<Kernel, String> {
        let options = EngineOptions { backend: Backend::Gpu, ..Default::default() };
        let engine = Engine::from_device(&self.device, &self.queue, &options).map_err(|error| error.to_string())?;
        let content = if gradient { Content::Jet } else { Content::Value };
        let options = TargetOptions { encoding: TexelEncoding::from(content), ..Default::default() };
        let target = engine.target(self.texture(gradient), &options).map_err(|error| error.to_string())?;
        engine.specialise(&noise, &target).map_err(|error| error.to_string())?;
        Ok(Kernel::Ours { engine, noise, target: Box::new(target) })
    }

    /// The kernel of a pasted noise.
    pub fn pasted(&self, peer: &Peer, shape: Shape, wavelength: f64) -> Result<Kernel, String> {
        let module = peer.module(shape)?;
        let scope = self.device.push_error_scope(wgpu::ErrorFilter::Validation);
        let module = self
            .device
            .create_shader_module(wgpu::ShaderModuleDescriptor { label: None, source: wgpu::ShaderSource::Naga(Cow::Owned(module)) });
        let pipeline = self.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: None,
            layout: None,
            module: &module,
            entry_point: Some("main"),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            cache: None,
        });
        if let Some(error) = pollster::block_on(scope.pop()) {
            return Err(error.to_string());
        }
        let numbers = [(1.0 / wavelength) as f32, f32::from_bits(OCTAVES), WARP, 0.0];
        let uniform = self.device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
            label: None,
            contents: bytemuck::cast_slice(&numbers),
            usage: wgpu::BufferUsages::UNIFORM,
        });
        let view = self.texture(peer.gradient).create_view(&wgpu::TextureViewDescriptor::default());
        let bind_group = self.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &pipeline.get_bind_group_layout(0),
            entries: &[
                wgpu::BindGroupEntry { binding: 0, resource: uniform.as_entire_binding() },
                wgpu::BindGroupEntry { binding: 1, resource: wgpu::BindingResource::TextureView(&view) },
            ],
        });
        Ok(Kernel::Pasted { pipeline, bind_group })
    }

    /// Seconds that a kernel takes on the device, or of processor time on a software device.
    pub fn time(&self, kernel: &Kernel) -> Result<f64, String> {
        let mut encoder = self.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        encoder.write_timestamp(&self.queries, 0);
        match kernel {
            Kernel::Ours { engine, noise, target } => {
                engine.encode(&mut encoder, noise, &Region::plane(self.edge, self.edge), target).map_err(|error| error.to_string())?;
            }
            Kernel::Pasted { pipeline, bind_group } => {
                let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
                pass.set_pipeline(pipeline);
                pass.set_bind_group(0, bind_group, &[]);
                pass.dispatch_workgroups(self.edge.div_ceil(8), self.edge.div_ceil(8), 1);
            }
        }
        encoder.write_timestamp(&self.queries, 1);
        encoder.resolve_query_set(&self.queries, 0..2, &self.resolved, 0);
        encoder.copy_buffer_to_buffer(&self.resolved, 0, &self.read, 0, 16);
        let commands = encoder.finish();
        let start = ProcessTime::now();
        self.queue.submit([commands]);
        self.read.slice(..).map_async(wgpu::MapMode::Read, |_| ());
        self.device.poll(wgpu::PollType::wait_indefinitely()).map_err(|error| error.to_string())?;
        let spent = start.elapsed().as_secs_f64();
        let mapped = self.read.slice(..).get_mapped_range().map_err(|error| error.to_string())?;
        let stamps: Vec<u64> = bytemuck::pod_collect_to_vec(&mapped);
        drop(mapped);
        self.read.unmap();
        let device = stamps[1].saturating_sub(stamps[0]) as f64 * f64::from(self.queue.get_timestamp_period()) * 1e-9;
        Ok(if self.is_software { spent } else { device })
    }
}
