//! Kernels: compiled once per structure and output, kept as long as the context.

use super::entry::{Output, kernel};
use super::{Arithmetic, Context, GpuError, lock, passthrough, refused, spirv};
use crate::program::Structure;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// A compiled kernel.
#[derive(Debug)]
pub(super) struct Kernel {
    pub pipeline: wgpu::ComputePipeline,
}

/// Binding group 0 of every kernel: 0 the dispatch, 1 to 6 tables.
pub(super) fn tables_layout(device: &wgpu::Device) -> Result<wgpu::BindGroupLayout, GpuError> {
    let types: Vec<_> = (0..7)
        .map(|binding| match binding {
            0 => wgpu::BufferBindingType::Uniform,
            _ => wgpu::BufferBindingType::Storage { read_only: true },
        })
        .map(buffer)
        .collect();
    guarded(device, || layout(device, "orogen tables", &types))
}

/// Binding group 1: where results go, and where positions come from.
pub(super) fn output_layout(device: &wgpu::Device, output: Output) -> wgpu::BindGroupLayout {
    let storage = |read_only| buffer(wgpu::BufferBindingType::Storage { read_only });
    let types = match output {
        Output::Samples { .. } => vec![storage(false)],
        Output::Anchored { .. } => vec![storage(false), storage(true)],
        Output::Texels { format, dimension, .. } => {
            vec![wgpu::BindingType::StorageTexture { access: wgpu::StorageTextureAccess::WriteOnly, format, view_dimension: dimension }]
        }
    };
    layout(device, output.label(), &types)
}

fn buffer(ty: wgpu::BufferBindingType) -> wgpu::BindingType {
    wgpu::BindingType::Buffer { ty, has_dynamic_offset: false, min_binding_size: None }
}

fn layout(device: &wgpu::Device, label: &str, types: &[wgpu::BindingType]) -> wgpu::BindGroupLayout {
    let entry = |(binding, &ty)| wgpu::BindGroupLayoutEntry { binding, visibility: wgpu::ShaderStages::COMPUTE, ty, count: None };
    let entries: Vec<_> = (0..).zip(types).map(entry).collect();
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: Some(label), entries: &entries })
}

impl Context {
    /// The kernel for a structure, compiled if this is the first time it is asked for. Whoever asks meanwhile waits.
    pub(super) fn kernel(&self, structure: &Arc<Structure>, output: Output) -> Result<Arc<Kernel>, GpuError> {
        let key = (Arc::clone(structure), output);
        let compiled = Arc::clone(lock(&self.kernels).entry(key.clone()).or_default());
        let result = compiled.get_or_init(|| self.compile(structure, output).map(Arc::new)).clone();
        if result.is_err() {
            // The next one to ask tries again.
            lock(&self.kernels).remove(&key);
        }
        result
    }

    fn compile(&self, structure: &Structure, output: Output) -> Result<Kernel, GpuError> {
        let mut source = kernel(structure, output).map_err(|error| GpuError::Refused(error.to_string()))?;
        if let Some((from, to)) = &*lock(&self.sabotage) {
            source = source.replace(from, to);
        }
        self.compiled.fetch_add(1, Ordering::Relaxed);
        let words = match self.arithmetic {
            Arithmetic::Exact => Some(spirv::exact(&source).map_err(GpuError::Refused)?),
            Arithmetic::Fast => None,
        };
        let pipeline = self.guarded(|| {
            let module = match &words {
                Some(words) => passthrough::module(&self.device, words, output.workgroup().into()),
                None => self.device.create_shader_module(wgpu::ShaderModuleDescriptor {
                    label: Some(output.label()),
                    source: wgpu::ShaderSource::Wgsl(source.into()),
                }),
            };
            let layout = self.device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
                label: Some(output.label()),
                bind_group_layouts: &[Some(&self.layout), Some(&output_layout(&self.device, output))],
                ..Default::default()
            });
            self.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
                label: Some(output.label()),
                layout: Some(&layout),
                module: &module,
                entry_point: Some("main"),
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                cache: self.cache.as_ref(),
            })
        })?;
        Ok(Kernel { pipeline })
    }

    /// Runs what creates something on the device; an error of the device's is returned, not left to its owner's handler.
    pub(super) fn guarded<T>(&self, create: impl FnOnce() -> T) -> Result<T, GpuError> {
        guarded(&self.device, create).map_err(|error| self.blamed(error))
    }

    /// The error itself, or that the device is lost, which makes everything else fail too.
    pub(super) fn blamed(&self, error: GpuError) -> GpuError {
        // A device that is our own tells when it is asked.
        let _ = self.device.poll(wgpu::PollType::Poll);
        self.alive().err().unwrap_or(error)
    }

    /// Whether the device is still there. What one creates on a lost device fails in silence, someone else's device tells its owner
    /// alone, and our own not before all its work is done: so this tries the least there is.
    pub(super) fn alive(&self) -> Result<(), GpuError> {
        self.check()?;
        let usage = wgpu::BufferUsages::COPY_DST;
        let tried = guarded(&self.device, || self.queue.write_buffer(&self.buffer("orogen probe", 4, usage), 0, &[0; 4]));
        tried.map_err(|error| match error {
            GpuError::OutOfMemory(_) => error,
            error => GpuError::Lost(error.to_string()),
        })
    }
}

/// Runs something under error scopes.
fn guarded<T>(device: &wgpu::Device, run: impl FnOnce() -> T) -> Result<T, GpuError> {
    use wgpu::ErrorFilter as Filter;
    let scopes = [Filter::Internal, Filter::OutOfMemory, Filter::Validation].map(|filter| device.push_error_scope(filter));
    let made = run();
    let mut failed = None;
    // The last one first: scopes are a stack.
    for scope in scopes.into_iter().rev() {
        failed = failed.or(pollster::block_on(scope.pop()));
    }
    failed.map_or(Ok(made), |error| Err(refused(error)))
}
